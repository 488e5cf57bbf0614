//! Words that real programs write and the standard does not have: typographic signs, results, castling and moves in
//! other spellings. Each is read as the standard form, and the game continues after it.

use halfmove_game::pgn::{Checker, GameReader, Keep, Nag, Reader, Reading, read_game, write_game};
use halfmove_game::{Event, Game, GameResult};
use halfmove_rules::{Chess, Epd};

const SIGNS: &str = include_str!("../../../../testdata/field/02-signs.pgn");
const RESULTS: &str = include_str!("../../../../testdata/field/10-half.pgn");

/// All games of a text, which has no fault.
fn games(text: &[u8]) -> Vec<Game> {
    let mut reader = GameReader::new(text);
    let mut games = Vec::new();
    let mut game = Game::default();
    while let Some(reading) = reader.read(&mut game).expect("memory does not fail") {
        assert_eq!(reading, Reading::Whole, "{}", text.escape_ascii());
        games.push(game.clone());
    }
    let counts = reader.counts();
    assert_eq!((counts.faulty, counts.lost_half_moves, counts.outside.lines), (0, 0, 0));
    games
}

/// The main line in SAN, of a text without a fault.
fn line(text: &str) -> String {
    let game = read_game(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    game.main_line().nodes().map(|node| node.san()).collect::<Vec<_>>().join(" ")
}

/// The faults that a check finds.
fn faults(text: &str) -> Vec<String> {
    let mut reader = Reader::new(text.as_bytes());
    let mut checker = Checker::new();
    let mut faults = Vec::new();
    while checker.read_game(&mut reader).expect("memory does not fail") {
        faults.extend(checker.faults().iter().map(ToString::to_string));
    }
    faults
}

/// The glyphs of a game, also in variations, with their numbers.
fn glyphs(game: &Game) -> Vec<(String, u32)> {
    let nag = |event| match event {
        Event::Nag(nag) => Some((nag.to_string(), nag.number())),
        _ => None,
    };
    game.events().filter_map(nag).collect()
}

/// The written text reads back as the same game.
fn is_written(game: &Game) -> String {
    let text = write_game(game).expect("names of tags");
    let again = games(text.as_bytes());
    assert_eq!(again, std::slice::from_ref(game), "{text}");
    text
}

#[test]
fn signs_of_real_programs() {
    let games = games(SIGNS.as_bytes());
    let [game] = games.as_slice() else { panic!("{} games", games.len()) };
    assert_eq!((game.moves.len(), game.result), (33, Some(GameResult::Draw)));
    let expected = [
        ("?!", 6),
        ("!?", 5),
        ("+=", 14),
        ("N", 146),
        ("-/+", 17),
        ("-+", 19),
        ("=", 10),
        ("+/-", 16),
        ("∞", 13),
        ("±", 16),
        ("⩲", 14),
    ];
    assert_eq!(glyphs(game), expected.map(|(sign, number)| (sign.to_owned(), number)));
    assert!(faults(SIGNS).is_empty(), "{:?}", faults(SIGNS));
    is_written(game);
}

/// A sign alone, attached to a move, after `!`, after a check, in a variation and at the end of one.
#[test]
fn signs_anywhere() {
    for (sign, number, written) in [
        ("±", 16, "±"),
        ("∓", 17, "∓"),
        ("⩲", 14, "⩲"),
        ("⩱", 15, "⩱"),
        ("∞", 13, "∞"),
        ("=∞", 44, "=∞"),
        ("□", 7, "□"),
        ("⟳", 32, "⟳"),
        ("⊕", 138, "⊕"),
        ("+−", 18, "+-"),
        ("−+", 19, "-+"),
        ("+–", 18, "+-"),
        ("–+", 19, "-+"),
        ("−/+", 17, "-/+"),
        ("+/−", 16, "+/-"),
        ("±\u{fe0e}", 16, "±"),
        ("‼", 3, "!!"),
        ("⁉", 5, "!?"),
        ("∆", 140, "∆"),
    ] {
        for text in [
            format!("1. e4 {sign} e5 *"),
            format!("1. e4{sign} e5 *"),
            format!("1. e4+{sign} e5 *"),
            format!("1. e4\n{sign}\n1... e5 *"),
            format!("1. e4 e5 (1... c5 2. Nf3{sign}) 2. d4 *"),
            format!("1. e4 e5 (1... c5 {sign}) 2. d4 *"),
        ] {
            let game = read_game(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(glyphs(&game), [(written.to_owned(), number)], "{text}");
            assert_eq!(faults(&text), Vec::<String>::new(), "{text}");
            is_written(&game);
            let line = GameReader::new(text.as_bytes()).keeping(Keep::MainLine).games();
            let lines: Vec<_> = line.map(|game| game.expect("memory").1.moves).collect();
            assert_eq!(lines, [game.moves], "{text}");
        }
    }
    let game = read_game("1. Nf3!± d5 *").expect("a game");
    assert_eq!(glyphs(&game), [("!".to_owned(), 1), ("±".to_owned(), 16)]);
    // Windows-1252.
    for text in [&b"1. e4 \xb1 e5 *"[..], b"1. e4\xb1 e5 *"] {
        assert_eq!(glyphs(&games(text)[0]), [("±".to_owned(), 16)]);
    }
    assert_eq!(glyphs(&games(b"1. e4 +\x96 e5 *")[0]), [("+-".to_owned(), 18)]);
    assert_eq!(Nag::new(16).symbol(), Some("+/-"));
    assert_eq!(Nag::new(7).symbol(), Some("□"));
}

/// Signs that are no glyph are text; words with letters are still faults.
#[test]
fn unknown_signs_are_text() {
    for text in ["1. e4 🙂 e5 2. Nf3 *", "1. e4🙂 e5 2. Nf3 *", "1. e4!?\n🙂 1... e5 2. Nf3 *"]
    {
        let game = read_game(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(game.moves.len(), 3);
        assert_eq!(game.node(1).expect("a move").comment().as_deref(), Some("🙂"), "{text}");
        assert_eq!(faults(text), Vec::<String>::new(), "{text}");
        is_written(&game);
    }
    let game = read_game("1. e4 (1. d4🙂 d5) 1... e5 “” *").expect("a game");
    assert_eq!(game.annotations.comments().count(), 2);
    is_written(&game);
    for text in ["1. e4 été e5 *", "1. e4 日 e5 *", "1. e4 é± e5 *"] {
        assert!(read_game(text).is_err(), "{text}");
    }
    // Two dashes are a null move, as word processors write it.
    for text in ["1. e4 –– 2. d4 *", "1. e4 −− 2. d4 *"] {
        assert_eq!(line(text), "e4 -- d4", "{text}");
    }
}

#[test]
fn results_of_real_programs() {
    let games = games(RESULTS.as_bytes());
    let expected = [
        ("0.5-0.5", GameResult::Draw, 6),
        ("½-½", GameResult::Draw, 2),
        ("1:0", GameResult::WhiteWins, 3),
        ("1/2 - 1/2", GameResult::Draw, 1),
        ("1-0", GameResult::WhiteWins, 1),
    ];
    assert_eq!(games.len(), expected.len());
    for (game, (tag, result, moves)) in games.iter().zip(expected) {
        assert_eq!((game.tags.value("Result"), game.moves.len()), (Some(tag), moves));
        assert_eq!(game.result, Some(result), "{tag}");
        let text = is_written(game);
        assert!(text.ends_with(&format!(" {result}\n\n")), "{text}");
    }
    assert_eq!(faults(RESULTS), Vec::<String>::new());
    // For a game without a result, that of the tag is used.
    let text = "[Result \"½:½\"]\n\n1. e4 e5\n";
    let written = write_game(&read_game(text).expect("a game")).expect("names");
    assert!(written.ends_with("1. e4 e5 1/2-1/2\n\n"), "{written}");
}

/// The text after a result in any spelling belongs to the next game, wherever the result stands in the buffer.
#[test]
fn results_in_any_spelling() {
    let (white, black, draw) = (GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw);
    for (token, result) in [
        ("1-0", white),
        ("1-0.", white),
        ("1:0", white),
        ("1–0", white),
        ("1−0", white),
        ("1 - 0", white),
        ("0-1.", black),
        ("0:1", black),
        ("0—1", black),
        ("0 – 1", black),
        ("1/2", draw),
        ("½", draw),
        ("½.", draw),
        ("1/2:1/2", draw),
        ("1/2–1/2", draw),
        ("1/2 - 1/2", draw),
        ("½–½", draw),
        ("½ : ½", draw),
        ("0.5-0.5", draw),
        ("0.5:0.5", draw),
        ("0.5 – 0.5.", draw),
        ("0,5-0,5", draw),
        ("½-0.5", draw),
    ] {
        assert_eq!(GameResult::from_token(token.trim_end_matches('.').as_bytes()), Some(result));
        for blanks in 0..130 {
            let blanks = " ".repeat(blanks);
            let text = format!("1. e4 {blanks}e5 {token}\n\n1. d4 {token}\n{{after}}\n\n1. c4 *\n");
            let games = games(text.as_bytes());
            let found: Vec<_> = games.iter().map(|game| (game.moves.len(), game.result)).collect();
            let unknown = Some(GameResult::Unknown);
            assert_eq!(found, [(2, Some(result)), (1, Some(result)), (1, unknown)], "{text}");
        }
        let text = format!("1. e4 (1. d4 d5 {token}) 1... e5 *");
        let game = read_game(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(faults(&text), Vec::<String>::new(), "{text}");
        assert_eq!(game.moves.len(), 2, "{text}");
        is_written(&game);
    }
    for token in ["0-0", "1-1", "½-0", "1-½", "1/2-0", "10-0", "0.5", "0:0", "1:0x", "", "-", "1-"]
    {
        assert_eq!(GameResult::from_token(token.as_bytes()), None, "{token}");
    }
    // Numbers of moves are no results, nor are other numbers.
    for text in ["1. e4 e5 10.5-0.5 *", "1. e4 e5 5-0 *", "1. e4 e5 2 - 0 *", "1. e4 e5 $1 - 0 *"] {
        let game = games_with_faults(text);
        assert_eq!(game.result, Some(GameResult::Unknown), "{text}");
    }
}

fn games_with_faults(text: &str) -> Game {
    let mut game = Game::default();
    GameReader::new(text.as_bytes()).read(&mut game).expect("memory does not fail");
    game
}

#[test]
fn castling_in_any_spelling() {
    let italian = "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5";
    for castle in [
        "O-O", "0-0", "o-o", "00", "OO", "oo", "O–O", "0–0", "0—0", "О-О", "O−O", "0-0+", "00!",
        "00+", "O-O!?", "e1-g1", "e1g1", "Ke1-g1", "4.00", "4. 00", "4.0–0",
    ] {
        let text = format!("{italian} {castle} d6 5. d3 *");
        assert_eq!(line(&text), "e4 e5 Nf3 Nf6 Bc4 Bc5 O-O d6 d3", "{castle}");
        assert_eq!(faults(&text), Vec::<String>::new(), "{castle}");
        let text = format!("{italian} 4. c3 (4. {castle} d6) 4... d6 *");
        is_written(&read_game(&text).unwrap_or_else(|error| panic!("{text}: {error}")));
        assert_eq!(faults(&text), Vec::<String>::new(), "{castle}");
    }
    let scotch = "1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7";
    for castle in
        ["O-O-O", "0-0-0", "000", "OOO", "000#", "O–O–O", "0–0–0", "О-О-О", "e1-c1", "5.000"]
    {
        let text = format!("{scotch} {castle} {castle} *");
        let text =
            text.replace("e1-c1 e1-c1", "e1-c1 e8-c8").replace("5.000 5.000", "5.000 5...000");
        assert!(line(&text).ends_with(" Qd7 O-O-O O-O-O"), "{text}");
    }
    // Numbers of moves, and the null move.
    for text in ["1. e4 00. e5 *", "1. e4 000... e5 *", "00. e4 e5 *"] {
        assert_eq!(line(text), "e4 e5", "{text}");
    }
    assert_eq!(line("1. e4 0000 2. d4 *"), "e4 -- d4");
    // An illegal one is a fault, and is not dropped.
    let faults = faults("1. e4 00 2. d4 *");
    assert!(faults[0].contains("illegal move \"00\": castling is not possible here"), "{faults:?}");
    // A time is no castling.
    assert!(!self::faults("1. e4 1:00 e5 *").iter().any(|fault| fault.contains("\"00\"")));
}

#[test]
fn moves_of_two_squares() {
    for text in [
        "1. g1-f3 b8-c6 2. e2-e4 e7-e5 3. f3xe5 c6xe5 *",
        "1. g1f3 b8c6 2. e2e4 e7e5 3. f3e5 c6e5 *",
        "1. Ng1-f3 Nb8-c6 2. e2-e4 e7-e5 3. Nf3xe5 Nc6xe5 *",
        "1. g1–f3 b8–c6 2. e2–e4 e7–e5 3. f3×e5 c6:e5 *",
        "1. ♘g1-f3 ♞c6 2. ♙e4 e5 3. ♘xe5 ♞xe5 *",
    ] {
        assert_eq!(line(text), "Nf3 Nc6 e4 e5 Nxe5 Nxe5", "{text}");
        is_written(&read_game(text).expect("a game"));
    }
    let makruk = "[Variant \"Makruk\"]\n\n1. g1-e2 b8-d7 2. e3-e4 d6-d5 3. e4xd5 *";
    assert_eq!(line(makruk), "Ne2 Nd7 e4 d5 exd5");
    // The reason is that of the piece.
    let faults = faults("1. g1-g3 *");
    assert!(faults[0].contains("illegal move \"g1-g3\": no knight can go there"), "{faults:?}");
}

/// Words after a move that describe its kind.
#[test]
fn remarks_after_moves() {
    for (text, expected) in [
        ("1. e4 f6 2. Qh5 ch g6 *", "e4 f6 Qh5+ g6"),
        ("1. e4 f6 2. Qh5 ch. g6 *", "e4 f6 Qh5+ g6"),
        ("1. e4 f6 2. Qh5 dis ch g6 *", "e4 f6 Qh5+ g6"),
        ("1. e4 f6 2. Qh5+ check g6 *", "e4 f6 Qh5+ g6"),
        ("1. f3 e5 2. g4 Qh4 mate 0-1", "f3 e5 g4 Qh4#"),
        ("1. f3 e5 2. g4 Qh4 Checkmate. 0-1", "f3 e5 g4 Qh4#"),
        ("1. e4 a6 2. e5 d5 3. exd6 e.p. a5 *", "e4 a6 e5 d5 exd6 a5"),
        ("1. e4 a6 2. e5 d5 3. exd6 ep a5 *", "e4 a6 e5 d5 exd6 a5"),
        ("1. e4 a6 2. e5 d5 3. exd6ep a5 *", "e4 a6 e5 d5 exd6 a5"),
    ] {
        assert_eq!(line(text), expected, "{text}");
        assert_eq!(faults(text), Vec::<String>::new(), "{text}");
        let in_variation = format!("1. h3 ({text}").replace("*", ") *").replace("0-1", ") *");
        let game = read_game(&in_variation).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(faults(&in_variation), Vec::<String>::new(), "{in_variation}");
        is_written(&game);
    }
    // After a fault, they are words like any other.
    let game = games_with_faults("1. e4 e5 2. Ke3 ch Nc6 *");
    assert_eq!(game.main_line().words().collect::<Vec<_>>(), ["Ke3", "ch", "Nc6"]);
    let epd: Epd = "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8 mate;".parse().expect("EPD");
    let position: Chess = epd.position().expect("a position");
    let best: Vec<_> = epd.operation("bm").expect("bm").moves(&position).collect();
    assert_eq!(best.len(), 1, "{best:?}");
}

/// Promotions and numbers as programs write them, and words that stay faults.
#[test]
fn other_spellings() {
    let fen = "[FEN \"7k/4P3/8/8/8/8/8/K7 w - - 0 1\"]\n\n";
    for promotion in [
        "e8=Q", "e8Q", "e8(Q)", "e8/Q", "e8q", "e8=q", "e8=♕", "e7-e8=Q", "e7e8q", "e8=Q±",
        "e8=♕±", "e8Q+-",
    ] {
        assert_eq!(line(&format!("{fen}1. {promotion} *")), "e8=Q+", "{promotion}");
    }
    for text in [
        "1.e4 e5",
        "1.e4 1...e5",
        "1.e4 1…e5",
        "1. e4 1. ... e5",
        "1 e4 e5",
        "1.e4,e5",
        "1. e4 $ e5",
        "1. e4 } e5",
    ] {
        assert_eq!(line(&format!("{text} *")), "e4 e5", "{text}");
    }
    // A queen does not promote; the pawn that might have been meant is not guessed.
    let queen = "[FEN \"7k/8/8/8/8/8/8/K2Q4 w - - 0 1\"]\n\n1. Qd8=Q *";
    assert!(read_game(queen).is_err());
}
