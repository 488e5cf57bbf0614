//! Methods that list the names of players and events.

use super::Archive;
use crate::error::ArchiveError;
use crate::filter::Filter;
use crate::search::{self, EventSummary, NameSpellings, NearName, PlayerSummary, SimilarPlayers};

impl Archive {
    /// The players, those with the most games first. `name` restricts them to matching names, as in
    /// [`Filter::player`](crate::Filter::player). Each spelling is a separate player; names without a letter or digit
    /// are omitted.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use halfmove_archive::{Archive, Importer};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("games");
    /// let text = "[White \"Tal, Mikhail\"]\n[Black \"Botvinnik, Mikhail\"]\n[Date \"1960.03.15\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n";
    /// let mut importer = Importer::open(&path)?;
    /// importer.read_pgn([Ok(text.as_bytes())], &mut ())?;
    /// importer.commit()?;
    /// let archive = Archive::open(&path)?;
    /// let players = archive.players(Some("tal"))?;
    /// assert_eq!((players.len(), players[0].name.as_str()), (1, "Tal, Mikhail"));
    /// assert_eq!((players[0].games, players[0].first_year, players[0].score.wins), (1, Some(1960), 1));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Filter`] if the text has no word.
    pub fn players(&self, name: Option<&str>) -> Result<Vec<PlayerSummary>, ArchiveError> {
        search::players(&self.columns, name)
    }

    /// Pairs of names that may belong to the same player, optionally to one whose name matches a text. They are only
    /// suggestions; use [`player_merge`](Archive::player_merge) to merge them. The likeliest come first: names with the
    /// same words, then those with a common opponent, and within these those with the most games.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use halfmove_archive::{Archive, Importer, Likeness};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("games");
    /// let game = |name: &str| format!("[White \"{name}\"]\n[Black \"Keres, Paul\"]\n\n1. e4 *\n\n");
    /// let text = ["Tal, Mikhail", "Tal,M", "Smyslov, Vasily"].map(game).concat();
    /// let mut importer = Importer::open(&path)?;
    /// importer.read_pgn([Ok(std::io::Cursor::new(text))], &mut ())?;
    /// importer.commit()?;
    /// let archive = Archive::open(&path)?;
    /// let similar = archive.similar_players(None)?;
    /// assert_eq!((similar.len(), similar[0].likeness), (1, Likeness::Initials));
    /// assert_eq!((similar[0].name.name.as_str(), similar[0].other.name.as_str()), ("Tal, Mikhail", "Tal,M"));
    /// assert_eq!(similar[0].common_opponents, 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Filter`] if the text has no word.
    pub fn similar_players(&self, name: Option<&str>) -> Result<Vec<SimilarPlayers>, ArchiveError> {
        search::similar_players(&self.columns, name)
    }

    /// The names of players that match a text as in [`Filter::player`](crate::Filter::player), or nearly match it: with
    /// different letters, or with initials only. The nearest come first; of equally near ones, those with the most
    /// games.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use halfmove_archive::Archive;
    /// use halfmove_game::Game;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let archive = Archive::create(folder.path().join("games"))?;
    /// let mut game = Game::default();
    /// game.tags.push("White", "Kasparov, Garry");
    /// let mut importer = archive.importer();
    /// importer.push(&game, None)?;
    /// importer.commit()?;
    ///
    /// let archive = archive.refresh()?;
    /// let names = archive.names_near("garry kasparow", 3)?;
    /// assert_eq!((names[0].name.as_str(), names[0].games), ("Kasparov, Garry", 1));
    /// assert!(!names[0].is_match);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Filter`] if the text has no word.
    pub fn names_near(&self, text: &str, limit: usize) -> Result<Vec<NearName>, ArchiveError> {
        search::names_near(&self.columns, text, limit)
    }

    /// The names that the filter's texts for players match, each with its number of matching games: first those of
    /// `player`, then of `opponent`, `white` and `black`, if set. It shows, for example, that `aronian` finds the games
    /// of two players.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use halfmove_archive::{Archive, Filter, Importer};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("games");
    /// let text = "[White \"Aronian, Levon\"]\n\n1. e4 *\n\n[White \"Aronian, Laurel\"]\n\n1. d4 *\n";
    /// let mut importer = Importer::open(&path)?;
    /// importer.read_pgn([Ok(text.as_bytes())], &mut ())?;
    /// importer.commit()?;
    /// let archive = Archive::open(&path)?;
    /// let mut filter = Filter { player: Some("aronian".to_owned()), ..Filter::default() };
    /// let found = archive.spellings(&filter)?;
    /// assert_eq!((found[0].field, found[0].names.len()), ("player", 2));
    /// filter.player = Some("aronian, levon".to_owned());
    /// filter.exact_names = true;
    /// assert_eq!(archive.spellings(&filter)?[0].names[0].name, "Aronian, Levon");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Filter`] if the filter is invalid.
    pub fn spellings(&self, filter: &Filter) -> Result<Vec<NameSpellings>, ArchiveError> {
        search::spellings(&self.columns, filter)
    }

    /// The events, those with the most games first. `name` restricts them to matching names, as in
    /// [`Filter::event`](crate::Filter::event).
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use halfmove_archive::{Archive, Importer};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("games");
    /// let text = "[Event \"World Championship\"]\n[Site \"Moscow\"]\n[White \"Tal\"]\n[Black \"Botvinnik\"]\n\n1. e4 1-0\n";
    /// let mut importer = Importer::open(&path)?;
    /// importer.read_pgn([Ok(text.as_bytes())], &mut ())?;
    /// importer.commit()?;
    /// let archive = Archive::open(&path)?;
    /// let events = archive.events(None)?;
    /// assert_eq!((events[0].site.as_str(), events[0].games, events[0].players), ("Moscow", 1, 2));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Filter`] if the text has no word.
    pub fn events(&self, name: Option<&str>) -> Result<Vec<EventSummary>, ArchiveError> {
        search::events(&self.columns, name)
    }
}
