//! The jobs that are the same for all, each written as a user of the library would write it.
//!
//! The lists before the last half-move go through `black_box`, or the compiler might see that only their
//! lengths are used and never fill them.

use arrayvec::ArrayVec;
use shakmaty::Position as _;
use std::hint::black_box;
use std::ops::ControlFlow;

pub(crate) fn visit(position: &halfmove_rules::Chess, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    let _: ControlFlow<()> = position.visit_moves(|piece| {
        if depth == 1 {
            leaves += piece.len() as u64;
        } else {
            for mv in piece {
                let mut next = position.clone();
                next.play_unchecked(mv);
                leaves += visit(&next, depth - 1);
            }
        }
        ControlFlow::Continue(())
    });
    leaves
}

pub(crate) fn list(position: &halfmove_rules::Chess, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.legal_moves();
    if depth == 1 {
        return black_box(&moves).len() as u64;
    }
    let mut leaves = 0;
    for &mv in &moves {
        let mut next = position.clone();
        next.play_unchecked(mv);
        leaves += list(&next, depth - 1);
    }
    leaves
}

pub(crate) fn cozy_chess(board: &cozy_chess::Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    board.generate_moves(|piece| {
        if depth == 1 {
            leaves += piece.len() as u64;
        } else {
            for mv in piece {
                let mut next = board.clone();
                next.play_unchecked(mv);
                leaves += cozy_chess(&next, depth - 1);
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
