//! `halfmove sql` in practice: the sources of queries, the formats of results, and the places of errors.

use crate::program::{Finished, archive_of, finished, halfmove, ok, run, testdata};
use std::fs;
use std::io::Write;
use std::process::Stdio;

const GAMES: &str = "games/setup.pgn";

/// Runs the verb with a text on standard input.
fn piped(args: &[&str], text: &str) -> Finished {
    let mut verb = halfmove(args);
    verb.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = verb.spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    finished(child.wait_with_output().unwrap())
}

/// The text without the time that it took.
fn timeless(text: &str) -> String {
    let line = |line: &str| match line.split_once(" in ") {
        Some((before, after)) if after.contains(" ms") => {
            let (_, rest) = after.split_once(" ms").unwrap();
            format!("{before}{rest}\n")
        }
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[test]
fn queries_come_from_everywhere() {
    let (folder, archive) = archive_of(&[GAMES]);
    let archive = archive.as_str();
    let query = "select 1 as one,\n  ';' as sign -- not; here\n";
    let file = folder.path().join("query.sql");
    let file = file.to_str().unwrap();
    let csv = ["--format", "csv"];
    let expected = "one,sign\n1,;\n";
    assert_eq!(ok(&[&["sql", archive, query][..], &csv].concat()), expected);
    for text in [query.to_owned(), format!("\u{feff}{query};\n;\n-- done\n")] {
        fs::write(file, &text).unwrap();
        for option in ["--file", "-f"] {
            assert_eq!(ok(&[&["sql", archive, option, file][..], &csv].concat()), expected);
        }
        for args in [&["sql", archive][..], &["sql", archive, "-"], &["sql", archive, "-f", "-"]] {
            let output = piped(&[args, &csv].concat(), &text);
            assert_eq!((output.code, output.out.as_str()), (0, expected), "{output:?}");
        }
    }
    for text in ["", " \n;;", "-- nothing"] {
        let output = piped(&["sql", archive], text);
        assert_eq!(output.code, 2, "{output:?}");
        assert_eq!(
            output.err,
            "error: there is no query\nhint: such as: select count(*) from games\n"
        );
    }
    let output = run(&["sql", archive, "--file", "missing.sql"]);
    assert!(output.code == 2 && output.err.contains("cannot read missing.sql"), "{output:?}");
    let output = run(&["sql", archive, "select 1", "--file", file]);
    assert!(output.code == 2 && output.err.contains("--file"), "{output:?}");
    fs::write(file, b"select '\xe9'").unwrap();
    let output = run(&["sql", archive, "--file", file]);
    assert!(output.code == 2 && output.err.contains("byte 8 is not UTF-8"), "{output:?}");
    let output = run(&["sql", archive, file]);
    let hint = format!("hint: to read the query from the file: --file {file}\n");
    assert!(output.code == 2 && output.err.ends_with(&hint), "{output:?}");
}

#[test]
fn several_queries_are_answered_as_tables() {
    let (folder, archive) = archive_of(&[GAMES]);
    let archive = archive.as_str();
    let queries = "select 1 as one; select 'a;b' as two;";
    let tables = timeless(&ok(&["sql", archive, queries]));
    assert_eq!(tables, "one\n  1\n1 row\n\ntwo\na;b\n1 row\n");
    let file = folder.path().join("tables.txt");
    let file = file.to_str().unwrap();
    ok(&["sql", archive, queries, "--output", file]);
    assert_eq!(timeless(&fs::read_to_string(file).unwrap()), tables);
    for format in ["csv", "tsv", "json", "ndjson"] {
        let output = run(&["sql", archive, queries, "--format", format]);
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{output:?}");
        let expected = format!("there are 2 queries, expected one with --format {format}");
        assert!(output.err.contains(&expected), "{output:?}");
    }
    // The first error ends it.
    let output = run(&["sql", archive, "select 1 as one;\nselect whit\nfrom games; select 3"]);
    assert_eq!(
        (output.code, timeless(&output.out).as_str()),
        (2, "one\n  1\n1 row\n\n"),
        "{output:?}"
    );
    assert!(output.err.contains(" 2 │ select whit\n   │        ^^^^\n"), "{output:?}");
}

/// Names from other tables of games, and commands of the prompt.
#[test]
fn names_of_other_programs_get_hints() {
    let (_folder, archive) = archive_of(&[GAMES]);
    for (query, hint) in [
        (
            "select fen(moves, 10) from games",
            "fen_at(moves, 10) is the position after 10 half-moves",
        ),
        ("select player from games", "the names of the players are in the columns white and black"),
        ("select opening from games", "opening(moves) is a function"),
        ("select year(date) from games", "year is a column"),
        ("select g.winner from games g", "the column result is 1-0, 0-1, 1/2-1/2 or *"),
        (
            ".schema",
            "commands with a dot are for the prompt, halfmove sql without a query; here: describe games",
        ),
        ("select shows(moves, 'KRPvKR') from games", "did you mean 'material:KRPvKR'?"),
        // Tags: their columns, or the function.
        ("select TimeControl from games", "did you mean time_control?"),
        ("select WhiteElo from games", "did you mean white_elo?"),
        ("select EventDate from games", "tag('EventDate') is the text of a tag"),
        ("select g.annotator from games g", "tag('Annotator') is the text of a tag"),
        (
            "select WhiteClub from games",
            "tag('WhiteClub') is the text of a tag; write a text in single quotes: 'WhiteClub'",
        ),
        ("select 1 from games where white = Carlsen", "write a text in single quotes: 'Carlsen'"),
    ] {
        let output = run(&["sql", &archive, query]);
        assert_eq!(output.code, 2, "{output:?}");
        assert!(output.err.contains(&format!("\nhint: {hint}")), "{query}: {}", output.err);
    }
}

#[test]
fn a_table_can_leave_out_rows() {
    let (_folder, archive) = archive_of(&[GAMES]);
    let ask = |number: u32, more: &[&str]| {
        let query = format!("select value as n, 'x' as x from generate_series(1, {number})");
        timeless(&ok(&[&["sql", &archive, &query][..], more].concat()))
    };
    // Without a terminal, all rows are printed.
    let all = ask(20_000, &[]);
    assert_eq!(all.lines().count(), 20_002);
    assert_eq!(ask(20_000, &["--limit", "0"]), all);
    assert_eq!(ask(20_000, &["--limit", "20000"]), all);
    let shown = ask(20_000, &["--limit", "5"]);
    let rows = ["n  x", "1  x", "2  x", "3  x", "⋯  ⋯", "19999  x", "20000  x"];
    let expected: String = rows.map(|row| format!("{row:>8}\n")).concat();
    assert_eq!(shown, format!("{expected}20,000 rows, 5 shown (all: --limit 0)\n"));
    assert_eq!(ask(3, &["--limit", "3"]), "n  x\n1  x\n2  x\n3  x\n3 rows\n");
    assert_eq!(ask(2, &["--limit", "1"]), "n  x\n1  x\n⋯  ⋯\n2 rows, 1 shown (all: --limit 0)\n");
    // Rows that are left out take no memory.
    let long = "select repeat('x', 1000) as x from generate_series(1, 100000)";
    let output = run(&["sql", &archive, long, "--memory", "8M"]);
    assert!(output.err.contains("the table exceeds its memory limit"), "{output:?}");
    let shown = ok(&["sql", &archive, long, "--memory", "8M", "--limit", "2"]);
    assert!(timeless(&shown).ends_with("\n100,000 rows, 2 shown (all: --limit 0)\n"));
    let one = ["sql", &archive, "select 1 as n", "--format", "csv", "--limit"];
    let output = run(&[&one[..], &["3"]].concat());
    assert!(output.code == 2 && output.err.contains("only a table leaves out rows"), "{output:?}");
    assert_eq!(ok(&[&one[..], &["0"]].concat()), "n\n1\n");
}

#[test]
fn answers_are_written_to_files() {
    let (folder, archive) = archive_of(&[GAMES]);
    let archive = archive.as_str();
    let query = "select id, white, date, moves, other_tags from games order by id";
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for format in ["table", "csv", "tsv", "json", "ndjson"] {
        let file = path(format);
        let printed = ok(&["sql", archive, query, "--format", format]);
        let args = ["sql", archive, query, "--format", format, "--output", &file];
        assert_eq!(ok(&args), "");
        assert_eq!(timeless(&fs::read_to_string(&file).unwrap()), timeless(&printed), "{format}");
        let output = run(&args);
        assert!(output.code == 2 && output.err.contains("this file exists"), "{output:?}");
        ok(&[&args[..], &["--force"]].concat());
    }
    let file = path("games.parquet");
    let args = ["sql", archive, query, "--format", "parquet", "--output", &file];
    ok(&args);
    let bytes = fs::read(&file).unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1") && bytes.len() > 1_000);
    // The origin is in the metadata of binary files.
    let arrow = path("games.arrow");
    ok(&["sql", archive, query, "--output", &arrow]);
    let stream = halfmove(&["sql", archive, query, "--format", "arrow"]).output().unwrap().stdout;
    let program = concat!("halfmove/", env!("CARGO_PKG_VERSION"));
    for bytes in [bytes, fs::read(&arrow).unwrap(), stream] {
        let text = String::from_utf8_lossy(&bytes);
        for part in [
            "halfmove.archive",
            "halfmove.archive_version",
            "halfmove.query",
            query,
            "halfmove.program",
            program,
        ] {
            assert!(text.contains(part), "{part}");
        }
    }
    let output = run(&["sql", archive, query, "--format", "parquet"]);
    assert!(output.code == 2 && output.err.contains("expected --output FILE"), "{output:?}");
    // A query that fails, even late, leaves no file.
    let none = path("none.csv");
    for wrong in
        ["select whit from games", "select 1 / (value - 9000) from generate_series(1, 9000)"]
    {
        let output = run(&["sql", archive, wrong, "--format", "csv", "-o", &none]);
        assert_eq!(output.code, 2, "{output:?}");
        assert!(!fs::exists(&none).unwrap());
    }
}

/// Errors with their places and hints.
#[test]
fn mistakes_in_queries_are_shown() {
    let (_folder, archive) = archive_of(&[GAMES]);
    for (query, expected) in [
        (
            "selct * from games",
            "error: Expected: an SQL statement, found: selct\n   │ selct * from games\n   │ ^^^^^\nhint: did you mean select?\n",
        ),
        (
            "select whit from games",
            "error: there is no column whit\n   │ select whit from games\n   │        ^^^^\nhint: did you mean white?\n",
        ),
        (
            "select plie(moves)\nfrom games",
            "error: there is no function plie\n 1 │ select plie(moves)\n   │        ^^^^\nhint: did you mean plies?\n",
        ),
        (
            "select *\nfrom game",
            "error: there is no table \"game\"\n 2 │ from game\n   │      ^^^^\nhint: the tables are games, halfmoves and history\n",
        ),
        ("select white from games where", "error: Expected: an expression, found: EOF\n"),
    ] {
        let output = run(&["sql", &archive, query]);
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{output:?}");
        assert_eq!(output.err, expected, "{query}");
    }
    // Text that an error quotes does not control the terminal.
    let output = run(&["sql", &archive, "select '\u{1b}[31m' from games whre 1"]);
    assert!(output.code == 2 && !output.err.contains('\u{1b}'), "{output:?}");
    for (condition, hint) in [
        ("plis > 3", "did you mean plies?"),
        ("white = Karpov", "write a text in single quotes: 'Karpov'"),
    ] {
        let output = run(&["search", &archive, "--where", condition]);
        assert!(output.err.ends_with(&format!("hint: {hint}\n")), "{output:?}");
    }
    let output = run(&["sql", "select 1", &archive]);
    assert!(output.err.ends_with("hint: the archive comes first, then the query\n"), "{output:?}");
}

/// Two columns cannot have one name in formats in which names are keys.
#[test]
fn columns_of_one_name() {
    let (folder, archive) = archive_of(&[GAMES]);
    let archive = archive.as_str();
    let one = "(select id from games)";
    let query = format!("select * from {one} x join {one} y on x.id = y.id order by 1 limit 1");
    let query = query.as_str();
    let file = folder.path().join("answer.parquet");
    let file = file.to_str().unwrap();
    for more in
        [&["--format", "json"][..], &["--format", "ndjson"], &["--format", "parquet", "-o", file]]
    {
        let output = run(&[&["sql", archive, query][..], more].concat());
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{output:?}");
        assert!(output.err.contains("two columns are called id"), "{output:?}");
        assert!(output.err.contains("hint: as gives a column another name"), "{output:?}");
    }
    assert!(!fs::exists(file).unwrap());
    assert_eq!(ok(&["sql", archive, query, "--format", "csv"]), "id,id\n1,1\n");
    for (columns, expected) in [
        ("select x.id, y.id", "{\"id\":1,\"id_2\":1}\n"),
        ("select x.id, y.id as other", "{\"id\":1,\"other\":1}\n"),
    ] {
        let query = query.replace("select *", columns);
        assert_eq!(ok(&["sql", archive, &query, "--format", "ndjson"]), expected);
    }
}

/// Errors do not pass on the advice of the query engine to report a bug to its project.
#[test]
fn calls_that_need_numbers() {
    let (_folder, archive) = archive_of(&[GAMES]);
    for (query, words) in [
        ("select sum(white) from games", "hint: sum takes numbers, and the column white has none"),
        ("select avg(date) from games", "hint: avg takes numbers, and the column date has none"),
        ("select abs(white) from games", "hint: abs takes numbers, and the column white has none"),
        (
            "select corr(white, plies) from games",
            "hint: corr takes numbers, and the column white has none",
        ),
        ("select max(other_tags) from games", "Uncomparable values"),
        ("select sna(moves) from games", "hint: did you mean san?"),
        ("select PLIS(moves) from games", "hint: did you mean plies?"),
        ("select lenght(white) from games", "hint: did you mean length?"),
    ] {
        let output = run(&["sql", &archive, query]);
        assert!(output.code == 2 && output.err.contains(words), "{query}: {output:?}");
        for other in ["bug", "DataFusion", "Internal"] {
            assert!(!output.err.contains(other), "{query}: {output:?}");
        }
    }
}

/// A query of an earlier version, and the changes up to it.
#[test]
fn versions_can_be_queried() {
    let (_folder, archive) = archive_of(&[GAMES]);
    let more = testdata("games/lichess.pgn.zst");
    ok(&["import", &archive, more.to_str().expect("text"), "--quiet"]);
    let csv = |query: &str, more: &[&str]| {
        ok(&[&["sql", &archive, query, "--format", "csv"][..], more].concat())
    };
    let first = ["--archive-version", "1"];
    let history: serde_json::Value =
        serde_json::from_str(&ok(&["history", &archive, "--format", "json"])).expect("JSON");
    let changes = history["changes"].as_array().expect("changes");
    let games = changes[1]["games"].as_u64().expect("a number");
    let count = |query, more: &[&str]| csv(query, more).lines().nth(1).expect("a row").to_owned();
    assert_eq!(count("select count(*) from games", &first), games.to_string());
    assert_eq!(count("select count(distinct id) from halfmoves", &["--archive-version", "0"]), "0");
    assert_eq!(count("select max(version) from history", &first), "1");
    // The table is what the verb prints.
    let ours = ok(&["sql", &archive, "select * from history order by version", "--format", "json"]);
    let ours: serde_json::Value = serde_json::from_str(&ours).expect("JSON");
    let ours = ours.as_array().expect("rows");
    assert_eq!(ours.len(), changes.len());
    for (ours, change) in ours.iter().zip(changes) {
        for (name, value) in ours.as_object().expect("a row") {
            let expected = match name.as_str() {
                "time" => change[name].as_str().map(|time| time.trim_end_matches('Z').into()),
                "sources" => {
                    let sources = change[name].as_array().expect("sources").iter();
                    Some(sources.map(|source| source["name"].clone()).collect())
                }
                name => Some(change[name].clone()),
            };
            let expected = expected.unwrap_or_default();
            match (name.as_str(), value.as_str(), expected.as_str()) {
                // The table has the milliseconds, too.
                ("time", Some(ours), Some(time)) => assert!(ours.starts_with(time), "{ours}"),
                _ => assert_eq!(*value, expected, "{name} of {change}"),
            }
        }
    }
    let output = run(&["sql", &archive, "select 1", "--archive-version", "99"]);
    assert!(output.code == 2 && output.err.contains("version"), "{output:?}");
}
