//! Ids and ranges of ids as text.

use std::str::FromStr;

use roaring::RoaringTreemap;
use thiserror::Error;

/// An id or a range of ids: `42`, `10-20`.
///
/// ```
/// use halfmove_archive::IdRange;
///
/// let ranges: Vec<IdRange> = "42,7,10-12".split(',').map(str::parse).collect::<Result<_, _>>()?;
/// let ids = IdRange::set(&ranges, 11);
/// assert_eq!(ids.iter().collect::<Vec<_>>(), [7, 10, 11]);
/// # Ok::<(), halfmove_archive::IdRangeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct IdRange {
    /// The first id.
    pub first: i64,
    /// The last id, which is not before the first.
    pub last: i64,
}

/// The error for a text that is neither an id nor a range of ids.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum IdRangeError {
    /// The text is neither a number nor two numbers separated by a hyphen.
    #[error("expected ids and ranges of ids, as in 42,7,10-20")]
    NotAnId,
    /// The range ends before it begins.
    #[error("{last} is before {first}")]
    Backward {
        /// The first id.
        first: i64,
        /// The last one.
        last: i64,
    },
}

impl IdRange {
    /// The id, if there is only one.
    pub fn single(self) -> Option<i64> {
        (self.first == self.last).then_some(self.first)
    }

    /// The set of ids in the ranges, limited to 1 to `last`, because a long range would take too much memory.
    pub fn set(ranges: &[IdRange], last: i64) -> RoaringTreemap {
        let mut set = RoaringTreemap::new();
        for range in ranges {
            let (first, last) = (range.first.max(1), range.last.min(last));
            if let (Ok(first), Ok(last)) = (u64::try_from(first), u64::try_from(last)) {
                set.insert_range(first..=last);
            }
        }
        set
    }
}

impl FromStr for IdRange {
    type Err = IdRangeError;

    fn from_str(text: &str) -> Result<Self, IdRangeError> {
        let id = |text: &str| text.trim().parse().map_err(|_| IdRangeError::NotAnId);
        // A minus at the beginning is a sign.
        let range = text.split_once('-').filter(|(first, _)| !first.trim().is_empty());
        let (first, last) = range.unwrap_or((text, text));
        let (first, last) = (id(first)?, id(last)?);
        match last < first {
            true => Err(IdRangeError::Backward { first, last }),
            false => Ok(Self { first, last }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_ranges() {
        let parse = |text: &str| text.parse::<IdRange>().map(|ids| (ids.first, ids.last));
        for (text, expected) in [
            ("42", (42, 42)),
            ("10-20", (10, 20)),
            ("7-7", (7, 7)),
            (" 1 - 2 ", (1, 2)),
            ("-3", (-3, -3)),
        ] {
            assert_eq!(parse(text), Ok(expected), "{text}");
        }
        assert_eq!(parse("20-10"), Err(IdRangeError::Backward { first: 20, last: 10 }));
        for text in ["", "x", "1-", "1-x", "1-2-3", "1..2", "9223372036854775808"] {
            assert!(parse(text).is_err_and(|why| why == IdRangeError::NotAnId), "{text}");
        }
    }

    #[test]
    fn ids_of_an_archive() {
        let set = |text: &str, last| {
            let ids: Vec<IdRange> = text.split(',').map(|ids| ids.parse().unwrap()).collect();
            IdRange::set(&ids, last).iter().collect::<Vec<u64>>()
        };
        assert_eq!(set("42,7", 100), [7, 42]);
        assert_eq!(set("42,10-12,7,11-13", 100), [7, 10, 11, 12, 13, 42]);
        assert_eq!(set("5-9,11", 7), [5, 6, 7]);
        assert_eq!(set("-3,0,1", 7), [1]);
        assert_eq!(set("1-9223372036854775807", 3), [1, 2, 3]);
        assert_eq!(set("8", 7), [0; 0]);
        assert_eq!(set("1", 0), [0; 0]);
        assert!(IdRange::set(&[], 7).is_empty());
    }
}
