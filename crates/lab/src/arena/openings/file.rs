//! Openings from a file, compressed or not: a FEN or an EPD on each line, or the main lines of games in PGN.

use super::Opening;
use halfmove_game::pgn::{GameReader, Keep, PgnError, Reading, Skip};
use halfmove_game::{Game, Input, InputError};
use halfmove_rules::{AnyFenError, AnyPosition, Variant};
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use thiserror::Error;

/// A fault in a file of openings.
#[derive(Debug, Error)]
pub(in crate::arena) enum FileError {
    #[error("{0}")]
    Open(#[from] InputError),
    #[error("{0}")]
    Read(#[from] io::Error),
    #[error("line {line}: {reason}")]
    Line { line: usize, reason: String },
    #[error("{0}")]
    Game(PgnError),
    #[error("{0}")]
    Skipped(Skip),
    #[error("game {number}: {error}")]
    Start { number: usize, error: AnyFenError },
    #[error("game {number}: a game of {found}, expected {expected}")]
    Variant { number: usize, found: Variant, expected: Variant },
}

/// Reads all openings of a file.
pub(super) fn read(path: &Path, variant: Variant) -> Result<Vec<Opening>, FileError> {
    parse(Input::open(path)?, variant)
}

fn parse(source: impl Read, variant: Variant) -> Result<Vec<Opening>, FileError> {
    let mut source = BufReader::new(source);
    for line in 1.. {
        let Some(first) = next_line(&mut source)? else { break };
        let text = text_of(&first);
        if is_empty(&text) {
            continue;
        }
        // A FEN has seven slashes in its first word; a tag or a move has none.
        if text.split(' ').next().is_some_and(|word| word.contains('/')) {
            return positions(&text, line, source, variant);
        }
        return games(GameReader::with_text(first, source), variant);
    }
    Ok(Vec::new())
}

/// A line with its end; `None` after the last one.
fn next_line(source: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let read = source.read_until(b'\n', &mut line)?;
    Ok((read > 0).then_some(line))
}

fn text_of(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    text.trim_start_matches('\u{feff}').trim().to_owned()
}

/// Returns `true` for a blank line or a remark.
fn is_empty(line: &str) -> bool {
    line.is_empty() || line.starts_with('#')
}

/// The positions of a file, from a line with this number on.
fn positions(
    first: &str,
    number: usize,
    mut source: impl BufRead,
    variant: Variant,
) -> Result<Vec<Opening>, FileError> {
    let mut openings = Vec::new();
    let mut line = first.to_owned();
    for number in number.. {
        if !is_empty(&line) {
            let start = position(&line, variant)
                .map_err(|reason| FileError::Line { line: number, reason })?;
            openings.push(Opening { start, moves: Vec::new() });
        }
        match next_line(&mut source)? {
            Some(next) => line = text_of(&next),
            None => break,
        }
    }
    Ok(openings)
}

/// A FEN; or the first four fields of one, and operations, which mean nothing here.
fn position(line: &str, variant: Variant) -> Result<AnyPosition, String> {
    let words: Vec<_> = line.split_whitespace().collect();
    let is_number = |at: usize| words.get(at).is_some_and(|word| word.parse::<u16>().is_ok());
    let fen = if is_number(4) && is_number(5) {
        words[..6].join(" ")
    } else {
        format!("{} 0 1", words[..words.len().min(4)].join(" "))
    };
    AnyPosition::from_fen(&fen, variant).map_err(|error| format!("{fen}: {error}"))
}

/// The main lines of games.
fn games(reader: GameReader<impl Read>, variant: Variant) -> Result<Vec<Opening>, FileError> {
    let mut openings = Vec::new();
    let mut reader = reader.with_variant(variant).keeping(Keep::MainLine);
    let mut game = Game::default();
    while let Some(reading) = reader.read(&mut game)? {
        match reading {
            Reading::Whole => {}
            Reading::Faulty(error) => return Err(FileError::Game(error)),
            Reading::Skipped(skip) => return Err(FileError::Skipped(skip)),
        }
        let (number, found) = (openings.len() + 1, game.start.variant());
        // Chess960 may begin with a line of chess.
        if found != variant && (found, variant) != (Variant::Chess, Variant::Chess960) {
            return Err(FileError::Variant { number, found, expected: variant });
        }
        // By the rules of the match, whatever the tags say of counting or castling.
        let start = AnyPosition::from_fen(&game.start.to_string(), variant)
            .map_err(|error| FileError::Start { number, error })?;
        openings.push(Opening { start, moves: std::mem::take(&mut game.moves) });
    }
    Ok(openings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str, variant: Variant) -> Result<Vec<Opening>, String> {
        parse(text.as_bytes(), variant).map_err(|error| error.to_string())
    }

    #[test]
    fn positions_are_read_from_fen_and_epd() {
        let text = "\n# two\n8/8/8/8/8/k7/p7/K6R w - - bm Rh3+; id \"x\";\n8/8/8/8/8/k7/p7/K6R w - - 12 70\n";
        let openings = parsed(text, Variant::Chess).unwrap();
        let fens: Vec<_> = openings.iter().map(|opening| opening.start.to_string()).collect();
        assert_eq!(fens, ["8/8/8/8/8/k7/p7/K6R w - - 0 1", "8/8/8/8/8/k7/p7/K6R w - - 12 70"]);
        let makruk = "rnsmksnr/8/1ppppppp/p7/8/PPPPPPPP/8/RNSKMSNR w - - 0 2";
        assert_eq!(parsed(makruk, Variant::Makruk).unwrap()[0].start.to_string(), makruk);
        let error = parsed("#\n8/8/8/8/8/k7/p7/K6R w - -\n8/8 w - -", Variant::Chess).unwrap_err();
        assert!(error.starts_with("line 3: 8/8 w - - 0 1: "), "{error}");
        assert_eq!(parsed("\u{feff}8/8/8/8/8/k7/p7/K6R w - -", Variant::Chess).unwrap().len(), 1);
        assert_eq!(parsed("# nothing\n\n", Variant::Chess).unwrap(), []);
    }

    #[test]
    fn main_lines_are_read_from_games() {
        let text = "[Event \"a\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 {a (b) [\nc]} (1. e3 Kd7) \
                    1... Kd7! $1 ; 2. e6\n2.e5 *\n[Event \"b\"]\n\n1.d4 d5 2.c4 1/2-1/2\n\n1. e4 e5";
        let openings = parsed(text, Variant::Chess).unwrap();
        let lines: Vec<Vec<String>> = openings
            .iter()
            .map(|opening| opening.moves.iter().map(ToString::to_string).collect())
            .collect();
        let expected: [&[&str]; 3] =
            [&["e2e4", "e8d7", "e4e5"], &["d2d4", "d7d5", "c2c4"], &["e2e4", "e7e5"]];
        assert_eq!(lines, expected);
        assert_eq!(openings[0].start.to_string(), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
        assert_eq!(openings[1].start, AnyPosition::start(Variant::Chess));
        let marked = "\u{feff}1. e4+- e5 N 2. Nf3! += Nc6 1-0";
        assert_eq!(parsed(marked, Variant::Chess).unwrap()[0].moves.len(), 4);
    }

    #[test]
    fn faults_say_where_they_are() {
        for (text, variant, expected) in [
            (
                "1. e4 e5\n2. Ke3 *",
                Variant::Chess,
                "game 1, line 2, column 4, ply 3: illegal move \"Ke3\": no king can go there, expected Ke2",
            ),
            (
                "[Variant \"Crazyhouse\"]\n\n1. e4 *",
                Variant::Chess,
                "game 1, line 1, column 1: skipped, variant \"Crazyhouse\" is not known, expected chess, chess960, makruk, makpong, asean",
            ),
            (
                "[Variant \"Makruk\"]\n\n1. e4 *",
                Variant::Chess,
                "game 1: a game of makruk, expected chess",
            ),
            (
                "1. e4 *\n\n[Variant \"Chess960\"]\n\n1. e4 *",
                Variant::Chess,
                "game 2: a game of chess960, expected chess",
            ),
        ] {
            assert_eq!(parsed(text, variant).unwrap_err(), expected, "{text}");
        }
    }

    #[test]
    fn the_match_decides_which_game_it_is() {
        let plain = "[Variant \"From Position\"]\n\n1. e4 *";
        assert_eq!(parsed(plain, Variant::Chess).unwrap().len(), 1);
        // What is read is a game of Chess960 from then on, castling too.
        let castles = "[Variant \"Standard\"]\n\n1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O *";
        let [opening] = &parsed(castles, Variant::Chess960).unwrap()[..] else { panic!() };
        assert_eq!(opening.start.variant(), Variant::Chess960);
        assert!(opening.position().to_string().contains("RNBQ1RK1"), "{}", opening.position());
        // A game without a tag is one of the match's, and its counts run by themselves.
        for text in ["1. e4 *", "[Variant \"Makruk\"]\n[Counting \"thai\"]\n\n1. e4 *"] {
            let openings = parsed(text, Variant::Makruk).unwrap();
            assert_eq!(openings[0].start, AnyPosition::start(Variant::Makruk), "{text}");
            assert_eq!(openings[0].moves.len(), 1);
        }
    }
}
