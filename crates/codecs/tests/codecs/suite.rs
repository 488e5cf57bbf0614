//! One suite for all codecs: the parts that they hold round-trip, and hostile bytes are rejected.

use std::collections::BTreeMap;
use std::path::Path;

use halfmove_codecs::gametext::Dialect;
use halfmove_codecs::{CODECS, Codec, DecodeError, EncodeErrorKind, file, named};
use halfmove_game::pgn::{GameReader, Nag, Reading, read_game, write_game};
use halfmove_game::{Event, Game, GameBuilder, Input};
use halfmove_rules::{AnyPosition, CastlingMode, Chess};

use crate::data::{all_files, collections, testdata};

/// The expected game after decoding: the tags that the codec holds, and all else with glyphs and null moves in their
/// usual spelling.
fn expected(codec: &dyn Codec, game: &Game) -> Game {
    let mut builder = GameBuilder::new(game.start.clone());
    for event in game.events() {
        let kept = match event {
            Event::Tag(name, _) if !codec.holds().tag(name) => continue,
            Event::Result(_) if !codec.holds().result => continue,
            Event::Nag(nag) if !codec.holds().spelling => {
                let sign = nag.symbol().filter(|_| nag.number() < 7);
                let nag = sign.and_then(Nag::from_sign).unwrap_or(Nag::new(nag.number()));
                Event::Nag(nag)
            }
            Event::NullMove(_) if !codec.holds().spelling => Event::NullMove("--"),
            event => event,
        };
        builder.push(kept).expect("an event of a game");
    }
    builder.finish()
}

/// Encodes and decodes a game. Returns false if the codec cannot hold it, with an error that explains why.
fn round_trip(codec: &'static dyn Codec, game: &Game, bytes: &mut Vec<u8>) -> bool {
    bytes.clear();
    bytes.push(0x55);
    if let Err(error) = codec.encode(game, bytes) {
        assert_eq!(*bytes, [0x55], "{error}");
        assert!(error.ply <= game.moves.len(), "{error}");
        return false;
    }
    let bytes = &bytes[1..];
    let name = codec.name();
    let again = codec.decode(bytes).unwrap_or_else(|error| panic!("{name}: {error}: {bytes:02x?}"));
    let expected = expected(codec, game);
    if again != expected {
        let events = |game: &Game| game.events().map(|e| format!("{e:?}")).collect::<Vec<_>>();
        assert_eq!(events(&again), events(&expected), "{name}");
        assert_eq!(again, expected, "{name}");
    }
    // The main line alone.
    let mut moves = Vec::new();
    let start = codec.decode_moves(bytes, &mut moves).expect("the same bytes");
    assert_eq!((&start, &moves), (&game.start, &game.moves), "{name}");
    let mut main = Vec::new();
    codec.encode_moves(&start, &moves, &mut main).expect("a part of the same game");
    assert_eq!(codec.decode(&main).expect("its own bytes").moves, moves);
    file_round_trip(codec, game);
    true
}

/// Checks that a file returns the game that its codec holds, with all tags and the result.
fn file_round_trip(codec: &'static dyn Codec, game: &Game) {
    let name = codec.name();
    let mut writer = file::Writer::new(codec, Vec::new()).expect("memory");
    writer.write(game).unwrap_or_else(|error| panic!("{name}: {error}: {:?}", game.tags));
    let bytes = writer.finish().expect("memory");
    let mut reader = file::Reader::new(&bytes[..]).expect("a file");
    let again = reader.next().expect("a file").expect("a game").game();
    let again = again.unwrap_or_else(|error| panic!("{name}: {error}: {:?}", game.tags));
    let tags = |game: &Game| {
        let mut tags: Vec<_> =
            game.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        tags.sort();
        tags
    };
    assert_eq!((tags(&again), again.result), (tags(game), game.result), "{name}");
    assert_eq!((&again.start, &again.moves), (&game.start, &game.moves), "{name}");
}

pub(crate) fn is_pgn(path: &Path) -> bool {
    let name = path.to_string_lossy();
    [".pgn", ".pgn.zst", ".pgn.gz", ".pgn.bz2"].iter().any(|end| name.ends_with(end))
}

pub(crate) fn games(path: &Path) -> Vec<Game> {
    let Ok(input) = Input::open(path) else { return Vec::new() };
    let mut reader = GameReader::new(input);
    let (mut games, mut game) = (Vec::new(), Game::default());
    while let Ok(Some(_)) = reader.read(&mut game) {
        games.push(std::mem::take(&mut game));
    }
    games
}

/// The real games of a folder, one in `step` of each file, in all codecs. Returns the number of games that each holds, and the
/// number of all that were checked.
fn check_folder(folder: &Path, step: usize) -> (BTreeMap<&'static str, u64>, u64) {
    let (mut held, mut all, mut bytes) = (BTreeMap::new(), 0, Vec::new());
    for path in all_files(folder).iter().filter(|path| is_pgn(path)) {
        for game in games(path).iter().step_by(step) {
            all += 1;
            for codec in CODECS {
                // A hundred times slower than the others: its own tests take the rest.
                if codec.name() == "dense" && all % 64 != 0 {
                    continue;
                }
                *held.entry(codec.name()).or_default() +=
                    u64::from(round_trip(codec, game, &mut bytes));
            }
        }
    }
    (held, all)
}

#[test]
fn shipped_games_round_trip() {
    for (folder, step, least) in [("games", 4, 5_000), ("malformed", 1, 100)] {
        let (held, all) = check_folder(&testdata().join(folder), step);
        assert!(all > least, "{folder}: {held:?} of {all}");
        assert!(held["gametext"] * 10 > all * 8, "{folder}: {held:?} of {all}");
        assert_eq!(held["whole"], all);
        assert_eq!(held["gametext"], held["gametext-document"]);
        assert_eq!(held["brenner"], held["brenner-alternate"]);
        assert_eq!(held["numbered-11"], held["numbered-13"]);
    }
}

#[test]
#[ignore = "needs HALFMOVE_DATA"]
fn all_games_round_trip() {
    let (held, all) = check_folder(&collections(), 1);
    assert!(
        all > 420_000 && held["whole"] == all && held["gametext"] * 100 > all * 99,
        "{held:?} of {all}"
    );
}

pub(crate) fn bytes_of(codec: &dyn Codec, text: &str) -> Vec<u8> {
    let mut game = Game::default();
    let reading = GameReader::new(text.as_bytes()).read(&mut game).unwrap();
    assert_eq!(reading, Some(Reading::Whole), "{text}");
    let mut bytes = Vec::new();
    codec.encode(&game, &mut bytes).unwrap_or_else(|error| panic!("{text}: {error}"));
    bytes
}

#[test]
fn games_that_codecs_reject() {
    let refused = |codec: &dyn Codec, text: &str| {
        let game = read_game(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        codec.encode(&game, &mut Vec::new()).unwrap_err()
    };
    // A third knight has no slot in jose; the others do.
    let third = "[FEN \"4k3/8/8/8/8/8/4N3/N1N1K3 w - - 0 1\"]\n\n1. Kd1 Kd8 2. Ncb3 *";
    let error = refused(&Dialect::Jose, third);
    assert_eq!(
        error.to_string(),
        "after half-move 2: gametext has no code for the piece that plays Ncb3"
    );
    let second_queen = "[FEN \"4k3/8/8/8/8/Q7/8/Q3K3 w - - 0 1\"]\n\n1. Qd1 *";
    assert!(matches!(
        refused(&Dialect::Document, second_queen).kind,
        EncodeErrorKind::NoCode { .. }
    ));
    for (codec, text, message) in [
        (named("brenner").unwrap(), "1. e4 $14 *", "glyphs other than"),
        (named("brenner").unwrap(), "1. e4 $1 $2 *", "another glyph after"),
        (named("gametext").unwrap(), "1. e4 $256 *", "glyphs above 255"),
        (named("gametext").unwrap(), "1. e4 ; line\n e5 *", "comments after a semicolon"),
        (named("numbered-11").unwrap(), "1. e4 (1. d4) e5 *", "variations"),
        (named("numbered-12").unwrap(), "1. e4 {x} e5 *", "comments"),
        (named("gametext").unwrap(), "[Variant \"Makruk\"]\n\n1. e4 *", "games other than chess"),
        (
            named("numbered-13").unwrap(),
            "[FEN \"4k3/8/8/8/8/8/8/Q3K3 w - - 0 1\"]\n\n1. Qd1 *",
            "games that start",
        ),
    ] {
        let error = refused(codec, text).to_string();
        assert!(error.contains(message) && error.contains(codec.name()), "{text}: {error}");
    }
}

/// Every byte, alone and after a move, is a code or an error with its place.
#[test]
fn every_byte_is_read_or_rejected() {
    for codec in CODECS {
        for byte in 0..=255u8 {
            for tail in [&[][..], &[0], &[0xff], &[0, 0, 0xff]] {
                let bytes = [&[byte], tail].concat();
                match codec.decode(&bytes) {
                    Ok(game) => assert!(write_game(&game).is_ok()),
                    Err(DecodeError { offset, .. }) => assert!(offset <= bytes.len()),
                }
            }
        }
    }
    // jose's reserved codes.
    for code in (0x9b..=0x9f).chain(0xd4..=0xdf).chain(0xe6..=0xef).chain(0xf2..=0xfe) {
        for dialect in [Dialect::Jose, Dialect::Document] {
            let error = dialect.decode(&[0x13, code, 0xff]).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("byte 1: 0x{code:02x} is not a code of this version")
            );
        }
    }
}

/// Truncated or changed bytes give an error or a game.
#[test]
fn damaged_bytes() {
    let mut bytes = Vec::new();
    for game in games(&testdata().join("games/chess960.pgn"))
        .iter()
        .chain(&games(&testdata().join("games/setup.pgn")))
        .take(60)
    {
        for codec in CODECS {
            bytes.clear();
            if codec.encode(game, &mut bytes).is_err() {
                continue;
            }
            for end in 0..bytes.len() {
                let _ = codec.decode(&bytes[..end]);
                let _ = codec.dump(&bytes[..end], &mut |_| {});
            }
            for at in 0..bytes.len() {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << (at % 8);
                if let Ok(game) = codec.decode(&damaged) {
                    let mut again = Vec::new();
                    if codec.encode(&game, &mut again).is_ok() {
                        assert_eq!(codec.decode(&again).as_ref(), Ok(&game));
                    }
                }
            }
        }
    }
}

/// A dump shows the game, code by code.
#[test]
fn dumps() {
    let text = "[White \"Morphy\"]\n\n1. e4 {king's pawn} e5 (1... c5! 2. Nf3) 2. Qh5 Nc6 1-0";
    let game = read_game(text).unwrap();
    for codec in CODECS.into_iter().filter(|codec| codec.holds().variations) {
        let mut bytes = Vec::new();
        codec.encode(&game, &mut bytes).unwrap();
        let (mut shown, mut end) = (Vec::new(), 0);
        codec
            .dump(&bytes, &mut |code| {
                assert!(code.bytes.start == end && code.bytes.end > end, "{code:?}");
                end = code.bytes.end;
                shown.push(code.meaning.clone());
            })
            .unwrap();
        // In these bytes, the moves of the main line are together.
        if codec.name() == "whole" {
            shown.sort();
            let all = ["(", ")", "!", "Nc6", "Nf3", "Qh5", "White: Morphy", "c5", "e4", "e5"];
            assert!(all.iter().all(|meaning| shown.iter().any(|shown| shown == meaning)));
            continue;
        }
        let order = ["e4", "king's pawn", "e5", "(", "c5", "!", "Nf3", ")", "Qh5", "Nc6", "1-0"];
        let found: Vec<_> =
            shown.iter().filter(|meaning| order.contains(&meaning.as_str())).collect();
        assert_eq!(found, order.iter().collect::<Vec<_>>(), "{}", codec.name());
    }
}

/// Starts of Chess960 without castling rights round-trip as Chess960.
#[test]
fn chess960_stays_chess960() {
    let fen = "1k6/8/8/8/8/8/8/1K5R w - - 0 1";
    for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
        let start = Chess::from_fen(fen, Some(mode)).unwrap();
        for codec in CODECS.into_iter().filter(|codec| codec.holds().starts) {
            let mut bytes = Vec::new();
            codec.encode(&Game::from(start.clone()), &mut bytes).unwrap();
            let AnyPosition::Chess(again) = codec.decode(&bytes).unwrap().start else { panic!() };
            assert_eq!((&again, again.castling_mode()), (&start, mode), "{}", codec.name());
        }
    }
}

/// The test vectors of the pages match the code.
#[test]
fn vectors_of_the_pages() {
    let pages = [
        include_str!("../../../../docs/reference/gametext.md"),
        include_str!("../../../../docs/reference/brenner.md"),
        include_str!("../../../../docs/reference/numbered.md"),
        include_str!("../../../../docs/reference/dense.md"),
    ];
    for page in pages {
        let (_, rest) = page.split_once("\n## Test vector").expect("test vectors");
        let rows = rest.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
        let mut text = String::new();
        for row in rows.skip(2) {
            let [name, game, bytes] = row.split(" | ").collect::<Vec<_>>()[..] else {
                panic!("{row}")
            };
            if game != "the same" {
                text = game.replace("\\*", "*");
            }
            let codec = named(name).expect(name);
            let encoded = bytes_of(codec, &text);
            let found = encoded.iter().map(|byte| format!("{byte:02x}"));
            assert_eq!(
                format!("`{}`", found.collect::<Vec<_>>().join(" ")),
                bytes,
                "{name}: {text}"
            );
        }
        assert!(!text.is_empty());
    }
}

/// The bytes of the Scholar's Mate in the guide.
#[test]
fn bytes_of_the_guide() {
    let guide = include_str!("../../../../docs/guide/bytes.md");
    let game = read_game("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6?? 4. Qxf7# 1-0").unwrap();
    let line = read_game("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0").unwrap();
    for (name, game) in [("gametext", &game), ("brenner", &game), ("halfmove", &line)] {
        let (_, section) = guide.split_once(&format!("\n## {name}\n")).expect(name);
        let (section, _) = section.split_once("\n## ").unwrap_or((section, ""));
        let rows = section.lines().skip_while(|line| !line.starts_with("| move | byte |"));
        let rows = rows.skip(2).take_while(|line| line.starts_with("| "));
        let drawn: Vec<_> = rows.filter_map(|row| row.split('`').nth(1)).collect();
        let mut bytes = Vec::new();
        named(name).unwrap().encode(game, &mut bytes).unwrap();
        let found: Vec<_> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(drawn, found, "{name}");
    }
    // The guide has the fields of a dump of our own bytes.
    let mut bytes = Vec::new();
    named("halfmove").unwrap().encode(&line, &mut bytes).unwrap();
    let mut codes = 0;
    let dumped = named("halfmove").unwrap().dump(&bytes, &mut |code| {
        let row = format!("| {} | `{:02x}` | {} |", code.meaning, bytes[codes], code.fields);
        assert!(guide.contains(&row), "{row}");
        codes += 1;
    });
    assert_eq!((dumped, codes), (Ok(()), 7));
}
