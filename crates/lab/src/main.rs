//! `halfmove-lab`: matches between engines, and evaluations made from games.
//!
//! The program starts processes, reads the clock, catches signals and prints; the library does none of it.
//!
//! | command | where |
//! | --- | --- |
//! | `arena`, `spsa` | `arena.rs`, `arena/` |
//! | `datagen`, `tune`, `train` | `training_commands.rs`, over [`halfmove_lab::training`] |
//! | `fit-codec` | `fit_command.rs`, over [`halfmove_lab::dense`] |
//! | files that are not replaced by mistake | `arguments.rs` |

mod arena;
mod arguments;
mod fit_command;
mod training_commands;

use clap::{CommandFactory, FromArgMatches, Parser};
use fit_command::FitArgs;
use std::process::ExitCode;
use training_commands::{DatagenArgs, TrainArgs, TuneArgs};

/// Play matches between chess engines, and make an evaluation from games
#[derive(Parser, Debug)]
#[command(
    name = "halfmove-lab",
    bin_name = "halfmove-lab",
    version,
    disable_help_subcommand = true
)]
enum Command {
    Arena(arena::Args),
    Datagen(DatagenArgs),
    Tune(TuneArgs),
    Train(TrainArgs),
    Spsa(arena::SpsaArgs),
    FitCodec(FitArgs),
}

fn main() -> ExitCode {
    let matches = Command::command().get_matches();
    match Command::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()) {
        Command::Arena(args) => {
            let engines = matches.subcommand_matches("arena").map(arena::engines);
            arena::run(&args, &engines.unwrap_or_default())
        }
        Command::Spsa(args) => arena::run_spsa(&args),
        Command::FitCodec(args) => training_commands::finish(fit_command::fit(&args)),
        Command::Datagen(args) => training_commands::finish(training_commands::datagen(&args)),
        Command::Tune(args) => training_commands::finish(training_commands::tune(&args)),
        Command::Train(args) => training_commands::finish(training_commands::train(&args)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Command::command().debug_assert();
    }

    fn message(text: &str) -> String {
        let words = ["halfmove-lab"].into_iter().chain(text.split(' '));
        match Command::try_parse_from(words) {
            Err(error) => error.to_string().replace('\n', " "),
            Ok(command) => format!("{command:?}"),
        }
    }

    #[test]
    fn errors_name_what_is_expected() {
        for (words, expected) in [
            ("arena --nodes 1", "required arguments were not provided:   --engine <COMMAND"),
            (
                "spsa --engine e --parameter a=1,0,2",
                "required arguments were not provided:   --state <FILE>",
            ),
            (
                "spsa --engine e --state s --parameter a=3,0,2",
                "a: expected MIN below MAX, and START between them",
            ),
            (
                "spsa --engine e --state s --parameter a=1,0,2 --rate 0",
                "expected a number above 0, at most 1",
            ),
            ("datagen --games 3", "required arguments were not provided:   --out <FILE>"),
            ("tune --out w", "required arguments were not provided:   --data <FILE>"),
            ("train --data s --out n --game asean", "[possible values: chess, makruk]"),
            ("train --data s --out n --hidden 0", "expected a multiple of 32, up to 512"),
            ("train --data s --out n --hidden 48", "expected a multiple of 32, up to 512"),
            ("train --data s --out n --hidden 544", "expected a multiple of 32, up to 512"),
            ("datagen --out s --threads 0", "expected a whole number above 0"),
            ("datagen --out s --nodes 0", "expected a whole number above 0"),
            ("tune --data s --out w --threads 0", "expected a whole number above 0"),
            ("train --data s --out n --threads 0", "expected a whole number above 0"),
            ("arena --engine e --nodes 0", "expected a whole number above 0"),
            ("arena --engine e --depth 0", "expected a whole number above 0"),
            ("arena --engine e --movetime 0", "expected a whole number above 0"),
            ("arena --engine e --nodes 1 --max-moves 0", "expected a whole number above 0"),
            ("tune --data s --out w --blend 2", "expected a number from 0 to 1"),
            ("tune --data s --out w --blend NaN", "expected a number from 0 to 1"),
            ("tune --data s --out w --step inf", "expected a number, not negative"),
        ] {
            let message = message(words);
            assert!(message.contains(expected), "{words}: {message}");
        }
    }
}
