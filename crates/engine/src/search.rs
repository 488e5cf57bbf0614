//! The search for the best move.
//!
//! Alpha-beta with iterative deepening and the usual enhancements:
//!
//! | part | file |
//! | --- | --- |
//! | iterative deepening, aspiration windows, several lines | `search/iterate.rs` |
//! | principal variation search, null move, late move reductions, futility | `search/alphabeta.rs` |
//! | singular extensions, multi-cut | `search/singular.rs` |
//! | corrections of the static value | `search/correction.rs` |
//! | quiescence: captures until nothing hangs | `search/quiescence.rs` |
//! | order of moves, killers, histories | `search/order.rs`, `history.rs` |
//! | transposition table | `search/table.rs` |
//! | repetitions, fifty moves, counts | `search/draws.rs` |
//! | exact endings | `search/mates.rs` |
//! | time | `search/time.rs` |
//! | several threads | `search/parallel.rs` |
//!
//! `docs/reference/engine-search.md` walks through one position.
//!
//! ```
//! use halfmove_engine::{Limits, Memory, Search, Value};
//! use halfmove_rules::Chess;
//!
//! let position: Chess = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1".parse()?;
//! let memory = Memory::new(1);
//! let limits = Limits { depth: Some(4), ..Limits::default() };
//! let answer = Search::new(&memory).run(&position, &[], &limits, &mut |_| {});
//! assert_eq!(answer.best.map(|mv| mv.to_string()).as_deref(), Some("d1d8"));
//! assert_eq!(answer.value, Value::Mate(1));
//! # Ok::<(), halfmove_rules::FenError>(())
//! ```

mod alphabeta;
mod correction;
mod draws;
mod history;
mod iterate;
pub(crate) mod mates;
mod order;
mod parallel;
mod quiescence;
mod reductions;
mod signals;
mod singular;
mod table;
mod time;
mod value;

pub use signals::Signals;
pub use table::Table;
pub use time::{Budget, TimeLeft};
pub use value::Value;

use crate::{KeyedMakruk, Net, SearchBoard};
use halfmove_rules::{AnyPosition, Move, Variant};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;
use value::MAX_PLY;

/// The memory shared by the searches of one game. [`clear`](Memory::clear) it before another game.
#[derive(Debug)]
pub struct Memory {
    /// The transposition table.
    pub table: Table,
    histories: history::Pool,
}

impl Memory {
    /// A transposition table of `mib` MiB.
    pub fn new(mib: usize) -> Self {
        Self::with_table(Table::new(mib))
    }

    /// An empty transposition table.
    pub(crate) fn with_table(table: Table) -> Self {
        Self { table, histories: history::Pool::default() }
    }

    /// Clears the transposition table and the histories, so that the next search has the result of a first search.
    pub fn clear(&self) {
        self.table.clear();
        self.histories.clear();
    }
}

/// The limits of a search. Without any, it ends at the maximum depth, 127.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The maximum depth in half-moves, not counting extensions and quiescence; at most 127.
    pub depth: Option<u32>,
    /// The maximum number of nodes; exact with one thread.
    pub nodes: Option<u64>,
    /// The search ends once a mate in at most this number of moves is found.
    pub mate: Option<u32>,
    /// The time, from the start of the search or from [`Signals::ponder_hit`].
    pub time: Option<Budget>,
    /// True to wait for [`Signals::stop`] with the result, even if there is nothing left to search.
    pub infinite: bool,
    /// The moves to search; empty for all.
    pub search_moves: Vec<Move>,
}

/// The settings of a search.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The number of threads, at least one. With more than one, results are not reproducible.
    pub threads: usize,
    /// The number of best moves to search and report in full.
    pub multi_pv: usize,
    /// The maximum number of centipawns added to or subtracted from the value of each position, to play worse. The same
    /// position always gets the same noise.
    pub noise: i32,
    /// True to use the transposition table.
    pub table: bool,
    /// True to prune, reduce and extend moves. If false, a search is plain alpha-beta, and its score depends neither on
    /// the order of moves nor on the table.
    pub selective: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { threads: 1, multi_pv: 1, noise: 0, table: true, selective: true }
    }
}

/// A clock for a search. The library does not read the system's clock itself.
pub trait Clock: Send + Sync {
    /// The time since a fixed moment in the past.
    fn now(&self) -> Duration;
}

/// A clock that does not advance, for searches limited by depth or nodes.
#[derive(Copy, Clone, Debug)]
pub struct StoppedClock;

impl Clock for StoppedClock {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

/// One line of an iteration.
#[derive(Clone, Debug)]
pub struct Report {
    /// The depth of the iteration.
    pub depth: u32,
    /// The greatest ply reached (`seldepth`).
    pub deepest: u32,
    /// The rank of the line among the best lines, from 1.
    pub rank: usize,
    /// The score, for the side to move.
    pub value: Value,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time since the start.
    pub elapsed: Duration,
    /// The share of the table's entries that this search has written, in permille.
    pub permille_full: usize,
    /// The principal variation.
    pub line: Vec<Move>,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The best move; `None` if there is no legal one.
    pub best: Option<Move>,
    /// The expected reply.
    pub reply: Option<Move>,
    /// The principal variation, from the best move on.
    pub line: Vec<Move>,
    /// The score of the best move, for the side to move.
    pub value: Value,
    /// The depth of the last completed iteration.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
}

/// The evaluation that a search uses.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Evaluator<'a> {
    /// The built-in net in games that have one, and the hand-crafted evaluation in all others.
    #[default]
    BuiltIn,
    /// The hand-crafted evaluation.
    HandCrafted,
    /// A net in the games that it [supports](Net::knows); in all others, as [`BuiltIn`](Self::BuiltIn).
    Net(&'a Net),
}

impl<'a> Evaluator<'a> {
    /// The net for a game; `None` for the hand-crafted evaluation.
    pub(crate) fn net_for(self, game: Variant) -> Option<&'a Net> {
        match self {
            Self::HandCrafted => None,
            Self::Net(net) if net.knows(game) => Some(net),
            Self::Net(_) | Self::BuiltIn => Net::built_in(game),
        }
    }
}

/// A search with its memory, evaluator, settings, signals and clock.
#[derive(Copy, Clone)]
pub struct Search<'a> {
    memory: &'a Memory,
    settings: Settings,
    evaluator: Evaluator<'a>,
    signals: Option<&'a Signals>,
    clock: &'a dyn Clock,
    start: Option<Duration>,
}

impl std::fmt::Debug for Search<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Search").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl<'a> Search<'a> {
    /// A search by one thread, without a clock, stopped only by its limits.
    pub fn new(memory: &'a Memory) -> Self {
        Self {
            memory,
            settings: Settings::default(),
            evaluator: Evaluator::default(),
            signals: None,
            clock: &StoppedClock,
            start: None,
        }
    }

    /// The memory that it uses.
    pub(crate) const fn memory(&self) -> &'a Memory {
        self.memory
    }

    /// The same search with other settings.
    #[must_use]
    pub fn with_settings(self, settings: Settings) -> Self {
        Self { settings, ..self }
    }

    /// The same search with another evaluation.
    #[must_use]
    pub fn with_evaluator(self, evaluator: Evaluator<'a>) -> Self {
        Self { evaluator, ..self }
    }

    /// The same search with signals, by which other threads can stop it.
    #[must_use]
    pub fn with_signals(self, signals: &'a Signals) -> Self {
        Self { signals: Some(signals), ..self }
    }

    /// The same search with a clock.
    #[must_use]
    pub fn with_clock(self, clock: &'a dyn Clock) -> Self {
        Self { clock, ..self }
    }

    /// The same search, with its time counted from `start` instead of from the call of [`run`](Self::run).
    #[must_use]
    pub fn with_start(self, start: Duration) -> Self {
        Self { start: Some(start), ..self }
    }

    /// Searches a position. `earlier` has the [keys](SearchBoard::key) of the positions before it, oldest first, to
    /// detect repetitions. `report` is called for each line after each iteration, and again if the search is
    /// interrupted.
    pub fn run<B: SearchBoard>(
        &self,
        position: &B,
        earlier: &[u64],
        limits: &Limits,
        report: &mut (dyn FnMut(&Report) + Send),
    ) -> SearchResult {
        let start = self.start.unwrap_or_else(|| self.clock.now());
        self.memory.table.age();
        let tables = mates::Tables::of(position, limits);
        let unheard = Signals::default();
        let visited: Vec<_> =
            (0..self.settings.threads.max(1)).map(|_| AtomicU64::new(0)).collect();
        let context = parallel::Context {
            memory: self.memory,
            tables,
            settings: self.settings,
            net: self.evaluator.net_for(position.variant()),
            signals: self.signals.unwrap_or(&unheard),
            clock: self.clock,
            start,
            limits,
            done: &AtomicBool::new(false),
            visited: &visited,
        };
        parallel::run(&context, position, earlier, report)
    }

    /// The same for a position of any game. `earlier` has the keys of [`key_of`].
    pub fn run_any(
        &self,
        position: &AnyPosition,
        earlier: &[u64],
        limits: &Limits,
        report: &mut (dyn FnMut(&Report) + Send),
    ) -> SearchResult {
        match position {
            AnyPosition::Chess(chess) => self.run(chess, earlier, limits, report),
            AnyPosition::Makruk(makruk) => {
                self.run(&KeyedMakruk::new(makruk.clone()), earlier, limits, report)
            }
        }
    }
}

/// The [key](SearchBoard::key) of a position of any game.
pub fn key_of(position: &AnyPosition) -> u64 {
    match position {
        AnyPosition::Chess(chess) => SearchBoard::key(chess),
        AnyPosition::Makruk(makruk) => makruk.zobrist().0,
    }
}

impl Limits {
    /// Returns true if the search is limited by depth, nodes or a mate, and not by time. Its result must be
    /// reproducible.
    pub(crate) fn is_counted(&self) -> bool {
        let ends = self.depth.is_some() || self.nodes.is_some() || self.mate.is_some();
        ends && self.time.is_none()
    }

    /// The maximum depth of an iteration.
    fn last_depth(&self) -> i32 {
        self.depth.map_or(MAX_PLY as i32 - 1, |depth| depth.clamp(1, MAX_PLY as u32 - 1) as i32)
    }
}
