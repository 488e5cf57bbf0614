//! The fourth layer: queries of an archive, evaluated on its columns. The games of a filter, the opening tree, scores,
//! statistics, players, events, duplicates and whole games each have one file; the other files are parts of these.
//!
//! Imports filters, columns and the snapshot, and nothing that changes an archive.

mod conditions;
mod duplicates;
mod eco;
mod events;
mod explore;
mod facts;
mod games;
mod info;
mod listing;
mod matching;
mod named;
mod names;
mod novelty;
mod order;
mod players;
mod prepared;
mod ratings;
mod score;
mod scores;
mod sides;
mod spellings;
mod stats;
mod tally;

pub use self::duplicates::{
    Differences, Duplicates, ExactDuplicates, NearDuplicates, TwinDuplicates,
};
pub(crate) use self::duplicates::{Original, TEXT, Twin, duplicates, repeated};
pub use self::events::EventSummary;
pub(crate) use self::events::events;
pub(crate) use self::explore::explore;
pub use self::explore::{Details, ExploreOptions, Explorer, ExplorerGame, ExplorerMove};
pub use self::games::{
    ArrowPieces, ArrowWriter, Batches, Games, PgnText, PgnTexts, Shard, TrainingBatches,
    TrainingCursor, TrainingOptions,
};
pub(crate) use self::games::{game, games_of, games_schema};
pub use self::info::Info;
pub(crate) use self::info::info;
pub use self::listing::{GameSummary, MORE_COLUMNS, Matches, SearchOptions};
pub(crate) use self::listing::{count, search, summaries};
pub(crate) use self::matching::Matcher;
pub use self::names::NearName;
pub(crate) use self::names::{letters, names_near};
pub use self::novelty::{NewMove, Novelty};
pub(crate) use self::novelty::{novelty, novelty_among};
pub use self::players::{Likeness, PlayerSummary, SimilarPlayers};
pub(crate) use self::players::{players, similar_players};
pub(crate) use self::prepared::Prepared;
pub use self::ratings::{PERFORMANCE_GAMES, rating_difference};
pub use self::score::Score;
pub(crate) use self::scores::scores;
pub use self::scores::{ScoreGroup, ScoresBy};
pub(crate) use self::spellings::spellings;
pub use self::spellings::{NameSpellings, Spelling};
pub(crate) use self::stats::stats;
pub use self::stats::{RATING_BAND, Stats};
