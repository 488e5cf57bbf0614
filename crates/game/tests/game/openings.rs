//! Openings: the list with itself, games with python-chess and with plain loops over positions.

use std::collections::HashMap;
use std::fs;

use halfmove_game::codec::halfmove;
use halfmove_game::openings::{self, EcoCodes, EcoError, Opening};
use halfmove_game::pgn::{GameReader, Reading, read_game};
use halfmove_game::{Game, Input};
use halfmove_rules::{AnyPosition, Chess, EnPassantMode, Move};

use crate::codec::{Line, lines, random, random_lines};
use crate::data::testdata;

/// The rows of the list: code, name, moves.
fn rows() -> Vec<[String; 3]> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data/openings");
    let volumes = ["a", "b", "c", "d", "e"].map(|volume| {
        fs::read_to_string(folder.join(format!("{volume}.tsv"))).expect("a volume of the list")
    });
    let rows = volumes.iter().flat_map(|text| text.lines().skip(1));
    let fields = |row: &str| row.split('\t').map(str::to_owned).collect::<Vec<_>>();
    rows.map(|row| fields(row).try_into().expect("three fields")).collect()
}

fn game(moves: &str) -> Game {
    read_game(format!("{moves} *")).expect("a game")
}

fn encode(game: &Game) -> Vec<u8> {
    let mut bytes = Vec::new();
    halfmove::encode_moves(&game.start, &game.moves, &mut bytes).expect("bytes");
    bytes
}

fn of(moves: &str) -> Option<&'static Opening> {
    openings::of_game(&encode(&game(moves))).expect("bytes of a game")
}

fn name(moves: &str) -> String {
    of(moves).map_or_else(String::new, ToString::to_string)
}

/// The parts that make a position, as text.
fn fields(position: &Chess) -> String {
    let fen = position.to_setup_as(EnPassantMode::Legal).to_string();
    fen.rsplitn(3, ' ').last().expect("fields").to_owned()
}

/// The opening of a line, found by testing all its positions.
fn slow(line: &Line, listed: &HashMap<String, usize>) -> Option<usize> {
    let usual = fields(&Chess::default());
    let positions = line.positions();
    let positions = positions.iter().map(|position| position.as_chess().map(fields));
    let positions: Option<Vec<String>> = positions.collect();
    let positions = positions.filter(|positions| positions[0] == usual)?;
    positions.iter().rev().find_map(|position| listed.get(position)).copied()
}

/// The positions of the list, with the index of the first line that leads to each.
fn listed() -> HashMap<String, usize> {
    let mut listed = HashMap::new();
    for (index, [.., moves]) in rows().iter().enumerate() {
        let game = game(moves);
        let position = game.position(game.moves.len());
        listed.entry(fields(position.as_chess().expect("chess"))).or_insert(index);
    }
    listed
}

#[test]
fn every_line_of_the_list_has_its_own_name() {
    let rows = rows();
    assert_eq!((rows.len(), openings::all().len()), (3_807, 3_807));
    for (index, [eco, name, moves]) in rows.iter().enumerate() {
        let game = game(moves);
        let opening = of(moves).expect("an opening");
        assert_eq!([opening.eco(), opening.name(), opening.moves()], [eco, name, moves]);
        assert_eq!(opening.index(), index);
        assert_eq!(&openings::all()[index], opening);
        assert_eq!(openings::of_moves(&Chess::default(), &game.moves), Some(opening), "{moves}");
        let end = game.position(game.moves.len());
        assert_eq!(openings::of_position(end.as_chess().expect("chess")), Some(opening));
    }
    assert_eq!(listed().len(), rows.len(), "no two lines lead to one position");
}

/// All games of some files, as bytes.
fn read(file: &str) -> Vec<Vec<u8>> {
    let mut reader = GameReader::new(Input::open(testdata().join(file)).expect("a file"));
    let (mut games, mut game, mut bytes) = (Vec::new(), Game::default(), Vec::new());
    while let Some(reading) = reader.read_with_bytes(&mut game, &mut bytes).expect("readable") {
        assert!(!matches!(reading, Reading::Skipped(_)), "{file}");
        games.push(bytes.clone());
    }
    games
}

#[test]
fn openings_of_real_games_match_python_chess() {
    for (games, answers, all, named) in [
        ("games/masters.pgn.zst", "expected/openings_masters.tsv", 5_204, 5_204),
        ("games/lichess.pgn.zst", "expected/openings_lichess.tsv", 437, 432),
    ] {
        let games = read(games);
        let text = fs::read_to_string(testdata().join(answers)).expect("answers");
        let mut counts = [0, 0];
        for row in text.lines().skip(1) {
            let row: Vec<usize> =
                row.split('\t').map(|cell| cell.parse().expect("a number")).collect();
            let [number, ply, line] = row[..] else { panic!("{row:?}") };
            let bytes = &games[number - 1];
            let opening = openings::of_game(bytes).expect("bytes of a game");
            assert_eq!(opening.map_or(0, |opening| opening.index() + 1), line, "game {number}");
            // The beginning of the game up to there has the same opening.
            let mut game = Game::default();
            let _ = halfmove::decode_moves(bytes, &mut game.moves).expect("a game");
            game.moves.truncate(ply);
            assert_eq!(openings::of_moves(&Chess::default(), &game.moves), opening);
            counts[0] += 1;
            counts[1] += usize::from(line > 0);
        }
        assert_eq!(counts, [all, named], "{answers}");
    }
}

/// Games of chess, Chess960 and Makruk, from all kinds of starts, and random ones.
#[test]
fn openings_of_games_match_all_their_positions() {
    let listed = listed();
    let (mut named, mut elsewhere) = (0, 0);
    for line in lines().iter().chain(&random_lines()) {
        let found = openings::of_game(&line.encode()).expect("bytes of a game");
        let expected = slow(line, &listed);
        assert_eq!(found.map(Opening::index), expected, "{}", line.name);
        let AnyPosition::Chess(start) = &line.start else { continue };
        assert_eq!(openings::of_moves(start, &line.moves), found, "{}", line.name);
        named += usize::from(expected.is_some());
        elsewhere += usize::from(expected.is_none());
    }
    assert!(named > 400 && elsewhere > 80, "{named} openings, {elsewhere} games without one");
}

/// The moves of each side of a line in another order, if they are legal and lead to the same position.
fn transposed(moves: &[Move], random: &mut impl FnMut() -> u64) -> Option<Vec<Move>> {
    let mut order: Vec<usize> = (0..moves.len()).collect();
    for index in (2..order.len()).rev() {
        // Another move of the same side.
        let other = index % 2 + 2 * (random() as usize % (index / 2 + 1));
        order.swap(index, other);
    }
    let mut position = Chess::default();
    let mut played = Vec::new();
    for index in order {
        position = position.play(moves[index]).ok()?;
        played.push(moves[index]);
    }
    (played != moves).then_some(played)
}

#[test]
fn openings_do_not_depend_on_the_order_of_moves() {
    let mut random = random();
    let (mut same, mut others) = (0, 0);
    for [_, name, moves] in rows() {
        let original = game(&moves);
        let end = original.position(original.moves.len());
        for _ in 0..20 {
            let Some(moves) = transposed(&original.moves, &mut random) else { continue };
            let mut other = Game { moves, ..Game::default() };
            let opening = openings::of_game(&encode(&other)).expect("bytes");
            assert_eq!(opening, openings::of_moves(&Chess::default(), &other.moves));
            if other.position(other.moves.len()) == end {
                assert_eq!(
                    opening.map(Opening::name),
                    Some(&*name),
                    "{moves:?}",
                    moves = other.moves
                );
                same += 1;
            } else {
                // En passant, or a piece that could go to either of two squares.
                others += 1;
            }
            other.moves.clear();
        }
    }
    assert!(same > 10_000 && others > 20, "{same} transpositions, {others} other positions");
}

#[test]
fn orders_of_moves_that_players_know() {
    for (moves, expected) in [
        (
            "1. Nf3 d5 2. d4 Nf6 3. c4 e6 4. Nc3",
            "D37 Queen's Gambit Declined: Three Knights Variation",
        ),
        (
            "1. c4 e6 2. Nc3 d5 3. d4 Nf6 4. Nf3",
            "D37 Queen's Gambit Declined: Three Knights Variation",
        ),
        (
            "1. Nf3 c5 2. e4 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6",
            "B90 Sicilian Defense: Najdorf Variation",
        ),
        ("1. d4 g6 2. e4 Bg7 3. c4 d6 4. Nc3 Nf6", "E70 King's Indian Defense: Normal Variation"),
        (
            "1. d4 e6 2. e4 d5 3. e5 c5 4. c3 Nc6 5. Nf3",
            "C02 French Defense: Advance Variation, Paulsen Attack",
        ),
        // Bishops that take two moves for one.
        ("1. e4 e5 2. Be2 Be7 3. Bc4 Bc5", "C23 Bishop's Opening: Boi Variation"),
    ] {
        assert_eq!(name(moves), expected, "{moves}");
    }
}

#[test]
fn parts_of_a_position_other_than_pieces() {
    // After 2... d5, the pawn can be captured en passant; after 2... e6, it cannot.
    let open = "1. e4 e6 2. e5 d5";
    let closed = "1. e4 d5 2. e5 e6";
    assert_eq!(openings::of_moves(&Chess::default(), &game(closed).moves), of(closed));
    assert_eq!(fields(game(open).position(4).as_chess().unwrap()).split(' ').nth(3), Some("d6"));
    // A king that returns has lost its rights: not the King's Pawn Game any more.
    assert_eq!(name("1. e4 e5"), "C20 King's Pawn Game");
    assert_eq!(name("1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8"), name("1. e4 e5 2. Ke2"));
    assert_ne!(name("1. e4 e5 2. Ke2"), name("1. e4 e5"));
    // Knights that return leave no trace.
    let knights = "1. Nf3 Nf6 2. Ng1 Ng8 3. e4 e5";
    assert_eq!(name(knights), "C20 King's Pawn Game");
    // Even late in the game.
    let mut late = Game::default();
    let there_and_back = game("1. Nf3 Nf6 2. Ng1 Ng8").moves;
    for _ in 0..500 {
        late.moves.extend(&there_and_back);
    }
    late.moves.extend(game("1. e4 e5").moves);
    let opening = openings::of_game(&encode(&late)).expect("bytes").expect("an opening");
    assert_eq!(opening.name(), "King's Pawn Game");
}

#[test]
fn games_without_an_opening() {
    assert_eq!(openings::of_game(&[]).expect("no move"), None);
    assert_eq!(openings::of_position(&Chess::default()), None);
    for text in [
        // From a listed position, and from an unlisted one.
        "[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"]\n\n1... e5 *",
        "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *",
        "[Variant \"Chess960\"]\n[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\"]\n\n1. e4 e5 *",
        "[Variant \"Makruk\"]\n\n1. e4 e5 *",
        "[Variant \"ASEAN\"]\n\n1. e4 e5 *",
    ] {
        let game = read_game(text).expect("a game");
        assert!(!game.moves.is_empty());
        assert_eq!(openings::of_game(&encode(&game)).expect("bytes"), None, "{text}");
    }
    // The standard starting position in other forms.
    for text in [
        "[Variant \"Chess960\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n1. e4 c5 *",
        "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 7\"]\n\n7. e4 c5 *",
    ] {
        let game = read_game(text).expect("a game");
        let opening = openings::of_game(&encode(&game)).expect("bytes").expect("an opening");
        assert_eq!(opening.to_string(), "B20 Sicilian Defense");
    }
}

#[test]
fn bytes_without_a_game() {
    let error = openings::of_game(&[0xff]).expect_err("no code");
    assert_eq!(error.to_string(), "byte 0: 0xff is not a code of this version");
    assert!(openings::of_game(&[0xe4, 0x77]).is_err());
}

#[test]
fn names_are_a_tree() {
    let mut families = HashMap::<&str, usize>::new();
    for opening in openings::all() {
        let parts: Vec<&str> = opening.parts().collect();
        assert!(parts.iter().all(|part| !part.is_empty() && *part == part.trim()), "{opening}");
        *families.entry(parts[0]).or_default() += 1;
        // The name is below each of its beginnings that end at a part.
        for (at, _) in opening.name().match_indices([':', ',']) {
            assert!(opening.is_below(&opening.name()[..at]), "{opening}");
        }
        assert!(opening.is_below(opening.name()));
    }
    for family in ["Sicilian Defense", "Ruy Lopez", "King's Indian Defense"] {
        let below: Vec<_> = openings::below(family).collect();
        assert_eq!(below.len(), families[family], "{family}");
        assert!(below.len() > 60, "{family}");
    }
    assert_eq!(openings::below("Sicilian Def").count(), 0);
    assert_eq!(openings::below("King's Gambit").count(), families["King's Gambit"]);
    assert!(openings::below("King's Gambit").all(|opening| !opening.name().contains("Accepted")));
}

#[test]
fn codes_and_ranges() {
    let codes = |text: &str| text.parse::<EcoCodes>();
    for (text, shown, inside, outside) in [
        (
            "B90",
            "B90",
            vec!["B90", "b90", "B90k", "B90/04", " B90"],
            vec!["B9", "B91", "B900", "", "C90"],
        ),
        ("b9", "B90-B99", vec!["B90", "B99"], vec!["B89", "C90", "B"]),
        ("C", "C00-C99", vec!["C00", "C99"], vec!["B99", "D00"]),
        ("E60-E99", "E60-E99", vec!["E60", "E77", "E99"], vec!["E59", "D77"]),
        ("E6-9", "E60-E99", vec!["E60", "E99"], vec!["E59"]),
        ("e60-99", "E60-E99", vec!["E60", "E99"], vec!["E59"]),
        ("B90-C1", "B90-C19", vec!["B90", "B99", "C00", "C19"], vec!["B89", "C20"]),
        ("A-E", "A00-E99", vec!["A00", "E99"], vec!["F00", "?", "é00"]),
        ("B90-B9", "B90-B99", vec!["B95"], vec![]),
    ] {
        let codes = codes(text).expect("codes");
        assert_eq!(codes.to_string(), shown, "{text}");
        assert_eq!(shown.parse(), Ok(codes));
        for code in inside {
            assert_eq!(codes.holds(code), Some(true), "{code} in {text}");
        }
        for code in outside {
            assert!(!codes.contains(code), "{code} in {text}");
        }
    }
    for text in [
        "",
        "F00",
        "B9x",
        "B900",
        "90",
        "B90-",
        "-B90",
        "B90-B91-B92",
        "B90–B99",
        "É10",
        "B 90",
        "B-x",
    ] {
        assert_eq!(codes(text), Err(EcoError::Syntax), "{text}");
    }
    assert_eq!(codes("E99-E60").expect_err("reversed").to_string(), "E60 is before E99");
    assert_eq!(codes("B9-B8").expect_err("reversed").to_string(), "B8 is before B9");
    // Invalid codes, and other codes.
    let all = codes("A-E").expect("codes");
    for (text, holds) in
        [("?", None), ("", None), ("B9", None), ("B900", None), ("B90", Some(true)), ("日本", None)]
    {
        assert_eq!(all.holds(text), holds, "{text}");
    }
}
