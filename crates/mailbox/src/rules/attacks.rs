//! Attacks (the source's section *Attack Detection*): forward from a piece, by walking; and backward from a square, by
//! looking from each enemy piece in its list toward the square.
//!
//! ```text
//! 8  . . . . . . . .      A rook on b7 and the square b2 differ by -80, five steps
//! 7  . R . . . . . .      of -16, and -16 is one of the rook's directions. It attacks
//! 6  . | . . . . . .      b2 if every square between them is empty: line of sight.
//! 5  . | . . N . . .
//! 4  . | . . . . . .      A knight on e5 and b2 differ by -51, which is none of
//! 3  . | . . . . . .      its eight offsets. No edge has to be looked at.
//! 2  . x . . . . . .
//! 1  . . . . . . . .
//!    a b c d e f g h
//! ```

use crate::{Board, Index, Kind, Piece};
use halfmove_rules::{Color, Square};

impl Board {
    /// The squares that the piece on a square attacks, whether empty or occupied by either side.
    pub fn attacks(&self, from: Square) -> impl Iterator<Item = Square> {
        self.attacks_from(Index::new(from)).map(Index::square)
    }

    /// The squares of one side's pieces that attack a square.
    pub fn attackers(&self, square: Square, by: Color) -> impl Iterator<Item = Square> {
        self.attackers_of(Index::new(square), by).map(Index::square)
    }

    /// Returns true if a side attacks a square.
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        self.attackers_of(Index::new(square), by).next().is_some()
    }

    /// Returns true if two squares are on one line and all squares between them are empty.
    ///
    /// ```
    /// use halfmove_mailbox::Chess;
    /// use halfmove_rules::Square;
    /// let start = Chess::default();
    /// assert!(start.board().has_line_of_sight(Square::C2, Square::F5));
    /// assert!(!start.board().has_line_of_sight(Square::C1, Square::E3), "the pawn on d2");
    /// assert!(!start.board().has_line_of_sight(Square::B1, Square::C3), "no line");
    /// ```
    pub fn has_line_of_sight(&self, from: Square, to: Square) -> bool {
        let (from, to) = (Index::new(from), Index::new(to));
        from.direction_to(to).is_some_and(|direction| self.sees(from, to, direction))
    }

    /// The squares that the piece on a square attacks: along each ray up to and including the first
    /// occupied square if the piece slides, else one step.
    pub(crate) fn attacks_from(&self, from: Index) -> impl Iterator<Item = Index> {
        let (offsets, slides) = self.at(from).map_or((&[][..], false), Piece::attack_offsets);
        offsets.iter().flat_map(move |offset| {
            let mut is_open = true;
            from.ray(*offset).take_while(move |to| {
                core::mem::replace(&mut is_open, slides && self.at(*to).is_none())
            })
        })
    }

    /// The pieces of a side that attack a square, found through the lists.
    pub(crate) fn attackers_of(&self, target: Index, by: Color) -> impl Iterator<Item = Index> {
        Kind::ALL.into_iter().flat_map(move |kind| {
            let (offsets, slides) = Piece { color: by, kind }.attack_offsets();
            let reaches = move |from: &Index| {
                if !slides {
                    return offsets.contains(&from.offset_to(target));
                }
                let direction = from.direction_to(target).filter(|way| offsets.contains(way));
                direction.is_some_and(|direction| self.sees(*from, target, direction))
            };
            self.list(by, kind).iter().copied().filter(reaches)
        })
    }

    /// Returns true if a side has a king and the other side attacks it.
    pub(crate) fn is_in_check(&self, color: Color) -> bool {
        self.king(color).is_some_and(|king| self.attackers_of(king, !color).next().is_some())
    }

    /// Returns true if all squares between two squares are empty, given the direction from one to the other.
    fn sees(&self, from: Index, to: Index, direction: i8) -> bool {
        from.ray(direction).take_while(|between| *between != to).all(|on| self.at(on).is_none())
    }
}
