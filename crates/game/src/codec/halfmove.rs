//! The codec `halfmove`, version 1: which piece, how far, in one byte.
//!
//! Pieces are identified by a number that they keep, moves by their direction and distance. Black's moves
//! are written as if the board were mirrored top to bottom (a8 becomes a1), so both sides share the
//! codes. A game of chess from the usual start is nothing but its moves. Any other begins with a head
//! that says which game it is and how it starts. `docs/reference/codec.md` specifies all bytes.
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
//!
//! "Any other move" is a promotion, an en passant capture, or a move of a piece without a number: a
//! promoted piece, or a third knight in a custom start position. In Makruk, Makpong and ASEAN chess, the high
//! half of a byte is the piece and the low half says where it goes, and every move takes one byte.
//!
//! # Source
//! The idea, *which piece goes where*, is by Peter Schäfer (jose) and Brenner; the codes are our
//! own.
//!
//! ```
//! use halfmove_game::codec::{Codec, halfmove::Halfmove};
//! use halfmove_rules::{AnyPosition, Chess, Makruk, Move, Square};
//!
//! let (mut bytes, mut moves) = (Vec::new(), Vec::new());
//! let played = [Move::normal(Square::E2, Square::E4), Move::normal(Square::G8, Square::F6)];
//! Halfmove.encode_moves(&Chess::default().into(), &played, &mut bytes)?;
//! assert_eq!(bytes, [0x11, 0x2f]);
//! assert_eq!(Halfmove.decode_moves(&bytes, &mut moves)?, Chess::default().into());
//! assert_eq!(moves, played);
//!
//! bytes.clear();
//! let played = [Move::normal(Square::E3, Square::E4)];
//! Halfmove.encode_moves(&Makruk::default().into(), &played, &mut bytes)?;
//! assert_eq!(bytes, [0xe4, 0x20, 0xb0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod chess;
mod fields;
pub(crate) mod makruk;
pub(crate) mod start;

use halfmove_rules::{AnyPosition, Chess, Move};

use super::{Codec, DecodeError, Dumped, EncodeError, EncodeErrorKind, Holds, only_main_line};
use crate::game::Game;
use crate::pgn::makruk::policy_name;

/// The version of these codes, stored next to the bytes.
pub const VERSION: u32 = 1;

/// The codec `halfmove`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Halfmove;

impl Codec for Halfmove {
    fn name(&self) -> &'static str {
        "halfmove"
    }

    fn version(&self) -> u32 {
        VERSION
    }

    fn holds(&self) -> Holds {
        Holds { starts: true, makruk: true, ..Holds::MAIN_LINE }
    }

    fn encode(&self, game: &Game, bytes: &mut Vec<u8>) -> Result<(), EncodeError> {
        only_main_line(self.name(), game)?;
        self.encode_moves(&game.start, &game.moves, bytes)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Game, DecodeError> {
        let mut moves = Vec::new();
        let mut game = Game::from(self.decode_moves(bytes, &mut moves)?);
        game.moves = moves;
        Ok(game)
    }

    fn encode_moves(
        &self,
        start: &AnyPosition,
        moves: &[Move],
        bytes: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        let part = |what| EncodeErrorKind::Part { codec: self.name(), what };
        let before = bytes.len();
        start::write(start, bytes).map_err(|what| EncodeError { ply: 0, kind: part(what) })?;
        match start {
            AnyPosition::Chess(start) => chess::encode(start, moves, bytes),
            AnyPosition::Makruk(start) => {
                makruk::encode(start, moves, bytes).map_err(|ply| {
                    bytes.truncate(before);
                    let kind = part("moves of a sixteenth piece beside the king");
                    EncodeError { ply, kind }
                })?;
            }
        }
        Ok(())
    }

    fn decode_moves(
        &self,
        bytes: &[u8],
        moves: &mut Vec<Move>,
    ) -> Result<AnyPosition, DecodeError> {
        first_moves(bytes, usize::MAX, moves)
    }

    fn dump(&self, bytes: &[u8], show: &mut dyn FnMut(&Dumped)) -> Result<(), DecodeError> {
        let mut decoder = Decoder::new(bytes)?;
        let mut position = decoder.start.clone();
        let at = decoder.offset();
        if at > 0 {
            let mut fields = format!("head, {}", position.variant().name());
            if let AnyPosition::Makruk(start) = &position {
                fields += &format!(", counting {}", policy_name(start.policy()));
            }
            show(&Dumped { bytes: 0..at, fields, meaning: position.to_string() });
        }
        let mut from = at;
        while let Some(mv) = decoder.next_move() {
            let (mv, to) = (mv?, decoder.offset());
            let fields = fields::fields(&position, mv, &bytes[from..to]);
            show(&Dumped { bytes: from..to, fields, meaning: position.san(mv).to_string() });
            position.play_unchecked(mv);
            from = to;
        }
        Ok(())
    }
}

/// Reads main lines.
#[derive(Debug)]
struct Decoder<'a> {
    start: AnyPosition,
    codes: Codes<'a>,
}

#[derive(Debug)]
enum Codes<'a> {
    Chess(Box<chess::Decoder<'a>>),
    Makruk(Box<makruk::Decoder<'a>>),
}

impl<'a> Decoder<'a> {
    fn new(bytes: &'a [u8]) -> Result<Decoder<'a>, DecodeError> {
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
        Ok(Decoder { start, codes })
    }

    /// The next move, `None` at the end.
    fn next_move(&mut self) -> Option<Result<Move, DecodeError>> {
        match &mut self.codes {
            Codes::Chess(codes) => codes.next_move(),
            Codes::Makruk(codes) => codes.next_move(),
        }
    }

    /// Where the next move begins.
    fn offset(&self) -> usize {
        match &self.codes {
            Codes::Chess(codes) => codes.at,
            Codes::Makruk(codes) => codes.at,
        }
    }
}

/// Appends the first moves of a main line, at most so many, and returns the position that they start from. Bytes of later moves
/// are not read.
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
/// The first byte that is wrong. The moves before it have been appended.
pub fn first_moves(
    bytes: &[u8],
    most: usize,
    moves: &mut Vec<Move>,
) -> Result<AnyPosition, DecodeError> {
    let mut decoder = Decoder::new(bytes)?;
    moves.reserve((bytes.len() - decoder.offset()).min(most));
    for _ in 0..most {
        let Some(mv) = decoder.next_move() else { break };
        moves.push(mv?);
    }
    Ok(decoder.start)
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

/// The position after so many half-moves, or at the end, and after how many that is. All of them are
/// checked.
pub(crate) fn play(bytes: &[u8], most: u32) -> Result<(AnyPosition, u32), DecodeError> {
    let mut decoder = Decoder::new(bytes)?;
    let (mut position, mut ply) = (decoder.start.clone(), 0);
    while ply < most {
        let Some(mv) = decoder.next_move() else { break };
        position.play_unchecked(mv?);
        ply += 1;
    }
    Ok((position, ply))
}

/// The position after so many half-moves and the next move, if there is one. All of them are checked.
pub(crate) fn move_after(
    bytes: &[u8],
    ply: u32,
) -> Result<Option<(AnyPosition, Move)>, DecodeError> {
    let mut decoder = Decoder::new(bytes)?;
    let mut position = decoder.start.clone();
    for _ in 0..ply {
        let Some(mv) = decoder.next_move() else { return Ok(None) };
        position.play_unchecked(mv?);
    }
    let next = decoder.next_move().transpose()?;
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

/// Whether this is exactly the usual start of chess: the position, counters of 0 and 1, and not Chess960.
///
/// Positions that differ only in their counters are equal, but a game that starts from one of them
/// numbers its moves differently.
///
/// ```
/// use halfmove_game::codec::halfmove;
/// use halfmove_rules::Chess;
/// assert!(halfmove::is_usual_start(&Chess::default()));
/// let seventh = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 7".parse::<Chess>()?;
/// assert!(seventh == Chess::default() && !halfmove::is_usual_start(&seventh));
/// # Ok::<(), halfmove_rules::FenError>(())
/// ```
pub fn is_usual_start(start: &Chess) -> bool {
    start.halfmove_clock() == 0
        && start.fullmove_number() == 1
        && !start.is_chess960()
        && *start == Chess::default()
}
