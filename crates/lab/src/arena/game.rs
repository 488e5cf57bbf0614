//! One game between two players.

use super::limit::{Clock, Limit};
use super::log::Seat;
use super::openings::Opening;
use super::player::{Fault, Player, Task, Thought, index};
use super::referee::{Adjudication, Ending, Referee};
use halfmove_rules::{AnyPosition, Color, Move, UciError};
use std::time::Duration;

/// A move of an engine, with its score and time.
#[derive(Clone, Debug)]
pub(super) struct Played {
    pub(super) thought: Thought,
    pub(super) elapsed: Duration,
    /// The time left on the clock, if there is a clock.
    pub(super) left: Option<Duration>,
}

/// A finished game.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) start: AnyPosition,
    /// The moves, including those of the opening.
    pub(super) moves: Vec<Move>,
    /// The engines' moves, after the opening.
    pub(super) played: Vec<Played>,
    pub(super) ending: Ending,
    /// The number of principal variations with an illegal move, by color. Counted only for UCI engines.
    pub(super) bad_lines: [u32; 2],
}

/// The conditions of all games of a match.
#[derive(Copy, Clone, Debug)]
pub(super) struct Terms {
    pub(super) adjudication: Adjudication,
    /// The number of moves by each side after which a game is drawn.
    pub(super) max_moves: u32,
}

/// Plays a game; `None` if the match was stopped before it ended. Players and limits are indexed by color; the round is
/// that of PGN.
pub(super) fn play(
    mut players: [&mut Player<'_>; 2],
    limits: [Limit; 2],
    opening: &Opening,
    terms: Terms,
    round: &str,
) -> Option<Record> {
    let mut referee = Referee::new(opening.start.clone(), terms.adjudication, terms.max_moves);
    for mv in &opening.moves {
        referee.play(*mv);
    }
    let mut clocks = limits.map(|limit| limit.clock.map(Clock::new));
    let mut played = Vec::new();
    let mut bad_lines = [0; 2];
    let mut absent = None;
    for (player, color) in players.iter_mut().zip([Color::White, Color::Black]) {
        match player.begin(&opening.start, Seat { round: round.to_owned(), color }) {
            Ok(()) => {}
            Err(Fault::Stopped) => return None,
            Err(fault) => absent = Some(Ending::Fault { color, fault, is_draw: false }),
        }
    }
    let ending = loop {
        if let Some(ending) = absent.take().or_else(|| referee.ending()) {
            break ending;
        }
        let mover = index(referee.history().position().side_to_move());
        let task = Task { history: referee.history(), clocks };
        match players[mover].think(task) {
            Ok(reply) => {
                if let Some(clock) = &mut clocks[mover] {
                    clock.press(reply.elapsed);
                }
                let line = &reply.thought.line;
                bad_lines[mover] += u32::from(!is_legal(referee.history().position(), line));
                referee.play_scored(reply.mv, reply.thought.score);
                let left = clocks[mover].map(|clock| clock.left);
                let (thought, elapsed) = (reply.thought, reply.elapsed);
                played.push(Played { thought, elapsed, left });
            }
            Err(Fault::Stopped) => return None,
            Err(fault) => break referee.failed(fault),
        }
    };
    let moves = referee.history().moves().to_vec();
    Some(Record { start: opening.start.clone(), moves, played, ending, bad_lines })
}

/// Returns `true` if a line can be played, up to the first word that is not a move, because some engines end a line
/// with a remark.
fn is_legal(position: &AnyPosition, line: &[String]) -> bool {
    let mut position = position.clone();
    for text in line {
        match position.parse_uci(text) {
            Ok(mv) => position.play_unchecked(mv),
            Err(UciError::Syntax { .. }) => break,
            Err(_) => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfmove_rules::Variant;

    #[test]
    fn a_line_ends_at_a_remark() {
        let start = AnyPosition::start(Variant::Chess);
        let legal = |line: &str| {
            let words: Vec<_> = line.split_whitespace().map(str::to_owned).collect();
            is_legal(&start, &words)
        };
        for line in ["", "e2e4 e7e5 g1f3", "e2e4 e7e5 (98.5%) e2e4", "e2e4 Nf6"] {
            assert!(legal(line), "{line}");
        }
        for line in ["e2e5", "e2e4 e2e4", "e2e4 0000", "e2e4 e7e5 e1g1"] {
            assert!(!legal(line), "{line}");
        }
    }
}
