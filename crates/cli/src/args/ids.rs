//! Ids of games on the command line.

use clap::Args;
use halfmove_archive::RoaringTreemap;

/// Games that are named by their ids.
#[derive(Debug, Args)]
pub(crate) struct GameIds {
    /// Only games with these ids: 42,7,10-20
    #[arg(long, value_name = "ID", value_delimiter = ',', hide_short_help = true)]
    pub(crate) id: Vec<Ids>,
}

/// One id, or all from one to another: `42`, `10-20`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ids {
    pub(crate) first: i64,
    pub(crate) last: i64,
}

impl Ids {
    /// Returns the id if there is only one.
    pub(crate) fn single(self) -> Option<i64> {
        (self.first == self.last).then_some(self.first)
    }
}

/// The set of these ids, from 1, the first id of an archive, to its last one.
pub(crate) fn id_set(ids: &[Ids], last: i64) -> RoaringTreemap {
    let mut set = RoaringTreemap::new();
    for ids in ids {
        let (first, last) = (ids.first.max(1), ids.last.min(last));
        if let (Ok(first), Ok(last)) = (u64::try_from(first), u64::try_from(last)) {
            set.insert_range(first..=last);
        }
    }
    set
}

impl std::str::FromStr for Ids {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let id = |text: &str| {
            let expected = || "expected ids and ranges of ids, as in 42,7,10-20".to_owned();
            text.trim().parse::<i64>().map_err(|_| expected())
        };
        // A minus at the beginning is a sign.
        let range = text.split_once('-').filter(|(first, _)| !first.trim().is_empty());
        let (first, last) = range.unwrap_or((text, text));
        let (first, last) = (id(first)?, id(last)?);
        match last < first {
            true => Err(format!("{last} is before {first}")),
            false => Ok(Self { first, last }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_ranges() {
        let parse = |text: &str| text.parse::<Ids>().map(|ids| (ids.first, ids.last));
        for (text, expected) in [
            ("42", (42, 42)),
            ("10-20", (10, 20)),
            ("7-7", (7, 7)),
            (" 1 - 2 ", (1, 2)),
            ("-3", (-3, -3)),
        ] {
            assert_eq!(parse(text), Ok(expected), "{text}");
        }
        assert_eq!(parse("20-10"), Err("10 is before 20".to_owned()));
        for text in ["", "x", "1-", "1-x", "1-2-3", "1..2", "9223372036854775808"] {
            assert!(parse(text).is_err_and(|why| why.contains("as in 42,7,10-20")), "{text}");
        }
    }

    #[test]
    fn ids_of_an_archive() {
        let set = |text: &str, last| {
            let ids: Vec<Ids> = text.split(',').map(|ids| ids.parse().unwrap()).collect();
            id_set(&ids, last).iter().collect::<Vec<u64>>()
        };
        assert_eq!(set("42,7", 100), [7, 42]);
        assert_eq!(set("42,10-12,7,11-13", 100), [7, 10, 11, 12, 13, 42]);
        assert_eq!(set("5-9,11", 7), [5, 6, 7]);
        assert_eq!(set("-3,0,1", 7), [1]);
        assert_eq!(set("1-9223372036854775807", 3), [1, 2, 3]);
        assert_eq!(set("8", 7), [0; 0]);
        assert_eq!(set("1", 0), [0; 0]);
        assert!(id_set(&[], 7).is_empty());
    }
}
