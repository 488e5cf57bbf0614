//! Filters: conditions on headers and on positions.

mod condition;

use datafusion::error::Result;
use datafusion::logical_expr::{Expr, ScalarUDF, col, lit};
use datafusion::prelude::DataFrame;
use datafusion::scalar::ScalarValue;
use halfmove_game::GameResult;
use halfmove_rules::{AnyPosition, Variant};

use crate::functions;
use crate::period::Period;

/// Conditions that a game has to meet, all of them. The default has none, so every game meets it.
///
/// Texts may occur anywhere in the tag; case does not matter.
///
/// ```
/// use halfmove_archive::Filter;
///
/// let filter = Filter {
///     player: Some("morphy".to_owned()),
///     until: Some("1860".parse()?),
///     ..Filter::default()
/// };
/// # Ok::<(), halfmove_archive::PeriodError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// The position arises in the game. Its move counters and, in Makruk, its count do not matter.
    ///
    /// A position belongs to its game: one of Makruk does not arise in Makpong, though the pieces stand alike, since the
    /// rules by which play goes on from it are others. Chess and Chess960 are the same game here.
    pub position: Option<AnyPosition>,
    /// The game is of this variant. Here, chess and Chess960 are two variants.
    pub variant: Option<Variant>,
    /// Part of the name of either player.
    pub player: Option<String>,
    /// Part of the name of the player of the white pieces.
    pub white: Option<String>,
    /// Part of the name of the player of the black pieces.
    pub black: Option<String>,
    /// Part of the name of the event.
    pub event: Option<String>,
    /// Part of the name of the site.
    pub site: Option<String>,
    /// Beginning of the ECO code: `B`, `B9`, `B90`.
    pub eco: Option<String>,
    /// The result.
    pub result: Option<GameResult>,
    /// Not before the first day of this period. A game with only a year matches if it may fall within the bound.
    pub since: Option<Period>,
    /// Not after the last day of this period. A game with only a year matches if it may fall within the bound.
    pub until: Option<Period>,
    /// Both players have at least this rating.
    pub min_elo: Option<u16>,
    /// A condition in SQL over the columns of the table, as after `WHERE`: `plies > 100 AND eco LIKE 'B9%'`.
    pub condition: Option<String>,
}

impl Filter {
    /// A filter for games in which a position arises.
    ///
    /// ```
    /// use halfmove_archive::Filter;
    /// use halfmove_rules::Makruk;
    ///
    /// let filter = Filter::position(Makruk::default());
    /// assert_eq!(filter.position, Some(Makruk::default().into()));
    /// ```
    pub fn position(position: impl Into<AnyPosition>) -> Self {
        Self { position: Some(position.into()), ..Self::default() }
    }

    /// The rows of the table that meet the conditions. Headers come first, since they are cheap, and the moves last:
    /// the scan evaluates conditions one by one and reads a column only for the rows that remain.
    pub(crate) fn apply(&self, mut games: DataFrame) -> Result<DataFrame> {
        let mut conditions = self.headers();
        if let Some(sql) = &self.condition {
            conditions.push(condition::parse(&games, sql)?);
        }
        if let Some(position) = &self.position {
            conditions.push(reaches(position));
        }
        for condition in conditions {
            games = games.filter(condition)?;
        }
        Ok(games)
    }

    /// Whether there is no condition: every game meets the filter.
    pub fn is_empty(&self) -> bool {
        self.position.is_none() && self.condition.is_none() && self.headers().is_empty()
    }

    /// The variant that games have to be of, unless the position arises in no other games.
    pub(crate) fn wanted_variant(&self) -> Option<Variant> {
        let position = self.position.as_ref().and_then(AnyPosition::as_makruk);
        let implied = position.map(|position| Variant::from(position.rules()));
        self.variant.filter(|variant| implied != Some(*variant))
    }

    fn headers(&self) -> Vec<Expr> {
        let mut conditions = Vec::new();
        if let Some(variant) = self.wanted_variant() {
            conditions.push(col("variant").eq(lit(variant.name())));
        }
        if let Some(elo) = self.min_elo {
            let elo = i32::from(elo);
            conditions.push(col("white_elo").gt_eq(lit(elo)).and(col("black_elo").gt_eq(lit(elo))));
        }
        if let Some(result) = self.result {
            conditions.push(col("result").eq(lit(result.to_string())));
        }
        if let Some(period) = self.since {
            let (day, year) = period.first();
            let day = lit(ScalarValue::Date32(Some(day)));
            conditions.push(
                col("date").gt_eq(day).or(col("date").is_null().and(col("year").gt_eq(lit(year)))),
            );
        }
        if let Some(period) = self.until {
            let (day, year) = period.last();
            let day = lit(ScalarValue::Date32(Some(day)));
            conditions.push(
                col("date").lt_eq(day).or(col("date").is_null().and(col("year").lt_eq(lit(year)))),
            );
        }
        if let Some(eco) = &self.eco {
            conditions.push(col("eco").ilike(lit(format!("{}%", escaped(eco)))));
        }
        let texts = [
            ("white", &self.white),
            ("black", &self.black),
            ("event", &self.event),
            ("site", &self.site),
        ];
        for (column, text) in texts {
            if let Some(text) = text {
                conditions.push(contains(column, text));
            }
        }
        if let Some(player) = &self.player {
            conditions.push(contains("white", player).or(contains("black", player)));
        }
        conditions
    }
}

fn contains(column: &str, text: &str) -> Expr {
    col(column).ilike(lit(format!("%{}%", escaped(text))))
}

/// The text with all pattern characters escaped.
fn escaped(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}

/// `reaches(moves, '…')`.
fn reaches(position: &AnyPosition) -> Expr {
    call(functions::reaches(), position)
}

/// `ply_of(moves, '…')`.
pub(crate) fn ply_of(position: &AnyPosition) -> Expr {
    call(functions::ply_of(), position)
}

fn call(function: ScalarUDF, position: &AnyPosition) -> Expr {
    let mut arguments = vec![col("moves")];
    arguments.extend(of_position(position));
    function.call(arguments)
}

/// The last arguments of a call about a position: its FEN, and its variant.
pub(crate) fn of_position(position: &AnyPosition) -> Vec<Expr> {
    let fen = lit(position.to_string());
    match position {
        // The FEN decides whether it is Chess960.
        AnyPosition::Chess(_) => vec![fen],
        AnyPosition::Makruk(_) => vec![fen, lit(position.variant().name())],
    }
}
