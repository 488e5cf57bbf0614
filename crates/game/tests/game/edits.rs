//! Building and changing games.

use halfmove_game::pgn::{Format, GameReader, Nag, write_game};
use halfmove_game::{
    Annotations, BuildError, Clock, Evaluation, Game, GameBuilder, GameResult, Node, Score,
};
use halfmove_rules::makruk::CountingPolicy;
use halfmove_rules::{AnyPosition, Chess, Makruk, Move, Square};

use crate::files::{files, shipped};
use crate::whole::{again, read};

#[test]
fn nodes() {
    let game = read(
        "{s} 1. e4 {a} $1 (1. d4 {b} d5 ({x} 1... Nf6 {c} 2. c4 (2. Bg5)) 2. c4) {d} (1. c4) e5 Kd4 {z} *",
    );
    let root = game.node(0).expect("the start");
    assert_eq!((root.mv(), root.san().as_str(), root.ply()), (None, "", 0));
    assert_eq!(root.comment().as_deref(), Some("s"));
    let e4 = root.next().expect("a move");
    assert_eq!(e4.id(), game.node(1).expect("a move").id());
    assert_eq!(e4.comment().as_deref(), Some("a d"));
    let variations: Vec<_> = e4.variations().collect();
    assert_eq!(variations.len(), 2);
    let sans = |line: halfmove_game::Line<'_>| -> Vec<String> {
        line.nodes().map(|node| node.san()).collect()
    };
    assert_eq!(
        (sans(variations[0]), sans(variations[1])),
        (vec!["d4".to_owned(), "d5".to_owned(), "c4".to_owned()], vec!["c4".to_owned()])
    );
    let d5 = variations[0].nodes().nth(1).expect("d5");
    let inner = d5.variations().next().expect("a variation");
    assert_eq!(inner.comments().map(|comment| comment.to_string()).collect::<Vec<_>>(), ["x"]);
    let nf6 = inner.first().expect("Nf6");
    assert_eq!((nf6.ply(), nf6.comment().as_deref()), (2, Some("c")));
    let deepest = nf6.next().and_then(|c4| c4.variations().next()?.first()).expect("Bg5");
    assert_eq!((deepest.san().as_str(), deepest.ply(), deepest.is_main_line()), ("Bg5", 3, false));
    assert_eq!(
        deepest.position().to_string(),
        "rnbqkb1r/pppppppp/5n2/6B1/3P4/8/PPP1PPPP/RN1QKBNR b KQkq - 2 2"
    );
    assert_eq!(sans(game.main_line()), ["e4", "e5"]);
    assert_eq!(game.main_line().words().collect::<Vec<_>>(), ["Kd4"]);
    // The comment after the word does not belong to the last move.
    assert_eq!(game.node(2).and_then(|node| node.comment()), None);
    assert_eq!(game.node(3).map(|node| node.ply()), None);
}

#[test]
fn edits() -> Result<(), BuildError> {
    let mut game =
        read("1. e4 {a [%clk 0:01:00] b} {c} (1. d4 {d} d5) e5 {e} (1... c5) 2. Nf3 {f} *");
    let first = game.node(1).expect("a move").id();
    let mut node = game.edit(first).expect("a move");
    node.add_nag(Nag::new(1)).add_nag(Nag::new(14)).add_comment("g")?;
    node.set_clock(Clock::from_seconds(59)).set_evaluation(Evaluation::new(Score::Mate(3)));
    node.set_evaluation(Evaluation::new(Score::Centipawns(20)));
    let new = node.add_variation(&[Move::normal(Square::C2, Square::C4)])?;
    game.edit(new).expect("the new move").add_comment("h")?.add_nag(Nag::new(2));
    let expected = "1. e4 $1 $14 {a [%clk 0:00:59] [%eval 0.20] b} {c} {g} (1. d4 {d} 1... d5) (1.\n\
        c4 $2 {h}) 1... e5 {e} (1... c5) 2. Nf3 {f} *\n\n";
    assert_eq!(write_game(&game).expect("sound names"), expected);
    assert_eq!(again(&game).0, game);
    // Deep inside.
    let d5 =
        game.node(1).and_then(|node| node.variations().next()?.nodes().nth(1)).expect("d5").id();
    let mut node = game.edit(d5).expect("d5");
    node.add_comment("} a brace")?;
    node.add_variation(&[Move::normal(Square::G8, Square::F6)])?;
    assert_eq!(again(&game).0, game);
    let expected = "1. e4 $1 $14 {a [%clk 0:00:59] [%eval 0.20] b} {c} {g} (1. d4 {d} 1... d5\n\
        ;} a brace\n(1... Nf6)) (1. c4 $2 {h}) 1... e5 {e} (1... c5) 2. Nf3 {f} *\n\n";
    assert_eq!(write_game(&game).expect("sound names"), expected);
    // All annotations are removed again.
    for ply in [1, 2, 3] {
        let id = game.node(ply).expect("a move").id();
        let mut node = game.edit(id).expect("a move");
        node.remove_variations().remove_comments().remove_nags();
    }
    assert_eq!(game, read("1. e4 e5 2. Nf3 *"));
    assert_eq!(game.annotations, Annotations::new());
    // Invalid changes.
    let mut node = game.edit(first).expect("a move");
    let order = |error| matches!(error, Err(BuildError::Order { .. }));
    assert!(order(node.add_variation(&[])));
    let illegal = node.add_variation(&[Move::normal(Square::E2, Square::E5)]);
    assert!(matches!(illegal, Err(BuildError::IllegalMove(..))));
    let text = node.add_comment("}\n").map(|_| ());
    assert!(matches!(text, Err(BuildError::Text { offset: 1, .. })), "{text:?}");
    let start = game.node(0).expect("the start").id();
    assert!(order(
        game.edit(start).expect("the start").add_variation(&[Move::normal(Square::D2, Square::D4)])
    ));
    Ok(())
}

#[test]
fn invalid_games_are_rejected() {
    let mut builder = GameBuilder::new(Chess::default());
    let e4 = Move::normal(Square::E2, Square::E4);
    // A game that is read may have two of them.
    assert!(builder.tag("Event", "a").is_ok() && builder.tag("Event", "b").is_ok());
    for (name, fault) in [("White Player", 5), ("", 0), ("-a", 0), ("a\"", 1)] {
        let found = builder.tag(name, "x");
        assert!(
            matches!(found, Err(BuildError::Text { offset, .. }) if offset == fault),
            "{found:?}"
        );
    }
    assert!(matches!(
        builder.play(Move::normal(Square::E2, Square::E5)),
        Err(BuildError::IllegalMove(..))
    ));
    assert!(matches!(builder.end_variation(), Err(BuildError::Order { .. })));
    assert!(matches!(builder.null_move("e4"), Err(BuildError::Text { .. })));
    for word in [
        "", "1", "12", "a b", "$1", "!", "1-0", "*", "N", "=", "{", "}", "…x", "e4!", "%", "[",
        "-a", "1e4", "1abc", "0000x", "e4(Q)", "e8(Q)(R)", "±", "+−", "🙂", "½", "0.5-0.5", "1:0",
        "1 - 0", "00.", "ch", "mate",
    ] {
        assert!(matches!(builder.word(word), Err(BuildError::Text { .. })), "{word:?}");
    }
    assert!(builder.play(e4).is_ok());
    assert!(builder.begin_variation().is_ok());
    for text in ["--!", "Z0?!", "--+", "0000+", "@@@@#"] {
        assert!(matches!(builder.null_move(text), Err(BuildError::Text { .. })), "{text}");
    }
    assert!(matches!(builder.word("1/2"), Err(BuildError::Text { .. })));
    assert!(builder.null_move("Z0").is_ok() && builder.end_variation().is_ok());
    assert!(matches!(builder.tag("White", ""), Err(BuildError::Order { .. })));
    for word in ["Ke4", "--", "e8(Q)", "x", "00", "½-0", "0-0-0", "1-2", "été"] {
        assert!(builder.word(word).is_ok(), "{word}");
    }
    assert!(matches!(
        builder.play(Move::normal(Square::E7, Square::E5)),
        Err(BuildError::Order { .. })
    ));
    assert!(builder.result(GameResult::Unknown).is_ok());
    assert!(matches!(builder.result(GameResult::Unknown), Err(BuildError::Order { .. })));
    assert!(matches!(builder.nag(Nag::new(1)), Err(BuildError::Order { .. })));
    assert!(matches!(builder.escape(""), Err(BuildError::Order { .. })));
    let game = builder.finish();
    let (same, text) = again(&game);
    assert_eq!(same, game, "{text}");
}

/// The writer's additions to the tags have a place in the order, so they stay there.
#[test]
fn the_standard_order_is_stable() {
    let start: Makruk = "8/8/K7/8/6s1/2N1r1k1/7m/8 w - - 0 1".parse().expect("a position");
    let mut game = Game::from(AnyPosition::from(start.with_policy(CountingPolicy::Thai)));
    game.tags.push("ZZ", "last");
    let format = Format::new().in_standard_order();
    let written = |game: &Game| {
        let mut text = String::new();
        format.append(game, &mut text).expect("sound names");
        text
    };
    let text = written(&game);
    let names = text.lines().filter_map(|line| line.strip_prefix('[')?.split_once(' '));
    let names: Vec<_> = names.map(|(name, _)| name).skip(7).collect();
    assert_eq!(names, ["Counting", "FEN", "SetUp", "Variant", "ZZ"]);
    assert_eq!(written(&read(&text)), text);
}

/// The moves of a variation have new ids after each change; the old ids name no move.
#[test]
fn ids_from_before_a_change() {
    let mut game = read("1. e4 (1. d4 d5 2. c4) (1. c4 c5 2. Nf3) 1... e5 *");
    let variations: Vec<_> = game.node(1).expect("a move").variations().collect();
    let ids: Vec<_> = variations.iter().flat_map(|line| line.nodes().map(Node::id)).collect();
    assert_eq!(ids.len(), 6);
    game.edit(ids[0]).expect("d4").add_nag(Nag::new(1)).add_nag(Nag::new(2));
    assert!(ids.iter().all(|id| game.edit(*id).is_none()));
    let reply = game.node(2).expect("a move").id();
    assert_eq!(game.edit(reply).expect("e5").add_nag(Nag::new(3)).node().map(Node::ply), Some(2));
    assert!(game.edit(reply).is_some());
    let found = game.node(1).and_then(|node| node.variations().next()?.first()).expect("d4");
    assert_eq!(found.nags().map(Nag::number).collect::<Vec<_>>(), [1, 2]);
}

/// All moves of all games are annotated, as the tree shows.
#[test]
fn all_moves_are_edited() {
    let (mut nodes, mut inside) = (0, 0);
    for path in files(&shipped("malformed")) {
        // One of them is truncated, in its compressed form.
        let Ok(input) = halfmove_game::Input::open(&path) else { continue };
        for (_, mut game) in GameReader::new(input).games().map_while(Result::ok) {
            // The moves that a line of the tree reaches; the others follow words that are not moves.
            let mut reached = vec![game.node(0).expect("the start").id()];
            let mut lines = vec![game.main_line()];
            while let Some(line) = lines.pop() {
                for node in line.nodes() {
                    reached.push(node.id());
                    lines.extend(node.variations());
                }
            }
            let mut all = Vec::new();
            game.clone().edit_all(|node| all.extend(node.node().map(Node::id)));
            assert!(reached.iter().all(|id| all.contains(id)), "{}", path.display());
            nodes += all.len();
            inside += all.len() - game.moves.len() - 1;
            game.edit_all(|node| {
                let now = node.node().expect("a move");
                let text = format!("{} {:?}", now.ply(), now.mv());
                node.add_comment(&text).expect("a text");
            });
            let mut lines = vec![game.main_line()];
            while let Some(line) = lines.pop() {
                for node in line.nodes() {
                    let text = format!("{} {:?}", node.ply(), node.mv());
                    let is_there = node.comments().any(|comment| comment.to_string() == text);
                    assert!(is_there, "{text} in {}", path.display());
                    lines.extend(node.variations());
                }
            }
            // Removal affects nothing else.
            let events = |game: &Game| game.events().map(|event| format!("{event:?}")).collect();
            let mut expected: Vec<String> = events(&game);
            expected.retain(|event| !event.starts_with("Comment"));
            game.annotations.remove_comments();
            assert_eq!(events(&game), expected);
            expected.retain(|event| !event.starts_with("Nag"));
            game.annotations.remove_nags();
            assert_eq!(events(&game), expected);
            let mut depth = 0;
            expected.retain(|event| {
                depth += i32::from(event == "BeginVariation");
                let outside = depth == 0;
                depth -= i32::from(event == "EndVariation");
                outside
            });
            game.annotations.remove_variations();
            assert_eq!(events(&game), expected);
        }
    }
    assert!(nodes > 2_000 && inside > 150, "{nodes} moves, {inside} in variations");
}
