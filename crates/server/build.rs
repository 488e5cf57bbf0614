//! Builds the crate again when the page has been built again: its files are part of the program.

fn main() {
    println!("cargo::rerun-if-changed=../../web/dist");
}
