//! `halfmove sql` as its users meet it: where queries come from, what answers look like, where mistakes are.

use crate::program::{Said, archive_of, halfmove, ok, run, said};
use std::fs;
use std::io::Write;
use std::process::Stdio;

const GAMES: &str = "games/setup.pgn";

/// Runs the verb with a text on standard input.
fn piped(args: &[&str], text: &str) -> Said {
    let mut verb = halfmove(args);
    verb.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = verb.spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    said(child.wait_with_output().unwrap())
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
            let said = piped(&[args, &csv].concat(), &text);
            assert_eq!((said.code, said.out.as_str()), (0, expected), "{said:?}");
        }
    }
    for text in ["", " \n;;", "-- nothing"] {
        let said = piped(&["sql", archive], text);
        assert_eq!(said.code, 2, "{said:?}");
        assert_eq!(
            said.err,
            "error: there is no query\nhint: such as: select count(*) from games\n"
        );
    }
    let said = run(&["sql", archive, "--file", "missing.sql"]);
    assert!(said.code == 2 && said.err.contains("cannot read missing.sql"), "{said:?}");
    let said = run(&["sql", archive, "select 1", "--file", file]);
    assert!(said.code == 2 && said.err.contains("--file"), "{said:?}");
    fs::write(file, b"select '\xe9'").unwrap();
    let said = run(&["sql", archive, "--file", file]);
    assert!(said.code == 2 && said.err.contains("byte 8 is not UTF-8"), "{said:?}");
    let said = run(&["sql", archive, file]);
    let hint = format!("hint: to read the query from the file: --file {file}\n");
    assert!(said.code == 2 && said.err.ends_with(&hint), "{said:?}");
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
        let said = run(&["sql", archive, queries, "--format", format]);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{said:?}");
        let expected = format!("there are 2 queries, expected one with --format {format}");
        assert!(said.err.contains(&expected), "{said:?}");
    }
    // The first mistake ends it.
    let said = run(&["sql", archive, "select 1 as one;\nselect whit\nfrom games; select 3"]);
    assert_eq!((said.code, timeless(&said.out).as_str()), (2, "one\n  1\n1 row\n\n"), "{said:?}");
    assert!(said.err.contains(" 2 │ select whit\n   │        ^^^^\n"), "{said:?}");
}

/// Names from other tables of games, and commands of the prompt.
#[test]
fn what_others_have_is_told() {
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
    ] {
        let said = run(&["sql", &archive, query]);
        assert_eq!(said.code, 2, "{said:?}");
        assert!(said.err.contains(&format!("\nhint: {hint}")), "{query}: {}", said.err);
    }
}

#[test]
fn a_table_can_leave_out_rows() {
    let (_folder, archive) = archive_of(&[GAMES]);
    let ask = |number: u32, more: &[&str]| {
        let query = format!("select value as n, 'x' as x from generate_series(1, {number})");
        timeless(&ok(&[&["sql", &archive, &query][..], more].concat()))
    };
    // Far from a terminal, all rows are there.
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
    // What is left out takes no memory.
    let long = "select repeat('x', 1000) as x from generate_series(1, 100000)";
    let said = run(&["sql", &archive, long, "--memory", "8M"]);
    assert!(said.err.contains("the table takes more memory"), "{said:?}");
    let shown = ok(&["sql", &archive, long, "--memory", "8M", "--limit", "2"]);
    assert!(timeless(&shown).ends_with("\n100,000 rows, 2 shown (all: --limit 0)\n"));
    let one = ["sql", &archive, "select 1 as n", "--format", "csv", "--limit"];
    let said = run(&[&one[..], &["3"]].concat());
    assert!(said.code == 2 && said.err.contains("only a table leaves out rows"), "{said:?}");
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
        let said = run(&args);
        assert!(said.code == 2 && said.err.contains("this file exists"), "{said:?}");
        ok(&[&args[..], &["--force"]].concat());
    }
    let file = path("games.parquet");
    let args = ["sql", archive, query, "--format", "parquet", "--output", &file];
    ok(&args);
    let bytes = fs::read(&file).unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1") && bytes.len() > 1_000);
    let said = run(&["sql", archive, query, "--format", "parquet"]);
    assert!(said.code == 2 && said.err.contains("expected --output FILE"), "{said:?}");
    // A query that fails, be it late, leaves no file.
    let none = path("none.csv");
    for wrong in
        ["select whit from games", "select 1 / (value - 9000) from generate_series(1, 9000)"]
    {
        let said = run(&["sql", archive, wrong, "--format", "csv", "-o", &none]);
        assert_eq!(said.code, 2, "{said:?}");
        assert!(!fs::exists(&none).unwrap());
    }
}

/// What is wrong, where, and what may have been meant.
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
            "error: there is no table \"game\"\n 2 │ from game\n   │      ^^^^\nhint: the table is games\n",
        ),
        ("select white from games where", "error: Expected: an expression, found: EOF\n"),
    ] {
        let said = run(&["sql", &archive, query]);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{said:?}");
        assert_eq!(said.err, expected, "{query}");
    }
    // What a query quotes is no command to the terminal.
    let said = run(&["sql", &archive, "select '\u{1b}[31m' from games whre 1"]);
    assert!(said.code == 2 && !said.err.contains('\u{1b}'), "{said:?}");
    for (condition, hint) in [
        ("plis > 3", "did you mean plies?"),
        ("white = Karpov", "a text stands in single quotes: 'Karpov'"),
    ] {
        let said = run(&["search", &archive, "--where", condition]);
        assert!(said.err.ends_with(&format!("hint: {hint}\n")), "{said:?}");
    }
    let said = run(&["sql", "select 1", &archive]);
    assert!(said.err.ends_with("hint: the archive comes first, then the query\n"), "{said:?}");
}

/// Columns of one name cannot be told apart where names are keys.
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
        let said = run(&[&["sql", archive, query][..], more].concat());
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{said:?}");
        assert!(said.err.contains("two columns are called id"), "{said:?}");
        assert!(said.err.contains("hint: as gives a column another name"), "{said:?}");
    }
    assert!(!fs::exists(file).unwrap());
    assert_eq!(ok(&["sql", archive, query, "--format", "csv"]), "id,id\n1,1\n");
    for (columns, said) in [
        ("select x.id, y.id", "{\"id\":1,\"id_2\":1}\n"),
        ("select x.id, y.id as other", "{\"id\":1,\"other\":1}\n"),
    ] {
        let query = query.replace("select *", columns);
        assert_eq!(ok(&["sql", archive, &query, "--format", "ndjson"]), said);
    }
}

/// What the engine says about itself is no help: nobody is asked to report a bug to another project.
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
        let said = run(&["sql", &archive, query]);
        assert!(said.code == 2 && said.err.contains(words), "{query}: {said:?}");
        for other in ["bug", "DataFusion", "Internal"] {
            assert!(!said.err.contains(other), "{query}: {said:?}");
        }
    }
}
