//! Zobrist keys of Makruk.
//!
//! Key number `n` is the `n`-th number of the generator SplitMix64 with the seed 0, so there is no
//! table: a key is two multiplications away, and any program can make the same ones.
//!
//! # Source
//! Albert Zobrist, *A new hashing method with application for game playing* (1970); Guy Steele, Doug
//! Lea and Christine Flood, *Fast splittable pseudorandom number generators* (2014).

use super::Rules;
use crate::{Board, Color, Piece, Role, Square, Zobrist};

/// The part of the key of one piece of Makruk on its square; zero for bishop and queen.
///
/// Kinds go bia, knight, rook, king, khon, met; key number `64 (2 kind + color) + square`, White
/// being 0, a1 being 0.
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

/// The key says that White is to move.
const WHITE_TO_MOVE: u64 = random(64 * 12);

/// The key of each game but Makruk.
const fn rules_key(rules: Rules) -> u64 {
    match rules {
        Rules::Makruk => 0,
        Rules::Makpong => random(64 * 12 + 1),
        Rules::Asean => random(64 * 12 + 2),
    }
}

/// The number of SplitMix64 that comes after `n` others.
const fn random(n: u64) -> u64 {
    let x = (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

pub(super) fn of(board: &Board, side_to_move: Color, rules: Rules) -> Zobrist {
    let pieces = board.pieces().fold(0, |key, (square, piece)| key ^ piece_key(piece, square));
    let turn = if side_to_move == Color::White { WHITE_TO_MOVE } else { 0 };
    Zobrist(pieces ^ turn ^ rules_key(rules))
}
