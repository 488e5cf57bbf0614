//! Castling modes, sides and rights.

use crate::{Bitboard, Color, File, Square};

/// The castling mode of a [`Chess`](crate::Chess): standard chess or Chess960. It determines from
/// which squares a side may castle, and how UCI writes castling. The position alone does not show the
/// mode: start number 518 of Chess960 looks like standard chess, and so does every position without
/// castling rights.
///
/// In an argument of type `Option<CastlingMode>`, `None` means *infer it from the FEN*:
/// [`Setup::castling_mode`](crate::Setup::castling_mode).
///
/// ```
/// use halfmove_rules::{CastlingMode, Chess};
///
/// let fen = "r3k2r/8/8/8/8/8/8/1R2K2R w KQkq - 0 1";
/// assert!(fen.parse::<Chess>().is_err());
///
/// let position = Chess::from_fen(fen, Some(CastlingMode::Chess960))?;
/// assert_eq!(position.castling_mode(), CastlingMode::Chess960);
/// let castle = position.parse_uci("e1h1")?;
/// assert_eq!(position.uci(castle).to_string(), "e1h1");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum CastlingMode {
    /// Standard chess: the king castles from the e-file, with a rook on the a-file or the h-file.
    /// UCI writes `e1g1`.
    #[default]
    Standard,
    /// Chess960: the king and its rooks may stand on any file. UCI writes castling as the king
    /// taking its own rook, `e1h1`.
    Chess960,
}

/// A castling side, named after the side of the board where the king ends.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum CastlingSide {
    /// King to the g-file, rook to the f-file.
    KingSide,
    /// King to the c-file, rook to the d-file.
    QueenSide,
}

impl CastlingSide {
    /// Both sides, king side first.
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

    /// The castling side of a rook, seen from its king.
    #[inline]
    pub const fn of(king: Square, rook: Square) -> Self {
        if rook as u8 > king as u8 { Self::KingSide } else { Self::QueenSide }
    }
}

/// Castling rights. A right is stored as the rook's square, because in Chess960 the rook may stand on
/// any file.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CastlingRights {
    rooks: [[Option<Square>; 2]; 2],
}

impl CastlingRights {
    /// No rights.
    pub const NONE: Self = Self { rooks: [[None; 2]; 2] };

    /// All four rights, with the rooks in the corners.
    pub const USUAL: Self = Self {
        rooks: [[Some(Square::H1), Some(Square::A1)], [Some(Square::H8), Some(Square::A8)]],
    };

    /// The square of the rook that a side may castle with, on the given castling side.
    #[inline]
    pub const fn rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        self.rooks[color.index()][side as usize]
    }

    /// Grants a right, or revokes it if `rook` is `None`.
    #[inline]
    pub const fn set(&mut self, color: Color, side: CastlingSide, rook: Option<Square>) {
        self.rooks[color.index()][side as usize] = rook;
    }

    /// Returns true if neither side may castle.
    #[inline]
    pub fn is_empty(&self) -> bool {
        *self == Self::NONE
    }

    /// The squares of all rooks that may castle.
    #[inline]
    pub fn rooks(&self) -> Bitboard {
        self.rooks.as_flattened().iter().flatten().copied().collect()
    }

    /// Every right: the color, the castling side and the rook's square.
    pub fn iter(&self) -> impl Iterator<Item = (Color, CastlingSide, Square)> + '_ {
        Color::ALL.into_iter().flat_map(move |color| {
            CastlingSide::ALL
                .into_iter()
                .filter_map(move |side| Some((color, side, self.rook(color, side)?)))
        })
    }
}
