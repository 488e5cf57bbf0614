//! The meaning of each byte in the two notations: the tables of the paper, whose fields are the groups of the binary
//! numbers below.
//!
//! ```text
//!             primary            alternate        numbered
//! queen       01 nnn ddd         11 ddd nnn       d: E, NE, N, NW, W, SW, S, SE     n: squares
//! rook        1 w nnn dd 0       10 dd w nnn      d: E, N, W, S                     w: from the a-file on
//! bishop      1 w nnn dd 1       01 dd w nnn      d: NE, NW, SW, SE
//! pawn        001 mm www         the same         m: one, two, right, left; in the alternate: right, one, two, left
//! knight      0001 w ddd         the same         d: EES, EEN, NNE, NNW, WWN, WWS, SSW, SSE
//! king        00001 ddd          the same         d: as the queen
//! other       00000 mmm          the same         m: ", 0-1, 1-0, .5-.5, O-O, O-O-O, ?, !
//!
//! next queen  01 000 dd 0        11 dd 0 000      d: which queen moves next, or comes from the next pawn move
//! next knight 01 000 dd 1        11 dd 1 000
//! next rook   10 000 dd 0        10 dd 0 000
//! next bishop 10 000 dd 1        01 dd 0 000
//! free        11 000 mmm         10 dd 1 000, 01 dd 1 000
//! ```
#![expect(clippy::unusual_byte_groupings, reason = "the groups are the fields of the paper")]

use halfmove_game::GameResult;
use halfmove_rules::{CastlingSide, Color, Role};

use super::Notation;

/// The meaning of a byte.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Code {
    /// A queen, rook or bishop moves in one of [`COMPASS`].
    Slider {
        role: Role,
        number: u8,
        direction: u8,
        distance: u8,
    },
    /// A pawn's `step` is an index of [`pawn_steps`].
    Pawn {
        number: u8,
        step: u8,
    },
    /// A knight moves in one of [`KNIGHT`].
    Knight {
        number: u8,
        direction: u8,
    },
    /// The king moves in one of [`COMPASS`].
    King {
        direction: u8,
    },
    /// The next move is by this piece, or by the pawn that promoted to it.
    Next {
        role: Role,
        number: u8,
    },
    /// The beginning of a text.
    Text,
    Result(GameResult),
    Castle(CastlingSide),
    /// `?` or `!`.
    Sign(char),
    Extension,
    Unassigned,
}

/// The eight directions counterclockwise from east: files to the east, ranks to the north.
pub(super) const COMPASS: [(i8, i8); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// The same for a knight; in the paper's names the longer leg comes first: EES, EEN, NNE …
pub(super) const KNIGHT: [(i8, i8); 8] =
    [(2, -1), (2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2)];

/// The steps of a pawn: one, two, to its right, to its left.
pub(super) const fn pawn_steps(us: Color) -> [(i8, i8); 4] {
    match us {
        Color::White => [(0, 1), (0, 2), (1, 1), (-1, 1)],
        Color::Black => [(0, -1), (0, -2), (-1, -1), (1, -1)],
    }
}

/// The steps of pawns in the alternate notation, by their number in the primary one.
pub(super) const ALTERNATE_STEPS: [u8; 4] = [1, 2, 0, 3];

impl Notation {
    /// The meaning of a byte.
    pub(super) fn code(self, byte: u8) -> Code {
        let bits = |from: u32, count: u32| byte >> from & ((1 << count) - 1);
        match byte {
            0b00000_000 => Code::Text,
            0b00000_001 => Code::Result(GameResult::BlackWins),
            0b00000_010 => Code::Result(GameResult::WhiteWins),
            0b00000_011 => Code::Result(GameResult::Draw),
            0b00000_100 => Code::Castle(CastlingSide::KingSide),
            0b00000_101 => Code::Castle(CastlingSide::QueenSide),
            0b00000_110 => Code::Sign('?'),
            0b00000_111 => Code::Sign('!'),
            0b00001_000..=0b00001_111 => Code::King { direction: bits(0, 3) },
            0b0001_0_000..=0b0001_1_111 => {
                Code::Knight { number: bits(3, 1), direction: bits(0, 3) }
            }
            0b001_00_000..=0b001_11_111 => {
                let field = bits(3, 2);
                let step = match self {
                    Notation::Primary => field,
                    Notation::Alternate => {
                        ALTERNATE_STEPS.iter().position(|step| *step == field).unwrap_or(0) as u8
                    }
                };
                Code::Pawn { number: bits(0, 3), step }
            }
            _ if byte == self.extension() => Code::Extension,
            _ => match self {
                Notation::Primary => Self::primary(byte),
                Notation::Alternate => Self::alternate(byte),
            },
        }
    }

    /// Sliders and the codes before them, from 01 000 000 on.
    fn primary(byte: u8) -> Code {
        let bits = |from: u32, count: u32| byte >> from & ((1 << count) - 1);
        let (distance, odd) = (bits(3, 3), bits(0, 1) == 1);
        let queen = byte < 0x80;
        match (queen, distance) {
            (true, 0) => Code::Next {
                role: if odd { Role::Knight } else { Role::Queen },
                number: bits(1, 2),
            },
            (true, _) => {
                Code::Slider { role: Role::Queen, number: 0, direction: bits(0, 3), distance }
            }
            (false, 0) if bits(6, 1) == 1 => Code::Unassigned,
            (false, _) => {
                let role = if odd { Role::Bishop } else { Role::Rook };
                match distance {
                    0 => Code::Next { role, number: bits(1, 2) },
                    _ => Code::Slider { role, number: bits(6, 1), direction: bits(0, 3), distance },
                }
            }
        }
    }

    /// The same in the alternate notation.
    fn alternate(byte: u8) -> Code {
        let bits = |from: u32, count: u32| byte >> from & ((1 << count) - 1);
        let (distance, third) = (bits(0, 3), bits(3, 1));
        let number = bits(4, 2);
        match (byte >> 6, distance, third) {
            (0b11, 0, 0) => Code::Next { role: Role::Queen, number },
            (0b11, 0, _) => Code::Next { role: Role::Knight, number },
            (0b11, ..) => {
                Code::Slider { role: Role::Queen, number: 0, direction: bits(3, 3), distance }
            }
            (_, 0, 1) => Code::Unassigned,
            (0b10, 0, _) => Code::Next { role: Role::Rook, number },
            (_, 0, _) => Code::Next { role: Role::Bishop, number },
            (0b10, ..) => {
                let direction = 2 * number;
                Code::Slider { role: Role::Rook, number: third, direction, distance }
            }
            _ => {
                let direction = 2 * number + 1;
                Code::Slider { role: Role::Bishop, number: third, direction, distance }
            }
        }
    }

    /// The byte of a code; for unassigned codes, the first one.
    pub(super) fn byte(self, code: Code) -> u8 {
        match (code, self) {
            (Code::Text, _) => 0,
            (Code::Result(GameResult::BlackWins), _) => 1,
            (Code::Result(GameResult::WhiteWins), _) => 2,
            (Code::Result(GameResult::Draw), _) => 3,
            (Code::Result(GameResult::Unknown) | Code::Extension, _) => self.extension(),
            (Code::Castle(CastlingSide::KingSide), _) => 4,
            (Code::Castle(CastlingSide::QueenSide), _) => 5,
            (Code::Sign(sign), _) => 6 + u8::from(sign == '!'),
            (Code::King { direction }, _) => 0b00001_000 | direction,
            (Code::Knight { number, direction }, _) => 0b0001_0_000 | number << 3 | direction,
            (Code::Pawn { number, step }, Notation::Primary) => 0b001_00_000 | step << 3 | number,
            (Code::Pawn { number, step }, Notation::Alternate) => {
                0b001_00_000 | ALTERNATE_STEPS[usize::from(step)] << 3 | number
            }
            (Code::Slider { role, number, direction, distance }, Notation::Primary) => match role {
                Role::Queen => 0b01_000_000 | distance << 3 | direction,
                _ => 0b1_0_000_00_0 | number << 6 | distance << 3 | direction,
            },
            (Code::Slider { role, number, direction, distance }, Notation::Alternate) => match role
            {
                Role::Queen => 0b11_000_000 | direction << 3 | distance,
                Role::Rook => 0b10_00_0_000 | direction >> 1 << 4 | number << 3 | distance,
                _ => 0b01_00_0_000 | direction >> 1 << 4 | number << 3 | distance,
            },
            (Code::Next { role, number }, Notation::Primary) => {
                let (kind, odd) = match role {
                    Role::Rook => (0b10_000_00_0, 0),
                    Role::Bishop => (0b10_000_00_0, 1),
                    Role::Queen => (0b01_000_00_0, 0),
                    _ => (0b01_000_00_0, 1),
                };
                kind | number << 1 | odd
            }
            (Code::Next { role, number }, Notation::Alternate) => {
                let kind = match role {
                    Role::Queen => 0b11_00_0_000,
                    Role::Knight => 0b11_00_1_000,
                    Role::Rook => 0b10_00_0_000,
                    _ => 0b01_00_0_000,
                };
                kind | number << 4
            }
            (Code::Unassigned, Notation::Primary) => 0b11_000_001,
            (Code::Unassigned, Notation::Alternate) => 0b01_01_1_000,
        }
    }

    /// The first of the eight free bytes: all codes that the paper lacks begin with it.
    pub(super) const fn extension(self) -> u8 {
        match self {
            Notation::Primary => 0b11_000_000,
            Notation::Alternate => 0b01_00_1_000,
        }
    }

    /// The bits of a byte, field by field.
    pub(super) fn fields(self, byte: u8) -> String {
        let widths: &[usize] = match (self.code(byte), self) {
            (Code::Pawn { .. }, _) => &[3, 2, 3],
            (Code::Knight { .. }, _) => &[4, 1, 3],
            (Code::Slider { role: Role::Queen, .. }, _) => &[2, 3, 3],
            (Code::Slider { .. }, Notation::Primary) => &[1, 1, 3, 2, 1],
            (Code::Slider { .. }, Notation::Alternate) => &[2, 2, 1, 3],
            (Code::Next { .. }, Notation::Primary) => &[2, 3, 2, 1],
            (Code::Next { .. }, Notation::Alternate) => &[2, 2, 1, 3],
            _ => &[5, 3],
        };
        let bits = format!("{byte:08b}");
        let mut rest = bits.as_str();
        let fields = widths.iter().map(|width| {
            let (field, more) = rest.split_at(*width);
            rest = more;
            field
        });
        fields.collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Codec;
    use crate::tables::{RESERVED, check, check_reserved, direction, of_bytes};

    /// The meaning of a byte, in the table of the page.
    fn meaning(notation: Notation, byte: u8) -> String {
        let letter = |role: Role| match role {
            Role::Queen => 'Q',
            Role::Rook => 'R',
            Role::Bishop => 'B',
            _ => 'N',
        };
        let step = |index: u8| direction(COMPASS[usize::from(index)]);
        match notation.code(byte) {
            Code::Slider { role: Role::Queen, direction, distance, .. } => {
                format!("Q {}{distance}", step(direction))
            }
            Code::Slider { role, number, direction, distance } => {
                format!("{}{number} {}{distance}", letter(role), step(direction))
            }
            Code::Pawn { number, step } => {
                format!("P{number} {}", ["one", "two", "right", "left"][usize::from(step)])
            }
            Code::Knight { number, direction: step } => {
                format!("N{number} {}", direction(KNIGHT[usize::from(step)]))
            }
            Code::King { direction } => format!("K {}", step(direction)),
            Code::Next { role, number } => format!("next: {}{number}", letter(role)),
            Code::Text => "text".to_owned(),
            Code::Result(result) => result.to_string(),
            Code::Castle(CastlingSide::KingSide) => "O-O".to_owned(),
            Code::Castle(CastlingSide::QueenSide) => "O-O-O".to_owned(),
            Code::Sign(sign) => sign.to_string(),
            Code::Extension => "extension".to_owned(),
            Code::Unassigned => RESERVED.to_owned(),
        }
    }

    #[test]
    fn the_page_has_every_byte() {
        for notation in [Notation::Primary, Notation::Alternate] {
            let meaning = |byte| meaning(notation, byte);
            check("brenner.md", notation.name(), &of_bytes(meaning));
            check_reserved(&notation, meaning);
        }
    }

    /// Each byte has one meaning, and each meaning has one byte.
    #[test]
    fn all_bytes() {
        for notation in [Notation::Primary, Notation::Alternate] {
            let mut unassigned = Vec::new();
            for byte in 0..=255 {
                match notation.code(byte) {
                    Code::Unassigned => unassigned.push(byte),
                    code => assert_eq!(notation.byte(code), byte, "{notation:?} {code:?}"),
                }
            }
            let expected: &[u8] = match notation {
                Notation::Primary => &[0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7],
                Notation::Alternate => &[0x58, 0x68, 0x78, 0x88, 0x98, 0xa8, 0xb8],
            };
            assert_eq!(unassigned, expected);
        }
    }
}
