//! The piece that a move captures, compared with the piece missing from the board after it.

use halfmove_rules::{AnyPosition, Bitboard, Board, Move, MoveList, Variant};

/// A generator of numbers, so that every run plays the same games.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

fn check(position: &AnyPosition, mv: Move) {
    let next = position.play(mv).unwrap();
    let enemy = !position.side_to_move();
    let gone = position.board().by_color(enemy) - next.board().by_color(enemy);
    let captured = gone.first().and_then(|square| position.board().piece_at(square));
    assert_eq!(position.captured(mv), captured, "{position}, {mv}");
    assert_eq!(position.is_capture(mv), captured.is_some(), "{position}, {mv}");
    assert_eq!(position.is_zeroing(mv), next.halfmove_clock() == 0, "{position}, {mv}");
    if let AnyPosition::Chess(chess) = position {
        let elsewhere = gone - Bitboard::square(mv.to());
        assert_eq!(chess.is_en_passant(mv), !elsewhere.is_empty(), "{position}, {mv}");
    }
}

#[test]
fn captures_are_the_missing_pieces() {
    let mut numbers = Numbers(1);
    let (mut captures, mut en_passant) = (0, 0);
    for variant in Variant::ALL {
        for _ in 0..60 {
            let mut position = AnyPosition::start(variant);
            for _ in 0..120 {
                let moves = position.legal_moves();
                let mut by_square = MoveList::new().to_vec();
                for (square, _) in position.board().pieces() {
                    by_square.extend_from_slice(&position.legal_moves_from(square));
                }
                by_square.sort_unstable();
                let mut sorted = moves.clone();
                sorted.sort_unstable();
                assert_eq!(by_square, *sorted, "{position}");
                for mv in &moves {
                    check(&position, *mv);
                    captures += u32::from(position.is_capture(*mv));
                    if let AnyPosition::Chess(chess) = &position {
                        en_passant += u32::from(chess.is_en_passant(*mv));
                    }
                }
                let Some(mv) = moves.get(numbers.below(moves.len().max(1))) else { break };
                position = position.play(*mv).unwrap();
            }
        }
    }
    assert!(captures > 1_000 && en_passant > 10, "{captures} captures, {en_passant} en passant");
}

#[test]
fn a_board_is_read_back_from_its_placement() {
    for variant in [Variant::Chess, Variant::Chess960] {
        let board = AnyPosition::start(variant).board().clone();
        assert_eq!(Board::from_placement(&board.placement().to_string()), Ok(board));
    }
    for (text, offset) in
        [("8/8/8/8/8/8/8", 13), ("8/8/8/8/8/8/8/9", 14), ("8/8/8/8/8/8/8/8 w", 15)]
    {
        assert_eq!(Board::from_placement(text).unwrap_err().offset, offset, "{text}");
    }
}
