//! Output that shows its scope: the names that a condition matches, the games that a tree counts.

use crate::program::{ok, run};
use serde_json::{Value, json};
use std::fs;

/// An archive of some games, given as players, date and moves.
fn archive(games: &[(&str, &str, &str, &str)]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let (file, archive) = (folder.path().join("games.pgn"), folder.path().join("archive"));
    let text = games.iter().map(|(white, black, date, moves)| {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Date \"{date}\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n")
    });
    fs::write(&file, text.collect::<String>()).unwrap();
    let archive = archive.to_str().unwrap().to_owned();
    ok(&["import", "-q", &archive, file.to_str().unwrap()]);
    (folder, archive)
}

fn json_of(args: &[&str]) -> Value {
    serde_json::from_str(&ok(&[args, &["--format", "json"]].concat())).unwrap()
}

const ARONIANS: &[(&str, &str, &str, &str)] = &[
    ("Aronian, Levon", "Carlsen, Magnus", "2012.01.01", "1. e4 e5"),
    ("Carlsen, Magnus", "Aronian, Levon", "2013.01.01", "1. d4 d5"),
    ("Aronian, Laurel", "Smith, John", "2014.01.01", "1. c4 c5"),
    ("Aronian,L", "Smith, John", "2015.01.01", "1. c4 e5"),
    ("Aronian, Laurel", "Aronian, Levon", "2016.01.01", "1. Nf3 d5"),
];

#[test]
fn several_names_of_a_condition_are_listed() {
    let (_folder, archive) = archive(ARONIANS);
    let archive = archive.as_str();
    let note = "\"aronian\" matches 3 names: \"Aronian, Levon\" (3 games), \"Aronian, Laurel\" (2 games), \
                \"Aronian,L\" (1 game); for one of them: --exact";
    for verb in [
        &["search"][..],
        &["search", "--count"],
        &["explore"],
        &["stats"],
        &["stats", "--by", "opening"],
        &["export"],
        &["remove", "--dry-run"],
    ] {
        let args = [&verb[..1], &[archive, "--player", "aronian"], &verb[1..]].concat();
        let output = run(&args);
        assert_eq!(output.code, 0, "{verb:?} {output:?}");
        assert_eq!(output.err.matches(note).count(), 1, "{verb:?} {output:?}");
    }
    // The names are those in the games that are found.
    let output = run(&["search", archive, "--player", "aronian", "--until", "2013"]);
    assert!(!output.err.contains("matches"), "{output:?}");
    let output =
        run(&["search", archive, "--white", "aronian", "--opponent", "x", "--player", "y"]);
    assert!(!output.err.contains("matches"), "{output:?}");
    let output = run(&["search", archive, "--player", "smith", "--opponent", "aronian"]);
    // They may be one player.
    assert!(!output.err.contains("matches"), "{output:?}");
    let output =
        run(&["search", archive, "--white", "carlsen", "--opponent", "a*", "--player", "c*"]);
    assert!(!output.err.contains("matches"), "{output:?}");
    let output = run(&["search", archive, "--player", "smith", "--opponent", "*"]);
    assert_eq!(output.code, 2, "{output:?}");
    let output = run(&["search", archive, "--black", "a*", "--moves", "d4 d5"]);
    assert!(!output.err.contains("matches"), "{output:?}");
}

#[test]
fn json_has_the_names_of_conditions() {
    let (_folder, archive) = archive(ARONIANS);
    let archive = archive.as_str();
    let levon = json!({ "name": "Aronian, Levon", "games": 3 });
    let laurel = json!({ "name": "Aronian, Laurel", "games": 2 });
    let short = json!({ "name": "Aronian,L", "games": 1 });
    let names = json!({ "player": [levon, laurel, short] });
    for verb in [
        &["search"][..],
        &["search", "--count"],
        &["explore"],
        &["stats"],
        &["stats", "--by", "opening"],
    ] {
        let args = [&verb[..1], &[archive, "--player", "aronian"], &verb[1..]].concat();
        assert_eq!(json_of(&args)["names"], names, "{verb:?}");
        let args = [&verb[..1], &[archive], &verb[1..]].concat();
        assert_eq!(json_of(&args).get("names"), None, "{verb:?}");
    }
    let both = json_of(&["search", archive, "--white", "aronian", "--black", "aronian"]);
    let white = json!([{ "name": "Aronian, Laurel", "games": 1 }]);
    let black = json!([{ "name": "Aronian, Levon", "games": 1 }]);
    assert_eq!(both["names"], json!({ "white": white, "black": black }));
}

#[test]
fn exact_names() {
    let (_folder, archive) = archive(ARONIANS);
    let archive = archive.as_str();
    let ids = |args: &[&str]| -> Vec<i64> {
        let answer = json_of(&[&["search", archive], args].concat());
        let games = answer["games"].as_array().unwrap();
        games.iter().map(|game| game["id"].as_i64().unwrap()).collect()
    };
    for (args, expected) in [
        (&["--player", "Aronian, Levon", "--exact"][..], &[1, 2, 5][..]),
        (&["--player", "aronian,levon", "--exact"], &[1, 2, 5]),
        (&["--player", "Aronian, L", "--exact"], &[4]),
        (&["--player", "Aronian, L"], &[1, 2, 3, 4, 5]),
        (&["--white", "Aronian, Laurel", "--exact"], &[3, 5]),
        (&["--black", "Aronian, Levon", "--exact"], &[2, 5]),
        (&["--player", "smith, john", "--opponent", "aronian, l", "--exact"], &[4]),
    ] {
        assert_eq!(ids(args), expected, "{args:?}");
    }
    for verb in ["explore", "stats", "export", "remove"] {
        let rest: &[&str] = if verb == "remove" { &["--dry-run"] } else { &[] };
        let args = [&[verb, archive, "--player", "Aronian, L", "--exact"], rest].concat();
        let output = run(&args);
        assert_eq!((output.code, output.err.contains("matches")), (0, false), "{output:?}");
    }
    let output = run(&["search", archive, "--player", "aronian", "--exact"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.err.contains("no player is called exactly \"aronian\""), "{output:?}");
    let output = run(&["search", archive, "--event", "x", "--exact"]);
    assert_eq!(output.code, 2, "{output:?}");
    assert!(output.err.contains("player, white or black"), "{output:?}");
}

/// Relatives are two players, even if one of them is spelled with an initial.
#[test]
fn relatives_are_not_similar() {
    let (_folder, archive) = archive(&[
        ("Vidmar, Milan Sr", "Alekhine, Alexander", "1931.01.01", "1. d4 d5"),
        ("Vidmar, Milan Jr", "Gligoric, Svetozar", "1948.01.01", "1. d4 d5"),
        ("Vidmar, M. jr.", "Gligoric, Svetozar", "1949.01.01", "1. d4 d5"),
    ]);
    let answer = json_of(&["players", &archive, "--similar"]);
    let pairs: Vec<(&str, &str)> = answer
        .as_array()
        .or_else(|| answer["pairs"].as_array())
        .unwrap()
        .iter()
        .map(|pair| {
            let name = |field: &str| pair[field]["name"].as_str().or(pair[field].as_str());
            (name("name").unwrap(), name("other").unwrap())
        })
        .collect();
    assert_eq!(pairs, [("Vidmar, M. jr.", "Vidmar, Milan Jr")]);
}

/// The replies to a move are counted in all games with its position, so their number is shown next to the
/// move.
#[test]
fn a_tree_has_the_games_that_reach_each_position() {
    let (_folder, archive) = archive(&[
        ("A", "B", "2000", "1. d4 Nf6 2. c4 e6"),
        ("A", "B", "2000", "1. c4 Nf6 2. d4 e6"),
        ("A", "B", "2000", "1. c4 Nf6 2. d4 g6"),
    ]);
    let archive = archive.as_str();
    let args = ["explore", archive, "--depth", "4", "--min-games", "1"];
    let answer = json_of(&args);
    /// Checks each move, and returns the number of those whose position more games reach.
    fn check(moves: &Value) -> usize {
        let moves = moves.as_array().unwrap();
        let games = |mv: &Value| -> u64 {
            ["white", "draws", "black", "other"].iter().map(|of| mv[of].as_u64().unwrap()).sum()
        };
        let mut joined = 0;
        for mv in moves {
            let next = mv["moves"].as_array().unwrap();
            if next.is_empty() {
                continue;
            }
            // All games continue to the end of the tree.
            let reached = mv["reached"].as_u64().unwrap();
            assert_eq!(next.iter().map(games).sum::<u64>(), reached, "{mv}");
            joined += usize::from(reached > games(mv)) + check(&mv["moves"]);
        }
        joined
    }
    // Of the two orders of the moves, one has what follows.
    assert_eq!(check(&answer["moves"]), 1);
    let d4 = &answer["moves"][1];
    let c4 = &d4["moves"][0]["moves"][0];
    assert_eq!((&d4["reached"], &c4["san"], &c4["reached"]), (&json!(1), &json!("c4"), &json!(3)));
    let table = ok(&args);
    let line = table.lines().find(|line| line.starts_with("    c4")).unwrap();
    assert!(line.split_whitespace().any(|cell| cell == "3"), "{table}");
    assert!(table.contains("reached: games with the position after the move"), "{table}");
    let csv = ok(&[&args[..], &["--format", "csv"]].concat());
    assert!(csv.lines().next().unwrap().split(',').any(|name| name == "reached"), "{csv}");
    // A tree without another order of moves has no such column.
    let table = ok(&["explore", archive, "--depth", "2"]);
    assert!(!table.contains("reached"), "{table}");
}

/// `--for N` is N half-moves, so N + 1 positions: here, those after 2. exd5 and after 2... c6.
#[test]
fn a_condition_holds_for_half_moves() {
    let (_folder, archive) = archive(&[("A", "B", "2000", "1. e4 d5 2. exd5 c6 3. dxc6 Nxc6")]);
    let archive = archive.as_str();
    // White is exactly a pawn ahead after plies 3 and 4, two after 5, and one after 6.
    for (plies, found) in [("0", true), ("1", true), ("2", false)] {
        let output = run(&["search", archive, "--imbalance", "Pv", "--for", plies]);
        assert_eq!(output.code == 0, found, "{plies} {output:?}");
    }
    let help = ok(&["help", "board"]);
    let words: Vec<&str> = help.split_whitespace().collect();
    assert!(words.join(" ").contains("in N + 1 positions in a row"), "{help}");
}

/// A file of games that differ in their dates, ratings and openings.
const GAMES: &[(&str, &str, &str, &str)] = &[
    ("A", "B", "2000.01.01", "1. e4 c5 2. Nf3"),
    ("C", "B", "2001.01.01", "1. e4 c5 2. Nf3 d6"),
    ("A", "D", "1999.01.01", "1. e4 c5 2. c3"),
    ("A", "D", "2002.01.01", "1. e4 e5"),
    ("D", "A", "1998.01.01", "1. d4 d5 2. c4 e6 3. Nc3"),
];

#[test]
fn exports_are_sorted_and_limited() {
    let (_folder, archive) = archive(GAMES);
    let archive = archive.as_str();
    let dates = |args: &[&str]| -> Vec<String> {
        let text = ok(&[&["export", archive], args].concat());
        let lines = text.lines().filter_map(|line| line.strip_prefix("[Date \""));
        lines.map(|line| line[..4].to_owned()).collect()
    };
    assert_eq!(dates(&["--limit", "2"]), ["2000", "2001"]);
    assert_eq!(dates(&["--sort", "date"]), ["1998", "1999", "2000", "2001", "2002"]);
    assert_eq!(dates(&["--sort", "-date", "--limit", "2"]), ["2002", "2001"]);
    assert_eq!(dates(&["--sort", "-plies", "--limit", "1", "--player", "d"]), ["1998"]);
    assert_eq!(run(&["export", archive, "--limit", "1", "--player", "x"]).code, 1);
    // The same games in the same order as those of search.
    let pgn = ok(&["search", archive, "--sort", "-date", "--limit", "3", "--format", "pgn"]);
    assert_eq!(ok(&["export", archive, "--sort", "-date", "--limit", "3"]), pgn);
}

#[test]
fn a_tree_is_a_repertoire() {
    let (_folder, archive) = archive(GAMES);
    let archive = archive.as_str();
    let text = ok(&["explore", archive, "--depth", "3", "--min-games", "1", "--format", "pgn"]);
    let game = halfmove_game::pgn::read_game(&text).unwrap();
    assert_eq!(game.moves.len(), 3);
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let first = "{5 games: White won 100.0 %, drawn 0.0 %, Black won 0.0 %} 1. e4 \
                 {4 games, 80.0 %: White won 100.0 %, drawn 0.0 %, Black won 0.0 %} (1. d4 {1 game, 20.0 %:";
    assert!(line.contains(first), "{line}");
    for part in
        ["1... c5 {3 games, 60.0 %:", "(1... e5 {1 game,", "2. Nf3 {2 games,", "(2. c3 {1 game,"]
    {
        assert!(line.contains(part), "{part} in {line}");
    }
    // After moves, the game begins with these; after a FEN, there.
    let text = ok(&["explore", archive, "--moves", "e4 c5", "--player", "a", "--format", "pgn"]);
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(line.contains("1. e4 c5 {2 games: "), "{line}");
    assert!(
        line.contains("; the player +2 =0 −0, score 100.0 %} 2. c3 {1 game, 50.0 %:"),
        "{line}"
    );
    let fen = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let text = ok(&["explore", archive, "--fen", fen, "--format", "pgn"]);
    assert!(text.contains("[FEN \"rnbqkbnr/pp1ppppp/") && text.contains("2. Nf3 {"), "{text}");
    // A file is written as all others are.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tree.pgn");
    let file = file.to_str().unwrap();
    assert_eq!(ok(&["explore", archive, "--depth", "4", "--output", file]), "");
    assert_eq!(run(&["pgn", "check", file]).code, 0);
    let output = run(&["explore", archive, "--moves", "a4", "--format", "pgn"]);
    assert_eq!((output.code, output.out.as_str()), (1, ""), "{output:?}");
    // Moves of Makruk, too.
    let (_folder, archive) = crate::program::archive_of(&["games/makruk.pgn"]);
    let text = ok(&["explore", &archive, "--variant", "makruk", "--depth", "6", "--format", "pgn"]);
    let (file, reread) = (folder.path().join("makruk.pgn"), halfmove_game::pgn::read_game(&text));
    fs::write(&file, &text).unwrap();
    assert!(reread.unwrap().moves.len() == 6, "{text}");
    assert_eq!(run(&["pgn", "check", file.to_str().unwrap()]).code, 0, "{text}");
    // And null moves.
    let (_folder, archive) = self::archive(&[("A", "B", "2000.01.01", "1. e4 -- 2. d4 Nf6")]);
    let text = ok(&["explore", &archive, "--depth", "4", "--format", "pgn"]);
    let game = halfmove_game::pgn::read_game(&text).unwrap();
    assert!(game.moves.len() == 4 && game.moves[1].is_null(), "{text}");
}

#[test]
fn groups_need_enough_games() {
    let (_folder, archive) = archive(GAMES);
    let archive = archive.as_str();
    let by = ["stats", archive, "--by", "opening", "--min-games"];
    let answer = json_of(&[&by[..], &["2"]].concat());
    assert!(answer["count"].as_u64().unwrap() >= 1, "{answer}");
    let groups = answer["groups"].as_array().unwrap();
    assert!(groups.iter().all(|group| group["games"].as_u64().unwrap() >= 2), "{answer}");
    let all = json_of(&["stats", archive, "--by", "opening"]);
    assert!(all["count"].as_u64() > answer["count"].as_u64(), "{all}");
    let largest = groups.iter().filter_map(|group| group["games"].as_u64()).max().unwrap();
    let why = format!(
        "no opening has 1,000,000 games (--min-games): the largest of {} has {largest}",
        all["count"]
    );
    let table = run(&["stats", archive, "--by", "opening", "--min-games", "1000000"]);
    assert!(table.code == 1 && table.out.contains(&why), "{table:?}");
    let player =
        run(&["stats", archive, "--by", "opening", "--min-games", "9", "--player", "nobody"]);
    assert!(player.code == 1 && player.out.contains("0 games"), "{player:?}");
    assert_eq!(run(&["stats", archive, "--min-games", "2"]).code, 2);
}

#[test]
fn dates_are_relative_to_today() {
    let folder = tempfile::tempdir().unwrap();
    let (file, archive) = (folder.path().join("games.pgn"), folder.path().join("archive"));
    let days = |days: u64| {
        let time = std::time::SystemTime::now() - std::time::Duration::from_secs(days * 86_400);
        let days = time.duration_since(std::time::UNIX_EPOCH).unwrap().as_secs() / 86_400;
        let day = halfmove_archive::Period::of_day(days as i32).unwrap().to_string();
        day.replace('-', ".")
    };
    let games =
        [1, 40, 300, 900, 2_000].map(|ago| format!("[Date \"{}\"]\n\n1. e4 *\n\n", days(ago)));
    fs::write(&file, games.concat()).unwrap();
    let archive = archive.to_str().unwrap();
    ok(&["import", "-q", archive, file.to_str().unwrap()]);
    for (args, count) in [
        (&["--since", "30d"][..], "1"),
        (&["--since", "6w"], "2"),
        (&["--since", "2m"], "2"),
        (&["--since", "1y"], "3"),
        (&["--since", "3Y"], "4"),
        (&["--until", "1y"], "2"),
        (&["--since", "3y", "--until", "30d"], "3"),
        (&["--since", "0d"], "0"),
    ] {
        let output = run(&[&["search", archive, "--count"], args].concat());
        assert_eq!(output.out.trim(), count, "{args:?} {output:?}");
    }
    for wrong in ["2x", "y", "-2y", "2 years", "99999999999y", "9999999y"] {
        let output = run(&["search", archive, &format!("--since={wrong}")]);
        assert_eq!(output.code, 2, "{wrong} {output:?}");
    }
}

/// The sample of an archive that has grown contains the earlier one, in every verb.
#[test]
fn samples_are_reproducible() {
    let text = |games: std::ops::Range<u32>| -> String {
        games.map(|game| format!("[Round \"{game}\"]\n\n1. e4 e5 {{{game}}} *\n\n")).collect()
    };
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (archive, one, two) = (path("archive"), path("1.pgn"), path("2.pgn"));
    fs::write(&one, text(0..2_000)).unwrap();
    fs::write(&two, text(2_000..3_000)).unwrap();
    ok(&["import", "-q", &archive, &one]);
    let rounds = |args: &[&str]| -> Vec<String> {
        let text = ok(&[&["export", &archive], args].concat());
        text.lines().filter(|line| line.starts_with("[Round")).map(str::to_owned).collect()
    };
    let seven = ["--sample", "10%", "--seed", "7"];
    let before = rounds(&seven);
    assert!((150..250).contains(&before.len()), "{}", before.len());
    assert_eq!(rounds(&seven), before);
    assert_ne!(rounds(&["--sample", "10%"]), before);
    let count = |args: &[&str]| ok(&[&["search", &archive, "--count"], args].concat());
    assert_eq!(count(&seven).trim(), before.len().to_string());
    let reached = [&seven[..], &["--moves", "e4 e5"]].concat();
    assert_eq!(count(&reached).trim(), before.len().to_string());
    let tree = json_of(&[&["explore", &archive][..], &seven].concat());
    assert_eq!(tree["other"].as_u64(), Some(before.len() as u64));
    ok(&["import", "-q", &archive, &two]);
    let after = rounds(&seven);
    assert!(after.starts_with(&before) && after.len() > before.len(), "{}", after.len());
    let more = rounds(&["--sample", "20%", "--seed", "7"]);
    assert!(after.iter().all(|round| more.contains(round)));
    for wrong in ["1", "0%", "101%", "x%"] {
        assert_eq!(run(&["search", &archive, "--sample", wrong]).code, 2, "{wrong}");
    }
}

#[test]
fn what_is_cited() {
    let version = ok(&["--version"]);
    assert!(version.starts_with("halfmove 0.1.0"), "{version}");
    let openings = "openings: lichess-org/chess-openings 51b886249b9e of 2026-07-22";
    assert!(version.contains(openings), "{version}");
    let (_folder, archive) = archive(GAMES);
    let history = json_of(&["history", &archive]);
    let source = &history["changes"][1]["sources"][0];
    assert!(source["bytes"].as_u64().unwrap() > 100, "{source}");
    assert_eq!(source["xxh64"].as_str().unwrap().len(), 16, "{source}");
}
