//! Counting: how a side that cannot win limits the game.
//!
//! Nobody counts while a bia that has not been promoted is on the board.
//!
//! - *Board's honor* (sak kradan): the weaker side, not bare, counts its own moves, 1, 2, … 64. It may
//!   begin when it likes and stop when it likes. If it mates while it counts, the game is drawn. While
//!   it counts, its opponent may take the draw.
//! - *Pieces' honor* (sak mak): a bare king counts its own moves from the number of pieces on the board
//!   plus one, to a limit that depends on what it has against it:
//!
//! | two rooks | a rook | two khons | two knights | a khon | else |
//! | --- | --- | --- | --- | --- | --- |
//! | 8 | 16 | 22 | 32 | 44 | 64 |
//!
//! The limit stays as it was when the count began. After the limit is spoken the other side has one last
//! move; unless that mates, the counter's next move draws.
//!
//! In ASEAN chess only a bare king counts, from 1, and the count begins no earlier than with the bare
//! king to move. There are two readings of what it counts against:
//!
//! | | a rook | a khon | a knight | else | a bia on the board |
//! | --- | --- | --- | --- | --- | --- |
//! | [`CountingPolicy::Auto`], [`CountingPolicy::Thai`] | 16 | 44 | 64 | no count | no count |
//! | [`CountingPolicy::Fairy11`] | 16 | 44 with a met | 64 with a met | no count | ignored |

use super::{Makruk, Rules};
use crate::{Board, Kind};
use halfmove_rules::{Color, Square};
use thiserror::Error;

/// What a count is for.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Honor {
    /// The board's (sak kradan): a side that still has pieces counts to 64.
    Board,
    /// The pieces' (sak mak): a bare king counts to what the pieces against it are worth.
    Pieces,
}

/// A count under way, in half-moves as Fairy-Stockfish keeps it: all numbers are twice what is spoken.
///
/// ```
/// use halfmove_mailbox::{CountingPolicy, Dialect, Honor, Makruk, Rules};
/// use halfmove_rules::Color;
///
/// // The rook takes the last piece of Black.
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
    /// What it is for.
    pub honor: Honor,
    /// Who counts.
    pub color: Color,
    /// The number that was, or will be, spoken first (in moves).
    pub first: u16,
    /// Where it ends, in half-moves.
    pub limit: u16,
    /// Where it is, in half-moves: even before a move of the side that counts, odd after it.
    pub ply: u16,
}

/// By whose habits counts begin and end.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum CountingPolicy {
    /// As people play: the board's honor is [claimed](Makruk::claim_count) and may be
    /// [stopped](Makruk::stop_count), the pieces' honor begins by itself.
    Thai,
    /// As Fairy-Stockfish plays: the board's honor begins by itself too, for the side to move as soon
    /// as no bia is left. Mate wins, whoever counts.
    Auto,
    /// As Fairy-Stockfish 11.1 plays: in ASEAN chess a khon or a knight sets a limit only beside a met,
    /// and the attacker's bias do not stop a count. In the other games as [`Auto`](Self::Auto).
    Fairy11,
    /// As makruk-js plays: both are claimed and may be stopped; the board's honor begins with the
    /// number of pieces, the pieces' honor with 1; three pieces of a kind set no limit; the game is
    /// drawn once the limit is spoken and answered.
    MakrukJs,
}

/// Why nobody can begin or stop to count.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CountingError {
    /// Counts begin and end by themselves.
    #[error("counts begin and end by themselves here")]
    Automatic,
    /// There is a bia.
    #[error("a bia stands on {0}, expected none: nobody counts before")]
    Bia(Square),
    /// A count is running.
    #[error("{0} is counting already")]
    Running(Color),
    /// The board's honor with a bare king.
    #[error("{0} has only its king: the pieces' honor begins by itself")]
    Bare(Color),
    /// ASEAN chess has no count for a side that still has pieces.
    #[error("ASEAN chess has no count for a side that still has pieces")]
    NotInAsean,
    /// No count is running.
    #[error("nobody is counting")]
    NotRunning,
    /// The pieces' honor, which cannot be stopped.
    #[error("the count of a bare king ends with the game only")]
    Pieces,
}

impl Counting {
    /// The number last spoken; before the first, one less.
    pub const fn spoken(&self) -> u16 {
        self.ply.div_ceil(2)
    }

    /// Whether the game is drawn.
    pub(super) fn is_over(&self, policy: CountingPolicy) -> bool {
        match policy {
            CountingPolicy::Thai | CountingPolicy::Auto | CountingPolicy::Fairy11 => {
                self.ply > self.limit
            }
            CountingPolicy::MakrukJs => self.ply >= self.limit && self.ply.is_multiple_of(2),
        }
    }

    /// Whether a mate by this side is only a draw, as it is counting itself.
    pub(super) fn forbids_mate_by(&self, color: Color, policy: CountingPolicy) -> bool {
        policy == CountingPolicy::Thai && self.honor == Honor::Board && self.color == color
    }

    /// A count whose next number is the first.
    fn new(honor: Honor, color: Color, first: u16, moves: u16) -> Self {
        Self { honor, color, first, limit: 2 * moves, ply: 2 * first.saturating_sub(1) }
    }
}

impl Makruk {
    /// The count under way.
    pub fn counting(&self) -> Option<Counting> {
        self.counting
    }

    /// The position in which the side to move counts, from its next move on.
    ///
    /// Whether it is the weaker side is for the players to say.
    ///
    /// # Errors
    /// [`CountingError`], if nothing can be claimed.
    pub fn claim_count(&self) -> Result<Self, CountingError> {
        let us = self.side_to_move;
        if let Some(count) = self.counting {
            return Err(CountingError::Running(count.color));
        }
        let bias = Color::ALL.map(|color| self.board.list(color, Kind::Pawn)).concat();
        if let Some(bia) = bias.first() {
            return Err(CountingError::Bia(bia.square()));
        }
        let bare = Color::ALL.into_iter().find(|color| is_bare(&self.board, *color));
        let count = match (self.policy, bare) {
            (CountingPolicy::Auto | CountingPolicy::Fairy11, _) => {
                return Err(CountingError::Automatic);
            }
            (CountingPolicy::Thai, _) if self.rules == Rules::Asean => {
                return Err(CountingError::NotInAsean);
            }
            (CountingPolicy::Thai, Some(color)) => return Err(CountingError::Bare(color)),
            (CountingPolicy::Thai, None) => Counting::new(Honor::Board, us, 1, 64),
            (CountingPolicy::MakrukJs, _) => makruk_js_count(&self.board, us),
        };
        Ok(Self { counting: Some(count), ..self.clone() })
    }

    /// The position in which nobody counts any longer.
    ///
    /// # Errors
    /// [`CountingError`], if there is nothing to stop, or it cannot be stopped.
    pub fn stop_count(&self) -> Result<Self, CountingError> {
        match (self.policy, self.counting) {
            (CountingPolicy::Auto | CountingPolicy::Fairy11, _) => Err(CountingError::Automatic),
            (_, None) => Err(CountingError::NotRunning),
            (CountingPolicy::Thai, Some(Counting { honor: Honor::Pieces, .. })) => {
                Err(CountingError::Pieces)
            }
            (_, Some(_)) => Ok(Self { counting: None, ..self.clone() }),
        }
    }

    /// The count after a move. The pieces and the side to move are already those after it.
    pub(super) fn counting_after(
        &self,
        before: &Self,
        taken: Option<Kind>,
        promoted: bool,
    ) -> Option<Counting> {
        let (us, them) = (before.side_to_move, self.side_to_move);
        let count =
            before.counting.map(|count| Counting { ply: count.ply.saturating_add(1), ..count });
        match self.policy {
            CountingPolicy::MakrukJs => match count {
                // Decided by the pieces before the move. The move is the first to be counted.
                Some(Counting { honor: Honor::Board, .. }) if is_bare(&before.board, us) => {
                    Some(Counting { ply: 1, ..makruk_js_count(&before.board, us) })
                }
                count => count,
            },
            CountingPolicy::Thai | CountingPolicy::Auto | CountingPolicy::Fairy11 => {
                if self.rules != Rules::Asean
                    && taken == Some(Kind::Pawn)
                    && is_bare(&self.board, us)
                    && let Some(started) = self.automatic_count(us)
                {
                    // The king has taken the last bia: that move is already counted.
                    return Some(Counting {
                        first: started.first - 1,
                        ply: started.ply - 1,
                        ..started
                    });
                }
                // In ASEAN chess nothing begins a count anew, not even a promotion.
                let bared = self.rules != Rules::Asean
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
        let limit = asean_limit(&self.board, !color, self.policy)?;
        Some(Counting::new(Honor::Pieces, color, 1, limit))
    }

    /// The count that begins by itself for a side, if one does. Nobody counts against a bare king.
    fn automatic_count(&self, color: Color) -> Option<Counting> {
        let board = &self.board;
        if self.rules == Rules::Asean {
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
            let begins = matches!(self.policy, CountingPolicy::Auto | CountingPolicy::Fairy11);
            begins.then(|| Counting::new(Honor::Board, color, 1, 64))
        }
    }
}

/// How many moves a bare king of ASEAN chess has against a side, by the policy's reading.
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

/// Whether a side has nothing but its king.
fn is_bare(board: &Board, color: Color) -> bool {
    board.side(color).count() == 1
}

/// How many moves a bare king has to count against a side.
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

/// The count that makruk-js begins for a side.
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
