//! 64 bytes of movetext at once.
//!
//! A window begins where a token may begin. Each byte is classified by comparing all 64 with the
//! members of a class, and each class becomes a word of 64 bits. From there on a handful of word
//! operations replaces a loop over bytes:
//!
//! ```text
//! text     1. e4 e5 2. Nf3 {main line} 2... Nc6
//! words    1  11 11 1  111  1111 1111  1    111     bytes of words and numbers
//! moves       1  1     1    1    1          1       where a word begins that is no number
//! odd                      1         1              whatever needs a closer look
//! ```
//!
//! Move numbers, dots and white space set no bit in `moves` or `odd`, so they cost nothing.

use wide::u8x64;

/// The length of a window.
pub(super) const WINDOW: usize = 64;

/// The classes of the bytes in a window: bit 0 is the first byte.
pub(super) struct Window {
    /// Bytes of words and numbers.
    pub(super) words: u64,
    /// The first byte of each word that is not a number; words glued to a number count too.
    pub(super) moves: u64,
    /// The first byte of everything else that is not a number, a dot or white space. Where a number
    /// turns out to be something else, such as a result, the first byte that shows it.
    pub(super) odd: u64,
    /// Bytes beyond ASCII.
    pub(super) high: u64,
    /// `}`
    pub(super) braces: u64,
    /// Line breaks.
    pub(super) lines: u64,
}

impl Window {
    #[inline(always)]
    pub(super) fn new(bytes: &[u8; WINDOW]) -> Window {
        let text = u8x64::from(*bytes);
        let is = |byte: u8| text.simd_eq(u8x64::splat(byte));
        let within = |text: u8x64, first: u8, last: u8| {
            let above = text - u8x64::splat(first);
            above.min(u8x64::splat(last - first)).simd_eq(above)
        };
        let lower = text | u8x64::splat(0x20);
        // Two signs that differ in one bit are one comparison.
        let slash = (text | u8x64::splat(b'+' ^ b'/')).simd_eq(u8x64::splat(b'/'));
        let sharp = (text | u8x64::splat(b'#' ^ b'\'')).simd_eq(u8x64::splat(b'\''));
        let signs = slash | sharp | is(b'-') | is(b'=') | is(b':') | is(b'@') | is(b'_');
        // The highest bit of a byte beyond ASCII is set, as it is in the result of a comparison.
        let letters = (within(lower, b'a', b'z') | text).to_bitmask();
        let digits = within(text, b'0', b'9').to_bitmask();
        let signs = signs.to_bitmask();
        let silent = (within(text, b'\t', b'\r') | is(b' ') | is(b'.')).to_bitmask();

        let words = letters | digits | signs;
        let first = words & !(words << 1);
        // Adding a number's first bit carries through its digits to the byte behind it.
        let behind = (first & digits).wrapping_add(digits) & !digits;
        let begin = first | behind;
        Window {
            words,
            moves: begin & letters,
            odd: begin & signs | !(words | silent),
            high: text.to_bitmask(),
            braces: is(b'}').to_bitmask(),
            lines: (is(b'\n') | is(b'\r')).to_bitmask(),
        }
    }

    /// The length of the comment that begins with the brace at `bit`, braces included, if it ends in
    /// this window and on the same line.
    #[inline(always)]
    pub(super) fn comment(&self, bit: usize) -> Option<usize> {
        let close = (self.braces >> bit).trailing_zeros();
        let line = (self.lines >> bit).trailing_zeros();
        // Without such a byte, the count is 64.
        (close < line).then_some(close as usize + 1)
    }

    /// Where the window's last word begins, if it reaches the end of the window and may go on
    /// behind it; else the window's length.
    #[inline(always)]
    pub(super) fn end(&self) -> usize {
        WINDOW - self.words.leading_ones() as usize
    }
}
