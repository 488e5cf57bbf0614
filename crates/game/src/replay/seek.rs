//! A search for a position without a board of squares.
//!
//! The state of a game of chess fits into registers here: the squares of the sixteen pieces of a side, a byte each, in
//! two words, and the set of squares that a side occupies.
//!
//! ```text
//! 0x11, two steps of pawn 4      byte:    7  6  5  4  3  2  1  0
//!                               pawns:   15 14 13 12 11 10  9  8    h2 … e2 … a2
//!                                      +           16                delta << 8 * 4
//!                               pawns:   15 14 13 28 11 10  9  8    h2 … e4 … a2
//! ```
//!
//! Nothing is stored to memory, so no load waits for a store; on a board of squares, that latency dominates. If both
//! sets match the target, the game is replayed on a board to identify the pieces.

use std::ops::ControlFlow;

use halfmove_rules::bitboard::cpu::prefetch;
use halfmove_rules::{Bitboard, Color, Square};

use super::chess::{Castling, CodedChess, Rare, Start};
use crate::codec::halfmove::chess::{CODES, RARE};
use crate::codec::pieces::PIECES;
use crate::codec::{DecodeError, DecodeErrorKind};

/// A code in the form used by the two words.
#[derive(Copy, Clone)]
#[repr(C, align(4))]
struct Step {
    /// The shift of the byte of the piece.
    shift: u8,
    /// -1 for pawns, 0 for pieces.
    is_pawn: i8,
    /// The change of the square; 0 for codes without a piece.
    delta: i8,
}

static STEPS: [[Step; 256]; 2] = {
    let mut table = [[Step { shift: 0, is_pawn: 0, delta: 0 }; 256]; 2];
    let mut color = 0;
    while color < 2 {
        let mut byte = 0;
        while byte < 256 {
            let code = CODES[color][byte];
            if code.kind != RARE {
                let is_pawn = if code.piece < 8 { -1 } else { 0 };
                table[color][byte] =
                    Step { shift: 8 * (code.piece % 8), is_pawn, delta: code.delta };
            }
            byte += 1;
        }
        color += 1;
    }
    table
};

/// A side: the squares of its pieces, and the set of squares that it occupies.
#[derive(Copy, Clone, Debug)]
pub(super) struct Side {
    /// The squares of pieces 0 to 7; captured pieces keep their last square.
    pawns: u64,
    /// The squares of pieces 8 to 15.
    pieces: u64,
    occupied: u64,
    /// The number of its pieces.
    count: u64,
}

impl Side {
    pub(super) fn new(numbers: &[u8; PIECES], occupied: Bitboard) -> Side {
        let word = |numbers: &[u8]| {
            numbers.iter().rev().fold(0, |word, square| word << 8 | u64::from(square % 64))
        };
        Side {
            pawns: word(&numbers[..8]),
            pieces: word(&numbers[8..]),
            occupied: occupied.0,
            count: u64::from(occupied.len()),
        }
    }

    /// Captures the piece on a square, if there is one. With invalid bytes, there may be more captures than pieces.
    #[inline(always)]
    fn lose(&mut self, square: u8) {
        self.count = self.count.wrapping_sub(self.occupied >> (square % 64) & 1);
        self.occupied &= !(1 << (square % 64));
    }

    /// Castles.
    #[inline(always)]
    fn castle(&mut self, castled: &Castled) {
        self.pieces = self.pieces.wrapping_add(castled.change);
        self.occupied = self.occupied & !castled.left | castled.entered;
    }

    /// Moves a piece: its byte changes by the difference, at its place in the word.
    fn shift(&mut self, number: usize, from: Square, to: Square) {
        let word = if number < 8 { &mut self.pawns } else { &mut self.pieces };
        let change = (to as u64).wrapping_sub(from as u64);
        *word = word.wrapping_add(change << (8 * (number % 8)));
    }
}

/// The effect of castling on a side.
#[derive(Copy, Clone, Debug)]
pub(super) struct Castled {
    /// The number to add to the squares of the king and the rook.
    change: u64,
    left: u64,
    entered: u64,
}

impl Castled {
    pub(super) fn new(castling: Castling) -> Castled {
        let Castling { king, rook, rook_number, .. } = castling;
        let (king_to, rook_to) = castling.targets();
        let mut side = Side { pawns: 0, pieces: 0, occupied: 0, count: 0 };
        side.shift(PIECES - 1, king, king_to);
        side.shift(rook_number, rook, rook_to);
        Castled {
            change: side.pieces,
            left: 1 << king as u8 | 1 << rook as u8,
            entered: 1 << king_to as u8 | 1 << rook_to as u8,
        }
    }
}

/// The target position, in the form of both sides.
#[derive(Copy, Clone, Debug)]
pub(super) struct Sought {
    pub(super) us: Color,
    /// The squares that each side occupies.
    pub(super) occupied: [Bitboard; 2],
    pub(super) pawns: [Bitboard; 2],
    /// The squares of kings that have not moved, because of a castling right.
    pub(super) home_kings: [Option<Square>; 2],
    /// The pawns that have not moved.
    pub(super) home_pawns: [Bitboard; 2],
}

/// The state of the game, all in registers.
#[derive(Copy, Clone, Debug)]
pub(super) struct State {
    sides: [Side; 2],
    /// The next code.
    at: usize,
    /// The offset of the next code less the number of half-moves played.
    behind: usize,
}

impl State {
    /// The number of pieces of a side.
    pub(super) fn count(&self, side: usize) -> u64 {
        self.sides[side].count
    }

    pub(super) fn ply(&self) -> u32 {
        (self.at - self.behind) as u32
    }
}

impl Sought {
    #[inline(always)]
    fn is_there(&self, [white, black]: &[Side; 2]) -> bool {
        let [w, b] = self.occupied;
        (white.occupied ^ w.0) | (black.occupied ^ b.0) == 0
    }

    /// The number of pieces of each side.
    #[inline(always)]
    fn counts(&self) -> [u64; 2] {
        self.occupied.map(|occupied| u64::from(occupied.len()))
    }

    /// Returns true if the target can no longer arise; `counts` are the numbers of pieces.
    #[inline(always)]
    fn is_past(&self, [white, black]: &[Side; 2], counts: [u64; 2]) -> bool {
        let [w, b] = self.home_pawns;
        white.count < counts[0]
            || black.count < counts[1]
            || (w.0 & !white.occupied) | (b.0 & !black.occupied) != 0
    }
}

/// Calls `look` with each ply at which each side occupies the squares of the target.
///
/// Once a pawn has promoted, the words no longer contain all pieces. In that case this returns the ply from which the
/// rest of the game must be searched on a board of squares.
#[inline(always)]
pub(super) fn seek(
    game: &CodedChess<'_>,
    sought: &Sought,
    mut look: impl FnMut(u32) -> Result<ControlFlow<()>, DecodeError>,
) -> End {
    let start = game.start();
    let Some(sides) = start.sides else { return Ok(Some(0)) };
    let (codes, at) = game.codes();
    let state = State { sides, at, behind: at };
    let counts = sought.counts();
    if start.side_to_move() == sought.us && sought.is_there(&state.sides) && look(0)?.is_break()
        || sought.is_past(&state.sides, counts)
    {
        return Ok(None);
    }
    let from = Mark { state, us: start.side_to_move() };
    let after = Look { sought, look };
    Seeker { start, codes, after }.seek(from, |state| sought.is_past(&state.sides, counts))
}

/// A saved state of a game from the standard starting position, from which a search can continue.
#[derive(Copy, Clone, Debug)]
pub(super) struct Mark {
    state: State,
    us: Color,
}

impl Mark {
    /// The start.
    pub(super) fn start() -> Mark {
        let start = Start::usual();
        let numbers = &start.numbers;
        let sides = Color::ALL.map(|color| {
            let rank = if color == Color::White { 0xffff } else { 0xffff << 48 };
            Side::new(&numbers[color.index()], Bitboard(rank))
        });
        Mark { state: State { sides, at: 0, behind: 0 }, us: Color::White }
    }

    /// The state after one more half-move; `None` if its code takes more than one byte.
    pub(super) fn after(mut self, code: u8) -> Option<Mark> {
        let mut codes = vec![0; self.state.at];
        codes.push(code);
        let mut seeker = Seeker { start: Start::usual(), codes: &codes, after: () };
        let end = match self.us {
            Color::White => seeker.step::<0>(&mut self.state),
            Color::Black => seeker.step::<1>(&mut self.state),
        };
        self.us = !self.us;
        end.is_none().then_some(self)
    }

    /// Prefetches this value.
    #[inline]
    pub(super) fn fetch(&self) {
        prefetch(&self.state.sides[0]);
        prefetch(&self.us);
    }

    /// The squares that each side occupies.
    pub(super) fn occupied(&self) -> [Bitboard; 2] {
        [0, 1].map(|side: usize| Bitboard(self.state.sides[side].occupied))
    }

    /// The squares on which each side has a pawn, or another piece on the square where a pawn of that side was
    /// captured.
    pub(super) fn pawns(&self) -> [Bitboard; 2] {
        [0, 1].map(|side: usize| {
            let Side { pawns, occupied, .. } = self.state.sides[side];
            let squares = pawns.to_le_bytes().map(|square| 1 << (square % 64));
            Bitboard(occupied & squares.iter().fold(0, |all, square: &u64| all | square))
        })
    }

    /// The squares of the kings.
    pub(super) fn kings(&self) -> [Square; 2] {
        [0, 1].map(|side: usize| {
            let pieces = self.state.sides[side].pieces;
            Square::wrapping((pieces >> (8 * (PIECES - 9))) as u8)
        })
    }

    pub(super) fn side_to_move(&self) -> Color {
        self.us
    }
}

impl After for () {
    fn after<const US: usize>(&mut self, _: &State) -> Option<End> {
        None
    }
}

/// Like [`seek`] in a game from the standard starting position, after `from` and before the ply `until`.
#[inline(always)]
pub(super) fn seek_between(
    codes: &[u8],
    from: Mark,
    until: u32,
    sought: &Sought,
    look: impl FnMut(u32) -> Result<ControlFlow<()>, DecodeError>,
) -> End {
    let seeker = Seeker { start: Start::usual(), codes, after: Look { sought, look } };
    let [white, black] = sought.counts();
    seeker.seek(from, |state| {
        let is_past = state.count(0) < white || state.count(1) < black;
        is_past || state.ply() + 1 >= until
    })
}

struct Seeker<'a, A> {
    start: &'a Start,
    codes: &'a [u8],
    after: A,
}

/// An action after each half-move.
pub(super) trait After {
    /// Called after a move of `US`. Returns the end of the search, if it ends.
    fn after<const US: usize>(&mut self, state: &State) -> Option<End>;

    /// Returns true if the search ends once `US` castles.
    #[inline(always)]
    fn ends_with_castling<const US: usize>(&self) -> bool {
        false
    }
}

/// Calls `look` where each side occupies the squares of the target.
struct Look<'a, L> {
    sought: &'a Sought,
    look: L,
}

impl<L: FnMut(u32) -> Result<ControlFlow<()>, DecodeError>> After for Look<'_, L> {
    #[inline(always)]
    fn after<const US: usize>(&mut self, state: &State) -> Option<End> {
        if self.sought.us as usize != US && self.sought.is_there(&state.sides) {
            match (self.look)(state.ply()) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return Some(Ok(None)),
                Err(error) => return Some(Err(error)),
            }
        }
        None
    }

    #[inline(always)]
    fn ends_with_castling<const US: usize>(&self) -> bool {
        self.sought.home_kings[US].is_some()
    }
}

/// The end of a search: see [`seek`].
pub(super) type End = Result<Option<u32>, DecodeError>;

impl<A: After> Seeker<'_, A> {
    #[inline(always)]
    fn seek(mut self, from: Mark, is_past: impl Fn(&State) -> bool) -> End {
        let Mark { mut state, us } = from;
        if us == Color::Black
            && let Some(end) = self.step::<1>(&mut state)
        {
            return end;
        }
        while !is_past(&state) {
            if let Some(end) = self.step::<0>(&mut state) {
                return end;
            }
            if let Some(end) = self.step::<1>(&mut state) {
                return end;
            }
        }
        Ok(None)
    }

    /// Plays one half-move; returns the end of the search, if it ends.
    #[inline(always)]
    fn step<const US: usize>(&mut self, state: &mut State) -> Option<End> {
        let Some(&byte) = self.codes.get(state.at) else { return Some(Ok(None)) };
        let Step { shift, is_pawn, delta } = STEPS[US][usize::from(byte)];
        if delta == 0 {
            if let Some(castled) = self.start.castled::<US>(byte) {
                if self.after.ends_with_castling::<US>() {
                    return Some(Ok(None));
                }
                state.sides[US].castle(castled);
                state.at += 1;
            } else {
                match rare_step(self.codes, US, *state) {
                    Ok(Some(next)) => *state = next,
                    Ok(None) => return Some(Ok(Some(state.ply() + 1))),
                    Err(error) => return Some(Err(error)),
                }
            }
        } else {
            let side = &mut state.sides[US];
            // Selected without a branch.
            let is_pawn = i64::from(is_pawn) as u64;
            let word = side.pieces ^ (side.pieces ^ side.pawns) & is_pawn;
            let from = (word >> shift) as u8 % 64;
            let to = from.wrapping_add_signed(delta) % 64;
            let change = (i64::from(delta) as u64) << shift;
            side.pawns = side.pawns.wrapping_add(change & is_pawn);
            side.pieces = side.pieces.wrapping_add(change & !is_pawn);
            side.occupied = side.occupied & !(1 << from) | 1 << to;
            state.sides[1 - US].lose(to);
            state.at += 1;
        }
        self.after.after::<US>(state)
    }
}

/// En passant captures and null moves; `None` for promotions, after which a piece has no number.
#[inline(never)]
fn rare_step(codes: &[u8], us: usize, mut state: State) -> Result<Option<State>, DecodeError> {
    let error = |kind| DecodeError { offset: state.at, kind };
    match Rare::read(&codes[state.at..]).map_err(error)? {
        Rare::Castle(_) => return Err(error(DecodeErrorKind::NoCastling)),
        Rare::Null => state.at += 1,
        Rare::Other(mv) if mv.promotion().is_some() => return Ok(None),
        // All pieces have numbers, so this is a pawn that captures en passant.
        Rare::Other(mv) => {
            let (from, to) = (mv.from(), mv.to());
            let side = &mut state.sides[us];
            for number in 0..8 {
                // Captured pawns keep their last square, so several numbers may match. All of them are updated.
                if (side.pawns >> (8 * number)) as u8 == from as u8 {
                    side.shift(number, from, to);
                }
            }
            side.occupied = side.occupied & !(1 << from as u8) | 1 << to as u8;
            state.sides[1 - us].lose(Square::new(to.file(), from.rank()) as u8);
            state.at += 3;
            state.behind += 2;
        }
    }
    Ok(Some(state))
}
