//! `halfmove show`: draws games, or steps through them.

mod found;
mod json;
mod sheet;
mod terminal;
mod viewer;

use self::found::Found;
use self::sheet::{Sheet, values};
use self::viewer::{Games, Viewer};
use super::players::ending;
use crate::archive::{self, Selection, Spellings};
use crate::args::{Format, GameFormat, Show};
use crate::listing::Listing;
use crate::novelty::{self, Beside};
use crate::output::{self, Advised, Answer, counted};
use crate::{Done, board, movetext, screen};
use anyhow::{anyhow, bail};
use halfmove_archive::{ArchiveError, Novelty, StoredGame};
use halfmove_game::pgn::Writer;
use halfmove_game::{Game, MoveNumber, Node, openings};
use halfmove_rules::Color;
use serde_json::Value;
use std::fmt::Write as _;
use std::io::Write as _;
use std::time::Instant;

/// The maximum number of boards to draw without a terminal, if conditions find the games.
const MAX: u64 = 20;

pub(crate) fn run(args: Show) -> anyhow::Result<Done> {
    let Show { archive: path, ids, format, flip, novelty, against, ply, mv, position, filter } =
        args;
    let is_marked = novelty || against.is_some();
    if is_marked && format == Some(GameFormat::Pgn) {
        bail!("--novelty and --against need --format table or json");
    }
    let conditions = Selection::new(filter, &position)?;
    let is_plain = conditions.is_empty();
    let is_stepped = format.is_none() && !is_marked && terminal::is_there();
    if is_plain && ids.is_empty() && !is_stepped {
        let error = anyhow!("expected the id of a game, or conditions");
        return Err(Advised::new(error, "search lists ids: halfmove search ARCHIVE").into());
    }
    let archive = archive::open(&path)?;
    let single = match ids[..] {
        [ids] if is_plain => ids.single(),
        _ => None,
    };
    if let Some(id) = single
        && let Err(error @ ArchiveError::NoSuchGame { .. }) = archive.game(id)
    {
        output::report(&error.into());
        return Ok(Done::Nothing);
    }
    archive::note_unknown_ids(&archive, &ids)?;
    let filter = conditions.with_ids(&ids).on(&archive)?;
    Spellings::noted(&archive, &filter)?;
    let mut found = Found::new(&archive, &filter, |stored| place(ply, mv, &stored.game))?;
    if found.count() == 0 {
        archive::note_near_names(&archive, &filter)?;
        output::note("no games found");
        return Ok(Done::Nothing);
    }
    if is_stepped {
        terminal::step(Viewer::new(&mut found, flip)?)?;
        return Ok(Done::Found);
    }
    let is_table = !matches!(format, Some(GameFormat::Pgn | GameFormat::Json));
    let beside = match against {
        Some(path) => Some(Beside::other(&path)?),
        None => novelty.then(|| Beside::own(&archive)),
    };
    if let Some(beside) = beside.as_ref().filter(|_| is_table && single.is_none()) {
        return list_novelties(&found, beside);
    }
    let all = found.count();
    let shown = if is_plain || !is_table { all } else { all.min(MAX) };
    for index in 0..shown {
        let (stored, ply) = found.game(index)?;
        let novelty = beside.as_ref().map(|beside| beside.novelty(&stored.game, Some(stored.id)));
        let novelty = novelty.transpose()?;
        match format {
            None | Some(GameFormat::Table) => {
                let ply = ply.unwrap_or(stored.game.moves.len());
                let space = if index > 0 { "\n" } else { "" };
                output::line(format_args!(
                    "{space}{}",
                    text(&stored, ply, flip, novelty.as_ref())?
                ))?;
            }
            Some(GameFormat::Pgn) => {
                let mut out = screen::stdout();
                out.write_all(pgn(&stored)?.as_bytes())?;
                out.flush()?;
            }
            Some(GameFormat::Json) => {
                let (begin, end) = json::around(single.is_some(), index, shown);
                let sheet = Sheet::of(&stored.game);
                let mut json = json::object(&stored, &sheet);
                if let Some(novelty) = &novelty {
                    json["novelty"] = json::novelty(novelty, &sheet);
                }
                let json = json.to_string();
                output::line(format_args!("{begin}{}{end}", output::ascii_controls(&json)))?;
            }
        }
    }
    if shown < found.count() {
        let (shown, all) = (output::grouped(shown), counted(found.count(), "game"));
        let all_of_them = "on a terminal, show steps through all; search --format pgn writes them";
        output::note(format_args!("the first {shown} of {all} ({all_of_them})"));
    }
    Ok(Done::Found)
}

/// Lists the novelties of several games, one line each.
fn list_novelties(found: &Found, beside: &Beside) -> anyhow::Result<Done> {
    let clock = Instant::now();
    let mut games = Vec::new();
    for index in 0..found.count() {
        let (StoredGame { id, game, .. }, _) = found.game(index)?;
        games.push(novelty::Listed::new(id, &game, &beside.novelty(&game, Some(id))?));
    }
    let listing = Listing::new(&[novelty::COLUMNS]);
    let rows = listing.rows(Format::Table, &games);
    let all = games.len();
    let closing = counted(all as u64, "game") + &ending(clock, all, all);
    let answer = Answer { rows: &rows, closing: &closing, list: None };
    output::print(Format::Table, &answer, || Value::Null)?;
    Ok(Done::Found)
}

/// The half-moves of `--ply` or `--move`.
fn place(ply: Option<usize>, mv: Option<MoveNumber>, game: &Game) -> anyhow::Result<Option<usize>> {
    let first = MoveNumber::of(&game.start);
    let (flag, ply) = match (ply, mv) {
        (None, None) => return Ok(None),
        (Some(ply), _) => (format!("--ply {ply}"), Some(ply)),
        (None, Some(number)) => (format!("--move {number:#}"), number.ply(first)),
    };
    let plies = game.moves.len();
    if let Some(ply) = ply.filter(|ply| *ply <= plies) {
        return Ok(Some(ply));
    }
    let Some(last) = plies.checked_sub(1) else { bail!("{flag}: the game has no moves") };
    let last = first.after(last);
    bail!("{flag}: the game has {plies} half-moves, from move {first:#} to {last:#}")
}

/// The board after some half-moves, and the whole game.
fn text(
    stored: &StoredGame,
    ply: usize,
    flip: bool,
    novelty: Option<&Novelty>,
) -> anyhow::Result<String> {
    let game = &stored.game;
    // This includes the counts of Makruk that were claimed up to there.
    let position = game.position(ply);
    let last = match ply.checked_sub(1).and_then(|last| Some((last, *game.moves.get(last)?))) {
        None => "the start".to_owned(),
        Some((last, mv)) => {
            let before = game.position(last);
            format!("after {}", movetext::numbered(&before, mv))
        }
    };
    let node = game.node(ply);
    let clock = node.and_then(Node::clock);
    let values = values(clock, node.and_then(Node::evaluation));
    let last = [vec![last], values].concat().join(", ");
    let below = if flip { Color::Black } else { Color::White };
    let mut text = board::draw(&position, below);
    let _ = writeln!(text, "\n{last}\n{position}");
    let opening = game.start.as_chess().and_then(|start| openings::of_moves(start, &game.moves));
    if let Some(opening) = opening {
        let _ = writeln!(text, "{opening}");
    }
    if let Some(novelty) = novelty {
        let _ = writeln!(text, "{}", novelty::line(game, novelty));
    }
    text.push('\n');
    text.push_str(pgn(stored)?.trim_end());
    if let Some(fault) = &stored.fault {
        let _ = write!(text, "\n\nThe moves end at a fault: {fault}");
    }
    Ok(text)
}

fn pgn(stored: &StoredGame) -> anyhow::Result<String> {
    let mut writer = Writer::new(Vec::new());
    writer.write(&stored.game)?;
    Ok(String::from_utf8_lossy(&writer.into_inner()).into_owned())
}
