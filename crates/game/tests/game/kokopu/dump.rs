//! Parses kokopu's dumps of games.
//!
//! ```text
//! White = {Player 1}
//! Date = {2013-**-**}
//! [start]                 -+<LONG {a comment before the first move}
//! [1w]                    (1w) e4 (#hm=0) $1 [clk = {0:01:02}] {a comment}
//!                          |
//! [1w-v0-start]            +---+
//! [1w-v0-1w]               |  (1w) d4 (#hm=0)
//!                          |
//! +---+---+---+---+---+---+---+---+
//! | r | n | b | q | k | b | n | r |
//! …
//! b KQkq -
//! {Line}{1 plies}
//! ```

use std::collections::BTreeMap;

/// A game as lines that can be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Outline {
    pub(super) tags: BTreeMap<String, String>,
    pub(super) nodes: Vec<String>,
    /// The placement after the main line, as FEN has it, if its game is known.
    pub(super) board: Option<String>,
    pub(super) result: String,
}

impl Outline {
    pub(super) fn parse(dump: &str) -> Outline {
        let mut tags = BTreeMap::new();
        let mut nodes = Vec::new();
        let mut ranks = Vec::new();
        let mut result = String::new();
        let mut lines = dump.lines();
        while let Some(line) = lines.next() {
            let first = line.split_once(']').filter(|_| line.starts_with('['));
            if let Some((path, rest)) = first {
                nodes.push((path[1..].to_owned(), rest.trim().to_owned()));
            } else if line.starts_with("| ") {
                ranks.push(rank(line));
            } else if let Some((name, value)) = line.split_once(" = {") {
                let mut value = value.to_owned();
                while !value.ends_with('}') {
                    value += " ";
                    value += lines.next().expect("the end of a value");
                }
                value.pop();
                tags.insert(name.to_owned(), single_spaced(&value));
            } else if let Some((token, _)) = line.strip_prefix('{').and_then(|l| l.split_once('}'))
            {
                result = token.to_owned();
            }
        }
        tags.remove("Initial move number");
        let board = ranks.len().checked_sub(8).map(|first| ranks[first..].join("/"));
        Outline { tags, nodes: with_moves(&nodes), board, result }
    }

    /// The first difference, as in this and in the other outline.
    pub(super) fn first_difference(&self, other: &Outline) -> Option<(String, String)> {
        let differing = |a: Option<String>, b: Option<String>| {
            (a != b).then(|| (a.unwrap_or_default(), b.unwrap_or_default()))
        };
        for name in self.tags.keys().chain(other.tags.keys()) {
            let tag =
                |outline: &Outline| outline.tags.get(name).map(|value| format!("{name} = {value}"));
            if let Some(found) = differing(tag(self), tag(other)) {
                return Some(found);
            }
        }
        for index in 0..self.nodes.len().max(other.nodes.len()) {
            let node = |outline: &Outline| outline.nodes.get(index).cloned();
            if let Some(found) = differing(node(self), node(other)) {
                return Some(found);
            }
        }
        let board = self.board.as_ref().and(other.board.clone());
        differing(Some(self.result.clone()), Some(other.result.clone()))
            .or_else(|| differing(self.board.clone(), board))
    }
}

/// The lines of the nodes. A variation without moves is left out: kokopu's writer does not write it.
fn with_moves(nodes: &[(String, String)]) -> Vec<String> {
    let is_start = |path: &str| path.ends_with("start");
    let kept = nodes.iter().enumerate().filter(|(index, (path, _))| {
        let next = nodes.get(index + 1).map(|(next, _)| next.as_str());
        let prefix = path.trim_end_matches("start");
        !path.contains("-v")
            || !is_start(path)
            || next.is_some_and(|next| next.starts_with(prefix) && !is_start(next))
    });
    kept.map(|(_, (path, text))| {
        let indent = "  ".repeat(path.matches("-v").count());
        format!("{indent}{}", node(text))
    })
    .collect()
}

/// `|   |  (2w) Nc3 (#hm=1) $1 [clk = {0:01:02}] {comment}<LONG`, without indent, numbers and marks.
fn node(text: &str) -> String {
    let text = text.trim_start_matches(['|', ' ']);
    let (name, mut rest) = match text.split_once(" (#hm=") {
        Some((name, rest)) => {
            let (_, name) = name.split_once(") ").expect("a move after its number");
            let (_, rest) = rest.split_once(')').expect("a clock");
            (name.trim_end_matches(['+', '#']), rest)
        }
        None => ("start", text.trim_start_matches(['+', '-'])),
    };
    let mut line = name.to_owned();
    loop {
        rest = rest.trim_start().trim_start_matches("<LONG").trim_start();
        if let Some(value) = rest.strip_prefix('[') {
            let (name, value) = value.split_once(" = {").expect("a value");
            let (value, after) = value.split_once("}]").expect("its end");
            if !value.trim().is_empty() {
                line += &format!(" [{name} = {value}]");
            }
            rest = after;
        } else if rest.starts_with('$') {
            let (nag, after) = rest.split_once(' ').unwrap_or((rest, ""));
            line += &format!(" {nag}");
            rest = after;
        } else {
            break;
        }
    }
    let comment =
        rest.strip_prefix('{').and_then(|rest| rest.trim_end_matches("<LONG").strip_suffix('}'));
    assert_eq!(rest.is_empty(), comment.is_none(), "{text}");
    match single_spaced(comment.unwrap_or_default()) {
        comment if comment.is_empty() => line,
        comment => format!("{line} {{{comment}}}"),
    }
}

/// `| r |   | …` as FEN.
fn rank(line: &str) -> String {
    let squares = line.trim_matches('|').split('|').map(|square| square.trim().chars().next());
    let mut rank = String::new();
    for square in squares {
        match (square, rank.pop()) {
            (Some(piece), last) => rank.extend(last.into_iter().chain([piece])),
            (None, Some(last)) => match last.to_digit(10) {
                Some(empty) => rank += &(empty + 1).to_string(),
                None => rank.extend([last, '1']),
            },
            (None, None) => rank.push('1'),
        }
    }
    rank
}

/// Text with single spaces for white space, and none at its ends.
pub(super) fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The tags that kokopu knows, by its names and in its spelling.
pub(super) fn as_kokopu_names_them(tags: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut named = BTreeMap::new();
    for (name, value) in tags {
        let value = single_spaced(value);
        if value == "?" || value.is_empty() {
            continue;
        }
        match name.as_str() {
            "Variation" => drop(named.insert("OpeningVariation".to_owned(), value)),
            "SubVariation" => drop(named.insert("OpeningSubVariation".to_owned(), value)),
            "Round" => {
                let names = ["Round", "SubRound", "SubSubRound"];
                for (name, part) in names.iter().zip(value.split('.')) {
                    if part.bytes().all(|byte| byte.is_ascii_digit()) {
                        named.insert((*name).to_owned(), part.to_owned());
                    }
                }
            }
            "Date" => {
                let parts: Vec<&str> = value.split('.').collect();
                let date = match parts[..] {
                    [year, month, day] => format!("{year}-{month}-{day}").replace('?', "*"),
                    [year] => format!("{year}-**-**"),
                    _ => continue,
                };
                if !date.starts_with('*') {
                    named.insert(name.clone(), date);
                }
            }
            "Variant" => {
                let variant: String = value.to_lowercase().split([' ', '-']).collect();
                let variant = match variant.as_str() {
                    "standard" | "regular" => continue,
                    "fischerandom" => "chess960",
                    "nokings" | "noking" => "no-king",
                    "whitekingonly" => "white-king-only",
                    "blackkingonly" => "black-king-only",
                    other => other,
                };
                named.insert(name.clone(), variant.to_owned());
            }
            "White" | "WhiteElo" | "WhiteTitle" | "Black" | "BlackElo" | "BlackTitle" | "Event"
            | "Site" | "Annotator" | "ECO" | "Opening" | "Termination" => {
                named.insert(name.clone(), value);
            }
            _ => {}
        }
    }
    named
}
