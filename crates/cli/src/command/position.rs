//! `halfmove position`: draws one position of any game.

use super::moves::outcome_object;
use crate::args::{Format, ShowPosition};
use crate::movetext;
use crate::output::{self, Advised, Answer, Rows};
use crate::{Done, board};
use anyhow::{anyhow, bail};
use halfmove_game::movetext::Word;
use halfmove_game::openings::{self, Opening};
use halfmove_rules::makruk::{Counting, CountingError, CountingPolicy, Honor};
use halfmove_rules::{AnyPosition, Chess, Color, History, Makruk, Outcome};
use serde_json::{Value, json};
use std::fmt::Write as _;

pub(crate) fn run(args: ShowPosition) -> anyhow::Result<Done> {
    let (start, variant) = args.start.position()?;
    let mut game = Game::begin(start, args.counting.map(CountingPolicy::from))?;
    let mut last = String::from("the start");
    let of = |position: &AnyPosition| position.as_chess().and_then(openings::of_position);
    let mut opening = of(&game.position());
    for word in movetext::words(args.start.moves.as_deref().unwrap_or_default())? {
        game.take(&word, &mut last)?;
        opening = of(&game.position()).or(opening);
    }
    let position = game.position();
    let (fen, check) = (position.to_string(), position.is_check());
    let (counting, outcome) = (game.counting(), game.outcome());
    match args.output.format {
        Format::Table => output::line(game.describe(&last, opening))?,
        format => {
            let [kind, color, limit, ply] = counting.map_or_else(Default::default, count_fields);
            let [result, why] = outcome.map_or_else(Default::default, |outcome| {
                [outcome.result().into(), outcome.name().into()]
            });
            let row = [variant.name().into(), fen.clone(), check.to_string()];
            let named = opening.map_or_else(Default::default, |opening| {
                [opening.eco().to_string(), opening.name().to_owned()]
            });
            let heading = [
                "variant", "fen", "check", "kind", "color", "limit", "ply", "result", "reason",
                "eco", "name",
            ];
            let row = row.into_iter().chain([kind, color, limit, ply, result, why]).chain(named);
            let rows = Rows::new(&heading, &[], vec![row.collect()]);
            let answer = Answer { rows: &rows, closing: "", list: None };
            output::print(format, &answer, || {
                json!({
                    "variant": variant.name(),
                    "fen": fen,
                    "check": check,
                    "counting": counting.map(count_object),
                    "outcome": outcome.map(outcome_object),
                    "opening": opening.map(|opening| json!({ "eco": opening.eco(), "name": opening.name() })),
                })
            })?;
        }
    }
    Ok(Done::Found)
}

/// A count in plies, as in the fields of a FEN.
fn count_object(count: Counting) -> Value {
    json!({
        "kind": kind(count),
        "color": count.color().to_string(),
        "limit": 2 * u32::from(count.limit()),
        "ply": count.ply(),
    })
}

fn count_fields(count: Counting) -> [String; 4] {
    let limit = 2 * u32::from(count.limit());
    [kind(count).into(), count.color().to_string(), limit.to_string(), count.ply().to_string()]
}

fn kind(count: Counting) -> &'static str {
    match count.honor() {
        Honor::Board => "board",
        Honor::Pieces => "pieces",
    }
}

/// A game from its start to the requested position.
enum Game {
    Chess(History<Chess>),
    Makruk(History<Makruk>),
}

impl Game {
    fn begin(start: AnyPosition, policy: Option<CountingPolicy>) -> anyhow::Result<Self> {
        match (start, policy) {
            (AnyPosition::Chess(_), Some(_)) => bail!(
                "--counting: there is no counting in chess, expected --variant makruk, makpong or asean"
            ),
            (AnyPosition::Chess(start), None) => Ok(Self::Chess(History::new(start))),
            (AnyPosition::Makruk(start), policy) => {
                let start = start.with_policy(policy.unwrap_or_default());
                Ok(Self::Makruk(History::new(start)))
            }
        }
    }

    fn position(&self) -> AnyPosition {
        match self {
            Self::Chess(history) => history.position().clone().into(),
            Self::Makruk(history) => history.position().clone().into(),
        }
    }

    fn counting(&self) -> Option<Counting> {
        match self {
            Self::Chess(_) => None,
            Self::Makruk(history) => history.position().counting(),
        }
    }

    /// The outcome of the game, or the draw that the side to move may claim.
    fn outcome(&self) -> Option<Outcome> {
        match self {
            Self::Chess(history) => history.outcome().or_else(|| history.claim()),
            Self::Makruk(history) => history.outcome(),
        }
    }

    /// Plays a move, or starts or stops a count.
    fn take(&mut self, word: &Word, last: &mut String) -> anyhow::Result<()> {
        let called = match (&mut *self, word.text.as_str()) {
            (Self::Makruk(history), "count") => Some(history.claim_count()),
            (Self::Makruk(history), "stop") => Some(history.stop_count()),
            _ => None,
        };
        match called {
            Some(Ok(())) => return Ok(()),
            Some(Err(error @ CountingError::Automatic)) => {
                let error = anyhow!("--moves, {word}: {error}");
                let hint = "counts are claimed with --counting thai or makruk-js";
                return Err(Advised::new(error, hint).into());
            }
            Some(Err(error)) => bail!("--moves, {word}: {error}"),
            None => {}
        }
        let position = self.position();
        let mv = movetext::find(&position, word)?;
        *last = format!("after {}", movetext::numbered(&position, mv));
        match self {
            Self::Chess(history) => history.play_unchecked(mv),
            Self::Makruk(history) => history.play_unchecked(mv),
        }
        Ok(())
    }

    /// The board, and the text below it.
    fn describe(&self, last: &str, opening: Option<&Opening>) -> String {
        let position = self.position();
        let mut text = board::draw(&position, Color::White);
        let check = if position.is_check() { ", in check" } else { "" };
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{last}\n{position}\n{} to move{check}", position.side_to_move());
        if let Some(opening) = opening {
            let _ = write!(text, "\n{opening}");
        }
        if let Some(count) = self.counting() {
            let (honor, color) = (count.honor(), count.color());
            let (number, limit) = (count.number(), count.limit());
            let _ = write!(text, "\n{color} counts for the {honor}: {number} of {limit}");
        }
        if let Some(outcome) = self.outcome() {
            let claim = match self {
                Self::Chess(history) if history.outcome().is_none() => ", if claimed",
                _ => "",
            };
            let _ = write!(text, "\n{} by {outcome}{claim}", outcome.result());
        }
        text
    }
}
