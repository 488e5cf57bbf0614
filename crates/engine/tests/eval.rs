//! The evaluation: opposite for colors swapped, and right about simple facts.

use crate::random::positions;
use crate::{chess, makruk};
use halfmove_engine::{FULL_SCALE, KeyedMakruk, SearchBoard, Term};
use halfmove_rules::{AnyPosition, Color, Variant};

#[test]
fn swapped_colors_negate_the_value() {
    for variant in Variant::ALL {
        let mut unequal = 0;
        positions(variant, 12, |position| {
            let [here, there] =
                [position.clone(), position.flipped()].map(|position| match position {
                    AnyPosition::Chess(chess) => chess.evaluate(),
                    AnyPosition::Makruk(makruk) => KeyedMakruk::new(makruk).evaluate(),
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

/// Each piece more is worth something, and in this order.
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

/// What Makruk has of its own.
#[test]
fn terms_of_makruk() {
    let of = |fen: &str, term| KeyedMakruk::new(makruk(fen)).evaluate().of(term, Color::White);
    let mets = |squares| of(&format!("4k3/8/p7/8/8/P7/{squares}/4K3 w - - 0 1"), Term::Mets);
    assert!(mets("2MM4").end > 0, "on both colors");
    assert!(mets("M1M5").end < 0, "on one color");
    let guard = |rank: &str| of(&format!("4k3/8/p7/8/8/P7/{rank}/4K3 w - - 0 1"), Term::Pieces);
    assert!(guard("4S3").middle > guard("S7").middle, "a khon before the king");
    let bia = |rank5: &str, rank4: &str| {
        of(&format!("4k3/8/8/{rank5}/{rank4}/8/8/4K3 w - - 0 1"), Term::Passed)
    };
    assert!(bia("P7", "8").end > bia("8", "P7").end, "the nearer to promotion");
    let chain = |ranks: &str| of(&format!("4k3/8/8/8/{ranks}/8/4K3 w - - 0 1"), Term::Pawns);
    assert!(chain("1P6/P7").middle > chain("3P4/P7").middle, "a chain");
}
