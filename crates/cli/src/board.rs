//! Boards drawn for people.

use halfmove_rules::{AnyPosition, Board, Color, File, Makruk, Rank, Square};

/// Draws the board of a position with a frame, and one of the sides below.
pub(crate) fn draw(position: &AnyPosition, below: Color) -> String {
    let marks = match position {
        AnyPosition::Chess(position) => of_chess(position.board()),
        AnyPosition::Makruk(position) => of_makruk(position),
    };
    let (mut ranks, mut files) = (Rank::ALL, File::ALL);
    match below {
        Color::White => ranks.reverse(),
        Color::Black => files.reverse(),
    }
    let mut text = String::new();
    for rank in ranks {
        text.push(rank.digit());
        text.push(' ');
        text.extend(files.iter().flat_map(|file| [' ', marks[rank.index()][file.index()]]));
        text.push('\n');
    }
    text.push_str("  ");
    text.extend(files.iter().flat_map(|file| [' ', file.letter()]));
    text.push('\n');
    text
}

/// The marks of the squares, rank by rank, from the first.
type Marks = [[char; 8]; 8];

const EMPTY: char = '·';

fn of_chess(board: &Board) -> Marks {
    let mark = |square| match board.piece_at(square) {
        None => EMPTY,
        Some(piece) => {
            let figures = match piece.color {
                Color::White => ['♙', '♘', '♗', '♖', '♕', '♔'],
                Color::Black => ['♟', '♞', '♝', '♜', '♛', '♚'],
            };
            figures[piece.role.index()]
        }
    };
    Rank::ALL.map(|rank| File::ALL.map(|file| mark(Square::new(file, rank))))
}

/// In FEN's letters: Unicode has no symbols for all pieces of Makruk.
fn of_makruk(position: &Makruk) -> Marks {
    let mut marks = [[EMPTY; 8]; 8];
    let fen = position.to_string();
    let ranks = fen.split(' ').next().unwrap_or_default().split('/');
    for (marks, pieces) in marks.iter_mut().rev().zip(ranks) {
        let mut file = 0;
        for letter in pieces.chars().filter(|letter| *letter != '~') {
            match letter.to_digit(10) {
                Some(empty) => file += empty as usize,
                None => {
                    if let Some(mark) = marks.get_mut(file) {
                        *mark = letter;
                    }
                    file += 1;
                }
            }
        }
    }
    marks
}
