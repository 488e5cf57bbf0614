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

/// The types of the columns of rows that become a type of the data set, as text, if this type is not one of them. A null
/// of any type is one, so a column without values may have the type of nulls.
pub(crate) fn unfit(found: &DataType, expected: &DataType) -> Option<&'static str> {
    let is_text = |found: &DataType| {
        matches!(found, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
    };
    let found = match found {
        DataType::Dictionary(_, values) => values,
        found => found,
    };
    let is_null = *found == DataType::Null;
    let (fits, types) = match expected {
        DataType::Int16 => (is_text(found) || found.is_integer() || found.is_floating(), "numbers"),
        DataType::Date32 => {
            let is_date =
                matches!(found, DataType::Date32 | DataType::Date64 | DataType::Timestamp(..));
            (is_text(found) || is_date, "dates")
        }
        DataType::Time32(_) => {
            let is_time = matches!(found, DataType::Time32(_) | DataType::Time64(_));
            (is_text(found) || is_time, "times of day")
        }
        _ => (is_text(found), "texts"),
    };
    (!fits && !is_null).then_some(types)
}

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
