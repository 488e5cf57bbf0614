//! `halfmove completions`: a script for a shell, made from the command line.

use crate::Done;
use crate::args::{self, Completions, TOPICS, Topic};
use clap::Command;
use std::io::{self, Write};

pub(crate) fn run(args: Completions) -> anyhow::Result<Done> {
    let mut script = Vec::new();
    let mut program = args::definitions();
    // This adds clap's verb `help`.
    program.build();
    let topic = |topic: &Topic| {
        let bin_name = format!("halfmove help {}", topic.name);
        Command::new(topic.name).about(topic.about).bin_name(bin_name)
    };
    let mut program =
        program.mut_subcommand(args::HELP, |help| help.subcommands(TOPICS.iter().map(topic)));
    clap_complete::generate(args.shell, &mut program, "halfmove", &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(Done::Found)
}
