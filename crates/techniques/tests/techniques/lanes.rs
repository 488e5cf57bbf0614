//! Fills of several directions or sets in one register, against steps from each slider on its own.

use crate::random;
use halfmove_bitboard::{Bitboard, Direction};
use halfmove_techniques::x86_64::{FillAvx2, FillAvx512, FillSse2};

type Fills = [Bitboard; 8];

/// Square by square, step by step.
fn reference(orthogonal: Bitboard, diagonal: Bitboard, occupied: Bitboard) -> (Fills, Fills) {
    let (mut occluded, mut attacks) = ([Bitboard::EMPTY; 8], [Bitboard::EMPTY; 8]);
    for direction in Direction::ALL {
        let sliders = if direction.is_orthogonal() { orthogonal } else { diagonal };
        for slider in sliders {
            occluded[direction.index()] |= slider;
            let mut at = slider;
            while let Some(next) = at.step(direction) {
                attacks[direction.index()] |= next;
                if occupied.has(next) {
                    break;
                }
                occluded[direction.index()] |= next;
                at = next;
            }
        }
    }
    (occluded, attacks)
}

fn boards() -> impl Iterator<Item = (Bitboard, Bitboard, Bitboard)> {
    let mut state = 0x1234_5678_9abc_def1;
    let mut random = move || random(&mut state);
    (0..20_000).map(move |round| {
        let occupied = match round % 4 {
            0 => random(),
            1 => random() & random(),
            2 => random() & random() & random(),
            _ => 0,
        };
        let mut sliders = || Bitboard(random() & random() & random() & random());
        (sliders(), sliders(), Bitboard(occupied))
    })
}

macro_rules! equals_the_reference {
    ($test:ident, $fill:ident) => {
        #[test]
        fn $test() {
            let Some(fill) = $fill::new() else {
                println!("skipped: {}: this CPU lacks it", stringify!($fill));
                return;
            };
            for (orthogonal, diagonal, occupied) in boards() {
                let (occluded, attacks) = reference(orthogonal, diagonal, occupied);
                assert_eq!(fill.occluded(orthogonal, diagonal, occupied), occluded);
                assert_eq!(fill.attacks(orthogonal, diagonal, occupied), attacks);
            }
        }
    };
}

equals_the_reference!(avx2_equals_the_reference, FillAvx2);
equals_the_reference!(avx512_equals_the_reference, FillAvx512);

#[test]
fn sse2_fills_two_sets() {
    let fill = FillSse2::new().expect("every x86-64 has SSE2");
    for (white, black, occupied) in boards() {
        let (white_occluded, white_attacks) = reference(white, white, occupied);
        let (black_occluded, black_attacks) = reference(black, black, occupied);
        for direction in Direction::ALL {
            let d = direction.index();
            assert_eq!(
                fill.occluded([white, black], direction, occupied),
                [white_occluded[d], black_occluded[d]]
            );
            assert_eq!(
                fill.attacks([white, black], direction, occupied),
                [white_attacks[d], black_attacks[d]]
            );
        }
    }
}
