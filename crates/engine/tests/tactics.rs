//! Tactics of chess, with few nodes.

use crate::{chess, rows};
use halfmove_engine::{Limits, Memory, Search};

#[test]
fn tactics_are_found() {
    let mut solved = 0;
    let cases = rows("tactics/wac.tsv");
    for row in &cases {
        let position = chess(&row[0]);
        let wanted: Vec<_> = row[1]
            .split(' ')
            .map(|uci| position.parse_uci(uci).unwrap_or_else(|e| panic!("{row:?}: {e}")))
            .collect();
        let memory = Memory::new(4);
        let limits = Limits { nodes: Some(10_000), ..Limits::default() };
        let best = Search::new(&memory).run(&position, &[], &limits, &mut |_| {}).best;
        if best.is_some_and(|best| wanted.contains(&best)) {
            solved += 1;
        }
    }
    // 27 when this was written.
    assert!(solved >= 25, "{solved} of {}", cases.len());
}
