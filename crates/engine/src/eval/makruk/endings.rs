//! Endings of Makruk: driving a bare king to the edge, and scaling a lead by the count.

use super::VALUES;
use crate::Count;
use crate::eval::{Ending, FULL_SCALE, Tapered, from_center};
use halfmove_rules::{Bitboard, Board, Color, Piece, Role, Square};

/// The number of moves in which a side is expected to mate a bare king with a rook, with two khons or knights, and with
/// anything else. If the count leaves fewer, the lead is scaled down.
const MOVES_NEEDED: [i32; 3] = [14, 22, 32];

/// The number of moves that a side is expected to need to win against pieces while board's honor is counted.
const MOVES_NEEDED_AGAINST_PIECES: i32 = 40;

/// The bonus for capturing the last piece of a side that can then be mated, in addition to the piece's value.
const WIN: i32 = 300;

/// Adds a bonus for driving a losing king, and scales down leads that cannot be won, or not in time.
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
        // While the losing side has pieces, the bonus starts only at a lead that is likely to win.
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

/// White's lead in an ending that either side wins if the count is long enough: a bare king against enough pieces and
/// no bia. It depends on the pieces alone, because small differences by square would only obscure the bonus for
/// [driving the king](of).
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

/// Returns true if a side without bia has enough to mate a bare king: a rook, or two pieces other than mets on squares
/// of one color.
fn can_win(board: &Board, stronger: Color) -> bool {
    let of = |role| board.by_piece(Piece { color: stronger, role });
    let mets = of(Role::Met);
    let others = of(Role::Khon) | of(Role::Knight);
    if !of(Role::Rook).is_empty() {
        return true;
    }
    if others.is_empty() {
        // Mets alone win only if there are more than two, on both colors.
        return mets.len() > 2
            && mets.intersects(Bitboard::LIGHT)
            && mets.intersects(Bitboard::DARK);
    }
    (others | mets).has_many()
}

/// A bonus for a losing king near the edge, and for the other king near it.
fn chase(board: &Board, stronger: Color, weight: i32) -> Tapered {
    let king = |color| {
        let king = board.by_piece(Piece { color, role: Role::King });
        king.first().unwrap_or(Square::A1)
    };
    let (us, them) = (king(stronger), king(!stronger));
    let near = 14 - i32::from(us.manhattan_distance(them));
    Tapered::new(0, weight * (8 * from_center(them) + 5 * near) / 400)
}
