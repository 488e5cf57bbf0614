//! The arguments shared by all commands that play matches: engines, limits, openings, adjudication.

use super::game::Terms;
use super::limit::{Limit, TimeControl};
use super::openings::{Recipe, Source};
use super::player::{Engine, Patience, Protocol};
use super::process::Program;
use super::referee::{Adjudication, DrawRule, WinRule};
use crate::arguments::{positive, variants};
use halfmove_rules::Variant;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;

/// The settings of all games of a match.
#[derive(clap::Args, Debug)]
pub(super) struct Settings {
    /// The game
    #[arg(long, default_value = "chess", value_parser = variants(&Variant::ALL))]
    pub(super) game: Variant,
    /// Games to play at a time
    #[arg(long, default_value_t = 1, value_name = "N")]
    concurrency: usize,

    /// Time on the clock: [MOVES/][MINUTES:]SECONDS[+INCREMENT], as in 40/60+0.6
    #[arg(long, help_heading = "How long to think")]
    tc: Option<TimeControl>,
    /// Milliseconds for each move
    #[arg(long, value_name = "MS", value_parser = positive::<u64>, help_heading = "How long to think")]
    movetime: Option<u64>,
    /// Nodes for each move
    #[arg(long, value_name = "N", value_parser = positive::<u64>, help_heading = "How long to think")]
    nodes: Option<u64>,
    /// The depth of each search
    #[arg(long, value_name = "N", value_parser = positive::<u32>, help_heading = "How long to think")]
    depth: Option<u32>,
    /// Milliseconds that a move may take longer than allowed
    #[arg(long, value_name = "MS", default_value_t = 0, help_heading = "How long to think")]
    margin: u64,
    /// Seconds until an engine without a clock has to move
    #[arg(long, value_name = "S", default_value_t = 120.0, help_heading = "How long to think")]
    patience: f64,
    /// Seconds until an engine has to be ready
    #[arg(long, value_name = "S", default_value_t = 30.0, help_heading = "How long to think")]
    handshake: f64,

    /// Openings: random, start (the start position), or a file: PGN, or a FEN on each line
    #[arg(long, value_name = "SOURCE", default_value = "random", help_heading = "Openings")]
    openings: String,
    /// Half-moves of random openings
    #[arg(long, alias = "plies", value_name = "N", default_value_t = 8, help_heading = "Openings")]
    random_plies: u32,
    /// The largest score of random openings, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 80, help_heading = "Openings")]
    balance: i32,
    /// The depth of the search that finds this score
    #[arg(long, value_name = "N", default_value_t = 6, help_heading = "Openings")]
    balance_depth: u32,
    /// Random seed: the same number gives the same openings
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Openings")]
    pub(super) seed: u64,
    /// Take the openings of a file in random order
    #[arg(long, help_heading = "Openings")]
    shuffle: bool,
    /// Draw a game after N moves by each side
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = positive::<u32>, help_heading = "When a game ends")]
    max_moves: u32,
    /// End won games: cp=600,moves=4 is 600 centipawns in 4 moves of both engines
    #[arg(long, value_name = "KEY=N,…", value_parser = win_rule, help_heading = "When a game ends")]
    win: Option<WinRule>,
    /// End drawn games: after=40,moves=8,cp=10 is at most 10 centipawns in 8 moves of both, after move 40
    #[arg(long, value_name = "KEY=N,…", value_parser = draw_rule, help_heading = "When a game ends")]
    draw: Option<DrawRule>,
}

/// Reads `name=number,…`: each name once, in any order.
fn numbers<const N: usize>(text: &str, names: [&str; N]) -> Result<[u32; N], String> {
    let mut found = [None; N];
    for pair in text.split(',') {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let which = names.iter().position(|known| *known == name.trim());
        let number = value.trim().parse().ok().filter(|number| *number <= 1_000_000);
        match (which, number) {
            (Some(which), Some(number)) => found[which] = Some(number),
            _ => return Err(format!("\"{pair}\", expected {}", names.join("=N,") + "=N")),
        }
    }
    let mut numbers = [0; N];
    for (number, found) in numbers.iter_mut().zip(found) {
        *number = found.ok_or_else(|| format!("expected {}", names.join("=N,") + "=N"))?;
    }
    Ok(numbers)
}

fn win_rule(text: &str) -> Result<WinRule, String> {
    let [centipawns, moves] = numbers(text, ["cp", "moves"])?;
    Ok(WinRule { centipawns: centipawns as i32, moves: moves.max(1) })
}

fn draw_rule(text: &str) -> Result<DrawRule, String> {
    let [after, moves, centipawns] = numbers(text, ["after", "moves", "cp"])?;
    Ok(DrawRule { centipawns: centipawns as i32, moves: moves.max(1), after })
}

/// Applies a setting of an engine.
fn set(engine: &mut Engine, word: &str) -> Result<(), String> {
    let Some((key, value)) = word.split_once('=') else {
        return Err(format!("\"{word}\", expected KEY=VALUE"));
    };
    let expected = |what: &str| {
        let what = what.strip_prefix("expected ").unwrap_or(what);
        format!("{key}: \"{value}\", expected {what}")
    };
    match key {
        "name" => engine.name = value.to_owned(),
        "arg" => engine.program.arguments.push(value.to_owned()),
        "dir" => {
            let folder = PathBuf::from(value);
            if !folder.is_dir() {
                return Err(expected("a folder"));
            }
            engine.program.folder = Some(folder);
        }
        "proto" => {
            engine.protocol = match value {
                "uci" => Protocol::Uci,
                "cecp" | "xboard" => Protocol::Cecp,
                _ => return Err(expected("uci or cecp")),
            }
        }
        "tc" => engine.limit.clock = Some(value.parse()?),
        "movetime" => {
            let millis = positive(value).map_err(|_| expected("milliseconds above 0"))?;
            engine.limit.movetime = Some(Duration::from_millis(millis));
        }
        "nodes" => engine.limit.nodes = Some(positive(value).map_err(expected)?),
        "depth" => engine.limit.depth = Some(positive(value).map_err(expected)?),
        _ => match key.strip_prefix("option.") {
            Some(name) => {
                engine.options.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
                engine.options.push((name.to_owned(), value.to_owned()));
            }
            None => {
                return Err(format!(
                    "\"{key}\" is unknown, expected name, option.NAME, proto, arg, dir, tc, movetime, nodes or depth"
                ));
            }
        },
    }
    Ok(())
}

/// The engine that some words describe, with settings for all engines before its own.
pub(super) fn engine(words: &[String], each: &[String], all: Limit) -> Result<Engine, String> {
    let (command, own) = words.split_first().ok_or("expected a command")?;
    let command = command.strip_prefix("cmd=").unwrap_or(command);
    let path = PathBuf::from(command);
    let mut engine = Engine {
        name: String::new(),
        program: Program { path, arguments: Vec::new(), folder: None },
        protocol: Protocol::Uci,
        options: Vec::new(),
        limit: Limit::default(),
    };
    // A line break would split a line to the engine or of the log.
    if let Some(word) = each.iter().chain(words).find(|word| word.contains(char::is_control)) {
        return Err(format!("{word:?}: expected one line without tabs"));
    }
    for word in each.iter().chain(own) {
        set(&mut engine, word)?;
    }
    if engine.name.is_empty() {
        let name = engine.program.path.file_name();
        engine.name = name.map_or(command.to_owned(), |name| name.to_string_lossy().into_owned());
    }
    engine.limit = engine.limit.or(all);
    if engine.limit.is_none() {
        return Err(format!(
            "{} may think for ever: expected --tc, --movetime, --nodes or --depth",
            engine.name
        ));
    }
    if engine.protocol == Protocol::Cecp && engine.limit.nodes.is_some() {
        return Err(format!("{}: nodes cannot be limited by cecp", engine.name));
    }
    Ok(engine)
}

fn time(name: &str, seconds: f64) -> Result<Duration, String> {
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if !time.is_zero() && seconds <= 86_400.0 => Ok(time),
        _ => Err(format!("{name}: {seconds}, expected a number of seconds above 0, at most a day")),
    }
}

impl Settings {
    /// The limit of all engines without a separate one.
    pub(super) fn limit(&self) -> Limit {
        Limit {
            clock: self.tc,
            movetime: self.movetime.map(Duration::from_millis),
            nodes: self.nodes,
            depth: self.depth,
        }
    }

    /// Checks the bounds of numbers.
    pub(super) fn check(&self) -> Result<(), String> {
        if !(1..=256).contains(&self.concurrency) {
            return Err(format!("--concurrency: {}, expected 1 to 256", self.concurrency));
        }
        if !(1..=100).contains(&self.balance_depth) {
            return Err(format!("--balance-depth: {}, expected 1 to 100", self.balance_depth));
        }
        if self.random_plies > 200 {
            return Err(format!("--random-plies: {}, expected at most 200", self.random_plies));
        }
        Ok(())
    }

    /// The settings on which the result of a game depends, except for limits and timeouts. They must not change
    /// during a tuning.
    pub(super) fn identity(&self) -> Value {
        let Self { game, openings, random_plies, balance, balance_depth, seed, .. } = self;
        json!({
            "game": game.name(),
            "openings": openings,
            "random_plies": random_plies,
            "balance": balance,
            "balance_depth": balance_depth,
            "seed": seed,
            "shuffle": self.shuffle,
            "max_moves": self.max_moves,
            "win": self.win.map(|rule| json!([rule.centipawns, rule.moves])),
            "draw": self.draw.map(|rule| json!([rule.after, rule.moves, rule.centipawns])),
        })
    }

    /// The number of games at a time, at most the number of pairs.
    pub(super) fn concurrency(&self, pairs: u64) -> usize {
        self.concurrency.min(usize::try_from(pairs).unwrap_or(usize::MAX))
    }

    pub(super) fn terms(&self) -> Terms {
        Terms {
            adjudication: Adjudication { win: self.win, draw: self.draw },
            max_moves: self.max_moves,
        }
    }

    pub(super) fn patience(&self) -> Result<Patience, String> {
        Ok(Patience {
            start: time("--handshake", self.handshake)?,
            answer: time("--patience", self.patience)?,
            margin: Duration::from_millis(self.margin),
        })
    }

    pub(super) fn source(&self) -> Source {
        match self.openings.as_str() {
            "start" => Source::Start,
            "random" => Source::Random(Recipe {
                plies: self.random_plies,
                bound: self.balance,
                depth: self.balance_depth,
            }),
            path => Source::File { path: PathBuf::from(path), shuffle: self.shuffle },
        }
    }
}
