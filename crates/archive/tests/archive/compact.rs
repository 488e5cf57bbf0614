//! A compaction changes no answer.

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use futures::{StreamExt, TryStreamExt};
use halfmove_archive::{Archive, ArchiveError, ArchiveOptions, Filter, ImportWatch, Importer};
use halfmove_archive::{CompactReport, PgnInput};
use halfmove_game::Input;
use halfmove_rules::Chess;

use crate::damage::{answers, files, flip, pages, problems};
use crate::{Outcome, game, import, testdata, wait};

/// An archive of many files, with games of all kinds.
fn many() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games");
    for name in ["games/lichess.pgn.zst", "games/masters.pgn.zst", "games/chess960.pgn"] {
        let mut importer = Importer::open(&path).expect("an archive").games_per_file(6_000);
        let input = Input::open(testdata(name)).expect("a file");
        importer.read_pgn([Ok(PgnInput::named(name, input))], &mut ()).expect("games");
        importer.commit().expect("committed");
    }
    (folder, path)
}

fn compact(path: &Path) -> (CompactReport, Archive) {
    let report = Archive::open(path).expect("an archive").compact(&mut ()).expect("compacted");
    (report, Archive::open(path).expect("an archive"))
}

/// The ids of the games that an export gives, in its order.
fn exported(archive: &Archive, filter: &Filter) -> Result<Vec<i64>, ArchiveError> {
    wait(async {
        let mut games = archive.games(filter).await?;
        let mut ids = Vec::new();
        while let Some(game) = games.next().await {
            ids.push(game?.id);
        }
        Ok(ids)
    })
}

/// The first column of an answer.
fn column(archive: &Archive, query: &str) -> Result<Vec<Option<String>>, ArchiveError> {
    wait(async {
        let mut answer = archive.sql(query).await?;
        let mut column = Vec::new();
        while let Some(batch) = answer.try_next().await? {
            column.extend(batch.cells()?.into_iter().map(|row| row[0].clone()));
        }
        Ok(column)
    })
}

/// Positions of some games.
fn positions(archive: &Archive, games: impl Iterator<Item = i64>) -> Vec<Chess> {
    let mut positions = Vec::new();
    for id in games {
        let game = wait(archive.game(id)).expect("a game").game;
        let mut position = game.start.as_chess().expect("chess").clone();
        let depth = id as usize * 7 % (game.moves.len() + 1);
        for mv in &game.moves[..depth] {
            position.play_unchecked(*mv);
        }
        positions.push(position);
    }
    positions
}

#[test]
fn the_answers_stay_the_same() -> Outcome {
    let (_folder, path) = many();
    let before = Archive::open(&path)?;
    let (report, after) = compact(&path);
    assert_eq!((report.games, report.files), (before.len(), 1));
    assert_eq!(report.files_before as u64, wait(before.info())?.files);
    assert!(report.bytes < report.bytes_before, "{report:?}");
    assert_eq!((after.len(), after.version()), (before.len(), before.version() + 1));
    assert_eq!(problems(&after.verify(&mut ())?), [""; 0]);
    for ((question, before), (_, after)) in answers(&before).into_iter().zip(answers(&after)) {
        if question != "numbers" {
            assert!(before? == after?, "{question}");
        }
    }
    let [mut old, mut new] = [wait(before.info())?, wait(after.info())?];
    (old.version, old.files, old.bytes) = (0, 0, 0);
    (new.version, new.files, new.bytes) = (0, 0, 0);
    assert_eq!(old, new);
    // The games are in another order now.
    let ids = column(&after, "SELECT id FROM games LIMIT 100")?;
    assert!(!ids.windows(2).all(|pair| pair[0] < pair[1]), "{ids:?}");
    for id in (1..=before.len() as i64).step_by(997).chain([0, -1, i64::MAX, 1 << 40]) {
        let games = [&before, &after].map(|archive| wait(archive.game(id)));
        match games {
            [Ok(old), Ok(new)] => assert_eq!((old.id, old.game), (new.id, new.game)),
            [old, new] => assert_eq!(format!("{old:?}"), format!("{new:?}")),
        }
    }
    for query in [
        "SELECT s FROM (SELECT source || ' ' || count(*) AS s FROM games GROUP BY source) ORDER BY s",
        "SELECT id FROM games WHERE id BETWEEN 500 AND 600 ORDER BY id",
        "SELECT max(id) - min(id) FROM games",
        "SELECT id FROM games WHERE eco = 'B90' ORDER BY id LIMIT 10",
    ] {
        assert_eq!(column(&before, query)?, column(&after, query)?, "{query}");
    }
    Ok(())
}

#[test]
fn every_search_finds_the_same() -> Outcome {
    let (_folder, path) = many();
    let before = Archive::open(&path)?;
    let (_, after) = compact(&path);
    let count = before.len() as i64;
    let (mut found, mut alone) = (0, 0);
    for position in positions(&before, (1..=count).step_by(331)) {
        // Replay of each game, without signatures.
        let query =
            format!("SELECT id FROM games WHERE ply_of(moves, '{position}') >= 0 ORDER BY id");
        let expected: Vec<i64> = column(&before, &query)?
            .into_iter()
            .map(|id| id.expect("an id").parse().expect("a number"))
            .collect();
        let filter = Filter::position(position.clone());
        let [old, new] = [&before, &after].map(|archive| wait(archive.search(&filter, usize::MAX)));
        let (old, new) = (old?, new?);
        assert_eq!(old, new, "{position}");
        let ids: Vec<i64> = new.games.iter().map(|game| game.id).collect();
        assert_eq!(ids, expected, "{position}");
        let few = wait(after.search(&filter, 3))?;
        assert_eq!(few.count, new.count);
        assert_eq!(few.games, new.games[..new.games.len().min(3)], "{position}");
        assert_eq!(exported(&after, &filter)?, expected, "{position}");
        let [old, new] = [&before, &after]
            .map(|archive| wait(archive.explore(&Filter::default(), position.clone())));
        assert_eq!(old?, new?, "{position}");
        let narrow = Filter { min_elo: Some(2_400), ..filter };
        let [old, new] = [&before, &after].map(|archive| wait(archive.search(&narrow, 10)));
        assert_eq!(old?, new?, "{position}");
        assert_eq!(exported(&before, &narrow)?, exported(&after, &narrow)?);
        let query = format!("SELECT id FROM games WHERE reaches(moves, '{position}') ORDER BY id");
        assert_eq!(column(&before, &query)?, column(&after, &query)?);
        found += expected.len();
        alone += usize::from(expected.len() == 1);
    }
    assert!(found > 1_000 && alone > 10, "{found} {alone}");
    Ok(())
}

/// However little memory there is for it, an export is in the order of the ids.
#[test]
fn exports_in_blocks() -> Outcome {
    let (_folder, path) = many();
    let (_, after) = compact(&path);
    // And a file in the order of its ids behind it.
    import(
        &after,
        &[(game(&Chess::default(), "e4 e5"), None), (game(&Chess::default(), "d4"), None)],
    );
    let by_tag = Filter { condition: Some("id % 5 = 0".to_owned()), ..Filter::default() };
    let rare = Filter { condition: Some("id % 1000 = 0".to_owned()), ..Filter::default() };
    for query_bytes in [1 << 30, 8 << 20, 1 << 20] {
        let mut options = ArchiveOptions::default();
        options.query_bytes = query_bytes;
        let archive = Archive::open_with(&path, &options)?;
        let last = archive.len() as i64;
        assert_eq!(exported(&archive, &Filter::default())?, (1..=last).collect::<Vec<_>>());
        let fifth: Vec<i64> = (1..=last).filter(|id| id % 5 == 0).collect();
        assert_eq!(exported(&archive, &by_tag)?, fifth);
        let few: Vec<i64> = (1..=last).filter(|id| id % 1000 == 0).collect();
        assert_eq!(exported(&archive, &rare)?, few);
    }
    Ok(())
}

#[test]
fn once_is_enough_until_enough_is_new() -> Outcome {
    let (_folder, path) = many();
    let (_, archive) = compact(&path);
    let version = archive.version();
    let (report, archive) = compact(&path);
    assert_eq!((report, archive.version()), (CompactReport::default(), version));
    // Two small imports are merged; the large file stays as it is.
    let games: Vec<_> =
        ["e4 e5", "d4 d5"].map(|moves| (game(&Chess::default(), moves), None)).into();
    import(&archive, &games);
    import(&archive, &games[..1]);
    let (report, archive) = compact(&path);
    assert_eq!((report.games, report.files_before, report.files), (3, 2, 1));
    let last = archive.len() as i64;
    assert_eq!(exported(&archive, &Filter::default())?, (1..=last).collect::<Vec<_>>());
    assert_eq!(problems(&archive.verify(&mut ())?), [""; 0]);
    let (report, _) = compact(&path);
    assert_eq!(report, CompactReport::default());
    Ok(())
}

#[test]
fn an_empty_archive_is_compact() -> Outcome {
    let folder = tempfile::tempdir()?;
    let archive = Archive::create(folder.path().join("games"))?;
    assert_eq!(archive.compact(&mut ())?, CompactReport::default());
    Ok(())
}

#[test]
fn an_archive_of_format_0_has_to_be_upgraded_first() -> Outcome {
    let refused = Archive::open(testdata("archive-0"))?.compact(&mut ());
    assert!(matches!(refused, Err(ArchiveError::OldFormat { .. })), "{refused:?}");
    Ok(())
}

/// Does something the first time that it hears of a compaction.
struct Once<F>(Option<F>);

impl<F: FnOnce() -> ControlFlow<()>> ImportWatch for Once<F> {
    fn tick(&mut self, _: u64) -> ControlFlow<()> {
        self.0.take().map_or(ControlFlow::Continue(()), |act| act())
    }
}

fn names(path: &Path) -> BTreeSet<PathBuf> {
    files(path, ".parquet").into_iter().chain(files(path, ".tmp")).collect()
}

#[test]
fn a_compaction_that_is_stopped_leaves_nothing_behind() -> Outcome {
    struct Stop(u32);
    impl ImportWatch for Stop {
        fn tick(&mut self, _: u64) -> ControlFlow<()> {
            self.0 = self.0.saturating_sub(1);
            if self.0 == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }
    let (_folder, path) = many();
    let archive = Archive::open(&path)?;
    let before = names(&path);
    for ticks in 1..4 {
        let stopped = archive.compact(&mut Stop(ticks));
        assert!(matches!(stopped, Err(ArchiveError::Stopped)), "{stopped:?}");
        assert_eq!(names(&path), before);
        assert_eq!(archive.refresh()?.version(), archive.version());
    }
    Ok(())
}

#[test]
fn an_import_meanwhile_is_kept() -> Outcome {
    let (_folder, path) = many();
    let archive = Archive::open(&path)?;
    let other = archive.clone();
    let mut watch = Once(Some(move || {
        import(&other, &[(game(&Chess::default(), "e4 e5"), None)]);
        ControlFlow::Continue(())
    }));
    let report = archive.compact(&mut watch)?;
    assert_eq!(report.games, archive.len());
    let after = Archive::open(&path)?;
    assert_eq!((after.len(), after.version()), (archive.len() + 1, archive.version() + 2));
    let last = after.len() as i64;
    assert_eq!(exported(&after, &Filter::default())?, (1..=last).collect::<Vec<_>>());
    Ok(())
}

#[test]
fn of_two_compactions_one_comes_too_late() -> Outcome {
    let (_folder, path) = many();
    let archive = Archive::open(&path)?;
    let other = archive.clone();
    let mut watch = Once(Some(move || {
        other.compact(&mut ()).expect("compacted");
        ControlFlow::Continue(())
    }));
    let refused = archive.compact(&mut watch).expect_err("too late");
    assert!(matches!(refused, ArchiveError::Overtaken { .. }), "{refused:?}");
    let after = Archive::open(&path)?;
    assert_eq!((after.len(), after.version()), (archive.len(), archive.version() + 1));
    assert_eq!(problems(&after.verify(&mut ())?), [""; 0]);
    // The files of before, and the one of the other.
    let before = wait(archive.info())?.files as usize;
    assert_eq!(names(&path).len(), before + 1);
    Ok(())
}

/// The file that the last change has added.
fn last_file(path: &Path) -> PathBuf {
    let archive = Archive::open(path).expect("an archive");
    let entry = path.join(format!("_delta_log/{:020}.json", archive.version()));
    let entry = fs::read_to_string(entry).expect("an entry");
    let is_added = |file: &PathBuf| {
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        entry.lines().any(|line| line.contains("\"add\"") && line.contains(&name))
    };
    names(path).into_iter().find(is_added).expect("a file")
}

/// The last byte of each page of a column.
fn ends(file: &Path, column: &str) -> Vec<usize> {
    let (pages, _) = pages(file);
    let pages = pages.iter().filter(|page| page.0 == column);
    pages.map(|page| page.3).collect()
}

/// How many games of the archive on the disk have a position.
fn ask(path: &Path, position: &Chess) -> Result<u64, ArchiveError> {
    let archive = Archive::open(path)?;
    Ok(wait(archive.search(&Filter::position(position.clone()), 0))?.count)
}

/// What the bounds of signatures rule out needs no signatures.
#[test]
fn bounds_spare_signatures() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("games");
    let games: Vec<_> = ["e4 e5 Nf3", "e4 c5", "e4 e5 Nf3 Nc6 d4"]
        .map(|moves| (game(&Chess::default(), moves), None))
        .into();
    let archive = Archive::create(&path)?;
    import(&archive, &games);
    let [open, closed] = ["e4 e5", "c4"].map(|moves| {
        let position = game(&Chess::default(), moves).final_position();
        position.as_chess().expect("chess").clone()
    });
    for _ in 0..2 {
        let file = last_file(&path);
        let whole = fs::read(&file)?;
        assert_eq!((ask(&path, &open)?, ask(&path, &closed)?), (2, 0));
        ends(&file, "signature").into_iter().for_each(|byte| flip(&file, byte, 0));
        assert!(matches!(ask(&path, &open), Err(ArchiveError::Damaged(_))));
        assert_eq!(ask(&path, &closed)?, 0);
        fs::write(&file, whole)?;
        archive.compact(&mut ())?;
    }
    Ok(())
}

/// Moves are read only of pages with candidates.
#[test]
fn pages_without_candidates_are_not_read() -> Outcome {
    let (_folder, path) = many();
    let (_, archive) = compact(&path);
    let file = last_file(&path);
    let whole = fs::read(&file)?;
    let ask = |position: &Chess| ask(&path, position);
    let rare = positions(&archive, [10_000_i64, 10_001, 10_002, 10_003].into_iter());
    let pages = ends(&file, "moves");
    assert!(pages.len() > 4, "{} pages of moves", pages.len());
    for page in &pages {
        flip(&file, *page, 0);
        let refused = rare.iter().filter(|position| ask(position).is_err()).count();
        assert!(refused < rare.len(), "each page is read for each position");
        fs::write(&file, &whole)?;
    }
    for page in &pages {
        flip(&file, *page, 0);
    }
    assert!(rare.iter().any(|position| matches!(ask(position), Err(ArchiveError::Damaged(_)))));
    Ok(())
}
