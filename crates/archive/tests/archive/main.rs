//! The archive as a whole, on real games.

mod arrow;
mod changes;
mod checkpoints;
mod compact;
mod conditions;
mod damage;
mod details;
mod duplicates;
mod errors;
mod explorer;
mod facts;
mod filters;
mod flips;
mod foreign;
mod format;
mod growth;
mod happenings;
mod imports;
mod kin;
mod large;
mod layers;
mod lichess;
mod listing;
mod moves_oracle;
mod null_moves;
mod opening;
mod openings;
mod people;
mod pipeline;
mod players;
mod questions;
mod reached;
mod remarks;
mod schema;
mod scores;
mod stop;
#[cfg(feature = "object-store")]
mod stores;
mod table;
mod tags;
mod threads;
mod vacuum;

use std::path::{Path, PathBuf};

use halfmove_archive::{Archive, ArchiveError, Filter};
use halfmove_game::pgn::{GameReader, Reading};
use halfmove_game::{Game, Input};
use halfmove_rules::{CastlingStyle, Chess, San};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// A file of the repository's test data.
fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name)
}

/// Every game of a PGN file that is not skipped, with its fault.
fn read(path: &Path) -> Vec<(Game, Option<String>)> {
    let input = Input::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut reader = GameReader::new(input);
    let (mut games, mut game) = (Vec::new(), Game::default());
    while let Some(reading) = reader.read(&mut game).expect("the file is readable") {
        match reading {
            Reading::Whole => games.push((game.clone(), None)),
            Reading::Faulty(error) => games.push((game.clone(), Some(error.to_string()))),
            Reading::Skipped(_) => {}
        }
    }
    games
}

/// An archive of these games in a new folder.
fn archive(games: &[(Game, Option<String>)]) -> (tempfile::TempDir, Archive) {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = Archive::create(folder.path().join("games")).expect("an archive");
    import(&archive, games);
    let archive = archive.refresh().expect("an archive");
    (folder, archive)
}

/// An entry of the log without its checksum, as other programs write it.
fn without_checksum(entry: &str) -> String {
    let (before, rest) = entry.split_once(",\"halfmove.checksum\"").expect("a checksum");
    let (_, after) = rest.split_once('}').expect("an end");
    format!("{before}}}{after}")
}

/// One import of these games.
fn import(archive: &Archive, games: &[(Game, Option<String>)]) -> halfmove_archive::ImportReport {
    let mut importer = archive.importer();
    for (game, fault) in games {
        importer.push(game, fault.as_deref()).expect("pushed");
    }
    importer.commit().expect("committed")
}

/// A game of these moves in SAN.
fn game(start: &Chess, sans: &str) -> Game {
    let mut game = Game::from(start.clone());
    let mut position = start.clone();
    for san in sans.split_whitespace() {
        let mv = San::parse(san.as_bytes()).and_then(|san| san.resolve(&position));
        let mv = mv.unwrap_or_else(|error| panic!("{san}: {error}"));
        position.play_unchecked(mv);
        game.moves.push(mv);
    }
    game
}

/// The games of these ids.
fn of_ids(ids: impl IntoIterator<Item = i64>) -> Filter {
    let mut filter = Filter::default();
    filter.restrict(ids.into_iter().map(|id| id.try_into().expect("ids begin with 1")));
    filter
}

/// The ids of the games in an export, in its order.
fn exported(archive: &Archive, filter: &Filter) -> Result<Vec<i64>, ArchiveError> {
    archive.games(filter)?.map(|game| Ok(game?.id)).collect()
}

/// A move in UCI, castling as king takes rook.
fn uci(mv: halfmove_rules::Move) -> String {
    mv.uci(CastlingStyle::KingTakesRook).to_string()
}
