//! Clocks and evaluations, each predicted from those before.

use halfmove_game::codec::whole::{Parts, Regular};
use halfmove_game::{Clock, Evaluation, Score, Tags};

use super::numbers::{Bit, Coder, Numbers, Signed, bits, states};

/// The layout of the values of a game: all zeros if it has none.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
struct Form {
    /// The template of the comments.
    template: u8,
    /// One more than the unit of the clocks.
    clock: u8,
    /// One more than the decimals of the evaluations.
    evaluation: u8,
}

/// The number of classes of a time, and of the time before it.
const TIMES: usize = 16;
const SPENT: usize = 12;

/// The clocks and evaluations of the games so far.
#[derive(Debug)]
pub(super) struct ValueModel {
    form: Form,
    is_same: Bit,
    forms: Box<[Numbers; 3]>,
    missing: Box<[Presence; 2]>,
    first: Box<[Signed; 2]>,
    /// By the time left, and by the times that the player and the opponent spent before.
    spent: Vec<Signed>,
    is_mate: [Bit; 2],
    mates: Box<[Signed; 2]>,
    centipawns: Vec<Signed>,
}

/// The half-moves that have values.
#[derive(Debug, Default)]
struct Presence {
    rest: Numbers,
    has_gaps: Bit,
    gaps: [Bit; 2],
}

impl Presence {
    /// Writes or reads which of `plies` half-moves have a value, up to the last that has one.
    fn code<C: Coder>(
        &mut self,
        coder: &mut C,
        plies: usize,
        given: &dyn Fn(usize) -> bool,
    ) -> Vec<bool> {
        let length = (0..plies).rev().find(|at| given(*at)).map_or(0, |at| at + 1);
        let rest = coder.number(&mut self.rest, (plies - length) as u32) as usize;
        let length = plies.saturating_sub(rest);
        let has_gaps = (0..length).any(|at| !given(at));
        if !coder.bit(&mut self.has_gaps, has_gaps) {
            return vec![true; length];
        }
        let mut before = true;
        let one = |at| {
            before = coder.bit(&mut self.gaps[usize::from(before)], given(at));
            before
        };
        (0..length).map(one).collect()
    }
}

/// The parts of a second in a unit of clocks.
const PARTS: [u32; 4] = [1, 10, 100, 1_000];

impl ValueModel {
    pub(super) fn new() -> Self {
        Self {
            form: Form::default(),
            is_same: Bit::default(),
            forms: states(),
            missing: states(),
            first: states(),
            spent: vec![Signed::default(); TIMES * SPENT * SPENT],
            is_mate: Default::default(),
            mates: states(),
            centipawns: vec![Signed::default(); 2 * SPENT * SPENT],
        }
    }

    /// Writes or reads the values of a game of `plies`; `None` for a game without. `parts` and `regular` are those to write.
    pub(super) fn code<C: Coder>(
        &mut self,
        coder: &mut C,
        plies: usize,
        tags: &Tags,
        given: Option<(&Parts, &Regular)>,
    ) -> Option<Regular> {
        let form = given.map_or(Form::default(), |(parts, regular)| Form {
            template: regular.template,
            // The unit follows the template.
            clock: parts.clocks.get(1).map_or(0, |unit| 1 + (unit & 7)),
            evaluation: parts.evaluations.get(1).map_or(0, |unit| 1 + (unit & 3)),
        });
        if !coder.bit(&mut self.is_same, form == self.form) {
            let [template, clock, evaluation] = &mut *self.forms;
            self.form = Form {
                template: coder.number(template, u32::from(form.template)) as u8,
                clock: coder.number(clock, u32::from(form.clock)) as u8,
                evaluation: coder.number(evaluation, u32::from(form.evaluation)) as u8,
            };
        }
        let Form { template, clock, evaluation } = self.form;
        if template == 0 {
            return None;
        }
        let given = given.map(|(_, regular)| regular);
        let (mut clocks, mut evaluations) = (Vec::new(), Vec::new());
        if clock > 0 {
            let given = given.map(|regular| &regular.clocks[..]);
            clocks = self.clocks(coder, plies, tags, (clock - 1) & 7, given);
        }
        if evaluation > 0 {
            let given = given.map(|regular| &regular.evaluations[..]);
            evaluations = self.evaluations(coder, plies, (evaluation - 1) & 3, given);
        }
        Some(Regular { template, clocks, evaluations })
    }

    fn clocks<C: Coder>(
        &mut self,
        coder: &mut C,
        plies: usize,
        tags: &Tags,
        unit: u8,
        given: Option<&[Option<Clock>]>,
    ) -> Vec<Option<Clock>> {
        let parts = PARTS[usize::from(unit & 3)];
        let millis = 1_000 / parts;
        let count = |at: usize| {
            let clock = given?.get(at).copied().flatten()?;
            Some(i64::from(clock.millis() / millis))
        };
        let there = self.missing[0].code(coder, plies, &|at| count(at).is_some());
        let (base, increment) = control(tags, parts);
        // Of each side: the last clock, and the time that it spent last.
        let mut last: [Option<i64>; 2] = [None; 2];
        let mut spent = [0u64; 2];
        let mut clocks = Vec::with_capacity(there.len());
        for (at, is_there) in there.into_iter().enumerate() {
            if !is_there {
                clocks.push(None);
                continue;
            }
            let (side, other) = (at % 2, 1 - at % 2);
            let clock = count(at).unwrap_or(0);
            let clock = match last[side] {
                None => {
                    let expected = base.or(last[other]).unwrap_or(0);
                    expected - coder.signed(&mut self.first[side], expected - clock)
                }
                Some(last) => {
                    let class = |spent: u64| bits(spent, SPENT - 1);
                    let left = bits(last.unsigned_abs() / u64::from(parts), TIMES - 1);
                    let state = (left * SPENT + class(spent[side])) * SPENT + class(spent[other]);
                    let expected = last + increment;
                    let time = coder.signed(&mut self.spent[state], expected - clock);
                    spent[side] = time.unsigned_abs();
                    expected - time
                }
            };
            let clock = u32::try_from(clock.max(0)).unwrap_or(u32::MAX);
            last[side] = Some(i64::from(clock));
            let read = Clock::from_millis(clock.saturating_mul(millis));
            clocks.push(Some(if unit & 4 == 0 { read.with_decimals(unit & 3) } else { read }));
        }
        clocks
    }

    fn evaluations<C: Coder>(
        &mut self,
        coder: &mut C,
        plies: usize,
        decimals: u8,
        given: Option<&[Option<Evaluation>]>,
    ) -> Vec<Option<Evaluation>> {
        let score =
            |at: usize| given?.get(at).copied().flatten().map(|evaluation| evaluation.score());
        let there = self.missing[1].code(coder, plies, &|at| score(at).is_some());
        let (mut last, mut mate, mut change) = (0i64, None, 0u64);
        let mut evaluations = Vec::with_capacity(there.len());
        for (at, is_there) in there.into_iter().enumerate() {
            if !is_there {
                evaluations.push(None);
                continue;
            }
            let score = score(at).unwrap_or(Score::Centipawns(0));
            let was_mate = usize::from(mate.is_some());
            let is_mate = matches!(score, Score::Mate(_));
            // The mover's side, so that a sign means better or worse for the mover.
            let sign = if at % 2 == 0 { 1 } else { -1 };
            let score = if coder.bit(&mut self.is_mate[was_mate], is_mate) {
                let moves = if let Score::Mate(moves) = score { i64::from(moves) } else { 0 };
                let expected = mate.unwrap_or(0);
                let moves = expected
                    + sign * coder.signed(&mut self.mates[was_mate], sign * (moves - expected));
                mate = Some(moves);
                Score::Mate(whole(moves))
            } else {
                let centipawns =
                    if let Score::Centipawns(number) = score { i64::from(number) } else { 0 };
                let class = |number: u64| bits(number, SPENT - 1);
                let state = (class(last.unsigned_abs()) * SPENT + class(change)) * 2 + was_mate;
                let more = coder.signed(&mut self.centipawns[state], sign * (centipawns - last));
                mate = None;
                change = more.unsigned_abs();
                last += sign * more;
                Score::Centipawns(whole(last))
            };
            evaluations.push(Some(Evaluation::new(score).with_decimals(decimals)));
        }
        evaluations
    }
}

fn whole(number: i64) -> i32 {
    number.clamp(i64::from(i32::MIN + 1), i64::from(i32::MAX)) as i32
}

/// The base time and the increment of a tag such as `180+2`, in parts of a second.
fn control(tags: &Tags, parts: u32) -> (Option<i64>, i64) {
    let read =
        |text: &str| text.parse::<u32>().ok().map(|number| i64::from(number) * i64::from(parts));
    let control = tags.value("TimeControl").and_then(|text| text.split_once('+'));
    match control.map(|(base, increment)| (read(base), read(increment))) {
        Some((Some(base), Some(increment))) => (Some(base), increment),
        _ => (None, 0),
    }
}
