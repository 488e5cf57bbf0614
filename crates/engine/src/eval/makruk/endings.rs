//! Endings of Makruk: what drives a bare king, and how much of a lead the count leaves.

use super::VALUES;
use crate::Count;
use crate::eval::{Ending, FULL_SCALE, Tapered, from_center};
use halfmove_rules::{Bitboard, Board, Color, Piece, Role, Square};

/// Moves in which a side that leads is expected to mate a bare king with a rook, with two khons or knights, and
/// with anything else. With fewer left in the count, the lead counts less.
const MOVES_NEEDED: [i32; 3] = [14, 22, 32];

/// Moves that a side needs to win against pieces, before the count for board's honor ends.
const MOVES_NEEDED_AGAINST_PIECES: i32 = 40;

/// The worth of having taken the last piece of a side that will be mated, beyond the piece.
const WIN: i32 = 300;

/// Drives a losing king, and scales down what cannot be won, or not in time.
#[inline(always)]
pub(super) fn of(board: &Board, count: Option<Count>, lead: i32) -> Ending {
    let mut ending = Ending::PLAIN;
    if lead == 0 {
        return ending;
    }
    let stronger = if lead > 0 { Color::White } else { Color::Black };
    let of = |role| board.by_piece(Piece { color: stronger, role });
    let bare = !board.by_color(!stronger).has_many();
    let bias = of(Role::Pawn);
    if bias.is_empty() {
        // Against pieces, the chase begins with a lead that is likely to win.
        let weight = if bare { 2_400 } else { (2 * (lead.abs() - 400)).clamp(0, 800) };
        ending.chase = chase(board, stronger, weight);
        ending.scale = if can_win(board, stronger) { FULL_SCALE } else { 3 };
        if !bare {
            // A small lead without bia is hard to win.
            let scale = (lead.abs() + 100) * FULL_SCALE / 500;
            ending.scale = ending.scale.min(scale.clamp(FULL_SCALE / 2, FULL_SCALE));
        }
    }
    if let Some(count) = count {
        let needed = match (count.bare, of(Role::Rook).len()) {
            (false, _) => MOVES_NEEDED_AGAINST_PIECES,
            (true, 1..) => MOVES_NEEDED[0],
            (true, 0) if of(Role::Khon).has_many() || of(Role::Knight).has_many() => {
                MOVES_NEEDED[1]
            }
            _ => MOVES_NEEDED[2],
        };
        let left = count.chaser_moves_left().min(needed);
        ending.scale = ending.scale * left / needed;
    }
    ending
}

/// The lead of White in an ending that it, or Black, is sure to win if the count is long enough: a bare king against
/// enough pieces and no bia. The pieces alone decide; the way to the mate is that of the [chase](of), which places that are
/// worth a little more or less would only hide.
#[inline(always)]
pub(super) fn known_win(board: &Board) -> Option<i32> {
    let bare = Color::ALL.into_iter().find(|color| !board.by_color(*color).has_many())?;
    let of = |role| board.by_piece(Piece { color: !bare, role });
    if !of(Role::Pawn).is_empty() || !can_win(board, !bare) {
        return None;
    }
    let pieces = [Role::Knight, Role::Rook, Role::Khon, Role::Met];
    let material: i32 =
        pieces.map(|role| of(role).len() as i32 * VALUES[role.index()]).iter().sum();
    Some(if bare == Color::Black { WIN + material } else { -WIN - material })
}

/// True if a side without bia has enough to drive even a bare king into mate: a rook, or two pieces that are not mets
/// on squares of one color.
fn can_win(board: &Board, stronger: Color) -> bool {
    let of = |role| board.by_piece(Piece { color: stronger, role });
    let mets = of(Role::Met);
    let others = of(Role::Khon) | of(Role::Knight);
    if !of(Role::Rook).is_empty() {
        return true;
    }
    if others.is_empty() {
        // Mets alone need both colors, and more than two of them.
        return mets.len() > 2
            && mets.intersects(Bitboard::LIGHT)
            && mets.intersects(Bitboard::DARK);
    }
    (others | mets).has_many()
}

/// The losing king belongs at the edge, and the other king near it.
fn chase(board: &Board, stronger: Color, weight: i32) -> Tapered {
    let king = |color| {
        let king = board.by_piece(Piece { color, role: Role::King });
        king.first().unwrap_or(Square::A1)
    };
    let (us, them) = (king(stronger), king(!stronger));
    let near = 14 - i32::from(us.manhattan_distance(them));
    Tapered::new(0, weight * (8 * from_center(them) + 5 * near) / 400)
}
