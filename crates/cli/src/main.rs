//! The program `halfmove`: one verb, one file.

mod advice;
mod archive;
mod args;
mod batch;
mod board;
mod color;
mod command;
mod interrupt;
mod movetext;
mod new_file;
mod output;
mod position;
mod progress;
mod quote;
mod score;
mod screen;
mod table;
mod visible;
mod watch;

use args::{Cli, Summary, Verb};
use clap::{FromArgMatches, Parser};
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::{env, panic, thread};

/// What is freed goes back to the system, however large: the allocator of glibc keeps pieces of up to 32 MiB for later,
/// and an import of very long texts would take more memory than it may.
#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// The result of a verb that ran without error.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Done {
    Found,
    /// Nothing was found, or what was found is faulty.
    Nothing,
    /// Something failed, which has been reported.
    Failed,
}

fn main() -> ExitCode {
    keep_queries_quiet();
    color::begin(env::args_os());
    let done = match env::args_os().nth(1) {
        Some(first) if is_file(&first) => command::pgn::summary::run(Summary::parse()),
        _ => {
            let typed = args::command().try_get_matches();
            let typed = typed.and_then(|typed| Cli::from_arg_matches(&typed));
            match typed {
                Ok(typed) => run(typed.verb),
                Err(error) => print(advice::advised(error)),
            }
        }
    };
    match done {
        Ok(Done::Found) => ExitCode::SUCCESS,
        Ok(Done::Nothing) => ExitCode::from(1),
        Ok(Done::Failed) => ExitCode::from(2),
        // A reader may stop reading our output; that is not an error.
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let error = command::sql::explained(error);
            output::report(&error);
            let interrupted = error.downcast_ref::<interrupt::Interrupted>();
            ExitCode::from(interrupted.map_or(2, interrupt::Interrupted::exit_code))
        }
    }
}

/// Prints what the command line has to say, be it an error or help that was asked for.
fn print(told: clap::Error) -> anyhow::Result<Done> {
    if told.use_stderr() {
        told.exit();
    }
    told.print()?;
    io::stdout().flush()?;
    Ok(Done::Found)
}

/// A mistake of the query engine is reported as an error of its query, and damage to a log as an error of its archive, and not
/// by their threads as well.
fn keep_queries_quiet() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panicked| {
        let thread = thread::current();
        if !thread.name().is_some_and(|name| name.starts_with("halfmove-")) {
            usual(panicked);
        }
    }));
}

/// Whether the first argument is a file rather than a verb or an option: it names one that exists, or
/// it looks like a path.
fn is_file(first: &OsStr) -> bool {
    let text = first.to_string_lossy();
    let is_verb = Cli::has_verb(&text);
    !is_verb
        && (text == "-"
            || !text.starts_with('-')
                && (Path::new(first).exists() || text.contains(['.', '/', '\\'])))
}

fn run(verb: Verb) -> anyhow::Result<Done> {
    match verb {
        Verb::Import(args) => command::import::run(args),
        Verb::Pgn(verb) => command::pgn::run(verb),
        Verb::Encode(args) => command::encode::run(args),
        Verb::Decode(args) => command::decode::run(args),
        Verb::Dump(args) => command::dump::run(args),
        Verb::Codecs(args) => command::codecs::run(args),
        Verb::Info(args) => command::info::run(args),
        Verb::Stats(args) => command::stats::run(args),
        Verb::Search(args) => command::search::run(args),
        Verb::Explore(args) => command::explore::run(args),
        Verb::Show(args) => command::show::run(args),
        Verb::Export(args) => command::export::run(args),
        Verb::Sql(args) => command::sql::run(args),
        Verb::Players(args) => command::players::run(args),
        Verb::Events(args) => command::events::run(args),
        Verb::Duplicates(args) => command::duplicates::run(args),
        Verb::Compact(args) => command::compact::run(args),
        Verb::Upgrade(args) => command::upgrade::run(args),
        Verb::Verify(args) => command::verify::run(args),
        Verb::History(args) => command::history::run(args),
        Verb::Undo(args) => command::undo::run(args),
        Verb::Remove(args) => command::remove::run(args),
        Verb::Vacuum(args) => command::vacuum::run(args),
        Verb::Analyze(args) => command::analyze::run(args),
        Verb::SelfPlay(args) => command::selfplay::run(args),
        Verb::Engine(args) => command::engine::run(args),
        Verb::Perft(args) => command::perft::run(args),
        Verb::Moves(args) => command::moves::run(args),
        Verb::Position(args) => command::position::run(args),
        Verb::Completions(args) => command::completions::run(args),
        Verb::Man(args) => command::man::run(args),
    }
}
