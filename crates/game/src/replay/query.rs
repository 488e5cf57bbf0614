//! Searching for a position in many games.

mod next;
mod reach;

use std::ops::ControlFlow;
use std::sync::OnceLock;

use halfmove_rules::bitboard::cpu::{self, Cpu, Task};
use halfmove_rules::{AnyPosition, Bitboard, Color, Move, Rank, Role};

use self::next::{NONE, Next};
use self::reach::{LineTest, lines_with};
use super::conditions::{ROWS, SignatureConditions};
use super::lines::Lines;
use super::seek::seek_between;
use super::signature::{LATE, NEVER, UNKNOWN};
use super::signatures::Signatures;
use super::target::{Looks, Target, find, visits};
use crate::codec::DecodeError;

/// A game in which a position may arise: its row, and a bound for the ply.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The number of the game among the [`Signatures`].
    pub row: u32,
    /// The position can arise only before this ply; 255 if there is no bound.
    pub(super) until: u8,
    pub(super) line: u16,
    /// The ply at which the position first arises, if that is known.
    pub(super) known: Option<u8>,
    /// True if the position needs a promoted piece.
    pub(super) needs_promotion: bool,
}

impl Candidate {
    /// A candidate without a bound.
    pub const fn unknown(row: u32) -> Candidate {
        Candidate { row, until: NEVER, line: UNKNOWN, known: None, needs_promotion: false }
    }

    /// The ply at which the position first arises, if known without reading the moves of the game.
    #[inline]
    pub fn ply(&self) -> Option<u32> {
        self.known.map(u32::from)
    }

    /// The only ply at which the position arises, if known.
    #[inline]
    fn only_visit(&self) -> Option<u32> {
        // Both sides have to leave the position and return. Two null moves would return to it sooner, but games with
        // null moves here are replayed, because the tables of next moves do not include them.
        self.ply().filter(|ply| self.until() <= ply + 4)
    }

    /// Prefetches the data that a replay of the game needs: its beginning, and the half-moves in which the position may
    /// arise, which rarely span more than a cache line.
    #[inline]
    fn fetch(&self, bytes: &[u8]) {
        let node = Lines::tree().node(self.line);
        node.mark.fetch();
        let (first, last) = (usize::from(node.depth), usize::from(self.until).min(bytes.len()));
        for at in [first, last.saturating_sub(1)] {
            bytes.get(at).into_iter().for_each(cpu::prefetch);
        }
    }

    #[inline]
    pub(super) fn until(&self) -> u32 {
        if self.until >= LATE { u32::MAX } else { u32::from(self.until) }
    }
}

/// A position, prepared for searching many games.
///
/// ```
/// use halfmove_game::codec::halfmove;
/// use halfmove_game::pgn::read_game;
/// use halfmove_game::replay::{Query, Signature, Signatures};
/// use halfmove_rules::Chess;
///
/// let games = ["1. e4 e5 2. Nf3 *", "1. Nf3 e5 2. e4 *", "1. d4 d5 *"].map(|text| {
///     let mut bytes = Vec::new();
///     halfmove::encode(&read_game(text).unwrap(), &mut bytes).unwrap();
///     bytes
/// });
/// let mut signatures = Vec::new();
/// for game in &games {
///     signatures.extend(Signature::of(game)?.to_bytes());
/// }
///
/// let position: Chess = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2".parse().unwrap();
/// let query = Query::new(&position.into());
/// let mut candidates = Vec::new();
/// query.candidates(&Signatures::new(&signatures), &mut candidates);
/// let found: Vec<u32> = candidates
///     .iter()
///     .filter(|candidate| query.find(candidate, &games[candidate.row as usize]).unwrap() == Some(3))
///     .map(|candidate| candidate.row)
///     .collect();
/// assert_eq!(found, [0, 1]);
/// # Ok::<(), halfmove_game::codec::DecodeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Query {
    target: Target,
    /// The conditions on the signature of a game.
    pub(super) conditions: SignatureConditions,
    /// The data for each line.
    pub(super) lines: Vec<LineTest>,
    /// The lines at whose end the position arises for the first time.
    arrivals: Vec<u16>,
    /// The moves there, once they are requested.
    next: OnceLock<Next>,
}

impl Query {
    /// Prepares a position. See [`Target::new`] for the parts that matter.
    pub fn new(position: &AnyPosition) -> Query {
        let (board, ranks) = match position {
            AnyPosition::Chess(chess) => (chess.board(), [Rank::Second, Rank::Seventh]),
            AnyPosition::Makruk(makruk) => (makruk.board(), [Rank::Third, Rank::Sixth]),
        };
        let sides = Color::ALL.map(|color| board.by_color(color));
        let exactly = |pieces: Bitboard| pieces.len()..=pieces.len();
        let count = |color: Color, role| (sides[color.index()] & board.by_role(role)).len() as u8;
        let mut conditions =
            SignatureConditions::of_pieces(sides.map(exactly), exactly(board.occupied()), count);
        for color in Color::ALL {
            let pawns = sides[color.index()] & board.by_role(Role::Pawn);
            for square in Bitboard::rank(ranks[color.index()]) {
                let column = 8 * color.index() + square.file().index();
                conditions.home_pawn(column, pawns.has(square));
            }
        }
        let target = Target::new(position);
        let (lines, arrivals) = lines_with(&target);
        Query { target, conditions, lines, arrivals, next: OnceLock::new() }
    }

    /// Appends the games in which the position may arise, in order.
    pub fn candidates(&self, signatures: &Signatures, candidates: &mut Vec<Candidate>) {
        cpu::run(Scan { query: self, signatures, candidates });
    }

    /// The ply at which the position first arises in a candidate with these bytes.
    ///
    /// # Errors
    /// Fails on bytes that are not codes of this version; not all bytes are read.
    #[inline(always)]
    pub fn find(&self, candidate: &Candidate, bytes: &[u8]) -> Result<Option<u32>, DecodeError> {
        if let Some(ply) = candidate.known {
            return Ok(Some(u32::from(ply)));
        }
        let Some(sought) = self.target.sought_in(bytes) else {
            return find(bytes, &self.target);
        };
        let mark = Lines::tree().node(candidate.line).mark;
        let (mut found, mut looks) = (None, Looks::default());
        let end = seek_between(bytes, mark, candidate.until(), sought, |ply| {
            if !looks.next(ply) {
                return Ok(ControlFlow::Break(()));
            }
            if !self.target.is_after(bytes, ply)? {
                return Ok(ControlFlow::Continue(()));
            }
            found = Some(ply);
            Ok(ControlFlow::Break(()))
        })?;
        match looks.rest.or(end) {
            Some(_) if found.is_none() => find(bytes, &self.target),
            _ => Ok(found),
        }
    }

    /// Calls `hit` for each candidate in which the position arises, with the first ply at which it does; `game` returns
    /// the bytes of a candidate. Faster than [`Query::find`] for each of many games that are not in the cache.
    ///
    /// # Errors
    /// The first candidate whose bytes are not codes of this version.
    pub fn find_all<'a>(
        &self,
        candidates: &[Candidate],
        game: impl Fn(&Candidate) -> &'a [u8],
        hit: impl FnMut(&Candidate, u32),
    ) -> Result<(), (Candidate, DecodeError)> {
        cpu::run(FindAll { query: self, candidates, game, hit })
    }

    /// Calls `visit` with the ply and the next move each time the position is on the board of a candidate; the move is
    /// `None` if the game ends there.
    ///
    /// # Errors
    /// See [`Query::find`].
    pub fn visits(
        &self,
        candidate: &Candidate,
        bytes: &[u8],
        mut visit: impl FnMut(u32, Option<Move>),
    ) -> Result<(), DecodeError> {
        if let Some(ply) = candidate.only_visit() {
            if let Some(next) = self.next_move(candidate.line, bytes, ply as usize) {
                visit(ply, next);
                return Ok(());
            }
        } else if candidate.known.is_none() && self.find(candidate, bytes)?.is_none() {
            return Ok(());
        }
        visits(bytes, &self.target, visit)
    }

    /// Like [`Query::visits`] for many candidates, in any order; `visit` also receives the candidate.
    ///
    /// # Errors
    /// See [`Query::find_all`].
    pub fn visit_all<'a>(
        &self,
        candidates: &[Candidate],
        game: impl Fn(&Candidate) -> &'a [u8],
        mut visit: impl FnMut(&Candidate, u32, Option<Move>),
    ) -> Result<(), (Candidate, DecodeError)> {
        let is_open = |candidate: &Candidate| self.only_next(candidate).is_none();
        let fetch = |candidate: &Candidate| {
            if is_open(candidate) {
                candidate.fetch(game(candidate));
            }
        };
        candidates.iter().take(AHEAD).for_each(fetch);
        for (index, candidate) in candidates.iter().enumerate() {
            candidates.get(index + AHEAD).into_iter().for_each(fetch);
            match candidate.only_visit().zip(self.only_next(candidate)) {
                Some((ply, next)) => visit(candidate, ply, self.next_moves().get(next).copied()),
                None => {
                    let visit = |ply, mv| visit(candidate, ply, mv);
                    self.visits(candidate, game(candidate), visit)
                        .map_err(|error| (*candidate, error))?;
                }
            }
        }
        Ok(())
    }

    /// The moves that follow the position in frequent beginnings of games.
    pub fn next_moves(&self) -> &[Move] {
        &self.next().moves
    }

    /// The index in [`Query::next_moves`] of the move that follows the position, if both this move and the fact that
    /// the position arises only once are known without reading the moves of the game. [`Query::visit_all`] does not
    /// request the bytes of such games.
    #[inline]
    pub fn only_next(&self, candidate: &Candidate) -> Option<usize> {
        let next = *self.next().in_line.get(usize::from(candidate.line))?;
        (next != NONE && candidate.only_visit().is_some()).then_some(usize::from(next))
    }

    /// The move after the position in a line in which it arises after `ply` half-moves; `Some(None)` at the end of the
    /// game, `None` if it is not in the tables.
    fn next_move(&self, line: u16, bytes: &[u8], ply: usize) -> Option<Option<Move>> {
        let Some(code) = bytes.get(ply) else { return Some(None) };
        let tables = &self.next().after;
        let index = tables.partition_point(|table| table.end <= line);
        let table = tables.get(index).filter(|table| table.line <= line)?;
        table.moves[usize::from(*code)].map(Some)
    }

    #[inline]
    fn next(&self) -> &Next {
        self.next.get_or_init(|| Next::after(&self.arrivals))
    }
}

/// The loop of [`Query::find_all`].
struct FindAll<'q, G, H> {
    query: &'q Query,
    candidates: &'q [Candidate],
    game: G,
    hit: H,
}

impl<'a, G: Fn(&Candidate) -> &'a [u8], H: FnMut(&Candidate, u32)> Task for FindAll<'_, G, H> {
    type Output = Result<(), (Candidate, DecodeError)>;

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) -> Self::Output {
        let Self { query, candidates, game, mut hit } = self;
        let fetch = |candidate: &Candidate| {
            if candidate.known.is_none() {
                candidate.fetch(game(candidate));
            }
        };
        candidates.iter().take(AHEAD).for_each(fetch);
        for (index, candidate) in candidates.iter().enumerate() {
            candidates.get(index + AHEAD).into_iter().for_each(fetch);
            let bytes = if candidate.known.is_some() { &[] } else { game(candidate) };
            match query.find(candidate, bytes) {
                Ok(Some(ply)) => hit(candidate, ply),
                Ok(None) => {}
                Err(error) => return Err((*candidate, error)),
            }
        }
        Ok(())
    }
}

/// The number of games that are being prefetched while one is replayed.
const AHEAD: usize = 16;

/// The test of signatures.
struct Scan<'a> {
    query: &'a Query,
    signatures: &'a Signatures,
    candidates: &'a mut Vec<Candidate>,
}

impl Task for Scan<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) {
        let Self { query, signatures, candidates } = self;
        let (mut until, mut passes) = ([0; ROWS], [0; ROWS]);
        for first in (0..signatures.rows).step_by(ROWS) {
            let rows = ROWS.min(signatures.rows - first);
            query.conditions.test(signatures, first, &mut passes[..rows], &mut until[..rows]);
            if signatures.some_unknown {
                let lines = &signatures.lines[first..first + rows];
                for ((passes, line), until) in passes.iter_mut().zip(lines).zip(&mut until) {
                    if *line == UNKNOWN {
                        (*passes, *until) = (1, NEVER);
                    }
                }
            }
            for (index, eight) in
                passes[..rows.next_multiple_of(8).min(ROWS)].chunks_exact(8).enumerate()
            {
                let mut open = u64::from_le_bytes(eight.try_into().unwrap_or_default());
                while open != 0 {
                    let row = 8 * index + open.trailing_zeros() as usize / 8;
                    open &= open - 1;
                    if row >= rows {
                        break;
                    }
                    let line = signatures.lines[first + row];
                    let test = query.lines.get(usize::from(line));
                    let known = test.map_or(NEVER, |test| test.known);
                    if known == NEVER && test.is_some_and(|test| until[row] <= test.earliest) {
                        continue;
                    }
                    let known = Some(known).filter(|ply| *ply != NEVER);
                    candidates.push(Candidate {
                        row: (first + row) as u32,
                        until: until[row],
                        line,
                        known,
                        needs_promotion: false,
                    });
                }
            }
        }
    }
}
