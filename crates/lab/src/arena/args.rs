//! The command line of a match.

use super::contest::Contest;
use super::settings::{self, Settings};
use clap::ArgMatches;
use halfmove_lab::Sprt;
use std::path::PathBuf;

/// Play a match between two engines
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
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment, after_help = EXAMPLES)]
pub(crate) struct Args {
    /// An engine; give this option twice
    #[arg(long, value_names = ["COMMAND", "KEY=VALUE"], num_args = 1.., required = true, verbatim_doc_comment)]
    engine: Vec<String>,
    /// Settings of both engines
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    each: Vec<String>,
    /// The most games to play, an even number [default: 100; 40000 with --sprt]
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    #[command(flatten)]
    pub(super) settings: Settings,
    /// Write the openings to a file, a FEN on each line
    #[arg(long, value_name = "FILE", help_heading = "Openings")]
    pub(super) save_openings: Option<PathBuf>,

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
  halfmove-lab arena --engine ./new name=new --engine ./old name=old --nodes 20000 --games 200
  halfmove-lab arena --engine ./new --engine ./old --each option.Hash=16 --tc 10+0.1 \\
      --concurrency 2 --sprt elo0=0,elo1=30 --pgn games.pgn
  halfmove-lab arena --engine halfmove-engine --engine fairy-stockfish --game makruk --tc 5+0.1";

/// The number of games of a match without `--games`.
const GAMES: u64 = 100;

/// The maximum number of games with a sequential test, enough for nearly every test to end.
const MAX_GAMES: u64 = 40_000;

/// The words of each `--engine`, which a field of [`Args`] cannot keep apart.
pub(crate) fn engines(matches: &ArgMatches) -> Vec<Vec<String>> {
    let engines = matches.get_occurrences::<String>("engine");
    engines.map_or(Vec::new(), |all| all.map(|words| words.cloned().collect()).collect())
}

impl Args {
    /// The match that the command line describes.
    pub(super) fn contest(&self, engines: &[Vec<String>]) -> Result<Contest, String> {
        let [first, second] = engines else {
            return Err(format!("--engine: there are {}, expected two", engines.len()));
        };
        let engine = |words: &Vec<String>| {
            settings::engine(words, &self.each, self.settings.limit())
                .map_err(|error| format!("--engine: {error}"))
        };
        let mut engines = [engine(first)?, engine(second)?];
        if engines[0].name == engines[1].name {
            engines[0].name += "-1";
            engines[1].name += "-2";
        }
        let usual = if self.sprt.is_some() { MAX_GAMES } else { GAMES };
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
        self.settings.check()?;
        let pairs = games / 2;
        Ok(Contest {
            engines,
            variant: self.settings.game,
            pairs,
            concurrency: self.settings.concurrency(pairs),
            terms: self.settings.terms(),
            patience: self.settings.patience()?,
            sprt: self.sprt,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Args as _, FromArgMatches};

    fn contest(more: &str) -> Result<Contest, String> {
        let text = format!("arena --engine a --engine b --depth 1 {more}");
        let command = Args::augment_args(clap::Command::new("arena"));
        let matches = command.try_get_matches_from(text.split_whitespace());
        let matches = matches.unwrap_or_else(|error| panic!("{error}"));
        let args = Args::from_arg_matches(&matches).expect("arguments");
        args.contest(&engines(&matches))
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
    fn settings_of_engines_are_checked() {
        for (more, expected) in [
            ("--each nodes=0", "nodes: \"0\", expected a whole number above 0"),
            ("--each depth=x", "depth: \"x\", expected a whole number above 0"),
            ("--each movetime=0", "movetime: \"0\", expected milliseconds above 0"),
            ("--each dir=no-such-folder", "dir: \"no-such-folder\", expected a folder"),
        ] {
            let refused = contest(more).err();
            assert_eq!(refused, Some(format!("--engine: {expected}")), "{more}");
        }
    }

    #[test]
    fn an_older_name_of_an_option_is_known() {
        for name in ["--plies", "--random-plies"] {
            let refused = contest(&format!("{name} 201")).err();
            assert_eq!(refused.as_deref(), Some("--random-plies: 201, expected at most 200"));
        }
    }
}
