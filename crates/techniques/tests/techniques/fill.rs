//! Fills, compared with walks of each slider on its own.

use crate::random;
use halfmove_bitboard::{Bitboard, Direction, Square, lines};
use halfmove_techniques::{RayWalk, Sliders, fill};

/// The squares that one slider reaches in a direction: the empty ones, and the piece that stops it.
fn walk(from: Square, direction: Direction, occupied: Bitboard) -> (Bitboard, Bitboard) {
    let mut run = Bitboard::EMPTY;
    let mut at = from;
    while let Some(next) = at.step(direction) {
        if occupied.has(next) {
            return (run, next.into());
        }
        run |= next;
        at = next;
    }
    (run, Bitboard::EMPTY)
}

/// Boards with sliders: (sliders, occupied). On every fifth, the sliders' own squares count as empty.
fn boards(count: u32) -> Vec<(Bitboard, Bitboard)> {
    let mut state = 2008;
    (0..count)
        .map(|round| {
            let (a, b, c) = (random(&mut state), random(&mut state), random(&mut state));
            let occupied = if round % 2 == 0 { a & b } else { a & b & c };
            let sliders = random(&mut state) & random(&mut state) & random(&mut state);
            match round % 5 {
                0 => (Bitboard(sliders), Bitboard(occupied & !sliders)),
                1 => (Bitboard(sliders), Bitboard(sliders)),
                _ => (Bitboard(sliders & occupied), Bitboard(occupied)),
            }
        })
        .collect()
}

#[test]
fn both_fills_equal_the_walks() {
    for (sliders, occupied) in boards(4_000) {
        for direction in Direction::ALL {
            let (mut filled, mut attacked) = (sliders, Bitboard::EMPTY);
            for from in sliders {
                let (run, stop) = walk(from, direction, occupied);
                filled |= run;
                attacked |= run | stop;
            }
            assert_eq!(fill::dumb7::occluded(sliders, direction, occupied), filled);
            assert_eq!(fill::kogge_stone::occluded(sliders, direction, occupied), filled);
            assert_eq!(fill::occluded(sliders, direction, occupied), filled);
            assert_eq!(fill::dumb7::attacks(sliders, direction, occupied), attacked);
            assert_eq!(fill::kogge_stone::attacks(sliders, direction, occupied), attacked);
            assert_eq!(fill::attacks(sliders, direction, occupied), attacked);
            let directions = fill::by_direction(sliders, occupied);
            assert_eq!(directions[direction.index()], attacked);
        }
    }
}

/// One slider on every square, every occupancy of its ray.
#[test]
fn both_fills_are_right_on_every_ray() {
    for from in Square::ALL {
        for direction in Direction::ALL {
            for occupied in lines::ray(from, direction).subsets() {
                let (run, stop) = walk(from, direction, occupied);
                let slider = Bitboard::from(from);
                assert_eq!(fill::dumb7::occluded(slider, direction, occupied), run | slider);
                assert_eq!(fill::kogge_stone::occluded(slider, direction, occupied), run | slider);
                assert_eq!(fill::dumb7::attacks(slider, direction, occupied), run | stop);
                assert_eq!(fill::kogge_stone::attacks(slider, direction, occupied), run | stop);
            }
        }
    }
}

#[test]
fn pieces_attack_in_one_move_and_in_two() {
    let oracle = RayWalk::new().expect("needs nothing");
    type Piece = (
        fn(Bitboard, Bitboard) -> Bitboard,
        fn(Bitboard, Bitboard) -> Bitboard,
        fn(RayWalk, Square, Bitboard) -> Bitboard,
    );
    let pieces: [Piece; 3] = [
        (fill::rooks, fill::rooks_in_two, RayWalk::rook),
        (fill::bishops, fill::bishops_in_two, RayWalk::bishop),
        (fill::queens, fill::queens_in_two, RayWalk::queen),
    ];
    for (sliders, occupied) in boards(600) {
        let occupied = occupied | sliders;
        for (in_one, in_two, attacks) in pieces {
            let mut one = Bitboard::EMPTY;
            let mut two = Bitboard::EMPTY;
            for from in sliders {
                let targets = attacks(oracle, from, occupied);
                one |= targets;
                two |= targets;
                for stop in targets - occupied {
                    // The slider has really left its square; only that square is not compared.
                    two |= attacks(oracle, stop, occupied.without(from)) - from;
                }
            }
            assert_eq!(in_one(sliders, occupied), one);
            // A slider may come back to where it was, which is no target of the slow version.
            assert_eq!(in_two(sliders, occupied) - sliders, two - sliders);
        }
    }
}

#[test]
fn two_moves_turn_after_the_first() {
    for (sliders, occupied) in boards(300) {
        for first in Direction::ALL {
            for second in Direction::ALL {
                let mut targets = Bitboard::EMPTY;
                for from in sliders {
                    for stop in walk(from, first, occupied).0 {
                        let (run, piece) = walk(stop, second, occupied);
                        targets |= run | piece;
                    }
                }
                assert_eq!(fill::two_moves(sliders, first, second, occupied), targets);
            }
        }
    }
}

/// A piece is pinned if the slider attacks the king without it, and not with it.
#[test]
fn pinned_pieces_are_those_whose_absence_is_a_check() {
    let oracle = RayWalk::new().expect("needs nothing");
    let mut state = 4;
    let mut found = 0;
    for round in 0..3_000 {
        let occupied = Bitboard(random(&mut state) & random(&mut state));
        let king = Square::ALL[round % 64];
        let occupied = occupied.with(king);
        let ours = (occupied & Bitboard(random(&mut state))).with(king);
        let theirs = occupied - ours;
        let orthogonal = theirs & Bitboard(random(&mut state));
        let diagonal = theirs & Bitboard(random(&mut state));
        let sets = fill::pinned(king, ours, orthogonal, diagonal, occupied);
        let discover = fill::discoverers(king, theirs, orthogonal, diagonal, occupied);
        for direction in Direction::ALL {
            let (sliders, straight) = match direction.is_orthogonal() {
                true => (orthogonal, true),
                false => (diagonal, false),
            };
            let attacks = |from: Square, pieces: Bitboard| match straight {
                true => oracle.rook(from, pieces),
                false => oracle.bishop(from, pieces),
            };
            let mut screens = Bitboard::EMPTY;
            for slider in sliders & lines::ray(king, direction.opposite()) {
                for piece in occupied.without(king).without(slider) {
                    let with = attacks(slider, occupied).has(king);
                    let without = attacks(slider, occupied.without(piece)).has(king);
                    if !with && without {
                        screens |= piece;
                    }
                }
            }
            found += screens.len();
            assert_eq!(fill::screens(sliders, direction, king, occupied), screens);
            assert_eq!(sets[direction.index()], screens & ours);
            assert_eq!(discover[direction.index()], screens & theirs);
        }
    }
    assert!(found > 1_000, "the boards have screens at all");
}
