//! Leorik: two low masks and lines made on the fly.

use super::masks::{anti_diagonal, bit, diagonal, file, rank};
use crate::{Sliders, Technique};
use halfmove_bitboard::{Bitboard, Square};

/// Leorik's attacks: a low mask from each of the two nearest pieces, on lines that are shifts of four
/// constants.
///
/// **Idea.** The low mask of the nearest piece above holds every bit up to it, that of the nearest piece
/// below every bit short of it. The slider reaches the squares where they differ. It is the arithmetic of
/// [`SlideArithmetic`](super::SlideArithmetic) without any table: a rank or file is one shift, a
/// diagonal is the main one shifted by whole ranks.
///
/// ```text
/// the main diagonal   shifted two ranks up    the anti-diagonal   shifted three ranks down
/// . . . . . . . 1     . . . . . 1 . .         1 . . . . . . .     . . . . . . . .
/// . . . . . . 1 .     . . . . 1 . . .         . 1 . . . . . .     . . . . . . . .
/// . . . . . 1 . .     . . . 1 . . . .         . . 1 . . . . .     . . . . . . . .
/// . . . . 1 . . .     . . 1 . . . . .         . . . 1 . . . .     1 . . . . . . .
/// . . . 1 . . . .     . 1 . . . . . .         . . . . 1 . . .     . 1 . . . . . .
/// . . 1 . . . . .     1 . . . . . . .         . . . . . 1 . .     . . 1 . . . . .
/// . 1 . . . . . .     . . . . . . . .         . . . . . . 1 .     . . . 1 . . . .
/// 1 . . . . . . .     . . . . . . . .         . . . . . . . 1     . . . . 1 . . .
/// ```
///
/// **Formula.** `low_and(m & !below) ^ low(m & below)`, cut to the line, with
/// `low_and(x) = x ^ (x - 1)` and `low(x) = all >> 1 >> lzcnt(x | 1)`.
///
/// **Cost.** About 25 operations for a rook, 40 for a bishop, half of them for the masks; no table.
/// **When it wins.** In bulk: nothing is loaded, so a loop over many squares vectorizes well with
/// AVX-512, which counts leading zeros in lanes. **When it loses.** One at a time, against the same
/// arithmetic with a table.
///
/// # Source
/// Thomas Jahn, in his engine Leorik (2022); Chess Programming Wiki, "Leorik", section "Leorik
/// Attacks".
#[derive(Copy, Clone, Debug)]
pub struct Leorik(());

/// All bits up to the lowest of a set, that one included; every bit if the set is empty.
#[inline]
fn up_to_lowest(set: u64) -> u64 {
    set ^ set.wrapping_sub(1)
}

/// All bits short of the highest of a set; none if the set is empty.
#[inline]
fn short_of_highest(set: u64) -> u64 {
    u64::MAX >> 1 >> (set | 1).leading_zeros()
}

#[inline(always)]
fn along(line: u64, below: u64, occupied: u64) -> u64 {
    let pieces = occupied & line;
    (up_to_lowest(pieces & !below) ^ short_of_highest(pieces & below)) & line
}

impl Sliders for Leorik {
    const TECHNIQUE: Technique = Technique {
        name: "Leorik",
        author: "Thomas Jahn, 2022",
        source: "Chess Programming Wiki, \"Leorik Attacks\"",
        table_bytes: 0,
        instructions: "",
    };

    fn new() -> Option<Self> {
        Some(Self(()))
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        let below = bit(square) - 1;
        Bitboard(along(rank(square), below, occupied.0) | along(file(square), below, occupied.0))
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        let below = bit(square) - 1;
        Bitboard(
            along(diagonal(square), below, occupied.0)
                | along(anti_diagonal(square), below, occupied.0),
        )
    }
}
