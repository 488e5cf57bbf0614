//! Games as bytes and back, by our codecs and by other libraries: one line per contender and round with its name,
//! bytes, and seconds of CPU time to encode and to decode.
//!
//! Each contender has the moves in lists of its type before the clock starts. The clock runs while a thousand
//! games are encoded, and while they are decoded; in between it stands still, and the moves are compared. The
//! games are those that all contenders can hold: chess from the standard starting position, with at least one
//! move.

use aix_chess_compression::{CompressionLevel, Decode, Decoder, Encode, EncodedGame, Encoder};
use chess_compression::moves::{compress, decompress};
use cpu_time::ThreadTime;
use halfmove_codecs::dense::learning::{HELD_OUT_FROM, is_held_out};
use halfmove_codecs::dense::{Dense, Model, setting};
use halfmove_codecs::{CODECS, Codec, Halfmove};
use halfmove_game::codec::halfmove;
use halfmove_game::pgn::{GameReader, Keep, Reading};
use halfmove_game::{Game, Input, replay};
use halfmove_rules as rules;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Position};
use std::collections::HashMap;
use std::error::Error;
use std::time::Duration;

/// The number of games that are encoded or decoded before the clock stops.
const BATCH: usize = 1_000;

/// An encoder and decoder of games, by the numbers of their places in [`Games`].
trait Contender {
    fn name(&self) -> String;

    /// Appends the bytes of a game.
    fn encode(&mut self, games: &Games, at: usize, bytes: &mut Vec<u8>) -> Result<(), Failure>;

    /// Decodes a game.
    fn decode(&mut self, games: &Games, at: usize, bytes: &[u8]) -> Result<(), Failure>;

    /// Returns `true` if the games decoded since the last time are those from this place on, and forgets them.
    fn is_right(&mut self, games: &Games, from: usize, to: usize) -> bool;
}

type Failure = Box<dyn Error>;

/// The same moves in both types. Game number `at` ends at `ends[at + 1]`.
struct Games {
    ends: Vec<usize>,
    ours: Vec<rules::Move>,
    theirs: Vec<shakmaty::Move>,
    /// The setting of each game, an input of `dense`.
    settings: Vec<usize>,
}

impl Games {
    fn read(path: &str, only_held_out: bool) -> Result<Self, Failure> {
        let mut games =
            Self { ends: vec![0], ours: Vec::new(), theirs: Vec::new(), settings: Vec::new() };
        let mut reader = GameReader::new(Input::open(path)?).keeping(Keep::MainLine);
        let mut game = Game::default();
        while let Some(reading) = reader.read(&mut game)? {
            let is_usual = game.chess_start().is_some_and(halfmove::is_standard_start);
            if matches!(reading, Reading::Skipped(_)) || !is_usual || game.moves.is_empty() {
                continue;
            }
            if only_held_out && !is_held_out(&game.tags, HELD_OUT_FROM) {
                continue;
            }
            games.settings.push(setting(&game.tags));
            let mut position = Chess::default();
            for mv in &game.moves {
                let mv = theirs(*mv)?.to_move(&position)?;
                position.play_unchecked(mv);
                games.theirs.push(mv);
            }
            games.ours.extend_from_slice(&game.moves);
            games.ends.push(games.ours.len());
        }
        Ok(games)
    }

    fn len(&self) -> usize {
        self.ends.len() - 1
    }

    fn ours(&self, from: usize, to: usize) -> &[rules::Move] {
        &self.ours[self.ends[from]..self.ends[to]]
    }

    fn theirs(&self, from: usize, to: usize) -> &[shakmaty::Move] {
        &self.theirs[self.ends[from]..self.ends[to]]
    }
}

/// A move by its squares; castling is king takes rook for both.
pub(crate) fn theirs(mv: rules::Move) -> Result<UciMove, Failure> {
    let square = |square: rules::Square| shakmaty::Square::new(square.index() as u32);
    let promotion = match mv.promotion() {
        None => None,
        Some(rules::Role::Queen) => Some(shakmaty::Role::Queen),
        Some(rules::Role::Rook) => Some(shakmaty::Role::Rook),
        Some(rules::Role::Bishop) => Some(shakmaty::Role::Bishop),
        Some(rules::Role::Knight) => Some(shakmaty::Role::Knight),
        Some(_) => return Err("no such promotion".into()),
    };
    Ok(UciMove::Normal { from: square(mv.from()), to: square(mv.to()), promotion })
}

/// One of our codecs.
struct Ours {
    codec: &'static dyn Codec,
    start: rules::AnyPosition,
    decoded: Vec<rules::Move>,
}

impl Contender for Ours {
    fn name(&self) -> String {
        self.codec.name().to_owned()
    }

    fn encode(&mut self, games: &Games, at: usize, bytes: &mut Vec<u8>) -> Result<(), Failure> {
        Ok(self.codec.encode_moves(&self.start, games.ours(at, at + 1), bytes)?)
    }

    fn decode(&mut self, _: &Games, _: usize, bytes: &[u8]) -> Result<(), Failure> {
        let start = self.codec.decode_moves(bytes, &mut self.decoded)?;
        if start == self.start { Ok(()) } else { Err("another start".into()) }
    }

    fn is_right(&mut self, games: &Games, from: usize, to: usize) -> bool {
        let is_right = self.decoded == games.ours(from, to);
        self.decoded.clear();
        is_right
    }
}

/// The codec `dense`, with the ratings of each game.
struct Rated(Ours);

impl Contender for Rated {
    fn name(&self) -> String {
        self.0.name()
    }

    fn encode(&mut self, games: &Games, at: usize, bytes: &mut Vec<u8>) -> Result<(), Failure> {
        let moves = games.ours(at, at + 1);
        Ok(Model::shipped().encode(&self.0.start, moves, games.settings[at], bytes)?)
    }

    fn decode(&mut self, games: &Games, at: usize, bytes: &[u8]) -> Result<(), Failure> {
        self.0.decode(games, at, bytes)
    }

    fn is_right(&mut self, games: &Games, from: usize, to: usize) -> bool {
        self.0.is_right(games, from, to)
    }
}

/// The codec `halfmove` again, whose bytes are replayed instead of decoded: it finds the positions, and
/// checks nothing.
struct Replayed {
    encoder: Ours,
    keys: usize,
    sum: u64,
}

impl Contender for Replayed {
    fn name(&self) -> String {
        "halfmove, replay with keys".to_owned()
    }

    fn encode(&mut self, games: &Games, at: usize, bytes: &mut Vec<u8>) -> Result<(), Failure> {
        self.encoder.encode(games, at, bytes)
    }

    fn decode(&mut self, _: &Games, _: usize, bytes: &[u8]) -> Result<(), Failure> {
        replay::keys(bytes, |key| {
            self.keys += 1;
            self.sum = self.sum.wrapping_add(key);
        })?;
        Ok(())
    }

    fn is_right(&mut self, games: &Games, from: usize, to: usize) -> bool {
        let mut expected = 0_u64;
        let mut keys = 0;
        for at in from..to {
            let mut position = rules::Chess::default();
            expected = expected.wrapping_add(key(&position));
            for mv in games.ours(at, at + 1) {
                position.play_unchecked(*mv);
                expected = expected.wrapping_add(key(&position));
            }
            keys += games.ours(at, at + 1).len() + 1;
        }
        let is_right = (self.keys, self.sum) == (keys, expected);
        (self.keys, self.sum) = (0, 0);
        is_right
    }
}

/// The key of a position as the replay gives it, from the pieces.
fn key(position: &rules::Chess) -> u64 {
    let is_white = position.side_to_move() == rules::Color::White;
    let turn = if is_white { rules::turn_key() } else { 0 };
    let pieces = position.board().pieces();
    pieces.fold(turn, |key, (square, piece)| key ^ rules::piece_key(piece, square))
}

/// aix-chess-compression at one of its levels.
struct Aix {
    name: &'static str,
    level: CompressionLevel,
    decoded: Vec<shakmaty::Move>,
}

impl Contender for Aix {
    fn name(&self) -> String {
        self.name.to_owned()
    }

    fn encode(&mut self, games: &Games, at: usize, bytes: &mut Vec<u8>) -> Result<(), Failure> {
        let mut encoder = Encoder::new(self.level);
        for mv in games.theirs(at, at + 1) {
            encoder.encode_move(*mv)?;
        }
        bytes.extend_from_slice(&encoder.finish().into_bytes());
        Ok(())
    }

    fn decode(&mut self, _: &Games, _: usize, bytes: &[u8]) -> Result<(), Failure> {
        let encoded = EncodedGame::from_bytes(bytes)?;
        let mut decoder = Decoder::new(&encoded);
        while let Some(mv) = decoder.next_move() {
            self.decoded.push(mv.map_err(|_| "it does not decode")?);
        }
        Ok(())
    }

    fn is_right(&mut self, games: &Games, from: usize, to: usize) -> bool {
        let is_right = self.decoded == games.theirs(from, to);
        self.decoded.clear();
        is_right
    }
}

/// chess_compression. Its bytes do not say where a game ends: it is told how many half-moves there are.
#[derive(Default)]
struct Lichess {
    decoded: Vec<shakmaty::Move>,
}

impl Contender for Lichess {
    fn name(&self) -> String {
        "chess_compression".to_owned()
    }

    fn encode(&mut self, games: &Games, at: usize, bytes: &mut Vec<u8>) -> Result<(), Failure> {
        bytes.extend_from_slice(&compress(games.theirs(at, at + 1))?);
        Ok(())
    }

    fn decode(&mut self, games: &Games, at: usize, bytes: &[u8]) -> Result<(), Failure> {
        let plies = i32::try_from(games.theirs(at, at + 1).len())?;
        self.decoded.append(&mut decompress(bytes, plies)?);
        Ok(())
    }

    fn is_right(&mut self, games: &Games, from: usize, to: usize) -> bool {
        let is_right = self.decoded == games.theirs(from, to);
        self.decoded.clear();
        is_right
    }
}

/// All that take part. With games that the model of `dense` has not seen: it, and the codecs that it is to be compared with.
fn contenders(only_held_out: bool) -> Vec<Box<dyn Contender>> {
    let ours = |codec| Ours { codec, start: rules::Chess::default().into(), decoded: Vec::new() };
    let mut all: Vec<Box<dyn Contender>> = Vec::new();
    if only_held_out {
        all.push(Box::new(Rated(ours(&Dense))));
        all.push(Box::new(ours(&Halfmove)));
        let (name, level) = ("aix, high", CompressionLevel::High);
        all.push(Box::new(Aix { name, level, decoded: Vec::new() }));
        all.push(Box::new(Lichess::default()));
        return all;
    }
    for codec in CODECS.into_iter().filter(|codec| codec.name() != Dense.name()) {
        all.push(Box::new(ours(codec)));
    }
    all.push(Box::new(Replayed { encoder: ours(&Halfmove), keys: 0, sum: 0 }));
    for (name, level) in [
        ("aix, low", CompressionLevel::Low),
        ("aix, medium", CompressionLevel::Medium),
        ("aix, high", CompressionLevel::High),
    ] {
        all.push(Box::new(Aix { name, level, decoded: Vec::new() }));
    }
    all.push(Box::new(Lichess::default()));
    all
}

/// Encodes and decodes these games: the bytes, and the time of each.
fn turn(
    contender: &mut dyn Contender,
    games: &Games,
    count: usize,
) -> Result<(usize, [Duration; 2]), Failure> {
    let (mut all, mut times) = (0, [Duration::ZERO; 2]);
    let (mut bytes, mut ends) = (Vec::new(), Vec::new());
    for from in (0..count).step_by(BATCH) {
        let to = count.min(from + BATCH);
        bytes.clear();
        ends.clear();
        ends.push(0);
        let clock = ThreadTime::now();
        for at in from..to {
            contender.encode(games, at, &mut bytes)?;
            ends.push(bytes.len());
        }
        times[0] += clock.elapsed();
        let clock = ThreadTime::now();
        for (at, ends) in (from..to).zip(ends.windows(2)) {
            contender.decode(games, at, &bytes[ends[0]..ends[1]])?;
        }
        times[1] += clock.elapsed();
        if !contender.is_right(games, from, to) {
            return Err(format!("{} decodes other moves", contender.name()).into());
        }
        all += bytes.len();
    }
    Ok((all, times))
}

/// Lets every contender encode and decode the games of a file, some (`NAME=ROUNDS`) in fewer rounds; with the word
/// `held-out`, only the games that the model of `dense` has not seen.
pub(crate) fn run(path: &str, rounds: usize, words: &[&str]) -> Result<(), Failure> {
    let only_held_out = words.contains(&"held-out");
    let fewer = words.iter().filter_map(|word| word.split_once('='));
    let fewer = fewer.map(|(name, rounds)| Ok((name, rounds.parse()?)));
    let fewer = fewer.collect::<Result<HashMap<&str, usize>, Failure>>()?;
    let games = Games::read(path, only_held_out)?;
    println!("{}\t{}", games.len(), games.ours.len());
    let mut contenders = contenders(only_held_out);
    for contender in &mut contenders {
        // Loads tables, so that no contender pays for that while the clock runs.
        turn(contender.as_mut(), &games, games.len().min(BATCH))?;
    }
    for round in 0..rounds {
        for contender in &mut contenders {
            if fewer.get(contender.name().as_str()).is_some_and(|rounds| round >= *rounds) {
                continue;
            }
            let (bytes, [encode, decode]) = turn(contender.as_mut(), &games, games.len())?;
            let [encode, decode] = [encode, decode].map(|time| time.as_secs_f64());
            println!("{}\t{bytes}\t{encode}\t{decode}", contender.name());
        }
        // Every other round is in reverse order, so that no contender always follows the same neighbor.
        contenders.reverse();
    }
    Ok(())
}
