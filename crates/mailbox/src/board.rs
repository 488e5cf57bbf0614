//! Pieces on 128 squares.

use super::{Index, Kind, Piece};
use alloc::vec::Vec;
use core::fmt;
use halfmove_rules::{Color, Square};

/// Where the pieces stand, stored twice: the piece on each square, and a list of squares for each
/// color and kind, so that no piece has to be searched for. All games use this board.
///
/// ```
/// use halfmove_mailbox::{Board, Kind, Piece};
/// use halfmove_rules::{Color, Square};
///
/// let mut board = Board::default();
/// board.put(Square::A1, Piece { color: Color::White, kind: Kind::Rook });
/// board.put(Square::A4, Piece { color: Color::Black, kind: Kind::Khon });
/// assert_eq!(board.attacks(Square::A1).count(), 10, "a2 to a4, b1 to h1");
/// assert!(board.is_attacked(Square::A3, Color::Black), "straight ahead");
/// assert_eq!(board.to_string(), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// s . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// R . . . . . . .
/// ");
/// ```
#[derive(Clone)]
pub struct Board {
    squares: [Option<Piece>; 128],
    lists: [[Vec<Index>; Kind::ALL.len()]; 2],
}

impl Default for Board {
    /// An empty board.
    fn default() -> Self {
        Self { squares: [None; 128], lists: Default::default() }
    }
}

impl Board {
    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.at(Index::new(square))
    }

    /// Puts a piece on a square, replacing any piece there.
    pub fn put(&mut self, square: Square, piece: Piece) {
        self.put_at(Index::new(square), piece);
    }

    /// Removes the piece from a square and returns it.
    pub fn remove(&mut self, square: Square) -> Option<Piece> {
        self.remove_at(Index::new(square))
    }

    /// All pieces with their squares, in order from a1 to h8.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> {
        Index::all().filter_map(|index| Some((index.square(), self.at(index)?)))
    }

    /// The squares that the piece on a square attacks, whether empty or occupied by either side.
    pub fn attacks(&self, from: Square) -> impl Iterator<Item = Square> {
        self.attacks_from(Index::new(from)).into_iter().map(Index::square)
    }

    /// The squares of one side's pieces that attack a square.
    pub fn attackers(&self, square: Square, by: Color) -> impl Iterator<Item = Square> {
        let target = Index::new(square);
        self.side(by)
            .filter(move |from| self.attacks_from(*from).contains(&target))
            .map(Index::square)
    }

    /// Whether a side attacks a square.
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        self.attackers(square, by).next().is_some()
    }

    /// How many pieces of a color and kind there are.
    pub fn count(&self, color: Color, kind: Kind) -> usize {
        self.list(color, kind).len()
    }

    pub(super) fn at(&self, index: Index) -> Option<Piece> {
        self.squares[index.number()]
    }

    pub(super) fn put_at(&mut self, index: Index, piece: Piece) {
        self.remove_at(index);
        self.squares[index.number()] = Some(piece);
        self.lists[piece.color.index()][piece.kind as usize].push(index);
    }

    pub(super) fn remove_at(&mut self, index: Index) -> Option<Piece> {
        let piece = self.squares[index.number()].take()?;
        self.lists[piece.color.index()][piece.kind as usize].retain(|other| *other != index);
        Some(piece)
    }

    /// The squares of the pieces of a color and kind.
    pub(super) fn list(&self, color: Color, kind: Kind) -> &[Index] {
        &self.lists[color.index()][kind as usize]
    }

    /// The squares of the pieces of a side.
    pub(super) fn side(&self, color: Color) -> impl Iterator<Item = Index> {
        self.lists[color.index()].iter().flatten().copied()
    }

    /// Whether a piece of this color stands on a square.
    pub(super) fn has(&self, index: Index, color: Color) -> bool {
        self.at(index).is_some_and(|piece| piece.color == color)
    }

    /// The squares that the piece on a square attacks: along each ray up to and including the first
    /// occupied square if the piece slides, else one step.
    pub(super) fn attacks_from(&self, from: Index) -> Vec<Index> {
        let mut attacked = Vec::new();
        let Some(piece) = self.at(from) else { return attacked };
        let (offsets, slides) = piece.attack_offsets();
        for offset in offsets {
            for to in from.ray(*offset) {
                attacked.push(to);
                if !slides || self.at(to).is_some() {
                    break;
                }
            }
        }
        attacked
    }

    /// Whether a side has a king and the other side attacks it.
    pub(super) fn is_in_check(&self, color: Color) -> bool {
        let king = self.list(color, Kind::King).first();
        king.is_some_and(|king| self.is_attacked(king.square(), !color))
    }
}

impl PartialEq for Board {
    /// The same pieces on the same squares; the order of the lists does not matter.
    fn eq(&self, other: &Self) -> bool {
        self.squares == other.squares
    }
}

impl Eq for Board {}

impl fmt::Display for Board {
    /// Draws the board, the eighth rank on top, White in upper case, with `S` for a khon, `M` for a
    /// met, `F` for a flipped bia.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            for index in Index::all().filter(|index| index.rank() == rank) {
                let mark = match self.at(index) {
                    None => '.',
                    Some(Piece { color: Color::White, kind: Kind::FlippedBia }) => 'F',
                    Some(Piece { color: Color::Black, kind: Kind::FlippedBia }) => 'f',
                    Some(piece) => halfmove_rules::Piece::from(piece).to_char(),
                };
                write!(f, "{mark}{}", if index.file() == 7 { '\n' } else { ' ' })?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}
