//! Reads PGN and counts the openings of its games.
//!
//! ```sh
//! cargo run --release -p halfmove-game --example openings -- games.pgn.zst
//! ```
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::cmp::Reverse;
use std::error::Error;
use std::time::Instant;

use halfmove_game::pgn::{GameReader, Keep, Reading};
use halfmove_game::{Game, Input, openings};

/// The maximum number of openings to list.
const SHOWN: usize = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("expected a file of PGN")?;
    let clock = Instant::now();
    let mut counts = vec![0; openings::all().len() + 1];
    println!("the list is ready after {:.2} ms", clock.elapsed().as_secs_f64() * 1e3);

    let mut reader = GameReader::new(Input::open(path)?).keeping(Keep::MainLine);
    let (mut game, mut bytes, mut ends) = (Game::default(), Vec::new(), vec![0]);
    let mut line = Vec::new();
    while let Some(reading) = reader.read_with_bytes(&mut game, &mut line)? {
        if !matches!(reading, Reading::Skipped(_)) {
            bytes.extend_from_slice(&line);
            ends.push(bytes.len());
        }
    }
    let games = ends.len() - 1;
    let clock = Instant::now();
    for range in ends.windows(2) {
        let opening = openings::of_game(&bytes[range[0]..range[1]])?;
        counts[opening.map_or(openings::all().len(), openings::Opening::index)] += 1;
    }
    let seconds = clock.elapsed().as_secs_f64();
    println!("{games} games in {:.1} ms, {:.0} games/s", seconds * 1e3, games as f64 / seconds);
    let mut named: Vec<_> = openings::all().iter().zip(&counts).collect();
    named.sort_by_key(|(_, count)| Reverse(**count));
    for (opening, count) in named.into_iter().take(SHOWN) {
        println!("{count:>8}  {opening}");
    }
    println!("{:>8}  without an opening", counts[openings::all().len()]);
    Ok(())
}
