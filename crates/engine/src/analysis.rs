//! The engine looks at a whole game: what is each position worth, and what should have been played?
//!
//! The positions are searched from the last to the first. The transposition table then knows already what came of a
//! position, so a search of few nodes is not taken by surprise by a refutation that the game itself shows.

use crate::{Limits, Memory, Search, Signals, Value, key_of};
use halfmove_rules::{AnyPosition, Move};

/// The result of a search of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assessment {
    /// The score, for the side to move.
    pub value: Value,
    /// The principal variation; empty if the game is over.
    pub line: Vec<Move>,
}

/// Searches the positions of games with a fixed number of nodes each.
///
/// It forgets each game before the next, so the results depend on the game alone.
///
/// ```
/// use halfmove_engine::{Analyst, Judgement, Signals, Value};
/// use halfmove_rules::{AnyPosition, Variant};
///
/// // 1. f3 e5 2. g4 Qh4#
/// let mut positions = vec![AnyPosition::start(Variant::Chess)];
/// let mut moves = Vec::new();
/// for text in ["f3", "e5", "g4", "Qh4#"] {
///     let mut position = positions[positions.len() - 1].clone();
///     moves.push(position.parse_san(text)?);
///     position.play_unchecked(moves[moves.len() - 1]);
///     positions.push(position);
/// }
/// let analyst = Analyst::new(1, 1_000);
/// let found = analyst.game(&positions, &Signals::default()).expect("no signal stops it");
/// assert_eq!(found[3].value, Value::Mate(1));
/// assert_eq!(found[4].value, Value::Mate(0));
/// let judged = Judgement::of_move(&found[2], moves[2], &found[3]);
/// assert_eq!(judged, Some(Judgement::Blunder));
/// # Ok::<(), halfmove_rules::SanError>(())
/// ```
#[derive(Debug)]
pub struct Analyst {
    memory: Memory,
    limits: Limits,
}

impl Analyst {
    /// An analyst with a transposition table of `mib` MiB, and `nodes` for each position.
    pub fn new(mib: usize, nodes: u64) -> Self {
        let limits = Limits { nodes: Some(nodes.max(1)), ..Limits::default() };
        Self { memory: Memory::new(mib), limits }
    }

    /// Searches the positions of a game, each of which arises from the one before it by a move. `None` if `signals`
    /// stop it.
    pub fn game(&self, positions: &[AnyPosition], signals: &Signals) -> Option<Vec<Assessment>> {
        self.memory.clear();
        let keys: Vec<u64> = positions.iter().map(key_of).collect();
        let search = Search::new(&self.memory).with_signals(signals);
        let mut found = Vec::with_capacity(positions.len());
        for (ply, position) in positions.iter().enumerate().rev() {
            let answer = search.run_any(position, &keys[..ply], &self.limits, &mut |_| {});
            if signals.is_stopped() {
                return None;
            }
            found.push(Assessment { value: answer.value, line: answer.line });
        }
        found.reverse();
        Some(found)
    }
}
