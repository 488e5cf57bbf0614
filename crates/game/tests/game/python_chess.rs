//! The results of python-chess 1.11.2 for every uncompressed file of the large collections, compared with ours.

use crate::collections::read;
use crate::data::table;

// Reasons why a result may differ.
const BLANK_LINES: &str = "a blank line in the moves ends no game";
const NAMES: &str = "chess-960 and chess 960 are names of Chess960";
const VARIANTS: &str = "games of other variants are passed over";
const CARRIAGE_RETURNS: &str =
    "a carriage return ends a line, so the tags are tags and the moves are moves";
const ONE_LINE: &str = "all tags of a game may share one line";
const MISC: &str = "blank lines in the moves, and abbreviations for glyphs: 15 games";
const ERRORS: &str = "blank lines end no game, and a word that is no move is a fault";
const NO_PGN: &str = "prose is no game";
const UNCLOSED: &str = "a game that breaks off in a comment or variation is a game with a fault";
const HEADERS_ONLY: &str = "45 tag sections are 45 games";
const UNREADABLE: &str = "a word that is no move is a fault, not something to step over";
const NO_TAGS: &str = "without tags, a result is what ends a game";
const IN_VARIATION: &str = "a fault in a variation is none of the main line";
const EXCEPTION: &str = "python-chess stops with an IndexError";

/// The files that differ although we are right, with the difference and the reason.
const DIFFERING: &[(&str, &str, &str)] = &[
    (
        "annotated/human_computer.pgn",
        "games 29 for 30, halfmoves 2290 for 2278, errors 0 for 1",
        BLANK_LINES,
    ),
    ("annotated/lichess_studies.pgn", "games 265 for 250, halfmoves 1686 for 1657", EXCEPTION),
    ("annotated/perle.pgn", "halfmoves 14922 for 14915, errors 0 for 1", IN_VARIATION),
    ("chess960/kokopu_chess960.pgn", "errors 0 for 1", NAMES),
    ("encodings/kokopu_linebreak-mac.pgn", "errors 1 for 0", CARRIAGE_RETURNS),
    ("encodings/scid_res_gameLatin1.pgn", "halfmoves 149 for 0", ONE_LINE),
    ("malformed/chesslib_err.pgn", "games 1 for 2", BLANK_LINES),
    ("malformed/chesslib_z0.pgn", "games 1 for 2", BLANK_LINES),
    ("malformed/duckdb-chess/parser_stage_error.pgn", "errors 1 for 0", UNCLOSED),
    ("malformed/kokopu/antichess/database.pgn", "halfmoves 0 for 58, errors 0 for 1", VARIANTS),
    ("malformed/kokopu/chess960/database.pgn", "errors 0 for 1", NAMES),
    ("malformed/kokopu/horde/database.pgn", "halfmoves 0 for 116", VARIANTS),
    ("malformed/kokopu/linebreak-mac/database.pgn", "errors 1 for 0", CARRIAGE_RETURNS),
    (
        "malformed/kokopu/misc/database.pgn",
        "games 15 for 32, halfmoves 125 for 99, errors 1 for 10",
        MISC,
    ),
    (
        "malformed/kokopu/optional-kings/database.pgn",
        "halfmoves 0 for 13, errors 0 for 3",
        VARIANTS,
    ),
    ("malformed/kokopu/redos-comment/database.pgn", "errors 1 for 0", UNCLOSED),
    (
        "malformed/kokopu/syntactic-error-1/database.pgn",
        "games 21 for 25, halfmoves 27 for 28, errors 4 for 2",
        ERRORS,
    ),
    ("malformed/kokopu/syntactic-error-2/database.pgn", "games 0 for 1", NO_PGN),
    ("malformed/kokopu/syntactic-error-3/database.pgn", "games 0 for 1, halfmoves 0 for 1", NO_PGN),
    ("malformed/kokopu_games/escaped-text/database.pgn", "errors 1 for 0", UNREADABLE),
    (
        "malformed/kokopu_games/long-short-comments-variations-1/database.pgn",
        "games 1 for 11, halfmoves 6 for 3, errors 0 for 5",
        BLANK_LINES,
    ),
    (
        "malformed/kokopu_games/long-short-comments-variations-2/database.pgn",
        "games 1 for 5, halfmoves 6 for 4, errors 0 for 2",
        BLANK_LINES,
    ),
    (
        "malformed/kokopu_games/long-short-comments-variations-3/database.pgn",
        "games 1 for 5, halfmoves 4 for 2, errors 0 for 2",
        BLANK_LINES,
    ),
    (
        "malformed/kokopu_games/variant-no-king/database.pgn",
        "halfmoves 0 for 8, errors 0 for 1",
        VARIANTS,
    ),
    ("malformed/pgn-extract/infiles/barnes-horton.pgn", "games 1 for 2", BLANK_LINES),
    (
        "malformed/pgn-extract/infiles/nested-comment.pgn",
        "halfmoves 1 for 2, errors 1 for 0",
        UNREADABLE,
    ),
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
    (
        "malformed/pgn-extract/infiles/test-fuzzydepth.pgn",
        "games 4 for 1, halfmoves 20 for 5, errors 0 for 1",
        NO_TAGS,
    ),
    (
        "malformed/pgn-extract/infiles/test-nobadresults.pgn",
        "games 9 for 1, halfmoves 9 for 0",
        NO_TAGS,
    ),
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
    ("malformed/pychess_atomic.pgn", "halfmoves 0 for 331", VARIANTS),
    ("malformed/pychess_badpgn.pgn", "errors 1 for 0", UNREADABLE),
    ("malformed/pychess_zh.pgn", "halfmoves 0 for 4794", VARIANTS),
    ("malformed/python-chess/antichess-programfox.pgn", "halfmoves 0 for 126", VARIANTS),
    (
        "malformed/python-chess/knightvuillaume-jannlee-zh-lichess.pgn",
        "halfmoves 0 for 48",
        VARIANTS,
    ),
    ("malformed/python-chess/saturs-jannlee-zh-lichess.pgn", "halfmoves 0 for 122", VARIANTS),
    ("malformed/uzchesscup_headers_only.pgn", "games 45 for 1", HEADERS_ONLY),
];

#[test]
#[ignore = "needs HALFMOVE_DATA"]
fn python_chess() {
    let mut differing = Vec::new();
    let rows = table("expected/python_chess_reading.tsv");
    for row in &rows {
        let path = row["file"].as_str();
        let (counts, _) = read(path);
        let ours = [
            ("games", "games_python_chess", counts.games),
            ("halfmoves", "mainline_halfmoves", counts.half_moves),
            ("errors", "games_with_errors", counts.faulty),
        ];
        let different: Vec<String> = ours
            .iter()
            .filter(|(_, column, count)| row[*column] != count.to_string())
            .map(|(name, column, count)| format!("{name} {count} for {}", row[*column]))
            .collect();
        let different = different.join(", ");
        let expected = DIFFERING.iter().find(|(name, ..)| *name == path);
        let (expected, reason) = expected.map_or(("", ""), |(_, answer, why)| (answer, why));
        if different != expected {
            differing.push(format!("{path}: {different}\n  but expected: {expected} ({reason})"));
        }
    }
    assert!(differing.is_empty(), "\n{}", differing.join("\n"));
    assert_eq!(rows.len(), 192);
}
