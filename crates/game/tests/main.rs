//! Games as data, against real games and what independent programs read in them.

#[path = "game/codec.rs"]
mod codec;
#[path = "game/mainlines.rs"]
mod mainlines;

mod collections;
mod damage;
mod events;
mod games;
mod input;
mod tokens;
mod writing;
