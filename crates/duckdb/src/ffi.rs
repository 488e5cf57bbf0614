//! DuckDB's C interface: the entry point, and callbacks that turn its vectors into arrays of Arrow and back. All unsafe code of
//! this crate is in this folder; what the callbacks do is in the safe modules above it.
#![allow(unsafe_code)]

mod aggregate;
mod replacement;
mod scalar;
mod table;
mod types;
mod vectors;

use std::ffi::c_void;

use halfmove_functions::FUNCTIONS;
use quack_rs::connection::Connection;
use quack_rs::error::ExtensionError;

use crate::tables::TABLES;

quack_rs::entry_point_v2!(halfmove_init_c_api, |connection| register(connection));

/// Registers everything. Replacement scans come last: a failed load does not take them back.
fn register(connection: &Connection) -> Result<(), ExtensionError> {
    for function in &FUNCTIONS {
        match function.is_aggregate() {
            true => aggregate::register(connection, function)?,
            false => scalar::register(connection, function)?,
        }
    }
    TABLES.iter().try_for_each(|table| table::register(connection, table))?;
    replacement::register(connection);
    Ok(())
}

/// A value that lives as long as the program, as the data that DuckDB passes to each callback of a function.
fn extra<T: Sync>(value: &'static T) -> *mut c_void {
    std::ptr::from_ref(value).cast_mut().cast()
}

/// Does nothing: such values are not freed.
extern "C" fn keep(_: *mut c_void) {}
