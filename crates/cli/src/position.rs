//! Positions given on the command line.

use crate::args::{Position, Start, Variant};
use anyhow::{Context, anyhow, bail};
use halfmove_game::openings::{self, Opening};
use halfmove_rules::makruk;
use halfmove_rules::{AnyFenError, AnyPosition, CastlingMode, CastlingStyle, Chess, Makruk, Move};

/// The position of a FEN; without one, the usual start.
///
/// Without a mode, the FEN decides between standard chess and Chess960.
fn from_fen(fen: Option<&str>, mode: Option<CastlingMode>) -> anyhow::Result<Chess> {
    match fen {
        None if mode == Some(CastlingMode::Chess960) => Ok(Chess::default().into_chess960()),
        None => Ok(Chess::default()),
        Some(fen) => Chess::from_fen(fen, mode).with_context(|| format!("--fen \"{fen}\"")),
    }
}

impl Position {
    /// The requested position, if any.
    pub(crate) fn wanted(&self) -> anyhow::Result<Option<AnyPosition>> {
        match (&self.fen, &self.moves) {
            (Some(_), _) => self.start().map(Some),
            (None, Some(moves)) => after_moves(self.start()?, moves).map(Some),
            (None, None) => Ok(None),
        }
    }

    /// The position of the FEN; without one, the usual start of the variant.
    pub(crate) fn start(&self) -> anyhow::Result<AnyPosition> {
        let Self { fen, variant, dialect, .. } = self;
        let start = Start { fen: fen.clone(), variant: *variant, dialect: *dialect };
        start.position().map(|(position, _)| position)
    }

    /// The opening of the requested position. With moves, that of the last position on the way that is listed.
    pub(crate) fn opening(&self) -> anyhow::Result<Option<&'static Opening>> {
        let mut position = self.start()?;
        let of = |position: &AnyPosition| position.as_chess().and_then(openings::of_position);
        let mut opening = of(&position);
        for mv in moves_of(&position, self.moves.as_deref().unwrap_or_default())? {
            position.play_unchecked(mv);
            opening = of(&position).or(opening);
        }
        Ok(opening)
    }
}

/// The position after some moves in SAN or UCI notation.
fn after_moves(mut position: AnyPosition, text: &str) -> anyhow::Result<AnyPosition> {
    for mv in moves_of(&position, text)? {
        position.play_unchecked(mv);
    }
    Ok(position)
}

/// Moves from a position in SAN or UCI notation.
fn moves_of(start: &AnyPosition, text: &str) -> anyhow::Result<Vec<Move>> {
    let mut position = start.clone();
    let mut moves = Vec::new();
    for Word { number, typed, text } in words(text) {
        let uci = || position.parse_uci(text).ok();
        match position.parse_san(text).or_else(|error| uci().ok_or(error)) {
            Ok(mv) => {
                position.play_unchecked(mv);
                moves.push(mv);
            }
            Err(error) => bail!("--moves, word {number}, \"{typed}\": {error}"),
        }
    }
    Ok(moves)
}

/// A word of `--moves`.
pub(crate) struct Word<'a> {
    /// The number of the word, from 1.
    pub(crate) number: usize,
    /// The whole word, possibly with a move number.
    pub(crate) typed: &'a str,
    /// The move alone.
    pub(crate) text: &'a str,
}

/// The words of a text, without move numbers and results.
pub(crate) fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    text.split_whitespace().enumerate().filter_map(|(index, typed)| {
        let text = typed.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('.');
        let is_number = text.is_empty() && typed.ends_with('.');
        if is_number || matches!(typed, "1-0" | "0-1" | "1/2-1/2" | "*") {
            return None;
        }
        // Castling with zeros begins with a digit, but a move number ends with a dot.
        let text = if typed.contains('.') { text } else { typed };
        Some(Word { number: index + 1, typed, text })
    })
}

impl Start {
    /// The position, and the variant to name in output.
    pub(crate) fn position(&self) -> anyhow::Result<(AnyPosition, Variant)> {
        if let Some(variant @ Variant::Makruk(rules)) = self.variant {
            return Ok((self.makruk(rules)?, variant));
        }
        if self.dialect.is_some() {
            bail!(
                "--dialect: FEN has no dialects in chess, expected --variant makruk, makpong or asean"
            );
        }
        let mode = match self.variant {
            Some(Variant::Chess) => Some(CastlingMode::Standard),
            Some(Variant::Chess960) => Some(CastlingMode::Chess960),
            _ => None,
        };
        let position = from_fen(self.fen.as_deref(), mode)?;
        let inferred = if position.is_chess960() { Variant::Chess960 } else { Variant::Chess };
        Ok((position.into(), self.variant.unwrap_or(inferred)))
    }
}

impl Start {
    fn makruk(&self, rules: makruk::Rules) -> anyhow::Result<AnyPosition> {
        let variant = halfmove_rules::Variant::from(rules);
        let Some(fen) = &self.fen else { return Ok(AnyPosition::start(variant)) };
        let position = match self.dialect {
            None => AnyPosition::from_fen(fen, variant).map_err(|error| match error {
                AnyFenError::Makruk(makruk::FenError::UnknownDialect { .. }) => {
                    anyhow!("{error} (--dialect fairy or --dialect makruk-js)")
                }
                _ => error.into(),
            }),
            Some(dialect) => makruk::Setup::parse(fen, rules, dialect.into())
                .and_then(|setup| Ok(Makruk::from_setup(setup)?.into()))
                .map_err(anyhow::Error::from),
        };
        position.with_context(|| format!("--fen \"{fen}\""))
    }
}

impl From<Variant> for halfmove_rules::Variant {
    fn from(variant: Variant) -> Self {
        match variant {
            Variant::Chess => Self::Chess,
            Variant::Chess960 => Self::Chess960,
            Variant::Makruk(rules) => rules.into(),
        }
    }
}

impl Variant {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Chess => "chess",
            Self::Chess960 => "chess960",
            Self::Makruk(variant) => variant.name(),
        }
    }

    pub(crate) fn castling_style(self) -> CastlingStyle {
        match self {
            Self::Chess960 => CastlingStyle::KingTakesRook,
            _ => CastlingStyle::KingToTarget,
        }
    }
}
