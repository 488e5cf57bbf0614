//! Real files, compared with the results of other programs. These tests need the large collections, in the folder that
//! the environment variable `HALFMOVE_DATA` names.

use halfmove_game::pgn::{Counts, GameReader, PgnErrorKind, Reading};
use halfmove_game::{Game, Input};
use halfmove_rules::CastlingStyle;

use crate::data::{collections, table};

/// Reads a whole file, and counts its contents and the games that end at an invalid move.
pub(crate) fn read(path: &str) -> (Counts, u64) {
    let mut faulty_moves = 0;
    let input = Input::open(collections().join(path)).expect(path);
    let mut reader = GameReader::new(input).chess_only();
    let mut game = Game::default();
    while let Some(reading) = reader.read(&mut game).expect(path) {
        if let Reading::Faulty(error) = &reading {
            let unclosed = matches!(
                error.kind,
                PgnErrorKind::UnclosedComment | PgnErrorKind::UnclosedVariation
            );
            faulty_moves += u64::from(!unclosed);
        }
    }
    (reader.counts().clone(), faulty_moves)
}

// Reasons for differences from the reference, which is pgn-reader 0.29 with shakmaty 0.30.
const BLANK_LINES: &str =
    "a blank line in the moves (or two, or one in a tag section) ends no game";
const BYTE_ORDER_MARK: &str = "a byte order mark is not a separate game";
const NOTATION: &str = "b8Q, exd6e.p., g1f3 and moves with an evaluation glued on are moves";
const NO_TAGS: &str = "without tags, a result is what ends a game";
const UNCLOSED: &str = "a game that breaks off in a comment or variation is a game with a fault";
const UNREADABLE: &str = "a word that is no move is a fault, not something to step over";
const NO_PGN: &str = "prose is no game";
const BETWEEN: &str = "comments after the result are counted too";
const VARIANT_FIRST: &str = "a game of an unknown variant is counted by that, not by its FEN";
const HEADERS_ONLY: &str = "45 tag sections are 45 games";
const NULL_MOVES: &str = "a null move is a half-move";
const MISC: &str = "blank lines, null moves, variant Regular, abbreviations for glyphs: 15 games";

/// The files for which this reader differs and is right, with the difference and the reason.
const DIFFERING: &[(&str, &str, &str)] = &[
    ("engine/tcec_superfinals.pgn.zst", "comments 66008 for 65784", BETWEEN),
    ("annotated/newyork1924.pgn", "games 110 for 220", BLANK_LINES),
    ("annotated/perle.pgn", "games 194 for 195", BLANK_LINES),
    ("annotated/scca.pgn", "games 75 for 76", BLANK_LINES),
    ("fen_start/odds.pgn", "halfmoves 2433 for 2431, illegal 0 for 2", NULL_MOVES),
    (
        "malformed/kokopu_games/null-moves/database.pgn",
        "halfmoves 6 for 5, illegal 0 for 1",
        NULL_MOVES,
    ),
    (
        "malformed/python-chess/anastasian-lewis.pgn",
        "halfmoves 84 for 83, illegal 0 for 1",
        NULL_MOVES,
    ),
    ("fen_start/mate_in_4.pgn", "games 373 for 378", BLANK_LINES),
    ("long_games/redqueen.pgn", "games 270 for 271", BLANK_LINES),
    ("malformed/chesslib_err.pgn", "games 1 for 2", BLANK_LINES),
    (
        "malformed/chesslib_z0.pgn",
        "games 1 for 2, halfmoves 58 for 57, illegal 0 for 1",
        NULL_MOVES,
    ),
    (
        "malformed/kokopu_games/long-short-comments-variations-1/database.pgn",
        "games 1 for 11, halfmoves 6 for 4, illegal 0 for 4",
        BLANK_LINES,
    ),
    (
        "malformed/kokopu_games/long-short-comments-variations-2/database.pgn",
        "games 1 for 9, halfmoves 6 for 3, illegal 0 for 4",
        BLANK_LINES,
    ),
    (
        "malformed/kokopu_games/long-short-comments-variations-3/database.pgn",
        "games 1 for 5, halfmoves 4 for 2, illegal 0 for 2",
        BLANK_LINES,
    ),
    ("malformed/pgn-extract/infiles/barnes-horton.pgn", "games 1 for 2", BLANK_LINES),
    ("malformed/pgn-extract/infiles/test-C.pgn", "games 1 for 2", BLANK_LINES),
    ("malformed/pgn-extract/infiles/test-F-text.pgn", "games 1 for 2", BLANK_LINES),
    ("malformed/pgn-extract/infiles/test-F.pgn", "games 1 for 2", BLANK_LINES),
    ("malformed/pgn-extract/infiles/test-L2.pgn", "games 1 for 2", BLANK_LINES),
    ("malformed/pgn-extract/infiles/test-N.pgn", "games 1 for 2", BLANK_LINES),
    ("malformed/pgn-extract/infiles/test-R.pgn", "games 1 for 2", BLANK_LINES),
    ("malformed/pgn-extract/infiles/test-Ta.pgn", "games 1 for 2", BLANK_LINES),
    ("malformed/pgn-extract/infiles/test-V.pgn", "games 1 for 2", BLANK_LINES),
    ("malformed/pgn-extract/infiles/test-addhashcode.pgn", "games 1 for 2", BLANK_LINES),
    ("malformed/pgn-extract/infiles/test-checkmate.pgn", "games 2 for 3", BLANK_LINES),
    ("malformed/pgn-extract/infiles/test-f1.pgn", "games 1 for 2", BLANK_LINES),
    ("malformed/pgn-extract/infiles/test-fencomments.pgn", "games 1 for 2", BLANK_LINES),
    ("malformed/pgn-extract/infiles/test-nochecks.pgn", "games 2 for 3", BLANK_LINES),
    ("malformed/pgn-extract/infiles/test-nomovenumbers.pgn", "games 1 for 2", BLANK_LINES),
    ("malformed/pgn-extract/infiles/test-noresults.pgn", "games 1 for 2", BLANK_LINES),
    ("malformed/pgn-extract/infiles/test-notags.pgn", "games 1 for 2", BLANK_LINES),
    ("malformed/pgn-extract/infiles/test-plycount.pgn", "games 1 for 2", BLANK_LINES),
    ("malformed/pgn-extract/infiles/test-plylimit.pgn", "games 1 for 2", BLANK_LINES),
    ("malformed/pgn-extract/infiles/test-stalemate.pgn", "games 3 for 4", BLANK_LINES),
    ("malformed/pgn-extract/infiles/test-ucW.pgn", "games 1 for 2", BLANK_LINES),
    ("malformed/pgn-extract/infiles/test-w.pgn", "games 1 for 2", BLANK_LINES),
    ("malformed/pgn.net/Real_Files/demoGames.pgn", "games 2 for 4", BLANK_LINES),
    ("encodings/Morphy_UTF8.pgn", "games 211 for 212", BYTE_ORDER_MARK),
    ("encodings/kokopu_bom.pgn", "games 1 for 2", BYTE_ORDER_MARK),
    ("encodings/utf8-bom.pgn", "games 2 for 3", BYTE_ORDER_MARK),
    ("malformed/kokopu/bom/database.pgn", "games 1 for 2", BYTE_ORDER_MARK),
    ("malformed/python-chess/utf8-bom.pgn", "games 2 for 3", BYTE_ORDER_MARK),
    ("malformed/uzchesscup_headers_only.pgn", "games 45 for 1", HEADERS_ONLY),
    (
        "malformed/kokopu/misc/database.pgn",
        "games 15 for 34, halfmoves 131 for 124, nags 14 for 8, variant 0 for 1, illegal 1 for 10",
        MISC,
    ),
    ("annotated/great_masters.pgn", "halfmoves 872 for 867, illegal 0 for 5", NOTATION),
    (
        "annotated/human_computer.pgn",
        "games 29 for 30, halfmoves 2290 for 2289, illegal 0 for 1",
        NOTATION,
    ),
    (
        "annotated/immortal_games.pgn",
        "halfmoves 2022 for 2020, nags 142 for 140, illegal 4 for 6",
        NOTATION,
    ),
    ("malformed/broadcast_cup2018_A.pgn", "halfmoves 39134 for 39092, illegal 0 for 16", NOTATION),
    ("malformed/notnil/0015.pgn", "halfmoves 2 for 1, illegal 0 for 1", NOTATION),
    (
        "malformed/pgn-extract/infiles/test-fuzzydepth.pgn",
        "games 4 for 1, halfmoves 20 for 19, illegal 0 for 1",
        NO_TAGS,
    ),
    ("malformed/python-chess/uci-moves.pgn", "halfmoves 113 for 112, illegal 0 for 1", NOTATION),
    ("malformed/kokopu/syntactic-error-2/database.pgn", "games 0 for 1", NO_PGN),
    ("malformed/kokopu/syntactic-error-3/database.pgn", "games 0 for 1", NO_PGN),
    (
        "malformed/duckdb-chess/parser_stage_error.pgn",
        "games 1 for 0, halfmoves 1 for 0, comments 1 for 0, illegal 1 for 0",
        UNCLOSED,
    ),
    (
        "malformed/kokopu/redos-comment/database.pgn",
        "games 1 for 0, halfmoves 1 for 0, comments 1 for 0, illegal 1 for 0",
        UNCLOSED,
    ),
    (
        "malformed/kokopu/syntactic-error-1/database.pgn",
        "games 21 for 27, halfmoves 30 for 28, illegal 4 for 0",
        UNCLOSED,
    ),
    ("malformed/kokopu_games/escaped-text/database.pgn", "illegal 1 for 0", UNREADABLE),
    (
        "malformed/pgn-extract/infiles/nested-comment.pgn",
        "halfmoves 10 for 1, illegal 1 for 0",
        UNREADABLE,
    ),
    ("malformed/pychess_badpgn.pgn", "halfmoves 1 for 0, illegal 1 for 0", UNREADABLE),
    ("malformed/kokopu/optional-kings/database.pgn", "nags 1 for 0, badfen 0 for 3", VARIANT_FIRST),
    ("malformed/kokopu_games/variant-no-king/database.pgn", "badfen 0 for 1", VARIANT_FIRST),
];

#[test]
#[ignore = "needs HALFMOVE_DATA"]
fn stats() {
    let mut differing = Vec::new();
    for row in table("expected/stats.tsv") {
        let path = row["file"].as_str();
        let (counts, faulty_moves) = read(path);
        // The reference counts the words of the main line, except the illegal one.
        let half_moves =
            counts.half_moves + counts.lost_half_moves + counts.skipped_half_moves - faulty_moves;
        let ours = [
            ("games", counts.games),
            ("halfmoves", half_moves),
            ("vars", counts.variations),
            ("nags", counts.nags),
            ("comments", counts.comments),
            ("variant", counts.skipped_variants.values().sum()),
            ("badfen", counts.skipped_positions),
            ("illegal", counts.faulty),
        ];
        let different: Vec<String> = ours
            .iter()
            .filter(|(column, count)| row[*column] != count.to_string())
            .map(|(column, count)| format!("{column} {count} for {}", row[*column]))
            .collect();
        let different = different.join(", ");
        let (expected, reason) = DIFFERING
            .iter()
            .find(|(name, ..)| *name == path)
            .map_or(("", ""), |(_, expected, reason)| (expected, reason));
        if different != expected {
            differing.push(format!("{path}: {different}\n  but expected: {expected} ({reason})"));
        }
    }
    assert!(differing.is_empty(), "\n{}", differing.join("\n"));
}

#[test]
#[ignore = "needs HALFMOVE_DATA"]
fn smoke() {
    let mut reader = GameReader::new(
        Input::open(collections().join("smoke/smoke_200.pgn")).expect("the smoke games"),
    );
    let mut game = Game::default();
    let mut before = Counts::default();
    for row in table("expected/smoke_200.tsv") {
        let number = &row["game"];
        let reading = reader.read(&mut game).expect("a sound file");
        assert_eq!(reading, Some(Reading::Whole), "game {number}");
        let now = reader.counts().clone();
        assert_eq!(game.moves.len().to_string(), row["halfmoves"], "game {number}");
        assert_eq!((now.variations - before.variations).to_string(), row["variations"]);
        assert_eq!((now.comments - before.comments).to_string(), row["comments"], "game {number}");
        assert_eq!((now.nags - before.nags).to_string(), row["nags"], "game {number}");
        assert_eq!(game.tags.value("White"), Some(row["white"].as_str()), "game {number}");
        assert_eq!(game.tags.value("Black"), Some(row["black"].as_str()), "game {number}");
        let style = if row["variant"] == "Chess960" {
            CastlingStyle::KingTakesRook
        } else {
            CastlingStyle::KingToTarget
        };
        let moves: Vec<String> = game.moves.iter().map(|mv| mv.uci(style).to_string()).collect();
        assert_eq!(moves.join(" "), row["mainline_uci"], "game {number}");
        assert_eq!(game.final_position().to_string(), row["final_fen"], "game {number}");
        before = now;
    }
    assert_eq!(reader.read(&mut game).expect("a sound file"), None);
}
