//! The arena: matches between two engines, with our rules as the referee.
//!
//! `halfmove-engine arena --help` lists what it can do, `docs/guide/arena.md` explains it. It is part of the program, not
//! of the library: it starts processes, reads the clock and prints.
//!
//! | what | where |
//! | --- | --- |
//! | the command line | `arena/args.rs` |
//! | workers, results | `arena/contest.rs` |
//! | one game | `arena/game.rs`, `referee.rs`, `limit.rs` |
//! | engines: processes, protocols, verdicts | `arena/process.rs`, `player.rs`, `player/` |
//! | what engines are sent and say | `arena/log.rs` |
//! | openings | `arena/openings.rs`, `openings/` |
//! | Elo, sequential test | `arena/statistics.rs`, `sprt.rs` |
//! | games and summaries as text | `arena/pgn.rs`, `report.rs` |

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
mod sprt;
mod statistics;

use crate::arguments::{create, failed};
use args::Args;
use contest::{Contest, Finished, Standings, Stop};
use log::Log;
use openings::Openings;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// The exit code for an invalid command line, as in other programs.
const USAGE: u8 = 2;

/// Stopped by Ctrl-C.
const INTERRUPTED: u8 = 130;

/// Plays the match that the command line describes.
pub(crate) fn run() -> ExitCode {
    let (args, engines) = args::read(std::env::args_os().skip(1));
    let contest = match args.contest(&engines) {
        Ok(contest) => contest,
        Err(error) => {
            complain(&error);
            return ExitCode::from(USAGE);
        }
    };
    let outputs = [&args.pgn, &args.json, &args.log, &args.save_openings].map(Option::as_deref);
    let named = |path: &Path| outputs.iter().flatten().filter(|other| **other == path).count();
    if let Some(path) = outputs.into_iter().flatten().find(|path| named(path) > 1) {
        complain(&format!("{}: it cannot be two files at once", path.display()));
        return ExitCode::from(USAGE);
    }
    match play(&args, &contest) {
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

fn play(args: &Args, contest: &Contest) -> Result<Stop, String> {
    let openings =
        || Openings::new(&args.source(), contest.variant, args.seed()).map_err(|e| e.to_string());
    if let Some(path) = &args.save_openings {
        save_openings(create(path, args.force)?, path, contest, openings()?)?;
    }
    let new = |path: &PathBuf| create(path, args.force);
    let mut games = args.pgn.as_ref().map(new).transpose()?;
    let mut summary = args.json.as_ref().map(new).transpose()?;
    let log = args.log.as_ref().map(|path| open_log(path, args.force)).transpose()?;
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // A second signal ends the program at once.
        let done = flag::register_conditional_shutdown(
            signal,
            i32::from(INTERRUPTED),
            Arc::clone(&interrupted),
        )
        .and_then(|_| flag::register(signal, Arc::clone(&interrupted)));
        done.map_err(|error| format!("no signals: {error}"))?;
    }
    let started = Instant::now();
    let date = pgn::today();
    let tell = |finished: &Finished, standings: &Standings| -> io::Result<()> {
        if !args.quiet {
            let _ = writeln!(io::stderr(), "{}", report::line(contest, finished, standings));
        }
        if let (Some(path), Some(error)) = (&args.log, log.as_deref().and_then(Log::failure)) {
            return Err(io::Error::other(failed(path)(error)));
        }
        let (Some(path), Some(games)) = (&args.pgn, &mut games) else { return Ok(()) };
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
        let text = pgn::text(&finished.record, heading);
        // Only the first game replaces an older file.
        let ready = if standings.tally.games() == 1 { games.set_len(0) } else { Ok(()) };
        let written = ready.and_then(|()| games.write_all(text.as_bytes()));
        written.map_err(|error| io::Error::other(failed(path)(error)))
    };
    let done = openings().and_then(|openings| {
        contest::run(contest, openings, log.as_ref(), &interrupted, tell).map_err(|e| e.to_string())
    });
    let (standings, stop) = done.inspect_err(|_| {
        // A match that cannot begin leaves nothing behind.
        for path in [&args.pgn, &args.json, &args.log].into_iter().flatten() {
            if fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() == 0) {
                let _ = fs::remove_file(path);
            }
        }
    })?;
    let took = started.elapsed();
    let text = report::summary(contest, &standings, stop, took);
    io::stdout().write_all(text.as_bytes()).map_err(|error| error.to_string())?;
    if let (Some(path), Some(file)) = (&args.json, &mut summary) {
        let json = report::json(contest, &standings, stop, took);
        let written =
            file.set_len(0).and_then(|()| file.write_all(format!("{json:#}\n").as_bytes()));
        written.map_err(failed(path))?;
    }
    Ok(stop)
}

/// A new file for the log. It begins before the first game.
fn open_log(path: &Path, force: bool) -> Result<Arc<Log>, String> {
    let file = create(path, force)?;
    file.set_len(0).map_err(failed(path))?;
    Ok(Arc::new(Log::new(file)))
}

/// Writes the openings of a match to a file, one for each pair.
fn save_openings(
    file: File,
    path: &Path,
    contest: &Contest,
    mut openings: Openings,
) -> Result<(), String> {
    file.set_len(0).map_err(failed(path))?;
    let mut file = BufWriter::new(file);
    for _ in 0..contest.pairs {
        let opening = openings.next().map_err(|error| error.to_string())?;
        writeln!(file, "{}", opening.position()).map_err(failed(path))?;
    }
    file.flush().map_err(failed(path))
}
