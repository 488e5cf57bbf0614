//! Counts the moves of a game by kind.

use std::ops::ControlFlow;

use halfmove_rules::{CastlingSide, Color, File, Role, Square};

use super::watch::{EMPTY_CHESS, EMPTY_MAKRUK, Moment, Occupant, Ready, Squares, Watch};
use crate::codec::DecodeError;

/// Counts of the moves of a game: moves by piece, captures, promotions and castling.
///
/// ```
/// use halfmove_game::codec::halfmove;
/// use halfmove_game::pgn::read_game;
/// use halfmove_game::replay;
/// use halfmove_rules::{CastlingSide, Color, Role};
///
/// let mut bytes = Vec::new();
/// let text = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O *";
/// halfmove::encode(&read_game(text).unwrap(), &mut bytes)?;
/// let tally = replay::tally(&bytes)?;
/// assert_eq!(tally.moved(Color::White, Role::Bishop), 2);
/// assert_eq!((tally.captures(Color::White), tally.captures(Color::Black)), (1, 1));
/// assert_eq!(tally.castled(Color::White), Some(CastlingSide::KingSide));
/// assert_eq!(tally.castled(Color::Black), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveTally {
    /// The half-moves of each piece, indexed by [`Occupant`].
    moved: [u32; 16],
    captures: [u32; 2],
    promotions: [u32; 2],
    castled: [Option<CastlingSide>; 2],
}

impl MoveTally {
    /// The number of half-moves by a side with a kind of piece. Castling counts as a king move, and promotion as a
    /// pawn move.
    pub fn moved(&self, color: Color, role: Role) -> u32 {
        self.moved[usize::from(role as u8 | (color as u8) << 3) % 16]
    }

    /// The number of pieces that a side captured.
    pub fn captures(&self, color: Color) -> u32 {
        self.captures[color.index()]
    }

    /// The number of promotions of a side.
    pub fn promotions(&self, color: Color) -> u32 {
        self.promotions[color.index()]
    }

    /// The side of the board on which a player castled.
    pub fn castled(&self, color: Color) -> Option<CastlingSide> {
        self.castled[color.index()]
    }
}

/// Counts the moves of a game by kind.
///
/// # Errors
/// Fails on bytes that are not codes of this version.
pub fn tally(bytes: &[u8]) -> Result<MoveTally, DecodeError> {
    let mut counter = Counter::default();
    match Ready::new(bytes)? {
        Ready::Chess(game) => {
            let pieces = pieces::<EMPTY_CHESS>(game.start().squares());
            let end = game.replay(&mut counter, Since { pieces, ..Since::default() })?;
            Ok(counter.finish(pieces, end.pieces))
        }
        Ready::Makruk(game) => {
            let pieces = pieces::<EMPTY_MAKRUK>(&Squares::of(game.start().board(), EMPTY_MAKRUK));
            let end = game.replay(&mut counter, Since { pieces, ..Since::default() })?;
            Ok(counter.finish(pieces, end.pieces))
        }
    }
}

/// The number of pieces of each side.
fn pieces<const EMPTY: Occupant>(squares: &Squares) -> [u32; 2] {
    let count = |color| {
        squares.0.iter().filter(|found| **found != EMPTY && **found >> 3 == color).count() as u32
    };
    [count(0), count(1)]
}

#[derive(Default)]
struct Counter {
    tally: MoveTally,
}

impl Counter {
    fn finish(self, before: [u32; 2], after: [u32; 2]) -> MoveTally {
        // Pieces lost by one side were captured by the other.
        let lost = |color: usize| before[color].saturating_sub(after[color]);
        MoveTally { captures: [lost(1), lost(0)], ..self.tally }
    }

    /// Counts a half-move, once all of its changes are known.
    #[inline(always)]
    fn count(&mut self, state: &mut Since) {
        const PAWN: u8 = Role::Pawn as u8;
        self.tally.moved[usize::from(state.mover) % 16] += 1;
        if state.mover & 7 == PAWN && state.arrived & 7 != PAWN {
            self.tally.promotions[usize::from(state.mover >> 3) % 2] += 1;
        }
        state.is_begun = false;
    }
}

/// The changes since the last half-move, and the numbers of pieces left.
#[derive(Copy, Clone, Default)]
struct Since {
    pieces: [u32; 2],
    is_begun: bool,
    /// The first piece to leave its square: when castling, the king.
    mover: Occupant,
    /// The last piece to arrive on a square.
    arrived: Occupant,
    /// The square on which a king last arrived.
    king: u8,
}

impl<const EMPTY: Occupant> Watch<EMPTY> for Counter {
    type State = Since;

    #[inline(always)]
    fn change(&mut self, state: &mut Since, square: u8, old: Occupant, new: Occupant) {
        if old != EMPTY {
            let left = &mut state.pieces[usize::from(old >> 3) % 2];
            *left = left.wrapping_sub(1);
        }
        if new == EMPTY {
            if !state.is_begun {
                (state.is_begun, state.mover) = (true, old);
            }
        } else {
            let left = &mut state.pieces[usize::from(new >> 3) % 2];
            *left = left.wrapping_add(1);
            state.arrived = new;
            if new & 7 == Role::King as u8 {
                state.king = square;
            }
        }
    }

    #[inline(always)]
    fn after_move(&mut self, state: &mut Since, _: Occupant, _: (u8, u8)) -> bool {
        self.count(state);
        false
    }

    fn inspect(
        &mut self,
        state: &mut Since,
        at: &Moment<'_>,
    ) -> Result<ControlFlow<()>, DecodeError> {
        // After a rare move; at the start, nothing has moved.
        if state.is_begun {
            let (from, to) = at.last;
            if from == to {
                let side = match Square::wrapping(state.king).file() {
                    File::C => CastlingSide::QueenSide,
                    _ => CastlingSide::KingSide,
                };
                self.tally.castled[usize::from(state.mover >> 3) % 2] = Some(side);
            }
            self.count(state);
        }
        Ok(ControlFlow::Continue(()))
    }
}
