//! The order of games in a list.

/// A sort order of games. Games without the value come last; games with equal values are ordered by id.
///
/// ```
/// use halfmove_archive::{Sort, SortBy};
///
/// // The newest first.
/// let sort: Sort = "-date".parse()?;
/// assert_eq!(sort, Sort { by: SortBy::Date, is_descending: true });
/// assert_eq!(sort.to_string(), "-date");
/// # Ok::<(), halfmove_archive::SortError>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sort {
    /// The value to sort by.
    pub by: SortBy,
    /// True for descending order.
    pub is_descending: bool,
}

/// The value to sort by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SortBy {
    /// By id.
    #[default]
    Id,
    /// By date, and within a day by the time in the tags `UTCDate` and `UTCTime`, otherwise in `UTCTime` or `Time`. A
    /// year alone comes before its first day.
    Date,
    /// By the mean of both ratings, if both are known. `elo` is an alias.
    Rating,
    /// By the number of half-moves.
    Plies,
    /// By the words of White's name, ignoring case and accents.
    White,
    /// By the words of Black's name.
    Black,
    /// By the result: wins of White, draws, wins of Black.
    Result,
    /// By the tag `ECO`.
    Eco,
    /// By the words of the event.
    Event,
}

impl SortBy {
    /// All values to sort by.
    pub const ALL: [Self; 9] = [
        Self::Id,
        Self::Date,
        Self::Rating,
        Self::Plies,
        Self::White,
        Self::Black,
        Self::Result,
        Self::Eco,
        Self::Event,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Date => "date",
            Self::Rating => "rating",
            Self::Plies => "plies",
            Self::White => "white",
            Self::Black => "black",
            Self::Result => "result",
            Self::Eco => "eco",
            Self::Event => "event",
        }
    }
}

/// The error for a text that is not an order.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "games are not sorted by \"{text}\": expected id, date, rating, plies, white, black, result, eco or event, or the same \
     after a - for the largest first"
)]
pub struct SortError {
    text: String,
}

impl std::str::FromStr for Sort {
    type Err = SortError;

    fn from_str(text: &str) -> Result<Self, SortError> {
        let name = text.strip_prefix('-');
        let is_descending = name.is_some();
        let name = match name.unwrap_or(text) {
            "elo" => SortBy::Rating.name(),
            name => name,
        };
        let by = SortBy::ALL.into_iter().find(|by| by.name() == name);
        let by = by.ok_or_else(|| SortError { text: text.to_owned() })?;
        Ok(Self { by, is_descending })
    }
}

impl std::fmt::Display for Sort {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", if self.is_descending { "-" } else { "" }, self.by.name())
    }
}
