//! The explorer's answer for people.

use crate::args::Variant;
use crate::output::counted;
use crate::score;
use crate::table::{self, Page};
use halfmove_archive::{Details, Explorer, ExplorerGame, ExplorerMove, Results, Score};
use halfmove_game::openings::Opening;
use std::time::Duration;

pub(super) struct Table {
    pub(super) heading: Vec<&'static str>,
    pub(super) rows: Vec<Vec<String>>,
}

/// A column: its heading, what it says of a line, and whether it is there only if it says something.
type Column = (&'static str, fn(&Line<'_>) -> String, bool);

const COLUMNS: [Column; 11] = [
    ("move", |line| line.name.clone(), false),
    ("games", |line| line.results.games().to_string(), false),
    ("share", |line| percent(line.results.games(), line.all), false),
    ("white", |line| percent(line.results.white, line.results.games()), false),
    ("draws", |line| percent(line.results.draws, line.results.games()), false),
    ("black", |line| percent(line.results.black, line.results.games()), false),
    ("other", |line| percent(line.results.other, line.results.games()), false),
    ("rating", |line| text(line.details.and_then(|details| details.average_rating)), true),
    ("performance", |line| text(line.details.and_then(|details| details.performance)), true),
    ("last", |line| text(line.details.and_then(|details| details.last_played)), true),
    ("score", |line| line.score.map_or_else(String::new, |score| score::percent(&score)), true),
];

/// A line of the table.
struct Line<'a> {
    name: String,
    results: Results,
    /// All games with the position.
    all: u64,
    details: Option<&'a Details>,
    score: Option<Score>,
}

/// The moves, those of a deeper tree indented, and a line with all games.
pub(super) fn of(explorer: &Explorer) -> Table {
    let all = explorer.results.games();
    let mut lines = Vec::new();
    add(&explorer.moves, 0, all, &mut lines);
    if all > 0 {
        lines.push(Line {
            name: "total".to_owned(),
            results: explorer.results,
            all,
            details: explorer.details.as_ref(),
            score: explorer.score,
        });
    }
    let is_there =
        |column: &&Column| !column.2 || lines.iter().any(|line| !column.1(line).is_empty());
    let columns: Vec<&Column> = COLUMNS.iter().filter(is_there).collect();
    let row = |line: &Line<'_>| columns.iter().map(|column| column.1(line)).collect();
    let rows = lines.iter().map(row).collect();
    Table { heading: columns.iter().map(|column| column.0).collect(), rows }
}

fn add<'a>(moves: &'a [ExplorerMove], depth: usize, all: u64, lines: &mut Vec<Line<'a>>) {
    for mv in moves {
        lines.push(Line {
            name: "  ".repeat(depth) + &mv.san,
            results: mv.results,
            all,
            details: mv.details.as_ref(),
            score: mv.score,
        });
        add(&mv.next, depth + 1, all, lines);
    }
}

/// How many moves a tree has.
pub(super) fn count(moves: &[ExplorerMove]) -> u64 {
    moves.iter().map(|mv| 1 + count(&mv.next)).sum()
}

/// Whether more games have come from a move than have played it: by other moves, to the position after it.
fn has_transpositions(moves: &[ExplorerMove]) -> bool {
    moves.iter().any(|mv| {
        let after: u64 = mv.next.iter().map(|next| next.results.games()).sum();
        after > mv.results.games() || has_transpositions(&mv.next)
    })
}

/// What is said of a variant whose games begin in many positions, if the tree begins in the usual one.
pub(super) fn starts(variant: Option<Variant>) -> &'static str {
    match variant {
        Some(Variant::Chess960) => {
            "from the usual start; most games of Chess960 begin elsewhere: --fen (the column start_fen has them)\n"
        }
        _ => "",
    }
}

/// How many openings are named.
const NAMED: usize = 3;

/// Where the tree begins, if there is something to say of that: the opening of the position, and what `--opening` had to do
/// with it.
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

/// What stands below the table.
pub(super) fn closing(explorer: &Explorer, elapsed: Duration, page: Page) -> String {
    let all = explorer.results;
    let total = all.games();
    let mut closing = match has_transpositions(&explorer.moves) {
        true => "games are counted by position, whatever moves led to it\n".to_owned(),
        false => String::new(),
    };
    closing += &format!(
        "{}: White won {}, drawn {}, Black won {}",
        counted(total, "game"),
        percent(all.white, total),
        percent(all.draws, total),
        percent(all.black, total),
    );
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

fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}
