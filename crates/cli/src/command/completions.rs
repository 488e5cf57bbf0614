//! `halfmove completions`: a script for a shell, made from the command line.

use crate::Done;
use crate::args::{self, Completions};
use std::io::{self, Write};

pub(crate) fn run(args: Completions) -> anyhow::Result<Done> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut args::command(), "halfmove", &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(Done::Found)
}
