//! Fills in a game from the tokenizer's reports.

use halfmove_rules::makruk::{CountingPolicy, SanStyle};
use halfmove_rules::{
    AnyFenError, AnyPosition, CastlingMode, Chess, FenError, Flaws, Move, San, SanError, Setup,
    Variant,
};
use memchr::memmem;

use super::super::counts::Counts;
use super::super::error::{PgnError, PgnErrorKind, Skip, SkipReason, explain, quote};
use super::super::makruk;
use super::super::nag::Nag;
use super::super::source::{LineColumn, Place};
use super::super::text::Text;
use super::super::visitor::{CommentStyle, Flow, Problem, Visitor};
use super::super::word::Word;
use crate::game::CountCall;
use crate::result::GameResult;
use crate::tags::Tags;

/// The game being filled in.
pub(super) struct Parts<'a> {
    pub(super) tags: &'a mut Tags,
    pub(super) start: &'a mut AnyPosition,
    pub(super) moves: &'a mut Vec<Move>,
    pub(super) count_calls: &'a mut Vec<CountCall>,
    pub(super) result: &'a mut Option<GameResult>,
    pub(super) chess_only: bool,
}

pub(super) struct Builder<'a> {
    pub(super) game: Parts<'a>,
    pub(super) position: &'a mut AnyPosition,
    pub(super) counts: &'a mut Counts,
    pub(super) variant: Variant,
    /// The castling mode that the tags name, if any.
    pub(super) castling_mode: Option<CastlingMode>,
    pub(super) san_style: SanStyle,
    pub(super) policy: Option<CountingPolicy>,
    /// The place of the first `FEN` tag that is not empty.
    pub(super) fen_at: Option<LineColumn>,
    /// Comments before the first move that may contain counts.
    pub(super) early_comments: Vec<u8>,
    pub(super) fault: Option<PgnError>,
    pub(super) skip: Option<Skip>,
    pub(super) in_game: bool,
    pub(super) in_moves: bool,
    pub(super) has_moves: bool,
    pub(super) depth: u64,
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

    fn end_tags(&mut self) -> Flow {
        self.in_moves = true;
        // An unknown variant is the better reason if the FEN is invalid too.
        if self.skip.is_none() {
            self.find_start();
        }
        self.position.clone_from(self.game.start);
        if !self.early_comments.is_empty() {
            let comments = std::mem::take(&mut self.early_comments);
            self.take_counts(&comments);
        }
        Flow::Read
    }

    #[inline]
    fn san(&mut self, san: Word<'_>, place: Place<'_>) {
        let san = san.as_bytes();
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

    fn nag(&mut self, _: Nag, _: Place<'_>) {
        self.counts.nags += 1;
    }

    fn comment(&mut self, text: Text<'_>, _: CommentStyle, _: Place<'_>) {
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

    fn begin_variation(&mut self, _: Place<'_>) -> Flow {
        self.depth += 1;
        self.counts.variations += 1;
        Flow::Read
    }

    fn end_variation(&mut self) {
        self.depth -= 1;
    }

    fn result(&mut self, result: GameResult, _: Place<'_>) {
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
    /// What SAN cannot read: moves in UCI notation, and evaluations glued to a move.
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

    /// Kept out of the hot path for chess.
    #[cold]
    fn play_makruk(&mut self, text: &[u8], place: Place<'_>) {
        match self.resolve(text) {
            Ok(mv) => self.play(mv),
            Err(error) => self.resolve_otherwise(text, error, place),
        }
    }

    /// Finds the move that a SAN names.
    fn resolve(&self, text: &[u8]) -> Result<Move, SanError> {
        match &*self.position {
            AnyPosition::Chess(position) => San::parse(text)?.resolve(position),
            AnyPosition::Makruk(position) => {
                let text = std::str::from_utf8(text)
                    .map_err(|error| SanError::Syntax { offset: error.valid_up_to() })?;
                let null = if is_null(text.as_bytes()) { Err(SanError::Null) } else { Ok(()) };
                null.and_then(|()| position.parse_san_in(text, self.san_style))
            }
        }
    }

    /// Reads the counts in a comment. Comments before the first move must wait for the start
    /// position.
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

    /// Empty tags are ignored.
    fn tag_of_variant(&mut self, name: &str, place: Place<'_>) {
        let known = match chess_of_name(name) {
            Some(mode) => {
                if !name.is_empty() {
                    self.castling_mode = mode;
                }
                Some(mode.map_or(Variant::Chess, Variant::from))
            }
            None => Variant::from_name(name),
        };
        match known {
            Some(variant) if name.is_empty() || self.game.chess_only && !is_makruk(variant) => {}
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

    /// The position of the first `FEN` tag that is not empty, or the usual start position.
    fn find_start(&mut self) {
        if let Some(at) = self.fen_at {
            let fens = self.game.tags.iter().filter(|(name, _)| *name == "FEN");
            let fen = fens.map(|(_, value)| value.trim()).find(|value| !value.is_empty());
            let fen = fen.unwrap_or_default();
            match parse_start(self.variant, self.castling_mode, fen) {
                Ok(start) => *self.game.start = start,
                Err(error) => {
                    let reason =
                        SkipReason::Position { fen: fen.chars().take(100).collect(), error };
                    self.skip = Some(Skip { game: self.counts.games, at, reason });
                }
            }
        } else if self.castling_mode == Some(CastlingMode::Chess960) {
            *self.game.start = AnyPosition::start(Variant::Chess960);
        } else if self.variant != Variant::Chess {
            *self.game.start = AnyPosition::start(self.variant);
        }
        if let (Some(policy), AnyPosition::Makruk(start)) = (self.policy, &mut *self.game.start) {
            *start = start.clone().with_policy(policy);
        }
    }
}

fn parse_start(
    variant: Variant,
    mode: Option<CastlingMode>,
    fen: &str,
) -> Result<AnyPosition, AnyFenError> {
    if is_makruk(variant) {
        return AnyPosition::from_fen(fen, variant);
    }
    Ok(parse_chess(fen, mode)?.into())
}

fn parse_chess(fen: &str, mode: Option<CastlingMode>) -> Result<Chess, FenError> {
    let setup: Setup = fen.parse()?;
    Ok(Chess::from_setup_in(setup, mode, Flaws::LEFTOVERS | Flaws::UNREACHABLE)?)
}

fn is_makruk(variant: Variant) -> bool {
    variant.makruk_rules().is_some()
}

pub(super) fn is_null(san: &[u8]) -> bool {
    matches!(san.first(), Some(b'-' | b'Z' | b'n' | b'@'))
        && matches!(San::parse(san), Err(SanError::Null))
}

/// The castling mode for a `Variant` tag, `None` if it names another game. Files also use
/// `Standard` with start positions of Chess960, so only Chess960 is taken literally; otherwise the
/// FEN decides.
fn chess_of_name(variant: &str) -> Option<Option<CastlingMode>> {
    let name: String = variant
        .chars()
        .filter(|char| char.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    match name.as_str() {
        "" | "standard" | "standardchess" | "chess" | "normal" | "regular" | "classical"
        | "orthodox" | "fromposition" => Some(None),
        "chess960"
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
        | "doublefischerrandom" => Some(Some(CastlingMode::Chess960)),
        _ => None,
    }
}
