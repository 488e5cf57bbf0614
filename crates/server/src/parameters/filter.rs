//! The conditions of a search, named as the flags of the command line, with `_` for `-`.

use std::time::SystemTime;

use halfmove_archive::{
    End, Filter, IdRange, Period, PlayerResult, Question, RoaringTreemap, Sample,
};
use halfmove_game::GameResult;
use halfmove_game::replay::{BoardQuestion, PawnFeature, Structure};
use halfmove_rules::Color;

use super::position::Line;
use super::{Asked, Parameter, parameter};
use crate::problem::Problem;

/// The parameters of a filter, besides those of its position.
pub(crate) const FILTER: &[Parameter] = &[
    parameter("player", "Words of the name of White or Black: mikhail tal; Tal, M; kasp*"),
    parameter("opponent", "Words of the name of the player's opponent"),
    parameter("as", "The color of the player: white or black"),
    parameter("white", "Words of the name of White"),
    parameter("black", "Words of the name of Black"),
    parameter("exact", "1: names of players are whole names, as they are spelled"),
    parameter("event", "Words of the event"),
    parameter("site", "Words of the site"),
    parameter("eco", "The ECO code, its beginning, a range or several: B90, B9, E60-E99"),
    parameter("opening", "Words of the name of the opening"),
    parameter(
        "speed",
        "ultrabullet, bullet, blitz, rapid, classical or correspondence; several with commas",
    ),
    parameter("time_control", "The time control: 3+2"),
    parameter("result", "1-0, 0-1, 1/2-1/2 or *; with a player also win, draw or loss"),
    parameter("since", "Not before this year, month or day: 1924, 1924-03, 1924-03-23, 2y"),
    parameter("until", "Not after this year, month or day"),
    parameter("year", "Played in this year or range of years: 1999 or 1990-1995"),
    parameter("min_elo", "Both players have at least this rating"),
    parameter("max_elo", "Both players have a rating, and at most this one"),
    parameter("min_plies", "The game has at least this many half-moves"),
    parameter("max_plies", "The game has at most this many half-moves"),
    parameter("sample", "A sample of all games, of which the other conditions choose: 1%"),
    parameter("seed", "Another number selects another sample"),
    parameter("ids", "Only games with these ids: 42,7,10-20"),
    parameter(
        "pattern",
        "A board as in a FEN, in which a digit is that many squares with any content, A and a any piece of White and of Black, _ an empty square, and brackets hold alternatives",
    ),
    parameter(
        "structure",
        "A pawn structure in either color, or of one side: carlsbad, hedgehog, iqp, maroczy, stonewall … white:iqp",
    ),
    parameter("material", "The pieces of White and Black: KRPvKR"),
    parameter("imbalance", "White's extra pieces, then Black's: QvRR"),
    parameter("opposite_bishops", "1: each side has one bishop, on squares of different colors"),
    parameter("pawns", "Exactly these pawns: a board as in a FEN, or d4f2ve6f7"),
    parameter(
        "isolated",
        "White has an isolated pawn on this file: d; Black: black:d; several with commas",
    ),
    parameter("doubled", "White has two pawns or more on this file"),
    parameter("passed", "White has a passed pawn on this file"),
    parameter("either_color", "1: the board also matches with the colors exchanged"),
    parameter("mirrored", "1: the board also matches mirrored left to right"),
    parameter("for", "While at least this many half-moves are played"),
    parameter("final", "1: the conditions hold at the end of the game"),
    parameter("played", "These moves follow each other: Bxh7+ Kxh7 Ng5+"),
    parameter("ended", "checkmate, stalemate, insufficient_material or counting"),
    parameter("comment", "A comment has these words"),
    parameter("annotated", "1: the game has comments, glyphs or variations"),
    parameter(
        "in_variations",
        "1: the position, the moves and the conditions on the board may also hold in a variation",
    ),
];

/// A filter and its position.
#[derive(Debug)]
pub(crate) struct Filtered {
    /// The filter, with the position if one was given.
    pub(crate) filter: Filter,
    pub(crate) line: Line,
}

impl Filtered {
    /// Reads the parameters of [`FILTER`] and of a position. `last_id` returns the last id of the archive.
    pub(crate) fn read(
        asked: &mut Asked,
        last_id: impl FnOnce() -> Result<i64, Problem>,
    ) -> Result<Self, Problem> {
        let line = Line::read(asked)?;
        let (result, player_result) = result(asked)?;
        let (since, until) = match asked.text("year")? {
            Some(years) => years_of(years)?,
            None => (period(asked, "since")?, period(asked, "until")?),
        };
        let share = share(asked)?;
        let seed = asked.number("seed", 0, u64::MAX)?.unwrap_or(0);
        let filter = Filter {
            position: line.is_given.then(|| line.position().clone()),
            questions: questions(asked)?,
            variant: line.variant,
            player: asked.owned("player")?,
            opponent: asked.owned("opponent")?,
            color: color(asked, "as")?,
            player_result,
            white: asked.owned("white")?,
            black: asked.owned("black")?,
            exact_names: asked.flag("exact")?,
            event: asked.owned("event")?,
            site: asked.owned("site")?,
            eco: asked.parsed("eco")?,
            opening: asked.owned("opening")?,
            speeds: asked.list("speed")?,
            time_control: asked.parsed("time_control")?,
            result,
            since,
            until,
            min_elo: number(asked, "min_elo")?,
            max_elo: number(asked, "max_elo")?,
            mean_elo: Vec::new(),
            min_plies: number(asked, "min_plies")?,
            max_plies: number(asked, "max_plies")?,
            sample: share.and_then(|share| Sample::new(share, seed)),
            ids: ids(asked, last_id)?,
        };
        let names = [&filter.player, &filter.opponent, &filter.white, &filter.black];
        if filter.exact_names && names.iter().all(|name| name.is_none()) {
            let why = "takes the name of a player as it is spelled, and none is given";
            return Err(Problem::parameter("exact", why));
        }
        if let (Some(since), Some(until)) = (filter.since, filter.until)
            && until.is_before(since)
        {
            return Err(Problem::parameter("until", format!("{until} is before {since}")));
        }
        let bounds = [
            (filter.min_elo.map(u32::from), filter.max_elo.map(u32::from), "max_elo"),
            (filter.min_plies, filter.max_plies, "max_plies"),
        ];
        for (least, most, name) in bounds {
            if let (Some(least), Some(most)) = (least, most)
                && most < least
            {
                let why = format!("{most} is less than the minimum, {least}");
                return Err(Problem::parameter(name, why));
            }
        }
        let filter = match asked.flag("in_variations")? {
            true => filter.in_variations().ok_or_else(|| {
                let needs =
                    "needs a position, moves or a condition on the board: moves, played, pattern …";
                Problem::parameter("in_variations", needs)
            })?,
            false => filter,
        };
        filter.check().map_err(|error| of_filter(&error))?;
        Ok(Self { filter, line })
    }
}

/// The problem of an invalid filter.
fn of_filter(error: &halfmove_archive::FilterError) -> Problem {
    use halfmove_archive::FilterError;
    let name = match error {
        FilterError::NoPlayer { field: "color" } => "as",
        FilterError::NoPlayer { field: "player_result" } => "result",
        FilterError::NoPlayer { field } | FilterError::NoWord { field, .. } => field,
        _ => "opening",
    };
    let problem = Problem::parameter(name, error);
    match error {
        FilterError::NoPlayer { .. } => problem.with_hint("add the parameter player"),
        _ => problem,
    }
}

fn number<T: TryFrom<u64> + Bounded>(asked: &mut Asked, name: &str) -> Result<Option<T>, Problem> {
    let number = asked.number(name, 0, T::MOST)?;
    Ok(number.and_then(|number| T::try_from(number).ok()))
}

/// A number type with a largest value.
trait Bounded {
    const MOST: u64;
}

impl Bounded for u16 {
    const MOST: u64 = Self::MAX as u64;
}

impl Bounded for u32 {
    const MOST: u64 = Self::MAX as u64;
}

pub(crate) fn color(asked: &mut Asked, name: &str) -> Result<Option<Color>, Problem> {
    Ok(match asked.text(name)? {
        None => None,
        Some("white" | "w") => Some(Color::White),
        Some("black" | "b") => Some(Color::Black),
        Some(other) => {
            return Err(Problem::parameter(name, format!("\"{other}\": expected white or black")));
        }
    })
}

fn result(asked: &mut Asked) -> Result<(Option<GameResult>, Option<PlayerResult>), Problem> {
    let Some(text) = asked.text("result")? else { return Ok((None, None)) };
    Ok(match text {
        "win" => (None, Some(PlayerResult::Win)),
        "draw" => (None, Some(PlayerResult::Draw)),
        "loss" => (None, Some(PlayerResult::Loss)),
        text => {
            let result = text.parse().map_err(|_| {
                let expected = "expected 1-0, 0-1, 1/2-1/2 or *, or with player: win, draw or loss";
                Problem::parameter("result", format!("\"{text}\": {expected}"))
            })?;
            (Some(result), None)
        }
    })
}

/// A date, or one relative to today in UTC.
fn period(asked: &mut Asked, name: &str) -> Result<Option<Period>, Problem> {
    let Some(text) = asked.text(name)? else { return Ok(None) };
    let seconds = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let today = i32::try_from(seconds.as_secs() / 86_400).ok().and_then(Period::of_day);
    let period = today.map_or_else(|| text.parse(), |today| Period::parse_on(today, text));
    period.map(Some).map_err(|error| Problem::parameter(name, error))
}

/// The first and the last of some years.
fn years_of(text: &str) -> Result<(Option<Period>, Option<Period>), Problem> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let year = |text: &str| -> Result<Period, Problem> {
        let is_year = text.len() == 4 && text.bytes().all(|digit| digit.is_ascii_digit());
        text.parse().ok().filter(|_| is_year).ok_or_else(|| {
            let expected = "expected a year or a range of years, such as 1999 or 1990-1995";
            Problem::parameter("year", format!("\"{text}\": {expected}"))
        })
    };
    let (first, last) = (year(first)?, year(last)?);
    match last.is_before(first) {
        true => Err(Problem::parameter("year", format!("{last} is before {first}"))),
        false => Ok((Some(first), Some(last))),
    }
}

fn share(asked: &mut Asked) -> Result<Option<f64>, Problem> {
    let Some(text) = asked.text("sample")? else { return Ok(None) };
    let percent = text.strip_suffix('%').and_then(|percent| percent.trim().parse::<f64>().ok());
    let share = percent.map(|percent| percent / 100.0).filter(|it| *it > 0.0 && *it <= 1.0);
    let expected = || format!("\"{text}\": expected a percentage above 0% and up to 100%");
    share.map(Some).ok_or_else(|| Problem::parameter("sample", expected()))
}

/// A set of ids. A range ends with the last id of the archive.
fn ids(
    asked: &mut Asked,
    last_id: impl FnOnce() -> Result<i64, Problem>,
) -> Result<Option<RoaringTreemap>, Problem> {
    let Some(text) = asked.owned("ids")? else { return Ok(None) };
    let ranges: Result<Vec<IdRange>, _> = text.split(',').map(str::parse).collect();
    let ranges = ranges.map_err(|why| Problem::parameter("ids", format!("\"{text}\": {why}")))?;
    Ok(Some(IdRange::set(&ranges, last_id()?)))
}

/// The conditions on boards, moves and comments.
fn questions(asked: &mut Asked) -> Result<Vec<Question>, Problem> {
    let mut features = Vec::new();
    features.extend(asked.list("isolated")?.into_iter().map(PawnFeature::Isolated));
    features.extend(asked.list("doubled")?.into_iter().map(PawnFeature::Doubled));
    features.extend(asked.list("passed")?.into_iter().map(PawnFeature::Passed));
    let structure: Option<Structure> = asked.parsed("structure")?;
    let pattern: halfmove_game::replay::Pattern = asked.parsed("pattern")?.unwrap_or_default();
    let conditions = BoardQuestion {
        pattern: match structure {
            Some(structure) => pattern.and(&structure.pattern()),
            None => pattern,
        },
        material: asked.parsed("material")?,
        imbalance: asked.parsed("imbalance")?,
        opposite_bishops: asked.flag("opposite_bishops")?,
        pawns: asked.parsed("pawns")?,
        features,
        ..BoardQuestion::default()
    };
    let question = BoardQuestion {
        either_color: asked.flag("either_color")? || structure.is_some_and(|it| it.side.is_none()),
        mirrored: asked.flag("mirrored")?,
        at_least: number(asked, "for")?.unwrap_or(0),
        is_final: asked.flag("final")?,
        ..conditions.clone()
    };
    let mut questions: Vec<Question> = Vec::new();
    if conditions != BoardQuestion::default() {
        questions.push(question.into());
    } else if question != conditions {
        let names = [
            ("either_color", question.either_color),
            ("mirrored", question.mirrored),
            ("for", question.at_least > 0),
            ("final", question.is_final),
        ];
        let name = names.iter().find(|(_, is_there)| *is_there).map_or("final", |(name, _)| name);
        let why = "needs a condition on the board, such as pattern, material or isolated";
        return Err(Problem::parameter(name, why));
    }
    questions
        .extend(asked.parsed::<halfmove_game::replay::MoveSequence>("played")?.map(Question::from));
    questions.extend(asked.owned("comment")?.map(Question::Comment));
    questions.extend(asked.flag("annotated")?.then_some(Question::Annotated));
    questions.extend(asked.parsed::<End>("ended")?.map(Question::Ended));
    Ok(questions)
}

#[cfg(test)]
mod tests {
    use super::{FILTER, Filtered};
    use crate::parameters::{Asked, POSITION};

    /// Every parameter of the tables is read, and no other.
    #[test]
    fn the_table_is_what_is_read() {
        let mut query = String::new();
        for parameter in FILTER.iter().chain(POSITION) {
            query += &format!("{}=&", parameter.name);
        }
        let mut asked = Asked::of(&query);
        Filtered::read(&mut asked, || Ok(9)).unwrap();
        // `year` replaces these two.
        assert_eq!(asked.end(), Ok(()));
        assert_eq!(asked.taken.len(), FILTER.len() + POSITION.len());
    }

    #[test]
    fn errors_name_the_parameter() {
        for (query, name) in [
            ("opponent=tal", "opponent"),
            ("as=white", "as"),
            ("result=win", "result"),
            ("result=2-0", "result"),
            ("since=19x4", "since"),
            ("year=99", "year"),
            ("min_elo=70000", "min_elo"),
            ("sample=2", "sample"),
            ("ids=9-3", "ids"),
            ("ids=,", "ids"),
            ("year=2000-1990", "year"),
            ("since=2000&until=1990", "until"),
            ("exact=1", "exact"),
            ("pattern=9", "pattern"),
            ("isolated=z", "isolated"),
            ("mirrored=1", "mirrored"),
            ("in_variations=1", "in_variations"),
            ("eco=Z99", "eco"),
            ("structure=rook", "structure"),
            ("player=%2C", "player"),
            ("ended=tired", "ended"),
        ] {
            let problem = Filtered::read(&mut Asked::of(query), || Ok(9)).unwrap_err();
            assert_eq!(problem.parameter.as_deref(), Some(name), "{query}: {}", problem.detail);
            assert_eq!(problem.status, 400);
        }
    }
}
