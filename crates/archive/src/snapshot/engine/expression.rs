//! Expressions over rows, by which the kernel turns rows of one schema into those of another.
//!
//! Each is evaluated for all rows at once, into a column. Queries are not evaluated here, so there are no comparisons
//! and no arithmetic.

use std::collections::HashMap;
use std::sync::Arc;

use delta_kernel::expressions::{
    Expression, ExpressionFieldPatch, ExpressionRef, ExpressionStructPatch, JunctionPredicateOp,
    Predicate, PredicateRef, Scalar, UnaryExpressionOp, UnaryPredicateOp, VariadicExpressionOp,
};
use delta_kernel::schema::{DataType, SchemaRef, StructField, StructType};
use delta_kernel::{
    EngineData, EvaluationHandler, ExpressionEvaluator, KernelError, KernelResult,
    PredicateEvaluator,
};

use super::json::{parse, write_struct};
use super::rows::{Row, Rows, Value, value_at};
use super::unsupported;

#[derive(Debug)]
pub(super) struct Evaluation;

impl EvaluationHandler for Evaluation {
    fn new_expression_evaluator(
        &self,
        _input_schema: SchemaRef,
        expression: ExpressionRef,
        output_type: DataType,
    ) -> KernelResult<Arc<dyn ExpressionEvaluator>> {
        Ok(Arc::new(Evaluator { expression, output_type }))
    }

    fn new_predicate_evaluator(
        &self,
        _input_schema: SchemaRef,
        predicate: PredicateRef,
    ) -> KernelResult<Arc<dyn PredicateEvaluator>> {
        let expression = Arc::new(Expression::from_pred(Predicate::clone(&predicate)));
        Ok(Arc::new(Evaluator { expression, output_type: DataType::BOOLEAN }))
    }

    fn create_many(
        &self,
        schema: SchemaRef,
        rows: Vec<Vec<Scalar>>,
    ) -> KernelResult<Box<dyn EngineData>> {
        let rows = rows.iter().map(|row| {
            let types = row.iter().zip(schema.fields());
            let fits = row.len() == schema.num_fields()
                && types
                    .into_iter()
                    .all(|(scalar, field)| fits(&scalar.data_type(), field.data_type()));
            if !fits {
                return Err(KernelError::generic(format!("a row that does not fit {schema}")));
            }
            row.iter().map(Value::try_from).collect()
        });
        let rows = rows.collect::<KernelResult<Vec<Row>>>()?;
        Ok(Box::new(Rows { schema, rows }))
    }
}

#[derive(Debug)]
struct Evaluator {
    expression: ExpressionRef,
    output_type: DataType,
}

impl Evaluator {
    fn rows(&self, data: &dyn EngineData) -> KernelResult<Box<dyn EngineData>> {
        let rows = Rows::of(data)?;
        let (column, found) = evaluate(&self.expression, rows, Some(&self.output_type))?;
        // The names are those of the output.
        if !fits(&found, &self.output_type) {
            return Err(KernelError::unexpected_column_type(format!(
                "an expression gives {found}, expected {}",
                self.output_type
            )));
        }
        let (schema, rows) = match &self.output_type {
            DataType::Struct(schema) => {
                let nulls = || std::iter::repeat_n(Value::Null, schema.num_fields()).collect();
                let rows = column.into_iter().map(|value| match value {
                    Value::Struct(row) => row,
                    _ => nulls(),
                });
                (StructType::clone(schema), rows.collect())
            }
            kind => {
                let field = StructField::nullable("output", kind.clone());
                let rows = column.into_iter().map(|value| Row::from([value]));
                (StructType::try_new([field])?, rows.collect())
            }
        };
        Ok(Box::new(Rows { schema: Arc::new(schema), rows }))
    }
}

impl ExpressionEvaluator for Evaluator {
    fn evaluate(&self, batch: &dyn EngineData) -> KernelResult<Box<dyn EngineData>> {
        self.rows(batch)
    }
}

impl PredicateEvaluator for Evaluator {
    fn evaluate(&self, batch: &dyn EngineData) -> KernelResult<Box<dyn EngineData>> {
        self.rows(batch)
    }
}

/// Returns true if values of a type are values of another one, which may have other names.
fn fits(found: &DataType, expected: &DataType) -> bool {
    match (found, expected) {
        (DataType::Struct(found), DataType::Struct(expected)) => {
            found.num_fields() == expected.num_fields()
                && found
                    .fields()
                    .zip(expected.fields())
                    .all(|(a, b)| fits(a.data_type(), b.data_type()))
        }
        (DataType::Array(found), DataType::Array(expected)) => {
            fits(found.element_type(), expected.element_type())
        }
        (DataType::Map(found), DataType::Map(expected)) => {
            fits(found.key_type(), expected.key_type())
                && fits(found.value_type(), expected.value_type())
        }
        (found, expected) => found == expected,
    }
}

/// A value for each row, and their type.
type Column = (Vec<Value>, DataType);

/// Evaluates an expression. `expected` is the type of its values, if only the context determines it.
fn evaluate(
    expression: &Expression,
    rows: &Rows,
    expected: Option<&DataType>,
) -> KernelResult<Column> {
    match expression {
        Expression::Literal(scalar) => {
            Ok((vec![Value::try_from(scalar)?; rows.rows.len()], scalar.data_type()))
        }
        Expression::Column(name) => {
            let (kind, place) = rows
                .place(name)
                .ok_or_else(|| KernelError::missing_column(format!("there is no column {name}")))?;
            let values = rows.rows.iter().map(|row| value_at(row, &place).clone());
            Ok((values.collect(), kind.clone()))
        }
        Expression::Predicate(predicate) => {
            let values = evaluate_predicate(predicate, rows)?.into_iter();
            let values = values.map(|value| value.map_or(Value::Null, Value::Bool));
            Ok((values.collect(), DataType::BOOLEAN))
        }
        Expression::Struct(fields, keep) => {
            let schema = struct_type(expected)?;
            if fields.len() != schema.num_fields() {
                return Err(KernelError::generic("a struct with another number of fields"));
            }
            let columns = fields.iter().zip(schema.fields());
            let columns = columns.map(|(it, field)| evaluate(it, rows, Some(field.data_type())));
            let columns = columns.collect::<KernelResult<_>>()?;
            let keep = keep.as_ref().map(|keep| evaluate(keep, rows, Some(&DataType::BOOLEAN)));
            let keep = keep.transpose()?.map(|(keep, _)| keep);
            let is_kept = |row: usize| {
                keep.as_ref().is_none_or(|keep| keep.get(row) == Some(&Value::Bool(true)))
            };
            structs(columns, schema, rows.rows.len(), is_kept)
        }
        Expression::StructPatch(patch) => evaluate_patch(patch, rows, struct_type(expected)?),
        Expression::Unary(unary) => match unary.op {
            UnaryExpressionOp::ToJson => {
                let (values, kind) = evaluate(&unary.expr, rows, None)?;
                let schema = struct_type(Some(&kind))?;
                let texts = values.iter().map(|value| match value {
                    Value::Struct(row) => {
                        let mut text = Vec::new();
                        write_struct(row, schema, &mut text)?;
                        let text = String::from_utf8(text).map_err(KernelError::generic)?;
                        Ok(Value::Text(text.into()))
                    }
                    _ => Ok(Value::Null),
                });
                Ok((texts.collect::<KernelResult<_>>()?, DataType::STRING))
            }
        },
        Expression::Variadic(variadic) if variadic.op == VariadicExpressionOp::Coalesce => {
            let mut result: Option<Column> = None;
            for expression in &variadic.exprs {
                let Some((values, kind)) = &mut result else {
                    result = Some(evaluate(expression, rows, expected)?);
                    continue;
                };
                if !values.iter().any(Value::is_null) {
                    break;
                }
                let (others, other) = evaluate(expression, rows, expected)?;
                if !fits(&other, kind) {
                    return Err(KernelError::generic(format!("{kind} or {other}")));
                }
                for (value, other) in values.iter_mut().zip(others) {
                    if value.is_null() {
                        *value = other;
                    }
                }
            }
            result.ok_or_else(|| KernelError::generic("the first of no values"))
        }
        Expression::ParseJson(json) => {
            let (texts, _) = evaluate(&json.json_expr, rows, Some(&DataType::STRING))?;
            // Text that cannot be parsed becomes null.
            let values = texts.iter().map(|text| {
                let text = text.text()?;
                parse(text.as_bytes(), &json.output_schema).ok()
            });
            let values = values.map(|value| value.unwrap_or(Value::Null)).collect();
            Ok((values, StructType::clone(&json.output_schema).into()))
        }
        Expression::MapToStruct(map) => {
            let schema = struct_type(expected)?;
            let (maps, _) = evaluate(&map.map_expr, rows, None)?;
            let values = maps.iter().map(|map| partition_values(map, schema));
            Ok((values.collect::<KernelResult<_>>()?, schema.clone().into()))
        }
        other => unsupported(format!("the expression {other}")),
    }
}

fn struct_type(kind: Option<&DataType>) -> KernelResult<&StructType> {
    match kind {
        Some(DataType::Struct(schema)) => Ok(schema),
        _ => Err(KernelError::generic("an expression that gives a struct where none is expected")),
    }
}

/// Combines columns to structs; those that are not kept are null.
fn structs(
    columns: Vec<Column>,
    schema: &StructType,
    rows: usize,
    is_kept: impl Fn(usize) -> bool,
) -> KernelResult<Column> {
    let (columns, types): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
    let fields = types.into_iter().zip(schema.fields());
    let fields = fields.map(|(kind, field)| StructField::nullable(field.name(), kind));
    let kind = StructType::try_new(fields)?;
    let mut columns: Vec<_> = columns.into_iter().map(Vec::into_iter).collect();
    let values = (0..rows).map(|row| {
        let values = columns.iter_mut().map(|column| column.next().unwrap_or(Value::Null));
        let values = values.collect();
        if is_kept(row) { Value::Struct(values) } else { Value::Null }
    });
    Ok((values.collect(), kind.into()))
}

/// Evaluates a struct whose fields are those of another one, except for some.
fn evaluate_patch(
    patch: &ExpressionStructPatch,
    rows: &Rows,
    output: &StructType,
) -> KernelResult<Column> {
    let (source, kind) = match patch.input_path() {
        Some(path) => evaluate(&Expression::Column(path.clone()), rows, None)?,
        None => {
            let values = rows.rows.iter().map(|row| Value::Struct(Arc::clone(row)));
            (values.collect(), StructType::clone(&rows.schema).into())
        }
    };
    let mut unused: HashMap<&str, &ExpressionFieldPatch> =
        patch.field_patches.iter().map(|(name, patch)| (name.as_str(), patch)).collect();
    let mut fields: Vec<PatchedField<'_>> =
        patch.prepended_fields.iter().map(PatchedField::New).collect();
    for (index, field) in struct_type(Some(&kind))?.fields().enumerate() {
        let patch = unused.remove(field.name().as_str());
        if patch.is_none_or(|patch| patch.keep_input) {
            fields.push(PatchedField::Old(index, field.data_type()));
        }
        fields.extend(patch.iter().flat_map(|patch| &patch.insertions).map(PatchedField::New));
    }
    fields.extend(patch.appended_fields.iter().map(PatchedField::New));
    if unused.values().any(|patch| !patch.optional) || fields.len() != output.num_fields() {
        return Err(KernelError::generic("a change of a struct that has other fields"));
    }
    let columns = fields.into_iter().zip(output.fields()).map(|(field, output)| match field {
        PatchedField::New(expression) => evaluate(expression, rows, Some(output.data_type())),
        PatchedField::Old(index, kind) => {
            let values = source.iter().map(|row| match row {
                Value::Struct(row) => row.get(index).cloned().unwrap_or(Value::Null),
                _ => Value::Null,
            });
            Ok((values.collect(), kind.clone()))
        }
    });
    let columns = columns.collect::<KernelResult<_>>()?;
    structs(columns, output, rows.rows.len(), |row| source.get(row).is_some_and(|it| !it.is_null()))
}

/// The source of a field of a patched struct.
enum PatchedField<'a> {
    /// The field of the source with this index.
    Old(usize, &'a DataType),
    New(&'a ExpressionRef),
}

/// The values of the partition columns of the table.
fn partition_values(map: &Value, schema: &StructType) -> KernelResult<Value> {
    let Value::Map(entries) = map else { return Ok(Value::Null) };
    let values = schema.fields().map(|field| {
        let Some(text) = entries.get(field.name()).and_then(Value::text) else {
            return Ok(Value::Null);
        };
        match field.data_type() {
            &DataType::STRING => Ok(Value::Text(text.into())),
            DataType::Primitive(kind) => Value::try_from(&kind.parse_scalar(text)?),
            kind => unsupported(format!("partitions by {kind}")),
        }
    });
    Ok(Value::Struct(values.collect::<KernelResult<_>>()?))
}

/// Evaluates a predicate in three-valued logic.
fn evaluate_predicate(predicate: &Predicate, rows: &Rows) -> KernelResult<Vec<Option<bool>>> {
    match predicate {
        Predicate::BooleanExpression(expression) => {
            let (values, _) = evaluate(expression, rows, Some(&DataType::BOOLEAN))?;
            let values = values.into_iter().map(|value| match value {
                Value::Bool(value) => Some(value),
                _ => None,
            });
            Ok(values.collect())
        }
        Predicate::Not(predicate) => {
            let values = evaluate_predicate(predicate, rows)?.into_iter();
            Ok(values.map(|value| value.map(|value| !value)).collect())
        }
        Predicate::Unary(unary) => match unary.op {
            UnaryPredicateOp::IsNull => {
                let (values, _) = evaluate(&unary.expr, rows, None)?;
                Ok(values.iter().map(|value| Some(value.is_null())).collect())
            }
        },
        Predicate::Junction(junction) => {
            let decides = junction.op == JunctionPredicateOp::Or;
            let mut result = vec![Some(!decides); rows.rows.len()];
            for predicate in &junction.preds {
                for (value, other) in result.iter_mut().zip(evaluate_predicate(predicate, rows)?) {
                    *value = match (*value, other) {
                        (Some(value), _) | (_, Some(value)) if value == decides => Some(decides),
                        (None, _) | (_, None) => None,
                        (Some(_), Some(_)) => Some(!decides),
                    };
                }
            }
            Ok(result)
        }
        other => unsupported(format!("the predicate {other}")),
    }
}
