//! What the page on Makruk shows, the library says too.

use super::position;
use halfmove_rules::Role;
use halfmove_rules::makruk::{CountingPolicy, Dialect, Honor, MateTable, Rules, Setup};
use std::path::Path;

/// The FENs that the page shows, each in a block of its own.
fn fens() -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/makruk.md");
    let page = std::fs::read_to_string(page).unwrap();
    let blocks = page.split("```fen\n").skip(1);
    blocks.map(|block| block.split('\n').next().unwrap().to_owned()).collect()
}

#[test]
fn the_page_shows_what_is() {
    let fens = fens();
    for fen in &fens {
        let dialect = Dialect::detect(fen).unwrap();
        let setup = Setup::parse(fen, Rules::Makruk, dialect).unwrap();
        assert_eq!(setup.fen(dialect).to_string(), *fen);
        let _ = position(fen);
    }
    let [two_rooks, last_move, last_bia, just_spoken, _] = &fens[..] else { panic!("{fens:?}") };

    let taken = position("8/8/4k3/8/6K1/s5R1/7R/8 w - - 0 1");
    let taken = taken.play(taken.parse_uci("g3a3").unwrap()).unwrap();
    assert_eq!(taken.to_string(), *two_rooks);
    let count = taken.counting().unwrap();
    assert_eq!((count.next_number(), count.limit, count.chaser_moves_left()), (5, 8, 4));

    let table = MateTable::compute(Rules::Makruk, &[Role::Rook]).unwrap();
    let chase = position(last_move);
    assert_eq!(chase.counting().unwrap().chaser_moves_left(), 1);
    assert_eq!((table.mate_in(&chase), chase.win_in_time(&table)), (Ok(Some(2)), Ok(false)));

    for policy in [CountingPolicy::Auto, CountingPolicy::Thai] {
        let before = position("8/8/8/8/8/1kP5/8/2K4R b - - 0 49").with_policy(policy);
        let after = before.play(before.parse_uci("b3c3").unwrap()).unwrap();
        let count = after.counting().unwrap();
        assert_eq!((count.honor, count.number(), count.limit), (Honor::Pieces, 3, 16));
        let shown = position(last_bia).counting().unwrap();
        assert_eq!((shown.number(), shown.limit, shown.color), (3, 16, count.color));
        assert_eq!(after.to_string(), *last_bia);
    }
    assert_eq!(position(just_spoken).counting().unwrap().number(), 9);
}
