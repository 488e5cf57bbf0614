//! The tables of `docs/reference/codec.md` as data, for the tests of the bytes and of their names.

use halfmove_rules::{
    Board, Chess, Color, File, Flaws, Makruk, Move, Piece, Rank, Role, Setup, Square, makruk,
};

pub(crate) const PAGE: &str = include_str!("../../../../../docs/reference/codec.md");

/// A line of the table of pieces.
struct Row {
    first: u8,
    last: u8,
    role: Role,
    /// The number of pieces of this role with lower numbers.
    before: usize,
    /// Files to the east, ranks to the opponent.
    steps: Vec<(i8, i8)>,
    /// The same in words.
    names: Vec<String>,
}

/// The cells of all table rows between a heading and the next one.
pub(crate) fn rows_under(heading: &str) -> Vec<Vec<String>> {
    let (_, rest) = PAGE.split_once(&format!("\n## {heading}\n")).expect(heading);
    let section = rest.split("\n## ").next().expect("a first part");
    section
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.strip_suffix('|'))
        .map(|line| line.split('|').map(|cell| cell.trim().to_owned()).collect())
        .collect()
}

pub(crate) fn hex(text: &str) -> u8 {
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

/// `NNE`, or `S1` to `S7`.
fn names(text: &str) -> Vec<String> {
    match text.strip_suffix("1…7") {
        Some(direction) => (1..=7).map(|distance| format!("{direction}{distance}")).collect(),
        None => vec![text.to_owned()],
    }
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
                names: cells[2].split(", ").flat_map(names).collect(),
            }
        })
        .collect()
}

fn shifted(from: Square, files: i8, ranks: i8) -> Option<Square> {
    let file = (from.file() as u8).checked_add_signed(files)?;
    let rank = (from.rank() as u8).checked_add_signed(ranks)?;
    Some(Square::new(*File::ALL.get(usize::from(file))?, *Rank::ALL.get(usize::from(rank))?))
}

/// Squares for the kings: some of them are out of the way.
const KINGS: [(Square, Square); 5] = [
    (Square::H1, Square::A8),
    (Square::A1, Square::H7),
    (Square::H5, Square::A5),
    (Square::D5, Square::B8),
    (Square::G6, Square::C2),
];

/// Positions with this piece, the right number of its kind on earlier squares, and a piece for a pawn to capture.
fn layouts(row: &Row, color: Color) -> Vec<(Chess, Square)> {
    let piece = Piece { color, role: row.role };
    let king = |color| Piece { color, role: Role::King };
    let is_last = |square: Square| matches!(square.rank(), Rank::First | Rank::Eighth);
    let empty: Setup = "8/8/8/8/8/8/8/8 w - - 0 1".parse().expect("an empty board");
    let mut found = Vec::new();
    for from in Square::ALL {
        let mut earlier: Vec<Square> = Square::ALL.into_iter().take(from.index()).collect();
        earlier.retain(|&square| row.role != Role::Pawn || !is_last(square));
        // The lowest squares, and those just before the piece: one of the two is out of the way.
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

/// A byte of the table, and a game whose last move it is.
pub(crate) struct Example {
    pub(crate) byte: u8,
    pub(crate) start: Chess,
    pub(crate) moves: Vec<Move>,
    /// The piece and the step in the words of the table.
    pub(crate) fields: String,
}

/// Each byte of the table, played by White and by Black.
pub(crate) fn every_byte() -> Vec<Example> {
    let rows = pieces();
    assert_eq!(rows.len(), 16);
    let (mut examples, mut next) = (Vec::new(), 0);
    for row in &rows {
        assert_eq!(row.first, next, "a gap in the table");
        assert_eq!(row.steps.len(), usize::from(row.last - row.first) + 1, "row {:02x}", row.first);
        next = row.last + 1;
        for color in Color::ALL {
            let layouts = layouts(row, color);
            for (byte, &step) in (row.first..=row.last).zip(&row.steps) {
                let (start, moves) = game_with(&layouts, color, step)
                    .unwrap_or_else(|| panic!("no game for {byte:02x} of {color}"));
                let number = rows.iter().filter(|other| other.first < row.first).count();
                let code = byte - row.first;
                let name = &row.names[usize::from(code)];
                let (role, from) = (row.role.name(), moves.last().expect("a move").from());
                let fields = format!("{role} {from}, {name} (piece {number}, code {code})");
                examples.push(Example { byte, start, moves, fields });
            }
        }
    }
    examples
}

/// Calls `visit` with a game of one byte for all bytes of Makruk, from every square, and with the move in the table of
/// the page and its fields, if that move is legal.
pub(crate) fn every_makruk_byte(mut visit: impl FnMut(&[u8], Option<(Move, String)>)) {
    let table = rows_under("The bytes of Makruk");
    let steps_of = |name: &str| {
        let row = table.iter().find(|cells| cells[0].starts_with(name)).expect(name);
        row[1].split(", ").map(str::to_owned).collect::<Vec<_>>()
    };
    for (name, role) in [
        ("bia", Role::Pawn),
        ("knight", Role::Knight),
        ("met", Role::Met),
        ("khon", Role::Khon),
        ("rook", Role::Rook),
        ("king", Role::King),
    ] {
        for color in Color::ALL {
            for from in Square::ALL {
                makruk_bytes((role, color, from), &steps_of(name), &mut visit);
            }
        }
    }
}

/// The bytes of a piece on a square; the enemy has bias or mets on all squares where a bia may capture.
fn makruk_bytes(
    (role, color, from): (Role, Color, Square),
    steps: &[String],
    visit: &mut impl FnMut(&[u8], Option<(Move, String)>),
) {
    let king = |color| Piece { color, role: Role::King };
    let corners = [Square::A1, Square::H1, Square::A8, Square::H8, Square::D4, Square::E5];
    for rules in makruk::Rules::ALL {
        let board = |own: Square, other: Square| {
            let mut board = Board::default();
            board.put(own, king(color));
            board.put(other, king(!color));
            board.put(from, Piece { color, role });
            if role == Role::Pawn {
                for to in [-1, 1].into_iter().filter_map(|file| shifted(from, file, forward(color)))
                {
                    if board.piece_at(to).is_none() {
                        board.put(to, Piece { color: !color, role: Role::Met });
                    }
                }
            }
            let setup = makruk::Setup {
                rules,
                board,
                promoted: halfmove_rules::Bitboard::EMPTY,
                side_to_move: color,
                counting: None,
                halfmove_clock: 0,
                fullmove_number: 1,
            };
            Makruk::from_setup(setup).ok()
        };
        let positions = corners.into_iter().flat_map(|own| {
            corners.into_iter().filter_map(move |other| {
                let own = if role == Role::King { from } else { own };
                (own != other && other != from && (own != from || role == Role::King))
                    .then(|| board(own, other))
                    .flatten()
            })
        });
        for position in positions.collect::<Vec<_>>() {
            // The number of the piece: the king of its side may come before or after it.
            let number = if role == Role::King { 15 } else { 0 };
            for code in 0..16u8 {
                let mut bytes = vec![0xe4, 0x10];
                bytes.extend(position.pack().expect("few pieces"));
                bytes.push(number << 4 | code);
                let step = steps.get(usize::from(code)).map(String::as_str);
                let expected = step.and_then(|step| move_of(&position, color, from, step));
                let legal = expected.filter(|mv| match step == Some(NULL_MOVE) {
                    true => !position.is_check(),
                    false => position.is_legal(*mv),
                });
                let name = if role == Role::Pawn { "bia" } else { role.name() };
                let fields =
                    |step: &str| format!("{name} {from}, {step} (piece {number}, code {code})");
                visit(&bytes, legal.zip(step.map(fields)));
            }
        }
    }
}

/// The last cell of the king of Makruk.
const NULL_MOVE: &str = "null move";

/// The move that a cell of the table of Makruk names: `NE`, `NE=R`, `rank 3`, `file c`.
fn move_of(position: &Makruk, color: Color, from: Square, step: &str) -> Option<Move> {
    if step == NULL_MOVE {
        return Some(Move::NULL);
    }
    if let Some(rank) = step.strip_prefix("rank ") {
        let rank: usize = rank.parse().expect("a rank");
        let rank = if color == Color::White { rank - 1 } else { 8 - rank };
        return Some(Move::normal(from, Square::new(from.file(), Rank::ALL[rank])));
    }
    if let Some(file) = step.strip_prefix("file ") {
        let file = File::from_letter(file.as_bytes()[0]).expect("a file");
        return Some(Move::normal(from, Square::new(file, from.rank())));
    }
    let (step, promotion) = step.split_once('=').unwrap_or((step, ""));
    let (files, ranks) = steps(step)[0];
    let to = shifted(from, files, ranks * forward(color))?;
    let is_bia = position.board().piece_at(from).is_some_and(|piece| piece.role == Role::Pawn);
    let relative = if color == Color::White { to.rank() as u8 } else { 7 - to.rank() as u8 };
    let promotes = relative >= if position.rules() == makruk::Rules::Asean { 7 } else { 5 };
    let role = match promotion {
        "" => Role::Met,
        "R" => Role::Rook,
        "S" => Role::Khon,
        "N" => Role::Knight,
        other => panic!("{other} is no promotion"),
    };
    match (is_bia && promotes, promotion) {
        (true, _) => Move::promote(from, to, role),
        (false, "") => Some(Move::normal(from, to)),
        (false, _) => None,
    }
}
