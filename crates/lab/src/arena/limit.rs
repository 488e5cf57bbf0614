//! Limits of a player's searches: clocks, time for each move, nodes, depth.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The limits of a player's search. At least one is given.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Limit {
    pub(super) clock: Option<TimeControl>,
    pub(super) movetime: Option<Duration>,
    pub(super) nodes: Option<u64>,
    pub(super) depth: Option<u32>,
}

impl Limit {
    pub(super) fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// The limits of one engine, with those of all engines where it has none.
    pub(super) fn or(self, all: Self) -> Self {
        if self.is_none() { all } else { self }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::new();
        words.extend(self.clock.map(|control| control.to_string()));
        words.extend(self.movetime.map(|time| format!("{} ms", time.as_millis())));
        words.extend(self.nodes.map(|nodes| format!("{nodes} nodes")));
        words.extend(self.depth.map(|depth| format!("depth {depth}")));
        f.write_str(&words.join(", "))
    }
}

/// A time control: `40/60+0.6` is 60 seconds per 40 moves, with an increment of 0.6 seconds per move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct TimeControl {
    /// The number of moves per period; `None` for the whole game.
    pub(super) moves: Option<u32>,
    pub(super) base: Duration,
    pub(super) increment: Duration,
}

fn seconds(text: &str) -> Option<Duration> {
    let (minutes, seconds) = match text.split_once(':') {
        Some((minutes, seconds)) => (minutes.parse::<u32>().ok()?, seconds),
        None => (0, text),
    };
    let seconds: f64 = seconds.parse().ok()?;
    // A day is long enough, and keeps all sums of times small.
    if !(0.0..=86_400.0).contains(&seconds) || minutes > 1_440 {
        return None;
    }
    let millis = (seconds * 1000.0).round() as u64;
    Some(Duration::from_millis(u64::from(minutes) * 60_000 + millis))
}

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || {
            format!(
                "\"{text}\", expected MOVES/SECONDS+INCREMENT, as in 40/60+0.6, 10+0.1 or 1:30+1"
            )
        };
        let (moves, time) = match text.split_once('/') {
            Some((moves, time)) => (Some(moves.parse().map_err(|_| expected())?), time),
            None => (None, text),
        };
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        let base = seconds(base).ok_or_else(expected)?;
        let increment = seconds(increment).ok_or_else(expected)?;
        if moves == Some(0) || base.is_zero() {
            return Err(expected());
        }
        Ok(Self { moves, base, increment })
    }
}

/// As in PGN's tag `TimeControl`.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

/// One player's clock during a game.
#[derive(Copy, Clone, Debug)]
pub(super) struct Clock {
    pub(super) control: TimeControl,
    pub(super) left: Duration,
    /// The number of moves until time is added.
    pub(super) moves_to_go: Option<u32>,
}

impl Clock {
    pub(super) fn new(control: TimeControl) -> Self {
        Self { control, left: control.base, moves_to_go: control.moves }
    }

    /// Subtracts the time of a move. The clock stops at zero; time forfeits are decided before this call.
    pub(super) fn press(&mut self, elapsed: Duration) {
        self.left = self.left.saturating_sub(elapsed) + self.control.increment;
        if let Some(moves) = &mut self.moves_to_go {
            *moves -= 1;
            if *moves == 0 {
                self.left += self.control.base;
                self.moves_to_go = self.control.moves;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_and_written() {
        for text in ["40/60+0.6", "10+0.1", "0.2+0.002", "1", "40/5"] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), text);
        }
        assert_eq!("1:30+1".parse::<TimeControl>().unwrap().to_string(), "90+1");
        for text in ["", "0", "0+1", "40/", "0/5", "x", "1+", "-1", "1e9", "nan", "1+1+1", "5/5/5"]
        {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn clocks_run_and_are_filled_again() {
        let millis = Duration::from_millis;
        let mut clock = Clock::new("2/10+0.5".parse().unwrap());
        clock.press(millis(4_000));
        assert_eq!((clock.left, clock.moves_to_go), (millis(6_500), Some(1)));
        clock.press(millis(6_000));
        assert_eq!((clock.left, clock.moves_to_go), (millis(11_000), Some(2)));
        let mut clock = Clock::new("1".parse().unwrap());
        clock.press(millis(1_010));
        assert_eq!((clock.left, clock.moves_to_go), (millis(0), None));
    }
}
