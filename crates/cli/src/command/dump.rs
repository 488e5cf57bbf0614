//! `halfmove dump`: the bytes of a game, code by code.

mod listing;

use self::listing::Listing;
use crate::Done;
use crate::args::Dump;
use crate::command::decode;
use crate::output::{Advised, counted, input_name};
use anyhow::{Context, anyhow, bail};
use halfmove_codecs::Codec;
use halfmove_game::Input;
use std::path::Path;

pub(crate) fn run(args: Dump) -> anyhow::Result<Done> {
    let (codec, bytes, source) = match (&args.file, &args.hex, args.codec) {
        (_, Some(hex), Some(codec)) => (codec, bytes_of(hex).context("--hex")?, None),
        (Some(file), ..) => {
            let (codec, bytes, offset) = stored(file, args.game, args.codec)?;
            let game = format!("game {} of {}", args.game, input_name(file));
            (codec, bytes, Some((game, offset)))
        }
        _ => bail!("expected a file, or --codec and --hex"),
    };
    let format = args.output.format;
    let mut listing = Listing::new(format, codec, &bytes)?;
    let mut written = Ok(());
    let read = codec.dump(&bytes, &mut |code| {
        if written.is_ok() {
            written = listing.add(code);
        }
    });
    written?;
    let length = counted(bytes.len() as u64, "byte");
    let closing = match &source {
        Some((game, offset)) => {
            format!("{game}: {length} of {} from byte {offset} on", codec.name())
        }
        None => format!("{length} of {}", codec.name()),
    };
    listing.finish(read.err(), &closing)?;
    let Err(error) = read else { return Ok(Done::Found) };
    Err(match source {
        Some((game, _)) => anyhow!("{game}, {error}"),
        None => error.into(),
    })
}

/// The error for a file in another codec than that of `--codec`.
#[derive(Debug)]
struct OtherCodec {
    file: String,
    found: &'static str,
    expected: &'static str,
}

impl std::fmt::Display for OtherCodec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { file, found, expected } = self;
        write!(f, "--codec {expected}: {file} is in {found}")
    }
}

impl std::error::Error for OtherCodec {}

/// The bytes of a game in a file, and their offset.
fn stored(
    file: &Path,
    game: u64,
    expected: Option<&'static dyn Codec>,
) -> anyhow::Result<(&'static dyn Codec, Vec<u8>, u64)> {
    let damaged = || input_name(file);
    let mut reader = decode::open(file, Input::open(file)?)?;
    let codec = reader.codec();
    if let Some(expected) = expected.filter(|expected| expected.name() != codec.name()) {
        let (found, expected) = (codec.name(), expected.name());
        let error = OtherCodec { file: input_name(file), found, expected };
        let hint = "the file says which codec it is in: leave out --codec";
        return Err(Advised::new(error, hint).into());
    }
    let mut games = 0;
    while let Some(stored) = reader.next().with_context(damaged)? {
        games = stored.number;
        if games == game {
            return Ok((codec, stored.bytes.to_vec(), stored.offset));
        }
    }
    bail!("--game {game}: {} has {}", input_name(file), counted(games, "game"))
}

/// Bytes in hexadecimal, with or without spaces.
fn bytes_of(text: &str) -> anyhow::Result<Vec<u8>> {
    let digits: Vec<u8> = text
        .chars()
        .filter(|char| !char.is_whitespace())
        .map(|char| {
            let digit = char.to_digit(16).and_then(|digit| u8::try_from(digit).ok());
            digit.ok_or_else(|| anyhow!("{char:?} is not a hexadecimal digit"))
        })
        .collect::<anyhow::Result<_>>()?;
    if !digits.len().is_multiple_of(2) {
        bail!("expected two digits for each byte, found {} in all", digits.len());
    }
    Ok(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}
