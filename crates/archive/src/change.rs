//! The fifth layer: operations that change an archive (import, compaction, removal, merging names, undo, vacuum), and
//! verification.
//!
//! Each change writes its files under unreferenced names, takes the lock, and commits one entry to the log:
//!
//! ```text
//!  games ──▶ row groups ──▶ unfinished files ──▶ publish ──▶ commit (snapshot)
//!            encode.rs      writer.rs            publish.rs
//! ```
//!
//! May import all layers below.

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
pub use self::import::{ImportReport, Importer, LichessGame, LichessRows, OnDuplicates, PgnInput};
pub use self::merge::{MergeReport, PlayerMerge};
pub use self::remove::{MergedTag, RemoveReport, Remover};
pub use self::undo::UndoReport;
pub(crate) use self::undo::{undo, undo_plan};
pub use self::vacuum::VacuumReport;
pub(crate) use self::vacuum::{vacuum, vacuum_plan};
pub(crate) use self::verify::verify;
pub use self::verify::{Problem, VerifyReport};
pub use self::watch::{ChangeWatch, ImportDuplicate};

/// The maximum number of attempts to commit if other programs commit first.
const ATTEMPTS: u32 = 64;
