//! What the explorer says of a position and its moves beside results: ratings, dates, and some of the games.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use halfmove_rules::{Color, Move};

use crate::columns::{Cache, Group, Ids, Place};
use crate::error::ArchiveError;
use crate::search::facts::{Facts, When};
use crate::search::tally::Listener;

/// Sums over the games in which a move was played, or a position arose.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sums {
    /// Of the players of the move.
    pub(crate) movers: Mean,
    /// Of their opponents, in games that were won, drawn or lost.
    pub(crate) opponents: Mean,
    /// How many half points the players of the move made in these games.
    pub(crate) half_points: u64,
    pub(crate) last: Option<When>,
    /// One of the games.
    pub(crate) game: Option<(i64, Place)>,
}

/// A mean of ratings.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Mean {
    pub(crate) count: u64,
    sum: i64,
}

impl Mean {
    #[inline]
    fn count(&mut self, rating: i32) {
        self.count += 1;
        self.sum += i64::from(rating);
    }

    fn add(&mut self, more: Self) {
        self.count += more.count;
        self.sum += more.sum;
    }

    /// To the nearest whole number; `None` if there is no rating.
    pub(crate) fn rounded(self) -> Option<i32> {
        let count = i64::try_from(self.count).ok().filter(|count| *count > 0)?;
        i32::try_from((2 * self.sum + count).div_euclid(2 * count)).ok()
    }
}

/// A game as far as it is summed up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen {
    mover: Option<i32>,
    opponent: Option<i32>,
    /// Half points of the player of the move.
    half_points: Option<u64>,
    pub(crate) when: Option<When>,
    game: Option<(i64, Place)>,
}

impl Seen {
    /// From the side of one of the players, or of neither.
    #[inline]
    pub(crate) fn of(facts: &Facts, row: u32, result: u8, mover: Option<Color>) -> Self {
        let when = facts.when(row);
        let Some(color) = mover else {
            return Self { mover: None, opponent: None, half_points: None, when, game: None };
        };
        let [white, black] = facts.ratings(row);
        let (mover, opponent) = match color {
            Color::White => (white, black),
            Color::Black => (black, white),
        };
        // By the numbers of `Results`.
        let half_points = match (result, color) {
            (0, Color::White) | (2, Color::Black) => Some(2),
            (1, _) => Some(1),
            (0 | 2, _) => Some(0),
            _ => None,
        };
        Self { mover, opponent, half_points, when, game: None }
    }
}

impl Sums {
    pub(crate) fn count(&mut self, seen: &Seen) {
        if let Some(rating) = seen.mover {
            self.movers.count(rating);
        }
        if let (Some(rating), Some(half_points)) = (seen.opponent, seen.half_points) {
            self.opponents.count(rating);
            self.half_points += half_points;
        }
        self.last = self.last.max(seen.when);
        self.game = seen.game;
    }

    pub(crate) fn add(&mut self, more: &Self) {
        self.movers.add(more.movers);
        self.opponents.add(more.opponents);
        self.half_points += more.half_points;
        self.last = self.last.max(more.last);
        self.game = self.game.or(more.game);
    }
}

/// A game that may be listed: it comes before those with smaller numbers, then before those with larger ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ranked {
    rank: (i64, i64),
    id: Reverse<i64>,
    pub(crate) place: Place,
    /// The bits of the move that was played, if the game went on.
    next: Option<u16>,
}

impl Ranked {
    pub(crate) fn id(&self) -> i64 {
        self.id.0
    }

    /// The move that was played, if the game went on.
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

    /// The best first.
    fn sorted(self) -> Vec<Ranked> {
        let games = self.games.into_sorted_vec();
        games.into_iter().map(|Reverse(game)| game).collect()
    }
}

/// The details of a position, summed up over row groups.
#[derive(Debug, Default)]
pub(crate) struct DetailSums {
    pub(crate) position: Sums,
    pub(crate) moves: Vec<(Move, Sums)>,
    /// The games with the highest ratings, the best first.
    pub(crate) top: Vec<Ranked>,
    /// The games that were played last, the last one first.
    pub(crate) recent: Vec<Ranked>,
}

impl DetailSums {
    /// What listeners have heard, with so many games listed.
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

fn sums_of(moves: &mut Vec<(Move, Sums)>, mv: Move) -> &mut Sums {
    let index = moves.iter().position(|(known, _)| *known == mv).unwrap_or_else(|| {
        moves.push((mv, Sums::default()));
        moves.len() - 1
    });
    &mut moves[index].1
}

/// Hears of the games of a row group.
#[derive(Debug)]
pub(crate) struct DetailListener {
    facts: Facts,
    ids: Ids,
    /// The number of the row group in the snapshot.
    group: usize,
    /// Who plays the moves.
    mover: Color,
    position: Sums,
    moves: Vec<(Move, Sums)>,
    top: Best,
    recent: Best,
}

impl DetailListener {
    /// For moves of a side, and lists of so many games.
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
            position: Sums::default(),
            moves: Vec::new(),
            top: best(),
            recent: best(),
        })
    }

    fn see(&self, row: u32, result: u8) -> Seen {
        let game = Some((self.ids.of(row), Place { group: self.group as u32, row }));
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
