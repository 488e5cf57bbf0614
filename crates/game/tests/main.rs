//! Games as data, tested with real games and with what independent programs read from them.

#[path = "game/against_slow.rs"]
mod against_slow;
#[path = "game/codec.rs"]
mod codec;
#[path = "game/collections.rs"]
mod collections;
#[path = "game/damage.rs"]
mod damage;
#[path = "game/events.rs"]
mod events;
#[path = "game/files.rs"]
mod files;
#[path = "game/games.rs"]
mod games;
#[path = "game/input.rs"]
mod input;
#[path = "game/mainlines.rs"]
mod mainlines;
#[path = "game/makruk.rs"]
mod makruk;
#[path = "game/random_trees.rs"]
mod random_trees;
#[path = "game/recorder.rs"]
mod recorder;
#[path = "game/reference.rs"]
mod reference;
#[path = "game/slow_reader.rs"]
mod slow_reader;
#[path = "game/tokens.rs"]
mod tokens;
#[path = "game/whole.rs"]
mod whole;
#[path = "game/writing.rs"]
mod writing;
