//! The page on Makruk agrees with what the library computes.

use super::position;
use halfmove_rules::makruk::{CountingPolicy, Dialect, Honor, Rules, Setup};
use halfmove_rules::{Makruk, MateTable, Role};
use std::path::Path;

/// The FENs on the page, each in a separate block.
fn fens() -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/makruk.md");
    let page = std::fs::read_to_string(page).unwrap();
    let blocks = page.split("```fen\n").skip(1);
    blocks.map(|block| block.split('\n').next().unwrap().to_owned()).collect()
}

#[test]
fn the_page_is_up_to_date() {
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
    assert_eq!((count.next_number(), count.limit(), count.chaser_moves_left()), (5, 8, 4));

    let table = MateTable::compute(Rules::Makruk, &[Role::Rook]).unwrap();
    let chase = position(last_move);
    assert_eq!(chase.counting().unwrap().chaser_moves_left(), 1);
    assert_eq!((table.mate_in(&chase), chase.win_in_time(&table)), (Ok(Some(2)), Ok(false)));

    for policy in [CountingPolicy::Auto, CountingPolicy::Thai] {
        let before = position("8/8/8/8/8/1kP5/8/2K4R b - - 0 49").with_policy(policy);
        let after = before.play(before.parse_uci("b3c3").unwrap()).unwrap();
        let count = after.counting().unwrap();
        assert_eq!((count.honor(), count.number(), count.limit()), (Honor::Pieces, 3, 16));
        let shown = position(last_bia).counting().unwrap();
        assert_eq!((shown.number(), shown.limit(), shown.color()), (3, 16, count.color()));
        assert_eq!(after.to_string(), *last_bia);
    }
    assert_eq!(position(just_spoken).counting().unwrap().number(), 9);
}

/// A row of the page's table of mates: the pieces, the longest mate, the limit.
fn mates() -> Vec<(Vec<Role>, u16, u16)> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/makruk.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, table) = page.split_once("| pieces | longest mate | limit |").unwrap();
    let role = |name: &str| match name {
        "ruea" => Role::Rook,
        "khon" => Role::Khon,
        "ma" => Role::Knight,
        "met" => Role::Met,
        _ => panic!("{name}"),
    };
    let mut rows = Vec::new();
    for line in table.lines().skip(2).take_while(|line| line.starts_with('|')) {
        let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
        for cell in cells.chunks(4) {
            let (moves, limit) = (cell[1].parse().unwrap(), cell[2].parse().unwrap());
            if cell[0] == "ruea and any other" {
                let others = [Role::Khon, Role::Knight, Role::Met];
                rows.extend(others.map(|other| (vec![Role::Rook, other], moves, limit)));
            } else {
                rows.push((cell[0].split(", ").map(role).collect(), moves, limit));
            }
        }
    }
    rows
}

/// The limit of the count against these pieces, as the library sets it when a king becomes bare.
fn limit(pieces: &[Role]) -> u16 {
    let letters: String = pieces.iter().map(|role| role.letter()).collect();
    let empty = 8 - letters.len();
    let before: Makruk = position(&format!("7k/8/8/8/6nK/8/{letters}{empty}/8 w - - 0 1"));
    let after = before.play(before.parse_uci("h4g4").unwrap()).unwrap();
    after.counting().unwrap().limit()
}

fn check_mates(rows: impl Iterator<Item = (Vec<Role>, u16, u16)>) {
    for (pieces, moves, shown) in rows {
        let table = MateTable::compute(Rules::Makruk, &pieces).unwrap();
        assert_eq!(table.longest(), Some(moves), "{pieces:?}");
        assert_eq!(limit(&pieces), shown, "{pieces:?}");
    }
}

#[test]
fn longest_mates_of_the_page_with_one_piece() {
    let rows = mates();
    assert_eq!(rows.len(), 12);
    check_mates(rows.into_iter().filter(|(pieces, ..)| pieces.len() == 1));
}

#[test]
#[ignore = "ten tables of two pieces: make verify"]
fn longest_mates_of_the_page() {
    check_mates(mates().into_iter());
}
