//! Pieces on 128 squares, and the squares of each kind of piece (the source's section *Board State Structure*:
//! `boardState` and `piecePositions`, and its file `board/board.ts`).

use super::{Index, Kind, Piece};
use core::fmt;
use halfmove_rules::{Color, Square};

/// The placement of the pieces, stored twice: the piece on each square, and a list of squares for each color and kind,
/// so that no piece has to be searched for. All games use this board.
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
    lists: [[PieceList; Kind::ALL.len()]; 2],
}

/// The squares of the pieces of one color and kind, in no particular order.
#[derive(Copy, Clone)]
struct PieceList {
    squares: [Index; 64],
    len: u8,
}

impl PieceList {
    const EMPTY: Self = Self { squares: [Index::new(Square::A1); 64], len: 0 };

    fn as_slice(&self) -> &[Index] {
        &self.squares[..usize::from(self.len)]
    }

    fn add(&mut self, index: Index) {
        self.squares[usize::from(self.len)] = index;
        self.len += 1;
    }

    /// Removes a square; the last one takes its place.
    fn remove(&mut self, index: Index) {
        if let Some(place) = self.as_slice().iter().position(|other| *other == index) {
            self.len -= 1;
            self.squares[place] = self.squares[usize::from(self.len)];
        }
    }
}

impl Default for Board {
    /// An empty board.
    fn default() -> Self {
        Self { squares: [None; 128], lists: [[PieceList::EMPTY; Kind::ALL.len()]; 2] }
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

    /// The number of pieces of a color and kind.
    pub fn count(&self, color: Color, kind: Kind) -> usize {
        self.list(color, kind).len()
    }

    /// The number of all pieces of a side, its king included.
    pub(crate) fn count_side(&self, color: Color) -> usize {
        self.side(color).count()
    }

    pub(crate) fn at(&self, index: Index) -> Option<Piece> {
        self.squares[index.number()]
    }

    pub(crate) fn put_at(&mut self, index: Index, piece: Piece) {
        self.remove_at(index);
        self.squares[index.number()] = Some(piece);
        self.lists[piece.color.index()][piece.kind as usize].add(index);
    }

    pub(crate) fn remove_at(&mut self, index: Index) -> Option<Piece> {
        let piece = self.squares[index.number()].take()?;
        self.lists[piece.color.index()][piece.kind as usize].remove(index);
        Some(piece)
    }

    /// The squares of the pieces of a color and kind.
    pub(crate) fn list(&self, color: Color, kind: Kind) -> &[Index] {
        self.lists[color.index()][kind as usize].as_slice()
    }

    /// The squares of the pieces of a side.
    pub(crate) fn side(&self, color: Color) -> impl Iterator<Item = Index> {
        self.lists[color.index()].iter().flat_map(PieceList::as_slice).copied()
    }

    /// Returns true if a piece of this color stands on a square.
    pub(crate) fn has(&self, index: Index, color: Color) -> bool {
        self.at(index).is_some_and(|piece| piece.color == color)
    }

    /// The square of a side's king; `None` if it has none.
    pub(crate) fn king(&self, color: Color) -> Option<Index> {
        self.list(color, Kind::King).first().copied()
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
    /// met, `F` for a promoted bia.
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
