//! The engine that plays in these tests: this test program again, as another process.
//!
//! Cargo builds the programs of this crate for its tests, and `halfmove-engine` belongs to another. So an engine is this
//! program with the arguments that run the one test below, which speaks UCI on standard input and output.

use crate::LAB;
use halfmove_engine::{Clock, converse};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Stands for the engine among the words of a command.
pub(crate) const ENGINE: &str = "<our engine>";

/// Set for the program, and so for the engines that it starts.
const VARIABLE: &str = "HALFMOVE_TEST_ENGINE";

/// The program with a command and its arguments.
pub(crate) fn program(command: &str, words: &[&str]) -> Command {
    let mut program = Command::new(LAB);
    program.arg(command).env(VARIABLE, "1");
    for word in words {
        if *word != ENGINE {
            program.arg(word);
            continue;
        }
        let arguments = ["engine::speaks_uci", "--exact", "--ignored", "--nocapture"];
        program.arg(std::env::current_exe().expect("this program"));
        program.args(arguments.map(|word| format!("arg={word}")));
    }
    program
}

struct Wall(Instant);

impl Clock for Wall {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

#[test]
#[ignore = "an engine, which other tests start"]
fn speaks_uci() {
    // Standard input may be a terminal, where no GUI speaks UCI.
    if std::env::var_os(VARIABLE).is_some() {
        converse(&[], Arc::new(Wall(Instant::now()))).expect("a conversation");
    }
}
