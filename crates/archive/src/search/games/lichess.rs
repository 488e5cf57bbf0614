//! Games in the columns of Lichess's data set.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_cast::cast;
use arrow_schema::{DataType, SchemaRef};
use halfmove_game::Game;
use halfmove_game::pgn::write_game;
use halfmove_rules::{AnyPosition, Chess};

use super::batches::{Batches, is_stale, projected, schema_of};
use super::{decode, game_columns, ordered, read_ahead};
use crate::columns::{Columns, StoredGame};
use crate::error::ArchiveError;
use crate::filter::Filter;
use crate::lichess::{COLUMNS, Origin, lichess_schema};

impl Batches {
    /// The games that match a filter, in the columns of the data set. Each is read once.
    pub(crate) fn of_lichess(columns: &Columns, filter: &Filter) -> Result<Self, ArchiveError> {
        let typed = COLUMNS.iter().filter_map(|(_, origin, _)| match origin {
            Origin::Column(name) => Some(*name),
            _ => None,
        });
        let typed: Vec<&str> = typed.collect();
        let is_stale = is_stale(columns, &typed)?;
        let (games, blocks) = ordered(columns, filter, game_columns())?;
        let typed = schema_of(&typed)?;
        let schema = lichess_schema();
        let of_games = Arc::clone(&schema);
        let batches = read_ahead(columns, blocks, move |columns, batch| {
            let games = decode(columns, batch).into_iter().collect::<Result<Vec<_>, _>>()?;
            let typed = projected(batch, &typed, is_stale)?;
            Ok(vec![rows(&games, &typed, &of_games)?])
        })?;
        Ok(Self::new(games, schema, batches))
    }
}

/// The rows of some games, with the typed columns that were read with them.
fn rows(
    games: &[StoredGame],
    typed: &RecordBatch,
    schema: &SchemaRef,
) -> Result<RecordBatch, ArchiveError> {
    let mut typed = typed.columns().iter();
    let column =
        |(name, origin, kind): &(&str, Origin, DataType)| -> Result<ArrayRef, ArchiveError> {
            Ok(match origin {
                Origin::Column(_) => match typed.next() {
                    Some(column) => cast(column, kind)?,
                    None => return Err(ArchiveError::damaged(format!("no column for {name}"))),
                },
                Origin::Tag => {
                    let tags = games.iter().map(|it| it.game.tags.value(name));
                    Arc::new(StringArray::from_iter(tags))
                }
                Origin::Movetext => {
                    let texts = games.iter().map(|it| movetext(it).map(Some));
                    Arc::new(texts.collect::<Result<StringArray, _>>()?)
                }
            })
        };
    let arrays = COLUMNS.iter().map(column).collect::<Result<Vec<_>, _>>()?;
    Ok(RecordBatch::try_new(Arc::clone(schema), arrays)?)
}

/// The moves of a game with everything between them, on one line.
fn movetext(stored: &StoredGame) -> Result<String, ArchiveError> {
    let game: &Game = &stored.game;
    // A game from another start would be read as another game.
    if game.start != AnyPosition::from(Chess::default()) {
        let why = "the data set has only chess from the standard starting position; leave out the others, \
                   in Python with where=\"start_fen is null and variant = 'chess'\"";
        return Err(ArchiveError::Rows {
            name: format!("game {}", stored.id),
            why: why.to_owned(),
        });
    }
    let text = write_game(game)
        .map_err(|error| ArchiveError::damaged(format!("game {}: {error}", stored.id)))?;
    // A blank line ends the tags; a game without tags has none.
    let moves = match game.tags.is_empty() {
        true => text.as_str(),
        false => text.split_once("\n\n").map_or("", |(_, moves)| moves),
    };
    Ok(moves.trim().replace('\n', " "))
}
