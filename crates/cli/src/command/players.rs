//! `halfmove players`: the players of an archive and their names.

mod list;

use crate::args::{Format, Merge, PlayerSort, Players, PlayersVerb};
use crate::listing::{Column, Listing};
use crate::output::{self, Advised, Answer, counted, grouped};
use crate::score::{self, Scored as _};
use crate::visible::visible;
use crate::watch::{Watch, explain};
use crate::{Done, archive, quote};
use anyhow::anyhow;
use halfmove_archive::{Archive, PlayerMerge, PlayerSummary, SimilarPlayers};
use serde_json::json;
use std::path::Path;
use std::slice;
use std::time::Instant;

pub(crate) fn run(args: Players) -> anyhow::Result<Done> {
    if let Some(PlayersVerb::Merge(args)) = args.verb {
        return merge(&args);
    }
    let clock = Instant::now();
    let path = args.archive.as_deref().ok_or_else(|| anyhow!("no archive is given"))?;
    let archive = archive::open(path)?;
    let name = args.name.as_deref();
    if name.is_some_and(|name| !name.contains(char::is_alphanumeric)) {
        return Err(archive::no_word("NAME", name.unwrap_or_default()));
    }
    let format = args.output.format;
    if args.similar {
        let mut similar = archive.similar_players(name)?;
        let all = similar.len();
        if args.list {
            let lines = list::lines_of(&similar);
            lines.iter().try_for_each(output::line)?;
            return Ok(if lines.is_empty() { Done::Nothing } else { Done::Found });
        }
        similar.truncate(args.limit.most(format == Format::Table));
        let listing = Listing::new(&[PAIRS]);
        let rows = listing.rows(format, &similar);
        let mut closing = counted(all as u64, "pair") + " of names that may be one player";
        closing += &ending(clock, similar.len(), all);
        let mut certain = similar.iter().filter(|two| !two.is_ambiguous);
        closing += &certain.find_map(|two| merge_hint(path, two)).unwrap_or_default();
        let answer = Answer { rows: &rows, closing: &closing, list: Some("pairs") };
        output::print(
            format,
            &answer,
            || json!({ "count": all, "pairs": listing.objects(&similar) }),
        )?;
        return Ok(if all > 0 { Done::Found } else { Done::Nothing });
    }
    let mut players = archive.players(name)?;
    if let Some(name) = name.filter(|_| players.is_empty()) {
        archive::note_near_name(&archive, name)?;
    }
    let sort = args.sort;
    match sort.by {
        PlayerSort::Games => sort.sort(&mut players, |player| Some(player.games)),
        PlayerSort::Name => sort.sort(&mut players, |player| Some(player.name.clone())),
        PlayerSort::Elo => sort.sort(&mut players, |player| player.highest_elo),
        PlayerSort::Score => sort.sort(&mut players, |player| player.score.percent()),
        PlayerSort::Year => sort.sort(&mut players, |player| player.last_year),
    }
    let all = players.len();
    players.truncate(args.limit.most(format == Format::Table));
    let listing = Listing::new(&[COLUMNS, PlayerSummary::SCORE]);
    let rows = listing.rows(format, &players);
    let closing = counted(all as u64, "player") + &ending(clock, players.len(), all);
    let answer = Answer { rows: &rows, closing: &closing, list: Some("players") };
    output::print(
        format,
        &answer,
        || json!({ "count": all, "players": listing.objects(&players) }),
    )?;
    Ok(if all > 0 { Done::Found } else { Done::Nothing })
}

/// The end of a closing line: the duration, and the number shown if there are more.
pub(super) fn ending(clock: Instant, shown: usize, all: usize) -> String {
    let more = match shown < all {
        true => format!(", the first {} shown (--limit)", grouped(shown as u64)),
        false => String::new(),
    };
    format!(" in {} ms{more}", clock.elapsed().as_millis())
}

const COLUMNS: &[Column<PlayerSummary>] = &[
    Column::<PlayerSummary>::field("name", |player| player.name.clone().into()).titled("name"),
    Column::<PlayerSummary>::field("games", |player| player.games.into()).titled("games").number(),
    Column::<PlayerSummary>::field("first_year", |player| player.first_year.into()),
    Column::<PlayerSummary>::field("last_year", |player| player.last_year.into()),
    Column::<PlayerSummary>::table("years", |player| years(player.first_year, player.last_year)),
    Column::<PlayerSummary>::field("highest_elo", |player| player.highest_elo.into())
        .titled("elo")
        .number(),
    Column::<PlayerSummary>::table("won", |player| player.score.wins.to_string()).number(),
    Column::<PlayerSummary>::table("drawn", |player| player.score.draws.to_string()).number(),
    Column::<PlayerSummary>::table("lost", |player| player.score.losses.to_string()).number(),
    Column::<PlayerSummary>::table("score", |player| score::percent(&player.score)).number(),
];

/// `1960 to 1963`.
pub(super) fn years(first: Option<i32>, last: Option<i32>) -> String {
    match (first, last) {
        (Some(first), Some(last)) if first != last => format!("{first} to {last}"),
        (first, last) => first.or(last).map_or_else(String::new, |year| year.to_string()),
    }
}

const PAIRS: &[Column<SimilarPlayers>] = &[
    Column::<SimilarPlayers>::field("name", |two| two.name.name.clone().into()).titled("name"),
    Column::<SimilarPlayers>::field("games", |two| two.name.games.into()).titled("games").number(),
    Column::<SimilarPlayers>::field("first_year", |two| two.name.first_year.into()),
    Column::<SimilarPlayers>::field("last_year", |two| two.name.last_year.into()),
    Column::<SimilarPlayers>::table("years", |two| years(two.name.first_year, two.name.last_year)),
    Column::<SimilarPlayers>::field("other", |two| two.other.name.clone().into()).titled("other"),
    Column::<SimilarPlayers>::field("other_games", |two| two.other.games.into())
        .titled("games")
        .number(),
    Column::<SimilarPlayers>::field("other_first_year", |two| two.other.first_year.into()),
    Column::<SimilarPlayers>::field("other_last_year", |two| two.other.last_year.into()),
    Column::<SimilarPlayers>::table("years", |two| {
        years(two.other.first_year, two.other.last_year)
    }),
    Column::<SimilarPlayers>::field("likeness", |two| two.likeness.name().into())
        .titled("alike in"),
    Column::<SimilarPlayers>::field("ambiguous", |two| two.is_ambiguous.into()),
    Column::<SimilarPlayers>::field("common_opponents", |two| two.common_opponents.into())
        .titled("opponents")
        .number(),
    Column::<SimilarPlayers>::table("", |two| {
        if two.is_ambiguous { "ambiguous" } else { "" }.to_owned()
    }),
];

/// The hint that merges two names, if both can be typed.
fn merge_hint(archive: &Path, two: &SimilarPlayers) -> Option<String> {
    let names = [&two.name.name, &two.other.name];
    let is_typed = |name: &&String| visible(name) == **name;
    names.iter().all(is_typed).then(|| {
        let end_of_options =
            if names.iter().any(|name| name.starts_with('-')) { "-- " } else { "" };
        let (archive, [one, two]) = (quote::path(archive), names.map(|name| quote::word(name)));
        format!("\nto merge two: halfmove players merge {end_of_options}{archive} {one} {two}")
    })
}

fn merge(args: &Merge) -> anyhow::Result<Done> {
    match (&args.list, &args.to) {
        (Some(list), _) => merge_list(args, list),
        (None, Some(to)) => merge_names(args, to),
        (None, None) => Err(anyhow!("no names are given")),
    }
}

/// Merges the names of a file.
fn merge_list(args: &Merge, list: &Path) -> anyhow::Result<Done> {
    let archive = archive::open_itself(&args.archive)?;
    let names = list::read(list)?;
    for name in &names.ambiguous {
        let name = visible(name);
        output::note(format_args!("\"{name}\" has several new names, it is left as it is"));
    }
    let unchanged = |error| explain(error, &args.archive, None);
    let are_all_ambiguous = names.new.is_empty();
    let mut merge = archive.player_merges(names.new).map_err(unchanged)?;
    let there = merge.games();
    if !args.force {
        let (rest, apart) = merge.without_opponents().map_err(unchanged)?;
        for name in &apart {
            let name = visible(name);
            output::note(format_args!(
                "spellings of \"{name}\" have played each other, they are left as they are (--force merges them)"
            ));
        }
        merge = rest;
    }
    let renamed: Vec<Renamed> = merge
        .replaced()
        .map(|(from, to, games)| Renamed { from: from.to_owned(), to: to.to_owned(), games })
        .collect();
    let (found, missing) = (merge.games(), merge.missing().len());
    let (games, version) = if args.plan.dry_run || found == 0 {
        (found, None)
    } else {
        let mut watch = Watch::begin(Some(archive.len()))?;
        let file = list.file_name().unwrap_or_default().to_string_lossy();
        let names = counted(renamed.len() as u64, "name");
        let reason = format!("{names} of {}", visible(&file));
        let merged = merge.with_reason(reason).commit(&mut watch);
        let report = watch.end(&args.archive, merged)?;
        (report.games, report.version)
    };
    let listing = Listing::new(&[RENAMED]);
    let rows = listing.rows(args.output.format, &renamed);
    let names = counted(renamed.len() as u64, "name");
    let closing = match version {
        Some(version) => {
            let hint = archive::undo_hint(&archive.refresh()?, &args.archive, version);
            format!("{names} replaced, {} changed{hint}", counted(games, "game"))
        }
        None if games == 0 => {
            let why = match (are_all_ambiguous, there) {
                (true, _) => "each name of the file has several new names",
                (_, 0) => "no game has one of these names",
                _ => "all names that games have are those of opponents",
            };
            format!("{why}, nothing is changed")
        }
        None => format!("{names} would be replaced, {} changed", counted(games, "game")),
    };
    let answer = Answer { rows: &rows, closing: &closing, list: Some("names") };
    let printed = output::print(args.output.format, &answer, || {
        json!({
            "games": games,
            "missing": missing,
            "version": version,
            "dry_run": args.plan.dry_run,
            "names": listing.objects(&renamed),
        })
    });
    output::reported(version.is_some(), printed)?;
    Ok(if games > 0 { Done::Found } else { Done::Nothing })
}

/// A name that is replaced.
struct Renamed {
    from: String,
    to: String,
    games: u64,
}

const RENAMED: &[Column<Renamed>] = &[
    Column::<Renamed>::field("from", |renamed| renamed.from.clone().into()).titled("old name"),
    Column::<Renamed>::field("to", |renamed| renamed.to.clone().into()).titled("new name"),
    Column::<Renamed>::field("games", |renamed| renamed.games.into()).titled("games").number(),
];

/// Merges names into one.
fn merge_names(args: &Merge, to: &str) -> anyhow::Result<Done> {
    let archive = archive::open_itself(&args.archive)?;
    let unchanged = |error| explain(error, &args.archive, None);
    if !to.contains(char::is_alphanumeric) {
        return Err(anyhow!("\"{to}\" is not a name: expected a letter or a digit"));
    }
    if to.contains(char::is_control) {
        let name = visible(to);
        return Err(anyhow!(
            "\"{name}\" is not a name: expected no line breaks or control characters"
        ));
    }
    if args.from.iter().all(|name| name == to) {
        return Err(anyhow!("\"{to}\": both names are the same, expected different ones"));
    }
    let merge = archive.player_merge(to, &args.from).map_err(unchanged)?;
    if !args.force {
        refuse_opponents(&merge)?;
    }
    for name in merge.missing() {
        note_missing(&archive, name)?;
    }
    let found = merge.games();
    let (games, version) = if args.plan.dry_run || found == 0 {
        (found, None)
    } else {
        let mut watch = Watch::begin(Some(archive.len()))?;
        let merged = merge.commit(&mut watch);
        let report = watch.end(&args.archive, merged)?;
        (report.games, report.version)
    };
    let merged = Merged {
        name: to.to_owned(),
        from: args.from.clone(),
        games,
        version,
        dry_run: args.plan.dry_run,
    };
    let listing = Listing::new(&[MERGED]);
    let rows = listing.rows(args.output.format, slice::from_ref(&merged));
    let closing = match version {
        Some(version) => {
            let hint = archive::undo_hint(&archive.refresh()?, &args.archive, version);
            format!("{} changed{hint}", counted(games, "game"))
        }
        None if games == 0 => "no game has one of these names, nothing is changed".to_owned(),
        None => format!("{} would be changed", counted(games, "game")),
    };
    let answer = Answer { rows: &rows, closing: &closing, list: None };
    let printed = output::print(args.output.format, &answer, || listing.object(&merged));
    output::reported(version.is_some(), printed)?;
    Ok(if games > 0 { Done::Found } else { Done::Nothing })
}

/// A merge of names, done or planned.
struct Merged {
    name: String,
    from: Vec<String>,
    games: u64,
    version: Option<u64>,
    dry_run: bool,
}

const MERGED: &[Column<Merged>] = &[
    Column::<Merged>::field("name", |merged| merged.name.clone().into()).titled("name"),
    Column::<Merged>::json("merged", |merged| merged.from.clone().into()),
    Column::<Merged>::field("games", |merged| merged.games.into()).titled("games changed").number(),
    Column::<Merged>::field("version", |merged| merged.version.into()).titled("version").number(),
    Column::<Merged>::json("dry_run", |merged| merged.dry_run.into()),
];

/// Refuses to merge names that have played each other.
fn refuse_opponents(merge: &PlayerMerge) -> anyhow::Result<()> {
    let Some(game) = merge.opponents()? else { return Ok(()) };
    let [white, black] = [game.white, game.black].map(Option::unwrap_or_default);
    let [white, black] = [visible(&white), visible(&black)];
    let id = grouped(game.id.unsigned_abs());
    let error = anyhow!("\"{white}\" and \"{black}\" have played each other, in game {id}");
    Err(Advised::new(error, "they are two players; --force merges them all the same").into())
}

/// Prints a note on a name that no player has, with similar names.
fn note_missing(archive: &Archive, name: &str) -> anyhow::Result<()> {
    if name.contains(char::is_alphanumeric) {
        return Ok(archive::note_exact_name(archive, name)?);
    }
    output::note(format_args!("no player is called exactly \"{}\"", visible(name)));
    Ok(())
}
