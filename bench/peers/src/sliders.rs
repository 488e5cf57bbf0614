//! The front doors of other libraries at the job of the shoot-out, one line per library and job:
//! name, version, vectorization of the loop over slices, job, nanoseconds per pair, sum of the
//! results.

#[path = "../../src/sliders/loops.rs"]
mod loops;
#[path = "../../src/sliders/machine_code.rs"]
mod machine_code;

use crate::version;
use loops::{Contender, Door, Job};
use std::error::Error;
use std::time::Duration;

#[derive(Copy, Clone)]
struct Cozy;

impl Door for Cozy {
    type Square = cozy_chess::Square;
    type Set = cozy_chess::BitBoard;

    #[inline(always)]
    fn square(number: u8) -> Self::Square {
        cozy_chess::Square::ALL[usize::from(number & 63)]
    }
    #[inline(always)]
    fn set(squares: u64) -> Self::Set {
        cozy_chess::BitBoard(squares)
    }
    #[inline(always)]
    fn squares(set: Self::Set) -> u64 {
        set.0
    }
    #[inline(always)]
    fn rook(self, square: Self::Square, occupied: Self::Set) -> Self::Set {
        cozy_chess::get_rook_moves(square, occupied)
    }
    #[inline(always)]
    fn bishop(self, square: Self::Square, occupied: Self::Set) -> Self::Set {
        cozy_chess::get_bishop_moves(square, occupied)
    }
    #[inline(always)]
    fn queen(self, square: Self::Square, occupied: Self::Set) -> Self::Set {
        self.rook(square, occupied) | self.bishop(square, occupied)
    }
}

#[derive(Copy, Clone)]
struct Shakmaty;

impl Door for Shakmaty {
    type Square = shakmaty::Square;
    type Set = shakmaty::Bitboard;

    #[inline(always)]
    fn square(number: u8) -> Self::Square {
        shakmaty::Square::new(u32::from(number & 63))
    }
    #[inline(always)]
    fn set(squares: u64) -> Self::Set {
        shakmaty::Bitboard(squares)
    }
    #[inline(always)]
    fn squares(set: Self::Set) -> u64 {
        set.0
    }
    #[inline(always)]
    fn rook(self, square: Self::Square, occupied: Self::Set) -> Self::Set {
        shakmaty::attacks::rook_attacks(square, occupied)
    }
    #[inline(always)]
    fn bishop(self, square: Self::Square, occupied: Self::Set) -> Self::Set {
        shakmaty::attacks::bishop_attacks(square, occupied)
    }
    #[inline(always)]
    fn queen(self, square: Self::Square, occupied: Self::Set) -> Self::Set {
        shakmaty::attacks::queen_attacks(square, occupied)
    }
}

#[derive(Copy, Clone)]
struct Jordanbray;

impl Door for Jordanbray {
    type Square = chess::Square;
    type Set = chess::BitBoard;

    #[inline(always)]
    fn square(number: u8) -> Self::Square {
        chess::ALL_SQUARES[usize::from(number & 63)]
    }
    #[inline(always)]
    fn set(squares: u64) -> Self::Set {
        chess::BitBoard::new(squares)
    }
    #[inline(always)]
    fn squares(set: Self::Set) -> u64 {
        set.0
    }
    #[inline(always)]
    fn rook(self, square: Self::Square, occupied: Self::Set) -> Self::Set {
        chess::get_rook_moves(square, occupied)
    }
    #[inline(always)]
    fn bishop(self, square: Self::Square, occupied: Self::Set) -> Self::Set {
        chess::get_bishop_moves(square, occupied)
    }
    #[inline(always)]
    fn queen(self, square: Self::Square, occupied: Self::Set) -> Self::Set {
        self.rook(square, occupied) | self.bishop(square, occupied)
    }
}

fn contender<D: Door>(door: D, pairs: usize, seed: u64) -> Contender {
    Contender::new(door, &loops::shared::<D>(pairs, seed))
}

/// One round.
pub(crate) fn run(pairs: usize, seed: &str, round_ms: u64) -> Result<(), Box<dyn Error>> {
    let seed = u64::from_str_radix(seed, 16)?;
    // What cozy-chess has with its feature is another front door than without.
    let cozy = if cfg!(feature = "pext") { ", pext" } else { "" };
    let mut libraries = [
        ("cozy-chess", cozy, contender(Cozy, pairs, seed)),
        ("shakmaty", "", contender(Shakmaty, pairs, seed)),
        ("chess", " (jordanbray)", contender(Jordanbray, pairs, seed)),
    ];
    let vectorized = libraries
        .iter()
        .map(|(_, _, contender)| machine_code::vectorized(contender.code))
        .collect::<Vec<_>>();
    for job in Job::ALL {
        for ((library, more, contender), vectorized) in libraries.iter_mut().zip(&vectorized) {
            let (figure, answer) = contender.measure(job, pairs, Duration::from_millis(round_ms));
            let (version, job) = (version(library), job.name());
            println!("{library}{more}\t{version}\t{vectorized}\t{job}\t{figure}\t{answer}");
        }
    }
    Ok(())
}
