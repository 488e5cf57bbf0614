//! The features of each move of a position, and of the end of the game.
//!
//! An index in a table is a sum of features, each times a constant. What the piece and the position add to the indices of a
//! move is computed once for each piece, and what its target adds for each move: no feature of one is multiplied with one of
//! the other.

use halfmove_game::rules::Color;

use super::context::{Context, Movement, class};
use super::tables::*;
use super::view::{View, attacks};

/// The number of tables that have a weight for each move. A move of a position in the book has one more.
pub(super) const EACH: usize = 23;

/// The number of weights of the end of the game.
pub(super) const OF_END: usize = 5;

/// The indices of the weights of a move, in the order of the tables, the last in that of the book.
pub(super) type Indices = [u32; EACH + 1];

/// The first index of each table of moves but the book's, which follows.
const FIRST: [usize; EACH] = {
    let mut first = [0; EACH];
    let mut at = 1;
    while at < EACH {
        first[at] = first[at - 1] + TABLES[at - 1].len;
        at += 1;
    }
    assert!(first[EACH - 1] + TABLES[EACH - 1].len == BOOK_WEIGHTS);
    first
};

/// The place of a table among all, by its first index.
const fn place(table: usize) -> usize {
    let mut at = 0;
    while FIRST[at] != table {
        at += 1;
    }
    at
}

/// The tables whose index is a hash that depends on the target. They are large: a weight is rarely in the cache.
pub(super) const HASHED: [usize; 4] =
    [place(REPLY), place(REPLY_FULL), place(FOLLOW), place(AROUND_TO)];

/// The features that a piece has before it moves, and those of the position. All are 0 by default.
#[derive(Copy, Clone, Debug, Default)]
struct Origin {
    kind: u32,
    from: u32,
    phase: u32,
    /// Their attackers: the least, and two or more.
    least: u32,
    two: u32,
    defenders: u32,
    by_last: u32,
    /// The most valuable hanging piece, more than one, this one.
    most_hanging: u32,
    many_hang: u32,
    hangs: u32,
    last_captured: u32,
    discovers: u32,
    their_king: u32,
    our_king: u32,
    reach: u32,
    pawns: u32,
    around: u32,
    ply: u32,
    material: u32,
    setting: u32,
    is_check: u32,
    moved_last: u32,
}

/// The features that a move adds. All are 0 by default.
#[derive(Copy, Clone, Debug, Default)]
struct Target {
    to: u32,
    captured: u32,
    captures: u32,
    /// Their attackers: the least, one or more, two or more.
    least: u32,
    is_attacked: u32,
    two: u32,
    supporters: u32,
    is_safe: u32,
    defends: u32,
    takes_back: u32,
    reply: u32,
    reply_full: u32,
    follow: u32,
    is_direct: u32,
    gives_check: u32,
    support: u32,
    threat: u32,
    their_king: u32,
    our_king: u32,
    reach: u32,
    pawns: u32,
    rank: u32,
    around: u32,
    order: u32,
    distance: u32,
    forward: u32,
}

/// The indices in the tables of moves, in the order of [`TABLES`], from 0 in each. Each is linear: `indices(o, t)` is
/// `indices(o, 0)` plus `indices(0, t)`.
#[inline(always)]
fn indices(o: &Origin, t: &Target) -> [u32; EACH] {
    let kind_to = o.kind * 64 + t.to;
    let exchange = (o.kind * 6 + t.captured) * 6 + t.least;
    let origin = ((o.kind * 6 + o.least) * 6 + t.least) * 2 + t.captures;
    let hanging = (o.kind * 6 + t.captured) * 5 + o.most_hanging;
    let recapture = (o.kind * 6 + t.captured) * 6 + o.last_captured;
    let check = ((o.kind * 6 + t.least) * 2 + t.is_direct) * 2 + o.discovers;
    let rating_threat = (o.setting * THREATS as u32 + t.threat) * 2 + t.gives_check;
    [
        (o.kind * 64 + o.from) * 64 + t.to,
        ((exchange * 2 + t.two) * 3 + t.supporters) * 3 + o.phase,
        (((origin * 2 + o.two) * 3 + o.defenders) * 2 + o.by_last) * 2 + t.is_safe,
        (((hanging * 2 + o.many_hang) * 2 + o.hangs) * 2 + t.defends) * 2 + t.is_attacked,
        (recapture * 2 + t.takes_back) * 2 + t.is_attacked,
        t.reply,
        t.reply_full,
        t.follow,
        check * 6 + t.support,
        ((o.kind * THREATS as u32 + t.threat) * 6 + t.least) * 3 + t.supporters,
        ((o.kind * 8 + t.their_king) * 8 + o.their_king) * 3 + o.phase,
        ((o.kind * 8 + t.our_king) * 8 + o.our_king) * 3 + o.phase,
        ((o.kind * 16 + o.reach) * 16 + t.reach) * 3 + o.phase,
        (((o.kind * 16 + t.pawns) * 4 + o.pawns) * 8 + t.rank) * 3 + o.phase,
        o.around,
        t.around,
        kind_to * 16 + (o.ply / 6).min(15),
        kind_to * 8 + o.material,
        (o.setting * KINDS as u32 * 36 + exchange) * 2 + o.least.min(1),
        (rating_threat * 2 + o.hangs) * 2 + o.is_check,
        ((o.setting * KINDS as u32 + o.kind) * 8 + t.rank) * 8 + (o.ply / 12).min(7),
        o.kind * 64 + o.moved_last * 2 + o.by_last * 4 + t.order,
        ((o.kind * 8 + t.distance) * 3 + t.forward) * 3 + o.phase,
    ]
}

/// The sum of indices, element by element.
#[inline(always)]
fn plus(mut one: Indices, other: [u32; EACH]) -> Indices {
    one.iter_mut().zip(other).for_each(|(one, other)| *one += other);
    one
}

/// The upper bits of a product: a hash with as many bits as `len`, a power of two, has places.
#[inline(always)]
fn hashed(a: u32, b: u32, len: usize) -> u32 {
    let mixed = (u64::from(a) << 32 | u64::from(b)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (mixed >> (64 - len.trailing_zeros())) as u32
}

/// The distances between squares: the greater of those of files and ranks.
const DISTANCES: [[u8; 64]; 64] = {
    let mut distances = [[0; 64]; 64];
    let mut at = 0;
    while at < 64 * 64 {
        let (a, b) = (at / 64, at % 64);
        let (files, ranks) = ((a % 8usize).abs_diff(b % 8), (a / 8).abs_diff(b / 8));
        distances[a][b] = if files > ranks { files } else { ranks } as u8;
        at += 1;
    }
    distances
};

#[inline(always)]
fn distance(a: usize, b: usize) -> u32 {
    u32::from(DISTANCES[a & 63][b & 63])
}

#[inline(always)]
fn bit(set: u64, square: usize) -> u32 {
    (set >> square) as u32 & 1
}

#[inline(always)]
fn is_any(set: u64) -> u32 {
    u32::from(set != 0)
}

/// Returns true for two or more.
#[inline(always)]
fn is_many(set: u64) -> u32 {
    is_any(set & set.wrapping_sub(1))
}

/// The number of attacked squares, halved.
#[inline(always)]
fn reach(set: u64) -> u32 {
    (set.count_ones() / 2).min(15)
}

/// The class of a threat against a set of pieces.
#[inline(always)]
fn threat(set: u64, them: &[u64; 6]) -> u32 {
    let [pawns, knights, bishops, rooks, queens, _] = them.map(|of| of & set);
    let classes =
        is_any(pawns) | is_any(knights | bishops) << 1 | is_any(rooks) << 2 | is_any(queens) << 3;
    (u32::BITS - classes.leading_zeros()) * 2 + is_many(set)
}

const FILE: u64 = 0x0101_0101_0101_0101;

/// The features of a piece on a square.
#[inline(always)]
fn origin(context: &Context, view: &View, kind: usize, from: usize) -> Origin {
    let here = 1 << from;
    let file = FILE << (from % 8);
    Origin {
        kind: kind as u32,
        from: from as u32,
        phase: view.phase as u32,
        least: view.their_attacks.least(from) as u32,
        two: bit(view.their_attacks.twice, from),
        defenders: bit(view.our_attacks.once, from) + bit(view.our_attacks.twice, from),
        by_last: bit(view.by_last, from),
        most_hanging: view.hanging_class as u32,
        many_hang: is_many(view.hanging),
        hangs: bit(view.hanging, from),
        last_captured: view.last[0].captured as u32,
        discovers: bit(view.discoverers, from),
        their_king: distance(from, view.their_king),
        our_king: distance(from, view.our_king),
        reach: reach(view.attacks_from[from]),
        pawns: is_any(view.our_roles[0] & file & !here) | is_any(view.their_roles[0] & file) << 1,
        around: hashed(view.around(from), kind as u32, 1 << 16),
        ply: context.ply as u32,
        material: view.material as u32,
        setting: context.setting as u32,
        is_check: u32::from(view.is_check),
        moved_last: is_any(view.last_squares[1].1 & here),
    }
}

/// The indices to which a piece on a square adds all that its moves have in common.
#[inline(always)]
pub(super) fn of_piece(context: &Context, view: &View, kind: usize, from: usize) -> Indices {
    let origin = origin(context, view, kind, from);
    let first = FIRST.map(|first| first as u32);
    let mut all = [0; EACH + 1];
    all[..EACH].copy_from_slice(&first);
    plus(all, indices(&origin, &Target::default()))
}

/// The features that a move adds.
#[inline(always)]
fn target(view: &View, movement: Movement) -> Target {
    const ROLES: [usize; KINDS] = [0, 1, 2, 3, 4, 5, 5, 4, 1, 3];
    let Movement { kind, from, to, captured } = movement;
    let role = ROLES[kind];
    let (here, there) = (1 << from, 1u64 << to);
    let captures = u32::from(captured > 0);
    let least = view.their_attacks.least(to);
    let two = bit(view.their_attacks.twice, to);
    // A piece attacks its target, but for pawns that move straight.
    let own = bit(view.attacks_from[from], to);
    let supporters =
        (bit(view.our_attacks.once, to) + bit(view.our_attacks.twice, to)).saturating_sub(own);
    let after = attacks(role, to, view.occupied() & !here | there);
    let is_direct = bit(after, view.their_king);
    let is_safe = least == 0 || supporters > two && least >= class(role);
    let [last, own_last] = view.last;
    let [(last_from, last_to), (own_from, own_to)] = view.last_squares;
    let takes_move_back = is_any(own_to & here) & is_any(own_from & there);
    // Those of the origin are added with it.
    let order = takes_move_back
        | is_any(after & last_to) << 3
        | bit(view.by_last, to) << 4
        | is_any(last_from & there) << 5;
    let (kind_to, whole) = (kind * 64 + to, (kind * 64 + from) * 64 + to);
    let (last_kind_to, own_kind_to) = (last.kind * 64 + last.to, own_last.kind * 64 + own_last.to);
    let last_whole = (last.kind * 64 + last.from) * 64 + last.to;
    let hash = |a: usize, b: usize, len| hashed(a as u32, b as u32, len);
    let (rank, rank_before) = (to / 8, from / 8);
    Target {
        to: to as u32,
        captured: captured as u32,
        captures,
        least: least as u32,
        is_attacked: u32::from(least > 0),
        two,
        supporters,
        is_safe: u32::from(is_safe),
        defends: is_any(after & view.hanging & !here),
        takes_back: is_any(last_to & there),
        reply: hash(last_kind_to, kind_to, 1 << 17),
        reply_full: hash(last_whole, whole, 1 << 18),
        follow: hash(own_kind_to, kind_to, 1 << 17),
        is_direct,
        gives_check: is_direct | bit(view.discoverers, from),
        // Support matters for checks; in check, whether it captures.
        support: captures + if view.is_check { 4 } else { 2 * supporters.min(1) },
        threat: threat(after & view.targets[role], &view.their_roles),
        their_king: distance(view.their_king, to),
        our_king: distance(view.our_king, to),
        reach: reach(after),
        pawns: bit(view.files[0], to)
            | bit(view.files[1], to) << 1
            | bit(view.pawn_span, to) << 2
            | bit(view.our_attacks.pawns(), to) << 3,
        rank: rank as u32,
        around: hashed(view.around(to), kind as u32, 1 << 16),
        order,
        distance: distance(from, to),
        // 0 back, 1 sideways, 2 up.
        forward: u32::from(rank > rank_before) + u32::from(rank >= rank_before),
    }
}

/// The indices of a move, of those that its piece has added to.
#[inline(always)]
pub(super) fn of_move(view: &View, movement: Movement, piece: Indices) -> Indices {
    plus(piece, indices(&Origin::default(), &target(view, movement)))
}

/// The indices of the weights of the end of the game.
#[inline(always)]
pub(super) fn of_end(context: &Context, view: &View, moves: usize) -> [u32; OF_END] {
    let setting = context.setting;
    let is_check = usize::from(view.is_check);
    let clock = usize::from(context.position.halfmove_clock());
    let is_black = usize::from(context.position.side_to_move() == Color::Black);
    let material = (view.balance * PHASES + view.phase) * 5 + view.hanging_class;
    let balance = match view.balance {
        ..6 => 0,
        6..=10 => 1,
        _ => 2,
    };
    let state = (moves.min(15) * 2 + is_check) * 6 + view.last[0].captured;
    let indices = [
        END_PLY + ((context.ply / 4).min(63) * 2 + is_black) * 2 + setting % 2,
        END_MATERIAL + material * 2 + is_many(view.hanging) as usize,
        END_CLOCK + ((clock / 8).min(15) * 3 + view.repetitions) * PHASES + view.phase,
        END_RATING + setting * 16 + (context.ply / 16).min(15),
        END_MOVES + state * 3 + balance,
    ];
    indices.map(|index| index as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dense::choice::mirror;
    use halfmove_game::pgn::read_game;
    use halfmove_game::rules::AnyPosition;

    #[test]
    fn indices_are_linear_and_in_their_tables() {
        let game = read_game(
            "1. e4 d5 2. exd5 c5 3. dxc6 Nf6 4. cxb7 Qa5 5. bxa8=N e6 6. Nf3 Be7 7. Be2 O-O 8. O-O Bb7 9. Nc7 Ne4 10. d4 Nc6 \
             11. d5 Rd8 12. dxc6 Bxc6 13. Bd2 Qf5 14. Bd3 Bc5 15. Qe2 Nxf2 16. Bxf5 Nd3+ 17. Kh1 exf5 *",
        );
        let game = game.expect("a game");
        let AnyPosition::Chess(start) = game.start else { panic!("expected chess") };
        let mut context = Context::new(start, 7);
        let mut moves = 0;
        for mv in &game.moves {
            let view = View::new(&context);
            for legal in &context.position.legal_moves() {
                let key = legal.to_bits() ^ mirror(&context);
                let [from, to] = [key & 63, key >> 6 & 63].map(usize::from);
                let movement =
                    Movement::new(*legal, key, view.our_role(from), view.their_class(to));
                let (kind, from) = (movement.kind, movement.from);
                let whole = indices(&origin(&context, &view, kind, from), &target(&view, movement));
                let sums = of_move(&view, movement, of_piece(&context, &view, kind, from));
                for (at, table) in TABLES[..EACH].iter().enumerate() {
                    assert!((whole[at] as usize) < table.len, "{legal:?}: {}", table.name);
                    assert_eq!(sums[at], FIRST[at] as u32 + whole[at], "{legal:?}: {}", table.name);
                }
                moves += 1;
            }
            assert!(context.position.is_legal(*mv));
            context.play(*mv);
        }
        assert!(moves > 1_000);
    }
}
