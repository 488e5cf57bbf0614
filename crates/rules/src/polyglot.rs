//! Opening books in Polyglot's format.
//!
//! ```text
//!  byte    0 … 7      8 9     10 11     12 … 15        big-endian, sorted by key
//!           key       move    weight     learn
//!
//!  bit    15   14 13 12    11 10 9   8 7 6   5 4 3   2 1 0
//!         0    promotion     rank     file    rank    file
//!                              from              to
//! ```
//!
//! A promotion is 0 none, 1 knight, 2 bishop, 3 rook, 4 queen. Castling is the king taking its own
//! rook. The key is [`Chess::zobrist`](crate::Chess::zobrist).
//!
//! # Source
//! Fabien Letouzey, the Polyglot book format (2007).

use crate::{Chess, File, IllegalMove, Move, Rank, Role, Square, UciMove, Zobrist};
use core::fmt;
use core::iter::FusedIterator;
use thiserror::Error;

/// The size of an entry in bytes.
const LENGTH: usize = 16;

/// A book, read in place from a slice, which may be a memory-mapped file.
///
/// ```
/// use halfmove_rules::polyglot::Book;
/// use halfmove_rules::Chess;
///
/// // From the start position, e2e4 with weight 3 and d2d4 with weight 1.
/// let bytes = [
///     0x46, 0x3b, 0x96, 0x18, 0x16, 0x91, 0xfc, 0x9c, 0x03, 0x1c, 0, 3, 0, 0, 0, 0,
///     0x46, 0x3b, 0x96, 0x18, 0x16, 0x91, 0xfc, 0x9c, 0x02, 0xdb, 0, 1, 0, 0, 0, 0,
/// ];
/// let book = Book::new(&bytes)?;
/// let start = Chess::default();
/// let moves = book.moves(&start).collect::<Result<Vec<_>, _>>()?;
/// assert_eq!(moves, [(start.parse_san("e4")?, 3), (start.parse_san("d4")?, 1)]);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq)]
pub struct Book<'a> {
    bytes: &'a [u8],
}

/// The reason why bytes are not a book.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BookError {
    /// The last entry is incomplete.
    #[error("{found} bytes, expected a multiple of {LENGTH}")]
    Length {
        /// The number of bytes.
        found: usize,
    },
    /// An entry has a smaller key than the one before it, so a search would miss entries.
    #[error("entry {index}, byte {}: expected a key no smaller than the one before", index * LENGTH)]
    Unsorted {
        /// The entry, from 0.
        index: usize,
    },
}

/// An entry of a book.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// The key of the position.
    pub key: Zobrist,
    /// The move; castling is the king taking its own rook.
    pub mv: UciMove,
    /// The weight of the move: the larger, the more often it should be played.
    pub weight: u16,
    /// Learning data, whose meaning is defined by each program.
    pub learn: u32,
}

impl Entry {
    fn from_bytes(bytes: &[u8; LENGTH]) -> Self {
        let [key @ .., _, _, _, _, _, _, _, _] = *bytes;
        let [.., high, low, heavy, light, a, b, c, d] = *bytes;
        let bits = u16::from_be_bytes([high, low]);
        let three = |shift: u32| usize::from(bits >> shift & 7);
        let square = |shift| Square::new(File::ALL[three(shift)], Rank::ALL[three(shift + 3)]);
        let promotion = match three(12) {
            1 => Some(Role::Knight),
            2 => Some(Role::Bishop),
            3 => Some(Role::Rook),
            4 => Some(Role::Queen),
            _ => None,
        };
        Self {
            key: Zobrist(u64::from_be_bytes(key)),
            mv: UciMove { from: square(6), to: square(0), promotion },
            weight: u16::from_be_bytes([heavy, light]),
            learn: u32::from_be_bytes([a, b, c, d]),
        }
    }

    /// Finds the legal move of this entry.
    ///
    /// # Errors
    /// [`IllegalMove`], if the move is not legal: the book is damaged, or another position has the
    /// same key.
    pub fn resolve(&self, position: &Chess) -> Result<Move, IllegalMove> {
        self.mv.resolve(position).map_err(|_| {
            let UciMove { from, to, promotion } = self.mv;
            let promoting = promotion.and_then(|role| Move::promote(from, to, role));
            IllegalMove(promoting.unwrap_or(Move::normal(from, to)))
        })
    }
}

impl<'a> Book<'a> {
    /// Opens a book. It checks once that all keys are in order.
    ///
    /// # Errors
    /// [`BookError`] if the length is not a multiple of 16 bytes, or the keys are not in ascending order.
    pub fn new(bytes: &'a [u8]) -> Result<Self, BookError> {
        if !bytes.len().is_multiple_of(LENGTH) {
            return Err(BookError::Length { found: bytes.len() });
        }
        let book = Self { bytes };
        let keys = book.entries().map(|entry| entry.key);
        match keys.clone().zip(keys.skip(1)).position(|(before, key)| key < before) {
            Some(index) => Err(BookError::Unsorted { index: index + 1 }),
            None => Ok(book),
        }
    }

    /// The number of entries.
    pub const fn len(&self) -> usize {
        self.bytes.len() / LENGTH
    }

    /// Returns true if there are no entries.
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// All entries, in the order of their keys.
    pub fn entries(&self) -> Entries<'a> {
        Entries { bytes: self.bytes }
    }

    /// The entries with this key, found by binary search.
    pub fn entries_of(&self, key: Zobrist) -> Entries<'a> {
        let (entries, _) = self.bytes.as_chunks::<LENGTH>();
        let start = entries.partition_point(|entry| Entry::from_bytes(entry).key < key);
        let (_, rest) = entries.split_at(start);
        let end = rest.partition_point(|entry| Entry::from_bytes(entry).key == key);
        Entries { bytes: rest[..end].as_flattened() }
    }

    /// The book's moves in a position, each with its weight, in the order of the book.
    ///
    /// # Errors
    /// Each move may fail as in [`Entry::resolve`].
    pub fn moves(
        &self,
        position: &Chess,
    ) -> impl Iterator<Item = Result<(Move, u16), IllegalMove>> {
        let entries = self.entries_of(position.zobrist());
        entries.map(move |entry| Ok((entry.resolve(position)?, entry.weight)))
    }
}

impl fmt::Debug for Book<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Book").field("len", &self.len()).finish_non_exhaustive()
    }
}

/// Iterates over entries of a [`Book`].
#[derive(Clone, Debug)]
pub struct Entries<'a> {
    bytes: &'a [u8],
}

impl Iterator for Entries<'_> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        let (entry, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(Entry::from_bytes(entry))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.bytes.len() / LENGTH;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Entries<'_> {}
impl FusedIterator for Entries<'_> {}
