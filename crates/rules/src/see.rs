//! Static exchange evaluation: the material won or lost by a series of captures on one square.
//!
//! The sides alternate in capturing on the square, and each may stop when another capture would lose
//! material. Each side captures with its least valuable piece, or the one on the lowest square if
//! there are several. That is nearly always best, unless it opens a line to the square for the
//! opponent. No moves are played: pieces are removed from the set of occupied squares, which
//! uncovers sliders behind them (*x-rays*).

use crate::chess::relative_rank;
use crate::{Bitboard, Chess, Color, Move, Piece, Role, Square};
use arrayvec::ArrayVec;
use halfmove_bitboard::{Rank, lines};

/// The usual values of the pieces in centipawns, indexed by [`Role::index`]. Khon and met have
/// none, because they are not pieces of chess. A king is never captured, so its value is never
/// added.
///
/// # Source
/// Tomasz Michniewski, "Simplified Evaluation Function", Chess Programming Wiki.
pub const EXCHANGE_VALUES: [i32; 8] = [100, 320, 330, 500, 900, 20_000, 0, 0];

/// The order in which pieces capture: the least valuable first, the king last.
const BY_VALUE: [Role; 6] = Role::CHESS;

impl Chess {
    /// The material that a legal move wins or loses on its target square, if both sides then keep
    /// capturing there as long as it pays. The result is in the unit of `values`, which are indexed
    /// by [`Role::index`], as in [`EXCHANGE_VALUES`].
    ///
    /// - A quiet move wins nothing, but may lose its piece.
    /// - A pawn that captures on the last rank becomes a queen.
    /// - A piece may capture only if it is not pinned at that moment; a king only if no enemy piece
    ///   attacks the square. Checks from elsewhere are ignored.
    /// - Castling is worth 0: neither piece can be captured at once.
    ///
    /// ```
    /// use halfmove_rules::{Chess, EXCHANGE_VALUES, Move, Square};
    /// let position: Chess = "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1".parse()?;
    /// let takes = Move::normal(Square::E1, Square::E5);
    /// assert_eq!(position.see(takes, &EXCHANGE_VALUES), 100);
    /// assert!(position.see_at_least(takes, 100, &EXCHANGE_VALUES));
    /// assert!(!position.see_at_least(takes, 101, &EXCHANGE_VALUES));
    /// # Ok::<(), halfmove_rules::FenError>(())
    /// ```
    ///
    /// # Panics
    /// In builds with overflow checks, if `values` are large enough for a few of them to overflow.
    ///
    /// # Source
    /// "Static Exchange Evaluation" and "SEE - The Swap Algorithm", Chess Programming Wiki.
    pub fn see(&self, mv: Move, values: &[i32; 8]) -> i32 {
        let Some((mut exchange, gain)) = Exchange::begin(self, mv, values) else {
            return 0;
        };
        // The gain of each capture, if the one before was made. There are fewer pieces than squares.
        let mut gains = ArrayVec::<i32, 64>::new();
        while let Some(gain) = exchange.capture() {
            gains.push(gain);
        }
        gain - gains.into_iter().rev().fold(0, |rest, gain| (gain - rest).max(0))
    }

    /// Returns true if [`Chess::see`] is at least `threshold`, computed only as far as needed.
    ///
    /// # Panics
    /// Like [`Chess::see`].
    pub fn see_at_least(&self, mv: Move, threshold: i32, values: &[i32; 8]) -> bool {
        let Some((mut exchange, mut score)) = Exchange::begin(self, mv, values) else {
            return threshold <= 0;
        };
        // `score` is ours after the captures so far. A side that is satisfied with it stops;
        // otherwise it has to capture.
        loop {
            // They capture, unless they are satisfied or their best capture still leaves us
            // satisfied.
            if score < threshold {
                return false;
            }
            if score - exchange.most() >= threshold {
                return true;
            }
            let Some(gain) = exchange.capture() else { return true };
            score -= gain;
            if score >= threshold {
                return true;
            }
            if score + exchange.most() < threshold {
                return false;
            }
            let Some(gain) = exchange.capture() else { return false };
            score += gain;
        }
    }
}

/// A series of captures on one square.
struct Exchange<'a> {
    position: &'a Chess,
    values: &'a [i32; 8],
    square: Square,
    /// The piece now on the square.
    piece: Role,
    /// All pieces except those that have been captured or have captured on the square.
    occupied: Bitboard,
    /// The side to capture.
    side: Color,
}

impl<'a> Exchange<'a> {
    /// The exchange after a move, and what that move won; `None` for castling.
    fn begin(position: &'a Chess, mv: Move, values: &'a [i32; 8]) -> Option<(Self, i32)> {
        if mv.is_castle() {
            return None;
        }
        let board = position.board();
        let mover = board.role_at(mv.from())?;
        let mut gain = board.role_at(mv.to()).map_or(0, |role| values[role.index()]);
        let mut occupied = board.occupied() - mv.from();
        if let Some(pawn) = position.taken_en_passant(mv) {
            occupied -= pawn;
            gain += values[Role::Pawn.index()];
        }
        let piece = mv.promotion().unwrap_or(mover);
        gain += values[piece.index()] - values[mover.index()];
        let side = !position.side_to_move();
        let square = mv.to();
        Some((Self { position, values, square, piece, occupied, side }, gain))
    }

    /// The most that the next capture can win.
    fn most(&self) -> i32 {
        self.values[self.piece.index()] + self.queening().max(0)
    }

    /// The gain of a capturing pawn that becomes a queen on this square.
    fn queening(&self) -> i32 {
        if self.square.rank() == relative_rank(self.side, Rank::Eighth) {
            self.values[Role::Queen.index()] - self.values[Role::Pawn.index()]
        } else {
            0
        }
    }

    /// Captures with the least valuable piece of the side to capture, and returns the value won;
    /// `None` if it cannot capture.
    fn capture(&mut self) -> Option<i32> {
        let (board, square, us) = (self.position.board(), self.square, self.side);
        let others = self.occupied - square;
        let attackers = board.attackers(square, us, self.occupied) & others;
        if attackers.is_empty() {
            return None;
        }
        let king = self.position.king(us);
        let pinned = self.position.pinned_among(us, self.occupied | square);
        let free = attackers - (pinned - lines::line(king, square));
        let (role, from) = BY_VALUE.into_iter().find_map(|role| {
            let pieces = free & board.by_piece(Piece { color: us, role });
            pieces.first().map(|from| (role, from))
        })?;
        if role == Role::King {
            let without = self.occupied - from;
            let guards = board.attackers(square, !us, without) & others;
            if !guards.is_empty() {
                return None;
            }
        }
        let mut gain = self.values[self.piece.index()];
        self.piece = role;
        if role == Role::Pawn {
            let queening = self.queening();
            gain += queening;
            if queening != 0 {
                self.piece = Role::Queen;
            }
        }
        self.occupied -= from;
        self.side = !us;
        Some(gain)
    }
}
