//! The layout of a [`Net`], its inputs, and the adjustment of its lead in endings.
//!
//! A net is a list of rows of [`LANES`] numbers, in blocks of [`BLOCK`] rows; after the last block, one row holds the
//! bias of each bucket. `docs/reference/engine-search.md` has a diagram.
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

/// The number of hidden neurons in a block, and so of numbers in a row.
pub const LANES: usize = inner::LANES;
/// The number of output buckets.
pub const BUCKETS: usize = inner::BUCKETS;
/// The index of the row with the biases in a block.
pub const BIAS: usize = inner::BIAS;
/// The index of the first row with output weights in a block.
pub const OUT: usize = inner::OUT;
/// The number of rows in a block.
pub const BLOCK: usize = inner::BLOCK;
/// An activation of 1, as an integer.
pub const ONE: i16 = inner::ONE;
/// An output weight of 1, as an integer.
pub const OUT_ONE: i16 = inner::OUT_ONE;
/// A lead of 1, in centipawns.
pub const CENTIPAWNS: i32 = inner::CENTIPAWNS;
/// The largest weight of an input, and the largest bias of a hidden neuron.
pub const MAX: i16 = inner::MAX;
/// The largest output weight.
pub const OUT_MAX: i16 = inner::OUT_MAX;
/// The largest number of the last row.
pub const LAST_MAX: i16 = inner::LAST_MAX;
/// The largest number of hidden neurons.
pub const MAX_HIDDEN: usize = inner::MAX_HIDDEN;

/// The inputs of a net for a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The row of each piece from the side to move's view, and from the other side's.
    pub rows: Vec<[u16; 2]>,
    /// The output bucket.
    pub bucket: usize,
}

impl Seen {
    /// The inputs for a position of the net's game, chess or Makruk.
    pub fn of(game: Variant, position: &AnyPosition) -> Self {
        let Sides { board, us, count } = Sides::of(position);
        let Input { rows, bucket } = Input::of(game, &board, us, count);
        Self { rows: rows.to_vec(), bucket }
    }
}

/// The parts of a position that endings depend on.
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

/// An ending in which the lead is adjusted.
#[derive(Clone, Debug)]
pub struct Ending {
    game: Variant,
    board: Board,
    count: Option<Count>,
    side: f32,
}

impl Ending {
    /// The ending of a position, for a net of this game; `None` if the lead is not adjusted.
    pub fn of(game: Variant, position: &AnyPosition) -> Option<Self> {
        let Sides { board, us, count } = Sides::of(position);
        let plain = |lead| eval::ending(game, &board, count, lead) == (0, FULL_SCALE);
        let is_plain = [-1_000, -50, 50, 1_000].into_iter().all(plain);
        let side = if us == Color::White { 1.0 } else { -1.0 };
        (!is_plain).then_some(Self { game, board, count, side })
    }

    /// The adjusted lead of the side to move, in centipawns, and its derivative.
    pub fn value(&self, lead: f32) -> (f32, f32) {
        let (more, scale) =
            eval::ending(self.game, &self.board, self.count, (lead * self.side) as i32);
        let scale = scale as f32 / FULL_SCALE as f32;
        ((lead + more as f32 * self.side) * scale, scale)
    }
}

/// Builds a net for one game from rows of integers, block by block and then the last row. `origin` describes its
/// training in one line.
///
/// # Panics
/// If there is no block, or a block is incomplete.
pub fn net_of(game: Variant, origin: String, rows: impl IntoIterator<Item = [i16; LANES]>) -> Net {
    let rows: Vec<Row> = rows.into_iter().map(Row).collect();
    assert!(rows.len() > BLOCK && rows.len() % BLOCK == 1, "{} rows are no blocks", rows.len());
    Net::new(game, origin, &rows)
}

/// A net's lead of the side to move, in centipawns, before the adjustment for an ending.
pub fn lead(net: &Net, rows: &[[u16; 2]], bucket: usize) -> i32 {
    net.lead_of(rows, bucket)
}
