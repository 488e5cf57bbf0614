//! The byte code `halfmove`, version 1: which piece, how far, in one byte.
//!
//! Pieces are identified by a number that they keep, moves by their direction and distance. Black's moves are written
//! as if the board were mirrored top to bottom (a8 becomes a1), so both sides share the codes. A game of chess from the
//! standard starting position is nothing but its moves. Any other begins with a head with its variant and its start.
//! `docs/reference/codec.md` specifies all bytes.
//!
//! | bytes of chess | piece | moves |
//! |---|---|---|
//! | `00`–`1f` | pawns | 4 each |
//! | `20`–`2f` | knights | 8 each |
//! | `30`–`67` | bishops | 28 each |
//! | `68`–`9f` | rooks | 28 each |
//! | `a0`–`d7` | queen | 56 |
//! | `d8`–`df` | king | 8 |
//! | `e0` `e1` | castling | king's side, queen's side |
//! | `e2` | any other move | its two bytes ([`Move::to_bits`]) follow, low byte first |
//! | `e3` | a null move | none |
//!
//! "Any other move" is a promotion, an en passant capture, or a move of a piece without a number: a
//! promoted piece, or a third knight in a custom start position. In Makruk, Makpong and ASEAN chess, the high
//! half of a byte is the piece and the low half its step, and every move takes one byte; a null move is `f8`.
//!
//! # Source
//! The idea, *which piece goes where*, is by Peter Schäfer (jose) and Brenner; the codes are our
//! own.
//!
//! ```
//! use halfmove_game::codec::halfmove;
//! use halfmove_rules::{AnyPosition, Chess, Makruk, Move, Square};
//!
//! let (mut bytes, mut moves) = (Vec::new(), Vec::new());
//! let played = [Move::normal(Square::E2, Square::E4), Move::normal(Square::G8, Square::F6)];
//! halfmove::encode_moves(&Chess::default().into(), &played, &mut bytes)?;
//! assert_eq!(bytes, [0x11, 0x2f]);
//! assert_eq!(halfmove::decode_moves(&bytes, &mut moves)?, Chess::default().into());
//! assert_eq!(moves, played);
//!
//! bytes.clear();
//! let played = [Move::normal(Square::E3, Square::E4)];
//! halfmove::encode_moves(&Makruk::default().into(), &played, &mut bytes)?;
//! assert_eq!(bytes, [0xe4, 0x20, 0xb0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod chess;
pub(crate) mod makruk;
pub(crate) mod start;

use halfmove_rules::{AnyPosition, Chess, Move};

pub use self::chess::spelled_out;

use super::{DecodeError, EncodeError};
use crate::game::Game;

/// The version of these codes, stored next to the bytes.
pub const VERSION: u32 = 1;

/// The name of these codes, stored with the version.
pub const NAME: &str = "halfmove";

/// Appends the main line of a game. The rest of the game is in [`whole`](super::whole).
///
/// # Errors
///
/// Same as [`encode_moves`].
pub fn encode(game: &Game, bytes: &mut Vec<u8>) -> Result<(), EncodeError> {
    encode_moves(&game.start, &game.moves, bytes)
}

/// Appends a main line of legal moves, and null moves ([`Move::NULL`]) out of check, with its start.
///
/// # Errors
///
/// A start of Makruk with more than 32 pieces, or a move of a sixteenth piece besides the king. Then nothing is
/// appended.
pub fn encode_moves(
    start: &AnyPosition,
    moves: &[Move],
    bytes: &mut Vec<u8>,
) -> Result<(), EncodeError> {
    let before = bytes.len();
    start::write(start, bytes).map_err(|part| EncodeError { ply: 0, part })?;
    match start {
        AnyPosition::Chess(start) => chess::encode(start, moves, bytes),
        AnyPosition::Makruk(start) => {
            makruk::encode(start, moves, bytes).map_err(|ply| {
                bytes.truncate(before);
                EncodeError { ply, part: "moves of a sixteenth piece beside the king" }
            })?;
        }
    }
    Ok(())
}

/// Appends the moves of a main line to `moves`, and returns the position in which it begins.
///
/// # Errors
///
/// Fails at the first invalid byte. The moves before it have been appended.
pub fn decode_moves(bytes: &[u8], moves: &mut Vec<Move>) -> Result<AnyPosition, DecodeError> {
    first_moves(bytes, usize::MAX, moves)
}

/// An iterator over the moves of a main line, each checked for legality.
///
/// ```
/// use halfmove_game::codec::halfmove::Moves;
///
/// let mut moves = Moves::new(&[0x11, 0x11, 0x2f])?;
/// assert_eq!(moves.offset(), 0);
/// assert_eq!(moves.next().expect("a move")?.to_string(), "e2e4");
/// assert_eq!(moves.offset(), 1);
/// assert_eq!(moves.count(), 2);
/// # Ok::<(), halfmove_game::codec::DecodeError>(())
/// ```
#[derive(Debug)]
pub struct Moves<'a> {
    start: AnyPosition,
    codes: Codes<'a>,
}

#[derive(Debug)]
enum Codes<'a> {
    Chess(Box<chess::Decoder<'a>>),
    Makruk(Box<makruk::Decoder<'a>>),
}

impl<'a> Moves<'a> {
    /// Reads the start.
    ///
    /// # Errors
    ///
    /// The first byte of the head that is wrong.
    pub fn new(bytes: &'a [u8]) -> Result<Moves<'a>, DecodeError> {
        let head = start::read(bytes)?;
        let (start, at) = head.unwrap_or_else(|| (Chess::default().into(), 0));
        let codes = match &start {
            AnyPosition::Chess(start) => {
                Codes::Chess(Box::new(chess::Decoder::new(start, bytes, at)))
            }
            AnyPosition::Makruk(start) => {
                Codes::Makruk(Box::new(makruk::Decoder::new(start, bytes, at)))
            }
        };
        Ok(Moves { start, codes })
    }

    /// The position in which the game starts.
    pub const fn start(&self) -> &AnyPosition {
        &self.start
    }

    /// The offset of the next code; at first, the length of the head.
    pub fn offset(&self) -> usize {
        match &self.codes {
            Codes::Chess(codes) => codes.at,
            Codes::Makruk(codes) => codes.at,
        }
    }
}

impl Iterator for Moves<'_> {
    type Item = Result<Move, DecodeError>;

    /// The next move. An error ends the iteration.
    fn next(&mut self) -> Option<Self::Item> {
        let next = match &mut self.codes {
            Codes::Chess(codes) => codes.next_move(),
            Codes::Makruk(codes) => codes.next_move(),
        };
        if let Some(Err(_)) = next {
            match &mut self.codes {
                Codes::Chess(codes) => codes.bytes = &[],
                Codes::Makruk(codes) => codes.bytes = &[],
            }
        }
        next
    }
}

/// Appends the first moves of a main line, at most `most`, and returns the start position. The bytes of later moves are
/// not read.
///
/// ```
/// use halfmove_game::codec::halfmove;
///
/// let mut moves = Vec::new();
/// halfmove::first_moves(&[0x11, 0x11, 0x2f, 0xff], 2, &mut moves)?;
/// assert_eq!(moves.len(), 2);
/// # Ok::<(), halfmove_game::codec::DecodeError>(())
/// ```
///
/// # Errors
///
/// Fails at the first invalid byte. The moves before it have been appended.
pub fn first_moves(
    bytes: &[u8],
    most: usize,
    moves: &mut Vec<Move>,
) -> Result<AnyPosition, DecodeError> {
    let mut codes = Moves::new(bytes)?;
    moves.reserve((bytes.len() - codes.offset()).min(most));
    for _ in 0..most {
        let Some(mv) = codes.next() else { break };
        moves.push(mv?);
    }
    Ok(codes.start)
}

/// The number of half-moves in encoded bytes, computed without checking them.
///
/// ```
/// use halfmove_game::codec::halfmove;
/// assert_eq!(halfmove::plies(&[0x11, 0x11, 0xe2, 0x24, 0x0b]), 3);
/// assert_eq!(halfmove::plies(&[0xe4, 0x20, 0xb0]), 1);
/// ```
pub fn plies(bytes: &[u8]) -> u32 {
    let codes = bytes.get(start::head_length(bytes)..).unwrap_or_default();
    let plies = if start::is_chess(bytes) { chess::plies(codes) } else { codes.len() };
    u32::try_from(plies).unwrap_or(u32::MAX)
}

/// The position after `most` half-moves, or at the end, and its ply. All moves are checked.
pub(crate) fn play(bytes: &[u8], most: u32) -> Result<(AnyPosition, u32), DecodeError> {
    let mut codes = Moves::new(bytes)?;
    let (mut position, mut ply) = (codes.start.clone(), 0);
    while ply < most {
        let Some(mv) = codes.next() else { break };
        position.play_unchecked(mv?);
        ply += 1;
    }
    Ok((position, ply))
}

/// The position after `ply` half-moves and the next move, if there is one. All moves are checked.
pub(crate) fn move_after(
    bytes: &[u8],
    ply: u32,
) -> Result<Option<(AnyPosition, Move)>, DecodeError> {
    let mut codes = Moves::new(bytes)?;
    let mut position = codes.start.clone();
    for _ in 0..ply {
        let Some(mv) = codes.next() else { return Ok(None) };
        position.play_unchecked(mv?);
    }
    let next = codes.next().transpose()?;
    Ok(next.map(|next| (position, next)))
}

/// The position in which a game starts.
///
/// # Errors
///
/// The first byte of the head that is wrong.
pub fn start(bytes: &[u8]) -> Result<AnyPosition, DecodeError> {
    Ok(start::read(bytes)?.map_or_else(|| Chess::default().into(), |(start, _)| start))
}

/// Returns true only for the standard starting position of chess: the position, counters of 0 and 1, and not Chess960.
///
/// Positions that differ only in their counters are equal, but a game that starts from one of them
/// numbers its moves differently.
///
/// ```
/// use halfmove_game::codec::halfmove;
/// use halfmove_rules::Chess;
/// assert!(halfmove::is_standard_start(&Chess::default()));
/// let seventh = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 7".parse::<Chess>()?;
/// assert!(seventh == Chess::default() && !halfmove::is_standard_start(&seventh));
/// # Ok::<(), halfmove_rules::FenError>(())
/// ```
pub fn is_standard_start(start: &Chess) -> bool {
    start.halfmove_clock() == 0
        && start.fullmove_number() == 1
        && !start.is_chess960()
        && *start == Chess::default()
}
