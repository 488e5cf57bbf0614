//! Other libraries at the jobs of the benchmarks: each prints its result. The runner takes the time, but of sliding
//! attacks, which are too short for that, of codecs, and of the race.
//!
//! ```text
//! halfmove-bench-peers build              how it was built, the levels of this CPU, what our front door is bound to
//! halfmove-bench-peers read JOB FILE.pgn  pgn-reader and shakmaty: games, and the half-moves or tags of all
//! halfmove-bench-peers codecs FILE.pgn ROUNDS [held-out] [NAME=ROUNDS ...]
//!                                         bytes and back by our codecs and by others; a time for each
//! halfmove-bench-peers packed FILE.pgn FOLDER
//!                                         held-out games, packed and as text; the sizes
//! halfmove-bench-peers sliders PAIRS SEED ROUND_MS
//!                                         cozy-chess, shakmaty and chess; a time for each
//! halfmove-bench-peers race NAMES FEN DEPTH
//!                                         leaves counted by each of NAMES, ours among them; a time for each
//! ```

mod codecs;
#[path = "../../src/flags.rs"]
mod flags;
mod packed;
mod race;
mod reading;
mod sliders;

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let words = std::env::args().skip(1).collect::<Vec<_>>();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["build"] => {
            let sliders = halfmove_bitboard::attacks::SLIDERS.name;
            println!("{}\t{}\t{sliders}", flags::flags(), race::levels());
        }
        ["codecs", path, rounds, ref words @ ..] => codecs::run(path, rounds.parse()?, words)?,
        ["packed", path, folder] => packed::run(path, folder)?,
        ["read", job, path] => reading::run(job, path)?,
        ["sliders", pairs, seed, round_ms] => {
            sliders::run(pairs.parse()?, seed, round_ms.parse()?)?;
        }
        ["race", names, fen, depth] => race::run(names, fen, depth.parse()?)?,
        _ => {
            let words = "build, codecs FILE ROUNDS, packed FILE FOLDER, race NAMES FEN DEPTH, read JOB FILE or sliders PAIRS SEED ROUND_MS";
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
