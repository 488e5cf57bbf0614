//! Small tables by byte and by square.

use halfmove_rules::bitboard::attacks::{self, empty_board};
use halfmove_rules::{Bitboard, Color, File, Rank, Role, Square};

use crate::codec::halfmove::chess::{CODES, OTHER_MOVE, RARE};
use crate::codec::pieces::PIECES;

/// The kinds of moves: [`PUSH`], then knights to kings by the numbers of their roles, then [`CAPTURE`], and an unused
/// one.
const KINDS: usize = 8;

/// A pawn moves straight ahead.
pub(crate) const PUSH: usize = 0;

/// A pawn captures.
pub(crate) const CAPTURE: usize = 6;

const NONE: usize = RARE as usize;

/// The meaning of the first byte of a SAN, in one number.
#[derive(Clone, Copy)]
pub(super) struct First(u32);

impl First {
    const fn new(kind: usize, role: usize) -> First {
        // One bit each for an empty target, an enemy piece, and a piece of the same side.
        let reaches = match kind {
            PUSH => 0b001,
            CAPTURE => 0b010,
            _ => 0b011,
        };
        First(kind as u32 | (role as u32) << 8 | reaches << 16)
    }

    /// The kind of the move.
    #[inline(always)]
    pub(super) const fn kind(self) -> usize {
        (self.0 & 7) as usize
    }

    /// The role of the piece.
    #[inline(always)]
    pub(super) const fn role(self) -> usize {
        (self.0 >> 8 & 7) as usize
    }

    /// Returns true if such a piece can go to a square with a piece of its side, an enemy, or neither.
    #[inline(always)]
    pub(super) const fn may_reach(self, own: bool, enemy: bool) -> bool {
        self.0 >> 16 >> (2 * own as u32 + enemy as u32) & 1 != 0
    }
}

/// The meaning of the first byte of a SAN, without and with an `x` before the target.
pub(super) static FIRST: [[First; 256]; 2] = {
    let mut table = [[First::new(NONE, 0); 256]; 2];
    let mut role = 0;
    while role < Role::CHESS.len() {
        let kind = Role::CHESS[role];
        if !matches!(kind, Role::Pawn) {
            table[0][kind.letter() as usize] = First::new(kind as usize, kind as usize);
            table[1][kind.letter() as usize] = First::new(kind as usize, kind as usize);
        }
        role += 1;
    }
    let mut file = b'a';
    while file <= b'h' {
        table[0][file as usize] = First::new(PUSH, Role::Pawn as usize);
        table[1][file as usize] = First::new(CAPTURE, Role::Pawn as usize);
        file += 1;
    }
    table
};

/// The squares from which the piece may come, by the first byte of a SAN: for a pawn, its file.
pub(super) static FIRST_FILE: [Bitboard; 256] = {
    let mut table = [Bitboard::FULL; 256];
    let mut file = 0;
    while file < 8 {
        table[b'a' as usize + file] = Bitboard::file(File::ALL[file]);
        file += 1;
    }
    table
};

/// The squares from which the piece may come, by the byte between the piece and the target: a file, a rank, all squares
/// if there is no such byte, none if it is anything else.
pub(super) static MIDDLE: [Bitboard; 256] = {
    let mut table = [Bitboard::EMPTY; 256];
    table[0] = Bitboard::FULL;
    let mut index = 0;
    while index < 8 {
        table[b'a' as usize + index] = Bitboard::file(File::ALL[index]);
        table[b'1' as usize + index] = Bitboard::rank(Rank::ALL[index]);
        index += 1;
    }
    table
};

/// For each color, kind and target: the origins of such a move on an empty board. Pawns do not reach the last rank
/// here: they promote.
pub(super) static GEOMETRY: [[[Bitboard; 64]; KINDS]; 2] = {
    let mut table = [[[Bitboard::EMPTY; 64]; KINDS]; 2];
    let mut color = 0;
    while color < 2 {
        let us = Color::ALL[color];
        let them = Color::ALL[1 - color];
        let mut square = 0;
        while square < 64 {
            let to = Square::ALL[square];
            table[color][1][square] = attacks::knight(to);
            table[color][2][square] = empty_board::bishop(to);
            table[color][3][square] = empty_board::rook(to);
            table[color][4][square] = empty_board::queen(to);
            table[color][5][square] = attacks::king(to);
            // Ranks from the pawn's side, from 0.
            let rank = match us {
                Color::White => square / 8,
                Color::Black => 7 - square / 8,
            };
            if rank >= 2 && rank <= 6 {
                table[color][CAPTURE][square] = attacks::pawn(them, to);
                let one = match us {
                    Color::White => square - 8,
                    Color::Black => square + 8,
                };
                let mut set = 1u64 << one;
                if rank == 3 {
                    let two = match us {
                        Color::White => square - 16,
                        Color::Black => square + 16,
                    };
                    set |= 1u64 << two;
                }
                table[color][PUSH][square] = Bitboard(set);
            }
            square += 1;
        }
        color += 1;
    }
    table
};

/// The squares from which enemy pieces attack a square on an empty board.
///
/// The order differs from that of a board's sets of pieces, so that compilers do not combine loads of several sets: a
/// wide load would stall until the store of the set changed by the last move has reached the cache.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Near {
    pub(super) kings: Bitboard,
    pub(super) rooks: Bitboard,
    pub(super) pawns: Bitboard,
    pub(super) bishops: Bitboard,
    pub(super) knights: Bitboard,
}

/// The table for each attacked color and each square. It is contiguous, since all of it is needed for each move.
pub(super) static NEAR: [[Near; 64]; 2] = {
    let nothing = Bitboard::EMPTY;
    let nothing =
        Near { pawns: nothing, knights: nothing, bishops: nothing, rooks: nothing, kings: nothing };
    let mut table = [[nothing; 64]; 2];
    let mut color = 0;
    while color < 2 {
        let mut square = 0;
        while square < 64 {
            let to = Square::ALL[square];
            table[color][square] = Near {
                pawns: attacks::pawn(Color::ALL[color], to),
                knights: attacks::knight(to),
                bishops: empty_board::bishop(to),
                rooks: empty_board::rook(to),
                kings: attacks::king(to),
            };
            square += 1;
        }
        color += 1;
    }
    table
};

/// A number for the difference of two squares, distinct for distinct differences of file and rank: the squares are
/// numbered as on a 0x88 board.
#[inline(always)]
pub(crate) const fn difference(from: Square, to: Square) -> usize {
    let (from, to) = (from as usize, to as usize);
    (to + (to & 0o70) + 119 - from - (from & 0o70)) & 255
}

/// The squares between two squares, see [`lines::between`](halfmove_rules::bitboard::lines::between): one entry per
/// difference instead of a table of 32 KiB, which would evict everything else from the first-level cache.
#[inline(always)]
pub(super) fn segment(from: Square, to: Square) -> Bitboard {
    segment_of(from, to, difference(from, to))
}

/// The same, for squares whose [`difference`] is known.
#[inline(always)]
pub(super) fn segment_of(from: Square, to: Square, difference: usize) -> Bitboard {
    let lower = (from as u32).min(to as u32);
    Bitboard(SEGMENTS[difference & 255].0 << lower)
}

/// The squares between A1 and a square, for each difference that is a line; in both directions.
static SEGMENTS: [Bitboard; 256] = {
    let mut table = [Bitboard::EMPTY; 256];
    // Right, up-left, up, up-right: the step here, and on a 0x88 board.
    let steps = [(1, 1), (7, 15), (8, 16), (9, 17)];
    let mut direction = 0;
    while direction < steps.len() {
        let (step, wide) = steps[direction];
        let mut set = 0;
        let mut distance = 1;
        while distance < 8 {
            table[119 + distance * wide] = Bitboard(set);
            table[119 - distance * wide] = Bitboard(set);
            set |= 1 << (step * distance);
            distance += 1;
        }
        direction += 1;
    }
    table
};

/// For each color, occupant without its role, and difference: the code of the move.
pub(super) static BYTES: [[[u8; 256]; 2 * PIECES]; 2] = {
    let mut table = [[[OTHER_MOVE; 256]; 2 * PIECES]; 2];
    let mut color = 0;
    while color < 2 {
        let mut byte = 0;
        while byte < 256 {
            let code = CODES[color][byte];
            if code.kind != RARE {
                let wide = code.wide + 119;
                table[color][code.piece as usize][wide as usize] = byte as u8;
            }
            byte += 1;
        }
        color += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use halfmove_rules::bitboard::lines::between;

    use super::*;

    #[test]
    fn segments_lie_between() {
        for from in Square::ALL {
            for to in Square::ALL {
                assert_eq!(segment(from, to), between(from, to), "{from} {to}");
            }
        }
    }
}
