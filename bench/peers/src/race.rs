//! The perft race: one line per contender with name, version, leaves and seconds of CPU time.
//!
//! None keeps a table of what it has counted, and all count the last half-move without playing it. There are
//! three jobs, and only equal ones are compared as generators of moves:
//!
//! - perft: the library's own function, made to count;
//! - visit: visit the moves as the library shows them, by pieces (ours shows pawns by the way they step), play each on
//!   a copy of the position, and add up the `len()` of what is shown before the last half-move;
//! - list: fill a list of moves in every position, before the last half-move too, and play each on a copy.

mod jobs;

use crate::version;
use cpu_time::ThreadTime;
use halfmove_bitboard::cpu::{self, Level};
use shakmaty::CastlingMode;
use shakmaty::fen::Fen;
use std::error::Error;
use std::fmt::Display;
use std::hint::black_box;
use std::str::FromStr;

/// The levels that our contenders can be held to on this CPU, the highest last.
pub(crate) fn levels() -> String {
    let available = Level::ALL.into_iter().filter(|level| level.is_available());
    available.map(|level| level.to_string()).collect::<Vec<_>>().join(" ")
}

/// A name without its level, and the level that it is held to: the highest, if it says none.
fn level(name: &str) -> Result<(&str, Level), Box<dyn Error>> {
    let Some((name, level)) = name.split_once('@') else { return Ok((name, Level::V4)) };
    let found = Level::ALL.iter().find(|known| known.to_string() == level);
    Ok((name, *found.ok_or_else(|| format!("no level {level}"))?))
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
        _ => job.trim_end_matches("-list").trim_end_matches("-perft").trim_end_matches("-closure"),
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
    let (name, most) = level(name)?;
    Ok(match name {
        "perft" => halfmove_rules::perft_up_to(most, &parse(fen)?, depth),
        "visit" => cpu::run_up_to(most, jobs::Visit(&parse(fen)?, depth)),
        "list" => cpu::run_up_to(most, jobs::List(&parse(fen)?, depth)),
        "cozy-chess-closure" => jobs::cozy_chess_closure(&parse(fen)?, depth),
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
