//! The state of a game of chess between two half-moves: its position and what led to it.

use halfmove_game::rules::{Chess, Color, Move, Role};

use super::tables::KINDS;

/// A half-move that was played, on squares of White's view.
#[derive(Copy, Clone, Debug)]
pub(super) struct Played {
    /// Its kind; [`KINDS`] for none.
    pub(super) kind: usize,
    pub(super) from: usize,
    pub(super) to: usize,
    /// The class of the captured piece.
    pub(super) captured: usize,
}

const NONE: Played = Played { kind: KINDS, from: 0, to: 0, captured: 0 };

/// The number of positions among which repetitions are counted, so that hostile bytes cannot take long.
const REMEMBERED: usize = 1_000;

/// The state of a game.
#[derive(Clone, Debug)]
pub(super) struct Context {
    pub(super) position: Chess,
    /// The band of ratings times 2, and 1 for fast games.
    pub(super) setting: usize,
    pub(super) ply: usize,
    /// The last two half-moves, the last first.
    pub(super) last: [Played; 2],
    /// The keys of the positions since the last capture or pawn move.
    keys: Vec<u64>,
}

impl Context {
    pub(super) fn new(position: Chess, setting: usize) -> Self {
        let keys = vec![position.zobrist().0];
        Self { position, setting, ply: 0, last: [NONE; 2], keys }
    }

    /// The number of times that the position occurred before, up to 2, among the last [`REMEMBERED`].
    pub(super) fn repetitions(&self) -> usize {
        let Some((last, before)) = self.keys.split_last() else { return 0 };
        before.iter().rev().take(REMEMBERED).filter(|key| *key == last).count().min(2)
    }

    /// Plays a legal move, or a null move.
    pub(super) fn play(&mut self, mv: Move) {
        let played = if mv.is_null() {
            NONE
        } else {
            let captured = captured(&self.position, mv);
            let kind = kind(&self.position, mv);
            let (from, to) = (mv.from().index(), target(&self.position, mv));
            Played { kind, from, to, captured }
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

/// The square of the moving piece after the move: of the king, in castling.
fn target(position: &Chess, mv: Move) -> usize {
    let to = mv.to().index();
    if !mv.is_castle() {
        return to;
    }
    let rank = match position.side_to_move() {
        Color::White => 0,
        Color::Black => 56,
    };
    rank + if mv.to() > mv.from() { 6 } else { 2 }
}

/// The kind of a legal move.
fn kind(position: &Chess, mv: Move) -> usize {
    match mv.promotion() {
        _ if mv.is_castle() => 6,
        Some(Role::Queen) => 7,
        Some(Role::Knight) => 8,
        Some(_) => 9,
        None => position.board().role_at(mv.from()).map_or(0, |role| role as usize),
    }
}

/// The class of the piece that a legal move captures.
fn captured(position: &Chess, mv: Move) -> usize {
    if mv.is_castle() {
        return 0;
    }
    match position.board().role_at(mv.to()) {
        Some(role) => class(role as usize),
        None => {
            let is_pawn = position.board().role_at(mv.from()) == Some(Role::Pawn);
            usize::from(is_pawn && mv.from().file() != mv.to().file())
        }
    }
}

/// The class of a role, from 1.
pub(super) const fn class(role: usize) -> usize {
    [1, 2, 2, 3, 4, 5][role]
}
