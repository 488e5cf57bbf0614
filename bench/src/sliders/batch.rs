//! The batch front door: many pairs in one call, several of them in one instruction. All its kernels
//! are measured, and the door itself, which asks the CPU in every call.

use super::loops::{self, Contender, Job};
use halfmove_bitboard::batch::{self, Kernel};
use halfmove_bitboard::{Bitboard, Square};
use std::{cell::RefCell, rc::Rc};

type Queens = Box<dyn Fn(&[Square], &[Bitboard], &mut [Bitboard])>;

/// The name of each row, and what it is measured by, where the CPU can run it. The only job of these is
/// the slices.
pub(crate) fn contenders(count: usize, seed: u64) -> Vec<(String, Option<Contender>)> {
    let door: Queens = Box::new(batch::queen);
    let mut all = vec![("batch front door".to_owned(), Some(contender(door, count, seed)))];
    for name in Kernel::NAMES {
        let kernel = Kernel::new(name).map(|kernel| {
            let queens: Queens = Box::new(move |squares, occupied, attacked| {
                kernel.queen(squares, occupied, attacked);
            });
            contender(queens, count, seed)
        });
        all.push((format!("batch kernel, {name}"), kernel));
    }
    all
}

fn contender(queens: Queens, count: usize, seed: u64) -> Contender {
    let (numbers, sets) = loops::pairs(count, seed);
    let squares = numbers.into_iter().map(Square::wrapping).collect::<Vec<_>>();
    let occupied = sets.into_iter().map(Bitboard).collect::<Vec<_>>();
    let attacked = Rc::new(RefCell::new(vec![Bitboard::EMPTY; count]));
    let shared = Rc::clone(&attacked);
    let pass = move |job| {
        assert_eq!(job, Job::Slices, "the batch front door takes slices");
        let attacked = &mut *shared.borrow_mut();
        queens(&squares, &occupied, attacked);
        std::hint::black_box(attacked);
        0
    };
    let left = move || attacked.borrow().iter().fold(0, |sum: u64, set| sum.wrapping_add(set.0));
    Contender { pass: Box::new(pass), left: Box::new(left), code: 0 }
}
