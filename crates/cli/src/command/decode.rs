//! `halfmove decode`: bytes of a codec as PGN.

use crate::args::Decode;
use crate::new_file::NewFile;
use crate::output::{self, Advised, Unwritable, input_name};
use crate::progress::Progress;
use crate::{Done, screen};
use anyhow::Context;
use halfmove_codecs::file::{FileErrorKind, Reader};
use halfmove_codecs::pack;
use halfmove_game::pgn::Format;
use halfmove_game::{Game, Input};
use std::io::{BufWriter, Cursor, Read, Write};
use std::path::Path;
use std::sync::atomic::Ordering;

/// The progress bar is updated after this many games.
const GAMES_PER_TICK: u64 = 512;

pub(crate) fn run(args: Decode) -> anyhow::Result<Done> {
    let reader = Input::open(&args.file)?;
    match args.to.file() {
        None => {
            let mut out = BufWriter::with_capacity(1 << 16, screen::stdout());
            let written = decode(&args.file, reader, &mut out);
            // The games before a damaged one are sound.
            out.flush()?;
            written?;
        }
        Some(path) => {
            let inputs = std::slice::from_ref(&args.file);
            let mut out = NewFile::create(path, inputs, args.to.force).context("--output")?;
            let games = decode(&args.file, reader, &mut out)?;
            out.finish()?;
            output::written(games, "game", path);
        }
    }
    Ok(Done::Found)
}

/// Opens a file of coded games.
pub(crate) fn open<R: Read>(path: &Path, input: R) -> anyhow::Result<Reader<R>> {
    let error = match Reader::new(input) {
        Ok(reader) => return Ok(reader),
        Err(error) => error,
    };
    let advice = match error.kind {
        FileErrorKind::NotCodedGames => {
            "such files are written by `halfmove encode`; PGN is read by `halfmove import`, `halfmove pgn` \
             and `halfmove encode`"
        }
        FileErrorKind::Version(_)
        | FileErrorKind::Codec(_)
        | FileErrorKind::CodecVersion { .. } => "the file may be from a newer version of halfmove",
        _ => return Err(error).with_context(|| input_name(path)),
    };
    Err(Advised::new(error, advice)).with_context(|| input_name(path))
}

/// Writes the games of a file. Returns how many there are.
fn decode(path: &Path, mut input: Input, out: &mut impl Write) -> anyhow::Result<u64> {
    let progress = Progress::new(input.total(), "game");
    let consumed = input.consumed();
    let mut head = Vec::new();
    input.by_ref().take(pack::MAGIC.len() as u64).read_to_end(&mut head)?;
    let is_packed = head == pack::MAGIC;
    let input = Cursor::new(head).chain(input);
    let mut text = String::new();
    let mut games = 0_u64;
    let mut write = |game: &Game, format: Format| {
        games += 1;
        text.clear();
        format.append(game, &mut text)?;
        out.write_all(text.as_bytes()).map_err(Unwritable::from)?;
        if games.is_multiple_of(GAMES_PER_TICK) {
            progress.show(consumed.load(Ordering::Relaxed), games);
        }
        anyhow::Ok(())
    };
    let damaged = || input_name(path);
    if is_packed {
        let reader = pack::Reader::new(input).with_context(damaged)?;
        let mut reader = reader.threads(super::pack::threads());
        while let Some(game) = reader.next().with_context(damaged)? {
            write(&game, Format::new())?;
        }
    } else {
        let mut reader = open(path, input)?;
        while let Some(stored) = reader.next().with_context(damaged)? {
            let mut game = stored.game().with_context(damaged)?;
            game.standardize_tags();
            write(&game, Format::new().in_standard_order())?;
        }
    }
    progress.finish();
    Ok(games)
}
