//! Static evaluation of a position, in centipawns.
//!
//! The evaluation of each game is a sum of named [`Term`]s, each a pair of numbers, one for the middlegame and one for
//! the endgame. The remaining material determines the mix of the two (*tapered evaluation*). A factor scales down a
//! lead that is hard to win: without pawns, with bishops of opposite colors, or in Makruk while a count runs out.
//!
//! The terms are computed from scratch, from sets of squares. A position with colors swapped has the negated value.
//!
//! In games with a [`Net`], the net gives the lead in place of these terms. Both leads are scaled by the same rules for
//! endings.
//!
//! The value of a term is a sum of *weights*: tables in `eval/chess/weights.rs` and `eval/makruk/weights.rs`, which the
//! crate `halfmove-lab` fits to the results of games.
//!
//! ```
//! use halfmove_engine::{SearchBoard, Term};
//! use halfmove_rules::{Chess, Color};
//!
//! let position: Chess = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1".parse()?;
//! let value = position.evaluate();
//! assert!(value.total() < -250, "White is a knight down");
//! assert_eq!(value.of(Term::Pawns, Color::White), value.of(Term::Pawns, Color::Black));
//! # Ok::<(), halfmove_rules::FenError>(())
//! ```

pub(crate) mod chess;
pub(crate) mod makruk;
pub(crate) mod net;
mod pawns;
pub(crate) mod tally;
mod tapered;

pub use net::{Net, NetError};
pub use tapered::Tapered;

use crate::{Count, SearchBoard};
use core::fmt;
use halfmove_rules::bitboard::attacks;
use halfmove_rules::cpu::{self, Cpu, Level, Task};
use halfmove_rules::{Bitboard, Board, Color, Square, Variant};
use net::accumulator::Accumulator;

/// A part of the hand-crafted evaluation.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// The material.
    Material,
    /// The squares of the pieces.
    Squares,
    /// The number of squares that the pieces reach.
    Mobility,
    /// Pawn structure.
    Pawns,
    /// Pawns that no enemy pawn can stop; in Makruk, bia on their way to promotion.
    Passed,
    /// Bishop pair, rooks on open files, outposts.
    Pieces,
    /// In Makruk: the square colors of the mets.
    Mets,
    /// Pieces attacked by less valuable ones, or unprotected.
    Threats,
    /// Room behind a side's own pawns.
    Space,
    /// The king: its shelter and its attackers.
    King,
    /// Driving a bare or losing king to the edge.
    Chase,
}

impl Term {
    /// All terms.
    pub const ALL: [Self; 11] = [
        Self::Material,
        Self::Squares,
        Self::Mobility,
        Self::Pawns,
        Self::Passed,
        Self::Pieces,
        Self::Mets,
        Self::Threats,
        Self::Space,
        Self::King,
        Self::Chase,
    ];

    /// The name, for a table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::Squares => "squares",
            Self::Mobility => "mobility",
            Self::Pawns => "pawns",
            Self::Passed => "passed",
            Self::Pieces => "pieces",
            Self::Mets => "mets",
            Self::Threats => "threats",
            Self::Space => "space",
            Self::King => "king",
            Self::Chase => "chase",
        }
    }
}

/// The phase of a position with all pieces.
pub const FULL_PHASE: i32 = 24;

/// The scale factor of a full lead.
pub const FULL_SCALE: i32 = 64;

/// The tempo bonus: the terms do not see whose move it is.
pub(crate) const TEMPO: i32 = 10;

/// The adjustment of a lead in an ending.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ending {
    /// The bonus of the stronger side for driving the other king to the edge.
    chase: Tapered,
    /// The scale factor of the lead, from 0 to [`FULL_SCALE`].
    scale: i32,
}

impl Ending {
    const PLAIN: Self = Self { chase: Tapered::ZERO, scale: FULL_SCALE };
}

/// The bonus that an ending adds to White's lead as given by a net, and the scale factor of the sum.
#[inline(always)]
pub(crate) fn ending(game: Variant, board: &Board, count: Option<Count>, lead: i32) -> (i32, i32) {
    let (ending, phase) = match game {
        Variant::Makruk => (makruk::ending(board, count, lead), makruk::phase(board)),
        _ => (chess::ending(board, lead), chess::phase(board)),
    };
    (tally::mixed(ending.chase, phase, FULL_SCALE) * lead.signum(), ending.scale)
}

/// The value of a position, term by term.
///
/// `Display` writes a table.
#[derive(Clone, Debug)]
pub struct Evaluation {
    terms: tally::Terms,
    /// The game phase, from [`FULL_PHASE`] with all pieces to 0 in a pure endgame.
    pub phase: i32,
    /// The scale factor of the lead, from 0 to [`FULL_SCALE`].
    pub scale: i32,
}

impl Evaluation {
    /// The value of a term for one side.
    pub const fn of(&self, term: Term, color: Color) -> Tapered {
        self.terms[term as usize][color.index()]
    }

    /// White's lead, before it is tapered and scaled.
    pub fn lead(&self) -> Tapered {
        self.terms.iter().fold(Tapered::ZERO, |sum, [white, black]| sum + *white - *black)
    }

    /// The value for White.
    #[inline]
    pub fn total(&self) -> i32 {
        tally::mixed(self.lead(), self.phase, self.scale)
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<10}{:^14}{:^14}{:^14}", "", "White", "Black", "White's lead")?;
        let titles = "  middle   end";
        writeln!(f, "{:<10}{titles}{titles}{titles}", "term")?;
        let mut row = |name: &str, scores: [Option<Tapered>; 3]| {
            write!(f, "{name:<10}")?;
            for score in scores {
                match score {
                    Some(score) => write!(f, "{:>8}{:>6}", score.middle(), score.end())?,
                    None => write!(f, "{:>14}", "")?,
                }
            }
            writeln!(f)
        };
        for term in Term::ALL {
            let [white, black] = Color::ALL.map(|color| self.of(term, color));
            if (white, black) != (Tapered::ZERO, Tapered::ZERO) {
                row(term.name(), [Some(white), Some(black), Some(white - black)])?;
            }
        }
        row("sum", [None, None, Some(self.lead())])?;
        writeln!(
            f,
            "middlegame {} of {FULL_PHASE}, lead counts {} of {FULL_SCALE}",
            self.phase, self.scale
        )?;
        write!(f, "value for White: {} centipawns", self.total())
    }
}

/// The value of a position for the side to move, computed at the highest CPU level.
pub(crate) fn value<B: SearchBoard>(position: &B) -> i32 {
    struct Value<'a, B>(&'a B);

    impl<B: SearchBoard> Task for Value<'_, B> {
        type Output = i32;

        #[inline(always)]
        fn run<C: Cpu>(self, _: C) -> i32 {
            self.0.value()
        }
    }

    cpu::run_up_to(Level::V3, Value(position))
}

/// The value of a position for the side to move, by a net of its game, computed from all pieces.
pub(crate) fn value_by<B: SearchBoard>(net: &Net, position: &B) -> i32 {
    struct Value<'a, B>(&'a Net, &'a B);

    impl<B: SearchBoard> Task for Value<'_, B> {
        type Output = i32;

        #[inline(always)]
        fn run<C: Cpu>(self, _: C) -> i32 {
            let Self(net, position) = self;
            let (us, count) = (position.side_to_move(), position.count());
            let lead = net.lead(position.board(), us, count);
            settled(net, position, count, lead)
        }
    }

    cpu::run_up_to(Level::V3, Value(net, position))
}

/// The same value at a ply of a search, updated from the sums of earlier plies.
pub(crate) fn value_at<B: SearchBoard>(
    sums: &mut Accumulator<'_>,
    ply: usize,
    position: &B,
) -> i32 {
    struct Value<'a, 'n, B>(&'a mut Accumulator<'n>, usize, &'a B);

    impl<B: SearchBoard> Task for Value<'_, '_, B> {
        type Output = i32;

        #[inline(always)]
        fn run<C: Cpu>(self, _: C) -> i32 {
            let Self(sums, ply, position) = self;
            let (us, count) = (position.side_to_move(), position.count());
            let lead = sums.lead(ply, position.board(), us, count);
            settled(sums.net(), position, count, lead)
        }
    }

    cpu::run_up_to(Level::V3, Value(sums, ply, position))
}

/// A net's lead, adjusted for the ending.
#[inline(always)]
fn settled<B: SearchBoard>(net: &Net, position: &B, count: Option<Count>, lead: i32) -> i32 {
    let side = if position.side_to_move() == Color::White { 1 } else { -1 };
    let (game, board) = (net.game(), position.board());
    let known = if game == Variant::Makruk { makruk::known_win(board) } else { None };
    let lead = known.unwrap_or(lead * side);
    let (more, scale) = ending(game, board, count, lead);
    (lead + more) * side * scale / FULL_SCALE
}

/// A square from a side's point of view: mirrored top to bottom for Black.
#[inline(always)]
pub(crate) const fn seen_by(color: Color, square: Square) -> Square {
    match color {
        Color::White => square,
        Color::Black => square.flip_vertical(),
    }
}

/// The distance of a square from the four in the center: 0 to 6.
#[inline(always)]
pub(crate) const fn from_center(square: Square) -> i32 {
    let (file, rank) = (square.index() as i32 % 8, square.index() as i32 / 8);
    let (file, rank) = (2 * file - 7, 2 * rank - 7);
    (file.abs() + rank.abs()) / 2 - 1
}

/// The king's square, its neighbors, and the three squares two ranks ahead.
#[inline(always)]
pub(crate) fn king_zone(color: Color, king: Square) -> Bitboard {
    let ring = attacks::king(king) | king;
    ring | ring.forward(color)
}

/// The attacks on the zone around a king; each counts more the more attackers there are.
#[derive(Default)]
pub(crate) struct Assault {
    attackers: i32,
    weight: i32,
}

impl Assault {
    #[inline(always)]
    pub(crate) fn add(&mut self, weight: i32, attacked: Bitboard) {
        if !attacked.is_empty() {
            self.attackers += 1;
            self.weight += weight * attacked.len() as i32;
        }
    }

    /// The strength of the attack: 0 to 31.
    #[inline(always)]
    pub(crate) fn level(&self) -> usize {
        if self.attackers < 2 {
            return 0;
        }
        (self.weight * self.attackers.min(4) / 16).clamp(1, 31) as usize
    }
}
