//! The end of a game of chess on the 0x88 board, compared with python-chess (`testdata/outcomes`).

use super::rows;
use halfmove_mailbox::{Chess, Ending};
use halfmove_rules::CastlingStyle;

/// Games with repetitions and games that run out the counters, ply by ply.
#[test]
fn repetitions_and_counters() {
    let rows = rows("outcomes/repetitions.tsv");
    assert_eq!(rows.len(), 73);
    let mut seen = [0; 4];
    for row in rows {
        let [fen, moves, counts, ends, claims] = &row[..] else { panic!("five columns: {row:?}") };
        let mut state = Chess::from_fen(fen).expect("a FEN");
        let mut moves = moves.split_whitespace();
        for (ply, ((count, end), claim)) in
            counts.chars().zip(ends.chars()).zip(claims.chars()).enumerate()
        {
            let place = format!("{fen} ply {ply}");
            assert_eq!(Some(u32::from(state.occurrences().min(9))), count.to_digit(10), "{place}");
            let ending = match state.ending() {
                None => '-',
                Some(Ending::Checkmate { .. }) => 'm',
                Some(Ending::Stalemate) => 's',
                Some(Ending::InsufficientMaterial) => 'i',
                Some(Ending::Fivefold) => '5',
                Some(Ending::SeventyFiveMoves) => '7',
                Some(other) => panic!("{other:?} ends no game of chess by itself"),
            };
            // The table gives a position without moves a letter for the move that led there.
            assert_eq!(ending, end, "{place}");
            let expected = match claim {
                _ if end != '-' => None,
                '3' | 'b' => Some(Ending::Threefold),
                'f' => Some(Ending::FiftyMoves),
                _ => None,
            };
            assert_eq!(state.claim(), expected, "{place}");
            seen[0] += usize::from(end == '5');
            seen[1] += usize::from(end == '7');
            seen[2] += usize::from(expected == Some(Ending::Threefold));
            seen[3] += usize::from(expected == Some(Ending::FiftyMoves));
            if let Some(uci) = moves.next() {
                let mv = state.parse_uci(uci, CastlingStyle::KingToTarget).expect("a legal move");
                state = state.play_unchecked(mv);
            }
        }
        assert_eq!(moves.next(), None, "a column is short: {fen}");
    }
    assert!(seen.iter().all(|count| *count > 20), "{seen:?}");
}

/// Two positions that differ only in castling rights, or in a legal en passant capture, are not the same.
#[test]
fn rights_make_another_position() {
    let play = |fen: &str, moves: &str| {
        let start = Chess::from_fen(fen).expect("a FEN");
        moves.split(' ').fold(start, |state, uci| {
            let mv = state.parse_uci(uci, CastlingStyle::KingToTarget).expect("a legal move");
            state.play_unchecked(mv)
        })
    };
    let round = "a1b1 h8h7 b1a1 h7h8";
    let rounds = [round; 3].join(" ");
    assert_eq!(play("4k2r/8/8/8/8/8/8/R3K3 w Q - 0 1", round).occurrences(), 1);
    assert_eq!(play("4k2r/8/8/8/8/8/8/R3K3 w Q - 0 1", &rounds).occurrences(), 3);
    assert_eq!(play("4k2r/8/8/8/8/8/8/R3K3 w - - 0 1", &rounds).occurrences(), 4);
    let knights = "b8c6 b1c3 c6b8 c3b1";
    // Black may capture on d3 in the first position only.
    let capture = "1n2k3/8/8/8/3Pp3/8/8/1N2K3 b - d3 0 1";
    assert_eq!(play(capture, knights).occurrences(), 1);
    // Nothing stands ready to capture there.
    let none = "1n2k3/8/8/8/3P1p2/8/8/1N2K3 b - d3 0 1";
    assert_eq!(play(none, knights).occurrences(), 2);
}

#[test]
fn checkmate_and_stalemate() {
    for (fen, mate, stalemate) in [
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", true, false),
        ("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", false, true),
        ("R5k1/6pp/8/8/8/8/8/4K3 b - - 0 1", false, false),
    ] {
        let state = Chess::from_fen(fen).expect("a FEN");
        assert_eq!((state.is_checkmate(), state.is_stalemate()), (mate, stalemate), "{fen}");
        assert_eq!(state.has_legal_move(), !mate && !stalemate, "{fen}");
    }
}
