//! The tree of frequent beginnings that signatures refer to (`crates/game/src/replay/lines.bin`), from the collections.
//!
//! A beginning is in the tree if a given number of games of a collection share it. The tree is part of the format, so
//! it is never regenerated from other games; this module documents its origin.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use anyhow::{Context, ensure};
use halfmove_game::{Game, Input, pgn::GameReader, pgn::Keep};

use crate::definition::Places;

/// The tree in crate `game`.
const TREE: &str = "crates/game/src/replay/lines.bin";

/// The collections, each with the number of its games that must share a beginning.
const COLLECTIONS: [(&[&str], usize); 2] = [
    (
        &[
            "{data}/large/masters_gnuchess_book_1.02.pgn.zst",
            "{data}/large/masters_pgnmentor_players_A-K.pgn.zst",
        ],
        100,
    ),
    (&["{data}/large/lichess_online_clocks_evals.pgn.zst"], 25),
];

/// The codes up to this one are single bytes, one per half-move.
const CODES: u8 = 0xe2;

/// The main lines of the games of a collection. Games from other starts are left out.
fn read(files: &[&str], places: &Places) -> anyhow::Result<Vec<Vec<u8>>> {
    let mut games = Vec::new();
    for file in files {
        let path =
            places.fill(file).context("HALFMOVE_DATA names no folder with the collections")?;
        let mut reader =
            GameReader::new(Input::open(Path::new(&path))?).keeping(Keep::MainLine).chess_only();
        let (mut game, mut line) = (Game::default(), Vec::new());
        while reader.read_with_bytes(&mut game, &mut line)?.is_some() {
            games.push(line.clone());
        }
    }
    Ok(games)
}

/// A node of the tree: its half-move, and the number of games with it in each collection.
#[derive(Default)]
struct Node {
    counts: [usize; COLLECTIONS.len()],
    children: BTreeMap<u8, usize>,
}

/// Grows the tree level by level, so that only frequent beginnings are in memory.
fn grow(collections: &[Vec<Vec<u8>>]) -> Vec<Node> {
    let mut nodes = vec![Node::default()];
    // Games that are still in the tree: the collection, the game, and its node.
    let mut live: Vec<(usize, &[u8], usize)> = Vec::new();
    for (number, games) in collections.iter().enumerate() {
        live.extend(games.iter().map(|game| (number, game.as_slice(), 0)));
    }
    for depth in 0.. {
        let mut counts: HashMap<(usize, u8), [usize; COLLECTIONS.len()]> = HashMap::new();
        for (collection, game, node) in &live {
            if let Some(code) = game.get(depth).filter(|code| **code < CODES) {
                counts.entry((*node, *code)).or_default()[*collection] += 1;
            }
        }
        let enough = |counts: &[usize; COLLECTIONS.len()]| {
            COLLECTIONS.iter().zip(counts).any(|((_, least), count)| count >= least)
        };
        counts.retain(|_, counts| enough(counts));
        for ((parent, code), counts) in counts {
            let index = nodes.len();
            nodes.push(Node { counts, children: BTreeMap::new() });
            nodes[parent].children.insert(code, index);
        }
        live = live
            .into_iter()
            .filter_map(|(collection, game, node)| {
                let code = game.get(depth)?;
                Some((collection, game, *nodes[node].children.get(code)?))
            })
            .collect();
        if live.is_empty() {
            break;
        }
    }
    nodes
}

/// The nodes in preorder, each with its depth and its code; the most frequent sibling first. The weight of a game is
/// inversely proportional to the threshold of its collection.
fn write(nodes: &[Node], node: usize, depth: u8, out: &mut Vec<u8>) {
    let mut children: Vec<(u8, usize)> =
        nodes[node].children.iter().map(|(code, child)| (*code, *child)).collect();
    let weight = |child: usize| -> usize {
        let counts = nodes[child].counts.iter().zip(COLLECTIONS);
        counts.map(|(count, (_, least))| count * (COLLECTIONS[0].1 / least)).sum()
    };
    children.sort_by_key(|(code, child)| (std::cmp::Reverse(weight(*child)), *code));
    for (code, child) in children {
        out.extend([depth + 1, code]);
        write(nodes, child, depth + 1, out);
    }
}

pub(crate) fn run(places: &Places) -> anyhow::Result<String> {
    let collections: Vec<Vec<Vec<u8>>> =
        COLLECTIONS.iter().map(|(files, _)| read(files, places)).collect::<Result<_, _>>()?;
    let nodes = grow(&collections);
    let mut tree = Vec::new();
    write(&nodes, 0, 0, &mut tree);
    let kept = std::fs::read(TREE).context(TREE)?;
    ensure!(tree == kept, "{TREE} is another tree than that of the collections");
    let games: usize = collections.iter().map(Vec::len).sum();
    Ok(format!("{TREE} is the tree of these {games} games: {} nodes", tree.len() / 2))
}
