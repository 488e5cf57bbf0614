//! Lists of games, single games, trees and statistics, as users request them.

use crate::golden::{check, json};
use crate::program::{archive_of, ok, run, testdata};
use serde_json::Value;
use std::fs;

const GAMES: [&str; 3] = ["games/lichess.pgn.zst", "games/chess960.pgn", "games/setup.pgn"];

fn value(args: &[&str]) -> Value {
    serde_json::from_str(&ok(args)).expect("JSON")
}

/// Columns that are computed from tags are columns of a list, too, with numbers as numbers.
#[test]
fn columns_of_tags() {
    let folder = tempfile::tempdir().unwrap();
    let (file, archive) = (folder.path().join("a.pgn"), folder.path().join("club"));
    let text = "[White \"A\"]\n[Black \"B\"]\n[UTCDate \"2022.05.26\"]\n[UTCTime \"13:24:36\"]\n[TimeControl \"180+2\"]\n\
                [Termination \"Time forfeit\"]\n[Opening \"Philidor\"]\n[WhiteTitle \"GM\"]\n[WhiteRatingDiff \"+7\"]\n\n1. e4 *\n\n\
                [White \"C\"]\n[Black \"D\"]\n\n1. e4 *\n";
    std::fs::write(&file, text).unwrap();
    let [file, archive] = [&file, &archive].map(|path| path.to_str().unwrap());
    ok(&["import", archive, file, "-q"]);
    let columns = "utc_timestamp,time_of_day,time_control,base_seconds,increment_seconds,period_moves,speed,termination,opening_tag,white_title,\
                   black_title,white_rating_diff,black_rating_diff,year";
    let list = ["search", archive, "--columns", columns, "--format"];
    let found: Value = serde_json::from_str(&ok(&[&list[..], &["json"]].concat())).unwrap();
    let expected = serde_json::json!([
        {
            "utc_timestamp": "2022-05-26T13:24:36Z", "time_of_day": 48276, "time_control": "180+2", "base_seconds": 180, "increment_seconds": 2,
            "period_moves": null, "speed": "blitz", "termination": "Time forfeit", "opening_tag": "Philidor",
            "white_title": "GM", "black_title": null, "white_rating_diff": 7, "black_rating_diff": null, "year": 2022
        },
        {
            "utc_timestamp": null, "time_of_day": null, "time_control": null, "base_seconds": null, "increment_seconds": null,
            "period_moves": null, "speed": null, "termination": null, "opening_tag": null,
            "white_title": null, "black_title": null, "white_rating_diff": null, "black_rating_diff": null, "year": null
        }
    ]);
    assert_eq!(found["games"], expected);
    let csv = ok(&[&list[..], &["csv"]].concat());
    assert!(
        csv.contains(
            "\n2022-05-26T13:24:36Z,48276,180+2,180,2,,blitz,Time forfeit,Philidor,GM,,7,,2022\n"
        ),
        "{csv}"
    );
}

/// The columns of a list and their order can be chosen.
#[test]
fn lists_of_games() {
    let (_folder, archive) = archive_of(&GAMES);
    let archive = archive.as_str();
    let columns = "id,white,white_elo,year,tag:TimeControl,plies";
    let list = ["search", archive, "--sort", "-rating", "--limit", "4", "--columns", columns];
    check("search_columns.csv", &ok(&[&list[..], &["--format", "csv"]].concat()));
    check("search_columns.json", &json(&ok(&[&list[..], &["--format", "json"]].concat())));
    let table = ok(&list);
    assert!(table.trim_start().starts_with("id  white"), "{table}");
    assert!(table.lines().next().is_some_and(|line| line.ends_with("tag:TimeControl  plies")));

    // Pages are parts of the whole.
    let ids = |more: &[&str]| {
        let list = ["search", archive, "--columns", "id", "--format", "tsv", "--sort", "-plies"];
        let text = ok(&[&list[..], more].concat());
        text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let all = ids(&["--limit", "1000"]);
    assert!(all.len() > 400);
    assert_eq!(ids(&["--limit", "7", "--offset", "5"]), all[5..12]);
    let sorted =
        |key| ok(&["search", archive, "--columns", "id", "--format", "tsv", "--sort", key]);
    assert_eq!(sorted("-elo"), sorted("-rating"));
    assert_ne!(sorted("-elo"), sorted("elo"));
    let page = ok(&["search", archive, "--offset", "5", "--limit", "7"]);
    assert!(page.contains(", numbers 6 to 12 shown (--offset, --limit)"), "{page}");
    let end = run(&["search", archive, "--offset", "5000"]);
    assert!(end.code == 0 && end.out.contains("none shown from number 5,001 on"), "{end:?}");

    // The move before the position is a column if there is a position, and ratings if they decide.
    let heading = |more: &[&str]| {
        let table = ok(&[&["search", archive, "--limit", "1"], more].concat());
        table
            .lines()
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert!(heading(&["--moves", "e4"]).contains(&"move".to_owned()));
    assert!(!heading(&[]).contains(&"move".to_owned()));
    assert!(heading(&["--sort", "rating"]).contains(&"black_elo".to_owned()));
}

#[test]
fn lists_that_make_no_sense() {
    let (_folder, archive) = archive_of(&["games/setup.pgn"]);
    let archive = archive.as_str();
    for (args, words) in [
        (
            &["--columns", "id,colour"][..],
            &["\"colour\" is not a column", "hint: ", "white_elo", "tag:TimeControl"][..],
        ),
        (
            &["--columns", "moves"],
            &[
                "\"moves\" is not a column",
                "--format pgn",
                #[cfg(feature = "sql")]
                "san(moves)",
            ],
        ),
        (&["--sort", "mood"], &["mood", "expected id, date, rating, plies, white, "]),
        (&["--count", "--format", "pgn"], &["a number is not PGN"]),
        (&["--count", "--sort", "date"], &["--count", "--sort"]),
        (&["--limit", "many"], &["many"]),
        (&["--columns", "id,white,id"], &["--columns: id is named twice"]),
        (&["--columns", "id", "--format", "pgn"], &["games have no columns", "hint: "]),
        (&["--limit", "-1"], &["invalid value '-1' for '--limit <N>'"]),
        (&["--min-elo", "-1"], &["invalid value '-1' for '--min-elo <ELO>'"]),
        (
            &["--fen", "8/3k4/8/1F6/8/8/8/2RK4 w 70"],
            &["hint: this is a position of Makruk: --variant makruk"],
        ),
    ] {
        let output = run(&[&["search", archive], args].concat());
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{args:?}: {output:?}");
        for word in words {
            assert!(output.err.contains(word), "{args:?}: no {word:?} in {}", output.err);
        }
    }
}

/// A tag is named as in SQL: exactly, or else in any case.
#[test]
fn tags_in_lists_of_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    let (archive, file) = (path("club"), path("games.pgn"));
    let games = "[Event \"A\"]\n[TimeControl \"300\"]\n\n1. e4 *\n\n\
        [Event \"B\"]\n[TimeControl \"600\"]\n[timecontrol \"60\"]\n\n1. e4 *\n";
    fs::write(&file, games).expect("a file");
    ok(&["import", "-q", &archive, &file]);
    for (name, expected) in
        [("TimeControl", "300\n600\n"), ("timecontrol", "300\n60\n"), ("EVENT", "A\nB\n")]
    {
        let column = format!("tag:{name}");
        let output = ok(&["search", &archive, "--columns", &column, "--format", "csv"]);
        assert_eq!(output, format!("{column}\n{expected}"));
        if cfg!(feature = "sql") {
            let query = format!("select tag('{name}') as \"tag:{name}\" from games order by id");
            assert_eq!(output, ok(&["sql", &archive, &query, "--format", "csv"]));
        }
    }
}

/// Some programs write zero for a missing rating.
#[test]
fn zero_is_no_rating() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    let (archive, file) = (path("club"), path("games.pgn"));
    let game = |elo: &str| {
        format!(
            "[Event \"A\"]\n[White \"Tal\"]\n[Black \"Reti\"]\n[WhiteElo \"{elo}\"]\n\
             [BlackElo \"2000\"]\n\n1. e4 *\n\n"
        )
    };
    fs::write(&file, game("0") + &game("1500")).expect("a file");
    ok(&["import", "-q", &archive, &file]);
    for bound in ["--max-elo=2500", "--min-elo=0"] {
        assert_eq!(ok(&["search", &archive, bound, "--count"]), "1\n", "{bound}");
    }
    let events = value(&["events", &archive, "--format", "json"]);
    assert_eq!(events["events"][0]["average_elo"], 1833.3, "{events}");
    fs::write(&file, game("0")).expect("a file");
    let archive = path("zero");
    ok(&["import", "-q", &archive, &file]);
    let players = value(&["players", &archive, "tal", "--format", "json"]);
    assert_eq!(players["players"][0]["highest_elo"], Value::Null, "{players}");
}

/// `search --format pgn` and `export` write the same games.
#[test]
fn games_as_pgn() {
    let (folder, archive) = archive_of(&GAMES);
    let archive = archive.as_str();
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    let all = ok(&["export", archive]);
    let filter = ["--result", "1-0", "--min-elo", "1500"];
    let found =
        ok(&[&["search", archive, "--limit", "9999", "--format", "pgn"], &filter[..]].concat());
    assert!(found.matches("[Event ").count() > 10);
    assert_eq!(found, ok(&[&["export", archive], &filter[..]].concat()));

    // By number, in the order of the numbers.
    let game = |id: &str| ok(&["show", archive, id, "--format", "pgn"]);
    assert_eq!(ok(&["export", archive, "--id", "7", "--id", "3"]), game("7") + &game("3"));
    assert!(all.contains(&game("7")));
    assert_eq!(ok(&["export", archive, "--id", "7,3"]), game("7") + &game("3"));
    let count = |more: &[&str]| {
        run(&[&["search", archive, "--count", "--id", "7,3,99999"], more].concat()).out
    };
    assert_eq!(count(&[]), "2\n");
    if cfg!(feature = "sql") {
        assert_eq!(count(&["--where", "id < 5 or id > 100"]), "1\n");
        assert_eq!(
            run(&["search", archive, "--count", "--id", "2-4", "--where", "id > 3"]).out,
            "1\n"
        );
    }
    // Ids that no game has are noted, each once; the others count.
    let output = run(&["search", archive, "--count", "--id", "99999,7,99999"]);
    assert_eq!((output.out.as_str(), output.err.as_str()), ("1\n", "no game has the id 99999\n"));
    let output = run(&["remove", archive, "--dry-run", "--id", "0,-1,7,90001,90002,90003,90004"]);
    assert!(output.out.contains("1 game would be removed"), "{output:?}");
    assert_eq!(output.err, "no games have the ids 0, -1, 90001, 90002, 90003 and 1 more\n");
    // A game is written once, at the first place of its id.
    let once: String = ["3", "4", "2"].map(game).concat();
    assert_eq!(ok(&["export", archive, "--id", "3,3-4,2-3,2"]), once);
    // A range stands for the existing ids in it.
    let some: String = ["9", "2", "3", "4", "7"].map(game).concat();
    assert_eq!(ok(&["export", archive, "--id", "9,2-4,7"]), some);
    let list = ["--columns", "id", "--sort", "-id", "--limit", "1", "--format", "csv"];
    let last = ok(&[&["search", archive][..], &list].concat());
    let last: i64 = last.lines().nth(1).unwrap().parse().unwrap();
    let beyond = format!("{last}-{}", last + 100);
    assert_eq!(ok(&["export", archive, "--id", &beyond]), game(&last.to_string()));
    assert_eq!(run(&["search", archive, "--count", "--id", "9,2-4,7"]).out, "5\n");
    let output = run(&["export", archive, "--id", "90000-90001"]);
    assert_eq!(
        (output.code, output.out.as_str(), output.err.as_str()),
        (1, "", "no games found\n")
    );
    for (wrong, why) in [("4-2", "2 is before 4"), ("x", "as in 42,7,10-20"), ("2-", "10-20")] {
        let output = run(&["search", archive, "--id", wrong]);
        assert!(output.code == 2 && output.err.contains(why), "{output:?}");
    }
    let output = run(&["remove", archive, "--id", "7,2-3", "--dry-run"]);
    assert!(output.out.contains("3 games would be removed"), "{output:?}");
    let output = run(&["remove", archive, "--id", "7,3", "--dry-run"]);
    assert!(output.out.contains("2 games would be removed"), "{output:?}");
    let output = run(&["export", archive, "--id", "7", "--id", "99999"]);
    assert!(
        output.code == 1 && output.out.is_empty() && output.err.contains("99999"),
        "{output:?}"
    );
    let output = run(&["export", archive, "--id", "7", "--player", "x"]);
    assert!(output.code == 2 && output.err.contains("--id names the games"), "{output:?}");

    // Compressed by the name of the file.
    for (name, magic) in [
        ("all.pgn.zst", &[0x28, 0xb5, 0x2f, 0xfd][..]),
        ("all.pgn.GZ", &[0x1f, 0x8b]),
        ("all.pgn", b"[Event"),
    ] {
        let file = path(name);
        let output = run(&["export", archive, "--output", &file]);
        assert!(output.code == 0 && output.err.contains(" games written to "), "{output:?}");
        let bytes = fs::read(&file).expect("a file");
        assert!(bytes.starts_with(magic), "{name}");
        assert_eq!(bytes.len() < all.len() / 2, name != "all.pgn", "{name}");
        let again = path(&format!("{name}.archive"));
        if name.ends_with("GZ") {
            // A name that is not read, of a file that is.
            continue;
        }
        ok(&["import", "-q", &again, &file]);
        assert_eq!(ok(&["export", &again]), all, "{name}");
    }
    let output = run(&["export", archive, "--output", &path("all.pgn.bz2")]);
    assert!(output.code == 2 && output.err.contains("bzip2 can only be read"), "{output:?}");

    // Other output goes into a file, too, and replaces none.
    let file = path("list.tsv");
    let list = ["search", archive, "--format", "tsv"];
    assert_eq!(ok(&[&list[..], &["--output", &file]].concat()), "");
    assert_eq!(fs::read_to_string(&file).expect("a file"), ok(&list));
    let output = run(&[&list[..], &["--output", &file]].concat());
    assert!(output.code == 2 && output.err.contains("this file exists"), "{output:?}");
    ok(&["explore", archive, "--format", "csv", "--output", &file, "--force"]);
    assert_eq!(
        fs::read_to_string(&file).expect("a file"),
        ok(&["explore", archive, "--format", "csv"])
    );
}

#[test]
fn one_game() {
    let (_folder, archive) = archive_of(&GAMES);
    let archive = archive.as_str();
    check("show.json", &json(&ok(&["show", archive, "5", "--format", "json"])));
    let flipped = ok(&["show", archive, "440", "--ply", "5", "--flip"]);
    assert!(flipped.starts_with("1  ♖ ♔ ♕ ♖ ♗ ♗ ♘ ♘\n"), "{flipped}");
    assert!(flipped.contains("\n   h g f e d c b a\n\nafter 3. d4\n"), "{flipped}");
    // Without a terminal, the game is printed.
    assert_eq!(ok(&["show", archive, "1"]), ok(&["show", archive, "1", "--format", "table"]));
    let game = value(&["show", archive, "440", "--format", "json"]);
    assert_eq!(game["variant"], "chess960");
    assert_eq!(game["moves"].as_array().map(Vec::len), game["plies"].as_u64().map(|n| n as usize));
}

#[test]
fn trees() {
    let (_folder, archive) = archive_of(&GAMES);
    let archive = archive.as_str();
    let tree = ["explore", archive, "--depth", "3", "--min-games", "20", "--games", "1"];
    check("explore_tree.csv", &ok(&[&tree[..], &["--format", "csv"]].concat()));
    check("explore_tree.json", &json(&ok(&[&tree[..], &["--format", "json"]].concat())));
    let table = ok(&tree);
    let names: Vec<&str> =
        table.lines().map(|line| line.split("  ").next().unwrap_or("")).collect();
    assert_eq!(names[..2], ["move", "e4"], "{table}");
    assert!(table.lines().any(|line| line.starts_with("  e5 ")), "{table}");
    assert!(table.lines().any(|line| line.starts_with("    Nf3 ")), "{table}");
    let total =
        table.lines().find(|line| line.starts_with("total ")).expect("a line with all games");
    assert!(total.contains(" 471 ") || total.contains(" 100.0 %"), "{total}");
    assert!(table.contains("\nhighest rated:\n") && table.contains("\nnewest:\n"), "{table}");
    // The default of a deeper tree is one game in a hundred.
    let games = |more: &[&str]| {
        let tree = value(&[&["explore", archive, "--format", "json"], more].concat());
        let moves = tree["moves"].as_array().expect("moves").clone();
        moves
            .iter()
            .map(|mv| {
                ["white", "draws", "black", "other"]
                    .iter()
                    .map(|end| mv[end].as_u64().expect("a number"))
                    .sum()
            })
            .collect::<Vec<u64>>()
    };
    let (all, common) = (games(&[]), games(&["--depth", "2"]));
    assert!(all.len() > common.len() && *common.last().expect("a move") >= 4, "{all:?} {common:?}");
    assert_eq!(games(&["--min-games", "1%"]), common);
    for wrong in ["--depth=0", "--depth=61", "--min-games=few", "--min-games=200%"] {
        assert_eq!(run(&["explore", archive, wrong]).code, 2, "{wrong}");
    }
}

#[test]
fn statistics() {
    let (_folder, archive) = archive_of(&["games/masters.pgn.zst"]);
    let archive = archive.as_str();
    check("stats.txt", &ok(&["stats", archive]));
    check("stats.csv", &ok(&["stats", archive, "--format", "csv"]));
    let player = ["stats", archive, "--player", "tal", "--format", "json"];
    check("stats_player.json", &json(&ok(&player)));
    assert_eq!(run(&["stats", archive, "--player", "nosuchplayer"]).code, 1);
    // An archive's name alone summarizes it.
    assert_eq!(ok(&[archive]), ok(&["info", archive]));
    assert_eq!(ok(&[archive, "--format", "csv"]), ok(&["info", archive, "--format", "csv"]));
    let file = testdata("games/setup.pgn");
    let output = ok(&["stats", file.to_str().expect("text")]);
    assert!(output.starts_with("49 games with 3,440 half-moves"), "{output}");
}
