//! Boards drawn for people.

use halfmove_rules::{AnyPosition, Board, Color, File, Makruk, Rank, Square};
use std::fmt::Write as _;

/// Draws the board of a position with a frame, White below.
pub(crate) fn draw(position: &AnyPosition) -> String {
    match position {
        AnyPosition::Chess(position) => draw_chess(position.board()),
        AnyPosition::Makruk(position) => draw_makruk(position),
    }
}

fn draw_chess(board: &Board) -> String {
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

/// In FEN's letters: Unicode has no symbols for all pieces of Makruk.
fn draw_makruk(position: &Makruk) -> String {
    let fen = position.to_string();
    let ranks = fen.split(' ').next().unwrap_or_default().split('/');
    let mut text = String::new();
    for (rank, pieces) in Rank::ALL.into_iter().rev().zip(ranks) {
        text.push(rank.digit());
        text.push(' ');
        for letter in pieces.chars().filter(|letter| *letter != '~') {
            match letter.to_digit(10) {
                Some(empty) => text.push_str(&" ·".repeat(empty as usize)),
                None => text.extend([' ', letter]),
            }
        }
        text.push('\n');
    }
    text.push_str("  ");
    text.extend(File::ALL.into_iter().flat_map(|file| [' ', file.letter()]));
    text.push_str("\n\n");
    text
}
