//! Games from PGN: starts, variants, faults and counts.

use halfmove_game::pgn::{Counts, GameReader, Hint, PgnErrorKind, Reading, SkipReason};
use halfmove_game::{Game, GameResult};
use halfmove_rules::{CastlingStyle, Chess, Role};

fn read_all(text: impl AsRef<[u8]>) -> (Vec<(Reading, Game)>, Counts) {
    let mut reader = GameReader::new(text.as_ref()).chess_only();
    let mut games = Vec::new();
    let mut game = Game::default();
    while let Some(reading) = reader.read(&mut game).expect("memory does not fail") {
        games.push((reading, game.clone()));
    }
    (games, reader.counts().clone())
}

fn read_one(text: impl AsRef<[u8]>) -> (Reading, Game) {
    let (mut games, counts) = read_all(text);
    assert_eq!((games.len(), counts.games), (1, 1));
    games.remove(0)
}

fn uci(game: &Game) -> String {
    let moves: Vec<_> =
        game.moves.iter().map(|mv| mv.uci(CastlingStyle::KingTakesRook).to_string()).collect();
    moves.join(" ")
}

/// Paul Morphy against Duke Karl and Count Isouard, Paris 1858.
const OPERA: &str = "[Event \"Paris Opera\"]
[White \"Morphy, Paul\"]
[Result \"1-0\"]

1.e4 e5 2.Nf3 d6 3.d4 Bg4 {This is a weak move already.} 4.dxe5 Bxf3 5.Qxf3 dxe5
6.Bc4 Nf6 7.Qb3 Qe7 8.Nc3 c6 9.Bg5 b5 10.Nxb5! cxb5 (10...Qb4+ $1 11.Qxb4) 11.Bxb5+
Nbd7 12.O-O-O Rd8 13.Rxd7 Rxd7 14.Rd1 Qe6 15.Bxd7+ Nxd7 16.Qb8+!! Nxb8 17.Rd8# 1-0
";

#[test]
fn a_game() {
    let (games, counts) = read_all(OPERA);
    let [(reading, game)] = games.as_slice() else { panic!("one game") };
    assert_eq!(*reading, Reading::Whole);
    assert_eq!(game.tags.value("White"), Some("Morphy, Paul"));
    assert_eq!(game.result, Some(GameResult::WhiteWins));
    assert_eq!(game.moves.len(), 33);
    assert_eq!(
        game.final_position().to_string(),
        "1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5 b k - 1 17"
    );
    let expected = (1, 33, 1, 3, 1, 2, 0);
    let Counts { games, half_moves, comments, nags, variations, variation_moves, faulty, .. } =
        counts;
    assert_eq!((games, half_moves, comments, nags, variations, variation_moves, faulty), expected);
}

#[test]
fn starts() {
    let start = "rnb1k1nr/pppp1ppp/8/2b1p3/2B1P2q/2N2N2/PPPP1PPP/R1BQK2R b KQkq - 5 4";
    for set_up in ["[SetUp \"1\"]\n", ""] {
        let (reading, game) = read_one(format!("{set_up}[FEN \"{start}\"]\n\n4... Qxf2# 0-1"));
        assert_eq!(reading, Reading::Whole);
        assert_eq!(game.start.to_string(), start);
        assert_eq!(uci(&game), "h4f2");
    }
    // Castling rights and an en passant square that the board contradicts.
    let (reading, game) = read_one("[FEN \"4k3/8/8/8/8/8/8/4K2R w KQ e6 0 1\"]\n\n1. O-O *");
    assert_eq!(reading, Reading::Whole);
    assert_eq!(game.start.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert_eq!(uci(&game), "e1h1");
    // An empty tag has no meaning.
    assert_eq!(read_one("[FEN \"\"]\n\n1. e4 *").0, Reading::Whole);
}

#[test]
fn variants() {
    let x_fen = "[FEN \"rk5r/8/8/8/8/8/8/RK5R w KQkq - 0 1\"]";
    let shredder = "[FEN \"rk5r/8/8/8/8/8/8/RK5R w HAha - 0 1\"]";
    for variant in ["Chess960", "chess 960", "Fischerandom", "fischer random", "Standard", "normal"]
    {
        for fen in [x_fen, shredder] {
            let (reading, game) =
                read_one(format!("[Variant \"{variant}\"]\n{fen}\n\n1. O-O O-O-O *"));
            assert_eq!(reading, Reading::Whole, "{variant}");
            assert_eq!(uci(&game), "b1h1 b8a8");
        }
    }
    // The game is Chess960 if its tag says so, or if its FEN requires it.
    let usual = "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]";
    for (tags, chess960) in [
        ("[Variant \"Chess960\"]".to_owned(), true),
        (format!("[Variant \"Chess960\"]\n{usual}"), true),
        (format!("{usual}\n[Variant \"Chess960\"]"), true),
        (usual.to_owned(), false),
        (format!("[Variant \"From Position\"]\n{x_fen}"), true),
        ("[Variant \"Standard\"]".to_owned(), false),
        ("[Variant \"wild/fr\"]".to_owned(), true),
        // PGN's spellings of what is unknown or does not apply.
        ("[Variant \"?\"]".to_owned(), false),
        ("[Variant \"-\"]".to_owned(), false),
        (x_fen.to_owned(), true),
    ] {
        let (reading, game) = read_one(format!("{tags}\n\n*"));
        assert_eq!(
            (reading, game.chess_start().is_some_and(Chess::is_chess960)),
            (Reading::Whole, chess960),
            "{tags}"
        );
    }
    let (games, counts) = read_all(
        "[Variant \"Atomic\"]\n\n1. e4 e5 {x} *\n\n[Variant \"From Position\"]\n\n1. e4 *\n\n\
         [Variant \"Horde\"]\n[FEN \"none\"]\n\n1. e4 *\n\n[FEN \"8/8/8/8 w - -\"]\n[Variant \"Atomic\"]\n\n*\n\n\
         [White \"a\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n",
    );
    let skips: Vec<String> = games
        .iter()
        .map(|(reading, _)| match reading {
            Reading::Skipped(skip) => skip.to_string(),
            reading => format!("{reading:?}"),
        })
        .collect();
    let expected = "skipped, variant \"Atomic\" is not supported, expected chess or Chess960";
    assert_eq!(skips[0], format!("game 1, line 1, column 1: {expected}"));
    assert_eq!(skips[1], "Whole");
    assert!(skips[2].contains("variant \"Horde\""));
    assert_eq!(skips[3], format!("game 4, line 15, column 1: {expected}"));
    assert!(
        skips[4].starts_with("game 5, line 20, column 1: skipped, cannot start from \"8/8/8/8/8/8")
    );
    let Reading::Skipped(skip) = &games[4].0 else { panic!("skipped") };
    assert!(matches!(skip.reason, SkipReason::Position { .. }));
    assert_eq!(
        counts.skipped_variants.iter().map(|(k, v)| (k.as_str(), *v)).collect::<Vec<_>>(),
        [("Atomic", 2), ("Horde", 1)]
    );
    assert_eq!((counts.games, counts.skipped(), counts.skipped_positions), (5, 4, 1));
    assert_eq!((counts.half_moves, counts.skipped_half_moves, counts.comments), (1, 4, 1));
    assert_eq!(counts.lost_half_moves, 0);
}

/// For each fault: its message, the moves that are kept, and the next game, which is read.
#[test]
fn faults() {
    let rook = "[FEN \"4k3/8/8/8/8/8/K7/R6R w - - 0 1\"]\n";
    for (tags, moves, kept, error) in [
        (
            "",
            "1. e4 e5 2. Nxe5",
            2,
            "line 4, column 13, move 2: illegal move \"Nxe5\": no knight can go there, expected Na3 or Nc3 or Ne2 or Nf3 or Nh3",
        ),
        (
            "",
            "1. e4 e5 2. e5",
            2,
            "line 4, column 13, move 2: illegal move \"e5\": no pawn can go there",
        ),
        ("", "1. Bb5", 0, "line 4, column 4, move 1: illegal move \"Bb5\": no bishop can go there"),
        (
            "",
            "1. O-O",
            0,
            "line 4, column 4, move 1: illegal move \"O-O\": castling is not possible here",
        ),
        (
            rook,
            "1. Rd1",
            0,
            "line 5, column 4, move 1: ambiguous move \"Rd1\": expected Rad1 or Rhd1",
        ),
        (
            "",
            "1. e4 resigns",
            1,
            "line 4, column 7, move 1...: unreadable move \"resigns\": expected a move such as e4, Nf3 or O-O",
        ),
        (
            "",
            "1. e4 f6 2. Qh5+ --",
            3,
            "line 4, column 18, move 2...: null move \"--\": expected a legal move",
        ),
        (
            "",
            "1. e4 f6 2. Qh5+ Z0 3. d4",
            3,
            "line 4, column 18, move 2...: null move \"Z0\": expected a legal move",
        ),
        (
            "[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n",
            "1. a8",
            0,
            "line 5, column 4, move 1: incomplete move \"a8\": expected a promotion such as a8=Q",
        ),
        ("", "1. e4 {e5", 1, "line 4, column 7, move 1...: comment is not closed: expected \"}\""),
        (
            "",
            "1. e4 (d4 e5",
            1,
            "line 8, column 1, move 1...: variation is not closed: expected \")\"",
        ),
    ] {
        let text = format!(
            "[Event \"1\"]\n[Site \"\"]\n{tags}\n{moves} Ke2 Ke7 (a (b) {{c}}) 1-0\n\n\n\n[Event \"2\"]\n\n1. d4 *\n"
        );
        let text = if error.contains("comment") || error.contains("variation") {
            text.replace(" Ke2 Ke7 (a (b) {c}) 1-0", "")
        } else {
            text
        };
        let (games, counts) = read_all(&text);
        assert_eq!(games.len(), 2, "{text}");
        let Reading::Faulty(found) = &games[0].0 else { panic!("{text}: {:?}", games[0].0) };
        assert!(found.to_string().starts_with(&format!("game 1, {error}")), "{found}");
        assert_eq!((games[0].1.moves.len(), counts.faulty), (kept, 1), "{text}");
        assert_eq!(games[0].1.tags.value("Event"), Some("1"));
        assert_eq!(games[1].0, Reading::Whole, "{text}");
        assert_eq!(uci(&games[1].1), "d2d4");
    }
}

#[test]
fn the_kind_of_a_fault() {
    let (reading, _) = read_one("1. e4 e5 2. Ke3 Ke7 1-0");
    let Reading::Faulty(error) = reading else { panic!("{reading:?}") };
    assert_eq!(
        error.kind,
        PgnErrorKind::Illegal {
            found: "Ke3".to_owned(),
            role: Some(Role::King),
            expected: vec!["Ke2".to_owned()],
            hint: Some(Hint::Similar { moves: vec!["Ke2".to_owned()] }),
        }
    );
    assert_eq!((error.game, error.at.line, error.at.column, error.ply), (1, 1, 13, 3));
}

/// Notations other than SAN that occur in files.
#[test]
fn other_notations() {
    for text in [
        "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 *",
        "e2-e4 e7-e5 Ng1-f3 Nb8-c6 Bf1-c4 Bf8-c5 0-0 *",
        "e4+- e5= Nf3+/= Nc6-+ Bc4# Bc5 O-O+ *",
        "Pe4 Pe5 Nf3 Nc6 Bc4 Bc5 o-o *",
    ] {
        let (reading, game) = read_one(text);
        assert_eq!(reading, Reading::Whole, "{text}");
        assert_eq!(uci(&game), "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1h1", "{text}");
    }
}

#[test]
fn counts_add_up() {
    let (_, mut counts) = read_all(
        b"stray text\n[White \"J\xe9r\xf4me\"]\n[Result \"1-0\"]\n\n1. e4 {[%clk 0:01:00]} e5 {[%eval 0.1] [%clk 0:1:0]}\n\
          2. Nf3 (2. -- d5) , {\xe9t\xe9} 0-1\n\n[White]\n[Event \"none\"\n\n*\n\n1. e4 e5 2. Ke4 Ke7 *\n",
    );
    assert_eq!((counts.clocks, counts.evaluations, counts.comments), (2, 1, 3));
    assert_eq!((counts.latin1_texts, counts.null_moves, counts.variation_moves), (2, 1, 2));
    assert_eq!((counts.differing_results, counts.stray_characters), (1, 1));
    assert_eq!((counts.half_moves, counts.lost_half_moves, counts.faulty), (5, 2, 1));
    assert_eq!((counts.games, counts.without_moves, counts.malformed_tags), (3, 1, 1));
    assert_eq!(counts.outside.lines, 2);
    let (at, text) = counts.outside.first.clone().expect("stray text");
    assert_eq!((at.line, at.column, text.as_str()), (1, 1, "stray text"));
    let once = counts.clone();
    counts.add(&once);
    assert_eq!((counts.games, counts.comments, counts.outside.lines), (6, 6, 4));
    assert_eq!(counts.outside.first, once.outside.first);
}

#[test]
fn no_pgn_at_all() {
    let (games, counts) = read_all("# Shopping\n\n1. Milk\n2. Bread\n");
    assert!(games.is_empty());
    assert_eq!(counts.outside.lines, 3);
    let (at, text) = counts.outside.first.expect("the first line");
    assert_eq!((at.line, text.as_str()), (1, "# Shopping"));
}
