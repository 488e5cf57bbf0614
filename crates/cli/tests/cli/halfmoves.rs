//! The table `halfmoves`, compared with python-chess: `testdata/oracle/halfmoves.py` makes the same
//! table.

use crate::program::{archive_of, ok, testdata};

#[test]
fn half_moves_are_those_of_python_chess() {
    for (games, table, every, rows) in [
        ("games/masters.pgn.zst", "halfmoves_masters.tsv", 4_000, 335),
        ("games/lichess.pgn.zst", "halfmoves_lichess.tsv", 80, 196),
        ("games/chess960.pgn", "halfmoves_chess960.tsv", 9, 270),
        ("games/setup.pgn", "halfmoves_setup.tsv", 8, 319),
    ] {
        let (_folder, archive) = archive_of(&[games]);
        let query = format!("select * from halfmoves where id % {every} = 0 order by id, ply");
        let ours = ok(&["sql", &archive, &query, "--format", "tsv"]);
        let theirs = std::fs::read_to_string(testdata("expected").join(table)).expect("a table");
        assert_eq!(theirs.lines().count(), rows + 1, "{table}");
        let heading: Vec<&str> = theirs.lines().next().expect("a heading").split('\t').collect();
        for (ours, theirs) in ours.lines().zip(theirs.lines()) {
            let cells = ours.split('\t').zip(theirs.split('\t')).zip(&heading);
            for ((ours, theirs), column) in cells {
                assert_eq!(ours, theirs, "{column} of {table}: {ours}");
            }
        }
        assert_eq!(ours.lines().count(), theirs.lines().count(), "{table}");
    }
}

/// Lichess writes a glyph after a move that loses much, by the same formula.
#[test]
fn win_percentages_losses_and_glyphs_are_those_of_python_chess() {
    let (_folder, archive) = archive_of(&["games/lichess.pgn.zst"]);
    let query = "select id, ply, win_percent, loss, nags from halfmoves where id % 5 = 0 and loss is not null order by id, ply";
    let ours = ok(&["sql", &archive, query, "--format", "tsv"]);
    let theirs = std::fs::read_to_string(testdata("expected/losses_lichess.tsv")).expect("a table");
    assert_eq!((ours.lines().count(), theirs.lines().count()), (556, 556));
    for (ours, theirs) in ours.lines().zip(theirs.lines()) {
        assert_eq!(ours, theirs);
    }
}

/// The moves before a fault are half-moves; those of a game without clocks have none.
#[test]
fn games_with_faults_end_before_them() {
    let (folder, _) = archive_of(&["games/setup.pgn"]);
    let pgn = folder.path().join("faults.pgn");
    std::fs::write(
        &pgn,
        "[White \"A\"]\n\n1. e4 {[%clk 0:01:00]} e5 2. Kxh8 Nc6 *\n\n[White \"B\"]\n\n1. Kxh8 *\n\n[White \"C\"]\n\n1. d4 *\n",
    )
    .expect("written");
    let archive = folder.path().join("faults").display().to_string();
    let output = crate::program::run(&["import", &archive, &pgn.display().to_string()]);
    assert!(output.code < 2, "{output:?}");
    let query = "select g.white, h.ply, h.san, h.clock, h.time_used from games g left join halfmoves h using (id) order by id, ply";
    let found = ok(&["sql", &archive, query, "--format", "csv"]);
    assert_eq!(found, "white,ply,san,clock,time_used\nA,1,e4,60.0,\nA,2,e5,,\nB,,,,\nC,1,d4,,\n");
}
