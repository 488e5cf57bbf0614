//! The trait that all games implement.

use crate::perft;
use crate::{
    AnyPosition, Bitboard, Board, Chess, Color, IllegalMove, Makruk, Move, MoveList, Outcome,
    Piece, PieceMoves, Role, SanError, SanText, Square, UciError, UciMove, Zobrist,
};
use core::fmt;
use core::hash::Hash;
use core::ops::ControlFlow;

/// A position of any game in this crate, for generic code.
///
/// It is implemented by [`Chess`] (also Chess960), [`Makruk`] (also Makpong and ASEAN chess) and
/// [`AnyPosition`]. The trait is sealed. Each type has these methods as inherent methods too, with
/// more detailed documentation.
///
/// ```
/// use halfmove_rules::{Chess, Makruk, Position};
///
/// fn replies<P: Position>(position: &P) -> usize {
///     let moves = position.legal_moves().into_iter();
///     moves.filter_map(|mv| position.play(mv).ok()).map(|next| next.count_moves()).sum()
/// }
/// assert_eq!(replies(&Chess::default()), 400);
/// assert_eq!(replies(&Makruk::default()), 529);
/// ```
pub trait Position:
    Clone + Eq + Hash + fmt::Debug + fmt::Display + Into<AnyPosition> + sealed::Sealed
{
    /// The pieces on their squares.
    fn board(&self) -> &Board;

    /// The side to move.
    fn side_to_move(&self) -> Color;

    /// The square of a side's king.
    fn king(&self, color: Color) -> Square;

    /// Half-moves since the last capture or pawn move.
    fn halfmove_clock(&self) -> u16;

    /// Starts at 1 and increases after each move of Black.
    fn fullmove_number(&self) -> u16;

    /// The pieces that give check to the side to move.
    fn checkers(&self) -> Bitboard;

    /// Returns true if the side to move is in check.
    fn is_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// Calls `visit` with the legal moves until `visit` breaks. Moves that differ only in the target form a group; no
    /// group is empty.
    fn visit_moves<B>(&self, visit: impl FnMut(PieceMoves) -> ControlFlow<B>) -> ControlFlow<B>;

    /// The number of legal moves.
    fn count_moves(&self) -> usize;

    /// All legal moves, in unspecified order.
    fn legal_moves(&self) -> MoveList;

    /// Returns true if a move is legal here.
    fn is_legal(&self, mv: Move) -> bool;

    /// Plays a move that is known to be legal, or [`Move::NULL`] out of check.
    fn play_unchecked(&mut self, mv: Move);

    /// The position after a move.
    ///
    /// # Errors
    /// [`IllegalMove`] if the move is not legal here.
    #[must_use = "the position itself does not change"]
    fn play(&self, mv: Move) -> Result<Self, IllegalMove> {
        if !self.is_legal(mv) {
            return Err(IllegalMove(mv));
        }
        let mut next = self.clone();
        next.play_unchecked(mv);
        Ok(next)
    }

    /// The outcome, if the position itself ends the game.
    fn outcome(&self) -> Option<Outcome>;

    /// Returns true if a side has enough material to mate, with the other side's help.
    fn can_mate(&self, color: Color) -> bool;

    /// The same position with colors swapped.
    #[must_use = "the position itself does not change"]
    fn flipped(&self) -> Self;

    /// The Zobrist key.
    fn zobrist(&self) -> Zobrist;

    /// Writes a legal move as SAN.
    fn san(&self, mv: Move) -> SanText;

    /// Reads SAN and finds the legal move.
    ///
    /// # Errors
    /// [`SanError`].
    fn parse_san(&self, text: &str) -> Result<Move, SanError>;

    /// A move in UCI notation, as this game writes it.
    fn uci(&self, mv: Move) -> UciMove;

    /// Reads a move in UCI notation and finds the legal move.
    ///
    /// # Errors
    /// [`UciError`].
    fn parse_uci(&self, text: &str) -> Result<Move, UciError>;

    /// Returns true if there is a legal move. This is faster than listing or counting the moves.
    fn has_moves(&self) -> bool {
        self.visit_moves(|_| ControlFlow::Break(())).is_break()
    }

    /// Returns true if the side to move is in check and has no legal move.
    fn is_checkmate(&self) -> bool {
        self.is_check() && !self.has_moves()
    }

    /// Returns true if the side to move is not in check and has no legal move.
    fn is_stalemate(&self) -> bool {
        !self.is_check() && !self.has_moves()
    }

    /// Returns true if this position ends the game, that is, if there is an [`outcome`](Self::outcome).
    fn is_game_over(&self) -> bool {
        self.outcome().is_some()
    }

    /// Returns true if neither side [can mate](Self::can_mate).
    fn is_insufficient_material(&self) -> bool {
        Color::ALL.into_iter().all(|color| !self.can_mate(color))
    }

    /// The piece that a legal move captures, if any, including a pawn captured en passant. Castling captures nothing.
    fn captured(&self, mv: Move) -> Option<Piece> {
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castle() {
            return None;
        }
        let board = self.board();
        let is_pawn = board.role_at(from) == Some(Role::Pawn);
        // Only an en passant capture moves a pawn to an empty square on another file.
        match board.piece_at(to) {
            None if is_pawn && from.file() != to.file() => {
                board.piece_at(Square::new(to.file(), from.rank()))
            }
            piece => piece,
        }
    }

    /// Returns true if a legal move is a capture.
    fn is_capture(&self, mv: Move) -> bool {
        self.captured(mv).is_some()
    }

    /// Returns true if a legal move resets the half-move clock: a capture or a pawn move.
    fn is_zeroing(&self, mv: Move) -> bool {
        self.board().role_at(mv.from()) == Some(Role::Pawn) || self.is_capture(mv)
    }

    /// The legal moves of the piece on a square.
    fn legal_moves_from(&self, square: Square) -> MoveList {
        let mut moves = self.legal_moves();
        moves.retain(|mv| mv.from() == square);
        moves
    }

    /// The number of half-moves played since move 1, by the full-move number: 0 at the start.
    fn ply(&self) -> u32 {
        let black = u32::from(self.side_to_move() == Color::Black);
        2 * u32::from(self.fullmove_number() - 1) + black
    }

    /// The number of leaves of the game tree at `depth` half-moves; see [`perft`](crate::perft()).
    fn perft(&self, depth: u32) -> u64 {
        perft::plain(self, depth)
    }
}

pub(crate) use sealed::Sealed;

mod sealed {
    use crate::Outcome;

    pub trait Sealed {
        /// The outcome by the history of the game, given the number of occurrences of the position. Called only if the
        /// position itself does not end the game.
        fn ended_by_history(&self, occurrences: usize) -> Option<Outcome>;

        /// The draw that the side to move may claim, given the number of occurrences of the position. Called only if
        /// the game has not ended.
        fn claimable(&self, occurrences: usize) -> Option<Outcome>;
    }
}

/// The methods shared by all games, as inherent methods.
macro_rules! shared_questions {
    ($game:ty) => {
        impl $game {
            /// Returns true if there is a legal move. This is faster than listing or counting the moves.
            pub fn has_moves(&self) -> bool {
                $crate::Position::has_moves(self)
            }

            /// Returns true if the side to move is in check and has no legal move.
            pub fn is_checkmate(&self) -> bool {
                $crate::Position::is_checkmate(self)
            }

            /// Returns true if the side to move is not in check and has no legal move.
            pub fn is_stalemate(&self) -> bool {
                $crate::Position::is_stalemate(self)
            }

            /// Returns true if this position ends the game, that is, if there is an [`outcome`](Self::outcome).
            pub fn is_game_over(&self) -> bool {
                $crate::Position::is_game_over(self)
            }

            /// Returns true if neither side [can mate](Self::can_mate).
            pub fn is_insufficient_material(&self) -> bool {
                $crate::Position::is_insufficient_material(self)
            }

            /// The piece that a legal move captures, if any, including a pawn captured en passant.
            /// Castling captures nothing.
            pub fn captured(&self, mv: $crate::Move) -> Option<$crate::Piece> {
                $crate::Position::captured(self, mv)
            }

            /// Returns true if a legal move is a capture.
            pub fn is_capture(&self, mv: $crate::Move) -> bool {
                $crate::Position::is_capture(self, mv)
            }

            /// Returns true if a legal move resets the half-move clock: a capture or a pawn move.
            pub fn is_zeroing(&self, mv: $crate::Move) -> bool {
                $crate::Position::is_zeroing(self, mv)
            }

            /// The legal moves of the piece on a square, for example to highlight its targets.
            ///
            /// ```
            /// use halfmove_rules::{Chess, Square};
            /// assert_eq!(Chess::default().legal_moves_from(Square::G1).len(), 2);
            /// assert!(Chess::default().legal_moves_from(Square::G8).is_empty());
            /// ```
            pub fn legal_moves_from(&self, square: $crate::Square) -> $crate::MoveList {
                $crate::Position::legal_moves_from(self, square)
            }

            /// The number of half-moves played since move 1, by the full-move number: 0 at the start.
            pub fn ply(&self) -> u32 {
                $crate::Position::ply(self)
            }
        }
    };
}
pub(crate) use shared_questions;

shared_questions!(Chess);
shared_questions!(Makruk);

/// Implements the trait through a game's inherent methods.
macro_rules! is_position {
    ($game:ty) => {
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
            fn king(&self, color: Color) -> Square {
                self.king(color)
            }

            #[inline]
            fn halfmove_clock(&self) -> u16 {
                self.halfmove_clock()
            }

            #[inline]
            fn fullmove_number(&self) -> u16 {
                self.fullmove_number()
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

            fn legal_moves(&self) -> MoveList {
                self.legal_moves()
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

            fn can_mate(&self, color: Color) -> bool {
                self.can_mate(color)
            }

            fn flipped(&self) -> Self {
                self.flipped()
            }

            fn zobrist(&self) -> Zobrist {
                self.zobrist()
            }

            fn san(&self, mv: Move) -> SanText {
                self.san(mv)
            }

            fn parse_san(&self, text: &str) -> Result<Move, SanError> {
                self.parse_san(text)
            }

            fn uci(&self, mv: Move) -> UciMove {
                self.uci(mv)
            }

            fn parse_uci(&self, text: &str) -> Result<Move, UciError> {
                self.parse_uci(text)
            }

            fn perft(&self, depth: u32) -> u64 {
                self.perft(depth)
            }
        }
    };
}

is_position!(Chess);
is_position!(Makruk);
is_position!(AnyPosition);

impl Sealed for Chess {
    fn ended_by_history(&self, occurrences: usize) -> Option<Outcome> {
        if occurrences >= 5 {
            return Some(Outcome::FivefoldRepetition);
        }
        (self.halfmove_clock() >= 150).then_some(Outcome::SeventyFiveMoves)
    }

    fn claimable(&self, occurrences: usize) -> Option<Outcome> {
        if occurrences >= 3 {
            return Some(Outcome::ThreefoldRepetition);
        }
        (self.halfmove_clock() >= 100).then_some(Outcome::FiftyMoves)
    }
}

impl Sealed for AnyPosition {
    fn ended_by_history(&self, occurrences: usize) -> Option<Outcome> {
        match self {
            Self::Chess(position) => position.ended_by_history(occurrences),
            Self::Makruk(position) => position.ended_by_history(occurrences),
        }
    }

    fn claimable(&self, occurrences: usize) -> Option<Outcome> {
        match self {
            Self::Chess(position) => position.claimable(occurrences),
            Self::Makruk(position) => position.claimable(occurrences),
        }
    }
}
