//! Positions given on the command line.

use crate::args::{Position, Start, Variant};
use crate::movetext;
use crate::output::{self, Advised};
use anyhow::{Context, anyhow, bail};
use halfmove_game::openings::{self, Opening};
use halfmove_game::replay::{MoveSequence, Pattern};
use halfmove_rules::makruk;
use halfmove_rules::{AnyPosition, CastlingMode, CastlingStyle, Chess, Makruk, Repair};

/// The hint for a FEN with missing fields.
const FIELDS: &str = "a FEN has the pieces, the side to move, castling and en passant: \
    \"4k3/8/8/8/8/8/4P3/4K3 w - -\"";

/// A position, with the changes that were needed to read it.
type Repaired<P> = (P, Vec<Repair>);

/// Prints a warning for each change to a FEN.
fn warn(repairs: &[Repair]) {
    for repair in repairs {
        output::note(format_args!("warning: --fen: {repair}"));
    }
}

/// Returns the position of a FEN of chess.
///
/// Without a mode, the FEN decides between standard chess and Chess960.
fn from_fen(
    fen: &str,
    mode: Option<CastlingMode>,
    is_strict: bool,
) -> anyhow::Result<Repaired<Chess>> {
    let read = match is_strict {
        true => Chess::from_fen(fen, mode).map(|position| (position, Vec::new())),
        false => Chess::from_fen_lenient(fen, mode),
    };
    read.with_context(|| format!("--fen \"{fen}\"")).map_err(|error| {
        match fen.split_whitespace().count() {
            _ if is_makruk(fen) => {
                Advised::new(error, "this is a position of Makruk: --variant makruk").into()
            }
            4.. => error,
            _ => Advised::new(error, FIELDS).into(),
        }
    })
}

/// Returns true if a FEN has pieces that only Makruk has.
fn is_makruk(fen: &str) -> bool {
    let board = fen.split_whitespace().next().unwrap_or_default();
    board.contains(['m', 'M', 's', 'S', 'f', 'F'])
        && AnyPosition::from_fen_lenient(fen, halfmove_rules::Variant::Makruk).is_ok()
}

impl Position {
    /// The requested position, if any. Prints what was changed in its FEN.
    pub(crate) fn requested(&self) -> anyhow::Result<Option<AnyPosition>> {
        let start = match (&self.fen, &self.moves) {
            (None, None) => return Ok(None),
            (fen, _) => {
                let board = fen.as_deref().and_then(Pattern::text_of_board);
                let hint =
                    board.map(|board| format!("for any side to move: --pattern \"{board}\""));
                let (start, _, repairs) =
                    self.as_start().read().map_err(|error| advised(error, hint.clone()))?;
                warn(&repairs);
                hint.iter().for_each(|hint| output::hint(hint));
                start
            }
        };
        let moves = self.moves.as_deref().unwrap_or_default();
        let reached = movetext::play(start.clone(), moves);
        let reached = reached.map_err(|error| {
            // The moves cannot begin a game, but may follow each other later.
            let first = movetext::words(moves).ok().and_then(|words| words.into_iter().next());
            let is_no_line = first.is_some_and(|first| movetext::find(&start, &first).is_err());
            let is_sequence = is_no_line && moves.parse::<MoveSequence>().is_ok();
            let hint = "these moves, wherever they follow each other in a game: --played";
            advised(error, is_sequence.then(|| format!("{hint} \"{moves}\"")))
        });
        reached.map(Some)
    }

    /// The position of the FEN; without one, the standard starting position of the variant.
    pub(crate) fn start(&self) -> anyhow::Result<AnyPosition> {
        self.as_start().read().map(|(position, ..)| position)
    }

    fn as_start(&self) -> Start {
        let Self { fen, variant, dialect, strict, .. } = self;
        let (fen, variant, dialect, strict) = (fen.clone(), *variant, *dialect, *strict);
        Start { fen, moves: None, variant, dialect, strict }
    }

    /// The opening of the requested position. With moves, that of the last position on the way that has a name.
    pub(crate) fn opening(&self) -> anyhow::Result<Option<&'static Opening>> {
        let mut position = self.start()?;
        let of = |position: &AnyPosition| position.as_chess().and_then(openings::of_position);
        let mut opening = of(&position);
        for word in movetext::words(self.moves.as_deref().unwrap_or_default())? {
            let mv = movetext::find(&position, &word)?;
            position.play_unchecked(mv);
            opening = of(&position).or(opening);
        }
        Ok(opening)
    }
}

/// Adds advice to an error, if there is any.
fn advised(error: anyhow::Error, hint: Option<String>) -> anyhow::Error {
    match hint {
        Some(hint) => Advised::new(error, hint).into(),
        None => error,
    }
}

impl Start {
    /// The position after the moves, and the variant to name in output.
    pub(crate) fn reached(&self) -> anyhow::Result<(AnyPosition, Variant)> {
        let (start, variant) = self.position()?;
        let moves = self.moves.as_deref().unwrap_or_default();
        Ok((movetext::play(start, moves)?, variant))
    }
}

impl Start {
    /// The position before the moves, and the variant to name in output. Prints what was changed in its FEN.
    pub(crate) fn position(&self) -> anyhow::Result<(AnyPosition, Variant)> {
        let (position, variant, repairs) = self.read()?;
        warn(&repairs);
        Ok((position, variant))
    }

    fn read(&self) -> anyhow::Result<(AnyPosition, Variant, Vec<Repair>)> {
        if let Some(variant @ Variant::Makruk(rules)) = self.variant {
            let (position, repairs) = self.makruk(rules)?;
            return Ok((position, variant, repairs));
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
        let (position, repairs) = match self.fen() {
            None if mode == Some(CastlingMode::Chess960) => {
                (Chess::default().into_chess960(), Vec::new())
            }
            None => (Chess::default(), Vec::new()),
            Some(fen) => from_fen(fen, mode, self.strict)?,
        };
        let inferred = if position.is_chess960() { Variant::Chess960 } else { Variant::Chess };
        Ok((position.into(), self.variant.unwrap_or(inferred), repairs))
    }
}

impl Start {
    /// The FEN. `startpos` is the standard starting position, as in UCI.
    fn fen(&self) -> Option<&str> {
        self.fen.as_deref().filter(|fen| *fen != "startpos")
    }

    fn makruk(&self, rules: makruk::Rules) -> anyhow::Result<Repaired<AnyPosition>> {
        let Some(fen) = self.fen() else {
            return Ok((AnyPosition::start(rules.into()), Vec::new()));
        };
        let dialect = self.dialect.map(Into::into);
        let read = match self.strict {
            true => Makruk::from_fen(fen, rules, dialect).map(|position| (position, Vec::new())),
            false => Makruk::from_fen_lenient(fen, rules, dialect),
        };
        let read = read.map_err(|error| match error {
            makruk::FenError::UnknownDialect { .. } => {
                anyhow!("{error} (--dialect fairy or --dialect makruk-js)")
            }
            _ => error.into(),
        });
        let (position, repairs) = read.with_context(|| format!("--fen \"{fen}\""))?;
        Ok((position.into(), repairs))
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
