//! `array_agg` and `string_agg` with `ORDER BY`: the values of all groups stay in columns, and are sorted at the end.
//!
//! ```text
//!  array_agg(clock ORDER BY ply) … GROUP BY id
//!
//!  batches of (clock, ply)          entries (group, row)      places, sorted by ply       lists
//!  ┌──────┬───┐ ┌──────┬───┐
//!  │ 59.0 │ 1 │ │ 58.0 │ 3 │ …  ─▶ (0, 0) (0, 1) (1, 2) …  ─▶ 0.0 0.1 1.0 │ 0.2 …   ─▶ [59.0, …], […]
//!  └──────┴───┘ └──────┴───┘
//! ```
//!
//! The engine's own functions first sort their whole input, and then keep each value and each of its keys as a separate
//! object. They still evaluate calls without `ORDER BY`, and calls with `DISTINCT`.

mod groups;

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, BooleanArray, LargeStringBuilder};
use datafusion::arrow::buffer::OffsetBuffer;
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{Result, ScalarValue};
use datafusion::functions_aggregate::array_agg::array_agg_udaf;
use datafusion::functions_aggregate::string_agg::string_agg_udaf;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::AggregateOrderSensitivity;
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, Documentation, EmitTo, GroupsAccumulator,
    Signature,
};
use datafusion::physical_expr::expressions::Literal;

use self::groups::Groups;

/// The functions, in place of the engine's functions of the same names.
pub(crate) fn ordered_aggregates() -> Vec<AggregateUDF> {
    let engines = [array_agg_udaf(), string_agg_udaf()];
    engines.into_iter().map(|engine| AggregateUDF::new_from_impl(Ordered { engine })).collect()
}

/// One of the functions.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Ordered {
    /// The engine's function of the same name.
    engine: Arc<AggregateUDF>,
}

impl Ordered {
    /// The form of the results of a call; `None` if it is left to the engine.
    fn form(&self, arguments: &AccumulatorArgs<'_>) -> Option<Form> {
        if arguments.is_distinct || arguments.order_bys.is_empty() {
            return None;
        }
        let [_, delimiter @ ..] = arguments.exprs else { return None };
        let Some(delimiter) = delimiter.first() else { return Some(Form::List) };
        // The engine rejects all other delimiters.
        let delimiter = delimiter.downcast_ref::<Literal>()?.value();
        let text = if delimiter.is_null() { None } else { delimiter.try_as_str()? };
        Some(Form::Text { delimiter: text.unwrap_or_default().to_owned() })
    }

    fn collected(form: Form, arguments: &AccumulatorArgs<'_>) -> Result<Collected> {
        let value = &arguments.expr_fields[0];
        let keys = arguments
            .order_bys
            .iter()
            .map(|key| Ok((key.expr.data_type(arguments.schema)?, key.options)));
        let groups = Groups::new(value.data_type().clone(), keys.collect::<Result<Vec<_>>>()?);
        // `string_agg` leaves nulls out.
        let skips_nulls = arguments.ignore_nulls || matches!(form, Form::Text { .. });
        Ok(Collected { form, arguments: arguments.exprs.len(), skips_nulls, groups })
    }
}

impl AggregateUDFImpl for Ordered {
    fn name(&self) -> &str {
        self.engine.name()
    }

    fn signature(&self) -> &Signature {
        self.engine.signature()
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.engine.return_type(types)
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.engine.documentation()
    }

    fn supports_null_handling_clause(&self) -> bool {
        self.engine.supports_null_handling_clause()
    }

    /// No input has to be sorted for these functions. With [`Insensitive`](AggregateOrderSensitivity::Insensitive), they
    /// would not get the keys.
    fn order_sensitivity(&self) -> AggregateOrderSensitivity {
        AggregateOrderSensitivity::Beneficial
    }

    fn with_beneficial_ordering(
        self: Arc<Self>,
        _: bool,
    ) -> Result<Option<Arc<dyn AggregateUDFImpl>>> {
        Ok(Some(self))
    }

    fn state_fields(&self, arguments: StateFieldsArgs<'_>) -> Result<Vec<FieldRef>> {
        if arguments.is_distinct || arguments.ordering_fields.is_empty() {
            return self.engine.state_fields(arguments);
        }
        let columns = arguments.input_fields.iter().take(1).chain(arguments.ordering_fields);
        let fields = columns.enumerate().map(|(index, column)| {
            let item = Field::new_list_field(column.data_type().clone(), true);
            let name = format!("{}[{} {index}]", arguments.name, self.name());
            Arc::new(Field::new_list(name, item, true))
        });
        Ok(fields.collect())
    }

    fn accumulator(&self, arguments: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        match self.form(&arguments) {
            Some(form) => Ok(Box::new(OneGroup(Self::collected(form, &arguments)?))),
            None => self.engine.accumulator(arguments),
        }
    }

    fn groups_accumulator_supported(&self, arguments: AccumulatorArgs<'_>) -> bool {
        self.form(&arguments).is_some() || self.engine.groups_accumulator_supported(arguments)
    }

    fn create_groups_accumulator(
        &self,
        arguments: AccumulatorArgs<'_>,
    ) -> Result<Box<dyn GroupsAccumulator>> {
        match self.form(&arguments) {
            Some(form) => Ok(Box::new(Self::collected(form, &arguments)?)),
            None => self.engine.create_groups_accumulator(arguments),
        }
    }
}

/// The form of a result.
#[derive(Debug)]
enum Form {
    List,
    Text { delimiter: String },
}

/// The values of all groups.
#[derive(Debug)]
struct Collected {
    form: Form,
    /// The number of arguments of the call; the keys follow them.
    arguments: usize,
    skips_nulls: bool,
    groups: Groups,
}

impl Collected {
    /// The column of the values and those of the keys.
    fn columns(&self, given: &[ArrayRef]) -> Vec<ArrayRef> {
        let keys = given.get(self.arguments..).unwrap_or_default();
        given.iter().take(1).chain(keys).map(Arc::clone).collect()
    }

    /// A predicate of the rows whose values count.
    fn counts<'a>(
        &self,
        values: &dyn Array,
        filter: Option<&'a BooleanArray>,
    ) -> impl Fn(usize) -> bool + use<'a> {
        let nulls = if self.skips_nulls { values.logical_nulls() } else { None };
        move |row| {
            let is_null = nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
            !is_null && filter.is_none_or(|filter| filter.is_valid(row) && filter.value(row))
        }
    }

    /// The results of the first groups.
    fn results(&self, groups: usize) -> Result<ArrayRef> {
        let lists = self.groups.sorted(groups)?;
        let Form::Text { delimiter } = &self.form else { return Ok(Arc::new(lists)) };
        let texts = cast(lists.values(), &DataType::LargeUtf8)?;
        let texts = texts.as_string::<i64>();
        let mut results = LargeStringBuilder::with_capacity(lists.len(), texts.values().len());
        let mut result = String::new();
        for range in lists.value_offsets().windows(2) {
            let (first, end) = (range[0] as usize, range[1] as usize);
            if first == end {
                results.append_null();
                continue;
            }
            result.clear();
            for row in first..end {
                if row > first {
                    result.push_str(delimiter);
                }
                result.push_str(texts.value(row));
            }
            results.append_value(&result);
        }
        Ok(Arc::new(results.finish()))
    }

    /// The number of groups to emit.
    fn emitted(&self, emit: EmitTo) -> usize {
        match emit {
            EmitTo::All => self.groups.len(),
            EmitTo::First(groups) => groups,
        }
    }
}

impl GroupsAccumulator for Collected {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        groups: &[usize],
        filter: Option<&BooleanArray>,
        total: usize,
    ) -> Result<()> {
        let columns = self.columns(values);
        let counts = self.counts(&columns[0], filter);
        let entries = groups.iter().enumerate().filter(|(row, _)| counts(*row));
        let entries = entries.map(|(row, group)| (*group, row)).collect();
        self.groups.push(columns, entries, total)
    }

    fn evaluate(&mut self, emit: EmitTo) -> Result<ArrayRef> {
        let groups = self.emitted(emit);
        let results = self.results(groups)?;
        self.groups.remove(groups)?;
        Ok(results)
    }

    fn state(&mut self, emit: EmitTo) -> Result<Vec<ArrayRef>> {
        let groups = self.emitted(emit);
        let state = self.groups.state(groups)?;
        self.groups.remove(groups)?;
        Ok(state)
    }

    fn merge_batch(&mut self, state: &[ArrayRef], groups: &[usize], total: usize) -> Result<()> {
        self.groups.merge(state, groups, total)
    }

    /// A list of one value for each row, or of none.
    fn convert_to_state(
        &self,
        values: &[ArrayRef],
        filter: Option<&BooleanArray>,
    ) -> Result<Vec<ArrayRef>> {
        let columns = self.columns(values);
        let counts = self.counts(&columns[0], filter);
        let counted: Vec<bool> = (0..columns[0].len()).map(counts).collect();
        let offsets = OffsetBuffer::from_lengths(counted.iter().map(|counts| usize::from(*counts)));
        self.groups.lists(columns, &counted.into(), &offsets)
    }

    fn size(&self) -> usize {
        self.groups.size()
    }
}

/// The values of one group, for a query without `GROUP BY`.
#[derive(Debug)]
struct OneGroup(Collected);

impl Accumulator for OneGroup {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let rows = values.first().map_or(0, |values| values.len());
        GroupsAccumulator::update_batch(&mut self.0, values, &vec![0; rows], None, 1)
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let rows = states.first().map_or(0, |states| states.len());
        GroupsAccumulator::merge_batch(&mut self.0, states, &vec![0; rows], 1)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let state = self.0.groups.state(1)?;
        state.iter().map(|column| ScalarValue::try_from_array(column, 0)).collect()
    }

    /// The values are kept, since the engine may add more and evaluate again.
    fn evaluate(&mut self) -> Result<ScalarValue> {
        ScalarValue::try_from_array(&self.0.results(1)?, 0)
    }

    fn size(&self) -> usize {
        self.0.groups.size()
    }
}
