//! Runs the same queries on an archive again and again, and prints how long each takes: a long-running program that
//! uses the library, with its columns in memory. The benchmarks use it.
//!
//! ```sh
//! printf 'search %s\nplayer carlsen\n' "$FEN" | cargo run --release --example questions ARCHIVE THREADS ROUNDS
//! ```
//!
//! A line of input is a query: `search FEN`, `explore FEN`, `player NAME`, `elo RATING`, `explore-elo FEN`,
//! `board CONDITIONS` or `played MOVES`. The lines of output are in the same order: the number of games, and the
//! microseconds of each round. Every round runs each query once.

#![allow(clippy::print_stdout, reason = "a program prints")]

use std::error::Error;
use std::io::Read;
use std::time::Instant;

use halfmove_archive::{Archive, ArchiveOptions, Filter, GameCondition};
use halfmove_game::replay::{BoardCondition, MoveSequence};
use halfmove_rules::Chess;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, threads, rounds] = arguments.as_slice() else {
        return Err("usage: questions ARCHIVE THREADS ROUNDS < QUESTIONS".into());
    };
    let mut options = ArchiveOptions::default();
    options.threads = threads.parse()?;
    let archive = Archive::open_with(path, &options)?;
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let mut questions = Vec::new();
    for line in text.lines() {
        let (kind, rest) = line.split_once(' ').ok_or("a question without an argument")?;
        questions.push((Query::new(kind, rest)?, 0, Vec::new()));
    }
    // The first round loads the columns into memory.
    for round in 0..=rounds.parse::<u32>()? {
        for (question, games, times) in &mut questions {
            let begun = Instant::now();
            *games = question.run(&archive)?;
            if round > 0 {
                times.push(begun.elapsed().as_nanos() as f64 / 1e3);
            }
        }
    }
    for (_, games, times) in questions {
        let times: Vec<String> = times.iter().map(|time| format!("{time:.1}")).collect();
        println!("{games} {}", times.join(" "));
    }
    Ok(())
}

enum Query {
    Search(Filter),
    Explore(Filter, Chess),
}

impl Query {
    fn new(kind: &str, rest: &str) -> Outcome<Self> {
        let position = || rest.parse::<Chess>();
        let player = |name: &str| Filter { player: Some(name.to_owned()), ..Filter::default() };
        let matching = |question: GameCondition| {
            Self::Search(Filter { conditions: vec![question], ..Filter::default() })
        };
        let rated = Filter { min_elo: Some(2500), ..Filter::default() };
        Ok(match kind {
            "search" => Self::Search(Filter::position(position()?)),
            "explore" => Self::Explore(Filter::default(), position()?),
            "explore-elo" => Self::Explore(rated, position()?),
            "player" => Self::Search(player(rest)),
            "elo" => Self::Search(Filter { min_elo: Some(rest.parse()?), ..Filter::default() }),
            "board" => matching(rest.parse::<BoardCondition>()?.into()),
            "played" => matching(rest.parse::<MoveSequence>()?.into()),
            other => return Err(format!("no such question: {other}").into()),
        })
    }

    /// Returns the number of games.
    fn run(&self, archive: &Archive) -> Outcome<u64> {
        Ok(match self {
            Self::Search(filter) => archive.search(filter, 10)?.count,
            Self::Explore(filter, position) => {
                archive.explore(filter, position.clone())?.results.games()
            }
        })
    }
}
