//! The command line as a whole, and the list of its verbs, in groups. clap has none for verbs.

use super::help::{Length, Row, heading, with_help};
use super::topics::TOPICS;
use super::{ArchiveVerb, Cli, FilesVerb, GamesVerb, Help, RulesVerb, ShellVerb};
use clap::{Arg, Args, Command, CommandFactory, Subcommand};
use std::fmt::Write as _;

/// A group of verbs: its name, and the enum of its verbs.
type Group = (&'static str, fn(Command) -> Command);

const GROUPS: [Group; 5] = [
    ("Games in archives", GamesVerb::augment_subcommands),
    ("Maintenance of an archive", ArchiveVerb::augment_subcommands),
    ("PGN files, and games as bytes", FilesVerb::augment_subcommands),
    ("Positions, rules and the engine", RulesVerb::augment_subcommands),
    (SHELL, ShellVerb::augment_subcommands),
];

const SHELL: &str = "Shell";

/// Verbs that few users need. The short list has only their names.
const RARE_VERBS: [&str; 7] = ["encode", "decode", "dump", "perft", "completions", "man", HELP];

/// The whole command line, as the program parses it.
pub(crate) fn command() -> Command {
    let help = Command::new(HELP).about("Print the help of a verb, or explain a topic");
    definitions().subcommand(Help::augment_args(help)).mut_subcommands(deferred).defer(with_help)
}

/// The verb that also explains topics; clap's own explains only verbs.
pub(crate) const HELP: &str = "help";

/// The definitions of all verbs and flags, with the help that clap makes of them, in which each verb has all its flags. The manual
/// and completions are made from it.
pub(crate) fn definitions() -> Command {
    Cli::command().mut_subcommands(with_numbers)
}

/// Makes the help of a verb when the verb is typed.
fn deferred(verb: Command) -> Command {
    verb.mut_subcommands(deferred).defer(with_help)
}

/// Makes clap read a negative number as a value that is too small, not as an unknown option.
fn with_numbers(verb: Command) -> Command {
    let is_value = |arg: &Arg| arg.get_action().takes_values() && !arg.is_allow_hyphen_values_set();
    verb.mut_args(|arg| match is_value(&arg) {
        true => arg.allow_negative_numbers(true),
        false => arg,
    })
    .mut_subcommands(with_numbers)
}

/// The verbs of a command, each section followed by an empty line: those of the program in groups, and its topics.
pub(super) fn list(command: &Command, length: Length) -> String {
    let verbs: Vec<&Command> =
        command.get_subcommands().filter(|verb| !verb.is_hide_set()).collect();
    let mut text = String::new();
    if command.find_subcommand(HELP).is_none() {
        write_section(&mut text, "Verbs", verbs.iter().map(|verb| row(verb)));
        return text;
    }
    for (name, group) in GROUPS {
        let group = group(Command::new("group"));
        let is_listed = |name: &str| length == Length::Long || !RARE_VERBS.contains(&name);
        let here = verbs.iter().filter(|verb| {
            let verb = verb.get_name();
            let is_here = group.find_subcommand(verb).is_some() || verb == HELP && name == SHELL;
            is_here && is_listed(verb)
        });
        write_section(&mut text, name, here.map(|verb| row(verb)));
    }
    if length == Length::Short {
        let _ = writeln!(text, "More with --help: {}\n", RARE_VERBS.join(", "));
    }
    let topics = TOPICS
        .iter()
        .filter(|topic| topic.is_listed())
        .map(|topic| Row::new(topic.name, topic.about));
    write_section(&mut text, "Topics of `halfmove help`", topics);
    text
}

fn row(verb: &Command) -> Row {
    Row::new(verb.get_name(), verb.get_about().map(ToString::to_string).unwrap_or_default())
}

fn write_section(text: &mut String, name: &str, rows: impl Iterator<Item = Row>) {
    let mut rows = rows.peekable();
    if rows.peek().is_some() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", heading(name));
        rows.for_each(|row| row.write(text, 15, 100));
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::{command, definitions};
    use crate::args::{TOPICS, Topic};

    /// Calls `check` with each verb and its path, those of `halfmove pgn` too.
    fn for_each(command: &clap::Command, path: &str, check: &mut impl FnMut(&str, &clap::Command)) {
        for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help") {
            let path = format!("{path} {}", verb.get_name());
            check(&path, verb);
            for_each(verb, &path, check);
        }
    }

    /// Words as a shell reads them.
    fn words(line: &str) -> Vec<String> {
        let mut words = vec![String::new()];
        for (number, part) in line.split('"').enumerate() {
            let spaces: &[char] = if number % 2 == 0 { &[' '] } else { &[] };
            let mut parts = part.split(spaces);
            if let (Some(first), Some(last)) = (parts.next(), words.last_mut()) {
                last.push_str(first);
            }
            words.extend(parts.map(str::to_owned));
        }
        words.retain(|word| !word.is_empty());
        words
    }

    /// The examples in the help of verbs and topics are valid command lines.
    #[test]
    fn examples_are_valid() {
        let after = |verb: &clap::Command| verb.get_after_long_help().map(ToString::to_string);
        let mut texts: Vec<String> = TOPICS.iter().map(Topic::text).collect();
        for_each(&definitions(), "halfmove", &mut |_, verb| texts.extend(after(verb)));
        let mut number = 0;
        for text in texts {
            let Some((_, examples)) = text.split_once("Examples:\n") else { continue };
            for line in examples.replace("\\\n", "").lines() {
                let line = line.split([';', '>', '|', '&']).find(|part| part.contains("halfmove "));
                let line = line.unwrap_or_default();
                let (line, _) = line.split_once("     (").unwrap_or((line, ""));
                if let Err(error) = command().try_get_matches_from(words(line)) {
                    panic!("{line}: {error}");
                }
                number += 1;
            }
        }
        assert!(number > 80, "{number}");
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
