//! Functions with a result for each row.

use halfmove_functions::Function;
use quack_rs::connection::{Connection, Registrar};
use quack_rs::error::ExtensionError;
use quack_rs::scalar::{ScalarFunctionInfo, ScalarFunctionSetBuilder, ScalarOverloadBuilder};
use quack_rs::types::NullHandling;

use super::{extra, keep, types, vectors};
use crate::call;

/// Registers a function with all its overloads, if it has any.
pub(super) fn register(
    connection: &Connection,
    function: &'static Function,
) -> Result<(), ExtensionError> {
    let untyped = || ExtensionError::new(format!("{}: a type that DuckDB lacks", function.name));
    let overloads = call::overloads(function);
    if overloads.is_empty() {
        return Ok(());
    }
    let mut set = ScalarFunctionSetBuilder::new(function.name);
    for arguments in overloads {
        let result = types::logical(&function.result.data_type()).ok_or_else(untyped)?;
        let arguments = types::logicals(&arguments).ok_or_else(untyped)?;
        let overload = ScalarOverloadBuilder::new()
            .returns_logical(result)
            .null_handling(NullHandling::SpecialNullHandling)
            .function(answer);
        let overload = arguments.into_iter().fold(overload, ScalarOverloadBuilder::param_logical);
        // SAFETY: the function lives as long as the program, can be used by all threads, and is not freed.
        set = set.overload(unsafe { overload.extra_info(extra(function), Some(keep)) });
    }
    // SAFETY: the connection is that of the entry point, which is running.
    unsafe { connection.register_scalar_set(set) }
}

quack_rs::scalar_callback!(answer, |info, input, output| {
    // SAFETY: DuckDB passes the arguments of its callback; the extra data is that of `register`. The result has the type that was
    // registered, and as many rows as the chunk.
    unsafe {
        let info = ScalarFunctionInfo::new(info);
        let function: &'static Function = &*info.get_extra_info().cast();
        let answered = vectors::columns(input).map_err(Into::into);
        let answered = answered.and_then(|(columns, rows)| call::rows(function, &columns, rows));
        let written = answered.and_then(|array| Ok(vectors::write(output, &array, 0)?));
        if let Err(error) = written {
            info.set_error(&error.to_string());
        }
    }
});
