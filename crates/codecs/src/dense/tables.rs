//! The tables of weights: the one list of all features.
//!
//! Each feature of a move is an index in one table, where its weight is. The score of a move is the sum of its weights.

/// A table of weights.
#[derive(Copy, Clone, Debug)]
pub struct Table {
    /// The name.
    pub name: &'static str,
    /// The features that make up the index, each with the number of its values, the highest digit first; or the two parts of a
    /// hash, whose length is a power of two.
    pub index: &'static str,
    /// The number of weights.
    pub len: usize,
}

/// The kinds of moves: of six roles, castling, promotion to a queen, to a knight, and to a rook or bishop.
pub(super) const KINDS: usize = 10;
/// Squares.
const SQUARES: usize = 64;
/// Classes of a piece that attacks or is captured: none, pawn, knight or bishop, rook, queen, king.
const CLASSES: usize = 6;
/// Classes of a threat: the most valuable piece of five classes, times one or more.
pub(super) const THREATS: usize = 10;
/// Phases of a game.
pub(super) const PHASES: usize = 3;
/// Settings of a game: eight bands of ratings, slow or fast.
pub const SETTINGS: usize = 16;
/// Classes of a move, by its cost, and of a position, by its games.
pub(super) const BOOK: (usize, usize) = (18, 4);

macro_rules! tables {
    ($($constant:ident $name:literal, $len:expr, $index:literal;)*) => {
        /// All tables, in the order of the file.
        pub const TABLES: &[Table] = &[$(Table { name: $name, index: $index, len: $len }),*];

        tables!(@ 0usize; $($constant $len;)*);
    };
    (@ $before:expr; $constant:ident $len:expr; $($rest:tt)*) => {
        pub(super) const $constant: usize = $before;
        tables!(@ $constant + $len; $($rest)*);
    };
    (@ $before:expr;) => {
        /// The number of all weights.
        pub const WEIGHTS: usize = $before;
    };
}

tables! {
    FROM_TO "from-to", KINDS * SQUARES * SQUARES, "kind ×10, from ×64, to ×64";
    EXCHANGE "exchange", KINDS * CLASSES * CLASSES * 18, "kind ×10, captured ×6, least attacker of the target ×6, two attackers ×2, supporters ×3, phase ×3";
    ORIGIN "origin", KINDS * CLASSES * CLASSES * 48, "kind ×10, least attacker of the origin ×6, least attacker of the target ×6, captures ×2, two attackers of the origin ×2, defenders ×3, attacked by the last mover ×2, safe target ×2";
    HANGING "hanging", KINDS * CLASSES * 80, "kind ×10, captured ×6, most valuable hanging piece ×5, more than one ×2, moves one ×2, defends one ×2, attacked target ×2";
    RECAPTURE "recapture", KINDS * CLASSES * CLASSES * 4, "kind ×10, captured ×6, captured before ×6, on the same square ×2, attacked target ×2";
    REPLY "reply", 1 << 17, "hash: last mover and its target; kind, to";
    REPLY_FULL "reply, whole moves", 1 << 18, "hash: last move; kind, from, to";
    FOLLOW "follow-up", 1 << 17, "hash: own last mover and its target; kind, to";
    CHECK "check", KINDS * CLASSES * 24, "kind ×10, least attacker of the target ×6, direct check ×2, discovered check ×2, support, or captures in check ×6";
    THREAT "threat", KINDS * THREATS * CLASSES * 3, "kind ×10, threat ×10, least attacker of the target ×6, supporters ×3";
    THEIR_KING "their king", KINDS * 8 * 8 * PHASES, "kind ×10, distance of the target from their king ×8, of the origin ×8, phase ×3";
    OUR_KING "our king", KINDS * 8 * 8 * PHASES, "kind ×10, distance of the target from our king ×8, of the origin ×8, phase ×3";
    MOBILITY "mobility", KINDS * 16 * 16 * PHASES, "kind ×10, attacked squares before, halved ×16, after, halved ×16, phase ×3";
    SHAPE "shape", KINDS * 16 * 4 * 8 * PHASES, "kind ×10, pawns around the target's file ×16, pawns on the origin's file ×4, rank of the target ×8, phase ×3";
    AROUND_FROM "around the origin", 1 << 16, "hash: pieces on the eight squares; kind";
    AROUND_TO "around the target", 1 << 16, "hash: pieces on the eight squares; kind";
    PLY "ply", KINDS * SQUARES * 16, "kind ×10, to ×64, ply in sixes ×16";
    MATERIAL "material", KINDS * SQUARES * 8, "kind ×10, to ×64, pieces left ×8";
    RATING "rating", SETTINGS * KINDS * CLASSES * CLASSES * 2, "setting ×16, kind ×10, captured ×6, least attacker of the target ×6, attacked origin ×2";
    RATING_THREAT "rating and threat", SETTINGS * THREATS * 8, "setting ×16, threat ×10, gives check ×2, moves a hanging piece ×2, is in check ×2";
    RATING_PLY "rating and ply", SETTINGS * KINDS * 8 * 8, "setting ×16, kind ×10, rank of the target ×8, ply in twelves ×8";
    ORDER "order", KINDS * 64, "kind ×10, order ×64";
    LINE "line", KINDS * 8 * 3 * PHASES, "kind ×10, distance of origin and target ×8, forward ×3, phase ×3";
    BOOK_WEIGHTS "book", BOOK.0 * BOOK.1 * 2, "class of the move ×18, class of the position ×4, fast ×2";
    END_PLY "end: ply", 64 * 2 * 2, "ply in fours ×64, Black moves ×2, fast ×2";
    END_MATERIAL "end: material", 17 * PHASES * 5 * 2, "balance ×17, phase ×3, most valuable hanging piece ×5, more than one ×2";
    END_CLOCK "end: clock", 16 * 3 * PHASES, "clock in eights ×16, repetitions ×3, phase ×3";
    END_RATING "end: rating", SETTINGS * 16, "setting ×16, ply in sixteens ×16";
    END_MOVES "end: moves", 16 * 2 * CLASSES * 3, "number of legal moves ×16, is in check ×2, captured before ×6, balance ×3";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_make_up_the_length() {
        for table in TABLES {
            let digits = table.index.split('×').skip(1).map(|rest| {
                let digits = rest.split(|next: char| !next.is_ascii_digit()).next().unwrap_or("");
                digits.parse::<usize>().expect(table.index)
            });
            let is_hash = table.index.starts_with("hash: ") && table.len.is_power_of_two();
            assert!(is_hash || digits.product::<usize>() == table.len, "{}", table.name);
        }
        assert_eq!(WEIGHTS, TABLES.iter().map(|table| table.len).sum());
    }
}
