//! Draws the picture at the head of the page on techniques, from the numbers that they actually compute.
//!
//! ```text
//! cargo run -p halfmove-techniques --example picture > docs/reference/techniques.svg
//! ```

#![allow(clippy::print_stdout, reason = "a program")]

#[path = "picture/drawing.rs"]
mod drawing;

fn main() {
    print!("{}", drawing::svg());
}
