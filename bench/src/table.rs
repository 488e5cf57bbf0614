//! Tables of results.

use crate::definition::{Benchmark, Measure};
use crate::process::Run;

/// The result of one program at one job.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) job: String,
    pub(crate) program: String,
    cells: Option<[String; 5]>,
}

pub(crate) const HEADING: &str = "\
| job | program | wall, median | min–max | CPU, median | figure | times the first's |
| --- | --- | ---: | ---: | ---: | ---: | ---: |
";

/// The median; of an even number of values, the lower of the middle two.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len().saturating_sub(1) / 2).copied().unwrap_or(f64::NAN)
}

fn seconds(value: f64) -> String {
    match value {
        10.0.. => format!("{value:.1} s"),
        1.0.. => format!("{value:.2} s"),
        0.001.. => format!("{:.1} ms", value * 1e3),
        _ => format!("{:.1} µs", value * 1e6),
    }
}

/// A number with thousands separators.
pub(crate) fn grouped(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The median, the minimum and the maximum of some figures.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
}

impl Spread {
    /// `None` if there are no values.
    pub(crate) fn of(values: Vec<f64>) -> Option<Self> {
        let least = values.iter().copied().min_by(f64::total_cmp)?;
        let most = values.iter().copied().max_by(f64::total_cmp)?;
        Some(Self { median: median(values), least, most })
    }
}

/// A cell: the median, and in parentheses the minimum and the maximum.
pub(crate) fn spread(spread: Option<&Spread>, show: impl Fn(f64) -> String) -> String {
    spread.map_or_else(
        || "–".to_owned(),
        |Spread { median, least, most }| {
            format!("{} ({}–{})", show(*median), show(*least), show(*most))
        },
    )
}

/// The geometric mean of the figures for each round; empty if one of them was not measured.
pub(crate) fn geometric_means(figures: &[Vec<f64>]) -> Vec<f64> {
    let rounds = figures.iter().map(Vec::len).min().unwrap_or(0);
    (0..rounds)
        .map(|round| {
            let logarithms = figures.iter().map(|rounds| rounds[round].ln()).sum::<f64>();
            (logarithms / figures.len() as f64).exp()
        })
        .collect()
}

pub(crate) const RATIOS: &str = "| ratio | is | wanted | |\n| --- | ---: | ---: | --- |\n";

/// A line of the table of ratios: the ratio, the target, and whether the median meets it.
pub(crate) fn ratio(
    says: &str,
    is: Option<&Spread>,
    least: Option<f64>,
    most: Option<f64>,
) -> String {
    let (wanted, met) = match (least, most) {
        (Some(least), _) => (format!("≥ {least:.2}"), is.map(|is| is.median >= least)),
        (None, Some(most)) => (format!("≤ {most:.2}"), is.map(|is| is.median <= most)),
        (None, None) => (String::new(), None),
    };
    let is = match is {
        Some(_) => spread(is, |is| format!("{is:.2}")),
        None => "not measured".to_owned(),
    };
    let met = met.map_or("", |met| if met { "met" } else { "not met" });
    format!("| {says} | {is} | {wanted} | {met} |\n")
}

/// The figure to compare, and true if more is better.
fn figure(measure: Measure, wall: f64, measured: &Measured) -> (f64, bool, String) {
    let Measured { games, of, half_moves, amount, .. } = *measured;
    match measure {
        Measure::Time if games < of => {
            let all = wall * of as f64 / games as f64;
            (all, false, format!("{} (scaled)", seconds(all)))
        }
        Measure::Time => (wall, false, seconds(wall)),
        Measure::Games => {
            let rate = games as f64 / wall;
            (rate, true, format!("{} games/s", grouped(rate)))
        }
        Measure::HalfMoves => {
            // A part of the games is assumed to have the same mean number of half-moves as all games.
            let rate = half_moves as f64 * games as f64 / of as f64 / wall;
            (rate, true, format!("{} half-moves/s", grouped(rate)))
        }
        Measure::Bytes => {
            let bytes = amount as f64 / games as f64;
            (bytes, false, format!("{bytes:.1} bytes/game"))
        }
    }
}

/// The result of one program.
pub(crate) struct Measured {
    pub(crate) program: String,
    pub(crate) runs: Vec<Run>,
    /// The number of games that it processed, and the number of all games.
    pub(crate) games: u64,
    pub(crate) of: u64,
    /// The number of half-moves of all games.
    pub(crate) half_moves: u64,
    /// The result, or the number of bytes.
    pub(crate) amount: u64,
}

/// The rows of one benchmark. The ratio of times (or bytes) to those of the first program: above 1 is
/// worse.
pub(crate) fn rows(benchmark: &Benchmark, all: &[Measured]) -> Vec<Row> {
    let mut first = None;
    let row = |measured: &Measured| {
        let job = benchmark.job.clone();
        let program = measured.program.clone();
        if measured.runs.is_empty() {
            return Row { job, program, cells: None };
        }
        let walls = measured.runs.iter().map(|run| run.wall.as_secs_f64()).collect::<Vec<_>>();
        let cpu = median(measured.runs.iter().map(|run| run.cpu.as_secs_f64()).collect());
        let wall = median(walls.clone());
        let (least, most) = walls
            .iter()
            .fold((f64::MAX, 0.0_f64), |(least, most), wall| (least.min(*wall), most.max(*wall)));
        let (value, more_is_better, text) = figure(benchmark.measure, wall, measured);
        let beside = *first.get_or_insert(value);
        let ratio = if more_is_better { beside / value } else { value / beside };
        let cells = if benchmark.measure == Measure::Bytes {
            let dash = || "–".to_owned();
            [dash(), dash(), dash(), text, format!("{ratio:.2}")]
        } else {
            [
                seconds(wall),
                format!("{}–{}", seconds(least), seconds(most)),
                seconds(cpu),
                text,
                format!("{ratio:.2}"),
            ]
        };
        Row { job, program, cells: Some(cells) }
    };
    all.iter().map(row).collect()
}

impl Row {
    /// A line of the table.
    pub(crate) fn markdown(&self) -> String {
        let Self { job, program, cells } = self;
        match cells {
            Some(cells) => format!("| {job} | {program} | {} |\n", cells.join(" | ")),
            None => format!("| {job} | {program} | not installed | | | | |\n"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::geometric_means;

    #[test]
    fn means_are_taken_within_a_round() {
        let means = geometric_means(&[vec![2.0, 4.0, 1.0], vec![8.0, 1.0]]);
        assert_eq!(means.len(), 2);
        assert!((means[0] - 4.0).abs() < 1e-9 && (means[1] - 2.0).abs() < 1e-9, "{means:?}");
        assert!(geometric_means(&[vec![2.0], vec![]]).is_empty());
    }
}
