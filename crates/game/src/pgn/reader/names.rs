//! Detects repeated tag names.

/// The maximum number of tag names remembered per game, to detect games without movetext.
const NAMES: usize = 64;

/// The hashes of the tag names of the current game: enough to detect a repeated name.
#[derive(Default)]
pub(super) struct Names {
    hashes: Vec<u64>,
}

impl Names {
    pub(super) fn clear(&mut self) {
        self.hashes.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    #[inline(always)]
    pub(super) fn push(&mut self, hash: u64) {
        if self.hashes.len() < NAMES {
            self.hashes.push(hash);
        }
    }

    pub(super) fn holds(&self, name: &[u8]) -> bool {
        self.hashes.contains(&hash(name))
    }
}

/// The number of bytes of a name that are hashed as numbers.
const HASHED: usize = 16;

/// Hashes a name. A deliberate collision would only split a game whose tags are separated by a blank line.
pub(super) fn hash(name: &[u8]) -> u64 {
    let (first, rest) = name.split_at(name.len().min(HASHED));
    let mut bytes = [0; HASHED];
    bytes[..first.len()].copy_from_slice(first);
    let hash = mix(u128::from_le_bytes(bytes), name.len());
    rest.iter().fold(hash, |hash, &byte| hash.rotate_left(8) ^ u64::from(byte))
}

/// The hash of a name followed by more text, without a loop, whose length would be unpredictable.
#[inline(always)]
pub(super) fn hash_ahead(ahead: &[u8], length: usize) -> u64 {
    match ahead.first_chunk() {
        Some(bytes) if length <= HASHED => {
            let cut = 8 * (HASHED - length) as u32;
            mix(u128::from_le_bytes(*bytes) << (cut & 127) >> (cut & 127), length)
        }
        _ => hash(&ahead[..length]),
    }
}

#[inline(always)]
fn mix(bytes: u128, length: usize) -> u64 {
    bytes as u64 ^ ((bytes >> 64) as u64).rotate_left(21) ^ (length as u64) << 56
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_hash_alike_before_any_text() {
        let text = b"WhiteRatingDifference_and_more";
        let hashes: Vec<_> = (1..text.len()).map(|length| hash(&text[..length])).collect();
        for (length, hash) in (1..).zip(&hashes) {
            assert_eq!(hash_ahead(text, length), *hash, "{length}");
            assert_eq!(hashes.iter().filter(|other| *other == hash).count(), 1, "{length}");
        }
    }
}
