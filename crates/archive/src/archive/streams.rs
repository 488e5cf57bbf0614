//! Methods that stream games: as values, as columns and rows in Arrow, as PGN.

use arrow_schema::SchemaRef;
use halfmove_functions::halfmoves::{Halfmoves, Plies};
use halfmove_functions::training::TrainingRules;
use halfmove_rules::Variant;

use super::Archive;
use crate::error::ArchiveError;
use crate::filter::Filter;
use crate::search::{
    self, ArrowPieces, ArrowWriter, Batches, Games, PgnTexts, TrainingBatches, TrainingOptions,
};

impl Archive {
    /// Iterates over the games that match a filter, in the order of their ids. Only some tens of thousands of games are
    /// in memory at a time; after a [compaction](Archive::compact), as many as fit into
    /// [`ArchiveOptions::block_bytes`](crate::ArchiveOptions::block_bytes). Games are read and decoded ahead on [all
    /// threads](crate::ArchiveOptions::threads), until the iterator is dropped.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Filter`] if the filter is invalid.
    pub fn games(&self, filter: &Filter) -> Result<Games, ArchiveError> {
        Games::of(&self.columns, filter)
    }

    /// Iterates over the half-moves of the games that match a filter as Arrow batches, in the order of `id` and `ply`.
    /// It reads ahead like [`games`](Self::games), but only the necessary columns.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use halfmove_archive::halfmoves::Halfmoves;
    /// use halfmove_archive::{Archive, Filter};
    /// use halfmove_game::pgn::read_game;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let archive = Archive::create(folder.path().join("games"))?;
    /// let mut importer = archive.importer();
    /// importer.push(&read_game("1. e4 e5 2. Nf3 *")?, None)?;
    /// importer.commit()?;
    ///
    /// let halfmoves = Halfmoves::of_names(["id", "ply", "san"])?;
    /// let mut batches = archive.refresh()?.halfmoves(&Filter::default(), &halfmoves)?;
    /// let batch = batches.next().ok_or("no half-moves")??;
    /// assert_eq!((batch.num_rows(), batch.num_columns()), (3, 3));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Filter`] if the filter is invalid.
    pub fn halfmoves(
        &self,
        filter: &Filter,
        halfmoves: &Halfmoves,
    ) -> Result<Batches, ArchiveError> {
        Batches::of_halfmoves(&self.columns, filter, halfmoves)
    }

    /// The number of games that match a filter and have no row in [`halfmoves`](Self::halfmoves), because they are shorter.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Filter`] if the filter is invalid.
    pub fn halfmoves_skipped(
        &self,
        filter: &Filter,
        halfmoves: &Halfmoves,
    ) -> Result<u64, ArchiveError> {
        Ok(self.count(filter)? - self.count_with(filter, halfmoves.plies())?)
    }

    /// The number of games that match a filter and have one of these half-moves.
    fn count_with(&self, filter: &Filter, plies: &Plies) -> Result<u64, ArchiveError> {
        match plies.ranges().first() {
            Some(range) => self.count(&Filter {
                min_plies: filter.min_plies.max(Some(*range.start())),
                ..filter.clone()
            }),
            None => Ok(0),
        }
    }

    /// Iterates over rows for [training](crate::training) from the games that match a filter, as Arrow batches: a position and its move
    /// each, shuffled in windows, in shards, and resumable. The games are those of chess and Chess960, or of Makruk and its
    /// variants if the filter names one of these.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use halfmove_archive::{Archive, Filter, TrainingOptions};
    /// use halfmove_game::pgn::read_game;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let archive = Archive::create(folder.path().join("games"))?;
    /// let mut importer = archive.importer();
    /// importer.push(&read_game("1. e4 e5 2. Nf3 1-0")?, None)?;
    /// importer.commit()?;
    ///
    /// let mut options = TrainingOptions::default();
    /// options.seed = Some(7);
    /// let mut rows = archive.refresh()?.training(&Filter::default(), &options)?;
    /// assert_eq!(rows.next().ok_or("no rows")??.num_rows(), 3);
    /// assert_eq!(rows.place().window, 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Filter`] if the filter is invalid.
    pub fn training(
        &self,
        filter: &Filter,
        options: &TrainingOptions,
    ) -> Result<TrainingBatches, ArchiveError> {
        TrainingBatches::of(&self.columns, filter, options)
    }

    /// The number of games that match a filter and have no row for [`training`](Self::training), because they are shorter, or of
    /// other rules.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Filter`] if the filter is invalid.
    pub fn training_skipped(
        &self,
        filter: &Filter,
        options: &TrainingOptions,
    ) -> Result<u64, ArchiveError> {
        let mut used = self.count_with(filter, &options.plies)?;
        let rules = TrainingRules::of(filter.variant);
        if filter.variant.is_none() {
            for variant in Variant::ALL {
                if TrainingRules::of(Some(variant)) != rules {
                    let others = Filter { variant: Some(variant), ..filter.clone() };
                    used -= self.count_with(&others, &options.plies)?;
                }
            }
        }
        Ok(self.count(filter)? - used)
    }

    /// Iterates over columns of the games that match a filter as Arrow batches, in the order of their ids. `names` are
    /// names of [`COLUMNS`](crate::schema::COLUMNS); without names, all columns except signatures. It reads ahead like
    /// [`games`](Self::games).
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use halfmove_archive::{Archive, Filter};
    /// use halfmove_game::pgn::read_game;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let archive = Archive::create(folder.path().join("games"))?;
    /// let mut importer = archive.importer();
    /// importer.push(&read_game("[White \"Morphy, Paul\"]\n\n1. e4 e5 *")?, None)?;
    /// importer.commit()?;
    ///
    /// let mut batches = archive.refresh()?.columns(&Filter::default(), &["id", "white"])?;
    /// let batch = batches.next().ok_or("no games")??;
    /// assert_eq!((batch.num_rows(), batch.num_columns()), (1, 2));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Filter`] if the filter is invalid, or a column is unknown.
    pub fn columns(&self, filter: &Filter, names: &[&str]) -> Result<Batches, ArchiveError> {
        Batches::of_games(&self.columns, filter, names)
    }

    /// The schema of [`columns`](Self::columns) with these names, in any archive.
    ///
    /// ```
    /// use halfmove_archive::Archive;
    ///
    /// let schema = Archive::columns_schema(&["id", "white"])?;
    /// assert_eq!(schema.field(1).name(), "white");
    /// assert!(Archive::columns_schema(&[])?.field_with_name("signature").is_err());
    /// # Ok::<(), halfmove_archive::ArchiveError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Filter`] if there is no column of a name.
    pub fn columns_schema(names: &[&str]) -> Result<SchemaRef, ArchiveError> {
        search::games_schema(names)
    }

    /// The games that match a filter in the columns of the data set `Lichess/standard-chess-games` at Hugging Face, as Arrow
    /// batches of [`lichess_schema`](crate::lichess_schema), in the order of their ids.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use halfmove_archive::{Archive, Filter};
    /// use halfmove_game::pgn::read_game;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let archive = Archive::create(folder.path().join("games"))?;
    /// let mut importer = archive.importer();
    /// importer.push(&read_game("[White \"Tal\"]\n\n1. e4 e5 *")?, None)?;
    /// importer.commit()?;
    ///
    /// let mut batches = archive.refresh()?.lichess(&Filter::default())?;
    /// let batch = batches.next().ok_or("no games")??;
    /// assert_eq!((batch.num_rows(), batch.num_columns()), (1, 18));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Filter`] if the filter is invalid; in a batch, [`ArchiveError::Rows`] for a game that is not chess from the
    /// standard starting position, which the data set cannot hold.
    pub fn lichess(&self, filter: &Filter) -> Result<Batches, ArchiveError> {
        Batches::of_lichess(&self.columns, filter)
    }

    /// Columns of the games that match a filter, in the order of their ids, as an Arrow IPC stream; all columns except
    /// signatures if none is given. Memory use does not depend on the number of games.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use halfmove_archive::{Archive, Filter};
    /// use halfmove_game::pgn::read_game;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let archive = Archive::create(folder.path().join("games"))?;
    /// let mut importer = archive.importer();
    /// importer.push(&read_game("[White \"Tal\"]\n\n1. e4 e5 *")?, None)?;
    /// importer.commit()?;
    ///
    /// let pieces = archive.refresh()?.arrow(&Filter::default(), &["id", "white", "plies"])?;
    /// assert_eq!(pieces.games(), 1);
    /// let stream = pieces.collect::<Result<Vec<_>, _>>()?.concat();
    /// assert!(stream.starts_with(&[0xff; 4]) && stream.ends_with(&[0; 4]));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Filter`] if the filter is invalid, or a column is unknown.
    pub fn arrow(&self, filter: &Filter, columns: &[&str]) -> Result<ArrowPieces, ArchiveError> {
        ArrowPieces::of(&self.columns, filter, columns)
    }

    /// Writes columns of games in any order as an Arrow IPC stream; all columns except signatures if none is given.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use halfmove_archive::{Archive, ArchiveError};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games");
    /// # let mut importer = halfmove_archive::Importer::open(&path)?;
    /// # importer.read_pgn([Ok("1. e4 *\n\n1. d4 *\n".as_bytes())], &mut ())?;
    /// # importer.commit()?;
    /// let archive = Archive::open(&path)?;
    /// let mut writer = archive.arrow_writer(&["id", "plies"])?;
    /// let stream = [writer.write(&[2, 1])?, writer.finish()?].concat();
    /// assert!(stream.starts_with(&[0xff; 4]) && stream.ends_with(&[0; 4]));
    /// let error = archive.arrow_writer(&[])?.write(&[3]).unwrap_err();
    /// assert!(matches!(error, ArchiveError::NoSuchGame { id: 3, .. }));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Filter`] if a column is unknown.
    pub fn arrow_writer(&self, columns: &[&str]) -> Result<ArrowWriter, ArchiveError> {
        ArrowWriter::of(&self.columns, columns)
    }

    /// The games that match a filter as PGN, in the order of their ids. It reads ahead like [`games`](Self::games), and
    /// also formats the texts on all threads.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use halfmove_archive::{Archive, Filter};
    /// use halfmove_game::pgn::read_game;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let archive = Archive::create(folder.path().join("games"))?;
    /// let text = "[White \"Morphy, Paul\"]\n\n1. e4 e5 *\n\n";
    /// let mut importer = archive.importer();
    /// importer.push(&read_game(text)?, None)?;
    /// importer.commit()?;
    ///
    /// let archive = archive.refresh()?;
    /// let mut texts = archive.pgn(&Filter::default())?;
    /// assert_eq!(texts.games(), 1);
    /// assert_eq!(texts.next().ok_or("no text")??.text, text.as_bytes());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Filter`] if the filter is invalid.
    pub fn pgn(&self, filter: &Filter) -> Result<PgnTexts, ArchiveError> {
        PgnTexts::of(&self.columns, filter)
    }
}
