//! `halfmove stats`: games by decade, opening and rating.

mod scores;

use super::search;
use crate::archive::{self, Selection, Spellings};
use crate::args::{Format, Stats};
use crate::listing::{Column, Listing};
use crate::output::{self, Answer, Rows, counted, grouped};
use crate::table::{self, Page};
use crate::{Done, quote, score};
use halfmove_archive::{
    Archive, Filter, GameSummary, RATING_BAND, Results, SearchOptions, Sort, SortBy,
    Stats as Counts,
};
use serde_json::json;
use std::path::Path;
use std::time::Instant;

pub(crate) fn run(args: Stats) -> anyhow::Result<Done> {
    let clock = Instant::now();
    if let Some(by) = args.by {
        scores::check(by, &args)?;
    }
    let conditions = Selection::new(args.filter, &args.position)?;
    let archive = archive::open(&args.archive)?;
    let filter = conditions.on(&archive)?;
    let names = Spellings::noted(&archive, &filter)?;
    note_copies(&archive, &filter, &args.archive)?;
    if let Some(by) = args.by {
        let scores = archive.scores(&filter, by.into())?;
        if scores.is_empty() {
            archive::note_near_names(&archive, &filter)?;
        }
        let games = scores.iter().map(|group| group.results.games()).sum();
        archive::note_more_spellings(&archive, &filter, games)?;
        let least = args.min_games.unwrap_or(0);
        let page = scores::Page { by, sort: args.sort, least, limit: args.limit, clock };
        return scores::print(scores, &filter, &names, page, args.output.format);
    }
    let stats = archive.stats(&filter)?;
    let extreme = |is_descending| -> anyhow::Result<Vec<GameSummary>> {
        let mut options = SearchOptions::first(EXTREMES);
        options.sort = Sort { by: SortBy::Plies, is_descending };
        Ok(archive.search_with(&filter, &options)?.games)
    };
    let (longest, shortest) = (extreme(true)?, extreme(false)?);
    let total = stats.results.games();
    if total == 0 {
        archive::note_near_names(&archive, &filter)?;
    }
    archive::note_more_spellings(&archive, &filter, total)?;
    let groups = groups(&stats);
    let listing = Listing::new(&[COLUMNS]);
    let closing = text(&stats, &groups, &longest, &shortest, &filter);
    let rows = match args.output.format {
        Format::Table => Rows::default(),
        format => listing.rows(format, &groups),
    };
    let answer = Answer { rows: &rows, closing: &closing, list: Some("groups") };
    output::print(args.output.format, &answer, || {
        let Results { white, draws, black, other, .. } = stats.results;
        let mut answer = json!({
            "games": total,
            "plies": stats.plies,
            "white": white,
            "draws": draws,
            "black": black,
            "other": other,
        });
        score::add(&mut answer, stats.score);
        names.add(&mut answer);
        answer["groups"] = listing.objects(&groups).into();
        answer["longest"] = longest.iter().map(search::whole).collect();
        answer["shortest"] = shortest.iter().map(search::whole).collect();
        answer
    })?;
    Ok(if total > 0 { Done::Found } else { Done::Nothing })
}

/// Prints a note on the games of a player that are in the archive more than once.
fn note_copies(archive: &Archive, filter: &Filter, path: &Path) -> anyhow::Result<()> {
    if filter.player.is_none() {
        return Ok(());
    }
    let copies = archive.duplicates_among(filter)?.copies();
    let again = match copies {
        0 => return Ok(()),
        1 => "1 game of these is a copy of another one, and counts again".to_owned(),
        _ => format!("{} of these are copies of others, and count again", counted(copies, "game")),
    };
    output::note(format_args!("{again} (halfmove duplicates {})", quote::path(path)));
    Ok(())
}

/// The number of longest and of shortest games to list.
const EXTREMES: usize = 3;

/// A group of games.
struct Group {
    by: &'static str,
    /// `None` if it is unknown.
    value: Option<String>,
    results: Results,
}

const COLUMNS: &[Column<Group>] = &[
    Column::<Group>::field("by", |group| group.by.into()),
    Column::<Group>::field("value", |group| group.value.clone().into()),
    Column::<Group>::field("games", |group| group.results.games().into()),
    Column::<Group>::field("white", |group| group.results.white.into()),
    Column::<Group>::field("draws", |group| group.results.draws.into()),
    Column::<Group>::field("black", |group| group.results.black.into()),
    Column::<Group>::field("other", |group| group.results.other.into()),
];

/// All groups of each kind, the unknown value last.
fn groups(stats: &Counts) -> Vec<Group> {
    let mut groups = Vec::new();
    let mut add = |by, mut of_kind: Vec<(Option<String>, Results)>| {
        of_kind.sort_by_key(|(value, _)| value.is_none());
        groups.extend(of_kind.into_iter().map(|(value, results)| Group { by, value, results }));
    };
    let decade = |decade: i32| format!("{decade}s");
    let band = |from: i32| format!("{from}-{}", from + RATING_BAND - 1);
    let of_decades = stats.decades.iter();
    add("decade", of_decades.map(|(from, results)| (from.map(decade), *results)).collect());
    let of_letters = stats.eco.iter();
    add("eco", of_letters.map(|(eco, results)| (eco.map(String::from), *results)).collect());
    let of_bands = stats.ratings.iter();
    add("rating", of_bands.map(|(from, results)| (from.map(band), *results)).collect());
    groups
}

/// The name of the group of games with an unknown value.
const UNKNOWN: &str = "unknown";

/// The width of the longest bar in characters.
const BAR: usize = 30;

/// A bar in eighths of a character. A part above zero is always visible.
fn bar(part: u64, most: u64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (BAR as f64 * 8.0 * part as f64 / most.max(1) as f64).round() as usize;
    let eighths = if part > 0 { eighths.max(1) } else { 0 };
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

/// The text output.
fn text(
    stats: &Counts,
    groups: &[Group],
    longest: &[GameSummary],
    shortest: &[GameSummary],
    filter: &Filter,
) -> String {
    let results = stats.results;
    let total = results.games();
    let mut text = counted(total, "game");
    if total == 0 {
        return text;
    }
    text += &format!(
        " with {}, {:.1} on average",
        counted(stats.plies, "half-move"),
        stats.plies as f64 / total as f64
    );
    if let (Some(score), Some(player)) = (stats.score, &filter.player) {
        text += &format!("\n{player}: {}", score::line(&score));
    }
    let ends = [
        ("White won", results.white),
        ("drawn", results.draws),
        ("Black won", results.black),
        ("other", results.other),
    ];
    let ends = ends.iter().filter(|(_, games)| *games > 0);
    text +=
        &section("result", ends.map(|(name, games)| ((*name).to_owned(), *games)).collect(), total);
    for by in ["decade", "eco", "rating"] {
        let lines: Vec<(String, u64)> = groups
            .iter()
            .filter(|group| group.by == by)
            .map(|group| {
                let value = group.value.clone().unwrap_or_else(|| UNKNOWN.to_owned());
                (value, group.results.games())
            })
            .collect();
        // A section without known values is left out.
        if groups.iter().any(|group| group.by == by && group.value.is_some()) {
            text += &section(by, lines, total);
        }
    }
    for (title, games) in [("longest", longest), ("shortest", shortest)] {
        let rows: Vec<Vec<String>> = games
            .iter()
            .map(|game| {
                let text = |text: &Option<String>| text.clone().unwrap_or_default();
                vec![
                    game.plies.to_string(),
                    game.id.to_string(),
                    text(&game.white),
                    text(&game.black),
                    text(&game.date),
                    game.result.clone(),
                ]
            })
            .collect();
        let heading = ["plies", "id", "white", "black", "date", "result"];
        let table = table::draw(&heading, &rows, |column| column < 2, Page::stdout());
        text += &format!("\n\n{title}:\n{}", table.trim_end());
    }
    text
}

/// Lines with numbers and bars.
fn section(title: &str, lines: Vec<(String, u64)>, total: u64) -> String {
    // A bar of the unknown games would dwarf the rest.
    let known = lines.iter().filter(|(name, _)| name != UNKNOWN);
    let most = known.map(|(_, games)| *games).max().unwrap_or(0);
    let row = |(name, games): (String, u64)| {
        let share = format!("{:.1} %", 100.0 * games as f64 / total.max(1) as f64);
        let bar = if name == UNKNOWN { String::new() } else { bar(games, most) };
        vec![name, grouped(games), share, bar]
    };
    let rows: Vec<Vec<String>> = lines.into_iter().map(row).collect();
    let table = table::draw(
        &[title, "games", "share", ""],
        &rows,
        |column| matches!(column, 1 | 2),
        Page::stdout(),
    );
    format!("\n\n{}", table.trim_end())
}

#[cfg(test)]
mod tests {
    use super::{BAR, bar};

    #[test]
    fn bars() {
        assert_eq!(bar(10, 10), "█".repeat(BAR));
        assert_eq!(bar(5, 10), "█".repeat(BAR / 2));
        assert_eq!([bar(0, 10), bar(1, 1_000_000)], ["", "▏"]);
        assert_eq!(bar(1, 60), "▌");
        assert_eq!(bar(0, 0), "");
    }
}
