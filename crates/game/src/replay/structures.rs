//! Named pawn structures.

use std::fmt;
use std::str::FromStr;

use halfmove_rules::{Color, Piece, Role, Square};
use thiserror::Error;

use super::pattern::Pattern;

/// A named pawn structure, such as the hedgehog.
///
/// The text form is the name, for either side, or a side and the name: `iqp`, `white:iqp`, `black:iqp`.
///
/// Each is drawn as a board: `P` is a white pawn, `p` a black pawn, `-` a square without a white pawn, `=` one without
/// a black pawn; all other squares may have any contents.
///
/// ```
/// use halfmove_game::codec::halfmove;
/// use halfmove_game::pgn::read_game;
/// use halfmove_game::replay::{BoardQuery, BoardCondition, Structure};
///
/// let mut bytes = Vec::new();
/// let text = "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. cxd5 exd5 5. Bg5 c6 6. e3 *";
/// halfmove::encode(&read_game(text).unwrap(), &mut bytes)?;
/// let carlsbad: Structure = "carlsbad".parse()?;
/// let question = BoardCondition { pattern: carlsbad.pattern(), ..BoardCondition::default() };
/// assert_eq!(BoardQuery::new(&question).find(&bytes)?, Some(11));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Structure {
    /// The name in lower case, with hyphens.
    pub name: &'static str,
    /// The meaning, in one line.
    pub meaning: &'static str,
    /// The side that has it in the drawing: Black for the hedgehog, White for the isolated pawn.
    pub owner: Color,
    /// The side that must have it; `None` for either.
    pub side: Option<Color>,
    /// The ranks from the eighth to the first.
    board: [&'static [u8; 8]; 8],
}

const fn structure(
    name: &'static str,
    owner: Color,
    meaning: &'static str,
    board: [&'static [u8; 8]; 8],
) -> Structure {
    Structure { name, meaning, owner, side: None, board }
}

/// All named structures, in alphabetical order.
#[rustfmt::skip]
pub const STRUCTURES: &[Structure] = &[
    structure("benoni", Color::Black, "pawns on d5 and e4 against c5 and d6, White without a c-pawn, Black without an e-pawn", [
        b"........",
        b"..-.=...",
        b"..-p=...",
        b"..pP=...",
        b"..-.P...",
        b"..-.=...",
        b"..-.=...",
        b"........",
    ]),
    structure("carlsbad", Color::White, "the exchange variation of the Queen's Gambit: d4 and e3 against c6 and d5, White without a c-pawn, Black without an e-pawn", [
        b"........",
        b"..-.=...",
        b"..p.=...",
        b"..-p=...",
        b"..-P=...",
        b"..-.P...",
        b"..-.=...",
        b"........",
    ]),
    structure("caro-kann", Color::Black, "a pawn on d4 against c6 and e6, White without an e-pawn, Black without a d-pawn", [
        b"........",
        b"...=-...",
        b"..p=p...",
        b"...=-...",
        b"...P-...",
        b"...=-...",
        b"...=-...",
        b"........",
    ]),
    structure("dragon", Color::Black, "d6, e7, f7, g6 and h7 against a pawn on e4, White without a d-pawn, Black without a c-pawn", [
        b"........",
        b"..=-pp.p",
        b"..=p..p.",
        b"..=-....",
        b"..=-P...",
        b"..=-....",
        b"..=-....",
        b"........",
    ]),
    structure("french", Color::Black, "the advance chain: d4 and e5 against d5 and e6", [
        b"........",
        b"........",
        b"....p...",
        b"...pP...",
        b"...P....",
        b"........",
        b"........",
        b"........",
    ]),
    structure("hanging", Color::White, "pawns on c4 and d4 on half-open files, without neighbors", [
        b"........",
        b".-==-...",
        b".-==-...",
        b".-==-...",
        b".-PP-...",
        b".-==-...",
        b".-==-...",
        b"........",
    ]),
    structure("hedgehog", Color::Black, "a6, b6, d6 and e6 against c4 and e4, White without a d-pawn, Black without a c-pawn", [
        b"........",
        b"..=-....",
        b"pp=pp...",
        b"..=-....",
        b"..P-P...",
        b"..=-....",
        b"..=-....",
        b"........",
    ]),
    structure("iqp", Color::White, "an isolated queen's pawn on d4 on a half-open file", [
        b"........",
        b"..-=-...",
        b"..-=-...",
        b"..-=-...",
        b"..-P-...",
        b"..-=-...",
        b"..-=-...",
        b"........",
    ]),
    structure("kings-indian", Color::Black, "the closed center: c4, d5 and e4 against d6 and e5", [
        b"........",
        b"........",
        b"...p....",
        b"...Pp...",
        b"..P.P...",
        b"........",
        b"........",
        b"........",
    ]),
    structure("maroczy", Color::White, "pawns on c4 and e4 against d6, White without a d-pawn, Black without a c-pawn", [
        b"........",
        b"..=-....",
        b"..=p....",
        b"..=-....",
        b"..P-P...",
        b"..=-....",
        b"..=-....",
        b"........",
    ]),
    structure("scheveningen", Color::Black, "d6 and e6 against a pawn on e4, White without a d-pawn, Black without a c-pawn", [
        b"........",
        b"..=-....",
        b"..=pp...",
        b"..=-....",
        b"..=-P...",
        b"..=-....",
        b"..=-....",
        b"........",
    ]),
    structure("stonewall", Color::White, "pawns on c3, d4, e3 and f4", [
        b"........",
        b"........",
        b"........",
        b"........",
        b"...P.P..",
        b"..P.P...",
        b"........",
        b"........",
    ]),
];

impl Structure {
    /// The pattern of its pawns: as drawn, or with colors swapped if the other side must have it.
    pub fn pattern(&self) -> Pattern {
        let mut pattern = Pattern::new();
        let pawn = |color| Piece { color, role: Role::Pawn };
        let (white, black) = (pawn(Color::White), pawn(Color::Black));
        for square in (0..64).filter_map(Square::from_index) {
            let index = square.index();
            let drawn = self.board[7 - index / 8][index % 8];
            match drawn {
                b'P' => pattern.allow(square, [Some(white)]),
                b'p' => pattern.allow(square, [Some(black)]),
                b'-' => pattern.forbid(square, white),
                b'=' => pattern.forbid(square, black),
                _ => {}
            }
        }
        match self.side {
            Some(side) if side != self.owner => pattern.flipped(),
            _ => pattern,
        }
    }
}

/// The drawing: eight lines, from the eighth rank to the first.
impl fmt::Display for Structure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, rank) in self.board.iter().enumerate() {
            if number > 0 {
                f.write_str("\n")?;
            }
            let squares: Vec<String> = rank.iter().map(|c| char::from(*c).to_string()).collect();
            f.write_str(&squares.join(" "))?;
        }
        Ok(())
    }
}

/// The error for an unknown structure.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown structure \"{name}\", expected one of {}; for one side: white:iqp", names())]
pub struct StructureError {
    name: String,
}

/// The names of all structures.
fn names() -> String {
    STRUCTURES.iter().map(|structure| structure.name).collect::<Vec<_>>().join(", ")
}

impl FromStr for Structure {
    type Err = StructureError;

    fn from_str(text: &str) -> Result<Self, StructureError> {
        let text = text.to_ascii_lowercase().replace([' ', '_'], "-");
        let (side, name) = match text.split_once(':') {
            Some(("white", name)) => (Some(Color::White), name),
            Some(("black", name)) => (Some(Color::Black), name),
            _ => (None, text.as_str()),
        };
        let found = STRUCTURES.iter().find(|structure| structure.name == name);
        let error = || StructureError { name: text.clone() };
        found.map(|found| Structure { side, ..*found }).ok_or_else(error)
    }
}
