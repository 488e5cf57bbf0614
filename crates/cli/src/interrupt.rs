//! Interruption by the user or the system: a long job ends in good order.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Takes notice of interruptions instead of dying of them. A second one ends the program at once.
pub(crate) struct Interrupt {
    signal: Arc<AtomicUsize>,
}

/// The job was interrupted by a signal.
#[derive(Debug)]
pub(crate) struct Interrupted(i32);

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

impl Interrupted {
    /// The exit code that a shell gives to a program that dies of the signal.
    pub(crate) fn exit_code(&self) -> u8 {
        u8::try_from(128 + self.0).unwrap_or(u8::MAX)
    }
}

impl Interrupt {
    /// From now on, until the end of the program.
    pub(crate) fn begin() -> std::io::Result<Self> {
        let signal = Arc::new(AtomicUsize::new(0));
        let again = Arc::new(AtomicBool::new(false));
        for number in [SIGINT, SIGTERM] {
            // In this order: the first signal does not end the program, but prepares that the second does.
            flag::register_conditional_shutdown(number, 128 + number, Arc::clone(&again))?;
            flag::register(number, Arc::clone(&again))?;
            flag::register_usize(number, Arc::clone(&signal), number as usize)?;
        }
        Ok(Self { signal })
    }

    /// The signal that has come, if any.
    pub(crate) fn check(&self) -> Option<Interrupted> {
        match self.signal.load(Ordering::Relaxed) {
            0 => None,
            signal => Some(Interrupted(i32::try_from(signal).unwrap_or(SIGINT))),
        }
    }
}
