//! The verbs for games as bytes.

use super::{Files, Output};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use halfmove_game::codec::{self, CODECS, Codec, Holds};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
The tags and the result that a codec does not hold are kept beside its bytes, so `halfmove decode`
gives back the games. A game that the codec cannot hold is reported and left out. The sizes that are
reported are those of the codec's bytes alone. No file that is read is ever overwritten.

The exit code is 0 if all games were written, 1 if some were left out, and 2 if a file cannot be
read or is no PGN; a file of --output is then not written.

Examples:
  halfmove encode --codec gametext season.pgn --output season.hmg
  halfmove encode --codec numbered-11 games/ --output moves.hmg --format json
  halfmove encode --codec brenner season.pgn | halfmove decode -")]
pub(crate) struct Encode {
    /// The code of the games
    #[arg(long, value_name = "NAME", value_parser = codecs())]
    pub(crate) codec: &'static dyn Codec,
    #[command(flatten)]
    pub(crate) files: Files,
    /// Write to this file instead of standard output; it is created only when complete
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Stop at the first game that cannot be held, and write nothing
    #[arg(long, requires = "output")]
    pub(crate) strict: bool,
    /// Report at most this many of the games that are left out (all are counted)
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: u64,
    #[command(flatten)]
    pub(crate) report: Output,
}

#[derive(Debug, Args)]
#[command(after_help = "\
The games are written in the export format of the standard, as `halfmove pgn normalize` writes them.
Every move is checked. The file says itself which codec it is in, and may be compressed with zstd,
gzip or bzip2.

Example:
  halfmove decode season.hmg --output season.pgn")]
pub(crate) struct Decode {
    /// A file that `halfmove encode` has written, or - for standard input
    pub(crate) file: PathBuf,
    /// Write to this file instead of standard output; it is created only when complete
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Offsets count from the first byte of the game. Damaged bytes are shown up to the first that is wrong.

Examples:
  halfmove dump season.hmg --game 12
  halfmove dump --codec brenner --hex \"2c 2c 61 17 db 1e 53\"
  halfmove dump --codec gametext --hex 131374224b2b7ed2ff --format json")]
pub(crate) struct Dump {
    /// A file that `halfmove encode` has written, or - for standard input
    #[arg(required_unless_present = "hex")]
    pub(crate) file: Option<PathBuf>,
    /// The number of the game in the file
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "hex")]
    pub(crate) game: u64,
    /// The bytes of a game, instead of a file
    #[arg(long, value_name = "BYTES", requires = "codec", conflicts_with = "file")]
    pub(crate) hex: Option<String>,
    /// The code of these bytes
    #[arg(long, value_name = "NAME", requires = "hex", value_parser = codecs())]
    pub(crate) codec: Option<&'static dyn Codec>,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Args)]
pub(crate) struct Codecs {
    #[command(flatten)]
    pub(crate) output: Output,
}

/// Reads the name of a codec.
fn codecs() -> impl TypedValueParser<Value = &'static dyn Codec> {
    let value = |codec: &&dyn Codec| PossibleValue::new(codec.name()).help(holds(codec.holds()));
    let names = PossibleValuesParser::new(CODECS.iter().map(value));
    names.try_map(|name| codec::named(&name).ok_or("no such codec"))
}

/// The parts of a game that a codec holds: `the main line, any start, glyphs`.
fn holds(holds: Holds) -> String {
    let tags = match holds.tags {
        _ if holds.all_tags => "all tags".to_owned(),
        [] => String::new(),
        tags => format!("the tags {}", tags.join(", ")),
    };
    let parts = [
        (true, "The main line"),
        (holds.starts, "any start"),
        (holds.makruk, "Makruk"),
        (holds.result, "the result"),
        (holds.glyphs, "glyphs"),
        (holds.comments, "comments"),
        (holds.variations, "variations"),
        (holds.words, "illegal moves"),
        (holds.spelling, "how glyphs are written"),
        (!tags.is_empty(), &tags),
    ];
    parts.iter().filter(|(held, _)| *held).map(|(_, part)| *part).collect::<Vec<_>>().join(", ")
}
