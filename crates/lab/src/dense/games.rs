//! Games in memory: those to learn from, and those that are held out.

use halfmove_codecs::dense::learning::{hash, is_held_out};
use halfmove_codecs::dense::setting;
use halfmove_game::Game;
use halfmove_game::codec::halfmove::is_standard_start;
use halfmove_game::pgn::{GameReader, Reading};
use halfmove_rules::Move;
use std::collections::HashMap;
use std::io::{self, Read};

/// Where games come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The name of a file.
    pub name: String,
    /// Its games of chess from the usual start that no source before it had.
    pub games: usize,
    /// Those that were held out when it was read.
    pub held_out: usize,
}

#[derive(Clone, Debug)]
struct Entry {
    begin: usize,
    setting: u8,
    is_held_out: bool,
    source: usize,
}

/// Games of chess from the usual start, each once.
///
/// Some are [held out](is_held_out). A game that is held out in one source is not learned in another.
#[derive(Clone, Debug)]
pub struct Games {
    held_out_from: u16,
    moves: Vec<Move>,
    entries: Vec<Entry>,
    known: HashMap<u64, usize>,
    sources: Vec<Source>,
}

impl Games {
    /// No games, yet.
    pub fn new(held_out_from: u16) -> Self {
        let (moves, entries, known, sources) = Default::default();
        Self { held_out_from, moves, entries, known, sources }
    }

    /// Reads the games of a PGN file. Those with a fault are left out.
    ///
    /// # Errors
    ///
    /// Errors of the source.
    pub fn read(&mut self, name: &str, source: impl Read) -> io::Result<()> {
        let number = self.sources.len();
        let (mut games, mut held_out) = (0, 0);
        let mut game = Game::default();
        let mut reader = GameReader::new(source);
        while let Some(reading) = reader.read(&mut game)? {
            let is_usual = game.chess_start().is_some_and(is_standard_start);
            let is_played = game.moves.len() >= 2 && !game.moves.iter().any(|mv| mv.is_null());
            if !is_usual || !is_played || reading != Reading::Whole {
                continue;
            }
            let is_held_out = is_held_out(&game.tags, self.held_out_from);
            let key = hash(game.moves.iter().flat_map(|mv| mv.to_bits().to_le_bytes()));
            if let Some(&known) = self.known.get(&key) {
                self.entries[known].is_held_out |= is_held_out;
                continue;
            }
            self.known.insert(key, self.entries.len());
            self.entries.push(Entry {
                begin: self.moves.len(),
                setting: setting(&game.tags) as u8,
                is_held_out,
                source: number,
            });
            self.moves.extend(&game.moves);
            games += 1;
            held_out += usize::from(is_held_out);
        }
        self.sources.push(Source { name: name.to_owned(), games, held_out });
        Ok(())
    }

    /// The sources, in their order.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The numbers of the games to learn from.
    pub fn training(&self) -> impl Iterator<Item = usize> {
        (0..self.entries.len()).filter(|game| !self.entries[*game].is_held_out)
    }

    /// The numbers of the games that are held out.
    pub fn held_out(&self) -> impl Iterator<Item = usize> {
        (0..self.entries.len()).filter(|game| self.entries[*game].is_held_out)
    }

    /// The moves of a game, and its setting.
    pub fn game(&self, game: usize) -> (&[Move], usize) {
        let end = self.entries.get(game + 1).map_or(self.moves.len(), |next| next.begin);
        let entry = &self.entries[game];
        (&self.moves[entry.begin..end], usize::from(entry.setting))
    }

    /// The number of the source of a game.
    pub fn source(&self, game: usize) -> usize {
        self.entries[game].source
    }
}
