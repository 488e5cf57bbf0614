//! Runs the benchmarks and writes the records. [`HELP`] describes its use.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program talks")]

mod boards;
mod codecs;
mod definition;
mod engine;
mod flags;
mod lines;
mod machine;
mod makruk;
mod micro;
mod packed;
mod pages;
mod positions;
mod process;
mod questions;
mod race;
mod reading;
mod scale;
mod sliders;
mod table;

use anyhow::{Context, bail, ensure};
use definition::{Benchmark, Collection, Definitions, Measure, Places, Program};
use halfmove_game::Input;
use halfmove_rules::{Chess, Makruk, perft};
use std::path::{Path, PathBuf};
use std::time::Duration;
use table::Measured;

/// The text of `--help`.
const HELP: &str = "\
halfmove-bench table [--only WORD]    our programs and their peers, turn about
halfmove-bench micro                  single operations, in this process
halfmove-bench sliders [--picture FILE.svg]
                                      every technique for sliding attacks
halfmove-bench race                   leaves counted by us and by other libraries
halfmove-bench reading [--only WORD]  games read by us and by other programs
halfmove-bench codecs                 games as bytes and back, by our codecs and by others
halfmove-bench dense                  the same by the codec dense, on games that its model has not seen
halfmove-bench packed                 whole games in one file: packed, and PGN compressed by zstd, xz and with aix
halfmove-bench positions              positions looked for in many games, in this process and by the library
halfmove-bench questions              questions about boards and moves, by the library, and by Scid
halfmove-bench scale [--games N,N]    a million games and ten million: time and memory
halfmove-bench makruk                 leaves of Makruk, counted by us and by Fairy-Stockfish
halfmove-bench boards                 single operations on our bitboards and on our 0x88 board
halfmove-bench engine                 the search: beside Fairy-Stockfish, on our two boards, with two threads

    --record NAME     write the tables to bench/record/NAME.md: from a clean commit, on an idle machine (packed: any machine)
    --wait SECONDS    wait so long for the machine to become idle
    --draft           print the tables, whatever the state of commit and machine, and record nothing

halfmove-bench tables                 write the tables of README.md and docs from the records
halfmove-bench lines                  the tree of frequent beginnings, made again and compared
halfmove-bench clean                  fail unless the working tree is as the last commit has it
halfmove-bench perft-makruk FEN DEPTH leaves of Makruk's game tree
halfmove-bench read JOB FILE          a PGN's games: mainlines, whole games, or only tags
halfmove-bench scale games N          the games that the scale is measured on
halfmove-bench scale answers N        what is right to answer about them, a number for each job

It runs in the repository. HALFMOVE names the program, HALFMOVE_DATA the folder of the large
collections, HALFMOVE_QUESTIONS and HALFMOVE_QUERIES the examples `questions` and `queries`, HALFMOVE_PEERS and HALFMOVE_PEERS_NATIVE two builds of bench/peers, PYTHON one that
knows python-chess and DuckDB, HALFMOVE_GIGANTUA a build of Gigantua; what is missing is named and passed over.
A benchmark whose answer is wrong fails.
";

fn main() -> anyhow::Result<()> {
    let words = std::env::args().skip(1).collect::<Vec<_>>();
    let words = words.iter().map(String::as_str).collect::<Vec<_>>();
    let option = |name: &str| {
        let at = words.iter().position(|word| *word == name)?;
        words.get(at + 1).copied()
    };
    let keep = Keep::read(&words)?;
    match words[..] {
        ["perft-makruk", fen, depth] => {
            println!("{}", perft(&fen.parse::<Makruk>()?, depth.parse()?));
        }
        ["read", job, path] => reading::do_job(job, Path::new(path))?,
        ["clean"] => machine::must_be_clean()?,
        ["tables"] => pages::write(Path::new("."))?,
        ["lines"] => println!("{}", lines::run(&prepare()?.1)?),
        ["table", ..] => run_table(option("--only"), keep)?,
        ["micro", ..] => {
            keep.ready()?;
            let (definitions, places) = prepare()?;
            let collection = choose(&definitions, &places)?;
            let about = machine::describe(&definitions, &places, &input(&collection));
            let text = micro::run(Path::new(&collection.path))?;
            keep.finish("Single operations", &about, &text)?;
        }
        ["sliders", ..] => {
            keep.ready()?;
            let (about, text) = sliders::run(option("--picture"))?;
            keep.finish("Sliding attacks", &about, &text)?;
        }
        ["makruk", ..] => {
            keep.ready()?;
            let (about, text) = makruk::run()?;
            keep.finish("Makruk", &about, &text)?;
        }
        ["boards", ..] => {
            keep.ready()?;
            let (about, text) = boards::run()?;
            keep.finish("Both boards", &about, &text)?;
        }
        ["engine", ..] => {
            keep.ready()?;
            let (about, text) = engine::run()?;
            keep.finish("The search of the engine", &about, &text)?;
        }
        ["reading", ..] => {
            keep.ready()?;
            let (_, places) = prepare()?;
            let (about, text) = reading::run(places, option("--only"))?;
            keep.finish("Reading games", &about, &text)?;
        }
        ["codecs", ..] => {
            keep.ready()?;
            let (_, places) = prepare()?;
            let (about, text) = codecs::run(&places, codecs::ALL)?;
            keep.finish("Games as bytes", &about, &text)?;
        }
        ["dense", ..] => {
            keep.ready()?;
            let (_, places) = prepare()?;
            let (about, text) = codecs::run(&places, codecs::HELD_OUT)?;
            keep.finish("The smallest codec", &about, &text)?;
        }
        ["packed", ..] => {
            keep.ready_for_sizes()?;
            let (_, places) = prepare()?;
            let (about, text) = packed::run(&places)?;
            keep.finish("Whole games in one file", &about, &text)?;
        }
        ["positions", ..] => {
            keep.ready()?;
            let (_, places) = prepare()?;
            let (about, text) = positions::run(&places)?;
            keep.finish("Positions in many games", &about, &text)?;
        }
        ["questions", ..] => {
            keep.ready()?;
            let (_, places) = prepare()?;
            let (about, text) = questions::run(&places)?;
            keep.finish("Questions to many games", &about, &text)?;
        }
        ["scale", job @ ("games" | "answers"), games] => {
            scale::do_job(job, games.parse()?, &prepare()?.1)?;
        }
        ["scale", ..] => {
            let games = option("--games").map(scale::sizes).transpose()?;
            let is_draft = matches!(keep, Keep::Draft);
            ensure!(
                games.is_none() || is_draft,
                "--games is for drafts: a record has the sizes of its definition"
            );
            keep.ready()?;
            let (_, places) = prepare()?;
            let (about, text) = scale::run(places, games)?;
            keep.finish("A million games, and ten million", &about, &text)?;
        }
        ["race", ..] => {
            keep.ready()?;
            let (about, text) = race::run()?;
            keep.finish("Counting leaves", &about, &text)?;
        }
        [] | ["help"] => print!("{HELP}"),
        _ if words.iter().any(|word| matches!(*word, "-h" | "--help")) => print!("{HELP}"),
        _ => bail!("{} is no job of this program; --help names them", words.join(" ")),
    }
    Ok(())
}

/// The destination of the tables.
enum Keep<'a> {
    /// The tables are printed.
    Draft,
    /// They are also written to `bench/record`, if commit and machine allow it.
    Record { name: &'a str, wait: Duration },
}

impl<'a> Keep<'a> {
    fn read(words: &[&'a str]) -> anyhow::Result<Self> {
        let after = |name: &str| {
            let at = words.iter().position(|word| *word == name)?;
            Some(words.get(at + 1).copied().with_context(|| format!("{name} wants a value")))
        };
        let wait = after("--wait").transpose()?;
        let wait = wait.map(|wait| wait.parse().with_context(|| format!("--wait {wait}: seconds")));
        let wait = Duration::from_secs(wait.transpose()?.unwrap_or(0));
        let name = after("--record").transpose()?;
        Ok(match name {
            Some(name) if !words.contains(&"--draft") => Self::Record { name, wait },
            _ => Self::Draft,
        })
    }

    /// Checks before the run that it may be recorded.
    fn ready(&self) -> anyhow::Result<()> {
        match self {
            Self::Draft => Ok(()),
            Self::Record { wait, .. } => {
                machine::must_be_clean()?;
                machine::must_be_idle(*wait)
            }
        }
    }

    /// The same for sizes, which do not depend on other work.
    fn ready_for_sizes(&self) -> anyhow::Result<()> {
        match self {
            Self::Draft => Ok(()),
            Self::Record { .. } => machine::must_be_clean(),
        }
    }

    /// Prints the tables, and writes them to `bench/record` if requested.
    fn finish(&self, title: &str, about: &str, text: &str) -> anyhow::Result<()> {
        let about = format!("{about}{}", machine::ended());
        match self {
            Self::Draft => println!("# {title}: a draft, not a record\n\n{about}\n{text}"),
            Self::Record { name, .. } => {
                println!("{about}\n{text}");
                let path = PathBuf::from("bench/record").join(format!("{name}.md"));
                std::fs::write(&path, format!("# {title}\n\n{about}\n{text}"))
                    .with_context(|| format!("writing {}", path.display()))?;
                eprintln!("written to {}", path.display());
            }
        }
        Ok(())
    }
}

/// The definitions, and the places that they name.
fn prepare() -> anyhow::Result<(Definitions, Places)> {
    let definitions = Definitions::read(Path::new("bench/definitions"))
        .context("the benchmarks run in the root of the repository")?;
    let mut places = Places::default();
    places.set("repository", std::env::current_dir()?.display().to_string());
    places.set("bench", std::env::current_exe()?.display().to_string());
    let variables = [
        ("halfmove", "HALFMOVE"),
        ("data", "HALFMOVE_DATA"),
        ("peers", "HALFMOVE_PEERS"),
        ("questions", "HALFMOVE_QUESTIONS"),
        ("queries", "HALFMOVE_QUERIES"),
    ];
    for (name, variable) in variables {
        if let Some(path) = std::env::var(variable).ok().filter(|path| Path::new(path).exists()) {
            places.set(name, path);
        }
    }
    for (name, program) in
        [("pgn_extract", "pgn-extract"), ("zstd", "zstd"), ("taskset", "taskset")]
    {
        if let Some(path) = process::find(program) {
            places.set(name, path);
        }
    }
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    for (name, module) in [("python", "chess"), ("duckdb", "duckdb")] {
        let version = format!("import {module}; print({module}.__version__)");
        let version = process::first_line(&[python.clone(), "-c".to_owned(), version]);
        let is_version = |text: &String| text.starts_with(|first: char| first.is_ascii_digit());
        if version.as_ref().is_some_and(is_version) {
            places.set(name, python.as_str());
        }
    }
    Ok((definitions, places))
}

/// The first collection that exists.
fn choose(definitions: &Definitions, places: &Places) -> anyhow::Result<Collection> {
    for collection in &definitions.collection {
        if let Some(path) = places.fill(&collection.path).filter(|path| Path::new(path).is_file()) {
            return Ok(Collection { path, ..collection.clone() });
        }
    }
    bail!("none of the collections in bench/definitions is there")
}

fn input(collection: &Collection) -> String {
    let path = Path::new(&collection.path);
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let [games, half_moves] = [collection.games, collection.half_moves];
    format!(
        "{name}, {} games, {} half-moves",
        table::grouped(games as f64),
        table::grouped(half_moves as f64)
    )
}

fn run_table(only: Option<&str>, keep: Keep<'_>) -> anyhow::Result<()> {
    let (definitions, mut places) = prepare()?;
    let collection = choose(&definitions, &places)?;
    keep.ready()?;
    let about = machine::describe(&definitions, &places, &input(&collection));
    let temp = tempfile::tempdir()?;
    let at = |name: &str| temp.path().join(name);
    places.set("temp", temp.path().display().to_string());
    places.set("packed", collection.path.clone());

    eprintln!("unpacking {}", collection.path);
    let mut packed = Input::open(&collection.path)?;
    std::io::copy(&mut packed, &mut std::fs::File::create(at("games.pgn"))?)?;
    places.set("pgn", at("games.pgn").display().to_string());
    let archive = at("archive").display().to_string();
    let import = ["{halfmove}", "import", archive.as_str(), "{packed}", "--quiet"];
    match places.fill_all(&import.map(str::to_owned)) {
        Some(import) => {
            eprintln!("importing");
            process::run(&import)?;
            places.set("archive", archive);
            export_halfmoves(&at("halfmoves.parquet"), &mut places)?;
        }
        None => eprintln!("HALFMOVE names no program: the jobs of an archive are left out"),
    }

    let mut text = table::HEADING.to_owned();
    for benchmark in &definitions.benchmark {
        if only.is_some_and(|only| !benchmark.name.contains(only)) {
            continue;
        }
        eprintln!("{}", benchmark.name);
        if !benchmark.fen.is_empty() {
            let position: Chess = benchmark.fen.parse()?;
            places.set("fen", benchmark.fen.clone());
            places.set("key", format!("{:016x}", position.zobrist().0));
        }
        let measured = measure(benchmark, &collection, &places)
            .with_context(|| format!("benchmark {}", benchmark.name))?;
        for row in table::rows(benchmark, &measured) {
            text.push_str(&row.markdown());
        }
    }
    keep.finish("Benchmarks", &about, &text)
}

/// Exports the half-moves of the archive, for other readers.
fn export_halfmoves(file: &Path, places: &mut Places) -> anyhow::Result<()> {
    let file = file.display().to_string();
    let query = "select id, ply, uci, clock, cp from halfmoves";
    let export = ["{halfmove}", "sql", "{archive}", query, "--output", file.as_str()];
    if let Some(export) = places.fill_all(&export.map(str::to_owned)) {
        process::run(&export)?;
        places.set("halfmoves", file);
    }
    Ok(())
}

/// Runs every program once to warm up and to check its result, then all of them in alternation.
fn measure(
    benchmark: &Benchmark,
    collection: &Collection,
    places: &Places,
) -> anyhow::Result<Vec<Measured>> {
    let mut all = Vec::new();
    for program in &benchmark.program {
        let expected = benchmark.expected(program, collection)?;
        if expected == 0 && benchmark.measure != Measure::Bytes {
            bail!(
                "{}: a program that finds nothing would be right, expected a count",
                program.name
            );
        }
        let command = places.fill_all(&program.command);
        let weigh = program.weigh.as_ref().map(|folder| places.fill(folder));
        let games = program.games.unwrap_or(collection.games);
        let mut measured = Measured {
            program: program.name.clone(),
            runs: Vec::new(),
            games,
            of: collection.games,
            half_moves: collection.half_moves,
            amount: expected,
        };
        let ready = command.filter(|_| weigh != Some(None));
        if let Some(command) = &ready {
            let run = once(program, command, places)?;
            match (benchmark.measure, weigh) {
                (Measure::Bytes, Some(Some(folder))) => {
                    measured.amount = parquet_bytes(Path::new(&folder))?;
                }
                (Measure::Bytes, _) => measured.amount = run.stdout.len() as u64,
                _ => check(program, places, &run, expected)?,
            }
            if benchmark.measure == Measure::Bytes {
                measured.runs.push(run);
            }
        } else {
            eprintln!("  {}: not installed, passed over", program.name);
        }
        all.push((program, ready, measured));
    }
    if benchmark.measure != Measure::Bytes {
        for _ in 0..benchmark.runs {
            for (program, command, measured) in &mut all {
                if let Some(command) = command {
                    measured.runs.push(once(program, command, places)?);
                }
            }
        }
    }
    Ok(all.into_iter().map(|(_, _, measured)| measured).collect())
}

fn once(program: &Program, command: &[String], places: &Places) -> anyhow::Result<process::Run> {
    if let Some(path) = program.fresh.as_ref().and_then(|path| places.fill(path)) {
        let path = Path::new(&path);
        if path.is_dir() {
            std::fs::remove_dir_all(path)?;
        } else if path.exists() {
            std::fs::remove_file(path)?;
        }
    }
    process::run(command)
}

fn check(
    program: &Program,
    places: &Places,
    run: &process::Run,
    expected: u64,
) -> anyhow::Result<()> {
    let printed = match program.check.as_ref().and_then(|words| places.fill_all(words)) {
        Some(words) => process::run(&words)?.stdout,
        None => run.stdout.clone(),
    };
    match process::first_number(&printed) {
        Some(answer) if answer == expected => Ok(()),
        answer => bail!("{} answers {answer:?}, expected {expected}", program.name),
    }
}

/// The total size of the Parquet files in a folder, in bytes.
fn parquet_bytes(folder: &Path) -> anyhow::Result<u64> {
    let mut bytes = 0;
    for entry in folder.read_dir()? {
        let path = entry?.path();
        if path.is_dir() {
            bytes += parquet_bytes(&path)?;
        } else if path.extension().is_some_and(|extension| extension == "parquet") {
            bytes += path.metadata()?.len();
        }
    }
    Ok(bytes)
}
