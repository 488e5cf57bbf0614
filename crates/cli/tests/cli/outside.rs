//! Searches that other programs have made, too: Scid, pgn-extract and python-chess find the same games.
//!
//! `testdata/README.md` describes how the tables are made, and `testdata/oracle/outside.py` their columns.

use crate::program::{archive_of, ok, run, testdata};

/// In longer results, a table lists only every twentieth game.
const LISTED: usize = 200;
const EVERY: u64 = 20;

/// The heading of a table of `testdata/expected`, and its rows.
fn table(name: &str) -> (String, Vec<String>) {
    let text = std::fs::read_to_string(testdata("expected").join(name)).expect("a table");
    let mut lines = text.lines().map(str::to_owned);
    (lines.next().expect("a heading"), lines.collect())
}

/// Flags as a shell reads them; blanks may stand in double quotes.
fn words(flags: &str) -> Vec<String> {
    let mut words = vec![];
    for (at, part) in flags.split('"').enumerate() {
        if at % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// The games of a search, each with its ply, which is empty if there is none.
fn found(archive: &str, flags: &str) -> Vec<(u64, String)> {
    let flags = words(flags);
    let mut args =
        vec!["search", archive, "--columns", "id,ply", "--format", "csv", "--limit", "1000000"];
    args.extend(flags.iter().map(String::as_str));
    let output = run(&args);
    assert!(output.code < 2, "{flags:?}: {}", output.err);
    let game = |line: &str| {
        let (id, ply) = line.split_once(',')?;
        Some((id.parse().ok()?, ply.to_owned()))
    };
    output.out.lines().skip(1).map(|line| game(line).expect("an id and a ply")).collect()
}

/// The difference between the results of a row, if there is any.
fn fault(archive: &str, row: &str) -> Option<String> {
    let cells: Vec<&str> = row.split('\t').collect();
    let [_, program, query, flags, count, games] = cells[..] else { panic!("six cells: {row}") };
    let mut ours = found(archive, flags);
    let number = ours.len();
    if number > LISTED {
        ours.retain(|(id, _)| id % EVERY == 0);
    }
    // A condition in SQL finds games, not plies; and not all programs report plies.
    let plies = games.contains(':') && !flags.contains("--where");
    let ours: Vec<String> = ours
        .into_iter()
        .map(|(id, ply)| if plies { format!("{id}:{ply}") } else { id.to_string() })
        .collect();
    let theirs: Vec<&str> = games
        .split(' ')
        .map(|game| if plies { game } else { game.split(':').next().unwrap_or(game) })
        .collect();
    if count == number.to_string() && ours == theirs {
        return None;
    }
    let only_ours: Vec<_> = ours.iter().filter(|game| !theirs.contains(&game.as_str())).collect();
    let only_theirs: Vec<_> =
        theirs.iter().filter(|game| !ours.iter().any(|our| our == *game)).collect();
    Some(format!(
        "{flags}: {number} games, but {count} by {program} ({query}); only ours: {only_ours:?}, only theirs: {only_theirs:?}"
    ))
}

/// Runs all searches of a table.
fn ask(archive: &str, games: u64, name: &str) {
    let (_, mut rows) = table(name);
    assert!(rows.len() > 40, "{}", rows.len());
    // A program without SQL has no conditions in SQL.
    rows.retain(|row| cfg!(feature = "sql") || !row.contains("--where"));
    let faults: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = rows
            .chunks(rows.len().div_ceil(4))
            .map(|rows| {
                scope
                    .spawn(|| rows.iter().filter_map(|row| fault(archive, row)).collect::<Vec<_>>())
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("answers")).collect()
    });
    assert!(
        faults.is_empty(),
        "{} of {} answers differ:\n{}",
        faults.len(),
        rows.len(),
        faults.join("\n")
    );
    for row in rows {
        let count: u64 =
            row.split('\t').nth(4).and_then(|count| count.parse().ok()).expect("a count");
        assert!(0 < count && count < games, "too few or too many games: {row}");
    }
}

#[test]
fn other_programs_find_the_same_games() {
    let (_folder, archive) = archive_of(&["games/masters.pgn.zst"]);
    ask(&archive, 20_816, "questions_masters.tsv");
}

#[test]
fn other_programs_find_the_same_variations_and_comments() {
    let (_folder, archive) = archive_of(&["games/annotated.pgn.zst"]);
    ask(&archive, 80, "questions_annotated.tsv");
}

/// The headings of this table are expressions in SQL.
#[cfg(feature = "sql")]
#[test]
fn functions_of_sql_say_what_python_chess_does() {
    let (_folder, archive) = archive_of(&["games/masters.pgn.zst"]);
    let (heading, rows) = table("functions_masters.tsv");
    let query = format!(
        "select {} from games where id % {EVERY} = 0 order by id",
        heading.replace('\t', ", ")
    );
    let ours = ok(&["sql", &archive, &query, "--format", "tsv"]);
    let ours: Vec<&str> = ours.lines().skip(1).collect();
    assert_eq!((ours.len(), rows.len()), (1_040, 1_040));
    let headings: Vec<&str> = heading.split('\t').collect();
    for (ours, theirs) in ours.iter().zip(&rows) {
        let (ours, theirs): (Vec<_>, Vec<_>) =
            (ours.split('\t').collect(), theirs.split('\t').collect());
        assert_eq!(ours.len(), theirs.len(), "{ours:?}");
        let id = theirs[0];
        for ((heading, ours), theirs) in headings.iter().zip(&ours).zip(&theirs) {
            assert_eq!(ours, theirs, "{heading} of game {id}");
        }
    }
}
