//! Selection of the files to rewrite.

use std::ops::Range;

use super::GAMES_PER_FILE;

/// A file in the form that the plan needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    /// Its weight in games.
    pub(super) weight: u64,
    /// True if its games are sorted.
    pub(super) is_done: bool,
}

/// The largest sorted file of a range is merged with its neighbors only if these make up at least this fraction
/// (one in `WORTH`) of the result. So each game is rewritten only a few times, even if every small import is
/// followed by a compaction.
const WORTH: u64 = 8;

/// The ranges of files that are to become one file each.
pub(super) fn of(parts: &[Part]) -> Vec<Range<usize>> {
    let mut plan = Vec::new();
    let (mut start, mut weight) = (0, 0);
    for (number, part) in parts.iter().enumerate() {
        if number > start && weight + part.weight > GAMES_PER_FILE {
            choose(parts, start..number, &mut plan);
            (start, weight) = (number, 0);
        }
        weight += part.weight;
    }
    choose(parts, start..parts.len(), &mut plan);
    plan
}

/// Selects from files that fit into one.
fn choose(parts: &[Part], range: Range<usize>, plan: &mut Vec<Range<usize>>) {
    if range.is_empty() {
        return;
    }
    let done = range.clone().filter(|number| parts[*number].is_done);
    match done.max_by_key(|number| parts[*number].weight) {
        None => plan.push(range),
        Some(largest) => {
            let all: u64 = parts[range.clone()].iter().map(|part| part.weight).sum();
            let others = all - parts[largest].weight;
            if others > 0 && others.saturating_mul(WORTH) >= all {
                plan.push(range);
            } else {
                choose(parts, range.start..largest, plan);
                choose(parts, largest + 1..range.end, plan);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Part, of};

    fn new(weight: u64) -> Part {
        Part { weight, is_done: false }
    }

    fn done(weight: u64) -> Part {
        Part { weight, is_done: true }
    }

    /// The first file of each range, and the one after the last.
    fn pairs(parts: &[Part]) -> Vec<(usize, usize)> {
        of(parts).into_iter().map(|range| (range.start, range.end)).collect()
    }

    #[test]
    fn files_are_merged_up_to_a_million_games() {
        assert!(pairs(&[]).is_empty());
        assert_eq!(pairs(&[new(5)]), [(0, 1)]);
        assert_eq!(pairs(&[new(600_000), new(300_000), new(200_000), new(1)]), [(0, 2), (2, 4)]);
        assert_eq!(pairs(&[new(3_000_000), new(1)]), [(0, 1), (1, 2)]);
    }

    #[test]
    fn sorted_files_stay_if_little_is_new() {
        assert!(pairs(&[done(500_000)]).is_empty());
        assert!(pairs(&[done(600_000), done(600_000)]).is_empty());
        assert_eq!(pairs(&[done(500_000), new(10), new(20)]), [(1, 3)]);
        assert_eq!(pairs(&[new(1), done(500_000), new(10)]), [(0, 1), (2, 3)]);
        assert_eq!(pairs(&[done(500_000), new(80_000)]), [(0, 2)]);
        assert_eq!(pairs(&[done(500_000), done(10), new(20)]), [(1, 3)]);
        assert_eq!(pairs(&[done(500_000), done(10), new(1)]), [(2, 3)]);
    }

    /// A second compaction has nothing to do, and each game is rewritten only a few times.
    #[test]
    fn compactions_come_to_an_end() {
        let mut files: Vec<Part> = Vec::new();
        let (mut games, mut rewritten) = (0, 0);
        for import in 0..2_000_u64 {
            let weight = 1 + import * 7_919 % 3_000;
            files.push(new(weight));
            games += weight;
            let plan = of(&files);
            for range in plan.into_iter().rev() {
                let weight = files[range.clone()].iter().map(|part| part.weight).sum();
                rewritten += weight;
                files.splice(range, [done(weight)]);
            }
            assert!(of(&files).is_empty(), "{files:?}");
        }
        assert_eq!(files.iter().map(|part| part.weight).sum::<u64>(), games);
        assert!(files.len() < 40, "{} files", files.len());
        assert!(rewritten < 40 * games, "{rewritten} of {games}");
    }
}
