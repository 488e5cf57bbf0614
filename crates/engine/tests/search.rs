//! The search: the table changes nothing, limits hold, threads agree, draws are seen.

use crate::random::positions;
use crate::{chess, makruk};
use halfmove_engine::{
    Budget, Clock, KeyedMakruk, Limits, Memory, Report, Search, SearchBoard, SearchResult,
    Settings, Signals, TimeLeft, Value,
};
use halfmove_rules::{AnyPosition, Chess, History, Variant};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

const CHESS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
    "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - 0 1",
    "4k3/P7/8/8/8/8/7p/4K3 w - - 0 1",
];

const MAKRUK: [&str; 4] = [
    "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
    "2r2r2/3nks2/p1spp2p/1pm3p1/1P1PPP1P/P1PSN1P1/3NKS2/2R1MR2 b - - 0 1",
    "8/2k1n3/1p2s3/p2p1r2/P1PP1N2/1PS1K3/4R3/8 w - - 0 1",
    "8/8/3k4/8/3KS3/8/8/3R4 w - 32 9 60",
];

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn run<B: SearchBoard>(position: &B, settings: Settings, limits: &Limits) -> SearchResult {
    let memory = Memory::new(4);
    Search::new(&memory).with_settings(settings).run(position, &[], limits, &mut |_| {})
}

/// Plain minimax over the search's own quiescence would be too slow; plain alpha-beta without the table is the
/// reference.
fn table_changes_nothing<B: SearchBoard>(position: &B, most: u32, what: &str) -> [u64; 2] {
    let mut nodes = [0; 2];
    for plies in 1..=most {
        let plain = Settings { selective: false, table: false, ..Settings::default() };
        let with_table = Settings { table: true, ..plain };
        let (a, b) =
            (run(position, plain, &depth(plies)), run(position, with_table, &depth(plies)));
        assert_eq!(a.value, b.value, "{what}, depth {plies}");
        nodes[0] += a.nodes;
        nodes[1] += b.nodes;
    }
    nodes
}

#[test]
fn the_table_does_not_change_the_score() {
    let mut nodes = [0; 2];
    let mut add = |more: [u64; 2]| nodes = [nodes[0] + more[0], nodes[1] + more[1]];
    for fen in CHESS {
        add(table_changes_nothing(&chess(fen), 3, fen));
    }
    for fen in MAKRUK {
        add(table_changes_nothing(&KeyedMakruk::new(makruk(fen)), 3, fen));
    }
    assert!(nodes[1] < nodes[0], "{nodes:?}");
}

#[test]
fn nodes_are_exact_with_one_thread() {
    for nodes in [1, 2, 100, 1_023, 1_024, 5_000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let answer = run(&chess(CHESS[1]), Settings::default(), &limits);
        assert_eq!(answer.nodes, nodes);
        assert!(answer.best.is_some());
    }
}

#[test]
fn the_same_search_has_the_same_result() {
    let memory = Memory::new(4);
    let again = || {
        // After the memory is cleared, earlier searches have no effect.
        Search::new(&memory).run(&chess(CHESS[4]), &[], &depth(5), &mut |_| {});
        memory.clear();
        let answer = Search::new(&memory).run(&chess(CHESS[1]), &[], &depth(6), &mut |_| {});
        (answer.nodes, answer.best, answer.value)
    };
    assert_eq!(again(), again());
    let new = run(&chess(CHESS[1]), Settings::default(), &depth(6));
    assert_eq!(again(), (new.nodes, new.best, new.value));

    // Else the histories are still there, even without the table.
    memory.table.clear();
    let next = Search::new(&memory).run(&chess(CHESS[1]), &[], &depth(6), &mut |_| {});
    assert_ne!(next.nodes, new.nodes);
}

#[test]
fn several_threads_find_the_mate_too() {
    let position = chess("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1");
    for threads in [1, 2, 3] {
        let answer = run(&position, Settings { threads, ..Settings::default() }, &depth(7));
        assert_eq!(answer.value, Value::Mate(3), "{threads} threads");
    }
}

#[test]
fn several_lines_are_all_the_moves() {
    let position = chess("8/8/8/8/8/1k6/7r/K7 w - - 0 1");
    let settings = Settings { multi_pv: 9, ..Settings::default() };
    let memory = Memory::new(1);
    let mut lines = Vec::new();
    let search = Search::new(&memory).with_settings(settings);
    search.run(&position, &[], &depth(3), &mut |report: &Report| {
        if report.depth == 3 {
            lines.push((report.rank, report.line[0].to_string()));
        }
    });
    assert_eq!(lines, [(1, "a1b1".to_owned())], "there is one move");

    let mut lines = Vec::new();
    search.run(&chess(CHESS[0]), &[], &depth(4), &mut |report: &Report| {
        if report.depth == 4 {
            lines.push((report.rank, report.line[0], report.value));
        }
    });
    let numbers: Vec<_> = lines.iter().map(|line| line.0).collect();
    assert_eq!(numbers, (1..=9).collect::<Vec<_>>());
    let mut moves: Vec<_> = lines.iter().map(|line| line.1).collect();
    moves.sort();
    moves.dedup();
    assert_eq!(moves.len(), 9);
    assert!(lines.is_sorted_by_key(|line| match line.2 {
        Value::Centipawns(number) => -number,
        Value::Mate(_) => panic!("no mate here"),
    }));
}

/// Of many positions: in each iteration the best line comes first, and the result is that of the last
/// iteration.
#[test]
fn lines_are_told_in_order() {
    let settings = Settings { multi_pv: 4, ..Settings::default() };
    let memory = Memory::new(4);
    let search = Search::new(&memory).with_settings(settings);
    let mut seen = 0;
    positions(Variant::Chess, 3, |position| {
        let AnyPosition::Chess(position) = position else { panic!("a position of chess") };
        seen += 1;
        if seen % 6 != 0 {
            return;
        }
        let mut lines: Vec<Report> = Vec::new();
        let answer = search.run(position, &[], &depth(5), &mut |report| lines.push(report.clone()));
        let order = |value| match value {
            Value::Centipawns(number) => number,
            Value::Mate(moves @ 1..) => 100_000 - moves,
            Value::Mate(moves) => -100_000 - moves,
        };
        for (line, next) in lines.iter().zip(&lines[1..]) {
            if next.rank > 1 {
                assert_eq!((next.depth, next.rank), (line.depth, line.rank + 1), "{position}");
                assert!(order(line.value) >= order(next.value), "{position}: {lines:#?}");
            }
        }
        let last = lines.iter().rfind(|line| line.rank == 1);
        assert_eq!(
            last.map(|line| (Some(line.line[0]), line.value)),
            Some((answer.best, answer.value))
        );
    });
    assert!(seen > 200, "{seen}");
}

/// However a search ends, the last best line that it reports begins with its best move.
#[test]
fn the_answer_is_the_line_that_was_told_last() {
    let memory = Memory::new(4);
    for lines in [1, 3] {
        let search =
            Search::new(&memory).with_settings(Settings { multi_pv: lines, ..Settings::default() });
        for nodes in (500..9_000).step_by(1_009) {
            for fen in CHESS {
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let mut told = (None, 0);
                let answer = search.run(&chess(fen), &[], &limits, &mut |report| {
                    if report.rank == 1 {
                        told = (report.line.first().copied(), report.nodes);
                    }
                });
                assert_eq!(
                    told,
                    (answer.best, answer.nodes),
                    "{nodes} nodes, {lines} lines, {fen}"
                );
            }
        }
    }
}

#[test]
fn lines_are_legal() {
    for fen in CHESS {
        let start = chess(fen);
        let memory = Memory::new(1);
        Search::new(&memory).run(&start, &[], &depth(6), &mut |report: &Report| {
            let mut position = start.clone();
            for mv in &report.line {
                position = position.play(*mv).unwrap_or_else(|e| panic!("{fen}: {e}"));
            }
        });
    }
}

#[test]
fn only_the_given_moves_are_searched() {
    let position = chess(CHESS[0]);
    let moves =
        ["a2a3", "h2h3"].map(|text| position.parse_uci(text).expect("a legal move")).to_vec();
    let answer =
        run(&position, Settings::default(), &Limits { search_moves: moves.clone(), ..depth(5) });
    assert!(answer.best.is_some_and(|best| moves.contains(&best)));
}

#[test]
fn games_that_are_over_have_no_move() {
    for (fen, value) in [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Value::Mate(0)),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Value::Centipawns(0)),
    ] {
        let answer = run(&chess(fen), Settings::default(), &depth(5));
        assert_eq!((answer.best, answer.value), (None, value), "{fen}");
    }
}

#[test]
fn a_repetition_is_a_draw() {
    // A position that has been there twice is a draw at once.
    let start = "7k/8/8/8/8/8/q7/7K b - - 0 1";
    let mut history = History::new(chess(start));
    let mut keys = Vec::new();
    for uci in ["a2b2", "h1g1", "b2a2", "g1h1", "a2b2", "h1g1", "b2a2"] {
        keys.push(SearchBoard::key(history.position()));
        history.play_uci(uci).expect("a legal move");
    }
    let memory = Memory::new(1);
    let position = history.position();
    let back = position.parse_uci("g1h1").expect("a legal move");
    let limits = Limits { search_moves: vec![back], ..depth(4) };
    let answer = Search::new(&memory).run(position, &keys, &limits, &mut |_| {});
    assert_eq!(answer.value, Value::Centipawns(0), "the third time");
    let answer = Search::new(&memory).run(position, &[], &limits, &mut |_| {});
    assert_ne!(answer.value, Value::Centipawns(0), "without a history");
}

#[test]
fn fifty_moves_are_a_draw_but_mate_comes_first() {
    let answer = run(&chess("7k/8/8/8/8/8/q7/7K b - - 99 90"), Settings::default(), &depth(6));
    assert_eq!(answer.value, Value::Centipawns(0));
    let answer = run(&chess("7k/8/6K1/8/8/8/8/R7 w - - 99 90"), Settings::default(), &depth(6));
    assert_eq!(answer.value, Value::Mate(1));
    // Makruk has no such rule.
    let position = makruk("8/8/3k4/p7/3K4/8/8/3R4 w - - 99 90");
    let answer = run(&KeyedMakruk::new(position), Settings::default(), &depth(6));
    assert_ne!(answer.value, Value::Centipawns(0));
}

/// The clock advances with each query.
#[derive(Default)]
struct Ticks(AtomicU64);

impl Clock for Ticks {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Relaxed))
    }
}

#[test]
fn time_ends_a_search() {
    let clock = TimeLeft { left_ms: 3_200, increment_ms: 0, moves_to_go: None };
    let budget = Budget::of(clock, 0);
    let ticks = Ticks::default();
    let memory = Memory::new(1);
    let limits = Limits { time: Some(budget), ..Limits::default() };
    let search = Search::new(&memory).with_clock(&ticks);
    let answer = search.run(&chess(CHESS[1]), &[], &limits, &mut |_| {});
    let passed = Duration::from_millis(ticks.0.load(Relaxed));
    assert!(
        answer.best.is_some() && passed <= budget.hard + Duration::from_millis(20),
        "{passed:?}"
    );
}

#[test]
fn pondering_does_not_use_time_until_the_hit() {
    let ticks = Ticks::default();
    let memory = Memory::new(1);
    let signals = Signals::pondering();
    let limits = Limits { time: Some(Budget::exactly(40, 0)), ..Limits::default() };
    let search = Search::new(&memory).with_clock(&ticks).with_signals(&signals);
    let mut hit = None;
    search.run(&chess(CHESS[1]), &[], &limits, &mut |report: &Report| {
        if report.depth == 5 {
            // The opponent has taken longer than the budget.
            ticks.0.fetch_add(100, Relaxed);
            let now = ticks.now();
            signals.ponder_hit(now);
            hit = Some(now);
        }
    });
    let hit = hit.expect("a search that went on");
    let used = ticks.now().saturating_sub(hit);
    assert!(used >= Duration::from_millis(40) && used < Duration::from_millis(80), "{used:?}");
}

#[test]
fn noise_changes_what_is_found() {
    let position: Chess = chess(CHESS[4]);
    let limits = depth(3);
    let value = |noise| run(&position, Settings { noise, ..Settings::default() }, &limits).value;
    assert_eq!(value(300), value(300), "it is the same each time");
    assert_ne!(value(300), value(0));
}
