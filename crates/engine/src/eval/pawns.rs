//! Sets of squares for the pawn terms of both games.

use halfmove_rules::{Bitboard, Color};

/// All squares in front of a set.
#[inline]
pub(super) const fn ahead(color: Color, pawns: Bitboard) -> Bitboard {
    let one = pawns.forward(color).0;
    match color {
        Color::White => {
            let two = one | one << 8;
            let four = two | two << 16;
            Bitboard(four | four << 32)
        }
        Color::Black => {
            let two = one | one >> 8;
            let four = two | two >> 16;
            Bitboard(four | four >> 32)
        }
    }
}

/// The set and its neighbors on adjacent files.
#[inline]
pub(super) const fn widened(set: Bitboard) -> Bitboard {
    Bitboard(set.0 | beside(set).0)
}

/// The squares to the left and to the right of a set.
#[inline]
pub(super) const fn beside(set: Bitboard) -> Bitboard {
    Bitboard(set.west().0 | set.east().0)
}

/// The squares that pawns attack.
#[inline]
pub(super) const fn attacked(color: Color, pawns: Bitboard) -> Bitboard {
    beside(pawns.forward(color))
}

/// All squares on the files of a set.
#[inline]
pub(super) const fn files(set: Bitboard) -> Bitboard {
    Bitboard(set.0 | ahead(Color::White, set).0 | ahead(Color::Black, set).0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfmove_rules::{File, Square};

    #[test]
    fn sets_reach_where_they_should() {
        let e4 = Bitboard::square(Square::E4);
        let names = |set: Bitboard| {
            let names: Vec<_> = set.iter().map(|square| square.to_string()).collect();
            names.join(" ")
        };
        assert_eq!(names(ahead(Color::White, e4)), "e5 e6 e7 e8");
        assert_eq!(names(ahead(Color::Black, e4)), "e1 e2 e3");
        assert_eq!(names(widened(e4)), "d4 e4 f4");
        assert_eq!(names(attacked(Color::Black, e4)), "d3 f3");
        assert_eq!(names(beside(Bitboard::square(Square::A1))), "b1");
        assert_eq!(files(e4), Bitboard::file(File::E));
    }
}
