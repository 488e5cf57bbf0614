//! `halfmove man`: the pages of the manual, made from the command line.

use crate::Done;
use crate::args::{self, Man, TOPICS};
use crate::new_file::NewFile;
use crate::output::{self, Advised, counted};
use anyhow::{Context, anyhow};
use clap::Command;
use clap::builder::StyledStr;
use clap_mangen::Man as Page;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

pub(crate) fn run(args: Man) -> anyhow::Result<Done> {
    if args.markdown {
        io::stdout().lock().write_all(markdown().as_bytes())?;
        return Ok(Done::Found);
    }
    let mut program = complete(args::definitions()).disable_help_subcommand(true);
    // This sets the full name of each verb.
    program.build();
    if let Some(folder) = &args.dir {
        let pages = write_all(&program, folder, args.force)?;
        output::note(format_args!("{} written to {}", counted(pages, "page"), folder.display()));
        return Ok(Done::Found);
    }
    let mut command = &program;
    for name in &args.verb {
        command = command.find_subcommand(name).ok_or_else(|| unknown(command, name))?;
    }
    io::stdout().lock().write_all(&page(command)?)?;
    Ok(Done::Found)
}

/// Lets a page explain the flags that short help leaves out.
fn complete(command: Command) -> Command {
    command.mut_args(|arg| arg.hide_short_help(false)).mut_subcommands(complete)
}

fn unknown(command: &Command, name: &str) -> anyhow::Error {
    let error = anyhow!("{} has no verb {name}", command.get_name());
    let verbs: Vec<&str> = shown(command).map(Command::get_name).collect();
    match verbs.is_empty() {
        true => error,
        false => Advised::new(error, format!("its verbs are {}", verbs.join(", "))).into(),
    }
}

fn page(command: &Command) -> anyhow::Result<Vec<u8>> {
    let mut page = Vec::new();
    Page::new(command.clone()).render(&mut page)?;
    Ok(page)
}

/// Writes the pages of a command and of its verbs. Returns the number of pages.
fn write_all(command: &Command, folder: &Path, force: bool) -> anyhow::Result<u64> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let path = folder.join(Page::new(command.clone()).get_filename());
    let mut file = NewFile::create(&path, &[], force)?;
    file.write_all(&page(command)?)?;
    file.finish()?;
    let mut pages = 1;
    for verb in shown(command) {
        pages += write_all(verb, folder, force)?;
    }
    Ok(pages)
}

/// The verbs of a command, except those that only report a missing feature.
fn shown(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|verb| !verb.is_hide_set())
}

/// docs/reference/cli.md: the help of the program, of its topics and of all its verbs.
fn markdown() -> String {
    let mut text = String::from(
        "# The command line\n\nThe help of `halfmove`, of its topics and of its verbs, printed by \
         `halfmove man --markdown`.\n",
    );
    let mut program = args::command();
    program.build();
    add_markdown(&mut program, &mut text);
    text
}

fn add_markdown(command: &mut Command, text: &mut String) {
    let help = command.render_long_help().to_string();
    add_block(&help, text);
    let is_program = command.get_name() == "halfmove";
    if is_program {
        for topic in TOPICS {
            *text += &format!("\n## help {}\n", topic.name);
            add_block(&StyledStr::from(topic.text()).to_string(), text);
        }
    }
    for verb in command.get_subcommands_mut() {
        // clap's own, for the verbs of `pgn` and `players`.
        let is_copy = verb.get_name() == args::HELP && !is_program;
        if !verb.is_hide_set() && !is_copy {
            let name = verb.get_bin_name().unwrap_or_default();
            *text += &format!("\n## {}\n", name.trim_start_matches("halfmove "));
            add_markdown(verb, text);
        }
    }
}

/// Adds a text as it is.
fn add_block(block: &str, text: &mut String) {
    let lines: Vec<&str> = block.lines().map(str::trim_end).collect();
    *text += &format!("\n```text\n{}\n```\n", lines.join("\n"));
}
