//! Signatures: summaries of games, with necessary conditions for positions.

mod moves;

use std::ops::ControlFlow;

use halfmove_rules::{AnyPosition, Bitboard, Color, Makruk, Move, Rank, Role};

use super::lines::Lines;
use super::watch::{EMPTY_CHESS, EMPTY_MAKRUK, Moment, Occupant, Ready, Squares, Watch};
use crate::codec::DecodeError;
use crate::codec::halfmove::is_standard_start;

/// Stored for an event that never happens.
pub(super) const NEVER: u8 = 255;

/// The maximum stored ply: later plies are stored as this one.
pub(super) const LATE: u8 = 254;

/// The numbers of pieces on the board; a signature has the plies at which fewer are left.
pub(super) const FEWER: [u8; 4] = [28, 24, 20, 16];

/// The numbers of pieces of one side; a signature has the plies at which fewer are left.
pub(super) const LAST: [u8; 6] = [7, 6, 5, 4, 3, 2];

/// The line of a game with a custom start.
pub(super) const NO_LINE: u16 = 0xffff;

/// The line of a game whose signature has no information.
pub(super) const UNKNOWN: u16 = 0xfffe;

/// A summary of a game in 38 bytes, by which searches reject nearly all games before reading their moves.
///
/// Plies are counted as half-moves played; 254 means 254 or later, 255 never.
///
/// ```
/// use halfmove_game::codec::halfmove;
/// use halfmove_game::pgn::read_game;
/// use halfmove_game::replay::Signature;
///
/// let mut bytes = Vec::new();
/// halfmove::encode(&read_game("1. e4 d5 2. exd5 Qxd5 *").unwrap(), &mut bytes)?;
/// let signature = Signature::of(&bytes)?;
/// // White's e-pawn has left after one half-move, Black's d-pawn after two.
/// assert_eq!(signature.pawn_ply[4], 1);
/// assert_eq!(signature.pawn_ply[8 + 3], 2);
/// assert_eq!(signature.pawn_ply[0], 255);
/// assert_eq!(Signature::from_bytes(&signature.to_bytes()), signature);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Signature {
    /// The ply at which each pawn left its first square or was captured there: White's from the a-file to the h-file,
    /// then Black's. 0 if there was none at the start.
    pub pawn_ply: [u8; 16],
    /// The plies at which fewer than 28, 24, 20 and 16 pieces were left.
    pub fewer_ply: [u8; FEWER.len()],
    /// The plies at which a side had fewer than 7, 6, 5, 4, 3 and 2 pieces left: White, then Black.
    pub last_ply: [u8; 2 * LAST.len()],
    /// The minimum number of each kind of piece during the game, packed. From the lowest bit: pawns in four bits,
    /// knights, bishops (khons in Makruk) and rooks in two, queens (mets) in one; White's, then Black's. Each number is
    /// followed by a bit 0. A number that is too large for its bits is stored as their maximum.
    pub least: u32,
    /// The deepest node of the game in a tree of frequent beginnings, 0 if its first move is not in the tree; 65535 for
    /// a game with a custom start, 65534 for a game whose other fields have no information.
    pub line: u16,
}

/// The kinds of pieces in [`Signature::least`], with the bits of each.
const KINDS: [([Role; 2], u32); 5] = [
    ([Role::Pawn, Role::Pawn], 4),
    ([Role::Knight, Role::Knight], 2),
    ([Role::Bishop, Role::Khon], 2),
    ([Role::Rook, Role::Rook], 2),
    ([Role::Queen, Role::Met], 1),
];

/// The zero bits after the numbers in [`Signature::least`]: with ones in these bits, a single subtraction compares all
/// numbers.
pub(super) const GUARDS: u32 = {
    let (mut guards, mut at, mut index) = (0, 0, 0);
    while index < 2 * KINDS.len() {
        at += KINDS[index % KINDS.len()].1;
        guards |= 1 << at;
        at += 1;
        index += 1;
    }
    guards
};

/// The masks of the numbers in [`Signature::least`].
pub(super) fn fields() -> impl Iterator<Item = u32> {
    let kinds = KINDS.iter().chain(&KINDS);
    kinds.scan(0, |at, (_, bits)| {
        let mask = ((1 << bits) - 1) << *at;
        *at += bits + 1;
        Some(mask)
    })
}

/// Numbers of pieces by kind, as in [`Signature::least`].
pub(super) fn pack(count: impl Fn(Color, Role) -> u8) -> u32 {
    let (mut word, mut at) = (0, 0);
    for color in Color::ALL {
        for ([role, other], bits) in KINDS {
            let more = if other == role { 0 } else { count(color, other) };
            let number = u32::from(count(color, role)) + u32::from(more);
            word |= number.min((1 << bits) - 1) << at;
            at += bits + 1;
        }
    }
    word
}

impl Signature {
    /// The length of a signature in bytes.
    pub const BYTES: usize = 38;

    /// The version of the format. Signatures of other versions are recomputed.
    pub const VERSION: u32 = 0;

    /// Computes the signature of a game from its bytes.
    ///
    /// # Errors
    /// Fails on bytes that are not codes of this version.
    pub fn of(bytes: &[u8]) -> Result<Signature, DecodeError> {
        match Ready::new(bytes)? {
            Ready::Chess(game) => {
                let ranks = [Rank::Second, Rank::Seventh];
                let mut signer = Signer::new(game.start().squares(), EMPTY_CHESS, ranks);
                let trace = signer.trace();
                game.replay(&mut signer, trace)?;
                let line = if game.is_usual() { Lines::tree().line_of(bytes) } else { NO_LINE };
                Ok(signer.signature(line))
            }
            Ready::Makruk(game) => {
                let start = game.start();
                let squares = Squares::of(start.board(), EMPTY_MAKRUK);
                let mut signer = Signer::new(&squares, EMPTY_MAKRUK, [Rank::Third, Rank::Sixth]);
                let trace = signer.trace();
                game.replay(&mut signer, trace)?;
                // In a custom start, a bia may reach its first rank from behind.
                let is_usual = *start.board() == *Makruk::start(start.rules()).board();
                Ok(signer.signature(if is_usual { NO_LINE } else { UNKNOWN }))
            }
        }
    }

    /// Computes the signature of a game from decoded moves, which is several times as fast in chess.
    ///
    /// # Errors
    ///
    /// See [`Signature::of`].
    pub fn of_moves(
        start: &AnyPosition,
        moves: &[Move],
        bytes: &[u8],
    ) -> Result<Signature, DecodeError> {
        match start {
            AnyPosition::Chess(start) if is_standard_start(start) => {
                let line = Lines::tree().line_of(bytes);
                Ok(Signature { line, ..moves::signature(moves) })
            }
            _ => Signature::of(bytes),
        }
    }

    /// The signature as bytes: the fields in their order, numbers with the lowest byte first.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..16].copy_from_slice(&self.pawn_ply);
        bytes[16..20].copy_from_slice(&self.fewer_ply);
        bytes[20..32].copy_from_slice(&self.last_ply);
        bytes[32..36].copy_from_slice(&self.least.to_le_bytes());
        bytes[36..].copy_from_slice(&self.line.to_le_bytes());
        bytes
    }

    /// The signature of these bytes.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Signature {
        Signature {
            pawn_ply: std::array::from_fn(|index| bytes[index]),
            fewer_ply: std::array::from_fn(|index| bytes[16 + index]),
            last_ply: std::array::from_fn(|index| bytes[20 + index]),
            least: u32::from_le_bytes(std::array::from_fn(|index| bytes[32 + index])),
            line: u16::from_le_bytes([bytes[36], bytes[37]]),
        }
    }
}

/// Records the ply at which this number of pieces is left.
#[inline(always)]
fn note<const N: usize>(numbers: &[u8; N], plies: &mut [u8; N], pieces: u8, ply: u8) {
    for (fewer, noted) in numbers.iter().zip(plies) {
        let is_first = pieces < *fewer && *noted == NEVER;
        *noted = if is_first { ply } else { *noted };
    }
}

/// A watch that computes the signature of a game.
struct Signer {
    empty: Occupant,
    /// The squares of pawns that may still be at home.
    home: u64,
    /// The ranks of these pawns, White's first.
    ranks: [Rank; 2],
    pawn_ply: [u8; 16],
    fewer_ply: [u8; FEWER.len()],
    last_ply: [[u8; LAST.len()]; 2],
    /// The number of each occupant, and the minimum so far.
    counts: [u8; 16],
    least: [u8; 16],
    /// The number of pieces of each side.
    pieces: [u8; 2],
}

/// The state that the loop keeps in registers.
#[derive(Copy, Clone)]
struct Trace {
    touched: u64,
    /// The piece that the last move captured.
    taken: Occupant,
    /// The piece that it moved, and true if it was a promotion. Only in Makruk; in chess, promotions are rare moves.
    lifted: Occupant,
    promoted: bool,
    /// True if [`Watch::after_move`] has requested an inspection.
    needs_look: bool,
}

impl Signer {
    fn new(squares: &Squares, empty: Occupant, ranks: [Rank; 2]) -> Self {
        let mut signer = Self {
            empty,
            home: 0,
            ranks,
            pawn_ply: [0; 16],
            fewer_ply: [NEVER; FEWER.len()],
            last_ply: [[NEVER; LAST.len()]; 2],
            counts: [0; 16],
            least: [u8::MAX; 16],
            pieces: [0; 2],
        };
        for color in Color::ALL {
            let pawn = Role::Pawn as u8 | (color as u8) << 3;
            for square in Bitboard::rank(ranks[color.index()]) {
                if squares.0[square.index()] == pawn {
                    signer.home |= 1 << square.index();
                    signer.pawn_ply[8 * color.index() + square.file().index()] = NEVER;
                }
            }
        }
        signer.count(squares, 0);
        signer
    }

    fn trace(&self) -> Trace {
        Trace {
            touched: 0,
            taken: self.empty,
            lifted: self.empty,
            promoted: false,
            needs_look: false,
        }
    }

    /// Counts all pieces.
    fn count(&mut self, squares: &Squares, ply: u32) {
        self.counts = [0; 16];
        for occupant in squares.0 {
            self.counts[usize::from(occupant) % 16] += 1;
        }
        self.counts[usize::from(self.empty)] = 0;
        for (least, count) in self.least.iter_mut().zip(self.counts) {
            *least = (*least).min(count);
        }
        let (white, black) = self.counts.split_at(8);
        self.pieces = [white.iter().sum(), black.iter().sum()];
        let ply = stored(ply);
        self.note(0, ply);
        self.note(1, ply);
    }

    /// Records a capture.
    fn lose(&mut self, taken: Occupant, ply: u8) {
        let (taken, side) = (usize::from(taken) % 16, usize::from(taken >> 3) % 2);
        self.counts[taken] = self.counts[taken].saturating_sub(1);
        self.least[taken] = self.least[taken].min(self.counts[taken]);
        self.pieces[side] = self.pieces[side].saturating_sub(1);
        self.note(side, ply);
    }

    /// Records the number of pieces left.
    fn note(&mut self, side: usize, ply: u8) {
        note(&FEWER, &mut self.fewer_ply, self.pieces[0] + self.pieces[1], ply);
        note(&LAST, &mut self.last_ply[side], self.pieces[side], ply);
    }

    fn signature(&self, line: u16) -> Signature {
        let [white, black] = self.last_ply;
        Signature {
            pawn_ply: self.pawn_ply,
            fewer_ply: self.fewer_ply,
            last_ply: std::array::from_fn(|index| {
                *white.iter().chain(&black).nth(index).unwrap_or(&NEVER)
            }),
            least: pack(|color, role| self.least[role as usize | (color as usize) << 3]),
            line,
        }
    }
}

/// A ply as signatures store it.
fn stored(ply: u32) -> u8 {
    ply.min(u32::from(LATE)) as u8
}

impl<const EMPTY: Occupant> Watch<EMPTY> for Signer {
    type State = Trace;

    #[inline(always)]
    fn change(&mut self, trace: &mut Trace, square: u8, old: Occupant, new: Occupant) {
        trace.touched |= 1 << (square % 64);
        if new != EMPTY {
            trace.taken = old;
        }
        if EMPTY == EMPTY_MAKRUK {
            trace.promoted |= new != EMPTY && new != trace.lifted;
            trace.lifted = old;
        }
    }

    #[inline(always)]
    fn after_move(&mut self, trace: &mut Trace, _: Occupant, _: (u8, u8)) -> bool {
        trace.needs_look = trace.taken != EMPTY || trace.touched & self.home != 0 || trace.promoted;
        trace.needs_look
    }

    fn inspect(
        &mut self,
        trace: &mut Trace,
        at: &Moment<'_>,
    ) -> Result<ControlFlow<()>, DecodeError> {
        let ply = stored(at.ply);
        let mut left = trace.touched & self.home;
        self.home &= !left;
        while left != 0 {
            let square = left.trailing_zeros() as usize;
            left &= left - 1;
            let is_black = square / 8 != self.ranks[0].index();
            self.pawn_ply[8 * usize::from(is_black) + square % 8] = ply;
        }
        let (from, to) = at.last;
        if std::mem::take(&mut trace.promoted) {
            trace.needs_look = false;
            self.count(at.squares, at.ply);
        } else if std::mem::take(&mut trace.needs_look) {
            if trace.taken != EMPTY {
                self.lose(trace.taken, ply);
            }
        } else if from != to {
            // A promotion, an en passant capture, a piece without a number. Castling captures nothing.
            self.count(at.squares, at.ply);
        }
        trace.taken = EMPTY;
        Ok(ControlFlow::Continue(()))
    }
}
