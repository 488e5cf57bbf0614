//! The visitor of the tokenizer.

use std::fmt;

use super::nag::Nag;
use super::source::Place;
use super::tag_lines::TagLines;
use super::text::Text;
use super::word::Word;
use crate::result::GameResult;

/// Receives a PGN file token by token. By default, every method does nothing.
///
/// ```
/// use halfmove_game::pgn::{CommentStyle, Place, Reader, Text, Visitor};
///
/// /// All comments, with their lines.
/// #[derive(Default)]
/// struct Comments(Vec<(u64, String)>);
///
/// impl Visitor for Comments {
///     fn comment(&mut self, text: Text<'_>, _: CommentStyle, place: Place<'_>) {
///         self.0.push((place.line_column().line, text.to_string()));
///     }
/// }
///
/// let mut comments = Comments::default();
/// let mut reader = Reader::new("1. e4 {best by test} e5\n(1... c5 {sharp}) *".as_bytes());
/// while reader.read_game(&mut comments)? {}
/// assert_eq!(comments.0, [(1, "best by test".to_owned()), (2, "sharp".to_owned())]);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// The calls for one game are
///
/// ```text
/// begin_game  (tag | comment | escape)*  end_tags
///             (san | nag | comment | escape | begin_variation | end_variation)*
///             (result  comment*)?  end_game
/// ```
///
/// `begin_variation` and `end_variation` always match: a variation that the file leaves open is closed (and reported)
/// before `end_game`. [`Visitor::problem`] may be called at any time. Comments, escapes and problems between two games
/// come before `begin_game`; [`Visitor::outside`] is called only there. Slices are only valid during the call.
///
/// A visitor pays only for the parts that it uses. [`Visitor::end_tags`] and [`Visitor::begin_variation`] return
/// [`Flow::Skip`] to skip the text that follows, which is cheaper than reading it; [`Visitor::COMMENTS`]
/// declines comments in movetext.
pub trait Visitor {
    /// True if [`Visitor::comment`] is called for comments in movetext.
    const COMMENTS: bool = true;

    /// The beginning of a game, at its first tag or, without tags, at its first move.
    fn begin_game(&mut self, place: Place<'_>) {
        let _ = place;
    }

    /// A tag pair. Names may repeat.
    fn tag(&mut self, name: Text<'_>, value: Text<'_>, place: Place<'_>) {
        let _ = (name, value, place);
    }

    /// Several tags in a row, each on its own line and without escapes, as in most files. By default, each is passed to
    /// [`Visitor::tag`].
    fn tags(&mut self, tags: TagLines<'_>, place: Place<'_>) {
        let Place { lines, buffer, at } = place;
        for (name, value, offset) in tags.iter() {
            self.tag(name, value, Place { lines: &mut *lines, buffer, at: at + offset });
        }
    }

    /// The end of the tags; the movetext follows. With [`Flow::Skip`], nothing of it is reported except its result and
    /// the end of the game.
    fn end_tags(&mut self) -> Flow {
        Flow::Read
    }

    /// A move as written, with its check and mate marks but without `!` and `?`; also a null move (`--`), or any other
    /// word in place of a move.
    fn san(&mut self, san: Word<'_>, place: Place<'_>) {
        let _ = (san, place);
    }

    /// A numeric annotation glyph (`$14`), a suffix (`!?` is 5), or one of the symbols that
    /// ChessBase and others use instead (`+/-` and `±` are 16, `N` is 146).
    fn nag(&mut self, nag: Nag, place: Place<'_>) {
        let _ = (nag, place);
    }

    /// A comment in braces or after a semicolon, without these characters. A word of signs that is not a glyph, such as
    /// an emoji, is also passed as a comment in braces.
    fn comment(&mut self, text: Text<'_>, style: CommentStyle, place: Place<'_>) {
        let _ = (text, style, place);
    }

    /// A line that begins with `%`, without that character. The standard leaves its meaning to the
    /// program that wrote it.
    fn escape(&mut self, text: Text<'_>, place: Place<'_>) {
        let _ = (text, place);
    }

    /// An opening parenthesis. With [`Flow::Skip`], nothing of this variation is reported except its end, and an
    /// unclosed comment in it ([`Problem::UnclosedComment`]).
    fn begin_variation(&mut self, place: Place<'_>) -> Flow {
        let _ = place;
        Flow::Read
    }

    /// A closing parenthesis.
    fn end_variation(&mut self) {}

    /// The token that ends the movetext.
    fn result(&mut self, result: GameResult, place: Place<'_>) {
        let _ = (result, place);
    }

    /// A result in a variation. The variation continues to its parenthesis.
    fn variation_result(&mut self, result: GameResult, place: Place<'_>) {
        let _ = (result, place);
    }

    /// The end of the game.
    fn end_game(&mut self) {}

    /// A violation of the standard from which the tokenizer recovered.
    fn problem(&mut self, problem: Problem, place: Place<'_>) {
        let _ = (problem, place);
    }

    /// A line between games that is neither a tag nor movetext; at most its first 128 bytes.
    fn outside(&mut self, text: &[u8], place: Place<'_>) {
        let _ = (text, place);
    }
}

/// The choice to read or to skip the text that follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Flow {
    /// Report it.
    Read,
    /// Skip it.
    Skip,
}

/// The delimiters of a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CommentStyle {
    /// `{between braces}`
    Braces,
    /// `; to the end of the line`
    Line,
}

/// A fault in the format of a PGN file, apart from the moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Problem {
    /// A tag without its name, quotes or closing bracket. If it has a name, the recoverable part of the value was
    /// passed to [`Visitor::tag`]. A tag such as `[White ACPL "252"]` has none, and was skipped.
    MalformedTag,
    /// A character that has no meaning in movetext. It was skipped.
    StrayCharacter,
    /// An unmatched `)`. It was skipped.
    StrayParenthesis,
    /// A `{` without `}` before the next game or the end of the input. The comment ends there, and contains the rest of
    /// the game.
    UnclosedComment,
    /// A `(` without `)` before the next game or the end of the input.
    UnclosedVariation,
    /// A comment, tag or word that is too long. It was split.
    LongToken,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Problem::MalformedTag => "malformed tag, expected [Name \"value\"]",
            Problem::StrayCharacter => "stray character in the movetext",
            Problem::StrayParenthesis => "\")\" closes no variation",
            Problem::UnclosedComment => "comment is not closed, expected \"}\"",
            Problem::UnclosedVariation => "variation is not closed, expected \")\"",
            Problem::LongToken => "token is too long and was cut",
        })
    }
}
