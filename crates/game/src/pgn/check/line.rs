//! A main line or a variation, move by move.

use halfmove_rules::makruk::SanStyle;
use halfmove_rules::{AnyPosition, Move, SanError};

use super::super::error::{PgnErrorKind, explain};
use super::super::game_reader::resolve;
use super::super::makruk;

/// A line of moves that is being played.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) position: AnyPosition,
    /// The position before the last move: where a variation begins.
    before: Option<AnyPosition>,
    /// How many half-moves lead to `position`.
    pub(super) plies: u32,
    /// Whether the moves cannot be followed any longer.
    lost: bool,
}

/// What became of a word that should be a move.
pub(super) enum Step {
    Played,
    Faulty(PgnErrorKind),
    /// An earlier move of this line was faulty.
    Unknown,
}

impl Line {
    pub(super) fn new(position: AnyPosition) -> Line {
        Line { position, before: None, plies: 0, lost: false }
    }

    /// No move of this line can be played.
    pub(super) fn lose(&mut self) {
        self.before = None;
        self.lost = true;
    }

    /// A variation on the last move, even if that is the faulty one.
    pub(super) fn variation(&self) -> Line {
        let (position, lost) = match &self.before {
            Some(before) => (before, false),
            None => (&self.position, self.lost),
        };
        let undone = self.before.is_some() && !self.lost;
        Line {
            position: position.clone(),
            before: None,
            plies: self.plies - u32::from(undone),
            lost,
        }
    }

    /// Plays the move that a word names. A variation may pass with a null move.
    pub(super) fn play(&mut self, word: &[u8], style: SanStyle, may_pass: bool) -> Step {
        if self.lost {
            self.before = None;
            return Step::Unknown;
        }
        match find(&self.position, word, style) {
            Ok(mv) => {
                let before = self.before.get_or_insert_with(|| self.position.clone());
                before.clone_from(&self.position);
                self.position.play_unchecked(mv);
            }
            Err(SanError::Null) if may_pass && let Some(passed) = passed(&self.position) => {
                self.before = Some(std::mem::replace(&mut self.position, passed));
            }
            Err(error) => {
                self.before = Some(self.position.clone());
                self.lost = true;
                return Step::Faulty(match &self.position {
                    AnyPosition::Chess(position) => explain(word, error, position),
                    AnyPosition::Makruk(position) => makruk::explain(word, error, position, style),
                });
            }
        }
        self.plies = self.plies.saturating_add(1);
        Step::Played
    }
}

fn passed(position: &AnyPosition) -> Option<AnyPosition> {
    position.as_chess()?.null_move().map(AnyPosition::Chess)
}

/// Finds the move that a word names, in SAN or in UCI notation, perhaps with an evaluation glued to
/// it.
fn find(position: &AnyPosition, word: &[u8], style: SanStyle) -> Result<Move, SanError> {
    resolve(position, word, style).or_else(|error| {
        let text = std::str::from_utf8(word).map_err(|_| error)?;
        if let Ok(mv) = position.parse_uci(text) {
            return Ok(mv);
        }
        let bare = text.trim_end_matches(['+', '-', '/', '=', '#']);
        resolve(position, bare.as_bytes(), style).map_err(|_| error)
    })
}
