//! PGN of Makruk: other letters, and counts in comments.
//!
//! A comment contains the count after the preceding half-move, or at the start:
//!
//! ```text
//! [%count board white 12]      why, who, the number last spoken
//! [%count none]
//! ```

use std::fmt::Write as _;

use halfmove_rules::makruk::{Counting, CountingPolicy, Honor, SanStyle};
use halfmove_rules::{AnyPosition, Color, Makruk, Move, SanError};
use memchr::memmem;

use super::error::{PgnErrorKind, quote};
use super::hint::{Hint, PieceOn, similar};
use crate::annotations::{Comment, Part};
use crate::count_call::CountCall;

const POLICIES: [(&str, CountingPolicy); 4] = [
    ("auto", CountingPolicy::Auto),
    ("thai", CountingPolicy::Thai),
    ("makruk-js", CountingPolicy::MakrukJs),
    ("fairy-11", CountingPolicy::Fairy11),
];

/// The counting policy with this name in the tag `Counting`.
///
/// ```
/// use halfmove_game::pgn::{policy_name, policy_named};
/// use halfmove_game::rules::makruk::CountingPolicy;
///
/// assert_eq!(policy_named("Thai"), Some(CountingPolicy::Thai));
/// assert_eq!(policy_name(CountingPolicy::Thai), "thai");
/// ```
pub fn policy_named(name: &str) -> Option<CountingPolicy> {
    let mut policies = POLICIES.into_iter();
    policies.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, policy)| policy)
}

/// The name of a policy in the tag `Counting`.
pub fn policy_name(policy: CountingPolicy) -> &'static str {
    let mut policies = POLICIES.into_iter();
    policies.find(|(_, known)| *known == policy).map_or("auto", |(name, _)| name)
}

/// The count in a comment: its kind, its side, and the last number announced.
pub(super) type Announced = Option<(Honor, Color, u16)>;

/// The count of a position, in the form of a comment.
pub(super) fn announced(position: &AnyPosition) -> Announced {
    match position {
        AnyPosition::Chess(_) => None,
        AnyPosition::Makruk(position) => position.counting().map(announcement),
    }
}

fn announcement(count: Counting) -> (Honor, Color, u16) {
    (count.honor(), count.color(), count.number())
}

/// Writes a comment.
pub(super) fn write_count(count: Announced, out: &mut String) {
    // Writing to a string does not fail.
    let _ = match count {
        None => write!(out, "{{[%count none]}}"),
        Some((honor, color, number)) => {
            let honor = if honor == Honor::Board { "board" } else { "pieces" };
            write!(out, "{{[%count {honor} {color} {number}]}}")
        }
    };
}

const COMMAND: &[u8] = b"%count ";

/// Returns true for a text with a count.
pub(super) fn names_count(text: &[u8]) -> bool {
    memmem::find(text, COMMAND).is_some()
}

/// Returns true for a comment with a count.
pub(super) fn has_count(comment: Comment<'_>) -> bool {
    comment.parts().any(|part| matches!(part, Part::Text(text) if names_count(text.as_bytes())))
}

/// Reads the counts in a comment. If one differs from the position, a side must have started or stopped counting; this
/// is played on the position and added to the calls. Returns false if the comment contradicts the rules.
pub(super) fn take_counts(
    comment: &[u8],
    position: &mut Makruk,
    ply: usize,
    calls: &mut Vec<CountCall>,
) -> bool {
    let mut usable = true;
    for at in memmem::find_iter(comment, COMMAND) {
        let text = &comment[at + COMMAND.len()..];
        let end = memchr::memchr(b']', text);
        let count = end.and_then(|end| parse_count(&text[..end]));
        usable &= count.is_some_and(|count| take_count(count, position, ply, calls));
    }
    usable
}

fn take_count(
    count: Announced,
    position: &mut Makruk,
    ply: usize,
    calls: &mut Vec<CountCall>,
) -> bool {
    if position.counting().map(announcement) == count {
        return true;
    }
    let mut next = position.clone();
    let stopped = next.counting().is_some();
    if stopped && next.stop_count().is_err() {
        return false;
    }
    let begun = count.is_some();
    if begun && next.claim_count().is_err() || next.counting().map(announcement) != count {
        return false;
    }
    *position = next;
    calls.extend(stopped.then_some(CountCall::Stop { ply }));
    calls.extend(begun.then_some(CountCall::Begin { ply }));
    true
}

fn parse_count(text: &[u8]) -> Option<Announced> {
    let mut words = std::str::from_utf8(text).ok()?.split_ascii_whitespace();
    let honor = match words.next()? {
        "none" => return words.next().is_none().then_some(None),
        "board" => Honor::Board,
        "pieces" => Honor::Pieces,
        _ => return None,
    };
    let color = match words.next()? {
        "white" => Color::White,
        "black" => Color::Black,
        _ => return None,
    };
    let number = words.next()?.parse().ok()?;
    words.next().is_none().then_some(Some((honor, color, number)))
}

/// Describes the fault of a move that could not be resolved. Only called on faults, so it need not be fast.
pub(super) fn explain(
    text: &str,
    error: SanError,
    position: &Makruk,
    style: SanStyle,
) -> PgnErrorKind {
    let found = quote(text);
    let written = |mv: Move| position.san_in(mv, style).to_string();
    let (piece, target) = piece_and_target(&found);
    let legal = position.legal_moves();
    let nearest = legal.iter().copied().filter(|&mv| piece_and_target(&written(mv)).0 == piece);
    match error {
        SanError::Null => PgnErrorKind::NullMove { found },
        SanError::MissingPromotion => PgnErrorKind::MissingPromotion { found },
        SanError::Ambiguous => {
            let meant = nearest.map(written).filter(|san| piece_and_target(san).1 == target);
            PgnErrorKind::Ambiguous { expected: meant.collect(), found }
        }
        SanError::Illegal => {
            let role = nearest.clone().next().and_then(|mv| position.board().role_at(mv.from()));
            let expected = nearest.map(written).collect();
            let hint = hint(&found, position, legal.iter().copied().map(written).collect());
            PgnErrorKind::Illegal { role, expected, hint, found }
        }
        _ => {
            let expected = match style {
                SanStyle::MakrukJs => "a move as makruk-js writes it, such as d4 or Td2",
                SanStyle::PlayOk => "a move as PlayOK writes it, such as d4 or Bd2",
                SanStyle::Thai => "a move in Thai letters, such as ง๔ or ค-ง๒",
                _ => "a move as Fairy-Stockfish writes it, such as d4 or Sd2",
            };
            let hint = similar(&found, legal.iter().copied().map(written).collect());
            PgnErrorKind::Unreadable { found, expected, hint }
        }
    }
}

/// The reason why a move of Makruk is not possible, or the likely intended move.
fn hint(found: &str, position: &Makruk, legal: Vec<String>) -> Option<Hint> {
    match (legal.is_empty(), position.outcome(), position.checkers().first()) {
        (true, Some(outcome), _) => Some(Hint::Over { outcome }),
        (false, _, Some(square)) => {
            let piece = position.board().piece_at(square)?;
            Some(Hint::Check { by: PieceOn { piece, square } })
        }
        _ => similar(found, legal),
    }
}

/// The first letter of a SAN, which is a piece or the file of a bia, and its target.
fn piece_and_target(san: &str) -> (Option<char>, String) {
    let san = san.trim_end_matches(['+', '#', '!', '?']);
    let san = san.split_once('=').map_or(san, |(move_text, _)| move_text);
    let from_target = san.char_indices().rev().nth(1).map_or(0, |(at, _)| at);
    (san.chars().next(), san[from_target..].to_owned())
}
