//! Ids of games on the command line.

/// One id, or all from one to another: `42`, `10-20`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ids {
    pub(crate) first: i64,
    pub(crate) last: i64,
}

impl Ids {
    /// The id, if it is one.
    pub(crate) fn single(self) -> Option<i64> {
        (self.first == self.last).then_some(self.first)
    }
}

/// That a game has one of these ids, in SQL; `None` without any.
pub(crate) fn condition(ids: &[Ids]) -> Option<String> {
    let single: Vec<String> =
        ids.iter().filter_map(|ids| Some(ids.single()?.to_string())).collect();
    let ranges = ids.iter().filter(|ids| ids.single().is_none());
    let ranges = ranges.map(|Ids { first, last }| format!("id between {first} and {last}"));
    let single = (!single.is_empty()).then(|| format!("id in ({})", single.join(", ")));
    let all: Vec<String> = single.into_iter().chain(ranges).collect();
    (!all.is_empty()).then(|| format!("({})", all.join(" or ")))
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
    fn conditions_in_sql() {
        let of = |text: &str| {
            condition(&text.split(',').map(|ids| ids.parse().unwrap()).collect::<Vec<_>>())
        };
        assert_eq!(of("42,7").as_deref(), Some("(id in (42, 7))"));
        assert_eq!(of("42,10-20,7").as_deref(), Some("(id in (42, 7) or id between 10 and 20)"));
        assert_eq!(of("1-2,5-6").as_deref(), Some("(id between 1 and 2 or id between 5 and 6)"));
        assert_eq!(condition(&[]), None);
    }
}
