//! The layout of a [`Net`], what it sees of a position, and what an ending makes of its lead.
//!
//! A net is a list of rows of [`LANES`] numbers, in blocks of [`BLOCK`] rows; after the last block one row holds what each
//! bucket adds. `docs/reference/engine-search.md` draws it.
//!
//! ```text
//! row of a block            what it is
//! 0 .. BIAS                 the weights of an input: a piece on a square, as one side sees it
//! BIAS                      where the sums of the hidden neurons begin
//! OUT + 2 · bucket + side   behind the hidden neurons: side 0 moves, side 1 waits
//! ```

use crate::eval::net as inner;
use crate::eval::net::Row;
use crate::eval::net::input::Input;
use crate::eval::{self, FULL_SCALE};
use crate::{Count, KeyedMakruk, Net, SearchBoard};
use halfmove_rules::{AnyPosition, Board, Color, Variant};

/// The numbers in a row: hidden neurons come in blocks of this many.
pub const LANES: usize = inner::LANES;
/// The sets of weights behind the hidden neurons.
pub const BUCKETS: usize = inner::BUCKETS;
/// The row of a block with which the sums begin.
pub const BIAS: usize = inner::BIAS;
/// The first row of a block behind the hidden neurons.
pub const OUT: usize = inner::OUT;
/// The rows of a block.
pub const BLOCK: usize = inner::BLOCK;
/// A hidden neuron of 1, in whole numbers.
pub const ONE: i16 = inner::ONE;
/// A weight of 1 behind the hidden neurons, in whole numbers.
pub const OUT_ONE: i16 = inner::OUT_ONE;
/// A lead of 1, in centipawns.
pub const CENTIPAWNS: i32 = inner::CENTIPAWNS;
/// The largest weight of an input or of the beginning of a sum.
pub const MOST: i16 = inner::MOST;
/// The largest weight behind the hidden neurons.
pub const OUT_MOST: i16 = inner::OUT_MOST;
/// The largest number of the last row.
pub const LAST_MOST: i16 = inner::LAST_MOST;
/// The largest number of hidden neurons.
pub const MOST_HIDDEN: usize = inner::MOST_HIDDEN;

/// A position as a net sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The row of each piece, as the side to move sees it and as the other side does.
    pub rows: Vec<[u16; 2]>,
    /// The set of weights that counts behind the hidden neurons.
    pub bucket: usize,
}

impl Seen {
    /// A position of chess or Makruk, the game of the net.
    pub fn of(game: Variant, position: &AnyPosition) -> Self {
        let Sides { board, us, count } = Sides::of(position);
        let Input { rows, bucket } = Input::of(game, &board, us, count);
        Self { rows: rows.to_vec(), bucket }
    }
}

/// A position as an evaluation asks for it.
struct Sides {
    board: Board,
    us: Color,
    count: Option<Count>,
}

impl Sides {
    fn of(position: &AnyPosition) -> Self {
        fn of<B: SearchBoard>(position: &B) -> Sides {
            let (board, us) = (position.board().clone(), position.side_to_move());
            Sides { board, us, count: position.count() }
        }
        match position {
            AnyPosition::Chess(chess) => of(chess),
            AnyPosition::Makruk(makruk) => of(&KeyedMakruk::new(makruk.clone())),
        }
    }
}

/// An ending in which not every lead counts in full.
#[derive(Clone, Debug)]
pub struct Ending {
    game: Variant,
    board: Board,
    count: Option<Count>,
    side: f32,
}

impl Ending {
    /// The ending of a position, for a net of this game; `None` where a lead is worth what it is.
    pub fn of(game: Variant, position: &AnyPosition) -> Option<Self> {
        let Sides { board, us, count } = Sides::of(position);
        let plain = |lead| eval::ending(game, &board, count, lead) == (0, FULL_SCALE);
        let is_plain = [-1_000, -50, 50, 1_000].into_iter().all(plain);
        let side = if us == Color::White { 1.0 } else { -1.0 };
        (!is_plain).then_some(Self { game, board, count, side })
    }

    /// The worth of a lead of the side to move to it, in centipawns, and how fast that grows with the lead.
    pub fn value(&self, lead: f32) -> (f32, f32) {
        let (more, scale) =
            eval::ending(self.game, &self.board, self.count, (lead * self.side) as i32);
        let scale = scale as f32 / FULL_SCALE as f32;
        ((lead + more as f32 * self.side) * scale, scale)
    }
}

/// A net for one game of these rows of whole numbers, block by block and then the last row. `origin` says in one line how it was
/// made.
///
/// # Panics
/// If there is no block, or rows of a block are missing.
pub fn net_of(game: Variant, origin: String, rows: impl IntoIterator<Item = [i16; LANES]>) -> Net {
    let rows: Vec<Row> = rows.into_iter().map(Row).collect();
    assert!(rows.len() > BLOCK && rows.len() % BLOCK == 1, "{} rows are no blocks", rows.len());
    Net::new(game, origin, &rows)
}

/// The lead of the side to move that a net sees, in centipawns, before an ending scales it.
pub fn lead(net: &Net, rows: &[[u16; 2]], bucket: usize) -> i32 {
    net.lead_of(rows, bucket)
}
