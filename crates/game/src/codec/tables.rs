//! The tables of the reference pages, made from the code.
//!
//! `HALFMOVE_BLESS=1 cargo test -p halfmove-game --lib` writes them anew.

use std::fs;
use std::path::Path;

use super::{Codec, DecodeErrorKind};

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
