//! `halfmove pack`: an archive as one small file.

use crate::Done;
use crate::archive::{self, Selection, Spellings};
use crate::args::Pack;
use crate::new_file::NewFile;
use crate::output::{self, Unwritable, counted, grouped};
use crate::progress::Progress;
use anyhow::{Context, anyhow, bail};
use halfmove_archive::{Archive, Filter};
use halfmove_codecs::pack::{MAGIC, PackError, Reader, WriteError, Writer};
use halfmove_game::Input;
use halfmove_game::pgn::Format;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Read, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread;

/// The progress bar is updated after this many games.
const GAMES_PER_TICK: u64 = 512;

pub(crate) fn run(args: Pack) -> anyhow::Result<Done> {
    if args.to.file().is_none() && io::stdout().is_terminal() {
        bail!("bytes are not written to a terminal, expected --output FILE");
    }
    args.to.check(&args.archive)?;
    let conditions = Selection::new(args.filter, &args.position)?;
    let archive = archive::open(&args.archive)?;
    let filter = conditions.on(&archive)?;
    Spellings::noted(&archive, &filter)?;
    let Some(path) = args.to.file() else {
        let out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
        return match pack(&archive, &filter, out)? {
            (0, _) => none(&archive, &filter),
            _ => Ok(Done::Found),
        };
    };
    let out = NewFile::create(path, &[], args.to.force).context("--output")?;
    let (games, Counted { out, bytes }) = pack(&archive, &filter, Counted { out, bytes: 0 })?;
    if games == 0 {
        return none(&archive, &filter);
    }
    out.finish()?;
    let each = bytes as f64 / games as f64;
    output::note(format_args!(
        "{} in {} bytes, {each:.1} a game, written to {}",
        counted(games, "game"),
        grouped(bytes),
        path.display()
    ));
    Ok(Done::Found)
}

fn none(archive: &Archive, filter: &Filter) -> anyhow::Result<Done> {
    archive::note_near_names(archive, filter)?;
    output::note("no games found, nothing was packed");
    Ok(Done::Nothing)
}

/// Writes the games that match. Returns how many there are.
fn pack<W: Write>(archive: &Archive, filter: &Filter, out: W) -> anyhow::Result<(u64, W)> {
    let games = archive.games(filter)?;
    let progress = Progress::new(Some(archive.count(filter)?), "game");
    let mut writer = Writer::new(out).map_err(Unwritable::from)?.threads(threads());
    let mut packed = 0;
    for game in games {
        let game = game?;
        writer.write(&game.game).map_err(|error| match error {
            WriteError::Write(error) => Unwritable::from(error).into(),
            error => anyhow!("game {}: {error}", game.id),
        })?;
        packed += 1;
        if packed % GAMES_PER_TICK == 0 {
            progress.show(packed, packed);
        }
    }
    let out = writer.finish().map_err(Unwritable::from)?;
    progress.finish();
    Ok((packed, out))
}

/// The number of blocks to code at a time.
pub(crate) fn threads() -> NonZero<usize> {
    thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

/// An output that counts its bytes.
struct Counted<W> {
    out: W,
    bytes: u64,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Returns true if a file begins as a packed one does. A file that cannot be read does not.
pub(crate) fn is_packed(path: &Path) -> bool {
    let mut head = [0; MAGIC.len()];
    let is_file = path.metadata().is_ok_and(|data| data.is_file());
    is_file
        && File::open(path).is_ok_and(|mut file| file.read_exact(&mut head).is_ok())
        && head == MAGIC
}

/// The games of a packed file as PGN, for readers of PGN.
pub(crate) struct Unpacked {
    path: PathBuf,
    reader: Reader<Input>,
    format: Format,
    text: String,
    /// The number of bytes of the text that were read.
    read: usize,
}

impl Unpacked {
    /// Opens a packed file.
    pub(crate) fn new(path: &Path, input: Input) -> io::Result<Self> {
        let reader = Reader::new(input).map_err(|error| damaged(path, &error))?.threads(threads());
        Ok(Self {
            path: path.to_owned(),
            reader,
            format: Format::new(),
            text: String::new(),
            read: 0,
        })
    }
}

fn damaged(path: &Path, error: &PackError) -> io::Error {
    io::Error::other(format!("{}: {error}", path.display()))
}

impl Read for Unpacked {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        while self.read == self.text.len() {
            (self.read, self.text) = Default::default();
            let game = self.reader.next().map_err(|error| damaged(&self.path, &error))?;
            let Some(game) = game else { return Ok(0) };
            self.format.append(&game, &mut self.text).map_err(io::Error::other)?;
        }
        let rest = &self.text.as_bytes()[self.read..];
        let read = rest.len().min(bytes.len());
        bytes[..read].copy_from_slice(&rest[..read]);
        self.read += read;
        Ok(read)
    }
}
