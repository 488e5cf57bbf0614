//! Filters by player and tag: the games of real names, scores, and contradictory filters.

use crate::golden::{check, json};
use crate::program::{Finished, archive_of, ok, run};

const MASTERS: &str = "games/masters.pgn.zst";

fn count(archive: &str, filter: &[&str]) -> u64 {
    let output = run(&[&["search", archive, "--count"], filter].concat());
    assert_eq!(output.code, i32::from(output.out == "0\n"), "{filter:?}: {output:?}");
    output.out.trim().parse().expect("a number")
}

/// Counts of `zstdcat masters.pgn.zst | grep -w`, which matches whole words.
#[test]
fn names_are_found_by_their_words() {
    let (_folder, archive) = archive_of(&[MASTERS]);
    let archive = archive.as_str();
    let player = |name: &str| count(archive, &["--player", name]);
    assert_eq!(player("tal"), 502);
    for same in ["TAL", "Tal*", "T\u{e1}l", " tal,"] {
        let found = player(same);
        assert!(if same == "Tal*" { found > 502 } else { found == 502 }, "{same}: {found}");
    }
    for same in ["Mikhail Tal", "Tal, Mikhail", "tal mikhail"] {
        assert_eq!(player(same), player("mikhail tal"), "{same}");
    }
    assert!(player("tal, m") > player("mikhail tal") && player("mikhail tal") > 0);
    assert!(player("capablanca jose") > 0 && player("ablanca") == 0);
    // White and Black, and either.
    let white = count(archive, &["--white", "tal"]);
    let black = count(archive, &["--black", "tal"]);
    assert_eq!(white + black, 502);
    assert_eq!(count(archive, &["--player", "tal", "--as", "white"]), white);
    assert_eq!(count(archive, &["--player", "tal", "--as", "Black"]), black);
    // Whole words and parts of names in SQL, too.
    if cfg!(feature = "sql") {
        let condition = "white ~* '\\btal\\b' or black ~* '\\btal\\b'";
        assert_eq!(count(archive, &["--where", condition]), 502);
        assert!(count(archive, &["--where", "white ilike '%tal%'"]) > white);
    }
    assert!(count(archive, &["--event", "olymp"]) < count(archive, &["--event", "olymp*"]));
}

/// A filter matches the same games in all verbs.
#[test]
fn filters_of_all_verbs() {
    let (_folder, archive) = archive_of(&[MASTERS]);
    let archive = archive.as_str();
    for filter in [
        &["--player", "tal", "--opponent", "botvinnik"][..],
        &["--player", "alekhine", "--result", "loss"],
        &["--player", "alekhine", "--as", "black", "--result", "Win"],
        &["--site", "london", "--result", "1/2-1/2"],
        &["--year", "1924"],
        &["--year", "1924-1926", "--variant", "chess", "--player", "reti"],
        #[cfg(feature = "sql")]
        &["--where", "white in (select black from games where white like 'Tal%')"],
        &["--material", "RP+vRP+", "--for", "20"],
        &["--isolated", "d", "--pattern", "8/8/8/8/3P4/8/8/8", "--player", "karpov", "--final"],
        &["--imbalance", "QvRR", "--either-color", "--moves", "e4"],
    ] {
        let found = count(archive, filter);
        assert!(found > 3, "{filter:?}");
        let exported = ok(&[&["export", archive], filter].concat());
        assert_eq!(exported.matches("[Event \"").count() as u64, found, "{filter:?}");
        let removed = ok(&[&["remove", archive, "--dry-run"], filter].concat());
        assert!(removed.replace(',', "").contains(&format!("{found} games would")), "{removed}");
        let tree = ok(&[&["explore", archive, "--format", "json"], filter].concat());
        let tree: serde_json::Value = serde_json::from_str(&tree).expect("JSON");
        let games = ["white", "draws", "black", "other"].map(|name| tree[name].as_u64());
        assert_eq!(games.into_iter().flatten().sum::<u64>(), found, "{filter:?}");
    }
    assert_eq!(
        count(archive, &["--year", "1924-1926"]),
        count(archive, &["--since", "1924", "--until", "1926"])
    );
}

#[cfg(feature = "sql")]
#[test]
fn ratings_from_both_sides() {
    let (_folder, archive) = archive_of(&["games/lichess.pgn.zst"]);
    let archive = archive.as_str();
    let ratings = |least: &str, most: &str| {
        let condition = format!(
            "least(white_elo, black_elo) >= {least} and greatest(white_elo, black_elo) <= {most}"
        );
        let found = count(archive, &["--min-elo", least, "--max-elo", most]);
        assert_eq!(found, count(archive, &["--where", &condition]));
        found
    };
    assert!(ratings("1500", "1800") > 10 && ratings("0", "1500") > 10);
    assert_eq!(count(archive, &["--max-elo", "65535"]), 437);
}

/// The score of a player, in all formats.
#[test]
fn scores() {
    let (_folder, archive) = archive_of(&[MASTERS]);
    let archive = archive.as_str();
    let player = ["--player", "tal", "--opponent", "kor* v"];
    let table = ok(&[&["search", archive, "--limit", "1"][..], &player].concat());
    let results = ["win", "draw", "loss"]
        .map(|result| count(archive, &[&player[..], &["--result", result]].concat()));
    let [wins, draws, losses] = results;
    let percent = 50.0 * (2 * wins + draws) as f64 / results.iter().sum::<u64>() as f64;
    let score = format!("games: +{wins} ={draws} \u{2212}{losses}, score {percent:.1} %; in ");
    assert!(wins > 0 && losses > 0 && table.contains(&score), "{score} {table}");
    let tree = ok(&[&["explore", archive][..], &player].concat());
    assert!(tree.contains(&format!("the player +{wins} ={draws} ")), "{tree}");
    for (name, args) in [
        ("search_player.json", &["search", archive, "--limit", "1", "--format", "json"][..]),
        ("explore_player.json", &["explore", archive, "--format", "json"]),
    ] {
        check(name, &json(&ok(&[args, &player].concat())));
    }
    let csv = ok(&[&["explore", archive, "--format", "csv"][..], &player].concat());
    check("explore_player.csv", &csv);
    // Without a player there is no score.
    let tree = ok(&["explore", archive, "--format", "json", "--white", "tal"]);
    assert!(!tree.contains("player"), "{tree}");
}

fn fails(archive: &str, filter: &[&str], words: &[&str]) -> Finished {
    let output = run(&[&["search", archive], filter].concat());
    assert_eq!((output.code, output.out.as_str()), (2, ""), "{filter:?}: {output:?}");
    for word in words {
        assert!(output.err.contains(word), "{filter:?}: no {word:?} in {}", output.err);
    }
    output
}

#[test]
fn filters_that_make_no_sense() {
    let (_folder, archive) = archive_of(&["games/setup.pgn"]);
    for (filter, words) in [
        (&["--opponent", "tal"][..], &["--opponent", "needs --player", "hint: "][..]),
        (&["--as", "white"], &["--as", "needs --player", "--white NAME"]),
        (&["--result", "win", "--white", "tal"], &["--result win", "--result 1-0"]),
        (&["--result", "loss"], &["--result loss", "--result 0-1"]),
        (&["--result", "draw"], &["--result draw", "--result 1/2-1/2"]),
        (&["--result", "won"], &["won", "1/2-1/2", "win, draw or loss"]),
        (
            &["--player", "?"],
            &[
                "--player \"?\"",
                "no word",
                #[cfg(feature = "sql")]
                "white = '?'",
            ],
        ),
        (
            &["--event", "?"],
            &[
                "--event \"?\"",
                #[cfg(feature = "sql")]
                "event = '?'",
            ],
        ),
        (&["--min-elo", "2700", "--max-elo", "2600"], &["--max-elo 2600", "--min-elo 2700"]),
        (&["--year", "1995-1990"], &["1990 is before 1995"]),
        (&["--year", "1990-12"], &["expected a year or a range of years", "1990-1995"]),
        (&["--year", "1990", "--since", "1980"], &["--year", "cannot be combined with since"]),
        #[cfg(feature = "sql")]
        (&["--where", "id in (select id from game)"], &["game"]),
        #[cfg(feature = "sql")]
        (&["--where", "(select max(id) from games)"], &["type Int64", "true or false"]),
    ] {
        fails(&archive, filter, words);
    }
}

#[test]
fn names_that_no_player_has() {
    let (_folder, archive) = archive_of(&[MASTERS]);
    let archive = archive.as_str();
    for verb in [&["search"][..], &["explore"], &["export"], &["remove", "--dry-run"]] {
        let args = [verb, &[archive, "--white", "garry kasparow"]].concat();
        let output = run(&args);
        assert_eq!(output.code, 1, "{output:?}");
        for word in ["no player is called \"garry kasparow\"", "did you mean \"Kasparov", " games)"]
        {
            assert!(output.err.contains(word), "{args:?}: no {word:?} in {}", output.err);
        }
    }
    let both = run(&["search", archive, "--player", "tal", "--opponent", "botvinik"]);
    assert!(both.err.contains("\"botvinik\"; did you mean \"Botvinnik"), "{both:?}");
    assert!(!both.err.contains("\"tal\""), "{both:?}");
    // A player has the name, but no such game.
    let known = run(&["search", archive, "--player", "tal", "--year", "1700"]);
    assert_eq!((known.code, known.err.as_str()), (1, ""), "{known:?}");
    let unknown = run(&["search", archive, "--player", "qqqqqq"]);
    assert_eq!(unknown.err, "no player is called \"qqqqqq\"\n");
}

/// As Python and the server read them.
#[test]
fn values_in_other_spellings() {
    let (_folder, archive) = archive_of(&[MASTERS]);
    let tal = |more: &[&str]| count(&archive, &[&["--player", "tal"], more].concat());
    for (one, other) in [
        (["--as", "w"], ["--as", "white"]),
        (["--as", "B"], ["--as", "black"]),
        (["--result", " 1-0 "], ["--result", "1-0"]),
        (["--result", "Win"], ["--result", "win"]),
    ] {
        assert_eq!(tal(&one), tal(&other), "{one:?}");
    }
}
