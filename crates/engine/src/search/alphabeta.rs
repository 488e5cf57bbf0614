//! Principal variation search: alpha-beta with a window of zero width for all moves but the first.
//!
//! `alpha` is the score that the side to move can already force, `beta` that of its opponent. A node may return a bound
//! outside the window (*fail-soft*).
//!
//! # Source
//! Donald Knuth and Ronald Moore, *An analysis of alpha-beta pruning* (1975). Tony Marsland and Murray Campbell,
//! *Parallel search of strongly ordered game trees* (1982), for PVS. Don Beal (1990) and Christian Donninger, *Null move
//! and deep search* (1993). "Late Move Reductions", "Futility Pruning", "Reverse Futility Pruning", "Internal Iterative
//! Reductions", Chess Programming Wiki.

use super::draws::table_key;
use super::history::{Histories, piece_to};
use super::order::{Class, Picker, Ranked};
use super::parallel::Context;
use super::reductions::reduction;
use super::singular::Singular;
use super::table::{Bound, Entry};
use super::value::{DRAW, INFINITE, MATE_BOUND, MAX_PLY, mate_in, mated_in, to_table};
use crate::SearchBoard;
use crate::board::mix;
use crate::eval::{self, net::accumulator::Accumulator};
use arrayvec::ArrayVec;
use halfmove_rules::{Color, Move, Role};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// Marks a missing static value, because the side to move is in check.
const NO_VALUE: i32 = -INFINITE;

/// A line of play.
pub(super) type Line = ArrayVec<Move, MAX_PLY>;

/// The search stack entry of a ply.
#[derive(Copy, Clone)]
pub(super) struct Frame {
    value: i32,
    /// The move played from here, by piece and target; `None` for a null move.
    moved: Option<usize>,
    killers: [Option<Move>; 2],
    /// A move to exclude from the search.
    pub(super) excluded: Option<Move>,
}

const EMPTY: Frame = Frame { value: NO_VALUE, moved: None, killers: [None; 2], excluded: None };

/// One thread of a search.
pub(super) struct Worker<'a, B> {
    pub(super) context: &'a Context<'a>,
    /// The number of nodes that this thread has visited; other threads read it.
    pub(super) visited: &'a AtomicU64,
    pub(super) nodes: u64,
    pub(super) is_main: bool,
    pub(super) stopped: bool,
    /// The keys of the positions of the game and of the path, for repetitions.
    pub(super) keys: Vec<u64>,
    /// The index in `keys` before which no position counts as a repetition.
    pub(super) barrier: usize,
    pub(super) histories: Histories,
    /// The hidden sums of the net along the path, if a net is used.
    sums: Option<Accumulator<'a>>,
    /// The moves of all nodes of the path.
    pub(super) moves: Vec<Ranked>,
    pub(super) frames: Box<[Frame]>,
    pub(super) lines: Box<[Line]>,
    pub(super) deepest: usize,
    /// The depth of the iteration, which limits extensions.
    pub(super) iteration: i32,
    game: std::marker::PhantomData<fn(&B)>,
}

impl<'a, B: SearchBoard> Worker<'a, B> {
    pub(super) fn new(
        context: &'a Context<'a>,
        visited: &'a AtomicU64,
        position: &B,
        earlier: &[u64],
        histories: Histories,
        is_main: bool,
    ) -> Self {
        let mut keys = earlier.to_vec();
        keys.push(position.key());
        Self {
            context,
            visited,
            nodes: 0,
            is_main,
            stopped: false,
            keys,
            barrier: 0,
            histories,
            sums: context.net.map(|net| Accumulator::new(net, MAX_PLY + 2)),
            moves: Vec::with_capacity(4096),
            frames: vec![EMPTY; MAX_PLY + 2].into(),
            lines: (0..MAX_PLY + 2).map(|_| Line::new()).collect(),
            deepest: 0,
            iteration: 0,
            game: std::marker::PhantomData,
        }
    }

    /// Counts a node, and checks if the search has to end.
    #[inline]
    pub(super) fn visit(&mut self, ply: usize) -> bool {
        if self.stopped {
            // The search is unwinding.
            return true;
        }
        self.nodes += 1;
        self.visited.store(self.nodes, Relaxed);
        self.deepest = self.deepest.max(ply);
        if self.nodes.is_multiple_of(1024) && self.should_stop() {
            self.stopped = true;
        }
        if let Some(limit) = self.context.limits.nodes
            && self.is_main
            && self.context.visited.len() == 1
            && self.nodes >= limit
        {
            self.stopped = true;
        }
        self.stopped
    }

    /// The static value of the position at a ply, for the side to move.
    #[inline]
    pub(super) fn evaluate(&mut self, position: &B, ply: usize) -> i32 {
        let mut value = match &mut self.sums {
            // The side to move is an input of the net.
            Some(sums) => {
                let value = eval::value_at(sums, ply, position);
                debug_assert_eq!(value, eval::value_by(sums.net(), position), "of all pieces");
                value
            }
            None => eval::value(position) + eval::TEMPO,
        };
        let noise = self.context.settings.noise;
        if noise > 0 {
            let random = mix(position.key() ^ 0x9e37_79b9_7f4a_7c15) >> 33;
            value += (random % (2 * noise as u64 + 1)) as i32 - noise;
        }
        value.clamp(1 - MATE_BOUND, MATE_BOUND - 1)
    }

    /// Records the static value of the root, for comparison with later positions of the same side.
    pub(super) fn root_value(&mut self, position: &B, check: bool) {
        let raw = if check { NO_VALUE } else { self.evaluate(position, 0) };
        self.frames[0].value = self.corrected(position, raw, self.structure(position, check));
        self.frames[1].killers = [None; 2];
    }

    /// Plays a move on a copy, and records it.
    #[inline]
    pub(super) fn play(&mut self, position: &B, mv: Move, role: Role, ply: usize) -> B {
        let mut next = position.clone();
        next.play(mv);
        if self.context.settings.table {
            self.context.memory.table.prefetch(table_key(&next));
        }
        self.keys.push(next.key());
        self.frames[ply].moved = Some(piece_to(role, mv));
        next
    }

    /// The moves one and two plies before.
    pub(super) fn before(&self, ply: usize) -> [Option<usize>; 2] {
        let moved = |back: usize| ply.checked_sub(back).and_then(|ply| self.frames[ply].moved);
        [moved(1), moved(2)]
    }

    pub(super) fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.frames[ply].killers
    }

    /// The score of an exact ending.
    #[inline]
    pub(super) fn known_ending(&self, position: &B, ply: usize) -> Option<i32> {
        if !self.context.settings.selective {
            return None;
        }
        self.context.tables.score(position, ply)
    }

    /// The score of a position searched to a depth, for the side to move. `check` is true if that side is in check.
    #[allow(clippy::too_many_arguments, reason = "they are all of the node")]
    pub(super) fn node(
        &mut self,
        position: &B,
        check: bool,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
        may_pass: bool,
    ) -> i32 {
        let settings = self.context.settings;
        let selective = settings.selective;
        let principal = beta - alpha > 1;
        if selective && check && ply < 2 * self.iteration as usize {
            depth += 1;
        }
        if depth <= 0 {
            return self.quiesce(position, check, alpha, beta, ply);
        }
        self.lines[ply].clear();
        if self.visit(ply) {
            return DRAW;
        }
        if let Some(score) = self.drawn(position, check, ply) {
            return score;
        }
        if let Some(score) = self.known_ending(position, ply) {
            return score;
        }
        if ply >= MAX_PLY - 1 {
            return if check { DRAW } else { self.evaluate(position, ply) };
        }
        if selective {
            // No line from here can improve on a shorter mate that has been found (mate distance pruning).
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        let excluded = self.frames[ply].excluded.take();
        let key = table_key(position);
        let entry = if settings.table { self.context.memory.table.probe(key) } else { None };
        if let Some(entry) = entry
            && !principal
            && excluded.is_none()
            && self.is_usable(position, entry, depth)
            && let Some(score) = entry.cutoff(alpha, beta, ply)
        {
            return score;
        }
        let remembered = entry.and_then(|entry| entry.mv);

        let raw = match entry {
            _ if check => NO_VALUE,
            Some(entry) => i32::from(entry.value),
            None => self.evaluate(position, ply),
        };
        let structure = self.structure(position, check);
        let value = self.corrected(position, raw, structure);
        self.frames[ply].value = value;
        self.frames[ply + 1].killers = [None; 2];
        let improving = !check
            && ply >= 2
            && self.frames[ply - 2].value != NO_VALUE
            && value > self.frames[ply - 2].value;
        let us = position.side_to_move();

        if selective && !principal && !check && excluded.is_none() && beta.abs() < MATE_BOUND {
            // So far ahead that the opponent avoids this position (reverse futility pruning).
            if depth <= 7 && value - 80 * (depth - i32::from(improving)) >= beta {
                return value;
            }
            if may_pass && let Some(score) = self.null_move(position, us, value, beta, depth, ply) {
                return score;
            }
        }
        if selective && remembered.is_none() && depth >= 5 {
            // Without a table move, a shallower search finds one for the next visit (internal iterative reduction).
            depth -= 1;
        }

        let mut extension = 0;
        if excluded.is_none()
            && let Some(singular) = self.singular(position, check, entry, depth, ply)
        {
            self.frames[ply].value = value;
            if self.stopped {
                return DRAW;
            }
            extension = match singular {
                Singular::Much if !principal => 2,
                Singular::Yes | Singular::Much => 1,
                // Several moves refute the opponent's move.
                Singular::No { others, .. } if others >= beta && !principal => return others,
                Singular::No { own, .. } if own >= beta => -1,
                Singular::No { .. } => 0,
            };
        }

        let before = self.before(ply);
        let killers = self.frames[ply].killers;
        let mut moves = Picker::all(remembered, killers);
        let (mut best, mut best_move) = (-INFINITE, None);
        let mut bound = Bound::Upper;
        let mut tried = 0;
        let mut quiets: ArrayVec<(Move, Role), 64> = ArrayVec::new();
        // Against a bare king, mating moves are quiet, and a count may leave no time to find them later.
        let chases = position.board().by_color(!us).len() == 1;
        let hunts = position.variant().makruk_rules().is_some() && hunts(position, us);
        let mut only_checks = false;
        loop {
            let prunes = selective && !principal && !check && best > -MATE_BOUND && depth <= 6;
            if prunes {
                let most = (4 + depth * depth) / if improving { 1 } else { 2 };
                if quiets.len() as i32 >= most || value + 110 + 90 * depth <= alpha {
                    if chases {
                        only_checks = true;
                    } else {
                        moves.skip_quiets();
                    }
                }
            }
            let Some((mv, class)) = self.next_move(&mut moves, position, before) else { break };
            if Some(mv) == excluded {
                continue;
            }
            let role = position.board().role_at(mv.from()).unwrap_or(Role::Pawn);
            let quiet = class == Class::Quiet
                || class == Class::Remembered
                    && mv.promotion().is_none()
                    && !position.is_capture(mv);
            if prunes && class != Class::Good {
                let loss = if quiet { 60 * depth } else { 100 * depth };
                if !position.exchange_at_least(mv, -loss) {
                    continue;
                }
            }
            let next = self.play(position, mv, role, ply);
            let gives_check = next.is_check();
            if only_checks && quiet && !gives_check {
                self.keys.pop();
                continue;
            }
            tried += 1;

            let mut score = -INFINITE;
            let full = depth - 1 + if class == Class::Remembered { extension } else { 0 };
            let mut reduced = full;
            if selective && depth >= 3 && tried > 1 + usize::from(principal) && class != Class::Good
            {
                let mut less = reduction(depth, tried);
                less -= i32::from(principal);
                less -= i32::from(check || gives_check);
                less += i32::from(!improving);
                less += i32::from(hunts);
                if quiet {
                    less -= self.histories.of(us, role, mv, before) / 8192;
                    less -= i32::from(killers.contains(&Some(mv)));
                } else {
                    less -= 1;
                }
                reduced = (full - less).clamp(1, full);
            }
            let first = tried == 1;
            if !first || !principal {
                // A null-window search, at reduced depth for late moves, tests if the move improves on alpha.
                score = -self.node(&next, gives_check, -alpha - 1, -alpha, reduced, ply + 1, true);
                if score > alpha && reduced < full {
                    let (low, high) = (-alpha - 1, -alpha);
                    score = -self.node(&next, gives_check, low, high, full, ply + 1, true);
                }
            }
            if principal && (first || score > alpha) {
                score = -self.node(&next, gives_check, -beta, -alpha, full, ply + 1, true);
            }
            self.keys.pop();
            if self.stopped {
                self.drop_moves(&moves);
                return DRAW;
            }

            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    bound = Bound::Exact;
                    if principal {
                        self.lead_with(mv, ply);
                    }
                    if score >= beta {
                        bound = Bound::Lower;
                        if quiet {
                            self.reward(us, mv, role, &quiets, ply, depth);
                        }
                        break;
                    }
                }
            }
            if quiet {
                let _ = quiets.try_push((mv, role));
            }
        }
        self.drop_moves(&moves);
        if excluded.is_some() {
            // The result without the excluded move must not be stored as that of the node.
            return if tried == 0 { alpha } else { best };
        }
        if tried == 0 {
            return if check { mated_in(ply) } else { DRAW };
        }

        let quiet = best_move.is_none_or(|mv| mv.promotion().is_none() && !position.is_capture(mv));
        if let Some(structure) = structure
            && quiet
        {
            self.histories.corrections.learn(us, structure, value, best, bound, depth);
        }
        if settings.table {
            let entry = Entry {
                mv: best_move,
                score: to_table(best, ply),
                value: raw as i16,
                depth: depth as u8,
                bound,
            };
            self.context.memory.table.store(key, entry);
        }
        best
    }

    /// Returns true if an entry of the table is deep enough for a node, and the fifty-move rule is not near.
    #[inline]
    pub(super) fn is_usable(&self, position: &B, entry: Entry, depth: i32) -> bool {
        if !self.context.settings.selective {
            return i32::from(entry.depth) == depth;
        }
        // The key includes the half-move clock only from 24 on, in steps of eight.
        let clock_is_far = !position.has_fifty_move_rule() || position.halfmove_clock() < 90;
        i32::from(entry.depth) >= depth && clock_is_far
    }

    /// Null move pruning: if even passing fails high, so would a move. It is not used with only pawns or little else
    /// left, nor for the side that counts, because of zugzwang.
    fn null_move(
        &mut self,
        position: &B,
        us: Color,
        value: i32,
        beta: i32,
        depth: i32,
        ply: usize,
    ) -> Option<i32> {
        let (margin, pieces) = match position.variant().makruk_rules() {
            None => (0, 1),
            Some(_) if hunts(position, us) => (0, 2),
            // Makruk is slow, and zugzwang is common.
            Some(_) => (60, 2),
        };
        let counts = position.count().is_some_and(|count| count.color == us);
        if depth < 3 || value < beta + margin || counts {
            return None;
        }
        let board = position.board();
        let own = board.by_color(us) - board.by_role(Role::Pawn) - board.by_role(Role::King);
        if own.len() < pieces {
            return None;
        }
        let next = position.pass()?;
        let less = 3 + depth / 3 + ((value - beta) / 200).min(3);
        let barrier = std::mem::replace(&mut self.barrier, self.keys.len());
        self.keys.push(next.key());
        self.frames[ply].moved = None;
        // A pass is not a move, so the node after it is not counted.
        self.nodes -= 1;
        let score = -self.node(&next, false, -beta, 1 - beta, depth - less, ply + 1, false);
        self.keys.pop();
        self.barrier = barrier;
        if self.stopped || score < beta {
            return None;
        }
        // A mate after a null move is not proven.
        Some(if score >= MATE_BOUND { beta } else { score })
    }

    /// Prepends a move to the line of the next ply.
    pub(super) fn lead_with(&mut self, mv: Move, ply: usize) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        let (line, rest) = (&mut head[ply], &tail[0]);
        line.clear();
        line.push(mv);
        line.extend(rest.iter().copied().take(MAX_PLY - 1));
    }

    /// Updates killers and histories: a bonus for a quiet move that refuted the opponent's, a malus for those tried
    /// before it.
    fn reward(
        &mut self,
        us: Color,
        mv: Move,
        role: Role,
        quiets: &[(Move, Role)],
        ply: usize,
        depth: i32,
    ) {
        let killers = &mut self.frames[ply].killers;
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let before = self.before(ply);
        let bonus = Histories::bonus(depth);
        self.histories.update(us, role, mv, before, bonus);
        for (mv, role) in quiets {
            self.histories.update(us, *role, *mv, before, -bonus);
        }
    }
}

/// Returns true if the opponent has at most one piece besides its king. Then the moves of the stronger side differ
/// little, so they can be reduced more.
#[inline]
fn hunts<B: SearchBoard>(position: &B, us: Color) -> bool {
    position.board().by_color(!us).len() <= 2
}
