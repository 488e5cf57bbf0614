//! What all games have in common.

use crate::perft;
use crate::{
    Bitboard, Board, Chess, Color, IllegalMove, Makruk, Move, MoveList, Outcome, PieceMoves,
    SanText, Zobrist,
};
use core::fmt;
use core::ops::ControlFlow;

/// A position of a game that this crate knows the rules of. It is sealed: the games are
/// [`Chess`], which is Chess960 too, and [`Makruk`] with those beside it; any of them
/// is an [`AnyPosition`](crate::AnyPosition).
///
/// Each method is described where a game has it as its own; the trait is for code that serves them
/// all.
///
/// ```
/// use halfmove_rules::{Chess, Position};
///
/// fn replies<P: Position>(position: &P) -> usize {
///     position.legal_moves().into_iter().filter_map(|mv| position.play(mv).ok()).map(|next| next.count_moves()).sum()
/// }
/// assert_eq!(replies(&Chess::default()), 400);
/// ```
pub trait Position: Clone + PartialEq + fmt::Display + sealed::Sealed {
    /// The pieces on their squares.
    fn board(&self) -> &Board;

    /// Whose move it is.
    fn side_to_move(&self) -> Color;

    /// The pieces that give check to the side to move.
    fn checkers(&self) -> Bitboard;

    /// Whether the side to move is in check.
    fn is_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// Shows every piece that can move, with the squares it may go to, until `visit` breaks.
    fn visit_moves<B>(&self, visit: impl FnMut(PieceMoves) -> ControlFlow<B>) -> ControlFlow<B>;

    /// How many legal moves there are.
    fn count_moves(&self) -> usize;

    /// All legal moves, in no promised order.
    fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        let _: ControlFlow<()> = self.visit_moves(|piece| {
            moves.extend(piece);
            ControlFlow::Continue(())
        });
        moves
    }

    /// Whether a move is legal here.
    fn is_legal(&self, mv: Move) -> bool;

    /// Plays a move that is known to be legal.
    fn play_unchecked(&mut self, mv: Move);

    /// The position after a move.
    ///
    /// # Errors
    /// [`IllegalMove`] if the move is not legal here.
    fn play(&self, mv: Move) -> Result<Self, IllegalMove> {
        if !self.is_legal(mv) {
            return Err(IllegalMove(mv));
        }
        let mut next = self.clone();
        next.play_unchecked(mv);
        Ok(next)
    }

    /// How the game has ended on the board, if it has.
    fn outcome(&self) -> Option<Outcome>;

    /// The key.
    fn zobrist(&self) -> Zobrist;

    /// A legal move as SAN.
    fn san(&self, mv: Move) -> SanText;

    /// The number of sequences of exactly `depth` legal half-moves; see
    /// [`perft`](crate::perft()).
    fn perft(&self, depth: u32) -> u64 {
        perft::plain(self, depth)
    }
}

pub(crate) use sealed::Sealed;

mod sealed {
    pub trait Sealed {}
}

/// Makes a game's own methods those of the trait.
macro_rules! is_position {
    ($game:ty, $perft:path) => {
        impl sealed::Sealed for $game {}

        impl Position for $game {
            #[inline]
            fn board(&self) -> &Board {
                self.board()
            }

            #[inline]
            fn side_to_move(&self) -> Color {
                self.side_to_move()
            }

            #[inline]
            fn checkers(&self) -> Bitboard {
                self.checkers()
            }

            #[inline]
            fn visit_moves<B>(
                &self,
                visit: impl FnMut(PieceMoves) -> ControlFlow<B>,
            ) -> ControlFlow<B> {
                self.visit_moves(visit)
            }

            fn count_moves(&self) -> usize {
                self.count_moves()
            }

            fn is_legal(&self, mv: Move) -> bool {
                self.is_legal(mv)
            }

            #[inline]
            fn play_unchecked(&mut self, mv: Move) {
                self.play_unchecked(mv);
            }

            fn outcome(&self) -> Option<Outcome> {
                self.outcome()
            }

            fn zobrist(&self) -> Zobrist {
                self.zobrist()
            }

            fn san(&self, mv: Move) -> SanText {
                self.san(mv)
            }

            fn perft(&self, depth: u32) -> u64 {
                $perft(self, depth)
            }
        }
    };
}

is_position!(Chess, perft::chess);
is_position!(Makruk, Makruk::perft);
