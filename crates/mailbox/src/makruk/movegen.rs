//! Legal moves: pseudo-legal moves that do not leave the king in check.

use super::{Makruk, Rules};
use crate::piece::{forward, relative_rank};
use crate::{Board, Index, Kind, Piece};
use alloc::vec::Vec;
use halfmove_rules::{Move, Role};

impl Makruk {
    /// All legal moves, in unspecified order.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = self.pseudo_legal_moves();
        moves.retain(|mv| !self.board_after(*mv).is_in_check(self.side_to_move));
        if self.rules == Rules::Makpong {
            self.keep_king_in_place(&mut moves);
        }
        moves
    }

    /// Makpong: a king in check may only capture the checker, and may not move at all in a double
    /// check.
    fn keep_king_in_place(&self, moves: &mut Vec<Move>) {
        let checkers: Vec<_> = self.checkers().collect();
        let king = self.board.list(self.side_to_move, Kind::King).first().map(|king| king.square());
        match checkers[..] {
            [] => {}
            [checker] => moves.retain(|mv| king != Some(mv.from()) || mv.to() == checker),
            _ => moves.clear(),
        }
    }

    /// Whether a move is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.legal_moves().contains(&mv)
    }

    /// All pseudo-legal moves, including those that leave the king in check.
    fn pseudo_legal_moves(&self) -> Vec<Move> {
        let us = self.side_to_move;
        let mut moves = Vec::new();
        for from in self.board.side(us) {
            if self.board.at(from) == Some(Piece { color: us, kind: Kind::Pawn }) {
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

    /// A bia moves one square ahead and captures diagonally. It promotes when it reaches its last
    /// rank.
    fn add_bia_moves(&self, from: Index, moves: &mut Vec<Move>) {
        let us = self.side_to_move;
        let ahead = from.step(forward(us)).filter(|to| self.board.at(*to).is_none());
        let takes = self.board.attacks_from(from).into_iter().filter(|to| self.board.has(*to, !us));
        for to in ahead.into_iter().chain(takes) {
            if relative_rank(us, to) < self.rules.promotion_rank() {
                moves.push(Move::normal(from.square(), to.square()));
                continue;
            }
            let roles: &[Role] = match self.rules {
                Rules::Makruk | Rules::Makpong => &[Role::Met],
                Rules::Asean => &[Role::Rook, Role::Khon, Role::Knight, Role::Met],
            };
            for role in roles {
                moves.extend(Move::promote(from.square(), to.square(), *role));
            }
        }
    }

    /// The pieces after a move.
    pub(super) fn board_after(&self, mv: Move) -> Board {
        let mut board = self.board.clone();
        if let Some(piece) = board.remove(mv.from()) {
            let kind = match (mv.promotion(), self.rules) {
                (None, _) => piece.kind,
                // A flipped bia is recognizable on the board, other promoted pieces are not.
                (Some(_), Rules::Makruk | Rules::Makpong) => Kind::FlippedBia,
                (Some(role), Rules::Asean) => role.into(),
            };
            board.put(mv.to(), Piece { color: piece.color, kind });
        }
        board
    }
}
