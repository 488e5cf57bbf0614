//! Legal moves: pseudo-legal moves that do not leave the king in check (the source's sections *Move Generation* and
//! *Check and Checkmate*).
//!
//! | the source | pieces here |
//! | --- | --- |
//! | `generateRuaMoves` | rook, bishop, queen: along each direction until a piece is in the way |
//! | `generateKhunMoves`, `generateMetMoves`, `generateThonMoves`, `generateMaMoves` | king, met, promoted bia, khon, knight: one step by each offset |
//! | `generateBiaMoves` | the pawns of each game |

use crate::piece::{forward, relative_rank};
use crate::state::{Game, State};
use crate::{Chess, Index, Kind, Makruk};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use halfmove_rules::Move;

/// The target files of king and rook, counted from 0.
const KING_SIDE: (u8, u8) = (6, 5);
const QUEEN_SIDE: (u8, u8) = (2, 3);

impl<G: Game> State<G> {
    /// All legal moves, in unspecified order.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = self.pseudo_legal_moves();
        moves.retain(|mv| self.keeps_king_safe(*mv) && G::allows(self, *mv));
        moves
    }

    /// Returns true if there is a legal move.
    pub fn has_legal_move(&self) -> bool {
        let mut moves = self.pseudo_legal_moves().into_iter();
        moves.any(|mv| self.keeps_king_safe(mv) && G::allows(self, mv))
    }

    /// Returns true if a move is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.pseudo_legal_moves().contains(&mv) && self.keeps_king_safe(mv) && G::allows(self, mv)
    }

    /// The number of leaves of the game tree at `depth` half-moves.
    ///
    /// ```
    /// use halfmove_mailbox::{Chess, Makruk};
    /// assert_eq!(Chess::default().perft(3), 8_902);
    /// assert_eq!(Makruk::default().perft(3), 12_012);
    /// ```
    pub fn perft(&self, depth: u32) -> u64 {
        // No position is compared with those before it, so no history is needed.
        Self { occurrences: BTreeMap::new(), ..self.clone() }.leaves(depth)
    }

    fn leaves(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.legal_moves().len() as u64,
            _ => self.legal_moves().into_iter().map(|mv| self.after(mv).leaves(depth - 1)).sum(),
        }
    }

    /// Returns true if a pseudo-legal move does not leave the king attacked.
    pub(crate) fn keeps_king_safe(&self, mv: Move) -> bool {
        !self.board_after(mv).is_in_check(self.side_to_move)
    }

    /// All pseudo-legal moves, including those that leave the king in check.
    fn pseudo_legal_moves(&self) -> Vec<Move> {
        let us = self.side_to_move;
        let mut moves = Vec::with_capacity(64);
        for kind in Kind::ALL {
            for from in self.board.list(us, kind) {
                match kind {
                    Kind::Pawn => G::add_pawn_moves(self, *from, &mut moves),
                    _ => self.add_piece_moves(*from, &mut moves),
                }
            }
        }
        G::add_castling(self, &mut moves);
        moves
    }

    /// Adds the moves of a piece to all squares that it attacks, unless a piece of its side is there.
    fn add_piece_moves(&self, from: Index, moves: &mut Vec<Move>) {
        let targets = self.board.attacks_from(from);
        let targets = targets.filter(|to| !self.board.has(*to, self.side_to_move));
        moves.extend(targets.map(|to| Move::normal(from.square(), to.square())));
    }

    /// Adds a pawn's move, or its promotions if it reaches its last rank.
    fn add_pawn_move(&self, from: Index, to: Index, moves: &mut Vec<Move>) {
        let [origin, target] = [from, to].map(Index::square);
        if relative_rank(self.side_to_move, to) < self.game.promotion_rank() {
            moves.push(Move::normal(origin, target));
            return;
        }
        let roles = self.game.promotions().iter();
        moves.extend(roles.filter_map(|role| Move::promote(origin, target, *role)));
    }

    /// The squares on which a pawn can capture a piece.
    fn pawn_captures(&self, from: Index) -> impl Iterator<Item = Index> {
        let them = !self.side_to_move;
        self.board.attacks_from(from).filter(move |to| self.board.has(*to, them))
    }

    /// The empty square ahead of a pawn.
    fn empty_ahead(&self, from: Index) -> Option<Index> {
        from.step(forward(self.side_to_move)).filter(|to| self.board.at(*to).is_none())
    }
}

impl Makruk {
    /// Adds the moves of a bia: one square ahead, and diagonal captures.
    pub(crate) fn add_bia_moves(&self, from: Index, moves: &mut Vec<Move>) {
        for to in self.empty_ahead(from).into_iter().chain(self.pawn_captures(from)) {
            self.add_pawn_move(from, to, moves);
        }
    }
}

impl Chess {
    /// Adds the moves of a pawn: one square ahead, two from its original square, and diagonal captures.
    pub(crate) fn add_chess_pawn_moves(&self, from: Index, moves: &mut Vec<Move>) {
        let one = self.empty_ahead(from);
        let may_double = relative_rank(self.side_to_move, from) == 1;
        let two = one.filter(|_| may_double).and_then(|one| self.empty_ahead(one));
        for to in one.into_iter().chain(two).chain(self.pawn_captures(from)) {
            self.add_pawn_move(from, to, moves);
        }
        let attacked = self.board.attacks_from(from);
        for to in attacked.filter(|to| self.game.ep_square == Some(*to)) {
            self.add_pawn_move(from, to, moves);
        }
    }

    /// Adds castling: all squares that king and rook cross are empty (apart from the two themselves), and the king is
    /// attacked neither on its square nor on its way.
    pub(crate) fn add_chess_castling(&self, moves: &mut Vec<Move>) {
        let us = self.side_to_move;
        let Some(king) = self.board.king(us) else { return };
        for (_, rook) in self.game.castling_rooks.iter().filter(|(color, _)| *color == us) {
            let (king_to, rook_to) = castling_targets(king, *rook);
            let king_way = squares_between(king, king_to);
            let rook_way = squares_between(*rook, rook_to);
            let is_free = |on: &Index| *on == king || on == rook || self.board.at(*on).is_none();
            let is_safe = |on: &Index| self.board.attackers_of(*on, !us).next().is_none();
            if king_way.iter().chain(&rook_way).all(is_free) && king_way.iter().all(is_safe) {
                moves.push(Move::castle(king.square(), rook.square()));
            }
        }
    }
}

/// The target squares of king and rook.
pub(crate) fn castling_targets(king: Index, rook: Index) -> (Index, Index) {
    let (king_file, rook_file) = if rook > king { KING_SIDE } else { QUEEN_SIDE };
    (king.with_file(king_file), king.with_file(rook_file))
}

/// All squares of a rank between two squares, including both.
fn squares_between(one: Index, other: Index) -> Vec<Index> {
    let (first, last) = (one.min(other), one.max(other));
    (first.file()..=last.file()).map(|file| first.with_file(file)).collect()
}
