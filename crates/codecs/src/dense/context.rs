//! The state of a game of chess between two half-moves: its position and what led to it.

use halfmove_game::rules::{Chess, Move, Role};

use super::tables::KINDS;

/// A half-move, as its features need it.
#[derive(Copy, Clone, Debug)]
pub(super) struct Movement {
    /// Its kind; [`KINDS`] for none.
    pub(super) kind: usize,
    pub(super) from: usize,
    /// The target: the king's, in castling.
    pub(super) to: usize,
    /// The class of the captured piece.
    pub(super) captured: usize,
}

impl Movement {
    /// None, or a null move.
    const NONE: Self = Self { kind: KINDS, from: 0, to: 0, captured: 0 };

    /// A legal move, of its bits, the role of the piece on its origin and the class of their piece on its target. The bits
    /// may be those on the mirrored board.
    #[inline(always)]
    pub(super) fn new(mv: Move, bits: u16, role: usize, on_target: usize) -> Self {
        let (from, to) = (usize::from(bits) & 63, usize::from(bits) >> 6 & 63);
        if mv.is_castle() {
            let file = if to > from { 6 } else { 2 };
            return Self { kind: 6, from, to: from & 56 | file, captured: 0 };
        }
        let kind = match mv.promotion() {
            Some(Role::Queen) => 7,
            Some(Role::Knight) => 8,
            Some(_) => 9,
            None => role,
        };
        let is_diagonal = kind == 0 && from % 8 != to % 8;
        // A pawn that captures nothing on its target captures a pawn beside it.
        let captured = on_target.max(usize::from(is_diagonal));
        Self { kind, from, to, captured }
    }
}

/// The number of positions among which repetitions are counted, so that hostile bytes cannot take long.
const REMEMBERED: usize = 1_000;

/// The state of a game.
#[derive(Clone, Debug)]
pub(super) struct Context {
    pub(super) position: Chess,
    /// The band of ratings times 2, and 1 for fast games.
    pub(super) setting: usize,
    pub(super) ply: usize,
    /// The last two half-moves, the last first, on squares of White's view.
    pub(super) last: [Movement; 2],
    /// The keys of the positions since the last capture or pawn move.
    keys: Vec<u64>,
}

impl Context {
    pub(super) fn new(position: Chess, setting: usize) -> Self {
        let keys = vec![position.zobrist().0];
        Self { position, setting, ply: 0, last: [Movement::NONE; 2], keys }
    }

    /// The number of times that the position occurred before, up to 2, among the last [`REMEMBERED`].
    pub(super) fn repetitions(&self) -> usize {
        let Some((last, before)) = self.keys.split_last() else { return 0 };
        before.iter().rev().take(REMEMBERED).filter(|key| *key == last).count().min(2)
    }

    /// Plays a legal move, or a null move.
    pub(super) fn play(&mut self, mv: Move) {
        let board = self.position.board();
        let role_at = |square| board.role_at(square).map(|role| role as usize);
        let played = match role_at(mv.from()) {
            Some(role) if !mv.is_null() => {
                Movement::new(mv, mv.to_bits(), role, role_at(mv.to()).map_or(0, class))
            }
            _ => Movement::NONE,
        };
        self.last = [played, self.last[0]];
        if mv.is_null() {
            let null = self.position.null_move();
            self.position = null.unwrap_or_else(|| self.position.clone());
        } else {
            self.position.play_unchecked(mv);
        }
        if self.position.halfmove_clock() == 0 {
            self.keys.clear();
        }
        self.keys.push(self.position.zobrist().0);
        self.ply += 1;
    }
}

/// The class of a role, from 1.
pub(super) const fn class(role: usize) -> usize {
    [1, 2, 2, 3, 4, 5][role]
}
