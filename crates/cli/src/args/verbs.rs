//! The list of verbs in `halfmove --help`, in groups. clap has none for verbs.

use super::{ArchiveVerb, Cli, FilesVerb, GamesVerb, RulesVerb, ShellVerb};
use crate::table;
use clap::builder::{StyledStr, Styles};
use clap::{Arg, Command, CommandFactory, Subcommand};
use std::fmt::Write as _;

/// A group of verbs: its name, and the enum of its verbs.
type Group = (&'static str, fn(Command) -> Command);

const GROUPS: [Group; 5] = [
    ("Games in archives", GamesVerb::augment_subcommands),
    ("Maintenance of an archive", ArchiveVerb::augment_subcommands),
    ("PGN files, and games as bytes", FilesVerb::augment_subcommands),
    ("Positions, rules and the engine", RulesVerb::augment_subcommands),
    ("Shell", ShellVerb::augment_subcommands),
];

/// The whole command line, as the program parses it.
pub(crate) fn command() -> Command {
    let command = Cli::command().mut_subcommands(with_numbers).mut_subcommands(with_more);
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}{}\n{{options}}{{after-help}}",
        groups(),
        heading("Options")
    );
    command.help_template(StyledStr::from(template))
}

/// Ends the short help of a verb with the names of the flags that only the long help explains.
fn with_more(verb: Command) -> Command {
    let is_named =
        |arg: &&Arg| arg.is_hide_short_help_set() && !UNNAMED.contains(&arg.get_id().as_str());
    let more = verb.get_arguments().filter(is_named).filter_map(Arg::get_long);
    let more: Vec<String> = more.map(|name| format!("--{name}")).collect();
    match more.is_empty() {
        true => verb,
        false => {
            let more = format!("More with --help: {}", more.join(", "));
            verb.after_help(table::wrapped(&more, 100).join("\n"))
        }
    }
}

/// Flags that short help does not name. Errors and the help of other flags name them where they matter.
const UNNAMED: [&str; 2] = ["dialect", "force"];

/// Makes clap read a negative number as a value that is too small, not as an unknown option.
fn with_numbers(verb: Command) -> Command {
    let is_value = |arg: &Arg| arg.get_action().takes_values() && !arg.is_allow_hyphen_values_set();
    verb.mut_args(|arg| match is_value(&arg) {
        true => arg.allow_negative_numbers(true),
        false => arg,
    })
    .mut_subcommands(with_numbers)
}

/// All groups, each followed by an empty line.
fn groups() -> String {
    let literal = *Styles::styled().get_literal();
    let help = Command::new("help").about("Print this message or the help of a verb");
    let mut text = String::new();
    for (name, verbs) in GROUPS {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", heading(name));
        let mut group = verbs(Command::new("group"));
        if name == "Shell" {
            // clap adds it by itself.
            group = group.subcommand(help.clone());
        }
        for verb in group.get_subcommands().filter(|verb| !verb.is_hide_set()) {
            let about = verb.get_about().map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {literal}{:11}{literal:#}  {about}", verb.get_name());
        }
        text.push('\n');
    }
    text
}

fn heading(name: &str) -> String {
    let header = *Styles::styled().get_header();
    format!("{header}{name}:{header:#}")
}

#[cfg(test)]
mod tests {
    use super::command;

    /// Calls `check` with each verb and its path, those of `halfmove pgn` too.
    fn for_each(command: &clap::Command, path: &str, check: &mut impl FnMut(&str, &clap::Command)) {
        for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help") {
            let path = format!("{path} {}", verb.get_name());
            check(&path, verb);
            for_each(verb, &path, check);
        }
    }

    /// clap prints the long text of a flag below its short one, so the long text must not repeat it.
    #[test]
    fn the_long_help_repeats_nothing() {
        for_each(&command(), "halfmove", &mut |path, verb| {
            for arg in verb.get_arguments() {
                let (Some(short), Some(long)) = (arg.get_help(), arg.get_long_help()) else {
                    continue;
                };
                let (short, long) = (short.to_string(), long.to_string());
                let more = long.strip_prefix(&short).unwrap_or(&long).trim_start();
                let begin = |text: &str| text.split(' ').take(3).collect::<Vec<_>>().join(" ");
                assert_ne!(begin(more), begin(&short), "{path} --{}", arg.get_id());
            }
        });
    }
}
