//! The net: which moves go together with which pieces. A sum of tables cannot know it.
//!
//! ```text
//! input rows of the position ─▶ sum ─▶ 176 hidden units, clipped ─▶ scalar product with the output rows of a move ─▶ score
//! ```
//!
//! **Idea.** A piece on a square adds a row of weights, and a move has rows, too: both are looked up, so the net costs little more than
//! a table. **Source.** Sums of rows of piece-squares are known from Nasu's NNUE (2018).

use std::ops::Range;

use halfmove_game::rules::cpu::Cpu;

use super::context::Context;
use super::distribution::UNIT;
use super::tables::{KINDS, SETTINGS};
use super::view::{View, squares};

/// The number of hidden units.
pub const HIDDEN: usize = 176;

// The input rows: pieces by role and square, the last moves by kind and target, the setting, the ply.
const OURS: usize = 0;
const THEIRS: usize = OURS + 6 * 64;
const HANGING: usize = THEIRS + 6 * 64;
const UNDEFENDED: usize = HANGING + 6 * 64;
const LAST: usize = UNDEFENDED + 6 * 64;
const OWN_LAST: usize = LAST + KINDS * 64;
const SETTING: usize = OWN_LAST + KINDS * 64;
const PLY: usize = SETTING + SETTINGS;
/// The number of input rows.
pub const INPUTS: usize = PLY + 16;

// The output rows: by kind and origin, by kind and target, by the class of the exchange.
const FROM: usize = 0;
const TO: usize = FROM + KINDS * 64;
const EXCHANGE: usize = TO + KINDS * 64;
/// The number of output rows.
pub const OUTPUTS: usize = EXCHANGE + KINDS * 36;

/// The three parts of the output rows. A move has one row of each.
pub const OUTPUT_PARTS: [Range<usize>; 3] = [FROM..TO, TO..EXCHANGE, EXCHANGE..OUTPUTS];

/// A row: a weight for each hidden unit.
pub type Row = [i8; HIDDEN];

/// The bias of each hidden unit, in [`INPUT_UNIT`].
pub const BIAS: i16 = 16;

/// The number of units of the first layer in 1.
pub const INPUT_UNIT: i16 = 64;

/// The number of units of the second layer in one natural logarithm.
pub const OUTPUT_UNIT: i16 = 256;

/// The largest activation of a hidden unit, in [`INPUT_UNIT`].
pub const MAX_HIDDEN: i16 = 127;

/// The binary logarithm of the units of a product in one of a score.
const SHIFT: u32 = (INPUT_UNIT as u32 * OUTPUT_UNIT as u32 / UNIT as u32).ilog2();

/// The number of hidden units whose sums are made at a time.
const BLOCK: usize = 32;

const _: () = assert!(HIDDEN.is_multiple_of(BLOCK / 2));

/// The number of bytes of a net.
pub(super) const BYTES: usize = (INPUTS + OUTPUTS) * HIDDEN;

/// The weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Net {
    inputs: Vec<Row>,
    outputs: Vec<Row>,
}

impl Net {
    /// A net of [`INPUTS`] rows in [`INPUT_UNIT`] and [`OUTPUTS`] rows in [`OUTPUT_UNIT`].
    ///
    /// # Panics
    ///
    /// With another number of rows.
    pub fn new(inputs: Vec<Row>, outputs: Vec<Row>) -> Self {
        assert_eq!((inputs.len(), outputs.len()), (INPUTS, OUTPUTS));
        Self { inputs, outputs }
    }

    /// A net that adds nothing to any score.
    pub fn zero() -> Self {
        Self::new(vec![[0; HIDDEN]; INPUTS], vec![[0; HIDDEN]; OUTPUTS])
    }

    pub(super) fn bytes(&self) -> impl Iterator<Item = u8> {
        self.inputs.iter().chain(&self.outputs).flatten().map(|weight| *weight as u8)
    }

    /// Reads as many bytes as there are in a net.
    pub(super) fn from_bytes(bytes: &[u8]) -> Self {
        let (rows, _) = bytes.as_chunks::<HIDDEN>();
        let mut rows = rows.iter().map(|row| row.map(|byte| byte as i8));
        Self { inputs: rows.by_ref().take(INPUTS).collect(), outputs: rows.collect() }
    }

    /// The activations of the hidden units, of the input rows of a position.
    #[inline(always)]
    pub(super) fn hidden(&self, rows: &[u16]) -> [u8; HIDDEN] {
        let mut hidden = [0; HIDDEN];
        let (blocks, rest) = hidden.as_chunks_mut::<BLOCK>();
        for (at, block) in blocks.iter_mut().enumerate() {
            *block = self.block(rows, at * BLOCK);
        }
        for (at, half) in rest.as_chunks_mut::<{ BLOCK / 2 }>().0.iter_mut().enumerate() {
            *half = self.block(rows, HIDDEN / BLOCK * BLOCK + at * BLOCK / 2);
        }
        hidden
    }

    /// The activations of some hidden units, from one on. They are so few that their sums stay in registers.
    #[inline(always)]
    fn block<const N: usize>(&self, rows: &[u16], first: usize) -> [u8; N] {
        let mut sums = [BIAS; N];
        for row in rows {
            // At most 132 rows of −128 to 127: the sums fit.
            let row = &self.inputs[usize::from(*row)][first..first + N];
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += i16::from(*weight));
        }
        sums.map(|sum| sum.clamp(0, MAX_HIDDEN) as u8)
    }

    /// The score of a move in [`UNIT`], of its output rows.
    #[inline(always)]
    pub(super) fn score(&self, cpu: impl Cpu, hidden: &[u8; HIDDEN], rows: [u16; 3]) -> i32 {
        cpu.products(hidden, rows.map(|row| &self.outputs[usize::from(row)])) >> SHIFT
    }
}

/// The output rows of a move, of the classes of the captured piece and of the least attacker of its target.
#[inline(always)]
pub(super) fn outputs(
    kind: usize,
    from: usize,
    to: usize,
    captured: usize,
    least: usize,
) -> [u16; 3] {
    let exchange = (kind * 6 + captured) * 6 + least;
    [FROM + kind * 64 + from, TO + kind * 64 + to, EXCHANGE + exchange].map(|row| row as u16)
}

/// Adds the input rows of a position.
#[inline(always)]
pub(super) fn inputs(context: &Context, view: &View, mut add: impl FnMut(u16)) {
    let mut add = |row: usize| add(row as u16);
    let mut each = |begin: usize, sets: &[u64; 6], of: u64| {
        for (role, set) in sets.iter().enumerate() {
            squares(set & of).for_each(|square| add(begin + role * 64 + square));
        }
    };
    each(OURS, &view.our_roles, u64::MAX);
    each(THEIRS, &view.their_roles, u64::MAX);
    each(HANGING, &view.our_roles, view.hanging);
    each(UNDEFENDED, &view.their_roles, view.our_attacks.once & !view.their_attacks.once);
    for (begin, played) in [(LAST, view.last[0]), (OWN_LAST, view.last[1])] {
        if played.kind < KINDS {
            add(begin + played.kind * 64 + played.to);
        }
    }
    add(SETTING + context.setting);
    add(PLY + (context.ply / 6).min(15));
}
