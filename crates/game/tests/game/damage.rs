//! Real games with gaps, noise and cuts. Nothing panics or hangs, the result does not depend on the sizes of the reads,
//! and the game after the damage is found.

use halfmove_game::Game;
use halfmove_game::pgn::{GameReader, Reading, write_game};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::events::events;
use crate::properties::played;

/// Games with everything that a file can contain.
pub(crate) const GAMES: &str = r#"[Event "Rated Blitz game"]
[Site "https://lichess.org/abcdefgh"]
[White "Jérôme \"JJ\""]
[Result "1-0"]

1. e4 { [%clk 0:03:00] } 1... e5 { [%eval 0.2] [%clk 0:03:00] } 2. Nf3 Nc6?! (2... d6 3. d4 (3. Bc4
Be7 $14) 3... exd4) 3. Bb5 a6 $6 4. Bxc6 dxc6 5. O-O f6 6. d4 1-0

[Event "?"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "rk5r/pppppppp/8/8/8/8/PPPPPPPP/RK5R w HAha - 2 9"]

9. O-O (9. e4 {transposes}) 9... O-O-O ; a comment to the end { of the line
10. h3 1/2-1/2

%escaped [Event "no"]
1. d4 d5 2. c4 {unusual ( here} dxc4 3. e4 *

[Event "Count"]
[Variant "Makruk"]
[Counting "thai"]
[FEN "8/8/K7/8/6s1/2N1r1k1/7m/8 w - - 0 41"]

41. Kb6 Kf4 {[%count board white 0]} 42. Kc5 (42. Nd5+ {[%count none]}) Ke5 {[%count none]} 43. Nd5 1/2-1/2

[Event "Corridor"]

1. e4 e5 2. Bc4 Bc5 3. Qh5 Nf6 4. Qxf7# 1-0
"#;

/// After any damage, this game is still read in full.
const LAST: &str = "\n\n[Event \"after the damage\"]\n\n1. c4 e5 2. Nc3 1/2-1/2\n";

#[derive(Debug, Clone)]
pub(crate) enum Damage {
    Remove(prop::sample::Index, usize),
    Insert(prop::sample::Index, Vec<u8>),
    Replace(prop::sample::Index, u8),
    Repeat(prop::sample::Index, prop::sample::Index),
}

pub(crate) fn damage() -> impl Strategy<Value = Damage> {
    let piece = prop_oneof![
        prop::sample::select(
            [
                "{",
                "}",
                "(",
                ")",
                "[",
                "]",
                "\"",
                "\\",
                ";",
                "%",
                "\n",
                "\n\n",
                "\r",
                "\r\n",
                "*",
                "1-0",
                "$",
                "--",
                "[Event \"x\"]",
                "\n[Event \"",
                "\n[",
                "e4",
                "1.",
                "\u{feff}",
                "\u{a0}",
                "\u{200b}",
                "\u{3000}",
                "1-0,",
                "\0",
                "\u{e9}",
                "e8(Q)",
                "e8(Q)+",
                "0000",
                "@@@@",
                "…",
                "±",
                "00",
                "0.5-0.5",
                " - ",
            ]
            .as_slice()
        )
        .prop_map(|piece| piece.as_bytes().to_vec()),
        prop::collection::vec(any::<u8>(), 1..20),
    ];
    prop_oneof![
        (any::<prop::sample::Index>(), 1_usize..60)
            .prop_map(|(at, length)| Damage::Remove(at, length)),
        (any::<prop::sample::Index>(), piece).prop_map(|(at, piece)| Damage::Insert(at, piece)),
        (any::<prop::sample::Index>(), any::<u8>())
            .prop_map(|(at, byte)| Damage::Replace(at, byte)),
        (any::<prop::sample::Index>(), any::<prop::sample::Index>())
            .prop_map(|(from, to)| Damage::Repeat(from, to)),
    ]
}

/// The text with all damages.
pub(crate) fn damaged(text: &[u8], damages: &[Damage]) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for damage in damages {
        if bytes.is_empty() {
            break;
        }
        let length = bytes.len();
        match damage {
            Damage::Remove(at, count) => {
                let at = at.index(length);
                bytes.drain(at..length.min(at + count));
            }
            Damage::Insert(at, piece) => {
                let at = at.index(length);
                bytes.splice(at..at, piece.iter().copied());
            }
            Damage::Replace(at, byte) => bytes[at.index(length)] = *byte,
            Damage::Repeat(from, to) => {
                let (from, to) = (from.index(length), to.index(length));
                let piece = bytes[from.min(to)..from.max(to)].to_vec();
                bytes.splice(to..to, piece);
            }
        }
    }
    bytes
}

/// Checks that a game survives writing and reading.
fn comes_back(game: &Game) -> Result<(), TestCaseError> {
    // Without these, it does not look like a game.
    if game.tags.is_empty() && game.moves.is_empty() {
        return Ok(());
    }
    let text = write_game(game).expect("sound names");
    let mut reader = GameReader::new(text.as_bytes());
    let mut again = Game::default();
    prop_assert!(reader.read(&mut again).expect("memory does not fail").is_some(), "{}", text);
    prop_assert_eq!(&write_game(&again).expect("sound names"), &text);
    let mut expected = game.clone();
    expected.result = expected.result.or(again.result);
    // The variant is named, and a start given, if no tag has them.
    if again.tags.iter().zip(&expected.tags).all(|(found, tag)| found == tag) {
        expected.tags.clone_from(&again.tags);
    }
    prop_assert_eq!(&again, &expected, "{}", text);
    prop_assert!(reader.read(&mut again).expect("memory does not fail").is_none(), "{}", text);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_games(damages in prop::collection::vec(damage(), 1..8)) {
        let mut bytes = damaged(GAMES.as_bytes(), &damages);
        bytes.extend_from_slice(LAST.as_bytes());
        let whole = events(&bytes, usize::MAX);
        prop_assert_eq!(&events(&bytes, 7), &whole);

        let mut reader = GameReader::new(bytes.as_slice());
        let (mut game, mut read) = (Game::default(), 0);
        let mut last = None;
        while let Some(reading) = reader.read(&mut game).expect("memory does not fail") {
            read += 1;
            prop_assert!(read < 1000);
            // Every returned move is legal.
            let mut position = game.start.clone();
            for &mv in &game.moves {
                position = played(&position, mv).expect("a legal move");
            }
            last = Some((reading, game.tags.value("Event").map(str::to_owned), game.moves.len()));
        }
        prop_assert_eq!(read, reader.counts().games);
        prop_assert_eq!(&last, &Some((Reading::Whole, Some("after the damage".to_owned()), 3)));

        // Reading any variant gives the same games, plus those of Makruk.
        let mut reader = GameReader::new(bytes.as_slice());
        let (mut game, mut read_any) = (Game::default(), 0);
        while let Some(reading) = reader.read(&mut game).expect("memory does not fail") {
            read_any += 1;
            let mut position = game.start.clone();
            for &mv in &game.moves {
                position = played(&position, mv).expect("a legal move");
            }
            prop_assert!(game.count_calls.iter().all(|call| call.ply() <= game.moves.len()));
            comes_back(&game)?;
            last = Some((reading, game.tags.value("Event").map(str::to_owned), game.moves.len()));
        }
        prop_assert_eq!(read_any, read);
        prop_assert_eq!(last, Some((Reading::Whole, Some("after the damage".to_owned()), 3)));
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert_eq!(events(&bytes, 1), events(&bytes, usize::MAX));
    }
}

/// An unclosed comment between two games is not a fault of the second.
#[test]
fn an_unclosed_comment_between_games() {
    let text = format!("1. e4 *\n\n{{ 1. d4 *{LAST}");
    let mut reader = GameReader::new(text.as_bytes());
    let mut game = Game::default();
    for moves in [1, 3] {
        assert_eq!(reader.read(&mut game).expect("memory does not fail"), Some(Reading::Whole));
        assert_eq!(game.moves.len(), moves);
    }
    let (at, text) = reader.counts().outside.first.clone().expect("the brace");
    assert_eq!((at.line, at.column, text.as_str()), (3, 1, "{"));
}

#[test]
fn undamaged_games() {
    let mut reader = GameReader::new(GAMES.as_bytes());
    let mut game = Game::default();
    for (moves, calls) in [(11, 0), (3, 0), (5, 0), (5, 2), (7, 0)] {
        assert_eq!(reader.read(&mut game).expect("memory does not fail"), Some(Reading::Whole));
        assert_eq!((game.moves.len(), game.count_calls.len()), (moves, calls));
    }
    assert_eq!(reader.read(&mut game).expect("memory does not fail"), None);
}
