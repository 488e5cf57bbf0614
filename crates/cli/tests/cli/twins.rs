//! Twins: games that two collections have in two spellings.

use crate::program::{ok, run};
use serde_json::Value;
use std::fs;

/// Forty half-moves.
const LONG: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 \
    Nbd7 11. Nbd2 Bb7 12. Bc2 Re8 13. Nf1 Bf8 14. Ng3 g6 15. a4 c5 16. d5 c4 17. Bg5 h6 18. Be3 Nc5 19. Qd2 h5 20. Bg5 Be7";

/// Twenty-two half-moves.
const SHORT: &str = "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3 Nbd7 7. Rc1 c6 8. Bd3 dxc4 9. Bxc4 Nd5 \
    10. Bxe7 Qxe7 11. O-O Nxc3";

fn game(players: [&str; 2], date: &str, round: &str, more: &str, moves: &str) -> String {
    let [white, black] = players;
    format!(
        "[White \"{white}\"]\n[Black \"{black}\"]\n[Date \"{date}\"]\n[Round \"{round}\"]\n[Result \"1/2-1/2\"]\n{more}\n\
         {moves} 1/2-1/2\n\n"
    )
}

fn club(games: &[String]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.pgn");
    fs::write(&file, games.concat()).expect("a file");
    let archive = folder.path().join("club").to_str().expect("text").to_owned();
    ok(&["import", &archive, file.to_str().expect("text"), "-q"]);
    (folder, archive)
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&run(&[args, &["--format", "json"]].concat()).out).expect("JSON")
}

/// The ids of the groups of twins, with the best.
fn twins(archive: &str) -> Vec<(Vec<i64>, i64)> {
    let found = json(&["duplicates", archive, "--kind", "twin"]);
    let groups = found["groups"].as_array().expect("groups").iter().map(|group| {
        let games = group["games"].as_array().expect("games");
        let ids = games.iter().map(|game| game["id"].as_i64().expect("an id")).collect();
        (ids, group["best"].as_i64().expect("the best"))
    });
    groups.collect()
}

#[test]
fn what_is_a_twin() {
    let larsen = ["Larsen, Bent", "Adams, Michael"];
    let other = ["Larsen B", "M. Adams"];
    for (first, second, are_twins) in [
        (("1989.??.??", "?", LONG), ("1989.02.07", "4", LONG), true),
        (("1989.02.??", "4", LONG), ("1989.02.07", "4.1", LONG), true),
        // Known facts differ, or there is no year.
        (("1989.02.07", "4", LONG), ("1989.02.07", "5", LONG), false),
        (("1989.02.07", "?", LONG), ("1989.02.08", "?", LONG), false),
        (("1989.02.??", "?", LONG), ("1989.03.??", "?", LONG), false),
        (("1989.??.??", "?", LONG), ("1990.??.??", "?", LONG), false),
        (("????.??.??", "?", LONG), ("????.??.??", "?", LONG), false),
        // A short draw is repeated in the next round of a blitz match.
        (("1989.02.07", "1", SHORT), ("1989.02.07", "2", SHORT), false),
        (("1989.02.07", "1", SHORT), ("1989.02.07", "?", SHORT), false),
        (("1989.??.??", "1", SHORT), ("1989.02.07", "1", SHORT), false),
        (("1989.02.07", "1", SHORT), ("1989.02.07", "1", SHORT), true),
    ] {
        let games = [(larsen, first), (other, second)]
            .map(|(players, (date, round, moves))| game(players, date, round, "", moves));
        let (_folder, archive) = club(&games);
        let found = twins(&archive);
        assert_eq!(found.len(), usize::from(are_twins), "{first:?} {second:?}: {found:?}");
    }
    let at = |white: &str| game([white, "Tal M"], "1938.??.??", "?", "", LONG);
    for (one, two, count) in [
        ("Vidmar, Milan Sr", "Vidmar, M. Jr", 0),
        ("Vidmar, Milan Sr", "Vidmar, M. Sr", 1),
        ("Larsen, Bent", "Larsen, Karl", 0),
        ("Larsen, Bent", "Larsson, Bent", 0),
        ("Program 15", "Program 16 (Deep)", 0),
    ] {
        let (_folder, archive) = club(&[at(one), at(two)]);
        assert_eq!(twins(&archive).len(), count, "{one} {two}");
    }
    // An exact copy has another round.
    let at = |white: &str, round: &str| game([white, "Tal M"], "1938.??.??", round, "", LONG);
    let bent = "Larsen, Bent";
    for (round, count) in [("5", 0), ("4", 1)] {
        let (_folder, archive) = club(&[at(bent, "?"), at(bent, round), at("Larsen B", "4")]);
        assert_eq!(twins(&archive).len(), count, "round {round}");
    }
    let at = |white: &str| at(white, "?");
    // Polgar may be one or the other.
    let (_folder, archive) = club(&[at("Polgar"), at("Polgar, Judit"), at("Polgar, Zsuzsa")]);
    assert_eq!(twins(&archive), []);
    let closing = ok(&["duplicates", &archive]);
    assert!(!closing.contains("twins"), "{closing}");
}

#[test]
fn the_richest_stays_and_gets_tags() {
    let games = [
        // Comments come before names, names before tags.
        game(
            ["GM Larsen B (DEN)", "Adams M"],
            "1989.??.??",
            "?",
            "",
            &format!("{LONG} {{agreed}}"),
        ),
        game(["Larsen, Bent", "Adams M"], "1989.02.07", "4", "[ECO \"C95\"]\n", LONG),
        // An exact copy of the second one; its event is known.
        game(["Bent Larsen", "ADAMS, M"], "1989.02.07", "4", "[Event \"Hastings\"]\n", LONG),
        game(["Tal M", "Adams M"], "1960.??.??", "?", "[ECO \"C95\"]\n[WhiteElo \"2600\"]\n", LONG),
        // Its date is in another tag, and more complete.
        game(
            ["Tal, Mihail", "Adams, Michael"],
            "????.??.??",
            "?",
            "[EventDate \"1960.02.03\"]\n",
            LONG,
        ),
        game(["Geller, Efim", "Adams, Michael"], "1960.??.??", "?", "", SHORT),
    ];
    let (_folder, archive) = club(&games);
    let archive = archive.as_str();
    assert_eq!(twins(archive), [(vec![1, 2], 1), (vec![4, 5], 5)]);
    let found = json(&["duplicates", archive]);
    let count = |name: &str| found[name].as_u64().expect("a number");
    assert_eq!(
        ["exact_groups", "removable", "twin_groups", "removable_twins", "near_groups"].map(count),
        [1, 1, 2, 2, 0]
    );
    let remove = ["duplicates", archive, "--remove", "--twins", "--merge-tags"];
    let plan = ok(&[&remove[..], &["--dry-run"]].concat());
    assert!(plan.contains("3 games would be removed: 1 exact duplicate and 2 twins"), "{plan}");
    assert!(plan.contains("; 7 tags of 2 games would change"), "{plan}");
    let planned = json(&[&remove[..], &["--dry-run"]].concat());
    let tag = |id: i64, name: &str, old: Option<&str>, new: &str| serde_json::json!({ "id": id, "tag": name, "old": old, "new": new });
    assert_eq!(
        planned["tags"],
        serde_json::json!([
            tag(1, "White", Some("GM Larsen B (DEN)"), "Larsen, Bent"),
            tag(1, "Date", Some("1989.??.??"), "1989.02.07"),
            tag(1, "Round", Some("?"), "4"),
            tag(1, "ECO", None, "C95"),
            tag(1, "Event", None, "Hastings"),
            tag(5, "ECO", None, "C95"),
            tag(5, "WhiteElo", None, "2600"),
        ])
    );
    let limited = ok(&[&remove[..], &["--dry-run", "--limit", "1"]].concat());
    assert!(limited.contains("the first one is shown (--limit)"), "{limited}");
    let before = ok(&["export", archive]);
    let removed = json(&remove);
    assert_eq!((removed["removed"].as_u64(), removed["left"].as_u64()), (Some(3), Some(3)));
    assert_eq!(removed["groups"], 3, "one exact, two of twins");
    let change = &json(&["history", archive])["changes"];
    let last = change.as_array().and_then(|all| all.last()).expect("a change");
    assert_eq!((&last["games_removed"], &last["games_changed"]), (&3.into(), &2.into()));
    let larsen = ok(&["export", archive, "--id", "1"]);
    for tag in [
        "[White \"Larsen, Bent\"]",
        "[Black \"Adams M\"]",
        "[Date \"1989.02.07\"]",
        "[Round \"4\"]",
        "[ECO \"C95\"]",
        "[Event \"Hastings\"]",
        "{agreed}",
    ] {
        assert!(larsen.replace('\n', " ").contains(tag), "{tag} in {larsen}");
    }
    assert!(ok(&["export", archive, "--id", "5"]).contains("[WhiteElo \"2600\"]"));
    // The new tags are columns, too.
    let day = json(&["search", archive, "--since", "1989.02.07", "--until", "1989.02.07"]);
    assert_eq!((&day["count"], &day["games"][0]["round"]), (&1.into(), &"4".into()), "{day}");
    let dated = json(&["search", archive, "--id", "5"]);
    assert_eq!(dated["games"][0]["date"], "1960.02.03", "{dated}");
    assert_eq!(twins(archive), []);
    let verified = run(&["verify", archive]);
    assert_eq!(verified.code, 0, "{verified:?}");
    ok(&["undo", archive]);
    assert_eq!(ok(&["export", archive]), before);
    // Without --twins, only the exact copy goes.
    let exact = json(&["duplicates", archive, "--remove"]);
    assert_eq!(exact["removed"].as_u64(), Some(1));
}

/// A date that both games have in another tag is more complete than the tag Date, but nothing new.
#[test]
fn a_merge_without_news_changes_no_game() {
    let date = "[EventDate \"1970.02.03\"]\n";
    let games = [0, 1].map(|_| game(["Larsen B", "Adams M"], "1970.??.??", "?", date, LONG));
    let (_folder, archive) = club(&games);
    let remove = ["duplicates", &archive, "--remove", "--merge-tags"];
    let planned = json(&[&remove[..], &["--dry-run"]].concat());
    assert_eq!(planned["tags"], serde_json::json!([]));
    assert_eq!(json(&remove)["removed"], 1);
    let change = &json(&["history", &archive])["changes"];
    let last = change.as_array().and_then(|all| all.last()).expect("a change");
    assert_eq!((&last["games_removed"], &last["games_changed"]), (&1.into(), &0.into()));
}

#[test]
fn names_of_a_file() {
    let games = [
        game(["Kasparov,G", "Tal M"], "1985.??.??", "1", "", SHORT),
        game(["Kasparov G", "Garri Kasparov"], "1986.??.??", "1", "", SHORT),
        game(["Tal, Mikhail", "Short, N"], "1987.??.??", "1", "", SHORT),
        game(["Polgar, J", "Polgar, Zs"], "1988.??.??", "1", "", SHORT),
    ];
    let (folder, archive) = club(&games);
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("a file");
        path.to_str().expect("text").to_owned()
    };
    let merge = |list: &str, more: &[&str]| {
        run(&[&["players", "merge", &archive, "--from", list, "--format", "json"][..], more]
            .concat())
    };
    let before = ok(&["export", &archive]);
    // In Latin-1, as older spelling files are.
    let scid = file(
        "spelling.ssp",
        b"# names\n@PLAYER\nKasparov, Garry #GM RUS [2851] 1963.04.13\n=Kasparov,G\n=Kaspar\xf3v\n%Bio FIDE 4100018\n\
          Tal, Mihail #GM\n=Tal M\n=Tal, Mikhail\nPolgar, Judit\n=Polgar, J\n=Polgar, Zs\n@SITE\nLondon\n=Short, N\n",
    );
    let planned = merge(&scid, &["--dry-run"]);
    assert!(planned.err.contains("\"Polgar, Judit\" have played each other"), "{planned:?}");
    let plan: Value = serde_json::from_str(&planned.out).expect("JSON");
    let names = serde_json::json!([
        { "from": "Kasparov,G", "to": "Kasparov, Garry", "games": 1 },
        { "from": "Tal M", "to": "Tal, Mihail", "games": 1 },
        { "from": "Tal, Mikhail", "to": "Tal, Mihail", "games": 1 },
    ]);
    assert_eq!((&plan["names"], &plan["games"], &plan["missing"]), (&names, &2.into(), &1.into()));
    assert_eq!(ok(&["export", &archive]), before);
    assert_eq!(merge(&scid, &[]).code, 0);
    let after = ok(&["export", &archive]);
    let renamed = before
        .replace("\"Kasparov,G\"", "\"Kasparov, Garry\"")
        .replace("\"Tal M\"", "\"Tal, Mihail\"")
        .replace("\"Tal, Mikhail\"", "\"Tal, Mihail\"");
    assert_eq!(after, renamed);
    let history = json(&["history", &archive]);
    assert_eq!(history["changes"][2]["reason"], "3 names of spelling.ssp", "{history}");
    ok(&["undo", &archive]);
    assert_eq!(ok(&["export", &archive]), before);
    // Chains of replaced names; a table shows the number.
    let list = file("names.txt", b"Kasparov,G => Kasparov G\nKasparov G\tKasparov, Garry\n");
    let table = ok(&["players", "merge", &archive, "--from", &list]);
    assert!(table.contains("2 names replaced, 2 games changed"), "{table}");
    let players = ok(&["players", &archive, "kasparov", "--format", "csv"]);
    assert!(players.contains("\"Kasparov, Garry\",2,"), "{players}");
    let forced = merge(&scid, &["--force"]);
    assert!(ok(&["export", &archive]).contains("[Black \"Polgar, Judit\"]"), "{forced:?}");
    let fault = merge(&file("wrong.txt", b"A => B\nC D\n"), &[]);
    assert!(fault.code == 2 && fault.err.contains("wrong.txt, line 2: \"C D\""), "{fault:?}");
    for (text, what, code) in [
        (
            "Tal M => Tal, M\nTal M => Tal, Mihail\n",
            "each name of the file has several new names, nothing is changed",
            1,
        ),
        ("Nimzo => Nimzowitsch\n", "no game has one of these names, nothing is changed", 1),
        (
            "Kasparov, Garry => P\nTal, Mihail => P\n",
            "all names that games have are those of opponents, nothing is changed",
            1,
        ),
        ("# names\nA => A\n", "empty.txt: no line replaces a name by another one", 2),
        ("", "empty.txt: no line replaces a name by another one", 2),
        ("@PLAYER\nTal, M\n", "empty.txt: no line replaces a name by another one", 2),
    ] {
        let merged =
            run(&["players", "merge", &archive, "--from", &file("empty.txt", text.as_bytes())]);
        let all = format!("{}{}", merged.out, merged.err);
        assert!(merged.code == code && all.contains(what), "{text}: {merged:?}");
    }
    let both = run(&["players", "merge", &archive, "A", "B", "--from", &list]);
    assert!(both.code == 2 && both.err.contains("--from"), "{both:?}");
}
