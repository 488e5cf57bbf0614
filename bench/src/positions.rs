//! Positions looked for in many games: by signatures, and by replaying every game.
//!
//! Before anything is timed, every answer by signatures is compared with that of the replay, game by game.

use crate::definition::Places;
use crate::machine;
use crate::table::{grouped, median};
use anyhow::{Context, ensure};
use halfmove_game::replay::{self, Candidate, Query, Signature, Signatures, Target};
use halfmove_game::{CodedGame, Input, pgn::GameReader};
use halfmove_rules::{AnyPosition, Move};
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

/// Both large collections of games between masters.
const FILES: [&str; 2] = [
    "{data}/large/masters_gnuchess_book_1.02.pgn.zst",
    "{data}/large/masters_pgnmentor_players_A-K.pgn.zst",
];

/// Classes of positions, by the half-moves before them.
const CLASSES: [(&str, std::ops::Range<u32>); 3] =
    [("opening", 0..13), ("middlegame", 13..61), ("endgame", 61..151)];

/// So many of each class.
const POSITIONS: usize = 200;

/// As many games as an archive has in a row group.
const BLOCK: usize = 16_384;

/// Each position is looked for so often.
const ROUNDS: usize = 5;

/// What we aim at, in milliseconds: for a million games, the median and the most; for the opening tree of all games.
const MEDIAN: f64 = 3.0;
const MOST: f64 = 10.0;
const TREE: f64 = 6.0;

/// Games as a search has them in memory.
struct Games {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    blocks: Vec<Signatures>,
    /// What a signature took, in nanoseconds.
    signing: f64,
}

impl Games {
    fn read(paths: &[String]) -> anyhow::Result<Self> {
        let (mut bytes, mut ends) = (Vec::new(), vec![0]);
        for path in paths {
            let mut reader = GameReader::new(Input::open(Path::new(path))?);
            let mut game = CodedGame::default();
            while reader.read_coded(&mut game)?.is_some() {
                bytes.extend_from_slice(&game.bytes);
                ends.push(bytes.len());
            }
        }
        let mut games = Self { bytes, ends, blocks: Vec::new(), signing: 0.0 };
        let begun = Instant::now();
        let mut cells = Vec::with_capacity(games.len() * Signature::BYTES);
        for game in 0..games.len() {
            cells.extend(Signature::of(games.game(game))?.to_bytes());
        }
        games.signing = begun.elapsed().as_secs_f64() * 1e9 / games.len() as f64;
        games.blocks = cells.chunks(BLOCK * Signature::BYTES).map(Signatures::new).collect();
        Ok(games)
    }

    fn len(&self) -> usize {
        self.ends.len() - 1
    }

    fn game(&self, game: usize) -> &[u8] {
        &self.bytes[self.ends[game]..self.ends[game + 1]]
    }

    /// Positions of games of a class, from a generator with a fixed seed.
    fn positions(&self, plies: std::ops::Range<u32>) -> anyhow::Result<Vec<AnyPosition>> {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64 ^ u64::from(plies.start);
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let mut positions = Vec::new();
        while positions.len() < POSITIONS {
            let game = self.game(next() as usize % self.len());
            let ply = plies.start + next() as u32 % (plies.end - plies.start);
            positions.extend(replay::position_at(game, ply)?);
        }
        Ok(positions)
    }

    /// Calls `hit` with each game that has the position, and the ply.
    fn find(
        &self,
        position: &AnyPosition,
        candidates: &mut Vec<Candidate>,
        mut hit: impl FnMut(usize, u32),
    ) -> anyhow::Result<()> {
        let query = Query::new(position);
        for (block, signatures) in self.blocks.iter().enumerate() {
            candidates.clear();
            query.candidates(signatures, candidates);
            let number = |candidate: &Candidate| block * BLOCK + candidate.row as usize;
            let found = query.find_all(
                candidates,
                |candidate| self.game(number(candidate)),
                |candidate, ply| hit(number(candidate), ply),
            );
            found.map_err(|(_, error)| error)?;
        }
        Ok(())
    }

    /// The moves in the position, each with the number of games.
    fn tree(
        &self,
        position: &AnyPosition,
        candidates: &mut Vec<Candidate>,
    ) -> anyhow::Result<Vec<(Move, u32)>> {
        let query = Query::new(position);
        let mut moves: Vec<(Move, u32)> = Vec::new();
        for (block, signatures) in self.blocks.iter().enumerate() {
            candidates.clear();
            query.candidates(signatures, candidates);
            let game = |candidate: &Candidate| self.game(block * BLOCK + candidate.row as usize);
            let visited = query.visit_all(candidates, game, |_, _, next| {
                let Some(next) = next else { return };
                match moves.iter_mut().find(|(mv, _)| *mv == next) {
                    Some((_, games)) => *games += 1,
                    None => moves.push((next, 1)),
                }
            });
            visited.map_err(|(_, error)| error)?;
        }
        Ok(moves)
    }
}

/// How long something takes, in milliseconds: the median of some rounds.
fn time(mut round: impl FnMut() -> anyhow::Result<()>) -> anyhow::Result<f64> {
    let mut times = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        round()?;
        times.push(begun.elapsed().as_secs_f64() * 1e3);
    }
    Ok(median(times))
}

/// The part of the values that is not above a value.
fn percentile(values: &[f64], part: f64) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let at = (values.len() as f64 * part).ceil() as usize;
    values.get(at.saturating_sub(1)).copied().unwrap_or(f64::NAN)
}

pub(crate) fn run(places: &Places) -> anyhow::Result<(String, String)> {
    let paths = FILES.iter().map(|file| places.fill(file).filter(|path| Path::new(path).is_file()));
    let paths: Option<Vec<String>> = paths.collect();
    let games = Games::read(&paths.context("HALFMOVE_DATA names no folder with the collections")?)?;
    let million = 1e6 / games.len() as f64;
    let mut about = machine::machine(&[
        ("Build", "release profile, for any CPU of the architecture".to_owned()),
        ("Games", format!("{}, both large collections of masters", grouped(games.len() as f64))),
    ]);
    writeln!(
        about,
        "- Time: of one thread, all in memory; the median of {ROUNDS} rounds for each position"
    )?;
    writeln!(about, "- A signature takes {:.0} ns to compute", games.signing)?;
    let mut text = String::from(
        "| 200 positions of the | replay of all games, median | by signatures, median | 95 of 100 below | most | tree, median | most |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    let (mut all, mut trees, mut hits) = (Vec::new(), Vec::new(), 0);
    for (class, plies) in CLASSES {
        let (mut slow, mut fast, mut tree) = (Vec::new(), Vec::new(), Vec::new());
        for position in games.positions(plies)? {
            let target = Target::new(&position);
            let (mut wanted, begun) = (Vec::new(), Instant::now());
            for game in 0..games.len() {
                wanted.extend(replay::find(games.game(game), &target)?.map(|ply| (game, ply)));
            }
            slow.push(begun.elapsed().as_secs_f64() * 1e3 * million);
            let (mut found, mut candidates) = (Vec::new(), Vec::new());
            games.find(&position, &mut candidates, |game, ply| found.push((game, ply)))?;
            ensure!(found == wanted, "signatures and replay find other games with {position}");
            hits += found.len();
            let search = time(|| {
                found.clear();
                games.find(&position, &mut candidates, |game, ply| found.push((game, ply)))
            })?;
            fast.push(search * million);
            tree.push(time(|| games.tree(&position, &mut candidates).map(drop))?);
        }
        writeln!(
            text,
            "| {class} | {:.1} ms | {:.2} ms | {:.2} ms | {:.2} ms | {:.2} ms | {:.2} ms |",
            median(slow),
            median(fast.clone()),
            percentile(&fast, 0.95),
            percentile(&fast, 1.0),
            median(tree.clone()),
            percentile(&tree, 1.0),
        )?;
        all.extend(fast);
        trees.extend(tree);
    }
    writeln!(
        text,
        "\nSearches in milliseconds for a million games; the tree (all moves that were played in the position, with the number of \
         games) for all {} games. {} hits, each compared with the replay.\n\n\
         | aim | limit | measured |\n| --- | ---: | ---: |\n\
         | search, median | {MEDIAN} ms | {:.2} ms |\n\
         | search, most | {MOST} ms | {:.2} ms |\n\
         | tree, most | {TREE} ms | {:.2} ms |",
        grouped(games.len() as f64),
        grouped(hits as f64),
        median(all.clone()),
        percentile(&all, 1.0),
        percentile(&trees, 1.0),
    )?;
    Ok((about, text))
}
