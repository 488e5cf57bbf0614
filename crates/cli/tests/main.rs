//! The program as its users meet it: the real binary, real games, real mistakes.

#[path = "cli/changes.rs"]
mod changes;
#[path = "cli/coded.rs"]
mod coded;
#[path = "cli/collections.rs"]
mod collections;
#[path = "cli/compact.rs"]
mod compact;
#[path = "cli/crashes.rs"]
mod crashes;
#[path = "cli/golden.rs"]
mod golden;
#[path = "cli/imports.rs"]
mod imports;
#[path = "cli/mistakes.rs"]
mod mistakes;
#[path = "cli/pgn.rs"]
mod pgn;
#[path = "cli/program.rs"]
mod program;
#[path = "cli/round_trip.rs"]
mod round_trip;
#[path = "cli/verify.rs"]
mod verify;
