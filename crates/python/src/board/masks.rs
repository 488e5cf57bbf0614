//! Sets of squares of a board as the bits of numbers, by python-chess's names, and lines of pins.

use halfmove_rules::bitboard::lines;
use halfmove_rules::{Bitboard, Color, Role};
use pyo3::prelude::*;

use super::Board;
use super::questions::{attackers, attacks_from};
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
        Ok(SquareSet(if self.is_pinned(color, square)? {
            lines::line(self.position().king(color_of(color)), square_of(square)?)
        } else {
            !Bitboard::EMPTY
        }))
    }

    /// The bits of `pin`.
    fn pin_mask(&self, color: bool, square: i64) -> PyResult<u64> {
        Ok(self.pin(color, square)?.0.0)
    }
}

impl Board {
    fn of_role(&self, role: Role) -> u64 {
        self.position().board().by_role(role).0
    }
}
