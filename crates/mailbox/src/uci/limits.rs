//! The words after `go`.

use halfmove_mailbox::Limits;
use halfmove_rules::Color;
use std::time::Duration;

/// A depth beyond any search on this board.
const DEEPEST: u32 = 64;
/// The number of moves for which the time on the clock must last, if `movestogo` is missing.
const MOVES_TO_GO: u32 = 30;
/// The time reserved for sending a move to the GUI.
const MARGIN: Duration = Duration::from_millis(30);

/// The limits of a search, as a GUI gives them.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Go {
    depth: Option<u32>,
    nodes: Option<u64>,
    movetime: Option<Duration>,
    /// The time left on the clocks of White and Black.
    time: [Option<Duration>; 2],
    increment: [Duration; 2],
    moves_to_go: Option<u32>,
    infinite: bool,
}

impl Go {
    /// # Errors
    /// A sentence that names the word without a number.
    pub(super) fn read(words: &[&str]) -> Result<Self, String> {
        let mut go = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut number = || -> Result<i64, String> {
                let number = words.next().and_then(|number| number.parse().ok());
                number.ok_or(format!("go {word}: expected a number"))
            };
            // A clock may have run below zero.
            let milliseconds = |number: i64| Duration::from_millis(number.max(0).unsigned_abs());
            let count = |number: i64| u32::try_from(number.max(1)).unwrap_or(u32::MAX);
            match *word {
                "depth" => go.depth = Some(count(number()?)),
                // A mate in N moves is 2 N - 1 half-moves away.
                "mate" => go.depth = Some(count(number()?).saturating_mul(2) - 1),
                "nodes" => go.nodes = Some(number()?.max(1).unsigned_abs()),
                "movetime" => go.movetime = Some(milliseconds(number()?)),
                "wtime" => go.time[0] = Some(milliseconds(number()?)),
                "btime" => go.time[1] = Some(milliseconds(number()?)),
                "winc" => go.increment[0] = milliseconds(number()?),
                "binc" => go.increment[1] = milliseconds(number()?),
                "movestogo" => go.moves_to_go = Some(count(number()?)),
                "infinite" => go.infinite = true,
                _ => {}
            }
        }
        Ok(go)
    }

    pub(super) fn limits(&self) -> Limits {
        let depth = self.depth.unwrap_or(DEEPEST).min(DEEPEST);
        Limits { depth, nodes: self.nodes }
    }

    /// Returns true if only `stop` ends the search: it is infinite, or has no limit.
    pub(super) fn is_infinite(&self) -> bool {
        let has_time = self.movetime.is_some() || self.time.iter().any(Option::is_some);
        self.infinite || !has_time && self.depth.is_none() && self.nodes.is_none()
    }

    /// The time for a move of this side; `None` if there is no clock.
    pub(super) fn time_for(&self, side: Color) -> Option<Duration> {
        if self.infinite {
            return None;
        }
        let side = side.index();
        let clock = self.time[side].map(|left| {
            let moves = self.moves_to_go.unwrap_or(MOVES_TO_GO);
            let share = left / moves + self.increment[side] * 3 / 4;
            share.min(left.saturating_sub(MARGIN))
        });
        match (self.movetime, clock) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        }
    }
}
