//! Positions of Makruk in 36 bytes.

use super::{Counting, CountingPolicy, Honor, Makruk, Rules, Setup, SetupError};
use crate::packed::{PIECES, nibble, set_nibble};
use crate::{Bitboard, Board, Color, PackError, Piece, Role};
use thiserror::Error;

/// The reason why bytes are not a packed position of Makruk.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum UnpackError {
    /// A byte is invalid.
    #[error("byte {offset}: expected {expected}")]
    Byte {
        /// The first invalid byte, from 0.
        offset: usize,
        /// The value expected there.
        expected: &'static str,
    },
    /// The position is not legal.
    #[error("not a legal position: {0}")]
    Position(#[from] SetupError),
}

/// Offsets of the parts.
const SIDE_TO_MOVE: usize = 24;
const GAME: usize = 25;
const HALFMOVE_CLOCK: usize = 26;
const FULLMOVE_NUMBER: usize = 28;
const COUNT: usize = 30;
const COUNT_LIMIT: usize = 31;
const COUNT_PLY: usize = 32;
const COUNT_FIRST: usize = 34;

/// The bits of the byte [`COUNT`].
const COUNTS: u8 = 1;
const PIECES_HONOR: u8 = 2;
const BLACK_COUNTS: u8 = 4;
const KNOWS_FIRST: u8 = 8;

/// A met that was a bia, in place of the bishop, which Makruk does not have.
const PROMOTED_MET: u8 = Role::Bishop as u8;

const POLICIES: [CountingPolicy; 4] =
    [CountingPolicy::Auto, CountingPolicy::Thai, CountingPolicy::MakrukJs, CountingPolicy::Fairy11];

impl Makruk {
    /// Packs the position into 36 bytes. Unlike a FEN, they hold all of it: the game, the policy and
    /// the whole count.
    ///
    /// `docs/reference/packed.md` specifies each byte.
    ///
    /// ```
    /// use halfmove_rules::Makruk;
    /// use halfmove_rules::makruk::CountingPolicy;
    /// let start = Makruk::default().with_policy(CountingPolicy::Thai);
    /// let same = Makruk::unpack(&start.pack()?)?;
    /// assert_eq!((&same, same.policy()), (&start, CountingPolicy::Thai));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PackError::Pieces`], if there are more than 32 pieces.
    pub fn pack(&self) -> Result<[u8; 36], PackError> {
        let occupied = self.board.occupied();
        if occupied.len() > 32 {
            return Err(PackError::Pieces { found: occupied.len() });
        }
        let mut bytes = [0; 36];
        bytes[..PIECES].copy_from_slice(&occupied.0.to_le_bytes());
        for (i, (square, piece)) in self.board.pieces().enumerate() {
            let role = if self.promoted.has(square) { PROMOTED_MET } else { piece.role as u8 };
            set_nibble(&mut bytes[PIECES..], i, role | (piece.color as u8) << 3);
        }
        bytes[SIDE_TO_MOVE] = self.side_to_move as u8;
        bytes[GAME] = self.rules as u8 | (self.policy as u8) << 4;
        bytes[HALFMOVE_CLOCK..][..2].copy_from_slice(&self.halfmove_clock.to_le_bytes());
        bytes[FULLMOVE_NUMBER..][..2].copy_from_slice(&self.fullmove_number.to_le_bytes());
        if let Some(count) = self.counting {
            let flag = |set, flag| if set { flag } else { 0 };
            bytes[COUNT] = COUNTS
                | flag(count.honor() == Honor::Pieces, PIECES_HONOR)
                | flag(count.color() == Color::Black, BLACK_COUNTS)
                | flag(count.first().is_some(), KNOWS_FIRST);
            bytes[COUNT_LIMIT] = count.limit() as u8;
            bytes[COUNT_PLY..][..2].copy_from_slice(&count.ply().to_le_bytes());
            let first = count.first().unwrap_or(0);
            bytes[COUNT_FIRST..][..2].copy_from_slice(&first.to_le_bytes());
        }
        Ok(bytes)
    }

    /// Unpacks the 36 bytes written by [`pack`](Self::pack).
    ///
    /// # Errors
    /// [`UnpackError`], if no position packs to these bytes.
    pub fn unpack(bytes: &[u8; 36]) -> Result<Self, UnpackError> {
        let error = |offset, expected| UnpackError::Byte { offset, expected };
        let number = |offset: usize| u16::from_le_bytes([bytes[offset], bytes[offset + 1]]);
        let mut occupied = [0; PIECES];
        occupied.copy_from_slice(&bytes[..PIECES]);
        let occupied = Bitboard(u64::from_le_bytes(occupied));
        if occupied.len() > 32 {
            return Err(error(0, "no more than 32 occupied squares"));
        }
        let mut board = Board::default();
        let mut promoted = Bitboard::EMPTY;
        let mut squares = occupied.into_iter();
        for i in 0..32 {
            let code = nibble(&bytes[PIECES..], i);
            let Some(square) = squares.next() else {
                if code != 0 {
                    return Err(error(PIECES + i / 2, "0 behind the last piece"));
                }
                continue;
            };
            let color = if code < 8 { Color::White } else { Color::Black };
            let role = match code & 7 {
                PROMOTED_MET => {
                    promoted |= square;
                    Role::Met
                }
                role => {
                    let roles =
                        [Role::Pawn, Role::Knight, Role::Rook, Role::King, Role::Khon, Role::Met];
                    let known = roles.into_iter().find(|known| *known as u8 == role);
                    known
                        .ok_or(error(PIECES + i / 2, "a piece: 0 to 3, 5 to 7, or these plus 8"))?
                }
            };
            board.put(square, Piece { color, role });
        }
        let side_to_move = match bytes[SIDE_TO_MOVE] {
            0 => Color::White,
            1 => Color::Black,
            _ => return Err(error(SIDE_TO_MOVE, "0 or 1")),
        };
        let rules = Rules::ALL.get(usize::from(bytes[GAME] & 15));
        let policy = POLICIES.get(usize::from(bytes[GAME] >> 4));
        let (Some(&rules), Some(&policy)) = (rules, policy) else {
            return Err(error(GAME, "a game from 0 to 2 and a policy from 0 to 3"));
        };
        if number(FULLMOVE_NUMBER) == 0 {
            return Err(error(FULLMOVE_NUMBER, "a full-move number of at least 1"));
        }
        let setup = Setup {
            rules,
            board,
            promoted,
            side_to_move,
            counting: unpack_count(bytes)?,
            halfmove_clock: number(HALFMOVE_CLOCK),
            fullmove_number: number(FULLMOVE_NUMBER),
        };
        if rules == Rules::Asean && !promoted.is_empty() {
            return Err(error(PIECES, "no promoted mets in ASEAN chess"));
        }
        Ok(Self::from_setup(setup)?.with_policy(policy))
    }
}

fn unpack_count(bytes: &[u8; 36]) -> Result<Option<Counting>, UnpackError> {
    let error = |offset, expected| UnpackError::Byte { offset, expected };
    let number = |offset: usize| u16::from_le_bytes([bytes[offset], bytes[offset + 1]]);
    let flags = bytes[COUNT];
    if flags & COUNTS == 0 {
        return match bytes[COUNT..].iter().position(|byte| *byte != 0) {
            None => Ok(None),
            Some(at) => Err(error(COUNT + at, "0, as no side is counting")),
        };
    }
    if flags > COUNTS | PIECES_HONOR | BLACK_COUNTS | KNOWS_FIRST {
        return Err(error(COUNT, "a number below 16"));
    }
    let honor = if flags & PIECES_HONOR == 0 { Honor::Board } else { Honor::Pieces };
    let color = if flags & BLACK_COUNTS == 0 { Color::White } else { Color::Black };
    let count = Counting::new(honor, color, u16::from(bytes[COUNT_LIMIT]), number(COUNT_PLY));
    let count = count.ok_or(error(COUNT_LIMIT, "64, or for pieces' honor 8, 16, 22, 32 or 44"))?;
    match (flags & KNOWS_FIRST != 0, number(COUNT_FIRST)) {
        (false, 0) => Ok(Some(count)),
        (false, _) => Err(error(COUNT_FIRST, "0, as the first number is not known")),
        (true, first) => {
            let known = count.with_first(first);
            known.map(Some).ok_or(error(COUNT_FIRST, "a number that has been spoken or is next"))
        }
    }
}
