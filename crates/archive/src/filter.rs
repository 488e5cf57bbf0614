//! The third layer: the conditions of a search, as plain values: on tags, on positions, and on the course of games; and
//! the order of results.
//!
//! May import neither the snapshot nor its columns.

mod conditions;
mod game_condition;
mod ids;
mod openings;
mod period;
mod sample;
mod sort;

use std::ops::RangeInclusive;

use halfmove_functions::words::Words;
use halfmove_game::openings::EcoCodes;
use halfmove_game::{GameResult, Speed, TimeControl};
use halfmove_rules::{AnyPosition, Color, Variant};
use roaring::RoaringTreemap;

pub use self::conditions::{Condition, ConditionError, ConditionFault, ConditionKind, Conditions};
pub use self::game_condition::{End, EndError, GameCondition, LineCondition};
pub use self::ids::{IdRange, IdRangeError};
pub(crate) use self::openings::Named;
pub use self::openings::opening_roots;
pub(crate) use self::period::Bound;
pub use self::period::{Period, PeriodError};
pub use self::sample::Sample;
pub(crate) use self::sample::mixed;
pub use self::sort::{Sort, SortBy, SortError};
use crate::error::FilterError;

/// Conditions on games. A game matches if it meets all of them. The default has no conditions and matches every game.
///
/// # Names
///
/// Names of players, events, sites and openings are matched by their words, in any order, ignoring case and accents:
/// `Jose Capablanca` finds `Capablanca, José Raúl`. `tal` finds `Tal, Mikhail` but not `Rozentalis`. Each word of the
/// text must match a different word of the name.
///
/// - Words consist of letters, digits and `_`. Apostrophes are ignored, so `okelly` finds `O'Kelly`; all other
///   characters separate words, so `lagrave` finds `Vachier-Lagrave`.
/// - In the name of a player, a single letter matches the beginning of a word: `Tal, M` finds `Tal, Mikhail`, `Tal M N`
///   and `Tal,M`.
/// - A word that ends with `*` matches the beginning of a word: `kasp*`.
///
/// ```
/// use halfmove_archive::{Filter, PlayerResult};
/// use halfmove_rules::Color;
///
/// // The games that Morphy won with Black against Anderssen before 1860.
/// let filter = Filter {
///     player: Some("paul morphy".to_owned()),
///     opponent: Some("Anderssen, A".to_owned()),
///     color: Some(Color::Black),
///     player_result: Some(PlayerResult::Win),
///     until: Some("1859".parse()?),
///     ..Filter::default()
/// };
/// assert_eq!(filter.check(), Ok(()));
/// # Ok::<(), halfmove_archive::PeriodError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filter {
    /// The position arises in the game. Its move counters and, in Makruk, its count do not matter.
    ///
    /// A position belongs to its variant: a Makruk position does not arise in Makpong, even with the same pieces on the
    /// same squares, because the rules differ. Chess and Chess960 are the same variant here.
    pub position: Option<AnyPosition>,
    /// Further conditions on the course of the game. Each may hold at a different ply.
    pub conditions: Vec<GameCondition>,
    /// The game is of this variant. Here, chess and Chess960 are two variants.
    pub variant: Option<Variant>,
    /// Words of the name of either player. Results include a [`Score`](crate::Score) for this player.
    pub player: Option<String>,
    /// Words of the name of the other player. Needs [`player`](Self::player).
    pub opponent: Option<String>,
    /// The player had this color. Needs [`player`](Self::player).
    pub color: Option<Color>,
    /// The result of the game for the player. Needs [`player`](Self::player).
    pub player_result: Option<PlayerResult>,
    /// Words of White's name.
    pub white: Option<String>,
    /// Words of Black's name.
    pub black: Option<String>,
    /// The texts for players must match whole names, ignoring only case, accents and punctuation: `tal, m` matches
    /// `Tal, M.`, but neither `Tal, Mikhail` nor `M. Tal`.
    pub exact_names: bool,
    /// Words of the name of the event.
    pub event: Option<String>,
    /// Words of the name of the site.
    pub site: Option<String>,
    /// The tag ECO is one of these codes. If a game's tag is not a code, that of its opening by positions is used.
    pub eco: Option<EcoCodes>,
    /// Words of the name of the opening, which is determined by the positions of the game, regardless of move order:
    /// [`openings`](halfmove_game::openings). `king's indian` finds the King's Indian Defense and its variations.
    /// In quotation marks, `"King's Indian Defense"`, a text is a whole name: the opening and its variations.
    pub opening: Option<String>,
    /// The speed is one of these, by the tag `TimeControl`; empty for any.
    pub speeds: Vec<Speed>,
    /// The first period of the time control.
    pub time_control: Option<TimeControl>,
    /// The result.
    pub result: Option<GameResult>,
    /// Not before the first day of this period. The date of a game is that of the first of the tags `Date`, `UTCDate`
    /// and `EventDate` with a year. An incomplete date is compared by month, or by year if the month is unknown, and
    /// matches if some day of that month or year does.
    pub since: Option<Period>,
    /// Not after the last day of this period. Incomplete dates are compared in the same way.
    pub until: Option<Period>,
    /// Both players have at least this rating.
    pub min_elo: Option<u16>,
    /// Both players have a rating, and at most this one.
    pub max_elo: Option<u16>,
    /// Both players have a rating, and the mean of both, rounded down, is in one of these ranges; empty for any.
    pub mean_elo: Vec<RangeInclusive<u16>>,
    /// The game has at least this many half-moves.
    pub min_plies: Option<u32>,
    /// The game has at most this many half-moves.
    pub max_plies: Option<u32>,
    /// The game is in this sample of all games.
    pub sample: Option<Sample>,
    /// The game has one of these ids. Conditions that are evaluated elsewhere, such as those in SQL, are passed here.
    pub ids: Option<RoaringTreemap>,
}

/// The result of a game for one of its players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PlayerResult {
    /// The player won.
    Win,
    /// The game was drawn.
    Draw,
    /// The player lost.
    Loss,
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

    /// The same filter, in which the position, the moves and the conditions on the board may also be met in a
    /// variation, each in a different one; `None` if it has none of these conditions.
    ///
    /// ```
    /// use halfmove_archive::{Filter, LineCondition, GameCondition};
    /// use halfmove_rules::Chess;
    ///
    /// let filter = Filter::position(Chess::default()).in_variations();
    /// let anywhere = GameCondition::Anywhere(LineCondition::Position(Chess::default().into()));
    /// assert_eq!(filter.map(|filter| filter.conditions), Some(vec![anywhere]));
    /// assert_eq!(Filter::default().in_variations(), None);
    /// ```
    pub fn in_variations(mut self) -> Option<Self> {
        let position = self.position.take();
        let position = position.map(|it| GameCondition::Anywhere(LineCondition::Position(it)));
        let conditions = self.conditions.into_iter().map(|condition| match condition {
            GameCondition::Board(board) => GameCondition::Anywhere(LineCondition::Board(board)),
            GameCondition::Played(moves) => GameCondition::Anywhere(LineCondition::Played(moves)),
            other => other,
        });
        self.conditions = position.into_iter().chain(conditions).collect();
        let is_anywhere =
            |condition: &GameCondition| matches!(condition, GameCondition::Anywhere(_));
        self.conditions.iter().any(is_anywhere).then_some(self)
    }

    /// Returns true if there are no conditions, so that every game matches.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Restricts the filter to these ids.
    ///
    /// ```
    /// use halfmove_archive::Filter;
    ///
    /// let mut filter = Filter::default();
    /// filter.restrict(1..=10);
    /// filter.restrict([3, 7, 12]);
    /// assert_eq!(filter.ids.map(|ids| ids.iter().collect::<Vec<_>>()), Some(vec![3, 7]));
    /// ```
    pub fn restrict(&mut self, ids: impl IntoIterator<Item = u64>) {
        let ids: RoaringTreemap = ids.into_iter().collect();
        match &mut self.ids {
            Some(known) => *known &= ids,
            none => *none = Some(ids),
        }
    }

    /// Checks the filter. Every method that takes a filter does this, too.
    ///
    /// ```
    /// use halfmove_archive::{Filter, FilterError};
    ///
    /// let filter = Filter { opponent: Some("Tal".to_owned()), ..Filter::default() };
    /// assert_eq!(filter.check(), Err(FilterError::NoPlayer { field: "opponent" }));
    /// ```
    ///
    /// # Errors
    ///
    /// [`FilterError`], with the invalid field.
    pub fn check(&self) -> Result<(), FilterError> {
        let about_the_player = [
            ("opponent", self.opponent.is_some()),
            ("color", self.color.is_some()),
            ("player_result", self.player_result.is_some()),
        ];
        for (field, is_there) in about_the_player {
            if is_there && self.player.is_none() {
                return Err(FilterError::NoPlayer { field });
            }
        }
        let names = [
            ("player", &self.player),
            ("opponent", &self.opponent),
            ("white", &self.white),
            ("black", &self.black),
            ("event", &self.event),
            ("site", &self.site),
        ];
        for (field, text) in names {
            if let Some(text) = text
                && Words::of_name(text).is_none()
            {
                return Err(FilterError::NoWord { field, text: text.clone() });
            }
        }
        for condition in &self.conditions {
            if let GameCondition::Comment(text) = condition
                && Words::of_text(text).is_none()
            {
                return Err(FilterError::NoWord { field: "comment", text: text.clone() });
            }
        }
        self.opening.as_deref().map_or(Ok(()), |text| Named::parse(text).map(drop))
    }

    /// The variant required by the filter, unless the filter's position implies it.
    pub(crate) fn required_variant(&self) -> Option<Variant> {
        let position = self.position.as_ref().and_then(AnyPosition::as_makruk);
        let implied = position.map(|position| Variant::from(position.rules()));
        self.variant.filter(|variant| implied != Some(*variant))
    }
}
