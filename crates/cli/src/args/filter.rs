//! The conditions of filters as flags, made from their table.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use halfmove_archive::{Condition, ConditionFault, ConditionKind, Conditions};
use std::collections::HashMap;
use std::sync::LazyLock;
use std::time::SystemTime;

/// Conditions on games.
#[derive(Debug)]
pub(crate) struct Filter {
    /// Those of the table.
    pub(crate) conditions: Conditions,
    /// That of `--where`.
    pub(crate) sql: Option<String>,
}

/// A condition in SQL.
#[derive(Debug, Args)]
#[command(next_help_heading = "Conditions on the game")]
struct Where {
    /// Any condition in SQL, such as "plies > 100"
    ///
    /// For parts of names: "white ilike '%tal%'". The columns are those of the table `games`: halfmove sql ARCHIVE
    /// "describe games"
    #[arg(long = "where", value_name = "SQL")]
    #[cfg_attr(not(feature = "sql"), arg(hide = true))]
    condition: Option<String>,
}

impl Args for Filter {
    fn augment_args(command: Command) -> Command {
        // `--id` is a flag of its own, which not all verbs have.
        let on_games = Condition::ON_GAMES.iter().filter(|condition| condition.name != "ids");
        let on_games = on_games.map(|condition| flag(condition, "Conditions on the game"));
        on_moves(Where::augment_args(command.args(on_games)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Adds the flags for conditions on the board, the moves and the comments.
pub(super) fn on_moves(command: Command) -> Command {
    let heading = "Conditions on the board and moves";
    command.args(Condition::ON_MOVES.iter().map(|condition| flag(condition, heading)))
}

/// The flag of a condition.
fn flag(condition: &'static Condition, heading: &'static str) -> Arg {
    let flag = Arg::new(condition.name)
        .long(dashed(condition.name))
        .help(condition.help)
        .help_heading(heading);
    let flag = match condition.more {
        "" => flag,
        more => flag.long_help(format!("{}\n\n{more}", condition.help)),
    };
    match condition.kind {
        ConditionKind::Flag => return flag.action(ArgAction::SetTrue),
        ConditionKind::OneOf(values) => {
            let value = |name| {
                let others = spellings(name).iter().map(String::as_str);
                // The letters of colors, as in a FEN.
                let letter = match (condition.name, name) {
                    ("as", "white") => Some("w"),
                    ("as", "black") => Some("b"),
                    _ => None,
                };
                let others = others.filter(|other| *other != name);
                PossibleValue::new(name).aliases(others.chain(letter))
            };
            let values = PossibleValuesParser::new(values.iter().copied().map(value));
            flag.value_parser(values).ignore_case(true)
        }
        ConditionKind::List => flag.action(ArgAction::Append).value_parser(checked(condition)),
        _ => flag.value_parser(checked(condition)),
    }
    .value_name(condition.value)
}

/// A name with `-` for `_`, as flags have it.
fn dashed(name: &'static str) -> &'static str {
    spellings(name).first().map_or(name, String::as_str)
}

/// A name with `-` and with a space for `_`.
fn spellings(name: &'static str) -> &'static [String] {
    static NAMES: LazyLock<HashMap<&str, [String; 2]>> = LazyLock::new(|| {
        let values = Condition::all().filter_map(|condition| match condition.kind {
            ConditionKind::OneOf(values) => Some(values),
            _ => None,
        });
        let names = values.flatten().copied().chain(Condition::all().map(|it| it.name));
        names.map(|name| (name, ["-", " "].map(|sign| name.replace('_', sign)))).collect()
    });
    NAMES.get(name).map_or(&[], |spellings| spellings)
}

/// Checks the value of a condition.
fn checked(
    condition: &'static Condition,
) -> impl Fn(&str) -> Result<String, String> + Clone + Send + Sync + 'static {
    move |text| match Conditions::new(SystemTime::now()).set(condition.name, text) {
        Ok(()) => Ok(text.to_owned()),
        Err(error) => Err(match error.why {
            ConditionFault::Value { why, .. } => why,
            why => why.to_string(),
        }),
    }
}

impl FromArgMatches for Filter {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut conditions = Conditions::new(SystemTime::now());
        for condition in Condition::all().filter(|condition| condition.name != "ids") {
            let name = condition.name;
            let texts: Vec<&str> = match condition.kind {
                ConditionKind::Flag => matches.get_flag(name).then_some("1").into_iter().collect(),
                _ => matches
                    .get_many::<String>(name)
                    .into_iter()
                    .flatten()
                    .map(String::as_str)
                    .collect(),
            };
            for text in texts {
                let set = conditions.set(name, text);
                set.map_err(|error| clap::Error::raw(ErrorKind::ValueValidation, error))?;
            }
        }
        let Where { condition: sql } = Where::from_arg_matches(matches)?;
        Ok(Self { conditions, sql })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
