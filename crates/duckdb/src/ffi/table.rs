//! Table functions: rows of an archive, in the columns that a query asks for.

use std::sync::{Mutex, PoisonError};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use libduckdb_sys::duckdb_data_chunk;
use quack_rs::connection::{Connection, Registrar};
use quack_rs::data_chunk::DataChunk;
use quack_rs::error::ExtensionError;
use quack_rs::table::{
    BindInfo, FfiBindData, FfiInitData, FfiLocalInitData, FunctionInfo, InitInfo,
    TableFunctionBuilder,
};
use quack_rs::types::TypeId;

use super::{extra, keep, types, vectors};
use crate::tables::{Rows, Source, Table, threads};

/// Registers a table function.
pub(super) fn register(
    connection: &Connection,
    table: &'static Table,
) -> Result<(), ExtensionError> {
    let mut builder = TableFunctionBuilder::new(table.name)
        .param(TypeId::Varchar)
        .projection_pushdown(true)
        .bind(bind)
        .init(init)
        .local_init(init_thread)
        .scan(scan);
    for name in (table.parameters)() {
        builder = builder.named_param(name, TypeId::Varchar);
    }
    // SAFETY: the table lives as long as the program, can be used by all threads, and is not freed. The connection is that of the
    // entry point, which is running.
    unsafe { connection.register_table(builder.extra_info(extra(table), keep)) }
}

/// A bound call.
struct Bound {
    source: Box<dyn Source>,
    schema: SchemaRef,
}

quack_rs::table_bind_callback!(bind, |info| {
    // SAFETY: DuckDB passes the argument of its callback; the extra data is that of `register`.
    unsafe {
        let raw = info;
        let info = BindInfo::new(raw);
        let table: &'static Table = &*info.get_extra_info().cast();
        let path = info.get_parameter_value(0);
        let path = (!path.is_sql_null()).then(|| path.as_str().ok()).flatten();
        let given = |name: &str| {
            let value = info.get_named_parameter_value(name);
            (!value.is_null() && !value.is_sql_null()).then(|| value.as_str().ok()).flatten()
        };
        let bound = table.bind(path.as_deref(), &given).and_then(|source| {
            let schema = source.schema();
            for field in schema.fields() {
                let kind = types::logical(field.data_type())
                    .ok_or_else(|| format!("the column {} has no type in DuckDB", field.name()))?;
                info.add_result_column_with_type(field.name(), &kind);
            }
            Ok(Bound { source, schema })
        });
        match bound {
            Ok(bound) => FfiBindData::set(raw, bound),
            Err(error) => info.set_error(&error),
        }
    }
});

/// A call that is running.
struct Running {
    rows: Mutex<Rows>,
    /// For each column of a chunk, that of the batches; none if only the number of rows matters.
    places: Vec<Option<usize>>,
}

quack_rs::table_init_callback!(init, |info| {
    // SAFETY: DuckDB passes the argument of its callback; the data is that of `bind`.
    unsafe {
        let raw = info;
        let info = InitInfo::new(raw);
        let Some(bound) = FfiBindData::<Bound>::get_from_init(raw) else {
            return info.set_error("the call is not bound");
        };
        let fields = bound.schema.fields();
        let (mut columns, mut places) = (Vec::new(), Vec::new());
        for column in 0..info.projected_column_count() {
            let field = info.projected_column_index(column).and_then(|index| fields.get(index));
            places.push(field.map(|field| {
                let known = columns.iter().position(|name| name == field.name());
                known.unwrap_or_else(|| {
                    columns.push(field.name().as_str());
                    columns.len() - 1
                })
            }));
        }
        if columns.is_empty() {
            columns.push(fields[0].name());
        }
        match bound.source.open(&columns) {
            Ok(rows) => {
                info.set_max_threads(threads());
                FfiInitData::set(raw, Running { rows: Mutex::new(rows), places });
            }
            Err(error) => info.set_error(&error),
        }
    }
});

/// The rest of the batch that a thread works on.
#[derive(Default)]
struct Rest(Option<RecordBatch>);

quack_rs::table_init_callback!(init_thread, |info| {
    // SAFETY: DuckDB passes the argument of its callback.
    unsafe { FfiLocalInitData::set(info, Rest::default()) }
});

quack_rs::table_scan_callback!(scan, |info, output| {
    // SAFETY: DuckDB passes the arguments of its callback; the data is that of `init` and, of this thread alone, of `init_thread`.
    unsafe {
        let raw = info;
        let info = FunctionInfo::new(raw);
        let running = FfiInitData::<Running>::get(raw);
        let rest = FfiLocalInitData::<Rest>::get_mut(raw);
        let filled = match (running, rest) {
            (Some(running), Some(rest)) => fill(output, running, rest),
            _ => Err("the call is not bound".to_owned()),
        };
        if let Err(error) = filled {
            info.set_error(&error);
            DataChunk::from_raw(output).set_size(0);
        }
    }
});

/// Fills a chunk with the next rows; it stays empty at the end.
///
/// # Safety
///
/// The chunk is that of a scan, with the columns of `running`.
unsafe fn fill(
    output: duckdb_data_chunk,
    running: &Running,
    rest: &mut Rest,
) -> Result<(), String> {
    // SAFETY: the caller's.
    let chunk = unsafe { DataChunk::from_raw(output) };
    if rest.0.is_none() {
        let mut rows = running.rows.lock().unwrap_or_else(PoisonError::into_inner);
        rest.0 =
            rows.find(|batch| !batch.as_ref().is_ok_and(|it| it.num_rows() == 0)).transpose()?;
    }
    let most = usize::try_from(quack_rs::vector::vector_size()).unwrap_or(usize::MAX);
    let Some(batch) = rest.0.take() else {
        // SAFETY: an empty chunk is always possible.
        unsafe { chunk.set_size(0) };
        return Ok(());
    };
    let count = batch.num_rows().min(most);
    for (column, place) in running.places.iter().enumerate() {
        let Some(place) = place else { continue };
        let array = batch.column(*place).slice(0, count);
        // SAFETY: the column is one of the chunk's, has the type that was bound, and room for as many rows as a chunk has.
        let written = unsafe { vectors::write(chunk.vector(column), &array, 0) };
        written.map_err(|error| error.to_string())?;
    }
    if count < batch.num_rows() {
        rest.0 = Some(batch.slice(count, batch.num_rows() - count));
    }
    // SAFETY: this number of rows was written to each column.
    unsafe { chunk.set_size(count) };
    Ok(())
}
