//! Archives of format 0, as the program wrote them before version 1 of the bytes of a game.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use futures::TryStreamExt;
use halfmove_archive::{Archive, ArchiveError, Filter, ImportWatch, Importer};
use halfmove_game::Game;
use halfmove_game::pgn::{Format, GameReader, Reading};
use halfmove_rules::{AnyPosition, CastlingMode, Chess};

use crate::{Outcome, read, testdata, wait, without_checksum};

/// A copy of the archive that is kept.
fn old() -> (tempfile::TempDir, Archive) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("old");
    copy(&testdata("archive-0"), &path);
    let archive = Archive::open(&path).expect("an archive");
    (folder, archive)
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).expect("a copy");
        }
    }
}

/// All games as PGN.
fn export(archive: &Archive) -> Result<String, ArchiveError> {
    wait(async {
        use futures::StreamExt;
        let filter = Filter::default();
        let mut games = archive.games(&filter).await?;
        let mut text = String::new();
        while let Some(game) = games.next().await {
            Format::new().append(&game?.game, &mut text).expect("sound names");
        }
        Ok(text)
    })
}

/// What an archive answers, whatever its format.
fn check_answers(archive: &Archive) -> Outcome {
    // What the program that wrote it exported.
    let expected = fs::read_to_string(testdata("archive-0.pgn"))?;
    assert_eq!(export(archive)?, expected);
    let games = read(&testdata("archive-0.pgn"));
    assert_eq!(archive.len(), games.len() as u64);
    let answers = crate::questions::check(archive, &games);
    assert!(answers.iter().any(|answer| !answer.is_empty()));
    wait(async {
        let mut own_starts = 0;
        for (index, (game, _)) in games.iter().enumerate().step_by(3) {
            let id = index as i64 + 1;
            let stored = archive.game(id).await?.game;
            assert_eq!((&stored.moves, &stored.start), (&game.moves, &game.start), "game {id}");
            assert_eq!(mode(&stored), mode(game), "game {id}");
            let (start, end) = (chess(&game.start), chess(&game.final_position()));
            own_starts += u32::from(start != Chess::default());
            // Each of these is asked of the search and of SQL.
            for position in [start, end] {
                let found = archive.search(&Filter::position(position.clone()), 1000).await?;
                let expected: Vec<i64> = (1..)
                    .zip(&games)
                    .filter(|(_, (game, _))| reaches(game, &position))
                    .map(|(id, _)| id)
                    .collect();
                let ids: Vec<i64> = found.games.iter().map(|game| game.id).collect();
                assert_eq!(ids, expected, "game {id}: {position}");
            }
            let query = format!("SELECT fen_at(moves, plies) FROM games WHERE id = {id}");
            let mut answer = archive.sql(&query).await?;
            let batch = answer.try_next().await?.expect("a row");
            assert_eq!(batch.cells()?[0][0], Some(game.final_position().to_string()));
        }
        assert!(own_starts > 5, "{own_starts} games with a start of their own");
        Ok(())
    })
}

fn chess(position: &AnyPosition) -> Chess {
    position.as_chess().expect("chess").clone()
}

fn mode(game: &Game) -> CastlingMode {
    chess(&game.start).castling_mode()
}

fn reaches(game: &Game, wanted: &Chess) -> bool {
    let mut position = chess(&game.start);
    if position == *wanted {
        return true;
    }
    game.moves.iter().any(|mv| {
        position.play_unchecked(*mv);
        position == *wanted
    })
}

#[test]
fn an_archive_of_format_0_answers() -> Outcome {
    let (_folder, archive) = old();
    assert_eq!(wait(archive.info())?.format, "0");
    check_answers(&archive)
}

#[test]
fn nothing_is_added_before_the_upgrade() -> Outcome {
    let (_folder, archive) = old();
    let refused = Importer::open(archive.path());
    assert!(matches!(refused, Err(ArchiveError::OldFormat { found: "0", .. })));
    let mut importer = archive.importer();
    importer.push(&Game::default(), None)?;
    assert!(matches!(importer.commit(), Err(ArchiveError::OldFormat { found: "0", .. })));
    let all = Filter::default();
    let refused = wait(archive.remover(&all));
    assert!(matches!(refused, Err(ArchiveError::OldFormat { found: "0", .. })));
    let refused = archive.undo(None, &mut ());
    assert!(matches!(refused, Err(ArchiveError::OldFormat { found: "0", .. })));
    assert_eq!(archive.refresh()?.version(), archive.version());
    Ok(())
}

#[test]
fn an_archive_of_format_0_is_upgraded() -> Outcome {
    let (_folder, archive) = old();
    let report = archive.upgrade(&mut ())?;
    assert_eq!((report.from, report.to), ("0", "1"));
    assert_eq!((report.games, report.files), (archive.len(), 2));
    let new = archive.refresh()?;
    assert_eq!(new.version(), archive.version() + 1);
    assert_eq!(wait(new.info())?.format, "1");
    check_answers(&new)?;
    // The value from before goes on to read the old files.
    check_answers(&archive)?;
    // Nothing goes back to the old format.
    let refused = new.undo(None, &mut ()).expect_err("another format").to_string();
    assert!(refused.ends_with(": version 2 has format 0, and now it has format 1"), "{refused}");
    let history = new.history()?;
    let told: Vec<_> =
        history.iter().map(|entry| (entry.what.as_str(), entry.is_restorable)).collect();
    let before = [("create", false), ("import", false), ("import", false)];
    assert_eq!(told, [&before[..], &[("upgrade", false)]].concat());
    // Opened anew, and added to.
    let new = Archive::open(new.path())?;
    let mut importer = new.importer();
    importer.push(&Game::default(), None)?;
    assert_eq!(importer.commit()?.first_id, new.len() as i64 + 1);
    assert_eq!(new.refresh()?.len(), new.len() + 1);
    // Once is enough.
    let again = new.refresh()?.upgrade(&mut ())?;
    assert_eq!((again.from, again.to, again.files), ("1", "1", 0));
    Ok(())
}

#[test]
fn an_upgrade_that_is_stopped_leaves_nothing_behind() -> Outcome {
    struct Stop;
    impl ImportWatch for Stop {
        fn tick(&mut self, games: u64) -> ControlFlow<()> {
            if games > 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }
    let (_folder, archive) = old();
    let names = || -> Vec<_> {
        let entries = fs::read_dir(archive.path()).expect("a folder").flatten();
        let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
        names.retain(|name| name != "_halfmove.lock");
        names.sort();
        names
    };
    let before = names();
    assert!(matches!(archive.upgrade(&mut Stop), Err(ArchiveError::Stopped)));
    assert_eq!(names(), before);
    let now = archive.refresh()?;
    assert_eq!((now.version(), wait(now.info())?.format.as_str()), (archive.version(), "0"));
    Ok(())
}

/// Bytes of a codec that this program does not know are not read.
#[test]
fn another_version_of_the_codec_is_refused() -> Outcome {
    let (_folder, archive) = old();
    archive.upgrade(&mut ())?;
    let log = archive.path().join("_delta_log/00000000000000000003.json");
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
                let stored = wait(archive.game(id))?.game;
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

/// Rows that no program of ours has written are refused, and nothing changes.
#[test]
fn damaged_rows_are_not_upgraded() -> Outcome {
    for (moves, variant, expected) in [
        (Some(&[0xff, 0xff][..]), "chess", "game 1: moves, byte 0: 0xff is not a code"),
        (Some(&[0x00; 7]), "chess", "game 1: moves, byte "),
        (Some(&[0xe4, 0x20, 0xb0]), "chess", "0xe4 is not a code"),
        (Some(&[0x11]), "makruk", "game 1: a variant other than chess"),
        (None, "chess", "game 1: no moves"),
    ] {
        let (_folder, archive) = old();
        tamper(&archive, moves, variant)?;
        let refused = archive.upgrade(&mut ()).expect_err(expected);
        assert!(matches!(refused, ArchiveError::Damaged(_)), "{refused}");
        assert!(refused.to_string().contains(expected), "{refused}");
        assert_eq!(archive.refresh()?.version(), archive.version());
    }
    Ok(())
}

/// Changes the first game of the first file.
fn tamper(archive: &Archive, moves: Option<&[u8]>, variant: &str) -> Outcome {
    use datafusion::arrow::array::{
        Array, AsArray, BinaryArray, Int64Array, RecordBatch, StringArray,
    };
    use datafusion::arrow::datatypes::{Field, Schema};
    use datafusion::parquet::arrow::ArrowWriter;
    use datafusion::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use std::sync::Arc;

    for entry in fs::read_dir(archive.path())? {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != "parquet") {
            continue;
        }
        let reader = ParquetRecordBatchReaderBuilder::try_new(fs::File::open(&path)?)?.build()?;
        let batches = reader.collect::<Result<Vec<_>, _>>()?;
        let ids: &Int64Array = batches[0].column_by_name("id").expect("ids").as_primitive();
        if ids.value(0) != 1 {
            continue;
        }
        let batch = &batches[0];
        let mut columns = batch.columns().to_vec();
        let index = |name: &str| batch.schema().index_of(name).expect("a column");
        let old: &BinaryArray = columns[index("moves")].as_binary();
        let rest = (1..old.len()).map(|row| Some(old.value(row)));
        columns[index("moves")] =
            Arc::new(std::iter::once(moves).chain(rest).collect::<BinaryArray>());
        let old: &StringArray = columns[index("variant")].as_string();
        let rest = (1..old.len()).map(|row| Some(old.value(row)));
        let variants: StringArray = std::iter::once(Some(variant)).chain(rest).collect();
        columns[index("variant")] = Arc::new(variants);
        let fields = batch
            .schema()
            .fields()
            .iter()
            .map(|field| Field::new(field.name(), field.data_type().clone(), true))
            .collect::<Vec<_>>();
        let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)?;
        let mut writer = ArrowWriter::try_new(fs::File::create(&path)?, batch.schema(), None)?;
        writer.write(&batch)?;
        for rest in &batches[1..] {
            let fields = batch.schema();
            writer.write(&RecordBatch::try_new(fields, rest.columns().to_vec())?)?;
        }
        writer.close()?;
    }
    Ok(())
}
