//! Moves as people type and paste them: SAN or UCI notation, from any position.
//!
//! The text is read like the movetext of a PGN file: move numbers, a result at the end, comments, variations, glyphs and `!?` are
//! skipped, so a line can be pasted from anywhere. This is the one reader of moves for the command line, the server, Python and DuckDB.
//!
//! ```
//! use halfmove_game::movetext;
//! use halfmove_rules::{AnyPosition, Variant};
//!
//! let start = AnyPosition::start(Variant::Chess);
//! let open = movetext::play(start.clone(), "1. e4! {the king's pawn} e5 2. Nf3")?;
//! assert_eq!(open.to_string(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
//!
//! let error = movetext::play(start, "e4 e5 Nf4").unwrap_err();
//! assert_eq!(error.to_string(), "word 3, \"Nf4\": illegal move, no knight can go there");
//! assert_eq!(error.hint.as_deref(), Some("legal here: Na3, Nc3, Ne2, Nf3, Nh3"));
//! # Ok::<(), halfmove_game::movetext::MovetextError>(())
//! ```

use std::fmt;

use halfmove_rules::{AnyPosition, Move, San, SanError, Square};
use thiserror::Error;

use crate::Game;
use crate::pgn::{
    self, Flow, GameReader, Hint, PgnErrorKind, Place, Problem, Reader, Reading, Text, Visitor,
};

/// A word that is a move, or should be one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The number of the word in the text, from 1.
    pub number: usize,
    /// The whole word, possibly with the number of a move and a glyph.
    pub typed: String,
    /// The move alone.
    pub text: String,
}

/// The place of the word: `word 3, "2.Nf3!"`.
impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "word {}, \"{}\"", self.number, self.typed)
    }
}

/// The fault of a text that is not a line of legal moves, and its place.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{word}: {fault}")]
pub struct MovetextError {
    /// The word with the fault.
    pub word: Word,
    /// The fault.
    pub fault: MovetextFault,
    /// The likely intended move, the reason why the move is not possible, or legal moves.
    pub hint: Option<String>,
}

/// The fault of a word.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MovetextFault {
    /// A move that is not legal or not readable.
    #[error("{}, {}", .0.name().replace('_', " "), .0.reason())]
    Move(Box<PgnErrorKind>),
    /// A word that PGN reads as something other than a move.
    #[error(transparent)]
    San(SanError),
    /// A comment, a variation or a tag that is not closed, and the like.
    #[error("{0}")]
    Text(Problem),
    /// A tag with a position.
    #[error("expected moves, and the position apart from them, as FEN")]
    Position,
    /// A word after the result.
    #[error("expected no moves after the result")]
    AfterResult,
}

/// Plays the moves of a text.
///
/// # Errors
///
/// [`MovetextError`] if a word is not a legal move.
pub fn play(mut position: AnyPosition, text: &str) -> Result<AnyPosition, MovetextError> {
    for word in words(text)? {
        let mv = find(&position, &word)?;
        position.play_unchecked(mv);
    }
    Ok(position)
}

/// A tag before the text, so that all of the text is movetext.
const HEAD: &str = "[Moves \"\"]\n";

/// The moves of a text, in their order. They may be illegal.
///
/// # Errors
///
/// [`MovetextError`] if the text is not that of one game.
pub fn words(text: &str) -> Result<Vec<Word>, MovetextError> {
    let mut line = Line { text, words: Vec::new(), is_over: false, error: None };
    let head = format!("{HEAD}{text}");
    let mut reader = Reader::new(head.as_bytes());
    // A slice is read without errors.
    while reader.read_game(&mut line).unwrap_or(false) {
        line.is_over = true;
    }
    line.error.map_or(Ok(line.words), Err)
}

/// Collects the words of the main line.
struct Line<'a> {
    text: &'a str,
    words: Vec<Word>,
    /// True after the result.
    is_over: bool,
    error: Option<MovetextError>,
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

    fn fail(&mut self, place: &Place<'_>, fault: MovetextFault) {
        if self.error.is_none() {
            let word = self.word(place.offset(), "");
            self.error = Some(MovetextError { word, fault, hint: None });
        }
    }
}

impl Visitor for Line<'_> {
    fn tag(&mut self, name: Text<'_>, _: Text<'_>, place: Place<'_>) {
        if name.to_str() == "FEN" {
            self.fail(&place, MovetextFault::Position);
        }
    }

    fn san(&mut self, san: pgn::Word<'_>, place: Place<'_>) {
        if self.is_over {
            return self.fail(&place, MovetextFault::AfterResult);
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
            self.fail(&place, MovetextFault::Text(problem));
        }
    }

    fn outside(&mut self, _: &[u8], place: Place<'_>) {
        self.fail(&place, MovetextFault::AfterResult);
    }
}

/// The legal move that a word names, or the null move out of check.
///
/// # Errors
///
/// [`MovetextError`] if there is none, with similar legal moves.
pub fn find(position: &AnyPosition, word: &Word) -> Result<Move, MovetextError> {
    let text = word.text.as_str();
    let error = match position.parse_move(text) {
        Ok(mv) => return Ok(mv),
        Err(error) => error,
    };
    let (fault, hint) = match read(position, text) {
        Ok(Some(mv)) => return Ok(mv),
        Ok(None) => (MovetextFault::San(error), None),
        Err(kind) => {
            let hint = hint(position, text, &kind);
            (MovetextFault::Move(Box::new(kind)), hint)
        }
    };
    Err(MovetextError { word: word.clone(), fault, hint })
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
fn hint(position: &AnyPosition, text: &str, kind: &PgnErrorKind) -> Option<String> {
    let legal = position.legal_moves();
    let square = |range: std::ops::Range<usize>| text.get(range)?.parse::<Square>().ok();
    if let (Some(from), Some(_)) = (square(0..2), square(2..4)) {
        let of_piece = legal.iter().filter(|mv| mv.from() == from);
        let moves: Vec<String> = of_piece.map(|&mv| position.uci(mv).to_string()).collect();
        if !moves.is_empty() {
            return Some(pgn::legal_here(&moves));
        }
    }
    let advice = match kind.hint() {
        Some(Hint::Over { .. }) => None,
        // Moves of the same piece help more than moves that only look similar.
        Some(Hint::Similar { .. }) if !kind.expected().is_empty() => {
            Some(pgn::legal_here(kind.expected()))
        }
        _ => kind.advice(),
    };
    if advice.is_some() {
        return advice;
    }
    if legal.is_empty() {
        let how = position.outcome().map_or_else(String::new, |outcome| format!(": {outcome}"));
        return Some(format!("there are no legal moves, the game is over{how}"));
    }
    let moves: Vec<String> = legal.iter().map(|&mv| position.san(mv).to_string()).collect();
    Some(pgn::legal_here(&moves))
}

#[cfg(test)]
mod tests {
    use super::{play, words};
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
    fn errors_name_the_word() {
        for (text, expected) in [
            ("e4 e5 Nf4", "word 3, \"Nf4\": illegal move, no knight can go there"),
            ("1. e4 e5 2.Nf4!? Nc6", "word 4, \"2.Nf4!?\": illegal move, no knight"),
            ("Zz", "word 1, \"Zz\": unreadable move, expected a move such as e4"),
            ("e4 Grünfeld", "word 2, \"Grünfeld\": unreadable move"),
            ("e4 e5 1-0 Nf3", "word 4, \"Nf3\": expected no moves after the result"),
            ("e4 {open", "word 2, \"{open\": comment is not closed, expected \"}\""),
            ("e4 (d4", "word 2, \"(d4\": variation is not closed"),
            ("e4 ) e5", "word 2, \")\": \")\" closes no variation"),
            ("e4 f6 Qh5+ --", "word 4, \"--\": null move, expected a legal move"),
            ("[FEN \"8/8\"]\n\ne4", "word 1, \"[FEN\": expected moves, and the position"),
        ] {
            let error = play(AnyPosition::start(Variant::Chess), text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }
}
