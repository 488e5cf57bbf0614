//! The codec `dense`: all games return, the bytes are the same in every build, and damaged bytes are found.

use std::path::Path;

use halfmove_codecs::Codec;
use halfmove_codecs::dense::learning::bits_in_block;
use halfmove_codecs::dense::{Dense, MAX_PLIES, Model, ModelError};
use halfmove_game::pgn::read_game;
use halfmove_rules::{AnyPosition, Chess, Makruk, Move, Square};

use crate::data::{all_files, collections, testdata};
use crate::suite::{bytes_of, games, is_pgn};

/// FNV-1a, 64 bits.
fn hash(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

/// Encodes and decodes the main lines of files. Returns games, half-moves, bytes and a hash of all bytes.
fn round_trips<'a>(paths: impl Iterator<Item = &'a Path>, step: usize) -> (u64, u64, u64, u64) {
    let (mut all, mut plies, mut size, mut sum) = (0, 0, 0, 0xcbf2_9ce4_8422_2325);
    let (mut bytes, mut moves) = (Vec::new(), Vec::new());
    for path in paths {
        for game in games(path).iter().step_by(step) {
            bytes.clear();
            moves.clear();
            Dense.encode_moves(&game.start, &game.moves, &mut bytes).expect("a game");
            let start = Dense.decode_moves(&bytes, &mut moves);
            assert_eq!(start.as_ref(), Ok(&game.start), "{}: {:?}", path.display(), game.tags);
            assert_eq!(moves, game.moves, "{}: {:?}", path.display(), game.tags);
            sum = hash(sum, &bytes);
            all += 1;
            plies += game.moves.len() as u64;
            size += bytes.len() as u64;
        }
    }
    (all, plies, size, sum)
}

/// Every fourth game; the other test takes all. A debug build and a release build write the same bytes, which this hash
/// pins: another hash is another format, and needs another version.
#[test]
fn games_return_and_bytes_stay() {
    let folder = testdata().join("games");
    let paths = all_files(&folder);
    let (all, plies, size, sum) = round_trips(paths.iter().map(|path| &**path), 4);
    assert!(all > 5_000, "{all}");
    assert!(size * 8 < plies * 28 / 10, "{size} bytes, {plies} half-moves");
    assert_eq!(format!("{sum:016x}"), "843c0db7160c5c4c");
}

#[test]
#[ignore = "needs HALFMOVE_DATA"]
fn all_games_return() {
    let paths = all_files(&collections());
    let (all, ..) = round_trips(paths.iter().map(|path| &**path).filter(|path| is_pgn(path)), 1);
    assert!(all > 420_000, "{all}");
}

/// Starts of all kinds, null moves, and the shortest games.
#[test]
fn other_starts_and_null_moves() {
    let texts = [
        "[White \"A\"]\n\n*",
        "1. e4 *",
        "1. e4 -- 2. d4 -- 3. Nf3 Nf6 *",
        "1. f3 e5 2. g4 Qh4# 0-1",
        "[FEN \"7k/5Q2/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. Qg6 *",
        "[FEN \"r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R b KQ - 5 8\"]\n\n8... Qd6 9. dxc5 *",
        "[Variant \"Chess960\"]\n[FEN \"nrbbqknr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKNR w KQkq - 0 1\"]\n\n1. e4 e5 *",
        "[FEN \"4k3/P6P/8/8/8/8/p6p/4K3 w - - 0 1\"]\n\n1. a8=N a1=B 2. h8=Q+ Kd7 3. Qxa1 h1=R+ *",
        "[Variant \"Makruk\"]\n\n1. e4 e5 2. Nd2 -- 3. d4 *",
    ];
    for text in texts {
        let bytes = bytes_of(&Dense, text);
        let game = read_game(text).expect(text);
        let again = Dense.decode(&bytes).expect(text);
        assert_eq!((&again.start, &again.moves), (&game.start, &game.moves), "{text}");
    }
}

/// The bytes of a game have one spelling: with another bit, or another length, they are another game or none.
#[test]
fn no_other_bytes_are_the_game() {
    let mut game =
        read_game("1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 1/2-1/2").unwrap();
    game.tags.push("WhiteElo", "2700");
    let mut bytes = Vec::new();
    Dense.encode(&game, &mut bytes).unwrap();
    for bit in 0..bytes.len() * 8 {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert_ne!(Dense.decode(&damaged).map(|game| game.moves).as_ref(), Ok(&game.moves));
    }
    for end in 0..bytes.len() {
        assert_ne!(Dense.decode(&bytes[..end]).map(|game| game.moves).as_ref(), Ok(&game.moves));
    }
    assert!(Dense.decode(&[&bytes[..], &[0]].concat()).is_err());
}

/// A few bytes cannot become more half-moves than a game may have, and no longer game is written.
#[test]
fn length_is_limited() {
    let there_and_back = [
        (Square::G1, Square::F3),
        (Square::G8, Square::F6),
        (Square::F3, Square::G1),
        (Square::F6, Square::G8),
    ];
    let moves = there_and_back.map(|(from, to)| Move::normal(from, to));
    let mut moves = moves.repeat(MAX_PLIES / 4 + 1);
    let start = AnyPosition::from(Chess::default());
    let mut bytes = vec![7];
    let error = Dense.encode_moves(&start, &moves, &mut bytes).unwrap_err();
    assert_eq!(
        error.to_string(),
        "after half-move 65535: dense cannot hold games of more than 65,535 half-moves"
    );
    assert_eq!(bytes, [7]);
    moves.truncate(3_000);
    bytes.clear();
    Dense.encode_moves(&start, &moves, &mut bytes).unwrap();
    assert_eq!(Dense.decode(&bytes).unwrap().moves, moves);
}

/// Moves that the rules reject have no bytes.
#[test]
fn illegal_moves_are_rejected() {
    let illegal = [Move::normal(Square::E2, Square::E5)];
    for start in [AnyPosition::from(Chess::default()), Makruk::default().into()] {
        let mut bytes = Vec::new();
        let error = Dense.encode_moves(&start, &illegal, &mut bytes).unwrap_err();
        assert_eq!(
            error.to_string(),
            "after half-move 0: dense cannot hold moves that are not legal"
        );
        assert!(bytes.is_empty());
    }
    // Nothing follows a mate.
    let mut game = read_game("1. f3 e5 2. g4 Qh4# 0-1").unwrap();
    game.moves.push(Move::normal(Square::A2, Square::A3));
    let error = Dense.encode_moves(&game.start, &game.moves, &mut Vec::new()).unwrap_err();
    assert_eq!(error.ply, 4);
}

/// A dump names the moves and what they cost.
#[test]
fn dump() {
    let bytes = bytes_of(&Dense, "1. e4 e5 2. Qh5 Nc6 *");
    let mut shown = Vec::new();
    Dense.dump(&bytes, &mut |code| shown.push(code.clone())).unwrap();
    let moves: Vec<_> = shown.iter().map(|code| code.meaning.as_str()).collect();
    assert_eq!(moves, ["e4", "e5", "Qh5", "Nc6"]);
    let frequency = |at: usize| {
        let (number, rest) = shown[at].fields.split_once(' ').unwrap();
        assert_eq!(rest, "of 65,536");
        number.parse::<u32>().unwrap()
    };
    assert!(frequency(0) > frequency(2), "the king's pawn is moved more often than the queen");
}

/// The shipped model is the one that the page names, and a damaged one is rejected.
#[test]
fn models() {
    let model = Model::shipped();
    let page = include_str!("../../../../docs/reference/dense.md");
    assert!(page.contains(&format!("`{:016x}`", model.hash())), "{:016x}", model.hash());
    let bytes = model.to_bytes();
    assert_eq!(Model::from_bytes(&bytes).map(|model| model.hash()), Ok(model.hash()));
    assert_eq!(Model::from_bytes(b"PK").err(), Some(ModelError::NotAModel));
    assert_eq!(Model::from_bytes(&bytes[..99]).err(), Some(ModelError::Length(99)));
    for at in [8, 9, 40, 1_000_000, bytes.len() - 400_000, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        let error = Model::from_bytes(&damaged).err();
        let is_version = at == 8 && error == Some(ModelError::Version(0));
        assert!(is_version || matches!(error, Some(ModelError::Hash { .. })), "{at}: {error:?}");
    }
}

/// A setting changes the bytes, and returns with the game.
#[test]
fn settings_change_bytes_but_not_games() {
    let game =
        read_game("1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. Qc2 O-O 5. a3 Bxc3+ 6. Qxc3 b6 *").unwrap();
    let mut all = Vec::new();
    for setting in 0..16 {
        let (mut bytes, mut moves) = (Vec::new(), Vec::new());
        Model::shipped().encode(&game.start, &game.moves, setting, &mut bytes).unwrap();
        let decoded = Model::shipped().decode(&bytes, &mut moves).unwrap();
        assert_eq!((decoded, &moves), ((game.start.clone(), setting), &game.moves));
        all.push(bytes);
    }
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 16);
}

/// The bits of all half-moves and of the setting make up the bytes of a game that ends with mate, which has no other symbol.
/// The frequency of the setting is read from the file of the model; the last byte is filled up.
#[test]
fn bits_add_up_to_the_bytes() {
    let model = Model::shipped().to_bytes();
    let setting = 16.0 - f64::from(u16::from_le_bytes([model[9], model[10]])).log2();
    let (mut count, mut more) = (0, 0.0);
    for file in ["games/lichess.pgn.zst", "games/masters.pgn.zst"] {
        for game in games(&testdata().join(file)) {
            if !game.final_position().is_checkmate() || game.start != Chess::default().into() {
                continue;
            }
            let mut bytes = Vec::new();
            Dense.encode_moves(&game.start, &game.moves, &mut bytes).expect("a game");
            let bits: Vec<f64> = bits(&game.start, &game.moves).into_iter().flatten().collect();
            assert_eq!(bits.len(), game.moves.len());
            assert!(bits.iter().all(|bits| (0.0..=16.0).contains(bits)), "{bits:?}");
            let filled = bytes.len() as f64 * 8.0 - setting - bits.iter().sum::<f64>();
            assert!((-12.0..8.5).contains(&filled), "{filled} bits: {:?}", game.tags);
            count += 1;
            more += filled;
        }
    }
    assert!(count > 300, "{count}");
    let mean = more / f64::from(count);
    assert!((2.0..4.0).contains(&mean), "{mean} bits fill the last byte of {count} games");
}

/// In a block, the model learns from game to game: games that come again take far fewer bits.
#[test]
fn a_block_goes_on_learning() {
    let games = games(&testdata().join("games/lichess.pgn.zst"));
    let usual: Vec<_> = games.iter().filter(|game| game.start == Chess::default().into()).collect();
    let lines = || usual.iter().map(|game| (&game.moves[..], 0));
    let once = bits_in_block(Model::shipped(), lines());
    let again = bits_in_block(Model::shipped(), lines().chain(lines())) - once;
    assert!(again < once * 0.9, "{once} bits, {again} again");
}

/// Skipped half-moves change nothing; null moves and Makruk have no bits; a move that is not legal ends them.
#[test]
fn bits_of_some_half_moves() {
    let all = |text: &str| {
        let game = read_game(text).expect(text);
        let all = bits(&game.start, &game.moves);
        for skipped in 0..=game.moves.len() + 1 {
            let rest = Model::shipped().bits(&game.start, &game.moves, 0).skip(skipped);
            assert_eq!(rest.collect::<Vec<_>>(), all[skipped.min(all.len())..], "{text}");
        }
        assert_eq!(all.len(), game.moves.len(), "{text}");
        all.iter().map(Option::is_some).collect::<Vec<_>>()
    };
    assert_eq!(all("1. e4 -- 2. d4 Nf6 *"), [true, false, true, true]);
    assert_eq!(all("[Variant \"Makruk\"]\n\n1. e4 e5 *"), [false, false]);
    assert_eq!(all("[FEN \"7k/5K2/6Q1/8/8/8/8/8 w - - 0 1\"]\n\n1. Qg7# *"), [true]);
    let chess960 = "[Variant \"Chess960\"]\n[FEN \"nrbbqknr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKNR w KQkq - 0 1\"]\n\n1. e4 e5 *";
    assert_eq!(all(chess960), [true, true]);
    let (mut moves, start) = (read_game("1. e4 e5 *").expect("a game").moves, Chess::default());
    moves.push(moves[0]);
    assert_eq!(bits(&start.clone().into(), &moves).len(), 2);
    assert_eq!(Model::shipped().bits(&start.into(), &moves, 0).nth(2), None);
}

fn bits(start: &AnyPosition, moves: &[Move]) -> Vec<Option<f64>> {
    Model::shipped().bits(start, moves, 0).collect()
}
