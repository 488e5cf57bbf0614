//! Static exchange evaluation on bitboards: is a series of captures on one square worth a threshold?
//!
//! No move is played: each piece that captures leaves the set of occupied squares, which uncovers the sliders behind it.
//! Unlike [`Chess::see`](halfmove_rules::Chess::see) this ignores pins, which cost more to find than they are worth
//! here, and it serves Makruk as well.
//!
//! # Source
//! "Static Exchange Evaluation" and "SEE - The Swap Algorithm", Chess Programming Wiki.

use halfmove_rules::{Bitboard, Board, Color, Move, Role, Square};

/// All roles, by their value in both games. The king captures last.
const BY_VALUE: [Role; 8] = [
    Role::Pawn,
    Role::Met,
    Role::Khon,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
    Role::King,
];

/// Whether the move wins at least `threshold`; see
/// [`SearchBoard::exchange_at_least`](crate::SearchBoard::exchange_at_least).
#[inline]
pub(super) fn at_least(
    board: &Board,
    mv: Move,
    ep_square: Option<Square>,
    threshold: i32,
    values: &[i32; 8],
    attackers: impl Fn(Square, Color, Bitboard) -> Bitboard,
) -> bool {
    let Some(mover) = board.piece_at(mv.from()).filter(|_| !mv.is_castle()) else {
        return threshold <= 0;
    };
    let value = |role: Role| values[role.index()];
    let (from, square) = (mv.from(), mv.to());
    let mut occupied = (board.occupied() - from) | square;
    let mut score = board.role_at(square).map_or(0, value);
    if mover.role == Role::Pawn && Some(square) == ep_square {
        occupied -= Square::new(square.file(), from.rank());
        score += value(Role::Pawn);
    }
    let mut on_square = mv.promotion().unwrap_or(mover.role);
    score += value(on_square) - value(mover.role);

    // `score` is ours after the captures so far. A side that is satisfied with it stops; one that is not has to
    // capture.
    let mut capture = |side: Color| {
        let all = attackers(square, side, occupied) & (occupied - square);
        let (role, from) = BY_VALUE.into_iter().find_map(|role| {
            let from = (all & board.by_role(role)).first()?;
            Some((role, from))
        })?;
        occupied -= from;
        let guarded = role == Role::King
            && !(attackers(square, !side, occupied) & (occupied - square)).is_empty();
        if guarded {
            return None;
        }
        let taken = value(on_square);
        on_square = role;
        Some((taken, value(role)))
    };
    let mut stake = value(mv.promotion().unwrap_or(mover.role));
    loop {
        if score < threshold {
            return false;
        }
        if score - stake >= threshold {
            return true;
        }
        let Some((taken, next)) = capture(!mover.color) else { return true };
        score -= taken;
        if score + next < threshold {
            return false;
        }
        let Some((taken, next)) = capture(mover.color) else { return false };
        score += taken;
        stake = next;
    }
}
