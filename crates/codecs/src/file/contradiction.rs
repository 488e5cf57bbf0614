//! Tags that contradict the start in the bytes of a game.

use halfmove_game::Game;
use halfmove_game::pgn::{SkipReason, policy_name, policy_named, start_of_tags};
use halfmove_rules::AnyPosition;
use thiserror::Error;

/// A tag that contradicts the start of its game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "the tag {name} is {value:?}, which contradicts the start of the game, expected {expected:?}"
)]
pub struct Contradiction {
    /// Its name: `FEN`, `SetUp`, `Variant` or `Counting`.
    pub name: &'static str,
    /// Its value, cut to 100 characters.
    pub value: String,
    /// The value that fits the start.
    pub expected: String,
}

impl Contradiction {
    /// The first contradiction of a game. Tags that a reader of PGN ignores contradict nothing: it ignores an empty
    /// `FEN`, and a `SetUp` next to a `FEN` or before the standard starting position; it skips a game with an unknown
    /// start, so that game has no moves. But a reader that ignores the last `Counting` counts automatically, which
    /// may not be the policy of this game.
    pub(super) fn of(game: &Game) -> Option<Contradiction> {
        let start = &game.start;
        let tag = |name: &str| {
            let named = game.tags.iter().filter(|(found, _)| *found == name);
            named.map(|(_, value)| value.trim()).find(|value| !value.is_empty())
        };
        let (fen, variant) = (tag("FEN"), tag("Variant"));
        let found = |name, value: &str, expected| {
            let value = value.chars().take(100).collect();
            Some(Contradiction { name, value, expected })
        };
        let counting = game.tags.iter().filter(|(name, _)| *name == "Counting").last();
        if let (AnyPosition::Makruk(start), Some((_, value))) = (start, counting) {
            let policy = policy_named(value.trim()).unwrap_or_default();
            if policy != start.policy() {
                return found("Counting", value, policy_name(start.policy()).to_owned());
            }
        }
        if fen.is_none() {
            let is_elsewhere = !is_same(start, &AnyPosition::start(start.variant()));
            if let Some(value) = tag("SetUp").filter(|value| *value == "0" && is_elsewhere) {
                return found("SetUp", value, "1".to_owned());
            }
        }
        if fen.is_none() && variant.is_none() {
            return None;
        }
        let named = start_of_tags(&game.tags, start.variant());
        if named.is_err() && game.moves.is_empty() {
            // A reader of PGN skips such a game.
            return None;
        }
        let wrong_variant = match &named {
            Ok(named) => named.variant() != start.variant(),
            Err(reason) => !matches!(reason, SkipReason::Position { .. }),
        };
        match (fen, variant) {
            (_, Some(variant)) if wrong_variant => {
                found("Variant", variant, start.variant().name().to_owned())
            }
            (Some(fen), _) if !named.is_ok_and(|named| is_same(&named, start)) => {
                found("FEN", fen, start.to_string())
            }
            _ => None,
        }
    }
}

/// Compares two starts with their counters, which the equality of positions leaves out.
fn is_same(a: &AnyPosition, b: &AnyPosition) -> bool {
    let counters = |position: &AnyPosition| (position.halfmove_clock(), position.fullmove_number());
    a == b && a.variant() == b.variant() && counters(a) == counters(b)
}
