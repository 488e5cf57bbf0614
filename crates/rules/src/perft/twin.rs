//! The fast path of [`perft`](super::perft): a lean twin of [`Chess`] that can only count.
//!
//! The moves come from the shared [generator](crate::chess::node); the twin only plays them. It has no key, no clock,
//! no move number and no list of moves. A queen is a rook and a bishop on the same square, because no rule
//! distinguishes the two.
//!
//! - Every move creates the child position at once; nothing is listed.
//! - The last half-move is counted from sets, without being played.
//! - A quiet move leaves the other side's pieces where they are in memory; a capture copies them.
//!
//! Tests compare the twin with `Chess`, node by node.
//!
//! # Source
//! Daniel Inführ's *Gigantua* (2021) creates the children at once and counts at the leaves; counting by fills is this
//! crate's own.

use crate::chess::node::{Castling, Node, PawnMoves, Side, color};
use crate::{Bitboard, CastlingSide, Chess, Color, Role};
use core::marker::PhantomData;
use halfmove_bitboard::attacks;
use halfmove_bitboard::cpu::{self, Cpu, Level, OneByOne, Step, Task};

impl Side {
    /// The same side without the piece on a square, which is not a king.
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

/// The rest of a position, besides the pieces and the side to move.
#[derive(Copy, Clone)]
struct State {
    /// The rooks that may castle.
    castlers: Bitboard,
    /// The square behind a pawn that has just advanced two squares, if an enemy pawn stands ready to capture it.
    ep: Bitboard,
}

/// The data shared by the whole tree: the possible castlings, which are fixed at the root.
struct Tree<W> {
    castlings: [[Castling; 2]; 2],
    watch: W,
}

/// Observes every position whose moves are counted, for tests.
trait Watch {
    fn count(&self, us: Color, ours: &Side, theirs: &Side, state: State);
}

impl Watch for () {
    #[inline(always)]
    fn count(&self, _: Color, _: &Side, _: &Side, _: State) {}
}

pub(super) fn perft(position: &Chess, depth: u32, most: Level) -> u64 {
    if depth == 0 {
        return 1;
    }
    cpu::run_up_to(most, Root { tree: &Tree::new(position, ()), position, depth })
}

/// A count that starts at the root.
struct Root<'a, W> {
    tree: &'a Tree<W>,
    position: &'a Chess,
    depth: u32,
}

impl<W: Watch> Task for Root<'_, W> {
    type Output = u64;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let Self { tree, position, depth } = self;
        let color = position.side_to_move();
        let [us, them] = [color, !color].map(|color| Side::of(position.board(), color));
        let state = State {
            castlers: position.castling().rooks(),
            ep: position.pseudo_ep_square().map_or(Bitboard::EMPTY, Bitboard::square),
        };
        let officers = position.board().occupied() - position.board().by_role(Role::Pawn);
        // The number of pieces other than pawns and kings. Captures only reduce it, and promotions rarely increase it
        // by much.
        let few = officers.len().saturating_sub(2) <= C::FEW;
        let (us, them) = (&us, &them);
        match (color, few) {
            (Color::White, false) => Here::<_, true> { tree, us, them, state, depth }.leaves(cpu),
            (Color::Black, false) => Here::<_, false> { tree, us, them, state, depth }.leaves(cpu),
            (Color::White, true) => {
                Here::<_, true> { tree, us, them, state, depth }.leaves(OneByOne(cpu))
            }
            (Color::Black, true) => {
                Here::<_, false> { tree, us, them, state, depth }.leaves(OneByOne(cpu))
            }
        }
    }
}

/// Enters a node: counts its moves if it is the last before the leaves; otherwise plays them and visits the children.
struct Enter<'a, W, const WHITE: bool, const LAST: bool>(PhantomData<&'a W>);

impl<'a, W: Watch, const WHITE: bool, const LAST: bool> Step for Enter<'a, W, WHITE, LAST> {
    type A = &'a Tree<W>;
    type B = &'a Side;
    type C = &'a Side;
    type D = State;
    type E = u32;
    type Output = u64;

    #[inline(always)]
    fn step<C: Cpu>(
        cpu: C,
        tree: &Tree<W>,
        us: &Side,
        them: &Side,
        state: State,
        depth: u32,
    ) -> u64 {
        if !LAST {
            return Here::<W, WHITE> { tree, us, them, state, depth }.make_all(cpu);
        }
        tree.watch.count(color(WHITE), us, them, state);
        let castlings = &tree.castlings[color(WHITE).index()];
        Node::<C, WHITE>::new(cpu, us, them).count(castlings, state.castlers, state.ep)
    }
}

/// A node of the tree, with everything needed to visit its children. The compiler splits it into its fields when it is
/// inlined.
struct Here<'a, W, const WHITE: bool> {
    tree: &'a Tree<W>,
    us: &'a Side,
    them: &'a Side,
    state: State,
    depth: u32,
}

// A derive would require `W: Clone` and `W: Copy`.
impl<W, const WHITE: bool> Clone for Here<'_, W, WHITE> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<W, const WHITE: bool> Copy for Here<'_, W, WHITE> {}

impl<W: Watch, const WHITE: bool> Here<'_, W, WHITE> {
    /// The leaves at `depth`, which is at least one.
    #[inline(always)]
    fn leaves<C: Cpu>(self, cpu: C) -> u64 {
        let Self { tree, us, them, state, depth } = self;
        if depth == 1 {
            cpu.call::<C, Enter<'_, W, WHITE, true>>(cpu, tree, us, them, state, depth)
        } else {
            cpu.call::<C, Enter<'_, W, WHITE, false>>(cpu, tree, us, them, state, depth)
        }
    }

    /// The number of leaves after a move that leads to these sides and this state.
    #[inline(always)]
    fn after<C: Cpu>(self, cpu: C, us: &Side, them: &Side, state: State) -> u64 {
        let (tree, depth) = (self.tree, self.depth - 1);
        if WHITE {
            Here::<W, false> { tree, us: them, them: us, state, depth }.leaves(cpu)
        } else {
            Here::<W, true> { tree, us: them, them: us, state, depth }.leaves(cpu)
        }
    }

    /// Plays every legal move and visits the children.
    #[inline(always)]
    fn make_all<C: Cpu>(self, cpu: C) -> u64 {
        let Self { tree, us, them, state, .. } = self;
        let node = Node::<C, WHITE>::new(cpu, us, them);
        let quiet = State { ep: Bitboard::EMPTY, ..state };
        let mut leaves = 0;
        // Moves a piece to each of some squares, with captures and quiet moves apart.
        macro_rules! go {
            ($targets:expr, $castlers:expr, $to:ident => $moved:expr) => {
                let targets = $targets;
                for $to in squares(targets & them.all) {
                    let after = State { castlers: $castlers - $to, ..quiet };
                    leaves += self.after(cpu, &$moved, &them.without($to), after);
                }
                let after = State { castlers: $castlers, ..quiet };
                for $to in squares(targets - them.all) {
                    leaves += self.after(cpu, &$moved, them, after);
                }
            };
        }

        let steps = attacks::king(node.king) - us.all;
        let others = state.castlers - back_rank(WHITE);
        let castlings = &tree.castlings[color(WHITE).index()];
        let can_castle = castlings
            .iter()
            .any(|castling| state.castlers.intersects(castling.rook) && node.is_free(castling));
        if !steps.is_empty() || can_castle {
            let danger = node.danger();
            go!(steps - danger, others, to => Side { king: to, all: us.all ^ us.king ^ to, ..*us });
            if can_castle && node.checkers.is_empty() {
                for castling in castlings {
                    if state.castlers.intersects(castling.rook)
                        && node.is_free(castling)
                        && node.is_safe(castling, danger)
                    {
                        let after = State { castlers: others, ..quiet };
                        let castled = us.castled(castling);
                        leaves += self.after(cpu, &castled, them, after);
                    }
                }
            }
        }
        if node.checkers.has_many() {
            return leaves;
        }

        for from in us.knights - node.pinned {
            let targets = attacks::knight(from) & node.targets;
            let from = Bitboard::square(from);
            let (left, knights) = (us.all ^ from, us.knights ^ from);
            go!(targets, state.castlers, to => Side { knights: knights ^ to, all: left ^ to, ..*us });
        }
        for from in us.diagonal {
            let (left, diagonal) = (us.all ^ from, us.diagonal ^ from);
            let mut reach = cpu.bishop(from, node.occupied);
            if us.orthogonal.has(from) {
                reach |= cpu.rook(from, node.occupied);
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
            let reach = cpu.rook(from, node.occupied);
            go!(node.may_go(from, reach), state.castlers - from, to =>
            Side { orthogonal: orthogonal ^ to, all: left ^ to, ..*us });
        }

        leaves += self.make_pawn_moves(cpu, node.pawn_moves());
        if !state.ep.is_empty() {
            for from in node.en_passant_takers(state.ep) {
                if node.may_take_en_passant(from, state.ep) {
                    let moved = us.pawn_moved(from.into(), state.ep);
                    let taken = state.ep.forward(color(!WHITE));
                    let without = them.without(taken);
                    leaves += self.after(cpu, &moved, &without, quiet);
                }
            }
        }
        leaves
    }

    /// The same for the moves of pawns, en passant captures aside.
    #[inline(always)]
    fn make_pawn_moves<C: Cpu>(self, cpu: C, moves: PawnMoves) -> u64 {
        let Self { us, them, state, .. } = self;
        let back = |to: Bitboard| to.forward(color(!WHITE));
        let quiet = State { ep: Bitboard::EMPTY, ..state };
        let last = moves.last;
        let mut leaves = 0;
        for to in squares(moves.one - last) {
            let moved = us.pawn_moved(back(to), to);
            leaves += self.after(cpu, &moved, them, quiet);
        }
        for to in squares(moves.two) {
            let skipped = back(to);
            let can_be_taken = (to.east() | to.west()).intersects(them.pawns);
            let ep = if can_be_taken { skipped } else { Bitboard::EMPTY };
            let moved = us.pawn_moved(back(skipped), to);
            leaves += self.after(cpu, &moved, them, State { ep, ..quiet });
        }
        for to in squares(moves.east - last) {
            let moved = us.pawn_moved(back(to).west(), to);
            leaves += self.after(cpu, &moved, &them.without(to), quiet);
        }
        for to in squares(moves.west - last) {
            let moved = us.pawn_moved(back(to).east(), to);
            leaves += self.after(cpu, &moved, &them.without(to), quiet);
        }
        if moves.promote {
            for to in squares(moves.one & last) {
                leaves += cpu.enter(Promote {
                    before: Self { state: quiet, ..self },
                    from: back(to),
                    to,
                });
            }
            for (takes, from) in [
                (moves.east & last, Bitboard::west as fn(Bitboard) -> Bitboard),
                (moves.west & last, Bitboard::east),
            ] {
                for to in squares(takes) {
                    let state = State { castlers: state.castlers - to, ..quiet };
                    let before = Here { them: &them.without(to), state, ..self };
                    leaves += cpu.enter(Promote { before, from: from(back(to)), to });
                }
            }
        }
        leaves
    }
}

/// A pawn that promotes to each of the four roles. The piece it captures is already gone from the node, whose state is
/// the one after the move.
struct Promote<'a, W, const WHITE: bool> {
    before: Here<'a, W, WHITE>,
    from: Bitboard,
    to: Bitboard,
}

impl<W: Watch, const WHITE: bool> Task for Promote<'_, W, WHITE> {
    type Output = u64;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let Self { before, from, to } = self;
        let Here { us, them, state, .. } = before;
        let left = Side { pawns: us.pawns ^ from, all: us.all ^ from ^ to, ..*us };
        let (orthogonal, diagonal) = (us.orthogonal | to, us.diagonal | to);
        let promoted = [
            Side { orthogonal, diagonal, ..left },
            Side { orthogonal, ..left },
            Side { diagonal, ..left },
            Side { knights: us.knights | to, ..left },
        ];
        let mut leaves = 0;
        for promoted in &promoted {
            leaves += before.after(cpu, promoted, them, state);
        }
        leaves
    }
}

impl<W: Watch> Tree<W> {
    fn new(position: &Chess, watch: W) -> Self {
        let castling = |color, side: CastlingSide| {
            let rook = position.castling().rook(color, side);
            rook.map_or(Castling::NONE, |rook| Castling::new(position.king(color), rook))
        };
        let castlings = Color::ALL.map(|color| CastlingSide::ALL.map(|side| castling(color, side)));
        Self { castlings, watch }
    }
}

#[inline(always)]
const fn back_rank(white: bool) -> Bitboard {
    Bitboard::rank(crate::setup::back_rank(color(white)))
}

/// The squares of a set, each as a set of one square.
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
