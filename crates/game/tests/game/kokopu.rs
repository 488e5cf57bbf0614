//! The test suite of kokopu, a reader and writer of PGN in TypeScript: for each game either a dump
//! of what it must read, or the error that it must find. Its dumps are read here on their own, and
//! compared with what the tokenizer reports.
//!
//! These tests need the large collections.

#[path = "kokopu/dump.rs"]
mod dump;
#[path = "kokopu/errors.rs"]
mod errors;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use halfmove_game::pgn::{GameReader, Reader, Reading, Text};
use halfmove_game::{Game, GameResult};

use self::dump::{Outline, single_spaced};
use crate::data::{collections, game_files, name_below};
use crate::recorder::{Recorder, Skips};
use crate::slow_reader::Event;

// Why an outline may differ.
const NO_ESCAPES: &str = "a comment ends at the first brace; kokopu lets a backslash protect it";
const NO_BRACKETS: &str = "a command ends at the first bracket, and kokopu itself writes it so";
const AS_WRITTEN: &str = "a tag's value is kept as it is; kokopu drops one that makes no sense";
const EMPTY: &str = "kokopu does not write an empty value";

/// The games that we rightly read otherwise: the first line that differs, ours and theirs.
const DIFFERING: &[(&str, &str, &str, &str)] = &[
    ("kokopu/headers/9", "Date = 1999-13-**", "Date = 1999-**-**", AS_WRITTEN),
    ("kokopu/headers/10", "Date = 2000-00-01", "Date = 2000-**-**", AS_WRITTEN),
    ("kokopu/headers/11", "Date = 2003-04-31", "Date = 2003-04-**", AS_WRITTEN),
    ("kokopu/headers/12", "Date = 2007-02-29", "Date = 2007-02-**", AS_WRITTEN),
    ("kokopu/headers/14", "BlackElo = 9999999999…", "", AS_WRITTEN),
    ("kokopu/headers/15", "ECO = Z00", "", AS_WRITTEN),
    (
        "kokopu/misc/1",
        r"start {A comment with braces: ab{cd\}",
        r"start {A comment with braces: ab{cd}ef\ghij 3 backslashes: \\\}",
        NO_ESCAPES,
    ),
    (
        "kokopu_games/annotations-2/0",
        "O-O [TheFirstTag = abc]",
        "O-O [TheFirstTag = a[b]c]",
        NO_BRACKETS,
    ),
    ("kokopu_games/blank-headers-1/0", "", "Annotator = ", EMPTY),
    ("kokopu_games/blank-headers-2/0", "", "Annotator = ", EMPTY),
    (
        "kokopu_games/escaped-text/0",
        r"start {Comment with \\ backslash and { some \}",
        r"start {Comment with \ backslash and { some } braces...}",
        NO_ESCAPES,
    ),
];

/// What the reader made of each game of a file.
fn outlines(path: &Path) -> Vec<Outline> {
    let bytes = fs::read(path).expect("a file of the suite");
    let mut reader = Reader::new(bytes.as_slice());
    let mut games = GameReader::new(bytes.as_slice());
    let mut game = Game::default();
    let mut outlines = Vec::new();
    loop {
        let mut recorder = Recorder::<true>::new(Skips::NONE);
        let is_game = reader.read_game(&mut recorder).expect("memory does not fail");
        let reading = games.read(&mut game).expect("memory does not fail");
        assert_eq!(is_game, reading.is_some(), "{}", path.display());
        let Some(reading) = reading else { return outlines };
        let board = match reading {
            Reading::Whole => game.end().to_string().split(' ').next().map(str::to_owned),
            _ => None,
        };
        outlines.push(outline(recorder.events, board));
    }
}

/// A node of the tree: a move, or the beginning of a variation.
#[derive(Default)]
struct Node {
    depth: usize,
    name: String,
    nags: Vec<u32>,
    values: BTreeMap<String, String>,
    comment: String,
}

impl Node {
    /// Adds a comment, with the commands such as `[%clk 0:01:02]` apart.
    fn add_comment(&mut self, text: &str) {
        let mut rest = text;
        while let Some((before, command)) = rest.split_once("[%") {
            let Some((command, after)) = command.split_once(']') else { break };
            let (name, value) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
            let value = single_spaced(value);
            if !value.is_empty() {
                self.values.insert(name.to_owned(), value);
            }
            self.comment += before;
            self.comment.push(' ');
            rest = after;
        }
        self.comment += rest;
        self.comment.push(' ');
    }

    fn line(mut self) -> String {
        self.nags.sort_unstable();
        self.nags.dedup();
        let mut line = format!("{}{}", "  ".repeat(self.depth), self.name);
        line.extend(self.nags.iter().map(|nag| format!(" ${nag}")));
        line.extend(self.values.iter().map(|(name, value)| format!(" [{name} = {value}]")));
        let comment = single_spaced(&self.comment);
        if !comment.is_empty() {
            line += &format!(" {{{comment}}}");
        }
        line
    }
}

/// A move without what tells only how it was written.
fn plain_move(word: &[u8]) -> String {
    String::from_utf8_lossy(word)
        .trim_end_matches(['+', '#'])
        .replace("0-0", "O-O")
        .replace("O-0", "O-O")
}

fn outline(events: Vec<Event<'_>>, board: Option<String>) -> Outline {
    let mut tags = BTreeMap::new();
    let mut nodes = vec![Node { name: "start".to_owned(), ..Node::default() }];
    // The last node of each open variation.
    let mut open = vec![0];
    let mut result = GameResult::Unknown;
    for event in events {
        let last = open[open.len() - 1];
        let depth = open.len() - 1;
        match event {
            Event::Tag(name, value, _) => {
                let name = Text::plain(&name.0).to_str().into_owned();
                tags.insert(name, Text::escaped(&value.0).to_str().into_owned());
            }
            Event::San(word, _) => {
                nodes.push(Node { depth, name: plain_move(&word.0), ..Node::default() });
                open[depth] = nodes.len() - 1;
            }
            Event::BeginVariation(_) => {
                nodes.push(Node { depth: depth + 1, name: "start".to_owned(), ..Node::default() });
                open.push(nodes.len() - 1);
            }
            Event::EndVariation => drop(open.pop()),
            Event::Nag(nag, _) => nodes[last].nags.push(nag.number()),
            Event::Comment(text, ..) => nodes[last].add_comment(&Text::plain(&text.0).to_str()),
            Event::Result(told, _) => result = told,
            _ => {}
        }
    }
    let result = match result {
        GameResult::WhiteWins => "White wins",
        GameResult::BlackWins => "Black wins",
        GameResult::Draw => "Draw",
        GameResult::Unknown => "Line",
    };
    Outline {
        tags: dump::as_kokopu_names_them(&tags),
        nodes: nodes.into_iter().map(Node::line).collect(),
        board,
        result: result.to_owned(),
    }
}

/// Each game for which there is a dump.
#[test]
#[ignore = "needs HALFMOVE_DATA"]
fn dumps() {
    let root = collections().join("malformed");
    let (mut compared, mut broken) = (0, Vec::new());
    for path in
        game_files(&root.join("kokopu")).iter().chain(&game_files(&root.join("kokopu_games")))
    {
        let folder = path.parent().expect("a folder");
        let ours = outlines(path);
        for (number, outline) in ours.iter().enumerate() {
            let dump = [folder.join(format!("{number}.txt")), folder.join("dump.txt")];
            let Some(dump) = dump.iter().find_map(|path| fs::read_to_string(path).ok()) else {
                continue;
            };
            compared += 1;
            let name = format!("{}/{number}", name_below(folder, &root));
            let found = outline.first_difference(&Outline::parse(&dump));
            let found = found.as_ref().map(|(ours, theirs)| (ours.as_str(), theirs.as_str()));
            let expected = DIFFERING.iter().find(|(game, ..)| *game == name);
            let same = match (found, expected) {
                (None, None) => true,
                (Some((ours, theirs)), Some((_, our, their, _))) => {
                    (theirs == *their)
                        && our.strip_suffix('…').map_or(ours == *our, |our| ours.starts_with(our))
                }
                _ => false,
            };
            if !same {
                broken.push(format!("{name}: {found:?}, but expected: {expected:?}"));
            }
        }
    }
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
    assert_eq!(compared, 85);
}
