//! Clocks with two numbers, as in `[%clk 1:30]`: minutes and seconds, or hours and minutes, depending on the whole
//! game.

use super::Annotations;
use super::command::named_command;
use super::entry::{Kind, SPELLED, UNKNOWN};
use crate::clock::Clock;
use crate::tags::Tags;
use crate::time_control::TimeControl;

/// The meaning of the two numbers of a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    MinutesSeconds,
    HoursMinutes,
    Unknown,
}

/// The clocks of a game, from which the meaning of clocks with two numbers is inferred.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Clocks {
    /// The largest clock of two numbers, read as minutes and seconds, in seconds.
    short: Option<u32>,
    /// The largest of the others, in seconds.
    long: u32,
}

/// Without other evidence, a clock of at least this number of hours is minutes and seconds.
const MANY_HOURS: u32 = 4;

impl Clocks {
    /// Records a clock, given its text. Returns true if it has two numbers.
    pub(crate) fn note(&mut self, value: &str) -> bool {
        match (Clock::two_fields(value), Clock::read_any(value)) {
            (Some((first, second)), _) => {
                self.short = self.short.max(Some(first * 60 + second));
                true
            }
            (None, Some(clock)) => {
                self.note_long(clock);
                false
            }
            (None, None) => false,
        }
    }

    /// Combines two sets of clocks.
    pub(crate) fn with(self, other: Clocks) -> Clocks {
        Clocks { short: self.short.max(other.short), long: self.long.max(other.long) }
    }

    /// Records a clock with three numbers.
    pub(crate) fn note_long(&mut self, clock: Clock) {
        self.long = self.long.max(clock.millis() / 1_000);
    }

    /// The meaning of clocks with two numbers, inferred from the time control, or else from the other clocks, or else
    /// from the largest clock.
    ///
    /// The two meanings differ by a factor of 60. Most clocks start at the base time of the time control, so the
    /// largest should be near it.
    pub(crate) fn meaning(&self, time_control: Option<&str>) -> Meaning {
        let Some(short) = self.short else { return Meaning::Unknown };
        let (minutes, hours) = (f64::from(short), 60.0 * f64::from(short));
        let control =
            time_control.and_then(TimeControl::of_tag).filter(|control| control.base > 0.0);
        if let Some(TimeControl { base, .. }) = control {
            let is_possible = |time: f64| time <= 1.5 * base + 60.0;
            return match (is_possible(minutes), is_possible(hours)) {
                (true, false) => Meaning::MinutesSeconds,
                (true, true) if 8.0 * hours >= base => Meaning::HoursMinutes,
                _ => Meaning::Unknown,
            };
        }
        if self.long > 0 {
            let long = f64::from(self.long);
            let is_near = |time: f64| 7.0 * time >= long && time <= 7.0 * long;
            return match (is_near(minutes), is_near(hours)) {
                (true, false) => Meaning::MinutesSeconds,
                (false, true) => Meaning::HoursMinutes,
                _ => Meaning::Unknown,
            };
        }
        match short >= MANY_HOURS * 60 {
            true => Meaning::MinutesSeconds,
            false => Meaning::Unknown,
        }
    }
}

impl Annotations {
    /// Resolves the clocks with two numbers, once the whole game is known.
    pub(crate) fn settle_clocks(&mut self, tags: &Tags) {
        if !std::mem::take(&mut self.has_spelled_clocks) {
            return;
        }
        let (mut clocks, mut short) = (Clocks::default(), Vec::new());
        for (index, entry) in self.entries.iter().enumerate() {
            if entry.kind != Kind::Clock {
                continue;
            }
            let spelling = entry.has(SPELLED).then(|| self.entries.get(index + 1)).flatten();
            let spelling = spelling.map(|spelling| spelling.text(&self.text));
            match spelling.and_then(|text| named_command(text, 0)) {
                Some(command) if clocks.note(&command.value) => {
                    short.extend(Clock::two_fields(&command.value).map(|fields| (index, fields)));
                }
                Some(_) => {}
                None => clocks.note_long(super::command::clock_of(entry)),
            }
        }
        let meaning = clocks.meaning(tags.value("TimeControl"));
        for (index, (first, second)) in short {
            let entry = &mut self.entries[index];
            let unit = if meaning == Meaning::HoursMinutes { 3_600 } else { 60 };
            let seconds = first * unit + second * (unit / 60);
            entry.word = Clock::from_seconds(seconds).millis().into();
            let flag = if meaning == Meaning::Unknown { UNKNOWN } else { 0 };
            entry.flags = entry.flags & !UNKNOWN | flag;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_game_shows_the_meaning() {
        use Meaning::{HoursMinutes, MinutesSeconds, Unknown};
        for (clocks, control, meaning) in [
            (&["1:30", "1:29"][..], Some("5400+30"), HoursMinutes),
            (&["1:30", "1:29"], Some("90"), MinutesSeconds),
            (&["0:59"], Some("60+0"), MinutesSeconds),
            (&["0:59"], Some("3600"), HoursMinutes),
            (&["0:20"], Some("180+2"), MinutesSeconds),
            (&["5:00"], Some("60"), Unknown),
            (&["0:01"], Some("7200"), Unknown),
            (&["1:30", "1:29", "0:59:03"], None, HoursMinutes),
            (&["1:30", "0:01:25"], None, MinutesSeconds),
            (&["10:00", "0:30"], None, MinutesSeconds),
            (&["1:30", "1:29"], None, Unknown),
            (&["1:30"], Some("?"), Unknown),
            (&["0:01:30"], None, Unknown),
        ] {
            let mut found = Clocks::default();
            for clock in clocks {
                found.note(clock);
            }
            assert_eq!(found.meaning(control), meaning, "{clocks:?} {control:?}");
        }
    }
}
