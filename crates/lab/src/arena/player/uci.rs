//! The Universal Chess Interface, from the side of the GUI.

use super::{Conversation, Engine, Fault, NoLine, Process, Said, Score, Task, Thought, Wait};
use crate::arena::limit::{Clock, Limit};
use halfmove_rules::{AnyPosition, Variant};
use std::fmt::Write;
use std::time::Instant;

#[derive(Debug)]
pub(super) struct Uci {
    process: Process,
    limit: Limit,
}

/// An option that an engine has listed.
#[derive(Debug)]
struct Listed {
    name: String,
    kind: String,
    /// The values of a combo, in lower case.
    values: Vec<String>,
    /// The minimum of a number.
    least: Option<i64>,
    most: Option<i64>,
}

impl Listed {
    /// The values that it accepts, if this is not one of them.
    fn refuses(&self, value: &str) -> Option<String> {
        match self.kind.as_str() {
            "check" => (!matches!(value, "true" | "false")).then(|| "true or false".to_owned()),
            "spin" => {
                let (least, most) = (self.least.unwrap_or(i64::MIN), self.most.unwrap_or(i64::MAX));
                let fits = value.parse().is_ok_and(|number| (least..=most).contains(&number));
                (!fits).then(|| format!("a number from {least} to {most}"))
            }
            "combo" => (!self.values.contains(&value.to_ascii_lowercase()))
                .then(|| format!("one of {}", self.values.join(", "))),
            _ => None,
        }
    }
}

/// Reads `option name NAME type TYPE …`.
fn listed(line: &str) -> Option<Listed> {
    let rest = line.strip_prefix("option name ")?;
    let (name, rest) = rest.split_once(" type ")?;
    let values = rest.split(" var ").skip(1).map(|value| value.trim().to_ascii_lowercase());
    let number = |word| {
        let mut words = rest.split_whitespace().skip_while(|other| *other != word).skip(1);
        words.next().and_then(|number| number.parse().ok())
    };
    Some(Listed {
        name: name.trim().to_owned(),
        kind: rest.split_whitespace().next().unwrap_or_default().to_owned(),
        values: values.collect(),
        least: number("min"),
        most: number("max"),
    })
}

impl Uci {
    pub(super) fn start(
        mut process: Process,
        engine: &Engine,
        variant: Variant,
        wait: Wait<'_>,
    ) -> Result<Self, Fault> {
        let options = shake_hands(&mut process, wait).map_err(|problem| match problem {
            NoLine::Late => {
                let limit = wait.limit.as_secs_f64();
                Fault::NoStart(format!("no uciok after {limit} s: does it speak UCI?"))
            }
            NoLine::Ended => Fault::NoStart(format!("it ended: {}", process.status())),
            NoLine::Stopped => Fault::Stopped,
        })?;
        let find = |name: &str| options.iter().find(|known| known.name.eq_ignore_ascii_case(name));
        let mut settings = engine.options.clone();
        match (variant, find("UCI_Variant")) {
            (Variant::Chess, _) => {}
            (Variant::Chess960, _) => settings.push(("UCI_Chess960".into(), "true".into())),
            (_, Some(known)) if known.values.iter().all(|value| value != variant.name()) => {
                let known = known.values.join(", ");
                let reason = format!("it does not play {variant}; UCI_Variant knows {known}");
                return Err(Fault::NoStart(reason));
            }
            _ => settings.push(("UCI_Variant".into(), variant.name().into())),
        }
        for (name, value) in &settings {
            let Some(known) = find(name) else {
                return Err(Fault::NoStart(format!("it has no option {name}")));
            };
            if let Some(expected) = known.refuses(value) {
                let reason = format!("{}: \"{value}\", it takes {expected}", known.name);
                return Err(Fault::NoStart(reason));
            }
            let line = format!("setoption name {} value {value}", known.name);
            if process.send(&line).is_err() {
                return Err(Fault::Crashed(process.status()));
            }
        }
        let mut uci = Self { process, limit: engine.limit };
        match uci.ready(wait) {
            Ok(complaints) if complaints.is_empty() => Ok(uci),
            Ok(complaints) => Err(Fault::NoStart(format!("it says: {}", complaints.join("; ")))),
            Err(NoLine::Late) => {
                let limit = wait.limit.as_secs_f64();
                Err(Fault::NoStart(format!("it is not ready after {limit} s")))
            }
            Err(NoLine::Ended) => Err(Fault::Crashed(uci.process.status())),
            Err(NoLine::Stopped) => Err(Fault::Stopped),
        }
    }

    /// Waits until the engine is ready, and returns its complaints about options.
    fn ready(&mut self, wait: Wait<'_>) -> Result<Vec<String>, NoLine> {
        let since = Instant::now();
        self.process.send("isready")?;
        let mut complaints = Vec::new();
        loop {
            let (_, line) = wait.line(&mut self.process, since)?;
            if line == "readyok" {
                return Ok(complaints);
            }
            let said = line.strip_prefix("info string ").unwrap_or_default();
            if said.get(..5).is_some_and(|word| word.eq_ignore_ascii_case("error")) {
                complaints.push(said.to_owned());
            }
        }
    }

    /// Reads until `bestmove`.
    fn best_move(&mut self, since: Instant, wait: Wait<'_>) -> Result<(Said, Thought), NoLine> {
        let mut thought = Thought::default();
        loop {
            let (now, line) = wait.line(&mut self.process, since)?;
            let mut words = line.split_whitespace();
            match words.next() {
                Some("info") => listen(&line, &mut thought),
                Some("bestmove") => {
                    let text = words.next().unwrap_or_default().to_owned();
                    let elapsed = now.saturating_duration_since(since);
                    return Ok((Said::Move { text, elapsed }, thought));
                }
                _ => {}
            }
        }
    }
}

fn shake_hands(process: &mut Process, wait: Wait<'_>) -> Result<Vec<Listed>, NoLine> {
    let since = Instant::now();
    process.send("uci")?;
    let mut options = Vec::new();
    loop {
        let (_, line) = wait.line(process, since)?;
        if line == "uciok" {
            return Ok(options);
        }
        options.extend(listed(&line));
    }
}

/// Parses an `info` with the best line.
fn listen(line: &str, thought: &mut Thought) {
    let mut words = line.split_whitespace().skip(1);
    let mut said = Thought::default();
    let mut is_bound = false;
    while let Some(word) = words.next() {
        match word {
            "depth" => said.depth = words.next().and_then(|word| word.parse().ok()),
            "nodes" => said.nodes = words.next().and_then(|word| word.parse().ok()),
            "multipv" if words.next() != Some("1") => return,
            "score" => {
                let (kind, number) = (words.next(), words.next());
                let number = number.and_then(|word| word.parse().ok());
                said.score = match kind {
                    Some("cp") => number.map(Score::Centipawns),
                    Some("mate") => number.map(Score::Mate),
                    _ => None,
                };
            }
            "lowerbound" | "upperbound" => is_bound = true,
            "pv" => said.line = words.by_ref().map(str::to_owned).collect(),
            "string" => break,
            _ => {}
        }
    }
    thought.nodes = said.nodes.or(thought.nodes);
    if said.score.is_some() && !is_bound {
        thought.score = said.score;
        thought.depth = said.depth.or(thought.depth);
    }
    if !said.line.is_empty() && !is_bound {
        thought.line = said.line;
    }
}

fn position(task: Task<'_>) -> String {
    let start = task.history.start();
    let mut text = if *start == AnyPosition::start(start.variant()) && start.ply() == 0 {
        "position startpos".to_owned()
    } else {
        format!("position fen {start}")
    };
    let mut position = start.clone();
    for (i, mv) in task.history.moves().iter().enumerate() {
        let space = if i == 0 { " moves" } else { "" };
        let _ = write!(text, "{space} {}", position.uci(*mv));
        position.play_unchecked(*mv);
    }
    text
}

fn go(limit: Limit, clocks: [Option<Clock>; 2], own: Option<&Clock>) -> String {
    let mut text = "go".to_owned();
    if let Some(own) = own {
        for (clock, [time, increment]) in clocks.iter().zip([["wtime", "winc"], ["btime", "binc"]])
        {
            // An opponent without a clock is given the same time.
            let clock = clock.as_ref().unwrap_or(own);
            let (left, more) = (clock.left.as_millis(), clock.control.increment.as_millis());
            let _ = write!(text, " {time} {left}");
            if more > 0 {
                let _ = write!(text, " {increment} {more}");
            }
        }
        if let Some(moves) = own.moves_to_go {
            let _ = write!(text, " movestogo {moves}");
        }
    }
    if let Some(time) = limit.movetime {
        let _ = write!(text, " movetime {}", time.as_millis());
    }
    if let Some(nodes) = limit.nodes {
        let _ = write!(text, " nodes {nodes}");
    }
    if let Some(depth) = limit.depth {
        let _ = write!(text, " depth {depth}");
    }
    text
}

impl Conversation for Uci {
    fn begin(&mut self, _: &AnyPosition, ready: Wait<'_>) -> Result<(), NoLine> {
        self.process.send("ucinewgame")?;
        self.ready(ready).map(|_| ())
    }

    fn think(&mut self, task: Task<'_>, wait: Wait<'_>) -> Result<(Said, Thought), NoLine> {
        self.process.drain();
        self.process.send(&position(task))?;
        let since = Instant::now();
        self.process.send(&go(self.limit, task.clocks, task.clock()))?;
        self.best_move(since, wait)
    }

    fn interrupt(&mut self, wait: Wait<'_>) -> Result<(), NoLine> {
        self.process.send("stop")?;
        self.best_move(Instant::now(), wait).map(|_| ())
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
    use halfmove_rules::History;

    #[test]
    fn the_last_exact_score_of_the_best_line_counts() {
        let mut thought = Thought::default();
        for line in [
            "info depth 7 score cp 12 nodes 100 pv e2e4 e7e5",
            "info depth 8 multipv 2 score cp 99 nodes 150 pv a2a4",
            "info depth 8 score cp 500 lowerbound nodes 200 pv d2d4",
            "info string score cp 1 pv x",
            "info nodes 300 nps 5 hashfull 0",
            "info depth x score y",
        ] {
            listen(line, &mut thought);
        }
        assert_eq!(thought.score, Some(Score::Centipawns(12)));
        assert_eq!((thought.depth, thought.nodes), (Some(7), Some(300)));
        assert_eq!(thought.line, ["e2e4", "e7e5"]);
        listen("info depth 9 multipv 1 score mate -2 pv g8h8", &mut thought);
        assert_eq!(thought.score, Some(Score::Mate(-2)));
    }

    #[test]
    fn options_are_read() {
        let option =
            listed("option name UCI_Variant type combo default chess var chess var makruk");
        assert_eq!(option.unwrap().values, ["chess", "makruk"]);
        assert_eq!(listed("option name Clear Hash type button").unwrap().name, "Clear Hash");
        assert!(listed("id name X").is_none());
    }

    #[test]
    fn positions_and_limits_are_written() {
        fn text(history: &History<AnyPosition>) -> String {
            position(Task { history, clocks: [None; 2] })
        }
        let mut history = History::new(AnyPosition::start(Variant::Chess));
        assert_eq!(text(&history), "position startpos");
        for uci in ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "g8f6", "e1g1"] {
            history.play_uci(uci).unwrap();
        }
        let moves = "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1";
        assert_eq!(text(&history), moves);

        let fen = "8/3k4/8/8/8/5K2/8/2R4R w - 16 17 6";
        let start = AnyPosition::from_fen(fen, Variant::Makruk).unwrap();
        assert_eq!(text(&History::new(start)), format!("position fen {fen}"));

        let clock = Clock::new("40/60+0.6".parse().unwrap());
        let other = Clock::new("5".parse().unwrap());
        let limit = Limit::default();
        assert_eq!(
            go(limit, [Some(clock), Some(other)], Some(&clock)),
            "go wtime 60000 winc 600 btime 5000 movestogo 40"
        );
        assert_eq!(go(limit, [None, Some(other)], Some(&other)), "go wtime 5000 btime 5000");
        let limit = Limit { nodes: Some(10), depth: Some(3), ..limit };
        assert_eq!(go(limit, [None; 2], None), "go nodes 10 depth 3");
    }
}
