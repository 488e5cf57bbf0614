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
//! | openings | `arena/openings.rs`, `openings/` |
//! | Elo, sequential test | `arena/statistics.rs`, `sprt.rs` |
//! | games and summaries as text | `arena/pgn.rs`, `report.rs` |

mod args;
mod contest;
mod game;
mod limit;
mod openings;
mod pgn;
mod player;
mod process;
mod random;
mod referee;
mod report;
mod sprt;
mod statistics;

use args::Args;
use contest::{Contest, Finished, Standings, Stop};
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

/// An invalid command line, as other programs tell it.
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
    let outputs = [&args.pgn, &args.json, &args.save_openings].map(Option::as_deref);
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

/// A new file. The games of another match are not written over unasked.
fn create(path: &Path, force: bool) -> Result<BufWriter<File>, String> {
    let file = if force { File::create(path) } else { File::create_new(path) };
    file.map(BufWriter::new).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            format!("{}: the file exists; --force replaces it", path.display())
        }
        _ => format!("{}: {error}", path.display()),
    })
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
        let Some(games) = &mut games else { return Ok(()) };
        let [mut first, mut second] = [&contest.engines[0], &contest.engines[1]];
        if finished.second {
            std::mem::swap(&mut first, &mut second);
        }
        let heading = pgn::Heading {
            event: &args.event,
            date: &date,
            round: &format!("{}.{}", finished.pair + 1, 1 + u8::from(finished.second)),
            names: [&first.name, &second.name],
            limits: [first.limit, second.limit],
        };
        games.write_all(pgn::text(&finished.record, heading).as_bytes())?;
        games.flush()
    };
    let done = openings().and_then(|openings| {
        contest::run(contest, openings, &interrupted, tell).map_err(|e| e.to_string())
    });
    let (standings, stop) = done.inspect_err(|_| {
        // A match that cannot begin leaves nothing behind.
        for path in [&args.pgn, &args.json].into_iter().flatten() {
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
        writeln!(file, "{json:#}")
            .and_then(|()| file.flush())
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(stop)
}

/// Writes the openings of a match to a file, one for each pair.
fn save_openings(
    mut file: BufWriter<File>,
    path: &Path,
    contest: &Contest,
    mut openings: Openings,
) -> Result<(), String> {
    for _ in 0..contest.pairs {
        let opening = openings.next().map_err(|error| error.to_string())?;
        writeln!(file, "{}", opening.position())
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    file.flush().map_err(|error| format!("{}: {error}", path.display()))
}
