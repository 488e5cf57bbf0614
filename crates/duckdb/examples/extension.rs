//! Makes an extension of DuckDB of the library that cargo has built: `extension LIBRARY EXTENSION`. `make duckdb` runs it.

use std::env::args_os;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use halfmove_duckdb::footer::footer;

#[allow(clippy::print_stderr)]
fn main() -> ExitCode {
    let paths: Vec<PathBuf> = args_os().skip(1).map(PathBuf::from).collect();
    let [library, extension] = paths.as_slice() else {
        eprintln!("usage: extension LIBRARY EXTENSION");
        return ExitCode::from(2);
    };
    let made = fs::read(library).and_then(|mut bytes| {
        bytes.extend(footer());
        fs::write(extension, bytes)
    });
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{} of {}: {error}", extension.display(), library.display());
            ExitCode::FAILURE
        }
    }
}
