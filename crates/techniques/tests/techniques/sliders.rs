//! Every technique through the suite that all share, and the overview.

use crate::suite::equals_the_ray_walk;
use halfmove_techniques::{Sliders, Visitor, visit_all};

#[test]
fn every_technique_equals_the_ray_walk() {
    #[derive(Default)]
    struct Passed {
        all: u32,
        plain: u32,
    }
    impl Visitor for Passed {
        fn visit<S: Sliders>(&mut self) {
            let passed = u32::from(equals_the_ray_walk::<S>());
            self.all += passed;
            if S::TECHNIQUE.instructions.is_empty() {
                self.plain += passed;
            }
        }
    }
    let mut passed = Passed::default();
    visit_all(&mut passed);
    println!("{} techniques are equal", passed.all);
    assert_eq!(passed.plain, 28, "those that every CPU can run");
}

/// The tables at the head of the crate have a row for each technique, in order, with the right number of bytes.
#[test]
fn the_overview_is_true() {
    #[derive(Default)]
    struct Cards(Vec<(&'static str, usize)>);
    impl Visitor for Cards {
        fn visit<S: Sliders>(&mut self) {
            let path = std::any::type_name::<S>();
            let name = path.rsplit("::").next().unwrap_or(path);
            self.0.push((name, S::TECHNIQUE.table_bytes));
        }
    }
    let mut cards = Cards::default();
    visit_all(&mut cards);
    let source = include_str!("../../src/lib.rs");
    let rows: Vec<(&str, usize)> = source
        .lines()
        .filter_map(|line| line.strip_prefix("//! | [`"))
        .filter_map(|row| {
            let mut cells = row.split(" | ");
            let name = cells.next()?.strip_suffix("`]")?;
            let bytes = cells.next()?.trim().replace(',', "");
            Some((name, bytes.parse().ok()?))
        })
        .collect();
    if cfg!(target_arch = "x86_64") {
        assert_eq!(rows, cards.0);
    } else {
        assert!(rows.starts_with(&cards.0));
    }
}
