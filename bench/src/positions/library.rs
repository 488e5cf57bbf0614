//! Searches for the same positions, and filters by tags, in an archive, by a long-running program: the library, on one
//! thread, with its columns in memory. The program is the example `questions` of `halfmove-archive`.

use super::{ROUNDS, percentile};
use crate::definition::Places;
use crate::process;
use crate::table::median;
use anyhow::{Context, ensure};

/// An archive after the import, and after `compact`.
pub(super) const ARCHIVES: [&str; 2] = ["halfmove, library", "halfmove, library, compacted"];

/// Conditions on tags, in the syntax of `questions`, and as shown in the table.
const TAGS: [(&str, &str); 4] = [
    ("player Karpov", "games of a player: Karpov"),
    ("player k", "games of a player: k, which most names have"),
    ("elo 2500", "games of two players rated 2500"),
    (
        "explore-elo rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "opening tree of the start, from these games",
    ),
];

/// The results for an archive.
pub(super) struct Answers {
    /// Milliseconds: for each position, the median of the rounds.
    pub(super) search: Vec<f64>,
    pub(super) tree: Vec<f64>,
    /// For some of the positions: the time of a whole process, on all cores.
    process: Vec<f64>,
    /// For each condition on tags.
    tags: Vec<f64>,
    games: Vec<u64>,
}

/// The results for each of the [`ARCHIVES`]. `expected` are the games with each position. `None` if the programs are
/// missing.
pub(super) fn answers(
    places: &Places,
    files: &[String],
    fens: &[String],
    expected: &[u64],
) -> anyhow::Result<Option<[Answers; 2]>> {
    let [Some(halfmove), Some(questions)] = ["{halfmove}", "{questions}"].map(|it| places.fill(it))
    else {
        eprintln!("the library: HALFMOVE and HALFMOVE_QUESTIONS name no programs, passed over");
        return Ok(None);
    };
    let folder = tempfile::tempdir()?;
    let archive = folder.path().join("archive").display().to_string();
    let mut import =
        vec![halfmove.clone(), "import".to_owned(), archive.clone(), "--quiet".to_owned()];
    import.extend_from_slice(files);
    process::run(&import)?;
    let ask = || ask([&halfmove, &questions], &archive, fens, expected);
    let imported = ask()?;
    process::run(&[halfmove.clone(), "compact".to_owned(), archive.clone()])?;
    let compacted = ask()?;
    ensure!(imported.games == compacted.games, "a compaction changes answers");
    Ok(Some([imported, compacted]))
}

fn ask(
    [halfmove, questions]: [&str; 2],
    archive: &str,
    fens: &[String],
    expected: &[u64],
) -> anyhow::Result<Answers> {
    let kinds = ["search", "explore"];
    let of_positions =
        kinds.iter().flat_map(|kind| fens.iter().map(move |fen| format!("{kind} {fen}")));
    let of_tags = TAGS.iter().map(|(question, _)| (*question).to_owned());
    let asked: Vec<String> = of_positions.chain(of_tags).collect();
    let words = [questions, archive, "1", &ROUNDS.to_string()].map(str::to_owned);
    let printed = process::run_with(&words, &asked.join("\n"))?.stdout;
    let lines: Vec<&str> = std::str::from_utf8(&printed)?.lines().collect();
    ensure!(lines.len() == asked.len(), "the library answers {} times", lines.len());
    let (mut games, mut times) = (Vec::new(), Vec::new());
    for line in lines {
        let (count, rounds) = line.split_once(' ').context("an answer without times")?;
        let rounds: Vec<f64> = rounds.split(' ').map(str::parse).collect::<Result<_, _>>()?;
        ensure!(rounds.len() == ROUNDS, "{} rounds", rounds.len());
        games.push(count.parse::<u64>()?);
        times.push(median(rounds) / 1e3);
    }
    for (number, (found, fen)) in games.iter().zip(fens.iter().chain(fens)).enumerate() {
        let expected = expected[number % fens.len()];
        ensure!(*found == expected, "the library finds {found} games with {fen}, not {expected}");
    }
    let tags = times.split_off(2 * fens.len());
    let tree = times.split_off(fens.len());
    ensure!(games[2 * fens.len()..].iter().all(|games| *games > 0), "a filter finds no game");
    let process = processes(halfmove, archive, fens, expected)?;
    Ok(Answers { search: times, tree, process, tags, games })
}

/// One position in this many is also searched for by a separate process.
const EACH: usize = 10;

fn processes(
    halfmove: &str,
    archive: &str,
    fens: &[String],
    expected: &[u64],
) -> anyhow::Result<Vec<f64>> {
    let asked = fens.iter().zip(expected).step_by(EACH);
    let asked = asked.map(|(fen, expected)| {
        let words = [halfmove, "search", archive, "--fen", fen, "--count"].map(str::to_owned);
        let times = (0..ROUNDS).map(|_| {
            let run = process::run(&words)?;
            let found = process::first_number(&run.stdout);
            ensure!(found == Some(*expected), "{found:?} games with {fen}, not {expected}");
            Ok(run.wall.as_secs_f64() * 1e3)
        });
        Ok(median(times.collect::<anyhow::Result<_>>()?))
    });
    asked.collect()
}

/// A table of whole processes, with the time needed to decompress the same games.
pub(super) fn whole(answers: &[Answers; 2], files: &[String]) -> anyhow::Result<String> {
    let zstd: Option<Vec<f64>> = process::find("zstd")
        .map(|zstd| {
            let script = format!("'{zstd}' -dqc -- \"$@\" > /dev/null");
            let mut words = ["sh", "-c", &script, "sh"].map(str::to_owned).to_vec();
            words.extend_from_slice(files);
            let times = (0..ROUNDS).map(|_| Ok(process::run(&words)?.wall.as_secs_f64() * 1e3));
            times.collect::<anyhow::Result<_>>()
        })
        .transpose()?;
    let zstd = zstd.map(median);
    let mut text = String::from(
        "| `halfmove search` as a process, all cores | median | most |\n| --- | ---: | ---: |\n",
    );
    for (who, answers) in ARCHIVES.iter().zip(answers) {
        let who = who.replace("halfmove, library", "archive");
        let (middle, most) = (median(answers.process.clone()), percentile(&answers.process, 1.0));
        text += &format!("| {who} | {middle:.1} ms | {most:.1} ms |\n");
    }
    if let Some(zstd) = zstd {
        text += &format!("| `zstd -d` of the same games | {zstd:.1} ms | |\n");
    }
    Ok(text)
}

/// A table of the conditions on tags.
pub(super) fn tags(answers: &[Answers; 2]) -> String {
    let mut text = format!(
        "| tags | games | {} | {} |\n| --- | ---: | ---: | ---: |\n",
        ARCHIVES[0], ARCHIVES[1]
    );
    for (number, (_, says)) in TAGS.iter().enumerate() {
        let [first, second] = answers.each_ref().map(|answers| answers.tags[number]);
        let games = &answers[0].games;
        let games = crate::table::grouped(games[games.len() - TAGS.len() + number] as f64);
        text += &format!("| {says} | {games} | {first:.2} ms | {second:.2} ms |\n");
    }
    text
}

/// The figures to compare with the targets, scaled to a million games.
pub(super) fn aims(answers: &Answers, million: f64) -> String {
    let search: Vec<f64> = answers.search.iter().map(|time| time * million).collect();
    format!(
        "The library finds a position in {:.2} ms (median) and at most {:.2} ms for a million games, and the tree of all games in at \
         most {:.2} ms.\n",
        median(search.clone()),
        percentile(&search, 1.0),
        percentile(&answers.tree, 1.0),
    )
}
