//! The log: every line that the arena sends to an engine or receives from it.
//!
//! Each line is written to the file at once, so that no line is lost when the match is interrupted. The columns are
//! separated by tabs:
//!
//! ```text
//! 12   4711     1.1    white  new   >          go nodes 20000
//! 31   4711     1.1    white  new   <          bestmove e2e4 ponder e7e5
//! ms   process  round  color  name  direction  line
//! ```

use crate::arguments::{Output, failed};
use halfmove_rules::Color;
use std::fmt::Write as _;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The file. All engines of a match share it.
#[derive(Debug)]
pub(super) struct Log {
    started: Instant,
    /// The file, and the first error, after which nothing more is written.
    file: Mutex<(Output, Option<String>)>,
}

/// The game that an engine is playing, and its side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Seat {
    /// The tag `Round`: the number of the pair, a dot, and the number of the game in the pair.
    pub(super) round: String,
    pub(super) color: Color,
}

/// The direction of a line.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    ToEngine,
    FromEngine,
}

/// Logs the lines from and to one engine. The thread that reads the engine's output has a copy.
#[derive(Clone, Debug)]
pub(super) struct Wire {
    log: Arc<Log>,
    name: String,
    seat: Arc<Mutex<Option<Seat>>>,
}

impl Log {
    pub(super) fn new(file: Output) -> Self {
        Self { started: Instant::now(), file: Mutex::new((file, None)) }
    }

    /// The error that ended the log, if there was one.
    pub(super) fn failure(&self) -> Option<String> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner).1.clone()
    }
}

impl Wire {
    pub(super) fn new(log: &Arc<Log>, name: &str) -> Self {
        Self { log: Arc::clone(log), name: name.replace('\t', " "), seat: Arc::default() }
    }

    /// Sets the game that the engine is playing.
    pub(super) fn sit_down(&self, seat: Seat) {
        *self.seat.lock().unwrap_or_else(PoisonError::into_inner) = Some(seat);
    }

    /// Writes a line to the file. Errors are reported by [`Log::failure`].
    pub(super) fn note(&self, at: Instant, process: u32, direction: Direction, line: &str) {
        let millis = at.saturating_duration_since(self.log.started).as_millis();
        let mut text = format!("{millis}\t{process}\t");
        let _ = match &*self.seat.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(Seat { round, color }) => write!(text, "{round}\t{color}"),
            None => write!(text, "-\t-"),
        };
        let direction = match direction {
            Direction::ToEngine => '>',
            Direction::FromEngine => '<',
        };
        let _ = writeln!(text, "\t{}\t{direction}\t{line}", self.name);
        let mut file = self.log.file.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, failure) = &mut *file;
        if failure.is_none() {
            *failure = file.write_all(text.as_bytes()).err().map(failed(file.path()));
        }
    }
}
