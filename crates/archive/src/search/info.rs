//! What an archive holds, in numbers.

use datafusion::arrow::array::{Array, AsArray, RecordBatch};
use datafusion::arrow::datatypes::Int64Type;

use futures::future::BoxFuture;
use futures::{FutureExt, TryStreamExt};
use halfmove_rules::Variant;

use crate::error::ArchiveError;
use crate::explore::Results;
use crate::store::Archive;
use crate::variants::VariantCounts;

/// What an archive holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Info {
    /// The version of the archive's format.
    pub format: String,
    /// How many changes the archive has seen; every import is one.
    pub version: u64,
    /// How many games it holds.
    pub games: u64,
    /// How many half-moves these games have in total.
    pub plies: u64,
    /// How many data files there are.
    pub files: u64,
    /// The total size of these files in bytes.
    pub bytes: u64,
    /// How the games ended.
    pub results: Results,
    /// The earliest and the latest year of any game; `None` if no game has one.
    pub years: Option<(i64, i64)>,
    /// The games of each variant.
    pub variants: VariantCounts,
    /// Games that do not start from the usual position of their variant.
    pub own_starts: u64,
    /// Games whose moves end early because of a fault in the source file.
    pub faulty: u64,
    /// How many names of files the games came from.
    pub sources: u64,
}

/// Followed by a column for each variant, and the table.
const QUERY: &str = "SELECT coalesce(sum(plies), 0) AS plies,
    count(*) FILTER (WHERE result = '1-0') AS white,
    count(*) FILTER (WHERE result = '1/2-1/2') AS draws,
    count(*) FILTER (WHERE result = '0-1') AS black,
    count(*) FILTER (WHERE result NOT IN ('1-0', '1/2-1/2', '0-1')) AS other,
    count(start_fen) AS own_starts,
    count(fault) AS faulty,
    count(DISTINCT source) AS sources,
    CAST(min(year) AS BIGINT) AS first_year,
    CAST(max(year) AS BIGINT) AS last_year";

impl Archive {
    /// What the archive holds. Reads a few columns of all games.
    ///
    /// # Errors
    ///
    /// Any error from reading the data files.
    pub fn info(&self) -> BoxFuture<'_, Result<Info, ArchiveError>> {
        self.sum_up().boxed()
    }

    async fn sum_up(&self) -> Result<Info, ArchiveError> {
        let mut query = QUERY.to_owned();
        for variant in Variant::ALL {
            query += &format!(", count(*) FILTER (WHERE variant = '{variant}') AS \"{variant}\"");
        }
        query += " FROM games";
        let batches: Vec<RecordBatch> = self.answer(&query).await?.try_collect().await?;
        let batch = batches
            .first()
            .ok_or_else(|| ArchiveError::damaged("an aggregate without an answer"))?;
        let number = |name: &str| {
            let column = batch.column_by_name(name)?.as_primitive_opt::<Int64Type>()?;
            column.is_valid(0).then(|| column.value(0))
        };
        let count =
            |name: &str| number(name).and_then(|number| u64::try_from(number).ok()).unwrap_or(0);
        let mut variants = VariantCounts::default();
        for variant in Variant::ALL {
            variants.count(variant, count(variant.name()));
        }
        Ok(Info {
            format: self.format().name().to_owned(),
            version: self.version(),
            games: self.len(),
            plies: count("plies"),
            files: self.files().len() as u64,
            bytes: self.files().iter().map(|file| file.bytes).sum(),
            results: Results::from_array([
                count("white"),
                count("draws"),
                count("black"),
                count("other"),
            ]),
            years: number("first_year").zip(number("last_year")),
            variants,
            own_starts: count("own_starts"),
            faulty: count("faulty"),
            sources: count("sources"),
        })
    }
}
