//! The games that the arena writes, as the reader of crate `game` reads them. The program's own tests compare them with the
//! file; these, the file with what was played.

use halfmove_game::Score;
use halfmove_game::pgn::{GameReader, Reading, write_game};
use halfmove_rules::Variant;
use std::fs;

#[test]
fn games_of_the_arena_are_read_whole() {
    let path = format!("{}/tests/golden/arena.pgn", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let games: Vec<_> =
        GameReader::new(&text[..]).games().collect::<Result<_, _>>().expect("readable bytes");
    let variants = games.iter().map(|(reading, game)| {
        assert_eq!(*reading, Reading::Whole);
        game.start.variant()
    });
    use Variant::{Asean, Chess, Chess960, Makpong, Makruk};
    assert_eq!(
        variants.collect::<Vec<_>>(),
        [Chess, Chess, Chess960, Makruk, Makruk, Makpong, Asean]
    );
    let results = ["0-1", "1-0", "0-1", "1/2-1/2", "1/2-1/2", "1/2-1/2", "0-1"];
    for ((_, game), result) in games.iter().zip(results) {
        assert_eq!(game.result.map(|result| result.as_str()), Some(result));
        assert_eq!(game.tags.value("Result"), Some(result));
        let plies = game.moves.len().to_string();
        assert_eq!(game.tags.value("PlyCount"), Some(plies.as_str()));
        assert_eq!(game.tags.value("Event"), Some("Test \"of\" the \\arena"));
        let text = write_game(game).expect("a game to write");
        let again =
            GameReader::new(text.as_bytes()).games().next().expect("a game").expect("bytes");
        assert_eq!(again.1, *game);
    }

    // The first two moves are the opening. Scores are from White's side, for both engines.
    let first = &games[0].1;
    assert!(first.node(2).and_then(|node| node.evaluation()).is_none());
    let third = first.node(3).expect("a third move");
    let evaluation = third.evaluation().expect("an evaluation");
    assert_eq!((evaluation.score(), evaluation.depth()), (Score::Mate(-6), Some(12)));
    assert_eq!(third.clock().map(|clock| clock.millis()), Some(3_600_869));
    // A game that begins with Black's move.
    let second = &games[1].1;
    let scores: Vec<_> = (1..=4)
        .map(|ply| second.node(ply)?.evaluation().map(|evaluation| evaluation.score()))
        .collect();
    let expected = [Some(Score::Centipawns(-35)), Some(Score::Mate(7)), Some(Score::Mate(6)), None];
    assert_eq!(scores, expected);
    assert!(second.node(4).expect("a fourth move").mv().is_some_and(|mv| mv.promotion().is_some()));
}
