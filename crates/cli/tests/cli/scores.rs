//! `stats --by`: against loops over the lines of the PGN files, and its errors.

use crate::program::{archive_of, ok, run, testdata};
use halfmove_game::Input;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;

const FILES: [&str; 2] = ["games/masters.pgn.zst", "games/lichess.pgn.zst"];

type Tags = BTreeMap<String, String>;

/// The tags of all games, by their lines.
fn games() -> Vec<Tags> {
    let mut games: Vec<Tags> = Vec::new();
    for file in FILES {
        let mut text = Vec::new();
        Input::open(testdata(file)).unwrap().read_to_end(&mut text).unwrap();
        for line in text.split(|byte| *byte == b'\n') {
            // Old files are Latin-1.
            let line = String::from_utf8(line.to_vec())
                .unwrap_or_else(|_| line.iter().copied().map(char::from).collect());
            let line = line.trim_end();
            let Some((name, rest)) = line.strip_prefix('[').and_then(|tag| tag.split_once(" \""))
            else {
                continue;
            };
            if name == "Event" {
                games.push(Tags::new());
            }
            let value = rest.strip_suffix("\"]").unwrap().to_owned();
            games.last_mut().unwrap().insert(name.to_owned(), value);
        }
    }
    games
}

/// The counts of a group: games, White's wins, draws, Black's wins.
type Counts = [u64; 4];

fn counts(games: &[&Tags]) -> Counts {
    let with = |result: &str| games.iter().filter(|game| game["Result"] == result).count() as u64;
    [games.len() as u64, with("1-0"), with("1/2-1/2"), with("0-1")]
}

fn grouped<'a>(
    games: impl Iterator<Item = &'a Tags>,
    key: impl Fn(&Tags) -> Option<String>,
) -> BTreeMap<Option<String>, Vec<&'a Tags>> {
    let mut groups: BTreeMap<_, Vec<_>> = BTreeMap::new();
    games.for_each(|game| groups.entry(key(game)).or_default().push(game));
    groups
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&ok(&[args, &["--format", "json"]].concat())).unwrap()
}

/// The groups of an answer, which are in order.
fn groups(answer: &Value) -> Vec<&Value> {
    let groups: Vec<&Value> = answer["groups"].as_array().unwrap().iter().collect();
    assert_eq!(answer["count"], groups.len());
    let keys: Vec<_> = groups
        .iter()
        .map(|group| {
            (-group["games"].as_i64().unwrap(), group["value"].is_null(), group["value"].as_str())
        })
        .collect();
    assert!(keys.is_sorted(), "{keys:?}");
    groups
}

fn groups_of(answer: &Value) -> BTreeMap<Option<String>, Counts> {
    let counts = |group: &Value| {
        ["games", "white", "draws", "black"].map(|name| group[name].as_u64().unwrap())
    };
    let groups = groups(answer).into_iter();
    groups.map(|group| (group["value"].as_str().map(str::to_owned), counts(group))).collect()
}

fn known(text: Option<&String>) -> Option<String> {
    text.filter(|text| *text != "?").cloned()
}

fn year(game: &Tags) -> Option<String> {
    game["Date"].split('.').next().filter(|year| !year.starts_with('?')).map(str::to_owned)
}

#[test]
fn groups_of_all_games() {
    let (_folder, archive) = archive_of(&FILES);
    let games = games();
    assert_eq!(games.len(), 21_253);
    type Key = fn(&Tags) -> Option<String>;
    let cases: [(&str, Key); 3] = [
        ("year", year),
        ("event", |game| known(game.get("Event"))),
        ("time-control", |game| known(game.get("TimeControl"))),
    ];
    for (by, key) in cases {
        let expected = grouped(games.iter(), key);
        let expected: BTreeMap<_, _> =
            expected.into_iter().map(|(value, games)| (value, counts(&games))).collect();
        assert!(expected.len() > 4 && expected.contains_key(&None), "{by}");
        let answer = json(&["stats", &archive, "--by", by]);
        assert_eq!(groups_of(&answer), expected, "{by}");
        assert!(answer["groups"].as_array().unwrap().iter().all(|group| group["by"] == by));
        let all: Vec<&Tags> = games.iter().collect();
        let total = ["games", "white", "draws", "black"].map(|name| answer[name].as_u64().unwrap());
        assert_eq!(total, counts(&all), "{by}");
    }
}

/// Openings as `search` lists them, and codes as SQL does; with a filter for the position, and one for the result.
#[cfg(feature = "sql")]
#[test]
fn groups_by_opening() {
    let (_folder, archive) = archive_of(&FILES);
    let games = games();
    for filter in [&[][..], &["--moves", "e4 c5"], &["--result", "0-1", "--played", "Bxh7+"]] {
        let columns = ["--columns", "id,opening", "--format", "csv"];
        let listed = ok(&[&["search", &archive], filter, &columns].concat());
        let mut reader = csv::Reader::from_reader(listed.as_bytes());
        let rows: Vec<(usize, String)> = reader.deserialize().map(Result::unwrap).collect();
        for (by, parts) in [("opening", 1), ("variation", 2)] {
            let mut expected: BTreeMap<_, Vec<_>> = BTreeMap::new();
            for (id, name) in &rows {
                let ends: Vec<usize> = name.match_indices([':', ',']).map(|(at, _)| at).collect();
                let end = ends.get(parts - 1).copied().unwrap_or(name.len());
                let value = Some(name[..end].to_owned()).filter(|name| !name.is_empty());
                expected.entry(value).or_default().push(&games[*id - 1]);
            }
            let expected: BTreeMap<_, _> =
                expected.into_iter().map(|(value, games)| (value, counts(&games))).collect();
            let answer = json(&[&["stats", &archive, "--by", by], filter].concat());
            assert_eq!(groups_of(&answer), expected, "{by} {filter:?}");
        }
    }
    let query = "select eco(moves) as code, id from games order by id";
    let codes = json(&["sql", &archive, query]);
    let codes = codes.as_array().unwrap().iter().zip(&games);
    let mut expected: BTreeMap<_, Vec<_>> = BTreeMap::new();
    codes.for_each(|(row, game)| {
        expected.entry(row["code"].as_str().map(str::to_owned)).or_default().push(game);
    });
    let expected: BTreeMap<_, _> =
        expected.into_iter().map(|(value, games)| (value, counts(&games))).collect();
    assert_eq!(groups_of(&json(&["stats", &archive, "--by", "position-eco"])), expected);
}

/// The words of a name in order, without text in brackets and the title that one of Tal's opponents has.
fn words(name: &str) -> Vec<String> {
    let name = name.split('(').next().unwrap();
    let words = name.split(|char: char| !char.is_alphanumeric());
    let words = words.map(str::to_lowercase);
    let mut words: Vec<String> = words.filter(|word| !word.is_empty() && word != "gm").collect();
    words.sort();
    words
}

/// All games of one player, from the player's side.
#[test]
fn groups_of_a_player() {
    let (_folder, archive) = archive_of(&FILES);
    let games = games();
    let is_tal = |name: &str| words(name).contains(&"tal".to_owned());
    let has_white = |game: &Tags| is_tal(&game["White"]);
    let of_tal = |game: &&Tags| has_white(game) || is_tal(&game["Black"]);
    let opponent = |game: &Tags| game[if has_white(game) { "Black" } else { "White" }].clone();
    type Key<'a> = Box<dyn Fn(&Tags) -> Option<String> + 'a>;
    let cases: [(&str, Key<'_>); 3] = [
        (
            "opponent",
            Box::new(|game| Some(words(&opponent(game)).join(" ")).filter(|it| !it.is_empty())),
        ),
        (
            "color",
            Box::new(|game| Some(if has_white(game) { "white" } else { "black" }.to_owned())),
        ),
        ("year", Box::new(year)),
    ];
    for (by, key) in cases {
        let expected = grouped(games.iter().filter(of_tal), &key);
        let answer = json(&["stats", &archive, "--player", "tal", "--by", by]);
        let found = groups(&answer);
        assert_eq!(found.len(), expected.len(), "{by}");
        for group in found {
            let value = group["value"].as_str().map(str::to_owned);
            let value =
                if by == "opponent" { value.map(|name| words(&name).join(" ")) } else { value };
            let games = &expected[&value];
            let ends = |white: &str, black: &str| {
                let is_included =
                    |game: &&&Tags| game["Result"] == if has_white(game) { white } else { black };
                games.iter().filter(is_included).count() as u64
            };
            let (won, drawn, lost) =
                (ends("1-0", "0-1"), ends("1/2-1/2", "1/2-1/2"), ends("0-1", "1-0"));
            let score = ["player_wins", "player_draws", "player_losses"]
                .map(|name| group[name].as_u64().unwrap());
            assert_eq!(score, [won, drawn, lost], "{by} {value:?}");
            assert_eq!(group["games"], games.len(), "{by} {value:?}");
            let percent = 100.0 * (won as f64 + drawn as f64 / 2.0) / (won + drawn + lost) as f64;
            let percent =
                Some((10.0 * percent).round() / 10.0).filter(|percent| percent.is_finite());
            assert_eq!(group["player_percent"].as_f64(), percent, "{by} {value:?}");
            let last = games.iter().filter_map(|game| year(game)).max();
            let found = group["lastPlayed"].as_str().map(|date| date[..4].to_owned());
            assert_eq!(found, last, "{by} {value:?}");
        }
    }
    // Several spellings are one opponent, under the one with the most games.
    let andersson: Vec<String> = games
        .iter()
        .filter(of_tal)
        .map(opponent)
        .filter(|name| words(name) == ["andersson", "ulf"])
        .collect();
    assert!(BTreeSet::from_iter(&andersson).len() > 1, "{andersson:?}");
    let answer = json(&["stats", &archive, "--player", "tal", "--by", "opponent"]);
    let of_andersson = groups(&answer).into_iter().filter(|group| {
        group["value"].as_str().is_some_and(|name| andersson.contains(&name.to_owned()))
    });
    let of_andersson: Vec<_> = of_andersson.map(|group| group["games"].as_u64().unwrap()).collect();
    assert_eq!(of_andersson, [andersson.len() as u64]);
    // --as gives the side, and the score is that of all games.
    let black = ["stats", &archive, "--player", "tal", "--as", "black", "--by", "color"];
    let (black, both) =
        (json(&black), json(&["stats", &archive, "--player", "tal", "--by", "color"]));
    assert_eq!(groups(&black).len(), 1);
    assert!(groups(&both).contains(&&black["groups"][0]));
    let whole = json(&["stats", &archive, "--player", "tal"]);
    for name in ["games", "white", "draws", "black", "other", "player_wins", "player_percent"] {
        assert_eq!(both[name], whole[name], "{name}");
    }
}

#[test]
fn orders_limits_and_tables() {
    let (_folder, archive) = archive_of(&FILES);
    let by = |by: &str, more: &[&str]| ok(&[&["stats", &archive, "--by", by], more].concat());
    let table = by("opening", &["--limit", "3"]);
    let lines: Vec<&str> = table.lines().collect();
    let heading: Vec<&str> = lines[0].split_whitespace().collect();
    assert_eq!(heading, ["opening", "games", "white", "draws", "black", "score"]);
    assert!(lines.len() == 5 && lines[1].starts_with("Sicilian Defense  "), "{table}");
    assert!(lines[4].contains(" openings in 21,253 games: White's score 55."), "{table}");
    assert!(lines[4].ends_with(", the first 3 shown (--limit)"), "{table}");
    assert_eq!(by("event", &[]).lines().count(), 22);
    assert!(by("event", &["--limit", "0"]).lines().count() > 100);
    assert!(by("event", &[]).contains("\nunknown  "));
    // Games of players online have ratings.
    let table = by("color", &["--player", "m*", "--min-elo", "1"]);
    let heading: Vec<&str> = table.lines().next().unwrap().split_whitespace().collect();
    let of_player =
        ["color", "games", "won", "drawn", "lost", "score", "opponents", "performance", "last"];
    assert_eq!(heading, of_player, "{table}");
    // Without known ratings, there are no columns of ratings.
    let table = by("color", &["--player", "tal", "--until", "1950"]);
    let heading: Vec<&str> = table.lines().next().unwrap().split_whitespace().collect();
    assert_eq!(heading, ["color", "games", "won", "drawn", "lost", "score", "last"], "{table}");
    let values = |sort: &str, name: &str| {
        let more = ["--player", "tal", "--sort", sort, "--format", "csv"];
        let text = by("opponent", &more);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let at = reader.headers().unwrap().iter().position(|it| it == name).unwrap();
        reader.records().map(|row| row.unwrap()[at].to_owned()).collect::<Vec<String>>()
    };
    assert!(values("name", "value").iter().filter(|name| !name.is_empty()).is_sorted());
    let numbers = |sort, name| -> Vec<f64> {
        values(sort, name).iter().filter_map(|text| text.parse().ok()).collect()
    };
    assert!(numbers("games", "games").is_sorted());
    assert!(numbers("score", "player_percent").is_sorted());
    assert!(numbers("-score", "player_percent").iter().rev().is_sorted());
    assert_eq!(numbers("-score", "player_percent")[0], 100.0);
}

#[test]
fn errors_are_reported() {
    let (_folder, archive) = archive_of(&["games/setup.pgn"]);
    for (args, code, words) in [
        (
            &["--by", "color"][..],
            2,
            &[
                "error: --by color is about the player, so it needs --player\n",
                " --by color --player NAME\n",
            ][..],
        ),
        (
            &["--by", "opponent"],
            2,
            &["so it needs --player\n", "hint: the scores of all players: halfmove players "],
        ),
        (
            &["--by", "openings"],
            2,
            &["invalid value 'openings' for '--by <WHAT>'", "opening, variation, eco"],
        ),
        (&["--sort", "name"], 2, &["--by <WHAT>"]),
        (&["--limit", "3"], 2, &["--by <WHAT>"]),
        (
            &["--by", "year", "--sort", "elo"],
            2,
            &["expected games, score, name, or the same after a -"],
        ),
        (
            &["--by", "year", "--as", "white"],
            2,
            &["--as is about the player, so it needs --player"],
        ),
        (&["--group-by", "year"], 2, &["did you mean --by?"]),
        (
            &["--by", "year", "--player", "nosuchplayer"],
            1,
            &["no player is called \"nosuchplayer\""],
        ),
        (
            &["--by", "opponent", "--player", "nosuchplayer"],
            1,
            &["no player is called \"nosuchplayer\""],
        ),
    ] {
        let output = run(&[&["stats", &archive], args].concat());
        assert_eq!(output.code, code, "{args:?} {output:?}");
        for words in words {
            assert!(output.err.contains(words), "{args:?} {output:?}");
        }
        assert_eq!(output.out, if code == 1 { "0 games\n" } else { "" }, "{args:?}");
    }
    let unknown = ["stats", &archive, "--player", "nosuchplayer", "--by", "year", "--format"];
    let output = run(&[&unknown[..], &["json"]].concat());
    let answer: Value = serde_json::from_str(&output.out).unwrap();
    assert_eq!((output.code, &answer["count"], &answer["games"]), (1, &0.into(), &0.into()));
    assert_eq!(run(&[&unknown[..], &["csv"]].concat()).out.lines().count(), 1);
}

/// A note counts the games of a player that are in the archive more than once, as the list of all duplicates has them.
#[test]
fn copies_are_noted() {
    let (_folder, archive) = archive_of(&FILES[..1]);
    let found: Value =
        serde_json::from_str(&ok(&["duplicates", &archive, "--format", "json"])).unwrap();
    let groups: Vec<&Value> = found["groups"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|group| group["kind"] == "exact" || group["kind"] == "twin")
        .collect();
    let mut noted = 0;
    for player in ["spraggett", "tal", "day", "kasparov"] {
        let is_his = |game: &Value| {
            ["white", "black"].iter().any(|side| {
                let name = game[side].as_str().unwrap_or_default().to_lowercase();
                name.split(|char: char| !char.is_alphanumeric()).any(|word| word == player)
            })
        };
        let copies: usize = groups
            .iter()
            .map(|group| {
                let games = group["games"].as_array().unwrap();
                games.iter().filter(|game| is_his(game)).count().saturating_sub(1)
            })
            .sum();
        for args in [&["--player", player][..], &["--player", player, "--by", "year"]] {
            let output = run(&[&["stats", &archive], args].concat());
            let note = match copies {
                0 => None,
                1 => Some("1 game of these is a copy of another one, and counts again".to_owned()),
                _ => Some(format!("{copies} games of these are copies of others")),
            };
            let is_noted = output.err.contains("halfmove duplicates ");
            assert_eq!((output.code, is_noted), (0, note.is_some()), "{player}: {}", output.err);
            assert!(output.err.contains(note.as_deref().unwrap_or("")), "{player}: {}", output.err);
        }
        noted += usize::from(copies > 0);
    }
    assert!(noted > 1, "{noted}");
}
