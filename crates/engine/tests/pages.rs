//! The recorded output on the pages of the engine is its output.

use halfmove_engine::{StoppedClock, obey};
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

const PAGES: [&str; 2] = ["docs/guide/engine.md", "docs/reference/engine-search.md"];

/// Left out on a page: what depends on the machine.
const GAP: char = '…';

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no thread panicked").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn page(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The blocks of a page that begin with a command, as the arguments of `halfmove-engine` and the lines after
/// it.
fn blocks(page: &str) -> Vec<(Vec<String>, Vec<&str>)> {
    let blocks = page.split("```text\n").skip(1).filter_map(|rest| rest.split("```").next());
    let commands = blocks.filter_map(|block| block.strip_prefix("$ halfmove-engine "));
    let read = |block| {
        let mut lines = str::lines(block);
        let mut arguments = Vec::new();
        for line in lines.by_ref() {
            let quoted = line.split('"').enumerate();
            for (i, words) in quoted {
                match i % 2 {
                    0 => arguments.extend(words.split_whitespace().map(str::to_owned)),
                    _ => arguments.push(words.to_owned()),
                }
            }
            if arguments.pop_if(|last| last == "\\").is_none() {
                break;
            }
        }
        (arguments, lines.collect())
    };
    commands.map(read).collect()
}

fn said(arguments: &[String]) -> String {
    let output = Shared::default();
    obey(arguments, output.clone(), Arc::new(StoppedClock)).expect("a buffer takes everything");
    let bytes = output.0.lock().expect("no thread panicked").clone();
    String::from_utf8(bytes).expect("text")
}

/// Returns true if a line is the one shown, but for gaps.
fn is_like(line: &str, shown: &str) -> bool {
    let mut rest = line.trim_end();
    let mut parts = shown.trim_end().split(GAP);
    let first = parts.next().unwrap_or_default();
    let Some(after) = rest.strip_prefix(first) else { return false };
    rest = after;
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty() || shown.ends_with(GAP)
}

#[test]
fn commands_say_what_the_pages_show() {
    let mut checked = 0;
    for name in PAGES {
        let page = page(name);
        for (arguments, shown) in blocks(&page) {
            let said = said(&arguments);
            let mut lines = said.lines();
            for line in &shown {
                assert!(
                    lines.by_ref().any(|said| is_like(said, line)),
                    "{name} shows this line:\n{line}\n{arguments:?} says:\n{said}"
                );
            }
            checked += shown.len();
        }
    }
    assert!(checked > 20, "{checked} lines");
}

/// The table of a rook and a khon that chase a bare king with less and less of the count left.
#[test]
fn the_count_is_what_the_page_shows() {
    let page = page(PAGES[1]);
    let (_, section) = page.split_once("## The count").expect("the section");
    let rows = section.lines().filter(|line| line.starts_with("| ")).skip(2);
    let numbers = |line: &str| -> Vec<String> {
        line.split('|').map(|cell| cell.trim().replace(',', "")).filter(|c| !c.is_empty()).collect()
    };
    let mut checked = 0;
    for row in rows.take_while(|line| !line.contains("thread")).map(numbers).take(4) {
        let [progress, value, score, nodes] = row.as_slice() else { panic!("{row:?}") };
        let commands = [
            "setoption name UCI_Variant value makruk".to_owned(),
            format!("position fen 8/8/3k4/8/3KS3/8/8/3R4 w - 32 {progress} 60"),
            "eval".to_owned(),
            "go depth 10".to_owned(),
        ];
        let said = said(&commands);
        let value = format!("net's value for White: {value} centipawns");
        assert!(said.contains(&value), "progress {progress}: {value}, {said}");
        let unit = if score.starts_with("mate") { "" } else { "cp " };
        let last = format!("score {unit}{score} nodes {nodes} ");
        assert!(said.contains(&last), "progress {progress}: {last}, {said}");
        checked += 1;
    }
    assert_eq!(checked, 4);
}
