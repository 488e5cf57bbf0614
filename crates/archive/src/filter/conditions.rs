//! Conditions as texts with names: flags of a command line, parameters of a request, keyword arguments.

mod table;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;
use std::time::SystemTime;

use halfmove_game::Speed;
use halfmove_game::openings::{EcoCodes, EcoError};
use halfmove_game::replay::{
    BoardCondition, MoveSequence, Pattern, PawnFeature, PawnFile, Structure,
};
use halfmove_rules::{AnyPosition, Chess, Color, Repair, Variant};

use super::{End, Filter, GameCondition, IdRange, Period, PlayerResult, Sample};
use crate::error::FilterError;

/// A condition that a text can set: its name and its help.
///
/// ```
/// use halfmove_archive::{Condition, ConditionKind};
///
/// let ended = Condition::named("ended").ok_or("a condition")?;
/// assert!(matches!(ended.kind, ConditionKind::OneOf(["checkmate", ..])));
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Condition {
    /// Its name, in lower case with `_` between words.
    pub name: &'static str,
    /// A word for its value in help, such as `NAME`; empty for a flag.
    pub value: &'static str,
    /// The kind of its value.
    pub kind: ConditionKind,
    /// A line of help.
    pub help: &'static str,
    /// Further help; may be empty.
    pub more: &'static str,
}

/// The kind of the value of a [`Condition`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConditionKind {
    /// A text.
    Text,
    /// Texts, separated by commas.
    List,
    /// A number, or two with a hyphen between them: the first and the last.
    Range,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// `1`, `true`, `yes` or `on`; or `0`, `false`, `no` or `off`.
    Flag,
}

impl Condition {
    /// The conditions on the tags of a game, its length and its id.
    pub const ON_GAMES: &[Self] = table::ON_GAMES;
    /// The conditions on the board, the moves and the comments of a game.
    pub const ON_MOVES: &[Self] = table::ON_MOVES;

    /// All conditions.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        Self::ON_GAMES.iter().chain(Self::ON_MOVES)
    }

    /// The name as an argument of Python or SQL: `as` and `for` are words of both, so they end with `_` there, and games
    /// have an `id`.
    pub fn keyword(&self) -> &'static str {
        match self.name {
            "as" => "as_",
            "for" => "for_",
            "ids" => "id",
            name => name,
        }
    }

    /// The condition with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::all().find(|condition| condition.name == name)
    }
}

/// The error of a condition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {why}")]
#[non_exhaustive]
pub struct ConditionError {
    /// The name of the condition.
    pub name: String,
    /// The reason.
    pub why: ConditionFault,
}

/// The reason why a condition is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConditionFault {
    /// No condition has this name.
    #[error("there is no such condition")]
    Unknown,
    /// The text is no value of the condition.
    #[error("{}", of_value(text, why))]
    Value {
        /// The text.
        text: String,
        /// The reason, with what was expected.
        why: String,
    },
    /// The condition needs another one, which is not set.
    #[error("needs {0}")]
    Needs(&'static str),
    /// The condition excludes another one, which is set.
    #[error("cannot be combined with {0}")]
    Excludes(&'static str),
    /// The upper bound is below the lower one.
    #[error("{most} contradicts {other} {least}")]
    Contradiction {
        /// The upper bound.
        most: String,
        /// The name of the lower bound.
        other: &'static str,
        /// The lower bound.
        least: String,
    },
    /// The filter is invalid.
    #[error(transparent)]
    Filter(FilterError),
}

/// Conditions that are set one by one, and the [`Filter`] that they make.
///
/// ```
/// use std::time::SystemTime;
/// use halfmove_archive::Conditions;
///
/// let mut conditions = Conditions::new(SystemTime::UNIX_EPOCH);
/// conditions.set("player", "Tal, M")?;
/// conditions.set("since", "10y")?;
/// conditions.set("ids", "7,90-99")?;
/// conditions.set("eco", "B90")?;
/// conditions.set("eco", "B92,E6")?;
/// // The archive ends with the game 91.
/// let filter = conditions.build(91)?;
/// assert_eq!(filter.since, Some("1960-01-01".parse()?));
/// assert_eq!(filter.ids.map(|ids| ids.iter().collect()), Some(vec![7, 90, 91]));
/// assert_eq!(filter.eco, Some("B90,B92,E60-E69".parse()?));
///
/// let error = conditions.set("as", "red").unwrap_err();
/// assert_eq!(error.to_string(), "as: \"red\": expected a color: white, black, w or b");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Conditions {
    /// The position of the filter.
    pub position: Option<AnyPosition>,
    /// The variant of the filter.
    pub variant: Option<Variant>,
    texts: BTreeMap<&'static str, String>,
    today: Option<Period>,
    /// The conditions that concern one field, and those on moves and comments.
    filter: Filter,
    years: Option<(Period, Period)>,
    share: Option<f64>,
    seed: u64,
    ids: Option<Vec<IdRange>>,
    board: BoardCondition,
    structure: Option<Structure>,
    in_variations: bool,
}

impl Conditions {
    /// No conditions yet. Relative dates, such as `2y`, count back from the day of this time in UTC.
    pub fn new(now: SystemTime) -> Self {
        let seconds = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
        let today = i32::try_from(seconds / 86_400).ok().and_then(Period::of_day);
        Self { today, ..Self::default() }
    }

    /// Sets a condition. A list that is set again grows, moves and comments that are set again must occur, too; other
    /// conditions have their last value.
    ///
    /// # Errors
    ///
    /// [`ConditionError`] if there is no such condition, or the text is no value of it.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), ConditionError> {
        let Some(condition) = Condition::named(name) else {
            return Err(ConditionError { name: name.to_owned(), why: ConditionFault::Unknown });
        };
        self.take(condition.name, text).map_err(|why| {
            let text = text.to_owned();
            error(condition.name, ConditionFault::Value { text, why })
        })?;
        self.texts.insert(condition.name, text.to_owned());
        Ok(())
    }

    /// Adds ids to those of the games. Without any, no game meets the conditions, while an empty text is no value of `ids`.
    pub fn add_ids(&mut self, ids: impl IntoIterator<Item = IdRange>) {
        self.ids.get_or_insert_default().extend(ids);
    }

    /// Reads a FEN, or `startpos` for the starting position, as the position of a search: in the command line, over HTTP, in
    /// Python and in DuckDB alike. Fields may be missing at its end, and impossible castling rights, en passant
    /// squares and counters are dropped; the repairs list these changes. Without a variant, the castling rights
    /// decide between chess and Chess960.
    ///
    /// ```
    /// use halfmove_archive::Conditions;
    ///
    /// let (position, repairs) = Conditions::start("4k3/8/8/8/8/8/4P3/4K3 b", None)?;
    /// assert_eq!(position.to_string(), "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1");
    /// assert_eq!(repairs.len(), 1);
    /// let error = Conditions::start("x", None).unwrap_err();
    /// assert!(error.to_string().starts_with("fen: \"x\": FEN, placement of pieces"));
    /// # Ok::<(), halfmove_archive::ConditionError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ConditionError`] with the name `fen` if the text is no position, whatever is missing or dropped.
    pub fn start(
        fen: &str,
        variant: Option<Variant>,
    ) -> Result<(AnyPosition, Vec<Repair>), ConditionError> {
        if fen.trim() == "startpos" {
            let start = match variant {
                Some(Variant::Chess960) => Chess::default().into_chess960().into(),
                variant => AnyPosition::start(variant.unwrap_or_default()),
            };
            return Ok((start, Vec::new()));
        }
        let invalid =
            |why: String| error("fen", ConditionFault::Value { text: fen.to_owned(), why });
        match variant {
            Some(variant) => {
                AnyPosition::from_fen_lenient(fen, variant).map_err(|why| invalid(why.to_string()))
            }
            None => Chess::from_fen_lenient(fen, None)
                .map(|(position, repairs)| (position.into(), repairs))
                .map_err(|why| invalid(why.to_string())),
        }
    }

    /// The text of a condition, if it is set.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.texts.get(name).map(String::as_str)
    }

    /// True if no condition is set.
    pub fn is_empty(&self) -> bool {
        self.position.is_none() && self.variant.is_none() && self.texts.is_empty()
    }

    /// The filter of the conditions. Ranges of ids end with the last id of the archive.
    ///
    /// # Errors
    ///
    /// [`ConditionError`] if a condition needs or excludes another one, or no game can match both.
    pub fn build(&self, last_id: i64) -> Result<Filter, ConditionError> {
        self.check()?;
        let mut filter = self.filter.clone();
        filter.position = self.position.clone();
        filter.variant = self.variant;
        if let Some((first, last)) = self.years {
            (filter.since, filter.until) = (Some(first), Some(last));
        }
        filter.sample = self.share.and_then(|share| Sample::new(share, self.seed));
        filter.ids = self.ids.as_ref().map(|ids| IdRange::set(ids, last_id));
        drop(filter.conditions.splice(..0, self.condition()?.map(GameCondition::from)));
        if self.in_variations {
            let needs =
                "a position, moves or a condition on the board, such as moves, played or pattern";
            let found = filter.in_variations();
            filter = found.ok_or_else(|| error("in_variations", ConditionFault::Needs(needs)))?;
        }
        filter.check().map_err(|why| match why {
            FilterError::NoPlayer { field: "color" } => needs("as", "player"),
            FilterError::NoPlayer { field: "player_result" } => needs("result", "player"),
            FilterError::NoPlayer { field } => needs(field, "player"),
            FilterError::NoWord { field, .. } => error(field, ConditionFault::Filter(why)),
            _ => error("opening", ConditionFault::Filter(why)),
        })?;
        Ok(filter)
    }

    /// Checks that an explorer can count the moves of the games: those of main lines.
    ///
    /// # Errors
    ///
    /// [`ConditionError`] if the conditions may hold in variations.
    pub fn check_for_explorer(&self) -> Result<(), ConditionError> {
        let why = "the explorer, which counts the moves of main lines";
        match self.in_variations {
            true => Err(error("in_variations", ConditionFault::Excludes(why))),
            false => Ok(()),
        }
    }

    /// Checks what conditions need and exclude.
    fn check(&self) -> Result<(), ConditionError> {
        let filter = &self.filter;
        let names = [&filter.player, &filter.opponent, &filter.white, &filter.black];
        if filter.exact_names && names.iter().all(|name| name.is_none()) {
            return Err(needs(
                "exact",
                "the name of a player as it is spelled: player, white or black",
            ));
        }
        if self.texts.contains_key("seed") && self.share.is_none() {
            return Err(needs("seed", "sample"));
        }
        let bound = ["since", "until"].into_iter().find(|name| self.texts.contains_key(name));
        if let (Some(_), Some(bound)) = (self.years, bound) {
            return Err(error("year", ConditionFault::Excludes(bound)));
        }
        let is_backward = |least: Option<u32>, most: Option<u32>| least > most && most.is_some();
        let elo = [filter.min_elo, filter.max_elo].map(|elo| elo.map(u32::from));
        let is_before = |(since, until): (Period, Period)| until.is_before(since);
        for (other, name, is_wrong) in [
            ("since", "until", filter.since.zip(filter.until).is_some_and(is_before)),
            ("min_elo", "max_elo", is_backward(elo[0], elo[1])),
            ("min_plies", "max_plies", is_backward(filter.min_plies, filter.max_plies)),
        ] {
            if is_wrong {
                let text = |name| self.text(name).unwrap_or_default().to_owned();
                let (most, least) = (text(name), text(other));
                return Err(error(name, ConditionFault::Contradiction { most, other, least }));
            }
        }
        Ok(())
    }

    /// The conditions on the board, which must hold together. A structure without a side is one of either color.
    fn condition(&self) -> Result<Option<BoardCondition>, ConditionError> {
        let mut condition = self.board.clone();
        if let Some(structure) = self.structure {
            condition.pattern = condition.pattern.and(&structure.pattern());
            condition.either_color |= structure.side.is_none();
        }
        let modifiers = [
            ("either_color", condition.either_color),
            ("mirrored", condition.mirrored),
            ("for", condition.at_least > 0),
            ("final", condition.is_final),
        ];
        let alone = BoardCondition {
            either_color: condition.either_color,
            mirrored: condition.mirrored,
            at_least: condition.at_least,
            is_final: condition.is_final,
            ..BoardCondition::default()
        };
        if condition != alone {
            return Ok(Some(condition));
        }
        match modifiers.into_iter().find(|(_, is_set)| *is_set) {
            Some((name, _)) => {
                Err(needs(name, "a condition on the board, such as pattern, material or isolated"))
            }
            None => Ok(None),
        }
    }

    /// Reads the text of a condition, or returns why it is no value.
    fn take(&mut self, name: &str, text: &str) -> Result<(), String> {
        let filter = &mut self.filter;
        let owned = || Some(text.to_owned());
        match name {
            "player" => filter.player = owned(),
            "opponent" => filter.opponent = owned(),
            "as" => filter.color = Some(parsed::<Color>(text)?),
            "white" => filter.white = owned(),
            "black" => filter.black = owned(),
            "exact" => filter.exact_names = flag(text)?,
            "event" => filter.event = owned(),
            "site" => filter.site = owned(),
            "eco" => {
                let all = filter.eco.map(|others| format!("{others},{text}"));
                let codes = all.as_deref().unwrap_or(text).parse::<EcoCodes>();
                filter.eco = Some(codes.map_err(|why| match why {
                    EcoError::Syntax => format!("{why}; for a name: opening"),
                    _ => why.to_string(),
                })?);
            }
            "opening" => filter.opening = owned(),
            "speed" => filter.speeds.extend(list::<Speed>(text)?),
            "time_control" => filter.time_control = Some(parsed(text)?),
            "result" => {
                let text = text.trim();
                let player_result = match text.to_ascii_lowercase().as_str() {
                    "win" => Some(PlayerResult::Win),
                    "draw" => Some(PlayerResult::Draw),
                    "loss" => Some(PlayerResult::Loss),
                    _ => None,
                };
                let result = text.parse().ok();
                if player_result.is_none() && result.is_none() {
                    let expected =
                        "expected 1-0, 0-1, 1/2-1/2 or *, or for a player: win, draw or loss";
                    return Err(expected.to_owned());
                }
                (filter.result, filter.player_result) = (result, player_result);
            }
            "since" => filter.since = Some(period(self.today, text)?),
            "until" => filter.until = Some(period(self.today, text)?),
            "year" => self.years = Some(years(text)?),
            "min_elo" => filter.min_elo = Some(number(text, u16::MAX)?),
            "max_elo" => filter.max_elo = Some(number(text, u16::MAX)?),
            "min_plies" => filter.min_plies = Some(number(text, u32::MAX)?),
            "max_plies" => filter.max_plies = Some(number(text, u32::MAX)?),
            "sample" => self.share = Some(share(text)?),
            "seed" => self.seed = number(text, u64::MAX)?,
            "ids" => self.ids.get_or_insert_default().extend(list::<IdRange>(text)?),
            "pattern" => self.board.pattern = parsed::<Pattern>(text)?,
            "structure" => self.structure = Some(parsed(text)?),
            "material" => self.board.material = Some(parsed(text)?),
            "imbalance" => self.board.imbalance = Some(parsed(text)?),
            "opposite_bishops" => self.board.opposite_bishops = flag(text)?,
            "pawns" => self.board.pawns = Some(parsed(text)?),
            "isolated" => self.features(text, PawnFeature::Isolated)?,
            "doubled" => self.features(text, PawnFeature::Doubled)?,
            "passed" => self.features(text, PawnFeature::Passed)?,
            "either_color" => self.board.either_color = flag(text)?,
            "mirrored" => self.board.mirrored = flag(text)?,
            "for" => self.board.at_least = number(text, u32::MAX)?,
            "final" => self.board.is_final = flag(text)?,
            "played" => filter.conditions.push(parsed::<MoveSequence>(text)?.into()),
            "comment" => filter.conditions.push(GameCondition::Comment(text.to_owned())),
            "annotated" => {
                filter.conditions.extend(flag(text)?.then_some(GameCondition::Annotated))
            }
            "ended" => filter.conditions.push(GameCondition::Ended(parsed::<End>(text)?)),
            "in_variations" => self.in_variations = flag(text)?,
            _ => return Err("this condition is not read".to_owned()),
        }
        Ok(())
    }

    fn features(&mut self, text: &str, of: fn(PawnFile) -> PawnFeature) -> Result<(), String> {
        self.board.features.extend(list(text)?.into_iter().map(of));
        Ok(())
    }
}

/// A reason with the text that it is about, which most reasons have.
fn of_value(text: &str, why: &str) -> String {
    let quoted = format!("\"{text}\"");
    if why.contains(&quoted) { why.to_owned() } else { format!("{quoted}: {why}") }
}

fn error(name: &str, why: ConditionFault) -> ConditionError {
    ConditionError { name: name.to_owned(), why }
}

fn needs(name: &str, what: &'static str) -> ConditionError {
    error(name, ConditionFault::Needs(what))
}

fn parsed<T: FromStr<Err: Display>>(text: &str) -> Result<T, String> {
    text.trim().parse().map_err(|why: T::Err| why.to_string())
}

/// Values that are separated by commas: at least one.
fn list<T: FromStr<Err: Display>>(text: &str) -> Result<Vec<T>, String> {
    text.split(',').map(parsed).collect()
}

fn number<T: FromStr + Display>(text: &str, most: T) -> Result<T, String> {
    text.trim().parse().map_err(|_| format!("expected a number from 0 to {most}"))
}

fn flag(text: &str) -> Result<bool, String> {
    match text.trim().to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Ok(true),
        "0" | "false" | "no" | "off" => Ok(false),
        _ => Err("expected true or false, or 1 or 0".to_owned()),
    }
}

/// A date, or one relative to today.
fn period(today: Option<Period>, text: &str) -> Result<Period, String> {
    let period = today.map_or_else(|| text.parse(), |today| Period::parse_on(today, text));
    period.map_err(|why| why.to_string())
}

/// The first and the last of some years.
fn years(text: &str) -> Result<(Period, Period), String> {
    let year = |text: &str| -> Result<Period, String> {
        let text = text.trim();
        let is_year = text.len() == 4 && text.bytes().all(|digit| digit.is_ascii_digit());
        let expected = "expected a year or a range of years, such as 1999 or 1990-1995";
        text.parse().ok().filter(|_| is_year).ok_or_else(|| expected.to_owned())
    };
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (year(first)?, year(last)?);
    match last.is_before(first) {
        true => Err(format!("{last} is before {first}")),
        false => Ok((first, last)),
    }
}

/// A share as a percentage, `1%`, or as a number, `0.01`.
fn share(text: &str) -> Result<f64, String> {
    let percent = text.trim().strip_suffix('%');
    let number: Option<f64> = percent.unwrap_or(text).trim().parse().ok();
    let share = number.map(|number| if percent.is_some() { number / 100.0 } else { number });
    share
        // 1 could be everything or one in a hundred.
        .filter(|share| *share > 0.0 && (*share < 1.0 || (percent.is_some() && *share <= 1.0)))
        .ok_or_else(|| "expected a share above 0% and up to 100%, such as 1% or 0.01".to_owned())
}
