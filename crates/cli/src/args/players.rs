//! The arguments of `halfmove players` and `halfmove events`.

use super::{ChangeArchive, DryRun, Limit, Output, ReadGames};
use clap::{Args, Subcommand, ValueEnum};
use std::cmp::Ordering;
use std::path::PathBuf;
use std::str::FromStr;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(after_long_help = "\
NAME is matched as by `search --player`: words in any order, ignoring case and accents, a single
letter for the beginning of a word. Each spelling counts as a player; names without a letter or
digit are left out. The score is in percent of the games with a result.

--similar lists pairs of names that may belong to one player, and changes nothing: the same words
(words), initials or fewer given names (initials), surnames that sound alike or differ in a letter
(spelling). Names that have played each other, or whose games are more than 30 years apart, are not
listed. `opponents` is the number of common opponents. A name that also matches a third one, as
Ivanov,A matches Alexander and Andrei, is ambiguous, and listed only with a common opponent. Pairs
with the same words come first, then pairs with common opponents; among these, pairs with the most
games come first.

The exit code is 1 if there are none.

Examples:
  halfmove players club --sort -score --limit 10
  halfmove players club kasparov
  halfmove players club --similar
  halfmove players club --similar --list > names.txt
  halfmove players merge club --from names.txt --dry-run
  halfmove players merge club \"Kasparov, Garry\" \"Kasparov,G\" \"Kasparov G\"")]
pub(crate) struct Players {
    #[command(subcommand)]
    pub(crate) verb: Option<PlayersVerb>,
    /// The archive: its folder, or its URL; or a PGN file
    #[arg(required = true)]
    pub(crate) archive: Option<PathBuf>,
    /// Only players whose names have these words
    pub(crate) name: Option<String>,
    /// List pairs of names that may belong to one player
    #[arg(long)]
    pub(crate) similar: bool,
    /// With --similar: lines such as `old name => new name` of all pairs but the ambiguous ones, to
    /// edit and to give to `merge --from`
    #[arg(long, requires = "similar", conflicts_with_all = ["format", "limit"])]
    pub(crate) list: bool,
    /// Sort by games, name, elo, score or year; after a -, the largest come first
    #[arg(
        long,
        value_name = "KEY",
        default_value = "-games",
        allow_hyphen_values = true,
        conflicts_with = "similar"
    )]
    pub(crate) sort: Order<PlayerSort>,
    #[command(flatten)]
    pub(crate) limit: Limit,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PlayersVerb {
    /// Merge spellings of a player's name
    Merge(Merge),
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
Replaces the other names, spelled exactly as given, by the first name in the tags White and Black of
all games, in one step: if it fails or is interrupted, no game is changed. Ids and everything else
stay, and files without the names are not rewritten. `history` lists the change, and `undo` takes it
back until `compact --vacuum` deletes the old files. Names that have played each other belong to two
players: they are merged only with --force.

--from reads the names from a file: lines `old name => new name`, or with a tab between them; or a
spelling file of Scid, whose players (section @PLAYER) are names followed by lines `=other
spelling`. Other sections and lines that begin with % are left out. A spelling of two players is
not replaced, and neither are names that would make two opponents one, unless with --force. The
output lists the names that the archive has, with their games.

The exit code is 1 if no game has one of the names.

Examples:
  halfmove players merge club \"Kasparov, Garry\" \"Kasparov,G\" \"Kasparov G\" --dry-run
  halfmove players merge club \"Tal, Mihail\" \"Tal, Mikhail\"
  halfmove players merge club --from spelling.ssp --dry-run")]
pub(crate) struct Merge {
    #[command(flatten)]
    pub(crate) archive: ChangeArchive,
    /// The new name
    #[arg(required_unless_present = "list", conflicts_with = "list")]
    pub(crate) to: Option<String>,
    /// Names to replace
    #[arg(required_unless_present = "list")]
    pub(crate) from: Vec<String>,
    /// Read old and new names from a file: a list, or a spelling file of Scid
    #[arg(long = "from", value_name = "FILE")]
    pub(crate) list: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) plan: DryRun,
    /// Merge names that have played each other, too
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlayerSort {
    Games,
    Name,
    /// The highest rating.
    #[value(alias = "rating")]
    Elo,
    /// In percent.
    Score,
    /// The last one.
    Year,
}

/// A sort order: a key and a direction.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Order<K> {
    pub(crate) by: K,
    is_descending: bool,
}

impl<K: ValueEnum> FromStr for Order<K> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let name = text.strip_prefix('-');
        let by = K::from_str(name.unwrap_or(text), false).map_err(|_| {
            let names = K::value_variants().iter().filter_map(K::to_possible_value);
            let names: Vec<String> = names.map(|value| value.get_name().to_owned()).collect();
            let names = names.join(", ");
            format!("expected {names}, or the same after a - for the largest first")
        })?;
        Ok(Self { by, is_descending: name.is_some() })
    }
}

impl<K> Order<K> {
    /// Sorts a list by a value of its entries. Entries without a value come last. The sort is stable.
    pub(crate) fn sort<T, V: PartialOrd>(&self, list: &mut [T], value: impl Fn(&T) -> Option<V>) {
        list.sort_by(|one, two| match (value(one), value(two)) {
            (Some(one), Some(two)) => {
                let order = one.partial_cmp(&two).unwrap_or(Ordering::Equal);
                if self.is_descending { order.reverse() } else { order }
            }
            (one, two) => one.is_none().cmp(&two.is_none()),
        });
    }
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
Games with the same tags Event and Site belong to one event. If the site is a link, as in online
games, only the tag Event counts. NAME is matched as by `search --event`. `players` counts different
names, `elo` is the mean of all ratings.

The exit code is 1 if there are none.

Examples:
  halfmove events club
  halfmove events club candidates --sort -year
  halfmove events club --sort -elo --limit 5 --format json")]
pub(crate) struct Events {
    #[command(flatten)]
    pub(crate) archive: ReadGames,
    /// Only events whose names have these words
    pub(crate) name: Option<String>,
    /// Sort by games, name, elo, players or year; after a -, the largest come first
    #[arg(long, value_name = "KEY", default_value = "-games", allow_hyphen_values = true)]
    pub(crate) sort: Order<EventSort>,
    #[command(flatten)]
    pub(crate) limit: Limit,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EventSort {
    Games,
    Name,
    /// The mean of the ratings.
    #[value(alias = "rating")]
    Elo,
    Players,
    /// The last one.
    Year,
}
