//! Parses texts to statements: syntax, names of columns, and unknown names.

mod derived;
mod headings;
mod ignored;
mod names;
mod split;
mod tags;
mod using;

use datafusion::error::DataFusionError;
use datafusion::logical_expr::LogicalPlan;
use datafusion::prelude::SQLOptions;
use datafusion::sql::parser::{DFParser, DFParserBuilder, Statement};
use datafusion::sql::sqlparser::ast::{Expr, SetExpr, Statement as SqlStatement};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::ParserError;
use datafusion::sql::sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer};

pub(crate) use self::derived::DERIVED;
pub(crate) use self::names::unknown_name;
pub use self::split::{Statements, statements};
use crate::error::{Place, SqlError, cause};

/// The maximum length of a query in bytes.
const BYTES: usize = 1 << 20;

/// The maximum number of tokens in a query besides numbers, texts and commas, so that lists may be long. The engine
/// traverses plans recursively, and each token can make one a level deeper: `a OR b OR c …`. The parser limits
/// parentheses itself.
const WORDS: usize = 2_000;

/// The maximum nesting of parentheses that follow a keyword, such as `NOT (` and `(SELECT`. The parser reads
/// some of these twice before it gives up, so its time doubles with each.
const NESTED: usize = 12;

/// Parses the only statement of a text, which must be read-only.
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
        using::qualify_columns(statement);
        derived::name_subqueries(statement);
    }
    Ok(statement)
}

/// Parses a text as a condition.
pub(crate) fn parse_condition(text: &str) -> Result<Expr, SqlError> {
    let mut condition = parse_as(text, |parser| parser.parse_into_expr())?.expr;
    ignored::check_clauses(&condition)?;
    tags::add_tag_columns(&mut condition);
    derived::name_subqueries(&mut condition);
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

/// The maximum nesting of parentheses next to keywords.
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

/// Converts a parser error. The parser writes the place of a token after its message.
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

/// Rejects a plan that would change something, as a query may: `SELECT … INTO`.
pub(crate) fn check_plan(plan: &LogicalPlan) -> Result<(), SqlError> {
    let options =
        SQLOptions::new().with_allow_ddl(false).with_allow_dml(false).with_allow_statements(false);
    // It fails only with this error.
    options.verify_plan(plan).map_err(|_| SqlError::ReadOnly { statement: "INTO".to_owned() })
}

/// A statement of the parser, without `EXPLAIN`.
fn of_sql(statement: &mut Statement) -> Option<&mut SqlStatement> {
    match statement {
        Statement::Statement(statement) => Some(statement),
        Statement::Explain(explain) => of_sql(&mut explain.statement),
        _ => None,
    }
}
