//! Resolving words of movetext to moves.

use halfmove_rules::makruk::SanStyle;
use halfmove_rules::{AnyPosition, Chess, Makruk, Move, San, SanError};

use super::super::error::{PgnErrorKind, explain};
use super::super::makruk;
use super::super::nag::{Glued, cut_marks, glued};
use super::super::text::Text;
use super::super::word::Word;
use crate::levels::Levels;
use crate::numbered::{Coded, NumberedBoard};

/// The positions of the game being read, and the notation of its moves.
#[derive(Debug)]
pub(in crate::pgn) struct Player {
    pub(in crate::pgn) style: SanStyle,
    /// Chess is played on the board of numbered pieces, which has a fast path for common moves.
    chess: Levels<NumberedBoard>,
    other: Levels<AnyPosition>,
    is_chess: bool,
    /// The code of the last move, if known.
    pub(super) code: Option<u8>,
}

/// The result of playing a word.
pub(in crate::pgn) enum Step {
    /// A move, and the marks attached to it.
    Move(Move, Option<Glued>),
    /// A remark about the previous move, such as `ch` or `mate`.
    Remark,
    /// A legal null move.
    Null,
    /// It cannot be played: [`Player::explain`] gives the reason.
    Faulty(SanError),
    /// An earlier word of this line could not be played.
    Lost,
}

/// Evaluates an expression for the levels of the current game.
macro_rules! levels {
    ($player:expr, $levels:ident => $value:expr) => {
        if $player.is_chess {
            let $levels = &mut $player.chess;
            $value
        } else {
            let $levels = &mut $player.other;
            $value
        }
    };
}

impl Player {
    pub(in crate::pgn) fn new(style: SanStyle) -> Player {
        Player {
            style,
            chess: Levels::new(NumberedBoard::usual().clone()),
            other: Levels::new(Chess::default().into()),
            is_chess: true,
            code: None,
        }
    }

    /// Resets to the start of a game.
    pub(in crate::pgn) fn start(&mut self, start: &AnyPosition) {
        match start {
            AnyPosition::Chess(start) => {
                self.is_chess = true;
                if *start == Chess::default() {
                    self.chess.restart(NumberedBoard::usual());
                } else {
                    self.chess.restart(&NumberedBoard::new(start));
                }
            }
            AnyPosition::Makruk(_) => {
                self.is_chess = false;
                self.other.restart(start);
            }
        }
    }

    pub(super) fn is_chess(&self) -> bool {
        self.is_chess
    }

    /// Plays a common move in the main line of a chess game, if the word is one.
    #[inline(always)]
    pub(super) fn play_usual(&mut self, word: Word<'_>) -> Option<Coded> {
        self.chess.position.play_usual(word)
    }

    /// Plays a word in the current line.
    pub(in crate::pgn) fn step(&mut self, word: Word<'_>) -> Step {
        let text = word.as_bytes();
        let error = if !self.can_play() {
            self.push_unplayed();
            return Step::Lost;
        } else if is_null(text) {
            if self.pass() {
                return Step::Null;
            }
            SanError::Null
        } else {
            match self.play(word) {
                Ok(mv) => return Step::Move(mv, None),
                Err(error) => error,
            }
        };
        match self.play_glued(text) {
            Some((mv, marks)) => Step::Move(mv, marks),
            None if San::is_remark(text) => Step::Remark,
            None => {
                self.push_unplayed();
                Step::Faulty(error)
            }
        }
    }

    /// Plays the move of a word in the current line.
    fn play(&mut self, word: Word<'_>) -> Result<Move, SanError> {
        self.code = None;
        if self.is_chess {
            let code = &mut self.code;
            let usual = |board: &mut NumberedBoard| {
                let coded = board.play_word(word)?;
                *code = Some(coded.code);
                Some(coded.mv)
            };
            if let Some(mv) = self.chess.play_by(usual) {
                return Ok(mv);
            }
        }
        // A word that is not UTF-8 may still be a move: `e×d4`.
        self.play_unusual(Text::plain(word.as_bytes()).to_str().as_bytes())
    }

    #[cold]
    fn play_unusual(&mut self, word: &[u8]) -> Result<Move, SanError> {
        let position = self.position();
        let resolved = resolve(&position, word, self.style);
        let uci = || squares(&position, std::str::from_utf8(word).ok()?);
        let mv = resolved.or_else(|error| uci().ok_or(error))?;
        levels!(self, levels => levels.play(mv));
        Ok(mv)
    }

    /// Plays a word that [`Player::play`] rejects, if it is a move with marks attached: `e4+-`. Also returns the marks.
    #[cold]
    fn play_glued(&mut self, word: &[u8]) -> Option<(Move, Option<Glued>)> {
        let word = Text::plain(word).to_str();
        let (san, marks) = cut_marks(&word);
        let mv = resolve(&self.position(), san.as_bytes(), self.style).ok();
        let mv = mv.filter(|_| !marks.is_empty())?;
        levels!(self, levels => levels.play(mv));
        Some((mv, glued(marks)))
    }

    /// The current position. In chess, its counters are not those of the game.
    #[cold]
    fn position(&self) -> AnyPosition {
        if self.is_chess {
            self.chess.position.to_chess().into()
        } else {
            self.other.position.clone()
        }
    }

    /// The current position, if the game is Makruk or one of its variants.
    pub(super) fn makruk(&mut self) -> Option<&mut Makruk> {
        match &mut self.other.position {
            AnyPosition::Makruk(position) if !self.is_chess => Some(position),
            _ => None,
        }
    }

    /// The fault of a word that is not a move here.
    #[cold]
    pub(in crate::pgn) fn explain(&self, word: &[u8], error: SanError) -> PgnErrorKind {
        let word = Text::plain(word).to_str();
        match self.position() {
            AnyPosition::Chess(position) => explain(&word, error, &position),
            AnyPosition::Makruk(position) => makruk::explain(&word, error, &position, self.style),
        }
    }

    /// Returns true if moves can still be played in the current line.
    fn can_play(&mut self) -> bool {
        levels!(self, levels => levels.can_play())
    }

    /// The number of half-moves to the current position of a variation.
    pub(in crate::pgn) fn variation_plies(&mut self) -> usize {
        levels!(self, levels => levels.variation_plies())
    }

    fn pass(&mut self) -> bool {
        levels!(self, levels => levels.pass())
    }

    pub(in crate::pgn) fn push_unplayed(&mut self) {
        levels!(self, levels => levels.push_unplayed());
    }

    pub(in crate::pgn) fn begin(&mut self, moves: &[Move]) {
        levels!(self, levels => levels.begin(moves));
    }

    pub(in crate::pgn) fn end(&mut self) {
        levels!(self, levels => levels.end());
    }

    /// The memory that the open variations occupy, in bytes.
    pub(in crate::pgn) fn bytes(&mut self) -> usize {
        levels!(self, levels => levels.bytes())
    }
}

/// Finds the move given by two squares, possibly with a mark between them: `g1f3`, `g1-e2`.
fn squares(position: &AnyPosition, word: &str) -> Option<Move> {
    let plain = match word.split_once(['-', 'x', ':']) {
        Some((from, to)) if from.len() == 2 => format!("{from}{to}"),
        _ => word.to_owned(),
    };
    position.parse_uci(&plain).ok()
}

/// Parses a SAN and finds its legal move.
fn resolve(position: &AnyPosition, word: &[u8], style: SanStyle) -> Result<Move, SanError> {
    match position {
        AnyPosition::Chess(position) => San::parse(word)?.resolve(position),
        AnyPosition::Makruk(_) if is_null(word) => Err(SanError::Null),
        AnyPosition::Makruk(position) => {
            let text = std::str::from_utf8(word)
                .map_err(|error| SanError::Syntax { offset: error.valid_up_to() })?;
            position.parse_san_in(text, style)
        }
    }
}

pub(super) fn is_null(word: &[u8]) -> bool {
    // A word that is not UTF-8 may be a null move too: `Z0+†`.
    matches!(
        word.first(),
        Some(b'-' | b'<' | b'@' | b'0' | b'N' | b'P' | b'Z' | b'n' | b'p' | b'z')
    ) && San::parse(Text::plain(word).to_str().as_bytes()) == Err(SanError::Null)
}
