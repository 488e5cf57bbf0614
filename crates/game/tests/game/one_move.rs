//! Single moves of a game in SAN, and tallies of its moves, compared with the same game played move by move.

use std::path::Path;

use halfmove_game::codec::halfmove;
use halfmove_game::pgn::{GameReader, Reading};
use halfmove_game::{Game, Input, replay};
use halfmove_rules::{AnyPosition, CastlingSide, Color, Role};

use crate::data::testdata;

/// Some games of a file.
fn games(path: &Path, step: usize) -> Vec<Game> {
    let input = Input::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut reader = GameReader::new(input);
    let (mut games, mut game) = (Vec::new(), Game::default());
    let mut number = 0;
    while let Some(reading) = reader.read(&mut game).expect("the file is readable") {
        if !matches!(reading, Reading::Skipped(_)) {
            if number % step == 0 {
                games.push(game.clone());
            }
            number += 1;
        }
    }
    games
}

fn some_games() -> Vec<Game> {
    let files = [
        ("games/masters.pgn.zst", 100),
        ("games/lichess.pgn.zst", 5),
        ("games/chess960.pgn", 1),
        ("games/setup.pgn", 1),
        ("games/makruk.pgn", 1),
    ];
    files.iter().flat_map(|(file, step)| games(&testdata().join(file), *step)).collect()
}

fn bytes_of(game: &Game) -> Vec<u8> {
    let mut bytes = Vec::new();
    halfmove::encode_moves(&game.start, &game.moves, &mut bytes).expect("bytes");
    bytes
}

#[test]
fn every_move_is_written_as_when_played() {
    let mut marks = [0, 0, 0];
    for game in some_games() {
        let bytes = bytes_of(&game);
        let mut position = game.start.clone();
        let mut text = String::new();
        for (ply, &mv) in (0..).zip(&game.moves) {
            let expected = position.san(mv);
            text.clear();
            assert_eq!(replay::write_san(&bytes, ply, &mut text), Ok(true));
            assert_eq!(text, expected.as_str(), "ply {ply} of {game:?}");
            let (before, next) = replay::move_after(&bytes, ply).expect("bytes").expect("a move");
            assert_eq!((&before, next), (&position, mv), "ply {ply} of {game:?}");
            position.play_unchecked(mv);
            marks[0] += usize::from(text.contains('#'));
            marks[1] += usize::from(text.contains('+'));
            // A file or a rank distinguishes two pieces.
            let plain = text.trim_end_matches(['+', '#']).replace('x', "");
            marks[2] += usize::from(plain.len() == 4 && !plain.contains(['=', 'O']));
        }
        let length = game.moves.len() as u32;
        assert_eq!(replay::write_san(&bytes, length, &mut text), Ok(false));
        assert_eq!(replay::write_san(&bytes, u32::MAX, &mut text), Ok(false));
        assert_eq!(replay::move_after(&bytes, length), Ok(None));
    }
    assert!(marks.iter().all(|seen| *seen > 10), "{marks:?}");
}

#[test]
fn tallies_match_played_games() {
    for game in some_games() {
        let (mut moved, mut captures, mut promotions) = ([[0; 8]; 2], [0; 2], [0; 2]);
        let mut castled = [None; 2];
        let mut position = game.start.clone();
        for &mv in &game.moves {
            let us = position.side_to_move();
            let role = position.board().piece_at(mv.from()).expect("a piece").role;
            moved[us.index()][role as usize] += 1;
            promotions[us.index()] += u32::from(mv.promotion().is_some());
            if let (true, AnyPosition::Chess(_)) = (mv.is_castle(), &position) {
                castled[us.index()] = Some(CastlingSide::of(mv.from(), mv.to()));
            }
            let before = position.board().by_color(!us).len();
            position.play_unchecked(mv);
            captures[us.index()] += before - position.board().by_color(!us).len();
        }
        let tally = replay::tally(&bytes_of(&game)).expect("bytes");
        for color in Color::ALL {
            let i = color.index();
            assert_eq!(Role::ALL.map(|role| tally.moved(color, role)), moved[i], "{game:?}");
            assert_eq!(tally.captures(color), captures[i], "{game:?}");
            assert_eq!(tally.promotions(color), promotions[i], "{game:?}");
            assert_eq!(tally.castled(color), castled[i], "{game:?}");
        }
    }
}

/// Bytes that encode no game give an error or some text, but no panic.
#[test]
fn damaged_bytes_cause_no_panic() {
    let mut random = 1_u64;
    for game in some_games().iter().step_by(7) {
        let mut bytes = bytes_of(game);
        if bytes.is_empty() {
            continue;
        }
        for _ in 0..20 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let at = (random >> 33) as usize % bytes.len();
            bytes[at] = (random >> 20) as u8;
            for ply in [0, 1, at as u32, bytes.len() as u32 - 1] {
                let mut text = String::new();
                let written = replay::write_san(&bytes, ply, &mut text);
                assert_eq!(written == Ok(true), !text.is_empty());
                let _ = replay::move_after(&bytes, ply);
            }
            let _ = replay::tally(&bytes);
        }
    }
    assert!(replay::tally(&[0xff]).is_err());
    assert!(replay::write_san(&[0xff], 0, &mut String::new()).is_err());
    // A piece that is not on the board does not move.
    assert!(replay::write_san(&[0xe2], 0, &mut String::new()).is_err());
}
