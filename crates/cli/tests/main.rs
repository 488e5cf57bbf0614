//! The program as its users meet it: the real binary, real games, real mistakes.

#![cfg_attr(
    not(feature = "sql"),
    allow(
        unused_imports,
        dead_code,
        clippy::single_element_loop,
        reason = "the tests of SQL are left out"
    )
)]

#[path = "cli/analysis.rs"]
mod analysis;
#[path = "cli/answers.rs"]
mod answers;
#[cfg(feature = "sql")]
#[path = "cli/at_once.rs"]
mod at_once;
#[path = "cli/changes.rs"]
mod changes;
#[path = "cli/chosen.rs"]
mod chosen;
#[path = "cli/cleaning.rs"]
mod cleaning;
#[path = "cli/coded.rs"]
mod coded;
#[path = "cli/collections.rs"]
mod collections;
#[path = "cli/compact.rs"]
mod compact;
#[path = "cli/contradictions.rs"]
mod contradictions;
#[path = "cli/crashes.rs"]
mod crashes;
#[cfg(feature = "sql")]
#[path = "cli/dense.rs"]
mod dense;
#[path = "cli/eco_codes.rs"]
mod eco_codes;
#[path = "cli/engine.rs"]
mod engine;
#[path = "cli/facts.rs"]
mod facts;
#[path = "cli/field.rs"]
mod field;
#[path = "cli/files.rs"]
mod files;
#[path = "cli/filters.rs"]
mod filters;
#[path = "cli/formats.rs"]
mod formats;
#[path = "cli/found_games.rs"]
mod found_games;
#[cfg(target_os = "linux")]
#[path = "cli/full_disk.rs"]
mod full_disk;
#[path = "cli/games.rs"]
mod games;
#[path = "cli/golden.rs"]
mod golden;
#[path = "cli/habits.rs"]
mod habits;
#[cfg(feature = "sql")]
#[path = "cli/halfmoves.rs"]
mod halfmoves;
#[path = "cli/happenings.rs"]
mod happenings;
#[path = "cli/help.rs"]
mod help;
#[path = "cli/hints.rs"]
mod hints;
#[path = "cli/imports.rs"]
mod imports;
#[path = "cli/in_variations.rs"]
mod in_variations;
#[path = "cli/kept_games.rs"]
mod kept_games;
#[path = "cli/mistakes.rs"]
mod mistakes;
#[path = "cli/move_numbers.rs"]
mod move_numbers;
#[path = "cli/novelties.rs"]
mod novelties;
#[cfg(unix)]
#[path = "cli/odd_names.rs"]
mod odd_names;
#[path = "cli/openings.rs"]
mod openings;
#[path = "cli/outside.rs"]
mod outside;
#[cfg(feature = "sql")]
#[path = "cli/parquet_files.rs"]
mod parquet_files;
#[path = "cli/pgn.rs"]
mod pgn;
#[path = "cli/positions.rs"]
mod positions;
#[path = "cli/program.rs"]
mod program;
#[path = "cli/questions.rs"]
mod questions;
#[cfg(feature = "sql")]
#[path = "cli/readers.rs"]
mod readers;
#[path = "cli/reference.rs"]
mod reference;
#[path = "cli/round_trip.rs"]
mod round_trip;
#[path = "cli/scores.rs"]
mod scores;
#[cfg(feature = "server")]
#[path = "cli/serving.rs"]
mod serving;
#[path = "cli/shell.rs"]
mod shell;
#[cfg(feature = "sql")]
#[path = "cli/sql.rs"]
mod sql;
#[path = "cli/structures.rs"]
mod structures;
#[path = "cli/tasks.rs"]
// The guide is that of the whole program.
#[cfg(feature = "sql")]
mod tasks;
#[path = "cli/terminal.rs"]
mod terminal;
#[path = "cli/twins.rs"]
mod twins;
#[path = "cli/values.rs"]
mod values;
#[path = "cli/verify.rs"]
mod verify;
