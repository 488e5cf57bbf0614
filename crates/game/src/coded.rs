//! A main line as bytes.

use halfmove_rules::Chess;

use crate::result::GameResult;
use crate::tags::Tags;

/// A game of chess as an archive keeps it: its main line in the bytes of
/// [`codec::halfmove`](crate::codec::halfmove), which are made while the text is read.
///
/// ```
/// use halfmove_game::CodedGame;
/// use halfmove_game::codec::halfmove;
/// use halfmove_game::pgn::GameReader;
///
/// let mut game = CodedGame::default();
/// GameReader::new("1. e4 c5 2. Nf3 *".as_bytes()).read_coded(&mut game)?;
/// assert_eq!(game.plies, 3);
/// assert_eq!(halfmove::plies(&game.bytes), 3);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CodedGame {
    /// The tags, as in the file.
    pub tags: Tags,
    /// The start position: the usual one, or that of the `FEN` tag.
    pub start: Chess,
    /// The main line, as the codec [`Halfmove`](crate::codec::halfmove::Halfmove) writes it.
    pub bytes: Vec<u8>,
    /// The number of half-moves.
    pub plies: usize,
    /// The token that ends the movetext, if there was one. The `Result` tag may differ.
    pub result: Option<GameResult>,
}

impl CodedGame {
    /// Resets this to an empty game from the usual start, keeping the allocated memory.
    pub fn clear(&mut self) {
        self.tags.clear();
        self.start = Chess::default();
        self.bytes.clear();
        self.plies = 0;
        self.result = None;
    }
}
