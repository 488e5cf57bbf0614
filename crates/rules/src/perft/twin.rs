//! The fast path of [`perft`](super::perft): a lean twin of [`Chess`], made to be counted and nothing
//! else.
//!
//! What it leaves out: key, clocks, move numbers, the list of moves, and the difference of a queen
//! from a rook and a bishop on one square, which no rule asks for. What it does instead:
//!
//! - Every move makes the child at once; nothing is listed.
//! - The last half-move is counted, not made, by [`Pieces::mobility`] and by shifts of pawns. Where the
//!   king has no step to take and cannot castle, nobody asks what is attacked.
//! - White and Black have code of their own, so that forward is a constant shift.
//! - A quiet move leaves the other side's pieces where they are in memory; a capture copies them.
//!
//! What did not pay: a Kogge-Stone fill for what is attacked in place of PEXT, where there are no
//! wide registers. What paid most: see [`Side`].
//!
//! Tests hold the twin to `Chess` node by node.
//!
//! # Source
//! Daniel Infuehr's *Gigantua* (2021) makes the children at once and counts at the leaves; counting
//! by fills is this crate's.

use crate::chess::relative_rank;
use crate::{Bitboard, CastlingSide, Chess, Color, File, Rank, Role, Square};
use halfmove_bitboard::attacks::{self, Pieces, empty_board, setwise};
use halfmove_bitboard::lines;

/// One side's pieces. A queen is in both sets of sliders.
///
/// The order of the fields matters, and so does that there is one: a child's side is written field
/// by field and read again at once. Were two sets that are used together neighbors, the compiler
/// would read both in one wide load, which the CPU cannot serve from two narrow stores still under
/// way; it waits until they are done. That alone doubled the time.
#[derive(Copy, Clone)]
#[repr(C)]
struct Side {
    all: Bitboard,
    orthogonal: Bitboard,
    pawns: Bitboard,
    diagonal: Bitboard,
    king: Bitboard,
    knights: Bitboard,
}

impl Side {
    fn of(position: &Chess, color: Color) -> Self {
        let (board, all) = (position.board(), position.board().by_color(color));
        Self {
            all,
            orthogonal: all & board.rooks_and_queens(),
            pawns: all & board.by_role(Role::Pawn),
            diagonal: all & board.bishops_and_queens(),
            king: all & board.by_role(Role::King),
            knights: all & board.by_role(Role::Knight),
        }
    }

    fn pieces(&self) -> Pieces {
        Pieces { orthogonal: self.orthogonal, diagonal: self.diagonal, knights: self.knights }
    }

    /// Without the piece on a square, who is no king.
    #[inline(always)]
    fn without(&self, square: Bitboard) -> Self {
        Self {
            all: self.all - square,
            orthogonal: self.orthogonal - square,
            pawns: self.pawns - square,
            diagonal: self.diagonal - square,
            king: self.king,
            knights: self.knights - square,
        }
    }
}

/// A castling as it would be from the root on: neither king nor rook can have moved.
#[derive(Copy, Clone)]
struct Castling {
    rook: Bitboard,
    /// What must be empty, and what must not be attacked.
    empty: Bitboard,
    safe: Bitboard,
    king_to: Bitboard,
    rook_to: Bitboard,
    /// In Chess960 the rook can leave the king open to a hostile rook in the corner.
    uncovers: bool,
}

/// What the whole tree has in common.
struct Tree<W> {
    castlings: [[Option<Castling>; 2]; 2],
    watch: W,
}

/// Sees every position from which moves are counted. Tests do.
trait Watch {
    fn count(&self, us: Color, ours: &Side, theirs: &Side, state: State);
}

impl Watch for () {
    #[inline(always)]
    fn count(&self, _: Color, _: &Side, _: &Side, _: State) {}
}

/// What a position is beside pieces and side to move.
#[derive(Copy, Clone)]
struct State {
    /// The rooks that may castle.
    castlers: Bitboard,
    /// The square that a pawn has just passed over, with a hostile pawn ready to take it.
    passed: Bitboard,
}

pub(super) fn perft(position: &Chess, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    Tree::new(position, ()).perft(position, depth)
}

impl<W: Watch> Tree<W> {
    fn new(position: &Chess, watch: W) -> Self {
        let castling = |color, side: CastlingSide| {
            let (king, rook) = (position.king(color), position.castling().rook(color, side)?);
            let (king_to, rook_to) = Chess::castling_targets(king, rook);
            let king_path = lines::between(king, king_to) | king_to;
            let rook_path = lines::between(rook, rook_to) | rook_to;
            Some(Castling {
                rook: rook.into(),
                empty: (king_path | rook_path) - king - rook,
                safe: king_path,
                king_to: king_to.into(),
                rook_to: rook_to.into(),
                uncovers: !matches!(rook.file(), File::A | File::H),
            })
        };
        let castlings = Color::ALL.map(|color| CastlingSide::ALL.map(|side| castling(color, side)));
        Self { castlings, watch }
    }

    fn perft(&self, position: &Chess, depth: u32) -> u64 {
        let us = position.side_to_move();
        let (ours, theirs) = (Side::of(position, us), Side::of(position, !us));
        let state = State {
            castlers: position.castling().rooks(),
            passed: position.pseudo_ep_square().map_or(Bitboard::EMPTY, Bitboard::square),
        };
        match us {
            Color::White => self.walk::<true>(&ours, &theirs, state, depth),
            Color::Black => self.walk::<false>(&ours, &theirs, state, depth),
        }
    }

    #[inline(always)]
    fn walk<const WHITE: bool>(&self, us: &Side, them: &Side, state: State, depth: u32) -> u64 {
        if depth == 1 {
            self.count::<WHITE>(us, them, state)
        } else {
            self.make_all::<WHITE>(us, them, state, depth)
        }
    }

    /// The same for the other side, one half-move later.
    #[inline(always)]
    fn next<const WHITE: bool>(&self, us: &Side, them: &Side, state: State, depth: u32) -> u64 {
        if WHITE {
            self.walk::<false>(them, us, state, depth - 1)
        } else {
            self.walk::<true>(them, us, state, depth - 1)
        }
    }

    /// How many legal moves there are.
    #[inline(never)]
    fn count<const WHITE: bool>(&self, us: &Side, them: &Side, state: State) -> u64 {
        self.watch.count(color(WHITE), us, them, state);
        let node = Node::new(WHITE, us, them);
        let mut count = 0;
        let castlers = state.castlers & back_rank(WHITE);
        let steps = attacks::king(node.king) - us.all;
        if !(steps | castlers).is_empty() {
            let danger = node.danger();
            count += (steps - danger).len();
            if !castlers.is_empty() && node.checkers.is_empty() {
                for castling in self.castlings[color(WHITE).index()].iter().flatten() {
                    count += u32::from(node.can_castle(castling, castlers, danger));
                }
            }
        }
        if node.checkers.has_many() {
            return u64::from(count);
        }
        let free = Pieces {
            orthogonal: us.orthogonal - node.pinned,
            diagonal: us.diagonal - node.pinned,
            knights: us.knights - node.pinned,
        };
        count += free.mobility(node.occupied, node.targets);
        count += node.pawns(us.pawns - node.pinned, node.targets).count();
        // A pinned piece cannot answer a check.
        if !node.pinned.is_empty() && node.checkers.is_empty() {
            for from in node.pinned {
                let targets = node.targets & lines::line(node.king, from);
                if us.orthogonal.has(from) {
                    count += (attacks::rook(from, node.occupied) & targets).len();
                }
                if us.diagonal.has(from) {
                    count += (attacks::bishop(from, node.occupied) & targets).len();
                }
                if us.pawns.has(from) {
                    count += node.pawns(from.into(), targets).count();
                }
            }
        }
        if !state.passed.is_empty() {
            for from in node.takers(state.passed) {
                count += u32::from(node.may_take_in_passing(from, state.passed));
            }
        }
        u64::from(count)
    }

    /// Makes every legal move and walks on.
    #[inline(never)]
    fn make_all<const WHITE: bool>(&self, us: &Side, them: &Side, state: State, depth: u32) -> u64 {
        let node = Node::new(WHITE, us, them);
        let quiet = State { passed: Bitboard::EMPTY, ..state };
        let mut leaves = 0;
        // What a piece does that goes to each of some squares, taking what is there or not.
        macro_rules! go {
            ($targets:expr, $castlers:expr, $to:ident => $moved:expr) => {
                let targets = $targets;
                for $to in squares(targets & them.all) {
                    let after = State { castlers: $castlers - $to, ..quiet };
                    leaves += self.next::<WHITE>(&$moved, &them.without($to), after, depth);
                }
                let after = State { castlers: $castlers, ..quiet };
                for $to in squares(targets - them.all) {
                    leaves += self.next::<WHITE>(&$moved, them, after, depth);
                }
            };
        }

        let castlers = state.castlers & back_rank(WHITE);
        let steps = attacks::king(node.king) - us.all;
        if !(steps | castlers).is_empty() {
            let danger = node.danger();
            let others = state.castlers - back_rank(WHITE);
            go!(steps - danger, others, to => Side { king: to, all: us.all ^ us.king ^ to, ..*us });
            if !castlers.is_empty() && node.checkers.is_empty() {
                for castling in self.castlings[color(WHITE).index()].iter().flatten() {
                    if node.can_castle(castling, castlers, danger) {
                        let after = State { castlers: others, ..quiet };
                        let castled = us.castled(castling);
                        leaves += self.next::<WHITE>(&castled, them, after, depth);
                    }
                }
            }
        }
        if node.checkers.has_many() {
            return leaves;
        }

        for from in us.knights - node.pinned {
            let left = us.all ^ from;
            let knights = us.knights ^ from;
            go!(attacks::knight(from) & node.targets, state.castlers, to =>
                Side { knights: knights ^ to, all: left ^ to, ..*us });
        }
        for from in us.diagonal {
            let (left, diagonal) = (us.all ^ from, us.diagonal ^ from);
            let mut reach = attacks::bishop(from, node.occupied);
            if us.orthogonal.has(from) {
                reach |= attacks::rook(from, node.occupied);
                let orthogonal = us.orthogonal ^ from;
                go!(node.may_go(from, reach), state.castlers, to => Side {
                    orthogonal: orthogonal ^ to,
                    diagonal: diagonal ^ to,
                    all: left ^ to,
                    ..*us
                });
            } else {
                go!(node.may_go(from, reach), state.castlers, to =>
                    Side { diagonal: diagonal ^ to, all: left ^ to, ..*us });
            }
        }
        for from in us.orthogonal - us.diagonal {
            let (left, orthogonal) = (us.all ^ from, us.orthogonal ^ from);
            let reach = attacks::rook(from, node.occupied);
            go!(node.may_go(from, reach), state.castlers - from, to =>
                Side { orthogonal: orthogonal ^ to, all: left ^ to, ..*us });
        }

        let free = node.pawns(us.pawns - node.pinned, node.targets);
        leaves += self.make_pawn_moves::<WHITE>(&node, free, state, depth);
        let pinned = us.pawns & node.pinned;
        if !pinned.is_empty() && node.checkers.is_empty() {
            for from in pinned {
                let line = lines::line(node.king, from);
                let moves = node.pawns(from.into(), node.targets & line);
                leaves += self.make_pawn_moves::<WHITE>(&node, moves, state, depth);
            }
        }
        if !state.passed.is_empty() {
            for from in node.takers(state.passed) {
                if node.may_take_in_passing(from, state.passed) {
                    let moved = us.pawn_moved(from.into(), state.passed);
                    let taken = state.passed.forward(color(!WHITE));
                    leaves += self.next::<WHITE>(&moved, &them.without(taken), quiet, depth);
                }
            }
        }
        leaves
    }

    #[inline(always)]
    fn make_pawn_moves<const WHITE: bool>(
        &self,
        node: &Node<'_>,
        moves: PawnMoves,
        state: State,
        depth: u32,
    ) -> u64 {
        let (us, them) = (node.us, node.them);
        let back = |to: Bitboard| to.forward(color(!WHITE));
        let quiet = State { passed: Bitboard::EMPTY, ..state };
        let last = moves.last;
        let mut leaves = 0;
        for to in squares(moves.one - last) {
            leaves += self.next::<WHITE>(&us.pawn_moved(back(to), to), them, quiet, depth);
        }
        for to in squares(moves.two) {
            let skipped = back(to);
            let can_be_taken = (to.east() | to.west()).intersects(them.pawns);
            let passed = if can_be_taken { skipped } else { Bitboard::EMPTY };
            let moved = us.pawn_moved(back(skipped), to);
            leaves += self.next::<WHITE>(&moved, them, State { passed, ..quiet }, depth);
        }
        for to in squares(moves.east - last) {
            let moved = us.pawn_moved(back(to).west(), to);
            leaves += self.next::<WHITE>(&moved, &them.without(to), quiet, depth);
        }
        for to in squares(moves.west - last) {
            let moved = us.pawn_moved(back(to).east(), to);
            leaves += self.next::<WHITE>(&moved, &them.without(to), quiet, depth);
        }
        if moves.promote {
            for to in squares(moves.one & last) {
                leaves += self.promote::<WHITE>(us, them, (back(to), to), quiet, depth);
            }
            for (takes, from) in [
                (moves.east & last, Bitboard::west as fn(Bitboard) -> Bitboard),
                (moves.west & last, Bitboard::east),
            ] {
                for to in squares(takes) {
                    let after = State { castlers: state.castlers - to, ..quiet };
                    let mv = (from(back(to)), to);
                    leaves += self.promote::<WHITE>(us, &them.without(to), mv, after, depth);
                }
            }
        }
        leaves
    }

    #[inline(never)]
    fn promote<const WHITE: bool>(
        &self,
        us: &Side,
        them: &Side,
        (from, to): (Bitboard, Bitboard),
        state: State,
        depth: u32,
    ) -> u64 {
        let left = Side { pawns: us.pawns ^ from, all: us.all ^ from ^ to, ..*us };
        let (orthogonal, diagonal) = (us.orthogonal | to, us.diagonal | to);
        [
            Side { orthogonal, diagonal, ..left },
            Side { orthogonal, ..left },
            Side { diagonal, ..left },
            Side { knights: us.knights | to, ..left },
        ]
        .iter()
        .map(|promoted| self.next::<WHITE>(promoted, them, state, depth))
        .sum()
    }
}

impl Side {
    #[inline(always)]
    fn pawn_moved(&self, from: Bitboard, to: Bitboard) -> Self {
        Self { pawns: self.pawns ^ from ^ to, all: self.all ^ from ^ to, ..*self }
    }

    #[inline(always)]
    fn castled(&self, castling: &Castling) -> Self {
        let rooks = castling.rook | castling.rook_to;
        Self {
            king: castling.king_to,
            orthogonal: (self.orthogonal - castling.rook) | castling.rook_to,
            all: (self.all - self.king - rooks) | castling.king_to | castling.rook_to,
            ..*self
        }
    }
}

/// A position with what it demands of every move; what the fields mean, `chess/movegen.rs` says.
struct Node<'a> {
    white: bool,
    us: &'a Side,
    them: &'a Side,
    occupied: Bitboard,
    king: Square,
    checkers: Bitboard,
    pinned: Bitboard,
    targets: Bitboard,
}

impl<'a> Node<'a> {
    #[inline(always)]
    fn new(white: bool, us: &'a Side, them: &'a Side) -> Self {
        let occupied = us.all | them.all;
        let king = us.king.first().unwrap_or(Square::A1);
        let mut checkers = attacks::knight(king) & them.knights
            | setwise::pawn_any(color(white), us.king) & them.pawns;
        let mut pinned = Bitboard::EMPTY;
        let snipers =
            empty_board::rook(king) & them.orthogonal | empty_board::bishop(king) & them.diagonal;
        for sniper in snipers {
            let between = lines::between(king, sniper) & occupied;
            if between.is_empty() {
                checkers |= sniper;
            }
            if !between.has_many() {
                pinned |= between;
            }
        }
        let targets = match checkers.first() {
            Some(checker) => lines::between(king, checker) | checkers,
            None => !us.all,
        };
        Self { white, us, them, occupied, king, checkers, pinned: pinned & us.all, targets }
    }

    /// The squares that the king cannot go to.
    #[inline(always)]
    fn danger(&self) -> Bitboard {
        let them = self.them;
        them.pieces().attacks(self.occupied ^ self.us.king)
            | setwise::pawn_any(color(!self.white), them.pawns)
            | attacks::king(them.king.first().unwrap_or(Square::A1))
    }

    #[inline(always)]
    fn can_castle(&self, castling: &Castling, castlers: Bitboard, danger: Bitboard) -> bool {
        castlers.intersects(castling.rook)
            && self.occupied.is_disjoint(castling.empty)
            && danger.is_disjoint(castling.safe)
            && !(castling.uncovers && self.is_uncovered_by(castling))
    }

    #[cold]
    fn is_uncovered_by(&self, castling: &Castling) -> bool {
        let landed = self.us.castled(castling);
        let king = castling.king_to.first().unwrap_or(Square::A1);
        attacks::rook(king, landed.all | self.them.all).intersects(self.them.orthogonal)
    }

    /// Where a slider may go, of what it reaches.
    #[inline(always)]
    fn may_go(&self, from: Square, reach: Bitboard) -> Bitboard {
        let targets = reach & self.targets;
        if self.pinned.has(from) { targets & lines::line(self.king, from) } else { targets }
    }

    #[inline(always)]
    fn pawns(&self, pawns: Bitboard, targets: Bitboard) -> PawnMoves {
        let us = color(self.white);
        let (empty, takes) = (!self.occupied, self.them.all & targets);
        let one = pawns.forward(us) & empty;
        let two = (one & Bitboard::rank(relative_rank(us, Rank::Third))).forward(us) & empty;
        PawnMoves {
            one: one & targets,
            two: two & targets,
            east: setwise::pawn_east(us, pawns) & takes,
            west: setwise::pawn_west(us, pawns) & takes,
            last: Bitboard::rank(relative_rank(us, Rank::Eighth)),
            promote: pawns.intersects(Bitboard::rank(relative_rank(us, Rank::Seventh))),
        }
    }

    /// Our pawns beside one that has just passed over a square.
    #[inline(always)]
    fn takers(&self, passed: Bitboard) -> Bitboard {
        setwise::pawn_any(color(!self.white), passed) & self.us.pawns
    }

    #[cold]
    fn may_take_in_passing(&self, from: Square, passed: Bitboard) -> bool {
        let them = self.them;
        let taken = passed.forward(color(!self.white));
        let occupied = (self.occupied ^ from ^ taken) | passed;
        let king = self.king;
        let checkers = attacks::rook(king, occupied) & them.orthogonal
            | attacks::bishop(king, occupied) & them.diagonal
            | attacks::knight(king) & them.knights
            | attacks::pawn(color(self.white), king) & (them.pawns - taken);
        checkers.is_empty()
    }
}

/// Where pawns go, by the way they go; each target has one pawn.
#[derive(Copy, Clone)]
struct PawnMoves {
    one: Bitboard,
    two: Bitboard,
    east: Bitboard,
    west: Bitboard,
    last: Bitboard,
    /// Whether one of them may be a promotion.
    promote: bool,
}

impl PawnMoves {
    #[inline(always)]
    fn count(self) -> u32 {
        let count = self.one.len() + self.two.len() + self.east.len() + self.west.len();
        if !self.promote {
            return count;
        }
        let [one, east, west] = [self.one, self.east, self.west].map(|to| (to & self.last).len());
        count + 3 * (one + east + west)
    }
}

#[inline(always)]
const fn color(white: bool) -> Color {
    if white { Color::White } else { Color::Black }
}

#[inline(always)]
const fn back_rank(white: bool) -> Bitboard {
    Bitboard::rank(crate::setup::back_rank(color(white)))
}

/// The squares of a set as sets.
#[inline(always)]
fn squares(mut set: Bitboard) -> impl Iterator<Item = Bitboard> {
    core::iter::from_fn(move || {
        let first = Bitboard(set.0 & set.0.wrapping_neg());
        set ^= first;
        (!first.is_empty()).then_some(first)
    })
}

#[cfg(test)]
mod tests;
