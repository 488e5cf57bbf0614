//! The list of verbs in `halfmove --help`, in groups. clap has none for verbs.

use super::Cli;
use clap::builder::{StyledStr, Styles};
use clap::{Command, CommandFactory};
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
    let command = Cli::command();
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}{}\n{{options}}{{after-help}}",
        groups(&command),
        heading("Options")
    );
    command.help_template(StyledStr::from(template))
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
    use super::{GROUPS, command};

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
