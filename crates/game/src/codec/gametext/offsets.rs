//! Where to: the offsets of moves.

use halfmove_rules::{Color, Role, Square};

use super::Dialect;

/// The directions of a piece in the order of its offsets: files to the east, ranks to the north.
pub(super) type Steps = [(i8, i8); 8];

impl Dialect {
    pub(super) const fn knight(self) -> Steps {
        match self {
            Dialect::Jose => {
                [(2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2), (1, 2)]
            }
            Dialect::Document => {
                [(1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1), (2, 1)]
            }
        }
    }

    pub(super) const fn king(self) -> Steps {
        match self {
            Dialect::Jose => [(1, 1), (1, -1), (-1, -1), (-1, 1), (1, 0), (-1, 0), (0, 1), (0, -1)],
            Dialect::Document => {
                [(1, 1), (-1, 1), (-1, -1), (1, -1), (0, 1), (0, -1), (-1, 0), (1, 0)]
            }
        }
    }

    /// The offset of a move.
    pub(super) fn offset(self, role: Role, us: Color, from: Square, to: Square) -> Option<u8> {
        let files = to.file() as i8 - from.file() as i8;
        let ranks = to.rank() as i8 - from.rank() as i8;
        let (file, rank) = (to.file() as u8, to.rank() as u8);
        let among = |steps: Steps| steps.iter().position(|step| *step == (files, ranks));
        let diagonal = || match (files == ranks, files == -ranks) {
            (true, _) => Some(rank),
            (_, true) => Some(8 + rank),
            _ => None,
        };
        let straight = || match (files, ranks) {
            (0, _) => Some(rank),
            (_, 0) => Some(8 + file),
            _ => None,
        };
        match role {
            Role::Pawn => pawn_steps(us).iter().position(|s| *s == (files, ranks)).map(|n| n as u8),
            Role::Knight => among(self.knight()).map(|n| n as u8),
            Role::King => among(self.king()).map(|n| n as u8),
            Role::Bishop => diagonal(),
            Role::Rook => straight(),
            _ => diagonal().or_else(|| Some(16 + straight()?)),
        }
    }

    /// The square that an offset leads to, if it is on the board.
    pub(super) fn target(self, role: Role, us: Color, from: Square, offset: u8) -> Option<Square> {
        let (file, rank) = (from.file() as i8, from.rank() as i8);
        let number = (offset & 7) as i8;
        let rising = || (file + number - rank, number);
        let falling = || (file - number + rank, number);
        let step = |(files, ranks): (i8, i8)| (file + files, rank + ranks);
        let (file, rank) = match (role, offset >> 3) {
            (Role::Pawn, _) => step(pawn_steps(us)[usize::from(offset & 3)]),
            (Role::Knight, _) => step(self.knight()[usize::from(offset & 7)]),
            (Role::King, _) => step(self.king()[usize::from(offset & 7)]),
            (Role::Bishop | Role::Queen, 0) => rising(),
            (Role::Bishop | Role::Queen, 1) => falling(),
            (Role::Rook, 0) | (Role::Queen, 2) => (file, number),
            _ => (number, rank),
        };
        let is_on_board = (0..8).contains(&file) && (0..8).contains(&rank);
        is_on_board.then(|| Square::wrapping((rank * 8 + file) as u8))
    }
}

/// The steps of a pawn: ahead, to its right, to its left, two ahead.
pub(super) const fn pawn_steps(us: Color) -> [(i8, i8); 4] {
    match us {
        Color::White => [(0, 1), (1, 1), (-1, 1), (0, 2)],
        Color::Black => [(0, -1), (-1, -1), (1, -1), (0, -2)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The program exchanges ranks and files, and has two directions of the king the other way round.
    #[test]
    fn the_program_and_its_manual() {
        let exchanged = |steps: Steps| steps.map(|(files, ranks)| (ranks, files));
        assert_eq!(Dialect::Jose.knight(), exchanged(Dialect::Document.knight()));
        let mut king = exchanged(Dialect::Document.king());
        assert_eq!(king[6..], [(0, -1), (0, 1)]);
        king.swap(6, 7);
        assert_eq!(Dialect::Jose.king(), king);
        let guide = include_str!("../../../../../docs/guide/bytes.md").replace('\n', " ");
        let sentence = "`96` is a step north and `97` one south, where exchanging the picture's would give south \
                        and north";
        assert!(guide.contains(sentence), "{sentence}");
    }
}
