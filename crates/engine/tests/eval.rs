//! The evaluation: opposite for colors swapped, and right about simple facts.

use crate::random::positions;
use crate::{chess, makruk};
use halfmove_engine::{Evaluation, FULL_SCALE, KeyedMakruk, SearchBoard, Term};
use halfmove_rules::{AnyPosition, Color, Variant};

#[test]
fn swapped_colors_negate_the_value() {
    for variant in Variant::ALL {
        let mut unequal = 0;
        positions(variant, 12, |position| {
            let [here, there] =
                [position.clone(), position.flipped()].map(|position| match position {
                    AnyPosition::Chess(chess) => with_value(&chess),
                    AnyPosition::Makruk(makruk) => with_value(&KeyedMakruk::new(makruk)),
                });
            assert_eq!(here.total(), -there.total(), "{variant}: {position}\n{here}\n{there}");
            for term in Term::ALL {
                let [white, black] = [here.of(term, Color::White), here.of(term, Color::Black)];
                assert_eq!(white, there.of(term, Color::Black), "{position}: {term:?}");
                assert_eq!(black, there.of(term, Color::White), "{position}: {term:?}");
            }
            unequal += u32::from(here.total() != 0);
        });
        assert!(unequal > 300, "{variant}");
    }
}

/// The evaluation, which agrees with the plain value.
fn with_value<B: SearchBoard>(position: &B) -> Evaluation {
    let (evaluation, value) = (position.evaluate(), position.value());
    let for_white = if position.side_to_move() == Color::White { value } else { -value };
    assert_eq!(evaluation.total(), for_white);
    evaluation
}

#[test]
fn the_start_is_equal() {
    assert_eq!(
        chess("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").evaluate().total(),
        0
    );
    let fen = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";
    // The kings face the enemy mets: files differ, but not by much.
    assert!(KeyedMakruk::new(makruk(fen)).evaluate().total().abs() < 10);
}

/// Each additional piece has a value, in this order.
#[test]
fn pieces_have_their_order() {
    let values: Vec<i32> = ["4P3", "2N5", "2B5", "2R5", "2Q5"]
        .iter()
        .map(|rank| chess(&format!("4k3/p7/8/8/{rank}/8/P7/4K3 w - - 0 1")).evaluate().total())
        .collect();
    assert!(values.is_sorted() && values[0] > 50, "{values:?}");
    let values: Vec<i32> = ["4P3", "2M5", "2S5", "2N5", "2R5"]
        .iter()
        .map(|rank| {
            let fen = format!("4k3/8/p7/8/{rank}/P7/8/4K3 w - - 0 1");
            KeyedMakruk::new(makruk(&fen)).evaluate().total()
        })
        .collect();
    assert!(values.is_sorted() && values[0] > 50, "{values:?}");
}

#[test]
fn a_lead_shrinks_with_the_count() {
    let values: Vec<i32> = (6..=32)
        .step_by(2)
        .map(|ply| {
            let fen = format!("8/8/3k4/8/3K4/8/8/3R4 b - 32 {ply} 60");
            KeyedMakruk::new(makruk(&fen)).evaluate().total()
        })
        .collect();
    assert!(values[0] > 400, "{values:?}");
    assert!(values.is_sorted_by(|a, b| a >= b) && values.last() < Some(&60), "{values:?}");
}

#[test]
fn what_cannot_be_won_is_worth_little() {
    for fen in [
        "8/8/3k4/8/3K4/8/8/3N4 w - - 0 1",
        "8/8/3k4/8/3K4/8/8/2NN4 w - - 0 1",
        "8/8/3k4/8/3K4/8/8/3B4 w - - 0 1",
    ] {
        let value = chess(fen).evaluate();
        assert!(value.total() < 30 && value.scale < FULL_SCALE, "{fen}: {value}");
    }
    for fen in ["8/8/3k4/8/3K4/8/8/3N4 w - - 0 1", "8/8/3k4/8/3K4/2M5/8/M7 w - - 0 1"] {
        let value = KeyedMakruk::new(makruk(fen)).evaluate();
        assert!(value.total() < 40 && value.scale < FULL_SCALE, "{fen}: {value}");
    }
}

/// The terms of Makruk alone.
#[test]
fn terms_of_makruk() {
    let of = |fen: &str, term| KeyedMakruk::new(makruk(fen)).evaluate().of(term, Color::White);
    let mets = |squares| of(&format!("4k3/8/p7/8/8/P7/{squares}/4K3 w - - 0 1"), Term::Mets);
    assert!(mets("2MM4").end() > 0, "on both colors");
    assert!(mets("M1M5").end() < 0, "on one color");
    let guard = |rank: &str| of(&format!("4k3/8/p7/8/8/P7/{rank}/4K3 w - - 0 1"), Term::Pieces);
    assert!(guard("4S3").middle() > guard("S7").middle(), "a khon before the king");
    let bia = |rank5: &str, rank4: &str| {
        of(&format!("4k3/8/8/{rank5}/{rank4}/8/8/4K3 w - - 0 1"), Term::Passed)
    };
    assert!(bia("P7", "8").end() > bia("8", "P7").end(), "the nearer to promotion");
    let chain = |ranks: &str| of(&format!("4k3/8/8/8/{ranks}/8/4K3 w - - 0 1"), Term::Pawns);
    assert!(chain("1P6/P7").middle() > chain("3P4/P7").middle(), "a chain");
}

/// Endings without tables: the value shows which can be won.
#[test]
fn endings_are_won_or_drawn() {
    let of = |fen: &str| chess(fen).evaluate().total();
    for won in ["3R4", "3Q4", "2BN4", "2BB4", "2NNN3"] {
        let value = of(&format!("8/8/3k4/8/3K4/8/8/{won} w - - 0 1"));
        assert!(value > 400, "{won}: {value}");
    }
    for drawn in ["8", "3N4", "3B4", "2NN4"] {
        let value = of(&format!("8/8/3k4/8/3K4/8/8/{drawn} w - - 0 1"));
        assert!(value.abs() < 40, "{drawn}: {value}");
    }
    // A rook against a minor piece, a minor piece against nothing but a pawn.
    for drawn in ["8/3n4/3k4/8/3K4/8/8/3R4", "8/8/3k4/8/3K1p2/8/8/3B4"] {
        let value = of(&format!("{drawn} w - - 0 1"));
        assert!(value.abs() < 150, "{drawn}: {value}");
    }
    let of = |fen: &str| KeyedMakruk::new(makruk(fen)).evaluate().total();
    for won in ["3R4", "2SS4", "2SN4", "2NN4", "2NM4", "1MMM4", "2RM4"] {
        let value = of(&format!("8/8/3k4/8/3K4/8/8/{won} w - - 0 1"));
        assert!(value > 200, "{won}: {value}");
    }
    for drawn in ["8", "3N4", "3M4", "2MM4", "M1M1M3"] {
        let value = of(&format!("8/8/3k4/8/3K4/8/8/{drawn} w - - 0 1"));
        assert!(value.abs() < 40, "{drawn}: {value}");
    }
}

/// With one move left, even the largest lead is worth little, and nothing once the count has run out.
#[test]
fn a_lead_is_worth_what_the_count_leaves() {
    for pieces in ["3R4", "2SS4", "2NN4", "2SN4", "2MMM3", "2RR4"] {
        // White moves after each number that Black, who counts, has said: the ply is odd.
        let of = |ply: u32| {
            let fen = format!("8/8/3k4/8/3K4/8/8/{pieces} w - 64 {ply} 60");
            KeyedMakruk::new(makruk(&fen)).evaluate().total()
        };
        assert!((1..120).contains(&of(63)), "{pieces}: {}", of(63));
        assert_eq!(of(65), 0, "{pieces}");
        let all: Vec<_> = (9..=65).step_by(2).map(of).collect();
        assert!(all[0] > 150 && all.is_sorted_by(|a, b| a >= b), "{pieces}: {all:?}");
    }
}

/// Far from a score of mate, and from where numbers end.
#[test]
fn the_greatest_lead_fits() {
    let value = chess("6rk/6pp/8/8/QQQQQQQQ/8/Q7/RNB1KBNR b - - 0 1").evaluate().total();
    assert!((8_000..25_000).contains(&value), "{value}");
    let alone = "7k/8/8/8/MMMMMMMM/8/1M6/RNSK1SNR b - - 0 1";
    let value = KeyedMakruk::new(makruk(alone)).evaluate().total();
    assert!((2_500..25_000).contains(&value), "{value}");
}
