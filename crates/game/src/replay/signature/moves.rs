//! The signature of a chess game from the standard starting position, computed from its moves.
//!
//! The squares of the moves do not depend on the board, so the loop never waits for it, and it has no branches except
//! for rare moves. Captures and promotions are appended to a list without branches: every half-move writes an entry,
//! but only captures advance the length. A second loop, from the last move to the first, records when each square was
//! first left or entered.

use halfmove_rules::{CastlingSide, Move, Role, Square};

use super::super::chess::Start;
use super::super::watch::{EMPTY_CHESS, Occupant};
use super::{FEWER, LAST, NEVER, Signature, pack, stored};

const EMPTY: Occupant = EMPTY_CHESS;

/// The length of the list: more than the captures and promotions of any game.
const LISTED: usize = 64;

/// A capture or a promotion.
#[derive(Copy, Clone)]
struct Change {
    /// The half-moves played before it.
    plies: u32,
    /// The captured piece, or the pawn.
    gone: Occupant,
    /// The piece that a pawn promotes to.
    came: Occupant,
}

/// The signature of a game from the standard starting position, without the line. The signature of illegal moves is
/// unspecified.
pub(super) fn signature(moves: &[Move]) -> Signature {
    let mut squares = Start::usual().squares().0;
    let mut changes = [Change { plies: 0, gone: EMPTY, came: EMPTY }; LISTED];
    let mut count = 0;
    for (plies, mv) in (0..).zip(moves) {
        let (from, to) = (mv.from().index(), mv.to().index());
        if mv.is_castle() {
            castle(&mut squares, *mv);
            continue;
        }
        let mover = std::mem::replace(&mut squares[from], EMPTY);
        // In this order, a null move, with two equal squares, captures nothing.
        let mut gone = std::mem::replace(&mut squares[to], mover);
        // A pawn moving to an empty square on another file, in one comparison, because several would be unpredictable
        // branches.
        let other = (mover % 8) ^ Role::Pawn as u8 | gone ^ EMPTY;
        if (from ^ to) % 8 > usize::from(other) * 8 {
            let taken = Square::new(mv.to().file(), mv.from().rank()).index();
            gone = std::mem::replace(&mut squares[taken], EMPTY);
        }
        let change = &mut changes[count % LISTED];
        (change.plies, change.gone) = (plies, gone);
        count += usize::from(gone != EMPTY);
        if mv.to_bits() >> 12 != 0
            && let Some(role) = mv.promotion()
        {
            let came = role as u8 | mover & 8;
            squares[to] = came;
            changes[count % LISTED] = Change { plies, gone: mover, came };
            count += 1;
        }
    }
    let mut counts = [0_u8; 16];
    for (role, number) in Role::CHESS.into_iter().zip([8, 2, 2, 2, 1, 1]) {
        counts[role as usize] = number;
        counts[role as usize | 8] = number;
    }
    let (mut least, mut pieces) = (counts, [16_usize; 2]);
    // The plies at which each total number of pieces was left, and each number per side. Pieces disappear one by one,
    // so each number occurs once.
    let (mut left, mut left_of) = ([NEVER; 32], [[NEVER; 16]; 2]);
    for Change { plies, gone, came } in &changes[..count.min(LISTED)] {
        let (at, side) = (usize::from(*gone) % 16, usize::from(*gone >> 3) % 2);
        counts[at] = counts[at].saturating_sub(1);
        least[at] = least[at].min(counts[at]);
        if *came == EMPTY {
            pieces[side] = pieces[side].saturating_sub(1);
            left[(pieces[0] + pieces[1]) % 32] = stored(plies + 1);
            left_of[side][pieces[side] % 16] = stored(plies + 1);
        } else {
            counts[usize::from(*came) % 16] += 1;
        }
    }
    Signature {
        pawn_ply: pawn_ply(moves),
        fewer_ply: FEWER.map(|fewer| left[usize::from(fewer) - 1]),
        last_ply: std::array::from_fn(|index| {
            left_of[index / LAST.len()][usize::from(LAST[index % LAST.len()]) - 1]
        }),
        least: pack(|color, role| match role {
            // Its number equals that of an empty square.
            Role::Khon | Role::Met => 0,
            _ => least[role as usize | (color as usize) << 3],
        }),
        line: 0,
    }
}

#[cold]
fn castle(squares: &mut [Occupant; 64], mv: Move) {
    let (king, rook) = (mv.from(), mv.to());
    let side = CastlingSide::of(king, rook);
    let pieces = [(king, side.king_file()), (rook, side.rook_file())];
    let moved =
        pieces.map(|(from, file)| (file, std::mem::replace(&mut squares[from.index()], EMPTY)));
    for (file, piece) in moved {
        squares[Square::new(file, king.rank()).index()] = piece;
    }
}

/// [`Signature::pawn_ply`]: when the first square of each pawn was first left or entered.
fn pawn_ply(moves: &[Move]) -> [u8; 16] {
    let mut first = [NEVER; 64];
    for (index, mv) in moves.iter().enumerate().rev() {
        let ply = stored(index as u32 + 1);
        first[mv.from().index()] = ply;
        first[mv.to().index()] = ply;
    }
    std::array::from_fn(|index| {
        let rank = [8, 48][index / 8];
        first[rank + index % 8]
    })
}
