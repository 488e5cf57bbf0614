//! Splits a text of SQL into statements.

use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer};

/// A text of SQL, split: see [`statements`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statements<'a> {
    /// The statements that end with a semicolon, without it.
    pub ended: Vec<&'a str>,
    /// The text after the last semicolon; empty if it consists of white space and comments.
    pub rest: &'a str,
}

/// Splits a text at its semicolons, except for those in quotes and comments. Empty statements are left out. A quote
/// or a comment that is not closed is left in [`Statements::rest`].
///
/// ```
/// use halfmove_sql::statements;
///
/// let found = statements("select ';' as a; -- one;\nselect 2");
/// assert_eq!(found.ended, ["select ';' as a"]);
/// assert_eq!(found.rest, " -- one;\nselect 2");
/// assert_eq!(statements("select 1; -- done").rest, "");
/// assert_eq!(statements("select 'it").rest, "select 'it");
/// ```
pub fn statements(text: &str) -> Statements<'_> {
    let mut tokens: Vec<TokenWithSpan> = Vec::new();
    // The engine's own tokens, so that both agree on quotes. If the text cannot be tokenized, the parser reports why.
    let read =
        Tokenizer::new(&GenericDialect {}, text).tokenize_with_location_into_buf(&mut tokens);
    let mut places = Places { text, at: 0, line: 1, column: 1 };
    let mut found = Statements { ended: Vec::new(), rest: "" };
    let (mut begin, mut is_blank) = (0, true);
    for TokenWithSpan { token, span } in &tokens {
        match token {
            Token::SemiColon => {
                let end = places.offset(span.start);
                if !is_blank {
                    found.ended.push(&text[begin..end]);
                }
                (begin, is_blank) = (end + 1, true);
            }
            Token::Whitespace(_) | Token::EOF => {}
            _ => is_blank = false,
        }
    }
    if !is_blank || read.is_err() {
        found.rest = &text[begin..];
    }
    found
}

/// Offsets of places in ascending order.
struct Places<'a> {
    text: &'a str,
    at: usize,
    line: u64,
    column: u64,
}

impl Places<'_> {
    fn offset(&mut self, place: Location) -> usize {
        let mut chars = self.text[self.at..].chars();
        while (self.line, self.column) != (place.line, place.column) {
            let Some(char) = chars.next() else { break };
            self.at += char.len_utf8();
            (self.line, self.column) = match char {
                '\n' => (self.line + 1, 1),
                _ => (self.line, self.column + 1),
            };
        }
        self.at
    }
}
