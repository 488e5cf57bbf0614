//! The tables of the pages on codecs, generated from the code and from the record of the benchmark.
//!
//! `HALFMOVE_BLESS=1 cargo test -p halfmove-codecs --lib` updates them.

use std::fs;
use std::path::Path;

use halfmove_game::pgn::read_game;

use crate::{CODECS, Codec, DecodeErrorKind, Holds, dense, named};

/// The cell of a reserved byte.
pub(crate) const RESERVED: &str = "–";

/// A table of all bytes, eight per row.
pub(crate) fn of_bytes(meaning: impl Fn(u8) -> String) -> String {
    let mut table =
        String::from("| | 0 / 8 | 1 / 9 | 2 / a | 3 / b | 4 / c | 5 / d | 6 / e | 7 / f |\n");
    table += &format!("|{}\n", " --- |".repeat(9));
    for row in (0..=255u8).step_by(8) {
        let cells: Vec<_> = (row..=row + 7).map(&meaning).collect();
        table += &format!("| `{row:02x}` | {} |\n", cells.join(" | "));
    }
    table
}

/// Compares a named part of a page with a text.
pub(crate) fn check(page: &str, name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference").join(page);
    let whole = fs::read_to_string(&path).expect(page);
    let begin = format!("<!-- table: {name} -->\n");
    let (before, rest) = whole.split_once(&begin).expect(name);
    let (found, after) = rest.split_once("<!-- end -->").expect("an end");
    if std::env::var_os("HALFMOVE_BLESS").is_some() {
        fs::write(&path, format!("{before}{begin}{text}<!-- end -->{after}")).expect(page);
    } else {
        assert_eq!(found, text, "{page}, {name}");
    }
}

/// Checks that the bytes that a table calls reserved are rejected as such, even where a game would continue, and that
/// no others are.
pub(crate) fn check_reserved(codec: &dyn Codec, meaning: impl Fn(u8) -> String) {
    for byte in 0..=255 {
        // Enough bytes after any code.
        let reserved = [&[byte, 0, 0, 0xff][..], &[byte, 1, 0, 0xff], &[byte, 0xff]].map(|bytes| {
            let error = codec.decode(bytes).err();
            error.is_some_and(|error| {
                error.offset == 0 && error.kind == DecodeErrorKind::Reserved(byte)
            })
        });
        assert_eq!(reserved, [meaning(byte) == RESERVED; 3], "{} {byte:02x}", codec.name());
    }
}

/// `NNE`: the direction of a step.
pub(crate) fn direction((files, ranks): (i8, i8)) -> String {
    let letters = |count: i8, plus: &str, minus: &str| {
        (if count > 0 { plus } else { minus }).repeat(usize::from(count.unsigned_abs()))
    };
    let (ranks_text, files_text) = (letters(ranks, "N", "S"), letters(files, "E", "W"));
    match ranks {
        1 | -1 if files.abs() == 2 => format!("{0}{ranks_text}{0}", &files_text[..1]),
        _ => ranks_text + &files_text,
    }
}

/// The purpose of a codec.
fn purpose(name: &str) -> &'static str {
    match name {
        "halfmove" => "archives and searches: positions are replayed without generating moves",
        "whole" => "games with comments, variations and all else",
        "gametext" => "the bytes of the program jose",
        "gametext-document" => "the same, as jose's manual describes them",
        "brenner" => "Brenner's notation, in the layout that his paper begins with",
        "brenner-alternate" => "the same, in the layout that his paper ends with",
        "numbered-11" => "moves of a fixed width that name their squares",
        "numbered-12" => "the same, and the kind of piece",
        "numbered-13" => "the same, and the color",
        "dense" => {
            "games that are sent or kept: the fewest bytes, at less than a hundredth of the speed"
        }
        other => panic!("{other} has no purpose"),
    }
}

/// The parts of a game that a codec holds, by the names of `halfmove encode --list`.
fn held(holds: &Holds) -> String {
    if *holds == Holds::EVERYTHING {
        return "all that is read of a game".to_owned();
    }
    let parts = [
        (holds.starts, "other starts"),
        (holds.makruk, "Makruk"),
        (holds.result, "result"),
        (holds.glyphs, "glyphs"),
        (holds.comments, "comments"),
        (holds.variations, "variations"),
        (holds.words, "words"),
        (holds.spelling, "spelling"),
        (holds.all_tags, "tags"),
    ];
    let parts = parts.iter().filter(|(is_held, _)| *is_held).map(|(_, part)| (*part).to_owned());
    let tags = (!holds.tags.is_empty()).then(|| format!("tags {}", holds.tags.join(", ")));
    let parts: Vec<_> = parts.chain(tags).collect();
    if parts.is_empty() { RESERVED.to_owned() } else { parts.join(", ") }
}

/// The Scholar's Mate in bytes, and its queen's move bit by bit.
fn picture() -> String {
    let moves = ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"];
    let game = read_game("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#").expect("a game");
    let codes = |name: &str| {
        let codec = named(name).expect(name);
        let (mut bytes, mut codes) = (Vec::new(), Vec::new());
        codec.encode_moves(&game.start, &game.moves, &mut bytes).expect("a main line");
        codec.dump(&bytes, &mut |code| codes.push(code.clone())).expect("its own bytes");
        let found: Vec<_> = codes.iter().map(|code| code.meaning.as_str()).take(7).collect();
        assert_eq!(found, moves, "{name}");
        (bytes, codes)
    };
    let names = ["gametext", "brenner", "brenner-alternate", "halfmove"];
    let heading: String = moves.iter().map(|san| format!("{san:5}")).collect();
    let mut text = format!("{:19}{}\n", "", heading.trim_end());
    for name in names {
        let row: String = codes(name).0[..7].iter().map(|byte| format!("{byte:02x}   ")).collect();
        text += &format!("{name:19}{}\n", row.trim_end());
    }
    text += "\nQh5\n";
    for (name, meaning) in [
        ("gametext", "the queen's codes begin at 70; offset 4: on the rising diagonal, to rank 5"),
        ("brenner", "a queen, 4 squares, north-east"),
        ("brenner-alternate", "a queen, north-east, 4 squares"),
        ("halfmove", "the queen's codes begin at a0; code 31: north-east, 4 squares"),
        ("numbered-11", "number 93: from d1 to h5"),
    ] {
        let (bytes, codes) = codes(name);
        let (byte, fields) = (bytes[2], &codes[2].fields);
        let bits = match name {
            "gametext" => {
                assert_eq!((byte, fields.as_str()), (0x70 + 4, "queen, 4"));
                format!("{:04b} {:04b}", byte >> 4, byte & 15)
            }
            "halfmove" => {
                let expected = "queen d1, NE4 (piece 14, code 31)";
                assert_eq!((byte, fields.as_str()), (0xa0 + 31, expected));
                format!("{:04b} {:04b}", byte >> 4, byte & 15)
            }
            _ => fields.clone(),
        };
        assert!(name != "numbered-11" || u16::from_str_radix(&bits, 2) == Ok(93), "{bits}");
        text += &format!("{name:19}{bits:13}{meaning}\n");
    }
    text
}

#[test]
fn picture_of_the_page_and_of_the_crate() {
    let picture = picture();
    check("codecs.md", "picture", &format!("```text\n{picture}```\n"));
    let documented: String =
        picture.lines().map(|line| format!("//! {line}").trim_end().to_owned() + "\n").collect();
    assert!(include_str!("lib.rs").contains(&documented), "{documented}");
}

/// The bits in the summary are those of the record; all else comes from the code.
#[test]
fn summary_of_the_guide() {
    let record = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/record/codecs.md");
    let record = fs::read_to_string(record).expect("the record");
    let bits = |name: &str, games: &str| {
        let row =
            record.lines().find_map(|line| line.strip_prefix(&format!("| {name} | {games} | ")));
        row.and_then(|row| row.split(" | ").next()).expect(name).to_owned()
    };
    // The model has not seen these games.
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/dense.md");
    let page = fs::read_to_string(page).expect("the page");
    let unseen = |games: &str| {
        let row = page.lines().find_map(|line| line.strip_prefix(&format!("| {games} | ")));
        row.and_then(|row| row.split(" | ").nth(2)).expect(games).to_owned()
    };
    let mut table = String::from(
        "| codec | bits a half-move: masters | online | also holds | use it for |\n\
         | --- | ---: | ---: | --- | --- |\n",
    );
    for codec in CODECS {
        let name = codec.name();
        let (masters, online) = match name {
            "dense" => (unseen("masters"), unseen("online")),
            _ => (bits(name, "masters"), bits(name, "online")),
        };
        let (held, purpose) = (held(&codec.holds()), purpose(name));
        table += &format!("| `{name}` | {masters} | {online} | {held} | {purpose} |\n");
    }
    check("../guide/bytes.md", "summary", &table);
}

/// The features of the codec `dense` are the tables of the code.
#[test]
fn features_of_the_page() {
    let mut text = String::from("| table | weights | index |\n| --- | ---: | --- |\n");
    for table in dense::TABLES {
        text += &format!("| {} | {} | {} |\n", table.name, table.len, table.index);
    }
    let all: usize = dense::TABLES.iter().map(|table| table.len).sum();
    text += &format!("| all | {all} | |\n");
    check("dense.md", "features", &text);
}
