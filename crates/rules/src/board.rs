//! Men on squares.

use crate::{Bitboard, Color, Piece, Role, Square};
use core::fmt;
use halfmove_bitboard::{File, Rank, attacks};

/// Where the men stand: one set of squares a role, one a color.
///
/// `Debug` and `Display` draw it, the eighth rank on top, White in upper case.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Board {
    by_role: [Bitboard; 6],
    by_color: [Bitboard; 2],
}

impl Board {
    /// All occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    /// The squares of one side's men.
    #[inline]
    pub fn by_color(&self, color: Color) -> Bitboard {
        self.by_color[color.index()]
    }

    /// The squares of both sides' men of one role.
    #[inline]
    pub fn by_role(&self, role: Role) -> Bitboard {
        self.by_role[role.index()]
    }

    /// The squares of one side's men of one role.
    #[inline]
    pub fn by_piece(&self, piece: Piece) -> Bitboard {
        self.by_color(piece.color) & self.by_role(piece.role)
    }

    /// The role of the man on a square.
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        if !self.occupied().has(square) {
            return None;
        }
        Role::ALL.into_iter().find(|role| self.by_role[role.index()].has(square))
    }

    /// The man on a square.
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

    /// Puts a man on a square, in place of whatever stands there.
    #[inline]
    pub fn put(&mut self, square: Square, piece: Piece) {
        self.remove(square);
        self.by_role[piece.role.index()] |= square.into();
        self.by_color[piece.color.index()] |= square.into();
    }

    /// Takes the man off a square.
    #[inline]
    pub fn remove(&mut self, square: Square) -> Option<Piece> {
        let piece = self.piece_at(square)?;
        self.by_role[piece.role.index()] -= square.into();
        self.by_color[piece.color.index()] -= square.into();
        Some(piece)
    }

    /// All men with their squares, a1 first.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied().iter().filter_map(|square| Some((square, self.piece_at(square)?)))
    }

    /// The men of a side that attack a square, given what is occupied.
    #[inline]
    pub fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let queens = self.by_role(Role::Queen);
        let attackers = attacks::king(square) & self.by_role(Role::King)
            | attacks::knight(square) & self.by_role(Role::Knight)
            | attacks::pawn(!by, square) & self.by_role(Role::Pawn)
            | attacks::rook(square, occupied) & (self.by_role(Role::Rook) | queens)
            | attacks::bishop(square, occupied) & (self.by_role(Role::Bishop) | queens);
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
