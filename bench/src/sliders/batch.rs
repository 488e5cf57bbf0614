//! The batch front door: many pairs in one call, several of them in one instruction. All its kernels
//! are measured, and the door itself, which detects the CPU's features in every call.

use super::loops::{Contender, Job, Pairs, Shared};
use halfmove_bitboard::{Bitboard, Square};
use halfmove_techniques::batch::{self, Kernel};
use std::rc::Rc;

type Queens = Box<dyn Fn(&[Square], &[Bitboard], &mut [Bitboard])>;

/// The name of each row, and its contender if the CPU can run it. The only job of these is the slices.
pub(crate) fn contenders(pairs: &Shared<Square, Bitboard>) -> Vec<(String, Option<Contender>)> {
    let door: Queens = Box::new(|squares, occupied, attacked| {
        batch::queen(squares, occupied, attacked).expect("slices of one length");
    });
    let mut all = vec![("batch front door".to_owned(), Some(contender(door, pairs)))];
    for name in Kernel::NAMES {
        let kernel = Kernel::new(name).map(|kernel| {
            let queens: Queens = Box::new(move |squares, occupied, attacked| {
                kernel.queen(squares, occupied, attacked).expect("slices of one length");
            });
            contender(queens, pairs)
        });
        all.push((format!("batch kernel, {name}"), kernel));
    }
    all
}

fn contender(queens: Queens, pairs: &Shared<Square, Bitboard>) -> Contender {
    let (pairs, shared) = (Rc::clone(pairs), Rc::clone(pairs));
    let pass = move |job| {
        assert_eq!(job, Job::Slices, "the batch front door takes slices");
        let Pairs { squares, occupied, attacked, .. } = &mut *shared.borrow_mut();
        queens(squares, occupied, attacked);
        std::hint::black_box(attacked);
        0
    };
    let left =
        move || pairs.borrow().attacked.iter().fold(0, |sum: u64, set| sum.wrapping_add(set.0));
    Contender { pass: Box::new(pass), left: Box::new(left), code: 0 }
}
