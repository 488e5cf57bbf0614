//! Commands as text.

use std::str::SplitWhitespace;

/// What a line asks for.
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
    Perft(Option<u32>),
    Bench(Vec<String>),
}

/// The words after `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    /// By color.
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
    pub(super) perft: Option<u32>,
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
            "perft" => Command::Perft(words.next().and_then(|word| word.parse().ok())),
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
    /// The number that follows, if one does.
    fn number<T: TryFrom<i128>>(word: Option<&&str>) -> Option<T> {
        let number: i128 = word?.parse().ok()?;
        T::try_from(number).ok()
    }
    while let Some(word) = words.next() {
        match word {
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "searchmoves" => {
                while let Some(mv) = words.next_if(|word| !GO_WORDS.contains(word)) {
                    go.moves.push(mv.to_owned());
                }
            }
            "wtime" => go.left_ms[0] = number(words.peek()),
            "btime" => go.left_ms[1] = number(words.peek()),
            "winc" => go.increment_ms[0] = number(words.peek()),
            "binc" => go.increment_ms[1] = number(words.peek()),
            "movestogo" => go.moves_to_go = number(words.peek()),
            "depth" => go.depth = number(words.peek()),
            "nodes" => go.nodes = number(words.peek()),
            "mate" => go.mate = number(words.peek()),
            "movetime" => go.movetime_ms = number(words.peek()),
            "perft" => go.perft = number(words.peek()),
            _ => {}
        }
    }
    go
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
        let Some(Command::Go(go)) =
            parse("go wtime -5 btime x nodes -1 depth 99999999999 movestogo 1")
        else {
            panic!("no go");
        };
        assert_eq!((go.left_ms, go.nodes, go.depth), ([Some(-5), None], None, None));
        assert_eq!(go.moves_to_go, Some(1));
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
