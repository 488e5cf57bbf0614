//! The text of a query: how long it may be, and of how many words.

use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

use crate::error::ArchiveError;

/// The most bytes of a query. A value in it may come to stand in each row of a batch.
const BYTES: usize = 1 << 20;

/// The most words and signs of a query. Each may make the plan one level deeper (`a OR b OR c …`, `a, b, c` after
/// `FROM`). The engine goes through plans by recursion, and takes ten seconds to plan some queries of so many.
const WORDS: usize = 2_000;

/// Rejects a query that is too long to be planned. Numbers, texts and the commas between them do not count as words, so
/// lists may be long: `id IN (1, 2, 3, …)`.
pub(crate) fn check_text(query: &str) -> Result<(), ArchiveError> {
    let bytes = query.len();
    if bytes > BYTES {
        return Err(ArchiveError::Limit(format!(
            "the query has {bytes} bytes, at most {BYTES} are allowed"
        )));
    }
    // A text that cannot be split into words gets its error from the parser, which says more.
    let Ok(tokens) = Tokenizer::new(&GenericDialect {}, query).tokenize() else { return Ok(()) };
    let words = tokens.iter().filter(|token| is_word(token)).count();
    if words > WORDS {
        return Err(ArchiveError::Limit(format!(
            "the query has {words} words and signs besides its numbers and texts, at most {WORDS} are allowed"
        )));
    }
    Ok(())
}

fn is_word(token: &Token) -> bool {
    !matches!(
        token,
        Token::Whitespace(_) | Token::Number(..) | Token::SingleQuotedString(_) | Token::Comma
    )
}
