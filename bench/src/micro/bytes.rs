//! Games as bytes: replayed, searched, decoded, encoded.
//!
//! Before the measurement, every result is compared with that of a slow oracle, which plays the moves by
//! the rules and examines each position.

use super::Operation;
use crate::definition;
use crate::table::{self, Spread};
use anyhow::ensure;
use halfmove_game::codec::halfmove;
use halfmove_game::replay::{self, BoardCondition, BoardQuery, Pattern, Target};
use halfmove_rules::{
    AnyPosition, Board, Chess, Color, MaterialKey, Move, Piece, Square, piece_key, turn_key,
};
use serde::Deserialize;
use std::fmt::Write;
use std::path::Path;

const POSITIONS: &str = "bench/definitions/find/positions.toml";

/// Patterns with only letters, digits and `_`, which the oracle parses independently.
const PATTERNS: [(&str, &str); 2] = [
    ("White has castled to the king's side", "8/8/8/8/8/8/5PPP/5RK_"),
    ("a white rook on a7, the black king on g8", "6k1/R7/8/8/8/8/8/8"),
];

/// Endings, and the minimum number of half-moves for which each must last.
const ENDINGS: [(&str, u32); 2] = [("KRPvKR", 4), ("KRPPPPvKRPPPP", 0)];

/// The targets, in millions per second.
const KEYS: f64 = 250.0;
const FIND: f64 = 15.0;
const DECODE: f64 = 20.0;
const ENCODE: f64 = 40.0;

const ENCODE_NAME: &str = "encode legal moves";
const DECODE_NAME: &str = "decode, every move checked";
const KEYS_NAME: &str = "replay with keys";

/// The positions to search for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Positions {
    position: Vec<Position>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Position {
    class: String,
    /// The number of the game in `testdata/games/masters.pgn.zst`, from 1, and the half-moves before it.
    game: usize,
    ply: u32,
    fen: String,
}

impl Positions {
    pub(super) fn read(root: &Path) -> anyhow::Result<Self> {
        definition::read(root, POSITIONS)
    }

    /// The classes, each once, in their order.
    fn classes(&self) -> Vec<&str> {
        let mut all =
            self.position.iter().map(|position| position.class.as_str()).collect::<Vec<_>>();
        all.dedup();
        all
    }
}

impl Position {
    fn name(&self) -> String {
        format!("find a position, {}, half-move {} of game {}", self.class, self.ply, self.game)
    }
}

/// Main lines from the standard starting position, and their bytes.
#[derive(Default)]
pub(super) struct Lines {
    lines: Vec<Vec<Move>>,
    bytes: Vec<u8>,
    ends: Vec<usize>,
    half_moves: usize,
}

impl Lines {
    pub(super) fn push(&mut self, moves: &[Move]) -> anyhow::Result<()> {
        halfmove::encode_moves(&Chess::default().into(), moves, &mut self.bytes)?;
        self.ends.push(self.bytes.len());
        self.half_moves += moves.len();
        self.lines.push(moves.to_vec());
        Ok(())
    }

    pub(super) fn games(&self) -> f64 {
        self.lines.len() as f64
    }

    /// The bytes of each game.
    fn each(&self) -> impl Iterator<Item = &[u8]> {
        let mut from = 0;
        self.ends.iter().map(move |&end| &self.bytes[std::mem::replace(&mut from, end)..end])
    }
}

/// The queries on the games.
struct Questions<'a> {
    positions: Vec<(&'a Position, Target)>,
    patterns: Vec<(&'static str, Pattern)>,
    endings: Vec<(&'static str, MaterialKey, u32)>,
}

/// The expected piece on a square of a pattern: `None` for any content.
type Wanted = [Option<Option<Piece>>; 64];

/// Reads a pattern without the code that is measured.
fn wanted(pattern: &str) -> anyhow::Result<Wanted> {
    let mut wanted = [None; 64];
    for (row, text) in pattern.split('/').enumerate() {
        let mut at = 8 * (7 - row);
        for letter in text.chars() {
            if let Some(wide) = letter.to_digit(10) {
                at += wide as usize;
                continue;
            }
            wanted[at] = Some(Piece::from_char(letter));
            ensure!(letter == '_' || wanted[at] != Some(None), "{pattern}: {letter}");
            at += 1;
        }
    }
    Ok(wanted)
}

fn fits(board: &Board, wanted: &Wanted) -> bool {
    let mut squares = Square::ALL.iter().zip(wanted);
    squares.all(|(square, wanted)| wanted.is_none_or(|piece| board.piece_at(*square) == piece))
}

/// The sum of the keys of a position.
fn key(position: &Chess) -> u64 {
    let turn = if position.side_to_move() == Color::White { turn_key() } else { 0 };
    position.board().pieces().fold(turn, |key, (square, piece)| key ^ piece_key(piece, square))
}

/// The ply since which a sequence of boards has had a given material, and the required duration.
#[derive(Copy, Clone, Default)]
struct Lasting {
    since: Option<u32>,
    found: Option<u32>,
}

impl Lasting {
    fn look(&mut self, is_there: bool, ply: u32, at_least: u32) {
        self.since = if is_there { self.since.or(Some(ply)) } else { None };
        let is_found = self.since.is_some_and(|since| ply - since >= at_least);
        self.found = self.found.or(self.since.filter(|_| is_found));
    }
}

impl<'a> Questions<'a> {
    fn new(positions: &'a Positions) -> anyhow::Result<Self> {
        let target = |position: &'a Position| {
            let wanted: Chess = position.fen.parse()?;
            Ok((position, Target::new(&wanted.into())))
        };
        let pattern = |(name, text): (&'static str, &str)| Ok((name, text.parse()?));
        let ending = |(name, at_least): (&'static str, u32)| Ok((name, name.parse()?, at_least));
        Ok(Self {
            positions: positions.position.iter().map(target).collect::<anyhow::Result<_>>()?,
            patterns: PATTERNS.into_iter().map(pattern).collect::<anyhow::Result<_>>()?,
            endings: ENDINGS.into_iter().map(ending).collect::<anyhow::Result<_>>()?,
        })
    }

    /// Compares every result for every game with the oracle's, and returns the sum of all keys.
    fn check(&self, lines: &Lines) -> anyhow::Result<u64> {
        let fens = self.positions.iter().map(|(position, _)| position.fen.parse::<Chess>());
        let sought = fens.collect::<Result<Vec<_>, _>>()?;
        let patterns =
            PATTERNS.iter().map(|(_, text)| wanted(text)).collect::<anyhow::Result<Vec<_>>>()?;
        let mut sum = 0_u64;
        for (number, (line, bytes)) in lines.lines.iter().zip(lines.each()).enumerate() {
            let mut stands = vec![None; sought.len()];
            let mut fit = [None; PATTERNS.len()];
            let mut lasting = [Lasting::default(); ENDINGS.len()];
            let mut keys = 0_u64;
            let mut position = Chess::default();
            for ply in 0..=line.len() {
                let at = u32::try_from(ply)?;
                for (found, sought) in stands.iter_mut().zip(&sought) {
                    if found.is_none() && position == *sought {
                        *found = Some(at);
                    }
                }
                for (found, wanted) in fit.iter_mut().zip(&patterns) {
                    if found.is_none() && fits(position.board(), wanted) {
                        *found = Some(at);
                    }
                }
                let material = MaterialKey::of(position.board());
                for (found, (_, wanted, at_least)) in lasting.iter_mut().zip(&self.endings) {
                    found.look(material == *wanted, at, *at_least);
                }
                keys = keys.wrapping_add(key(&position));
                if let Some(mv) = line.get(ply) {
                    position.play_unchecked(*mv);
                }
            }
            let mut own_keys = 0_u64;
            replay::keys(bytes, |key| own_keys = own_keys.wrapping_add(key))?;
            ensure!(own_keys == keys, "the keys of line {number} are wrong");
            sum = sum.wrapping_add(keys);
            for ((position, target), expected) in self.positions.iter().zip(stands) {
                let found = replay::find(bytes, target)?;
                let name = position.name();
                ensure!(found == expected, "{name}: {found:?} in line {number}, not {expected:?}");
            }
            for ((name, pattern), expected) in self.patterns.iter().zip(fit) {
                let found =
                    query(BoardCondition { pattern: pattern.clone(), ..Default::default() });
                let found = found.find(bytes)?;
                ensure!(found == expected, "{name}: {found:?} in line {number}, not {expected:?}");
            }
            for ((name, key, at_least), expected) in self.endings.iter().zip(lasting) {
                let found = query(lasting_material(*key, *at_least)).find(bytes)?;
                let expected = expected.found;
                ensure!(found == expected, "{name}: {found:?} in line {number}, not {expected:?}");
            }
        }
        Ok(sum)
    }
}

/// A prepared condition.
fn query(question: BoardCondition) -> BoardQuery {
    BoardQuery::new(&question)
}

/// The condition of exactly this material, for a number of half-moves.
fn lasting_material(material: MaterialKey, at_least: u32) -> BoardCondition {
    BoardCondition { material: Some(material.into()), at_least, ..Default::default() }
}

/// The number of games that match, which must not be 0.
fn hits<'a>(
    lines: &'a Lines,
    mut ask: impl FnMut(&'a [u8]) -> Result<Option<u32>, halfmove_game::codec::DecodeError>,
) -> anyhow::Result<u64> {
    let mut hits = 0;
    for bytes in lines.each() {
        hits += u64::from(ask(bytes)?.is_some());
    }
    ensure!(hits > 0, "it is nowhere: a search that finds nothing would be right");
    Ok(hits)
}

/// The operations on these games, after their results have been checked.
pub(super) fn operations<'a>(
    lines: &'a Lines,
    positions: &'a Positions,
) -> anyhow::Result<Vec<Operation<'a>>> {
    let questions = Questions::new(positions)?;
    eprintln!("comparing all answers with those of the rules");
    let keys = questions.check(lines)?;
    let half_moves = lines.half_moves as f64 / 1e6;
    let games = lines.games() / 1e6;
    let mut all = Vec::new();
    let mut add = |name: String, unit, units, round: Box<dyn Fn() -> anyhow::Result<u64> + 'a>| {
        all.push(Operation { name, unit, units, round });
    };
    let usual: AnyPosition = Chess::default().into();
    let start = usual.clone();
    let encode = move || {
        let mut out = Vec::with_capacity(lines.bytes.len());
        for line in &lines.lines {
            halfmove::encode_moves(&start, line, &mut out)?;
        }
        ensure!(out == lines.bytes, "the games have other bytes than before");
        Ok(out.len() as u64)
    };
    add(ENCODE_NAME.to_owned(), "M half-moves/s", half_moves, Box::new(encode));
    let decode = move || {
        let (mut moves, mut same) = (Vec::new(), 0);
        for (line, bytes) in lines.lines.iter().zip(lines.each()) {
            moves.clear();
            let start = halfmove::decode_moves(bytes, &mut moves)?;
            same += u64::from(moves == *line && start == usual);
        }
        ensure!(same == lines.lines.len() as u64, "a game is decoded as another");
        Ok(same)
    };
    add(DECODE_NAME.to_owned(), "M half-moves/s", half_moves, Box::new(decode));
    let replay = move || {
        let mut sum = 0_u64;
        for bytes in lines.each() {
            replay::keys(bytes, |key| sum = sum.wrapping_add(key))?;
        }
        ensure!(sum == keys, "the sum of all keys is {sum:x}, expected {keys:x}");
        Ok(sum)
    };
    add(KEYS_NAME.to_owned(), "M half-moves/s", half_moves, Box::new(replay));
    for (position, target) in questions.positions {
        let find = move || hits(lines, |bytes| replay::find(bytes, &target));
        add(position.name(), "M games/s", games, Box::new(find));
    }
    for (name, pattern) in questions.patterns {
        let query = query(BoardCondition { pattern, ..Default::default() });
        let matches = move || hits(lines, |bytes| query.find(bytes));
        add(format!("find a pattern: {name}"), "M games/s", games, Box::new(matches));
    }
    for (name, material, at_least) in questions.endings {
        let query = query(lasting_material(material, at_least));
        let lasts = move || hits(lines, |bytes| query.find(bytes));
        let name = format!("find a material: {name}, for {at_least} half-moves");
        add(name, "M games/s", games, Box::new(lasts));
    }
    Ok(all)
}

/// The targets, from the speeds of each operation, one per round.
pub(super) fn targets(
    positions: &Positions,
    speeds: impl Fn(&str) -> Option<Vec<f64>>,
) -> anyhow::Result<String> {
    let speeds = |name: &str| speeds(name).unwrap_or_default();
    let mut text = format!("\n{}", table::RATIOS);
    for (name, least) in [(ENCODE_NAME, ENCODE), (DECODE_NAME, DECODE), (KEYS_NAME, KEYS)] {
        let says = format!("{name}, M half-moves/s");
        text.push_str(&table::ratio(&says, Spread::of(speeds(name)).as_ref(), Some(least), None));
    }
    let mean = |class: Option<&str>| {
        let all = positions.position.iter();
        let all = all.filter(|position| class.is_none_or(|class| class == position.class));
        let all = all.map(|position| speeds(&position.name())).collect::<Vec<_>>();
        Spread::of(table::geometric_means(&all))
    };
    for class in positions.classes() {
        let says = format!("find a position, {class}, geometric mean, M games/s");
        text.push_str(&table::ratio(&says, mean(Some(class)).as_ref(), None, None));
    }
    let says = "find a position, all, geometric mean, M games/s";
    text.push_str(&table::ratio(says, mean(None).as_ref(), Some(FIND), None));
    let positions = positions.position.len();
    writeln!(text, "\nThe {positions} positions are those of `{POSITIONS}`.")?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::{Lines, Positions, Questions};
    use anyhow::Context;
    use halfmove_game::pgn::{GameReader, Keep};
    use halfmove_game::{Game, Input};
    use halfmove_rules::Chess;
    use std::path::Path;

    #[test]
    fn positions_are_those_of_their_games() -> anyhow::Result<()> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let positions = Positions::read(&root)?;
        assert_eq!(positions.classes().len(), 3);
        let mut reader = GameReader::new(Input::open(root.join("testdata/games/masters.pgn.zst"))?)
            .keeping(Keep::MainLine);
        let (mut game, mut games) = (Game::default(), Vec::new());
        let mut lines = Lines::default();
        while reader.read(&mut game)?.is_some() {
            games.push(game.moves.clone());
            if positions.position.iter().any(|position| position.game == games.len()) {
                lines.push(&game.moves)?;
            }
        }
        for wanted in &positions.position {
            let moves = games.get(wanted.game - 1).context("no such game")?;
            let mut position = Chess::default();
            for mv in &moves[..wanted.ply as usize] {
                position.play_unchecked(*mv);
            }
            assert_eq!(position.to_string(), wanted.fen, "{}", wanted.name());
        }
        // The oracle agrees on their games.
        Questions::new(&positions)?.check(&lines)?;
        Ok(())
    }
}
