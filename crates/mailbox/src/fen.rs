//! Positions as text (the source's section *FEN Parsing* and its folder `fen/`). Imports the board, the pieces and the
//! state.
//!
//! ```text
//! rmtektmr/8/bbbbbbbb/8/8/BBBBBBBB/8/RMTEKTMR w 1                     the source's, of three fields
//! rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSMKSNR w - - 0 1               the same, as Fairy-Stockfish writes it
//! rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1            chess
//! ```
//!
//! That example of the source has both kings on the e-file, as in ASEAN chess. In Makruk each khun starts to the left of
//! its met: `rmtektmr/8/bbbbbbbb/8/8/BBBBBBBB/8/RMTKETMR w 1`.

mod export;
mod import;

pub(crate) use import::Claim;

use crate::{Kind, Rules};
use halfmove_rules::{FenField, Flaws};
use thiserror::Error;

/// The way in which a FEN or SAN names pieces, and a FEN a count. The letters alone do not identify the dialect: `M` is a met
/// in one and a knight in the other.
///
/// ```
/// use halfmove_mailbox::{CountingPolicy, Dialect, Makruk, Rules};
/// let fen = "3n4/1m~5M~/8/m3R3/3m~1k2/2M3N1/8/5K2 w - 128 26 106";
/// let position = Makruk::from_fen(fen, Rules::Makruk, Dialect::Fairy, CountingPolicy::Auto)?;
/// assert_eq!(
///     position.to_fen(Dialect::MakrukJs),
///     "3m4/1f5F/8/e3R3/3f1k2/2E3M1/8/5K2 w 106 w bp 13 1 64"
/// );
/// # Ok::<(), halfmove_mailbox::MakrukError>(())
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Fairy-Stockfish's: `K M S N R P`, and `M~` for a promoted bia. There are six fields. The
    /// fourth is the limit of the count and the fifth its progress, both in half-moves; without a
    /// count they are `-` and the half-move clock.
    Fairy,
    /// The source's, that is makruk-js's: `K E T M R B`, and `F` for a promoted bia. The fields are board, side and move
    /// number; with a count also the counting side, `bp` (board's honor) or `pp` (pieces' honor),
    /// the last number, the first number and the limit.
    MakrukJs,
}

impl Dialect {
    /// The dialect of a whole FEN of Makruk: the third field of the source's is a number.
    ///
    /// ```
    /// use halfmove_mailbox::Dialect;
    /// assert_eq!(Dialect::of_fen("4k3/8/8/8/8/8/8/4KM2 w 1"), Dialect::MakrukJs);
    /// assert_eq!(Dialect::of_fen("4k3/8/8/8/8/8/8/4KM2 w - - 0 1"), Dialect::Fairy);
    /// ```
    pub fn of_fen(text: &str) -> Self {
        let third =
            text.split(|c: char| c.is_ascii_whitespace()).filter(|field| !field.is_empty()).nth(2);
        let is_number = |field: &str| field.bytes().all(|byte| byte.is_ascii_digit());
        if third.is_some_and(is_number) { Self::MakrukJs } else { Self::Fairy }
    }

    /// The letters of a white piece; `None` if the game does not have it.
    pub(crate) const fn name(self, rules: Rules, kind: Kind) -> Option<&'static str> {
        Some(match (self, kind) {
            (_, Kind::FlippedBia) if matches!(rules, Rules::Asean) => return None,
            (Self::Fairy, Kind::Met) if matches!(rules, Rules::Asean) => "Q",
            (Self::Fairy, Kind::Khon) if matches!(rules, Rules::Asean) => "B",
            (_, Kind::King) => "K",
            (_, Kind::Rook) => "R",
            (Self::Fairy, Kind::FlippedBia) => "M~",
            (Self::Fairy, Kind::Met) => "M",
            (Self::Fairy, Kind::Khon) => "S",
            (Self::Fairy, Kind::Knight) => "N",
            (Self::Fairy, Kind::Pawn) => "P",
            (Self::MakrukJs, Kind::FlippedBia) => "F",
            (Self::MakrukJs, Kind::Met) => "E",
            (Self::MakrukJs, Kind::Khon) => "T",
            (Self::MakrukJs, Kind::Knight) => "M",
            (Self::MakrukJs, Kind::Pawn) => "B",
            (_, Kind::Bishop | Kind::Queen) => return None,
        })
    }
}

/// The reason why a text is not a position of chess.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ChessFenError {
    /// A field is missing or invalid, or there is one too many.
    #[error("FEN, {0}: missing or invalid")]
    Syntax(FenField),
    /// The text is a FEN, but its position is not playable.
    #[error("not a playable position: {0}")]
    Position(Flaws),
}
