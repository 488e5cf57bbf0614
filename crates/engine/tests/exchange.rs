//! Exchanges, with values of another program.

use crate::{chess, rows};
use halfmove_engine::SearchBoard;
use halfmove_rules::{Chess, Role};

/// The values of `testdata/see/arasan.tsv` are given in pieces, where a knight is worth a bishop; here it is worth a
/// little less.
const CLOSE: i32 = 10;

/// Here a pawn captures last and promotes, which is left out on purpose.
const PROMOTES_LATER: &str = "2r5/1P4pk/p2p1b1p/5b1n/BB3p2/2R2p2/P1P2P2/4RK2 w - -";

#[test]
fn exchanges_have_the_published_values() {
    let cases = rows("see/arasan.tsv");
    assert_eq!(cases.len(), 22);
    for row in cases {
        if row[0] == PROMOTES_LATER {
            continue;
        }
        let position = chess(&row[0]);
        let mv = position.parse_san(&row[1]).unwrap_or_else(|e| panic!("{row:?}: {e}"));
        let value = worth(&row[2]);
        assert!(position.exchange_at_least(mv, value - CLOSE), "{row:?}");
        assert!(!position.exchange_at_least(mv, value + CLOSE + 1), "{row:?}");
    }
}

/// A value such as `B-P`, given by the letters of the pieces.
fn worth(text: &str) -> i32 {
    let mut sign = 1;
    let mut sum = 0;
    for letter in text.bytes() {
        match letter {
            b'-' => sign = -1,
            b'+' => sign = 1,
            b'0' => {}
            _ => {
                let role = Role::from_letter(letter).expect("a piece");
                sum += sign * <Chess as SearchBoard>::VALUES[role.index()];
            }
        }
    }
    sum
}
