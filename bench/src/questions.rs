//! Conditions on boards and moves, evaluated on an archive by a long-running program: the library, on one thread, with
//! its columns in memory. Scid evaluates those that it supports.
//!
//! Before the measurement, each count is compared with that of a replay of every game without signatures and without an
//! archive.

use std::fmt::Write;
use std::fs::File;
use std::path::Path;

use anyhow::{Context, ensure};
use halfmove_game::replay::{self, BoardCondition, BoardQuery, MoveSequence};
use halfmove_game::{Game, Input, pgn::GameReader, pgn::Keep};

use crate::definition::Places;
use crate::positions::FILES;
use crate::table::{grouped, median};
use crate::{machine, process};

/// The prefix of a query.
const SQL: &str = "sql ";

/// The number of measurements of each condition.
const ROUNDS: usize = 5;

/// A condition or, after `sql`, a query, in the syntax of the examples `questions` of the archive and `queries` of SQL;
/// the text of the table; and the target in seconds for a million games. Queries come last.
const QUESTIONS: [(&str, &str, f64); 8] = [
    ("board material:KRPvKR either-color", "material: rook and pawn against rook", 0.3),
    (
        "board opposite-bishops for:10",
        "material: bishops of opposite colors for ten half-moves",
        0.3,
    ),
    ("board pattern:8/8/8/3N4/8/8/5PPP/6K1", "pattern: a knight on d5 and a castled king", 0.6),
    ("board isolated:d for:20", "pawns: an isolated d-pawn for twenty half-moves", 0.6),
    ("played Bxh7+ Kxh7 Ng5+", "moves: the Greek gift", 0.6),
    ("played Rxf7", "moves: a rook takes on f7", 0.6),
    ("sql select move_at(moves, 10) as m from games", "move_at of all games", 0.15),
    ("sql select eco(moves) as e from games", "ECO codes of all games, by position", 0.5),
];

/// The results of a replay of every game, in the order of the conditions.
fn expected(paths: &[String]) -> anyhow::Result<Vec<u64>> {
    enum Prepared {
        Board(BoardQuery),
        Played(MoveSequence),
        All,
    }
    let prepared = QUESTIONS.map(|(question, _, _)| -> anyhow::Result<Prepared> {
        let (kind, rest) = question.split_once(' ').context("a question without a text")?;
        Ok(match kind {
            "board" => Prepared::Board(BoardQuery::new(&rest.parse::<BoardCondition>()?)),
            "played" => Prepared::Played(rest.parse()?),
            _ => Prepared::All,
        })
    });
    let prepared = prepared.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
    let mut counts = vec![0; prepared.len()];
    for path in paths {
        let mut reader =
            GameReader::new(Input::open(Path::new(path))?).keeping(Keep::MainLine).chess_only();
        let (mut game, mut line) = (Game::default(), Vec::new());
        while reader.read_with_bytes(&mut game, &mut line)?.is_some() {
            for (count, prepared) in counts.iter_mut().zip(&prepared) {
                *count += u64::from(match prepared {
                    Prepared::Board(query) => query.find(&line)?.is_some(),
                    Prepared::Played(sequence) => replay::played(&line, sequence)?.is_some(),
                    Prepared::All => true,
                });
            }
        }
    }
    Ok(counts)
}

/// The condition that Scid evaluates, too, and its result: the number of games, and the milliseconds of the rounds.
fn scid(paths: &[String]) -> anyhow::Result<Option<(u64, Vec<f64>)>> {
    let Some(scid) = process::find("tkscid") else {
        eprintln!("Scid: not installed, passed over");
        return Ok(None);
    };
    let temp = tempfile::tempdir()?;
    let at = |name: String| temp.path().join(name).display().to_string();
    let mut words = vec![scid, "bench/peers/scid_questions.tcl".to_owned(), at("games".to_owned())];
    words.push(ROUNDS.to_string());
    for (number, file) in paths.iter().enumerate() {
        let pgn = at(format!("{number}.pgn"));
        std::io::copy(&mut Input::open(Path::new(file))?, &mut File::create(&pgn)?)?;
        words.push(pgn);
    }
    let printed = process::run(&words)?.stdout;
    let line = std::str::from_utf8(&printed)?.trim();
    let numbers: Option<Vec<f64>> = line.split(' ').map(|word| word.parse().ok()).collect();
    let numbers = numbers.filter(|numbers| numbers.len() == 1 + ROUNDS);
    let numbers = numbers.with_context(|| format!("Scid answers {line}"))?;
    Ok(Some((numbers[0] as u64, numbers[1..].iter().map(|time| time / 1e3).collect())))
}

pub(crate) fn run(places: &Places) -> anyhow::Result<(String, String)> {
    let paths: Option<Vec<String>> = FILES
        .iter()
        .map(|file| places.fill(file).filter(|path| Path::new(path).is_file()))
        .collect();
    let paths = paths.context("HALFMOVE_DATA names no folder with the collections")?;
    let programs = ["{halfmove}", "{questions}", "{queries}"].map(|program| places.fill(program));
    let [Some(halfmove), Some(questions), Some(queries)] = programs else {
        anyhow::bail!("HALFMOVE, HALFMOVE_QUESTIONS and HALFMOVE_QUERIES name no programs");
    };
    // Before the machine is under load.
    let mut about = machine::machine(&[
        ("Build", "release profile, for any CPU of the architecture".to_owned()),
        (
            "Time",
            format!(
                "of one thread, columns in memory; the median of {ROUNDS} rounds, and the least and the most"
            ),
        ),
    ]);
    let expected = expected(&paths)?;
    let all = expected.iter().copied().max().unwrap_or(0);
    about += &format!("- Games: {}, both large collections of masters\n", grouped(all as f64));
    let million = 1e6 / all as f64;
    let folder = tempfile::tempdir()?;
    let archive = folder.path().join("archive").display().to_string();
    let mut import =
        vec![halfmove.clone(), "import".to_owned(), archive.clone(), "--quiet".to_owned()];
    import.extend_from_slice(&paths);
    process::run(&import)?;
    let (asked, queried): (Vec<&str>, Vec<&str>) =
        QUESTIONS.iter().map(|(question, _, _)| *question).partition(|text| !text.starts_with(SQL));
    let queried: Vec<&str> = queried.iter().map(|query| &query[SQL.len()..]).collect();
    let mut printed = String::new();
    for (program, input) in [(&questions, asked), (&queries, queried)] {
        let words = [program, &archive, "1", &ROUNDS.to_string()].map(|word: &str| word.to_owned());
        let answered = process::run_with(&words, &input.join("\n"))?.stdout;
        printed += std::str::from_utf8(&answered)?;
    }
    let lines: Vec<&str> = printed.lines().collect();
    ensure!(lines.len() == QUESTIONS.len(), "the library answers {} times", lines.len());
    let mut text = String::from(
        "| question | games | seconds a million games | least–most | wanted | |\n\
         | --- | ---: | ---: | ---: | ---: | --- |\n",
    );
    let mut row =
        |who: &str, games: u64, times: &[f64], wanted: Option<f64>| -> anyhow::Result<()> {
            let scaled: Vec<f64> = times.iter().map(|time| time * million / 1e3).collect();
            let (least, most) = scaled.iter().fold((f64::MAX, 0.0_f64), |(least, most), time| {
                (least.min(*time), most.max(*time))
            });
            let middle = median(scaled);
            let (wanted, verdict) = match wanted {
                Some(wanted) if middle <= wanted => (format!("≤ {wanted}"), "met"),
                Some(wanted) => (format!("≤ {wanted}"), "not met"),
                None => (String::new(), ""),
            };
            let games = grouped(games as f64);
            Ok(writeln!(
                text,
                "| {who} | {games} | {middle:.3} | {least:.3}–{most:.3} | {wanted} | {verdict} |"
            )?)
        };
    for ((line, (question, says, wanted)), expected) in lines.iter().zip(QUESTIONS).zip(&expected) {
        let (count, rounds) = line.split_once(' ').context("an answer without times")?;
        let count: u64 = count.parse()?;
        ensure!(count == *expected, "{question}: {count} games, not {expected}");
        let rounds: Vec<f64> = rounds.split(' ').map(str::parse).collect::<Result<_, _>>()?;
        row(says, count, &rounds.iter().map(|time| time / 1e3).collect::<Vec<_>>(), Some(wanted))?;
    }
    let words = [&halfmove, "duplicates", &archive, "--limit", "1", "--format", "json"]
        .map(|word: &str| word.to_owned());
    let pinned: Vec<String> = match process::find("taskset") {
        Some(taskset) => [vec![taskset, "-c".to_owned(), "0".to_owned()], words.to_vec()].concat(),
        None => words.to_vec(),
    };
    let (mut times, mut games) = (Vec::new(), 0);
    for _ in 0..ROUNDS {
        let run = process::run(&pinned)?;
        games = process::first_number(&run.stdout).unwrap_or(0);
        times.push(run.wall.as_secs_f64() * 1e3);
    }
    row("duplicates, as a process on one core", games, &times, Some(1.0))?;
    if let Some((games, times)) = scid(&paths)? {
        row("Scid: rook and pawn against rook", games, &times, None)?;
    }
    Ok((about, text))
}
