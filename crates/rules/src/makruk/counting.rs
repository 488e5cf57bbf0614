//! Counting, by which a side that cannot win limits the length of the game.
//!
//! There is no counting while an unpromoted bia is on the board.
//!
//! **Board's honor** (*sak kradan*). The weaker side, as long as it has a piece besides its king, may
//! count its own moves aloud, from one to sixty-four. It may stop at any time; a new count starts at
//! one again. During the count, the opponent may accept a draw. If the counting side gives checkmate
//! without having stopped, the game is drawn.
//!
//! **Pieces' honor** (*sak mak*). A bare king counts its own moves, starting from the number of
//! pieces on the board plus one. The first row that matches the chaser's pieces gives the limit,
//! which stays the same once the count has begun:
//!
//! | the chaser has | limit |
//! | --- | --- |
//! | two rooks or more | 8 |
//! | a rook | 16 |
//! | two khons or more | 22 |
//! | two knights or more | 32 |
//! | a khon | 44 |
//! | a knight, or mets only | 64 |
//!
//! After the limit has been announced, the chaser has one more move, and checkmate with that move
//! wins. The game is drawn once the counting side moves again.
//!
//! A king and two rooks against a king are four pieces, so the count goes 5, 6, 7, 8.
//!
//! **ASEAN chess** counts only for a bare king, and starts at one. Article 5.2e of the Laws of
//! ASEAN-Chess (2011) names three endings. It has two interpretations:
//!
//! | the chaser has | as clarified in 2021 | to the letter: [`CountingPolicy::Fairy11`] |
//! | --- | --- | --- |
//! | a rook | 16 | 16 |
//! | a khon | 44 | 44 with a met, else no count |
//! | a knight | 64 | 64 with a met, else no count |
//! | mets only | no count | no count |
//! | an unpromoted bia | no count | the bia is ignored |
//!
//! ```
//! use halfmove_rules::makruk::Honor;
//! use halfmove_rules::{Makruk, Move, Square};
//!
//! // The rook captures Black's last piece.
//! let position: Makruk = "8/8/4k3/8/6K1/s5R1/7R/8 w - - 0 1".parse().unwrap();
//! let position = position.play(Move::normal(Square::G3, Square::A3)).unwrap();
//! let count = position.counting().unwrap();
//! assert_eq!((count.honor(), count.limit(), count.next_number()), (Honor::Pieces, 8, 5));
//! ```
//!
//! # Source
//! The rules of the Thai federation as quoted by Poompat (chessvariants.com, 2004). The guide of
//! pychess-variants. Fairy-Stockfish, `position.cpp` (2026), which [`CountingPolicy::Auto`] follows
//! ply for ply.
//!
//! For ASEAN chess: *The Laws of ASEAN-Chess* of the ASEAN Chess Confederation (14 March 2011, amended
//! 26 November 2011), article 5.2e, as quoted in the older guide of pychess-variants; its
//! clarification by Sahapol Nakvanich, president of the Thailand Chess Association, in
//! Fairy-Stockfish's pull request 377 (2021).

use super::{Makruk, Rules};
use crate::{Board, Color, Role, Square};
use core::fmt;
use thiserror::Error;

/// The kind of a count.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Honor {
    /// A side that still has pieces chose to count (*sak kradan*).
    Board,
    /// A bare king counts (*sak mak*).
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

/// A count in progress.
///
/// The counting side announces one number with each of its moves. The count is stored in plies, as in
/// FEN: at an odd [`ply`](Self::ply) a number has just been announced, at an even one the next is due.
/// The limit is always one of those in the rules.
///
/// ```
/// use halfmove_rules::{Color, Makruk};
/// let position: Makruk = "8/3k4/8/8/8/5K2/8/2R4R w - 16 17 6".parse().unwrap();
/// let count = position.counting().unwrap();
/// assert_eq!((count.color(), count.number(), count.limit()), (Color::Black, 9, 8));
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Counting {
    honor: Honor,
    color: Color,
    limit: u16,
    ply: u16,
    first: Option<u16>,
}

impl Counting {
    /// A count with a limit in moves, at a ply. `None` if no rule has this limit: board's honor
    /// counts to 64, pieces' honor to 8, 16, 22, 32, 44 or 64.
    ///
    /// ```
    /// use halfmove_rules::Color;
    /// use halfmove_rules::makruk::{Counting, Honor};
    ///
    /// let count = Counting::new(Honor::Pieces, Color::Black, 16, 9).unwrap();
    /// assert_eq!((count.number(), count.limit()), (5, 16));
    /// assert_eq!(Counting::new(Honor::Board, Color::Black, 16, 9), None);
    /// ```
    pub const fn new(honor: Honor, color: Color, limit: u16, ply: u16) -> Option<Self> {
        match (honor, limit) {
            (_, 64) | (Honor::Pieces, 8 | 16 | 22 | 32 | 44) => {
                Some(Self { honor, color, limit, ply, first: None })
            }
            _ => None,
        }
    }

    /// The same count, with its first number. `None` if the count has not reached that number.
    pub(crate) const fn with_first(self, first: u16) -> Option<Self> {
        if first > self.next_number() {
            return None;
        }
        Some(Self { first: Some(first), ..self })
    }

    /// The kind of count.
    pub const fn honor(&self) -> Honor {
        self.honor
    }

    /// The counting side.
    pub const fn color(&self) -> Color {
        self.color
    }

    /// The last number before the draw.
    pub const fn limit(&self) -> u16 {
        self.limit
    }

    /// Twice the last announced number, minus one if it was announced with the last half-move.
    pub const fn ply(&self) -> u16 {
        self.ply
    }

    /// The first announced number, if known: only makruk-js's FEN has it.
    pub const fn first(&self) -> Option<u16> {
        self.first
    }

    /// The last announced number; before the first, one less than that.
    pub const fn number(&self) -> u16 {
        self.ply.div_ceil(2)
    }

    /// The next number to announce.
    pub const fn next_number(&self) -> u16 {
        self.number() + 1
    }

    /// The number of moves that the chaser has left to give mate; the last comes after the limit is
    /// announced.
    ///
    /// ```
    /// use halfmove_rules::Makruk;
    /// let position: Makruk = "7k/8/5K2/8/8/8/8/R7 w - 32 31 90".parse().unwrap();
    /// assert_eq!(position.counting().unwrap().chaser_moves_left(), 1);
    /// ```
    pub const fn chaser_moves_left(&self) -> u16 {
        // The chaser's `n`-th move is in time if `2 n` more plies, counted from its own move, stay
        // within the limit.
        ((2 * self.limit as u32 + 1).saturating_sub(self.ply as u32) / 2) as u16
    }

    /// The same count of the other side.
    pub(super) fn flipped(self) -> Self {
        Self { color: !self.color, ..self }
    }

    /// Returns true if the count has run out.
    pub(super) fn is_over(&self, policy: CountingPolicy) -> bool {
        let (ply, limit) = (u32::from(self.ply), 2 * u32::from(self.limit));
        match policy {
            CountingPolicy::Auto | CountingPolicy::Thai | CountingPolicy::Fairy11 => ply > limit,
            CountingPolicy::MakrukJs => ply >= limit && ply.is_multiple_of(2),
        }
    }
}

/// The policy by which counts start and end.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CountingPolicy {
    /// Both counts start automatically and cannot be stopped. The side to move when the last bia is
    /// gone counts board's honor. Checkmate always wins. Fairy-Stockfish uses this policy, and pychess
    /// in games against engines.
    #[default]
    Auto,
    /// The player [claims](Makruk::claim_count) and [stops](Makruk::stop_count) board's honor; pieces'
    /// honor starts automatically. Checkmate by a side that is still counting board's honor is a draw.
    /// This is the over-the-board practice.
    Thai,
    /// The policy of the program makruk-js. Both counts are claimed. Board's honor starts at the
    /// number of pieces, pieces' honor at one. A khon takes precedence over two knights. The game is
    /// drawn as soon as the limit has been announced and the opponent has moved.
    MakrukJs,
    /// Like [`Auto`](Self::Auto), except that ASEAN chess follows its laws of 2011 to the letter,
    /// like Fairy-Stockfish 11.1: a khon or a knight sets a limit only together with a met, and a
    /// bare king counts even if the chaser has bias.
    Fairy11,
}

/// The reason why a count cannot be claimed or stopped.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CountingError {
    /// Counts start and end automatically here.
    #[error("counts start and end automatically under this policy")]
    Automatic,
    /// This game has no board's honor.
    #[error("{0} has no count for a side that still has pieces")]
    Unknown(Rules),
    /// An unpromoted bia is on the board.
    #[error("a bia stands on {0}, expected none: counting starts once all bias are gone")]
    BiaLeft(Square),
    /// A side, possibly this one, is already counting.
    #[error("{0} is counting already")]
    Counting(Color),
    /// A side has only its king.
    #[error("{0} has only its king: pieces' honor starts automatically")]
    BareKing(Color),
    /// No side is counting.
    #[error("no side is counting")]
    NotCounting,
    /// Pieces' honor cannot be stopped.
    #[error("pieces' honor ends only with the game")]
    PiecesHonor,
}

impl Makruk {
    /// Claims a count: the side to move starts counting with its next move.
    ///
    /// That the side is the weaker one is not checked: this is decided by the players or the arbiter.
    ///
    /// # Errors
    /// [`CountingError`], if counting may not start now.
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
        if matches!(self.policy, CountingPolicy::Auto | CountingPolicy::Fairy11) {
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

    /// Stops the count. A new count, if claimed, starts over.
    ///
    /// # Errors
    /// [`CountingError`], if no side is counting or the count cannot be stopped.
    pub fn stop_count(&mut self) -> Result<(), CountingError> {
        match (self.policy, self.counting) {
            (CountingPolicy::Auto | CountingPolicy::Fairy11, _) => Err(CountingError::Automatic),
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

    /// Counts the half-move just played by the side that is not to move.
    pub(super) fn count_half_move(&mut self, taken: Option<Role>) {
        let mover = !self.side_to_move;
        if let Some(count) = &mut self.counting {
            // On overflow, keep an odd ply odd two plies later.
            count.ply = count.ply.checked_add(1).unwrap_or(u16::MAX - 1);
        }
        match self.policy {
            CountingPolicy::MakrukJs => self.count_as_makruk_js(mover, taken),
            _ => self.start_counts(mover, taken),
        }
    }

    fn start_counts(&mut self, mover: Color, taken: Option<Role>) {
        let pieces = self.board.occupied().len() as u16;
        let bare = |color| self.board.by_color(color).len() == 1;
        let asean = self.rules == Rules::Asean;
        // If the bare king itself captured the last bia, this move is the first that counts. In ASEAN
        // chess counting starts with the bare king's next move.
        if taken == Some(Role::Pawn)
            && !asean
            && bare(mover)
            && let Some(limit) = self.limit(mover)
        {
            let (honor, color, ply) = (Honor::Pieces, mover, 2 * pieces - 1);
            self.counting = Some(Counting { honor, color, limit, ply, first: Some(pieces) });
        }
        let us = self.side_to_move;
        if (self.counting.is_none() || bare(us) && taken.is_some())
            && let Some(limit) = self.limit(us)
        {
            let (honor, first) = match (bare(us), asean) {
                (true, false) => (Honor::Pieces, pieces + 1),
                (true, true) => (Honor::Pieces, 1),
                (false, _) => (Honor::Board, 1),
            };
            if honor == Honor::Pieces || self.policy != CountingPolicy::Thai {
                let ply = 2 * (first - 1);
                self.counting = Some(Counting { honor, color: us, limit, ply, first: Some(first) });
            }
        }
    }

    /// The limit of a count by a side starting now; `None` if it may not count.
    fn limit(&self, color: Color) -> Option<u16> {
        let bare = |color| self.board.by_color(color).len() == 1;
        let by_the_letter = self.rules == Rules::Asean && self.policy == CountingPolicy::Fairy11;
        if !self.board.by_role(Role::Pawn).is_empty() && !by_the_letter || bare(!color) {
            return None;
        }
        let theirs = |role| (self.board.by_color(!color) & self.board.by_role(role)).len();
        let (rooks, khons, knights) =
            (theirs(Role::Rook), theirs(Role::Khon), theirs(Role::Knight));
        match self.rules {
            Rules::Asean if !bare(color) => None,
            Rules::Asean if rooks > 0 => Some(16),
            Rules::Asean if by_the_letter && theirs(Role::Met) == 0 => None,
            Rules::Asean if khons > 0 => Some(44),
            Rules::Asean => (knights > 0).then_some(64),
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

    /// Once the side that may count board's honor is bare, its next move starts pieces' honor.
    fn count_as_makruk_js(&mut self, mover: Color, taken: Option<Role>) {
        let bare = self.board.by_color(mover).len() == 1;
        if bare && self.counting.is_some_and(|count| count.honor == Honor::Board) {
            // makruk-js uses the pieces before the move: a piece just captured still affects the
            // limit.
            let limit = chased_by_makruk_js(&self.board, !mover, taken);
            let (honor, color) = (Honor::Pieces, mover);
            self.counting = Some(Counting { honor, color, limit, ply: 1, first: Some(1) });
        }
    }
}

/// The limit of a bare king in makruk-js, where three pieces of a kind do not count as two.
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
