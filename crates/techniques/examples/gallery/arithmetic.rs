//! Techniques that subtract.

use crate::drawing::{Scene, board, heading, show};
use crate::fills::ray;
use halfmove_bitboard::{Bitboard, Direction};

/// The four lines, each by its direction of rising squares.
const LINES: [(&str, Direction); 4] = [
    ("rank", Direction::East),
    ("file", Direction::North),
    ("diagonal", Direction::NorthEast),
    ("anti-diagonal", Direction::NorthWest),
];

/// Both rays of a line, without the square.
fn line(scene: Scene, direction: Direction) -> u64 {
    ray(scene.square, direction) | ray(scene.square, direction.opposite())
}

/// The attacks toward higher squares, which one subtraction finds.
pub(crate) fn positive(scene: Scene, attacks: u64) -> u64 {
    let above = LINES.iter().fold(0, |set, (_, direction)| set | ray(scene.square, *direction));
    attacks & above
}

/// The trick itself, which finds the half toward higher squares.
pub(crate) fn subtraction(scene: Scene) -> u64 {
    heading(
        "Subtraction: o ^ (o - 2s)",
        "o = occupied & line, with the slider s itself in it: o - s takes the slider away, and the\n\
         next s borrows through the empty squares from the first piece above; what changed is attacked",
    );
    let slider = scene.slider();
    let mut all = 0;
    for (name, direction) in LINES {
        let line = line(scene, direction);
        let o = scene.occupied.0 & line | slider;
        let less = o.wrapping_sub(slider.wrapping_mul(2));
        let changed = o ^ less;
        show(
            scene,
            &[
                board(format!("{name}\no"), o),
                board("\no - 2s", less),
                board("\no ^ (o - 2s)", changed),
                board("\n… & line", changed & line),
            ],
        );
        all |= changed & line;
    }
    all
}

/// The subtraction on the board and on the board upside down: files and both diagonals.
pub(crate) fn hyperbola(scene: Scene) -> u64 {
    heading(
        "Hyperbola quintessence: both halves",
        "o = occupied & line; swap turns the board upside down (a byte swap)\n\
         attacks = ((o - s) ^ swap(swap(o) - swap(s))) & line\n\
         A byte swap leaves ranks as they are: they come from a small table, and are left out here.",
    );
    let s = scene.slider();
    let mut all = 0;
    for (name, direction) in &LINES[1..] {
        let line = line(scene, *direction);
        let o = scene.occupied.0 & line;
        let upward = o.wrapping_sub(s);
        let swapped = o.swap_bytes().wrapping_sub(s.swap_bytes());
        let downward = swapped.swap_bytes();
        show(
            scene,
            &[
                board(format!("{name}\no"), o),
                board("upward half\no - s", upward),
                board("downward half\nswap(swap o - swap s)", downward),
                board("attacks\nboth, ^, & line", (upward ^ downward) & line),
            ],
        );
        let halves = (upward ^ o) & line;
        println!("  upward alone, o ^ (o - s): {}", squares(halves));
        println!("  downward alone:            {}", squares((downward ^ o) & line));
        all |= (upward ^ downward) & line;
    }
    all
}

fn squares(set: u64) -> String {
    let names = Bitboard(set).iter().map(|square| square.to_string()).collect::<Vec<_>>();
    if names.is_empty() { "none".to_owned() } else { names.join(" ") }
}
