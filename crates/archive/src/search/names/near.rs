//! Names that come near what was typed, for a search that finds nobody.

use std::cmp::Reverse;
use std::collections::HashMap;

use datafusion::arrow::array::Array;
use futures::FutureExt;
use futures::future::BoxFuture;

use crate::error::ArchiveError;
use crate::filter::FilterError;
use crate::kernel::Group;
use crate::store::Archive;
use crate::words::{Words, write_words};

/// The name of a player as it is in the archive.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NearName {
    /// The name.
    pub name: String,
    /// How many games it is in.
    pub games: u64,
    /// Whether a filter with this text finds these games: the name does not only come near.
    pub is_match: bool,
}

impl Archive {
    /// The names of players that match a text as [`Filter::player`](crate::Filter::player) does, or come near it: some letters
    /// differ, or only initials are given. The nearest come first, of those the ones with the most games.
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
    /// tokio::runtime::Runtime::new()?.block_on(async {
    ///     let names = archive.names_near("garry kasparow", 3).await?;
    ///     assert_eq!((names[0].name.as_str(), names[0].games), ("Kasparov, Garry", 1));
    ///     assert!(!names[0].is_match);
    ///     Ok(())
    /// })
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Filter`] if there is no word in the text.
    pub fn names_near<'a>(
        &'a self,
        text: &'a str,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<NearName>, ArchiveError>> {
        let near = async move {
            let words = Words::of_name(text)
                .ok_or_else(|| FilterError::NoWord { field: "player", text: text.to_owned() })?;
            self.off_thread(move |archive| archive.find_near(&words, limit)).await
        };
        near.boxed()
    }

    fn find_near(&self, words: &Words, limit: usize) -> Result<Vec<NearName>, ArchiveError> {
        let groups = self.each_group(|group, _| names_of(group))?;
        let mut games = HashMap::<String, u64>::new();
        for (name, more) in groups.into_iter().flatten() {
            *games.entry(name).or_default() += more;
        }
        let mut near = Vec::new();
        let mut folded = String::new();
        for (name, games) in games {
            folded.clear();
            write_words(&name, &mut folded);
            if let Some(distance) = words.distance(&folded) {
                near.push((distance, NearName { name, games, is_match: distance == 0 }));
            }
        }
        near.sort_unstable_by(|(distance, one), (other_distance, other)| {
            let order = |distance, name: &NearName| (distance, Reverse(name.games));
            let by_games = order(*distance, one).cmp(&order(*other_distance, other));
            by_games.then_with(|| one.name.cmp(&other.name))
        });
        Ok(near.into_iter().take(limit).map(|(_, name)| name).collect())
    }
}

/// The names of the players in a row group, with the number of their games.
fn names_of(group: &Group) -> Result<HashMap<String, u64>, ArchiveError> {
    let mut all = HashMap::new();
    for column in ["white", "black"] {
        let names = group.distinct(column)?;
        let mut games = vec![0; names.texts().len()];
        for row in (0..group.rows()).filter(|row| !group.is_deleted(*row)) {
            if let Some(games) = names.number(row).and_then(|number| games.get_mut(number)) {
                *games += 1;
            }
        }
        for (name, games) in names.texts().iter().zip(games) {
            if let Some(name) = name.filter(|_| games > 0) {
                *all.entry(name.to_owned()).or_default() += games;
            }
        }
    }
    Ok(all)
}
