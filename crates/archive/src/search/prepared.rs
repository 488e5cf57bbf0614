//! The conditions of a search on positions and moves, prepared.

use halfmove_functions::outcome;
use halfmove_functions::words::Words;
use halfmove_game::codec::whole::{PartError, find_in_variations};
use halfmove_game::codec::{DecodeError, halfmove};
use halfmove_game::replay::{
    self, BoardQuery, Candidate, MoveSequence, Query, SignatureBounds, Signatures,
};

use halfmove_rules::AnyPosition;

use crate::filter::{End, Filter, GameCondition, LineCondition};

/// A condition on positions or moves, prepared.
#[derive(Debug, Clone)]
pub(crate) enum Prepared {
    Position(Box<Query>),
    Board(BoardQuery),
    Played(MoveSequence),
    Ended(End),
    /// A comment with these words.
    Comment(Words),
    /// A comment, a glyph or a variation.
    Annotated,
    Anywhere(Box<Anywhere>),
}

/// A condition that the game meets or one of its variations.
#[derive(Debug, Clone)]
pub(crate) struct Anywhere {
    in_variations: InVariations,
    /// The same condition on the game itself.
    pub(super) played: Prepared,
}

/// A condition on the lines of variations.
#[derive(Debug, Clone)]
enum InVariations {
    Position(AnyPosition),
    Board(BoardQuery),
    Played(MoveSequence),
}

impl Anywhere {
    pub(super) fn new(condition: &LineCondition) -> Self {
        let (in_variations, played) = match condition {
            LineCondition::Position(position) => {
                (InVariations::Position(position.clone()), Query::new(position).into())
            }
            LineCondition::Board(condition) => {
                let query = BoardQuery::new(condition);
                (InVariations::Board(query.clone()), Prepared::Board(query))
            }
            LineCondition::Played(moves) => {
                (InVariations::Played(moves.clone()), Prepared::Played(moves.clone()))
            }
        };
        Self { in_variations, played }
    }

    /// The ply at which the first variation that meets it branches off.
    pub(super) fn find_in_variations(
        &self,
        moves: &[u8],
        annotations: &[u8],
    ) -> Result<Option<u32>, PartError> {
        match &self.in_variations {
            InVariations::Position(it) => find_in_variations(moves, annotations, it),
            InVariations::Board(it) => find_in_variations(moves, annotations, it),
            InVariations::Played(it) => find_in_variations(moves, annotations, it),
        }
    }
}

impl From<Query> for Prepared {
    fn from(query: Query) -> Self {
        Self::Position(Box::new(query))
    }
}

impl From<&GameCondition> for Prepared {
    fn from(condition: &GameCondition) -> Self {
        match condition {
            GameCondition::Board(condition) => Self::Board(BoardQuery::new(condition)),
            GameCondition::Played(sequence) => Self::Played(sequence.clone()),
            GameCondition::Ended(end) => Self::Ended(*end),
            GameCondition::Comment(text) => Self::Comment(Words::of_text(text).unwrap_or_default()),
            GameCondition::Annotated => Self::Annotated,
            GameCondition::Anywhere(condition) => {
                Self::Anywhere(Box::new(Anywhere::new(condition)))
            }
        }
    }
}

/// The conditions of a filter: the one on the position first, because it is the fastest.
pub(crate) fn prepare(filter: &Filter) -> Vec<Prepared> {
    let position = filter.position.iter().map(|position| Query::new(position).into());
    position.chain(filter.conditions.iter().map(Prepared::from)).collect()
}

/// The rejection of games by their signatures.
pub(super) trait Rejects {
    /// Returns true if any game within the bounds can be a candidate.
    fn may_be_in(&self, bounds: &SignatureBounds) -> bool;

    /// Returns true if it uses signatures. If not, every game is a candidate.
    fn reads_signatures(&self) -> bool {
        true
    }

    /// Appends the candidates, in the order of the games.
    fn candidates(&self, signatures: &Signatures, candidates: &mut Vec<Candidate>);
}

impl Rejects for Query {
    fn may_be_in(&self, bounds: &SignatureBounds) -> bool {
        self.may_be_in(bounds)
    }

    fn candidates(&self, signatures: &Signatures, candidates: &mut Vec<Candidate>) {
        self.candidates(signatures, candidates);
    }
}

impl Rejects for Prepared {
    fn may_be_in(&self, bounds: &SignatureBounds) -> bool {
        match self {
            Self::Position(query) => query.may_be_in(bounds),
            Self::Board(query) => query.may_be_in(bounds),
            _ => true,
        }
    }

    fn reads_signatures(&self) -> bool {
        matches!(self, Self::Position(_) | Self::Board(_))
    }

    fn candidates(&self, signatures: &Signatures, candidates: &mut Vec<Candidate>) {
        match self {
            Self::Position(query) => query.candidates(signatures, candidates),
            Self::Board(query) => query.candidates(signatures, candidates),
            _ => candidates.extend((0..signatures.len() as u32).map(Candidate::unknown)),
        }
    }
}

impl Prepared {
    /// Calls `hit` for each candidate that matches, in order, with the ply.
    pub(super) fn find_all<'a>(
        &self,
        candidates: &[Candidate],
        game: impl Fn(&Candidate) -> &'a [u8],
        mut hit: impl FnMut(&Candidate, u32),
    ) -> Result<(), (Candidate, DecodeError)> {
        let answer = |game: &[u8]| match self {
            Self::Played(sequence) => replay::played(game, sequence),
            Self::Ended(end) => Ok(end.is(outcome(game)?).then(|| halfmove::plies(game))),
            // These need annotations, or are matched by a query.
            _ => Ok(None),
        };
        match self {
            Self::Position(query) => query.find_all(candidates, game, hit),
            Self::Board(query) => query.find_all(candidates, game, hit),
            _ => candidates.iter().try_for_each(|candidate| {
                let ply = answer(game(candidate)).map_err(|error| (*candidate, error))?;
                ply.into_iter().for_each(|ply| hit(candidate, ply));
                Ok(())
            }),
        }
    }
}
