//! Arguments in every layout, null, literal, damaged, and of the wrong length.

use std::sync::Arc;

use arrow_array::types::Int8Type;
use arrow_array::{
    ArrayRef, BinaryArray, BinaryViewArray, DictionaryArray, Int64Array, LargeBinaryArray,
    LargeStringArray, StringArray, StringViewArray,
};
use arrow_schema::DataType;
use halfmove_functions::{
    Arguments, Body, FUNCTIONS, Function, FunctionError, Kind, Values, function,
};

use crate::Outcome;
use crate::call::cell;
use crate::games;

fn named(name: &str) -> &'static Function {
    function(name).expect("a function")
}

fn answers(name: &str, values: &[Values], rows: usize) -> Result<Vec<String>, FunctionError> {
    let Body::Rows(evaluate) = named(name).body else { panic!("an aggregate") };
    let answers = evaluate(&Arguments::new(named(name), values, rows)?)?;
    Ok((0..rows).map(|row| cell(&answers, row)).collect())
}

#[test]
fn every_layout_gives_the_same_answers() -> Outcome {
    let mut games: Vec<Option<Vec<u8>>> =
        games::all().iter().map(|game| Some(games::moves(game))).collect();
    games.push(None);
    let sides: Vec<Option<&str>> =
        (0..11).map(|row| [Some("white"), Some("b"), None][row % 3]).collect();
    let moves: [ArrayRef; 3] = [
        Arc::new(BinaryArray::from_iter(games.clone())),
        Arc::new(LargeBinaryArray::from_iter(games.clone())),
        Arc::new(BinaryViewArray::from_iter(games.clone())),
    ];
    let texts: [ArrayRef; 4] = [
        Arc::new(StringArray::from_iter(sides.clone())),
        Arc::new(LargeStringArray::from_iter(sides.clone())),
        Arc::new(StringViewArray::from_iter(sides.clone())),
        Arc::new(sides.iter().copied().collect::<DictionaryArray<Int8Type>>()),
    ];
    let expected = ["6", "0", "null", "1", "1", "null", "0", "0", "null", "0", "null"];
    for moves in &moves {
        for texts in &texts {
            let values = [Values::rows(Arc::clone(moves)), Values::rows(Arc::clone(texts))];
            let found = answers("captures", &values, 11)?;
            assert_eq!(found[..2], expected[..2], "{} {}", moves.data_type(), texts.data_type());
            assert_eq!(found.len(), expected.len());
            let nulls = |cells: &[String]| -> Vec<bool> {
                cells.iter().map(|cell| cell == "null").collect()
            };
            assert_eq!(nulls(&found), expected.map(|cell| cell == "null"));
            let first = answers(
                "captures",
                &[
                    Values::rows(Arc::clone(&moves_of(&games))),
                    Values::rows(Arc::clone(&texts_of(&sides))),
                ],
                11,
            )?;
            assert_eq!(found, first, "{} {}", moves.data_type(), texts.data_type());
        }
    }
    Ok(())
}

fn moves_of(games: &[Option<Vec<u8>>]) -> ArrayRef {
    Arc::new(BinaryArray::from_iter(games.to_vec()))
}

fn texts_of(texts: &[Option<&str>]) -> ArrayRef {
    Arc::new(StringArray::from_iter(texts.to_vec()))
}

#[test]
fn literals_are_one_value_for_all_rows() -> Outcome {
    let game = games::moves(&games::all()[0]);
    let moves = Values::literal(moves_of(&[Some(game)]));
    let numbers = Values::rows(Arc::new(Int64Array::from(vec![Some(1), Some(2), None, Some(-1)])));
    let found = answers("move_at", &[moves.clone(), numbers], 4)?;
    assert_eq!(found, ["e4", "e5", "null", "Rd8#"]);
    let null = Values::literal(texts_of(&[None]));
    assert_eq!(answers("captures", &[moves.clone(), null], 2)?, ["null", "null"]);
    assert_eq!(answers("plies", &[moves], 0)?, [""; 0]);
    Ok(())
}

#[test]
fn an_empty_dictionary_has_no_text() -> Outcome {
    let keys = vec![None::<&str>, None];
    let texts: DictionaryArray<Int8Type> = keys.into_iter().collect();
    let moves = Values::rows(moves_of(&[Some(vec![]), Some(vec![])]));
    let found = answers("plays", &[moves, Values::rows(Arc::new(texts))], 2)?;
    assert_eq!(found, ["null", "null"]);
    Ok(())
}

#[test]
fn damage_and_mistakes_differ() {
    let bytes = || moves_of(&[Some(vec![0xff])]);
    for (values, is_damage) in [
        (Values::column("moves", bytes()), true),
        (Values::column("m", bytes()), false),
        (Values::rows(bytes()), false),
        (Values::literal(bytes()), false),
    ] {
        match (answers("san", &[values], 1), is_damage) {
            (Err(error @ FunctionError::Damaged { column: "moves", .. }), true) => assert_eq!(
                error.to_string(),
                "a value of the column moves: byte 0: 0xff is not a code of this version"
            ),
            (Err(error @ FunctionError::Bytes { number: 1, .. }), false) => assert_eq!(
                error.to_string(),
                "argument 1 of san is not a game, expected bytes like those of the column moves: \
                 byte 0: 0xff is not a code of this version"
            ),
            other => panic!("{other:?}"),
        }
    }
    // Another argument than the first.
    let values = [
        Values::column("moves", moves_of(&[Some(games::moves(&games::all()[0]))])),
        Values::rows(moves_of(&[Some(vec![0, 0x80, 0x85, 0xff])])),
        Values::literal(texts_of(&[Some("k7/8/8/8/8/8/8/K7 w - - 0 1")])),
    ];
    let error = answers("reaches_anywhere", &values, 1).expect_err("damaged annotations");
    assert_eq!(
        error.to_string(),
        "argument 2 of reaches_anywhere holds no annotations, expected bytes like those of the column \
         annotations: byte 4: the bytes end too early, expected more"
    );
}

#[test]
fn arrays_that_are_not_a_batch() {
    let two = || moves_of(&[Some(vec![]), None]);
    for (values, expected) in [
        (Values::rows(two()), "argument 1 of plies has 2 values, expected 3"),
        (Values::literal(two()), "argument 1 of plies has 2 values, expected 1"),
        (
            Values::rows(texts_of(&[None; 3])),
            "argument 1 of plies is Utf8, expected bytes (the column moves): plies(moves)",
        ),
        // Types that have to be converted first.
        (
            Values::rows(Arc::new(arrow_array::NullArray::new(3))),
            "argument 1 of plies is Null, expected bytes (the column moves): plies(moves)",
        ),
    ] {
        let error = answers("plies", &[values], 3).expect_err("an error");
        assert_eq!(error.to_string(), expected);
    }
}

/// Types of arguments, and literals of every function.
#[test]
fn types_of_every_function() -> Outcome {
    for function in FUNCTIONS.iter().filter(|function| function.name != "tag") {
        let nulls = vec![DataType::Null; function.arguments.len()];
        let types = function.coerce(&nulls)?;
        for (argument, kind) in function.arguments.iter().zip(&types) {
            let expected = match argument.kind {
                Kind::Number => DataType::Int64,
                kind if kind.column().is_some() => DataType::Binary,
                _ => DataType::Utf8,
            };
            assert_eq!(*kind, expected, "{} of {}", argument.name, function.name);
        }
        assert_eq!(function.coerce(&types)?, types, "{}", function.name);
        let wrong = vec![DataType::Boolean; function.arguments.len()];
        assert!(function.coerce(&wrong).is_err(), "{}", function.name);
        assert!(function.coerce(&vec![DataType::Null; 9]).is_err(), "{}", function.name);
        let text = DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8));
        for (index, argument) in function.arguments.iter().enumerate() {
            let mut types = types.clone();
            types[index] = text.clone();
            let is_text = argument.kind != Kind::Number && argument.kind.column().is_none();
            assert_eq!(function.coerce(&types).is_ok(), is_text, "{}", function.name);
        }
        // Without literals, nothing can be checked.
        function.check_literals(&vec![None; function.arguments.len()])?;
    }
    Ok(())
}
