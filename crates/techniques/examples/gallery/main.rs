//! Draws step by step how techniques find sliding attacks, from the numbers that they actually compute.
//!
//! ```text
//! cargo run -p halfmove-techniques --example gallery -- "FEN" d4
//! ```
//!
//! The last drawing is the answer, on which all techniques agree.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program talks")]

mod arithmetic;
mod drawing;
mod fills;
mod tables;

use drawing::{Scene, board, show, show_placement};
use halfmove_bitboard::{Bitboard, Square};
use halfmove_techniques::{RayWalk, Sliders, Visitor, visit_all};
use std::process::ExitCode;

const USAGE: &str = "\
Usage: gallery FEN SQUARE
  FEN     a position; only its first field, where the pieces stand, is looked at
  SQUARE  where the slider stands, a1 to h8; it need not stand there in the FEN
Example: gallery \"r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/R3KB1R w KQ - 0 9\" d4";

fn main() -> ExitCode {
    let words = std::env::args().skip(1).collect::<Vec<_>>();
    if matches!(words.first().map(String::as_str), Some("-h" | "--help")) {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    match read(&words) {
        Ok((pieces, square)) => {
            gallery(&pieces, square);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("gallery: {error}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

type Pieces = [Option<char>; 64];

fn read(words: &[String]) -> Result<(Pieces, Square), String> {
    let [fen, square] = words else {
        return Err(format!(
            "expected two arguments, FEN and SQUARE, not {} (a FEN has spaces: put it in quotes)",
            words.len()
        ));
    };
    let placement = fen.split_whitespace().next().ok_or("the FEN is empty")?;
    let square = square.parse::<Square>().map_err(|_| format!("{square:?} is no square"))?;
    Ok((pieces(placement)?, square))
}

/// The piece on each square, by the first field of a FEN.
fn pieces(placement: &str) -> Result<Pieces, String> {
    let ranks = placement.split('/').collect::<Vec<_>>();
    if ranks.len() != 8 {
        return Err(format!("the FEN has {} ranks, expected 8: {placement:?}", ranks.len()));
    }
    let mut pieces = [None; 64];
    for (rank, text) in (0..8).rev().zip(ranks) {
        let mut file = 0;
        for letter in text.chars() {
            match letter.to_digit(10) {
                Some(empty @ 1..=8) => file += empty as usize,
                None if letter.is_ascii_alphabetic() => {
                    if let Some(piece) = pieces.get_mut(rank * 8 + file).filter(|_| file < 8) {
                        *piece = Some(letter);
                    }
                    file += 1;
                }
                _ => return Err(format!("rank {}: {letter:?} is no piece and no gap", rank + 1)),
            }
        }
        if file != 8 {
            return Err(format!("rank {} has {file} squares, expected 8: {text:?}", rank + 1));
        }
    }
    Ok(pieces)
}

fn gallery(pieces: &Pieces, square: Square) {
    let occupied = (0..64).filter(|at| pieces[*at].is_some()).fold(0, |set, at| set | 1_u64 << at);
    let scene = Scene { square, occupied: Bitboard(occupied) };
    println!(
        "A queen on {square}, whatever stands there now; S is the slider, 8 the slider in the set.\n"
    );
    show_placement(pieces, square);
    show(scene, &[board("occupied", occupied)]);

    let Some(oracle) = RayWalk::new() else { return };
    let rook = oracle.rook(square, scene.occupied).0;
    let bishop = oracle.bishop(square, scene.occupied).0;
    let same = |name: &str, found: u64, attacks: u64| {
        assert_eq!(Bitboard(found), Bitboard(attacks), "{name} differs from the ray walk");
    };
    same("ray walk", fills::ray_walk(scene), rook | bishop);
    same("subtraction", arithmetic::subtraction(scene), arithmetic::positive(scene, rook | bishop));
    same("hyperbola quintessence", arithmetic::hyperbola(scene), (rook & !rank(square)) | bishop);
    same("kindergarten", tables::kindergarten(scene), bishop);
    same("classical", fills::classical(scene), rook | bishop);
    same("Kogge-Stone", fills::kogge_stone(scene), rook | bishop);
    same("PEXT", tables::pext(scene), rook);
    same("magic", tables::magic(scene), rook);

    drawing::heading(
        "The answer of all techniques",
        "the squares that a rook, a bishop and a queen attack",
    );
    show(scene, &[board("rook", rook), board("bishop", bishop), board("queen", rook | bishop)]);
    let mut all = All { scene, attacks: rook | bishop, agree: Vec::new(), lacking: Vec::new() };
    visit_all(&mut all);
    println!("\n  They agree: {}.", all.agree.join("; "));
    if !all.lacking.is_empty() {
        println!("  This CPU cannot run: {}.", all.lacking.join("; "));
    }
}

fn rank(square: Square) -> u64 {
    Bitboard::rank(square.rank()).0
}

/// Asks every technique.
struct All {
    scene: Scene,
    attacks: u64,
    agree: Vec<&'static str>,
    lacking: Vec<String>,
}

impl Visitor for All {
    fn visit<S: Sliders>(&mut self) {
        let card = S::TECHNIQUE;
        match S::new() {
            Some(technique) => {
                let found = technique.queen(self.scene.square, self.scene.occupied);
                assert_eq!(found, Bitboard(self.attacks), "{} differs", card.name);
                self.agree.push(card.name);
            }
            None => self.lacking.push(format!("{} ({})", card.name, card.instructions)),
        }
    }
}
