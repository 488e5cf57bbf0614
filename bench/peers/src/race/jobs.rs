//! The jobs that are the same for all, each written as a user of the library would write it.
//!
//! The lists before the last half-move go through `black_box`, or the compiler might see that only their
//! lengths are used and never fill them.

use arrayvec::ArrayVec;
use halfmove_bitboard::cpu::{Cpu, Task};
use halfmove_rules::{Chess, MoveList, PieceMoves};
use shakmaty::Position as _;
use std::hint::black_box;
use std::ops::ControlFlow;

/// The leaves at a depth, visited and played.
pub(crate) struct Visit<'a>(pub(crate) &'a Chess, pub(crate) u32);

impl Task for Visit<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let Self(position, depth) = self;
        if depth < 2 {
            return if depth == 0 { 1 } else { cpu.enter(VisitLast(position)) };
        }
        let mut leaves = 0;
        let _: ControlFlow<()> = position.visit_moves_on(cpu, |moves| {
            leaves += cpu.enter(VisitAfter(position, moves, depth));
            ControlFlow::Continue(())
        });
        leaves
    }
}

/// The leaves after some moves.
struct VisitAfter<'a>(&'a Chess, PieceMoves, u32);

impl Task for VisitAfter<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let Self(position, moves, depth) = self;
        let mut leaves = 0;
        for mv in moves {
            let mut next = position.clone();
            next.play_unchecked(mv);
            leaves += match depth {
                2 => cpu.enter(VisitLast(&next)),
                _ => cpu.enter(Visit(&next, depth - 1)),
            };
        }
        leaves
    }
}

/// The last half-move.
struct VisitLast<'a>(&'a Chess);

impl Task for VisitLast<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let mut leaves = 0;
        let _: ControlFlow<()> = self.0.visit_moves_on(cpu, |moves| {
            leaves += moves.len() as u64;
            ControlFlow::Continue(())
        });
        leaves
    }
}

/// The leaves at a depth, listed and played.
pub(crate) struct List<'a>(pub(crate) &'a Chess, pub(crate) u32);

impl Task for List<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let Self(position, depth) = self;
        if depth == 0 {
            return 1;
        }
        let mut moves = MoveList::new();
        position.fill_moves_on(cpu, &mut moves);
        if depth == 1 {
            return black_box(&moves).len() as u64;
        }
        let mut leaves = 0;
        for &mv in &moves {
            let mut next = position.clone();
            next.play_unchecked(mv);
            leaves += cpu.enter(List(&next, depth - 1));
        }
        leaves
    }
}

/// As the library's own example `perft` has it: the last half-move has a separate visitor.
pub(crate) fn cozy_chess(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut leaves = 0;
    match depth {
        0 => return 1,
        1 => board.generate_moves(|moves| {
            leaves += moves.len() as u64;
            false
        }),
        _ => board.generate_moves(|moves| {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                leaves += cozy_chess(&next, depth - 1);
            }
            false
        }),
    };
    leaves
}

/// With one visitor for all half-moves, as this race had it until November 2026. It costs the library a quarter of its
/// speed, and stays for comparison with records of before.
pub(crate) fn cozy_chess_closure(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut leaves = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            leaves += moves.len() as u64;
        } else {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                leaves += cozy_chess_closure(&next, depth - 1);
            }
        }
        false
    });
    leaves
}

pub(crate) fn cozy_chess_list(board: &cozy_chess::Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = ArrayVec::<cozy_chess::Move, 256>::new();
    board.generate_moves(|piece| {
        moves.extend(piece);
        false
    });
    if depth == 1 {
        return black_box(&moves).len() as u64;
    }
    let mut leaves = 0;
    for mv in moves {
        let mut next = board.clone();
        next.play_unchecked(mv);
        leaves += cozy_chess_list(&next, depth - 1);
    }
    leaves
}

/// Its generator keeps the squares that each piece may go to, and counts those of each at the end.
pub(crate) fn chess(board: &chess::Board, depth: u32) -> u64 {
    let moves = chess::MoveGen::new_legal(board);
    match depth {
        0 => 1,
        1 => moves.len() as u64,
        _ => moves.map(|mv| chess(&board.make_move_new(mv), depth - 1)).sum(),
    }
}

pub(crate) fn chess_list(board: &chess::Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = chess::MoveGen::new_legal(board).collect::<ArrayVec<chess::ChessMove, 256>>();
    if depth == 1 {
        return black_box(&moves).len() as u64;
    }
    moves.into_iter().map(|mv| chess_list(&board.make_move_new(mv), depth - 1)).sum()
}

pub(crate) fn gigachess_list(board: &gigachess::Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = board.legal_moves();
    if depth == 1 {
        return black_box(&moves).len() as u64;
    }
    let mut leaves = 0;
    for mv in moves {
        let mut next = *board;
        next.make_move_unchecked(mv);
        leaves += gigachess_list(&next, depth - 1);
    }
    leaves
}

pub(crate) fn shakmaty_list(position: &shakmaty::Chess, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.legal_moves();
    if depth == 1 {
        return black_box(&moves).len() as u64;
    }
    let mut leaves = 0;
    for mv in &moves {
        let mut next = position.clone();
        next.play_unchecked(*mv);
        leaves += shakmaty_list(&next, depth - 1);
    }
    leaves
}
