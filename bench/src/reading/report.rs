//! The tables of reading.

use super::{Clock, Collection, Contender, Definition, Job, Speed, Target};
use crate::table::{self, Spread, grouped};
use std::fmt::Write;

impl Job {
    /// The name of a row, without its collection.
    fn row(&self, contender: &Contender) -> String {
        format!("{}: {}", self.name, contender.name)
    }
}

impl Target {
    /// The name of a row, without its collection.
    fn row(&self) -> String {
        format!("{}: {} against {}", self.job, self.of, self.to)
    }
}

impl Speed {
    /// The name of a row, without its collection.
    fn row(&self) -> String {
        format!("{}: {} in GB/s", self.job, self.of)
    }
}

impl Definition {
    /// The rows that a record may have.
    pub(crate) fn rows(&self) -> Vec<String> {
        let contenders =
            self.job.iter().flat_map(|job| job.contender.iter().map(|one| job.row(one)));
        let ratios = self.target.iter().map(Target::row).chain(self.speed.iter().map(Speed::row));
        let collections = || self.collection.iter().map(|collection| collection.name.as_str());
        let cells =
            contenders.flat_map(|row| collections().map(move |name| format!("{row} > {name}")));
        let ratios = ratios.flat_map(|row| {
            let names = collections().chain(["geometric mean"]);
            names.map(move |name| format!("{row}: {name}")).collect::<Vec<_>>()
        });
        cells.chain(ratios).collect()
    }

    pub(super) fn report(&self) -> anyhow::Result<String> {
        let mut text = String::new();
        for job in &self.job {
            self.write_job(&mut text, job)?;
        }
        text.push_str(table::RATIOS);
        for target in &self.target {
            let (of, to) =
                (self.find(&target.job, &target.of)?, self.find(&target.job, &target.to)?);
            let says = target.row();
            let mut quotients = Vec::new();
            for Collection { name, .. } in &self.collection {
                if !to.answer.contains_key(name) {
                    continue;
                }
                let rounds = of.times(to, name);
                let spread = Spread::of(rounds.clone());
                let says = format!("{says}: {name}");
                text.push_str(&table::ratio(&says, spread.as_ref(), Some(target.least), None));
                quotients.push(rounds);
            }
            if quotients.len() > 1 {
                let mean = Spread::of(table::geometric_means(&quotients));
                let says = format!("{says}: geometric mean");
                text.push_str(&table::ratio(&says, mean.as_ref(), Some(target.least), None));
            }
        }
        for speed in &self.speed {
            let of = self.find(&speed.job, &speed.of)?;
            for Collection { name, bytes, .. } in &self.collection {
                let seconds = of.seconds.get(name).into_iter().flatten();
                let speeds =
                    Spread::of(seconds.map(|seconds| *bytes as f64 / 1e9 / seconds).collect());
                let says = format!("{}: {name}", speed.row());
                text.push_str(&table::ratio(&says, speeds.as_ref(), Some(speed.least), None));
            }
        }
        Ok(text)
    }

    fn write_job(&self, text: &mut String, job: &Job) -> anyhow::Result<()> {
        let clock = match job.clock {
            Clock::Cpu => "CPU time",
            Clock::Wall => "wall time",
        };
        writeln!(text, "{}: {}.\n", job.name, job.says)?;
        writeln!(text, "| job | games | {clock}, s | games a second | GB/s |")?;
        writeln!(text, "| --- | --- | ---: | ---: | ---: |")?;
        for contender in &job.contender {
            for Collection { name, games, bytes, .. } in &self.collection {
                if !contender.answer.contains_key(name) {
                    continue;
                }
                let seconds = contender.seconds.get(name).cloned().unwrap_or_default();
                let rate = |amount: f64| {
                    Spread::of(seconds.iter().map(|seconds| amount / seconds).collect())
                };
                let games = table::spread(rate(*games as f64).as_ref(), grouped);
                let gigabytes =
                    table::spread(rate(*bytes as f64 / 1e9).as_ref(), |x| format!("{x:.3}"));
                let shown =
                    table::spread(Spread::of(seconds.clone()).as_ref(), |x| format!("{x:.3}"));
                let row = job.row(contender);
                writeln!(text, "| {row} | {name} | {shown} | {games} | {gigabytes} |")?;
            }
        }
        text.push('\n');
        Ok(())
    }
}

impl Contender {
    /// The ratio of its speed to another's, round by round.
    fn times(&self, other: &Contender, collection: &str) -> Vec<f64> {
        let (Some(own), Some(others)) =
            (self.seconds.get(collection), other.seconds.get(collection))
        else {
            return Vec::new();
        };
        others.iter().zip(own).map(|(others, own)| others / own).collect()
    }
}
