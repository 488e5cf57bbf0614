//! `halfmove stats --by`: scores by opening, opponent, year and more.

use super::UNKNOWN;
use crate::archive::Spellings;
use crate::args::{Format, Limit, Order, ScoreSort, ScoresBy, Stats};
use crate::command::players::ending;
use crate::listing::{Column, Listing};
use crate::output::{self, Advised, Answer, counted, grouped};
use crate::score::{self, Scored, tenth};
use crate::{Done, quote};
use anyhow::anyhow;
use clap::ValueEnum;
use halfmove_archive::{Filter, Results, Score, ScoreGroup};
use serde_json::{Value, json};
use std::time::Instant;

/// The part of the scores to show.
pub(super) struct Page {
    pub(super) by: ScoresBy,
    pub(super) sort: Order<ScoreSort>,
    /// The minimum number of games of a group.
    pub(super) least: u64,
    pub(super) limit: Limit,
    /// The time when the work began.
    pub(super) clock: Instant,
}

/// Refuses groups of a player if none is named.
pub(super) fn check(by: ScoresBy, args: &Stats) -> anyhow::Result<()> {
    let is_of_player = matches!(by, ScoresBy::Color | ScoresBy::Opponent);
    if !is_of_player || args.filter.conditions.text("player").is_some() {
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
    names: &Spellings,
    page: Page,
    format: Format,
) -> anyhow::Result<Done> {
    let Page { by, sort, least, limit, clock } = page;
    let (total, score) = total(&groups);
    let score = filter.player.as_ref().map(|_| score);
    let (before, largest) = (groups.len(), groups.iter().map(|group| group.results.games()).max());
    groups.retain(|group| group.results.games() >= least);
    match sort.by {
        ScoreSort::Games => sort.sort(&mut groups, |group| Some(group.results.games())),
        ScoreSort::Score => sort.sort(&mut groups, percent),
        ScoreSort::Name => sort.sort(&mut groups, |group| group.value.clone()),
    }
    let all = groups.len();
    let known = groups.iter().filter(|group| group.value.is_some()).count() as u64;
    groups.truncate(limit.most(format == Format::Table));
    let by_name = name(by);
    let lines: Vec<Line> =
        groups.into_iter().map(|group| Line { by: by_name.clone(), group }).collect();
    let listing = match score {
        Some(_) => Listing::new(&[GROUP, RESULTS, Line::SCORE, OF_PLAYER, LAST]),
        None => Listing::new(&[GROUP, RESULTS, OF_WHITE, LAST]),
    };
    let mut rows = listing.rows(format, &lines);
    if let Some(heading) = rows.heading.first_mut().filter(|_| format == Format::Table) {
        title(by).clone_into(heading);
    }
    let closing = match (all, &score) {
        (0, _) => match largest {
            None => counted(0, "game"),
            Some(largest) => format!(
                "no {} has {} (--min-games): the largest of {} has {}",
                noun(by),
                counted(least, "game"),
                grouped(before as u64),
                grouped(largest),
            ),
        },
        (_, score) => {
            let whose = match (score, total.white_percent()) {
                (Some(score), _) => score::line(score),
                (None, Some(percent)) => format!("White's score {percent:.1} %"),
                (None, None) => "none with a result".to_owned(),
            };
            let games = counted(total.games(), "game");
            // All of them may be of the group "unknown".
            let what = match known {
                0 => games,
                _ => format!("{} in {games}", counted(known, noun(by))),
            };
            format!("{what}: {whose};{}", ending(clock, lines.len(), all))
        }
    };
    let answer = Answer { rows: &rows, closing: &closing, list: Some("groups") };
    output::print(format, &answer, || {
        let mut answer = json!({ "count": all });
        add(&mut answer, total, score);
        names.add(&mut answer);
        answer["groups"] = listing.objects(&lines).into();
        answer
    })?;
    Ok(if all > 0 { Done::Found } else { Done::Nothing })
}

/// The value of `--by`.
fn name(by: ScoresBy) -> String {
    by.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

/// The heading of the names.
fn title(by: ScoresBy) -> &'static str {
    match by {
        ScoresBy::Eco | ScoresBy::PositionEco => "eco",
        by => noun(by),
    }
}

fn noun(by: ScoresBy) -> &'static str {
    match by {
        ScoresBy::Opening => "opening",
        ScoresBy::Variation => "variation",
        ScoresBy::Eco | ScoresBy::PositionEco => "code",
        ScoresBy::Color => "color",
        ScoresBy::Opponent => "opponent",
        ScoresBy::Year => "year",
        ScoresBy::Event => "event",
        ScoresBy::TimeControl => "time control",
        ScoresBy::Speed => "speed",
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

/// A line of the output.
struct Line {
    /// The key by which games are grouped.
    by: String,
    group: ScoreGroup,
}

impl Scored for Line {
    fn score(&self) -> Option<Score> {
        self.group.score
    }
}

const GROUP: &[Column<Line>] = &[
    Column::<Line>::field("by", |line| line.by.clone().into()),
    Column::<Line>::field("value", |line| line.group.value.clone().into())
        .shown("value", |line| line.group.value.clone().unwrap_or_else(|| UNKNOWN.to_owned())),
];

const RESULTS: &[Column<Line>] = &[
    Column::<Line>::field("games", |line| line.group.results.games().into())
        .titled("games")
        .number()
        .optional(),
    Column::<Line>::field("white", |line| line.group.results.white.into()).number(),
    Column::<Line>::field("draws", |line| line.group.results.draws.into()).number(),
    Column::<Line>::field("black", |line| line.group.results.black.into()).number(),
    Column::<Line>::field("other", |line| line.group.results.other.into()),
    Column::<Line>::field("white_percent", |line| tenth(line.group.results.white_percent())),
];

/// In a table, with the results of White.
const OF_WHITE: &[Column<Line>] = &[
    Column::<Line>::table("white", |line| line.group.results.white.to_string()).number(),
    Column::<Line>::table("draws", |line| line.group.results.draws.to_string()).number(),
    Column::<Line>::table("black", |line| line.group.results.black.to_string()).number(),
    Column::<Line>::table("score", |line| text_of(percent(&line.group))).number().optional(),
];

/// In a table, with the results of the player.
const OF_PLAYER: &[Column<Line>] = &[
    Column::<Line>::table("won", |line| of_score(line, |score| score.wins)).number().optional(),
    Column::<Line>::table("drawn", |line| of_score(line, |score| score.draws)).number().optional(),
    Column::<Line>::table("lost", |line| of_score(line, |score| score.losses)).number().optional(),
    Column::<Line>::table("score", |line| text_of(percent(&line.group))).number().optional(),
    Column::<Line>::field("averageOpponentRating", |line| {
        line.group.average_opponent_rating.into()
    })
    .titled("opponents")
    .number()
    .optional(),
    Column::<Line>::field("performance", |line| line.group.performance.into())
        .titled("performance")
        .number()
        .optional(),
    Column::<Line>::table("last", last).number().optional(),
];

const LAST: &[Column<Line>] =
    &[Column::<Line>::field("lastPlayed", |line| last_played(line).into())];

fn last_played(line: &Line) -> Option<String> {
    line.group.last_played.map(|period| period.to_string())
}

fn last(line: &Line) -> String {
    last_played(line).unwrap_or_default()
}

fn of_score(line: &Line, count: impl Fn(Score) -> u64) -> String {
    line.group.score.map_or_else(String::new, |score| count(score).to_string())
}

/// Adds results, and the score of a player if there is one.
fn add(object: &mut Value, results: Results, score: Option<Score>) {
    let Results { white, draws, black, other, .. } = results;
    object["games"] = results.games().into();
    for (name, games) in [("white", white), ("draws", draws), ("black", black), ("other", other)] {
        object[name] = games.into();
    }
    object["white_percent"] = tenth(results.white_percent());
    score::add(object, score);
}
