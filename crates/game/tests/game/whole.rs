//! Games with everything that PGN can hold: read, walked through, written, read again.

use halfmove_game::pgn::{CommentStyle, Format, GameReader, Keep, Reading, Writer, write_game};
use halfmove_game::{BuildError, Event, Game, GameBuilder, GameResult, Part};
use halfmove_rules::{Chess, Move, Square};

/// All events, in a word or two each.
fn events(game: &Game) -> Vec<String> {
    let mut events = Vec::new();
    let mut walk = game.walk();
    while let Some((event, position)) = walk.step() {
        events.push(match event {
            Event::Tag(name, value) => format!("[{name} {value}]"),
            Event::EndTags => "|".to_owned(),
            Event::Move(mv) => position.san(mv).to_string(),
            Event::NullMove(text) => format!("null {text}"),
            Event::Word(text) => format!("?{text}"),
            Event::Nag(nag) => nag.to_string(),
            Event::Comment(comment) if comment.style() == CommentStyle::Line => {
                format!(";{comment}")
            }
            Event::Comment(comment) => format!("{{{comment}}}"),
            Event::Escape(text) => format!("%{text}"),
            Event::BeginVariation => "(".to_owned(),
            Event::EndVariation => ")".to_owned(),
            Event::Result(result) => result.to_string(),
            other => panic!("{other:?}"),
        });
    }
    events
}

/// The first game of a text, up to its first fault.
pub(super) fn read(text: &str) -> Game {
    let mut game = Game::default();
    let reading = GameReader::new(text.as_bytes()).read(&mut game).expect("memory does not fail");
    assert!(reading.is_some(), "no game: {text}");
    game
}

/// The result of writing this game and reading it again, and the text.
pub(super) fn again(game: &Game) -> (Game, String) {
    let text = write_game(game).expect("sound names");
    (read(&text), text)
}

/// Checks that a text in the layout of the writer is written as it was read.
fn check_layout(text: &str) -> Game {
    let game = read(text);
    assert_eq!(write_game(&game).expect("sound names"), text);
    let (same, _) = again(&game);
    assert_eq!(same, game);
    game
}

#[test]
fn everything_in_its_place() {
    let text = "{before} ; and more
%first
[Event \"a\"]
{between}
[White \"b\"]
%second
[White \"c\"]

{start} $1 1. e4 !? {a} $14 (1. d4 {b} 1... d5 (1... -- 2. c4) (1... Z0) 2. c4) (1. c4) {c}
%third
1... e5 (1... Kd7 2. Nf3 {d} (2. Nc3) Nc6) 2. Nf3 2... Nc6 {e} 1-0 {f} ; g
";
    let game = read(text);
    assert_eq!(
        events(&game),
        [
            "{before}",
            "; and more",
            "%first",
            "[Event a]",
            "{between}",
            "[White b]",
            "%second",
            "[White c]",
            "|",
            "{start}",
            "$1",
            "e4",
            "!?",
            "{a}",
            "$14",
            "(",
            "d4",
            "{b}",
            "d5",
            "(",
            "null --",
            "c4",
            ")",
            "(",
            "null Z0",
            ")",
            "c4",
            ")",
            "(",
            "c4",
            ")",
            "{c}",
            "%third",
            "e5",
            "(",
            "?Kd7",
            "?Nf3",
            "{d}",
            "(",
            "?Nc3",
            ")",
            "?Nc6",
            ")",
            "Nf3",
            "Nc6",
            "{e}",
            "1-0",
            "{f}",
            "; g",
        ]
    );
    let written = "{before}
; and more
%first
[Event \"a\"]
{between}
[White \"b\"]
%second
[White \"c\"]

{start} $1 1. e4!? {a} $14 (1. d4 {b} 1... d5 (1... -- 2. c4) (1... Z0) 2. c4)
(1. c4) {c}
%third
1... e5 (1... Kd7 2. Nf3 {d} (2. Nc3) 2... Nc6) 2. Nf3 Nc6 {e} 1-0 {f} ; g

";
    assert_eq!(write_game(&game).expect("sound names"), written);
    check_layout(written);
}

#[test]
fn a_variation_replaces_the_move_or_word_before_it() {
    // A move, in the main line and in variations; the null move; a word that is not a move.
    let game = read("1. e4 e5 2. Nf3 (2. Nc3 Nf6 (2... Nc6 3. Bc4 (3. f4)) 3. f4) 2... Nc6 *");
    let expected = "| e4 e5 Nf3 ( Nc3 Nf6 ( Nc6 Bc4 ( f4 ) ) f4 ) Nc6 *";
    assert_eq!(events(&game).join(" "), expected);
    let game = read("1. e4 (1. d4 -- (1... d5 2. c4) 2. c4 d5) 1... c5 *");
    assert_eq!(events(&game).join(" "), "| e4 ( d4 null -- ( d5 c4 ) c4 d5 ) c5 *");
    let mut reader =
        GameReader::new("1. e4 e5 2. Ke3 (2. Ke2 Ke7) (2. Nf3) Ke6 (2... Nc6) *".as_bytes());
    let mut game = Game::default();
    assert!(matches!(reader.read(&mut game), Ok(Some(Reading::Faulty(_)))));
    let expected = "| e4 e5 ?Ke3 ( Ke2 Ke7 ) ( Nf3 ) ?Ke6 ( ?Nc6 ) *";
    assert_eq!(events(&game).join(" "), expected);
    // The same in a variation.
    let game = read("1. e4 (1. d4 Kd7 (1... d5 2. c4) 2. Kd2 (2. Nf3)) 1... c5 *");
    assert_eq!(events(&game).join(" "), "| e4 ( d4 ?Kd7 ( d5 c4 ) ?Kd2 ( ?Nf3 ) ) c5 *");
}

/// Parts of comments as text and values, and the same text again.
#[test]
fn values() {
    let one = |text: &str| {
        let game = read(&format!("[A \"\"]\n\n1. e4 {{{text}}} *"));
        let comment = game.annotations.comments().next().expect("a comment");
        assert_eq!(comment.to_string(), text);
        let parts: Vec<String> = comment.spelled_parts().map(|part| match part.part {
            Part::Text(text) => format!("{text:?}"),
            Part::Clock(clock) => format!("clock {}/{}", clock.millis(), clock.decimals()),
            Part::UnknownClock => "unknown clock".to_owned(),
            Part::Elapsed(clock) => format!("elapsed {}", clock.millis()),
            Part::Evaluation(found) => format!("{:?}@{:?}", found.score(), found.depth()),
            Part::Squares(squares) => squares.iter().map(|mark| mark.to_string()).collect(),
            Part::Arrows(arrows) => arrows.iter().map(|mark| mark.to_string()).collect(),
            other => panic!("{other:?}"),
        } + if part.spelling.is_some() { "'" } else { "" }).collect();
        parts.join(" ")
    };
    for (text, expected) in [
        ("[%clk 0:01:05]", "clock 65000/0"),
        (" [%clk 0:01:05.4] ", "clock 65400/1"),
        (" [%eval 0.17] [%clk 0:00:30] ", "Centipawns(17)@None clock 30000/0"),
        ("[%eval #-3,23][%emt 0:00:03]", "Mate(-3)@Some(23) elapsed 3000"),
        ("[%clk 1:05]", "unknown clock'"),
        ("[%clk 5:05]", "clock 305000/0'"),
        ("[%clk\n\n0:01:05]", "clock 65000/0'"),
        ("[%c\n lk 0:0\n 1:05 ]", "clock 65000/0'"),
        ("[\n\n%clk 0:01:05]", "clock 65000/0'"),
        ("[%clk 2:23:59:01]", "clock 259141000/0'"),
        ("[%eval\n\n-0.5]", "Centipawns(-50)@None'"),
        ("[%csl Ga4,\n\nRb5]", "Ga4Rb5'"),
        ("[%clk 00:01:05]", "clock 65000/0'"),
        ("[%clk 0:01:05.123456]", "clock 65123/3'"),
        ("[%clk  0:01:05 ]", "clock 65000/0'"),
        ("[%clk 0:61:05]", "clock 3665000/0'"),
        ("[%eval -0.0]", "Centipawns(0)@None'"),
        ("[%eval +0.5, 12]", "Centipawns(50)@Some(12)'"),
        ("[%eval 0.123]", "\"[%eval 0.123]\""),
        ("[%clk -0:00:05]", "\"[%clk -0:00:05]\""),
        ("[%clk]", "\"[%clk]\""),
        ("[%clk 0:00:01", "\"[%clk 0:00:01\""),
        ("[%csl Ga4,Rb5] [%cal Gc2c3, Rd4d5]", "Ga4Rb5 Gc2c3Rd4d5"),
        ("[%csl Xa4]", "\"[%csl Xa4]\""),
        ("[%cal\tGc2c3]", "Gc2c3'"),
        ("good [%clk 0:00:01] move", "\"good \" clock 1000/0 \" move\""),
        ("[%clk 0:00:01]  [%clk 0:00:02]", "clock 1000/0 \"  \" clock 2000/0"),
        ("[%clk [%clk 0:00:02]", "\"[%clk \" clock 2000/0"),
        ("", "\"\""),
        (" ", "\" \""),
        ("[%depth 3]", "\"[%depth 3]\""),
    ] {
        assert_eq!(one(text), expected, "{text:?}");
    }
}

#[test]
fn line_breaks_in_comments() {
    let game = read("1. e4 {one\ntwo\r\nthree\n\nfour\n  five} *");
    let comment = game.annotations.comments().next().expect("a comment");
    assert_eq!(comment.to_string(), "one two three\n\nfour\n  five");
    // Long ones are broken where a break is read as a space.
    let words = "word ".repeat(40);
    let game = read(&format!("1. e4 {{{words}[%clk 0:00:01] [a] %b ; (c) 1. d4}} *"));
    let (same, text) = again(&game);
    assert_eq!(same, game);
    assert!(text.lines().all(|line| line.len() <= 80 && !line.starts_with(['%', '['])), "{text}");
    assert!(text.lines().count() > 3);
    assert!(!text.contains("[%clk\n"));
}

/// Texts that look like other tokens at the beginning of a line.
#[test]
fn hostile_texts_survive() -> Result<(), BuildError> {
    let mut builder = GameBuilder::new(Chess::default());
    builder.tag("White", "\"]\n[Event \\\"")?;
    builder.play(Move::normal(Square::E2, Square::E4))?;
    for text in [
        "a } b",
        " ends in blanks \t ",
        "\0",
        "",
        "\n%x\n\n[Event \"x\"]\n\n1. d4 *",
        "\n[%clk 0:00:01]\n",
        "{",
        "(",
        "; x",
        "%",
    ] {
        builder.comment(text)?;
        builder.begin_variation()?;
        builder.comment(text)?;
        builder.end_variation()?;
    }
    builder.styled_comment(CommentStyle::Line, "1. d4 } [Event \"x\"] \0 ")?;
    builder.escape("[Event \"x\"]")?;
    builder.escape("")?;
    builder.play(Move::normal(Square::E7, Square::E5))?;
    builder.result(GameResult::Draw)?;
    builder.comment("behind")?;
    builder.styled_comment(CommentStyle::Line, "behind that")?;
    builder.comment("a\n\nb")?;
    let mut game = builder.finish();
    game.tags = halfmove_game::Tags::from_iter([("White", "\"] [Event \\\"")]);
    let (same, text) = again(&game);
    assert_eq!(same, game, "{text}");
    // A reader of several games sees a single game.
    let two = format!("{text}{text}");
    assert_eq!(GameReader::new(two.as_bytes()).games().count(), 2);
    Ok(())
}

/// A game that cannot be played round-trips, words included.
#[test]
fn games_that_are_skipped() {
    let text = "[Event \"x\"]\n[Variant \"Crazyhouse\"]\n\n1. e4 {a} (1. d4 d5) 1... N@f6 2. exd5 Q@h5 $3 1-0\n\n";
    let game = check_layout(text);
    assert!(game.moves.is_empty());
    let words: Vec<_> = game.main_line().words().collect();
    assert_eq!(words, ["e4", "N@f6", "exd5", "Q@h5"]);
    let game = check_layout("[FEN \"nonsense\"]\n\n1. e4 (1. d4 (1. c4) 1... --) 1... e5 *\n\n");
    // The rules are not known, so nothing is played, not even an alternative to the first word.
    let played = |event: &Event<'_>| matches!(event, Event::Move(_) | Event::NullMove(_));
    assert!(!game.events().any(|event| played(&event)));
    let (mut reader, mut game) = (GameReader::new(text.as_bytes()), Game::default());
    assert!(matches!(reader.read(&mut game), Ok(Some(Reading::Skipped(_)))));
    assert_eq!((reader.counts().skipped_half_moves, reader.counts().variation_moves), (4, 2));
}

#[test]
fn glued_evaluations_are_glyphs() {
    let game = read("[A \"\"]\n\n1. e4+- (1. d4=) 1... e5+/= 2. Nf3+= *");
    assert_eq!(
        write_game(&game).expect("a name"),
        "[A \"\"]\n\n1. e4 +- (1. d4 =) 1... e5 +/= 2. Nf3 += *\n\n"
    );
}

#[test]
fn comments_after_the_last_game() {
    let mut reader = GameReader::new("1. e4 * {a}\n\n{b}\n%c\n\n; d\n".as_bytes());
    let mut game = Game::default();
    assert_eq!(reader.read(&mut game).expect("memory"), Some(Reading::Whole));
    assert_eq!(events(&game).join(" "), "| e4 * {a}");
    assert_eq!(reader.read(&mut game).expect("memory"), None);
    let rest: Vec<_> = game.annotations.comments().map(|comment| comment.to_string()).collect();
    assert_eq!(rest, ["b", " d"]);
}

/// Reading, comparing, writing and dropping need no deep stack, for deep nesting or long lists.
#[test]
fn a_million_variations() {
    let depth = 1_000_000;
    for (open, close) in [("(", ")"), ("(d4 d5 ", ")")] {
        let text =
            format!("[A \"\"]\n\n1. e4 {}{{x}}{} *", open.repeat(depth), close.repeat(depth));
        let mut game = Game::default();
        let mut reader = GameReader::new(text.as_bytes()).with_max_bytes(1 << 30);
        assert_eq!(reader.read(&mut game).expect("memory"), Some(Reading::Whole));
        assert_eq!(game.annotations.variations(), depth);
        let copy = game.clone();
        let text = write_game(&game).expect("a name");
        let mut reader = GameReader::new(text.as_bytes()).with_max_bytes(1 << 30);
        assert_eq!(reader.read(&mut game).expect("memory"), Some(Reading::Whole));
        assert!(copy == game);
        assert!(text.lines().all(|line| line.len() <= 80));
        let deepest = game.events().filter(|event| *event == Event::BeginVariation).count();
        assert_eq!(deepest, depth);
    }
}

#[test]
fn a_game_that_is_too_long() {
    let text = format!("1. e4 {{{}}} e5 2. Nf3 {{a}} (2. f4) Nc6 *\n\n1. d4 *", "a ".repeat(1000));
    let mut reader = GameReader::new(text.as_bytes()).with_max_bytes(1000);
    let mut game = Game::default();
    let Ok(Some(Reading::Faulty(fault))) = reader.read(&mut game) else { panic!() };
    let expected =
        "game 1, line 1, column 7, move 1...: game is too long: expected at most 1000 bytes";
    assert!(fault.to_string().starts_with(expected), "{fault}");
    assert_eq!((game.moves.len(), game.annotations.is_empty()), (1, true));
    assert_eq!(reader.read(&mut game).expect("memory"), Some(Reading::Whole));
    assert_eq!(reader.counts().long_games, 1);
    // The main line alone can be too long as well.
    let text = "Nf3 Nf6 Ng1 Ng8 ".repeat(100);
    let mut reader = GameReader::new(text.as_bytes()).with_max_bytes(100).keeping(Keep::MainLine);
    assert!(matches!(reader.read(&mut game), Ok(Some(Reading::Faulty(_)))));
    assert_eq!(game.moves.len(), 51);
}

/// A result in a variation is kept, as one of its words; null moves have many spellings.
#[test]
fn results_in_variations_and_spellings_of_null_moves() {
    let text = "[Result \"1-0\"]\n\n1. e4 e5 (1... c5 0-1) (1... 0000 2. d4 @@@@ 3. Nf3 *) (1... e6 1/2-1/2 2. d4) 1-0\n\n";
    let game = read(text);
    let expected = "[Result 1-0] | e4 e5 ( c5 ?0-1 ) ( null 0000 d4 null @@@@ Nf3 ?* ) ( e6 ?1/2-1/2 ?d4 ) 1-0";
    assert_eq!(events(&game).join(" "), expected);
    let mut again = again(&game).0;
    assert_eq!(again, game);
    let mut builder = GameBuilder::new(Chess::default());
    game.events().try_for_each(|event| builder.push(event)).expect("the same game");
    assert_eq!(builder.finish(), game);
    again.annotations.remove_variations();
    assert_eq!(write_game(&again).expect("names"), "[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n");
    // A dagger for check, in Windows-1252.
    let mut windows = Game::default();
    let mut reader = GameReader::new(b"[A \"a\"]\n\n1. e4 (1. d4 Z0+\x86 2. c4) *".as_slice());
    let _ = reader.read(&mut windows).expect("memory");
    assert_eq!(events(&windows).join(" "), "[A a] | e4 ( d4 null Z0+\u{2020} c4 ) *");
    assert_eq!(self::again(&windows).0, windows);
}

/// A glyph attached to a move counts; a check mark is not a glyph.
#[test]
fn glyphs_glued_to_moves() {
    let text = "1. e4+- (1. d4+- e5= (1... -- 2. c4=) 2. Qd2) e5= 2. Qh5+ Nc6 3. Qxf7+-+ *";
    let mut whole = GameReader::new(text.as_bytes());
    let _ = whole.read(&mut Game::default()).expect("memory");
    assert_eq!((whole.counts().nags, whole.counts().half_moves), (6, 5));
}

/// A pawn's file occurs at most once.
#[test]
fn words_that_are_not_moves() {
    for word in ["eexd5", "ddd5", "aaa6", "axa6", "Nf3f3f3", "xd5", "e"] {
        let text = format!("1. e4 d5 2. {word} *");
        for keep in [Keep::MainLine, Keep::Everything] {
            let mut reader = GameReader::new(text.as_bytes()).keeping(keep);
            let reading = reader.read(&mut Game::default()).expect("memory");
            assert!(matches!(reading, Some(Reading::Faulty(_))), "{word}: {reading:?}");
        }
    }
}

/// A number before a parenthesis is not part of a word, so nothing before it is passed over twice.
#[test]
fn numbers_before_variations() {
    let text = "1. e4 (x (y (8( 18(e8(Q) 8() 1))))) 1... e5 (8) 1-0\n\n1. d4 *\n";
    // Text after it, so that it is read in windows.
    let text = format!("{text}{}", "\n[Event \"a\"]\n\n1. c4 *\n".repeat(10));
    for keep in [Keep::MainLine, Keep::Everything] {
        let mut reader = GameReader::new(text.as_bytes()).keeping(keep);
        let mut game = Game::default();
        let _ = reader.read(&mut game).expect("memory");
        let found = (game.moves.len(), game.result);
        assert_eq!(found, (2, Some(GameResult::WhiteWins)), "{keep:?}");
        let _ = reader.read(&mut game).expect("memory");
        assert_eq!((game.moves.len(), game.result), (1, Some(GameResult::Unknown)), "{keep:?}");
    }
}

/// Tags that never end are cut off too, and nothing after them is taken for a move of the game.
#[test]
fn too_many_tags() {
    let run = "[White \"x\"]\n".repeat(100);
    let odd = "[ White \"x\" ] ".repeat(100);
    for tags in [&run, &odd, &(odd.clone() + "\n" + &run)] {
        let text = format!("[Event \"a\"]\n{tags}\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 *\n");
        for (max_bytes, is_whole) in [(1000, false), (20_000, true)] {
            let mut reader = GameReader::new(text.as_bytes()).with_max_bytes(max_bytes);
            let mut game = Game::default();
            let reading = reader.read(&mut game).expect("memory");
            assert_eq!(reading == Some(Reading::Whole), is_whole);
            assert_eq!(game.moves.len(), usize::from(is_whole));
            assert!(game.tags.len() < 100 || is_whole);
            assert_eq!(reader.read(&mut game).expect("memory"), Some(Reading::Whole));
            assert_eq!(reader.counts().long_games, u64::from(!is_whole));
        }
    }
}

#[test]
fn only_the_main_line() {
    let text = "[A \"\"]\n\n{a} 1. e4 $1 {b} (1. d4 {c}) e5 *\n\n";
    let mut reader = GameReader::new(text.as_bytes()).keeping(Keep::MainLine);
    let mut game = Game::default();
    assert_eq!(reader.read(&mut game).expect("memory"), Some(Reading::Whole));
    assert_eq!(game, read("[A \"\"]\n\n1. e4 e5 *"));
    let counts = reader.counts();
    assert_eq!((counts.comments, counts.nags, counts.variations), (0, 0, 0));
}

#[test]
fn formats() {
    let game = read(
        "{x} [White \"w\"]\n[Zoo \"z\"]\n[Result \"0-1\"]\n[ECO \"A00\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 9\"]\n[White \"v\"]\n\n9. O-O {y} (9. Kd2) Kd7 -- 1-0",
    );
    let written = |format: Format| {
        let mut text = String::new();
        format.append(&game, &mut text).expect("sound names");
        text
    };
    let roster = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"w\"]\n[Black \"?\"]\n[Result \"0-1\"]\n";
    let fen = "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 9\"]\n";
    assert_eq!(
        written(Format::new().reduced()),
        format!("{roster}{fen}\n9. O-O Kd7 10. -- 1-0\n\n")
    );
    assert_eq!(
        written(Format::new().in_standard_order()),
        format!(
            "{{x}}\n{roster}[ECO \"A00\"]\n{fen}[White \"v\"]\n[Zoo \"z\"]\n\n9. O-O {{y}} (9. Kd2) 9... Kd7 10. -- 1-0\n\n"
        )
    );
    let mut writer = Writer::new(Vec::new());
    let games = vec![game.clone(); 5];
    writer.write_all(&games, std::num::NonZeroUsize::new(3).expect("three")).expect("sound names");
    assert_eq!(writer.into_inner(), written(Format::new()).repeat(5).into_bytes());
}
