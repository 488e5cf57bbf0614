//! Analysis of a whole game: the value of each position, and the moves to play instead of bad ones.
//!
//! The positions are searched from the last to the first. The transposition table already holds the later positions, so
//! even a search of few nodes sees a refutation that was played in the game.
//!
//! For a move that seems bad, the positions before and after it are searched again, with more nodes: a much stronger
//! engine does not confirm a third of the moves that a short search marks as bad. For the same reason the typical error
//! of the searches is subtracted from each loss.

use crate::{Judgement, Limits, Memory, Search, Signals, Value, key_of};
use halfmove_rules::{AnyPosition, Move};
use std::convert::Infallible;

/// The effort for positions on which a judgement depends; all others get 1.
const CAREFUL: u64 = 4;

/// The result of searching a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assessment {
    /// The score, for the side to move.
    pub value: Value,
    /// The principal variation; empty if the game is over.
    pub line: Vec<Move>,
}

/// Assesses the positions of a game, one at a time: an [`Analyst`], or another engine.
pub trait Assess {
    /// The error of an assessor that cannot continue.
    type Error;

    /// Begins a game, and clears the state left by earlier games.
    ///
    /// # Errors
    /// The assessor cannot continue.
    fn begin(&mut self) -> Result<(), Self::Error>;

    /// The margin of error of the difference of two searches, in winning chances.
    fn doubt(&self) -> f64;

    /// Searches the last position of a line; `moves` lead from each position to the next. `effort` multiplies the
    /// length of the search. `None` if `signals` stop it.
    ///
    /// # Errors
    /// The assessor cannot continue.
    fn assess(
        &mut self,
        positions: &[AnyPosition],
        moves: &[Move],
        effort: u64,
        signals: &Signals,
    ) -> Result<Option<Assessment>, Self::Error>;
}

/// The assessments and judgements of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// One for each position.
    pub assessments: Vec<Assessment>,
    /// One for each move.
    pub judgements: Vec<Option<Judgement>>,
}

impl Analysis {
    /// Analyzes a game, given its positions and the moves between them. The better line of a bad move has at least
    /// `least_line` half-moves, unless the game ends before. `None` if `signals` stop it.
    ///
    /// ```
    /// use halfmove_engine::{Analysis, Analyst, Judgement, Signals};
    /// use halfmove_rules::{AnyPosition, Variant};
    ///
    /// // 1. f3 e5 2. g4 Qh4#
    /// let mut positions = vec![AnyPosition::start(Variant::Chess)];
    /// let mut moves = Vec::new();
    /// for text in ["f3", "e5", "g4", "Qh4#"] {
    ///     let mut position = positions[positions.len() - 1].clone();
    ///     moves.push(position.parse_san(text)?);
    ///     position.play_unchecked(moves[moves.len() - 1]);
    ///     positions.push(position);
    /// }
    /// let mut analyst = Analyst::new(1, 1_000);
    /// let analysis = Analysis::of(&mut analyst, &positions, &moves, 4, &Signals::default());
    /// let Ok(analysis) = analysis;
    /// let Analysis { assessments, judgements } = analysis.expect("no signal stops it");
    /// assert_eq!(judgements[2], Some(Judgement::Blunder));
    /// assert!(assessments[2].line.len() >= 4);
    /// # Ok::<(), halfmove_rules::SanError>(())
    /// ```
    ///
    /// # Errors
    /// The assessor cannot continue.
    pub fn of<A: Assess>(
        assessor: &mut A,
        positions: &[AnyPosition],
        moves: &[Move],
        least_line: usize,
        signals: &Signals,
    ) -> Result<Option<Self>, A::Error> {
        assessor.begin()?;
        let mut assess = |ply: usize, effort| {
            assessor.assess(&positions[..=ply], &moves[..ply], effort, signals)
        };
        let mut assessments = Vec::with_capacity(positions.len());
        for ply in (0..positions.len()).rev() {
            let Some(found) = assess(ply, 1)? else { return Ok(None) };
            assessments.push(found);
        }
        assessments.reverse();
        let judge = |assessments: &[Assessment], ply: usize| {
            Judgement::of_move(&assessments[ply], moves[ply], &assessments[ply + 1])
        };
        let suspects: Vec<bool> =
            (0..moves.len()).map(|ply| judge(&assessments, ply).is_some()).collect();
        for ply in (0..positions.len()).rev() {
            let is_before = suspects.get(ply).is_some_and(|is_suspect| *is_suspect);
            let is_after = ply > 0 && suspects[ply - 1];
            if is_before || is_after {
                let Some(found) = assess(ply, CAREFUL)? else { return Ok(None) };
                assessments[ply] = found;
            }
        }
        let doubt = assessor.doubt();
        let judge = |ply: usize| {
            let (before, after) = (&assessments[ply], &assessments[ply + 1]);
            Judgement::beyond_doubt(before, moves[ply], after, doubt)
        };
        let judgements: Vec<_> =
            (0..moves.len()).map(|ply| suspects[ply].then(|| judge(ply)).flatten()).collect();
        for ply in (0..moves.len()).filter(|ply| judgements[*ply].is_some()) {
            let line = &mut assessments[ply].line;
            let extended =
                extend(assessor, &positions[..=ply], &moves[..ply], line, least_line, signals)?;
            if !extended {
                return Ok(None);
            }
        }
        Ok(Some(Self { assessments, judgements }))
    }
}

/// Extends a line that begins at the last position to at least `least` half-moves. Returns false if `signals` stop it.
fn extend<A: Assess>(
    assessor: &mut A,
    positions: &[AnyPosition],
    moves: &[Move],
    line: &mut Vec<Move>,
    least: usize,
    signals: &Signals,
) -> Result<bool, A::Error> {
    if line.len() >= least || line.is_empty() {
        return Ok(true);
    }
    let (mut positions, mut moves) = (positions.to_vec(), moves.to_vec());
    let mut played = 0;
    loop {
        for mv in &line[played..] {
            let Some(mut position) = positions.last().cloned() else { return Ok(true) };
            position.play_unchecked(*mv);
            positions.push(position);
            moves.push(*mv);
        }
        played = line.len();
        let is_over = positions.last().is_none_or(|position| position.outcome().is_some());
        if played >= least || is_over {
            return Ok(true);
        }
        let Some(found) = assessor.assess(&positions, &moves, 1, signals)? else {
            return Ok(false);
        };
        if found.line.is_empty() {
            return Ok(true);
        }
        line.extend(found.line);
    }
}

/// Searches the positions of games with a fixed number of nodes each.
///
/// Its tables are cleared before each game, so the results depend only on the game.
///
/// ```
/// use halfmove_engine::{Analyst, Judgement, Signals, Value};
/// use halfmove_rules::{AnyPosition, Variant};
///
/// // 1. f3 e5 2. g4 Qh4#
/// let mut positions = vec![AnyPosition::start(Variant::Chess)];
/// let mut moves = Vec::new();
/// for text in ["f3", "e5", "g4", "Qh4#"] {
///     let mut position = positions[positions.len() - 1].clone();
///     moves.push(position.parse_san(text)?);
///     position.play_unchecked(moves[moves.len() - 1]);
///     positions.push(position);
/// }
/// let analyst = Analyst::new(1, 1_000);
/// let found = analyst.game(&positions, &Signals::default()).expect("no signal stops it");
/// assert_eq!(found[3].value, Value::Mate(1));
/// assert_eq!(found[4].value, Value::Mate(0));
/// let judged = Judgement::of_move(&found[2], moves[2], &found[3]);
/// assert_eq!(judged, Some(Judgement::Blunder));
/// # Ok::<(), halfmove_rules::SanError>(())
/// ```
#[derive(Debug)]
pub struct Analyst {
    memory: Memory,
    nodes: u64,
}

impl Analyst {
    /// An analyst with a transposition table of `mib` MiB, and `nodes` for each position.
    pub fn new(mib: usize, nodes: u64) -> Self {
        Self { memory: Memory::new(mib), nodes: nodes.max(1) }
    }

    /// Searches the positions of a game, which are one move apart. `None` if `signals` stop it.
    pub fn game(&self, positions: &[AnyPosition], signals: &Signals) -> Option<Vec<Assessment>> {
        self.memory.clear();
        let mut found = Vec::with_capacity(positions.len());
        for ply in (0..positions.len()).rev() {
            found.push(self.last(&positions[..=ply], 1, signals)?);
        }
        found.reverse();
        Some(found)
    }

    /// Searches the last position of a line.
    fn last(
        &self,
        positions: &[AnyPosition],
        effort: u64,
        signals: &Signals,
    ) -> Option<Assessment> {
        let (last, earlier) = positions.split_last()?;
        let keys: Vec<u64> = earlier.iter().map(key_of).collect();
        let nodes = Some(self.nodes.saturating_mul(effort));
        let limits = Limits { nodes, ..Limits::default() };
        let search = Search::new(&self.memory).with_signals(signals);
        let answer = search.run_any(last, &keys, &limits, &mut |_| {});
        (!signals.is_stopped()).then_some(Assessment { value: answer.value, line: answer.line })
    }
}

/// The margin of error of this engine, measured on 117 bad moves in games between people, at 100,000 nodes: according
/// to Stockfish 15.1 at a million nodes, 77 % of them lose at least 5 percentage points, and 84 % of those that lose at
/// least 8 according to this engine.
const DOUBT: f64 = 0.03;

impl Assess for Analyst {
    type Error = Infallible;

    fn doubt(&self) -> f64 {
        DOUBT
    }

    fn begin(&mut self) -> Result<(), Infallible> {
        self.memory.clear();
        Ok(())
    }

    fn assess(
        &mut self,
        positions: &[AnyPosition],
        _: &[Move],
        effort: u64,
        signals: &Signals,
    ) -> Result<Option<Assessment>, Infallible> {
        Ok(self.last(positions, effort, signals))
    }
}
