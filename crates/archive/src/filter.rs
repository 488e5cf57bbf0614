//! Filters: conditions on headers and on positions.

mod condition;

use halfmove_game::GameResult;
use halfmove_game::replay::Query;
use halfmove_rules::{AnyPosition, Variant};

pub(crate) use self::condition::parse as parse_condition;
use crate::period::Period;

/// Conditions that a game has to meet, all of them. The default has none, so every game meets it.
///
/// Texts may occur anywhere in the tag. Case does not matter, in any alphabet: texts are compared after Unicode's simple
/// case folding, so `οδυσσευς` finds `ΟΔΥΣΣΕΥΣ`. Accents do matter, and so does how they are written.
///
/// ```
/// use halfmove_archive::Filter;
///
/// let filter = Filter {
///     player: Some("morphy".to_owned()),
///     until: Some("1860".parse()?),
///     ..Filter::default()
/// };
/// # Ok::<(), halfmove_archive::PeriodError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filter {
    /// The position arises in the game. Its move counters and, in Makruk, its count do not matter.
    ///
    /// A position belongs to its game: one of Makruk does not arise in Makpong, though the pieces stand alike, since the
    /// rules by which play goes on from it are others. Chess and Chess960 are the same game here.
    pub position: Option<AnyPosition>,
    /// The game is of this variant. Here, chess and Chess960 are two variants.
    pub variant: Option<Variant>,
    /// Part of the name of either player.
    pub player: Option<String>,
    /// Part of the name of the player of the white pieces.
    pub white: Option<String>,
    /// Part of the name of the player of the black pieces.
    pub black: Option<String>,
    /// Part of the name of the event.
    pub event: Option<String>,
    /// Part of the name of the site.
    pub site: Option<String>,
    /// Beginning of the ECO code: `B`, `B9`, `B90`.
    pub eco: Option<String>,
    /// The result.
    pub result: Option<GameResult>,
    /// Not before the first day of this period. A game without a complete date is compared by its year, even if the month is
    /// known, and matches if that year may fall within the bound.
    pub since: Option<Period>,
    /// Not after the last day of this period. A game without a complete date is compared by its year, as above.
    pub until: Option<Period>,
    /// Both players have at least this rating.
    pub min_elo: Option<u16>,
    /// A condition in SQL over the columns of the table, as after `WHERE`: `plies > 100 AND eco LIKE 'B9%'`.
    pub condition: Option<String>,
}

impl Filter {
    /// A filter for games in which a position arises.
    ///
    /// ```
    /// use halfmove_archive::Filter;
    /// use halfmove_rules::Makruk;
    ///
    /// let filter = Filter::position(Makruk::default());
    /// assert_eq!(filter.position, Some(Makruk::default().into()));
    /// ```
    pub fn position(position: impl Into<AnyPosition>) -> Self {
        Self { position: Some(position.into()), ..Self::default() }
    }

    /// Whether there is no condition: every game meets the filter.
    pub fn is_empty(&self) -> bool {
        self.position.is_none() && self.condition.is_none() && self.conditions().is_empty()
    }

    /// The question about a position that the kernel answers.
    pub(crate) fn query(&self) -> Option<Query> {
        self.position.as_ref().map(Query::new)
    }

    /// The variant that games have to be of, unless the position arises in no other games.
    pub(crate) fn wanted_variant(&self) -> Option<Variant> {
        let position = self.position.as_ref().and_then(AnyPosition::as_makruk);
        let implied = position.map(|position| Variant::from(position.rules()));
        self.variant.filter(|variant| implied != Some(*variant))
    }
}
