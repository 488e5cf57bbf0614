//! Legal positions of chess.

mod checks;
mod movegen;
pub(crate) mod node;
mod play;

pub(crate) use movegen::relative_rank;

use crate::{
    Bitboard, Board, CastlingMode, CastlingRights, CastlingSide, Color, EnPassantMode, Flaw, Flaws,
    Move, MoveKind, MoveList, Outcome, PieceMoves, PositionError, Role, Setup, Square, Zobrist,
    en_passant_key,
};
use core::hash::{Hash, Hasher};
use core::ops::ControlFlow;
use halfmove_bitboard::bitboard;
use thiserror::Error;

/// A legal position of chess or Chess960. The two games differ only in the squares from which castling
/// is possible.
///
/// Two positions are equal if the same pieces stand on the same squares, the same side is to move,
/// the castling rights are the same, and the same en passant capture (or none) is legal. The move
/// counters and the castling mode do not matter.
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
/// Playing a move returns a new position and leaves the old one unchanged. The compiler warns if
/// you drop the result:
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
    /// Updated incrementally.
    key: Zobrist,
    /// The squares of kings and rooks that may castle: a move from or to one of them revokes a
    /// right.
    castlers: Bitboard,
    castling: CastlingRights,
    side_to_move: Color,
    /// Belongs to the game, not to the position: equality and keys ignore it.
    castling_mode: CastlingMode,
    /// The square behind a pawn that has just advanced two squares, whether or not it can be
    /// captured en passant.
    ep_square: Option<Square>,
    halfmove_clock: u16,
    fullmove_number: u16,
}

/// A move that is not legal in the position.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[error("{0} is not a legal move here")]
pub struct IllegalMove(pub Move);

impl Default for Chess {
    /// The standard starting position.
    #[inline]
    fn default() -> Self {
        // PGN readers start a game here every microsecond, so everything is precomputed.
        const USUAL: Chess = Chess {
            board: Board::USUAL,
            key: Zobrist::USUAL,
            castlers: bitboard! {
                1 . . . 1 . . 1
                . . . . . . . .
                . . . . . . . .
                . . . . . . . .
                . . . . . . . .
                . . . . . . . .
                . . . . . . . .
                1 . . . 1 . . 1
            },
            castling: CastlingRights::USUAL,
            side_to_move: Color::White,
            castling_mode: CastlingMode::Standard,
            ep_square: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        };
        USUAL
    }
}

impl Chess {
    /// Validates a setup as a position of standard chess, except for the flaws that the caller
    /// forgives. For Chess960 use [`Chess::from_setup_in`].
    ///
    /// Forgiven [leftovers](Flaws::LEFTOVERS) are dropped. Forgiven material and checks that no
    /// game [can reach](Flaws::UNREACHABLE) are kept. No other flaw can be forgiven.
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
    /// [`PositionError`], with every flaw that was not forgiven.
    pub fn from_setup(setup: Setup, forgiven: Flaws) -> Result<Self, PositionError> {
        Self::from_setup_in(setup, Some(CastlingMode::Standard), forgiven)
    }

    /// [`Chess::from_setup`] with a castling mode; `None` means [infer it from the
    /// setup](Setup::castling_mode).
    ///
    /// ```
    /// use halfmove_rules::{CastlingMode, Chess, Flaws, Setup};
    ///
    /// let setup: Setup = "4k3/8/8/8/8/8/8/1R2K2R w KQ - 0 1".parse()?;
    /// let chess960 = Chess::from_setup_in(setup.clone(), None, Flaws::NONE)?;
    /// assert_eq!(chess960.castling_mode(), CastlingMode::Chess960);
    /// // In standard chess the rook on b1 cannot castle. If forgiven, its right is dropped.
    /// assert!(Chess::from_setup(setup.clone(), Flaws::NONE).is_err());
    /// let standard = Chess::from_setup(setup, Flaws::LEFTOVERS)?;
    /// assert_eq!(standard.to_string(), "4k3/8/8/8/8/8/8/1R2K2R w K - 0 1");
    /// # Ok::<(), halfmove_rules::FenError>(())
    /// ```
    ///
    /// # Errors
    /// [`PositionError`], with every flaw that was not forgiven.
    pub fn from_setup_in(
        mut setup: Setup,
        mode: Option<CastlingMode>,
        forgiven: Flaws,
    ) -> Result<Self, PositionError> {
        let castling_mode = mode.unwrap_or_else(|| setup.castling_mode());
        let flaws = setup.flaws_in(castling_mode);
        let unforgiven = flaws.unforgiven(forgiven);
        if !unforgiven.is_empty() {
            return Err(PositionError::new(unforgiven, setup, castling_mode));
        }
        if flaws.has(Flaw::Castling) {
            setup.drop_empty_rights(castling_mode);
        }
        Ok(Self {
            castling_mode,
            ep_square: setup.ep_square.filter(|_| !flaws.has(Flaw::EnPassant)),
            side_to_move: setup.side_to_move,
            castling: setup.castling,
            halfmove_clock: setup.halfmove_clock,
            fullmove_number: setup.fullmove_number.max(1),
            board: setup.board,
            key: Zobrist::default(),
            castlers: Bitboard::EMPTY,
        }
        .completed())
    }

    /// Computes the fields that are derived from others.
    fn completed(mut self) -> Self {
        let ep_square = self.pseudo_ep_square();
        self.key = Zobrist::of(&self.board, self.side_to_move, &self.castling, ep_square);
        self.castlers =
            self.castling.iter().flat_map(|(color, _, rook)| [self.king(color), rook]).collect();
        self
    }

    /// The pieces on their squares.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The side to move.
    #[doc(alias = "turn")]
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The castling rights.
    #[doc(alias("castling_rights", "castles"))]
    #[inline]
    pub fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// Half-moves since the last capture or pawn move.
    #[doc(alias = "halfmoves")]
    #[inline]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// Starts at 1 and increases after each move of Black.
    #[doc(alias = "fullmoves")]
    #[inline]
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// The en passant square, if a capture there is legal.
    pub fn ep_square(&self) -> Option<Square> {
        let square = self.ep_square?;
        self.en_passant_takers(square)
            .into_iter()
            .any(|from| self.leaves_king_safe(from, square))
            .then_some(square)
    }

    /// The square behind a pawn that has just advanced two squares; `mode` decides when it counts.
    ///
    /// ```
    /// use halfmove_rules::{Chess, EnPassantMode, Square};
    ///
    /// let start = Chess::default();
    /// let next = start.play(start.parse_san("e4")?)?;
    /// assert_eq!(next.ep_square_as(EnPassantMode::Legal), None);
    /// assert_eq!(next.ep_square_as(EnPassantMode::Always), Some(Square::E3));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn ep_square_as(&self, mode: EnPassantMode) -> Option<Square> {
        match mode {
            EnPassantMode::Legal => self.ep_square(),
            EnPassantMode::PseudoLegal => self.pseudo_ep_square(),
            EnPassantMode::Always => self.ep_square,
        }
    }

    /// The square behind a pawn that has just advanced two squares, if an enemy pawn stands ready
    /// to capture it, legally or not. Polyglot's keys include this one.
    #[inline]
    pub(crate) fn pseudo_ep_square(&self) -> Option<Square> {
        self.ep_square.filter(|square| !self.en_passant_takers(*square).is_empty())
    }

    /// The castling mode: standard chess or Chess960.
    #[inline]
    pub fn castling_mode(&self) -> CastlingMode {
        self.castling_mode
    }

    /// The same position as part of a game of Chess960. Only the way castling is written changes.
    ///
    /// ```
    /// use halfmove_rules::{CastlingMode, Chess};
    /// let start = Chess::default().into_chess960();
    /// assert_eq!(start.castling_mode(), CastlingMode::Chess960);
    /// assert_eq!(start, Chess::default());
    /// ```
    pub fn into_chess960(mut self) -> Self {
        self.castling_mode = CastlingMode::Chess960;
        self
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        let us = self.side_to_move;
        self.board.attackers(self.king(us), !us, self.board.occupied())
    }

    /// Returns true if the side to move is in check.
    #[inline]
    pub fn is_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// Returns true if this is Chess960, where UCI writes castling as the king taking its own rook.
    #[inline]
    pub fn is_chess960(&self) -> bool {
        self.castling_mode == CastlingMode::Chess960
    }

    /// The outcome, if the position itself ends the game: checkmate, stalemate or insufficient material.
    ///
    /// Other dead positions end the game too (article 5.2.2) but, as in most programs, are not
    /// detected here: [`Chess::is_dead`] recognizes some of them. Repetition and the fifty-move
    /// rule depend on earlier moves: see [`History`](crate::History).
    ///
    /// ```
    /// use halfmove_rules::{Chess, Outcome};
    ///
    /// let bare: Chess = "4k3/8/8/8/8/8/8/4K3 w - - 0 1".parse()?;
    /// assert_eq!(bare.outcome(), Some(Outcome::InsufficientMaterial));
    /// let wall: Chess = "4k3/8/1p1p1p1p/1P1P1P1P/8/8/8/4K3 w - - 0 1".parse()?;
    /// assert_eq!((wall.outcome(), wall.is_dead()), (None, true));
    /// # Ok::<(), halfmove_rules::FenError>(())
    /// ```
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.has_moves() {
            return Some(if self.is_check() {
                Outcome::Checkmate { winner: !self.side_to_move }
            } else {
                Outcome::Stalemate
            });
        }
        self.is_insufficient_material().then_some(Outcome::InsufficientMaterial)
    }

    /// The legal promotions, including those that capture, which [`captures`](Self::captures) lists too.
    ///
    /// ```
    /// use halfmove_rules::Chess;
    /// let position: Chess = "8/4P3/8/8/8/8/k7/7K w - - 0 1".parse()?;
    /// assert_eq!(position.promotions().len(), 4);
    /// # Ok::<(), halfmove_rules::FenError>(())
    /// ```
    pub fn promotions(&self) -> MoveList {
        let mut moves = MoveList::new();
        let _: ControlFlow<()> = self.visit_moves(|piece| {
            if piece.kind() == MoveKind::Promotion {
                moves.extend(piece);
            }
            ControlFlow::Continue(())
        });
        moves
    }

    /// The legal castling moves, king side first.
    ///
    /// ```
    /// use halfmove_rules::{Chess, Move, Square};
    /// let position: Chess = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1".parse()?;
    /// assert_eq!(position.castlings()[0], Move::castle(Square::E1, Square::H1));
    /// assert_eq!(position.castlings()[1], Move::castle(Square::E1, Square::A1));
    /// # Ok::<(), halfmove_rules::FenError>(())
    /// ```
    pub fn castlings(&self) -> MoveList {
        let mut moves = MoveList::new();
        CastlingSide::ALL.into_iter().filter_map(|side| self.castle(side)).for_each(|castle| {
            moves.extend(PieceMoves::of_piece(
                Role::King,
                castle.from(),
                castle.to(),
                MoveKind::Castle,
            ));
        });
        moves
    }

    /// The same position with colors swapped: the board is mirrored top to bottom, and the pieces,
    /// castling rights and side to move change color. The counters stay the same.
    ///
    /// ```
    /// use halfmove_rules::Chess;
    /// let position: Chess = "4k3/8/8/8/4P3/8/8/4K2R b K - 3 9".parse()?;
    /// assert_eq!(position.flipped().to_string(), "4k2r/8/8/4p3/8/8/8/4K3 w k - 3 9");
    /// assert_eq!(position.flipped().flipped(), position);
    /// # Ok::<(), halfmove_rules::FenError>(())
    /// ```
    pub fn flipped(&self) -> Self {
        let mut castling = CastlingRights::NONE;
        for (color, side, rook) in self.castling.iter() {
            castling.set(!color, side, Some(rook.flip_vertical()));
        }
        Self {
            board: self.board.flipped(),
            castling,
            side_to_move: !self.side_to_move,
            ep_square: self.ep_square.map(Square::flip_vertical),
            key: Zobrist::default(),
            castlers: Bitboard::EMPTY,
            ..*self
        }
        .completed()
    }

    /// The Polyglot key, under which books list the position. It is updated incrementally, so reading it is free. Equal
    /// positions may have different ones: see [`key`](Self::key).
    #[inline]
    pub fn zobrist(&self) -> Zobrist {
        self.key
    }

    /// The key of the position: equal positions have equal keys, whether they were reached by moves or read from a FEN
    /// that states the en passant square always, only if a pawn is next to it, or only if a capture there is legal.
    /// It is [Polyglot's](Self::zobrist) without an en passant capture that a pin or a check forbids.
    ///
    /// ```
    /// use halfmove_rules::Chess;
    ///
    /// // The pawn on e4 is pinned: it cannot capture the pawn that has just moved to d4.
    /// let before: Chess = "4k3/8/8/8/4p3/8/3P4/K3R3 w - - 0 1".parse()?;
    /// let after = before.play(before.parse_san("d4")?)?;
    /// let read: Chess = after.to_string().parse()?;
    /// assert_eq!((&read, read.key()), (&after, after.key()));
    /// assert_ne!(read.zobrist(), after.zobrist());
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[inline]
    pub fn key(&self) -> Zobrist {
        match self.pseudo_ep_square() {
            Some(square) if self.ep_square().is_none() => {
                Zobrist(self.key.0 ^ en_passant_key(square.file()))
            }
            _ => self.key,
        }
    }

    /// The contents of a FEN of this position, with the en passant square only if a capture there
    /// is legal.
    pub fn to_setup(&self) -> Setup {
        self.to_setup_as(EnPassantMode::Legal)
    }

    /// The contents of a FEN of this position; `en_passant` decides when the en passant square is given.
    /// Some programs write it after every double step.
    ///
    /// ```
    /// use halfmove_rules::{Chess, EnPassantMode};
    ///
    /// let start = Chess::default();
    /// let next = start.play(start.parse_san("e4")?)?;
    /// let always = next.to_setup_as(EnPassantMode::Always);
    /// assert_eq!(
    ///     always.to_string(),
    ///     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
    /// );
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn to_setup_as(&self, en_passant: EnPassantMode) -> Setup {
        Setup {
            board: self.board.clone(),
            side_to_move: self.side_to_move,
            castling: self.castling,
            ep_square: self.ep_square_as(en_passant),
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
        }
    }

    /// The square of a side's king.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        // Validation ensures one king a side, and kings are never captured.
        (self.board.by_role(Role::King) & self.board.by_color(color)).first().unwrap_or(Square::A1)
    }

    #[inline]
    fn ours(&self, role: Role) -> Bitboard {
        self.board.by_color(self.side_to_move) & self.board.by_role(role)
    }

    /// Returns true if our king is safe after the piece on `from` moves to `to` (not for castling).
    ///
    /// It makes the move on the occupied squares only. That handles pins, check evasions, and en
    /// passant captures, where two pawns leave the same rank at once.
    #[inline]
    pub(crate) fn leaves_king_safe(&self, from: Square, to: Square) -> bool {
        let us = self.side_to_move;
        let king = self.king(us);
        let mut taken = Bitboard::square(to);
        let mut occupied = (self.board.occupied() - from) | taken;
        if Some(to) == self.ep_square && self.board.by_role(Role::Pawn).has(from) {
            taken = taken.forward(!us);
            occupied -= taken;
        }
        let king = if from == king { to } else { king };
        (self.board.attackers(king, !us, occupied) - taken).is_empty()
    }

    /// The target squares of king and rook when they castle.
    #[inline]
    pub(crate) const fn castling_targets(king: Square, rook: Square) -> (Square, Square) {
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

impl Hash for Chess {
    /// Hashes only the fields that equality compares.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.board.hash(state);
        self.side_to_move.hash(state);
        self.castling.hash(state);
        self.ep_square().hash(state);
    }
}
