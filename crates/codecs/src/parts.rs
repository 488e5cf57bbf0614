//! Parts of games that several codecs write, or reject, in the same way.

use halfmove_game::codec::{DecodeErrorKind, halfmove};
use halfmove_game::pgn::CommentStyle;
use halfmove_game::rules::{AnyPosition, CastlingMode, Chess};
use halfmove_game::{Comment, Event, Game};

use crate::{EncodeError, EncodeErrorKind};

/// Parts that games may get in the future, and for which the other formats have no code.
pub(crate) const OTHER: &str = "parts of another kind";

/// Rejects a game with more than a main line, a result and tags.
pub(crate) fn only_main_line(codec: &'static str, game: &Game) -> Result<(), EncodeError> {
    let mut ply = 0;
    for event in game.events() {
        let what = match event {
            Event::Tag(..) | Event::EndTags | Event::Result(_) => continue,
            Event::Move(_) => {
                ply += 1;
                continue;
            }
            Event::CountCall(_) => "counts of Makruk",
            Event::Nag(_) => "glyphs",
            Event::Comment(_) => "comments",
            Event::Word(_) => "words in place of moves",
            Event::Escape(_) => "lines that begin with %",
            Event::NullMove(_) | Event::BeginVariation | Event::EndVariation => "variations",
            _ => OTHER,
        };
        return Err(EncodeError { ply, kind: EncodeErrorKind::Part { codec, what } });
    }
    Ok(())
}

/// Returns true if a comment can be restored from its text alone: a comment in braces can, and a comment after a
/// semicolon that braces could not hold.
pub(crate) fn comes_back(comment: Comment<'_>) -> bool {
    comment.style() == CommentStyle::Braces || comment.to_string().contains('}')
}

/// The chess position in which a game starts.
pub(crate) fn chess_start(codec: &'static str, start: &AnyPosition) -> Result<Chess, EncodeError> {
    match start {
        AnyPosition::Chess(start) => Ok(start.clone()),
        AnyPosition::Makruk(_) => {
            let kind = EncodeErrorKind::Part { codec, what: "games other than chess" };
            Err(EncodeError { ply: 0, kind })
        }
    }
}

/// The text of a start: a FEN, followed by a word for Chess960, which the castling rights need not show. Empty for the
/// standard starting position.
pub(crate) fn start_text(start: &Chess) -> String {
    match (halfmove::is_standard_start(start), start.is_chess960()) {
        (true, false) => String::new(),
        (_, false) => start.to_string(),
        (_, true) => format!("{start} {CHESS960}"),
    }
}

const CHESS960: &str = "chess960";

/// Reads the text of [`start_text`], or a FEN.
pub(crate) fn read_start(text: &[u8]) -> Result<Chess, DecodeErrorKind> {
    let text = std::str::from_utf8(text).map_err(|_| DecodeErrorKind::NotUtf8)?;
    let (fen, mode) = match text.strip_suffix(CHESS960) {
        Some(fen) => (fen.trim_end(), Some(CastlingMode::Chess960)),
        None => (text, None),
    };
    Chess::from_fen(fen, mode).map_err(|_| DecodeErrorKind::Start)
}
