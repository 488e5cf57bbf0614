//! Endings of chess that the sum of terms misjudges.

use crate::eval::{Ending, FULL_SCALE, Tapered, from_center};
use halfmove_rules::{Bitboard, Board, Color, Piece, Role, Square};

/// Drives a bare king to the edge, and scales down leads that cannot be won.
#[inline(always)]
pub(super) fn of(board: &Board, lead: i32) -> Ending {
    let mut ending = Ending::PLAIN;
    if lead == 0 {
        return ending;
    }
    let stronger = if lead > 0 { Color::White } else { Color::Black };
    let of = |color, role| board.by_piece(Piece { color, role });
    let [ours, theirs] = [stronger, !stronger].map(|color| board.by_color(color));
    let pieces = |color: Color| {
        let count = |role| of(color, role).len() as i32;
        let minors = 3 * (count(Role::Knight) + count(Role::Bishop));
        minors + 5 * count(Role::Rook) + 9 * count(Role::Queen)
    };
    let (strong, weak) = (pieces(stronger), pieces(!stronger));

    if !theirs.has_many() && strong >= 5 {
        ending.chase = chase(board, stronger);
    }
    let pawns = of(stronger, Role::Pawn);
    if pawns.is_empty() {
        // Without pawns, a win takes an extra rook or two extra minor pieces.
        let only_knights = ours.len() == 3 && of(stronger, Role::Knight).len() == 2;
        if strong - weak < 5 || only_knights {
            ending.scale = if strong < 5 || only_knights { 2 } else { 12 };
        }
        return ending;
    }
    let bishops = board.by_role(Role::Bishop);
    let one_each = of(stronger, Role::Bishop).len() == 1 && of(!stronger, Role::Bishop).len() == 1;
    let opposite = bishops.intersects(Bitboard::LIGHT) && bishops.intersects(Bitboard::DARK);
    if one_each && opposite {
        ending.scale = if strong == 3 && weak == 3 { FULL_SCALE / 2 } else { FULL_SCALE * 7 / 8 };
    }
    ending
}

/// A bonus for a bare king near the edge, or near the right corner against a bishop, and for the
/// other king near it.
fn chase(board: &Board, stronger: Color) -> Tapered {
    let king = |color| {
        let king = board.by_piece(Piece { color, role: Role::King });
        king.first().unwrap_or(Square::A1)
    };
    let (us, them) = (king(stronger), king(!stronger));
    let mut end = 12 * from_center(them) + 8 * (14 - i32::from(us.manhattan_distance(them)));
    let bishops = board.by_color(stronger) & board.by_role(Role::Bishop);
    let others = board.by_color(stronger) - bishops - us - board.by_role(Role::Knight);
    if others.is_empty() && bishops.len() == 1 {
        let corners = match bishops.intersects(Bitboard::LIGHT) {
            true => [Square::A8, Square::H1],
            false => [Square::A1, Square::H8],
        };
        let nearest = corners.map(|corner| them.manhattan_distance(corner)).into_iter().min();
        end += 20 * (14 - i32::from(nearest.unwrap_or(0)));
    }
    Tapered::new(0, end)
}
