//! The large collections, which are not part of the repository: `HALFMOVE_DATA` names their folder.

use std::path::PathBuf;

use halfmove_archive::Filter;

use crate::explorer::compare;
use crate::{Outcome, archive, read};

fn data() -> PathBuf {
    std::env::var_os("HALFMOVE_DATA")
        .expect("HALFMOVE_DATA names the folder of the collections")
        .into()
}

fn answers(name: &str, file: &str) -> Outcome {
    let (_folder, archive) = archive(&read(&data().join(file)));
    let table = std::fs::read_to_string(data().join(format!("expected/explorer_{name}.tsv")))?;
    assert_eq!(compare(&archive, &table), 281);
    Ok(())
}

#[test]
#[ignore = "needs HALFMOVE_DATA"]
fn answers_on_medium_20k() -> Outcome {
    answers("medium_20k_utf8", "medium/medium_20k_utf8.pgn.zst")
}

#[test]
#[ignore = "needs HALFMOVE_DATA"]
fn answers_on_masters_gnuchess() -> Outcome {
    answers("masters_gnuchess_book_1.02", "large/masters_gnuchess_book_1.02.pgn.zst")
}

#[test]
#[ignore = "needs HALFMOVE_DATA"]
fn answers_on_lichess() -> Outcome {
    answers("lichess_online_clocks_evals", "large/lichess_online_clocks_evals.pgn.zst")
}

#[test]
#[ignore = "needs HALFMOVE_DATA"]
fn answers_on_masters_pgnmentor() -> Outcome {
    answers("masters_pgnmentor_players_A-K", "large/masters_pgnmentor_players_A-K.pgn.zst")
}

#[test]
#[ignore = "needs HALFMOVE_DATA"]
fn every_game_comes_back() -> Outcome {
    for file in [
        "large/masters_gnuchess_book_1.02.pgn.zst",
        "large/masters_pgnmentor_players_A-K.pgn.zst",
        "large/lichess_online_clocks_evals.pgn.zst",
        "chess960/tcec_frc_dfrc.pgn.zst",
    ] {
        let games = read(&data().join(file));
        let (_folder, archive) = archive(&games);
        let mut stored = archive.games(&Filter::default())?;
        for (game, _) in &games {
            let found = stored.next().ok_or("too few games")??;
            assert_eq!(
                (&found.game.tags, &found.game.moves),
                (&game.tags, &game.moves),
                "{file}: {}",
                found.id
            );
        }
        assert!(stored.next().is_none());
    }
    Ok(())
}
