//! The observer of a replay: it receives every change of the board, and may inspect the board.

use std::ops::ControlFlow;

use halfmove_rules::{AnyPosition, Color, Move, Piece};

use super::chess::CodedChess;
use super::makruk::CodedMakruk;
use crate::codec::DecodeError;
use crate::codec::halfmove::start;

/// The occupant of a square: a role, plus 8 for Black, or [`EMPTY_CHESS`] or [`EMPTY_MAKRUK`]. So four bits are enough
/// for each game.
pub(super) type Occupant = u8;

/// An empty square of chess: the number of the khon, which chess does not have.
pub(super) const EMPTY_CHESS: Occupant = 6;

/// An empty square of Makruk: the number of the bishop, which Makruk does not have.
pub(super) const EMPTY_MAKRUK: Occupant = 2;

pub(super) const fn occupant(piece: Piece) -> Occupant {
    piece.role as u8 | (piece.color as u8) << 3
}

/// The origin and the target of a null move: no square.
pub(super) const PASSED: (u8, u8) = (64, 64);

/// The occupant of each square. Aligned, so that two boards are compared by whole vectors.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Squares(pub(super) [Occupant; 64]);

impl Squares {
    pub(super) fn of(board: &halfmove_rules::Board, empty: Occupant) -> Squares {
        let mut squares = Squares([empty; 64]);
        for (square, piece) in board.pieces() {
            squares.0[square.index()] = occupant(piece);
        }
        squares
    }
}

/// An observer of a replay. It is compiled into the replay loop.
pub(super) trait Watch<const EMPTY: Occupant> {
    /// The state that changes with every move. The loop owns it and passes copies, so it stays in registers.
    type State: Copy;

    /// Called when the contents of a square change.
    fn change(&mut self, state: &mut Self::State, square: u8, old: Occupant, new: Occupant);

    /// Called after a usual move, all of whose changes [`Watch::change`] has received. Returns true to
    /// [inspect](Watch::inspect) the board now.
    fn after_move(&mut self, state: &mut Self::State, mover: Occupant, last: (u8, u8)) -> bool;

    /// Inspects the board: at the start, when [`Watch::after_move`] returns true, and after each rare move. A break
    /// ends the replay.
    fn inspect(
        &mut self,
        state: &mut Self::State,
        at: &Moment<'_>,
    ) -> Result<ControlFlow<()>, DecodeError>;

    /// Returns true if the result is known. Called occasionally.
    fn is_over(&self, _: &Self::State) -> bool {
        false
    }
}

/// A moment in a game.
pub(super) struct Moment<'a> {
    pub(super) squares: &'a Squares,
    pub(super) us: Color,
    /// Half-moves played.
    pub(super) ply: u32,
    /// The origin and the target of the last move, the same square twice if there is none or if it is castling;
    /// [`PASSED`] for a null move.
    pub(super) last: (u8, u8),
    /// The move that the next byte encodes, `None` at the end of the game.
    pub(super) next: &'a dyn Fn() -> Result<Option<Move>, DecodeError>,
}

/// A game, ready for replay.
pub(super) enum Ready<'a> {
    Chess(CodedChess<'a>),
    Makruk(Box<CodedMakruk<'a>>),
}

impl<'a> Ready<'a> {
    /// Reads the head of a game that has one.
    #[inline(always)]
    pub(super) fn new(bytes: &'a [u8]) -> Result<Ready<'a>, DecodeError> {
        match bytes.first() {
            Some(&start::HEAD) => Ready::with_head(bytes),
            _ => Ok(Ready::Chess(CodedChess::usual(bytes))),
        }
    }

    #[cold]
    fn with_head(bytes: &'a [u8]) -> Result<Ready<'a>, DecodeError> {
        Ok(match start::read(bytes)? {
            None => Ready::Chess(CodedChess::usual(bytes)),
            Some((AnyPosition::Chess(start), at)) => {
                Ready::Chess(CodedChess::new(&start, bytes, at))
            }
            Some((AnyPosition::Makruk(start), at)) => {
                Ready::Makruk(Box::new(CodedMakruk::new(start, bytes, at)))
            }
        })
    }
}
