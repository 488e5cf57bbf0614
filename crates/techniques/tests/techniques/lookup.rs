//! Claims of the line look-ups besides their attacks.

use crate::random;
use halfmove_bitboard::{Bitboard, File, Square, lines};
use halfmove_techniques::lookup::RotatedOccupied;
use halfmove_techniques::{RayWalk, Sliders, relevant};

/// Toggling piece by piece ends in the same state as building afresh, and the attacks are right along the way.
#[test]
fn rotated_occupancies_toggle_as_they_are_built() {
    let oracle = RayWalk::new().expect("needs nothing");
    let mut state = 0x2545_f491_4f6c_dd1d;
    let mut plain = Bitboard::EMPTY;
    let mut rotated = RotatedOccupied::default();
    for _ in 0..2_000 {
        let number = random(&mut state);
        let square = Square::ALL[(number >> 58) as usize];
        plain ^= square;
        rotated.toggle(square);
        assert_eq!(rotated, RotatedOccupied::from(plain));
        assert_eq!(rotated.occupied(), plain);
        let from = Square::ALL[(number & 63) as usize];
        assert_eq!(rotated.rook(from), oracle.rook(from, plain));
        assert_eq!(rotated.bishop(from), oracle.bishop(from, plain));
        assert_eq!(rotated.queen(from), oracle.queen(from, plain));
    }
}

/// The smallest modulus whose remainders distinguish all subsets of each set.
fn smallest_modulus(sets: &[Bitboard]) -> u64 {
    let tells_apart = |modulus: u64, set: Bitboard| {
        let mut seen = vec![false; modulus as usize];
        set.subsets()
            .all(|subset| !std::mem::replace(&mut seen[(subset.0 % modulus) as usize], true))
    };
    (1..)
        .find(|&modulus| sets.iter().all(|&set| tells_apart(modulus, set)))
        .expect("2 to the 64th would do")
}

/// The card of `CongruentModuloInner` says that no smaller moduli exist.
#[test]
fn moduli_of_inner_squares_are_the_smallest() {
    let along = |square: Square, files: i8| {
        let next = square.offset(files, 1).or_else(|| square.offset(-files, -1));
        next.map_or(Bitboard::EMPTY, |next| lines::line(square, next))
    };
    let inner = |files| -> Vec<Bitboard> {
        let relevant = |square| {
            if files == 0 { relevant::rook(square) } else { relevant::bishop(square) }
        };
        Square::ALL.into_iter().map(|square| along(square, files) & relevant(square)).collect()
    };
    assert_eq!(smallest_modulus(&inner(1)), 85);
    assert_eq!(smallest_modulus(&inner(-1)), 65);
    assert_eq!(smallest_modulus(&inner(0)), 73);
    // The published moduli include the outer squares; files must be brought to the a-file.
    let whole = |files| -> Vec<Bitboard> {
        Square::ALL.into_iter().map(|square| along(square, files)).collect()
    };
    assert_eq!(smallest_modulus(&whole(1)), 257, "514 is not the smallest");
    assert_eq!(smallest_modulus(&whole(-1)), 257);
    assert_eq!(smallest_modulus(&whole(0)), 491);
    assert_eq!(smallest_modulus(&[Bitboard::file(File::A)]), 258);
}
