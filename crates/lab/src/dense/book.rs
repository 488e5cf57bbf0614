//! The counts of moves in positions, from which a book is made.

use halfmove_codecs::dense::learning::{self, Book, BookTable, class_of_cost, class_of_total};
use halfmove_rules::Chess;
use std::collections::BTreeMap;
use std::collections::HashMap;

use super::Games;

/// Positions that enough games reached, each with its moves and the number of games that played them.
pub(super) struct Counts(HashMap<u64, (u32, Vec<(u16, u32)>)>);

/// The least number of games of a position, one more than that of a class so that one can be left out.
const LEAST: u32 = 9;

impl Counts {
    pub(super) fn of(games: &Games, which: &[usize]) -> Self {
        let mut totals: HashMap<u64, u32> = HashMap::new();
        let each = |game: usize, each: &mut dyn FnMut(u64, u16)| {
            learning::keys(&Chess::default(), games.game(game).0, each);
        };
        for &game in which {
            each(game, &mut |position, _| *totals.entry(position).or_default() += 1);
        }
        totals.retain(|_, total| *total >= LEAST);
        let mut counts: HashMap<u64, (u32, Vec<(u16, u32)>)> =
            totals.into_iter().map(|(key, total)| (key, (total, Vec::new()))).collect();
        for &game in which {
            each(game, &mut |position, key| {
                let Some((_, moves)) = counts.get_mut(&position) else { return };
                match moves.iter_mut().find(|one| one.0 == key) {
                    Some(one) => one.1 += 1,
                    None => moves.push((key, 1)),
                }
            });
        }
        Self(counts)
    }

    /// The table of the model: the positions that most games reached, as many as it has room for.
    pub(super) fn table(&self) -> BookTable {
        let mut order = BTreeMap::new();
        for (position, (total, _)) in &self.0 {
            order.insert((u32::MAX - total, *position), ());
        }
        let (mut table, mut entries) = (BookTable::default(), 0);
        for (_, position) in order.into_keys() {
            let (total, moves) = &self.0[&position];
            let Some(class) = class_of_total(*total) else { continue };
            let mut known: Vec<_> = moves
                .iter()
                .filter_map(|(key, count)| Some((*key, class_of_cost(*count, *total)?)))
                .collect();
            known.sort_unstable();
            entries += 1 + known.len();
            if entries > BookTable::ENTRIES {
                break;
            }
            table.add(position, class, &known);
        }
        table
    }
}

impl Book for Counts {
    fn total(&self, position: u64) -> Option<u8> {
        class_of_total(self.0.get(&position)?.0 - 1)
    }

    fn cost(&self, position: u64, key: u16, is_played: bool) -> Option<u8> {
        let (total, moves) = self.0.get(&position)?;
        let count = moves.iter().find(|one| one.0 == key).map_or(0, |one| one.1);
        class_of_cost(count.saturating_sub(u32::from(is_played)), total - 1)
    }
}
