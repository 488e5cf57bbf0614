//! Sets of squares of a board as the bits of numbers, by python-chess's names, and lines of pins.

use halfmove_rules::bitboard::lines;
use halfmove_rules::{Bitboard, Chess, Color, EnPassantMode, Role, Square};
use pyo3::prelude::*;

use super::Board;
use super::questions::{attackers, attackers_on, attacks_from};
use crate::moves::PyMove;
use crate::squares::{SquareSet, color_of, square_of};

#[pymethods]
impl Board {
    /// The squares of all pawns.
    #[getter]
    fn pawns(&self) -> u64 {
        self.of_role(Role::Pawn)
    }

    /// The squares of all knights.
    #[getter]
    fn knights(&self) -> u64 {
        self.of_role(Role::Knight)
    }

    /// The squares of all bishops.
    #[getter]
    fn bishops(&self) -> u64 {
        self.of_role(Role::Bishop)
    }

    /// The squares of all rooks.
    #[getter]
    fn rooks(&self) -> u64 {
        self.of_role(Role::Rook)
    }

    /// The squares of all queens.
    #[getter]
    fn queens(&self) -> u64 {
        self.of_role(Role::Queen)
    }

    /// The squares of both kings.
    #[getter]
    fn kings(&self) -> u64 {
        self.of_role(Role::King)
    }

    /// The squares with a piece of a color: first those of Black, then those of White.
    #[getter]
    fn occupied_co(&self) -> [u64; 2] {
        [Color::Black, Color::White].map(|color| self.position().board().by_color(color).0)
    }

    /// The squares of the rooks that may castle.
    #[getter]
    fn castling_rights(&self) -> u64 {
        let squares = self.position().as_chess().map(|chess| chess.castling().rooks());
        squares.unwrap_or(Bitboard::EMPTY).0
    }

    /// The squares that the piece on a square attacks.
    fn attacks_mask(&self, square: i64) -> PyResult<u64> {
        Ok(attacks_from(self.position().board(), square_of(square)?).0)
    }

    /// The squares of the pieces of a color that attack a square.
    fn attackers_mask(&self, color: bool, square: i64) -> PyResult<u64> {
        Ok(attackers(self.position(), color_of(color), square_of(square)?).0)
    }

    /// The squares of the pieces that give check.
    fn checkers_mask(&self) -> u64 {
        self.position().checkers().0
    }

    /// The line on which a pinned piece may move, from edge to edge; all squares for a piece that is not pinned.
    ///
    /// >>> import halfmove
    /// >>> board = halfmove.Board("4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1")
    /// >>> [halfmove.square_name(square) for square in board.pin(halfmove.WHITE, halfmove.D2)]
    /// ['e1', 'd2', 'c3', 'b4', 'a5']
    fn pin(&self, color: bool, square: i64) -> PyResult<SquareSet> {
        Ok(SquareSet(match self.is_pinned(color, square)? {
            true => lines::line(self.position().king(color_of(color)), square_of(square)?),
            false => !Bitboard::EMPTY,
        }))
    }

    /// The bits of `pin`.
    fn pin_mask(&self, color: bool, square: i64) -> PyResult<u64> {
        Ok(self.pin(color, square)?.0.0)
    }

    /// True if a move that is otherwise possible would leave the own king attacked.
    ///
    /// >>> import halfmove
    /// >>> board = halfmove.Board("4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1")
    /// >>> board.is_into_check(halfmove.Move.from_uci("d2f3"))
    /// True
    fn is_into_check(&self, r#move: PyMove) -> bool {
        let PyMove(mv) = r#move;
        let us = self.position().side_to_move();
        if r#move.find(self.position()).is_some() {
            return false;
        }
        let mut board = self.position().board().clone();
        let Some(piece) = board.remove(mv.from) else { return false };
        let en_passant = |chess: &Chess| chess.ep_square_as(EnPassantMode::Always);
        let target = self.position().as_chess().and_then(en_passant);
        if piece.role == Role::Pawn && target == Some(mv.to) {
            board.remove(Square::new(mv.to.file(), mv.from.rank()));
        }
        board.remove(mv.to);
        board.put(mv.to, piece);
        let king = board.king(us);
        king.is_some_and(|king| !attackers_on(self.position(), &board, !us, king).is_empty())
    }

    /// True if a legal move cannot be taken back by other moves: a capture, a pawn move, the loss of castling rights, or any
    /// move where a capture en passant is legal.
    fn is_irreversible(&self, r#move: PyMove) -> PyResult<bool> {
        let mv = r#move.require(self.position())?;
        let Some(chess) = self.position().as_chess() else {
            return Ok(!mv.is_null() && self.position().is_zeroing(mv));
        };
        let mut next = self.position().clone();
        next.play_unchecked(mv);
        let keeps = next.as_chess().is_some_and(|next| next.castling() == chess.castling());
        let is_zeroing = !mv.is_null() && self.position().is_zeroing(mv);
        Ok(is_zeroing || !keeps || chess.ep_square().is_some())
    }

    /// True if a pawn stands beside one that has just advanced two squares, even if the capture would leave the king attacked.
    fn has_pseudo_legal_en_passant(&self) -> bool {
        let chess = self.position().as_chess();
        chess.is_some_and(|chess| chess.ep_square_as(EnPassantMode::PseudoLegal).is_some())
    }

    /// The number of the start of Chess960 with these pieces, 0 to 959, or `None`: 518 for that of chess.
    ///
    /// >>> import halfmove
    /// >>> halfmove.Board().chess960_pos()
    /// 518
    fn chess960_pos(&self) -> Option<u16> {
        let chess = self.position().as_chess()?;
        (0..960).find(|number| {
            let start = Chess::chess960(*number);
            start.is_some_and(|start| {
                start.board() == chess.board()
                    && start.castling() == chess.castling()
                    && start.side_to_move() == chess.side_to_move()
            })
        })
    }
}

impl Board {
    fn of_role(&self, role: Role) -> u64 {
        self.position().board().by_role(role).0
    }
}
