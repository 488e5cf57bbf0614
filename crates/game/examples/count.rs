//! Reads PGN files and prints their counts: `cargo run --release --example count -- FILE…`.
//!
//! With `--tokens` the moves are not played, so the difference is the cost of the rules.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::io::{self, Read};
use std::time::Instant;

use halfmove_game::pgn::{GameReader, Place, Reader, Reading, Visitor, Word};
use halfmove_game::{Game, Input};

#[derive(Default)]
struct Tokens {
    games: u64,
    moves: u64,
}

impl Visitor for Tokens {
    fn san(&mut self, _: Word<'_>, _: Place<'_>) {
        self.moves += 1;
    }

    fn end_game(&mut self) {
        self.games += 1;
    }
}

struct Sized<R> {
    inner: R,
    bytes: u64,
}

impl<R: Read> Read for Sized<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(bytes)?;
        self.bytes += count as u64;
        Ok(count)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let tokens_only = arguments.first().is_some_and(|first| first == "--tokens");
    if tokens_only {
        arguments.remove(0);
    }
    for path in arguments {
        let start = Instant::now();
        let mut source = Sized { inner: Input::open(&path)?, bytes: 0 };
        let (games, moves) = if tokens_only {
            let mut tokens = Tokens::default();
            let mut reader = Reader::new(&mut source);
            while reader.read_game(&mut tokens)? {}
            (tokens.games, tokens.moves)
        } else {
            let mut reader = GameReader::new(&mut source);
            let mut game = Game::default();
            while let Some(reading) = reader.read(&mut game)? {
                match reading {
                    Reading::Whole => {}
                    Reading::Faulty(error) => println!("{path}: {error}"),
                    Reading::Skipped(skip) => println!("{path}: {skip}"),
                }
            }
            println!("{:#?}", reader.counts());
            (reader.counts().games, reader.counts().half_moves)
        };
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{path}: {games} games, {moves} moves, {:.0} MB/s, {:.0} games/s, {seconds:.3} s",
            source.bytes as f64 / seconds / 1e6,
            games as f64 / seconds
        );
    }
    Ok(())
}
