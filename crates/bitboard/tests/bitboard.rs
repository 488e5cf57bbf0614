//! Every technique against the ray walk, exhaustively; and the small laws of sets and squares.

#![allow(clippy::print_stdout, reason = "a skipped technique is named")]

use halfmove_bitboard::sliders::{Hyperbola, RayWalk, Sliders};
use halfmove_bitboard::{Bitboard, File, Rank, Square, attacks, lines};

/// Squares whose occupancy can matter to a slider: its empty-board attacks less the last square of
/// each ray.
fn relevant(attacks: Bitboard, square: Square) -> Bitboard {
    let mut edges = Bitboard::EMPTY;
    for (first, last) in [
        (Bitboard::rank(Rank::First), Bitboard::rank(Rank::Eighth)),
        (Bitboard::file(File::A), Bitboard::file(File::H)),
    ] {
        for edge in [first, last] {
            if !edge.has(square) {
                edges |= edge;
            }
        }
    }
    attacks - edges
}

/// A xorshift generator: the occupancies need spread, not secrecy.
fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

fn equals_the_ray_walk<S: Sliders>() {
    let oracle = RayWalk::new().expect("needs nothing");
    let Some(technique) = S::new() else {
        println!("skipped: this CPU cannot run {}", S::TECHNIQUE.name);
        return;
    };
    let mut sets = 0;
    for square in Square::ALL {
        let rook = relevant(oracle.rook(square, Bitboard::EMPTY), square);
        for occupied in rook.subsets() {
            assert_eq!(technique.rook(square, occupied), oracle.rook(square, occupied), "{square}");
            sets += 1;
        }
        let bishop = relevant(oracle.bishop(square, Bitboard::EMPTY), square);
        for occupied in bishop.subsets() {
            assert_eq!(
                technique.bishop(square, occupied),
                oracle.bishop(square, occupied),
                "{square}"
            );
            sets += 1;
        }
        let mut state = 0x9e37_79b9_7f4a_7c15 + square as u64;
        for _ in 0..200 {
            let occupied = Bitboard(random(&mut state) & random(&mut state));
            assert_eq!(technique.queen(square, occupied), oracle.queen(square, occupied));
        }
    }
    assert_eq!(sets, 107_648, "102,400 rook and 5,248 bishop occupancies");
}

#[test]
fn hyperbola_equals_the_ray_walk() {
    equals_the_ray_walk::<Hyperbola>();
    assert_eq!(Hyperbola::TECHNIQUE.table_bytes, 2_048);
}

#[test]
fn hopping_men_attack_by_distance() {
    for a in Square::ALL {
        for b in Square::ALL {
            let files = (a.index() % 8).abs_diff(b.index() % 8);
            let ranks = (a.index() / 8).abs_diff(b.index() / 8);
            assert_eq!(attacks::king(a).has(b), files.max(ranks) == 1, "{a}{b}");
            assert_eq!(attacks::knight(a).has(b), files * ranks == 2, "{a}{b}");
            for color in halfmove_bitboard::Color::ALL {
                let ahead = b.index() / 8 > a.index() / 8;
                let forward = ahead == (color == halfmove_bitboard::Color::White);
                let attacked = files == 1 && ranks == 1 && forward;
                assert_eq!(attacks::pawn(color, a).has(b), attacked, "{color} {a}{b}");
            }
        }
    }
}

#[test]
fn lines_and_segments_agree_with_the_queen() {
    let oracle = RayWalk::new().expect("needs nothing");
    for a in Square::ALL {
        for b in Square::ALL {
            let aligned = oracle.queen(a, Bitboard::EMPTY).has(b);
            assert_eq!(!lines::line(a, b).is_empty(), aligned, "{a}{b}");
            assert_eq!(lines::between(a, b), lines::between(b, a));
            if aligned {
                assert!(lines::line(a, b).has(a) && lines::line(a, b).has(b));
                // Blockers on both ends cut the queens' sets down to the segment between them.
                let ends = Bitboard::from(a) | b.into();
                let common = oracle.queen(a, ends) & oracle.queen(b, ends) & lines::line(a, b);
                assert_eq!(lines::between(a, b), common - ends, "{a}{b}");
            }
        }
    }
}

#[test]
fn squares_and_sets_round_trip() {
    for (index, square) in Square::ALL.into_iter().enumerate() {
        assert_eq!(square.index(), index);
        assert_eq!(square.to_string().parse(), Ok(square));
        assert_eq!(Square::try_from(index as u8), Ok(square));
        assert_eq!(Square::new(square.file(), square.rank()), square);
        assert_eq!(Bitboard::from(square).single(), Some(square));
    }
    assert!("e9".parse::<Square>().is_err() && "é".parse::<Square>().is_err());
    assert!(Square::try_from(64).is_err());
    let set: Bitboard = [Square::A1, Square::E4, Square::H8].into_iter().collect();
    assert!(set.iter().eq([Square::A1, Square::E4, Square::H8]));
    assert!(set.iter().rev().eq([Square::H8, Square::E4, Square::A1]));
    assert_eq!(size_of::<Option<Square>>(), 1);
}
