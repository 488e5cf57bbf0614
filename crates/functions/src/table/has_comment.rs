//! `has_comment(annotations, words)`: true if a comment has some words.

use std::ops::ControlFlow;

use halfmove_game::codec::{DecodeError, whole};

use crate::function::{ANNOTATIONS, Argument, Body, Example, Function, Kind, ResultKind};
use crate::literals::{self, Last};
use crate::rows::booleans;
use crate::words::{Words, write_words};

pub(crate) const FUNCTION: Function = Function::new(
    "has_comment",
    &[ANNOTATIONS, Argument::new("words", Kind::Words)],
    ResultKind::Boolean,
    Body::Rows(|arguments| {
        let (annotations, texts, mut last) = (arguments.bytes(0)?, arguments.texts(1)?, Last::new());
        let mut folded = String::new();
        booleans(arguments, |row| {
            let Some(text) = texts.at(row) else { return Ok(None) };
            let words = last.of(text, literals::words)?;
            let Some(annotations) = annotations.at(row) else { return Ok(Some(false)) };
            let found = find(annotations, 0, words, &mut folded);
            Ok(Some(found.map_err(|error| arguments.invalid(0, error))?.is_some()))
        })
    }),
)
.with_help(
    "true if a comment has these words",
    "True if a comment of the game or of a variation has these words: in any order, ignoring case and accents. A word with \
a `*` at its end\nmatches the beginning of a word. False for games without annotations.",
    Example::new(
        &["has_comment(annotations, 'philidors def*')", "has_comment(annotations, 'JOSE')"],
        &[1, 2],
        &[&["true", "true"], &["false", "false"]],
    ),
);

/// The ply of the first comment that has the words, in a game of `plies` half-moves; `None` if no comment has
/// them.
///
/// ```
/// use halfmove_functions::{comment_with, literals};
/// use halfmove_game::codec::whole::Parts;
/// use halfmove_game::pgn::read_game;
///
/// let game = read_game("1. e4 e5 {A novelty!} 2. Nf3 *")?;
/// let annotations = Parts::of(&game).annotations;
/// assert_eq!(comment_with(&annotations, 3, &literals::words("novel*")?)?, Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The first invalid byte of the annotations.
pub fn comment_with(
    annotations: &[u8],
    plies: u32,
    words: &Words,
) -> Result<Option<u32>, DecodeError> {
    find(annotations, plies, words, &mut String::new())
}

/// [`comment_with`] with scratch space for the words of a comment.
fn find(
    annotations: &[u8],
    plies: u32,
    words: &Words,
    folded: &mut String,
) -> Result<Option<u32>, DecodeError> {
    let mut found = None;
    whole::comments(annotations, plies, |ply, comment| {
        folded.clear();
        write_words(comment, folded);
        if folded.contains(words.longest()) && words.are_in(folded) {
            found = Some(ply);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    })?;
    Ok(found)
}
