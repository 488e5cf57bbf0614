//! The tokenizer on each form of text, valid and broken.

use halfmove_game::pgn::Reader;

use crate::events::{Events, brief, events};

/// The events of one game without tags.
fn movetext(text: &str) -> String {
    let mut lines = brief(format!("[A \"\"]\n\n{text}"));
    assert_eq!(lines.drain(..3).collect::<Vec<_>>(), ["game 1:1", "tag A=", "moves"], "{text}");
    assert_eq!(lines.pop().as_deref(), Some("end"), "{text}");
    lines.join(" ")
}

/// The tags of one tag section, and its problems.
fn tags(text: &str) -> Vec<String> {
    let mut lines = brief(format!("{text}\n\n*\n"));
    assert_eq!(lines.remove(0), "game 1:1", "{text}");
    assert_eq!(lines.split_off(lines.len() - 3), ["moves", "result *", "end"], "{text}");
    lines
}

#[test]
fn moves_with_and_without_numbers() {
    for text in [
        "1. e4 e5 2. Nf3 *",
        "1.e4 e5 2.Nf3 *",
        "1.e4 1...e5 2.Nf3*",
        "1. e4 1... e5 2. Nf3 *",
        "1 e4 e5 2 Nf3 *",
        "e4 e5 Nf3 *",
        "1.\ne4\r\ne5\n\n2.\tNf3\x0b*",
        "1. e4 1. ... e5 2. Nf3 *",
        "1.e4 1\u{2026}e5 2.Nf3 *",
        "1\u{a0}e4 e5 2.\u{a0}Nf3 *",
        "%hidden\n1. e4 e5\n% *\n2. Nf3 *",
    ] {
        assert_eq!(movetext(text), "e4 e5 Nf3 result *", "{text}");
    }
}

#[test]
fn words() {
    assert_eq!(movetext("1. O-O 0-0-0 0-0 1-0"), "O-O 0-0-0 0-0 result 1-0");
    assert_eq!(movetext("e8=Q+ e8Q# e8(Q) b1(N)+ *"), "e8=Q+ e8Q# e8(Q) b1(N)+ result *");
    assert_eq!(movetext("exd6e.p. exd6 e.p. 0-1"), "exd6 exd6 result 0-1");
    assert_eq!(movetext("0000 0000 1. 0000. 00000 @@@@ @@@@@").replace("StrayCharacter ", "?"), {
        "0000 0000 @@@@ ?3:31 ?3:32 ?3:33 ?3:34 ?3:35"
    });
    assert_eq!(movetext("-- Z0 Ng1-f3 e2:d3 @@@ *").replace("StrayCharacter ", "?"), {
        "-- Z0 Ng1-f3 e2:d3 ?3:20 ?3:21 ?3:22 result *"
    });
}

#[test]
fn results() {
    for (token, result) in [
        ("1-0", "1-0"),
        ("0-1", "0-1"),
        ("1/2-1/2", "1/2-1/2"),
        ("1/2", "1/2-1/2"),
        ("½-½", "1/2-1/2"),
        ("*", "*"),
    ] {
        assert_eq!(movetext(&format!("e4 {token}")), format!("e4 result {result}"));
        assert_eq!(movetext(&format!("e4 (d4 {token}) e5")), "e4 ( d4 ) e5", "{token}");
    }
    assert_eq!(movetext("e4 e5"), "e4 e5");
    assert_eq!(movetext(""), "");
}

#[test]
fn glyphs() {
    assert_eq!(movetext("e4! e5? f4!! d5?? c4!? b5?! a4!!! *"), {
        "e4 $1 e5 $2 f4 $3 d5 $4 c4 $5 b5 $6 a4 $3 result *"
    });
    assert_eq!(
        movetext("e4 $1$14 $139 $999 $ *"),
        "e4 $1 $14 $139 $999 StrayCharacter 3:20 result *"
    );
    assert_eq!(movetext("e4 = e5 +/- f4 -+ d5 N a6 RR *"), {
        "e4 $10 e5 $16 f4 $19 d5 $146 a6 $145 result *"
    });
}

#[test]
fn comments() {
    assert_eq!(
        movetext("1.{ b }e4{}e5;c } (\nf4 {d;e\nf} *"),
        "{ b } e4 {} e5 {c } (} f4 {d;e\nf} result *"
    );
    // A comment before the first move precedes the end of the tags, but does not end them.
    assert_eq!(
        brief("[A \"\"]\n{a}\n[B \"\"]\n;b\n1. e4 *")[1..7],
        ["tag A=", "{a}", "tag B=", "{b}", "moves", "e4"]
    );
    // Braces do not nest.
    assert_eq!(movetext("e4 {a {b} c} *"), "e4 {a {b} c StrayCharacter 3:12 result *");
    assert_eq!(movetext("e4 {[%clk 0:01:00]\n[#]} e5 *"), "e4 {[%clk 0:01:00]\n[#]} e5 result *");
}

#[test]
fn variations() {
    assert_eq!(movetext("e4 (d4 (c4) (b4)) e5 *"), "e4 ( d4 ( c4 ) ( b4 ) ) e5 result *");
    assert_eq!(movetext("e4 ) e5 *"), "e4 StrayParenthesis 3:4 e5 result *");
    assert_eq!(movetext("e4 (d4 (c4 *"), "e4 ( d4 ( c4 UnclosedVariation 3:13 ) )");
}

/// Deep nesting takes neither stack nor time.
#[test]
fn a_bomb_of_parentheses() {
    let depth = 2_000_000;
    let text = "(".repeat(depth);
    let lines = brief(format!("1. e4 {text}"));
    assert_eq!(lines.iter().filter(|line| *line == "(").count(), depth);
    assert_eq!(lines.iter().filter(|line| *line == ")").count(), depth);
    assert_eq!(lines.last().map(String::as_str), Some("end"));
}

#[test]
fn sound_tags() {
    assert_eq!(tags("[White \"Morphy, Paul\"]"), ["tag White=Morphy, Paul"]);
    assert_eq!(tags("[A \"\"][B \"b\"] [C \"c\"]"), ["tag A=", "tag B=b", "tag C=c"]);
    assert_eq!(tags("[ A\t\"a\" ]  \n\n\n [B\"b\"]"), ["tag A=a", "tag B=b"]);
    assert_eq!(tags(r#"[A "\"q\" \\ \b"]"#), [r#"tag A="q" \ \b"#]);
    assert_eq!(tags("[A \" [] {} ; ( \"]"), ["tag A= [] {} ; ( "]);
    assert_eq!(tags("[A \"a\"]\r\n[B \"b\"]\r\n"), ["tag A=a", "tag B=b"]);
    assert_eq!(tags("[A \"a\"]\r[B \"b\"]\r"), ["tag A=a", "tag B=b"]);
    assert_eq!(tags("[A \"1\"]\n[A \"2\"]"), ["tag A=1", "tag A=2"]);
    assert_eq!(
        tags("[A \"a\"]\n; c\n%hidden\n{d}\n[B \"b\"]"),
        ["tag A=a", "{ c}", "{d}", "tag B=b"]
    );
}

#[test]
fn broken_tags() {
    // Quotes inside a value.
    assert_eq!(tags("[A \"Lopez \"Battle Royale\"\"]"), ["tag A=Lopez \"Battle Royale\""]);
    // A backslash that escapes nothing.
    assert_eq!(tags("[A \"Ugra \\\"]"), ["MalformedTag 1:1", "tag A=Ugra \\"]);
    // No bracket, no quote, no quotes, no value, no name, not a name.
    assert_eq!(tags("[A \"a\"\n[B \"b\"]"), ["MalformedTag 1:1", "tag A=a", "tag B=b"]);
    assert_eq!(tags("[A \"a]\n[B \"b\"]"), ["MalformedTag 1:1", "tag A=a", "tag B=b"]);
    assert_eq!(tags("[A \"a\n[B \"b\"]"), ["MalformedTag 1:1", "tag A=a", "tag B=b"]);
    assert_eq!(tags("[B \"b\"]\n[A a]"), ["tag B=b", "MalformedTag 2:1", "tag A=a"]);
    assert_eq!(tags("[B \"b\"]\n[A]"), ["tag B=b", "MalformedTag 2:1"]);
    assert_eq!(tags("[B \"b\"]\n[\"a\"]"), ["tag B=b", "MalformedTag 2:1"]);
    assert_eq!(tags("[B \"b\"]\n[%~ \"a\"]"), ["tag B=b", "MalformedTag 2:1"]);
    // No opening bracket.
    assert_eq!(tags("[B \"b\"]\nA \"a\"]"), ["tag B=b", "MalformedTag 2:1", "tag A=a"]);
    // A line break inside.
    assert_eq!(tags("[A \"on\nthe Earth\"]\n[B \"b\"]"), {
        ["MalformedTag 1:1", "tag A=on the Earth", "tag B=b"]
    });
}

/// The ends of games whose result, or more, is missing.
#[test]
fn where_games_end() {
    let games = |text: &str| brief(text).iter().filter(|line| line.starts_with("game")).count();
    // The next tag begins a line.
    assert_eq!(games("[A \"\"]\n1. e4\n[B \"\"]\n1. e4 *"), 2);
    assert_eq!(games("[A \"\"]\n1. e4 (1. d4\n [B \"\"]\n1. e4 *"), 2);
    // No movetext at all: a tag name repeats, or the first tag of the roster appears.
    assert_eq!(games("[Event \"\"]\n[A \"\"]\n\n[Event \"\"]\n[A \"\"]\n\n[A \"\"]\n"), 3);
    assert_eq!(games("[Event \"\"]\n[A \"\"]\n[Event \"\"]\n[A \"\"]\n"), 2);
    // A blank line within the tags (ChessBase writes these).
    assert_eq!(games("[Event \"\"]\n\n[Date \"\"]\n\n1. e4 *"), 1);
    // Blank lines within the moves.
    assert_eq!(games("[A \"\"]\n\n1. e4\n\ne5\n\n\n2. Nf3\n\n*\n"), 1);
    // No tags.
    assert_eq!(games("1. e4 e5 * 1. d4 d5 *\n\n1. c4 *"), 3);
    assert_eq!(games("e4 e5 *\nNf3 Nf6 *"), 2);
    // No line breaks.
    assert_eq!(games("[A \"\"] 1. e4 * [A \"\"] 1. e4 * [A \"\"] *"), 3);
}

#[test]
fn an_unclosed_comment_ends_with_its_game() {
    let expected = [
        "game 1:1",
        "tag Event=a",
        "moves",
        "e4",
        "{ lost\n2. Nf3\n\n}",
        "UnclosedComment 3:7",
        "end",
    ];
    let next = ["game 6:1", "tag Event=b", "moves", "d4", "{kept}", "result *", "end"];
    let lines = brief("[Event \"a\"]\n\n1. e4 { lost\n2. Nf3\n\n[Event \"b\"]\n\n1. d4 {kept} *\n");
    assert_eq!(lines[..4], expected[..4]);
    assert_eq!(lines[4], "{ lost\n2. Nf3\n\n}");
    assert_eq!(lines[5..7], expected[5..]);
    assert_eq!(lines[7..], next);
    // After a blank line any tag ends it; otherwise none does.
    assert_eq!(
        brief("[A \"\"]\n\ne4 {\n\n[A \"\"]\n\n*").iter().filter(|l| *l == "end").count(),
        2
    );
    assert_eq!(brief("[A \"\"]\n\ne4 {\n[A \"\"]\n} *").iter().filter(|l| *l == "end").count(), 1);
    // Before the first move, between games, at the end of the file.
    assert_eq!(brief("[A \"\"]\n{\n[Event \"\"]\n*").iter().filter(|l| *l == "end").count(), 2);
    assert_eq!(brief("{\n[Event \"\"]\n*").iter().filter(|l| *l == "end").count(), 1);
    assert_eq!(movetext("e4 {"), "e4 {} UnclosedComment 3:4");
}

#[test]
fn text_outside_games() {
    let lines =
        brief("This is a book.\n1. Buy milk\n[section]\nkey = value\n\n1. e4 *\n*\nand so on");
    assert_eq!(
        lines,
        [
            "outside This is a book.",
            "outside 1. Buy milk",
            "outside [section]",
            "outside key = value",
            "game 6:1",
            "moves",
            "e4",
            "result *",
            "end",
            "outside *",
            "outside and so on",
        ]
    );
    assert!(brief("").is_empty());
    assert!(brief("\n \r\n\t\u{feff}\n").is_empty());
    let long = "x".repeat(1_000_000);
    assert_eq!(brief(&long), [format!("outside {}", "x".repeat(128))]);
}

#[test]
fn encodings() {
    assert_eq!(brief("\u{feff}[A \"é\"] *")[1], "tag A=é");
    assert_eq!(brief(b"[A \"\xe9\x80\"] *")[1], "tag A=é€");
    assert_eq!(brief(b"[A \"a\"] {\xe9} *")[2], "{é}");
}

/// Lines are counted across refills of the buffer, with any kind of line ending.
#[test]
fn places() {
    for end in ["\n", "\r\n", "\r"] {
        let text = format!("[A \"a\"]{end}{end}1. e4{end}e5{end}").repeat(30_000);
        let lines = events(text.as_bytes(), usize::MAX);
        let game = text.len() / 30_000 * 29_999;
        let expected = [
            format!("game {}:1", 29_999 * 4 + 1),
            "tag A=a".to_owned(),
            "moves".to_owned(),
            format!("e4 @{} {}:4", game + 10 + 2 * end.len(), 29_999 * 4 + 3),
            format!("e5 @{} {}:1", game + 12 + 3 * end.len(), 29_999 * 4 + 4),
            "end".to_owned(),
        ];
        assert_eq!(lines[lines.len() - 6..], expected, "{end:?}");
    }
}

/// A token larger than the buffer.
#[test]
fn long_tokens() {
    let comment = "c".repeat(3_000_000);
    assert_eq!(
        movetext(&format!("e4 {{{comment}}} e5 *")),
        format!("e4 {{{comment}}} e5 result *")
    );
    let word = "w".repeat(300_000);
    assert_eq!(movetext(&format!("{word} *")), format!("{word} result *"));
}

/// Tokens on each side of the maximum length: they arrive whole, or in pieces that add up to the whole, with each piece
/// but the last reported. The text after them is read as usual.
#[test]
fn tokens_above_the_limit() {
    const LIMIT: usize = 1000;
    let mut cut = 0;
    for length in (500..1100).chain([2000, 4000, 10_000, 1_000_000]) {
        let comment: String = ('a'..='z').cycle().take(length).collect();
        let text = format!("[A \"a\"]\n\n1. e4 {{{comment}}} e5 *\n\n1. d4 *");
        let mut events = Events::default();
        let mut reader = Reader::with_longest_token(text.as_bytes(), LIMIT);
        while reader.read_game(&mut events).expect("memory does not fail") {}
        let pieces =
            events.lines.iter().filter_map(|line| line.strip_prefix('{')?.strip_suffix('}'));
        let pieces: Vec<&str> = pieces.collect();
        assert_eq!(pieces.concat(), comment, "{length}");
        assert!(pieces.iter().all(|piece| piece.len() <= LIMIT), "{length}");
        let reported = events.lines.iter().filter(|line| line.starts_with("LongToken")).count();
        assert_eq!(reported, pieces.len() - 1, "{length}");
        cut += usize::from(reported > 0);
        assert!(length > LIMIT || pieces.len() <= 2, "{length}");
        assert!(length < LIMIT - 100 || reported > 0 || length <= LIMIT, "{length}");
        let moves = events.lines.iter().filter(|line| line.contains(" @")).count();
        assert_eq!((moves, events.games), (3, 2), "{length}");
    }
    assert!(cut > 100, "only {cut} comments were cut");
    // A comment that does not end is never split within the beginning of the next game.
    for next in
        ["\n[Event \"b\"]", "\r\n[Event \"b\"]", "\n\n[White \"b\"]", "\n \n \n[White \"b\"]"]
    {
        for length in 500..2100 {
            let text = format!("1. e4 {{{}{next}\n\n1. d4 *", "c".repeat(length));
            let mut events = Events::default();
            let mut reader = Reader::with_longest_token(text.as_bytes(), LIMIT);
            while reader.read_game(&mut events).expect("memory does not fail") {}
            let kept = events.lines.iter().filter(|line| line.starts_with('{'));
            let kept: usize = kept.map(|line| line.matches('c').count()).sum();
            assert_eq!((events.games, kept), (2, length), "{next:?} {length} {:?}", events.lines);
        }
    }
    // The same for a tag and for a word.
    for text in [
        format!("[A \"{}\"]\n\n1. e4 *", "v".repeat(5000)),
        format!("1. e4 {} *", "w".repeat(5000)),
    ] {
        let mut events = Events::default();
        let mut reader = Reader::with_longest_token(text.as_bytes(), LIMIT);
        while reader.read_game(&mut events).expect("memory does not fail") {}
        let problems = ["LongToken", "MalformedTag"];
        assert!(
            events.lines.iter().any(|line| problems.iter().any(|p| line.starts_with(p))),
            "{:?}",
            events.lines
        );
        assert!(events.lines.iter().all(|line| line.len() <= LIMIT + 100), "{:?}", events.lines);
        assert!(events.lines.iter().any(|line| line == "result *"), "{:?}", events.lines);
    }
}
