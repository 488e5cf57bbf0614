//! Checking moves, pinned pieces and null moves.

use crate::suites::{position, shipped, table};
use halfmove_rules::{CastlingStyle, Chess, Color, Move, UciMove};

/// Every position of the move tables, with every legal move and its SAN as another program writes it.
fn cases() -> Vec<(Chess, Vec<(Move, String)>)> {
    let mut cases = Vec::new();
    for name in ["real", "tricky", "chess960"] {
        for row in table(&shipped(&format!("movegen/{name}.tsv"))) {
            let position = position(&row[0]);
            let moves = row[1].split_whitespace().map(|pair| {
                let (uci, san) = pair.split_once('=').expect("uci=san");
                let mv = uci.parse::<UciMove>().unwrap().resolve(&position).unwrap();
                (mv, san.to_owned())
            });
            let moves = moves.collect();
            cases.push((position, moves));
        }
    }
    assert_eq!(cases.len(), 800);
    cases
}

#[test]
fn a_check_is_foreseen() {
    let mut checks = 0;
    for (position, moves) in cases() {
        for (mv, san) in moves {
            let gives = position.gives_check(mv);
            assert_eq!(gives, san.ends_with(['+', '#']), "{position} {san}");
            assert_eq!(gives, position.play(mv).unwrap().is_check(), "{position} {san}");
            checks += usize::from(gives);
        }
    }
    assert!(checks > 400, "{checks} checks");
}

/// The same on the positions of the perft suites, by playing each move.
#[test]
fn a_check_is_foreseen_by_playing() {
    let mut checks = 0;
    for name in ["standard", "chess960"] {
        for row in table(&shipped(&format!("perft/{name}.tsv"))) {
            let position = position(&row[0]);
            for mv in position.legal_moves() {
                let gives = position.play(mv).unwrap().is_check();
                assert_eq!(position.gives_check(mv), gives, "{position} {mv:?}");
                checks += usize::from(gives);
            }
        }
    }
    assert!(checks > 5_000, "{checks} checks");
}

#[test]
fn checks_of_every_kind() {
    for (fen, uci, gives) in [
        // A pawn captured en passant that stood between rook and king, and one that stood elsewhere.
        ("8/8/8/R2pP2k/8/8/8/4K3 w - d6 0 1", "e5d6", true),
        ("8/8/8/3pP2k/R7/8/8/4K3 w - d6 0 1", "e5d6", false),
        // Along the diagonal that the captured pawn leaves.
        ("6k1/8/8/3pP3/8/1B6/8/4K3 w - d6 0 1", "e5d6", true),
        // The castling rook; the king opens the rank for another.
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", true),
        ("6k1/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", false),
        // A new queen looks back through the square that its pawn left.
        ("8/4P3/8/8/4k3/8/8/K7 w - - 0 1", "e7e8q", true),
        ("8/4P3/8/8/4k3/8/8/K7 w - - 0 1", "e7e8n", false),
        // A king that steps off its rook's line.
        ("4k3/8/8/8/8/4K3/8/4R3 w - - 0 1", "e3f3", true),
        ("4k3/8/8/8/8/4K3/8/4R3 w - - 0 1", "e3e4", false),
    ] {
        let position = position(fen);
        let mv = uci.parse::<UciMove>().unwrap().resolve(&position).unwrap();
        assert_eq!(
            position.gives_check(mv),
            gives,
            "{fen} {}",
            mv.uci(CastlingStyle::KingTakesRook)
        );
    }
}

/// A piece is pinned if the board without it has one more attacker of its king.
#[test]
fn pinned_pieces_screen_their_king() {
    let mut found = 0;
    for (position, _) in cases() {
        for color in Color::ALL {
            let (board, king) = (position.board(), position.king(color));
            let attackers = |occupied| board.attackers(king, !color, occupied);
            let now = attackers(board.occupied());
            let pinned = board.by_color(color).into_iter().filter(|&piece| {
                piece != king && !(attackers(board.occupied() - piece) - now).is_empty()
            });
            let pinned = pinned.collect();
            assert_eq!(position.pinned(color), pinned, "{position}");
            found += pinned.len();
        }
    }
    assert!(found > 90, "{found} pinned pieces");
}

#[test]
fn a_null_move() {
    let mut passed = 0;
    for (position, _) in cases() {
        let Some(next) = position.null_move() else {
            assert!(position.is_check(), "{position}");
            continue;
        };
        assert!(!position.is_check() && !next.is_check(), "{position}");
        let fen = position.to_string();
        let mut fields: Vec<&str> = fen.split(' ').collect();
        fields[1] = if fields[1] == "w" { "b" } else { "w" };
        fields[3] = "-";
        let (clock, number) = (position.halfmove_clock() + 1, next.fullmove_number());
        let (clock, number) = (clock.to_string(), number.to_string());
        fields[4] = &clock;
        fields[5] = &number;
        let fen = fields.join(" ");
        assert_eq!(next.to_string(), fen);
        let expected = Chess::from_fen(&fen, None).unwrap();
        assert_eq!(next, expected);
        assert_eq!((next.zobrist(), next.checkers()), (expected.zobrist(), expected.checkers()));
        let black_moved = u16::from(position.side_to_move() == Color::Black);
        assert_eq!(next.fullmove_number(), position.fullmove_number() + black_moved);
        passed += 1;
    }
    assert!(passed > 500, "{passed} positions without check");
}
