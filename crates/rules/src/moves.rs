//! Moves in two bytes.

mod list;

pub use list::{MoveList, MoveListIter};

use crate::{Bitboard, Role, Square};
use core::fmt;
use halfmove_bitboard::cpu::Cpu;

/// A half-move in two bytes: origin, target, promotion, and a mark for castling.
///
/// ```text
///  bit   15  14 13 12  11 10 9 8 7 6  5 4 3 2 1 0
///      castle  promotion      to            from
/// ```
///
/// Castling is stored as the king taking its own rook (e1 to h1), the only form that is unambiguous
/// in Chess960. An en passant capture is an ordinary pawn move.
///
/// A move is independent of any position: it is just squares, and need not be legal anywhere
/// ([`Chess::is_legal`](crate::Chess::is_legal)). All moves round-trip through [`to_bits`](Self::to_bits) and
/// [`from_bits`](Self::from_bits), and two moves are equal if and only if their bits are.
///
/// `Display` writes UCI, with castling as the king taking its own rook: `e2e4`, `e7e8q`, `e1h1`, and `0000` for
/// [`Move::NULL`]. [`Chess::uci`](crate::Chess::uci) writes castling in the style of its game.
///
/// ```
/// use halfmove_rules::{Move, Role, Square};
/// let mv = Move::normal(Square::E2, Square::E4);
/// assert_eq!((mv.from(), mv.to()), (Square::E2, Square::E4));
/// assert_eq!(Move::from_bits(mv.to_bits()), Some(mv));
/// assert_eq!(mv.to_string(), "e2e4");
/// assert_eq!(Move::promote(Square::E7, Square::E8, Role::King), None);
/// assert_eq!(size_of::<Move>(), 2);
/// ```
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

const CASTLE: u16 = 1 << 15;

impl Move {
    /// The null move, with which a side passes: `--` in SAN, `0000` in UCI. All its bits are 0.
    ///
    /// It is never legal, and lists of legal moves do not contain it. But annotators use it in games, so positions can
    /// [play](crate::Chess::play_unchecked) it unless the side to move is in check.
    ///
    /// ```
    /// use halfmove_rules::{Chess, Color, Move};
    /// let start = Chess::default();
    /// assert!(!start.is_legal(Move::NULL));
    /// assert_eq!(start.san(Move::NULL).as_str(), "--");
    /// assert_eq!(Move::NULL.to_string(), "0000");
    /// let mut next = start.clone();
    /// next.play_unchecked(Move::NULL);
    /// assert_eq!(Some(next), start.null_move());
    /// ```
    pub const NULL: Move = Move(0);

    /// Returns true for [`Move::NULL`].
    #[inline]
    pub const fn is_null(self) -> bool {
        self.0 == 0
    }

    /// A move that is neither a promotion nor castling.
    #[inline]
    pub const fn normal(from: Square, to: Square) -> Self {
        Self(from as u16 | (to as u16) << 6)
    }

    /// A promotion; `None` for the two roles that no pawn can become, pawn and king.
    ///
    /// ```
    /// use halfmove_rules::{Move, Role, Square};
    /// let queen = Move::promote(Square::A7, Square::A8, Role::Queen).expect("a pawn may");
    /// assert_eq!(queen.promotion(), Some(Role::Queen));
    /// assert_eq!(Move::promote(Square::A7, Square::A8, Role::Pawn), None);
    /// ```
    #[inline]
    pub const fn promote(from: Square, to: Square, role: Role) -> Option<Self> {
        match role {
            Role::Pawn | Role::King => None,
            _ => Some(Self::promoting(from, to, role)),
        }
    }

    /// [`Move::promote`] for a role that is known to be valid.
    #[inline]
    pub(crate) const fn promoting(from: Square, to: Square, role: Role) -> Self {
        debug_assert!(!matches!(role, Role::Pawn | Role::King));
        Self(Self::normal(from, to).0 | (role as u16) << 12)
    }

    /// Castling: the king's square and the rook's.
    #[inline]
    pub const fn castle(king: Square, rook: Square) -> Self {
        Self(Self::normal(king, rook).0 | CASTLE)
    }

    /// The origin of the move.
    #[inline]
    pub const fn from(self) -> Square {
        Square::wrapping(self.0 as u8)
    }

    /// The target of the move; for castling, the rook's square.
    #[inline]
    pub const fn to(self) -> Square {
        Square::wrapping((self.0 >> 6) as u8)
    }

    /// The role that a pawn promotes to.
    #[inline]
    pub const fn promotion(self) -> Option<Role> {
        match self.0 >> 12 & 7 {
            1 => Some(Role::Knight),
            2 => Some(Role::Bishop),
            3 => Some(Role::Rook),
            4 => Some(Role::Queen),
            6 => Some(Role::Khon),
            7 => Some(Role::Met),
            _ => None,
        }
    }

    /// Returns true if this is castling.
    #[inline]
    pub const fn is_castle(self) -> bool {
        self.0 & CASTLE != 0
    }

    /// The two bytes.
    #[inline]
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// The move with these bits. `None` if no constructor makes it: a promotion to a king, or
    /// castling with a promotion.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        let promotion = bits >> 12 & 7;
        if promotion == 5 || promotion != 0 && bits & CASTLE != 0 { None } else { Some(Self(bits)) }
    }
}

/// The kind of a move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum MoveKind {
    /// Any other move, including captures and en passant captures.
    Normal,
    /// A pawn of chess reaches the last rank: four moves per target.
    Promotion,
    /// A bia of Makruk becomes a met: one move per target.
    ToMet,
    /// A bia of ASEAN chess reaches the last rank: four moves per target, to met, rook, khon or
    /// knight.
    AseanPromotion,
    /// Castling; the target is the rook's square.
    Castle,
}

/// Legal moves that differ only in their target: those of one piece, or of all pawns that move in one direction.
/// Iterate over it to get the moves.
///
/// ```
/// use core::ops::ControlFlow;
/// use halfmove_rules::{Chess, Role};
///
/// let position: Chess = "8/1P6/8/8/8/8/8/k1K5 w - - 0 1".parse()?;
/// let mut moves = Vec::new();
/// let _: ControlFlow<()> = position.visit_moves(|shown| {
///     if shown.role() == Role::Pawn {
///         moves.extend(shown.into_iter().map(|mv| mv.to_string()));
///     }
///     ControlFlow::Continue(())
/// });
/// assert_eq!(moves, ["b7b8q", "b7b8r", "b7b8b", "b7b8n"]);
/// # Ok::<(), halfmove_rules::FenError>(())
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PieceMoves {
    targets: Bitboard,
    role: Role,
    kind: MoveKind,
    /// A move to a target starts from `origin + (target & follows)`, modulo 64: from a fixed square if `follows` is 0,
    /// from a fixed step before the target if it is 63.
    origin: u8,
    follows: u8,
}

impl PieceMoves {
    /// The moves of one piece.
    #[inline(always)]
    pub(crate) fn of_piece(
        role: Role,
        from: Square,
        targets: impl Into<Bitboard>,
        kind: MoveKind,
    ) -> Self {
        Self { targets: targets.into(), role, kind, origin: from as u8, follows: 0 }
    }

    /// The moves of pawns, each from its target minus `step`.
    #[inline(always)]
    pub(crate) const fn of_pawns(step: i8, targets: Bitboard, kind: MoveKind) -> Self {
        Self { targets, role: Role::Pawn, kind, origin: step.wrapping_neg() as u8, follows: 63 }
    }

    /// The role of the piece or pieces that move.
    #[inline]
    pub const fn role(&self) -> Role {
        self.role
    }

    /// The kind of these moves.
    #[inline]
    pub const fn kind(&self) -> MoveKind {
        self.kind
    }

    /// The target squares; for castling, the rook's square.
    #[inline]
    pub const fn targets(&self) -> Bitboard {
        self.targets
    }

    /// The square from which the move to one of the targets starts; unspecified for other squares.
    #[inline]
    pub const fn from(&self, target: Square) -> Square {
        Square::wrapping(self.origin.wrapping_add(target as u8 & self.follows))
    }

    /// The moves to some of the targets only.
    ///
    /// ```
    /// use core::ops::ControlFlow;
    /// use halfmove_rules::{Bitboard, Chess, File};
    ///
    /// let mut to_the_center = 0;
    /// let _: ControlFlow<()> = Chess::default().visit_moves(|moves| {
    ///     to_the_center += moves.within(Bitboard::file(File::D) | File::E).len();
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(to_the_center, 4);
    /// ```
    #[inline]
    #[must_use]
    pub const fn within(self, targets: Bitboard) -> Self {
        Self { targets: Bitboard(self.targets.0 & targets.0), ..self }
    }

    /// The number of moves: four per target for promotions.
    #[inline]
    pub const fn len(&self) -> usize {
        let each = match self.kind {
            MoveKind::Promotion | MoveKind::AseanPromotion => 2,
            MoveKind::Normal | MoveKind::ToMet | MoveKind::Castle => 0,
        };
        (self.targets.len() as usize) << each
    }

    /// The moves at the beginning of a block, if each target has at most one move.
    #[inline(always)]
    pub(crate) fn block<C: Cpu>(&self, cpu: C) -> Option<[Move; 32]> {
        let flags = match self.kind {
            MoveKind::Normal => 0,
            MoveKind::Castle => CASTLE,
            MoveKind::ToMet => (Role::Met as u16) << 12,
            MoveKind::Promotion | MoveKind::AseanPromotion => return None,
        };
        // A pawn's origin is its target plus a constant, so the move's bits are a multiple of the target plus a
        // constant.
        let (factor, distance) = match self.follows {
            0 => (1 << 6, u16::from(self.origin)),
            _ => (1 << 6 | 1, self.origin as i8 as u16),
        };
        let offset = distance.wrapping_add(flags);
        let bits = cpu.multiples(self.targets, factor, offset);
        let mut block = [Move(0); 32];
        for (mv, bits) in block.iter_mut().zip(bits) {
            mv.0 = bits;
        }
        Some(block)
    }

    /// Returns true if there are no moves.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }
}

impl IntoIterator for PieceMoves {
    type Item = Move;
    type IntoIter = PieceMovesIter;

    #[inline(always)]
    fn into_iter(self) -> PieceMovesIter {
        let (flags, roles) = match self.kind {
            MoveKind::Normal => (0, &[][..]),
            MoveKind::Castle => (CASTLE, &[][..]),
            MoveKind::ToMet => ((Role::Met as u16) << 12, &[][..]),
            MoveKind::Promotion => (0, &Role::PROMOTIONS[..]),
            MoveKind::AseanPromotion => (0, &crate::makruk::ASEAN_PROMOTIONS[..]),
        };
        PieceMovesIter { moves: self, flags, roles, promotion: 0 }
    }
}

/// The moves of [`PieceMoves`], one by one.
#[derive(Clone, Debug)]
pub struct PieceMovesIter {
    moves: PieceMoves,
    /// The highest bits of every move.
    flags: u16,
    /// The roles to which a pawn may promote; empty for moves that are not promotions.
    roles: &'static [Role],
    /// The index of the next promotion on the first target.
    promotion: usize,
}

impl Iterator for PieceMovesIter {
    type Item = Move;

    #[inline(always)]
    fn next(&mut self) -> Option<Move> {
        let to = self.moves.targets.first()?;
        let from = self.moves.from(to);
        let Some(role) = self.roles.get(self.promotion) else {
            self.moves.targets -= to;
            return Some(Move(Move::normal(from, to).0 | self.flags));
        };
        self.promotion += 1;
        if self.promotion == self.roles.len() {
            self.promotion = 0;
            self.moves.targets -= to;
        }
        Some(Move::promoting(from, to, *role))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.moves.len() - self.promotion;
        (left, Some(left))
    }
}

impl ExactSizeIterator for PieceMovesIter {}

impl fmt::Display for Move {
    /// UCI, with castling as the king taking its own rook.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.uci(crate::CastlingStyle::KingTakesRook).fmt(f)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
