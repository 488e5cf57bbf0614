//! Main lines in UCI, from an independent program.

use halfmove_rules::{Chess, Move, UciMove};
use std::fs;
use std::path::Path;

/// A game of the table.
pub(crate) struct Mainline {
    pub(crate) name: String,
    pub(crate) start: Chess,
    pub(crate) moves: Vec<Move>,
    pub(crate) final_fen: String,
}

impl Mainline {
    /// The position at every ply, the start first.
    pub(crate) fn positions(&self) -> Vec<Chess> {
        let mut positions = vec![self.start.clone()];
        for &mv in &self.moves {
            let mut next = positions[positions.len() - 1].clone();
            next.play_unchecked(mv);
            positions.push(next);
        }
        positions
    }
}

/// Every fiftieth shipped master game, the Chess960 games and the set-up ones.
pub(crate) fn shipped() -> Vec<Mainline> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/expected");
    let lines: Vec<_> = ["masters_games.tsv", "chess960_games.tsv", "setup_games.tsv"]
        .into_iter()
        .flat_map(|name| read(&folder.join(name)))
        .collect();
    assert!(lines.len() > 400, "{} games", lines.len());
    lines
}

fn read(path: &Path) -> Vec<Mainline> {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut lines = text.lines();
    let heading: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let column = |name| heading.iter().position(|title| *title == name);
    let [game, end, main] = ["game", "final_fen", "mainline_uci"].map(|name| column(name).unwrap());
    let start = column("start_fen");
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            let name = format!("{} game {}", path.display(), cells[game]);
            let start = match start {
                Some(start) => {
                    Chess::from_fen(cells[start], None).unwrap_or_else(|e| panic!("{name}: {e}"))
                }
                None => Chess::default(),
            };
            let mut position = start.clone();
            let moves = cells[main]
                .split_whitespace()
                .map(|uci| {
                    let mv = uci.parse::<UciMove>().unwrap().resolve(&position);
                    let mv = mv.unwrap_or_else(|e| panic!("{name}: {uci}: {e}"));
                    position.play_unchecked(mv);
                    mv
                })
                .collect();
            Mainline { name, start, moves, final_fen: cells[end].to_owned() }
        })
        .collect()
}
