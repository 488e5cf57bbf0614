//! The tables of distances to mate, compared with a search on the 0x88 board, which shares no code with them.

use halfmove_mailbox::{Board, CountingPolicy, Dialect, Kind, Makruk, Piece, Rules};
use halfmove_rules::makruk;
use halfmove_rules::{Color, MateTable, Square};

/// Returns true if the side to move can mate in this number of moves, by exhaustive search.
fn mates_within(position: &Makruk, moves: u16) -> bool {
    let next = |mv| position.play(mv).expect("a legal move");
    moves > 0 && position.legal_moves().into_iter().any(|mv| is_mated_within(&next(mv), moves - 1))
}

/// Returns true if the side to move is mated, or will be after any move.
fn is_mated_within(position: &Makruk, moves: u16) -> bool {
    let replies = position.legal_moves();
    if replies.is_empty() {
        return position.is_check();
    }
    let next = |mv| position.play(mv).expect("a legal move");
    moves > 0 && replies.into_iter().all(|mv| mates_within(&next(mv), moves))
}

/// Positions of a king and these pieces against a bare king, of either color, either to move.
fn chases(rules: Rules, pieces: &[Kind], step: usize) -> impl Iterator<Item = Makruk> {
    let places = 64_usize.pow(pieces.len() as u32 + 2);
    (0..places).step_by(step).filter_map(move |place| {
        let chaser = if place % 3 == 0 { Color::Black } else { Color::White };
        let side = if place % 2 == 0 { chaser } else { !chaser };
        let kings = [(chaser, Kind::King), (!chaser, Kind::King)];
        let others = pieces.iter().map(|kind| (chaser, *kind));
        let mut board = Board::default();
        for (i, (color, kind)) in kings.into_iter().chain(others).enumerate() {
            let square = Square::ALL[place >> (6 * i) & 63];
            if board.piece_at(square).is_some() {
                return None;
            }
            board.put(square, Piece { color, kind });
        }
        Makruk::from_board(board, side, rules, CountingPolicy::Thai).ok()
    })
}

fn check_table(rules: (Rules, makruk::Rules), pieces: &[Kind], step: usize) {
    let roles: Vec<_> = pieces.iter().map(|kind| kind.role()).collect();
    let table = MateTable::compute(rules.1, &roles).expect("one or two pieces");
    // The number of searched positions with mate, mate in one, mate in two, or none of these.
    let mut searched = [0; 4];
    for position in chases(rules.0, pieces, step) {
        let fen = position.to_fen(Dialect::Fairy);
        let setup = makruk::Setup::parse(&fen, rules.1, makruk::Dialect::Fairy).expect("a FEN");
        let theirs = halfmove_rules::Makruk::from_setup(setup).expect("a legal position");
        let listed = table.mate_in(&theirs).expect("a position of the table");
        let near = listed.filter(|moves| *moves <= 2);
        let kind = near.map_or(3, usize::from);
        if searched[kind] == 12 {
            continue;
        }
        searched[kind] += 1;
        let chaser = position.board().pieces().find(|(_, piece)| piece.kind == pieces[0]);
        let chaser = chaser.expect("a piece that chases").1.color;
        let search = if position.side_to_move() == chaser { mates_within } else { is_mated_within };
        let found = (0..=2).find(|moves| search(&position, *moves));
        assert_eq!(near, found, "{fen} {pieces:?} {rules:?}");
    }
    assert_eq!(searched[3], 12, "{pieces:?} {rules:?}: {searched:?}");
    assert_eq!(table.longest().is_some(), searched[..3].iter().any(|found| *found > 0));
}

const RULES: [(Rules, makruk::Rules); 3] = [
    (Rules::Makruk, makruk::Rules::Makruk),
    (Rules::Makpong, makruk::Rules::Makpong),
    (Rules::Asean, makruk::Rules::Asean),
];

#[test]
fn near_mates_by_one_piece() {
    for rules in RULES {
        for kind in [Kind::Rook, Kind::Khon] {
            check_table(rules, &[kind], 7);
        }
    }
    // In Makpong a lone knight or met mates: a king cannot step out of check.
    for kind in [Kind::Knight, Kind::Met] {
        check_table(RULES[1], &[kind], 7);
    }
}

#[test]
#[ignore = "tables of two pieces: make verify"]
fn near_mates_by_two_pieces() {
    for rules in RULES {
        for pieces in [[Kind::Rook, Kind::Met], [Kind::Khon, Kind::Khon], [Kind::Knight, Kind::Met]]
        {
            check_table(rules, &pieces, 211);
        }
    }
}
