//! 64 bytes of movetext at once.
//!
//! A window begins where a token may begin. All 64 bytes are classified at once, and each class becomes a word of 64
//! bits. A few operations on these words then replace a loop over bytes:
//!
//! ```text
//! text     1. e4 e5 2. Nf3 {main line} 2... Nc6
//! words    1  11 11 1  111  1111 1111  1    111     bytes of words and numbers
//! moves       1  1     1    1    1          1       the beginning of each word that is not a number
//! odd                      1         1              bytes that need a closer look
//! ```
//!
//! Move numbers, dots and white space set no bit in `moves` or `odd`, so they cost nothing.

use halfmove_rules::bitboard::cpu::{Cpu, Nibbles};
use wide::u8x64;

use super::super::class::wide_blank_at;

/// The length of a window.
pub(super) const WINDOW: usize = 64;

/// The classes of the bytes in a window: bit 0 is the first byte.
pub(super) struct Window {
    /// Bytes of words and numbers.
    pub(super) words: u64,
    /// The first byte of each word that begins with a letter; words glued to a number count too.
    pub(super) moves: u64,
    /// The first byte of any other token except numbers, dots and white space. For a number that turns out to be
    /// another token, such as a result: the first byte that shows this. For a number that begins with two zeros: its
    /// first byte.
    pub(super) odd: u64,
}

impl Window {
    #[inline(always)]
    pub(super) fn new<C: Cpu>(cpu: C, bytes: &[u8; WINDOW]) -> Window {
        let Classes { letters, high, digits, signs, silent } =
            match cpu.nibbles(bytes, &SETS, MASKS) {
                Some((found, high)) => Classes::from_nibbles(found, high),
                None => Classes::compare(bytes),
            };
        // One branch, which is hardly ever taken in main lines.
        let (high, silent) = match high {
            0 => (high, silent),
            _ => {
                let blank = wide_blanks(bytes, high);
                (high & !blank, silent | blank)
            }
        };
        let words = letters | high | digits | signs;
        let first = words & !(words << 1);
        // Adding the bit of a number's first digit carries through its digits to the byte after it.
        let behind = (first & digits).wrapping_add(digits) & !digits;
        let begin = first | behind;
        // Two zeros may be castling, or the null move `0000`.
        let zeros = u8x64::from(*bytes).simd_eq(u8x64::splat(b'0')).to_bitmask();
        let odd = begin & (signs | high) | !(words | silent) | first & zeros & zeros >> 1;
        Window { words, moves: begin & letters, odd }
    }

    /// The beginning of the word that ends before `bit`, if there is one that is not a number.
    pub(super) fn word_before(&self, bit: usize) -> Option<usize> {
        let below = !(u64::MAX << bit);
        let start = (self.moves & below).checked_ilog2()?;
        let word = below & u64::MAX << start;
        (self.words & word == word).then_some(start as usize)
    }

    /// The beginning of the window's last word, if it may continue beyond the window; otherwise the window's length.
    #[inline(always)]
    pub(super) fn end(&self) -> usize {
        WINDOW - self.words.leading_ones() as usize
    }
}

/// The bytes of white space beyond ASCII.
#[cold]
fn wide_blanks(bytes: &[u8; WINDOW], high: u64) -> u64 {
    let text = u8x64::from(*bytes);
    let is = |byte: u8| text.simd_eq(u8x64::splat(byte));
    let leads = (is(0xc2) | is(0xe1) | is(0xe2) | is(0xe3) | is(0xef)).to_bitmask();
    let mut begins = leads | is(0xa0).to_bitmask() & !(high << 1);
    let mut blanks = 0;
    while begins != 0 {
        let at = begins.trailing_zeros() as usize;
        begins &= begins - 1;
        let length = wide_blank_at(bytes, at);
        blanks |= !(u64::MAX << length) << at;
    }
    blanks
}

/// The bytes of a window that belong to each class, as sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Classes {
    letters: u64,
    /// Bytes beyond ASCII.
    high: u64,
    digits: u64,
    /// Other bytes of words: `# ' + - / : = @ _`.
    signs: u64,
    /// White space and dots.
    silent: u64,
}

/// The classes as sets of bytes, classified by their nibbles:
///
/// ```text
/// bit  upper  lower
/// 0    4 6    1 to f         A to O, a to o
/// 1    5 7    0 to a         P to Z, p to z
/// 2    3      0 to 9         digits
/// 3    0      9 to d         tab, line breaks
/// 4    2      0 e            space and dot
/// 5    2      3 7 b d f      # ' + - /
/// 6    3      a d            : =
/// 7    4 5    0 f            @ _, and O and P, which are letters
/// ```
static SETS: Nibbles = nibbles(&[
    (&[4, 6], &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]),
    (&[5, 7], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
    (&[3], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
    (&[0], &[9, 10, 11, 12, 13]),
    (&[2], &[0, 14]),
    (&[2], &[3, 7, 11, 13, 15]),
    (&[3], &[10, 13]),
    (&[4, 5], &[0, 15]),
]);

/// Sets of bytes by their upper and lower four bits.
pub(super) const fn nibbles(sets: &[(&[u8], &[u8])]) -> Nibbles {
    let (mut low, mut high) = ([0; 16], [0; 16]);
    let mut bit = 0;
    while bit < sets.len() {
        let (upper, lower) = sets[bit];
        let mut at = 0;
        while at < lower.len() {
            low[lower[at] as usize] |= 1 << bit;
            at += 1;
        }
        at = 0;
        while at < upper.len() {
            high[upper[at] as usize] |= 1 << bit;
            at += 1;
        }
        bit += 1;
    }
    Nibbles { low, high }
}

/// Letters, digits, signs, silent bytes.
const MASKS: [u8; 4] = [0b0000_0011, 0b0000_0100, 0b1110_0000, 0b0001_1000];

impl Classes {
    #[inline(always)]
    fn from_nibbles([letters, digits, signs, silent]: [u64; 4], high: u64) -> Classes {
        Classes { letters, high, digits, signs: signs & !letters, silent }
    }

    /// The portable implementation, by comparisons.
    #[inline(always)]
    fn compare(bytes: &[u8; WINDOW]) -> Classes {
        let text = u8x64::from(*bytes);
        let is = |byte: u8| text.simd_eq(u8x64::splat(byte));
        let within = |text: u8x64, first: u8, last: u8| {
            let above = text - u8x64::splat(first);
            above.min(u8x64::splat(last - first)).simd_eq(above)
        };
        let lower = text | u8x64::splat(0x20);
        // Two signs that differ in one bit take one comparison.
        let slash = (text | u8x64::splat(b'+' ^ b'/')).simd_eq(u8x64::splat(b'/'));
        let sharp = (text | u8x64::splat(b'#' ^ b'\'')).simd_eq(u8x64::splat(b'\''));
        let signs = slash | sharp | is(b'-') | is(b'=') | is(b':') | is(b'@') | is(b'_');
        Classes {
            letters: within(lower, b'a', b'z').to_bitmask(),
            high: text.to_bitmask(),
            digits: within(text, b'0', b'9').to_bitmask(),
            signs: signs.to_bitmask(),
            silent: (within(text, b'\t', b'\r') | is(b' ') | is(b'.')).to_bitmask(),
        }
    }
}

/// The delimiters of comments in a window, computed on demand.
pub(super) struct Comments {
    /// `{`
    opens: u64,
    /// `}`
    braces: u64,
    /// Line breaks.
    lines: u64,
}

/// Comments of a window that can be skipped at once.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Inside {
    /// All their bytes, with the braces.
    pub(super) bytes: u64,
    /// The beginning of the last comment if it does not end in this window, otherwise the window's length.
    pub(super) end: usize,
}

impl Comments {
    #[inline(always)]
    pub(super) fn new(bytes: &[u8; WINDOW]) -> Comments {
        let text = u8x64::from(*bytes);
        let is = |byte: u8| text.simd_eq(u8x64::splat(byte));
        Comments {
            opens: is(b'{').to_bitmask(),
            braces: is(b'}').to_bitmask(),
            lines: (is(b'\n') | is(b'\r')).to_bitmask(),
        }
    }

    /// All comments of the window, if there are any and they are plain: each `{` is followed by its `}` before the next
    /// `{`, and on the same line. The last may end after the window.
    ///
    /// ```text
    /// text                e4 {a} e5 {b}
    /// opens                  1      1
    /// braces shifted            1      1
    /// the difference         111    111
    /// ```
    #[inline(always)]
    pub(super) fn inside(&self) -> Option<Inside> {
        let Comments { opens, braces, lines } = *self;
        let bytes = (braces << 1).wrapping_sub(opens);
        // If braces do not alternate, the difference does not include all of them.
        let alternate = (opens | braces) & !bytes == 0;
        if opens == 0 || !alternate || lines & bytes != 0 {
            return None;
        }
        let end = if opens > braces { WINDOW - 1 - opens.leading_zeros() as usize } else { WINDOW };
        (end > 0).then_some(Inside { bytes, end })
    }

    /// The length of the comment that begins with the brace at `bit`, braces included, if it ends in
    /// this window and on the same line.
    #[inline(always)]
    pub(super) fn length(&self, bit: usize) -> Option<usize> {
        let close = (self.braces >> bit).trailing_zeros();
        let line = (self.lines >> bit).trailing_zeros();
        // Without such a byte, the count is 64.
        (close < line).then_some(close as usize + 1)
    }
}

#[cfg(test)]
mod tests {
    use halfmove_rules::bitboard::cpu::{Level, Task, run_up_to};

    use super::*;

    /// The slow version, brace by brace.
    fn inside_slowly(opens: u64, braces: u64, lines: u64) -> Option<Inside> {
        let (mut bytes, mut begin) = (0, None);
        for at in 0..WINDOW {
            match (begin, opens >> at & 1, braces >> at & 1) {
                (None, 1, 0) => begin = Some(at),
                (None, 0, 0) => continue,
                (Some(_), 0, 0) => {}
                (Some(_), 0, 1) => begin = None,
                _ => return None,
            }
            if lines >> at & 1 != 0 {
                return None;
            }
            bytes |= 1 << at;
        }
        let end = begin.unwrap_or(WINDOW);
        (opens != 0 && end > 0).then_some(Inside { bytes, end })
    }

    #[test]
    fn comments_are_found_at_once() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            1 << (state >> 58)
        };
        let mut found = 0;
        for round in 0..200_000 {
            let [mut opens, mut braces, mut lines] = [0; 3];
            for brace in 0..round % 9 {
                *if brace % 2 == 0 { &mut opens } else { &mut braces } |= random();
            }
            if round % 4 == 0 {
                lines |= random();
            }
            // A byte belongs to at most one class.
            braces &= !opens;
            lines &= !(opens | braces);
            let inside = Comments { opens, braces, lines }.inside();
            found += u64::from(inside.is_some());
            assert_eq!(
                inside,
                inside_slowly(opens, braces, lines),
                "{opens:b} {braces:b} {lines:b}"
            );
        }
        assert!(found > 20_000, "{found} windows have comments");
    }

    struct ByNibbles<'a>(&'a [u8; WINDOW]);

    impl Task for ByNibbles<'_> {
        type Output = Option<Classes>;

        fn run<C: Cpu>(self, cpu: C) -> Option<Classes> {
            let (found, high) = cpu.nibbles(self.0, &SETS, MASKS)?;
            Some(Classes::from_nibbles(found, high))
        }
    }

    /// Checks every byte, at every place, at all levels of this CPU.
    #[test]
    fn classes_are_alike_at_all_levels() {
        for byte in 0..=255 {
            for at in 0..WINDOW {
                let mut bytes = [b'!'; WINDOW];
                bytes[at] = byte;
                let classes = Classes::compare(&bytes);
                let Classes { letters, high, digits, signs, silent } = classes;
                let [letter, high, digit, sign, silent] =
                    [letters, high, digits, signs, silent].map(|set| set == 1 << at);
                assert_eq!(letter, byte.is_ascii_alphabetic(), "{byte}");
                assert_eq!(high, byte >= 128, "{byte}");
                assert_eq!(digit, byte.is_ascii_digit(), "{byte}");
                assert_eq!(sign, b"#'+-/:=@_".contains(&byte), "{byte}");
                assert_eq!(silent, b" .\t\n\r\x0b\x0c".contains(&byte), "{byte}");
                for level in Level::ALL {
                    let found = run_up_to(*level, ByNibbles(&bytes));
                    assert!(found.is_none_or(|found| found == classes), "{level} {byte} {at}");
                }
            }
        }
    }
}
