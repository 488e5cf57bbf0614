//! Techniques that look attacks up, and the indices that they use.

use crate::drawing::{Scene, bits, board, heading, show};
use crate::fills::ray;
use halfmove_bitboard::{Bitboard, Direction, Square};
use halfmove_techniques::{RayWalk, Sliders, relevant};

const A_FILE: u64 = 0x0101_0101_0101_0101;
const B_FILE: u64 = A_FILE << 1;

/// The two diagonals: masked line, product, six bits, row of the shared table.
pub(crate) fn kindergarten(scene: Scene) -> u64 {
    heading(
        "Kindergarten: a diagonal becomes a rank by multiplication",
        "product = (occupied & line) * b-file      gathers the line in the eighth rank, one file right\n\
         index   = product >> 58                   its six inner squares b to g\n\
         row     = fill[index][file of the square]  a first-rank attack in each of the eight ranks\n\
         attacks = row & line",
    );
    let file = scene.square.file().index();
    let mut all = 0;
    for (name, direction) in
        [("diagonal", Direction::NorthEast), ("anti-diagonal", Direction::NorthWest)]
    {
        let line = ray(scene.square, direction) | ray(scene.square, direction.opposite());
        let masked = scene.occupied.0 & line;
        let product = masked.wrapping_mul(B_FILE);
        let index = product >> 58;
        let first = Square::ALL[file];
        let on_rank = [Direction::East, Direction::West]
            .into_iter()
            .fold(0, |set, way| set | until(first, way, Bitboard(index << 1)));
        let row = on_rank.wrapping_mul(A_FILE);
        show(
            scene,
            &[
                board(format!("{name}\noccupied & line"), masked),
                board("product, * b-file\nindex: c8 to h8", product),
                board("row of the table\nin every rank", row),
                board("attacks\nrow & line", row & line),
            ],
        );
        println!(
            "  index b..g: {} = {index};  row of file {}: {}",
            bits(index, 6),
            scene.square.file().letter(),
            bits(on_rank, 8)
        );
        all |= row & line;
    }
    all
}

fn until(square: Square, direction: Direction, occupied: Bitboard) -> u64 {
    let (mut attacked, mut at) = (0, square);
    while let Some(next) = at.step(direction) {
        attacked |= Bitboard::square(next).0;
        if occupied.has(next) {
            break;
        }
        at = next;
    }
    attacked
}

/// The bits of a value under a mask, close together.
fn extract(value: u64, mask: u64) -> u64 {
    Bitboard(mask)
        .iter()
        .enumerate()
        .fold(0, |found, (at, square)| found | (value >> square.index() & 1) << at)
}

/// The relevant squares and what the instruction makes of the pieces on them.
pub(crate) fn pext(scene: Scene) -> u64 {
    heading(
        "PEXT: the pieces on the relevant squares, as a number",
        "index = pext(occupied, relevant); attacks = table[square][index]",
    );
    let mask = relevant::rook(scene.square);
    let index = extract(scene.occupied.0, mask.0);
    // The table as it is built: every subset of the relevant squares has its slot.
    let mut table = vec![0; 1 << mask.len()];
    if let Some(oracle) = RayWalk::new() {
        for subset in mask.subsets() {
            table[extract(subset.0, mask.0) as usize] = oracle.rook(scene.square, subset).0;
        }
    }
    let attacks = table[index as usize];
    show(
        scene,
        &[
            board("a rook's\nrelevant squares", mask.0),
            board("pieces on them\nocc. & relevant", scene.occupied.0 & mask.0),
            board("attacks\ntable[index]", attacks),
        ],
    );
    println!(
        "  bits, lowest first: {} = index {index} of {}",
        bits(index, mask.len()),
        table.len()
    );
    attacks
}

/// The same by a multiplication, with a factor that is searched for on the spot.
pub(crate) fn magic(scene: Scene) -> u64 {
    heading(
        "Magic: a multiplication gathers the pieces in the highest bits",
        "index = ((occupied & relevant) * magic) >> (64 - number of relevant squares)\n\
         The factor is sought here, by trial: sparse random numbers from a fixed seed.",
    );
    let mask = relevant::rook(scene.square);
    let bits_of_index = mask.len();
    let Some((magic, tries, table)) = seek(scene.square, mask) else {
        println!("  No factor was found for this square in the tries allowed.");
        return RayWalk::new().map_or(0, |oracle| oracle.rook(scene.square, scene.occupied).0);
    };
    let masked = scene.occupied.0 & mask.0;
    let product = masked.wrapping_mul(magic);
    let index = product >> (64 - bits_of_index);
    let attacks = table[index as usize];
    show(
        scene,
        &[
            board("pieces on relevant\nsquares", masked),
            board("magic", magic),
            board("product\nindex: last squares", product),
            board("attacks\ntable[index]", attacks),
        ],
    );
    println!(
        "  The {} highest squares of the product, lowest first: {} = index {index} of {}; try {tries}",
        bits_of_index,
        bits(index, bits_of_index),
        table.len()
    );
    attacks
}

/// A factor under which no two subsets with different attacks share an index.
fn seek(square: Square, mask: Bitboard) -> Option<(u64, u32, Vec<u64>)> {
    let oracle = RayWalk::new()?;
    let known = mask.subsets().map(|subset| (subset.0, oracle.rook(square, subset).0));
    let known = known.collect::<Vec<_>>();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (1..=20_000_000).find_map(|tries| {
        let magic = next() & next() & next();
        // The product of all relevant squares has to reach the highest bits, or it cannot work.
        if (mask.0.wrapping_mul(magic) >> 56).count_ones() < 6 {
            return None;
        }
        let mut table = vec![0; known.len()];
        for (subset, attacks) in &known {
            let slot = &mut table[(subset.wrapping_mul(magic) >> (64 - mask.len())) as usize];
            // No set of attacks is empty, so an empty slot is a free one.
            if *slot != 0 && *slot != *attacks {
                return None;
            }
            *slot = *attacks;
        }
        Some((magic, tries, table))
    })
}
