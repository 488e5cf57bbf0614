//! Games out of PGN: the moves are played, the rest is counted.

use std::io::{self, Read};

use halfmove_rules::{
    AnyFenError, AnyPosition, Chess, CountingPolicy, FenError, Flaws, MakrukSanStyle, Move,
    Position, San, SanError, Setup, Variant,
};
use memchr::memmem;

use super::counts::Counts;
use super::error::{PgnError, PgnErrorKind, Skip, SkipReason, explain, quote};
use super::makruk;
use super::reader::Reader;
use super::source::{LineColumn, Place};
use super::text::Text;
use super::visitor::{Problem, Visitor};
use crate::game::{AnyGame, CountCall, Game};
use crate::result::GameResult;
use crate::tags::Tags;

/// Reads games one by one: tags, start, main line and result. Comments, glyphs and variations are
/// stepped over and [counted](Counts).
///
/// A game that starts from its `FEN` tag (X-FEN or Shredder-FEN; castling rights and en passant
/// squares that the board contradicts are forgiven) and a game of Chess960 are games like any
/// other. Moves may be written in any way that [`San`] or [`UciMove`] reads.
///
/// [`GameReader::read`] is for chess and skips other variants. [`GameReader::read_any`] reads Makruk
/// and the games beside it, too: the tag `Variant` names them, in upper or lower case. A file without
/// that tag has to be [told](GameReader::with_variant), and so has one whose SAN is not
/// [Fairy-Stockfish's](GameReader::with_san_style); neither can be told from the moves for certain.
/// A `FEN` of Makruk may be of either dialect if it is [certain](halfmove_rules::MakrukDialect::detect).
///
/// See the [module](super) for an example.
pub struct GameReader<R> {
    reader: Reader<R>,
    counts: Counts,
    position: AnyPosition,
    settings: Settings,
}

#[derive(Clone, Copy)]
struct Settings {
    variant: Variant,
    san_style: MakrukSanStyle,
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
            position: AnyPosition::start(Variant::Chess),
            settings: Settings { variant: Variant::Chess, san_style: MakrukSanStyle::Fairy },
        }
    }

    /// The same reader; a game without the tag `Variant` is one of `variant` for
    /// [`read_any`](Self::read_any), not of chess.
    #[must_use]
    pub fn with_variant(mut self, variant: Variant) -> GameReader<R> {
        self.settings.variant = variant;
        self
    }

    /// The same reader; moves of Makruk are written in `style`, not in Fairy-Stockfish's. Moves as
    /// UCI writes them are read in any case.
    ///
    /// ```
    /// use halfmove_game::AnyGame;
    /// use halfmove_game::pgn::{GameReader, Reading};
    /// use halfmove_rules::{MakrukSanStyle, MakrukVariant, Variant};
    ///
    /// // PlayOK names no variant, and a khon is its B, a met its Q.
    /// let text = "[Site \"PlayOK\"]\n\n1. Bf2 Qc7 *\n";
    /// let mut reader = GameReader::new(text.as_bytes())
    ///     .with_variant(Variant::Makruk(MakrukVariant::Makruk))
    ///     .with_san_style(MakrukSanStyle::PlayOk);
    /// let mut game = AnyGame::default();
    /// assert_eq!(reader.read_any(&mut game)?, Some(Reading::Whole));
    /// assert_eq!(game.moves[1].to_string(), "d8c7");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn with_san_style(mut self, style: MakrukSanStyle) -> GameReader<R> {
        self.settings.san_style = style;
        self
    }

    /// Reads the next game into `game`, whatever that held before. `None` at the end of the input.
    /// Games of other variants than chess and Chess960 are skipped.
    ///
    /// # Errors
    ///
    /// Only those of the source, never a fault of the text. After one, `game` is not complete.
    pub fn read(&mut self, game: &mut Game) -> io::Result<Option<Reading>> {
        game.clear();
        let mut start = AnyPosition::start(Variant::Chess);
        let reading = self.read_into(Parts {
            tags: &mut game.tags,
            start: &mut start,
            moves: &mut game.moves,
            count_calls: &mut Vec::new(),
            result: &mut game.result,
            chess_only: true,
        });
        if let AnyPosition::Chess(start) = start {
            game.start = start;
        }
        reading
    }

    /// Reads the next game, of whichever variant this crate knows, into `game`, whatever that held
    /// before. `None` at the end of the input.
    ///
    /// In Makruk the tag `Counting` says who starts a [count](CountingPolicy), `auto` (also without
    /// the tag), `thai` or `makruk-js`, and a comment between two half-moves what the count is:
    ///
    /// ```text
    /// {[%count board white 0]}      White has begun to count for the board's honor, no number is spoken yet
    /// {[%count board white 12]}     its last number was 12
    /// {[%count pieces black 6]}     Black counts for the pieces' honor, its last number was 6
    /// {[%count none]}               nobody is counting any more
    /// ```
    ///
    /// A comment that differs from what the moves say is a [call](CountCall), if the rules allow one;
    /// else it is [counted](Counts::unusable_counts) and changes nothing.
    ///
    /// ```
    /// use halfmove_game::pgn::GameReader;
    /// use halfmove_game::{AnyGame, CountCall};
    ///
    /// let text = "[Variant \"Makruk\"]\n[Counting \"thai\"]\n[FEN \"8/8/K7/8/6s1/2N1r1k1/7m/8 w - - 0 1\"]\n\n\
    ///     1. Kb6 Kf4 {[%count board white 0]} 2. Kc5 Ke5 {[%count none]} 3. Kc4 *\n";
    /// let mut game = AnyGame::default();
    /// GameReader::new(text.as_bytes()).read_any(&mut game)?;
    /// assert_eq!(game.count_calls, [CountCall::Begin { ply: 2 }, CountCall::Stop { ply: 4 }]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`GameReader::read`].
    pub fn read_any(&mut self, game: &mut AnyGame) -> io::Result<Option<Reading>> {
        game.clear();
        self.read_into(Parts {
            tags: &mut game.tags,
            start: &mut game.start,
            moves: &mut game.moves,
            count_calls: &mut game.count_calls,
            result: &mut game.result,
            chess_only: false,
        })
    }

    fn read_into(&mut self, game: Parts<'_>) -> io::Result<Option<Reading>> {
        let variant = if game.chess_only { Variant::Chess } else { self.settings.variant };
        let mut builder = Builder {
            game,
            position: &mut self.position,
            counts: &mut self.counts,
            variant,
            san_style: self.settings.san_style,
            policy: None,
            fen_at: None,
            early_comments: Vec::new(),
            fault: None,
            skip: None,
            in_game: false,
            in_moves: false,
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

/// The game that is filled.
struct Parts<'a> {
    tags: &'a mut Tags,
    start: &'a mut AnyPosition,
    moves: &'a mut Vec<Move>,
    count_calls: &'a mut Vec<CountCall>,
    result: &'a mut Option<GameResult>,
    chess_only: bool,
}

struct Builder<'a> {
    game: Parts<'a>,
    position: &'a mut AnyPosition,
    counts: &'a mut Counts,
    variant: Variant,
    san_style: MakrukSanStyle,
    policy: Option<CountingPolicy>,
    /// Where the first `FEN` tag stands that is not empty.
    fen_at: Option<LineColumn>,
    /// Comments before the first move that may hold counts.
    early_comments: Vec<u8>,
    fault: Option<PgnError>,
    skip: Option<Skip>,
    in_game: bool,
    in_moves: bool,
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
            b"FEN" if self.fen_at.is_none() && !text.trim().is_empty() => {
                self.fen_at = Some(place.line_column());
            }
            b"Variant" => self.tag_of_variant(text.trim(), place),
            b"Counting" if !self.game.chess_only => {
                self.policy = makruk::policy(text.trim());
                self.counts.unusable_counts += u64::from(self.policy.is_none());
            }
            _ => {}
        }
    }

    fn end_tags(&mut self) {
        self.in_moves = true;
        // A variant that is not known is the better reason, should the FEN be unusable as well.
        if self.skip.is_none() {
            self.find_start();
        }
        self.position.clone_from(self.game.start);
        if !self.early_comments.is_empty() {
            let comments = std::mem::take(&mut self.early_comments);
            self.take_counts(&comments);
        }
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
            match self.position {
                AnyPosition::Chess(position) => {
                    match San::parse(san).and_then(|san| san.resolve(position)) {
                        Ok(mv) => {
                            position.play_unchecked(mv);
                            self.game.moves.push(mv);
                        }
                        Err(error) => self.resolve_otherwise(san, error, place),
                    }
                }
                AnyPosition::Makruk(_) => self.play_makruk(san, place),
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
            if !self.game.chess_only && self.depth == 0 {
                self.take_counts(bytes);
            }
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
        *self.game.result = Some(result);
    }

    fn end_game(&mut self) {
        let counts = &mut *self.counts;
        counts.half_moves += self.game.moves.len() as u64;
        match &self.skip {
            Some(Skip {
                reason: SkipReason::Variant(name) | SkipReason::UnknownVariant(name),
                ..
            }) => {
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
        if let (Some(told), Some(result)) = (told, *self.game.result) {
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
    /// What SAN does not know: moves as UCI writes them, and evaluations glued to a move.
    #[cold]
    fn resolve_otherwise(&mut self, text: &[u8], error: SanError, place: Place<'_>) {
        let as_uci =
            std::str::from_utf8(text).ok().and_then(|text| self.position.parse_uci(text).ok());
        let resolved = as_uci.or_else(|| {
            let glued = text.iter().rev().take_while(|byte| b"+-/=#".contains(byte)).count();
            self.resolve(&text[..text.len() - glued]).ok()
        });
        match resolved {
            Some(mv) => self.play(mv),
            None => {
                self.counts.lost_half_moves += 1;
                self.counts.null_moves += u64::from(error == SanError::Null);
                let kind = match &*self.position {
                    AnyPosition::Chess(position) => explain(text, error, position),
                    AnyPosition::Makruk(position) => {
                        makruk::explain(text, error, position, self.san_style)
                    }
                };
                self.fault(kind, place);
            }
        }
    }

    /// Kept out of the way of chess.
    #[cold]
    fn play_makruk(&mut self, text: &[u8], place: Place<'_>) {
        match self.resolve(text) {
            Ok(mv) => self.play(mv),
            Err(error) => self.resolve_otherwise(text, error, place),
        }
    }

    /// The move that a SAN means.
    fn resolve(&self, text: &[u8]) -> Result<Move, SanError> {
        match &*self.position {
            AnyPosition::Chess(position) => San::parse(text)?.resolve(position),
            AnyPosition::Makruk(position) => {
                let text = std::str::from_utf8(text).map_err(|_| SanError::Syntax)?;
                let null = if is_null(text.as_bytes()) { Err(SanError::Null) } else { Ok(()) };
                null.and_then(|()| position.parse_san(text, self.san_style))
            }
        }
    }

    /// Takes what a comment says of the count; one before the first move has to wait for the start.
    #[cold]
    fn take_counts(&mut self, comment: &[u8]) {
        if self.in_game && !self.in_moves {
            self.early_comments.extend_from_slice(comment);
        } else if let AnyPosition::Makruk(position) = &mut *self.position
            && self.in_moves
            && self.fault.is_none()
            && self.skip.is_none()
        {
            let ply = self.game.moves.len();
            let usable = makruk::take_counts(comment, position, ply, self.game.count_calls);
            self.counts.unusable_counts += u64::from(!usable);
        }
    }

    fn play(&mut self, mv: Move) {
        self.position.play_unchecked(mv);
        self.game.moves.push(mv);
    }

    fn fault(&mut self, kind: PgnErrorKind, place: Place<'_>) {
        if self.fault.is_none() {
            let ply = u32::try_from(self.game.moves.len() + 1).unwrap_or(u32::MAX);
            let at = place.line_column();
            self.fault = Some(PgnError { game: self.counts.games, at, ply, kind });
        }
    }

    /// A tag that is empty says nothing.
    fn tag_of_variant(&mut self, name: &str, place: Place<'_>) {
        let known = if is_chess(name) { Some(Variant::Chess) } else { Variant::from_name(name) };
        match known {
            Some(Variant::Chess) if self.game.chess_only || name.is_empty() => {}
            Some(variant) if !self.game.chess_only => {
                self.variant = variant;
                self.skip = None;
            }
            _ => {
                let name = name.to_owned();
                let reason = match self.game.chess_only {
                    true => SkipReason::Variant(name),
                    false => SkipReason::UnknownVariant(name),
                };
                let at = place.line_column();
                self.skip = Some(Skip { game: self.counts.games, at, reason });
            }
        }
    }

    /// The position of the first `FEN` tag that is not empty, or the usual start.
    fn find_start(&mut self) {
        if let Some(at) = self.fen_at {
            let fens = self.game.tags.iter().filter(|(name, _)| *name == "FEN");
            let fen = fens.map(|(_, value)| value.trim()).find(|value| !value.is_empty());
            let fen = fen.unwrap_or_default();
            match parse_start(self.variant, fen) {
                Ok(start) => *self.game.start = start,
                Err(error) => {
                    let reason =
                        SkipReason::Position { fen: fen.chars().take(100).collect(), error };
                    self.skip = Some(Skip { game: self.counts.games, at, reason });
                }
            }
        } else if self.variant != Variant::Chess {
            *self.game.start = AnyPosition::start(self.variant);
        }
        if let (Some(policy), AnyPosition::Makruk(start)) = (self.policy, &mut *self.game.start) {
            *start = start.clone().with_policy(policy);
        }
    }
}

fn parse_start(variant: Variant, fen: &str) -> Result<AnyPosition, AnyFenError> {
    match variant {
        Variant::Chess => Ok(parse_chess(fen)?.into()),
        variant => AnyPosition::parse(variant, fen),
    }
}

fn parse_chess(fen: &str) -> Result<Chess, FenError> {
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
