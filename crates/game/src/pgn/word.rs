//! A word of movetext.

use std::fmt;

/// A word of movetext: a move, or whatever stands in its place.
///
/// ```
/// use halfmove_game::pgn::Word;
///
/// let word = Word::new(b"Nf3+");
/// assert_eq!(word.as_bytes(), b"Nf3+");
/// assert_eq!(word.packed(), u64::from_le_bytes(*b"Nf3+\0\0\0\0"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Word<'a> {
    bytes: &'a [u8],
    packed: u64,
}

impl<'a> Word<'a> {
    /// A word of these bytes.
    pub fn new(bytes: &'a [u8]) -> Word<'a> {
        let mut first = [0; 8];
        let length = bytes.len().min(8);
        first[..length].copy_from_slice(&bytes[..length]);
        Word { bytes, packed: u64::from_le_bytes(first) }
    }

    /// A word whose first eight bytes are known as a number.
    #[inline(always)]
    pub(super) const fn from_parts(bytes: &'a [u8], packed: u64) -> Word<'a> {
        Word { bytes, packed }
    }

    /// The bytes of the file.
    pub const fn as_bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// The first eight bytes as a number, the first byte in its lowest eight bits; zeros where the
    /// word is shorter. Nearly all moves fit, and a number can be taken apart without a loop.
    pub const fn packed(self) -> u64 {
        self.packed
    }
}

impl fmt::Debug for Word<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&String::from_utf8_lossy(self.bytes), f)
    }
}
