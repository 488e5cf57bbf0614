//! Sets as text: drawn, or as numbers.

use crate::{Bitboard, File, Rank, Square};
use core::fmt;

fn row(set: Bitboard, rank: Rank, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for file in File::ALL {
        if file != File::A {
            f.write_str(" ")?;
        }
        f.write_str(if set.has(Square::new(file, rank)) { "1" } else { "." })?;
    }
    f.write_str("\n")
}

impl fmt::Display for Bitboard {
    /// Draws the board in eight lines, the eighth rank on top.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Rank::ALL.into_iter().rev().try_for_each(|rank| row(*self, rank, f))
    }
}

impl fmt::Debug for Bitboard {
    /// Draws the board as [`bitboard!`](crate::bitboard) reads it, the eighth rank on top.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bitboard! {\n")?;
        for rank in Rank::ALL.into_iter().rev() {
            f.write_str("    ")?;
            row(*self, rank, f)?;
        }
        f.write_str("}")
    }
}

macro_rules! number {
    ($($trait:ident)*) => {$(
        /// The bits as a number, h8 the most significant.
        impl fmt::$trait for Bitboard {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::$trait::fmt(&self.0, f)
            }
        }
    )*};
}

number!(LowerHex UpperHex Octal Binary);
