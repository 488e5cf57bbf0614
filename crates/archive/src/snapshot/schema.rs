//! The columns of an archive, defined in this one place.
//!
//! An archive has one row per game. [`COLUMNS`] lists the columns in their order with type, nullability and meaning;
//! the Arrow schema, the Delta schema and the table in the reference are made from it.
//!
//! Columns that can be computed from others, `moves` or the tags, have a version ([`Column::derived`]). The versions of an
//! archive are written into its properties when it is created, so that a later version of this library knows
//! which of them are current and which it has to recompute.

mod growth;

use std::path::Path;
use std::sync::{Arc, LazyLock};

use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef, TimeUnit};
use base64::Engine;
use base64::prelude::BASE64_STANDARD_NO_PAD;
use delta_kernel::schema::{ArrayType, DataType as DeltaType, StructField, StructType};

use halfmove_game::codec::{halfmove, whole};
use halfmove_game::replay::{Signature, SignatureBounds};

pub(crate) use self::growth::{Shape, check_file_columns, conform, fits, fitting};
use crate::error::ArchiveError;

/// The version of the archive format that this library reads and writes, the value of the property `halfmove.format` of the table.
pub const FORMAT: &str = "1";

/// The property of the Delta table that holds the version of the archive format.
pub(crate) const FORMAT_PROPERTY: &str = "halfmove.format";

/// The property of the Delta table that names the codec of the column `moves` and its version.
pub(crate) const CODEC_PROPERTY: &str = "halfmove.codec.moves";

/// The property of the Delta table that names the codec of the columns `annotations`, `clocks` and `evaluations` and its
/// version.
pub(crate) const WHOLE_PROPERTY: &str = "halfmove.codec.annotations";

/// The codecs of columns with bytes: the properties that name them, and their values.
pub(crate) fn codecs() -> [(&'static str, String); 2] {
    let value = |name: &str, version: u32| format!("{name} {version}");
    [
        (CODEC_PROPERTY, value(halfmove::NAME, halfmove::VERSION)),
        (WHOLE_PROPERTY, value(whole::NAME, whole::VERSION)),
    ]
}

/// The properties `halfmove.derived.<column>` hold the versions of the derived columns.
pub(crate) const DERIVED_PREFIX: &str = "halfmove.derived.";

/// The type of a column, common to Delta, Arrow and SQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnType {
    /// 64-bit signed integer: Delta `long`, SQL `BIGINT`.
    Long,
    /// 32-bit signed integer: Delta `integer`, SQL `INT`.
    Int,
    /// Day of the Gregorian calendar: Delta and SQL `date`.
    Date,
    /// 64-bit floating-point number: Delta and SQL `double`.
    Double,
    /// Microsecond in UTC: Delta and SQL `timestamp`.
    Timestamp,
    /// UTF-8 text: Delta `string`, SQL `VARCHAR`.
    Text,
    /// Bytes: Delta `binary`, SQL `BYTEA`.
    Binary,
    /// List of structs of two texts, `name` and `value`.
    Tags,
}

impl ColumnType {
    /// The type in SQL.
    pub const fn sql(self) -> &'static str {
        match self {
            Self::Long => "BIGINT",
            Self::Int => "INT",
            Self::Date => "DATE",
            Self::Double => "DOUBLE",
            Self::Timestamp => "TIMESTAMP",
            Self::Text => "VARCHAR",
            Self::Binary => "BYTEA",
            Self::Tags => "STRUCT[]",
        }
    }
}

/// One column of the table `games`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Column {
    /// Its name in Parquet, Delta and SQL.
    pub name: &'static str,
    /// Its type.
    pub kind: ColumnType,
    /// True if it may be null.
    pub nullable: bool,
    /// For a column that is computed from others (`moves` or the tags), the version of that computation.
    pub derived: Option<u32>,
    /// Its meaning and its unit.
    pub meaning: &'static str,
    /// An example of a value, as text.
    pub example: &'static str,
}

impl Column {
    /// Returns true if it is computed from tags.
    pub(crate) fn is_of_tags(&self) -> bool {
        self.derived.is_some() && !matches!(self.name, "plies" | "signature")
    }
}

/// A column that is computed from tags.
const fn of_tags(
    name: &'static str,
    kind: ColumnType,
    meaning: &'static str,
    example: &'static str,
) -> Column {
    Column { derived: Some(1), ..column(name, kind, true, meaning, example) }
}

const fn column(
    name: &'static str,
    kind: ColumnType,
    nullable: bool,
    meaning: &'static str,
    example: &'static str,
) -> Column {
    Column { name, kind, nullable, derived: None, meaning, example }
}

/// Every column, in order.
///
/// ```
/// use halfmove_archive::schema::COLUMNS;
///
/// assert_eq!(COLUMNS[0].name, "id");
/// assert!(COLUMNS.iter().any(|column| column.name == "plies" && column.derived == Some(0)));
/// ```
pub const COLUMNS: &[Column] = &[
    column(
        "id",
        ColumnType::Long,
        false,
        "number of the game, from 1, in the order of import; never given to another game",
        "42",
    ),
    column("event", ColumnType::Text, true, "tag Event", "New York"),
    column("site", ColumnType::Text, true, "tag Site", "New York USA"),
    column("round", ColumnType::Text, true, "tag Round", "3.1"),
    column("white", ColumnType::Text, true, "tag White", "Capablanca, Jose Raul"),
    column("black", ColumnType::Text, true, "tag Black", "Tartakower, Saviely"),
    of_tags(
        "date",
        ColumnType::Date,
        "date of the game, if it is complete and valid: the first of the tags Date, UTCDate and EventDate with a year",
        "1924-03-23",
    ),
    of_tags("year", ColumnType::Int, "year of that tag, even if month or day are unknown", "1924"),
    column(
        "result",
        ColumnType::Text,
        false,
        "1-0, 0-1, 1/2-1/2 or *: tag Result, else the token that ends the moves, else *",
        "1-0",
    ),
    column("white_elo", ColumnType::Int, true, "tag WhiteElo if it is a number", "2725"),
    column("black_elo", ColumnType::Int, true, "tag BlackElo if it is a number", "2640"),
    column("eco", ColumnType::Text, true, "tag ECO", "A80"),
    column(
        "variant",
        ColumnType::Text,
        false,
        "chess, chess960, makruk, makpong or asean",
        "chess",
    ),
    column(
        "start_fen",
        ColumnType::Text,
        true,
        "FEN of the first position if it is not the variant's standard start",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    ),
    Column {
        derived: Some(0),
        ..column("plies", ColumnType::Int, false, "half-moves of the main line", "103")
    },
    column(
        "moves",
        ColumnType::Binary,
        false,
        "the main line, one byte per half-move, with its start if that is not the standard one",
        "0x2c1b…",
    ),
    column(
        "fault",
        ColumnType::Text,
        true,
        "why the moves end before the text of the game does (the rest is in `annotations`): the reader's error",
        "line 12, column 7: illegal move",
    ),
    column(
        "tag_order",
        ColumnType::Text,
        false,
        "names of all tags in their order, separated by spaces",
        "Event Site Date Round White Black Result ECO",
    ),
    column(
        "other_tags",
        ColumnType::Tags,
        false,
        "tags whose exact text cannot be restored from the columns above, in their order",
        "[{name: Date, value: 1924.??.??}]",
    ),
    column(
        "annotations",
        ColumnType::Binary,
        true,
        "everything else in the text of the game: comments, glyphs, variations, its last token",
        "0x0182046f…",
    ),
    column("clocks", ColumnType::Binary, true, "the clock after each half-move", "0x01…"),
    column("evaluations", ColumnType::Binary, true, "the evaluation of each half-move", "0x01…"),
    Column {
        derived: Some(Signature::VERSION),
        ..column(
            "signature",
            ColumnType::Binary,
            true,
            "facts that let a search skip the game: when each pawn left its first square, and more",
            "0x0104ff…",
        )
    },
    column(
        "source",
        ColumnType::Text,
        true,
        "name of the file that contained the game",
        "season.pgn",
    ),
    of_tags(
        "utc_timestamp",
        ColumnType::Timestamp,
        "tags UTCDate and UTCTime",
        "2022-05-26T13:24:36Z",
    ),
    of_tags("time_control", ColumnType::Text, "tag TimeControl, if it is known", "180+2"),
    of_tags(
        "base_seconds",
        ColumnType::Double,
        "time for the first period of the time control, in seconds",
        "180.0",
    ),
    of_tags(
        "increment_seconds",
        ColumnType::Double,
        "time that each move of this period adds, in seconds",
        "2.0",
    ),
    of_tags(
        "period_moves",
        ColumnType::Int,
        "moves of this period; null if it lasts to the end of the game",
        "40",
    ),
    of_tags(
        "speed",
        ColumnType::Text,
        "ultrabullet, bullet, blitz, rapid, classical or correspondence, by base + 40 increments as on Lichess",
        "blitz",
    ),
    of_tags("termination", ColumnType::Text, "tag Termination", "Time forfeit"),
    of_tags("opening_tag", ColumnType::Text, "tag Opening", "Philidor Defense"),
    of_tags("white_title", ColumnType::Text, "tag WhiteTitle", "GM"),
    of_tags("black_title", ColumnType::Text, "tag BlackTitle", "WIM"),
    of_tags("white_rating_diff", ColumnType::Int, "tag WhiteRatingDiff", "7"),
    of_tags("black_rating_diff", ColumnType::Int, "tag BlackRatingDiff", "-6"),
    of_tags(
        "time_of_day",
        ColumnType::Int,
        "time when the game began, in seconds since midnight: the first of the tags UTCTime and Time that has one, else a time in Date",
        "83400",
    ),
];

/// Names that columns had before, with those that they have now. All of them are computed from tags, and may be null.
///
/// ```
/// use halfmove_archive::schema::{COLUMNS, EARLIER_NAMES};
///
/// let is_column = |name: &str| COLUMNS.iter().any(|column| column.name == name);
/// assert!(EARLIER_NAMES.iter().all(|(earlier, name)| !is_column(earlier) && is_column(name)));
/// ```
pub const EARLIER_NAMES: &[(&str, &str)] =
    &[("utc", "utc_timestamp"), ("base", "base_seconds"), ("increment", "increment_seconds")];

/// True for a column that is computed from tags.
pub(crate) fn is_of_tags(column: &str) -> bool {
    COLUMNS.iter().any(|known| known.name == column && known.is_of_tags())
}

/// The names of all columns, in order.
pub(crate) fn column_names() -> Vec<&'static str> {
    COLUMNS.iter().map(|column| column.name).collect()
}

/// The columns whose minimum and maximum are recorded in the log for each file.
pub(crate) const LOG_STATISTICS: &[&str] =
    &["id", "date", "year", "white_elo", "black_elo", "plies"];

/// The struct fields of an element of `other_tags`.
pub(crate) fn tag_fields() -> Fields {
    Fields::from(vec![
        Field::new("name", DataType::Utf8, false),
        Field::new("value", DataType::Utf8, false),
    ])
}

/// The element of `other_tags`.
pub(crate) fn tag_element() -> Field {
    Field::new("element", DataType::Struct(tag_fields()), false)
}

/// The schema of the Parquet files: Delta's types, which have no views.
pub(crate) fn file_schema() -> SchemaRef {
    static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| schema_of(false));
    Arc::clone(&SCHEMA)
}

/// The schema of [scans](crate::scan): that of the files with texts and bytes as views, which are the fastest to read.
pub fn scan_schema() -> SchemaRef {
    static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| schema_of(true));
    Arc::clone(&SCHEMA)
}

fn schema_of(views: bool) -> SchemaRef {
    let fields = COLUMNS.iter().map(|column| {
        let kind = match column.kind {
            ColumnType::Long => DataType::Int64,
            ColumnType::Int => DataType::Int32,
            ColumnType::Date => DataType::Date32,
            ColumnType::Double => DataType::Float64,
            ColumnType::Timestamp => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
            ColumnType::Text if views => DataType::Utf8View,
            ColumnType::Text => DataType::Utf8,
            ColumnType::Binary if views => DataType::BinaryView,
            ColumnType::Binary => DataType::Binary,
            ColumnType::Tags => DataType::List(Arc::new(tag_element())),
        };
        Field::new(column.name, kind, column.nullable)
    });
    Arc::new(Schema::new(fields.collect::<Fields>()))
}

/// The schema in Delta's own types.
pub(crate) fn delta_schema() -> Result<Arc<StructType>, ArchiveError> {
    let fields = COLUMNS.iter().map(delta_field).collect::<Result<Vec<_>, _>>()?;
    Ok(Arc::new(StructType::try_new(fields)?))
}

/// A column in Delta's own types.
pub(crate) fn delta_field(column: &Column) -> Result<StructField, ArchiveError> {
    let kind = match column.kind {
        ColumnType::Long => DeltaType::LONG,
        ColumnType::Int => DeltaType::INTEGER,
        ColumnType::Date => DeltaType::DATE,
        ColumnType::Double => DeltaType::DOUBLE,
        ColumnType::Timestamp => DeltaType::TIMESTAMP,
        ColumnType::Text => DeltaType::STRING,
        ColumnType::Binary => DeltaType::BINARY,
        ColumnType::Tags => {
            let tag = StructType::try_new([
                StructField::not_null("name", DeltaType::STRING),
                StructField::not_null("value", DeltaType::STRING),
            ])?;
            ArrayType::new(tag, false).into()
        }
    };
    Ok(StructField::new(column.name, kind, column.nullable))
}

/// The properties of the current format.
pub(crate) fn format_properties() -> Vec<(String, String)> {
    let codecs = codecs().map(|(name, value)| (name.to_owned(), value));
    [(FORMAT_PROPERTY.to_owned(), FORMAT.to_owned())].into_iter().chain(codecs).collect()
}

/// The property of a file with the order of its games.
pub(crate) const ORDER_PROPERTY: &str = "halfmove.order";

/// The games of a file are in the order of their ids.
pub(crate) const ORDER_BY_ID: &str = "id";

/// The games of a file are in the order of their moves.
pub(crate) const ORDER_BY_OPENING: &str = "opening";

/// The property of a file with the checksums of its pages: CRC-32 of header and data of each, in their order, in four
/// bytes in little-endian order, in Base64 without padding.
pub(crate) const PAGES_PROPERTY: &str = "halfmove.pages.crc32";

/// The property of a file with the [bounds](SignatureBounds) of the signatures of each row group, in Base64 without
/// padding.
pub(crate) const BOUNDS_PROPERTY: &str = "halfmove.signature.bounds";

/// The bounds of the row groups of a file, as text.
pub(crate) fn bounds_text(bounds: &[SignatureBounds]) -> String {
    let bytes: Vec<u8> = bounds.iter().flat_map(SignatureBounds::to_bytes).collect();
    BASE64_STANDARD_NO_PAD.encode(bytes)
}

/// Reads the text of [`bounds_text`] for a number of row groups.
pub(crate) fn bounds_from(text: &str, groups: usize) -> Option<Vec<SignatureBounds>> {
    let bytes = BASE64_STANDARD_NO_PAD.decode(text).ok()?;
    let (bounds, rest) = bytes.as_chunks::<{ SignatureBounds::BYTES }>();
    let is_whole = rest.is_empty() && bounds.len() == groups;
    is_whole.then(|| bounds.iter().map(SignatureBounds::from_bytes).collect())
}

/// The property of a file with the version of its signatures, and its current value.
pub(crate) fn signature_version() -> (String, String) {
    (format!("{DERIVED_PREFIX}signature"), Signature::VERSION.to_string())
}

/// The properties of each file: how to read its columns, independent of the other files of the archive.
pub(crate) fn file_properties(order: &str) -> Vec<(String, String)> {
    let order = (ORDER_PROPERTY.to_owned(), order.to_owned());
    format_properties().into_iter().chain([order]).chain(derived_properties()).collect()
}

/// Rejects a file whose columns have another encoding. `property` returns the file's properties.
pub(crate) fn check_file<'a>(
    path: &Path,
    property: impl Fn(&str) -> Option<&'a str>,
) -> Result<(), ArchiveError> {
    for (name, expected) in format_properties() {
        // Files of other writers have no properties: those of the table apply.
        let found = property(&name).unwrap_or(&expected);
        if found != expected {
            let found = format!("{found} in the property {name} of a file");
            return Err(ArchiveError::Format { path: path.to_owned(), found, known: FORMAT });
        }
    }
    Ok(())
}

/// The versions of the derived columns.
pub(crate) fn derived_properties() -> impl Iterator<Item = (String, String)> {
    COLUMNS.iter().filter_map(|column| {
        let version = column.derived?;
        Some((format!("{DERIVED_PREFIX}{}", column.name), version.to_string()))
    })
}

/// The properties of a new archive: its format, and the versions of its derived columns.
pub(crate) fn properties() -> Vec<(String, String)> {
    let mut properties =
        vec![("delta.dataSkippingStatsColumns".to_owned(), LOG_STATISTICS.join(","))];
    properties.extend(format_properties());
    properties.extend(derived_properties());
    properties
}
