//! Sets of half-moves.

use std::fmt;
use std::iter;
use std::ops::RangeInclusive;
use std::str::FromStr;

use thiserror::Error;

/// A set of half-moves by their numbers, from 1: ranges in ascending order, with gaps between them.
///
/// ```
/// use halfmove_functions::halfmoves::Plies;
///
/// let plies: Plies = "1,20-22,21-39".parse()?;
/// assert_eq!(plies, Plies::of([1..=1, 20..=39]));
/// assert_eq!(plies.complement().to_string(), "2-19,40-");
/// assert!(plies.contains(20) && !plies.contains(2));
/// # Ok::<(), halfmove_functions::halfmoves::PliesError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plies(Vec<RangeInclusive<u32>>);

/// The error for a text that is not a set of half-moves.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected numbers of half-moves from 1 and ranges of them, as in 1,20-39,101-")]
#[non_exhaustive]
pub struct PliesError;

impl Plies {
    /// All half-moves.
    pub fn all() -> Self {
        Self(vec![1..=u32::MAX])
    }

    /// The half-moves in some ranges, which may overlap and be empty.
    pub fn of(ranges: impl IntoIterator<Item = RangeInclusive<u32>>) -> Self {
        let from_one = |range: RangeInclusive<u32>| (*range.start()).max(1)..=*range.end();
        let mut ranges: Vec<_> = ranges.into_iter().map(from_one).collect();
        ranges.retain(|range| !range.is_empty());
        ranges.sort_unstable_by_key(|range| *range.start());
        let mut merged: Vec<RangeInclusive<u32>> = Vec::with_capacity(ranges.len());
        for range in ranges {
            match merged.last_mut() {
                Some(last) if *range.start() <= last.end().saturating_add(1) => {
                    *last = *last.start()..=*last.end().max(range.end());
                }
                _ => merged.push(range),
            }
        }
        Self(merged)
    }

    /// The ranges, in ascending order.
    pub fn ranges(&self) -> &[RangeInclusive<u32>] {
        &self.0
    }

    /// Returns true if a half-move is in the set.
    pub fn contains(&self, ply: u32) -> bool {
        let index = self.0.partition_point(|range| *range.end() < ply);
        self.0.get(index).is_some_and(|range| range.contains(&ply))
    }

    /// The last half-move; `None` for the empty set.
    pub fn last(&self) -> Option<u32> {
        self.0.last().map(|range| *range.end())
    }

    /// The half-moves in this set, the other one, or both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self::of(self.0.iter().chain(&other.0).cloned())
    }

    /// The half-moves in both sets.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        self.complement().union(&other.complement()).complement()
    }

    /// The half-moves that are not in the set.
    #[must_use]
    pub fn complement(&self) -> Self {
        let ends = self.0.iter().map(|range| range.end().checked_add(1));
        let starts = self.0.iter().map(|range| range.start() - 1);
        let gaps = iter::once(Some(1)).chain(ends).zip(starts.chain([u32::MAX]));
        Self::of(gaps.filter_map(|(first, last)| Some(first?..=last)))
    }

    /// The indices, from 0, of the moves of the set in a game with this number of half-moves.
    pub(crate) fn indices(&self, moves: usize) -> impl Iterator<Item = usize> {
        let indices = self.0.iter().map(move |range| {
            let end = usize::try_from(*range.end()).unwrap_or(usize::MAX);
            *range.start() as usize - 1..end.min(moves)
        });
        indices.take_while(move |range| range.start < moves).flatten()
    }
}

impl Default for Plies {
    fn default() -> Self {
        Self::all()
    }
}

/// Numbers and ranges with commas between them, as in `1,20-39,101-`, of which the last has no end; `none` for no half-moves.
impl fmt::Display for Plies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("none");
        }
        for (index, range) in self.0.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            match (*range.start(), *range.end()) {
                (first, u32::MAX) => write!(f, "{comma}{first}-")?,
                (first, last) if first == last => write!(f, "{comma}{first}")?,
                (first, last) => write!(f, "{comma}{first}-{last}")?,
            }
        }
        Ok(())
    }
}

impl FromStr for Plies {
    type Err = PliesError;

    /// Reads what [`Display`](fmt::Display) writes, in any order.
    fn from_str(text: &str) -> Result<Self, PliesError> {
        if text.trim() == "none" {
            return Ok(Self::of([]));
        }
        let number = |text: &str| text.trim().parse().ok().filter(|ply| *ply > 0);
        let range = |text: &str| match text.split_once('-') {
            None => number(text).map(|ply| ply..=ply),
            Some((first, last)) if last.trim().is_empty() => Some(number(first)?..=u32::MAX),
            Some((first, last)) => {
                Some(number(first)?..=number(last)?).filter(|range| !range.is_empty())
            }
        };
        let ranges: Option<Vec<_>> = text.split(',').map(range).collect();
        ranges.map(Self::of).ok_or(PliesError)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// All sets of up to two ranges of the numbers to 6.
    fn sets() -> Vec<Vec<RangeInclusive<u32>>> {
        let ranges: Vec<_> =
            (0..=6).flat_map(|first| (0..=6).map(move |last| first..=last)).collect();
        let pairs =
            ranges.iter().flat_map(|one| ranges.iter().map(|two| vec![one.clone(), two.clone()]));
        pairs.chain([vec![]]).collect()
    }

    fn members(plies: &Plies) -> BTreeSet<u32> {
        (0..10).filter(|ply| plies.contains(*ply)).collect()
    }

    #[test]
    fn sets_are_those_of_the_standard_library() {
        let sets = sets();
        for ranges in &sets {
            let plies = Plies::of(ranges.clone());
            let expected: BTreeSet<u32> =
                ranges.iter().cloned().flatten().filter(|ply| *ply > 0).collect();
            assert_eq!(members(&plies), expected, "{ranges:?}");
            let others: BTreeSet<u32> = (1..10).filter(|ply| !expected.contains(ply)).collect();
            assert_eq!(members(&plies.complement()), others, "{ranges:?}");
            assert!(plies.complement().contains(u32::MAX));
            assert_eq!(plies.complement().complement(), plies);
            assert_eq!(plies.last(), expected.last().copied());
            assert_eq!(plies.to_string().parse(), Ok(plies.clone()));
            let indices: Vec<usize> = plies.indices(4).collect();
            let inside = expected.iter().map(|ply| *ply as usize - 1).filter(|index| *index < 4);
            assert_eq!(indices, inside.collect::<Vec<_>>(), "{ranges:?}");
            for other in sets.iter().step_by(17) {
                let other = Plies::of(other.clone());
                let (both, either) = (plies.intersection(&other), plies.union(&other));
                assert_eq!(members(&both), &members(&plies) & &members(&other));
                assert_eq!(members(&either), &members(&plies) | &members(&other));
            }
        }
        assert_eq!(Plies::all().complement(), Plies::of([]));
        assert_eq!(Plies::all().intersection(&Plies::of([7..=9])), Plies::of([7..=9]));
    }

    #[test]
    fn texts() {
        for (text, expected) in
            [("1", "1"), ("3, 1,2", "1-3"), (" 5 - 9 ", "5-9"), ("101-", "101-"), ("none", "none")]
        {
            let plies = text.parse::<Plies>().map(|plies| plies.to_string());
            assert_eq!(plies.as_deref(), Ok(expected));
        }
        for text in ["", "0", "-3", "x", "1-x", "9-5", "1..2", "1,", "4294967296"] {
            assert_eq!(text.parse::<Plies>(), Err(PliesError), "{text}");
        }
    }
}
