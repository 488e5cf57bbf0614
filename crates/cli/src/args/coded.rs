//! The verbs for games as bytes.

use super::{Files, Filter, Output, Position, ReadGames, ToFile};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use halfmove_codecs::{CODECS, Codec, Holds, named};
use std::num::NonZero;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(mut_arg("files", |files| files.required(false).required_unless_present("list")))]
#[command(after_long_help = "\
The codec `whole` holds everything that is read from a game. Others are smaller or older and hold
less: a game that the codec cannot hold is reported and left out. To encode such games anyway, strip
them first: halfmove pgn normalize --no-comments --no-variations --no-nags. Tags and a result that
a codec does not hold are stored next to its bytes, so `halfmove decode` restores them. The reported
sizes are those of the codec's bytes alone. Input files are never overwritten.

No codec keeps what the PGN reader skips: line ends, move numbers, stray characters. After a move
that cannot be played, the words of the text are kept and renumbered; to keep the exact text of such
games, keep the file.

The exit code is 0 if all games were written, 1 if some were left out, and 2 if a file cannot be
read or is not PGN; the file of --output is then not written.

Examples:
  halfmove encode season.pgn --output season.hmg
  halfmove encode --codec numbered-11 games/ --output moves.hmg --format json
  halfmove encode --codec brenner season.pgn | halfmove decode -
  halfmove encode --list")]
pub(crate) struct Encode {
    /// The codec of the games; --list shows what each one holds
    #[arg(long, value_name = "NAME", default_value = "whole", value_parser = codecs())]
    pub(crate) codec: &'static dyn Codec,
    #[command(flatten)]
    pub(crate) files: Files,
    #[command(flatten)]
    pub(crate) to: ToFile,
    /// Stop at the first game that the codec cannot hold, and write nothing (needs --output)
    #[arg(long, requires = "output")]
    pub(crate) strict: bool,
    /// Maximum number of left-out games to report (all are counted), 0 for all
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: usize,
    /// List the codecs and what they hold, and encode nothing
    #[arg(long, conflicts_with_all = ["files", "output", "strict"])]
    pub(crate) list: bool,
    #[command(flatten)]
    pub(crate) report: Output,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
A packed file holds all games of an archive with all that they contain, in the fewest bytes: about
a quarter of a PGN file compressed with zstd -19. It is for sending and for keeping: it cannot be
searched. Packing and unpacking take about 0.3 seconds of a core for a thousand games, since each
move is predicted from its position. Each block of some thousand games has a checksum.

`halfmove import ARCHIVE FILE` unpacks it into an archive, and `halfmove decode FILE` writes it as
PGN. Ids and the names of source files are not kept, nor is the history; the order of games is.

Examples:
  halfmove pack club --output club.hmz
  halfmove pack club --player Capablanca --output capablanca.hmz
  halfmove import copy club.hmz
  halfmove decode club.hmz --output club.pgn")]
pub(crate) struct Pack {
    #[command(flatten)]
    pub(crate) archive: ReadGames,
    #[command(flatten)]
    pub(crate) position: Position,
    #[command(flatten)]
    pub(crate) to: ToFile,
    #[command(flatten)]
    pub(crate) filter: Filter,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
The file names its codec, and may be compressed with zstd, gzip or bzip2. Every move is checked
against the rules. The games are written in the export format of the standard, in the order of the
file; tags and a result come back with every codec. Games without errors are written as `halfmove
pgn normalize` writes them. In games with errors, which normalize copies unchanged, the words after
the error are wrapped and renumbered. At the first invalid byte, the games before it are written,
the error gives its offset, and the exit code is 2; the file of --output is then not written.

Examples:
  halfmove decode season.hmg --output season.pgn
  halfmove encode season.pgn | halfmove decode - | halfmove pgn check -")]
pub(crate) struct Decode {
    /// A file that `halfmove encode` or `halfmove pack` has written, or - for standard input
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) to: ToFile,
}

#[derive(Debug, Args)]
#[command(override_usage = "\
halfmove dump [OPTIONS] <FILE>
       halfmove dump [OPTIONS] --codec <NAME> --hex <BYTES>")]
#[command(after_long_help = "\
Offsets count from the first byte of the game. Fields are the parts of a code; the pages on the
codecs in docs/reference explain them. The codec `halfmove` gives a piece, a direction and a
distance, as its side sees the board: N is toward the opponent, for Black too. Damaged bytes are
shown up to the first invalid one.

Examples:
  halfmove dump season.hmg --game 12
  halfmove dump --codec brenner --hex \"2c 2c 61 17 db 1e 53\"
  halfmove dump --codec gametext --hex 131374224b2b7ed2ff --format json")]
pub(crate) struct Dump {
    /// A file that `halfmove encode` has written, or - for standard input
    #[arg(required_unless_present = "hex")]
    pub(crate) file: Option<PathBuf>,
    /// The number of the game in the file, from 1
    #[arg(long, value_name = "N", default_value = "1", value_parser = game_number, conflicts_with = "hex")]
    pub(crate) game: u64,
    /// The bytes of a game, instead of a file
    #[arg(long, value_name = "BYTES", requires = "codec", conflicts_with = "file")]
    pub(crate) hex: Option<String>,
    /// The codec of these bytes. A file names its own codec; another one is an error
    #[arg(long, value_name = "NAME", value_parser = codecs())]
    pub(crate) codec: Option<&'static dyn Codec>,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// Reads the number of a game in a file.
fn game_number(text: &str) -> Result<u64, String> {
    let number = text.parse().map(NonZero::get);
    number.map_err(|_| "expected a number; games are numbered from 1".to_owned())
}

/// Reads the name of a codec.
fn codecs() -> impl TypedValueParser<Value = &'static dyn Codec> {
    let value = |codec: &&dyn Codec| PossibleValue::new(codec.name()).help(holds(codec.holds()));
    let names = PossibleValuesParser::new(CODECS.iter().map(value));
    names.try_map(|name| named(&name).ok_or("no such codec"))
}

/// The name of a column, its meaning, and the test that a codec holds it.
type Part = (&'static str, &'static str, fn(&Holds) -> bool);

/// The parts of a game that a codec may hold in addition to the main line of a chess game from the
/// standard starting position.
pub(crate) const PARTS: [Part; 8] = [
    ("starts", "games of chess and Chess960 from any start", |holds| holds.starts),
    ("makruk", "Makruk, Makpong and ASEAN chess", |holds| holds.makruk),
    ("result", "the result", |holds| holds.result),
    ("glyphs", "glyphs (NAGs): !, ?, $14 …; some codecs only a few", |holds| holds.glyphs),
    ("comments", "comments, with their clocks and evaluations", |holds| holds.comments),
    ("variations", "variations", |holds| holds.variations),
    ("words", "words in place of moves, as from an illegal move on", |holds| holds.words),
    ("spelling", "how glyphs and null moves are written: !? or $5", |holds| holds.spelling),
];

/// The legend of the table of codecs.
pub(crate) fn legend() -> String {
    let line = |name: &str, meaning: &str| format!("\n  {name:10}  {meaning}");
    let parts = PARTS.iter().map(|(name, meaning, _)| line(name, meaning)).collect::<String>();
    let tags = line("tags", "these tags, among the bytes of the codec");
    format!(
        "All codecs hold the main line of a game of chess from the standard starting position. The columns\n\
         show what else:\n\
         {parts}{tags}\n\n\
         A result and tags that a codec does not hold are stored next to its bytes. A game with\n\
         anything else that it does not hold is left out."
    )
}

/// The parts of a game that a codec holds, by the names of their columns: `main line, starts`.
fn holds(holds: Holds) -> String {
    let mut parts = vec!["main line".to_owned()];
    parts.extend(
        PARTS.iter().filter(|(.., held)| held(&holds)).map(|(name, ..)| (*name).to_owned()),
    );
    parts.extend(tags(&holds).map(|tags| format!("tags ({tags})")));
    parts.join(", ")
}

/// The tags that a codec holds, if any.
pub(crate) fn tags(holds: &Holds) -> Option<String> {
    let all = holds.all_tags.then(|| "all".to_owned());
    all.or_else(|| (!holds.tags.is_empty()).then(|| holds.tags.join(", ")))
}
