//! `halfmove search`: the games that reach a position or meet other conditions.

use super::export;
use crate::args::{FIELDS, Format, GamesFormat, Search, most};
use crate::output::{self, Advised, Answer, Listed, Rows, counted, grouped};
use crate::{Done, archive, score};
use anyhow::anyhow;
use halfmove_archive::{
    Archive, ArchiveError, Filter, FilterError, Found, GameSummary, MORE_COLUMNS, SearchOptions,
    Sort, SortBy,
};
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::time::Instant;

pub(crate) fn run(args: Search) -> anyhow::Result<Done> {
    let clock = Instant::now();
    let table = GamesFormat::Listed(Format::Table);
    let wanted = args.to.format(args.format)?.unwrap_or(table);
    check(&args, wanted)?;
    let filter = archive::filter(args.filter.with_ids(&args.id), &args.position)?;
    let archive = archive::open(&args.archive)?;
    archive::wait(archive::tell_unknown_ids(&archive, &args.id))?;
    if args.count {
        let GamesFormat::Listed(format) = wanted else {
            let error = anyhow!("--count --format pgn: a number is no PGN");
            return Err(Advised::new(error, "leave out one of them").into());
        };
        let count = archive::wait(archive.count(&filter))?;
        let done = told(&archive, &filter, count)?;
        let rows =
            Rows { heading: &["count"], numbers: &["count"], rows: vec![vec![count.to_string()]] };
        if format == Format::Table && args.to.file().is_none() {
            output::line(count)?;
        } else {
            let answer = Answer { rows: &rows, closing: "", list: None };
            output::deliver(&args.to, format, &answer, || json!({ "count": count }))?;
        }
        return Ok(done);
    }
    let columns = match (args.columns, wanted) {
        (Some(columns), _) => columns,
        (None, GamesFormat::Listed(Format::Table)) => usual(&filter, args.sort.by),
        (None, _) => FIELDS.iter().map(|name| (*name).to_owned()).collect(),
    };
    let mut options = SearchOptions::first(most(args.limit, wanted == table));
    (options.offset, options.sort) = (args.offset, args.sort);
    let is_all = options.limit == usize::MAX && args.offset == 0 && args.sort == Sort::default();
    if wanted == GamesFormat::Pgn && is_all {
        return export::matching(&archive, &filter, &args.to);
    }
    let is_known = |name: &&String| FIELDS.contains(&name.as_str());
    options.columns = columns.iter().filter(|name| !is_known(name)).cloned().collect();
    let found = archive::wait(archive.search_with(&filter, &options)).map_err(advised)?;
    let done = told(&archive, &filter, found.count)?;

    let format = match wanted {
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
    let mut objects = found.games.iter().map(|game| object(game, &columns, &options.columns));
    if format == Format::Table {
        let heading: Vec<&str> = columns.iter().map(String::as_str).collect();
        let objects: Vec<Value> = objects.collect();
        let rows = Rows { numbers: &NUMBERS, ..Rows::of_objects(&heading, &objects) };
        let closing = closing(&found, args.offset, clock);
        let answer = Answer { rows: &rows, closing: &closing, list: None };
        output::deliver(&args.to, format, &answer, || Value::Null)?;
    } else {
        let mut head = json!({ "count": found.count });
        score::add(&mut head, found.score);
        let list = Listed { columns: &columns, head, name: "games" };
        output::deliver_list(&args.to, format, &list, &mut objects)?;
    }
    if let Some(path) = args.to.file() {
        output::written(found.games.len() as u64, "game", path);
    }
    Ok(done)
}

/// Columns that nobody could read.
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

/// What stands below a table.
fn closing(found: &Found, offset: usize, clock: Instant) -> String {
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

/// Says what a list of games can have.
fn advised(error: anyhow::Error) -> anyhow::Error {
    let Some(ArchiveError::Filter(FilterError::NoColumn { name, .. })) = error.downcast_ref()
    else {
        return error;
    };
    let known = [FIELDS, MORE_COLUMNS].concat().join(", ");
    let error = anyhow!("--columns: \"{name}\" is no column of a list of games");
    let hint = match name.as_str() {
        "moves" => {
            "moves are written by --format pgn, and in SQL: select id, san(moves) from games"
                .to_owned()
        }
        _ => format!("there are {known}, and tags, as in tag:TimeControl"),
    };
    Advised::new(error, hint).into()
}

/// Whether any games were found. If there are none because of a name that nobody has, says so.
fn told(archive: &Archive, filter: &Filter, count: u64) -> anyhow::Result<Done> {
    if count > 0 {
        archive::wait(archive::tell_more_spellings(archive, filter, count))?;
        return Ok(Done::Found);
    }
    archive::wait(archive::tell_near_names(archive, filter))?;
    Ok(Done::Nothing)
}

/// Those that are numbers, of all columns.
const NUMBERS: [&str; 6] = ["id", "plies", "ply", "white_elo", "black_elo", "year"];

/// What people are told: also by what games are sorted, and where the position is.
fn usual(filter: &Filter, sort: SortBy) -> Vec<String> {
    let mut columns = vec!["id", "white", "black", "date", "result", "event", "eco", "plies"];
    if sort == SortBy::Rating {
        columns.splice(2..3, ["white_elo", "black", "black_elo"]);
    }
    if filter.position.is_some() || !filter.questions.is_empty() {
        columns.push("ply");
    }
    columns.into_iter().map(str::to_owned).collect()
}

/// Some columns of a game; `more` are those that the archive was asked for.
fn object(game: &GameSummary, columns: &[String], more: &[String]) -> Value {
    let of_more = |name: &str| {
        let text =
            more.iter().position(|known| known == name).and_then(|at| game.more.get(at)?.clone());
        match text {
            Some(year) if name == "year" => year.parse::<i32>().map_or(Value::Null, Value::from),
            text => text.into(),
        }
    };
    let all = whole(game);
    let value = |name: &str| all.get(name).cloned().unwrap_or_else(|| of_more(name));
    columns.iter().map(|name| (name.clone(), value(name))).collect::<Map<_, _>>().into()
}

/// All fields of a game.
pub(super) fn whole(game: &GameSummary) -> Value {
    json!({
        "id": game.id,
        "variant": game.variant.name(),
        "white": game.white,
        "black": game.black,
        "date": game.date,
        "result": game.result,
        "ply": game.ply,
        "event": game.event,
        "site": game.site,
        "round": game.round,
        "eco": game.eco,
        "white_elo": game.white_elo,
        "black_elo": game.black_elo,
        "plies": game.plies,
    })
}
