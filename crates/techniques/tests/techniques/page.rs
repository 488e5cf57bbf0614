//! The page on techniques: its picture and its tables.

#[path = "../../examples/picture/drawing.rs"]
mod drawing;

use halfmove_techniques::{Sliders, Visitor, visit_all};

const PAGE: &str = include_str!("../../../../docs/reference/techniques.md");

/// `cargo run -p halfmove-techniques --example picture > docs/reference/techniques.svg` draws it again.
#[test]
fn the_picture_is_drawn_from_the_numbers() {
    let committed = include_str!("../../../../docs/reference/techniques.svg");
    assert!(drawing::svg() == committed, "the picture is another");
}

/// The page has each technique by its name in the literature, with the bytes of its tables.
#[test]
fn the_page_has_every_technique() {
    struct Missing(Vec<String>);
    impl Visitor for Missing {
        fn visit<S: Sliders>(&mut self) {
            let row = format!("| {} | {} |", S::TECHNIQUE.name, S::TECHNIQUE.table_bytes);
            if !PAGE.replace(',', "").contains(&row.replace(',', "")) {
                self.0.push(row);
            }
        }
    }
    let mut missing = Missing(Vec::new());
    visit_all(&mut missing);
    assert_eq!(missing.0, Vec::<String>::new());
}
