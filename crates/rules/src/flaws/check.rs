//! The checks that can result from a last move.

use crate::chess::relative_rank;
use crate::{Bitboard, Board, Color, Piece, Rank, Role, Square};
use halfmove_bitboard::{attacks, lines};

/// Returns true if some last move can have led to these checks. `false` is certain. `true` is not: only the
/// geometry of the last move is tested, not the legality of the position before it.
///
/// `ep_square` is the square behind the pawn if the last move was a double step.
pub(super) fn can_arise(board: &Board, us: Color, ep_square: Option<Square>) -> bool {
    let them = !us;
    let Some(king) = board.king(us) else { return true };
    if let Some(behind) = ep_square.map(Bitboard::square) {
        let (origin, pawn) = (behind.forward(us), behind.forward(them));
        let mut earlier = board.clone();
        earlier.clear(pawn);
        for square in origin {
            earlier.put(square, Piece { color: them, role: Role::Pawn });
        }
        // It was their move, so our king was not in check.
        return earlier.attackers(king, them, earlier.occupied()).is_empty();
    }
    let checkers = board.attackers(king, them, board.occupied());
    let mut squares = checkers.into_iter();
    match (squares.next(), squares.next(), squares.next()) {
        (Some(a), Some(b), None) => {
            uncovers(board, king, them, a, b)
                || uncovers(board, king, them, b, a)
                || by_en_passant(board, king, them, checkers)
        }
        (.., Some(_)) => false,
        _ => true,
    }
}

/// Returns true if the piece on `moved` can have come from the line on which `slider` gives check. Castling
/// need not be considered: it opens lines on the first rank only, and its own rook stands there.
fn uncovers(board: &Board, king: Square, them: Color, moved: Square, slider: Square) -> bool {
    origins(board, them, moved).intersects(lines::between(king, slider))
}

/// The squares that the piece on a square can have come from.
fn origins(board: &Board, color: Color, to: Square) -> Bitboard {
    let occupied = board.occupied();
    let pawn = || {
        let one = Bitboard::square(to).forward(!color) - occupied;
        let third = Bitboard::rank(relative_rank(color, Rank::Third));
        let two = (one & third).forward(!color) - occupied;
        one | two | (attacks::pawn(!color, to) - occupied)
    };
    let origins = match board.role_at(to) {
        Some(Role::Pawn) => return pawn(),
        Some(Role::Knight) => attacks::knight(to) - occupied,
        Some(Role::Bishop) => attacks::bishop(to, occupied),
        Some(Role::Rook) => attacks::rook(to, occupied),
        Some(Role::Queen) => attacks::queen(to, occupied),
        Some(Role::King | Role::Khon | Role::Met) | None => return Bitboard::EMPTY,
    };
    let promoted = to.rank() == relative_rank(color, Rank::Eighth);
    if promoted { origins | pawn() } else { origins }
}

/// Returns true if an en passant capture can have given both checks: it vacates two squares of one rank.
fn by_en_passant(board: &Board, king: Square, them: Color, checkers: Bitboard) -> bool {
    let sixth = Bitboard::rank(relative_rank(them, Rank::Sixth));
    let pawns = board.by_piece(Piece { color: them, role: Role::Pawn }) & sixth;
    pawns.into_iter().any(|pawn| {
        let (taken, home) =
            (Bitboard::square(pawn).forward(!them), Bitboard::square(pawn).forward(them));
        if board.occupied().intersects(taken | home) {
            return false;
        }
        (attacks::pawn(!them, pawn) - board.occupied()).into_iter().any(|from| {
            let emptied = taken | from;
            checkers
                .into_iter()
                .all(|checker| checker == pawn || lines::between(king, checker).intersects(emptied))
        })
    })
}
