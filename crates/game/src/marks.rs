//! Colored squares and arrows.

use std::fmt;

use halfmove_rules::Square;

/// The color of a mark on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MarkColor {
    /// `G`
    Green,
    /// `R`
    Red,
    /// `Y`
    Yellow,
    /// `B`
    Blue,
}

impl MarkColor {
    /// The color's letter.
    pub const fn letter(self) -> char {
        match self {
            MarkColor::Green => 'G',
            MarkColor::Red => 'R',
            MarkColor::Yellow => 'Y',
            MarkColor::Blue => 'B',
        }
    }

    /// The color with this letter.
    pub const fn from_letter(letter: char) -> Option<MarkColor> {
        match letter {
            'G' => Some(MarkColor::Green),
            'R' => Some(MarkColor::Red),
            'Y' => Some(MarkColor::Yellow),
            'B' => Some(MarkColor::Blue),
            _ => None,
        }
    }
}

/// A colored square: `Ga4`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ColoredSquare {
    /// The color.
    pub color: MarkColor,
    /// The square.
    pub square: Square,
}

impl fmt::Display for ColoredSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.color.letter(), self.square)
    }
}

/// An arrow: `Gg1f3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Arrow {
    /// The color.
    pub color: MarkColor,
    /// The square at which it begins.
    pub from: Square,
    /// The square to which it points.
    pub to: Square,
}

impl fmt::Display for Arrow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.color.letter(), self.from, self.to)
    }
}

/// The colored squares of a comment: `[%csl Ga4,Rb5]`.
///
/// ```
/// use halfmove_game::Part;
/// use halfmove_game::pgn::read_game;
///
/// let game = read_game("1. e4 {[%csl Ga4,Rb5]} *").unwrap();
/// let comment = game.node(1).unwrap().comments().next().unwrap();
/// let Some(Part::Squares(squares)) = comment.parts().next() else { panic!() };
/// assert_eq!(squares.iter().map(|mark| mark.to_string()).collect::<Vec<_>>(), ["Ga4", "Rb5"]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ColoredSquares<'a>(&'a str);

/// The arrows of a comment: `[%cal Gg1f3]`.
///
/// ```
/// use halfmove_game::Part;
/// use halfmove_game::pgn::read_game;
///
/// let game = read_game("1. e4 {[%cal Gg1f3]} *").unwrap();
/// let comment = game.node(1).unwrap().comments().next().unwrap();
/// let Some(Part::Arrows(arrows)) = comment.parts().next() else { panic!() };
/// assert_eq!(arrows.iter().next().map(|arrow| arrow.to.to_string()).as_deref(), Some("f3"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Arrows<'a>(&'a str);

/// The maximum length of a list in bytes; longer ones are kept as text.
const LONGEST: usize = 4096;

fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim_ascii)
}

fn square(name: &[u8]) -> Option<Square> {
    match name {
        [file, rank] => Square::from_name(*file, *rank),
        _ => None,
    }
}

fn colored_square(text: &str) -> Option<ColoredSquare> {
    let (color, name) = text.as_bytes().split_first()?;
    let color = MarkColor::from_letter(char::from(*color))?;
    Some(ColoredSquare { color, square: square(name)? })
}

fn arrow(text: &str) -> Option<Arrow> {
    let (color, names) = text.as_bytes().split_first()?;
    let (from, to) = names.split_at_checked(2)?;
    let color = MarkColor::from_letter(char::from(*color))?;
    Some(Arrow { color, from: square(from)?, to: square(to)? })
}

impl<'a> ColoredSquares<'a> {
    /// The list, if each of its items is a colored square.
    pub(crate) fn new(text: &'a str) -> Option<ColoredSquares<'a>> {
        let sound = text.len() <= LONGEST && items(text).all(|item| colored_square(item).is_some());
        sound.then_some(ColoredSquares(text))
    }

    pub(crate) const fn known(text: &'a str) -> ColoredSquares<'a> {
        ColoredSquares(text)
    }

    /// The colored squares, in the order of the text.
    pub fn iter(self) -> impl Iterator<Item = ColoredSquare> + 'a {
        items(self.0).filter_map(colored_square)
    }

    /// The list as it was written.
    pub const fn as_str(self) -> &'a str {
        self.0
    }
}

impl<'a> Arrows<'a> {
    /// The list, if each of its items is an arrow.
    pub(crate) fn new(text: &'a str) -> Option<Arrows<'a>> {
        let sound = text.len() <= LONGEST && items(text).all(|item| arrow(item).is_some());
        sound.then_some(Arrows(text))
    }

    pub(crate) const fn known(text: &'a str) -> Arrows<'a> {
        Arrows(text)
    }

    /// The arrows, in the order of the text.
    pub fn iter(self) -> impl Iterator<Item = Arrow> + 'a {
        items(self.0).filter_map(arrow)
    }

    /// The list as it was written.
    pub const fn as_str(self) -> &'a str {
        self.0
    }
}
