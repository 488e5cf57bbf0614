//! The half-move with which a game or a line leaves the games of an archive.

use crate::program::{archive_of, ok, run};
use halfmove_game::pgn::read_game;
use serde_json::Value;
use std::collections::HashSet;
use std::fs;

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&run(&[args, &["--format", "json"]].concat()).out).expect("JSON")
}

fn club(folder: &std::path::Path, name: &str, text: &str) -> String {
    let file = folder.join(format!("{name}.pgn"));
    fs::write(&file, text).expect("a file");
    let archive = folder.join(name).to_str().expect("text").to_owned();
    ok(&["import", &archive, file.to_str().expect("text"), "-q"]);
    archive
}

#[test]
fn where_games_leave_the_archive() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = |white: &str, date: &str, moves: &str| {
        format!("[White \"{white}\"]\n[Black \"Short\"]\n[Date \"{date}\"]\n\n{moves} *\n\n")
    };
    let text = [
        game("Tal", "1960.03.15", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6"),
        // The same position by other moves.
        game("Keres", "1961.??.??", "1. Nf3 Nc6 2. e4 e5 3. Bb5 Nf6"),
        game("Smyslov", "1962.01.01", "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O Nxe4"),
        game("Late", "1999.01.01", "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O Nxe4 5. d4"),
        game("Undated", "????.??.??", "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O Bc5"),
    ];
    let archive = club(folder.path(), "club", &text.concat());
    let archive = archive.as_str();
    for (id, ply, san, games, last) in [
        (3, 7, "O-O", 1, 2),
        (4, 9, "d4", 1, 3),
        // The dates of others do not matter.
        (5, 8, "Bc5", 2, 4),
    ] {
        let id = id.to_string();
        let novelty = &json(&["show", archive, &id, "--novelty"])["novelty"];
        let number = |name: &str| novelty[name].as_u64();
        assert_eq!((number("ply"), number("games")), (Some(ply), Some(games)), "{id}: {novelty}");
        assert_eq!((&novelty["san"], novelty["last"]["id"].as_u64()), (&san.into(), Some(last)));
    }
    assert_eq!(json(&["show", archive, "1", "--novelty"])["novelty"]["ply"], Value::Null);
    assert!(json(&["show", archive, "1"]).get("novelty").is_none());
    let table = ok(&["show", archive, "3", "--novelty"]);
    let line = "novelty: 4. O-O; 1 earlier game has the position before it, the last is game 2: Keres – Short, 1961.??.??";
    assert!(table.lines().any(|found| found == line), "{table}");
    // Several games in one list.
    let list = ok(&["show", archive, "1-5", "--novelty"]);
    let lines: Vec<Vec<&str>> = list
        .lines()
        .map(|line| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect())
        .collect();
    assert_eq!(lines[1][4], "(no earlier game)");
    assert_eq!(lines[3][4..], ["4. O-O", "1", "2: Keres – Short, 1961.??.??"]);
    assert_eq!(lines[4][4..], ["5. d4", "1", "3: Smyslov – Short, 1962.01.01"]);
    assert_eq!(lines.len(), 7, "{list}");
    let other = club(folder.path(), "other", &game("Old", "1900.01.01", "1. e4 e5 2. Nf3 d6"));
    let against = &json(&["show", archive, "3", "--against", &other])["novelty"];
    assert_eq!((&against["ply"], &against["san"]), (&4.into(), &"Nc6".into()));
    let pgn = run(&["show", archive, "3", "--novelty", "--format", "pgn"]);
    assert!(pgn.code == 2 && pgn.err.contains("--format table or json"), "{pgn:?}");

    // A line that no game has.
    let line = ["explore", archive, "--moves", "e4 e5 Nf3 Nc6 Bb5 d6 d4"];
    let lost = run(&line);
    let text = "no such game reaches the position after 3... d6; 5 games reach the one before it, after 3. Bb5";
    assert!(lost.code == 1 && lost.out.contains(text), "{lost:?}");
    let seen = &json(&line)["lastSeen"];
    assert_eq!(*seen, serde_json::json!({ "ply": 5, "games": 5, "new": "d6" }));
    let first = run(&["explore", archive, "--moves", "a4"]);
    assert!(
        first.out.contains(
            "no such game reaches the position after 1. a4; 5 games reach the one before it"
        ),
        "{first:?}"
    );
    assert!(json(&["explore", archive, "--moves", "e4"]).get("lastSeen").is_none());
}

/// Real games, compared with the positions of all others as text.
#[test]
fn novelties_of_real_games() {
    let (folder, all) = archive_of(&["games/masters.pgn.zst"]);
    let pgn = ok(&["export", &all, "--id", "1-1500"]);
    let archive = club(folder.path(), "some", &pgn);
    let all = json(&["search", &archive, "--limit", "100000"]);
    let games = all["games"].as_array().expect("games");
    let year =
        |id: usize| games[id]["date"].as_str().and_then(|date| date[..4].parse::<i32>().ok());
    let texts = pgn.split("\n\n[").enumerate();
    let texts = texts.map(|(at, text)| if at == 0 { text.to_owned() } else { format!("[{text}") });
    let positions = |text: String| -> Vec<String> {
        let game = read_game(&text).expect("a game");
        let board = |ply: usize| {
            let fen = game.position(ply).to_string();
            fen.rsplitn(3, ' ').nth(2).expect("a FEN").to_owned()
        };
        (1..=game.moves.len()).map(board).collect()
    };
    let of: Vec<Vec<String>> = texts.map(positions).collect();
    assert_eq!(of.len(), games.len());
    let count = games.len().min(80);
    let mut found = 0;
    for id in 0..count {
        let novelty = &json(&["show", &archive, &(id + 1).to_string(), "--novelty"])["novelty"];
        let Some(ply) = novelty["ply"].as_u64() else { continue };
        let Some(own) = year(id) else { continue };
        // Games of other years are surely earlier, or surely not.
        let earlier = |other: &usize| year(*other).is_some_and(|year| year < own);
        let earlier: HashSet<&String> =
            (0..games.len()).filter(earlier).flat_map(|other| &of[other]).collect();
        assert!(!earlier.contains(&of[id][ply as usize - 1]), "game {}", id + 1);
        found += 1;
    }
    assert!(found > 40, "{found}");
}

/// `analyze` marks the same half-moves as `show`, once.
#[test]
fn analyzed_games_are_marked() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = |white: &str, date: &str, moves: &str| {
        format!("[White \"{white}\"]\n[Black \"Short\"]\n[Date \"{date}\"]\n\n{moves} *\n\n")
    };
    let text = [
        game("Tal", "1960.03.15", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6"),
        game("Keres", "1961.01.01", "1. Nf3 Nc6 2. e4 e5 3. Bb5 Nf6"),
        game("Copy", "1962.01.01", "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6"),
    ];
    let archive = club(folder.path(), "club", &text.concat());
    let archive = archive.as_str();
    // The two reasons for none are different ones.
    let reason = |id: &str| {
        let novelty = &json(&["show", archive, id, "--novelty"])["novelty"];
        (novelty["ply"].clone(), novelty["none"].clone())
    };
    assert_eq!(reason("1"), (Value::Null, "no_game".into()));
    assert_eq!(reason("3"), (Value::Null, "all_known".into()));
    assert_eq!(reason("2"), (1.into(), Value::Null));
    for (id, line) in [
        ("1", "no novelty: there is no earlier game with its start"),
        ("3", "no novelty: earlier games have all of its positions"),
    ] {
        let table = ok(&["show", archive, id, "--novelty"]);
        assert!(table.lines().any(|found| found == line), "{table}");
    }

    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let nodes = ["--nodes", "60", "--line", "0", "--keep-evals"];
    let marked = run(&[&["analyze", archive, "--novelty"][..], &nodes].concat());
    assert!(marked.err.contains("a novelty in 1 of 3 games"), "{marked:?}");
    let text = one_line(&marked.out);
    assert_eq!(text.matches("$146").count(), 1, "{text}");
    assert_eq!(
        text.matches("{novelty: 1 earlier game until here, the last Tal – Short, 1960.03.15}")
            .count(),
        1,
        "{text}"
    );
    // What is marked stays, and is not marked again; files need an archive to be compared with.
    let file = folder.path().join("marked.pgn");
    fs::write(&file, &marked.out).expect("a file");
    let file = file.to_str().expect("text");
    let failed = run(&[&["analyze", file, "--novelty"][..], &nodes].concat());
    assert!(failed.code == 2 && failed.err.contains("--against ARCHIVE"), "{failed:?}");
    let again = run(&[&["analyze", file, "--against", archive][..], &nodes].concat());
    assert_eq!(one_line(&again.out), text, "{again:?}");
    // Compared with another archive.
    let other = club(folder.path(), "other", &game("Old", "1900.01.01", "1. e4 e5 2. Nf3 d6"));
    let against = ok(&[&["analyze", archive, "--against", &other][..], &nodes].concat());
    let text = one_line(&against);
    assert_eq!(text.matches("$146").count(), 3, "{text}");
    assert!(text.contains("2... Nc6 $146"), "{text}");
}
