//! The program `halfmove-mailbox`: the 0x88 engine, played by UCI.

mod uci;

use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    match uci::serve(io::stdin().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        // The other program has gone.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            use std::io::Write;
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}
