//! The topics of `halfmove help`: flags and texts that many verbs share, explained once.

use super::filter::on_moves;
use super::help;
use super::output::{Limit, Output, ToFile};
use super::{Color, Filter, GameIds, Position, definitions};
use crate::table;
use clap::{Arg, Args, Command};
use halfmove_archive::schema::COLUMNS;
use halfmove_functions::halfmoves::HALFMOVES;

/// A topic of `halfmove help`.
pub(crate) struct Topic {
    pub(crate) name: &'static str,
    /// A line for the list of topics.
    pub(crate) about: &'static str,
    /// The heading of its flags.
    pub(super) title: &'static str,
    /// Adds the flags to a command.
    flags: fn(Command) -> Command,
    /// True if the help of a verb only names the flags. Otherwise it has their first lines.
    pub(super) is_named_only: bool,
    /// The text below the flags.
    pub(super) text: fn() -> String,
}

pub(crate) const TOPICS: &[Topic] = &[
    Topic {
        name: "filters",
        about: "Conditions on players, openings, events, dates, ratings: --player, --since …",
        title: "Conditions on the game",
        flags: |command| GameIds::augment_args(Filter::augment_args(command)),
        is_named_only: true,
        text: || FILTERS.to_owned(),
    },
    Topic {
        name: "board",
        about: "Conditions on positions, pieces, pawns, moves, comments: --moves, --material …",
        title: "Conditions on the board and moves",
        flags: |command| on_moves(Position::augment_args(command)),
        is_named_only: true,
        text: || BOARD.to_owned(),
    },
    Topic {
        name: "output",
        about: "The format, file and length of results: --format, --output, --limit …",
        title: "Output",
        flags: |command| {
            let command = Output::augment_args(Limit::augment_args(command));
            Color::augment_args(ToFile::augment_args(command))
        },
        is_named_only: false,
        text: || OUTPUT.to_owned(),
    },
    Topic {
        name: "functions",
        about: "SQL functions for moves, clocks and evaluations",
        title: "SQL functions",
        flags: |command| command,
        is_named_only: false,
        text: halfmove_functions::pages::help,
    },
    Topic {
        name: "tables",
        about: "The tables of SQL with their columns: games, halfmoves and history",
        title: "Tables",
        flags: |command| command,
        is_named_only: false,
        text: tables,
    },
];

const BOARD: &str = "\
All conditions on the board have to hold in one position: --pattern, --material, --imbalance,
--opposite-bishops, --pawns, --isolated, --doubled and --passed. With --either-color, --mirrored,
--for and --final they are wider or narrower.

Examples:
  halfmove explore club --moves \"e4 c5 Nf3 d6\"
  halfmove search club --fen \"8/8/8/5k2/8/4K3/4P3/8 w - - 0 1\"
  halfmove search club --pattern \"8/8/8/3Np3/4P3/8/8/8\" --either-color --for 10
  halfmove search club --material \"RP+vRP+\" --final
  halfmove search club --played \"Bxh7+ Kxh7 Ng5+\"";

const FILTERS: &str = "\
A game has to meet all conditions.

Examples:
  halfmove search club --player \"tal, m\" --opponent botvinnik --result win
  halfmove explore club --player carlsen --as black --since 2015
  halfmove export club --opening najdorf --min-elo 2500 --output najdorf.pgn";

const OUTPUT: &str = "\
Results go to standard output, messages to standard error. Tables are for people; all other formats
are for programs. The ending of --output sets the format: .csv, .json, .ndjson, .tsv; .pgn for
games. A name that ends in .zst or .gz is compressed.

Examples:
  halfmove search club --player tal --output tal.csv
  halfmove players club --limit 0 --format json";

/// The width of the names of columns, and that of their types.
const COLUMN: (usize, usize) = (17, 15);

/// The tables of SQL: a line for each column, with its type and meaning.
fn tables() -> String {
    let mut text = String::from("games, a row for each game:\n");
    for column in COLUMNS {
        add_column(&mut text, column.name, column.kind.sql(), column.meaning);
    }
    text += "\nhalfmoves, a row for each half-move of a main line:\n";
    for column in &HALFMOVES {
        add_column(&mut text, column.name, column.kind.sql(), column.meaning);
    }
    text + HISTORY
}

/// Adds the lines of a column.
fn add_column(text: &mut String, mut name: &str, mut kind: &str, meaning: &str) {
    let (names, kinds) = COLUMN;
    let width = help::width().saturating_sub(names + kinds + 6).max(20);
    for line in table::wrapped(&meaning.replace('`', ""), width) {
        text.push_str(&format!("  {name:<names$}  {kind:<kinds$}  {line}\n"));
        (name, kind) = ("", "");
    }
}

const HISTORY: &str = "
history, a row for each version of the archive, with the fields of `halfmove history` as JSON:
halfmove sql ARCHIVE \"describe history\"

Examples:
  halfmove sql club \"select speed, count(*) from games group by speed\"
  halfmove sql club \"select san, count(*) from halfmoves where ply = 1 group by san order by 2 desc\"";

impl Topic {
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        TOPICS.iter().find(|topic| topic.name == name)
    }

    /// The topic with the most similar name, if it is similar.
    pub(crate) fn near(name: &str) -> Option<&'static Self> {
        let distance = |topic: &&Self| strsim::osa_distance(topic.name, name);
        let nearest = TOPICS.iter().filter(|topic| topic.is_listed()).min_by_key(distance)?;
        (distance(&nearest) <= 2).then_some(nearest)
    }

    /// The flags of the topic. Each flag belongs to the last topic that has it: [`Filter`] has those on the board, too.
    pub(super) fn args(&self) -> Vec<Arg> {
        let of = |topic: &Self| (topic.flags)(Command::new("topic"));
        let after = TOPICS.iter().skip_while(|topic| topic.name != self.name).skip(1);
        let after: Vec<Command> = after.map(of).collect();
        let is_own = |arg: &&Arg| {
            let has =
                |other: &Command| other.get_arguments().any(|old| old.get_id() == arg.get_id());
            !arg.is_hide_set() && !after.iter().any(has)
        };
        of(self).get_arguments().filter(is_own).cloned().collect()
    }

    /// The line of a verb's help that leads to the topic.
    pub(super) fn pointer(&self) -> String {
        format!("{} (explained by `halfmove help {}`)", self.title, self.name)
    }

    /// The text of the topic, as `halfmove help` prints it.
    pub(crate) fn text(&self) -> String {
        let args = self.args();
        let program = definitions();
        let verbs = program.get_subcommands().filter(|verb| {
            self.is_named_only && !verb.is_hide_set() && !shared(verb, &args).is_empty()
        });
        help::of_topic(self, &verbs.map(|verb| verb.get_name().to_owned()).collect::<Vec<_>>())
    }

    /// Returns false if it explains what this program does not have.
    pub(super) fn is_listed(&self) -> bool {
        !matches!(self.name, "functions" | "tables") || cfg!(feature = "sql")
    }
}

/// The flags of a verb that a topic explains completely, in the topic's order. A verb that shares only flags that few
/// users need explains them itself.
pub(super) fn shared<'c>(verb: &'c Command, explained: &[Arg]) -> Vec<&'c Arg> {
    let find = |arg: &Arg| verb.get_arguments().find(|other| is_same(arg, other));
    let shared: Vec<&Arg> = explained.iter().filter_map(find).collect();
    match shared.iter().all(|arg| help::is_rare(arg)) {
        true => Vec::new(),
        false => shared,
    }
}

fn is_same(arg: &Arg, other: &Arg) -> bool {
    arg.get_id() == other.get_id()
        && arg.get_help() == other.get_help()
        && arg.get_long_help() == other.get_long_help()
        && arg.get_default_values() == other.get_default_values()
        && arg.get_value_names() == other.get_value_names()
        && arg.get_possible_values() == other.get_possible_values()
}
