//! Positions of the command line: read as people and programs write them, with warnings; strictly on demand.

use crate::engine::fails;
use crate::program::{archive_of, ok, run};

const DROPPED: &str =
    "warning: --fen: castling rights \"KQkq\" dropped: their king or rook is not at home\n";

/// The same rule for each verb that takes a position.
#[test]
fn rights_that_cannot_be_are_dropped_with_a_warning() {
    let (_folder, archive) = archive_of(&["games/setup.pgn"]);
    let fen = "2r5/5p1k/6p1/8/8/8/5PPP/2R3K1 b KQkq - 0 1";
    let clean = "2r5/5p1k/6p1/8/8/8/5PPP/2R3K1 b - - 0 1";
    for verb in [
        &["position"][..],
        &["moves"],
        &["perft", "--depth", "2", "--divide", "--format", "csv"],
        &["search", &archive, "--format", "csv"],
        &["explore", &archive, "--format", "csv"],
        &["stats", &archive],
        &["export", &archive],
    ] {
        let lenient = run(&[verb, &["--fen", fen]].concat());
        let expected = run(&[verb, &["--fen", clean]].concat());
        assert!(lenient.err.starts_with(DROPPED), "{verb:?}: {lenient:?}");
        assert_eq!(lenient.err.matches("warning").count(), 1, "{verb:?}: {lenient:?}");
        assert_eq!((&lenient.out, lenient.code), (&expected.out, expected.code), "{verb:?}");
        let strict = [verb, &["--strict", "--fen", fen]].concat();
        fails(&strict, &[fen, "king or rook is not in place"]);
        let strict = run(&[verb, &["--strict", "--fen", clean]].concat());
        assert_eq!((&strict.out, strict.code), (&expected.out, expected.code), "{verb:?}");
    }
}

#[test]
fn fields_may_be_missing_and_counters_wrong() {
    for (fen, variant, expected, warnings) in [
        ("8/8/8/4k3/8/8/4K3/8 b", "chess", "8/8/8/4k3/8/8/4K3/8 b - - 0 1", 1),
        ("8/8/8/4k3/8/8/4K3/8 b - - hmvc 3; fmvn 9;", "chess", "8/8/8/4k3/8/8/4K3/8 b - - 3 9", 0),
        ("8/8/8/4k3/8/8/4K3/8 b - e3 -5 9", "chess", "8/8/8/4k3/8/8/4K3/8 b - - 0 9", 2),
        ("8/8/5k2/7p/6SS/8/3K4/8 b 0 1", "makruk", "8/8/5k2/7p/6SS/8/3K4/8 b - - 0 1", 0),
        ("8/8/5k2/7p/6SS/8/3K4/8", "makruk", "8/8/5k2/7p/6SS/8/3K4/8 w - - 0 1", 1),
        ("8/8/5k2/7p/6SS/8/3K4/8 b KQ - 0 1", "makruk", "8/8/5k2/7p/6SS/8/3K4/8 b - - 0 1", 1),
    ] {
        let args = ["position", "--variant", variant, "--fen", fen, "--format", "json"];
        let output = run(&args);
        assert!(output.out.contains(&format!("\"fen\":\"{expected}\"")), "{fen}: {output:?}");
        assert_eq!(output.err.matches("warning: --fen: ").count(), warnings, "{fen}: {output:?}");
    }
    let dialect = ["--variant", "makruk", "--dialect", "fairy"];
    let fen = ["--fen", "8/k7/2M5/8/8/8/8/2RK4 w KQ -"];
    ok(&[&["position"], &dialect[..], &fen].concat());
    fails(
        &[&["position", "--strict"], &dialect[..], &fen].concat(),
        &["castling rights", "byte 24"],
    );
}
