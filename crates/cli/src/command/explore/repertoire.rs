//! The tree as one game: the moves with the most games are its main line, the others its variations.
//!
//! ```text
//!  explore                        PGN
//!  e4     154                     1. e4 {154 games} (1. d4 {43 games}) 1... c5 {61 games} (1... e5 {45 games}) *
//!    c5    61
//!    e5    45
//!  d4      43
//! ```

use super::lines::{outcome, percent};
use crate::args::Position;
use crate::output::counted;
use crate::{movetext, score};
use halfmove_archive::{Explorer, ExplorerMove, Results, Score};
use halfmove_game::{Game, GameBuilder};
use halfmove_rules::{San, SanError};

/// The tree as a game, which begins where the command line does: with its FEN, or with its moves.
pub(super) fn game(position: &Position, explorer: &Explorer) -> anyhow::Result<Game> {
    let mut builder = GameBuilder::new(position.start()?);
    builder.tag("Event", "Opening tree")?;
    builder.tag("Annotator", concat!("halfmove ", env!("CARGO_PKG_VERSION")))?;
    for word in movetext::words(position.moves.as_deref().unwrap_or_default())? {
        let mv = movetext::find(builder.position(), &word)?;
        builder.play(mv)?;
    }
    builder.comment(&comment(explorer.results, explorer.score, None))?;
    let tree = Tree { all: explorer.results.games() };
    tree.add(&mut builder, &explorer.moves)?;
    Ok(builder.finish())
}

struct Tree {
    /// The number of games with the first position.
    all: u64,
}

impl Tree {
    /// Adds the moves of a position, each with those after it. The depth is limited by that of the tree.
    fn add(&self, builder: &mut GameBuilder, moves: &[ExplorerMove]) -> anyhow::Result<()> {
        let Some((first, others)) = moves.split_first() else { return Ok(()) };
        self.play(builder, first)?;
        for other in others {
            builder.begin_variation()?;
            self.play(builder, other)?;
            self.add(builder, &other.next)?;
            builder.end_variation()?;
        }
        self.add(builder, &first.next)
    }

    fn play(&self, builder: &mut GameBuilder, mv: &ExplorerMove) -> anyhow::Result<()> {
        match San::parse(mv.san.as_bytes()) {
            Err(SanError::Null) => builder.null_move(&mv.san)?,
            _ => drop(builder.san(&mv.san)?),
        }
        let share = percent(mv.results.games(), self.all);
        let mut text = comment(mv.results, mv.score, Some(&share));
        if mv.is_elsewhere {
            text += "; transposes to another line";
        }
        builder.comment(&text)?;
        Ok(())
    }
}

/// The number of games, their share and their results: `154 games, 60.2 %: White won 48.7 %, drawn 42.9 %, Black won 8.4 %`.
fn comment(results: Results, score: Option<Score>, share: Option<&str>) -> String {
    let mut text = counted(results.games(), "game");
    if let Some(share) = share {
        text += &format!(", {share}");
    }
    text += &format!(": {}", outcome(results));
    if let Some(score) = score {
        text += &format!("; the player {}", score::line(&score));
    }
    text
}
