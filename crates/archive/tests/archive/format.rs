//! The format of games: whole games come back, and bytes of another version of the codec are rejected.

use std::fs;

use halfmove_archive::Archive;
use halfmove_game::Game;
use halfmove_game::pgn::{GameReader, Reading};

use crate::{Outcome, archive, testdata, without_checksum};

/// Bytes of an unknown codec are not read.
#[test]
fn another_version_of_the_codec_is_refused() -> Outcome {
    let (_folder, archive) = archive(&[]);
    let log = archive.path().join("_delta_log/00000000000000000000.json");
    let entry = fs::read_to_string(&log)?;
    assert!(entry.contains("\"halfmove 1\""), "{entry}");
    let other = without_checksum(&entry).replace("\"halfmove 1\"", "\"halfmove 2\"");
    fs::write(&log, other)?;
    let refused = Archive::open(archive.path()).expect_err("another version");
    assert!(refused.to_string().contains("moves of the codec halfmove 2"), "{refused}");
    Ok(())
}

/// Everything in the text of a game comes back from the archive.
#[test]
fn whole_games_come_back() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("games");
    let annotated = "[Event \"a\"]\n{first}\n[White \"Ann\"]\n[Result \"*\"]\n\n{hello} 1. e4! {best} (1. d4 $14 d5 \
        (1... Nf6 2. c4 {the \"Indian\"}) 2. c4) e5 ; sound\n2. -- 1-0\n{bye}\n\n\
        [Event \"b\"]\n\n1. e4 {[%eval 0.2,20]} e5 2. Ke3 {lost} Ke6 0-1\n\n[Event \"c\"]\n\n1. e4\n\n";
    let file = folder.path().join("annotated.pgn");
    fs::write(&file, annotated)?;
    let mut paths = vec![file];
    paths.extend(["games/lichess.pgn.zst", "games/chess960.pgn", "games/setup.pgn"].map(testdata));
    for name in fs::read_dir(testdata("malformed"))? {
        paths.push(name?.path());
    }
    let (mut all, mut annotations) = (0, 0);
    for file in paths.iter().filter(|path| path.to_string_lossy().contains(".pgn")) {
        let archive = Archive::open_or_create(&path)?;
        let before = archive.len();
        let mut importer = archive.importer();
        importer
            .read_pgn([halfmove_game::Input::open(file).map_err(std::io::Error::from)], &mut ())?;
        importer.commit()?;
        let archive = archive.refresh()?;
        let mut reader = GameReader::new(halfmove_game::Input::open(file)?).chess_only();
        let (mut game, mut id) = (Game::default(), before as i64);
        while let Some(reading) = reader.read(&mut game)? {
            if matches!(reading, Reading::Skipped(_)) {
                continue;
            }
            id += 1;
            if id % 7 == 0 || file.ends_with("annotated.pgn") {
                let stored = archive.game(id)?.game;
                assert_eq!(stored, game, "{}", file.display());
                annotations += u32::from(!game.annotations.is_empty());
            }
        }
        assert_eq!(archive.len(), id as u64, "{}", file.display());
        all = id;
    }
    assert!(all > 500 && annotations > 60, "{all} games, {annotations} annotated");
    Ok(())
}
