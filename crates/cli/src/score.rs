//! Scores of players, as text and as JSON.

use halfmove_archive::Score;
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

/// The fields of a score.
pub(crate) const FIELDS: [&str; 6] = [
    "player_wins",
    "player_draws",
    "player_losses",
    "player_other",
    "player_both",
    "player_percent",
];

/// Adds a score to an object, if there is one.
pub(crate) fn add(object: &mut Value, score: Option<Score>) {
    let Some(score) = score else { return };
    let percent = score.percent().map(|percent| (percent * 10.0).round() / 10.0);
    let Score { wins, draws, losses, other, both, .. } = score;
    let values = [wins, draws, losses, other, both].map(Value::from);
    for (field, value) in FIELDS.into_iter().zip(values.into_iter().chain([percent.into()])) {
        object[field] = value;
    }
}
