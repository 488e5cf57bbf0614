//! Tracks the parts of a game's board that conditions need.

use std::ops::ControlFlow;

use halfmove_rules::Role;

use super::super::watch::{EMPTY_CHESS, EMPTY_MAKRUK, Moment, Occupant, Squares, Watch};
use super::view::{Counts, View, count_table};
use crate::codec::DecodeError;

/// A watch that tests conditions in one game.
pub(super) struct Watcher<'a, const EMPTY: Occupant, Parts> {
    pub(super) views: &'a [View],
    pub(super) fits: &'a Fits,
    pub(super) at_least: u32,
    /// True if only the end decides.
    pub(super) is_final: bool,
    /// There may be a match only before this ply.
    pub(super) until: u32,
    pub(super) parts: std::marker::PhantomData<Parts>,
}

/// The parts of the conditions, as a type: each combination is compiled separately.
pub(super) trait Parts {
    const PATTERN: bool;
    const COUNTS: bool;
    const PAWNS: bool;
}

/// Only a pattern, only numbers of pieces, only pawns, numbers and pawns, or everything.
pub(super) struct OnlyPattern;
pub(super) struct OnlyCounts;
pub(super) struct OnlyPawns;
pub(super) struct CountsAndPawns;
pub(super) struct All;

impl Parts for OnlyPattern {
    const PATTERN: bool = true;
    const COUNTS: bool = false;
    const PAWNS: bool = false;
}

impl Parts for OnlyCounts {
    const PATTERN: bool = false;
    const COUNTS: bool = true;
    const PAWNS: bool = false;
}

impl Parts for OnlyPawns {
    const PATTERN: bool = false;
    const COUNTS: bool = false;
    const PAWNS: bool = true;
}

impl Parts for CountsAndPawns {
    const PATTERN: bool = false;
    const COUNTS: bool = true;
    const PAWNS: bool = true;
}

impl Parts for All {
    const PATTERN: bool = true;
    const COUNTS: bool = true;
    const PAWNS: bool = true;
}

/// For each occupant of each square, one byte per alternative: 1 if its pattern allows the occupant.
#[derive(Clone, Debug)]
pub(super) struct Fits(pub(super) Box<[[u32; 16]; 64]>);

impl Fits {
    #[inline(always)]
    fn of(&self, square: u8, occupant: Occupant) -> u32 {
        self.0[usize::from(square) % 64][usize::from(occupant) % 16]
    }
}

/// The state that the loop keeps in registers.
#[derive(Copy, Clone)]
pub(super) struct State {
    /// The number of mismatched squares in the pattern of each alternative, one byte each.
    misfits: u32,
    counts: Counts,
    pawns: [u64; 2],
    ply: u32,
    /// The ply since which the conditions have held.
    since: Option<u32>,
}

static CHESS_COUNTS: [[Counts; 16]; 2] = count_table(EMPTY_CHESS);
static MAKRUK_COUNTS: [[Counts; 16]; 2] = count_table(EMPTY_MAKRUK);

/// All ones for pawns, by side.
static PAWNS: [[u64; 2]; 16] = {
    let mut pawns = [[0; 2]; 16];
    pawns[Role::Pawn as usize][0] = u64::MAX;
    pawns[8 | Role::Pawn as usize][1] = u64::MAX;
    pawns
};

impl<const EMPTY: Occupant, P: Parts> Watcher<'_, EMPTY, P> {
    /// The state at the start.
    pub(super) fn start(&self, squares: &Squares) -> State {
        // Unused alternatives never match.
        let misfits = (0..4).fold(0, |all, lane| {
            let squares = if lane < self.views.len() { 64 } else { 1 };
            all | squares << (8 * lane)
        });
        let mut state = State { misfits, counts: [0; 2], pawns: [0; 2], ply: 0, since: None };
        for (square, occupant) in squares.0.iter().enumerate() {
            let square = square as u8;
            state.misfits -= self.fits.of(square, *occupant);
            Self::add(&mut state, square, *occupant);
        }
        state
    }

    #[inline(always)]
    fn counts(square: u8, occupant: Occupant) -> Counts {
        let table = if EMPTY == EMPTY_CHESS { &CHESS_COUNTS } else { &MAKRUK_COUNTS };
        let is_light = (square ^ square >> 3) & 1;
        table[usize::from(is_light)][usize::from(occupant) % 16]
    }

    #[inline(always)]
    fn add(state: &mut State, square: u8, occupant: Occupant) {
        let [white, black] = Self::counts(square, occupant);
        state.counts[0] = state.counts[0].wrapping_add(white);
        state.counts[1] = state.counts[1].wrapping_add(black);
        let [white, black] = PAWNS[usize::from(occupant) % 16];
        let bit = 1 << (square % 64);
        state.pawns[0] ^= white & bit;
        state.pawns[1] ^= black & bit;
    }

    /// Returns true if the conditions hold now.
    #[inline(always)]
    pub(super) fn holds(&self, state: &State) -> bool {
        const LOW: u32 = 0x0101_0101;
        // A byte that is zero borrows.
        if P::PATTERN && state.misfits.wrapping_sub(LOW) & !state.misfits & (LOW << 7) == 0 {
            return false;
        }
        if !P::COUNTS && !P::PAWNS {
            return true;
        }
        self.views.iter().zip(state.misfits.to_le_bytes()).any(|(view, misfits)| {
            (!P::PATTERN || misfits == 0)
                && (!P::COUNTS || view.counts_hold::<EMPTY>(state.counts))
                && (!P::PAWNS || view.pawns_hold(state.pawns))
        })
    }

    /// Records the ply from which the conditions hold, and returns true if that decides the search.
    #[inline(always)]
    fn note(&self, state: &mut State) -> bool {
        state.since = if self.holds(state) { state.since.or(Some(state.ply)) } else { None };
        !self.is_final && state.since.is_some() && self.has_lasted(state)
    }

    #[inline(always)]
    fn has_lasted(&self, state: &State) -> bool {
        state.since.is_some_and(|since| state.ply - since >= self.at_least)
    }

    /// The result, once the replay has ended.
    #[inline(always)]
    pub(super) fn answer(&self, state: &State) -> Option<u32> {
        state.since.filter(|_| self.has_lasted(state))
    }
}

impl<const EMPTY: Occupant, P: Parts> Watch<EMPTY> for Watcher<'_, EMPTY, P> {
    type State = State;

    #[inline(always)]
    fn change(&mut self, state: &mut State, square: u8, old: Occupant, new: Occupant) {
        if P::PATTERN {
            let left = state.misfits.wrapping_add(self.fits.of(square, old));
            state.misfits = left.wrapping_sub(self.fits.of(square, new));
        }
        if P::COUNTS {
            let (old, new) = (Self::counts(square, old), Self::counts(square, new));
            for color in 0..2 {
                let counts = state.counts[color].wrapping_add(new[color]);
                state.counts[color] = counts.wrapping_sub(old[color]);
            }
        }
        if P::PAWNS {
            let (old, new) = (PAWNS[usize::from(old) % 16], PAWNS[usize::from(new) % 16]);
            for color in 0..2 {
                state.pawns[color] ^= (old[color] ^ new[color]) & 1 << (square % 64);
            }
        }
    }

    #[inline(always)]
    fn after_move(&mut self, state: &mut State, _: Occupant, _: (u8, u8)) -> bool {
        state.ply += 1;
        self.note(state)
    }

    fn inspect(
        &mut self,
        state: &mut State,
        at: &Moment<'_>,
    ) -> Result<ControlFlow<()>, DecodeError> {
        state.ply = at.ply;
        let is_found = self.note(state);
        Ok(if is_found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    #[inline(always)]
    fn is_over(&self, state: &State) -> bool {
        state.ply >= self.until
    }
}
