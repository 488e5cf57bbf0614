//! `halfmove pgn stats`: counts the contents of PGN files.

use super::{Files, Opened, by_kind};
use crate::Done;
use crate::args::{Format, PgnStats};
use crate::output::{self, Answer, Rows, grouped, input_name};
use crate::quote;
use crate::visible::visible;
use halfmove_game::GameResult;
use halfmove_game::pgn::{LineEnds, Statistics, Survey};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

pub(crate) fn run(args: PgnStats) -> anyhow::Result<Done> {
    let mut files = Files::new(&args.files.files)?;
    let found = Contents::read(&mut files)?;
    let number: fn(u64) -> String = match args.output.format {
        Format::Table => grouped,
        _ => |count| count.to_string(),
    };
    let rows = Rows::new(&["what", "value"], &["value"], found.rows(files.opened, number));
    let closing = match found.statistics.longest {
        Some(_) => format!("longest: {}", found.place_of_longest()),
        None => String::new(),
    };
    let answer = Answer { rows: &rows, closing: &closing, list: None };
    output::print(args.output.format, &answer, || found.object(&files.paths))?;
    Ok(if files.failed { Done::Failed } else { Done::Found })
}

/// The contents of the files.
pub(super) struct Contents {
    pub(super) statistics: Statistics,
    ends: LineEnds,
    marked_files: u64,
    longest_in: Option<PathBuf>,
}

impl Contents {
    pub(super) fn read(files: &mut Files) -> anyhow::Result<Self> {
        let mut survey = Survey::new();
        let mut read: Vec<PathBuf> = Vec::new();
        let (mut ends, mut marked_files) = (LineEnds::default(), 0);
        files.for_each(|path, opened| {
            read.push(path.to_owned());
            survey.begin_input();
            let games = file(&mut survey, opened);
            let found = opened.tape.line_ends();
            marked_files += u64::from(found.byte_order_mark);
            ends.lf += found.lf;
            ends.crlf += found.crlf;
            ends.cr += found.cr;
            ends.bytes += found.bytes;
            games
        })?;
        let statistics = survey.statistics().clone();
        let longest_in =
            statistics.longest.as_ref().and_then(|longest| read.get(longest.input).cloned());
        Ok(Self { statistics, ends, marked_files, longest_in })
    }

    /// The encoding of the texts, in a few words.
    pub(super) fn encoding(&self) -> &'static str {
        match (self.statistics.utf8_texts, self.statistics.windows_1252_texts) {
            (0, 0) => "ASCII",
            (_, 0) => "UTF-8",
            (0, _) => "Windows-1252",
            _ => "UTF-8 and Windows-1252",
        }
    }

    fn rows(&self, files: u64, number: fn(u64) -> String) -> Vec<Vec<String>> {
        let found = &self.statistics;
        let mut rows = Vec::new();
        let mut row = |what: &str, value: String| rows.push(vec![what.to_owned(), value]);
        row("files", number(files));
        row("bytes", number(self.ends.bytes));
        row("games", number(found.games));
        row("half-moves", number(found.half_moves));
        if let Some(longest) = &found.longest {
            row("half-moves of the longest", number(longest.half_moves));
        }
        for (result, count) in GameResult::ALL.iter().zip(found.results) {
            row(result.as_str(), number(count));
        }
        row("without a result", number(found.without_result));
        if let Some((first, last)) = &found.dates {
            row("first date", first.to_string());
            row("last date", last.to_string());
        }
        for (variant, games) in &found.variants {
            row(&format!("variant {}", visible(variant)), number(*games));
        }
        for (what, count) in [
            ("custom starting positions", found.own_starts),
            ("without moves", found.without_moves),
            ("annotated games", found.annotated_games),
            ("variations", found.variations),
            ("moves in variations", found.variation_moves),
            ("deepest variation", found.deepest),
            ("comments", found.comments),
            ("bytes in comments", found.comment_bytes),
            ("clocks", found.clocks),
            ("evaluations", found.evaluations),
            ("glyphs", found.nags),
            ("% lines", found.escapes),
        ] {
            row(what, number(count));
        }
        row("encoding", self.encoding().to_owned());
        row("texts in ASCII", number(found.ascii_texts));
        row("texts in UTF-8", number(found.utf8_texts));
        row("texts in Windows-1252", number(found.windows_1252_texts));
        row("byte order marks", number(self.marked_files));
        row("lines ending in LF", number(self.ends.lf));
        row("lines ending in CR LF", number(self.ends.crlf));
        row("lines ending in CR", number(self.ends.cr));
        row("games with a fault", number(found.faulty_games));
        for (kind, count) in &found.faults {
            row(&format!("fault {}", kind.replace('_', " ")), number(*count));
        }
        rows
    }

    /// `season.pgn, game 3: Morphy – Anderssen`
    pub(super) fn place_of_longest(&self) -> String {
        let Some(longest) = &self.statistics.longest else { return String::new() };
        let file = self.longest_in.as_deref().map(input_name).unwrap_or_default();
        let short = |name: &str| name.chars().take(40).collect::<String>();
        let text = format!(
            "{file}, game {}: {} – {}",
            longest.game,
            short(&longest.white),
            short(&longest.black)
        );
        visible(&text).into_owned()
    }

    /// The faults by kind, in a line.
    pub(super) fn faults(&self) -> String {
        by_kind(&self.statistics.faults)
    }

    pub(super) fn object(&self, files: &[PathBuf]) -> Value {
        let found = &self.statistics;
        let results = GameResult::ALL.iter().zip(found.results);
        let results: Map<String, Value> =
            results.map(|(result, count)| (result.to_string(), count.into())).collect();
        json!({
            "files": files.iter().map(|path| input_name(path)).collect::<Vec<_>>(),
            "bytes": self.ends.bytes,
            "games": found.games,
            "plies": found.half_moves,
            "longest": found.longest.as_ref().map(|longest| json!({
                "file": self.longest_in.as_deref().map(input_name),
                "game": longest.game,
                "plies": longest.half_moves,
                "white": longest.white,
                "black": longest.black,
            })),
            "results": results,
            "without_result": found.without_result,
            "first_date": found.dates.map(|dates| dates.0.to_string()),
            "last_date": found.dates.map(|dates| dates.1.to_string()),
            "variants": found.variants,
            "own_starts": found.own_starts,
            "without_moves": found.without_moves,
            "annotated_games": found.annotated_games,
            "variations": found.variations,
            "variation_moves": found.variation_moves,
            "deepest": found.deepest,
            "comments": found.comments,
            "comment_bytes": found.comment_bytes,
            "clocks": found.clocks,
            "evaluations": found.evaluations,
            "nags": found.nags,
            "escapes": found.escapes,
            "encoding": self.encoding(),
            "ascii_texts": found.ascii_texts,
            "utf8_texts": found.utf8_texts,
            "windows_1252_texts": found.windows_1252_texts,
            "byte_order_marks": self.marked_files,
            "lf": self.ends.lf,
            "crlf": self.ends.crlf,
            "cr": self.ends.cr,
            "faulty_games": found.faulty_games,
            "faults": found.faults,
        })
    }
}

fn file(survey: &mut Survey, opened: &mut Opened<'_>) -> anyhow::Result<u64> {
    while survey.read_game(&mut opened.reader)? {
        opened.tick();
        opened.tape.forget(survey.checker().start_offset());
    }
    Ok(survey.checker().game())
}

/// The named files, quoted for a command line.
pub(super) fn typed(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| quote::path(path)).collect::<Vec<_>>().join(" ")
}
