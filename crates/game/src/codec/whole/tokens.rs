//! The annotations of a game: everything in its text but the tags, the main line and the comments that
//! [`Values`](super::values::Values) stand for, as a string of tokens. `docs/reference/whole.md` lists them.

mod reading;
mod writing;

use halfmove_rules::{AnyPosition, Move};

pub(super) use self::reading::read;
pub(super) use self::writing::write;
use crate::result::GameResult;
use crate::tags::Tags;

/// A move with this number or a higher one takes more bytes.
pub(super) const FAR_MOVE: u8 = 0x7f;
pub(super) const BEGIN: u8 = 0x80;
pub(super) const END: u8 = 0x81;
pub(super) const COMMENT: u8 = 0x82;
pub(super) const LINE_COMMENT: u8 = 0x83;
pub(super) const ESCAPE: u8 = 0x84;
pub(super) const WORD: u8 = 0x85;
pub(super) const NULL_MOVE: u8 = 0x86;
pub(super) const GLYPH: u8 = 0x87;
pub(super) const BEGIN_COUNT: u8 = 0x88;
pub(super) const STOP_COUNT: u8 = 0x89;
pub(super) const AFTER_TAGS: u8 = 0x8a;
pub(super) const USUAL_RESULT: u8 = 0x8b;
pub(super) const RESULT: u8 = 0x8c;
pub(super) const LAST_RESULT: u8 = 0x8f;
/// Less 1, since the signs count from 1.
pub(super) const SIGN: u8 = 0x8f;
pub(super) const NO_RESULT: u8 = 0xa4;

/// As many signs are known.
pub(super) const SIGNS: u8 = 20;

const RESULTS: [GameResult; 4] =
    [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown];

/// The result that a game's tags give.
pub(super) fn usual_result(tags: &Tags) -> Option<GameResult> {
    tags.value("Result").and_then(|value| GameResult::from_token(value.as_bytes()))
}

/// The legal moves in the order of their bits.
pub(super) fn moves_in_order(position: &AnyPosition) -> Vec<Move> {
    let mut moves = position.legal_moves().to_vec();
    moves.sort_unstable_by_key(|mv| mv.to_bits());
    moves
}
