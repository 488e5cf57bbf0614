//! The arena: matches between two engines, with `halfmove-rules` as the referee.
//!
//! `halfmove-lab arena --help` lists its options, `docs/guide/arena.md` explains them.
//!
//! | part | where |
//! | --- | --- |
//! | the command line | `arena/args.rs`, `settings.rs` |
//! | workers, results | `arena/contest.rs` |
//! | one game | `arena/game.rs`, `referee.rs`, `limit.rs` |
//! | engines: processes, protocols, verdicts | `arena/process.rs`, `player.rs`, `player/` |
//! | lines between the arena and the engines | `arena/log.rs` |
//! | openings | `arena/openings.rs`, `openings/` |
//! | matches that tune an engine | `arena/spsa.rs` |
//! | games as PGN, summaries as text and JSON | `arena/pgn.rs`, `report.rs` |
//!
//! Elo and the sequential test are in the library: [`halfmove_lab::Tally`] and
//! [`halfmove_lab::Sprt`].

mod args;
mod contest;
mod game;
mod limit;
mod log;
mod openings;
mod pgn;
mod player;
mod process;
mod referee;
mod report;
mod settings;
mod spsa;

use crate::arguments::{Output, failed};
pub(crate) use args::{Args, engines};
use contest::{Contest, Finished, Standings, Stop};
use log::Log;
use openings::{Openings, Source};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
pub(crate) use spsa::{SpsaArgs, run as run_spsa};
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The exit code for an invalid command line, as in other programs.
const USAGE: u8 = 2;

/// Stopped by Ctrl-C.
pub(crate) const INTERRUPTED: u8 = 130;

/// Plays the match that the command line describes.
pub(crate) fn run(args: &Args, engines: &[Vec<String>]) -> ExitCode {
    let contest = match args.contest(engines) {
        Ok(contest) => contest,
        Err(error) => {
            complain(&error);
            return ExitCode::from(USAGE);
        }
    };
    match play(args, &contest) {
        Ok(Stop::Interrupted) => ExitCode::from(INTERRUPTED),
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error);
            ExitCode::FAILURE
        }
    }
}

fn complain(error: &str) {
    let _ = writeln!(io::stderr(), "error: {error}");
}

/// The maximum number of warnings about a file of openings.
const MAX_WARNINGS: usize = 20;

/// Prints the openings that were left out or changed.
fn warn(openings: &Openings) {
    let (shown, others) = openings.warnings().split_at(openings.warnings().len().min(MAX_WARNINGS));
    for warning in shown {
        let _ = writeln!(io::stderr(), "warning: {warning}");
    }
    if !others.is_empty() {
        let _ = writeln!(io::stderr(), "warning: and {} more like these", others.len());
    }
}

/// The output files that the command line names.
struct Outputs {
    openings: Option<Output>,
    games: Option<Output>,
    summary: Option<Output>,
    log: Option<Output>,
}

impl Outputs {
    fn create(args: &Args) -> Result<Self, String> {
        let mut outputs = [const { None }; 4];
        let paths = [&args.save_openings, &args.pgn, &args.json, &args.log];
        for (i, path) in paths.into_iter().enumerate() {
            let Some(path) = path else { continue };
            let refused = |reason: &str| Err(format!("{}: {reason}", path.display()));
            if outputs.iter().flatten().any(|other: &Output| other.is_at(path)) {
                return refused("it cannot be two files at once");
            }
            let output = Output::create(path, args.force)?;
            if let Source::File { path, .. } = args.settings.source()
                && output.replaces(&path)
            {
                return refused("--openings reads this file");
            }
            outputs[i] = Some(output);
        }
        let [openings, games, summary, log] = outputs;
        Ok(Self { openings, games, summary, log })
    }
}

fn play(args: &Args, contest: &Contest) -> Result<Stop, String> {
    let openings = || {
        Openings::new(&args.settings.source(), contest.variant, args.settings.seed)
            .map_err(|e| e.to_string())
    };
    let interrupted = on_interruption()?;
    let Outputs { openings: saved, mut games, summary, log } = Outputs::create(args)?;
    if let Some(file) = saved {
        save_openings(file, contest, openings()?, &interrupted)?;
        if interrupted.load(Ordering::Relaxed) {
            return Ok(Stop::Interrupted);
        }
    }
    let log = log.map(|file| Arc::new(Log::new(file)));
    let started = Instant::now();
    let date = pgn::today();
    let report_game = |finished: &Finished, standings: &Standings| -> io::Result<()> {
        if !args.quiet {
            let _ = writeln!(io::stderr(), "{}", report::line(contest, finished, standings));
        }
        if let Some(error) = log.as_deref().and_then(Log::failure) {
            return Err(io::Error::other(error));
        }
        let Some(games) = &mut games else { return Ok(()) };
        let [mut first, mut second] = [&contest.engines[0], &contest.engines[1]];
        if finished.second {
            std::mem::swap(&mut first, &mut second);
        }
        let heading = pgn::Heading {
            event: &args.event,
            date: &date,
            round: &finished.round(),
            names: [&first.name, &second.name],
            limits: [first.limit, second.limit],
        };
        let text = pgn::text(&finished.record, heading).map_err(io::Error::other)?;
        let written = games.write_all(text.as_bytes());
        written.map_err(|error| io::Error::other(failed(games.path())(error)))
    };
    let mut openings = openings()?;
    warn(&openings);
    let done = contest::run(contest, &mut openings, log.as_ref(), &interrupted, report_game);
    let (standings, stop) = done.map_err(|error| error.to_string())?;
    let took = started.elapsed();
    let text = report::summary(contest, &standings, stop, took);
    io::stdout().write_all(text.as_bytes()).map_err(|error| error.to_string())?;
    if let Some(mut file) = summary.filter(|_| standings.tally.games() > 0) {
        let json = report::json(contest, &standings, stop, took);
        file.write_all(format!("{json:#}\n").as_bytes()).map_err(failed(file.path()))?;
    }
    match log.as_deref().and_then(Log::failure) {
        Some(error) => Err(error),
        None => Ok(stop),
    }
}

/// A flag that is set by SIGINT (Ctrl-C) or SIGTERM. A second signal ends the program at once.
pub(crate) fn on_interruption() -> Result<Arc<AtomicBool>, String> {
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        let done = flag::register_conditional_shutdown(
            signal,
            i32::from(INTERRUPTED),
            Arc::clone(&interrupted),
        )
        .and_then(|_| flag::register(signal, Arc::clone(&interrupted)));
        done.map_err(|error| format!("no signals: {error}"))?;
    }
    Ok(interrupted)
}

/// Writes the openings of a match to a file, one per pair, unless interrupted.
fn save_openings(
    mut file: Output,
    contest: &Contest,
    mut openings: Openings,
    interrupted: &AtomicBool,
) -> Result<(), String> {
    let mut text = String::new();
    for _ in 0..contest.pairs {
        if interrupted.load(Ordering::Relaxed) {
            return Ok(());
        }
        let opening = openings.next().map_err(|error| error.to_string())?;
        let _ = writeln!(text, "{}", opening.position());
    }
    file.write_all(text.as_bytes()).map_err(failed(file.path()))
}
