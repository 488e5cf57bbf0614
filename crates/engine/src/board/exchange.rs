//! Static exchange evaluation on bitboards: tests if a series of captures on one square gains at least a threshold.
//!
//! No move is played: each capturing piece is removed from the set of occupied squares, and sliders behind it become
//! attackers. Unlike [`Chess::see`](halfmove_rules::Chess::see), this ignores pins, which cost more to find than they
//! gain here, and it supports Makruk.
//!
//! # Source
//! "Static Exchange Evaluation" and "SEE - The Swap Algorithm", Chess Programming Wiki.

use halfmove_rules::{Bitboard, Board, Color, Move, Role, Square};

/// All roles, by ascending value in both games. The king captures last.
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

/// Finds the attackers of a square by the rules of a game.
pub(super) trait Attackers {
    /// The pieces of both sides that attack the square, given the occupied squares.
    fn all(&self, square: Square, occupied: Bitboard) -> Bitboard;

    /// The sliders that attack the square, including those uncovered by the capture of a piece of this role.
    fn behind(&self, role: Role, square: Square, occupied: Bitboard) -> Bitboard;
}

/// Returns true if the move wins at least `threshold`; see
/// [`SearchBoard::exchange_at_least`](crate::SearchBoard::exchange_at_least).
#[inline(always)]
pub(super) fn at_least(
    board: &Board,
    mv: Move,
    ep_square: Option<Square>,
    threshold: i32,
    values: &[i32; 8],
    attackers: &impl Attackers,
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

    // `score` is ours after the captures so far. A side that is satisfied with it stops; otherwise it has to capture.
    let mut stake = value(on_square);
    if score < threshold {
        return false;
    }
    if score - stake >= threshold {
        return true;
    }
    let mut all = attackers.all(square, occupied) & (occupied - square);
    let mut capture = |side: Color| {
        let own = all & board.by_color(side);
        if own.is_empty() {
            return None;
        }
        let (role, from) = BY_VALUE
            .into_iter()
            .find_map(|role| Some((role, (own & board.by_role(role)).first()?)))?;
        occupied -= from;
        all |= attackers.behind(role, square, occupied);
        all &= occupied - square;
        if role == Role::King && all.intersects(board.by_color(!side)) {
            return None;
        }
        let taken = value(on_square);
        on_square = role;
        Some((taken, value(role)))
    };
    loop {
        let Some((taken, next)) = capture(!mover.color) else { return true };
        score -= taken;
        if score + next < threshold {
            return false;
        }
        let Some((taken, next)) = capture(mover.color) else { return false };
        score += taken;
        stake = next;
        if score < threshold {
            return false;
        }
        if score - stake >= threshold {
            return true;
        }
    }
}
