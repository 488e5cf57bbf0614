//! Reading comments.

use std::ops::Range;

use super::super::scan::{self, CommentEnd};
use super::super::source::{Lines, Place};
use super::super::text::Text;
use super::super::visitor::{CommentStyle, Problem, Visitor};

/// The end of a comment.
pub(super) struct AfterComment {
    pub(super) end: usize,
    /// True if the next game or the end of the input ended it.
    pub(super) unclosed: bool,
}

/// Reports the comment at `pos`; if `inside` is set, `pos` is in the middle of its text. Unless `ALWAYS` is
/// true, the visitor can decline comments.
pub(super) fn comment<V: Visitor, const ALWAYS: bool>(
    buffer: &[u8],
    lines: &mut Lines,
    inside: &mut bool,
    pos: usize,
    cut: bool,
    at_eof: bool,
    visitor: &mut V,
) -> Option<AfterComment> {
    let from = if *inside { pos } else { pos + 1 };
    let end = scan::comment_end(buffer, from, cut)?;
    let at = Place { lines: &mut *lines, buffer, at: pos };
    let (text, problem) = match end {
        CommentEnd::Brace(end) => (from..end, None),
        CommentEnd::NextGame(end) => (from..end, Some(Problem::UnclosedComment)),
        CommentEnd::Cut if at_eof => (from..buffer.len(), Some(Problem::UnclosedComment)),
        CommentEnd::Cut => (from..scan::comment_split(buffer, from), Some(Problem::LongToken)),
    };
    let end = text.end;
    if ALWAYS || V::COMMENTS {
        visitor.comment(Text::plain(&buffer[text]), CommentStyle::Braces, at);
    }
    if let Some(problem) = problem {
        visitor.problem(problem, Place { lines, buffer, at: pos });
    }
    *inside = problem == Some(Problem::LongToken);
    Some(AfterComment {
        end: end + usize::from(problem.is_none()),
        unclosed: problem == Some(Problem::UnclosedComment),
    })
}

/// Reports a comment in movetext that begins with a semicolon.
pub(super) fn line_comment<V: Visitor>(
    buffer: &[u8],
    lines: &mut Lines,
    comment: Range<usize>,
    visitor: &mut V,
) {
    if V::COMMENTS {
        let place = Place { lines, buffer, at: comment.start };
        let text = Text::plain(&buffer[comment.start + 1..comment.end]);
        visitor.comment(text, CommentStyle::Line, place);
    }
}
