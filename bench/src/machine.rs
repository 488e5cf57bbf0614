//! The context of a measurement: the machine, the date, the commit, the versions.
//!
//! A record is written only from a clean commit and on an idle machine.

use crate::definition::{Definitions, Places};
use crate::process::first_line;
use anyhow::{Context, bail, ensure};
use std::process::Command;
use std::time::{Duration, Instant};

/// The one-minute load average above which a machine is not idle.
pub(crate) const IDLE: f64 = 0.5;

/// Files written by benchmarks, which do not count as changes.
const WRITTEN: [&str; 9] = [
    ":!bench/record",
    ":!docs/guide/searching.md",
    ":!docs/guide/bytes.md",
    ":!docs/reference/sliders.svg",
    ":!docs/reference/sliders.md",
    ":!docs/reference/engine-search.md",
    ":!docs/reference/dense.md",
    ":!docs/reference/pack.md",
    ":!README.md",
];

fn line(words: &[&str]) -> String {
    let words = words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    first_line(&words).unwrap_or_else(|| "unknown".to_owned())
}

fn cpu() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let value = |field: &str| {
        let line = text.lines().find(|line| line.starts_with(field))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    match (value("model name"), value("cpu family"), value("model\t")) {
        (Some(name), Some(family), Some(model)) => {
            format!("{name} (family {family}, model {model})")
        }
        _ => line(&["sysctl", "-n", "machdep.cpu.brand_string"]),
    }
}

/// The load average of the last minute, parsed from the system's text.
fn first_load(text: &str) -> Option<f64> {
    text.split_whitespace().find_map(|word| word.parse().ok())
}

/// The load average of the last minute, on Linux, macOS and the BSDs.
fn load() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/loadavg");
    first_load(&text.unwrap_or_else(|_| line(&["sysctl", "-n", "vm.loadavg"])))
}

fn show_load() -> String {
    load().map_or_else(|| "unknown".to_owned(), |load| format!("{load:.2}"))
}

/// Files that differ from the last commit, or are untracked.
fn changes() -> anyhow::Result<Vec<String>> {
    let words = [&["status", "--porcelain", "--untracked-files=normal", "--", "."], &WRITTEN[..]];
    let output = Command::new("git").args(words.concat()).output().context("running git")?;
    ensure!(
        output.status.success(),
        "git does not know this folder: a record names the commit that it was made from"
    );
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().map(|line| line.trim().to_owned()).collect())
}

/// Fails if there are uncommitted changes, except in files that benchmarks write.
pub(crate) fn must_be_clean() -> anyhow::Result<()> {
    let changes = changes()?;
    let Some(first) = changes.first() else { return Ok(()) };
    let more = match changes.len() {
        1 => String::new(),
        many => format!(" and {} more", many - 1),
    };
    bail!(
        "the working tree differs from the last commit ({first}{more}): a record is made from a clean \
         commit. Commit or stash first; --draft measures and records nothing"
    )
}

/// Fails unless the machine is idle, or becomes so in the time given.
pub(crate) fn must_be_idle(wait: Duration) -> anyhow::Result<()> {
    let clock = Instant::now();
    let mut told = false;
    loop {
        let load = load().context("the system does not say its load average")?;
        if load <= IDLE {
            return Ok(());
        }
        if clock.elapsed() >= wait {
            let waited = match wait.as_secs() {
                0 => String::new(),
                seconds => format!(" after {seconds} s of waiting"),
            };
            bail!(
                "the load average of the last minute is {load:.2}{waited}, more than {IDLE}: a record is made \
                 on an idle machine. --wait SECONDS waits for that; --draft measures and records nothing"
            );
        }
        if !told {
            eprintln!("load {load:.2}: waiting until it is {IDLE}, at most {} s", wait.as_secs());
            told = true;
        }
        std::thread::sleep(Duration::from_secs(2));
    }
}

/// The head of every record, as a list in Markdown.
pub(crate) fn machine(builds: &[(&str, String)]) -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let changed = match changes() {
        Ok(changes) if changes.is_empty() => "",
        _ => ", with changes",
    };
    let facts = [
        ("CPU", format!("{}, {cores} cores", cpu())),
        ("System", line(&["uname", "-srm"])),
        ("Date", line(&["date", "-u", "+%Y-%m-%d %H:%M UTC"])),
        ("Commit", format!("{}{changed}", line(&["git", "rev-parse", "--short=12", "HEAD"]))),
        ("Load average of the minute before", show_load()),
    ];
    facts.iter().chain(builds).map(|(name, value)| format!("- {name}: {value}\n")).collect()
}

/// The version of a library that `bench/peers` links.
pub(crate) fn peer_version(library: &str) -> String {
    let lock = include_str!("../peers/Cargo.lock");
    let entry = format!("name = \"{library}\"\nversion = \"");
    let found = lock.split_once(entry.as_str()).and_then(|(_, rest)| rest.split_once('"'));
    found.map_or("of unknown version", |(version, _)| version).to_owned()
}

/// The lines that are added after the run. A single-threaded run causes a load of 1 by itself.
pub(crate) fn ended() -> String {
    format!("- Load average of the last minute of the run: {}\n", show_load())
}

/// The same for jobs on games, with the versions of the programs.
pub(crate) fn describe(definitions: &Definitions, places: &Places, input: &str) -> String {
    let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
    let flags = if flags.is_empty() { "none of our own".to_owned() } else { flags };
    let versions = definitions.version.iter().filter_map(|(name, words)| {
        let said = places.fill_all(words).and_then(|words| first_line(&words));
        said.map(|said| if said.contains(name) { said } else { format!("{name} {said}") })
    });
    let versions = versions.collect::<Vec<_>>().join("; ");
    let machine = machine(&[("Build", format!("release profile, rustc flags: {flags}"))]);
    format!("{machine}- Games: {input}\n- Versions: {versions}\n")
}

#[cfg(test)]
mod tests {
    use super::first_load;

    #[test]
    fn the_load_of_a_minute_is_read() {
        assert_eq!(first_load("0.42 0.50 1.07 2/345 6789\n"), Some(0.42));
        assert_eq!(first_load("{ 1.28 1.70 1.90 }"), Some(1.28));
        assert_eq!(first_load("unknown"), None);
    }
}
