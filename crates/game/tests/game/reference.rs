//! The page on the byte code, `docs/reference/codec.md`, read by a program: its table of bytes and its test
//! vectors must match the code.

use halfmove_game::codec::halfmove::{self, VERSION};
use halfmove_game::codec::{DecodeError, DecodeErrorKind};
use halfmove_rules::{
    Board, Chess, Color, File, Flaws, Move, Piece, Rank, Role, Setup, Square, UciMove,
};

const PAGE: &str = include_str!("../../../../docs/reference/codec.md");

/// A line of the table of pieces.
struct Row {
    first: u8,
    last: u8,
    role: Role,
    /// How many pieces of this role have lower numbers.
    before: usize,
    /// Files to the east, ranks to the opponent.
    steps: Vec<(i8, i8)>,
}

/// The cells of all table rows between a heading and the next.
fn rows_under(heading: &str) -> Vec<Vec<String>> {
    let (_, rest) = PAGE.split_once(&format!("\n## {heading}\n")).expect(heading);
    let section = rest.split("\n## ").next().expect("a first part");
    section
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.strip_suffix('|'))
        .map(|line| line.split('|').map(|cell| cell.trim().to_owned()).collect())
        .collect()
}

fn hex(text: &str) -> u8 {
    u8::from_str_radix(text.trim_matches('`'), 16).unwrap_or_else(|_| panic!("{text} is no byte"))
}

/// `NNE`, `NW3`, `S1…7`.
fn steps(text: &str) -> Vec<(i8, i8)> {
    let letters: String = text.chars().take_while(char::is_ascii_alphabetic).collect();
    let times = match text[letters.len()..].split_once('…') {
        Some((from, to)) => from.parse().unwrap()..=to.parse().unwrap(),
        None => 1..=1,
    };
    let (mut files, mut ranks) = (0, 0);
    for letter in letters.chars() {
        match letter {
            'N' => ranks += 1,
            'E' => files += 1,
            'S' => ranks -= 1,
            'W' => files -= 1,
            other => panic!("{other} is no direction"),
        }
    }
    times.map(|times: i8| (files * times, ranks * times)).collect()
}

fn pieces() -> Vec<Row> {
    let first_number = [0, 8, 10, 12, 14, 15];
    rows_under("The bytes")
        .iter()
        .filter(|cells| cells.len() == 3 && cells[0].starts_with('`'))
        .map(|cells| {
            let (first, last) = cells[0].split_once('–').expect("a range");
            let (number, role) = cells[1].split_once(' ').expect("number and role");
            let role = match role {
                "pawn" => Role::Pawn,
                "knight" => Role::Knight,
                "bishop" => Role::Bishop,
                "rook" => Role::Rook,
                "queen" => Role::Queen,
                "king" => Role::King,
                other => panic!("{other} is no role"),
            };
            let number: usize = number.parse().unwrap();
            Row {
                first: hex(first),
                last: hex(last),
                role,
                before: number - first_number[role.index()],
                steps: cells[2].split(", ").flat_map(steps).collect(),
            }
        })
        .collect()
}

fn shifted(from: Square, files: i8, ranks: i8) -> Option<Square> {
    let file = (from.file() as u8).checked_add_signed(files)?;
    let rank = (from.rank() as u8).checked_add_signed(ranks)?;
    Some(Square::new(*File::ALL.get(usize::from(file))?, *Rank::ALL.get(usize::from(rank))?))
}

/// Squares to try for the kings: on some of them they are out of the way.
const KINGS: [(Square, Square); 5] = [
    (Square::H1, Square::A8),
    (Square::A1, Square::H7),
    (Square::H5, Square::A5),
    (Square::D5, Square::B8),
    (Square::G6, Square::C2),
];

/// Positions with this piece, the right number of its kind on earlier squares, and something for a pawn to capture.
fn layouts(row: &Row, color: Color) -> Vec<(Chess, Square)> {
    let piece = Piece { color, role: row.role };
    let king = |color| Piece { color, role: Role::King };
    let is_last = |square: Square| matches!(square.rank(), Rank::First | Rank::Eighth);
    let empty: Setup = "8/8/8/8/8/8/8/8 w - - 0 1".parse().expect("an empty board");
    let mut found = Vec::new();
    for from in Square::ALL {
        let mut earlier: Vec<Square> = Square::ALL.into_iter().take(from.index()).collect();
        earlier.retain(|&square| row.role != Role::Pawn || !is_last(square));
        // The lowest squares, and those just before: one of the two choices is out of the way.
        for _ in 0..2 {
            earlier.reverse();
            if earlier.len() < row.before {
                continue;
            }
            for (own, other) in KINGS {
                let mut board = Board::default();
                if row.role == Role::Pawn {
                    for to in
                        [-1, 1].into_iter().filter_map(|file| shifted(from, file, forward(color)))
                    {
                        board.put(to, Piece { color: !color, role: Role::Knight });
                    }
                }
                board.put(other, king(!color));
                if row.role != Role::King {
                    board.put(own, king(color));
                }
                board.put(from, piece);
                for &square in &earlier[..row.before] {
                    board.put(square, piece);
                }
                let setup = Setup { board, side_to_move: color, ..empty.clone() };
                found.extend(
                    Chess::from_setup(setup, Flaws::UNREACHABLE)
                        .ok()
                        .map(|position| (position, from)),
                );
            }
        }
    }
    found
}

fn forward(color: Color) -> i8 {
    if color == Color::White { 1 } else { -1 }
}

/// A game whose last move is this step of the piece: its first move, or its second if it cannot start on the
/// square from which it takes the step.
fn game_with(
    layouts: &[(Chess, Square)],
    color: Color,
    step: (i8, i8),
) -> Option<(Chess, Vec<Move>)> {
    let stepping = |position: &Chess, from| {
        let mv = Move::normal(from, shifted(from, step.0, step.1 * forward(color))?);
        position.is_legal(mv).then_some(mv)
    };
    let at_once = layouts
        .iter()
        .find_map(|(position, from)| Some((position.clone(), vec![stepping(position, *from)?])));
    at_once.or_else(|| {
        layouts.iter().find_map(|(position, from)| {
            let firsts = position.legal_moves();
            firsts.iter().filter(|first| first.from() == *from).find_map(|&first| {
                let between = position.play(first).ok()?;
                let reply = *between.legal_moves().first()?;
                let then = stepping(&between.play(reply).ok()?, first.to())?;
                Some((position.clone(), vec![first, reply, then]))
            })
        })
    })
}

#[test]
fn every_byte_of_the_table_is_that_move() {
    let rows = pieces();
    assert_eq!(rows.len(), 16);
    let mut next = 0;
    for row in &rows {
        assert_eq!(row.first, next, "a gap in the table");
        assert_eq!(row.steps.len(), usize::from(row.last - row.first) + 1, "row {:02x}", row.first);
        next = row.last + 1;
        for color in Color::ALL {
            let layouts = layouts(row, color);
            for (byte, &step) in (row.first..=row.last).zip(&row.steps) {
                let (start, moves) = game_with(&layouts, color, step)
                    .unwrap_or_else(|| panic!("no game for {byte:02x} of {color}"));
                let mut bytes = Vec::new();
                halfmove::encode(&start, &moves, &mut bytes);
                assert_eq!(bytes.last(), Some(&byte), "{start} {moves:?} {bytes:02x?}");
                assert_eq!(bytes.len(), 1 + moves.len(), "{start} {moves:?} {bytes:02x?}");
                assert_eq!(halfmove::decode(&start, &bytes), Ok(moves), "{start}");
            }
        }
    }
    assert_eq!(next, 0xe0);
}

#[test]
fn reserved_bytes_are_refused() {
    let rows = rows_under("The bytes");
    let row = rows.iter().find(|cells| cells[1].starts_with("reserved")).expect("a row");
    let (first, last) = row[0].split_once('–').expect("a range");
    assert_eq!((hex(first), hex(last)), (0xe4, 0xff));
    for byte in hex(first)..=hex(last) {
        let error = DecodeError { offset: 0, kind: DecodeErrorKind::Reserved(byte) };
        assert_eq!(halfmove::decode(&Chess::default(), &[byte]), Err(error));
    }
}

#[test]
fn test_vectors() {
    let vectors: Vec<_> =
        rows_under("Test vectors").into_iter().filter(|cells| !cells[0].contains("--")).collect();
    assert!(vectors.len() > 8, "{} vectors", vectors.len());
    for cells in vectors.iter().skip(1) {
        let [start, moves, bytes] = &cells[..] else { panic!("{cells:?}") };
        let start: Chess = match start.trim_matches('`') {
            "" => Chess::default(),
            fen => Chess::from_fen(fen, None).unwrap_or_else(|error| panic!("{fen}: {error}")),
        };
        let mut position = start.clone();
        let moves: Vec<Move> = moves
            .split_whitespace()
            .map(|text| {
                let mv = text.parse::<UciMove>().unwrap().resolve(&position).expect(text);
                position.play_unchecked(mv);
                mv
            })
            .collect();
        let expected: Vec<u8> = bytes.trim_matches('`').split_whitespace().map(hex).collect();
        let mut ours = Vec::new();
        halfmove::encode(&start, &moves, &mut ours);
        assert_eq!(ours, expected, "{cells:?} {ours:02x?}");
        assert_eq!(halfmove::decode(&start, &expected), Ok(moves), "{cells:?}");
    }
}

#[test]
fn the_page_is_about_this_version() {
    assert!(PAGE.contains(&format!("\nVersion {VERSION}. ")));
}
