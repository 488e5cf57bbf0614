//! The games that reach the position after each move of the explorer.

use halfmove_archive::{ExploreOptions, Filter};
use halfmove_rules::Chess;

use crate::{Outcome, archive, game, read, testdata};

#[test]
fn transpositions_are_counted_as_a_deeper_tree_counts_them() -> Outcome {
    let (_folder, archive) = archive(&read(&testdata("games/masters.pgn.zst")));
    let player = archive.game(1)?.game.tags.value("White").map(str::to_owned);
    let narrow = Filter { player, ..Filter::default() };
    let reached = Filter::position(game(&Chess::default(), "d4 d5").final_position());
    let mut joined = 0;
    for line in ["", "e4", "d4 d5", "d4 Nf6 c4 e6", "e4 c5 Nf3", "Nf3 d5"] {
        for filter in [&Filter::default(), &narrow, &reached] {
            let here = game(&Chess::default(), line).final_position();
            let mut options = ExploreOptions::default();
            options.reached = true;
            let flat = archive.explore_with(filter, here.clone(), &options)?;
            (options.reached, options.depth) = (false, 2);
            let deep = archive.explore_with(filter, here.clone(), &options)?;
            let counts = |moves: &[halfmove_archive::ExplorerMove]| -> Vec<_> {
                moves.iter().map(|mv| (mv.uci.clone(), mv.reached)).collect()
            };
            assert_eq!(counts(&flat.moves), counts(&deep.moves), "{line}");
            for mv in &flat.moves {
                assert!(mv.next.is_empty());
                let games = mv.reached.ok_or("not counted")?;
                assert!(games >= mv.results.games(), "{line} {}", mv.san);
                joined += usize::from(games > mv.results.games());
            }
            if let (Some(mv), None) = (flat.moves.first(), &filter.position) {
                let mut after = here;
                after.play_unchecked(after.parse_uci(&mv.uci)?);
                let there = Filter { position: Some(after), ..filter.clone() };
                assert_eq!(mv.reached, Some(archive.count(&there)?), "{line} {}", mv.san);
            }
        }
    }
    assert!(joined > 8, "{joined} moves to which others lead");
    Ok(())
}
