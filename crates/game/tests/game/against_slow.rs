//! The tokenizer held to its oracle, event by event and place by place.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use halfmove_game::Input;
use halfmove_game::pgn::Reader;
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestCaseError};

use crate::damage::{GAMES, damage, damaged};
use crate::events::Portions;
use crate::recorder::{Recorder, Skips};
use crate::slow_reader::{Event, SlowReader};

/// Reads a text with both. The error names the first event that differs.
fn compare_as<const COMMENTS: bool>(
    text: &[u8],
    portion: usize,
    buffer: usize,
    skips: Skips,
) -> Result<u64, String> {
    let mut slow = SlowReader::new(text);
    let mut recorder = Recorder::<COMMENTS>::new(skips);
    let source = Portions { bytes: text, portion, calls: 0 };
    let mut reader = Reader::with_longest_token(source, buffer);
    for game in 0.. {
        let found = reader.read_game(&mut recorder).map_err(|error| error.to_string())?;
        let (mut expected, is_game) = slow.read_game();
        expected = skips.apply(expected, game);
        if !COMMENTS {
            without_comments(&mut expected);
        }
        let found_events = std::mem::take(&mut recorder.events);
        let same = found_events.iter().zip(&expected).take_while(|(a, b)| a == b).count();
        if same < found_events.len().max(expected.len()) || found != is_game {
            return Err(format!(
                "portions of {portion}, buffer of {buffer}, {skips:?}, game {game}, event {same}:\n  \
                 reader: {:?}\n  oracle: {:?}\n  before: {:?}",
                found_events.get(same),
                expected.get(same),
                &expected[same.saturating_sub(3)..same],
            ));
        }
        if !found {
            return Ok(game);
        }
    }
    unreachable!("each game takes a byte at least")
}

/// Drops the comments in movetext.
fn without_comments(events: &mut Vec<Event<'_>>) {
    let mut in_moves = false;
    events.retain(|event| {
        in_moves = match event {
            Event::EndTags => true,
            Event::EndGame => false,
            _ => in_moves,
        };
        !(in_moves && matches!(event, Event::Comment(..)))
    });
}

/// The reader's own buffer, which no test fills with one token.
const USUAL: usize = 16 * 1024 * 1024;

/// Small enough to be refilled often, large enough for all tokens of [`GAMES`].
const SMALL: usize = 1024;

const WHOLE: usize = usize::MAX;

fn compare(text: &[u8], portion: usize, buffer: usize) -> Result<u64, String> {
    compare_as::<true>(text, portion, buffer, Skips::NONE)
}

/// A text whose tokens are all short, read in every way.
fn compare_all_ways(text: &[u8], portion: usize, skips: Skips) -> Result<(), String> {
    compare(text, WHOLE, USUAL)?;
    compare(text, portion, USUAL)?;
    compare_as::<false>(text, portion, USUAL, Skips::NONE)?;
    compare_as::<true>(text, WHOLE, USUAL, skips)?;
    compare_as::<false>(text, WHOLE, USUAL, skips)?;
    Ok(())
}

/// Unpacked files of a folder and its subfolders whose names end in `.pgn` or `.pgn.zst`.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the test data") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().trim_end_matches(".zst").ends_with(".pgn") {
                let mut bytes = Vec::new();
                let mut input = Input::open(&path).expect("a readable file");
                input.read_to_end(&mut bytes).expect("a sound file");
                files.push((path, bytes));
            }
        }
    }
    files.sort();
    files
}

fn testdata() -> Vec<(PathBuf, Vec<u8>)> {
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata"))
}

#[test]
fn real_files() {
    let mut games = 0;
    for (path, text) in testdata() {
        for portion in [WHOLE, 4093] {
            match compare(&text, portion, USUAL) {
                Ok(count) => games += count,
                Err(error) => panic!("{}: {error}", path.display()),
            }
        }
    }
    assert!(games > 10_000, "only {games} games");
}

/// Each byte of the games comes to lie at the end of the buffer, and at each place of a vector.
#[test]
fn each_place_in_the_buffer() {
    for shift in 0..=SMALL {
        let text = [" ".repeat(shift), GAMES.repeat(2)].concat();
        compare(text.as_bytes(), WHOLE, SMALL).unwrap_or_else(|error| panic!("{shift}: {error}"));
    }
}

/// The file ends after any byte.
#[test]
fn each_end() {
    for end in 0..=GAMES.len() {
        compare(&GAMES.as_bytes()[..end], WHOLE, USUAL)
            .unwrap_or_else(|error| panic!("{end}: {error}"));
    }
}

/// Portions of any size up to 300 bytes, as a pipe may hand them out.
#[test]
fn each_portion() {
    for portion in 1..300 {
        compare(GAMES.as_bytes(), portion, USUAL).unwrap();
    }
}

/// What a visitor passes over takes nothing else with it.
#[test]
fn skipping() {
    let skips = [Some(1), Some(2), Some(3), Some(5), None];
    let files = testdata();
    for (games, variations) in skips.iter().flat_map(|a| skips.iter().map(move |b| (*a, *b))) {
        let skips = Skips { games, variations };
        compare_all_ways(GAMES.as_bytes(), 5, skips).unwrap();
        for (path, text) in files.iter().filter(|(_, text)| text.len() < 100_000) {
            compare_all_ways(text, WHOLE, skips)
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
    }
}

/// Everything that the tokenizer tells apart, and what only looks like it.
fn token() -> impl Strategy<Value = &'static str> {
    prop::sample::select(
        [
            " ",
            " ",
            " ",
            " ",
            "\n",
            "\n",
            "\n\n",
            "\r\n",
            "\r\n\r\n",
            "\r",
            "\t",
            "\x0b",
            "\0",
            "e4",
            "Nf3+",
            "exd5",
            "O-O",
            "O-O-O#",
            "e8=Q",
            "e8(Q)",
            "b1(N)+",
            "exd6e.p.",
            "e.p.",
            "--",
            "Z0",
            "0000",
            "0-0",
            "0-0-0",
            "1.",
            "1...",
            "12.",
            "37",
            "e2-e4",
            "N",
            "D",
            "RR",
            "inf",
            "W",
            "Ng1xf3",
            "abcdefghijklmnopqrstuvwxyz",
            "1-0",
            "0-1",
            "1/2-1/2",
            "1/2",
            "½-½",
            "*",
            "1-0x",
            "$1",
            "$14",
            "$999",
            "$4294967296",
            "$",
            "!",
            "?",
            "!!",
            "??!",
            "!?",
            "?!",
            "+",
            "-",
            "+-",
            "+/-",
            "-/+",
            "=",
            "~",
            "<",
            "___",
            "/",
            "(",
            "(",
            ")",
            ")",
            "{",
            "}",
            "{}",
            "{ [%clk 0:01:02] }",
            "{a\n\nb}",
            "{\n[Event \"x\"]\n}",
            ";",
            "; to the end\n",
            "%",
            "\n% escape\n",
            "\n%",
            "[",
            "]",
            "\"",
            "\\",
            "#",
            "@",
            "^",
            "…",
            "\u{a0}",
            "\u{feff}",
            "é",
            "日",
            "[Event \"",
            "[Event \"x\"]",
            "\n[Event \"x\"]\n",
            "\n\n[Event \"y\"]\n",
            "\n[White \"w\"]",
            "\n\n[White \"w\"]",
            "[White \"a \\\" b\"]",
            "\n[Result \"1-0\"]\n",
            "[A \"\"]",
            "[A \"]\n",
            "[A b]\n",
            "[A]",
            "[\"a\"]",
            "White \"w\"]\n",
            "[ B\t\"b\" ]",
            "prose here",
            "1 e4",
            "1) e4",
            "{comment",
            "b}",
        ]
        .as_slice(),
    )
}

/// Bytes that are no text at all are as good as any.
fn noise() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        20 => token().prop_map(|token| token.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 1..4),
    ]
}

fn skips() -> impl Strategy<Value = Skips> {
    (prop::option::of(1..4_u64), prop::option::of(1..4_u64))
        .prop_map(|(games, variations)| Skips { games, variations })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_games(damages in prop::collection::vec(damage(), 1..8), portion in 1..300_usize, skips in skips()) {
        let text = damaged(GAMES.as_bytes(), &damages);
        compare_all_ways(&text, portion, skips).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn tokens_in_any_order(tokens in prop::collection::vec(noise(), 1..120), portion in 1..100_usize, skips in skips()) {
        compare_all_ways(&tokens.concat(), portion, skips).map_err(TestCaseError::fail)?;
    }

    /// The same at the end of a buffer.
    #[test]
    fn tokens_across_a_refill(tokens in prop::collection::vec(noise(), 1..60), before in 900..1024_usize) {
        let text = [" ".repeat(before).into_bytes(), tokens.concat()].concat();
        compare(&text, WHOLE, SMALL).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn any_bytes(text in prop::collection::vec(any::<u8>(), 0..400), portion in 1..100_usize, skips in skips()) {
        compare_all_ways(&text, portion, skips).map_err(TestCaseError::fail)?;
    }
}
