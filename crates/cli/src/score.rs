//! Scores of players, as text and as fields.

use crate::listing::Column;
use halfmove_archive::{ExplorerMove, PlayerSummary, Score, ScoreGroup};
use serde_json::Value;

/// The score of a player in words: `+120 =70 −23, score 72.8 %`.
pub(crate) fn line(score: &Score) -> String {
    let Score { wins, draws, losses, other, both, .. } = *score;
    let mut line = format!("+{wins} ={draws} −{losses}");
    if score.percent().is_some() {
        line += &format!(", score {}", percent(score));
    }
    if other > 0 {
        line += &format!(", {other} without a result");
    }
    if both > 0 {
        line += &format!(", {both} between two of that name");
    }
    line
}

/// The points of a player in percent; empty if no game has a result.
pub(crate) fn percent(score: &Score) -> String {
    score.percent().map_or_else(String::new, |percent| format!("{percent:.1} %"))
}

/// An entry of a list that may have the score of a player.
pub(crate) trait Scored: Sized + 'static {
    fn score(&self) -> Option<Score>;

    /// The fields of the score.
    const SCORE: &'static [Column<Self>] = &[
        Column::<Self>::field("player_wins", |entry| number(entry.score(), |score| score.wins)),
        Column::<Self>::field("player_draws", |entry| number(entry.score(), |score| score.draws)),
        Column::<Self>::field("player_losses", |entry| number(entry.score(), |score| score.losses)),
        Column::<Self>::field("player_other", |entry| number(entry.score(), |score| score.other)),
        Column::<Self>::field("player_both", |entry| number(entry.score(), |score| score.both)),
        Column::<Self>::field("player_percent", |entry| {
            tenth(entry.score().and_then(|score| score.percent()))
        }),
    ];
}

fn number(score: Option<Score>, part: fn(Score) -> u64) -> Value {
    score.map(part).into()
}

/// Adds the fields of a score to an object, if there is one.
pub(crate) fn add(object: &mut Value, score: Option<Score>) {
    if score.is_some() {
        for column in Scored::SCORE {
            object[column.name()] = column.value(&score);
        }
    }
}

/// A number with one decimal.
pub(crate) fn tenth(number: Option<f64>) -> Value {
    number.map(|number| (number * 10.0).round() / 10.0).into()
}

impl Scored for Option<Score> {
    fn score(&self) -> Option<Score> {
        *self
    }
}

impl Scored for PlayerSummary {
    fn score(&self) -> Option<Score> {
        Some(self.score)
    }
}

impl Scored for ScoreGroup {
    fn score(&self) -> Option<Score> {
        self.score
    }
}

impl Scored for ExplorerMove {
    fn score(&self) -> Option<Score> {
        self.score
    }
}
