//! Opening trees, against the results of another program and against a recount with the rules.

use std::collections::BTreeMap;

use halfmove_archive::{Archive, Filter, Results};
use halfmove_game::Game;
use halfmove_rules::Chess;

use crate::{Outcome, archive, read, testdata, uci};

/// `w/d/b/other`, as the tables write it.
fn counts(results: &Results) -> String {
    format!("{}/{}/{}/{}", results.white, results.draws, results.black, results.other)
}

/// Explores every position of a table and compares the whole result.
pub(crate) fn compare(archive: &Archive, table: &str) -> usize {
    let mut lines = 0;
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let position: Chess =
            Chess::from_fen(fields[0], None).unwrap_or_else(|error| panic!("{line}: {error}"));
        let answer = archive.explore(&Filter::default(), position).expect("an answer");
        assert_eq!(counts(&answer.results), fields[1..5].join("/"), "{}", fields[0]);
        let sorted =
            |moves: Vec<String>| moves.into_iter().collect::<std::collections::BTreeSet<_>>();
        let found =
            answer.moves.iter().map(|mv| format!("{}:{}", mv.uci, counts(&mv.results))).collect();
        let expected = fields[5].split_whitespace().map(str::to_owned).collect();
        assert_eq!(sorted(found), sorted(expected), "{}", fields[0]);
        let order: Vec<_> = answer
            .moves
            .iter()
            .map(|mv| (std::cmp::Reverse(mv.results.games()), mv.uci.clone()))
            .collect();
        assert!(order.is_sorted(), "{order:?}");
        lines += 1;
    }
    lines
}

#[test]
fn answers_are_those_of_another_program() -> Outcome {
    let (_folder, archive) = archive(&read(&testdata("games/masters.pgn.zst")));
    let table = std::fs::read_to_string(testdata("expected/explorer_masters.tsv"))?;
    assert_eq!(compare(&archive, &table), 281);
    Ok(())
}

fn start(game: &Game) -> Chess {
    game.chess_start().expect("chess").clone()
}

/// A count by playing every game on the board.
fn recount(
    games: &[(Game, Option<String>)],
    target: &Chess,
) -> (Vec<usize>, BTreeMap<String, usize>) {
    let (mut found, mut moves) = (Vec::new(), BTreeMap::new());
    for (index, (game, _)) in games.iter().enumerate() {
        let (mut position, mut played, mut visited) = (start(game), Vec::new(), false);
        for mv in game.moves.iter().map(Some).chain([None]) {
            if position == *target {
                visited = true;
                if let Some(mv) = mv {
                    played.push(uci(*mv));
                }
            }
            if let Some(mv) = mv {
                position.play_unchecked(*mv);
            }
        }
        if visited {
            found.push(index + 1);
        }
        played.sort();
        played.dedup();
        for mv in played {
            *moves.entry(mv).or_insert(0) += 1;
        }
    }
    (found, moves)
}

#[test]
fn answers_are_those_of_the_rules() -> Outcome {
    let mut games = read(&testdata("games/chess960.pgn"));
    games.extend(read(&testdata("games/setup.pgn")));
    games.extend(read(&testdata("games/lichess.pgn.zst")));
    let (_folder, archive) = archive(&games);
    let mut targets = vec![Chess::default()];
    for (game, _) in games.iter().step_by(3) {
        let mut position = start(game);
        targets.push(position.clone());
        for (ply, mv) in game.moves.iter().enumerate() {
            position.play_unchecked(*mv);
            if ply % 17 == 6 {
                targets.push(position.clone());
            }
        }
    }
    assert!(targets.len() > 500);
    for position in targets.iter().step_by(2) {
        let (found, moves) = recount(&games, position);
        let answer = archive.explore(&Filter::default(), position.clone())?;
        assert_eq!(answer.results.games(), found.len() as u64, "{position}");
        let answered: BTreeMap<_, _> =
            answer.moves.iter().map(|mv| (mv.uci.clone(), mv.results.games() as usize)).collect();
        assert_eq!(answered, moves, "{position}");
        let search = archive.search(&Filter::position(position.clone()), usize::MAX)?;
        let ids: Vec<usize> = search.games.iter().map(|game| game.id as usize).collect();
        assert_eq!(ids, found, "{position}");
        for summary in &search.games {
            let (game, _) = &games[summary.id as usize - 1];
            let ply = summary.ply.ok_or("a match without a ply")? as usize;
            let mut there = start(game);
            game.moves[..ply].iter().for_each(|mv| there.play_unchecked(*mv));
            assert_eq!(&there, position);
        }
    }
    Ok(())
}
