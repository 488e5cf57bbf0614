//! Bounds of signatures never rule out a position that arises.

use halfmove_game::replay::{self, Query, Signature, SignatureBounds, Signatures, Target};

use crate::codec::{Line, lines, random, random_lines};

#[test]
fn bounds_reject_no_match() {
    let games: Vec<Line> = lines().into_iter().chain(random_lines()).collect();
    let mut games: Vec<(Vec<u8>, Line)> =
        games.into_iter().map(|line| (line.encode(), line)).collect();
    games.sort_by(|a, b| a.0.cmp(&b.0));
    let signatures: Vec<Signature> =
        games.iter().map(|(bytes, _)| Signature::of(bytes).expect("bytes of a game")).collect();
    let mut random = random();
    let mut random = |below: usize| random() as usize % below;
    let (mut rejected, mut matches) = (0, 0);
    for _ in 0..200 {
        let positions = games[random(games.len())].1.positions();
        let position = &positions[random(positions.len())];
        let (query, target) = (Query::new(position), Target::new(position));
        // Blocks of different lengths each time.
        let length = 1 + random(100);
        for (games, signatures) in games.chunks(length).zip(signatures.chunks(length)) {
            let mut bounds = SignatureBounds::default();
            signatures.iter().for_each(|signature| bounds.add(signature));
            assert_eq!(SignatureBounds::from_bytes(&bounds.to_bytes()), bounds);
            if query.may_be_in(&bounds) {
                continue;
            }
            rejected += games.len();
            let cells: Vec<u8> = signatures.iter().flat_map(Signature::to_bytes).collect();
            let mut candidates = Vec::new();
            query.candidates(&Signatures::new(&cells), &mut candidates);
            assert_eq!(candidates, [], "{position}");
            for (bytes, line) in games {
                let found = replay::find(bytes, &target).expect("bytes of a game");
                assert_eq!(found, None, "{position} in {}", line.name);
            }
        }
        matches += 1;
    }
    assert!(rejected > 50 * matches, "{rejected} games rejected for {matches} positions");
    // Bounds of no games match nothing.
    let any = Query::new(&games[0].1.positions()[0]);
    assert!(!any.may_be_in(&SignatureBounds::default()));
}
