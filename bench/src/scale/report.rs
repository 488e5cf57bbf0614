//! The tables of the record.

use super::{Definition, Job, median};
use crate::process::Run;
use crate::table::{Spread, grouped, spread};
use std::fmt::Write;

fn seconds(run: &Run) -> f64 {
    run.wall.as_secs_f64()
}

fn mebibytes(run: &Run) -> f64 {
    run.peak_bytes as f64 / f64::from(1 << 20)
}

/// The approximate number of games published by lichess.org.
const ALL_OF_LICHESS: f64 = 7e9;

fn show_seconds(seconds: f64) -> String {
    match seconds {
        7_200.0.. => format!("{:.0} h", seconds / 3_600.0),
        120.0.. => format!("{:.0} min", seconds / 60.0),
        10.0.. => format!("{seconds:.0} s"),
        1.0.. => format!("{seconds:.2} s"),
        _ => format!("{:.0} ms", seconds * 1e3),
    }
}

/// The quotient of two medians.
fn growth(small: Option<&Spread>, large: Option<&Spread>) -> String {
    match (small, large) {
        (Some(small), Some(large)) => format!("{:.1}", large.median / small.median),
        _ => "–".to_owned(),
    }
}

impl Definition {
    pub(super) fn report(&self) -> anyhow::Result<String> {
        let [small, large] = self.games.map(|games| grouped(games as f64));
        let mut text = format!(
            "| job | {small} games | {large} games | grows by | memory, MiB: {small} | memory, MiB: {large} | grows by |\n\
             | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n"
        );
        for job in &self.job {
            text += &row(job);
        }
        let peaks = self.job.iter().flat_map(|job| job.runs.iter().flatten()).map(mebibytes);
        let most = peaks.fold(0.0, f64::max);
        let met = if most <= self.memory_mib { "met" } else { "not met" };
        writeln!(
            text,
            "\nEach job is a process, from the command to its end: the median of {} rounds, in parentheses the lowest and the highest; \
             what changes the archive is done once. Memory is the most that the process had at a time, pages of files that it has \
             mapped included. The games come to the import through a pipe, from a process that makes them meanwhile on the same cores. \
             Every answer is compared with what the moves say, played by the rules.\n\n\
             | aim | limit | measured | |\n| --- | ---: | ---: | --- |\n\
             | memory of any job, most | {:.0} MiB | {most:.0} MiB | {met} |",
            self.rounds, self.memory_mib,
        )?;
        text += &self.on_paper()?;
        Ok(text)
    }

    /// The extrapolated time for far more games. Memory does not grow in the same way, because columns and
    /// queries have limits.
    fn on_paper(&self) -> anyhow::Result<String> {
        let [small, large] = self.games.map(|games| games as f64);
        let mut text = format!(
            "\nOn paper, for the {} games of lichess.org: the time if it went on growing by as much a game as it does from {} games \
             to {}. The files were in the page cache, which would not hold so many: a search would wait for the disk until it has read \
             the signatures of all games.\n\n| on paper | time |\n| --- | ---: |\n",
            grouped(ALL_OF_LICHESS),
            grouped(small),
            grouped(large),
        );
        for job in &self.job {
            let [first, second] = job.runs.each_ref().map(|runs| median(runs, seconds));
            if let (Some(first), Some(second)) = (first, second) {
                let by_game = (second.median - first.median).max(0.0) / (large - small);
                let time = second.median + by_game * (ALL_OF_LICHESS - large);
                writeln!(text, "| {} | {} |", job.name, show_seconds(time))?;
            }
        }
        Ok(text)
    }
}

fn row(job: &Job) -> String {
    let [small, large] = &job.runs;
    let walls = [small, large].map(|runs| median(runs, seconds));
    let peaks = [small, large].map(|runs| median(runs, mebibytes));
    let cell = |figure: &Option<Spread>, show: fn(f64) -> String| match figure {
        // There is only one measurement.
        Some(figure) if job.changes => show(figure.median),
        figure => spread(figure.as_ref(), show),
    };
    let whole = |figure: f64| format!("{figure:.0}");
    format!(
        "| {} | {} | {} | {} | {} | {} | {} |\n",
        job.name,
        cell(&walls[0], show_seconds),
        cell(&walls[1], show_seconds),
        growth(walls[0].as_ref(), walls[1].as_ref()),
        cell(&peaks[0], whole),
        cell(&peaks[1], whole),
        growth(peaks[0].as_ref(), peaks[1].as_ref()),
    )
}
