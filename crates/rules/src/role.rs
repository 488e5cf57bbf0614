//! Kinds of pieces.

use crate::Color;
use core::fmt;

/// A kind of piece. Chess has six of them; Makruk has khons and mets instead of bishops and queens.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// A pawn; Makruk's bia.
    Pawn,
    /// A knight; Makruk's ma.
    Knight,
    /// A bishop.
    Bishop,
    /// A rook; Makruk's ruea.
    Rook,
    /// A queen.
    Queen,
    /// A king; Makruk's khun.
    King,
    /// A khon: steps diagonally, or straight ahead.
    Khon,
    /// A met: steps diagonally. A bia promotes to it.
    Met,
}

impl Role {
    /// All roles, those of chess first.
    pub const ALL: [Self; 8] = [
        Self::Pawn,
        Self::Knight,
        Self::Bishop,
        Self::Rook,
        Self::Queen,
        Self::King,
        Self::Khon,
        Self::Met,
    ];

    /// The roles of chess, from pawn to king.
    pub const CHESS: [Self; 6] =
        [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];

    /// The roles that a pawn of chess can promote to, queen first.
    pub const PROMOTIONS: [Self; 4] = [Self::Queen, Self::Rook, Self::Bishop, Self::Knight];

    /// 0 for the pawn … 5 for the king, 6 for the khon, 7 for the met.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The upper-case English letter, with `P` for the pawn; khon and met are `S` and `M`, as in
    /// Fairy-Stockfish.
    pub const fn letter(self) -> char {
        ['P', 'N', 'B', 'R', 'Q', 'K', 'S', 'M'][self as usize]
    }

    /// The role with this English letter, in upper or lower case, including khon (`S`) and met
    /// (`M`).
    ///
    /// ```
    /// use halfmove_rules::Role;
    /// assert_eq!(Role::from_char('n'), Some(Role::Knight));
    /// assert_eq!(Role::from_char('N'), Some(Role::Knight));
    /// assert_eq!(Role::from_char('x'), None);
    /// for role in Role::ALL {
    ///     assert_eq!(Role::from_char(role.letter()), Some(role));
    /// }
    /// ```
    pub const fn from_char(letter: char) -> Option<Self> {
        let letter = letter.to_ascii_uppercase();
        let mut i = 0;
        while i < Self::ALL.len() {
            if Self::ALL[i].letter() == letter {
                return Some(Self::ALL[i]);
            }
            i += 1;
        }
        None
    }

    /// The English name, `pawn` to `met`, as `Display` writes it.
    pub const fn name(self) -> &'static str {
        ["pawn", "knight", "bishop", "rook", "queen", "king", "khon", "met"][self as usize]
    }

    /// The role of an English [name](Self::name), in lower case.
    ///
    /// ```
    /// use halfmove_rules::Role;
    /// assert_eq!(Role::from_name("knight"), Some(Role::Knight));
    /// assert_eq!(Role::from_name("horse"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }

    /// The role of chess with this upper-case English letter.
    pub const fn from_letter(letter: u8) -> Option<Self> {
        match letter {
            b'P' => Some(Self::Pawn),
            b'N' => Some(Self::Knight),
            b'B' => Some(Self::Bishop),
            b'R' => Some(Self::Rook),
            b'Q' => Some(Self::Queen),
            b'K' => Some(Self::King),
            _ => None,
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A piece: a color and a role.
///
/// ```
/// use halfmove_rules::{Color, Piece, Role};
/// let knight = Piece { color: Color::Black, role: Role::Knight };
/// assert_eq!(knight.to_char(), 'n');
/// assert_eq!(Piece::from_letter(b'n'), Some(knight));
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece {
    /// Its side.
    pub color: Color,
    /// Its kind.
    pub role: Role,
}

impl Piece {
    /// Its FEN letter: upper case for White.
    pub const fn to_char(self) -> char {
        match self.color {
            Color::White => self.role.letter(),
            Color::Black => self.role.letter().to_ascii_lowercase(),
        }
    }

    /// The piece with this letter, as written by [`to_char`](Self::to_char), including khon and
    /// met.
    ///
    /// ```
    /// use halfmove_rules::{Color, Piece, Role};
    /// let met = Piece { color: Color::Black, role: Role::Met };
    /// assert_eq!(Piece::from_char('m'), Some(met));
    /// assert_eq!(Piece::from_char(met.to_char()), Some(met));
    /// ```
    pub const fn from_char(letter: char) -> Option<Self> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match Role::from_char(letter) {
            Some(role) => Some(Self { color, role }),
            None => None,
        }
    }

    /// The piece of chess with this FEN letter.
    pub const fn from_letter(letter: u8) -> Option<Self> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match Role::from_letter(letter.to_ascii_uppercase()) {
            Some(role) => Some(Self { color, role }),
            None => None,
        }
    }
}

impl fmt::Display for Piece {
    /// The letter of FEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Write::write_char(f, self.to_char())
    }
}
