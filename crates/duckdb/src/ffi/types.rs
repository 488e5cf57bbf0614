//! Types of Arrow as types of DuckDB.

use arrow_schema::{DataType, TimeUnit};
use quack_rs::types::{LogicalType, TypeId};

/// The type in DuckDB; `None` for types that no column, argument or result of ours has.
pub(super) fn logical(kind: &DataType) -> Option<LogicalType> {
    let id = match kind {
        DataType::Boolean => TypeId::Boolean,
        DataType::Int32 => TypeId::Integer,
        DataType::Int64 => TypeId::BigInt,
        DataType::UInt64 => TypeId::UBigInt,
        DataType::Float64 => TypeId::Double,
        DataType::Date32 => TypeId::Date,
        DataType::Timestamp(TimeUnit::Microsecond, None) => TypeId::Timestamp,
        DataType::Timestamp(TimeUnit::Microsecond, Some(_)) => TypeId::TimestampTz,
        DataType::Utf8 | DataType::Utf8View => TypeId::Varchar,
        DataType::Binary | DataType::BinaryView => TypeId::Blob,
        DataType::List(element) => {
            return Some(LogicalType::list_from_logical(&logical(element.data_type())?));
        }
        DataType::Struct(fields) => {
            let fields =
                fields.iter().map(|it| Some((it.name().as_str(), logical(it.data_type())?)));
            return Some(LogicalType::struct_type_from_logical(
                &fields.collect::<Option<Vec<_>>>()?,
            ));
        }
        _ => return None,
    };
    Some(LogicalType::new(id))
}

/// The types in DuckDB.
pub(super) fn logicals(kinds: &[DataType]) -> Option<Vec<LogicalType>> {
    kinds.iter().map(logical).collect()
}
