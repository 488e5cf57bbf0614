//! `halfmove stats --by`: scores by opening, opponent, year and more.

use super::UNKNOWN;
use crate::args::{Format, Order, ScoreSort, ScoresBy, Stats, most};
use crate::command::players::ending;
use crate::output::{self, Advised, Answer, Rows, counted};
use crate::{Done, quote, score};
use anyhow::anyhow;
use clap::ValueEnum;
use halfmove_archive::{Filter, Results, Score, ScoreGroup};
use serde_json::{Value, json};
use std::time::Instant;

/// What of the scores is shown.
pub(super) struct Page {
    pub(super) by: ScoresBy,
    pub(super) sort: Order<ScoreSort>,
    pub(super) limit: Option<usize>,
    /// When the work began.
    pub(super) clock: Instant,
}

/// Refuses groups of a player if none is named.
pub(super) fn check(by: ScoresBy, args: &Stats) -> anyhow::Result<()> {
    let is_of_player = matches!(by, ScoresBy::Color | ScoresBy::Opponent);
    if !is_of_player || args.filter.player.is_some() {
        return Ok(());
    }
    let by = name(by);
    let error = anyhow!("--by {by} is about the player, so it needs --player");
    let archive = quote::path(&args.archive);
    let hint = match by.as_str() {
        "opponent" => format!("the scores of all players: halfmove players {archive}"),
        _ => format!("for example: halfmove stats {archive} --by {by} --player NAME"),
    };
    Err(Advised::new(error, hint).into())
}

pub(super) fn print(
    mut groups: Vec<ScoreGroup>,
    filter: &Filter,
    page: Page,
    format: Format,
) -> anyhow::Result<Done> {
    let Page { by, sort, limit, clock } = page;
    let (total, score) = total(&groups);
    let score = filter.player.as_ref().map(|_| score);
    match sort.by {
        ScoreSort::Games => sort.sort(&mut groups, |group| Some(group.results.games())),
        ScoreSort::Score => sort.sort(&mut groups, percent),
        ScoreSort::Name => sort.sort(&mut groups, |group| group.value.clone()),
    }
    let all = groups.len();
    let known = groups.iter().filter(|group| group.value.is_some()).count() as u64;
    groups.truncate(most(limit, format == Format::Table));
    let objects: Vec<Value> = groups.iter().map(|group| object(by, group)).collect();
    let (title, columns) = (title(by), columns(&groups, score.is_some()));
    let heading: Vec<&str> =
        [title].into_iter().chain(columns.iter().map(|column| column.0)).collect();
    let fields = fields(score.is_some());
    let rows = match format {
        Format::Csv | Format::Tsv => Rows::of_objects(&fields, &objects),
        _ => Rows {
            heading: &heading,
            numbers: &heading[1..],
            rows: groups.iter().map(|group| row(group, &columns)).collect(),
        },
    };
    let closing = match (all, &score) {
        (0, _) => counted(0, "game"),
        (_, score) => {
            let whose = match score {
                Some(score) => score::line(score),
                None => format!("White's score {}", text_of(total.white_percent())),
            };
            let (what, games) = (counted(known, noun(by)), counted(total.games(), "game"));
            format!("{what} in {games}: {whose};{}", ending(clock, groups.len(), all))
        }
    };
    let answer = Answer { rows: &rows, closing: &closing, list: Some("groups") };
    output::print(format, &answer, || {
        let mut answer = json!({ "count": all });
        add(&mut answer, total, score);
        answer["groups"] = objects.into();
        answer
    })?;
    Ok(if all > 0 { Done::Found } else { Done::Nothing })
}

/// What is typed behind `--by`.
fn name(by: ScoresBy) -> String {
    by.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

/// The heading of the names.
fn title(by: ScoresBy) -> &'static str {
    match by {
        ScoresBy::Eco => "eco",
        by => noun(by),
    }
}

fn noun(by: ScoresBy) -> &'static str {
    match by {
        ScoresBy::Opening => "opening",
        ScoresBy::Variation => "variation",
        ScoresBy::Eco => "code",
        ScoresBy::Color => "color",
        ScoresBy::Opponent => "opponent",
        ScoresBy::Year => "year",
        ScoresBy::Event => "event",
        ScoresBy::TimeControl => "time control",
    }
}

/// The results of all groups.
fn total(groups: &[ScoreGroup]) -> (Results, Score) {
    let (mut results, mut score) = (Results::default(), Score::default());
    for group in groups {
        let Results { white, draws, black, other, .. } = group.results;
        results.white += white;
        results.draws += draws;
        results.black += black;
        results.other += other;
        score += group.score.unwrap_or_default();
    }
    (results, score)
}

/// The score of the player, or else of White.
fn percent(group: &ScoreGroup) -> Option<f64> {
    match &group.score {
        Some(score) => score.percent(),
        None => group.results.white_percent(),
    }
}

fn text_of(percent: Option<f64>) -> String {
    percent.map_or_else(String::new, |percent| format!("{percent:.1} %"))
}

/// A column: its heading, and what it says of a group.
type Column = (&'static str, fn(&ScoreGroup) -> String);

const OF_WHITE: [Column; 5] = [
    ("games", |group| group.results.games().to_string()),
    ("white", |group| group.results.white.to_string()),
    ("draws", |group| group.results.draws.to_string()),
    ("black", |group| group.results.black.to_string()),
    ("score", |group| text_of(percent(group))),
];

const OF_PLAYER: [Column; 8] = [
    ("games", |group| group.results.games().to_string()),
    ("won", |group| of_score(group, |score| score.wins)),
    ("drawn", |group| of_score(group, |score| score.draws)),
    ("lost", |group| of_score(group, |score| score.losses)),
    ("score", |group| text_of(percent(group))),
    ("opponents", |group| text(group.average_opponent_rating)),
    ("performance", |group| text(group.performance)),
    ("last", |group| text(group.last_played)),
];

/// Those that say anything.
fn columns(groups: &[ScoreGroup], is_scored: bool) -> Vec<&'static Column> {
    let columns = if is_scored { &OF_PLAYER[..] } else { &OF_WHITE };
    let says = |column: &&Column| groups.iter().any(|group| !column.1(group).is_empty());
    columns.iter().filter(says).collect()
}

fn row(group: &ScoreGroup, columns: &[&Column]) -> Vec<String> {
    let value = group.value.clone().unwrap_or_else(|| UNKNOWN.to_owned());
    [value].into_iter().chain(columns.iter().map(|column| column.1(group))).collect()
}

fn text(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn of_score(group: &ScoreGroup, count: impl Fn(Score) -> u64) -> String {
    text(group.score.map(count))
}

/// What CSV has of a group.
fn fields(is_scored: bool) -> Vec<&'static str> {
    let results = ["by", "value", "games", "white", "draws", "black", "other", "white_percent"];
    let ratings: &[&str] = if is_scored { &["averageOpponentRating", "performance"] } else { &[] };
    let score = if is_scored { &score::FIELDS[..] } else { &[] };
    [&results[..], score, ratings, &["lastPlayed"]].concat()
}

fn object(by: ScoresBy, group: &ScoreGroup) -> Value {
    let mut object = json!({ "by": name(by), "value": group.value });
    add(&mut object, group.results, group.score);
    if group.score.is_some() {
        object["averageOpponentRating"] = group.average_opponent_rating.into();
        object["performance"] = group.performance.into();
    }
    object["lastPlayed"] = group.last_played.map(|period| period.to_string()).into();
    object
}

/// Adds results, and the score of a player if there is one.
fn add(object: &mut Value, results: Results, score: Option<Score>) {
    let Results { white, draws, black, other, .. } = results;
    object["games"] = results.games().into();
    for (name, games) in [("white", white), ("draws", draws), ("black", black), ("other", other)] {
        object[name] = games.into();
    }
    let percent = results.white_percent().map(|percent| (percent * 10.0).round() / 10.0);
    object["white_percent"] = percent.into();
    score::add(object, score);
}
