//! The explorer's further sums for a position and its moves: ratings, dates, and some of the games.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use halfmove_rules::{Color, Move};

use crate::columns::{Cache, GamePlace, Group, Ids};
use crate::error::ArchiveError;
use crate::search::facts::{Facts, When};
use crate::search::ratings::{RatingSums, Seen};
use crate::search::tally::Listener;

/// A game that may be listed: it comes before those with smaller numbers, then before those with larger ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ranked {
    rank: (i64, i64),
    id: Reverse<i64>,
    pub(crate) place: GamePlace,
    /// The bits of the next move, if the game continued.
    next: Option<u16>,
}

impl Ranked {
    pub(crate) fn id(&self) -> i64 {
        self.id.0
    }

    /// The next move, if the game continued.
    pub(crate) fn next(&self) -> Option<Move> {
        self.next.and_then(Move::from_bits)
    }
}

/// The best of some games.
#[derive(Debug, Clone, Default)]
struct Best {
    most: usize,
    games: BinaryHeap<Reverse<Ranked>>,
}

impl Best {
    #[inline]
    fn offer(&mut self, rank: (i64, i64), game: impl FnOnce() -> Ranked) {
        if self.games.len() < self.most {
            self.games.push(Reverse(game()));
        } else if let Some(mut last) = self.games.peek_mut()
            && rank >= last.0.rank
        {
            *last = Reverse(game()).min(*last);
        }
    }

    /// Returns the games, the best first.
    fn sorted(self) -> Vec<Ranked> {
        let games = self.games.into_sorted_vec();
        games.into_iter().map(|Reverse(game)| game).collect()
    }
}

/// The details of a position, summed up over row groups.
#[derive(Debug, Default)]
pub(crate) struct DetailSums {
    pub(crate) position: RatingSums,
    pub(crate) moves: Vec<(Move, RatingSums)>,
    /// The games with the highest ratings, the highest first.
    pub(crate) top: Vec<Ranked>,
    /// The games with the latest dates, the latest first.
    pub(crate) recent: Vec<Ranked>,
}

impl DetailSums {
    /// Sums up the listeners, with at most `games` games in each list.
    pub(crate) fn of(listeners: Vec<DetailListener>, games: usize) -> Self {
        let mut all = Self::default();
        for listener in listeners {
            all.position.add(&listener.position);
            for (mv, sums) in &listener.moves {
                sums_of(&mut all.moves, *mv).add(sums);
            }
            all.top.extend(listener.top.sorted());
            all.recent.extend(listener.recent.sorted());
        }
        for list in [&mut all.top, &mut all.recent] {
            list.sort_unstable_by_key(|game| Reverse(*game));
            list.truncate(games);
        }
        all
    }
}

fn sums_of(moves: &mut Vec<(Move, RatingSums)>, mv: Move) -> &mut RatingSums {
    let index = moves.iter().position(|(known, _)| *known == mv).unwrap_or_else(|| {
        moves.push((mv, RatingSums::default()));
        moves.len() - 1
    });
    &mut moves[index].1
}

/// A listener to the games of a row group.
#[derive(Debug)]
pub(crate) struct DetailListener {
    facts: Facts,
    ids: Ids,
    /// The index of the row group in the snapshot.
    group: usize,
    /// The side that plays the moves.
    mover: Color,
    position: RatingSums,
    moves: Vec<(Move, RatingSums)>,
    top: Best,
    recent: Best,
}

impl DetailListener {
    /// Creates a listener for the moves of a side, with lists of at most `games` games.
    pub(crate) fn new(
        (number, group): (usize, &Group),
        cache: &Cache,
        mover: Color,
        games: usize,
    ) -> Result<Self, ArchiveError> {
        let best = || Best { most: games, games: BinaryHeap::new() };
        Ok(Self {
            facts: Facts::of(group, cache)?,
            ids: group.ids(cache)?,
            group: number,
            mover,
            position: RatingSums::default(),
            moves: Vec::new(),
            top: best(),
            recent: best(),
        })
    }

    fn see(&self, row: u32, result: u8) -> Seen {
        let game = Some((self.ids.of(row), GamePlace { group: self.group as u32, row }));
        Seen { game, ..Seen::of(&self.facts, row, result, Some(self.mover)) }
    }
}

impl Listener for DetailListener {
    fn game(&mut self, row: u32, result: u8, next: Option<Move>) {
        let seen = self.see(row, result);
        self.position.count(&seen);
        let Seen { mover, opponent, when, game, .. } = seen;
        let Some((id, place)) = game.filter(|_| self.top.most > 0) else { return };
        let ranked = |rank| Ranked { rank, id: Reverse(id), place, next: next.map(Move::to_bits) };
        let when = when.map(When::number);
        if let (Some(one), Some(other)) = (mover, opponent) {
            let rank = (i64::from(one) + i64::from(other), when.unwrap_or(i64::MIN));
            self.top.offer(rank, || ranked(rank));
        }
        if let Some(when) = when {
            let rank = (when, 0);
            self.recent.offer(rank, || ranked(rank));
        }
    }

    fn played(&mut self, row: u32, result: u8, mv: Move) {
        let seen = self.see(row, result);
        sums_of(&mut self.moves, mv).count(&seen);
    }
}
