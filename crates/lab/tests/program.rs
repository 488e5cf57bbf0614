//! The command line of the program: its help, and its answers to mistakes.

use crate::LAB;
use std::process::{Command, Output};

fn run(words: &[&str]) -> Output {
    Command::new(LAB).args(words).output().expect("the program runs")
}

fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).expect("UTF-8")
}

#[test]
fn each_command_has_examples() {
    let help = run(&["--help"]);
    let summary = text(&help.stdout);
    for command in ["arena", "datagen", "tune", "train", "spsa"] {
        assert!(summary.contains(&format!("\n  {command} ")), "{summary}");
        let output = run(&[command, "--help"]);
        let help = text(&output.stdout);
        assert!(help.contains(&format!("Usage: halfmove-lab {command} ")), "{help}");
        assert!(help.contains(&format!("Examples:\n  halfmove-lab {command} ")), "{help}");
        assert_eq!(run(&[command, "--version"]).status.code(), Some(2));
    }
}

#[test]
fn the_program_names_its_version() {
    let version = concat!("halfmove-lab ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(text(&run(&["--version"]).stdout), version);
}

#[test]
fn mistakes_are_refused() {
    for (words, expected) in [
        (&["match"][..], "unrecognized subcommand 'match'"),
        (&["arena", "--engines", "a"], "a similar argument exists: '--engine'"),
        (&[], "Usage: halfmove-lab <COMMAND>"),
    ] {
        let output = run(words);
        assert!(text(&output.stderr).contains(expected), "{}", text(&output.stderr));
        assert_eq!(output.status.code(), Some(2), "{words:?}");
    }
}

/// The help names the program as it is installed, not as it was called.
#[cfg(unix)]
#[test]
fn the_help_does_not_depend_on_the_name_of_the_file() {
    use std::os::unix::process::CommandExt;
    for command in ["arena", "datagen"] {
        let output = Command::new(LAB).arg0("renamed").args([command, "--help"]).output();
        let output = output.expect("the program runs");
        let usage = format!("Usage: halfmove-lab {command} ");
        assert!(text(&output.stdout).contains(&usage), "{}", text(&output.stdout));
    }
}
