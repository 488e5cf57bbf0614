//! The positions that the search works on: one trait, two types.
//!
//! | game | type |
//! | --- | --- |
//! | chess and Chess960 | [`halfmove_rules::Chess`] |
//! | Makruk and its variants | [`KeyedMakruk`] |
//!
//! Both are bitboards from the crate `rules`, read by reference. They may list moves in any order: the search sorts
//! moves by score, and equal scores by the number of the move.

mod chess;
mod exchange;
mod makruk;

pub use makruk::KeyedMakruk;

use crate::eval::Evaluation;
use arrayvec::ArrayVec;
use core::ops::ControlFlow;
use halfmove_rules::makruk::{Counting, Honor};
use halfmove_rules::{Board, Color, Makruk, Move, PieceMoves, Role, Variant};

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
    /// The values of the pieces in an exchange, in centipawns, by [`Role::index`].
    const VALUES: [i32; 8];

    /// The game.
    fn variant(&self) -> Variant;

    /// The pieces.
    fn board(&self) -> &Board;

    /// The side to move.
    fn side_to_move(&self) -> Color;

    /// Half-moves since the last capture or pawn move.
    fn halfmove_clock(&self) -> u16;

    /// The repetition key: equal for positions that count as a repetition, and nearly always different for others. It
    /// excludes the half-move clock and the count.
    fn key(&self) -> u64;

    /// Returns true if the side to move is in check.
    fn is_check(&self) -> bool;

    /// Calls `take` with each legal move, in any order.
    fn each_move(&self, take: impl FnMut(Move));

    /// Calls `take` with each legal capture or promotion, in any order.
    fn each_noisy_move(&self, take: impl FnMut(Move));

    /// Calls `take` with each other legal move and the role of its piece, in any order.
    fn each_quiet_move(&self, take: impl FnMut(Role, Move));

    /// Returns true if a move, possibly from another position, is legal here.
    fn is_legal(&self, mv: Move) -> bool;

    /// Plays a legal move.
    fn play(&mut self, mv: Move);

    /// The position after the side to move has passed: a *null move*. `None` in check.
    fn pass(&self) -> Option<Self>;

    /// Returns true if a move wins at least `threshold` when both sides keep capturing on its target square as long as
    /// that pays, each with its least valuable piece. Pins are ignored, and so are promotions by later captures.
    fn exchange_at_least(&self, mv: Move, threshold: i32) -> bool;

    /// The count of Makruk, if a side is counting.
    fn count(&self) -> Option<Count>;

    /// Returns true if neither side has enough material to mate.
    fn is_insufficient_material(&self) -> bool;

    /// The hand-crafted evaluation of the position, term by term. A [`Net`](crate::Net) has no terms.
    fn evaluate(&self) -> Evaluation;

    /// The value of the position for the side to move: the total of [`SearchBoard::evaluate`], computed faster because
    /// the terms are not kept.
    fn value(&self) -> i32;

    /// The position for the mate tables of Makruk; `None` in other games.
    fn as_makruk(&self) -> Option<&Makruk> {
        None
    }

    /// Returns true if a legal move is a capture. Castling is not one.
    fn is_capture(&self, mv: Move) -> bool {
        if mv.is_castle() {
            return false;
        }
        let board = self.board();
        if board.occupied().has(mv.to()) {
            return true;
        }
        // Only an en passant capture leads a pawn to an empty square of another file.
        mv.from().file() != mv.to().file() && board.role_at(mv.from()) == Some(Role::Pawn)
    }

    /// Returns true if a move, provided it is legal, is a capture or a promotion to the best piece.
    fn is_noisy(&self, mv: Move) -> bool {
        match mv.promotion() {
            Some(role) => role == self.best_promotion(),
            None => self.is_capture(mv),
        }
    }

    /// The most valuable piece that a pawn can promote to.
    fn best_promotion(&self) -> Role {
        match self.variant() {
            Variant::Makruk | Variant::Makpong => Role::Met,
            Variant::Asean => Role::Rook,
            _ => Role::Queen,
        }
    }

    /// Returns true if there is a legal move.
    fn has_moves(&self) -> bool {
        let mut found = false;
        self.each_move(|_| found = true);
        found
    }

    /// Returns true if the fifty-move rule is in force: in chess and ASEAN chess.
    fn has_fifty_move_rule(&self) -> bool {
        !matches!(self.variant(), Variant::Makruk | Variant::Makpong)
    }
}

/// The pieces that can move, with their targets. A side has at most 63 pieces, and a generator visits each at most
/// twice.
type Pieces = ArrayVec<PieceMoves, 128>;

/// Collects the moves that a generator visits. The generator is compiled for each CPU level; keeping the use of the
/// moves outside of it keeps it small.
#[inline(always)]
fn list(pieces: &mut Pieces) -> impl FnMut(PieceMoves) -> ControlFlow<()> {
    |moves| {
        let _ = pieces.try_push(moves);
        ControlFlow::Continue(())
    }
}

/// The parts of a Makruk count that affect the rest of the game.
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
    /// True if a bare king counts (pieces' honor) rather than a side with pieces (board's honor).
    pub bare: bool,
    /// The number of half-moves that still fit into the count. After one more the game is drawn.
    pub plies_left: i32,
}

impl Count {
    /// Converts the count of the crate `rules`.
    pub fn of(counting: Counting) -> Self {
        Self {
            color: counting.color(),
            bare: counting.honor() == Honor::Pieces,
            plies_left: 2 * i32::from(counting.limit()) - i32::from(counting.ply()),
        }
    }

    /// Returns true if the count has run out.
    pub const fn is_over(self) -> bool {
        self.plies_left < 0
    }

    /// The number of moves that the other side has left to give mate.
    pub const fn chaser_moves_left(self) -> i32 {
        if self.plies_left < 0 { 0 } else { (self.plies_left + 1) / 2 }
    }

    /// A number to XOR into the key of a position.
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
