//! Openings from a file, compressed or not: a FEN or an EPD on each line, or the main lines of games in PGN.
//!
//! An opening that cannot be read is left out with a warning; impossible castling rights and the like are removed
//! with a warning.

use super::Opening;
use halfmove_game::pgn::{GameReader, Keep, PgnError, Reading, Skip};
use halfmove_game::{Game, Input, InputError};
use halfmove_rules::{AnyFenError, AnyPosition, Repair, Variant};
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use thiserror::Error;

/// A file of openings that cannot be read.
#[derive(Debug, Error)]
pub(in crate::arena) enum FileError {
    #[error("{0}")]
    Open(#[from] InputError),
    #[error("{0}")]
    Read(#[from] io::Error),
}

/// The openings of a file.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) openings: Vec<Opening>,
    pub(super) warnings: Vec<Warning>,
}

/// A reason why an opening was left out, or a change to it.
#[derive(Debug, Error)]
pub(in crate::arena) enum Warning {
    #[error("line {line}: left out: {error}")]
    Line { line: usize, error: AnyFenError },
    #[error("line {line}: {repair}")]
    Repaired { line: usize, repair: Repair },
    #[error("{0}; the game is left out")]
    Game(PgnError),
    #[error("{0}")]
    Skipped(Skip),
    #[error("game {number}: left out: {error}")]
    Start { number: usize, error: AnyFenError },
    #[error("game {number}: left out: a game of {found}, expected {expected}")]
    Variant { number: usize, found: Variant, expected: Variant },
}

/// Reads all openings of a file.
pub(super) fn read(path: &Path, variant: Variant) -> Result<Found, FileError> {
    parse(Input::open(path)?, variant)
}

fn parse(source: impl Read, variant: Variant) -> Result<Found, FileError> {
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
    Ok(Found::default())
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
) -> Result<Found, FileError> {
    let mut found = Found::default();
    let mut text = first.to_owned();
    for line in number.. {
        if !is_empty(&text) {
            match AnyPosition::from_fen_lenient(&text, variant) {
                Ok((start, repairs)) => {
                    found.openings.push(Opening { start, moves: Vec::new() });
                    let warnings = repairs.into_iter();
                    found
                        .warnings
                        .extend(warnings.map(|repair| Warning::Repaired { line, repair }));
                }
                Err(error) => found.warnings.push(Warning::Line { line, error }),
            }
        }
        match next_line(&mut source)? {
            Some(next) => text = text_of(&next),
            None => break,
        }
    }
    Ok(found)
}

/// The main lines of games.
fn games(reader: GameReader<impl Read>, variant: Variant) -> Result<Found, FileError> {
    let mut found = Found::default();
    let mut reader = reader.with_variant(variant).keeping(Keep::MainLine);
    let mut game = Game::default();
    for number in 1.. {
        let Some(reading) = reader.read(&mut game)? else { break };
        match opening(reading, &mut game, number, variant) {
            Ok(opening) => found.openings.push(opening),
            Err(warning) => found.warnings.push(warning),
        }
    }
    Ok(found)
}

/// The main line of a game with this number.
fn opening(
    reading: Reading,
    game: &mut Game,
    number: usize,
    variant: Variant,
) -> Result<Opening, Warning> {
    match reading {
        Reading::Whole => {}
        Reading::Faulty(error) => return Err(Warning::Game(error)),
        Reading::Skipped(skip) => return Err(Warning::Skipped(skip)),
    }
    let found = game.start.variant();
    // A game of Chess960 may begin with an opening of standard chess.
    if found != variant && (found, variant) != (Variant::Chess, Variant::Chess960) {
        return Err(Warning::Variant { number, found, expected: variant });
    }
    // Under the rules of the match, even if the tags have other rules of counting or castling.
    let start = AnyPosition::from_fen(&game.start.to_string(), variant)
        .map_err(|error| Warning::Start { number, error })?;
    Ok(Opening { start, moves: std::mem::take(&mut game.moves) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, variant: Variant) -> (Vec<Opening>, Vec<String>) {
        let Found { openings, warnings } = parse(text.as_bytes(), variant).expect("a file");
        (openings, warnings.iter().map(ToString::to_string).collect())
    }

    /// Openings that are read without a warning.
    fn parsed(text: &str, variant: Variant) -> Vec<Opening> {
        let (openings, warnings) = found(text, variant);
        assert_eq!(warnings, [""; 0], "{text}");
        openings
    }

    fn fens(openings: &[Opening]) -> Vec<String> {
        openings.iter().map(|opening| opening.start.to_string()).collect()
    }

    #[test]
    fn positions_are_read_from_fen_and_epd() {
        let text = "\n# two\n8/8/8/8/8/k7/p7/K6R w - - bm Rh3+; id \"x\";\n8/8/8/8/8/k7/p7/K6R w - - 12 70\n";
        assert_eq!(
            fens(&parsed(text, Variant::Chess)),
            ["8/8/8/8/8/k7/p7/K6R w - - 0 1", "8/8/8/8/8/k7/p7/K6R w - - 12 70"]
        );
        let makruk = "rnsmksnr/8/1ppppppp/p7/8/PPPPPPPP/8/RNSKMSNR w - - 0 2";
        assert_eq!(fens(&parsed(makruk, Variant::Makruk)), [makruk]);
        let named = format!("{} id \"one\"; hmvc 3;", makruk.trim_end_matches(" 0 2"));
        let counted = makruk.replace("0 2", "3 1");
        assert_eq!(fens(&parsed(&named, Variant::Makruk)), [counted]);
        assert_eq!(parsed("\u{feff}8/8/8/8/8/k7/p7/K6R w - -", Variant::Chess).len(), 1);
        assert_eq!(parsed("# nothing\n\n", Variant::Chess), []);
    }

    /// Operations after any white space, with or without one; the counters are among them.
    #[test]
    fn operations_are_read_as_programs_write_them() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let shipped = |name| parsed(&crate::arena::openings::shipped(name), Variant::Chess);
        assert_eq!(fens(&shipped("30-nospace.epd")), [start]);
        let petrov = "rn1qkb1r/ppp2ppp/4bn2/8/8/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 5";
        assert_eq!(fens(&shipped("30-hmvc.epd")), [petrov]);
        let tabs = start.replace(" 0 1", "\tid\t\"one\";").replace(' ', "\t");
        assert_eq!(fens(&parsed(&tabs, Variant::Chess)), [start]);
    }

    /// A malformed line does not affect the others.
    #[test]
    fn an_odd_line_is_left_out_with_a_warning() {
        let text = "8/8/8/8/8/k7/p7/K6R w - -\n8/8 w - -\n4k3/8/8/8/8/8/8/4K3 w KQ - 0 1\n";
        let (openings, warnings) = found(text, Variant::Chess);
        let expected = ["8/8/8/8/8/k7/p7/K6R w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"];
        assert_eq!(fens(&openings), expected);
        assert!(
            warnings[0].starts_with("line 2: left out: FEN, placement of pieces, "),
            "{warnings:?}"
        );
        let dropped = "line 3: castling rights \"KQ\" dropped: their king or rook is not at home";
        assert_eq!(warnings[1..], [dropped]);
        let (openings, warnings) = found("1. e4 e5 2. Ke3 *\n\n1. d4 *", Variant::Chess);
        assert_eq!((openings.len(), openings[0].moves.len(), warnings.len()), (1, 1, 1));
    }

    #[test]
    fn main_lines_are_read_from_games() {
        let text = "[Event \"a\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 {a (b) [\nc]} (1. e3 Kd7) \
                    1... Kd7! $1 ; 2. e6\n2.e5 *\n[Event \"b\"]\n\n1.d4 d5 2.c4 1/2-1/2\n\n1. e4 e5";
        let openings = parsed(text, Variant::Chess);
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
        assert_eq!(parsed(marked, Variant::Chess)[0].moves.len(), 4);
    }

    #[test]
    fn faults_say_where_they_are() {
        for (text, variant, expected) in [
            (
                "1. e4 e5\n2. Ke3 *",
                Variant::Chess,
                "game 1, line 2, column 4, move 2: illegal move \"Ke3\": no king can go there, expected Ke2; the game is left out",
            ),
            (
                "[Variant \"Crazyhouse\"]\n\n1. e4 *",
                Variant::Chess,
                "game 1, line 1, column 1: skipped, variant \"Crazyhouse\" is not known, expected chess, chess960, makruk, makpong, asean",
            ),
            (
                "[Variant \"Makruk\"]\n\n1. e4 *",
                Variant::Chess,
                "game 1: left out: a game of makruk, expected chess",
            ),
            (
                "1. e4 *\n\n[Variant \"Chess960\"]\n\n1. e4 *",
                Variant::Chess,
                "game 2: left out: a game of chess960, expected chess",
            ),
        ] {
            assert_eq!(found(text, variant).1, [expected], "{text}");
        }
    }

    #[test]
    fn the_match_decides_which_game_it_is() {
        let plain = "[Variant \"From Position\"]\n\n1. e4 *";
        assert_eq!(parsed(plain, Variant::Chess).len(), 1);
        // The opening is played under the rules of Chess960, including castling.
        let castles = "[Variant \"Standard\"]\n\n1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O *";
        let [opening] = &parsed(castles, Variant::Chess960)[..] else { panic!() };
        assert_eq!(opening.start.variant(), Variant::Chess960);
        assert!(opening.position().to_string().contains("RNBQ1RK1"), "{}", opening.position());
        // A game without a tag is one of the match's, and its counts run by themselves.
        for text in ["1. e4 *", "[Variant \"Makruk\"]\n[Counting \"thai\"]\n\n1. e4 *"] {
            let openings = parsed(text, Variant::Makruk);
            assert_eq!(openings[0].start, AnyPosition::start(Variant::Makruk), "{text}");
            assert_eq!(openings[0].moves.len(), 1);
        }
    }
}
