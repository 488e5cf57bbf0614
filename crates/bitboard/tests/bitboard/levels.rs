//! Levels of CPUs: tasks, and many pieces at once, against slow references.

use crate::random;
use halfmove_bitboard::attacks::Pieces;
use halfmove_bitboard::cpu::{self, Baseline, Cpu, Level, OneByOne, Task};
use halfmove_bitboard::sliders::{RayWalk, Sliders};
use halfmove_bitboard::{Bitboard, Square};

/// The attacks and the mobility of pieces, taken all at once and one by one, and the attacks of one slider.
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

/// The scalar products of rows of any length, and of none.
#[derive(Copy, Clone)]
struct Products<const N: usize>([u8; N], [[i8; N]; 3]);

impl<const N: usize> Task for Products<N> {
    type Output = [i32; 3];

    fn run<C: Cpu>(self, cpu: C) -> [i32; 3] {
        let [a, b, c] = &self.1;
        let three = cpu.products(&self.0, [a, b, c]);
        assert_eq!(OneByOne(cpu).products(&self.0, [a, b, c]), three);
        [three, cpu.products(&self.0, [a]), cpu.products(&self.0, [])]
    }
}

struct LevelOf;

impl Task for LevelOf {
    type Output = Level;

    fn run<C: Cpu>(self, _: C) -> Level {
        C::LEVEL
    }
}

/// Runs a task on every [`Cpu`] of this machine, including those that [`cpu::run`] would not choose here.
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

/// Random rows, and those whose products are the largest and the smallest.
fn products_of<const N: usize>(state: &mut u64) {
    let extremes = [(127, i8::MAX), (127, i8::MIN), (0, i8::MIN)];
    for round in 0..500 {
        let (mut one, mut rows) = ([0; N], [[0; N]; 3]);
        one.iter_mut().for_each(|byte| *byte = random(state) as u8 & 127);
        rows.as_flattened_mut().iter_mut().for_each(|byte| *byte = random(state) as i8);
        if let Some((a, b)) = extremes.get(round) {
            (one, rows) = ([*a; N], [[*b; N]; 3]);
        }
        let product = |row: &[i8; N]| -> i32 {
            (0..N).map(|at| i32::from(one[at]) * i32::from(row[at])).sum()
        };
        let expected = [rows.iter().map(product).sum(), product(&rows[0]), 0];
        for found in on_every_cpu(Products(one, rows)) {
            assert_eq!(found, expected, "{N}");
        }
    }
}

#[test]
fn products_are_those_of_the_numbers() {
    let mut state = 0x9e37_79b9_7f4a_7c15;
    products_of::<0>(&mut state);
    products_of::<1>(&mut state);
    products_of::<15>(&mut state);
    products_of::<63>(&mut state);
    products_of::<64>(&mut state);
    products_of::<176>(&mut state);
    products_of::<255>(&mut state);
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

/// Pieces together, on every CPU of this machine, compared with piece by piece and ray by ray; also where `occupied`
/// lacks some of the pieces.
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
fn levels_have_names() {
    let names = [Level::Baseline, Level::V3, Level::V4].map(|level| level.to_string());
    assert_eq!(names, ["baseline", "x86-64-v3", "x86-64-v4"]);
}
