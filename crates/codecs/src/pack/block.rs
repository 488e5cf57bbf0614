//! A block: some games as bytes.

use halfmove_game::codec::halfmove;
use halfmove_game::codec::number::{Cursor, push_number};
use halfmove_game::codec::whole::Parts;
use halfmove_game::pgn::start_of_tags;
use halfmove_game::rules::{AnyPosition, Variant};
use halfmove_game::{Game, Tags};

use super::numbers::{Bit, Coder, Numbers, Reading, states};
use super::tags::TagModel;
use super::texts::{Budget, Texts, push_packed, read_packed};
use super::values::ValueModel;
use crate::dense::range::Encoder;
use crate::dense::{Learner, Model, setting};
use crate::{DecodeError, DecodeErrorKind};

/// The state of all models after the games of a block so far.
struct State {
    tags: TagModel,
    moves: Learner,
    /// Games whose main line is in the byte code.
    is_odd: Bit,
    has_annotations: [Bit; 2],
    had_annotations: bool,
    lengths: Box<[Numbers; 2]>,
    values: ValueModel,
}

impl State {
    fn new() -> Self {
        Self {
            tags: TagModel::default(),
            moves: Learner::new(Model::shipped()),
            is_odd: Bit::default(),
            has_annotations: Default::default(),
            had_annotations: false,
            lengths: states(),
            values: ValueModel::new(),
        }
    }

    /// Writes or reads a length of annotations, which may be 0.
    fn annotations<C: Coder>(&mut self, coder: &mut C, length: usize) -> usize {
        let has = &mut self.has_annotations[usize::from(self.had_annotations)];
        self.had_annotations = coder.bit(has, length > 0);
        match self.had_annotations {
            true => {
                1 + coder.number(&mut self.lengths[0], length.saturating_sub(1) as u32) as usize
            }
            false => 0,
        }
    }
}

/// The maximum number of games in a block.
pub const MAX_GAMES: usize = 4_096;

/// The columns of bytes before the texts: annotations, and main lines in the byte code.
const COLUMNS: usize = 2;

/// The start that the tags of a game name, with its counters.
fn start_of(tags: &Tags) -> Option<AnyPosition> {
    start_of_tags(tags, Variant::Chess).ok()
}

/// Returns true if two starts are the same, counters included.
fn is_same(one: &AnyPosition, other: &AnyPosition) -> bool {
    let head = |start: &AnyPosition| {
        let mut bytes = Vec::new();
        halfmove::encode_moves(start, &[], &mut bytes).map(|()| bytes)
    };
    one.variant() == other.variant() && matches!((head(one), head(other)), (Ok(a), Ok(b)) if a == b)
}

/// The bytes of games that the byte code can hold.
pub(super) fn encode(games: &[Game]) -> Vec<u8> {
    let (mut coded, mut annotations, mut odd) = (Vec::new(), Vec::new(), Vec::new());
    let mut texts = vec![Vec::new()];
    let mut coder = Encoder::new(&mut coded);
    let mut state = State::new();
    let mut spans = Vec::new();
    for game in games {
        state.tags.write(&game.tags, &mut coder, &mut texts);
        spans.clear();
        let start = start_of(&game.tags).filter(|start| is_same(start, &game.start));
        let setting = setting(&game.tags);
        // The start of the tags, which the reader has: an equal one may have another Zobrist key.
        let is_coded = start.is_some_and(|start| {
            let learner = Some(&mut state.moves);
            Model::shipped().encode_line(&start, &game.moves, setting, learner, &mut spans).is_ok()
        });
        let is_odd = !is_coded;
        coder.bit(&mut state.is_odd, is_odd);
        if is_odd {
            let before = odd.len();
            // The writer has checked that it can be done.
            let _ = halfmove::encode(game, &mut odd);
            coder.number(&mut state.lengths[1], (odd.len() - before) as u32);
        } else {
            spans.iter().for_each(|span| coder.push(*span));
        }
        let parts = Parts::of(game);
        let regular = parts.regular(game.moves.len()).ok().flatten();
        let values = regular.as_ref().map(|regular| (&parts, regular));
        state.values.code(&mut coder, game.moves.len(), &game.tags, values);
        state.annotations(&mut coder, parts.annotations.len());
        annotations.extend(&parts.annotations);
    }
    coder.finish();
    let mut bytes = Vec::new();
    push_number(games.len() as u64, &mut bytes);
    push_number((COLUMNS + texts.len()) as u64, &mut bytes);
    for column in [&annotations, &odd].into_iter().chain(&texts) {
        push_packed(column, &mut bytes);
    }
    bytes.extend(coded);
    bytes
}

/// The maximum number of columns: one for each group of tags, and the others.
const MAX_COLUMNS: u64 = 1 << 16;

/// Reads a block, and passes each game to `each` until it returns false.
pub(super) fn decode(bytes: &[u8], mut each: impl FnMut(Game) -> bool) -> Result<(), DecodeError> {
    let mut cursor = Cursor::new(bytes);
    let mut budget = Budget::BLOCK;
    let games = cursor.number()?;
    let count = cursor.number()?;
    let at = |offset, kind| DecodeError { offset, kind };
    if games > MAX_GAMES as u64 || count <= COLUMNS as u64 || count > MAX_COLUMNS {
        return Err(at(0, DecodeErrorKind::LargeNumber));
    }
    let mut columns = Vec::new();
    for _ in 0..count {
        columns.push(read_packed(&mut cursor, &mut budget)?);
    }
    let begin = cursor.offset();
    let (mut annotations, mut odd) = (&columns[0][..], &columns[1][..]);
    let mut texts: Vec<_> = columns[COLUMNS..].iter().map(|column| Texts(column)).collect();
    let mut coder = Reading::new(&bytes[begin..]);
    let mut state = State::new();
    for _ in 0..games {
        let game =
            read(&mut state, &mut coder, &mut texts, [&mut annotations, &mut odd], &mut budget);
        let game = game.map_err(|kind| at(begin + coder.decoder.offset(), kind))?;
        if !each(game) {
            return Ok(());
        }
    }
    let is_used_up = texts.iter().all(|texts| texts.0.is_empty());
    if !is_used_up || !annotations.is_empty() || !odd.is_empty() {
        return Err(at(begin, DecodeErrorKind::Uneven));
    }
    coder.decoder.finish().map_err(|kind| at(bytes.len(), kind))
}

fn read(
    state: &mut State,
    coder: &mut Reading<'_>,
    texts: &mut [Texts<'_>],
    [annotations, odd]: [&mut &[u8]; 2],
    budget: &mut Budget,
) -> Result<Game, DecodeErrorKind> {
    let tags = state.tags.read(coder, texts, budget)?;
    let is_odd = coder.bit(&mut state.is_odd, false);
    let mut moves = Vec::new();
    let start = if is_odd {
        let length = coder.number(&mut state.lengths[1], 0) as usize;
        coder.check()?;
        let bytes = take(odd, length)?;
        halfmove::decode_moves(bytes, &mut moves).map_err(|error| error.kind)?
    } else {
        coder.check()?;
        let start = start_of(&tags).ok_or(DecodeErrorKind::Start)?;
        let line = |step: crate::dense::Step<'_>| moves.push(step.mv);
        Model::shipped()
            .decode_line(&mut coder.decoder, &start, setting(&tags), Some(&mut state.moves), line)
            .map_err(|error| error.kind)?;
        start
    };
    budget.plies(moves.len())?;
    let regular = state.values.code(coder, moves.len(), &tags, None);
    let length = state.annotations(coder, 0);
    coder.check()?;
    let annotations = take(annotations, length)?.to_vec();
    let parts = match &regular {
        Some(regular) => Parts::of_regular(annotations, regular).ok_or(DecodeErrorKind::Uneven)?,
        None => Parts { annotations, ..Parts::default() },
    };
    parts.game(&tags, start, &moves).map_err(|error| error.error.kind)
}

/// Takes bytes from the beginning.
fn take<'a>(bytes: &mut &'a [u8], length: usize) -> Result<&'a [u8], DecodeErrorKind> {
    let (taken, rest) = bytes.split_at_checked(length).ok_or(DecodeErrorKind::Truncated)?;
    *bytes = rest;
    Ok(taken)
}
