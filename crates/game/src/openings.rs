//! Names of openings, by position.
//!
//! A list has an ECO code and a name for 3,807 positions. An opening belongs to a position, not to the moves that lead
//! to it, so a game has the same opening after any move order:
//!
//! ```text
//!  1. d4 Nf6 2. c4 e6 3. Nf3       E10  Indian Defense: Anti-Nimzo-Indian
//!  1. Nf3 Nf6 2. c4 e6 3. d4        │   the same position
//!        └──────┴─────────── each of these positions may be listed; the last one names the game
//! ```
//!
//! ```
//! use halfmove_game::codec::halfmove;
//! use halfmove_game::openings;
//! use halfmove_game::pgn::read_game;
//!
//! let game = read_game("1. Nf3 c5 2. e4 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 *")?;
//! let mut bytes = Vec::new();
//! halfmove::encode_moves(&game.start, &game.moves, &mut bytes)?;
//! let opening = openings::of_game(&bytes)?.expect("a listed position");
//! assert_eq!(opening.to_string(), "B90 Sicilian Defense: Najdorf Variation");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The opening of a game
//!
//! The opening of a game is that of the last listed position in its main line, if the game begins at the standard
//! starting position of chess. Games from other positions and of other variants have none. Chess960 from start number
//! 518 has the same positions and openings.
//!
//! Two positions are the same if they have the same pieces, side to move, castling rights and legal en passant capture.
//! No two lines of the list lead to the same position. If a later list has such lines, the first one counts.
//!
//! # Names
//!
//! A name includes the names of the openings that it is a variation of:
//! `Sicilian Defense: Najdorf Variation, English Attack`. [`Opening::parts`] splits it; [`below`] has all openings
//! whose names begin with the same parts. Several positions may have the same name.
//!
//! # Cost
//!
//! The list is text. The first look-up plays its lines, which takes a few milliseconds; programs without look-ups pay
//! nothing.
//!
//! # Source
//! The list is that of `lichess-org/chess-openings` (CC0), verbatim in `data/openings`, at the commit [`LIST_COMMIT`]
//! of [`LIST_DATE`].

mod codes;
mod list;

use std::fmt;

use halfmove_rules::{Chess, Move};

use crate::codec::DecodeError;
use crate::replay::last_listed;

pub(crate) use self::codes::is_eco;
pub use self::codes::{EcoCode, EcoCodes, EcoError};
pub(crate) use self::list::List;

/// The commit of `lichess-org/chess-openings` from which the list is taken.
pub const LIST_COMMIT: &str = "51b886249b9e418498d25b6e39b926c3de99c29a";

/// The date of this commit.
pub const LIST_DATE: &str = "2026-07-22";

/// An opening: a position with a code and a name.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Opening {
    index: u16,
    eco: &'static str,
    name: &'static str,
    moves: &'static str,
}

impl Opening {
    /// The code of the *Encyclopaedia of Chess Openings*: `B90`.
    pub fn eco(&self) -> &'static str {
        self.eco
    }

    /// The name, in English.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The moves to the position in the list, as PGN: `1. e4 c5`.
    pub fn moves(&self) -> &'static str {
        self.moves
    }

    /// The index in [`all`], for tables of games. It may change with the list.
    pub fn index(&self) -> usize {
        usize::from(self.index)
    }

    /// The parts of the name, from the general to the particular.
    ///
    /// ```
    /// use halfmove_game::openings;
    ///
    /// let opening = openings::below("Sicilian Defense: Najdorf Variation, English Attack").next().unwrap();
    /// let parts: Vec<_> = opening.parts().collect();
    /// assert_eq!(parts, ["Sicilian Defense", "Najdorf Variation", "English Attack"]);
    /// ```
    pub fn parts(&self) -> impl Iterator<Item = &'static str> {
        self.name.split([':', ',']).map(str::trim)
    }

    /// Returns true if the opening has this name or is a variation of it: `Sicilian Defense: Najdorf Variation` is
    /// below `Sicilian Defense`.
    pub fn is_below(&self, name: &str) -> bool {
        let rest = self.name.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', ',']))
    }
}

/// The code and the name: `B90 Sicilian Defense: Najdorf Variation`.
impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.eco, self.name)
    }
}

/// All openings, in the order of their codes.
///
/// ```
/// use halfmove_game::openings;
///
/// let last = openings::all().last().unwrap();
/// assert_eq!((last.eco(), last.index() + 1), ("E99", openings::all().len()));
/// ```
pub fn all() -> &'static [Opening] {
    &List::get().openings
}

/// The openings with this name, and their variations.
///
/// ```
/// use halfmove_game::openings;
///
/// let mut names = openings::below("Ruy Lopez: Berlin Defense").map(|opening| opening.name());
/// assert_eq!(names.next(), Some("Ruy Lopez: Berlin Defense"));
/// assert!(names.any(|name| name == "Ruy Lopez: Berlin Defense, Anti-Berlin Variation"));
/// ```
pub fn below(name: &str) -> impl Iterator<Item = &'static Opening> + Clone {
    all().iter().filter(move |opening| opening.is_below(name))
}

/// The opening of a position, if it is listed.
///
/// ```
/// use halfmove_game::openings;
/// use halfmove_rules::Chess;
///
/// let position: Chess = "rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2".parse()?;
/// assert_eq!(openings::of_position(&position).map(|opening| opening.eco()), Some("C00"));
/// assert_eq!(openings::of_position(&Chess::default()), None);
/// # Ok::<(), halfmove_rules::FenError>(())
/// ```
pub fn of_position(position: &Chess) -> Option<&'static Opening> {
    let list = List::get();
    list.listed(position).map(|index| &list.openings[usize::from(index)])
}

/// The opening after some moves: that of the last listed position along the way, if `start` is the standard starting
/// position.
///
/// The moves must be legal.
///
/// ```
/// use halfmove_game::openings;
/// use halfmove_game::pgn::read_game;
/// use halfmove_rules::Chess;
///
/// let game = read_game("1. c4 e5 2. a3 h5 *")?;
/// let opening = openings::of_moves(&Chess::default(), &game.moves).unwrap();
/// assert_eq!(opening.to_string(), "A20 English Opening: King's English Variation");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn of_moves(start: &Chess, moves: &[Move]) -> Option<&'static Opening> {
    if *start != Chess::default() {
        return None;
    }
    let mut position = start.clone();
    let named = moves.iter().filter_map(|mv| {
        position.play_unchecked(*mv);
        of_position(&position)
    });
    named.last()
}

/// The opening of a game in the bytes of [`codec::halfmove`](crate::codec::halfmove).
///
/// The moves are replayed, without building positions, until no listed position can arise any more. As everywhere in
/// [`replay`](crate::replay), the bytes are assumed to encode legal moves.
///
/// ```
/// use halfmove_game::openings;
///
/// // 1. e4 e5
/// let opening = openings::of_game(&[0x11, 0x11])?.unwrap();
/// assert_eq!((opening.eco(), opening.name()), ("C20", "King's Pawn Game"));
/// # Ok::<(), halfmove_game::codec::DecodeError>(())
/// ```
///
/// # Errors
/// Fails on bytes that are not codes of this version, as far as they are read.
pub fn of_game(bytes: &[u8]) -> Result<Option<&'static Opening>, DecodeError> {
    let list = List::get();
    let index = last_listed(bytes, list)?;
    Ok(index.map(|index| &list.openings[usize::from(index)]))
}
