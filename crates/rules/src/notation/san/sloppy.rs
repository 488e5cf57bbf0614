//! Nonstandard forms of SAN that occur in files.

use arrayvec::ArrayVec;

/// Words and marks after a move, which are not needed to identify it.
const SUFFIXES: [&[u8]; 11] = [
    b"e.p.",
    b"ep",
    b"e.p",
    b"ch",
    b"ch.",
    b"dis",
    b"dis.",
    b"dbl",
    b"dbl.",
    b"mate",
    "†".as_bytes(),
];

/// Remarks about the previous move, as separate words.
const REMARKS: [&str; 8] = ["ch", "check", "checkmate", "dbl", "dis", "e.p.", "ep", "mate"];

/// Returns true for a remark about the previous move, as a separate word.
pub(super) fn is_remark(text: &[u8]) -> bool {
    REMARKS.iter().any(|remark| text.eq_ignore_ascii_case(remark.as_bytes()))
}

/// Rewrites a text for [`San::parse`](crate::San::parse): figurines become letters, dashes and
/// crosses ASCII, suffixes are removed, promotions are in upper case. `None` if it is too long to
/// be a move.
pub(super) fn normalize(text: &[u8]) -> Option<ArrayVec<u8, 16>> {
    let mut plain = ArrayVec::new();
    let mut rest = text;
    while let [first, tail @ ..] = rest {
        let (byte, tail) = match rest {
            // U+2654 to U+265F, White's pieces and Black's, the king first.
            [0xe2, 0x99, figurine @ 0x94..=0x9f, tail @ ..] => {
                (Some(b"KQRBNP"[usize::from(figurine - 0x94) % 6]), tail)
            }
            // U+FE0E and U+FE0F, which select the rendering of a figurine.
            [0xef, 0xb8, 0x8e | 0x8f, tail @ ..] => (None, tail),
            // U+2010 to U+2015, dashes.
            [0xe2, 0x80, 0x90..=0x95, tail @ ..] => (Some(b'-'), tail),
            // U+2212, a minus sign.
            [0xe2, 0x88, 0x92, tail @ ..] => (Some(b'-'), tail),
            // U+041E and U+043E, the Cyrillic letter O.
            [0xd0, 0x9e, tail @ ..] => (Some(b'O'), tail),
            [0xd0, 0xbe, tail @ ..] => (Some(b'o'), tail),
            // U+00D7, a cross.
            [0xc3, 0x97, tail @ ..] => (Some(b'x'), tail),
            _ => (Some(*first), tail),
        };
        if let Some(byte) = byte {
            plain.try_push(byte).ok()?;
        }
        rest = tail;
    }
    loop {
        let shorter = SUFFIXES.iter().find_map(|suffix| plain.strip_suffix(*suffix));
        let shorter = match (shorter, plain.as_slice()) {
            (Some(shorter), _) => shorter.len(),
            (None, [head @ .., b'+' | b'#' | b'!' | b'?']) => head.len(),
            (None, _) => break,
        };
        plain.truncate(shorter);
    }
    // e8q and e7e8b: after a rank, a letter cannot be a file.
    if let [.., b'1' | b'8', promotion @ (b'q' | b'r' | b'b' | b'n')] = plain.as_mut_slice() {
        promotion.make_ascii_uppercase();
    }
    Some(plain)
}
