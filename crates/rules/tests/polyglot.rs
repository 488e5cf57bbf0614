//! Opening books, compared with the entries that python-chess reads from them.

use crate::suites::{collection, position, shipped, table};
use halfmove_rules::polyglot::{Book, BookError};
use halfmove_rules::{Chess, Move, Role, Square, Zobrist};
use std::fs;

#[test]
fn a_book_as_python_chess_reads_it() {
    let bytes = fs::read(shipped("polyglot/book.bin")).unwrap();
    let book = Book::new(&bytes).unwrap();
    let (mut found, mut castlings, mut promotions) = (0, 0, 0);
    for row in table(&shipped("polyglot/book.tsv")) {
        let position = position(&row[0]);
        let moves: Vec<(Move, u16)> = book.moves(&position).map(|found| found.unwrap()).collect();
        let written = moves.iter().map(|(mv, weight)| {
            let san = position.san(*mv);
            format!("{}={weight}", san.trim_end_matches(['+', '#']))
        });
        let expected = row[1].split(' ').map(|entry| entry.replace(['+', '#'], ""));
        assert!(written.eq(expected), "{}: {moves:?}", row[0]);
        castlings += moves.iter().filter(|(mv, _)| mv.is_castle()).count();
        promotions += moves.iter().filter(|(mv, _)| mv.promotion().is_some()).count();
        found += moves.len();
    }
    assert_eq!(found, book.len());
    assert_eq!((castlings, promotions), (6, 7));
    for entry in book.entries() {
        assert_eq!(entry.learn, 7 * u32::from(entry.weight));
    }
    assert_eq!(book.entries_of(Zobrist(0)).len(), 0);
    assert_eq!(book.entries_of(Zobrist(u64::MAX)).len(), 0);
}

/// Every run of equal keys is found in full, wherever it is in the book.
#[test]
fn a_search_and_a_walk_find_the_same() {
    let bytes = fs::read(shipped("polyglot/book.bin")).unwrap();
    let book = Book::new(&bytes).unwrap();
    for entry in book.entries() {
        let walked: Vec<_> = book.entries().filter(|other| other.key == entry.key).collect();
        assert!(book.entries_of(entry.key).eq(walked));
        let between = Zobrist(entry.key.0 + 1);
        assert!(book.entries_of(between).eq(book.entries().filter(|other| other.key == between)));
    }
}

#[test]
fn invalid_books_are_rejected() {
    let bytes = fs::read(shipped("polyglot/book.bin")).unwrap();
    for length in [1, 15, 17] {
        let error = BookError::Length { found: length };
        assert_eq!(Book::new(&bytes[..length]), Err(error));
        assert!(error.to_string().contains("multiple of 16"));
    }
    assert!(Book::new(&[]).unwrap().is_empty());
    let mut turned = bytes.clone();
    turned[32] = 0;
    assert_eq!(Book::new(&turned).unwrap_err(), BookError::Unsorted { index: 2 });
    // A move that is not legal: the key of the start, from e2 to e5.
    let mut entry = Chess::default().zobrist().0.to_be_bytes().to_vec();
    entry.extend([0x03, 0x24, 0, 1, 0, 0, 0, 0]);
    let found = Book::new(&entry).unwrap().moves(&Chess::default()).next();
    assert_eq!(found.unwrap().unwrap_err().0, Move::normal(Square::E2, Square::E5));
    // From e7 to e8 with a queen: the error names the queen too.
    let mut promotion = entry.clone();
    promotion[8..10].copy_from_slice(&0x4d3c_u16.to_be_bytes());
    let found = Book::new(&promotion).unwrap().moves(&Chess::default()).next();
    let expected = Move::promote(Square::E7, Square::E8, Role::Queen);
    assert_eq!(Some(found.unwrap().unwrap_err().0), expected);
    // Numbers beyond the queen's are not promotions.
    entry[8] = 0x73;
    let found = Book::new(&entry).unwrap().entries().next().unwrap().mv;
    assert_eq!(found.promotion, None::<Role>);
}

#[test]
#[ignore = "reads suites/polyglot: make verify"]
fn books_of_others_hold_legal_moves() {
    let bytes = fs::read(collection("suites/polyglot/performance.bin")).unwrap();
    let book = Book::new(&bytes).unwrap();
    // Every book move in a position that book moves can reach is legal.
    let (mut seen, mut ahead) = (0, vec![(Chess::default(), 0)]);
    while let Some((position, ply)) = ahead.pop() {
        for found in book.moves(&position) {
            let (mv, _) = found.unwrap_or_else(|error| panic!("{position}: {error}"));
            seen += 1;
            if ply < 16 {
                ahead.push((position.play(mv).unwrap(), ply + 1));
            }
        }
    }
    // As many as python-chess 1.11.2 finds.
    assert_eq!(seen, 6_158);
}

/// The key of a book includes a capture that a pin forbids, as python-chess computes it for
/// `4k3/8/8/8/3Pp3/8/8/K3R3 b - d3 0 1`. The move is Kd8.
#[test]
fn a_book_includes_a_forbidden_capture() {
    let before = position("4k3/8/8/8/4p3/8/3P4/K3R3 w - - 0 1");
    let after = before.play(before.parse_san("d4").unwrap()).unwrap();
    let stated = position("4k3/8/8/8/3Pp3/8/8/K3R3 b - d3 0 1");
    let mut book = 0x4176_920b_68c3_81a2_u64.to_be_bytes().to_vec();
    book.extend([0x0f, 0x3b, 0, 1, 0, 0, 0, 0]);
    let book = Book::new(&book).unwrap();
    for position in [after, stated] {
        let moves: Vec<_> = book.moves(&position).map(|found| found.unwrap()).collect();
        assert_eq!(moves, [(Move::normal(Square::E8, Square::D8), 1)]);
    }
    assert_eq!(book.moves(&position("4k3/8/8/8/3Pp3/8/8/K3R3 b - - 0 1")).count(), 0);
}
