//! Errors as Python exceptions, with the messages of the libraries.

use std::io;
use std::path::Path;

use halfmove_archive::ArchiveError as Failure;
use halfmove_functions::FunctionError;
use halfmove_game::movetext::{MovetextError, MovetextFault};
use halfmove_game::pgn::PgnErrorKind;
use halfmove_rules::{SanError, UciError};
use pyo3::create_exception;
use pyo3::exceptions::{
    PyException, PyFileExistsError, PyFileNotFoundError, PyKeyboardInterrupt, PyLookupError,
    PyOSError, PyPermissionError, PyValueError,
};
use pyo3::prelude::*;

create_exception!(halfmove, InvalidMoveError, PyValueError, "A text that is not a move.");
create_exception!(
    halfmove,
    IllegalMoveError,
    PyValueError,
    "A move that is not legal in its position."
);
create_exception!(
    halfmove,
    AmbiguousMoveError,
    PyValueError,
    "A move that several pieces can make."
);
create_exception!(
    halfmove,
    ArchiveError,
    PyException,
    "An archive that is damaged, or that this version cannot read or change."
);
create_exception!(halfmove, SqlError, PyValueError, "A query that cannot be planned or fails.");

/// The error of a text in SAN.
pub(crate) fn of_san(error: SanError, text: &str, position: &dyn std::fmt::Display) -> PyErr {
    let message = format!("the move \"{text}\" in {position}: {error}");
    match error {
        SanError::Illegal | SanError::Null => IllegalMoveError::new_err(message),
        SanError::Ambiguous => AmbiguousMoveError::new_err(message),
        _ => InvalidMoveError::new_err(message),
    }
}

/// The error of a line of moves.
pub(crate) fn of_movetext(error: MovetextError) -> PyErr {
    let message = match &error.hint {
        Some(hint) => format!("moves: {error}; {hint}"),
        None => format!("moves: {error}"),
    };
    let kind = match &error.fault {
        MovetextFault::Move(kind) => Some(&**kind),
        _ => None,
    };
    match kind {
        Some(PgnErrorKind::Illegal { .. } | PgnErrorKind::NullMove { .. }) => {
            IllegalMoveError::new_err(message)
        }
        Some(PgnErrorKind::Ambiguous { .. }) => AmbiguousMoveError::new_err(message),
        _ => InvalidMoveError::new_err(message),
    }
}

/// The error of a text in UCI notation.
pub(crate) fn of_uci(error: UciError, text: &str, position: &dyn std::fmt::Display) -> PyErr {
    let message = format!("the move \"{text}\" in {position}: {error}");
    match error {
        UciError::Illegal | UciError::Null => IllegalMoveError::new_err(message),
        _ => InvalidMoveError::new_err(message),
    }
}

/// The error of a file.
pub(crate) fn of_file(path: &Path, error: &io::Error) -> PyErr {
    let message = format!("{}: {error}", path.display());
    match error.kind() {
        io::ErrorKind::NotFound => PyFileNotFoundError::new_err(message),
        io::ErrorKind::PermissionDenied => PyPermissionError::new_err(message),
        _ => PyOSError::new_err(message),
    }
}

/// The error of an archive.
pub(crate) fn of_archive(error: Failure) -> PyErr {
    let message = error.to_full_string();
    match error {
        Failure::NotAnArchive { .. } => PyFileNotFoundError::new_err(message),
        Failure::CannotCreate { .. } => PyFileExistsError::new_err(message),
        Failure::ReadOnly { .. } => PyPermissionError::new_err(message),
        Failure::Io { source, .. } if source.kind() == io::ErrorKind::NotFound => {
            PyFileNotFoundError::new_err(message)
        }
        Failure::Io { .. } | Failure::Input(_) => PyOSError::new_err(message),
        Failure::NoSuchGame { .. } | Failure::NoSuchVersion { .. } => {
            PyLookupError::new_err(message)
        }
        Failure::Filter(_)
        | Failure::Url { .. }
        | Failure::Rows { .. }
        | Failure::ColumnType { .. } => PyValueError::new_err(message),
        Failure::Stopped => PyKeyboardInterrupt::new_err(()),
        _ => ArchiveError::new_err(message),
    }
}

/// The error of a function over columns.
pub(crate) fn of_function(error: &FunctionError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
