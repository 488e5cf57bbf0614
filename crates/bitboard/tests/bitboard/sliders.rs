//! The front door, its techniques, and the relevant squares.

use crate::suite::equals_the_ray_walk;
use halfmove_bitboard::sliders::{Hyperbola, RayWalk, Sliders, Technique, relevant};
use halfmove_bitboard::{Bitboard, Square, attacks};

/// Squares whose occupancy can matter, found by trial: a piece there changes the attacks.
fn matters(attacks: impl Fn(Bitboard) -> Bitboard) -> Bitboard {
    Square::ALL
        .into_iter()
        .filter(|square| attacks((*square).into()) != attacks(Bitboard::EMPTY))
        .collect()
}

#[test]
fn relevant_squares_are_those_that_matter() {
    let oracle = RayWalk::new().expect("needs nothing");
    for square in Square::ALL {
        assert_eq!(relevant::rook(square), matters(|occupied| oracle.rook(square, occupied)));
        assert_eq!(relevant::bishop(square), matters(|occupied| oracle.bishop(square, occupied)));
    }
}

#[test]
fn hyperbola_quintessence_equals_the_ray_walk() {
    assert!(equals_the_ray_walk::<Hyperbola>(), "every CPU can run it");
}

#[cfg(target_arch = "x86_64")]
#[test]
fn pext_equals_the_ray_walk() {
    use halfmove_bitboard::sliders::Pext;
    assert_eq!(equals_the_ray_walk::<Pext>(), std::is_x86_feature_detected!("bmi2"));
}

/// The functions of [`attacks`] as a technique.
#[derive(Copy, Clone)]
struct FrontDoor;

impl Sliders for FrontDoor {
    const TECHNIQUE: Technique = attacks::SLIDERS;

    fn new() -> Option<Self> {
        Some(Self)
    }

    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        attacks::rook(square, occupied)
    }

    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        attacks::bishop(square, occupied)
    }

    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        attacks::queen(square, occupied)
    }
}

#[test]
fn the_front_door_equals_the_ray_walk() {
    assert!(equals_the_ray_walk::<FrontDoor>());
}

/// The table at the head of the module has a row for each technique, with the right number of bytes.
#[test]
fn the_overview_is_true() {
    let source = include_str!("../../src/sliders.rs");
    let row = |name: &str, technique: Technique| {
        let bytes = technique.table_bytes.to_string();
        source.lines().any(|line| {
            let line = line.replace(',', "");
            line.starts_with(&format!("//! | {name} | {bytes} |"))
        })
    };
    assert!(row("[`RayWalk`]", RayWalk::TECHNIQUE));
    assert!(row("[`Hyperbola`]", Hyperbola::TECHNIQUE));
    #[cfg(target_arch = "x86_64")]
    assert!(row("`Pext`", halfmove_bitboard::sliders::Pext::TECHNIQUE));
}
