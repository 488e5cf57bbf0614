//! Sets of squares of a board as the bits of numbers, by python-chess's names, and lines of pins.

use halfmove_rules::bitboard::{attacks, lines};
use halfmove_rules::{Bitboard, Color, Role, Square};
use pyo3::prelude::*;

use super::Board;
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
        Ok(self.attacks(square)?.0.0)
    }

    /// The bits of `attackers`.
    #[pyo3(signature = (color, square, occupied=None))]
    fn attackers_mask(
        &self,
        color: bool,
        square: i64,
        occupied: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<u64> {
        Ok(self.attackers(color, square, occupied)?.0.0)
    }

    /// The squares of the pieces that give check.
    fn checkers_mask(&self) -> u64 {
        self.position().checkers().0
    }

    /// The line of a pin to the king of a color, from edge to edge; all squares where a square is not pinned.
    ///
    /// >>> import halfmove
    /// >>> board = halfmove.Board("4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1")
    /// >>> [halfmove.square_name(square) for square in board.pin(halfmove.WHITE, halfmove.D2)]
    /// ['e1', 'd2', 'c3', 'b4', 'a5']
    fn pin(&self, color: bool, square: i64) -> PyResult<SquareSet> {
        let line = self.pin_line(color_of(color), square_of(square)?);
        Ok(SquareSet(line.unwrap_or(Bitboard::FULL)))
    }

    /// The bits of `pin`.
    fn pin_mask(&self, color: bool, square: i64) -> PyResult<u64> {
        Ok(self.pin(color, square)?.0.0)
    }
}

impl Board {
    /// The line through the king of a color and a piece that would attack it if nothing stood on a square between them.
    pub(super) fn pin_line(&self, color: Color, square: Square) -> Option<Bitboard> {
        let board = self.position().board();
        let (king, others) = (self.position().king(color), board.occupied() - square);
        let straight = attacks::rook(king, others) & board.rooks_and_queens();
        let diagonal = attacks::bishop(king, others) & board.bishops_and_queens();
        let mut attackers = ((straight | diagonal) & board.by_color(!color)).iter();
        let pinning = attackers.find(|from| lines::between(*from, king).has(square))?;
        Some(lines::line(king, pinning))
    }

    fn of_role(&self, role: Role) -> u64 {
        self.position().board().by_role(role).0
    }
}
