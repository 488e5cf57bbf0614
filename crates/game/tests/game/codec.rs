//! Bytes and replay, compared with the rules: every ply of every game of three sets, and of Makruk.

use std::fs;
use std::path::Path;

use crate::mainlines::shipped;
use halfmove_game::Game;
use halfmove_game::codec::halfmove;
use halfmove_game::codec::{DecodeError, DecodeErrorKind};
use halfmove_game::pgn::GameReader;
use halfmove_game::replay::{self, BoardCondition, BoardQuery, Pattern, Target};
use halfmove_rules::makruk::CountingPolicy;
use halfmove_rules::{
    AnyPosition, Chess, Color, File, Flaws, Makruk, MaterialKey, Move, Rank, Square, Variant,
};
use serde_json::Value;

/// A main line.
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) start: AnyPosition,
    pub(crate) moves: Vec<Move>,
}

impl Line {
    pub(crate) fn encode(&self) -> Vec<u8> {
        encode(&self.start, &self.moves)
    }

    /// The position at every ply, the start first.
    pub(crate) fn positions(&self) -> Vec<AnyPosition> {
        let mut positions = vec![self.start.clone()];
        for &mv in &self.moves {
            let mut next = positions[positions.len() - 1].clone();
            next.play_unchecked(mv);
            positions.push(next);
        }
        positions
    }
}

fn encode(start: &AnyPosition, moves: &[Move]) -> Vec<u8> {
    let mut bytes = Vec::new();
    halfmove::encode_moves(start, moves, &mut bytes).expect("a game that the code can hold");
    bytes
}

fn decode(bytes: &[u8]) -> Result<(AnyPosition, Vec<Move>), DecodeError> {
    let mut moves = Vec::new();
    Ok((halfmove::decode_moves(bytes, &mut moves)?, moves))
}

/// The shipped games of chess, and those of Makruk and its variants.
pub(crate) fn lines() -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for line in shipped() {
        lines.push(Line { name: line.name, start: line.start.into(), moves: line.moves });
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/makruk");
    for name in ["games.jsonl", "kin_games.jsonl"] {
        let text = fs::read_to_string(folder.join(name)).expect("a file of games");
        for (number, line) in text.lines().enumerate() {
            let game: Value = serde_json::from_str(line).expect("JSON");
            let variant = Variant::from_name(game["variant"].as_str().unwrap_or("makruk"));
            let variant = variant.expect("a known variant");
            let start = match game["start"].as_str() {
                Some(fen) => AnyPosition::from_fen(fen, variant).expect("a position"),
                None => AnyPosition::start(variant),
            };
            let mut position = start.clone();
            let moves = game["moves"].as_str().expect("moves").split(' ').map(|uci| {
                let mv = position.parse_uci(uci).expect("a legal move");
                position.play_unchecked(mv);
                mv
            });
            let (moves, name) = (moves.collect(), format!("{name} {}", number + 1));
            lines.push(Line { name, start, moves });
        }
    }
    lines
}

/// Games of random moves, from the standard starting position of each game.
pub(crate) fn random_lines() -> Vec<Line> {
    let mut random = crate::codec::random();
    let mut lines = Vec::new();
    for variant in Variant::ALL {
        for number in 0..20 {
            let start = AnyPosition::start(variant);
            let (mut position, mut moves) = (start.clone(), Vec::new());
            while moves.len() < 300 {
                let legal = position.legal_moves();
                if legal.is_empty() {
                    break;
                }
                let mv = legal[random() as usize % legal.len()];
                position.play_unchecked(mv);
                moves.push(mv);
            }
            lines.push(Line { name: format!("random {} {number}", variant.name()), start, moves });
        }
    }
    lines
}

pub(crate) fn random() -> impl FnMut() -> u64 {
    let mut state = 0x1234_5678_9abc_def1_u64;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    }
}

/// Returns true for equal positions with equal counters.
fn same(a: &AnyPosition, b: &AnyPosition) -> bool {
    match (a, b) {
        (AnyPosition::Chess(a), AnyPosition::Chess(b)) => {
            a.castling_mode() == b.castling_mode() && a.pack() == b.pack() && a.pack().is_ok()
        }
        (AnyPosition::Makruk(a), AnyPosition::Makruk(b)) => {
            a.pack() == b.pack() && a.pack().is_ok()
        }
        _ => false,
    }
}

#[test]
fn every_game_round_trips_through_its_bytes() {
    let (mut plies, mut length) = (0, 0);
    for line in lines().iter().chain(&random_lines()) {
        let bytes = line.encode();
        let (start, moves) = decode(&bytes).expect("bytes of a game");
        assert!(same(&start, &line.start), "{}", line.name);
        assert_eq!(moves, line.moves, "{}", line.name);
        assert_eq!(halfmove::plies(&bytes) as usize, moves.len(), "{}", line.name);
        assert!(same(&halfmove::start(&bytes).expect("a start"), &line.start), "{}", line.name);
        match &line.start {
            AnyPosition::Chess(start) if halfmove::is_standard_start(start) => {
                plies += moves.len();
                length += bytes.len();
            }
            AnyPosition::Chess(_) => assert_eq!(bytes[0], 0xe4),
            // No move takes two bytes, not even promotions.
            AnyPosition::Makruk(_) => {
                let head = if bytes[1] == 0x10 { 38 } else { 2 };
                assert_eq!(bytes.len(), head + moves.len(), "{}", line.name);
            }
        }
    }
    // One byte for each half-move, and in games of chess between humans less than one percent more.
    assert!(length * 100 < plies * 106, "{length} for {plies}");
}

/// Everything about a start round-trips: counters, castling mode, counts, policies, and more than 32 pieces.
#[test]
fn every_start_round_trips() {
    let chess = |fen: &str| Chess::from_fen(fen, None).expect("a position");
    let crowded = "7k/8/8/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/KBBBBBBB w - - 0 1";
    let mut starts: Vec<AnyPosition> = [
        chess("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 7"),
        chess("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").into_chess960(),
        chess("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"),
        chess("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"),
        chess(crowded),
        chess(crowded).into_chess960(),
    ]
    .into_iter()
    .map(AnyPosition::from)
    .collect();
    for policy in [
        CountingPolicy::Auto,
        CountingPolicy::Thai,
        CountingPolicy::MakrukJs,
        CountingPolicy::Fairy11,
    ] {
        for rules in halfmove_rules::makruk::Rules::ALL {
            starts.push(Makruk::start(rules).with_policy(policy).into());
        }
        let counting: Makruk = "8/3k4/8/8/8/5K2/2M~5/2R4R w - 16 17 6".parse().expect("a position");
        starts.push(counting.with_policy(policy).into());
    }
    for start in &starts {
        let (read, moves) = decode(&encode(start, &[])).expect("bytes of a start");
        assert_eq!((read.to_string(), moves.len()), (start.to_string(), 0));
        let chess960 = |start: &AnyPosition| start.as_chess().map(|chess| chess.is_chess960());
        assert_eq!(chess960(&read), chess960(start));
        let pack = |start: &AnyPosition| start.as_makruk().map(|makruk| makruk.pack());
        assert_eq!(pack(&read), pack(start));
    }
}

/// A game from the usual position that begins at move 7 needs its start, for the numbers of its moves.
#[test]
fn a_start_with_another_move_number_is_a_custom_start() {
    let seventh: Chess =
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 7".parse().unwrap();
    let moves = [Move::normal(Square::E2, Square::E4)];
    let bytes = encode(&seventh.clone().into(), &moves);
    assert_eq!((bytes[0], bytes.len()), (0xe4, 35));
    let after = replay::final_position(&bytes).unwrap();
    assert_eq!(after.fullmove_number(), 7);
    assert_eq!(replay::find(&bytes, &Target::new(&after)), Ok(Some(1)));
    let (mut game, mut read) = (Game::default(), Vec::new());
    let text = format!("[FEN \"{seventh}\"]\n\n7. e4 *\n");
    GameReader::new(text.as_bytes()).read_with_bytes(&mut game, &mut read).unwrap();
    assert_eq!(read, bytes);
}

/// Replay finds each position of a game where, by the rules, it first arises, and visits every occurrence, with the
/// moves played there.
#[test]
fn replay_agrees_with_the_rules() {
    for line in lines().iter().chain(&random_lines()) {
        let bytes = line.encode();
        let positions = line.positions();
        // In long games, only some positions are compared.
        let step = 1 + positions.len() / 100;
        for position in positions.iter().step_by(step) {
            let expected: Vec<(u32, Option<Move>)> = positions
                .iter()
                .enumerate()
                .filter(|(_, other)| *other == position)
                .map(|(ply, _)| (ply as u32, line.moves.get(ply).copied()))
                .collect();
            let target = Target::new(position);
            let mut visited = Vec::new();
            replay::visits(&bytes, &target, |ply, next| visited.push((ply, next))).unwrap();
            assert_eq!(visited, expected, "{} {position}", line.name);
            assert_eq!(replay::find(&bytes, &target), Ok(Some(expected[0].0)));
        }
    }
}

/// The position after each half-move, with its counters, and none after the end.
#[test]
fn replay_gives_every_position() {
    for line in shipped() {
        let bytes = encode(&line.start.into(), &line.moves);
        // The result of another program.
        assert_eq!(replay::final_position(&bytes).unwrap().to_string(), line.final_fen);
    }
    for line in lines().iter().chain(&random_lines()) {
        let bytes = line.encode();
        let positions = line.positions();
        let step = 1 + positions.len() / 50;
        for (ply, position) in positions.iter().enumerate().step_by(step) {
            let found = replay::position_at(&bytes, ply as u32).unwrap().expect("a position");
            assert!(same(&found, position), "{} {ply}: {found}, not {position}", line.name);
        }
        let end = replay::final_position(&bytes).unwrap();
        assert!(same(&end, &positions[line.moves.len()]), "{}: {end}", line.name);
        assert_eq!(replay::position_at(&bytes, line.moves.len() as u32 + 1), Ok(None));
    }
}

/// The keys of all positions: those of the rules except for castling and en passant.
#[test]
fn replay_gives_every_key() {
    for line in lines().iter().chain(&random_lines()) {
        let mut keys = Vec::new();
        replay::keys(&line.encode(), |key| keys.push(key)).unwrap();
        let expected: Vec<u64> = line.positions().iter().map(placement_key).collect();
        assert_eq!(keys, expected, "{}", line.name);
    }
}

fn placement_key(position: &AnyPosition) -> u64 {
    let turn = match position.side_to_move() {
        Color::White => halfmove_rules::turn_key(),
        Color::Black => 0,
    };
    position.board().pieces().fold(turn, |key, (square, piece)| {
        key ^ match position {
            AnyPosition::Chess(_) => halfmove_rules::piece_key(piece, square),
            AnyPosition::Makruk(_) => halfmove_rules::makruk::piece_key(piece, square),
        }
    })
}

fn matches(bytes: &[u8], pattern: &Pattern) -> Result<Option<u32>, DecodeError> {
    let pattern = pattern.clone();
    BoardQuery::new(&BoardCondition { pattern, ..BoardCondition::default() }).find(bytes)
}

fn material(bytes: &[u8], key: MaterialKey, at_least: u32) -> Result<Option<u32>, DecodeError> {
    let material = Some(key.into());
    BoardQuery::new(&BoardCondition { material, at_least, ..BoardCondition::default() }).find(bytes)
}

/// Patterns of two to five squares, taken from the games, compared with the boards of the rules.
#[test]
fn replay_fits_patterns() {
    let mut random = random();
    let (mut hits, mut misses) = (0, 0);
    for line in lines().iter().step_by(3) {
        let bytes = line.encode();
        let positions = line.positions();
        for _ in 0..20 {
            let model = &positions[random() as usize % positions.len()];
            let mut conditions = Vec::new();
            for _ in 0..2 + random() % 4 {
                let square = Square::wrapping(random() as u8);
                let other = Square::wrapping(random() as u8);
                // The contents of this square, or of another, or of the other side of the board.
                let from = if random().is_multiple_of(3) { other } else { square };
                let contents = [from, Square::wrapping(from as u8 ^ 0b111_000)];
                conditions.push((square, contents.map(|from| model.board().piece_at(from))));
            }
            let mut pattern = Pattern::new();
            for (square, contents) in &conditions {
                pattern.allow(*square, *contents);
            }
            // If a square occurs twice, the last contents count.
            let fits = |position: &AnyPosition| {
                conditions.iter().enumerate().all(|(index, (square, contents))| {
                    conditions[index + 1..].iter().any(|(later, _)| later == square)
                        || contents.contains(&position.board().piece_at(*square))
                })
            };
            let expected = positions.iter().position(fits).map(|ply| ply as u32);
            assert_eq!(matches(&bytes, &pattern), Ok(expected), "{}", line.name);
            *if expected.is_some() { &mut hits } else { &mut misses } += 1;
        }
    }
    assert!(hits > 1000 && misses > 20, "{hits} hits, {misses} misses");
}

/// Each material of each game, for as long as it lasts and for one half-move more.
#[test]
fn replay_finds_material() {
    for line in lines().iter().step_by(3) {
        let bytes = line.encode();
        let keys: Vec<MaterialKey> =
            line.positions().iter().map(|position| MaterialKey::of(position.board())).collect();
        let mut from = 0;
        while from < keys.len() {
            let same = keys[from..].iter().take_while(|key| **key == keys[from]).count();
            let lasts = same as u32 - 1;
            let found = material(&bytes, keys[from], lasts).unwrap();
            // A game may have had the same material before, by a promotion after a capture.
            assert!(found.is_some_and(|ply| ply <= from as u32), "{}", line.name);
            if !keys[..from].contains(&keys[from]) && !keys[from + same..].contains(&keys[from]) {
                assert_eq!(found, Some(from as u32), "{}", line.name);
                let longer = material(&bytes, keys[from], lasts + 1);
                assert_eq!(longer, Ok(None), "{}", line.name);
            }
            from += same;
        }
        let none = MaterialKey::default();
        assert_eq!(material(&bytes, none, 0), Ok(None));
    }
}

#[test]
fn patterns_as_text() {
    let error = |text: &str| text.parse::<Pattern>().map(drop).map_err(|error| error.to_string());
    assert_eq!(error("8/8/8/8/8/8/5PPP/6K_"), Ok(()));
    for (text, expected) in [
        ("8/8", "character 4 of the pattern: expected eight ranks of eight squares"),
        ("7/8/8/8/8/8/8/8", "character 2 of the pattern: expected eight squares in each rank"),
        ("9/8/8/8/8/8/8/8", "character 1 of the pattern: expected a piece, _, ?, [ or a digit"),
        ("8/8/8/8/8/8/8/[Kx]7", "character 17 of the pattern: expected a piece, _ or ]"),
        ("8/8/8/8/8/8/8/7[K", "character 18 of the pattern: expected a ] after the ["),
        ("8/8/8/8/8/8/8/8/8", "character 16 of the pattern: expected eight ranks"),
        ("KK8/8", "character 3 of the pattern: expected no more than eight squares in each rank"),
        ("", "character 1 of the pattern: expected eight ranks of eight squares"),
    ] {
        assert_eq!(error(text), Err(expected.to_owned()), "{text}");
    }
    let mut corner = Pattern::new();
    let square = Square::new(File::H, Rank::First);
    corner.allow(square, [None]);
    assert_eq!("8/8/8/8/8/8/8/7_".parse(), Ok(corner.clone()));
    assert_eq!("_7/8/8/8/8/8/8/8".parse(), Ok(corner.flipped().mirrored()));
}

/// A position that differs in a single detail is not found: the side to move, a castling right, the en passant
/// capture, a piece.
#[test]
fn replay_rejects_near_misses() {
    let mut tried = 0;
    for line in shipped().iter().step_by(5) {
        let bytes = encode(&line.start.clone().into(), &line.moves);
        let positions = line.positions();
        for position in positions.iter().step_by(3) {
            for near in near_misses(position) {
                let expected = positions.iter().position(|other| *other == near);
                let found = replay::find(&bytes, &Target::new(&near.clone().into())).unwrap();
                assert_eq!(found.map(|ply| ply as usize), expected, "{} {near}", line.name);
                tried += 1;
            }
        }
    }
    assert!(tried > 5_000, "{tried} positions tried");
}

fn near_misses(position: &Chess) -> Vec<Chess> {
    let mut setups = Vec::new();
    let setup = position.to_setup();
    let mut turned = setup.clone();
    (turned.side_to_move, turned.ep_square) = (!setup.side_to_move, None);
    setups.push(turned);
    for (color, side, _) in setup.castling.iter() {
        let mut poorer = setup.clone();
        poorer.castling.set(color, side, None);
        setups.push(poorer);
    }
    if setup.ep_square.is_some() {
        setups.push(halfmove_rules::Setup { ep_square: None, ..setup.clone() });
    }
    let kings = setup.board.by_role(halfmove_rules::Role::King);
    if let Some(square) = (setup.board.occupied() - kings).first() {
        let mut fewer = setup.clone();
        fewer.board.remove(square);
        setups.push(fewer);
    }
    let forgiven = Flaws::LEFTOVERS | Flaws::UNREACHABLE;
    setups.into_iter().filter_map(|setup| Chess::from_setup(setup, forgiven).ok()).collect()
}

/// A position of one variant is not found in another, though the pieces are the same.
#[test]
fn games_are_distinguished() {
    for (game, other) in [(Variant::Makruk, Variant::Makpong), (Variant::Chess, Variant::Asean)] {
        let target = Target::new(&AnyPosition::start(game));
        assert_eq!(replay::find(&encode(&AnyPosition::start(other), &[]), &target), Ok(None));
        assert_eq!(replay::find(&encode(&AnyPosition::start(game), &[]), &target), Ok(Some(0)));
    }
}

#[test]
fn an_error_names_the_byte() {
    let mut cut = encode(&"4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse::<Chess>().unwrap().into(), &[]);
    cut.pop();
    let usual = [&[0xe4, 0x00][..], &Chess::default().pack().unwrap()].concat();
    let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    let text = [&[0xe4, 0x02, fen.len() as u8][..], fen.as_bytes()].concat();
    let makruk = [&[0xe4, 0x10][..], &Makruk::default().pack().unwrap()].concat();
    for (bytes, offset, kind) in [
        (&[0x11, 0xff][..], 1, DecodeErrorKind::Reserved(0xff)),
        (&[0x11, 0x11, 0xe2, 0x00], 2, DecodeErrorKind::Truncated),
        (&[0xe2, 0x00, 0x00], 0, DecodeErrorKind::Reserved(0xe2)),
        (&[0xe0], 0, DecodeErrorKind::NoCastling),
        (&[0x68], 0, DecodeErrorKind::Illegal(Move::normal(Square::A1, Square::A2))),
        (&[0xe5], 0, DecodeErrorKind::Reserved(0xe5)),
        (&[0x11, 0xe5], 1, DecodeErrorKind::Reserved(0xe5)),
        (&[0x11, 0xe4], 1, DecodeErrorKind::Reserved(0xe4)),
        (&[0xe4], 1, DecodeErrorKind::Truncated),
        // Over the edge, spelled out unnecessarily, noncanonical heads.
        (&[0x11, 0x11, 0x5d], 2, DecodeErrorKind::OffTheBoard),
        (&[0x1d, 0x1d, 0x97], 2, DecodeErrorKind::OffTheBoard),
        (&[0xe2, 0x46, 0x05], 0, DecodeErrorKind::OwnCode),
        (&usual, 2, DecodeErrorKind::Start),
        (&text, 2, DecodeErrorKind::Start),
        (&makruk, 2, DecodeErrorKind::Start),
        (&[0xe4, 0x04], 1, DecodeErrorKind::Reserved(0x04)),
        (&[0xe4, 0x23], 1, DecodeErrorKind::Reserved(0x23)),
        (&[0xe4, 0x30], 1, DecodeErrorKind::Reserved(0x30)),
        (&[0xe4, 0x02, 0x03, b'8', b'/', b'8'], 2, DecodeErrorKind::Start),
        (&cut, 33, DecodeErrorKind::Truncated),
        // The bia on a3 has number 7: it can neither capture nor promote to a rook.
        (&[0xe4, 0x20, 0x71], 2, DecodeErrorKind::Illegal(Move::normal(Square::A3, Square::B4))),
        (&[0xe4, 0x20, 0x73], 2, DecodeErrorKind::Reserved(0x73)),
        (&[0xe4, 0x20, 0xf9], 2, DecodeErrorKind::Reserved(0xf9)),
    ] {
        assert_eq!(decode(bytes).map(drop), Err(DecodeError { offset, kind }), "{bytes:x?}");
    }
}

/// Real games with a few bytes changed: an error or another legal game, never a panic.
#[test]
fn damaged_bytes_do_no_harm() {
    let mut random = random();
    let target = Target::new(&Chess::default().into());
    let (mut refused, mut read) = (0, 0);
    for line in lines() {
        let last = line.positions().pop().expect("the start at least");
        for _ in 0..20 {
            let mut bytes = line.encode();
            for _ in 0..1 + random() % 4 {
                let at = random() as usize % bytes.len().max(1);
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = random() as u8;
                }
            }
            bytes.truncate(bytes.len() - random() as usize % bytes.len().clamp(1, 3));
            match decode(&bytes) {
                Ok(_) => read += 1,
                Err(error) => {
                    assert!(error.offset <= bytes.len());
                    refused += 1;
                }
            }
            let _ = replay::visits(&bytes, &target, |_, _| ());
            let _ = replay::find(&bytes, &Target::new(&last));
            let _ = replay::final_position(&bytes);
            let _ = replay::keys(&bytes, |_| ());
            let _ = matches(&bytes, &Pattern::new());
            let _ = material(&bytes, MaterialKey::default(), 0);
        }
    }
    assert!(refused > 1_000 && read > 0, "{refused} refused, {read} read");
}
