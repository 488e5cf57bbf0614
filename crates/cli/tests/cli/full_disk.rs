//! A full disk: every write fails with the reason, and leaves the archive unchanged.

use crate::compact::copy;
use crate::crashes::litter;
use crate::program::{ok, run, testdata, version};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A file system in memory, with a filler that leaves a chosen amount of free space.
struct Disk(TempDir);

impl Disk {
    fn mount(megabytes: u32) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={megabytes}m"), "tmpfs"]);
        assert!(mount.arg(folder.path()).status().unwrap().success(), "mount needs root");
        Self(folder)
    }

    fn filler(&self) -> PathBuf {
        self.0.path().join("filler")
    }

    /// Fills it up except for this many bytes, rounded up to whole pages.
    fn leave(&self, bytes: u64) {
        self.make_room();
        let mut file = File::create(self.filler()).unwrap();
        let some = vec![0; 1 << 16];
        while file.write_all(&some).is_ok() {}
        let length = file.metadata().unwrap().len();
        file.set_len(length.saturating_sub(bytes)).unwrap();
    }

    fn make_room(&self) {
        let _ = fs::remove_file(self.filler());
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let unmounted = Command::new("umount").arg(self.0.path()).status();
        assert!(unmounted.is_ok_and(|status| status.success()), "{}", self.0.path().display());
    }
}

/// The size of the files in a folder, each in whole pages.
fn bytes_in(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let bytes = entries.map(|path| match path.is_dir() {
        true => bytes_in(&path),
        false => path.metadata().unwrap().len().next_multiple_of(PAGE),
    });
    bytes.sum()
}

const PAGE: u64 = 4096;

/// The state of an archive: its version, and its exported games.
fn state(archive: &str) -> (u64, String) {
    (version(archive), ok(&["export", archive]))
}

/// Runs a verb with more and more free space, until there is enough.
fn fill(original: Option<&Path>, verb: &[&str], arguments: &[&str]) {
    let disk = Disk::mount(24);
    let archive = disk.0.path().join("archive");
    let name = archive.to_str().unwrap();
    let anew = || {
        let _ = fs::remove_dir_all(&archive);
        if let Some(original) = original {
            copy(original, &archive);
        }
        original.map_or(0, |_| bytes_in(&archive))
    };
    let args = [verb, &[name], arguments].concat();
    let size = anew();
    ok(&args);
    let needed = bytes_in(&archive) - size;
    // At every page if little is written, and for the last pages; else at some pages.
    let pages = needed / PAGE;
    let ends = (0..=6).chain(pages.saturating_sub(8)..=pages);
    let mut rooms: Vec<u64> = ends.chain((1..24).map(|part| pages * part / 24)).collect();
    rooms.sort_unstable();
    rooms.dedup();
    anew();
    let before = original.map(|_| state(name));
    let mut refused = 0;
    for room in rooms {
        let size = anew();
        disk.leave(room * PAGE);
        let output = run(&args);
        if output.code == 0 {
            // It succeeded: all that it has written must have fit.
            assert!(bytes_in(&archive) - size <= (room + 1) * PAGE, "{verb:?}, {room} pages");
            continue;
        }
        refused += 1;
        let what = format!("{verb:?}, {room} of {pages} pages: {output:?}");
        assert_eq!(output.code, 2, "{what}");
        assert!(
            output.err.starts_with("error: ") && output.err.contains("No space left"),
            "{what}"
        );
        // The error is that of the system, on a file.
        assert!(
            !output.err.contains("damaged") && !output.err.contains("the table's log"),
            "{what}"
        );
        match &before {
            // The archive can still be read while nothing can be written.
            Some(before) => {
                assert!(state(name) == *before, "{what}: it has changed");
                assert_eq!(run(&["verify", name]).code, 0, "{what}");
                assert_eq!(litter(name), Vec::<String>::new(), "{what}");
            }
            None if archive.join("_delta_log").exists() => {
                assert_eq!(run(&["verify", name]).code, 0, "{what}");
            }
            None => {}
        }
        disk.make_room();
        let output = run(&args);
        assert_eq!(output.code, 0, "{what}, and then: {output:?}");
        assert_eq!(run(&["verify", name]).code, 0, "{what}");
        assert_eq!(litter(name), Vec::<String>::new(), "{what}");
    }
    assert!(refused > 1, "{verb:?}: {refused} of {pages} pages");
}

#[test]
#[ignore = "needs root"]
fn nothing_fits() {
    let folder = tempfile::tempdir().unwrap();
    let large = folder.path().join("archive");
    let name = large.to_str().unwrap();
    let [small, masters] = ["games/setup.pgn", "games/masters.pgn.zst"].map(testdata);
    let [small, masters] = [&small, &masters].map(|path| path.to_str().unwrap());
    ok(&["import", "--again", name, small, "--quiet"]);
    fill(None, &["import", "--again"], &[masters, "--quiet"]);
    fill(Some(&large), &["import", "--again"], &[masters, "--quiet"]);
    ok(&["import", "--again", name, masters, "--quiet"]);
    fill(Some(&large), &["compact"], &[]);
    fill(Some(&large), &["remove"], &["--result", "1-0"]);
    // Only an entry of the log, which names many files.
    let many = folder.path().join("many");
    let name = many.to_str().unwrap();
    (0..12).for_each(|_| drop(ok(&["import", "--again", name, small, "--quiet"])));
    ok(&["compact", name]);
    fill(Some(&many), &["undo"], &[]);
}
