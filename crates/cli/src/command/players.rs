//! `halfmove players`: who is in an archive, under which names.

use crate::args::{Format, Merge, PlayerSort, Players, PlayersVerb, most};
use crate::output::{self, Advised, Answer, Rows, counted, grouped};
use crate::visible::visible;
use crate::watch::{Watch, explain};
use crate::{Done, archive, quote, score};
use anyhow::anyhow;
use halfmove_archive::{Archive, Filter, PlayerSummary, SearchOptions, SimilarPlayers};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Instant;

pub(crate) fn run(args: Players) -> anyhow::Result<Done> {
    if let Some(PlayersVerb::Merge(args)) = args.verb {
        return merge(&args);
    }
    let clock = Instant::now();
    let path = args.archive.as_deref().ok_or_else(|| anyhow!("no archive is named"))?;
    let archive = archive::open(path)?;
    let name = args.name.as_deref();
    if name.is_some_and(|name| !name.contains(char::is_alphanumeric)) {
        return Err(archive::no_word("NAME", name.unwrap_or_default()));
    }
    if args.similar {
        let mut similar = archive::wait(archive.similar_players(name))?;
        let all = similar.len();
        similar.truncate(most(args.limit, args.output.format == Format::Table));
        let objects: Vec<Value> = similar.iter().map(pair).collect();
        let rows = match args.output.format {
            Format::Csv | Format::Tsv => Rows::of_objects(PAIR_FIELDS, &objects),
            _ => Rows {
                heading: &[
                    "name",
                    "games",
                    "years",
                    "other",
                    "games",
                    "years",
                    "alike in",
                    "opponents",
                    "",
                ],
                numbers: &["games", "opponents"],
                rows: similar.iter().map(pair_row).collect(),
            },
        };
        let mut closing = counted(all as u64, "pair") + " of names that may be one player";
        closing += &ending(clock, similar.len(), all);
        closing += &similar.iter().find_map(|two| merge_hint(path, two)).unwrap_or_default();
        let answer = Answer { rows: &rows, closing: &closing, list: Some("pairs") };
        output::print(args.output.format, &answer, || json!({ "count": all, "pairs": objects }))?;
        return Ok(if all > 0 { Done::Found } else { Done::Nothing });
    }
    let mut players = archive::wait(archive.players(name))?;
    if let Some(name) = name.filter(|_| players.is_empty()) {
        archive::wait(archive::tell_near(&archive, name))?;
    }
    let sort = args.sort;
    match sort.by {
        PlayerSort::Games => sort.sort(&mut players, |player| Some(player.games)),
        PlayerSort::Name => sort.sort(&mut players, |player| Some(player.name.clone())),
        PlayerSort::Elo => sort.sort(&mut players, |player| player.highest_elo),
        PlayerSort::Score => sort.sort(&mut players, |player| player.score.percent()),
        PlayerSort::Year => sort.sort(&mut players, |player| player.last_year),
    }
    let all = players.len();
    players.truncate(most(args.limit, args.output.format == Format::Table));
    let objects: Vec<Value> = players.iter().map(object).collect();
    let rows = match args.output.format {
        Format::Csv | Format::Tsv => Rows::of_objects(FIELDS, &objects),
        _ => Rows {
            heading: &["name", "games", "years", "elo", "won", "drawn", "lost", "score"],
            numbers: &["games", "elo", "won", "drawn", "lost", "score"],
            rows: players.iter().map(row).collect(),
        },
    };
    let closing = counted(all as u64, "player") + &ending(clock, players.len(), all);
    let answer = Answer { rows: &rows, closing: &closing, list: Some("players") };
    output::print(args.output.format, &answer, || json!({ "count": all, "players": objects }))?;
    Ok(if all > 0 { Done::Found } else { Done::Nothing })
}

/// How long it took, and whether there are more than were shown.
pub(super) fn ending(clock: Instant, shown: usize, all: usize) -> String {
    let more = match shown < all {
        true => format!(", the first {} shown (--limit)", grouped(shown as u64)),
        false => String::new(),
    };
    format!(" in {} ms{more}", clock.elapsed().as_millis())
}

/// What CSV has of a player.
const FIELDS: &[&str] = &[
    "name",
    "games",
    "first_year",
    "last_year",
    "highest_elo",
    "player_wins",
    "player_draws",
    "player_losses",
    "player_other",
    "player_both",
    "player_percent",
];

fn object(player: &PlayerSummary) -> Value {
    let mut object = json!({
        "name": player.name,
        "games": player.games,
        "first_year": player.first_year,
        "last_year": player.last_year,
        "highest_elo": player.highest_elo,
    });
    score::add(&mut object, Some(player.score));
    object
}

/// `1960 to 1963`.
pub(super) fn years(first: Option<i32>, last: Option<i32>) -> String {
    match (first, last) {
        (Some(first), Some(last)) if first != last => format!("{first} to {last}"),
        (first, last) => first.or(last).map_or_else(String::new, |year| year.to_string()),
    }
}

fn row(player: &PlayerSummary) -> Vec<String> {
    let score = player.score;
    vec![
        player.name.clone(),
        player.games.to_string(),
        years(player.first_year, player.last_year),
        player.highest_elo.map_or_else(String::new, |elo| elo.to_string()),
        score.wins.to_string(),
        score.draws.to_string(),
        score.losses.to_string(),
        score::percent(&score),
    ]
}

/// What CSV has of two names.
const PAIR_FIELDS: &[&str] = &[
    "name",
    "games",
    "first_year",
    "last_year",
    "other",
    "other_games",
    "other_first_year",
    "other_last_year",
    "likeness",
    "ambiguous",
    "common_opponents",
];

fn pair(two: &SimilarPlayers) -> Value {
    json!({
        "name": two.name.name,
        "games": two.name.games,
        "first_year": two.name.first_year,
        "last_year": two.name.last_year,
        "other": two.other.name,
        "other_games": two.other.games,
        "other_first_year": two.other.first_year,
        "other_last_year": two.other.last_year,
        "likeness": two.likeness.name(),
        "ambiguous": two.is_ambiguous,
        "common_opponents": two.common_opponents,
    })
}

fn pair_row(two: &SimilarPlayers) -> Vec<String> {
    let of = |player: &PlayerSummary| {
        let years = years(player.first_year, player.last_year);
        [player.name.clone(), player.games.to_string(), years]
    };
    let mut row: Vec<String> = of(&two.name).into_iter().chain(of(&two.other)).collect();
    row.extend([two.likeness.name().to_owned(), two.common_opponents.to_string()]);
    row.push(if two.is_ambiguous { "ambiguous" } else { "" }.to_owned());
    row
}

/// How to merge two names, if both can be typed.
fn merge_hint(archive: &Path, two: &SimilarPlayers) -> Option<String> {
    let names = [&two.name.name, &two.other.name];
    let is_typed = |name: &&String| visible(name) == **name;
    names.iter().all(is_typed).then(|| {
        let end_of_options =
            if names.iter().any(|name| name.starts_with('-')) { "-- " } else { "" };
        let (archive, [one, two]) = (quote::path(archive), names.map(|name| quote::word(name)));
        format!("\nto merge two: halfmove players merge {end_of_options}{archive} {one} {two}")
    })
}

fn merge(args: &Merge) -> anyhow::Result<Done> {
    let archive = archive::open(&args.archive)?;
    let unchanged = |error: anyhow::Error| match error.downcast() {
        Ok(error) => explain(error, &args.archive, None),
        Err(error) => error,
    };
    if !args.to.contains(char::is_alphanumeric) {
        return Err(anyhow!("\"{}\" is no name: expected a letter or a digit", args.to));
    }
    if args.to.contains(char::is_control) {
        let name = visible(&args.to);
        return Err(anyhow!(
            "\"{name}\" is no name: expected no line breaks or control characters"
        ));
    }
    if args.from.iter().all(|name| *name == args.to) {
        return Err(anyhow!("\"{}\": both names are the same, expected different ones", args.to));
    }
    if !args.force {
        refuse_opponents(&archive, args)?;
    }
    let merge = archive::wait(archive.player_merge(&args.to, &args.from)).map_err(unchanged)?;
    for name in merge.missing() {
        tell_missing(&archive, name)?;
    }
    let found = merge.games();
    let (games, version) = if args.dry_run || found == 0 {
        (found, None)
    } else {
        let mut watch = Watch::begin(Some(archive.len()))?;
        let merged = merge.commit(&mut watch);
        let report = watch.end(&args.archive, merged)?;
        (report.games, report.version)
    };
    let rows = Rows {
        heading: &["name", "games changed", "version"],
        numbers: &["games changed", "version"],
        rows: vec![vec![
            args.to.clone(),
            games.to_string(),
            version.map_or_else(String::new, |version| version.to_string()),
        ]],
    };
    let closing = match version {
        Some(version) => {
            let hint = archive::undo_hint(&archive.refresh()?, &args.archive, version);
            format!("{} changed{hint}", counted(games, "game"))
        }
        None if games == 0 => "no game has one of these names, nothing is changed".to_owned(),
        None => format!("{} would be changed", counted(games, "game")),
    };
    let answer = Answer { rows: &rows, closing: &closing, list: None };
    let printed = output::print(args.output.format, &answer, || {
        json!({
            "name": args.to,
            "merged": args.from,
            "games": games,
            "version": version,
            "dry_run": args.dry_run,
        })
    });
    output::told(version.is_some(), printed)?;
    Ok(if games > 0 { Done::Found } else { Done::Nothing })
}

/// Nobody plays against oneself.
fn refuse_opponents(archive: &Archive, args: &Merge) -> anyhow::Result<()> {
    let names: Vec<String> =
        args.from.iter().chain([&args.to]).map(|name| name.replace('\'', "''")).collect();
    let names = format!("('{}')", names.join("', '"));
    let filter = Filter {
        condition: Some(format!("white in {names} and black in {names} and white <> black")),
        ..Filter::default()
    };
    let found = archive::wait(archive.search_with(&filter, &SearchOptions::first(1)))?;
    let Some(game) = found.games.first() else { return Ok(()) };
    let [white, black] = [&game.white, &game.black].map(|name| name.clone().unwrap_or_default());
    let id = grouped(game.id.unsigned_abs());
    let error = anyhow!("\"{white}\" and \"{black}\" have played each other, in game {id}");
    Err(Advised::new(error, "they are two players; --force merges them all the same").into())
}

/// Nobody has a name; tells which names come near it.
fn tell_missing(archive: &Archive, name: &str) -> anyhow::Result<()> {
    if name.contains(char::is_alphanumeric) {
        return archive::wait(archive::tell_exact(archive, name));
    }
    output::note(format_args!("no player is called exactly \"{name}\""));
    Ok(())
}
