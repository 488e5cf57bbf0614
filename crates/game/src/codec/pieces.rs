//! Numbers for pieces.

use halfmove_rules::{Board, Role, Square};

/// The number of pieces of a side with a number: eight pawns, two knights, two bishops, two rooks, a
/// queen and a king.
pub(crate) const PIECES: usize = 16;

/// The square of a piece that is not on the board.
pub(crate) const ABSENT: u8 = 0xff;

/// The first number of a role, and the size of its range of numbers.
pub(crate) const fn numbers(role: Role) -> (usize, usize) {
    match role {
        Role::Pawn => (0, 8),
        Role::Knight => (8, 2),
        Role::Bishop | Role::Khon => (10, 2),
        Role::Rook => (12, 2),
        Role::Queen | Role::Met => (14, 1),
        Role::King => (15, 1),
    }
}

/// The squares of both sides' numbered pieces at the start of a game.
///
/// Numbers are assigned in the order of the squares, a1 to h1, a2 to h2 and so on to h8: in the standard starting
/// position the a-pawn is 0 and the queen's knight 8. Pieces beyond a role's range (such as a third knight) have no
/// number.
pub(crate) fn number(board: &Board) -> [[u8; PIECES]; 2] {
    let mut squares = [[ABSENT; PIECES]; 2];
    for (square, piece) in board.pieces() {
        let (first, count) = numbers(piece.role);
        let slots = &mut squares[piece.color.index()][first..first + count];
        if let Some(free) = slots.iter_mut().find(|at| **at == ABSENT) {
            *free = square as u8;
        }
    }
    squares
}

/// The number of the piece on a square; `None` for a piece without a number.
pub(crate) fn number_on(squares: &[u8; PIECES], square: Square) -> Option<usize> {
    squares.iter().position(|at| *at == square as u8)
}
