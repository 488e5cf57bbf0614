//! Men on 128 squares.

use super::{Index, Kind, Man};
use crate::{Color, Square};
use alloc::vec::Vec;
use core::fmt;

/// Where the men stand, twice: what stands on each square, and where the men of each color and kind
/// stand, so that nobody has to be searched for. Both games use it.
///
/// ```
/// use halfmove_rules::mailbox::{Board, Kind, Man};
/// use halfmove_rules::{Color, Square};
///
/// let mut board = Board::default();
/// board.put(Square::A1, Man { color: Color::White, kind: Kind::Rook });
/// board.put(Square::A4, Man { color: Color::Black, kind: Kind::Khon });
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
    squares: [Option<Man>; 128],
    lists: [[Vec<Index>; Kind::ALL.len()]; 2],
}

impl Default for Board {
    /// No men.
    fn default() -> Self {
        Self { squares: [None; 128], lists: Default::default() }
    }
}

impl Board {
    /// The man on a square.
    pub fn man_at(&self, square: Square) -> Option<Man> {
        self.at(Index::new(square))
    }

    /// Puts a man on a square, in place of whatever stands there.
    pub fn put(&mut self, square: Square, man: Man) {
        self.put_at(Index::new(square), man);
    }

    /// Takes the man off a square.
    pub fn remove(&mut self, square: Square) -> Option<Man> {
        self.remove_at(Index::new(square))
    }

    /// All men with their squares, a1 first.
    pub fn men(&self) -> impl Iterator<Item = (Square, Man)> {
        Index::all().filter_map(|index| Some((index.square(), self.at(index)?)))
    }

    /// The squares that the man on a square attacks, occupied or not, his own men's too.
    pub fn attacks(&self, from: Square) -> impl Iterator<Item = Square> {
        self.attacks_from(Index::new(from)).into_iter().map(Index::square)
    }

    /// The squares of one side's men that attack a square.
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

    /// How many men of a color and kind there are.
    pub fn count(&self, color: Color, kind: Kind) -> usize {
        self.list(color, kind).len()
    }

    pub(super) fn at(&self, index: Index) -> Option<Man> {
        self.squares[index.number()]
    }

    pub(super) fn put_at(&mut self, index: Index, man: Man) {
        self.remove_at(index);
        self.squares[index.number()] = Some(man);
        self.lists[man.color.index()][man.kind as usize].push(index);
    }

    pub(super) fn remove_at(&mut self, index: Index) -> Option<Man> {
        let man = self.squares[index.number()].take()?;
        self.lists[man.color.index()][man.kind as usize].retain(|other| *other != index);
        Some(man)
    }

    /// Where the men of a color and kind stand.
    pub(super) fn list(&self, color: Color, kind: Kind) -> &[Index] {
        &self.lists[color.index()][kind as usize]
    }

    /// Where the men of a side stand.
    pub(super) fn side(&self, color: Color) -> impl Iterator<Item = Index> {
        self.lists[color.index()].iter().flatten().copied()
    }

    /// Whether a man of this color stands here.
    pub(super) fn has(&self, index: Index, color: Color) -> bool {
        self.at(index).is_some_and(|man| man.color == color)
    }

    /// What the man on a square attacks: a slider along each of its rays up to and with the first man
    /// in the way, any other man one step.
    pub(super) fn attacks_from(&self, from: Index) -> Vec<Index> {
        let mut attacked = Vec::new();
        let Some(man) = self.at(from) else { return attacked };
        let (offsets, slides) = man.attack_offsets();
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

    /// Whether a side has a king that the other attacks.
    pub(super) fn is_in_check(&self, color: Color) -> bool {
        let king = self.list(color, Kind::King).first();
        king.is_some_and(|king| self.is_attacked(king.square(), !color))
    }
}

impl PartialEq for Board {
    /// The same men on the same squares; the order of the lists does not matter.
    fn eq(&self, other: &Self) -> bool {
        self.squares == other.squares
    }
}

impl Eq for Board {}

impl fmt::Display for Board {
    /// The eighth rank on top, White in upper case, `S` for a khon, `M` for a met, `F` for a flipped
    /// bia.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            for index in Index::all().filter(|index| index.rank() == rank) {
                let mark = match self.at(index) {
                    None => '.',
                    Some(Man { color: Color::White, kind: Kind::FlippedBia }) => 'F',
                    Some(Man { color: Color::Black, kind: Kind::FlippedBia }) => 'f',
                    Some(man) => crate::Piece::from(man).to_char(),
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
