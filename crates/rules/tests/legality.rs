//! A move is legal if and only if it is among the legal moves: checked for every move that the public API can
//! create, in every game.

use crate::suites::{position, shipped, table};
use halfmove_bitboard::cpu::{self, Cpu, Level, Task};
use halfmove_rules::{
    AnyPosition, CastlingStyle, Chess, Flaws, Makruk, Move, MoveList, Position, Role, San,
    SanError, Setup, Square, UciError, UciMove, Variant, perft_up_to,
};
use std::collections::HashSet;
use std::ops::ControlFlow;

/// Every move that the constructors make, once each.
fn constructed() -> HashSet<Move> {
    let mut moves = HashSet::new();
    for from in Square::ALL {
        for to in Square::ALL {
            moves.extend([Move::normal(from, to), Move::castle(from, to)]);
            moves.extend(Role::ALL.into_iter().filter_map(|role| Move::promote(from, to, role)));
        }
    }
    moves
}

#[test]
fn every_move_survives_its_bits() {
    let constructed = constructed();
    // A move, castling, and six promotions for every pair of squares, and no two of them equal.
    assert_eq!(constructed.len(), 8 * 64 * 64);
    for bits in 0..=u16::MAX {
        match Move::from_bits(bits) {
            Some(mv) => {
                assert_eq!(mv.to_bits(), bits);
                assert!(constructed.contains(&mv), "no constructor makes {bits:#06x}");
            }
            None => assert!(constructed.iter().all(|mv| mv.to_bits() != bits), "{bits:#06x}"),
        }
    }
    for from in Square::ALL {
        for (to, role) in Square::ALL.into_iter().zip(Role::ALL.into_iter().cycle()) {
            let promotion = Move::promote(from, to, role);
            assert_eq!(promotion.is_none(), matches!(role, Role::Pawn | Role::King));
            if let Some(mv) = promotion {
                assert_eq!((mv.from(), mv.to(), mv.promotion()), (from, to, Some(role)));
            }
        }
    }
}

/// Compares `is_legal` with `legal_moves`, for all bits that are a move.
fn check<P: Position>(position: &P) {
    let listed: HashSet<Move> = position.legal_moves().into_iter().collect();
    assert_eq!(listed.len(), position.legal_moves().len(), "{position}: a move is listed twice");
    let _: ControlFlow<()> = position.visit_moves(|moves| {
        assert!(!moves.is_empty(), "{position}: shows {moves:?}");
        ControlFlow::Continue(())
    });
    for mv in (0..=u16::MAX).filter_map(Move::from_bits) {
        assert_eq!(position.is_legal(mv), listed.contains(&mv), "{position} {mv:?}");
    }
}

/// Checks a game, each move picked by the ply and a seed.
fn walk<P: Position>(mut position: P, seed: usize, plies: usize) {
    for ply in 0..plies {
        if ply % 5 == seed % 5 {
            check(&position);
        }
        let moves = position.legal_moves();
        let Some(mv) = moves.get((ply * 31 + seed * 17) % moves.len().max(1)) else { return };
        position.play_unchecked(*mv);
    }
    check(&position);
}

#[test]
fn legal_moves_of_chess_are_the_listed_ones() {
    for name in ["real", "tricky", "chess960"] {
        for row in table(&shipped(&format!("movegen/{name}.tsv"))).iter().step_by(12) {
            check(&position(&row[0]));
        }
    }
    (0..4).for_each(|seed| walk(Chess::default(), seed, 60));
}

#[test]
fn legal_moves_of_makruk_and_its_kin_are_the_listed_ones() {
    for variant in [Variant::Makruk, Variant::Makpong, Variant::Asean] {
        let start = AnyPosition::start(variant);
        (0..4).for_each(|seed| walk(start.clone(), seed, 120));
    }
}

/// Fills a list at a level of the CPU, and counts the moves.
struct Listed<'a>(&'a Chess, &'a mut MoveList);

impl Task for Listed<'_> {
    type Output = usize;

    fn run<C: Cpu>(self, cpu: C) -> usize {
        self.0.fill_moves_on(cpu, self.1);
        self.0.count_moves_on(cpu)
    }
}

#[test]
fn every_level_lists_the_visited_moves() {
    // As many moves as a game can reach, and boards full of queens.
    let crowds = [
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "QQQQQQQQ/Q6Q/Q6Q/Q6Q/Q6Q/QQ5Q/pp4QQ/kBQQQQK1 w - - 0 1",
        "Q1Q2Q1Q/2Q2Q2/Q2Q2Q1/Q2Q2Q1/1Q2Q2Q/1Q2Q2Q/pp1Q2Q1/kBQ1QK1Q w - - 0 1",
    ];
    let crowds = crowds.map(|fen| {
        let setup: Setup = fen.parse().unwrap();
        Chess::from_setup(setup, Flaws::UNREACHABLE).unwrap()
    });
    assert_eq!(crowds[0].legal_moves().len(), 218);
    assert_eq!(crowds[1].legal_moves().len(), 262);
    let files = ["real", "tricky", "chess960"].map(|name| format!("movegen/{name}.tsv"));
    let rows = files.iter().flat_map(|name| table(&shipped(name)));
    let (mut moves, mut double_checks) = (MoveList::new(), 0);
    for position in crowds.into_iter().chain(rows.map(|row| position(&row[0]))) {
        let mut shown = Vec::new();
        let _: ControlFlow<()> = position.visit_moves(|moves| {
            shown.extend(moves);
            ControlFlow::Continue(())
        });
        let replies = |mv: &Move| position.play(*mv).unwrap().legal_moves().len() as u64;
        let leaves: u64 = shown.iter().map(replies).sum();
        for level in Level::ALL {
            let count = cpu::run_up_to(*level, Listed(&position, &mut moves));
            assert_eq!((moves.as_slice(), count), (&shown[..], shown.len()), "{level} {position}");
            assert_eq!(perft_up_to(*level, &position, 2), leaves, "{level} {position}");
        }
        assert_eq!(position.legal_moves().as_slice(), shown, "{position}");
        let evasions = if position.is_check() { &shown[..] } else { &[] };
        assert_eq!(position.evasions().as_slice(), evasions, "{position}");
        double_checks += u32::from(position.checkers().has_many());
        let mut captures: Vec<Move> =
            shown.iter().copied().filter(|mv| position.is_capture(*mv)).collect();
        captures.sort();
        let mut found = position.captures();
        found.sort();
        assert_eq!(found.as_slice(), captures, "{position}");
    }
    assert!(double_checks > 0);
}

/// UCI and SAN given as values, with everything that they can express.
#[test]
fn text_resolves_to_listed_moves_only() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/1P6/8/3pP3/8/5N2/4N3/R3K2R w KQkq d6 0 1",
    ] {
        let position = position(fen);
        let listed = position.legal_moves();
        let promotions = || Role::ALL.into_iter().map(Some).chain([None]);
        for from in Square::ALL {
            for to in Square::ALL {
                for promotion in promotions() {
                    let uci = UciMove { from, to, promotion };
                    match uci.resolve(&position) {
                        Ok(mv) => {
                            assert!(listed.contains(&mv), "{fen} {uci:?}");
                            let styles =
                                [CastlingStyle::KingToTarget, CastlingStyle::KingTakesRook];
                            assert!(styles.into_iter().any(|style| mv.uci(style) == uci));
                        }
                        Err(error) => assert_eq!(error, UciError::Illegal),
                    }
                }
            }
        }
        for (role, to) in Role::ALL.into_iter().flat_map(|r| Square::ALL.map(|to| (r, to))) {
            for promotion in promotions() {
                for file in [None, Some(to.file())] {
                    let (rank, capture) = (None, false);
                    let san = San::Normal { role, file, rank, to, capture, promotion };
                    match san.resolve(&position) {
                        Ok(mv) => {
                            assert!(listed.contains(&mv), "{fen} {san:?}");
                            assert_eq!(mv.promotion(), promotion, "{fen} {san:?}");
                        }
                        Err(error) => assert!(!matches!(error, SanError::Syntax { .. })),
                    }
                }
            }
        }
    }
}

/// Moves that earlier versions accepted: a promotion of the king's pawn on its second rank, and a khon in chess.
#[test]
fn nothing_becomes_a_king_or_a_foreign_piece() {
    assert_eq!(Move::promote(Square::E2, Square::E4, Role::King), None);
    let position: Chess = "8/4P3/8/8/8/8/k7/7K w - - 0 1".parse().unwrap();
    for role in [Role::King, Role::Pawn, Role::Khon, Role::Met] {
        let uci = UciMove { from: Square::E7, to: Square::E8, promotion: Some(role) };
        assert_eq!(uci.resolve(&position), Err(UciError::Illegal));
    }
    let start = Chess::default();
    let khon = Move::promote(Square::E2, Square::E4, Role::Khon).unwrap();
    assert!(!start.is_legal(khon) && start.play(khon).is_err());
    assert_ne!(khon, Move::normal(Square::E2, Square::E4));
    assert!(!Makruk::default().is_legal(Move::castle(Square::D1, Square::A1)));
}
