//! Running the program.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// The program with arguments, not started yet, without a terminal.
pub(crate) fn halfmove(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_halfmove"));
    command.args(args).stdin(Stdio::null()).env("RUST_BACKTRACE", "1");
    command.env("XDG_CACHE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"));
    command
}

/// The exit code and the output of a finished run.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs the program to its end.
pub(crate) fn run(args: &[&str]) -> Finished {
    finished(halfmove(args).output().expect("the program starts"))
}

pub(crate) fn finished(output: Output) -> Finished {
    Finished {
        code: output.status.code().expect("the program was not killed"),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    }
}

/// Runs the program and expects exit code 0. Returns its standard output.
pub(crate) fn ok(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(output.code, 0, "halfmove {args:?}: {}", output.err);
    output.out
}

/// A file of `testdata`.
pub(crate) fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name)
}

/// An archive of some files of `testdata`, in a temporary folder.
pub(crate) fn archive_of(files: &[&str]) -> (TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = folder.path().join("archive").to_str().expect("text").to_owned();
    let files: Vec<String> =
        files.iter().map(|name| testdata(name).to_str().expect("text").to_owned()).collect();
    let mut args = vec!["import", &archive];
    args.extend(files.iter().map(String::as_str));
    ok(&args);
    (folder, archive)
}

/// The version of an archive.
pub(crate) fn version(archive: &str) -> u64 {
    let info = ok(&["info", archive, "--format", "json"]);
    let info: serde_json::Value = serde_json::from_str(&info).expect("JSON");
    info["version"].as_u64().expect("a number")
}
