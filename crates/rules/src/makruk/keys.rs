//! Zobrist keys of Makruk.
//!
//! Key number `n` is the `n`-th output of the generator SplitMix64 with seed 0. No table is needed:
//! a key costs two multiplications, and other programs can easily compute the same keys.
//!
//! # Source
//! Albert Zobrist, *A new hashing method with application for game playing* (1970); Guy Steele, Doug
//! Lea and Christine Flood, *Fast splittable pseudorandom number generators* (2014).

use super::Rules;
use crate::{Board, Color, Piece, Role, Square, Zobrist};

/// The key of a piece of Makruk on a square; zero for bishop and queen.
///
/// The kinds are ordered bia, knight, rook, king, khon, met. The key number is `64 (2 kind + color)
/// + square`, where White is 0 and a1 is 0.
///
/// ```
/// use halfmove_rules::makruk::piece_key;
/// use halfmove_rules::{Color, Piece, Role, Square};
/// let bia = Piece { color: Color::White, role: Role::Pawn };
/// // The first number of SplitMix64 with the seed 0.
/// assert_eq!(piece_key(bia, Square::A1), 0xe220_a839_7b1d_cdaf);
/// ```
pub const fn piece_key(piece: Piece, square: Square) -> u64 {
    let kind = match piece.role {
        Role::Pawn => 0,
        Role::Knight => 1,
        Role::Rook => 2,
        Role::King => 3,
        Role::Khon => 4,
        Role::Met => 5,
        Role::Bishop | Role::Queen => return 0,
    };
    random(64 * (2 * kind + piece.color as u64) + square as u64)
}

/// The part of the key that says White is to move: key number 768.
///
/// ```
/// use halfmove_rules::Makruk;
/// use halfmove_rules::makruk::turn_key;
/// let start = Makruk::default();
/// let passed = start.null_move().expect("no check");
/// assert_eq!(passed.zobrist().0, start.zobrist().0 ^ turn_key());
/// ```
#[inline]
pub const fn turn_key() -> u64 {
    const { random(64 * 12) }
}

/// The key of each game except Makruk.
const fn rules_key(rules: Rules) -> u64 {
    match rules {
        Rules::Makruk => 0,
        Rules::Makpong => random(64 * 12 + 1),
        Rules::Asean => random(64 * 12 + 2),
    }
}

/// The output of SplitMix64 after `n` others.
const fn random(n: u64) -> u64 {
    let x = (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

pub(super) fn of(board: &Board, side_to_move: Color, rules: Rules) -> Zobrist {
    let pieces = board.pieces().fold(0, |key, (square, piece)| key ^ piece_key(piece, square));
    let turn = if side_to_move == Color::White { turn_key() } else { 0 };
    Zobrist(pieces ^ turn ^ rules_key(rules))
}
