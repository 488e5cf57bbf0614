//! The signatures of many games, stored in columns.

use super::signature::{Signature, UNKNOWN};

/// The signatures of many games, with one array per byte of [`Signature::pawn_ply`] and the other plies, so that
/// vector instructions test many games at once.
///
/// See [`Query`](super::Query) for an example.
#[derive(Clone, Debug, Default)]
pub struct Signatures {
    pub(super) rows: usize,
    /// All columns, one after the other.
    plies: Vec<u8>,
    pub(super) least: Vec<u32>,
    pub(super) lines: Vec<u16>,
    /// True if there are signatures without information.
    pub(super) some_unknown: bool,
}

/// The number of plies in a signature.
pub(super) const COLUMNS: usize = 32;

/// The length of a cache line.
const LINE: usize = 64;

impl Signatures {
    /// Reads concatenated signatures; an incomplete one at the end is ignored.
    pub fn new(bytes: &[u8]) -> Signatures {
        Self::of_pages([bytes].into_iter())
    }

    /// Reads signatures from several slices, each with complete signatures.
    pub fn of_pages<'a>(pages: impl Iterator<Item = &'a [u8]> + Clone) -> Signatures {
        let rows = pages.clone().map(|page| page.len() / Signature::BYTES).sum();
        let mut signatures = Signatures {
            rows,
            plies: vec![0; COLUMNS * rows],
            least: Vec::with_capacity(rows),
            lines: Vec::with_capacity(rows),
            some_unknown: false,
        };
        for page in pages {
            signatures.push(page.as_chunks::<{ Signature::BYTES }>().0);
        }
        signatures
    }

    /// Adds signatures; there must be room for them.
    fn push(&mut self, cells: &[[u8; Signature::BYTES]]) {
        let (rows, start) = (self.rows, self.lines.len());
        // One cache line of each column at a time: columns are a row group's length apart, so lines of more than a
        // few of them would evict each other.
        let (lines, rest) = cells.as_chunks::<LINE>();
        for (line, cells) in lines.iter().enumerate() {
            for first in (0..COLUMNS).step_by(8) {
                let mut columns = [[0; LINE]; 8];
                for (eight, cells) in cells.as_chunks::<8>().0.iter().enumerate() {
                    let plies = transposed(cells.each_ref().map(|cell| {
                        let (eights, _) = cell[first..].as_chunks::<8>();
                        eights.first().map_or(0, |plies| u64::from_le_bytes(*plies))
                    }));
                    for (column, plies) in columns.iter_mut().zip(plies) {
                        column[8 * eight..8 * eight + 8].copy_from_slice(&plies.to_le_bytes());
                    }
                }
                for (column, plies) in (first..).zip(&columns) {
                    let at = column * rows + start + LINE * line;
                    self.plies[at..at + LINE].copy_from_slice(plies);
                }
            }
        }
        for (row, cell) in (start + LINE * lines.len()..).zip(rest) {
            for (column, ply) in cell[..COLUMNS].iter().enumerate() {
                self.plies[column * rows + row] = *ply;
            }
        }
        for cell in cells {
            self.least.push(u32::from_le_bytes([cell[32], cell[33], cell[34], cell[35]]));
            let line = u16::from_le_bytes([cell[36], cell[37]]);
            self.some_unknown |= line == UNKNOWN;
            self.lines.push(line);
        }
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Returns true if there are no games.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The memory that they occupy, in bytes.
    pub fn bytes(&self) -> usize {
        self.plies.capacity() + 4 * self.least.capacity() + 2 * self.lines.capacity()
    }

    pub(super) fn column(&self, column: usize) -> &[u8] {
        &self.plies[column * self.rows..][..self.rows]
    }
}

/// Transposes eight rows of eight bytes: blocks of four, two and one bytes change places in pairs of rows.
///
/// Warren, *Hacker's Delight*, 2nd edition, 7-3, has the same algorithm for bits.
fn transposed(mut rows: [u64; 8]) -> [u64; 8] {
    let swaps = [(4, 0xffff_ffff), (2, 0xffff_0000_ffff), (1, 0x00ff_00ff_00ff_00ff_u64)];
    for (step, mask) in swaps {
        for row in (0..8).filter(|row| row & step == 0) {
            let change = ((rows[row] >> (8 * step)) ^ rows[row + step]) & mask;
            rows[row + step] ^= change;
            rows[row] ^= change << (8 * step);
        }
    }
    rows
}
