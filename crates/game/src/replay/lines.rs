//! The most frequent beginnings of games, as a tree.
//!
//! Most games share their first moves with many others. A game's *line* is the deepest node of this tree on its path.
//! The line determines the early positions of the game: for each node it is known which of them arise, and when, so the
//! moves of the game are not read. A search for later positions begins at the node.
//!
//! ```text
//!  0 ──┬── 1 e4 ──┬── 2 e4 c5 ──┬── 3 e4 c5 Nf3 …
//!      │          │             └── …
//!      │          └── … e4 e5 …
//!      └── … d4 …
//! ```
//!
//! The tree is fixed, so a line depends only on the game itself. It is part of the format of signatures: a different
//! tree requires a new version.

use std::sync::LazyLock;

use halfmove_rules::Bitboard;

use super::seek::Mark;

/// The nodes except the root, in preorder, each with its depth and its code of
/// [`codec::halfmove`](crate::codec::halfmove): the beginnings that are shared by 100 of 350,433 games between masters
/// or 25 of 41,372 games played online. Among siblings, the more frequent come first. `halfmove-bench lines` generates
/// the file.
static NODES: &[u8] = include_bytes!("lines.bin");

/// The tree.
pub(super) struct Lines {
    nodes: Vec<Node>,
    /// The code and the end of each node, next to each other, for the descent.
    steps: Vec<(u8, u16)>,
}

pub(super) struct Node {
    /// The last half-move.
    pub(super) code: u8,
    pub(super) depth: u8,
    pub(super) parent: u16,
    /// The index after the last descendant of this node.
    pub(super) end: u16,
    pub(super) mark: Mark,
    /// [`Mark::pawns`]
    pub(super) pawns: [Bitboard; 2],
}

impl Lines {
    pub(super) fn tree() -> &'static Lines {
        static TREE: LazyLock<Lines> = LazyLock::new(|| Lines::read(NODES));
        &TREE
    }

    fn read(bytes: &[u8]) -> Lines {
        let node = |code, depth, parent, end, mark: Mark| {
            let pawns = mark.pawns();
            Node { code, depth, parent, end, mark, pawns }
        };
        let root = node(0, 0, 0, 1, Mark::start());
        let mut nodes = vec![root];
        let mut path = vec![0];
        for entry in bytes.chunks_exact(2) {
            let (depth, code) = (entry[0], entry[1]);
            path.truncate(usize::from(depth));
            let parent = path.last().copied().unwrap_or(0);
            let Some(mark) = nodes[usize::from(parent)].mark.after(code) else { continue };
            let index = nodes.len() as u16;
            nodes.push(node(code, depth, parent, index + 1, mark));
            path.push(index);
        }
        for index in (1..nodes.len()).rev() {
            let Node { parent, end, .. } = nodes[index];
            let parent = &mut nodes[usize::from(parent)];
            parent.end = parent.end.max(end);
        }
        let steps = nodes.iter().map(|node| (node.code, node.end)).collect();
        Lines { nodes, steps }
    }

    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node with this number, or the root if there is no such node.
    pub(super) fn node(&self, line: u16) -> &Node {
        self.nodes.get(usize::from(line)).unwrap_or(&self.nodes[0])
    }

    /// The line of a game from the standard starting position.
    pub(super) fn line_of(&self, codes: &[u8]) -> u16 {
        let (mut line, mut end) = (0, self.steps[0].1);
        for code in codes {
            let mut child = line + 1;
            end = loop {
                if child >= end {
                    return line;
                }
                let (last, after) = self.steps[usize::from(child)];
                if last == *code {
                    break after;
                }
                child = after;
            };
            line = child;
        }
        line
    }

    /// The codes from the start to a node.
    pub(super) fn codes_to(&self, line: u16) -> Vec<u8> {
        let mut codes = Vec::new();
        let mut node = self.node(line);
        while node.depth > 0 {
            codes.push(node.code);
            node = self.node(node.parent);
        }
        codes.reverse();
        codes
    }
}
