//! The list of verbs in `halfmove --help`, in groups. clap has none for verbs.

use super::Cli;
use crate::table;
use clap::builder::{StyledStr, Styles};
use clap::{Arg, Command, CommandFactory};
use std::fmt::Write as _;

/// Each verb once.
const GROUPS: [(&str, &[&str]); 5] = [
    (
        "Games in archives",
        &["import", "search", "explore", "show", "export", "sql", "stats", "players", "events"],
    ),
    (
        "Looking after an archive",
        &[
            "info",
            "duplicates",
            "compact",
            "upgrade",
            "verify",
            "history",
            "undo",
            "remove",
            "vacuum",
        ],
    ),
    ("PGN files, and games as bytes", &["pgn", "encode", "decode", "dump", "codecs"]),
    (
        "Positions, rules and the engine",
        &["position", "moves", "perft", "analyze", "selfplay", "engine"],
    ),
    ("Shell", &["completions", "man", "help"]),
];

/// The command line as the program understands it.
pub(crate) fn command() -> Command {
    let command = Cli::command().mut_subcommands(with_numbers).mut_subcommands(with_more);
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}{}\n{{options}}{{after-help}}",
        groups(&command),
        heading("Options")
    );
    command.help_template(StyledStr::from(template))
}

/// A verb whose short help ends with the names of the flags that only the long help explains.
fn with_more(verb: Command) -> Command {
    let is_told =
        |arg: &&Arg| arg.is_hide_short_help_set() && !UNTOLD.contains(&arg.get_id().as_str());
    let more = verb.get_arguments().filter(is_told).filter_map(Arg::get_long);
    let more: Vec<String> = more.map(|name| format!("--{name}")).collect();
    match more.is_empty() {
        true => verb,
        false => {
            let more = format!("More with --help: {}", more.join(", "));
            verb.after_help(table::wrapped(&more, 100).join("\n"))
        }
    }
}

/// Flags that nobody needs who does not meet them elsewhere.
const UNTOLD: [&str; 2] = ["dialect", "force"];

/// A number below zero is a value, which is told to be too small, and not an option that does not exist.
fn with_numbers(verb: Command) -> Command {
    let is_value = |arg: &Arg| arg.get_action().takes_values() && !arg.is_allow_hyphen_values_set();
    verb.mut_args(|arg| match is_value(&arg) {
        true => arg.allow_negative_numbers(true),
        false => arg,
    })
    .mut_subcommands(with_numbers)
}

/// All groups, each followed by an empty line.
fn groups(command: &Command) -> String {
    let literal = *Styles::styled().get_literal();
    let mut text = String::new();
    for (name, verbs) in GROUPS {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", heading(name));
        for verb in verbs {
            let about = match command.find_subcommand(verb).and_then(Command::get_about) {
                Some(about) => about.to_string(),
                None => "Print this message or the help of a verb".to_owned(),
            };
            let _ = writeln!(text, "  {literal}{verb:11}{literal:#}  {about}");
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
    use super::{GROUPS, UNTOLD, command};
    use clap::Arg;

    /// Also those of `halfmove pgn`, with their path.
    fn for_each(command: &clap::Command, path: &str, check: &mut impl FnMut(&str, &clap::Command)) {
        for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help") {
            let path = format!("{path} {}", verb.get_name());
            check(&path, verb);
            for_each(verb, &path, check);
        }
    }

    #[test]
    fn each_verb_is_in_one_group() {
        let command = command();
        let mut verbs: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        verbs.retain(|verb| *verb != "help");
        verbs.push("help");
        verbs.sort_unstable();
        let mut listed: Vec<&str> =
            GROUPS.iter().flat_map(|(_, verbs)| verbs.iter().copied()).collect();
        listed.sort_unstable();
        assert_eq!(listed, verbs, "GROUPS in args/verbs.rs");
    }

    #[test]
    fn the_short_help_fits_a_screen() {
        let mut command = command().term_width(100);
        command.build();
        let lines = command.render_help().to_string().lines().count();
        assert!(lines <= 50, "halfmove -h has {lines} lines");
        for_each(&command, "halfmove", &mut |path, verb| {
            let help = verb.clone().term_width(100).render_help().to_string();
            let lines = help.lines().count();
            assert!(
                lines <= 40,
                "{path} -h has {lines} lines: put what is long into --help\n{help}"
            );
        });
    }

    /// What a verb can do is at least named.
    #[test]
    fn the_short_help_names_all_flags() {
        for_each(&command(), "halfmove", &mut |path, verb| {
            let help = verb.clone().render_help().to_string();
            for name in verb.get_arguments().filter_map(Arg::get_long) {
                let is_there = help.contains(&format!("--{name}"));
                assert!(is_there || UNTOLD.contains(&name), "{path} -h: --{name}");
            }
        });
    }

    /// The long text of a flag stands below its short one, and goes on from there.
    #[test]
    fn the_long_help_says_nothing_twice() {
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

    #[test]
    fn the_long_help_has_examples() {
        for_each(&command(), "halfmove", &mut |path, verb| {
            if verb.has_subcommands() {
                return;
            }
            let help = verb.clone().render_long_help().to_string();
            let examples = help.split_once("\nExamples:\n").map_or("", |(_, examples)| examples);
            let count = examples.lines().filter(|line| line.contains(path)).count();
            assert!(count >= 2, "{path} --help has {count} examples, expected two");
        });
    }
}
