//! Archives named on the command line.

use crate::args::{self, Ending, Ids, Years, condition_of_ids};
use crate::command::import::files::{Files, is_pgn};
use crate::output::{self, Advised, counted};
use crate::{movetext, quote};
use anyhow::{Context, anyhow, bail};
use futures::TryStreamExt;
use halfmove_archive::{
    Archive, ArchiveError, ArchiveOptions, Filter, FilterError, NearName, PlayerResult, Question,
    StoreOptions, is_url,
};
use halfmove_rules::Color;
use std::collections::HashSet;
use std::env;
use std::future::Future;
use std::path::Path;
use tokio::runtime::{Builder, Runtime};

/// Opens an archive for reading.
pub(crate) fn open(path: &Path) -> anyhow::Result<Archive> {
    open_with(path, &ArchiveOptions::default())
}

/// Opens an archive for reading, with limits for what questions may use.
pub(crate) fn open_with(path: &Path, options: &ArchiveOptions) -> anyhow::Result<Archive> {
    let mut options = options.clone();
    options.store = StoreOptions::from_variables(env::vars_os());
    Archive::open_with(path, &options).map_err(|error| match error {
        ArchiveError::NotAnArchive { .. } => {
            let hint = instead(path);
            let error = anyhow::Error::new(error);
            match hint {
                Some(hint) => Advised::new(error, hint).into(),
                None => error,
            }
        }
        error => error.into(),
    })
}

/// What to do where there is no archive.
fn instead(path: &Path) -> Option<String> {
    let name = quote::path(path);
    if let Some(option) = path.to_str().and_then(movetext::option_for) {
        return Some(format!("the archive comes first, then {option} {name}"));
    }
    if path.to_str().is_some_and(|text| text.to_lowercase().starts_with("select ")) {
        return Some("the archive comes first, then the query".to_owned());
    }
    if is_vacant(path) {
        return Some(format!("to make an archive: halfmove import {name} FILE…"));
    }
    let holds_games = match path.is_dir() {
        true => Files::find(&[path.to_owned()]).is_ok(),
        false => is_pgn(path),
    };
    holds_games
        .then(|| format!("to make an archive of these games: halfmove import ARCHIVE {name}"))
}

/// The name of the threads on which the archive answers.
pub(crate) const THREADS: &str = "halfmove-query";

/// Whether an import can make an archive here: there is no folder, or an empty one.
fn is_vacant(path: &Path) -> bool {
    if is_url(path) {
        return false;
    }
    match std::fs::read_dir(path) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

/// Waits for an answer of the archive, using as many threads as the machine has.
pub(crate) fn wait<T, E>(answer: impl Future<Output = Result<T, E>>) -> anyhow::Result<T>
where
    anyhow::Error: From<E>,
{
    Ok(runtime()?.block_on(answer)?)
}

/// The threads on which the archive answers.
pub(crate) fn runtime() -> anyhow::Result<Runtime> {
    let runtime = Builder::new_multi_thread().enable_all().thread_name(THREADS).build();
    runtime.context("cannot start threads")
}

/// Converts the filter from the command line.
pub(crate) fn filter(typed: args::Filter, wanted: &args::Position) -> anyhow::Result<Filter> {
    let args::Filter {
        player,
        opponent,
        side,
        white,
        black,
        event,
        site,
        eco,
        opening,
        result,
        since,
        until,
        year,
        min_elo,
        max_elo,
        min_plies,
        max_plies,
        condition,
        questions,
    } = typed;
    let (since, until) = match year {
        Some(Years(first, last)) => (Some(first), Some(last)),
        None => (since, until),
    };
    if let (Some(since), Some(until)) = (since, until)
        && until.is_before(since)
    {
        bail!("--until {until} is before --since {since}: no game can be both");
    }
    if let (Some(least), Some(most)) = (min_elo, max_elo)
        && most < least
    {
        bail!("--max-elo {most} is below --min-elo {least}: no rating can be both");
    }
    if let (Some(least), Some(most)) = (min_plies, max_plies)
        && most < least
    {
        bail!("--max-plies {most} is below --min-plies {least}: no game can be both");
    }
    let (result, player_result) = match result {
        Some(Ending::Result(result)) => (Some(result), None),
        Some(Ending::Player(result)) => (None, Some(result)),
        None => (None, None),
    };
    let (mut position, in_variations) = (wanted.wanted()?, questions.in_variations);
    let mut questions = questions.asked()?;
    if in_variations {
        let Some(position) = position.take() else {
            bail!("--in-variations needs a position: --fen or --moves");
        };
        questions.insert(0, Question::Anywhere(position));
    }
    let filter = Filter {
        position,
        questions,
        variant: wanted.variant.map(Into::into),
        player,
        opponent,
        color: side.map(Into::into),
        player_result,
        white,
        black,
        event,
        site,
        eco,
        opening,
        result,
        since,
        until,
        min_elo,
        max_elo,
        min_plies,
        max_plies,
        condition,
    };
    filter.check().map_err(|error| explain(&error, player_result))?;
    Ok(filter)
}

/// Says what is wrong with a filter by the names of the flags.
fn explain(error: &FilterError, result: Option<PlayerResult>) -> anyhow::Error {
    match error {
        FilterError::NoPlayer { field } => {
            let (flag, hint) = match (*field, result) {
                ("opponent", _) => ("--opponent", "for games of either color: --player NAME"),
                ("color", _) => {
                    ("--as", "--white NAME or --black NAME say color and player at once")
                }
                (_, Some(PlayerResult::Loss)) => ("--result loss", "if Black won: --result 0-1"),
                (_, Some(PlayerResult::Draw)) => ("--result draw", "any draw: --result 1/2-1/2"),
                _ => ("--result win", "if White won: --result 1-0"),
            };
            Advised::new(anyhow!("{flag} is about the player, so it needs --player"), hint).into()
        }
        FilterError::NoWord { field, text } => {
            let error = no_word(&format!("--{field}"), text);
            if *field == "comment" {
                let hint = "comments with signs are found in SQL: --where \"comments(annotations) like '%?%'\"";
                return Advised::new(error, hint.to_owned()).into();
            }
            if *field == "opening" {
                return error;
            }
            let column = if matches!(*field, "event" | "site") { field } else { "white" };
            let hint =
                format!("names that are only signs are found in SQL: --where \"{column} = '?'\"");
            Advised::new(error, hint).into()
        }
        other => anyhow!("{other}"),
    }
}

/// Says that there is nothing to look for in a text.
pub(crate) fn no_word(what: &str, text: &str) -> anyhow::Error {
    anyhow!("{what} \"{text}\" has no word in it: expected a letter or a digit")
}

/// How to take back a change, if that is possible: for the end of a line.
pub(crate) fn undo_hint(changed: &Archive, path: &Path, version: u64) -> String {
    let (name, before) = (quote::path(path), version.saturating_sub(1));
    match changed.undo_plan(Some(before)) {
        Ok(_) => format!(" (to undo this: halfmove undo {name} --to {before})"),
        Err(_) => String::new(),
    }
}

/// No game meets a filter. If nobody has a name that was looked for, tells which names come near it; if the player has games, but
/// only with the other color, tells that.
pub(crate) async fn tell_near_names(
    archive: &Archive,
    filter: &Filter,
) -> Result<(), ArchiveError> {
    let typed = [&filter.player, &filter.opponent, &filter.white, &filter.black];
    for typed in typed.into_iter().flatten() {
        tell_near(archive, typed).await?;
    }
    let (Some(player), Some(color)) = (&filter.player, filter.color) else { return Ok(()) };
    let of =
        |color| Filter { player: Some(player.clone()), color: Some(color), ..Filter::default() };
    let (asked, other) = (of(color), of(!color));
    if archive.count(&asked).await? == 0 {
        let games = archive.count(&other).await?;
        let side = if color == Color::White { "Black" } else { "White" };
        if games > 0 {
            output::note(format_args!("\"{player}\" has {}, with {side}", counted(games, "game")));
        }
    }
    Ok(())
}

/// Some games are those of a player. If there are more of those who may be the same, because many files write initials, tells how to
/// find them, too.
pub(crate) async fn tell_more_spellings(
    archive: &Archive,
    filter: &Filter,
    games: u64,
) -> Result<(), ArchiveError> {
    let Some(short) = filter.player.as_deref().and_then(with_initial) else { return Ok(()) };
    let player = Some(short.clone());
    let all = archive.count(&Filter { player, ..filter.clone() }).await?;
    if games > 0 && all > games {
        let more = output::grouped(all - games);
        output::note(format_args!(
            "{more} more may be of this player: --player \"{short}\" finds these, too"
        ));
    }
    Ok(())
}

/// A name with an initial in place of the given names: `Tal, M` of `Mikhail Tal` and of `Tal, Mikhail`. `None` if none is written out.
fn with_initial(name: &str) -> Option<String> {
    let (surname, given) = match name.split_once(',') {
        Some((surname, given)) => (surname.trim(), given.trim()),
        None => {
            let (given, surname) = name.trim().rsplit_once(' ')?;
            (surname, given.trim())
        }
    };
    let first = given.split([' ', '.', '-']).next()?;
    let mut letters = first.chars();
    let initial = letters.next()?;
    let is_written_out = initial.is_alphabetic() && letters.next().is_some();
    let is_surname = surname.chars().nth(1).is_some();
    (is_written_out && is_surname).then(|| format!("{surname}, {initial}"))
}

/// The ids of the games with some ids, which rise.
pub(crate) async fn ids_of(archive: &Archive, wanted: &[Ids]) -> Result<Vec<i64>, ArchiveError> {
    let Some(condition) = condition_of_ids(wanted) else { return Ok(Vec::new()) };
    let query = format!("select id from games where {condition} order by id");
    let (mut answer, mut ids) = (archive.sql(&query).await?, Vec::new());
    while let Some(batch) = answer.try_next().await? {
        let cells = batch.cells()?.into_iter().flatten().flatten();
        ids.extend(cells.filter_map(|id| id.parse::<i64>().ok()));
    }
    Ok(ids)
}

/// How many ids that no game has are told.
const MOST_UNKNOWN: usize = 5;

/// Tells which of some ids no game has. Of a range, what there is of it is meant.
pub(crate) async fn tell_unknown_ids(
    archive: &Archive,
    wanted: &[Ids],
) -> Result<(), ArchiveError> {
    let single: Vec<Ids> = wanted.iter().copied().filter(|ids| ids.single().is_some()).collect();
    let known: HashSet<i64> = ids_of(archive, &single).await?.into_iter().collect();
    let mut told = HashSet::new();
    let unknown = single.iter().filter_map(|ids| ids.single());
    let unknown: Vec<String> = unknown
        .filter(|id| !known.contains(id) && told.insert(*id))
        .map(|id| id.to_string())
        .collect();
    let some = unknown[..unknown.len().min(MOST_UNKNOWN)].join(", ");
    match unknown.len() {
        0 => {}
        1 => output::note(format_args!("no game has the id {some}")),
        2..=MOST_UNKNOWN => output::note(format_args!("no games have the ids {some}")),
        all => output::note(format_args!(
            "no games have the ids {some} and {} more",
            output::grouped((all - MOST_UNKNOWN) as u64)
        )),
    }
    Ok(())
}

/// If nobody has a name, tells which names come near it.
pub(crate) async fn tell_near(archive: &Archive, typed: &str) -> Result<(), ArchiveError> {
    let names = archive.names_near(typed, 3).await?;
    if !names.first().is_some_and(|name| name.is_match) {
        tell(&format!("no player is called \"{typed}\""), &names);
    }
    Ok(())
}

/// Nobody has exactly this name: tells which names come near it.
pub(crate) async fn tell_exact(archive: &Archive, typed: &str) -> Result<(), ArchiveError> {
    let names = archive.names_near(typed, 3).await?;
    tell(&format!("no player is called exactly \"{typed}\""), &names);
    Ok(())
}

fn tell(what: &str, names: &[NearName]) {
    let mut text = what.to_owned();
    for (index, name) in names.iter().enumerate() {
        let games = counted(name.games, "game");
        let before = if index == 0 { "; did you mean " } else { " or " };
        text += &format!("{before}\"{}\" ({games})", name.name);
    }
    text += if names.is_empty() { "" } else { "?" };
    output::note(text);
}
