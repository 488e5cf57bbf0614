//! SQL over games of several variants.

use halfmove_rules::Makruk;

use crate::support::{Outcome, ask, imported, testdata};

#[test]
fn sql_knows_the_game() -> Outcome {
    let makruk = "1. e4 e5 2. Sc2 *";
    let text = format!(
        "[Variant \"Makruk\"]\n[Result \"1-0\"]\n\n{makruk}\n\n[Variant \"Makpong\"]\n\n{makruk}\n\n\
         [Variant \"ASEAN\"]\n\n1. e4 e5 2. Bc2 *\n\n[Result \"0-1\"]\n\n1. e4 e5 2. Nf3 *\n\n\
         [Variant \"Chess960\"]\n[FEN \"1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w KQkq - 0 1\"]\n\n1. e4 *\n"
    );
    let (_folder, archive) = imported(text);
    const MAKRUK: &str = "rnsmksnr/8/pppp1ppp/4p3/4P3/PPPP1PPP/8/RNSKMSNR w - - 0 2";
    const ASEAN: &str = "rnbqkbnr/8/pppp1ppp/4p3/4P3/PPPP1PPP/8/RNBQKBNR w - - 0 2";
    const CHESS: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    const CHESS960: &str = "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w GBgb - 0 1";
    for (query, expected) in [
        (
            "SELECT variant, san(moves), plies(moves) FROM games ORDER BY id".to_owned(),
            "makruk,1. e4 e5 2. Sc2,3|makpong,1. e4 e5 2. Sc2,3|asean,1. e4 e5 2. Bc2,3|chess,1. e4 e5 2. Nf3,3|\
             chess960,1. e4,1",
        ),
        (
            "SELECT fen_at(moves, 3) FROM games WHERE id IN (1, 3) ORDER BY id".to_owned(),
            "rnsmksnr/8/pppp1ppp/4p3/4P3/PPPP1PPP/2S5/RN1KMSNR b - - 1 2|\
             rnbqkbnr/8/pppp1ppp/4p3/4P3/PPPP1PPP/2B5/RN1QKBNR b - - 1 2",
        ),
        (format!("SELECT id FROM games WHERE reaches(moves, '{MAKRUK}', 'makruk')"), "1"),
        (format!("SELECT id FROM games WHERE reaches(moves, '{MAKRUK}', 'Makpong')"), "2"),
        (format!("SELECT id FROM games WHERE reaches(moves, '{ASEAN}', 'asean')"), "3"),
        (format!("SELECT id FROM games WHERE reaches(moves, '{CHESS}')"), "4"),
        (format!("SELECT id FROM games WHERE reaches(moves, '{CHESS}', 'chess')"), "4"),
        (format!("SELECT id FROM games WHERE reaches(moves, '{CHESS960}', 'chess960')"), "5"),
        (format!("SELECT id FROM games WHERE reaches(moves, '{CHESS960}')"), "5"),
        // The archive does not evaluate these by its signatures.
        (
            format!(
                "SELECT id FROM games WHERE NOT reaches(moves, '{MAKRUK}', 'makruk') ORDER BY id"
            ),
            "2|3|4|5",
        ),
        (format!("SELECT id FROM games WHERE ply_of(moves, '{MAKRUK}', 'makpong') = 2"), "2"),
        (
            format!(
                "SELECT ply_of(moves, '{MAKRUK}', variant) FROM games WHERE id < 3 ORDER BY id"
            ),
            "2|2",
        ),
        (
            "SELECT id, reaches(moves, fen_at(moves, 1), variant) FROM games ORDER BY id"
                .to_owned(),
            "1,true|2,true|3,true|4,true|5,true",
        ),
        (
            "SELECT id, reaches(moves, start_fen, variant) FROM games ORDER BY id".to_owned(),
            "1,null|2,null|3,null|4,null|5,true",
        ),
        (format!("SELECT reaches(moves, '{CHESS}', NULL) FROM games WHERE id = 4"), "null"),
        (
            format!("SELECT explore(moves, result, '{MAKRUK}', 'makruk') FROM games"),
            "{white: 1, draws: 0, black: 0, other: 0, moves: [{uci: c1c2, san: Sc2, white: 1, draws: 0, black: 0, \
             other: 0}]}",
        ),
        (
            format!(
                "SELECT explore(moves, result, '{ASEAN}', 'asean')['moves'][1]['san'] FROM games"
            ),
            "Bc2",
        ),
        (
            format!(
                "SELECT variant, explore(moves, result, '{MAKRUK}', variant)['moves'][1]['san'] FROM games \
                 WHERE variant IN ('makruk', 'makpong') GROUP BY variant ORDER BY variant"
            ),
            "makpong,Sc2|makruk,Sc2",
        ),
        (
            format!(
                "SELECT explore(moves, result, '{MAKRUK}', 'makpong')['other'], \
                 explore(moves, result, '{CHESS}')['black'] FROM games"
            ),
            "1,1",
        ),
        (format!("SELECT explore(moves, result, '{MAKRUK}', NULL)['other'] FROM games"), "0"),
    ] {
        let rows: Vec<String> = ask(&archive, &query)?.iter().map(|row| row.join(",")).collect();
        assert_eq!(rows.join("|"), expected, "{query}");
    }
    let names = "expected chess, chess960, makruk, makpong or asean";
    for (query, expected) in [
        (
            format!("SELECT reaches(moves, '{MAKRUK}', 'atomic') FROM games"),
            ["the variant \"atomic\" is not known", names],
        ),
        (
            format!("SELECT explore(moves, result, '{MAKRUK}', 'atomic') FROM games"),
            ["the variant \"atomic\" is not known", names],
        ),
        (
            "SELECT reaches(moves, fen_at(moves, 0), 'x') FROM games".to_owned(),
            ["variant \"x\"", names],
        ),
        (format!("SELECT reaches(moves, '{MAKRUK}') FROM games"), [MAKRUK, "the FEN"]),
        (format!("SELECT reaches(moves, '{CHESS}', 'makruk') FROM games"), [CHESS, "the FEN"]),
        (
            format!("SELECT reaches(moves, '{MAKRUK}', 'makruk', 'fairy') FROM games"),
            [
                "reaches was called with 4 arguments",
                "expected reaches(moves, fen) or reaches(moves, fen, variant)",
            ],
        ),
        (
            format!("SELECT reaches(moves, '{MAKRUK}', 7) FROM games"),
            ["argument 3 of reaches is Int64, expected a text", "reaches(moves, fen, variant)"],
        ),
        (
            format!("SELECT explore(moves, result, '{MAKRUK}', variant) FROM games WHERE id < 3"),
            ["explore was called with two positions", "(makruk)"],
        ),
    ] {
        let error = ask(&archive, &query).expect_err("a mistake").to_string();
        for part in expected {
            assert!(error.contains(part), "{query}: {error}");
        }
    }
    Ok(())
}

/// A condition that the archive evaluates is not evaluated game by game: the plan shows nothing but the scan.
#[test]
fn the_kernel_answers_for_every_game() -> Outcome {
    let (_folder, archive) = imported(std::fs::read(testdata("games/makruk.pgn"))?);
    let start = Makruk::default();
    for call in [
        format!("SELECT count(*) FROM games WHERE reaches(moves, '{start}', 'makruk')"),
        format!("SELECT explore(moves, result, '{start}', 'makruk') FROM games"),
    ] {
        let plan = ask(&archive, &format!("EXPLAIN {call}"))?.concat().concat();
        assert!(!plan.contains("FilterExec"), "{plan}");
        assert!(plan.contains("reaches") == plan.contains("filters=["), "{plan}");
    }
    Ok(())
}
