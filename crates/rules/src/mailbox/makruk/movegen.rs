//! Legal moves: those that can be made and leave the king out of check.

use super::{Makruk, TURNING_RANK};
use crate::mailbox::man::{forward, relative_rank};
use crate::mailbox::{Board, Index, Kind, Man};
use crate::{Move, Role};
use alloc::vec::Vec;

impl Makruk {
    /// All legal moves, in no promised order.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = self.pseudo_legal_moves();
        moves.retain(|mv| !self.board_after(*mv).is_in_check(self.side_to_move));
        moves
    }

    /// Whether a move is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.legal_moves().contains(&mv)
    }

    /// Every way to go of every man, whether or not it leaves the king in check.
    fn pseudo_legal_moves(&self) -> Vec<Move> {
        let us = self.side_to_move;
        let mut moves = Vec::new();
        for from in self.board.side(us) {
            if self.board.at(from) == Some(Man { color: us, kind: Kind::Pawn }) {
                self.add_bia_moves(from, &mut moves);
                continue;
            }
            for to in self.board.attacks_from(from) {
                if !self.board.has(to, us) {
                    moves.push(Move::normal(from.square(), to.square()));
                }
            }
        }
        moves
    }

    /// A bia goes one ahead and takes diagonally. On the sixth rank it is turned over.
    fn add_bia_moves(&self, from: Index, moves: &mut Vec<Move>) {
        let us = self.side_to_move;
        let ahead = from.step(forward(us)).filter(|to| self.board.at(*to).is_none());
        let takes = self.board.attacks_from(from).into_iter().filter(|to| self.board.has(*to, !us));
        for to in ahead.into_iter().chain(takes) {
            moves.extend(if relative_rank(us, to) == TURNING_RANK {
                Move::promote(from.square(), to.square(), Role::Met)
            } else {
                Some(Move::normal(from.square(), to.square()))
            });
        }
    }

    /// The men after a move.
    pub(super) fn board_after(&self, mv: Move) -> Board {
        let mut board = self.board.clone();
        if let Some(man) = board.remove(mv.from()) {
            let kind = if mv.promotion().is_some() { Kind::FlippedBia } else { man.kind };
            board.put(mv.to(), Man { color: man.color, kind });
        }
        board
    }
}
