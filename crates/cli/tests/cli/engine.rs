//! The engine of the verbs `analyze`, `selfplay` and `engine`.

use crate::program::{Finished, archive_of, finished, halfmove, ok, run, testdata};
use halfmove_game::pgn::read_game;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    /// The names of the files in the folder.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

pub(crate) fn shipped(name: &str) -> String {
    testdata(name).to_str().unwrap().to_owned()
}

pub(crate) fn fails(args: &[&str], words: &[&str]) -> Finished {
    let output = run(args);
    assert_eq!(output.code, 2, "halfmove {args:?}: {output:?}");
    for word in words {
        assert!(output.err.contains(word), "halfmove {args:?}: no {word:?} in {}", output.err);
    }
    output
}

/// Arguments, followed by more arguments.
fn with<'a>(args: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [args, more].concat()
}

/// The main lines alone.
fn stripped(path: &str) -> String {
    ok(&["pgn", "normalize", "--no-comments", "--no-nags", "--no-variations", path])
}

#[test]
fn analyzed_games_are_the_same_games() {
    let folder = Folder::new();
    let files = ["games/makruk.pgn", "games/chess960.pgn", "games/setup.pgn"].map(shipped);
    let [makruk, chess960, setup] = &files;
    let out = folder.path("out.pgn");
    let one = ok(&["analyze", "--nodes", "60", "--threads", "1", makruk, chess960, setup]);
    let output =
        run(&["analyze", "--nodes", "60", "--threads", "3", makruk, chess960, setup, "-o", &out]);
    assert_eq!((output.code, output.out.as_str()), (0, ""), "{output:?}");
    assert!(output.err.contains("101 games with "), "{output:?}");
    assert_eq!(fs::read_to_string(&out).unwrap(), one, "one thread and three");
    assert_eq!(folder.names(), ["out.pgn"]);

    let before: String = files.iter().map(|file| stripped(file)).collect();
    assert_eq!(stripped(&out), before);
    assert_eq!(run(&["pgn", "check", &out, "--limit", "0"]).code, run_check(&files));
    // Each move has an evaluation, except those that mate.
    let games = one.split("\n\n[").count();
    assert_eq!(games, 101);
    let stats = ok(&["pgn", "stats", &out, "--format", "json"]);
    let stats: serde_json::Value = serde_json::from_str(&stats).unwrap();
    let evaluations = one.matches("[%eval ").count() as u64;
    let mates = before.matches('#').count() as u64;
    assert!(mates > 5, "{mates} mates");
    assert_eq!(Some(evaluations + mates), stats["plies"].as_u64());
    for glyph in ["$6", "$2", "$4"] {
        assert!(one.contains(glyph), "no {glyph}");
    }
    // Doing it again changes nothing.
    let again = ok(&["analyze", "--nodes", "60", &out]);
    assert_eq!(again, one);
}

/// The faults that `pgn check` finds in the input files.
fn run_check(files: &[String; 3]) -> i32 {
    let [a, b, c] = files;
    run(&["pgn", "check", a, b, c, "--limit", "0"]).code
}

#[test]
fn a_file_without_games_stops_no_others() {
    let folder = Folder::new();
    let [first, empty, last] = [("a", "1. e4 e5 *\n"), ("b", ""), ("c", "1. d4 d5 *\n")]
        .map(|(name, text)| folder.file(&format!("{name}.pgn"), text));
    let output = run(&["analyze", &first, &empty, &last, "--nodes", "10", "--hash", "1"]);
    assert!(output.code == 0 && output.err.contains("no games"), "{output:?}");
    assert!(output.out.contains("1. e4") && output.out.contains("1. d4"), "{output:?}");
    let output = run(&["analyze", &empty, "--nodes", "10", "--hash", "1"]);
    assert!(output.code == 2 && output.err.contains("no games"), "{output:?}");
}

/// The program is killed again and again, each time a little later, and resumes: the final output is the same as without
/// kills.
#[test]
fn killed_and_resumed_is_unbroken() {
    let folder = Folder::new();
    let games = shipped("games/lichess.pgn.zst");
    let whole = folder.path("whole.pgn");
    let args = |out: &str| -> Vec<String> {
        let args = ["analyze", &games, "--nodes", "40", "--hash", "1", "--threads", "2", "-o", out];
        args.map(str::to_owned).to_vec()
    };
    let run_it = |out: &str| {
        let args = args(out);
        halfmove(&args.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let clock = std::time::Instant::now();
    let unbroken = finished(run_it(&whole).output().unwrap());
    assert_eq!(unbroken.code, 0, "{unbroken:?}");
    let step = clock.elapsed().mul_f64(0.15).max(Duration::from_millis(300));
    let is_whole = |out: &str| {
        let text = fs::read(out).unwrap();
        let text = if out.ends_with(".zst") { zstd::decode_all(&text[..]).unwrap() } else { text };
        text == fs::read(&whole).unwrap()
    };
    // Kills the program until it comes to its end before that; `None` if the last kill came after the output was complete.
    let series = |out: &str| -> Option<(Finished, u32, u32)> {
        let (mut killed, mut resumed) = (0, 0);
        loop {
            let mut command = run_it(out);
            command.stdout(Stdio::null()).stderr(Stdio::piped());
            let mut child = command.spawn().unwrap();
            std::thread::sleep(step.mul_f64(1.0 + f64::from(killed) / 7.0));
            let is_over = child.try_wait().unwrap().is_some();
            child.kill().unwrap();
            let output = child.wait_with_output().unwrap();
            resumed +=
                u32::from(String::from_utf8_lossy(&output.stderr).contains("resuming after "));
            if is_over || output.status.code().is_some() {
                return Some((finished(output), killed, resumed));
            }
            killed += 1;
            assert!(killed < 100, "it never comes to an end");
            if Path::new(out).exists() {
                // It has its name, so it is complete. What was in its place goes, in two steps.
                assert!(is_whole(out), "{out} differs");
                let has_part = Path::new(&format!("{out}.part")).exists();
                let again = finished(run_it(out).output().unwrap());
                if has_part {
                    assert!(again.err.contains("already has these games"), "{again:?}");
                    return Some((again, killed, resumed + 1));
                }
                assert_eq!(again.code, 2, "{again:?}");
                assert!(again.err.contains("this file exists, and stays as it is"), "{again:?}");
                fs::remove_file(out).unwrap();
                let _ = fs::remove_file(format!("{out}.journal"));
                return None;
            }
            // The last lines are incomplete, as a crash of the machine may leave them.
            if killed % 3 == 0 && Path::new(&format!("{out}.journal")).exists() {
                let append = |end: &str, text: &[u8]| {
                    use std::io::Write;
                    let mut file =
                        fs::OpenOptions::new().append(true).open(format!("{out}{end}")).unwrap();
                    file.write_all(text).unwrap();
                };
                append(".part", b"[Event \"half");
                append(".journal", b"{\"games\":7");
            }
        }
    };
    for out in ["broken.pgn", "broken.pgn.zst"].map(|name| folder.path(name)) {
        // A kill in the last moment hides the last line, so it all begins again.
        let (last, killed, resumed) = (0..20).find_map(|_| series(&out)).expect("an end");
        assert_eq!(last.code, 0, "{last:?}");
        assert!(killed > 1 && resumed > 0, "{killed} killed, {resumed} resumed");
        // The counts are those of all runs.
        let counts = |output: &Finished| output.err.lines().last().unwrap().to_owned();
        assert_eq!(counts(&last), counts(&unbroken));
        let text = ok(&["pgn", "normalize", &out]);
        assert!(text == ok(&["pgn", "normalize", &whole]), "{out} differs");
        assert!(is_whole(&out), "{out} differs");
        fs::remove_file(&out).unwrap();
    }
    // A kill while the whole result is written leaves the temporary file of that moment, and nothing else.
    let is_left = |name: &String| !name.starts_with(".halfmove-");
    let left: Vec<String> = folder.names().into_iter().filter(is_left).collect();
    assert_eq!(left, ["whole.pgn"]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_analysis_says_how_to_go_on() {
    let folder = Folder::new();
    let (games, out) = (shipped("games/lichess.pgn.zst"), folder.path("out.pgn"));
    let args = ["analyze", &games, "--nodes", "20000", "--hash", "1", "-o", &out];
    let mut child = halfmove(&args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1_500));
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    child.wait().unwrap();
    let output = finished(child.wait_with_output().unwrap());
    assert_eq!(output.code, 130, "{output:?}");
    assert!(output.err.contains("done, and the same command resumes from there"), "{output:?}");
    assert_eq!(folder.names(), ["out.pgn.journal", "out.pgn.part"]);

    // It does not resume with other settings or other games.
    let with = |nodes: &str, games: &str, more: &str| {
        let args = ["analyze", games, "--nodes", nodes, "--hash", "1", "-o", &out, more];
        args.map(str::to_owned).into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>()
    };
    let setup = shipped("games/setup.pgn");
    for (args, word) in [
        (with("10000", &games, ""), "nodes 20000, now 10000"),
        (with("20000", &games, "--keep-evals"), "keep_evals false, now true"),
        (with("20000", &setup, ""), "games ["),
    ] {
        let args: Vec<_> = args.iter().map(String::as_str).collect();
        fails(&args, &["unfinished work with other settings", word, "--restart"]);
    }
    assert_eq!(folder.names(), ["out.pgn.journal", "out.pgn.part"]);
    let args = with("50", &setup, "--restart");
    ok(&args.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(folder.names(), ["out.pgn"]);
    assert_eq!(fs::read_to_string(&out).unwrap(), ok(&["analyze", &setup, "--nodes", "50"]));
}

#[test]
fn nothing_is_in_the_way_unseen() {
    let folder = Folder::new();
    let (games, out) = (shipped("games/makruk.pgn"), folder.file("out.pgn", "mine"));
    let (_archive_folder, archive) = archive_of(&["games/makruk.pgn"]);
    let analyze = |more: &[&str], words: &[&str]| {
        fails(&[&["analyze", &games, "--nodes", "50"], more].concat(), words);
    };
    analyze(&["-o", &out], &["out.pgn: this file exists, and stays as it is", "--force"]);
    let part = folder.file("new.pgn.part", "mine");
    analyze(&["-o", &folder.path("new.pgn")], &["new.pgn.part: this file exists"]);
    let journal = folder.file("other.pgn.journal", "mine\n");
    analyze(&["-o", &folder.path("other.pgn")], &["other.pgn.journal", "is not a journal"]);
    analyze(&["-o", &archive], &["is an archive", &format!("--into {archive}")]);
    analyze(&["-o", "/dev/null"], &["/dev/null", "standard output"]);
    analyze(&["--player", "tal"], &["filters", "halfmove import ARCHIVE"]);
    analyze(&["--into", "s3://b/c"], &["read-only"]);
    analyze(&["--into", &out], &["is a file, expected the folder of an archive", "--output"]);
    fails(&["selfplay", "--games", "0"], &["--games", "expected a number of at least 1"]);
    analyze(&["-o", "a.pgn", "--into", "b"], &["cannot be used with"]);
    fails(&["analyze", &archive, &games], &["expected nothing else beside it"]);
    fails(&["analyze", &archive, "--into", &archive], &["this archive is being read"]);
    fails(&["analyze", &games, "--nodes", "0"], &["expected a number of nodes"]);
    fails(&["analyze", &folder.path("no.pgn")], &["no.pgn"]);
    for path in [&out, &part, &journal] {
        assert!(fs::read_to_string(path).unwrap().starts_with("mine"));
    }
    assert_eq!(folder.names(), ["new.pgn.part", "other.pgn.journal", "out.pgn"]);
    assert_eq!(run(&["analyze", &archive, "--player", "nosuchplayer"]).code, 1);
    // With --force.
    let output = run(&["analyze", &games, "--nodes", "50", "-o", &out, "--force"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(fs::read_to_string(&out).unwrap().contains("[%eval "));
}

#[test]
fn an_archive_becomes_an_archive_with_evaluations() {
    let folder = Folder::new();
    let (_folder, archive) = archive_of(&["games/makruk.pgn", "games/lichess.pgn.zst"]);
    let (new, out) = (folder.path("new"), folder.path("out.pgn"));
    let filter = ["--max-plies", "40"];
    let nodes = ["--nodes", "80", "--hash", "1"];
    let analyze = [&["analyze", archive.as_str()], &filter[..], &nodes[..]].concat();
    let output = run(&[&analyze[..], &["--into", &new]].concat());
    assert_eq!(output.code, 0, "{output:?}");
    ok(&[&analyze[..], &["-o", &out]].concat());
    assert_eq!(folder.names(), ["new", "out.pgn"]);
    assert_eq!(ok(&["export", &new]), fs::read_to_string(&out).unwrap());
    let games = ok(&["search", &new, "--count"]);
    assert!(output.err.contains(&format!("{} games imported into", games.trim())), "{output:?}");
    #[cfg(feature = "sql")]
    {
        let cell = |query: &str| {
            let csv = ok(&["sql", &new, query, "--format", "csv"]);
            csv.lines().nth(1).unwrap().to_owned()
        };
        assert_eq!(cell("select count(*) from games where plies > 1 and evaluations is null"), "0");
        assert_eq!(cell("select max(source) from games"), "archive");
        let swings = cell(
            "select count(*) from games where abs(eval_at(evaluations, 12) - eval_at(evaluations, 11)) > 200",
        );
        assert_ne!(swings, "0");
    }
    // Once more into the same archive, which already has the games.
    let again = run(&[&analyze[..], &["--into", &new]].concat());
    assert_eq!(again.code, 0, "{again:?}");
    assert!(again.err.contains("already has these games"), "{again:?}");
    assert_eq!(ok(&["search", &new, "--count"]), games);
}

#[test]
fn all_that_a_game_has_stays() {
    let folder = Folder::new();
    let text = "[Event \"A\"]\n[Annotator \"me\"]\n\n{before} 1. e4 {[%clk 0:03:00] the king's} e5 $1 (1... c5 {sharp} \
                2. Nf3) 2. Qh5 {[%eval 9.9]} Ke7 $4 {oh} 3. Qxe5# 1-0\n\n";
    let atomic =
        "[Event \"V\"]\n[Variant \"Atomic\"]\n\n1. e4 {boom} 1... e5 2. Nf3 (2. Nc3) *\n\n";
    let faulty = "[Event \"F\"]\n\n1. e4 e5 2. Ke3 Nf6 *\n\n";
    let games = folder.file("games.pgn", &format!("{text}{atomic}{faulty}"));
    let coded = folder.path("games.hmg");
    let output = run(&["analyze", &games, "--nodes", "2000"]);
    assert!(
        output.err.contains("1 game copied unchanged that the engine cannot play"),
        "{output:?}"
    );
    assert!(output.err.contains("1 game with errors analyzed up to there"), "{output:?}");
    let parts: Vec<&str> = output.out.split("[Event ").collect();
    assert_eq!(parts.len(), 4, "{}", output.out);
    assert_eq!(format!("[Event {}", parts[2]), atomic, "copied unchanged");
    assert!(parts[3].contains("1. e4 {[%eval ") && parts[3].contains("Ke3"), "{}", parts[3]);
    let game = read_game(&output.out).unwrap();
    let old = read_game(text).unwrap();
    assert_eq!((&game.tags, &game.moves, game.result), (&old.tags, &old.moves, old.result));
    let node = |ply| game.node(ply).unwrap();
    assert_eq!(node(1).clock(), old.node(1).unwrap().clock());
    assert_eq!(node(1).comment().as_deref(), Some("the king's"));
    assert!(node(1).evaluation().is_some());
    assert_eq!(node(2).nags().map(|nag| nag.number()).collect::<Vec<_>>(), [1]);
    assert_eq!(node(2).variations().count(), 1);
    assert_eq!(node(4).nags().map(|nag| nag.number()).collect::<Vec<_>>(), [4]);
    assert_eq!(node(4).evaluation().unwrap().mate(), Some(1));
    // The better move.
    let instead = node(4).variations().next().unwrap().first().unwrap();
    assert_ne!(instead.san(), "Ke7");
    assert!(node(3).evaluation().unwrap().centipawns().unwrap().abs() < 300, "9.9 gives way");
    assert_eq!(node(5).evaluation(), None);
    let kept = ok(&["analyze", &games, "--nodes", "2000", "--keep-evals"]);
    assert_eq!(
        read_game(&kept).unwrap().node(3).unwrap().evaluation().unwrap().centipawns(),
        Some(990)
    );

    // Coded games, and standard input.
    ok(&["pgn", "normalize", &games, "-o", &folder.path("clean.pgn")]);
    run(&["encode", &games, "-o", &coded]);
    let of_coded = ok(&["analyze", &coded, "--nodes", "2000"]);
    assert!(of_coded.contains("{[%eval #1]") || of_coded.contains("[%eval #1]"), "{of_coded}");
    let mut child = halfmove(&["analyze", "-", "--nodes", "2000"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::io::Write::write_all(
        &mut child.stdin.take().unwrap(),
        fs::read(&games).unwrap().as_slice(),
    )
    .unwrap();
    let piped = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(piped.stdout).unwrap(), output.out);
    fails(&["analyze", &folder.file("empty.pgn", "")], &["empty.pgn: no games"]);
}

#[test]
fn games_against_itself_are_stored_and_found() {
    let folder = Folder::new();
    for game in ["makruk", "chess960", "chess", "asean", "makpong"] {
        let play = ["selfplay", "--game", game, "--games", "7", "--nodes", "60", "--hash", "1"];
        let one = ok(&with(&play, &["--threads", "1"]));
        assert!(one.contains("[Termination \"normal\"]\n[TerminationDetails \""), "{one}");
        let out = folder.path("out.pgn.gz");
        ok(&with(&play, &["--threads", "3", "-o", &out]));
        assert_eq!(ok(&["pgn", "normalize", &out]), {
            let plain = folder.file("plain.pgn", &one);
            ok(&["pgn", "normalize", &plain])
        });
        fs::remove_file(&out).unwrap();
        assert_ne!(one, ok(&with(&play, &["--seed", "2"])));

        let archive = folder.path(game);
        let output = run(&with(&play, &["--into", &archive]));
        assert_eq!(output.code, 0, "{output:?}");
        let found = run(&["search", &archive, "--variant", game, "--format", "json"]);
        let found: serde_json::Value = serde_json::from_str(&found.out).unwrap();
        assert_eq!(found["count"], 7, "{game}");
        assert_eq!(ok(&["export", &archive]), one);
        if cfg!(feature = "sql") {
            let query = "select count(*), count(evaluations), count(coalesce(eval_at(evaluations, -1), mate_at(evaluations, -1))) from games";
            let csv = ok(&["sql", &archive, query, "--format", "csv"]);
            assert_eq!(csv.lines().nth(1), Some("7,7,7"), "{game}");
        }
        let check = run(&["pgn", "check", &folder.file("plain.pgn", &one)]);
        assert_eq!(check.code, 0, "{check:?}");
    }
}

#[test]
fn more_games_begin_with_the_same() {
    let play = ["selfplay", "--nodes", "40", "--hash", "1", "--game", "makruk", "--games"];
    let few = ok(&[&play[..], &["3"]].concat());
    let more = ok(&[&play[..], &["5"]].concat());
    assert!(more.starts_with(&few) && more.len() > few.len());
    fails(
        &["selfplay", "--opening", "1", "--games", "30", "--nodes", "1"],
        &["--opening 1: there are only ", "balanced openings, expected 30"],
    );
    fails(&["selfplay", "--game", "atomic"], &["atomic", "makruk"]);
}

#[test]
fn the_engine_obeys() {
    let answer =
        ok(&["engine", "position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "go depth 3"]);
    assert!(answer.contains("bestmove d1d8"), "{answer}");
    assert_eq!(ok(&["engine", "perft", "3"]).lines().last(), Some("Nodes searched: 8902"));
    let mut child =
        halfmove(&["engine"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(
        &mut child.stdin.take().unwrap(),
        b"uci\nisready\nposition startpos moves e2e4\ngo nodes 100\nquit\n",
    )
    .unwrap();
    let output = finished(child.wait_with_output().unwrap());
    assert_eq!(output.code, 0);
    for word in ["id name Halfmove", "uciok", "readyok", "bestmove "] {
        assert!(output.out.contains(word), "no {word} in {}", output.out);
    }
}
