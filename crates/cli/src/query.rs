//! Queries in SQL: the engine that runs them, and its errors for people.
//!
//! ```text
//! error: there is no column whit
//!   │ select whit from games
//!   │        ^^^^
//! hint: did you mean white?
//! ```

mod excerpt;

use self::excerpt::{excerpt, word_at};
use crate::advice;
use crate::output::Advised;
use anyhow::{Context, Error, anyhow};
use halfmove_archive::Archive;
#[cfg(feature = "server")]
use halfmove_archive::ArchiveError;
use halfmove_archive::schema::{COLUMNS, Column, ColumnType};
use halfmove_functions::{FUNCTIONS, FunctionError};
#[cfg(feature = "server")]
use halfmove_server::QueryError;
use halfmove_sql::{Place, QueryResult, Sql, SqlError, SqlOptions};
use std::collections::HashSet;
use std::path::Path;
use tokio::runtime::{Builder, Runtime};

/// An engine for queries, and the threads that it runs on.
pub(crate) struct Queries {
    runtime: Runtime,
    sql: Sql,
}

/// The keywords of SQL for completion and hints.
pub(crate) const KEYWORDS: &[&str] = &[
    "all",
    "and",
    "as",
    "asc",
    "between",
    "by",
    "case",
    "cast",
    "cross",
    "desc",
    "describe",
    "distinct",
    "else",
    "end",
    "except",
    "exists",
    "explain",
    "extract",
    "false",
    "filter",
    "from",
    "full",
    "group",
    "having",
    "ilike",
    "in",
    "inner",
    "intersect",
    "interval",
    "is",
    "join",
    "left",
    "like",
    "limit",
    "not",
    "null",
    "nulls",
    "offset",
    "on",
    "or",
    "order",
    "outer",
    "over",
    "partition",
    "rank",
    "right",
    "select",
    "show",
    "tables",
    "then",
    "true",
    "union",
    "using",
    "values",
    "when",
    "where",
    "with",
    "within",
];

impl Queries {
    /// An engine over the games of an archive.
    pub(crate) fn of(archive: &Archive, options: &SqlOptions) -> anyhow::Result<Self> {
        let runtime =
            Builder::new_multi_thread().enable_all().thread_name("halfmove-query").build();
        let runtime = runtime.context("cannot start threads")?;
        Ok(Self { runtime, sql: Sql::new(archive, options)? })
    }

    pub(crate) fn sql(&self) -> &Sql {
        &self.sql
    }

    /// Blocks until the result is ready.
    pub(crate) fn wait<T>(&self, answer: impl Future<Output = T>) -> T {
        self.runtime.block_on(answer)
    }
}

/// Explains an error of a query, with its place in the query and a hint, if these are known.
pub(crate) fn explain(error: SqlError, query: &str) -> Error {
    let excerpt = error.place().and_then(|place| excerpt(query, place));
    let hint = hint(&error, query);
    if let SqlError::Archive(error) = error {
        return error.into();
    }
    Advised::at(message(error), excerpt, hint).into()
}

/// Explains an error of a query to a client of the server.
#[cfg(feature = "server")]
pub(crate) fn explain_to_client(error: SqlError, query: &str) -> QueryError {
    let (place, hint) = (error.place(), hint(&error, query));
    let (kind, hint): (fn(String) -> QueryError, _) = match &error {
        SqlError::Time { .. } => (QueryError::too_slow, hint),
        SqlError::Archive(error) if matches!(**error, ArchiveError::Stopped) => {
            (QueryError::too_slow, hint)
        }
        SqlError::Archive(_)
        | SqlError::Panicked(_)
        | SqlError::NoRuntime
        | SqlError::Output(_) => (QueryError::failed, hint),
        // The limit is the server's.
        SqlError::Memory { .. } => {
            (QueryError::invalid, Some("limit or conditions reduce its memory".to_owned()))
        }
        _ => (QueryError::invalid, hint),
    };
    let error = kind(message(error).to_string());
    let error = place.into_iter().fold(error, |error, place| error.at(place.line, place.column));
    hint.into_iter().fold(error, QueryError::with_hint)
}

/// The message of an error. The hint and the place say the rest.
fn message(error: SqlError) -> Error {
    match error {
        SqlError::UnknownColumn { name, near, .. }
            if near.is_some()
                || advice::for_column(bare(&name)).is_some()
                || tag_named(bare(&name)).is_some() =>
        {
            anyhow!("there is no column {name}")
        }
        SqlError::UnknownFunction { name, .. } => anyhow!("there is no function {name}"),
        SqlError::UnknownTable { name, .. } => anyhow!("there is no table \"{name}\""),
        SqlError::Syntax { message, .. } => anyhow!("{message}"),
        SqlError::Function(error) => match &*error {
            FunctionError::Conditions { text, why, near: Some(_) } => {
                anyhow!("the conditions \"{text}\": {why}")
            }
            _ => SqlError::Function(error).into(),
        },
        error => error.into(),
    }
}

/// The message and the hint for two columns of an answer with the same name, of which a reader would find only one.
pub(crate) fn repeated(answer: &QueryResult) -> Option<(String, String)> {
    let mut names = HashSet::new();
    let mut columns = answer.columns().iter().map(|column| &column.name);
    let name = columns.find(|name| !names.insert(*name))?;
    let hint = format!("as gives a column another name: select {name} as other_{name}");
    Some((format!("two columns are called {name}"), hint))
}

/// Like [`explain`], for an error that may be of another kind, such as one of the output.
pub(crate) fn explain_any(error: Error, query: &str) -> Error {
    match error.downcast() {
        Ok(error) => explain(error, query),
        Err(error) => error,
    }
}

/// The hint for an error of a query.
fn hint(error: &SqlError, query: &str) -> Option<String> {
    match error {
        SqlError::UnknownColumn { name, near, .. } => advice::for_column(bare(name))
            .or_else(|| column_of_tag(bare(name)))
            .or_else(|| tag_named(bare(name)))
            .or_else(|| {
                let name = bare(name);
                let near = near.as_deref().filter(|near| {
                    !is_like_tag(typed(name, query)) || strsim::osa_distance(near, name) <= 2
                });
                near.map(did_you_mean)
            })
            .or_else(|| unquoted(bare(name), query)),
        SqlError::UnknownFunction { name, near, .. } => {
            advice::for_function(name).or_else(|| near.as_deref().map(did_you_mean))
        }
        SqlError::UnknownTable { name, .. } => Some(of_table(name)),
        SqlError::Function(error) => match &**error {
            FunctionError::Conditions { near: Some(near), .. } => {
                Some(did_you_mean(&format!("'{near}'")))
            }
            _ => None,
        },
        SqlError::Syntax { place, .. } => {
            dotted(query).or_else(|| keyword(query, (*place)?)).or_else(|| file(query))
        }
        SqlError::Planning(_) => {
            let hint = date_part(query).or_else(|| date(query));
            hint.or_else(|| of_bytes(column_of_bytes(query)?)).or_else(|| numbers(query))
        }
        SqlError::Execution(_) => date(query),
        SqlError::BytesAsText { column } => of_bytes(column),
        SqlError::NumberAsDate { .. } => Some("the column year is a number: year >= 1990".to_owned()),
        SqlError::Correlated => Some(
            "such as: select p.fen, count(g.id) from positions p left join games g on reaches(g.moves, p.fen) group by p.fen"
                .to_owned(),
        ),
        SqlError::Memory { .. } => Some(
            "--memory 4G sets the limit to 4 GiB; LIMIT or conditions reduce the memory of the query"
                .to_owned(),
        ),
        _ => None,
    }
}

/// The name of a column without its table.
fn bare(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name).trim_matches('"')
}

fn did_you_mean(name: &str) -> String {
    format!("did you mean {name}?")
}

/// The tags that the standard and large sites write and that have no column.
const TAGS: &[&str] = &[
    "Annotator",
    "BlackFideId",
    "BlackNA",
    "BlackTeam",
    "BlackType",
    "Board",
    "BroadcastName",
    "BroadcastURL",
    "CurrentPosition",
    "EndDate",
    "EndTime",
    "ECOUrl",
    "EventCategory",
    "EventDate",
    "EventRounds",
    "EventSponsor",
    "EventType",
    "GameId",
    "GameURL",
    "Link",
    "Mode",
    "NIC",
    "Section",
    "SetUp",
    "SourceDate",
    "Stage",
    "StartTime",
    "StudyName",
    "SubVariation",
    "Time",
    "Timezone",
    "UTCDate",
    "UTCTime",
    "Variation",
    "WhiteFideId",
    "WhiteNA",
    "WhiteTeam",
    "WhiteType",
];

/// The hint for the name of a tag that has a column of nearly the same name, such as `TimeControl`.
fn column_of_tag(name: &str) -> Option<String> {
    let is_same = |column: &&Column| {
        column.name.contains('_') && column.name.replace('_', "").eq_ignore_ascii_case(name)
    };
    COLUMNS.iter().find(is_same).map(|column| did_you_mean(column.name))
}

/// The hint for the name of a tag that has no column.
fn tag_named(name: &str) -> Option<String> {
    let tag = TAGS.iter().find(|tag| tag.eq_ignore_ascii_case(name))?;
    Some(format!("tag('{tag}') is the text of a tag"))
}

/// True for a name as tags have it: `WhiteClub`.
fn is_like_tag(name: &str) -> bool {
    let letters: Vec<char> = name.chars().collect();
    let is_inner = |two: &[char]| two[0].is_lowercase() && two[1].is_uppercase();
    letters.first().is_some_and(|first| first.is_uppercase()) && letters.windows(2).any(is_inner)
}

/// The hint for an unknown table.
fn of_table(name: &str) -> String {
    let name = name.trim_matches('"').to_lowercase();
    let endings = [".csv", ".tsv", ".json", ".ndjson", ".parquet", ".txt", ".db"];
    match endings.iter().any(|ending| name.ends_with(ending)) {
        true => {
            "a query reads no other files: write the games to one (--output games.parquet), and join \
             them in a program such as DuckDB"
        }
        false => "the tables are games, halfmoves and history",
    }
    .to_owned()
}

/// The hint with the functions that read a column of bytes.
fn of_bytes(column: &str) -> Option<String> {
    let hint = match column {
        "moves" => {
            "plies(moves) is the number of half-moves, octet_length(moves) that of bytes, san(moves) the moves as text"
        }
        "clocks" => "clock_at(clocks, n) is a clock, octet_length(clocks) the number of bytes",
        "evaluations" => {
            "eval_at(evaluations, n) is an evaluation, octet_length(evaluations) the number of bytes"
        }
        "annotations" => {
            "comments(annotations) is the text of the comments, octet_length(annotations) the number of bytes"
        }
        "signature" => {
            "octet_length(signature) is the number of bytes, encode(signature, 'hex') shows them"
        }
        _ => return None,
    };
    Some(hint.to_owned())
}

/// Standard functions of SQL that take numbers.
const OF_NUMBERS: &[&str] =
    &["abs", "avg", "ceil", "corr", "floor", "median", "round", "stddev", "sum"];

/// The hint for a column of texts or dates that a query passes to a function of numbers.
fn numbers(query: &str) -> Option<String> {
    calls(query).find_map(|(function, column)| {
        let function = OF_NUMBERS.iter().find(|name| name.eq_ignore_ascii_case(function))?;
        let column = COLUMNS.iter().find(|known| known.name.eq_ignore_ascii_case(column))?;
        let is_number =
            matches!(column.kind, ColumnType::Long | ColumnType::Int | ColumnType::Double);
        (!is_number)
            .then(|| format!("{function} takes numbers, and the column {} has none", column.name))
    })
}

/// The functions that a query calls, each with the first word of its arguments.
fn calls(query: &str) -> impl Iterator<Item = (&str, &str)> {
    query.match_indices('(').filter_map(|(at, _)| {
        let (function, argument) = (words(&query[..at]).last()?, words(&query[at..]).next()?);
        query[..at].ends_with(function).then_some((function, argument))
    })
}

/// A column of bytes that a query passes to a function that is not one of ours, such as `upper(moves)`.
fn column_of_bytes(query: &str) -> Option<&str> {
    let is_ours = |name: &str| FUNCTIONS.iter().any(|ours| ours.name.eq_ignore_ascii_case(name));
    calls(query)
        .find(|(function, argument)| !is_ours(function) && of_bytes(argument).is_some())
        .map(|(_, argument)| argument)
}

/// The hint for a text that looks like a date but is not one, in a query that compares dates.
fn date(query: &str) -> Option<String> {
    let has_column = words(query).any(|word| word.eq_ignore_ascii_case("date"));
    let is_like_date = |text: &str| {
        let mut parts = text.split(['-', '.', '/']);
        let is_year = parts.next().is_some_and(|year| year.len() == 4 && is_number(year));
        is_year && parts.all(|part| part.is_empty() || is_number(part) || part == "??")
    };
    let is_date = |text: &str| {
        text.len() == 10 && text.split('-').filter(|part| is_number(part)).count() == 3
    };
    let mut texts = query.split('\'').skip(1).step_by(2);
    let is_wrong = has_column && texts.any(|text| is_like_date(text) && !is_date(text));
    is_wrong.then(|| {
        "a date is '1990-12-31', and null where the day is not known; by year: year >= 1990"
            .to_owned()
    })
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The words of a query, without the characters between them.
fn words(query: &str) -> impl Iterator<Item = &str> {
    query.split(|char: char| !char.is_alphanumeric() && char != '_').filter(|word| !word.is_empty())
}

/// The hint for `date_part` with its arguments swapped, or with a part that is not a text.
fn date_part(query: &str) -> Option<String> {
    let query = query.to_ascii_lowercase();
    let (_, arguments) = query.split_once("date_part(")?;
    let is_text = arguments.trim_start().starts_with('\'');
    (!is_text).then(|| "the part comes first, as text: date_part('month', date)".to_owned())
}

/// The hint for a command of the prompt that was given as the query.
fn dotted(query: &str) -> Option<String> {
    const PROMPT: &str = "commands with a dot are for the prompt, halfmove sql without a query";
    let name = query.trim().trim_end_matches(';').split(' ').next()?;
    let instead = match name.strip_prefix('.')? {
        "schema" => "describe games",
        "tables" => "show tables",
        "functions" => "halfmove help functions",
        "format" | "mode" => "--format",
        "rows" => "--limit",
        name if name.starts_with(char::is_alphabetic) => return Some(PROMPT.to_owned()),
        _ => return None,
    };
    Some(format!("{PROMPT}; here: {instead}"))
}

/// The hint with the keyword that is similar to the word at which the parser failed.
fn keyword(query: &str, place: Place) -> Option<String> {
    let found = word_at(query, place)?.to_ascii_lowercase();
    let most = if found.len() < 4 { 1 } else { 2 };
    let distance = |word: &&&str| strsim::osa_distance(word, &found);
    let near = KEYWORDS.iter().min_by_key(distance)?;
    (1..=most).contains(&distance(&near)).then(|| did_you_mean(near))
}

/// A name as the query has it: the engine writes it in lower case.
fn typed<'a>(name: &'a str, query: &'a str) -> &'a str {
    let at = query.to_ascii_lowercase().find(&name.to_ascii_lowercase());
    at.and_then(|at| query.get(at..at + name.len())).unwrap_or(name)
}

/// The hint for a name that is not a column, where a text was meant.
fn unquoted(name: &str, query: &str) -> Option<String> {
    let typed = typed(name, query);
    let is_word =
        !typed.is_empty() && typed.chars().all(|char| char.is_alphanumeric() || char == '_');
    is_word.then(|| match is_like_tag(typed) {
        true => {
            format!("tag('{typed}') is the text of a tag; write a text in single quotes: '{typed}'")
        }
        false => format!("write a text in single quotes: '{typed}'"),
    })
}

/// The hint for a file that was given as the query.
fn file(query: &str) -> Option<String> {
    let name = query.trim();
    let is_file = !name.contains(char::is_whitespace) && Path::new(name).is_file();
    is_file.then(|| format!("to read the query from the file: --file {name}"))
}

#[cfg(test)]
mod tests {
    use super::{
        TAGS, bare, column_of_bytes, column_of_tag, date, date_part, dotted, file, keyword,
        numbers, of_table, tag_named, unquoted,
    };
    use halfmove_archive::schema::COLUMNS;
    use halfmove_sql::Place;

    #[test]
    fn similar_keywords_are_suggested() {
        let hint = |query: &str, column| keyword(query, Place { line: 1, column });
        for (found, near) in
            [("selct", "select"), ("form", "from"), ("GRUOP", "group"), ("whre", "where")]
        {
            let query = format!("x {found} y");
            assert_eq!(hint(&query, 3), Some(format!("did you mean {near}?")));
        }
        for found in ["", "karpov", "from", ")", "x"] {
            assert_eq!(hint(found, 1), None, "{found}");
        }
    }

    #[test]
    fn texts_without_quotes() {
        let hint = "write a text in single quotes: 'Karpov'";
        assert_eq!(unquoted("karpov", "white = Karpov").as_deref(), Some(hint));
        assert_eq!(unquoted("Karpov", "white = \"Karpov\"").as_deref(), Some(hint));
        assert_eq!(unquoted("two words", "white = \"two words\""), None);
        assert_eq!(unquoted("", ""), None);
        assert_eq!([bare("x"), bare("games.x"), bare("g.\"X\"")], ["x", "x", "X"]);
    }

    #[test]
    fn dates() {
        for wrong in ["1990", "1990-12", "1990.12.31", "1990/12/31", "1990.??.??"] {
            let query = format!("select id from games where Date > '{wrong}'");
            assert!(date(&query).is_some_and(|hint| hint.contains("'1990-12-31'")), "{wrong}");
        }
        for query in [
            "select id from games where date > '1990-12-31'",
            "select id from games where event = '1990'",
            "select id from games where white = 'date' and year > 1990",
            "select id from games where date > 'Tal'",
            "",
        ] {
            assert_eq!(date(query), None, "{query}");
        }
        assert!(date_part("select DATE_PART(date, 'year') from games").is_some());
        assert!(date_part("select date_part(year, date) from games").is_some());
        assert_eq!(date_part("select date_part('year', date) from games"), None);
        assert_eq!(date_part("select date from games"), None);
    }

    #[test]
    fn columns_of_other_types() {
        for (query, column) in [
            ("select upper(moves) from games", Some("moves")),
            ("select plies(moves), length( clocks ) from games", Some("clocks")),
            ("select plies(moves), (moves) from games", None),
            ("select upper(white) from games", None),
            ("(", None),
        ] {
            assert_eq!(column_of_bytes(query), column, "{query}");
        }
        assert!(numbers("select SUM(white) from games").is_some_and(|hint| hint.contains("white")));
        assert_eq!(numbers("select sum(plies), count(white) from games"), None);
    }

    #[test]
    fn names_of_tags() {
        assert_eq!(column_of_tag("timecontrol").as_deref(), Some("did you mean time_control?"));
        assert_eq!(column_of_tag("WhiteElo").as_deref(), Some("did you mean white_elo?"));
        assert_eq!(column_of_tag("white"), None);
        assert_eq!(
            tag_named("eventdate").as_deref(),
            Some("tag('EventDate') is the text of a tag")
        );
        assert_eq!(tag_named("club"), None);
        assert!(unquoted("whiteclub", "select WhiteClub").unwrap().starts_with("tag('WhiteClub')"));
        assert_eq!(
            unquoted("carlsen", "white = Carlsen").as_deref(),
            Some("write a text in single quotes: 'Carlsen'")
        );
        for tag in TAGS {
            assert!(COLUMNS.iter().all(|column| !column.name.eq_ignore_ascii_case(tag)), "{tag}");
            assert_eq!(column_of_tag(tag), None, "{tag}");
        }
    }

    #[test]
    fn other_tables_and_commands() {
        assert!(of_table("fide.CSV").contains("--output games.parquet"));
        assert!(of_table("\"fide.csv\"").contains("--output games.parquet"));
        assert_eq!(of_table("csv"), "the tables are games, halfmoves and history");
        assert!(dotted(" .schema;").unwrap().ends_with("; here: describe games"));
        assert!(dotted(".help").unwrap().ends_with("without a query"));
        assert_eq!(dotted(".5 + 1"), None);
        assert_eq!(file("select 1"), None);
        assert_eq!(file("nowhere.sql"), None);
    }
}
