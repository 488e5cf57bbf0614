//! Packed games: all games return with everything in them, single ones too, and damage is found.

use std::io::Cursor;
use std::num::NonZero;

use halfmove_codecs::Codec;
use halfmove_codecs::dense::Dense;
use halfmove_codecs::pack::{MAX_TAGS, PackErrorKind, Packed, Reader, WriteError, Writer};
use halfmove_game::Game;
use halfmove_game::codec::halfmove;
use halfmove_game::pgn::{GameReader, read_game};

use crate::data::{all_files, testdata};
use crate::suite::{games, is_pgn};

fn packed(games: &[Game], threads: usize) -> Vec<u8> {
    let threads = NonZero::new(threads).expect("threads");
    let mut writer = Writer::new(Vec::new()).expect("memory").threads(threads);
    for game in games {
        writer.write(game).unwrap_or_else(|error| panic!("{error}: {:?}", game.tags));
    }
    writer.finish().expect("memory")
}

fn unpacked(bytes: &[u8]) -> Result<Vec<Game>, PackErrorKind> {
    let (mut reader, mut games) = (Reader::new(bytes).map_err(|error| error.kind)?, Vec::new());
    while let Some(game) = reader.next().map_err(|error| error.kind)? {
        games.push(game);
    }
    Ok(games)
}

/// Games of all kinds: clocks, comments, variations, other starts, Chess960, Makruk, faults. One in `step` of each file.
fn some_games(step: usize) -> Vec<Game> {
    let mut found = Vec::new();
    for folder in ["games", "malformed"] {
        for path in all_files(&testdata().join(folder)).iter().filter(|path| is_pgn(path)) {
            found.extend(games(path).into_iter().step_by(step));
        }
    }
    found
}

#[test]
fn games_return() {
    let games = some_games(12);
    assert!(games.len() > 1_700, "{}", games.len());
    let bytes = packed(&games, 1);
    assert!(unpacked(&bytes).expect("its own bytes") == games);
    let plies: usize = games.iter().map(|game| game.moves.len()).sum();
    assert!(bytes.len() < plies, "{} bytes for {plies} half-moves", bytes.len());
}

#[test]
#[ignore = "all games, with the default number of threads: make verify"]
fn all_games_return() {
    let games = some_games(1);
    let bytes = packed(&games, 2);
    assert!(unpacked(&bytes).expect("its own bytes") == games);
    assert!(packed(&games, 1) == bytes);
}

/// A start that the byte code has kept is equal to that of its FEN but has another Zobrist key, if a pin forbids the capture
/// en passant: the reader has the same one as the writer.
#[test]
fn equal_starts_with_other_keys_return() {
    let text = "[FEN \"4k3/8/8/8/3Pp3/8/8/K3R3 b - d3 0 1\"]\n\n1... Kd8 2. Rd1 Ke8 3. Re1 Kd8 4. Rd1 Ke8 5. Re1 Kd8 *";
    let game = read_game(text).expect(text);
    let (mut bytes, mut kept) = (Vec::new(), game.clone());
    halfmove::encode_moves(&game.start, &[], &mut bytes).expect("a start");
    kept.start = halfmove::start(&bytes).expect("a start");
    assert_eq!(kept.start, game.start);
    assert_ne!(kept.start.zobrist(), game.start.zobrist());
    let games: Vec<_> = [kept, game].into_iter().cycle().take(40).collect();
    assert!(unpacked(&packed(&games, 1)).expect("its own bytes") == games);
    for game in &games {
        let (mut bytes, mut moves) = (Vec::new(), Vec::new());
        Dense.encode_moves(&game.start, &game.moves, &mut bytes).expect("a game");
        assert_eq!(Dense.decode_moves(&bytes, &mut moves).as_ref(), Ok(&game.start));
        assert_eq!(moves, game.moves);
    }
}

/// Null moves, words, a start that the tags do not name, tags twice, empty values, texts of all kinds.
#[test]
fn odd_games_return() {
    let mut games: Vec<Game> = [
        "[Event \"a\"]\n\n*",
        "1. e4 -- 2. d4 *",
        "[A \"\"]\n[A \"007\"]\n[A \"7\"]\n[WhiteElo \"+1\"]\n[BlackElo \"4294967295\"]\n[White \"12\"]\n\n1. e4 Zz {a} 1-0",
        "[White \"a\"]\n[WhiteElo \"2800\"]\n[Black \"b\"]\n[BlackElo \"0\"]\n\n1. e4 {[%clk 0:00:01]} e5 {[%clk 1:00:00.5]} *",
        "[TimeControl \"180+2\"]\n\n1. e4 {[%eval #-3] [%clk 0:03:01]} e5 {[%eval 0.17] [%clk 0:03:00]} 2. d4 {[%eval -0.3]} *",
        "[Variant \"Makruk\"]\n\n1. e4 {[%clk 0:01:00]} *",
        "[FEN \"7k/5Q2/8/8/8/8/8/K7 w - - 9 40\"]\n[SetUp \"1\"]\n\n1. Qg6 *",
    ]
    .iter()
    .map(|text| {
        // Also one with a fault, whose words are kept.
        let mut game = Game::default();
        let read = GameReader::new(text.as_bytes()).read(&mut game);
        assert!(read.is_ok_and(|read| read.is_some()), "{text}");
        game
    })
    .collect();
    let mut nameless = games[6].clone();
    nameless.tags = games[1].tags.clone();
    games.push(nameless);
    let again = unpacked(&packed(&games, 1)).expect("its own bytes");
    assert_eq!(again, games);
    assert_eq!(unpacked(&packed(&[], 1)).expect("a file without games"), []);
}

#[test]
fn single_games_are_found() {
    let games = some_games(40);
    let mut file = Packed::open(Cursor::new(packed(&games, 1))).expect("a file");
    assert_eq!(file.games(), games.len() as u64);
    for number in [1, 2, games.len() / 2, games.len()] {
        assert!(file.game(number as u64).expect("a game") == games[number - 1], "{number}");
    }
    for number in [0, games.len() as u64 + 1, u64::MAX] {
        let error = file.game(number).expect_err("no game");
        assert!(matches!(error.kind, PackErrorKind::NoSuchGame { .. }), "{error}");
    }
}

/// A game more than a block holds begins the next one.
#[test]
fn blocks_follow_each_other() {
    let game = read_game("[White \"a\"]\n\n1. e4 e5 *").expect("a game");
    let games = vec![game; 2 * 4_096 + 1];
    let bytes = packed(&games, 1);
    assert!(packed(&games, 2) == bytes && packed(&games, 5) == bytes);
    assert!(unpacked(&bytes).expect("its own bytes") == games);
    let threads = NonZero::new(2).expect("threads");
    let mut reader = Reader::new(&bytes[..]).expect("a file").threads(threads);
    let mut count = 0;
    while reader.next().expect("a game").is_some() {
        count += 1;
    }
    assert_eq!(count, games.len());
    let mut file = Packed::open(Cursor::new(bytes)).expect("a file");
    for number in [4_096, 4_097, 8_193] {
        assert_eq!(file.game(number).expect("a game"), games[0]);
    }
}

#[test]
fn damage_is_found() {
    let text = "[White \"a\"]\n[Result \"1-0\"]\n\n1. e4 {best} e5 2. Nf3 1-0";
    let bytes = packed(&[read_game(text).expect("a game")], 1);
    for at in 0..bytes.len() {
        for change in [1, 0x80, 0xff] {
            let mut bytes = bytes.clone();
            bytes[at] ^= change;
            assert!(unpacked(&bytes).is_err(), "byte {at}");
            let single = Packed::open(Cursor::new(bytes)).and_then(|mut file| file.game(1));
            assert!(single.is_err(), "byte {at}");
        }
    }
    for length in 0..bytes.len() {
        let error = unpacked(&bytes[..length]).expect_err("a cut file");
        let is_expected = matches!(error, PackErrorKind::Truncated)
            || length == 0 && matches!(error, PackErrorKind::NotPacked);
        assert!(is_expected, "{length}: {error}");
    }
    let more = [&bytes[..], &[0]].concat();
    assert!(matches!(unpacked(&more), Err(PackErrorKind::Surplus)));
}

#[test]
fn errors_say_what_is_wrong() {
    let mut bytes = packed(&[], 1);
    bytes[8] = 9;
    let error = Reader::new(&bytes[..]).expect_err("another version");
    assert_eq!(error.to_string(), "byte 8: version 9 of the file format, expected 1");
    bytes[8] = 1;
    bytes[9] ^= 1;
    let error = Reader::new(&bytes[..]).expect_err("another model").to_string();
    assert!(error.starts_with("byte 9: written with the model "), "{error}");
    let error = Reader::new(&b"[Event \"?\"]"[..]).expect_err("PGN").to_string();
    assert_eq!(error, "this is not a file of packed games");
}

/// A game that no block can hold is refused, and others can follow.
#[test]
fn games_that_are_too_long_are_refused() {
    let game = read_game("1. e4 *").expect("a game");
    let mut long = game.clone();
    (0..=MAX_TAGS).for_each(|_| long.tags.push("A", "1"));
    let mut writer = Writer::new(Vec::new()).expect("memory");
    assert!(matches!(writer.write(&long), Err(WriteError::TooLong)));
    writer.write(&game).expect("a game");
    assert_eq!(unpacked(&writer.finish().expect("memory")).expect("a file"), [game]);
}
