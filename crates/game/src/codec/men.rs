//! Which piece is which.

use halfmove_rules::{Board, Role, Square};

/// Each side's pieces that have a number of their own: eight pawns, two knights, two bishops, two
/// rooks, a queen, a king.
pub(crate) const MEN: usize = 16;

/// Where a piece without a square is: it is not on the board.
pub(crate) const ABSENT: u8 = 0xff;

/// The first number of a role and how many there are.
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
/// Pieces are numbered as they stand, from a1 to h1, a2 to h2 and so on to h8: in the usual start the
/// a-pawn is 0 and the queen's knight 8. A piece beyond its role's numbers (a third knight of a
/// position set up) has none.
pub(crate) fn number(board: &Board) -> [[u8; MEN]; 2] {
    let mut squares = [[ABSENT; MEN]; 2];
    for (square, piece) in board.pieces() {
        let (first, count) = numbers(piece.role);
        let men = &mut squares[piece.color.index()][first..first + count];
        if let Some(free) = men.iter_mut().find(|at| **at == ABSENT) {
            *free = square as u8;
        }
    }
    squares
}

/// The number of the piece on a square, if it has one.
pub(crate) fn number_on(squares: &[u8; MEN], square: Square) -> Option<usize> {
    squares.iter().position(|at| *at == square as u8)
}
