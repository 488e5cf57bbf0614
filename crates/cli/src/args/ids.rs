//! Ids of games on the command line.

use clap::Args;
use halfmove_archive::IdRange;

/// Games that are named by their ids.
#[derive(Debug, Args)]
pub(crate) struct GameIds {
    /// Only games with these ids: 42,7,10-20
    #[arg(long, value_name = "ID", value_delimiter = ',', hide_short_help = true)]
    pub(crate) id: Vec<IdRange>,
}
