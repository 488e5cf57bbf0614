//! Streams of Arrow IPC: games and the explorer's moves.

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::StreamReader;
use halfmove_archive::schema::COLUMNS;
use halfmove_archive::{Archive, ArchiveError, ExploreOptions, Filter, FilterError};
use halfmove_game::codec::halfmove;
use halfmove_rules::Chess;

use crate::damage::sound;
use crate::growth::without;
use crate::{Outcome, game, of_ids};

/// The batches of a stream, which is complete.
fn batches(stream: &[u8]) -> Result<Vec<RecordBatch>, Box<dyn std::error::Error>> {
    assert!(stream.ends_with(&[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]), "an end");
    Ok(StreamReader::try_new(stream, None)?.collect::<Result<_, _>>()?)
}

fn read(
    archive: &Archive,
    filter: &Filter,
    columns: &[&str],
) -> Result<Vec<RecordBatch>, Box<dyn std::error::Error>> {
    let pieces = archive.arrow(filter, columns)?;
    let games = pieces.games();
    let batches = batches(&pieces.collect::<Result<Vec<_>, _>>()?.concat())?;
    assert_eq!(batches.iter().map(RecordBatch::num_rows).sum::<usize>() as u64, games);
    Ok(batches)
}

/// The cells of the streams are those of the games, whatever the order of the games in the files.
#[test]
fn games_are_those_of_the_archive() -> Outcome {
    let (_folder, path) = sound();
    for is_compact in [false, true] {
        if is_compact {
            Archive::open(&path)?.compact(&mut ())?;
        }
        let archive = Archive::open(&path)?;
        let position = game(&Chess::default(), "e4 e5").final_position();
        for filter in [Filter::default(), Filter::position(position), of_ids([3, 400, 437, 440])] {
            let mut games = archive.games(&filter)?;
            for batch in read(&archive, &filter, &["white", "id", "moves", "plies"])? {
                let names: Vec<_> =
                    batch.schema().fields().iter().map(|field| field.name().clone()).collect();
                assert_eq!(names, ["white", "id", "moves", "plies"]);
                for row in 0..batch.num_rows() {
                    let stored = games.next().ok_or("a game too many")??;
                    let white = batch.column(0).as_string::<i32>();
                    let white = white.is_valid(row).then(|| white.value(row));
                    assert_eq!(white, stored.game.tags.value("White"));
                    assert_eq!(batch.column(1).as_primitive::<Int64Type>().value(row), stored.id);
                    let mut moves = Vec::new();
                    let bytes = batch.column(2).as_binary::<i32>().value(row);
                    let start = halfmove::decode_moves(bytes, &mut moves)?;
                    assert_eq!(start, stored.game.start);
                    assert_eq!(moves, stored.game.moves);
                    let plies = batch.column(3).as_primitive::<Int32Type>().value(row);
                    assert_eq!(plies as usize, moves.len());
                }
            }
            assert!(games.next().is_none());
        }
    }
    Ok(())
}

#[test]
fn all_columns_but_signatures_are_the_default() -> Outcome {
    let (_folder, path) = sound();
    let archive = Archive::open(&path)?;
    let batches = read(&archive, &Filter::default(), &[])?;
    let schema = batches[0].schema();
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    let known = COLUMNS.iter().map(|column| column.name).filter(|name| *name != "signature");
    assert_eq!(names, known.collect::<Vec<_>>());
    for unknown in ["signature", "mood", ""] {
        let error = archive.arrow(&Filter::default(), &["id", unknown]).expect_err("no column");
        let ArchiveError::Filter(FilterError::NoColumn { name, expected }) = error else {
            panic!("{error}");
        };
        assert!(name == unknown && expected.starts_with("id, event, site"), "{expected}");
    }
    // A stream without games has a schema.
    assert!(read(&archive, &of_ids([9_999_999]), &["id"])?.is_empty());
    Ok(())
}

/// Columns that a file lacks because an earlier version wrote it are computed.
#[test]
fn columns_of_tags_are_computed() -> Outcome {
    let (_whole, whole) = sound();
    let (_folder, path) = without(&["speed", "utc_timestamp"]);
    let columns = ["speed", "id", "utc_timestamp", "date"];
    let expected = read(&Archive::open(&whole)?, &Filter::default(), &columns)?;
    assert!(expected[0].column(0).null_count() < expected[0].num_rows(), "speeds");
    assert_eq!(read(&Archive::open(&path)?, &Filter::default(), &columns)?, expected);
    Ok(())
}

#[test]
fn moves_are_those_of_the_explorer() -> Outcome {
    let (_folder, path) = sound();
    let archive = Archive::open(&path)?;
    let mut options = ExploreOptions::default();
    let plain = archive.explore(&Filter::default(), Chess::default())?;
    let batch = &batches(&plain.to_arrow()?)?[0];
    assert_eq!((batch.num_rows(), batch.num_columns()), (plain.moves.len(), 9));
    (options.details, options.reached) = (true, true);
    let player = archive.game(1)?.game.tags.value("White").map(str::to_owned);
    let filter = Filter { player, ..Filter::default() };
    let full = archive.explore_with(&filter, Chess::default(), &options)?;
    let batch = &batches(&full.to_arrow()?)?[0];
    let counts = |name: &str| {
        let column = batch.column_by_name(name).expect("a column").as_primitive::<Int64Type>();
        column.values().iter().map(|count| count.unsigned_abs()).collect::<Vec<_>>()
    };
    let moves = || full.moves.iter();
    assert_eq!(counts("white"), moves().map(|mv| mv.results.white).collect::<Vec<_>>());
    assert_eq!(counts("reached"), moves().filter_map(|mv| mv.reached).collect::<Vec<_>>());
    let wins = moves().filter_map(|mv| Some(mv.score?.wins));
    assert_eq!(counts("player_wins"), wins.collect::<Vec<_>>());
    let ratings = batch.column_by_name("averageRating").ok_or("no ratings")?;
    let ratings: Vec<Option<i32>> = ratings.as_primitive::<Int32Type>().iter().collect();
    let expected = moves().map(|mv| mv.details.as_ref()?.average_rating);
    assert_eq!(ratings, expected.collect::<Vec<_>>());
    Ok(())
}
