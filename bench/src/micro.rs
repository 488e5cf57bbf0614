//! Single operations, measured in this process on the games of the collection.
//!
//! All operations are run in rounds, in alternation. The result of every round is checked against that of
//! the first round or a known one. The table gives the median, the minimum and the maximum of the rounds.

mod bytes;

use crate::table::Spread;
use anyhow::{Context, ensure};
use bytes::{Lines, Positions};
use halfmove_bitboard::{Bitboard, Square};
use halfmove_game::codec::halfmove::is_standard_start;
use halfmove_game::pgn::{GameReader, Keep, Place, Reader, Reading, Visitor, Word};
use halfmove_game::{Game, Input};
use halfmove_rules::{Chess, Move, San, SanText};
use halfmove_techniques::bits::{self, DeBruijn};
use halfmove_techniques::lookup::RotatedOccupied;
use halfmove_techniques::{Hyperbola, RayWalk, Sliders};
use std::fmt::Write;
use std::hint::black_box;
use std::io::Read;
use std::path::Path;
use std::time::Instant;

/// The number of measurements of each operation.
const ROUNDS: usize = 7;

/// The number of games on which SAN is resolved.
const GAMES: usize = 5_000;

/// An operation: its name, its unit, the number of units per round, and the code of a round, which returns
/// a result.
struct Operation<'a> {
    name: String,
    unit: &'static str,
    units: f64,
    round: Box<dyn Fn() -> anyhow::Result<u64> + 'a>,
}

impl Operation<'_> {
    /// The figure in the table for a round of this duration.
    fn figure(&self, seconds: f64) -> f64 {
        match self.unit {
            "ns" => seconds * 1e9 / self.units,
            _ => self.units / seconds,
        }
    }

    fn show(&self, figure: f64) -> String {
        match self.unit {
            "MB/s" | "games/s" => format!("{figure:.0}"),
            _ => format!("{figure:.2}"),
        }
    }
}

/// The games: all that begin at the standard starting position.
struct Games {
    text: Vec<u8>,
    lines: Lines,
    sans: Vec<(Chess, SanText, Move)>,
}

impl Games {
    fn read(path: &Path) -> anyhow::Result<Self> {
        let mut text = Vec::new();
        Input::open(path)?.read_to_end(&mut text)?;
        let (mut lines, mut sans) = (Lines::default(), Vec::new());
        let mut reader = GameReader::new(text.as_slice()).keeping(Keep::MainLine);
        let mut game = Game::default();
        let mut games = 0;
        while let Some(reading) = reader.read(&mut game)? {
            if matches!(reading, Reading::Skipped(_))
                || !game.chess_start().is_some_and(is_standard_start)
            {
                continue;
            }
            lines.push(&game.moves)?;
            if games < GAMES {
                let mut position = Chess::default();
                for &mv in &game.moves {
                    sans.push((position.clone(), position.san(mv), mv));
                    position.play_unchecked(mv);
                }
                games += 1;
            }
        }
        Ok(Self { text, lines, sans })
    }
}

/// Counts moves.
struct Tokens(u64);

impl Visitor for Tokens {
    fn san(&mut self, _: Word<'_>, _: Place<'_>) {
        self.0 += 1;
    }
}

/// Squares and occupancies from a generator with a fixed seed; a quarter of the squares are occupied, as in
/// a middlegame.
fn boards() -> Vec<(Square, Bitboard)> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..4096).map(|at| (Square::ALL[at % 64], Bitboard(next() & next()))).collect()
}

fn queens<S: Sliders>(sliders: S, boards: &[(Square, Bitboard)]) -> u64 {
    let mut sum = 0;
    for _ in 0..100 {
        for &(square, occupied) in boards {
            sum ^= sliders.queen(black_box(square), occupied).0;
        }
        sum = sum.rotate_left(1);
    }
    sum
}

/// The sum of the squares of every set.
fn scans(scan: impl Fn(u64) -> u32, boards: &[(Square, Bitboard)]) -> u64 {
    let mut sum = 0;
    for _ in 0..100 {
        for &(_, occupied) in boards {
            let mut left = black_box(occupied.0);
            while left != 0 {
                sum += u64::from(scan(left));
                left = bits::reset_lowest(left);
            }
        }
    }
    sum
}

fn operations<'a>(
    games: &'a Games,
    boards: &'a [(Square, Bitboard)],
    positions: &'a Positions,
) -> anyhow::Result<Vec<Operation<'a>>> {
    let mut all = Vec::new();
    let mut add = |name: &str, unit, units, round: Box<dyn Fn() -> anyhow::Result<u64> + 'a>| {
        all.push(Operation { name: name.to_owned(), unit, units, round });
    };
    let queries = boards.len() as f64 * 100.0;
    let hyperbola = Hyperbola::new().context("hyperbola quintessence does not run here")?;
    let ray_walk = RayWalk::new().context("the ray walk does not run here")?;
    add("queen attacks, hyperbola", "ns", queries, Box::new(move || Ok(queens(hyperbola, boards))));
    add("queen attacks, ray walk", "ns", queries, Box::new(move || Ok(queens(ray_walk, boards))));

    // The incremental cost of rotated bitboards: four occupancies are updated, and every move changes two
    // squares.
    let rotated = move || {
        let mut kept = RotatedOccupied::from(Bitboard::EMPTY);
        for _ in 0..100 {
            for (square, _) in boards {
                kept.toggle(black_box(*square));
            }
        }
        Ok(black_box(kept).occupied().0)
    };
    let plain = move || {
        let mut kept = Bitboard::EMPTY;
        for _ in 0..100 {
            for (square, _) in boards {
                kept ^= black_box(*square);
            }
        }
        Ok(kept.0)
    };
    add("put or take a piece, four rotated occupancies", "ns", queries, Box::new(rotated));
    add("put or take a piece, one occupancy", "ns", queries, Box::new(plain));

    // Every set of occupied squares as a list, by three bit scans.
    let squares = 100.0 * boards.iter().map(|(_, set)| f64::from(set.len())).sum::<f64>();
    let scan = |x| bits::scan_forward(x).unwrap_or(64);
    add("bit scan, instruction", "ns", squares, Box::new(move || Ok(scans(scan, boards))));
    let scan = |x| DeBruijn::LEISERSON.scan_forward(x).unwrap_or(64);
    add("bit scan, De Bruijn", "ns", squares, Box::new(move || Ok(scans(scan, boards))));
    let scan = bits::trailing_zeros_modulo_67;
    add("bit scan, modulo 67", "ns", squares, Box::new(move || Ok(scans(scan, boards))));

    let sans = games.sans.len() as f64;
    let parse = move || {
        let mut read = 0;
        for (_, text, _) in &games.sans {
            read += u64::from(San::parse(black_box(text.as_bytes())).is_ok());
        }
        ensure!(read == games.sans.len() as u64, "a SAN was not read");
        Ok(read)
    };
    add("SAN, read", "ns", sans, Box::new(parse));
    let resolve = move || {
        let mut right = 0;
        for (position, text, mv) in &games.sans {
            right += u64::from(San::parse(text.as_bytes())?.resolve(position)? == *mv);
        }
        ensure!(right == games.sans.len() as u64, "a SAN became another move");
        Ok(right)
    };
    add("SAN, read and resolve", "ns", sans, Box::new(resolve));

    let megabytes = games.text.len() as f64 / 1e6;
    let tokens = move || {
        let mut tokens = Tokens(0);
        let mut reader = Reader::new(games.text.as_slice());
        while reader.read_game(&mut tokens)? {}
        Ok(tokens.0)
    };
    add("PGN, tokens only", "MB/s", megabytes, Box::new(tokens));
    let read = move || {
        let mut reader = GameReader::new(games.text.as_slice()).keeping(Keep::MainLine);
        let (mut game, mut count) = (Game::default(), 0);
        while reader.read(&mut game)?.is_some() {
            count += 1;
        }
        Ok(count)
    };
    add("PGN, every move checked", "games/s", games.lines.games(), Box::new(read));

    all.extend(bytes::operations(&games.lines, positions)?);
    Ok(all)
}

/// Measures everything, and returns a table.
pub(crate) fn run(path: &Path) -> anyhow::Result<String> {
    let games = Games::read(path)?;
    let boards = boards();
    let positions = Positions::read(Path::new("."))?;
    let operations = operations(&games, &boards, &positions)?;
    let mut answers = Vec::new();
    for operation in &operations {
        answers.push((operation.round)().with_context(|| operation.name.clone())?);
    }
    // The two techniques for queens, and the three bit scans.
    for (one, other) in [(0, 1), (4, 5), (5, 6)] {
        let [one, other] = [one, other].map(|at| (&operations[at].name, answers[at]));
        ensure!(one.1 == other.1, "{} answers {}, {} {}", one.0, one.1, other.0, other.1);
    }
    let mut times = vec![Vec::new(); operations.len()];
    for _ in 0..ROUNDS {
        for (at, operation) in operations.iter().enumerate() {
            let clock = Instant::now();
            let answer = (operation.round)()?;
            times[at].push(clock.elapsed().as_secs_f64());
            ensure!(answer == answers[at], "{}: {answer}, before {}", operation.name, answers[at]);
        }
    }
    let mut text =
        String::from("| operation | median | min–max | |\n| --- | ---: | ---: | --- |\n");
    for (operation, times) in operations.iter().zip(&times) {
        let figures = times.iter().map(|seconds| operation.figure(*seconds)).collect();
        let Spread { median, least, most } = Spread::of(figures).context("no round")?;
        let [median, least, most] = [median, least, most].map(|figure| operation.show(figure));
        let Operation { name, unit, .. } = operation;
        writeln!(text, "| {name} | {median} | {least}–{most} | {unit} |")?;
    }
    text.push_str(&bytes::targets(&positions, |name| {
        let found = operations.iter().zip(&times).find(|(operation, _)| operation.name == name);
        let (operation, times) = found.into_iter().next()?;
        Some(times.iter().map(|seconds| operation.figure(*seconds)).collect())
    })?);
    Ok(text)
}
