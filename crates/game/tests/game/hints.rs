//! Hints for faulty moves.

use crate::mainlines::shipped;
use halfmove_game::Game;
use halfmove_game::pgn::{GameReader, Hint, PgnErrorKind, PieceOn, Reading};
use halfmove_rules::{Chess, Color, Piece, Role, Square};

/// The fault of a game that starts with this move from this position.
fn fault(fen: &str, mv: &str) -> PgnErrorKind {
    let text = format!("[FEN \"{fen}\"]\n\n{mv} *\n");
    let mut game = Game::default();
    match GameReader::new(text.as_bytes()).read(&mut game).unwrap() {
        Some(Reading::Faulty(error)) => error.kind,
        other => panic!("{mv} in {fen}: {other:?}"),
    }
}

#[test]
fn hints_give_the_reason() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let italian = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
    for (fen, mv, expected) in [
        // Pins: on a diagonal, on a file, of a pawn that would capture.
        (
            "rnbqk2r/pppp1ppp/4pn2/8/1bPP4/2N5/PP2PPPP/R1BQKBNR w KQkq - 2 4",
            "Ne4",
            "the knight on c3 is pinned by the bishop on b4",
        ),
        ("4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1", "Rd2", "the rook on e2 is pinned by the rook on e8"),
        (
            "4r1k1/8/8/3p4/4P3/8/8/4K3 w - - 0 1",
            "exd5",
            "the pawn on e4 is pinned by the rook on e8",
        ),
        // Checks, answered and not.
        (
            "rnb1kbnr/pppp1ppp/8/4p3/4P2q/5P2/PPPP2PP/RNBQKBNR w KQkq - 1 3",
            "Nc3",
            "White is in check from the queen on h4",
        ),
        ("4k3/8/8/8/8/3n4/4r3/4K2R w K - 0 1", "O-O", "White is in check from the rook on e2"),
        (
            "4k3/8/8/8/8/8/8/4K2R b K - 0 1",
            "O-O",
            "Black has no right to castle on the king's side",
        ),
        // The king.
        ("4k3/8/8/8/8/5r2/8/6K1 w - - 0 1", "Kf1", "f1 is attacked by the rook on f3"),
        ("4k3/8/8/8/8/8/8/r3K3 w - - 0 1", "Kf1", "f1 is attacked by the rook on a1"),
        // Things in the way.
        (italian, "Bg8", "the bishop on c4 is blocked by the pawn on f7"),
        (italian, "Rh4", "the rook on h1 is blocked by the pawn on h2"),
        (italian, "Qd3", "the queen on d1 is blocked by the pawn on d2"),
        (italian, "e5", "the pawn on e4 is blocked by the pawn on e5"),
        (start, "Bb5", "the bishop on f1 is blocked by the pawn on e2"),
        (start, "O-O", "the king on e1 is blocked by the bishop on f1"),
        (
            "4k3/8/8/8/8/3n4/3P4/4K3 w - - 0 1",
            "d4",
            "the pawn on d2 is blocked by the knight on d3",
        ),
        (
            "4k3/8/8/8/8/4n3/3PP3/7K w - - 0 1",
            "e4",
            "the pawn on e2 is blocked by the knight on e3",
        ),
        (start, "Nd2", "White's own pawn on d2 is there"),
        (start, "e2", "White's own pawn on e2 is there"),
        // Castling through check.
        ("4k3/8/8/8/8/8/5r2/4K2R w K - 0 1", "O-O", "f1 is attacked by the rook on f2"),
        (
            "1r2k3/8/8/8/8/8/8/RN2K3 w Q - 0 1",
            "O-O-O",
            "the king on e1 is blocked by the knight on b1",
        ),
        // Pawns.
        (italian, "exd5", "there is nothing to capture on d5"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "d4", "did you mean e4?"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "h8", "White has no pawn on the h-file"),
        // Pieces that are not there, and the wrong side.
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "Qd4", "White has no queen"),
        (start, "Nf6", "it is White's move"),
        (start, "e5", "did you mean e3 or e4?"),
        (start, "e6", "did you mean e3 or e4?"),
        // The end.
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "Kg8", "the game is over: checkmate"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "Kg8", "the game is over: stalemate"),
        // Typing errors.
        (start, "nf3", "did you mean Nf3?"),
        (start, "Nf33", "did you mean Nf3?"),
        (start, "N3f", "did you mean Nf3?"),
        ("4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "Ncd2", "did you mean Nbd2 or Nfd2?"),
    ] {
        let kind = fault(fen, mv);
        assert_eq!(
            kind.hint().map(ToString::to_string).as_deref(),
            Some(expected),
            "{mv} in {fen}: {kind}"
        );
    }
    let kind = fault("4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "Nd2");
    assert_eq!(
        (kind.reason().as_str(), kind.expected()),
        ("2 pieces can go there", &["Nbd2".to_owned(), "Nfd2".to_owned()][..])
    );
}

#[test]
fn hints_for_makruk() {
    for (fen, mv, expected) in [
        ("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1", "sc2", "did you mean Sc2?"),
        ("k7/8/8/8/8/r7/8/K6R w - - 0 1", "Rh2", "White is in check from the rook on a3"),
        ("R6k/7R/6K1/8/8/8/8/8 b - - 0 1", "Kg8", "the game is over: checkmate"),
    ] {
        let text = format!("[Variant \"Makruk\"]\n[FEN \"{fen}\"]\n\n{mv} *\n");
        let mut game = Game::default();
        let reading = GameReader::new(text.as_bytes()).read(&mut game).unwrap();
        let Some(Reading::Faulty(error)) = reading else { panic!("{mv} in {fen}: {reading:?}") };
        assert_eq!(error.kind.hint().map(ToString::to_string).as_deref(), Some(expected), "{mv}");
    }
}

/// Returns true if a piece attacks a square, tested step by step on a board without some pieces.
fn attacks(position: &Chess, from: PieceOn, to: Square, without: &[Square]) -> bool {
    let at = |square: Square| (i32::from(square as u8) % 8, i32::from(square as u8) / 8);
    let (from_at, to_at) = (at(from.square), at(to));
    let (files, ranks) = (to_at.0 - from_at.0, to_at.1 - from_at.1);
    let (wide, high) = (files.abs(), ranks.abs());
    let (straight, diagonal) = ((wide == 0) != (high == 0), wide == high && wide > 0);
    let up = if from.piece.color == Color::White { 1 } else { -1 };
    let rides = match from.piece.role {
        Role::Knight => return (wide, high) == (1, 2) || (wide, high) == (2, 1),
        Role::King => return wide.max(high) == 1,
        Role::Pawn => return wide == 1 && ranks == up,
        Role::Bishop => diagonal,
        Role::Rook => straight,
        Role::Queen => straight || diagonal,
        Role::Khon | Role::Met => panic!("not in chess"),
    };
    let (mut file, mut rank) = from_at;
    rides
        && (1..wide.max(high)).all(|_| {
            (file, rank) = (file + files.signum(), rank + ranks.signum());
            let square = Square::from_index((8 * rank + file) as u8).expect("on the board");
            without.contains(&square) || position.board().piece_at(square).is_none()
        })
}

/// Each statement of a hint is true on the board, for moves to every square in positions of real games.
#[test]
fn hints_are_true() {
    let mut seen = [0; 6];
    for (number, line) in shipped().iter().enumerate() {
        let positions = line.positions();
        let position = &positions[(number * 37) % positions.len()];
        let (us, board) = (position.side_to_move(), position.board());
        let king = position.king(us);
        let is = |piece: PieceOn, color| {
            piece.piece.color == color && board.piece_at(piece.square) == Some(piece.piece)
        };
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
            for to in Square::ALL.into_iter().filter(|to| *to as usize % 3 == number % 3) {
                let word = format!("{}{to}", role.letter());
                let text = format!("[FEN \"{position}\"]\n\n{word} *\n");
                let mut game = Game::default();
                let reading = GameReader::new(text.as_bytes()).read(&mut game).unwrap();
                let Some(Reading::Faulty(error)) = reading else { continue };
                let Some(hint) = error.kind.hint() else { continue };
                let context = format!("{word} in {position}: {hint}");
                match hint {
                    Hint::Pinned { piece, by } => {
                        assert!(is(*piece, us) && is(*by, !us), "{context}");
                        assert!(attacks(position, *piece, to, &[]), "{context}");
                        assert!(!attacks(position, *by, king, &[]), "{context}");
                        assert!(attacks(position, *by, king, &[piece.square]), "{context}");
                        seen[0] += 1;
                    }
                    Hint::Blocked { piece, by } => {
                        assert!(is(*piece, us) && board.piece_at(by.square) == Some(by.piece));
                        assert!(attacks(position, *piece, by.square, &[]), "{context}");
                        let all: Vec<Square> = Square::ALL.to_vec();
                        assert!(attacks(position, *piece, to, &all), "{context}");
                        assert!(!attacks(position, *piece, to, &[]), "{context}");
                        seen[1] += 1;
                    }
                    Hint::OwnPiece { piece } => {
                        assert!(is(*piece, us) && piece.square == to, "{context}");
                        seen[2] += 1;
                    }
                    Hint::Check { by } => {
                        assert!(is(*by, !us) && attacks(position, *by, king, &[]), "{context}");
                        seen[3] += 1;
                    }
                    Hint::Attacked { square, by } => {
                        assert!(is(*by, !us) && *square == to, "{context}");
                        assert!(attacks(position, *by, to, &[king]), "{context}");
                        seen[4] += 1;
                    }
                    Hint::NoSuchPiece { piece, .. } => {
                        let none = board.by_piece(*piece).is_empty();
                        assert!(none && *piece == Piece { color: us, role }, "{context}");
                        seen[5] += 1;
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(seen.iter().all(|count| *count >= 10), "{seen:?}");
}
