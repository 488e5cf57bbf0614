//! Tags as nearly all files write them, a line each: cut without a look at single bytes.

use wide::u8x64;

use super::super::tag_lines::Cut;

/// The bytes that are looked at in one piece. Longer tags are read by the general rules.
const WINDOW: usize = 64;

/// Cuts the tag that begins at `at`, if it is one of the usual kind: `[Name "value"]`, with one
/// space, on a line of its own, without escapes, and with a name of letters, digits and `_`.
/// Returns the cut, relative to `at`, and where the next line begins.
#[inline(always)]
pub(super) fn usual_tag(buffer: &[u8], at: usize) -> Option<(Cut, usize)> {
    let bytes = buffer.get(at..)?.first_chunk::<WINDOW>()?;
    let text = u8x64::from(*bytes);
    let is = |byte: u8| text.simd_eq(u8x64::splat(byte));
    let within = |text: u8x64, first: u8, last: u8| {
        let above = text - u8x64::splat(first);
        above.min(u8x64::splat(last - first)).simd_eq(above)
    };
    let letters = within(text | u8x64::splat(0x20), b'a', b'z');
    let names = (letters | within(text, b'0', b'9') | is(b'_')).to_bitmask();
    let stops = (is(b'"') | is(b'\\') | is(b'\n') | is(b'\r')).to_bitmask();

    // Without such a byte, the count is 64, and what lies behind it is not in the window.
    let name_end = 1 + (!(names >> 1)).trailing_zeros() as usize;
    let value = name_end + 2;
    let quotes = *bytes.get(name_end)? == b' ' && *bytes.get(name_end + 1)? == b'"';
    if bytes[0] != b'[' || name_end == 1 || !quotes || value >= WINDOW {
        return None;
    }
    let value_end = value + (stops >> value).trailing_zeros() as usize;
    if *bytes.get(value_end)? != b'"' || *bytes.get(value_end + 1)? != b']' {
        return None;
    }
    let next = match (bytes.get(value_end + 2)?, bytes.get(value_end + 3)?) {
        (b'\n', _) => value_end + 3,
        (b'\r', b'\n') => value_end + 4,
        _ => return None,
    };
    Some((Cut { name: 1, name_end, value, value_end }, at + next))
}
