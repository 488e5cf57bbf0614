//! Answers of the explorer that are kept for the next request with the same question: everybody asks for the first positions, in
//! which most games have to be counted.

use bytes::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

/// The number of bytes that are kept. An answer has about six thousand.
const BYTES: u64 = 32 << 20;

/// Answers by their requests; the least frequently used are evicted first.
pub(crate) type Answers = Cache<CacheKey, Bytes, Size>;

/// No answers.
pub(crate) fn answers() -> Answers {
    Cache::with_weighter(usize::try_from(BYTES >> 12).unwrap_or(usize::MAX), BYTES, Size)
}

/// The key of a kept answer, which is the same as long as the archive is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct CacheKey {
    /// The number of the archive, and that of its version since the server began.
    pub(crate) archive: (usize, u64),
    /// The whole request as text.
    pub(crate) text: String,
}

/// The size of a kept answer.
#[derive(Debug, Clone)]
pub(crate) struct Size;

impl Weighter<CacheKey, Bytes> for Size {
    fn weight(&self, key: &CacheKey, answer: &Bytes) -> u64 {
        // With the place of both in the cache.
        (key.text.len() + answer.len() + 200) as u64
    }
}
