//! Novelties for the verbs that show or mark them: the half-move with which a game leaves those of
//! an archive.

use crate::listing::Column;
use crate::output::counted;
use crate::visible::visible;
use crate::{archive, movetext};
use halfmove_archive::{Archive, ArchiveError, GameSummary, NewMove, Novelty};
use halfmove_game::Game;
use std::path::Path;

/// The archive that games are compared with.
pub(crate) struct Beside {
    archive: Archive,
    /// True if the games are in it.
    is_own: bool,
}

impl Beside {
    /// The archive of the games.
    pub(crate) fn own(archive: &Archive) -> Self {
        Self { archive: archive.clone(), is_own: true }
    }

    /// Another archive.
    pub(crate) fn other(path: &Path) -> anyhow::Result<Self> {
        Ok(Self { archive: archive::open(path)?, is_own: false })
    }

    /// A text that identifies its games.
    pub(crate) fn mark(&self) -> String {
        format!("{} version {}", self.archive.path().display(), self.archive.version())
    }

    /// The place where a game with an id leaves the earlier ones.
    pub(crate) fn novelty(&self, game: &Game, id: Option<i64>) -> Result<Novelty, ArchiveError> {
        self.archive.novelty(game, id.filter(|_| self.is_own))
    }
}

/// The line for people: the new half-move, or the reason for none.
pub(crate) fn line(game: &Game, novelty: &Novelty) -> String {
    let NewMove { ply, games, last, .. } = match novelty {
        Novelty::New(mv) => mv,
        Novelty::AllKnown => {
            return "no novelty: earlier games have all of its positions".to_owned();
        }
        Novelty::NoGame => return "no novelty: there is no earlier game with its start".to_owned(),
    };
    let mv = new_move(game, *ply);
    let have = if *games == 1 { "has" } else { "have" };
    let games = counted(*games, "earlier game");
    let last = last.as_ref().map_or_else(String::new, |last| {
        format!(", the last is game {}: {}", last.id, visible(&named(last)))
    });
    format!("novelty: {mv}; {games} {have} the position before it{last}")
}

/// The half-move with its number: `18. Bxh7+`.
fn new_move(game: &Game, ply: usize) -> String {
    let mv = game.moves.get(ply - 1).map(|mv| movetext::numbered(&game.position(ply - 1), *mv));
    mv.unwrap_or_default()
}

/// A game in a list of novelties.
#[derive(Debug)]
pub(crate) struct Listed {
    id: i64,
    white: String,
    black: String,
    date: String,
    /// The new half-move, or the reason why there is none.
    mv: String,
    /// The earlier games with the position before it.
    games: Option<u64>,
    last: String,
}

impl Listed {
    pub(crate) fn new(id: i64, game: &Game, novelty: &Novelty) -> Self {
        let tag = |name| game.tags.value(name).unwrap_or_default().to_owned();
        let new = novelty.new_move();
        let last = new.and_then(|mv| mv.last.as_ref());
        Self {
            id,
            white: tag("White"),
            black: tag("Black"),
            date: tag("Date"),
            mv: match novelty {
                Novelty::New(mv) => new_move(game, mv.ply),
                Novelty::AllKnown => "(nothing new)".to_owned(),
                Novelty::NoGame => "(no earlier game)".to_owned(),
            },
            games: new.map(|mv| mv.games),
            last: last.map_or_else(String::new, |last| format!("{}: {}", last.id, named(last))),
        }
    }
}

/// The columns of a list of novelties.
pub(crate) const COLUMNS: &[Column<Listed>] = &[
    Column::<Listed>::field("id", |game| game.id.into()).titled("id").number(),
    Column::<Listed>::field("white", |game| game.white.clone().into()).titled("white"),
    Column::<Listed>::field("black", |game| game.black.clone().into()).titled("black"),
    Column::<Listed>::field("date", |game| game.date.clone().into()).titled("date"),
    Column::<Listed>::field("novelty", |game| game.mv.clone().into()).titled("novelty"),
    Column::<Listed>::field("games", |game| game.games.into()).titled("games").number(),
    Column::<Listed>::field("last", |game| game.last.clone().into()).titled("last of them"),
];

/// The comment at the new half-move, in a game.
pub(crate) fn comment(mv: &NewMove) -> String {
    let games = counted(mv.games, "earlier game");
    let last = mv.last.as_ref();
    let last = last.map_or_else(String::new, |last| format!(", the last {}", named(last)));
    format!("novelty: {games} until here{last}")
}

/// `Keres – Short, 1961.??.??`
fn named(game: &GameSummary) -> String {
    let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "?".to_owned());
    let date = game.date.as_deref().map_or_else(String::new, |date| format!(", {date}"));
    format!("{} – {}{date}", name(&game.white), name(&game.black))
}
