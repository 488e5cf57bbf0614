//! The explorer's JSON. The names of its fields are those of the Lichess explorer, and stable.

use super::lines::Line;
use halfmove_archive::{Explorer, ExplorerGame, ExplorerMove, GameSummary};
use halfmove_game::Date;
use halfmove_game::openings::Opening;
use serde_json::{Value, json};

/// The complete output.
pub(super) fn answer(
    explorer: &Explorer,
    opening: Option<&'static Opening>,
    is_deep: bool,
) -> Value {
    let mut answer = Line::whole(explorer).object();
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
        let mut object = Line::of(mv, &[], 0).object();
        let game = mv.details.as_ref().and_then(|details| details.game.as_ref());
        object["game"] = game.map(of_game).into();
        if is_deep {
            object["reached"] = mv.reached.into();
            object["elsewhere"] = mv.is_elsewhere.into();
            object["moves"] = tree(&mv.next, is_deep);
        }
        object
    });
    moves.collect()
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
    let date = game.date.as_deref().and_then(Date::of_tag);
    json!({
        "id": game.id,
        "winner": winner,
        "white": { "name": game.white, "rating": game.white_elo },
        "black": { "name": game.black, "rating": game.black_elo },
        "year": date.map(Date::year),
        "month": date.and_then(Date::year_and_month),
    })
}
