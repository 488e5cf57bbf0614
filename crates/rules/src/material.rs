//! Material: the number of pieces of each kind.

use crate::{Board, Color, Piece, Role};
use core::fmt;
use core::str::FromStr;
use thiserror::Error;

/// The number of pieces of each role and side, in eight bytes, to identify endings.
///
/// ```text
///  bits of a side, 4 per role     31 … 28  27 … 24  23 … 20  …   7 … 4    3 … 0
///                                   met      khon     king       knight    pawn
/// ```
///
/// White's counts are in the lower half, Black's in the upper. [`MaterialKey::of`] counts up to
/// [`MaterialKey::MAX_COUNT`], which no game exceeds.
///
/// As text: White's pieces, a `v`, Black's pieces, each side in order of strength: `KQPvKR`.
///
/// ```
/// use halfmove_rules::{Chess, Color, MaterialKey, Piece, Role};
///
/// let position: Chess = "4k3/8/8/8/8/8/3QP3/4K2r w - - 0 1".parse()?;
/// let key = MaterialKey::of(position.board());
/// assert_eq!(key.to_string(), "KQPvKR");
/// assert_eq!("KQPvKR".parse(), Ok(key));
/// assert_eq!(key.flipped().to_string(), "KRvKQP");
/// assert_eq!(key.count(Piece { color: Color::White, role: Role::Queen }), 1);
/// # Ok::<(), halfmove_rules::FenError>(())
/// ```
#[derive(Copy, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MaterialKey(u64);

/// In order of strength, as endings are named.
const ORDER: [Role; 8] = [
    Role::King,
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::Khon,
    Role::Met,
    Role::Pawn,
];

impl MaterialKey {
    /// The largest count of one kind of piece.
    pub const MAX_COUNT: u32 = 15;

    /// The pieces on a board.
    pub fn of(board: &Board) -> Self {
        let mut key = Self::default();
        for role in Role::ALL {
            let pieces = board.by_role(role);
            for color in Color::ALL {
                let count = (pieces & board.by_color(color)).len().min(Self::MAX_COUNT);
                key.0 |= u64::from(count) << shift(Piece { color, role });
            }
        }
        key
    }

    /// The number of pieces of a kind, 0 to [`MaterialKey::MAX_COUNT`].
    #[inline]
    pub const fn count(self, piece: Piece) -> u32 {
        (self.0 >> shift(piece)) as u32 & Self::MAX_COUNT
    }

    /// The number of pieces of both sides, kings included.
    pub fn len(self) -> u32 {
        (0..16).map(|nibble| (self.0 >> (4 * nibble)) as u32 & Self::MAX_COUNT).sum()
    }

    /// Returns true if there are no pieces.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The key with colors swapped.
    #[inline]
    pub const fn flipped(self) -> Self {
        Self(self.0.rotate_left(32))
    }

    /// The key as bits.
    #[inline]
    pub const fn to_bits(self) -> u64 {
        self.0
    }

    /// The key with these bits; every number is a valid key.
    #[inline]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }
}

/// The position of a kind's count in the bits.
const fn shift(piece: Piece) -> u32 {
    32 * piece.color as u32 + 4 * piece.role as u32
}

/// The reason why a text is not a material key.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseMaterialError {
    /// A byte that is neither one of `KQRBNSMP` nor the `v` between the sides.
    #[error("byte {0}: expected one of K, Q, R, B, N, S, M, P, or one v between the sides")]
    Letter(
        /// The offset of the byte, from 0.
        usize,
    ),
    /// More than fifteen pieces of one kind.
    #[error("byte {0}: expected at most 15 pieces of a kind")]
    TooMany(
        /// The offset of the sixteenth piece, from 0.
        usize,
    ),
    /// There is no `v` between the sides.
    #[error("expected a v between the sides, as in KQvKR")]
    OneSide,
}

impl FromStr for MaterialKey {
    type Err = ParseMaterialError;

    /// Reads the pieces in any order.
    fn from_str(text: &str) -> Result<Self, ParseMaterialError> {
        let mut key = Self::default();
        let mut color = Color::White;
        for (at, letter) in text.bytes().enumerate() {
            if letter == b'v' && color == Color::White {
                color = Color::Black;
                continue;
            }
            let role = ORDER.into_iter().find(|role| role.letter() == char::from(letter));
            let piece = Piece { color, role: role.ok_or(ParseMaterialError::Letter(at))? };
            if key.count(piece) == Self::MAX_COUNT {
                return Err(ParseMaterialError::TooMany(at));
            }
            key.0 += 1 << shift(piece);
        }
        if color == Color::White {
            return Err(ParseMaterialError::OneSide);
        }
        Ok(key)
    }
}

impl fmt::Display for MaterialKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for color in Color::ALL {
            if color == Color::Black {
                f.write_str("v")?;
            }
            for role in ORDER {
                for _ in 0..self.count(Piece { color, role }) {
                    write!(f, "{}", role.letter())?;
                }
            }
        }
        Ok(())
    }
}

impl fmt::Debug for MaterialKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
