//! Any bytes, from any start: decoding gives legal moves or an error with its offset, what was
//! decoded is encoded as it was, and replay agrees with the rules on it; nothing panics.
#![no_main]

use halfmove_game::codec::halfmove;
use halfmove_game::replay::{self, Start, Target};
use halfmove_rules::Chess;
use libfuzzer_sys::fuzz_target;

const STARTS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "4k3/PPP1P1PP/8/3pP3/8/8/ppp1p1pp/4K3 w - d6 0 1",
    "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1",
];

fuzz_target!(|data: &[u8]| {
    let Some((first, bytes)) = data.split_first() else { return };
    let fen = STARTS[usize::from(*first) % STARTS.len()];
    let start = Chess::from_fen(fen, None).expect("a position");
    let replay_start = Start::new(&start);
    let _ = replay::visits(&replay_start, bytes, &Target::new(&start), |_, _| ());
    match halfmove::decode(&start, bytes) {
        Err(error) => assert!(error.offset <= bytes.len()),
        Ok(moves) => {
            assert_eq!(halfmove::plies(bytes) as usize, moves.len());
            let mut canonical = Vec::new();
            halfmove::encode(&start, &moves, &mut canonical);
            assert_eq!(halfmove::decode(&start, &canonical).as_ref(), Ok(&moves));
            let mut end = start.clone();
            moves.iter().for_each(|mv| end.play_unchecked(*mv));
            let found = replay::find(&replay_start, &canonical, &Target::new(&end));
            assert!(matches!(found, Ok(Some(ply)) if ply as usize <= moves.len()));
        }
    }
});
