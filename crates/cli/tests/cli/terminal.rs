//! The program on a terminal: the prompt of `sql`, and the viewer of `show`. The terminal is a pseudo-terminal of `script`
//! (util-linux). If that is missing, the tests print a note and pass.

#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use crate::program::{archive_of, halfmove};
use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// The text that a terminal shows when the program runs in it: each step waits for a text after the text before it, and types
/// keys. `None` if there is no `script`.
fn typed(args: &[&str], state: &str, steps: &[(&str, &str)]) -> Option<String> {
    let program = halfmove(&[]).get_program().to_str()?.to_owned();
    let words = [&[program.as_str()], args].concat();
    let words: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let mut command = Command::new("script");
    command.args(["-qec", &words.join(" "), "/dev/null"]);
    command.env("XDG_STATE_HOME", state).env("TERM", "xterm").env("NO_COLOR", "1");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let Ok(mut terminal) = command.spawn() else {
        eprintln!("SKIPPED: there is no program `script` (util-linux)");
        return None;
    };
    let mut stdin = terminal.stdin.take().expect("a pipe");
    let mut stdout = terminal.stdout.take().expect("a pipe");
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(length @ 1..) = stdout.read(&mut buffer) {
            if sender.send(buffer[..length].to_vec()).is_err() {
                return;
            }
        }
    });
    let (mut shown, mut seen) = (Vec::new(), 0);
    for (text, keys) in steps {
        let at = loop {
            if let Some(at) = shown[seen..].windows(text.len()).position(|w| w == text.as_bytes()) {
                break seen + at + text.len();
            }
            // The tests would hang if the terminal never showed the text.
            let Ok(more) = receiver.recv_timeout(Duration::from_secs(120)) else {
                let _ = terminal.kill();
                panic!("no {text:?} in {:?}", String::from_utf8_lossy(&shown));
            };
            shown.extend(more);
        };
        seen = at;
        stdin.write_all(keys.as_bytes()).expect("the terminal takes keys");
    }
    shown.extend(receiver.iter().flatten());
    assert!(terminal.wait().expect("the terminal ends").success());
    Some(String::from_utf8_lossy(&shown).into_owned())
}

#[cfg(all(unix, feature = "prompt"))]
#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "other systems have another `script`")]
fn the_prompt_completes_words_and_keeps_a_history() {
    let (folder, archive) = archive_of(&["games/setup.pgn"]);
    let state = folder.path().join("state");
    let state = state.to_str().unwrap();
    // Tab completes to "select", and a query may have several lines. Ctrl-P recalls the last query.
    let steps = [
        ("sql> ", "sel\t count(*) as games\r"),
        ("select count(*) as games", "from games;\r"),
        ("1 row in ", ""),
        ("sql> ", "\u{10}\r"),
        ("1 row in ", ""),
        ("sql> ", ".nonsense\r"),
        (".help", ""),
        ("sql> ", ".quit\r"),
    ];
    let Some(shown) = typed(&["sql", &archive], state, &steps) else { return };
    assert!(shown.contains("select count(*) as games"), "{shown:?}");
    assert_eq!(shown.matches("1 row in ").count(), 2, "{shown:?}");
    assert!(shown.contains(".help"), "{shown:?}");
    let history = fs::read_to_string(folder.path().join("state/halfmove/sql_history")).unwrap();
    assert!(history.contains("select count(*) as games"), "{history:?}");
    // The next prompt has it in its history.
    let steps = [("sql> ", "\u{10}\u{10}\u{10}\r"), ("1 row in ", ""), ("sql> ", ".quit\r")];
    typed(&["sql", &archive], state, &steps).expect("it was there before");
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "other systems have another `script`")]
fn keys_step_through_a_game() {
    let (folder, archive) = archive_of(&["games/setup.pgn"]);
    let state = folder.path().to_str().unwrap();
    // One half-move forward, to the end, back to the start, flip the board, quit.
    let steps = ["n", "G", "0", "f", "q"].map(|key| ("q quit", key));
    let Some(shown) = typed(&["show", &archive, "1"], state, &steps) else { return };
    let screens: Vec<&str> = shown.split("\u{1b}[H").skip(1).collect();
    assert_eq!(screens.len(), 5, "{shown:?}");
    let (start, first) = (screens[0], screens[1]);
    assert!(start.contains("the start") && !first.contains("the start"), "{shown:?}");
    assert!(!screens[2].contains("the start") && screens[3].contains("the start"), "{shown:?}");
    let rank = |screen: &str| screen.lines().nth(3).and_then(|line| line.chars().next());
    assert_eq!((rank(start), rank(screens[4])), (Some('8'), Some('1')), "{shown:?}");
    assert!(shown.trim_end().ends_with("\u{1b}[?1049l"), "what was on the terminal comes back");
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "other systems have another `script`")]
fn keys_step_from_game_to_game() {
    let (folder, archive) = archive_of(&["games/masters.pgn.zst"]);
    let state = folder.path().to_str().unwrap();
    // Page down, a move by its number, page up, quit. The first game begins where the moves were found.
    let steps = ["\u{1b}[6~", "3.\r", "[", "q"].map(|key| ("q quit", key));
    let args = ["show", &archive, "--played", "Bxh7+ Kxh7 Ng5+"];
    let Some(shown) = typed(&args, state, &steps) else { return };
    let screens: Vec<&str> = shown.split("\u{1b}[H").skip(1).collect();
    assert!(screens[0].contains("game 1 of 5 (id 988), move 16 of 38..."), "{shown:?}");
    assert!(screens[1].contains("game 2 of 5 (id 6481), move 24 of 31"), "{shown:?}");
    assert!(shown.contains("move 3...: Enter goes there"), "{shown:?}");
    let last = screens[screens.len() - 1];
    assert!(last.contains("game 1 of 5 (id 988), move 16 of 38..."), "{shown:?}");
}
