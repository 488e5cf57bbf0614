//! `halfmove show`: draws one game.

use crate::args::Show;
use crate::{Done, archive, output};
use anyhow::bail;
use halfmove_archive::ArchiveError;
use halfmove_game::pgn::Writer;
use halfmove_rules::{Board, Color, File, Rank, Square};
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
    let mut position = game.start.clone();
    let mut last = String::from("the start");
    for &mv in &game.moves[..ply] {
        let dots = if position.side_to_move() == Color::White { "." } else { "..." };
        last = format!("after {}{dots} {}", position.fullmove_number(), position.san(mv));
        position.play_unchecked(mv);
    }
    let mut text = draw(position.board());
    let _ = writeln!(text, "{last}\n{position}\n");
    let mut writer = Writer::new(Vec::new());
    writer.write(game)?;
    text.push_str(String::from_utf8_lossy(&writer.into_inner()).trim_end());
    if let Some(fault) = &stored.fault {
        let _ = write!(text, "\n\nThe moves end at a fault: {fault}");
    }
    output::line(text)?;
    Ok(Done::Found)
}

/// Draws the board with a frame, White below.
pub(crate) fn draw(board: &Board) -> String {
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        let _ = write!(text, "{rank} ");
        for file in File::ALL {
            let square = Square::new(file, rank);
            let mark = match board.piece_at(square) {
                None => '·',
                Some(piece) => {
                    let figures = match piece.color {
                        Color::White => ['♙', '♘', '♗', '♖', '♕', '♔'],
                        Color::Black => ['♟', '♞', '♝', '♜', '♛', '♚'],
                    };
                    figures[piece.role.index()]
                }
            };
            let _ = write!(text, " {mark}");
        }
        text.push('\n');
    }
    text.push_str("   a b c d e f g h\n\n");
    text
}
