//! The small laws of sets and squares.

use halfmove_bitboard::sliders::{RayWalk, Sliders};
use halfmove_bitboard::{Bitboard, Square, attacks, lines};

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
