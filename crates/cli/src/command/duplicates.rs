//! `halfmove duplicates`: games that are in an archive more than once.

use crate::args::{DuplicateKind, Duplicates as Args, Format, most};
use crate::output::{self, Answer, Rows, counted};
use crate::watch::{Watch, explain};
use crate::{Done, archive, quote};
use halfmove_archive::{Archive, Duplicates, GameSummary};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::time::Instant;

pub(crate) fn run(args: Args) -> anyhow::Result<Done> {
    let clock = Instant::now();
    let archive = archive::open(&args.archive)?;
    let found = archive::wait(archive.duplicates())?;
    if args.remove {
        return remove(&args, &archive, &found);
    }
    let wants = |kind| args.kind.is_none_or(|wanted| wanted == kind);
    let mut groups: Vec<Group> = Vec::new();
    if wants(DuplicateKind::Exact) {
        groups.extend(found.exact.iter().map(|group| Group {
            kind: "exact",
            reasons: String::new(),
            best: Some(group.best),
            ids: &group.ids,
        }));
    }
    if wants(DuplicateKind::Near) {
        groups.extend(found.near.iter().map(|group| Group {
            kind: "near",
            reasons: group.differences.names().join(", "),
            best: None,
            ids: &group.ids,
        }));
    }
    let all = groups.len();
    groups.truncate(most(args.limit, args.output.format == Format::Table));
    let ids: Vec<i64> = groups.iter().flat_map(|group| group.ids.iter().copied()).collect();
    let games = archive::wait(archive.summaries(&ids))?;
    let games: HashMap<i64, &GameSummary> = games.iter().map(|game| (game.id, game)).collect();

    let objects: Vec<Value> = groups
        .iter()
        .enumerate()
        .map(|(number, group)| object(number + 1, group, &games))
        .collect();
    let rows = match args.output.format {
        Format::Csv | Format::Tsv => Rows::of_objects(FIELDS, &flat(&objects)),
        _ => Rows {
            heading: &[
                "group", "differs", "id", "", "white", "black", "date", "result", "plies", "event",
            ],
            numbers: &["group", "id", "plies"],
            rows: objects.iter().flat_map(table_rows).collect(),
        },
    };
    let mut closing = closing(&found);
    closing += &format!(
        " {} compared in {} ms.",
        counted(found.games, "game"),
        clock.elapsed().as_millis()
    );
    match groups.len() as u64 {
        shown if shown == all as u64 => {}
        1 => closing += " The first group is shown (--limit).",
        shown => closing += &format!(" The first {} are shown (--limit).", counted(shown, "group")),
    }
    if found.removable() > 0 {
        let name = quote::path(&args.archive);
        closing += &format!(
            "\nto keep the best of each exact group (*): halfmove duplicates {name} --remove"
        );
    }
    let answer = Answer { rows: &rows, closing: &closing, list: Some("groups") };
    output::print(args.output.format, &answer, || {
        let mut answer = counts(&found);
        answer["groups"] = objects.into();
        answer
    })?;
    Ok(if all > 0 { Done::Found } else { Done::Nothing })
}

/// Games that are alike.
struct Group<'a> {
    kind: &'static str,
    reasons: String,
    best: Option<i64>,
    ids: &'a [i64],
}

/// How many there are.
fn counts(found: &Duplicates) -> Value {
    let near: usize = found.near.iter().map(|group| group.ids.len()).sum();
    json!({
        "games": found.games,
        "exact_groups": found.exact.len(),
        "removable": found.removable(),
        "near_groups": found.near.len(),
        "near_games": near,
    })
}

fn closing(found: &Duplicates) -> String {
    let near: usize = found.near.iter().map(|group| group.ids.len()).sum();
    let exact = match found.exact.len() as u64 {
        0 => "No exact duplicates.".to_owned(),
        groups => {
            let games = counted(found.removable(), "game");
            format!("{} of exact duplicates ({games} too many).", counted(groups, "group"))
        }
    };
    let near = match found.near.len() as u64 {
        0 => "No near duplicates.".to_owned(),
        groups => {
            let games = counted(near as u64, "game");
            format!("{} of near duplicates ({games}).", counted(groups, "group"))
        }
    };
    format!("{exact} {near}")
}

/// What CSV has: a line for each game.
const FIELDS: &[&str] = &[
    "group", "kind", "differs", "best", "id", "white", "black", "date", "result", "plies", "event",
    "site", "round",
];

fn object(number: usize, group: &Group<'_>, games: &HashMap<i64, &GameSummary>) -> Value {
    let games = group.ids.iter().filter_map(|id| games.get(id)).map(|game| {
        json!({
            "id": game.id,
            "white": game.white,
            "black": game.black,
            "date": game.date,
            "result": game.result,
            "plies": game.plies,
            "event": game.event,
            "site": game.site,
            "round": game.round,
        })
    });
    json!({
        "group": number,
        "kind": group.kind,
        "differs": group.reasons,
        "best": group.best,
        "games": games.collect::<Vec<Value>>(),
    })
}

/// The games of each group, with what the group says.
fn flat(groups: &[Value]) -> Vec<Value> {
    let mut all = Vec::new();
    for group in groups {
        for game in group["games"].as_array().into_iter().flatten() {
            let mut game = game.clone();
            for field in ["group", "kind", "differs", "best"] {
                game[field] = group[field].clone();
            }
            game["best"] = match group["best"].is_null() {
                true => Value::Null,
                false => (game["id"] == group["best"]).into(),
            };
            all.push(game);
        }
    }
    all
}

fn table_rows(group: &Value) -> Vec<Vec<String>> {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    let games = group["games"].as_array().into_iter().flatten().enumerate();
    let rows = games.map(|(number, game)| {
        let of_group = |field: &str| if number == 0 { text(&group[field]) } else { String::new() };
        let is_exact = group["kind"] == "exact";
        let differs = if is_exact && number == 0 { "-".to_owned() } else { of_group("differs") };
        let mark = if game["id"] == group["best"] { "*" } else { "" };
        let mut row = vec![of_group("group"), differs, text(&game["id"]), mark.to_owned()];
        let rest = ["white", "black", "date", "result", "plies", "event"];
        row.extend(rest.map(|field| text(&game[field])));
        row
    });
    rows.collect()
}

fn remove(args: &Args, archive: &Archive, found: &Duplicates) -> anyhow::Result<Done> {
    let remover =
        archive.duplicates_remover(found).map_err(|error| explain(error, &args.archive, None))?;
    let count = remover.games();
    let version = if args.dry_run || count == 0 {
        None
    } else {
        let mut watch = Watch::begin(Some(archive.len()))?;
        let removed = remover.because("duplicates").commit(&mut watch);
        watch.end(&args.archive, removed)?.version
    };
    let changed = if version.is_some() { archive.refresh()? } else { archive.clone() };
    let left = if args.dry_run { changed.len().saturating_sub(count) } else { changed.len() };
    let rows = Rows {
        heading: &["groups", "removed", "left", "version"],
        numbers: &["groups", "removed", "left", "version"],
        rows: vec![vec![
            found.exact.len().to_string(),
            count.to_string(),
            left.to_string(),
            version.map_or_else(String::new, |version| version.to_string()),
        ]],
    };
    let closing = match version {
        Some(version) => {
            let hint = archive::undo_hint(&changed, &args.archive, version);
            format!("{} removed{hint}", counted(count, "game"))
        }
        None if count == 0 => "no exact duplicates, nothing is removed".to_owned(),
        None => format!("{} would be removed", counted(count, "game")),
    };
    let answer = Answer { rows: &rows, closing: &closing, list: None };
    let printed = output::print(args.output.format, &answer, || {
        json!({
            "groups": found.exact.len(),
            "removed": count,
            "left": left,
            "version": version,
            "dry_run": args.dry_run,
        })
    });
    output::told(version.is_some(), printed)?;
    Ok(if count > 0 { Done::Found } else { Done::Nothing })
}
