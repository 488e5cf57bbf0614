//! Bit tricks against loops over the 64 bits.

use crate::random;
use halfmove_bitboard::{Bitboard, File, Square};
use halfmove_techniques::bits::{self, DeBruijn, kindergarten};

/// The table printed in the source next to its factor.
const LEISERSON_INDEX: [u8; 64] = [
    63, 0, 58, 1, 59, 47, 53, 2, 60, 39, 48, 27, 54, 33, 42, 3, 61, 51, 37, 40, 49, 18, 28, 20, 55,
    30, 34, 11, 43, 14, 22, 4, 62, 57, 46, 52, 38, 26, 32, 41, 50, 36, 17, 19, 29, 10, 13, 21, 56,
    45, 25, 31, 35, 16, 9, 12, 44, 24, 15, 8, 23, 7, 6, 5,
];

/// The table printed in the source for the remainders modulo 67; -1 is a gap.
const MODULO_67: [i8; 67] = [
    64, 0, 1, 39, 2, 15, 40, 23, 3, 12, 16, 59, 41, 19, 24, 54, 4, -1, 13, 10, 17, 62, 60, 28, 42,
    30, 20, 51, 25, 44, 55, 47, 5, 32, -1, 38, 14, 22, 11, 58, 18, 53, 63, 9, 61, 27, 29, 50, 43,
    46, 31, 37, 21, 57, 52, 8, 26, 49, 45, 36, 56, 7, 48, 35, 6, 34, 33,
];

/// All words of two bits, and random ones, sparse and dense.
fn words() -> Vec<u64> {
    let mut words = vec![0, !0, 1, 1 << 63];
    for high in 0..64 {
        words.extend((0..=high).map(|low| 1 << high | 1 << low));
    }
    let mut state = 7;
    for _ in 0..2_000 {
        let (a, b) = (random(&mut state), random(&mut state));
        words.extend([a, a & b, a | b, a & b & random(&mut state), a >> (b & 63), a << (b & 63)]);
    }
    words
}

/// The positions of the bits, lowest first, by trying each.
fn places(x: u64) -> Vec<u32> {
    (0..64).filter(|place| x >> place & 1 == 1).collect()
}

#[test]
fn scans_counts_and_isolations_find_the_bits() {
    let own = DeBruijn::nth(31_415_926).expect("below 2^26");
    for x in words() {
        let places = places(x);
        let (first, last) = (places.first().copied(), places.last().copied());
        assert_eq!(bits::count(x) as usize, places.len());
        assert_eq!(bits::count_swar(x) as usize, places.len());
        assert_eq!(bits::isolate_lowest(x), first.map_or(0, |place| 1 << place));
        assert_eq!(bits::isolate_highest(x), last.map_or(0, |place| 1 << place));
        assert_eq!(
            bits::reset_lowest(x),
            places.iter().skip(1).map(|place| 1 << place).sum::<u64>()
        );
        assert_eq!((bits::scan_forward(x), bits::scan_reverse(x)), (first, last));
        assert_eq!(bits::trailing_zeros_modulo_67(x), first.unwrap_or(64));
        for scan in [DeBruijn::LEISERSON, own] {
            assert_eq!((scan.scan_forward(x), scan.scan_reverse(x)), (first, last), "{scan:?}");
        }
    }
}

#[test]
fn the_tables_are_those_of_the_source() {
    assert_eq!(DeBruijn::LEISERSON.factor(), 0x07ed_d5e5_9a4e_28c2);
    assert_eq!(DeBruijn::LEISERSON.index(), &LEISERSON_INDEX);
    let mut reached = [false; 67];
    for place in (0..64).map(Some).chain([None]) {
        let power = place.map_or(0, |place| 1_u64 << place);
        let remainder = (power % 67) as usize;
        assert_eq!(i64::from(MODULO_67[remainder]), place.unwrap_or(64));
        assert_eq!(bits::trailing_zeros_modulo_67(power), MODULO_67[remainder] as u32);
        reached[remainder] = true;
    }
    let gaps: Vec<usize> = (0..67).filter(|&remainder| !reached[remainder]).collect();
    assert_eq!(gaps, [17, 34]);
}

/// By backtracking: the sequences that begin with six zeros, smallest first, until `visit` has
/// enough.
fn backtrack(factor: u64, bits: u32, used: u64, visit: &mut impl FnMut(u64) -> bool) -> bool {
    if bits == 64 {
        // The words that run over the end into the zeros of the beginning.
        let wrapped = (0..5).map(|i| factor.rotate_left(59 + i) >> 58);
        let mut used = used;
        for word in wrapped {
            if used >> word & 1 == 1 {
                return false;
            }
            used |= 1 << word;
        }
        return visit(factor);
    }
    (0..2).any(|bit| {
        let factor = factor | bit << (63 - bits);
        let word = factor >> (63 - bits) & 63;
        used >> word & 1 == 0 && backtrack(factor, bits + 1, used | 1 << word, visit)
    })
}

#[test]
fn numbers_follow_the_order_of_the_backtracking_walk() {
    let mut number = 0;
    backtrack(0, 6, 1, &mut |factor| {
        let sequence = DeBruijn::nth(number).expect("below 2^26");
        assert_eq!(sequence.factor(), factor, "{number}");
        assert_eq!(DeBruijn::from_factor(factor), Some(sequence));
        assert_eq!(sequence.number(), number);
        number += 1;
        number == 300
    });
    assert_eq!(number, 300);
}

#[test]
fn every_number_has_its_own_sequence() {
    assert_eq!(DeBruijn::COUNT, 67_108_864);
    assert_eq!(DeBruijn::nth(DeBruijn::COUNT), None);
    let mut state = 5;
    let mut ranks: Vec<u32> =
        (0..300).map(|_| random(&mut state) as u32 % DeBruijn::COUNT).collect();
    ranks.extend([0, 1, DeBruijn::COUNT - 2, DeBruijn::COUNT - 1]);
    ranks.sort_unstable();
    ranks.dedup();
    let mut last = 0;
    for number in ranks {
        let sequence = DeBruijn::nth(number).expect("below 2^26");
        let factor = sequence.factor();
        assert!(factor > last, "in order");
        assert_eq!((factor.leading_zeros(), factor & 1), (6, 1));
        let words: std::collections::BTreeSet<u64> =
            (0..64).map(|turn| factor.rotate_left(turn) >> 58).collect();
        assert_eq!(words.len(), 64, "{factor:#x}");
        assert_eq!(sequence.number(), number);
        let even = DeBruijn::from_factor(factor << 1).expect("five zeros do as well");
        assert_eq!(even.number(), number);
        last = factor;
    }
    assert_eq!(
        DeBruijn::nth(DeBruijn::LEISERSON.number()).map(|odd| odd.factor() << 1),
        Some(DeBruijn::LEISERSON.factor())
    );
    for no_sequence in
        [0, 1, !0, DeBruijn::LEISERSON.factor() << 1, DeBruijn::LEISERSON.factor() ^ 8]
    {
        assert_eq!(DeBruijn::from_factor(no_sequence), None);
    }
}

#[test]
fn extract_and_deposit_move_bit_by_bit() {
    let words = words();
    for (&x, &mask) in words.iter().zip(words.iter().rev()) {
        let places = places(mask);
        let extracted: u64 =
            places.iter().enumerate().map(|(to, from)| (x >> from & 1) << to).sum();
        assert_eq!(bits::extract(x, mask), extracted);
        let deposited: u64 =
            places.iter().enumerate().map(|(from, to)| (x >> from & 1) << to).sum();
        assert_eq!(bits::deposit(x, mask), deposited);
        assert_eq!(bits::deposit(bits::extract(x, mask), mask), x & mask);
    }
}

#[test]
fn kindergarten_multiplications_bring_lines_to_a_rank() {
    for occupied in words().into_iter().map(Bitboard) {
        for file in File::ALL {
            let on_file = occupied.iter().filter(|square| square.file() == file);
            let expected: u8 = on_file.map(|square| 1 << (7 - square.rank().index())).sum();
            assert_eq!(kindergarten::file_to_rank(file, occupied), expected);
        }
        for square in [Square::A1, Square::D4, Square::H1, Square::B7, Square::G3, Square::A8] {
            let byte = |same: &dyn Fn(Square) -> bool| -> u8 {
                let on_line = occupied.iter().filter(|&at| same(at));
                on_line.map(|at| 1 << at.file().index()).sum()
            };
            let diagonal = byte(&|at| at.diagonal_index() == square.diagonal_index());
            assert_eq!(kindergarten::diagonal_to_rank(square, occupied), diagonal);
            let anti = byte(&|at| at.anti_diagonal_index() == square.anti_diagonal_index());
            assert_eq!(kindergarten::anti_diagonal_to_rank(square, occupied), anti);
        }
    }
}
