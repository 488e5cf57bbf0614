//! The command that makes the model of the codec `dense`: `fit-codec`.

use crate::arguments::{Output, failed, positive};
use crate::training_commands::{not_negative, say};
use clap::Args;
use clap::builder::PossibleValuesParser;
use halfmove_codecs::dense::TABLES;
use halfmove_codecs::dense::learning::HELD_OUT_FROM;
use halfmove_game::Input;
use halfmove_lab::dense::{Fit, Games, Held, NET, held_out};
use std::io::Write;
use std::path::PathBuf;

const FIT: Fit = Fit::DEFAULT;

const EXAMPLES: &str = "\
Examples:
  halfmove-lab fit-codec --data masters.pgn.zst --data online.pgn.zst --out dense.model";

/// Fit the model of the codec dense to games
///
/// Some games are held out: those of later years, and those of some events. At the end, a line for each file
/// reports the size of its held-out games in the model, with everything in.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct FitArgs {
    /// A PGN file, may be compressed; may be repeated. A game that several have counts once
    #[arg(long, value_name = "FILE", required = true)]
    data: Vec<PathBuf>,
    /// Output file for the model
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Hold out the games of this year and of later ones
    #[arg(long, value_name = "YEAR", default_value_t = HELD_OUT_FROM)]
    held_out_from: u16,
    /// The maximum number of held-out games of each file to report on
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    report: usize,
    /// The maximum number of games to learn from; default: all
    #[arg(long, value_name = "N", value_parser = positive::<usize>)]
    games: Option<usize>,
    /// Passes over all games
    #[arg(long, value_name = "N", default_value_t = FIT.epochs)]
    epochs: u32,
    /// Initial step of Adagrad
    #[arg(long, value_name = "X", default_value_t = FIT.step, value_parser = not_negative)]
    step: f32,
    /// Random seed: the same number gives the same model
    #[arg(long, value_name = "N", default_value_t = FIT.seed)]
    seed: u64,
    /// Leave out a table of features, or the net, to learn what it gives; may be repeated
    #[arg(long, value_name = "NAME", value_parser = table())]
    without: Vec<String>,
    /// Replace the file, if there is one
    #[arg(long)]
    force: bool,
}

/// Reads the name of a table.
fn table() -> PossibleValuesParser {
    PossibleValuesParser::new(TABLES.iter().map(|table| table.name).chain([NET]))
}

/// Runs `fit-codec`, and returns its last line.
pub(crate) fn fit(args: &FitArgs) -> Result<String, String> {
    let &FitArgs { held_out_from, report, games, epochs, step, seed, .. } = args;
    let games = games.unwrap_or(FIT.games);
    let fit = Fit { epochs, step, seed, games, without: args.without.clone() };
    let mut out = Output::create(&args.out, args.force)?;
    let mut games = Games::new(held_out_from);
    for path in &args.data {
        if out.is_at(path) {
            return Err(format!("{}: this is also the output", path.display()));
        }
        let input = Input::open(path).map_err(|error| error.to_string())?;
        games.read(&path.display().to_string(), input).map_err(failed(path))?;
        if let Some(source) = games.sources().last() {
            say(&format!("{}: {} games, {} held out", source.name, source.games, source.held_out));
        }
    }
    let model = fit.run(&games, &mut |games, bits| {
        say(&format!("{games} games, {bits:.4} bits a half-move"));
    });
    out.write_all(&model.to_bytes()).map_err(failed(&args.out))?;
    for (source, held) in games.sources().iter().zip(held_out(&model, &games, report)) {
        let Held { games, plies, bytes, bits_in_block } = held;
        say(&format!(
            "{}: {games} held-out games, {plies} half-moves, {:.4} bits a half-move, {:.2} bytes a game; in a block \
             {:.4}",
            source.name,
            8.0 * bytes as f64 / plies.max(1) as f64,
            bytes as f64 / games.max(1) as f64,
            bits_in_block / plies.max(1) as f64,
        ));
    }
    Ok(format!("{}: model {:016x}", args.out.display(), model.hash()))
}
