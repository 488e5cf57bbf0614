//! The boards of a game answer alike: perft, keys, captures, exchanges, and whole searches.

use crate::random::positions;
use crate::{chess, kin, makruk, objects, rows};
use halfmove_engine::{KeyedMakruk, Limits, Mailbox, Memory, Search, SearchBoard, perft};
use halfmove_rules::makruk::Rules;
use halfmove_rules::{AnyPosition, Move, Role, Square, Variant};

type SlowChess = Mailbox<halfmove_mailbox::Chess>;
type SlowMakruk = Mailbox<halfmove_mailbox::Makruk>;

/// The depth up to which a table of leaf counts is checked.
const MOST_LEAVES: u64 = 30_000;

#[test]
fn leaves_of_chess_are_the_published_ones() {
    let mut checked = 0;
    for name in ["perft/standard.tsv", "perft/chess960.tsv"] {
        for row in rows(name).iter().step_by(7) {
            let (position, depth) = (chess(&row[0]), row[1].parse().expect("a depth"));
            let leaves: u64 = row[2].parse().expect("a count");
            if leaves <= MOST_LEAVES {
                assert_eq!(perft(&position, depth), leaves, "{row:?}");
                checked += 1;
            }
        }
    }
    assert!(checked > 200, "{checked}");
}

#[test]
fn leaves_of_makruk_are_the_published_ones() {
    let mut checked = 0;
    for (name, limit) in [("makruk/perft.jsonl", MOST_LEAVES), ("makruk/kin_perft.jsonl", 3_000)] {
        for row in objects(name) {
            let rules = row["variant"].as_str().and_then(Rules::from_name).unwrap_or_default();
            let position = kin(row["fen"].as_str().expect("a FEN"), rules);
            for (i, leaves) in row["perft"].as_array().expect("counts").iter().enumerate() {
                let (depth, leaves) = (i as u32 + 1, leaves.as_u64().expect("a count"));
                if leaves <= limit {
                    assert_eq!(perft(&KeyedMakruk::new(position.clone()), depth), leaves, "{row}");
                    let slow = SlowMakruk::of(&position).expect("a legal position");
                    if leaves < 1_000 {
                        assert_eq!(perft(&slow, depth), leaves, "{row}");
                    }
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 150, "{checked}");
}

/// All legal moves, in order.
fn moves<B: SearchBoard>(position: &B) -> Vec<Move> {
    let mut moves = Vec::new();
    position.each_move(|mv| moves.push(mv));
    moves.sort();
    moves
}

/// Captures and promotions, in order.
fn noisy_moves<B: SearchBoard>(position: &B) -> Vec<Move> {
    let mut moves = Vec::new();
    position.each_noisy_move(|mv| moves.push(mv));
    moves.sort();
    moves
}

/// The other moves, with the role of the piece, in order.
fn quiet_moves<B: SearchBoard>(position: &B) -> Vec<(Move, Role)> {
    let mut moves = Vec::new();
    position.each_quiet_move(|role, mv| moves.push((mv, role)));
    moves.sort();
    moves
}

/// Everything that a search asks of a position.
fn compare<A: SearchBoard, B: SearchBoard>(fast: &A, slow: &B, what: &str) {
    assert_eq!(fast.side_to_move(), slow.side_to_move(), "{what}");
    assert_eq!(fast.halfmove_clock(), slow.halfmove_clock(), "{what}");
    assert_eq!(fast.is_check(), slow.is_check(), "{what}");
    assert_eq!(fast.count(), slow.count(), "{what}");
    assert_eq!(fast.is_insufficient_material(), slow.is_insufficient_material(), "{what}");
    assert_eq!(fast.placement(), slow.placement(), "{what}");
    assert_eq!(fast.evaluate().to_string(), slow.evaluate().to_string(), "{what}");
    assert_eq!(fast.value(), slow.value(), "{what}");
    let (all, noisy) = (moves(fast), noisy_moves(fast));
    assert_eq!(all, moves(slow), "{what}");
    assert_eq!(noisy, noisy_moves(slow), "{what}");
    let plain: Vec<_> =
        all.iter().copied().filter(|mv| mv.promotion().is_some() || fast.is_capture(*mv)).collect();
    assert_eq!(noisy, plain, "{what}");
    let quiet = quiet_moves(fast);
    assert_eq!(quiet, quiet_moves(slow), "{what}");
    for (mv, role) in &quiet {
        assert_eq!(fast.piece_at(mv.from()).map(|piece| piece.role), Some(*role), "{what}: {mv}");
    }
    let mut both: Vec<_> = quiet.iter().map(|(mv, _)| *mv).chain(noisy).collect();
    both.sort();
    assert_eq!(both, all, "{what}");
    for mv in both {
        // Back again, and standing still, are hardly ever legal.
        let others = [mv, Move::normal(mv.to(), mv.from()), Move::normal(mv.from(), mv.from())];
        for mv in others {
            let legal = all.contains(&mv);
            assert_eq!([fast.is_legal(mv), slow.is_legal(mv)], [legal; 2], "{what}: {mv}");
        }
    }
    for mv in all {
        assert_eq!(fast.is_capture(mv), slow.is_capture(mv), "{what}: {mv}");
        for threshold in [-500, -170, -1, 0, 1, 90, 170, 260, 500] {
            let [a, b] =
                [fast.exchange_at_least(mv, threshold), slow.exchange_at_least(mv, threshold)];
            assert_eq!(a, b, "{what}: {mv} {threshold}");
        }
    }
    if !fast.is_check() && fast.count().is_none() {
        let (fast, slow) = (fast.pass().expect("no check"), slow.pass().expect("no check"));
        assert_eq!(fast.key(), slow.key(), "{what}, passed");
        assert_eq!(fast.halfmove_clock(), slow.halfmove_clock(), "{what}, passed");
        assert_ne!(fast.is_check(), fast.pass().is_some(), "{what}, passed");
    }
    for square in Square::ALL {
        if let Some(piece) = fast.piece_at(square) {
            assert_eq!(slow.piece_at(square), Some(piece), "{what}");
            assert_eq!(fast.attacks(piece, square), slow.attacks(piece, square), "{what}");
        }
    }
}

#[test]
fn boards_of_chess_answer_alike() {
    let mut seen = 0;
    for variant in [Variant::Chess, Variant::Chess960] {
        positions(variant, 6, |position| {
            let Some(fast) = position.as_chess() else { panic!("chess is played") };
            compare(fast, &SlowChess::of(fast).expect("a legal position"), &fast.to_string());
            seen += 1;
        });
    }
    assert!(seen > 600);
}

#[test]
fn boards_of_makruk_answer_alike() {
    for variant in [Variant::Makruk, Variant::Makpong, Variant::Asean] {
        positions(variant, 6, |position| {
            let Some(makruk) = position.as_makruk() else { panic!("Makruk is played") };
            let fast = KeyedMakruk::new(makruk.clone());
            let slow = SlowMakruk::of(makruk).expect("a legal position");
            compare(&fast, &slow, &makruk.to_string());
        });
    }
}

/// The key that was updated move by move is that of the position.
#[test]
fn keys_follow_the_moves() {
    for variant in [Variant::Makruk, Variant::Makpong, Variant::Asean] {
        let AnyPosition::Makruk(start) = AnyPosition::start(variant) else { panic!("no Makruk") };
        let mut random = halfmove_engine::Random::new(7);
        let mut keyed = KeyedMakruk::new(start.clone());
        let mut slow = SlowMakruk::of(&start).expect("a legal position");
        for _ in 0..200 {
            let moves = keyed.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            keyed.play(mv);
            slow.play(mv);
            assert_eq!(keyed.key(), KeyedMakruk::new(keyed.position().clone()).key());
            assert_eq!(keyed.key(), slow.key(), "{variant}: {}", keyed.position());
            assert_eq!(keyed.count(), slow.count(), "{variant}: {}", keyed.position());
        }
    }
}

/// The nodes, the move, the score and the line of a search.
fn searched<B: SearchBoard>(
    memory: &Memory,
    position: &B,
    depth: u32,
) -> (u64, Option<Move>, String, Vec<Move>) {
    memory.clear();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut line = Vec::new();
    let answer = Search::new(memory).run(position, &[], &limits, &mut |report| {
        line.clone_from(&report.line);
    });
    (answer.nodes, answer.best, answer.value.to_string(), line)
}

#[test]
fn searches_of_chess_are_the_same_on_both_boards() {
    let memory = Memory::new(1);
    for (fen, depth) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7),
        ("1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1", 4),
        ("8/8/8/3k4/8/8/8/KBN5 w - - 90 80", 8),
        ("4k3/P7/8/8/8/8/7p/4K3 w - - 0 1", 8),
    ] {
        let position = chess(fen);
        let slow = SlowChess::of(&position).expect("a legal position");
        let fast = searched(&memory, &position, depth);
        assert!(fast.0 > 100, "{fen}: {fast:?}");
        assert_eq!(fast, searched(&memory, &slow, depth), "{fen}");
    }
}

#[test]
fn searches_of_makruk_are_the_same_on_both_boards() {
    let memory = Memory::new(1);
    for (fen, depth) in [
        ("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1", 5),
        ("2r2r2/3nks2/p1spp2p/1pm3p1/1P1PPP1P/P1PSN1P1/3NKS2/2R1MR2 b - - 0 1", 4),
        ("8/2k1n3/1p2s3/p2p1r2/P1PP1N2/1PS1K3/4R3/8 w - - 0 1", 5),
        ("8/3k4/2m1n3/8/3NS3/2M1K3/8/4R3 w - - 0 1", 6),
        ("8/8/3k4/8/3KS3/8/8/3R4 w - 32 9 60", 8),
        ("8/8/3k4/8/3K4/8/8/3R4 w - 32 21 60", 8),
    ] {
        let position = makruk(fen);
        let slow = SlowMakruk::of(&position).expect("a legal position");
        let fast = searched(&memory, &KeyedMakruk::new(position), depth);
        assert_eq!(fast, searched(&memory, &slow, depth), "{fen}");
    }
    for (rules, fen) in [
        (Rules::Makpong, "2r2r2/3nks2/p1spp2p/1pm3p1/1P1PPP1P/P1PSN1P1/3NKS2/2R1MR2 b - - 0 1"),
        (Rules::Asean, "8/P1k5/8/3b4/8/4K3/5p2/8 w - - 0 1"),
    ] {
        let position = kin(fen, rules);
        let slow = SlowMakruk::of(&position).expect("a legal position");
        assert_eq!(
            searched(&memory, &KeyedMakruk::new(position), 4),
            searched(&memory, &slow, 4),
            "{fen}"
        );
    }
}
