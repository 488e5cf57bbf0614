//! Games in memory.

use halfmove_rules::{AnyPosition, Chess, Move, Variant};

use crate::result::GameResult;
use crate::tags::Tags;

/// A game of chess: its tags, start position, main line and result.
///
/// Comments, glyphs and variations are not kept. For other games than chess, see [`AnyGame`].
///
/// ```
/// use halfmove_game::Game;
/// use halfmove_game::pgn::GameReader;
///
/// let mut game = Game::default();
/// GameReader::new("1. f3 e5 2. g4 Qh4# 0-1".as_bytes()).read(&mut game)?;
/// assert_eq!(game.moves.len(), 4);
/// assert!(game.end().outcome().is_some());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Game {
    /// The tags, as in the file.
    pub tags: Tags,
    /// The start position: the usual one, or that of the `FEN` tag.
    pub start: Chess,
    /// The main line. Each move is legal where it is played.
    pub moves: Vec<Move>,
    /// The token that ends the movetext, if there was one. The `Result` tag may differ.
    pub result: Option<GameResult>,
}

impl Game {
    /// Resets this to an empty game from the usual start, keeping the allocated memory.
    pub fn clear(&mut self) {
        self.tags.clear();
        self.start = Chess::default();
        self.moves.clear();
        self.result = None;
    }

    /// The position after the last move.
    pub fn end(&self) -> Chess {
        let mut position = self.start.clone();
        for &mv in &self.moves {
            position.play_unchecked(mv);
        }
        position
    }
}

/// A game of any kind: chess, Makruk or one of its variants.
///
/// ```
/// use halfmove_game::AnyGame;
/// use halfmove_game::pgn::GameReader;
/// use halfmove_rules::{Color, Makruk, Outcome, Position};
///
/// let text = "[Variant \"Makruk\"]\n[FEN \"k7/8/KR6/8/8/8/8/7R w - - 0 1\"]\n\n1. Rh8# 1-0\n";
/// let mut game = AnyGame::default();
/// GameReader::new(text.as_bytes()).read_any(&mut game)?;
/// let mate = Outcome::Checkmate { winner: Color::White };
/// assert_eq!(game.end().outcome(), Some(mate));
/// assert_eq!(game.into_chess(), None);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnyGame {
    /// The tags, as in the file.
    pub tags: Tags,
    /// The start position. It determines the rules and, in Makruk, the [counting
    /// policy](halfmove_rules::makruk::CountingPolicy).
    pub start: AnyPosition,
    /// The main line. Each move is legal where it is played.
    pub moves: Vec<Move>,
    /// The counts of Makruk that a side has claimed or stopped, in the order of their plies. Counts
    /// that begin and end automatically follow from the moves.
    pub count_calls: Vec<CountCall>,
    /// The token that ends the movetext, if there was one. The `Result` tag may differ.
    pub result: Option<GameResult>,
}

/// A side starts or stops counting between two half-moves of a game of Makruk.
///
/// ```
/// use halfmove_game::CountCall;
/// use halfmove_rules::makruk::{CountingPolicy, Honor};
/// use halfmove_rules::{AnyPosition, Color, Makruk};
///
/// let position: Makruk = "8/8/K7/8/6s1/2N1r1k1/7m/8 w - - 0 41".parse().unwrap();
/// let mut position = AnyPosition::from(position.with_policy(CountingPolicy::Thai));
/// CountCall::Begin { ply: 0 }.apply(&mut position);
/// let AnyPosition::Makruk(position) = position else { unreachable!() };
/// let count = position.counting().unwrap();
/// assert_eq!((count.honor(), count.color()), (Honor::Board, Color::White));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CountCall {
    /// The side to move [starts counting](halfmove_rules::Makruk::claim_count).
    Begin {
        /// The number of half-moves played before.
        ply: usize,
    },
    /// The counting side [stops](halfmove_rules::Makruk::stop_count).
    Stop {
        /// The number of half-moves played before.
        ply: usize,
    },
}

impl CountCall {
    /// The number of half-moves played before.
    pub const fn ply(self) -> usize {
        match self {
            CountCall::Begin { ply } | CountCall::Stop { ply } => ply,
        }
    }

    /// Starts or stops the count. If the rules do not allow that, nothing happens.
    pub fn apply(self, position: &mut AnyPosition) {
        if let AnyPosition::Makruk(position) = position {
            let _ = match self {
                CountCall::Begin { .. } => position.claim_count(),
                CountCall::Stop { .. } => position.stop_count(),
            };
        }
    }
}

impl Default for AnyGame {
    /// An empty game of chess.
    fn default() -> AnyGame {
        Game::default().into()
    }
}

impl From<Game> for AnyGame {
    fn from(game: Game) -> AnyGame {
        let Game { tags, start, moves, result } = game;
        AnyGame { tags, start: start.into(), moves, count_calls: Vec::new(), result }
    }
}

impl AnyGame {
    /// Resets this to an empty game of chess from the usual start, keeping the allocated memory.
    pub fn clear(&mut self) {
        self.tags.clear();
        self.start = AnyPosition::start(Variant::Chess);
        self.moves.clear();
        self.count_calls.clear();
        self.result = None;
    }

    /// The position after the last move.
    pub fn end(&self) -> AnyPosition {
        let mut position = self.start.clone();
        let mut calls = self.count_calls.iter().peekable();
        for ply in 0..=self.moves.len() {
            while let Some(call) = calls.next_if(|call| call.ply() <= ply) {
                call.apply(&mut position);
            }
            if let Some(&mv) = self.moves.get(ply) {
                position.play_unchecked(mv);
            }
        }
        position
    }

    /// The game, if it is chess.
    pub fn into_chess(self) -> Option<Game> {
        let AnyGame { tags, start, moves, result, .. } = self;
        match start {
            AnyPosition::Chess(start) => Some(Game { tags, start, moves, result }),
            AnyPosition::Makruk(_) => None,
        }
    }
}
