//! `halfmove show`: draws one game.

use crate::args::Show;
use crate::{Done, archive, board, output};
use anyhow::bail;
use halfmove_archive::ArchiveError;
use halfmove_game::openings;
use halfmove_game::pgn::Writer;
use halfmove_rules::Color;
use std::fmt::Write as _;

pub(crate) fn run(args: Show) -> anyhow::Result<Done> {
    let archive = archive::open(&args.archive)?;
    let stored = match archive::wait(archive.game(args.id)) {
        Ok(stored) => stored,
        Err(error) => match error.downcast_ref::<ArchiveError>() {
            Some(ArchiveError::NoSuchGame { .. }) => {
                output::report(&error);
                return Ok(Done::Nothing);
            }
            _ => return Err(error),
        },
    };
    let game = &stored.game;
    let ply = args.ply.unwrap_or(game.moves.len());
    if ply > game.moves.len() {
        bail!("--ply {ply}: the game has {} half-moves", game.moves.len());
    }
    // With the counts of Makruk that were claimed up to there.
    let position = game.position(ply);
    let last = match ply.checked_sub(1).and_then(|last| Some((last, *game.moves.get(last)?))) {
        None => "the start".to_owned(),
        Some((last, mv)) => {
            let before = game.position(last);
            let dots = if before.side_to_move() == Color::White { "." } else { "..." };
            format!("after {}{dots} {}", before.fullmove_number(), before.san(mv))
        }
    };
    let mut text = board::draw(&position);
    let _ = writeln!(text, "{last}\n{position}");
    let opening = game.start.as_chess().and_then(|start| openings::of_moves(start, &game.moves));
    if let Some(opening) = opening {
        let _ = writeln!(text, "{opening}");
    }
    text.push('\n');
    let mut writer = Writer::new(Vec::new());
    writer.write(game)?;
    text.push_str(String::from_utf8_lossy(&writer.into_inner()).trim_end());
    if let Some(fault) = &stored.fault {
        let _ = write!(text, "\n\nThe moves end at a fault: {fault}");
    }
    output::line(text)?;
    Ok(Done::Found)
}
