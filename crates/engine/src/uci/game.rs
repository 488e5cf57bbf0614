//! The game so far, from the command `position`.

use crate::{Evaluator, KeyedMakruk, SearchBoard, key_of};
use halfmove_rules::{
    AnyFenError, AnyPosition, CastlingStyle, Color, Move, Repair, UciError, Variant,
};
use thiserror::Error;

/// A position and the keys of the positions before it.
#[derive(Clone, Debug)]
pub(super) struct Game {
    pub(super) position: AnyPosition,
    pub(super) earlier: Vec<u64>,
}

/// The reason for rejecting a `position`.
#[derive(Debug, Error)]
pub(super) enum GameError {
    #[error("position: {0}")]
    Fen(#[from] AnyFenError),
    #[error("position: move {number}, {text}: {error}")]
    Move { number: usize, text: String, error: UciError },
}

impl Game {
    pub(super) fn start(variant: Variant) -> Self {
        Self { position: AnyPosition::start(variant), earlier: Vec::new() }
    }

    /// Builds a game from its start and its moves. Also returns the repairs that were needed to
    /// read the start.
    pub(super) fn parse(
        variant: Variant,
        fen: Option<&str>,
        moves: &[String],
    ) -> Result<(Self, Vec<Repair>), GameError> {
        let (mut game, repairs) = match fen {
            None => (Self::start(variant), Vec::new()),
            Some(fen) => {
                let (position, repairs) = AnyPosition::from_fen_lenient(fen, variant)?;
                (Self { position, earlier: Vec::new() }, repairs)
            }
        };
        for (i, text) in moves.iter().enumerate() {
            let mv = game.position.parse_uci(text).map_err(|error| GameError::Move {
                number: i + 1,
                text: text.clone(),
                error,
            })?;
            game.earlier.push(key_of(&game.position));
            game.position.play_unchecked(mv);
        }
        Ok((game, repairs))
    }

    /// The way in which this game writes castling.
    pub(super) fn style(&self) -> CastlingStyle {
        match self.position.variant() {
            Variant::Chess => CastlingStyle::KingToTarget,
            _ => CastlingStyle::KingTakesRook,
        }
    }

    /// The legal moves among these, and an error for each of the others.
    pub(super) fn moves(&self, texts: &[String]) -> (Vec<Move>, Vec<String>) {
        let (mut moves, mut errors) = (Vec::new(), Vec::new());
        for text in texts {
            match self.position.parse_uci(text) {
                Ok(mv) => moves.push(mv),
                Err(error) => errors.push(format!("{text}: {error}")),
            }
        }
        (moves, errors)
    }
}

/// Calls a function that is generic over the board with the position of a game.
macro_rules! on_bitboards {
    ($position:expr, $board:ident => $value:expr) => {
        match $position {
            AnyPosition::Chess(chess) => {
                let $board = chess;
                $value
            }
            AnyPosition::Makruk(makruk) => {
                let $board = &KeyedMakruk::new(makruk.clone());
                $value
            }
        }
    };
}
pub(super) use on_bitboards;

impl Game {
    /// The hand-crafted evaluation of the position as a table, and the value of the net.
    pub(super) fn evaluation(&self, nets: Evaluator<'_>) -> String {
        let net = nets.net_for(self.position.variant());
        on_bitboards!(&self.position, board => {
            let mut text = board.evaluate().to_string();
            if let Some(value) = net.and_then(|net| net.value(board)) {
                let for_white = if board.side_to_move() == Color::White { value } else { -value };
                text += &format!("\nthe net's value for White: {for_white} centipawns");
            }
            text
        })
    }

    /// The number of leaves below each move.
    pub(super) fn divide(&self, depth: u32) -> String {
        use std::fmt::Write;
        let mut text = String::new();
        let mut moves: Vec<_> = self.position.legal_moves().into_iter().collect();
        moves.sort();
        let mut total = u64::from(depth == 0);
        for mv in moves.into_iter().filter(|_| depth > 0) {
            let mut next = self.position.clone();
            next.play_unchecked(mv);
            let leaves = on_bitboards!(&next, board => crate::perft(board, depth - 1));
            let _ = writeln!(text, "{}: {leaves}", mv.uci(self.style()));
            total += leaves;
        }
        let _ = write!(text, "\nNodes searched: {total}");
        text
    }

    /// The board, the FEN, the key, the checkers and the count.
    pub(super) fn drawing(&self) -> String {
        use std::fmt::Write;
        let position = &self.position;
        let mut text = position.board().to_string();
        let _ = writeln!(text, "\nvariant {}", position.variant());
        let _ = writeln!(text, "fen {position}");
        let _ = writeln!(text, "key {:016x}", key_of(position));
        let checkers: String = position
            .checkers()
            .into_iter()
            .fold(String::new(), |list, square| format!("{list} {square}"));
        let _ = write!(text, "checkers{checkers}");
        if let Some(count) = position.as_makruk().and_then(|makruk| makruk.counting()) {
            let (honor, color) = (count.honor(), count.color());
            let (number, limit) = (count.number(), count.limit());
            let _ = write!(text, "\n{color} counts {honor}: {number} of {limit}");
        }
        if let Some(outcome) = position.outcome() {
            let _ = write!(text, "\ngame over: {outcome}");
        }
        text
    }
}
