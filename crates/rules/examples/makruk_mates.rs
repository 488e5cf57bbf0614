//! The longest mates of Makruk, compared with the limits of its count:
//! `cargo run --release --example makruk_mates`.

#![allow(clippy::print_stdout, reason = "a program")]

use halfmove_rules::makruk::Rules;
use halfmove_rules::{MateTable, MateTableError, Role};

fn main() -> Result<(), MateTableError> {
    let pieces = [Role::Rook, Role::Khon, Role::Knight, Role::Met];
    let alone = pieces.iter().map(|piece| vec![*piece]);
    let pairs = (0..4).flat_map(|i| (i..4).map(move |k| vec![pieces[i], pieces[k]]));
    println!("pieces, longest mate in moves");
    for pieces in alone.chain(pairs) {
        let longest = MateTable::compute(Rules::Makruk, &pieces)?.longest();
        let names: Vec<_> = pieces.iter().map(ToString::to_string).collect();
        let moves = longest.map_or("never".to_owned(), |moves| moves.to_string());
        println!("{}, {moves}", names.join(" and "));
    }
    Ok(())
}
