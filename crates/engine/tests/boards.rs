//! The boards of the search against the 0x88 board of crate `mailbox`: perft, moves, checks, counts, exchanges; and keys.

use crate::random::positions;
use crate::{chess, kin, objects, rows};
use halfmove_engine::{Count, KeyedMakruk, SearchBoard, perft};
use halfmove_mailbox::{self as mailbox, CountingPolicy, Dialect};
use halfmove_rules::makruk::Rules;
use halfmove_rules::{AnyPosition, Chess, EnPassantMode, Move, Role, Square, Variant};

/// The depth up to which a table of leaf counts is checked.
const MAX_LEAVES: u64 = 30_000;

#[test]
fn leaves_of_chess_are_the_published_ones() {
    let mut checked = 0;
    for name in ["perft/standard.tsv", "perft/chess960.tsv"] {
        for row in rows(name).iter().step_by(7) {
            let (position, depth) = (chess(&row[0]), row[1].parse().expect("a depth"));
            let leaves: u64 = row[2].parse().expect("a count");
            if leaves <= MAX_LEAVES {
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
    for (name, limit) in [("makruk/perft.jsonl", MAX_LEAVES), ("makruk/kin_perft.jsonl", 3_000)] {
        for row in objects(name) {
            let rules = row["variant"].as_str().and_then(Rules::from_name).unwrap_or_default();
            let position = kin(row["fen"].as_str().expect("a FEN"), rules);
            for (i, leaves) in row["perft"].as_array().expect("counts").iter().enumerate() {
                let (depth, leaves) = (i as u32 + 1, leaves.as_u64().expect("a count"));
                if leaves <= limit {
                    assert_eq!(perft(&KeyedMakruk::new(position.clone()), depth), leaves, "{row}");
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 150, "{checked}");
}

/// The values of a 0x88 board for a position.
struct Slow {
    board: mailbox::Board,
    moves: Vec<Move>,
    is_check: bool,
    count: Option<Count>,
    is_insufficient: bool,
}

fn slow_chess(position: &Chess) -> Slow {
    let setup = position.to_setup_as(EnPassantMode::Always);
    let slow = mailbox::Chess::from_setup(&setup).expect("a legal position");
    Slow {
        board: slow.board().clone(),
        moves: slow.legal_moves().into_iter().collect(),
        is_check: slow.is_check(),
        count: None,
        is_insufficient: slow.outcome() == Some(halfmove_rules::Outcome::InsufficientMaterial),
    }
}

fn slow_makruk(position: &halfmove_rules::Makruk) -> Slow {
    let rules = match position.rules() {
        Rules::Makpong => mailbox::Rules::Makpong,
        Rules::Asean => mailbox::Rules::Asean,
        _ => mailbox::Rules::Makruk,
    };
    let fen = position.to_string();
    let slow = mailbox::Makruk::from_fen(&fen, rules, Dialect::Fairy, CountingPolicy::Auto);
    let slow = slow.expect("a legal position");
    let count = slow.counting().map(|count| Count {
        color: count.color,
        bare: count.honor == mailbox::Honor::Pieces,
        plies_left: i32::from(count.limit) - i32::from(count.ply),
    });
    Slow {
        board: slow.board().clone(),
        moves: slow.legal_moves().into_iter().collect(),
        is_check: slow.is_check(),
        count,
        is_insufficient: slow.ending() == Some(mailbox::Ending::InsufficientMaterial),
    }
}

/// The roles in the order in which they capture.
const BY_VALUE: [Role; 8] = [
    Role::Pawn,
    Role::Met,
    Role::Khon,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
    Role::King,
];

/// The gain of a move on its target square, by moving pieces.
fn exchange(board: &mailbox::Board, mv: Move, values: &[i32; 8]) -> i32 {
    let (from, to) = (mv.from(), mv.to());
    let value = |role: Role| values[role.index()];
    let mut board = board.clone();
    let Some(mover) = board.remove(from).filter(|_| !mv.is_castle()) else { return 0 };
    let role = mover.kind.role();
    let mut won = board.remove(to).map_or(0, |piece| value(piece.kind.role()));
    if role == Role::Pawn && won == 0 && from.file() != to.file() {
        // En passant.
        board.remove(Square::new(to.file(), from.rank()));
        won = value(Role::Pawn);
    }
    let role = mv.promotion().unwrap_or(role);
    won += value(role) - value(mover.kind.role());
    board.put(to, mailbox::Piece { kind: role.into(), ..mover });
    won - best_capture(&mut board, to, !mover.color, values)
}

/// The gain of a side by capturing on a square, or 0 if capturing loses.
fn best_capture(
    board: &mut mailbox::Board,
    square: Square,
    us: halfmove_rules::Color,
    values: &[i32; 8],
) -> i32 {
    let role_of =
        |board: &mailbox::Board, square| board.piece_at(square).map(|piece| piece.kind.role());
    let rank = |from: &Square| {
        let role = role_of(board, *from);
        (BY_VALUE.iter().position(|other| Some(*other) == role), *from)
    };
    let Some(from) = board.attackers(square, us).min_by_key(rank) else { return 0 };
    let (Some(piece), Some(taken)) = (board.remove(from), role_of(board, square)) else { return 0 };
    if piece.kind == mailbox::Kind::King && board.is_attacked(square, !us) {
        return 0;
    }
    board.put(square, piece);
    (values[taken.index()] - best_capture(board, square, !us, values)).max(0)
}

/// Compares everything that a search needs of a position.
fn compare<B: SearchBoard>(fast: &B, slow: &Slow, what: &str) {
    assert_eq!(fast.is_check(), slow.is_check, "{what}");
    assert_eq!(fast.count(), slow.count, "{what}");
    if fast.board().occupied().len() <= 4 {
        assert_eq!(fast.is_insufficient_material(), slow.is_insufficient, "{what}");
    }
    let pieces: Vec<_> = fast.board().pieces().collect();
    let slow_pieces: Vec<_> = Square::ALL
        .into_iter()
        .filter_map(|at| Some((at, slow.board.piece_at(at)?.into())))
        .collect();
    assert_eq!(pieces, slow_pieces, "{what}");

    let mut all = slow.moves.clone();
    all.sort();
    let sorted = |list: &dyn Fn(&mut Vec<Move>)| {
        let mut moves = Vec::new();
        list(&mut moves);
        moves.sort();
        moves
    };
    assert_eq!(sorted(&|moves| fast.each_move(|mv| moves.push(mv))), all, "{what}");
    let takes = |mv: &Move| {
        let (from, to) = (mv.from(), mv.to());
        let is_pawn = fast.board().role_at(from) == Some(Role::Pawn);
        let en_passant = is_pawn && from.file() != to.file();
        !mv.is_castle() && (en_passant || slow.board.piece_at(to).is_some())
    };
    let is_noisy = |mv: &Move| mv.promotion().is_some() || takes(mv);
    let (noisy, quiet): (Vec<_>, Vec<_>) = all.iter().copied().partition(is_noisy);
    assert_eq!(sorted(&|moves| fast.each_noisy_move(|mv| moves.push(mv))), noisy, "{what}");
    let mut found = Vec::new();
    fast.each_quiet_move(|role, mv| {
        assert_eq!(fast.board().role_at(mv.from()), Some(role), "{what}: {mv}");
        found.push(mv);
    });
    found.sort();
    assert_eq!(found, quiet, "{what}");
    assert_eq!(fast.has_moves(), !all.is_empty(), "{what}");

    for mv in &all {
        // Back again, and standing still, are hardly ever legal.
        let others = [*mv, Move::normal(mv.to(), mv.from()), Move::normal(mv.from(), mv.from())];
        for mv in others {
            assert_eq!(fast.is_legal(mv), all.contains(&mv), "{what}: {mv}");
        }
        assert_eq!(fast.is_capture(*mv), takes(mv), "{what}: {mv}");
        let value = exchange(&slow.board, *mv, &B::VALUES);
        for threshold in [-500, -170, -1, 0, 1, 90, 170, 260, 500, value, value + 1] {
            let reached = fast.exchange_at_least(*mv, threshold);
            assert_eq!(reached, value >= threshold, "{what}: {mv} {threshold}");
        }
    }
    assert_eq!(fast.pass().is_none(), slow.is_check, "{what}");
    if let Some(passed) = fast.pass() {
        assert_eq!(passed.side_to_move(), !fast.side_to_move(), "{what}, passed");
        assert_eq!(passed.board(), fast.board(), "{what}, passed");
        assert_ne!(passed.key(), fast.key(), "{what}, passed");
    }
}

#[test]
fn positions_of_chess_are_as_on_the_0x88_board() {
    let mut seen = 0;
    for variant in [Variant::Chess, Variant::Chess960] {
        positions(variant, 6, |position| {
            let Some(fast) = position.as_chess() else { panic!("chess is played") };
            compare(fast, &slow_chess(fast), &fast.to_string());
            seen += 1;
        });
    }
    assert!(seen > 600);
}

#[test]
fn positions_of_makruk_are_as_on_the_0x88_board() {
    for variant in [Variant::Makruk, Variant::Makpong, Variant::Asean] {
        positions(variant, 6, |position| {
            let Some(makruk) = position.as_makruk() else { panic!("Makruk is played") };
            let fast = KeyedMakruk::new(makruk.clone());
            compare(&fast, &slow_makruk(makruk), &makruk.to_string());
        });
    }
}

/// The key that was updated move by move is that of the position.
#[test]
fn keys_follow_the_moves() {
    for variant in [Variant::Makruk, Variant::Makpong, Variant::Asean] {
        let AnyPosition::Makruk(start) = AnyPosition::start(variant) else { panic!("no Makruk") };
        let mut random = halfmove_engine::Random::new(7);
        let mut keyed = KeyedMakruk::new(start);
        for _ in 0..200 {
            let moves = keyed.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            keyed.play(moves[random.below(moves.len())]);
            let fresh = KeyedMakruk::new(keyed.position().clone());
            assert_eq!(keyed.key(), fresh.key(), "{variant}: {}", keyed.position());
            if let Some(passed) = keyed.pass() {
                assert_eq!(passed.key(), KeyedMakruk::new(passed.position().clone()).key());
            }
        }
    }
}
