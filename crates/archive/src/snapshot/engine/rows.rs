//! Rows of plain values, all of one schema.

use std::sync::Arc;

use delta_kernel::engine_data::{GetData, ListItem, MapItem, RowVisitor, StringArrayAccessor};
use delta_kernel::expressions::{ArrayData, ColumnName, Scalar};
use delta_kernel::schema::{DataType, MetadataColumnSpec, SchemaRef, StructType};
use delta_kernel::{EngineData, KernelError, KernelResult};

use super::unsupported;

/// A value of a log. Its [`DataType`] is in the schema.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Null,
    Bool(bool),
    /// Integers, days since 1970, and microseconds since 1970.
    Int(i64),
    Float(f64),
    Text(Arc<str>),
    List(Arc<Values>),
    Map(Arc<Entries>),
    /// The values of its fields, in the order of the schema.
    Struct(Row),
}

pub(super) type Row = Arc<[Value]>;

/// Values of one type.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Values(pub(super) Vec<Value>);

/// The keys and the values of a map, in their order.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Entries {
    pub(super) keys: Values,
    pub(super) values: Values,
}

impl Entries {
    /// The value of a key that is text.
    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        let at = self.keys.0.iter().rposition(|found| found.text() == Some(key))?;
        self.values.0.get(at)
    }
}

impl Value {
    pub(super) fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A struct of these values; an error if a field is null that must not be.
    pub(super) fn of_fields(values: Row, schema: &StructType) -> KernelResult<Self> {
        for (value, field) in values.iter().zip(schema.fields()) {
            if value.is_null() && !field.is_nullable() && !field.is_metadata_column() {
                return Err(KernelError::missing_data(format!("{} is null", field.name())));
            }
        }
        Ok(Self::Struct(values))
    }
}

impl TryFrom<&Scalar> for Value {
    type Error = KernelError;

    fn try_from(scalar: &Scalar) -> KernelResult<Self> {
        let all = |scalars: &[Scalar]| -> KernelResult<Vec<Self>> {
            scalars.iter().map(Self::try_from).collect()
        };
        Ok(match scalar {
            Scalar::Null(_) => Self::Null,
            Scalar::Boolean(value) => Self::Bool(*value),
            Scalar::Byte(value) => Self::Int((*value).into()),
            Scalar::Short(value) => Self::Int((*value).into()),
            Scalar::Integer(value) | Scalar::Date(value) => Self::Int((*value).into()),
            Scalar::Long(value) | Scalar::Timestamp(value) | Scalar::TimestampNtz(value) => {
                Self::Int(*value)
            }
            Scalar::Float(value) => Self::Float((*value).into()),
            Scalar::Double(value) => Self::Float(*value),
            Scalar::String(value) => Self::Text(value.as_str().into()),
            Scalar::Struct(data) => Self::Struct(all(data.values())?.into()),
            Scalar::Array(data) => Self::List(Arc::new(Values(all(data.array_elements())?))),
            Scalar::Map(data) => {
                let mut entries = Entries::default();
                for (key, value) in data.pairs() {
                    entries.keys.0.push(key.try_into()?);
                    entries.values.0.push(value.try_into()?);
                }
                Self::Map(Arc::new(entries))
            }
            other => return unsupported(format!("a value of type {}", other.data_type())),
        })
    }
}

/// Rows of a schema.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    pub(super) schema: SchemaRef,
    pub(super) rows: Vec<Row>,
}

impl Rows {
    /// Rows of a file. If the schema has a column for it, each row names the file.
    pub(super) fn of_file(mut rows: Vec<Row>, schema: &SchemaRef, file: &Arc<str>) -> Self {
        if let Some(index) = schema.index_of_metadata_column(&MetadataColumnSpec::FilePath) {
            for row in &mut rows {
                if let Some(value) = Arc::get_mut(row).and_then(|row| row.get_mut(*index)) {
                    *value = Value::Text(Arc::clone(file));
                }
            }
        }
        Self { schema: Arc::clone(schema), rows }
    }

    /// Engine data that this engine created.
    pub(super) fn of(data: &dyn EngineData) -> KernelResult<&Self> {
        data.any_ref().downcast_ref().ok_or_else(|| KernelError::engine_data_type("Rows"))
    }

    /// The type and the place of a column: the index of a field, and of fields in it.
    pub(super) fn place(&self, name: &ColumnName) -> Option<(&DataType, Vec<usize>)> {
        let (first, rest) = name.path().split_first()?;
        let (index, field) = self.schema.field_with_index(first)?;
        let (mut kind, mut place) = (field.data_type(), vec![index]);
        for part in rest {
            let DataType::Struct(fields) = kind else { return None };
            let (index, field) = fields.field_with_index(part)?;
            kind = field.data_type();
            place.push(index);
        }
        Some((kind, place))
    }
}

/// The value of a row at a place; null if a struct on the path is null.
pub(super) fn value_at<'a>(row: &'a Row, place: &[usize]) -> &'a Value {
    let Some((first, rest)) = place.split_first() else { return &Value::Null };
    let mut found = row.get(*first);
    for index in rest {
        found = match found {
            Some(Value::Struct(fields)) => fields.get(*index),
            _ => None,
        };
    }
    found.unwrap_or(&Value::Null)
}

impl EngineData for Rows {
    fn visit_rows(
        &self,
        column_names: &[ColumnName],
        visitor: &mut dyn RowVisitor,
    ) -> KernelResult<()> {
        let types = visitor.selected_column_names_and_types().1;
        if types.len() != column_names.len() {
            return Err(KernelError::missing_column("the visitor has another number of columns"));
        }
        let mut columns = Vec::with_capacity(types.len());
        for (name, expected) in column_names.iter().zip(types) {
            let (found, place) = self
                .place(name)
                .ok_or_else(|| KernelError::missing_column(format!("there is no column {name}")))?;
            let fits = match (found, expected) {
                (DataType::Array(_), DataType::Array(_)) | (DataType::Map(_), DataType::Map(_)) => {
                    true
                }
                (DataType::Primitive(found), DataType::Primitive(expected)) => found == expected,
                _ => false,
            };
            if !fits {
                return Err(KernelError::unexpected_column_type(format!(
                    "the column {name} is of type {found}, expected {expected}"
                )));
            }
            columns.push(Column { rows: &self.rows, place, kind: found });
        }
        let getters: Vec<&dyn GetData<'_>> = columns.iter().map(|column| column as _).collect();
        visitor.visit(self.rows.len(), &getters)
    }

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn append_columns(
        &self,
        schema: SchemaRef,
        columns: Vec<ArrayData>,
    ) -> KernelResult<Box<dyn EngineData>> {
        let fits = columns.len() == schema.num_fields()
            && columns.iter().all(|column| column.array_elements().len() == self.rows.len());
        if !fits {
            return Err(KernelError::generic("columns with another number of rows"));
        }
        let fields = self.schema.fields().chain(schema.fields()).cloned();
        let schema = Arc::new(StructType::try_new(fields)?);
        let mut rows = Vec::with_capacity(self.rows.len());
        for (index, row) in self.rows.iter().enumerate() {
            let more =
                columns.iter().map(|column| Value::try_from(&column.array_elements()[index]));
            rows.push(row.iter().cloned().map(Ok).chain(more).collect::<KernelResult<Row>>()?);
        }
        Ok(Box::new(Self { schema, rows }))
    }

    fn apply_selection_vector(
        mut self: Box<Self>,
        selection_vector: Vec<bool>,
    ) -> KernelResult<Box<dyn EngineData>> {
        if selection_vector.len() > self.rows.len() {
            return Err(KernelError::InvalidSelectionVector(format!(
                "{} > {}",
                selection_vector.len(),
                self.rows.len()
            )));
        }
        let mut selected = selection_vector.into_iter();
        self.rows.retain(|_| selected.next().unwrap_or(true));
        Ok(self)
    }

    fn has_field(&self, name: &ColumnName) -> bool {
        self.place(name).is_some()
    }
}

/// A column of rows, for a visitor.
struct Column<'a> {
    rows: &'a [Row],
    place: Vec<usize>,
    kind: &'a DataType,
}

impl Column<'_> {
    fn wrong<T>(&self, name: &str) -> KernelResult<T> {
        Err(KernelError::unexpected_column_type(format!("the column {name} is {}", self.kind)))
    }

    fn at(&self, row: usize) -> &Value {
        self.rows.get(row).map_or(&Value::Null, |row| value_at(row, &self.place))
    }

    fn int<T: TryFrom<i64>>(&self, row: usize, name: &str) -> KernelResult<Option<T>> {
        match self.at(row) {
            Value::Null => Ok(None),
            Value::Int(value) => T::try_from(*value).map(Some).or_else(|_| self.wrong(name)),
            _ => self.wrong(name),
        }
    }
}

impl<'a> GetData<'a> for Column<'a> {
    fn get_bool(&'a self, row_index: usize, field_name: &str) -> KernelResult<Option<bool>> {
        match self.at(row_index) {
            Value::Null => Ok(None),
            Value::Bool(value) => Ok(Some(*value)),
            _ => self.wrong(field_name),
        }
    }

    fn get_byte(&'a self, row_index: usize, field_name: &str) -> KernelResult<Option<i8>> {
        self.int(row_index, field_name)
    }

    fn get_short(&'a self, row_index: usize, field_name: &str) -> KernelResult<Option<i16>> {
        self.int(row_index, field_name)
    }

    fn get_int(&'a self, row_index: usize, field_name: &str) -> KernelResult<Option<i32>> {
        self.int(row_index, field_name)
    }

    fn get_long(&'a self, row_index: usize, field_name: &str) -> KernelResult<Option<i64>> {
        self.int(row_index, field_name)
    }

    fn get_date(&'a self, row_index: usize, field_name: &str) -> KernelResult<Option<i32>> {
        self.int(row_index, field_name)
    }

    fn get_timestamp(&'a self, row_index: usize, field_name: &str) -> KernelResult<Option<i64>> {
        self.int(row_index, field_name)
    }

    fn get_double(&'a self, row_index: usize, field_name: &str) -> KernelResult<Option<f64>> {
        match self.at(row_index) {
            Value::Null => Ok(None),
            Value::Float(value) => Ok(Some(*value)),
            _ => self.wrong(field_name),
        }
    }

    fn get_str(&'a self, row_index: usize, field_name: &str) -> KernelResult<Option<&'a str>> {
        match self.at(row_index) {
            Value::Null => Ok(None),
            Value::Text(value) => Ok(Some(value)),
            _ => self.wrong(field_name),
        }
    }

    fn get_list(
        &'a self,
        row_index: usize,
        field_name: &str,
    ) -> KernelResult<Option<ListItem<'a>>> {
        match self.at(row_index) {
            Value::Null => Ok(None),
            Value::List(values) => Ok(Some(ListItem::new(&**values, 0..values.len()))),
            _ => self.wrong(field_name),
        }
    }

    fn get_map(&'a self, row_index: usize, field_name: &str) -> KernelResult<Option<MapItem<'a>>> {
        match self.at(row_index) {
            Value::Null => Ok(None),
            Value::Map(entries) => {
                let range = 0..entries.keys.len();
                Ok(Some(MapItem::new(&entries.keys, &entries.values, range)))
            }
            _ => self.wrong(field_name),
        }
    }
}

/// The texts of a list or a map.
impl StringArrayAccessor for Values {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn value(&self, index: usize) -> &str {
        self.0.get(index).and_then(Value::text).unwrap_or_default()
    }

    fn is_valid(&self, index: usize) -> bool {
        self.0.get(index).is_some_and(|value| !value.is_null())
    }
}
