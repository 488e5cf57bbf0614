//! Games as bytes: PGN round-trips through a file of each codec, and games that cannot are reported.

use crate::golden::{check, json};
use crate::program::{Finished, halfmove, ok, run, testdata};
use halfmove_codecs::{CODECS, Codec};
use halfmove_game::pgn::{Format, GameReader, Reading};
use halfmove_game::{Game, Input};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use tempfile::TempDir;

/// The scholar's mate, and a game with everything that some codec cannot hold.
const TWO: &str = "[White \"Scholar\"]\n[Black \"Fool\"]\n[ECO \"C20\"]\n\n\
    1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6?? 4. Qxf7# 1-0\n\n\
    [White \"A\"]\n\n1. d4 $14 {a pawn} ; and a line\n d5 (1... Nf6) 1/2-1/2\n\n";

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        fs::write(self.path(name), bytes).unwrap();
        self.path(name)
    }
}

/// The games of a file that a codec can hold, as `pgn normalize` writes them, and the number of the
/// others.
fn expected(codec: &dyn Codec, path: &Path) -> (String, u64) {
    let mut reader = GameReader::new(Input::open(path).unwrap());
    let (mut game, mut text, mut others) = (Game::default(), String::new(), 0);
    while let Some(reading) = reader.read(&mut game).unwrap() {
        let is_skipped = matches!(reading, Reading::Skipped(_));
        if is_skipped || codec.encode(&game, &mut Vec::new()).is_err() {
            others += 1;
            continue;
        }
        Format::new().in_standard_order().append(&game, &mut text).unwrap();
    }
    (text, others)
}

#[test]
fn games_come_back() {
    let folder = Folder::new();
    let (coded, pgn) = (folder.path("games.hmg"), folder.path("games.pgn"));
    // The large files once: the crate of the codecs has all of them in every codec.
    let names = ["chess960.pgn", "setup.pgn", "lichess.pgn.zst", "masters.pgn.zst"];
    for (index, codec) in CODECS.into_iter().enumerate() {
        for name in &names[..if index == 0 { 4 } else { 2 }] {
            let source = testdata("games").join(name);
            let (text, others) = expected(codec, &source);
            let source = source.to_str().unwrap();
            let output = run(&["encode", "--codec", codec.name(), source, "--force", "-o", &coded]);
            let what = format!("{name} in {}: {}", codec.name(), output.err);
            assert_eq!((output.code, output.out.as_str()), (i32::from(others > 0), ""), "{what}");
            ok(&["decode", &coded, "--force", "-o", &pgn]);
            assert!(fs::read_to_string(&pgn).unwrap() == text, "{what}");
            if others == 0 {
                assert!(ok(&["pgn", "normalize", source]) == text, "{what}");
            }
        }
    }
}

/// An archive goes there and back: clocks, evaluations, comments, variations, other starts, Chess960, Makruk, faults.
#[test]
fn an_archive_is_packed_and_unpacked() {
    let folder = Folder::new();
    let [archive, packed, copy] = ["archive", "games.hmz", "copy"].map(|name| folder.path(name));
    let names = ["annotated.pgn.zst", "chess960.pgn", "lichess.pgn.zst", "makruk.pgn", "setup.pgn"];
    let sources = names.map(|name| testdata("games").join(name).to_str().unwrap().to_owned());
    let faults = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/faults.pgn");
    let mut import = vec!["import", &archive, faults.to_str().unwrap(), "--quiet"];
    import.extend(sources.iter().map(String::as_str));
    run(&import);
    let pgn = ok(&["export", &archive]);
    assert!(pgn.len() > 500_000, "{}", pgn.len());

    let output = run(&["pack", &archive, "-o", &packed]);
    assert_eq!((output.code, output.out.as_str()), (0, ""), "{}", output.err);
    let bytes = fs::metadata(&packed).unwrap().len();
    assert!(bytes * 8 < pgn.len() as u64, "{bytes} of {}", pgn.len());
    let is_counted =
        output.err.contains(" games in ") && output.err.contains(" a game, written to ");
    assert!(is_counted, "{}", output.err);
    assert!(ok(&["decode", &packed]) == pgn);
    run(&["import", &copy, &packed, "--duplicates", "keep"]);
    assert!(ok(&["export", &copy]) == pgn);

    let cut = folder.file("cut.hmz", &fs::read(&packed).unwrap()[..1_000]);
    let new = folder.path("new");
    for args in [&["decode", &cut][..], &["import", &new, &cut]] {
        let output = run(args);
        assert_eq!(output.code, 2, "{}", output.err);
        assert!(output.err.contains("cut.hmz: byte 1000: the file is cut off"), "{}", output.err);
    }
    assert!(!Path::new(&new).exists());
    let output = run(&["pgn", "check", &packed]);
    assert!(output.err.contains("these are packed games, expected PGN"), "{}", output.err);

    let makruk = ["--variant", "makruk"];
    ok(&[&["pack", &archive, "--force", "-o", &packed], &makruk[..]].concat());
    assert!(ok(&["decode", &packed]) == ok(&[&["export", &archive], &makruk[..]].concat()));
    let none = folder.path("none.hmz");
    let output = run(&["pack", &archive, "--player", "nobody of this name", "-o", &none]);
    assert_eq!((output.code, Path::new(&none).exists()), (1, false), "{}", output.err);
}

/// The text after a fault of the main line is words, which some codecs hold.
#[test]
fn faulty_games_come_back() {
    let folder = Folder::new();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/faults.pgn");
    let coded = folder.path("games.hmg");
    let holds = |codec: &&dyn Codec| codec.holds().words && !codec.holds().makruk;
    let codec = CODECS.into_iter().find(holds).expect("a codec with words");
    let (text, others) = expected(codec, &source);
    let output = run(&[
        "encode",
        "--codec",
        codec.name(),
        source.to_str().unwrap(),
        "--force",
        "-o",
        &coded,
    ]);
    assert_eq!((output.code, others), (1, 3), "{output:?}");
    assert!(output.err.contains("Atomic"), "{output:?}");
    assert!(output.err.contains("3 games left out\n7 games with errors among those"), "{output:?}");
    // A glyph comes back in its usual spelling.
    assert_eq!(ok(&["decode", &coded]), text.replace(" e5 $1 ", " e5! "));
}

/// After a move that cannot be played, words come back renumbered, as the reference says. `normalize` copies such
/// games.
#[test]
fn line_ends_and_numbers_are_not_kept() {
    let folder = Folder::new();
    let page = include_str!("../../../../docs/reference/whole.md");
    let (_, section) = page.split_once("\n## What is not kept\n").unwrap();
    let mut lines = section.split_once("```text\n").unwrap().1.lines();
    let (written, kept) = (lines.next().unwrap(), lines.next().unwrap());
    let tags = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"A\"]\n[Black \"?\"]\n\
        [Result \"1-0\"]\n\n";
    let source = folder.file("faulty.pgn", format!("{tags}{written}\n\n"));
    let coded = folder.path("faulty.hmg");
    ok(&["encode", &source, "--force", "-o", &coded]);
    assert_eq!(ok(&["decode", &coded]), format!("{tags}{kept}\n\n"));
    assert_eq!(ok(&["pgn", "normalize", &source]), format!("{tags}{written}\n\n"));
    let help = ok(&["decode", "--help"]);
    assert!(
        help.contains("Games without errors are written as `halfmove\npgn normalize` writes them"),
        "{help}"
    );
    let help = ok(&["encode", "--help"]);
    assert!(help.contains("No codec keeps what the PGN reader skips"), "{help}");
}

/// A comment that PGN cannot hold unchanged is shown, and does not end a file.
#[test]
fn any_comment_comes_out() {
    for (codec, hex) in [("gametext", "13e0ff617d620a6300"), ("brenner", "2c00617d620a6300")] {
        let output = ok(&["dump", "--codec", codec, "--hex", hex]);
        assert!(output.contains("comment") && output.contains("a}b"), "{output}");
    }
    let folder = Folder::new();
    // Twice the same record.
    let record = b"\x01\x00\x08\x2c\x00a}b\nc\x00";
    let bytes =
        [b"\x89HMG\r\n\x1a\n\x01\x07brenner\x01", &record[..], record, b"\x00\x02"].concat();
    let text = ok(&["decode", &folder.file("comments.hmg", bytes)]);
    assert_eq!(text.matches("\n1. e4 ;a}b c\n*\n\n").count(), 2, "{text}");
}

#[test]
fn pipes() {
    let folder = Folder::new();
    let source = testdata("games/lichess.pgn.zst");
    let bytes = folder.path("lichess.hmg");
    ok(&["encode", "--codec", "gametext", source.to_str().unwrap(), "-o", &bytes]);
    let piped = |args: &[&str], input: Vec<u8>| {
        let mut child =
            halfmove(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let writing = std::thread::spawn(move || {
            // For one game, not all of the file is read.
            let _ = stdin.write_all(&input);
        });
        let output = child.wait_with_output().unwrap();
        writing.join().unwrap();
        assert_eq!(output.status.code(), Some(0));
        output.stdout
    };
    let coded = piped(&["encode", "--codec", "gametext", "-"], fs::read(&source).unwrap());
    assert_eq!(coded, fs::read(&bytes).unwrap());
    assert_eq!(piped(&["decode", "-"], coded.clone()), ok(&["decode", &bytes]).into_bytes());
    assert!(
        String::from_utf8(piped(&["dump", "-"], coded))
            .unwrap()
            .contains("game 1 of standard input: ")
    );
}

#[test]
fn reports() {
    let folder = Folder::new();
    let (source, coded) = (folder.file("two.pgn", TWO), folder.path("two.hmg"));
    let encode = |codec: &str, more: &[&str]| {
        run(&[&["encode", "--codec", codec, &source, "--force", "-o", &coded], more].concat())
    };
    let output = encode("brenner", &[]);
    assert_eq!((output.code, output.out.as_str()), (1, ""));
    assert_eq!(
        output.err,
        format!(
            "error: {source}: game 2, after 1. d4: brenner cannot hold glyphs other than !, ?, \
             !!, ??, !? and ?!\n\
             1 game left out\n\
             1 game with 7 half-moves in 27 bytes of brenner: 30.86 bits a half-move, 27.0 bytes a game\n\
             {HINT}"
        )
    );
    let output = encode("brenner", &["--format", "json"]);
    check("encode.json", &json(&output.out));
    let output = encode("brenner", &["--format", "csv"]);
    check("encode.csv", &output.out);
    // Twenty reasons are listed by default, all on request.
    let many = folder.file("many.pgn", TWO.repeat(30));
    let encode = ["encode", "--codec", "brenner", &many, "--force", "-o", &coded];
    for (more, reasons) in [(&[][..], 20), (&["--limit", "7"], 7), (&["--limit", "0"], 30)] {
        let output = run(&[&encode[..], more].concat());
        assert_eq!(output.err.matches("error: ").count(), reasons, "{more:?}: {output:?}");
    }
}

/// The hint for games that a codec cannot hold.
const HINT: &str = "hint: --codec whole holds every game that can be played; or strip the games first: halfmove pgn normalize \
    --no-comments --no-variations --no-nags\n";

/// Without `--codec` nothing is left out, and following the hint helps.
#[test]
fn games_that_a_codec_cannot_hold() {
    let folder = Folder::new();
    let (source, coded) = (folder.file("two.pgn", TWO), folder.path("two.hmg"));
    let output = run(&["encode", &source, "--force", "-o", &coded]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.err.contains(" of whole: ") && !output.err.contains("hint"), "{output:?}");
    assert_eq!(ok(&["decode", &coded]), ok(&["pgn", "normalize", &source]));
    let halfmove =
        |source: &str| run(&["encode", "--codec", "halfmove", source, "--force", "-o", &coded]);
    let output = halfmove(&source);
    assert!(output.code == 1 && output.err.ends_with(HINT), "{output:?}");
    let flags = ["--no-comments", "--no-variations", "--no-nags"];
    let stripped = ok(&[&["pgn", "normalize", &source], &flags[..]].concat());
    let output = halfmove(&folder.file("stripped.pgn", stripped));
    assert!(output.code == 0 && !output.err.contains("hint"), "{output:?}");
    // A game that no codec can hold gets no hint.
    let atomic = folder.file("atomic.pgn", "[Variant \"Atomic\"]\n\n1. e4 *\n");
    let output = halfmove(&atomic);
    assert!(output.code == 1 && !output.err.contains("hint"), "{output:?}");
}

/// Stripping is not suggested where it does not help.
#[test]
fn hints_help() {
    let folder = Folder::new();
    let coded = folder.path("start.hmg");
    let start = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 {a} *\n\n";
    let source = folder.file("start.pgn", start);
    let output = run(&["encode", "--codec", "numbered-11", &source, "--force", "-o", &coded]);
    let hint = "\nhint: --codec whole holds every game that can be played\n";
    assert!(output.code == 1 && output.err.ends_with(hint), "{output:?}");
    let both = folder.file("both.pgn", format!("{start}1. e4 {{a}} *\n"));
    let output = run(&["encode", "--codec", "numbered-11", &both, "--force", "-o", &coded]);
    assert!(output.code == 1 && output.err.ends_with(HINT), "{output:?}");
}

/// A game that is too long to be kept complete is left out, even if it has an earlier error.
#[test]
fn games_that_are_too_long() {
    let folder = Folder::new();
    let coded = folder.path("long.hmg");
    let comment = format!("{{{}}}", "words ".repeat(6 << 20));
    let variations = format!("{}{}", "(c5 ".repeat(700_000), ")".repeat(700_000));
    for (name, moves, also) in [
        ("comment", format!("1. e4 {comment} e5"), ""),
        ("error", format!("1. e4 Ke5 {comment}"), "; after that, the game is too long"),
        ("variations", format!("1. e4 e5 {variations}"), ""),
    ] {
        let source = folder.file(&format!("{name}.pgn"), format!("{moves} *\n\n1. d4 *\n"));
        let output = run(&["encode", &source, "--force", "-o", &coded]);
        assert_eq!(output.code, 1, "{output:?}");
        let first = output.err.lines().next().unwrap();
        assert!(first.contains(": game 1, line 1, column") && first.ends_with(also), "{output:?}");
        assert!(first.contains("game is too long"), "{output:?}");
        assert!(output.err.contains("1 game left out\n1 game with 1 half-move"), "{output:?}");
        assert!(ok(&["decode", &coded]).ends_with("\n1. d4 *\n\n"), "{name}");
        let output = run(&["encode", "--strict", &source, "-o", &folder.path("strict.hmg")]);
        assert!(output.code == 2 && output.err.contains("game is too long"), "{output:?}");
        assert!(!Path::new(&folder.path("strict.hmg")).exists());
        let output = run(&["pgn", "check", &source]);
        assert!(output.code == 1 && output.out.contains("game is too long"), "{output:?}");
        let output = run(&["import", &folder.path(name), &source]);
        assert!(output.code == 0 && output.err.contains("1 game with a fault"), "{output:?}");
    }
}

#[test]
fn codes_are_shown() {
    let folder = Folder::new();
    let (source, coded) = (folder.file("two.pgn", TWO), folder.path("two.hmg"));
    for codec in ["whole", "gametext", "brenner", "brenner-alternate"] {
        run(&["encode", "--codec", codec, &source, "--force", "-o", &coded]);
        let table = ok(&["dump", &coded]);
        check(&format!("dump_{codec}.txt"), &table.replace(&coded, "two.hmg"));
    }
    let short = folder.file("short.pgn", "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0");
    ok(&["encode", "--codec", "numbered-11", &short, "--force", "-o", &coded]);
    check("dump_numbered-11.txt", &ok(&["dump", &coded]).replace(&coded, "two.hmg"));
    ok(&["encode", "--codec", "halfmove", &short, "--force", "-o", &coded]);
    check("dump_halfmove.txt", &ok(&["dump", &coded]).replace(&coded, "two.hmg"));
    let makruk = "e4 20 b0 b0 11 11 01";
    check("dump_makruk.txt", &ok(&["dump", "--codec", "halfmove", "--hex", makruk]));
    let bytes = "13 13 74 222b";
    let output = run(&["dump", "--codec", "gametext", "--hex", bytes, "--format", "json"]);
    assert_eq!(output.code, 2, "{output:?}");
    check("dump.json", &json(&output.out));
    let output = run(&["dump", "--codec", "brenner", "--hex", "2c c1"]);
    assert!(output.out.contains("001 01 100") && output.out.contains("e4"), "{output:?}");
    assert_eq!(output.err, "error: byte 1: 0xc1 is not a code of this version\n");
}

#[test]
fn codecs_are_listed() {
    let table = ok(&["encode", "--list"]);
    let (table, legend) = table.split_once("\n\n").unwrap();
    let listed: Vec<_> = table.lines().skip(1).filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(listed, CODECS.map(|codec| codec.name()));
    let objects: serde_json::Value =
        serde_json::from_str(&ok(&["encode", "--list", "--format", "json"])).unwrap();
    assert_eq!(objects.as_array().unwrap().len(), CODECS.len());
    assert_eq!(objects[0]["version"], CODECS[0].version());
    // The columns have the same names and meanings everywhere.
    let guide = include_str!("../../../../docs/guide/pgn-files.md");
    let encode = ok(&["encode", "--help"]);
    let columns: Vec<_> = table.lines().next().unwrap().split_whitespace().skip(2).collect();
    assert_eq!(columns.len(), 9, "{columns:?}");
    for column in columns {
        let explained = legend.lines().find_map(|line| line.strip_prefix(&format!("  {column} ")));
        let meaning = explained.unwrap_or_else(|| panic!("{column}: {legend}")).trim();
        let row = format!("| `{column}` | {meaning} |");
        assert!(
            guide
                .replace("`!`, `?`, `$14`", "!, ?, $14")
                .replace("`!?` or `$5`", "!? or $5")
                .contains(&row),
            "{row}"
        );
        assert!(objects[0].get(column).is_some(), "{column}: {objects}");
        assert!(encode.contains(&format!(", {column}")), "{column}: {encode}");
    }
    let help = ok(&["encode", "--help"]);
    assert!(CODECS.iter().all(|codec| help.contains(&format!("- {}: ", codec.name()))), "{help}");
}

fn fails(args: &[&str], word: &str) -> Finished {
    let output = run(args);
    assert!(output.code == 2 && output.out.is_empty(), "{args:?}: {output:?}");
    assert!(output.err.contains(word) && !output.err.contains("panicked"), "{args:?}: {output:?}");
    output
}

#[test]
fn mistakes() {
    let folder = Folder::new();
    let (source, coded) = (folder.file("two.pgn", TWO), folder.path("two.hmg"));
    let encode = |more: &[&str], word: &str| {
        fails(&[&["encode", "--codec", "brenner", &source], more].concat(), word);
        assert!(!Path::new(&coded).exists());
    };
    encode(&["-o", &coded, "--strict"], "game 2, after 1. d4: brenner cannot hold");
    encode(&["--strict"], "--output");
    encode(&["--format", "json"], "expected --output FILE");
    encode(&["missing.pgn", "--force", "-o", &coded], "was not written");
    encode(&["-o", &source], "is being read");
    assert_eq!(fs::read_to_string(&source).unwrap(), TWO);
    fails(&["encode", "--codec", "morse", &source], "numbered-11");
    let output = fails(&["decode", &source], "two.pgn: this is not a file of coded games\nhint: ");
    assert!(output.err.contains("PGN is read by `halfmove import`"), "{output:?}");
    fails(&["dump", &source], "two.pgn: this is not a file of coded games");
    fails(&["decode", &folder.file("empty.hmg", b"")], "this is not a file of coded games");
    fails(&["decode", &folder.path("missing.hmg")], "no such file");
    fails(&["dump"], "required");
    let output = fails(&["dump", "--hex", "13"], "--codec <NAME>");
    let usage = "Usage: halfmove dump [OPTIONS] <FILE>\n       \
        halfmove dump [OPTIONS] --codec <NAME> --hex <BYTES>\n";
    assert!(output.err.contains(usage), "{output:?}");
    fails(&["dump", "--codec", "gametext", "--hex", "1"], "two digits for each byte");
    fails(&["dump", "--codec", "gametext", "--hex", "1g"], "'g' is not a hexadecimal digit");
    // The second has invalid annotations, not moves.
    for (codec, bytes, error) in [
        ("halfmove", "e4", "error: byte 1: the bytes end too early, expected more\n"),
        ("whole", "00 00 01 ff 00 00", "error: byte 3: 0xff is not a code of this version\n"),
    ] {
        let output = run(&["dump", "--codec", codec, "--hex", bytes]);
        assert_eq!((output.code, output.err.as_str()), (2, error));
    }
    run(&["encode", "--codec", "brenner", &source, "--force", "-o", &coded]);
    let other = format!("--codec gametext: {coded} is in brenner\nhint: ");
    fails(&["dump", "--codec", "gametext", &coded], &other);
    assert_eq!(ok(&["dump", "--codec", "brenner", &coded]), ok(&["dump", &coded]));
    let (archive, pgn) = (folder.path("archive"), folder.path("out.hmg"));
    for args in [
        &["import", &archive, &coded][..],
        &["import", &archive, &source, &coded],
        &["pgn", "check", &coded],
        &["encode", &coded, "-o", &pgn],
        &[&coded],
    ] {
        let hint = format!("these are coded games, expected PGN\nhint: `halfmove decode {coded}`");
        fails(args, &hint);
    }
    assert!(!Path::new(&archive).exists() && !Path::new(&pgn).exists());
    fails(&["dump", &coded, "--game", "2"], "--game 2: ");
    fails(&["dump", &coded, "--game", "0"], "games are numbered from 1");
    fails(&["dump", &coded, "--game", "first"], "games are numbered from 1");
    fails(&["decode", &coded, "--force", "-o", &coded], "is being read");
}

/// A file that is cut off anywhere, or has a byte changed, gives an error or games, and leaves no partial
/// file.
#[test]
fn damaged_files() {
    let folder = Folder::new();
    let (source, coded) = (folder.file("two.pgn", TWO), folder.path("two.hmg"));
    run(&["encode", "--codec", "gametext", &source, "--force", "-o", &coded]);
    let bytes = fs::read(&coded).unwrap();
    let out = folder.path("out.pgn");
    for end in 0..bytes.len() {
        let cut = folder.file("cut.hmg", &bytes[..end]);
        let word = if end == 0 { "not a file of coded games" } else { "the file is cut off" };
        let output = fails(&["decode", &cut, "-o", &out], word);
        assert!(end <= 20 || output.err.contains("cut.hmg: game "), "{end}: {output:?}");
        assert!(!Path::new(&out).exists());
    }
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 0x55;
        let output = run(&["decode", &folder.file("changed.hmg", &changed)]);
        assert!(
            [0, 2].contains(&output.code) && !output.err.contains("panicked"),
            "{at}: {output:?}"
        );
    }
}
