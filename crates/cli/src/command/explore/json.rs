//! The explorer's answer for programs. Its names are those of the Lichess explorer, and a promise.

use crate::score;
use halfmove_archive::{Details, Explorer, ExplorerGame, ExplorerMove, GameSummary, Results};
use halfmove_game::openings::Opening;
use serde_json::{Value, json};

/// What CSV has of a move.
const FIELDS: &[&str] = &[
    "uci",
    "san",
    "white",
    "draws",
    "black",
    "other",
    "averageRating",
    "averageOpponentRating",
    "performance",
    "lastPlayed",
];

/// What it has before that in a tree of several half-moves.
const PLACE: &[&str] = &["depth", "line"];

pub(super) fn fields(is_scored: bool, is_deep: bool) -> Vec<&'static str> {
    let place = if is_deep { PLACE } else { &[] };
    let score = if is_scored { &score::FIELDS[..] } else { &[] };
    [place, FIELDS, score].concat()
}

/// All moves of a tree one after the other, each before those that come after it.
pub(super) fn lines(explorer: &Explorer, is_deep: bool) -> Vec<Value> {
    let mut lines = Vec::new();
    add_lines(&explorer.moves, &mut Vec::new(), is_deep, &mut lines);
    lines
}

fn add_lines<'a>(
    moves: &'a [ExplorerMove],
    before: &mut Vec<&'a str>,
    is_deep: bool,
    lines: &mut Vec<Value>,
) {
    for mv in moves {
        before.push(&mv.san);
        let mut line = of_move(mv);
        if is_deep {
            line["depth"] = before.len().into();
            line["line"] = before.join(" ").into();
        }
        lines.push(line);
        add_lines(&mv.next, before, is_deep, lines);
        before.pop();
    }
}

/// The whole answer.
pub(super) fn answer(
    explorer: &Explorer,
    opening: Option<&'static Opening>,
    is_deep: bool,
) -> Value {
    let mut answer = json!({});
    add_results(&mut answer, explorer.results);
    add_details(&mut answer, explorer.details.as_ref());
    score::add(&mut answer, explorer.score);
    answer["moves"] = tree(&explorer.moves, is_deep);
    answer["opening"] =
        opening.map(|opening| json!({ "eco": opening.eco(), "name": opening.name() })).into();
    answer["topGames"] = explorer.top_games.iter().map(listed).collect();
    answer["recentGames"] = explorer.recent_games.iter().map(listed).collect();
    answer
}

/// Moves with those that come after them.
fn tree(moves: &[ExplorerMove], is_deep: bool) -> Value {
    let moves = moves.iter().map(|mv| {
        let mut object = of_move(mv);
        let game = mv.details.as_ref().and_then(|details| details.game.as_ref());
        object["game"] = game.map(of_game).into();
        if is_deep {
            object["moves"] = tree(&mv.next, is_deep);
        }
        object
    });
    moves.collect()
}

/// A move without the moves after it.
fn of_move(mv: &ExplorerMove) -> Value {
    let mut object = json!({ "uci": mv.uci, "san": mv.san });
    add_results(&mut object, mv.results);
    add_details(&mut object, mv.details.as_ref());
    score::add(&mut object, mv.score);
    object
}

fn add_results(object: &mut Value, results: Results) {
    let Results { white, draws, black, other, .. } = results;
    for (name, games) in [("white", white), ("draws", draws), ("black", black), ("other", other)] {
        object[name] = games.into();
    }
}

fn add_details(object: &mut Value, details: Option<&Details>) {
    let Some(details) = details else { return };
    object["averageRating"] = details.average_rating.into();
    object["averageOpponentRating"] = details.average_opponent_rating.into();
    object["performance"] = details.performance.into();
    object["lastPlayed"] = details.last_played.map(|period| period.to_string()).into();
}

/// A game in a list, with the move that was played.
fn listed(game: &ExplorerGame) -> Value {
    let mut object = json!({ "uci": game.uci });
    if let (Value::Object(object), Value::Object(game)) = (&mut object, of_game(&game.game)) {
        object.extend(game);
    }
    object
}

/// A game as the Lichess explorer writes it. Its id is the number of the game in the archive.
fn of_game(game: &GameSummary) -> Value {
    let winner = match game.result.as_str() {
        "1-0" => Some("white"),
        "0-1" => Some("black"),
        _ => None,
    };
    let (year, month) = year_and_month(game.date.as_deref().unwrap_or_default());
    json!({
        "id": game.id,
        "winner": winner,
        "white": { "name": game.white, "rating": game.white_elo },
        "black": { "name": game.black, "rating": game.black_elo },
        "year": year,
        "month": month,
    })
}

/// Of the tag Date: 1924, and 1924-03 if the month is known.
fn year_and_month(date: &str) -> (Option<u16>, Option<String>) {
    let mut parts = date.split('.');
    let mut number = |digits: usize| {
        let part = parts.next().filter(|part| part.len() == digits)?;
        let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse::<u16>().ok().filter(|_| is_number)
    };
    let Some(year) = number(4) else { return (None, None) };
    let month = number(2).filter(|month| (1..=12).contains(month));
    (Some(year), month.map(|month| format!("{year:04}-{month:02}")))
}

#[cfg(test)]
mod tests {
    use super::year_and_month;

    #[test]
    fn dates_may_be_incomplete() {
        for (date, year, month) in [
            ("1924.03.23", Some(1924), Some("1924-03")),
            ("1924.03.??", Some(1924), Some("1924-03")),
            ("1924.??.??", Some(1924), None),
            ("0900.1.1", Some(900), None),
            ("1924.13.01", Some(1924), None),
            ("????.??.??", None, None),
            ("+924.01.01", None, None),
            ("", None, None),
        ] {
            assert_eq!(year_and_month(date), (year, month.map(str::to_owned)), "{date}");
        }
    }
}
