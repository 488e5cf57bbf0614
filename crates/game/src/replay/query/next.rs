//! The moves after a position in frequent beginnings of games.

use halfmove_rules::{AnyPosition, Chess, Move};

use super::super::lines::Lines;
use crate::codec::halfmove;

/// The moves after the position.
#[derive(Clone, Debug)]
pub(super) struct Next {
    /// The moves of the lines.
    pub(super) moves: Vec<Move>,
    /// The index of the move of each line, or [`NONE`].
    pub(super) in_line: Vec<u8>,
    /// The moves at each arrival.
    pub(super) after: Vec<NextMoves>,
}

/// The index for a line without a next move. No position has this number of moves.
pub(super) const NONE: u8 = u8::MAX;

impl Next {
    /// The moves where the position arises in lines.
    pub(super) fn after(arrivals: &[u16]) -> Self {
        let nodes = Lines::tree().nodes();
        let after: Vec<NextMoves> = arrivals.iter().copied().map(NextMoves::new).collect();
        let (mut moves, mut in_line) = (Vec::new(), vec![NONE; nodes.len()]);
        for table in &after {
            let mut child = table.line + 1;
            while child < table.end {
                let node = &nodes[usize::from(child)];
                let range = usize::from(child)..usize::from(node.end);
                if let Some(mv) = table.moves[usize::from(node.code)] {
                    let number = moves.iter().position(|known| *known == mv).unwrap_or_else(|| {
                        moves.push(mv);
                        moves.len() - 1
                    });
                    in_line[range].fill(u8::try_from(number).unwrap_or(NONE));
                }
                child = node.end;
            }
        }
        Self { moves, in_line, after }
    }
}

/// The moves at a line in which a position arises, by code.
#[derive(Clone, Debug)]
pub(super) struct NextMoves {
    /// The line, and the index after its last descendant.
    pub(super) line: u16,
    pub(super) end: u16,
    pub(super) moves: Box<[Option<Move>; 256]>,
}

impl NextMoves {
    fn new(line: u16) -> NextMoves {
        let tree = Lines::tree();
        let mut moves = Box::new([None; 256]);
        let mut played = Vec::new();
        if let Ok(AnyPosition::Chess(mut position)) =
            halfmove::decode_moves(&tree.codes_to(line), &mut played)
        {
            let start = AnyPosition::Chess(Chess::default());
            played.iter().for_each(|mv| position.play_unchecked(*mv));
            for mv in position.legal_moves() {
                let (mut line, mut bytes) = (played.clone(), Vec::new());
                line.push(mv);
                if halfmove::encode_moves(&start, &line, &mut bytes).is_ok()
                    && bytes.len() == line.len()
                {
                    moves[usize::from(bytes[played.len()])] = Some(mv);
                }
            }
        }
        NextMoves { line, end: tree.node(line).end, moves }
    }
}
