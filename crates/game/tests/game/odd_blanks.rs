//! White space beyond ASCII, as web pages and phones write it, wherever white space may stand.

use halfmove_game::pgn::{Checker, GameReader, Keep, Reader, Reading, read_game};
use halfmove_game::{Game, GameResult};

use crate::against_slow::compare_whole;

const BLANKS: [&str; 13] = [
    "\u{a0}", "\u{1680}", "\u{2003}", "\u{2009}", "\u{200b}", "\u{200e}", "\u{2028}", "\u{202f}",
    "\u{205f}", "\u{2060}", "\u{2066}", "\u{3000}", "\u{feff}",
];

/// A text in which `~` is white space.
const GAMES: &str = "~[Event~\"a~b\"]~
[White \"é~\"]~\n~\n~1.~e4~e5~2.~Nf3~{a~b}~Nc6~(2...~d6~!?~3. d4~)~3.~Bb5~$1~a6~!~1-0~
~\n[Event~\"c\"]\n\n1.e4~1...c5~2. Nf3~+-~d6~3.~♗b5+~00~½~-~½~
~\n~1. d4~d5~2. c4~*~\n\n1~d4~d5~1/2~-~1/2,~\n\n~[Event \"d\"]\n~\n1.~~c4~\n~[Event \"e\"]\n~\n1. Nc3~~~0~–~1.~\n";

fn games(text: &[u8]) -> Vec<Game> {
    let mut reader = GameReader::new(text);
    let (mut games, mut game) = (Vec::new(), Game::default());
    while let Some(reading) = reader.read(&mut game).expect("memory does not fail") {
        assert_eq!(reading, Reading::Whole, "{}", text.escape_ascii());
        games.push(game.clone());
    }
    let counts = reader.counts();
    assert_eq!((counts.faulty, counts.outside.lines), (0, 0), "{}", text.escape_ascii());
    games
}

fn moves(game: &Game) -> String {
    game.main_line().nodes().map(|node| node.san()).collect::<Vec<_>>().join(" ")
}

#[test]
fn blanks_anywhere() {
    let (white, black, draw) = (GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw);
    let expected = [
        ("e4 e5 Nf3 Nc6 Bb5 a6", Some(white)),
        ("e4 c5 Nf3 d6 Bb5+", Some(draw)),
        ("d4 d5 c4", Some(GameResult::Unknown)),
        ("d4 d5", Some(draw)),
        ("c4", None),
        ("Nc3", Some(black)),
    ];
    // The castling in the second game is not possible.
    let text = GAMES.replace("~00~½", "~½");
    for blank in [" "].into_iter().chain(BLANKS) {
        let games = games(text.replace('~', blank).as_bytes());
        let found: Vec<_> = games.iter().map(|game| (moves(game), game.result)).collect();
        let expected = expected.map(|(moves, result)| (moves.to_owned(), result));
        assert_eq!(found, expected, "{blank:?}");
        assert_eq!(games[0].tags.value("Event"), Some(format!("a{blank}b").as_str()));
        assert_eq!(games[0].annotations.comments().count(), 1, "{blank:?}");
        assert_eq!(games.iter().map(|game| game.tags.len()).sum::<usize>(), 5, "{blank:?}");
    }
}

/// The main line alone, wherever the white space stands in a vector, and the faults of a check.
#[test]
fn blanks_between_moves() {
    for blank in BLANKS {
        for shift in 0..70 {
            let moves = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "O-O"].join(blank);
            let moves = moves.replace("O-O", &format!("Ba4{blank}Nf6{blank}O-O{blank}Be7"));
            let text =
                format!("[A \"{}\"]\n\n{moves}{blank}1-0{blank}\n\n1. d4 *\n", "x".repeat(shift));
            let lines = GameReader::new(text.as_bytes()).keeping(Keep::MainLine).games();
            let counts: Vec<_> = lines.map(|game| game.expect("memory").1.moves.len()).collect();
            assert_eq!(counts, [10, 1], "{text:?}");
            let (mut reader, mut checker) = (Reader::new(text.as_bytes()), Checker::new());
            while checker.read_game(&mut reader).expect("memory does not fail") {
                let faults: Vec<_> = checker.faults().iter().map(ToString::to_string).collect();
                assert!(!faults.iter().any(|fault| fault.contains("move")), "{text:?}: {faults:?}");
            }
        }
    }
}

/// In Windows-1252, A0 is a no-break space; in UTF-8, it is a part of `à`, `Р` or `♠`.
#[test]
fn no_break_spaces_of_windows_1252() {
    let text = b"[White \"\xc9c\xa0b\"]\xa0\n\n1.\xa0e4\xa0e5 2.\xa0Nf3 {\xe9\xa0\xe9}\xa0Nc6\xa01-0\xa0\n\n\xa0[White \"x\"]\n\n1. d4 *\n";
    let read = games(text);
    assert_eq!(read.iter().map(moves).collect::<Vec<_>>(), ["e4 e5 Nf3 Nc6", "d4"]);
    assert_eq!(read[0].tags.value("White"), Some("Éc\u{a0}b"));
    assert_eq!(read[0].result, Some(GameResult::WhiteWins));
    for word in ["à", "Р", "♠a", "日本", "aà", "e4à", "\u{360}\u{820}"] {
        let text = format!("1. e4 {word}e5 2. Nf3 *");
        let error = read_game(&text).expect_err(&text).to_string();
        assert!(error.contains(&format!("{word}e5")), "{error}");
        compare_whole(text.as_bytes()).expect("the slow reader reads the same");
    }
}

/// Joiners hold an emoji together.
#[test]
fn a_joined_emoji_is_one_comment() {
    let game = read_game("1. e4 👨\u{200d}💻 e5 *").expect("a game");
    assert_eq!(game.annotations.comments().count(), 1);
    assert_eq!(moves(&game), "e4 e5");
}

/// The slow reader reads the same, wherever the text stands in the buffer.
#[test]
fn the_slow_reader_reads_the_same() {
    for blank in BLANKS.into_iter().chain(["\u{a0}\u{feff}", "\u{2003}\n\u{200b}"]) {
        let text = GAMES.replace('~', blank);
        for end in 0..=text.len() {
            compare_whole(&text.as_bytes()[..end]).unwrap_or_else(|error| panic!("{end}: {error}"));
        }
    }
    let text: Vec<u8> = GAMES.bytes().map(|byte| if byte == b'~' { 0xa0 } else { byte }).collect();
    for end in 0..=text.len() {
        compare_whole(&text[..end]).unwrap_or_else(|error| panic!("{end}: {error}"));
    }
}

#[test]
fn a_dot_or_a_comma_after_a_result() {
    for result in ["1-0", "0-1", "1/2-1/2", "½-½", "1/2", "*"] {
        for stop in [".", ","] {
            for behind in ["\n", " ", "\u{a0}", "\r\n", " {a}\n", ""] {
                let text = format!("1. e4 e5 {result}{stop}{behind}\n\n1. d4 {result}{stop}\n");
                let read = games(text.as_bytes());
                let expected = GameResult::from_token(result.as_bytes());
                let found: Vec<_> =
                    read.iter().map(|game| (game.moves.len(), game.result)).collect();
                assert_eq!(found, [(2, expected), (1, expected)], "{text:?}");
            }
            let text = format!("1. e4 (1. d4 {result}{stop}) 1... e5 *\n");
            assert_eq!(moves(&games(text.as_bytes())[0]), "e4 e5", "{text:?}");
        }
    }
}
