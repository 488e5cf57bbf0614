//! The tables of distances to mate, compared with a search that does not use them, and with chess.

use super::position;
use halfmove_rules::makruk::{Counting, Dialect, Honor, Rules, Setup};
use halfmove_rules::{
    Chess, Color, Makruk, MateTable, MateTableError, Outcome, Piece, Position, Role, Square,
    Variant,
};

/// Returns true if the side to move can mate in this many moves, by trying everything.
fn mates_within<P: Position>(position: &P, moves: u32) -> bool {
    moves > 0
        && position.legal_moves().iter().any(|&mv| {
            let next = position.play(mv).unwrap();
            is_mated_within(&next, moves - 1)
        })
}

/// Returns true if the side to move is mated, or will be after any reply.
fn is_mated_within<P: Position>(position: &P, moves: u32) -> bool {
    let replies = position.legal_moves();
    if replies.is_empty() {
        return position.is_check();
    }
    moves > 0 && replies.iter().all(|&mv| mates_within(&position.play(mv).unwrap(), moves))
}

/// Many positions of a king and these pieces against a bare king, of either color, either to move.
fn chases(rules: Rules, pieces: &[Role], step: usize) -> impl Iterator<Item = Makruk> {
    let places = 64_usize.pow(pieces.len() as u32 + 2);
    (0..places).step_by(step).filter_map(move |place| {
        let square = |i: usize| Square::ALL[place >> (6 * i) & 63];
        let chaser = if place % 3 == 0 { Color::Black } else { Color::White };
        let mut setup: Setup = "8/8/8/8/8/8/8/8 w - - 0 1".parse().unwrap();
        setup.rules = rules;
        setup.side_to_move = if place % 2 == 0 { chaser } else { !chaser };
        let roles = pieces.iter().map(|role| (chaser, *role));
        let kings = [(chaser, Role::King), (!chaser, Role::King)];
        for (i, (color, role)) in kings.into_iter().chain(roles).enumerate() {
            if setup.board.occupied().has(square(i)) {
                return None;
            }
            setup.board.put(square(i), Piece { color, role });
        }
        Makruk::from_setup(setup).ok()
    })
}

/// Compares the table with a search of three moves: at every `step`-th position, and fifty times as densely
/// where the table gives a near mate, since those are rare.
fn compare_with_search(rules: Rules, pieces: &[Role], step: usize) {
    let table = MateTable::compute(rules, pieces).unwrap();
    let mut counts = [0; 2];
    for (i, position) in chases(rules, pieces, step.div_ceil(50)).enumerate() {
        let table_mate = table.mate_in(&position).unwrap().filter(|moves| *moves <= 2);
        if table_mate.is_none() && i % 50 != 0 {
            continue;
        }
        let chaser_moves = position.board().by_color(position.side_to_move()).len() > 1;
        let search = if chaser_moves { mates_within } else { is_mated_within };
        let found = (0..=2).find(|moves| search(&position, *moves)).map(|moves| moves as u16);
        assert_eq!(table_mate, found, "{position} {pieces:?}");
        counts[usize::from(found.is_some())] += 1;
    }
    let can_mate = table.longest().is_some();
    assert!(counts[0] > 10 && (counts[1] > 0) == can_mate, "{rules} {pieces:?}: {counts:?}");
}

#[test]
fn near_mates_are_those_that_a_search_finds() {
    for rules in Rules::ALL {
        compare_with_search(rules, &[Role::Rook], 37);
        compare_with_search(rules, &[Role::Khon], 23);
        compare_with_search(rules, &[Role::Knight], 101);
    }
}

#[test]
#[ignore = "all pairs of pieces: make verify"]
fn near_mates_of_all_pairs() {
    let pieces = [Role::Rook, Role::Khon, Role::Knight, Role::Met];
    for (i, a) in pieces.into_iter().enumerate() {
        for b in &pieces[i..] {
            compare_with_search(Rules::Makruk, &[a, *b], 20_011);
        }
        compare_with_search(Rules::Makpong, &[a, Role::Khon], 20_011);
    }
}

/// King and rook have the same moves in chess; there the longest mates are known.
#[test]
fn rooks_mate_as_in_chess() {
    let longest = |pieces: &[Role]| MateTable::compute(Rules::Makruk, pieces).unwrap().longest();
    assert_eq!(longest(&[Role::Rook]), Some(16));
    assert_eq!(longest(&[Role::Knight]), None);
    assert_eq!(longest(&[Role::Met]), None);
}

#[test]
#[ignore = "a table of two pieces: make verify"]
fn two_rooks_mate_as_in_chess() {
    let pieces = [Role::Rook, Role::Rook];
    assert_eq!(MateTable::compute(Rules::Makruk, &pieces).unwrap().longest(), Some(7));
}

/// Following the table mates on the move that it gives, against every defense that holds out longest.
fn follow(pieces: &[Role], step: usize) {
    let table = MateTable::compute(Rules::Makruk, pieces).unwrap();
    let mut longest = 0;
    for start in chases(Rules::Makruk, pieces, step) {
        let Some(expected) = table.mate_in(&start).unwrap() else { continue };
        let mut position = start.clone();
        let mut moves = 0;
        while position.outcome().is_none() {
            let chaser_moves = position.board().by_color(position.side_to_move()).len() > 1;
            moves += u16::from(chaser_moves);
            let next = position.legal_moves().into_iter().map(|mv| {
                let next = position.play(mv).unwrap();
                // The king may capture a piece: what is left is in another table.
                let left = table.mate_in(&next).ok().flatten();
                (left, next)
            });
            let next = if chaser_moves {
                next.filter(|(left, _)| left.is_some()).min_by_key(|(left, _)| *left)
            } else {
                next.max_by_key(|(left, _)| left.unwrap_or(u16::MAX))
            };
            position = next.unwrap().1;
            // This test looks at distances only, not at counts.
            let mut setup = position.to_setup();
            setup.counting = None;
            position = Makruk::from_setup(setup).unwrap();
        }
        assert!(matches!(position.outcome(), Some(Outcome::Checkmate { .. })), "{start}");
        assert_eq!(moves, expected, "{start}");
        longest = longest.max(moves);
    }
    assert!(longest > 0, "nothing was won");
}

#[test]
fn the_shortest_way_is_as_long_as_the_table_says() {
    follow(&[Role::Rook], 1_009);
    follow(&[Role::Khon], 101);
}

#[test]
#[ignore = "tables of two pieces: make verify"]
fn the_shortest_way_with_two_pieces() {
    follow(&[Role::Khon, Role::Khon], 100_003);
    follow(&[Role::Knight, Role::Met], 100_003);
}

#[test]
fn a_win_in_time() {
    let table = MateTable::compute(Rules::Makruk, &[Role::Rook]).unwrap();
    // Mate in two: it is in time at the third-last number, but not at the last.
    for (ply, in_time) in [(27, true), (29, true), (31, false)] {
        let position = position(&format!("7k/8/5K2/8/8/8/8/R7 w - 32 {ply} 90"));
        assert_eq!(table.mate_in(&position), Ok(Some(2)));
        assert_eq!(position.win_in_time(&table), Ok(in_time), "{ply}");
    }
    // Fifteen has been announced and the bare king is to move: Ka8 allows Rh8 mate, Kb8 and Kb7 do not.
    let last = position("k7/8/1K6/8/8/8/8/7R b - 32 30 90");
    assert_eq!((table.mate_in(&last), last.win_in_time(&table)), (Ok(Some(1)), Ok(true)));
    let far = position("8/k7/8/1K6/8/8/8/7R b - 32 30 90");
    assert_eq!(far.win_in_time(&table), Ok(false));
    assert!(!is_mated_within(&far, 1), "a search says the same");
}

/// A double check in Makpong is mate, even where the king could take a checker.
#[test]
fn a_double_check_mates_in_makpong() {
    let position = |rules| {
        let setup = Setup::parse("3R3K/8/8/4M3/3k4/8/8/8 b - - 0 1", rules, Dialect::Fairy);
        Makruk::from_setup(setup.unwrap()).unwrap()
    };
    let table = MateTable::compute(Rules::Makpong, &[Role::Rook, Role::Met]).unwrap();
    assert_eq!(table.mate_in(&position(Rules::Makpong)), Ok(Some(0)));
    assert!(!position(Rules::Makruk).legal_moves().is_empty());
}

/// The longest mates of chess are known from books.
#[test]
fn mates_of_chess() {
    let longest = |pieces: &[Role]| MateTable::compute(Variant::Chess, pieces).unwrap().longest();
    assert_eq!(longest(&[Role::Queen]), Some(10));
    assert_eq!(longest(&[Role::Bishop]), None);
    assert_eq!(longest(&[Role::Knight]), None);
    let table = MateTable::compute(Variant::Chess960, &[Role::Knight, Role::Bishop]).unwrap();
    assert_eq!(table.longest(), Some(33));
    // Positions with the bare king at the edge, of either color, compared with a search.
    let (mut near, mut far) = (0, 0);
    for place in (0..64_usize.pow(4)).step_by(1_009) {
        let [bare, king, bishop, knight] =
            [0, 6, 12, 18].map(|shift| Square::ALL[place >> shift & 63]);
        let color = if place % 3 == 0 { Color::Black } else { Color::White };
        let mut setup = Chess::default().to_setup();
        setup.board = halfmove_rules::Board::default();
        setup.castling = halfmove_rules::CastlingRights::NONE;
        setup.side_to_move = if place % 2 == 0 { color } else { !color };
        let roles = [(bare, !color, Role::King), (king, color, Role::King)];
        let others = [(bishop, color, Role::Bishop), (knight, color, Role::Knight)];
        for (square, color, role) in roles.into_iter().chain(others) {
            setup.board.put(square, Piece { color, role });
        }
        let is_whole = setup.board.occupied().len() == 4;
        let position = Chess::from_setup(setup, halfmove_rules::Flaws::UNREACHABLE);
        let Some(position) = position.ok().filter(|_| is_whole) else { continue };
        let listed = table.mate_in(&position).unwrap();
        let is_near = listed.is_some_and(|moves| moves <= 2);
        if !is_near && place % 11 != 0 {
            continue;
        }
        let search = if position.side_to_move() == color { mates_within } else { is_mated_within };
        let found = (0..=2).find(|moves| search(&position, *moves)).map(|moves| moves as u16);
        assert_eq!(listed.filter(|_| is_near), found, "{position}");
        if is_near { near += 1 } else { far += 1 }
    }
    assert!(near > 3 && far > 100, "{near} {far}");
    let rook = MateTable::compute(Variant::Chess, &[Role::Rook]).map(|_| ());
    assert_eq!(rook, Err(MateTableError::Role(Role::Rook)), "it may castle");
    assert_eq!(table.mate_in(&Chess::default()), Err(MateTableError::OtherPosition));
    assert_eq!(table.mate_in(&Makruk::default()), Err(MateTableError::OtherPosition));
}

#[test]
fn positions_that_are_not_in_a_table() {
    let compute = |pieces: &[Role]| MateTable::compute(Rules::Makruk, pieces).map(|_| ());
    assert_eq!(compute(&[]), Err(MateTableError::Pieces(0)));
    assert_eq!(compute(&[Role::Rook; 3]), Err(MateTableError::Pieces(3)));
    assert_eq!(compute(&[Role::Pawn]), Err(MateTableError::Role(Role::Pawn)));
    let table = MateTable::compute(Rules::Makruk, &[Role::Rook]).unwrap();
    for fen in [
        "7k/8/8/8/8/8/8/K1SR4 w - - 0 1",
        "7k/8/8/8/8/8/8/K1S5 w - - 0 1",
        "7k/8/8/8/8/8/8/K7 w - - 0 1",
        "7k/6n1/8/8/8/8/8/K2R4 w - - 0 1",
    ] {
        assert_eq!(table.mate_in(&position(fen)), Err(MateTableError::OtherPosition), "{fen}");
    }
}

#[test]
fn a_table_is_of_one_game() {
    for rules in Rules::ALL {
        let table = MateTable::compute(rules, &[Role::Rook]).unwrap();
        for other in Rules::ALL {
            let setup = Setup::parse("7k/8/5K2/8/8/8/8/R7 w - - 0 1", other, Dialect::Fairy);
            let position = Makruk::from_setup(setup.unwrap()).unwrap();
            // The king of Makpong may not step out of check.
            let moves = if rules == Rules::Makpong { 1 } else { 2 };
            let expected = (other == rules).then_some(Some(moves));
            let expected = expected.ok_or(MateTableError::OtherPosition);
            assert_eq!(table.mate_in(&position), expected, "{other:?} in a table of {rules:?}");
        }
    }
}

/// After 63 numbers one move is left, and mate takes two.
#[test]
fn board_honor_limits_no_win() {
    let table = MateTable::compute(Rules::Makruk, &[Role::Rook]).unwrap();
    for (honor, in_time) in [(Honor::Pieces, false), (Honor::Board, true)] {
        let mut setup = position("7k/8/5K2/8/8/8/8/R7 w - - 0 1").to_setup();
        setup.counting = Counting::new(honor, Color::Black, 64, 127);
        let position = Makruk::from_setup(setup).unwrap();
        assert_eq!(position.counting().map(|count| count.chaser_moves_left()), Some(1));
        assert_eq!(position.win_in_time(&table), Ok(in_time), "{honor}");
    }
}
