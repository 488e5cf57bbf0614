//! Whole games, position by position.

use crate::{objects, rows};
use halfmove_engine::{Analyst, Assessment, Judgement, Signals, Value, winning_chances};
use halfmove_rules::{AnyPosition, Move, Variant};

/// A game: its positions, and the moves between them.
struct Line {
    positions: Vec<AnyPosition>,
    moves: Vec<Move>,
}

impl Line {
    fn uci(variant: Variant, fen: &str, moves: &str) -> Self {
        let start = AnyPosition::from_fen(fen, variant).unwrap_or_else(|e| panic!("{fen}: {e}"));
        Self::of(start, moves, |position, text| position.parse_uci(text).ok())
    }

    fn san(moves: &str) -> Self {
        Self::of(AnyPosition::start(Variant::Chess), moves, |position, text| {
            position.parse_san(text).ok()
        })
    }

    fn of(
        start: AnyPosition,
        moves: &str,
        read: impl Fn(&AnyPosition, &str) -> Option<Move>,
    ) -> Self {
        let mut line = Self { positions: vec![start], moves: Vec::new() };
        for text in moves.split_whitespace() {
            let mut position = line.positions[line.moves.len()].clone();
            let mv = read(&position, text).unwrap_or_else(|| panic!("{text} in {position}"));
            position.play_unchecked(mv);
            line.moves.push(mv);
            line.positions.push(position);
        }
        line
    }

    fn assess(&self, nodes: u64) -> Vec<Assessment> {
        let found = Analyst::new(1, nodes).game(&self.positions, &Signals::default());
        found.expect("nobody stops it")
    }

    /// The judgement of each move.
    fn judge(&self, found: &[Assessment]) -> Vec<Option<Judgement>> {
        assert_eq!(found.len(), self.positions.len());
        let judge = |(i, mv): (usize, &Move)| Judgement::of_move(&found[i], *mv, &found[i + 1]);
        self.moves.iter().enumerate().map(judge).collect()
    }
}

/// Real games of chess, others of Chess960, and games of Makruk and its variants, endings with mate tables among them.
fn shipped_games() -> Vec<Line> {
    let table = |name, variant: Variant, step: usize, most: usize| {
        rows(name).into_iter().step_by(step).take(most).map(move |row| {
            let moves: Vec<_> = row[4].split(' ').take(40).collect();
            Line::uci(variant, &row[1], &moves.join(" "))
        })
    };
    let mut games: Vec<_> = table("expected/masters_games.tsv", Variant::Chess, 90, 4).collect();
    games.extend(table("expected/chess960_games.tsv", Variant::Chess960, 12, 2));
    for game in objects("makruk/kin_games.jsonl").iter().step_by(7).take(8) {
        let text = |name: &str| game[name].as_str().unwrap_or_default();
        let variant = Variant::from_name(text("variant")).expect("a variant");
        let moves: Vec<_> = text("moves").split(' ').take(30).collect();
        games.push(Line::uci(variant, text("start"), &moves.join(" ")));
    }
    for game in objects("makruk/real_games.jsonl").iter().take(2) {
        let start = AnyPosition::start(Variant::Makruk).to_string();
        let moves = game["uci"].as_str().unwrap_or_default();
        let moves: Vec<_> = moves.split(' ').take(40).collect();
        games.push(Line::uci(Variant::Makruk, &start, &moves.join(" ")));
    }
    games
}

/// Three threads take the games from the other end, each with a separate memory that has seen other games.
#[test]
fn what_is_found_depends_on_the_game_alone() {
    let games = shipped_games();
    assert!(games.iter().filter(|game| game.positions[0].as_makruk().is_some()).count() >= 8);
    let one = Analyst::new(1, 200);
    let none = Signals::default();
    let expected: Vec<_> = games.iter().map(|game| one.game(&game.positions, &none)).collect();
    let others: Vec<Vec<_>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3)
            .map(|first| {
                let (games, none) = (&games, &none);
                scope.spawn(move || {
                    let analyst = Analyst::new(1, 200);
                    let mine = (0..games.len()).rev().skip(first).step_by(3);
                    mine.map(|i| (i, analyst.game(&games[i].positions, none))).collect()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    let mut compared = 0;
    for (i, found) in others.into_iter().flatten() {
        assert!(found.is_some() && found == expected[i], "game {i}");
        compared += 1;
    }
    assert_eq!(compared, games.len());
}

#[test]
fn lines_can_be_played() {
    for game in shipped_games().iter().step_by(3) {
        for (position, found) in game.positions.iter().zip(game.assess(150)) {
            let mut position = position.clone();
            assert_eq!(found.line.is_empty(), position.legal_moves().is_empty(), "{position}");
            for mv in found.line {
                position = position.play(mv).unwrap_or_else(|e| panic!("{e}"));
            }
        }
    }
}

#[test]
fn mates_are_counted_down() {
    // Legal's mate.
    let game = Line::san("e4 e5 Nf3 d6 Bc4 Bg4 Nc3 g6 Nxe5 Bxd1 Bxf7+ Ke7 Nd5#");
    let found = game.assess(3_000);
    let values: Vec<_> = found[10..].iter().map(|found| found.value).collect();
    // White to move mates in two, Black is mated in one, White mates, Black is mated.
    assert_eq!(values, [Value::Mate(2), Value::Mate(-1), Value::Mate(1), Value::Mate(0)]);
    let judged = game.judge(&found);
    assert_eq!(judged[9], Some(Judgement::Blunder), "9... Bxd1 walks into it");
    assert_ne!(found[9].line[0], game.moves[9]);
    assert!(winning_chances(found[9].value) > 0.15);
    assert_eq!(judged[10..], [None; 3]);
}

#[test]
fn blunders_are_seen() {
    // The queen is given away, first without being captured, then captured.
    let game = Line::san("e4 e5 Qh5 Nc6 Qxf7+ Kxf7 Bc4+ Ke8 Nf3 Nf6");
    let found = game.assess(3_000);
    let judged = game.judge(&found);
    assert_eq!(judged[4], Some(Judgement::Blunder));
    assert_eq!(judged[5], None, "the only move");
    assert_eq!(judged[..2], [None; 2], "1. e4 e5");
    let lost = winning_chances(found[4].value) + winning_chances(found[5].value) - 1.0;
    assert!(lost > 0.3, "{lost}");
    // A stalemate instead of a mate.
    let stalemate = Line::uci(Variant::Chess, "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7");
    let found = stalemate.assess(1_000);
    assert_eq!(found[1], Assessment { value: Value::Centipawns(0), line: Vec::new() });
    assert!(matches!(found[0].value, Value::Mate(1..)));
    assert_eq!(stalemate.judge(&found), [Some(Judgement::Blunder)]);
}

#[test]
fn it_can_be_stopped() {
    let signals = Signals::default();
    signals.stop();
    let game = Line::san("e4 e5");
    assert_eq!(Analyst::new(1, 1_000).game(&game.positions, &signals), None);
}
