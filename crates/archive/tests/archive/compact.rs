//! A compaction changes no results.

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use halfmove_archive::scan::{Scan, ScanCondition};
use halfmove_archive::{
    Archive, ArchiveError, ArchiveOptions, ChangeWatch, CompactReport, Filter, Importer, PgnInput,
    StoredGame,
};
use halfmove_game::Input;
use halfmove_rules::Chess;

use crate::damage::{answers, files, flip, pages, problems};
use crate::{Outcome, exported, game, import, of_ids, table, testdata};

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

/// The ids in the order of the files.
fn ids(archive: &Archive) -> Result<Vec<i64>, ArchiveError> {
    let rows = table::rows(archive, &["id"])?.into_iter();
    Ok(rows.map(|row| row[0].as_deref().expect("an id").parse().expect("a number")).collect())
}

/// The games in which a position arises, by the rules alone.
fn replayed(games: &[StoredGame], target: &Chess) -> Vec<i64> {
    let reaches = |game: &&StoredGame| {
        let mut position = game.game.start.as_chess().expect("chess").clone();
        position == *target
            || game.game.moves.iter().any(|mv| {
                position.play_unchecked(*mv);
                position == *target
            })
    };
    games.iter().filter(reaches).map(|game| game.id).collect()
}

/// Positions of some games.
fn positions(archive: &Archive, games: impl Iterator<Item = i64>) -> Vec<Chess> {
    let mut positions = Vec::new();
    for id in games {
        let game = archive.game(id).expect("a game").game;
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
    assert_eq!(report.files_before as u64, before.info()?.files);
    assert!(report.bytes < report.bytes_before, "{report:?}");
    assert_eq!((after.len(), after.version()), (before.len(), before.version() + 1));
    assert_eq!(problems(&after.verify(&mut ())?), [""; 0]);
    for ((question, before), (_, after)) in answers(&before).into_iter().zip(answers(&after)) {
        if question != "numbers" {
            assert!(before? == after?, "{question}");
        }
    }
    let [mut old, mut new] = [before.info()?, after.info()?];
    (old.version, old.files, old.bytes) = (0, 0, 0);
    (new.version, new.files, new.bytes) = (0, 0, 0);
    assert_eq!(old, new);
    // The games are in another order now.
    let ids = ids(&after)?;
    assert!(!ids.windows(2).all(|pair| pair[0] < pair[1]), "{ids:?}");
    for id in (1..=before.len() as i64).step_by(997).chain([0, -1, i64::MAX, 1 << 40]) {
        let games = [&before, &after].map(|archive| archive.game(id));
        match games {
            [Ok(old), Ok(new)] => assert_eq!((old.id, old.game), (new.id, new.game)),
            [old, new] => assert_eq!(format!("{old:?}"), format!("{new:?}")),
        }
    }
    assert_eq!(table::lines(&before)?, table::lines(&after)?);
    Ok(())
}

#[test]
fn every_search_finds_the_same() -> Outcome {
    let (_folder, path) = many();
    let before = Archive::open(&path)?;
    let (_, after) = compact(&path);
    let count = before.len() as i64;
    let games = before.games(&Filter::default())?.collect::<Result<Vec<_>, _>>()?;
    let (mut found, mut alone) = (0, 0);
    for position in positions(&before, (1..=count).step_by(331)) {
        // Replay of each game, without signatures.
        let expected = replayed(&games, &position);
        let filter = Filter::position(position.clone());
        let [old, new] = [&before, &after].map(|archive| archive.search(&filter, usize::MAX));
        let (old, new) = (old?, new?);
        assert_eq!(old, new, "{position}");
        let ids: Vec<i64> = new.games.iter().map(|game| game.id).collect();
        assert_eq!(ids, expected, "{position}");
        let few = after.search(&filter, 3)?;
        assert_eq!(few.count, new.count);
        assert_eq!(few.games, new.games[..new.games.len().min(3)], "{position}");
        assert_eq!(exported(&after, &filter)?, expected, "{position}");
        let [old, new] =
            [&before, &after].map(|archive| archive.explore(&Filter::default(), position.clone()));
        assert_eq!(old?, new?, "{position}");
        let narrow = Filter { min_elo: Some(2_400), ..filter };
        let [old, new] = [&before, &after].map(|archive| archive.search(&narrow, 10));
        assert_eq!(old?, new?, "{position}");
        assert_eq!(exported(&before, &narrow)?, exported(&after, &narrow)?);
        let predicates = [ScanCondition::Position(position.clone().into())];
        let scanned = Scan::of(&after).find(&predicates)?;
        assert_eq!(scanned.rows().map(|group| group.rows.len()).sum::<usize>(), expected.len());
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
    // And a file in the order of its ids after it.
    import(
        &after,
        &[(game(&Chess::default(), "e4 e5"), None), (game(&Chess::default(), "d4"), None)],
    );
    let last = after.refresh()?.len() as i64;
    let [some, rare] = [5, 1000].map(|step| (step..=last).step_by(step as usize));
    for block_bytes in [128 << 20, 1 << 20, 128 << 10] {
        let mut options = ArchiveOptions::default();
        options.block_bytes = block_bytes;
        let archive = Archive::open_with(&path, &options)?;
        assert_eq!(exported(&archive, &Filter::default())?, (1..=last).collect::<Vec<_>>());
        for ids in [&some, &rare] {
            assert_eq!(exported(&archive, &of_ids(ids.clone()))?, ids.clone().collect::<Vec<_>>());
        }
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

/// Runs a function at the first report of a compaction.
struct Once<F>(Option<F>);

impl<F: FnOnce() -> ControlFlow<()>> ChangeWatch for Once<F> {
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
    impl ChangeWatch for Stop {
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
    let before = archive.info()?.files as usize;
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

/// The number of games of the archive on disk that have a position.
fn count_on_disk(path: &Path, position: &Chess) -> Result<u64, ArchiveError> {
    let archive = Archive::open(path)?;
    Ok(archive.search(&Filter::position(position.clone()), 0)?.count)
}

/// If the bounds of signatures rule out a position, the signatures are not read.
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
        assert_eq!((count_on_disk(&path, &open)?, count_on_disk(&path, &closed)?), (2, 0));
        ends(&file, "signature").into_iter().for_each(|byte| flip(&file, byte, 0));
        assert!(matches!(count_on_disk(&path, &open), Err(ArchiveError::Damaged(_))));
        assert_eq!(count_on_disk(&path, &closed)?, 0);
        fs::write(&file, whole)?;
        archive.compact(&mut ())?;
    }
    Ok(())
}

/// Only the pages of moves with candidates are read.
#[test]
fn pages_without_candidates_are_not_read() -> Outcome {
    let (_folder, path) = many();
    let (_, archive) = compact(&path);
    let file = last_file(&path);
    let whole = fs::read(&file)?;
    let count_on_disk = |position: &Chess| count_on_disk(&path, position);
    let rare = positions(&archive, [10_000_i64, 10_001, 10_002, 10_003].into_iter());
    let pages = ends(&file, "moves");
    assert!(pages.len() > 4, "{} pages of moves", pages.len());
    for page in &pages {
        flip(&file, *page, 0);
        let refused = rare.iter().filter(|position| count_on_disk(position).is_err()).count();
        assert!(refused < rare.len(), "each page is read for each position");
        fs::write(&file, &whole)?;
    }
    for page in &pages {
        flip(&file, *page, 0);
    }
    assert!(
        rare.iter()
            .any(|position| matches!(count_on_disk(position), Err(ArchiveError::Damaged(_))))
    );
    Ok(())
}
