//! Static exchange evaluation: what a series of captures on one square is worth.
//!
//! Both sides take on the square in turn, and each may stop when going on would lose. They take with
//! their least valuable piece, and of several such with the one on the first square: nearly always the
//! best choice, but not where it opens a line to the square for the other side. Nothing is played: pieces
//! leave a set of occupied squares, and those behind them (*x-rays*) come into view.

use crate::chess::relative_rank;
use crate::{Bitboard, Chess, Color, Move, Piece, Role, Square};
use arrayvec::ArrayVec;
use halfmove_bitboard::{Rank, lines};

/// The usual values of the pieces in centipawns, by [`Role::index`]. Khon and met have none: they are not
/// pieces of chess. A king is never taken, so its value is never added.
///
/// # Source
/// Tomasz Michniewski, "Simplified Evaluation Function", Chess Programming Wiki.
pub const EXCHANGE_VALUES: [i32; 8] = [100, 320, 330, 500, 900, 20_000, 0, 0];

/// The order in which pieces take: the least valuable first, the king last.
const BY_VALUE: [Role; 6] = Role::CHESS;

impl Chess {
    /// What a legal move gains or loses on its square when both sides then take there as long as it pays.
    /// The result has the unit of `values`, which are indexed by [`Role::index`], like
    /// [`EXCHANGE_VALUES`].
    ///
    /// - A move that takes nothing gains nothing, but may lose its piece.
    /// - A pawn that takes on the last rank becomes a queen.
    /// - A piece takes only if no pin forbids it as the pieces then stand; a king only if no hostile piece
    ///   attacks the square. Checks from elsewhere are not seen.
    /// - Castling is worth 0: its pieces are not at risk at once.
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
    /// In builds that check for overflow, if the values are so large that a few of them overflow.
    ///
    /// # Source
    /// "Static Exchange Evaluation" and "SEE - The Swap Algorithm", Chess Programming Wiki.
    pub fn see(&self, mv: Move, values: &[i32; 8]) -> i32 {
        let Some((mut exchange, gain)) = Exchange::begin(self, mv, values) else {
            return 0;
        };
        // What each capture takes, if the one before was made. There are fewer pieces than squares.
        let mut gains = ArrayVec::<i32, 64>::new();
        while let Some(gain) = exchange.capture() {
            gains.push(gain);
        }
        gain - gains.into_iter().rev().fold(0, |rest, gain| (gain - rest).max(0))
    }

    /// Whether [`Chess::see`] is at least `threshold`: the same question, answered as soon as it
    /// is decided.
    ///
    /// # Panics
    /// As [`Chess::see`].
    pub fn see_at_least(&self, mv: Move, threshold: i32, values: &[i32; 8]) -> bool {
        let Some((mut exchange, mut score)) = Exchange::begin(self, mv, values) else {
            return threshold <= 0;
        };
        // `score` is ours after the captures so far. Whoever is content with it stops, and whoever
        // is not has to take.
        loop {
            // They take, unless they are content or what they can take leaves us content.
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
    /// The piece on the square now.
    piece: Role,
    /// All pieces except those that are gone or have taken on the square.
    occupied: Bitboard,
    /// Who takes next.
    side: Color,
}

impl<'a> Exchange<'a> {
    /// The exchange after a move, and what the move gained; `None` for castling.
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

    /// What the next capture can gain at most.
    fn most(&self) -> i32 {
        self.values[self.piece.index()] + self.queening()
    }

    /// What a pawn that takes on this square gains by becoming a queen.
    fn queening(&self) -> i32 {
        if self.square.rank() == relative_rank(self.side, Rank::Eighth) {
            self.values[Role::Queen.index()] - self.values[Role::Pawn.index()]
        } else {
            0
        }
    }

    /// Takes with the least valuable piece of the side to take, and returns what that gains; `None` if it
    /// has no piece to take with.
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
