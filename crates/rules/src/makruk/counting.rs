//! Counting: how a side that cannot win limits the game.
//!
//! Nobody counts while a bia that is not promoted stands on the board.
//!
//! **Board's honor** (*sak kradan*). The weaker side, which still has a piece beside its king, may
//! count its own moves aloud: one, two … sixty-four. It begins when it likes, stops when it likes,
//! and begins again at one. While it counts, the opponent may take the draw; if it gives mate itself
//! without having stopped, the game is drawn.
//!
//! **Pieces' honor** (*sak mak*). A bare king counts its own moves, from the number of pieces on the
//! board plus one. The limit depends on what chases it; the first row that fits is the one, and it
//! stays as it was when the count began:
//!
//! | the other side has | limit |
//! | --- | --- |
//! | two rooks or more | 8 |
//! | a rook | 16 |
//! | two khons or more | 22 |
//! | two knights or more | 32 |
//! | a khon | 44 |
//! | a knight, or mets only | 64 |
//!
//! After the limit is spoken the chaser has one more move, and mate on it wins. The game is drawn when
//! the counter then gets in another move.
//!
//! Two rooks and a king against a king are four pieces: the count goes 5, 6, 7, 8.
//!
//! ```
//! use halfmove_rules::makruk::Honor;
//! use halfmove_rules::{Makruk, Move, Square};
//!
//! // The rook takes the last piece of Black.
//! let position: Makruk = "8/8/4k3/8/6K1/s5R1/7R/8 w - - 0 1".parse().unwrap();
//! let position = position.play(Move::normal(Square::G3, Square::A3)).unwrap();
//! let count = position.counting().unwrap();
//! assert_eq!((count.honor, count.limit, count.next_number()), (Honor::Pieces, 8, 5));
//! ```
//!
//! # Source
//! The rules of the Thai federation as quoted by Poompat (chessvariants.com, 2004); the guide of
//! pychess-variants; Fairy-Stockfish, `position.cpp` (2026), which [`CountingPolicy::Auto`] follows
//! ply for ply.

use super::{Makruk, Rules};
use crate::{Board, Color, Role, Square};
use core::fmt;
use thiserror::Error;

/// Why a side counts.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Honor {
    /// It has asked to, though it still has pieces (*sak kradan*).
    Board,
    /// It has only its king (*sak mak*).
    Pieces,
}

impl fmt::Display for Honor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Board => "board's honor",
            Self::Pieces => "pieces' honor",
        })
    }
}

/// A count under way.
///
/// One number is spoken with each move of the side that counts. It is kept in plies, as FEN has it:
/// an odd `ply` says that the number has just been spoken, an even one that the next is due.
///
/// ```
/// use halfmove_rules::{Color, Makruk};
/// let position: Makruk = "8/3k4/8/8/8/5K2/8/2R4R w - 16 17 6".parse().unwrap();
/// let count = position.counting().unwrap();
/// assert_eq!((count.color, count.number(), count.limit), (Color::Black, 9, 8));
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Counting {
    /// Why it counts.
    pub honor: Honor,
    /// Who counts.
    pub color: Color,
    /// The last number before the draw.
    pub limit: u16,
    /// Twice the number last spoken, less one if it was spoken in the last half-move.
    pub ply: u16,
    /// The number spoken first, if known; only makruk-js's FEN has it.
    pub first: Option<u16>,
}

impl Counting {
    /// The number last spoken; 0, or one less than the first, if none has been.
    pub const fn number(&self) -> u16 {
        self.ply.div_ceil(2)
    }

    /// The number to be spoken next.
    pub const fn next_number(&self) -> u16 {
        self.number() + 1
    }

    /// How many moves the side that does not count has left to mate; the last comes after the limit has
    /// been spoken.
    ///
    /// ```
    /// use halfmove_rules::Makruk;
    /// let position: Makruk = "7k/8/5K2/8/8/8/8/R7 w - 32 31 90".parse().unwrap();
    /// assert_eq!(position.counting().unwrap().chaser_moves_left(), 1);
    /// ```
    pub const fn chaser_moves_left(&self) -> u16 {
        // Its next move is its `n`-th if `2 n` plies, from its own to its own, are within the limit.
        ((2 * self.limit as u32 + 1).saturating_sub(self.ply as u32) / 2) as u16
    }

    /// Whether the count has run out.
    pub(super) fn is_over(&self, policy: CountingPolicy) -> bool {
        let (ply, limit) = (u32::from(self.ply), 2 * u32::from(self.limit));
        match policy {
            CountingPolicy::Auto | CountingPolicy::Thai => ply > limit,
            CountingPolicy::MakrukJs => ply >= limit && ply.is_multiple_of(2),
        }
    }
}

/// Who starts a count, and when it ends.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CountingPolicy {
    /// Both counts start by themselves, board's honor for whoever is to move once no bia is left, and
    /// nobody can stop them; a mate is a mate. So Fairy-Stockfish plays, and pychess against engines.
    #[default]
    Auto,
    /// Board's honor is [claimed](Makruk::claim_count) and [stopped](Makruk::stop_count) by the
    /// player; pieces' honor starts by itself. So people play.
    Thai,
    /// As the program makruk-js counts. Both counts are claimed; board's honor starts at the number
    /// of pieces, pieces' honor at one; a khon goes before two knights; the game is drawn as soon as
    /// the limit has been spoken and answered.
    MakrukJs,
}

/// Why a count can not be claimed or stopped.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CountingError {
    /// Counts start and end by themselves here.
    #[error("counts start and end by themselves under this policy")]
    Automatic,
    /// The game has no such count.
    #[error("{0} has no count for a side that still has pieces")]
    Unknown(Rules),
    /// A bia that is not promoted is left.
    #[error("a bia stands on {0}, expected none: nobody counts while a bia is left")]
    BiaLeft(Square),
    /// A side, perhaps this one, is counting already.
    #[error("{0} is counting already")]
    Counting(Color),
    /// A side has only its king.
    #[error("{0} has only its king: pieces' honor starts by itself")]
    BareKing(Color),
    /// Nobody is counting.
    #[error("nobody is counting")]
    NotCounting,
    /// A bare king's count cannot be stopped.
    #[error("pieces' honor ends only with the game")]
    PiecesHonor,
}

impl Makruk {
    /// The side to move begins to count, with the move it is about to make.
    ///
    /// Who is the weaker side, common sense or the arbiter knows; it is not checked.
    ///
    /// # Errors
    /// [`CountingError`], if nobody may begin to count now.
    ///
    /// ```
    /// use halfmove_rules::makruk::CountingPolicy;
    /// use halfmove_rules::{Makruk, Move, Square};
    ///
    /// let start: Makruk = "8/8/K7/8/6s1/2N1r1k1/7m/8 w - - 0 41".parse().unwrap();
    /// let mut position = start.with_policy(CountingPolicy::Thai);
    /// position.claim_count().unwrap();
    /// position.play_unchecked(Move::normal(Square::A6, Square::B6));
    /// assert_eq!(position.counting().unwrap().number(), 1);
    /// position.stop_count().unwrap();
    /// assert_eq!(position.counting(), None);
    /// ```
    pub fn claim_count(&mut self) -> Result<(), CountingError> {
        let us = self.side_to_move;
        if self.policy == CountingPolicy::Auto {
            return Err(CountingError::Automatic);
        }
        if let Some(count) = self.counting {
            return Err(CountingError::Counting(count.color));
        }
        if let Some(square) = self.board.by_role(Role::Pawn).first() {
            return Err(CountingError::BiaLeft(square));
        }
        let bare = |color| self.board.by_color(color).len() == 1;
        let pieces = self.board.occupied().len() as u16;
        let (honor, limit, first) = match self.policy {
            CountingPolicy::MakrukJs if bare(us) => {
                (Honor::Pieces, chased_by_makruk_js(&self.board, !us, None), 1)
            }
            CountingPolicy::MakrukJs => (Honor::Board, 64, pieces),
            _ if self.rules == Rules::Asean => {
                return Err(CountingError::Unknown(self.rules));
            }
            _ => {
                if let Some(color) = Color::ALL.into_iter().find(|color| bare(*color)) {
                    return Err(CountingError::BareKing(color));
                }
                (Honor::Board, 64, 1)
            }
        };
        let ply = 2 * (first - 1);
        self.counting = Some(Counting { honor, color: us, limit, ply, first: Some(first) });
        Ok(())
    }

    /// The side that counts stops. It may claim a new count, which begins anew.
    ///
    /// # Errors
    /// [`CountingError`], if nobody counts or the count cannot be stopped.
    pub fn stop_count(&mut self) -> Result<(), CountingError> {
        match (self.policy, self.counting) {
            (CountingPolicy::Auto, _) => Err(CountingError::Automatic),
            (_, None) => Err(CountingError::NotCounting),
            (CountingPolicy::Thai, Some(Counting { honor: Honor::Pieces, .. })) => {
                Err(CountingError::PiecesHonor)
            }
            _ => {
                self.counting = None;
                Ok(())
            }
        }
    }

    /// Counts the half-move that has just been played by the side not to move.
    pub(super) fn count_half_move(&mut self, taken: Option<Role>, promoted: bool) {
        let mover = !self.side_to_move;
        if let Some(count) = &mut self.counting {
            count.ply = count.ply.saturating_add(1);
        }
        match self.policy {
            CountingPolicy::MakrukJs => self.count_as_makruk_js(mover, taken),
            _ => self.start_counts(mover, taken, promoted),
        }
    }

    fn start_counts(&mut self, mover: Color, taken: Option<Role>, promoted: bool) {
        let pieces = self.board.occupied().len() as u16;
        let bare = |color| self.board.by_color(color).len() == 1;
        let asean = self.rules == Rules::Asean;
        // The bare king itself has taken the last bia: this move was the first to be counted.
        if taken == Some(Role::Pawn)
            && bare(mover)
            && let Some(limit) = self.limit(mover)
        {
            let (first, ply) = if asean { (1, 0) } else { (pieces, 2 * pieces - 1) };
            let (honor, color) = (Honor::Pieces, mover);
            self.counting = Some(Counting { honor, color, limit, ply, first: Some(first) });
        }
        let us = self.side_to_move;
        let now_bare = bare(us) && (taken.is_some() || promoted);
        if (self.counting.is_none() || now_bare)
            && let Some(limit) = self.limit(us)
        {
            let (honor, first) = match (bare(us), asean) {
                (true, false) => (Honor::Pieces, pieces + 1),
                (true, true) => (Honor::Pieces, 1),
                (false, _) => (Honor::Board, 1),
            };
            if honor == Honor::Pieces || self.policy == CountingPolicy::Auto {
                let ply = 2 * (first - 1);
                self.counting = Some(Counting { honor, color: us, limit, ply, first: Some(first) });
            }
        }
    }

    /// To which number a side would count now, if it may.
    fn limit(&self, color: Color) -> Option<u16> {
        let bare = |color| self.board.by_color(color).len() == 1;
        if !self.board.by_role(Role::Pawn).is_empty() || bare(!color) {
            return None;
        }
        let theirs = |role| (self.board.by_color(!color) & self.board.by_role(role)).len();
        let (rooks, khons, knights) =
            (theirs(Role::Rook), theirs(Role::Khon), theirs(Role::Knight));
        match self.rules {
            Rules::Asean => match (bare(color), rooks, khons, knights) {
                (false, ..) | (_, 0, 0, 0) => None,
                (_, 1.., ..) => Some(16),
                (_, 0, 1.., _) => Some(44),
                _ => Some(64),
            },
            _ if !bare(color) => Some(64),
            _ => Some(match (rooks, khons, knights) {
                (2.., ..) => 8,
                (1, ..) => 16,
                (_, 2.., _) => 22,
                (.., 2..) => 32,
                (_, 1, _) => 44,
                _ => 64,
            }),
        }
    }

    /// Once a side that may count for the board is bare, its next move starts pieces' honor.
    fn count_as_makruk_js(&mut self, mover: Color, taken: Option<Role>) {
        let bare = self.board.by_color(mover).len() == 1;
        if bare && self.counting.is_some_and(|count| count.honor == Honor::Board) {
            // The program looks at the pieces before the move: one just taken still sets the limit.
            let limit = chased_by_makruk_js(&self.board, !mover, taken);
            let (honor, color) = (Honor::Pieces, mover);
            self.counting = Some(Counting { honor, color, limit, ply: 1, first: Some(1) });
        }
    }
}

/// The limit that makruk-js gives a bare king: three pieces of a kind do not count as two.
fn chased_by_makruk_js(board: &Board, chaser: Color, taken: Option<Role>) -> u16 {
    let theirs = |role| {
        (board.by_color(chaser) & board.by_role(role)).len() + u32::from(taken == Some(role))
    };
    for (role, limit) in [(Role::Rook, 16), (Role::Khon, 44), (Role::Knight, 64)] {
        match theirs(role) {
            1 => return limit,
            2 => return limit / 2,
            _ => {}
        }
    }
    64
}
