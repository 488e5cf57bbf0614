//! The search board of chess: the type [`Chess`] of the crate `rules`.

use super::{Count, Pieces, SearchBoard, exchange, list};
use crate::eval::tally::Terms;
use crate::eval::{self, Evaluation};
use core::ops::ControlFlow;
use halfmove_rules::bitboard::attacks;
use halfmove_rules::cpu::{self, Cpu, Level, Task};
use halfmove_rules::{
    Bitboard, Board, Chess, Color, EXCHANGE_VALUES, EnPassantMode, Move, MoveKind, Piece, Rank,
    Role, Square, Variant,
};

/// Lists the pieces that can move.
struct All<'a>(&'a Chess, &'a mut Pieces);

impl Task for All<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let _ = self.0.visit_moves_on(cpu, list(self.1));
    }
}

/// Lists the pieces that can capture.
struct Captures<'a>(&'a Chess, &'a mut Pieces);

impl Task for Captures<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let _ = self.0.visit_captures_on(cpu, list(self.1));
    }
}

impl SearchBoard for Chess {
    const VALUES: [i32; 8] = EXCHANGE_VALUES;

    fn variant(&self) -> Variant {
        self.castling_mode().into()
    }

    #[inline]
    fn board(&self) -> &Board {
        self.board()
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
        Chess::key(self).0
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
        let mut pieces = Pieces::new();
        cpu::run_up_to(Level::V3, Captures(self, &mut pieces));
        pieces.iter().for_each(|moves| moves.into_iter().for_each(&mut take));
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
        pieces.clear();
        cpu::run_up_to(Level::V3, All(self, &mut pieces));
        for moves in pieces.iter().filter(|moves| moves.kind() == MoveKind::Promotion) {
            moves.within(empty).into_iter().for_each(&mut take);
        }
    }

    #[inline]
    fn each_quiet_move(&self, mut take: impl FnMut(Role, Move)) {
        let empty = !self.board().occupied();
        let ep_square = self.ep_square_as(EnPassantMode::Always);
        let mut pieces = Pieces::new();
        cpu::run_up_to(Level::V3, All(self, &mut pieces));
        for moves in &pieces {
            let quiet = match moves.kind() {
                MoveKind::Normal if moves.role() == Role::Pawn => {
                    moves.within(ep_square.map_or(empty, |square| empty - square))
                }
                MoveKind::Normal => moves.within(empty),
                MoveKind::Castle => *moves,
                _ => continue,
            };
            quiet.into_iter().for_each(|mv| take(moves.role(), mv));
        }
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

    fn exchange_at_least(&self, mv: Move, threshold: i32) -> bool {
        let ep_square = self.ep_square_as(EnPassantMode::Always);
        let board = self.board();
        exchange::at_least(board, mv, ep_square, threshold, &Self::VALUES, &Attackers(board))
    }

    #[inline]
    fn count(&self) -> Option<Count> {
        None
    }

    #[inline]
    fn is_insufficient_material(&self) -> bool {
        // With five pieces or more, only bishops all on one color are insufficient. Such positions are searched.
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

/// Attackers by the rules of chess.
struct Attackers<'a>(&'a Board);

impl exchange::Attackers for Attackers<'_> {
    #[inline(always)]
    fn all(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let board = self.0;
        let pawns = attacks::pawn(Color::Black, square) & board.by_color(Color::White)
            | attacks::pawn(Color::White, square) & board.by_color(Color::Black);
        attacks::king(square) & board.by_role(Role::King)
            | attacks::knight(square) & board.by_role(Role::Knight)
            | pawns & board.by_role(Role::Pawn)
            | attacks::rook(square, occupied) & board.rooks_and_queens()
            | attacks::bishop(square, occupied) & board.bishops_and_queens()
    }

    #[inline(always)]
    fn behind(&self, role: Role, square: Square, occupied: Bitboard) -> Bitboard {
        let mut behind = Bitboard::EMPTY;
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen | Role::King) {
            behind |= attacks::bishop(square, occupied) & self.0.bishops_and_queens();
        }
        if matches!(role, Role::Rook | Role::Queen | Role::King) {
            behind |= attacks::rook(square, occupied) & self.0.rooks_and_queens();
        }
        behind
    }
}
