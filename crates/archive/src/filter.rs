//! The third layer: what a search looks for, as plain values. Conditions on headers, on positions, and on what happens in
//! games; the order of what is found.
//!
//! Imports neither the snapshot nor its columns.

mod openings;
mod period;
mod question;
mod sort;

use halfmove_functions::words::Words;
use halfmove_game::GameResult;
use halfmove_game::openings::EcoCodes;
use halfmove_rules::{AnyPosition, Color, Variant};
use roaring::RoaringTreemap;

pub(crate) use self::openings::Named;
pub use self::openings::opening_roots;
pub(crate) use self::period::Bound;
pub use self::period::{Period, PeriodError};
pub use self::question::{End, EndError, Question};
pub use self::sort::{Sort, SortBy, SortError};
use crate::error::FilterError;

/// Conditions that a game has to meet, all of them. The default has none, so every game meets it.
///
/// # Names
///
/// Names of players, events, sites and openings are found by their words, in any order, without case and accents:
/// `Jose Capablanca` finds `Capablanca, José Raúl`. `tal` finds `Tal, Mikhail` but not `Rozentalis`. Each word that is typed is
/// another word of the name.
///
/// - Words are letters, digits and `_`. Apostrophes are left out, so `okelly` finds `O'Kelly`; all other characters end a word, so
///   `lagrave` finds `Vachier-Lagrave`.
/// - In the name of a player, a single letter is the beginning of a word: `Tal, M` finds `Tal, Mikhail`, `Tal M N` and `Tal,M`.
/// - What stands before a `*` is the beginning of a word: `kasp*`.
///
/// ```
/// use halfmove_archive::{Filter, PlayerResult};
/// use halfmove_rules::Color;
///
/// // What Morphy won with Black against Anderssen before 1860.
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
    /// A position belongs to its game: one of Makruk does not arise in Makpong, though the pieces stand alike, since the
    /// rules by which play goes on from it are others. Chess and Chess960 are the same game here.
    pub position: Option<AnyPosition>,
    /// What else is so in the game: each of these, wherever it is.
    pub questions: Vec<Question>,
    /// The game is of this variant. Here, chess and Chess960 are two variants.
    pub variant: Option<Variant>,
    /// Words of the name of either player. Answers say how the games ended for this player, in a [`Score`](crate::Score).
    pub player: Option<String>,
    /// Words of the name of the other player. Needs [`player`](Self::player).
    pub opponent: Option<String>,
    /// The player had this color. Needs [`player`](Self::player).
    pub color: Option<Color>,
    /// How the game ended for the player. Needs [`player`](Self::player).
    pub player_result: Option<PlayerResult>,
    /// Words of the name of the player of the white pieces.
    pub white: Option<String>,
    /// Words of the name of the player of the black pieces.
    pub black: Option<String>,
    /// Words of the name of the event.
    pub event: Option<String>,
    /// Words of the name of the site.
    pub site: Option<String>,
    /// The tag ECO is one of these codes. A game whose tag is none has the code of its opening, by its positions.
    pub eco: Option<EcoCodes>,
    /// Words of the name of the opening, which is told by the positions of the game, whatever the order of moves:
    /// [`openings`](halfmove_game::openings). `king's indian` finds the King's Indian Defense and its variations.
    pub opening: Option<String>,
    /// The result.
    pub result: Option<GameResult>,
    /// Not before the first day of this period. A game without a complete date is compared by its month, or where that is not
    /// known by its year, and matches if some day of it does.
    pub since: Option<Period>,
    /// Not after the last day of this period. A game without a complete date is compared as above.
    pub until: Option<Period>,
    /// Both players have at least this rating.
    pub min_elo: Option<u16>,
    /// Both players have a rating, and at most this one.
    pub max_elo: Option<u16>,
    /// The game has at least this many half-moves.
    pub min_plies: Option<u32>,
    /// The game has at most this many half-moves.
    pub max_plies: Option<u32>,
    /// The game has one of these ids. Conditions that are evaluated elsewhere, such as those in SQL, enter a search here.
    pub ids: Option<RoaringTreemap>,
}

/// How a game ended for one of its players.
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

    /// True if there is no condition: every game meets the filter.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Also requires one of these ids.
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

    /// Checks the filter. Every method that takes one does this, too.
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
    /// [`FilterError`] names the field at fault.
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
        for question in &self.questions {
            if let Question::Comment(text) = question
                && Words::of_text(text).is_none()
            {
                return Err(FilterError::NoWord { field: "comment", text: text.clone() });
            }
        }
        self.opening.as_deref().map_or(Ok(()), |text| Named::parse(text).map(drop))
    }

    /// The variant that games have to be of, unless the position arises in no other games.
    pub(crate) fn wanted_variant(&self) -> Option<Variant> {
        let position = self.position.as_ref().and_then(AnyPosition::as_makruk);
        let implied = position.map(|position| Variant::from(position.rules()));
        self.variant.filter(|variant| implied != Some(*variant))
    }
}
