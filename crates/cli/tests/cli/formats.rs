//! One answer, all formats: the lines of NDJSON are the objects of JSON, and TSV is CSV with tabs.

use crate::program::{archive_of, halfmove, ok, run, testdata};
use serde_json::Value;
use std::io::Read;
use std::process::Stdio;

fn rows(text: &str, delimiter: u8) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .from_reader(text.as_bytes());
    let rows = reader.records().map(|row| row.expect("a row"));
    rows.map(|row| row.iter().map(str::to_owned).collect()).collect()
}

#[test]
fn formats_say_the_same() {
    let (_folder, archive) = archive_of(&["games/lichess.pgn.zst", "games/setup.pgn"]);
    let archive = archive.as_str();
    let (games, faults) = (testdata("games/setup.pgn"), testdata("malformed"));
    let (games, faults) = (games.to_str().expect("text"), faults.to_str().expect("text"));
    #[cfg(feature = "sql")]
    let query = "select id, white, result from games order by id limit 30";
    for (args, list) in [
        (&["explore", archive][..], Some("moves")),
        (&["search", archive, "--limit", "50"], Some("games")),
        (&["search", archive, "--player", "a*", "--columns", "id,white,tag:Site"], Some("games")),
        (&["search", archive, "--count"], None),
        (&["stats", archive, "--by", "opening"], Some("groups")),
        (&["stats", archive, "--by", "opponent", "--player", "a*"], Some("groups")),
        (&["history", archive], Some("changes")),
        (&["info", archive], None),
        (&["verify", archive], Some("problems")),
        #[cfg(feature = "sql")]
        (&["sql", archive, query], Some("")),
        (&["moves"], Some("moves")),
        (&["position", "--moves", "e4"], None),
        (&["encode", "--list"], Some("")),
        (&["pgn", "stats", games], None),
        (&["pgn", "check", faults], Some("faults")),
        (&["dump", "--codec", "gametext", "--hex", "00 01"], Some("codes")),
    ] {
        let answer = |format| run(&[args, &["--format", format]].concat()).out;
        let json: Value = serde_json::from_str(&answer("json")).expect("JSON");
        let expected = match list {
            Some("") => json.as_array().expect("a list").clone(),
            Some(name) => json[name].as_array().expect("a list").clone(),
            None => vec![json],
        };
        let lines = answer("ndjson");
        let lines: Vec<Value> =
            lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(lines, expected, "{args:?}");
        let (csv, tsv) = (rows(&answer("csv"), b','), rows(&answer("tsv"), b'\t'));
        assert_eq!(csv, tsv, "{args:?}");
        if list.is_some() {
            assert_eq!(csv.len(), 1 + lines.len(), "{args:?}");
        }
    }
}

/// A file for a program has everything; a table notes what it leaves out.
#[test]
fn only_tables_are_cut_by_default() {
    let (folder, archive) = archive_of(&["games/lichess.pgn.zst", "games/setup.pgn"]);
    let archive = archive.as_str();
    for (verb, by, list) in [
        ("search", &[][..], "games"),
        ("players", &[], "players"),
        ("events", &[], "events"),
        ("stats", &["--by", "opening"], "groups"),
    ] {
        let answer = |format: &str, more: &[&str]| {
            ok(&[&[verb, archive, "--format", format], by, more].concat())
        };
        let json: Value = serde_json::from_str(&answer("json", &[])).expect("JSON");
        let all = json["count"].as_u64().expect("a number") as usize;
        assert!(all > 20, "{verb}: {all}");
        assert_eq!(json[list].as_array().expect("a list").len(), all, "{verb}");
        assert_eq!(answer("ndjson", &[]).lines().count(), all, "{verb}");
        for (format, delimiter) in [("csv", b','), ("tsv", b'\t')] {
            let lines = |more: &[&str]| rows(&answer(format, more), delimiter).len() - 1;
            assert_eq!(lines(&[]), all, "{verb} {format}");
            assert_eq!(lines(&["--limit", "0"]), all, "{verb} {format}");
            assert_eq!(lines(&["--limit", "1"]), 1, "{verb} {format}");
        }
        // A heading, the rows, a line below them.
        let lines = |more: &[&str]| answer("table", more).lines().count() - 2;
        assert_eq!(lines(&[]), 20, "{verb}");
        assert_eq!(lines(&["--limit", "0"]), all, "{verb}");
        assert!(!answer("table", &["--limit", "0"]).contains("shown"), "{verb}");
    }
    let pgn = |more: &[&str]| {
        let text = ok(&[&["search", archive, "--format", "pgn"], more].concat());
        text.matches("[Event ").count()
    };
    let count: usize = ok(&["search", archive, "--count"]).trim().parse().expect("a number");
    assert_eq!((pgn(&[]), pgn(&["--sort", "-plies"]), pgn(&["--limit", "3"])), (count, count, 3));
    let file = folder.path().join("list.csv");
    ok(&["search", archive, "--format", "csv", "-o", file.to_str().expect("text")]);
    let text = std::fs::read_to_string(&file).expect("a file");
    assert_eq!(text, ok(&["search", archive, "--format", "csv"]));
}

/// The ending of a file name gives its format, unless another one is typed.
#[test]
fn a_file_is_in_the_format_of_its_name() {
    let (folder, archive) = archive_of(&["games/lichess.pgn.zst", "games/setup.pgn"]);
    let archive = archive.as_str();
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    #[cfg(feature = "sql")]
    let query = "select id, white from games order by id";
    for (args, formats) in [
        (&["search", archive][..], &["csv", "tsv", "json", "ndjson", "pgn"][..]),
        (&["explore", archive], &["csv", "tsv", "json", "ndjson"]),
        #[cfg(feature = "sql")]
        (&["sql", archive, query], &["csv", "tsv", "json", "ndjson"]),
    ] {
        for format in formats {
            let (file, verb) = (path(&format!("{}.{format}", args[0])), args[0]);
            ok(&[args, &["-o", &file]].concat());
            let found = std::fs::read_to_string(&file).expect("a file");
            assert_eq!(found, ok(&[args, &["--format", format]].concat()), "{verb} {format}");
        }
        let csv = ok(&[args, &["--format", "csv"]].concat());
        let (odd, typed) =
            (path(&format!("{}.txt", args[0])), path(&format!("{}.b.json", args[0])));
        ok(&[args, &["-o", &odd]].concat());
        assert!(std::fs::read_to_string(&odd).expect("a file").contains("  "), "a table");
        ok(&[args, &["--format", "csv", "-o", &typed]].concat());
        assert_eq!(std::fs::read_to_string(&typed).expect("a file"), csv);
    }
    #[cfg(feature = "sql")]
    {
        for (name, start) in [
            ("games.parquet", &b"PAR1"[..]),
            ("games.pq", b"PAR1"),
            ("games.arrow", b"ARROW1"),
            ("games.feather", b"ARROW1"),
        ] {
            let file = path(name);
            ok(&["sql", archive, query, "-o", &file]);
            assert!(std::fs::read(&file).expect("a file").starts_with(start), "{name}");
        }
    }
    let packed = path("games.CSV.zst");
    ok(&["search", archive, "-o", &packed]);
    let unpacked = zstd::decode_all(&std::fs::read(&packed).expect("a file")[..]).expect("zstd");
    assert_eq!(
        String::from_utf8(unpacked).expect("text"),
        ok(&["search", archive, "--format", "csv"])
    );
    // Nothing is written if the verb does not have the format of the name.
    for (args, file) in [
        (&["search", archive][..], "wrong.parquet"),
        (&["explore", archive], "wrong.parquet"),
        #[cfg(feature = "sql")]
        (&["sql", archive, query], "wrong.pgn"),
        #[cfg(feature = "sql")]
        (&["sql", archive, query], "wrong.xlsx"),
    ] {
        let file = path(file);
        let output = run(&[args, &["-o", &file]].concat());
        assert!(output.code == 2 && output.err.contains("this verb does not write"), "{output:?}");
        assert!(!std::path::Path::new(&file).exists());
    }
}

/// Separators and quotes within a cell.
#[cfg(feature = "sql")]
#[test]
fn cells_keep_what_separates_cells() {
    let (_folder, archive) = archive_of(&["games/setup.pgn"]);
    let query = "select 'a\tb' as one, 'c,\"d\"' as two, 'e' as three from games limit 1";
    let rows_of = |format| ok(&["sql", &archive, query, "--format", format]);
    let cells = ["a\tb", "c,\"d\"", "e"];
    assert_eq!(rows(&rows_of("tsv"), b'\t')[1], cells);
    assert_eq!(rows(&rows_of("csv"), b',')[1], cells);
    assert_eq!(rows_of("tsv"), "one\ttwo\tthree\n\"a\tb\"\t\"c,\"\"d\"\"\"\te\n");
}

/// CSV and TSV are for programs: their numbers have no separators.
#[test]
fn numbers_are_plain_in_rows() {
    let games = testdata("games/masters.pgn.zst");
    let found = ok(&["pgn", "stats", games.to_str().expect("text"), "--format", "tsv"]);
    let games = found.lines().find_map(|line| line.strip_prefix("games\t")).expect("a number");
    assert_eq!(games, "20816");
}

/// `halfmove … | head` ends quietly in every format.
#[test]
fn a_reader_may_go() {
    let (_folder, archive) = archive_of(&["games/masters.pgn.zst"]);
    for format in ["table", "csv", "tsv", "json", "ndjson"] {
        let search = ["search", &archive, "--limit", "20000", "--format", format];
        let mut child = halfmove(&search)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut some = [0; 10];
        child.stdout.take().expect("a pipe").read_exact(&mut some).expect("some output");
        let output = child.wait_with_output().expect("an end");
        assert_eq!(output.status.code(), Some(0), "{format}: {output:?}");
        assert!(output.stderr.is_empty(), "{format}: {output:?}");
    }
}
