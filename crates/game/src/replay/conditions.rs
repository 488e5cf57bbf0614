//! Necessary conditions on the signature of a game.

use std::ops::RangeInclusive;

use halfmove_rules::{Color, Role};

use super::bounds::SignatureBounds;
use super::signature::{FEWER, GUARDS, LAST, LATE, NEVER, pack};
use super::signatures::Signatures;

/// The number of rows tested at a time: their bounds stay in the first-level cache.
pub(super) const ROWS: usize = 1024;

/// The columns of [`fewer_ply`](super::Signature::fewer_ply) and [`last_ply`](super::Signature::last_ply).
const FEWER_AT: usize = 16;
const LAST_AT: usize = FEWER_AT + FEWER.len();

/// Conditions on the signature of a game. Each is necessary for a match.
#[derive(Clone, Debug)]
pub(super) struct SignatureConditions {
    /// The columns whose plies must have passed at a match.
    over: Vec<usize>,
    /// The columns whose plies must not have passed yet.
    ahead: Vec<usize>,
    /// The maximum numbers of pieces, in the format of signatures, with the bits between them set.
    pieces: u32,
    /// True if it is worthwhile to compare numbers of pieces.
    is_reduced: bool,
}

/// The number of pieces of a kind at the start of chess.
pub(super) const fn first(role: Role) -> u8 {
    match role {
        Role::Pawn => 8,
        Role::Knight | Role::Bishop | Role::Rook => 2,
        Role::Queen | Role::King => 1,
        Role::Khon | Role::Met => 0,
    }
}

impl SignatureConditions {
    /// Creates conditions on the total numbers of pieces, of each side and of both, and on the maximum number `most` of
    /// each kind.
    pub(super) fn of_pieces(
        sides: [RangeInclusive<u32>; 2],
        all: RangeInclusive<u32>,
        most: impl Fn(Color, Role) -> u8,
    ) -> Self {
        let pieces = GUARDS | pack(most);
        let is_reduced = pieces.wrapping_sub(pack(|_, role| first(role))) & GUARDS != GUARDS;
        let mut conditions = Self { over: Vec::new(), ahead: Vec::new(), pieces, is_reduced };
        let [white, black] = sides;
        conditions.date(FEWER_AT, &FEWER, &all);
        conditions.date(LAST_AT, &LAST, &white);
        conditions.date(LAST_AT + LAST.len(), &LAST, &black);
        conditions
    }

    /// Adds conditions on the plies at which fewer than some numbers of pieces are left: that they have passed, or have
    /// not.
    fn date(&mut self, at: usize, numbers: &[u8], pieces: &RangeInclusive<u32>) {
        // The numbers are in descending order, so those already passed come first.
        let undercut = |pieces: u32| numbers.iter().filter(|n| pieces < u32::from(**n)).count();
        let (most, least) = (undercut(*pieces.end()), undercut(*pieces.start()));
        if most > 0 {
            self.over.push(at + most - 1);
        }
        if least < numbers.len() {
            self.ahead.push(at + least);
        }
    }

    /// Adds the condition that a pawn is on its first square, or is not. The columns 0 to 7 are White's pawns from the
    /// a-file on; the next eight are Black's.
    pub(super) fn home_pawn(&mut self, column: usize, is_there: bool) {
        if is_there { self.ahead.push(column) } else { self.over.push(column) }
    }

    /// For some rows of `signatures`, stores 1 if they meet the conditions and 0 otherwise, and the ply before which a
    /// match is possible.
    #[inline(always)]
    pub(super) fn test(
        &self,
        signatures: &Signatures,
        first: usize,
        passes: &mut [u8],
        until: &mut [u8],
    ) {
        let rows = passes.len().min(until.len()).min(ROWS);
        let column = |column: usize| &signatures.column(column)[first..first + rows];
        let mut from = [0; ROWS];
        until.fill(NEVER);
        for &over in &self.over {
            for (from, ply) in from.iter_mut().zip(column(over)) {
                *from = (*from).max(*ply);
            }
        }
        for &ahead in &self.ahead {
            for (until, ply) in until.iter_mut().zip(column(ahead)) {
                *until = (*until).min(*ply);
            }
        }
        for ((passes, from), until) in passes.iter_mut().zip(&from).zip(&*until) {
            // Plies from 254 on are not distinguished.
            let last = until.saturating_sub(u8::from(*until < LATE));
            let is_open = (*until != 0) & (*from != NEVER) & (*from <= last);
            *passes = u8::from(is_open);
        }
        if self.is_reduced {
            let least = &signatures.least[first..first + rows];
            for (passes, least) in passes.iter_mut().zip(least) {
                let is_open = self.pieces.wrapping_sub(*least) & GUARDS == GUARDS;
                *passes &= u8::from(is_open);
            }
        }
    }

    /// The ply before which a match is possible in a game within the bounds; `None` if there can be no match.
    pub(super) fn until(&self, bounds: &SignatureBounds) -> Option<u8> {
        // No game has a match before the first ply, or at or after the second.
        let from = self.over.iter().map(|column| bounds.earliest[*column]).max().unwrap_or(0);
        let until = self.ahead.iter().map(|column| bounds.latest[*column]).min().unwrap_or(NEVER);
        let last = until.saturating_sub(u8::from(until < LATE));
        let is_open = until != 0 && from != NEVER && from <= last;
        let has_few = !self.is_reduced || self.pieces.wrapping_sub(bounds.least) & GUARDS == GUARDS;
        (is_open && has_few).then_some(until)
    }
}
