//! Values written with the feature `serde` can be read back.

use halfmove_rules::{
    AnyPosition, Chess, Color, MaterialKey, Move, Outcome, Piece, Role, San, Setup, Square,
    UciMove, Variant,
};
use serde_core::{Serialize, de::DeserializeOwned};
use serde_json::{from_value, json, to_value};
use serde_test::{
    Compact, Configure, Token, assert_de_tokens, assert_de_tokens_error, assert_tokens,
};
use std::fmt::Debug;

fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, json: serde_json::Value) {
    assert_eq!(to_value(value).unwrap(), json);
    assert_eq!(&from_value::<T>(json).unwrap(), value);
}

#[test]
fn a_field_may_stand_there_once() {
    for json in [
        r#"{"variant":"makruk","variant":"chess","fen":"4k3/8/8/8/8/8/8/4K3 w - - 0 1"}"#,
        r#"{"variant":"chess","fen":"","fen":"4k3/8/8/8/8/8/8/4K3 w - - 0 1"}"#,
    ] {
        let error = serde_json::from_str::<AnyPosition>(json).unwrap_err();
        assert!(error.to_string().contains("duplicate field"), "{error}");
    }
    for json in [
        r#"{"kind":"stalemate","kind":"checkmate","winner":"white"}"#,
        r#"{"kind":"checkmate","winner":"white","winner":null}"#,
    ] {
        let error = serde_json::from_str::<Outcome>(json).unwrap_err();
        assert!(error.to_string().contains("duplicate field"), "{error}");
    }
}

#[test]
fn values_in_json() {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    check(&Chess::default(), json!(fen));
    check(&fen.parse::<Setup>().unwrap(), json!(fen));
    check(&Variant::Makpong, json!("makpong"));
    check(&"e7e8q".parse::<UciMove>().unwrap(), json!("e7e8q"));
    check(&"Nf3".parse::<San>().unwrap(), json!("Nf3"));
    check(&"KQvKR".parse::<MaterialKey>().unwrap(), json!("KQvKR"));
    check(&Move::castle(Square::E1, Square::H1), json!(0x8000 | 4 | 7 << 6));
    check(&Role::Khon, json!("khon"));
    for role in Role::ALL {
        check(&role, json!(role.to_string()));
        for color in Color::ALL {
            let piece = Piece { color, role };
            check(&piece, json!(piece.to_char().to_string()));
            check(
                &Outcome::Checkmate { winner: color },
                json!({ "kind": "checkmate", "winner": color }),
            );
        }
    }
    check(&Piece { color: Color::Black, role: Role::Met }, json!("m"));
    for (outcome, kind) in [
        (Outcome::Stalemate, "stalemate"),
        (Outcome::InsufficientMaterial, "insufficient_material"),
        (Outcome::FivefoldRepetition, "fivefold_repetition"),
        (Outcome::SeventyFiveMoves, "seventy_five_moves"),
        (Outcome::ThreefoldRepetition, "threefold_repetition"),
        (Outcome::FiftyMoves, "fifty_moves"),
        (Outcome::CountingDraw, "counting"),
    ] {
        check(&outcome, json!({ "kind": kind, "winner": null }));
    }
    for variant in Variant::ALL {
        let start = AnyPosition::start(variant);
        let json = json!({ "variant": variant.name(), "fen": start.to_string() });
        check(&start, json.clone());
        assert_eq!(from_value::<AnyPosition>(json).unwrap().variant(), variant);
        // As in a format without field names.
        let sequence = json!([variant.name(), start.to_string()]);
        assert_eq!(from_value::<AnyPosition>(sequence).unwrap(), start);
    }
}

#[test]
fn errors_name_the_fault() {
    for (error, part) in [
        (from_value::<Chess>(json!("8/8/8/8/8/8/8/8 w - - 0 1")).unwrap_err(), "no king"),
        (from_value::<Chess>(json!(7)).unwrap_err(), "expected a FEN of chess"),
        (from_value::<Setup>(json!("8/8 w")).unwrap_err(), "byte 3: expected eight ranks"),
        (from_value::<Variant>(json!("atomic")).unwrap_err(), "expected chess, chess960"),
        (from_value::<Role>(json!("horse")).unwrap_err(), "expected pawn, knight"),
        (from_value::<Piece>(json!("nn")).unwrap_err(), "expected a letter of PNBRQKSM"),
        (from_value::<Piece>(json!("")).unwrap_err(), "expected a letter of PNBRQKSM"),
        (from_value::<Outcome>(json!({ "kind": "mate" })).unwrap_err(), "such as checkmate"),
        (
            from_value::<Outcome>(json!({ "kind": "checkmate" })).unwrap_err(),
            "expected white or black",
        ),
        (
            from_value::<Outcome>(json!({ "kind": "stalemate", "winner": "white" })).unwrap_err(),
            "null as that of a draw",
        ),
        (from_value::<Outcome>(json!({ "winner": null })).unwrap_err(), "missing field `kind`"),
        (from_value::<AnyPosition>(json!({ "fen": "" })).unwrap_err(), "missing field `variant`"),
        (from_value::<AnyPosition>(json!({ "rules": 1 })).unwrap_err(), "unknown field `rules`"),
    ] {
        assert!(error.to_string().contains(part), "{error}");
    }
    for short in [json!([]), json!(["chess"])] {
        assert!(from_value::<AnyPosition>(short).is_err());
    }
    assert!(from_value::<Move>(json!(5 << 12)).is_err());
    assert!(from_value::<Move>(json!(70_000)).is_err());
}

#[test]
fn an_outcome_in_binary_formats() {
    let (white, black) = (Color::White, Color::Black);
    for (outcome, kind, winner) in [
        (Outcome::Checkmate { winner: white }, "checkmate", &[Token::Some, Token::U8(0)][..]),
        (Outcome::Checkmate { winner: black }, "checkmate", &[Token::Some, Token::U8(1)][..]),
        (Outcome::Stalemate, "stalemate", &[Token::None][..]),
    ] {
        let mut tokens = vec![Token::Struct { name: "Outcome", len: 2 }];
        tokens.extend([Token::Str("kind"), Token::Str(kind), Token::Str("winner")]);
        tokens.extend_from_slice(winner);
        tokens.push(Token::StructEnd);
        assert_tokens(&outcome.compact(), &tokens);
        // Without the names of the fields.
        let mut tokens = vec![Token::Seq { len: Some(2) }, Token::Str(kind)];
        tokens.extend_from_slice(winner);
        tokens.push(Token::SeqEnd);
        assert_de_tokens(&outcome.compact(), &tokens);
    }
    let start = Token::Seq { len: None };
    let kind = Token::Str("stalemate");
    for (tokens, found) in
        [(&[start, Token::SeqEnd][..], 0), (&[start, kind, Token::SeqEnd][..], 1)]
    {
        let expected = "expected an outcome with the fields kind and winner";
        let error = format!("invalid length {found}, {expected}");
        assert_de_tokens_error::<Compact<Outcome>>(tokens, &error);
    }
}

#[test]
fn fields_that_an_outcome_does_not_have() {
    let outcome = json!({ "kind": "checkmate", "winner": "white", "moves": 40 });
    let error = from_value::<Outcome>(outcome).unwrap_err().to_string();
    assert!(error.contains("unknown field `moves`, expected `kind` or `winner`"), "{error}");
}
