//! A visitor that records its calls as lines of text.

use halfmove_game::GameResult;
use halfmove_game::pgn::{CommentStyle, Flow, Nag, Place, Problem, Reader, Text, Visitor, Word};

use crate::portions::Portions;

/// The calls, one line each, with just enough text to distinguish them.
#[derive(Debug, Default)]
pub(crate) struct Events {
    pub(crate) lines: Vec<String>,
    pub(crate) depth: i64,
    pub(crate) games: u64,
    in_game: bool,
    in_moves: bool,
}

impl Events {
    fn push(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }
}

impl Visitor for Events {
    fn begin_game(&mut self, place: Place<'_>) {
        assert!(!self.in_game && self.depth == 0);
        self.in_game = true;
        let at = place.line_column();
        self.push(format!("game {}:{}", at.line, at.column));
    }

    fn tag(&mut self, name: Text<'_>, value: Text<'_>, _: Place<'_>) {
        assert!(self.in_game && !self.in_moves);
        self.push(format!("tag {}={}", name.to_str(), value.to_str()));
    }

    fn end_tags(&mut self) -> Flow {
        assert!(self.in_game && !self.in_moves);
        self.in_moves = true;
        self.push("moves");
        Flow::Read
    }

    fn san(&mut self, san: Word<'_>, place: Place<'_>) {
        let san = san.as_bytes();
        assert!(self.in_moves);
        let offset = place.offset();
        let at = place.line_column();
        let san = Text::plain(san).to_str().into_owned();
        self.push(format!("{san} @{offset} {}:{}", at.line, at.column));
    }

    fn nag(&mut self, nag: Nag, _: Place<'_>) {
        assert!(self.in_moves);
        self.push(format!("${}", nag.number()));
    }

    fn comment(&mut self, text: Text<'_>, _: CommentStyle, _: Place<'_>) {
        self.push(format!("{{{}}}", text.to_str()));
    }

    fn begin_variation(&mut self, _: Place<'_>) -> Flow {
        assert!(self.in_moves);
        self.depth += 1;
        self.push("(");
        Flow::Read
    }

    fn end_variation(&mut self) {
        self.depth -= 1;
        assert!(self.depth >= 0);
        self.push(")");
    }

    fn result(&mut self, result: GameResult, _: Place<'_>) {
        assert!(self.in_moves && self.depth == 0);
        self.push(format!("result {result}"));
    }

    fn end_game(&mut self) {
        assert!(self.in_moves && self.depth == 0);
        self.in_game = false;
        self.in_moves = false;
        self.games += 1;
        self.push("end");
    }

    fn problem(&mut self, problem: Problem, place: Place<'_>) {
        let at = place.line_column();
        self.push(format!("{problem:?} {}:{}", at.line, at.column));
    }

    fn outside(&mut self, text: &[u8], _: Place<'_>) {
        assert!(!self.in_game);
        self.push(format!("outside {}", Text::plain(text).to_str()));
    }
}

/// All events of a text, one per line, without the places of moves.
pub(crate) fn brief(text: impl AsRef<[u8]>) -> Vec<String> {
    let events = events(text.as_ref(), usize::MAX);
    events.into_iter().map(|line| line.split(" @").next().unwrap_or_default().to_owned()).collect()
}

/// All events of a text that arrives in portions.
pub(crate) fn events(text: &[u8], portion: usize) -> Vec<String> {
    let mut events = Events::default();
    let mut reader = Reader::new(Portions::new(text, portion));
    let mut games = 0;
    while reader.read_game(&mut events).expect("the source never fails") {
        games += 1;
    }
    assert_eq!(games, events.games);
    events.lines
}
