//! The opening tree at a position.

use datafusion::arrow::array::{Array, AsArray, RecordBatch, StructArray};
use datafusion::arrow::datatypes::Int64Type;
use datafusion::logical_expr::col;
use futures::future::BoxFuture;
use futures::{FutureExt, TryStreamExt};
use halfmove_rules::{AnyPosition, CastlingStyle};

use crate::error::ArchiveError;
use crate::filter::{Filter, of_position};
use crate::functions::explore;
pub use crate::functions::explore::Results;
use crate::session::Order;
use crate::store::Archive;

/// The results of the games in which a position arose, and the moves played there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explorer {
    /// The games in which the position arose.
    pub results: Results,
    /// The moves played there, those with the most games first, then by UCI.
    pub moves: Vec<ExplorerMove>,
}

/// A move that was played in a position.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExplorerMove {
    /// The move in UCI; castling is king takes rook, `e1h1`.
    pub uci: String,
    /// The move in SAN.
    pub san: String,
    /// The games in which it was played there.
    pub results: Results,
}

impl Archive {
    /// The results and next moves of a position in the games that meet a filter. A game counts once, however often it
    /// returns to the position, and once for each move. Moves are written as in the game of the position.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Query`] if the filter's SQL condition is invalid.
    pub fn explore<'a>(
        &'a self,
        filter: &'a Filter,
        position: impl Into<AnyPosition>,
    ) -> BoxFuture<'a, Result<Explorer, ArchiveError>> {
        self.explore_filtered(filter, position.into()).boxed()
    }

    async fn explore_filtered(
        &self,
        filter: &Filter,
        position: AnyPosition,
    ) -> Result<Explorer, ArchiveError> {
        let asked = Filter { position: Some(position.clone()), ..filter.clone() };
        // A second position is for the engine.
        if filter.position.is_none()
            && let Some(query) = self.query(&asked)
        {
            let wanted = self.wanted(&asked).await?;
            let count = move |archive: &Self| archive.tally(&query, &wanted);
            let mut tally = self.off_thread(count).await?;
            tally.sort();
            let moves = tally.moves.iter().map(|(mv, results)| ExplorerMove {
                uci: mv.uci(CastlingStyle::KingTakesRook).to_string(),
                san: position.san(*mv).to_string(),
                results: *results,
            });
            return Ok(Explorer { results: tally.position, moves: moves.collect() });
        }
        let filter = filter.clone();
        let make = move |archive: &Self| {
            let games = filter.apply(archive.table(Order::Any)?)?;
            let mut arguments = vec![col("moves"), col("result")];
            arguments.extend(of_position(&position));
            let call = crate::functions::explore().call(arguments).alias("answer");
            games.aggregate(vec![], vec![call])
        };
        let batches: Vec<RecordBatch> = self.rows_of(make).await?.try_collect().await?;
        let answer = batches.first().and_then(|batch| batch.column(0).as_struct_opt());
        read(answer.ok_or_else(wrong)?).ok_or_else(wrong)
    }
}

fn wrong() -> ArchiveError {
    ArchiveError::damaged("the aggregate explore has answered something else")
}

fn read(answer: &StructArray) -> Option<Explorer> {
    let lists = answer.column_by_name("moves")?.as_list_opt::<i32>()?;
    let moves = lists.values().as_struct_opt()?;
    let text = |name: &str| moves.column_by_name(name)?.as_string_opt::<i32>();
    let (uci, san) = (text("uci")?, text("san")?);
    let mut explorer =
        Explorer { results: results(answer, 0)?, moves: Vec::with_capacity(moves.len()) };
    for row in 0..moves.len() {
        explorer.moves.push(ExplorerMove {
            uci: uci.value(row).to_owned(),
            san: san.value(row).to_owned(),
            results: results(moves, row)?,
        });
    }
    Some(explorer)
}

fn results(counts: &StructArray, row: usize) -> Option<Results> {
    let count = |name: &str| {
        let counts = counts.column_by_name(name)?.as_primitive_opt::<Int64Type>()?;
        u64::try_from(counts.value(row)).ok()
    };
    Some(explore::Results::from_array([
        count("white")?,
        count("draws")?,
        count("black")?,
        count("other")?,
    ]))
}
