//! Moves as text, the same in every `--moves`: SAN or UCI notation, from any position.
//!
//! The text is read like the movetext of a PGN file: move numbers, a result at the end, comments, variations, glyphs and `!?` are
//! skipped. So a line can be pasted from anywhere.

use crate::command::pgn;
use crate::output::Advised;
use anyhow::anyhow;
use halfmove_game::pgn::{
    FaultKind, Flow, GameReader, Hint, PgnErrorKind, Place, Problem, Reader, Reading, Text, Visitor,
};
use halfmove_game::{Game, MoveNumber};
use halfmove_rules::{AnyPosition, Chess, Move, San, Square, Variant};

/// A move with its number: `18. Bxh7+`, `18... Kxh7`.
pub(crate) fn numbered(position: &AnyPosition, mv: Move) -> String {
    format!("{} {}", MoveNumber::of(position), position.san(mv))
}

/// A word of movetext that is a move, or should be one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    /// The number of the word in the text, from 1.
    pub(crate) number: usize,
    /// The whole word, possibly with the number of a move and a glyph.
    pub(crate) typed: String,
    /// The move alone.
    pub(crate) text: String,
}

impl Word {
    /// The place of the word, for an error.
    pub(crate) fn place(&self) -> String {
        format!("--moves, word {}, \"{}\"", self.number, self.typed)
    }
}

/// The position after some moves.
pub(crate) fn play(mut position: AnyPosition, text: &str) -> anyhow::Result<AnyPosition> {
    for word in words(text)? {
        let mv = find(&position, &word)?;
        position.play_unchecked(mv);
    }
    Ok(position)
}

/// The option that takes this text, if it is moves of chess or a position.
pub(crate) fn option_for(text: &str) -> Option<&'static str> {
    let start = AnyPosition::start(Variant::Chess);
    if words(text).is_ok_and(|words| !words.is_empty()) && play(start, text).is_ok() {
        return Some("--moves");
    }
    let is_position = Chess::from_fen_lenient(text, None).is_ok();
    is_position.then_some("--fen")
}

/// A tag before the text, so that all of the text is movetext.
const HEAD: &str = "[Moves \"\"]\n";

/// The moves of a text, in their order.
pub(crate) fn words(text: &str) -> anyhow::Result<Vec<Word>> {
    let mut line = Line { text, words: Vec::new(), is_over: false, error: None };
    let head = format!("{HEAD}{text}");
    let mut reader = Reader::new(head.as_bytes());
    while reader.read_game(&mut line)? {
        line.is_over = true;
    }
    match line.error {
        Some(error) => Err(error),
        None => Ok(line.words),
    }
}

/// Collects the words of the main line.
struct Line<'a> {
    text: &'a str,
    words: Vec<Word>,
    /// True after the result.
    is_over: bool,
    error: Option<anyhow::Error>,
}

impl Line<'_> {
    /// The word at an offset of the text with its head.
    fn word(&self, offset: u64, text: &str) -> Word {
        let at = usize::try_from(offset).unwrap_or(usize::MAX).saturating_sub(HEAD.len());
        let (before, after) = self.text.split_at_checked(at).unwrap_or((self.text, ""));
        let begin = before.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        let begin = before.ceil_char_boundary(begin);
        let end = at + after.find(char::is_whitespace).unwrap_or(after.len());
        let number = before[..begin].split_whitespace().count() + 1;
        let typed = self.text.get(begin..end).unwrap_or_default().to_owned();
        Word { number, typed, text: text.to_owned() }
    }

    fn fail(&mut self, place: &Place<'_>, what: &str) {
        if self.error.is_none() {
            let word = self.word(place.offset(), "");
            self.error = Some(anyhow!("{}: {what}", word.place()));
        }
    }
}

impl Visitor for Line<'_> {
    fn tag(&mut self, name: Text<'_>, _: Text<'_>, place: Place<'_>) {
        if name.to_str() == "FEN" {
            self.fail(&place, "expected moves, and the position with --fen");
        }
    }

    fn san(&mut self, san: halfmove_game::pgn::Word<'_>, place: Place<'_>) {
        if self.is_over {
            return self.fail(&place, "expected no moves after the result");
        }
        if San::is_remark(san.as_bytes()) {
            return;
        }
        let word = self.word(place.offset(), &san.to_str());
        self.words.push(word);
    }

    fn begin_variation(&mut self, _: Place<'_>) -> Flow {
        Flow::Skip
    }

    fn problem(&mut self, problem: Problem, place: Place<'_>) {
        // A comma between two moves does no harm.
        if problem != Problem::StrayCharacter {
            self.fail(&place, &problem.to_string());
        }
    }

    fn outside(&mut self, _: &[u8], place: Place<'_>) {
        self.fail(&place, "expected no moves after the result");
    }
}

/// Returns the legal move that a word names, or the null move out of check, or an error with similar legal moves.
pub(crate) fn find(position: &AnyPosition, word: &Word) -> anyhow::Result<Move> {
    let text = word.text.as_str();
    let error = match position.parse_move(text) {
        Ok(mv) => return Ok(mv),
        Err(error) => error,
    };
    let kind = match read(position, text) {
        Ok(Some(mv)) => return Ok(mv),
        Ok(None) => return Err(anyhow!("{}: {error}", word.place())),
        Err(kind) => kind,
    };
    let name = kind.name().replace('_', " ");
    let error = anyhow!("{}: {name}, {}", word.place(), kind.reason());
    Err(match hint(position, text, kind) {
        Some(hint) => Advised::new(error, hint).into(),
        None => error,
    })
}

/// Reads a word in a position as the PGN reader does: the move, perhaps with marks attached to it, or the error. `None` if it is
/// neither.
fn read(position: &AnyPosition, text: &str) -> Result<Option<Move>, PgnErrorKind> {
    let variant = position.variant();
    let pgn = format!("[Variant \"{variant}\"]\n[SetUp \"1\"]\n[FEN \"{position}\"]\n\n{text} *\n");
    let mut game = Game::default();
    match GameReader::new(pgn.as_bytes()).read(&mut game) {
        Ok(Some(Reading::Faulty(error))) => Err(error.kind),
        Ok(Some(Reading::Whole)) => Ok(game.moves.first().copied()),
        _ => Ok(None),
    }
}

/// The hint with legal moves: those of the piece on the square with which a move in UCI notation begins, or the hint of the PGN
/// reader.
fn hint(position: &AnyPosition, text: &str, kind: PgnErrorKind) -> Option<String> {
    let legal = position.legal_moves();
    let square = |range: std::ops::Range<usize>| text.get(range)?.parse::<Square>().ok();
    if let (Some(from), Some(_)) = (square(0..2), square(2..4)) {
        let of_piece = legal.iter().filter(|mv| mv.from() == from);
        let moves: Vec<String> = of_piece.map(|&mv| position.uci(mv).to_string()).collect();
        if !moves.is_empty() {
            return Some(listed(&moves));
        }
    }
    let advice = match kind.hint() {
        Some(Hint::Over { .. }) => None,
        // Moves of the same piece help more than moves that only look similar.
        Some(Hint::Similar { .. }) if !kind.expected().is_empty() => Some(listed(kind.expected())),
        _ => pgn::help(&FaultKind::Move(kind.clone())),
    };
    if advice.is_some() {
        return advice;
    }
    if legal.is_empty() {
        let how = position.outcome().map_or_else(String::new, |outcome| format!(": {outcome}"));
        return Some(format!("there are no legal moves, the game is over{how}"));
    }
    let moves: Vec<String> = legal.iter().map(|&mv| position.san(mv).to_string()).collect();
    Some(listed(&moves))
}

/// The maximum number of legal moves to list.
const MOVES: usize = 8;

fn listed(moves: &[String]) -> String {
    match moves.len() {
        0..=MOVES => format!("legal here: {}", moves.join(", ")),
        _ => format!("legal here: {}, …", moves[..MOVES].join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::{option_for, play, words};
    use halfmove_rules::{AnyPosition, Variant};

    fn texts(text: &str) -> Vec<String> {
        words(text).unwrap().into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn a_line_is_read_as_in_a_file() {
        let line = ["e4", "e5", "Nf3", "Nc6", "Bb5"];
        for text in [
            "e4 e5 Nf3 Nc6 Bb5",
            "1. e4 e5 2. Nf3 Nc6 3. Bb5",
            "1.e4 e5 2.Nf3 Nc6 3.Bb5 1/2-1/2",
            "1. e4! e5?! 2. Nf3 $1 {the knight} Nc6 3. Bb5!? *",
            "1. e4 (1. d4 d5 (1... Nf6)) 1... e5 2. Nf3 ; to the end\nNc6 3. Bb5 1-0",
            "e4, e5, Nf3, Nc6, Bb5",
            "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *",
        ] {
            assert_eq!(texts(text), line, "{text}");
        }
        for nothing in ["", " ", "*", "1-0", "1.", "{none}"] {
            assert!(texts(nothing).is_empty(), "{nothing}");
        }
        for null in ["1. e4 -- 2. d4", "e4 Z0 d4", "e4 <> d4", "e4 pass d4"] {
            let position = play(AnyPosition::start(Variant::Chess), null).unwrap();
            let expected = "rnbqkbnr/pppppppp/8/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2";
            assert_eq!(position.to_string(), expected, "{null}");
        }
        assert_eq!(texts("0-0 O-O-O e7e8q count"), ["0-0", "O-O-O", "e7e8q", "count"]);
        assert_eq!(texts("1. e4 00 000 ± 🙂 ch mate 1:0"), ["e4", "00", "000"]);
        let expected =
            play(AnyPosition::start(Variant::Chess), "e4 e5 Nf3 Nc6 Bb5 a6 O-O").unwrap();
        for odd in [
            "1. e4± e5+− 2.Nf3🙂 Nc6 3. Bb5 ± a6 4. 00",
            "e2-e4 e7-e5 g1-f3 b8-c6 f1-b5 a7-a6 e1-g1",
            "e2–e4 e5 ♘f3 ♞c6 ♗b5 a6 0–0",
        ] {
            let position = play(AnyPosition::start(Variant::Chess), odd).unwrap();
            assert_eq!(position, expected, "{odd}");
        }
    }

    #[test]
    fn moves_and_positions_are_recognized() {
        for (text, option) in [
            ("e4 e5", Some("--moves")),
            ("1. d4 d5 2. c4", Some("--moves")),
            ("8/8/8/5k2/8/4K3/4P3/8 w - - 0 1", Some("--fen")),
            ("club", None),
            ("", None),
            ("1-0", None),
            ("e4 e4", None),
            ("games/club", None),
        ] {
            assert_eq!(option_for(text), option, "{text}");
        }
    }

    #[test]
    fn errors_name_the_word() {
        for (text, expected) in [
            ("e4 e5 Nf4", "--moves, word 3, \"Nf4\": illegal move, no knight can go there"),
            ("1. e4 e5 2.Nf4!? Nc6", "--moves, word 4, \"2.Nf4!?\": illegal move, no knight"),
            ("Zz", "--moves, word 1, \"Zz\": unreadable move, expected a move such as e4"),
            ("e4 Grünfeld", "--moves, word 2, \"Grünfeld\": unreadable move"),
            ("e4 e5 1-0 Nf3", "--moves, word 4, \"Nf3\": expected no moves after the result"),
            ("e4 {open", "--moves, word 2, \"{open\": comment is not closed, expected \"}\""),
            ("e4 (d4", "--moves, word 2, \"(d4\": variation is not closed"),
            ("e4 ) e5", "--moves, word 2, \")\": \")\" closes no variation"),
            ("e4 f6 Qh5+ --", "--moves, word 4, \"--\": null move, expected a legal move"),
            ("[FEN \"8/8\"]\n\ne4", "--moves, word 1, \"[FEN\": expected moves, and the position"),
        ] {
            let error = play(AnyPosition::start(Variant::Chess), text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }
}
