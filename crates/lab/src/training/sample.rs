//! Samples, quiet positions with the results of their games, and files of samples: one line of text each.

use halfmove_rules::{AnyFenError, AnyPosition, Variant};
use std::fmt;
use std::io::{self, BufRead};
use thiserror::Error;

/// Samples are held out in blocks of this many lines, so that few games have samples in both sets.
const BLOCK: usize = 256;
/// One block in this many is held out for validation.
const BLOCKS: usize = 10;
/// The block that is held out: the second, so that from a file of one block all samples are used for
/// training.
const HELD_OUT: usize = 1;
/// The minimum number of samples. Fewer are a mistake, such as a truncated file. Not tuned.
const FEWEST: usize = 64;

/// A quiet position, the score of a search, and the result of its game.
///
/// As text it is one line: FEN, centipawns for White, points for White, with tabs between them.
///
/// ```
/// use halfmove_lab::training::Sample;
/// use halfmove_rules::Variant;
///
/// let line = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1\t12\t0.5";
/// let sample = Sample::parse(line, Variant::Makruk)?;
/// assert_eq!((sample.centipawns, sample.points), (12, 0.5));
/// assert_eq!(sample.to_string(), line);
/// # Ok::<(), halfmove_lab::training::SampleError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The position.
    pub position: AnyPosition,
    /// The score of a search, from White's side.
    pub centipawns: i32,
    /// 1 if White won the game, 0 if Black did, else 0.5.
    pub points: f32,
}

/// An error in the line of a sample.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SampleError {
    /// The position is not one of the game.
    #[error("{0}")]
    Fen(#[from] AnyFenError),
    /// The number of fields is not three.
    #[error("expected a FEN, centipawns and points, with tabs between them; found {0:?}")]
    Fields(String),
    /// The score is not a whole number.
    #[error("expected centipawns, found {0:?}")]
    Centipawns(String),
    /// The points are not 0, 0.5 or 1.
    #[error("expected 0, 0.5 or 1 points, found {0:?}")]
    Points(String),
}

/// A failure to learn from samples.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainingError {
    /// They could not be read.
    #[error("{0}")]
    Read(#[from] io::Error),
    /// A line is not a sample.
    #[error("line {line}: {error}")]
    Sample {
        /// From 1.
        line: usize,
        /// The fault.
        error: SampleError,
    },
    /// The training diverged: the steps are too long.
    #[error("the numbers grew out of bounds: try shorter steps")]
    Diverged,
    /// There are too few.
    #[error("expected at least {fewest} samples, found {0}", fewest = FEWEST)]
    TooFew(usize),
}

/// Reads samples, and passes each on, with true if it is held out.
pub(super) fn read(
    samples: &mut impl BufRead,
    variant: Variant,
    mut take: impl FnMut(Sample, bool),
) -> Result<(), TrainingError> {
    let mut learned = 0;
    for (i, line) in samples.lines().enumerate() {
        let line = line?;
        // Where one file ends and the next begins.
        if line.is_empty() {
            continue;
        }
        let sample = Sample::parse(&line, variant)
            .map_err(|error| TrainingError::Sample { line: i + 1, error })?;
        let is_held_out = i / BLOCK % BLOCKS == HELD_OUT;
        learned += usize::from(!is_held_out);
        take(sample, is_held_out);
    }
    if learned < FEWEST { Err(TrainingError::TooFew(learned)) } else { Ok(()) }
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

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1\t12\t0.5\n";

    #[test]
    fn one_block_in_ten_is_held_out() {
        let held_out = |lines: usize| {
            let mut numbers = Vec::new();
            let mut number = 0;
            let read =
                read(&mut LINE.repeat(lines).as_bytes(), Variant::Makruk, |_, is_held_out| {
                    numbers.extend(is_held_out.then_some(number));
                    number += 1;
                });
            read.map(|()| numbers).map_err(|error| error.to_string())
        };
        assert_eq!(held_out(63), Err("expected at least 64 samples, found 63".to_owned()));
        assert_eq!(held_out(64), Ok(vec![]));
        assert_eq!(held_out(2_560), Ok((256..512).collect()));
    }

    #[test]
    fn errors_name_the_line() {
        let text = format!("{LINE}\n{}", LINE.replace("12", "good"));
        let error = read(&mut text.as_bytes(), Variant::Makruk, |_, _| {}).unwrap_err();
        assert_eq!(error.to_string(), "line 3: expected centipawns, found \"good\"");
    }
}
