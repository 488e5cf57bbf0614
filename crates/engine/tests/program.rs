//! The command line of the program: its help and its errors.

use std::process::{Command, Output};

const ENGINE: &str = env!("CARGO_BIN_EXE_halfmove-engine");

fn run(words: &[&str]) -> Output {
    Command::new(ENGINE).args(words).output().expect("the program runs")
}

fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).expect("UTF-8")
}

#[test]
fn an_unknown_command_is_refused() {
    let output = run(&["foo"]);
    assert_eq!(
        text(&output.stderr),
        "error: unknown command \"foo\"; see halfmove-engine --help\n"
    );
    assert!(output.stdout.is_empty());
    assert_eq!(output.status.code(), Some(2));
}

/// An argument of `go` is not another command, even if it has the name of one.
#[test]
fn words_of_go_belong_to_it() {
    let output = run(&["go", "perft", "1"]);
    assert!(text(&output.stdout).ends_with("Nodes searched: 20\n"), "{}", text(&output.stdout));
    let output = run(&["go", "perft"]);
    assert!(text(&output.stdout).starts_with("info string error: go: perft: "));
    for words in [&["position", "startpos", "go", "depth", "3"][..], &["d", "go", "perft", "2"]] {
        let output = run(words);
        let expected = "error: \"go\" is a command of its own: put each command in quotes";
        assert!(text(&output.stderr).starts_with(expected), "{words:?}");
        assert_eq!(output.status.code(), Some(2));
    }
    // Without a limit it is stopped.
    assert!(text(&run(&["go"]).stdout).contains("bestmove "));
    let output = run(&["d", "eval"]);
    assert!(text(&output.stdout).contains("the net's value"), "{}", text(&output.stdout));
}

/// The descriptions of the commands are aligned.
#[test]
fn the_help_is_aligned() {
    let output = run(&["--help"]);
    let help = text(&output.stdout);
    for name in ["perft N", "bench", "eval", "halfmove-lab"] {
        assert!(help.contains(name), "{name}: {help}");
    }
    for block in help.split("\n\n").skip(1) {
        let columns: Vec<_> = block
            .lines()
            .filter_map(|line| line.trim_end().rsplit_once("  ").map(|(before, _)| before))
            .filter(|before| !before.trim().is_empty())
            .map(|before| before.chars().count())
            .collect();
        assert!(columns.windows(2).all(|two| two[0] == two[1]), "{block}");
    }
}

/// A table larger than the memory is refused, and the one before stays. The program gets 4 GiB of addresses, so that no
/// machine has room for 64.
#[cfg(target_os = "linux")]
#[test]
fn a_table_that_does_not_fit_is_refused() {
    let commands = ["setoption name Hash value 3", "setoption name Hash value 65536", "go depth 2"];
    let output = Command::new("sh")
        .args(["-c", "ulimit -v 4194304 && exec \"$0\" \"$@\"", ENGINE])
        .args(commands)
        .output()
        .expect("a shell");
    let lines: Vec<_> = text(&output.stdout).lines().collect();
    let refused = "info string error: setoption: Hash: ";
    assert!(
        lines[0].starts_with(refused) && lines[0].ends_with(", it stays at 3 MiB"),
        "{lines:#?}"
    );
    assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{lines:#?}");
}
