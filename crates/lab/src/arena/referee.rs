//! The referee: decides when a game is over, and its result.
//!
//! The rules are those of `halfmove-rules`. In chess the draws that a player could claim, by the third occurrence of a
//! position or by fifty moves, are given at once.

use super::player::{Fault, Score, index};
use halfmove_rules::{AnyPosition, Color, History, Outcome};
use std::fmt;

/// The rules of adjudication. Each is off unless given.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Adjudication {
    pub(super) win: Option<WinRule>,
    pub(super) draw: Option<DrawRule>,
}

/// A game is won once both engines have reported this lead in each of their last `moves` moves.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct WinRule {
    pub(super) centipawns: i32,
    pub(super) moves: u32,
}

/// A game is drawn if, after move `after`, both engines have reported no larger lead in each of their last `moves`
/// moves.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct DrawRule {
    pub(super) centipawns: i32,
    pub(super) moves: u32,
    pub(super) after: u32,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Rules(Outcome),
    WonByScore(Color),
    DrawnByScore,
    TooLong,
    Fault {
        color: Color,
        fault: Fault,
        /// True if the other side has no mating material.
        is_draw: bool,
    },
}

impl Ending {
    pub(super) fn winner(&self) -> Option<Color> {
        match self {
            Self::Rules(outcome) => outcome.winner(),
            Self::WonByScore(color) => Some(*color),
            Self::DrawnByScore | Self::TooLong => None,
            Self::Fault { color, is_draw, .. } => (!is_draw).then_some(!*color),
        }
    }

    pub(super) fn result(&self) -> &'static str {
        match self.winner() {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// The value of PGN's tag `Termination`.
    pub(super) fn termination(&self) -> &'static str {
        match self {
            Self::Rules(_) | Self::Fault { fault: Fault::Resigned, .. } => "normal",
            Self::WonByScore(_) | Self::DrawnByScore | Self::TooLong => "adjudication",
            Self::Fault { fault: Fault::Time(_), .. } => "time forfeit",
            Self::Fault { fault: Fault::Illegal(_) | Fault::Claim(_), .. } => "rules infraction",
            Self::Fault { .. } => "abandoned",
        }
    }

    /// The kind of ending, for a table.
    pub(super) fn kind(&self) -> String {
        match self {
            Self::Rules(outcome) => outcome.to_string(),
            Self::WonByScore(_) => "won by score".to_owned(),
            Self::DrawnByScore => "drawn by score".to_owned(),
            Self::TooLong => "too many moves".to_owned(),
            Self::Fault { fault, .. } => match fault {
                Fault::Time(_) => "loss on time",
                Fault::Silent(_) => "no move",
                Fault::Crashed(_) => "crash",
                Fault::Illegal(_) => "illegal move",
                Fault::Claim(_) => "false claim",
                Fault::Resigned => "resignation",
                Fault::NoStart(_) => "no start",
                Fault::Stopped => "stopped",
            }
            .to_owned(),
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules(outcome) => outcome.fmt(f),
            Self::WonByScore(color) => write!(f, "both engines see {color} winning"),
            Self::DrawnByScore => f.write_str("both engines see a draw"),
            Self::TooLong => f.write_str("too many moves"),
            Self::Fault { color, fault, is_draw } => {
                write!(f, "{color} {fault}")?;
                if *is_draw {
                    write!(f, "; {} cannot win", !*color)?;
                }
                Ok(())
            }
        }
    }
}

/// Watches one game.
#[derive(Clone, Debug)]
pub(super) struct Referee {
    history: History<AnyPosition>,
    adjudication: Adjudication,
    max_moves: u32,
    /// By side, the number of consecutive moves whose score is a win for White, a win for Black, a draw.
    streaks: [[u32; 3]; 2],
}

impl Referee {
    pub(super) fn new(start: AnyPosition, adjudication: Adjudication, max_moves: u32) -> Self {
        Self { history: History::new(start), adjudication, max_moves, streaks: [[0; 3]; 2] }
    }

    pub(super) fn history(&self) -> &History<AnyPosition> {
        &self.history
    }

    /// Plays a move of the opening.
    pub(super) fn play(&mut self, mv: halfmove_rules::Move) {
        self.history.play_unchecked(mv);
    }

    /// Plays a legal move of an engine, with its score.
    pub(super) fn play_scored(&mut self, mv: halfmove_rules::Move, score: Option<Score>) {
        let mover = self.history.position().side_to_move();
        let score = score.map(|score| match mover {
            Color::White => score.centipawns(),
            Color::Black => -score.centipawns(),
        });
        let streak = &mut self.streaks[index(mover)];
        let mut count = |which: usize, holds: bool| {
            streak[which] = if holds { streak[which] + 1 } else { 0 };
        };
        if let Some(rule) = self.adjudication.win {
            count(0, score.is_some_and(|score| score >= rule.centipawns));
            count(1, score.is_some_and(|score| score <= -rule.centipawns));
        }
        if let Some(rule) = self.adjudication.draw {
            count(2, score.is_some_and(|score| score.abs() <= rule.centipawns));
        }
        self.history.play_unchecked(mv);
    }

    /// The end of the game, if it is over.
    pub(super) fn ending(&self) -> Option<Ending> {
        if let Some(outcome) = self.history.outcome().or_else(|| self.history.claim()) {
            return Some(Ending::Rules(outcome));
        }
        let both = |which: usize, moves| self.streaks.iter().all(|streak| streak[which] >= moves);
        if let Some(rule) = self.adjudication.win {
            for (which, color) in [(0, Color::White), (1, Color::Black)] {
                if both(which, rule.moves) {
                    return Some(Ending::WonByScore(color));
                }
            }
        }
        // By the move number, which a FEN sets.
        let number = self.history.position().ply() / 2;
        if let Some(rule) = self.adjudication.draw
            && number >= rule.after
            && both(2, rule.moves)
        {
            return Some(Ending::DrawnByScore);
        }
        (self.history.plies() as u32 / 2 >= self.max_moves).then_some(Ending::TooLong)
    }

    /// The end of a game in which the side to move failed.
    pub(super) fn failed(&self, fault: Fault) -> Ending {
        let position = self.history.position();
        let color = position.side_to_move();
        // Only losing on time can be a draw: an engine that makes an illegal move, or none, has lost.
        let is_draw = matches!(fault, Fault::Time(_)) && !position.can_mate(!color);
        Ending::Fault { color, fault, is_draw }
    }
}

#[cfg(test)]
mod tests;
