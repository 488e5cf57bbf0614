//! Duplicates, players and events: the reports of the program, and the atomicity of its changes.

use crate::golden::{check, json};
use crate::program::{archive_of, halfmove, ok, run, testdata};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

const MOVES: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Na5 10. Bc2 c5 \
    11. d4 Qc7";

fn game(white: &str, event: &str, date: &str, moves: &str) -> String {
    format!(
        "[Event \"{event}\"]\n[Site \"Bath\"]\n[Date \"{date}\"]\n[Round \"1\"]\n[White \"{white}\"]\n\
         [Black \"Short, Nigel\"]\n[Result \"1-0\"]\n[WhiteElo \"2700\"]\n\n{moves} 1-0\n\n"
    )
}

/// A file of similar games.
fn file(folder: &Path) -> String {
    let longer = format!("{MOVES} 12. Nbd2 cxd4");
    let games = [
        game("Adams, Michael", "Match", "1995.03.01", MOVES),
        game("ADAMS Michael", "Match", "1995.03.01", &format!("{MOVES} {{good}}")),
        game("Adams,M", "Match", "1995.03.01", &longer),
        game("Adams, Michael", "Match", "1996.03.01", MOVES),
        game("Speelman, Jon", "Open", "1995.03.01", "1. e4 e5"),
        game("Speelman, Jon", "Closed", "1995.03.01", "1. e4 e5"),
    ];
    let path = folder.join("games.pgn");
    fs::write(&path, games.concat()).expect("a file");
    path.to_str().expect("text").to_owned()
}

/// An archive of that file, and the file.
fn alike() -> (tempfile::TempDir, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = file(folder.path());
    let archive = folder.path().join("club").to_str().expect("text").to_owned();
    ok(&["import", &archive, &file, "-q"]);
    (folder, archive, file)
}

fn count(archive: &str) -> u64 {
    let info: Value = serde_json::from_str(&ok(&["info", archive, "--format", "json"])).unwrap();
    info["games"].as_u64().unwrap()
}

#[test]
fn duplicates_in_all_formats() {
    let (_folder, archive, _) = alike();
    let archive = archive.as_str();
    check("duplicates.json", &json(&ok(&["duplicates", archive, "--format", "json"])));
    check("duplicates.csv", &ok(&["duplicates", archive, "--format", "csv"]));
    let output = ok(&["duplicates", archive]);
    assert!(
        output.contains("\n1 group of exact duplicates (1 game too many). 1 group of near duplicates (2 games). 6 games compared in "),
        "{output}"
    );
    assert!(
        output.ends_with(&format!("(*): halfmove duplicates {archive} --remove\n")),
        "{output}"
    );
    let near = ok(&["duplicates", archive, "--kind", "near", "--format", "csv"]);
    assert_eq!(near.lines().count(), 3, "{near}");
    let first = ok(&["duplicates", archive, "--limit", "1"]);
    assert!(first.contains(" ms. The first group is shown (--limit).\n"), "{first}");
    // The list, then the plan, then the removal.
    let remove = ["duplicates", archive, "--remove", "--format", "json"];
    check("duplicates_dry.json", &json(&ok(&[&remove[..], &["--dry-run"]].concat())));
    assert_eq!(count(archive), 6);
    check("duplicates_remove.json", &json(&ok(&remove)));
    assert_eq!(count(archive), 5);
    let history: Value =
        serde_json::from_str(&ok(&["history", archive, "--format", "json"])).unwrap();
    assert_eq!(history["changes"][2]["reason"], "duplicates", "{history}");
    // The one with a comment.
    assert!(ok(&["show", archive, "2"]).contains("{good}"));
    assert_eq!(run(&["show", archive, "1"]).code, 1);
    let output = run(&remove);
    assert_eq!((output.code, output.err.as_str()), (1, ""));
    let table = run(&["duplicates", archive, "--remove"]);
    assert!(table.out.ends_with("no exact duplicates, nothing is removed\n"), "{table:?}");
    ok(&["undo", archive]);
    assert_eq!(count(archive), 6);
    let output = run(&["duplicates", archive, "--dry-run"]);
    assert!(output.code == 2 && output.err.contains("--remove"), "{output:?}");
}

#[test]
fn no_duplicates() {
    let (_folder, archive) = archive_of(&["games/setup.pgn"]);
    let output = run(&["duplicates", &archive]);
    assert_eq!((output.code, output.err.as_str()), (1, ""), "{output:?}");
    let counted = "No exact duplicates. No near duplicates. 49 games compared in ";
    assert!(output.out.starts_with(counted), "{output:?}");
}

#[test]
fn imports_of_what_is_there() {
    let (_folder, archive, file) = alike();
    let archive = archive.as_str();
    let output = run(&["import", "--again", archive, &file]);
    assert_eq!((output.code, count(archive)), (0, 12), "{output:?}");
    let lines: Vec<&str> = output.err.lines().collect();
    assert_eq!(
        lines[..2],
        [
            format!("{file}: game 1, now id 7, is a duplicate of id 1 of the archive"),
            format!("{file}: game 2, now id 8, is a duplicate of id 1 of the archive"),
        ]
    );
    let advice = format!(
        "6 duplicates imported (to keep the best of each: halfmove duplicates {archive} --remove)"
    );
    assert_eq!(lines[6], advice);
    let output = run(&["import", "--again", archive, &file, "--duplicates", "skip"]);
    assert_eq!((output.code, count(archive)), (0, 12), "{output:?}");
    assert_eq!(output.out, "6 games read, all duplicates: nothing is imported\n");
    let line = format!("{file}: game 3 is left out, it is a duplicate of id 3 of the archive");
    assert!(output.err.contains(&line), "{output:?}");
    assert!(output.err.ends_with("6 duplicates left out\n"), "{output:?}");
    let output = run(&["import", "--again", archive, &file, "--duplicates", "keep"]);
    assert_eq!((output.err.as_str(), count(archive)), ("", 18));
    let output = run(&["import", "--again", archive, &file, "--quiet", "--duplicates", "skip"]);
    assert_eq!(
        (output.code, output.err.as_str(), output.out.as_str(), count(archive)),
        (0, "", "", 18)
    );
    // A new archive, in which a file has a game twice.
    let new = format!("{archive}2");
    let output = run(&["import", &new, &file, "--duplicates", "skip"]);
    assert!(
        output.err.contains("game 2 is left out, it is a duplicate of game 1, id 1"),
        "{output:?}"
    );
    assert!(output.out.starts_with("5 games with 72 half-moves from 1 file"), "{output:?}");
    assert_eq!(count(&new), 5);
    let sources = ok(&["import", &new, &file]);
    assert!(!sources.contains("games with"), "{sources}");
}

/// A file in its own folder, and the name of an archive that does not exist yet.
fn written(name: &str, text: &str) -> (tempfile::TempDir, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    let (file, archive) = (path("games.pgn"), path(name));
    fs::write(&file, text).expect("a file");
    (folder, file, archive)
}

/// Games that are left out are neither originals nor counted among the faults of the archive.
#[test]
fn imports_name_originals_that_there_are() {
    let one = game("Adams, Michael", "Match", "1995.03.01", MOVES);
    let two = game("Adams, Michael", "Match", "1996.03.01", &format!("{MOVES} 12. Qh9 Bf8"));
    let twice = [one.as_str(), &one, &two, &two].concat();
    let (folder, file, archive) = written("club", &twice);
    let output = run(&["import", &archive, &file, "--duplicates", "skip"]);
    for line in [
        format!("{file}: game 2 is left out, it is a duplicate of game 1, id 1\n"),
        format!("{file}: game 4 is left out, it is a duplicate of game 3, id 2\n"),
        "1 game with a fault (column fault): moves end there, the rest is kept as text; 1 more left out\n"
            .to_owned(),
    ] {
        assert!(output.err.contains(&line), "{line}{output:?}");
    }
    let faults = ok(&["search", &archive, "--columns", "id,fault", "--format", "csv"]);
    assert_eq!(faults.lines().skip(1).filter(|line| !line.ends_with(',')).count(), 1, "{faults}");
    let other = folder.path().join("other.pgn");
    let (other, three) = (other.to_str().expect("text"), one.replace("Adams", "Speelman"));
    let first = folder.path().join("first.pgn");
    fs::write(&first, format!("{two}{three}")).expect("a file");
    fs::write(other, &three).expect("a file");
    let first = first.to_str().expect("text");
    let output = run(&["import", &archive, first, other]);
    for line in [
        format!("{first}: game 1, now id 3, is a duplicate of id 2 of the archive\n"),
        format!("{other}: game 1, now id 5, is a duplicate of game 2 of {first}, id 4\n"),
    ] {
        assert!(output.err.contains(&line), "{line}{output:?}");
    }
    let four = two.replace("Match", "Open").replace("1996", "1997");
    fs::write(other, format!("{four}{two}{three}")).expect("a file");
    let output = run(&["import", &archive, other, "--duplicates", "skip"]);
    assert!(output.out.starts_with("1 game "), "{output:?}");
    assert!(output.err.contains("1 game with a fault (column fault)"), "{output:?}");
    fs::write(other, format!("{two}{}", three.replace("1995", "1998"))).expect("a file");
    let output = run(&["import", &archive, other, "--duplicates", "skip"]);
    assert!(output.err.ends_with("1 game with a fault left out\n"), "{output:?}");
}

/// Known differences prevent an exact duplicate: the words after a fault, other moves, and months and days.
#[test]
fn games_that_differ_are_not_removed() {
    let with =
        |date: &str, end: &str| game("Adams, Michael", "Match", date, &format!("{MOVES}{end}"));
    let games = [
        with("1995.03.01", " 12. Qh9 Bf8 13. a4"),
        with("1995.03.01", " 12. Qh9 c5 13. d5"),
        with("1995.03.01", " 12. -- Bf8"),
        with("1995.03.01", " 12. -- c4"),
        with("1995.03.01", ""),
        with("1987.02.??", ""),
        with("1987.11.??", ""),
        with("1987.??.??", ""),
        with("2020.02.30", ""),
        with("2020.02.31", ""),
        with("2020.02.??", ""),
        with("2020.03.??", ""),
        with("02/03/2020", ""),
        with("03/03/2020", ""),
    ];
    let (_folder, file, archive) = written("club", &games.concat());
    let output = run(&["import", &archive, &file, "--duplicates", "skip"]);
    assert!(!output.err.contains("duplicate"), "{output:?}");
    assert_eq!(count(&archive), 14);
    let output = ok(&["duplicates", &archive]);
    assert!(output.contains("\nNo exact duplicates. "), "{output}");
    let near = ok(&["duplicates", &archive, "--format", "csv"]);
    for (differs, id) in [("moves", 1), ("date", 6), ("date", 9)] {
        let line = format!(",near,{differs},,{id},");
        assert!(near.contains(&line), "{line} in {near}");
    }
    // An identical game is one.
    let output = run(&["import", "--again", &archive, &file, "--duplicates", "skip"]);
    assert!(output.out.starts_with("14 games read, all duplicates"), "{output:?}");
}

/// No name in a file and no path runs as a command when a suggestion is pasted.
#[cfg(unix)]
#[test]
fn suggested_commands_run_as_they_are_meant() {
    let in_shell = |folder: &Path, command: &str| {
        let command = format!("'{}' {command}", env!("CARGO_BIN_EXE_halfmove"));
        let mut shell = std::process::Command::new("sh");
        let output = shell.args(["-c", &command]).current_dir(folder).output().expect("a shell");
        assert!(output.status.success(), "{command}: {output:?}");
        assert!(!folder.join("PWNED").exists(), "{command}");
        String::from_utf8(output.stdout).expect("text")
    };
    for (club, name) in [
        ("my `touch PWNED` club", "Adams `touch PWNED`"),
        ("it's", "Adams $(touch PWNED)"),
        ("$HOME", "Adams \"; touch PWNED; 'M"),
    ] {
        let of = |name: &str, date| game(&name.replace('"', "\\\""), "Match", date, MOVES);
        let text = of(name, "1995.03.01") + &of(&name.to_uppercase(), "1996.03.01");
        let (folder, file, archive) = written(club, &text);
        ok(&["import", "-q", &archive, &file]);
        let output = ok(&["players", &archive, "--similar"]);
        let (_, merge) = output.split_once("to merge two: halfmove ").expect("a command");
        let output = in_shell(folder.path(), merge);
        let (_, undo) = output.split_once("(to undo this: halfmove ").expect("a command");
        in_shell(folder.path(), undo.trim_end().trim_end_matches(')'));
    }
}

/// The list of similar names can be given to a merge, and has the name of the most games on its right side.
#[test]
fn similar_names_as_a_list_for_a_merge() {
    let of = |name: &str, year: u32| game(name, "Match", &format!("{year}.03.01"), MOVES);
    let names = ["ADAMS Michael", "Adams, Michael", "Adams, Michael", "GM Adams, Michael"];
    let text: String = names.iter().zip(1995..).map(|(name, year)| of(name, year)).collect();
    let (folder, file, archive) = written("club", &text);
    ok(&["import", "-q", &archive, &file]);
    let list = ok(&["players", &archive, "--similar", "--list"]);
    assert_eq!(list, "ADAMS Michael => Adams, Michael\nGM Adams, Michael => Adams, Michael\n");
    let file = folder.path().join("names.txt");
    fs::write(&file, list).expect("a file");
    ok(&["players", "merge", &archive, "--from", file.to_str().expect("text")]);
    let left = run(&["players", &archive, "--similar", "--list"]);
    assert_eq!((left.code, left.out.as_str()), (1, ""), "{left:?}");
}

#[test]
fn players_and_events_in_all_formats() {
    let (_folder, archive, _) = alike();
    let archive = archive.as_str();
    check("players.json", &json(&ok(&["players", archive, "--format", "json"])));
    check("players.csv", &ok(&["players", archive, "adams", "--sort", "name", "--format", "csv"]));
    check("similar.json", &json(&ok(&["players", archive, "--similar", "--format", "json"])));
    check("similar.csv", &ok(&["players", archive, "adams", "--similar", "--format", "csv"]));
    check("events.json", &json(&ok(&["events", archive, "--format", "json"])));
    check("events.csv", &ok(&["events", archive, "match", "--format", "csv"]));
    let output = ok(&["players", archive, "--limit", "1", "--sort", "-elo"]);
    assert!(
        output.contains("5 players in ") && output.contains(", the first 1 shown (--limit)"),
        "{output}"
    );
    let output = ok(&["players", archive, "--similar"]);
    assert!(output.contains("to merge two: halfmove players merge"), "{output}");
    let output = run(&["players", archive, "adms"]);
    assert_eq!(output.code, 1);
    assert!(output.err.starts_with("no player is called \"adms\"; did you mean "), "{output:?}");
    assert_eq!(run(&["events", archive, "nothing"]).code, 1);
    for verb in ["players", "events"] {
        let output = run(&[verb, archive, "?"]);
        assert_eq!(
            output.err,
            "error: NAME \"?\" has no word in it: expected a letter or a digit\n"
        );
        assert_eq!(output.code, 2);
        let output = run(&[verb]);
        assert!(output.code == 2 && output.err.contains("<ARCHIVE>"), "{output:?}");
    }
}

#[test]
fn merges() {
    let (_folder, archive, _) = alike();
    let archive = archive.as_str();
    let merge = ["players", "merge", archive, "Adams, Michael", "ADAMS Michael", "Adams,M"];
    let as_json = [&merge[..], &["--format", "json"]].concat();
    check("merge_dry.json", &json(&ok(&[&as_json[..], &["--dry-run"]].concat())));
    assert_eq!(run(&["players", archive, "adams m", "--format", "csv"]).out.lines().count(), 4);
    check("merge.json", &json(&ok(&as_json)));
    let players = ok(&["players", archive, "adams", "--format", "csv"]);
    assert_eq!(players.lines().nth(1), Some("\"Adams, Michael\",4,1995,1996,2700,4,0,0,0,0,100.0"));
    assert_eq!(players.lines().count(), 2);
    let pgn = ok(&["export", archive]);
    assert_eq!(pgn.matches("[White \"Adams, Michael\"]").count(), 4, "{pgn}");
    assert!(!pgn.contains("ADAMS"));
    let history = ok(&["history", archive]);
    assert!(history.contains(" merge "), "{history}");
    let names = r#""ADAMS Michael", "Adams,M" now "Adams, Michael", in "#;
    assert!(history.contains(names) && history.contains("games.pgn"), "{history}");
    // No game has these names any more.
    let output = run(&merge);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(
        output.err.contains(
            "no player is called exactly \"ADAMS Michael\"; did you mean \"Adams, Michael\""
        ),
        "{output:?}"
    );
    assert!(
        output.out.ends_with("no game has one of these names, nothing is changed\n"),
        "{output:?}"
    );
    let output = ok(&["undo", archive]);
    assert!(output.contains("with the same 6 games"), "{output}");
    assert_eq!(ok(&["export", archive]).matches("ADAMS Michael").count(), 1);
    let output = ok(&merge);
    assert!(
        output.ends_with(&format!(
            "2 games changed (to undo this: halfmove undo {archive} --to 3)\n"
        )),
        "{output}"
    );
    let output = run(&["players", "merge", archive, "?", "Adams, Michael"]);
    assert!(output.code == 2 && output.err.contains("\"?\" is not a name"), "{output:?}");
    let output = run(&["players", "merge", archive, "Adams\nMichael", "Adams, Michael"]);
    assert!(output.code == 2 && output.err.contains("expected no line breaks"), "{output:?}");
    let output = run(&["players", "merge", archive, "Adams, Michael"]);
    assert!(output.code == 2 && output.err.contains("<FROM>"), "{output:?}");
    // Names that have played each other belong to two players.
    let merge = ["players", "merge", archive, "Adams", "Adams, Michael", "Short, Nigel"];
    for args in [&merge[..], &[&merge[..], &["--dry-run"]].concat()] {
        let output = run(args);
        let error = "\"Adams, Michael\" and \"Short, Nigel\" have played each other, in game 1\n";
        assert!(
            output.code == 2 && output.err.contains(error) && output.err.contains("--force"),
            "{output:?}"
        );
    }
    let forced = ok(&[&merge[..], &["--force", "--dry-run"]].concat());
    assert!(forced.ends_with("6 games would be changed\n"), "{forced}");
}

/// One rule for all lists: with a - before the key, the largest come first; unknown values come last.
#[test]
fn orders_of_players_and_events() {
    let (_folder, archive) = archive_of(&["games/lichess.pgn.zst", "games/setup.pgn"]);
    for (verb, keys) in [
        (
            "players",
            &[
                ("games", "games"),
                ("elo", "highest_elo"),
                ("score", "player_percent"),
                ("year", "last_year"),
            ][..],
        ),
        (
            "events",
            &[
                ("games", "games"),
                ("elo", "average_elo"),
                ("players", "players"),
                ("year", "last_year"),
            ],
        ),
    ] {
        let values = |key: &str, field: &str| {
            let answer = ok(&[verb, &archive, "--sort", key, "--format", "json"]);
            let answer: Value = serde_json::from_str(&answer).expect("JSON");
            let entries = answer[verb].as_array().expect("a list").iter();
            entries.map(|entry| entry[field].as_f64()).collect::<Vec<_>>()
        };
        for (key, field) in keys {
            let up = values(key, field);
            let known = up.iter().flatten().count();
            assert!(known > 5 && up[..known].iter().all(Option::is_some), "{verb} {key}: {up:?}");
            assert!(up[..known].is_sorted(), "{verb} {key}: {up:?}");
            let down = values(&format!("-{key}"), field);
            assert!(down[..known].is_sorted_by(|one, two| one >= two), "{verb} -{key}: {down:?}");
            assert_eq!(up[known..], down[known..], "{verb} {key}");
        }
        let of = |key| ok(&[verb, &archive, "--sort", key, "--format", "csv"]);
        assert_eq!(of("-rating"), of("-elo"));
        assert_eq!(of("-games"), ok(&[verb, &archive, "--format", "csv"]));
        let output = run(&[verb, &archive, "--sort", "age"]);
        assert!(
            output.code == 2 && output.err.contains("after a - for the largest first"),
            "{output:?}"
        );
    }
}

/// Kills merges and removals of duplicates at some moments: they are complete or have not happened.
#[test]
fn killed_cleaning_is_whole_or_not_at_all() {
    let (_folder, archive) = archive_of(&["games/lichess.pgn.zst", "games/masters.pgn.zst"]);
    let archive = archive.as_str();
    let masters = testdata("games/masters.pgn.zst");
    ok(&["import", "--again", archive, masters.to_str().expect("text"), "--quiet"]);
    let players: Value =
        serde_json::from_str(&ok(&["players", archive, "--format", "json"])).expect("JSON");
    let name =
        |number: usize| players["players"][number]["name"].as_str().expect("a name").to_owned();
    let (to, from) = (name(0), name(1));
    let merge = ["players", "merge", archive, &to, &from];
    let remove = ["duplicates", archive, "--remove"];
    let all = count(archive);
    let games_of = |name: &str| {
        let csv = ok(&["search", archive, "--columns", "white,black", "--format", "csv"]);
        let mut rows = csv::Reader::from_reader(csv.as_bytes());
        rows.records()
            .filter(|row| row.as_ref().expect("a row").iter().any(|cell| cell == name))
            .count()
    };
    let before = games_of(&from);
    let timed = |args: &[&str]| {
        let clock = Instant::now();
        ok(args);
        clock.elapsed()
    };
    let times = [timed(&merge), timed(&["undo", archive]), timed(&remove)];
    let left = count(archive);
    assert!(left < all && before > 0);
    ok(&["undo", archive]);
    let killed = |args: &[&str], moment: Duration| {
        let mut child = halfmove(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(moment);
        child.kill().unwrap();
        child.wait().unwrap().success()
    };
    for step in [1, 3, 5] {
        let done = killed(&merge, times[0].mul_f64(f64::from(step) * 0.2));
        let now = games_of(&from);
        assert!(now == 0 || !done && now == before, "{now} of {before} games, done: {done}");
        assert_eq!((run(&["verify", archive]).code, count(archive)), (0, all));
        if now == 0 {
            ok(&["undo", archive]);
        }
        assert_eq!(games_of(&from), before);
        let done = killed(&remove, times[2].mul_f64(f64::from(step) * 0.2));
        let now = count(archive);
        assert!(now == left || !done && now == all, "{now} games of {all}, done: {done}");
        assert_eq!(run(&["verify", archive]).code, 0);
        if now == left {
            ok(&["undo", archive]);
        }
        assert_eq!(count(archive), all);
    }
}
