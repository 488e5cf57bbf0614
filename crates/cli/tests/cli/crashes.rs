//! Several imports at once, and imports that are killed: an import is complete or has not happened.

use crate::program::{halfmove, ok, testdata};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

pub(crate) fn games(archive: &str) -> u64 {
    let csv = ok(&["search", archive, "--columns", "id", "--sort", "id", "--format", "csv"]);
    let ids = csv.lines().skip(1).map(|id| id.parse::<u64>().unwrap());
    ids.fold(0, |last, id| {
        assert_eq!(id, last + 1, "ids are not 1 to n");
        id
    })
}

#[test]
fn imports_at_once_all_arrive() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("archive");
    let archive = archive.to_str().unwrap();
    // The archive does not exist yet: they also race to create it.
    let children: Vec<_> =
        [("games/lichess.pgn.zst", 437), ("games/setup.pgn", 49), ("games/chess960.pgn", 34)]
            .into_iter()
            .cycle()
            .take(6)
            .map(|(name, count)| {
                let pgn = testdata(name);
                let mut import =
                    halfmove(&["import", "--again", archive, pgn.to_str().unwrap(), "--quiet"]);
                (import.stderr(Stdio::piped()).spawn().unwrap(), count)
            })
            .collect();
    let mut expected = 0;
    for (child, count) in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        expected += count;
    }
    assert_eq!(games(archive), expected);
}

/// The import is killed a little later each time, so that reading, writing and committing are all
/// interrupted.
#[test]
fn a_killed_import_leaves_whole_imports_only() {
    const GAMES: u64 = 20_816;
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("archive");
    let archive = archive.to_str().unwrap();
    let small = testdata("games/setup.pgn");
    ok(&["import", "--again", archive, small.to_str().unwrap()]);
    let mut expected = games(archive);
    let large = testdata("games/masters.pgn.zst");
    let import = || halfmove(&["import", "--again", archive, large.to_str().unwrap(), "--quiet"]);

    let clock = std::time::Instant::now();
    assert!(import().status().unwrap().success());
    let whole = clock.elapsed();
    expected += GAMES;
    assert_eq!(games(archive), expected);

    let mut killed = 0;
    for attempt in 1..=20 {
        let mut child = import().stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(whole.mul_f64(f64::from(attempt) / 20.0).min(Duration::from_secs(30)));
        child.kill().unwrap();
        let finished = child.wait().unwrap().success();
        let found = games(archive);
        // After a kill after the commit, the import is complete; an import that reported success must be there.
        assert!(found == expected || found == expected + GAMES, "{found} games, had {expected}");
        assert!(!finished || found == expected + GAMES, "an import that succeeded is not there");
        killed += u32::from(!finished);
        expected = found;
    }
    assert!(killed > 0, "every import was done before it was killed");
    // The archive still works.
    ok(&["import", "--again", archive, small.to_str().unwrap()]);
    assert!(games(archive) > expected);
}

/// The files in the folder of an archive that belong to none of its versions.
pub(crate) fn litter(archive: &str) -> Vec<String> {
    let log = Path::new(archive).join("_delta_log");
    let entries = fs::read_dir(log).unwrap();
    let log: String =
        entries.map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap()).collect();
    let names = fs::read_dir(archive).unwrap();
    names
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| {
            !matches!(name.as_str(), "_delta_log" | "_halfmove.lock") && !log.contains(name)
        })
        .collect()
}

/// A disk fails at one flush after the other. The archive is as before or as after, and the program reports which, or
/// that it is unknown.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "needs strace"]
fn a_disk_that_fails() {
    use crate::program::{archive_of, finished};
    let (_folder, archive) = archive_of(&["games/setup.pgn"]);
    let pgn = testdata("games/setup.pgn");
    let (mut before, mut unknown, mut nothing) = (49, 0, 0);
    for flush in 1..=20 {
        let mut strace = Command::new("strace");
        strace.args(["-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync,fdatasync"]);
        strace.arg("-e").arg(format!("inject=fsync,fdatasync:error=EIO:when={flush}"));
        strace
            .arg(env!("CARGO_BIN_EXE_halfmove"))
            .args(["import", "--again"])
            .args([archive.as_ref(), pgn.as_os_str()]);
        let output = finished(strace.stdin(Stdio::null()).output().expect("strace is installed"));
        let found = games(&archive);
        let is_unknown = output.err.contains("it is unknown whether the change was committed");
        let is_nothing = output.err.starts_with("error: nothing was imported: ");
        match output.code {
            0 => assert_eq!(found, before + 49),
            2 if is_unknown => assert!(output.err.contains(&format!("halfmove history {archive}"))),
            2 => assert!(is_nothing && found == before, "{output:?}"),
            _ => panic!("{output:?}"),
        }
        (unknown, nothing) = (unknown + u32::from(is_unknown), nothing + u32::from(is_nothing));
        assert!(found == before || found == before + 49, "{found}, had {before}");
        assert_eq!(litter(Path::new(&archive).to_str().unwrap()), Vec::<String>::new());
        before = found;
    }
    assert!(unknown > 0 && nothing > 0, "{unknown} {nothing}");
}

/// A large import is killed at 200 moments and interrupted at 20: the archive is as before or as after, an interrupted
/// import leaves no files, and the next import deletes the files that a killed one has left.
#[cfg(unix)]
#[test]
#[ignore = "large collections: make verify"]
fn a_large_import_stopped_at_many_moments() {
    const GAMES: u64 = 145_716;
    let data = PathBuf::from(std::env::var_os("HALFMOVE_DATA").expect("HALFMOVE_DATA"));
    let large = data.join("large/masters_gnuchess_book_1.02.pgn.zst");
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("archive");
    let archive = archive.to_str().unwrap();
    let small = testdata("games/setup.pgn");
    let small = small.to_str().unwrap();
    ok(&["import", "--again", archive, small]);
    let mut expected = games(archive);
    let import = || halfmove(&["import", "--again", archive, large.to_str().unwrap(), "--quiet"]);
    let clock = Instant::now();
    assert!(import().status().unwrap().success());
    let whole = clock.elapsed();
    expected += GAMES;
    assert_eq!(games(archive), expected);

    let (mut stopped, mut swept) = (0, 0);
    // A simple random number generator, so that a failure can be repeated.
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for attempt in 0..220 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let moment = whole.mul_f64((random >> 40) as f64 / (1 << 24) as f64 * 1.05);
        let mut child = import().stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(moment);
        let interrupt = attempt % 11 == 0;
        if interrupt {
            let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
            // It may have ended already, but still has to be waited for.
            assert!(kill.unwrap().success());
        } else {
            child.kill().unwrap();
        }
        let status = child.wait().unwrap();
        let found = games(archive);
        assert!(found == expected || found == expected + GAMES, "{found} games, had {expected}");
        assert!(
            !status.success() || found == expected + GAMES,
            "an import that succeeded is not there"
        );
        stopped += u32::from(found == expected);
        if interrupt {
            // Before the program listens to signals, the signal itself ends it.
            let by_signal = std::os::unix::process::ExitStatusExt::signal(&status) == Some(2);
            assert!(matches!(status.code(), Some(0 | 130)) || by_signal, "{status}");
        } else {
            swept += litter(archive).len();
        }
        ok(&["import", "--again", archive, small]);
        assert_eq!(games(archive), found + 49);
        assert_eq!(litter(archive), Vec::<String>::new(), "attempt {attempt}");
        // A small archive, in which searches are fast.
        fs::remove_dir_all(archive).unwrap();
        ok(&["import", "--again", archive, small]);
        expected = 49;
    }
    assert!(stopped > 50 && swept > 20, "{stopped} imports were stopped, {swept} files swept");
}

/// The peak memory of a program in MiB, and true if its exit code is 0.
#[cfg(target_os = "linux")]
pub(crate) fn peak(mut child: std::process::Child) -> (u64, bool) {
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        if let Some(kib) = line.and_then(|line| line.trim().strip_suffix(" kB")) {
            most = most.max(kib.parse::<u64>().unwrap() / 1024);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    (most, child.wait().unwrap().success())
}

/// An import of the text that `write` produces.
#[cfg(target_os = "linux")]
fn peak_of(write: impl FnOnce(&mut dyn std::io::Write) + Send + 'static) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("archive");
    let (peak, succeeds) = peak_with(&["import", archive.to_str().unwrap(), "-", "--quiet"], write);
    assert!(succeeds);
    peak
}

/// Like the function above with other arguments. Also returns true if the exit code is 0.
#[cfg(target_os = "linux")]
fn peak_with(
    args: &[&str],
    write: impl FnOnce(&mut dyn std::io::Write) + Send + 'static,
) -> (u64, bool) {
    let mut command = halfmove(args);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || write(&mut stdin));
    let found = peak(child);
    writer.join().unwrap();
    found
}

/// Any input takes less than 256 MiB beyond the decoder's window.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "large collections: make verify"]
fn memory_is_bounded() {
    let data = PathBuf::from(std::env::var_os("HALFMOVE_DATA").expect("HALFMOVE_DATA"));
    let mut found = Vec::new();
    for (file, window) in [
        ("large/masters_pgnmentor_players_A-K.pgn.zst", 128),
        ("large/lichess_online_clocks_evals.pgn.zst", 8),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let archive = folder.path().join("archive");
        let file = data.join(file);
        let mut import =
            halfmove(&["import", archive.to_str().unwrap(), file.to_str().unwrap(), "--quiet"]);
        let (peak, succeeds) = peak(import.spawn().unwrap());
        assert!(succeeds);
        found.push(peak.saturating_sub(window));
    }
    // A comment of 100 MB; a game without an end; games of almost nothing; tags of 15 MiB.
    found.push(peak_of(|out| {
        out.write_all(b"[Event \"A\"]\n\n1. e4 {").unwrap();
        (0..1_000).for_each(|_| out.write_all(&b"some text ".repeat(10_000)).unwrap());
        out.write_all(b"} e5 *\n\n").unwrap();
    }));
    found.push(peak_of(|out| {
        out.write_all(b"[Event \"A\"]\n\n").unwrap();
        let moves = b"1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(10_000);
        (0..200).for_each(|_| out.write_all(&moves).unwrap());
    }));
    found.push(peak_of(|out| {
        let games = b"e4 *\n".repeat(100_000);
        (0..20).for_each(|_| out.write_all(&games).unwrap());
    }));
    found.push(peak_of(|out| {
        let tag = [b"[Event \"".to_vec(), vec![b'a'; 15 << 20], b"\"]\n\n1. e4 *\n\n".to_vec()];
        let game = tag.concat();
        (0..30).for_each(|_| out.write_all(&game).unwrap());
    }));
    // One game of tags without end, which the verbs for files keep together with its text.
    for verb in ["stats", "check", "normalize"] {
        let tags = |out: &mut dyn std::io::Write| {
            let tags = b"[A \"x\"]\n".repeat(100_000);
            (0..120).for_each(|_| out.write_all(&tags).unwrap());
        };
        found.push(peak_with(&["pgn", verb, "-"], tags).0);
    }
    assert!(found.iter().all(|peak| *peak < 256), "{found:?} MiB");
}
