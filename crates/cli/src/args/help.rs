//! The help of a verb in two lengths, from the definitions of its flags.
//!
//! clap prints each flag with all its words, for each verb. Here flags that many verbs share are explained once, by a
//! [topic](super::topics): the help of a verb only names them, and the topic. Flags that few users need come last, and
//! short help leaves them out.

use super::topics::{self, Topic};
use super::verbs;
use crate::{screen, table};
use clap::builder::{PossibleValue, StyledStr, Styles};
use clap::{Arg, ArgAction, Command};
use std::fmt::Write as _;

/// The heading of flags that few users need.
pub(super) const RARE: &str = "Rarely needed";

/// The heading of flags without one.
const OPTIONS: &str = "Options";

/// The heading of examples, at the end of the long help of a verb.
const EXAMPLES: &str = "Examples:\n";

/// The maximum width of a line.
const WIDTH: usize = 100;

/// The number of lines of short help that examples may fill.
const SCREEN: usize = 30;

/// The maximum number of examples in short help.
const MAX_EXAMPLES: usize = 3;

/// The maximum width of the names of flags. The text of a flag with a longer name begins on the next line.
const MAX_NAME: usize = 26;

/// The length of a help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Length {
    /// That of `-h`: a line for each flag.
    Short,
    /// That of `--help`.
    Long,
}

/// The width of the lines.
pub(super) fn width() -> usize {
    screen::width().map_or(WIDTH, |width| width.min(WIDTH))
}

/// Sets both lengths of the help of a command. clap calls this for the command that is typed.
pub(super) fn with_help(command: Command) -> Command {
    let width = width();
    let text = |length| StyledStr::from(Help::new(&command, length, width).text());
    let (short, long) = (text(Length::Short), text(Length::Long));
    // The program has a verb `help` of its own, while `halfmove pgn help` is clap's.
    let is_program = command.find_subcommand(verbs::HELP).is_some();
    command
        .disable_help_subcommand(is_program)
        .help_template("{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}")
        .before_help(short)
        .before_long_help(long)
        .term_width(width)
}

/// The text of a topic: its flags, with all their words.
pub(super) fn of_topic(topic: &Topic, verbs: &[String]) -> String {
    let width = width();
    let args = topic.args();
    let (rare, usual): (Vec<&Arg>, Vec<&Arg>) = args.iter().partition(|arg| is_rare(arg));
    let rows = |args: &[&Arg]| args.iter().map(|arg| Row::of(arg, Length::Long, None)).collect();
    let sections: [(&str, Vec<Row>); 2] = [(topic.title, rows(&usual)), (RARE, rows(&rare))];
    let mut text = format!("{}\n", topic.about);
    if !verbs.is_empty() {
        let of = format!("Flags of the verbs {}.", verbs.join(", "));
        let _ = writeln!(text, "\n{}", table::wrapped(&of, width).join("\n"));
    }
    let column = column(args.iter().map(full_name));
    for (name, rows) in sections.iter().filter(|(_, rows)| !rows.is_empty()) {
        let _ = writeln!(text, "\n{}", heading(name));
        rows.iter().for_each(|row| row.write(&mut text, column, width));
    }
    let more = (topic.text)();
    if !more.is_empty() {
        let _ = writeln!(text, "\n{more}");
    }
    text
}

pub(super) fn heading(name: &str) -> String {
    let header = *Styles::styled().get_header();
    format!("{header}{name}:{header:#}")
}

/// The help of a command, below its usage.
struct Help<'c> {
    command: &'c Command,
    length: Length,
    width: usize,
    /// The flags and arguments that are listed, each with the topic's text on it.
    listed: Vec<(&'c Arg, Option<(&'static Topic, Arg)>)>,
    /// The flags that are only named, by topic.
    named: Vec<(&'static Topic, Vec<&'c Arg>)>,
}

impl<'c> Help<'c> {
    fn new(command: &'c Command, length: Length, width: usize) -> Self {
        let mut help = Self { command, length, width, listed: Vec::new(), named: Vec::new() };
        let mut args: Vec<&Arg> =
            command.get_arguments().filter(|arg| !arg.is_hide_set()).collect();
        let topics: Vec<(&Topic, Vec<Arg>)> =
            topics::TOPICS.iter().map(|topic| (topic, topic.args())).collect();
        for (topic, explained) in topics.iter().filter(|(topic, _)| topic.is_named_only) {
            let mut named = topics::shared(command, explained);
            named.retain(|arg| !arg.is_hide_set());
            if !named.is_empty() {
                args.retain(|arg| named.iter().all(|named| named.get_id() != arg.get_id()));
                help.named.push((topic, named));
            }
        }
        help.listed.extend(args.into_iter().map(|arg| {
            let mut in_part = topics.iter().filter(|(topic, _)| !topic.is_named_only);
            let explained = in_part.find_map(|(topic, args)| {
                let found = args.iter().find(|other| other.get_id() == arg.get_id())?;
                Some((*topic, found.clone()))
            });
            (arg, explained)
        }));
        help
    }

    fn text(&self) -> String {
        let mut text = self.sections();
        for (topic, args) in &self.named {
            let _ = writeln!(text, "{}", heading(&topic.pointer()));
            let usual = args.iter().filter(|arg| !is_rare(arg));
            let rare = args.iter().filter(|arg| is_rare(arg) && self.length == Length::Long);
            let names: Vec<String> = usual.chain(rare).copied().filter_map(long_name).collect();
            for line in table::wrapped(&names.join(", "), self.width.saturating_sub(2)) {
                let _ = writeln!(text, "  {line}");
            }
            text.push('\n');
        }
        match self.length {
            Length::Short => self.end_short(&mut text),
            Length::Long => {
                self.write_section(&mut text, RARE, is_rare);
                if let Some(after) = self.command.get_after_long_help() {
                    text += &without_topics(after.to_string());
                }
            }
        }
        text.trim_end().to_owned()
    }

    /// The arguments, verbs and usual flags, each section followed by an empty line.
    fn sections(&self) -> String {
        let mut text = String::new();
        self.write_section(&mut text, "Arguments", |arg| arg.is_positional());
        text += &verbs::list(self.command, self.length);
        match self.length {
            Length::Short => {
                self.write_section(&mut text, OPTIONS, |arg| !arg.is_positional() && is_short(arg));
            }
            Length::Long => {
                let mut names = vec![OPTIONS];
                for (arg, _) in &self.listed {
                    let name = arg.get_help_heading().unwrap_or(OPTIONS);
                    if !names.contains(&name) && name != RARE {
                        names.push(name);
                    }
                }
                for name in names {
                    self.write_section(&mut text, name, |arg| {
                        !arg.is_positional() && arg.get_help_heading().unwrap_or(OPTIONS) == name
                    });
                }
            }
        }
        text
    }

    /// Writes the listed flags of one section. The first one with options has `--help`, too.
    fn write_section(&self, text: &mut String, name: &str, is_here: impl Fn(&Arg) -> bool) {
        let here = self.listed.iter().filter(|(arg, _)| is_here(arg));
        let mut rows: Vec<Row> = Vec::new();
        let mut topic = None;
        for (arg, shared) in here {
            let row = Row::of(arg, self.length, shared.as_ref().map(|(_, found)| found));
            topic = topic.or(shared.as_ref().filter(|_| row.is_cut).map(|(topic, _)| *topic));
            rows.push(row);
        }
        if name == OPTIONS {
            rows.extend(self.own_rows());
        }
        if rows.is_empty() {
            return;
        }
        // The pointer to a topic is written once.
        let pointer = topic.map(|topic| format!("see also `halfmove help {}`", topic.name));
        let name = match pointer.filter(|pointer| !text.contains(pointer)) {
            Some(pointer) if self.length == Length::Long => format!("{name} ({pointer})"),
            _ => name.to_owned(),
        };
        let _ = writeln!(text, "{}", heading(&name));
        let all =
            self.listed.iter().filter(|(arg, _)| self.length == Length::Long || is_short(arg));
        let column = column(all.map(|(arg, _)| full_name(arg)));
        rows.iter().for_each(|row| row.write(text, column, self.width));
        text.push('\n');
    }

    /// The flags that clap adds to a command.
    fn own_rows(&self) -> Vec<Row> {
        let help = match self.length {
            Length::Short => "Print help (see more with '--help')",
            Length::Long => "Print help (see a summary with '-h')",
        };
        let mut rows = vec![Row::new("-h, --help", help)];
        if self.command.get_version().is_some() {
            rows.push(Row::new("-V, --version", "Print version"));
        }
        rows
    }

    /// Ends short help with the names of the flags that only long help explains, and with examples, if there is room.
    fn end_short(&self, text: &mut String) {
        let is_more = |arg: &&Arg| arg.is_hide_short_help_set() && !is_rare(arg);
        let more = self.listed.iter().map(|(arg, _)| *arg).filter(is_more).filter_map(long_name);
        let more: Vec<String> = more.collect();
        if !more.is_empty() {
            let more = format!("More with --help: {}", more.join(", "));
            let _ = writeln!(text, "{}\n", table::wrapped(&more, self.width).join("\n"));
        }
        let after = self.command.get_after_long_help().map(ToString::to_string);
        let Some((_, examples)) = after.as_deref().and_then(|after| after.split_once(EXAMPLES))
        else {
            return;
        };
        // About, usage, empty lines and the heading.
        let usage = self.command.clone().render_usage().to_string().lines().count();
        let taken = 3 + usage + text.lines().count() + 1;
        let examples = first_examples(examples, SCREEN.saturating_sub(taken));
        if !examples.is_empty() {
            let _ = writeln!(text, "{}\n{examples}", heading("Examples"));
        }
    }
}

/// The text below the flags, with a pointer to a topic in place of the topic's text.
fn without_topics(mut text: String) -> String {
    for topic in topics::TOPICS {
        let (found, pointer) = ((topic.text)(), format!("{}\n", topic.pointer()));
        if !found.is_empty() {
            text = text.replace(&found, &pointer);
        }
    }
    text
}

/// The first examples that take at most `room` lines. An example may continue, indented, on the next line.
fn first_examples(examples: &str, room: usize) -> String {
    let lines: Vec<&str> = examples.trim_end().lines().collect();
    let is_start = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let starts = (0..lines.len()).filter(|at| is_start(&lines[*at]));
    let ends = starts.skip(1).chain([lines.len()]).take(MAX_EXAMPLES);
    let end = ends.take_while(|end| *end <= room).last().unwrap_or(0);
    lines[..end].join("\n")
}

pub(super) fn is_rare(arg: &Arg) -> bool {
    arg.get_help_heading() == Some(RARE)
}

/// Returns true if short help has the text of a flag.
fn is_short(arg: &Arg) -> bool {
    !is_rare(arg) && !arg.is_hide_short_help_set()
}

fn long_name(arg: &Arg) -> Option<String> {
    arg.get_long().map(|name| format!("--{name}"))
}

/// The column at which the texts of flags with these names begin.
fn column(names: impl Iterator<Item = String>) -> usize {
    let names = names.map(|name| name.chars().count()).filter(|width| *width <= MAX_NAME);
    2 + names.chain(["-V, --version".len()]).max().unwrap_or(0) + 2
}

/// A flag or a verb: its name, and paragraphs of text next to it.
pub(super) struct Row {
    name: String,
    text: Vec<String>,
    /// True if its topic has more text.
    is_cut: bool,
}

impl Row {
    pub(super) fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: vec![text.into()], is_cut: false }
    }

    /// The row of a flag, without the text that its topic repeats.
    fn of(arg: &Arg, length: Length, shared: Option<&Arg>) -> Self {
        let short = arg.get_help().map(ToString::to_string).unwrap_or_default();
        let mut row = Self::new(full_name(arg), "");
        let known = shared.map(values).unwrap_or_default();
        let values = values(arg);
        let described = |value: &&PossibleValue| value.get_help().is_some();
        let (shared_values, own): (Vec<&PossibleValue>, Vec<&PossibleValue>) =
            values.iter().filter(described).partition(|value| known.contains(value));
        let is_listed = length == Length::Long && !own.is_empty() && shared_values.is_empty();
        let mut first = short.clone();
        let defaults = arg.get_default_values().iter().map(|value| value.to_string_lossy());
        let defaults = defaults.collect::<Vec<_>>().join(", ");
        if arg.get_action().takes_values()
            && !defaults.is_empty()
            && !arg.is_hide_default_value_set()
        {
            first += &format!(" [default: {defaults}]");
        }
        if !values.is_empty() && !is_listed {
            let names: Vec<&str> = values.iter().map(PossibleValue::get_name).collect();
            first += &format!(" [possible values: {}]", names.join(", "));
        }
        row.text = vec![first];
        if length == Length::Short {
            return row;
        }
        row.is_cut = !shared_values.is_empty();
        if let Some(long) = arg.get_long_help().map(ToString::to_string) {
            let more = long.strip_prefix(&short).unwrap_or(&long).trim();
            match shared.is_some_and(|shared| shared.get_long_help() == arg.get_long_help()) {
                true => row.is_cut |= !more.is_empty(),
                false => row.text.extend(more.split("\n\n").map(str::to_owned)),
            }
        }
        let of_value = |value: &PossibleValue| match value.get_help() {
            Some(help) => format!("- {}: {help}", value.get_name()),
            None => format!("- {}", value.get_name()),
        };
        match is_listed {
            true => row.text.extend(values.iter().map(of_value)),
            false => row.text.extend(own.into_iter().map(of_value)),
        }
        row
    }

    /// Writes the row, its text from a column on. Narrow screens have it below the name.
    pub(super) fn write(&self, text: &mut String, column: usize, width: usize) {
        let literal = *Styles::styled().get_literal();
        let taken = 2 + self.name.chars().count();
        let is_beside = width >= column + 30;
        let column = if is_beside { column } else { 10 };
        let _ = write!(text, "  {literal}{}{literal:#}", self.name);
        let paragraphs = self.text.iter().filter(|paragraph| !paragraph.is_empty());
        let lines = paragraphs.flat_map(|paragraph| {
            // The second line of a value is below its first word.
            let indent = if paragraph.starts_with("- ") { 2 } else { 0 };
            let lines = table::wrapped(paragraph, width.saturating_sub(column + indent));
            lines.into_iter().enumerate().map(move |(number, line)| {
                let indent = if number > 0 { indent } else { 0 };
                format!("{:indent$}{line}", "")
            })
        });
        for (number, line) in lines.enumerate() {
            let gap = match number {
                0 if is_beside && taken + 2 <= column => column - taken,
                _ => {
                    text.push('\n');
                    column
                }
            };
            let _ = write!(text, "{:gap$}{line}", "");
        }
        text.push('\n');
    }
}

/// The values to choose from.
fn values(arg: &Arg) -> Vec<PossibleValue> {
    let mut values = arg.get_possible_values();
    values.retain(|value| !value.is_hide_set());
    if arg.is_hide_possible_values_set() || !arg.get_action().takes_values() {
        values.clear();
    }
    values
}

/// The name of a flag as in a usage line: `-o, --output <FILE>`.
fn full_name(arg: &Arg) -> String {
    let names = arg.get_value_names().unwrap_or_default();
    let names = names.iter().map(clap::builder::Str::as_str).collect::<Vec<_>>().join(" ");
    let is_list = matches!(arg.get_action(), ArgAction::Append)
        || arg.get_num_args().is_some_and(|range| range.max_values() > 1);
    match (arg.get_short(), arg.get_long()) {
        (None, None) => {
            let more = if is_list { "..." } else { "" };
            match arg.is_required_set() {
                true => format!("<{names}>{more}"),
                false => format!("[{names}]{more}"),
            }
        }
        (short, long) => {
            let short = short.map_or("    ".to_owned(), |short| format!("-{short}, "));
            let value = match arg.get_action().takes_values() {
                true => format!(" <{names}>"),
                false => String::new(),
            };
            format!("{short}--{}{value}", long.unwrap_or_default())
        }
    }
}
