//! The program `halfmove`: one verb, one file.

mod archive;
mod args;
mod command;
mod interrupt;
mod new_file;
mod output;
mod position;
mod progress;
mod screen;
mod visible;

use args::{Cli, Verb};
use clap::Parser;
use std::process::ExitCode;

/// The result of a verb that ran without error.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Done {
    Found,
    Nothing,
}

fn main() -> ExitCode {
    match run(Cli::parse().verb) {
        Ok(Done::Found) => ExitCode::SUCCESS,
        Ok(Done::Nothing) => ExitCode::from(1),
        // A reader may stop reading our output; that is not an error.
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::report(&error);
            let interrupted = error.downcast_ref::<interrupt::Interrupted>();
            ExitCode::from(interrupted.map_or(2, interrupt::Interrupted::exit_code))
        }
    }
}

fn run(verb: Verb) -> anyhow::Result<Done> {
    match verb {
        Verb::Import(args) => command::import::run(args),
        Verb::Info(args) => command::info::run(args),
        Verb::Search(args) => command::search::run(args),
        Verb::Explore(args) => command::explore::run(args),
        Verb::Show(args) => command::show::run(args),
        Verb::Export(args) => command::export::run(args),
        Verb::Sql(args) => command::sql::run(args),
        Verb::Perft(args) => command::perft::run(args),
        Verb::Moves(args) => command::moves::run(args),
        Verb::Position(args) => command::position::run(args),
    }
}
