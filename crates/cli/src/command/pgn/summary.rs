//! `halfmove FILE.pgn`: summarizes files, and suggests the next commands.

use super::Files;
use super::stats::{Contents, typed};
use crate::Done;
use crate::args::{Format, Summary};
use crate::command::info;
use crate::output::{self, Answer, Rows, counted};
use halfmove_archive::Archive;
use halfmove_rules::Variant;
use std::fmt::Write as _;

pub(crate) fn run(args: Summary) -> anyhow::Result<Done> {
    // An archive is a folder, but not one of PGN files.
    if let [folder] = &args.files.files[..]
        && folder.is_dir()
        && Archive::open(folder).is_ok()
    {
        return info::print(folder, args.output.format);
    }
    let mut files = Files::new(&args.files.files)?;
    let found = Contents::read(&mut files)?;
    let statistics = &found.statistics;
    if statistics.games > 0 {
        match args.output.format {
            Format::Table => {
                let is_one = matches!(&args.files.files[..], [file] if file.is_file());
                output::line(text(&found, &typed(&files.usable(&args.files.files)), is_one))?;
            }
            format => {
                let counts = [statistics.games, statistics.half_moves, statistics.faulty_games];
                let heading = ["games", "plies", "faulty_games"];
                let rows = Rows::new(&heading, &[], vec![counts.map(|n| n.to_string()).to_vec()]);
                let answer = Answer { rows: &rows, closing: "", list: None };
                output::print(format, &answer, || found.object(&files.paths))?;
            }
        }
    }
    Ok(if files.failed { Done::Failed } else { Done::Found })
}

fn text(found: &Contents, files: &str, is_one: bool) -> String {
    let statistics = &found.statistics;
    let mut text = format!(
        "{} with {}",
        counted(statistics.games, "game"),
        counted(statistics.half_moves, "half-move")
    );
    // Writing to a string cannot fail.
    if let Some((first, last)) = &statistics.dates {
        let (first, last) = (first.year(), last.year());
        let _ = match first == last {
            true => write!(text, ", {first:04}"),
            false => write!(text, ", {first:04} to {last:04}"),
        };
    }
    if statistics.variants.keys().any(|variant| variant != "chess") {
        let variants = statistics.variants.iter();
        let variants = variants.map(|(name, games)| format!("{name} {}", output::grouped(*games)));
        let _ = write!(text, ", {}", variants.collect::<Vec<_>>().join(", "));
    }
    let _ = write!(text, ", {}", found.encoding());
    let kinds = [
        (statistics.variations, "variation"),
        (statistics.comments, "comment"),
        (statistics.clocks, "clock"),
        (statistics.evaluations, "evaluation"),
        (statistics.nags, "glyph"),
    ];
    let kinds: Vec<String> = kinds
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, noun)| counted(count, noun))
        .collect();
    if !kinds.is_empty() {
        let _ = write!(text, "\n{}", kinds.join(", "));
    }
    if let Some(longest) = &statistics.longest {
        let _ = write!(
            text,
            "\nlongest: {}, {}",
            counted(longest.half_moves, "half-move"),
            found.place_of_longest()
        );
    }
    let _ = match statistics.all_faults() {
        0 => write!(text, "\nno faults"),
        faults => write!(
            text,
            "\n{} in {}: {}",
            counted(faults, "fault"),
            counted(statistics.faulty_games, "game"),
            found.faults()
        ),
    };
    let _ = write!(
        text,
        "\n\nNext:\n  \
         halfmove pgn check {files}\n  \
         halfmove pgn stats {files}"
    );
    // An archive holds no other variants.
    if statistics.variants.keys().any(|variant| Variant::from_name(variant).is_some()) {
        if is_one {
            let _ = write!(text, "\n  halfmove explore {files}");
        }
        let _ = write!(text, "\n  halfmove import ARCHIVE {files}");
    }
    text
}
