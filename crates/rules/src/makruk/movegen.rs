//! Legal moves of Makruk.
//!
//! Only rooks slide, so only a rook can pin, along a rank or a file. A khon or bia pinned on its
//! king's file may still step ahead, and a pinned rook may move along the line. No other pinned
//! piece can move.
//!
//! ```text
//! 8  . . . r . . . .      the khon on d5 is pinned: it may go to d6,
//! 7  . . . . . . . .      not to c6, e6, c4 or e4
//! 6  . . . x . . . .
//! 5  . . . S . . . .
//! 4  . . . . . . . .
//! 3  . . . K . . . .
//!    a b c d e f g h
//! ```
//!
//! The checkers, pinned pieces and allowed targets of a node are computed once. [Counting](count)
//! handles knights and rooks one by one. Khons, mets and bias step as whole sets, in five directions.
//! No two pieces of a set reach the same square in the same direction, so the sizes of the five sets
//! add up to the number of moves.

use crate::{Bitboard, Board, Color, MoveKind, PieceMoves, Rank, Role, Square};
use core::marker::PhantomData;
use core::ops::ControlFlow;
use halfmove_bitboard::cpu::{Cpu, Task};
use halfmove_bitboard::{attacks, attacks::empty_board, attacks::setwise, lines};

use super::rules::MoveRules;

/// The pieces of both sides, and how they restrict our king.
pub(super) struct Node {
    pub(super) king: Square,
    pub(super) own: Bitboard,
    pub(super) enemy: Bitboard,
    pub(super) checkers: Bitboard,
    /// Our pieces between our king and an enemy rook.
    pub(super) pinned: Bitboard,
    /// The squares open to pieces other than the king: not those of our own pieces, and in check only
    /// those that end it.
    pub(super) targets: Bitboard,
}

#[inline(always)]
pub(super) const fn color<const WHITE: bool>() -> Color {
    if WHITE { Color::White } else { Color::Black }
}

impl Node {
    #[inline(always)]
    pub(super) fn new<const WHITE: bool>(board: &Board) -> Self {
        let us = color::<WHITE>();
        let (own, enemy) = (board.by_color(us), board.by_color(!us));
        let king = king(board, us);
        // An enemy khon or bia attacks our king if one of ours on the king's square would attack it.
        let mut checkers = enemy
            & (attacks::knight(king) & board.by_role(Role::Knight)
                | attacks::met(king) & board.by_role(Role::Met)
                | attacks::khon(us, king) & board.by_role(Role::Khon)
                | attacks::bia(us, king) & board.by_role(Role::Pawn));
        let mut pinned = Bitboard::EMPTY;
        for rook in empty_board::rook(king) & enemy & board.by_role(Role::Rook) {
            let between = lines::between(king, rook) & (own | enemy);
            if between.is_empty() {
                checkers |= rook;
            } else if !between.has_many() {
                pinned |= between & own;
            }
        }
        let targets = if checkers.is_empty() {
            !own
        } else if checkers.has_many() {
            Bitboard::EMPTY
        } else {
            checkers | checkers.iter().map(|by| lines::between(king, by)).collect::<Bitboard>()
        };
        Self { king, own, enemy, checkers, pinned, targets }
    }

    /// The subset of these squares that our king may move to.
    #[inline(always)]
    pub(super) fn king_targets<const WHITE: bool, R: MoveRules, C: Cpu>(
        &self,
        cpu: C,
        board: &Board,
        within: Bitboard,
    ) -> Bitboard {
        let steps = (attacks::king(self.king) - self.own) & within;
        if steps.is_empty() {
            return steps;
        }
        let steps = steps - danger::<WHITE, C>(cpu, board, self, steps);
        if !R::KING_STANDS_ITS_GROUND || self.checkers.is_empty() {
            steps
        } else if self.checkers.has_many() {
            Bitboard::EMPTY
        } else {
            steps & self.checkers
        }
    }

    /// Our pinned pieces that may not even step ahead: those on the king's rank.
    #[inline(always)]
    pub(super) fn pinned_on_rank(&self) -> Bitboard {
        self.pinned & Bitboard::rank(self.king.rank())
    }
}

/// The square of a side's king. Validation ensures one king a side, and kings are never captured.
#[inline(always)]
pub(super) fn king(board: &Board, color: Color) -> Square {
    (board.by_color(color) & board.by_role(Role::King)).first().unwrap_or(Square::A1)
}

/// The squares that the other side attacks once our king has left its square; exact only on
/// `steps`.
#[inline(always)]
fn danger<const WHITE: bool, C: Cpu>(
    cpu: C,
    board: &Board,
    node: &Node,
    steps: Bitboard,
) -> Bitboard {
    let them = !color::<WHITE>();
    let theirs = |role| node.enemy & board.by_role(role);
    let khons = theirs(Role::Khon);
    let occupied = (node.own | node.enemy) - node.king;
    let mut attacked = setwise::met(khons | theirs(Role::Met))
        | khons.forward(them)
        | setwise::bia(them, theirs(Role::Pawn))
        | setwise::knight(theirs(Role::Knight))
        | attacks::king(king(board, them));
    for rook in theirs(Role::Rook) {
        // Most rooks are too far away to attack the king's neighbors.
        if empty_board::rook(rook).intersects(steps) {
            attacked |= cpu.rook(rook, occupied);
        }
    }
    attacked
}

/// The rank on which a bia promotes.
#[inline(always)]
pub(super) fn promotion_rank<const WHITE: bool, R: MoveRules>() -> Bitboard {
    Bitboard::rank(match (WHITE, R::PROMOTES_ON_LAST_RANK) {
        (true, false) => Rank::Sixth,
        (false, false) => Rank::Third,
        (true, true) => Rank::Eighth,
        (false, true) => Rank::First,
    })
}

/// Calls `visit` for every piece that can move, with its target squares, until `visit` breaks.
#[inline(always)]
pub(super) fn visit<const WHITE: bool, R: MoveRules, C: Cpu, B>(
    cpu: C,
    board: &Board,
    visit: impl FnMut(PieceMoves) -> ControlFlow<B>,
) -> ControlFlow<B> {
    visit_of::<WHITE, R, C, B, false>(cpu, board, visit)
}

/// [`visit`] for captures and promotions only.
#[inline(always)]
pub(super) fn visit_noisy<const WHITE: bool, R: MoveRules, C: Cpu, B>(
    cpu: C,
    board: &Board,
    visit: impl FnMut(PieceMoves) -> ControlFlow<B>,
) -> ControlFlow<B> {
    visit_of::<WHITE, R, C, B, true>(cpu, board, visit)
}

/// All moves, or `NOISY` ones only.
#[inline(always)]
fn visit_of<const WHITE: bool, R: MoveRules, C: Cpu, B, const NOISY: bool>(
    cpu: C,
    board: &Board,
    mut visit: impl FnMut(PieceMoves) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let us = color::<WHITE>();
    let node = Node::new::<WHITE>(board);
    let mut show = |role, from, targets: Bitboard, kind| {
        if targets.is_empty() {
            return ControlFlow::Continue(());
        }
        visit(PieceMoves::of_piece(role, from, targets, kind))
    };
    let within = if NOISY { node.enemy } else { Bitboard::FULL };
    let steps = node.king_targets::<WHITE, R, C>(cpu, board, within);
    show(Role::King, node.king, steps, MoveKind::Normal)?;
    if node.checkers.has_many() {
        return ControlFlow::Continue(());
    }

    let targets = node.targets & within;
    let occupied = node.own | node.enemy;
    let ours = |role| node.own & board.by_role(role);
    for from in ours(Role::Knight) - node.pinned {
        show(Role::Knight, from, attacks::knight(from) & targets, MoveKind::Normal)?;
    }
    for from in ours(Role::Met) - node.pinned {
        show(Role::Met, from, attacks::met(from) & targets, MoveKind::Normal)?;
    }
    let on_rank = node.pinned_on_rank();
    for from in ours(Role::Khon) - on_rank {
        let mut to = attacks::khon(us, from) & targets;
        if node.pinned.has(from) {
            to &= Bitboard::file(from.file());
        }
        show(Role::Khon, from, to, MoveKind::Normal)?;
    }
    for from in ours(Role::Rook) {
        let mut to = cpu.rook(from, occupied) & targets;
        if node.pinned.has(from) {
            to &= lines::line(node.king, from);
        }
        show(Role::Rook, from, to, MoveKind::Normal)?;
    }
    let promotes = promotion_rank::<WHITE, R>();
    let promotion =
        if R::PROMOTES_ON_LAST_RANK { MoveKind::AseanPromotion } else { MoveKind::ToMet };
    for from in ours(Role::Pawn) - on_rank {
        let mut to = Bitboard::square(from).forward(us) - occupied;
        if NOISY {
            to &= promotes;
        }
        if !node.pinned.has(from) {
            to |= attacks::bia(us, from) & node.enemy;
        }
        to &= node.targets;
        show(Role::Pawn, from, to - promotes, MoveKind::Normal)?;
        show(Role::Pawn, from, to & promotes, promotion)?;
    }
    ControlFlow::Continue(())
}

/// The squares that the piece on a square may move to, if it is ours, and those where it promotes.
#[inline(always)]
pub(super) fn targets_of<const WHITE: bool, R: MoveRules, C: Cpu>(
    cpu: C,
    board: &Board,
    from: Square,
) -> (Bitboard, Bitboard) {
    let us = color::<WHITE>();
    let none = (Bitboard::EMPTY, Bitboard::EMPTY);
    let node = Node::new::<WHITE>(board);
    let Some(role) = board.role_at(from).filter(|_| node.own.has(from)) else { return none };
    if role == Role::King {
        return (node.king_targets::<WHITE, R, C>(cpu, board, Bitboard::FULL), Bitboard::EMPTY);
    }
    if node.checkers.has_many() {
        return none;
    }
    let occupied = node.own | node.enemy;
    let mut to = node.targets
        & match role {
            Role::Knight => attacks::knight(from),
            Role::Met => attacks::met(from),
            Role::Khon => attacks::khon(us, from),
            Role::Rook => cpu.rook(from, occupied),
            Role::Pawn => {
                (Bitboard::square(from).forward(us) - occupied)
                    | attacks::bia(us, from) & node.enemy
            }
            Role::King | Role::Bishop | Role::Queen => Bitboard::EMPTY,
        };
    if node.pinned.has(from) {
        to &= lines::line(node.king, from);
    }
    match role {
        Role::Pawn => (to, to & promotion_rank::<WHITE, R>()),
        _ => (to, Bitboard::EMPTY),
    }
}

/// The number of legal moves.
#[inline(always)]
pub(super) fn count<const WHITE: bool, R: MoveRules, C: Cpu>(cpu: C, board: &Board) -> u64 {
    let us = color::<WHITE>();
    let node = Node::new::<WHITE>(board);
    let mut count = node.king_targets::<WHITE, R, C>(cpu, board, Bitboard::FULL).len();
    if node.checkers.has_many() {
        return count.into();
    }
    let targets = node.targets;
    let occupied = node.own | node.enemy;
    let ours = |role| node.own & board.by_role(role);
    let pawns = ours(Role::Pawn);
    let khons = ours(Role::Khon);
    // Pieces that can step ahead, and pieces that can step diagonally. A pinned one can only step
    // ahead.
    let on_rank = node.pinned_on_rank();
    let pushed = (pawns - on_rank).forward(us) - occupied;
    let ahead = (khons - on_rank).forward(us) | pushed;
    let steppers = (khons | ours(Role::Met)) - node.pinned;
    let takers = pawns - node.pinned;
    let ahead_east = steppers.east().forward(us) | setwise::pawn_east(us, takers) & node.enemy;
    let ahead_west = steppers.west().forward(us) | setwise::pawn_west(us, takers) & node.enemy;
    let back_east = steppers.east().forward(!us);
    let back_west = steppers.west().forward(!us);
    for reached in [ahead, ahead_east, ahead_west, back_east, back_west] {
        count += (reached & targets).len();
    }
    if R::PROMOTES_ON_LAST_RANK {
        // There are four roles to choose from: three more moves for each promotion.
        let promotes = promotion_rank::<WHITE, R>() & targets;
        let east = setwise::pawn_east(us, takers) & node.enemy;
        let west = setwise::pawn_west(us, takers) & node.enemy;
        for reached in [pushed, east, west] {
            count += 3 * (reached & promotes).len();
        }
    }
    for from in ours(Role::Knight) - node.pinned {
        count += (attacks::knight(from) & targets).len();
    }
    for from in ours(Role::Rook) {
        let mut to = cpu.rook(from, occupied) & targets;
        if node.pinned.has(from) {
            to &= lines::line(node.king, from);
        }
        count += to.len();
    }
    count.into()
}

/// The number of leaves at `depth` half-moves; `depth` is at least one.
#[inline(always)]
pub(super) fn perft<const WHITE: bool, R: MoveRules, C: Cpu>(
    cpu: C,
    board: &Board,
    depth: u32,
) -> u64 {
    if depth == 1 {
        return count::<WHITE, R, C>(cpu, board);
    }
    let us = color::<WHITE>();
    let mut leaves = 0;
    let mut play = |from: Square, to: Square, role| {
        let mut next = board.clone();
        next.clear(Bitboard::square(from) | to);
        next.put(to, crate::Piece { color: us, role });
        let (board, depth, rules) = (&next, depth - 1, PhantomData::<R>);
        leaves += if WHITE {
            cpu.enter(Leaves::<false, R> { board, depth, rules })
        } else {
            cpu.enter(Leaves::<true, R> { board, depth, rules })
        };
    };
    let _: ControlFlow<()> = visit::<WHITE, R, C, ()>(cpu, board, |piece| {
        for to in piece.targets() {
            match piece.kind() {
                MoveKind::ToMet => play(piece.from(to), to, Role::Met),
                MoveKind::AseanPromotion => {
                    for role in super::ASEAN_PROMOTIONS {
                        play(piece.from(to), to, role);
                    }
                }
                _ => play(piece.from(to), to, piece.role()),
            }
        }
        ControlFlow::Continue(())
    });
    leaves
}

/// [`perft`] as a task, because a recursive function must enter the CPU level again.
struct Leaves<'a, const WHITE: bool, R> {
    board: &'a Board,
    depth: u32,
    rules: PhantomData<R>,
}

impl<const WHITE: bool, R: MoveRules> Task for Leaves<'_, WHITE, R> {
    type Output = u64;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        perft::<WHITE, R, C>(cpu, self.board, self.depth)
    }
}
