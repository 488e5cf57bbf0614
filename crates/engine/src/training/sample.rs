//! A quiet position with the result of its game: one line of text.

use halfmove_rules::{AnyFenError, AnyPosition, Variant};
use std::fmt;
use thiserror::Error;

/// Whether sample number `i` is not learned from, but only measured: one block of samples in ten, so that few games are on
/// both sides.
pub(super) const fn is_held_out(i: usize) -> bool {
    i / 256 % 10 == 1
}

/// A quiet position, what a search said about it, and how its game ended.
///
/// As text it is one line: FEN, centipawns for White, points for White, with tabs between them.
///
/// ```
/// use halfmove_engine::training::Sample;
/// use halfmove_rules::Variant;
///
/// let line = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1\t12\t0.5";
/// let sample = Sample::parse(line, Variant::Makruk)?;
/// assert_eq!((sample.centipawns, sample.points), (12, 0.5));
/// assert_eq!(sample.to_string(), line);
/// # Ok::<(), halfmove_engine::training::SampleError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The position.
    pub position: AnyPosition,
    /// The score of a search, for White.
    pub centipawns: i32,
    /// 1 if White won the game, 0 if Black did, else 0.5.
    pub points: f32,
}

/// Why a line is not a sample.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SampleError {
    /// The position is not one of the game.
    #[error("{0}")]
    Fen(#[from] AnyFenError),
    /// There are other than three fields.
    #[error("expected a FEN, centipawns and points, with tabs between them; found {0:?}")]
    Fields(String),
    /// The score is not a whole number.
    #[error("expected centipawns, found {0:?}")]
    Centipawns(String),
    /// The points are not those of a game.
    #[error("expected 0, 0.5 or 1 points, found {0:?}")]
    Points(String),
}

impl Sample {
    /// Reads a line.
    pub fn parse(line: &str, variant: Variant) -> Result<Self, SampleError> {
        let mut fields = line.split('\t');
        let (Some(fen), Some(centipawns), Some(points), None) =
            (fields.next(), fields.next(), fields.next(), fields.next())
        else {
            return Err(SampleError::Fields(line.to_owned()));
        };
        let position = AnyPosition::from_fen(fen, variant)?;
        let centipawns =
            centipawns.parse().map_err(|_| SampleError::Centipawns(centipawns.to_owned()))?;
        let points = match points {
            "0" => 0.0,
            "0.5" => 0.5,
            "1" => 1.0,
            _ => return Err(SampleError::Points(points.to_owned())),
        };
        Ok(Self { position, centipawns, points })
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\t{}\t{}", self.position, self.centipawns, self.points)
    }
}
