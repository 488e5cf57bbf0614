//! Byte codes for games.
//!
//! | codec | a half-move | keeps |
//! |---|---|---|
//! | [`halfmove`] | one byte, rarely three; in Makruk always one | the main line, from any start, of any game |
//! | [`whole`] | as `halfmove`, and what else the game has | all of a [`Game`] |
//! | [`gametext`] | one byte, rarely two | the movetext, from any start: jose's format, in two dialects |
//! | [`brenner`] | one byte, rarely two or four | six tags, the movetext, from any start: Brenner's format, in two notations |
//! | [`numbered`] | 11, 12 or 13 bits | the main line from the usual start: Brenner's closing suggestion |
//!
//! All of [`CODECS`] implement the trait [`Codec`], so a program can select one by its name and ask
//! [what it holds](Codec::holds). A [file](mod@file) keeps many games. Decoding checks every
//! move against the rules, so hostile bytes give an error with an offset, never an illegal position.
//!
//! ```
//! use halfmove_game::codec::{self, Codec};
//! use halfmove_game::pgn::{read_game, write_game};
//!
//! let game = read_game("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6?? 4. Qxf7# 1-0").unwrap();
//! for codec in codec::CODECS.iter().filter(|codec| codec.holds().glyphs) {
//!     let mut bytes = Vec::new();
//!     codec.encode(&game, &mut bytes)?;
//!     let same = codec.decode(&bytes)?;
//!     assert_eq!(write_game(&same)?, "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6?? 4. Qxf7# 1-0\n\n");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod brenner;
pub mod file;
pub mod gametext;
pub mod halfmove;
mod lines;
mod number;
pub mod numbered;
pub(crate) mod pieces;
mod reading;
mod slots;
#[cfg(test)]
mod tables;
pub mod whole;

use halfmove_rules::{AnyPosition, CastlingMode, Chess, Move};
use thiserror::Error;

use crate::annotations::Comment;
use crate::build::{BuildError, GameBuilder};
use crate::event::Event;
use crate::game::Game;
use crate::pgn::{CommentStyle, MOST_BYTES};

/// All codecs, each under its name.
pub static CODECS: [&dyn Codec; 9] = [
    &halfmove::Halfmove,
    &whole::Whole,
    &gametext::Dialect::Jose,
    &gametext::Dialect::Document,
    &brenner::Notation::Primary,
    &brenner::Notation::Alternate,
    &numbered::Width::Eleven,
    &numbered::Width::Twelve,
    &numbered::Width::Thirteen,
];

/// The codec of a name.
///
/// ```
/// use halfmove_game::codec;
/// assert_eq!(codec::named("brenner").map(|codec| codec.version()), Some(1));
/// assert!(codec::named("morse").is_none());
/// ```
pub fn named(name: &str) -> Option<&'static dyn Codec> {
    CODECS.into_iter().find(|codec| codec.name() == name)
}

/// Games as bytes and back.
///
/// A codec gives back what it [holds](Codec::holds). Without [`Holds::spelling`], it keeps the number of
/// a glyph but not how it was written, and a null move comes back as `--`. Tags and a result that the codec does not hold are left out; a
/// [file](mod@file) keeps them. Anything else that it does not hold is an error.
pub trait Codec: std::fmt::Debug + Sync {
    /// The name by which programs select it.
    fn name(&self) -> &'static str;

    /// The version of its bytes. Bytes of another version may mean something else.
    fn version(&self) -> u32;

    /// What it can hold.
    fn holds(&self) -> Holds;

    /// Appends a game to `bytes`.
    ///
    /// # Errors
    ///
    /// What the codec cannot hold, and where. Then nothing is appended.
    fn encode(&self, game: &Game, bytes: &mut Vec<u8>) -> Result<(), EncodeError>;

    /// The game in these bytes, which are those of one game.
    ///
    /// # Errors
    ///
    /// The first byte that is wrong.
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

    /// Appends the main line to `moves`, and returns the position in which it begins.
    ///
    /// Only what the main line needs is checked: texts, variations and what follows the main line may hold errors that only
    /// [`Codec::decode`] finds.
    ///
    /// # Errors
    ///
    /// The first byte of the main line that is wrong. The moves before it have been appended.
    fn decode_moves(&self, bytes: &[u8], moves: &mut Vec<Move>)
    -> Result<AnyPosition, DecodeError>;

    /// Shows what the bytes mean, code by code, in their order.
    ///
    /// # Errors
    ///
    /// The first byte that is wrong, after all codes before it have been shown.
    fn dump(&self, bytes: &[u8], show: &mut dyn FnMut(&Dumped)) -> Result<(), DecodeError>;
}

/// What a codec can hold.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Holds {
    /// All tags.
    pub all_tags: bool,
    /// The names of the tags, if not all.
    pub tags: &'static [&'static str],
    /// Starts other than the usual one, of chess and Chess960.
    pub starts: bool,
    /// Makruk and its variants.
    pub makruk: bool,
    /// The result after the moves.
    pub result: bool,
    /// Glyphs; some codecs hold only a few of them.
    pub glyphs: bool,
    /// Comments with their clocks and evaluations, after the tags. Without [`Holds::spelling`], one after a semicolon
    /// must contain a `}`: others would come back in braces.
    pub comments: bool,
    /// Variations of any depth, after a move.
    pub variations: bool,
    /// Words in place of moves that could not be played.
    pub words: bool,
    /// How glyphs and null moves were written.
    pub spelling: bool,
}

impl Holds {
    /// Only the main line of a game of chess from the usual start.
    const MAIN_LINE: Holds = Holds {
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

    /// All that a game holds, as it was written.
    const EVERYTHING: Holds = Holds {
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

    /// Whether it holds the tags of a name.
    pub fn tag(&self, name: &str) -> bool {
        self.all_tags || self.tags.contains(&name)
    }
}

/// A code, as [`Codec::dump`] shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dumped {
    /// The offsets of its bytes. A code may begin or end within a byte.
    pub bytes: std::ops::Range<usize>,
    /// Its bits, field by field.
    pub fields: String,
    /// What it means: a move in SAN, or a description.
    pub meaning: String,
}

/// A game that a codec cannot hold: where, and why.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("after half-move {ply}: {kind}")]
pub struct EncodeError {
    /// How many half-moves of the main line come before it.
    pub ply: usize,
    /// What is in the way.
    pub kind: EncodeErrorKind,
}

/// What a codec cannot hold.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EncodeErrorKind {
    /// A part of a game.
    #[error("{codec} cannot hold {what}")]
    Part {
        /// The name of the codec.
        codec: &'static str,
        /// What it cannot hold.
        what: &'static str,
    },
    /// A move of a piece for which there is no code.
    #[error("{codec} has no code for the piece that plays {san}")]
    NoCode {
        /// The name of the codec.
        codec: &'static str,
        /// The move.
        san: String,
    },
    /// The names of the pieces in open variations may occupy 32 MiB.
    #[error("{codec} cannot hold so many open variations: expected at most {} MiB of them", MOST_BYTES >> 20)]
    TooDeep {
        /// The name of the codec.
        codec: &'static str,
    },
}

/// Bytes that do not decode to a game: where, and why.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[error("byte {offset}: {kind}")]
pub struct DecodeError {
    /// The offset of the invalid byte, from 0, in the bytes that were given.
    pub offset: usize,
    /// What is wrong with it.
    pub kind: DecodeErrorKind,
}

/// What is wrong with a byte.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// The code is not defined in this version of the format.
    #[error("0x{0:02x} is not a code of this version")]
    Reserved(u8),
    /// The bytes end too early.
    #[error("the bytes end too early, expected more")]
    Truncated,
    /// The piece to move is not on the board.
    #[error("the piece to move is not on the board")]
    NoSuchPiece,
    /// The move is not legal.
    #[error("{0:?} is not a legal move here")]
    Illegal(Move),
    /// A move is spelled out though it has a code.
    #[error("this move has a code of its own")]
    OwnCode,
    /// The moves lead to a position that no game can have.
    #[error("the moves lead to a position that no game can have")]
    NoPosition,
    /// A number is larger than what it counts.
    #[error("this number is too large")]
    LargeNumber,
    /// Parts do not fit together, or something follows where nothing does.
    #[error("the parts of the game do not fit together")]
    Uneven,
    /// Castling is not legal.
    #[error("castling on this side is not legal here")]
    NoCastling,
    /// No move has this number.
    #[error("no move has this number")]
    NoSuchNumber,
    /// The move leaves the board.
    #[error("the move leaves the board")]
    OffTheBoard,
    /// A text is not UTF-8.
    #[error("a text that is not UTF-8")]
    NotUtf8,
    /// The start position is not valid.
    #[error("the start position is not valid, expected a FEN")]
    Start,
    /// Something is where it must not be.
    #[error("{what} cannot stand here, expected {expected}")]
    Order {
        /// What is there.
        what: &'static str,
        /// What could be there.
        expected: &'static str,
    },
    /// PGN cannot hold this text.
    #[error("{what} that cannot be written, expected {expected}")]
    Unwritable {
        /// What the text is for.
        what: &'static str,
        /// What can be written.
        expected: &'static str,
    },
    /// The annotations of one game may hold 4 GiB of text.
    #[error("too much text: expected less than 4 GiB in one game")]
    TooLong,
    /// The open variations, together with the moves and annotations before them, may occupy 32 MiB, as when PGN is
    /// read. Where pieces have names, the names of the pieces in open variations may occupy 32 MiB too.
    #[error(
        "too many open variations: expected at most {} MiB of them, with moves and annotations",
        MOST_BYTES >> 20
    )]
    TooDeep,
}

impl From<BuildError> for DecodeErrorKind {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::IllegalMove(mv, _) => Self::Illegal(mv),
            BuildError::Order { what, expected } => Self::Order { what, expected },
            BuildError::Text { what, expected, .. } => Self::Unwritable { what, expected },
            BuildError::NullMove | BuildError::San { .. } => {
                Self::Order { what: "a null move", expected: "a move out of check" }
            }
            BuildError::TooLong => Self::TooLong,
        }
    }
}

/// Begins a variation, unless a reader of PGN would reject it: a few bytes more may take much memory.
fn begin_variation(builder: &mut GameBuilder) -> Result<(), DecodeErrorKind> {
    if builder.bytes_with_variation() > MOST_BYTES {
        return Err(DecodeErrorKind::TooDeep);
    }
    Ok(builder.begin_variation()?)
}

/// Refuses what is more than a main line, a result and tags.
fn only_main_line(codec: &'static str, game: &Game) -> Result<(), EncodeError> {
    let mut ply = 0;
    for event in game.events() {
        let what = match event {
            Event::Tag(..) | Event::EndTags | Event::Result(_) => continue,
            Event::Move(_) => {
                ply += 1;
                continue;
            }
            Event::CountCall(_) => "counts of Makruk",
            Event::Nag(_) => "glyphs",
            Event::Comment(_) => "comments",
            Event::Word(_) => "words in place of moves",
            Event::Escape(_) => "lines that begin with %",
            Event::NullMove(_) | Event::BeginVariation | Event::EndVariation => "variations",
        };
        return Err(EncodeError { ply, kind: EncodeErrorKind::Part { codec, what } });
    }
    Ok(())
}

/// Whether a comment comes back from its text alone: one in braces does, and one after a semicolon that braces could
/// not hold.
fn comes_back(comment: Comment<'_>) -> bool {
    comment.style() == CommentStyle::Braces || comment.to_string().contains('}')
}

/// The chess position in which a game starts.
fn chess_start(codec: &'static str, start: &AnyPosition) -> Result<Chess, EncodeError> {
    match start {
        AnyPosition::Chess(start) => Ok(start.clone()),
        AnyPosition::Makruk(_) => {
            let kind = EncodeErrorKind::Part { codec, what: "games other than chess" };
            Err(EncodeError { ply: 0, kind })
        }
    }
}

/// A start other than the usual one: a FEN, followed by a word for Chess960, which the castling rights
/// may not tell. Nothing for the usual start.
fn start_text(start: &Chess) -> String {
    match (halfmove::is_usual_start(start), start.is_chess960()) {
        (true, false) => String::new(),
        (_, false) => start.to_string(),
        (_, true) => format!("{start} {CHESS960}"),
    }
}

const CHESS960: &str = "chess960";

/// Reads what [`start_text`] has written, or a FEN.
fn read_start(text: &[u8]) -> Result<Chess, DecodeErrorKind> {
    let text = std::str::from_utf8(text).map_err(|_| DecodeErrorKind::NotUtf8)?;
    let (fen, mode) = match text.strip_suffix(CHESS960) {
        Some(fen) => (fen.trim_end(), Some(CastlingMode::Chess960)),
        None => (text, None),
    };
    Chess::from_fen(fen, mode).map_err(|_| DecodeErrorKind::Start)
}
