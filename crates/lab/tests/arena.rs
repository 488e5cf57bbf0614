//! Matches of the program: against itself, and against programs that misbehave.

use crate::LAB;
use crate::engine::{ENGINE, program};
use halfmove_game::pgn::{GameReader, Reading};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A folder for one test, empty at its start.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn run(words: &[&str]) -> Output {
    program("arena", words).output().expect("the program runs")
}

/// Plays a match: its summary as JSON, its games as PGN, and its messages.
fn play(name: &str, words: &[&str]) -> (Value, String, String) {
    let folder = folder(name);
    let (json, pgn) = (folder.join("match.json"), folder.join("match.pgn"));
    let files = ["--json", json.to_str().unwrap(), "--pgn", pgn.to_str().unwrap()];
    let output = run(&[words, &files].concat());
    let messages = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(output.status.success(), "{words:?}: {messages}");
    let summary = String::from_utf8(output.stdout).expect("UTF-8");
    let json = serde_json::from_str(&fs::read_to_string(json).expect("JSON")).expect("JSON");
    (json, fs::read_to_string(pgn).expect("PGN"), messages + &summary)
}

/// Games in the order of their rounds, without the times that moves took.
fn games(pgn: &str) -> Vec<String> {
    let mut games: Vec<_> = pgn
        .split("[Event ")
        .skip(1)
        .map(|game| {
            let words = game.split_whitespace().collect::<Vec<_>>().join(" ");
            let mut parts = words.split("[%emt ");
            let first = parts.next().unwrap_or_default().to_owned();
            let rest = parts.map(|part| part.split_once(']').expect("the end of a time").1);
            (tag(game, "Round"), rest.fold(first, |text, part| text + part))
        })
        .collect();
    games.sort();
    games.into_iter().map(|(_, game)| game).collect()
}

/// The number of half-moves that the reader of crate `game` finds in games of the arena. It reads them whole, with the
/// result and a time for each move of an engine.
fn plies_read_back(pgn: &str, variant: &str) -> usize {
    let games = GameReader::new(pgn.as_bytes()).games();
    let plies = games.map(|game| {
        let (reading, game) = game.expect("bytes in memory");
        assert_eq!(reading, Reading::Whole, "{pgn}");
        assert_eq!(game.start.variant().name(), variant);
        let tag = |name| game.tags.value(name).expect("a tag");
        assert_eq!(game.result.expect("a result").as_str(), tag("Result"));
        assert_eq!(game.moves.len().to_string(), tag("PlyCount"));
        let mut timed = (1..=game.moves.len()).map(|ply| game.node(ply).expect("a move"));
        assert!(timed.all(|node| node.elapsed().is_some()), "{pgn}");
        game.moves.len()
    });
    plies.sum()
}

fn tag(game: &str, name: &str) -> String {
    let from = game.find(&format!("[{name} \"")).unwrap_or_else(|| panic!("no {name}: {game}"));
    game[from..].split('"').nth(1).unwrap_or_default().to_owned()
}

#[test]
fn an_engine_draws_each_pair_with_itself() {
    for game in ["chess", "chess960", "makruk", "makpong", "asean"] {
        let words = ["--engine", ENGINE, "--engine", ENGINE, "--game", game, "--nodes", "150"];
        let more = ["--games", "4", "--max-moves", "70", "--balance-depth", "2"];
        let words = [&words[..], &more].concat();
        let (json, alone, messages) = play(&format!("self-{game}"), &words);
        assert_eq!(json["plies"], plies_read_back(&alone, game), "{messages}");
        assert_eq!(json["games"], 4, "{messages}");
        assert_eq!(json["game"], game);
        // With the same nodes the second game of a pair is the first with colors swapped.
        assert_eq!(json["pairs"], serde_json::json!([0, 0, 2, 0, 0]), "{messages}");
        for engine in json["engines"].as_array().expect("engines") {
            for fault in ["losses_on_time", "illegal_moves", "crashes", "illegal_lines"] {
                assert_eq!(engine[fault], 0, "{messages}");
            }
            assert!(engine["moves"].as_u64() > Some(20));
        }
        let alone = games(&alone);
        assert_eq!(alone.len(), 4);
        let moves = |game: &str| game.split("] 5.").nth(1).map(str::to_owned);
        assert_eq!(moves(&alone[0]), moves(&alone[1]));
        assert!(moves(&alone[0]).is_some_and(|moves| moves.len() > 100), "{}", alone[0]);
        // It does not matter how many games are played at a time.
        let (_, together, _) =
            play(&format!("selves-{game}"), &[&words[..], &["--concurrency", "2"]].concat());
        assert_eq!(games(&together), alone);
    }
}

#[test]
fn the_stronger_engine_is_the_one_that_wins() {
    for (name, first, second) in
        [("odds", "nodes=2000", "nodes=1"), ("even", "nodes=1", "nodes=2000")]
    {
        let words = ["--engine", ENGINE, first, "name=A", "--engine", ENGINE, second, "name=B"];
        let rules = ["--games", "8", "--win", "cp=1200,moves=2", "--balance-depth", "1"];
        let (json, pgn, messages) = play(name, &[&words[..], &rules].concat());
        let count = |what: &str| json[what].as_u64().expect("a number");
        let (strong, weak) = if name == "odds" { ("wins", "losses") } else { ("losses", "wins") };
        assert!(count(strong) > count(weak) + 3, "{messages}");
        let strong = if name == "odds" { "A" } else { "B" };
        let games = games(&pgn);
        let won = games.iter().filter(|game| {
            let winner = if tag(game, "Result") == "1-0" { "White" } else { "Black" };
            tag(game, "Result") != "1/2-1/2" && tag(game, winner) == strong
        });
        assert_eq!(won.count() as u64, count(if name == "odds" { "wins" } else { "losses" }));
    }
}

#[test]
fn a_sequential_test_ends_the_match() {
    let words = ["--engine", ENGINE, "nodes=2000", "--engine", ENGINE, "nodes=1"];
    let rules = ["--games", "1000", "--win", "cp=1200,moves=2", "--balance-depth", "1"];
    let (json, _, messages) =
        play("sprt", &[&words[..], &rules, &["--sprt", "elo0=0,elo1=150"]].concat());
    assert_eq!(json["stopped"], "passed", "{messages}");
    assert!(json["games"].as_u64() < Some(200), "{messages}");
    assert!(json["sprt"]["llr"].as_f64() >= json["sprt"]["high"].as_f64(), "{messages}");
    assert!(messages.contains("passed: accepts elo1=150"), "{messages}");
}

#[test]
fn saved_openings_give_the_same_match() {
    let file = folder("saved").join("openings.epd");
    let file = file.to_str().expect("UTF-8");
    let words = ["--engine", ENGINE, "--engine", ENGINE, "--nodes", "50", "--game", "makruk"];
    let more = ["--games", "6", "--max-moves", "20", "--balance-depth", "1", "--seed", "9"];
    let words = [&words[..], &more].concat();
    let (_, made, _) = play("saving", &[&words[..], &["--save-openings", file]].concat());
    assert_eq!(fs::read_to_string(file).expect("openings").lines().count(), 3);
    let (_, read, _) = play("saved-again", &[&words[..], &["--openings", file]].concat());
    assert_eq!(games(&made), games(&read));
}

#[test]
fn games_continue_openings_in_pgn() {
    let file = folder("opening").join("openings.pgn");
    fs::write(&file, "1. f3 e5 2. g4 {a blunder} *\n").expect("a file");
    let words = ["--engine", ENGINE, "name=A", "--engine", ENGINE, "name=B", "--depth", "3"];
    let openings = ["--games", "2", "--openings", file.to_str().expect("UTF-8")];
    let (json, pgn, _) = play("fool", &[&words[..], &openings].concat());
    assert_eq!(json["endings"], serde_json::json!({ "checkmate": 2 }));
    assert_eq!(json["wins"], 1);
    assert_eq!(json["losses"], 1);
    for game in games(&pgn) {
        assert_eq!((tag(&game, "Result").as_str(), tag(&game, "PlyCount").as_str()), ("0-1", "4"));
        assert!(game.contains("1. f3 e5 2. g4 Qh4# {[%eval #-1,"), "{game}");
    }
}

/// The rows of a log, each with its seven columns.
fn logged(path: &std::path::Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(path).expect("a log");
    let row = |line: &str| line.splitn(7, '\t').map(str::to_owned).collect::<Vec<_>>();
    let rows: Vec<_> = text.lines().map(row).collect();
    for row in &rows {
        assert_eq!(row.len(), 7, "{row:?}");
        assert!(row[0].parse::<u64>().is_ok() && row[1].parse::<u32>().is_ok(), "{row:?}");
        assert!(matches!(row[5].as_str(), "<" | ">"), "{row:?}");
    }
    rows
}

#[test]
fn the_log_has_all_lines() {
    let log = folder("log").join("match.log");
    let file = log.to_str().expect("UTF-8");
    let words = ["--engine", ENGINE, "name=one", "--engine", ENGINE, "name=another one"];
    let more = ["--games", "8", "--nodes", "50", "--max-moves", "20", "--balance-depth", "1"];
    let words = [&words[..], &more, &["--concurrency", "2", "--log", file]].concat();
    let (json, pgn, _) = play("log-match", &words);
    let rows = logged(&log);
    for (which, name) in ["one", "another one"].into_iter().enumerate() {
        let own: Vec<_> = rows.iter().filter(|row| row[4] == name).collect();
        let mut processes: Vec<_> = own.iter().map(|row| &row[1]).collect();
        processes.sort();
        processes.dedup();
        assert_eq!(processes.len(), 2, "one for each game at a time");
        for process in processes {
            let own: Vec<_> = own.iter().filter(|row| row[1] == *process).collect();
            let first: Vec<_> = own[0][2..].iter().map(String::as_str).collect();
            assert_eq!(first, ["-", "-", name, ">", "uci"]);
            assert!(own.iter().any(|row| row[5] == "<" && row[6] == "uciok"));
            assert!(own.iter().any(|row| row[5] == ">" && row[6] == "quit"));
            let times: Vec<u64> = own.iter().filter_map(|row| row[0].parse().ok()).collect();
            assert!(times.is_sorted());
            // Each search gets a reply, in the same game.
            let turns = own
                .iter()
                .filter(|row| row[6].starts_with("go ") || row[6].starts_with("bestmove "));
            for turn in turns.collect::<Vec<_>>().chunks(2) {
                assert_eq!(turn[0][2..5], turn[1][2..5]);
                assert_eq!((turn[0][5].as_str(), turn[0][6].as_str()), (">", "go nodes 50"));
                assert_eq!(turn[1][5], "<");
            }
        }
        let moves = own.iter().filter(|row| row[6].starts_with("bestmove ")).count();
        assert_eq!(json["engines"][which]["moves"], moves);
        // Rounds and colors are those of the games.
        for game in games(&pgn) {
            let color = if tag(&game, "White") == name { "white" } else { "black" };
            let round = tag(&game, "Round");
            let mut of_game = own.iter().filter(|row| row[2] == round).peekable();
            assert!(of_game.peek().is_some() && of_game.all(|row| row[3] == color), "{round}");
        }
    }
    // Like any other file, it is replaced only with --force.
    let output = run(&words);
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("match.log: the file exists; --force")
    );
    play("log-again", &[&words[..], &["--force"]].concat());
    assert_eq!(logged(&log)[0][6], "uci");
}

/// Old files stay until there are games to replace them.
#[test]
fn a_match_that_cannot_begin_replaces_nothing() {
    let folder = folder("replaced");
    let [json, pgn, log, openings] =
        ["old.json", "old.pgn", "old.log", "old.epd"].map(|name| folder.join(name));
    for path in [&json, &pgn, &log, &openings] {
        fs::write(path, "old").expect("a file");
    }
    let file = |path: &std::path::Path| path.to_str().expect("UTF-8").to_owned();
    let (json_file, pgn_file, log_file) = (file(&json), file(&pgn), file(&log));
    let files = ["--json", &json_file, "--pgn", &pgn_file, "--log", &log_file, "--force"];
    let absent = ["--engine", "/no/such", "--engine", ENGINE, "--depth", "1"];
    assert_eq!(run(&[&absent[..], &files].concat()).status.code(), Some(1));
    let both = ["--engine", ENGINE, "--engine", ENGINE, "--depth", "1", "--games", "2"];
    // A hundred openings of one half-move do not exist.
    let many = ["--engine", ENGINE, "--engine", ENGINE, "--depth", "1", "--games", "200"];
    let few = ["--random-plies", "1", "--balance", "0", "--balance-depth", "1", "--force"];
    let openings_file = file(&openings);
    let save = ["--save-openings", &openings_file];
    assert_eq!(run(&[&many[..], &few, &save].concat()).status.code(), Some(1));
    for path in [&json, &pgn, &log, &openings] {
        assert_eq!(fs::read_to_string(path).expect("a file"), "old");
    }
    // One file is refused, and the others are not made. So is one file by two names.
    let (new, other) = (file(&folder.join("new")), file(&folder.join("../replaced/new")));
    for (words, reason) in [
        (&["--pgn", &new, "--log", &log_file][..], "old.log: the file exists; --force replaces it"),
        (&["--pgn", &new, "--json", &new], "it cannot be two files at once"),
        (&["--pgn", &new, "--json", &other, "--force"], "it cannot be two files at once"),
    ] {
        let output = run(&[&both[..], words].concat());
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(messages.contains(reason), "{messages}");
        assert!(!folder.join("new").exists());
    }
    let short = ["--max-moves", "2", "--openings", "start"];
    assert_eq!(run(&[&both[..], &short, &files].concat()).status.code(), Some(0));
    let json: Value = serde_json::from_str(&fs::read_to_string(json).expect("JSON")).expect("JSON");
    assert_eq!(json["games"], 2);
    assert!(fs::read_to_string(pgn).expect("PGN").starts_with("[Event "));
}

#[test]
fn what_cannot_be_played_is_refused() {
    let both = ["--engine", ENGINE, "--engine", ENGINE];
    let with = |more: &[&'static str]| [&both[..], more].concat();
    let absent = vec!["--engine", "/no/such", "--engine", ENGINE, "--depth", "1"];
    let few = ["--depth", "1", "--random-plies", "1", "--balance", "0", "--balance-depth", "1"];
    for (words, expected, code) in [
        (vec!["--engine", ENGINE, "--nodes", "9"], "there are 1, expected two", 2),
        (with(&[]), "may think for ever: expected --tc, --movetime, --nodes or --depth", 2),
        (with(&["--nodes", "9", "--games", "3"]), "3, expected an even number", 2),
        (with(&["--tc", "0"]), "expected MOVES/SECONDS+INCREMENT", 2),
        (with(&["--game", "shogi"]), "makruk", 2),
        (with(&["--depth", "1", "--win", "cp=3"]), "expected cp=N,moves=N", 2),
        (with(&["--depth", "1", "--each", "option.Foo=1"]), "it has no option Foo", 1),
        (
            with(&["--depth", "1", "--each", "option.Hash=banana"]),
            "Hash: \"banana\", it takes a number from 1 to 65536",
            1,
        ),
        (
            with(&["--depth", "1", "--each", "option.UCI_ShowWDL=1"]),
            "UCI_ShowWDL: \"1\", it takes true or false",
            1,
        ),
        (
            with(&["--depth", "1", "--each", "option.EvalFile=/no/such"]),
            "it says: error: setoption: EvalFile: /no/such: ",
            1,
        ),
        (with(&["--depth", "1", "--pgn", LAB]), "the file exists; --force replaces it", 1),
        (with(&["--depth", "1", "--json", "/no/such"]), "/no/such: ", 1),
        (with(&["--depth", "1", "--openings", "/no/such"]), "/no/such: ", 1),
        (absent, "cannot play: /no/such: ", 1),
        (with(&few), "try more --random-plies, or a larger --balance", 1),
    ] {
        let output = run(&words);
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(messages.contains(expected), "{words:?}: {messages}");
        assert_eq!(output.status.code(), Some(code), "{words:?}");
    }
}

/// Programs that look like engines, in the language of the shell.
#[cfg(unix)]
mod misbehaving {
    use super::*;
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;

    /// Writes a script of the shell: it is an argument of `sh`, so that no process runs a file that is being written.
    fn write(test: &str, text: &str) -> String {
        let path = folder(test).join("engine.sh");
        fs::write(&path, text).expect("a file");
        format!("arg={}", path.display())
    }

    /// An engine that answers `go` like this. `$position` is the last such command.
    fn script(test: &str, go: &str) -> String {
        let text = format!(
            "while read -r line; do\n  case \"$line\" in\n    uci) echo uciok ;;\n    \
             isready) echo readyok ;;\n    position*) position=\"$line\" ;;\n    go*) {go} ;;\n    \
             quit) exit ;;\n  esac\ndone\n"
        );
        write(test, &text)
    }

    /// Lets an engine play two pairs against ours, and expects that it loses each game like this.
    fn loses(test: &str, go: &str, limit: &str, ending: &str, words: &str, counted: &str) {
        let bad = script(test, go);
        let bad = bad.as_str();
        // Ours has an hour, so that it is never late.
        let good = ["--engine", ENGINE, "depth=1", "tc=3600", "name=good"];
        let sides = [&good[..], &["--engine", "sh", bad, limit, "name=bad"]].concat();
        // Only an engine that hangs needs a short patience.
        let patience = if go == ":" { "0.3" } else { "120" };
        let more = ["--games", "4", "--openings", "start", "--patience", patience];
        let (json, pgn, messages) = play(&format!("{test}-match"), &[&sides[..], &more].concat());
        assert_eq!(json["wins"], 4, "{messages}");
        assert_eq!(json["endings"], serde_json::json!({ ending: 4 }), "{messages}");
        assert_eq!(json["engines"][1][counted], 4, "{messages}");
        assert!(messages.contains(words), "{messages}");
        for game in games(&pgn) {
            let lost = if tag(&game, "White") == "bad" { "0-1" } else { "1-0" };
            assert_eq!(tag(&game, "Result"), lost);
        }
    }

    #[test]
    fn it_crashes() {
        loses("crash", "exit 3", "depth=1", "crash", "crashes: exit status: 3", "crashes");
    }

    #[test]
    fn it_is_killed() {
        loses("killed", "kill -9 $$", "depth=1", "crash", "crashes: signal: 9", "crashes");
    }

    #[test]
    fn it_says_nothing() {
        loses("hang", ":", "depth=1", "no move", "sends no move in 0.3 s", "crashes");
    }

    #[test]
    fn it_says_nothing_while_its_clock_runs() {
        let (ending, words) = ("loss on time", "loses on time");
        loses("flag", ":", "tc=0.1", ending, words, "losses_on_time");
    }

    #[test]
    fn it_is_late() {
        let (ending, words) = ("loss on time", "loses on time");
        let go = "sleep 0.3; echo bestmove a2a3";
        loses("late", go, "movetime=100", ending, words, "losses_on_time");
    }

    #[test]
    fn its_move_is_illegal() {
        let words = "plays an illegal move: \"e2e5\"";
        let go = "echo info score cp 1; echo bestmove e2e5";
        loses("illegal", go, "depth=1", "illegal move", words, "illegal_moves");
    }

    #[test]
    fn it_talks_nonsense() {
        let words = "plays an illegal move: \"\"";
        let go = "head -c 200000 /dev/zero | tr '\\0' x; echo; printf '\\377\\376\\n'; \
                  echo info depth x score cp 1e9 pv; echo bestmove";
        loses("nonsense", go, "depth=1", "illegal move", words, "illegal_moves");
    }

    #[test]
    fn it_repeats_itself() {
        // "position startpos" has two words, "position startpos moves g1f3" has four.
        let go = "set -- $position; case $(($# % 4)) in 0) m=g8f6 ;; 1) m=f3g1 ;; \
                  2) [ $# = 2 ] && m=g1f3 || m=f6g8 ;; 3) m=g1f3 ;; esac; echo bestmove $m";
        let engine = script("repeat", go);
        let engine = engine.as_str();
        let sides = ["--engine", "sh", engine, "--engine", "sh", engine, "--depth", "1"];
        let more = ["--games", "2", "--openings", "start"];
        let (json, pgn, messages) = play("repeat-match", &[&sides[..], &more].concat());
        assert_eq!(json["endings"], serde_json::json!({ "threefold repetition": 2 }), "{messages}");
        assert!(games(&pgn).iter().all(|game| tag(game, "PlyCount") == "8"), "{pgn}");
    }

    #[test]
    fn it_does_not_start() {
        let deaf = write("deaf", "while read -r line; do :; done\n");
        let plain = script("plain", ":");
        let slow = ["--handshake", "0.2"];
        let xboard = ["--handshake", "0.2", "--each", "proto=cecp"];
        for (program, argument, more, expected) in [
            ("sh", deaf.as_str(), &slow[..], "no uciok after 0.2 s: does it speak UCI?"),
            ("sh", deaf.as_str(), &xboard[..], "its features are not complete"),
            ("/bin/true", "name=true", &[][..], "it ended: exit status: 0"),
            ("sh", plain.as_str(), &["--game", "makruk"][..], "it has no option UCI_Variant"),
        ] {
            let engine = ["--engine", program, argument];
            let words = [&engine[..], &engine, &["--depth", "1", "--games", "2"], more].concat();
            let output = run(&words);
            let messages = String::from_utf8_lossy(&output.stderr);
            assert!(messages.contains(expected), "{words:?}: {messages}");
            assert_eq!(output.status.code(), Some(1));
        }
    }

    /// A script that starts the engine goes with it.
    #[test]
    fn what_it_has_started_is_killed() {
        let pids = folder("wrapped").join("pids");
        let inner = write(
            "wrapped-inner",
            "while read -r line; do case \"$line\" in uci) echo uciok ;; isready) echo readyok ;; esac; done; sleep 3600\n",
        );
        let inner = inner.trim_start_matches("arg=").to_owned();
        let outer = format!("sh {inner} & echo $! >> {}\nwait\n", pids.display());
        // A process in the background reads only an input that is given to it.
        let outer = outer.replace(&format!("sh {inner} &"), &format!("sh {inner} <&3 &"));
        let outer = write("wrapped-outer", &format!("exec 3<&0\n{outer}"));
        let sides = ["--engine", ENGINE, "depth=1", "tc=3600", "--engine", "sh", &outer, "depth=1"];
        let more = ["--games", "2", "--openings", "start", "--patience", "0.3"];
        let (json, _, messages) = play("wrapped-match", &[&sides[..], &more].concat());
        assert_eq!(json["endings"], serde_json::json!({ "no move": 2 }), "{messages}");
        let pids = fs::read_to_string(pids).expect("the numbers of the processes");
        assert!(pids.lines().count() >= 2, "{pids}");
        for pid in pids.lines() {
            let state = Command::new("ps").args(["-o", "stat=", "-p", pid]).output();
            let state = String::from_utf8(state.expect("ps runs").stdout).expect("UTF-8");
            // Dead, though its parent may not have taken its status yet.
            assert!(state.is_empty() || state.starts_with('Z'), "{pid}: {state}");
        }
    }

    /// An engine of XBoard's protocol with some features, that resigns at once or answers otherwise.
    #[test]
    fn it_speaks_the_protocol_of_xboard() {
        for (test, go, ending) in [
            ("resign", "echo resign", "resignation"),
            ("claim", "echo '1/2-1/2 {I say so}'", "false claim"),
            ("san", "echo '4 30 1 99 Nc3'; echo move Ke5", "illegal move"),
        ] {
            let text = format!(
                "while read -r line; do\n  case \"$line\" in\n    protover*) echo 'feature \
                 ping=1 setboard=1 san=1 done=1' ;;\n    ping*) echo \"pong ${{line#ping }}\" ;;\n    \
                 go) {go} ;;\n    quit) exit ;;\n  esac\ndone\n"
            );
            let bad = write(&format!("cecp-{test}"), &text);
            let bad = bad.as_str();
            let sides = ["--engine", ENGINE, "--engine", "sh", bad, "proto=cecp", "--depth", "1"];
            let log = folder(&format!("cecp-{test}-log")).join("log");
            let log_file = log.to_str().expect("UTF-8");
            let more = ["--games", "2", "--balance-depth", "1", "--log", log_file];
            let (json, _, messages) =
                play(&format!("cecp-{test}-match"), &[&sides[..], &more].concat());
            let log = logged(&log);
            for (direction, line) in [(">", "protover 2"), (">", "go"), ("<", "pong 1")] {
                assert!(log.iter().any(|row| row[5] == direction && row[6] == line), "{line}");
            }
            assert_eq!(json["endings"], serde_json::json!({ ending: 2 }), "{messages}");
            assert_eq!(json["wins"], 2, "{messages}");
        }
    }

    #[test]
    fn the_match_is_interrupted() {
        let words = ["--engine", ENGINE, "--engine", ENGINE, "--nodes", "100", "--games", "100000"];
        let mut arena = program("arena", &words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut messages = BufReader::new(arena.stderr.take().expect("its messages"));
        let mut line = String::new();
        messages.read_line(&mut line).expect("a line");
        assert!(line.contains("1/100000"), "{line}");
        let id = arena.id().to_string();
        let killed = Command::new("kill").args(["-INT", &id]).status().expect("kill runs");
        assert!(killed.success());
        let mut rest = String::new();
        messages.read_to_string(&mut rest).expect("UTF-8");
        let output = arena.wait_with_output().expect("its end");
        assert_eq!(output.status.code(), Some(130));
        let summary = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(
            summary.contains("interrupted  games that were not over do not count"),
            "{summary}"
        );
    }
}
