//! Quiescence search: captures and promotions, until the position is quiet enough for its static value.
//!
//! The side to move may stand pat. In check it may not, so all evasions are tried. Apart from the first node, only a
//! capture, a promotion or an evasion can lead to a check, so such lines are short; repetitions and `MAX_PLY` bound the
//! rest.
//!
//! # Source
//! Larry Harris, *The heuristic search and the game of chess* (1975). "Quiescence Search", "Delta Pruning", Chess
//! Programming Wiki.

use super::alphabeta::Worker;
use super::draws::table_key;
use super::order::{Class, Picker};
use super::table::{Bound, Entry};
use super::value::{DRAW, INFINITE, MATE_BOUND, MAX_PLY, mated_in, to_table};
use crate::SearchBoard;
use halfmove_rules::Role;

/// The maximum positional gain of a capture in addition to the captured piece.
const MARGIN: i32 = 160;

impl<B: SearchBoard> Worker<'_, B> {
    /// The score of a position after quiescence search, for the side to move.
    pub(super) fn quiesce(
        &mut self,
        position: &B,
        check: bool,
        mut alpha: i32,
        beta: i32,
        ply: usize,
    ) -> i32 {
        let settings = self.context.settings;
        let principal = beta - alpha > 1;
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
        let key = table_key(position);
        let entry = if settings.table { self.context.memory.table.probe(key) } else { None };
        if let Some(entry) = entry
            && !principal
            && self.is_usable(position, entry, 0)
            && let Some(score) = entry.cutoff(alpha, beta, ply)
        {
            return score;
        }

        let raw = match entry {
            _ if check => -INFINITE,
            Some(entry) => i32::from(entry.value),
            None => self.evaluate(position, ply),
        };
        let value = self.corrected(position, raw, self.structure(position, check));
        let mut best = value;
        let lowest = alpha;
        if best > alpha {
            alpha = best;
        }
        if alpha >= beta {
            return best;
        }
        let remembered = entry.and_then(|entry| entry.mv);
        let before = self.before(ply);
        // Losing captures are skipped, unless they evade a check.
        let mut moves = if check {
            Picker::all(remembered, self.killers(ply))
        } else {
            Picker::noisy(remembered, settings.selective)
        };
        let mut best_move = None;
        let mut tried = false;
        while let Some((mv, class)) = self.next_move(&mut moves, position, before) {
            if settings.selective && !check {
                let victim = position.board().role_at(mv.to()).unwrap_or(Role::Pawn);
                let promoted = mv.promotion().map_or(0, |role| B::VALUES[role.index()]);
                let most = value + MARGIN + B::VALUES[victim.index()] + promoted;
                if most <= alpha {
                    best = best.max(most);
                    continue;
                }
            }
            if settings.selective && check && best > -MATE_BOUND && class == Class::Bad {
                break;
            }
            let role = position.board().role_at(mv.from()).unwrap_or(Role::Pawn);
            tried = true;
            let next = self.play(position, mv, role, ply);
            let gives_check = next.is_check();
            let score = -self.quiesce(&next, gives_check, -beta, -alpha, ply + 1);
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
                    if principal {
                        self.lead_with(mv, ply);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        self.drop_moves(&moves);
        if check && !tried {
            return mated_in(ply);
        }
        if settings.table {
            let bound = if best >= beta {
                Bound::Lower
            } else if best > lowest {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let entry = Entry {
                mv: best_move,
                score: to_table(best, ply),
                value: raw as i16,
                depth: 0,
                bound,
            };
            self.context.memory.table.store(key, entry);
        }
        best
    }
}
