//! Pieces on squares.

use crate::{Bitboard, Color, Piece, Role, Square};
use core::fmt;
use halfmove_bitboard::{File, Rank, attacks, bitboard};

/// The placement of the pieces: one bitboard for each color, and three bit planes that together encode
/// the role on each square. That is 40 bytes instead of the 80 of a bitboard per role.
///
/// ```text
/// role     khon bishop rook queen pawn knight king met
/// code      000    001  010   011  100    101  110 111     planes 2, 1, 0
/// ```
///
/// The codes are chosen so that the sets used by move generators cost one or two operations: diagonal
/// sliders are in plane 0 but not in plane 2, orthogonal sliders in plane 1 but not in plane 2.
///
/// `Debug` and `Display` draw the board, the eighth rank on top, White in upper case.
///
/// # Source
/// Four bitboards for all pieces: Gerd Isenberg, "Quad-Bitboards", Chess Programming Wiki.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Board {
    by_color: [Bitboard; 2],
    /// Subsets of the occupied squares.
    planes: [Bitboard; 3],
}

/// The role of each code.
const ROLES: [Role; 8] = [
    Role::Khon,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
    Role::Pawn,
    Role::Knight,
    Role::King,
    Role::Met,
];

/// The code of each role.
pub(crate) const fn code(role: Role) -> u64 {
    [4, 5, 1, 2, 3, 6, 0, 7][role as usize]
}

impl Board {
    /// The standard starting position of chess.
    pub(crate) const USUAL: Self = Self {
        by_color: [
            bitboard! {
                . . . . . . . .
                . . . . . . . .
                . . . . . . . .
                . . . . . . . .
                . . . . . . . .
                . . . . . . . .
                1 1 1 1 1 1 1 1
                1 1 1 1 1 1 1 1
            },
            bitboard! {
                1 1 1 1 1 1 1 1
                1 1 1 1 1 1 1 1
                . . . . . . . .
                . . . . . . . .
                . . . . . . . .
                . . . . . . . .
                . . . . . . . .
                . . . . . . . .
            },
        ],
        planes: [
            bitboard! {
                . 1 1 1 . 1 1 .
                . . . . . . . .
                . . . . . . . .
                . . . . . . . .
                . . . . . . . .
                . . . . . . . .
                . . . . . . . .
                . 1 1 1 . 1 1 .
            },
            bitboard! {
                1 . . 1 1 . . 1
                . . . . . . . .
                . . . . . . . .
                . . . . . . . .
                . . . . . . . .
                . . . . . . . .
                . . . . . . . .
                1 . . 1 1 . . 1
            },
            bitboard! {
                . 1 . . 1 . 1 .
                1 1 1 1 1 1 1 1
                . . . . . . . .
                . . . . . . . .
                . . . . . . . .
                . . . . . . . .
                1 1 1 1 1 1 1 1
                . 1 . . 1 . 1 .
            },
        ],
    };

    /// All occupied squares.
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.by_color[0].0 | self.by_color[1].0)
    }

    /// The squares of one side's pieces.
    #[inline]
    pub const fn by_color(&self, color: Color) -> Bitboard {
        self.by_color[color.index()]
    }

    /// The squares of both sides' pieces of one role.
    #[inline]
    pub fn by_role(&self, role: Role) -> Bitboard {
        let [zero, one, two] = self.planes;
        match role {
            Role::Pawn => two - zero - one,
            Role::Knight => (two & zero) - one,
            Role::Bishop => zero - one - two,
            Role::Rook => one - zero - two,
            Role::Queen => (zero & one) - two,
            Role::King => (two & one) - zero,
            Role::Khon => self.occupied() - zero - one - two,
            Role::Met => zero & one & two,
        }
    }

    /// Diagonal sliders: both sides' bishops and queens.
    #[inline]
    pub fn bishops_and_queens(&self) -> Bitboard {
        self.planes[0] - self.planes[2]
    }

    /// Orthogonal sliders: both sides' rooks and queens.
    #[inline]
    pub fn rooks_and_queens(&self) -> Bitboard {
        self.planes[1] - self.planes[2]
    }

    /// The squares of one side's pieces of one role.
    #[inline]
    pub fn by_piece(&self, piece: Piece) -> Bitboard {
        self.by_color(piece.color) & self.by_role(piece.role)
    }

    /// The role of the piece on a square.
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        if !self.occupied().has(square) {
            return None;
        }
        let bit = |plane: usize| (self.planes[plane].0 >> square.index() & 1) as usize;
        Some(ROLES[bit(0) | bit(1) << 1 | bit(2) << 2])
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let role = self.role_at(square)?;
        let white = self.by_color(Color::White).has(square);
        Some(Piece { color: if white { Color::White } else { Color::Black }, role })
    }

    /// The square of a side's king, `None` unless it has exactly one.
    #[inline]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.by_piece(Piece { color, role: Role::King }).single()
    }

    /// Puts a piece on a square, replacing any piece there.
    #[inline]
    pub fn put(&mut self, square: Square, piece: Piece) {
        self.clear(square.into());
        self.by_color[piece.color.index()] |= square;
        for (i, plane) in self.planes.iter_mut().enumerate() {
            plane.0 |= (code(piece.role) >> i & 1) << square.index();
        }
    }

    /// Removes the piece from a square.
    #[inline]
    pub fn remove(&mut self, square: Square) -> Option<Piece> {
        let piece = self.piece_at(square)?;
        self.clear(square.into());
        Some(piece)
    }

    /// Removes all pieces from a set of squares.
    #[inline]
    pub fn clear(&mut self, squares: Bitboard) {
        for set in self.by_color.iter_mut().chain(&mut self.planes) {
            *set -= squares;
        }
    }

    /// The squares on which two boards differ.
    ///
    /// ```
    /// use halfmove_rules::{Bitboard, Chess, Move, Square};
    /// let start = Chess::default();
    /// let next = start.clone().play(Move::normal(Square::E2, Square::E4))?;
    /// let both = Bitboard::square(Square::E2) | Square::E4;
    /// assert_eq!(start.board().changed(next.board()), both);
    /// # Ok::<(), halfmove_rules::IllegalMove>(())
    /// ```
    #[inline(always)]
    pub const fn changed(&self, other: &Self) -> Bitboard {
        let ([white, black], [zero, one, two]) = (self.by_color, self.planes);
        let (colors, planes) = (other.by_color, other.planes);
        let colors = white.0 ^ colors[0].0 | black.0 ^ colors[1].0;
        Bitboard(colors | zero.0 ^ planes[0].0 | one.0 ^ planes[1].0 | two.0 ^ planes[2].0)
    }

    /// The same pieces with colors swapped: the board is mirrored top to bottom, and every piece
    /// changes color.
    ///
    /// ```
    /// use halfmove_rules::{Board, Chess};
    /// let board = Chess::default().board().clone();
    /// assert_eq!(board.flipped(), board);
    /// ```
    pub fn flipped(&self) -> Self {
        let [white, black] = self.by_color.map(Bitboard::flip_vertical);
        Self { by_color: [black, white], planes: self.planes.map(Bitboard::flip_vertical) }
    }

    /// The code of the piece on a square; 0 for an empty square, as for a khon.
    #[inline(always)]
    pub(crate) fn code_at(&self, square: Square) -> u64 {
        let bit = |plane: usize| self.planes[plane].0 >> square.index() & 1;
        bit(0) | bit(1) << 1 | bit(2) << 2
    }

    /// Moves a piece of `us`, which becomes one with this code, and captures any piece on the target.
    #[inline(always)]
    pub(crate) fn relocate(&mut self, us: Color, from: Square, to: Square, code: u64) {
        let both = Bitboard::square(from) | to;
        self.by_color[us.index()] ^= both;
        self.by_color[(!us).index()] -= to;
        for (i, plane) in self.planes.iter_mut().enumerate() {
            plane.0 = plane.0 & !both.0 | (code >> i & 1) << to.index();
        }
    }

    /// All pieces with their squares, in order from a1 to h8.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied().iter().filter_map(|square| Some((square, self.piece_at(square)?)))
    }

    /// The pieces of one side that attack a square by the rules of chess, given the occupied
    /// squares.
    #[inline]
    pub fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let attackers = attacks::king(square) & self.by_role(Role::King)
            | attacks::knight(square) & self.by_role(Role::Knight)
            | attacks::pawn(!by, square) & self.by_role(Role::Pawn)
            | attacks::rook(square, occupied) & self.rooks_and_queens()
            | attacks::bishop(square, occupied) & self.bishops_and_queens();
        attackers & self.by_color(by)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let piece = self.piece_at(Square::new(file, rank));
                let mark = piece.map_or('.', Piece::to_char);
                write!(f, "{mark}{}", if file == File::H { '\n' } else { ' ' })?;
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

/// A later piece replaces an earlier one on the same square.
///
/// ```
/// use halfmove_rules::{Board, Chess};
/// let board = Chess::default().board().clone();
/// assert_eq!(board.pieces().collect::<Board>(), board);
/// ```
impl FromIterator<(Square, Piece)> for Board {
    fn from_iter<I: IntoIterator<Item = (Square, Piece)>>(pieces: I) -> Self {
        let mut board = Self::default();
        for (square, piece) in pieces {
            board.put(square, piece);
        }
        board
    }
}
