//! What the kernel can ask a game.

use halfmove_game::codec::DecodeError;
use halfmove_game::replay::{BoardQuery, Candidate, Query, SignatureBounds, Signatures};

use crate::question::Question;

/// A position or a question, prepared.
#[derive(Debug, Clone)]
pub(crate) enum Ask {
    Position(Box<Query>),
    Board(BoardQuery),
}

impl From<Query> for Ask {
    fn from(query: Query) -> Self {
        Self::Position(Box::new(query))
    }
}

impl From<&Question> for Ask {
    fn from(question: &Question) -> Self {
        match question {
            Question::Board(question) => Self::Board(BoardQuery::new(question)),
        }
    }
}

/// What signatures may reject.
pub(super) trait Rejects {
    /// Whether any game within the bounds can be a candidate.
    fn may_be_in(&self, bounds: &SignatureBounds) -> bool;

    /// Appends the games that have to be looked at, in their order.
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

impl Rejects for Ask {
    fn may_be_in(&self, bounds: &SignatureBounds) -> bool {
        match self {
            Self::Position(query) => query.may_be_in(bounds),
            Self::Board(query) => query.may_be_in(bounds),
        }
    }

    fn candidates(&self, signatures: &Signatures, candidates: &mut Vec<Candidate>) {
        match self {
            Self::Position(query) => query.candidates(signatures, candidates),
            Self::Board(query) => query.candidates(signatures, candidates),
        }
    }
}

impl Ask {
    /// Calls `hit` for each candidate that says yes, in their order, with the ply.
    pub(super) fn find_all<'a>(
        &self,
        candidates: &[Candidate],
        game: impl Fn(&Candidate) -> &'a [u8],
        hit: impl FnMut(&Candidate, u32),
    ) -> Result<(), (Candidate, DecodeError)> {
        match self {
            Self::Position(query) => query.find_all(candidates, game, hit),
            Self::Board(query) => query.find_all(candidates, game, hit),
        }
    }
}
