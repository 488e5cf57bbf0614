//! Reads PGN, encodes every game, and searches them for positions and moves by replay.
//!
//! ```sh
//! cargo run --release -p halfmove-game --example scan -- games.pgn.zst
//! ```
#![allow(clippy::print_stdout, reason = "an example prints")]

use halfmove_game::pgn::{GameReader, Keep, Reading};
use halfmove_game::replay::{self, MoveSequence, Target};
use halfmove_game::{Game, Input};
use halfmove_rules::Chess;
use std::error::Error;
use std::time::Instant;

const POSITIONS: [(&str, &str); 3] = [
    ("bare kings (never arises, never ruled out early)", "8/8/8/4k3/8/4K3/8/8 w - - 0 1"),
    ("Najdorf", "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6"),
    ("the start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
];

const SEQUENCES: [&str; 6] =
    ["Bxh7+ Kxh7 Ng5+", "O-O-O", "=N", "Nxf7 * Qh7#", "+", "N * N * N * N * N * N * N * Q Q Q Q Q"];

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("expected a file of PGN")?;
    let clock = Instant::now();
    let mut reader = GameReader::new(Input::open(path)?).keeping(Keep::MainLine);
    let (mut game, mut bytes, mut ends) = (Game::default(), Vec::new(), vec![0]);
    let mut line = Vec::new();
    while let Some(reading) = reader.read_with_bytes(&mut game, &mut line)? {
        if !matches!(reading, Reading::Skipped(_)) {
            bytes.extend_from_slice(&line);
            ends.push(bytes.len());
        }
    }
    let (games, plies) = (ends.len() - 1, reader.counts().half_moves);
    let seconds = clock.elapsed().as_secs_f64();
    println!("{games} games, {plies} half-moves, {} bytes", bytes.len());
    println!("read and encoded in {seconds:.2} s, {:.0} games/s", games as f64 / seconds);
    for (name, fen) in POSITIONS {
        let target = Target::new(&fen.parse::<Chess>()?.into());
        let clock = Instant::now();
        let mut hits = 0;
        for range in ends.windows(2) {
            let found = replay::find(&bytes[range[0]..range[1]], &target)?;
            hits += u32::from(found.is_some());
        }
        let nanos = clock.elapsed().as_nanos() as f64;
        println!(
            "{hits} games in {:.1} ms, {:.2} ns a half-move: {name}",
            nanos / 1e6,
            nanos / plies as f64
        );
    }
    for text in SEQUENCES {
        let sequence: MoveSequence = text.parse()?;
        let clock = Instant::now();
        let mut hits = 0;
        for range in ends.windows(2) {
            let found = replay::played(&bytes[range[0]..range[1]], &sequence)?;
            hits += u32::from(found.is_some());
        }
        let nanos = clock.elapsed().as_nanos() as f64;
        println!(
            "{hits} games in {:.1} ms, {:.2} ns a half-move: {text}",
            nanos / 1e6,
            nanos / plies as f64
        );
    }
    Ok(())
}
