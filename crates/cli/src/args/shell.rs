//! The arguments of the verbs for the shell: `halfmove completions`, `halfmove man` and `halfmove help`.

use clap::Args;
use clap_complete::Shell;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_long_help = "\
The script goes where the shell looks for such scripts. Open a new shell to use it.

Examples:
  halfmove completions bash > ~/.local/share/bash-completion/completions/halfmove
  halfmove completions zsh > ~/.zfunc/_halfmove     (with fpath+=~/.zfunc before compinit)
  halfmove completions fish > ~/.config/fish/completions/halfmove.fish")]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
A page has the text of --help, for the program `man`. Without --dir, one page is printed.

Examples:
  halfmove man | man -l -
  halfmove man pgn check | man -l -
  halfmove man --dir ~/.local/share/man/man1")]
pub(crate) struct Man {
    /// The verb that the page is about; without one, the program
    #[arg(conflicts_with = "dir")]
    pub(crate) verb: Vec<String>,
    /// Write the pages of all verbs into this folder
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) dir: Option<PathBuf>,
    /// Print docs/reference/cli.md
    #[arg(long, hide = true, conflicts_with_all = ["verb", "dir"])]
    pub(crate) markdown: bool,
    /// Replace pages that exist
    #[arg(long, requires = "dir", help_heading = "Output")]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
Without a word, prints the same as --help. The help of a verb only names the flags that it shares
with other verbs; the topics explain them.

Examples:
  halfmove help search
  halfmove help pgn check
  halfmove help filters")]
pub(crate) struct Help {
    /// A verb, or a topic: filters, board and others
    #[arg(value_name = "WORD")]
    pub(crate) words: Vec<String>,
}
