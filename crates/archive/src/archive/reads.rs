//! Methods that answer questions: search, explore, statistics, single games, duplicates.

use halfmove_game::Game;
use halfmove_rules::{AnyPosition, Move};
use roaring::RoaringTreemap;

use super::Archive;
use crate::columns::StoredGame;
use crate::error::ArchiveError;
use crate::filter::Filter;
use crate::search::{
    self, Duplicates, ExploreOptions, Explorer, GameSummary, Info, Matcher, Matches, Novelty,
    ScoreGroup, ScoresBy, SearchOptions, Stats,
};

impl Archive {
    /// Counts the games that match a filter, and returns the first `limit` of them, in the order of their ids.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Filter`] if the filter is invalid.
    pub fn search(&self, filter: &Filter, limit: usize) -> Result<Matches, ArchiveError> {
        search::search(&self.columns, filter, &SearchOptions::first(limit))
    }

    /// Counts the games that match a filter, and returns some of them, in the order of `options.sort`.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use halfmove_archive::{Archive, Filter, SearchOptions};
    /// use halfmove_game::Game;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let archive = Archive::create(folder.path().join("games"))?;
    /// # let mut importer = archive.importer();
    /// for date in ["1997.05.11", "2021.12.03", "1985.11.09"] {
    ///     let mut game = Game::default();
    ///     game.tags.push("Date", date);
    ///     importer.push(&game, None)?;
    /// }
    /// # importer.commit()?;
    /// # let archive = archive.refresh()?;
    /// let mut options = SearchOptions::first(2);
    /// options.sort = "-date".parse()?;
    /// let filter = Filter::default();
    /// let found = archive.search_with(&filter, &options)?;
    /// let ids: Vec<i64> = found.games.iter().map(|game| game.id).collect();
    /// assert_eq!((found.count, ids), (3, vec![2, 1]));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Filter`] if the filter is invalid,
    /// or if a column cannot be listed.
    pub fn search_with(
        &self,
        filter: &Filter,
        options: &SearchOptions,
    ) -> Result<Matches, ArchiveError> {
        search::search(&self.columns, filter, options)
    }

    /// The number of games that match a filter.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Filter`] if the filter is invalid.
    pub fn count(&self, filter: &Filter) -> Result<u64, ArchiveError> {
        search::count(&self.columns, filter)
    }

    /// The ids of the games that match a filter.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Filter`] if the filter is invalid.
    pub fn ids(&self, filter: &Filter) -> Result<RoaringTreemap, ArchiveError> {
        Matcher::of(filter)?.ids(&self.columns)
    }

    /// The list entries of games with these ids, as in [`search`](Archive::search), in the order of their ids; unknown
    /// ids are skipped.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games");
    /// use halfmove_archive::{Archive, Importer};
    ///
    /// let mut importer = Importer::open(&path)?;
    /// importer.read_pgn([Ok("[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. d4 *\n".as_bytes())], &mut ())?;
    /// importer.commit()?;
    /// let archive = Archive::open(&path)?;
    /// let games = archive.summaries(&[2, 7])?;
    /// assert_eq!((games.len(), games[0].white.as_deref()), (1, Some("B")));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Damaged`] and [`ArchiveError::Io`] if they cannot be read.
    pub fn summaries(&self, ids: &[i64]) -> Result<Vec<GameSummary>, ArchiveError> {
        search::summaries(&self.columns, ids)
    }

    /// One game.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::NoSuchGame`] if no game has that id.
    pub fn game(&self, id: i64) -> Result<StoredGame, ArchiveError> {
        search::game(&self.columns, id)
    }

    /// The novelty of a game: the first half-move after which no earlier game of this archive has the position. A game
    /// is earlier if its date is before that of `game`, or before its year if it has no day; if `game` has no date, all
    /// other games are earlier. `own` is the id of `game`, if it is in this archive.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games");
    /// use halfmove_archive::{Archive, Importer, Novelty};
    ///
    /// let text = "[Date \"1960.01.01\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n[Date \"1970.01.01\"]\n\n1. e4 e5 2. Nf3 d6 *\n";
    /// let mut importer = Importer::open(&path)?;
    /// importer.read_pgn([Ok(text.as_bytes())], &mut ())?;
    /// importer.commit()?;
    /// let archive = Archive::open(&path)?;
    /// let Novelty::New(mv) = archive.novelty(&archive.game(2)?.game, Some(2))? else { panic!("nothing is new") };
    /// assert_eq!((mv.ply, mv.games), (4, 1));
    /// assert_eq!(archive.novelty(&archive.game(1)?.game, Some(1))?, Novelty::NoGame);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Damaged`] and [`ArchiveError::Io`] if the games cannot be read.
    pub fn novelty(&self, game: &Game, own: Option<i64>) -> Result<Novelty, ArchiveError> {
        search::novelty(&self.columns, game, own)
    }

    /// Like [`Archive::novelty`], for a line of legal moves from a position, compared with all games of a filter. The
    /// position of the filter is not used.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Filter`] if the filter is invalid; [`ArchiveError::Damaged`] and [`ArchiveError::Io`] if the games cannot
    /// be read.
    pub fn novelty_among(
        &self,
        filter: &Filter,
        start: &AnyPosition,
        moves: &[Move],
    ) -> Result<Novelty, ArchiveError> {
        search::novelty_among(&self.columns, filter, start, moves)
    }

    /// The games with these ids, in this order. All of them are in memory at once.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::NoSuchGame`] for the first id without a game.
    pub fn games_of(&self, ids: &[i64]) -> Result<Vec<StoredGame>, ArchiveError> {
        search::games_of(&self.columns, ids)
    }

    /// The results and next moves of a position in the games that match a filter. A game counts once for the position,
    /// however often it arises, and once for each move. Moves are written in the notation of the position's variant.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Filter`] if the filter is invalid.
    pub fn explore(
        &self,
        filter: &Filter,
        position: impl Into<AnyPosition>,
    ) -> Result<Explorer, ArchiveError> {
        self.explore_with(filter, position, &ExploreOptions::default())
    }

    /// Like [`explore`](Self::explore), optionally with ratings and dates, some of the games, or a tree several moves
    /// deep.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use halfmove_archive::{Archive, ExploreOptions, Filter};
    /// use halfmove_game::pgn::read_game;
    /// use halfmove_rules::Chess;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let archive = Archive::create(folder.path().join("games"))?;
    /// # let mut importer = archive.importer();
    /// let [win, draw] = [(2700, "1. e4 e5 1-0"), (2500, "1. e4 c5 1/2-1/2")];
    /// for (elo, moves) in [win, draw, win, draw, win, draw] {
    ///     let text = format!("[Date \"2021.??.??\"]\n[WhiteElo \"{elo}\"]\n[BlackElo \"2600\"]\n\n{moves}");
    ///     importer.push(&read_game(&text)?, None)?;
    /// }
    /// # importer.commit()?;
    /// # let archive = archive.refresh()?;
    /// let mut options = ExploreOptions::default();
    /// (options.details, options.games, options.depth) = (true, 1, 2);
    /// let filter = Filter::default();
    /// let tree = archive.explore_with(&filter, Chess::default(), &options)?;
    /// let e4 = &tree.moves[0];
    /// assert_eq!((e4.san.as_str(), e4.next.len()), ("e4", 2));
    /// let details = e4.details.as_ref().ok_or("no details")?;
    /// assert_eq!(details.average_rating, Some(2600));
    /// // Three quarters of the points against opponents of 2600.
    /// assert_eq!(details.performance, Some(2600 + 193));
    /// assert_eq!(tree.top_games[0].game.id, 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// See [`explore`](Self::explore).
    pub fn explore_with(
        &self,
        filter: &Filter,
        position: impl Into<AnyPosition>,
        options: &ExploreOptions,
    ) -> Result<Explorer, ArchiveError> {
        search::explore(&self.columns, filter, &position.into(), options)
    }

    /// The scores of the games that match a filter, by groups. The groups with the most games come first, then by name.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use halfmove_archive::{Archive, Filter, ScoresBy};
    /// use halfmove_game::pgn::read_game;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let archive = Archive::create(folder.path().join("games"))?;
    /// let mut importer = archive.importer();
    /// for (white, black, moves) in [
    ///     ("Tal", "Larsen", "1. e4 c5 2. Nf3 1-0"),
    ///     ("Tal", "Fischer", "1. e4 c5 2. c3 1/2-1/2"),
    ///     ("Larsen", "Tal", "1. c4 e5 1-0"),
    /// ] {
    ///     let text = format!("[White \"{white}\"]\n[Black \"{black}\"]\n\n{moves}");
    ///     importer.push(&read_game(&text)?, None)?;
    /// }
    /// importer.commit()?;
    ///
    /// let archive = archive.refresh()?;
    /// let tal = Filter { player: Some("tal".to_owned()), ..Filter::default() };
    /// let openings = archive.scores(&tal, ScoresBy::Opening)?;
    /// assert_eq!(openings[0].value.as_deref(), Some("Sicilian Defense"));
    /// assert_eq!(openings[0].score.and_then(|score| score.percent()), Some(75.0));
    /// let opponents = archive.scores(&tal, ScoresBy::Opponent)?;
    /// assert_eq!((opponents[0].value.as_deref(), opponents[0].results.games()), (Some("Larsen"), 2));
    /// // For all players, the results are those of White and Black.
    /// let openings = archive.scores(&Filter::default(), ScoresBy::Opening)?;
    /// assert_eq!((openings[0].results.white, openings[0].results.draws), (1, 1));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Filter`] if the filter is invalid, or if the grouping requires a player and it has none.
    pub fn scores(&self, filter: &Filter, by: ScoresBy) -> Result<Vec<ScoreGroup>, ArchiveError> {
        search::scores(&self.columns, filter, by)
    }

    /// Counts the games that match a filter by decade, opening and rating.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use halfmove_archive::{Archive, Filter};
    /// use halfmove_game::Game;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let archive = Archive::create(folder.path().join("games"))?;
    /// let mut game = Game::default();
    /// for (name, value) in [("Date", "1997.05.11"), ("Result", "1-0"), ("ECO", "B17")] {
    ///     game.tags.push(name, value);
    /// }
    /// let mut importer = archive.importer();
    /// importer.push(&game, None)?;
    /// importer.commit()?;
    ///
    /// let archive = archive.refresh()?;
    /// let stats = archive.stats(&Filter::default())?;
    /// assert_eq!(stats.decades[&Some(1990)].white, 1);
    /// assert_eq!(stats.eco[&Some('B')].games(), 1);
    /// assert_eq!(stats.ratings[&None].games(), 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Filter`] if the filter is invalid.
    pub fn stats(&self, filter: &Filter) -> Result<Stats, ArchiveError> {
        search::stats(&self.columns, filter)
    }

    /// A summary of the archive. Reads a few columns of all games.
    ///
    /// # Errors
    ///
    /// Any error from reading the data files.
    pub fn info(&self) -> Result<Info, ArchiveError> {
        search::info(&self.columns)
    }

    /// Finds duplicate games, and games that may be duplicates. Games of fewer than 20 half-moves, games of players
    /// without a name, and games with a fault are duplicates only if their whole text is the same.
    ///
    /// Twins have the same main line, year and result, and compatible names of both players, such as `Larsen B` and
    /// `Larsen, Bent`. Rounds, months and days must agree if both games have them. Twins of fewer than 40 half-moves
    /// must have the same day and round.
    ///
    /// Near duplicates have no conflicting years, and either the same surnames of White and of Black and main lines of
    /// at least 20 half-moves, one of which is the beginning of the other; or the same main line of at least 40
    /// half-moves and one of the two surnames. In a name without a comma, each word may be the surname.
    ///
    /// Takes about 30 bytes of memory per game, about 100 more for each game that shares its first 20 half-moves with
    /// another one, and 8 per pair of surnames.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games");
    /// use halfmove_archive::{Archive, Importer};
    ///
    /// let game = |white: &str| format!(
    ///     "[White \"{white}\"]\n[Black \"Short, Nigel\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 \
    ///      6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Na5 10. Bc2 c5 11. d4 1-0\n\n"
    /// );
    /// let text = ["Adams, Michael", "Michael ADAMS", "Adams,M"].map(game).concat();
    /// let mut importer = Importer::open(&path)?;
    /// importer.read_pgn([Ok(std::io::Cursor::new(text))], &mut ())?;
    /// importer.commit()?;
    ///
    /// let archive = Archive::open(&path)?;
    /// let found = archive.duplicates()?;
    /// assert_eq!((&found.exact[0].ids[..], found.exact[0].best), (&[1, 2][..], 1));
    /// assert_eq!((&found.near[0].ids[..], found.near[0].differences.players), (&[1, 3][..], true));
    /// archive.duplicates_remover(&found)?.commit(&mut ())?;
    /// assert_eq!(archive.refresh()?.len(), 2);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Damaged`] and [`ArchiveError::Io`] if the games cannot be read.
    pub fn duplicates(&self) -> Result<Duplicates, ArchiveError> {
        search::duplicates(&self.columns, None)
    }

    /// Like [`duplicates`](Self::duplicates), among the games that match a filter: for the games of a player, the number of
    /// those that his scores count more than once.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games");
    /// use halfmove_archive::{Archive, Filter, Importer};
    ///
    /// let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Na5 1-0";
    /// let game = format!("[White \"Adams, Michael\"]\n[Black \"Short, Nigel\"]\n\n{moves}\n\n");
    /// let mut importer = Importer::open(&path)?;
    /// importer.read_pgn([Ok(std::io::Cursor::new(game.repeat(3)))], &mut ())?;
    /// importer.commit()?;
    ///
    /// let archive = Archive::open(&path)?;
    /// let filter = Filter { player: Some("adams".to_owned()), ..Filter::default() };
    /// let found = archive.duplicates_among(&filter)?;
    /// assert_eq!((found.games, found.copies()), (3, 2));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Filter`] if the filter is invalid, and the errors of [`duplicates`](Self::duplicates).
    pub fn duplicates_among(&self, filter: &Filter) -> Result<Duplicates, ArchiveError> {
        search::duplicates(&self.columns, Some(&self.ids(filter)?))
    }
}
