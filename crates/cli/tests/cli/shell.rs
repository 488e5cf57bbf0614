//! The program in a shell: completions, pages of the manual, color, help.

use crate::program::{Finished, archive_of, finished, halfmove, ok, run, testdata};
use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// All verbs that the long help lists, as a user reads it.
fn verbs() -> Vec<String> {
    let help = ok(&["--help"]);
    let (_, list) = help.split_once("Games in archives:\n").expect("the groups");
    let (list, _) = list.split_once("\nTopics of").expect("the topics");
    let verbs = list.lines().filter_map(|line| line.strip_prefix("  "));
    let verbs: Vec<String> =
        verbs.filter_map(|line| line.split(' ').next()).map(str::to_owned).collect();
    assert!(verbs.len() > 20 && verbs.iter().all(|verb| verb.len() > 2), "{verbs:?}");
    verbs
}

#[test]
fn completions_have_each_verb() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = ok(&["completions", shell]);
        let words: BTreeSet<&str> =
            script.split(|char: char| !char.is_alphanumeric() && char != '-').collect();
        for word in verbs().iter().map(String::as_str).chain(["normalize", "--opponent", "--color"])
        {
            let word = if shell == "fish" { word.trim_start_matches("--") } else { word };
            assert!(words.contains(word), "{shell}: {word}");
        }
    }
    // Values that are not a closed list: any tag may be a column.
    let script = ok(&["completions", "bash"]);
    assert!(
        script.contains("id date rating plies white black result eco event -id -date")
            && script.contains("start_fen fault")
    );
    let output = run(&["completions", "tcsh"]);
    assert!(output.code == 2 && output.err.contains("zsh"), "{output:?}");
}

#[test]
fn each_verb_has_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    let args = ["man", "--dir", pages.to_str().unwrap()];
    let written = run(&args);
    let names: BTreeSet<String> = fs::read_dir(&pages)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(written.code, 0, "{written:?}");
    let output = format!("{} pages written to ", names.len());
    assert!(written.err.starts_with(&output) && written.out.is_empty(), "{written:?}");
    let mut expected: BTreeSet<String> = verbs()
        .iter()
        .filter(|verb| *verb != "help")
        .map(|verb| format!("halfmove-{verb}.1"))
        .collect();
    let pgn = ["check", "stats", "normalize"].map(|verb| format!("halfmove-pgn-{verb}.1"));
    expected.extend(pgn);
    expected.insert("halfmove-players-merge.1".to_owned());
    expected.insert("halfmove.1".to_owned());
    assert_eq!(names, expected);
    let page = fs::read_to_string(pages.join("halfmove-search.1")).unwrap();
    assert_eq!(ok(&["man", "search"]), page);
    assert!(page.starts_with(".ie") || page.starts_with(".TH"), "{page}");
    for words in [
        ".SH NAME",
        "halfmove\\-search",
        "\\-\\-opponent",
        "Examples:",
        "mikhail tal",
        "opponent\n",
    ] {
        assert!(page.contains(words), "no {words} in {page}");
    }
    assert!(ok(&["man", "pgn", "check"]).contains("halfmove\\-pgn\\-check"));
    assert!(ok(&["man"]).contains("halfmove\\-compact"));
    let again = run(&args);
    assert!(again.code == 2 && again.err.contains("this file exists"), "{again:?}");
    assert_eq!(run(&[&args[..], &["--force"]].concat()).code, 0);
    let unknown = run(&["man", "serch"]);
    assert!(
        unknown.code == 2 && unknown.err.contains("hint: its verbs are import,"),
        "{unknown:?}"
    );
}

/// Runs the program with variables of the environment.
fn with(variables: &[(&str, &str)], args: &[&str]) -> Finished {
    let mut program = halfmove(args);
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        program.env_remove(name);
    }
    finished(program.envs(variables.iter().copied()).output().unwrap())
}

#[cfg(feature = "sql")]
#[test]
fn color_is_where_it_is_requested() {
    let (_folder, archive) = archive_of(&["games/setup.pgn"]);
    let archive = archive.as_str();
    let table = ["sql", archive, "select 1 as one"];
    let mistake = ["sql", archive, "select whit from games"];
    let help = ["search", "-h"];
    let (bold, red) = ("\u{1b}[1mone\u{1b}[0m\n", "\u{1b}[1m\u{1b}[31merror\u{1b}[0m: ");
    for (variables, color, is_colored) in [
        (&[][..], None, false),
        (&[], Some("auto"), false),
        (&[], Some("always"), true),
        (&[], Some("never"), false),
        (&[("CLICOLOR_FORCE", "1")], None, true),
        (&[("CLICOLOR_FORCE", "1")], Some("never"), false),
        (&[("CLICOLOR_FORCE", "0")], None, false),
        (&[("CLICOLOR_FORCE", "0")], Some("always"), true),
        (&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], None, false),
        (&[("NO_COLOR", "1")], Some("always"), true),
    ] {
        let option = color.map_or(Vec::new(), |color| vec!["--color", color]);
        let output = with(variables, &[&table[..], &option[..]].concat());
        assert_eq!(output.out.contains(bold), is_colored, "{variables:?} {color:?}: {output:?}");
        let output = with(variables, &[&option[..], &mistake].concat());
        assert_eq!(output.err.contains(red), is_colored, "{variables:?} {color:?}: {output:?}");
        let output = with(variables, &[&help[..], &option[..]].concat());
        assert_eq!(
            output.out.contains('\u{1b}'),
            is_colored,
            "{variables:?} {color:?}: {output:?}"
        );
        if !is_colored {
            assert!(!output.err.contains('\u{1b}'), "{output:?}");
        }
    }
    // Data has no color, whatever the options.
    let csv = ["--color", "always", "sql", archive, "select 1 as one", "--format", "csv"];
    assert_eq!(ok(&csv), "one\n1\n");
    // Also without a verb.
    let games = testdata("games/setup.pgn");
    let games = games.to_str().unwrap();
    assert_eq!(ok(&[games, "--color", "never"]), ok(&[games]));
    let wrong = run(&["info", archive, "--color", "loud"]);
    assert!(wrong.code == 2 && wrong.err.contains("always"), "{wrong:?}");
}

/// The sections of help, in two lengths.
#[test]
fn help_comes_in_two_lengths() {
    let (short, long) = (ok(&["search", "-h"]), ok(&["search", "--help"]));
    assert!(short.contains("More with --help: --offset") && long.contains("  --offset <N>  "));
    for (help, sections) in [
        (&short, &["\nArguments:", "\nOptions:", "--format", "\nConditions on the game"][..]),
        (&long, &["\nOptions:", "\nOutput", "--format", "\nConditions on the game", "\nRarely"]),
    ] {
        let place = |words: &str| help.find(words).unwrap_or_else(|| panic!("{words}: {help}"));
        assert!(sections.is_sorted_by_key(|words| place(words)), "{help}");
        assert!(place("--min-elo") > place("\nConditions on the game"), "{help}");
    }
    assert_eq!(ok(&["help", "search"]), long);
}

/// Help that cannot be printed is an error.
#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written() {
    for args in [&["help"][..], &["help", "filters"], &["search", "--help"], &["--version"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = finished(halfmove(args).stdout(full).output().unwrap());
        assert!(output.code == 2 && output.err.starts_with("error: "), "{args:?}: {output:?}");
    }
}

/// However it ends, the viewer of games restores the terminal.
#[cfg(target_os = "linux")]
#[test]
fn the_viewer_leaves_the_terminal_as_it_was() {
    let (folder, archive) = archive_of(&["games/setup.pgn"]);
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (number, seen) = (path("number"), path("seen"));
    let viewer = env!("CARGO_BIN_EXE_halfmove");
    let (shown, hidden) = ("\u{1b}[?1049h\u{1b}[?25l", "\u{1b}[?25h\u{1b}[?1049l");
    for (signal, code) in [("TERM", 143), ("INT", 130), ("HUP", 129)] {
        let show = format!("echo $$ >{number}; exec {viewer} show {archive} 1");
        let command = format!("sh -c '{show}'; echo code $?; stty -a");
        let mut script = Command::new("script");
        script.args(["-qfc", &command, &seen]).env("TERM", "xterm");
        // The end of its input would count as a key.
        script.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut terminal = script.spawn().unwrap();
        let text = || String::from_utf8_lossy(&fs::read(&seen).unwrap_or_default()).into_owned();
        // It waits for a key once it has drawn all.
        while !text().contains("q quit") {
            assert!(terminal.try_wait().unwrap().is_none(), "{}", text());
            thread::sleep(Duration::from_millis(20));
        }
        thread::sleep(Duration::from_millis(100));
        let number = fs::read_to_string(&number).unwrap();
        let kill = format!("kill -{signal} {number}");
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
        terminal.wait().unwrap();
        let text = text();
        let (_, after) = text.split_once(shown).unwrap();
        let (_, after) = after.split_once(hidden).unwrap_or_else(|| panic!("{signal}: {text:?}"));
        assert!(after.contains(&format!("code {code}\r\n")), "{signal}: {after}");
        let has = |word: &str| after.split([' ', ';', '\r', '\n']).any(|other| other == word);
        assert!(has("icanon") && has("echo") && has("isig"), "{signal}: {after}");
        fs::remove_file(&seen).unwrap();
    }
}
