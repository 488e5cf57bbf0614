//! Entries of the log: one JSON object per line.

use std::fmt;
use std::fs;
use std::io::{Read, Write};
use std::sync::Arc;

use chrono::DateTime;
use delta_kernel::schema::{DataType, PrimitiveType, SchemaRef, StructType};
use delta_kernel::{
    EngineData, FileDataReadResultIterator, FileMeta, FileSize, FilteredEngineData, JsonHandler,
    KernelError, KernelResult, KernelResultIterator, PredicateRef,
};
use serde_core::de::{
    DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde_json::{Map, Value as Json};
use url::Url;

use super::rows::{Entries, Row, Rows, Value, Values};
use super::{open, path_of};

/// The number of lines read at a time.
const LINES: usize = 1024;

#[derive(Debug)]
pub(super) struct JsonLines;

impl JsonHandler for JsonLines {
    fn parse_json(
        &self,
        json_strings: Box<dyn EngineData>,
        output_schema: SchemaRef,
    ) -> KernelResult<Box<dyn EngineData>> {
        let texts = &Rows::of(&*json_strings)?.rows;
        let rows = texts.iter().map(|row| match row.first().and_then(Value::text) {
            Some(text) => parse_row(text.as_bytes(), &output_schema),
            None => Ok(std::iter::repeat_n(Value::Null, output_schema.num_fields()).collect()),
        });
        let rows = rows.collect::<KernelResult<Vec<_>>>()?;
        Ok(Box::new(Rows { schema: output_schema, rows }))
    }

    fn read_json_files(
        &self,
        files: &[FileMeta],
        physical_schema: SchemaRef,
        _predicate: Option<PredicateRef>,
    ) -> KernelResult<FileDataReadResultIterator> {
        let files = files.to_vec();
        Ok(Box::new(files.into_iter().flat_map(move |file| Lines::open(&file, &physical_schema))))
    }

    fn write_json_file(
        &self,
        path: &Url,
        data: KernelResultIterator<'_, FilteredEngineData>,
        overwrite: bool,
    ) -> KernelResult<FileSize> {
        let mut text = Vec::new();
        for batch in data {
            let batch = batch?.apply_selection_vector()?;
            let Rows { schema, rows } = Rows::of(&*batch)?;
            for row in rows {
                write_struct(row, schema, &mut text)?;
                text.push(b'\n');
            }
        }
        let path = path_of(path)?;
        if overwrite {
            fs::write(&path, &text)?;
        } else {
            let file = fs::File::create_new(&path).map_err(|error| match error.kind() {
                std::io::ErrorKind::AlreadyExists => {
                    KernelError::FileAlreadyExists(path.display().to_string())
                }
                _ => error.into(),
            });
            file?.write_all(&text)?;
        }
        Ok(text.len() as FileSize)
    }
}

/// The rows of engine data as JSON objects, without nulls.
pub(crate) fn objects(data: &dyn EngineData) -> KernelResult<Vec<Map<String, Json>>> {
    let Rows { schema, rows } = Rows::of(data)?;
    let objects = rows.iter().map(|row| {
        let mut text = Vec::new();
        write_struct(row, schema, &mut text)?;
        Ok(serde_json::from_slice(&text)?)
    });
    objects.collect()
}

/// The lines of a file, several at a time. The first error is the last item.
struct Lines {
    /// `None` after the end.
    text: Option<Vec<u8>>,
    at: usize,
    schema: SchemaRef,
    /// The URL of the file.
    name: Arc<str>,
    error: Option<KernelError>,
}

impl Lines {
    fn open(file: &FileMeta, schema: &SchemaRef) -> Self {
        let mut text = Vec::new();
        let read =
            path_of(&file.location).and_then(|path| Ok(open(&path)?.read_to_end(&mut text)?));
        let (schema, name) = (Arc::clone(schema), file.location.as_str().into());
        Self { text: Some(text), at: 0, schema, name, error: read.err() }
    }
}

impl Iterator for Lines {
    type Item = KernelResult<Box<dyn EngineData>>;

    fn next(&mut self) -> Option<Self::Item> {
        let text = self.text.take()?;
        if let Some(error) = self.error.take() {
            return Some(Err(error));
        }
        let mut rows = Vec::new();
        while rows.len() < LINES && self.at < text.len() {
            let rest = &text[self.at..];
            let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            self.at += length + 1;
            let line = rest[..length].trim_ascii();
            if line.is_empty() {
                continue;
            }
            match parse_row(line, &self.schema) {
                Ok(row) => rows.push(row),
                Err(error) => return Some(Err(error)),
            }
        }
        if rows.is_empty() {
            return None;
        }
        self.text = Some(text);
        Some(Ok(Box::new(Rows::of_file(rows, &self.schema, &self.name))))
    }
}

fn parse_row(text: &[u8], schema: &StructType) -> KernelResult<Row> {
    match parse(text, schema)? {
        Value::Struct(row) => Ok(row),
        _ => Err(KernelError::generic("a line of the log is not a JSON object")),
    }
}

/// Parses a JSON object as a struct. Fields that the struct does not have are skipped.
pub(super) fn parse(text: &[u8], schema: &StructType) -> KernelResult<Value> {
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let value = StructSeed(schema).deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// Reads a JSON value as a value of a type.
struct Seed<'a>(&'a DataType);

/// Reads a JSON value as a struct.
struct StructSeed<'a>(&'a StructType);

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> DeserializeSeed<'de> for StructSeed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for StructSeed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Value, A::Error> {
        let mut row: Row = std::iter::repeat_n(Value::Null, self.0.num_fields()).collect();
        let values = Arc::get_mut(&mut row).unwrap_or_default();
        while let Some(name) = object.next_key_seed(Name(self.0))? {
            match name {
                Some((index, kind)) => values[index] = object.next_value_seed(Seed(kind))?,
                None => {
                    object.next_value::<IgnoredAny>()?;
                }
            }
        }
        Value::of_fields(row, self.0).map_err(Error::custom)
    }
}

/// Reads the name of a field; `None` if the struct does not have it.
struct Name<'a>(&'a StructType);

impl<'de, 'a> DeserializeSeed<'de> for Name<'a> {
    type Value = Option<(usize, &'a DataType)>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'a> Visitor<'_> for Name<'a> {
    type Value = Option<(usize, &'a DataType)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.field_with_index(name).map(|(index, field)| (index, field.data_type())))
    }
}

impl Seed<'_> {
    /// The type, if it is not that of a nested value.
    fn primitive<E: Error>(&self, found: &dyn fmt::Display) -> Result<&PrimitiveType, E> {
        match self.0 {
            DataType::Primitive(kind) => Ok(kind),
            kind => Err(E::custom(format!("expected {kind}, found {found}"))),
        }
    }

    fn int<E: Error>(self, value: i64) -> Result<Value, E> {
        let limit = match self.primitive(&value)? {
            PrimitiveType::Long => i64::MAX,
            PrimitiveType::Integer => i32::MAX.into(),
            PrimitiveType::Short => i16::MAX.into(),
            PrimitiveType::Byte => i8::MAX.into(),
            PrimitiveType::Float | PrimitiveType::Double => return Ok(Value::Float(value as f64)),
            // Like the kernel's own engine.
            PrimitiveType::String => return Ok(Value::Text(value.to_string().into())),
            kind => return Err(E::custom(format!("expected {kind}, found {value}"))),
        };
        match (-limit - 1..=limit).contains(&value) {
            true => Ok(Value::Int(value)),
            false => Err(E::custom(format!("expected {}, found {value}", self.0))),
        }
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a value of type {}", self.0)
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        match self.primitive(&value)? {
            PrimitiveType::Boolean => Ok(Value::Bool(value)),
            PrimitiveType::String => Ok(Value::Text(value.to_string().into())),
            kind => Err(E::custom(format!("expected {kind}, found {value}"))),
        }
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        self.int(value)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        match i64::try_from(value) {
            Ok(value) => self.int(value),
            Err(_) => self.visit_f64(value as f64),
        }
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        match self.primitive(&value)? {
            PrimitiveType::Float | PrimitiveType::Double => Ok(Value::Float(value)),
            PrimitiveType::String => Ok(Value::Text(value.to_string().into())),
            // Another writer may write 3 as 3.0. Up to 2^53, nothing is lost.
            _ if value.fract() == 0.0 && value.abs() <= (1_u64 << 53) as f64 => {
                self.int(value as i64)
            }
            kind => Err(E::custom(format!("expected {kind}, found {value}"))),
        }
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        let kind = self.primitive(&"text")?;
        match kind {
            PrimitiveType::String => Ok(Value::Text(text.into())),
            // These occur only in statistics. A bound that cannot be parsed is unknown.
            PrimitiveType::Date | PrimitiveType::Timestamp => Ok(kind
                .parse_scalar(text)
                .and_then(|it| Value::try_from(&it))
                .unwrap_or(Value::Null)),
            PrimitiveType::TimestampNtz => {
                let parsed = kind.parse_scalar(&text.replacen('T', " ", 1));
                Ok(parsed.and_then(|it| Value::try_from(&it)).unwrap_or(Value::Null))
            }
            kind => Err(E::custom(format!("expected {kind}, found text"))),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let DataType::Array(kind) = self.0 else {
            return Err(Error::custom(format!("expected {}, found a list", self.0)));
        };
        let mut values = Vec::new();
        while let Some(value) = list.next_element_seed(Seed(kind.element_type()))? {
            if value.is_null() && !kind.contains_null() {
                return Err(Error::custom("null in a list"));
            }
            values.push(value);
        }
        Ok(Value::List(Arc::new(Values(values))))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Value, A::Error> {
        let kind = match self.0 {
            DataType::Struct(schema) => return StructSeed(schema).visit_map(object),
            DataType::Map(kind) => kind,
            kind => return Err(Error::custom(format!("expected {kind}, found an object"))),
        };
        let mut entries = Entries::default();
        while let Some(key) = object.next_key_seed(Seed(kind.key_type()))? {
            let value = object.next_value_seed(Seed(kind.value_type()))?;
            if value.is_null() && !kind.value_contains_null() {
                return Err(Error::custom("null in a map"));
            }
            entries.keys.0.push(key);
            entries.values.0.push(value);
        }
        Ok(Value::Map(Arc::new(entries)))
    }
}

/// Writes a struct as an object, without the fields that are null.
pub(super) fn write_struct(row: &Row, schema: &StructType, out: &mut Vec<u8>) -> KernelResult<()> {
    out.push(b'{');
    let start = out.len();
    for (value, field) in row.iter().zip(schema.fields()).filter(|(value, _)| !value.is_null()) {
        separate(out, start);
        serde_json::to_writer(&mut *out, field.name())?;
        out.push(b':');
        write(value, field.data_type(), out)?;
    }
    out.push(b'}');
    Ok(())
}

/// Writes a comma, unless this is the first item.
fn separate(out: &mut Vec<u8>, start: usize) {
    if out.len() > start {
        out.push(b',');
    }
}

fn write(value: &Value, kind: &DataType, out: &mut Vec<u8>) -> KernelResult<()> {
    match (value, kind) {
        (Value::Null, _) => out.extend(b"null"),
        (Value::Bool(value), _) => write!(out, "{value}")?,
        (Value::Int(days), &DataType::DATE) => {
            let date = days.checked_mul(86_400).and_then(|at| DateTime::from_timestamp(at, 0));
            write_time(date, "%Y-%m-%d", out)?;
        }
        (Value::Int(at), &DataType::TIMESTAMP) => {
            write_time(DateTime::from_timestamp_micros(*at), "%Y-%m-%dT%H:%M:%S%.3fZ", out)?;
        }
        (Value::Int(at), &DataType::TIMESTAMP_NTZ) => {
            write_time(DateTime::from_timestamp_micros(*at), "%Y-%m-%dT%H:%M:%S%.3f", out)?;
        }
        (Value::Int(value), _) => write!(out, "{value}")?,
        (Value::Float(value), _) => serde_json::to_writer(out, value)?,
        (Value::Text(text), _) => serde_json::to_writer(out, &**text)?,
        (Value::List(values), DataType::Array(kind)) => {
            out.push(b'[');
            let start = out.len();
            for value in &values.0 {
                separate(out, start);
                write(value, kind.element_type(), out)?;
            }
            out.push(b']');
        }
        (Value::Map(entries), DataType::Map(kind)) => {
            out.push(b'{');
            let start = out.len();
            for (key, value) in entries.keys.0.iter().zip(&entries.values.0) {
                separate(out, start);
                write(key, kind.key_type(), out)?;
                out.push(b':');
                write(value, kind.value_type(), out)?;
            }
            out.push(b'}');
        }
        (Value::Struct(row), DataType::Struct(schema)) => write_struct(row, schema, out)?,
        (_, kind) => {
            return Err(KernelError::internal_error(format!("a value that is not {kind}")));
        }
    }
    Ok(())
}

fn write_time(
    time: Option<DateTime<chrono::Utc>>,
    format: &str,
    out: &mut Vec<u8>,
) -> KernelResult<()> {
    match time {
        Some(time) => write!(out, "\"{}\"", time.format(format))?,
        None => out.extend(b"null"),
    }
    Ok(())
}
