//! The SQL table `halfmoves`: a scan of games, and the rows made from them.
//!
//! ```text
//!  games: id, moves, clocks, … ─▶ HalfmovesExec ─▶ id, ply, uci, clock, …
//!          ▲ conditions on id        ▲ conditions on ply
//! ```
//!
//! Conditions on `id` are evaluated while the files are read, also those that the engine derives from a join while a
//! query runs. If the files are in the order of their ids, so are the rows, and the engine does not sort them.

use std::collections::HashSet;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::compute::SortOptions;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::config::ConfigOptions;
use datafusion::common::stats::Precision;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, ScalarValue, Statistics, internal_datafusion_err};
use datafusion::datasource::TableType;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{BinaryExpr, Expr, Operator, TableProviderFilterPushDown};
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr, PhysicalSortExpr};
use datafusion::physical_plan::coop::cooperative;
use datafusion::physical_plan::execution_plan::{CardinalityEffect, SchedulingType};
use datafusion::physical_plan::filter_pushdown::{
    ChildFilterDescription, ChildPushdownResult, FilterDescription, FilterPushdownPhase,
    FilterPushdownPropagation,
};
use datafusion::physical_plan::metrics::{BaselineMetrics, ExecutionPlanMetricsSet, MetricsSet};
use datafusion::physical_plan::statistics::{ChildStats, StatisticsArgs};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    ChildrenPropertiesMode, DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties,
    PlanProperties, ReplaceChildrenOptions,
};
use futures::{StreamExt, TryStreamExt, stream};
use halfmove_archive::schema::COLUMNS;
use halfmove_functions::halfmoves::{HALFMOVES, Halfmoves, Plies};

use super::GamesTable;
use super::sieve::Sieve;
use crate::error::raise;

/// The usual number of half-moves of a game, for estimates.
const PLIES: usize = 80;

/// The half-moves of the games of a snapshot.
#[derive(Debug)]
pub(crate) struct HalfmovesTable {
    games: GamesTable,
    schema: SchemaRef,
}

impl HalfmovesTable {
    pub(crate) fn new(games: GamesTable) -> Self {
        Self { games, schema: Arc::clone(Halfmoves::new(&HALFMOVES).schema()) }
    }
}

#[async_trait]
impl TableProvider for HalfmovesTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> Result<Vec<TableProviderFilterPushDown>> {
        Ok(vec![TableProviderFilterPushDown::Inexact; filters.len()])
    }

    fn statistics(&self) -> Option<Statistics> {
        let games = self.games.statistics()?;
        Some(statistics(&self.schema, games.num_rows))
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        _: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let halfmoves = match projection {
            Some(columns) => {
                Halfmoves::new(columns.iter().filter_map(|index| HALFMOVES.get(*index)))
            }
            None => Halfmoves::new(&HALFMOVES),
        };
        let halfmoves = halfmoves.with_plies(plies(filters));
        let sources = halfmoves.sources().into_iter().map(|name| {
            let column = COLUMNS.iter().position(|column| column.name == name);
            column.ok_or_else(|| internal_datafusion_err!("there is no column {name}"))
        });
        let games = self.games.in_order(state, sources.collect::<Result<_>>()?).await?;
        Ok(Arc::new(HalfmovesExec::new(games, halfmoves)))
    }
}

/// An estimate, from the number of games.
fn statistics(schema: &SchemaRef, games: Precision<usize>) -> Statistics {
    let rows = games
        .get_value()
        .map_or(Precision::Absent, |games| Precision::Inexact(games.saturating_mul(PLIES)));
    Statistics::new_unknown(schema).with_num_rows(rows)
}

/// The half-moves that can meet all conditions.
fn plies(filters: &[Expr]) -> Plies {
    let plies = filters.iter().filter_map(meeting);
    plies.reduce(|one, other| one.intersection(&other)).unwrap_or_default()
}

/// The half-moves that can meet a condition: `None` if it does not depend on `ply`, or not in a way that is known.
fn meeting(filter: &Expr) -> Option<Plies> {
    match filter {
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::And, right }) => {
            match (meeting(left), meeting(right)) {
                (Some(left), Some(right)) => Some(left.intersection(&right)),
                (left, right) => left.or(right),
            }
        }
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::Or, right }) => {
            Some(meeting(left)?.union(&meeting(right)?))
        }
        Expr::BinaryExpr(BinaryExpr { left, op, right }) => {
            let (op, number) = match (is_ply(left), is_ply(right)) {
                (true, _) => (*op, literal(right)?),
                (_, true) => (op.swap()?, literal(left)?),
                _ => return None,
            };
            match op {
                Operator::Eq => Some(between(number, number)),
                Operator::NotEq => Some(between(number, number).complement()),
                Operator::Lt => Some(between(0, number.saturating_sub(1))),
                Operator::LtEq => Some(between(0, number)),
                Operator::Gt => Some(between(number.saturating_add(1), i64::MAX)),
                Operator::GtEq => Some(between(number, i64::MAX)),
                _ => None,
            }
        }
        Expr::Between(condition) if is_ply(&condition.expr) => {
            let plies = between(literal(&condition.low)?, literal(&condition.high)?);
            Some(if condition.negated { plies.complement() } else { plies })
        }
        Expr::InList(list) if is_ply(&list.expr) => {
            let numbers = list.list.iter().map(literal).collect::<Option<Vec<i64>>>()?;
            let plies = Plies::of(numbers.into_iter().filter_map(|number| range(number, number)));
            Some(if list.negated { plies.complement() } else { plies })
        }
        _ => None,
    }
}

/// The half-moves from a number to another.
fn between(first: i64, last: i64) -> Plies {
    Plies::of(range(first, last))
}

/// The numbers that half-moves can have among some.
fn range(first: i64, last: i64) -> Option<RangeInclusive<u32>> {
    let most = last.min(i64::from(u32::MAX));
    Some(u32::try_from(first.max(0)).ok()?..=u32::try_from(most).ok()?)
}

fn is_ply(expr: &Expr) -> bool {
    matches!(expr, Expr::Column(column) if column.name() == "ply")
}

fn literal(expr: &Expr) -> Option<i64> {
    let Expr::Literal(value, _) = expr else { return None };
    match value {
        ScalarValue::Int32(number) => number.map(i64::from),
        ScalarValue::Int64(number) => *number,
        _ => None,
    }
}

/// The half-moves of the games of its input.
#[derive(Debug, Clone)]
struct HalfmovesExec {
    games: Arc<dyn ExecutionPlan>,
    halfmoves: Arc<Halfmoves>,
    /// Skips batches that no row of which meets the conditions above.
    sieve: Option<Arc<Sieve>>,
    properties: Arc<PlanProperties>,
    metrics: ExecutionPlanMetricsSet,
}

impl HalfmovesExec {
    fn new(games: Arc<dyn ExecutionPlan>, halfmoves: Halfmoves) -> Self {
        Self::of(games, Arc::new(halfmoves))
    }

    fn of(games: Arc<dyn ExecutionPlan>, halfmoves: Arc<Halfmoves>) -> Self {
        let schema = halfmoves.schema();
        let is_by_id = games.output_ordering().is_some_and(|order| {
            let first = order.first();
            let column = first.expr.downcast_ref::<Column>();
            column.is_some_and(|column| column.name() == "id") && !first.options.descending
        });
        let options = SortOptions { descending: false, nulls_first: false };
        let order = ["id", "ply"].into_iter().map_while(|name| {
            let index = schema.index_of(name).ok().filter(|_| is_by_id)?;
            Some(PhysicalSortExpr { expr: Arc::new(Column::new(name, index)), options })
        });
        let order: Vec<PhysicalSortExpr> = order.collect();
        let orders = (!order.is_empty()).then_some(order);
        let properties = PlanProperties::new(
            EquivalenceProperties::new_with_orderings(Arc::clone(schema), orders),
            games.output_partitioning().clone(),
            games.pipeline_behavior(),
            games.boundedness(),
        );
        let properties = Arc::new(properties.with_scheduling_type(SchedulingType::Cooperative));
        let metrics = ExecutionPlanMetricsSet::new();
        Self { games, halfmoves, sieve: None, properties, metrics }
    }
}

impl DisplayAs for HalfmovesExec {
    fn fmt_as(&self, kind: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns: Vec<&str> =
            self.halfmoves.columns().iter().map(|column| column.name).collect();
        let (columns, plies) = (columns.join(", "), self.halfmoves.plies());
        match kind {
            DisplayFormatType::Default | DisplayFormatType::Verbose => {
                write!(f, "HalfmovesExec: columns=[{columns}]")?;
                if *plies != Plies::all() {
                    write!(f, ", ply={plies}")?;
                }
                if let Some(sieve) = &self.sieve {
                    write!(f, ", sieve=[{}]", sieve.names().join(", "))?;
                }
                Ok(())
            }
            DisplayFormatType::TreeRender => writeln!(f, "columns={columns}"),
        }
    }
}

impl ExecutionPlan for HalfmovesExec {
    fn name(&self) -> &'static str {
        "HalfmovesExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.games]
    }

    /// The order of the rows is in the properties. The engine would take columns of the input for those with the same
    /// indices here, and sort by them.
    fn maintains_input_order(&self) -> Vec<bool> {
        vec![false]
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let games = children.into_iter().next();
        let games = games.ok_or_else(|| internal_datafusion_err!("HalfmovesExec has no input"))?;
        let sieve = self.sieve.clone();
        Ok(Arc::new(Self { sieve, ..Self::of(games, Arc::clone(&self.halfmoves)) }))
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.replace_children(
            children,
            ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute),
        )
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let most = context.session_config().batch_size().max(1);
        let output = BaselineMetrics::new(&self.metrics, partition);
        let (halfmoves, sieve) = (Arc::clone(&self.halfmoves), self.sieve.clone());
        let games = self.games.execute(partition, context)?;
        let batches = games.map_ok(move |games| match &sieve {
            Some(sieve) => stream::iter(sieve.rows(&halfmoves, games, most)).boxed(),
            None => stream::iter(halfmoves.rows_of(games, most)).map_err(raise).boxed(),
        });
        let batches = batches.try_flatten().inspect_ok(move |batch| {
            output.record_output(batch.num_rows());
        });
        let batches = RecordBatchStreamAdapter::new(self.schema(), batches.boxed());
        Ok(Box::pin(cooperative(batches)))
    }

    fn metrics(&self) -> Option<MetricsSet> {
        Some(self.metrics.clone_inner())
    }

    fn child_stats_requests(&self, partition: Option<usize>) -> Vec<ChildStats> {
        vec![ChildStats::At(partition)]
    }

    fn statistics_from_inputs(
        &self,
        inputs: &[Arc<Statistics>],
        _: &StatisticsArgs,
    ) -> Result<Arc<Statistics>> {
        let games = inputs.first().map_or(Precision::Absent, |games| games.num_rows);
        Ok(Arc::new(statistics(self.halfmoves.schema(), games)))
    }

    fn cardinality_effect(&self) -> CardinalityEffect {
        CardinalityEffect::GreaterEqual
    }

    /// Conditions on `id` alone are those of the games.
    fn gather_filters_for_pushdown(
        &self,
        _: FilterPushdownPhase,
        filters: Vec<Arc<dyn PhysicalExpr>>,
        _: &ConfigOptions,
    ) -> Result<FilterDescription> {
        let id: HashSet<usize> = self.schema().index_of("id").into_iter().collect();
        let of_games =
            ChildFilterDescription::from_child_with_allowed_indices(&filters, id, &self.games)?;
        Ok(FilterDescription::new().with_child(of_games))
    }

    /// The plan above tests all conditions. Those on cheap columns may save the others.
    fn handle_child_pushdown_result(
        &self,
        _: FilterPushdownPhase,
        result: ChildPushdownResult,
        _: &ConfigOptions,
    ) -> Result<FilterPushdownPropagation<Arc<dyn ExecutionPlan>>> {
        let filters = result.parent_filters.iter().map(|parent| &parent.filter);
        let sieve = Sieve::of(&self.halfmoves, self.sieve.as_deref(), filters)?;
        let propagation = FilterPushdownPropagation::if_all(result);
        Ok(match sieve {
            Some(sieve) => {
                let node = Self { sieve: Some(Arc::new(sieve)), ..self.clone() };
                propagation.with_updated_node(Arc::new(node) as Arc<dyn ExecutionPlan>)
            }
            None => propagation,
        })
    }
}
