//! Games of the engine against itself, and their openings.

use halfmove_engine::{Limits, Memory, Openings, Search, SelfPlay, Signals, Value};
use halfmove_rules::{AnyPosition, Chess, Color, History, Outcome, Variant};
use std::collections::HashSet;

const GAMES: [Variant; 5] =
    [Variant::Chess, Variant::Chess960, Variant::Makruk, Variant::Makpong, Variant::Asean];

#[test]
fn openings_are_balanced_and_differ() {
    for variant in GAMES {
        let mut seen = HashSet::new();
        let mut starts = HashSet::new();
        for opening in Openings::new(variant, 3).with_plies(6).take(40) {
            assert_eq!(opening.start.variant(), variant);
            let mut position = opening.start.clone();
            for &mv in &opening.moves {
                position = position.play(mv).unwrap_or_else(|e| panic!("{e}"));
            }
            assert!(position == opening.position && opening.moves.len() == 6);
            let memory = Memory::new(1);
            let limits = Limits { nodes: Some(1_000), ..Limits::default() };
            let answer = Search::new(&memory).run_any(&position, &[], &limits, &mut |_| {});
            let Value::Centipawns(value) = answer.value else { panic!("a mate in {position}") };
            assert!(value.abs() <= 100, "{value} in {position}");
            let placement = |position: &AnyPosition| {
                let fen = position.to_string();
                fen.split(' ').take(2).collect::<Vec<_>>().join(" ")
            };
            assert!(
                !seen.contains(&placement(&position.flipped())),
                "{position} with colors swapped"
            );
            assert!(seen.insert(placement(&position)), "{position} again");
            starts.insert(opening.start.to_string());
        }
        assert_eq!(seen.len(), 40);
        assert_eq!(starts.len() > 20, variant == Variant::Chess960, "{variant}: {}", starts.len());
    }
}

#[test]
fn openings_come_to_an_end() {
    // White has 20 first moves.
    let all = Openings::new(Variant::Chess, 1).with_plies(1).count();
    assert!((10..=20).contains(&all), "{all}");
    assert_eq!(Openings::new(Variant::Chess, 1).with_plies(0).count(), 1);
}

/// The games in another order, by other players that have played others before.
#[test]
fn a_game_depends_on_its_opening_alone() {
    let none = Signals::default();
    for variant in GAMES {
        let openings: Vec<_> = Openings::new(variant, 5).take(3).collect();
        let player = SelfPlay::new(1, 60).with_max_plies(80);
        let games: Vec<_> =
            openings.iter().map(|opening| player.play(opening, &none).expect("a game")).collect();
        for (opening, game) in openings.iter().zip(&games).rev() {
            let another = SelfPlay::new(1, 60).with_max_plies(80);
            another.play(&openings[0], &none);
            assert_eq!(another.play(opening, &none).as_ref(), Some(game), "{variant}");
        }
    }
}

/// Played again by the rules, which say how a game has ended.
#[test]
fn games_end_by_the_rules() {
    let none = Signals::default();
    let (mut mates, mut draws) = (0, 0);
    for variant in GAMES {
        let player = SelfPlay::new(1, 100);
        for opening in Openings::new(variant, 11).take(6) {
            let game = player.play(&opening, &none).expect("a game");
            assert_eq!(game.moves.len(), opening.moves.len() + game.values.len());
            let mut history = History::new(opening.start.clone());
            for (ply, &mv) in game.moves.iter().enumerate() {
                let over = history.outcome().or_else(|| history.claim());
                assert_eq!(over, None, "{variant}: it goes on after ply {ply}");
                history.play(mv).unwrap_or_else(|e| panic!("{e}"));
            }
            assert_eq!(game.outcome, history.outcome().or_else(|| history.claim()));
            match game.outcome {
                Some(Outcome::Checkmate { winner }) => {
                    assert_eq!(game.values.last(), Some(&Value::Mate(1)));
                    assert_eq!(history.position().side_to_move(), !winner);
                    mates += 1;
                }
                Some(_) => draws += 1,
                None => assert_eq!(game.moves.len(), 600),
            }
        }
    }
    assert!(mates > 5 && draws > 0, "{mates} mates, {draws} draws");
}

#[test]
fn long_games_stay_unfinished() {
    let opening = Openings::new(Variant::Makruk, 1).next().expect("an opening");
    let game = SelfPlay::new(1, 50).with_max_plies(20).play(&opening, &Signals::default());
    let game = game.expect("a game");
    assert_eq!((game.moves.len(), game.outcome), (20, None));
}

#[test]
fn a_start_that_is_over_is_no_game() {
    let mated: Chess = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1".parse().expect("a position");
    let position = AnyPosition::from(mated);
    let opening = halfmove_engine::Opening { start: position.clone(), moves: Vec::new(), position };
    let game = SelfPlay::new(1, 50).play(&opening, &Signals::default()).expect("a game");
    assert_eq!(game.outcome, Some(Outcome::Checkmate { winner: Color::White }));
    assert!(game.moves.is_empty());
}
