//! The lines of a tree: its moves, and all games together. The names of their fields are those of the Lichess explorer, and
//! stable.

use crate::listing::{Column, Listing};
use crate::score::{self, Scored};
use halfmove_archive::{Details, Explorer, ExplorerMove, Results, Score};
use serde_json::Value;

/// A move, or all games with the position.
pub(super) struct Line {
    /// The half-moves from the position on, with the move.
    path: Vec<String>,
    uci: String,
    results: Results,
    details: Option<Details>,
    score: Option<Score>,
    /// The number of games in which the position after the move arises, by any order of moves.
    reached: Option<u64>,
    /// True if the tree has the moves after it elsewhere.
    is_elsewhere: bool,
    /// The number of all games with the position.
    all: u64,
}

impl Scored for Line {
    fn score(&self) -> Option<Score> {
        self.score
    }
}

impl Line {
    /// All games.
    pub(super) fn whole(explorer: &Explorer) -> Self {
        Self {
            path: Vec::new(),
            uci: String::new(),
            results: explorer.results,
            details: explorer.details.clone(),
            score: explorer.score,
            reached: None,
            is_elsewhere: false,
            all: explorer.results.games(),
        }
    }

    /// A move, after some others.
    pub(super) fn of(mv: &ExplorerMove, before: &[String], all: u64) -> Self {
        Self {
            path: [before, std::slice::from_ref(&mv.san)].concat(),
            uci: mv.uci.clone(),
            results: mv.results,
            details: mv.details.clone(),
            score: mv.score,
            reached: mv.reached,
            is_elsewhere: mv.is_elsewhere,
            all,
        }
    }

    /// Returns true if other moves lead to the position after the move, too.
    fn is_joined(&self) -> bool {
        self.reached.is_some_and(|reached| reached > self.results.games())
    }

    /// The fields of JSON.
    pub(super) fn object(&self) -> Value {
        let name = if self.path.is_empty() { &[] } else { MOVE };
        let details = if self.details.is_some() { DETAILS } else { &[] };
        let score = if self.score.is_some() { Self::SCORE } else { &[] };
        Listing::new(&[name, RESULTS, details, score]).object(self)
    }

    fn detail<V>(&self, detail: impl Fn(&Details) -> Option<V>) -> Option<V> {
        self.details.as_ref().and_then(detail)
    }
}

/// The columns of all formats but JSON.
pub(super) fn listing(is_scored: bool, is_deep: bool) -> Listing<Line> {
    let place = if is_deep { PLACE } else { &[] };
    let score = if is_scored { Line::SCORE } else { &[] };
    let reached = if is_deep { REACHED } else { &[] };
    Listing::new(&[place, MOVE, RESULTS, reached, JOINED, DETAILS, score, PERCENT])
}

/// The mark of a move whose replies are elsewhere in the tree.
pub(super) const ELSEWHERE: &str = " →";

/// The place in a tree of several half-moves.
const PLACE: &[Column<Line>] = &[
    Column::<Line>::field("depth", |line| line.path.len().into()),
    Column::<Line>::field("line", |line| line.path.join(" ").into()),
];

const MOVE: &[Column<Line>] = &[
    Column::<Line>::field("uci", |line| line.uci.clone().into()),
    Column::<Line>::field("san", |line| line.path.last().cloned().into()).shown("move", |line| {
        match line.path.split_last() {
            Some((san, before)) => {
                let mark = if line.is_elsewhere { ELSEWHERE } else { "" };
                format!("{}{san}{mark}", "  ".repeat(before.len()))
            }
            None => "total".to_owned(),
        }
    }),
];

const RESULTS: &[Column<Line>] = &[
    Column::<Line>::table("games", |line| line.results.games().to_string()).number(),
    Column::<Line>::table("share", |line| percent(line.results.games(), line.all)).number(),
    Column::<Line>::field("white", |line| line.results.white.into())
        .shown("white", |line| percent(line.results.white, line.results.games()))
        .number(),
    Column::<Line>::field("draws", |line| line.results.draws.into())
        .shown("draws", |line| percent(line.results.draws, line.results.games()))
        .number(),
    Column::<Line>::field("black", |line| line.results.black.into())
        .shown("black", |line| percent(line.results.black, line.results.games()))
        .number(),
    Column::<Line>::field("other", |line| line.results.other.into())
        .shown("other", |line| percent(line.results.other, line.results.games()))
        .number(),
];

/// The games that reach the position after a move.
const REACHED: &[Column<Line>] = &[
    Column::<Line>::field("reached", |line| line.reached.into()),
    Column::<Line>::field("elsewhere", |line| line.is_elsewhere.into()),
];

/// The same in a table, where it differs from the games of the move.
const JOINED: &[Column<Line>] = &[Column::<Line>::table("reached", |line| {
    line.reached.filter(|_| line.is_joined()).map_or_else(String::new, |games| games.to_string())
})
.number()
.optional()];

const DETAILS: &[Column<Line>] = &[
    Column::<Line>::field("averageRating", |line| {
        line.detail(|details| details.average_rating).into()
    })
    .titled("rating")
    .number()
    .optional(),
    Column::<Line>::field("averageOpponentRating", |line| {
        line.detail(|details| details.average_opponent_rating).into()
    }),
    Column::<Line>::field("performance", |line| line.detail(|details| details.performance).into())
        .titled("performance")
        .number()
        .optional(),
    Column::<Line>::field("lastPlayed", |line| {
        line.detail(|details| details.last_played).map(|period| period.to_string()).into()
    })
    .titled("last")
    .number()
    .optional(),
];

/// The score of the player in a table.
const PERCENT: &[Column<Line>] = &[Column::<Line>::table("score", |line| {
    line.score.map_or_else(String::new, |score| score::percent(&score))
})
.number()
.optional()];

/// All moves of a tree in depth-first order.
pub(super) fn of(explorer: &Explorer) -> Vec<Line> {
    let mut lines = Vec::new();
    add(&explorer.moves, &mut Vec::new(), explorer.results.games(), &mut lines);
    lines
}

fn add(moves: &[ExplorerMove], before: &mut Vec<String>, all: u64, lines: &mut Vec<Line>) {
    for mv in moves {
        lines.push(Line::of(mv, before, all));
        before.push(mv.san.clone());
        add(&mv.next, before, all, lines);
        before.pop();
    }
}

/// A part in percent: `12.3 %`.
pub(super) fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

/// The results of games in percent.
pub(super) fn outcome(results: Results) -> String {
    let games = results.games();
    if results.other == games {
        return "none with a result".to_owned();
    }
    let [white, draws, black] =
        [results.white, results.draws, results.black].map(|part| percent(part, games));
    format!("White won {white}, drawn {draws}, Black won {black}")
}
