//! The search (the source's section *AI Search*): minimax, which visits everything and is the oracle, and alpha-beta,
//! which finds the same value and line with fewer nodes.
//!
//! ```text
//!               White: 3            White takes the greatest value, Black the least. Once Black
//!             /         \           has answered the second move with 2, White is better off
//!        Black: 3     Black: 2 …    with the first, and what else Black might have answered
//!        /   |  \      /  |         need not be looked at.
//!       3    8   5    2   not visited
//! ```
//!
//! At the end of the depth, [`evaluate`](crate::evaluate) decides. A draw that a player may claim counts as a draw.

use crate::evaluation::{evaluate, value};
use crate::state::{Game, State};
use crate::{Ending, Kind};
use alloc::vec::Vec;
use halfmove_rules::{Color, Move};

/// The value of a position from White's point of view.
///
/// ```
/// use halfmove_mailbox::{Chess, minimax};
/// let game = Chess::from_fen("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1").expect("a position");
/// let result = minimax(&game, 1);
/// assert_eq!(result.value.mate_plies(), Some(1));
/// assert_eq!(game.san(result.line[0]), "Ra8#");
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Value(i32);

impl Value {
    /// The value of a mate on the board, less one for each half-move before it. No sum of terms comes close.
    const MATE: i32 = 1_000_000;
    /// The maximum number of half-moves of a game in the search.
    const LONGEST: i32 = 10_000;

    /// The value in centipawns. For a mate it is a large number, the larger the sooner.
    pub const fn centipawns(self) -> i32 {
        self.0
    }

    /// The number of half-moves to a mate: positive if White mates, negative if Black does.
    pub const fn mate_plies(self) -> Option<i32> {
        let plies = Self::MATE - self.0.abs();
        if plies > Self::LONGEST { None } else { Some(plies * self.0.signum()) }
    }

    fn of(ending: Ending, ply: u32) -> Self {
        match ending {
            Ending::Checkmate { winner: Color::White } => Self(Self::MATE - ply as i32),
            Ending::Checkmate { winner: Color::Black } => Self(ply as i32 - Self::MATE),
            _ => Self(0),
        }
    }

    /// The worst value for a side.
    const fn worst(side: Color) -> Self {
        match side {
            Color::White => Self(-i32::MAX),
            Color::Black => Self(i32::MAX),
        }
    }

    /// Returns true if a side prefers this value to another.
    fn is_better(self, other: Self, side: Color) -> bool {
        match side {
            Color::White => self > other,
            Color::Black => self < other,
        }
    }
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The value of the position.
    pub value: Value,
    /// The best moves of both sides; empty if the game is over.
    pub line: Vec<Move>,
    /// The number of positions visited.
    pub nodes: u64,
}

/// Limits of a search.
#[derive(Copy, Clone, Debug)]
pub struct Limits {
    /// The greatest depth, in half-moves.
    pub depth: u32,
    /// The number of positions after which the search stops.
    pub nodes: Option<u64>,
}

/// Visits every line of `depth` half-moves.
pub fn minimax<G: Game>(state: &State<G>, depth: u32) -> SearchResult {
    let (mut line, mut nodes) = (Vec::new(), 0);
    let value = visit(state, depth, 0, &mut line, &mut nodes);
    SearchResult { value, line, nodes }
}

fn visit<G: Game>(
    state: &State<G>,
    depth: u32,
    ply: u32,
    line: &mut Vec<Move>,
    nodes: &mut u64,
) -> Value {
    *nodes += 1;
    line.clear();
    if let Some(value) = leaf(state, depth, ply) {
        return value;
    }
    let side = state.side_to_move();
    let mut best = Value::worst(side);
    let mut reply = Vec::new();
    for mv in ordered_moves(state, None) {
        let value = visit(&state.play_unchecked(mv), depth - 1, ply + 1, &mut reply, nodes);
        if value.is_better(best, side) {
            best = value;
            set_line(line, mv, &reply);
        }
    }
    best
}

/// Finds the same value and line as [`minimax`] of this depth.
///
/// ```
/// use halfmove_mailbox::{Makruk, alpha_beta, minimax};
/// let (all, pruned) = (minimax(&Makruk::default(), 3), alpha_beta(&Makruk::default(), 3));
/// assert_eq!((all.value, all.line), (pruned.value, pruned.line));
/// assert!(pruned.nodes < all.nodes / 2);
/// ```
pub fn alpha_beta<G: Game>(state: &State<G>, depth: u32) -> SearchResult {
    let mut search = AlphaBeta { nodes: 0, stop: &mut |_| false };
    // Nothing stops it, so it returns a result.
    search.root(state, depth, &[]).unwrap_or(SearchResult {
        value: Value(0),
        line: Vec::new(),
        nodes: 0,
    })
}

/// Searches to depth 1, 2, … until a limit is reached, a mate is found that no deeper search can shorten, or `stop`,
/// which is called at every node, returns true. `report` is called after each depth with the depth and the result so
/// far.
///
/// Returns the result of the last depth that was completed, with the nodes of all; `None` if there is no legal move.
///
/// ```
/// use halfmove_mailbox::{Chess, Limits, deepen};
/// let game = Chess::from_fen("6k1/8/8/8/1n6/8/8/Q3K3 b - - 0 1").expect("a position");
/// let limits = Limits { depth: 4, nodes: Some(20_000) };
/// let result = deepen(&game, limits, &mut || false, &mut |_, _| {}).expect("legal moves");
/// assert_eq!(game.san(result.line[0]), "Nc2+", "forks king and queen");
/// ```
pub fn deepen<G: Game>(
    state: &State<G>,
    limits: Limits,
    stop: &mut dyn FnMut() -> bool,
    report: &mut dyn FnMut(u32, &SearchResult),
) -> Option<SearchResult> {
    let first = *ordered_moves(state, None).first()?;
    let mut result =
        SearchResult { value: static_value(state), line: Vec::from([first]), nodes: 0 };
    let is_spent = |nodes: u64| limits.nodes.is_some_and(|limit| nodes >= limit);
    let mut search = AlphaBeta { nodes: 0, stop: &mut |nodes| is_spent(nodes) || stop() };
    for depth in 1..=limits.depth {
        let Some(deeper) = search.root(state, depth, &result.line) else { break };
        result = deeper;
        report(depth, &result);
        if result.value.mate_plies().is_some_and(|plies| plies.unsigned_abs() <= depth) {
            break;
        }
    }
    result.nodes = search.nodes;
    Some(result)
}

struct AlphaBeta<'a> {
    nodes: u64,
    /// Returns true to stop the search, given the number of nodes.
    stop: &'a mut dyn FnMut(u64) -> bool,
}

/// The values that both sides already have for certain, elsewhere in the tree.
#[derive(Copy, Clone)]
struct Window {
    /// White's.
    alpha: Value,
    /// Black's.
    beta: Value,
}

impl AlphaBeta<'_> {
    /// `None` if the search was stopped.
    fn root<G: Game>(
        &mut self,
        state: &State<G>,
        depth: u32,
        hint: &[Move],
    ) -> Option<SearchResult> {
        let mut line = Vec::new();
        let [alpha, beta] = [Color::White, Color::Black].map(Value::worst);
        let value = self.visit(state, depth, 0, Window { alpha, beta }, hint, &mut line)?;
        Some(SearchResult { value, line, nodes: self.nodes })
    }

    /// `hint` is the best line of an earlier search, which is tried first.
    fn visit<G: Game>(
        &mut self,
        state: &State<G>,
        depth: u32,
        ply: u32,
        mut window: Window,
        hint: &[Move],
        line: &mut Vec<Move>,
    ) -> Option<Value> {
        if (self.stop)(self.nodes) {
            return None;
        }
        self.nodes += 1;
        line.clear();
        if let Some(value) = leaf(state, depth, ply) {
            return Some(value);
        }
        let side = state.side_to_move();
        let mut best = Value::worst(side);
        let mut reply = Vec::new();
        for mv in ordered_moves(state, hint.first().copied()) {
            let hint = match hint {
                [first, rest @ ..] if *first == mv => rest,
                _ => &[],
            };
            let next = state.play_unchecked(mv);
            let value = self.visit(&next, depth - 1, ply + 1, window, hint, &mut reply)?;
            if value.is_better(best, side) {
                best = value;
                set_line(line, mv, &reply);
            }
            match side {
                Color::White => window.alpha = window.alpha.max(best),
                Color::Black => window.beta = window.beta.min(best),
            }
            if window.beta <= window.alpha {
                // The other side has something better elsewhere.
                break;
            }
        }
        Some(best)
    }
}

/// The value of a position that is not searched further: the game is over, or the depth is used up.
fn leaf<G: Game>(state: &State<G>, depth: u32, ply: u32) -> Option<Value> {
    // The root is searched even if a draw could be claimed, since the caller needs a move.
    let is_over = ply > 0 || !state.has_legal_move();
    let ending = if is_over { state.ending() } else { None };
    let ending = ending.or_else(|| if is_over { G::claimable(state) } else { None });
    match ending {
        Some(ending) => Some(Value::of(ending, ply)),
        None => (depth == 0).then(|| static_value(state)),
    }
}

fn static_value<G: Game>(state: &State<G>) -> Value {
    Value(evaluate(state).total())
}

/// All legal moves: `first`, if it is one of them, then those that win most at once. The order is the same for the same
/// position, so that searches can be compared.
fn ordered_moves<G: Game>(state: &State<G>, first: Option<Move>) -> Vec<Move> {
    let mut moves = state.legal_moves();
    moves.sort_by_cached_key(|mv| (Some(*mv) != first, -gain(state, *mv), *mv));
    moves
}

/// A rough estimate of a move's gain: the piece that it captures, less a little for the capturing piece, plus the
/// promotion.
fn gain<G: Game>(state: &State<G>, mv: Move) -> i32 {
    let kind_at = |square| state.board().piece_at(square).map(|piece| piece.kind);
    let taken = kind_at(mv.to()).filter(|_| !mv.is_castle()).map_or(0, |taken| {
        let mover = kind_at(mv.from()).filter(|kind| *kind != Kind::King).map_or(0, value);
        value(taken) - mover / 10
    });
    taken + mv.promotion().map_or(0, |role| value(role.into()) - value(Kind::Pawn))
}

fn set_line(line: &mut Vec<Move>, mv: Move, reply: &[Move]) {
    line.clear();
    line.push(mv);
    line.extend_from_slice(reply);
}
