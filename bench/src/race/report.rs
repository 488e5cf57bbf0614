//! The tables of the race.

use super::{Contender, Definition, Target};
use crate::table::{self, Spread, grouped};
use std::fmt::Write;

const EXPLAINED: &str = "\
- No contender keeps a table of what it has counted; each uses one thread and counts the last half-move without playing it.
  A wrong count fails the run.
- perft: the library's own function that counts leaves. Ours takes the pieces of a side together where only their number
  matters, and keeps neither key nor clocks.
- visit: the same job for all, written against the public interface: visit the moves as the library shows them (ours shows pawns by the way they step), play each on a copy of
  the position (key and clocks kept), and add up the `len()` of what is shown before the last half-move.
- list: the same job for all: fill a list of moves in every position, before the last half-move too, and play each on a copy.
- As installed: built for any x86-64 in the release profile of the workspace, as `cargo install` builds it; the CPU is asked
  at run time. Held to a level: the same program, told to use no more than that level of the CPU.
- Native: built for this CPU (`-C target-cpu=native`), with link-time optimization, and with the feature pext of those that
  have one. cozy-chess so built is what all others are compared with.
";

impl Definition {
    pub(super) fn report(&self, highest: Option<&str>) -> anyhow::Result<String> {
        Ok(format!(
            "{}\n{EXPLAINED}\n{}{}",
            self.tables()?,
            self.targets(highest)?,
            self.surveys()?
        ))
    }

    fn tables(&self) -> anyhow::Result<String> {
        let first = &self.contender[0];
        let names = self
            .position
            .iter()
            .map(|position| format!("{}, depth {}", position.name, position.depth));
        let names = names.collect::<Vec<_>>().join(" | ");
        let columns = " ---: |".repeat(self.position.len());
        let mut times = format!(
            "| times {} | job | {names} | geometric mean | version |\n| --- | --- |{columns} ---: | --- |\n",
            first.name
        );
        let names = self.position.iter().map(|position| format!("{}, M/s", position.name));
        let names = names.collect::<Vec<_>>().join(" | ");
        let mut speeds =
            format!("| millions of leaves a second | job | {names} |\n| --- | --- |{columns}\n");
        for contender in self.contender.iter().filter(|contender| !contender.figures.is_empty()) {
            let Contender { name, job, version, figures, .. } = contender;
            let row = format!("| {name} | {}", job.name());
            write!(times, "{row}")?;
            write!(speeds, "{row}")?;
            for (at, figures) in figures.iter().enumerate() {
                let quotient = contender.times(first, at);
                write!(
                    times,
                    " | {}",
                    table::spread(quotient.as_ref(), |times| format!("{times:.2}"))
                )?;
                let speed =
                    Spread::of(figures.iter().map(|nanoseconds| 1e3 / nanoseconds).collect());
                write!(speeds, " | {}", table::spread(speed.as_ref(), grouped))?;
            }
            let mean = contender.mean(first, self.position.len());
            let mean = table::spread(mean.as_ref(), |mean| format!("{mean:.2}"));
            writeln!(times, " | {mean} | {version} |")?;
            writeln!(speeds, " |")?;
        }
        Ok(format!("{times}\n{speeds}"))
    }

    /// The targets: a row for the mean, and one for each position with a separate target.
    fn targets(&self, highest: Option<&str>) -> anyhow::Result<String> {
        let mut text = table::RATIOS.to_owned();
        for Target { says, of, to, least, each, level } in &self.target {
            let (of, to) = (self.find(of)?, self.find(to)?);
            let applies = level.as_deref().is_none_or(|level| highest == Some(level));
            let mean = of.mean(to, self.position.len()).filter(|_| applies);
            text.push_str(&table::ratio(
                &format!("{says}: geometric mean"),
                mean.as_ref(),
                Some(*least),
                None,
            ));
            for (at, position) in self.position.iter().enumerate().filter(|_| each.is_some()) {
                let times = of.times(to, at).filter(|_| applies);
                text.push_str(&table::ratio(
                    &format!("{says}: {}", position.name),
                    times.as_ref(),
                    *each,
                    None,
                ));
            }
        }
        Ok(text)
    }

    /// Published measurements of contenders that cannot be run.
    fn surveys(&self) -> anyhow::Result<String> {
        let absent = self.survey.iter().filter(|survey| {
            let found = self.contender.iter().find(|contender| contender.name == survey.name);
            found.is_none_or(|contender| contender.figures.is_empty())
        });
        let mut text = String::new();
        for survey in absent {
            if text.is_empty() {
                text.push_str("\n| not measured here | times cozy-chess, by a survey | source |\n| --- | ---: | --- |\n");
            }
            writeln!(text, "| {} | {:.2} | {} |", survey.name, survey.times, survey.source)?;
        }
        Ok(text)
    }
}
