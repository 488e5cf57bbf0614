//! The text of a query: how long it may be, and of how many words.

use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

use crate::error::ArchiveError;

/// The most bytes of a query. A value in it may come to stand in each row of a batch.
const BYTES: usize = 1 << 20;

/// The most words and signs of a query. Each may make the plan one level deeper (`a OR b OR c …`, `a, b, c` after
/// `FROM`). The engine goes through plans by recursion, and takes long to plan some queries of so many.
const WORDS: usize = 2_000;

/// The most parentheses within each other. The parser has a limit of its own, at about 50 levels.
const NESTED: usize = 40;

/// The most parentheses within each other of which the parser or the planner may try the inside twice: those behind a
/// word of SQL (`NOT (`, `CAST(`, `IN (`), those of lists, and subqueries. Their time doubles with each level.
const TRIED_TWICE: usize = 10;

/// Rejects a query that is too long or too deep to be planned. Numbers, texts and the commas between them do not count
/// as words, so lists may be long: `id IN (1, 2, 3, …)`.
pub(crate) fn check_text(query: &str) -> Result<(), ArchiveError> {
    let bytes = query.len();
    if bytes > BYTES {
        let what = format!("the query has {bytes} bytes, at most {BYTES} are allowed");
        return Err(ArchiveError::Limit(what));
    }
    // A text that cannot be split into words gets its error from the parser, which says more.
    let Ok(mut tokens) = Tokenizer::new(&GenericDialect {}, query).tokenize() else {
        return Ok(());
    };
    tokens.retain(|token| !matches!(token, Token::Whitespace(_)));
    let words = tokens.iter().filter(|token| is_word(token)).count();
    if words > WORDS {
        return Err(ArchiveError::Limit(format!(
            "the query has {words} words and signs besides its numbers and texts, at most {WORDS} are allowed"
        )));
    }
    check_nesting(&tokens)
}

fn is_word(token: &Token) -> bool {
    !matches!(token, Token::Number(..) | Token::SingleQuotedString(_) | Token::Comma)
}

fn check_nesting(tokens: &[Token]) -> Result<(), ArchiveError> {
    let mut open = Vec::new();
    let mut twice = 0;
    let mut before = None;
    for (index, token) in tokens.iter().enumerate() {
        match token {
            Token::LParen | Token::LBracket | Token::LBrace => {
                let is_tried_twice = *token != Token::LParen
                    || before.is_some_and(is_keyword)
                    || tokens.get(index + 1).is_some_and(is_keyword);
                twice += usize::from(is_tried_twice);
                open.push(is_tried_twice);
                if open.len() > NESTED || twice > TRIED_TWICE {
                    return Err(ArchiveError::Limit(format!(
                        "the query is nested too deeply: at most {NESTED} parentheses are allowed within each other, \
                         and {TRIED_TWICE} subqueries or parentheses behind words such as NOT, IN and CAST"
                    )));
                }
            }
            Token::RParen | Token::RBracket | Token::RBrace => {
                twice -= usize::from(open.pop().unwrap_or(false));
            }
            _ => {}
        }
        before = Some(token);
    }
    Ok(())
}

fn is_keyword(token: &Token) -> bool {
    matches!(token, Token::Word(word) if word.keyword != Keyword::NoKeyword)
}
