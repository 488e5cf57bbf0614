//! Games of the engine against itself, for collections, statistics and tests.

use crate::{Limits, Memory, Opening, Search, Signals, Value, key_of};
use halfmove_rules::{History, Move, Outcome};

/// Plays games from openings, with a fixed number of nodes per move.
///
/// A game ends by the rules, with every possible draw claimed, or stays unfinished if it gets too long. It depends only
/// on its opening, not on earlier games.
///
/// ```
/// use halfmove_engine::{Openings, SelfPlay, Signals};
/// use halfmove_rules::Variant;
///
/// let opening = Openings::new(Variant::Chess, 1).next().expect("an opening");
/// let player = SelfPlay::new(1, 200).with_max_plies(40);
/// let game = player.play(&opening, &Signals::default()).expect("no signal stops it");
/// assert_eq!(game.moves[..8], opening.moves);
/// assert_eq!(game.moves.len(), 8 + game.values.len());
/// assert_eq!(Some(game), player.play(&opening, &Signals::default()));
/// ```
#[derive(Debug)]
pub struct SelfPlay {
    memory: Memory,
    limits: Limits,
    max_plies: usize,
}

/// A game of the engine against itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// All moves from the start of the opening.
    pub moves: Vec<Move>,
    /// The scores of the moves after the opening, each for the side that played it.
    pub values: Vec<Value>,
    /// The outcome; `None` if the game became too long.
    pub outcome: Option<Outcome>,
}

impl SelfPlay {
    /// Creates a player with a transposition table of `mib` MiB and `nodes` nodes per move. Games have at most 600
    /// half-moves.
    pub fn new(mib: usize, nodes: u64) -> Self {
        let limits = Limits { nodes: Some(nodes.max(1)), ..Limits::default() };
        Self { memory: Memory::new(mib), limits, max_plies: 600 }
    }

    /// Limits games to `plies` half-moves.
    #[must_use]
    pub fn with_max_plies(self, plies: usize) -> Self {
        Self { max_plies: plies, ..self }
    }

    /// Plays a game. `None` if `signals` stop it.
    pub fn play(&self, opening: &Opening, signals: &Signals) -> Option<Played> {
        self.memory.clear();
        let mut history = History::new(opening.start.clone());
        let mut keys = Vec::new();
        for &mv in &opening.moves {
            keys.push(key_of(history.position()));
            history.play_unchecked(mv);
        }
        let search = Search::new(&self.memory).with_signals(signals);
        let mut values = Vec::new();
        let outcome = loop {
            let outcome = history.outcome().or_else(|| history.claim());
            if outcome.is_some() || history.plies() >= self.max_plies {
                break outcome;
            }
            let answer = search.run_any(history.position(), &keys, &self.limits, &mut |_| {});
            if signals.is_stopped() {
                return None;
            }
            // If there were no legal move, the game would be over.
            let Some(mv) = answer.best else { break None };
            values.push(answer.value);
            keys.push(key_of(history.position()));
            history.play_unchecked(mv);
        };
        Some(Played { moves: history.moves().to_vec(), values, outcome })
    }
}
