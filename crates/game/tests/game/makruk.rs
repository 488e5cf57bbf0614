//! Makruk in PGN: games of other programs, styles, starts, counts, faults.

use halfmove_game::codec::halfmove;
use halfmove_game::pgn::{Counts, Format, GameReader, Reading, Writer};
use halfmove_game::{Annotations, CountCall, Game, GameResult};
use halfmove_rules::makruk::{CountingPolicy, Honor, Rules, SanStyle};
use halfmove_rules::{AnyPosition, Color, Makruk, Outcome, Variant};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::Value;
use std::path::Path;

const MAKRUK: Variant = Variant::Makruk;

/// The rows of a file of JSON lines.
fn rows(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/makruk").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn words<'a>(row: &'a Value, column: &str) -> Vec<&'a str> {
    row[column].as_str().expect("text").split_whitespace().collect()
}

/// A game of these moves in UCI.
fn game(start: impl Into<AnyPosition>, moves: &[&str]) -> Game {
    let start = start.into();
    let (mut position, mut game) = (start.clone(), Game::from(start));
    for text in moves {
        let mv = position.parse_uci(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        position.play_unchecked(mv);
        game.moves.push(mv);
    }
    game
}

fn write(game: &Game, style: SanStyle) -> String {
    let mut writer = Writer::new(Vec::new()).with_format(Format::new().with_san_style(style));
    writer.write(game).expect("sound names");
    String::from_utf8(writer.into_inner()).expect("text")
}

fn read_all(mut reader: GameReader<&[u8]>) -> (Vec<(Reading, Game)>, Counts) {
    let (mut games, mut game) = (Vec::new(), Game::default());
    while let Some(reading) = reader.read(&mut game).expect("memory does not fail") {
        games.push((reading, game.clone()));
    }
    (games, reader.counts().clone())
}

fn read_one(text: &str) -> (Reading, Game, Counts) {
    let (mut games, counts) = read_all(GameReader::new(text.as_bytes()));
    assert_eq!(games.len(), 1, "{text}");
    let (reading, game) = games.remove(0);
    (reading, game, counts)
}

/// The moves of a movetext, without numbers, comments and the result.
fn sans(text: &str) -> Vec<&str> {
    let movetext = text.split_once("\n\n").expect("movetext").1;
    let mut in_comment = false;
    let words = movetext.split_whitespace().filter(|word| {
        let comment = in_comment || word.starts_with('{');
        in_comment = comment && !word.ends_with('}');
        !comment && !word.ends_with('.') && GameResult::from_token(word.as_bytes()).is_none()
    });
    words.collect()
}

/// Checks that a written game reads back the same, with each count where the moves put it.
fn check_round_trip(game: &Game, style: SanStyle) -> String {
    let text = write(game, style);
    let (games, counts) = read_all(GameReader::new(text.as_bytes()).with_san_style(style));
    let [(Reading::Whole, found)] = games.as_slice() else { panic!("{text}: {games:?}") };
    assert_eq!(found.moves, game.moves, "{text}");
    assert_eq!(found.count_calls, game.count_calls, "{text}");
    assert_eq!(found.start.to_string(), game.start.to_string(), "{text}");
    assert_eq!(found.final_position().to_string(), game.final_position().to_string(), "{text}");
    assert_eq!(counts.unusable_counts, 0, "{text}");
    if let (AnyPosition::Makruk(found), AnyPosition::Makruk(start)) = (&found.start, &game.start) {
        assert_eq!((found.policy(), found.promoted()), (start.policy(), start.promoted()));
    }
    text
}

#[test]
fn games_of_pyffish() {
    for row in rows("games.jsonl") {
        let mut game = game(Makruk::default(), &words(&row, "moves"));
        game.result = row["result"].as_str().and_then(|token| token.parse().ok());
        assert!(game.result.is_some(), "{row}");
        let text = check_round_trip(&game, SanStyle::Fairy);
        assert_eq!(sans(&text), words(&row, "san"), "{text}");
        assert!(text.starts_with("[Variant \"Makruk\"]\n\n1. "), "{text}");
        let counted = row["reason"] == "counting";
        assert_eq!(
            game.final_position().outcome() == Some(Outcome::CountingDraw),
            counted,
            "{row}"
        );
        // That count follows from the moves, so it is written only on request.
        assert!(!text.contains("{[%count "), "{text}");
        let mut with_counts = String::new();
        Format::new().with_all_counts().append(&game, &mut with_counts).expect("sound names");
        assert!(!counted || with_counts.contains("{[%count "), "{with_counts}");
        for style in SanStyle::ALL {
            check_round_trip(&game, style);
        }
    }
}

/// Games between humans. The file names neither the variant nor the notation.
#[test]
fn games_of_playok() {
    for row in rows("real_games.jsonl") {
        let (playok, result) = (row["playok"].as_str().expect("text"), &row["result"]);
        let result = result.as_str().expect("text");
        let text = format!("[Site \"PlayOK\"]\n[Result \"{result}\"]\n\n{playok} {result}\n");
        let reader =
            GameReader::new(text.as_bytes()).with_variant(MAKRUK).with_san_style(SanStyle::PlayOk);
        let (games, counts) = read_all(reader);
        let [(Reading::Whole, found)] = games.as_slice() else { panic!("{text}: {games:?}") };
        assert_eq!(found.moves, game(Makruk::default(), &words(&row, "uci")).moves, "{text}");
        assert_eq!(found.final_position().to_string(), row["final_fen"].as_str().expect("text"));
        assert_eq!(
            (counts.half_moves, counts.faulty),
            (row["plies"].as_u64().expect("a number"), 0)
        );
        assert_eq!(sans(&write(found, SanStyle::PlayOk)), words(&row, "playok"));
        assert_eq!(sans(&write(found, SanStyle::Fairy)), words(&row, "san"));
        // Nothing is guessed: read as chess, or with other letters, the game ends at the first piece move.
        let (games, _) = read_all(GameReader::new(text.as_bytes()));
        assert!(matches!(
            &games[0],
            (Reading::Faulty(_), Game { start: AnyPosition::Chess(_), .. })
        ));
    }
}

#[test]
fn several_variants_in_one_file() {
    let text = "[Variant \"makruk\"]\n\n1. Sc2 Sf7 *\n\n[White \"a\"]\n\n1. e4 c5 *\n\n\
        [FEN \"rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR w - - 0 1\"]\n[Variant \"ASEAN\"]\n\n1. Qc2 Qc7 *\n\n\
        [Variant \"Chess960\"]\n[FEN \"rk5r/8/8/8/8/8/8/RK5R w HAha - 0 1\"]\n\n1. O-O O-O-O *\n\n\
        [Variant \"Atomic\"]\n\n1. e4 *\n\n[Variant \"Makpong\"]\n\n1. e3e4 d6d5 *\n\n[Variant \"\"]\n\n1. Nf3 *\n";
    let (games, counts) = read_all(GameReader::new(text.as_bytes()));
    let variants: Vec<_> = games
        .iter()
        .map(|(reading, game)| match reading {
            Reading::Whole => format!("{} {}", game.start.variant(), game.moves.len()),
            Reading::Skipped(skip) => skip.to_string(),
            Reading::Faulty(error) => error.to_string(),
        })
        .collect();
    let unknown = "game 5, line 19, column 1: skipped, variant \"Atomic\" is not known, \
                   expected chess, chess960, makruk, makpong, asean";
    let expected =
        ["makruk 2", "chess 2", "asean 2", "chess960 2", unknown, "makpong 2", "chess 1"];
    assert_eq!(variants, expected);
    assert_eq!((counts.games, counts.half_moves, counts.skipped()), (7, 11, 1));
    // A reader of chess skips them with a reason.
    let mut reader = GameReader::new(text.as_bytes()).chess_only();
    let mut game = Game::default();
    let mut skipped = Vec::new();
    while let Some(reading) = reader.read(&mut game).expect("memory does not fail") {
        if let Reading::Skipped(skip) = reading {
            skipped.push(skip.to_string());
        }
    }
    assert_eq!(
        skipped[0],
        "game 1, line 1, column 1: skipped, variant \"makruk\" is not supported, expected chess or Chess960"
    );
    assert_eq!((skipped.len(), reader.counts().skipped(), reader.counts().half_moves), (4, 4, 5));
    // Without a tag, the caller's choice counts; otherwise the tag.
    let reader = GameReader::new(text.as_bytes()).with_variant(MAKRUK);
    let (games, _) = read_all(reader);
    assert_eq!(games[1].1.start.variant(), MAKRUK);
    assert_eq!(games[6].1.start.variant(), MAKRUK);
    assert_eq!(games[3].1.start.variant(), Variant::Chess960);
}

/// One position in both dialects, as written by other programs.
#[test]
fn starts_in_both_dialects() {
    let rows = rows("fen_dialects.jsonl");
    for row in &rows {
        let fen = |dialect: &str| row[dialect].as_str().expect("a FEN");
        let [fairy, js] = ["fairy", "seed"].map(|dialect| {
            let text =
                format!("[FEN \"{}\"]\n[SetUp \"1\"]\n[Variant \"Makruk\"]\n\n*\n", fen(dialect));
            let (reading, game, _) = read_one(&text);
            assert_eq!(reading, Reading::Whole, "{text}");
            game
        });
        assert_eq!(fairy.start.to_string(), fen("fairy"));
        assert_eq!(js.start, fairy.start);
        let game = Game::from(fairy.start);
        let text = check_round_trip(&game, SanStyle::Fairy);
        assert!(text.contains(&format!("[SetUp \"1\"]\n[FEN \"{}\"]\n", fen("fairy"))), "{text}");
        let text = write(&Game::from(js.start), SanStyle::MakrukJs);
        assert!(text.contains(&format!("[FEN \"{}\"]\n", fen("seed"))), "{text}");
    }
    assert_eq!(rows.len(), 26);
    // An M may be a met or a knight: nothing here decides which.
    let (reading, ..) =
        read_one("[Variant \"Makruk\"]\n[FEN \"8/2k5/2M5/8/8/8/8/2RK4\"]\n\n1. Rc2 *\n");
    let Reading::Skipped(skip) = reading else { panic!("{reading:?}") };
    for words in ["game 1, line 2, column 1", "cannot start from", "byte 7", "met", "knight"] {
        assert!(skip.to_string().contains(words), "{skip}");
    }
}

/// Games with a claimed count, with the counts of pyffish.
#[test]
fn claimed_counts() {
    let rows = rows("counting.jsonl");
    let claimed = rows.iter().filter(|row| row["count_started"] != 0);
    let mut begun = 0;
    for row in claimed.clone() {
        let start: Makruk = row["start"].as_str().expect("a FEN").parse().expect("a FEN");
        let start = start.with_policy(CountingPolicy::Thai);
        let first = 2 * i64::from(start.fullmove_number() - 1)
            + i64::from(start.side_to_move() == Color::Black)
            + 1;
        let mut game = game(start, &words(row, "moves"));
        let claimed_at = row["count_started"].as_i64().expect("a number");
        if claimed_at > 0 {
            begun += 1;
            let ply = usize::try_from(claimed_at - first).expect("after the start");
            game.count_calls.push(CountCall::Begin { ply });
        }
        let text = check_round_trip(&game, SanStyle::Fairy);
        assert!(text.contains("[Counting \"thai\"]\n"), "{text}");
        assert_eq!(text.contains("%count board"), claimed_at > 0, "{text}");
        let AnyPosition::Makruk(end) = game.final_position() else { panic!("Makruk") };
        let last = row["track"].as_array().and_then(|track| track.last()).expect("a track");
        if claimed_at > 0 {
            let count = end.counting().expect("a count");
            assert_eq!(
                (2 * u64::from(count.limit()), u64::from(count.ply())),
                (last[1].as_u64().expect("a limit"), last[2].as_u64().expect("a ply"))
            );
        }
    }
    assert_eq!((claimed.count(), begun), (4, 2));
}

/// Valid counts in comments, and counts that contradict the rules.
#[test]
fn counts_in_comments() {
    let tags = |policy: &str| {
        format!("[Variant \"Makruk\"]\n{policy}[FEN \"8/8/K7/8/6s1/2N1r1k1/7m/8 w - - 0 41\"]\n\n")
    };
    let moves = "41. Kb6 Kf4 {he begins: [%count board white 0] [%clk 0:01]} 42. Kc5 {[%count board white 1]} \
        Ke5 {[%count none]} 43. Kc4 {[%count board black 0]} Kd6 {[%count none] [%count board white 0]} 44. Kd4 *";
    let (reading, game, counts) = read_one(&format!("{}{moves}", tags("[Counting \"Thai\"]\n")));
    assert_eq!((reading, counts.unusable_counts, counts.clocks), (Reading::Whole, 0, 1));
    let expected = [
        CountCall::Begin { ply: 2 },
        CountCall::Stop { ply: 4 },
        CountCall::Begin { ply: 5 },
        CountCall::Stop { ply: 6 },
        CountCall::Begin { ply: 6 },
    ];
    assert_eq!(game.count_calls, expected);
    let AnyPosition::Makruk(end) = game.final_position() else { panic!("Makruk") };
    let count = end.counting().expect("White counts");
    assert_eq!((count.honor(), count.color(), count.number()), (Honor::Board, Color::White, 1));
    // The comments stay, and no count is written twice.
    let text = check_round_trip(&game, SanStyle::Fairy);
    let movetext = text.split_once("\n\n").expect("movetext").1.split_whitespace();
    let numbered = moves.replace(
        "42. Kc5 {[%count board white 1]} Ke5",
        "42. Kc5 {[%count board white 1]} 42... Ke5",
    );
    let numbered = numbered.replace("0]} Kd6", "0]} 43... Kd6");
    assert!(movetext.eq(numbered.split_whitespace()), "{text}");
    // Without them, the writer adds the calls.
    let game = Game { annotations: Annotations::new(), ..game };
    let text = check_round_trip(&game, SanStyle::Fairy);
    let written = "41. Kb6 Kf4 {[%count board white 0]} 42. Kc5 Ke5 {[%count none]} 43. Kc4";
    assert!(text.contains(written), "{text}");
    assert!(text.contains("43... Kd6 {[%count board white 0]}"), "{text}");

    // Where counts start and end automatically, no side may claim or stop one.
    let (reading, game, counts) = read_one(&format!("{}{moves}", tags("")));
    assert_eq!((reading, game.count_calls.len()), (Reading::Whole, 0));
    assert_eq!(counts.unusable_counts, 5);
    for (comment, unusable) in [
        ("[%count board black 0]", 1), // not its turn
        ("[%count board white 5]", 1),
        ("[%count pieces white 0]", 1),
        ("[%count none]", 0),
        ("[%count board white]", 1),
        ("[%count board white 0", 1),
        ("[%count none] [%count nobody]", 1),
        ("[%countdown 3]", 0),
    ] {
        let text = format!("{}41. Kb6 Kf4 {{{comment}}} 42. Kc5 *", tags("[Counting \"thai\"]\n"));
        let (reading, game, counts) = read_one(&text);
        assert_eq!((reading, game.moves.len()), (Reading::Whole, 3), "{comment}");
        assert_eq!((counts.unusable_counts, game.count_calls.len()), (unusable, 0), "{comment}");
    }
    let (_, _, counts) = read_one("[Variant \"Makruk\"]\n[Counting \"aloud\"]\n\n1. e4 *");
    assert_eq!(counts.unusable_counts, 1);
}

/// The examples on the Makruk page are read, and written back identically.
#[test]
fn the_page_is_correct() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/makruk.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let shown = page.split("```pgn\n").nth(1).and_then(|rest| rest.split("```").next());
    let shown = shown.expect("a game");
    let (reading, game, counts) = read_one(shown);
    assert_eq!((reading, counts.unusable_counts), (Reading::Whole, 0));
    assert_eq!(game.count_calls, [CountCall::Begin { ply: 2 }, CountCall::Stop { ply: 4 }]);
    assert_eq!(write(&game, SanStyle::Fairy).trim(), shown.trim());
}

#[test]
fn faults() {
    for (style, moves, expected) in [
        (
            SanStyle::Fairy,
            "1. Sc3 *",
            "illegal move \"Sc3\": no khon can go there, expected Sb2 or Sc2 or Sd2",
        ),
        (
            SanStyle::Fairy,
            "1. Rb2 *",
            "illegal move \"Rb2\": no rook can go there, expected Ra2 or Rh2",
        ),
        (SanStyle::Fairy, "1. e4 e3 *", "illegal move \"e3\": no pawn can go there, expected e5"),
        (
            SanStyle::Fairy,
            "1. O-O *",
            "unreadable move \"O-O\": expected a move as Fairy-Stockfish writes it",
        ),
        (
            SanStyle::Fairy,
            "1. Td2 *",
            "unreadable move \"Td2\": expected a move as Fairy-Stockfish writes it, such as d4 or Sd2",
        ),
        (
            SanStyle::MakrukJs,
            "1. Sd2 *",
            "unreadable move \"Sd2\": expected a move as makruk-js writes it, such as d4 or Td2",
        ),
        (
            SanStyle::PlayOk,
            "1. Sd2 *",
            "unreadable move \"Sd2\": expected a move as PlayOK writes it, such as d4 or Bd2",
        ),
        (
            SanStyle::Thai,
            "1. Sd2 *",
            "unreadable move \"Sd2\": expected a move in Thai letters, such as ง๔ or ค-ง๒",
        ),
    ] {
        let text = format!("[Variant \"Makruk\"]\n\n{moves}\n\n[Event \"2\"]\n\n1. e4 *\n");
        let (games, counts) = read_all(GameReader::new(text.as_bytes()).with_san_style(style));
        let [(Reading::Faulty(error), game), (Reading::Whole, _)] = games.as_slice() else {
            panic!("{text}: {games:?}")
        };
        let at = format!(
            "game 1, line 3, column {}, move 1{}: ",
            if moves.contains("e4") { 7 } else { 4 },
            if game.moves.is_empty() { "" } else { "..." }
        );
        assert!(error.to_string().starts_with(&format!("{at}{expected}")), "{error}");
        assert_eq!((counts.faulty, counts.lost_half_moves), (1, 1));
    }
    let fen = "[Variant \"Makruk\"]\n[FEN \"8/3k4/8/2R3R1/8/8/8/3K4 w - - 0 1\"]\n\n";
    let (reading, ..) = read_one(&format!("{fen}1. Re5 *"));
    let Reading::Faulty(error) = reading else { panic!("{reading:?}") };
    let expected =
        "game 1, line 4, column 4, move 1: ambiguous move \"Re5\": expected Rce5 or Rge5";
    assert_eq!(error.to_string(), expected);
    let (reading, ..) = read_one(&format!("{fen}1. Nf3 *"));
    let Reading::Faulty(error) = reading else { panic!("{reading:?}") };
    assert!(error.to_string().ends_with("illegal move \"Nf3\": no such piece can move"), "{error}");
}

prop_compose! {
    /// A game of random legal moves, in which a side occasionally claims or stops a count.
    fn any_game()(
        variant in prop::sample::select(Rules::ALL.as_slice()),
        policy in prop::sample::select([CountingPolicy::Auto, CountingPolicy::Thai, CountingPolicy::MakrukJs].as_slice()),
        late in any::<bool>(),
        choices in prop::collection::vec((any::<prop::sample::Index>(), 0_u8..8), 0..60),
    ) -> Game {
        let mut start = Makruk::start(variant);
        if late && variant != Rules::Asean {
            start = "8/2n1k3/4r3/8/2S5/2N5/3KM3/7R b - - 0 40".parse().expect("a FEN");
        }
        let start = AnyPosition::from(start.with_policy(policy));
        let (mut position, mut game) = (start.clone(), Game::from(start));
        for (choice, call) in choices {
            let ply = game.moves.len();
            let call = match call {
                0 => Some(CountCall::Begin { ply }),
                1 => Some(CountCall::Stop { ply }),
                _ => None,
            };
            if let (Some(call), AnyPosition::Makruk(before)) = (call, &position) {
                let before = before.counting();
                call.apply(&mut position);
                let AnyPosition::Makruk(after) = &position else { continue };
                if before != after.counting() {
                    game.count_calls.push(call);
                }
            }
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mv = legal[choice.index(legal.len())];
            position.play_unchecked(mv);
            game.moves.push(mv);
        }
        game
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn written_games_read_back(game in any_game()) {
        for style in [SanStyle::Fairy, SanStyle::PlayOk, SanStyle::MakrukJs] {
            check_round_trip(&game, style);
        }
    }
}

/// Main lines of any variant as bytes; a start with too many pieces has none, and the reader continues after it.
#[test]
fn main_lines_as_bytes() {
    let text = "[Variant \"Makruk\"]\n\n1. Sc2 Sf7 *\n\n[White \"a\"]\n\n1. e4 c5 *\n\n\
        [Variant \"Makpong\"]\n[FEN \"nnnnknnn/nnnnnnnn/n7/8/8/8/8/4K3 b - - 0 1\"]\n\n1... Nb4 *\n\n\
        [Variant \"ASEAN\"]\n\n1. Qc2 {first} Qc7 2. Kh8 *\n\n[Variant \"Atomic\"]\n\n1. e4 *\n";
    let mut reader = GameReader::new(text.as_bytes());
    let (mut game, mut bytes, mut found) = (Game::default(), Vec::new(), Vec::new());
    while let Some(reading) = reader.read_with_bytes(&mut game, &mut bytes).expect("memory") {
        let is_skipped = matches!(reading, Reading::Skipped(_));
        let mut moves = Vec::new();
        let start = halfmove::decode_moves(&bytes, &mut moves).expect("bytes of a game");
        assert_eq!((&start, &moves), (&game.start, &game.moves));
        found.push((start.variant(), moves.len(), is_skipped));
    }
    assert_eq!(
        found,
        [
            (Variant::Makruk, 2, false),
            (Variant::Chess, 2, false),
            (Variant::Chess, 0, true),
            (Variant::Asean, 2, false),
            (Variant::Chess, 0, true),
        ]
    );
    let counts = reader.counts();
    assert_eq!((counts.games, counts.skipped_positions, counts.skipped()), (5, 1, 2));
    assert_eq!((counts.faulty, counts.skipped_half_moves), (1, 2));
    // A reader that keeps no bytes reads that game, too.
    let (games, counts) = read_all(GameReader::new(text.as_bytes()));
    assert_eq!((games[2].1.moves.len(), counts.skipped()), (1, 1));
}
