//! The finder of magic factors, and the factors that are committed.

#[allow(dead_code, reason = "the program uses the rest")]
#[path = "../../examples/find_magics/finder.rs"]
mod finder;

use finder::Kind;
use finder::case::{Case, Slider};
use halfmove_bitboard::{Bitboard, File, Rank, Square};
use halfmove_techniques::Sliders;
use halfmove_techniques::lookup::magics::{IndirectMagics, SharedMagics};

const FACTORS: &str = include_str!("../../src/lookup/magics/factors.rs");

/// The number of squares on the ray from a square, without the square.
fn ray_len(square: Square, (files, ranks): (i8, i8)) -> u32 {
    let mut len = 0;
    let mut at = square;
    while let Some(next) = at.offset(files, ranks) {
        len += 1;
        at = next;
    }
    len
}

/// The source's two tables. A ray of `n` squares has `n - 1` relevant ones and ends in one of `n`
/// ways; a ray without squares has one way to be empty.
#[test]
fn occupancies_and_attack_sets_are_products_over_the_rays() {
    let rook = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    let bishop = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
    let (mut occupancies, mut sets) = ([0; 2], [0; 2]);
    for (slider, directions) in [(Slider::Rook, rook), (Slider::Bishop, bishop)] {
        for square in Square::ALL {
            let case = Case::new(slider, square, false);
            let lens = directions.map(|direction| ray_len(square, direction));
            let relevant: u32 = lens.iter().map(|len| len.saturating_sub(1)).sum();
            let distinct: u32 = lens.iter().map(|len| (*len).max(1)).product();
            assert_eq!(case.occupied.len(), 1 << relevant, "{slider:?} {square}");
            assert_eq!(case.distinct as u32, distinct, "{slider:?} {square}");
            occupancies[slider as usize] += case.occupied.len();
            sets[slider as usize] += case.distinct;
        }
    }
    assert_eq!((occupancies, sets), ([102_400, 5_248], [4_900, 1_428]));
    assert_eq!(sets.iter().sum::<usize>(), IndirectMagics::SETS);
}

/// The quarter of the board that the source prints, the eighth rank first, files a to d.
#[test]
fn occupancies_and_attack_sets_are_those_of_the_source() {
    let bishop = [
        [(64, 7), (32, 6), (32, 10), (32, 12)],
        [(32, 6), (32, 6), (32, 10), (32, 12)],
        [(32, 10), (32, 10), (128, 40), (128, 48)],
        [(32, 12), (32, 12), (128, 48), (512, 108)],
    ];
    let rook = [
        [(4096, 49), (2048, 42), (2048, 70), (2048, 84)],
        [(2048, 42), (1024, 36), (1024, 60), (1024, 72)],
        [(2048, 70), (1024, 60), (1024, 100), (1024, 120)],
        [(2048, 84), (1024, 72), (1024, 120), (1024, 144)],
    ];
    for (slider, quarter) in [(Slider::Bishop, bishop), (Slider::Rook, rook)] {
        for square in Square::ALL {
            let case = Case::new(slider, square, true);
            let mirrored = |index: usize| index.min(7 - index);
            let (rank, file) = (mirrored(square.rank() as usize), mirrored(square.file() as usize));
            assert_eq!((case.occupied.len(), case.distinct), quarter[rank][file], "{square}");
        }
    }
    assert_eq!(Square::new(File::A, Rank::First), Square::A1, "quarters start in the corner");
}

#[test]
fn the_committed_factors_of_plain_and_fancy_magics_are_found() {
    for kind in [Kind::Plain, Kind::Fancy] {
        assert!(FACTORS.contains(&finder::unshared_text(kind)), "{kind:?}");
    }
}

/// The smallest table known before, with one multiplication and one load, has 87,988 sets.
#[test]
fn shared_magics_have_the_smallest_table() {
    const { assert!(SharedMagics::SETS < 87_988) };
    let table = SharedMagics::SETS * size_of::<Bitboard>();
    let entries = 128 * 24;
    assert_eq!(SharedMagics::TECHNIQUE.table_bytes, table + entries);
}
