//! Texts as statements: syntax, names of columns, and names that do not exist.

mod headings;
mod ignored;
mod names;
mod split;
mod tags;

use datafusion::error::DataFusionError;
use datafusion::logical_expr::LogicalPlan;
use datafusion::prelude::SQLOptions;
use datafusion::sql::parser::{DFParser, DFParserBuilder, Statement};
use datafusion::sql::sqlparser::ast::{Expr, SetExpr, Statement as SqlStatement};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::ParserError;
use datafusion::sql::sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer};

pub(crate) use self::names::unknown_name;
pub use self::split::{Statements, statements};
use crate::error::{Place, SqlError, cause};

/// The maximum length of a query in bytes.
const BYTES: usize = 1 << 20;

/// The maximum number of words and signs in a query besides numbers, texts and commas, so that lists may be long. The engine goes through
/// plans by recursion, and each word can make one a level deeper: `a OR b OR c …`. The parser has a limit of its own for parentheses.
const WORDS: usize = 2_000;

/// The maximum number of parentheses within each other that stand beside a word of SQL, such as `NOT (` and `(SELECT`. The parser reads
/// some of these twice before it gives up, so that its time doubles with each.
const NESTED: usize = 12;

/// The only statement of a text, which only reads.
pub(crate) fn parse(text: &str) -> Result<Statement, SqlError> {
    let mut found = parse_as(text, |parser| parser.parse_statements())?;
    let count = found.len();
    let Some(mut statement) = found.pop_front().filter(|_| count == 1) else {
        return Err(SqlError::StatementCount { count });
    };
    check_reads(&statement)?;
    if let Some(statement) = of_sql(&mut statement) {
        ignored::check_clauses(statement)?;
    }
    if let Statement::Statement(statement) = &mut statement
        && let SqlStatement::Query(query) = statement.as_mut()
    {
        headings::name_columns(query);
    }
    if let Some(statement) = of_sql(&mut statement) {
        tags::add_tag_columns(statement);
    }
    Ok(statement)
}

/// The condition that a text is.
pub(crate) fn parse_condition(text: &str) -> Result<Expr, SqlError> {
    let mut condition = parse_as(text, |parser| parser.parse_into_expr())?.expr;
    ignored::check_clauses(&condition)?;
    tags::add_tag_columns(&mut condition);
    Ok(condition)
}

fn parse_as<T>(
    text: &str,
    parse: impl FnOnce(&mut DFParser<'_>) -> Result<T, DataFusionError>,
) -> Result<T, SqlError> {
    if text.len() > BYTES {
        return Err(SqlError::TooLong { found: text.len(), unit: "bytes", most: BYTES });
    }
    let tokens = Tokenizer::new(&GenericDialect {}, text).tokenize_with_location();
    let tokens = tokens.map_err(|error| SqlError::Syntax {
        message: error.message,
        place: place(error.location),
    })?;
    let words = tokens.iter().filter(|token| is_word(&token.token)).count();
    if words > WORDS {
        return Err(SqlError::TooLong { found: words, unit: "words and signs", most: WORDS });
    }
    if nesting(&tokens) > NESTED {
        return Err(SqlError::TooDeep);
    }
    let parsed =
        DFParserBuilder::new(tokens.clone()).build().and_then(|mut parser| parse(&mut parser));
    parsed.map_err(|error| match cause(&error) {
        Some(ParserError::RecursionLimitExceeded) => SqlError::TooDeep,
        Some(ParserError::ParserError(text) | ParserError::TokenizerError(text)) => {
            of_parser(text, &tokens)
        }
        None => SqlError::Planning(error.message().into_owned()),
    })
}

fn is_word(token: &Token) -> bool {
    !matches!(
        token,
        Token::Number(..) | Token::SingleQuotedString(_) | Token::Comma | Token::Whitespace(_)
    )
}

/// The deepest nesting of parentheses beside words of SQL.
fn nesting(tokens: &[TokenWithSpan]) -> usize {
    let is_keyword = |token: Option<&&Token>| matches!(token, Some(Token::Word(word)) if word.keyword != Keyword::NoKeyword);
    let tokens = tokens.iter().map(|token| &token.token);
    let tokens: Vec<&Token> =
        tokens.filter(|token| !matches!(token, Token::Whitespace(_))).collect();
    let (mut open, mut deepest) = (Vec::new(), 0);
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::LParen => {
                let before = at.checked_sub(1).and_then(|before| tokens.get(before));
                let counts = is_keyword(before) || is_keyword(tokens.get(at + 1));
                let outside = open.last().copied().unwrap_or(0);
                open.push(outside + usize::from(counts));
                deepest = deepest.max(outside + usize::from(counts));
            }
            Token::RParen => drop(open.pop()),
            _ => {}
        }
    }
    deepest
}

/// An error of the parser. It writes the place of a token after its message.
fn of_parser(text: &str, tokens: &[TokenWithSpan]) -> SqlError {
    let found = tokens.iter().find_map(|token| {
        let start = token.span.start;
        let message = text.strip_suffix(&start.to_string())?;
        Some((message, place(start)?))
    });
    let (message, place) = found.map_or((text, None), |(message, place)| (message, Some(place)));
    SqlError::Syntax { message: message.to_owned(), place }
}

/// The place of a token, if it has one.
fn place(location: Location) -> Option<Place> {
    let Location { line, column } = location;
    (line > 0).then_some(Place { line, column })
}

/// Rejects a statement that would change something.
fn check_reads(statement: &Statement) -> Result<(), SqlError> {
    let reads = match statement {
        Statement::Explain(explain) => return check_reads(&explain.statement),
        Statement::Statement(statement) => match statement.as_ref() {
            SqlStatement::Query(query) => !matches!(
                query.body.as_ref(),
                SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_) | SetExpr::Merge(_)
            ),
            SqlStatement::ShowTables { .. }
            | SqlStatement::ShowColumns { .. }
            | SqlStatement::ShowFunctions { .. }
            | SqlStatement::ShowVariable { .. }
            | SqlStatement::ExplainTable { .. } => true,
            _ => false,
        },
        _ => false,
    };
    match reads {
        true => Ok(()),
        false => {
            let text = statement.to_string();
            let word = text.split_whitespace().next().unwrap_or_default();
            Err(SqlError::ReadOnly { statement: word.to_owned() })
        }
    }
}

/// Rejects a plan that would change something: a query may, as in `SELECT … INTO`.
pub(crate) fn check_plan(plan: &LogicalPlan) -> Result<(), SqlError> {
    let options =
        SQLOptions::new().with_allow_ddl(false).with_allow_dml(false).with_allow_statements(false);
    // It has no other errors.
    options.verify_plan(plan).map_err(|_| SqlError::ReadOnly { statement: "INTO".to_owned() })
}

/// A statement as the parser knows it, without `EXPLAIN`.
fn of_sql(statement: &mut Statement) -> Option<&mut SqlStatement> {
    match statement {
        Statement::Statement(statement) => Some(statement),
        Statement::Explain(explain) => of_sql(&mut explain.statement),
        _ => None,
    }
}
