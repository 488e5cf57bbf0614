//! A filter for games in which the moves of a sequence cannot follow each other.
//!
//! The square of a piece follows from its own moves, so the squares of the numbered pieces are sufficient; no board is
//! needed. Moves match as in the full replay, except that captures and checks are unknown. This rejects most games in a
//! quarter of the time.

use halfmove_rules::{CastlingSide, Color, Piece, Role};

use super::super::chess::{STEPS, Start};
use super::super::watch::occupant;
use super::MoveSequence;
use crate::codec::halfmove::chess::{CASTLE_KING_SIDE, CASTLE_QUEEN_SIDE, OTHER_MOVE, spelled_out};
use crate::codec::pieces::{ABSENT, PIECES};

/// For each code of a side, the moves of a sequence that its piece may make.
pub(super) type Codes = [[u64; 256]; 2];

/// The table of a sequence.
pub(super) fn codes_of(pieces: &[u64; 16], castling: &[u64; 2], no_promotion: u64) -> Box<Codes> {
    let mut codes = Box::new([[0; 256]; 2]);
    for (color, (codes, steps)) in Color::ALL.into_iter().zip(codes.iter_mut().zip(&STEPS)) {
        for (code, step) in codes.iter_mut().zip(steps) {
            if usize::from(step.piece) < PIECES {
                *code = pieces[usize::from(step.mover) % 16] & no_promotion;
            }
        }
        let king = pieces[usize::from(occupant(Piece { color, role: Role::King })) % 16];
        for (code, side) in [
            (CASTLE_KING_SIDE, CastlingSide::KingSide),
            (CASTLE_QUEEN_SIDE, CastlingSide::QueenSide),
        ] {
            codes[usize::from(code)] = king & castling[side as usize];
        }
    }
    codes
}

/// Returns true if the moves of a sequence may follow each other in a game from the standard starting position. May
/// return true for null moves and invalid bytes.
pub(super) fn may_follow(codes: &[u8], sequence: &MoveSequence) -> bool {
    let start = Start::usual();
    let watched = sequence.last | sequence.numbered | sequence.mates;
    let mut walk = Walk { start, codes, sequence, watched, squares: start.numbers };
    let mut at = At { at: 0, behind: 0, kept: 0, fresh: 0 };
    loop {
        if let Some(answer) = walk.step::<0>(&mut at) {
            return answer;
        }
        if let Some(answer) = walk.step::<1>(&mut at) {
            return answer;
        }
    }
}

struct Walk<'a> {
    start: &'static Start,
    codes: &'a [u8],
    sequence: &'a MoveSequence,
    /// The bits that need a closer look when they are set.
    watched: u64,
    /// The squares of the numbered pieces; captured pieces keep their last square.
    squares: [[u8; PIECES]; 2],
}

/// The state that the loop keeps in registers.
#[derive(Copy, Clone)]
struct At {
    at: usize,
    /// The offset of the next code less the number of half-moves played.
    behind: usize,
    /// See [`Progress`](super::Progress).
    kept: u64,
    fresh: u64,
}

impl Walk<'_> {
    /// Plays a half-move. Returns the result, once it is known.
    #[inline(always)]
    fn step<const US: usize>(&mut self, now: &mut At) -> Option<bool> {
        let Some(&byte) = self.codes.get(now.at) else { return Some(false) };
        let tables = &self.sequence.tables;
        let step = STEPS[US][usize::from(byte)];
        let mut fits = self.sequence.codes_of[US][usize::from(byte)];
        if usize::from(step.piece) < PIECES {
            let square = &mut self.squares[US][usize::from(step.piece) % PIECES];
            let from = *square % 64;
            let to = from.wrapping_add_signed(step.delta) % 64;
            *square = to;
            fits &= tables.from[usize::from(from)] & tables.to[usize::from(to)];
            now.at += 1;
        } else if let Some(castling) = self.start.castling(Color::ALL[US], byte) {
            let (king, rook) = castling.targets();
            let squares = &mut self.squares[US];
            squares[PIECES - 1] = king as u8;
            squares[castling.rook_number % PIECES] = rook as u8;
            now.at += 1;
        } else {
            let Some(other) = self.other::<US>(now.at) else { return Some(true) };
            fits = other;
            now.at += 3;
            now.behind += 2;
        }
        let before = now.kept | now.fresh;
        now.kept = before & self.sequence.gaps;
        now.fresh = (before << 1 | 1) & fits;
        if now.fresh & self.watched != 0 { self.look(now) } else { None }
    }

    /// The bits that may match a spelled-out move. `None` if the bytes are not a move.
    #[inline(never)]
    fn other<const US: usize>(&mut self, at: usize) -> Option<u64> {
        let [OTHER_MOVE, low, high] = *self.codes.get(at..at + 3)? else { return None };
        let mv = spelled_out(u16::from_le_bytes([low, high]))?;
        let (from, to) = (mv.from() as u8, mv.to() as u8);
        // Captured pieces keep their last square. They may move along.
        let arrives = if mv.promotion().is_none() { to } else { ABSENT };
        for square in &mut self.squares[US] {
            if *square == from {
                *square = arrives;
            }
        }
        let tables = &self.sequence.tables;
        Some(tables.from[usize::from(from) % 64] & tables.to[usize::from(to) % 64])
    }

    /// Clears the bits of moves with other move numbers, and of mates before the end of the game.
    #[inline(never)]
    fn look(&self, now: &mut At) -> Option<bool> {
        if now.at < self.codes.len() {
            now.fresh &= !self.sequence.mates;
        }
        let number = (now.at - now.behind).div_ceil(2) as u32;
        now.fresh = self.sequence.with_number(now.fresh, number);
        (now.fresh & self.sequence.last != 0).then_some(true)
    }
}
