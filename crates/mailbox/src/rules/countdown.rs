//! Counting, by which a side that cannot win limits the rest of the game (the source's `countdown` and its file
//! `rules/countdown.ts`).
//!
//! There is no count while an unpromoted bia is on the board.
//!
//! - *Board's honor* (sak kradan): the weaker side, as long as it is not bare, counts its own moves, 1, 2, … 64. It may
//!   start and stop at any time. If it gives checkmate while counting, the game is drawn. While it counts, its opponent
//!   may accept a draw.
//! - *Pieces' honor* (sak mak): a bare king counts its own moves, from the number of pieces on the
//!   board plus one to a limit that depends on the chaser's pieces:
//!
//! | two rooks | a rook | two khons | two knights | a khon | else |
//! | --- | --- | --- | --- | --- | --- |
//! | 8 | 16 | 22 | 32 | 44 | 64 |
//!
//! The limit stays the same once the count has begun. After the limit has been announced, the
//! chaser has one last move. Unless that move is checkmate, the next move of the counting side
//! draws.
//!
//! In ASEAN chess only a bare king counts, from 1, and the count begins when the bare king is next
//! to move. There are two readings of the limits:
//!
//! | | a rook | a khon | a knight | else | a bia on the board |
//! | --- | --- | --- | --- | --- | --- |
//! | [`CountingPolicy::Auto`], [`CountingPolicy::Thai`] | 16 | 44 | 64 | no count | no count |
//! | [`CountingPolicy::Fairy11`] | 16 | 44 with a met | 64 with a met | no count | ignored |

use crate::{Board, Kind, Makruk, Rules};
use halfmove_rules::{Color, Square};
use thiserror::Error;

/// The kind of a count.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Honor {
    /// Board's honor (sak kradan): a side that still has pieces counts to 64.
    Board,
    /// Pieces' honor (sak mak): a bare king counts to a limit that depends on the pieces against
    /// it.
    Pieces,
}

/// A count in progress, in half-moves as in Fairy-Stockfish: all numbers are twice the announced
/// ones.
///
/// ```
/// use halfmove_mailbox::{CountingPolicy, Dialect, Honor, Makruk, Rules};
/// use halfmove_rules::Color;
///
/// // The rook captures Black's last piece.
/// let fen = "8/8/4k3/8/6K1/s5R1/7R/8 w - - 0 1";
/// let position = Makruk::from_fen(fen, Rules::Makruk, Dialect::Fairy, CountingPolicy::Thai)?;
/// let mv = position.parse_san("Rxa3").expect("a legal move");
/// let position = position.play(mv).expect("a legal move");
/// let count = position.counting().expect("a bare king counts");
/// assert_eq!((count.honor, count.color), (Honor::Pieces, Color::Black));
/// assert_eq!((count.limit / 2, count.first), (8, 5), "two rooks, four pieces");
/// assert_eq!(count.spoken(), 4, "as if it had counted the pieces");
/// # Ok::<(), halfmove_mailbox::MakrukError>(())
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Counting {
    /// The kind of count.
    pub honor: Honor,
    /// The counting side.
    pub color: Color,
    /// The first number announced, or to be announced, in moves.
    pub first: u16,
    /// The limit, in half-moves.
    pub limit: u16,
    /// The progress, in half-moves: even before a move of the counting side, odd after it.
    pub ply: u16,
}

/// The rules by which counts start and end.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum CountingPolicy {
    /// As people play: board's honor is [claimed](Makruk::claim_count) and may be
    /// [stopped](Makruk::stop_count); pieces' honor starts automatically.
    Thai,
    /// As Fairy-Stockfish plays: board's honor starts automatically too, for the side that is to
    /// move once no bias are left. Checkmate always wins.
    Auto,
    /// As Fairy-Stockfish 11.1 plays: in ASEAN chess a khon or a knight sets a limit only together
    /// with a met, and the chaser's bias do not prevent a count. In other games like
    /// [`Auto`](Self::Auto).
    Fairy11,
    /// As makruk-js plays: both counts are claimed and may be stopped; board's honor starts at the number of pieces,
    /// pieces' honor at 1; three pieces of a kind set no limit; the game is drawn once the limit has been announced and
    /// the opponent has moved.
    MakrukJs,
}

/// The reason why a count cannot be claimed or stopped.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CountingError {
    /// Counts start and end automatically.
    #[error("counts start and end automatically")]
    Automatic,
    /// A bia is on the board.
    #[error("a bia stands on {0}, expected none: no side counts while a bia is left")]
    Bia(Square),
    /// A side is counting already.
    #[error("{0} is counting already")]
    Running(Color),
    /// A bare king cannot count board's honor.
    #[error("{0} has only its king: pieces' honor starts automatically")]
    Bare(Color),
    /// ASEAN chess has no board's honor.
    #[error("ASEAN chess has no count for a side that still has pieces")]
    NotInAsean,
    /// Neither side is counting.
    #[error("no side is counting")]
    NotRunning,
    /// Pieces' honor cannot be stopped.
    #[error("the count of a bare king ends only with the game")]
    Pieces,
}

impl Counting {
    /// The last number announced; before the first, one less than that.
    pub const fn spoken(&self) -> u16 {
        self.ply.div_ceil(2)
    }

    /// Returns true if the count has run out, so that the game is drawn.
    pub(crate) fn is_over(&self, policy: CountingPolicy) -> bool {
        match policy {
            CountingPolicy::Thai | CountingPolicy::Auto | CountingPolicy::Fairy11 => {
                self.ply > self.limit
            }
            CountingPolicy::MakrukJs => self.ply >= self.limit && self.ply.is_multiple_of(2),
        }
    }

    /// Returns true if checkmate by this side is only a draw, because it is counting.
    pub(crate) fn forbids_mate_by(&self, color: Color, policy: CountingPolicy) -> bool {
        policy == CountingPolicy::Thai && self.honor == Honor::Board && self.color == color
    }

    /// A count that starts with the number `first`.
    fn new(honor: Honor, color: Color, first: u16, moves: u16) -> Self {
        Self { honor, color, first, limit: 2 * moves, ply: 2 * first.saturating_sub(1) }
    }
}

impl Makruk {
    /// The count in progress.
    pub fn counting(&self) -> Option<Counting> {
        self.game.counting
    }

    /// The position in which the side to move starts counting with its next move.
    ///
    /// The players decide which side is the weaker one.
    ///
    /// # Errors
    /// [`CountingError`], if counting may not start now.
    pub fn claim_count(&self) -> Result<Self, CountingError> {
        let us = self.side_to_move;
        if let Some(count) = self.game.counting {
            return Err(CountingError::Running(count.color));
        }
        let bias = Color::ALL.map(|color| self.board.list(color, Kind::Pawn)).concat();
        if let Some(bia) = bias.first() {
            return Err(CountingError::Bia(bia.square()));
        }
        let bare = Color::ALL.into_iter().find(|color| is_bare(&self.board, *color));
        let count = match (self.game.policy, bare) {
            (CountingPolicy::Auto | CountingPolicy::Fairy11, _) => {
                return Err(CountingError::Automatic);
            }
            (CountingPolicy::Thai, _) if self.game.rules == Rules::Asean => {
                return Err(CountingError::NotInAsean);
            }
            (CountingPolicy::Thai, Some(color)) => return Err(CountingError::Bare(color)),
            (CountingPolicy::Thai, None) => Counting::new(Honor::Board, us, 1, 64),
            (CountingPolicy::MakrukJs, _) => makruk_js_count(&self.board, us),
        };
        Ok(self.with_counting(Some(count)))
    }

    /// The position in which counting has stopped.
    ///
    /// # Errors
    /// [`CountingError`], if neither side is counting or the count cannot be stopped.
    pub fn stop_count(&self) -> Result<Self, CountingError> {
        match (self.game.policy, self.game.counting) {
            (CountingPolicy::Auto | CountingPolicy::Fairy11, _) => Err(CountingError::Automatic),
            (_, None) => Err(CountingError::NotRunning),
            (CountingPolicy::Thai, Some(Counting { honor: Honor::Pieces, .. })) => {
                Err(CountingError::Pieces)
            }
            (_, Some(_)) => Ok(self.with_counting(None)),
        }
    }

    fn with_counting(&self, counting: Option<Counting>) -> Self {
        let mut state = self.clone();
        state.game.counting = counting;
        state
    }

    /// The count after a move, given the board and the side to move after it.
    pub(crate) fn counting_after(
        &self,
        before: &Self,
        taken: Option<Kind>,
        promoted: bool,
    ) -> Option<Counting> {
        let (us, them) = (before.side_to_move, self.side_to_move);
        // The parity of a ply gives the side to move, so a count at its maximum alternates.
        let next = |ply: u16| if ply == u16::MAX { ply - 1 } else { ply + 1 };
        let count = before.game.counting.map(|count| Counting { ply: next(count.ply), ..count });
        match self.game.policy {
            CountingPolicy::MakrukJs => match count {
                // The pieces before the move decide. The move itself is the first to count.
                Some(Counting { honor: Honor::Board, .. }) if is_bare(&before.board, us) => {
                    Some(Counting { ply: 1, ..makruk_js_count(&before.board, us) })
                }
                count => count,
            },
            CountingPolicy::Thai | CountingPolicy::Auto | CountingPolicy::Fairy11 => {
                if self.game.rules != Rules::Asean
                    && taken == Some(Kind::Pawn)
                    && is_bare(&self.board, us)
                    && let Some(started) = self.automatic_count(us)
                {
                    // The king captured the last bia: that move already counts.
                    return Some(Counting {
                        first: started.first - 1,
                        ply: started.ply - 1,
                        ..started
                    });
                }
                // In ASEAN chess nothing restarts a count, not even a promotion.
                let bared = self.game.rules != Rules::Asean
                    && is_bare(&self.board, them)
                    && (taken.is_some() || promoted);
                if count.is_none() || bared { self.automatic_count(them).or(count) } else { count }
            }
        }
    }

    /// The count of a bare king in ASEAN chess.
    fn asean_count(&self, color: Color) -> Option<Counting> {
        if !is_bare(&self.board, color) {
            return None;
        }
        let limit = asean_limit(&self.board, !color, self.game.policy)?;
        Some(Counting::new(Honor::Pieces, color, 1, limit))
    }

    /// The count that starts automatically for a side, if any. There is no count against a bare king.
    fn automatic_count(&self, color: Color) -> Option<Counting> {
        let board = &self.board;
        if self.game.rules == Rules::Asean {
            return self.asean_count(color);
        }
        let no_bia = Color::ALL.into_iter().all(|color| board.count(color, Kind::Pawn) == 0);
        let pieces = board.pieces().count() as u16;
        if !no_bia || is_bare(board, !color) {
            None
        } else if is_bare(board, color) {
            let limit = pieces_limit(board, !color);
            Some(Counting::new(Honor::Pieces, color, pieces + 1, limit))
        } else {
            let begins = matches!(self.game.policy, CountingPolicy::Auto | CountingPolicy::Fairy11);
            begins.then(|| Counting::new(Honor::Board, color, 1, 64))
        }
    }
}

/// The limit, in moves, of a bare king in ASEAN chess, according to the policy.
fn asean_limit(board: &Board, chaser: Color, policy: CountingPolicy) -> Option<u16> {
    let has = |kind| board.count(chaser, kind) > 0;
    let fairy = policy == CountingPolicy::Fairy11;
    if !fairy && has(Kind::Pawn) {
        return None;
    }
    if has(Kind::Rook) {
        return Some(16);
    }
    if fairy && !has(Kind::Met) {
        return None;
    }
    if has(Kind::Khon) {
        return Some(44);
    }
    has(Kind::Knight).then_some(64)
}

/// Returns true if a side has only its king.
pub(crate) fn is_bare(board: &Board, color: Color) -> bool {
    board.count_side(color) == 1
}

/// The limit, in moves, of a bare king.
fn pieces_limit(board: &Board, chaser: Color) -> u16 {
    let has = |kind, number| board.count(chaser, kind) >= number;
    if has(Kind::Rook, 2) {
        8
    } else if has(Kind::Rook, 1) {
        16
    } else if has(Kind::Khon, 2) {
        22
    } else if has(Kind::Knight, 2) {
        32
    } else if has(Kind::Khon, 1) {
        44
    } else {
        64
    }
}

/// The count that makruk-js starts for a side.
fn makruk_js_count(board: &Board, color: Color) -> Counting {
    if !is_bare(board, color) {
        let pieces = board.pieces().count() as u16;
        return Counting::new(Honor::Board, color, pieces, 64);
    }
    let limits = [(Kind::Rook, 16), (Kind::Khon, 44), (Kind::Knight, 64)];
    let limit = limits.into_iter().find_map(|(kind, limit)| match board.count(!color, kind) {
        number @ (1 | 2) => Some(limit / number as u16),
        _ => None,
    });
    Counting::new(Honor::Pieces, color, 1, limit.unwrap_or(64))
}
