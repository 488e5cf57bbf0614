//! The moves of `--moves`.

use crate::output::Advised;
use halfmove_game::MoveNumber;
use halfmove_game::movetext::{self, MovetextError, MovetextFault, Word};
use halfmove_rules::{AnyPosition, Chess, Move, Variant};

/// A move with its number: `18. Bxh7+`, `18... Kxh7`.
pub(crate) fn numbered(position: &AnyPosition, mv: Move) -> String {
    format!("{} {}", MoveNumber::of(position), position.san(mv))
}

/// The position after some moves.
pub(crate) fn play(position: AnyPosition, text: &str) -> anyhow::Result<AnyPosition> {
    movetext::play(position, text).map_err(named)
}

/// The moves of a text, in their order.
pub(crate) fn words(text: &str) -> anyhow::Result<Vec<Word>> {
    movetext::words(text).map_err(named)
}

/// The legal move that a word names, or the null move out of check.
pub(crate) fn find(position: &AnyPosition, word: &Word) -> anyhow::Result<Move> {
    movetext::find(position, word).map_err(named)
}

/// An error that names the option.
fn named(error: MovetextError) -> anyhow::Error {
    let message = anyhow::anyhow!("--moves, {error}");
    let hint = match error.fault {
        MovetextFault::Position => Some("the position is that of --fen".to_owned()),
        _ => error.hint,
    };
    match hint {
        Some(hint) => Advised::new(message, hint).into(),
        None => message,
    }
}

/// The option that takes this text, if it is moves of chess or a position.
pub(crate) fn option_for(text: &str) -> Option<&'static str> {
    let start = AnyPosition::start(Variant::Chess);
    let is_line = movetext::words(text).is_ok_and(|words| !words.is_empty());
    if is_line && movetext::play(start, text).is_ok() {
        return Some("--moves");
    }
    let is_position = Chess::from_fen_lenient(text, None).is_ok();
    is_position.then_some("--fen")
}

#[cfg(test)]
mod tests {
    use super::option_for;

    #[test]
    fn moves_and_positions_are_recognized() {
        for (text, option) in [
            ("e4 e5", Some("--moves")),
            ("1. d4 d5 2. c4", Some("--moves")),
            ("8/8/8/5k2/8/4K3/4P3/8 w - - 0 1", Some("--fen")),
            ("club", None),
            ("", None),
            ("1-0", None),
            ("e4 e4", None),
            ("games/club", None),
        ] {
            assert_eq!(option_for(text), option, "{text}");
        }
    }
}
