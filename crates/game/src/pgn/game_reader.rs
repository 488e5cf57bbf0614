//! Games out of PGN: the moves are played, the rest is counted.

use std::io::{self, Read};

use halfmove_rules::{Chess, FenError, Flaws, Move, San, SanError, Setup, UciMove};
use memchr::memmem;

use super::counts::Counts;
use super::error::{PgnError, PgnErrorKind, Skip, SkipReason, explain, quote};
use super::reader::Reader;
use super::source::Place;
use super::text::Text;
use super::visitor::{Problem, Visitor};
use crate::game::Game;
use crate::result::GameResult;

/// Reads games one by one: tags, start, main line and result. Comments, glyphs and variations are
/// stepped over and [counted](Counts).
///
/// A game that starts from its `FEN` tag (X-FEN or Shredder-FEN; castling rights and en passant
/// squares that the board contradicts are forgiven) and a game of Chess960 are games like any
/// other. Other variants are skipped. Moves may be written in any way that [`San`] or [`UciMove`]
/// reads.
///
/// See the [module](super) for an example.
pub struct GameReader<R> {
    reader: Reader<R>,
    counts: Counts,
    position: Chess,
}

/// How the reading of a game went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// All of its main line was read.
    Whole,
    /// The game holds the main line up to a fault; what follows was stepped over.
    Faulty(PgnError),
    /// The game holds its tags only: its rules or its start are not supported.
    Skipped(Skip),
}

impl<R: Read> GameReader<R> {
    /// Reads PGN from any source of bytes, such as an [`Input`](crate::Input). It has its own
    /// buffer; a `BufReader` gains nothing.
    pub fn new(source: R) -> GameReader<R> {
        GameReader {
            reader: Reader::new(source),
            counts: Counts::default(),
            position: Chess::default(),
        }
    }

    /// Reads the next game into `game`, whatever that held before. `None` at the end of the input.
    ///
    /// # Errors
    ///
    /// Only those of the source, never a fault of the text. After one, `game` is not complete.
    pub fn read(&mut self, game: &mut Game) -> io::Result<Option<Reading>> {
        game.clear();
        let mut builder = Builder {
            game,
            position: &mut self.position,
            counts: &mut self.counts,
            fault: None,
            skip: None,
            in_game: false,
            has_start: false,
            has_moves: false,
            depth: 0,
        };
        if !self.reader.read_game(&mut builder)? {
            return Ok(None);
        }
        let Builder { fault, skip, .. } = builder;
        Ok(Some(match (skip, fault) {
            (Some(skip), _) => Reading::Skipped(skip),
            (None, Some(fault)) => Reading::Faulty(fault),
            (None, None) => Reading::Whole,
        }))
    }

    /// What was met so far.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }
}

struct Builder<'a> {
    game: &'a mut Game,
    position: &'a mut Chess,
    counts: &'a mut Counts,
    fault: Option<PgnError>,
    skip: Option<Skip>,
    in_game: bool,
    has_start: bool,
    has_moves: bool,
    depth: u64,
}

impl Visitor for Builder<'_> {
    fn begin_game(&mut self, _: Place<'_>) {
        self.in_game = true;
        self.counts.games += 1;
    }

    fn tag(&mut self, name: Text<'_>, value: Text<'_>, place: Place<'_>) {
        if !value.is_utf8() {
            self.counts.latin1_texts += 1;
        }
        let text = value.to_str();
        self.game.tags.push(&name.to_str(), &text);
        match name.as_bytes() {
            b"FEN" => self.start_from(&text, place),
            b"Variant" if !is_chess(&text) => {
                // The variant is the better reason, should the FEN be unusable as well.
                let reason = SkipReason::Variant(text.trim().to_owned());
                let at = place.line_column();
                self.skip = Some(Skip { game: self.counts.games, at, reason });
            }
            _ => {}
        }
    }

    fn end_tags(&mut self) {
        self.position.clone_from(&self.game.start);
    }

    #[inline]
    fn san(&mut self, san: &[u8], place: Place<'_>) {
        if self.depth > 0 {
            self.counts.variation_moves += 1;
            self.counts.null_moves += u64::from(is_null(san));
            return;
        }
        self.has_moves = true;
        if self.fault.is_none() && self.skip.is_none() {
            match San::parse(san).and_then(|san| san.resolve(self.position)) {
                Ok(mv) => self.play(mv),
                Err(error) => self.resolve_otherwise(san, error, place),
            }
        } else {
            self.counts.lost_half_moves += 1;
            self.counts.null_moves += u64::from(is_null(san));
        }
    }

    fn nag(&mut self, _: u8) {
        self.counts.nags += 1;
    }

    fn comment(&mut self, text: Text<'_>) {
        let counts = &mut *self.counts;
        counts.comments += 1;
        let bytes = text.as_bytes();
        if !bytes.is_ascii() && !text.is_utf8() {
            counts.latin1_texts += 1;
        }
        if let Some(first) = memchr::memchr(b'%', bytes) {
            let bytes = &bytes[first..];
            counts.clocks += u64::from(memmem::find(bytes, b"%clk").is_some());
            counts.evaluations += u64::from(memmem::find(bytes, b"%eval").is_some());
        }
    }

    fn begin_variation(&mut self) {
        self.depth += 1;
        self.counts.variations += 1;
    }

    fn end_variation(&mut self) {
        self.depth -= 1;
    }

    fn result(&mut self, result: GameResult) {
        self.game.result = Some(result);
    }

    fn end_game(&mut self) {
        let counts = &mut *self.counts;
        counts.half_moves += self.game.moves.len() as u64;
        match &self.skip {
            Some(Skip { reason: SkipReason::Variant(name), .. }) => {
                *counts.skipped_variants.entry(name.clone()).or_default() += 1;
            }
            Some(_) => counts.skipped_positions += 1,
            None => {
                counts.faulty += u64::from(self.fault.is_some());
                counts.without_moves += u64::from(!self.has_moves);
            }
        }
        let told = self.game.tags.value("Result");
        let told = told.and_then(|value| GameResult::from_token(value.as_bytes()));
        if let (Some(told), Some(result)) = (told, self.game.result) {
            counts.differing_results += u64::from(told != result);
        }
    }

    fn problem(&mut self, problem: Problem, place: Place<'_>) {
        match problem {
            Problem::MalformedTag => self.counts.malformed_tags += 1,
            Problem::LongToken => self.counts.long_tokens += 1,
            Problem::UnclosedComment if !self.in_game => self.outside(b"{", place),
            Problem::UnclosedComment => self.fault(PgnErrorKind::UnclosedComment, place),
            Problem::UnclosedVariation => self.fault(PgnErrorKind::UnclosedVariation, place),
            Problem::StrayCharacter | Problem::StrayParenthesis => {
                self.counts.stray_characters += 1;
            }
        }
    }

    fn outside(&mut self, text: &[u8], place: Place<'_>) {
        let outside = &mut self.counts.outside;
        outside.lines += 1;
        if outside.first.is_none() {
            outside.first = Some((place.line_column(), quote(text)));
        }
    }
}

impl Builder<'_> {
    #[inline]
    fn play(&mut self, mv: Move) {
        self.position.play_unchecked(mv);
        self.game.moves.push(mv);
    }

    /// What SAN does not know: moves as UCI writes them, and evaluations glued to a move.
    #[cold]
    fn resolve_otherwise(&mut self, text: &[u8], error: SanError, place: Place<'_>) {
        let as_uci = std::str::from_utf8(text)
            .ok()
            .and_then(|text| text.parse::<UciMove>().ok())
            .and_then(|mv| mv.resolve(self.position).ok());
        let resolved = as_uci.or_else(|| {
            let glued = text.iter().rev().take_while(|byte| b"+-/=#".contains(byte)).count();
            let san = San::parse(&text[..text.len() - glued]).ok()?;
            san.resolve(self.position).ok()
        });
        match resolved {
            Some(mv) => self.play(mv),
            None => {
                self.counts.lost_half_moves += 1;
                self.counts.null_moves += u64::from(error == SanError::Null);
                let kind = explain(text, error, self.position);
                self.fault(kind, place);
            }
        }
    }

    fn fault(&mut self, kind: PgnErrorKind, place: Place<'_>) {
        if self.fault.is_none() {
            let ply = u32::try_from(self.game.moves.len() + 1).unwrap_or(u32::MAX);
            let at = place.line_column();
            self.fault = Some(PgnError { game: self.counts.games, at, ply, kind });
        }
    }

    /// Takes the first `FEN` tag; an empty one counts for nothing.
    fn start_from(&mut self, fen: &str, place: Place<'_>) {
        let fen = fen.trim();
        if self.has_start || fen.is_empty() {
            return;
        }
        self.has_start = true;
        match parse_start(fen) {
            Ok(start) => self.game.start = start,
            Err(error) if self.skip.is_none() => {
                let reason = SkipReason::Position { fen: fen.chars().take(100).collect(), error };
                let at = place.line_column();
                self.skip = Some(Skip { game: self.counts.games, at, reason });
            }
            Err(_) => {}
        }
    }
}

fn parse_start(fen: &str) -> Result<Chess, FenError> {
    let setup: Setup = fen.parse()?;
    Ok(Chess::from_setup(setup, Flaws::LEFTOVERS | Flaws::UNREACHABLE)?)
}

fn is_null(san: &[u8]) -> bool {
    matches!(san.first(), Some(b'-' | b'Z' | b'n' | b'@'))
        && matches!(San::parse(san), Err(SanError::Null))
}

/// Whether a `Variant` tag means chess, from whatever position, or Chess960.
fn is_chess(variant: &str) -> bool {
    let name: String = variant
        .chars()
        .filter(|char| char.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    matches!(
        name.as_str(),
        "" | "standard"
            | "standardchess"
            | "chess"
            | "normal"
            | "regular"
            | "classical"
            | "orthodox"
            | "fromposition"
            | "chess960"
            | "960"
            | "fischerandom"
            | "fischerandomchess"
            | "fischerrandom"
            | "fischerrandomchess"
            | "freestyle"
            | "freestylechess"
            | "frc"
            | "dfrc"
            | "doublefischerandom"
            | "doublefischerrandom"
    )
}
