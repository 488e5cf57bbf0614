//! Tunings of our engine's own strength, which is an option: the values go up.

use crate::engine::{ENGINE, program};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// The words of a tuning whose state is in this file.
fn words(state: &Path, iterations: &str) -> Vec<String> {
    let state = state.to_str().expect("UTF-8");
    let engine = ["--engine", ENGINE, "option.UCI_LimitStrength=true"];
    let parameter = ["--parameter", "UCI_Elo=900,600,2400,300", "--rate", "0.02"];
    let games = ["--pairs", "2", "--max-moves", "60", "--balance-depth", "1", "--nodes", "4000"];
    let state = ["--state", state, "--iterations", iterations];
    let words = [&engine[..], &parameter, &games, &state].concat();
    words.into_iter().map(str::to_owned).collect()
}

fn run(words: &[String]) -> (Option<i32>, String, String) {
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let output = program("spsa", &words).output().expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// The value in a state.
fn value(state: &Path) -> f64 {
    let text = fs::read_to_string(state).expect("a state");
    let state: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    state["values"][0].as_f64().expect("a value")
}

#[test]
fn a_stronger_setting_is_found() {
    let state = folder("spsa").join("state.json");
    let (code, summary, messages) = run(&words(&state, "10"));
    assert_eq!(code, Some(0), "{messages}");
    assert_eq!(messages.lines().count(), 10, "{messages}");
    assert!(messages.contains("    10/10  +"), "{messages}");
    assert!(value(&state) > 1_000.0, "{messages}");
    assert!(summary.starts_with("10 iterations, 40 games, "), "{summary}");
    assert!(summary.contains(&format!("  UCI_Elo  {:>8}  from 900\n", value(&state).round())));
    // There is nothing left to do, and the state of another tuning is left alone.
    assert_eq!(run(&words(&state, "10")), (Some(0), summary, String::new()));
    let before = fs::read(&state).expect("a state");
    let (code, _, messages) = run(&words(&state, "11"));
    assert!(messages.contains("state.json: the state of a tuning with other arguments"));
    assert_eq!((code, fs::read(&state).expect("a state")), (Some(1), before));
}

#[cfg(unix)]
#[test]
fn an_interrupted_tuning_goes_on_as_if_it_were_whole() {
    let folder = folder("spsa-interrupted");
    let [whole, parts] = ["whole.json", "parts.json"].map(|name| folder.join(name));
    let (code, summary, messages) = run(&words(&whole, "4"));
    assert_eq!(code, Some(0), "{messages}");

    let arguments = words(&parts, "4");
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    let mut child = program("spsa", &arguments).stderr(Stdio::piped()).spawn().expect("it runs");
    let mut lines = BufReader::new(child.stderr.take().expect("its messages")).lines();
    let first = lines.next().expect("a line").expect("UTF-8");
    assert!(first.starts_with("     1/4  "), "{first}");
    let killed =
        std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.expect("kill runs").success());
    drop(lines.map(|line| line.expect("UTF-8")).collect::<Vec<_>>());
    assert_eq!(child.wait().expect("its end").code(), Some(130));

    let (code, again, rest) = run(&words(&parts, "4"));
    assert_eq!((code, again), (Some(0), summary), "{rest}");
    assert!((1..=3).contains(&rest.lines().count()), "{rest}");
    assert!(messages.ends_with(&rest), "{messages}\n{rest}");
    assert!((value(&whole) - value(&parts)).abs() < 1e-9);
}

#[test]
fn impossible_tunings_are_refused() {
    let folder = folder("spsa-refused");
    let state = folder.join("state.json");
    let with = |more: &[&str]| {
        let words =
            words(&state, "2").into_iter().chain(more.iter().map(|word| (*word).to_owned()));
        run(&words.collect::<Vec<_>>())
    };
    let (code, _, messages) = with(&["--parameter", "uci_elo=900,600,2400"]);
    assert!(messages.contains("--parameter: uci_elo is given twice"), "{messages}");
    assert_eq!((code, state.exists()), (Some(2), false));
    let (code, _, messages) = with(&["--parameter", "Futility=1,0,3"]);
    assert!(messages.contains("it has no option Futility"), "{messages}");
    assert_eq!(code, Some(1));
}
