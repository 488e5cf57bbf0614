//! The head of a game with a custom start position or variant.

use halfmove_rules::makruk::{CountingPolicy, Rules};
use halfmove_rules::{AnyPosition, CastlingMode, Chess, Makruk};

use super::super::{DecodeError, DecodeErrorKind};
use super::is_standard_start;

/// The first byte of a head.
pub(crate) const HEAD: u8 = 0xe4;

/// The second byte, for chess.
const CHESS: u8 = 0x00;
const CHESS960: u8 = 0x01;
/// Added to `CHESS` or `CHESS960` if a FEN follows.
const FEN: u8 = 0x02;
const MAKRUK: u8 = 0x10;
/// The second byte of a standard starting position of Makruk: this plus the number of the game, plus 4 times the
/// number of the counting policy.
const USUAL_MAKRUK: u8 = 0x20;

const POLICIES: [CountingPolicy; 4] =
    [CountingPolicy::Auto, CountingPolicy::Thai, CountingPolicy::MakrukJs, CountingPolicy::Fairy11];

/// The error for a start that cannot be encoded.
pub(super) const TOO_MANY_PIECES: &str = "positions of more than 32 pieces";

/// Appends the head, if the start needs one.
///
/// # Errors
///
/// Returns the part that cannot be encoded.
pub(super) fn write(start: &AnyPosition, out: &mut Vec<u8>) -> Result<(), &'static str> {
    match start {
        AnyPosition::Chess(start) => write_chess(start, out),
        AnyPosition::Makruk(start) => write_makruk(start, out)?,
    }
    Ok(())
}

/// Appends the head for chess, even for the standard starting position.
pub(crate) fn write_chess(start: &Chess, out: &mut Vec<u8>) {
    if is_standard_start(start) {
        return;
    }
    let game = if start.is_chess960() { CHESS960 } else { CHESS };
    if let Ok(packed) = start.pack() {
        out.extend([HEAD, game]);
        out.extend(packed);
    } else {
        // More than 32 pieces.
        let fen = start.to_string();
        out.extend([HEAD, game | FEN, fen.len() as u8]);
        out.extend(fen.bytes());
    }
}

fn write_makruk(start: &Makruk, out: &mut Vec<u8>) -> Result<(), &'static str> {
    let packed = start.pack().map_err(|_| TOO_MANY_PIECES)?;
    let usual = Makruk::start(start.rules()).with_policy(start.policy());
    if usual.pack() == Ok(packed) {
        out.extend([HEAD, USUAL_MAKRUK + start.rules() as u8 + 4 * start.policy() as u8]);
    } else {
        out.extend([HEAD, MAKRUK]);
        out.extend(packed);
    }
    Ok(())
}

/// Reads the start, and the offset at which the codes begin. `None` for the standard starting position of chess.
///
/// # Errors
///
/// The first byte that is wrong.
#[inline]
pub(crate) fn read(bytes: &[u8]) -> Result<Option<(AnyPosition, usize)>, DecodeError> {
    match bytes.first() {
        Some(&HEAD) => read_head(bytes).map(Some),
        _ => Ok(None),
    }
}

#[cold]
fn read_head(bytes: &[u8]) -> Result<(AnyPosition, usize), DecodeError> {
    let error = |offset, kind| Err(DecodeError { offset, kind });
    let codes = head_length(bytes);
    let Some(head) = bytes.get(2..codes) else {
        return error(bytes.len(), DecodeErrorKind::Truncated);
    };
    let start = match (bytes[1], head) {
        (kind @ (CHESS | CHESS960), head) => {
            let chess = head.try_into().ok().and_then(|head| Chess::unpack(head).ok());
            let is_chess960 = kind == CHESS960;
            chess.map(|chess| if is_chess960 { chess.into_chess960() } else { chess }.into())
        }
        (kind @ 0x02..=0x03, [_, fen @ ..]) => {
            let mode = (kind & CHESS960 != 0).then_some(CastlingMode::Chess960);
            let fen = std::str::from_utf8(fen).ok();
            fen.and_then(|fen| Chess::from_fen(fen, mode).ok()).map(AnyPosition::from)
        }
        (MAKRUK, head) => {
            let makruk = head.try_into().ok().and_then(|head| Makruk::unpack(head).ok());
            makruk.map(AnyPosition::from)
        }
        (kind @ USUAL_MAKRUK..0x30, _) if kind & 3 < Rules::ALL.len() as u8 => {
            let rules = Rules::ALL[usize::from(kind & 3)];
            let policy = POLICIES[usize::from(kind >> 2 & 3)];
            Some(Makruk::start(rules).with_policy(policy).into())
        }
        (kind, _) => return error(1, DecodeErrorKind::Reserved(kind)),
    };
    // Each start has exactly one head: the standard starting position of chess has none, and a FEN is used only if
    // the position cannot be packed.
    let mut canonical = Vec::new();
    let mut is_canonical =
        |start: &AnyPosition| write(start, &mut canonical).is_ok() && canonical == bytes[..codes];
    match start.filter(|start| is_canonical(start)) {
        Some(start) => Ok((start, codes)),
        None => error(2, DecodeErrorKind::Start),
    }
}

/// The length of the head, computed without reading the position in it.
pub(crate) fn head_length(bytes: &[u8]) -> usize {
    match bytes {
        [HEAD, CHESS | CHESS960, ..] => 2 + 32,
        [HEAD, 0x02..=0x03, length, ..] => 3 + usize::from(*length),
        [HEAD, 0x02..=0x03] => 3,
        [HEAD, MAKRUK, ..] => 2 + 36,
        [HEAD, ..] => 2,
        _ => 0,
    }
}

/// Returns true if the codes after the head are those of chess.
pub(crate) fn is_chess(bytes: &[u8]) -> bool {
    !matches!(bytes, [HEAD, MAKRUK..0x30, ..])
}
