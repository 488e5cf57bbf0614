//! A walk through a game: the frequencies of what can happen at each half-move.

use halfmove_game::rules::cpu::{self, Cpu, Level, Task};
use halfmove_game::rules::{AnyPosition, Move};

use super::{Model, WEIGHT_UNIT};
use crate::dense::adaptive::Learner;
use crate::dense::choice::{Choice, Sink};
use crate::dense::context::Context;
use crate::dense::distribution::{Distribution, END, FIRST_MOVE, NULL, UNIT};
use crate::dense::features::{EACH, HASHED, Indices, OF_END};
use crate::dense::net::{HIDDEN, Net};

/// A walk through a game: at each half-move, the frequencies of what can happen.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    model: &'a Model,
    learner: Option<&'a mut Learner>,
    pub(super) game: State,
    pub(super) distribution: Distribution,
    /// The instructions that it may use.
    level: Level,
}

/// The scores at a half-move, computed with the instructions of this CPU.
struct Scoring<'a> {
    model: &'a Model,
    learner: Option<&'a mut Learner>,
    context: &'a Context,
    choice: &'a mut Choice,
    scores: &'a mut Vec<i32>,
}

impl Task for Scoring<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> bool {
        let Self { model: Model { weights, net, book, .. }, learner, context, choice, scores } =
            self;
        match learner {
            None => {
                let mut scores = Scores::new(cpu, Frozen(weights), net, scores);
                choice.visit(cpu, context, book, None, &mut scores)
            }
            Some(learner) => {
                let mut scores = Scores::new(cpu, learner, net, scores);
                choice.visit(cpu, context, book, None, &mut scores)
            }
        }
    }
}

/// The weights of tables, of which the score of a symbol is made, but for what the net adds.
trait Weights {
    /// The score of the end.
    fn end(&mut self, features: &[u32; OF_END]) -> i32;

    /// The score of a move in a position.
    fn movement(&mut self, position: u64, key: u16, features: &[u32]) -> i32;

    /// Prefetches the weights of a move that are rarely in the cache.
    fn prefetch(&self, position: u64, key: u16, features: &Indices);
}

/// The weights of the model.
struct Frozen<'a>(&'a [i8]);

impl Frozen<'_> {
    #[inline(always)]
    fn sum(&self, features: &[u32]) -> i32 {
        features.iter().map(|at| i32::from(self.0[*at as usize])).sum()
    }
}

impl Weights for Frozen<'_> {
    #[inline(always)]
    fn end(&mut self, features: &[u32; OF_END]) -> i32 {
        self.sum(features) * (UNIT / WEIGHT_UNIT)
    }

    #[inline(always)]
    fn movement(&mut self, _: u64, _: u16, features: &[u32]) -> i32 {
        // A loop of a fixed length is unrolled.
        let sum = match features.split_first_chunk::<EACH>() {
            Some((each, rest)) => self.sum(each) + self.sum(rest),
            None => self.sum(features),
        };
        sum * (UNIT / WEIGHT_UNIT)
    }

    #[inline(always)]
    fn prefetch(&self, _: u64, _: u16, features: &Indices) {
        HASHED.iter().for_each(|at| cpu::prefetch(&self.0[features[*at] as usize]));
    }
}

impl Weights for &mut Learner {
    #[inline(always)]
    fn end(&mut self, features: &[u32; OF_END]) -> i32 {
        self.begin();
        self.score(features.iter().copied())
    }

    #[inline(always)]
    fn movement(&mut self, position: u64, key: u16, features: &[u32]) -> i32 {
        self.score(features.iter().copied().chain([Learner::position_move(position, key)]))
    }

    #[inline(always)]
    fn prefetch(&self, position: u64, key: u16, features: &Indices) {
        HASHED.iter().for_each(|at| Learner::prefetch(self, features[*at]));
        Learner::prefetch(self, Learner::position_move(position, key));
    }
}

/// A sink that makes scores.
struct Scores<'a, C, W> {
    cpu: C,
    weights: W,
    net: &'a Net,
    position: u64,
    /// The activations of the net.
    hidden: [u8; HIDDEN],
    scores: &'a mut Vec<i32>,
}

impl<'a, C: Cpu, W: Weights> Scores<'a, C, W> {
    #[inline(always)]
    fn new(cpu: C, weights: W, net: &'a Net, scores: &'a mut Vec<i32>) -> Self {
        Self { cpu, weights, net, position: 0, hidden: [0; HIDDEN], scores }
    }
}

impl<C: Cpu, W: Weights> Sink for Scores<'_, C, W> {
    #[inline(always)]
    fn end(&mut self, position: u64, inputs: &[u16], features: &[u32; OF_END]) {
        self.scores.push(self.weights.end(features));
        self.position = position;
        self.hidden = self.net.hidden(inputs);
    }

    #[inline(always)]
    fn movement(&mut self, key: u16, outputs: [u16; 3], features: &[u32]) {
        let score = self.weights.movement(self.position, key, features);
        self.scores.push(score + self.net.score(self.cpu, &self.hidden, outputs));
    }

    #[inline(always)]
    fn prefetch(&self, key: u16, features: &Indices) {
        self.weights.prefetch(self.position, key, features);
    }
}

#[derive(Debug)]
pub(super) enum State {
    Chess(Context, Box<Choice>),
    /// Makruk: all moves are as likely.
    Other(AnyPosition, Vec<Move>),
}

/// The score of the end of a game of Makruk, against 0 for each move.
const OTHER_END: i32 = -UNIT;

impl<'a> Walk<'a> {
    pub(super) fn new(
        model: &'a Model,
        start: &AnyPosition,
        setting: usize,
        learner: Option<&'a mut Learner>,
    ) -> Self {
        let game = match start {
            AnyPosition::Chess(start) => {
                State::Chess(Context::new(start.clone(), setting), Box::default())
            }
            AnyPosition::Makruk(_) => State::Other(start.clone(), Vec::new()),
        };
        Self { model, learner, game, distribution: Distribution::default(), level: Level::best() }
    }

    /// Prepares the frequencies. Returns false if the game must end here: the side to move is mated.
    pub(super) fn prepare(&mut self) -> bool {
        let scores = &mut self.distribution.scores;
        scores.clear();
        let goes_on = match &mut self.game {
            State::Chess(context, choice) => {
                let (model, learner) = (self.model, self.learner.as_deref_mut());
                cpu::run_up_to(self.level, Scoring { model, learner, context, choice, scores })
            }
            State::Other(position, moves) => {
                moves.clear();
                moves.extend(&position.legal_moves());
                moves.sort_unstable();
                scores.push(OTHER_END);
                scores.resize(moves.len() + 1, 0);
                !moves.is_empty() || !position.is_check()
            }
        };
        if goes_on {
            self.distribution.make();
        }
        goes_on
    }

    /// Adjusts the weights of a learner, if there is one, to the symbol that happened. Null moves and Makruk change nothing.
    pub(super) fn learn(&mut self, symbol: usize) {
        if let (State::Chess(..), Some(learner)) = (&self.game, &mut self.learner)
            && symbol != NULL
        {
            let happened = if symbol == END { 0 } else { 1 + symbol - FIRST_MOVE };
            learner.learn(self.distribution.frequencies(), happened);
        }
    }

    /// The symbol of a move; `None` if it is not legal.
    pub(super) fn symbol_of(&self, mv: Move) -> Option<usize> {
        if mv.is_null() {
            return (!self.is_check()).then_some(NULL);
        }
        let at = match &self.game {
            State::Chess(_, choice) => choice.candidates.iter().position(|one| one.mv == mv),
            State::Other(_, moves) => moves.iter().position(|one| *one == mv),
        };
        at.map(|at| FIRST_MOVE + at)
    }

    /// The move of a symbol; `None` for the end, and for a null move in check.
    pub(super) fn move_of(&self, symbol: usize) -> Option<Move> {
        if symbol == NULL {
            return (!self.is_check()).then_some(Move::NULL);
        }
        let at = symbol.checked_sub(FIRST_MOVE)?;
        match &self.game {
            State::Chess(_, choice) => choice.candidates.get(at).map(|one| one.mv),
            State::Other(_, moves) => moves.get(at).copied(),
        }
    }

    pub(super) fn is_check(&self) -> bool {
        match &self.game {
            State::Chess(context, _) => context.position.is_check(),
            State::Other(position, _) => position.is_check(),
        }
    }

    pub(super) fn play(&mut self, mv: Move) {
        match &mut self.game {
            State::Chess(context, _) => context.play(mv),
            State::Other(position, _) if mv.is_null() => {
                *position = position.null_move().unwrap_or_else(|| position.clone());
            }
            State::Other(position, _) => position.play_unchecked(mv),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfmove_game::pgn::read_game;

    /// The frequencies are the same with all instructions of this CPU and with those of any.
    #[test]
    fn every_level_gives_the_same() {
        let game = read_game(
            "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Bg5 e6 7. f4 Qb6 8. Qd2 Qxb2 9. Rb1 Qa3 10. e5 dxe5 \
             11. fxe5 Nfd7 12. Ne4 h6 13. Bh4 Qxa2 14. Rd1 Qd5 15. Qe3 Qxe5 16. Be2 Bc5 17. Bg3 Bxd4 18. Rxd4 Qa5+ *",
        );
        let game = game.expect("a game");
        let mut walks = Level::ALL.iter().filter(|level| level.is_available()).map(|level| {
            let mut walk = Walk::new(Model::shipped(), &game.start, 3, None);
            walk.level = *level;
            let scores = game.moves.iter().map(|mv| {
                assert!(walk.prepare());
                walk.play(*mv);
                walk.distribution.scores.clone()
            });
            scores.collect::<Vec<_>>()
        });
        let first = walks.next().expect("the level of any CPU");
        assert!(walks.all(|other| other == first));
        assert_eq!(first.len(), 36);
    }
}
