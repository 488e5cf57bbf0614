//! Chess on bitboards: the type of crate `rules` itself.

use super::{Count, SearchBoard, exchange};
use crate::eval::tally::Terms;
use crate::eval::{self, Evaluation};
use core::ops::ControlFlow;
use halfmove_rules::bitboard::attacks;
use halfmove_rules::{
    Bitboard, Board, Chess, Color, EXCHANGE_VALUES, EnPassantMode, Move, MoveKind, Piece, Rank,
    Role, Square, Variant,
};

/// The squares attacked by a piece of any game.
#[inline(always)]
pub(super) fn attacks_of(piece: Piece, from: Square, occupied: Bitboard) -> Bitboard {
    match piece.role {
        Role::Pawn => attacks::pawn(piece.color, from),
        Role::Knight => attacks::knight(from),
        Role::Bishop => attacks::bishop(from, occupied),
        Role::Rook => attacks::rook(from, occupied),
        Role::Queen => attacks::queen(from, occupied),
        Role::King => attacks::king(from),
        Role::Khon => attacks::khon(piece.color, from),
        Role::Met => attacks::met(from),
    }
}

impl SearchBoard for Chess {
    const VALUES: [i32; 8] = EXCHANGE_VALUES;

    fn variant(&self) -> Variant {
        self.castling_mode().into()
    }

    #[inline]
    fn side_to_move(&self) -> Color {
        self.side_to_move()
    }

    #[inline]
    fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock()
    }

    #[inline]
    fn key(&self) -> u64 {
        self.zobrist().0
    }

    #[inline]
    fn is_check(&self) -> bool {
        self.is_check()
    }

    #[inline]
    fn each_move(&self, mut take: impl FnMut(Move)) {
        let _: ControlFlow<()> = self.visit_moves(|moves| {
            moves.into_iter().for_each(&mut take);
            ControlFlow::Continue(())
        });
    }

    #[inline]
    fn each_noisy_move(&self, mut take: impl FnMut(Move)) {
        let _: ControlFlow<()> = self.visit_captures(|moves| {
            moves.into_iter().for_each(&mut take);
            ControlFlow::Continue(())
        });
        let us = self.side_to_move();
        let seventh = match us {
            Color::White => Rank::Seventh,
            Color::Black => Rank::Second,
        };
        let pawns = self.board().by_piece(Piece { color: us, role: Role::Pawn });
        if (pawns & Bitboard::rank(seventh)).is_empty() {
            return;
        }
        let empty = !self.board().occupied();
        let _: ControlFlow<()> = self.visit_moves(|moves| {
            if moves.kind() == MoveKind::Promotion {
                moves.within(empty).into_iter().for_each(&mut take);
            }
            ControlFlow::Continue(())
        });
    }

    #[inline]
    fn each_quiet_move(&self, mut take: impl FnMut(Role, Move)) {
        let empty = !self.board().occupied();
        let ep_square = self.ep_square_as(EnPassantMode::Always);
        let _: ControlFlow<()> = self.visit_moves(|moves| {
            let quiet = match moves.kind() {
                MoveKind::Normal if moves.role() == Role::Pawn => {
                    moves.within(ep_square.map_or(empty, |square| empty - square))
                }
                MoveKind::Normal => moves.within(empty),
                MoveKind::Castle => moves,
                _ => moves.within(Bitboard::EMPTY),
            };
            quiet.into_iter().for_each(|mv| take(moves.role(), mv));
            ControlFlow::Continue(())
        });
    }

    #[inline]
    fn is_legal(&self, mv: Move) -> bool {
        self.is_legal(mv)
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        self.play_unchecked(mv);
    }

    fn pass(&self) -> Option<Self> {
        self.null_move()
    }

    #[inline]
    fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board().piece_at(square)
    }

    #[inline]
    fn placement(&self) -> Board {
        self.board().clone()
    }

    #[inline]
    fn attacks(&self, piece: Piece, from: Square) -> Bitboard {
        attacks_of(piece, from, self.board().occupied())
    }

    fn exchange_at_least(&self, mv: Move, threshold: i32) -> bool {
        let board = self.board();
        let ep_square = self.ep_square_as(EnPassantMode::Always);
        let attackers = |square, side, occupied| board.attackers(square, side, occupied);
        exchange::at_least(board, mv, ep_square, threshold, &Self::VALUES, attackers)
    }

    #[inline]
    fn count(&self) -> Option<Count> {
        None
    }

    #[inline]
    fn is_insufficient_material(&self) -> bool {
        // With five pieces or more it takes bishops alone, all on one color: the game goes on to be searched there.
        self.board().occupied().len() <= 4 && self.is_insufficient_material()
    }

    fn evaluate(&self) -> Evaluation {
        eval::chess::evaluate(self, Terms::default()).into()
    }

    #[inline(always)]
    fn value(&self) -> i32 {
        eval::chess::evaluate(self, ()).total_for(self.side_to_move())
    }

    #[inline]
    fn has_moves(&self) -> bool {
        self.has_moves()
    }
}
