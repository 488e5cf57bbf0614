//! Other engines: programs that speak the Universal Chess Interface, run as child processes.

use anyhow::{Context, anyhow, bail};
use halfmove_engine::{Assess, Assessment, Signals, Value};
use halfmove_rules::{AnyPosition, CastlingStyle, Move, Variant};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// The maximum length of a line; longer ones are split.
const LONGEST_LINE: u64 = 1 << 16;

/// The number of lines that may wait to be read. An engine that writes more is blocked.
const WAITING_LINES: usize = 4096;

/// The time that an engine has to introduce itself.
const PATIENCE: Duration = Duration::from_secs(30);

/// The interval between checks of the signals.
const GLANCE: Duration = Duration::from_millis(100);

/// The number of half-moves by which a search with a fixed depth is extended when more effort is
/// requested.
const DEEPER: u32 = 4;

/// The end of each search.
#[derive(Clone, Copy, Debug)]
pub(super) enum Limit {
    Nodes(u64),
    Depth(u32),
    Milliseconds(u64),
}

/// An engine to start, and its options.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) path: String,
    /// Names and values.
    pub(super) options: Vec<(String, String)>,
    /// The size of the hash table in MiB, for an engine that has one.
    pub(super) hash: usize,
    pub(super) limit: Limit,
}

/// The introduction of an engine.
#[derive(Clone, Debug, Default)]
pub(super) struct Introduction {
    pub(super) name: String,
    /// The names of the options, and the values of those that are one of several.
    options: Vec<(String, Vec<String>)>,
}

impl Introduction {
    fn option(&self, name: &str) -> Option<&(String, Vec<String>)> {
        self.options.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))
    }

    /// Returns true if the engine plays a variant.
    pub(super) fn plays(&self, variant: Variant) -> bool {
        match variant {
            Variant::Chess => true,
            Variant::Chess960 => self.option("UCI_Chess960").is_some(),
            _ => {
                let values = self.option("UCI_Variant").map(|(_, values)| &values[..]);
                values.unwrap_or_default().iter().any(|value| value == variant.name())
            }
        }
    }
}

/// A running engine. It ends with this value.
#[derive(Debug)]
pub(super) struct Uci {
    path: String,
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    limit: Limit,
    introduction: Introduction,
    /// The game that the engine is set to.
    variant: Variant,
}

impl Program {
    /// Starts the engine and sets its options.
    pub(super) fn start(&self) -> anyhow::Result<Uci> {
        let mut command = Command::new(&self.path);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Ctrl-C is for this program, which then ends the engine.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let name = || format!("--engine {}", self.path);
        let mut child = command.spawn().with_context(|| {
            format!(
                "--engine {}: it cannot be started, expected a path or a program on PATH",
                self.path
            )
        })?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (input, output) = pipes.ok_or_else(|| anyhow!("{}: it has no pipes", name()))?;
        let mut engine = Uci {
            path: self.path.clone(),
            child,
            input,
            lines: listen(output),
            limit: self.limit,
            introduction: Introduction::default(),
            variant: Variant::Chess,
        };
        engine.introduce().with_context(name)?;
        let hash = ("Hash".to_owned(), self.hash.to_string());
        let has_hash = engine.introduction.option("Hash").is_some();
        for (option, value) in has_hash.then_some(&hash).into_iter().chain(&self.options) {
            let Some((known, _)) = engine.introduction.option(option) else {
                let names: Vec<_> =
                    engine.introduction.options.iter().map(|(name, _)| name.as_str()).collect();
                let names = names.join(", ");
                bail!("--engine-option {option}: {} has no such option: {names}", self.path);
            };
            let line = format!("setoption name {known} value {value}");
            engine.send(&line)?;
        }
        engine.ready()?;
        Ok(engine)
    }
}

/// The lines of an engine, read by a thread.
fn listen(output: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = mpsc::sync_channel(WAITING_LINES);
    thread::spawn(move || {
        let mut output = BufReader::new(output);
        let mut line = Vec::new();
        loop {
            line.clear();
            match output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            if sender.send(String::from_utf8_lossy(&line).trim().to_owned()).is_err() {
                return;
            }
        }
    });
    lines
}

impl Uci {
    pub(super) fn introduction(&self) -> &Introduction {
        &self.introduction
    }

    fn send(&mut self, line: &str) -> anyhow::Result<()> {
        let sent = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        sent.map_err(|_| self.ended())
    }

    fn ended(&mut self) -> anyhow::Error {
        let status = self.child.try_wait().ok().flatten();
        let status = status.map_or_else(String::new, |status| format!(", {status}"));
        anyhow!("the engine {} ended{status}", self.path)
    }

    /// The next line before a deadline.
    fn line(&mut self, deadline: Instant) -> anyhow::Result<String> {
        // Lines that keep coming do not extend the deadline.
        let left = deadline.checked_duration_since(Instant::now());
        let line =
            left.map_or(Err(RecvTimeoutError::Timeout), |left| self.lines.recv_timeout(left));
        match line {
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Disconnected) => Err(self.ended()),
            Err(RecvTimeoutError::Timeout) => {
                let (path, seconds) = (&self.path, PATIENCE.as_secs());
                bail!("{path} has not answered for {seconds} s: does it speak UCI?")
            }
        }
    }

    fn introduce(&mut self) -> anyhow::Result<()> {
        self.send("uci")?;
        let deadline = Instant::now() + PATIENCE;
        loop {
            let line = self.line(deadline)?;
            if line == "uciok" {
                return Ok(());
            }
            if let Some(name) = line.strip_prefix("id name ") {
                self.introduction.name = name.trim().to_owned();
            }
            let option = line.strip_prefix("option name ").and_then(|rest| {
                let (name, kind) = rest.split_once(" type ")?;
                let values = kind.split(" var ").skip(1).map(|value| value.trim().to_owned());
                Some((name.trim().to_owned(), values.collect()))
            });
            self.introduction.options.extend(option);
        }
    }

    fn ready(&mut self) -> anyhow::Result<()> {
        self.send("isready")?;
        let deadline = Instant::now() + PATIENCE;
        while self.line(deadline)? != "readyok" {}
        Ok(())
    }

    /// Sets the engine to the game of a variant that it plays.
    fn set_variant(&mut self, variant: Variant) -> anyhow::Result<()> {
        if variant == self.variant {
            return Ok(());
        }
        let has = |name| self.introduction.option(name).is_some();
        let (has_variants, has_chess960) = (has("UCI_Variant"), has("UCI_Chess960"));
        if has_chess960 {
            let is_chess960 = variant == Variant::Chess960;
            self.send(&format!("setoption name UCI_Chess960 value {is_chess960}"))?;
        }
        if has_variants {
            let name = match variant {
                Variant::Chess960 => Variant::Chess.name(),
                _ => variant.name(),
            };
            self.send(&format!("setoption name UCI_Variant value {name}"))?;
        }
        self.variant = variant;
        self.send("ucinewgame")?;
        self.ready()
    }
}

impl Drop for Uci {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Assess for Uci {
    type Error = anyhow::Error;

    /// The user has chosen the engine and its limits.
    fn doubt(&self) -> f64 {
        0.0
    }

    fn begin(&mut self) -> anyhow::Result<()> {
        self.send("ucinewgame")?;
        self.ready()
    }

    fn assess(
        &mut self,
        positions: &[AnyPosition],
        moves: &[Move],
        effort: u64,
        signals: &Signals,
    ) -> anyhow::Result<Option<Assessment>> {
        let [start, ..] = positions else { bail!("no position to search") };
        let last = &positions[positions.len() - 1];
        if last.legal_moves().is_empty() {
            let is_mate = last.is_check();
            let value = if is_mate { Value::Mate(0) } else { Value::Centipawns(0) };
            return Ok(Some(Assessment { value, line: Vec::new() }));
        }
        let variant = start.variant();
        self.set_variant(variant)?;
        let style = match variant {
            Variant::Chess960 => CastlingStyle::KingTakesRook,
            _ => CastlingStyle::KingToTarget,
        };
        // Engines refuse null moves, so the game begins after the last one.
        let first = moves.iter().rposition(|mv| mv.is_null()).map_or(0, |ply| ply + 1);
        let start = &positions[first];
        let played: String =
            moves[first..].iter().map(|mv| format!(" {}", mv.uci(style))).collect();
        self.send(&format!("position fen {start} moves{played}"))?;
        let limit = match self.limit {
            Limit::Nodes(nodes) => format!("nodes {}", nodes.saturating_mul(effort)),
            Limit::Depth(depth) => format!("depth {}", depth + if effort > 1 { DEEPER } else { 0 }),
            Limit::Milliseconds(time) => format!("movetime {}", time.saturating_mul(effort)),
        };
        self.send(&format!("go {limit}"))?;
        let mut found: Option<Assessment> = None;
        loop {
            match self.lines.recv_timeout(GLANCE) {
                Ok(line) if line.starts_with("bestmove") => {
                    // An engine may give a score without a line.
                    if let Some(Assessment { line: moves, .. }) = &mut found
                        && moves.is_empty()
                    {
                        let best = line.split_whitespace().nth(1).unwrap_or_default();
                        moves.extend(last.parse_uci(best));
                    }
                    break;
                }
                Ok(line) => match assessment(&line, last) {
                    // A score alone does not replace a line.
                    Some(new) if found.is_none() || !new.line.is_empty() => found = Some(new),
                    _ => {}
                },
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
            }
            if signals.is_stopped() {
                return Ok(None);
            }
        }
        if signals.is_stopped() {
            return Ok(None);
        }
        let path = &self.path;
        let found = found.filter(|found| !found.line.is_empty());
        let expected = "expected info … score cp N pv MOVES, and bestmove MOVE";
        found
            .map(Some)
            .ok_or_else(|| anyhow!("{path}: no score and legal move for {last}, {expected}"))
    }
}

/// The exact score and the best line of `info …`; the line may be empty.
fn assessment(info: &str, position: &AnyPosition) -> Option<Assessment> {
    let rest = info.strip_prefix("info ")?;
    let mut words = rest.split_whitespace();
    let mut value = None;
    while let Some(word) = words.next() {
        match word {
            // Only the best of several lines.
            "multipv" if words.next() != Some("1") => return None,
            "string" | "lowerbound" | "upperbound" => return None,
            "score" => {
                value = match (words.next()?, words.next()?.parse().ok()?) {
                    ("cp", number) => Some(Value::Centipawns(number)),
                    ("mate", moves) => Some(Value::Mate(moves)),
                    _ => None,
                }
            }
            "pv" => break,
            _ => {}
        }
    }
    let (mut position, mut line) = (position.clone(), Vec::new());
    for word in words {
        let Ok(mv) = position.parse_uci(word) else { break };
        position.play_unchecked(mv);
        line.push(mv);
    }
    value.map(|value| Assessment { value, line })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_lines_are_read() {
        let start = AnyPosition::start(Variant::Chess);
        let read = |line: &str| {
            let Assessment { value, line } = assessment(line, &start)?;
            Some((value, line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")))
        };
        let expected = Some((Value::Centipawns(-31), "e2e4 e7e5".to_owned()));
        let line =
            "info depth 9 seldepth 11 multipv 1 score cp -31 nodes 9 nps 1 time 1 pv e2e4 e7e5";
        assert_eq!(read(line), expected);
        assert_eq!(read(&format!("{line} x9x9")), expected);
        assert_eq!(read("info score mate -3 pv e2e4"), Some((Value::Mate(-3), "e2e4".to_owned())));
        assert_eq!(read("info depth 1 score cp 17"), Some((Value::Centipawns(17), String::new())));
        for line in [
            "info depth 9 multipv 2 score cp 5 pv e2e4",
            "info depth 9 score cp 5 lowerbound pv e2e4",
            "info string score cp 5 pv e2e4",
            "info currmove e2e4",
            "bestmove e2e4",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
