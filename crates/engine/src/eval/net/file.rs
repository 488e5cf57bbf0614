//! A net as bytes.
//!
//! | bytes | content |
//! | --- | --- |
//! | 8 | `HalfNet1` |
//! | 8 | FNV-1a of all that follows |
//! | 1 | the game: 0 chess, 1 Makruk |
//! | 1 | the number of buckets: 8 |
//! | 2 | the number of hidden neurons: a multiple of 32 |
//! | 4 | the length of the text |
//! | … | text: the command that made it |
//! | … | the weights, 2 bytes each: block by block, row by row, then the last row |
//!
//! Numbers are little-endian. A weight so large that a sum could overflow is an error.

use super::{BIAS, BLOCK, BUCKETS, LANES, LAST_MAX, MAX, MAX_HIDDEN, Net, OUT, OUT_MAX, Row};
use halfmove_rules::Variant;
use thiserror::Error;

const MAGIC: &[u8; 8] = b"HalfNet1";

/// The length of the head, before the text.
const HEAD: usize = 24;

/// The games by their numbers.
const GAMES: [Variant; 2] = [Variant::Chess, Variant::Makruk];

/// The reason why bytes are not a net.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NetError {
    /// The magic is missing.
    #[error("not a net: expected \"HalfNet1\" at its beginning")]
    Magic,
    /// The length differs from that given by the head.
    #[error("expected {expected} bytes, found {found}")]
    Length {
        /// The length given by the head.
        expected: usize,
        /// The number of bytes.
        found: usize,
    },
    /// The checksum does not match.
    #[error("the checksum is wrong: the file is damaged")]
    Checksum,
    /// The game is unknown.
    #[error("byte 16, the game: expected 0 (chess) or 1 (Makruk), found {0}")]
    Game(u8),
    /// The number of buckets is not 8.
    #[error("byte 17, the buckets: expected 8, found {0}")]
    Buckets(u8),
    /// The number of hidden neurons is zero, too large, or not a multiple of the block size.
    #[error("bytes 18 and 19, the hidden sums: expected a multiple of 32 up to 512, found {0}")]
    Hidden(u16),
    /// The text is not one line of UTF-8.
    #[error("byte {0}: expected UTF-8 that says in one line how the net was made")]
    Text(usize),
    /// A weight is too large.
    #[error("byte {offset}: expected a weight from -{most} to {most}, found {found}")]
    Weight {
        /// The offset of the weight.
        offset: usize,
        /// The largest weight allowed there.
        most: i16,
        /// The weight.
        found: i16,
    },
}

/// FNV-1a.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The largest weight of a row.
fn most(row: usize, blocks: usize) -> i16 {
    if row == blocks * BLOCK {
        LAST_MAX
    } else if row % BLOCK < OUT {
        const { assert!(MAX as usize * (64 + 1) <= i16::MAX as usize && BIAS < OUT) };
        MAX
    } else {
        OUT_MAX
    }
}

impl Net {
    /// Reads a net.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetError> {
        if !bytes.starts_with(MAGIC) {
            return Err(NetError::Magic);
        }
        let (Some(head), Some(rest)) = (bytes.first_chunk::<HEAD>(), bytes.get(HEAD..)) else {
            return Err(NetError::Length { expected: HEAD, found: bytes.len() });
        };
        let [_, _, _, _, _, _, _, _, sums @ .., game, buckets, low, high, a, b, c, d] = *head;
        if u64::from_le_bytes(sums) != checksum(&bytes[16..]) {
            return Err(NetError::Checksum);
        }
        let game = *GAMES.get(usize::from(game)).ok_or(NetError::Game(game))?;
        if usize::from(buckets) != BUCKETS {
            return Err(NetError::Buckets(buckets));
        }
        let hidden = u16::from_le_bytes([low, high]);
        let blocks = usize::from(hidden) / LANES;
        if blocks == 0
            || !usize::from(hidden).is_multiple_of(LANES)
            || usize::from(hidden) > MAX_HIDDEN
        {
            return Err(NetError::Hidden(hidden));
        }
        let text_len = u32::from_le_bytes([a, b, c, d]) as usize;
        let weights_len = (blocks * BLOCK + 1) * LANES * 2;
        let expected = HEAD.saturating_add(text_len).saturating_add(weights_len);
        if expected != bytes.len() {
            return Err(NetError::Length { expected, found: bytes.len() });
        }
        let (text, weights) = rest.split_at(text_len);
        let text =
            str::from_utf8(text).map_err(|error| NetError::Text(HEAD + error.valid_up_to()))?;
        if let Some(at) = text.find('\n') {
            return Err(NetError::Text(HEAD + at));
        }
        let mut rows = vec![Row([0; LANES]); blocks * BLOCK + 1];
        let (pairs, _) = weights.as_chunks::<2>();
        let to = rows.iter_mut().enumerate().flat_map(|(i, row)| {
            let most = most(i, blocks);
            row.0.iter_mut().map(move |weight| (weight, most))
        });
        for ((i, bytes), (weight, most)) in pairs.iter().enumerate().zip(to) {
            let found = i16::from_le_bytes(*bytes);
            if found.unsigned_abs() > most.unsigned_abs() {
                return Err(NetError::Weight { offset: HEAD + text_len + 2 * i, most, found });
            }
            *weight = found;
        }
        Ok(Self::new(game, text.to_owned(), &rows))
    }

    /// The bytes that [`from_bytes`](Self::from_bytes) reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let game = u8::from(self.game == Variant::Makruk);
        let mut rest = vec![game, BUCKETS as u8];
        rest.extend((self.hidden() as u16).to_le_bytes());
        rest.extend((self.origin.len() as u32).to_le_bytes());
        rest.extend(self.origin.as_bytes());
        rest.extend(self.rows().flat_map(|row| row.0).flat_map(i16::to_le_bytes));
        let mut bytes = MAGIC.to_vec();
        bytes.extend(checksum(&rest).to_le_bytes());
        bytes.extend(rest);
        bytes
    }
}
