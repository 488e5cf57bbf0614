//! Makruk, Makpong and ASEAN chess on the 0x88 board.

mod counting;
mod fen;
mod movegen;
mod rules;
mod san;

pub use counting::{Counting, CountingError, CountingPolicy, Honor};
pub use fen::Dialect;
pub use rules::Rules;

use super::piece::relative_rank;
use super::{Board, Index, Kind, Piece};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use halfmove_rules::{Color, IllegalMove, Move, Square};
use thiserror::Error;

/// A position of Makruk, Makpong or ASEAN chess with its history, which decides how the game ends.
/// Playing a move returns a new position and leaves the old one unchanged.
///
/// ```
/// use halfmove_mailbox::{CountingPolicy, Dialect, Ending, Makruk, Rules};
/// use halfmove_rules::Color;
///
/// let fen = "4N2k/7M/7K/4N3/8/8/8/8 w - 64 63 70";
/// let position = Makruk::from_fen(fen, Rules::Makruk, Dialect::Fairy, CountingPolicy::Thai)?;
/// assert_eq!(position.to_string(), "\
/// . . . . N . . k
/// . . . . . . . M
/// . . . . . . . K
/// . . . . N . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// ");
/// let mv = position.parse_san("Nf7#").expect("a legal move");
/// let mate = position.play(mv).expect("a legal move");
/// // Black has counted to its limit of 32, but checkmate with the very next move wins.
/// assert_eq!(mate.ending(), Some(Ending::Checkmate { winner: Color::White }));
/// assert_eq!(mate.to_fen(Dialect::Fairy), "4N2k/5N1M/7K/8/8/8/8/8 b - 64 64 70");
/// # Ok::<(), halfmove_mailbox::MakrukError>(())
/// ```
///
/// # Source
/// The description of the 0x88 board in `kaisukez/makruk-js` (2020–2025), except where people play
/// differently: a khon steps diagonally or straight ahead; a bia attacks ahead, not behind; each
/// khun starts to the left of its met; a repetition compares the pieces and the side to move, not
/// the move number.
#[derive(Clone, Debug)]
pub struct Makruk {
    rules: Rules,
    board: Board,
    side_to_move: Color,
    policy: CountingPolicy,
    counting: Option<Counting>,
    halfmove_clock: u16,
    fullmove_number: u16,
    /// How often each position has occurred, this one included.
    occurrences: BTreeMap<String, u16>,
}

/// How a game of Makruk ends.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The side to move is in check and has no legal move.
    Checkmate {
        /// The side that gave mate.
        winner: Color,
    },
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// Neither side has enough material to mate.
    InsufficientMaterial,
    /// A count has run out; or, under Thai rules, the side counting board's honor gave checkmate.
    Counting,
    /// The position has occurred three times.
    Threefold,
    /// In ASEAN chess: fifty moves by each side without a capture or bia move.
    FiftyMoves,
}

/// Why a text or a board is not a position of Makruk.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MakrukError {
    /// The text is not a FEN of its dialect.
    #[error("FEN, byte {offset}: expected {expected}")]
    Syntax {
        /// The offset of the first invalid byte, from 0.
        offset: usize,
        /// What was expected there.
        expected: &'static str,
    },
    /// A side has no king, or more than one.
    #[error("{color} has {found} kings, expected exactly one")]
    Kings {
        /// The side.
        color: Color,
        /// How many kings it has.
        found: usize,
    },
    /// A bia stands on a square where it must have been promoted.
    #[error("a bia stands on {0}, expected a met: it promotes there")]
    UnpromotedBia(Square),
    /// The game does not have this piece.
    #[error("the piece on {0} is not a piece of Makruk")]
    ForeignPiece(Square),
    /// The side that is not to move is in check.
    #[error("{0} is in check but it is not {0}'s move")]
    OppositeCheck(Color),
    /// No rule allows this count here.
    #[error("a count that no rule allows, expected {0}")]
    Count(&'static str),
}

impl Makruk {
    /// A position without a history.
    ///
    /// # Errors
    /// [`MakrukError`], if the position is not legal.
    pub fn from_board(
        board: Board,
        side_to_move: Color,
        rules: Rules,
        policy: CountingPolicy,
    ) -> Result<Self, MakrukError> {
        for color in Color::ALL {
            let found = board.count(color, Kind::King);
            if found != 1 {
                return Err(MakrukError::Kings { color, found });
            }
        }
        for (square, piece) in board.pieces() {
            match piece.kind {
                Kind::Bishop | Kind::Queen => return Err(MakrukError::ForeignPiece(square)),
                // In ASEAN chess a promoted bia is a piece like any other.
                Kind::FlippedBia if rules == Rules::Asean => {
                    return Err(MakrukError::ForeignPiece(square));
                }
                Kind::Pawn
                    if relative_rank(piece.color, Index::new(square)) >= rules.promotion_rank() =>
                {
                    return Err(MakrukError::UnpromotedBia(square));
                }
                _ => {}
            }
        }
        if board.is_in_check(!side_to_move) {
            return Err(MakrukError::OppositeCheck(!side_to_move));
        }
        let mut position = Self {
            rules,
            board,
            side_to_move,
            policy,
            counting: None,
            halfmove_clock: 0,
            fullmove_number: 1,
            occurrences: BTreeMap::new(),
        };
        position.remember();
        Ok(position)
    }

    /// The pieces on their squares.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// Half-moves since the last capture or bia move.
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// Starts at 1 and increases after each move of Black.
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// The squares of the pieces that give check.
    pub fn checkers(&self) -> impl Iterator<Item = Square> {
        let king = self.board.list(self.side_to_move, Kind::King).first();
        king.into_iter().flat_map(|king| self.board.attackers(king.square(), !self.side_to_move))
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.board.is_in_check(self.side_to_move)
    }

    /// The position with a piece put on a square, replacing any piece there. Its history and its
    /// count are dropped.
    ///
    /// # Errors
    /// [`MakrukError`], if the position is not legal.
    pub fn put(&self, square: Square, piece: Piece) -> Result<Self, MakrukError> {
        let mut board = self.board.clone();
        board.put(square, piece);
        Self::from_board(board, self.side_to_move, self.rules, self.policy)
    }

    /// The position with a square emptied. Its history and its count are dropped.
    ///
    /// # Errors
    /// [`MakrukError`], if the position is not legal.
    pub fn remove(&self, square: Square) -> Result<Self, MakrukError> {
        let mut board = self.board.clone();
        board.remove(square);
        Self::from_board(board, self.side_to_move, self.rules, self.policy)
    }

    /// How the game has ended, if it has.
    ///
    /// The order of the checks is Fairy-Stockfish's. The draw by insufficient material is a
    /// convention of programs, not a Thai rule.
    pub fn ending(&self) -> Option<Ending> {
        let them = !self.side_to_move;
        if self.legal_moves().is_empty() {
            return Some(match (self.is_check(), self.counting) {
                (false, _) => Ending::Stalemate,
                (true, Some(count)) if count.forbids_mate_by(them, self.policy) => Ending::Counting,
                (true, _) => Ending::Checkmate { winner: them },
            });
        }
        if self.has_insufficient_material() {
            return Some(Ending::InsufficientMaterial);
        }
        if self.counting.is_some_and(|count| count.is_over(self.policy)) {
            return Some(Ending::Counting);
        }
        if self.occurrences.get(&self.key()) >= Some(&3) {
            return Some(Ending::Threefold);
        }
        let fifty = self.rules == Rules::Asean && self.halfmove_clock >= 100;
        fifty.then_some(Ending::FiftyMoves)
    }

    /// Whether only kings are left, or kings and one knight, or one bia, or mets (including flipped
    /// bias) that all stand on squares of one color. In Makpong, where a king cannot flee from
    /// check, any piece can mate; in ASEAN chess a bia can, since it may become a rook.
    fn has_insufficient_material(&self) -> bool {
        if self.rules == Rules::Makpong {
            return self.board.pieces().count() == 2;
        }
        let mut others = 0;
        let mut mets = Vec::new();
        for color in Color::ALL {
            if self.board.count(color, Kind::Rook) + self.board.count(color, Kind::Khon) > 0 {
                return false;
            }
            if self.rules == Rules::Asean && self.board.count(color, Kind::Pawn) > 0 {
                return false;
            }
            others += self.board.count(color, Kind::Knight) + self.board.count(color, Kind::Pawn);
            mets.extend_from_slice(self.board.list(color, Kind::Met));
            mets.extend_from_slice(self.board.list(color, Kind::FlippedBia));
        }
        let light = mets.iter().filter(|met| (met.rank() + met.file()) % 2 == 1).count();
        match others {
            0 => light == 0 || light == mets.len(),
            1 => mets.is_empty(),
            _ => false,
        }
    }

    /// The number of leaves of the game tree at `depth` half-moves.
    ///
    /// ```
    /// use halfmove_mailbox::Makruk;
    /// assert_eq!(Makruk::default().perft(3), 12_012);
    /// ```
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.legal_moves().len() as u64,
            _ => self.legal_moves().into_iter().map(|mv| self.after(mv).perft(depth - 1)).sum(),
        }
    }

    /// The position after a move.
    ///
    /// # Errors
    /// [`IllegalMove`] if the move is not legal here.
    pub fn play(&self, mv: Move) -> Result<Self, IllegalMove> {
        if self.is_legal(mv) { Ok(self.after(mv)) } else { Err(IllegalMove(mv)) }
    }

    /// The position after a move that is known to be legal. After any other move the position is unspecified, but
    /// nothing panics.
    #[must_use = "the position itself does not change"]
    pub fn play_unchecked(&self, mv: Move) -> Self {
        self.after(mv)
    }

    /// The same position without the positions before it, which can then no longer be repeated.
    ///
    /// ```
    /// use halfmove_mailbox::{Ending, Makruk};
    /// let mut position = Makruk::default();
    /// for san in ["Kd2", "Ke7", "Kd1", "Ke8", "Kd2", "Ke7", "Kd1", "Ke8"] {
    ///     let mv = position.parse_san(san).expect("a legal move");
    ///     position = position.play_unchecked(mv);
    /// }
    /// assert_eq!(position.ending(), Some(Ending::Threefold));
    /// assert_eq!(position.without_history().ending(), None);
    /// ```
    #[must_use]
    pub fn without_history(mut self) -> Self {
        self.occurrences.clear();
        self.remember();
        self
    }

    /// The position after a legal move.
    fn after(&self, mv: Move) -> Self {
        let (mut next, us) = (self.clone(), self.side_to_move);
        let moved = self.board.at(Index::new(mv.from())).map(|piece| piece.kind);
        let taken = self.board.at(Index::new(mv.to())).map(|piece| piece.kind);
        next.board = self.board_after(mv);
        next.side_to_move = !us;
        next.counting = next.counting_after(self, taken, mv.promotion().is_some());
        next.halfmove_clock = match (moved, taken) {
            (Some(Kind::Pawn), _) | (_, Some(_)) => 0,
            _ => self.halfmove_clock.saturating_add(1),
        };
        if us == Color::Black {
            next.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        next.remember();
        next
    }

    /// The key of a position for repetition: the placement of the pieces and the side to move. A
    /// met and a flipped bia are the same.
    fn key(&self) -> String {
        let mut key = fen::placement(&self.board, self.rules, Dialect::Fairy);
        key.retain(|letter| letter != '~');
        key.push(if self.side_to_move == Color::White { 'w' } else { 'b' });
        key
    }

    fn remember(&mut self) {
        let times = self.occurrences.entry(self.key()).or_default();
        *times = times.saturating_add(1);
    }
}

impl Makruk {
    /// The start position.
    ///
    /// ```
    /// use halfmove_mailbox::{CountingPolicy, Makruk, Rules};
    /// let start = Makruk::start(Rules::Makpong, CountingPolicy::Thai);
    /// assert_eq!(start.perft(3), 12_012);
    /// ```
    pub fn start(rules: Rules, policy: CountingPolicy) -> Self {
        const BACK: [Kind; 8] = [
            Kind::Rook,
            Kind::Knight,
            Kind::Khon,
            Kind::King,
            Kind::Met,
            Kind::Khon,
            Kind::Knight,
            Kind::Rook,
        ];
        let mut board = Board::default();
        for index in Index::all() {
            let file = usize::from(index.file());
            // In Makruk each khun stands to the left of its met, as seen from its own side. In
            // ASEAN chess both kings stand on the e-file.
            let (white, black) = match rules {
                Rules::Makruk | Rules::Makpong => (BACK[file], BACK[7 - file]),
                Rules::Asean => (BACK[7 - file], BACK[7 - file]),
            };
            let (color, kind) = match index.rank() {
                0 => (Color::White, white),
                2 => (Color::White, Kind::Pawn),
                5 => (Color::Black, Kind::Pawn),
                7 => (Color::Black, black),
                _ => continue,
            };
            board.put_at(index, Piece { color, kind });
        }
        let mut start = Self {
            rules,
            board,
            side_to_move: Color::White,
            policy,
            counting: None,
            halfmove_clock: 0,
            fullmove_number: 1,
            occurrences: BTreeMap::new(),
        };
        start.remember();
        start
    }

    /// Which game this is.
    pub fn rules(&self) -> Rules {
        self.rules
    }
}

impl Default for Makruk {
    /// The start of Makruk, with counting as people play.
    fn default() -> Self {
        Self::start(Rules::Makruk, CountingPolicy::Thai)
    }
}

impl fmt::Display for Makruk {
    /// Draws the board.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.board.fmt(f)
    }
}
