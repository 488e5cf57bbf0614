//! Move numbers.

use std::fmt;
use std::str::FromStr;

use halfmove_rules::{AnyPosition, Color};
use thiserror::Error;

/// A move number with its side: `18.` is White's move 18, `18...` is Black's. The alternate form omits White's dot:
/// `18`.
///
/// ```
/// use halfmove_game::MoveNumber;
/// use halfmove_game::pgn::read_game;
///
/// let game = read_game("1. e4 e5 2. Nf3 *")?;
/// let first = MoveNumber::of(&game.start);
/// assert_eq!(first.after(2).to_string(), "2.");
/// assert_eq!(format!("{:#}, {:#}", first.after(2), first.after(3)), "2, 2...");
/// assert_eq!("2...".parse::<MoveNumber>()?.ply(first), Some(4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MoveNumber {
    number: u32,
    color: Color,
}

/// The error for an invalid move number.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("\"{text}\" is not the number of a move: expected 18 for White's, 18... for Black's")]
pub struct MoveNumberError {
    /// The text.
    pub text: String,
}

impl MoveNumber {
    /// The number of the move to be played in a position.
    pub fn of(position: &AnyPosition) -> MoveNumber {
        MoveNumber { number: position.fullmove_number().into(), color: position.side_to_move() }
    }

    /// The number of the move `plies` half-moves later.
    #[must_use]
    pub fn after(self, plies: usize) -> MoveNumber {
        let is_odd = plies % 2 == 1;
        let more = plies / 2 + usize::from(is_odd && self.color == Color::Black);
        let more = u32::try_from(more).unwrap_or(u32::MAX);
        let color = if is_odd { !self.color } else { self.color };
        MoveNumber { number: self.number.saturating_add(more), color }
    }

    /// The ply of this move in a game whose first move is `first`: 1 for `first` itself. `None` for earlier moves.
    pub fn ply(self, first: MoveNumber) -> Option<usize> {
        let half_moves =
            |of: MoveNumber| 2 * u64::from(of.number) + u64::from(of.color == Color::Black);
        let before = half_moves(self).checked_sub(half_moves(first))?;
        usize::try_from(before).ok()?.checked_add(1)
    }
}

impl fmt::Display for MoveNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dots = match self.color {
            Color::White if f.alternate() => "",
            Color::White => ".",
            Color::Black => "...",
        };
        write!(f, "{}{dots}", self.number)
    }
}

impl FromStr for MoveNumber {
    type Err = MoveNumberError;

    /// Reads `18` and `18.` as White's, `18...` (or `18..`, `18…`) as Black's.
    fn from_str(text: &str) -> Result<MoveNumber, MoveNumberError> {
        let error = || MoveNumberError { text: text.to_owned() };
        let trimmed = text.trim();
        let digits = trimmed.trim_end_matches(['.', '…']);
        let color = match &trimmed[digits.len()..] {
            "" | "." => Color::White,
            ".." | "..." | "…" => Color::Black,
            _ => return Err(error()),
        };
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
        let number = digits.parse().ok().filter(|_| is_number);
        Ok(MoveNumber { number: number.ok_or_else(error)?, color })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfmove_rules::Variant;

    /// The numbers agree with those of positions, from starts of either side.
    #[test]
    fn numbers_follow_the_position() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "4k3/8/8/8/8/8/8/4K3 b - - 0 37",
        ] {
            let mut position = AnyPosition::from_fen(fen, Variant::Chess).unwrap();
            let first = MoveNumber::of(&position);
            for ply in 0..9 {
                let here = MoveNumber::of(&position);
                assert_eq!((first.after(ply), here.ply(first)), (here, Some(ply + 1)), "{fen}");
                let mv = position.legal_moves()[0];
                position.play_unchecked(mv);
            }
        }
    }

    #[test]
    fn texts() {
        for (text, shown, short) in [
            ("18", "18.", "18"),
            ("18.", "18.", "18"),
            (" 18... ", "18...", "18..."),
            ("18..", "18...", "18..."),
            ("18…", "18...", "18..."),
        ] {
            let number: MoveNumber = text.parse().unwrap();
            assert_eq!(
                (number.to_string().as_str(), format!("{number:#}").as_str()),
                (shown, short)
            );
        }
        for text in ["", "...", "x", "18....", "+18", "-1", "18.Nf3", "99999999999"] {
            assert!(text.parse::<MoveNumber>().is_err(), "{text}");
        }
        let [first, earlier] = ["2...", "2"].map(|text| text.parse::<MoveNumber>().unwrap());
        assert_eq!(earlier.ply(first), None);
    }
}
