//! The command line.

use super::contest::Contest;
use super::game::Terms;
use super::limit::{Limit, TimeControl};
use super::openings::{Recipe, Source};
use super::player::{Engine, Patience, Protocol};
use super::process::Program;
use super::referee::{Adjudication, DrawRule, WinRule};
use super::sprt::Sprt;
use crate::arguments::variants;
use clap::{CommandFactory, FromArgMatches, Parser};
use halfmove_rules::Variant;
use std::path::PathBuf;
use std::time::Duration;

/// Play a match between two engines.
///
/// Each opening is played twice, with colors swapped. After each game a line on standard error
/// reports the score; at the end of the match, or after Ctrl-C, a summary is printed.
///
/// An engine is a command and settings, each a word of its own:
///
///   name=NAME          how to call it
///   option.NAME=VALUE  an option of UCI
///   proto=cecp         it speaks XBoard's protocol (the default is uci)
///   arg=WORD           an argument of the command; may be repeated
///   dir=FOLDER         where to run it
///   tc=, movetime=, nodes=, depth=   its own limit, instead of that of the match
#[derive(Parser, Debug)]
#[command(
    name = "arena",
    bin_name = "halfmove-engine arena",
    disable_version_flag = true,
    verbatim_doc_comment,
    after_help = EXAMPLES
)]
pub(super) struct Args {
    /// An engine; give this option twice
    #[arg(long, value_names = ["COMMAND", "KEY=VALUE"], num_args = 1.., required = true, verbatim_doc_comment)]
    engine: Vec<String>,
    /// Settings of both engines
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    each: Vec<String>,
    /// The game
    #[arg(long, default_value = "chess", value_parser = variants(&Variant::ALL))]
    game: Variant,
    /// The most games to play, an even number [default: 100; 40000 with --sprt]
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// How many games to play at a time
    #[arg(long, default_value_t = 1, value_name = "N")]
    concurrency: usize,

    /// Time on the clock: [MOVES/][MINUTES:]SECONDS[+INCREMENT], as in 40/60+0.6
    #[arg(long, help_heading = "How long to think")]
    tc: Option<TimeControl>,
    /// Milliseconds for each move
    #[arg(long, value_name = "MS", help_heading = "How long to think")]
    movetime: Option<u64>,
    /// Nodes for each move
    #[arg(long, value_name = "N", help_heading = "How long to think")]
    nodes: Option<u64>,
    /// The depth of each search
    #[arg(long, value_name = "N", help_heading = "How long to think")]
    depth: Option<u32>,
    /// How many milliseconds longer than allowed a move may take
    #[arg(long, value_name = "MS", default_value_t = 0, help_heading = "How long to think")]
    margin: u64,
    /// Seconds until an engine without a clock has to move
    #[arg(long, value_name = "S", default_value_t = 120.0, help_heading = "How long to think")]
    patience: f64,
    /// Seconds until an engine has to be ready
    #[arg(long, value_name = "S", default_value_t = 30.0, help_heading = "How long to think")]
    handshake: f64,

    /// Where games start: random, start (the start position), or a file: PGN, or a FEN on each line
    #[arg(long, value_name = "WHAT", default_value = "random", help_heading = "Openings")]
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
    seed: u64,
    /// Take the openings of a file in random order
    #[arg(long, help_heading = "Openings")]
    shuffle: bool,
    /// Write the openings to a file, a FEN on each line
    #[arg(long, value_name = "FILE", help_heading = "Openings")]
    pub(super) save_openings: Option<PathBuf>,

    /// Draw a game after N moves by each side
    #[arg(long, value_name = "N", default_value_t = 400, help_heading = "When a game ends")]
    max_moves: u32,
    /// End won games: cp=600,moves=4 is 600 centipawns in 4 moves of both engines
    #[arg(long, value_name = "KEY=N,…", value_parser = win_rule, help_heading = "When a game ends")]
    win: Option<WinRule>,
    /// End drawn games: after=40,moves=8,cp=10 is at most 10 centipawns in 8 moves of both, after move 40
    #[arg(long, value_name = "KEY=N,…", value_parser = draw_rule, help_heading = "When a game ends")]
    draw: Option<DrawRule>,
    /// End the match by a sequential test in normalized Elo: elo0=0,elo1=30[,alpha=0.05,beta=0.05]
    #[arg(long, value_name = "KEY=N,…", help_heading = "When the match ends")]
    sprt: Option<Sprt>,

    /// Write the games to a file as they end
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub(super) pgn: Option<PathBuf>,
    /// The tag Event of the games
    #[arg(long, value_name = "TEXT", default_value = "Arena", help_heading = "Results")]
    pub(super) event: String,
    /// Write the summary as JSON
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub(super) json: Option<PathBuf>,
    /// Write each line that is sent to an engine or comes from it to a file
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub(super) log: Option<PathBuf>,
    /// Replace files that exist
    #[arg(long, help_heading = "Results")]
    pub(super) force: bool,
    /// Print nothing after each game
    #[arg(long, short, help_heading = "Results")]
    pub(super) quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  halfmove-engine arena --engine ./new name=new --engine ./old name=old --nodes 20000 --games 200
  halfmove-engine arena --engine ./new --engine ./old --each option.Hash=16 --tc 10+0.1 \\
      --concurrency 2 --sprt elo0=0,elo1=30 --pgn games.pgn
  halfmove-engine arena --engine halfmove-engine --engine fairy-stockfish --game makruk --tc 5+0.1";

/// How many games a match has, unless `--games` says so.
const GAMES: u64 = 100;

/// The same with a sequential test: enough for nearly all of them to end.
const MOST_GAMES: u64 = 40_000;

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

/// The command line, and the words of each `--engine`.
pub(super) fn read(words: impl Iterator<Item = std::ffi::OsString>) -> (Args, Vec<Vec<String>>) {
    let read = || -> Result<_, clap::Error> {
        let matches = Args::command().try_get_matches_from(words)?;
        let engines = matches.get_occurrences::<String>("engine");
        let engines = engines.map(|all| all.map(|words| words.cloned().collect()).collect());
        Ok((Args::from_arg_matches(&matches)?, engines.unwrap_or_default()))
    };
    read().unwrap_or_else(|error| error.exit())
}

/// Takes a setting of an engine.
fn set(engine: &mut Engine, word: &str) -> Result<(), String> {
    let Some((key, value)) = word.split_once('=') else {
        return Err(format!("\"{word}\", expected KEY=VALUE"));
    };
    let expected = |what: &str| format!("{key}: \"{value}\", expected {what}");
    match key {
        "name" => engine.name = value.to_owned(),
        "arg" => engine.program.arguments.push(value.to_owned()),
        "dir" => engine.program.folder = Some(PathBuf::from(value)),
        "proto" => {
            engine.protocol = match value {
                "uci" => Protocol::Uci,
                "cecp" | "xboard" => Protocol::Cecp,
                _ => return Err(expected("uci or cecp")),
            }
        }
        "tc" => engine.limit.clock = Some(value.parse()?),
        "movetime" => {
            let millis = value.parse().map_err(|_| expected("milliseconds"))?;
            engine.limit.movetime = Some(Duration::from_millis(millis));
        }
        "nodes" => engine.limit.nodes = Some(value.parse().map_err(|_| expected("a number"))?),
        "depth" => engine.limit.depth = Some(value.parse().map_err(|_| expected("a number"))?),
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

fn engine(words: &[String], each: &[String], all: Limit) -> Result<Engine, String> {
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
    // A line for the engine, and a line of the log, must stay one.
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

impl Args {
    /// The match that the command line describes.
    pub(super) fn contest(&self, engines: &[Vec<String>]) -> Result<Contest, String> {
        let all = Limit {
            clock: self.tc,
            movetime: self.movetime.map(Duration::from_millis),
            nodes: self.nodes,
            depth: self.depth,
        };
        let [first, second] = engines else {
            return Err(format!("--engine: there are {}, expected two", engines.len()));
        };
        let engine = |words: &Vec<String>| {
            engine(words, &self.each, all).map_err(|error| format!("--engine: {error}"))
        };
        let mut engines = [engine(first)?, engine(second)?];
        if engines[0].name == engines[1].name {
            engines[0].name += "-1";
            engines[1].name += "-2";
        }
        let usual = if self.sprt.is_some() { MOST_GAMES } else { GAMES };
        let games = self.games.unwrap_or(usual);
        if !games.is_multiple_of(2) || games == 0 {
            return Err(format!(
                "--games: {games}, expected an even number: each opening is played twice"
            ));
        }
        if self.save_openings.is_some() && self.sprt.is_some() && self.games.is_none() {
            return Err("--save-openings: expected --games, because it writes an opening for each pair of games"
                .to_owned());
        }
        if !(1..=256).contains(&self.concurrency) {
            return Err(format!("--concurrency: {}, expected 1 to 256", self.concurrency));
        }
        if !(1..=100).contains(&self.balance_depth) {
            return Err(format!("--balance-depth: {}, expected 1 to 100", self.balance_depth));
        }
        if self.random_plies > 200 {
            return Err(format!("--random-plies: {}, expected at most 200", self.random_plies));
        }
        let pairs = games / 2;
        Ok(Contest {
            engines,
            variant: self.game,
            pairs,
            concurrency: self.concurrency.min(usize::try_from(pairs).unwrap_or(usize::MAX)),
            terms: Terms {
                adjudication: Adjudication { win: self.win, draw: self.draw },
                most_moves: self.max_moves,
            },
            patience: Patience {
                start: time("--handshake", self.handshake)?,
                answer: time("--patience", self.patience)?,
                margin: Duration::from_millis(self.margin),
            },
            sprt: self.sprt,
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

    pub(super) fn seed(&self) -> u64 {
        self.seed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contest(more: &str) -> Result<Contest, String> {
        let text = format!("arena --engine a --engine b --depth 1 {more}");
        let (args, engines) = read(text.split_whitespace().map(Into::into));
        args.contest(&engines)
    }

    #[test]
    fn a_sequential_test_has_time_to_end() {
        let pairs = |more: &str| contest(more).map(|contest| contest.pairs);
        assert_eq!(pairs(""), Ok(50));
        assert_eq!(pairs("--sprt elo0=0,elo1=30"), Ok(20_000));
        assert_eq!(pairs("--sprt elo0=0,elo1=30 --games 8"), Ok(4));
        let refused = pairs("--sprt elo0=0,elo1=30 --save-openings x");
        assert!(refused.is_err_and(|error| error.contains("expected --games")));
        assert_eq!(pairs("--sprt elo0=0,elo1=30 --save-openings x --games 2"), Ok(1));
    }

    #[test]
    fn an_older_name_of_an_option_is_known() {
        for name in ["--plies", "--random-plies"] {
            let refused = contest(&format!("{name} 201")).err();
            assert_eq!(refused.as_deref(), Some("--random-plies: 201, expected at most 200"));
        }
    }
}
