//! Archives to query, and their results.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use futures::TryStreamExt;
use halfmove_archive::{Archive, Importer, RoaringTreemap};
use halfmove_game::pgn::{GameReader, Reading};
use halfmove_game::{Game, Input};
use halfmove_rules::{Chess, San};
use halfmove_sql::{Sql, SqlError, SqlOptions};
use serde_json::{Value, json};

pub(crate) type Outcome = Result<(), Box<dyn std::error::Error>>;

/// A file of the repository's test data.
pub(crate) fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name)
}

/// Waits for a future.
pub(crate) fn wait<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Runtime::new().expect("a runtime").block_on(future)
}

/// The cells of a result, `null` for null.
pub(crate) fn ask(archive: &Archive, query: &str) -> Result<Vec<Vec<String>>, SqlError> {
    ask_with(archive, query, &SqlOptions::default())
}

/// The same with limits.
pub(crate) fn ask_with(
    archive: &Archive,
    query: &str,
    options: &SqlOptions,
) -> Result<Vec<Vec<String>>, SqlError> {
    let sql = Sql::new(archive, options)?;
    wait(async {
        let mut answer = sql.query(query).await?;
        let mut rows = Vec::new();
        while let Some(batch) = answer.try_next().await? {
            for row in batch.cells()? {
                let cell = |cell: Option<String>| cell.unwrap_or_else(|| "null".to_owned());
                rows.push(row.into_iter().map(cell).collect());
            }
        }
        Ok(rows)
    })
}

/// The error of a query.
pub(crate) fn error(archive: &Archive, query: &str) -> SqlError {
    match ask(archive, query) {
        Err(error) => error,
        Ok(rows) => panic!("{query:.200}: {} rows", rows.len()),
    }
}

/// A game of these moves in SAN.
pub(crate) fn game(start: &Chess, sans: &str) -> Game {
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

/// The first games of a PGN file of the repository's test data.
pub(crate) fn read(name: &str, most: usize) -> Vec<Game> {
    let mut reader = GameReader::new(Input::open(testdata(name)).expect("a file"));
    let (mut games, mut game) = (Vec::new(), Game::default());
    while let Some(reading) = reader.read(&mut game).expect("the file is readable") {
        if !matches!(reading, Reading::Skipped(_)) {
            games.push(game.clone());
        }
        if games.len() == most {
            break;
        }
    }
    games
}

/// An archive of these games in a new folder.
pub(crate) fn archive(games: &[Game]) -> (tempfile::TempDir, Archive) {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = Archive::create(folder.path().join("games")).expect("an archive");
    let archive = import(&archive, games);
    (folder, archive)
}

/// The archive after one import of these games.
pub(crate) fn import(archive: &Archive, games: &[Game]) -> Archive {
    let mut importer = archive.importer();
    for game in games {
        importer.push(game, None).expect("pushed");
    }
    importer.commit().expect("committed");
    archive.refresh().expect("an archive")
}

/// An archive of a text in PGN.
pub(crate) fn imported(text: impl Into<Vec<u8>>) -> (tempfile::TempDir, Archive) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games");
    let mut importer = Importer::open(&path).expect("an importer");
    importer.read_pgn([Ok(Cursor::new(text.into()))], &mut ()).expect("read");
    importer.commit().expect("committed");
    (folder, Archive::open(path).expect("an archive"))
}

/// A usual game, one that starts elsewhere with Black to move, and one without a move.
pub(crate) fn three() -> (tempfile::TempDir, Archive) {
    let start: Chess = "4k3/8/8/8/8/8/4P3/4K2R b K - 3 17".parse().expect("a FEN");
    let mut usual = game(&Chess::default(), "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O");
    usual.tags.push("Result", "1-0");
    let mut other = game(&start, "Kd7 O-O Ke6");
    other.tags.push("FEN", &start.to_string());
    other.tags.push("Result", "1/2-1/2");
    archive(&[usual, other, game(&Chess::default(), "")])
}

/// The archive after another program has deleted rows of the files of some versions.
pub(crate) fn delete(archive: &Archive, rows: &[(u64, Vec<u64>)]) -> Archive {
    let entry = |version: u64| archive.path().join(format!("_delta_log/{version:020}.json"));
    let features = json!(["deletionVectors"]);
    let mut lines = vec![json!({ "protocol": {
        "minReaderVersion": 3, "minWriterVersion": 7,
        "readerFeatures": features, "writerFeatures": features,
    } })];
    for (version, rows) in rows {
        let text = fs::read_to_string(entry(*version)).expect("an entry");
        let actions = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        let mut adds = actions.filter_map(|mut action| action.get_mut("add").map(Value::take));
        let mut add = adds.next().expect("a file");
        let (path, time) = (&add["path"], 1_700_000_000_000_i64);
        lines.push(
            json!({ "remove": { "path": path, "deletionTimestamp": time, "dataChange": true } }),
        );
        add["deletionVector"] = vector(rows);
        lines.push(json!({ "add": add }));
    }
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(entry(archive.version() + 1), text).expect("written");
    archive.refresh().expect("an archive")
}

/// A deletion vector in the log itself.
fn vector(rows: &[u64]) -> Value {
    let mut bytes = 1_681_511_377_u32.to_le_bytes().to_vec();
    let set: RoaringTreemap = rows.iter().copied().collect();
    set.serialize_into(&mut bytes).expect("written");
    let length = bytes.len();
    bytes.resize(length.next_multiple_of(4), 0);
    json!({
        "storageType": "i", "pathOrInlineDv": base85(&bytes), "sizeInBytes": length,
        "cardinality": rows.len(),
    })
}

/// Base85 as in Z85, which Delta uses; the length is a multiple of four.
fn base85(bytes: &[u8]) -> String {
    const LETTERS: &[u8] =
        b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";
    let mut text = String::new();
    for four in bytes.chunks(4) {
        let number = four.iter().fold(0_u32, |number, byte| number << 8 | u32::from(*byte));
        for power in [85_u32.pow(4), 85_u32.pow(3), 85_u32.pow(2), 85, 1] {
            text.push(LETTERS[(number / power % 85) as usize] as char);
        }
    }
    text
}
