//! Mates: the shortest ones, found where an exhaustive search finds them; and in Makruk none that the count forbids.

use crate::{chess, makruk, objects, rows};
use halfmove_engine::{
    KeyedMakruk, Limits, Memory, Random, Search, SearchBoard, Settings, Signals, Value,
};
use halfmove_rules::makruk::Rules;
use halfmove_rules::{
    AnyPosition, Chess, Color, Makruk, MateTable, Move, Outcome, Role, Square, Variant,
};

/// Returns true if the side to move mates in `moves` against every defense, by trying everything.
fn mates_in(position: &AnyPosition, moves: u32) -> bool {
    position.legal_moves().into_iter().any(|mv| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        match next.outcome() {
            Some(outcome) => outcome.winner().is_some(),
            None if moves == 1 => false,
            None => next.legal_moves().into_iter().all(|reply| {
                let mut after = next.clone();
                after.play_unchecked(reply);
                after.outcome().is_none() && mates_in(&after, moves - 1)
            }),
        }
    })
}

/// The number of moves of the shortest mate, at most `most`.
fn shortest(position: &AnyPosition, most: u32) -> Option<u32> {
    (1..=most).find(|moves| mates_in(position, *moves))
}

fn value<B: SearchBoard>(position: &B, depth: u32, selective: bool) -> Value {
    value_with(&Memory::new(4), position, depth, selective)
}

/// With the mate tables of an earlier search.
fn value_with<B: SearchBoard>(memory: &Memory, position: &B, depth: u32, selective: bool) -> Value {
    memory.clear();
    let settings = Settings { selective, ..Settings::default() };
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    Search::new(memory).with_settings(settings).run(position, &[], &limits, &mut |_| {}).value
}

#[derive(Debug, Default)]
struct Found {
    /// By the number of moves.
    exactly: [u32; 3],
    selectively: u32,
}

/// Plain alpha-beta finds the shortest mate at its depth. The selective search may miss it at first, but never claims one
/// that is shorter.
fn check<B: SearchBoard>(memory: &Memory, position: &B, moves: u32, found: &mut Found, what: &str) {
    let expected = Value::Mate(moves as i32);
    assert_eq!(value_with(memory, position, 2 * moves - 1, false), expected, "{what}");
    found.exactly[moves as usize] += 1;
    if let Value::Mate(claimed) = value_with(memory, position, 2 * moves + 1, true) {
        assert!(claimed >= moves as i32, "{what}: {claimed}");
        found.selectively += 1;
    }
}

#[test]
fn mates_of_real_endings_of_makruk_are_found() {
    let mut found = Found::default();
    let memory = Memory::new(4);
    for game in objects("makruk/games.jsonl") {
        if game["reason"] != "checkmate" {
            continue;
        }
        let moves: Vec<&str> = game["moves"].as_str().expect("moves").split(' ').collect();
        let mut position = AnyPosition::start(Variant::Makruk);
        for (i, uci) in moves.iter().enumerate() {
            if moves.len() - i == 3 || moves.len() - i == 1 {
                let AnyPosition::Makruk(here) = &position else { panic!("no Makruk") };
                if let Some(moves) = shortest(&position, 2) {
                    check(
                        &memory,
                        &KeyedMakruk::new(here.clone()),
                        moves,
                        &mut found,
                        &here.to_string(),
                    );
                }
            }
            position =
                position.play(position.parse_uci(uci).expect("a legal move")).expect("legal");
        }
    }
    assert!(found.exactly[1] >= 21 && found.exactly[2] >= 3, "{found:?}");
    assert!(found.selectively >= 21, "{found:?}");
}

#[test]
fn mates_of_chess_are_found() {
    let mut found = Found::default();
    let memory = Memory::new(4);
    for row in rows("tactics/wac.tsv") {
        let position = chess(&row[0]);
        if let Some(moves) = shortest(&position.clone().into(), 2) {
            check(&memory, &position, moves, &mut found, &row[2]);
        }
    }
    assert!(found.exactly[2] >= 4 && found.selectively >= 1, "{found:?}");
}

/// The moves that mate a bare king are quiet, and with little left to count there is no time to find them later.
#[test]
fn mates_in_the_last_moves_of_a_count_are_found_at_once() {
    for fen in ["7k/8/4M3/3R1S2/5K2/8/8/8 w - 32 29 60", "4S2k/8/5M2/3K2R1/8/8/8/8 w - 32 29 60"] {
        let position = KeyedMakruk::new(makruk(fen));
        assert_eq!(value(&position, 4, true), Value::Mate(2), "{fen}");
    }
}

/// The nodes until a search first reports a mate, no more than `most`; `None` if it has not by then.
fn nodes_to_mate<B: SearchBoard>(memory: &Memory, position: &B, most: u64) -> Option<u64> {
    memory.clear();
    let signals = Signals::default();
    let limits = Limits { nodes: Some(most), ..Limits::default() };
    let mut nodes = None;
    Search::new(memory).with_signals(&signals).run(position, &[], &limits, &mut |report| {
        if let Value::Mate(1..) = report.value {
            nodes.get_or_insert(report.nodes);
            signals.stop();
        }
    });
    nodes
}

/// Mates in 8 to 14, most of them against a bare king or a single piece. Fairy-Stockfish sees them with 400,000 nodes at most,
/// and these are its nodes: the tables of two pieces save more than the other endings cost. Takes one in `step` of them.
fn long_mates(step: usize) {
    const MAX: u64 = 100_000;
    let memory = Memory::new(64);
    let (mut found, mut ratios) = (0_usize, 0.0);
    let rows: Vec<_> = rows("makruk/mates.tsv").into_iter().step_by(step).collect();
    for row in &rows {
        let theirs: u64 = row[1].parse().expect("a number");
        let nodes = nodes_to_mate(&memory, &KeyedMakruk::new(makruk(&row[2])), MAX);
        found += usize::from(nodes.is_some());
        ratios += (nodes.unwrap_or(MAX) as f64 / theirs.min(MAX) as f64).ln();
    }
    let mean = (ratios / rows.len() as f64).exp();
    let all = rows.len();
    assert!(mean < 0.2 && found * 5 > all * 2, "{found} of {all}, {mean:.2} of the nodes");
}

#[test]
fn long_mates_of_makruk_cost_no_more_nodes_than_elsewhere() {
    long_mates(4);
}

#[test]
#[ignore = "all of them: make verify"]
fn all_long_mates_of_makruk_cost_no_more_nodes_than_elsewhere() {
    long_mates(1);
}

/// Longer mates than an exhaustive search reaches.
#[test]
fn longer_mates_of_chess_are_found() {
    for (fen, moves, depth) in [
        // A queen against a bare king, and the ladder of two rooks.
        ("8/8/8/8/8/1k6/7q/K7 b - - 0 1", 1, 3),
        ("k7/8/8/8/8/8/1R6/2R4K w - - 0 1", 3, 9),
        ("8/8/8/8/3K4/8/6Q1/k7 w - - 0 1", 3, 9),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3, 7),
    ] {
        let Value::Mate(found) = value(&chess(fen), depth, true) else {
            panic!("no mate: {fen}");
        };
        assert!(found >= 1 && found <= moves + 2, "{fen}: {found}");
    }
}

/// A rook against a bare king on random squares, with a count at a random ply.
fn chase(random: &mut Random) -> Option<Makruk> {
    let mut square = || Square::ALL[random.below(64)];
    let (king, rook, bare) = (square(), square(), square());
    let ply = 2 * random.below(17) as u16;
    let mut ranks = [['1'; 8]; 8];
    for (square, letter) in [(king, 'K'), (rook, 'R'), (bare, 'k')] {
        ranks[7 - square.rank().index()][square.file().index()] = letter;
    }
    let placement = ranks.map(|rank| rank.iter().collect::<String>()).join("/");
    // White is to move, so Black has just announced a number.
    let fen = format!("{placement} w - 32 {} 60", (ply + 5).min(33));
    Makruk::from_fen(&fen, Rules::Makruk, None).ok()
}

#[test]
fn a_bare_king_is_mated_in_time_or_not_at_all() {
    let table = MateTable::compute(Rules::Makruk, &[Role::Rook]).expect("a rook");
    let mut random = Random::new(5);
    let (mut won, mut late, mut plain) = (0, 0, 0);
    let memory = Memory::new(1);
    while won < 60 || late < 60 {
        let Some(position) = chase(&mut random) else { continue };
        // Two pieces may have met on a square.
        let Ok(Some(moves)) = table.mate_in(&position) else { continue };
        let keyed = KeyedMakruk::new(position.clone());
        let in_time = position.win_in_time(&table).expect("its table");
        let expected = if in_time { Value::Mate(i32::from(moves)) } else { Value::Centipawns(0) };
        assert_eq!(value_with(&memory, &keyed, 2, true), expected, "{position}");
        // Without the table, where alpha-beta sees as far.
        let left = position.counting().expect("a count").chaser_moves_left();
        if moves <= 2 || left <= 1 {
            assert_eq!(
                value(&keyed, 2 * u32::from(moves.min(2)), false),
                expected,
                "{position}, plain"
            );
            plain += 1;
        }
        if in_time { won += 1 } else { late += 1 }
    }
    assert!(plain >= 5, "{plain}");
}

/// The count leaves one move, so only mate with that move counts.
#[test]
fn the_last_move_of_a_count_decides() {
    let mate = makruk("k7/8/1K6/8/8/8/8/7R w - 32 31 70");
    assert_eq!(value(&KeyedMakruk::new(mate), 3, true), Value::Mate(1));
    let late = makruk("k7/8/2K5/8/8/8/8/7R w - 32 31 70");
    assert_eq!(value(&KeyedMakruk::new(late.clone()), 5, true), Value::Centipawns(0));
    // With more to count it is a mate in two.
    let sooner = makruk("k7/8/2K5/8/8/8/8/7R w - 32 21 70");
    assert_eq!(value(&KeyedMakruk::new(sooner), 5, true), Value::Mate(2));
    assert_eq!(late.outcome(), None::<Outcome>);
}

/// Bishop and knight mate on squares of one color only, and have fifty moves.
fn bishop_and_knight(random: &mut Random) -> Option<Chess> {
    let mut square = || Square::ALL[random.below(64)];
    let pieces = [(square(), 'K'), (square(), 'B'), (square(), 'N'), (square(), 'k')];
    let mut ranks = [['1'; 8]; 8];
    for (square, letter) in pieces {
        ranks[7 - square.rank().index()][square.file().index()] = letter;
    }
    let placement = ranks.map(|rank| rank.iter().collect::<String>()).join("/");
    format!("{placement} w - - 0 1").parse().ok()
}

#[test]
fn bishop_and_knight_win_within_fifty_moves() {
    win_with_bishop_and_knight(2);
}

#[test]
#[ignore = "more games: make verify"]
fn bishop_and_knight_win_many_games_within_fifty_moves() {
    win_with_bishop_and_knight(20);
}

/// The bare king always goes where it is mated last.
fn win_with_bishop_and_knight(games: u32) {
    let table = MateTable::compute(Variant::Chess, &[Role::Bishop, Role::Knight]).expect("two");
    let mut random = Random::new(7);
    let memory = Memory::new(4);
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    let mut won = 0;
    while won < games {
        let Some(mut position) = bishop_and_knight(&mut random) else { continue };
        // Two pieces may have met on a square, and some positions lose a piece at once.
        let Ok(Some(moves)) = table.mate_in(&position) else { continue };
        if moves < 20 {
            continue;
        }
        let start = position.to_string();
        memory.clear();
        let mut earlier = Vec::new();
        while position.outcome().is_none() {
            assert!(position.halfmove_clock() < 100, "{start}: {position}");
            let defense = |mv: &Move| {
                let next = position.play(*mv).expect("a legal move");
                table.mate_in(&next).ok().flatten().unwrap_or(u16::MAX)
            };
            let mv = if position.side_to_move() == Color::White {
                let search = Search::new(&memory);
                search.run(&position, &earlier, &limits, &mut |_| {}).best
            } else {
                position.legal_moves().into_iter().max_by_key(defense)
            };
            earlier.push(SearchBoard::key(&position));
            position.play_unchecked(mv.expect("a move"));
        }
        assert_eq!(
            position.outcome(),
            Some(Outcome::Checkmate { winner: Color::White }),
            "{start}"
        );
        won += 1;
    }
    // A mate after the fifty moves does not count.
    let board = "8/8/8/3k4/8/8/8/KBN5 w - -";
    let moves = table.mate_in(&chess(&format!("{board} 0 1"))).expect("its table").expect("a win");
    for (clock, in_time) in [(0, true), (101 - 2 * moves, true), (102 - 2 * moves, false)] {
        let position = chess(&format!("{board} {clock} 90"));
        let expected = if in_time { Value::Mate(moves.into()) } else { Value::Centipawns(0) };
        assert_eq!(value(&position, 2, true), expected, "{clock}");
    }
}
