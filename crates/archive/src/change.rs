//! The fifth layer: operations that change an archive, and the one that reads all of it with progress. Importing,
//! compacting, removing, merging names, undoing, deleting old files, verifying.
//!
//! Each change writes its files under names that nothing refers to, takes the lock, and commits one entry to the log:
//!
//! ```text
//!  games ──▶ row groups ──▶ unfinished files ──▶ publish ──▶ commit (snapshot)
//!            encode.rs      writer.rs            publish.rs
//! ```
//!
//! Imports all layers below.

mod compact;
mod derived;
mod encode;
mod import;
mod merge;
mod pages;
mod progress;
mod publish;
mod remove;
mod undo;
mod vacuum;
mod verify;
mod watch;
mod writer;

pub use self::compact::CompactReport;
pub(crate) use self::compact::compact;
pub use self::import::{ImportReport, Importer, OnDuplicates, PgnInput};
pub use self::merge::{MergeReport, PlayerMerge};
pub use self::remove::{MergedTag, RemoveReport, Remover};
pub use self::undo::UndoReport;
pub(crate) use self::undo::{undo, undo_plan};
pub use self::vacuum::VacuumReport;
pub(crate) use self::vacuum::{vacuum, vacuum_plan};
pub(crate) use self::verify::verify;
pub use self::verify::{Problem, VerifyReport};
pub use self::watch::{ChangeWatch, ImportDuplicate};

/// The maximum number of attempts to commit when other programs are faster.
const ATTEMPTS: u32 = 64;
