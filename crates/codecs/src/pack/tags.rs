//! The tags of the games of a block.
//!
//! A game has a *layout*, the names of its tags in order, and a value for each. Names that differ only in a `White`, `Black` or
//! `UTC` at the beginning share a *group*: a player who has White now had Black before.

use std::collections::HashMap;
use std::hash::Hash;

use halfmove_game::Tags;

use super::numbers::{Bit, Coder, Numbers, Reading, Signed, states};
use super::texts::{Budget, Texts, push_text};
use crate::DecodeErrorKind;
use crate::dense::range::Encoder;

/// Values in the order of their last use, the last at the end.
#[derive(Debug)]
struct Recent<T> {
    values: Vec<T>,
    numbers: HashMap<T, u32>,
    order: Vec<u32>,
}

impl<T> Default for Recent<T> {
    fn default() -> Self {
        Self { values: Vec::new(), numbers: HashMap::new(), order: Vec::new() }
    }
}

impl<T: Hash + Eq + Clone> Recent<T> {
    /// The number of others that were used since this one; `None` if it is new.
    fn rank(&self, value: &T) -> Option<u32> {
        let number = self.numbers.get(value)?;
        self.order.iter().rev().position(|one| one == number).map(|rank| rank as u32)
    }

    /// Uses a value again. Returns its number.
    fn again(&mut self, rank: u32) -> Option<u32> {
        let at = self.order.len().checked_sub(rank as usize + 1)?;
        let number = self.order.remove(at);
        self.order.push(number);
        Some(number)
    }

    fn add(&mut self, value: T) -> u32 {
        let number = self.values.len() as u32;
        self.numbers.insert(value.clone(), number);
        self.values.push(value);
        self.order.push(number);
        number
    }
}

/// The kind of a value, by which the next value of its column is coded.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
enum Kind {
    /// A number, as a difference.
    #[default]
    Number,
    /// A value that the group has had.
    Old,
    /// A new text.
    New,
}

/// A column: the values of one name.
#[derive(Debug)]
struct Column {
    group: usize,
    /// The side that the name begins with, for the player that its numbers belong to.
    side: Option<usize>,
    kind: Kind,
    is_number: [Bit; 3],
    is_new: [Bit; 3],
    ranks: Box<[Numbers; 4]>,
    rank: usize,
    /// Differences to the last number of the player, and of the column.
    numbers: Box<[Signed; 2]>,
    last: u32,
}

#[derive(Debug, Default)]
struct Group {
    values: Recent<String>,
    /// The last new text, and the number of bytes that the next one begins with, too.
    last: String,
    common: Numbers,
    /// The last number of each player.
    numbers: HashMap<u32, u32>,
}

/// The tags of the games so far.
#[derive(Debug, Default)]
pub(super) struct TagModel {
    names: Vec<String>,
    columns: Vec<Column>,
    stems: HashMap<String, usize>,
    groups: Vec<Group>,
    layouts: Recent<Vec<u32>>,
    is_new_layout: Bit,
    ranks: Numbers,
    lengths: Numbers,
    name_numbers: Numbers,
    /// The players of the game, as far as they are known: numbers in the group of names.
    players: [Option<u32>; 2],
}

const SIDES: [&str; 2] = ["White", "Black"];

/// The number that a text spells as [`Display`](std::fmt::Display) would.
fn number(text: &str) -> Option<u32> {
    let number = text.parse::<u32>().ok()?;
    let is_usual = !text.starts_with('+') && (text == "0" || !text.starts_with('0'));
    is_usual.then_some(number)
}

impl TagModel {
    fn add_name(&mut self, name: &str) -> usize {
        let side = SIDES.iter().position(|side| name.starts_with(side));
        let stem = name.strip_prefix("UTC").unwrap_or(name);
        let stem = side.and_then(|side| name.strip_prefix(SIDES[side])).unwrap_or(stem);
        let group = *self.stems.entry(stem.to_owned()).or_insert(self.groups.len());
        if group == self.groups.len() {
            self.groups.push(Group::default());
        }
        self.names.push(name.to_owned());
        self.columns.push(Column {
            group,
            side,
            kind: Kind::default(),
            is_number: Default::default(),
            is_new: Default::default(),
            ranks: states(),
            rank: 0,
            numbers: states(),
            last: 0,
        });
        self.names.len() - 1
    }

    /// Appends the tags of a game. New names go to the first of the texts, new values to that of their group.
    pub(super) fn write(&mut self, tags: &Tags, coder: &mut Encoder<'_>, texts: &mut Vec<Vec<u8>>) {
        let known: Option<Vec<u32>> = tags.iter().map(|(name, _)| self.number_of(name)).collect();
        let rank = known.as_ref().and_then(|layout| self.layouts.rank(layout));
        coder.bit(&mut self.is_new_layout, rank.is_none());
        let layout = match (known, rank) {
            (Some(layout), Some(rank)) => {
                coder.number(&mut self.ranks, rank);
                self.layouts.again(rank);
                layout
            }
            _ => self.write_layout(tags, coder, &mut texts[0]),
        };
        texts.resize(1 + self.groups.len(), Vec::new());
        self.players = [None; 2];
        for (column, (_, value)) in layout.iter().zip(tags.iter()) {
            let column = *column as usize;
            let text = &mut texts[1 + self.columns[column].group];
            self.write_value(column, value, coder, text);
        }
    }

    fn number_of(&self, name: &str) -> Option<u32> {
        self.names.iter().position(|one| one == name).map(|at| at as u32)
    }

    fn write_layout(
        &mut self,
        tags: &Tags,
        coder: &mut Encoder<'_>,
        names: &mut Vec<u8>,
    ) -> Vec<u32> {
        coder.number(&mut self.lengths, tags.len() as u32);
        let mut layout = Vec::with_capacity(tags.len());
        for (name, _) in tags.iter() {
            let known = self.number_of(name);
            let number = known.unwrap_or(self.names.len() as u32);
            coder.number(&mut self.name_numbers, number);
            if known.is_none() {
                push_text(name.as_bytes(), names);
                self.add_name(name);
            }
            layout.push(number);
        }
        self.layouts.add(layout.clone());
        layout
    }

    fn write_value(&mut self, at: usize, value: &str, coder: &mut Encoder<'_>, text: &mut Vec<u8>) {
        let column = &mut self.columns[at];
        let group = &mut self.groups[column.group];
        let kind = column.kind as usize;
        if let Some(number) = number(value) {
            coder.bit(&mut column.is_number[kind], true);
            self.code_number(at, number, coder);
            return;
        }
        coder.bit(&mut column.is_number[kind], false);
        let value = value.to_owned();
        let rank = group.values.rank(&value);
        coder.bit(&mut column.is_new[kind], rank.is_none());
        let id = match rank {
            Some(rank) => {
                coder.number(&mut column.ranks[column.rank], rank);
                (column.kind, column.rank) = (Kind::Old, (rank as usize).min(3));
                group.values.again(rank)
            }
            None => {
                let pairs = group.last.bytes().zip(value.bytes());
                let common = pairs.take_while(|(one, other)| one == other).count();
                coder.number(&mut group.common, common as u32);
                push_text(&value.as_bytes()[common..], text);
                group.last.clone_from(&value);
                column.kind = Kind::New;
                Some(group.values.add(value))
            }
        };
        self.note_player(at, id);
    }

    /// Writes or reads a number.
    fn code_number<C: Coder>(&mut self, at: usize, number: u32, coder: &mut C) -> u32 {
        let column = &mut self.columns[at];
        let group = &mut self.groups[column.group];
        let player = column.side.and_then(|side| self.players[side]);
        let known = player.and_then(|player| group.numbers.get(&player).copied());
        let before = i64::from(known.unwrap_or(column.last));
        let state = &mut column.numbers[usize::from(known.is_some())];
        let number = before + coder.signed(state, i64::from(number) - before);
        let number = number.clamp(0, i64::from(u32::MAX)) as u32;
        (column.last, column.kind) = (number, Kind::Number);
        if let Some(player) = player {
            group.numbers.insert(player, number);
        }
        number
    }

    /// Remembers who plays, for the numbers that follow.
    fn note_player(&mut self, at: usize, id: Option<u32>) {
        if let Some(side) = SIDES.iter().position(|side| *side == self.names[at]) {
            self.players[side] = id;
        }
    }

    /// Reads the tags of a game; `budget` limits the number of tags, and the bytes of their names and values.
    pub(super) fn read(
        &mut self,
        coder: &mut Reading<'_>,
        texts: &mut [Texts<'_>],
        budget: &mut Budget,
    ) -> Result<Tags, DecodeErrorKind> {
        let layout = if coder.bit(&mut self.is_new_layout, false) {
            let mut layout = Vec::new();
            let length = coder.number(&mut self.lengths, 0);
            budget.tags(length as usize)?;
            for _ in 0..length {
                let number = coder.number(&mut self.name_numbers, 0);
                coder.check()?;
                if number as usize == self.names.len() {
                    let name = texts[0].next()?;
                    let name = std::str::from_utf8(name).map_err(|_| DecodeErrorKind::NotUtf8)?;
                    self.add_name(name);
                } else if number as usize > self.names.len() {
                    return Err(DecodeErrorKind::NoSuchNumber);
                }
                layout.push(number);
            }
            self.layouts.add(layout.clone());
            layout
        } else {
            let rank = coder.number(&mut self.ranks, 0);
            coder.check()?;
            let number = self.layouts.again(rank).ok_or(DecodeErrorKind::NoSuchNumber)?;
            let layout = self.layouts.values[number as usize].clone();
            budget.tags(layout.len())?;
            layout
        };
        self.players = [None; 2];
        let mut tags = Tags::new();
        for column in layout {
            let at = column as usize;
            let text = texts.get_mut(1 + self.columns[at].group);
            let text = text.ok_or(DecodeErrorKind::Truncated)?;
            let value = self.read_value(at, coder, text)?;
            budget.text(self.names[at].len() + value.len())?;
            tags.push(&self.names[at], &value);
        }
        coder.check()?;
        Ok(tags)
    }

    fn read_value(
        &mut self,
        at: usize,
        coder: &mut Reading<'_>,
        text: &mut Texts<'_>,
    ) -> Result<String, DecodeErrorKind> {
        let column = &mut self.columns[at];
        let group = &mut self.groups[column.group];
        let kind = column.kind as usize;
        if coder.bit(&mut column.is_number[kind], false) {
            return Ok(self.code_number(at, 0, coder).to_string());
        }
        let id = if coder.bit(&mut column.is_new[kind], false) {
            let common = coder.number(&mut group.common, 0) as usize;
            coder.check()?;
            let common = group.last.as_bytes().get(..common).ok_or(DecodeErrorKind::LargeNumber)?;
            let value = [common, text.next()?].concat();
            let value = String::from_utf8(value).map_err(|_| DecodeErrorKind::NotUtf8)?;
            group.last.clone_from(&value);
            column.kind = Kind::New;
            group.values.add(value)
        } else {
            let rank = coder.number(&mut column.ranks[column.rank], 0);
            coder.check()?;
            (column.kind, column.rank) = (Kind::Old, (rank as usize).min(3));
            group.values.again(rank).ok_or(DecodeErrorKind::NoSuchNumber)?
        };
        let value = group.values.values[id as usize].clone();
        self.note_player(at, Some(id));
        Ok(value)
    }
}
