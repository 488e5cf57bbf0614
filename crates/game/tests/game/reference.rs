//! The page on the byte code, `docs/reference/codec.md`, parsed: its table of bytes and its test vectors must match the
//! code.

#[path = "reference/page.rs"]
pub(crate) mod page;

use halfmove_game::codec::halfmove::{self, VERSION};
use halfmove_game::codec::{DecodeError, DecodeErrorKind};
use halfmove_rules::{AnyPosition, Chess, Makruk, Move, Variant};

use self::page::{Example, PAGE, every_byte, every_makruk_byte, hex, rows_under};

fn decode(bytes: &[u8]) -> Result<(AnyPosition, Vec<Move>), DecodeError> {
    let mut moves = Vec::new();
    Ok((halfmove::decode_moves(bytes, &mut moves)?, moves))
}

#[test]
fn every_byte_of_the_table_is_that_move() {
    let examples = every_byte();
    assert_eq!(examples.len(), 2 * 0xe0);
    for Example { byte, start, moves, fields } in examples {
        let mut bytes = Vec::new();
        halfmove::encode_moves(&start.clone().into(), &moves, &mut bytes).unwrap();
        assert_eq!(bytes.last(), Some(&byte), "{fields}: {start} {moves:?} {bytes:02x?}");
        assert_eq!(bytes.len(), 34 + moves.len(), "{start} {moves:?} {bytes:02x?}");
        assert_eq!(decode(&bytes), Ok((start.clone().into(), moves)), "{start}");
    }
}

#[test]
fn reserved_bytes_are_rejected() {
    let rows = rows_under("The bytes");
    let row = rows.iter().find(|cells| cells[1].starts_with("reserved")).expect("a row");
    let (first, last) = row[0].split_once('–').expect("a range");
    assert_eq!((hex(first), hex(last)), (0xe5, 0xff));
    for byte in hex(first)..=hex(last) {
        let error = DecodeError { offset: 0, kind: DecodeErrorKind::Reserved(byte) };
        assert_eq!(decode(&[byte]), Err(error));
    }
    // After the first byte, even the one for a head is reserved.
    for byte in 0xe4..=0xff {
        let error = DecodeError { offset: 1, kind: DecodeErrorKind::Reserved(byte) };
        assert_eq!(decode(&[0x11, byte]), Err(error));
    }
}

/// All bytes of Makruk, from every square: those in the table of the page are moves, others are rejected.
#[test]
fn every_byte_of_makruk_is_in_its_table() {
    every_makruk_byte(|bytes, legal| match (decode(bytes), legal) {
        (Ok((_, moves)), Some(example)) => assert_eq!(moves, [example.0], "{}", example.1),
        (Ok((_, moves)), None) => panic!("{moves:?} of {bytes:02x?} is in no table"),
        (Err(error), legal) => assert_eq!(legal, None, "{bytes:02x?}: {error}"),
    });
}

/// The head, row by row: each of its kinds is read, all others are rejected.
#[test]
fn every_head_is_in_its_table() {
    let rows = rows_under("The head");
    let kinds: Vec<&String> = rows.iter().map(|cells| &cells[0]).collect();
    assert_eq!(kinds[2..], ["`00`", "`01`", "`02`", "`03`", "`10`", "`20` + *g* + 4*p*"]);
    for kind in 0..=0xff {
        let mut bytes = vec![0xe4, kind];
        let makruk = "8/3k4/8/8/8/5K2/2M~5/2R4R w - 16 17 6".parse::<Makruk>().unwrap();
        let mut chess: Chess = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
        let crowded = "7k/8/8/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/KBBBBBBB w - - 0 1";
        let crowded = Chess::from_fen(crowded, None).unwrap();
        match kind {
            0x00 | 0x01 => bytes.extend(chess.pack().unwrap()),
            0x02 | 0x03 => {
                chess = crowded.clone();
                let fen = chess.to_string();
                bytes.push(fen.len() as u8);
                bytes.extend(fen.bytes());
            }
            0x10 => bytes.extend(makruk.pack().unwrap()),
            _ => {}
        }
        let is_known =
            matches!(kind, 0x00..=0x03 | 0x10) || (0x20..0x30).contains(&kind) && kind & 3 < 3;
        match decode(&bytes) {
            Ok((start, moves)) => {
                assert!(is_known && moves.is_empty(), "{kind:02x}");
                if kind == 0x10 {
                    assert_eq!(start, makruk.into());
                } else if kind < 4 {
                    let read = start.as_chess().expect("chess");
                    assert_eq!((read, read.is_chess960()), (&chess, kind & 1 != 0));
                }
            }
            Err(error) => {
                assert!(!is_known, "{kind:02x}");
                assert_eq!(error, DecodeError { offset: 1, kind: DecodeErrorKind::Reserved(kind) });
            }
        }
    }
}

#[test]
fn test_vectors() {
    let vectors: Vec<_> =
        rows_under("Test vectors").into_iter().filter(|cells| !cells[0].contains("--")).collect();
    assert!(vectors.len() > 12, "{} vectors", vectors.len());
    for cells in vectors.iter().skip(1) {
        let [variant, start, moves, bytes] = &cells[..] else { panic!("{cells:?}") };
        let variant = Variant::from_name(variant).expect("a variant");
        let start = match start.trim_matches('`') {
            "" => AnyPosition::start(variant),
            fen => AnyPosition::from_fen(fen, variant).unwrap_or_else(|e| panic!("{fen}: {e}")),
        };
        let mut position = start.clone();
        let moves: Vec<Move> = moves
            .split_whitespace()
            .map(|text| {
                let mv = match text {
                    "0000" => Move::NULL,
                    _ => position.parse_uci(text).expect(text),
                };
                position.play_unchecked(mv);
                mv
            })
            .collect();
        let expected: Vec<u8> = bytes.trim_matches('`').split_whitespace().map(hex).collect();
        let mut ours = Vec::new();
        halfmove::encode_moves(&start, &moves, &mut ours).unwrap();
        assert_eq!(ours, expected, "{cells:?} {ours:02x?}");
        assert_eq!(halfmove::plies(&ours) as usize, moves.len());
        assert_eq!(decode(&expected), Ok((start, moves)), "{cells:?}");
    }
}

#[test]
fn the_page_is_about_this_version() {
    assert!(PAGE.contains(&format!("\nVersion {VERSION}. ")));
}
