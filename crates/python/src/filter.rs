//! Conditions on games as keyword arguments: the table of [`Condition`]s, a position, and a condition in SQL.

use std::ffi::CString;
use std::ops::RangeInclusive;
use std::time::SystemTime;

use halfmove_archive::halfmoves::Plies;
use halfmove_archive::{Condition, ConditionError, ConditionKind, Conditions, Filter};
use halfmove_game::movetext;
use halfmove_rules::{AnyPosition, Variant};
use pyo3::exceptions::{PyTypeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyDict, PyRange, PyRangeMethods, PyString};

use crate::board::{Board, variant_of};
use crate::error::of_movetext;
use crate::moves::PyMove;

/// The conditions besides those of the table, with a line of help.
const OTHERS: [(&str, &str); 4] = [
    ("fen", "A position of the game: a FEN or a Board"),
    (
        "moves",
        "The moves to a position of the game, from the start or from fen: \"e4 c5\", or a list",
    ),
    ("variant", "The variant: chess, chess960, makruk, makpong or asean"),
    ("where", "Any condition in SQL: \"plies > 100\""),
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

    /// Returns an error if arguments remain.
    pub(crate) fn end(&self) -> PyResult<()> {
        let Some(rest) = &self.rest else { return Ok(()) };
        let Some(name) = rest.keys().into_iter().next() else { return Ok(()) };
        Err(PyTypeError::new_err(format!(
            "no condition {name}: expected {}",
            names().collect::<Vec<_>>().join(", ")
        )))
    }
}

/// The names of all keyword arguments.
fn names() -> impl Iterator<Item = &'static str> {
    OTHERS.into_iter().map(|(name, _)| name).chain(Condition::all().map(Condition::keyword))
}

/// The table of conditions: for each, its name as a keyword argument, the kind of its value, and a line of help.
#[pyfunction]
pub(crate) fn condition_table() -> Vec<(&'static str, &'static str, &'static str)> {
    let others = OTHERS.into_iter().map(|(name, help)| (name, "text", help));
    let conditions = Condition::all().map(|condition| {
        let kind = match condition.kind {
            ConditionKind::Flag => "flag",
            ConditionKind::List => "list",
            ConditionKind::Range => "range",
            _ => "text",
        };
        (condition.keyword(), kind, condition.help)
    });
    others.chain(conditions).collect()
}

/// The text of a value of a condition, as the command line takes it. `None` for a list without items.
fn text_of(condition: &Condition, value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let text = match condition.kind {
        ConditionKind::Flag if !value.is_instance_of::<PyString>() => {
            u8::from(value.is_truthy()?).to_string()
        }
        ConditionKind::List => listed(value)?,
        ConditionKind::Range if value.is_instance_of::<PyRange>() => listed(value)?,
        // python-chess's names of the colors.
        _ if condition.name == "as" && value.is_instance_of::<PyBool>() => {
            if value.is_truthy()? { "white" } else { "black" }.to_owned()
        }
        _ if is_several(value) => {
            let expected = match condition.kind {
                ConditionKind::Range => "one value or a range, as in range(1990, 2000)",
                _ => "one value",
            };
            return Err(PyTypeError::new_err(format!(
                "{}: expected {expected}; the argument where has any condition in SQL",
                condition.keyword()
            )));
        }
        _ => value.str()?.to_string(),
    };
    let is_empty_list =
        condition.kind == ConditionKind::List && text.is_empty() && is_several(value);
    Ok((!is_empty_list).then_some(text))
}

/// Returns true for lists, ranges and the like.
fn is_several(value: &Bound<'_, PyAny>) -> bool {
    !value.is_instance_of::<PyString>() && value.try_iter().is_ok()
}

/// The text of a value, of a range, or of a list of them, with commas between its items.
fn listed(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(range) = value.cast::<PyRange>()
        && range.step()? == 1
    {
        let (first, end) = (range.start()?, range.stop()?);
        return Ok(if first < end { format!("{first}-{}", end - 1) } else { String::new() });
    }
    if !is_several(value) {
        return Ok(value.str()?.to_string());
    }
    let items = value.try_iter()?.map(|item| listed(&item?));
    let items: Vec<String> = items.collect::<PyResult<_>>()?;
    Ok(items
        .iter()
        .filter(|item| !item.is_empty())
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(","))
}

/// Where ranges with steps end at the latest: many times the longest game that the 75-move rule allows.
const MANY_PLIES: u32 = 1 << 20;

/// The half-moves of the argument `ply`: a number, a range, a list of them, or a text such as `1,20-39,101-`; all without it. The
/// end of a range may lie beyond the last half-move of any game.
pub(crate) fn plies_of(ply: Option<&Bound<'_, PyAny>>) -> PyResult<Plies> {
    let Some(ply) = ply else { return Ok(Plies::all()) };
    let mut ranges = Vec::new();
    add_plies(&mut ranges, ply)?;
    Ok(Plies::of(ranges))
}

fn add_plies(ranges: &mut Vec<RangeInclusive<u32>>, ply: &Bound<'_, PyAny>) -> PyResult<()> {
    if let Ok(range) = ply.cast::<PyRange>() {
        return add_range(ranges, range);
    }
    let is_bytes = ply.is_instance_of::<PyBytes>() || ply.is_instance_of::<PyByteArray>();
    if is_several(ply) && !is_bytes {
        return ply.try_iter()?.try_for_each(|item| add_plies(ranges, &item?));
    }
    ranges.extend_from_slice(read_plies(ply, ply)?.ranges());
    Ok(())
}

/// Adds the numbers of a range, whose ends may be any numbers of Python.
fn add_range(ranges: &mut Vec<RangeInclusive<u32>>, range: &Bound<'_, PyRange>) -> PyResult<()> {
    if !range.is_truthy()? {
        return Ok(());
    }
    let ascending = match range.getattr("step")?.lt(0)? {
        true => range.get_item(range.py().eval(c"slice(None, None, -1)", None, None)?)?,
        false => range.clone().into_any(),
    };
    let start = ascending.getattr("start")?;
    if start.lt(1)? {
        return read_plies(&start, range).map(drop);
    }
    // What is too large for the type is too large for a game.
    let number =
        |name: &str| ascending.getattr(name).map(|it| it.extract::<u32>().unwrap_or(u32::MAX));
    let (start, stop, step) = (number("start")?, number("stop")?, number("step")?);
    if step == 1 {
        ranges.push(start..=stop - 1);
    } else {
        let plies = (start..stop.min(MANY_PLIES)).step_by(step as usize);
        ranges.extend(plies.map(|ply| ply..=ply));
    }
    Ok(())
}

/// The half-moves of a text or a number, with `given` in the error.
fn read_plies(ply: &Bound<'_, PyAny>, given: &Bound<'_, PyAny>) -> PyResult<Plies> {
    let shown = given.repr()?;
    let plies = ply.str()?.to_string().parse::<Plies>();
    plies.map_err(|why| PyValueError::new_err(format!("ply: {shown}: {why}")))
}

fn invalid(error: &ConditionError) -> PyErr {
    let name = Condition::named(&error.name)
        .map_or_else(|| error.name.clone(), |c| c.keyword().to_string());
    PyValueError::new_err(format!("{name}: {}", error.why))
}

/// The conditions of a call.
pub(crate) struct Selection {
    conditions: Conditions,
    /// The position of `fen` and `moves`, or the start of the variant.
    pub(crate) position: AnyPosition,
    /// A condition in SQL.
    pub(crate) sql: Option<String>,
}

impl Selection {
    /// The conditions among the arguments of a call, which has no others.
    pub(crate) fn of(given: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let words = Keywords::of(given)?;
        let (position, is_given, variant) = position(&words)?;
        let mut conditions = Conditions::new(SystemTime::now());
        conditions.position = is_given.then(|| position.clone());
        conditions.variant = variant;
        for condition in Condition::all() {
            if let Some(value) = words.take(condition.keyword())? {
                match text_of(condition, &value)? {
                    Some(text) => {
                        conditions.set(condition.name, &text).map_err(|error| invalid(&error))?;
                    }
                    // No ids are those of no game; another list without values is no condition.
                    None if condition.name == "ids" => conditions.add_ids([]),
                    None => {}
                }
            }
        }
        let sql = words.text("where")?;
        words.end()?;
        Ok(Self { conditions, position, sql })
    }

    /// The filter, without the condition in SQL, for an archive with this last id.
    pub(crate) fn filter(&self, last_id: i64) -> PyResult<Filter> {
        self.conditions.build(last_id).map_err(|error| invalid(&error))
    }

    /// Refuses conditions on variations, whose moves an explorer does not count.
    pub(crate) fn check_for_explorer(&self) -> PyResult<()> {
        self.conditions.check_for_explorer().map_err(|error| invalid(&error))
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
                let start = Conditions::start(&fen.extract::<String>()?, variant);
                let (position, repairs) = start.map_err(|error| invalid(&error))?;
                for repair in repairs {
                    warn(fen.py(), &format!("fen: {repair}"))?;
                }
                position
            }
        },
    };
    if let Some(moves) = words.take("moves")? {
        is_given = true;
        play(&mut position, &moves)?;
    }
    Ok((position, is_given, variant))
}

/// Warns the caller.
fn warn(py: Python<'_>, text: &str) -> PyResult<()> {
    let category = py.get_type::<PyUserWarning>();
    PyErr::warn(py, &category, &CString::new(text)?, 1)
}

/// Plays moves: a text such as `1. e4 e5 2. Nf3`, or a list of texts or moves.
fn play(position: &mut AnyPosition, moves: &Bound<'_, PyAny>) -> PyResult<()> {
    if let Ok(text) = moves.extract::<String>() {
        return play_text(position, &text);
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
    *position = movetext::play(position.clone(), text).map_err(of_movetext)?;
    Ok(())
}
