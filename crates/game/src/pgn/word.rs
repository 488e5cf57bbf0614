//! A word of movetext.

use std::borrow::Cow;
use std::fmt;

use super::text::Text;

/// A word of movetext: a move, or any word in its place.
///
/// ```
/// use halfmove_game::pgn::Word;
///
/// let word = Word::new(b"Nf3+");
/// assert_eq!(word.to_str(), "Nf3+");
/// assert_eq!(word.to_string(), "Nf3+");
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

    /// A word with its first eight bytes, packed into a number.
    #[inline(always)]
    pub(super) const fn from_parts(bytes: &'a [u8], packed: u64) -> Word<'a> {
        Word { bytes, packed }
    }

    /// The bytes of the file.
    pub const fn as_bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// The word as text. Like a [`Text`], it is read as Windows-1252 if it is not valid UTF-8, and
    /// allocates only then.
    ///
    /// ```
    /// use halfmove_game::pgn::Word;
    ///
    /// assert_eq!(Word::new(b"e\xd7d4").to_str(), "e×d4");
    /// ```
    pub fn to_str(self) -> Cow<'a, str> {
        Text::plain(self.bytes).to_str()
    }

    /// The first eight bytes as a number, the first byte in its lowest eight bits; zeros where the word is shorter.
    /// Nearly all moves fit, and a number can be parsed without a loop.
    pub const fn packed(self) -> u64 {
        self.packed
    }
}

impl fmt::Display for Word<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.to_str())
    }
}

impl fmt::Debug for Word<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_str(), f)
    }
}
