//! The tables of README.md and of the documentation, made from the records.
//!
//! A page holds a table between two comments:
//!
//! ```text
//! <!-- record: NAME -->
//! … what bench/pages/NAME.md says …
//! <!-- end -->
//! ```
//!
//! The template `bench/pages/NAME.md` is Markdown with references in double braces:
//!
//! ```text
//! {{RECORD | ROW | COLUMN}}             a cell; a row that two columns name together is FIRST > SECOND
//! {{RECORD | ROW | COLUMN | median}}    without the least and the most, which stand in parentheses
//! {{RECORD | ROW | COLUMN | number}}    and without what follows the number
//! {{fact RECORD | NAME}}                a line of the list at the beginning
//! {{table RECORD | COLUMN | …}}         whole columns; COLUMN = TITLE gives one another title
//! ```
//!
//! A cell that was not measured is a dash; so is one of a missing record, if its row is in the
//! definitions of the benchmarks.

mod record;

use crate::codecs;
use crate::definition::Definitions;
use crate::packed;
use crate::race;
use crate::reading;
use crate::scale;
use anyhow::{Context, bail};
use record::Record;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const BEGIN: &str = "<!-- record: ";
const END: &str = "<!-- end -->";

/// The text of a cell without a figure.
const DASH: &str = "–";

/// The records, the templates and the definitions.
struct Sources {
    records: BTreeMap<String, Record>,
    templates: BTreeMap<String, String>,
    /// The rows that a record may have, even if it does not.
    rows: Vec<String>,
}

/// The Markdown files of a folder, by their names without the ending.
fn markdown(folder: &Path) -> anyhow::Result<BTreeMap<String, String>> {
    let mut all = BTreeMap::new();
    for entry in folder.read_dir().with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            all.insert(name, std::fs::read_to_string(&path)?);
        }
    }
    Ok(all)
}

impl Sources {
    fn read(root: &Path) -> anyhow::Result<Self> {
        let records = markdown(&root.join("bench/record"))?;
        let records = records.into_iter().map(|(name, text)| (name, Record::parse(&text)));
        let definitions = Definitions::read(&root.join("bench/definitions"))?;
        let race = race::Definition::read(root)?;
        let mut rows = race.rows().map(str::to_owned).collect::<Vec<_>>();
        rows.extend(reading::Definition::read(root)?.rows());
        for path in [codecs::ALL, codecs::HELD_OUT] {
            rows.extend(codecs::Definition::read(root, path)?.rows());
        }
        rows.extend(packed::Definition::read(root)?.rows());
        rows.extend(scale::Definition::read(root)?.rows());
        for benchmark in &definitions.benchmark {
            for program in &benchmark.program {
                rows.push(format!("{} > {}", benchmark.job, program.name));
            }
        }
        let templates = markdown(&root.join("bench/pages"))?;
        Ok(Self { records: records.collect(), templates, rows })
    }

    /// The values of the words in double braces.
    fn reference(&self, words: &str) -> anyhow::Result<String> {
        let mut parts = words.split('|').map(str::trim).collect::<Vec<_>>();
        let first = parts.remove(0);
        if let Some(name) = first.strip_prefix("fact ") {
            let [fact] = parts[..] else { bail!("expected the name of one fact") };
            let Some(record) = self.records.get(name) else { return Ok(DASH.to_owned()) };
            return record.fact(fact).with_context(|| format!("{name} has no fact {fact}"));
        }
        if let Some(name) = first.strip_prefix("table ") {
            let Some(record) = self.records.get(name) else {
                return Ok(format!("Not measured yet: there is no record `{name}`."));
            };
            let columns = parts.iter().map(|part| part.split_once(" = ").unwrap_or((part, part)));
            let columns = columns.collect::<Vec<_>>();
            return record.columns(&columns).with_context(|| format!("the record {name}"));
        }
        let ([row, column] | [row, column, _]) = parts[..] else {
            bail!("expected record, row and column, and perhaps what to show of the cell")
        };
        let Some(cell) = self.cell(first, row, column)? else { return Ok(DASH.to_owned()) };
        let median = cell.split(" (").next().unwrap_or_default();
        Ok(match parts.get(2) {
            None => cell.to_owned(),
            Some(&"median") => median.to_owned(),
            Some(&"number") => median.split(' ').next().unwrap_or_default().to_owned(),
            Some(other) => bail!("expected median or number, found {other}"),
        })
    }

    fn cell(&self, record: &str, row: &str, column: &str) -> anyhow::Result<Option<&str>> {
        if let Some(found) = self.records.get(record).map(|record| record.cell(row, column)) {
            match found {
                record::Found::Cell(cell) => return Ok(Some(cell)),
                record::Found::NoColumn => bail!("{record}: {row} has no column {column}"),
                record::Found::NoRow => {}
            }
        }
        if self.rows.iter().any(|known| known == row) {
            return Ok(None);
        }
        bail!("{record} has no row {row}, and no definition knows it")
    }

    /// A template with all its references replaced.
    fn render(&self, name: &str) -> anyhow::Result<String> {
        let template = self
            .templates
            .get(name)
            .with_context(|| format!("no template bench/pages/{name}.md"))?;
        let mut text = String::new();
        let mut rest = template.as_str();
        while let Some((before, after)) = rest.split_once("{{") {
            let (words, after) = after.split_once("}}").context("braces that are not closed")?;
            text.push_str(before);
            text.push_str(
                &self.reference(words).with_context(|| format!("{name}: {{{{{words}}}}}"))?,
            );
            rest = after;
        }
        text.push_str(rest);
        Ok(text)
    }

    /// A page with all its tables regenerated, and the names of their templates.
    fn page(&self, text: &str) -> anyhow::Result<(String, Vec<String>)> {
        let (mut page, mut names) = (String::new(), Vec::new());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(BEGIN) {
            let (name, after) = after.split_once(" -->").context("a marker that is not closed")?;
            let (_, after) = after.split_once(END).with_context(|| format!("{name}: no {END}"))?;
            let table = self.render(name)?;
            page.push_str(&format!("{before}{BEGIN}{name} -->\n{}\n{END}", table.trim_end()));
            names.push(name.to_owned());
            rest = after;
        }
        page.push_str(rest);
        Ok((page, names))
    }
}

/// The pages that may hold tables.
fn pages(root: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut pages = vec![root.join("README.md"), root.join("bench/README.md")];
    let mut folders = vec![root.join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir()? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    Ok(pages)
}

/// Regenerates all tables of a repository.
pub(crate) fn write(root: &Path) -> anyhow::Result<()> {
    let sources = Sources::read(root)?;
    for path in pages(root)? {
        let text = std::fs::read_to_string(&path)?;
        let (page, _) = sources.page(&text).with_context(|| path.display().to_string())?;
        if page != text {
            std::fs::write(&path, page).with_context(|| format!("writing {}", path.display()))?;
            eprintln!("written: {}", path.display());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Record, Sources, pages};
    use anyhow::Context;
    use std::collections::BTreeMap;
    use std::path::Path;

    const RECORD: &str = "\
# Race

- CPU: a fast one

| contender | job | speed |
| --- | --- | ---: |
| one | list | 2.50 (2.25–2.75) |
| one | visit | 3.00 games/s |
";

    fn sources(template: &str) -> Sources {
        Sources {
            records: BTreeMap::from([("race".to_owned(), Record::parse(RECORD))]),
            templates: BTreeMap::from([("t".to_owned(), template.to_owned())]),
            rows: vec!["two".to_owned()],
        }
    }

    #[test]
    fn every_page_says_what_the_records_say() -> anyhow::Result<()> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let sources = Sources::read(&root)?;
        let mut used = Vec::new();
        for path in pages(&root)? {
            let text = std::fs::read_to_string(&path)?;
            let (page, names) = sources.page(&text)?;
            used.extend(names);
            for (is, wanted) in text.lines().zip(page.lines()) {
                assert_eq!(is, wanted, "{}: run `halfmove-bench tables`", path.display());
            }
            assert_eq!(text, page, "{}: run `halfmove-bench tables`", path.display());
        }
        for name in sources.templates.keys() {
            assert!(used.contains(name), "no page uses bench/pages/{name}.md");
        }
        Ok(())
    }

    /// Checks the promises of bench/README.md on every record.
    #[test]
    fn records_are_of_clean_commits_and_idle_machines() -> anyhow::Result<()> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("record");
        let mut records = 0;
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            let text = std::fs::read_to_string(&path)?;
            let fact = |name: &str| {
                let line = text.lines().find_map(|line| line.strip_prefix(&format!("- {name}: ")));
                line.with_context(|| format!("{}: no {name}", path.display()))
            };
            let commit = fact("Commit")?;
            let is_clean =
                commit.len() == 12 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
            assert!(is_clean, "{}: commit {commit}", path.display());
            let load: f64 = fact("Load average of the minute before")?.parse()?;
            // Sizes do not depend on other work.
            let is_of_sizes = path.file_stem().is_some_and(|name| name == "packed");
            assert!(is_of_sizes || load <= crate::machine::IDLE, "{}: load {load}", path.display());
            records += 1;
        }
        assert!(records >= 6, "{records} records");
        Ok(())
    }

    /// Speeds in the text of a page, outside of tables made from records and of console output. Each
    /// needs a record.
    fn loose_figures(text: &str) -> Vec<&str> {
        let (mut record, mut console) = (false, false);
        let mut found = Vec::new();
        for line in text.lines() {
            record = (record || line.starts_with(super::BEGIN)) && line != super::END;
            console ^= line.trim_start().starts_with("```");
            let words = line.split([' ', '|', '(', ')']).filter(|word| !word.is_empty());
            let words = words.map(|word| word.trim_end_matches([',', '.', ';', ':']));
            let words = words.collect::<Vec<_>>();
            let is_figure = |pair: &[&str]| {
                pair[0].starts_with(|first: char| first.is_ascii_digit())
                    && ["ns", "µs", "ms", "×", "games/s", "M/s", "MB/s"].contains(&pair[1])
            };
            let is_quotient = |three: &[&str]| {
                three[0].starts_with(|first: char| first.is_ascii_digit())
                    && three[1] == "times"
                    && ["as", "those", "cozy-chess"].contains(&three[2])
            };
            if !record
                && !console
                && (words.windows(2).any(is_figure) || words.windows(3).any(is_quotient))
            {
                found.push(line);
            }
        }
        found
    }

    #[test]
    fn every_figure_of_speed_has_a_record() -> anyhow::Result<()> {
        let page = "<!-- record: a -->\n| 3 ns |\n<!-- end -->\n```\n3 ms\n```\n3 ns.\n| 5 times as fast |\n5 times\n";
        assert_eq!(loose_figures(page), ["3 ns.", "| 5 times as fast |"]);
        for path in pages(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))? {
            let text = std::fs::read_to_string(&path)?;
            assert_eq!(loose_figures(&text), [""; 0], "{}", path.display());
        }
        Ok(())
    }

    #[test]
    fn references_are_replaced() -> anyhow::Result<()> {
        for (template, expected) in [
            ("{{race | one > list | speed}}!", "2.50 (2.25–2.75)!"),
            ("{{race | one > list | speed | median}}", "2.50"),
            ("{{race | one > visit | speed | number}}", "3.00"),
            ("{{fact race | CPU}} and {{race | two | speed}}", "a fast one and –"),
            ("{{gone | two | speed}}", "–"),
            (
                "{{table race | job | speed = how fast}}",
                "| job | how fast |\n| --- | ---: |\n| list | 2.50 (2.25–2.75) |\n| visit | 3.00 games/s |",
            ),
        ] {
            assert_eq!(sources(template).render("t")?, expected);
        }
        Ok(())
    }

    #[test]
    fn wrong_references_are_errors() {
        for template in [
            "{{race | three | speed}}",
            "{{race | one > list | height}}",
            "{{race | one > list | speed | about}}",
            "{{race | one}}",
            "{{fact race | GPU}}",
            "{{table race | height}}",
            "{{race | one > list | speed",
        ] {
            assert!(sources(template).render("t").is_err(), "{template}");
        }
        assert!(sources("").page("<!-- record: t -->\n").is_err(), "the end is not there");
        assert!(sources("").page("<!-- record: u -->\n<!-- end -->").is_err(), "no such template");
    }

    #[test]
    fn what_stands_between_the_markers_is_replaced() -> anyhow::Result<()> {
        let page =
            "a\n<!-- record: t -->\nold\n<!-- end -->\nb\n<!-- record: t -->\n<!-- end -->\n";
        let (page, names) = sources("{{fact race | CPU}}\n").page(page)?;
        let block = "<!-- record: t -->\na fast one\n<!-- end -->\n";
        assert_eq!(page, format!("a\n{block}b\n{block}"));
        assert_eq!(names, ["t", "t"]);
        Ok(())
    }
}
