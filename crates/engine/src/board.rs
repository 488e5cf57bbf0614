//! What the search asks of a position: one trait, four boards.
//!
//! | board | type |
//! | --- | --- |
//! | bitboards, chess and Chess960 | [`halfmove_rules::Chess`] |
//! | bitboards, Makruk and its kin | [`KeyedMakruk`] |
//! | 0x88, chess and Chess960 | [`Mailbox`]`<`[`halfmove_mailbox::Chess`]`>` |
//! | 0x88, Makruk and its kin | [`Mailbox`]`<`[`halfmove_mailbox::Makruk`]`>` |
//!
//! The two boards of a game generate, attack and play in their own ways, but answer every question alike, so a search
//! of fixed depth visits the same nodes on both. A board may list its moves in any order, because the search orders
//! them by score and, if that is the same, by their number.

mod chess;
mod exchange;
mod mailbox;
mod makruk;

pub use mailbox::Mailbox;
pub use makruk::KeyedMakruk;

use crate::eval::Evaluation;
use halfmove_rules::makruk::{Counting, Honor};
use halfmove_rules::{Bitboard, Board, Color, Makruk, Move, Piece, Role, Square, Variant};
use std::borrow::Cow;

/// A position that can be searched.
///
/// ```
/// use halfmove_engine::{KeyedMakruk, SearchBoard, perft};
/// use halfmove_rules::{Chess, Makruk};
///
/// assert_eq!(perft(&Chess::default(), 3), 8_902);
/// assert_eq!(perft(&KeyedMakruk::new(Makruk::default()), 3), 12_012);
/// ```
pub trait SearchBoard: Clone + Send + Sync {
    /// What the pieces are worth in an exchange, in centipawns, by [`Role::index`].
    const VALUES: [i32; 8];

    /// Which game this is.
    fn variant(&self) -> Variant;

    /// The side to move.
    fn side_to_move(&self) -> Color;

    /// Half-moves since the last capture or pawn move.
    fn halfmove_clock(&self) -> u16;

    /// The same number for positions that count as a repetition, else nearly always another one. It leaves out the
    /// half-move clock and the count.
    fn key(&self) -> u64;

    /// Whether the side to move is in check.
    fn is_check(&self) -> bool;

    /// Calls `take` with each legal move, in any order.
    fn each_move(&self, take: impl FnMut(Move));

    /// Calls `take` with each legal capture or promotion, in any order.
    fn each_noisy_move(&self, take: impl FnMut(Move));

    /// Calls `take` with each other legal move and the role of its piece, in any order.
    fn each_quiet_move(&self, take: impl FnMut(Role, Move));

    /// Whether any move, of another position perhaps, is legal here.
    fn is_legal(&self, mv: Move) -> bool;

    /// Plays a legal move.
    fn play(&mut self, mv: Move);

    /// The position after the side to move has passed: a *null move*. It is asked for only if there is no check and no
    /// count.
    fn pass(&self) -> Option<Self>;

    /// The piece on a square.
    fn piece_at(&self, square: Square) -> Option<Piece>;

    /// All pieces.
    fn placement(&self) -> Board;

    /// The squares that the piece on a square attacks.
    fn attacks(&self, piece: Piece, from: Square) -> Bitboard;

    /// Whether a move wins at least `threshold`, if both sides then go on to capture on its target square as long as
    /// that pays, each with its least valuable piece. Pins are ignored, and so are promotions by later captures.
    fn exchange_at_least(&self, mv: Move, threshold: i32) -> bool;

    /// The count of Makruk, if a side is counting.
    fn count(&self) -> Option<Count>;

    /// Whether neither side has enough material to mate.
    fn is_insufficient_material(&self) -> bool;

    /// The hand-crafted evaluation of the position, with all its terms. A [`Net`](crate::Net) has none.
    fn evaluate(&self) -> Evaluation;

    /// The value of the position for the side to move: [`SearchBoard::evaluate`] without its terms, which takes less time.
    fn value(&self) -> i32;

    /// The same position of Makruk on bitboards, for the mate tables; `None` in other games.
    fn to_makruk(&self) -> Option<Cow<'_, Makruk>> {
        None
    }

    /// Whether a legal move is a capture. Castling is none.
    fn is_capture(&self, mv: Move) -> bool {
        if mv.is_castle() {
            return false;
        }
        if self.piece_at(mv.to()).is_some() {
            return true;
        }
        // Only an en passant capture leads a pawn to an empty square of another file.
        mv.from().file() != mv.to().file()
            && self.piece_at(mv.from()).is_some_and(|piece| piece.role == Role::Pawn)
    }

    /// Whether a move is a capture or a promotion to the best piece, if it is legal.
    fn is_noisy(&self, mv: Move) -> bool {
        match mv.promotion() {
            Some(role) => role == self.best_promotion(),
            None => self.is_capture(mv),
        }
    }

    /// The most valuable piece that a pawn can become.
    fn best_promotion(&self) -> Role {
        match self.variant() {
            Variant::Makruk | Variant::Makpong => Role::Met,
            Variant::Asean => Role::Rook,
            _ => Role::Queen,
        }
    }

    /// Whether there is a legal move.
    fn has_moves(&self) -> bool {
        let mut found = false;
        self.each_move(|_| found = true);
        found
    }

    /// Whether the fifty-move rule is in force: in chess and ASEAN chess.
    fn has_fifty_move_rule(&self) -> bool {
        !matches!(self.variant(), Variant::Makruk | Variant::Makpong)
    }
}

/// A count of Makruk, as far as the rest of the game depends on it.
///
/// ```
/// use halfmove_engine::Count;
/// use halfmove_rules::Makruk;
///
/// let position: Makruk = "7k/8/5K2/8/8/8/8/R7 w - 32 31 90".parse()?;
/// let count = Count::of(position.counting().expect("a count"));
/// assert!(count.bare);
/// // White plays, Black announces its last number: then the game is drawn.
/// assert_eq!((count.plies_left, count.chaser_moves_left()), (1, 1));
/// # Ok::<(), halfmove_rules::makruk::FenError>(())
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The side that counts.
    pub color: Color,
    /// Whether a bare king counts (pieces' honor) rather than a side with pieces (board's honor).
    pub bare: bool,
    /// How many half-moves fit into the count. After one more the game is drawn.
    pub plies_left: i32,
}

impl Count {
    /// From the count of the rules.
    pub fn of(counting: Counting) -> Self {
        Self {
            color: counting.color(),
            bare: counting.honor() == Honor::Pieces,
            plies_left: 2 * i32::from(counting.limit()) - i32::from(counting.ply()),
        }
    }

    /// Whether the count has run out.
    pub const fn is_over(self) -> bool {
        self.plies_left < 0
    }

    /// How many moves the other side has left to give mate.
    pub const fn chaser_moves_left(self) -> i32 {
        if self.plies_left < 0 { 0 } else { (self.plies_left + 1) / 2 }
    }

    /// A number to mix into the key of a position.
    pub(crate) const fn key(self) -> u64 {
        let number = (self.plies_left as u64) << 2 | (self.bare as u64) << 1 | self.color as u64;
        mix(number.wrapping_add(0x5851_f42d_4c95_7f2d))
    }
}

/// Scrambles the bits of a number: the finalizer of SplitMix64.
pub(crate) const fn mix(x: u64) -> u64 {
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// The number of leaves of the game tree at `depth` half-moves, counted with the search's own moves.
pub fn perft<B: SearchBoard>(position: &B, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    position.each_move(|mv| {
        leaves += if depth == 1 {
            1
        } else {
            let mut next = position.clone();
            next.play(mv);
            perft(&next, depth - 1)
        };
    });
    leaves
}
