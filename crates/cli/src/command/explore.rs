//! `halfmove explore`: the moves played in a position, and their results.

mod json;
mod lines;
mod listing;
mod repertoire;

use self::lines::Line;
use super::export;
use crate::archive::{self, Selection, Spellings};
use crate::args::{Explore, Format, GamesFormat, Least, Position, Variant};
use crate::output::{self, Answer, counted};
use crate::table::Page;
use crate::{Done, movetext};
use anyhow::bail;
use halfmove_archive::{Archive, ExploreOptions, Filter, NewMove, Novelty, opening_roots};
use halfmove_game::openings::Opening;
use serde_json::json;
use std::time::Instant;

pub(crate) fn run(mut args: Explore) -> anyhow::Result<Done> {
    let clock = Instant::now();
    let format = args.to.format(args.format)?.unwrap_or(GamesFormat::Listed(Format::Table));
    args.to.check(&args.archive)?;
    if args.filter.conditions.text("in_variations").is_some() {
        bail!("--in-variations cannot be used with explore, which counts the moves of main lines");
    }
    let roots = roots(&args);
    if let [root] = roots[..] {
        args.position.moves = Some(root.moves().to_owned());
    }
    let conditions = Selection::new(args.filter, &args.position)?;
    // Each position of a deeper tree is searched separately.
    let archive = match args.depth {
        1 => archive::open_for_one_search(&args.archive)?,
        _ => archive::open(&args.archive)?,
    };
    let mut filter = conditions.on(&archive)?;
    let position = match filter.position.take() {
        Some(position) => position,
        None => args.position.start()?,
    };
    let opening = args.position.opening()?;
    let mut options = ExploreOptions::default();
    (options.details, options.games) = (true, args.games);
    options.depth = args.depth.into();
    match args.min_games {
        Some(Least::Games(games)) => options.min_games = games,
        Some(Least::Share(share)) => options.min_share = share,
        None if args.depth > 1 => options.min_share = 0.01,
        None => {}
    }
    let in_position = Filter { position: Some(position.clone()), ..filter.clone() };
    let names = Spellings::noted(&archive, &in_position)?;
    let explorer = archive.explore_with(&filter, position, &options)?;
    let total = explorer.results.games();
    if total == 0 {
        archive::note_near_names(&archive, &filter)?;
        let Position { fen, variant, .. } = &args.position;
        if fen.is_none() && variant.is_none() {
            archive::hint_at_variants(&archive)?;
        }
    }
    archive::note_more_spellings(&archive, &in_position, total)?;

    let format = match format {
        GamesFormat::Listed(format) => format,
        GamesFormat::Pgn if total == 0 => return Ok(export::none(&args.to)),
        GamesFormat::Pgn => {
            let game = repertoire::game(&args.position, &explorer)?;
            return export::one(&game, &args.to);
        }
    };
    let seen = match &args.position.moves {
        Some(moves) if total == 0 => lost(&archive, &filter, &args.position, moves)?,
        _ => None,
    };
    let is_deep = args.depth > 1;
    let mut closing = String::new();
    let rows = match format {
        Format::Csv | Format::Tsv => {
            lines::listing(explorer.score.is_some(), is_deep).rows(format, &lines::of(&explorer))
        }
        _ => {
            let page = Page::of(&args.to);
            let is_usual = args.position.fen.is_none();
            let begin = listing::begin(&roots, opening)
                + listing::starts(args.position.variant.filter(|_| is_usual));
            closing = match total {
                0 if filter.is_empty() => format!("{begin}no game reaches this position"),
                0 => format!("{begin}no game reaches this position and meets the conditions"),
                _ => begin + &listing::closing(&explorer, clock.elapsed(), page),
            };
            if let Some(seen) = &seen {
                closing += &format!("\n{}", seen.text());
            }
            let mut lines = lines::of(&explorer);
            lines.extend((total > 0).then(|| Line::whole(&explorer)));
            lines::listing(false, false).rows(Format::Table, &lines)
        }
    };
    let answer = Answer { rows: &rows, closing: &closing, list: Some("moves") };
    output::deliver(&args.to, format, &answer, || {
        let mut answer = json::answer(&explorer, opening, is_deep);
        if let Some(Lost { mv, san, .. }) = &seen {
            answer["lastSeen"] = json!({ "ply": mv.ply - 1, "games": mv.games, "new": san });
        }
        names.add(&mut answer);
        answer
    })?;
    if let Some(path) = args.to.file() {
        output::written(listing::count(&explorer.moves), "move", path);
    }
    Ok(if total > 0 { Done::Found } else { Done::Nothing })
}

/// The place where a line leaves the games of an archive.
struct Lost {
    mv: NewMove,
    /// The SAN of the new half-move.
    san: String,
    /// This half-move and the one before, with their numbers.
    new: String,
    last: Option<String>,
}

impl Lost {
    fn text(&self) -> String {
        let (games, Self { new, last, .. }) = (counted(self.mv.games, "game"), self);
        let reach = if self.mv.games == 1 { "reaches" } else { "reach" };
        let last = last.as_ref().map_or_else(String::new, |last| format!(", after {last}"));
        format!(
            "no such game reaches the position after {new}; {games} {reach} the one before it{last}"
        )
    }
}

/// The first half-move of a line that is new; `None` if games have not even its start.
fn lost(
    archive: &Archive,
    filter: &Filter,
    position: &Position,
    moves: &str,
) -> anyhow::Result<Option<Lost>> {
    let start = position.start()?;
    let (mut here, mut line, mut named) = (start.clone(), Vec::new(), Vec::new());
    for word in movetext::words(moves)? {
        let mv = movetext::find(&here, &word)?;
        named.push((here.san(mv).to_string(), movetext::numbered(&here, mv)));
        line.push(mv);
        here.play_unchecked(mv);
    }
    let Novelty::New(mv) = archive.novelty_among(filter, &start, &line)? else { return Ok(None) };
    let last = mv.ply.checked_sub(2).map(|last| named[last].1.clone());
    let (san, new) = named.swap_remove(mv.ply - 1);
    Ok(Some(Lost { mv, san, new, last }))
}

/// The openings that `--opening` names, if no position is given. If it names one, the tree begins at that opening, since the
/// moves before it are known. The filter reports errors in the name.
fn roots(args: &Explore) -> Vec<&'static Opening> {
    let Position { fen, moves, variant, .. } = &args.position;
    let is_chess = matches!(variant, None | Some(Variant::Chess));
    match args.filter.conditions.text("opening") {
        Some(name) if is_chess && fen.is_none() && moves.is_none() => {
            opening_roots(name).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}
