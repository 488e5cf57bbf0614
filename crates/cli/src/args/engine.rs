//! The arguments of `halfmove engine`.

use clap::Args;

#[derive(Debug, Args)]
#[command(after_long_help = "\
The same as the program halfmove-engine: a UCI engine for chess, Chess960, Makruk, Makpong and ASEAN
chess. In a GUI, the command is `halfmove` and its argument `engine`. Without arguments it reads
commands from standard input; the command `uci` lists its options, `quit` ends it.

Examples:
  halfmove engine \"position startpos moves e2e4\" \"go depth 12\"
  halfmove engine \"setoption name UCI_Variant value makruk\" \"position startpos\" \"go nodes 500000\"
  halfmove engine bench 8")]
pub(crate) struct Engine {
    /// Commands in quotes, run in order; or the words of one command
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    pub(crate) commands: Vec<String>,
}
