//! Every kernel for many sliders, against the ray walk.

use crate::random;
use halfmove_bitboard::{Bitboard, Square};
use halfmove_techniques::batch::{self, Kernel, LengthError};
use halfmove_techniques::{RayWalk, Sliders, relevant};

/// The kernels that this CPU can run; those that it cannot are named.
fn kernels() -> Vec<Kernel> {
    let (mut found, mut skipped) = (Vec::new(), Vec::new());
    for name in Kernel::NAMES {
        match Kernel::new(name) {
            Some(kernel) => {
                assert_eq!(kernel.name(), name);
                found.push(kernel);
            }
            None => skipped.push(name),
        }
    }
    for name in skipped {
        println!("skipped: batch kernel {name}: this CPU lacks it");
    }
    assert_eq!(Kernel::best().name(), found.last().expect("the portable one").name());
    found
}

const ONE_LENGTH: &str = "slices of one length";

/// Compares all kernels with the ray walk on these pairs.
fn hold(squares: &[Square], occupied: &[Bitboard]) {
    let oracle = RayWalk::new().expect("needs nothing");
    let pairs = || squares.iter().zip(occupied);
    let rooks: Vec<Bitboard> = pairs().map(|(s, o)| oracle.rook(*s, *o)).collect();
    let bishops: Vec<Bitboard> = pairs().map(|(s, o)| oracle.bishop(*s, *o)).collect();
    let queens: Vec<Bitboard> = rooks.iter().zip(&bishops).map(|(r, b)| *r | *b).collect();
    let mut attacks = vec![Bitboard::FULL; squares.len()];
    for kernel in kernels() {
        kernel.rook(squares, occupied, &mut attacks).expect(ONE_LENGTH);
        assert!(attacks == rooks, "{} rook", kernel.name());
        kernel.bishop(squares, occupied, &mut attacks).expect(ONE_LENGTH);
        assert!(attacks == bishops, "{} bishop", kernel.name());
        kernel.queen(squares, occupied, &mut attacks).expect(ONE_LENGTH);
        assert!(attacks == queens, "{} queen", kernel.name());
    }
    batch::rook(squares, occupied, &mut attacks).expect(ONE_LENGTH);
    assert!(attacks == rooks);
    batch::bishop(squares, occupied, &mut attacks).expect(ONE_LENGTH);
    assert!(attacks == bishops);
    batch::queen(squares, occupied, &mut attacks).expect(ONE_LENGTH);
    assert!(attacks == queens);
}

#[test]
fn every_kernel_equals_the_ray_walk_on_all_relevant_occupancies() {
    let mut sets = 0;
    for square in Square::ALL {
        for relevant in [relevant::rook(square), relevant::bishop(square)] {
            let occupied: Vec<Bitboard> = relevant.subsets().collect();
            hold(&vec![square; occupied.len()], &occupied);
            sets += occupied.len();
        }
    }
    assert_eq!(sets, 107_648);
}

#[test]
fn every_kernel_equals_the_ray_walk_on_random_boards() {
    let mut state = 0x9e37_79b9_7f4a_7c15;
    for round in 0..200 {
        // Neighbors in a block have nothing to do with each other.
        let squares: Vec<Square> =
            (0..512).map(|_| Square::wrapping(random(&mut state) as u8)).collect();
        let occupied: Vec<Bitboard> = squares
            .iter()
            .map(|square| {
                let board = random(&mut state);
                Bitboard(match round % 4 {
                    0 => board,
                    1 => board & random(&mut state),
                    2 => board & random(&mut state) & random(&mut state) | 1 << *square as u8,
                    _ => board | random(&mut state),
                })
            })
            .collect();
        hold(&squares, &occupied);
    }
}

#[test]
fn any_number_of_sliders_will_do() {
    let mut state = 7;
    for n in 0..140 {
        let squares: Vec<Square> =
            (0..n).map(|_| Square::wrapping(random(&mut state) as u8)).collect();
        let occupied: Vec<Bitboard> =
            (0..n).map(|_| Bitboard(random(&mut state) & random(&mut state))).collect();
        hold(&squares, &occupied);
    }
}

#[test]
fn slices_of_unequal_lengths_are_an_error() {
    let squares = [Square::A1, Square::B1, Square::C1];
    let occupied = [Bitboard::EMPTY; 3];
    for (n, m, k) in [(2, 1, 1), (1, 2, 1), (1, 1, 2), (0, 1, 0), (3, 3, 2), (2, 3, 3)] {
        let expected = LengthError { squares: n, occupied: m, attacks: k };
        let mut attacks = [Bitboard::FULL; 3];
        for kernel in kernels() {
            let error = kernel.queen(&squares[..n], &occupied[..m], &mut attacks[..k]);
            assert_eq!(error, Err(expected), "{}", kernel.name());
        }
        assert_eq!(batch::rook(&squares[..n], &occupied[..m], &mut attacks[..k]), Err(expected));
        assert_eq!(batch::bishop(&squares[..n], &occupied[..m], &mut attacks[..k]), Err(expected));
        assert_eq!(attacks, [Bitboard::FULL; 3], "nothing is written");
    }
}
