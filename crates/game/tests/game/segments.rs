//! Segments, read one by one, give the same result as the whole text.

use std::fs;
use std::io::Read;
use std::path::Path;

use halfmove_game::pgn::{Counts, GameReader, Reader, Reading, SegmentStart, Segments};
use halfmove_game::{Annotations, Game, Input};
use proptest::prelude::*;

use crate::events::Events;

/// Games without annotations: a comment between two games may be separated from the second.
type Games = Vec<(Game, Reading)>;

fn read<R: Read>(mut reader: GameReader<R>) -> (Games, Counts, SegmentStart) {
    let (mut games, mut game) = (Vec::new(), Game::default());
    while let Some(reading) = reader.read(&mut game).expect("memory does not fail") {
        games.push((Game { annotations: Annotations::default(), ..game.clone() }, reading));
    }
    let (counts, start, _) = reader.finish();
    (games, counts, start)
}

/// A segment: the number of lines before it, and its blocks.
type Segment = (u64, Vec<Vec<u8>>);

/// The number of line ends: LF, CR LF or a lone CR.
fn line_ends(text: &[u8]) -> u64 {
    let lone = text.iter().enumerate().filter(|&(at, byte)| match byte {
        b'\n' => true,
        b'\r' => text.get(at + 1) != Some(&b'\n'),
        _ => false,
    });
    lone.count() as u64
}

fn segments(text: &[u8], size: usize) -> Vec<Segment> {
    let mut segments = Segments::with_block_size(text, size);
    let mut found: Vec<Segment> = Vec::new();
    let (mut lines, mut memory) = (0, vec![b'x'; 7]);
    let mut ended = true;
    while let Some(block) = segments.next_block(memory).expect("memory does not fail") {
        assert!(!block.bytes.is_empty());
        assert!(block.bytes.len() <= 2 * size.max(200), "{} of {size}", block.bytes.len());
        assert_eq!(block.begins, ended);
        ended = block.ends;
        if block.begins {
            found.push((lines, Vec::new()));
        }
        lines += line_ends(&block.bytes);
        found.last_mut().expect("a segment has begun").1.push(block.bytes.clone());
        memory = block.bytes;
    }
    assert!(ended && found.iter().flat_map(|(_, part)| part.concat()).eq(text.iter().copied()));
    found
}

/// The events of the tokenizer for a text after `lines` lines, without offsets.
fn events(text: &[u8], lines: u64) -> Vec<String> {
    let mut events = Events::default();
    let mut reader = Reader::new(text);
    while reader.read_game(&mut events).expect("memory does not fail") {}
    let renumbered = |event: &String| {
        let (name, place) = event.rsplit_once(' ')?;
        let (line, column) = place.split_once(':')?;
        let line: u64 = line.parse().ok()?;
        let name = name.split_once(" @").map_or(name, |(name, _)| name);
        Some(format!("{name} {}:{column}", line + lines))
    };
    events.lines.iter().map(|event| renumbered(event).unwrap_or_else(|| event.clone())).collect()
}

/// Compares segments with the whole; returns the number of segments.
fn compare(text: &[u8], size: usize) -> usize {
    let parts = segments(text, size);
    let (mut games, mut counts) = (Vec::new(), Counts::default());
    let mut start = SegmentStart::default();
    for (lines, blocks) in &parts {
        assert_eq!((start.games, start.lines), (counts.games, *lines), "{}", text.escape_ascii());
        // Like an import: the first block in its own memory, the others from a stream.
        let rest = blocks[1..].concat();
        let (mut found, mut more, length) =
            read(GameReader::with_text(blocks[0].clone(), rest.as_slice()));
        for (_, reading) in &mut found {
            match reading {
                Reading::Whole => {}
                Reading::Faulty(error) => start.renumber_error(error),
                Reading::Skipped(skip) => start.renumber_skip(skip),
            }
        }
        start.renumber_counts(&mut more);
        start.add(length);
        counts.add(&more);
        games.append(&mut found);
    }
    let expected = read(GameReader::new(text));
    assert_eq!((start.games, start.lines), (counts.games, line_ends(text)));
    assert_eq!(games.len(), expected.0.len(), "{}", text.escape_ascii());
    for (game, expected) in games.iter().zip(&expected.0) {
        assert_eq!(game, expected, "{}", text.escape_ascii());
    }
    assert_eq!(counts, expected.1, "{}", text.escape_ascii());
    let parts_of = |(lines, part): &Segment| events(&part.concat(), *lines);
    let found: Vec<String> = parts.iter().flat_map(parts_of).collect();
    for (found, expected) in found.iter().zip(&events(text, 0)) {
        assert_eq!(found, expected, "{}", text.escape_ascii());
    }
    assert_eq!(found.len(), events(text, 0).len(), "{}", text.escape_ascii());
    parts.len()
}

/// The result does not depend on the end of the first block.
#[test]
fn a_cut_anywhere() {
    let text = "\u{feff}% e\n[Event \"a\"]\n[White \"b \\\" c\"]\n\n1. e4 e5 (1... -- 2. Nf3+- 1/2-1/2) \
        {c [%clk 0:01:00]} $14 2.0-0-0!? (1... 0000 @@@@ Z0) e8(Q)e4 exd6 e.p. e8=Q# ; line\r\n% f\r\n\
        1\u{2026}Nf6+/- 0-1\n\n\n[Event \"d\"]\n\n1. d4 d5 2. e8(Q)# *\n\nsome words\n\n1. c4 1-0 {end}";
    // Less than 128 bytes of a game wait for more.
    let text = &text.replacen("1. e4", &format!("{{{}}} 1. e4", "far from the tags ".repeat(9)), 1);
    let expected = read(GameReader::new(text.as_bytes()));
    assert_eq!(expected.0.len(), 3);
    for at in 0..=text.len() {
        let (first, rest) = text.as_bytes().split_at(at);
        assert_eq!(read(GameReader::with_text(first.to_vec(), rest)), expected, "{at}");
    }
}

/// Pieces of text that try to hide or to fake the beginning of a game.
const PIECES: &[&str] = &[
    "[Event \"A\"]\n",
    "[Event \"B\"]\n[White \"C\"]\n",
    "[Event \"\"]",
    "[Event \"no end\n",
    "[Event\n",
    "[Events \"x\"]\n",
    " [Event \"indented\"]\n",
    "[White \"over two\nlines\"]\n",
    "[White \"one \\\" quote\"]\n",
    "[White \"open\n\n",
    "[FEN \"nonsense\"]\n",
    "[Variant \"atomic\"]\n",
    "White \"no bracket\"]\n",
    "\n",
    "\n\n",
    "\n\n\n",
    " \n\n",
    "\r\n",
    "\r\n\r\n",
    "\r",
    "\u{feff}",
    "1-0",
    " 0-1",
    " 1/2-1/2\n\n",
    " *\n\n",
    "*",
    "1. e4 e5 2. Nf3 *\n\n",
    "1. e4 (1. d4 0000 2. e5 0-1) e8(Q)+ @@@@",
    "1. e4 e5 2. Ke3 Nc6 *\n\n",
    "1. d4 {comment} d5 1-0\r\n\r\n",
    "1. d4 d5 2. c4 dxc4 3. Qa4+ (3. e4 b5) b5 1/2-1/2\n\n",
    "{",
    "}",
    "{ open 1-0\n\n",
    "{ nested { braces }",
    "(",
    "((1. e4 ",
    ")",
    "; a comment 1-0\n\n",
    "% an escape *\n\n",
    "%",
    ";",
    "Some prose between the games.\n\n",
    "Prose that ends with 1-0\n\n",
    "e4 ",
    "$1 ",
    "\0",
    "Gr\u{fc}nfeld ",
    "\\\n\n",
    "\"]\n\n",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn hostile_texts(
        pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..60),
        size in 1..700_usize,
    ) {
        compare(pieces.concat().as_bytes(), size);
    }
}

#[test]
fn texts_that_hide_games() {
    for text in [
        "",
        "\n\n[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n1. d4 *\n\n",
        "1. e4 { open *\n\n[Event \"B\"]\n\n1. d4 } *\n\n[Event \"C\"]\n\n*\n\n",
        "[White \"x *\n\n[Event \"B\"]\n1. d4 *\n\n[Event \"C\"]\n\n",
        "1. e4 (1. d4 (1. c4 *\n\n[Event \"B\"]\n\n1. d4 ) *\n\n[Event \"C\"]\n",
        "Hello *\n\n[Event \"B\"]\n\n1. d4 ; *\n\n[Event \"C\"]\n\n1. f4 % *\n\n[Event \"D\"]\n\n",
        "1. e4 *\n\n\n[Event \"B\"]\n\n1. d4 1-0\r\n\r\n\r\n\r\n[Event \"C\"]\n\n*\n\n\n",
        "1. e4 *\r\r[Event \"B\"]\r\r1. d4 *\r\r[Event \"C\"]\r",
        "1. e4 *\n\n{before B}\n\n[Event \"B\"]\n\n1. d4 *\n\n",
    ] {
        // Long enough to fill some blocks.
        for text in [text.to_owned(), text.repeat(40), format!("\u{feff}{}", text.repeat(7))] {
            for size in [1, 200, 501, 1 << 20] {
                compare(text.as_bytes(), size);
            }
        }
    }
}

/// Every real file of the repository, cut as often as possible.
#[test]
fn real_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let mut files = 0;
    for folder in ["games", "malformed", "makruk"] {
        for entry in fs::read_dir(root.join(folder)).expect("test data") {
            let path = entry.expect("test data").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            if !name.contains(".pgn") {
                continue;
            }
            let mut text = Vec::new();
            let mut input = Input::open(&path).expect("test data");
            input.read_to_end(&mut text).expect("a sound file");
            let sizes: &[usize] = if text.len() > 1 << 20 { &[100_000] } else { &[200, 3_000] };
            for &size in sizes {
                let parts = compare(&text, size);
                let expected = text.len() / size / 2;
                let usual = ["masters", "lichess"].iter().any(|usual| name.starts_with(usual));
                assert!(!usual || parts >= expected.min(40), "{name}: only {parts} segments");
            }
            files += 1;
        }
    }
    assert!(files > 4, "{files} files");
}

/// Some programs write two blank lines between games, or a blank line and a result on a separate line.
#[test]
fn games_are_separated_by_any_text() {
    for between in [" 1-0\n\n", " 1/2-1/2\n\n\n", " *\r\n\r\n\r\n\r\n", "\n*\n\n", "\n0-1\r\n\r\n"]
    {
        let text = format!("[Event \"A\"]\n\n1. e4 e5 2. Nf3 {{a knight}}{between}").repeat(100);
        assert!(compare(text.as_bytes(), 400) > 10, "{between:?}");
    }
}
