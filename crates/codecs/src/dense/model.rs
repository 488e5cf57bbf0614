//! The model: its file, and games coded with it.

mod bits;
mod walk;

use std::sync::LazyLock;

use halfmove_game::codec::halfmove;
use halfmove_game::rules::{AnyPosition, Chess, Move};
use thiserror::Error;

use super::adaptive::Learner;
use super::book::{self, BookTable};
use super::distribution::END;
use super::learning::hash;
use super::net::{self, Net};
use super::range::{Decoder, Encoder, Span, TOTAL};
use super::tables::{SETTINGS, WEIGHTS};
use crate::{DecodeError, DecodeErrorKind, EncodeError, EncodeErrorKind};

use self::walk::{State, Walk};

pub use self::bits::Bits;

/// The first bytes of a model.
pub const MAGIC: [u8; 8] = *b"\x89HMD\r\n\x1a\n";

/// The version of the format and of the features.
pub const VERSION: u8 = 1;

/// The largest number of half-moves in a game, so that a few bytes cannot take much memory.
pub const MAX_PLIES: usize = 65_535;

/// A weight is a number of these parts of a natural logarithm.
pub const WEIGHT_UNIT: i32 = 32;

/// The frequency of a start other than the usual one, among the settings.
const OTHER_START: u32 = 64;

/// The number of bytes of a model.
const BYTES: usize = 8 + 1 + SETTINGS * 2 + WEIGHTS + net::BYTES + book::BYTES + 8;

/// A trained model.
#[derive(Clone, Debug)]
pub struct Model {
    /// The frequencies of the settings, and of another start.
    settings: [u32; SETTINGS + 1],
    weights: Vec<i8>,
    net: Net,
    book: BookTable,
    hash: u64,
}

/// The reason why bytes are no model.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The first bytes are others.
    #[error("not a model of the dense codec")]
    NotAModel,
    /// The version is not known.
    #[error("version {0}, expected {VERSION}")]
    Version(u8),
    /// The length is another.
    #[error("{0} bytes, expected {BYTES}")]
    Length(usize),
    /// The hash at the end does not fit the bytes before it.
    #[error("hash {found:016x}, expected {expected:016x}: the file is damaged")]
    Hash {
        /// The hash at the end.
        found: u64,
        /// The hash of the bytes before it.
        expected: u64,
    },
    /// The frequencies of settings do not add up, or a book has no free place or an unknown class.
    #[error("invalid frequencies or an invalid book")]
    Contents,
}

impl Model {
    /// The model that comes with the program.
    pub fn shipped() -> &'static Model {
        static SHIPPED: LazyLock<Model> = LazyLock::new(|| {
            Model::from_bytes(include_bytes!("../../models/dense.model"))
                .expect("a test reads the shipped model")
        });
        &SHIPPED
    }

    /// Makes a model of weights in [`WEIGHT_UNIT`], counts of settings, a net and a book.
    pub fn new(counts: &[u32; SETTINGS], weights: Vec<i8>, net: Net, book: BookTable) -> Model {
        debug_assert_eq!(weights.len(), WEIGHTS);
        let all: u64 = counts.iter().map(|count| u64::from(*count)).sum::<u64>().max(1);
        let shared = TOTAL - OTHER_START - SETTINGS as u32;
        let mut settings = [OTHER_START; SETTINGS + 1];
        for (frequency, count) in settings.iter_mut().zip(counts) {
            *frequency = 1 + (u64::from(*count) * u64::from(shared) / all) as u32;
        }
        let sum: u32 = settings.iter().sum();
        settings[0] += TOTAL - sum;
        let mut model = Model { settings, weights, net, book, hash: 0 };
        let bytes = model.to_bytes();
        model.hash = hash(bytes[..BYTES - 8].iter().copied());
        model
    }

    /// The hash of all its bytes but the last eight, which are this hash: FNV-1a of 64 bits. It tells models apart.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The weights of all tables.
    pub(super) fn weights(&self) -> &[i8] {
        &self.weights
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = [&MAGIC[..], &[VERSION]].concat();
        let settings = self.settings[..SETTINGS].iter();
        bytes.extend(settings.flat_map(|frequency| (*frequency as u16).to_le_bytes()));
        bytes.extend(self.weights.iter().map(|weight| *weight as u8));
        bytes.extend(self.net.bytes());
        bytes.extend(self.book.to_bytes());
        bytes.extend(hash(bytes.iter().copied()).to_le_bytes());
        bytes
    }

    /// Reads a model.
    ///
    /// # Errors
    ///
    /// If the bytes are no model of this version, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Model, ModelError> {
        let Some(rest) = bytes.strip_prefix(&MAGIC) else { return Err(ModelError::NotAModel) };
        match rest.first() {
            Some(&VERSION) => {}
            version => return Err(ModelError::Version(version.copied().unwrap_or(0))),
        }
        if bytes.len() != BYTES {
            return Err(ModelError::Length(bytes.len()));
        }
        let (contents, end) = bytes.split_at(BYTES - 8);
        let mut found = [0; 8];
        found.copy_from_slice(end);
        let (found, expected) = (u64::from_le_bytes(found), hash(contents.iter().copied()));
        if found != expected {
            return Err(ModelError::Hash { found, expected });
        }
        let mut settings = [OTHER_START; SETTINGS + 1];
        let (head, rest) = contents[9..].split_at(SETTINGS * 2);
        for (frequency, two) in settings.iter_mut().zip(head.chunks_exact(2)) {
            *frequency = u32::from(u16::from_le_bytes([two[0], two[1]]));
        }
        let (weights, rest) = rest.split_at(WEIGHTS);
        let (net, book) = rest.split_at(net::BYTES);
        let weights = weights.iter().map(|byte| *byte as i8).collect();
        let is_valid = settings.iter().sum::<u32>() == TOTAL && !settings.contains(&0);
        let book = BookTable::from_bytes(book).filter(|_| is_valid);
        let book = book.ok_or(ModelError::Contents)?;
        Ok(Model { settings, weights, net: Net::from_bytes(net), book, hash: found })
    }

    /// The span of a setting; the last is another start.
    fn setting_span(&self, setting: usize) -> Span {
        let start = self.settings[..setting].iter().sum();
        Span { start, frequency: self.settings[setting] }
    }

    /// Appends a game with a [setting](super::setting). Its moves are legal, or null moves out of check.
    ///
    /// # Errors
    ///
    /// The first part that has no code. Nothing is appended then.
    pub fn encode(
        &self,
        start: &AnyPosition,
        moves: &[Move],
        setting: usize,
        bytes: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        let mut head = Vec::new();
        halfmove::encode_moves(start, &[], &mut head)?;
        let mut spans = Vec::with_capacity(moves.len() + 2);
        let mut known = start.clone();
        if !head.is_empty() {
            // As the reader has it: an equal start may have another Zobrist key.
            known = halfmove::start(&head).unwrap_or(known);
            if head.len() > usize::from(u8::MAX) {
                return refused(0, "starts of more than 255 bytes");
            }
            spans.extend([self.setting_span(SETTINGS), byte(head.len())]);
            spans.extend(head.iter().map(|one| byte(usize::from(*one))));
        }
        let setting = setting.min(SETTINGS - 1);
        spans.push(self.setting_span(setting));
        self.encode_line(&known, moves, setting, None, &mut spans)?;
        let mut encoder = Encoder::new(bytes);
        spans.into_iter().for_each(|span| encoder.push(span));
        encoder.finish();
        Ok(())
    }

    /// Appends the symbols of a main line and of its end, for a reader that knows the start and the setting. A learner learns from
    /// them.
    pub(crate) fn encode_line(
        &self,
        start: &AnyPosition,
        moves: &[Move],
        setting: usize,
        learner: Option<&mut Learner>,
        spans: &mut Vec<Span>,
    ) -> Result<(), EncodeError> {
        if moves.len() > MAX_PLIES {
            return refused(MAX_PLIES, "games of more than 65,535 half-moves");
        }
        if learner.is_some() {
            check(start, moves)?;
        }
        let mut walk = Walk::new(self, start, setting, learner);
        for (ply, mv) in moves.iter().map(Some).chain([None]).enumerate() {
            let goes_on = walk.prepare();
            let symbol = match mv {
                None if goes_on => Some(0),
                None => break,
                Some(mv) => walk.symbol_of(*mv).filter(|_| goes_on),
            };
            let Some(symbol) = symbol else { return refused(ply, ILLEGAL) };
            spans.push(walk.distribution.span(symbol));
            walk.learn(symbol);
            if let Some(mv) = mv {
                walk.play(*mv);
            }
        }
        Ok(())
    }

    /// Appends the moves of a game to `moves`, and returns its start and its setting.
    ///
    /// # Errors
    ///
    /// The first invalid byte. The moves before it have been appended.
    pub fn decode(
        &self,
        bytes: &[u8],
        moves: &mut Vec<Move>,
    ) -> Result<(AnyPosition, usize), DecodeError> {
        self.decode_steps(bytes, |step| moves.push(step.mv))
    }

    /// Decodes a game, and passes each half-move to `each`. Returns its start and its setting.
    pub(super) fn decode_steps(
        &self,
        bytes: &[u8],
        each: impl FnMut(Step<'_>),
    ) -> Result<(AnyPosition, usize), DecodeError> {
        let mut decoder = Decoder::new(bytes);
        let start = self.decode_start(&mut decoder);
        let (start, setting) =
            start.map_err(|kind| DecodeError { offset: decoder.offset(), kind })?;
        self.decode_line(&mut decoder, &start, setting, None, each)?;
        decoder.finish().map_err(|kind| DecodeError { offset: decoder.offset(), kind })?;
        Ok((start, setting))
    }

    /// Decodes a main line and its end, and passes each half-move to `each`. A learner learns from them.
    pub(crate) fn decode_line(
        &self,
        decoder: &mut Decoder<'_>,
        start: &AnyPosition,
        setting: usize,
        learner: Option<&mut Learner>,
        mut each: impl FnMut(Step<'_>),
    ) -> Result<(), DecodeError> {
        let mut walk = Walk::new(self, start, setting, learner);
        let mut ply = 0;
        while walk.prepare() {
            let offset = decoder.offset();
            let failed = |kind| DecodeError { offset, kind };
            let (symbol, span) = walk.distribution.symbol(decoder.target());
            decoder.pass(span).map_err(failed)?;
            walk.learn(symbol);
            if symbol == END {
                break;
            }
            let mv = walk.move_of(symbol).ok_or_else(|| failed(DecodeErrorKind::NoPosition))?;
            if ply == MAX_PLIES {
                return Err(failed(DecodeErrorKind::LargeNumber));
            }
            ply += 1;
            each(Step { mv, frequency: span.frequency, offset, walk: &walk });
            walk.play(mv);
        }
        Ok(())
    }

    /// Decodes the start of a game and its setting.
    fn decode_start(
        &self,
        decoder: &mut Decoder<'_>,
    ) -> Result<(AnyPosition, usize), DecodeErrorKind> {
        let mut next = |settings: &[u32]| {
            let (target, mut start, mut at) = (decoder.target(), 0, 0);
            while at + 1 < settings.len() && start + settings[at] <= target {
                start += settings[at];
                at += 1;
            }
            decoder.pass(Span { start, frequency: settings[at] }).map(|()| at)
        };
        let setting = next(&self.settings)?;
        if setting < SETTINGS {
            return Ok((Chess::default().into(), setting));
        }
        let bytes = [TOTAL / 256; 256];
        let length = next(&bytes)?;
        let head = (0..length)
            .map(|_| next(&bytes).map(|byte| byte as u8))
            .collect::<Result<Vec<_>, _>>()?;
        let start = halfmove::start(&head).map_err(|error| error.kind)?;
        let setting = next(&self.settings)?;
        let mut again = Vec::new();
        let is_same = halfmove::encode_moves(&start, &[], &mut again).is_ok() && again == head;
        if head.is_empty() || !is_same || setting == SETTINGS {
            return Err(DecodeErrorKind::Start);
        }
        Ok((start, setting))
    }
}

const ILLEGAL: &str = "moves that are not legal";

/// Checks that all moves can be written, so that nothing is learned from a game that is refused.
fn check(start: &AnyPosition, moves: &[Move]) -> Result<(), EncodeError> {
    let mut position = start.clone();
    for (ply, mv) in moves.iter().enumerate() {
        let is_possible = if mv.is_null() { !position.is_check() } else { position.is_legal(*mv) };
        if !is_possible {
            return refused(ply, ILLEGAL);
        }
        if mv.is_null() {
            position = position.null_move().unwrap_or(position);
        } else {
            position.play_unchecked(*mv);
        }
    }
    Ok(())
}

fn refused<T>(ply: usize, what: &'static str) -> Result<T, EncodeError> {
    Err(EncodeError { ply, kind: EncodeErrorKind::Part { codec: super::NAME, what } })
}

/// The span of a byte that is as likely as any other.
fn byte(byte: usize) -> Span {
    Span { start: byte as u32 * (TOTAL / 256), frequency: TOTAL / 256 }
}

/// A half-move that was decoded.
pub(crate) struct Step<'a> {
    pub(crate) mv: Move,
    pub(super) frequency: u32,
    pub(super) offset: usize,
    walk: &'a Walk<'a>,
}

impl Step<'_> {
    /// The position before it.
    pub(super) fn position(&self) -> AnyPosition {
        match &self.walk.game {
            State::Chess(context, _) => context.position.clone().into(),
            State::Other(position, _) => position.clone(),
        }
    }
}

const _: () = assert!(BYTES <= 2_000_000);
