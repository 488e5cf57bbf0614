//! Interruption by the user or the system: a long job ends in good order.

use crate::output;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::fmt;
use std::path::PathBuf;
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
        for number in signals() {
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

/// Removes an unfinished file when a signal ends the program.
pub(crate) struct Removal {
    #[cfg(unix)]
    signals: signal_hook::iterator::Signals,
}

impl Removal {
    /// To be called before there is a file.
    pub(crate) fn begin() -> std::io::Result<Self> {
        Ok(Self {
            #[cfg(unix)]
            signals: signal_hook::iterator::Signals::new(signals())?,
        })
    }

    /// From now on, until the end of the program. A thread waits for the signal, since the program may wait for
    /// its input.
    pub(crate) fn of(self, unfinished: PathBuf) -> std::io::Result<()> {
        #[cfg(unix)]
        {
            let Self { mut signals } = self;
            let thread = std::thread::Builder::new().name("halfmove-signals".to_owned());
            thread.spawn(move || {
                if let Some(signal) = signals.forever().next() {
                    // It may have got its name in this moment.
                    let _ = std::fs::remove_file(&unfinished);
                    let interrupted = Interrupted(signal);
                    let code = interrupted.exit_code();
                    output::report(&anyhow::Error::new(interrupted).context("nothing was written"));
                    std::process::exit(i32::from(code));
                }
            })?;
        }
        #[cfg(not(unix))]
        let _ = unfinished;
        Ok(())
    }
}

/// The signals that end a program, without those that it was told to ignore, as `nohup` tells it.
fn signals() -> Vec<i32> {
    let ignored = ignored_signals();
    let is_ignored = |signal: i32| ignored.is_some_and(|set| set >> (signal - 1) & 1 == 1);
    let mut signals = vec![SIGINT, SIGTERM];
    // Where nobody can say whether it is ignored, it must be assumed.
    #[cfg(unix)]
    signals.extend(ignored.map(|_| signal_hook::consts::SIGHUP));
    signals.retain(|&signal| !is_ignored(signal));
    signals
}

/// The set of signals that this program ignores, as far as the system says so: signal 1 is the lowest bit.
fn ignored_signals() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let set = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(set.trim(), 16).ok()
}
