//! The Chess Engine Communication Protocol, from the side of XBoard, as far as needed for a match.
//!
//! Between its moves the engine is in force mode: the arena sends the moves, and `go` makes the engine move.
//!
//! # Source
//! Tim Mann and H. G. Muller, *Chess Engine Communication Protocol* (2009).

use super::{
    Conversation, Engine, Fault, NoLine, Process, Said, Score, Task, Thought, Wait, index,
};
use crate::arena::limit::Limit;
use halfmove_rules::{AnyPosition, Variant};
use std::time::{Duration, Instant};

/// The time to wait for the features of an engine that sends none.
const SILENCE: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub(super) struct Cecp {
    process: Process,
    limit: Limit,
    features: Features,
    /// The number of half-moves of the game that have been sent to the engine.
    known: usize,
    pings: u32,
}

/// The features of an engine, at first the defaults of the protocol.
#[derive(Clone, Debug)]
struct Features {
    ping: bool,
    setboard: bool,
    usermove: bool,
    san: bool,
    time: bool,
    variants: Vec<String>,
}

impl Default for Features {
    fn default() -> Self {
        Self {
            ping: false,
            setboard: false,
            usermove: false,
            san: false,
            time: true,
            variants: Vec::new(),
        }
    }
}

/// Reads `NAME=VALUE NAME="VALUE WITH SPACES" …`.
fn pairs(mut text: &str) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    while let Some((name, rest)) = text.trim_start().split_once('=') {
        let (value, rest) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => rest.split_once(' ').unwrap_or((rest, "")),
        };
        pairs.push((name.to_owned(), value.to_owned()));
        text = rest;
    }
    pairs
}

impl Features {
    /// Sets a feature. Returns true if it is known.
    fn set(&mut self, name: &str, value: &str) -> bool {
        let flag = match name {
            "ping" => &mut self.ping,
            "setboard" => &mut self.setboard,
            "usermove" => &mut self.usermove,
            "san" => &mut self.san,
            "time" => &mut self.time,
            "variants" => {
                let names = value.split(',').map(|name| name.trim().to_ascii_lowercase());
                self.variants = names.collect();
                return true;
            }
            // Features that make no difference here.
            "done" | "myname" | "sigint" | "sigterm" | "reuse" | "option" | "memory" | "smp"
            | "name" | "draw" | "analyze" | "colors" | "debug" => return true,
            _ => return false,
        };
        *flag = value == "1";
        true
    }
}

fn variant_name(variant: Variant) -> &'static str {
    match variant {
        Variant::Chess => "normal",
        Variant::Chess960 => "fischerandom",
        other => other.name(),
    }
}

impl Cecp {
    pub(super) fn start(
        process: Process,
        engine: &Engine,
        variant: Variant,
        wait: Wait<'_>,
    ) -> Result<Self, Fault> {
        let features = Features::default();
        let mut cecp = Self { process, limit: engine.limit, features, known: 0, pings: 0 };
        cecp.shake_hands(wait).map_err(|problem| match problem {
            NoLine::Late => {
                let limit = wait.limit.as_secs_f64();
                Fault::NoStart(format!("its features are not complete after {limit} s"))
            }
            NoLine::Ended => Fault::NoStart(format!("it ended: {}", cecp.process.status())),
            NoLine::Stopped => Fault::Stopped,
        })?;
        let (known, name) = (&cecp.features.variants, variant_name(variant));
        if variant != Variant::Chess && !known.iter().any(|known| known == name) {
            let known = known.join(", ");
            return Err(Fault::NoStart(format!("it does not play {name}; it knows {known}")));
        }
        for (name, value) in &engine.options {
            if cecp.process.send(&format!("option {name}={value}")).is_err() {
                return Err(Fault::Crashed(cecp.process.status()));
            }
        }
        Ok(cecp)
    }

    fn shake_hands(&mut self, wait: Wait<'_>) -> Result<(), NoLine> {
        let since = Instant::now();
        self.process.send("xboard")?;
        self.process.send("protover 2")?;
        let mut patience = Wait { limit: SILENCE.min(wait.limit), ..wait };
        loop {
            let line = match patience.line(&mut self.process, since) {
                Ok((_, line)) => line,
                // An engine of the first version of the protocol has no features.
                Err(NoLine::Late) if patience.limit < wait.limit => return Ok(()),
                Err(problem) => return Err(problem),
            };
            let Some(features) = line.strip_prefix("feature ") else { continue };
            for (name, value) in pairs(features) {
                let answer = if self.features.set(&name, &value) { "accepted" } else { "rejected" };
                self.process.send(&format!("{answer} {name}"))?;
                match (name.as_str(), value.as_str()) {
                    ("done", "1") => return Ok(()),
                    ("done", _) => patience = wait,
                    _ => {}
                }
            }
        }
    }

    /// Waits until the engine has done everything so far.
    fn ping(&mut self, wait: Wait<'_>) -> Result<(), NoLine> {
        if !self.features.ping {
            return Ok(());
        }
        self.pings += 1;
        let since = Instant::now();
        self.process.send(&format!("ping {}", self.pings))?;
        let pong = format!("pong {}", self.pings);
        while wait.line(&mut self.process, since)?.1 != pong {}
        Ok(())
    }

    /// Sends the engine the moves that it has not received yet.
    fn tell_moves(&mut self, task: Task<'_>) -> Result<(), NoLine> {
        let mut position = task.history.start().clone();
        for (i, mv) in task.history.moves().iter().enumerate() {
            if i >= self.known {
                let text = if self.features.san {
                    position.san(*mv).to_string()
                } else if mv.is_castle() && position.variant() == Variant::Chess960 {
                    let short = mv.to().file() > mv.from().file();
                    if short { "O-O".to_owned() } else { "O-O-O".to_owned() }
                } else {
                    position.uci(*mv).to_string()
                };
                let before = if self.features.usermove { "usermove " } else { "" };
                self.process.send(&format!("{before}{text}"))?;
            }
            position.play_unchecked(*mv);
        }
        self.known = task.history.moves().len();
        Ok(())
    }

    /// Sends the times on both clocks.
    fn tell_time(&mut self, task: Task<'_>) -> Result<(), NoLine> {
        let Some(own) = task.clock() else { return Ok(()) };
        let them = task.clocks[index(!task.position().side_to_move())];
        if self.features.time {
            let hundredths = |time: Duration| time.as_millis() / 10;
            let other = them.unwrap_or(*own).left;
            self.process.send(&format!("time {}", hundredths(own.left)))?;
            self.process.send(&format!("otim {}", hundredths(other)))?;
        }
        Ok(())
    }

    fn answer(&mut self, since: Instant, wait: Wait<'_>) -> Result<(Said, Thought), NoLine> {
        let mut thought = Thought::default();
        loop {
            let (now, line) = wait.line(&mut self.process, since)?;
            let mut words = line.split_whitespace();
            match words.next() {
                Some("move") => {
                    let text = words.next().unwrap_or_default().to_owned();
                    let elapsed = now.saturating_duration_since(since);
                    return Ok((Said::Move { text, elapsed }, thought));
                }
                Some("resign") => return Ok((Said::Resigned, thought)),
                Some("1-0" | "0-1" | "1/2-1/2") => return Ok((Said::Claim(line), thought)),
                // It does not accept a move of ours, or a command.
                Some("Illegal") => return Ok((Said::Claim(line), thought)),
                Some(_) => listen(&line, &mut thought),
                None => {}
            }
        }
    }
}

/// Parses a line of thinking output: `DEPTH SCORE CENTISECONDS NODES PV`.
fn listen(line: &str, thought: &mut Thought) {
    let mut words = line.split_whitespace();
    let depth = words.next().and_then(|word| word.trim_end_matches(['.', '+', '&']).parse().ok());
    let mut number = || words.next().and_then(|word| word.parse::<i64>().ok());
    let (Some(depth), Some(score), Some(_), Some(nodes)) = (depth, number(), number(), number())
    else {
        return;
    };
    let score = match score {
        // Mates are 100,000 plus the number of moves.
        100_001..=101_000 => Score::Mate((score - 100_000) as i32),
        -101_000..=-100_001 => Score::Mate((score + 100_000) as i32),
        _ => Score::Centipawns(score.clamp(-99_999, 99_999) as i32),
    };
    // The moves may be SAN with numbers, or anything else: they are not kept.
    *thought = Thought {
        score: Some(score),
        depth: Some(depth),
        nodes: u64::try_from(nodes).ok(),
        line: Vec::new(),
    };
}

/// `level MOVES TIME INCREMENT`, `st SECONDS` and `sd DEPTH`.
fn levels(limit: Limit) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(control) = limit.clock {
        let base = control.base.as_secs();
        let time = match (base / 60, base % 60) {
            (minutes, 0) => minutes.to_string(),
            (minutes, seconds) => format!("{minutes}:{seconds:02}"),
        };
        let (moves, increment) = (control.moves.unwrap_or(0), control.increment.as_secs_f64());
        lines.push(format!("level {moves} {time} {increment}"));
    }
    lines.extend(limit.movetime.map(|time| format!("st {}", time.as_secs_f64())));
    lines.extend(limit.depth.map(|depth| format!("sd {depth}")));
    lines
}

/// Returns `true` if the engine needs the start position. In Chess960, it always does.
fn needs_setboard(start: &AnyPosition) -> bool {
    *start != AnyPosition::start(start.variant()) || start.variant() == Variant::Chess960
}

impl Conversation for Cecp {
    fn refuses(&self, start: &AnyPosition) -> Option<&'static str> {
        (needs_setboard(start) && !self.features.setboard)
            .then_some("it cannot set up positions; try --openings start")
    }

    fn begin(&mut self, start: &AnyPosition, ready: Wait<'_>) -> Result<(), NoLine> {
        let variant = start.variant();
        self.process.send("new")?;
        if variant != Variant::Chess {
            self.process.send(&format!("variant {}", variant_name(variant)))?;
        }
        for line in ["force", "easy", "post"] {
            self.process.send(line)?;
        }
        for line in levels(self.limit) {
            self.process.send(&line)?;
        }
        if needs_setboard(start) {
            self.process.send(&format!("setboard {start}"))?;
        }
        self.known = 0;
        self.ping(ready)
    }

    fn think(&mut self, task: Task<'_>, wait: Wait<'_>) -> Result<(Said, Thought), NoLine> {
        self.tell_moves(task)?;
        self.tell_time(task)?;
        self.ping(wait)?;
        self.process.drain();
        let since = Instant::now();
        self.process.send("go")?;
        let answer = self.answer(since, wait)?;
        self.process.send("force")?;
        // The engine has already played this move on its internal board.
        self.known += 1;
        Ok(answer)
    }

    fn interrupt(&mut self, wait: Wait<'_>) -> Result<(), NoLine> {
        self.process.send("?")?;
        self.answer(Instant::now(), wait)?;
        self.process.send("force")
    }

    fn process(&mut self) -> &mut Process {
        &mut self.process
    }

    fn quit(self: Box<Self>) {
        self.process.quit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_read() {
        let text = r#"ping=1 setboard=1 myname="A B=C" variants="normal,makruk" usermove=0 done=0"#;
        let mut features = Features::default();
        for (name, value) in pairs(text) {
            assert!(features.set(&name, &value), "{name}");
        }
        assert!(features.ping && features.setboard && !features.usermove && features.time);
        assert_eq!(features.variants, ["normal", "makruk"]);
        assert!(!features.set("ics", "1"));
        assert_eq!(pairs("a=\"open"), [("a".to_owned(), "open".to_owned())]);
    }

    #[test]
    fn thinking_is_read() {
        let mut thought = Thought::default();
        listen("9. -17 123 45678 e2e4 e7e5", &mut thought);
        assert_eq!((thought.score, thought.depth), (Some(Score::Centipawns(-17)), Some(9)));
        listen("telluser hello", &mut thought);
        assert_eq!(thought.nodes, Some(45678));
        listen("12 -100003 1 2 x", &mut thought);
        assert_eq!(thought.score, Some(Score::Mate(-3)));
    }

    #[test]
    fn limits_are_written() {
        let clock = Some("40/90+0.5".parse().unwrap());
        let limit = Limit { clock, depth: Some(6), ..Limit::default() };
        assert_eq!(levels(limit), ["level 40 1:30 0.5", "sd 6"]);
    }
}
