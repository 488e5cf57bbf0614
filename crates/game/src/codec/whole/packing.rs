//! Packs the clocks and the evaluations of a main line. `docs/reference/whole.md` has the layout.

use super::super::number::{Cursor, push_number};
use super::super::{DecodeError, DecodeErrorKind};
use super::rice::{BitReader, BitWriter, MAX_LOW, best_low};
use super::template::Template;
use crate::clock::Clock;
use crate::evaluation::{Evaluation, Score};

/// Set in a unit if some half-moves have no value.
const LEFT_OUT: u8 = 8;

/// Writes the head, and returns the writer for the bits.
fn begin<'a, T>(
    template: Template,
    unit: u8,
    values: &[Option<T>],
    out: &'a mut Vec<u8>,
) -> BitWriter<'a> {
    let length = values.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
    let values = &values[..length];
    let left_out = values.iter().any(Option::is_none);
    out.extend([template.0, unit | if left_out { LEFT_OUT } else { 0 }]);
    push_number(length as u64, out);
    let mut bits = BitWriter::new(out);
    for value in values.iter().filter(|_| left_out) {
        bits.bits(u32::from(value.is_some()), 1);
    }
    bits
}

/// Reads a head that [`begin`] wrote: the template, the unit, and a bit for each half-move with a value.
fn read_head<'a>(
    cursor: &mut Cursor<'a>,
    plies: usize,
) -> Result<(Template, u8, Vec<bool>, BitReader<'a>), DecodeError> {
    let template = Template::read(cursor)?;
    let unit = cursor.byte()?;
    if unit > 7 | LEFT_OUT {
        cursor.at -= 1;
        return cursor.error(DecodeErrorKind::Reserved(unit));
    }
    let length = cursor.small_number(plies as u64)? as usize;
    let mut bits = BitReader::new(&cursor.bytes[cursor.at..]);
    let mut there = Vec::new();
    if unit & LEFT_OUT != 0 {
        for _ in 0..length {
            let Some(bit) = bits.bits(1) else { return cursor.error(DecodeErrorKind::Truncated) };
            there.push(bit == 1);
        }
        if there.last() != Some(&true) || there.iter().all(|there| *there) {
            return cursor.error(DecodeErrorKind::Uneven);
        }
    } else {
        there.resize(length, true);
    }
    Ok((template, unit & 7, there, bits))
}

/// Checks that nothing follows.
fn end(cursor: &Cursor<'_>, bits: BitReader<'_>) -> Result<(), DecodeError> {
    match bits.finish() {
        Some(length) if cursor.at + length == cursor.bytes.len() => Ok(()),
        _ => cursor.error(DecodeErrorKind::Uneven),
    }
}

/// Units of clocks in milliseconds.
const UNITS: [u32; 4] = [1000, 100, 10, 1];

/// The clock of a count of units, with its decimals.
fn clock_in(unit: u8, count: u32) -> Option<Clock> {
    let millis = count.checked_mul(UNITS[usize::from(unit & 3)])?;
    let clock = Clock::from_millis(millis);
    // The count exceeds the latest time of a clock.
    if clock.millis() != millis {
        return None;
    }
    // Units of 4 and more: as many decimals as needed.
    Some(if unit & 4 == 0 { clock.with_decimals(unit & 3) } else { clock })
}

/// The unit in which all clocks are written in the same way; `None` if there is no such unit.
fn unit_of(clocks: &[Option<Clock>]) -> Option<u8> {
    let given = || clocks.iter().flatten();
    // With a unit below 4, all have the same number of decimals, sufficient for each of them.
    let decimals = given().next().map_or(0, |clock| clock.decimals());
    if given().all(|clock| clock.decimals() == decimals) {
        return Some(decimals);
    }
    (4..8).find(|unit| {
        let millis = UNITS[usize::from(unit & 3)];
        given().all(|clock| clock_in(*unit, clock.millis() / millis) == Some(*clock))
    })
}

/// Appends the clocks after each half-move, and returns true if they were stored. With a regular template, clocks
/// with different numbers of decimals are not stored; with an irregular one, only their times are. Without clocks,
/// nothing is appended.
pub(super) fn pack_clocks(template: Template, clocks: &[Option<Clock>], out: &mut Vec<u8>) -> bool {
    if clocks.iter().flatten().next().is_none() {
        return true;
    }
    let as_needed: Vec<_>;
    let (clocks, unit) = match unit_of(clocks) {
        Some(unit) => (clocks, unit),
        None if template.is_regular() => return false,
        None => {
            let clocks = clocks.iter().map(|clock| Some(Clock::from_millis((*clock)?.millis())));
            as_needed = clocks.collect();
            (&as_needed[..], unit_of(&as_needed).unwrap_or(7))
        }
    };
    let mut counts = Vec::with_capacity(clocks.len());
    let given = clocks.iter().flatten();
    // The most common divisor, as a constant.
    match UNITS[usize::from(unit & 3)] {
        1000 => counts.extend(given.map(|clock| clock.millis() / 1000)),
        millis => counts.extend(given.map(|clock| clock.millis() / millis)),
    }
    let mut bits = begin(template, unit, clocks, out);
    bits.single(counts[0]);
    if let [first, second, ..] = counts[..] {
        bits.single(fold(first.wrapping_sub(second) as i32));
    }
    if counts.len() > 2 {
        // The time spent replaces the count two half-moves before.
        let mut least = i32::MAX;
        for index in 2..counts.len() {
            let spent = counts[index - 2].wrapping_sub(counts[index]);
            least = least.min(spent as i32);
            counts[index - 2] = spent;
        }
        counts.truncate(counts.len() - 2);
        counts.iter_mut().for_each(|spent| *spent = spent.wrapping_sub(least as u32));
        let low = best_low(&counts);
        bits.bits(low, 5);
        bits.single(fold(least));
        counts.iter().for_each(|above| bits.number(*above, low));
    }
    bits.finish();
    true
}

/// Reads the bytes of [`pack_clocks`] for a game of `plies`.
pub(super) fn unpack_clocks(
    bytes: &[u8],
    plies: usize,
) -> Result<(Template, Vec<Option<Clock>>), DecodeError> {
    if bytes.is_empty() {
        return Ok((Template::NONE, Vec::new()));
    }
    let mut cursor = Cursor::new(bytes);
    let (template, unit, there, mut bits) = read_head(&mut cursor, plies)?;
    let values = there.iter().filter(|there| **there).count();
    let mut counts = Vec::new();
    let (mut low, mut least) = (0, 0);
    let mut read = |index: usize, counts: &[u32]| {
        match index {
            0 => return bits.single(),
            1 => return Some(counts[0].wrapping_sub(unfold(bits.single()?) as u32)),
            2 => (low, least) = (bits.bits(5)?, unfold(bits.single()?) as u32),
            _ => {}
        }
        Some(counts[index - 2].wrapping_sub(least.wrapping_add(bits.number(low)?)))
    };
    for index in 0..values {
        match read(index, &counts) {
            Some(count) => counts.push(count),
            None => return cursor.error(DecodeErrorKind::Truncated),
        }
    }
    end(&cursor, bits)?;
    let mut counts = counts.into_iter();
    let mut clocks = Vec::with_capacity(there.len());
    for there in there {
        let count = if there { counts.next() } else { None };
        let clock = count.map(|count| clock_in(unit, count));
        if clock == Some(None) {
            return cursor.error(DecodeErrorKind::LargeNumber);
        }
        clocks.push(clock.flatten());
    }
    Ok((template, clocks))
}

/// The evaluation of a score, with at least `decimals` decimals.
fn written(score: Score, decimals: u8) -> Evaluation {
    Evaluation::new(score).with_decimals(decimals)
}

fn fold(number: i32) -> u32 {
    (number << 1 ^ number >> 31) as u32
}

fn unfold(number: u32) -> i32 {
    (number >> 1) as i32 ^ -((number & 1) as i32)
}

/// Appends the evaluations of each half-move, and returns true if they were stored. With a regular template,
/// evaluations with depths or different numbers of decimals are not stored; with an irregular one, only their scores
/// are. Without evaluations, nothing is appended.
pub(super) fn pack_evaluations(
    template: Template,
    evaluations: &[Option<Evaluation>],
    out: &mut Vec<u8>,
) -> bool {
    let given = || evaluations.iter().flatten();
    if given().next().is_none() {
        return true;
    }
    let fits = |decimals: u8| given().all(|given| written(given.score(), decimals) == *given);
    // Lichess writes one decimal, or two where it needs them.
    let decimals = match [1, 2, 0].into_iter().find(|decimals| fits(*decimals)) {
        Some(decimals) => decimals,
        None if template.is_regular() => return false,
        None => 1,
    };
    // Scores are below a billion, so no difference overflows.
    let mut before = 0;
    let mut codes = Vec::new();
    for evaluation in given() {
        codes.push(match evaluation.score() {
            Score::Centipawns(cp) => fold(cp - std::mem::replace(&mut before, cp)) + 1,
            Score::Mate(_) => 0,
        });
    }
    let low = best_low(&codes);
    let mut bits = begin(template, 4 + decimals, evaluations, out);
    bits.bits(low, 5);
    for (code, evaluation) in codes.iter().zip(given()) {
        bits.number(*code, low);
        if let Score::Mate(moves) = evaluation.score() {
            bits.single(fold(moves));
        }
    }
    bits.finish();
    true
}

/// Reads the bytes of [`pack_evaluations`] for a game of `plies`.
pub(super) fn unpack_evaluations(
    bytes: &[u8],
    plies: usize,
) -> Result<(Template, Vec<Option<Evaluation>>), DecodeError> {
    if bytes.is_empty() {
        return Ok((Template::NONE, Vec::new()));
    }
    let mut cursor = Cursor::new(bytes);
    let (template, unit, there, mut bits) = read_head(&mut cursor, plies)?;
    let decimals = match unit {
        4..=6 => unit - 4,
        _ => return cursor.error(DecodeErrorKind::Reserved(unit)),
    };
    let cut_off = || DecodeError { offset: cursor.at, kind: DecodeErrorKind::Truncated };
    let low = bits.bits(5).filter(|low| *low <= MAX_LOW).ok_or_else(cut_off)?;
    let mut before = 0_i32;
    let mut evaluations = Vec::new();
    for there in there {
        if !there {
            evaluations.push(None);
            continue;
        }
        let score = match bits.number(low).ok_or_else(cut_off)? {
            0 => Score::Mate(unfold(bits.single().ok_or_else(cut_off)?)),
            code => {
                before = before.wrapping_add(unfold(code - 1));
                Score::Centipawns(before)
            }
        };
        let evaluation = written(score, decimals);
        if evaluation.score() != score {
            return cursor.error(DecodeErrorKind::LargeNumber);
        }
        evaluations.push(Some(evaluation));
    }
    end(&cursor, bits)?;
    Ok((template, evaluations))
}
