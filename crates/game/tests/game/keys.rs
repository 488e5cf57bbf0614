//! Keys of positions: the same by moves as from a FEN, and Polyglot's in books.

use std::path::Path;

use halfmove_game::pgn::GameReader;
use halfmove_game::rules::{AnyPosition, Chess, EnPassantMode};
use halfmove_game::{Game, Input};

use crate::data::{collections, game_files, testdata};

/// The number of positions, and of those with an en passant capture that is not legal.
#[derive(Default)]
struct Seen {
    positions: u64,
    forbidden: u64,
}

impl Seen {
    /// Checks a position. Those after another move than a double step have no square to state, so some of them are enough.
    fn position(&mut self, position: &Chess) {
        self.positions += 1;
        let has_square = position.ep_square_as(EnPassantMode::Always).is_some();
        if !has_square && !self.positions.is_multiple_of(64) {
            assert_eq!(position.key(), position.zobrist(), "{position}");
            return;
        }
        let mode = Some(position.castling_mode());
        for style in [EnPassantMode::Legal, EnPassantMode::PseudoLegal, EnPassantMode::Always] {
            let fen = position.to_setup_as(style).to_string();
            let read = Chess::from_fen(&fen, mode).expect("the FEN of a position");
            assert_eq!((&read, read.key()), (position, position.key()), "{fen}");
            if style != EnPassantMode::Legal {
                assert_eq!(read.zobrist(), position.zobrist(), "{fen}");
            }
        }
        let square = position.ep_square_as(EnPassantMode::PseudoLegal);
        let is_forbidden = square.is_some() && position.ep_square().is_none();
        assert_eq!(position.key() != position.zobrist(), is_forbidden, "{position}");
        self.forbidden += u64::from(is_forbidden);
    }

    fn file(&mut self, path: &Path) {
        let mut reader = GameReader::new(Input::open(path).expect("a file"));
        let mut game = Game::default();
        while reader.read(&mut game).expect("readable").is_some() {
            let AnyPosition::Chess(mut position) = game.start.clone() else { continue };
            self.position(&position);
            for mv in &game.moves {
                if mv.is_null() {
                    break;
                }
                position.play_unchecked(*mv);
                self.position(&position);
            }
        }
    }
}

/// The pawn on e4 may not capture: it is pinned.
#[test]
fn a_pinned_capture_is_not_part_of_a_position() {
    let before: Chess = "4k3/8/8/8/4p3/8/3P4/K3R3 w - - 0 1".parse().expect("a FEN");
    let after = before.play(before.parse_san("d4").expect("a move")).expect("legal");
    let mut seen = Seen::default();
    seen.position(&after);
    assert_eq!(seen.forbidden, 1);
    // By two steps of one square.
    let read: Chess = "4k3/8/8/8/3Pp3/8/8/K3R3 b - - 0 1".parse().expect("a FEN");
    assert_eq!((&read, read.key()), (&after, after.key()));
    // As python-chess 1.11.2 computes them from the FEN with d3 and from the FEN without.
    assert_eq!(after.zobrist().to_string(), "4176920b68c381a2");
    assert_eq!(after.key().to_string(), "5def4cd8547b1103");
}

#[test]
fn keys_of_real_games_are_those_of_their_fens() {
    let mut seen = Seen::default();
    for path in game_files(&testdata().join("games")) {
        seen.file(&path);
    }
    assert!(seen.positions > 500_000, "{}", seen.positions);
}

#[test]
#[ignore = "reads the large collections: make verify"]
fn keys_of_collections_are_those_of_their_fens() {
    let mut seen = Seen::default();
    for name in ["masters_gnuchess_book_1.02", "lichess_online_clocks_evals"] {
        seen.file(&collections().join(format!("large/{name}.pgn.zst")));
    }
    assert!(seen.forbidden > 0, "no capture is forbidden in {} positions", seen.positions);
}
