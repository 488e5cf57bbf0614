//! The tables of the pages on codecs, made from the code and the record of the benchmark.
//!
//! `HALFMOVE_BLESS=1 cargo test -p halfmove-game --lib` writes them anew.

use std::fs;
use std::path::Path;

use super::{CODECS, Codec, DecodeErrorKind, Holds};

/// What stands in a table for a byte that is no code.
pub(super) const RESERVED: &str = "–";

/// A table of all bytes, eight in a row.
pub(super) fn of_bytes(meaning: impl Fn(u8) -> String) -> String {
    let mut table =
        String::from("| | 0 / 8 | 1 / 9 | 2 / a | 3 / b | 4 / c | 5 / d | 6 / e | 7 / f |\n");
    table += &format!("|{}\n", " --- |".repeat(9));
    for row in (0..=255u8).step_by(8) {
        let cells: Vec<_> = (row..=row + 7).map(&meaning).collect();
        table += &format!("| `{row:02x}` | {} |\n", cells.join(" | "));
    }
    table
}

/// Compares the part of a page that has a name with a text.
pub(super) fn check(page: &str, name: &str, text: &str) {
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

/// The bytes that a table calls reserved are refused as such, even where a game would go on, and no
/// others are.
pub(super) fn check_reserved(codec: &dyn Codec, meaning: impl Fn(u8) -> String) {
    for byte in 0..=255 {
        // Enough for whatever a code may need behind it.
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
pub(super) fn direction((files, ranks): (i8, i8)) -> String {
    let letters = |count: i8, plus: &str, minus: &str| {
        (if count > 0 { plus } else { minus }).repeat(usize::from(count.unsigned_abs()))
    };
    let (ranks_text, files_text) = (letters(ranks, "N", "S"), letters(files, "E", "W"));
    match ranks {
        1 | -1 if files.abs() == 2 => format!("{0}{ranks_text}{0}", &files_text[..1]),
        _ => ranks_text + &files_text,
    }
}

/// When to use a codec.
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
        other => panic!("{other} has no purpose"),
    }
}

/// The parts of a game that a codec holds, by the names that `halfmove encode --list` has for them.
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

/// The bits of the summary are those of the record; the rest is the code's.
#[test]
fn summary_of_the_guide() {
    let record = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/record/codecs.md");
    let record = fs::read_to_string(record).expect("the record");
    let bits = |name: &str, games: &str| {
        let row =
            record.lines().find_map(|line| line.strip_prefix(&format!("| {name} | {games} | ")));
        row.and_then(|row| row.split(" | ").next()).expect(name).to_owned()
    };
    let mut table = String::from(
        "| codec | bits a half-move: masters | online | also holds | use it for |\n\
         | --- | ---: | ---: | --- | --- |\n",
    );
    for codec in CODECS {
        let name = codec.name();
        let (masters, online) = (bits(name, "masters"), bits(name, "online"));
        let (held, purpose) = (held(&codec.holds()), purpose(name));
        table += &format!("| `{name}` | {masters} | {online} | {held} | {purpose} |\n");
    }
    check("../guide/bytes.md", "summary", &table);
}
