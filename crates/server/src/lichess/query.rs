//! The parameters of Lichess's explorer. Like there, unknown parameters are ignored.

use halfmove_archive::{Filter, Period};
use halfmove_game::Speed;
use halfmove_rules::{AnyPosition, Color, Variant};

use crate::parameters::{Line, QueryParameters, start};
use crate::problem::Problem;

/// The requested part of the explorer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Database {
    Masters,
    Lichess,
    Player,
}

/// A request.
#[derive(Debug)]
pub(super) struct Query {
    pub(super) database: Database,
    pub(super) line: Line,
    pub(super) filter: Filter,
    /// The maximum number of moves.
    pub(super) moves: usize,
    pub(super) top_games: usize,
    pub(super) recent_games: usize,
    pub(super) history: bool,
}

/// The lower bounds of the groups of ratings.
const RATINGS: [u16; 9] = [0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500];

/// The maximum number of games in each list.
const TOP_MASTERS: u64 = 15;
const TOP_LICHESS: u64 = 4;
const RECENT: u64 = 8;

impl Query {
    pub(super) fn read(
        mut parameters: QueryParameters,
        database: Database,
    ) -> Result<Self, Problem> {
        let parameters = &mut parameters;
        let variant = variant(parameters)?;
        let fen = parameters.owned("fen")?;
        let start = start(fen.as_deref(), variant)?;
        let mut line = Line { start, steps: Vec::new(), variant, is_given: true };
        let play = parameters.owned("play")?.unwrap_or_default();
        line.play("play", &play)?;
        let mut filter = Filter { variant: of_makruk(line.position()), ..Filter::default() };
        filter.since = period(parameters, "since", database)?;
        filter.until = period(parameters, "until", database)?;
        if database != Database::Masters {
            filter.speeds = speeds(parameters)?;
            filter.mean_elo = ratings(parameters)?;
        }
        if database == Database::Player {
            let needed =
                |name: &str| Problem::parameter(name, "expected this parameter, which is missing");
            filter.player = Some(parameters.owned("player")?.ok_or_else(|| needed("player"))?);
            filter.color = match parameters.text("color")? {
                None => return Err(needed("color")),
                Some("white" | "w") => Some(Color::White),
                Some("black" | "b") => Some(Color::Black),
                Some(other) => {
                    let expected = format!("\"{other}\": expected white or black");
                    return Err(Problem::parameter("color", expected));
                }
            };
            filter.event = mode(parameters)?;
        }
        filter.check().map_err(|error| Problem::parameter("player", error))?;
        let most = |most: u64| move |games: u64| games.min(most) as usize;
        let (top_most, recent_most, moves) = match database {
            Database::Masters => (TOP_MASTERS, 0, 12),
            Database::Lichess => (TOP_LICHESS, RECENT, 12),
            Database::Player => (0, RECENT, u64::MAX),
        };
        let number =
            |parameters: &mut QueryParameters, name: &str| parameters.number(name, 0, u64::MAX);
        let top_games = number(parameters, "topGames")?.map_or(top_most as usize, most(top_most));
        let recent = number(parameters, "recentGames")?;
        let usual = if database == Database::Lichess { 4 } else { recent_most };
        let recent_games = recent.map_or(usual as usize, most(recent_most));
        let recent_games = match database {
            Database::Lichess => recent_games.min(RECENT as usize - top_games),
            _ => recent_games,
        };
        let moves = number(parameters, "moves")?.unwrap_or(moves);
        Ok(Self {
            database,
            line,
            filter,
            moves: usize::try_from(moves).unwrap_or(usize::MAX),
            top_games,
            recent_games,
            history: matches!(parameters.text("history")?, Some("1" | "true" | "True" | "on")),
        })
    }

    pub(super) fn position(&self) -> &AnyPosition {
        self.line.position()
    }

    /// All that the answer depends on: see [`Line::key`].
    pub(super) fn key(&self) -> Option<String> {
        let Self { database, line, filter, moves, top_games, recent_games, history } = self;
        line.key(filter, (database, moves, top_games, recent_games, history))
    }
}

/// The variant. Chess, Chess960 and chess from a position are one; the castling rights distinguish them.
fn variant(parameters: &mut QueryParameters) -> Result<Option<Variant>, Problem> {
    let Some(name) = parameters.text("variant")? else { return Ok(None) };
    let folded: String =
        name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    match folded.as_str() {
        "chess" | "standard" | "fromposition" | "chess960" => Ok(None),
        folded => match Variant::from_name(folded) {
            Some(variant) => Ok(Some(variant)),
            None => {
                let why = format!("\"{name}\": expected chess, chess960, makruk, makpong or asean");
                Err(Problem::parameter("variant", why))
            }
        },
    }
}

/// A position of Makruk determines its variant.
fn of_makruk(position: &AnyPosition) -> Option<Variant> {
    position.as_makruk().map(|_| position.variant())
}

/// A year for masters, else a month. Some clients write months without a zero: `2020-1`.
fn period(
    parameters: &mut QueryParameters,
    name: &str,
    database: Database,
) -> Result<Option<Period>, Problem> {
    let Some(text) = parameters.text(name)? else { return Ok(None) };
    let expected = || {
        let what = match database {
            Database::Masters => "a year, such as 1999",
            _ => "a month, such as 2017-06",
        };
        Problem::parameter(name, format!("\"{text}\": expected {what}"))
    };
    let parts: Option<Vec<u16>> = text.split('-').map(|part| part.parse().ok()).collect();
    let date = match parts.as_deref() {
        Some([year]) => format!("{year:04}"),
        Some([year, month]) => format!("{year:04}-{month:02}"),
        Some([year, month, day]) => format!("{year:04}-{month:02}-{day:02}"),
        _ => return Err(expected()),
    };
    date.parse().map(Some).map_err(|_| expected())
}

/// The speeds; all of them mean no condition.
fn speeds(parameters: &mut QueryParameters) -> Result<Vec<Speed>, Problem> {
    let Some(text) = parameters.owned("speeds")? else { return Ok(Vec::new()) };
    let mut speeds = Vec::new();
    for name in text.split(',').map(|name| name.trim().to_lowercase()) {
        let speed: Result<Speed, _> = name.parse();
        speeds.push(speed.map_err(|error| Problem::parameter("speeds", error))?);
    }
    let is_all = Speed::ALL.iter().all(|speed| speeds.contains(speed));
    Ok(if is_all { Vec::new() } else { speeds })
}

/// The groups of mean ratings; all of them mean no condition.
fn ratings(
    parameters: &mut QueryParameters,
) -> Result<Vec<std::ops::RangeInclusive<u16>>, Problem> {
    let Some(text) = parameters.owned("ratings")? else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for group in text.split(',').map(str::trim) {
        let index = group.parse().ok().and_then(|group: u16| {
            // Some clients write the lowest group as 400.
            let group = if group < 1000 { 0 } else { group };
            RATINGS.iter().position(|known| *known == group)
        });
        let Some(index) = index else {
            let known = RATINGS.map(|group| group.to_string()).join(", ");
            let why = format!("\"{group}\": expected some of {known}, with commas");
            return Err(Problem::parameter("ratings", why));
        };
        let end = RATINGS.get(index + 1).map_or(u16::MAX, |next| next - 1);
        found.push(RATINGS[index]..=end);
    }
    let is_all = RATINGS.iter().all(|group| found.iter().any(|range| range.start() == group));
    Ok(if is_all { Vec::new() } else { found })
}

/// The words of the event that distinguish rated games from casual ones on Lichess; both mean no
/// condition.
fn mode(parameters: &mut QueryParameters) -> Result<Option<String>, Problem> {
    let Some(text) = parameters.text("modes")? else { return Ok(None) };
    let (mut rated, mut casual) = (false, false);
    for mode in text.split(',').map(str::trim) {
        match mode {
            "rated" => rated = true,
            "casual" => casual = true,
            other => {
                let why = format!("\"{other}\": expected rated, casual or both");
                return Err(Problem::parameter("modes", why));
            }
        }
    }
    Ok(match (rated, casual) {
        (true, false) => Some("rated".to_owned()),
        (false, true) => Some("casual".to_owned()),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Database, Query};
    use crate::parameters::QueryParameters;

    fn read(query: &str, database: Database) -> Result<Query, crate::problem::Problem> {
        Query::read(QueryParameters::of(query), database)
    }

    #[test]
    fn defaults_are_those_of_lichess() {
        let masters = read("", Database::Masters).unwrap();
        assert_eq!((masters.moves, masters.top_games, masters.recent_games), (12, 15, 0));
        let lichess = read("source=analysis&unknown=1", Database::Lichess).unwrap();
        assert_eq!((lichess.moves, lichess.top_games, lichess.recent_games), (12, 4, 4));
        let player = read("player=tal&color=white", Database::Player).unwrap();
        assert_eq!((player.moves, player.top_games, player.recent_games), (usize::MAX, 0, 8));
        let many = read("topGames=99&recentGames=99&moves=99", Database::Lichess).unwrap();
        assert_eq!((many.moves, many.top_games, many.recent_games), (99, 4, 4));
        let many = read("topGames=99", Database::Masters).unwrap();
        assert_eq!(many.top_games, 15);
    }

    #[test]
    fn conditions_are_read() {
        let query = "variant=standard&play=e2e4,e7e5,g1f3&since=2020-1&until=2021-12&speeds=blitz,\
                     rapid&ratings=2200,2500&history=True";
        let query = read(query, Database::Lichess).unwrap();
        assert_eq!(query.line.steps.len(), 3);
        assert_eq!(query.filter.since, "2020-01".parse().ok());
        assert_eq!(query.filter.speeds.len(), 2);
        assert_eq!(query.filter.mean_elo, [2200..=2499, 2500..=u16::MAX]);
        assert!(query.history);
        let all = "ratings=0,1000,1200,1400,1600,1800,2000,2200,2500&speeds=ultraBullet,bullet,\
                   blitz,rapid,classical,correspondence";
        let all = read(all, Database::Lichess).unwrap();
        assert_eq!((all.filter.mean_elo.len(), all.filter.speeds.len()), (0, 0));
    }

    #[test]
    fn errors_name_the_parameter() {
        for (query, database, name) in [
            ("fen=x", Database::Masters, "fen"),
            ("play=e2e5", Database::Masters, "play"),
            ("since=x", Database::Masters, "since"),
            ("until=2020-13", Database::Lichess, "until"),
            ("speeds=slow", Database::Lichess, "speeds"),
            ("ratings=1999", Database::Lichess, "ratings"),
            ("variant=crazyhouse", Database::Lichess, "variant"),
            ("player=tal", Database::Player, "color"),
            ("color=white", Database::Player, "player"),
            ("player=tal&color=white&modes=fun", Database::Player, "modes"),
            ("moves=-1", Database::Masters, "moves"),
        ] {
            let problem = read(query, database).unwrap_err();
            assert_eq!(problem.parameter.as_deref(), Some(name), "{query}");
            assert_eq!(problem.status, 400);
        }
    }
}
