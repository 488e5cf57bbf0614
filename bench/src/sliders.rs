//! The shoot-out: every technique of `halfmove-techniques` and the front doors of other libraries
//! at the same jobs, in alternation.
//!
//! It fails unless all techniques agree. The jobs and the targets are in
//! `bench/definitions/sliders`.

mod batch;
mod loops;
mod machine_code;
mod picture;

use crate::table::{self, Spread, grouped, median};
use crate::{definition, flags, machine, process};
use anyhow::{Context, bail, ensure};
use halfmove_bitboard::{Bitboard, Square, attacks};
use halfmove_techniques::{Sliders, Technique, Visitor, visit_all};
use loops::{Contender, Door, Job, Shared};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

const DEFINITION: &str = "bench/definitions/sliders/shootout.toml";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Definition {
    pairs: usize,
    seed: String,
    rounds: usize,
    round_ms: u64,
    #[serde(default)]
    ratio: Vec<Ratio>,
}

/// A target for the ratio of two cells of the table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Ratio {
    says: String,
    of: Cell,
    to: Cell,
    least: Option<f64>,
    most: Option<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cell {
    row: String,
    column: String,
}

/// A technique, adapted to the trait of the loops.
#[derive(Copy, Clone)]
struct Ours<S>(S);

impl<S: Sliders> Door for Ours<S> {
    type Square = Square;
    type Set = Bitboard;

    #[inline(always)]
    fn square(number: u8) -> Square {
        Square::wrapping(number)
    }
    #[inline(always)]
    fn set(squares: u64) -> Bitboard {
        Bitboard(squares)
    }
    #[inline(always)]
    fn squares(set: Bitboard) -> u64 {
        set.0
    }
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.0.rook(square, occupied)
    }
    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.0.bishop(square, occupied)
    }
    #[inline(always)]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.0.queen(square, occupied)
    }
}

/// The technique of `attacks` in this build. It is measured in the row of the technique that
/// it is bound to: the same code twice in a table would only show the noise.
#[derive(Copy, Clone)]
struct FrontDoor;

impl Sliders for FrontDoor {
    const TECHNIQUE: Technique = attacks::SLIDERS;

    fn new() -> Option<Self> {
        Some(Self)
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        attacks::rook(square, occupied)
    }
    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        attacks::bishop(square, occupied)
    }
    #[inline(always)]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        attacks::queen(square, occupied)
    }
}

/// A row of the table.
struct Row {
    name: String,
    technique: Option<Technique>,
    version: String,
    /// Nanoseconds per pair, one figure per round.
    figures: BTreeMap<Job, Vec<f64>>,
    vectorized: String,
}

impl Row {
    fn new(name: &str, technique: Option<Technique>) -> Self {
        let (name, version) = (name.to_owned(), String::new());
        Self { name, technique, version, figures: BTreeMap::new(), vectorized: String::new() }
    }

    fn nanoseconds(&self, job: Job) -> Option<f64> {
        self.figures.get(&job).map(|figures| median(figures.clone()))
    }

    /// For the chain nanoseconds, for the others millions per second, one figure per round.
    fn rounds(&self, job: Job) -> Vec<f64> {
        let rounds = self.figures.get(&job).into_iter().flatten();
        rounds.map(|figure| if job == Job::Chain { *figure } else { 1e3 / figure }).collect()
    }

    fn figure(&self, job: Job) -> Option<f64> {
        Spread::of(self.rounds(job)).map(|spread| spread.median)
    }

    fn cell(&self, job: Job) -> String {
        let spread = Spread::of(self.rounds(job));
        table::spread(spread.as_ref(), |figure| match job {
            Job::Chain => format!("{figure:.1}"),
            _ => grouped(figure),
        })
    }
}

/// The measurements of this process, and their rows.
struct Field {
    definition: Definition,
    pairs: Shared<Square, Bitboard>,
    rows: Vec<Row>,
    /// By row, with the jobs that it can do.
    contenders: Vec<(usize, Contender, Vec<Job>)>,
    /// The sum of each job's answers, by the first that did it.
    answers: BTreeMap<Job, (String, u64)>,
}

impl Visitor for Field {
    fn visit<S: Sliders>(&mut self) {
        let technique = S::TECHNIQUE;
        let row = Row::new(technique.name, Some(technique));
        match S::new() {
            Some(_) if technique.name == attacks::SLIDERS.name => self.add(row, Ours(FrontDoor)),
            Some(sliders) => self.add(row, Ours(sliders)),
            None => self.rows.push(row),
        }
    }
}

impl Field {
    fn add<S: Sliders>(&mut self, mut row: Row, door: Ours<S>) {
        let contender = Contender::new(door, &self.pairs);
        row.vectorized = machine_code::vectorized(contender.code).to_owned();
        self.contenders.push((self.rows.len(), contender, Job::ALL.to_vec()));
        self.rows.push(row);
    }

    fn add_batch(&mut self) {
        for (name, contender) in batch::contenders(&self.pairs) {
            if let Some(contender) = contender {
                self.contenders.push((self.rows.len(), contender, vec![Job::Slices]));
            }
            let vectorized = "by hand".to_owned();
            self.rows.push(Row { vectorized, ..Row::new(&name, None) });
        }
    }

    /// Runs every job with every technique, then with every peer.
    fn round(&mut self, peers: &[String]) -> anyhow::Result<()> {
        let least = Duration::from_millis(self.definition.round_ms);
        for job in Job::ALL {
            for at in 0..self.contenders.len() {
                let (row, contender, jobs) = &mut self.contenders[at];
                if jobs.contains(&job) {
                    let row = *row;
                    let (figure, answer) = contender.measure(job, self.definition.pairs, least);
                    self.write(row, job, figure, answer)?;
                }
            }
        }
        for peer in peers {
            let Definition { pairs, seed, round_ms, .. } = &self.definition;
            let words = [peer, "sliders", &pairs.to_string(), seed, &round_ms.to_string()];
            let run = process::run(&words.map(str::to_owned))?;
            for line in String::from_utf8(run.stdout)?.lines() {
                let (row, job, figure, answer) =
                    self.peer(line).with_context(|| format!("{peer} says {line:?}"))?;
                self.write(row, job, figure, answer)?;
            }
        }
        Ok(())
    }

    /// Parses a peer's line: name, version, vectorized, job, nanoseconds, sum of the results.
    fn peer(&mut self, line: &str) -> anyhow::Result<(usize, Job, f64, u64)> {
        let fields = line.split('\t').collect::<Vec<_>>();
        let [name, version, vectorized, job, figure, answer] = fields[..] else {
            bail!("expected six fields");
        };
        let job = Job::ALL.into_iter().find(|known| known.name() == job);
        let row = self.rows.iter().position(|row| row.name == name).unwrap_or_else(|| {
            let (version, vectorized) = (version.to_owned(), vectorized.to_owned());
            self.rows.push(Row { version, vectorized, ..Row::new(name, None) });
            self.rows.len() - 1
        });
        Ok((row, job.context("no such job")?, figure.parse()?, answer.parse()?))
    }

    fn write(&mut self, row: usize, job: Job, figure: f64, answer: u64) -> anyhow::Result<()> {
        let row = &mut self.rows[row];
        let (first, right) = self.answers.entry(job).or_insert_with(|| (row.name.clone(), answer));
        ensure!(
            answer == *right,
            "{}: {} answers {answer}, {first} answers {right}",
            job.name(),
            row.name
        );
        row.figures.entry(job).or_default().push(figure);
        Ok(())
    }

    fn table(&self) -> anyhow::Result<String> {
        let mut rows = self.rows.iter().collect::<Vec<_>>();
        let rank = |row: &Row| {
            let best = row.nanoseconds(Job::Queens).or_else(|| row.nanoseconds(Job::Slices));
            best.unwrap_or(f64::INFINITY)
        };
        rows.sort_by(|a, b| rank(a).total_cmp(&rank(b)));
        let mut text = "\
| technique | table bytes | queens, M/s | rooks, M/s | bishops, M/s | latency of a queen, ns | batch of queens, M/s | vectorized |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |
"
        .to_owned();
        for row in rows {
            let bytes = row
                .technique
                .map_or_else(|| "–".to_owned(), |card| grouped(card.table_bytes as f64));
            let name = &row.name;
            if row.figures.is_empty() {
                let lacks = row.technique.map_or("what it needs", |card| card.instructions);
                writeln!(text, "| {name} | {bytes} | this CPU lacks {lacks} | | | | | |")?;
                continue;
            }
            let cells = Job::ALL.map(|job| row.cell(job)).join(" | ");
            let version = &row.version;
            let name = match row.technique {
                Some(card) if card.name == attacks::SLIDERS.name => format!("**{name}**"),
                _ if version.is_empty() => name.clone(),
                _ => format!("*{name} {version}*"),
            };
            writeln!(text, "| {name} | {bytes} | {cells} | {} |", row.vectorized)?;
        }
        Ok(text)
    }

    fn ratios(&self) -> anyhow::Result<String> {
        let rounds = |cell: &Cell| {
            let job = Job::ALL.into_iter().find(|job| job.name() == cell.column);
            let job = job.with_context(|| format!("{DEFINITION}: no column {}", cell.column))?;
            let row = self.rows.iter().find(|row| row.name.eq_ignore_ascii_case(&cell.row));
            anyhow::Ok(row.map_or_else(Vec::new, |row| row.rounds(job)))
        };
        let mut text = table::RATIOS.to_owned();
        for Ratio { says, of, to, least, most } in &self.definition.ratio {
            // Within a round, since a disturbance affects neighboring measurements, too.
            let (of, to) = (rounds(of)?, rounds(to)?);
            let is = Spread::of(of.iter().zip(&to).map(|(of, to)| of / to).collect());
            text.push_str(&table::ratio(says, is.as_ref(), *least, *most));
        }
        Ok(text)
    }
}

/// Runs the benchmark. Returns the facts and the tables of the record.
pub(crate) fn run(picture: Option<&str>) -> anyhow::Result<(String, String)> {
    let definition: Definition = definition::read(Path::new(""), DEFINITION)?;
    let seed = u64::from_str_radix(&definition.seed, 16).context("the seed is hexadecimal")?;
    ensure!(seed != 0 && definition.pairs > 0 && definition.rounds > 0, "{DEFINITION}: a zero");
    let about = machine::machine(&[("Build", flags::flags())]);

    let (rows, contenders, answers) = (Vec::new(), Vec::new(), BTreeMap::new());
    let pairs = loops::shared::<Ours<FrontDoor>>(definition.pairs, seed);
    let mut field = Field { definition, pairs, rows, contenders, answers };
    visit_all(&mut field);
    field.add_batch();
    let peers = std::env::var("HALFMOVE_PEERS").ok();
    let peers = peers.into_iter().filter(|path| Path::new(path).is_file());
    let peers = peers.collect::<Vec<_>>();
    for round in 1..=field.definition.rounds {
        eprintln!("round {round} of {}", field.definition.rounds);
        field.round(&peers)?;
    }

    let Definition { pairs, rounds, round_ms, .. } = field.definition;
    let about = format!(
        "{about}- Pairs: {} random pairs of square and occupied squares, {} KiB; {rounds} rounds, {round_ms} ms \
         of every technique a round, turn about; a figure is the median of the rounds, in parentheses the least and the \
         most of them\n",
        grouped(pairs as f64),
        pairs * 9 / 1024,
    );
    let text = format!("{}\n{EXPLAINED}\n{}", field.table()?, field.ratios()?);
    if let Some(path) = picture {
        let dots = field.rows.iter().filter_map(|row| {
            Some(picture::Dot {
                name: row.name.clone(),
                bytes: row.technique?.table_bytes,
                plain: row.technique?.instructions.is_empty(),
                throughput: row.figure(Job::Queens)?,
                latency: row.figure(Job::Chain)?,
            })
        });
        std::fs::write(path, picture::draw(&dots.collect::<Vec<_>>()))
            .with_context(|| format!("writing {path}"))?;
        eprintln!("drawn to {path}");
    }
    Ok((about, text))
}

const EXPLAINED: &str = "\
- Queens, rooks, bishops: millions of attack sets a second, one after the other; the loop is kept from being vectorized.
- Latency: square and occupied squares depend on the set before; nanoseconds a queen, with the three operations that make it so.
- Batch: a plain loop over slices, which the compiler may vectorize; the last column says whether it did, as the machine
  code has it: the width of the registers in which it stores several sets at once.
- In bold: the technique that `attacks::{rook, bishop, queen}` is bound to in this build, measured through these functions.
- In italics: the front doors of other libraries, from a process of their own, a turn in every round.
- All techniques gave the same sums of all their answers, job by job.
";
