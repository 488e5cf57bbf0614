//! Commands as text.

use std::str::SplitWhitespace;

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Uci,
    IsReady,
    NewGame,
    SetOption { name: String, value: Option<String> },
    Position { fen: Option<String>, moves: Vec<String> },
    Go(Go),
    Stop,
    PonderHit,
    Quit,
    Display,
    Eval,
    Perft(Option<i64>),
    Bench(Vec<String>),
}

/// The words after `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    /// The time left, by color.
    pub(super) left_ms: [Option<i64>; 2],
    pub(super) increment_ms: [Option<i64>; 2],
    pub(super) moves_to_go: Option<u32>,
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    pub(super) mate: Option<u32>,
    pub(super) movetime_ms: Option<i64>,
    pub(super) infinite: bool,
    pub(super) ponder: bool,
    pub(super) moves: Vec<String>,
    /// True to count the leaves, to the depth of `perft`.
    pub(super) counts_leaves: bool,
    pub(super) perft: Option<i64>,
    /// The words that should be numbers.
    pub(super) errors: Vec<String>,
}

/// The command of a line, if it has one. Words before it are skipped.
pub(super) fn parse(line: &str) -> Option<Command> {
    let mut words = line.split_whitespace();
    loop {
        let command = match words.next()? {
            "uci" => Command::Uci,
            "isready" => Command::IsReady,
            "ucinewgame" => Command::NewGame,
            "setoption" => set_option(words),
            "position" => position(words),
            "go" => Command::Go(go(words)),
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "quit" => Command::Quit,
            "d" => Command::Display,
            "eval" => Command::Eval,
            "perft" => Command::Perft(words.next().and_then(whole)),
            "bench" => Command::Bench(words.map(str::to_owned).collect()),
            _ => continue,
        };
        return Some(command);
    }
}

/// `setoption name NAME [value VALUE]`; both may have spaces.
fn set_option(words: SplitWhitespace<'_>) -> Command {
    let mut name = Vec::new();
    let mut value: Option<Vec<&str>> = None;
    for word in words {
        match (&mut value, word) {
            (Some(value), _) => value.push(word),
            (None, "value") => value = Some(Vec::new()),
            (None, "name") if name.is_empty() => {}
            (None, _) => name.push(word),
        }
    }
    Command::SetOption { name: name.join(" "), value: value.map(|value| value.join(" ")) }
}

/// `position startpos|fen FEN [moves …]`.
fn position(words: SplitWhitespace<'_>) -> Command {
    let words: Vec<_> = words.collect();
    let (before, moves) = match words.iter().position(|word| *word == "moves") {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (&words[..], &[][..]),
    };
    let moves = moves.iter().map(|word| (*word).to_owned()).collect();
    let fen = match before.split_first() {
        Some((&"startpos", _)) => None,
        Some((&"fen", fen)) => Some(fen.join(" ")),
        _ => Some(before.join(" ")),
    };
    Command::Position { fen, moves }
}

const GO_WORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

fn go(words: SplitWhitespace<'_>) -> Go {
    let mut go = Go::default();
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        match word {
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "searchmoves" => {
                while let Some(mv) = words.next_if(|word| !GO_WORDS.contains(word)) {
                    go.moves.push(mv.to_owned());
                }
            }
            _ if GO_WORDS.contains(&word) => {
                go.counts_leaves |= word == "perft";
                let next = words.peek().copied().unwrap_or_default();
                match whole(next) {
                    Some(number) => go.limit(word, number),
                    None => go.errors.push(format!("{word}: expected a number, found \"{next}\"")),
                }
            }
            _ => {}
        }
    }
    go
}

/// Parses an integer of any size; one that is too large is clamped.
fn whole(word: &str) -> Option<i64> {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let most = if word.starts_with('-') { i64::MIN } else { i64::MAX };
    Some(word.parse().unwrap_or(most))
}

impl Go {
    /// Sets a limit to the number after its word. Negative numbers are clamped to 0 where they have
    /// no meaning.
    fn limit(&mut self, word: &str, number: i64) {
        let small = u32::try_from(number.max(0)).unwrap_or(u32::MAX);
        match word {
            "wtime" => self.left_ms[0] = Some(number),
            "btime" => self.left_ms[1] = Some(number),
            "winc" => self.increment_ms[0] = Some(number),
            "binc" => self.increment_ms[1] = Some(number),
            // Programs that send all fields send 0 if there is no time control.
            "movestogo" => self.moves_to_go = (small > 0).then_some(small),
            "depth" => self.depth = Some(small),
            "nodes" => self.nodes = Some(number.max(0).unsigned_abs()),
            "mate" => self.mate = Some(small),
            "movetime" => self.movetime_ms = Some(number),
            _ => self.perft = Some(number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_words_are_skipped() {
        assert_eq!(parse("joho isready"), Some(Command::IsReady));
        assert_eq!(parse("debug on"), None);
        assert_eq!(parse(" \t "), None);
        let go = Go { depth: Some(3), infinite: true, ..Go::default() };
        assert_eq!(parse("go  depth 3 blunder infinite\r\n"), Some(Command::Go(go)));
    }

    #[test]
    fn names_and_values_may_have_spaces() {
        let option = |line| match parse(line) {
            Some(Command::SetOption { name, value }) => (name, value),
            other => panic!("{other:?}"),
        };
        let overhead = ("Move Overhead".to_owned(), Some("30".to_owned()));
        assert_eq!(option("setoption name Move Overhead value 30"), overhead);
        assert_eq!(option("setoption name Clear Hash"), ("Clear Hash".to_owned(), None));
    }

    #[test]
    fn numbers_may_be_strange() {
        let go = |line| match parse(line) {
            Some(Command::Go(go)) => go,
            other => panic!("{line}: {other:?}"),
        };
        let strange = go("go wtime -5 nodes -1 depth 99999999999999999999 movestogo 1");
        assert_eq!((strange.left_ms, strange.nodes), ([Some(-5), None], Some(0)));
        assert_eq!((strange.depth, strange.moves_to_go), (Some(u32::MAX), Some(1)));
        assert!(strange.errors.is_empty());
        assert_eq!(go("go wtime 8000 movestogo 0").moves_to_go, None);
        assert_eq!(go("go wtime 8000 movestogo -1").moves_to_go, None);
        for (line, error) in [
            ("go depth x", "depth: expected a number, found \"x\""),
            ("go nodes 1e6", "nodes: expected a number, found \"1e6\""),
            ("go btime wtime 7", "btime: expected a number, found \"wtime\""),
            ("go movetime", "movetime: expected a number, found \"\""),
            ("go perft x", "perft: expected a number, found \"x\""),
        ] {
            assert_eq!(go(line).errors, [error], "{line}");
            assert_eq!(go(line).counts_leaves, line.contains("perft"), "{line}");
        }
    }

    #[test]
    fn moves_to_search_end_at_the_next_word() {
        let Some(Command::Go(go)) = parse("go searchmoves e2e4 d2d4 nodes 7") else {
            panic!("no go");
        };
        assert_eq!((go.moves.join(" "), go.nodes), ("e2e4 d2d4".to_owned(), Some(7)));
    }

    #[test]
    fn a_position_has_a_start() {
        let moves = vec!["e2e4".to_owned()];
        let nothing = Command::Position { fen: Some(String::new()), moves };
        assert_eq!(parse("position moves e2e4"), Some(nothing));
        let fen = Some("8/8 w - - 0 1".to_owned());
        let moves = vec!["a1a2".to_owned()];
        assert_eq!(
            parse("position fen 8/8 w - - 0 1 moves a1a2"),
            Some(Command::Position { fen, moves })
        );
    }
}
