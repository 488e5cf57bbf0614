//! The test suite of kokopu, a reader and writer of PGN in TypeScript: for each game either a dump of the expected
//! result, or the expected error. The dumps are parsed here independently, and compared with the events of the
//! tokenizer.
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
use halfmove_game::{Game, GameResult, Line};

use self::dump::{Outline, single_spaced};
use crate::data::{collections, game_files, name_below};
use crate::recorder::{Recorder, Skips};
use crate::slow_reader::Event;

// Reasons why an outline may differ.
const NO_ESCAPES: &str = "a comment ends at the first brace; kokopu lets a backslash protect it";
const NO_BRACKETS: &str = "a command ends at the first bracket, and kokopu itself writes it so";
const AS_WRITTEN: &str = "a tag's value is kept as it is; kokopu drops one that makes no sense";
const EMPTY: &str = "kokopu does not write an empty value";

/// The games that differ although we are right: the first line that differs, ours and theirs.
const DIFFERING: &[Difference] = &[
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

/// The same for trees.
const TREE_DIFFERING: &[Difference] = &[
    ("kokopu/misc/2", "    start", "    start $42", NO_MOVE),
    ("kokopu_games/annotations-2/0", "start", "start $10", NO_MOVE),
];

const NO_MOVE: &str = "a glyph before the first move is an event of the game, but of no move";

/// The outline of each game of a file, from the events of the tokenizer, and that of the game's tree if the game can be
/// played.
fn outlines(path: &Path) -> Vec<(Outline, Option<Outline>)> {
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
        let is_whole = reading == Reading::Whole;
        let board = is_whole.then(|| game.final_position().to_string());
        let board = board.and_then(|fen| fen.split(' ').next().map(str::to_owned));
        let from_events = outline(recorder.events, board);
        let tree = is_whole.then(|| Outline { nodes: tree(&game), ..from_events.clone() });
        outlines.push((from_events, tree));
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
    /// Adds a comment, with its commands such as `[%clk 0:01:02]` separate.
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

/// A move without differences of notation.
fn plain_move(word: &[u8]) -> String {
    String::from_utf8_lossy(word)
        .trim_end_matches(['+', '#'])
        .replace("0-0", "O-O")
        .replace("O-0", "O-O")
}

/// The nodes of a game, by walking through it.
fn tree(game: &Game) -> Vec<String> {
    let mut nodes = Vec::new();
    add_line(game.main_line(), 0, &mut nodes);
    nodes
}

fn add_line(line: Line<'_>, depth: usize, nodes: &mut Vec<String>) {
    let mut start = Node { depth, name: "start".to_owned(), ..Node::default() };
    line.comments().for_each(|comment| start.add_comment(&comment.to_string()));
    nodes.push(start.line());
    for node in line.nodes() {
        let name = plain_move(node.san().as_bytes());
        let nags = node.nags().map(|nag| nag.number()).collect();
        let mut own = Node { depth, name, nags, ..Node::default() };
        node.comments().for_each(|comment| own.add_comment(&comment.to_string()));
        nodes.push(own.line());
        node.variations().for_each(|line| add_line(line, depth + 1, nodes));
    }
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
            Event::Result(token, _) => result = token,
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

type Difference = (&'static str, &'static str, &'static str, &'static str);

/// Returns true if a difference is the one in the table, which may have only the beginning of ours.
fn is_expected(found: Option<&(String, String)>, expected: Option<&Difference>) -> bool {
    match (found, expected) {
        (None, None) => true,
        (Some((ours, theirs)), Some((_, our, their, _))) => {
            let same = our.strip_suffix('…').map_or(ours == our, |our| ours.starts_with(our));
            same && theirs == their
        }
        _ => false,
    }
}

/// Compares every game that has a dump.
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
        for (number, (from_events, tree)) in ours.iter().enumerate() {
            let dump = [folder.join(format!("{number}.txt")), folder.join("dump.txt")];
            let Some(dump) = dump.iter().find_map(|path| fs::read_to_string(path).ok()) else {
                continue;
            };
            let dump = Outline::parse(&dump);
            let name = format!("{}/{number}", name_below(folder, &root));
            for (outline, what) in [(Some(from_events), "events"), (tree.as_ref(), "tree")] {
                let Some(outline) = outline else { continue };
                let found = outline.first_difference(&dump);
                let tables =
                    if what == "tree" { [TREE_DIFFERING, DIFFERING] } else { [DIFFERING, &[]] };
                let expected = tables.concat().into_iter().find(|(game, ..)| *game == name);
                if !is_expected(found.as_ref(), expected.as_ref()) {
                    broken.push(format!("{name}, {what}: {found:?}, but expected: {expected:?}"));
                }
                compared += 1;
            }
        }
    }
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
    assert_eq!(compared, 159);
}
