//! SQL over an archive of games, with the query engine DataFusion.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use futures::TryStreamExt;
//! use halfmove_archive::Importer;
//! use halfmove_sql::{Sql, SqlOptions};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("games");
//! let mut importer = Importer::open(&path)?;
//! importer.read_pgn([Ok("[White \"Morphy, Paul\"]\n\n1. e4 e5 2. Nf3 d6 *".as_bytes())], &mut ())?;
//! importer.commit()?;
//!
//! let sql = Sql::new(&halfmove_archive::Archive::open(&path)?, &SqlOptions::default())?;
//! tokio::runtime::Runtime::new()?.block_on(async {
//!     let mut answer = sql.query("SELECT white, san(moves, 3) FROM games WHERE plies > 3").await?;
//!     let batch = answer.try_next().await?.ok_or("no rows")?;
//!     let row = ["Morphy, Paul", "1. e4 e5 2. Nf3"].map(|cell| Some(cell.to_owned()));
//!     assert_eq!(batch.cells()?, [row]);
//!     Ok(())
//! })
//! # }
//! ```
//!
//! The table `games` has the columns of [`COLUMNS`](halfmove_archive::schema::COLUMNS), the table `halfmoves` those of
//! [`HALFMOVES`](halfmove_functions::halfmoves::HALFMOVES). In addition to the engine's functions there are
//! [`FUNCTIONS`](halfmove_functions::FUNCTIONS).
//!
//! ```text
//!  text ─▶ statement ─▶ plan ─▶ execution ─▶ QueryResult
//!          (parser)     │       (memory pool, spilling, time limit)
//!          functions ───┤
//!          rules ───────┤
//!          table ───────┘ ─▶ halfmove_archive::scan
//! ```
//!
//! Queries run on the Tokio runtime of the caller. A query ends soon after its future or [`QueryResult`] is dropped.

mod answer;
mod condition;
mod error;
mod execution;
mod functions;
mod options;
mod ordered;
mod register;
mod rules;
mod sql;
mod statement;
mod stopping;
mod table;

pub use datafusion;

pub use answer::{ArrowEncoder, QueryResult, ResultBatch, ResultColumn};
pub use error::{Place, SqlError};
pub use functions::{aggregate_functions, scalar_functions};
pub use options::SqlOptions;
pub use register::{halfmoves_provider, register, table_provider};
pub use sql::Sql;
pub use statement::{Statements, statements};
