//! The explorer's text output.

use super::lines::outcome;
use crate::args::Variant;
use crate::output::counted;
use crate::score;
use crate::table::{self, Page};
use halfmove_archive::{Explorer, ExplorerGame, ExplorerMove};
use halfmove_game::openings::Opening;
use std::time::Duration;

/// The number of moves of a tree.
pub(super) fn count(moves: &[ExplorerMove]) -> u64 {
    moves.iter().map(|mv| 1 + count(&mv.next)).sum()
}

/// Returns true if more games reach the position after a move than have played the move: they reach it by other moves.
fn has_transpositions(moves: &[ExplorerMove]) -> bool {
    moves.iter().any(|mv| {
        let is_joined = mv.reached.is_some_and(|reached| reached > mv.results.games());
        is_joined || has_transpositions(&mv.next)
    })
}

/// Returns true if a move leads to a position whose replies are elsewhere in the tree.
fn has_elsewhere(moves: &[ExplorerMove]) -> bool {
    moves.iter().any(|mv| mv.is_elsewhere || has_elsewhere(&mv.next))
}

/// A note on a variant whose games begin in many positions, if the tree begins in the standard one.
pub(super) fn starts(variant: Option<Variant>) -> &'static str {
    match variant {
        Some(Variant::Chess960) => {
            "from the standard starting position; most games of Chess960 begin elsewhere: --fen (the column start_fen has them)\n"
        }
        _ => "",
    }
}

/// The maximum number of openings to name.
const NAMED: usize = 3;

/// The lines on the start of the tree: the opening of the position, and the effect of `--opening`.
pub(super) fn begin(roots: &[&Opening], opening: Option<&'static Opening>) -> String {
    let mut begin = opening.map_or_else(String::new, |opening| format!("{opening}\n"));
    match roots {
        [] => {}
        [root] => {
            let moves = root.moves();
            begin += &format!("after {moves} (the tree from the start: --moves \"\")\n");
        }
        several => {
            let names =
                several.iter().take(NAMED).map(|root| format!("--opening \"{}\"", root.name()));
            let names = names.collect::<Vec<_>>().join(" or ");
            begin += &format!(
                "from the start, since several openings have this name; to begin at one: {names}\n"
            );
        }
    }
    begin
}

/// The lines below the table.
pub(super) fn closing(explorer: &Explorer, elapsed: Duration, page: Page) -> String {
    let all = explorer.results;
    let total = all.games();
    let mut closing = match has_transpositions(&explorer.moves) {
        true => {
            "reached: games with the position after the move, by any order of moves; the replies are counted in these\n"
                .to_owned()
        }
        false => String::new(),
    };
    if has_elsewhere(&explorer.moves) {
        closing += "→: the position is elsewhere in the tree, with its replies\n";
    }
    closing += &format!("{}: {}", counted(total, "game"), outcome(all));
    if let Some(score) = explorer.score {
        closing += &format!("; the player {}", score::line(&score));
    }
    closing += &format!("; in {} ms", elapsed.as_millis());
    for (title, games) in
        [("highest rated", &explorer.top_games), ("newest", &explorer.recent_games)]
    {
        if !games.is_empty() {
            closing += &format!("\n\n{title}:\n{}", list(games, page).trim_end());
        }
    }
    closing
}

/// A list of games.
fn list(games: &[ExplorerGame], page: Page) -> String {
    let rows: Vec<Vec<String>> = games
        .iter()
        .map(|listed| {
            let game = &listed.game;
            vec![
                game.id.to_string(),
                game.white.clone().unwrap_or_default(),
                text(game.white_elo),
                game.black.clone().unwrap_or_default(),
                text(game.black_elo),
                game.result.clone(),
                game.date.clone().unwrap_or_default(),
                listed.san.clone().unwrap_or_default(),
            ]
        })
        .collect();
    let heading = ["id", "white", "rating", "black", "rating", "result", "date", "move"];
    table::draw(&heading, &rows, |column| matches!(column, 0 | 2 | 4), page)
}

fn text(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}
