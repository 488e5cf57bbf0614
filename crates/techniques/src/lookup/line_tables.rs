//! Masks and tables of single lines, for the techniques that look up one line at a time.

use crate::Hyperbola;
use halfmove_bitboard::attacks::empty_board;
use halfmove_bitboard::{Bitboard, File, Square, bitboard};

/// The a-file. As a factor it copies the first rank to all ranks, and gathers pieces on different files in
/// the eighth rank.
pub(super) const A_FILE: u64 = Bitboard::file(File::A).0;
/// The b-file. As a factor it does what the a-file does, one bit further left.
pub(super) const B_FILE: u64 = A_FILE << 1;
/// The diagonal c2–h7. As a factor it turns the a-file into a rank, as the main diagonal does, and gathers
/// the six inner squares of the a-file at the top.
pub(super) const C2_H7: u64 = bitboard! {
    . . . . . . . .
    . . . . . . . 1
    . . . . . . 1 .
    . . . . . 1 . .
    . . . . 1 . . .
    . . . 1 . . . .
    . . 1 . . . . .
    . . . . . . . .
}
.0;

/// a1 to h8. As a factor it turns the a-file into the eighth rank.
pub(super) const MAIN_DIAGONAL: u64 = bitboard! {
    . . . . . . . 1
    . . . . . . 1 .
    . . . . . 1 . .
    . . . . 1 . . .
    . . . 1 . . . .
    . . 1 . . . . .
    . 1 . . . . . .
    1 . . . . . . .
}
.0;

/// The line that both directions of `delta` span from a square, without the square.
pub(crate) const fn both_ways(square: Square, delta: (i8, i8)) -> u64 {
    match delta {
        (_, 0) => empty_board::rank(square).0,
        (0, _) => empty_board::file(square).0,
        (1, 1) | (-1, -1) => empty_board::diagonal(square).0,
        _ => empty_board::anti_diagonal(square).0,
    }
}

/// The diagonal through each square, without the square.
pub(super) static DIAGONAL: [u64; 64] = lines(1);
/// The anti-diagonal through each square, without the square.
pub(super) static ANTI_DIAGONAL: [u64; 64] = lines(-1);

const fn lines(files: i8) -> [u64; 64] {
    let mut lines = [0; 64];
    let mut i = 0;
    while i < 64 {
        lines[i] = both_ways(Square::ALL[i], (files, 1));
        i += 1;
    }
    lines
}

/// The attacks of a slider along a line (without its square) that both directions of `delta` span.
pub(super) const fn along(square: Square, delta: (i8, i8), line: u64, occupied: u64) -> u64 {
    let occupied = Bitboard(occupied);
    let attacked = if delta.0 == 0 || delta.1 == 0 {
        Hyperbola::rook_attacks(square, occupied)
    } else {
        Hyperbola::bishop_attacks(square, occupied)
    };
    attacked.0 & line
}

/// The order in which the bits of an index stand for the inner squares of a line.
#[derive(Copy, Clone)]
pub(super) enum Order {
    /// Bit 0 is the b-file, bit 5 the g-file.
    File,
    /// Bit 0 is the seventh rank, bit 5 the second.
    RankFromTop,
    /// Bit 0 is the second square of the line, counted in the direction of the delta.
    Along,
}

/// Attacks along one line by square and by the occupancy of its inner squares as six bits.
///
/// Bits that stand for no inner square are ignored, so every index has an entry.
pub(super) const fn by_six_bits(delta: (i8, i8), order: Order) -> [[u64; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut i = 0;
    while i < 64 {
        let square = Square::ALL[i];
        let line = both_ways(square, delta);
        let by_bit = inner_squares(square, delta, order);
        let mut index = 0;
        while index < 64 {
            let mut occupied = 0;
            let mut known = 0;
            let mut bit = 0;
            while bit < 6 {
                if index >> bit & 1 != 0 && by_bit[bit] & line != 0 {
                    occupied |= by_bit[bit];
                    known |= 1 << bit;
                }
                bit += 1;
            }
            table[i][index] =
                if known == index { along(square, delta, line, occupied) } else { table[i][known] };
            index += 1;
        }
        i += 1;
    }
    table
}

/// By bit of the index: the square that it stands for, as a set; empty if it stands for none.
const fn inner_squares(square: Square, delta: (i8, i8), order: Order) -> [u64; 6] {
    let mut at = square;
    while let Some(before) = at.offset(-delta.0, -delta.1) {
        at = before;
    }
    let mut squares = [0; 6];
    let mut position = 0;
    loop {
        let number = match order {
            Order::File => at.file().index(),
            Order::RankFromTop => 7 - at.rank().index(),
            Order::Along => position,
        };
        if number >= 1 && number <= 6 {
            squares[number - 1] = Bitboard::square(at).0;
        }
        position += 1;
        match at.offset(delta.0, delta.1) {
            Some(next) => at = next,
            None => return squares,
        }
    }
}
