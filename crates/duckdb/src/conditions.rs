//! The conditions of a search as named parameters, named as the flags of the command line, with `_` for `-`.

use std::fmt::Display;
use std::str::FromStr;

use halfmove_archive::{End, Filter, PlayerResult, Question};
use halfmove_functions::literals;
use halfmove_game::replay::{BoardQuestion, MoveSequence};
use halfmove_rules::Variant;

/// The names of the parameters. `for` is a word of SQL, so it ends with `_` here, as it does in Python. The variant comes before the
/// position, which belongs to it.
pub(crate) const NAMES: [&str; 32] = [
    "variant",
    "fen",
    "player",
    "opponent",
    "white",
    "black",
    "event",
    "site",
    "eco",
    "opening",
    "time_control",
    "result",
    "since",
    "until",
    "min_elo",
    "max_elo",
    "min_plies",
    "max_plies",
    "pattern",
    "material",
    "imbalance",
    "opposite_bishops",
    "pawns",
    "isolated",
    "doubled",
    "passed",
    "either_color",
    "mirrored",
    "for_",
    "final",
    "played",
    "ended",
];

/// The named parameters of a call, by name.
pub(crate) type Given<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// The filter of the conditions among the parameters of a call.
pub(crate) fn filter(given: &Given<'_>) -> Result<Filter, String> {
    let (mut filter, mut board) = (Filter::default(), Vec::new());
    for name in NAMES {
        if let Some(text) = given(name) {
            let set = set(&mut filter, &mut board, name, &text);
            set.map_err(|why| format!("{name}: \"{text}\": {why}"))?;
        }
    }
    if !board.is_empty() {
        filter.questions.push(parsed::<BoardQuestion>(&board.join(" "))?.into());
    }
    filter.check().map_err(|error| error.to_string())?;
    Ok(filter)
}

/// Adds a condition to a filter, or its words to those on the board.
fn set(filter: &mut Filter, board: &mut Vec<String>, name: &str, text: &str) -> Result<(), String> {
    let owned = || Some(text.to_owned());
    match name {
        "variant" => {
            filter.variant = Some(literals::variant(text).map_err(|error| error.to_string())?);
        }
        "fen" => {
            let position = literals::position(text, filter.variant.map(Variant::name));
            filter.position = Some(position.map_err(|error| error.to_string())?);
        }
        "player" => filter.player = owned(),
        "opponent" => filter.opponent = owned(),
        "white" => filter.white = owned(),
        "black" => filter.black = owned(),
        "event" => filter.event = owned(),
        "site" => filter.site = owned(),
        "eco" => filter.eco = Some(parsed(text)?),
        "opening" => filter.opening = owned(),
        "time_control" => filter.time_control = Some(parsed(text)?),
        "result" => match text.to_ascii_lowercase().as_str() {
            "win" => filter.player_result = Some(PlayerResult::Win),
            "draw" => filter.player_result = Some(PlayerResult::Draw),
            "loss" => filter.player_result = Some(PlayerResult::Loss),
            _ => filter.result = Some(parsed(text)?),
        },
        "since" => filter.since = Some(parsed(text)?),
        "until" => filter.until = Some(parsed(text)?),
        "min_elo" => filter.min_elo = Some(parsed(text)?),
        "max_elo" => filter.max_elo = Some(parsed(text)?),
        "min_plies" => filter.min_plies = Some(parsed(text)?),
        "max_plies" => filter.max_plies = Some(parsed(text)?),
        "played" => filter.questions.push(parsed::<MoveSequence>(text)?.into()),
        "ended" => filter.questions.push(Question::Ended(parsed::<End>(text)?)),
        on_the_board => {
            let word = on_the_board.trim_end_matches('_').replace('_', "-");
            match on_the_board {
                "opposite_bishops" | "either_color" | "mirrored" | "final" => {
                    board.extend(flag(text)?.then_some(word));
                }
                "isolated" | "doubled" | "passed" => {
                    board.extend(text.split(',').map(|file| format!("{word}:{}", file.trim())));
                }
                _ => board.push(format!("{word}:{text}")),
            }
        }
    }
    Ok(())
}

fn parsed<T: FromStr<Err: Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

fn flag(text: &str) -> Result<bool, String> {
    match text.to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Ok(true),
        "0" | "false" | "no" | "off" => Ok(false),
        _ => Err("expected true or false".to_owned()),
    }
}
