//! Comments and positions of variations read from bytes, compared with a walk through the game.

use std::ops::ControlFlow;

use halfmove_game::codec::halfmove;
use halfmove_game::codec::whole::{self, Parts};
use halfmove_game::pgn::{GameReader, Reading};
use halfmove_game::{Event, Game, Input};
use halfmove_rules::AnyPosition;

use crate::codec::random;
use crate::data::{game_files, testdata};

/// The comments and the positions of variations, each with its ply.
type Walked = (Vec<(u32, String)>, Vec<(u32, AnyPosition)>);

/// The result of a walk: comments, and positions after moves of variations, each with its ply.
fn slow(game: &Game) -> Walked {
    let (mut comments, mut positions) = (Vec::new(), Vec::new());
    let mut walk = game.walk();
    let (mut branch, mut was_main, mut has_moved) = (0, true, false);
    while let Some((event, position)) = walk.step() {
        let position = position.clone();
        if std::mem::take(&mut has_moved) {
            positions.push((branch, position));
        }
        if was_main && !walk.is_main_line() {
            branch = walk.ply() as u32;
        }
        was_main = walk.is_main_line();
        match event {
            Event::Comment(comment) if !comment.text().is_empty() => {
                let ply = if was_main { walk.ply() as u32 } else { branch };
                comments.push((ply, comment.text().into_owned()));
            }
            Event::Move(_) | Event::NullMove(_) => has_moved = !was_main,
            _ => {}
        }
    }
    (comments, positions)
}

/// Compares the two ways, and returns the numbers of comments and positions.
pub(crate) fn compare(game: &Game) -> (usize, usize) {
    let parts = Parts::of(game);
    let (expected, positions) = slow(game);
    let mut found = Vec::new();
    whole::comments(&parts.annotations, game.moves.len() as u32, |ply, text| {
        found.push((ply, text.to_owned()));
        ControlFlow::Continue(())
    })
    .expect("annotations");
    assert_eq!(found, expected, "{game:?}");
    let mut moves = Vec::new();
    halfmove::encode_moves(&game.start, &game.moves, &mut moves).expect("moves");
    let mut found = Vec::new();
    whole::variations(&moves, &parts.annotations, |ply, position| {
        found.push((ply, position.clone()));
        ControlFlow::Continue(())
    })
    .expect("annotations");
    assert_eq!(found, positions, "{game:?}");
    (expected.len(), positions.len())
}

#[test]
fn scans_agree_with_a_walk() {
    let (mut comments, mut positions) = (0, 0);
    for path in game_files(&testdata()) {
        // Only main lines, and many of them.
        if path.ends_with("masters.pgn.zst") {
            continue;
        }
        let mut reader = GameReader::new(Input::open(&path).expect("a file"));
        let mut game = Game::default();
        while reader.read(&mut game).expect("a file").is_some() {
            let found = compare(&game);
            comments += found.0;
            positions += found.1;
        }
    }
    assert!(comments > 50 && positions > 100, "{comments} comments, {positions} positions");
}

#[test]
fn places_in_a_game() {
    let text = "{first} [White \"a\"]\n\n1. e4 {one} (1. d4 {two} (1. c4 {three}) d5) e5 (1... c5 (1... e6 2. -- \
                {four}) 2. Nf3) 2. Ke3 (2. Nf3 {five}) {six} * {seven}";
    // 2. Ke3 is not possible.
    let mut game = Game::default();
    let reading = GameReader::new(text.as_bytes()).read(&mut game).expect("memory does not fail");
    assert!(matches!(reading, Some(Reading::Faulty(_))));
    let (comments, positions) = slow(&game);
    let plies: Vec<u32> = comments.iter().map(|(ply, _)| *ply).collect();
    assert_eq!(plies, [0, 1, 0, 0, 1, 2, 2, 2], "{comments:?}");
    assert_eq!(positions.len(), 8);
    assert_eq!(compare(&game), (8, 8));
    // A search stops when the callback breaks.
    let mut seen = 0;
    whole::comments(&Parts::of(&game).annotations, 2, |_, _| {
        seen += 1;
        ControlFlow::Break(())
    })
    .expect("annotations");
    assert_eq!(seen, 1);
}

/// Invalid annotations may give an error but never a panic, and truncated ones give an error.
#[test]
fn hostile_annotations() {
    let mut random = random();
    let moves = [0x11, 0x11, 0x2f, 0x20];
    let any = |_, _: &AnyPosition| ControlFlow::Continue(());
    for _ in 0..20_000 {
        let length = random() % 40;
        let tokens: Vec<u8> = (0..length)
            .map(|_| match random() >> 33 {
                byte if byte % 3 == 0 => 0x80 + (byte >> 8) as u8 % 8,
                byte => (byte >> 8) as u8 % 24,
            })
            .collect();
        let _ = whole::comments(&tokens, 4, |_, _| ControlFlow::Continue(()));
        let _ = whole::variations(&moves, &tokens, any);
    }
    for (tokens, offset) in [
        (&[0x05, 0x80][..], 0),
        (&[0x00, 0x81, 0x80], 1),
        (&[0x00, 0x80, 0x7f, 0xff], 4),
        (&[0x00, 0x80, 0x60], 2),
        (&[0x00, 0x80, 0xc0], 2),
        (&[0x00, 0x80, 0x85, 0x01, b'x', 0x01], 5),
    ] {
        let error = whole::variations(&moves, tokens, any).expect_err("no annotations");
        assert_eq!((error.part, error.error.offset), ("annotations", offset), "{tokens:x?}");
    }
    let error = whole::variations(&[0xff], &[0x00, 0x80, 0x81], any).expect_err("no moves");
    assert_eq!((error.part, error.error.offset), ("moves", 0));
    // Open variations are limited as in the reader.
    let mut deep = vec![0x00];
    deep.extend([0x80].repeat(4_000_000));
    assert!(whole::variations(&moves, &deep, any).is_err());
}
