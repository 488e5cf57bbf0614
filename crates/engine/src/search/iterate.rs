//! Iterative deepening: searches to depth 1, 2, 3 …, each time with the best moves so far first.
//!
//! From depth 5 on, an iteration starts with a narrow window around the last score (*aspiration*), and widens it on the
//! side on which the search fails. With several lines, each line is searched without the best moves of the lines before
//! it.
//!
//! # Source
//! David Slate and Larry Atkin, *Chess 4.5* (1977). "Aspiration Windows", Chess Programming Wiki.

use super::alphabeta::Worker;
use super::order::Picker;
use super::reductions::reduction;
use super::time::Certainty;
use super::value::{DRAW, INFINITE, MAX_PLY, Value, mated_in};
use super::{Report, SearchResult};
use crate::SearchBoard;
use halfmove_rules::{Move, Role};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

const FIRST_WINDOW: i32 = 20;

/// A root move with its scores.
struct RootMove {
    mv: Move,
    role: Role,
    /// The score in this iteration; `-INFINITE` if only an upper bound is known.
    score: i32,
    /// The score in the previous iteration.
    previous: i32,
    line: Vec<Move>,
    nodes: u64,
    deepest: usize,
}

/// The root moves that the limits allow.
fn root_moves<B: SearchBoard>(worker: &mut Worker<'_, B>, position: &B) -> Vec<RootMove> {
    let mut picker = Picker::all(None, [None; 2]);
    let allowed = &worker.context.limits.search_moves;
    let mut moves = Vec::new();
    while let Some((mv, _)) = worker.next_move(&mut picker, position, [None; 2]) {
        if !allowed.is_empty() && !allowed.contains(&mv) {
            continue;
        }
        let role = position.board().role_at(mv.from()).unwrap_or(Role::Pawn);
        moves.push(RootMove {
            mv,
            role,
            score: -INFINITE,
            previous: -INFINITE,
            line: vec![mv],
            nodes: 0,
            deepest: 0,
        });
    }
    moves
}

/// The result if no search could be started.
pub(super) fn first_move<B: SearchBoard>(position: &B) -> SearchResult {
    let mut best: Option<Move> = None;
    position.each_move(|mv| best = Some(best.map_or(mv, |best| best.min(mv))));
    let line = best.into_iter().collect();
    SearchResult { best, reply: None, line, value: Value::of(DRAW), depth: 0, nodes: 0 }
}

/// The search of the main thread, which returns the result.
pub(super) fn lead<B: SearchBoard>(
    worker: &mut Worker<'_, B>,
    position: &B,
    report: &mut (dyn FnMut(&Report) + Send),
) -> SearchResult {
    let context = worker.context;
    let mut moves = root_moves(worker, position);
    let mut done = 0;
    let mut certainty = Certainty::default();
    let mut best_before: Option<(Move, i32)> = None;

    let lines = context.settings.multi_pv.clamp(1, moves.len().max(1));
    let mut reported = None;
    'deepen: for depth in 1..=context.limits.last_depth() {
        if moves.is_empty() {
            break;
        }
        worker.iteration = depth;
        for root in &mut moves {
            root.previous = root.score;
        }
        for line in 0..lines {
            worker.deepest = 0;
            aspire(worker, position, &mut moves, line, depth);
            // Also after an interrupted iteration: a move that has already improved the score is better.
            moves[line..].sort_by_key(|root| std::cmp::Reverse((root.score, root.previous)));
            if worker.stopped {
                // The results of the interrupted iteration: the lines before, and possibly a better move.
                let known = line.max(usize::from(reported != Some(moves[0].mv)));
                moves[..line].sort_by_key(|root| std::cmp::Reverse(root.score));
                if known > 0 {
                    tell(worker, depth, &moves[..known], |root| root.score, report);
                } else {
                    // Only nodes and time are new.
                    tell(worker, depth - 1, &moves[..lines], |root| root.previous, report);
                }
                break 'deepen;
            }
        }
        moves[..lines].sort_by_key(|root| std::cmp::Reverse(root.score));
        tell(worker, depth, &moves[..lines], |root| root.score, report);
        reported = Some(moves[0].mv);
        done = depth as u32;

        let best = &moves[0];
        let (before, score) = best_before.unwrap_or((best.mv, best.score));
        certainty.stable = if before == best.mv { certainty.stable + 1 } else { 0 };
        certainty.drop = score.saturating_sub(best.score);
        certainty.node_share = (best.nodes * 100 / worker.nodes.max(1)) as u32;
        best_before = Some((best.mv, best.score));
        if is_enough(worker, &moves, certainty) {
            break;
        }
    }
    // The other threads can stop, even if the result has to wait.
    context.done.store(true, Relaxed);
    context.signals.wait(context.limits.infinite);

    let nodes = context.nodes();
    match moves.first() {
        Some(root) => SearchResult {
            best: Some(root.mv),
            reply: root.line.get(1).copied(),
            line: root.line.clone(),
            // A search interrupted before its first move has only the result of the previous iteration.
            value: Value::of(if root.score > -INFINITE { root.score } else { root.previous }),
            depth: done,
            nodes,
        },
        None => {
            let lost = position.is_check() && !position.has_moves();
            let score = if lost { mated_in(0) } else { DRAW };
            let value = Value::of(score);
            SearchResult { best: None, reply: None, line: Vec::new(), value, depth: 0, nodes }
        }
    }
}

/// Reports lines, the best first.
fn tell<B: SearchBoard>(
    worker: &Worker<'_, B>,
    depth: i32,
    lines: &[RootMove],
    score: impl Fn(&RootMove) -> i32,
    report: &mut (dyn FnMut(&Report) + Send),
) {
    let context = worker.context;
    let elapsed = context.clock.now().saturating_sub(context.start);
    for (number, root) in lines.iter().enumerate() {
        report(&Report {
            depth: depth as u32,
            deepest: root.deepest as u32,
            rank: number + 1,
            value: Value::of(score(root)),
            nodes: context.nodes(),
            elapsed,
            permille_full: context.memory.table.permille_full(),
            line: root.line.clone(),
        });
    }
}

/// Returns true if the search can end: the result is good enough, or the time is up.
fn is_enough<B: SearchBoard>(
    worker: &Worker<'_, B>,
    moves: &[RootMove],
    certainty: Certainty,
) -> bool {
    let context = worker.context;
    if let Some(limit) = context.limits.mate
        && let Value::Mate(moves @ 1..) = Value::of(moves[0].score)
        && moves.unsigned_abs() <= limit
    {
        return true;
    }
    let Some(budget) = context.limits.time.filter(|_| !context.signals.is_pondering()) else {
        return false;
    };
    // A forced move ends the search, unless the time per move is fixed.
    let forced = moves.len() == 1 && budget.soft != budget.hard;
    forced || !budget.allows_more(worker.elapsed(), certainty)
}

/// The search of a helper thread, which only fills the table.
pub(super) fn help<B: SearchBoard>(worker: &mut Worker<'_, B>, position: &B, number: usize) {
    let mut moves = root_moves(worker, position);
    // Every other thread is one ply ahead.
    let first = 1 + (number % 2) as i32;
    for depth in first..=worker.context.limits.last_depth() {
        if moves.is_empty() || worker.stopped {
            return;
        }
        worker.iteration = depth;
        for root in &mut moves {
            root.previous = root.score;
        }
        aspire(worker, position, &mut moves, 0, depth);
        moves.sort_by_key(|root| std::cmp::Reverse((root.score, root.previous)));
    }
}

/// Runs one iteration of one line, with aspiration windows.
fn aspire<B: SearchBoard>(
    worker: &mut Worker<'_, B>,
    position: &B,
    moves: &mut [RootMove],
    line: usize,
    depth: i32,
) {
    let expected = moves[line].previous;
    let mut window = FIRST_WINDOW;
    let (mut alpha, mut beta) = (-INFINITE, INFINITE);
    if depth >= 5 && expected > -INFINITE {
        (alpha, beta) = (expected - window, expected + window);
    }
    loop {
        let score = root(
            worker,
            position,
            &mut moves[line..],
            alpha.max(-INFINITE),
            beta.min(INFINITE),
            depth,
        );
        if worker.stopped {
            return;
        }
        window *= 2;
        if score <= alpha && alpha > -INFINITE {
            beta = (alpha + beta) / 2;
            alpha = if window > 500 { -INFINITE } else { score - window };
        } else if score >= beta && beta < INFINITE {
            beta = if window > 500 { INFINITE } else { score + window };
            // The move that failed high comes first.
            moves[line..].sort_by_key(|root| std::cmp::Reverse((root.score, root.previous)));
        } else {
            return;
        }
    }
}

/// Searches the root node, keeping a line for each move.
fn root<B: SearchBoard>(
    worker: &mut Worker<'_, B>,
    position: &B,
    moves: &mut [RootMove],
    mut alpha: i32,
    beta: i32,
    depth: i32,
) -> i32 {
    let check = position.is_check();
    let selective = worker.context.settings.selective;
    let depth = if selective && check { depth + 1 } else { depth };
    worker.root_value(position, check);
    let mut best = -INFINITE;
    for root in moves.iter_mut() {
        root.score = -INFINITE;
    }
    for (i, root) in moves.iter_mut().enumerate() {
        let nodes = worker.nodes;
        let next = worker.play(position, root.mv, root.role, 0);
        let gives_check = next.is_check();
        let mut score = -INFINITE;
        if i > 0 {
            let late = selective
                && depth >= 3
                && i >= 3
                && !check
                && !gives_check
                && !position.is_capture(root.mv);
            let less = if late { reduction(depth, i + 1) - 1 } else { 0 };
            let reduced = (depth - 1 - less).clamp(1.min(depth - 1), depth - 1);
            score = -worker.node(&next, gives_check, -alpha - 1, -alpha, reduced, 1, true);
            if score > alpha && reduced < depth - 1 {
                score = -worker.node(&next, gives_check, -alpha - 1, -alpha, depth - 1, 1, true);
            }
        }
        if i == 0 || score > alpha {
            score = -worker.node(&next, gives_check, -beta, -alpha, depth - 1, 1, true);
        }
        worker.keys.pop();
        root.nodes += worker.nodes - nodes;
        if worker.stopped {
            // The first move of the first iteration has to have a score.
            if i == 0 && root.previous == -INFINITE && best == -INFINITE {
                root.score = worker.evaluate(position, 0);
            }
            return best;
        }
        best = best.max(score);
        if i == 0 || score > alpha {
            root.score = score;
            root.deepest = worker.deepest;
            root.line.clear();
            root.line.push(root.mv);
            root.line.extend(worker.lines[1].iter().copied().take(MAX_PLY - 1));
        }
        if score > alpha {
            alpha = score;
            if score >= beta {
                break;
            }
        }
    }
    best
}

impl<B: SearchBoard> Worker<'_, B> {
    /// The time since the search began, or since the expected move was played.
    pub(super) fn elapsed(&self) -> Duration {
        let start = self.context.signals.start(self.context.start);
        self.context.clock.now().saturating_sub(start)
    }

    /// Returns true if the search has to end.
    pub(super) fn should_stop(&self) -> bool {
        let context = self.context;
        if context.signals.is_stopped() || context.done.load(Relaxed) {
            return true;
        }
        if !self.is_main {
            return false;
        }
        if context.visited.len() > 1
            && context.limits.nodes.is_some_and(|limit| context.nodes() >= limit)
        {
            return true;
        }
        context
            .limits
            .time
            .is_some_and(|budget| !context.signals.is_pondering() && self.elapsed() >= budget.hard)
    }
}
