//! Conditions on games as keyword arguments, named as the flags of the command line, with `_` for `-`.

use std::str::FromStr;
use std::time::SystemTime;

use halfmove_archive::{End, Filter, IdRange, Period, PlayerResult, Question, Sample};
use halfmove_functions::literals;
use halfmove_game::replay::{BoardQuestion, MoveSequence, Pattern, PawnFeature, Structure};
use halfmove_rules::{AnyPosition, Color, Variant};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::board::{Board, variant_of};
use crate::moves::PyMove;

/// The names of the conditions. `as` and `for` are words of Python, so they end with `_` here.
pub(crate) const CONDITIONS: [&str; 45] = [
    "fen",
    "moves",
    "variant",
    "player",
    "opponent",
    "as_",
    "white",
    "black",
    "exact",
    "event",
    "site",
    "eco",
    "opening",
    "speed",
    "time_control",
    "result",
    "since",
    "until",
    "year",
    "min_elo",
    "max_elo",
    "min_plies",
    "max_plies",
    "sample",
    "seed",
    "id",
    "where",
    "pattern",
    "structure",
    "material",
    "imbalance",
    "opposite_bishops",
    "pawns",
    "isolated",
    "doubled",
    "passed",
    "either_color",
    "mirrored",
    "for_",
    "final",
    "played",
    "ended",
    "comment",
    "annotated",
    "in_variations",
];

/// The keyword arguments of a call, each taken once.
pub(crate) struct Keywords<'py> {
    rest: Option<Bound<'py, PyDict>>,
}

impl<'py> Keywords<'py> {
    /// The arguments of a call.
    pub(crate) fn of(given: Option<&Bound<'py, PyDict>>) -> PyResult<Self> {
        Ok(Self { rest: given.map(|given| given.copy()).transpose()? })
    }

    /// An argument; `None` counts as absent.
    fn take(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(rest) = &self.rest else { return Ok(None) };
        let Some(value) = rest.get_item(name)? else { return Ok(None) };
        rest.del_item(name)?;
        Ok((!value.is_none()).then_some(value))
    }

    /// An argument as text: a number and a date are their texts.
    fn text(&self, name: &str) -> PyResult<Option<String>> {
        self.take(name)?.map(|value| Ok(value.str()?.to_string())).transpose()
    }

    /// True if the argument is true.
    fn flag(&self, name: &str) -> PyResult<bool> {
        self.take(name)?.map_or(Ok(false), |value| value.is_truthy())
    }

    /// An argument in the syntax of the command line.
    fn parsed<T: FromStr<Err: std::fmt::Display>>(&self, name: &str) -> PyResult<Option<T>> {
        self.text(name)?.map(|text| parse(name, &text)).transpose()
    }

    /// An argument that is a value or several.
    fn list<T: FromStr<Err: std::fmt::Display>>(&self, name: &str) -> PyResult<Vec<T>> {
        let Some(value) = self.take(name)? else { return Ok(Vec::new()) };
        texts(&value)?.iter().map(|text| parse(name, text)).collect()
    }

    /// Returns an error if arguments remain.
    pub(crate) fn end(&self) -> PyResult<()> {
        let Some(rest) = &self.rest else { return Ok(()) };
        let Some(name) = rest.keys().into_iter().next() else { return Ok(()) };
        Err(PyTypeError::new_err(format!(
            "no condition {name}: expected {}",
            CONDITIONS.join(", ")
        )))
    }
}

/// The texts of a value or of several.
fn texts(value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if let Ok(text) = value.extract::<String>() {
        return Ok(text.split(',').map(|part| part.trim().to_owned()).collect());
    }
    match value.try_iter() {
        Ok(values) => values.map(|value| Ok(value?.str()?.to_string())).collect(),
        Err(_) => Ok(vec![value.str()?.to_string()]),
    }
}

fn parse<T: FromStr<Err: std::fmt::Display>>(name: &str, text: &str) -> PyResult<T> {
    text.parse().map_err(|error| invalid(name, text, &error))
}

fn invalid(name: &str, text: &str, why: &dyn std::fmt::Display) -> PyErr {
    PyValueError::new_err(format!("{name}=\"{text}\": {why}"))
}

/// The conditions of a call. Those that need the archive are separate.
pub(crate) struct Conditions {
    /// All conditions but `id` and `where`.
    pub(crate) filter: Filter,
    /// The position of `fen` and `moves`, or the start of the variant.
    pub(crate) position: AnyPosition,
    /// The ids of games, which need the archive, too.
    pub(crate) ids: Option<Vec<IdRange>>,
    /// A condition in SQL.
    pub(crate) sql: Option<String>,
}

impl Conditions {
    /// The conditions among the arguments.
    pub(crate) fn of(words: &Keywords<'_>) -> PyResult<Self> {
        let (position, is_given, variant) = position(words)?;
        let (result, player_result) = match words.text("result")? {
            None => (None, None),
            Some(text) => match text.to_ascii_lowercase().as_str() {
                "win" => (None, Some(PlayerResult::Win)),
                "draw" => (None, Some(PlayerResult::Draw)),
                "loss" => (None, Some(PlayerResult::Loss)),
                _ => (Some(parse("result", &text)?), None),
            },
        };
        let (since, until) = match words.text("year")? {
            Some(years) => years_of(&years)?,
            None => (period(words, "since")?, period(words, "until")?),
        };
        let seed = words.parsed("seed")?.unwrap_or(0);
        let sample = words.take("sample")?.map(|share| share_of(&share)).transpose()?;
        let mut filter = Filter {
            position: is_given.then(|| position.clone()),
            questions: questions(words)?,
            variant,
            player: words.text("player")?,
            opponent: words.text("opponent")?,
            color: words.text("as_")?.map(|text| color(&text)).transpose()?,
            player_result,
            white: words.text("white")?,
            black: words.text("black")?,
            exact_names: words.flag("exact")?,
            event: words.text("event")?,
            site: words.text("site")?,
            eco: words.parsed("eco")?,
            opening: words.text("opening")?,
            speeds: words.list("speed")?,
            time_control: words.parsed("time_control")?,
            result,
            since,
            until,
            min_elo: words.parsed("min_elo")?,
            max_elo: words.parsed("max_elo")?,
            mean_elo: Vec::new(),
            min_plies: words.parsed("min_plies")?,
            max_plies: words.parsed("max_plies")?,
            sample: sample.and_then(|share| Sample::new(share, seed)),
            ids: None,
        };
        if words.flag("in_variations")? {
            filter = filter.in_variations().ok_or_else(|| {
                let needs =
                    "in_variations needs a position, moves or a condition on the board: moves, played, pattern …";
                PyValueError::new_err(needs)
            })?;
        }
        filter.check().map_err(|error| PyValueError::new_err(error.to_string()))?;
        let ids = words.take("id")?.map(|ids| ids_of(&ids)).transpose()?;
        Ok(Self { filter, position, ids, sql: words.text("where")? })
    }
}

/// The position of `fen` and `moves`, true if one of them is given, and the variant, if it is named.
fn position(words: &Keywords<'_>) -> PyResult<(AnyPosition, bool, Option<Variant>)> {
    let variant = words.text("variant")?.map(|name| variant_of(&name)).transpose()?;
    let fen = words.take("fen")?;
    let mut is_given = fen.is_some();
    let mut position = match &fen {
        None => AnyPosition::start(variant.unwrap_or_default()),
        Some(fen) => match fen.extract::<Board>() {
            Ok(board) => board.position().clone(),
            Err(_) => {
                let fen = fen.extract::<String>()?;
                let read = literals::position(&fen, variant.map(Variant::name));
                read.map_err(|error| PyValueError::new_err(error.to_string()))?
            }
        },
    };
    if let Some(moves) = words.take("moves")? {
        is_given = true;
        play(&mut position, &moves)?;
    }
    Ok((position, is_given, variant))
}

/// Plays moves: a text such as `1. e4 e5 2. Nf3`, or a list of texts or moves.
fn play(position: &mut AnyPosition, moves: &Bound<'_, PyAny>) -> PyResult<()> {
    if let Ok(text) = moves.extract::<String>() {
        for word in text.split_whitespace() {
            let word = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
            let (word, is_number) = match word.strip_prefix('.') {
                Some(rest) => (rest.trim_start_matches('.'), true),
                None => (word, false),
            };
            if !(word.is_empty() && is_number) {
                play_text(position, word)?;
            }
        }
        return Ok(());
    }
    for mv in moves.try_iter()? {
        let mv = mv?;
        match mv.extract::<PyMove>() {
            Ok(mv) => {
                let mv = mv.require(position)?;
                position.play_unchecked(mv);
            }
            Err(_) => play_text(position, &mv.extract::<String>()?)?,
        }
    }
    Ok(())
}

fn play_text(position: &mut AnyPosition, text: &str) -> PyResult<()> {
    let read =
        position.parse_san(text).or_else(|error| position.parse_uci(text).map_err(|_| error));
    let mv = read.map_err(|error| crate::error::of_san(error, text, position))?;
    position.play_unchecked(mv);
    Ok(())
}

fn color(text: &str) -> PyResult<Color> {
    match text.to_ascii_lowercase().as_str() {
        // True and False are python-chess's names of the colors.
        "white" | "w" | "true" => Ok(Color::White),
        "black" | "b" | "false" => Ok(Color::Black),
        _ => Err(invalid("as_", text, &"expected white or black")),
    }
}

/// A date, or one relative to today in UTC.
fn period(words: &Keywords<'_>, name: &str) -> PyResult<Option<Period>> {
    let Some(text) = words.text(name)? else { return Ok(None) };
    let seconds = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let today = i32::try_from(seconds.as_secs() / 86_400).ok().and_then(Period::of_day);
    let period = today.map_or_else(|| text.parse(), |today| Period::parse_on(today, &text));
    period.map(Some).map_err(|error| invalid(name, &text, &error))
}

/// The first and the last of some years.
fn years_of(text: &str) -> PyResult<(Option<Period>, Option<Period>)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let year = |year: &str| -> PyResult<Period> {
        let is_year = year.len() == 4 && year.bytes().all(|digit| digit.is_ascii_digit());
        year.parse().ok().filter(|_| is_year).ok_or_else(|| {
            invalid(
                "year",
                text,
                &"expected a year or a range of years, such as 1999 or \"1990-1995\"",
            )
        })
    };
    Ok((Some(year(first)?), Some(year(last)?)))
}

/// A share: 0.01 or `1%`.
fn share_of(value: &Bound<'_, PyAny>) -> PyResult<f64> {
    let share = match value.extract::<f64>() {
        Ok(share) => Some(share),
        Err(_) => {
            let text = value.str()?.to_string();
            let percent =
                text.strip_suffix('%').and_then(|percent| percent.trim().parse::<f64>().ok());
            percent.map(|percent| percent / 100.0)
        }
    };
    share.filter(|share| *share > 0.0 && *share <= 1.0).ok_or_else(|| {
        PyValueError::new_err(
            "sample: expected a share above 0 and up to 1, such as 0.01 or \"1%\"",
        )
    })
}

/// Ids: a number, several, or the text of the command line, `42,7,10-20`.
fn ids_of(value: &Bound<'_, PyAny>) -> PyResult<Vec<IdRange>> {
    texts(value)?.iter().map(|text| parse("id", text)).collect()
}

/// The conditions on boards, moves and comments.
fn questions(words: &Keywords<'_>) -> PyResult<Vec<Question>> {
    let mut features = Vec::new();
    features.extend(words.list("isolated")?.into_iter().map(PawnFeature::Isolated));
    features.extend(words.list("doubled")?.into_iter().map(PawnFeature::Doubled));
    features.extend(words.list("passed")?.into_iter().map(PawnFeature::Passed));
    let structure: Option<Structure> = words.parsed("structure")?;
    let pattern: Pattern = words.parsed("pattern")?.unwrap_or_default();
    let conditions = BoardQuestion {
        pattern: match structure {
            Some(structure) => pattern.and(&structure.pattern()),
            None => pattern,
        },
        material: words.parsed("material")?,
        imbalance: words.parsed("imbalance")?,
        opposite_bishops: words.flag("opposite_bishops")?,
        pawns: words.parsed("pawns")?,
        features,
        ..BoardQuestion::default()
    };
    let question = BoardQuestion {
        either_color: words.flag("either_color")? || structure.is_some_and(|it| it.side.is_none()),
        mirrored: words.flag("mirrored")?,
        at_least: words.parsed("for_")?.unwrap_or(0),
        is_final: words.flag("final")?,
        ..conditions.clone()
    };
    let mut questions: Vec<Question> = Vec::new();
    if conditions != BoardQuestion::default() {
        questions.push(question.into());
    } else if question != conditions {
        return Err(PyValueError::new_err(
            "either_color, mirrored, for_ and final need a condition on the board, such as pattern, material or isolated",
        ));
    }
    questions.extend(words.parsed::<MoveSequence>("played")?.map(Question::from));
    questions.extend(words.text("comment")?.map(Question::Comment));
    questions.extend(words.flag("annotated")?.then_some(Question::Annotated));
    questions.extend(words.parsed::<End>("ended")?.map(Question::Ended));
    Ok(questions)
}
