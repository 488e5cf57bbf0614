//! Legal moves.
//!
//! The squares that may be gone to are worked out first (all, or those that answer a check), then
//! the pieces that are pinned; after that every piece's targets are an intersection away. Only the king's
//! steps, castling and captures in passing look at what is attacked.
//!
//! # Source
//! Check and pin masks: folklore; for what they are worth see Daniel Inführ's *Gigantua* (2021).

use super::Chess;
use crate::{
    Bitboard, CastlingSide, Color, File, Move, MoveKind, MoveList, PieceMoves, Rank, Role, Square,
};
use core::ops::ControlFlow;
use halfmove_bitboard::attacks::{self, Pieces, empty_board, setwise};
use halfmove_bitboard::lines;

/// What a position demands of every move.
struct Demands {
    king: Square,
    checkers: Bitboard,
    /// Our pieces that may only move on their line with the king.
    pinned: Bitboard,
    /// Where pieces other than the king may go: not on our own, and in check only where it helps.
    targets: Bitboard,
}

impl Chess {
    /// Shows every piece that can move, with the squares it may go to, until `visit` breaks; a king
    /// that can also castle is shown once more for it, a pawn that can also take in passing too.
    ///
    /// ```
    /// use core::ops::ControlFlow;
    /// use halfmove_rules::{Chess, Role, Square};
    ///
    /// let knight = Chess::default().visit_moves(|piece| match piece.role {
    ///     Role::Knight => ControlFlow::Break(piece.from),
    ///     _ => ControlFlow::Continue(()),
    /// });
    /// assert_eq!(knight, ControlFlow::Break(Square::B1));
    /// ```
    #[inline]
    pub fn visit_moves<B>(
        &self,
        visit: impl FnMut(PieceMoves) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.visit_moves_to(Bitboard::FULL, true, visit)
    }

    /// [`Chess::visit_moves`], but captures only: those in passing and by promoting pawns too.
    ///
    /// ```
    /// use core::ops::ControlFlow;
    /// use halfmove_rules::Chess;
    ///
    /// let position: Chess = "4k3/8/8/3pP3/2B5/8/8/4K3 w - d6 0 2".parse()?;
    /// let mut captures = Vec::new();
    /// let _: ControlFlow<()> = position.visit_captures(|piece| {
    ///     captures.extend(piece.into_iter().map(|mv| position.san(mv).to_string()));
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(captures, ["Bxd5", "exd6"]);
    /// # Ok::<(), halfmove_rules::FenError>(())
    /// ```
    #[inline]
    pub fn visit_captures<B>(
        &self,
        visit: impl FnMut(PieceMoves) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.visit_moves_to(self.board.by_color(!self.side_to_move), false, visit)
    }

    /// The moves that end on `wanted`; captures in passing always, castling if it is asked for.
    #[inline]
    fn visit_moves_to<B>(
        &self,
        wanted: Bitboard,
        castling: bool,
        mut visit: impl FnMut(PieceMoves) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let us = self.side_to_move;
        let (own, occupied) = (self.board.by_color(us), self.board.occupied());
        let Demands { king, checkers, pinned, targets } = self.demands(us);
        let targets = targets & wanted;
        let mut show = |role, from, targets: Bitboard, kind| {
            if targets.is_empty() {
                return ControlFlow::Continue(());
            }
            visit(PieceMoves { role, from, targets, kind })
        };

        let steps = (attacks::king(king) & wanted) - own;
        let castling = castling && checkers.is_empty() && self.castlers.has(king);
        if castling || !steps.is_empty() {
            let danger = self.danger(us);
            show(Role::King, king, steps - danger, MoveKind::Normal)?;
            if castling {
                for side in CastlingSide::ALL {
                    if let Some(rook) = self.castle_over(side, us, danger) {
                        show(Role::King, king, rook.into(), MoveKind::Castle)?;
                    }
                }
            }
        }
        // Two checkers: no piece can answer both, only the king can move.
        if checkers.has_many() {
            return ControlFlow::Continue(());
        }

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
        if let Some(square) = self.ep_square {
            for from in self.en_passant_takers(square) {
                if self.leaves_king_safe(from, square) {
                    show(Role::Pawn, from, square.into(), MoveKind::Normal)?;
                }
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
        let _: ControlFlow<()> = self.visit_moves(|piece| {
            moves.extend(piece);
            ControlFlow::Continue(())
        });
        moves
    }

    /// The legal moves that take a piece.
    ///
    /// ```
    /// use halfmove_rules::Chess;
    /// assert!(Chess::default().captures().is_empty());
    /// ```
    pub fn captures(&self) -> MoveList {
        let mut moves = MoveList::new();
        let _: ControlFlow<()> = self.visit_captures(|piece| {
            moves.extend(piece);
            ControlFlow::Continue(())
        });
        moves
    }

    /// The legal moves that answer a check: all of them in check, none out of it.
    ///
    /// ```
    /// use halfmove_rules::Chess;
    /// let position: Chess = "4k3/8/8/8/8/8/3PP3/r3K3 w - - 0 1".parse()?;
    /// assert_eq!(position.evasions().len(), 1);
    /// assert!(Chess::default().evasions().is_empty());
    /// # Ok::<(), halfmove_rules::FenError>(())
    /// ```
    pub fn evasions(&self) -> MoveList {
        if self.is_check() { self.legal_moves() } else { MoveList::new() }
    }

    /// Whether there is a legal move.
    pub(super) fn has_moves(&self) -> bool {
        self.visit_moves(|_| ControlFlow::Break(())).is_break()
    }

    /// How many legal moves there are, without listing them.
    ///
    /// ```
    /// use halfmove_rules::Chess;
    /// assert_eq!(Chess::default().count_moves(), 20);
    /// ```
    pub fn count_moves(&self) -> usize {
        // Each side has its own code, in which forward is a constant shift.
        match self.side_to_move {
            Color::White => self.count_moves_of(Color::White),
            Color::Black => self.count_moves_of(Color::Black),
        }
    }

    #[inline(always)]
    fn count_moves_of(&self, us: Color) -> usize {
        let (own, occupied) = (self.board.by_color(us), self.board.occupied());
        let Demands { king, checkers, pinned, targets } = self.demands(us);
        let mut count = 0;

        let steps = attacks::king(king) - own;
        let castling = checkers.is_empty() && self.castlers.has(king);
        if castling || !steps.is_empty() {
            let danger = self.danger(us);
            count += (steps - danger).len();
            if castling {
                for side in CastlingSide::ALL {
                    count += u32::from(self.castle_over(side, us, danger).is_some());
                }
            }
        }
        if checkers.has_many() {
            return count as usize;
        }

        let pawns = own & self.board.by_role(Role::Pawn);
        let free = own - pinned;
        let pieces = Pieces {
            orthogonal: free & self.board.rooks_and_queens(),
            diagonal: free & self.board.bishops_and_queens(),
            knights: free & self.board.by_role(Role::Knight),
        };
        count += pieces.mobility(occupied, targets);
        count += self.count_pawn_moves(us, pawns - pinned, targets);
        // A pinned piece cannot answer a check.
        if !pinned.is_empty() && checkers.is_empty() {
            for from in pinned {
                let targets = targets & lines::line(king, from);
                let alone = Bitboard::square(from);
                let piece = Pieces {
                    orthogonal: alone & self.board.rooks_and_queens(),
                    diagonal: alone & self.board.bishops_and_queens(),
                    knights: Bitboard::EMPTY,
                };
                count += piece.mobility(occupied, targets);
                count += self.count_pawn_moves(us, pawns & alone, targets);
            }
        }
        if let Some(square) = self.ep_square {
            for from in self.en_passant_takers(square) {
                count += u32::from(self.leaves_king_safe(from, square));
            }
        }
        count as usize
    }

    /// The moves of a set of pawns; captures in passing aside.
    #[inline(always)]
    fn count_pawn_moves(&self, us: Color, pawns: Bitboard, targets: Bitboard) -> u32 {
        let empty = !self.board.occupied();
        let takes = self.board.by_color(!us) & targets;
        let one = pawns.forward(us) & empty;
        let two = (one & Bitboard::rank(relative_rank(us, Rank::Third))).forward(us) & empty;
        let (one, two) = (one & targets, two & targets);
        let (east, west) =
            (setwise::pawn_east(us, pawns) & takes, setwise::pawn_west(us, pawns) & takes);
        let count = one.len() + two.len() + east.len() + west.len();
        let last = Bitboard::rank(relative_rank(us, Rank::Eighth));
        if !pawns.intersects(Bitboard::rank(relative_rank(us, Rank::Seventh))) {
            return count;
        }
        count + 3 * ((one & last).len() + (east & last).len() + (west & last).len())
    }

    /// Whether a move is legal here.
    ///
    /// ```
    /// use halfmove_rules::{Chess, Move, Square};
    /// assert!(Chess::default().is_legal(Move::normal(Square::E2, Square::E4)));
    /// assert!(!Chess::default().is_legal(Move::normal(Square::E2, Square::E5)));
    /// ```
    pub fn is_legal(&self, mv: Move) -> bool {
        let us = self.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castle() {
            return CastlingSide::ALL.into_iter().any(|side| self.castle(side) == Some(mv));
        }
        let own = self.board.by_color(us);
        let Some(role) = self.board.role_at(from) else { return false };
        if !own.has(from) || own.has(to) {
            return false;
        }
        let promotes = role == Role::Pawn && to.rank() == relative_rank(us, Rank::Eighth);
        let promotion_fits = match mv.promotion() {
            None => !promotes,
            Some(role) => promotes && Role::PROMOTIONS.contains(&role),
        };
        let occupied = self.board.occupied();
        let reach = match role {
            Role::Pawn => {
                let behind = self.ep_square.map_or(Bitboard::EMPTY, Bitboard::square);
                self.pawn_targets(from) | attacks::pawn(us, from) & behind
            }
            Role::Knight => attacks::knight(from),
            Role::Bishop => attacks::bishop(from, occupied),
            Role::Rook => attacks::rook(from, occupied),
            Role::Queen => attacks::queen(from, occupied),
            Role::King => attacks::king(from),
            Role::Khon | Role::Met => Bitboard::EMPTY,
        };
        promotion_fits && reach.has(to) && self.leaves_king_safe(from, to)
    }

    #[inline(always)]
    fn demands(&self, us: Color) -> Demands {
        let (own, occupied) = (self.board.by_color(us), self.board.occupied());
        let theirs = self.board.by_color(!us);
        let king = self.king(us);
        let mut checkers = attacks::knight(king) & self.board.by_role(Role::Knight)
            | attacks::pawn(us, king) & self.board.by_role(Role::Pawn);
        checkers &= theirs;
        let mut pinned = Bitboard::EMPTY;
        // Sliders that would reach the king if only they were there, seldom more than one.
        let snipers = empty_board::rook(king) & self.board.rooks_and_queens()
            | empty_board::bishop(king) & self.board.bishops_and_queens();
        for sniper in snipers & theirs {
            let between = lines::between(king, sniper) & occupied;
            if between.is_empty() {
                checkers |= sniper;
            }
            if !between.has_many() {
                pinned |= between;
            }
        }
        let targets = match checkers.first() {
            Some(checker) => lines::between(king, checker) | checkers,
            None => !own,
        };
        Demands { king, checkers, pinned: pinned & own, targets }
    }

    /// The squares that our king cannot go to, its own being empty by then.
    #[inline(always)]
    fn danger(&self, us: Color) -> Bitboard {
        let theirs = self.board.by_color(!us);
        let pieces = Pieces {
            orthogonal: theirs & self.board.rooks_and_queens(),
            diagonal: theirs & self.board.bishops_and_queens(),
            knights: theirs & self.board.by_role(Role::Knight),
        };
        pieces.attacks(self.board.occupied() - self.king(us))
            | setwise::pawn_any(!us, theirs & self.board.by_role(Role::Pawn))
            | attacks::king(self.king(!us))
    }

    /// Where a pawn may go, captures in passing and the safety of its king aside.
    #[inline]
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
        self.castling.rook(us, side)?;
        if self.is_check() {
            return None;
        }
        self.castle_over(side, us, self.danger(us)).map(|rook| Move::castle(self.king(us), rook))
    }

    /// The rook that our king, not in check, may castle with on a wing, given where it cannot go.
    #[inline(always)]
    fn castle_over(&self, side: CastlingSide, us: Color, danger: Bitboard) -> Option<Square> {
        let rook = self.castling.rook(us, side)?;
        let king = self.king(us);
        let (king_to, rook_to) = Self::castling_targets(king, rook);
        let others = self.board.occupied() - Bitboard::square(king) - rook;
        let king_path = lines::between(king, king_to) | king_to;
        let rook_path = lines::between(rook, rook_to) | rook_to;
        if others.intersects(king_path | rook_path) || danger.intersects(king_path) {
            return None;
        }
        // In Chess960 the rook can leave the king open to a hostile rook in the corner.
        let in_corner = File::A == rook.file() || File::H == rook.file();
        if !in_corner {
            let landed = others | king_to | rook_to;
            let rooks = self.board.by_color(!us) & self.board.rooks_and_queens();
            if attacks::rook(king_to, landed).intersects(rooks) {
                return None;
            }
        }
        Some(rook)
    }
}

/// A rank as the side sees it: its own back rank is the first.
pub(crate) const fn relative_rank(color: Color, rank: Rank) -> Rank {
    match color {
        Color::White => rank,
        Color::Black => Rank::ALL[7 - rank as usize],
    }
}
