//! The symbols of a half-move: what can happen, with its features.

use halfmove_game::rules::cpu::Cpu;
use halfmove_game::rules::{Color, Move, MoveList};

use super::book::{self, Book};
use super::context::{Context, Movement};
use super::features::{self, EACH, Indices, OF_END};
use super::net;
use super::tables::BOOK_WEIGHTS;
use super::view::View;

/// A receiver of the features of all that can happen at a half-move: of the end of the game, then of each legal move.
pub(super) trait Sink {
    /// Receives the position, by its Zobrist key and its input rows of the net, and the indices of the weights of the end.
    fn end(&mut self, position: u64, inputs: &[u16], features: &[u32; OF_END]);

    /// Receives a move, by its [key](Candidate::key) and its output rows of the net, and the indices of its weights.
    fn movement(&mut self, key: u16, outputs: [u16; 3], features: &[u32]);

    /// Announces a move, whose weights will be needed soon.
    fn prefetch(&self, _key: u16, _features: &Indices) {}
}

/// A legal move with its features.
#[derive(Copy, Clone, Debug)]
pub(super) struct Candidate {
    /// The move itself.
    pub(super) mv: Move,
    /// Its bits on the mirrored board, by which the moves are sorted.
    key: u16,
    /// Its rows of the net.
    outputs: [u16; 3],
    features: Indices,
}

const NONE: Candidate =
    Candidate { mv: Move::NULL, key: 0, outputs: [0; 3], features: [0; EACH + 1] };

/// The bits of a move that differ on the mirrored board.
pub(super) fn mirror(context: &Context) -> u16 {
    match context.position.side_to_move() {
        Color::White => 0,
        Color::Black => 56 | 56 << 6,
    }
}

/// The legal moves at a half-move, in the order of their keys.
#[derive(Debug)]
pub(super) struct Choice {
    pub(super) candidates: Vec<Candidate>,
    inputs: Vec<u16>,
    keys: Vec<u16>,
    moves: MoveList,
    /// The summands that each of our pieces adds to the indices of its moves, by its square.
    pieces: Box<[Indices; 64]>,
}

impl Default for Choice {
    fn default() -> Self {
        Self {
            candidates: Vec::new(),
            inputs: Vec::new(),
            keys: Vec::new(),
            moves: MoveList::new(),
            pieces: Box::new([[0; EACH + 1]; 64]),
        }
    }
}

/// The number of keys that are compared at a time.
const LANES: usize = 32;

/// The number of keys below one of them; the number of keys is a multiple of [`LANES`].
#[inline(always)]
fn rank(keys: &[u16], key: u16) -> u16 {
    let mut counts = [0u16; LANES];
    for keys in keys.as_chunks::<LANES>().0 {
        for (count, other) in counts.iter_mut().zip(keys) {
            *count += u16::from(*other < key);
        }
    }
    counts.iter().sum()
}

impl Choice {
    /// Finds the legal moves, and passes the features of all that can happen to `sink`. Returns true
    /// if something can: not when the side to move is mated. `played` is the move that a trainer learns.
    #[inline(always)]
    pub(super) fn visit(
        &mut self,
        cpu: impl Cpu,
        context: &Context,
        book: &impl Book,
        played: Option<Move>,
        sink: &mut impl Sink,
    ) -> bool {
        let view = View::new(context);
        context.position.fill_moves_on(cpu, &mut self.moves);
        let moves = self.moves.as_slice();
        if moves.is_empty() && view.is_check {
            return false;
        }
        self.inputs.clear();
        net::inputs(context, &view, |row| self.inputs.push(row));
        let position = context.position.zobrist().0;
        sink.end(position, &self.inputs, &features::of_end(context, &view, moves.len()));
        for from in super::view::squares(view.our_pieces) {
            self.pieces[from] = features::of_piece(context, &view, view.our_role(from), from);
        }

        let mirror = mirror(context);
        self.keys.clear();
        self.keys.extend(moves.iter().map(|mv| mv.to_bits() ^ mirror));
        self.keys.resize(moves.len().next_multiple_of(LANES), u16::MAX);
        self.candidates.resize(moves.len(), NONE);
        let total = if context.ply < book::PLIES { book.total(position) } else { None };
        if total.is_some() {
            self.keys[..moves.len()].iter().for_each(|key| book.prefetch(position, *key));
        }
        // The generator lists the moves of a piece together, so most branches on its kind are predicted. The features are sorted
        // afterward: to count the smaller keys takes less time than to sort them, and branches on nothing.
        for (&mv, &key) in moves.iter().zip(&self.keys) {
            let [from, to] = [key & 63, key >> 6 & 63].map(usize::from);
            let movement = Movement::new(mv, key, view.our_role(from), view.their_class(to));
            let Movement { kind, from, to, captured } = movement;
            let piece = match kind {
                0..6 => self.pieces[from],
                _ => features::of_piece(context, &view, kind, from),
            };
            let mut features = features::of_move(&view, movement, piece);
            sink.prefetch(key, &features);
            if let Some(total) = total {
                let cost = book.cost(position, key, played == Some(mv));
                let index = BOOK_WEIGHTS + book::index(cost, total) * 2 + context.setting % 2;
                features[EACH] = index as u32;
            }
            let outputs = net::outputs(kind, from, to, captured, view.their_attacks.least(to));
            let rank = usize::from(rank(&self.keys, key));
            self.candidates[rank] = Candidate { mv, key, outputs, features };
        }
        let count = EACH + usize::from(total.is_some());
        for Candidate { key, outputs, features, .. } in &self.candidates {
            sink.movement(*key, *outputs, &features[..count]);
        }
        true
    }
}
