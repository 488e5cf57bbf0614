//! The parts of games as values: clocks, tags, glyphs, words; and building and changing games with them.

use halfmove_game::pgn::{GameReader, Nag, ReadGameError, Word, read_game, write_game};
use halfmove_game::rules::Chess;
use halfmove_game::{BuildError, Clock, Game, GameBuilder, Tags};

#[test]
fn clocks_compare_by_their_time() {
    let clock = |text: &str| text.parse::<Clock>().expect("a time");
    assert!(clock("0:00:10.0").duration() <= Clock::from_seconds(10).duration());
    assert!(clock("0:00:09.9").duration() < clock("0:00:10").duration());
    // A game that is written and read again has the same spelling.
    assert_ne!(clock("0:00:10.0"), clock("0:00:10"));
}

#[test]
fn tags_are_set_and_removed() {
    let mut tags: Tags = [("A", "1"), ("B", "2"), ("A", "3")].into_iter().collect();
    tags.set("A", "a longer value");
    tags.set("C", "");
    let all = |tags: &Tags| tags.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let found: Vec<String> = all(&tags);
    assert_eq!(found, ["A=a longer value", "B=2", "A=3", "C="]);
    assert!(tags.contains("C") && !tags.contains("c"));
    assert_eq!((tags.nth(2), tags.nth(4)), (Some(("A", "3")), None));
    assert!(tags.remove("A") && !tags.remove("A"));
    assert_eq!(tags, [("B", "2"), ("C", "")].into_iter().collect());

    // The same for the tags of a file, with comments between them.
    let mut game = read_game("[A \"1\"]\n{x}\n[B \"2\"]\n\n1. e4 *").expect("a game");
    game.tags.set("A", "one");
    assert!(game.tags.remove("B"));
    let again = read_game(write_game(&game).expect("names")).expect("a game");
    assert_eq!(again, first_game("[A \"one\"]\n\n{x} 1. e4 *"));
    game.tags.clear();
    let again = read_game(write_game(&game).expect("names")).expect("a game");
    assert!(again.tags.is_empty() && again.moves.len() == 1);
    assert_eq!(again.annotations.comments().next().map(|x| x.to_string()).as_deref(), Some("x"));
}

#[test]
fn glyphs_from_text() {
    let suffixes = [
        Nag::GOOD_MOVE,
        Nag::POOR_MOVE,
        Nag::VERY_GOOD_MOVE,
        Nag::VERY_POOR_MOVE,
        Nag::SPECULATIVE_MOVE,
        Nag::QUESTIONABLE_MOVE,
    ];
    for ((nag, sign), number) in
        suffixes.into_iter().zip(["!", "?", "!!", "??", "!?", "?!"]).zip(1..)
    {
        assert_eq!(Nag::from_sign(sign), Some(nag));
        assert_eq!((nag.number(), nag.is_suffix()), (number, true));
        assert_eq!(nag.to_string().parse(), Ok(nag));
        assert_eq!(format!("${number}").parse(), Ok(Nag::new(number)));
    }
    assert_eq!("+/-".parse::<Nag>().map(Nag::number), Ok(16));
    for text in ["", "$", "$+1", "$4294967296", "14", "!!!", " !"] {
        let error = text.parse::<Nag>().unwrap_err().to_string();
        assert!(error.starts_with(&format!("\"{text}\" is not a glyph: ")), "{error}");
    }
}

#[test]
fn words_as_text() {
    let word = Word::new(b"e\xd7d4");
    assert_eq!((word.to_str(), word.to_string()), ("e×d4".into(), "e×d4".to_owned()));
    assert_eq!(format!("{:>4}|{:?}", Word::new(b"e4"), Word::new("½".as_bytes())), "  e4|\"½\"");
}

#[test]
fn san_is_played() {
    let mut builder = GameBuilder::new(Chess::default());
    for san in ["e4", "e5"] {
        builder.san(san).expect("legal");
    }
    builder.begin_variation().expect("after a move");
    builder.san("c5").expect("legal");
    let Err(BuildError::San { found, .. }) = builder.san("Nd4") else { panic!() };
    assert_eq!(found, "Nd4");
    builder.end_variation().expect("one is open");
    let mut game = builder.finish();
    assert_eq!(write_game(&game).expect("no tags"), "1. e4 e5 (1... c5) *\n\n");

    let before = game.clone();
    let first = game.node(1).expect("a move").id();
    let mut first = game.edit(first).expect("a move");
    let illegal = first.add_variation_san(&["d4", "d4"]);
    assert!(matches!(illegal, Err(BuildError::San { found, .. }) if found == "d4"));
    assert!(matches!(first.add_variation_san(&[]), Err(BuildError::Order { .. })));
    assert_eq!(game, before);
    let start = game.node(0).expect("the start").id();
    let at_start = game.edit(start).expect("the start").add_variation_san(&["d4"]);
    assert!(matches!(at_start, Err(BuildError::Order { .. })));
}

#[test]
fn errors_name_the_rejected_request() {
    let mut builder = GameBuilder::new(Chess::default());
    let expected = "a comment with both \"}\" and a line break cannot be written, see byte 5: \
                    expected one without \"}\", or one line";
    assert_eq!(builder.comment("a } b\nc").unwrap_err().to_string(), expected);
    builder.comment("a } b").expect("one line");
    builder.comment("a b\nc").expect("no brace");
    let mut game = builder.finish();
    let start = game.node(0).expect("the start").id();
    let mut start = game.edit(start).expect("the start");
    assert_eq!(start.add_comment("a } b\nc").unwrap_err().to_string(), expected);

    let mut builder = GameBuilder::new(Chess::default());
    let mv = builder.position().parse_uci("e2e4").expect("legal");
    builder.play(mv).expect("legal");
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert_eq!(builder.play(mv).unwrap_err().to_string(), format!("e2e4 is not legal in {fen}"));
}

#[test]
fn reading_one_game_is_all_or_nothing() {
    assert_eq!(read_game(""), Err(ReadGameError::NoGame));
    assert_eq!(read_game("\n{nothing} \n"), Err(ReadGameError::NoGame));
    let Err(ReadGameError::Faulty(fault)) = read_game("1. e4 e5\n2. Ke3 *") else { panic!() };
    assert_eq!((fault.at.line, fault.at.column, fault.ply), (2, 4, 3));
    assert!(matches!(read_game("1. e4 {a"), Err(ReadGameError::Faulty(_))));
    let skipped = read_game("[Variant \"Atomic\"]\n\n1. e4 *").unwrap_err();
    let expected = "game 1, line 1, column 1: skipped, variant \"Atomic\" is not known, expected ";
    assert!(skipped.to_string().starts_with(expected), "{skipped}");
    // Not in the main line, or not in the first game.
    for text in ["1. e4 (1. d4 Kd7) e5 *", "1. e4 e5 *\n\n1. e5 *"] {
        assert_eq!(read_game(text).expect("whole").moves.len(), 2, "{text}");
    }
}

fn first_game(text: &str) -> Game {
    let mut game = Game::default();
    assert!(GameReader::new(text.as_bytes()).read(&mut game).expect("memory").is_some());
    game
}

fn annotated() -> Game {
    first_game(
        "[A \"1\"]\n\n{a} 1. e4 {b} (1. d4 d5 (1... Nf6 2. c4) 2. Nc3) 1... e5 $1 \
         (1... c5 2. Nf3 -- 3. Kd7) 2. Nf3 {[%clk 0:00:10] c} (2. f4) 2... Nc6 {d} x 1-0 {e}",
    )
}

#[test]
fn games_are_truncated_with_their_annotations() {
    let kept = [
        "{a}",
        "1. e4 {b} (1. d4 d5 (1... Nf6 2. c4) 2. Nc3)",
        "1... e5 $1 (1... c5 2. Nf3 -- 3. Kd7)",
        "2. Nf3 {[%clk 0:00:10] c} (2. f4)",
        "2... Nc6 {d} x",
    ];
    for plies in 0..=5 {
        let mut game = annotated();
        game.truncate(plies);
        let text = format!("[A \"1\"]\n\n{} 1-0 {{e}}", kept[..=plies.min(4)].join(" "));
        assert_eq!(game, first_game(&text), "{text}");
    }
    let mut makruk = first_game(
        "[Variant \"Makruk\"]\n[Counting \"thai\"]\n[FEN \"8/8/K7/8/6s1/2N1r1k1/7m/8 w - - 0 1\"]\n\n\
         1. Kb6 Kf4 {[%count board white 0]} 2. Kc5 Ke5 {[%count none]} 3. Kc4 *\n",
    );
    assert_eq!(makruk.count_calls.len(), 2);
    makruk.truncate(3);
    assert_eq!((makruk.count_calls.len(), makruk.annotations.comments().count()), (1, 1));
}

/// Nothing panics, whatever values the fields have.
#[test]
fn fields_that_contradict_each_other() {
    let game = annotated();
    let other = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse::<Chess>().expect("a position");
    let makruk = halfmove_game::rules::Makruk::default();
    let mut games = vec![];
    for plies in 0..4 {
        let mut cut = game.clone();
        cut.moves.truncate(plies);
        games.push(cut);
        let mut late = game.clone();
        late.moves.drain(..plies);
        games.push(late);
    }
    for start in [other.into(), makruk.into()] {
        games.push(Game { start, ..game.clone() });
    }
    for mut game in games {
        let _ = format!(
            "{game:?} {} {}",
            game.final_position(),
            write_game(&game).expect("sound names")
        );
        let mut walk = game.walk();
        while walk.step().is_some() {}
        for ply in 0..=game.moves.len() {
            let node = game.node(ply).expect("a move");
            let _ = (node.san(), node.position(), node.comment());
            for line in node.variations() {
                let _ = (line.words().count(), line.comments().count());
                for node in line.nodes() {
                    let _ = (node.san(), node.position(), node.variations().count());
                }
            }
            let id = node.id();
            let mut edit = game.edit(id).expect("a move");
            let _ =
                edit.add_nag(Nag::GOOD_MOVE).set_clock(Clock::from_seconds(1)).remove_comments();
            let _ = edit.add_variation_san(&["e4"]).is_ok();
        }
        game.truncate(1);
        let _ = write_game(&game);
    }
}
