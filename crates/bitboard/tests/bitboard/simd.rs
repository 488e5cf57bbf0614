//! Many sliders at once: every kernel, and the fills of eight directions, against slow references.

use crate::random;
use halfmove_bitboard::attacks::Pieces;
use halfmove_bitboard::batch::{self, Kernel, LengthError};
use halfmove_bitboard::cpu::{self, Baseline, Cpu, Level, OneByOne, Task};
use halfmove_bitboard::sliders::{RayWalk, Sliders, relevant};
use halfmove_bitboard::{Bitboard, Square};

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

/// What a CPU computes for pieces, taken all at once and one by one, and for one slider.
#[derive(Copy, Clone)]
struct OnLevel(Pieces, Bitboard, Bitboard);

impl Task for OnLevel {
    type Output = (Level, [(Bitboard, u32); 2], [Bitboard; 3]);

    fn run<C: Cpu>(self, cpu: C) -> Self::Output {
        let Self(pieces, occupied, targets) = self;
        let one_by_one = OneByOne(cpu);
        assert_eq!(one_by_one.enter(LevelOf), C::LEVEL);
        let square = targets.first().unwrap_or(Square::A1);
        (
            C::LEVEL,
            [
                (cpu.attacks(pieces, occupied), cpu.mobility(pieces, occupied, targets)),
                (
                    one_by_one.attacks(pieces, occupied),
                    one_by_one.mobility(pieces, occupied, targets),
                ),
            ],
            [cpu.rook(square, occupied), cpu.bishop(square, occupied), cpu.queen(square, occupied)],
        )
    }
}

/// The squares of sets as numbers.
#[derive(Copy, Clone)]
struct Multiples(Bitboard, u16, u16);

impl Task for Multiples {
    type Output = [u16; 32];

    fn run<C: Cpu>(self, cpu: C) -> [u16; 32] {
        let Self(squares, factor, offset) = self;
        let multiples = cpu.multiples(squares, factor, offset);
        assert_eq!(OneByOne(cpu).multiples(squares, factor, offset), multiples);
        multiples
    }
}

struct LevelOf;

impl Task for LevelOf {
    type Output = Level;

    fn run<C: Cpu>(self, _: C) -> Level {
        C::LEVEL
    }
}

/// On every [`Cpu`] that this machine can run, those included that [`cpu::run`] would not choose here.
fn on_every_cpu<T: Task + Copy>(task: T) -> Vec<T::Output> {
    let mut found = vec![Baseline.enter(task)];
    #[cfg(target_arch = "x86_64")]
    {
        use halfmove_bitboard::cpu::{V3, V3WithoutPext, V4};
        found.extend(V3WithoutPext::new().map(|cpu| cpu.enter(task)));
        found.extend(V3::new().map(|cpu| cpu.enter(task)));
        found.extend(V4::new().map(|cpu| cpu.enter(task)));
    }
    found
}

#[test]
fn multiples_are_those_of_the_squares() {
    let mut state = 0x9e37_79b9_7f4a_7c15;
    for round in 0..10_000 {
        let dense = Bitboard(random(&mut state));
        let squares = if round % 2 == 0 { dense } else { dense & Bitboard(random(&mut state)) };
        let [factor, offset] = [0; 2].map(|_| random(&mut state) as u16);
        let number = |square: Square| factor.wrapping_mul(square as u16).wrapping_add(offset);
        let expected: Vec<u16> = squares.into_iter().map(number).take(32).collect();
        for found in on_every_cpu(Multiples(squares, factor, offset)) {
            assert_eq!(found[..expected.len()], expected, "{squares:?}");
        }
    }
}

#[test]
fn a_task_runs_at_the_highest_level_allowed() {
    assert!(Level::Baseline.is_available());
    assert!(Level::ALL.is_sorted());
    for most in Level::ALL.iter().copied() {
        let available = Level::ALL.iter().copied().filter(|level| level.is_available());
        let highest = available.filter(|level| *level <= most).max();
        assert_eq!(Some(cpu::run_up_to(most, LevelOf)), highest);
    }
    assert_eq!(cpu::run(LevelOf), Level::best());
    for level in Level::ALL.iter().filter(|level| !level.is_available()) {
        println!("skipped: code for {level}: this CPU lacks it");
    }
}

/// Pieces together, on every CPU that this machine can run, against piece by piece and ray by ray; also
/// where `occupied` lacks some of the pieces.
#[test]
fn pieces_together_equal_pieces_one_by_one() {
    let oracle = RayWalk::new().expect("needs nothing");
    let mut state = 0x2545_f491_4f6c_dd1d;
    for round in 0..20_000 {
        let board = Bitboard(random(&mut state) & random(&mut state));
        let [a, b, c] = [0; 3].map(|_| random(&mut state));
        let pieces = Pieces {
            orthogonal: board & Bitboard(a & b),
            diagonal: board & Bitboard(a & c),
            knights: board & Bitboard(b & c & !a),
        };
        let given = if round % 2 == 0 { board } else { board & Bitboard(random(&mut state)) };
        let occupied = given | pieces.orthogonal | pieces.diagonal | pieces.knights;
        let targets = Bitboard(random(&mut state));
        let hops = |from: Square| -> Bitboard {
            [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
                .into_iter()
                .filter_map(|(files, ranks)| from.offset(files, ranks))
                .collect()
        };
        let sets = (pieces.orthogonal.iter().map(|from| oracle.rook(from, occupied)))
            .chain(pieces.diagonal.iter().map(|from| oracle.bishop(from, occupied)))
            .chain(pieces.knights.iter().map(hops));
        let (mut attacks, mut mobility) = (Bitboard::EMPTY, 0);
        for set in sets {
            attacks |= set;
            mobility += (set & targets).len();
        }
        assert_eq!(pieces.attacks(given), attacks, "{pieces:?}");
        assert_eq!(pieces.mobility(given, targets), mobility, "{pieces:?}");
        let square = targets.first().unwrap_or(Square::A1);
        let one = [
            oracle.rook(square, given),
            oracle.bishop(square, given),
            oracle.rook(square, given) | oracle.bishop(square, given),
        ];
        for (level, both_ways, sliders) in on_every_cpu(OnLevel(pieces, given, targets)) {
            assert_eq!(both_ways, [(attacks, mobility); 2], "{level}: {pieces:?}");
            assert_eq!(sliders, one, "{level}: {square} among {given:?}");
        }
    }
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

#[cfg(all(feature = "techniques", target_arch = "x86_64"))]
mod fills {
    use super::random;
    use halfmove_bitboard::sliders::{FillAvx2, FillAvx512};
    use halfmove_bitboard::{Bitboard, Direction};

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
}

#[test]
fn levels_have_names() {
    let names = [Level::Baseline, Level::V3, Level::V4].map(|level| level.to_string());
    assert_eq!(names, ["baseline", "x86-64-v3", "x86-64-v4"]);
}
