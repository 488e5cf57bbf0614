//! The functions on a game with null moves.

use arrow_array::cast::AsArray;
use halfmove_game::pgn::read_game;

use crate::Outcome;
use crate::call::evaluate;

#[test]
fn null_moves_are_half_moves() -> Outcome {
    let game = read_game("[Result \"1-0\"]\n\n1. e4 e5 2. -- Nc6 3. Nf3 -- 4. d4 1-0")?;
    let text = |call: &str| -> Result<String, Box<dyn std::error::Error>> {
        let values = evaluate(call, std::slice::from_ref(&game))?;
        Ok(values.as_string::<i32>().value(0).to_owned())
    };
    assert_eq!(text("san(moves)")?, "1. e4 e5 2. -- Nc6 3. Nf3 -- 4. d4");
    assert_eq!(text("san(moves, 3)")?, "1. e4 e5 2. --");
    // As python-chess plays the moves of the game.
    let end = "r1bqkbnr/pppp1ppp/2n5/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 4";
    assert_eq!(text("fen_at(moves, 7)")?, end);
    let positions = evaluate("positions(moves)", std::slice::from_ref(&game))?;
    let rows = positions.as_list::<i32>().value(0);
    let column = |name: &str| -> Vec<String> {
        let column = rows.as_struct().column_by_name(name).expect("a column");
        column.as_string::<i32>().iter().flatten().map(str::to_owned).collect()
    };
    assert_eq!(column("san"), ["e4", "e5", "--", "Nc6", "Nf3", "--", "d4"]);
    assert_eq!(column("uci"), ["e2e4", "e7e5", "0000", "b8c6", "g1f3", "0000", "d2d4"]);
    assert_eq!(column("fen")[6], end);
    Ok(())
}
