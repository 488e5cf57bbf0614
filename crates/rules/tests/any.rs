//! `AnyPosition` behaves exactly as the position it holds.

use halfmove_rules::makruk;
use halfmove_rules::{
    AnyPosition, Chess, Color, History, Makruk, Move, Outcome, Position, Variant, perft,
};

/// The move mirrored top to bottom.
fn flipped(mv: Move) -> Move {
    let (from, to) = (mv.from().flip_vertical(), mv.to().flip_vertical());
    match mv.promotion() {
        Some(role) => Move::promote(from, to, role).unwrap(),
        None if mv.is_castle() => Move::castle(from, to),
        None => Move::normal(from, to),
    }
}

/// All of a FEN except the move number, which counts Black's moves.
fn without_number(position: &AnyPosition) -> String {
    let fen = position.to_string();
    fen.rsplit_once(' ').unwrap().0.to_owned()
}

/// The rules are the same for both sides: the flipped position has the flipped moves, which lead to
/// flipped positions.
fn check_flipped(any: &AnyPosition) {
    let mirror = any.flipped();
    assert_eq!(mirror.variant(), any.variant());
    assert_eq!(mirror.flipped().to_string(), any.to_string());
    assert_eq!(mirror.side_to_move(), !any.side_to_move());
    for color in Color::ALL {
        assert_eq!(mirror.board().by_color(!color), any.board().by_color(color).flip_vertical());
        assert_eq!(mirror.king(!color), any.king(color).flip_vertical());
        assert_eq!(mirror.can_mate(!color), any.can_mate(color), "{any}");
    }
    assert_eq!(mirror.checkers(), any.checkers().flip_vertical(), "{any}");
    let winner = |position: &AnyPosition| position.outcome().map(|end| end.winner());
    assert_eq!(winner(&mirror), winner(any).map(|won| won.map(|color| !color)), "{any}");
    let mut moves = any.legal_moves().into_iter().map(flipped).collect::<Vec<_>>();
    let mut theirs = mirror.legal_moves().into_iter().collect::<Vec<_>>();
    moves.sort();
    theirs.sort();
    assert_eq!(theirs, moves, "{any}");
    for mv in any.legal_moves() {
        let (next, mirrored) = (any.play(mv).unwrap(), mirror.play(flipped(mv)).unwrap());
        assert_eq!(without_number(&next.flipped()), without_number(&mirrored), "{any}, {mv}");
        assert_eq!(next.flipped().zobrist(), mirrored.zobrist(), "{any}, {mv}");
    }
}

fn check(any: &AnyPosition, own: &impl Position) {
    assert_eq!(any.to_string(), own.to_string());
    assert_eq!((any.zobrist(), any.outcome()), (own.zobrist(), own.outcome()), "{any}");
    assert_eq!((any.board(), any.side_to_move()), (own.board(), own.side_to_move()));
    assert_eq!((any.checkers(), any.count_moves()), (own.checkers(), own.count_moves()), "{any}");
    assert_eq!(any.legal_moves(), own.legal_moves(), "{any}");
    for mv in own.legal_moves() {
        assert_eq!(any.san(mv), own.san(mv), "{any}");
        assert_eq!(any.parse_san(&any.san(mv)), Ok(mv), "{any}");
        assert_eq!(any.parse_uci(&any.uci(mv).to_string()), Ok(mv), "{any}");
        assert_eq!(any.uci(mv), Position::uci(own, mv), "{any}");
        assert_eq!(any.play(mv).as_ref(), Ok(&own.play(mv).unwrap().into()), "{any}");
    }
    assert_eq!(any.king(Color::White), own.king(Color::White));
    assert_eq!(any.king(Color::Black), own.king(Color::Black));
    assert_eq!(any.halfmove_clock(), own.halfmove_clock());
    assert_eq!(any.fullmove_number(), own.fullmove_number());
    let stuck = own.count_moves() == 0;
    assert_eq!(any.is_checkmate(), stuck && own.is_check(), "{any}");
    assert_eq!(any.is_stalemate(), stuck && !own.is_check(), "{any}");
    assert_eq!(any.is_game_over(), own.outcome().is_some(), "{any}");
    assert_eq!(any.is_check(), own.is_check(), "{any}");
    assert_eq!(any.has_moves(), !stuck, "{any}");
    let ply = (u32::from(any.fullmove_number()) - 1) * 2;
    assert_eq!(any.ply(), ply + u32::from(any.side_to_move() == Color::Black), "{any}");
    assert_eq!(AnyPosition::from_fen(&any.to_string(), any.variant()).as_ref(), Ok(any));
    assert_eq!(any.flipped(), own.flipped().into());
    check_flipped(any);
}

/// Plays an arbitrary move, chosen by the ply.
fn walk<P: Position + Into<AnyPosition>>(start: P) {
    let (mut own, mut any) = (start.clone(), start.into());
    for ply in 0..120 {
        check(&any, &own);
        let moves = own.legal_moves();
        let Some(mv) = moves.get(ply * 7 % moves.len().max(1)) else { break };
        own = own.play(*mv).unwrap();
        any.play_unchecked(*mv);
    }
}

#[test]
fn any_game_is_its_game() {
    walk(Chess::default());
    for variant in makruk::Rules::ALL {
        walk(Makruk::start(variant));
        assert_eq!(Variant::from_name(variant.name()), Some(Variant::from(variant)));
    }
    walk(Chess::from_fen("1k1r4/8/8/8/8/8/8/1K1R4 w Dd - 0 1", None).unwrap());
    walk(Chess::default().into_chess960());
    // Castling, promotion, en passant; counts.
    walk(Chess::from_fen("r3k2r/P6p/8/2pP4/8/8/p6P/R3K2R w KQkq c6 3 9", None).unwrap());
    walk("8/3k4/8/8/8/5K2/2M~5/2R4R w - 16 9 6".parse::<Makruk>().unwrap());
    walk("3k4/8/4s3/3R4/8/2K1N3/8/8 b - 128 12 60".parse::<Makruk>().unwrap());
    // The published leaf counts of each game.
    assert_eq!(perft(&AnyPosition::start(Variant::Chess), 3), 8_902);
    assert_eq!(perft(&AnyPosition::start(Variant::Makruk), 3), 12_012);
}

/// Positions in which the side to move has no move, by their games.
#[test]
fn mate_and_stalemate() {
    use Variant::{Asean, Chess, Chess960, Makpong, Makruk};
    for (variant, fen, checkmate) in [
        (Chess, "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", true),
        (Chess, "6rk/5Npp/8/8/8/8/8/K7 b - - 0 1", true),
        (Chess, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", false),
        (Chess, "8/8/8/8/8/p1k5/P1p5/K7 w - - 0 1", false),
        (Chess960, "R6k/6pp/8/8/8/8/8/K7 b - - 0 1", true),
        (Makruk, "R2k4/8/3K4/8/8/8/8/8 b - - 0 1", true),
        (Makruk, "k7/1R6/1K6/8/8/8/8/8 b - - 0 1", false),
        (Makpong, "3r3k/8/8/4m3/3K4/8/8/8 w - - 0 1", true),
        (Asean, "R2k4/8/3K4/8/8/8/8/8 b - - 0 1", true),
    ] {
        let position = AnyPosition::from_fen(fen, variant).unwrap();
        let questions = [position.is_checkmate(), position.is_stalemate()];
        assert_eq!(questions, [checkmate, !checkmate], "{variant:?} {fen}");
        assert!(position.is_game_over() && !position.has_moves(), "{variant:?} {fen}");
    }
}

#[test]
fn any_game_has_a_history() {
    let mut history = History::new(AnyPosition::start(Variant::Makpong));
    for mv in ["d1d2", "e8e7", "d2d1", "e7e8"].repeat(2) {
        history.play(history.position().parse_uci(mv).unwrap()).unwrap();
    }
    assert_eq!(history.occurrences(), 3);
    assert_eq!(history.outcome(), Some(Outcome::ThreefoldRepetition));
    assert_eq!(history.claim(), None);
}

/// A game over `AnyPosition` has the same ends and claims as one over its own type.
#[test]
fn any_game_ends_as_its_game() {
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(5);
    let mut any = History::new(AnyPosition::start(Variant::Chess));
    let mut own = History::new(Chess::default());
    let mut seen = [0; 3];
    for uci in shuffle {
        let mv = any.position().parse_uci(uci).unwrap();
        any.play(mv).unwrap();
        own.play(mv).unwrap();
        assert_eq!((any.outcome(), any.claim()), (own.outcome(), own.claim()));
        let ends = [any.claim().is_some(), any.outcome().is_some(), any.occurrences() > 5];
        ends.into_iter().zip(&mut seen).for_each(|(end, count)| *count += usize::from(end));
    }
    // A third and a fourth occurrence can be claimed; the fifth ends the game.
    assert_eq!(seen, [8, 5, 1]);
}

#[test]
fn any_fen_is_read_by_its_game() {
    let asean = Variant::Asean;
    let mate = AnyPosition::from_fen("7k/6R1/6KR/8/8/8/8/4B2Q b - - 0 1", asean).unwrap();
    assert!(matches!(mate.outcome(), Some(Outcome::Checkmate { .. })));
    let errors = [Variant::Chess, asean, Variant::Makruk]
        .map(|variant| AnyPosition::from_fen("k7/8/8/8/8/8/8/KX6 w - - 0 1", variant).unwrap_err());
    for (error, letters) in errors.iter().zip(["PNBRQK", "PNBQRK", "PNSMRK"]) {
        assert!(error.to_string().contains(letters), "{error}");
        assert!(error.to_string().contains("byte 16"), "{error}");
    }
}

#[test]
fn other_names_of_games() {
    for (name, variant) in [
        ("standard", Variant::Chess),
        ("normal", Variant::Chess),
        ("Normal", Variant::Chess),
        ("fischerandom", Variant::Chess960),
        ("Fischerrandom", Variant::Chess960),
    ] {
        assert_eq!(Variant::from_name(name), Some(variant), "{name}");
    }
}
