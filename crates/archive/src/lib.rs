//! Games on disk: an archive is a Delta Lake table, that is, a folder of Parquet files with one row per game, and a log
//! that lists the files. Any Delta reader can open it; this crate adds games to it, searches it and builds opening
//! trees from it. SQL is in the crate `halfmove-sql`.
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
//! let found = archive.search(&Filter::position(position), 10)?;
//! assert_eq!((found.count, found.games[0].ply), (1, Some(2)));
//! let tree = archive.explore(&Filter::default(), Chess::default())?;
//! assert_eq!(tree.moves[0].san, "e4");
//! # Ok(())
//! # }
//! ```
//!
//! # Layers
//!
//! ```text
//!  Archive     the facade: every method
//!  ─────────
//!  change      import, compact, remove, merge, undo, vacuum, verify
//!  search      games of a filter, explorer, scores, players, events, duplicates
//!  filter      the conditions of a search, as plain values
//!  columns     row groups, footers, pages; columns in memory; threads
//!  snapshot    location, log, files, schema, commit
//! ```
//!
//! A layer imports only those below it; a test checks every module.
//!
//! # Threads
//!
//! All methods block. Queries use [all threads](ArchiveOptions::threads), and end early if their [cancellation
//! token](CancelToken) is cancelled. In asynchronous code, call them in `spawn_blocking` or the like. Long operations
//! report their progress to a [`ChangeWatch`], which may stop them.

/// Compiles the examples of the guide as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/archive-library.md")]
struct Guide;

mod archive;
mod change;
mod columns;
mod error;
mod filter;
mod lichess;
mod options;
pub mod scan;
mod search;
mod snapshot;
mod variants;

/// The columns of half-moves, for [`Archive::halfmoves`].
pub use halfmove_functions::halfmoves;
/// Rows for training, for [`Archive::training`].
pub use halfmove_functions::training;
/// Games and PGN.
pub use halfmove_game;
/// Counts of results.
pub use halfmove_game::tally::Results;
/// Object stores, for [`Archive::open_in`].
#[cfg(feature = "object-store")]
pub use object_store;
/// Sets of ids, for [`Filter::ids`].
pub use roaring::RoaringTreemap;

pub use archive::Archive;
pub use change::{
    ChangeWatch, CompactReport, ImportDuplicate, ImportReport, Importer, LichessGame, LichessRows,
    MergeReport, MergedTag, OnDuplicates, PgnInput, PlayerMerge, Problem, RemoveReport, Remover,
    UndoReport, VacuumReport, VerifyReport,
};
pub use columns::{CancelToken, Row, StoredGame};
pub use error::{ArchiveError, FilterError};
pub use filter::{
    Condition, ConditionError, ConditionFault, ConditionKind, Conditions, End, EndError, Filter,
    GameCondition, IdRange, IdRangeError, LineCondition, Period, PeriodError, PlayerResult, Sample,
    Sort, SortBy, SortError, opening_roots,
};
pub use lichess::lichess_schema;
pub use options::{ArchiveOptions, StoreOptions};
pub use search::{
    ArrowPieces, ArrowWriter, Batches, Details, Differences, Duplicates, EventSummary,
    ExactDuplicates, ExploreOptions, Explorer, ExplorerGame, ExplorerMove, GameSummary, Games,
    Info, Likeness, MORE_COLUMNS, Matches, NameSpellings, NearDuplicates, NearName, NewMove,
    Novelty, PERFORMANCE_GAMES, PgnText, PgnTexts, PlayerSummary, RATING_BAND, Score, ScoreGroup,
    ScoresBy, SearchOptions, Shard, SimilarPlayers, Spelling, Stats, TrainingBatches,
    TrainingCursor, TrainingOptions, TwinDuplicates, rating_difference,
};
pub use snapshot::{ContentSum, HistoryEntry, ImportedSource, is_url, schema};
pub use variants::VariantCounts;
