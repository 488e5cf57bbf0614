//! Reading PGN on several threads: the archive does not depend on their number, and a failure leaves no files.

use std::fs::{self, File};
use std::io::{self, Read};
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use arrow_array::cast::AsArray;
use halfmove_archive::{Archive, ArchiveError, ChangeWatch, ImportReport, Importer};
use halfmove_game::Input;
use halfmove_game::pgn::{Counts, PgnError, Skip};

use crate::{Outcome, import, read, table, testdata};

/// All reports of an import.
#[derive(Debug, Default, PartialEq, Eq)]
struct Heard {
    problems: Vec<String>,
    inputs: Vec<Counts>,
    most_games: u64,
    stop_at: Option<usize>,
}

impl Heard {
    fn problem(&mut self, text: String) -> ControlFlow<()> {
        self.problems.push(text);
        match self.stop_at {
            Some(limit) if self.problems.len() >= limit => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

impl ChangeWatch for Heard {
    fn faulty(&mut self, input: usize, error: &PgnError) -> ControlFlow<()> {
        self.problem(format!("{input}: {error}"))
    }

    fn skipped(&mut self, input: usize, skip: &Skip) -> ControlFlow<()> {
        self.problem(format!("{input}: {skip}"))
    }

    fn end_of_input(&mut self, input: usize, counts: &Counts) {
        assert_eq!(input, self.inputs.len());
        self.inputs.push(counts.clone());
    }

    fn tick(&mut self, games: u64) -> ControlFlow<()> {
        assert!(games >= self.most_games);
        self.most_games = games;
        ControlFlow::Continue(())
    }
}

fn open(paths: Vec<PathBuf>) -> impl Iterator<Item = io::Result<Input>> + Send {
    paths.into_iter().map(|path| Input::open(path).map_err(Into::into))
}

/// Good, bad and foreign games, in large and small files.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        ["lichess.pgn.zst", "setup.pgn", "masters.pgn.zst", "chess960.pgn"]
            .iter()
            .map(|name| testdata("games").join(name))
            .collect();
    let mut bad = String::new();
    for number in 0..9_000 {
        bad += match number % 9 {
            0 => "[Event \"bad\"]\n\n1. e4 e5 2. Ke3 Nc6 1-0\n\n",
            1 => "[Event \"foreign\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n\n",
            2 => "[Event \"open\"]\n\n1. e4 {never closed *\n\n",
            3 => "Some words between games\n\n",
            4 => "[Event \"windows\"]\r\n\r\n1. d4 d5 1/2-1/2\r\n\r\n",
            _ => {
                "[Event \"good\"]\n[Date \"1900.01.??\"]\n[X \"y\"]\n\n1. d4 d5 2. c4 (2. Nf3) 0-1\n\n"
            }
        };
    }
    let path = folder.join("bad.pgn");
    fs::write(&path, bad).expect("a folder of our own");
    paths.push(path);
    // There is no place to cut it.
    let path = folder.join("uncut.pgn");
    fs::write(&path, "1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n".repeat(60_000)).expect("a folder of our own");
    paths.push(path);
    for number in 0..40 {
        let path = folder.join(format!("small{number}.pgn"));
        fs::write(&path, format!("[Event \"{number}\"]\n\n1. c4 *\n"))
            .expect("a folder of our own");
        paths.push(path);
    }
    paths
}

/// The bytes of the data files.
fn data(archive: &Archive) -> Vec<Vec<u8>> {
    let mut files: Vec<Vec<u8>> = names(archive.path())
        .iter()
        .filter(|name| name.starts_with("games-"))
        .map(|name| fs::read(archive.path().join(name)).expect("a data file"))
        .collect();
    files.sort();
    files
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .collect();
    names.sort();
    names
}

#[test]
fn any_number_of_threads_makes_the_same_archive() -> Outcome {
    let folder = tempfile::tempdir()?;
    let paths = files(folder.path());
    let mut first: Option<(ImportReport, Heard, String, Vec<Vec<u8>>)> = None;
    for threads in [1, 2, 5] {
        let path = folder.path().join(format!("archive{threads}"));
        let mut importer = Importer::open(&path)?
            .threads(NonZero::new(threads).ok_or("no threads")?)
            .games_per_file(50_000);
        let mut heard = Heard::default();
        importer.read_pgn(open(paths.clone()), &mut heard)?;
        assert_eq!(importer.games(), 20_816 + 437 + 34 + 49 + 7_000 + 60_000 + 40);
        let report = importer.commit()?;
        heard.most_games = 0;
        let archive = Archive::open(&path)?;
        let found = (report, heard, table::lines(&archive)?, data(&archive));
        match &first {
            None => first = Some(found),
            Some(first) => {
                assert_eq!((found.0, &found.1), (first.0, &first.1), "{threads} threads");
                assert!(found.2 == first.2, "{threads} threads: other rows");
                assert!(found.3 == first.3, "{threads} threads: other bytes");
            }
        }
    }

    // The reports of a single reader, game by game.
    let (report, heard, found, _) = first.ok_or("no import")?;
    assert_eq!((report.files, report.first_id), (2, 1));
    let games: Vec<_> = paths.iter().flat_map(|path| read(path)).collect();
    let archive = Archive::create(folder.path().join("one by one"))?;
    assert_eq!(import(&archive, &games).games, report.games);
    let expected = table::lines(&archive.refresh()?)?;
    let differing = found.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
    assert_eq!(differing, None);
    assert_eq!(found.lines().count() as u64, report.games);
    for (counts, path) in heard.inputs.iter().zip(&paths) {
        let mut reader = halfmove_game::pgn::GameReader::new(Input::open(path)?).chess_only();
        let mut game = halfmove_game::Game::default();
        while reader.read(&mut game)?.is_some() {}
        assert_eq!(counts, reader.counts(), "{}", path.display());
    }
    assert_eq!(heard.inputs.len(), paths.len());
    assert_eq!(heard.problems.len(), 3_000);
    assert_eq!(
        heard.problems[..4],
        [
            "4: game 1, line 3, column 13, move 2: illegal move \"Ke3\": no king can go there, expected Ke2",
            "4: game 2, line 6, column 1: skipped, variant \"Atomic\" is not known, expected chess, chess960, makruk, makpong, asean",
            "4: game 3, line 12, column 7, move 1...: comment is not closed: expected \"}\"",
            "4: game 9, line 46, column 13, move 2: illegal move \"Ke3\": no king can go there, expected Ke2",
        ]
    );
    Ok(())
}

#[test]
fn a_failed_import_leaves_nothing() -> Outcome {
    let folder = tempfile::tempdir()?;
    let paths = files(folder.path());
    let packed = fs::read(testdata("games/masters.pgn.zst"))?;
    let cut = folder.path().join("cut.pgn.zst");
    fs::write(&cut, &packed[..packed.len() / 2])?;
    let fresh = folder.path().join("new/archive");

    // An input that ends too early, after good ones.
    let mut importer = Importer::open(&fresh)?;
    let inputs: Vec<PathBuf> = paths.iter().cloned().chain([cut]).collect();
    let error = importer.read_pgn(open(inputs), &mut ()).expect_err("a truncated file");
    assert!(matches!(&error, ArchiveError::Input(_)), "{error}");
    assert!(error.to_string().contains("truncated zstd file"), "{error}");
    assert!(!names(&fresh).is_empty(), "some games were written");
    assert!(importer.commit().is_err(), "a partial import is an error");
    assert!(!folder.path().join("new").exists());

    // An input that is missing, and a watch that stops.
    let mut importer = Importer::open(&fresh)?;
    let missing = vec![folder.path().join("missing.pgn")];
    assert!(importer.read_pgn(open(missing), &mut ()).is_err());
    drop(importer);
    let mut importer = Importer::open(&fresh)?;
    let mut heard = Heard { stop_at: Some(7), ..Heard::default() };
    let stopped = importer.read_pgn(open(paths), &mut heard);
    assert!(matches!(stopped, Err(ArchiveError::Stopped)));
    assert_eq!(heard.problems.len(), 7);
    drop(importer);
    assert!(!folder.path().join("new").exists());

    // The threads have ended.
    #[cfg(target_os = "linux")]
    for attempt in 0.. {
        let tasks = fs::read_dir("/proc/self/task")?;
        let names =
            tasks.filter_map(|task| fs::read_to_string(task.ok()?.path().join("comm")).ok());
        // Other tests import too.
        if names.filter(|name| name.starts_with("halfmove-feed")).count() <= 1 {
            break;
        }
        assert!(attempt < 1_000, "threads are left");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    Ok(())
}

/// Endless games, far too long tags: an import that fails removes its files, whatever the input.
struct Broken(u64);

impl Read for Broken {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let text = b"[Event \"A\"]\n\n1. e4 e5 *\n\n";
        let count = bytes.len().min(text.len());
        bytes[..count].copy_from_slice(&text[..count]);
        self.0 = self.0.checked_sub(1).ok_or_else(|| io::Error::other("the cable was pulled"))?;
        Ok(count)
    }
}

#[test]
fn a_source_that_breaks() -> Outcome {
    let folder = tempfile::tempdir()?;
    let archive = Archive::create(folder.path().join("games"))?;
    let before = names(archive.path());
    let mut importer = archive.importer();
    let error = importer.read_pgn([Ok(Broken(100_000))], &mut ()).expect_err("a broken source");
    assert!(error.to_string().contains("the cable was pulled"), "{error}");
    assert!(importer.push(&halfmove_game::Game::default(), None).is_ok());
    assert!(importer.commit().is_err());
    assert_eq!(names(archive.path()), before);
    Ok(())
}

/// Games without end, of which one in a thousand is faulty. It counts what is read.
struct Endless(Arc<AtomicU64>);

impl Read for Endless {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let good = "[Event \"a\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n".repeat(1000);
        let text = good + "[Event \"b\"]\n\n1. e5 *\n\n";
        let count = bytes.len().min(text.len());
        bytes[..count].copy_from_slice(&text.as_bytes()[..count]);
        self.0.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// Blocks at the first fault until nothing more is read, then stops.
struct HeldUp(Arc<AtomicU64>);

impl ChangeWatch for HeldUp {
    fn faulty(&mut self, _: usize, _: &PgnError) -> ControlFlow<()> {
        let mut before = 0;
        loop {
            std::thread::sleep(Duration::from_millis(500));
            let read = self.0.load(Ordering::Relaxed);
            if read == before {
                return ControlFlow::Break(());
            }
            assert!(read < 200 << 20, "{read} bytes are read while no thread takes the games");
            before = read;
        }
    }
}

/// Memory is bounded even if the watch of an import blocks.
#[test]
fn a_watch_that_is_held_up() -> Outcome {
    let folder = tempfile::tempdir()?;
    let mut importer = Importer::open(folder.path().join("archive"))?;
    let read = Arc::new(AtomicU64::new(0));
    let source = Endless(Arc::clone(&read));
    let imported = importer.read_pgn([Ok(source)], &mut HeldUp(read));
    assert!(matches!(imported, Err(ArchiveError::Stopped)), "{imported:?}");
    Ok(())
}

#[test]
fn an_import_sweeps_leftovers() -> Outcome {
    let folder = tempfile::tempdir()?;
    let archive = Archive::create(folder.path().join("games"))?;
    let games = read(&testdata("games/setup.pgn"));
    import(&archive, &games);
    let kept = names(archive.path());
    let data = kept.iter().find(|name| name.starts_with("games-")).ok_or("no data")?.clone();

    let path = |name: &str| archive.path().join(name);
    let litter = [
        ".halfmove-6a0c9c3e-0000-4000-8000-000000000000.tmp",
        ".halfmove-6a0c9c3e-0000-4000-8000-000000000000.json",
        ".halfmove-6a0c9c3e-0000-4000-8000-000000000000.json#1",
        "games-6a0c9c3e-0000-4000-8000-000000000000.parquet",
    ];
    for name in litter {
        fs::copy(path(&data), path(name))?;
    }
    // Files that are being written.
    let busy = [
        ".halfmove-6a0c9c3e-1111-4000-8000-000000000000.tmp",
        "games-6a0c9c3e-1111-4000-8000-000000000000.parquet",
    ];
    let locked = busy.map(|name| File::create(path(name)).expect("our own folder"));
    locked.iter().try_for_each(File::lock)?;
    fs::write(path("notes.txt"), "mine")?;

    import(&archive, &games);
    let left = names(archive.path());
    for name in litter {
        assert!(!left.contains(&name.to_owned()), "{name} was not swept");
    }
    for name in kept.iter().map(String::as_str).chain(busy).chain(["notes.txt"]) {
        assert!(left.contains(&name.to_owned()), "{name} is gone");
    }
    assert_eq!(left.len(), kept.len() + 1 + busy.len() + 1);

    drop(locked);
    import(&archive, &games);
    let left = names(archive.path());
    assert!(busy.iter().all(|name| !left.contains(&(*name).to_owned())));
    assert_eq!(archive.refresh()?.len(), 3 * games.len() as u64);
    Ok(())
}

/// Files of an older version of the table stay, even if the newest one does not need them.
#[test]
fn an_import_keeps_files_in_the_log() -> Outcome {
    let folder = tempfile::tempdir()?;
    let archive = Archive::create(folder.path().join("games"))?;
    let games = read(&testdata("games/setup.pgn"));
    import(&archive, &games);
    let data = names(archive.path()).into_iter().find(|name| name.starts_with("games-"));
    let data = data.ok_or("no data")?;
    let remove = format!(
        "{{\"commitInfo\":{{\"timestamp\":0}}}}\n\
         {{\"remove\":{{\"path\":\"{data}\",\"deletionTimestamp\":0,\"dataChange\":true}}}}\n"
    );
    fs::write(archive.path().join("_delta_log/00000000000000000002.json"), remove)?;
    let archive = archive.refresh()?;
    assert_eq!(archive.len(), 0);
    import(&archive, &games);
    assert!(archive.path().join(&data).exists());
    assert_eq!(archive.refresh()?.len(), games.len() as u64);
    Ok(())
}

/// Tags of many megabytes: once their sum in a batch was more than 2 GiB.
struct LongTags {
    games: u64,
    at: u64,
}

const LONG_TAG: u64 = 15 << 20;

impl Read for LongTags {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let (head, tail) = (b"[Event \"".as_slice(), b"\"]\n\n1. e4 *\n\n".as_slice());
        let (begin, end) = (head.len() as u64, head.len() as u64 + LONG_TAG);
        let length = end + tail.len() as u64;
        if self.at / length >= self.games {
            return Ok(0);
        }
        let at = self.at % length;
        let (part, fill): (&[u8], u64) = match at {
            at if at < begin => (&head[at as usize..], 0),
            at if at < end => (&[], end - at),
            at => (&tail[(at - end) as usize..], 0),
        };
        let count = if fill > 0 {
            let count = bytes.len().min(fill as usize);
            bytes[..count].fill(b'a' + (self.at / length % 26) as u8);
            count
        } else {
            let count = bytes.len().min(part.len());
            bytes[..count].copy_from_slice(&part[..count]);
            count
        };
        self.at += count as u64;
        Ok(count)
    }
}

fn long_tags(games: u64) -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("games");
    let mut importer = Importer::open(&path)?;
    importer.read_pgn([Ok(LongTags { games, at: 0 })], &mut ())?;
    assert_eq!(importer.commit()?.games, games);
    let archive = Archive::open(&path)?;
    let batches = table::batches(&archive, &["event"])?;
    let events = batches.iter().flat_map(|batch| batch["event"].as_string::<i32>());
    assert_eq!(events.map(|event| event.map_or(0, str::len) as u64).sum::<u64>(), games * LONG_TAG);
    Ok(())
}

#[test]
fn long_tags_are_imported() -> Outcome {
    long_tags(12)
}

#[test]
#[ignore = "takes gigabytes through the pipeline"]
fn many_long_tags_are_imported() -> Outcome {
    long_tags(200)
}
