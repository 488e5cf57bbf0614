//! All codecs do the same through one trait: what they hold comes back, and hostile bytes are refused.

use std::collections::BTreeMap;
use std::path::Path;

use halfmove_game::codec::brenner::Notation;
use halfmove_game::codec::gametext::Dialect;
use halfmove_game::codec::numbered::Width;
use halfmove_game::codec::whole::{self, Parts};
use halfmove_game::codec::{
    CODECS, Codec, DecodeError, DecodeErrorKind, EncodeErrorKind, file, named,
};
use halfmove_game::pgn::{GameReader, Nag, Reading, read_game, write_game};
use halfmove_game::{Clock, Evaluation, Event, Game, GameBuilder, Input, Tags};
use halfmove_rules::{AnyPosition, CastlingMode, Chess};

use crate::files::{files, shipped};

/// What a codec gives back: the tags that it holds, and everything else with glyphs and null moves in
/// their usual spelling.
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

/// Encodes and decodes a game; `false` if the codec cannot hold it, which the error explains.
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

/// What a codec holds, a file gives back with all tags and the result.
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

fn games(path: &Path) -> Vec<Game> {
    let Ok(input) = Input::open(path) else { return Vec::new() };
    let mut reader = GameReader::new(input);
    let (mut games, mut game) = (Vec::new(), Game::default());
    while let Ok(Some(_)) = reader.read(&mut game) {
        games.push(std::mem::take(&mut game));
    }
    games
}

/// The real games of a folder in all codecs. Returns how many games each holds, and how many there are.
fn check_folder(folder: &Path) -> (BTreeMap<&'static str, u64>, u64) {
    let (mut held, mut all, mut bytes) = (BTreeMap::new(), 0, Vec::new());
    for path in files(folder) {
        for game in games(&path) {
            all += 1;
            for codec in CODECS {
                *held.entry(codec.name()).or_default() +=
                    u64::from(round_trip(codec, &game, &mut bytes));
            }
        }
    }
    (held, all)
}

#[test]
fn shipped_games_come_back() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    for (folder, least) in [("games", 21_000), ("malformed", 100)] {
        let (held, all) = check_folder(&root.join(folder));
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
fn all_games_come_back() {
    let data = std::env::var_os("HALFMOVE_DATA").expect("HALFMOVE_DATA");
    let (held, all) = check_folder(Path::new(&data));
    assert!(
        all > 420_000 && held["whole"] == all && held["gametext"] * 100 > all * 99,
        "{held:?} of {all}"
    );
}

fn bytes_of(codec: &dyn Codec, text: &str) -> Vec<u8> {
    // A null move in the main line is a word, so the game has a fault.
    let mut game = Game::default();
    let reading = GameReader::new(text.as_bytes()).read(&mut game).unwrap();
    let expects_fault = text.contains("--");
    assert_eq!(
        reading,
        reading.clone().filter(|r| expects_fault || *r == Reading::Whole),
        "{text}"
    );
    let mut bytes = Vec::new();
    codec.encode(&game, &mut bytes).unwrap_or_else(|error| panic!("{text}: {error}"));
    bytes
}

/// The codes of jose's own classes, without the end of the data.
#[test]
fn gametext_is_that_of_jose() {
    let fen = |fen: &str, text: &str| format!("[FEN \"{fen}\"]\n\n{text} *");
    let lone = |piece: char, side: char| {
        let (us, kings) = match side {
            'w' => (piece.to_ascii_uppercase(), "8/7k/8/8/3?4/8/8/K7"),
            _ => (piece.to_ascii_lowercase(), "8/7K/8/8/3?4/8/8/k7"),
        };
        format!("{} {side} - - 0 1", kings.replace('?', &us.to_string()))
    };
    for (text, codes) in [
        ("1. e4 a6 2. e5 d5 3. exd6 *", "13 00 10 0f 12"),
        ("1. e4 d5 2. exd5 c6 3. dxc6 bxc6 *", "13 0f 12 08 12 06"),
        ("1. e4 -- 2. d4 *", "13 9a 0f"),
        ("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0", "13 13 74 22 4b 2b 7e d2"),
    ] {
        check_codes(&Dialect::Jose, text, codes);
    }
    check_codes(
        &Dialect::Document,
        "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0",
        "13 13 74 25 4b 2c 7e d2",
    );
    // Kings and pieces on d4, each to all sides, for both colors.
    for side in ['w', 'b'] {
        let number = if side == 'w' { "1." } else { "1..." };
        let check = |start: &str, moves: &[(&str, &str)]| {
            for (san, code) in moves {
                check_codes(&Dialect::Jose, &fen(start, &format!("{number} {san}")), code);
            }
        };
        let other = if side == 'w' { 'k' } else { 'K' };
        let king = if side == 'w' { 'K' } else { 'k' };
        check(
            &format!("{other}7/8/8/8/3{king}4/8/8/8 {side} - - 0 1"),
            &[
                ("Ke5", "90"),
                ("Kc5", "93"),
                ("Kc3", "92"),
                ("Ke3", "91"),
                ("Kd5", "96"),
                ("Kd3", "97"),
                ("Kc4", "95"),
                ("Ke4", "94"),
            ],
        );
        check(
            &lone('n', side),
            &[
                ("Ne6", "27"),
                ("Nc6", "26"),
                ("Nb5", "25"),
                ("Nb3", "24"),
                ("Nc2", "23"),
                ("Ne2", "22"),
                ("Nf3", "21"),
                ("Nf5", "20"),
            ],
        );
        check(&lone('r', side), &[("Rd5", "54"), ("Rd8", "57"), ("Ra4", "58"), ("Rh4", "5f")]);
        check(
            &lone('q', side),
            &[("Qc5", "7c"), ("Qd8", "87"), ("Qd1", "80"), ("Qa4", "88"), ("Qh4", "8f")],
        );
        check(
            &format!(
                "{other}7/8/8/8/3{}4/8/8/{king}7 {side} - - 0 1",
                if side == 'w' { 'B' } else { 'b' }
            ),
            &[
                ("Be5", "34"),
                ("Bg7", "36"),
                ("Bc3", "32"),
                ("Bc5", "3c"),
                ("Ba7", "3e"),
                ("Be3", "3a"),
                ("Bg1", "38"),
            ],
        );
    }
    // Pawns: their right is another side for Black.
    let pawns = "k7/p7/8/1p6/P1P5/8/8/K7 b - - 0 1";
    for (san, code) in [("b4", "04"), ("bxa4", "05"), ("bxc4", "06")] {
        // In the order of the FEN, the pawn on a7 is "a" and that on b5 is "b".
        check_codes(&Dialect::Jose, &fen(pawns, &format!("1... {san}")), code);
    }
    check_codes(&Dialect::Jose, &fen("7k/P6P/8/8/8/8/8/K7 w - - 0 1", "1. a8=Q+"), "a0 23");
    let undone = "1. a8=Q Rxa8 2. a4 h6 (2... h5) 3. a5";
    let position = "3r3k/P6p/8/8/8/8/P7/K7 w - - 0 1";
    check_codes(&Dialect::Jose, &fen(position, undone), "a0 23 58 07 00 f0 03 f1 04");
}

fn check_codes(dialect: &Dialect, text: &str, codes: &str) {
    let bytes = bytes_of(dialect, text);
    let end = bytes.iter().position(|byte| *byte == 0xff).expect("an end");
    let found: Vec<_> = bytes[..end].iter().map(|byte| format!("{byte:02x}")).collect();
    let found = found.join(" ");
    // The result that was added to make it a game.
    let found = found.strip_suffix(" d3").unwrap_or(&found);
    assert_eq!(found, codes, "{text}");
}

#[test]
fn brenner_is_that_of_the_paper() {
    let mate = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6?? 4. Qxf7# 1-0";
    let primary = [0x2c, 0x2c, 0x61, 0x17, 0xdb, 0x1e, 0x06, 0x06, 0x53, 0x02];
    assert_eq!(bytes_of(&Notation::Primary, mate), primary);
    let alternate = [0x34, 0x34, 0xcc, 0x17, 0x5b, 0x1e, 0x06, 0x06, 0xda, 0x02];
    assert_eq!(bytes_of(&Notation::Alternate, mate), alternate);
    // Two bytes of the start position and its FEN, then the code.
    let code = |notation: Notation, fen: &str, san: &str| {
        let number = if fen.contains(" w ") { "1." } else { "1..." };
        let bytes = bytes_of(&notation, &format!("[FEN \"{fen}\"]\n\n{number} {san} *"));
        let from = 2 + bytes[2..].iter().position(|byte| *byte == 0).expect("a text") + 1;
        bytes[from..bytes.len() - 2].to_vec()
    };
    // The queen's pawn captures to its right; the queen's bishop goes two squares north-east; the king's
    // knight goes north-north-east.
    for (text, last) in [
        ("1. d4 e5 2. dxe5 1/2-1/2", 0x33),
        ("1. d3 e5 2. Be3 1/2-1/2", 0x91),
        ("1. Nf3 e5 2. Ng5 e4 3. Nh7 1/2-1/2", 0x1a),
    ] {
        // The third is not legal; its move is looked at alone.
        let Ok(game) = read_game(text) else { continue };
        let mut bytes = Vec::new();
        Notation::Primary.encode(&game, &mut bytes).unwrap();
        assert_eq!(bytes[bytes.len() - 2..], [last, 0x03], "{text}");
    }
    let knights = "4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1";
    assert_eq!(code(Notation::Primary, knights, "Nh3"), [0x1a]);
    // A promotion to queen number 1: the pawn is the only one, number 0.
    let pawn = "7k/P7/8/8/8/8/8/K2Q4 w - - 0 1";
    assert_eq!(code(Notation::Primary, pawn, "a8=Q+"), [0x42, 0x20]);
    assert_eq!(code(Notation::Alternate, pawn, "a8=Q+"), [0xd0, 0x28]);
    // Black's right is the west.
    let capture = "k7/8/8/1p6/P1P5/8/8/K7 b - - 0 1";
    assert_eq!(code(Notation::Primary, capture, "bxa4"), [0x30]);
    assert_eq!(code(Notation::Primary, capture, "bxc4"), [0x38]);
}

#[test]
fn what_codecs_refuse() {
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

/// The number of castling is that of the king's move by two files on its rank, and no other.
#[test]
fn no_other_number_castles() {
    // 1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6, then the king to g1, g2, g3 and c2.
    let line = [0x28, 0x57, 0x68, 0x4f, 0xe6, 0x01, 0x17, 0xb6, 0xc3];
    let codec = named("numbered-11").unwrap();
    let decoded = |last: u8| codec.decode(&[&line[..], &[last]].concat());
    assert!(write_game(&decoded(0x30).unwrap()).unwrap().contains("4. O-O"));
    for (last, uci) in [(0x60, "e1g2"), (0x88, "e1g3"), (0x40, "e1c2")] {
        let error = decoded(last).unwrap_err().to_string();
        assert!(error.contains(&format!("{uci} is not a legal move")), "{error}");
    }
}

/// Every byte, alone and behind a move, is a code or an error with its place.
#[test]
fn every_byte_is_read_or_refused() {
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

/// Bytes that are cut off or changed give an error or a game, and nothing else.
#[test]
fn damaged_bytes() {
    let mut bytes = Vec::new();
    for game in games(&shipped("games/chess960.pgn"))
        .iter()
        .chain(&games(&shipped("games/setup.pgn")))
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

/// Brenner's count of moves, made exact, and each number's way back.
#[test]
fn every_move_has_a_number() {
    assert_eq!(
        [Width::Eleven, Width::Twelve, Width::Thirteen].map(Width::count),
        [1_968, 3_876, 7_752]
    );
    for width in [Width::Eleven, Width::Twelve, Width::Thirteen] {
        assert!(width.count() <= 1 << width.bits() && width.count() > 1 << (width.bits() - 1));
    }
}

/// What a dump shows is the game, code by code.
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
        // There the moves of the main line stand together.
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

/// Starts of Chess960 that no castling rights tell come back as Chess960.
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

/// The test vectors of the pages are those of the code.
#[test]
fn vectors_of_the_pages() {
    let pages = [
        include_str!("../../../../docs/reference/gametext.md"),
        include_str!("../../../../docs/reference/brenner.md"),
        include_str!("../../../../docs/reference/numbered.md"),
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

/// The test vectors of the page on whole games, and each of its tokens.
#[test]
fn vectors_of_whole_games() {
    let page = include_str!("../../../../docs/reference/whole.md");
    assert!(page.contains(&format!("\nVersion {}. ", named("whole").unwrap().version())));
    let (_, vectors) = page.split_once("## Test vectors").expect("vectors");
    let rows: Vec<_> = vectors.lines().filter_map(|line| line.strip_prefix("| `")).collect();
    assert!(rows.len() > 8, "{} vectors", rows.len());
    let mut tokens = String::new();
    for row in rows {
        let cells: Vec<_> =
            row.split(" | ").map(|cell| cell.trim_matches(['`', ' ', '|'])).collect();
        let text = cells[0].replace('¶', "\n");
        let game = read_game(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let parts = Parts::of(&game);
        let hex = |bytes: &[u8]| {
            bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
        };
        let found = [&parts.annotations, &parts.clocks, &parts.evaluations].map(|part| hex(part));
        assert_eq!(found, cells[1..4], "{text}");
        let again = parts.game(&game.tags, game.start.clone(), &game.moves);
        assert_eq!(again.as_ref(), Ok(&game), "{text}");
        tokens += &found[0];
    }
    for token in 0x80..=0xa4 {
        let is_sign = (0x90..=0xa3).contains(&token);
        assert!(is_sign || tokens.contains(&format!("{token:02x}")), "{token:02x} is in no vector");
    }
    // The signs, in their order; everything above is reserved.
    let row = page.lines().find(|line| line.starts_with("| `90`–`a3`")).expect("a row");
    let signs = row.split("a sign: ").nth(1).expect("signs").trim_end_matches(" |");
    for (token, sign) in (0x90..).zip(signs.split(' ')) {
        let parts = Parts { annotations: vec![0x00, token], ..Parts::default() };
        let moves = read_game("1. e4 *").unwrap().moves;
        let game = parts.game(&Tags::new(), Chess::default().into(), &moves).expect("a glyph");
        let nag = Nag::from_sign(sign).expect(sign);
        assert!(game.events().any(|event| event == Event::Nag(nag)), "{sign}");
    }
    for token in 0xa5..=0xff {
        let parts = Parts { annotations: vec![token], ..Parts::default() };
        let error = parts.game(&Tags::new(), Chess::default().into(), &[]).unwrap_err();
        assert_eq!(error.error.kind, DecodeErrorKind::Reserved(token));
    }
}

/// The bits of the worked example are the bytes of its vector.
#[test]
fn the_worked_example_of_whole_games() {
    let page = include_str!("../../../../docs/reference/whole.md");
    let (_, example) = page.split_once("\n## Worked example\n").expect("an example");
    let (_, text) = example.split_once("```text\n").expect("a game");
    let (text, tables) = text.split_once("```").expect("an end");
    let parts = Parts::of(&read_game(text).expect("a game"));
    for (name, part) in [("clocks", &parts.clocks), ("evaluations", &parts.evaluations)] {
        let (_, table) = tables.split_once(&format!("<!-- worked: {name} -->\n")).expect(name);
        let rows = table.lines().skip(2).take_while(|line| line.starts_with("| "));
        let drawn: String = rows
            .flat_map(|row| row.split(" | ").next().unwrap_or_default().split('`'))
            .filter(|bits| bits.starts_with(['0', '1']))
            .collect();
        let found: String = part.iter().map(|byte| format!("{byte:08b}")).collect();
        assert_eq!(drawn, found, "{name}");
    }
    assert_eq!(parts.annotations, [0x02, 0x93]);
}

/// Values that are spelled as a row of the tables of units says are stored in that unit.
#[test]
fn units_of_the_reference() {
    let page = include_str!("../../../../docs/reference/whole.md");
    for (heading, command, expected) in
        [("Clocks", "clk", &[0, 1, 2, 3, 5, 6, 7][..]), ("Evaluations", "eval", &[4, 5, 6])]
    {
        let (_, section) = page.split_once(&format!("\n### {heading}\n")).expect(heading);
        let (section, _) = section.split_once("\n#").expect("another section");
        let mut units = Vec::new();
        for row in section.lines().filter_map(|line| line.strip_prefix("| ")) {
            let values: Vec<_> = row.split('`').skip(1).step_by(2).collect();
            let Some(unit) = row[..1].parse::<u8>().ok().filter(|_| !values.is_empty()) else {
                continue;
            };
            let moves = ["e4", "e5", "d4"].into_iter().zip(values);
            let text = moves.map(|(san, value)| format!("{san} {{[%{command} {value}]}} "));
            let game = read_game(format!("{}*", text.collect::<String>())).expect(row);
            let parts = Parts::of(&game);
            let part = if command == "clk" { &parts.clocks } else { &parts.evaluations };
            assert_eq!(part[..2], [1, unit], "{row}");
            units.push(unit);
        }
        assert_eq!(units, expected, "{heading}");
    }
}

/// Clocks and evaluations in all the ways in which they can be written.
#[test]
fn values_of_all_kinds() {
    for (text, are_usual) in [
        ("1. e4 {[%clk 0:03:00]} e5 {[%clk 0:02:59.9]} 2. d4 {[%clk 0:02:58]} *", true),
        ("1. e4 {[%clk 0:03:00.0]} e5 {[%clk 0:02:59.9]} *", true),
        ("1. e4 {[%clk 0:03:00.00]} e5 {[%clk 0:02:59.9]} *", false),
        ("1. e4 {[%clk 1192:59:59.999]} e5 {[%clk 0:00:00.001]} 2. d4 {[%clk 0:00:00]} *", true),
        ("1. e4 { [%clk 0:03:00] } e5 2. d4 { [%clk 0:02:58] } *", true),
        ("1. e4 { [%clk 0:03:00] } e5 {[%clk 0:02:59]} *", false),
        ("1. e4 {[%clk 0:03:00]} {[%clk 0:02:59]} *", false),
        ("1. e4 {[%clk 0:03:00]} $1 *", false),
        ("1. e4 {[%clk 0:03:00]} {behind it} *", false),
        ("1. e4 $1 {before it} {[%clk 0:03:00]} (1. d4 {[%clk 0:01:00]}) e5 *", true),
        ("1. e4 {[%clk 0:03:00] with text} *", false),
        ("1. e4 {[%clk 3:00]} *", false),
        ("1. e4 {[%eval 0.17]} e5 {[%eval -0.3]} 2. d4 {[%eval #-3]} d5 {[%eval 0.0]} *", true),
        ("1. e4 {[%eval 0.17]} e5 {[%eval -0.30]} 2. d4 {[%eval 1.00]} *", true),
        ("1. e4 {[%eval 9999999.99]} e5 {[%eval -9999999.99]} 2. d4 {[%eval #9999999]} *", true),
        ("1. e4 {[%eval 0.17,23]} *", false),
        ("1. e4 {[%eval 1]} e5 {[%eval 1.0]} *", false),
        ("1. e4 {[%eval 0.3]} e5 {[%eval #3,12]} 2. d4 {[%eval -0.30]} *", false),
        ("1. e4 {[%clk 0:03:00.0]} e5 {[%clk 0:02:59.95]} 2. d4 {[%clk 0:02:59.125]} *", false),
        ("1. e4 {[%eval 0.3] [%clk 0:03:00.0]} e5 {[%clk 0:02:59.95]} *", false),
        ("1. e4 {[%eval 0.17] [%clk 0:03:00]} e5 {[%clk 0:02:59]} *", true),
        ("1. e4 {[%clk 0:03:00][%eval 0.17]} e5 {[%clk 0:02:59][%eval 0.2]} *", true),
        ("1. e4 {[%clk 0:03:00] [%eval 0.17]} e5 {[%eval 0.2] [%clk 0:02:59]} *", false),
        ("1. e4 {[%emt 0:00:03]} *", false),
        ("1. e4 (1. d4 {[%clk 0:03:00]}) e5 *", false),
        ("{[%clk 0:03:00]} 1. e4 {[%clk 0:03:00]} * {[%clk 0:03:00]}", true),
        ("1. e4 (1. d4) {[%clk 0:03:00]} e5 {[%clk 0:03:00]} *", true),
    ] {
        let game = read_game(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let parts = Parts::of(&game);
        let again = parts.game(&game.tags, game.start.clone(), &game.moves);
        assert_eq!(again.as_ref(), Ok(&game), "{text}");
        let template =
            [&parts.clocks, &parts.evaluations].into_iter().find(|part| !part.is_empty());
        assert_eq!(template.is_some_and(|part| part[0] & 1 != 0), are_usual, "{text}");
        let main_line = |at: usize| game.node(at + 1).expect("a move");
        let clocks = whole::clocks(&parts.clocks, game.moves.len()).unwrap();
        let evaluations = whole::evaluations(&parts.evaluations, game.moves.len()).unwrap();
        for ply in 0..game.moves.len() {
            let clock = clocks.get(ply).copied().flatten();
            let evaluation = evaluations.get(ply).copied().flatten();
            let said = (main_line(ply).clock(), main_line(ply).evaluation());
            if are_usual {
                // Behind variations, a clock is text.
                assert!(clock.is_none() || clock == said.0, "{text}");
                assert_eq!(evaluation, said.1, "{text}");
            } else {
                // Those of other comments are there as numbers.
                assert_eq!(clock.map(Clock::millis), said.0.map(Clock::millis), "{text}");
                assert_eq!(
                    evaluation.map(Evaluation::score),
                    said.1.map(Evaluation::score),
                    "{text}"
                );
            }
        }
        // Cut off anywhere, or with more behind it, it is an error or another game.
        for end in (0..parts.clocks.len()).filter(|_| are_usual) {
            let cut = Parts { clocks: parts.clocks[..end].to_vec(), ..parts.clone() };
            assert_ne!(cut.game(&game.tags, game.start.clone(), &game.moves), Ok(game.clone()));
        }
        let mut longer = parts.clone();
        longer.clocks.push(0);
        assert!(longer.game(&game.tags, game.start.clone(), &game.moves).is_err(), "{text}");
    }
}

/// The bytes that the guide draws for the Scholar's Mate.
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
    // What the guide says about our own bytes is what a dump says.
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
