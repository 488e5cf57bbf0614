//! Finds material.

use std::ops::ControlFlow;

use halfmove_rules::{Color, MaterialKey, Piece, Role};

use super::watch::{EMPTY_MAKRUK, Moment, Occupant, Ready, Squares, Watch, occupant};
use crate::codec::DecodeError;

/// The first ply from which exactly this material stays on the board for at least so many half-moves;
/// `None` if it never does. With 0, it need not stay. Sides with more than 15 pieces of a kind, which only
/// odd start positions have, are never found.
///
/// ```
/// use halfmove_game::codec::{Codec, halfmove::Halfmove};
/// use halfmove_game::pgn::read_game;
/// use halfmove_game::replay;
///
/// let text = "[FEN \"k7/8/8/8/8/8/1r5P/KR6 w - - 0 1\"]\n\n1. Rxb2 Ka7 2. h4 Ka6 *";
/// let mut bytes = Vec::new();
/// Halfmove.encode(&read_game(text).unwrap(), &mut bytes)?;
/// let ending = "KRPvK".parse()?;
/// assert_eq!(replay::material(&bytes, ending, 3)?, Some(1));
/// assert_eq!(replay::material(&bytes, ending, 4)?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Bytes that are not codes of this version, unless the question was settled before them.
pub fn material(
    bytes: &[u8],
    material: MaterialKey,
    at_least: u32,
) -> Result<Option<u32>, DecodeError> {
    let mut wanted = 0;
    for color in Color::ALL {
        for role in Role::ALL {
            let piece = Piece { color, role };
            wanted += u128::from(material.count(piece)) << (8 * occupant(piece));
        }
    }
    let mut counter = Counter { wanted, at_least };
    let end = match Ready::new(bytes)? {
        Ready::Chess(game) => {
            let start = Count::of(game.start().squares());
            game.replay(&mut counter, start)?
        }
        Ready::Makruk(game) => {
            let start = Count::of(&Squares::of(game.start().board(), EMPTY_MAKRUK));
            game.replay(&mut counter, start)?
        }
    };
    Ok(end.since.filter(|_| counter.is_found(&end)))
}

struct Counter {
    wanted: u128,
    at_least: u32,
}

#[derive(Copy, Clone)]
struct Count {
    /// How many there are of each piece, and of empty squares, a byte each.
    pieces: u128,
    ply: u32,
    /// Since when the wanted material is on the board.
    since: Option<u32>,
}

impl Count {
    fn of(squares: &Squares) -> Count {
        let pieces = squares.0.iter().fold(0, |sum, occupant| sum + (1 << (8 * (occupant % 16))));
        Count { pieces, ply: 0, since: None }
    }
}

impl Counter {
    /// Notes whether the wanted material is on the board.
    #[inline(always)]
    fn note<const EMPTY: Occupant>(&self, count: &mut Count) {
        let pieces = count.pieces & !(0xff << (8 * EMPTY));
        count.since = if pieces == self.wanted { count.since.or(Some(count.ply)) } else { None };
    }

    fn is_found(&self, count: &Count) -> bool {
        count.since.is_some_and(|since| count.ply - since >= self.at_least)
    }
}

impl<const EMPTY: Occupant> Watch<EMPTY> for Counter {
    type State = Count;

    #[inline(always)]
    fn change(&mut self, count: &mut Count, _: u8, old: Occupant, new: Occupant) {
        let pieces = count.pieces.wrapping_add(1 << (8 * (new % 16)));
        count.pieces = pieces.wrapping_sub(1 << (8 * (old % 16)));
    }

    #[inline(always)]
    fn after_move(&mut self, count: &mut Count, _: Occupant, _: (u8, u8)) -> bool {
        count.ply += 1;
        self.note::<EMPTY>(count);
        count.since.is_some() && self.is_found(count)
    }

    fn inspect(
        &mut self,
        count: &mut Count,
        at: &Moment<'_>,
    ) -> Result<ControlFlow<()>, DecodeError> {
        count.ply = at.ply;
        self.note::<EMPTY>(count);
        let is_found = self.is_found(count);
        Ok(if is_found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}
