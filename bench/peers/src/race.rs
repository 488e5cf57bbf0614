//! The race of counting leaves: a line a contender with name, version, leaves and seconds of CPU time.
//!
//! All count the last half-move without playing it, and none keeps a table of what it has counted.

use crate::version;
use cpu_time::ThreadTime;
use halfmove_rules::Chess;
use shakmaty::CastlingMode;
use shakmaty::fen::Fen;
use std::error::Error;
use std::hint::black_box;
use std::ops::ControlFlow;

/// Counts by each of some contenders, one after the other.
pub(crate) fn run(names: &str, fen: &str, depth: u32) -> Result<(), Box<dyn Error>> {
    for name in names.split(',') {
        // Loads the tables, so that no contender pays for that while the clock runs.
        black_box(leaves(name, fen, depth.saturating_sub(2))?);
        let clock = ThreadTime::now();
        let counted = leaves(name, fen, depth)?;
        let seconds = clock.elapsed().as_secs_f64();
        let library = if ["perft", "library"].contains(&name) { "halfmove-rules" } else { name };
        println!("{name}\t{}\t{counted}\t{seconds}", version(library));
    }
    Ok(())
}

/// The leaves at a depth, as one contender counts them.
pub(crate) fn leaves(name: &str, fen: &str, depth: u32) -> Result<u64, Box<dyn Error>> {
    Ok(match name {
        "perft" => halfmove_rules::perft(&fen.parse::<Chess>()?, depth),
        "library" => library(&fen.parse()?, depth),
        "cozy-chess" => {
            let board = fen.parse().map_err(|error| format!("no FEN: {error}"))?;
            cozy_chess(&board, depth)
        }
        "chess" => {
            let board = fen.parse().map_err(|error| format!("no FEN: {error}"))?;
            chess(&board, depth)
        }
        "shakmaty" => {
            let position: shakmaty::Chess =
                fen.parse::<Fen>()?.into_position(CastlingMode::Standard)?;
            shakmaty::perft(&position, depth)
        }
        _ => return Err(format!("no contender {name}").into()),
    })
}

/// What a program that uses halfmove-rules would write: every position is a whole one, key and clocks
/// included.
fn library(position: &Chess, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves() as u64,
        _ => {
            let mut leaves = 0;
            let _: ControlFlow<()> = position.visit_moves(|piece| {
                for mv in piece {
                    let mut next = position.clone();
                    next.play_unchecked(mv);
                    leaves += library(&next, depth - 1);
                }
                ControlFlow::Continue(())
            });
            leaves
        }
    }
}

fn cozy_chess(board: &cozy_chess::Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    board.generate_moves(|piece| {
        if depth == 1 {
            leaves += piece.len() as u64;
        } else {
            for mv in piece {
                let mut next = board.clone();
                next.play_unchecked(mv);
                leaves += cozy_chess(&next, depth - 1);
            }
        }
        false
    });
    leaves
}

fn chess(board: &chess::Board, depth: u32) -> u64 {
    let moves = chess::MoveGen::new_legal(board);
    match depth {
        0 => 1,
        1 => moves.len() as u64,
        _ => moves.map(|mv| chess(&board.make_move_new(mv), depth - 1)).sum(),
    }
}
