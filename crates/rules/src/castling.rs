//! Castling rights.

use crate::{Bitboard, Color, File, Square};

/// The wing a king castles to, named by where it ends, not by where it starts.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum CastlingSide {
    /// King to the g-file, rook to the f-file.
    KingSide,
    /// King to the c-file, rook to the d-file.
    QueenSide,
}

impl CastlingSide {
    /// Both wings, the king's first.
    pub const ALL: [Self; 2] = [Self::KingSide, Self::QueenSide];

    /// The file on which the king ends.
    #[inline]
    pub const fn king_file(self) -> File {
        match self {
            Self::KingSide => File::G,
            Self::QueenSide => File::C,
        }
    }

    /// The file on which the rook ends.
    #[inline]
    pub const fn rook_file(self) -> File {
        match self {
            Self::KingSide => File::F,
            Self::QueenSide => File::D,
        }
    }

    /// The wing on which a rook stands, seen from its king.
    #[inline]
    pub fn of(king: Square, rook: Square) -> Self {
        if rook > king { Self::KingSide } else { Self::QueenSide }
    }
}

/// Which rooks each king may still castle with. In Chess960 a rook may stand on any file, so a
/// right is the rook's square.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CastlingRights {
    rooks: [[Option<Square>; 2]; 2],
}

impl CastlingRights {
    /// No rights.
    pub const NONE: Self = Self { rooks: [[None; 2]; 2] };

    /// All four, with the rooks in the corners.
    pub const USUAL: Self = Self {
        rooks: [[Some(Square::H1), Some(Square::A1)], [Some(Square::H8), Some(Square::A8)]],
    };

    /// The square of the rook that a side may castle with on a wing.
    #[inline]
    pub const fn rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        self.rooks[color.index()][side as usize]
    }

    /// Gives (or, with `None`, takes) a right.
    #[inline]
    pub const fn set(&mut self, color: Color, side: CastlingSide, rook: Option<Square>) {
        self.rooks[color.index()][side as usize] = rook;
    }

    /// Whether nobody may castle.
    #[inline]
    pub fn is_empty(&self) -> bool {
        *self == Self::NONE
    }

    /// Takes both rights of a side: its king moved.
    #[inline]
    pub const fn remove_color(&mut self, color: Color) {
        self.rooks[color.index()] = [None; 2];
    }

    /// Takes the right that depends on a rook on this square, if there is one.
    #[inline]
    pub fn remove_rook(&mut self, square: Square) {
        for right in self.rooks.as_flattened_mut() {
            if *right == Some(square) {
                *right = None;
            }
        }
    }

    /// The squares of all rooks with a right.
    #[inline]
    pub fn rooks(&self) -> Bitboard {
        self.rooks.as_flattened().iter().flatten().copied().collect()
    }

    /// Every right there is: the side, the wing and the rook's square.
    pub fn iter(&self) -> impl Iterator<Item = (Color, CastlingSide, Square)> + '_ {
        Color::ALL.into_iter().flat_map(move |color| {
            CastlingSide::ALL
                .into_iter()
                .filter_map(move |side| Some((color, side, self.rook(color, side)?)))
        })
    }
}
