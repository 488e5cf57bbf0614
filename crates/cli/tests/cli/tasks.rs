//! The pages of the guide on common tasks: every command on them is run as written, and prints the output on the page.
//!
//! A line that begins with `$ ` in a console block is a command, and the lines below it are its output. All commands of a page run
//! in one folder, in order. Times and speeds are not compared. `HALFMOVE_BLESS=1` rewrites the output: review the diff.

use crate::program::testdata;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The files that a page begins with.
const FILES: [(&str, &str); 4] = [
    ("games/masters.pgn.zst", "masters.pgn.zst"),
    ("games/lichess.pgn.zst", "lichess.pgn.zst"),
    ("games/makruk.pgn", "makruk.pgn"),
    ("games/setup.pgn", "positions.pgn"),
];

#[test]
#[cfg(unix)]
fn the_tasks_of_a_club_player() {
    assert!(run_page("tasks-player.md") >= 31);
}

#[test]
#[cfg(unix)]
fn the_tasks_of_a_researcher() {
    assert!(run_page("tasks-researcher.md") >= 20);
}

#[test]
#[cfg(unix)]
fn the_page_on_searching() {
    run_page("searching.md");
}

#[test]
#[cfg(unix)]
fn the_recipes() {
    assert!(run_page("recipes.md") >= 10);
}

/// Runs the commands of a page. Returns the number of its tasks.
fn run_page(name: &str) -> usize {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide").join(name);
    let text = fs::read_to_string(&page).unwrap_or_else(|error| panic!("{name}: {error}"));
    let folder = tempfile::tempdir().unwrap();
    for (from, to) in FILES {
        fs::copy(testdata(from), folder.path().join(to)).unwrap();
    }
    let (mut written, mut is_console, mut differences) = (String::new(), false, String::new());
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        written += line;
        written.push('\n');
        if line.starts_with("```") {
            is_console = line == "```console";
            continue;
        }
        let Some(command) = line.strip_prefix("$ ").filter(|_| is_console) else { continue };
        let mut command = command.to_owned();
        while command.ends_with('\\') {
            let more = lines.next().expect("a line behind the backslash");
            written += more;
            written.push('\n');
            command = command + "\n" + more;
        }
        let mut expected = String::new();
        while let Some(line) =
            lines.next_if(|line| !line.starts_with("$ ") && !line.starts_with("```"))
        {
            expected = expected + line + "\n";
        }
        let printed = output_of(folder.path(), &command);
        if timeless(&printed) == timeless(&expected) {
            written += &expected;
        } else {
            written += &printed;
            differences += &format!("$ {command}\n{printed}--- the page says:\n{expected}\n");
        }
    }
    if std::env::var_os("HALFMOVE_BLESS").is_some() {
        fs::write(&page, written).unwrap();
    } else {
        assert!(differences.is_empty(), "{name}:\n{differences}");
    }
    text.lines().filter(|line| line.starts_with("### ")).count()
}

/// The output of a command on both streams, as on a terminal of unlimited width.
fn output_of(folder: &Path, command: &str) -> String {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_halfmove"));
    let mut path = program.parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\n{command}")])
        .current_dir(folder)
        .env("PATH", path)
        .env("HOME", folder)
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    let mut printed: String =
        printed.lines().map(|line| line.trim_end().to_owned() + "\n").collect();
    if output.status.code() == Some(2) {
        assert!(printed.contains("error: "), "{command}: an error without a word: {printed}");
    }
    // A page has no empty lines at the end of an output.
    while printed.ends_with("\n\n") {
        printed.pop();
    }
    printed
}

/// The text without the parts that differ in every run: times of day, and the numbers before ms, s and games/s.
fn timeless(text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for line in text.trim_end().lines() {
        for word in line.trim_end().split(' ') {
            let is_unit = |unit: &str| word.trim_end_matches([',', ')', ';', '.']) == unit;
            let is_number = |word: &String| {
                let number = word.trim_start_matches('(');
                number.starts_with(|char: char| char.is_ascii_digit())
            };
            if ["ms", "s", "games/s"].into_iter().any(is_unit)
                && words.last().is_some_and(is_number)
            {
                words.pop();
            }
            // 2026-11-24T20:46:37Z
            let is_moment = word.len() >= 20
                && word.is_char_boundary(10)
                && word.is_char_boundary(19)
                && word[10..].starts_with('T')
                && word[19..].starts_with('Z');
            words.push(if is_moment { "moment".to_owned() } else { word.to_owned() });
        }
        words.push("\n".to_owned());
    }
    words.join(" ")
}

#[test]
fn only_times_are_left_out() {
    assert_eq!(timeless("at 2026-11-24T20:46:37Z, 1"), timeless("at 2025-01-02T03:04:05Z, 1"));
    assert_ne!(timeless("at 2026-11-24, 1"), timeless("at 2025-01-02, 1"));
    let printed = "3 games in 12 ms, (4,000 games/s)\n7 s of 9 moves";
    assert_eq!(timeless(printed), timeless("3 games in 7.5 ms, (1 games/s)\n8 s of 9 moves"));
    assert_ne!(timeless(printed), timeless("4 games in 12 ms, (4,000 games/s)\n7 s of 9 moves"));
    assert_ne!(timeless(printed), timeless("3 games in 12 ms, (4,000 games/s)\n7 s of 8 moves"));
}
