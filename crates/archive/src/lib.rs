//! Games on disk: an archive is a folder of Parquet files with one row per game, and a log that says which files
//! belong to it (a Delta Lake table). Any Parquet or Delta reader can open it; this crate adds games to it, searches
//! it, builds opening trees from it and runs SQL queries.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use halfmove_archive::{Archive, Filter};
//! use halfmove_game::Game;
//! use halfmove_rules::Chess;
//!
//! let folder = tempfile::tempdir()?;
//! let archive = Archive::create(folder.path().join("games"))?;
//!
//! // 1. e4 e5
//! let (mut game, mut position) = (Game::default(), Chess::default());
//! for san in ["e4", "e5"] {
//!     let mv = position.parse_san(san)?;
//!     position.play_unchecked(mv);
//!     game.moves.push(mv);
//! }
//! let mut importer = archive.importer();
//! importer.push(&game, None)?;
//! importer.commit()?;
//!
//! let archive = archive.refresh()?;
//! tokio::runtime::Runtime::new()?.block_on(async {
//!     let found = archive.search(&Filter::position(position), 10).await?;
//!     assert_eq!((found.count, found.games[0].ply), (1, Some(2)));
//!     let tree = archive.explore(&Filter::default(), Chess::default()).await?;
//!     assert_eq!(tree.moves[0].san, "e4");
//!     Ok(())
//! })
//! # }
//! ```
//!
//! # What blocks and what does not
//!
//! What asks an archive for games is a future: [`search`](Archive::search), [`count`](Archive::count),
//! [`explore`](Archive::explore), [`sql`](Archive::sql), [`info`](Archive::info), [`game`](Archive::game),
//! [`games`](Archive::games), [`players`](Archive::players), [`events`](Archive::events), [`duplicates`](Archive::duplicates), and
//! [`remover`](Archive::remover), which searches. Many such questions may be asked at once, and
//! dropping one stops its work. They need a Tokio runtime, whose threads for blocking work they use.
//!
//! Everything else blocks: opening, [`refresh`](Archive::refresh) and [`history`](Archive::history), which read the log;
//! [`Importer`], [`Remover::commit`], [`compact`](Archive::compact), [`upgrade`](Archive::upgrade),
//! [`undo`](Archive::undo) and [`vacuum`](Archive::vacuum), which write files and wait for them to be on the disk; and
//! [`verify`](Archive::verify), which reads all of them. Those that take long take an [`ImportWatch`], which hears how far they are
//! and may stop them. In asynchronous code, call them in `tokio::task::spawn_blocking`. Plans ([`undo_plan`](Archive::undo_plan),
//! [`vacuum_plan`](Archive::vacuum_plan)) read only the log and the folder, and wait for nobody.
//!
//! The futures are boxed, because the body of an `async fn`, and with it much of the query engine, would be compiled again into
//! every program that calls it.

/// The page of the guide, whose examples are tested.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/archive-library.md")]
struct Guide;

mod course;
mod duplicates;
mod error;
mod events;
mod explore;
mod filter;
mod functions;
mod history;
mod import;
mod info;
mod kernel;
mod limits;
mod names;
mod near;
mod openings;
mod options;
mod period;
mod players;
mod provider;
mod question;
mod read;
pub mod row;
pub mod schema;
mod score;
mod scores;
mod search;
mod session;
mod sources;
mod sql;
mod stats;
mod store;
mod table;
mod variants;
mod verify;
mod words;

/// The query engine, for [`Archive::register`].
pub use datafusion;
/// Arrow, whose types are those of answers.
pub use datafusion::arrow;
/// Object stores, for [`Archive::open_in`].
pub use delta_kernel::object_store;
/// Games, as they are imported and exported.
pub use halfmove_game;

pub use duplicates::{Differences, Duplicates, ExactDuplicates, NearDuplicates};
pub use error::ArchiveError;
pub use events::EventSummary;
pub use explore::{
    Details, ExploreOptions, Explorer, ExplorerGame, ExplorerMove, PERFORMANCE_GAMES, Results,
    rating_difference,
};
pub use filter::{Filter, FilterError, PlayerResult};
pub use history::HistoryEntry;
pub use import::{
    CompactReport, ImportDuplicate, ImportReport, ImportWatch, Importer, MergeReport, OnDuplicates,
    PgnInput, PlayerMerge, RemoveReport, Remover, UpgradeReport,
};
pub use info::Info;
pub use near::NearName;
pub use openings::opening_roots;
pub use options::{ArchiveOptions, StoreOptions};
pub use period::{Period, PeriodError};
pub use players::{Likeness, PlayerSummary, SimilarPlayers};
pub use provider::{aggregate_functions, scalar_functions};
pub use question::{End, EndError, Question};
pub use read::{PgnText, PgnTexts, StoredGame};
pub use score::Score;
pub use scores::{ScoreGroup, ScoresBy};
pub use search::{Found, GameSummary, MORE_COLUMNS, SearchOptions, Sort, SortBy, SortError};
pub use sources::{ContentSum, ImportedSource};
pub use sql::{Answer, AnswerBatch, AnswerColumn, Statements, statements};
pub use stats::{RATING_BAND, Stats};
pub use store::{Archive, UndoReport, VacuumReport, is_url};
pub use variants::VariantCounts;
pub use verify::{Problem, VerifyReport};
