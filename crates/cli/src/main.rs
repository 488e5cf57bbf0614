//! The program `halfmove`: one verb, one file.

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
mod score;
mod screen;
mod table;
mod visible;
mod watch;

use args::{Cli, Summary, Verb};
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{FromArgMatches, Parser};
use std::error::Error as _;
use std::ffi::{OsStr, OsString};
use std::num::{IntErrorKind, ParseIntError};
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
            run(typed.unwrap_or_else(|error| advised(error).exit()).verb)
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

/// Adds what helps to an error of the command line.
fn advised(mut error: clap::Error) -> clap::Error {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    match error.kind() {
        // `halfmove check` and its like: where that verb is.
        ErrorKind::InvalidSubcommand => {
            let verb = text(ContextKind::InvalidSubcommand).unwrap_or_default();
            if Cli::has_pgn_verb(&verb) {
                let tip = format!("PGN files have verbs of their own: halfmove pgn {verb}");
                error.remove(ContextKind::SuggestedSubcommand);
                suggest(&mut error, tip);
            } else if error.get(ContextKind::SuggestedSubcommand).is_none() {
                let tip =
                    "there is no verb, file or folder of this name: `halfmove -h` lists the verbs";
                suggest(&mut error, tip.to_owned());
            }
            error
        }
        // Words of the standard library, which say nothing of what is expected.
        ErrorKind::ValueValidation => {
            let why = error.source().and_then(|why| why.downcast_ref::<ParseIntError>());
            let Some(why) = why else { return error };
            let expected = match why.kind() {
                IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => "a smaller number",
                _ => "a whole number",
            };
            let value = text(ContextKind::InvalidValue).unwrap_or_default();
            let option = text(ContextKind::InvalidArg).unwrap_or_default();
            let message = format!("invalid value '{value}' for '{option}': expected {expected}\n");
            clap::Error::raw(ErrorKind::ValueValidation, message)
        }
        ErrorKind::UnknownArgument => {
            let word = text(ContextKind::InvalidArg).unwrap_or_default();
            if word == "--format" {
                error.remove(ContextKind::SuggestedArg);
                let tip = "search, explore and sql have --format";
                suggest(&mut error, tip.to_owned());
            } else if let Some(tip) = quoted(&word, env::args_os()) {
                suggest(&mut error, tip);
            }
            error
        }
        _ => error,
    }
}

fn suggest(error: &mut clap::Error, tip: String) {
    let tip = ContextValue::StyledStrs(vec![StyledStr::from(tip)]);
    error.insert(ContextKind::Suggested, tip);
}

/// What to do about a word too many, if it belongs to the value of an option that was not quoted: `--moves e4 e5`; if it is
/// moves or a position without an option; or if it is an archive that comes too late.
fn quoted(word: &str, args: impl Iterator<Item = OsString>) -> Option<String> {
    let args: Vec<String> = args.map(|arg| arg.to_string_lossy().into_owned()).collect();
    let at = args.iter().position(|arg| arg == word)?;
    let begin = args[..at].iter().rposition(|arg| arg.starts_with('-'));
    let of_text = ["--moves", "--fen", "--where", "--hex"];
    if let Some(begin) =
        begin.filter(|begin| of_text.contains(&args[*begin].as_str()) && at - begin > 1)
    {
        let value = args[begin + 1..].iter().take_while(|arg| !arg.starts_with("--"));
        let value = value.map(String::as_str).collect::<Vec<_>>().join(" ");
        return Some(format!("put it in quotes: {} \"{value}\"", args[begin]));
    }
    let more = args[at..].iter().take_while(|arg| !arg.starts_with("--"));
    let more = more.map(String::as_str).collect::<Vec<_>>().join(" ");
    for text in [more.as_str(), word] {
        if let Some(option) = movetext::option_for(text) {
            return Some(format!("an option says what it is: {option} \"{text}\""));
        }
    }
    let (verb, first) = (args.get(1)?, args.get(2)?);
    let is_late =
        at == 3 && Path::new(word).join("_delta_log").is_dir() && !Path::new(first).exists();
    is_late.then(|| format!("the archive comes first: halfmove {verb} {word}"))
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
