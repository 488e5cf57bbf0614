//! `halfmove duplicates`: games that are in an archive more than once.

use super::remove::{REMOVAL, Removal};
use crate::args::{DuplicateKind, Duplicates as Args, Format};
use crate::listing::{Column, Listing};
use crate::output::{self, Answer, counted, grouped};
use crate::watch::{Watch, explain};
use crate::{Done, archive, quote};
use halfmove_archive::{Archive, Duplicates, GameSummary, MergedTag};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::slice;
use std::time::Instant;

pub(crate) fn run(args: Args) -> anyhow::Result<Done> {
    let clock = Instant::now();
    let archive = match args.remove {
        true => archive::open_itself(&args.archive)?,
        false => archive::open(&args.archive)?,
    };
    let found = archive.duplicates()?;
    if args.remove {
        return remove(&args, &archive, &found);
    }
    let is_listed = |kind| args.kind.is_none_or(|only| only == kind);
    let mut groups: Vec<Group> = Vec::new();
    if is_listed(DuplicateKind::Exact) {
        groups.extend(found.exact.iter().map(|group| Group {
            kind: "exact",
            reasons: String::new(),
            best: Some(group.best),
            ids: &group.ids,
        }));
    }
    if is_listed(DuplicateKind::Twin) {
        groups.extend(found.twins.iter().map(|group| Group {
            kind: "twin",
            reasons: group.differences.names().join(", "),
            best: Some(group.best),
            ids: &group.ids,
        }));
    }
    if is_listed(DuplicateKind::Near) {
        groups.extend(found.near.iter().map(|group| Group {
            kind: "near",
            reasons: group.differences.names().join(", "),
            best: None,
            ids: &group.ids,
        }));
    }
    let all = groups.len();
    let format = args.output.format;
    groups.truncate(args.limit.most(format == Format::Table));
    let ids: Vec<i64> = groups.iter().flat_map(|group| group.ids.iter().copied()).collect();
    let games = archive.summaries(&ids)?;
    let games: HashMap<i64, GameSummary> = games.into_iter().map(|game| (game.id, game)).collect();
    let copies: Vec<Copy> =
        groups.iter().zip(1..).flat_map(|(group, n)| copies(n, group, &games)).collect();
    let rows = Listing::new(&[OF_GROUP, OF_GAME]).rows(format, &copies);
    let mut closing = closing(&found);
    closing += &format!(
        " {} compared in {} ms.",
        counted(found.games, "game"),
        clock.elapsed().as_millis()
    );
    match groups.len() as u64 {
        shown if shown == all as u64 => {}
        1 => closing += " The first group is shown (--limit).",
        shown => closing += &format!(" The first {} are shown (--limit).", counted(shown, "group")),
    }
    let name = quote::path(&args.archive);
    if found.removable() > 0 {
        closing += &format!(
            "\nto keep the best of each exact group (*): halfmove duplicates {name} --remove"
        );
    }
    if found.removable_twins() > 0 {
        closing += &format!(
            "\nto keep the best of each group of twins, too: halfmove duplicates {name} --remove --twins"
        );
    }
    let answer = Answer { rows: &rows, closing: &closing, list: Some("groups") };
    output::print(format, &answer, || {
        let mut answer = counts(&found);
        let groups = copies.chunk_by(|one, other| one.group == other.group);
        answer["groups"] = groups.map(object).collect();
        answer
    })?;
    Ok(if all > 0 { Done::Found } else { Done::Nothing })
}

/// A group of duplicates.
struct Group<'a> {
    kind: &'static str,
    reasons: String,
    best: Option<i64>,
    ids: &'a [i64],
}

/// The numbers of groups and games.
fn counts(found: &Duplicates) -> Value {
    let near: usize = found.near.iter().map(|group| group.ids.len()).sum();
    json!({
        "games": found.games,
        "exact_groups": found.exact.len(),
        "removable": found.removable(),
        "twin_groups": found.twins.len(),
        "removable_twins": found.removable_twins(),
        "near_groups": found.near.len(),
        "near_games": near,
    })
}

fn closing(found: &Duplicates) -> String {
    let near: usize = found.near.iter().map(|group| group.ids.len()).sum();
    let exact = match found.exact.len() as u64 {
        0 => "No exact duplicates.".to_owned(),
        groups => {
            let games = counted(found.removable(), "game");
            format!("{} of exact duplicates ({games} too many).", counted(groups, "group"))
        }
    };
    let near = match found.near.len() as u64 {
        0 => "No near duplicates.".to_owned(),
        groups => {
            let games = counted(near as u64, "game");
            format!("{} of near duplicates ({games}).", counted(groups, "group"))
        }
    };
    let twins = match found.twins.len() as u64 {
        0 => String::new(),
        groups => {
            let games = counted(found.removable_twins(), "game");
            format!("{} of twins ({games} too many). ", counted(groups, "group"))
        }
    };
    format!("{exact} {twins}{near}")
}

/// A game of a group.
struct Copy {
    group: usize,
    kind: &'static str,
    differs: String,
    best: Option<i64>,
    /// True for the first game of its group, on whose line a table describes the group.
    is_first: bool,
    game: GameSummary,
}

impl Copy {
    fn is_best(&self) -> bool {
        self.best == Some(self.game.id)
    }

    fn on_first(&self, text: impl ToString) -> String {
        if self.is_first { text.to_string() } else { String::new() }
    }
}

/// The games of a group, with its number.
fn copies(number: usize, group: &Group<'_>, games: &HashMap<i64, GameSummary>) -> Vec<Copy> {
    let found = group.ids.iter().filter_map(|id| games.get(id)).enumerate();
    let copy = |(index, game): (usize, &GameSummary)| Copy {
        group: number,
        kind: group.kind,
        differs: group.reasons.clone(),
        best: group.best,
        is_first: index == 0,
        game: game.clone(),
    };
    found.map(copy).collect()
}

/// The group of a game.
const OF_GROUP: &[Column<Copy>] = &[
    Column::<Copy>::field("group", |copy| copy.group.into())
        .shown("group", |copy| copy.on_first(copy.group))
        .number(),
    Column::<Copy>::field("kind", |copy| copy.kind.into()),
    Column::<Copy>::field("differs", |copy| copy.differs.clone().into()).shown("differs", |copy| {
        copy.on_first(if copy.kind == "exact" { "-" } else { &copy.differs })
    }),
    Column::<Copy>::field("best", |copy| copy.best.map(|_| copy.is_best()).into()),
];

/// The game.
const OF_GAME: &[Column<Copy>] = &[
    Column::<Copy>::field("id", |copy| copy.game.id.into()).titled("id").number(),
    Column::<Copy>::table("", |copy| if copy.is_best() { "*" } else { "" }.to_owned()),
    Column::<Copy>::field("white", |copy| copy.game.white.clone().into()).titled("white"),
    Column::<Copy>::field("black", |copy| copy.game.black.clone().into()).titled("black"),
    Column::<Copy>::field("date", |copy| copy.game.date.clone().into()).titled("date"),
    Column::<Copy>::field("result", |copy| copy.game.result.clone().into()).titled("result"),
    Column::<Copy>::field("plies", |copy| copy.game.plies.into()).titled("plies").number(),
    Column::<Copy>::field("event", |copy| copy.game.event.clone().into()).titled("event"),
    Column::<Copy>::field("site", |copy| copy.game.site.clone().into()),
    Column::<Copy>::field("round", |copy| copy.game.round.clone().into()),
];

/// The games of a group as JSON.
fn object(copies: &[Copy]) -> Value {
    let mut object =
        copies.first().map_or(Value::Null, |first| Listing::new(&[OF_GROUP]).object(first));
    object["best"] = copies.first().and_then(|first| first.best).into();
    object["games"] = Listing::new(&[OF_GAME]).objects(copies).into();
    object
}

fn remove(args: &Args, archive: &Archive, found: &Duplicates) -> anyhow::Result<Done> {
    let mut remover =
        archive.duplicates_remover(found).map_err(|error| explain(error, &args.archive, None))?;
    if args.twins {
        remover = remover.with_twins(found);
    }
    if args.merge_tags {
        remover = remover.merging_tags(found);
    }
    let count = remover.games();
    let planned = match args.merge_tags && args.plan.dry_run {
        true => Some(remover.merged_tags()?),
        false => None,
    };
    let (version, completed) = if args.plan.dry_run || count == 0 {
        (None, 0)
    } else {
        let mut watch = Watch::begin(Some(archive.len()))?;
        let reason = if args.twins { "duplicates and twins" } else { "duplicates" };
        let removed = remover.with_reason(reason).commit(&mut watch);
        let report = watch.end(&args.archive, removed)?;
        (report.version, report.merged)
    };
    let changed = if version.is_some() { archive.refresh()? } else { archive.clone() };
    let left = if args.plan.dry_run { changed.len().saturating_sub(count) } else { changed.len() };
    let twins = if args.twins { found.twins.len() } else { 0 };
    let groups = Some(found.exact.len() + twins);
    let removal = Removal { groups, removed: count, left, version, dry_run: args.plan.dry_run };
    let listing = Listing::new(&[GROUPS, REMOVAL]);
    let rows = listing.rows(args.output.format, slice::from_ref(&removal));
    let closing = match version {
        Some(version) => {
            let hint = archive::undo_hint(&changed, &args.archive, version);
            let tags = match completed {
                0 => String::new(),
                games => format!(", tags of {} completed", counted(games, "game")),
            };
            format!("{} removed{tags}{hint}", counted(count, "game"))
        }
        None if count == 0 => "no exact duplicates, nothing is removed".to_owned(),
        None if twins > 0 => {
            let (exact, removable) = (found.removable(), found.removable_twins());
            format!(
                "{} would be removed: {} and {}",
                counted(count, "game"),
                counted(exact, "exact duplicate"),
                counted(removable, "twin")
            )
        }
        None => format!("{} would be removed", counted(count, "game")),
    };
    let printed = match &planned {
        Some(tags) => print_planned(args, &listing.object(&removal), tags, closing),
        None => {
            let answer = Answer { rows: &rows, closing: &closing, list: None };
            output::print(args.output.format, &answer, || listing.object(&removal))
        }
    };
    output::reported(version.is_some(), printed)?;
    Ok(if count > 0 { Done::Found } else { Done::Nothing })
}

/// Prints the tags that games would get from their copies.
fn print_planned(
    args: &Args,
    removal: &Value,
    tags: &[MergedTag],
    mut closing: String,
) -> anyhow::Result<()> {
    let format = args.output.format;
    let shown = &tags[..tags.len().min(args.limit.most(format == Format::Table))];
    let listing = Listing::new(&[TAGS]);
    let rows = listing.rows(format, shown);
    let games = tags.chunk_by(|one, two| one.id == two.id).count();
    closing += &match tags.len() as u64 {
        0 => ", no tag would change".to_owned(),
        count => {
            format!("; {} of {} would change", counted(count, "tag"), counted(games as u64, "game"))
        }
    };
    match shown.len() as u64 {
        count if count == tags.len() as u64 => {}
        1 => closing += ", the first one is shown (--limit)",
        count => closing += &format!(", the first {} are shown (--limit)", grouped(count)),
    }
    let answer = Answer { rows: &rows, closing: &closing, list: Some("tags") };
    output::print(format, &answer, || {
        let mut answer = removal.clone();
        answer["tags"] = listing.objects(shown).into();
        answer
    })
}

/// A tag that would change.
const TAGS: &[Column<MergedTag>] = &[
    Column::<MergedTag>::field("id", |tag| tag.id.into()).titled("id").number(),
    Column::<MergedTag>::field("tag", |tag| tag.name.clone().into()).titled("tag"),
    Column::<MergedTag>::field("old", |tag| tag.old.clone().into()).titled("old value"),
    Column::<MergedTag>::field("new", |tag| tag.new.clone().into()).titled("new value"),
];

const GROUPS: &[Column<Removal>] =
    &[Column::<Removal>::field("groups", |removal| removal.groups.into())
        .titled("groups")
        .number()];
