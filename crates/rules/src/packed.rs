//! Positions in 32 bytes.

use crate::{
    Bitboard, Board, CastlingRights, CastlingSide, Chess, Color, File, Flaws, Piece, PositionError,
    Rank, Role, Setup, Square,
};
use thiserror::Error;

/// The reason why a position cannot be packed.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PackError {
    /// It has more than 32 pieces.
    #[error("{found} pieces, expected no more than 32")]
    Pieces {
        /// The number of pieces on the board.
        found: u32,
    },
}

/// The reason why bytes are not a packed position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
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
    Position(#[from] PositionError),
}

/// Offsets of the parts.
pub(crate) const PIECES: usize = 8;
const SIDE_TO_MOVE: usize = 24;
const EN_PASSANT: usize = 25;
const CASTLING: usize = 26;
const HALFMOVE_CLOCK: usize = 28;
const FULLMOVE_NUMBER: usize = 30;

/// The castling rights, in the order of their nibbles.
const RIGHTS: [(Color, CastlingSide); 4] = [
    (Color::White, CastlingSide::KingSide),
    (Color::White, CastlingSide::QueenSide),
    (Color::Black, CastlingSide::KingSide),
    (Color::Black, CastlingSide::QueenSide),
];

/// One of the two nibbles of each byte, the low one first.
pub(crate) fn nibble(bytes: &[u8], index: usize) -> u8 {
    bytes[index / 2] >> (4 * (index % 2)) & 15
}

pub(crate) fn set_nibble(bytes: &mut [u8], index: usize, nibble: u8) {
    bytes[index / 2] |= nibble << (4 * (index % 2));
}

/// 0 for none, 1 for the a-file … 8 for the h-file.
fn from_file(square: Option<Square>) -> u8 {
    square.map_or(0, |square| square.file() as u8 + 1)
}

/// The file with this number.
fn to_file(number: u8, offset: usize) -> Result<Option<File>, UnpackError> {
    const EXPECTED: &str = "0 for none, or a file from 1 to 8";
    match usize::from(number) {
        0 => Ok(None),
        file @ 1..=8 => Ok(Some(File::ALL[file - 1])),
        _ => Err(UnpackError::Byte { offset, expected: EXPECTED }),
    }
}

impl Chess {
    /// Packs the position into 32 bytes, for use as a map key or in files of many positions.
    ///
    /// They hold the pieces, the side to move, castling rights, a legal en passant capture and the counters;
    /// `docs/reference/packed.md` specifies each byte.
    ///
    /// Two positions are equal if and only if their first 28 bytes are equal. The [castling
    /// mode](Self::castling_mode) belongs to the game, not to the position, and is not stored.
    ///
    /// ```
    /// use halfmove_rules::Chess;
    /// let start = Chess::default();
    /// let bytes = start.pack()?;
    /// assert_eq!(bytes[..8], [0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff]);
    /// assert_eq!(Chess::unpack(&bytes)?, start);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PackError::Pieces`], if there are more than 32 pieces.
    pub fn pack(&self) -> Result<[u8; 32], PackError> {
        let occupied = self.board().occupied();
        if occupied.len() > 32 {
            return Err(PackError::Pieces { found: occupied.len() });
        }
        let mut bytes = [0; 32];
        bytes[..PIECES].copy_from_slice(&occupied.0.to_le_bytes());
        for (i, (_, piece)) in self.board().pieces().enumerate() {
            set_nibble(&mut bytes[PIECES..], i, piece.role as u8 | (piece.color as u8) << 3);
        }
        bytes[SIDE_TO_MOVE] = self.side_to_move() as u8;
        bytes[EN_PASSANT] = from_file(self.ep_square());
        for (i, (color, side)) in RIGHTS.into_iter().enumerate() {
            set_nibble(&mut bytes[CASTLING..], i, from_file(self.castling().rook(color, side)));
        }
        bytes[HALFMOVE_CLOCK..][..2].copy_from_slice(&self.halfmove_clock().to_le_bytes());
        bytes[FULLMOVE_NUMBER..][..2].copy_from_slice(&self.fullmove_number().to_le_bytes());
        Ok(bytes)
    }

    /// Unpacks the 32 bytes written by [`pack`](Self::pack). The position must be playable, but
    /// need not be reachable by a game.
    ///
    /// The mode is Chess960 if a castling right needs it, else standard chess. If the game is known
    /// to be Chess960, call [`Chess::into_chess960`].
    ///
    /// # Errors
    /// [`UnpackError`], if no position packs to these bytes.
    pub fn unpack(bytes: &[u8; 32]) -> Result<Self, UnpackError> {
        let error = |offset, expected| UnpackError::Byte { offset, expected };
        let number = |offset: usize| u16::from_le_bytes([bytes[offset], bytes[offset + 1]]);
        if number(FULLMOVE_NUMBER) == 0 {
            return Err(error(FULLMOVE_NUMBER, "a full-move number of at least 1"));
        }
        let mut occupied = [0; PIECES];
        occupied.copy_from_slice(&bytes[..PIECES]);
        let occupied = Bitboard(u64::from_le_bytes(occupied));
        if occupied.len() > 32 {
            return Err(error(0, "no more than 32 occupied squares"));
        }
        let mut board = Board::default();
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
            let role = *Role::CHESS
                .get(usize::from(code & 7))
                .ok_or(error(PIECES + i / 2, "a piece: 0 to 5, or 8 to 13"))?;
            board.put(square, Piece { color, role });
        }
        let side_to_move = match bytes[SIDE_TO_MOVE] {
            0 => Color::White,
            1 => Color::Black,
            _ => return Err(error(SIDE_TO_MOVE, "0 or 1")),
        };
        let mut castling = CastlingRights::NONE;
        for (i, (color, side)) in RIGHTS.into_iter().enumerate() {
            let file = to_file(nibble(&bytes[CASTLING..], i), CASTLING + i / 2)?;
            let rank = if color == Color::White { Rank::First } else { Rank::Eighth };
            castling.set(color, side, file.map(|file| Square::new(file, rank)));
        }
        let rank = if side_to_move == Color::White { Rank::Sixth } else { Rank::Third };
        let ep_square = to_file(bytes[EN_PASSANT], EN_PASSANT)?.map(|file| Square::new(file, rank));
        let setup = Setup {
            board,
            side_to_move,
            castling,
            ep_square,
            halfmove_clock: number(HALFMOVE_CLOCK),
            fullmove_number: number(FULLMOVE_NUMBER),
        };
        let position = Self::from_setup_in(setup, None, Flaws::UNREACHABLE)?;
        if position.ep_square() != ep_square {
            return Err(error(EN_PASSANT, "0, as no en passant capture is legal there"));
        }
        Ok(position)
    }
}
