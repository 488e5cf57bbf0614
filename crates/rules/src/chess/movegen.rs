//! Legal moves.
//!
//! The set of squares that may be gone to is worked out first (all, or those that answer a check),
//! then the men that are pinned; after that every man's targets are an intersection away. Only the
//! king and en passant captures are tested one by one.

use super::Chess;
use crate::{
    Bitboard, CastlingSide, Color, ManMoves, Move, MoveKind, MoveList, Rank, Role, Square,
};
use core::ops::ControlFlow;
use halfmove_bitboard::{attacks, lines};

impl Chess {
    /// Shows every man that can move, with the squares it may go to, until `visit` breaks; a king
    /// that can also castle is shown once more for it, a pawn that can also take in passing too.
    ///
    /// ```
    /// use core::ops::ControlFlow;
    /// use halfmove_rules::{Chess, Role, Square};
    ///
    /// let knight = Chess::default().visit_moves(|man| match man.role {
    ///     Role::Knight => ControlFlow::Break(man.from),
    ///     _ => ControlFlow::Continue(()),
    /// });
    /// assert_eq!(knight, ControlFlow::Break(Square::B1));
    /// ```
    #[inline]
    pub fn visit_moves<B>(
        &self,
        mut visit: impl FnMut(ManMoves) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let us = self.side_to_move;
        let king = self.king(us);
        let own = self.board.by_color(us);
        let occupied = self.board.occupied();
        let mut show = |role, from, targets: Bitboard, kind| {
            if targets.is_empty() {
                return ControlFlow::Continue(());
            }
            visit(ManMoves { role, from, targets, kind })
        };

        let without_king = occupied - king.into();
        let safe = |to: &Square| self.board.attackers(*to, !us, without_king).is_empty();
        let steps = (attacks::king(king) - own).into_iter().filter(safe).collect();
        show(Role::King, king, steps, MoveKind::Normal)?;
        // Two checkers: no man can answer both, only the king can move.
        let targets = match self.checkers.single() {
            _ if self.checkers.is_empty() => !own,
            Some(checker) => lines::between(king, checker) | checker.into(),
            None => return ControlFlow::Continue(()),
        };

        let pinned = self.pinned(us);
        let may_go = |from: Square, to: Bitboard| {
            if pinned.has(from) { to & lines::line(king, from) } else { to }
        };
        for from in self.ours(Role::Knight) - pinned {
            show(Role::Knight, from, attacks::knight(from) & targets, MoveKind::Normal)?;
        }
        for from in self.ours(Role::Bishop) {
            let to = attacks::bishop(from, occupied) & targets;
            show(Role::Bishop, from, may_go(from, to), MoveKind::Normal)?;
        }
        for from in self.ours(Role::Rook) {
            let to = attacks::rook(from, occupied) & targets;
            show(Role::Rook, from, may_go(from, to), MoveKind::Normal)?;
        }
        for from in self.ours(Role::Queen) {
            let to = attacks::queen(from, occupied) & targets;
            show(Role::Queen, from, may_go(from, to), MoveKind::Normal)?;
        }
        for from in self.ours(Role::Pawn) {
            let to = may_go(from, self.pawn_targets(from) & targets);
            let promotes = from.rank() == relative_rank(us, Rank::Seventh);
            let kind = if promotes { MoveKind::Promotion } else { MoveKind::Normal };
            show(Role::Pawn, from, to, kind)?;
        }
        if let Some(square) = self.passed {
            for from in self.en_passant_takers(square) {
                if self.leaves_king_safe(from, square) {
                    show(Role::Pawn, from, square.into(), MoveKind::Normal)?;
                }
            }
        }
        for side in CastlingSide::ALL {
            if let Some(castle) = self.castle(side) {
                show(Role::King, king, castle.to().into(), MoveKind::Castle)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// All legal moves, in no promised order.
    ///
    /// ```
    /// use halfmove_rules::Chess;
    /// assert_eq!(Chess::default().legal_moves().len(), 20);
    /// ```
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        let _: ControlFlow<()> = self.visit_moves(|man| {
            moves.extend(man);
            ControlFlow::Continue(())
        });
        moves
    }

    /// How many legal moves there are.
    pub fn count_moves(&self) -> usize {
        let mut count = 0;
        let _: ControlFlow<()> = self.visit_moves(|man| {
            count += man.len();
            ControlFlow::Continue(())
        });
        count
    }

    /// Whether a move is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.legal_moves().contains(&mv)
    }

    /// Where a pawn may go, en passant and the safety of its king aside.
    fn pawn_targets(&self, from: Square) -> Bitboard {
        let us = self.side_to_move;
        let empty = !self.board.occupied();
        let one = Bitboard::square(from).forward(us) & empty;
        let third = Bitboard::rank(relative_rank(us, Rank::Third));
        let two = (one & third).forward(us) & empty;
        one | two | attacks::pawn(us, from) & self.board.by_color(!us)
    }

    /// Castling on a wing, if it is legal now.
    pub(crate) fn castle(&self, side: CastlingSide) -> Option<Move> {
        let us = self.side_to_move;
        let rook = self.castling.rook(us, side)?;
        let king = self.king(us);
        if self.is_check() {
            return None;
        }
        let (king_to, rook_to) = Self::castling_targets(king, rook);
        let movers = Bitboard::square(king) | rook.into();
        let others = self.board.occupied() - movers;
        let king_path = lines::between(king, king_to) | king_to.into();
        let rook_path = lines::between(rook, rook_to) | rook_to.into();
        if others.intersects(king_path | rook_path) {
            return None;
        }
        // On its way the king may lean on its rook; where it ends, the rook has moved. In Chess960
        // that can open the back rank to a hostile rook in the corner.
        let safe = |square, occupied| self.board.attackers(square, !us, occupied).is_empty();
        let passing = self.board.occupied() - king.into();
        let landed = others | king_to.into() | rook_to.into();
        let safe_path = king_path.iter().all(|square| safe(square, passing));
        (safe_path && safe(king_to, landed)).then_some(Move::castle(king, rook))
    }
}

/// A rank as the side sees it: its own back rank is the first.
pub(crate) const fn relative_rank(color: Color, rank: Rank) -> Rank {
    match color {
        Color::White => rank,
        Color::Black => Rank::ALL[7 - rank as usize],
    }
}
