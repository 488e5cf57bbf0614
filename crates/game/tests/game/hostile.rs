//! Texts designed to be hard. The reader always reaches their end, reports no more than there is, does work in
//! proportion to their length, and keeps a bounded part of them in memory.
//!
//! Work is measured in instructions, and memory by a separate process: this test program, run again for [`child`]
//! alone. No clock is read.

#[path = "hostile/cases.rs"]
mod cases;

use std::fmt::Write;
use std::fs;
use std::io::{self, Read};
use std::process::{Command, Output};

use halfmove_game::pgn::{
    CommentStyle, Flow, GameReader, Nag, Place, Problem, Reader, Text, Visitor, Word, Writer,
};
use halfmove_game::{Game, GameResult};

use self::cases::{CASES, Case, Repeated};
use crate::against_slow::compare_whole;

const MIB: u64 = 1024 * 1024;

/// Counts the events, and determines the place of each. With `SKIM`, it skips everything that can be skipped.
#[derive(Debug, Default)]
struct Counting<const SKIM: bool> {
    events: u64,
    bytes: u64,
    line: u64,
}

impl<const SKIM: bool> Counting<SKIM> {
    fn count(&mut self, bytes: &[u8], place: Place<'_>) {
        self.events += 1;
        self.bytes += bytes.len() as u64;
        let line = place.line_column().line;
        assert!(line >= self.line, "line {line} after line {}", self.line);
        self.line = line;
    }
}

impl<const SKIM: bool> Visitor for Counting<SKIM> {
    const COMMENTS: bool = !SKIM;

    fn begin_game(&mut self, place: Place<'_>) {
        self.count(b"", place);
    }

    fn tag(&mut self, name: Text<'_>, value: Text<'_>, place: Place<'_>) {
        self.count(name.as_bytes(), place);
        self.bytes += value.as_bytes().len() as u64;
    }

    fn end_tags(&mut self) -> Flow {
        if SKIM { Flow::Skip } else { Flow::Read }
    }

    fn san(&mut self, san: Word<'_>, place: Place<'_>) {
        self.count(san.as_bytes(), place);
    }

    fn nag(&mut self, _: Nag, place: Place<'_>) {
        self.count(b"", place);
    }

    fn comment(&mut self, text: Text<'_>, _: CommentStyle, place: Place<'_>) {
        self.count(text.as_bytes(), place);
    }

    fn escape(&mut self, text: Text<'_>, place: Place<'_>) {
        self.count(text.as_bytes(), place);
    }

    fn begin_variation(&mut self, place: Place<'_>) -> Flow {
        self.count(b"", place);
        Flow::Read
    }

    fn result(&mut self, _: GameResult, place: Place<'_>) {
        self.count(b"", place);
    }

    fn problem(&mut self, _: Problem, place: Place<'_>) {
        self.count(b"", place);
    }

    fn outside(&mut self, text: &[u8], place: Place<'_>) {
        self.count(text, place);
    }
}

/// Reads all of it. Each byte is reported at most once, and each event is about a different byte, except for a token
/// and its fault.
fn count<const SKIM: bool>(mut text: Repeated) {
    let mut reader = Reader::new(&mut text);
    let mut counting = Counting::<SKIM>::default();
    while reader.read_game(&mut counting).expect("memory does not fail") {}
    assert!(counting.bytes <= text.bytes, "{} bytes of {}", counting.bytes, text.bytes);
    assert!(counting.events <= 2 * text.bytes + 8, "{} events in {}", counting.events, text.bytes);
    let rest = io::copy(&mut text, &mut io::sink()).expect("memory does not fail");
    assert_eq!(rest, 0, "it was not read to the end");
}

/// Reads all of it as games, and writes them to a sink.
fn games(text: impl Read) {
    let mut reader = GameReader::new(text);
    let mut writer = Writer::new(io::sink());
    let mut game = Game::default();
    while reader.read(&mut game).expect("memory does not fail").is_some() {
        writer.write(&game).expect("names that were read can be written");
    }
}

/// Short texts, event by event.
#[test]
fn short() {
    for case in CASES {
        for length in [100, 5_000, 70_000, 300_000] {
            let mut text = Vec::new();
            case.of_length(length).read_to_end(&mut text).expect("memory does not fail");
            compare_whole(&text).unwrap_or_else(|error| panic!("{}, {length}: {error}", case.name));
            count::<false>(case.of_length(length));
            count::<true>(case.of_length(length));
        }
        games(case.of_length(70_000));
    }
}

/// Each byte over and over: between games, in tags, after a move, in a comment.
#[test]
fn each_byte() {
    for byte in 0..=u8::MAX {
        for before in ["", "[A \"a\"]\n", "1. e4 ", "1. e4 {", "1. e4 (", "1. e4\n\n", "[A \""] {
            let mut text = Vec::new();
            let mut repeated = Repeated::new(before.as_bytes(), &[byte], 1000, b"\n\n1. d4 *");
            repeated.read_to_end(&mut text).expect("memory does not fail");
            compare_whole(&text).unwrap_or_else(|error| panic!("{byte:#04x}: {error}"));
            games(text.as_slice());
        }
    }
}

/// The variable with the task of [`child`]: a job, the name of a case, and a length.
const TASK: &str = "HALFMOVE_HOSTILE";

/// Not a test but the body of the processes that [`run`] starts. Without its variable, it does nothing.
#[test]
fn child() {
    let Ok(task) = std::env::var(TASK) else { return };
    let mut words = task.split('|');
    let mut word = || words.next().expect("a task of three words");
    let (job, name, bytes) = (word(), word(), word().parse().expect("a length"));
    let text = || match name {
        LARGE_TAGS => {
            let game = format!("[A \"{}\"]\n\n1. e4 *\n\n", "x".repeat(15 * MIB as usize));
            Repeated::new(b"", game.as_bytes(), bytes / game.len() as u64, b"")
        }
        _ => Case::named(name).of_length(bytes),
    };
    match job {
        "nothing" => {}
        "tokens" => count::<false>(text()),
        "skim" => count::<true>(text()),
        "games" => games(text()),
        "all" => {
            count::<false>(text());
            count::<true>(text());
            games(text());
        }
        other => panic!("no job {other}"),
    }
    let status = fs::read_to_string("/proc/self/status").expect("Linux tells the memory");
    let peak = status.lines().find(|line| line.starts_with("VmHWM")).expect("the peak");
    fs::write(std::env::var_os(ANSWER).expect("a file for the answer"), peak)
        .expect("a written file");
}

/// The variable with the path of the file for the answer.
const ANSWER: &str = "HALFMOVE_HOSTILE_ANSWER";

/// The name of a case with 15 MiB of tag value in each of many games.
const LARGE_TAGS: &str = "large tags";

/// Runs [`child`], under another program if there is one. Returns its peak of memory in bytes, and its standard error.
fn run(under: &[&str], job: &str, case: &str, bytes: u64) -> (u64, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let answer = folder.path().join("answer");
    let this = std::env::current_exe().expect("this program");
    let mut command = match under {
        [] => Command::new(this),
        [program, args @ ..] => {
            let mut command = Command::new(program);
            command.args(args).arg(this);
            command
        }
    };
    command.args(["--exact", "hostile::child", "--test-threads=1"]);
    command.env(TASK, format!("{job}|{case}|{bytes}")).env(ANSWER, &answer);
    let Output { status, stdout, stderr } = command.output().unwrap_or_else(|error| {
        panic!("{error}: {}; is it installed?", under.first().unwrap_or(&"this program"))
    });
    let stderr = String::from_utf8_lossy(&stderr).into_owned();
    let stdout = String::from_utf8_lossy(&stdout);
    assert!(status.success(), "{job}, {case}, {bytes} bytes: {status}\n{stdout}\n{stderr}");
    let peak = fs::read_to_string(answer).expect("the answer");
    let peak = peak.split_whitespace().nth(1).and_then(|kib| kib.parse::<u64>().ok());
    (peak.expect("a number of KiB") * 1024, stderr)
}

/// The number of instructions that a process executes.
fn instructions(job: &str, case: &str, bytes: u64) -> u64 {
    let under =
        ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"];
    let (_, report) = run(&under, job, case, bytes);
    let count = report.lines().find_map(|line| line.split_once("refs:")).expect("a count").1;
    count.trim().replace(',', "").parse().expect("a number")
}

/// Four times the text takes four times the work, not sixteen times. The first text fits the reader's first buffer, the
/// second does not.
#[test]
#[ignore = "needs valgrind"]
fn work_is_linear() {
    let mut broken = String::new();
    let nothing = instructions("nothing", CASES[0].name, 0);
    for case in CASES {
        for length in [20 * 1024, 200 * 1024] {
            let [short, long] =
                [length, 4 * length].map(|length| instructions("all", case.name, length) - nothing);
            if long > 6 * short {
                let kib = length / 1024;
                writeln!(broken, "{}, {kib} KiB: {short}, then {long}", case.name).expect("memory");
                break;
            }
        }
    }
    assert!(broken.is_empty(), "\n{broken}");
}

/// The tokenizer holds at most one token of 16 MiB, games hold their contents, and nothing grows with the file.
#[test]
#[ignore = "reads gigabytes"]
fn memory_is_bounded() {
    let mut broken = String::new();
    let mut check = |job, case, bytes, limit| {
        let (peak, _) = run(&[], job, case, bytes);
        if peak > limit {
            writeln!(broken, "{job}, {case}, {} MiB: {} MiB", bytes / MIB, peak / MIB)
                .expect("memory");
        }
    };
    for case in CASES {
        for (job, limit) in [("tokens", 64 * MIB), ("skim", 64 * MIB), ("games", 256 * MIB)] {
            check(job, case.name, 100 * MIB, limit);
        }
    }
    for (job, limit) in [("tokens", 64 * MIB), ("skim", 64 * MIB), ("games", 256 * MIB)] {
        check(job, "moves", 4096 * MIB, limit);
        check(job, LARGE_TAGS, 200 * 15 * MIB, limit + 15 * MIB);
    }
    assert!(broken.is_empty(), "\n{broken}");
}
