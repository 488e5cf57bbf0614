//! Finds all magic factors of the crate. The search is seeded, so it finds the same ones every time.
//!
//! ```text
//! find_magics tables               occupancies and attack sets of every square, and their ratios
//! find_magics find plain|fancy     white factors; the quickest search
//! find_magics find black           black factors, packed into one table
//! find_magics candidates           black factors that use few slots; the longest search
//! find_magics find shared FILE     the candidates of FILE, packed into one table
//! ```
//!
//! The committed shared factors were made in two steps:
//!
//! ```text
//! find_magics candidates > FILE
//! find_magics find shared FILE
//! ```

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program")]

#[path = "find_magics/finder.rs"]
mod finder;

use finder::case::{Case, Slider};
use finder::pack::Packing;
use finder::search::Found;
use finder::{Kind, SLIDERS};
use halfmove_bitboard::{File, Rank, Square};
use std::process::ExitCode;

/// Attempts to shorten a packed table by moving a few squares.
const ROUNDS: u32 = 200;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["tables"] => SLIDERS.into_iter().for_each(table),
        ["candidates"] => candidates(),
        ["find", "plain"] => print!("{}", finder::unshared_text(Kind::Plain)),
        ["find", "fancy"] => print!("{}", finder::unshared_text(Kind::Fancy)),
        ["find", "black"] => {
            print_packing(Kind::Black, &finder::black(&mut finder::black_cases()));
        }
        ["find", "shared", path] => {
            let Some(candidates) = std::fs::read_to_string(path).ok().as_deref().and_then(read)
            else {
                eprintln!("no file of candidates for all squares");
                return ExitCode::FAILURE;
            };
            let packing = finder::shared(&mut finder::black_cases(), &candidates, ROUNDS);
            print_packing(Kind::Shared, &packing);
        }
        _ => return usage(),
    }
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!("find_magics tables | candidates | find plain|fancy|black | find shared FILE");
    ExitCode::FAILURE
}

fn print_packing(kind: Kind, packing: &Packing) {
    eprintln!("{} slots, {} of them in use", packing.len(), packing.used());
    print!("{}", finder::shared_text(kind, packing));
}

/// Occupancies against attack sets, and the ratio, drawn as a board.
fn table(slider: Slider) {
    println!("{slider:?}: relevant occupancies / attack sets, and their ratio");
    for rank in Rank::ALL.into_iter().rev() {
        let cases = File::ALL.map(|file| Case::new(slider, Square::new(file, rank), false));
        for case in &cases {
            print!("{:>10}", format!("{}/{}", case.occupied.len(), case.distinct));
        }
        print!("   ");
        for case in &cases {
            print!("{:>7.2}", case.occupied.len() as f64 / case.distinct as f64);
        }
        println!();
    }
}

/// Searches candidates for all squares and prints them.
fn candidates() {
    let mut total = 0;
    for (number, case) in finder::black_cases().iter_mut().enumerate() {
        let found = finder::candidates(case, number);
        total += found.iter().map(|found| found.fit.used).min().unwrap_or(0);
        let (slider, square) = (SLIDERS[number / 64], Square::ALL[number % 64]);
        eprintln!("{slider:?} {square}: {} candidates; at least {total} slots", found.len());
        for Found { factor, shift, .. } in &found {
            println!("{number} {factor:#018x} {shift}");
        }
    }
}

/// Reads what [`candidates`] printed, and tries it again.
fn read(text: &str) -> Option<Vec<Vec<Found>>> {
    let mut cases = finder::black_cases();
    let mut all = vec![Vec::new(); cases.len()];
    for line in text.lines() {
        let mut words = line.split(' ');
        let number: usize = words.next()?.parse().ok()?;
        let factor = u64::from_str_radix(words.next()?.strip_prefix("0x")?, 16).ok()?;
        let shift: u32 = words.next()?.parse().ok()?;
        let fit = cases.get_mut(number)?.fit(factor, shift, u32::MAX)?;
        all[number].push(Found { factor, shift, fit });
    }
    all.iter().all(|found| !found.is_empty()).then_some(all)
}
