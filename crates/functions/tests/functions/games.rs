//! The games of `games.pgn` as columns.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder, StructBuilder};
use arrow_array::{ArrayRef, BinaryArray, Int64Array, StringArray};
use arrow_schema::{DataType, Field, Fields};
use halfmove_functions::tags::TYPED_COLUMNS;
use halfmove_game::Game;
use halfmove_game::codec::halfmove;
use halfmove_game::codec::whole::Parts;
use halfmove_game::pgn::{GameReader, Reading};

/// The games, in the order of their ids from 1.
pub(crate) fn all() -> Vec<Game> {
    let mut reader = GameReader::new(include_str!("../games.pgn").as_bytes());
    let (mut games, mut game) = (Vec::new(), Game::default());
    while let Some(reading) = reader.read(&mut game).expect("readable") {
        assert!(matches!(reading, Reading::Whole), "a faulty game");
        games.push(game.clone());
    }
    assert_eq!(games.len(), 10);
    games
}

pub(crate) fn moves(game: &Game) -> Vec<u8> {
    let mut bytes = Vec::new();
    halfmove::encode_moves(&game.start, &game.moves, &mut bytes).expect("bytes");
    bytes
}

/// A column of the games with these ids. Their tags are all in `other_tags`.
pub(crate) fn column(name: &str, games: &[Game]) -> ArrayRef {
    let part = |part: fn(Parts) -> Vec<u8>| -> ArrayRef {
        let bytes = games.iter().map(|game| Some(part(Parts::of(game))).filter(|b| !b.is_empty()));
        Arc::new(BinaryArray::from_iter(bytes))
    };
    match name {
        "id" => Arc::new(Int64Array::from_iter_values(1..=games.len() as i64)),
        "moves" => Arc::new(BinaryArray::from_iter_values(games.iter().map(moves))),
        "clocks" => part(|parts| parts.clocks),
        "evaluations" => part(|parts| parts.evaluations),
        "annotations" => part(|parts| parts.annotations),
        "result" => {
            Arc::new(StringArray::from_iter(games.iter().map(|game| game.tags.value("Result"))))
        }
        "tag_order" => Arc::new(StringArray::from_iter_values(
            games
                .iter()
                .map(|game| game.tags.iter().map(|(name, _)| name).collect::<Vec<_>>().join(" ")),
        )),
        "other_tags" => other_tags(games),
        typed if TYPED_COLUMNS.contains(&typed) => Arc::new(StringArray::new_null(games.len())),
        other => panic!("no column {other}"),
    }
}

fn other_tags(games: &[Game]) -> ArrayRef {
    let fields: Fields =
        ["name", "value"].map(|name| Field::new(name, DataType::Utf8, false)).into_iter().collect();
    let tag = StructBuilder::from_fields(fields.clone(), 0);
    let mut lists =
        ListBuilder::new(tag).with_field(Field::new("element", DataType::Struct(fields), false));
    for game in games {
        for (name, value) in game.tags.iter() {
            let tag = lists.values();
            for (index, text) in [name, value].into_iter().enumerate() {
                tag.field_builder::<StringBuilder>(index).expect("texts").append_value(text);
            }
            tag.append(true);
        }
        lists.append(true);
    }
    Arc::new(lists.finish())
}
