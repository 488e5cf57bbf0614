//! Texts in the encoding of Java's `DataOutput`.

/// Appends a unit of UTF-16 in Java's encoding: a character beyond U+FFFF takes two units.
pub(super) fn push_unit(unit: u16, bytes: &mut Vec<u8>) {
    let low = |shift: u16| 0x80 | (unit >> shift & 0x3f) as u8;
    match unit {
        0..0x80 => bytes.push(unit as u8),
        0x80..0x800 => bytes.extend([0xc0 | (unit >> 6) as u8, low(0)]),
        _ => bytes.extend([0xe0 | (unit >> 12) as u8, low(6), low(0)]),
    }
}

/// Decodes a text in Java's encoding.
pub(super) fn read_units(mut bytes: &[u8]) -> Option<String> {
    let low = |byte: u8| (byte & 0xc0 == 0x80).then_some(u16::from(byte & 0x3f));
    let mut units = Vec::with_capacity(bytes.len());
    while let Some((&first, rest)) = bytes.split_first() {
        let unit = u16::from(first);
        let (unit, least, rest) = match (first, rest) {
            (0..0x80, _) => (unit, 0, rest),
            (0xc0..0xe0, [second, rest @ ..]) => ((unit & 0x1f) << 6 | low(*second)?, 0x80, rest),
            (0xe0..0xf0, [second, third, rest @ ..]) => {
                ((unit & 0xf) << 12 | low(*second)? << 6 | low(*third)?, 0x800, rest)
            }
            _ => return None,
        };
        if unit < least {
            return None;
        }
        units.push(unit);
        bytes = rest;
    }
    String::from_utf16(&units).ok()
}
