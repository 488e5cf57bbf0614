//! What a figure is worth nothing without: the machine, the date, the commit, the versions.

use crate::definition::{Definitions, Places};
use crate::process::first_line;

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

/// What every record begins with, as a list in Markdown.
pub(crate) fn machine(build: &str) -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("unknown");
    // What a benchmark writes itself is no change to what it measures.
    let tracked = ["git", "status", "--porcelain", "--untracked-files=no", "--", "."];
    let changed = line(&[&tracked[..], &[":!bench/record", ":!docs/reference"]].concat());
    let changed = if changed == "unknown" { "" } else { ", with changes" };
    let facts = [
        ("CPU", format!("{}, {cores} cores", cpu())),
        ("System", line(&["uname", "-srm"])),
        ("Date", line(&["date", "-u", "+%Y-%m-%d %H:%M UTC"])),
        ("Load when it began", load.to_owned()),
        ("Commit", format!("{}{changed}", line(&["git", "rev-parse", "--short=12", "HEAD"]))),
        ("Build", build.to_owned()),
    ];
    facts.iter().map(|(name, value)| format!("- {name}: {value}\n")).collect()
}

/// The same for jobs on games, with the versions of who does them.
pub(crate) fn describe(definitions: &Definitions, places: &Places, input: &str) -> String {
    let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
    let flags = if flags.is_empty() { "none of our own".to_owned() } else { flags };
    let versions = definitions.version.iter().filter_map(|(name, words)| {
        let said = places.fill_all(words).and_then(|words| first_line(&words));
        said.map(|said| if said.contains(name) { said } else { format!("{name} {said}") })
    });
    let versions = versions.collect::<Vec<_>>().join("; ");
    let machine = machine(&format!("release profile, rustc flags: {flags}"));
    format!("{machine}- Games: {input}\n- Versions: {versions}\n")
}
