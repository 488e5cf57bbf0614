//! `halfmove search`: the games that reach a position or meet other conditions.

use super::export;
use crate::archive::{self, Selection, Spellings};
use crate::args::{Format, GamesFormat, Search};
use crate::listing::{Column, Listing};
use crate::output::{self, Advised, Answer, Listed, Rows, counted, grouped};
use crate::{Done, score};
use anyhow::anyhow;
use halfmove_archive::schema::{self, ColumnType};
use halfmove_archive::{
    Archive, ArchiveError, Filter, FilterError, GameSummary, MORE_COLUMNS, Matches, SearchOptions,
    Sort, SortBy,
};
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::time::Instant;

pub(crate) fn run(args: Search) -> anyhow::Result<Done> {
    let clock = Instant::now();
    let table = GamesFormat::Listed(Format::Table);
    let requested = args.to.format(args.format)?.unwrap_or(table);
    check(&args, requested)?;
    args.to.check(&args.archive)?;
    let conditions = Selection::new(args.filter, &args.position)?.with_ids(&args.ids.id);
    let archive = archive::open_for_one_search(&args.archive)?;
    archive::note_unknown_ids(&archive, &args.ids.id)?;
    let filter = conditions.on(&archive)?;
    if args.count {
        let GamesFormat::Listed(format) = requested else {
            let error = anyhow!("--count --format pgn: a number is not PGN");
            return Err(Advised::new(error, "leave out one of them").into());
        };
        let count = archive.count(&filter)?;
        let (done, names) = noted(&archive, &filter, count)?;
        let rows = Rows::new(&["count"], &["count"], vec![vec![count.to_string()]]);
        if format == Format::Table && args.to.file().is_none() {
            output::line(count)?;
        } else {
            let answer = Answer { rows: &rows, closing: "", list: None };
            output::deliver(&args.to, format, &answer, || {
                let mut answer = json!({ "count": count });
                names.add(&mut answer);
                answer
            })?;
        }
        return Ok(done);
    }
    let columns = match (args.columns, requested) {
        (Some(columns), _) => columns,
        (None, GamesFormat::Listed(Format::Table)) => usual(&filter, args.sort.by),
        (None, _) => NAMES.iter().map(|name| (*name).to_owned()).collect(),
    };
    let mut options = SearchOptions::first(args.limit.most(requested == table));
    (options.offset, options.sort) = (args.offset, args.sort);
    let is_all = options.limit == usize::MAX && args.offset == 0 && args.sort == Sort::default();
    if requested == GamesFormat::Pgn && is_all {
        return export::matching(&archive, &filter, &args.to);
    }
    options.columns = columns.iter().filter(|name| known(name).is_none()).cloned().collect();
    let found = archive.search_with(&filter, &options).map_err(advised)?;
    let (done, names) = noted(&archive, &filter, found.count)?;

    let format = match requested {
        GamesFormat::Listed(format) => format,
        GamesFormat::Pgn => {
            let ids: Vec<i64> = found.games.iter().map(|game| game.id).collect();
            return if ids.is_empty() { Ok(done) } else { export::some(&archive, &ids, &args.to) };
        }
    };
    if found.count == 0
        && let Some(path) = args.to.file()
    {
        output::note(format_args!("no games found, {} was not written", path.display()));
        return Ok(done);
    }
    let cells = Cell::of(&columns, &options.columns);
    if format == Format::Table {
        let row = |game| cells.iter().map(|cell| output::cell(&cell.value(game))).collect();
        let rows = Rows {
            is_number: cells.iter().map(|cell| cell.is_number).collect(),
            rows: found.games.iter().map(row).collect(),
            heading: columns,
        };
        let closing = closing(&found, args.offset, clock);
        let answer = Answer { rows: &rows, closing: &closing, list: None };
        output::deliver(&args.to, format, &answer, || Value::Null)?;
    } else {
        let mut head = json!({ "count": found.count });
        score::add(&mut head, found.score);
        names.add(&mut head);
        let mut objects = found.games.iter().map(|game| {
            let fields = cells.iter().map(|cell| (cell.name.clone(), cell.value(game)));
            Value::from(fields.collect::<Map<_, _>>())
        });
        let list = Listed { columns: &columns, head, name: "games" };
        output::deliver_list(&args.to, format, &list, &mut objects)?;
    }
    if let Some(path) = args.to.file() {
        output::written(found.games.len() as u64, "game", path);
    }
    Ok(done)
}

/// Refuses columns that cannot be read.
fn check(args: &Search, format: GamesFormat) -> anyhow::Result<()> {
    let columns = args.columns.as_deref().unwrap_or_default();
    if format == GamesFormat::Pgn && !columns.is_empty() {
        let error = anyhow!("--columns --format pgn: games have no columns");
        return Err(Advised::new(error, "leave out one of them").into());
    }
    let mut seen = HashSet::new();
    match columns.iter().find(|name| !seen.insert(*name)) {
        Some(name) => Err(anyhow!("--columns: {name} is named twice")),
        None => Ok(()),
    }
}

/// The line below a table.
fn closing(found: &Matches, offset: usize, clock: Instant) -> String {
    let shown = found.games.len() as u64;
    let mut closing = counted(found.count, "game");
    if let Some(score) = found.score.filter(|_| found.count > 0) {
        closing += &format!(": {};", score::line(&score));
    }
    closing += &format!(" in {} ms", clock.elapsed().as_millis());
    if offset > 0 {
        let first = offset as u64 + 1;
        closing += &match shown {
            0 => format!(", none shown from number {} on (--offset)", grouped(first)),
            _ => {
                let last = grouped(first + shown - 1);
                format!(", numbers {} to {last} shown (--offset, --limit)", grouped(first))
            }
        };
    } else if shown < found.count {
        closing += &format!(", the first {} shown (--limit)", grouped(shown));
    }
    closing
}

/// The error for an unknown column, with the known ones.
fn advised(error: ArchiveError) -> anyhow::Error {
    let ArchiveError::Filter(FilterError::NoColumn { name, .. }) = &error else {
        return error.into();
    };
    let known = [NAMES, MORE_COLUMNS].concat().join(", ");
    let hint = match name.as_str() {
        "moves" if cfg!(feature = "sql") => {
            "moves are written by --format pgn, and in SQL: select id, san(moves) from games"
                .to_owned()
        }
        "moves" => "moves are written by --format pgn".to_owned(),
        _ => format!("there are {known}, and tags, as in tag:TimeControl"),
    };
    let error = anyhow!("--columns: \"{name}\" is not a column of a list of games");
    Advised::new(error, hint).into()
}

/// The result of a search with `count` matches, after notes on names: those that match, or similar ones.
fn noted(archive: &Archive, filter: &Filter, count: u64) -> anyhow::Result<(Done, Spellings)> {
    let names = Spellings::noted(archive, filter)?;
    if count > 0 {
        archive::note_more_spellings(archive, filter, count)?;
        return Ok((Done::Found, names));
    }
    archive::note_near_names(archive, filter)?;
    Ok((Done::Nothing, names))
}

/// The default columns of a table, with those of the sort key and the move of the match.
fn usual(filter: &Filter, sort: SortBy) -> Vec<String> {
    let mut columns = vec!["id", "white", "black", "date", "result", "event", "eco", "plies"];
    if sort == SortBy::Rating {
        columns.splice(2..3, ["white_elo", "black", "black_elo"]);
    }
    if filter.position.is_some() || !filter.conditions.is_empty() {
        columns.push("move");
    }
    columns.into_iter().map(str::to_owned).collect()
}

/// The fields of a game for programs.
const COLUMNS: &[Column<GameSummary>] = &[
    Column::<GameSummary>::field("id", |game| game.id.into()).number(),
    Column::<GameSummary>::field("variant", |game| game.variant.name().into()),
    Column::<GameSummary>::field("white", |game| game.white.clone().into()),
    Column::<GameSummary>::field("black", |game| game.black.clone().into()),
    Column::<GameSummary>::field("date", |game| game.date.clone().into()),
    Column::<GameSummary>::field("result", |game| game.result.clone().into()),
    Column::<GameSummary>::field("ply", |game| game.ply.into()).number(),
    Column::<GameSummary>::field("event", |game| game.event.clone().into()),
    Column::<GameSummary>::field("site", |game| game.site.clone().into()),
    Column::<GameSummary>::field("round", |game| game.round.clone().into()),
    Column::<GameSummary>::field("eco", |game| game.eco.clone().into()),
    Column::<GameSummary>::field("white_elo", |game| game.white_elo.into()).number(),
    Column::<GameSummary>::field("black_elo", |game| game.black_elo.into()).number(),
    Column::<GameSummary>::field("plies", |game| game.plies.into()).number(),
];

/// The names of these fields.
pub(crate) const NAMES: &[&str] = &{
    let mut names = [""; COLUMNS.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = COLUMNS[index].name();
        index += 1;
    }
    names
};

/// True for a column of the archive with numbers.
fn is_number(name: &str) -> bool {
    let of_name = schema::COLUMNS.iter().find(|column| column.name == name);
    of_name.is_some_and(|column| {
        matches!(column.kind, ColumnType::Int | ColumnType::Long | ColumnType::Double)
    })
}

/// The field with this name.
fn known(name: &str) -> Option<&'static Column<GameSummary>> {
    COLUMNS.iter().find(|column| column.name() == name)
}

/// A column of a list: a field of every game, or one that was requested from the archive.
struct Cell {
    name: String,
    is_number: bool,
    field: Option<&'static Column<GameSummary>>,
    /// The place in [`GameSummary::more`].
    more: usize,
}

impl Cell {
    /// The columns with these names; `more` are those that were requested from the archive.
    fn of(columns: &[String], more: &[String]) -> Vec<Self> {
        let cell = |name: &String| {
            let field = known(name);
            let more = more.iter().position(|more| more == name).unwrap_or(usize::MAX);
            let is_number = field.map_or_else(|| is_number(name), Column::is_number);
            Self { name: name.clone(), is_number, field, more }
        };
        columns.iter().map(cell).collect()
    }

    fn value(&self, game: &GameSummary) -> Value {
        if let Some(field) = self.field {
            return field.value(game);
        }
        match game.more.get(self.more).cloned().flatten() {
            Some(number) if self.is_number => {
                let whole = number.parse::<i64>().map(Value::from);
                whole.or_else(|_| number.parse::<f64>().map(Value::from)).unwrap_or_default()
            }
            text => text.into(),
        }
    }
}

/// All fields of a game.
pub(super) fn whole(game: &GameSummary) -> Value {
    Listing::new(&[COLUMNS]).object(game)
}
