//! The facts that show two games to be different although everything else agrees: round, board, link, FIDE ids and
//! ratings.
//!
//! ```text
//!  Larsen B      1989.02.07  130 half-moves  [Round "4"]    [WhiteElo "2545"]
//!  Larsen, Bent  1989.02.07  130 half-moves  [Round "4.2"]                      agrees: nothing that both know differs
//!  Larsen, Bent  1989.02.07  130 half-moves  [Round "5"]                        another game
//! ```
//!
//! One rule for copies and twins: a fact counts if both games have it, and one that differs keeps them apart. Agreement is not
//! transitive, since a game without a round agrees with those of all rounds. So a group has only games that all agree
//! with each other, and a game that agrees with two others, which do not agree with each other, is in none.

use super::Differences;
use crate::columns::Rows;
use crate::error::ArchiveError;

/// The columns of [`GameDetails::of`].
pub(crate) const DETAILS: &[&str] = &["site", "round", "white_elo", "black_elo", "other_tags"];

/// The largest difference of two ratings of one player in one game: collections take them from different lists.
const MAX_APART: i32 = 300;

/// The maximum number of different details among games that agree in everything else. Of more, only those with the same
/// details are compared: engines repeat a game in many rounds.
const MAX_DETAILS: usize = 64;

/// The facts of a game that its copies may lack, but not contradict.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct GameDetails {
    /// The numbers of the round from the left.
    round: Vec<String>,
    board: Vec<String>,
    /// Web addresses of the game, as host and path.
    links: Vec<(String, String)>,
    /// The id of the game in a database.
    id: Option<String>,
    /// FIDE ids of White and Black.
    fide_ids: [Option<u64>; 2],
    ratings: [Option<i32>; 2],
}

impl GameDetails {
    /// The details of a row with the columns [`DETAILS`].
    pub(crate) fn of(rows: &Rows<'_>, row: usize) -> Result<Self, ArchiveError> {
        // Some programs write zero if there is no rating.
        let rating = |name| Ok::<_, ArchiveError>(rows.int(name, row)?.filter(|elo| *elo > 0));
        let mut new = Self {
            round: numbers(rows.text("round", row)?.unwrap_or_default()),
            ratings: [rating("white_elo")?, rating("black_elo")?],
            links: rows.text("site", row)?.and_then(link).into_iter().collect(),
            ..Self::default()
        };
        for (name, value) in rows.other_tags(row)? {
            let fide_id = || value.trim().parse().ok().filter(|id| *id > 0);
            match &*name {
                "Board" => new.board = numbers(&value),
                "Link" | "GameURL" | "GameUrl" | "URL" | "Url" => new.links.extend(link(&value)),
                "GameId" | "GameID" => {
                    let id = value.trim();
                    new.id = id.chars().any(char::is_alphanumeric).then(|| id.to_owned());
                }
                "WhiteFideId" => new.fide_ids[0] = fide_id(),
                "BlackFideId" => new.fide_ids[1] = fide_id(),
                _ => {}
            }
        }
        new.links.sort_unstable();
        Ok(new)
    }

    /// Returns true if no fact that both games have differs.
    pub(super) fn agree(&self, other: &Self) -> bool {
        let mut differences = Differences::default();
        self.note(other, &mut differences);
        differences == Differences::default()
    }

    /// Records the facts that both games have and that differ.
    pub(super) fn note(&self, other: &Self, differences: &mut Differences) {
        let differ = |one: &[String], two: &[String]| one.iter().zip(two).any(|(a, b)| a != b);
        let Differences { round, board, link, fide_id, rating, .. } = differences;
        *round |= differ(&self.round, &other.round);
        *board |= differ(&self.board, &other.board);
        let of_one_host = self.links.iter().flat_map(|one| {
            other.links.iter().filter(|two| one.0 == two.0).map(move |two| one.1 == two.1)
        });
        // A game may have several addresses on one host: one in common is enough.
        *link |= of_one_host.reduce(|one, two| one || two) == Some(false);
        // Each database has its own numbering, recognizable by the length of its ids.
        let ids = self.id.as_ref().zip(other.id.as_ref());
        *link |= ids.is_some_and(|(one, two)| one.len() == two.len() && one != two);
        for side in 0..2 {
            let ids = self.fide_ids[side].zip(other.fide_ids[side]);
            *fide_id |= ids.is_some_and(|(one, two)| one != two);
            let ratings = self.ratings[side].zip(other.ratings[side]);
            *rating |= ratings.is_some_and(|(one, two)| one.abs_diff(two) > MAX_APART as u32);
        }
    }

    /// Adds the facts of another game: records the differences, and takes those that were unknown.
    pub(super) fn with(mut self, other: &Self, differences: &mut Differences) -> Self {
        self.note(other, differences);
        for (known, new) in [(&mut self.round, &other.round), (&mut self.board, &other.board)] {
            if new.len() > known.len() {
                known.clone_from(new);
            }
        }
        for link in &other.links {
            if self.links.iter().all(|known| known.0 != link.0) {
                self.links.push(link.clone());
            }
        }
        self.id = self.id.or_else(|| other.id.clone());
        for side in 0..2 {
            self.fide_ids[side] = self.fide_ids[side].or(other.fide_ids[side]);
            self.ratings[side] = self.ratings[side].or(other.ratings[side]);
        }
        self
    }

    /// Returns true if both games have the same round.
    pub(super) fn is_of_round(&self, other: &Self) -> bool {
        !self.round.is_empty() && self.round == other.round
    }
}

/// Groups of games that agree with each other, among games that agree in everything else. Each has at least two, in the order
/// of `games`.
pub(super) fn agreeing_in_details<T: Copy + Ord>(games: &[(T, &GameDetails)]) -> Vec<Vec<T>> {
    let mut sorted: Vec<&(T, &GameDetails)> = games.iter().collect();
    sorted.sort_by_key(|(_, details)| *details);
    let classes: Vec<&[&(T, &GameDetails)]> =
        sorted.chunk_by(|(_, one), (_, two)| one == two).collect();
    let groups = if classes.len() > MAX_DETAILS {
        Vec::new()
    } else {
        let numbers: Vec<u32> = (0..classes.len() as u32).collect();
        let details = |number: u32| classes[number as usize][0].1;
        agreeing(&numbers, |one, two| details(one).agree(details(two)))
    };
    let mut is_grouped = vec![false; classes.len()];
    groups.iter().flatten().for_each(|number| is_grouped[*number as usize] = true);
    let alone = (0..classes.len() as u32).filter(|number| !is_grouped[*number as usize]);
    let all = groups.iter().cloned().chain(alone.map(|number| vec![number]));
    let all = all.map(|group| {
        let of = group.iter().flat_map(|number| classes[*number as usize].iter());
        let mut games: Vec<T> = of.map(|(game, _)| *game).collect();
        games.sort_unstable();
        games
    });
    all.filter(|group| group.len() > 1).collect()
}

/// Groups of games that agree with each other, of two at least. A game that agrees with two others, which do not agree
/// with each other, is in none.
pub(super) fn agreeing(games: &[u32], agree: impl Fn(u32, u32) -> bool) -> Vec<Vec<u32>> {
    let count = games.len();
    let mut matrix = vec![false; count * count];
    for one in 0..count {
        for two in 0..one {
            let agree = agree(games[one], games[two]);
            (matrix[one * count + two], matrix[two * count + one]) = (agree, agree);
        }
    }
    let agree = |one: usize, two: usize| matrix[one * count + two];
    let is_clear = |one: &usize| {
        let others: Vec<usize> = (0..count).filter(|two| agree(*one, *two)).collect();
        others.iter().enumerate().all(|(at, two)| others[..at].iter().all(|one| agree(*one, *two)))
    };
    let clear: Vec<usize> = (0..count).filter(is_clear).collect();
    let mut all: Vec<Vec<usize>> = Vec::new();
    for one in clear {
        match all.iter_mut().find(|group| agree(group[0], one)) {
            Some(group) => group.push(one),
            None => all.push(vec![one]),
        }
    }
    let all = all.into_iter().filter(|group| group.len() > 1);
    all.map(|group| group.into_iter().map(|at| games[at]).collect()).collect()
}

/// The numbers of a round or board from the left, `3` and `12` in `3.12`; the words of one without numbers. Empty if
/// unknown.
fn numbers(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let split = |is_part: fn(char) -> bool| {
        let parts = text.split(move |char: char| !is_part(char)).filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect::<Vec<_>>()
    };
    let numbers = split(|char| char.is_ascii_digit());
    if numbers.is_empty() {
        return split(char::is_alphanumeric);
    }
    let plain = |number: String| match number.trim_start_matches('0') {
        "" => "0".to_owned(),
        digits => digits.to_owned(),
    };
    numbers.into_iter().map(plain).collect()
}

/// The host and the path of a web address, without what differs for one game: the side or ply from which it is shown.
fn link(text: &str) -> Option<(String, String)> {
    let text = text.trim();
    let (scheme, rest) = text.split_once("://")?;
    if !["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
        return None;
    }
    let rest = rest.split('#').next().unwrap_or_default();
    let (host, path) = rest.split_once('/')?;
    let host = host.to_ascii_lowercase();
    let host = host.strip_prefix("www.").unwrap_or(&host);
    let path = path.trim_end_matches('/');
    let mut parts = path.split('/');
    let path = match host {
        // A game is eight letters, or twelve for one of its players: lichess.org/abcdefgh/black.
        "lichess.org" => {
            let first = parts.next().unwrap_or_default();
            let is_game = matches!(first.len(), 8 | 12)
                && first.bytes().all(|letter| letter.is_ascii_alphanumeric())
                && matches!(parts.next(), None | Some("white" | "black"));
            first.get(..8).filter(|_| is_game).unwrap_or(path)
        }
        // chess.com/game/live/123 and chess.com/live/game/123 are one.
        "chess.com" => {
            let path = path.split('?').next().unwrap_or_default();
            let last = path.rsplit('/').next().unwrap_or_default();
            let is_game = !last.is_empty() && last.bytes().all(|digit| digit.is_ascii_digit());
            if is_game { last } else { path }
        }
        _ => path,
    };
    (!path.is_empty()).then(|| (host.to_owned(), path.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds() {
        for (one, two, agree) in [
            ("3", "3.12", true),
            ("03", "3", true),
            ("?", "3", true),
            ("Round 3", "3", true),
            ("3", "4", false),
            ("3.1", "3.2", false),
            ("final", "3", false),
        ] {
            let [first, second] = [one, two]
                .map(|round| GameDetails { round: numbers(round), ..GameDetails::default() });
            assert_eq!(first.agree(&second), agree, "{one} {two}");
        }
    }

    #[test]
    fn links_of_one_game() {
        for (one, two, agree) in [
            ("https://lichess.org/abcdefgh", "http://lichess.org/abcdefghWXYZ/black#31", true),
            ("https://lichess.org/abcdefgh", "https://lichess.org/abcdefgi", false),
            ("https://lichess.org/study/a/b", "https://lichess.org/study/a/c", false),
            ("https://lichess.org/abcdefgh", "https://www.chess.com/game/live/1", true),
            (
                "https://chess.com/live/game/12",
                "https://www.chess.com/game/live/12?username=a",
                true,
            ),
            ("https://chess.com/live/game/12", "https://www.chess.com/game/live/13", false),
            ("https://www.example.org/view?gid=1", "http://EXAMPLE.org/view?gid=1", true),
            ("https://example.org/view?gid=1", "https://example.org/view?gid=2", false),
            ("https://lichess.org", "https://lichess.org/abcdefgh", true),
            ("London", "https://lichess.org/abcdefgh", true),
        ] {
            let of = |text| GameDetails {
                links: link(text).into_iter().collect(),
                ..GameDetails::default()
            };
            assert_eq!(of(one).agree(&of(two)), agree, "{one} {two}");
        }
    }

    #[test]
    fn a_game_between_two_groups_is_in_none() {
        let pairs = [(0, 1), (1, 2), (3, 4), (3, 5), (4, 5)];
        let agree = |one: u32, two: u32| pairs.contains(&(one.min(two), one.max(two)));
        assert_eq!(agreeing(&[0, 1, 2, 3, 4, 5], agree), [vec![3, 4, 5]]);
    }

    #[test]
    fn copies_with_the_same_details_stay_together() {
        let details = |round: &str| GameDetails { round: numbers(round), ..GameDetails::default() };
        let [four, five, none] = ["4", "5", "?"].map(details);
        let games = [(1, &four), (2, &five), (3, &none), (4, &four)];
        assert_eq!(agreeing_in_details(&games), [vec![1, 4]]);
        assert_eq!(agreeing_in_details(&games[1..3]), [vec![2, 3]]);
        let many: Vec<GameDetails> = (0..100).map(|round| details(&round.to_string())).collect();
        let many: Vec<(usize, &GameDetails)> = many.iter().chain(&many).enumerate().collect();
        assert_eq!(agreeing_in_details(&many).len(), 100);
    }
}
