use super::*;
use crate::CODECS;
use halfmove_game::pgn::read_game;
use halfmove_rules::{AnyPosition, Makruk};

fn file(codec: &'static dyn Codec, texts: &[&str]) -> Vec<u8> {
    let mut writer = Writer::new(codec, Vec::new()).unwrap();
    for text in texts {
        writer.write(&read_game(text).unwrap()).unwrap();
    }
    writer.finish().unwrap()
}

fn read(bytes: &[u8]) -> Result<Vec<Game>, FileError> {
    let mut reader = Reader::new(bytes)?;
    let mut games = Vec::new();
    while let Some(record) = reader.next()? {
        games.push(record.game()?);
    }
    assert!(reader.next()?.is_none());
    Ok(games)
}

const GAMES: [&str; 4] = [
    "[White \"Kieseritzky \\\"\\\\\"]\n[Result \"0-1\"]\n[ECO \"Ünïcode\"]\n\n1. e4 e5 2. f4 1/2-1/2",
    "1. e4",
    "[White \"a\"]\n[White \"b\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n*",
    "1. d4 0-1",
];

#[test]
fn games_round_trip() {
    for codec in CODECS {
        let mut texts = GAMES.to_vec();
        if codec.holds().comments {
            texts.push("[White \"a\"]\n[ECO \"b\"]\n\n{first} 1. e4 {then} 1-0");
        }
        let games = read(&file(codec, &texts)).unwrap();
        assert_eq!(games.len(), texts.len());
        for (game, text) in games.iter().zip(texts) {
            let mut expected = read_game(text).unwrap();
            let held = codec.holds().tags;
            let (mut first, others): (Vec<_>, Vec<_>) =
                expected.tags.iter().partition(|(name, _)| held.contains(name));
            first.extend(others);
            expected.tags = first.into_iter().collect();
            assert_eq!(*game, expected, "{}", codec.name());
        }
    }
}

#[test]
fn layout() {
    let codec = named("numbered-11").unwrap();
    let bytes = file(codec, &["[White \"a\"]\n\n1. e4 1-0", "1. d4 *"]);
    let expected =
        [b"\x89HMG\r\n\x1a\n\x01\x0bnumbered-11\x01".as_slice(), b"\x02\x0c[White \"a\"]\n\x02"]
            .concat();
    assert!(bytes.starts_with(&expected), "{}", bytes.escape_ascii());
    let second = [0x05, 0, 2];
    assert_eq!(bytes[expected.len() + 2..][..3], second);
    assert!(bytes.ends_with(&[0, 2]), "{}", bytes.escape_ascii());
}

#[test]
fn a_rejected_game_leaves_no_trace() {
    let codec = named("numbered-12").unwrap();
    let mut writer = Writer::new(codec, Vec::new()).unwrap();
    writer.write(&read_game("1. e4 *").unwrap()).unwrap();
    let error = writer.write(&read_game("1. e4 {x} *").unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "after half-move 1: numbered-12 cannot hold comments");
    writer.write(&read_game("1. d4 *").unwrap()).unwrap();
    assert_eq!(writer.finish().unwrap(), file(codec, &["1. e4 *", "1. d4 *"]));
}

#[test]
fn truncated_coded_files() {
    for codec in CODECS {
        let bytes = file(codec, &GAMES);
        for end in 0..bytes.len() {
            let error = read(&bytes[..end]).unwrap_err();
            assert!(error.offset <= end as u64, "{error}");
            match end {
                0 => assert!(matches!(error.kind, FileErrorKind::NotCodedGames)),
                _ => assert!(matches!(error.kind, FileErrorKind::Truncated), "{end}: {error}"),
            }
        }
    }
}

#[test]
fn errors_name_the_fault() {
    let codec = named("gametext").unwrap();
    let good = file(codec, &["[White \"a\"]\n\n1. e4 *"]);
    let with = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        read(&bytes).unwrap_err().to_string()
    };
    assert_eq!(with(1, b'h'), "this is not a file of coded games");
    assert_eq!(with(8, 2), "byte 8: version 2 of the file format, expected 1");
    assert_eq!(with(10, b'p'), "byte 10: the codec \"pametext\" is not known");
    assert_eq!(with(18, 7), "byte 18: version 7 of gametext, expected 1");
    assert_eq!(with(19, 6), "game 1, byte 19: 0x06 begins no game, expected a byte from 0 to 5");
    assert_eq!(with(21, b'('), "game 1, byte 21: the tags are damaged");
    assert_eq!(with(24, 0xff), "game 1, byte 21: the tags are damaged");
    // The move of a piece that cannot play it, and the end of the codec's bytes.
    assert!(with(34, 0x50).starts_with("game 1, byte 34: "), "{}", with(34, 0x50));
    assert_eq!(
        with(good.len() - 1, 3),
        format!("game 1, byte {}: there are 1 games, expected 3", good.len() - 1)
    );
    let surplus = [&good[..], b"\n"].concat();
    let error = read(&surplus).unwrap_err().to_string();
    assert_eq!(
        error,
        format!("game 1, byte {}: unexpected bytes after the end of the games", good.len())
    );
    // A length beyond the end of the file takes no memory.
    let long = [&good[..19], b"\x01\xff\xff\xff\x1f"].concat();
    assert_eq!(read(&long).unwrap_err().to_string(), "game 1, byte 24: the file is cut off");
    let endless = [&good[..20], &[0xff; 20]].concat();
    assert!(matches!(read(&endless).unwrap_err().kind, FileErrorKind::TooLong));
}

/// The record of a game with other tags or another mark next to its bytes.
fn with_tags(codec: &'static dyn Codec, text: &str, mark: u8, tags: &str) -> (Vec<u8>, u64) {
    let head = Writer::new(codec, Vec::new()).and_then(Writer::finish).unwrap();
    let mut bytes = Vec::new();
    codec.encode(&read_game(text).unwrap(), &mut bytes).unwrap();
    let mut out = head[..head.len() - 2].to_vec();
    let at = out.len() as u64;
    out.push(mark);
    push_number(tags.len() as u64, &mut out);
    out.extend(tags.bytes());
    push_number(bytes.len() as u64, &mut out);
    out.extend(bytes);
    out.extend([END, 1]);
    (out, at)
}

const PAWNS: &str = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1";

#[test]
fn tags_that_contradict_the_start() {
    let usual = "1. e4 *";
    let elsewhere = format!("[SetUp \"1\"]\n[FEN \"{PAWNS}\"]\n\n1. e4 *");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for codec in ["halfmove", "gametext", "brenner", "numbered-11"] {
        let codec = named(codec).unwrap();
        let mark = if codec.holds().result { 1 } else { 5 };
        let check = |text: &str, tags: &str, offset: usize, message: &str| {
            if codec.encode(&read_game(text).unwrap(), &mut Vec::new()).is_err() {
                return;
            }
            let (bytes, at) = with_tags(codec, text, mark, tags);
            let error = read(&bytes).unwrap_err();
            // The mark, and one byte for the length.
            assert_eq!((error.game, error.offset), (1, at + 2 + offset as u64), "{error}");
            assert!(error.to_string().ends_with(message), "{error}");
        };
        let tag = |name: &str, value: &str| format!("[{name} \"{value}\"]\n");
        let says = |name: &str, value: &str, expected: &str| {
            format!(
                "the tag {name} is {value:?}, which contradicts the start of the game, expected {expected:?}"
            )
        };
        let round = tag("Round", "1");
        let fen = tag("FEN", PAWNS);
        check(usual, &format!("{round}{fen}"), round.len(), &says("FEN", PAWNS, start));
        check(usual, &fen, 0, &says("FEN", PAWNS, start));
        check(usual, &tag("FEN", "x"), 0, &says("FEN", "x", start));
        check(usual, &tag("Variant", "Makruk"), 0, &says("Variant", "Makruk", "chess"));
        check(usual, &tag("Variant", "Chess960"), 0, &says("Variant", "Chess960", "chess"));
        check(usual, &tag("Variant", "Atomic"), 0, &says("Variant", "Atomic", "chess"));
        let later = start.replace("0 1", "0 9");
        check(usual, &tag("FEN", &later), 0, &says("FEN", &later, start));
        check(&elsewhere, &tag("FEN", start), 0, &says("FEN", start, PAWNS));
        check(&elsewhere, &tag("SetUp", "0"), 0, &says("SetUp", "0", "1"));
        // Tags that a reader of PGN ignores, and a start without a tag.
        for (text, tags) in [
            (usual, tag("SetUp", "1")),
            (usual, tag("SetUp", "0")),
            (usual, tag("FEN", " ")),
            (usual, tag("Variant", "From Position")),
            (usual, tag("FEN", start)),
            (elsewhere.as_str(), String::new()),
            (elsewhere.as_str(), tag("SetUp", "0") + &fen),
            (elsewhere.as_str(), tag("FEN", "") + &fen),
        ] {
            if codec.encode(&read_game(text).unwrap(), &mut Vec::new()).is_ok() {
                let (bytes, _) = with_tags(codec, text, mark, &tags);
                assert_eq!(read(&bytes).unwrap().len(), 1, "{tags}");
            }
        }
    }
    // A game that a reader of PGN skips has no moves.
    let skipped = "[White \"A\"]\n\n*";
    let (bytes, _) = with_tags(named("halfmove").unwrap(), skipped, 5, "[Variant \"Atomic\"]\n");
    assert_eq!(read(&bytes).unwrap().len(), 1);
    let makruk = "[Variant \"Makruk\"]\n\n1. e4 *";
    let (bytes, _) = with_tags(named("halfmove").unwrap(), makruk, 5, "[Variant \"ASEAN\"]\n");
    let error = read(&bytes).unwrap_err().to_string();
    assert!(
        error.ends_with(
            "is \"ASEAN\", which contradicts the start of the game, expected \"makruk\""
        ),
        "{error}"
    );
}

#[test]
fn counting_that_contradicts_the_bytes() {
    let whole = named("whole").unwrap();
    for codec in [named("halfmove").unwrap(), whole] {
        for (policy, tags, says) in [
            ("auto", "[Counting \"makruk-js\"]\n", Some("makruk-js")),
            ("makruk-js", "[Counting \"Thai\"]\n", Some("Thai")),
            ("makruk-js", "[Counting \"\"]\n", Some("")),
            ("makruk-js", "[Counting \"bogus\"]\n", Some("bogus")),
            ("thai", "[Counting \"thai\"]\n[Counting \"auto\"]\n", Some("auto")),
            ("thai", "[Counting \" THAI \"]\n", None),
            ("thai", "", None),
            // A reader of PGN ignores these, and counts automatically.
            ("auto", "[Counting \"\"]\n", None),
            ("auto", "[Counting \"bogus\"]\n", None),
        ] {
            let mut game =
                read_game(format!("[Variant \"Makruk\"]\n[Counting \"{policy}\"]\n\n1. e4 *"))
                    .unwrap();
            game.tags = Tags::default();
            let mut bytes = Vec::new();
            codec.encode(&game, &mut bytes).unwrap();
            let written = read_tags(tags).unwrap();
            game.tags = written.clone();
            let mut writer = Writer::new(codec, Vec::new()).unwrap();
            let refused = writer.write(&game).err().map(|error| error.to_string());
            if codec.holds().all_tags {
                // The tags are inside the bytes.
                bytes.clear();
                codec.encode(&game, &mut bytes).unwrap();
            }
            let outside = if codec.holds().all_tags { "" } else { tags };
            let head = Writer::new(codec, Vec::new()).and_then(Writer::finish).unwrap();
            let mut file = head[..head.len() - 2].to_vec();
            file.push(if codec.holds().result { 1 } else { 5 });
            push_number(outside.len() as u64, &mut file);
            file.extend(outside.bytes());
            push_number(bytes.len() as u64, &mut file);
            file.extend(&bytes);
            file.extend([END, 1]);
            match (read(&file), says) {
                (Ok(games), None) => assert!(refused.is_none() && games[0].tags == written),
                (Err(error), Some(says)) => {
                    let expected = format!(
                        "the tag Counting is {says:?}, which contradicts the start of the game, expected {policy:?}"
                    );
                    assert!(error.to_string().ends_with(&expected), "{error}");
                    assert_eq!(refused, Some(expected));
                }
                (read, _) => panic!("{policy}: {tags} gave {read:?}"),
            }
        }
    }
    // In chess the tag has no meaning.
    let chess = file(whole, &["[Counting \"thai\"]\n\n1. e4 *"]);
    assert_eq!(read(&chess).unwrap().len(), 1);
}

/// PGN fills in a start that an empty tag does not give.
#[test]
fn an_empty_tag_does_not_hide_the_start() {
    const MAKRUK: &str = "8/8/K7/8/6s1/2N1r1k1/7m/8 w - - 0 1";
    const SHUFFLED: &str = "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1";
    let mut held = 0;
    for codec in CODECS {
        for variant in ["Chess", "Chess960", "Makruk", "Makpong", "ASEAN"] {
            let fens = match variant {
                "Chess" => ["", PAWNS, "4k3/8/8/8/8/8/4P3/4K3 b - - 3 9"],
                "Chess960" => ["", SHUFFLED, PAWNS],
                "ASEAN" => ["", PAWNS, "rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR b - - 0 7"],
                _ => ["", MAKRUK, "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR b - - 0 7"],
            };
            for (fen, counting) in fens.into_iter().flat_map(|fen| [(fen, "auto"), (fen, "thai")]) {
                let text = format!(
                    "[Variant \"{variant}\"]\n[FEN \"{fen}\"]\n[Counting \"{counting}\"]\n\n*"
                );
                let start = read_game(&text).unwrap().start;
                for tags in ["[FEN \"\"]\n", "[FEN \" \"]\n[SetUp \"1\"]\n[Variant \"\"]\n"] {
                    let mut game = Game::from(start.clone());
                    game.result = Some(GameResult::Unknown);
                    game.tags = read_tags(tags).unwrap();
                    let mut writer = Writer::new(codec, Vec::new()).unwrap();
                    if writer.write(&game).is_err() {
                        continue;
                    }
                    held += 1;
                    let games = read(&writer.finish().unwrap()).unwrap();
                    for format in
                        [Format::new(), Format::new().in_standard_order(), Format::new().reduced()]
                    {
                        let pgn = format.write(&games[0]).unwrap();
                        let again = read_game(&pgn).unwrap();
                        let of = |start: &AnyPosition| {
                            let policy = start.as_makruk().map(Makruk::policy);
                            (start.variant(), start.to_string(), policy)
                        };
                        assert_eq!(of(&again.start), of(&start), "{}: {pgn}", codec.name());
                        let fens = again.tags.iter().filter(|(name, _)| *name == "FEN");
                        assert!(fens.count() <= 1, "{pgn}");
                    }
                }
            }
        }
    }
    assert!(held > 100, "{held}");
}

/// The tags and the result that a codec holds.
#[test]
fn parts_in_the_bytes_are_not_repeated() {
    for (codec, mark, tags, expected) in [
        ("brenner", 1, "[Round \"1\"]\n[White \"A\"]\n", "byte 32: brenner holds the tag White, "),
        ("whole", 1, "[Round \"1\"]\n", "byte 18: whole holds the tag Round, "),
        ("gametext", 3, "", "byte 19: gametext holds the result, "),
        ("brenner", 5, "", "byte 18: brenner holds the result, "),
    ] {
        let (bytes, _) = with_tags(named(codec).unwrap(), "1. e4 *", mark, tags);
        let error = read(&bytes).unwrap_err().to_string();
        assert!(error.starts_with(&format!("game 1, {expected}")), "{error}");
    }
}

/// Games that no reader would accept are not written.
#[test]
fn contradictions_are_not_written() {
    for codec in CODECS {
        let mut writer = Writer::new(codec, Vec::new()).unwrap();
        let mut game = read_game("1. e4 *").unwrap();
        game.tags.push("FEN", PAWNS);
        let error = writer.write(&game).unwrap_err();
        assert!(matches!(error, WriteError::Contradiction(_)), "{error}");
        writer.write(&read_game("1. d4 *").unwrap()).unwrap();
        assert_eq!(writer.finish().unwrap(), file(codec, &["1. d4 *"]));
    }
    // Both the tags and the start are in the bytes.
    let codec = named("whole").unwrap();
    let mut game = read_game("1. e4 *").unwrap();
    game.tags.push("Variant", "Makruk");
    let mut bytes = Vec::new();
    codec.encode(&game, &mut bytes).unwrap();
    let head = Writer::new(codec, Vec::new()).and_then(Writer::finish).unwrap();
    let record = [&[1, 0, bytes.len() as u8], &bytes[..], &[END, 1]].concat();
    let error = read(&[&head[..head.len() - 2], &record].concat()).unwrap_err();
    assert!(matches!(error.kind, FileErrorKind::Contradiction(_)), "{error}");
}
