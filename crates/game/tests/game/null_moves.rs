//! Null moves in main lines: read, stored, replayed, searched and written.

use halfmove_game::codec::halfmove;
use halfmove_game::codec::{DecodeError, DecodeErrorKind, whole};
use halfmove_game::pgn::{Counts, GameReader, Reading, read_game, write_game};
use halfmove_game::replay::{self, BoardQuery, MoveSequence, Query, Signature, Signatures, Target};
use halfmove_game::{BuildError, Event, Game, GameBuilder};
use halfmove_rules::{AnyPosition, Chess, Color, Makruk, Move, Role, Square};

use crate::properties::played;

const TWIC: &str = include_str!("../../../../testdata/field/12-twic.pgn");

/// Games from the standard starting position, with a promotion, en passant captures and castling
/// around null moves.
const GAMES: [&str; 7] = [
    "1. e4 -- 2. d4 d5 3. -- dxe4 4. -- -- 5. Nc3 *",
    "1. -- -- 2. e4 e5 3. Nf3 Nc6 4. Bc4 -- 5. O-O Nf6 6. -- *",
    // The right to capture en passant lapses.
    "1. e4 a6 2. e5 d5 3. -- -- 4. Nf3 *",
    "1. e4 a6 2. e5 d5 3. exd6 -- 4. dxc7 -- 5. cxb8=Q -- 6. Qxa8 -- *",
    "1. h4 -- 2. h5 g5 3. hxg6 h6 4. g7 -- 5. gxh8=N -- 6. Ng6 *",
    "1. a4 b5 2. axb5 -- 3. -- Nc6 4. bxc6 d5 5. -- Bf5 6. -- Qd6 7. -- O-O-O 8. -- *",
    "[FEN \"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 5 30\"]\n\n30... -- 31. O-O O-O-O 32. -- *",
];

/// Games of Makruk and its variants.
const MAKRUK: [&str; 3] = [
    "[Variant \"Makruk\"]\n\n1. e4 -- 2. Nd2 d5 3. -- dxe4 *",
    "[Variant \"Makpong\"]\n\n1. -- e5 2. -- d5 3. e4 -- 4. exd5 *",
    "[Variant \"ASEAN\"]\n[FEN \"4k3/P7/8/8/8/8/8/4K3 b - - 0 1\"]\n\n1... -- 2. a8=R+ Ke7 3. -- *",
];

fn bytes_of(game: &Game) -> Vec<u8> {
    let mut bytes = Vec::new();
    halfmove::encode(game, &mut bytes).expect("codes");
    bytes
}

/// The position after each half-move, played on the positions of the rules.
fn positions(game: &Game) -> Vec<AnyPosition> {
    let mut positions = vec![game.start.clone()];
    for mv in &game.moves {
        let last = positions.last().expect("a position");
        positions.push(played(last, *mv).expect("a legal move"));
    }
    positions
}

fn all_games() -> Vec<Game> {
    let games = GAMES.iter().chain(&MAKRUK);
    games.map(|text| read_game(text).unwrap_or_else(|error| panic!("{text}: {error}"))).collect()
}

#[test]
fn the_game_goes_on_behind_null_moves() {
    let mut reader = GameReader::new(TWIC.as_bytes());
    let (mut game, mut games) = (Game::default(), Vec::new());
    while let Some(reading) = reader.read(&mut game).expect("memory") {
        assert_eq!(reading, Reading::Whole);
        games.push(game.clone());
    }
    let counts: &Counts = reader.counts();
    assert_eq!((counts.null_moves, counts.faulty, counts.lost_half_moves), (3, 0, 0));
    let [first, second] = games.as_slice() else { panic!("{} games", games.len()) };
    assert_eq!(first.moves.len(), 33);
    assert_eq!(first.moves[25], Move::NULL);
    // As python-chess counts and writes it.
    assert_eq!(
        first.final_position().to_string(),
        "3rr1k1/p1p2ppp/2B2q2/5b2/2Q5/2P2P2/P1P3PP/3R1RK1 b - - 0 17"
    );
    assert_eq!(
        second.final_position().to_string(),
        "r1bqkbnr/pppp1ppp/2n5/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 4"
    );
    let text = write_game(second).expect("names of tags");
    assert!(text.ends_with("\n\n1. e4 e5 2. -- Nc6 3. Nf3 -- 4. d4 1-0\n\n"), "{text}");
    assert_eq!(read_game(&text).as_ref(), Ok(second));
}

#[test]
fn every_spelling_is_read() {
    for null in
        ["--", "Z0", "z0", "<>", "null", "NULL", "Null", "pass", "Pass", "PASS", "0000", "@@@@"]
    {
        for text in [format!("1. d4 {null} 2. e4 e5 *"), format!("1. d4 {null}\n2. e4 e5 *")] {
            let game = read_game(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(write_game(&game).expect("no tags"), "1. d4 -- 2. e4 e5 *\n\n", "{text}");
        }
        // A variation keeps the spelling.
        let text = format!("1. d4 d5 (1... {null} 2. e4) 2. c4 *\n\n");
        assert_eq!(write_game(&read_game(&text).expect(null)).expect("no tags"), text);
    }
}

#[test]
fn a_side_in_check_cannot_pass() {
    let error = read_game("1. e4 f6 2. Qh5+ -- 3. d4 *").expect_err("check");
    let expected = "null move \"--\": expected a legal move";
    assert!(error.to_string().contains(expected), "{error}");
    let mut builder = GameBuilder::new(Chess::default());
    ["e4", "f6", "Qh5+"].into_iter().for_each(|san| builder.san(san).expect("legal"));
    assert_eq!(builder.null_move("--"), Err(BuildError::NullMove));
    assert_eq!(builder.play(Move::NULL), Err(BuildError::NullMove));
    builder.san("g6").expect("legal");
    assert_eq!(builder.null_move("pass"), Ok(()));
    let mut game = builder.finish();
    assert_eq!(write_game(&game).expect("no tags"), "1. e4 f6 2. Qh5+ g6 3. -- *\n\n");
    // In a variation too.
    let id = game.node(4).expect("a half-move").id();
    assert_eq!(
        game.edit(id).expect("a move").add_variation(&[Move::NULL]),
        Err(BuildError::NullMove)
    );
    let id = game.node(5).expect("a half-move").id();
    game.edit(id)
        .expect("a move")
        .add_variation(&[Move::normal(Square::H5, Square::E2), Move::NULL])
        .expect("out of check");
    let text = "1. e4 f6 2. Qh5+ g6 3. -- (3. Qe2 --) *\n\n";
    assert_eq!(write_game(&game).expect("no tags"), text);
    // The bytes of 2... --.
    let error = DecodeError { offset: 3, kind: DecodeErrorKind::Illegal(Move::NULL) };
    assert_eq!(halfmove::decode_moves(&[0x11, 0x14, 0xbf, 0xe3], &mut Vec::new()), Err(error));
}

/// The last positions of the games of chess, by python-chess 1.11.2.
#[test]
fn python_chess_reaches_the_same_positions() {
    let ends = [
        "rnbqkbnr/ppp1pppp/8/8/3Pp3/2N5/PPP2PPP/R1BQKBNR b KQkq - 3 5",
        "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 7 6",
        "rnbqkbnr/1pp1pppp/p7/3pP3/8/5N2/PPPP1PPP/RNBQKB1R b KQkq - 3 4",
        "Q1bqkbnr/1p2pppp/p7/8/8/8/PPPP1PPP/RNBQKBNR w KQk - 1 7",
        "rnbqkbn1/pppppp2/6Np/8/8/8/PPPPPPP1/RNBQKBNR b KQq - 2 6",
        "2kr1bnr/p1p1pppp/2Pq4/3p1b2/8/8/1PPPPPPP/RNBQKBNR b KQ - 7 8",
        "2kr3r/8/8/8/8/8/8/R4RK1 b - - 9 32",
    ];
    for (text, end) in GAMES.iter().zip(ends) {
        let game = read_game(text).expect("a game");
        assert_eq!(game.final_position().to_string(), end, "{text}");
    }
}

#[test]
fn nodes_and_walks_have_null_moves() {
    let game = read_game("1. e4 -- (1... e5 2. -- (2. Nf3) 2... Nc6) 2. d4 *").expect("a game");
    let node = game.node(2).expect("a half-move");
    assert_eq!((node.mv(), node.san().as_str()), (None, "--"));
    assert_eq!(
        game.main_line().nodes().map(|node| node.san()).collect::<Vec<_>>(),
        ["e4", "--", "d4"]
    );
    assert_eq!(node.position().side_to_move(), Color::White);
    let mut walk = game.walk();
    let mut found = Vec::new();
    while let Some((event, position)) = walk.step() {
        match event {
            Event::Move(mv) => {
                found.push(format!("{}{}", position.fullmove_number(), position.san(mv)))
            }
            Event::NullMove(text) => found.push(format!("{}({text})", position.fullmove_number())),
            _ => {}
        }
    }
    assert_eq!(found, ["1e4", "1--", "1e5", "2(--)", "2Nf3", "2Nc6", "2d4"]);
    let mut builder = GameBuilder::new(Chess::default());
    game.events().try_for_each(|event| builder.push(event)).expect("the same game");
    assert_eq!(builder.finish(), game);
}

#[test]
fn games_come_back_from_their_bytes() {
    for game in all_games() {
        let bytes = bytes_of(&game);
        let mut moves = Vec::new();
        assert_eq!(halfmove::decode_moves(&bytes, &mut moves).as_ref(), Ok(&game.start));
        assert_eq!(moves, game.moves);
        assert_eq!(halfmove::plies(&bytes) as usize, moves.len());
        // As an import makes them.
        let text = write_game(&game).expect("names of tags");
        let (mut again, mut coded) = (Game::default(), Vec::new());
        let mut reader = GameReader::new(text.as_bytes());
        let reading = reader.read_with_bytes(&mut again, &mut coded).expect("memory");
        assert_eq!((reading, &coded), (Some(Reading::Whole), &bytes), "{text}");
        assert_eq!(again.moves, game.moves);
        // The other parts.
        let parts = whole::Parts::of(&game);
        let decoded = parts.game(&game.tags, game.start.clone(), &moves).expect("its own parts");
        assert_eq!(decoded, game);
    }
}

#[test]
fn replay_passes_too() {
    for game in all_games() {
        let (bytes, positions) = (bytes_of(&game), positions(&game));
        let text = write_game(&game).expect("names of tags");
        let mut keys = Vec::new();
        replay::keys(&bytes, |key| keys.push(key)).expect("codes");
        assert_eq!(keys.len(), positions.len());
        assert_eq!(replay::final_position(&bytes).expect("codes"), positions[game.moves.len()]);
        for (ply, position) in positions.iter().enumerate() {
            let at = replay::position_at(&bytes, ply as u32).expect("codes").expect("a position");
            assert_eq!(at.to_string(), position.to_string(), "{text} {ply}");
            let first = positions.iter().position(|other| other == position);
            let target = Target::new(position);
            let found = replay::find(&bytes, &target).expect("codes");
            assert_eq!(found.map(|ply| ply as usize), first, "{text} {ply}");
            let mut visits = Vec::new();
            replay::visits(&bytes, &target, |ply, mv| visits.push((ply as usize, mv)))
                .expect("codes");
            let expected: Vec<_> = (0..positions.len())
                .filter(|ply| positions[*ply] == *position)
                .map(|ply| (ply, game.moves.get(ply).copied()))
                .collect();
            assert_eq!(visits, expected, "{text} {ply}");
            let mut others = positions.iter().zip(&keys);
            assert!(
                others.all(|(other, key)| other != position || *key == keys[ply]),
                "{text} {ply}"
            );
            let mut san = String::new();
            let has_move = replay::write_san(&bytes, ply as u32, &mut san).expect("codes");
            assert_eq!(has_move, ply < game.moves.len());
            if let Some(mv) = game.moves.get(ply) {
                assert_eq!(san, position.san(*mv).as_str(), "{text} {ply}");
            }
        }
    }
}

/// The answers of a search with signatures and lines are those of a replay of each game.
#[test]
fn searches_find_positions_behind_null_moves() {
    let games = all_games();
    let bytes: Vec<Vec<u8>> = games.iter().map(bytes_of).collect();
    let mut signatures = Vec::new();
    for (game, bytes) in games.iter().zip(&bytes) {
        let signature = Signature::of(bytes).expect("codes");
        assert_eq!(Signature::of_moves(&game.start, &game.moves, bytes), Ok(signature));
        signatures.extend(signature.to_bytes());
    }
    let signatures = Signatures::new(&signatures);
    for position in games.iter().flat_map(positions) {
        let (query, target) = (Query::new(&position), Target::new(&position));
        let mut candidates = Vec::new();
        query.candidates(&signatures, &mut candidates);
        let (mut found, mut visited) = (Vec::new(), Vec::new());
        query
            .find_all(
                &candidates,
                |it| &bytes[it.row as usize],
                |it, ply| found.push((it.row, ply)),
            )
            .expect("codes");
        query
            .visit_all(
                &candidates,
                |it| &bytes[it.row as usize],
                |it, ply, mv| visited.push((it.row, ply, mv)),
            )
            .expect("codes");
        let (mut expected, mut all) = (Vec::new(), Vec::new());
        for (row, bytes) in (0..).zip(&bytes) {
            let ply = replay::find(bytes, &target).expect("codes");
            expected.extend(ply.map(|ply| (row, ply)));
            replay::visits(bytes, &target, |ply, mv| all.push((row, ply, mv))).expect("codes");
        }
        assert_eq!(found, expected, "{position}");
        assert_eq!(visited, all, "{position}");
    }
}

#[test]
fn questions_about_moves_and_boards() {
    let bytes = bytes_of(&read_game(GAMES[0]).expect("a game"));
    // 1. e4 -- 2. d4 d5 3. -- dxe4 4. -- -- 5. Nc3
    for (sequence, ply) in [
        ("e4 d4", None),
        ("e4 ? d4", Some(3)),
        ("e4 * d4", Some(3)),
        ("e4 -- d4", Some(3)),
        ("e4 ...-- d4", Some(3)),
        ("e4 .-- d4", None),
        ("3.-- dxe4", Some(6)),
        ("-- --", Some(8)),
        ("-- -- N", Some(9)),
        ("-- -- --", None),
        ("d5 ? dxe4", Some(6)),
        ("d5 .? dxe4", Some(6)),
        ("d5 ...? dxe4", None),
        ("dxe4 ? ? Nc3", Some(9)),
        ("5.Nc3", Some(9)),
        ("dxe4 N", None),
        ("d5 + dxe4", None),
        ("d5 x", None),
    ] {
        let sequence: MoveSequence = sequence.parse().expect("a sequence");
        assert_eq!(replay::played(&bytes, &sequence), Ok(ply), "{sequence:?}");
    }
    let find =
        |conditions: &str| BoardQuery::new(&conditions.parse().expect("conditions")).find(&bytes);
    assert_eq!(find("imbalance:PvN"), Ok(None));
    assert_eq!(find("material:KQRRBBNNPPPPPPPvKQRRBBNNPPPPPPPP"), Ok(Some(6)));
    assert_eq!(find("material:KQRRBBNNPPPPPPPvKQRRBBNNPPPPPPPP for:3"), Ok(Some(6)));
    assert_eq!(find("material:KQRRBBNNPPPPPPPvKQRRBBNNPPPPPPPP for:4"), Ok(None));
    assert_eq!(find("pattern:8/8/8/8/4p3/2N5/8/8 final"), Ok(Some(9)));
    let tally = replay::tally(&bytes).expect("codes");
    assert_eq!(tally.moved(Color::White, Role::Pawn), 2);
    assert_eq!(tally.moved(Color::Black, Role::Pawn), 2);
    assert_eq!((tally.captures(Color::White), tally.captures(Color::Black)), (0, 1));
}

#[test]
fn the_right_to_capture_en_passant_lapses() {
    let game = read_game(GAMES[2]).expect("a game");
    let bytes = bytes_of(&game);
    let before = "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3";
    let after = "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq - 2 4";
    for (fen, ply) in [(before, 4), (after, 6)] {
        let position: Chess = fen.parse().expect("a position");
        assert_eq!(replay::find(&bytes, &Target::new(&position.into())), Ok(Some(ply)));
        assert_eq!(game.position(ply as usize).to_string(), fen);
    }
    let error = read_game("1. e4 a6 2. e5 d5 3. -- -- 4. exd6 *").expect_err("nothing to capture");
    assert!(error.to_string().contains("move 4: illegal move \"exd6\""), "{error}");
}

#[test]
fn null_moves_of_makruk_keep_the_numbers_of_pieces() {
    let mut bytes = Vec::new();
    let moves = [
        Move::normal(Square::E3, Square::E4),
        Move::NULL,
        Move::normal(Square::B1, Square::D2),
        Move::NULL,
    ];
    halfmove::encode_moves(&Makruk::default().into(), &moves, &mut bytes).expect("codes");
    assert_eq!(bytes, [0xe4, 0x20, 0xb0, 0xf8, 0x11, 0xf8]);
}
