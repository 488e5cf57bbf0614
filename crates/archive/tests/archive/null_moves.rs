//! Games with null moves in their main line: imported, searched, explored and given back.

use halfmove_archive::Filter;
use halfmove_rules::Move;

use crate::{Outcome, archive, read, testdata, uci};

#[test]
fn positions_behind_null_moves_are_found() -> Outcome {
    let games = read(&testdata("field/12-twic.pgn"));
    assert_eq!(games.iter().map(|(game, _)| game.moves.len()).collect::<Vec<_>>(), [33, 7]);
    let (_folder, archive) = archive(&games);
    let mut nulls = 0;
    for (id, (game, fault)) in (1..).zip(&games) {
        assert_eq!(fault, &None);
        assert_eq!(archive.game(id)?.game.moves, game.moves);
        for ply in 0..=game.moves.len() {
            let position = game.position(ply);
            let found = archive.search(&Filter::position(position.clone()), usize::MAX)?.games;
            let found = found.iter().find(|game| game.id == id).and_then(|game| game.ply);
            assert_eq!(found, Some(ply as u32), "game {id}: {position}");
            let Some(&next) = game.moves.get(ply) else { continue };
            let moves = archive.explore(&Filter::default(), position)?.moves;
            let next_move = moves.iter().find(|mv| mv.uci == uci(next)).ok_or("no such move")?;
            assert!(next_move.results.games() > 0);
            if next == Move::NULL {
                nulls += 1;
                assert_eq!((next_move.uci.as_str(), next_move.san.as_str()), ("0000", "--"));
            }
        }
    }
    assert_eq!(nulls, 3);
    Ok(())
}
