//! The columns of the data set `Lichess/standard-chess-games` at Hugging Face. May import nothing of the crate.

use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};

/// The origin of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The tag of the same name, as it is written.
    Tag,
    /// A column of the archive.
    Column(&'static str),
    /// The text of the game.
    Movetext,
}

/// The columns of the data set.
pub(crate) const COLUMNS: [(&str, Origin, DataType); 18] = [
    ("Event", Origin::Tag, DataType::Utf8),
    ("Site", Origin::Tag, DataType::Utf8),
    ("White", Origin::Tag, DataType::Utf8),
    ("Black", Origin::Tag, DataType::Utf8),
    ("Result", Origin::Column("result"), DataType::Utf8),
    ("WhiteTitle", Origin::Tag, DataType::Utf8),
    ("BlackTitle", Origin::Tag, DataType::Utf8),
    ("WhiteElo", Origin::Column("white_elo"), DataType::Int16),
    ("BlackElo", Origin::Column("black_elo"), DataType::Int16),
    ("WhiteRatingDiff", Origin::Column("white_rating_diff"), DataType::Int16),
    ("BlackRatingDiff", Origin::Column("black_rating_diff"), DataType::Int16),
    ("UTCDate", Origin::Column("date"), DataType::Date32),
    ("UTCTime", Origin::Column("time_of_day"), DataType::Time32(TimeUnit::Second)),
    ("ECO", Origin::Tag, DataType::Utf8),
    ("Opening", Origin::Tag, DataType::Utf8),
    ("Termination", Origin::Tag, DataType::Utf8),
    ("TimeControl", Origin::Tag, DataType::Utf8),
    ("movetext", Origin::Movetext, DataType::Utf8),
];

/// The schema of the data set `Lichess/standard-chess-games` at Hugging Face, which [`LichessRows`](crate::LichessRows)
/// reads and [`Archive::lichess`](crate::Archive::lichess) makes.
///
/// ```
/// let schema = halfmove_archive::lichess_schema();
/// assert_eq!(schema.field(17).name(), "movetext");
/// ```
pub fn lichess_schema() -> SchemaRef {
    let fields = COLUMNS.iter().map(|(name, _, kind)| Field::new(*name, kind.clone(), true));
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}
