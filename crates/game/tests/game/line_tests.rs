//! Moves and boards in variations, compared with a slow walk over the game tree in which each line is a separate game.

use halfmove_game::codec::halfmove;
use halfmove_game::codec::whole::{self, Parts};
use halfmove_game::pgn::{GameReader, read_game};
use halfmove_game::replay::{self, BoardCondition, BoardQuery, LineTest, MoveSequence};
use halfmove_game::{Event, Game, Input};
use halfmove_rules::{AnyPosition, Move};

use crate::data::{game_files, testdata};

/// The lines of a game from its start to the end of each variation, with the half-moves before the outermost branches off.
/// `None` if a variation has a word.
fn lines(game: &Game) -> Option<Vec<(u32, Vec<Move>)>> {
    let (mut line, mut around, mut all) = (Vec::new(), Vec::new(), Vec::new());
    // True if the current line has a move of its own, which a variation replaces.
    let (mut branch, mut has_moved) = (0, false);
    let mut walk = game.walk();
    while let Some((event, _)) = walk.step() {
        match event {
            Event::Move(mv) => {
                line.push(mv);
                has_moved = true;
            }
            Event::NullMove(_) => {
                line.push(Move::NULL);
                has_moved = true;
            }
            Event::Word(_) => return None,
            Event::BeginVariation => {
                let mut inner = line.clone();
                if has_moved {
                    inner.pop();
                }
                if around.is_empty() {
                    branch = u32::try_from(inner.len()).expect("a short game");
                }
                around.push((std::mem::replace(&mut line, inner), has_moved));
                has_moved = false;
            }
            Event::EndVariation => {
                let (outer, outer_has_moved) = around.pop().expect("an open variation");
                let inner = std::mem::replace(&mut line, outer);
                all.extend(has_moved.then_some((branch, inner)));
                has_moved = outer_has_moved;
            }
            _ => {}
        }
    }
    Some(all)
}

fn encoded(start: &AnyPosition, moves: &[Move]) -> Vec<u8> {
    let mut bytes = Vec::new();
    halfmove::encode_moves(start, moves, &mut bytes).expect("moves");
    bytes
}

/// Compares a condition in one game with the search in each line. Returns true if only a variation meets it.
fn compare<T: LineTest>(
    game: &Game,
    lines: &[(u32, Vec<Move>)],
    test: &T,
    find: impl Fn(&[u8]) -> Option<u32>,
    name: &str,
) -> bool {
    let main = encoded(&game.start, &game.moves);
    if find(&main).is_some() {
        return false;
    }
    let meets = |(_, moves): &&(u32, Vec<Move>)| find(&encoded(&game.start, moves)).is_some();
    let expected = lines.iter().filter(meets).map(|(ply, _)| *ply).min();
    let found = whole::find_in_variations(&main, &Parts::of(game).annotations, test);
    assert_eq!(found.expect("a game"), expected, "{name} in {game:?}");
    expected.is_some()
}

const SEQUENCES: [&str; 24] = [
    "Bxh7+",
    "Bxh7+ Kxh7",
    "Nxd5 exd5",
    "Nxd5 cxd5 Bb5+",
    "O-O * O-O-O",
    "...O-O-O",
    "=Q",
    "e8=Q",
    "#",
    "Qxf7#",
    "x x x x",
    "...Nf6 * .Bg5",
    "12.N",
    "20...Rxc3",
    "+ K +",
    "exd6 ? x",
    "c4 dxc4 Bxc4 a6",
    "R1e2",
    "xh6",
    "b4 * a4 * Qa3",
    ".Kh1 ...Kh8",
    "N N N N",
    "--",
    "N * -- N",
];

const BOARDS: [&str; 14] = [
    "structure:iqp",
    "structure:maroczy for:6",
    "isolated:d for:4",
    "opposite-bishops",
    "imbalance:RvB either-color",
    "doubled:c final",
    "passed:a",
    "passed:black:h",
    "pattern:8/8/8/3N4/8/8/8/8 for:2",
    "pattern:5rk1/5ppp/8/8/8/8/8/8 either-color final",
    "material:KQ*R*B*N*P*vKQR*B*N*P* for:3",
    "imbalance:Pv final",
    "pattern:8/8/8/8/8/8/8/R6R mirrored",
    "imbalance:QvRR either-color",
];

#[test]
fn lines_of_variations_are_games_of_their_own() {
    let sequences = SEQUENCES.map(|text| text.parse::<MoveSequence>().expect(text));
    let boards =
        BOARDS.iter().filter_map(|text| Some((*text, text.parse::<BoardCondition>().ok()?)));
    let boards: Vec<(&str, BoardQuery)> =
        boards.map(|(text, question)| (text, BoardQuery::new(&question))).collect();
    assert!(boards.len() > 12, "{}", boards.len());
    let (mut of_moves, mut of_boards, mut games) = (0, 0, 0);
    for path in game_files(&testdata()) {
        if path.ends_with("masters.pgn.zst") {
            continue;
        }
        let mut reader = GameReader::new(Input::open(&path).expect("a file"));
        let mut game = Game::default();
        while reader.read(&mut game).expect("the file is readable").is_some() {
            let Some(lines) = lines(&game).filter(|lines| !lines.is_empty()) else { continue };
            games += 1;
            for (sequence, text) in sequences.iter().zip(SEQUENCES) {
                let find = |bytes: &[u8]| replay::played(bytes, sequence).expect("a game");
                of_moves += u32::from(compare(&game, &lines, sequence, find, text));
            }
            for (text, query) in &boards {
                let find = |bytes: &[u8]| query.find(bytes).expect("a game");
                of_boards += u32::from(compare(&game, &lines, query, find, text));
            }
        }
    }
    assert!(games > 50 && of_moves > 50 && of_boards > 50, "{games} {of_moves} {of_boards}");
}

/// A null move is a half-move of its line, as in the main line: it has its place in a sequence, and conditions hold across it.
#[test]
fn null_moves_and_words() {
    let game =
        read_game("1. e4 e5 (1... -- 2. d4 d5 3. exd5 Qxd5) 2. Nf3 (Zz) (2. f4 exf4) *").unwrap();
    let moves = encoded(&game.start, &game.moves);
    let annotations = Parts::of(&game).annotations;
    let played = |text: &str| {
        let sequence = text.parse::<MoveSequence>().unwrap();
        whole::find_in_variations(&moves, &annotations, &sequence).unwrap()
    };
    for (text, expected) in [
        ("d4 d5", Some(1)),
        ("e4 d4", None),
        ("e4 -- d4", Some(1)),
        ("e4 ? d4", Some(1)),
        ("e4 * d4", Some(1)),
        ("...-- d4 d5 exd5", Some(1)),
        (".--", None),
        ("-- --", None),
        ("2.d4 d5 3.exd5", Some(1)),
        ("e4 e5 f4 exf4", Some(2)),
        ("Qxd5", Some(1)),
    ] {
        assert_eq!(played(text), expected, "{text}");
    }
    let shows = |text: &str| {
        let query = BoardQuery::new(&text.parse().unwrap());
        whole::find_in_variations(&moves, &annotations, &query).unwrap()
    };
    // The pawn stands on e4 while the null move and the next two half-moves are played.
    assert_eq!(shows("pattern:8/8/8/8/4P3/8/8/8 pawns:a2b2c2d2e4f2g2h2va7b7c7d7e7f7g7h7"), Some(1));
    assert_eq!(shows("pattern:8/3p4/8/8/4P3/8/PPPP1PPP/RNBQKBNR for:1"), Some(1));
    assert_eq!(shows("pattern:8/3p4/8/8/4P3/8/PPPP1PPP/RNBQKBNR for:2"), None);
    assert_eq!(shows("pattern:8/4p3/8/8/4P3/8/8/8 for:3"), Some(1));
    assert_eq!(shows("pattern:8/4p3/8/8/4P3/8/8/8 for:4"), None);
    assert_eq!(shows("imbalance:vP final"), Some(2));
    assert_eq!(shows("imbalance:Pv final"), None);
}
