//! Games counted by decade, opening and rating.

use std::collections::BTreeMap;

use futures::FutureExt;
use futures::future::BoxFuture;

use crate::error::ArchiveError;
use crate::explore::Results;
use crate::filter::Filter;
use crate::score::Score;
use crate::store::Archive;

/// Some games in numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// How the games ended.
    pub results: Results,
    /// How they ended for the player; `None` if the filter names none.
    pub score: Option<Score>,
    /// How many half-moves they have in total.
    pub plies: u64,
    /// By the first year of the decade in which they were played; `None` is unknown.
    pub decades: BTreeMap<Option<i32>, Results>,
    /// By the first letter of the ECO code, from `A` to `E`; `None` is anything else.
    pub eco: BTreeMap<Option<char>, Results>,
    /// By the mean of both ratings, as the lowest rating of a band of [`RATING_BAND`]; `None` if one of them is unknown.
    pub ratings: BTreeMap<Option<i32>, Results>,
}

/// How wide a band of ratings in [`Stats`] is.
pub const RATING_BAND: i32 = 200;

impl Stats {
    fn add(&mut self, more: &Self) {
        self.results.add(&more.results);
        self.plies += more.plies;
        add_all(&mut self.decades, &more.decades);
        add_all(&mut self.eco, &more.eco);
        add_all(&mut self.ratings, &more.ratings);
    }
}

fn add_all<K: Ord + Copy>(all: &mut BTreeMap<K, Results>, more: &BTreeMap<K, Results>) {
    for (key, results) in more {
        all.entry(*key).or_default().add(results);
    }
}

impl Archive {
    /// Counts the games that meet a filter by decade, opening and rating.
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
    /// tokio::runtime::Runtime::new()?.block_on(async {
    ///     let stats = archive.stats(&Filter::default()).await?;
    ///     assert_eq!(stats.decades[&Some(1990)].white, 1);
    ///     assert_eq!(stats.eco[&Some('B')].games(), 1);
    ///     assert_eq!(stats.ratings[&None].games(), 1);
    ///     Ok(())
    /// })
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Query`] if the filter's SQL condition is invalid, [`ArchiveError::Filter`] if the rest makes no sense.
    pub fn stats<'a>(&'a self, filter: &'a Filter) -> BoxFuture<'a, Result<Stats, ArchiveError>> {
        let stats = async move {
            let (asks, wanted) = (filter.asks(), self.wanted(filter).await?);
            let count = move |archive: &Self| {
                let groups = archive.each_group(|group, candidates| {
                    archive.count_in(group, &asks, &wanted, candidates)
                })?;
                let (mut all, mut score) = (Stats::default(), Score::default());
                for (some, its_score) in groups {
                    all.add(&some);
                    score += its_score;
                }
                all.score = wanted.player.is_some().then_some(score);
                Ok(all)
            };
            self.off_thread(count).await
        };
        stats.boxed()
    }
}
