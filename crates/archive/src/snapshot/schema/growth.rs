//! Archives of this format with fewer columns, or more.
//!
//! A later version of this library may add nullable columns without changing the format. So a table, or one of its
//! files, may lack known columns, and may have unknown ones:
//!
//! | | result |
//! |---|---|
//! | a nullable column is missing | it is null |
//! | another column is missing, or has another type | an error |
//! | a column has its earlier name | it is missing; queries in SQL read it under its present name |
//! | there is an unknown column | it is not read; files that have it are not rewritten, because it would be lost |

use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, ListArray, RecordBatch, RecordBatchOptions, StructArray, new_null_array,
};
use arrow_schema::{DataType, Field, Schema};
use delta_kernel::schema::StructType;
use serde_json::Value;

use super::{
    COLUMNS, Column, ColumnType, EARLIER_NAMES, delta_field, file_schema, tag_element, tag_fields,
};
use crate::error::ArchiveError;

/// The differences between the columns of a table and those of this version.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Columns that it lacks; all of them may be null.
    pub(crate) missing: Vec<&'static Column>,
    /// Unknown columns.
    pub(crate) unknown: Vec<String>,
    /// The first of those that are not nullable: files of ours cannot be added.
    pub(crate) required: Option<String>,
}

impl Shape {
    /// Compares the columns of a table with those of this version.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Damaged`] if it lacks a column that is not nullable, or has another type in one.
    pub(crate) fn of(table: &StructType) -> Result<Self, ArchiveError> {
        let mut shape = Self::default();
        for column in COLUMNS {
            let expected = delta_field(column)?;
            match table.field(column.name) {
                None if column.nullable => shape.missing.push(column),
                None => {
                    let what = format!("the table has no column {}", column.name);
                    return Err(ArchiveError::Damaged(what));
                }
                // Other writers may name the elements of a list differently.
                Some(found)
                    if column.kind != ColumnType::Tags
                        && found.data_type() != expected.data_type() =>
                {
                    return Err(ArchiveError::damaged(format!(
                        "the column {} of the table is of type {}, expected {}",
                        column.name,
                        found.data_type(),
                        expected.data_type()
                    )));
                }
                Some(_) => {}
            }
        }
        let is_earlier = |name: &str| EARLIER_NAMES.iter().any(|(earlier, _)| *earlier == name);
        let is_ours = |name: &str| COLUMNS.iter().any(|column| column.name == name);
        let unknown =
            table.fields().filter(|field| !is_ours(field.name()) && !is_earlier(field.name()));
        for field in unknown {
            if !field.is_nullable() {
                shape.required.get_or_insert_with(|| field.name().clone());
            }
            shape.unknown.push(field.name().clone());
        }
        Ok(shape)
    }
}

/// Rejects a file that lacks a column which is not nullable.
pub(crate) fn check_file_columns(path: &Path, file: &Schema) -> Result<(), ArchiveError> {
    let required = COLUMNS.iter().filter(|column| !column.nullable);
    for column in required {
        if file.column_with_name(column.name).is_none() {
            let what = format!("{}: the file has no column {}", path.display(), column.name);
            return Err(ArchiveError::Damaged(what));
        }
    }
    Ok(())
}

/// A column of a file in our type. Other writers may name the elements of a list differently.
///
/// # Errors
///
/// [`ArchiveError::Damaged`] if it has another type.
pub(crate) fn fitting(column: &ArrayRef, field: &Field) -> Result<ArrayRef, ArchiveError> {
    let (found, ours) = (column.data_type(), field.data_type());
    let wrong = || {
        let what = format!("the column {} is of type {found}, expected {ours}", field.name());
        ArchiveError::Damaged(what)
    };
    match (found, ours) {
        _ if found == ours => Ok(Arc::clone(column)),
        (DataType::List(_), DataType::List(_)) => tags(column).ok_or_else(wrong),
        _ => Err(wrong()),
    }
}

/// Lists of two texts as our lists of tags, whatever the names of their fields.
fn tags(column: &ArrayRef) -> Option<ArrayRef> {
    let lists: &ListArray = column.as_list_opt()?;
    let [names, values] = lists.values().as_struct_opt()?.columns() else { return None };
    let parts = vec![Arc::clone(names), Arc::clone(values)];
    let tags = StructArray::try_new(tag_fields(), parts, None).ok()?;
    let (offsets, nulls) = (lists.offsets().clone(), lists.nulls().cloned());
    let lists = ListArray::try_new(Arc::new(tag_element()), offsets, Arc::new(tags), nulls);
    Some(Arc::new(lists.ok()?))
}

/// Some columns of a batch of a file, by their names, in our types; those that the file lacks are null.
///
/// # Errors
///
/// [`ArchiveError::Damaged`] for an unknown column name, for a column that is not nullable and missing, and
/// for one that has another type.
pub(crate) fn conform(batch: &RecordBatch, names: &[&str]) -> Result<RecordBatch, ArchiveError> {
    let ours = file_schema();
    let (mut fields, mut columns): (Vec<Arc<Field>>, Vec<ArrayRef>) = Default::default();
    for name in names {
        let missing = || ArchiveError::damaged(format!("there is no column {name}"));
        let (_, field) = ours.column_with_name(name).ok_or_else(missing)?;
        columns.push(match batch.column_by_name(name) {
            Some(column) => fitting(column, field)?,
            None if field.is_nullable() => new_null_array(field.data_type(), batch.num_rows()),
            None => return Err(missing()),
        });
        // The reader of a game reports which of its values is missing.
        fields.push(Arc::new(field.clone().with_nullable(true)));
    }
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    let schema = Arc::new(Schema::new(fields));
    Ok(RecordBatch::try_new_with_options(schema, columns, &options)?)
}

/// Returns true if files of an older schema can be read with a newer one: it has the same columns, and possibly more,
/// which are nullable.
pub(crate) fn fits(old: &Value, new: &Value) -> bool {
    let fields = |schema: &Value| schema.get("fields").and_then(Value::as_array).cloned();
    let (Some(old), Some(new)) = (fields(old), fields(new)) else { return false };
    let is_nullable = |field: &Value| field.get("nullable") == Some(&Value::Bool(true));
    old.iter().all(|field| new.contains(field))
        && new.iter().all(|field| old.contains(field) || is_nullable(field))
}
