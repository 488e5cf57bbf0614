//! The Universal Chess Interface: a program that a GUI talks to, line by line.
//!
//! One thread reads commands and responds immediately, even while another thread is searching. A command that affects
//! the search (`position`, `go`, `setoption`, `ucinewgame`, `bench`, `perft`) first stops it, and the search then
//! prints its `bestmove`. The end of the input does the same and ends the program.
//!
//! Unknown words are skipped, as the protocol requires. A command that cannot be executed has no effect and is answered
//! by `info string` with the reason. After a `position` that was rejected there is no position, and `go` answers
//! `bestmove 0000` instead of a move in an earlier position.
//!
//! # Source
//! Stefan Meyer-Kahlen and Rudolf Huber, *UCI protocol* (2006); the option `UCI_Variant` and the names of variants as in
//! Fairy-Stockfish.

mod bench;
mod command;
mod game;
mod machine;
mod options;
mod output;
mod session;
mod strength;

pub use bench::{Bench, BenchResult};

use crate::Clock;
use output::Output;
use session::Session;
use std::io::{self, BufRead, BufReader, Write};
use std::sync::Arc;

/// Reads commands until `quit` or the end of the input.
///
/// ```
/// use halfmove_engine::{StoppedClock, serve};
/// use std::sync::{Arc, Mutex};
///
/// # #[derive(Clone, Default)]
/// # struct Shared(Arc<Mutex<Vec<u8>>>);
/// # impl std::io::Write for Shared {
/// #     fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
/// #         self.0.lock().unwrap().write(bytes)
/// #     }
/// #     fn flush(&mut self) -> std::io::Result<()> { Ok(()) }
/// # }
/// let output = Shared::default();
/// serve(&b"isready\nquit\n"[..], output.clone(), Arc::new(StoppedClock))?;
/// assert_eq!(*output.0.lock().unwrap(), b"readyok\n");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// If the input cannot be read or the output cannot be written.
pub fn serve<W: Write + Send + 'static>(
    mut input: impl BufRead,
    output: W,
    clock: Arc<dyn Clock>,
) -> io::Result<()> {
    let mut session = Session::new(Output::new(output), clock);
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if !session.obey(&String::from_utf8_lossy(&line))? {
            break;
        }
    }
    session.stop();
    Ok(())
}

/// Executes commands one after the other, and waits for each search to end. Searches without a limit are stopped at
/// once.
///
/// # Errors
/// If the output cannot be written.
pub fn obey<W: Write + Send + 'static>(
    commands: &[String],
    output: W,
    clock: Arc<dyn Clock>,
) -> io::Result<()> {
    let mut session = Session::new(Output::new(output), clock);
    for command in commands {
        if !session.obey(command)? {
            break;
        }
        session.finish();
    }
    Ok(())
}

/// Executes the arguments of the program `halfmove-engine`. Without arguments, it reads commands from standard input.
/// Otherwise each argument is a command, or all are the words of a single command: `d eval` and `"go depth 3" d` are
/// two commands, `go depth 3` is one. A closed pipe is not an error: the GUI has exited.
///
/// # Errors
/// If standard input cannot be read or standard output cannot be written, and of kind
/// [`InvalidInput`](io::ErrorKind::InvalidInput) if an argument is not a command.
pub fn converse(arguments: &[String], clock: Arc<dyn Clock>) -> io::Result<()> {
    let is_command = |text: &String| command::parse(text).is_some();
    let first = arguments.first().map_or("", |word| word.trim());
    // The words after these may have the names of commands: `go perft 3`.
    let goes_on = ["go", "position", "setoption"].contains(&first);
    let several = arguments.iter().any(|word| word.contains(' '))
        || !goes_on && arguments.iter().all(is_command);
    let is_owned = |word: &String| first == "go" && word == "perft" || first == "setoption";
    if !several
        && let Some(word) =
            arguments.iter().skip(1).find(|word| is_command(word) && !is_owned(word))
    {
        let error = format!("\"{word}\" is a command of its own: put each command in quotes");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, error));
    }
    let commands = if several { arguments.to_vec() } else { vec![arguments.join(" ")] };
    let done = if arguments.is_empty() {
        serve(BufReader::new(io::stdin()), io::stdout(), clock)
    } else if let Some(unknown) = commands.iter().find(|text| !is_command(text)) {
        let error = format!("unknown command \"{unknown}\"");
        Err(io::Error::new(io::ErrorKind::InvalidInput, error))
    } else {
        obey(&commands, io::stdout(), clock)
    };
    match done {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        done => done,
    }
}
