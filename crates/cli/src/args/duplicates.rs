//! The arguments of `halfmove duplicates`.

use super::{DryRun, Limit, Output, ReadArchive};
use clap::Args;

#[derive(Debug, Args)]
#[command(mut_arg("dry_run", |dry_run| dry_run.requires("remove")))]
#[command(after_long_help = "\
Exact duplicates have the same main line, players, date and result. Names are compared as words, in
any order, without case and accents; a date is as much as is known of it. With --remove, the best of
each group stays: with the most comments, variations, clocks and evaluations, then with the most
tags; if several say as much, the one with the lowest id. All goes in one step, and `undo` brings it
back.

Near duplicates are only listed: one main line is the beginning of the other, or names, dates within
a year, or results differ. They have a surname of each player in common and at least 20 half-moves,
or one surname and the same moves, at least 40. Where a name has no comma, each of its words may be
the surname.

Few moves are no evidence, and nor are players without a name, or moves that end at a fault: games
of fewer than 20 half-moves, those of players whose names have no letter or digit, and those with a
fault are exact duplicates only if their whole text is the same.

The exit code is 1 if there are none.

Examples:
  halfmove duplicates club
  halfmove duplicates club --kind near --format csv
  halfmove duplicates club --remove --dry-run")]
pub(crate) struct Duplicates {
    #[command(flatten)]
    pub(crate) archive: ReadArchive,
    /// Remove all games of each exact group but the best
    #[arg(long)]
    pub(crate) remove: bool,
    #[command(flatten)]
    pub(crate) plan: DryRun,
    /// List only these
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
    /// Something of that differs
    Near,
}
