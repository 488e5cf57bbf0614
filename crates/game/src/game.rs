//! A game as this crate passes it around.

use halfmove_rules::{Chess, Move};

use crate::result::GameResult;
use crate::tags::Tags;

/// A game: its tags, where it starts, its main line and its result.
///
/// Comments, glyphs and variations have no place here.
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
    /// The tags as they stood in the file.
    pub tags: Tags,
    /// Where the game starts: the usual position, or that of its `FEN` tag.
    pub start: Chess,
    /// The main line. Each move is legal where it is played.
    pub moves: Vec<Move>,
    /// The token that ends the movetext, if there was one. The `Result` tag may say otherwise.
    pub result: Option<GameResult>,
}

impl Game {
    /// Makes this the empty game from the usual start, and keeps the memory.
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
