//! Static exchange evaluation against published values and against playing the captures.

use crate::suites::{position, shipped, table};
use halfmove_rules::{Chess, EXCHANGE_VALUES, Move, Piece, Role, San, Square};

/// The values that the literature assumes: a knight is worth as much as a bishop.
const VALUES: [i32; 8] = [100, 325, 325, 500, 1_000, 0, 0, 0];

/// A value such as `B-P`, given by the letters of the pieces.
fn worth(text: &str) -> i32 {
    let mut sign = 1;
    let mut sum = 0;
    for letter in text.bytes() {
        match letter {
            b'-' => sign = -1,
            b'+' => sign = 1,
            b'0' => {}
            _ => sum += sign * VALUES[Role::from_letter(letter).unwrap().index()],
        }
    }
    sum
}

#[test]
fn values_from_the_literature() {
    let mut cases: Vec<(String, String, i32)> = table(&shipped("see/arasan.tsv"))
        .into_iter()
        .map(|row| (row[0].clone(), row[1].clone(), worth(&row[2])))
        .collect();
    assert_eq!(cases.len(), 22);
    // The two examples of the Chess Programming Wiki.
    for (fen, san, expected) in [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -", "Rxe5", 100),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -", "Nxe5", -225),
    ] {
        cases.push((fen.to_owned(), san.to_owned(), expected));
    }
    for (fen, san, expected) in cases {
        let position = position(&fen);
        let mv = San::parse(san.as_bytes()).unwrap().resolve(&position).unwrap();
        assert_eq!(position.see(mv, &VALUES), expected, "{fen} {san}");
        assert!(position.see_at_least(mv, expected, &VALUES), "{fen} {san}");
        assert!(!position.see_at_least(mv, expected + 1, &VALUES), "{fen} {san}");
    }
}

/// The value of the pieces of the side to move minus that of the other side's.
fn balance(position: &Chess) -> i32 {
    let value = |(_, piece): (Square, Piece)| {
        let value = EXCHANGE_VALUES[piece.role.index()];
        if piece.color == position.side_to_move() { value } else { -value }
    };
    position.board().pieces().map(value).sum()
}

/// The worth of a move if both sides then play legal captures on its square, or stop, each with its least
/// valuable piece; `None` if a capturing piece uncovers a check, which rules out replies that the exchange
/// evaluation considers.
fn worth_by_playing(position: &Chess, mv: Move) -> Option<i32> {
    let square = mv.to();
    let after = position.play(mv).unwrap();
    if !after.checkers().is_subset(square.into()) {
        return None;
    }
    let takes = after.legal_moves().into_iter();
    let takes = takes.filter(|mv| mv.to() == square && !mv.is_castle());
    let value = |mv: &Move| EXCHANGE_VALUES[after.board().role_at(mv.from()).unwrap().index()];
    // The least valuable piece, the first if there are several; a promoting pawn has four moves.
    let least = takes.clone().min_by_key(|mv| (value(mv), mv.from()));
    let mut best = 0;
    for mv in takes.filter(|mv| Some(mv.from()) == least.map(Move::from)) {
        best = best.max(worth_by_playing(&after, mv)?);
    }
    Some(-balance(&after) - balance(position) - best)
}

/// Any values will do, even a queen that is worth less than a pawn.
#[test]
fn a_threshold_is_a_question_about_the_worth() {
    let odd = [
        [100, 320, 330, 500, 90, 20_000, 0, 0],
        [100, 100, 100, 100, 100, 100, 0, 0],
        [-50, 320, -330, 500, 10, 0, 0, 0],
    ];
    let fen = "8/n2n3K/8/1p1k4/1P5p/7P/7B/3r4 w - - 3 99";
    let rows = table(&shipped("movegen/tricky.tsv")).into_iter().map(|row| row[0].clone());
    for fen in [fen.to_owned()].into_iter().chain(rows) {
        let position = position(&fen);
        for (mv, values) in position.legal_moves().into_iter().flat_map(|mv| odd.map(|v| (mv, v))) {
            let worth = position.see(mv, &values);
            for threshold in [worth - 1, worth, worth + 1, worth + 10, worth - 10, 0] {
                let at_least = position.see_at_least(mv, threshold, &values);
                assert_eq!(at_least, worth >= threshold, "{position} {mv} {threshold}");
            }
        }
    }
}

#[test]
fn values_from_playing() {
    let (mut captures, mut compared, mut left_out) = (0, 0, 0);
    for name in
        ["movegen/real", "movegen/tricky", "movegen/chess960", "perft/standard", "perft/chess960"]
    {
        for row in table(&shipped(&format!("{name}.tsv"))) {
            let position = position(&row[0]);
            for mv in position.legal_moves() {
                let worth = position.see(mv, &EXCHANGE_VALUES);
                for threshold in [worth - 1, worth, worth + 1, -500, -100, 0, 1, 100, 300] {
                    let at_least = position.see_at_least(mv, threshold, &EXCHANGE_VALUES);
                    assert_eq!(at_least, worth >= threshold, "{position} {mv:?} {threshold}");
                }
                if mv.is_castle() {
                    assert_eq!(worth, 0, "{position} {mv:?}");
                    continue;
                }
                let Some(expected) = worth_by_playing(&position, mv) else {
                    left_out += 1;
                    continue;
                };
                assert_eq!(worth, expected, "{position} {mv:?}");
                compared += 1;
                captures += usize::from(position.board().occupied().has(mv.to()));
            }
        }
    }
    assert!(captures > 10_000, "{captures} captures");
    assert!(100 * left_out < compared, "{left_out} moves left out, {compared} compared");
}
