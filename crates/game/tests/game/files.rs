//! Whole games of real files: read, written and read again; and written as in the file.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use halfmove_game::pgn::{GameReader, Reading, write_game};
use halfmove_game::{Game, GameBuilder, Input};

use crate::properties;

/// All PGN files below a folder, including compressed ones.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let path = entry.expect("an entry").path();
            let name = path.to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if [".pgn", ".pgn.zst", ".pgn.gz", ".pgn.bz2"]
                .iter()
                .any(|end| name.ends_with(end))
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Every file of the repository: main lines are the same in whole games, as moves alone and as bytes.
#[test]
fn main_lines_are_the_same_for_all_readers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let games = ["games", "malformed"].map(|folder| {
        let texts = files(&root.join(folder)).into_iter().map(|path| {
            let mut text = Vec::new();
            // One of the files is truncated, in its compressed form.
            let _ = Input::open(&path).map(|mut input| input.read_to_end(&mut text));
            properties::main_lines(&text)
        });
        texts.sum::<u64>()
    });
    assert!(games[0] > 21_000 && games[1] > 100, "{games:?}");
}

/// Reads a file and checks that every game survives writing and reading. Returns the number of games, and the number of
/// whole games.
fn check(path: &Path) -> (u64, u64) {
    let Ok(input) = Input::open(path) else { return (0, 0) };
    let mut reader = GameReader::new(input);
    let (mut game, mut again) = (Game::default(), Game::default());
    let (mut games, mut whole) = (0, 0);
    // One of the files is truncated, in its compressed form.
    while let Ok(Some(reading)) = reader.read(&mut game) {
        games += 1;
        whole += u64::from(reading == Reading::Whole);
        if game.tags.is_empty() && game.moves.is_empty() {
            continue;
        }
        let context = || format!("{}, game {games}", path.display());
        let text = write_game(&game).unwrap_or_else(|e| panic!("{}: {e}", context()));
        let mut second = GameReader::new(text.as_bytes());
        let Some(read) = second.read(&mut again).expect("memory") else {
            panic!("{}: {text}", context())
        };
        // An unclosed comment or variation has been closed.
        let same = std::mem::discriminant(&read) == std::mem::discriminant(&reading);
        assert!(same || read == Reading::Whole, "{}: {read:?} for {reading:?}: {text}", context());
        game.result = game.result.or(again.result);
        // The written game has tags for a start that had none.
        if game.tags != again.tags {
            assert!(game.tags.len() < again.tags.len(), "{}", context());
            assert!(again.tags.iter().take(game.tags.len()).eq(game.tags.iter()), "{}", context());
            again.tags.clone_from(&game.tags);
        }
        assert!(game == again, "{}: {text}\n{game:?}\n{again:?}", context());
        assert!(second.read(&mut again).expect("memory").is_none(), "{}: {text}", context());
        // The rest of the file after the last game does not count.
        again.clear();
        if games % 16 == 0 {
            let mut builder = GameBuilder::new(game.start.clone());
            for event in game.events() {
                builder.push(event).unwrap_or_else(|e| panic!("{}: {e}", context()));
            }
            again = builder.finish();
            assert!(game == again, "{}: {text}", context());
        }
    }
    (games, whole)
}

/// The tokens of a text, found by the simplest means: code without knowledge of chess that shares nothing with the
/// reader.
fn tokens(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let (mut tokens, mut at, mut line_start) = (Vec::new(), 0, true);
    while at < chars.len() {
        let char = chars[at];
        let from = at;
        let until = |stop: &dyn Fn(char) -> bool| {
            (from + 1..chars.len()).find(|&end| stop(chars[end])).unwrap_or(chars.len())
        };
        at = match char {
            _ if char.is_whitespace() => {
                line_start = char == '\n' || char == '\r';
                at += 1;
                continue;
            }
            '[' => {
                let mut end = at + 1;
                let mut quoted = false;
                while end < chars.len() && (quoted || chars[end] != ']') {
                    if quoted && chars[end] == '\\' {
                        end += 1;
                    } else if chars[end] == '"' {
                        quoted = !quoted;
                    }
                    end += 1;
                }
                (end + 1).min(chars.len())
            }
            '{' => until(&|char| char == '}') + 1,
            ';' => until(&|char| char == '\n' || char == '\r'),
            '%' if line_start => until(&|char| char == '\n' || char == '\r'),
            '(' | ')' => at + 1,
            '!' | '?' => until(&|char| !matches!(char, '!' | '?')),
            _ if char.is_ascii_digit() => {
                // A move number ends with its dots.
                let end = until(&|char| !char.is_ascii_digit());
                let dots = chars[end..].iter().take_while(|char| **char == '.').count();
                if dots > 0 {
                    line_start = false;
                    at = end + dots;
                    continue;
                }
                until(&|char| char.is_whitespace() || "(){};!?".contains(char))
            }
            _ => until(&|char| char.is_whitespace() || "(){};!?".contains(char)),
        };
        line_start = false;
        let token: String = chars[from..at.min(chars.len())].iter().collect();
        tokens.push(match char {
            '{' => unwrapped(&token),
            // Some files write a backslash in a tag without its escape.
            '[' => token.replace("\\\\", "\\"),
            _ => token,
        });
    }
    tokens
}

/// A comment with single line breaks as spaces.
fn unwrapped(comment: &str) -> String {
    let lines: Vec<&str> = comment.split('\n').map(|line| line.trim_end_matches('\r')).collect();
    let mut out = String::new();
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            let ends = |text: &str| text.ends_with([' ', '\t', '\n']) || text.is_empty();
            let soft = !ends(&out) && !line.starts_with([' ', '\t']) && !line.is_empty();
            let brace = out == "{" || *line == "}";
            out.push(if soft && !brace { ' ' } else { '\n' });
        }
        out.push_str(line);
    }
    out
}

/// Checks that the games of a sound file are written as they are in the file, token by token.
fn check_tokens(path: &Path) -> usize {
    let mut text = Vec::new();
    Input::open(path).expect("the file").read_to_end(&mut text).expect("the file");
    // A line that is not UTF-8 is Latin-1.
    let lines =
        text.split_inclusive(|byte| *byte == b'\n').map(|line| match std::str::from_utf8(line) {
            Ok(line) => line.to_owned(),
            Err(_) => line.iter().map(|byte| char::from(*byte)).collect(),
        });
    let text: String = lines.collect();
    let mut reader = GameReader::new(text.as_bytes());
    let (mut game, mut written) = (Game::default(), String::new());
    while let Some(reading) = reader.read(&mut game).expect("memory") {
        assert_eq!(reading, Reading::Whole, "{}", path.display());
        written += &write_game(&game).expect("sound names");
    }
    let (expected, found) = (tokens(&text), tokens(&written));
    for (index, (expected, found)) in expected.iter().zip(&found).enumerate() {
        // A mark of check may be missing or wrong.
        let unmarked = |token: &str| token.trim_end_matches(['+', '#']).to_owned();
        let same = expected == found
            || !expected.starts_with(['{', '[']) && unmarked(expected) == unmarked(found);
        assert!(same, "{}: token {index}: {found} for {expected}", path.display());
    }
    assert_eq!(expected.len(), found.len(), "{}", path.display());
    expected.len()
}

pub(crate) fn shipped(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name)
}

#[test]
fn shipped_files_round_trip() {
    let (mut games, mut whole) = (0, 0);
    // Those of reports are unusual, and have separate tests.
    let reports = shipped("field");
    for path in files(&shipped("")).into_iter().filter(|path| !path.starts_with(&reports)) {
        let (read, sound) = check(&path);
        (games, whole) = (games + read, whole + sound);
    }
    assert_eq!((games, whole), (21_565, 21_562));
}

#[test]
fn clean_files_are_written_token_by_token() {
    let tokens: Vec<usize> = ["games/masters.pgn.zst", "games/lichess.pgn.zst"]
        .iter()
        .map(|name| check_tokens(&shipped(name)))
        .collect();
    assert_eq!(tokens, [1_798_417, 65_362]);
}

fn data() -> PathBuf {
    PathBuf::from(std::env::var_os("HALFMOVE_DATA").expect("HALFMOVE_DATA names the data folder"))
}

#[test]
#[ignore = "needs HALFMOVE_DATA"]
fn all_files_round_trip() {
    let paths = files(&data());
    assert!(paths.len() > 200, "{} files", paths.len());
    let next = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(path) =
                    paths.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
                {
                    check(path);
                }
            });
        }
    });
}

/// Files whose games are all sound, with moves in the standard's notation.
#[test]
#[ignore = "needs HALFMOVE_DATA"]
fn clean_collections_are_written_token_by_token() {
    for name in ["smoke/smoke_200.pgn", "large/masters_gnuchess_book_1.02.pgn.zst"] {
        assert!(check_tokens(&data().join(name)) > 10_000);
    }
}
