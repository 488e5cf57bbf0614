//! The start position and the variant of a game, from its tags.

use halfmove_rules::makruk::{CountingPolicy, Dialect, Rules};
use halfmove_rules::{
    AnyFenError, AnyPosition, CastlingMode, Chess, Color, Makruk, Repair, Variant,
};

use super::super::counts::Counts;
use super::super::error::{Skip, SkipReason, quote};
use super::super::makruk;
use super::super::source::{LineColumn, Place};
use super::super::tag_lines::TagLines;
use super::super::text::Text;
use crate::tags::Tags;
use crate::variants::{demanded_mode, is_no_variant, variant_named};

/// Returns true for the name of a tag that affects the start.
#[inline]
fn concerns_start(name: &[u8]) -> bool {
    // Nearly all other names fail here, in one comparison.
    let may = name.first().is_some_and(|&first| LENGTHS[usize::from(first)] == name.len());
    may && matches!(name, b"FEN" | b"Variant" | b"Counting")
}

/// The lengths of the names that affect the start, by their first bytes.
static LENGTHS: [usize; 256] = {
    let mut lengths = [usize::MAX; 256];
    lengths[b'F' as usize] = "FEN".len();
    lengths[b'V' as usize] = "Variant".len();
    lengths[b'C' as usize] = "Counting".len();
    lengths
};

/// The tags of a game that affect its start.
pub(super) struct Start {
    /// True if games other than chess are skipped.
    chess_only: bool,
    /// True to skip games whose main line may not be encodable.
    for_bytes: bool,
    /// True to skip games whose FEN needs repairs.
    is_strict: bool,
    variant: Variant,
    /// The castling mode that the tags give, if any.
    castling_mode: Option<CastlingMode>,
    /// The first `FEN` tag that is not empty.
    fen: Option<(LineColumn, String)>,
    policy: Option<CountingPolicy>,
    skip: Option<Skip>,
}

impl Start {
    /// Creates the state for games that are of `variant` unless their tags name another.
    pub(super) fn new(variant: Variant, chess_only: bool) -> Start {
        Start {
            chess_only,
            for_bytes: false,
            is_strict: false,
            variant,
            castling_mode: demanded_mode(variant),
            fen: None,
            policy: None,
            skip: None,
        }
    }

    /// Sets the flag to skip games whose main line may not be encodable.
    pub(super) fn for_bytes(self, for_bytes: bool) -> Start {
        Start { for_bytes, ..self }
    }

    /// Sets the flag to skip games whose FEN needs repairs.
    pub(super) fn strict(self, is_strict: bool) -> Start {
        Start { is_strict, ..self }
    }

    /// Adds a tag to those of the game.
    pub(super) fn push(
        &mut self,
        tags: &mut Tags,
        (name, value): (Text<'_>, Text<'_>),
        place: Place<'_>,
        counts: &mut Counts,
    ) {
        counts.latin1_texts += u64::from(!value.is_utf8());
        let text = value.to_str();
        tags.push(&name.to_str(), &text);
        self.take(name.as_bytes(), &text, || place.line_column(), counts);
    }

    /// Adds a run of tags to those of the game.
    pub(super) fn push_lines(
        &mut self,
        tags: &mut Tags,
        run: TagLines<'_>,
        place: Place<'_>,
        counts: &mut Counts,
    ) {
        if !tags.push_lines(run) {
            let others = run.iter().filter(|(_, value, _)| !value.is_utf8());
            counts.latin1_texts += others.count() as u64;
        }
        let Place { lines, buffer, at } = place;
        for (name, value, offset) in run.iter() {
            if concerns_start(name.as_bytes()) {
                let place = Place { lines: &mut *lines, buffer, at: at + offset };
                self.take(name.as_bytes(), &value.to_str(), || place.line_column(), counts);
            }
        }
    }

    /// Records a tag if it affects the start.
    fn take(
        &mut self,
        name: &[u8],
        value: &str,
        at: impl FnOnce() -> LineColumn,
        counts: &mut Counts,
    ) {
        match name {
            b"FEN" if self.fen.is_none() && !value.trim().is_empty() => {
                self.fen = Some((at(), value.trim().to_owned()));
            }
            b"Variant" => self.take_variant(value.trim(), at, counts.games),
            b"Counting" if !self.chess_only => {
                self.policy = makruk::policy_named(value.trim());
                counts.unusable_counts += u64::from(self.policy.is_none());
            }
            _ => {}
        }
    }

    /// Records a tag `Variant`, unless it is empty or unknown.
    fn take_variant(&mut self, name: &str, at: impl FnOnce() -> LineColumn, game: u64) {
        if is_no_variant(name) {
            return;
        }
        match variant_named(name) {
            Some(variant) if !(self.chess_only && variant.makruk_rules().is_some()) => {
                self.castling_mode = demanded_mode(variant);
                self.variant = variant;
                self.skip = None;
            }
            _ => {
                let name = quote(name);
                let reason = match self.chess_only {
                    true => SkipReason::Variant(name),
                    false => SkipReason::UnknownVariant(name),
                };
                self.skip = Some(Skip { game, at: at(), reason });
            }
        }
    }

    /// The start position; `None` for the standard starting position of chess.
    ///
    /// # Errors
    ///
    /// The reason why the game cannot be read. An unknown variant takes precedence over an invalid FEN.
    pub(super) fn find(&mut self, game: u64) -> Result<Option<ReadStart>, Skip> {
        if let Some(skip) = self.skip.take() {
            return Err(skip);
        }
        let mut start = match self.fen.take() {
            Some((at, fen)) => {
                let read = parse_start(self.variant, self.castling_mode, &fen, self.is_strict);
                let start = read.map_err(|error| {
                    let fen = fen.chars().take(100).collect();
                    Skip { game, at, reason: SkipReason::Position { fen, error } }
                })?;
                if self.for_bytes
                    && let Some((color, found)) = crowd(&start.position)
                {
                    let reason = SkipReason::TooManyPieces { color, found };
                    return Err(Skip { game, at, reason });
                }
                start
            }
            None if self.variant == Variant::Chess => return Ok(None),
            None => ReadStart::exact(AnyPosition::start(self.variant)),
        };
        if let (Some(policy), AnyPosition::Makruk(start)) = (self.policy, &mut start.position) {
            *start = start.clone().with_policy(policy);
        }
        Ok(Some(start))
    }
}

/// The start position given by tags, for a game of `variant` unless they name another.
///
/// ```
/// use halfmove_game::pgn::start_of_tags;
/// use halfmove_game::Tags;
/// use halfmove_game::rules::{AnyPosition, Makruk, Variant};
///
/// let tags = Tags::from_iter([("Variant", "Makruk")]);
/// assert_eq!(start_of_tags(&tags, Variant::Chess), Ok(Makruk::default().into()));
/// ```
///
/// # Errors
///
/// The fault in the tags.
pub fn start_of_tags(tags: &Tags, variant: Variant) -> Result<AnyPosition, SkipReason> {
    let mut start = Start::new(variant, false);
    let mut counts = Counts::default();
    for (name, value) in tags.iter().filter(|(name, _)| concerns_start(name.as_bytes())) {
        // The place of a tag in its file is no longer known.
        start.take(name.as_bytes(), value, || LineColumn { line: 1, column: 1 }, &mut counts);
    }
    let found = start.find(1).map_err(|skip| skip.reason)?;
    Ok(found.map_or_else(|| AnyPosition::start(Variant::Chess), |start| start.position))
}

/// The side of a Makruk position with more pieces than the byte code supports, and their number. In chess, all moves
/// can be encoded.
fn crowd(start: &AnyPosition) -> Option<(Color, u32)> {
    let board = start.as_makruk()?.board();
    let counts = Color::ALL.map(|color| (color, board.by_color(color).len()));
    counts.into_iter().find(|(_, found)| *found > 16)
}

/// A start position from tags.
pub(in crate::pgn) struct ReadStart {
    pub(in crate::pgn) position: AnyPosition,
    /// The repairs to its FEN.
    pub(in crate::pgn) repairs: Vec<Repair>,
    /// The repaired FEN, if strict readers reject the one in the tag.
    pub(in crate::pgn) fen: Option<String>,
}

impl ReadStart {
    fn exact(position: AnyPosition) -> ReadStart {
        ReadStart { position, repairs: Vec::new(), fen: None }
    }

    /// Stores the repaired FEN in the tag from which this start was read: the first one that is not empty.
    pub(in crate::pgn) fn write_fen(&self, tags: &mut Tags) {
        let Some(fen) = &self.fen else { return };
        let is_read = |(name, value): (&str, &str)| name == "FEN" && !value.trim().is_empty();
        if let Some(index) = tags.iter().position(is_read) {
            tags.set_nth(index, fen);
        }
    }
}

/// Reads the FEN of a game: strictly, or otherwise, unless `is_strict`, with repairs.
pub(in crate::pgn) fn parse_start(
    variant: Variant,
    mode: Option<CastlingMode>,
    fen: &str,
    is_strict: bool,
) -> Result<ReadStart, AnyFenError> {
    // For standard chess, the mode is inferred: the rights decide if it is Chess960.
    let strict = match variant.makruk_rules() {
        None => Chess::from_fen(fen, mode).map(AnyPosition::from).map_err(AnyFenError::from),
        Some(rules) => Makruk::from_fen(fen, rules, None).map(Into::into).map_err(Into::into),
    };
    let error = match strict {
        Ok(position) => return Ok(ReadStart::exact(position)),
        Err(error) if is_strict => return Err(error),
        Err(error) => error,
    };
    let lenient = match variant.makruk_rules() {
        None => Chess::from_fen_lenient(fen, mode).ok().map(|(position, repairs)| {
            let fen = position.to_string();
            (position.into(), repairs, fen)
        }),
        Some(rules) => {
            Makruk::from_fen_lenient(fen, rules, None).ok().map(|(position, repairs)| {
                // A tag keeps its dialect. In ASEAN chess there is only one.
                let dialect = Dialect::detect(fen).ok().filter(|_| rules != Rules::Asean);
                let dialect = dialect.unwrap_or(Dialect::Fairy);
                let fen = position.to_setup().fen(dialect).to_string();
                (position.into(), repairs, fen)
            })
        }
    };
    let (position, repairs, fen) = lenient.ok_or(error)?;
    Ok(ReadStart { position, repairs, fen: Some(fen) })
}
