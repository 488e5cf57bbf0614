//! Functions with a result for a group of rows.

use std::collections::HashMap;

use halfmove_functions::{Function, FunctionError};
use libduckdb_sys::duckdb_aggregate_state;
use quack_rs::aggregate::{
    AggregateFunctionInfo, AggregateFunctionSetBuilder, AggregateOverloadBuilder, AggregateState,
    FfiState,
};
use quack_rs::connection::{Connection, Registrar};
use quack_rs::error::ExtensionError;
use quack_rs::types::NullHandling;

use super::{extra, keep, types, vectors};
use crate::call::{self, Group};

impl AggregateState for Group {}

/// Registers an aggregate with all its overloads.
pub(super) fn register(
    connection: &Connection,
    function: &'static Function,
) -> Result<(), ExtensionError> {
    let untyped = || ExtensionError::new(format!("{}: a type that DuckDB lacks", function.name));
    let result = types::logical(&function.result.data_type()).ok_or_else(untyped)?;
    let mut set = AggregateFunctionSetBuilder::new(function.name).returns_logical(result);
    for arguments in call::overloads(function) {
        let arguments = types::logicals(&arguments).ok_or_else(untyped)?;
        let overload = AggregateOverloadBuilder::new()
            .ffi_state::<Group>()
            .update(update)
            .combine(combine)
            .finalize(finish)
            .null_handling(NullHandling::SpecialNullHandling);
        let overload =
            arguments.into_iter().fold(overload, AggregateOverloadBuilder::param_logical);
        // SAFETY: the function lives as long as the program, can be used by all threads, and is not freed.
        set = set.overload(unsafe { overload.extra_info(extra(function), Some(keep)) });
    }
    // SAFETY: the connection is that of the entry point, which is running; all callbacks take states of the same type.
    unsafe { connection.register_aggregate_set(set) }
}

/// The function of a callback.
///
/// # Safety
///
/// The callback is one of those above.
unsafe fn function_of(info: &AggregateFunctionInfo) -> &'static Function {
    // SAFETY: the extra data is that of `register`.
    unsafe { &*info.get_extra_info().cast() }
}

/// The pointers to some states.
///
/// # Safety
///
/// There are as many, and they outlive the result.
unsafe fn states<'a>(
    states: *mut duckdb_aggregate_state,
    count: usize,
) -> &'a [duckdb_aggregate_state] {
    match count {
        0 => &[],
        // SAFETY: the caller's.
        count => unsafe { std::slice::from_raw_parts(states, count) },
    }
}

quack_rs::aggregate_update_callback!(update, |info, input, states| {
    // SAFETY: DuckDB passes the arguments of its callback, with a state for each row of the chunk.
    unsafe {
        let info = AggregateFunctionInfo::new(info);
        let function = function_of(&info);
        let updated = vectors::columns(input).map_err(FunctionError::from);
        let updated = updated.and_then(|(columns, rows)| {
            let states = self::states(states, rows);
            let Some(first) = states.first() else { return Ok(()) };
            if states.iter().all(|state| state == first) {
                let group = FfiState::<Group>::with_state_mut(*first);
                return group.map_or(Ok(()), |group| group.add(function, &columns, rows));
            }
            let mut groups: HashMap<duckdb_aggregate_state, Vec<u32>> = HashMap::new();
            for (row, state) in (0..).zip(states) {
                groups.entry(*state).or_default().push(row);
            }
            groups.into_iter().try_for_each(|(state, rows)| {
                let group = FfiState::<Group>::with_state_mut(state);
                group.map_or(Ok(()), |group| group.add_some(function, &columns, rows))
            })
        });
        if let Err(error) = updated {
            info.set_error(&error.to_string());
        }
    }
});

quack_rs::aggregate_combine_callback!(combine, |info, source, target, count| {
    // SAFETY: DuckDB passes the arguments of its callback, with this number of states in each of both arrays. No state of one is
    // also in the other.
    unsafe {
        let info = AggregateFunctionInfo::new(info);
        let function = function_of(&info);
        let count = usize::try_from(count).unwrap_or(0);
        let pairs = states(source, count).iter().zip(states(target, count));
        let mut pairs = pairs.filter_map(|(source, target)| {
            let source = FfiState::<Group>::with_state(*source)?;
            Some((source, FfiState::<Group>::with_state_mut(*target)?))
        });
        if let Err(error) = pairs.try_for_each(|(source, target)| target.merge(function, source)) {
            info.set_error(&error.to_string());
        }
    }
});

quack_rs::aggregate_finalize_callback!(finish, |info, source, result, count, offset| {
    // SAFETY: DuckDB passes the arguments of its callback: this number of states, and a vector of the type that was registered with
    // room for their results from `offset`.
    unsafe {
        let info = AggregateFunctionInfo::new(info);
        let function = function_of(&info);
        let count = usize::try_from(count).unwrap_or(0);
        if count == 0 {
            return;
        }
        let groups = states(source, count);
        let groups = groups.iter().filter_map(|state| FfiState::<Group>::with_state(*state));
        let at = usize::try_from(offset).unwrap_or(usize::MAX);
        let written = call::results(function, groups)
            .and_then(|results| Ok(vectors::write(result, &results, at)?));
        if let Err(error) = written {
            info.set_error(&error.to_string());
        }
    }
});
