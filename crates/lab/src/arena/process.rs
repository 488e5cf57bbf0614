//! An engine's process: lines in, lines out, each with the time of its arrival.

use super::log::{Direction, Wire};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// The maximum length of a line; longer ones are split.
const LONGEST_LINE: u64 = 1 << 16;

/// The number of lines that may wait to be read. An engine that writes more is blocked.
const WAITING_LINES: usize = 4096;

/// The interval at which the flag that stops the match is checked.
const GLANCE: Duration = Duration::from_millis(100);

/// A program to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Program {
    pub(super) path: PathBuf,
    pub(super) arguments: Vec<String>,
    pub(super) folder: Option<PathBuf>,
}

/// A running engine. It is killed when dropped, together with its child processes.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<(Instant, String)>,
    wire: Option<Wire>,
}

/// The reason for a missing line.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum NoLine {
    /// None arrived in time.
    Late,
    /// The engine has closed its output.
    Ended,
    /// The match is over.
    Stopped,
}

impl Process {
    pub(super) fn start(program: &Program, wire: Option<Wire>) -> io::Result<Self> {
        let mut command = Command::new(&program.path);
        command.args(&program.arguments);
        if let Some(folder) = &program.folder {
            command.current_dir(folder);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Ctrl-C is for the arena, which then stops the engines itself.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the engine has no input or output"));
        };
        let (sender, lines) = mpsc::sync_channel(WAITING_LINES);
        let (ear, id) = (wire.clone(), child.id());
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            let mut line = Vec::new();
            loop {
                line.clear();
                match output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
                    Ok(0) | Err(_) => return,
                    Ok(_) => {}
                }
                let now = Instant::now();
                let text = String::from_utf8_lossy(&line).trim().to_owned();
                if let Some(wire) = &ear {
                    wire.note(now, id, Direction::FromEngine, &text);
                }
                if sender.send((now, text)).is_err() {
                    return;
                }
            }
        });
        Ok(Self { child, input, lines, wire })
    }

    /// Sends a line; `Ended` if the engine is gone.
    pub(super) fn send(&mut self, line: &str) -> Result<(), NoLine> {
        if let Some(wire) = &self.wire {
            wire.note(Instant::now(), self.child.id(), Direction::ToEngine, line);
        }
        let sent = self.input.write_all(format!("{line}\n").as_bytes());
        sent.and_then(|()| self.input.flush()).map_err(|_| NoLine::Ended)
    }

    /// The next line, and the time of its arrival.
    pub(super) fn line(
        &mut self,
        deadline: Instant,
        stop: &AtomicBool,
    ) -> Result<(Instant, String), NoLine> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(GLANCE)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(NoLine::Ended),
                Err(RecvTimeoutError::Timeout) if stop.load(Ordering::Relaxed) => {
                    return Err(NoLine::Stopped);
                }
                Err(RecvTimeoutError::Timeout) if left <= GLANCE => return Err(NoLine::Late),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Discards the lines that have arrived but were not read.
    pub(super) fn drain(&mut self) {
        while self.lines.try_recv().is_ok() {}
    }

    /// The exit status of the process, if it has ended.
    pub(super) fn status(&mut self) -> String {
        // The output is closed a moment before the process is over.
        for _ in 0..20 {
            match self.child.try_wait() {
                Ok(Some(status)) => return status.to_string(),
                Ok(None) => thread::sleep(Duration::from_millis(10)),
                Err(error) => return error.to_string(),
            }
        }
        "it closed its output".to_owned()
    }

    /// Waits briefly for the engine to exit, then kills it.
    pub(super) fn quit(mut self) {
        if self.send("quit").is_ok() {
            for _ in 0..50 {
                if !matches!(self.child.try_wait(), Ok(None)) {
                    return;
                }
                thread::sleep(Duration::from_millis(10));
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The command may be a script that has started the engine, so its whole process group is
        // killed.
        #[cfg(unix)]
        if let Ok(id) = i32::try_from(self.child.id())
            && let Some(group) = rustix::process::Pid::from_raw(id)
        {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
