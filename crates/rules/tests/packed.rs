//! Positions in 32 bytes, compared with a packer that works on FENs only.

use crate::suites::{shipped, table};
use halfmove_rules::makruk::{self, CountingPolicy};
use halfmove_rules::{Chess, Flaw, Makruk, PackError, UnpackError};
use std::path::Path;

fn bytes(hex: &str) -> [u8; 32] {
    let bytes: Vec<u8> =
        (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..][..2], 16).unwrap()).collect();
    bytes.try_into().expect("32 bytes")
}

fn check(fen: &str, packed: [u8; 32]) {
    let position = Chess::from_fen(fen, None).unwrap_or_else(|e| panic!("{fen}: {e}"));
    assert_eq!(position.pack(), Ok(packed), "{fen}");
    let unpacked = Chess::unpack(&packed).unwrap_or_else(|e| panic!("{fen}: {e}"));
    assert_eq!(unpacked.to_string(), position.to_string());
}

#[test]
fn positions_as_an_independent_packer_has_them() {
    let rows = table(&shipped("packed/positions.tsv"));
    assert_eq!(rows.len(), 800);
    for row in rows {
        check(&row[0], bytes(&row[1]));
    }
}

#[test]
fn the_vectors_of_the_reference() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/packed.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, vectors) = page.split_once("\n## Test vectors\n").unwrap();
    let (vectors, _) = vectors.split_once("\n## ").unwrap();
    let mut checked = 0;
    for row in vectors.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        check(cells[1], bytes(cells[2]));
        checked += 1;
    }
    assert_eq!(checked, 4);
}

/// The values of a worked example, in order: "`d5 00`, then 15 bytes `00`".
fn worked(page: &str, heading: &str) -> Vec<u8> {
    let (_, section) = page.split_once(&format!("\n{heading}\n")).unwrap();
    let rows = section.lines().skip_while(|line| !line.starts_with("| --- ")).skip(1);
    let cells = rows.take_while(|line| line.starts_with("| ")).map(|row| row.split(" | ").nth(1));
    let mut bytes = Vec::new();
    for item in cells.flat_map(|cell| cell.unwrap().split(", ")) {
        let item = item.strip_prefix("then ").unwrap_or(item);
        let (times, hex) = item.split_once(" bytes ").unwrap_or(("1", item));
        let hex = hex.trim_matches('`').split(' ');
        let values: Vec<u8> = hex.map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect();
        bytes.extend(values.repeat(times.parse().unwrap()));
    }
    bytes
}

#[test]
fn the_worked_examples_of_the_reference() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/packed.md");
    let page = std::fs::read_to_string(page).unwrap();
    let chess = Chess::from_fen("8/8/8/4k3/8/8/4K3/8 b - - 99 300", None).unwrap();
    assert_eq!(worked(&page, "## Worked example"), chess.pack().unwrap());
    let makruk: Makruk = "8/3k4/8/8/8/5K2/2M~5/2R4R w - 16 17 6".parse().unwrap();
    assert_eq!(worked(&page, "### Worked example of Makruk"), makruk.pack().unwrap());
}

#[test]
fn the_vectors_of_makruk_in_the_reference() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/packed.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, vectors) = page.split_once("\n### Test vectors of Makruk\n").unwrap();
    let mut checked = 0;
    for row in vectors.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let rules = makruk::Rules::from_name(cells[2]).expect("a game");
        let policy = match cells[3] {
            "automatic" => CountingPolicy::Auto,
            "Thai" => CountingPolicy::Thai,
            "makruk-js's" => CountingPolicy::MakrukJs,
            "Fairy-Stockfish 11's" => CountingPolicy::Fairy11,
            other => panic!("{other} is no policy"),
        };
        let position = Makruk::from_fen(cells[1], rules, None).unwrap().with_policy(policy);
        let packed = position.pack().unwrap();
        let hex: String = packed.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, cells[4], "{position}");
        assert_eq!(Makruk::unpack(&packed), Ok(position));
        checked += 1;
    }
    assert_eq!(checked, 4);
}

#[test]
fn equal_positions_are_equal_bytes_but_for_the_counters() {
    let packed = |fen: &str| Chess::from_fen(fen, None).unwrap().pack().unwrap();
    let base = packed("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1");
    let later = packed("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 9");
    assert!(base[..28] == later[..28] && base != later);
    for other in [
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQk d6 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K1R1 w Qkq d6 0 1",
    ] {
        assert_ne!(base[..28], packed(other)[..28], "{other}");
    }
    // A pawn that cannot be captured en passant leaves no trace.
    let after = packed("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1");
    assert_eq!(after, packed("4k3/8/8/3p4/8/8/8/4K3 w - - 0 1"));
}

#[test]
fn more_than_32_pieces_are_refused() {
    let crowd: Chess = "k7/1p6/8/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/K7 w - - 0 1".parse().unwrap();
    assert_eq!(crowd.pack(), Err(PackError::Pieces { found: 35 }));
}

#[test]
fn bytes_that_are_not_a_position() {
    let base: Chess = "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1".parse().unwrap();
    let base = base.pack().unwrap();
    for (offset, byte, at) in [
        (8, 0x66, 8),
        (12, 0x10, 12),
        (23, 1, 23),
        (24, 2, 24),
        (25, 9, 25),
        (26, 0x1f, 26),
        (27, 0x91, 27),
        (30, 0, 30),
    ] {
        let mut bytes = base;
        bytes[offset] = byte;
        match Chess::unpack(&bytes) {
            Err(UnpackError::Byte { offset, .. }) => assert_eq!(offset, at, "{byte} at {offset}"),
            other => panic!("{byte} at {offset}: {other:?}"),
        }
    }
    let mut full = base;
    full[..8].fill(0xff);
    assert!(matches!(Chess::unpack(&full), Err(UnpackError::Byte { offset: 0, .. })));
    for (offset, byte, flaw) in
        [(24, 1, Flaw::EnPassant), (25, 5, Flaw::EnPassant), (26, 0x17, Flaw::Castling)]
    {
        let mut bytes = base;
        bytes[offset] = byte;
        match Chess::unpack(&bytes) {
            Err(UnpackError::Position(error)) => assert_eq!(error.flaws(), flaw.into()),
            other => panic!("{byte} at {offset}: {other:?}"),
        }
    }
    // A pawn has advanced two squares over d6, but the only pawn that could capture it is pinned.
    let pinned: Chess = "8/8/8/KPp4r/8/8/8/4k3 w - - 0 1".parse().unwrap();
    let mut bytes = pinned.pack().unwrap();
    bytes[25] = 3;
    assert!(matches!(Chess::unpack(&bytes), Err(UnpackError::Byte { offset: 25, .. })));
}

#[test]
fn a_position_that_no_game_reaches_is_unpacked() {
    for fen in ["4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1", "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1"] {
        let position: Chess = fen.parse().unwrap();
        assert!(!position.to_setup().flaws().is_empty());
        let unpacked = Chess::unpack(&position.pack().unwrap());
        assert_eq!(unpacked.as_ref().map(Chess::to_string), Ok(fen.to_owned()));
    }
}

/// Every position of the shipped games of Makruk comes back whole, with its count and its promoted mets. If one
/// byte is changed, only the bytes of a position are accepted.
#[test]
fn makruk_comes_back_whole() {
    let games = std::fs::read_to_string(shipped("makruk/kin_games.jsonl")).unwrap();
    let (mut positions, mut counting) = (0, 0);
    for line in games.lines() {
        let game: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let rules = makruk::Rules::from_name(game["variant"].as_str().unwrap()).unwrap();
        let fen = game["start"].as_str().unwrap();
        for policy in [CountingPolicy::Auto, CountingPolicy::Fairy11] {
            let mut position = Makruk::from_fen(fen, rules, None).unwrap().with_policy(policy);
            for uci in game["moves"].as_str().unwrap().split(' ') {
                position.play_unchecked(position.parse_uci(uci).unwrap());
                let bytes = position.pack().unwrap();
                let same = Makruk::unpack(&bytes).unwrap_or_else(|e| panic!("{position}: {e}"));
                assert_eq!((same.pack(), &same), (Ok(bytes), &position));
                assert_eq!(
                    (same.counting(), same.promoted(), same.policy(), same.to_string()),
                    (position.counting(), position.promoted(), policy, position.to_string())
                );
                counting += u32::from(position.counting().is_some());
                positions += 1;
                let at = positions % bytes.len();
                let mut changed = bytes;
                changed[at] = changed[at].wrapping_add((positions / bytes.len() % 255) as u8 + 1);
                if let Ok(other) = Makruk::unpack(&changed) {
                    assert_eq!(other.pack(), Ok(changed), "{changed:02x?}");
                }
            }
        }
    }
    assert!(positions > 3000 && counting > 300, "{positions} positions, {counting} with a count");
}
