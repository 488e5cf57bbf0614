//! Kinds of pieces.

use crate::Color;
use core::fmt;

/// A kind of piece. Chess has six of them; Makruk has the khon and the met where chess has bishops and
/// the queen.
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
    /// A khon: one step diagonally, or one straight ahead.
    Khon,
    /// A met: one step diagonally. A bia becomes one.
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

    /// The roles of chess, the pawn first, the king last.
    pub const CHESS: [Self; 6] =
        [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];

    /// What a pawn of chess may become, the queen first.
    pub const PROMOTIONS: [Self; 4] = [Self::Queen, Self::Rook, Self::Bishop, Self::Knight];

    /// 0 for the pawn … 5 for the king, 6 for the khon, 7 for the met.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The English letter, upper case, `P` for the pawn; `S` and `M` for khon and met, as
    /// Fairy-Stockfish has them.
    pub const fn letter(self) -> char {
        ['P', 'N', 'B', 'R', 'Q', 'K', 'S', 'M'][self as usize]
    }

    /// The role of an English letter, upper or lower case, khon (`S`) and met (`M`) included.
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

    /// The role of an upper-case English letter of chess.
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
    /// The side that it belongs to.
    pub color: Color,
    /// What kind of piece it is.
    pub role: Role,
}

impl Piece {
    /// The letter of FEN: upper case for White.
    pub const fn to_char(self) -> char {
        match self.color {
            Color::White => self.role.letter(),
            Color::Black => self.role.letter().to_ascii_lowercase(),
        }
    }

    /// The piece of a letter as [`to_char`](Self::to_char) writes it, khon and met included.
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

    /// The piece of a FEN letter of chess.
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
