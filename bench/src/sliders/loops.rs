//! The pairs and the loops of the shoot-out, shared by the runner and the program of `bench/peers`, so
//! that all libraries do the same job on the same pairs.

use std::cell::RefCell;
use std::hint::black_box;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The interface of a library: its types, and its functions for rooks, bishops and queens.
pub(crate) trait Door: Copy + 'static {
    type Square: Copy;
    type Set: Copy;

    /// The square with a number, of which only the lowest six bits count.
    fn square(number: u8) -> Self::Square;
    fn set(squares: u64) -> Self::Set;
    fn squares(set: Self::Set) -> u64;
    fn rook(self, square: Self::Square, occupied: Self::Set) -> Self::Set;
    fn bishop(self, square: Self::Square, occupied: Self::Set) -> Self::Set;
    fn queen(self, square: Self::Square, occupied: Self::Set) -> Self::Set;
}

/// The job that is measured.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Job {
    /// One after the other: the compiler must not vectorize.
    Queens,
    Rooks,
    Bishops,
    /// Square and occupied squares depend on the previous result.
    Chain,
    /// A plain loop from slices to a slice, which the compiler may vectorize.
    Slices,
}

impl Job {
    pub(crate) const ALL: [Self; 5] =
        [Self::Queens, Self::Rooks, Self::Bishops, Self::Chain, Self::Slices];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Queens => "queens",
            Self::Rooks => "rooks",
            Self::Bishops => "bishops",
            Self::Chain => "chain",
            Self::Slices => "slices",
        }
    }
}

/// Numbers of squares, and occupied squares: a quarter of the board.
fn pairs(count: usize, seed: u64) -> (Vec<u8>, Vec<u64>) {
    let mut state = seed;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..count).map(|_| ((next() >> 32) as u8 & 63, next() & next())).unzip()
}

/// The pairs in the types of a library, and a buffer for its results. Contenders with the same types share
/// them, so that their addresses are the same.
pub(crate) struct Pairs<Q, S> {
    pub(crate) numbers: Vec<u8>,
    pub(crate) sets: Vec<u64>,
    pub(crate) squares: Vec<Q>,
    pub(crate) occupied: Vec<S>,
    pub(crate) attacked: Vec<S>,
}

pub(crate) type Shared<Q, S> = Rc<RefCell<Pairs<Q, S>>>;

/// The pairs in the types of a library.
pub(crate) fn shared<D: Door>(count: usize, seed: u64) -> Shared<D::Square, D::Set> {
    let (numbers, sets) = pairs(count, seed);
    Rc::new(RefCell::new(Pairs {
        squares: numbers.iter().map(|number| D::square(*number)).collect(),
        occupied: sets.iter().map(|set| D::set(*set)).collect(),
        attacked: vec![D::set(0); count],
        numbers,
        sets,
    }))
}

/// A function that does a job once for all pairs and returns the sum of the results; 0 for slices, which
/// are not added up while the clock runs.
pub(crate) struct Contender {
    pub(crate) pass: Box<dyn FnMut(Job) -> u64>,
    /// Adds up the results of the job with slices.
    pub(crate) left: Box<dyn Fn() -> u64>,
    /// The address of the machine code of the loop over slices.
    pub(crate) code: usize,
}

impl Contender {
    pub(crate) fn new<D: Door>(door: D, pairs: &Shared<D::Square, D::Set>) -> Self {
        let (pairs, shared) = (Rc::clone(pairs), Rc::clone(pairs));
        let pass = move |job| {
            let Pairs { numbers, sets, squares, occupied, attacked } = &mut *shared.borrow_mut();
            match job {
                Job::Queens => queens(door, squares, occupied),
                Job::Rooks => rooks(door, squares, occupied),
                Job::Bishops => bishops(door, squares, occupied),
                Job::Chain => chain(door, numbers, sets),
                Job::Slices => {
                    slices(door, squares, occupied, attacked);
                    black_box(attacked);
                    0
                }
            }
        };
        let left = move || sum(pairs.borrow().attacked.iter().map(|set| D::squares(*set)));
        let code = slices::<D> as fn(D, &[D::Square], &[D::Set], &mut [D::Set]) as usize;
        Self { pass: Box::new(pass), left: Box::new(left), code }
    }

    /// Nanoseconds per pair, and the sum of the results, after one pass to warm up. The figure is the
    /// median of the passes; a pass takes microseconds, so interruptions affect few of them.
    pub(crate) fn measure(&mut self, job: Job, pairs: usize, least: Duration) -> (f64, u64) {
        let answer = (self.pass)(job);
        let answer = if job == Job::Slices { (self.left)() } else { answer };
        let mut passes = Vec::new();
        let clock = Instant::now();
        while clock.elapsed() < least {
            let clock = Instant::now();
            black_box((self.pass)(job));
            passes.push(clock.elapsed());
        }
        passes.sort();
        let middle = passes.get(passes.len() / 2).copied().unwrap_or_default();
        (middle.as_secs_f64() * 1e9 / pairs as f64, answer)
    }
}

fn sum(sets: impl Iterator<Item = u64>) -> u64 {
    sets.fold(0, u64::wrapping_add)
}

/// A loop that an opaque no-op keeps the compiler from vectorizing.
#[inline(always)]
fn one_by_one<D: Door>(
    squares: &[D::Square],
    occupied: &[D::Set],
    attacks: impl Fn(D::Square, D::Set) -> D::Set,
) -> u64 {
    sum(squares.iter().zip(occupied).map(|(square, occupied)| {
        black_box(());
        D::squares(attacks(*square, *occupied))
    }))
}

#[inline(never)]
fn queens<D: Door>(door: D, squares: &[D::Square], occupied: &[D::Set]) -> u64 {
    one_by_one::<D>(squares, occupied, |square, occupied| door.queen(square, occupied))
}

#[inline(never)]
fn rooks<D: Door>(door: D, squares: &[D::Square], occupied: &[D::Set]) -> u64 {
    one_by_one::<D>(squares, occupied, |square, occupied| door.rook(square, occupied))
}

#[inline(never)]
fn bishops<D: Door>(door: D, squares: &[D::Square], occupied: &[D::Set]) -> u64 {
    one_by_one::<D>(squares, occupied, |square, occupied| door.bishop(square, occupied))
}

#[inline(never)]
fn chain<D: Door>(door: D, numbers: &[u8], sets: &[u64]) -> u64 {
    let mut last = 0;
    sum(numbers.iter().zip(sets).map(|(number, set)| {
        last = D::squares(door.queen(D::square(number ^ last as u8), D::set(set ^ last)));
        last
    }))
}

#[inline(never)]
fn slices<D: Door>(door: D, squares: &[D::Square], occupied: &[D::Set], attacked: &mut [D::Set]) {
    for ((square, occupied), attacked) in squares.iter().zip(occupied).zip(attacked) {
        *attacked = door.queen(*square, *occupied);
    }
}
