//! Other libraries at the jobs of the benchmarks: each prints its answer. The runner takes the time,
//! but of sliding attacks, which are too short for that, and of the race.
//!
//! ```text
//! halfmove-bench-peers build              how it was built, the levels of this CPU, what our front door is bound to
//! halfmove-bench-peers read FILE.pgn      pgn-reader and shakmaty, every move checked
//! halfmove-bench-peers sliders PAIRS SEED ROUND_MS
//!                                         cozy-chess, shakmaty and chess; a time for each
//! halfmove-bench-peers race NAMES FEN DEPTH
//!                                         leaves counted by each of NAMES, ours among them; a time for each
//! ```

#[path = "../../src/flags.rs"]
mod flags;
mod race;
mod sliders;

use pgn_reader::{Reader, SanPlus, Skip, Visitor};
use shakmaty::{Chess, Position};
use std::error::Error;
use std::fs::File;
use std::ops::ControlFlow;

fn main() -> Result<(), Box<dyn Error>> {
    let words = std::env::args().skip(1).collect::<Vec<_>>();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["build"] => {
            let sliders = halfmove_bitboard::attacks::SLIDERS.name;
            println!("{}\t{}\t{sliders}", flags::flags(), race::levels());
        }
        ["read", path] => {
            let mut reader = Reader::new(File::open(path)?);
            let (mut games, mut half_moves) = (0_u64, 0_u64);
            while let Some(played) = reader.read_game(&mut MainLine)? {
                games += 1;
                half_moves += played;
            }
            println!("{games} games, {half_moves} half-moves");
        }
        ["sliders", pairs, seed, round_ms] => {
            sliders::run(pairs.parse()?, seed, round_ms.parse()?)?;
        }
        ["race", names, fen, depth] => race::run(names, fen, depth.parse()?)?,
        _ => {
            let words = "build, race NAMES FEN DEPTH, read FILE or sliders PAIRS SEED ROUND_MS";
            return Err(format!("expected {words}").into());
        }
    }
    Ok(())
}

/// The version of a library that was built in.
fn version(library: &str) -> &'static str {
    let lock = include_str!("../Cargo.lock");
    let entry = format!("name = \"{library}\"\nversion = \"");
    let found = lock.split_once(entry.as_str()).and_then(|(_, rest)| rest.split_once('"'));
    found.map_or("of unknown version", |(version, _)| version)
}

/// Plays the main line for as long as it is legal, and counts its half-moves.
struct MainLine;

impl Visitor for MainLine {
    type Tags = ();
    type Movetext = (Chess, u64);
    type Output = u64;

    fn begin_tags(&mut self) -> ControlFlow<u64, ()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<u64, (Chess, u64)> {
        ControlFlow::Continue((Chess::default(), 0))
    }

    fn san(&mut self, (position, played): &mut (Chess, u64), san: SanPlus) -> ControlFlow<u64> {
        match san.san.to_move(position) {
            Ok(mv) => {
                position.play_unchecked(mv);
                *played += 1;
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(*played),
        }
    }

    fn begin_variation(&mut self, _: &mut (Chess, u64)) -> ControlFlow<u64, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, (_, played): (Chess, u64)) -> u64 {
        played
    }
}
