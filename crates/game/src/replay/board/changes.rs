//! Testing conditions only when the result may change: at captures of counted pieces, and at moves and captures of
//! pawns on relevant files.
//!
//! A game from the standard starting position is followed up to its first promotion without a board: the square of a
//! piece follows from its own moves, and sets of relevant squares detect captures. If a pawn promotes before the
//! result is known, the game is replayed on a board.
//!
//! As long as no pawn promotes, the number of pieces only decreases: once too few pieces of a required kind are left,
//! the result is known.
//!
//! If the conditions require files without pawns, nothing is tested before the files are empty: an unpredictable
//! branch costs more than the rest of a half-move. The register representation of [`seek`](super::super::seek) is
//! slower here: it detects captures but not the captured piece, and leaves no free registers.

use std::marker::PhantomData;

use halfmove_rules::{Color, Role, Square};

use super::super::chess::{Rare, STEPS, Start};
use super::super::watch::EMPTY_CHESS;
use super::view::{Counts, View, count_table};
use super::watch::Parts;
use crate::codec::halfmove::chess::promotes;
use crate::codec::pieces::{ABSENT, PIECES, numbers};
use crate::codec::{DecodeError, DecodeErrorKind, halfmove};

/// The pieces at the standard starting position, and the relevant ones among them.
#[derive(Clone, Debug)]
pub(super) struct Usual {
    counts: Counts,
    pawns: [u64; 2],
    /// The squares of the counted pieces.
    counted: [u64; 2],
    /// The numbers of the counted pieces, as a bit set.
    numbers: u16,
    /// The relevant squares for pawns.
    files: [u64; 2],
    /// The squares that must be free of pawns: one of these sets, for each side.
    empty: [[u64; 2]; 2],
    /// The contribution of each piece to the counts, by its number.
    pieces: [[Counts; PIECES]; 2],
}

impl Usual {
    pub(super) fn new(views: &[View]) -> Self {
        let start = Start::usual();
        let table = count_table(EMPTY_CHESS);
        let pieces = start.numbers.map(|squares| {
            squares.map(|square| {
                let is_light = (square ^ square >> 3) & 1;
                let occupant = start.squares().0[usize::from(square) % 64];
                table[usize::from(is_light)][usize::from(occupant) % 16]
            })
        });
        let all = pieces.as_flattened().iter();
        let counts = all.fold([0; 2], |[white, black], more| [white + more[0], black + more[1]]);
        let roles =
            Role::CHESS.iter().filter(|role| views.iter().any(|view| view.counts_role(**role)));
        let counted = roles.fold(0, |all, role| {
            let (first, count) = numbers(*role);
            all | ((1_u32 << count) - 1) << first
        });
        let squares = |numbers: u32| {
            start.numbers.map(|squares| {
                let some =
                    squares.iter().enumerate().filter(|(number, _)| numbers >> number & 1 == 1);
                some.fold(0, |all, (_, square)| all | 1 << (square % 64))
            })
        };
        let (first, count) = numbers(Role::Pawn);
        let files = views.iter().map(View::pawn_squares);
        Self {
            counts,
            pawns: squares(((1 << count) - 1) << first),
            counted: squares(counted),
            numbers: counted as u16,
            files: files.fold([0; 2], |all, more| [all[0] | more[0], all[1] | more[1]]),
            empty: {
                // There are up to four views. All views after the first share a set.
                let [first, others] = [views.get(..1), views.get(1..)].map(|some| {
                    let some = some.unwrap_or_default().iter().map(View::squares_without_pawns);
                    some.reduce(|all, more| [all[0] & more[0], all[1] & more[1]])
                });
                let first = first.unwrap_or_default();
                [first, others.unwrap_or(first)]
            },
            pieces,
        }
    }
}

/// A search in a game.
pub(super) struct Search<'a> {
    pub(super) usual: &'a Usual,
    pub(super) views: &'a [View],
    pub(super) at_least: u32,
    pub(super) is_final: bool,
    /// Matches are possible only before this ply.
    pub(super) until: u32,
}

impl Search<'_> {
    /// The result for a game from the standard starting position; `None` if a pawn promotes before it is known.
    #[inline(always)]
    pub(super) fn find<P: Parts>(&self, codes: &[u8]) -> Result<Option<Option<u32>>, DecodeError> {
        let Usual { counts, pawns, counted, numbers, .. } = *self.usual;
        let start = Start::usual();
        let mut walk = Walk {
            search: self,
            start,
            squares: start.numbers,
            counts,
            since: None,
            stop: self.until,
            found: None,
            parts: PhantomData::<P>,
        };
        let mut now = Now { at: 0, behind: 0, counted, pawns };
        let end = match walk.note(&now) {
            true => Some(Ok(End::Found)),
            false => None,
        };
        let end = match end {
            Some(end) => end,
            None => loop {
                if now.ply() >= walk.stop {
                    break Ok(End::Over);
                }
                if let Some(end) = walk.step::<0>(codes, numbers, &mut now) {
                    break end;
                }
                if let Some(end) = walk.step::<1>(codes, numbers, &mut now) {
                    break end;
                }
            },
        };
        Ok(match end? {
            End::Found => Some(walk.found),
            End::Promotion => None,
            End::TooFew if promotes(&codes[now.at..]) => None,
            End::TooFew => Some(None),
            // The conditions may hold at the end.
            End::Over => {
                let has_lasted =
                    |since: &u32| halfmove::plies(codes).saturating_sub(*since) >= self.at_least;
                Some(walk.since.filter(has_lasted))
            }
        })
    }
}

/// The end of a walk through a game.
enum End {
    Found,
    Promotion,
    /// Required pieces have been captured, and cannot return unless a pawn promotes.
    TooFew,
    /// The game is over, no match is possible any more, or the conditions have held for long enough.
    Over,
}

/// A game being followed.
struct Walk<'a, P> {
    search: &'a Search<'a>,
    start: &'static Start,
    /// The squares of the numbered pieces. Captured pieces keep their last square; counted ones lose theirs.
    squares: [[u8; PIECES]; 2],
    counts: Counts,
    /// The ply since which the conditions have held.
    since: Option<u32>,
    /// The ply at which the result is known.
    stop: u32,
    found: Option<u32>,
    parts: PhantomData<P>,
}

/// The state that the loop keeps in registers.
#[derive(Copy, Clone)]
struct Now {
    at: usize,
    /// The offset of the next code minus the number of half-moves played.
    behind: usize,
    /// The squares of each side's counted pieces, and of its pawns.
    counted: [u64; 2],
    pawns: [u64; 2],
}

impl Now {
    #[inline(always)]
    fn ply(&self) -> u32 {
        (self.at - self.behind) as u32
    }
}

impl<P: Parts> Walk<'_, P> {
    /// Plays the next half-move in `codes`. `numbers` are the numbers of the counted pieces; like the codes, they are
    /// an argument instead of a field, to stay in a register. Returns the end of the walk, if it ends.
    #[inline(always)]
    fn step<const US: usize>(
        &mut self,
        codes: &[u8],
        numbers: u16,
        now: &mut Now,
    ) -> Option<Result<End, DecodeError>> {
        let Some(&byte) = codes.get(now.at) else { return Some(Ok(End::Over)) };
        let step = STEPS[US][usize::from(byte)];
        if usize::from(step.piece) >= PIECES {
            let (end, next) = self.rare::<US>(&codes[now.at..], numbers, *now);
            *now = next;
            return end;
        }
        let square = &mut self.squares[US][usize::from(step.piece) % PIECES];
        let from = *square % 64;
        let to = from.wrapping_add_signed(step.delta) % 64;
        *square = to;
        now.at += 1;
        if self.moved::<US>(now, numbers, step.piece, from, to) {
            let (end, next) = self.look::<US>(*now, to);
            *now = next;
            return end.map(Ok);
        }
        None
    }

    /// Moves a piece in the sets. Returns true if the result may change; a captured piece stays among the counted
    /// pieces.
    #[inline(always)]
    fn moved<const US: usize>(
        &self,
        now: &mut Now,
        numbers: u16,
        piece: u8,
        from: u8,
        to: u8,
    ) -> bool {
        let mut is_open = false;
        if P::COUNTS {
            let is_counted = u64::from(numbers >> piece & 1);
            now.counted[US] ^= is_counted << from | is_counted << to;
            is_open |= now.counted[1 - US] >> to & 1 == 1;
        }
        if P::PAWNS {
            let usual = self.search.usual;
            let moved = 1 << from | 1 << to;
            let ours = if piece < 8 { moved } else { 0 };
            let theirs = now.pawns[1 - US] & 1 << to;
            now.pawns[US] ^= ours;
            now.pawns[1 - US] ^= theirs;
            let matters = ours & usual.files[US] | theirs & usual.files[1 - US] != 0;
            let may_hold = |empty: [u64; 2]| now.pawns[0] & empty[0] | now.pawns[1] & empty[1] == 0;
            let [first, others] = usual.empty.map(may_hold);
            is_open |= matters & (first | others | self.since.is_some());
        }
        is_open
    }

    /// Counts a capture, and tests the conditions. Returns the end of the walk, if it ends.
    #[inline(never)]
    fn look<const US: usize>(&mut self, mut now: Now, to: u8) -> (Option<End>, Now) {
        let mut is_too_few = false;
        if P::COUNTS && now.counted[1 - US] >> to & 1 == 1 {
            now.counted[1 - US] ^= 1 << to;
            let Search { usual, views, .. } = self.search;
            let squares = &mut self.squares[1 - US];
            let mut numbers = usual.numbers;
            // With invalid bytes, there may be none.
            while numbers != 0 {
                let number = numbers.trailing_zeros() as usize % PIECES;
                numbers &= numbers - 1;
                if squares[number] == to {
                    squares[number] = ABSENT;
                    let [white, black] = usual.pieces[1 - US][number];
                    self.counts[0] = self.counts[0].wrapping_sub(white);
                    self.counts[1] = self.counts[1].wrapping_sub(black);
                    break;
                }
            }
            is_too_few = !views.iter().any(|view| view.may_come(self.counts));
        }
        let end = match self.note(&now) {
            true => Some(End::Found),
            false if is_too_few => Some(End::TooFew),
            false => None,
        };
        (end, now)
    }

    /// Records the ply since which the conditions hold. Returns true if that decides the search.
    #[inline(always)]
    fn note(&mut self, now: &Now) -> bool {
        let Search { views, at_least, is_final, until, .. } = *self.search;
        let ply = now.ply();
        let holds = views.iter().any(|view| {
            (!P::COUNTS || view.counts_hold::<EMPTY_CHESS>(self.counts))
                && (!P::PAWNS || view.pawns_hold(now.pawns))
        });
        match (self.since, holds) {
            (None, true) => {
                self.since = Some(ply);
                if !is_final {
                    self.stop = ply.saturating_add(at_least);
                }
                if !is_final && at_least == 0 {
                    self.found = self.since;
                }
            }
            (Some(since), false) => {
                if !is_final && ply - 1 - since >= at_least {
                    self.found = self.since;
                }
                (self.since, self.stop) = (None, until);
            }
            _ => {}
        }
        self.found.is_some()
    }

    /// Plays castling, an en passant capture, a promotion or a null move, which is the next of `codes`.
    #[inline(never)]
    fn rare<const US: usize>(
        &mut self,
        codes: &[u8],
        numbers: u16,
        mut now: Now,
    ) -> (Option<Result<End, DecodeError>>, Now) {
        let error = |kind| Some(Err(DecodeError { offset: now.at, kind }));
        let rare = match Rare::read(codes) {
            Ok(rare) => rare,
            Err(kind) => return (error(kind), now),
        };
        if let Rare::Null = rare {
            now.at += 1;
            return (None, now);
        }
        let Rare::Other(mv) = rare else {
            let Some(castling) = self.start.castling(Color::ALL[US], codes[0]) else {
                return (error(DecodeErrorKind::NoCastling), now);
            };
            let (king, rook) = castling.targets();
            let squares = &mut self.squares[US];
            squares[PIECES - 1] = king as u8;
            squares[castling.rook_number % PIECES] = rook as u8;
            // Castling captures nothing.
            let rook_number = (castling.rook_number % PIECES) as u8;
            self.moved::<US>(&mut now, numbers, rook_number, castling.rook as u8, rook as u8);
            now.at += 1;
            return (None, now);
        };
        if mv.promotion().is_some() {
            return (Some(Ok(End::Promotion)), now);
        }
        // All pieces have numbers, so this is a pawn that captures en passant.
        let (from, to) = (mv.from(), mv.to());
        // Captured pawns may have kept their last square. They may move along.
        for square in &mut self.squares[US][..8] {
            if *square == from as u8 {
                *square = to as u8;
            }
        }
        now.at += 3;
        now.behind += 2;
        self.moved::<US>(&mut now, numbers, 0, from as u8, to as u8);
        let taken = Square::new(to.file(), from.rank()) as u8;
        if P::PAWNS {
            now.pawns[1 - US] &= !(1 << taken);
        }
        let (end, now) = self.look::<US>(now, taken);
        (end.map(Ok), now)
    }
}
