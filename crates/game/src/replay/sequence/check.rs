//! Check detection on a board of squares.

use halfmove_rules::{Color, Piece, Role};

use super::super::watch::{Moment, Occupant, occupant};

/// The steps along which pieces slide: straight ones, then diagonals, as files and ranks.
const STEPS: [(i8, i8); 8] = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)];

/// Returns true if the side to move is in check after the last move: by the piece that moved, or by a slider
/// behind its origin. The rays are followed from the king.
pub(super) fn is_check<const EMPTY: Occupant>(at: &Moment<'_>) -> bool {
    let (us, them) = (at.us, !at.us);
    let squares = &at.squares.0;
    let king = occupant(Piece { color: us, role: Role::King });
    let Some(king) = memchr::memchr(king, squares) else { return false };
    let place = |square: usize| ((square % 8) as i8, (square / 8 % 8) as i8);
    let (file, rank) = place(king);
    let on = |file: i8, rank: i8| {
        let is_there = (0..8).contains(&file) && (0..8).contains(&rank);
        is_there.then(|| squares[(8 * rank + file) as usize])
    };
    // Seen from the king, the forward direction of an attacker is reversed.
    let behind = if them == Color::White { -1 } else { 1 };
    let sees_attacker = |(east, north): (i8, i8)| {
        let (mut to_file, mut to_rank, mut is_next) = (file + east, rank + north, true);
        while let Some(found) = on(to_file, to_rank) {
            if found != EMPTY {
                return found >> 3 == them as u8 && attacks(found, (east, north), is_next, behind);
            }
            (to_file, to_rank, is_next) = (to_file + east, to_rank + north, false);
        }
        false
    };
    let (from, to) = (usize::from(at.last.0) % 64, usize::from(at.last.1) % 64);
    let arrived = squares[to];
    let (to_file, to_rank) = place(to);
    if arrived & 7 == Role::Knight as u8 {
        let steps = ((to_file - file).abs(), (to_rank - rank).abs());
        if matches!(steps, (1, 2) | (2, 1)) {
            return true;
        }
    }
    // Castling and en passant captures change more squares.
    let is_pawn = arrived & 7 == Role::Pawn as u8;
    if from == to || is_pawn && from % 8 != to % 8 {
        return STEPS.into_iter().any(sees_attacker);
    }
    [(to_file, to_rank), place(from)].into_iter().any(|(to_file, to_rank)| {
        let (files, ranks) = (to_file - file, to_rank - rank);
        let is_line = files == 0 || ranks == 0 || files.abs() == ranks.abs();
        is_line && sees_attacker((files.signum(), ranks.signum()))
    })
}

/// Returns true if a piece attacks a king in this direction from it.
fn attacks(piece: Occupant, (east, north): (i8, i8), is_next: bool, behind: i8) -> bool {
    const PAWN: u8 = Role::Pawn as u8;
    const BISHOP: u8 = Role::Bishop as u8;
    const ROOK: u8 = Role::Rook as u8;
    const QUEEN: u8 = Role::Queen as u8;
    const KHON: u8 = Role::Khon as u8;
    const MET: u8 = Role::Met as u8;
    let is_diagonal = east != 0 && north != 0;
    match piece & 7 {
        ROOK => !is_diagonal,
        BISHOP => is_diagonal,
        QUEEN => true,
        PAWN => is_next && is_diagonal && north == behind,
        MET => is_next && is_diagonal,
        KHON => is_next && (is_diagonal || east == 0 && north == behind),
        _ => false,
    }
}
