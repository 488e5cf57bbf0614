//! The batch front door: many pairs in one call, several of them in one instruction.

use super::loops::{self, Contender, Job};
use halfmove_bitboard::{Bitboard, Square, batch};
use std::{cell::RefCell, rc::Rc};

pub(crate) const NAME: &str = "batch front door";

/// It has one job, the slices.
pub(crate) fn contender(count: usize, seed: u64) -> Contender {
    let (numbers, sets) = loops::pairs(count, seed);
    let squares = numbers.into_iter().map(Square::wrapping).collect::<Vec<_>>();
    let occupied = sets.into_iter().map(Bitboard).collect::<Vec<_>>();
    let attacked = Rc::new(RefCell::new(vec![Bitboard::EMPTY; count]));
    let shared = Rc::clone(&attacked);
    let pass = move |job| {
        assert_eq!(job, Job::Slices, "the batch front door takes slices");
        let attacked = &mut *shared.borrow_mut();
        batch::queen(&squares, &occupied, attacked);
        std::hint::black_box(attacked);
        0
    };
    let left = move || attacked.borrow().iter().fold(0, |sum: u64, set| sum.wrapping_add(set.0));
    Contender { pass: Box::new(pass), left: Box::new(left), code: 0 }
}
