//! Pieces that stand alone between a slider and its target: pinned pieces, and those that can discover a
//! check.

use super::attacks;
use halfmove_bitboard::{Bitboard, Direction, Square};

/// The pieces, of either color, each of which alone blocks a slider from attacking a target in a direction.
///
/// The sliders look in the direction and the target looks back. A piece that both see stands alone between
/// them. If a slider sees the target itself, the two see no piece in common.
///
/// ```
/// use halfmove_bitboard::{Bitboard, Direction, Square, bitboard};
/// use halfmove_techniques::fill;
/// let occupied = bitboard! {
///     . . . . . . . .
///     . . 1 . 1 . . .
///     . . . . . . . .
///     . . 1 . 1 . . .
///     . . . . . . . .
///     . . . . 1 . . .
///     . . . . . . . .
///     . . 1 . 1 . . .
/// };
/// let rooks = Bitboard::square(Square::C1) | Square::E1;
/// let screen = |king: Square| fill::screens(rooks, Direction::North, king, occupied);
/// assert_eq!(screen(Square::C7).single(), Some(Square::C5));
/// assert!(screen(Square::E7).is_empty(), "two pieces stand between");
/// ```
///
/// # Source
/// Isenberg 2008, "Ray-wise attacks in one direction".
#[inline]
pub const fn screens(
    sliders: Bitboard,
    direction: Direction,
    target: Square,
    occupied: Bitboard,
) -> Bitboard {
    let seen = attacks(sliders, direction, occupied).0;
    let seen_back = attacks(Bitboard::square(target), direction.opposite(), occupied).0;
    Bitboard(seen & seen_back & occupied.0)
}

/// Our pieces that are pinned to our king, by the [direction](Direction::index) in which the pinning slider
/// looks. Each may move only along the line of that direction.
///
/// `orthogonal` holds their rooks and queens, `diagonal` their bishops and queens.
///
/// ```
/// use halfmove_bitboard::{Bitboard, Direction, Square, bitboard};
/// use halfmove_techniques::fill;
/// let ours = bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . 1 . . .
///     . . . . . . . .
///     . . 1 . . . . .
///     . . . . . 1 . .
///     . . . . 1 . . .
/// };
/// let rook = Bitboard::square(Square::E8);
/// let bishop = Bitboard::square(Square::A5);
/// let occupied = ours | rook | bishop;
/// let pinned = fill::pinned(Square::E1, ours, rook, bishop, occupied);
/// assert_eq!(pinned[Direction::South.index()].single(), Some(Square::E5));
/// assert_eq!(pinned[Direction::SouthEast.index()].single(), Some(Square::C3));
/// assert_eq!(pinned.into_iter().collect::<Bitboard>().len(), 2);
/// ```
#[inline]
pub const fn pinned(
    king: Square,
    ours: Bitboard,
    orthogonal: Bitboard,
    diagonal: Bitboard,
    occupied: Bitboard,
) -> [Bitboard; 8] {
    [
        among(ours, screens(orthogonal, Direction::North, king, occupied)),
        among(ours, screens(diagonal, Direction::NorthEast, king, occupied)),
        among(ours, screens(orthogonal, Direction::East, king, occupied)),
        among(ours, screens(diagonal, Direction::SouthEast, king, occupied)),
        among(ours, screens(orthogonal, Direction::South, king, occupied)),
        among(ours, screens(diagonal, Direction::SouthWest, king, occupied)),
        among(ours, screens(orthogonal, Direction::West, king, occupied)),
        among(ours, screens(diagonal, Direction::NorthWest, king, occupied)),
    ]
}

const fn among(ours: Bitboard, pieces: Bitboard) -> Bitboard {
    Bitboard(ours.0 & pieces.0)
}

/// Our pieces that give a discovered check when they leave the line to their king, by the
/// [direction](Direction::index) in which the slider behind them looks.
///
/// `orthogonal` holds our rooks and queens, `diagonal` our bishops and queens. This is [`pinned`] with our own
/// sliders and their king.
///
/// ```
/// use halfmove_bitboard::{Bitboard, Direction, Square, bitboard};
/// use halfmove_techniques::fill;
/// // The knight on e5 stands between the rook on e1 and their king on e8.
/// let ours = bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . 1 . . .
///     . . 1 . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . 1 . . .
/// };
/// let king = Square::E8;
/// let occupied = ours.with(king);
/// let pieces = fill::discoverers(king, ours, Square::E1.into(), Bitboard::EMPTY, occupied);
/// assert_eq!(pieces[Direction::North.index()].single(), Some(Square::E5));
/// ```
#[inline]
pub const fn discoverers(
    their_king: Square,
    ours: Bitboard,
    orthogonal: Bitboard,
    diagonal: Bitboard,
    occupied: Bitboard,
) -> [Bitboard; 8] {
    pinned(their_king, ours, orthogonal, diagonal, occupied)
}
