//! The sliders of QBBEngine: shifted patterns and bit scans, no table.

use super::masks::{MAIN_DIAGONAL, bit};
use crate::{Sliders, Technique};
use halfmove_bitboard::{Bitboard, File, Rank, Square, bitboard};

/// The sliders of QBBEngine: the squares that the two nearest pieces both see, from four shifted patterns.
///
/// **Idea.** A pattern is what steps of 7, 8 or 9 reach from a1, or seven steps of 1. Shifted to the
/// slider, it covers the slider's line upward, and more beyond the edge. But the edge counts as a piece,
/// and a bit scan stops at the first. The pattern that hangs down from that piece above, and the one that
/// stands on the piece below, share exactly the squares from one to the other.
///
/// ```text
/// every 9th from c2   pieces and the edge,     hung from the piece    both
/// (slider c2)         met first at f5       above, f5
/// . . . . . . . .     . . . . . . . .       . . . . . . . .      . . . . . . . .
/// . . . . . . . 1     . . . . . . . 1       . . . . . . . .      . . . . . . . .
/// . . . . . . 1 .     . . . . . . . .       . . . . . . . .      . . . . . . . .
/// . . . . . 1 . .     . . . . . 1 . .       . . . . . 1 . .      . . . . . 1 . .
/// . . . . 1 . . .     . . . . . . . .       . . . . 1 . . .      . . . . 1 . . .
/// . . . 1 . . . .     . . . . . . . .       . . . 1 . . . .      . . . 1 . . . .
/// . . 1 . . . . .     . . . . . . . .       . . 1 . . . . .      . . 1 . . . . .
/// . . . . . . . .     . . . . . . . .       . 1 . . . . . .      . 1 . . . . . .
/// ```
///
/// **Formula.** `(turn(p) >> (63 - above)) & (p << below) ^ s` with
/// `above = lowest((p << s) & (o | upper edge))`, `below = highest((turn(p) >> (63 - s)) & (o | lower
/// edge))`, and `o` without the slider.
///
/// **Cost.** Two lines of two scans, four shifts and six more operations; no table, no branch, and
/// the scans never see an empty set. **When it wins.** In bulk: a loop over many squares vectorizes
/// where lanes can count leading zeros (AVX-512). **When it loses.** One at a time, against techniques
/// with even a small table.
///
/// ```
/// use halfmove_techniques::{Sliders, calculation::Qbb};
/// use halfmove_bitboard::{Square, bitboard};
///
/// let qbb = Qbb::new().expect("needs nothing");
/// let occupied = Square::F5.into();
/// assert_eq!(qbb.bishop(Square::C2, occupied), bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . 1 . .
///     1 . . . 1 . . .
///     . 1 . 1 . . . .
///     . . . . . . . .
///     . 1 . 1 . . . .
/// });
/// ```
///
/// # Source
/// Fabio Gobbato, in his didactic engine QBBEngine; Daniel Inführ's *Chess_Movegen* (2022), "QBB".
#[derive(Copy, Clone, Debug)]
pub struct Qbb(());

/// The lines of one kind, as a pattern to shift and the edges to stop at.
struct Pattern {
    /// The squares that steps from a1 reach, wrapped or not.
    from_a1: u64,
    /// The squares from which a step up the indices leaves the board.
    upper_edge: u64,
    /// The squares from which a step down the indices leaves the board.
    lower_edge: u64,
}

const FILE: Pattern = Pattern {
    from_a1: Bitboard::file(File::A).0,
    upper_edge: Bitboard::rank(Rank::Eighth).0,
    lower_edge: Bitboard::rank(Rank::First).0,
};

const RANK: Pattern = Pattern {
    from_a1: Bitboard::rank(Rank::First).0,
    upper_edge: Bitboard::file(File::H).0,
    lower_edge: Bitboard::file(File::A).0,
};

const DIAGONAL: Pattern = Pattern {
    from_a1: MAIN_DIAGONAL,
    upper_edge: FILE.upper_edge | RANK.upper_edge,
    lower_edge: FILE.lower_edge | RANK.lower_edge,
};

const ANTI_DIAGONAL: Pattern = Pattern {
    from_a1: bitboard! {
        1 . . . . . . 1
        . 1 . . . . . .
        . . 1 . . . . .
        . . . 1 . . . .
        . . . . 1 . . .
        . . . . . 1 . .
        . . . . . . 1 .
        1 . . . . . . 1
    }
    .0,
    upper_edge: FILE.upper_edge | RANK.lower_edge,
    lower_edge: FILE.lower_edge | RANK.upper_edge,
};

/// From the nearest piece or edge below to the nearest above, the slider's square included.
#[inline(always)]
fn along(pattern: &Pattern, square: Square, others: u64) -> u64 {
    let at = square as u32;
    let to_h8 = pattern.from_a1.reverse_bits();
    let above = pattern.from_a1 << at & (others | pattern.upper_edge);
    let below = to_h8 >> (63 ^ at) & (others | pattern.lower_edge);
    // Neither is empty, so both scans are below 64, where `63 ^ n` is `63 - n`.
    to_h8 >> (63 ^ above.trailing_zeros()) & pattern.from_a1 << (63 ^ below.leading_zeros())
}

impl Sliders for Qbb {
    const TECHNIQUE: Technique = Technique {
        name: "QBB",
        author: "Fabio Gobbato",
        source: "QBBEngine; Inführ's Chess_Movegen, 2022",
        table_bytes: 0,
        instructions: "",
    };

    fn new() -> Option<Self> {
        Some(Self(()))
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        let others = occupied.0 & !bit(square);
        Bitboard((along(&FILE, square, others) | along(&RANK, square, others)) ^ bit(square))
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        let others = occupied.0 & !bit(square);
        let both = along(&DIAGONAL, square, others) | along(&ANTI_DIAGONAL, square, others);
        Bitboard(both ^ bit(square))
    }
}
