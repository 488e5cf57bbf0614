//! What it is worth to have a piece of Makruk on a square: a rule for each role instead of tables of numbers.

use crate::eval::{Score, from_center};
use halfmove_rules::{Role, Square};

/// What it is worth to have a piece on a square, as its owner sees it.
#[inline]
pub(super) fn worth(role: Role, square: Square) -> Score {
    SQUARES[role.index()][square.index()]
}

static SQUARES: [[Score; 64]; 8] = {
    let mut squares = [[Score::ZERO; 64]; 8];
    let mut i = 0;
    while i < 8 * 64 {
        let role = Role::ALL[i / 64];
        squares[role.index()][i % 64] = rule(role, Square::ALL[i % 64]);
        i += 1;
    }
    squares
};

const fn rule(role: Role, square: Square) -> Score {
    let (file, rank) = (square.index() as i32 % 8, square.index() / 8);
    // 3 on the two files in the middle, 0 on the outer ones.
    let inner = 3 - (2 * file - 7).abs() / 2;
    let far = from_center(square);
    match role {
        Role::Pawn => {
            let ahead = rank as i32 - 2;
            Score::new(6 * ahead + 3 * inner - 4, 10 * ahead - 4)
        }
        Role::Knight => Score::new(21 - 8 * far + if rank >= 3 { 4 } else { 0 }, 12 - 5 * far),
        Role::Rook => {
            let deep = if rank == 5 || rank == 6 { 12 } else { 0 };
            Score::new(3 * inner - 5 + deep, deep / 2)
        }
        Role::Khon => {
            let by_rank = [-16, -4, 10, 14, 6, -4, -12, -20][rank];
            Score::new(by_rank + 3 * inner - 4, 10 - 4 * far)
        }
        Role::Met => {
            let by_rank = [-14, -2, 8, 12, 10, 8, 2, -2][rank];
            Score::new(by_rank + 3 * inner - 4, 12 - 5 * far)
        }
        Role::King => {
            let by_rank = [4, 10, 2, -12, -24, -36, -48, -60][rank];
            Score::new(by_rank + 2 * inner, 24 - 9 * far)
        }
        Role::Bishop | Role::Queen => Score::ZERO,
    }
}
