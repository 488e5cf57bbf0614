//! Bounds of the signatures of many games, to rule out all of them at once.

use super::query::Query;
use super::signature::{GUARDS, NEVER, NO_LINE, Signature, UNKNOWN, fields};
use super::signatures::COLUMNS;

/// Bounds of the [signatures](Signature) of some games, in 73 bytes: the earliest and latest of each ply, the smallest
/// number of each kind of piece, and the range of lines. If they rule a position out, so does each of the signatures.
///
/// The more the games have in common, the more positions are ruled out: if games are sorted by their moves, neighbors
/// share their first pawn moves.
///
/// ```
/// use halfmove_game::codec::halfmove;
/// use halfmove_game::pgn::read_game;
/// use halfmove_game::replay::{Query, Signature, SignatureBounds};
/// use halfmove_rules::Chess;
///
/// let mut bounds = SignatureBounds::default();
/// for text in ["1. e4 e5 2. Nf3 *", "1. e4 c5 *"] {
///     let mut bytes = Vec::new();
///     halfmove::encode(&read_game(text)?, &mut bytes)?;
///     bounds.add(&Signature::of(&bytes)?);
/// }
/// // After 1. d4 the pawn on e2 is still there, and has left it in all of these games after one half-move.
/// let position: Chess = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1".parse()?;
/// assert!(!Query::new(&position.into()).may_be_in(&bounds));
/// let position: Chess = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1".parse()?;
/// assert!(Query::new(&position.into()).may_be_in(&bounds));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct SignatureBounds {
    /// The smallest of each ply of a signature, in the order of its bytes.
    pub(super) earliest: [u8; COLUMNS],
    /// The largest of each ply.
    pub(super) latest: [u8; COLUMNS],
    /// The smallest of each number in [`Signature::least`].
    pub(super) least: u32,
    /// The range of [`Signature::line`] of games with the standard starting position.
    first_line: u16,
    last_line: u16,
    /// Flags: [`SOME_OTHER`] and [`SOME_UNKNOWN`].
    pub(super) flags: u8,
}

/// Some games have a custom start.
pub(super) const SOME_OTHER: u8 = 1;

/// Some games have signatures without information.
pub(super) const SOME_UNKNOWN: u8 = 2;

impl Default for SignatureBounds {
    /// The bounds of an empty set of games.
    fn default() -> Self {
        Self {
            earliest: [NEVER; COLUMNS],
            latest: [0; COLUMNS],
            // The maximum of each kind.
            least: !GUARDS,
            first_line: u16::MAX,
            last_line: 0,
            flags: 0,
        }
    }
}

impl SignatureBounds {
    /// The length of the bounds in bytes.
    pub const BYTES: usize = 2 * COLUMNS + 9;

    /// Adds a game.
    pub fn add(&mut self, signature: &Signature) {
        let bytes = signature.to_bytes();
        for ((earliest, latest), ply) in self.earliest.iter_mut().zip(&mut self.latest).zip(bytes) {
            *earliest = (*earliest).min(ply);
            *latest = (*latest).max(ply);
        }
        let mut least = 0;
        for mask in fields() {
            least |= (self.least & mask).min(signature.least & mask);
        }
        self.least = least;
        match signature.line {
            NO_LINE => self.flags |= SOME_OTHER,
            UNKNOWN => self.flags |= SOME_UNKNOWN,
            line => {
                self.first_line = self.first_line.min(line);
                self.last_line = self.last_line.max(line);
            }
        }
    }

    /// The bounds as bytes: the fields in their order, numbers with the lowest byte first.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        let (plies, rest) = bytes.split_at_mut(2 * COLUMNS);
        plies[..COLUMNS].copy_from_slice(&self.earliest);
        plies[COLUMNS..].copy_from_slice(&self.latest);
        rest[..4].copy_from_slice(&self.least.to_le_bytes());
        rest[4..6].copy_from_slice(&self.first_line.to_le_bytes());
        rest[6..8].copy_from_slice(&self.last_line.to_le_bytes());
        rest[8] = self.flags;
        bytes
    }

    /// The bounds of these bytes.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        let at = 2 * COLUMNS;
        Self {
            earliest: std::array::from_fn(|index| bytes[index]),
            latest: std::array::from_fn(|index| bytes[COLUMNS + index]),
            least: u32::from_le_bytes(std::array::from_fn(|index| bytes[at + index])),
            first_line: u16::from_le_bytes([bytes[at + 4], bytes[at + 5]]),
            last_line: u16::from_le_bytes([bytes[at + 6], bytes[at + 7]]),
            flags: bytes[at + 8],
        }
    }
}

impl Query {
    /// Returns true if a game within the bounds can be a candidate. Otherwise, [`Query::candidates`] finds none among
    /// them.
    pub fn may_be_in(&self, bounds: &SignatureBounds) -> bool {
        if bounds.flags & SOME_UNKNOWN != 0 {
            return true;
        }
        let Some(until) = self.conditions.until(bounds) else { return false };
        if bounds.flags & SOME_OTHER != 0 {
            return true;
        }
        let lines = self.lines.get(usize::from(bounds.first_line)..);
        let lines = lines.unwrap_or_default().iter().zip(bounds.first_line..=bounds.last_line);
        let mut lines = lines.map(|(test, _)| test);
        // A line outside our tree gives no information.
        usize::from(bounds.last_line) >= self.lines.len()
            || lines.any(|test| test.known != NEVER || until > test.earliest)
    }
}
