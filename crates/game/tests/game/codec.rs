//! Bytes and replay, compared with the rules: every ply of every game of three sets.

use crate::mainlines::{Mainline, shipped};
use halfmove_game::CodedGame;
use halfmove_game::codec::halfmove::{self, Decoder};
use halfmove_game::codec::{DecodeError, DecodeErrorKind};
use halfmove_game::pgn::GameReader;
use halfmove_game::replay::{self, Start, Target};
use halfmove_rules::{Chess, Flaws, Move, Square};

#[test]
fn every_game_comes_back_from_its_bytes() {
    let (mut plies, mut bytes_of_usual_games) = (0, 0);
    for line in shipped() {
        let bytes = line.encode();
        assert_eq!(halfmove::decode(&line.start, &bytes), Ok(line.moves.clone()), "{}", line.name);
        assert_eq!(halfmove::plies(&bytes) as usize, line.moves.len(), "{}", line.name);
        assert_eq!(halfmove::has_own_start(&bytes), !halfmove::is_usual_start(&line.start));
        if !halfmove::has_own_start(&bytes) {
            plies += line.moves.len();
            bytes_of_usual_games += bytes.len();
        }
        let mut decoder = Decoder::new(&line.start, &bytes).unwrap();
        assert_eq!(decoder.by_ref().count(), line.moves.len());
        assert_eq!(decoder.position().to_string(), line.final_fen, "{}", line.name);
    }
    // One byte per half-move, and less than one percent more.
    assert!(bytes_of_usual_games * 100 < plies * 101, "{bytes_of_usual_games} for {plies}");
}

/// A game from the usual position that begins at move 7 needs its start, so that its moves get their numbers.
#[test]
fn a_move_number_of_its_own_is_a_start_of_its_own() {
    let seventh: Chess =
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 7".parse().unwrap();
    let moves = [Move::normal(Square::E2, Square::E4)];
    let mut bytes = Vec::new();
    halfmove::encode(&seventh, &moves, &mut bytes);
    assert_eq!(bytes, [0xe3, 0x11]);
    let mut decoder = Decoder::new(&seventh, &bytes).unwrap();
    assert_eq!(decoder.next(), Some(Ok(moves[0])));
    assert_eq!(decoder.position().fullmove_number(), 7);
    let target = Target::new(decoder.position());
    assert_eq!(replay::find(&Start::new(&seventh), &bytes, &target), Ok(Some(1)));
    let mut coded = CodedGame::default();
    let text = format!("[FEN \"{seventh}\"]\n\n7. e4 *\n");
    GameReader::new(text.as_bytes()).read_coded(&mut coded).unwrap();
    assert_eq!(coded.bytes, bytes);
    // Without the start, the numbers would be wrong.
    let error = DecodeError { offset: 0, kind: DecodeErrorKind::OwnStart };
    assert_eq!(halfmove::decode(&Chess::default(), &bytes), Err(error));
    assert_eq!(replay::find(&Start::usual(), &bytes, &target), Err(error));
    // Bytes of older encoders have no mark.
    assert_eq!(halfmove::decode(&seventh, &bytes[1..]).as_deref(), Ok(&moves[..]));
    assert_eq!(replay::find(&Start::new(&seventh), &bytes[1..], &target), Ok(Some(1)));
}

/// Replay finds each position of a game where, by the rules, it first arises, and visits it as often as it
/// arises, with the moves played there.
#[test]
fn replay_finds_what_the_rules_find() {
    for line in &shipped() {
        let start = Start::new(&line.start);
        let bytes = line.encode();
        let positions = line.positions();
        for position in &positions {
            let expected: Vec<(u32, Option<Move>)> = positions
                .iter()
                .enumerate()
                .filter(|(_, other)| *other == position)
                .map(|(ply, _)| (ply as u32, line.moves.get(ply).copied()))
                .collect();
            let target = Target::new(position);
            let mut visited = Vec::new();
            replay::visits(&start, &bytes, &target, |ply, next| visited.push((ply, next))).unwrap();
            assert_eq!(visited, expected, "{} {position}", line.name);
            assert_eq!(replay::find(&start, &bytes, &target), Ok(Some(expected[0].0)));
        }
    }
}

/// A position that differs in a single detail is not found: the side to move, a castling right, the en passant
/// capture, a piece.
#[test]
fn replay_tells_near_misses_apart() {
    let mut tried = 0;
    for line in shipped().iter().step_by(5) {
        let (start, bytes) = (Start::new(&line.start), line.encode());
        let positions = line.positions();
        for position in positions.iter().step_by(3) {
            for near in near_misses(position) {
                let expected = positions.iter().position(|other| *other == near);
                let found = replay::find(&start, &bytes, &Target::new(&near)).unwrap();
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

#[test]
fn the_start_must_fit_the_bytes() {
    let usual = Chess::default();
    let own: Chess = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
    let mut bytes = Vec::new();
    halfmove::encode(&own, &[Move::castle(Square::E1, Square::H1)], &mut bytes);
    assert_eq!(bytes, [0xe3, 0xe0]);
    let error = |kind| DecodeError { offset: 0, kind };
    assert_eq!(halfmove::decode(&usual, &bytes), Err(error(DecodeErrorKind::OwnStart)));
    assert_eq!(halfmove::decode(&own, &[0x11]), Err(error(DecodeErrorKind::UsualStart)));
    let target = Target::new(&usual);
    assert!(replay::find(&Start::usual(), &bytes, &target).is_err());
    assert!(replay::find(&Start::new(&own), &[], &target).is_err());
}

#[test]
fn an_error_names_the_byte() {
    let usual = Chess::default();
    for (bytes, offset, kind) in [
        (&[0x11, 0xff][..], 1, DecodeErrorKind::Reserved(0xff)),
        (&[0x11, 0x11, 0xe2, 0x00], 2, DecodeErrorKind::Truncated),
        (&[0xe2, 0x00, 0x00], 0, DecodeErrorKind::Reserved(0xe2)),
        (&[0xe0], 0, DecodeErrorKind::Illegal(Move::castle(Square::E1, Square::H1))),
        (&[0x68], 0, DecodeErrorKind::Illegal(Move::normal(Square::A1, Square::A2))),
        (&[0xe3], 0, DecodeErrorKind::OwnStart),
    ] {
        assert_eq!(
            halfmove::decode(&usual, bytes),
            Err(DecodeError { offset, kind }),
            "{bytes:x?}"
        );
    }
}

/// Real games with a few bytes changed: an error or another legal game, never a panic.
#[test]
fn damaged_bytes_do_no_harm() {
    let mut state = 0x1234_5678_9abc_def1_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let wanted = Target::new(&Chess::default());
    let (mut refused, mut read) = (0, 0);
    for line in shipped() {
        let start = Start::new(&line.start);
        for _ in 0..20 {
            let mut bytes = line.encode();
            for _ in 0..1 + random() % 4 {
                let at = random() as usize % bytes.len().max(1);
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = random() as u8;
                }
            }
            bytes.truncate(bytes.len() - random() as usize % bytes.len().clamp(1, 3));
            match halfmove::decode(&line.start, &bytes) {
                Ok(_) => read += 1,
                Err(error) => {
                    assert!(error.offset < bytes.len().max(1));
                    refused += 1;
                }
            }
            let _ = replay::visits(&start, &bytes, &wanted, |_, _| ());
            if let Some(position) = line.positions().last() {
                let _ = replay::find(&start, &bytes, &Target::new(position));
            }
        }
    }
    assert!(refused > 1_000 && read > 0, "{refused} refused, {read} read");
}

impl Mainline {
    fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        halfmove::encode(&self.start, &self.moves, &mut bytes);
        bytes
    }
}
