//! Fast path for tags in the form of nearly all files, one per line: split without examining single bytes.

use halfmove_rules::bitboard::cpu::{Cpu, Nibbles};
use wide::u8x64;

use super::super::tag_lines::Cut;
use super::names::{Names, hash_ahead};
use super::window::nibbles;

/// The number of bytes that are examined at once. Longer tags are read by the general rules.
const WINDOW: usize = 64;

/// Splits the tags that begin at `at`, the first of which is known, as long as they have the common form and none is a
/// second `Event`. Returns the offset at which they end.
#[inline(always)]
pub(super) fn usual_tags<C: Cpu>(
    cpu: C,
    buffer: &[u8],
    at: usize,
    first: (Cut, usize),
    cuts: &mut Vec<Cut>,
    names: &mut Names,
) -> usize {
    cuts.clear();
    let (mut begin, mut tag) = (at, Some(first));
    while let Some((cut, next)) = tag {
        let name = &buffer[begin + cut.name..begin + cut.name_end];
        if begin > at && name == b"Event" && names.holds(name) {
            break;
        }
        names.push(hash_ahead(&buffer[begin + cut.name..], name.len()));
        cuts.push(cut.shifted(begin - at));
        begin = next;
        tag = usual_tag(cpu, buffer, begin);
    }
    begin
}

/// Splits the tag that begins at `at`, if it has the common form: `[Name "value"]`, with one space, on its own line,
/// without escapes, and with a name of letters, digits and `_`. Returns the ranges, relative to `at`, and the offset of
/// the next line.
#[inline(always)]
pub(super) fn usual_tag<C: Cpu>(cpu: C, buffer: &[u8], at: usize) -> Option<(Cut, usize)> {
    let line = buffer.get(at..at + WINDOW)?;
    let bytes = line.first_chunk::<WINDOW>()?;
    let [names, stops] = match cpu.nibbles(bytes, &SETS, MASKS) {
        Some((found, _)) => found,
        None => compare(bytes),
    };
    // Without such a byte, the count is 64, which is outside the window.
    let name_end = 1 + (!(names >> 1)).trailing_zeros() as usize;
    let value = name_end + 2;
    if line[0] != b'[' || name_end == 1 || line.get(name_end..value)? != b" \"" || value >= WINDOW {
        return None;
    }
    let value_end = value + (stops >> value).trailing_zeros() as usize;
    let next = match line.get(value_end..value_end + 4)? {
        [b'"', b']', b'\n', _] => value_end + 3,
        b"\"]\r\n" => value_end + 4,
        _ => return None,
    };
    Some((Cut { name: 1, name_end, value, value_end }, at + next))
}

/// The relevant bytes, as sets classified by their nibbles:
///
/// ```text
/// bit  upper  lower
/// 0    4 6    1 to f         A to O, a to o
/// 1    5 7    0 to a         P to Z, p to z
/// 2    3      0 to 9         digits
/// 3    5      f              _
/// 4    2      2              "
/// 5    5      c              \
/// 6    0      a d            line breaks
/// ```
static SETS: Nibbles = nibbles(&[
    (&[4, 6], &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]),
    (&[5, 7], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
    (&[3], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
    (&[5], &[15]),
    (&[2], &[2]),
    (&[5], &[12]),
    (&[0], &[10, 13]),
]);

/// The bytes of names, and those at which a value ends or must be examined.
const MASKS: [u8; 2] = [0b0000_1111, 0b0111_0000];

/// The portable implementation, by comparisons.
#[inline(always)]
fn compare(bytes: &[u8; WINDOW]) -> [u64; 2] {
    let text = u8x64::from(*bytes);
    let is = |byte: u8| text.simd_eq(u8x64::splat(byte));
    let within = |text: u8x64, first: u8, last: u8| {
        let above = text - u8x64::splat(first);
        above.min(u8x64::splat(last - first)).simd_eq(above)
    };
    let letters = within(text | u8x64::splat(0x20), b'a', b'z');
    let names = letters | within(text, b'0', b'9') | is(b'_');
    let stops = is(b'"') | is(b'\\') | is(b'\n') | is(b'\r');
    [names.to_bitmask(), stops.to_bitmask()]
}

#[cfg(test)]
mod tests {
    use halfmove_rules::bitboard::cpu::{Level, Task, run_up_to};

    use super::*;

    struct ByNibbles<'a>(&'a [u8; WINDOW]);

    impl Task for ByNibbles<'_> {
        type Output = Option<[u64; 2]>;

        fn run<C: Cpu>(self, cpu: C) -> Self::Output {
            cpu.nibbles(self.0, &SETS, MASKS).map(|(found, _)| found)
        }
    }

    /// Checks every byte, at all levels of this CPU.
    #[test]
    fn bytes_are_alike_at_all_levels() {
        for byte in 0..=255_u8 {
            let bytes = [byte; WINDOW];
            let all = |is: bool| if is { u64::MAX } else { 0 };
            let name = byte.is_ascii_alphanumeric() || byte == b'_';
            let expected = [all(name), all(b"\"\\\n\r".contains(&byte))];
            assert_eq!(compare(&bytes), expected, "{byte}");
            for level in Level::ALL {
                let found = run_up_to(*level, ByNibbles(&bytes));
                assert!(found.is_none_or(|found| found == expected), "{level} {byte}");
            }
        }
    }
}
