//! The arguments of `halfmove duplicates`.

use super::{DryRun, Limit, Output, ReadGames};
use clap::Args;

#[derive(Debug, Args)]
#[command(mut_arg("dry_run", |dry_run| dry_run.requires("remove")))]
#[command(after_long_help = "\
Exact duplicates have the same main line, players, date and result. Names are compared word by word,
in any order, ignoring case and accents; dates by the parts that are known. Games with different
rounds, boards, links, ids, FIDE ids or ratings (by more than 300) are neither exact duplicates nor
twins. With --remove, the best game of each group stays: the one with the most comments, variations,
clocks and evaluations, then with the most tags, then with the lowest id. All others are removed in
one step, and `undo` brings them back.

Twins are one game in two spellings, as when collections are joined: same main line, year and
result, and compatible names of both players (Larsen B, Larsen, Bent). Month and day, Jr and Sr, and
versions of an engine may not differ if both have them. Of fewer than 40 half-moves, both need the
same day and the same round. A game that fits two others which do not fit each other is a twin of
neither. --remove --twins removes them, too: the best is the one with the most annotations, then the
fullest names, the most complete date, the most tags, the lowest id. With --merge-tags it gets the
tags that only its copies have; --dry-run lists them.

Near duplicates are only listed: one main line is the beginning of the other, or the names, the
results, or the dates (within a year) differ. They share the surnames of both players and have
at least 20 half-moves, or share one surname and the same moves, at least 40. In a name without a
comma, each word may be the surname.

Games of fewer than 20 half-moves, games of players whose names have no letter or digit, and games
with a fault are exact duplicates only if their whole text is the same.

The exit code is 1 if there are none.

Examples:
  halfmove duplicates club
  halfmove duplicates club --kind near --format csv
  halfmove duplicates club --remove --dry-run
  halfmove duplicates club --remove --twins --merge-tags")]
pub(crate) struct Duplicates {
    #[command(flatten)]
    pub(crate) archive: ReadGames,
    /// Remove all games of each exact group except the best
    #[arg(long)]
    pub(crate) remove: bool,
    /// Remove all twins except the best of each group, too
    #[arg(long, requires = "remove")]
    pub(crate) twins: bool,
    /// Add the tags that only its copies have to each game that is kept
    #[arg(long, requires = "remove")]
    pub(crate) merge_tags: bool,
    #[command(flatten)]
    pub(crate) plan: DryRun,
    /// List only duplicates of this kind
    #[arg(long, value_name = "KIND", conflicts_with = "remove")]
    pub(crate) kind: Option<Kind>,
    #[command(flatten)]
    pub(crate) limit: Limit,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Kind {
    /// Same moves, players, date and result
    Exact,
    /// Same moves, year and result, names that agree
    Twin,
    /// One of these differs
    Near,
}
