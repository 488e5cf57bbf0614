//! The trait of all codecs.

use halfmove_game::Game;
use halfmove_game::codec::DecodeError;
use halfmove_game::rules::{AnyPosition, Move};

use crate::EncodeError;

/// An encoding of games as bytes.
///
/// Decoding returns the parts that the codec [holds](Codec::holds). Without [`Holds::spelling`], it keeps the number of
/// a glyph but not its spelling, and the spelling of a null move becomes `--`. Tags and a result that the codec does
/// not hold are omitted; a [file](mod@crate::file) keeps them. Any other part that it does not hold is an error.
pub trait Codec: std::fmt::Debug + Sync {
    /// The name by which programs select it.
    fn name(&self) -> &'static str;

    /// The version of its bytes. Bytes of another version may have another meaning.
    fn version(&self) -> u32;

    /// The parts of a game that it can hold.
    fn holds(&self) -> Holds;

    /// Appends a game to `bytes`.
    ///
    /// # Errors
    ///
    /// The first part of the game that the codec cannot hold. In this case, nothing is appended.
    fn encode(&self, game: &Game, bytes: &mut Vec<u8>) -> Result<(), EncodeError>;

    /// Decodes the bytes of a single game.
    ///
    /// # Errors
    ///
    /// The first invalid byte.
    fn decode(&self, bytes: &[u8]) -> Result<Game, DecodeError>;

    /// Appends a game that has only a main line.
    ///
    /// # Errors
    ///
    /// As for [`Codec::encode`].
    fn encode_moves(
        &self,
        start: &AnyPosition,
        moves: &[Move],
        bytes: &mut Vec<u8>,
    ) -> Result<(), EncodeError>;

    /// Appends the main line to `moves`, and returns its start position.
    ///
    /// Only the bytes that the main line needs are checked: texts, variations and bytes after the main line may have
    /// errors that only [`Codec::decode`] finds.
    ///
    /// # Errors
    ///
    /// The first invalid byte of the main line. The moves before it have been appended.
    fn decode_moves(&self, bytes: &[u8], moves: &mut Vec<Move>)
    -> Result<AnyPosition, DecodeError>;

    /// Calls `show` with the meaning of the bytes, code by code, in their order.
    ///
    /// # Errors
    ///
    /// The first invalid byte, after all codes before it have been shown.
    fn dump(&self, bytes: &[u8], show: &mut dyn FnMut(&Dumped)) -> Result<(), DecodeError>;
}

/// The parts of a game that a codec can hold.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Holds {
    /// All tags.
    pub all_tags: bool,
    /// The names of the tags, if not all.
    pub tags: &'static [&'static str],
    /// Starts other than the standard starting position, of chess and Chess960.
    pub starts: bool,
    /// Makruk and its variants.
    pub makruk: bool,
    /// The result after the moves.
    pub result: bool,
    /// Glyphs; some codecs hold only a few of them.
    pub glyphs: bool,
    /// Comments with their clocks and evaluations, after the tags. Without [`Holds::spelling`], a comment after a
    /// semicolon must contain a `}`: any other would be decoded as a comment in braces.
    pub comments: bool,
    /// Variations of any depth, after a move.
    pub variations: bool,
    /// Words in place of moves that could not be played.
    pub words: bool,
    /// The spelling of glyphs and null moves.
    pub spelling: bool,
}

impl Holds {
    /// Only the main line of a game of chess from the standard starting position.
    pub(crate) const MAIN_LINE: Holds = Holds {
        all_tags: false,
        tags: &[],
        starts: false,
        makruk: false,
        result: false,
        glyphs: false,
        comments: false,
        variations: false,
        words: false,
        spelling: false,
    };

    /// All parts of a game, in their spelling.
    pub(crate) const EVERYTHING: Holds = Holds {
        all_tags: true,
        tags: &[],
        starts: true,
        makruk: true,
        result: true,
        glyphs: true,
        comments: true,
        variations: true,
        words: true,
        spelling: true,
    };

    /// Returns true if it holds the tags with this name.
    pub fn tag(&self, name: &str) -> bool {
        self.all_tags || self.tags.contains(&name)
    }
}

/// A code in a dump: see [`Codec::dump`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dumped {
    /// The offsets of its bytes. A code may begin or end within a byte.
    pub bytes: std::ops::Range<usize>,
    /// Its bits, field by field.
    pub fields: String,
    /// Its meaning: a move in SAN, or a description.
    pub meaning: String,
}
