//! The last position of a game that is in the list of openings.
//!
//! Once a game has left the openings, it does not return: pawns never move back, and captured pieces do not reappear.
//! Once no listed position has these unmoved pawns or this number of pieces, the rest of the game is not read.
//!
//! Replay searches for positions by pieces and side to move. The last such position nearly always has the castling
//! rights of the listed one, too, so these are compared only once, at the end; if they differ, the game is replayed
//! with a comparison at each position.

use std::ops::ControlFlow;

use halfmove_rules::{Bitboard, Chess, Role, Square, turn_key};

use super::chess::{CodedChess, Start};
use super::key::CHESS;
use super::watch::{EMPTY_CHESS, Moment, Occupant, Ready, Watch};
use crate::codec::DecodeError;
use crate::codec::halfmove;
use crate::openings::List;

/// The index of the opening of the last listed position of a game from the standard starting position.
///
/// # Errors
/// Bytes that are not codes of this version, as far as they are read.
pub(crate) fn last_listed(bytes: &[u8], list: &List) -> Result<Option<u16>, DecodeError> {
    let Ready::Chess(game) = Ready::new(bytes)? else { return Ok(None) };
    if !game.is_usual() && halfmove::start(bytes)? != Chess::default().into() {
        return Ok(None);
    }
    if let Some(last) = Lookup::<false>::replay(&game, list)? {
        let index = last.index(list, game.start());
        if index.is_some() {
            return Ok(index);
        }
        let last = Lookup::<true>::replay(&game, list)?;
        return Ok(last.and_then(|last| last.index(list, game.start())));
    }
    Ok(None)
}

/// Looks up each position: pieces and side to move, and if `EXACT` also castling rights and en passant.
struct Lookup<'a, const EXACT: bool> {
    list: &'a List,
    start: &'a Start,
    last: Option<Match>,
}

/// A position whose pieces and side to move are listed.
#[derive(Copy, Clone)]
struct Match {
    key: u64,
    touched: Bitboard,
    /// The piece that moved last, and its origin and target.
    mover: Occupant,
    last: (u8, u8),
}

impl Match {
    fn index(&self, list: &List, start: &Start) -> Option<u16> {
        let (from, to) = self.last;
        let is_double = self.mover & 7 == Role::Pawn as u8 && from.abs_diff(to) == 16;
        let passed = is_double.then(|| Square::wrapping((from + to) / 2));
        list.with_key(self.key, start.rights_after(self.touched), passed)
    }
}

/// The state of the game: small, so that it stays in registers.
#[derive(Copy, Clone)]
struct State {
    /// The key of the pieces and the side to move.
    key: u64,
    /// The squares from which or to which a piece has moved.
    touched: Bitboard,
    /// The number of pieces, including those that were captured en passant.
    pieces: u8,
}

impl<'a, const EXACT: bool> Lookup<'a, EXACT> {
    fn replay(game: &'a CodedChess<'_>, list: &'a List) -> Result<Option<Match>, DecodeError> {
        let start = game.start();
        let mut lookup = Self { list, start, last: None };
        // Inspecting the start changes the side.
        let key = list.start_key() ^ turn_key();
        let state = State { key, touched: Bitboard::EMPTY, pieces: start.pieces };
        game.replay(&mut lookup, state)?;
        Ok(lookup.last)
    }

    #[inline(always)]
    fn look(&mut self, state: &mut State, mover: Occupant, last: (u8, u8)) {
        state.key ^= turn_key();
        if self.list.has_key(state.key) {
            let candidate = Match { key: state.key, touched: state.touched, mover, last };
            if !EXACT || candidate.index(self.list, self.start).is_some() {
                self.last = Some(candidate);
            }
        }
    }
}

impl<const EXACT: bool> Watch<EMPTY_CHESS> for Lookup<'_, EXACT> {
    type State = State;

    #[inline(always)]
    fn change(&mut self, state: &mut State, square: u8, old: Occupant, new: Occupant) {
        let keys = &CHESS[usize::from(square) % 64];
        state.key ^= keys[usize::from(old) % 16];
        state.touched.0 |= 1 << (square % 64);
        if new != EMPTY_CHESS {
            state.key ^= keys[usize::from(new) % 16];
            state.pieces = state.pieces.wrapping_sub(u8::from(old != EMPTY_CHESS));
        }
    }

    #[inline(always)]
    fn after_move(&mut self, state: &mut State, mover: Occupant, last: (u8, u8)) -> bool {
        self.look(state, mover, last);
        false
    }

    fn inspect(
        &mut self,
        state: &mut State,
        at: &Moment<'_>,
    ) -> Result<ControlFlow<()>, DecodeError> {
        self.look(state, at.squares.0[usize::from(at.last.1) % 64], at.last);
        Ok(ControlFlow::Continue(()))
    }

    #[inline(always)]
    fn is_over(&self, state: &State) -> bool {
        state.pieces < self.list.fewest_pieces(state.touched)
    }
}
