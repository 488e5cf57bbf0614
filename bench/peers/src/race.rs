//! The race of counting leaves: a line a contender with name, version, leaves and seconds of CPU time.
//!
//! None keeps a table of what it has counted, and all count the last half-move without playing it. There are
//! three jobs, and only equal ones are compared as generators of moves:
//!
//! - perft: the library's own function, made to count;
//! - visit: visit the moves piece by piece, play each on a copy of the position, and add up the `len()` of
//!   each piece's moves before the last half-move;
//! - list: fill a list of moves in every position, before the last half-move too, and play each on a copy.

mod jobs;

use crate::version;
use cpu_time::ThreadTime;
use shakmaty::CastlingMode;
use shakmaty::fen::Fen;
use std::error::Error;
use std::fmt::Display;
use std::hint::black_box;
use std::str::FromStr;

/// The levels that our contenders can be held to on this CPU, the highest last.
pub(crate) fn levels() -> String {
    String::new()
}

/// Counts by each of some contenders, one after the other.
pub(crate) fn run(names: &str, fen: &str, depth: u32) -> Result<(), Box<dyn Error>> {
    for name in names.split(',') {
        // Loads the tables, so that no contender pays for that while the clock runs.
        black_box(leaves(name, fen, depth.saturating_sub(2))?);
        let clock = ThreadTime::now();
        let counted = leaves(name, fen, depth)?;
        let seconds = clock.elapsed().as_secs_f64();
        println!("{name}\t{}\t{counted}\t{seconds}", version(library(name)));
    }
    Ok(())
}

/// The package that a contender is.
fn library(name: &str) -> &str {
    let job = name.split('@').next().unwrap_or(name);
    match job {
        "perft" | "visit" | "list" => "halfmove-rules",
        _ => job.trim_end_matches("-list").trim_end_matches("-perft"),
    }
}

fn parse<T: FromStr<Err: Display>>(fen: &str) -> Result<T, Box<dyn Error>> {
    Ok(fen.parse().map_err(|error| format!("an invalid FEN, {fen}: {error}"))?)
}

/// The leaves at a depth, as one contender counts them.
fn leaves(name: &str, fen: &str, depth: u32) -> Result<u64, Box<dyn Error>> {
    let shakmaty = || -> Result<shakmaty::Chess, Box<dyn Error>> {
        Ok(fen.parse::<Fen>()?.into_position(CastlingMode::Standard)?)
    };
    let gigachess = || gigachess::fen::parse_fen(fen).map_err(|error| error.to_string());
    Ok(match name {
        "perft" => halfmove_rules::perft(&parse::<halfmove_rules::Chess>(fen)?, depth),
        "visit" => jobs::visit(&parse(fen)?, depth),
        "list" => jobs::list(&parse(fen)?, depth),
        "cozy-chess" => jobs::cozy_chess(&parse(fen)?, depth),
        "cozy-chess-list" => jobs::cozy_chess_list(&parse(fen)?, depth),
        "chess" => jobs::chess(&parse(fen)?, depth),
        "chess-list" => jobs::chess_list(&parse(fen)?, depth),
        "gigachess-perft" => gigachess()?.perft(depth),
        "gigachess-list" => jobs::gigachess_list(&gigachess()?, depth),
        "shakmaty-list" => jobs::shakmaty_list(&shakmaty()?, depth),
        _ => return Err(format!("no contender {name}").into()),
    })
}
