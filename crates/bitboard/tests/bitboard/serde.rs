//! Values as text, in both directions, and invalid texts.

use halfmove_bitboard::{Bitboard, Color, File, Rank, Square};
use serde_json::{Value, from_value, json, to_value};
use serde_test::{Compact, Configure, Token, assert_de_tokens_error, assert_tokens};

#[test]
fn names_are_written_and_read() {
    for square in Square::ALL {
        let name = format!("{}{}", square.file(), square.rank());
        assert_eq!(to_value(square).ok(), Some(json!(name)));
        assert_eq!(from_value::<Square>(json!(name)).ok(), Some(square));
        let (file, rank) = (json!(name[..1]), json!(name[1..]));
        assert_eq!(to_value((square.file(), square.rank())).ok(), Some(json!([file, rank])));
        assert_eq!(from_value::<File>(file).ok(), Some(square.file()));
        assert_eq!(from_value::<Rank>(rank).ok(), Some(square.rank()));
    }
    assert_eq!(to_value(Color::ALL).ok(), Some(json!(["white", "black"])));
    assert_eq!(from_value::<[Color; 2]>(json!(["w", "BLACK"])).ok(), Some(Color::ALL));
}

#[test]
fn a_set_is_a_list_of_squares() {
    let set = Bitboard::from(Square::H8) | Square::A1 | Square::C4;
    assert_eq!(to_value(set).ok(), Some(json!(["a1", "c4", "h8"])));
    assert_eq!(from_value::<Bitboard>(json!(["h8", "a1", "c4", "a1"])).ok(), Some(set));
    assert_eq!(from_value::<Bitboard>(json!([])).ok(), Some(Bitboard::EMPTY));
    let full = to_value(Bitboard::FULL).expect("a list");
    assert_eq!(full.as_array().map(Vec::len), Some(64));
    assert_eq!(from_value::<Bitboard>(full).ok(), Some(Bitboard::FULL));
}

#[test]
fn invalid_values_are_rejected() {
    for value in
        [json!("e9"), json!("E4"), json!(""), json!(64), json!(-1), json!(256), Value::Null]
    {
        assert!(from_value::<Square>(value.clone()).is_err(), "{value}");
        assert!(from_value::<Bitboard>(json!([value])).is_err());
    }
    assert!(from_value::<File>(json!("i")).is_err() && from_value::<Rank>(json!("0")).is_err());
    assert!(from_value::<Color>(json!("gray")).is_err() && from_value::<Color>(json!(2)).is_err());
    let error = from_value::<Square>(json!("e9")).expect_err("no ninth rank").to_string();
    assert!(error.contains("\"e9\"") && error.contains("a square such as"), "{error}");
}

#[test]
fn binary_formats_have_indices() {
    for square in Square::ALL {
        let (file, rank) = (square.file(), square.rank());
        assert_tokens(&square.compact(), &[Token::U8(square.index() as u8)]);
        assert_tokens(&file.compact(), &[Token::U8(square.index() as u8 % 8)]);
        assert_tokens(&rank.compact(), &[Token::U8(square.index() as u8 / 8)]);
    }
    assert_tokens(&Color::White.compact(), &[Token::U8(0)]);
    assert_tokens(&Color::Black.compact(), &[Token::U8(1)]);
    for set in [Bitboard::EMPTY, Bitboard::FULL, Bitboard::from(Square::H8) | Square::A1] {
        assert_tokens(&set.compact(), &[Token::U64(set.0)]);
    }
}

#[test]
fn an_index_out_of_range_is_rejected() {
    let square = "expected a square such as \"e4\", or its index";
    for (token, found) in [(Token::U8(64), 64), (Token::U64(256), 256), (Token::U64(300), 300)] {
        let error = format!("invalid value: integer `{found}`, {square}");
        assert_de_tokens_error::<Compact<Square>>(&[token], &error);
    }
    let file = "invalid value: integer `8`, expected a file, \"a\" to \"h\", or its index";
    assert_de_tokens_error::<Compact<File>>(&[Token::U8(8)], file);
    let rank = "invalid value: integer `8`, expected a rank, \"1\" to \"8\", or its index";
    assert_de_tokens_error::<Compact<Rank>>(&[Token::U8(8)], rank);
    let color = "invalid value: integer `2`, expected \"white\" or \"black\", or 0 or 1";
    assert_de_tokens_error::<Compact<Color>>(&[Token::U8(2)], color);
}
