//! The layout of a comment with a clock and an evaluation.

use super::super::number::Cursor;
use super::super::{DecodeError, DecodeErrorKind};
use crate::annotations::entry::{Entry, Kind, LAST, SPACE_AFTER, SPACE_BEFORE, SPELLED};
use crate::clock::Clock;
use crate::evaluation::Evaluation;

/// The layout of a comment with an evaluation and a clock.
///
/// | bit | set if |
/// |---|---|
/// | 0 | the comments are regular: all have this layout, and they are not among the annotations |
/// | 1 | there is a space before the first value |
/// | 2 | there is a space after the last |
/// | 3 | there is a space between them |
/// | 4 | the clock comes first |
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Template(pub(super) u8);

impl Template {
    /// The template of comments that are stored among the annotations.
    pub(super) const NONE: Template = Template(0);

    const ALL: u8 = 0b1_1111;

    /// All templates.
    fn every() -> impl Iterator<Item = Template> {
        (0..=Self::ALL).filter(|bits| bits & 1 != 0).map(Template)
    }

    pub(super) fn is_regular(self) -> bool {
        self.0 & 1 != 0
    }

    /// The text of the comment.
    pub(super) fn write(
        self,
        clock: Option<Clock>,
        evaluation: Option<Evaluation>,
        out: &mut String,
    ) {
        use std::fmt::Write;
        let has = |bit: u8| self.0 >> bit & 1 != 0;
        let space =
            |out: &mut String, is_there: bool| out.push_str(if is_there { " " } else { "" });
        space(out, has(1));
        let both = clock.is_some() && evaluation.is_some();
        for is_clock in [has(4), !has(4)] {
            // Writing to a string does not fail.
            let _ = match (is_clock, clock, evaluation) {
                (true, Some(clock), _) => write!(out, "[%clk {clock}]"),
                (false, _, Some(evaluation)) => write!(out, "[%eval {evaluation}]"),
                _ => Ok(()),
            };
            if is_clock == has(4) {
                space(out, both && has(3));
            }
        }
        space(out, has(2));
    }

    /// The template of a comment. `known` is tried first, because a comment with only one value does not show the order
    /// of two.
    pub(super) fn of(
        text: &str,
        clock: Option<Clock>,
        evaluation: Option<Evaluation>,
        known: Option<Template>,
    ) -> Option<Template> {
        let mut written = String::new();
        let mut fits = |template: Template| {
            written.clear();
            template.write(clock, evaluation, &mut written);
            written == text
        };
        match known {
            Some(known) => fits(known).then_some(known),
            None => Self::every().find(|template| fits(*template)),
        }
    }

    /// The template of a comment with these entries, consistent with the comments before it; `None` if there is none.
    /// Fields that are still undetermined are marked.
    #[inline]
    pub(super) fn of_entries(
        first: &Entry,
        second: Option<&Entry>,
        known: Option<PartialTemplate>,
    ) -> Option<PartialTemplate> {
        let is_value = |entry: &Entry| {
            matches!(entry.kind, Kind::Clock | Kind::Evaluation) && !entry.has(SPELLED)
        };
        let last = second.unwrap_or(first);
        let is_one = second.is_none_or(|second| second.kind != first.kind && is_value(second));
        if !is_value(first)
            || !is_one
            || !last.has(LAST)
            || first.has(SPACE_AFTER) && second.is_some()
        {
            return None;
        }
        let bit = |is_set: bool, bit: u8| if is_set { 1 << bit } else { 0 };
        let mut bits = bit(first.has(SPACE_BEFORE), 1) | bit(last.has(SPACE_AFTER), 2);
        let mut seen = 0b00111;
        if let Some(second) = second {
            bits |= bit(second.has(SPACE_BEFORE), 3) | bit(first.kind == Kind::Clock, 4);
            seen = Self::ALL;
        }
        match known {
            Some(known) if (known.bits ^ bits) & known.seen & seen != 0 => None,
            Some(known) => {
                Some(PartialTemplate { bits: known.bits | bits, seen: known.seen | seen })
            }
            None => Some(PartialTemplate { bits, seen }),
        }
    }

    pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<Template, DecodeError> {
        let byte = cursor.byte()?;
        if byte > Self::ALL {
            cursor.at -= 1;
            return cursor.error(DecodeErrorKind::Reserved(byte));
        }
        Ok(Template(byte))
    }
}

/// A template with possibly undetermined fields.
#[derive(Copy, Clone, Debug)]
pub(super) struct PartialTemplate {
    bits: u8,
    seen: u8,
}

impl PartialTemplate {
    /// The template. Undetermined fields may have any value.
    pub(super) const fn template(self) -> Template {
        Template(self.bits | 1)
    }
}
