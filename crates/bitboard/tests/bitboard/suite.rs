//! The suite that every technique passes: all squares, all subsets of the relevant squares, and random full boards,
//! compared with the ray walk. The tests of the crate `halfmove-techniques` include this file.

use crate::random;
use halfmove_bitboard::sliders::{RayWalk, Sliders, relevant};
use halfmove_bitboard::{Bitboard, Square};

/// Compares a technique with the oracle. Returns false, and names the technique, if this CPU cannot run it.
pub(crate) fn equals_the_ray_walk<S: Sliders>() -> bool {
    let name = S::TECHNIQUE.name;
    let oracle = RayWalk::new().expect("needs nothing");
    let Some(technique) = S::new() else {
        println!("skipped: {name}: this CPU lacks {}", S::TECHNIQUE.instructions);
        return false;
    };
    let mut sets = 0;
    for square in Square::ALL {
        for occupied in relevant::rook(square).subsets() {
            let expected = oracle.rook(square, occupied);
            assert_eq!(technique.rook(square, occupied), expected, "{name} {square}");
            sets += 1;
        }
        for occupied in relevant::bishop(square).subsets() {
            let expected = oracle.bishop(square, occupied);
            assert_eq!(technique.bishop(square, occupied), expected, "{name} {square}");
            sets += 1;
        }
        let mut state = 0x9e37_79b9_7f4a_7c15 + square as u64;
        for round in 0..300 {
            // Sparse and full boards, with and without a piece on the slider's own square.
            let occupied = Bitboard(match round % 3 {
                0 => random(&mut state),
                1 => random(&mut state) & random(&mut state),
                _ => random(&mut state) | random(&mut state) | 1 << square as u8,
            });
            let (rook, bishop) = (oracle.rook(square, occupied), oracle.bishop(square, occupied));
            assert_eq!(technique.rook(square, occupied), rook, "{name} {square} {occupied:?}");
            assert_eq!(technique.bishop(square, occupied), bishop, "{name} {square} {occupied:?}");
            let queen = technique.queen(square, occupied);
            assert_eq!(queen, rook | bishop, "{name} {square} {occupied:?}");
        }
    }
    assert_eq!(sets, 107_648, "102,400 rook and 5,248 bishop occupancies");
    true
}
