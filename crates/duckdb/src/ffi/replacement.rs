//! Archives by their names: `from 'club'`.

use std::ffi::CStr;

use quack_rs::connection::Connection;
use quack_rs::replacement_scan::ReplacementScanInfo;

use crate::tables::{GAMES, is_archive};

/// Has DuckDB ask about tables that it does not know.
pub(super) fn register(connection: &Connection) {
    // SAFETY: the connection is that of the entry point, which is running; the callback takes no data.
    unsafe { connection.register_replacement_scan(replace, std::ptr::null_mut(), None) };
}

quack_rs::replacement_scan_callback!(replace, |info, table_name, data| {
    let _ = data;
    // SAFETY: DuckDB passes the arguments of its callback; the name is a C string.
    let (info, name) =
        unsafe { (ReplacementScanInfo::new(info), CStr::from_ptr(table_name).to_str()) };
    if let Ok(name) = name
        && is_archive(name)
    {
        info.set_function(GAMES.name).add_varchar_parameter(name);
    }
});
