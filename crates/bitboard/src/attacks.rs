//! The squares each piece attacks: the front door, that is, the functions that most programs call.
//!
//! Hopping pieces (king, knight, pawn, and the khon, met and bia of Makruk) are one load from a table.
//! Sliding pieces go through one technique of [`sliders`](crate::sliders), chosen when the crate is
//! built; in a hot loop, [`cpu`](crate::cpu) chooses at run time. [`setwise`] takes a whole set of hopping
//! pieces at once, [`Pieces`] the sliding pieces and knights of a side. [`empty_board`] gives the attacks of
//! sliding pieces with nothing in their way.
//!
//! ```
//! use halfmove_bitboard::{Square, attacks, bitboard};
//!
//! assert_eq!(attacks::knight(Square::G1), bitboard! {
//!     . . . . . . . .
//!     . . . . . . . .
//!     . . . . . . . .
//!     . . . . . . . .
//!     . . . . . . . .
//!     . . . . . 1 . 1
//!     . . . . 1 . . .
//!     . . . . . . . .
//! });
//! ```

pub mod empty_board;
mod many;
pub mod setwise;

pub use many::Pieces;

use crate::sliders::{Sliders, Technique};
use crate::{Bitboard, Color, Square};

// One technique for each build. Where the build may use PEXT, few techniques have a higher throughput
// (docs/reference/sliders.md). Elsewhere magics have a higher throughput than hyperbola quintessence, as long as their
// table stays in the cache; hyperbola quintessence needs two kilobytes and has a shorter latency. Move generation, the
// heaviest user, selects by `cpu` at run time and does not come through here on an x86-64 with BMI2. Other callers
// compute few attacks and wait for the result, so they get the small table and the short latency. AMD before Zen 3
// runs PEXT as microcode: `--cfg halfmove_sliders="hyperbola"` keeps a native build from using it.
#[cfg(not(all(
    target_arch = "x86_64",
    target_feature = "bmi2",
    not(halfmove_sliders = "hyperbola")
)))]
use crate::sliders::Hyperbola as FrontDoor;
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "bmi2",
    not(halfmove_sliders = "hyperbola")
))]
use crate::sliders::Pext as FrontDoor;

/// The card of the technique that is used by [`bishop`], [`rook`] and [`queen`] in this build: PEXT if the compiler
/// may use BMI2, otherwise hyperbola quintessence; also with `--cfg halfmove_sliders="hyperbola"`.
///
/// ```
/// use halfmove_bitboard::attacks;
/// assert!(["PEXT", "hyperbola quintessence"].contains(&attacks::SLIDERS.name));
/// ```
pub const SLIDERS: Technique = FrontDoor::TECHNIQUE;

const KING_STEPS: [(i8, i8); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const KNIGHT_STEPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

static KING: [Bitboard; 64] = hops(&KING_STEPS);
static KNIGHT: [Bitboard; 64] = hops(&KNIGHT_STEPS);
static KHON: [[Bitboard; 64]; 2] = [
    hops(&[(-1, 1), (0, 1), (1, 1), (-1, -1), (1, -1)]),
    hops(&[(-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)]),
];
static MET: [Bitboard; 64] = hops(&[(-1, 1), (1, 1), (-1, -1), (1, -1)]);
static PAWN: [[Bitboard; 64]; 2] = [hops(&[(-1, 1), (1, 1)]), hops(&[(-1, -1), (1, -1)])];

const fn hops(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut i = 0;
    while i < 64 {
        let mut step = 0;
        while step < steps.len() {
            if let Some(to) = Square::ALL[i].offset(steps[step].0, steps[step].1) {
                table[i].0 |= Bitboard::square(to).0;
            }
            step += 1;
        }
        i += 1;
    }
    table
}

/// The squares a king attacks.
#[inline]
pub const fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares a knight attacks.
#[inline]
pub const fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares a pawn of a color attacks: one or two, diagonally ahead.
#[inline]
pub const fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// The squares a khon of a color attacks (Makruk's bishop, Shogi's silver): one step diagonally, or
/// one straight ahead.
///
/// ```
/// use halfmove_bitboard::{Color, Square, attacks, bitboard};
/// assert_eq!(attacks::khon(Color::White, Square::D4), bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . 1 1 1 . . .
///     . . . . . . . .
///     . . 1 . 1 . . .
///     . . . . . . . .
///     . . . . . . . .
/// });
/// ```
#[inline]
pub const fn khon(color: Color, square: Square) -> Bitboard {
    KHON[color.index()][square.index()]
}

/// The squares a met attacks (Makruk's queen): one step diagonally.
#[inline]
pub const fn met(square: Square) -> Bitboard {
    MET[square.index()]
}

/// The squares a bia of a color attacks (Makruk's pawn): the same as a pawn's.
#[inline]
pub const fn bia(color: Color, square: Square) -> Bitboard {
    pawn(color, square)
}

/// The squares a bishop attacks, up to and including the first piece in each direction.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    FrontDoor::ALWAYS.bishop(square, occupied)
}

/// The squares a rook attacks, up to and including the first piece in each direction.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    FrontDoor::ALWAYS.rook(square, occupied)
}

/// The squares a queen attacks, up to and including the first piece in each direction.
///
/// The squares to which it may move or capture are an intersection:
///
/// ```
/// use halfmove_bitboard::{Square, attacks, bitboard};
/// let theirs = bitboard! {
///     1 . . 1 1 . . 1
///     1 . 1 1 1 1 1 .
///     . 1 . . . . . 1
///     . . . . . . . .
///     . . . . . . 1 .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
/// };
/// let ours = bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . 1 . . . .
///     . . 1 . . . . .
///     . . . . . 1 . .
///     . . . . . . . .
/// };
/// let attacked = attacks::queen(Square::D4, ours | theirs);
/// assert_eq!(attacked, bitboard! {
///     . . . . . . . .
///     . . . 1 . . 1 .
///     . 1 . 1 . 1 . .
///     . . 1 1 1 . . .
///     1 1 1 . 1 1 1 .
///     . . 1 1 1 . . .
///     . . . 1 . 1 . .
///     . . . 1 . . . .
/// });
/// assert_eq!(attacked & theirs, bitboard! {
///     . . . . . . . .
///     . . . 1 . . 1 .
///     . 1 . . . . . .
///     . . . . . . . .
///     . . . . . . 1 .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
/// });
/// ```
///
/// # Source
/// The drawing: Isenberg 2008, "Setwise operations".
#[inline]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    FrontDoor::ALWAYS.queen(square, occupied)
}
