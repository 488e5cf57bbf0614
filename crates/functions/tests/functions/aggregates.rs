//! `explore` in parts.

use std::sync::Arc;

use arrow_array::{BinaryArray, StringArray};
use halfmove_functions::{Aggregate, Arguments, Body, FunctionError, Values, function};
use proptest::prelude::*;

use crate::Outcome;
use crate::call::cell;
use crate::games;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn new() -> Box<dyn Aggregate> {
    match function("explore").expect("a function").body {
        Body::Groups(new) => new(),
        _ => panic!("no aggregate"),
    }
}

/// Adds games, each with the result of its tag.
fn update(
    state: &mut dyn Aggregate,
    some: &[usize],
    fen: &str,
    variant: Option<&str>,
) -> Result<(), FunctionError> {
    let all = games::all();
    let games: Vec<_> = some.iter().map(|index| all[*index].clone()).collect();
    let mut values = vec![
        Values::column("moves", games::column("moves", &games)),
        Values::column("result", games::column("result", &games)),
        Values::literal(Arc::new(StringArray::from(vec![fen]))),
    ];
    values.extend(variant.map(|name| Values::literal(Arc::new(StringArray::from(vec![name])))));
    state.update(&Arguments::new(function("explore").expect("it"), &values, games.len())?)
}

fn answer(state: &dyn Aggregate) -> String {
    cell(&state.finish().expect("an answer"), 0)
}

#[test]
fn an_answer_without_rows() -> Outcome {
    let state = new();
    let nothing = "{white: 0, draws: 0, black: 0, other: 0, moves: []}";
    assert_eq!(answer(&*state), nothing);
    assert!(state.to_bytes().is_empty());
    let mut other = new();
    other.merge(&state.to_bytes())?;
    assert_eq!(answer(&*other), nothing);
    Ok(())
}

#[test]
fn a_group_has_one_position() {
    let mut state = new();
    update(&mut *state, &[0], START, None).expect("a position");
    let error = update(&mut *state, &[1], "k7/8/8/8/8/8/8/K7 w - - 0 1", Some("chess960"));
    assert_eq!(
        error.expect_err("two positions").to_string(),
        format!(
            "explore was called with two positions in one group: {START} and k7/8/8/8/8/8/8/K7 w - - 0 1 (chess960)"
        )
    );
}

#[test]
fn bytes_that_are_not_a_state() {
    let mut state = new();
    update(&mut *state, &[0, 1], START, Some("chess")).expect("a position");
    let bytes = state.to_bytes();
    new().merge(&bytes).expect("a state");
    // Without the moves, the rest is a whole tally.
    let head = 8 + START.len() + "chess".len() + 32;
    for end in (1..bytes.len()).filter(|end| ![head, head + 34].contains(end)) {
        assert!(new().merge(&bytes[..end]).is_err(), "{end}");
    }
    // A move that is not legal in the position: e2e4 becomes another one.
    let mut other = bytes;
    other[head] ^= 1;
    assert!(matches!(new().merge(&other), Err(FunctionError::State { .. })));
}

#[test]
fn damage_is_damage() {
    let values = [
        Values::column("moves", Arc::new(BinaryArray::from_iter_values([[0xff]]))),
        Values::column("result", Arc::new(StringArray::from(vec!["1-0"]))),
        Values::literal(Arc::new(StringArray::from(vec![START]))),
    ];
    let arguments = Arguments::new(function("explore").expect("it"), &values, 1).expect("a batch");
    let error = new().update(&arguments).expect_err("damage");
    assert!(matches!(error, FunctionError::Damaged { column: "moves", .. }), "{error}");
}

proptest! {
    /// The result does not depend on how games are split into parts, or on the order of merging.
    #[test]
    fn parts_give_the_answer_of_all(
        parts in prop::collection::vec(prop::collection::vec(0..10_usize, 0..6), 0..4),
        order in any::<prop::sample::Index>(),
    ) {
        let mut whole = new();
        update(&mut *whole, &parts.concat(), START, None).expect("games");
        let mut states: Vec<Vec<u8>> = parts
            .iter()
            .map(|part| {
                let mut state = new();
                update(&mut *state, part, START, None).expect("games");
                state.to_bytes()
            })
            .collect();
        if !states.is_empty() {
            let middle = order.index(states.len());
            states.rotate_left(middle);
        }
        let mut merged = new();
        for state in &states {
            merged.merge(state).expect("a state");
        }
        prop_assert_eq!(answer(&*merged), answer(&*whole));
    }

    #[test]
    fn any_bytes_are_a_state_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut state = new();
        if state.merge(&bytes).is_ok() {
            answer(&*state);
        }
    }
}
