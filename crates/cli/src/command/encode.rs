//! `halfmove encode`: PGN files as bytes of a codec.

mod codecs;

use super::pgn::{Files, Opened};
use crate::Done;
use crate::args::{Encode, Format};
use crate::listing::{Column, Listing};
use crate::movetext;
use crate::new_file::NewFile;
use crate::output::{self, Advised, Answer, Unwritable, counted, input_name};
use anyhow::{Context, anyhow, bail};
use halfmove_codecs::file::{WriteError, Writer};
use halfmove_codecs::{Codec, Whole};
use halfmove_game::Game;
use halfmove_game::pgn::{GameReader, PgnErrorKind, Reading};
use std::io::{self, BufWriter, IsTerminal, Read, Write};
use std::path::Path;
use std::slice;

pub(crate) fn run(args: Encode) -> anyhow::Result<Done> {
    let format = args.report.format;
    if args.list {
        return codecs::print(format);
    }
    if args.to.file().is_none() {
        if format != Format::Table {
            bail!("--format: the bytes go to standard output, expected --output FILE");
        }
        if io::stdout().is_terminal() {
            bail!("bytes are not written to a terminal, expected --output FILE");
        }
    }
    let mut files = Files::new(&args.files.files)?;
    files.strict = args.strict;
    let report = match args.to.file() {
        None => {
            let out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
            write(&args, &mut files, out)?.0
        }
        Some(path) => {
            let out = NewFile::create(path, &files.paths, args.to.force).context("--output")?;
            let (report, out) = write(&args, &mut files, out)?;
            if files.failed {
                output::note(format_args!("{} was not written", path.display()));
                return Ok(Done::Failed);
            }
            out.finish()?;
            report
        }
    };
    report.print(args.codec, format)?;
    Ok(match (files.failed, report.left_out) {
        (true, _) => Done::Failed,
        (false, 0) => Done::Found,
        (false, _) => Done::Nothing,
    })
}

/// Writes all games.
fn write<W: Write>(args: &Encode, files: &mut Files, out: W) -> anyhow::Result<(Report, W)> {
    let mut writing = Writing {
        writer: Writer::new(args.codec, out)?,
        strict: args.strict,
        limit: if args.limit == 0 { usize::MAX } else { args.limit },
        report: Report::default(),
    };
    files.for_each_with(GameReader::new, |path, opened| writing.file(path, opened))?;
    Ok((writing.report, writing.writer.finish()?))
}

struct Writing<W> {
    writer: Writer<W>,
    strict: bool,
    /// The maximum number of left-out games to report.
    limit: usize,
    report: Report,
}

/// Counts of the games that were written and left out.
#[derive(Default, Clone)]
struct Report {
    games: u64,
    half_moves: u64,
    /// The bytes of the codec alone.
    bytes: u64,
    left_out: u64,
    /// True if one of them was left out because the codec cannot hold it.
    is_unheld: bool,
    /// True if the codec could hold one of these without its comments, variations and glyphs.
    may_strip: bool,
    /// Games with errors, which are written all the same.
    faulty: u64,
}

impl<W: Write> Writing<W> {
    fn file<R: Read>(
        &mut self,
        path: &Path,
        opened: &mut Opened<'_, GameReader<R>>,
    ) -> anyhow::Result<u64> {
        let (mut game, mut number, mut cut) = (Game::default(), 0, 0);
        while let Some(reading) = opened.reader.read(&mut game)? {
            number += 1;
            // An earlier fault may hide that the game was cut.
            let cut_before = std::mem::replace(&mut cut, opened.reader.counts().long_games);
            let is_cut = cut > cut_before;
            opened.tick();
            let place = || format!("{}: game {number}", input_name(path));
            let problem = match &reading {
                Reading::Skipped(skip) => anyhow!("{}: {skip}", input_name(path)),
                Reading::Faulty(fault) if is_cut => {
                    let also = match fault.kind {
                        PgnErrorKind::TooLong { .. } => "",
                        _ => "; after that, the game is too long",
                    };
                    anyhow!("{}: {fault}{also}", input_name(path))
                }
                Reading::Whole | Reading::Faulty(_) => match self.writer.write(&game) {
                    Ok(bytes) => {
                        self.report.games += 1;
                        self.report.half_moves += game.moves.len() as u64;
                        self.report.bytes += bytes as u64;
                        self.report.faulty += u64::from(reading != Reading::Whole);
                        continue;
                    }
                    Err(WriteError::Write(error)) => return Err(Unwritable::from(error).into()),
                    Err(WriteError::Encode(error)) => {
                        self.report.is_unheld = true;
                        self.report.may_strip |= reading == Reading::Whole
                            && !self.report.may_strip
                            && holds_stripped(self.writer.codec(), &game);
                        anyhow!("{}{}: {}", place(), after(&game, error.ply), error.kind)
                    }
                    Err(error) => anyhow!("{}: {error}", place()),
                },
            };
            self.report.left_out += 1;
            if self.strict {
                return Err(match self.report.hint(self.writer.codec()) {
                    Some(hint) => Advised::new(problem, hint).into(),
                    None => problem,
                });
            }
            if self.report.left_out <= self.limit as u64 {
                opened.report(&problem);
            }
        }
        Ok(number)
    }
}

/// The last half-move of the main line before a place, for an error: `, after 3. Bb5`.
fn after(game: &Game, ply: usize) -> String {
    let last = ply.checked_sub(1).and_then(|last| Some((last, *game.moves.get(last)?)));
    last.map_or_else(String::new, |(last, mv)| {
        format!(", after {}", movetext::numbered(&game.position(last), mv))
    })
}

/// Returns true if a codec can hold a game without its comments, variations and glyphs.
fn holds_stripped(codec: &dyn Codec, game: &Game) -> bool {
    let mut game = game.clone();
    game.annotations.remove_comments();
    game.annotations.remove_variations();
    game.annotations.remove_nags();
    codec.encode(&game, &mut Vec::new()).is_ok()
}

impl Report {
    /// The hint for games that the codec cannot hold.
    fn hint(&self, codec: &dyn Codec) -> Option<&'static str> {
        // No codec holds more than this one.
        let is_whole = codec.name() == Whole.name();
        (self.is_unheld && !is_whole).then_some(match self.may_strip {
            true => {
                "--codec whole holds every game that can be played; or strip the games first: halfmove pgn normalize --no-comments \
                 --no-variations --no-nags"
            }
            false => "--codec whole holds every game that can be played",
        })
    }

    fn advise(&self, codec: &dyn Codec) {
        if let Some(hint) = self.hint(codec) {
            output::note(format_args!("hint: {hint}"));
        }
    }

    fn print(&self, codec: &'static dyn Codec, format: Format) -> anyhow::Result<()> {
        if self.left_out > 0 {
            let games = counted(self.left_out, "game");
            output::note(format_args!("{games} left out"));
        }
        if self.faulty > 0 {
            let games = counted(self.faulty, "game");
            output::note(format_args!(
                "{games} with errors among those written (see halfmove pgn check)"
            ));
        }
        let per = |bytes: f64, count: u64| (count > 0).then(|| bytes / count as f64);
        let bits_per_ply = per(8.0 * self.bytes as f64, self.half_moves);
        let bytes_per_game = per(self.bytes as f64, self.games);
        if format == Format::Table {
            let mut line = format!(
                "{} with {} in {} of {}",
                counted(self.games, "game"),
                counted(self.half_moves, "half-move"),
                counted(self.bytes, "byte"),
                codec.name(),
            );
            if bits_per_ply.is_some() {
                line += &format!(
                    ": {} bits a half-move, {} bytes a game",
                    decimals(bits_per_ply, 2),
                    decimals(bytes_per_game, 1)
                );
            }
            output::note(line);
            self.advise(codec);
            return Ok(());
        }
        self.advise(codec);
        let encoded = Encoded { codec, report: self.clone(), bits_per_ply, bytes_per_game };
        let listing = Listing::new(&[COLUMNS]);
        let rows = listing.rows(format, slice::from_ref(&encoded));
        let answer = Answer { rows: &rows, closing: "", list: None };
        output::print(format, &answer, || listing.object(&encoded))
    }
}

/// The report of a codec.
struct Encoded {
    codec: &'static dyn Codec,
    report: Report,
    bits_per_ply: Option<f64>,
    bytes_per_game: Option<f64>,
}

const COLUMNS: &[Column<Encoded>] = &[
    Column::<Encoded>::field("codec", |encoded| encoded.codec.name().into()),
    Column::<Encoded>::field("version", |encoded| encoded.codec.version().into()),
    Column::<Encoded>::field("games", |encoded| encoded.report.games.into()),
    Column::<Encoded>::field("plies", |encoded| encoded.report.half_moves.into()),
    Column::<Encoded>::field("bytes", |encoded| encoded.report.bytes.into()),
    Column::<Encoded>::json("bits_per_ply", |encoded| encoded.bits_per_ply.into()),
    Column::<Encoded>::csv("bits_per_ply", |encoded| decimals(encoded.bits_per_ply, 4).into()),
    Column::<Encoded>::json("bytes_per_game", |encoded| encoded.bytes_per_game.into()),
    Column::<Encoded>::csv("bytes_per_game", |encoded| decimals(encoded.bytes_per_game, 4).into()),
    Column::<Encoded>::field("left_out", |encoded| encoded.report.left_out.into()),
    Column::<Encoded>::field("faulty_games", |encoded| encoded.report.faulty.into()),
];

/// A number with `places` decimals.
fn decimals(number: Option<f64>, places: usize) -> String {
    number.map_or_else(String::new, |number| format!("{number:.places$}"))
}
