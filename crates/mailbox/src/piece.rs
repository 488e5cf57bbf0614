//! Kinds of pieces and the offsets by which they move (the source's sections *Board State Structure* and *Direction
//! Offsets*).

use super::Index;
use halfmove_rules::{self as nouns, Color, Role};

/// A kind of piece: the roles of all games, and the promoted bia.
///
/// A promoted bia moves like a met. It is a separate kind because some notations distinguish it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A pawn; Makruk's bia.
    Pawn,
    /// A knight; Makruk's ma.
    Knight,
    /// A bishop.
    Bishop,
    /// A rook; Makruk's ruea.
    Rook,
    /// A queen.
    Queen,
    /// A king; Makruk's khun.
    King,
    /// Makruk's khon.
    Khon,
    /// Makruk's met.
    Met,
    /// A promoted bia.
    FlippedBia,
}

impl Kind {
    /// All nine.
    pub const ALL: [Self; 9] = [
        Self::Pawn,
        Self::Knight,
        Self::Bishop,
        Self::Rook,
        Self::Queen,
        Self::King,
        Self::Khon,
        Self::Met,
        Self::FlippedBia,
    ];

    /// The role; a promoted bia has that of a met.
    pub const fn role(self) -> Role {
        match self {
            Self::Pawn => Role::Pawn,
            Self::Knight => Role::Knight,
            Self::Bishop => Role::Bishop,
            Self::Rook => Role::Rook,
            Self::Queen => Role::Queen,
            Self::King => Role::King,
            Self::Khon => Role::Khon,
            Self::Met | Self::FlippedBia => Role::Met,
        }
    }
}

impl From<Role> for Kind {
    fn from(role: Role) -> Self {
        match role {
            Role::Pawn => Self::Pawn,
            Role::Knight => Self::Knight,
            Role::Bishop => Self::Bishop,
            Role::Rook => Self::Rook,
            Role::Queen => Self::Queen,
            Role::King => Self::King,
            Role::Khon => Self::Khon,
            Role::Met => Self::Met,
        }
    }
}

/// A piece: a color and a kind.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The side it belongs to.
    pub color: Color,
    /// Its kind.
    pub kind: Kind,
}

impl From<nouns::Piece> for Piece {
    fn from(piece: nouns::Piece) -> Self {
        Self { color: piece.color, kind: piece.role.into() }
    }
}

impl From<Piece> for nouns::Piece {
    /// A promoted bia is a met.
    fn from(piece: Piece) -> Self {
        Self { color: piece.color, role: piece.kind.role() }
    }
}

const STRAIGHT: [i8; 4] = [Index::NORTH, Index::SOUTH, Index::EAST, Index::WEST];
const DIAGONAL: [i8; 4] =
    [Index::NORTH_EAST, Index::NORTH_WEST, Index::SOUTH_EAST, Index::SOUTH_WEST];
const ALL_AROUND: [i8; 8] = [16, -16, 1, -1, 17, 15, -15, -17];
const KNIGHT: [i8; 8] = [33, 31, 18, 14, -14, -18, -31, -33];
const WHITE_PAWN: [i8; 2] = [17, 15];
const BLACK_PAWN: [i8; 2] = [-15, -17];
const WHITE_KHON: [i8; 5] = [17, 15, -15, -17, 16];
const BLACK_KHON: [i8; 5] = [17, 15, -15, -17, -16];

impl Piece {
    /// The offsets by which it attacks, and true if it slides along them.
    pub(crate) const fn attack_offsets(self) -> (&'static [i8], bool) {
        match (self.kind, self.color) {
            (Kind::Pawn, Color::White) => (&WHITE_PAWN, false),
            (Kind::Pawn, Color::Black) => (&BLACK_PAWN, false),
            (Kind::Knight, _) => (&KNIGHT, false),
            (Kind::Bishop, _) => (&DIAGONAL, true),
            (Kind::Rook, _) => (&STRAIGHT, true),
            (Kind::Queen, _) => (&ALL_AROUND, true),
            (Kind::King, _) => (&ALL_AROUND, false),
            (Kind::Khon, Color::White) => (&WHITE_KHON, false),
            (Kind::Khon, Color::Black) => (&BLACK_KHON, false),
            (Kind::Met | Kind::FlippedBia, _) => (&DIAGONAL, false),
        }
    }
}

/// One rank ahead, as seen from a side.
pub(crate) const fn forward(color: Color) -> i8 {
    match color {
        Color::White => Index::NORTH,
        Color::Black => Index::SOUTH,
    }
}

/// A rank (from 0) as seen from a side: its own first rank is 0.
pub(crate) const fn relative_rank(color: Color, index: Index) -> u8 {
    match color {
        Color::White => index.rank(),
        Color::Black => 7 - index.rank(),
    }
}
