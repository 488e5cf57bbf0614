//! `halfmove-engine`: a UCI engine for chess, Chess960, Makruk, Makpong and ASEAN chess.
//!
//! Without arguments it reads commands from standard input. Otherwise each argument is a command, or all arguments are
//! the words of one command: `halfmove-engine bench`, `halfmove-engine "position startpos moves e2e4" "go depth 12"`.
//!
//! Matches, tuning and training are in another program, `halfmove-lab`.

use halfmove_engine::{Clock, converse};
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

const HELP: &str = r#"A UCI engine for chess, Chess960, Makruk, Makpong and ASEAN chess

Usage: halfmove-engine                 talk to a GUI, through standard input and output
       halfmove-engine COMMAND…        obey UCI commands and quit; quote each command if there are several
       halfmove-engine --version       print the version

UCI commands:
  "position startpos moves e2e4" "go depth 12"   the best answer to 1. e4
  "position fen FEN" d eval                      the board, and its value term by term
  perft N                                        the leaves at depth N, by first move
  bench [DEPTH] [chess|makruk]                   the nodes of 20 searches, and the speed
  uci                                            the options, for setoption

Matches between engines, tuning and training: halfmove-lab --help
"#;

/// The time since the program started.
struct Wall(Instant);

impl Clock for Wall {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

fn main() -> ExitCode {
    let arguments: Vec<_> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    match arguments.first().map(String::as_str) {
        Some("--help" | "-h" | "help") => say(&mut io::stdout(), HELP, ExitCode::SUCCESS),
        Some("--version" | "-V") => {
            let version = concat!("halfmove-engine ", env!("CARGO_PKG_VERSION"), "\n");
            say(&mut io::stdout(), version, ExitCode::SUCCESS)
        }
        _ => match converse(&arguments, Arc::new(Wall(Instant::now()))) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) if error.kind() == ErrorKind::InvalidInput => {
                let hint = "see halfmove-engine --help";
                say(&mut io::stderr(), &format!("error: {error}; {hint}\n"), ExitCode::from(2))
            }
            Err(error) => say(&mut io::stderr(), &format!("error: {error}\n"), ExitCode::FAILURE),
        },
    }
}

fn say(out: &mut impl Write, text: &str, code: ExitCode) -> ExitCode {
    let _ = out.write_all(text.as_bytes());
    code
}
