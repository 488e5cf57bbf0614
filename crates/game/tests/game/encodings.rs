//! Names and comments in every encoding that files of games use, in the large collections.

use std::fs;

use halfmove_game::pgn::{CommentStyle, Place, Reader, Text, Visitor, Word};

use crate::data::collections;

/// All texts of a file, as displayed, with single spaces.
#[derive(Debug, Default, PartialEq, Eq)]
struct Texts {
    tags: Vec<(String, String)>,
    comments: Vec<String>,
    moves: Vec<Vec<u8>>,
}

fn shown(text: Text<'_>) -> String {
    text.to_str().split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Visitor for Texts {
    fn tag(&mut self, name: Text<'_>, value: Text<'_>, _: Place<'_>) {
        self.tags.push((shown(name), shown(value)));
    }

    fn san(&mut self, san: Word<'_>, _: Place<'_>) {
        self.moves.push(san.as_bytes().to_vec());
    }

    fn comment(&mut self, text: Text<'_>, _: CommentStyle, _: Place<'_>) {
        self.comments.push(shown(text));
    }
}

fn texts(file: &str) -> Texts {
    let bytes = fs::read(collections().join("encodings").join(file)).expect(file);
    let mut texts = Texts::default();
    let mut reader = Reader::new(bytes.as_slice());
    while reader.read_game(&mut texts).expect("memory does not fail") {}
    texts
}

fn tag<'a>(texts: &'a Texts, name: &str) -> &'a str {
    let mut values = texts.tags.iter().filter(|(found, _)| found == name);
    &values.next().expect(name).1
}

#[test]
#[ignore = "needs HALFMOVE_DATA"]
fn names_and_comments() {
    // Scid's test of its own conversion: the second file is the conversion of the first.
    let latin1 = texts("scid_res_gameLatin1.pgn");
    let expected = texts("scid_res_gameLatin1expected.pgn");
    assert_eq!(tag(&latin1, "White"), "Kràmnìk, VlãÚdimir");
    assert_eq!(tag(&latin1, "Black"), "Topälov, Vèsélin");
    assert_eq!(tag(&latin1, "Site"), "Elista RÜS");
    assert_eq!(latin1.moves, expected.moves);
    assert_eq!(latin1.comments, expected.comments);
    assert!(latin1.comments.iter().any(|comment| comment.contains("German: Ä ä Ü ü ß")));
    for (name, value) in &latin1.tags {
        assert_eq!(value, tag(&expected, name), "{name}");
    }

    let utf8 = texts("scid_res_gameUTF8.pgn");
    assert_eq!(
        tag(&utf8, "White"),
        "Kramnik, Vladimir (Влади\u{301}мир Бори\u{301}сович Кра\u{301}мник)"
    );
    assert!(
        utf8.comments.iter().any(|comment| comment.contains("Russian: Я Б Г Д Ж Й Polish: Ł Ą Ż"))
    );

    // A byte order mark is not part of a game or a tag.
    assert_eq!(texts("Morphy_UTF8.pgn"), texts("Morphy_ANSI.pgn"));
    assert_eq!(texts("Morphy_UTF8.pgn").tags[0], ("Event".to_owned(), "New Orleans".to_owned()));
    assert_eq!(tag(&texts("utf8-bom.pgn"), "Event"), "A");
    assert_eq!(tag(&texts("kokopu_bom.pgn"), "Event"), "Olympiad-21 Final D");

    // Neither UTF-8 nor text in Windows-1252: no byte is lost.
    assert_eq!(tag(&texts("bad_utf8_real.pgn"), "Black"), "Dj\u{90}ukin,Marko");

    // Line ends of three systems.
    let linux = texts("kokopu_linebreak-linux.pgn");
    assert_eq!(linux.moves, [b"e5"]);
    assert_eq!(linux, texts("kokopu_linebreak-windows.pgn"));
    assert_eq!(linux, texts("kokopu_linebreak-mac.pgn"));
}
