//! Values of tags that searches cannot use.

use crate::annotations::command::Command;
use crate::clock::Clock;
use crate::date::{Date, TimeOfDay};
use crate::evaluation::Evaluation;
use crate::openings::is_eco;
use crate::time_control::TimeControl;

/// A value that searches cannot use: its kind, and the reason with the expected form.
pub(super) type Unusable = (&'static str, String);

/// Checks the value of a tag. `None` if it can be used, is unknown, or is free text.
pub(super) fn check(name: &[u8], value: &str) -> Option<Unusable> {
    let is_unknown = matches!(value, "" | "?" | "-");
    match name {
        b"Date" | b"UTCDate" | b"EventDate" => {
            Date::read(value).err().map(|error| ("unknown_date", error.reason()))
        }
        b"Time" | b"UTCTime" => TimeOfDay::read(value).err().map(|_| {
            let expected = "expected hours, minutes and seconds such as 23:10:00";
            ("unknown_time", expected.to_owned())
        }),
        b"WhiteElo" | b"BlackElo" if !is_unknown && !is_rating(value) => {
            Some(("unknown_rating", "expected a number such as 2400".to_owned()))
        }
        b"ECO" if !is_unknown && !is_eco(value) => {
            Some(("unknown_eco", "expected a code from A00 to E99".to_owned()))
        }
        b"TimeControl" if !is_unknown && TimeControl::of_tag(value).is_none() => {
            let expected = "expected seconds such as 180+2 or 40/7200:1800";
            Some(("unknown_time_control", expected.to_owned()))
        }
        _ => None,
    }
}

/// Checks the value of a command in a comment.
pub(super) fn check_command(command: &Command<'_>) -> Option<Unusable> {
    let (is_read, kind, expected) = match command.name {
        "clk" | "emt" => {
            let is_read = command.value.parse::<Clock>().is_ok();
            (is_read, "unknown_clock", "expected hours, minutes and seconds such as 0:01:05")
        }
        "eval" => {
            let is_read = command.value.parse::<Evaluation>().is_ok();
            (is_read, "unknown_evaluation", "expected pawns or moves to mate such as 0.17 or #-3")
        }
        _ => return None,
    };
    (!is_read).then(|| (kind, expected.to_owned()))
}

fn is_rating(value: &str) -> bool {
    (1..=9).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_digit())
}
