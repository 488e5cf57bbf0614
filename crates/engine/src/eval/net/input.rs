//! The inputs of a net: for each side the index of each piece on its square, and the bucket.
//!
//! Each side's board is seen from its own first rank, and mirrored if its king is on the files e to h. So a position,
//! the position with colors swapped, and its mirror image have the same inputs, and each game trains the net for all of
//! them. (Castling in chess is not symmetric, but castling rights are not inputs.)
//!
//! ```text
//! number of an input:  (ours 0, theirs 384) + 64 × role + square as seen
//! roles of chess:      pawn knight bishop rook queen king
//! roles of Makruk:     bia  knight khon   rook met   king
//! ```

use super::BUCKETS;
use crate::Count;
use arrayvec::ArrayVec;
use halfmove_rules::{Bitboard, Board, Color, Piece, Role, Square, Variant};

/// The number of inputs.
pub(crate) const INPUTS: usize = 2 * 6 * 64;

/// The indices of the roles in chess and in Makruk, by [`Role::index`].
pub(super) static ROLES: [[u16; 8]; 2] = {
    const CHESS: [Role; 6] =
        [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
    const MAKRUK: [Role; 6] =
        [Role::Pawn, Role::Knight, Role::Khon, Role::Rook, Role::Met, Role::King];
    let mut numbers = [[0; 8]; 2];
    let mut i = 0;
    while i < 6 {
        numbers[0][CHESS[i].index()] = i as u16;
        numbers[1][MAKRUK[i].index()] = i as u16;
        i += 1;
    }
    numbers
};

/// The inputs of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Input {
    /// The index of each piece from the side to move's view, and from the other side's.
    pub(crate) rows: ArrayVec<[u16; 2], 64>,
    /// The output bucket.
    pub(crate) bucket: usize,
}

impl Input {
    /// The inputs of a position of chess or Makruk, for the side to move.
    #[inline(always)]
    pub(crate) fn of(game: Variant, board: &Board, us: Color, count: Option<Count>) -> Self {
        let roles = &ROLES[usize::from(game == Variant::Makruk)];
        let sides = [us, !us].map(|side| (side, view(board, side)));
        let see =
            |(square, piece)| sides.map(|(side, view)| number(roles, piece, square, side, view));
        Self { rows: board.pieces().map(see).collect(), bucket: bucket(game, board, count) }
    }
}

/// The index of a piece on a square, for a side with this [`view`].
#[inline(always)]
pub(super) fn number(
    roles: &[u16; 8],
    piece: Piece,
    square: Square,
    side: Color,
    view: u16,
) -> u16 {
    let first = if piece.color == side { 0 } else { 384 };
    first + 64 * roles[piece.role.index()] + (square.index() as u16 ^ view)
}

/// The bits to flip in the index of a square for a side's view.
#[inline(always)]
pub(super) fn view(board: &Board, side: Color) -> u16 {
    let king = board.by_piece(Piece { color: side, role: Role::King });
    let upside_down = if side == Color::White { 0 } else { 56 };
    let mirrored = if king.intersects(RIGHT) { 7 } else { 0 };
    upside_down ^ mirrored
}

/// The files e to h.
const RIGHT: Bitboard = Bitboard(0xf0f0_f0f0_f0f0_f0f0);

/// The bucket, by the number of pieces. In Makruk the last two are for the counts: board's honor and pieces' honor.
#[inline(always)]
pub(super) fn bucket(game: Variant, board: &Board, count: Option<Count>) -> usize {
    let pieces = (board.occupied().len() as usize).clamp(1, 32) - 1;
    match count {
        Some(count) => BUCKETS - 1 - usize::from(!count.bare),
        None if game == Variant::Makruk => pieces * (BUCKETS - 2) / 32,
        None => pieces * BUCKETS / 32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfmove_rules::Makruk;

    fn inputs(fen: &str) -> Vec<[u16; 2]> {
        let position: Makruk = fen.parse().unwrap();
        let count = position.counting().map(Count::of);
        let us = position.side_to_move();
        let mut rows = Input::of(Variant::Makruk, position.board(), us, count).rows.to_vec();
        rows.sort_unstable();
        rows
    }

    /// A bia on b3, kings on d1 and e8: indices computed by hand.
    #[test]
    fn pieces_have_their_numbers() {
        let expected = vec![
            // White's king on d1 is Black's on d8, seen from e8 by a mirrored board: e1, mirrored again.
            [5 * 64 + 3, 384 + 5 * 64 + 60],
            // Black sees b3 as b6, mirrored g6.
            [17, 384 + 46],
            // White sees Black's king where it is; Black sees it on d1, because e1 is mirrored.
            [384 + 5 * 64 + 60, 5 * 64 + 3],
        ];
        let mut found = inputs("4k3/8/8/8/8/1P6/8/3K4 w - - 0 1");
        found.sort_unstable_by_key(|[own, _]| *own);
        let mut expected: Vec<[u16; 2]> = expected;
        expected.sort_unstable_by_key(|[own, _]| *own);
        assert_eq!(found, expected);
    }

    /// A position with colors swapped, and its mirror image.
    #[test]
    fn symmetric_positions_look_alike() {
        let here = inputs("2k2n2/8/1p6/8/4M3/1P6/8/R2K4 w - - 0 1");
        assert_eq!(here, inputs("r2k4/8/1p6/4m3/8/1P6/8/2K2N2 b - - 0 1"));
        assert_eq!(here, inputs("2n2k2/8/6p1/8/3M4/6P1/8/4K2R w - - 0 1"));
        assert_ne!(here, inputs("2k2n2/8/1p6/8/4M3/1P6/8/R2K4 b - - 0 1"));
        assert_ne!(here, inputs("2k2n2/8/1p6/8/3M4/1P6/8/R2K4 w - - 0 1"));
    }

    #[test]
    fn buckets_follow_pieces_and_counts() {
        let of = |fen: &str| {
            let position: Makruk = fen.parse().unwrap();
            let count = position.counting().map(Count::of);
            bucket(Variant::Makruk, position.board(), count)
        };
        assert_eq!(of("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1"), 5);
        assert_eq!(of("4k3/8/8/8/8/1P6/8/3K4 w - - 0 1"), 0);
        assert_eq!(of("r3k3/8/8/8/8/8/8/3K3R w - 128 1 60"), 6);
        assert_eq!(of("8/8/3k4/8/3KS3/8/8/3R4 w - 32 9 60"), 7);
        let chess = Board::default();
        assert_eq!(bucket(Variant::Chess, &chess, None), 0);
    }
}
