//! The offsets of moves: sections 2.1 to 2.6 of the manual.
//!
//! ```text
//!                pawn         knight       king
//!  document      . . 3 . .    . 1 . 0 .    . . . . .
//!                . 2 0 1 .    2 . . . 7    . 1 4 0 .
//!                . . x . .    . . x . .    . 6 x 7 .
//!                . . . . .    3 . . . 6    . 2 5 3 .
//!                . . . . .    . 4 . 5 .    . . . . .
//!
//!                pawn         knight       king
//!  gametext      . . 3 . .    . 6 . 7 .    . . . . .
//!                . 2 0 1 .    5 . . . 0    . 3 6 0 .
//!                . . x . .    . . x . .    . 5 x 4 .
//!                . . . . .    4 . . . 1    . 2 7 1 .
//!                . . . . .    . 3 . 2 .    . . . . .
//!
//!                bishop             rook
//!                . f . . . . . 7    . . . . 7 . . .
//!                . . e . . . 6 .    . . . . 6 . . .
//!                . . . d . 5 . .    . . . . 5 . . .
//!                . . . . x . . .    8 9 a b x d e f
//!                . . . 3 . b . .    . . . . 3 . . .
//!                . . 2 . . . a .    . . . . 2 . . .
//!                . 1 . . . . . 9    . . . . 1 . . .
//!                0 . . . . . . .    . . . . 0 . . .
//! ```
//!
//! A queen has the offsets of a bishop, then those of a rook plus 16. For a pawn, right is the right-hand side of its
//! player; all other directions are as White sees them.

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

    /// The square at an offset, if it is on the board.
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
    use crate::Codec;

    /// The offsets of a piece on e5, on a board seen by White.
    fn drawn(dialect: Dialect, role: Role) -> [[char; 8]; 8] {
        let mut board = [['.'; 8]; 8];
        let mut put = |square: Square, char| {
            board[7 - square.rank() as usize][square.file() as usize] = char;
        };
        let (offsets, from) = (if role == Role::Pawn { 4 } else { 8 }, Square::E5);
        let offsets = if matches!(role, Role::Bishop | Role::Rook) { 16 } else { offsets };
        for offset in 0..offsets {
            if let Some(to) = dialect.target(role, Color::White, from, offset) {
                put(to, char::from_digit(offset.into(), 16).expect("a digit"));
            }
        }
        put(from, 'x');
        board
    }

    /// Boards side by side: offsets of steps from c7 to g3, offsets of lines on the whole board.
    fn row(dialect: Dialect, roles: &[(&str, Role)]) -> String {
        let mut text = format!("//!  {:14}", "");
        for (name, role) in roles {
            let width = if matches!(role, Role::Bishop | Role::Rook) { 19 } else { 13 };
            text += &format!("{name:width$}");
        }
        let mut text = text.trim_end().to_owned() + "\n";
        let is_long = roles.iter().any(|(_, role)| *role == Role::Rook);
        let ranks = if is_long { 0..8 } else { 1..6 };
        for (index, rank) in ranks.clone().enumerate() {
            let name = if index == 0 && !is_long { dialect.name() } else { "" };
            let name = name.strip_prefix("gametext-").unwrap_or(name);
            let mut line = format!("//!  {name:14}");
            for (_, role) in roles {
                let files = if is_long { 0..8 } else { 2..7 };
                let width = if is_long { 19 } else { 13 };
                let cells: Vec<_> =
                    drawn(dialect, *role)[rank][files].iter().map(char::to_string).collect();
                line += &format!("{:width$}", cells.join(" "));
            }
            text += &(line.trim_end().to_owned() + "\n");
        }
        text
    }

    #[test]
    fn pictures_of_the_manual() {
        let steps = [("pawn", Role::Pawn), ("knight", Role::Knight), ("king", Role::King)];
        let lines = [("bishop", Role::Bishop), ("rook", Role::Rook)];
        let pictures = [
            row(Dialect::Document, &steps),
            row(Dialect::Jose, &steps),
            row(Dialect::Jose, &lines),
        ];
        let drawn = format!("//! ```text\n{}//! ```\n", pictures.join("//!\n"));
        assert!(include_str!("offsets.rs").contains(&drawn), "{drawn}");
        assert_eq!(row(Dialect::Document, &lines), row(Dialect::Jose, &lines));
    }

    /// The program swaps ranks and files, and exchanges two directions of the king.
    #[test]
    fn the_program_and_its_manual() {
        let exchanged = |steps: Steps| steps.map(|(files, ranks)| (ranks, files));
        assert_eq!(Dialect::Jose.knight(), exchanged(Dialect::Document.knight()));
        let mut king = exchanged(Dialect::Document.king());
        assert_eq!(king[6..], [(0, -1), (0, 1)]);
        king.swap(6, 7);
        assert_eq!(Dialect::Jose.king(), king);
        let guide = include_str!("../../../../docs/guide/bytes.md").replace('\n', " ");
        let sentence = "`96` is a step north and `97` a step south, although exchanging the picture's directions \
                        would give the opposite";
        assert!(guide.contains(sentence), "{sentence}");
    }
}
