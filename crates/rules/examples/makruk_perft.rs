//! Leaves of Makruk per second: `cargo run --release --example makruk_perft -- 6`.

#![allow(clippy::print_stdout, reason = "a program")]

use halfmove_rules::Makruk;
use std::time::Instant;

fn main() {
    let depth = std::env::args().nth(1).and_then(|depth| depth.parse().ok()).unwrap_or(6);
    let start = Instant::now();
    let nodes = Makruk::default().perft(depth);
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "depth {depth}: {nodes} leaves, {seconds:.3} s, {:.1} M/s",
        nodes as f64 / seconds / 1e6
    );
}
