//! The keys never change.

use super::{position, shipped};
use halfmove_rules::makruk::piece_key;
use halfmove_rules::{Color, Makruk, Piece, Role, Square};

/// Another program made each number of the table from the generator's definition.
#[test]
fn keys_are_those_of_the_table() {
    let table = std::fs::read_to_string(shipped("keys.csv")).unwrap();
    let mut lines = table.lines().skip(1);
    let mut next = || {
        let (name, key) = lines.next().unwrap().split_once(',').unwrap();
        (name, u64::from_str_radix(key, 16).unwrap())
    };
    let roles = [Role::Pawn, Role::Knight, Role::Rook, Role::King, Role::Khon, Role::Met];
    for role in roles {
        for color in Color::ALL {
            for square in Square::ALL {
                let ours = piece_key(Piece { color, role }, square);
                assert_eq!((format!("{color} {role} {square}").as_str(), ours), next());
            }
        }
    }
    let turn = position("k7/8/8/8/8/8/8/K6R w - - 0 1").zobrist().0
        ^ position("k7/8/8/8/8/8/8/K6R b - - 0 1").zobrist().0;
    assert_eq!(("white to move", turn), next());
    let start = Makruk::default().zobrist().0;
    assert_eq!(("the start", start), next());
}
