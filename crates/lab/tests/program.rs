//! The command line of the program: its help and its errors.

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

/// A file of samples, and one of which the second line is none.
fn samples(name: &str) -> (std::path::PathBuf, [String; 2]) {
    let folder = std::env::temp_dir().join(format!("halfmove-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let line = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1\t12\t0.5\n";
    let paths = ["good", "bad"].map(|name| folder.join(name));
    std::fs::write(&paths[0], line.repeat(20_000).trim_end()).expect("a file");
    std::fs::write(&paths[1], format!("{line}oops\n")).expect("a file");
    (folder, paths.map(|path| path.to_str().expect("UTF-8").to_owned()))
}

#[test]
fn an_error_in_samples_names_the_file() {
    let (folder, [good, bad]) = samples("named");
    let out = folder.join("out").to_str().expect("UTF-8").to_owned();
    for command in ["tune", "train"] {
        let data = ["--data", &good, "--data", &bad, "--game", "makruk", "--out", &out];
        let output = run(&[&[command], &data[..]].concat());
        let expected = format!("error: {bad}: line 2: expected a FEN, centipawns and points");
        assert!(text(&output.stderr).starts_with(&expected), "{}", text(&output.stderr));
        assert!(!std::path::Path::new(&out).exists());
    }
    std::fs::remove_dir_all(folder).expect("a folder");
}

/// A command that is interrupted before it has a result leaves no file that looks like one.
#[cfg(unix)]
#[test]
fn an_interrupted_command_leaves_no_empty_file() {
    use std::time::Duration;
    let (folder, [good, _]) = samples("interrupted");
    let data = ["--game", "makruk", "--data", &good, "--epochs", "1000000"];
    let slow = ["--game", "makruk", "--games", "1", "--nodes", "1000000000"];
    for (command, words) in [("tune", &data[..]), ("train", &data), ("datagen", &slow)] {
        let out = folder.join(command);
        let mut lab = Command::new(LAB);
        lab.arg(command).args(words).arg("--out").arg(&out);
        let quiet = std::process::Stdio::null;
        let mut child = lab.stdout(quiet()).stderr(quiet()).spawn().expect("the program runs");
        for _ in 0..600 {
            if out.exists() {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        assert!(out.exists(), "{command}");
        // The signals are expected a moment after the file is there.
        std::thread::sleep(Duration::from_millis(300));
        let id = child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status().expect("kill");
        assert!(sent.success());
        assert_eq!(child.wait().expect("an end").code(), Some(130), "{command}");
        assert!(!out.exists(), "{command}");
    }
    std::fs::remove_dir_all(folder).expect("a folder");
}
