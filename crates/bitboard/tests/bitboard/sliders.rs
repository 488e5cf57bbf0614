//! Every technique against the ray walk: all squares, all subsets of the relevant squares, and random full boards.

use crate::random;
use halfmove_bitboard::sliders::{self, RayWalk, Sliders, Visitor, relevant};
use halfmove_bitboard::{Bitboard, Square, attacks};

/// Squares whose occupancy can matter, found by trial: a piece there changes what is attacked.
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

/// Compares techniques with the oracle.
struct Suite {
    oracle: RayWalk,
    passed: u32,
}

impl Visitor for Suite {
    fn visit<S: Sliders>(&mut self) {
        let name = S::TECHNIQUE.name;
        let Some(technique) = S::new() else {
            println!("skipped: {name}: this CPU lacks {}", S::TECHNIQUE.instructions);
            return;
        };
        let mut sets = 0;
        for square in Square::ALL {
            for occupied in relevant::rook(square).subsets() {
                let expected = self.oracle.rook(square, occupied);
                assert_eq!(technique.rook(square, occupied), expected, "{name} {square}");
                sets += 1;
            }
            for occupied in relevant::bishop(square).subsets() {
                let expected = self.oracle.bishop(square, occupied);
                assert_eq!(technique.bishop(square, occupied), expected, "{name} {square}");
                sets += 1;
            }
            let mut state = 0x9e37_79b9_7f4a_7c15 + square as u64;
            for round in 0..300 {
                // Sparse and full boards, with and without a piece on the slider's own square.
                let occupied = match round % 3 {
                    0 => random(&mut state),
                    1 => random(&mut state) & random(&mut state),
                    _ => random(&mut state) | random(&mut state) | 1 << square as u8,
                };
                let occupied = Bitboard(occupied);
                assert_eq!(technique.rook(square, occupied), self.oracle.rook(square, occupied));
                assert_eq!(
                    technique.bishop(square, occupied),
                    self.oracle.bishop(square, occupied)
                );
                assert_eq!(
                    technique.queen(square, occupied),
                    self.oracle.rook(square, occupied) | self.oracle.bishop(square, occupied),
                    "{name} {square} {occupied:?}"
                );
            }
        }
        assert_eq!(sets, 107_648, "102,400 rook and 5,248 bishop occupancies");
        println!("{name}: equal");
        self.passed += 1;
    }
}

#[test]
fn every_technique_equals_the_ray_walk() {
    let mut suite = Suite { oracle: RayWalk::new().expect("needs nothing"), passed: 0 };
    sliders::visit_all(&mut suite);
    assert!(suite.passed >= 2, "the oracle and the front door at least");
}

#[test]
fn the_front_door_equals_the_ray_walk() {
    let oracle = RayWalk::new().expect("needs nothing");
    for square in Square::ALL {
        let mut state = 1 + square as u64;
        for _ in 0..1_000 {
            let occupied = Bitboard(random(&mut state) & random(&mut state));
            assert_eq!(attacks::rook(square, occupied), oracle.rook(square, occupied));
            assert_eq!(attacks::bishop(square, occupied), oracle.bishop(square, occupied));
            assert_eq!(attacks::queen(square, occupied), oracle.queen(square, occupied));
        }
    }
}

/// The tables at the head of the module have the right number of bytes for every technique.
#[test]
fn the_overview_is_true() {
    struct Cards(Vec<(&'static str, usize)>);
    impl Visitor for Cards {
        fn visit<S: Sliders>(&mut self) {
            let path = std::any::type_name::<S>();
            let name = path.rsplit("::").next().unwrap_or(path);
            self.0.push((name, S::TECHNIQUE.table_bytes));
        }
    }
    let mut cards = Cards(Vec::new());
    sliders::visit_all(&mut cards);
    let source = include_str!("../../src/sliders.rs");
    let rows: Vec<(&str, usize)> = source
        .lines()
        .filter_map(|line| line.strip_prefix("//! | [`"))
        .map(|row| {
            let mut cells = row.split(" | ");
            let name = cells.next().and_then(|name| name.strip_suffix("`]")).expect("a link");
            let bytes = cells.next().expect("a second column").trim().replace(',', "");
            (name, bytes.parse().expect("a number of bytes"))
        })
        .collect();
    for card in &cards.0 {
        assert!(rows.contains(card), "no row for {card:?}");
    }
    if cfg!(all(feature = "techniques", target_arch = "x86_64")) {
        assert_eq!(rows.len(), cards.0.len(), "a row too many");
    }
}
