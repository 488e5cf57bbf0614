//! `halfmove encode`: PGN files as bytes of a codec.

use super::pgn::{Files, Opened};
use crate::Done;
use crate::args::{Encode, Format, most};
use crate::new_file::NewFile;
use crate::output::{self, Advised, Answer, Rows, Unwritable, counted, input_name};
use anyhow::{Context, anyhow, bail};
use halfmove_game::Game;
use halfmove_game::codec::Codec;
use halfmove_game::codec::file::{WriteError, Writer};
use halfmove_game::codec::whole::Whole;
use halfmove_game::pgn::{GameReader, PgnErrorKind, Reading};
use serde_json::json;
use std::io::{self, BufWriter, IsTerminal, Read, Write};
use std::path::Path;

pub(crate) fn run(args: Encode) -> anyhow::Result<Done> {
    let format = args.report.format;
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
        limit: most(Some(args.limit), true),
        report: Report::default(),
    };
    files.for_each_with(GameReader::new, |path, opened| writing.file(path, opened))?;
    Ok((writing.report, writing.writer.finish()?))
}

struct Writing<W> {
    writer: Writer<W>,
    strict: bool,
    /// How many of the games that are left out are reported.
    limit: usize,
    report: Report,
}

/// What was written.
#[derive(Default)]
struct Report {
    games: u64,
    half_moves: u64,
    /// Those of the codec alone.
    bytes: u64,
    left_out: u64,
    /// Whether the codec cannot hold one of them.
    is_unheld: bool,
    /// Whether it can hold one of these without its comments, variations and glyphs.
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
            // A fault before may hide that the game was cut.
            let cut_before = std::mem::replace(&mut cut, opened.reader.counts().long_games);
            let is_cut = cut > cut_before;
            opened.tick();
            let place = || format!("{}: game {number}", input_name(path));
            let problem = match &reading {
                Reading::Skipped(skip) => anyhow!("{}: {skip}", input_name(path)),
                Reading::Faulty(fault) if is_cut => {
                    let also = match fault.kind {
                        PgnErrorKind::TooLong { .. } => "",
                        _ => "; behind that, the game is too long",
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
                        anyhow!("{}, {error}", place())
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

/// Whether a codec can hold a game without its comments, variations and glyphs.
fn holds_stripped(codec: &dyn Codec, game: &Game) -> bool {
    let mut game = game.clone();
    game.annotations.remove_comments();
    game.annotations.remove_variations();
    game.annotations.remove_nags();
    codec.encode(&game, &mut Vec::new()).is_ok()
}

impl Report {
    /// What to do about games that the codec cannot hold.
    fn hint(&self, codec: &dyn Codec) -> Option<&'static str> {
        // Nothing holds more than this one.
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
        let decimals = |number: Option<f64>, places: usize| {
            number.map_or(String::new(), |number| format!("{number:.places$}"))
        };
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
        let rows = Rows {
            heading: &[
                "codec",
                "version",
                "games",
                "plies",
                "bytes",
                "bits_per_ply",
                "bytes_per_game",
                "left_out",
                "faulty_games",
            ],
            numbers: &[],
            rows: vec![vec![
                codec.name().to_owned(),
                codec.version().to_string(),
                self.games.to_string(),
                self.half_moves.to_string(),
                self.bytes.to_string(),
                decimals(bits_per_ply, 4),
                decimals(bytes_per_game, 4),
                self.left_out.to_string(),
                self.faulty.to_string(),
            ]],
        };
        let answer = Answer { rows: &rows, closing: "", list: None };
        output::print(format, &answer, || {
            json!({
                "codec": codec.name(),
                "version": codec.version(),
                "games": self.games,
                "plies": self.half_moves,
                "bytes": self.bytes,
                "bits_per_ply": bits_per_ply,
                "bytes_per_game": bytes_per_game,
                "left_out": self.left_out,
                "faulty_games": self.faulty,
            })
        })
    }
}
