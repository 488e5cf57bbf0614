//! Comments that PGN cannot write as they are in the bytes, and bytes that need more memory than a game may take.

use halfmove_codecs::{Codec, DecodeErrorKind, EncodeErrorKind, Whole, file, named};
use halfmove_game::Game;
use halfmove_game::pgn::{
    Checker, CommentStyle, GameReader, Reader, Reading, read_game, write_game,
};

fn bytes_of(hex: &str) -> Vec<u8> {
    let pairs = hex.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).expect("hex"));
    pairs.map(|pair| u8::from_str_radix(pair, 16).expect("hex")).collect()
}

fn decoded(codec: &str, hex: &str) -> Game {
    let codec = named(codec).expect("a codec");
    codec.decode(&bytes_of(hex)).unwrap_or_else(|error| panic!("{codec:?} {hex}: {error}"))
}

/// Encodings of `1. e4` and a comment.
const COMMENTS: [(&str, &str, CommentStyle, &str); 16] = [
    ("gametext", "13e0ff617d620a6300", CommentStyle::Line, "a}b c"),
    ("gametext", "13e0ff7d0d0a0a0d00", CommentStyle::Line, "}   "),
    ("gametext", "13e0ff617d6200", CommentStyle::Line, "a}b"),
    ("gametext", "13e0ff610a6200", CommentStyle::Braces, "a b"),
    ("gametext-document", "13e0617d620a6300ff", CommentStyle::Line, "a}b c"),
    ("gametext-document", "13e0617d6200ff", CommentStyle::Line, "a}b"),
    // Text that jose could not read, and that is not a word either.
    ("gametext", "13e1ff617d620a6300", CommentStyle::Line, "a}b c"),
    ("brenner", "2c00617d620a6300", CommentStyle::Line, "a}b c"),
    ("brenner", "2c00617d6200", CommentStyle::Line, "a}b"),
    ("brenner-alternate", "3400617d620a6300", CommentStyle::Line, "a}b c"),
    ("brenner-alternate", "3400617d6200", CommentStyle::Line, "a}b"),
    ("whole", "00011108008205617d620a630000", CommentStyle::Line, "a}b c"),
    ("whole", "00011106008203617d620000", CommentStyle::Line, "a}b"),
    ("whole", "00011106008303617d620000", CommentStyle::Line, "a}b"),
    ("whole", "00011107008304610d0a620000", CommentStyle::Line, "a b"),
    ("whole", "00011106008203610a620000", CommentStyle::Braces, "a b"),
];

/// With any text in a comment, the game is decoded, can be written, and round-trips from both.
#[test]
fn any_comment_comes_out() {
    for (codec, hex, style, text) in COMMENTS {
        let game = decoded(codec, hex);
        let comments: Vec<_> =
            game.annotations.comments().map(|c| (c.style(), c.to_string())).collect();
        assert_eq!(comments, [(style, text.to_owned())], "{codec} {hex}");
        let codec = named(codec).expect("a codec");
        let mut again = Vec::new();
        codec.encode(&game, &mut again).unwrap_or_else(|error| panic!("{hex}: {error}"));
        assert_eq!(codec.decode(&again).as_ref(), Ok(&game), "{hex}");
        assert_eq!(codec.dump(&bytes_of(hex), &mut |_| {}), Ok(()), "{hex}");
        let pgn = write_game(&game).expect("no tags");
        let read = read_game(&pgn).unwrap_or_else(|error| panic!("{pgn}: {error}"));
        assert_eq!(read.annotations, game.annotations, "{pgn}");
    }
}

/// Only those that braces cannot hold are accepted: others would be decoded as comments in braces.
#[test]
fn comments_after_a_semicolon() {
    for codec in ["gametext", "gametext-document", "brenner", "brenner-alternate"] {
        let codec = named(codec).expect("a codec");
        let game = |text: &str| read_game(text).expect("a game");
        let held = game("1. e4 ;a}b\n*");
        let mut bytes = Vec::new();
        codec.encode(&held, &mut bytes).unwrap_or_else(|error| panic!("{codec:?}: {error}"));
        assert_eq!(codec.decode(&bytes), Ok(held));
        let error = codec.encode(&game("1. e4 ;ab\n*"), &mut bytes).unwrap_err().to_string();
        assert!(error.ends_with("cannot hold comments after a semicolon"), "{error}");
    }
}

/// A file with such a comment is read to its end.
#[test]
fn a_file_continues_after_any_comment() {
    let codec = named("brenner").expect("a codec");
    let head = file::Writer::new(codec, Vec::new()).and_then(file::Writer::finish).expect("memory");
    let game = bytes_of("2c00617d620a6300");
    let record = [&[1, 0, game.len() as u8], &game[..]].concat();
    let bytes = [&head[..head.len() - 2], &record, &record, &[0, 2]].concat();
    let mut reader = file::Reader::new(&bytes[..]).expect("a file");
    for _ in 0..2 {
        let game = reader.next().expect("a file").expect("a game").game().expect("its bytes");
        assert_eq!(write_game(&game).expect("no tags"), "1. e4 ;a}b c\n*\n\n");
    }
    assert!(reader.next().expect("a file").is_none());
}

/// The examples of the reference: texts after a fault, spellings and numbers.
#[test]
fn omitted_parts() {
    let whole = named("whole").expect("a codec");
    let again = |text: &str| {
        let mut game = Game::default();
        GameReader::new(text.as_bytes()).read(&mut game).expect("memory").expect("a game");
        let mut bytes = Vec::new();
        whole.encode(&game, &mut bytes).expect("a game");
        let text = write_game(&whole.decode(&bytes).expect("its own bytes")).expect("no tags");
        text.trim_end().to_owned()
    };
    let page = include_str!("../../../../docs/reference/whole.md");
    let (_, section) = page.split_once("\n## What is not kept\n").expect("the section");
    let (_, example) = section.split_once("```text\n").expect("the example");
    let lines: Vec<_> = example.lines().take(2).collect();
    assert_eq!(again(lines[0]), lines[1]);
    for (written, kept) in [
        ("1. e4 \\ e5 ) 2 2.\nNf3 {a\nb} 1/2", "1. e4 e5 2. Nf3 {a b} 1/2-1/2"),
        ("1. e4 e5 2. Ke3 a\\b *", "1. e4 e5 2. Ke3 a b *"),
        ("1. e4 (1. d4 {a", "1. e4 (1. d4 {a}) *"),
    ] {
        assert_eq!(again(written), kept);
    }
}

/// The numbers of whole games and of files may take more bytes than they need.
#[test]
fn numbers_of_any_length() {
    let whole = named("whole").expect("a codec");
    // No tags, a block of one move, and empty blocks.
    let game = |length: &[u8]| [&[0], length, b"\x11\x00\x00\x00"].concat();
    let usual = whole.decode(&game(b"\x01")).expect("a game");
    assert_eq!(usual.moves.len(), 1);
    for zeros in 1..8 {
        let length = [&b"\x81"[..], &[0x80].repeat(zeros - 1), b"\x00"].concat();
        assert_eq!(whole.decode(&game(&length)).as_ref(), Ok(&usual), "{zeros}");
    }
    let ten = [&b"\x81"[..], &[0x80].repeat(8), b"\x00"].concat();
    let error = whole.decode(&game(&ten)).unwrap_err().to_string();
    assert_eq!(error, "byte 1: this number is too large");
    for page in [
        include_str!("../../../../docs/reference/whole.md"),
        include_str!("../../../../docs/reference/coded-files.md"),
    ] {
        assert!(page.contains("a reader accepts"), "the pages say so");
    }
}

/// As in PGN, open variations may occupy 32 MiB, even if they take few bytes.
#[test]
fn too_many_open_variations() {
    // 1. e4 e5 and then repeatedly a variation with two moves, the second of which has a variation: all to Nc6, Nc3,
    //    Nb8, Nb1 and from the start. In the first variation, any moves.
    for (codec, first, unit) in [
        ("whole", &b"\x00"[..], &b"\x80\x04\x04"[..]),
        ("gametext", b"\x13\x13", b"\xf0\x22\x27\xf0\x27\x26\xf0\x26\x23\xf0\x23\x22"),
        (
            "brenner",
            b"\x2c\x2c",
            b"\xc0\x03\x17\x12\xc0\x03\x12\x13\xc0\x03\x13\x16\xc0\x03\x16\x17",
        ),
    ] {
        let codec = named(codec).expect("a codec");
        let bytes = |variations: usize| {
            let codes = [first, &unit.repeat(variations)].concat();
            match codec.name() {
                "whole" => {
                    let mut bytes = vec![0, 1, 0x11];
                    let mut length = codes.len();
                    while length > 0x7f {
                        bytes.push(length as u8 | 0x80);
                        length >>= 7;
                    }
                    bytes.push(length as u8);
                    [&bytes[..], &codes, &[0, 0]].concat()
                }
                "gametext" => [&codes[..], &[0xff]].concat(),
                _ => codes,
            }
        };
        // Fewer open variations at the end are an error, but not too many.
        let error = codec.decode(&bytes(1000)).unwrap_err().to_string();
        assert!(error.contains("expected the end of the open variation"), "{codec:?}: {error}");
        let error = codec.decode(&bytes(1_000_000)).unwrap_err();
        let message = error.to_string();
        assert!(
            message.contains("too many open variations: expected at most 32 MiB"),
            "{codec:?}: {message}"
        );
        // Names of pieces count as well: each of these variations has two separate positions.
        let open = error.offset / if codec.name() == "brenner" { 4 } else { 3 };
        let most = if codec.name() == "whole" { 300_000 } else { 70_000 };
        assert!((20_000..most).contains(&open), "{codec:?}: {open}");
    }
}

/// A written game can be read: `whole` holds every game that a reader of PGN accepts, and none that it rejects. The
/// others reject a game with too many open variations.
#[test]
fn open_variations_are_counted_alike() {
    let text = |open: &str, count: usize, close: usize| {
        format!("1. e4 e5 {}{} *", open.repeat(count), ")".repeat(close * count))
    };
    let read = |text: &str, most: usize| {
        let mut game = Game::default();
        let mut reader = GameReader::new(text.as_bytes()).with_max_bytes(most);
        let reading = reader.read(&mut game).unwrap();
        (game, reading == Some(Reading::Whole))
    };
    let is_right = |text: &str| {
        let mut checker = Checker::new();
        checker.read_game(&mut Reader::new(text.as_bytes())).unwrap() && !checker.has_errors()
    };
    let knights = "(Nc6 Nc3 (Nc3 Nb8 (Nb8 Nb1 (Nb1 Nc6 ";
    let usual = 32 << 20;
    // A variation is one entry and one level; with a move two entries; with a second move it has a position.
    for (open, close, mut fits, mut fails) in [
        ("(", 1, 700_000_usize, 1_400_000),
        ("(c5 ", 1, 400_000, 700_000),
        (knights, 4, 10_000, 100_000),
    ] {
        while fits + 1 < fails {
            let count = fits.midpoint(fails);
            if read(&text(open, count, close), usual).1 { fits = count } else { fails = count }
        }
        for (count, is_accepted) in [(fits, true), (fails, false)] {
            let text = text(open, count, close);
            assert_eq!(read(&text, usual).1, is_accepted, "{open}: {count}");
            assert_eq!(is_right(&text), is_accepted, "{open}: {count}");
            let (game, _) = read(&text, 1 << 30);
            let mut bytes = Vec::new();
            named("whole").unwrap().encode(&game, &mut bytes).unwrap();
            match named("whole").unwrap().decode(&bytes) {
                Ok(same) => assert!(is_accepted && same == game, "{open}: {count}"),
                Err(error) => {
                    assert!(!is_accepted, "{open}: {count}: {error}");
                    assert_eq!(error.kind, DecodeErrorKind::TooDeep);
                }
            }
        }
    }
    for name in ["gametext", "brenner"] {
        let codec = named(name).unwrap();
        let mut bytes = Vec::new();
        let (game, ..) = read(&text(knights, 2_500, 4), usual);
        codec.encode(&game, &mut bytes).unwrap();
        assert!(codec.decode(&bytes).unwrap() == game);
        let (game, ..) = read(&text(knights, 25_000, 4), 1 << 30);
        let error = codec.encode(&game, &mut bytes).unwrap_err();
        assert_eq!(error.kind, EncodeErrorKind::TooDeep { codec: name });
    }
}

/// Bytes that are truncated anywhere give the error that they end too early.
#[test]
fn truncated_bytes() {
    let tags: String = (0..40).map(|n| format!("[Tag{n} \"{n}\"]\n")).collect();
    let game = read_game(format!("{tags}\n1. e4 {{a}} e5 (1... c5) 1-0")).expect("a game");
    let mut bytes = Vec::new();
    Whole.encode(&game, &mut bytes).unwrap();
    for end in 0..bytes.len() {
        let error = Whole.decode(&bytes[..end]).unwrap_err();
        assert_eq!(error.kind, DecodeErrorKind::Truncated, "{end}: {error}");
        assert!(error.offset <= end, "{end}: {error}");
    }
    assert_eq!(Whole.decode(&bytes).unwrap(), game);
}
