//! Positions that the rules of chess allow.

mod checks;
mod movegen;
mod play;

pub(crate) use movegen::relative_rank;

use crate::setup::back_rank;
use crate::{
    Bitboard, Board, CastlingRights, CastlingSide, Color, File, Flaw, Flaws, Move, Outcome, Piece,
    PositionError, Role, Setup, Square, Zobrist,
};
use halfmove_bitboard::Rank;
use thiserror::Error;

/// A legal position of chess or Chess960 (whose rules differ only in where castling starts).
///
/// Two positions are equal if the same piece stands on every square, the same side is to move, the
/// same castling is still allowed and the same en passant capture, if any, is legal. The counters
/// do not matter.
///
/// ```
/// use halfmove_rules::{Chess, Outcome, Color};
///
/// let position: Chess = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1".parse()?;
/// assert!(position.legal_moves().is_empty());
/// assert_eq!(position.outcome(), Some(Outcome::Checkmate { winner: Color::White }));
/// # Ok::<(), halfmove_rules::FenError>(())
/// ```
///
/// Playing a move gives a new position and leaves the old one as it is, so the compiler warns where
/// the new one is dropped:
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// use halfmove_rules::{Chess, Move, Square};
///
/// let position = Chess::default();
/// position.play(Move::normal(Square::E2, Square::E4)).unwrap();
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Chess {
    board: Board,
    /// Kept move by move.
    key: Zobrist,
    /// The squares of kings and rooks that may castle: who leaves or takes one ends a right.
    castlers: Bitboard,
    castling: CastlingRights,
    side_to_move: Color,
    /// The square behind a pawn that has just advanced two, if a hostile pawn stands ready to take
    /// it (legally or not). Polyglot's keys want this form, equality the legal one.
    passed: Option<Square>,
    halfmove_clock: u16,
    fullmove_number: u16,
}

/// A move that the rules do not allow here.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[error("{0} is not a legal move here")]
pub struct IllegalMove(pub Move);

impl Default for Chess {
    /// The usual start.
    fn default() -> Self {
        const BACK: [Role; 8] = [
            Role::Rook,
            Role::Knight,
            Role::Bishop,
            Role::Queen,
            Role::King,
            Role::Bishop,
            Role::Knight,
            Role::Rook,
        ];
        let mut board = Board::default();
        for color in Color::ALL {
            let pawns = if color == Color::White { Rank::Second } else { Rank::Seventh };
            for (file, role) in File::ALL.into_iter().zip(BACK) {
                board.put(Square::new(file, back_rank(color)), Piece { color, role });
                board.put(Square::new(file, pawns), Piece { color, role: Role::Pawn });
            }
        }
        Self {
            board,
            key: Zobrist::default(),
            castlers: Bitboard::EMPTY,
            castling: CastlingRights::USUAL,
            side_to_move: Color::White,
            passed: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
        .completed()
    }
}

impl Chess {
    /// The position of a setup, with what the caller forgives.
    ///
    /// Forgiven [leftovers](Flaws::LEFTOVERS) are dropped; forgiven pieces and checks that no game
    /// [reaches](Flaws::UNREACHABLE) are kept. Nothing else can be forgiven.
    ///
    /// ```
    /// use halfmove_rules::{Chess, Flaws, Setup};
    /// let setup: Setup = "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1".parse()?;
    /// assert!(Chess::from_setup(setup.clone(), Flaws::NONE).is_err());
    /// let position = Chess::from_setup(setup, Flaws::LEFTOVERS)?;
    /// assert_eq!(position.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    /// # Ok::<(), halfmove_rules::FenError>(())
    /// ```
    ///
    /// # Errors
    /// Every reason why the rules do not allow it.
    pub fn from_setup(mut setup: Setup, forgiven: Flaws) -> Result<Self, PositionError> {
        let flaws = setup.flaws();
        let unforgiven = flaws.unforgiven(forgiven);
        if !unforgiven.is_empty() {
            return Err(PositionError::new(unforgiven, setup));
        }
        if flaws.has(Flaw::Castling) {
            setup.drop_empty_rights();
        }
        Ok(Self {
            passed: setup.ep_square.filter(|_| !flaws.has(Flaw::EnPassant)),
            side_to_move: setup.side_to_move,
            castling: setup.castling,
            halfmove_clock: setup.halfmove_clock,
            fullmove_number: setup.fullmove_number,
            board: setup.board,
            key: Zobrist::default(),
            castlers: Bitboard::EMPTY,
        }
        .completed())
    }

    /// The position with the fields that follow from the others.
    fn completed(mut self) -> Self {
        self.passed = self.passed.filter(|square| !self.en_passant_takers(*square).is_empty());
        self.key = Zobrist::of(&self.board, self.side_to_move, &self.castling, self.passed);
        self.castlers =
            self.castling.iter().flat_map(|(color, _, rook)| [self.king(color), rook]).collect();
        self
    }

    /// The pieces on their squares.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whose move it is.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// Who may still castle, with which rook.
    #[inline]
    pub fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// Half-moves since the last capture or pawn move.
    #[inline]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// 1 at the start, one more after each move of Black.
    #[inline]
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// The square on which an en passant capture is legal now.
    pub fn ep_square(&self) -> Option<Square> {
        let square = self.passed?;
        self.en_passant_takers(square)
            .into_iter()
            .any(|from| self.leaves_king_safe(from, square))
            .then_some(square)
    }

    /// The square that a pawn has just passed over, if a hostile pawn stands ready to take it.
    #[inline]
    pub(crate) fn passed(&self) -> Option<Square> {
        self.passed
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        let us = self.side_to_move;
        self.board.attackers(self.king(us), !us, self.board.occupied())
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn is_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// Whether castling starts, or may still start, elsewhere than in the usual game: then UCI
    /// writes it as king takes rook.
    pub fn is_chess960(&self) -> bool {
        self.castling.iter().any(|(color, _, rook)| {
            CastlingRights::USUAL.iter().all(|(_, _, usual)| usual != rook)
                || self.king(color).file() != File::E
        })
    }

    /// How the game has ended on the board, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.has_moves() {
            return Some(if self.is_check() {
                Outcome::Checkmate { winner: !self.side_to_move }
            } else {
                Outcome::Stalemate
            });
        }
        self.has_insufficient_material().then_some(Outcome::InsufficientMaterial)
    }

    /// The Polyglot key. It is kept from move to move, so asking for it costs nothing.
    #[inline]
    pub fn zobrist(&self) -> Zobrist {
        self.key
    }

    /// What a FEN says of this position; the en passant square only where a capture is legal.
    pub fn to_setup(&self) -> Setup {
        Setup {
            board: self.board.clone(),
            side_to_move: self.side_to_move,
            castling: self.castling,
            ep_square: self.ep_square(),
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
        }
    }

    /// The square of a side's king.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        // Validation gave each side one king, and nothing takes a king.
        (self.board.by_role(Role::King) & self.board.by_color(color)).first().unwrap_or(Square::A1)
    }

    #[inline]
    fn ours(&self, role: Role) -> Bitboard {
        self.board.by_color(self.side_to_move) & self.board.by_role(role)
    }

    /// Whether our king is safe after the piece on `from` goes to `to` (castling aside).
    ///
    /// Plays the move on a copy of the occupancy only, so it is exact for pins, for checks that are
    /// answered or not, and for the two pawns that leave a rank at once in an en passant capture.
    #[inline]
    pub(crate) fn leaves_king_safe(&self, from: Square, to: Square) -> bool {
        let us = self.side_to_move;
        let king = self.king(us);
        let mut taken = Bitboard::square(to);
        let mut occupied = (self.board.occupied() - from) | taken;
        if Some(to) == self.passed && self.board.by_role(Role::Pawn).has(from) {
            taken = taken.forward(!us);
            occupied -= taken;
        }
        let king = if from == king { to } else { king };
        (self.board.attackers(king, !us, occupied) - taken).is_empty()
    }

    /// The squares that a king and a rook must find empty or safe to castle on a wing: where the
    /// king goes, where the rook goes.
    #[inline]
    pub(crate) fn castling_targets(king: Square, rook: Square) -> (Square, Square) {
        let side = CastlingSide::of(king, rook);
        let rank = king.rank();
        (Square::new(side.king_file(), rank), Square::new(side.rook_file(), rank))
    }
}

impl PartialEq for Chess {
    fn eq(&self, other: &Self) -> bool {
        self.board == other.board
            && self.side_to_move == other.side_to_move
            && self.castling == other.castling
            && self.ep_square() == other.ep_square()
    }
}

impl Eq for Chess {}
