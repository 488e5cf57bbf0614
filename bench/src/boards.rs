//! Single operations on the bitboards and on the 0x88 board, compared.
//!
//! The positions are in `bench/definitions/boards`. The results of both boards must be equal and correct; otherwise the
//! benchmark fails.

use crate::table::{self, Spread, grouped, median};
use crate::{definition, flags, machine};
use anyhow::{Context, ensure};
use halfmove_mailbox as mailbox;
use halfmove_rules::{Chess, Makruk, makruk, perft};
use serde::Deserialize;
use std::fmt::Write;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

const DEFINITION: &str = "bench/definitions/boards/boards.toml";

/// The number of repetitions between two readings of the clock.
const PASS: u32 = 64;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Definition {
    rounds: usize,
    round_ms: u64,
    position: Vec<Position>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Position {
    name: String,
    game: Game,
    fen: String,
    /// The number of legal moves.
    moves: usize,
    /// The depth of a perft, and its leaves.
    depth: u32,
    leaves: u64,
}

#[derive(Copy, Clone, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Game {
    Chess,
    Makruk,
    Makpong,
    Asean,
}

impl Game {
    /// The rules as both boards name them; those of chess have no name.
    const fn rules(self) -> (makruk::Rules, mailbox::Rules) {
        match self {
            Self::Chess | Self::Makruk => (makruk::Rules::Makruk, mailbox::Rules::Makruk),
            Self::Makpong => (makruk::Rules::Makpong, mailbox::Rules::Makpong),
            Self::Asean => (makruk::Rules::Asean, mailbox::Rules::Asean),
        }
    }
}

/// Nanoseconds of each board, the 0x88 board first.
type Pair = [f64; 2];

/// The times of a round.
struct Round {
    moves: Pair,
    fen_in: Pair,
    fen_out: Pair,
    /// Of a leaf.
    leaf: Pair,
}

/// One of the times of a round.
type Figure = fn(&Round) -> Pair;

/// Nanoseconds per operation: the median of the passes within a time limit.
fn nanoseconds(least: Duration, mut operation: impl FnMut()) -> f64 {
    let mut passes = Vec::new();
    let whole = Instant::now();
    while whole.elapsed() < least {
        let clock = Instant::now();
        for _ in 0..PASS {
            operation();
        }
        passes.push(clock.elapsed().as_secs_f64() * 1e9 / f64::from(PASS));
    }
    median(passes)
}

/// The operations of one board.
struct Board<P> {
    read: fn(&str, Game) -> anyhow::Result<P>,
    write: fn(&P) -> String,
    /// Lists the legal moves and returns their number.
    moves: fn(&P) -> usize,
    perft: fn(&P, u32) -> u64,
}

impl<P> Board<P> {
    /// Nanoseconds: legal moves, FEN in, FEN out, a leaf.
    fn round(&self, position: &Position, least: Duration) -> anyhow::Result<[f64; 4]> {
        let Position { game, fen, .. } = position;
        let board = (self.read)(fen, *game)?;
        let found = (self.moves)(&board);
        ensure!(found == position.moves, "{found} legal moves, expected {}", position.moves);
        let written = (self.write)(&board);
        ensure!(written == *fen, "written as {written}");
        let moves = nanoseconds(least, || _ = black_box((self.moves)(black_box(&board))));
        let fen_in = nanoseconds(least, || drop(black_box((self.read)(black_box(fen), *game))));
        let fen_out = nanoseconds(least, || drop(black_box((self.write)(black_box(&board)))));
        let clock = Instant::now();
        let leaves = (self.perft)(black_box(&board), position.depth);
        let leaf = clock.elapsed().as_secs_f64() * 1e9 / position.leaves as f64;
        ensure!(leaves == position.leaves, "{leaves} leaves, expected {}", position.leaves);
        Ok([moves, fen_in, fen_out, leaf])
    }
}

const OLD_CHESS: Board<mailbox::Chess> = Board {
    read: |text, _| Ok(mailbox::Chess::from_fen(text)?),
    write: mailbox::Chess::to_fen,
    moves: |board| black_box(board.legal_moves()).len(),
    perft: mailbox::Chess::perft,
};

const NEW_CHESS: Board<Chess> = Board {
    read: |text, _| Ok(text.parse()?),
    write: Chess::to_string,
    moves: |board| black_box(board.legal_moves()).len(),
    perft: |board, depth| perft(board, depth),
};

const OLD_MAKRUK: Board<mailbox::Makruk> = Board {
    read: |text, game| {
        let (dialect, policy) = (mailbox::Dialect::Fairy, mailbox::CountingPolicy::Thai);
        Ok(mailbox::Makruk::from_fen(text, game.rules().1, dialect, policy)?)
    },
    write: |board| board.to_fen(mailbox::Dialect::Fairy),
    moves: |board| black_box(board.legal_moves()).len(),
    perft: mailbox::Makruk::perft,
};

const NEW_MAKRUK: Board<Makruk> = Board {
    read: |text, game| {
        let setup = makruk::Setup::parse(text, game.rules().0, makruk::Dialect::Fairy)?;
        Ok(Makruk::from_setup(setup)?)
    },
    write: Makruk::to_string,
    moves: |board| black_box(board.legal_moves()).len(),
    perft: |board, depth| perft(board, depth),
};

impl Position {
    fn round(&self, least: Duration) -> anyhow::Result<Round> {
        let (old, new) = match self.game {
            Game::Chess => (OLD_CHESS.round(self, least)?, NEW_CHESS.round(self, least)?),
            _ => (OLD_MAKRUK.round(self, least)?, NEW_MAKRUK.round(self, least)?),
        };
        let pair = |at: usize| [old[at], new[at]];
        Ok(Round { moves: pair(0), fen_in: pair(1), fen_out: pair(2), leaf: pair(3) })
    }
}

/// The cells of a row: both boards, and the ratio of their speeds.
fn cells(pairs: &[Pair], figure: impl Fn(f64) -> f64) -> String {
    let spread = |of: &dyn Fn(&Pair) -> f64, digits: usize| {
        let spread = Spread::of(pairs.iter().map(of).collect());
        table::spread(spread.as_ref(), |value| match digits {
            0 => grouped(value),
            _ => format!("{value:.digits$}"),
        })
    };
    let (old, new) = (spread(&|pair| figure(pair[0]), 0), spread(&|pair| figure(pair[1]), 0));
    format!("{old} | {new} | {}", spread(&|pair| pair[0] / pair[1], 1))
}

/// Runs the benchmark. Returns the facts and the tables of the record.
pub(crate) fn run() -> anyhow::Result<(String, String)> {
    let Definition { rounds, round_ms, position } = definition::read(Path::new(""), DEFINITION)?;
    let about = machine::machine(&[("Build", flags::flags())]);
    let least = Duration::from_millis(round_ms);
    let mut leaves = "\
| position | depth | leaves | 0x88 board, leaves/s | bitboards, leaves/s | times as fast |
| --- | ---: | ---: | ---: | ---: | ---: |
"
    .to_owned();
    let mut jobs = "\
| position | job | 0x88 board, ns | bitboards, ns | times as fast |
| --- | --- | ---: | ---: | ---: |
"
    .to_owned();
    for position in &position {
        let Position { name, depth, .. } = position;
        eprintln!("both boards, {name}");
        let rounds = (0..rounds).map(|_| position.round(least));
        let rounds = rounds.collect::<anyhow::Result<Vec<_>>>().with_context(|| name.clone())?;
        let pairs = |of: Figure| rounds.iter().map(of).collect::<Vec<_>>();
        let speed = cells(&pairs(|round| round.leaf), |nanoseconds| 1e9 / nanoseconds);
        let number = grouped(position.leaves as f64);
        writeln!(leaves, "| {name} | {depth} | {number} | {speed} |")?;
        let operations: [(&str, Figure); 3] = [
            ("legal moves, as a list", |round| round.moves),
            ("FEN in", |round| round.fen_in),
            ("FEN out", |round| round.fen_out),
        ];
        for (job, of) in operations {
            writeln!(jobs, "| {name} | {job} | {} |", cells(&pairs(of), |value| value))?;
        }
    }
    Ok((about, format!("{leaves}\n{jobs}\n{EXPLAINED}")))
}

const EXPLAINED: &str = "\
- One thread of one process; `halfmove_rules` beside `halfmove_mailbox`. Both find the same legal moves and leaves, which other
  programs have counted, and write the same FEN.
- A figure is the median of the rounds; in parentheses the least and the most of them.
- Both boards list the moves of the last half-move without playing them. The 0x88 board copies itself for each move and looks
  whether the king is attacked, as its source does.
- Searches on both boards are not compared: each has an engine of its own.
";
