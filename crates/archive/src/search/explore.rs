//! The opening tree at a position.

mod details;

use futures::FutureExt;
use futures::future::BoxFuture;
use halfmove_game::replay::Query;
use halfmove_rules::{AnyPosition, CastlingStyle, Move};

use self::details::Asked;
pub use self::details::{Details, ExplorerGame, PERFORMANCE_GAMES, rating_difference};
use crate::error::ArchiveError;
use crate::filter::Filter;
pub use crate::functions::explore::Results;
use crate::functions::explore::Tally;
use crate::kernel::{DetailListener, DetailSums, Place, Wanted};
use crate::score::Score;
use crate::store::Archive;

/// The results of the games in which a position arose, and the moves played there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explorer {
    /// The games in which the position arose.
    pub results: Results,
    /// How they ended for the player; `None` if the filter names none.
    pub score: Option<Score>,
    /// The moves played there, those with the most games first, then by UCI.
    pub moves: Vec<ExplorerMove>,
    /// Ratings and dates of the games; `None` if nobody has asked for them.
    pub details: Option<Details>,
    /// Those of the games with the highest ratings, by the mean of both; the best first.
    pub top_games: Vec<ExplorerGame>,
    /// Those of the games that were played last, by date; the last one first.
    pub recent_games: Vec<ExplorerGame>,
}

/// A move that was played in a position.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExplorerMove {
    /// The move in UCI; castling is king takes rook, `e1h1`.
    pub uci: String,
    /// The move in SAN.
    pub san: String,
    /// The games in which it was played there.
    pub results: Results,
    /// How they ended for the player; `None` if the filter names none.
    pub score: Option<Score>,
    /// Ratings and dates of these games; `None` if nobody has asked for them.
    pub details: Option<Details>,
    /// The moves played after it, in whatever game its position arose; none if the tree ends here.
    pub next: Vec<ExplorerMove>,
}

/// What [`Archive::explore_with`] is to say beside results. The default is nothing more.
///
/// ```
/// use halfmove_archive::ExploreOptions;
///
/// // Three half-moves deep, the moves of at least every hundredth game, and the four best and newest games.
/// let mut options = ExploreOptions::default();
/// (options.depth, options.min_share) = (3, 0.01);
/// (options.details, options.games) = (true, 4);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ExploreOptions {
    /// Whether it says ratings and dates.
    pub details: bool,
    /// How many of the best and of the newest games it lists.
    pub games: usize,
    /// How many half-moves deep the tree is, from 1 to [`MOST_DEPTH`](Self::MOST_DEPTH). Each of its positions is looked for by
    /// itself, so it counts all games with this position, whatever moves have led to it.
    pub depth: usize,
    /// Moves in fewer games are left out.
    pub min_games: u64,
    /// Moves in a smaller part of the games with the first position are left out: 0.01 is one in a hundred.
    pub min_share: f64,
}

impl ExploreOptions {
    /// No tree is deeper.
    pub const MOST_DEPTH: usize = 100;
}

impl Default for ExploreOptions {
    fn default() -> Self {
        Self { details: false, games: 0, depth: 1, min_games: 0, min_share: 0.0 }
    }
}

impl Archive {
    /// The results and next moves of a position in the games that meet a filter. A game counts once, however often it
    /// returns to the position, and once for each move. Moves are written as in the game of the position.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Query`] if the filter's SQL condition is invalid, [`ArchiveError::Filter`] if the rest makes no sense.
    pub fn explore<'a>(
        &'a self,
        filter: &'a Filter,
        position: impl Into<AnyPosition>,
    ) -> BoxFuture<'a, Result<Explorer, ArchiveError>> {
        self.explore_filtered(filter, position.into(), ExploreOptions::default()).boxed()
    }

    /// The same with ratings and dates, some of the games, or several moves deep.
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
    /// # tokio::runtime::Runtime::new()?.block_on(async {
    /// let filter = Filter::default();
    /// let tree = archive.explore_with(&filter, Chess::default(), &options).await?;
    /// let e4 = &tree.moves[0];
    /// assert_eq!((e4.san.as_str(), e4.next.len()), ("e4", 2));
    /// let details = e4.details.as_ref().ok_or("no details")?;
    /// assert_eq!(details.average_rating, Some(2600));
    /// // Three quarters of the points against opponents of 2600.
    /// assert_eq!(details.performance, Some(2600 + 193));
    /// assert_eq!(tree.top_games[0].game.id, 1);
    /// # Ok(()) })
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// See [`explore`](Self::explore).
    pub fn explore_with<'a>(
        &'a self,
        filter: &'a Filter,
        position: impl Into<AnyPosition>,
        options: &ExploreOptions,
    ) -> BoxFuture<'a, Result<Explorer, ArchiveError>> {
        self.explore_filtered(filter, position.into(), options.clone()).boxed()
    }

    async fn explore_filtered(
        &self,
        filter: &Filter,
        position: AnyPosition,
        options: ExploreOptions,
    ) -> Result<Explorer, ArchiveError> {
        // A condition that the position implies need not be tested. Those after it are of the same game.
        let asked = match &filter.position {
            None => Filter { position: Some(position.clone()), ..filter.clone() },
            Some(_) => filter.clone(),
        };
        let wanted = self.wanted(&asked).await?;
        let has_others = filter.position.is_some() || !filter.questions.is_empty();
        let asks = has_others.then(|| asked.asks());
        self.off_thread(move |archive| {
            let wanted = match asks {
                None => wanted,
                // Games that say yes to the others as well.
                Some(asks) => Wanted {
                    player: wanted.player.clone(),
                    ids: Some(archive.ids_with(&asks, &wanted)?),
                    ..Wanted::default()
                },
            };
            Tree { archive, wanted, options, asked: Asked::default() }.explorer(&position)
        })
        .await
    }
}

/// A tree that is being made.
struct Tree<'a> {
    archive: &'a Archive,
    wanted: Wanted,
    options: ExploreOptions,
    /// The games that will be shown.
    asked: Asked,
}

/// What is known of a position.
struct Node {
    results: Results,
    score: Option<Score>,
    moves: Vec<Played>,
    details: Option<DetailSums>,
}

/// A move at a position.
struct Played {
    mv: Move,
    explored: ExplorerMove,
    /// The game, if there is only one and details are asked for.
    only: Option<(i64, Place)>,
}

impl Tree<'_> {
    fn explorer(mut self, position: &AnyPosition) -> Result<Explorer, ArchiveError> {
        let Node { results, score, moves, details } = self.node(position, self.options.games)?;
        let share = (self.options.min_share * results.games() as f64).ceil();
        // A number of games is far below what this cannot hold.
        let least = self.options.min_games.max(share.max(0.0) as u64);
        let depth = self.options.depth.clamp(1, ExploreOptions::MOST_DEPTH);
        let moves = self.grow(position, moves, least, depth - 1)?;
        let Some(details) = details else {
            return Ok(Explorer { results, score, moves, ..Explorer::default() });
        };
        let [top, recent] = [&details.top, &details.recent];
        top.iter().chain(recent).for_each(|game| self.asked.add(game.id(), game.place));
        let sums = &details.position;
        if let Some((id, place)) = sums.game.filter(|_| results.games() == 1) {
            self.asked.add(id, place);
        }
        let is_detailed = self.options.details;
        let games = self.asked.answer(self.archive)?;
        let mut explorer = Explorer {
            results,
            score,
            moves,
            details: is_detailed.then(|| Details::of(sums, results)),
            top_games: games.list(position, top),
            recent_games: games.list(position, recent),
        };
        games.fill(explorer.details.as_mut());
        games.fill_moves(&mut explorer.moves);
        Ok(explorer)
    }

    /// Leaves the moves in enough games, and adds those that come after them, to some depth.
    fn grow(
        &mut self,
        position: &AnyPosition,
        mut moves: Vec<Played>,
        least: u64,
        depth: usize,
    ) -> Result<Vec<ExplorerMove>, ArchiveError> {
        moves.retain(|played| played.explored.results.games() >= least);
        let mut grown = Vec::with_capacity(moves.len());
        for Played { mv, mut explored, only } in moves {
            if let Some((id, place)) = only {
                self.asked.add(id, place);
            }
            if depth > 0 {
                let mut after = position.clone();
                after.play_unchecked(mv);
                let next = self.node(&after, 0)?.moves;
                explored.next = self.grow(&after, next, least, depth - 1)?;
            }
            grown.push(explored);
        }
        Ok(grown)
    }

    /// One position, with its moves and lists of so many games.
    fn node(&self, position: &AnyPosition, games: usize) -> Result<Node, ArchiveError> {
        let (archive, wanted, query) = (self.archive, &self.wanted, Query::new(position));
        let (tallies, details) = if self.options.details || games > 0 {
            let mover = position.side_to_move();
            let (tallies, heard) = archive.tally(&query, wanted, |number, group| {
                DetailListener::new((number, group), archive.cache(), mover, games)
            })?;
            (tallies, Some(DetailSums::of(heard, games)))
        } else {
            (archive.tally(&query, wanted, |_, _| Ok(()))?.0, None)
        };
        let mut tally = Tally::default();
        tallies.iter().for_each(|some| tally.merge(some));
        tally.sort();
        let score = |of: &dyn Fn(&Tally) -> Results| {
            let is_scored = wanted.player.is_some();
            is_scored.then(|| Score::of(&std::array::from_fn(|side| of(&tallies[side]))))
        };
        let sums = details.as_ref().filter(|_| self.options.details).map(|sums| &sums.moves);
        let moves = tally.moves.iter().map(|(mv, results)| {
            let sums = sums.and_then(|sums| sums.iter().find(|(known, _)| known == mv));
            let only = sums.filter(|_| results.games() == 1).and_then(|(_, sums)| sums.game);
            let explored = ExplorerMove {
                uci: mv.uci(CastlingStyle::KingTakesRook).to_string(),
                san: position.san(*mv).to_string(),
                results: *results,
                score: score(&|tally| tally.results_of(*mv)),
                details: sums.map(|(_, sums)| Details::of(sums, *results)),
                next: Vec::new(),
            };
            Played { mv: *mv, explored, only }
        });
        let moves = moves.collect();
        Ok(Node { results: tally.position, score: score(&|tally| tally.position), moves, details })
    }
}
