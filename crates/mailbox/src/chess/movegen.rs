//! Legal moves: pseudo-legal moves that do not leave the king in check.

use super::Chess;
use crate::piece::{forward, relative_rank};
use crate::{Index, Kind, Piece};
use alloc::vec::Vec;
use halfmove_rules::{Move, Role};

/// The target files of king and rook, counted from 0.
const KING_SIDE: (u8, u8) = (6, 5);
const QUEEN_SIDE: (u8, u8) = (2, 3);

impl Chess {
    /// All legal moves, in unspecified order.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = self.pseudo_legal_moves();
        moves.retain(|mv| self.leaves_king_safe(*mv));
        moves
    }

    /// Whether a move is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.legal_moves().contains(&mv)
    }

    /// Whether a pawn that has just advanced two squares can legally be captured en passant.
    pub(super) fn can_take_en_passant(&self) -> bool {
        let pawns = self.board.list(self.side_to_move, Kind::Pawn);
        self.legal_moves().into_iter().any(|mv| {
            self.ep_square == Some(Index::new(mv.to())) && pawns.contains(&Index::new(mv.from()))
        })
    }

    fn leaves_king_safe(&self, mv: Move) -> bool {
        !self.after(mv).board.is_in_check(self.side_to_move)
    }

    /// All pseudo-legal moves, including those that leave the king in check.
    fn pseudo_legal_moves(&self) -> Vec<Move> {
        let us = self.side_to_move;
        let mut moves = Vec::new();
        for from in self.board.side(us) {
            if self.board.at(from) == Some(Piece { color: us, kind: Kind::Pawn }) {
                self.add_pawn_moves(from, &mut moves);
                continue;
            }
            for to in self.board.attacks_from(from) {
                if !self.board.has(to, us) {
                    moves.push(Move::normal(from.square(), to.square()));
                }
            }
        }
        self.add_castling(&mut moves);
        moves
    }

    /// A pawn moves one square ahead, two from its original square, and captures diagonally.
    fn add_pawn_moves(&self, from: Index, moves: &mut Vec<Move>) {
        let us = self.side_to_move;
        let is_empty = |to: &Index| self.board.at(*to).is_none();
        let mut targets = Vec::new();
        if let Some(one) = from.step(forward(us)).filter(is_empty) {
            targets.push(one);
            if relative_rank(us, from) == 1 {
                targets.extend(one.step(forward(us)).filter(is_empty));
            }
        }
        for to in self.board.attacks_from(from) {
            if self.board.has(to, !us) || self.ep_square == Some(to) {
                targets.push(to);
            }
        }
        for to in targets {
            let (from, last) = (from.square(), relative_rank(us, to) == 7);
            if last {
                for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                    moves.extend(Move::promote(from, to.square(), role));
                }
            } else {
                moves.push(Move::normal(from, to.square()));
            }
        }
    }

    /// Castling: all squares that king and rook cross are empty (apart from the two themselves),
    /// and the king is attacked neither on its square nor on its way.
    fn add_castling(&self, moves: &mut Vec<Move>) {
        let us = self.side_to_move;
        let king = self.king(us);
        for (_, rook) in self.castling_rooks.iter().filter(|(color, _)| *color == us) {
            let (king_to, rook_to) = castling_targets(king, *rook);
            let king_way = squares_between(king, king_to);
            let rook_way = squares_between(*rook, rook_to);
            let is_free = |on: &Index| *on == king || on == rook || self.board.at(*on).is_none();
            let is_safe = |on: &Index| !self.board.is_attacked(on.square(), !us);
            if king_way.iter().chain(&rook_way).all(is_free) && king_way.iter().all(is_safe) {
                moves.push(Move::castle(king.square(), rook.square()));
            }
        }
    }
}

/// The target squares of king and rook.
pub(super) fn castling_targets(king: Index, rook: Index) -> (Index, Index) {
    let (king_file, rook_file) = if rook > king { KING_SIDE } else { QUEEN_SIDE };
    (king.with_file(king_file), king.with_file(rook_file))
}

/// All squares of a rank between two squares, including both.
fn squares_between(one: Index, other: Index) -> Vec<Index> {
    let (first, last) = (one.min(other), one.max(other));
    Index::all().filter(|index| (first..=last).contains(index)).collect()
}
