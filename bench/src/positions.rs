//! Searches for positions in many games: by signatures, by replaying every game, by the library with an archive, and by
//! Scid.
//!
//! Before the measurement, every result by signatures is compared with that of the replay, game by game, and the tree
//! move by move. The tree of frequent beginnings that signatures refer to was made from these games.

mod library;
mod scid;

use crate::definition::Places;
use crate::machine;
use crate::table::{grouped, median};
use anyhow::{Context, ensure};
use halfmove_game::replay::{self, Candidate, Query, Signature, Signatures, Target};
use halfmove_game::{Game, Input, pgn::GameReader, pgn::Keep};
use halfmove_rules::{AnyPosition, Move};
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

/// Both large collections of games between masters.
pub(crate) const FILES: [&str; 2] = [
    "{data}/large/masters_gnuchess_book_1.02.pgn.zst",
    "{data}/large/masters_pgnmentor_players_A-K.pgn.zst",
];

/// Classes of positions, by the half-moves before them.
const CLASSES: [(&str, std::ops::Range<u32>); 3] =
    [("opening", 0..13), ("middlegame", 13..61), ("endgame", 61..151)];

/// The number of positions of each class.
const POSITIONS: usize = 200;

/// The number of games of an archive's row group.
const BLOCK: usize = 16_384;

/// The number of slowest positions to list.
const SLOWEST: usize = 8;

/// The number of searches for each position.
const ROUNDS: usize = 5;

/// The targets, in milliseconds: the median and the maximum for a million games, and the opening tree of all games.
const MEDIAN: f64 = 3.0;
const MAX: f64 = 10.0;
const TREE: f64 = 6.0;

/// Games in memory, in the form that a search uses.
struct Games {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    blocks: Vec<Signatures>,
    /// The time for a signature, in nanoseconds.
    signing: f64,
}

impl Games {
    fn read(paths: &[String]) -> anyhow::Result<Self> {
        let (mut bytes, mut ends) = (Vec::new(), vec![0]);
        for path in paths {
            let mut reader =
                GameReader::new(Input::open(Path::new(path))?).keeping(Keep::MainLine).chess_only();
            let (mut game, mut line) = (Game::default(), Vec::new());
            while reader.read_with_bytes(&mut game, &mut line)?.is_some() {
                bytes.extend_from_slice(&line);
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

    /// The moves in the position, each with the number of games in which it was played there.
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
            let visited = query.visit_all(candidates, game, |_, _, next| add(&mut moves, next));
            visited.map_err(|(_, error)| error)?;
        }
        Ok(moves)
    }
}

/// Counts a move, unless the game has ended.
fn add(moves: &mut Vec<(Move, u32)>, next: Option<Move>) {
    let Some(next) = next else { return };
    match moves.iter_mut().find(|(mv, _)| *mv == next) {
        Some((_, times)) => *times += 1,
        None => moves.push((next, 1)),
    }
}

/// The time that something takes, in milliseconds.
fn time(work: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<f64> {
    let begun = Instant::now();
    work()?;
    Ok(begun.elapsed().as_secs_f64() * 1e3)
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
    let paths = paths.context("HALFMOVE_DATA names no folder with the collections")?;
    let games = Games::read(&paths)?;
    let million = 1e6 / games.len() as f64;
    let mut about = machine::machine(&[
        ("Build", "release profile, for any CPU of the architecture".to_owned()),
        ("Games", format!("{}, both large collections of masters", grouped(games.len() as f64))),
    ]);
    writeln!(
        about,
        "- Time: of one thread, all in memory; the median of {ROUNDS} rounds for each position, and in each round every position of the class once"
    )?;
    writeln!(about, "- A signature takes {:.0} ns to compute", games.signing)?;
    let mut text = String::from(
        "| 200 positions of the | who | median | 95 of 100 below | most | tree: median | tree: most |\n\
         | --- | --- | ---: | ---: | ---: | ---: | ---: |\n",
    );
    let mut classes = Vec::new();
    for (class, plies) in CLASSES {
        let mut times = Times { class, ..Times::default() };
        let positions = games.positions(plies)?;
        for position in &positions {
            times.compare(&games, position, million)?;
        }
        times.measure(&games, &positions, million)?;
        classes.push(times);
    }
    let fens: Vec<String> = classes.iter().flat_map(|times| times.fens.clone()).collect();
    let expected: Vec<u64> = classes.iter().flat_map(|times| times.games.clone()).collect();
    let library = library::answers(places, &paths, &fens, &expected)?;
    let scid = scid::answers(&paths, &fens)?;
    for (class, times) in classes.iter().enumerate() {
        let row = |who: &str, search: &[f64], tree: &[f64]| -> String {
            let figures =
                [median(search.to_vec()), percentile(search, 0.95), percentile(search, 1.0)];
            let figures = figures.map(|figure| format!("{figure:.2} ms")).join(" | ");
            let trees = match tree {
                [] => "| ".to_owned(),
                tree => {
                    format!("{:.2} ms | {:.2} ms", median(tree.to_vec()), percentile(tree, 1.0))
                }
            };
            format!("| {} | {who} | {figures} | {trees} |\n", times.class)
        };
        text += &row("halfmove, by signatures", &times.fast, &times.tree);
        text += &row("halfmove, replay of all games", &times.slow, &[]);
        for (who, answers) in library::ARCHIVES.iter().zip(library.iter().flatten()) {
            let of_class = class * POSITIONS..(class + 1) * POSITIONS;
            let search = &answers.search[of_class.clone()];
            let search: Vec<f64> = search.iter().map(|time| time * million).collect();
            text += &row(who, &search, &answers.tree[of_class]);
        }
        if let Some(scid) = &scid {
            let answers = &scid[class * POSITIONS..(class + 1) * POSITIONS];
            for (answer, (games, fen)) in answers.iter().zip(times.games.iter().zip(&times.fens)) {
                // It has no castling rights, and omits the end of a game with a fault.
                ensure!(answer.games + 1 >= *games, "Scid finds {} games with {fen}", answer.games);
            }
            let search: Vec<f64> = answers.iter().map(|answer| answer.search * million).collect();
            let tree: Vec<f64> = answers.iter().map(|answer| answer.search + answer.tree).collect();
            text += &row("Scid", &search, &tree);
        }
    }
    let all = |of: fn(&Times) -> &Vec<f64>| -> Vec<f64> {
        classes.iter().flat_map(|times| of(times).clone()).collect()
    };
    let (fast, trees) = (all(|times| &times.fast), all(|times| &times.tree));
    let hits: u64 = classes.iter().flat_map(|times| &times.games).sum();
    writeln!(
        text,
        "\nSearches in milliseconds for a million games; the tree (all moves that were played in the position, and how often; \
         the library's with results, Scid's with ratings, too) for all {} games. The tree of frequent beginnings that signatures \
         refer to was made from these games. {} hits, each compared with the replay.\n\n\
         | aim | limit | measured |\n| --- | ---: | ---: |\n\
         | search, median | {MEDIAN} ms | {:.2} ms |\n\
         | search, most | {MAX} ms | {:.2} ms |\n\
         | tree, most | {TREE} ms | {:.2} ms |",
        grouped(games.len() as f64),
        grouped(hits as f64),
        median(fast.clone()),
        percentile(&fast, 1.0),
        percentile(&trees, 1.0),
    )?;
    text += "\n| the slowest positions | games | by signatures | library | library, compacted |\n| --- | ---: | ---: | ---: | ---: |\n";
    let libraries = library.as_ref().map_or(Vec::new(), |both| both.iter().collect());
    let slowest_first = libraries.first().map_or(&fast, |library| &library.search);
    let mut order: Vec<usize> = (0..fens.len()).collect();
    order.sort_by(|a, b| slowest_first[*b].total_cmp(&slowest_first[*a]));
    for at in order.into_iter().take(SLOWEST) {
        write!(text, "| {} | {} | {:.2} ms", fens[at], grouped(expected[at] as f64), fast[at])?;
        for library in &libraries {
            write!(text, " | {:.2} ms", library.search[at] * million)?;
        }
        text += if libraries.is_empty() { " | | |\n" } else { " |\n" };
    }
    if let Some(library) = &library {
        let whole = library::whole(library, &paths)?;
        let aims = library::aims(&library[0], million);
        writeln!(text, "\n{aims}\n{whole}\n{}", library::tags(library))?;
    }
    Ok((about, text))
}

/// The times of the positions of a class, in milliseconds; searches are scaled to a million games.
#[derive(Default)]
struct Times {
    class: &'static str,
    fens: Vec<String>,
    games: Vec<u64>,
    slow: Vec<f64>,
    fast: Vec<f64>,
    tree: Vec<f64>,
}

impl Times {
    /// Compares the games with a position with those that a replay of all games finds.
    fn compare(
        &mut self,
        games: &Games,
        position: &AnyPosition,
        million: f64,
    ) -> anyhow::Result<()> {
        let target = Target::new(position);
        let mut wanted = Vec::new();
        let replay = time(|| {
            for game in 0..games.len() {
                wanted.extend(replay::find(games.game(game), &target)?.map(|ply| (game, ply)));
            }
            Ok(())
        })?;
        self.slow.push(replay * million);
        let mut found = Vec::new();
        games.find(position, &mut Vec::new(), |game, ply| found.push((game, ply)))?;
        ensure!(found == wanted, "signatures and replay find other games with {position}");
        let mut moves: Vec<(Move, u32)> = Vec::new();
        for (game, _) in &wanted {
            replay::visits(games.game(*game), &target, |_, next| add(&mut moves, next))?;
        }
        let mut tree = games.tree(position, &mut Vec::new())?;
        let order = |(mv, _): &(Move, u32)| mv.to_bits();
        moves.sort_by_key(order);
        tree.sort_by_key(order);
        ensure!(tree == moves, "signatures and replay find other moves with {position}");
        self.fens.push(position.to_string());
        self.games.push(found.len() as u64);
        Ok(())
    }

    /// Measures each position in every round.
    fn measure(
        &mut self,
        games: &Games,
        positions: &[AnyPosition],
        million: f64,
    ) -> anyhow::Result<()> {
        let (mut found, mut candidates) = (Vec::new(), Vec::new());
        let mut times = vec![(Vec::new(), Vec::new()); positions.len()];
        for _ in 0..ROUNDS {
            for (position, (searches, trees)) in positions.iter().zip(&mut times) {
                searches.push(time(|| {
                    found.clear();
                    games.find(position, &mut candidates, |game, ply| found.push((game, ply)))
                })?);
                trees.push(time(|| games.tree(position, &mut candidates).map(drop))?);
            }
        }
        for (searches, trees) in times {
            self.fast.push(median(searches) * million);
            self.tree.push(median(trees));
        }
        Ok(())
    }
}
