//! Keys of all positions of a game.

use std::ops::ControlFlow;

use halfmove_rules::makruk;
use halfmove_rules::{Color, Piece, Role, Square, piece_key, turn_key};

use super::watch::{EMPTY_MAKRUK, Moment, Occupant, Ready, Squares, Watch, occupant};
use crate::codec::DecodeError;

/// The keys of the occupants of each square; 0 for an empty square.
pub(super) type Keys = [[u64; 16]; 64];

pub(super) static CHESS: Keys = {
    let mut keys = [[0; 16]; 64];
    let mut index = 0;
    while index < 6 * 128 {
        let (square, color) = (index % 64, Color::ALL[index / 64 % 2]);
        let piece = Piece { color, role: Role::CHESS[index / 128] };
        keys[square][occupant(piece) as usize] = piece_key(piece, Square::ALL[square]);
        index += 1;
    }
    keys
};

static MAKRUK: Keys = {
    let roles = [Role::Pawn, Role::Knight, Role::Rook, Role::King, Role::Khon, Role::Met];
    let mut keys = [[0; 16]; 64];
    let mut index = 0;
    while index < 6 * 128 {
        let (square, color) = (index % 64, Color::ALL[index / 64 % 2]);
        let piece = Piece { color, role: roles[index / 128] };
        keys[square][occupant(piece) as usize] = makruk::piece_key(piece, Square::ALL[square]);
        index += 1;
    }
    keys
};

/// Calls `visit` with a key of each position of a game, from the start to the end.
///
/// A key is the XOR of the keys of the pieces on their squares ([`piece_key`], in Makruk [`makruk::piece_key`]) and, if
/// White is to move, [`turn_key`]. It leaves out castling rights and en passant, so it is not Polyglot's key: equal
/// positions have equal keys, but different positions may share one.
///
/// ```
/// use halfmove_game::replay;
///
/// let mut keys = Vec::new();
/// // 1. Nf3 Nf6 2. Ng1 Ng8: the standard starting position again.
/// replay::keys(&[0x2f, 0x2f, 0x2b, 0x2b], |key| keys.push(key))?;
/// assert_eq!(keys.len(), 5);
/// assert_eq!(keys[0], keys[4]);
/// # Ok::<(), halfmove_game::codec::DecodeError>(())
/// ```
///
/// # Errors
/// Fails at the first byte that is not a code of this version, after the keys before it.
#[inline]
pub fn keys(bytes: &[u8], mut visit: impl FnMut(u64)) -> Result<(), DecodeError> {
    match Ready::new(bytes)? {
        Ready::Chess(game) => {
            let mut adder = Adder { keys: &CHESS, visit };
            let key = adder.start(game.start().squares(), game.start().side_to_move());
            game.replay(&mut adder, key).map(drop)
        }
        Ready::Makruk(game) => {
            let mut adder = Adder { keys: &MAKRUK, visit: &mut visit };
            let squares = Squares::of(game.start().board(), EMPTY_MAKRUK);
            let key = adder.start(&squares, game.start().side_to_move());
            game.replay(&mut adder, key).map(drop)
        }
    }
}

/// A watch that keeps the key up to date.
struct Adder<F> {
    keys: &'static Keys,
    visit: F,
}

impl<F: FnMut(u64)> Adder<F> {
    /// The key of the start with the other side to move, because inspecting the start changes the side.
    fn start(&self, squares: &Squares, us: Color) -> u64 {
        let turn = if us == Color::White { 0 } else { turn_key() };
        let squares = squares.0.iter().zip(self.keys);
        squares.fold(turn, |key, (occupant, keys)| key ^ keys[usize::from(*occupant) % 16])
    }

    #[inline(always)]
    fn pass_on(&mut self, key: &mut u64) {
        *key ^= turn_key();
        (self.visit)(*key);
    }
}

impl<const EMPTY: Occupant, F: FnMut(u64)> Watch<EMPTY> for Adder<F> {
    type State = u64;

    #[inline(always)]
    fn change(&mut self, key: &mut u64, square: u8, old: Occupant, new: Occupant) {
        // An empty square has the key 0. It is known at compile time if a piece leaves; a capture is looked up, without
        // a branch.
        let keys = &self.keys[usize::from(square) % 64];
        *key ^= keys[usize::from(old) % 16];
        if new != EMPTY {
            *key ^= keys[usize::from(new) % 16];
        }
    }

    #[inline(always)]
    fn after_move(&mut self, key: &mut u64, _: Occupant, _: (u8, u8)) -> bool {
        self.pass_on(key);
        false
    }

    #[inline(always)]
    fn inspect(&mut self, key: &mut u64, _: &Moment<'_>) -> Result<ControlFlow<()>, DecodeError> {
        self.pass_on(key);
        Ok(ControlFlow::Continue(()))
    }
}
