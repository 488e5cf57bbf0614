//! Conditions on the numbers of pieces of each kind.

use std::str::FromStr;

use halfmove_rules::{Color, MaterialKey, Piece, Role};
use thiserror::Error;

/// The upper limit of ranges without one.
pub(super) const MANY: u8 = 63;

/// The smallest and the largest number.
pub(super) type Range = (u8, u8);

/// The number of pieces of each kind of each side.
///
/// The text form is White's pieces, a `v`, Black's pieces, each kind by its letter. A letter stands for one piece, and
/// `PP` for two pawns. A letter may be followed by a number:
///
/// | text | number of pawns |
/// |---|---|
/// | `P3` | exactly three |
/// | `P2+` | two or more |
/// | `P1-3` | one to three |
/// | `P+` | one or more |
/// | `P?` | one or none |
/// | `P*` | any number |
///
/// `A` stands for all pieces of kinds that are not named on this side: `RA*` is a rook and any other pieces, `RA?` a
/// rook and at most one other piece. Without `A`, there must be no other pieces. Kings can be omitted. Letters are
/// those of [`MaterialKey`]: `K Q R B N P`, in Makruk `K R N S M P`.
///
/// ```
/// use halfmove_game::replay::Material;
/// use halfmove_rules::MaterialKey;
///
/// let ending: Material = "KRPvKR".parse()?;
/// assert_eq!(ending, "RPvR".parse()?);
/// assert_eq!(ending, "KRPvKR".parse::<MaterialKey>().unwrap().into());
/// let some_pawns: Material = "RP+vRP*".parse()?;
/// let bishop_pair: Material = "B2A*vB?A*".parse()?;
/// let error = "KRPvKX".parse::<Material>().unwrap_err();
/// assert_eq!(error.to_string(), "character 6 of the pieces: expected a piece");
/// # Ok::<(), halfmove_game::replay::PieceCountsError>(())
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Material {
    pub(super) sides: [Side; 2],
}

/// The pieces of one side.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Side {
    /// The range of each role.
    pub(super) kinds: [Range; 8],
    /// The roles that are counted together as `A`, and their range.
    pub(super) others: Option<([bool; 8], Range)>,
}

impl Side {
    /// Any pieces.
    pub(super) const ANY: Side = Side { kinds: [(0, MANY); 8], others: None };
}

impl Material {
    /// The same with the colors swapped.
    #[must_use]
    pub fn flipped(&self) -> Self {
        let [white, black] = self.sides;
        Self { sides: [black, white] }
    }
}

impl From<MaterialKey> for Material {
    /// Matches exactly these pieces.
    fn from(key: MaterialKey) -> Self {
        let sides = Color::ALL.map(|color| {
            let kinds = Role::ALL.map(|role| {
                let count = key.count(Piece { color, role }) as u8;
                (count, count)
            });
            Side { kinds, others: None }
        });
        Self { sides }
    }
}

impl FromStr for Material {
    type Err = PieceCountsError;

    fn from_str(text: &str) -> Result<Self, PieceCountsError> {
        let (white, black) = read(text)?;
        let side = |named: &[Named]| {
            let mut kinds = [(0, 0); 8];
            kinds[Role::King as usize] = (1, 1);
            let mut is_named = [false; 8];
            is_named[Role::King as usize] = true;
            let mut others = None;
            for Named { offset, role, count } in named {
                match role {
                    Some(Role::King) if *count != (1, 1) => {
                        return Err(error(*offset, "one king on each side"));
                    }
                    Some(role) => {
                        kinds[*role as usize] = *count;
                        is_named[*role as usize] = true;
                    }
                    None => others = Some(*count),
                }
            }
            let others = others.map(|count| (is_named.map(|is_named| !is_named), count));
            if let Some((which, (_, most))) = others {
                for (kind, _) in kinds.iter_mut().zip(which).filter(|(_, is_other)| *is_other) {
                    *kind = (0, most);
                }
            }
            Ok(Side { kinds, others })
        };
        Ok(Self { sides: [side(&white)?, side(&black)?] })
    }
}

/// The material difference between the sides, by kind of piece.
///
/// The text form is White's surplus, a `v`, and Black's surplus, with numbers as in [`Material`]. The sides must have
/// equal numbers of all other pieces, except that any difference in pawns is allowed if they are not named; `P0`
/// requires equal pawns too.
///
/// | text | meaning |
/// |---|---|
/// | `QvRR` | White has a queen for two rooks |
/// | `RvB` | White has the exchange, a rook for a bishop |
/// | `RvNP1-2` | White has a rook for a knight and one or two pawns |
/// | `P0v` | both sides have the same material |
///
/// ```
/// use halfmove_game::replay::Imbalance;
///
/// let exchange: Imbalance = "RvB".parse()?;
/// assert_eq!(exchange.flipped(), "BvR".parse()?);
/// assert_ne!(exchange, "RvBP0".parse()?);
/// let error = "QvRRQ".parse::<Imbalance>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "character 5 of the pieces: expected each kind on one side only, as in QvRR for QQvQRR"
/// );
/// # Ok::<(), halfmove_game::replay::PieceCountsError>(())
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Imbalance {
    /// White's surplus of each role: the minimum and the maximum.
    pub(super) more: [(i8, i8); 8],
}

impl Imbalance {
    /// The same with the colors swapped.
    #[must_use]
    pub fn flipped(&self) -> Self {
        Self { more: self.more.map(|(least, most)| (-most, -least)) }
    }
}

impl FromStr for Imbalance {
    type Err = PieceCountsError;

    fn from_str(text: &str) -> Result<Self, PieceCountsError> {
        let (white, black) = read(text)?;
        let mut more = [None; 8];
        for (named, is_white) in [(white, true), (black, false)] {
            for Named { offset, role, count: (least, most) } in named {
                let Some(role) = role.filter(|role| *role != Role::King) else {
                    return Err(error(offset, "one of P, N, B, R, Q, S and M"));
                };
                let (least, most) = (least as i8, most as i8);
                let range = if is_white { (least, most) } else { (-most, -least) };
                if more[role as usize].replace(range).is_some() {
                    return Err(error(offset, "each kind on one side only, as in QvRR for QQvQRR"));
                }
            }
        }
        more[Role::Pawn as usize].get_or_insert((-(MANY as i8), MANY as i8));
        Ok(Self { more: more.map(|range| range.unwrap_or((0, 0))) })
    }
}

/// The error for an invalid text of [`Material`] or [`Imbalance`].
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[error("character {} of the pieces: expected {expected}", .offset + 1)]
pub struct PieceCountsError {
    /// The offset of the byte, from 0.
    pub offset: usize,
    /// The text that was expected there.
    pub expected: &'static str,
}

const fn error(offset: usize, expected: &'static str) -> PieceCountsError {
    PieceCountsError { offset, expected }
}

/// A kind of piece in a text.
struct Named {
    /// The offset of its first occurrence.
    offset: usize,
    /// The role; `None` for all kinds that are not named.
    role: Option<Role>,
    count: Range,
}

/// The pieces of White and of Black.
fn read(text: &str) -> Result<(Vec<Named>, Vec<Named>), PieceCountsError> {
    let mut reader = Reader { text: text.as_bytes(), at: 0 };
    let white = reader.side()?;
    if reader.next() != Some(b'v') {
        return Err(error(reader.at, "a piece, or a v between White's and Black's pieces"));
    }
    reader.at += 1;
    let black = reader.side()?;
    match reader.next() {
        Some(b'v') => Err(error(reader.at, "only one v")),
        Some(_) => Err(error(reader.at, "a piece")),
        None => Ok((white, black)),
    }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn next(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn side(&mut self) -> Result<Vec<Named>, PieceCountsError> {
        let mut all: Vec<Named> = Vec::new();
        while let Some(letter) = self.next() {
            let role = match letter {
                b'A' => None,
                b'S' => Some(Role::Khon),
                b'M' => Some(Role::Met),
                _ => match Role::from_letter(letter).filter(|_| letter.is_ascii_uppercase()) {
                    None => break,
                    role => role,
                },
            };
            let offset = self.at;
            self.at += 1;
            let (least, most) = self.count()?;
            match all.iter_mut().find(|named| named.role == role) {
                None => all.push(Named { offset, role, count: (least, most) }),
                Some(Named { count, .. }) => {
                    *count = ((count.0 + least).min(MANY), (count.1 + most).min(MANY));
                }
            }
        }
        Ok(all)
    }

    /// Reads the number after a letter.
    fn count(&mut self) -> Result<Range, PieceCountsError> {
        let (least, most) = match self.next() {
            Some(b'*') => (0, MANY),
            Some(b'+') => (1, MANY),
            Some(b'?') => (0, 1),
            Some(b'0'..=b'9') => {
                let least = self.number()?;
                match self.next() {
                    Some(b'+') => (least, MANY),
                    Some(b'-') => {
                        self.at += 1;
                        let (at, most) = (self.at, self.number()?);
                        return match most < least {
                            true => Err(error(at, "a number that is not below the first one")),
                            false => Ok((least, most)),
                        };
                    }
                    _ => return Ok((least, least)),
                }
            }
            _ => return Ok((1, 1)),
        };
        self.at += 1;
        Ok((least, most))
    }

    fn number(&mut self) -> Result<u8, PieceCountsError> {
        let start = self.at;
        let mut number = None;
        while let Some(digit @ b'0'..=b'9') = self.next() {
            let more = 10 * number.unwrap_or(0) + u32::from(digit - b'0');
            number = Some(more);
            if more > u32::from(MANY) {
                return Err(error(start, "a number up to 63"));
            }
            self.at += 1;
        }
        number.map(|number| number as u8).ok_or(error(start, "a number"))
    }
}
