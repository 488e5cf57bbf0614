//! Searching for conditions on the board in one game, and in many.

use std::marker::PhantomData;

use halfmove_rules::bitboard::cpu::{self, Cpu, Task, prefetch};
use halfmove_rules::{AnyPosition, Move};

use super::super::bounds::{SOME_OTHER, SOME_UNKNOWN, SignatureBounds};
use super::super::conditions::ROWS;
use super::super::line_test::LineTest;
use super::super::pattern::Pattern;
use super::super::query::Candidate;
use super::super::signature::{NEVER, NO_LINE, UNKNOWN};
use super::super::signatures::Signatures;
use super::super::watch::{EMPTY_CHESS, EMPTY_MAKRUK, Occupant, Ready, Squares};
use super::BoardCondition;
use super::changes::{Search, Usual};
use super::view::View;
use super::watch::{All, CountsAndPawns, Fits, OnlyCounts, OnlyPattern, OnlyPawns, Parts, Watcher};
use crate::codec::DecodeError;
use crate::codec::halfmove::chess::promotes;

/// Conditions on the board, prepared for searching many games.
///
/// ```
/// use halfmove_game::codec::halfmove;
/// use halfmove_game::pgn::read_game;
/// use halfmove_game::replay::{BoardQuery, BoardCondition, Signature, Signatures};
///
/// let games = ["1. e4 e5 2. Nf3 *", "1. d4 d5 2. c4 dxc4 *"].map(|text| {
///     let mut bytes = Vec::new();
///     halfmove::encode(&read_game(text).unwrap(), &mut bytes).unwrap();
///     bytes
/// });
/// let mut signatures = Vec::new();
/// for game in &games {
///     signatures.extend(Signature::of(game)?.to_bytes());
/// }
///
/// // One side has a pawn more.
/// let question = BoardCondition {
///     imbalance: "Pv".parse().ok(),
///     either_color: true,
///     ..BoardCondition::default()
/// };
/// let query = BoardQuery::new(&question);
/// let mut candidates = Vec::new();
/// query.candidates(&Signatures::new(&signatures), &mut candidates);
/// let mut found = Vec::new();
/// query
///     .find_all(
///         &candidates,
///         |candidate| &games[candidate.row as usize],
///         |candidate, ply| found.push((candidate.row, ply)),
///     )
///     .unwrap();
/// assert_eq!(found, [(1, 4)]);
/// # Ok::<(), halfmove_game::codec::DecodeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BoardQuery {
    /// The alternatives, of which at least one must hold: up to four.
    views: Vec<View>,
    fits: [Fits; 2],
    usual: Box<Usual>,
    at_least: u32,
    is_final: bool,
    kind: Kind,
}

/// The combinations of conditions, each with its own compiled loop.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Kind {
    Pattern,
    Counts,
    Pawns,
    CountsAndPawns,
    All,
}

impl BoardQuery {
    /// Prepares conditions.
    pub fn new(question: &BoardCondition) -> BoardQuery {
        let alternatives = question.alternatives();
        let has_counts = question.material.is_some()
            || question.imbalance.is_some()
            || question.opposite_bishops;
        let has_pawns = question.pawns.is_some() || !question.features.is_empty();
        let has_pattern = question.pattern != Pattern::new();
        let views: Vec<View> = alternatives.iter().map(View::new).collect();
        BoardQuery {
            usual: Box::new(Usual::new(&views)),
            views,
            fits: [EMPTY_CHESS, EMPTY_MAKRUK].map(|empty| fits(&alternatives, empty)),
            at_least: question.at_least,
            is_final: question.is_final,
            kind: match (has_pattern, has_counts, has_pawns) {
                (_, false, false) => Kind::Pattern,
                (false, true, false) => Kind::Counts,
                (false, false, true) => Kind::Pawns,
                (false, true, true) => Kind::CountsAndPawns,
                _ => Kind::All,
            },
        }
    }

    /// The first ply, from 0 for the start, at which the conditions hold for the required time. If they must hold at
    /// the end, the ply from which on they hold. `None` if there is no match.
    ///
    /// # Errors
    /// Fails on bytes that are not codes of this version. Bytes after the match are not read.
    pub fn find(&self, bytes: &[u8]) -> Result<Option<u32>, DecodeError> {
        let candidate = Candidate::unknown(0);
        match self.kind {
            Kind::Pattern => self.find_as::<OnlyPattern>(&candidate, bytes),
            Kind::Counts => self.find_as::<OnlyCounts>(&candidate, bytes),
            Kind::Pawns => self.find_as::<OnlyPawns>(&candidate, bytes),
            Kind::CountsAndPawns => self.find_as::<CountsAndPawns>(&candidate, bytes),
            Kind::All => self.find_as::<All>(&candidate, bytes),
        }
    }

    #[inline(always)]
    fn find_as<P: Parts>(
        &self,
        candidate: &Candidate,
        bytes: &[u8],
    ) -> Result<Option<u32>, DecodeError> {
        let until = candidate.until();
        match Ready::new(bytes)? {
            Ready::Chess(game) => {
                if game.is_usual() && candidate.needs_promotion && !promotes(bytes) {
                    return Ok(None);
                }
                if !P::PATTERN && game.is_usual() && !candidate.needs_promotion {
                    let Self { usual, views, at_least, is_final, .. } = self;
                    let (at_least, is_final) = (*at_least, *is_final);
                    let search = Search { usual, views, at_least, is_final, until };
                    if let Some(answer) = search.find::<P>(bytes)? {
                        return Ok(answer);
                    }
                }
                let mut watcher = self.watcher::<EMPTY_CHESS, P>(&self.fits[0], until);
                let start = watcher.start(game.start().squares());
                let end = game.replay(&mut watcher, start)?;
                Ok(watcher.answer(&end))
            }
            Ready::Makruk(game) => {
                // Such games are rare, so a single watcher is enough.
                let mut watcher = self.watcher::<EMPTY_MAKRUK, All>(&self.fits[1], until);
                let start = watcher.start(&Squares::of(game.start().board(), EMPTY_MAKRUK));
                let end = game.replay(&mut watcher, start)?;
                Ok(watcher.answer(&end))
            }
        }
    }

    #[inline(always)]
    fn watcher<'a, const EMPTY: Occupant, P: Parts>(
        &'a self,
        fits: &'a Fits,
        until: u32,
    ) -> Watcher<'a, EMPTY, P> {
        let Self { views, at_least, is_final, .. } = self;
        let (at_least, is_final) = (*at_least, *is_final);
        Watcher { views, fits, at_least, is_final, until, parts: PhantomData }
    }

    /// Returns true if a position meets the conditions.
    fn holds_at(&self, position: &AnyPosition) -> bool {
        match position {
            AnyPosition::Chess(_) => {
                let watcher = self.watcher::<EMPTY_CHESS, All>(&self.fits[0], u32::MAX);
                watcher.holds(&watcher.start(&Squares::of(position.board(), EMPTY_CHESS)))
            }
            AnyPosition::Makruk(_) => {
                let watcher = self.watcher::<EMPTY_MAKRUK, All>(&self.fits[1], u32::MAX);
                watcher.holds(&watcher.start(&Squares::of(position.board(), EMPTY_MAKRUK)))
            }
        }
    }

    /// Appends the games in which the conditions may hold, in order.
    pub fn candidates(&self, signatures: &Signatures, candidates: &mut Vec<Candidate>) {
        cpu::run(Scan { query: self, signatures, candidates });
    }

    /// Returns true if a game within the bounds can be a candidate. Otherwise, [`BoardQuery::candidates`] finds none
    /// among them.
    pub fn may_be_in(&self, bounds: &SignatureBounds) -> bool {
        bounds.flags & SOME_UNKNOWN != 0
            || self.views.iter().any(|view| {
                let is_other = view.has_home_pawns && bounds.flags & SOME_OTHER != 0;
                let until = view.conditions.until(bounds);
                is_other || until.is_some_and(|until| !self.is_final || until == NEVER)
            })
    }

    /// Calls `hit` for each candidate in which the conditions hold, with the ply of [`BoardQuery::find`]; `game`
    /// returns the bytes of a candidate.
    ///
    /// # Errors
    /// Fails at the first candidate whose bytes are not codes of this version.
    pub fn find_all<'a>(
        &self,
        candidates: &[Candidate],
        game: impl Fn(&Candidate) -> &'a [u8],
        hit: impl FnMut(&Candidate, u32),
    ) -> Result<(), (Candidate, DecodeError)> {
        match self.kind {
            Kind::Pattern => self.find_all_as::<OnlyPattern>(candidates, game, hit),
            Kind::Counts => self.find_all_as::<OnlyCounts>(candidates, game, hit),
            Kind::Pawns => self.find_all_as::<OnlyPawns>(candidates, game, hit),
            Kind::CountsAndPawns => self.find_all_as::<CountsAndPawns>(candidates, game, hit),
            Kind::All => self.find_all_as::<All>(candidates, game, hit),
        }
    }

    fn find_all_as<'a, P: Parts>(
        &self,
        candidates: &[Candidate],
        game: impl Fn(&Candidate) -> &'a [u8],
        hit: impl FnMut(&Candidate, u32),
    ) -> Result<(), (Candidate, DecodeError)> {
        cpu::run(FindAll { query: self, candidates, game, hit, parts: PhantomData::<P> })
    }
}

/// The state is the number of half-moves since the conditions began to hold; `None` if they do not hold.
impl LineTest for BoardQuery {
    type State = Option<u32>;

    fn start(&self, position: &AnyPosition) -> Option<u32> {
        self.holds_at(position).then_some(0)
    }

    fn next(
        &self,
        state: &Option<u32>,
        _: &AnyPosition,
        _: Move,
        after: &AnyPosition,
    ) -> Option<u32> {
        self.holds_at(after).then(|| state.map_or(0, |half_moves| half_moves.saturating_add(1)))
    }

    fn is_met(&self, state: &Option<u32>) -> bool {
        !self.is_final && self.is_met_at_end(state)
    }

    fn is_met_at_end(&self, state: &Option<u32>) -> bool {
        state.is_some_and(|half_moves| half_moves >= self.at_least)
    }
}

/// The occupants allowed on each square, for each of the alternatives.
fn fits(alternatives: &[BoardCondition], empty: Occupant) -> Fits {
    let mut fits = Fits(Box::new([[0; 16]; 64]));
    for (lane, alternative) in alternatives.iter().enumerate() {
        let allowed = alternative.pattern.for_game(empty);
        for (fits, allowed) in fits.0.iter_mut().zip(allowed) {
            for (occupant, fits) in fits.iter_mut().enumerate() {
                *fits |= u32::from(allowed >> occupant & 1) << (8 * lane);
            }
        }
    }
    fits
}

/// The number of games that are being prefetched while one is replayed.
const AHEAD: usize = 16;

/// The loop of [`BoardQuery::find_all`].
struct FindAll<'q, G, H, P> {
    query: &'q BoardQuery,
    candidates: &'q [Candidate],
    game: G,
    hit: H,
    parts: PhantomData<P>,
}

impl<'a, G, H, P> Task for FindAll<'_, G, H, P>
where
    G: Fn(&Candidate) -> &'a [u8],
    H: FnMut(&Candidate, u32),
    P: Parts,
{
    type Output = Result<(), (Candidate, DecodeError)>;

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) -> Self::Output {
        let Self { query, candidates, game, mut hit, .. } = self;
        for (index, candidate) in candidates.iter().enumerate() {
            if let Some(next) = candidates.get(index + AHEAD) {
                game(next).first().into_iter().for_each(prefetch);
            }
            match query.find_as::<P>(candidate, game(candidate)) {
                Ok(Some(ply)) => hit(candidate, ply),
                Ok(None) => {}
                Err(error) => return Err((*candidate, error)),
            }
        }
        Ok(())
    }
}

/// The test of signatures.
struct Scan<'a> {
    query: &'a BoardQuery,
    signatures: &'a Signatures,
    candidates: &'a mut Vec<Candidate>,
}

impl Task for Scan<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) {
        let Self { query, signatures, candidates } = self;
        let (mut until, mut passes) = ([0; ROWS], [0; ROWS]);
        // The maximum over the alternatives.
        let mut latest = [0; ROWS];
        // 1 if one of the alternatives may hold without a promotion.
        let mut unpromoted = [0; ROWS];
        for first in (0..signatures.rows).step_by(ROWS) {
            let rows = ROWS.min(signatures.rows - first);
            let lines = &signatures.lines[first..first + rows];
            latest.fill(0);
            unpromoted.fill(0);
            for view in &query.views {
                let (open, ahead) = (&mut passes[..rows], &mut until[..rows]);
                view.conditions.test(signatures, first, open, ahead);
                for ((passes, until), line) in open.iter_mut().zip(&mut *ahead).zip(lines) {
                    // These signatures have no information, or none about the first squares of pawns.
                    if *line == UNKNOWN || *line == NO_LINE && view.has_home_pawns {
                        (*passes, *until) = (1, NEVER);
                    }
                }
                for ((latest, passes), until) in latest.iter_mut().zip(&*open).zip(&*ahead) {
                    let is_open = *passes == 1 && (!query.is_final || *until == NEVER);
                    // If the conditions can hold, they may hold at the start, before ply 1.
                    *latest = (*latest).max(if is_open { *until } else { 0 });
                }
                let Some(conditions) = &view.unpromoted else { continue };
                conditions.test(signatures, first, &mut passes[..rows], &mut until[..rows]);
                for (unpromoted, passes) in unpromoted.iter_mut().zip(&passes[..rows]) {
                    *unpromoted |= *passes;
                }
            }
            for (row, (until, line)) in latest.iter().zip(lines).enumerate() {
                if *until > 0 {
                    let is_usual = *line != UNKNOWN && *line != NO_LINE;
                    candidates.push(Candidate {
                        row: (first + row) as u32,
                        until: *until,
                        line: *line,
                        known: None,
                        needs_promotion: is_usual && unpromoted[row] == 0,
                    });
                }
            }
        }
    }
}
