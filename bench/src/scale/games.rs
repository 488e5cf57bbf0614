//! Any number of games, made from a few real ones.

use super::{Answer, Job};
use anyhow::{Context, ensure};
use halfmove_game::pgn::{Format, GameReader, Keep, Reading};
use halfmove_game::{Game, GameResult, Input};
use halfmove_rules::Chess;
use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

/// Calls `each` with every complete game of some files.
fn read(paths: &[String], mut each: impl FnMut(&Game) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let mut game = Game::default();
    for path in paths {
        let mut reader =
            GameReader::new(Input::open(Path::new(path))?).keeping(Keep::MainLine).chess_only();
        while let Some(reading) = reader.read(&mut game)? {
            if matches!(reading, Reading::Whole) {
                each(&game)?;
            }
        }
    }
    Ok(())
}

/// The order of the games in one of the copies, with each game once.
fn order(games: usize, copy: usize) -> impl Iterator<Item = usize> {
    let divides = |step: usize, games: usize| {
        let (mut a, mut b) = (step, games);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a == 1
    };
    // A step that has no factor in common with the number of games.
    let first = (games as f64 * 0.618) as usize + copy * 7_919;
    let step = (first.max(1)..).find(|step| divides(step % games.max(1), games)).unwrap_or(1);
    let start = copy.wrapping_mul(104_729);
    (0..games).map(move |number| (start + number * step) % games)
}

/// The text that is added to names in a copy; nothing in the first one.
fn suffix(copy: usize) -> String {
    if copy == 0 { String::new() } else { format!(" {copy}") }
}

/// The texts of games.
pub(super) struct Games {
    text: String,
    ends: Vec<usize>,
}

impl Games {
    pub(super) fn read(paths: &[String]) -> anyhow::Result<Self> {
        let (mut text, mut ends) = (String::new(), vec![0]);
        read(paths, |game| {
            Format::new().append(game, &mut text)?;
            ends.push(text.len());
            Ok(())
        })?;
        ensure!(ends.len() > 1, "there are no games");
        Ok(Self { text, ends })
    }

    /// Writes `games` games.
    pub(super) fn write(&self, games: u64, out: &mut impl Write) -> anyhow::Result<()> {
        let count = self.ends.len() - 1;
        let copies = (0..).flat_map(|copy| order(count, copy).map(move |game| (copy, game)));
        for (copy, game) in copies.take(usize::try_from(games)?) {
            write_game(&self.text[self.ends[game]..self.ends[game + 1]], copy, out)?;
        }
        Ok(())
    }
}

/// Writes a game with the names and the year of a copy.
fn write_game(text: &str, copy: usize, out: &mut impl Write) -> anyhow::Result<()> {
    if copy == 0 {
        return Ok(out.write_all(text.as_bytes())?);
    }
    let mut rest = text;
    while rest.starts_with('[') {
        let (line, after) = rest.split_once('\n').context("a game without moves")?;
        let is_name =
            ["[White \"", "[Black \"", "[Event \""].iter().any(|tag| line.starts_with(tag));
        let year =
            line.strip_prefix("[Date \"").and_then(|date| date.get(..4)?.parse::<usize>().ok());
        match (line.strip_suffix("\"]"), year) {
            (Some(name), _) if is_name => writeln!(out, "{name}{}\"]", suffix(copy))?,
            (_, Some(year)) => {
                let year = 1_850 + (year + 37 * copy) % 180;
                writeln!(out, "[Date \"{year}{}", &line["[Date \"1900".len()..])?;
            }
            _ => writeln!(out, "{line}")?,
        }
        rest = after;
    }
    Ok(out.write_all(rest.as_bytes())?)
}

/// The facts of one game.
struct Facts {
    white: String,
    black: String,
    half_moves: u64,
    is_white_win: bool,
    /// For each job, true if the game has its position.
    reaches: Vec<bool>,
}

/// The expected number of each job; 0 if it has none.
pub(super) fn answers(jobs: &[Job], paths: &[String], games: u64) -> anyhow::Result<Vec<u64>> {
    let positions = jobs.iter().map(|job| match job.fen.as_str() {
        "" => Ok(None),
        fen => fen.parse::<Chess>().map(Some).with_context(|| fen.to_owned()),
    });
    let positions: Vec<Option<Chess>> = positions.collect::<anyhow::Result<_>>()?;
    let mut all = Vec::new();
    read(paths, |game| {
        let mut position = game.chess_start().context("not a game of chess")?.clone();
        let mut reaches = vec![false; jobs.len()];
        for ply in 0..=game.moves.len() {
            for (reaches, wanted) in reaches.iter_mut().zip(&positions) {
                *reaches = *reaches || wanted.as_ref().is_some_and(|wanted| *wanted == position);
            }
            if let Some(mv) = game.moves.get(ply) {
                position.play_unchecked(*mv);
            }
        }
        let tag = |name: &str| game.tags.value(name).unwrap_or_default().to_owned();
        let result = tag("Result").parse().ok().or(game.result);
        all.push(Facts {
            white: tag("White"),
            black: tag("Black"),
            half_moves: game.moves.len() as u64,
            is_white_win: result == Some(GameResult::WhiteWins),
            reaches,
        });
        Ok(())
    })?;
    ensure!(!all.is_empty(), "there are no games");
    let mut found = vec![0; jobs.len()];
    let mut left = usize::try_from(games)?;
    let mut whites = HashSet::new();
    for copy in 0.. {
        let mut names = HashSet::new();
        for game in order(all.len(), copy).take(left) {
            let facts = &all[game];
            // A name with a number may be that of another game in another copy.
            let white = facts.white.as_str();
            let is_new = names.insert(white) && whites.insert(white.to_owned() + &suffix(copy));
            for (index, (found, job)) in found.iter_mut().zip(jobs).enumerate() {
                let reaches = facts.reaches[index];
                *found += match job.answer {
                    None => 0,
                    Some(Answer::Games) => 1,
                    Some(Answer::HalfMoves) => facts.half_moves,
                    Some(Answer::Position) => u64::from(reaches),
                    Some(Answer::WhiteWins) => u64::from(reaches && facts.is_white_win),
                    // The suffix of names is a separate word.
                    Some(Answer::Player) => {
                        let players = [&facts.white, &facts.black];
                        u64::from(players.iter().any(|name| has_words(name, &job.player)))
                    }
                    Some(Answer::WhitePlayers) => u64::from(is_new),
                };
            }
        }
        left = left.saturating_sub(all.len());
        if left == 0 {
            break;
        }
    }
    Ok(found)
}

/// Returns true if a name has all words of another one, as searches for names without accents understand it.
fn has_words(name: &str, wanted: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let text = text.replace('\'', "").to_ascii_lowercase();
        let words = text.split(|char: char| !char.is_ascii_alphanumeric());
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let found = words(name);
    words(wanted).iter().all(|word| found.contains(word))
}

#[cfg(test)]
mod tests {
    use super::{Games, answers, order};
    use crate::scale::Definition;
    use halfmove_game::pgn::{GameReader, Reading};
    use halfmove_game::{Game, Input};
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn each_game_comes_once_in_a_copy() {
        for games in [1, 2, 30, 1_001] {
            let orders = (0..4).map(|copy| order(games, copy).collect::<Vec<_>>());
            let orders: Vec<_> = orders.collect();
            for order in &orders {
                assert_eq!(order.iter().collect::<BTreeSet<_>>().len(), games);
            }
            assert!(games < 30 || orders[0] != orders[1]);
        }
    }

    /// The written games have the promised numbers of games, half-moves and names.
    #[test]
    fn the_games_are_those_that_the_answers_are_of() -> anyhow::Result<()> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let definition = Definition::read(&root)?;
        let paths = [root.join("testdata/games/lichess.pgn.zst").display().to_string()];
        let expected = answers(&definition.job, &paths, 1_000)?;
        let mut text = Vec::new();
        Games::read(&paths)?.write(1_000, &mut text)?;
        let folder = tempfile::tempdir()?;
        let pgn = folder.path().join("games.pgn");
        std::fs::write(&pgn, text)?;
        let mut reader = GameReader::new(Input::open(&pgn)?);
        let (mut game, mut whites, mut years) = (Game::default(), BTreeSet::new(), BTreeSet::new());
        let (mut games, mut half_moves) = (0, 0);
        while let Some(reading) = reader.read(&mut game)? {
            assert!(matches!(reading, Reading::Whole), "game {games}");
            games += 1;
            half_moves += game.moves.len() as u64;
            whites.insert(game.tags.value("White").unwrap_or_default().to_owned());
            years.insert(game.tags.value("Date").unwrap_or_default()[..4].to_owned());
        }
        let answer = |name: &str| {
            let at = definition.job.iter().position(|job| job.name == name).expect("a job");
            expected[at]
        };
        assert_eq!(games, answer("import"));
        assert_eq!(half_moves, answer("SQL: sum of half-moves"));
        assert_eq!(whites.len() as u64, answer("SQL: different names of White"));
        assert!(whites.len() > 400 && years.len() > 1, "{} {years:?}", whites.len());
        Ok(())
    }
}
