//! `--where`: a condition in SQL, and the ids of the games that meet it.

use halfmove_archive::Archive;
use halfmove_archive::RoaringTreemap;

/// The ids of the games that meet a condition in SQL.
#[cfg(feature = "sql")]
pub(crate) fn ids(archive: &Archive, condition: &str) -> anyhow::Result<RoaringTreemap> {
    let queries = crate::query::Queries::of(archive, &halfmove_sql::SqlOptions::default())?;
    let found = queries.wait(queries.sql().ids_where(condition));
    found.map_err(|error| crate::query::explain(error, condition))
}

/// The ids of the games that meet a condition in SQL.
#[cfg(not(feature = "sql"))]
pub(crate) fn ids(_: &Archive, _: &str) -> anyhow::Result<RoaringTreemap> {
    Err(without_sql("--where"))
}

/// The error of a verb or option that needs SQL, in a program without it.
#[cfg(not(feature = "sql"))]
pub(crate) fn without_sql(what: &str) -> anyhow::Error {
    let error = anyhow::anyhow!("{what}: this program was built without SQL");
    crate::output::Advised::new(
        error,
        "it is one of the default features: cargo install --locked --path crates/cli",
    )
    .into()
}
