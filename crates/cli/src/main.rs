//! The program `halfmove`: one verb, one file.

mod advice;
mod archive;
mod args;
mod batch;
mod board;
mod color;
mod command;
mod condition;
mod interrupt;
mod listing;
mod movetext;
mod new_file;
mod novelty;
mod output;
mod position;
mod progress;
#[cfg(feature = "sql")]
mod query;
mod quote;
mod score;
mod screen;
mod table;
mod typed;
mod visible;
mod watch;

use args::{ArchiveVerb, Cli, FilesVerb, GamesVerb, Help, RulesVerb, ShellVerb, Summary, Verb};
use clap::{FromArgMatches, Parser};
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::{env, panic, thread};
use visible::visible;

/// Returns freed memory to the system. The allocator of glibc keeps blocks of up to 32 MiB, with which an import of very long
/// texts would exceed its memory limit.
#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The result of a verb that ran without error.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Done {
    Found,
    /// Nothing was found, or the input has faults.
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
            let typed = args::command().try_get_matches().and_then(|typed| {
                match typed.subcommand_matches(args::HELP) {
                    Some(words) => command::help::run(&Help::from_arg_matches(words)?),
                    None => Ok(run(Cli::from_arg_matches(&typed)?.verb)),
                }
            });
            typed.unwrap_or_else(|error| print(advice::advised(error)))
        }
    };
    match done {
        Ok(Done::Found) => ExitCode::SUCCESS,
        Ok(Done::Nothing) => ExitCode::from(1),
        Ok(Done::Failed) => ExitCode::from(2),
        // The reader of our output may close it; that is not an error.
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let error = archive::explain_damage(error);
            output::report(&error);
            let interrupted = error.downcast_ref::<interrupt::Interrupted>();
            ExitCode::from(interrupted.map_or(2, interrupt::Interrupted::exit_code))
        }
    }
}

/// Prints a message of the command line: an error or the requested help.
fn print(message: clap::Error) -> anyhow::Result<Done> {
    if message.use_stderr() {
        // It repeats what was typed, which may hold the name of any file.
        let is_plain = |arg: OsString| matches!(visible(&arg.to_string_lossy()), Cow::Borrowed(_));
        if env::args_os().all(is_plain) {
            message.exit();
        }
        output::note(message.render().to_string().trim_end());
        return Ok(Done::Failed);
    }
    message.print()?;
    io::stdout().flush()?;
    Ok(Done::Found)
}

/// Silences the panic messages of halfmove's threads. A panic of the query engine is reported as an error of its query, and a
/// damaged log as an error of its archive.
fn keep_queries_quiet() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panicked| {
        let thread = thread::current();
        if !thread.name().is_some_and(|name| name.starts_with("halfmove-")) {
            usual(panicked);
        }
    }));
}

/// Returns true if the first argument is a file rather than a verb or an option: it exists, or it looks
/// like a path.
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
        Verb::Games(verb) => match verb {
            GamesVerb::Import(args) => command::import::run(args),
            GamesVerb::Search(args) => command::search::run(args),
            GamesVerb::Explore(args) => command::explore::run(args),
            GamesVerb::Show(args) => command::show::run(args),
            GamesVerb::Export(args) => command::export::run(args),
            GamesVerb::Pack(args) => command::pack::run(args),
            GamesVerb::Sql(args) => command::sql::run(args),
            GamesVerb::Stats(args) => command::stats::run(args),
            GamesVerb::Players(args) => command::players::run(args),
            GamesVerb::Events(args) => command::events::run(args),
            GamesVerb::Serve(args) => command::serve::run(args),
        },
        Verb::Archive(verb) => match verb {
            ArchiveVerb::Info(args) => command::info::run(args),
            ArchiveVerb::Duplicates(args) => command::duplicates::run(args),
            ArchiveVerb::Compact(args) => command::compact::run(args),
            ArchiveVerb::Verify(args) => command::verify::run(args),
            ArchiveVerb::History(args) => command::history::run(args),
            ArchiveVerb::Undo(args) => command::undo::run(args),
            ArchiveVerb::Remove(args) => command::remove::run(args),
        },
        Verb::Files(verb) => match verb {
            FilesVerb::Pgn(args) => command::pgn::run(args),
            FilesVerb::Encode(args) => command::encode::run(args),
            FilesVerb::Decode(args) => command::decode::run(args),
            FilesVerb::Dump(args) => command::dump::run(args),
        },
        Verb::Rules(verb) => match verb {
            RulesVerb::Position(args) => command::position::run(args),
            RulesVerb::Moves(args) => command::moves::run(args),
            RulesVerb::Perft(args) => command::perft::run(args),
            RulesVerb::Analyze(args) => command::analyze::run(args),
            RulesVerb::SelfPlay(args) => command::selfplay::run(args),
            RulesVerb::Engine(args) => command::engine::run(args),
        },
        Verb::Shell(verb) => match verb {
            ShellVerb::Completions(args) => command::completions::run(args),
            ShellVerb::Man(args) => command::man::run(args),
        },
    }
}
