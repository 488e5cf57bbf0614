//! The help of the command line: its reference, its examples, its hints.
//!
//! `HALFMOVE_BLESS=1 cargo test -p halfmove-cli` rewrites docs/reference/cli.md.

use crate::program::{ok, run};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The sections of the reference: the name of each verb, or `help` and that of a topic, with its help.
fn verbs(reference: &str) -> Vec<(&str, &str)> {
    let sections = reference.split("\n## ").skip(1);
    sections.map(|section| section.split_once('\n').expect("a name and a text")).collect()
}

/// The reference in the book is the help of the program. The help of a program without SQL is shorter.
#[cfg(feature = "sql")]
#[test]
fn the_reference_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/cli.md");
    let found = ok(&["man", "--markdown"]);
    if std::env::var_os("HALFMOVE_BLESS").is_some() {
        fs::write(&path, &found).expect("the reference");
    }
    let expected = fs::read_to_string(&path).expect("the reference");
    assert_eq!(found, expected, "HALFMOVE_BLESS=1 rewrites it");
}

/// Each verb is in the help of the program and in the reference, and its help has an example of it.
#[test]
fn all_verbs_are_explained() {
    let reference = ok(&["man", "--markdown"]);
    let program = ok(&["--help"]);
    let verbs = verbs(&reference);
    assert!(verbs.len() > 25, "{verbs:?}");
    for (name, help) in verbs.iter().filter(|(name, _)| !name.starts_with("help ")) {
        let first = name.split(' ').next().expect("a word");
        assert!(program.contains(&format!("\n  {first} ")), "{first} in halfmove --help");
        let is_group = verbs.iter().any(|(other, _)| other.starts_with(&format!("{name} ")));
        let example = format!("\n  halfmove {name}");
        assert!(
            is_group || help.contains(&example) || help.contains(&format!("| halfmove {name}")),
            "{name}"
        );
    }
}

/// Every command that a hint suggests for a word of another program exists.
#[test]
fn words_of_other_programs_lead_to_verbs() {
    for (typed, verb) in [
        ("tree", "explore"),
        ("find", "search"),
        ("query", "sql"),
        ("dedup", "duplicates"),
        ("merge", "players merge"),
        ("vacuum", "compact --vacuum"),
        ("serach", "search"),
        ("improt", "import"),
    ] {
        let output = run(&[typed]);
        assert_eq!(output.code, 2, "{output:?}");
        assert!(output.err.contains(&format!("`halfmove {verb}`")), "{typed}: {output:?}");
        let help: Vec<&str> = verb.split(' ').filter(|word| !word.starts_with('-')).collect();
        ok(&[&help[..], &["--help"]].concat());
    }
    // A verb that removes something is not suggested for a typo.
    assert!(!run(&["remov"]).err.contains("did you mean"));
}

/// A shell reads the names in hints as they are.
#[cfg(unix)]
#[test]
fn a_shell_reads_the_names_in_hints() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in [
        "club",
        "my club",
        "O'Kelly, Alberic",
        "Durić \"Duke\"",
        "`touch PWNED`",
        "$(touch PWNED)",
        "it's $HOME",
        "a\\'b!",
        "*",
        "~",
        "a;b&c|d>e<f#g",
        "{a,b}",
        "100%",
        "-rf",
    ] {
        let info = crate::program::halfmove(&["info", "--", name])
            .current_dir(folder.path())
            .output()
            .expect("the program starts");
        let output = crate::program::finished(info);
        let hint = output.err.lines().find_map(|line| {
            line.strip_prefix("hint: to create an archive: halfmove import ")?
                .strip_suffix(" FILE…")
        });
        let hint = hint.unwrap_or_else(|| panic!("{name}: {output:?}"));
        let command = format!("printf %s {hint}");
        let read = Command::new("sh").args(["-c", &command]).output().expect("a shell");
        let read = String::from_utf8(read.stdout).expect("text");
        assert_eq!(read.trim_start_matches("./"), name, "{command}");
    }
}
