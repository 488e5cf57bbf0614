//! The features of each move of a position, and of the end of the game.

use halfmove_game::rules::cpu::Cpu;
use halfmove_game::rules::{Color, Move, MoveList, Role};

use super::context::{Context, class};
use super::scan::{Scan, attacks, square};
use super::tables::*;

/// A legal move on the mirrored board.
#[derive(Copy, Clone, Debug)]
pub(super) struct Candidate {
    pub(super) kind: usize,
    pub(super) from: usize,
    /// The target of the king, in castling.
    pub(super) to: usize,
    /// The move itself.
    pub(super) mv: Move,
    /// The order of moves: their bits on the mirrored board.
    pub(super) key: u16,
}

impl Candidate {
    /// The legal moves in the order of the format.
    #[inline(always)]
    pub(super) fn all(
        cpu: impl Cpu,
        context: &Context,
        scan: &Scan,
        candidates: &mut Vec<Candidate>,
    ) {
        let mirror = mirror(context);
        candidates.clear();
        let mut moves = MoveList::new();
        context.position.fill_moves_on(cpu, &mut moves);
        for &mv in &moves {
            let key = mv.to_bits() ^ mirror;
            let (from, mut to) = (usize::from(key) & 63, usize::from(key) >> 6 & 63);
            let kind = match mv.promotion() {
                _ if mv.is_castle() => 6,
                Some(Role::Queen) => 7,
                Some(Role::Knight) => 8,
                Some(_) => 9,
                None => scan.role_at(from).unwrap_or(0),
            };
            if mv.is_castle() {
                to = if to > from { 6 } else { 2 };
            }
            candidates.push(Candidate { kind, from, to, mv, key });
        }
        candidates.sort_unstable_by_key(|candidate| candidate.key);
    }
}

/// The bits of a move that differ on the mirrored board.
pub(super) fn mirror(context: &Context) -> u16 {
    match context.position.side_to_move() {
        Color::White => 0,
        Color::Black => 56 | 56 << 6,
    }
}

/// The upper bits of a product: a hash with as many bits as `len`, a power of two, has places.
#[inline(always)]
fn hashed(a: u32, b: u32, len: usize) -> usize {
    let mixed = (u64::from(a) << 32 | u64::from(b)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (mixed >> (64 - len.trailing_zeros())) as usize
}

#[inline(always)]
fn distance(a: usize, b: usize) -> usize {
    (a % 8).abs_diff(b % 8).max((a / 8).abs_diff(b / 8))
}

#[inline(always)]
fn bit(set: u64, square: usize) -> usize {
    (set >> square) as usize & 1
}

/// The class of a threat against a set of pieces.
#[inline(always)]
fn threat(set: u64, them: &[u64; 6]) -> usize {
    let classes = [them[4], them[3], them[1] | them[2], them[0]];
    let class = classes.iter().position(|of| of & set != 0).map_or(0, |at| 4 - at);
    class * 2 + usize::from(set & set.wrapping_sub(1) != 0)
}

const FILE: u64 = 0x0101_0101_0101_0101;

/// Pawns near a square: ours and theirs on its file, theirs that may come to attack it, ours that protect it.
#[inline(always)]
fn shape(scan: &Scan, to: usize) -> usize {
    let file = FILE << (to % 8);
    let beside = file << 1 & !FILE | file >> 1 & !(FILE << 7);
    let ahead = if to < 56 { u64::MAX << ((to / 8 + 1) * 8) } else { 0 };
    let is_any = |set: u64| usize::from(set != 0);
    let protectors = attacks_of_black_pawn(to);
    is_any(scan.us[0] & file)
        | is_any(scan.them[0] & file) << 1
        | is_any(scan.them[0] & beside & ahead) << 2
        | is_any(scan.us[0] & protectors) << 3
}

#[inline(always)]
fn attacks_of_black_pawn(to: usize) -> u64 {
    halfmove_game::rules::bitboard::attacks::pawn(Color::Black, square(to)).0
}

/// Adds the weight of each feature of a move: its index in all tables. Returns the class of its exchange.
#[inline(always)]
pub(super) fn of_move(
    cpu: impl Cpu,
    context: &Context,
    scan: &Scan,
    candidate: &Candidate,
    book: Option<usize>,
    mut add: impl FnMut(usize),
) -> usize {
    let &Candidate { kind, from, to, .. } = candidate;
    let setting = context.setting;
    let role = match kind {
        6 => 5,
        7 => 4,
        8 => 1,
        9 => 3,
        role => role,
    };
    let captured = match scan.role_at(to) {
        _ if kind == 6 => 0,
        Some(role) => class(role),
        None => usize::from(kind == 0 && from % 8 != to % 8),
    };
    let captures = usize::from(captured > 0);
    let phase = scan.phase;
    let at_to = scan.their.least(to);
    let at_from = scan.their.least(from);
    let is_attacked = usize::from(at_to > 0);
    // A piece attacks its target, but for pawns that move straight.
    let own = bit(scan.attacks[from], to);
    let supporters = bit(scan.our.once, to) + bit(scan.our.twice, to);
    let supporters = supporters.saturating_sub(own);
    let guards = bit(scan.our.once, from) + bit(scan.our.twice, from);
    let after = attacks(cpu, role, to, scan.occupied() & !(1 << from) | 1 << to);
    let is_direct = bit(after, scan.their_king);
    let is_discoverer = bit(scan.discoverers, from);
    let threat = threat(after & scan.targets[role], &scan.them);
    let hangs = bit(scan.hanging, from);
    let many_hang = usize::from(scan.hanging & scan.hanging.wrapping_sub(1) != 0);
    let is_check = usize::from(scan.is_check);
    let ply = context.ply;
    let [last, own_last] = scan.last;
    let by_last = bit(scan.by_last, from);

    let piece_to = (kind * 64 + to) as u32;
    let whole = ((kind * 64 + from) * 64 + to) as u32;
    let mover_to = |kind: usize, to: usize| (kind * 64 + to) as u32;
    let mover = |kind: usize, from: usize, to: usize| ((kind * 64 + from) * 64 + to) as u32;

    add(FROM_TO + whole as usize);
    let exchange = (kind * 6 + captured) * 6 + at_to;
    let two_at_to = bit(scan.their.twice, to);
    add(EXCHANGE + ((exchange * 2 + two_at_to) * 3 + supporters) * 3 + phase);
    let origin = ((kind * 6 + at_from) * 6 + at_to) * 2 + captures;
    let origin = (origin * 2 + bit(scan.their.twice, from)) * 3 + guards;
    let is_safe = usize::from(at_to == 0 || supporters > two_at_to && at_to >= class(role));
    add(ORIGIN + (origin * 2 + by_last) * 2 + is_safe);
    let hanging = (kind * 6 + captured) * 5 + scan.hanging_class;
    let protects = usize::from(after & scan.hanging & !(1 << from) != 0);
    add(HANGING + (((hanging * 2 + many_hang) * 2 + hangs) * 2 + protects) * 2 + is_attacked);
    let takes_back = usize::from(last.kind < KINDS && last.to == to);
    add(RECAPTURE
        + (((kind * 6 + captured) * 6 + last.captured) * 2 + takes_back) * 2
        + is_attacked);
    add(REPLY + hashed(mover_to(last.kind, last.to), piece_to, 1 << 17));
    add(REPLY_FULL + hashed(mover(last.kind, last.from, last.to), whole, 1 << 18));
    add(FOLLOW + hashed(mover_to(own_last.kind, own_last.to), piece_to, 1 << 17));
    let checks = ((kind * 6 + at_to) * 2 + is_direct) * 2 + is_discoverer;
    let is_supported = usize::from(supporters > 0);
    // Support matters for checks; in check, whether it captures.
    add(CHECK
        + checks * 6
        + if scan.is_check { 4 + captures } else { is_supported * 2 + captures });
    add(THREAT + ((kind * THREATS + threat) * 6 + at_to) * 3 + supporters);
    let kings = |king: usize| (kind * 8 + distance(to, king)) * 8 + distance(from, king);
    add(THEIR_KING + kings(scan.their_king) * 3 + phase);
    add(OUR_KING + kings(scan.our_king) * 3 + phase);
    let reach = |set: u64| (set.count_ones() as usize / 2).min(15);
    let mobility = (kind * 16 + reach(scan.attacks[from])) * 16 + reach(after);
    add(MOBILITY + mobility * 3 + phase);
    let file = FILE << (from % 8);
    let leaves = usize::from(scan.us[0] & file & !(1 << from) != 0)
        | usize::from(scan.them[0] & file != 0) << 1;
    add(SHAPE + (((kind * 16 + shape(scan, to)) * 4 + leaves) * 8 + to / 8) * 3 + phase);
    add(AROUND_FROM + hashed(scan.around(from), kind as u32, 1 << 16));
    add(AROUND_TO + hashed(scan.around(to), kind as u32, 1 << 16));
    add(PLY + piece_to as usize * 16 + (ply / 6).min(15));
    add(MATERIAL + piece_to as usize * 8 + scan.material);
    let at_from_any = usize::from(at_from > 0);
    add(RATING + (setting * KINDS * 36 + exchange) * 2 + at_from_any);
    let gives_check = is_direct | is_discoverer;
    let rated = ((setting * THREATS + threat) * 2 + gives_check) * 2 + hangs;
    add(RATING_THREAT + rated * 2 + is_check);
    add(RATING_PLY + ((setting * KINDS + kind) * 8 + to / 8) * 8 + (ply / 12).min(7));
    let takes_move_back = own_last.kind < KINDS && own_last.from == to && own_last.to == from;
    let moves_again = own_last.kind < KINDS && own_last.to == from;
    let was_there = last.kind < KINDS;
    let order = usize::from(takes_move_back)
        | usize::from(moves_again) << 1
        | by_last << 2
        | usize::from(was_there && bit(after, last.to) == 1) << 3
        | usize::from(was_there && bit(scan.by_last, to) == 1) << 4
        | usize::from(was_there && last.from == to) << 5;
    add(ORDER + kind * 64 + order);
    let forward = match (to / 8).cmp(&(from / 8)) {
        std::cmp::Ordering::Less => 0,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Greater => 2,
    };
    add(LINE + ((kind * 8 + distance(from, to)) * 3 + forward) * 3 + phase);
    if let Some(book) = book {
        add(BOOK_WEIGHTS + book * 2 + setting % 2);
    }
    exchange
}

/// Adds the weight of each feature of the end of the game.
#[inline(always)]
pub(super) fn of_end(context: &Context, scan: &Scan, moves: usize, mut add: impl FnMut(usize)) {
    let setting = context.setting;
    let is_check = usize::from(scan.is_check);
    let many_hang = usize::from(scan.hanging & scan.hanging.wrapping_sub(1) != 0);
    let clock = usize::from(context.position.halfmove_clock());
    let is_black = usize::from(context.position.side_to_move() == Color::Black);
    add(END_PLY + ((context.ply / 4).min(63) * 2 + is_black) * 2 + setting % 2);
    let material = (scan.balance * PHASES + scan.phase) * 5 + scan.hanging_class;
    add(END_MATERIAL + material * 2 + many_hang);
    add(END_CLOCK + ((clock / 8).min(15) * 3 + scan.repetitions) * PHASES + scan.phase);
    add(END_RATING + setting * 16 + (context.ply / 16).min(15));
    let balance = match scan.balance {
        ..6 => 0,
        6..=10 => 1,
        _ => 2,
    };
    let state = (moves.min(15) * 2 + is_check) * 6 + scan.last[0].captured;
    add(END_MOVES + state * 3 + balance);
}
