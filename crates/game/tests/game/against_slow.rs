//! The tokenizer compared with its oracle, event by event and place by place.

use halfmove_game::Game;
use halfmove_game::pgn::GameReader;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngSeed, TestCaseError, TestRunner};

use crate::damage::{GAMES, damage, damaged};
use crate::data::{all_files, collections, game_files, name_below, testdata, unpacked};
use crate::properties::compare_as;
use crate::recorder::Skips;

/// The reader's own buffer, which no token of a test fills.
const USUAL: usize = 16 * 1024 * 1024;

/// Small enough to be refilled often, large enough for all tokens of [`GAMES`].
const SMALL: usize = 1024;

const WHOLE: usize = usize::MAX;

/// All variations and every third game.
const SKIPS: Skips = Skips { games: Some(3), variations: Some(1) };

fn compare(text: &[u8], portion: usize, buffer: usize) -> Result<u64, String> {
    compare_as::<true>(text, portion, buffer, Skips::NONE)
}

/// Compares a text of any kind.
pub(crate) fn compare_whole(text: &[u8]) -> Result<u64, String> {
    compare(text, WHOLE, USUAL)
}

/// Compares a text whose tokens are all short, read in every way.
fn compare_all_ways(text: &[u8], portion: usize, skips: Skips) -> Result<(), String> {
    compare(text, WHOLE, USUAL)?;
    compare(text, portion, USUAL)?;
    compare_as::<false>(text, portion, USUAL, Skips::NONE)?;
    compare_as::<true>(text, WHOLE, USUAL, skips)?;
    compare_as::<false>(text, WHOLE, USUAL, skips)?;
    Ok(())
}

#[test]
fn real_files() {
    let mut games = 0;
    for path in game_files(&testdata()) {
        let text = unpacked(&path);
        for portion in [WHOLE, 4093] {
            match compare(&text, portion, USUAL) {
                Ok(count) => games += count,
                Err(error) => panic!("{}: {error}", path.display()),
            }
        }
    }
    assert!(games > 10_000, "only {games} games");
}

/// Each byte of the games is once at the end of the buffer, and at each place of a vector.
#[test]
fn each_place_in_the_buffer() {
    for shift in 0..=SMALL {
        let text = [" ".repeat(shift), GAMES.repeat(2)].concat();
        compare(text.as_bytes(), WHOLE, SMALL).unwrap_or_else(|error| panic!("{shift}: {error}"));
    }
}

/// More spaces than the buffer keeps of the text before.
const BLANKS: &str = match std::str::from_utf8(&[b' '; 150]) {
    Ok(blanks) => blanks,
    Err(_) => "",
};

/// The detection of the beginning of a line, and of a blank line before it, does not depend on the place where the
/// buffer begins.
#[test]
fn many_blanks_anywhere_in_the_buffer() {
    let thin = BLANKS.replace("  ", " \u{2009}\u{a0}");
    let wide = [
        GAMES.replace("\n[", &format!("\n{thin}[")),
        GAMES.replace("\n\n", &format!("\n{thin}\n")),
        GAMES.replace("\n[", &format!("\n{BLANKS}[")),
        GAMES.replace("\n\n", &format!("\n{BLANKS}\n")),
        GAMES.replace("] ", &format!("]{BLANKS}")),
        format!(
            "[Event \"a\"]{BLANKS}[White \"b\"]\n{BLANKS}\n[White \"c\"]\n\n1. e4 {BLANKS}[White \"d\"]\n*"
        ),
    ];
    for text in wide {
        for shift in 0..=SMALL {
            let text = [" ".repeat(shift), text.clone()].concat();
            compare(text.as_bytes(), WHOLE, SMALL)
                .unwrap_or_else(|error| panic!("{shift}: {error}"));
        }
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

/// Portions of any size up to 300 bytes, as from a pipe.
#[test]
fn each_portion() {
    for portion in 1..300 {
        compare(GAMES.as_bytes(), portion, USUAL).unwrap();
    }
}

/// Skipping affects nothing but the skipped part.
#[test]
fn skipping() {
    let skips = [Some(1), Some(2), Some(3), Some(5), None];
    let files: Vec<_> = game_files(&testdata()).into_iter().map(|p| (unpacked(&p), p)).collect();
    for (games, variations) in skips.iter().flat_map(|a| skips.iter().map(move |b| (*a, *b))) {
        let skips = Skips { games, variations };
        compare_all_ways(GAMES.as_bytes(), 5, skips).unwrap();
        for (text, path) in files.iter().filter(|(text, _)| text.len() < 100_000) {
            compare_all_ways(text, WHOLE, skips)
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
    }
}

/// Everything that the tokenizer distinguishes, and text that only looks like it.
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
            "e8(Q)+",
            "0000",
            "@@@@",
            "\u{feff}%",
            "8(",
            "18(",
            "1 (",
            BLANKS,
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
            "[White w \"x\"]\n",
            "[Event e \"x\"]\n",
            "[A]",
            "[\"a\"]",
            "White \"w\"]\n",
            "[ B\t\"b\" ]",
            "prose here",
            "1 e4",
            "1) e4",
            "±",
            "+−",
            "−",
            "=∞",
            "––",
            "🙂",
            "Nf3±",
            "‼",
            "00",
            "000+",
            "00.",
            "0.5-0.5",
            "0,5:0,5",
            "0.5 – ½",
            "0.",
            "5-0",
            "5",
            ".5",
            "1:0",
            "0–1",
            "0–0",
            "0",
            "1",
            ":",
            ",",
            " - ",
            "½",
            "½ : ½.",
            "1-0.",
            "1/2 - 1/2",
            "O–O",
            "{comment",
            "b}",
        ]
        .as_slice(),
    )
}

/// Bytes that are not text.
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

/// Every game of the large collections, and every game of the damaged small files.
#[test]
#[ignore = "needs HALFMOVE_DATA"]
fn all_collections() {
    let (mut games, mut broken) = (0, Vec::new());
    let mut random = TestRunner::deterministic();
    let damages = prop::collection::vec(damage(), 1..30);
    for path in game_files(&collections()) {
        let text = unpacked(&path);
        let mut note = |result: Result<u64, String>, what: &str| match result {
            Ok(count) => games += count,
            Err(error) => {
                broken.push(format!("{}{what}: {error}", name_below(&path, &collections())));
            }
        };
        note(compare(&text, 65_537, USUAL), "");
        note(compare_as::<false>(&text, WHOLE, USUAL, SKIPS), ", skipping");
        if text.len() < 500_000 {
            for number in 0..10 {
                let damages = damages.new_tree(&mut random).expect("no filter").current();
                let text = damaged(&text, &damages);
                note(compare(&text, WHOLE, USUAL), &format!(", damage {number}"));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert!(games > 1_000_000, "only {games} games");
}

/// All files with faults, and everything else in their folders: the reader reaches their end, with the games that the
/// oracle finds.
#[test]
#[ignore = "needs HALFMOVE_DATA"]
fn malformed_files() {
    let mut files = 0;
    for folder in ["malformed", "encodings"] {
        for path in all_files(&collections().join(folder)) {
            let text = unpacked(&path);
            let read = compare_all_ways(&text, 7, SKIPS).and_then(|()| compare(&text, 1, USUAL));
            let games = read.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let mut reader = GameReader::new(text.as_slice());
            let (mut game, mut count) = (Game::default(), 0);
            while reader.read(&mut game).expect("memory does not fail").is_some() {
                count += 1;
            }
            assert_eq!(count, games, "{}", path.display());
            files += 1;
        }
    }
    assert!(files >= 321, "only {files} files");
}
