//! The program `halfmove-mailbox`, run through pipes as by a GUI.

use halfmove_rules::{AnyPosition, History, Outcome, Variant, makruk};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

struct Program {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Program {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_halfmove-mailbox"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("a pipe"));
        Self { child, input, output: BufReader::new(output) }
    }

    fn send(&mut self, line: &str) {
        let input = self.input.as_mut().expect("the input is open");
        writeln!(input, "{line}").expect("the program reads");
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the program writes UTF-8");
        assert!(line.ends_with('\n'), "the program has ended: {line:?}");
        line.trim_end().to_owned()
    }

    /// All lines up to the first that begins with a word.
    fn until(&mut self, word: &str) -> Vec<String> {
        let mut lines = vec![self.line()];
        while !lines.last().is_some_and(|line| line.starts_with(word)) {
            let line = self.line();
            lines.push(line);
        }
        lines
    }

    fn best_move(&mut self) -> String {
        let lines = self.until("bestmove ");
        lines[lines.len() - 1]["bestmove ".len()..].to_owned()
    }

    /// Sends commands and returns the replies until the program is ready again.
    fn ask(&mut self, commands: &[&str]) -> Vec<String> {
        commands.iter().for_each(|command| self.send(command));
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    fn quit(mut self) {
        self.send("quit");
        assert!(self.child.wait().expect("it ends").success());
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The program against itself; crate `rules` checks each move and the end of the game.
fn play_whole_game(variant: &str, mut history: History<AnyPosition>, opening: &[&str]) -> Outcome {
    let mut program = Program::start();
    program.send("uci");
    assert_eq!(program.until("uciok").last().map(String::as_str), Some("uciok"));
    let option = format!("setoption name UCI_Variant value {variant}");
    assert_eq!(program.ask(&[&option, "ucinewgame"]), Vec::<String>::new());
    let mut played = String::new();
    let mut opening = opening.iter();
    loop {
        program.send(&format!("position startpos moves{played}"));
        if let Some(outcome) = history.outcome().or(history.claim()) {
            if history.position().legal_moves().is_empty() {
                program.send("go depth 2");
                assert_eq!(program.best_move(), "0000");
            }
            program.quit();
            return outcome;
        }
        let uci = opening.next().map(|uci| (*uci).to_owned()).unwrap_or_else(|| {
            program.send("go depth 5 nodes 1500");
            program.best_move()
        });
        let done = history.play_uci(&uci);
        done.unwrap_or_else(|e| panic!("{variant},{played} {uci}: {e}"));
        played += &format!(" {uci}");
    }
}

#[test]
fn a_whole_game_of_chess() {
    for opening in [&["e2e4", "c7c5"][..], &["g2g4", "e7e5", "f2f3"]] {
        let history = History::new(AnyPosition::start(Variant::Chess));
        let outcome = play_whole_game("chess", history, opening);
        if opening.len() == 3 {
            assert_eq!(outcome.to_string(), "checkmate", "the queen mates on h4");
        }
    }
}

#[test]
fn whole_games_of_makruk_and_its_variants() {
    for (name, rules) in [
        ("makruk", makruk::Rules::Makruk),
        ("makpong", makruk::Rules::Makpong),
        ("asean", makruk::Rules::Asean),
    ] {
        let start = halfmove_rules::Makruk::start(rules);
        let start = start.with_policy(makruk::CountingPolicy::Auto);
        play_whole_game(name, History::new(AnyPosition::Makruk(start)), &[]);
    }
}

#[test]
fn it_introduces_itself() {
    let mut program = Program::start();
    program.send("uci");
    let lines = program.until("uciok");
    assert!(lines[0].starts_with("id name Halfmove 0x88 "), "{lines:?}");
    let variants = "option name UCI_Variant type combo default chess \
                    var chess var makruk var makpong var asean";
    assert!(lines.iter().any(|line| line == variants), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("option name UCI_Chess960 type check")));
    program.quit();
}

/// After an invalid position there is nothing to search, until there is a valid one.
#[test]
fn a_rejected_position_has_no_move() {
    let mut program = Program::start();
    for position in [
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen rnbqkbnr/pppppppp/8/8 w KQkq - 0 1",
        "position startpos moves e2e4 e7e5 e1e3",
        "position startpos moves e2e4 hello",
        "position somewhere",
        "position",
    ] {
        let lines = program.ask(&[position]);
        assert!(lines.len() == 1 && lines[0].starts_with("info string "), "{position}: {lines:?}");
        program.send("go depth 2");
        assert_eq!(program.line(), "bestmove 0000", "{position}");
        assert!(program.ask(&["d"])[0].starts_with("info string "));
    }
    program.send("position startpos moves e2e4");
    program.send("go depth 1");
    assert_eq!(program.best_move().len(), 4);
    program.quit();
}

#[test]
fn a_search_obeys_its_limits() {
    let mut program = Program::start();
    for go in ["go infinite", "go", "go depth 60", "go wtime 9000000 btime 9000000"] {
        program.send(go);
        // It replies while it searches.
        program.send("isready");
        program.until("readyok");
        program.send("stop");
        assert!(program.best_move().len() >= 4, "{go}");
    }
    for go in [
        "go depth 2",
        "go nodes 300",
        "go movetime 20",
        "go wtime 60 btime 60 winc 0 binc 0",
        "go movestogo 1 wtime 50 btime 50",
        "go wtime -20 btime 100",
        "go mate 1",
        "go depth 0",
    ] {
        program.send(go);
        assert!(program.best_move().len() >= 4, "{go}");
    }
    let lines = program.ask(&["go depth many"]);
    assert_eq!(lines, ["info string go depth: expected a number"]);
    // The end of the input ends a search and the program.
    program.send("go infinite");
    program.input = None;
    assert!(program.best_move().len() >= 4);
    assert!(program.child.wait().expect("it ends").success());
}

#[test]
fn mates_are_reported_from_the_side_to_move() {
    let mut program = Program::start();
    for (fen, score) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "score mate 1 "),
        ("r3k3/8/8/8/8/8/5PPP/6K1 b - - 0 1", "score mate 1 "),
        ("k7/8/8/8/8/8/2R5/3R3K w - - 0 1", "score mate 2 "),
        ("k7/8/8/8/8/8/1R6/2R4K b - - 0 1", "score mate -1 "),
    ] {
        program.send(&format!("position fen {fen}"));
        program.send("go depth 4");
        let lines = program.until("bestmove ");
        let last = &lines[lines.len() - 2];
        assert!(last.contains(score), "{fen}: {last}");
    }
    program.quit();
}

#[test]
fn castling_is_written_as_the_option_says() {
    let mut program = Program::start();
    let fen = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves";
    // Either way is read outside Chess960.
    assert!(program.ask(&[&format!("{fen} e1g1"), &format!("{fen} e1h1")]).is_empty());
    let start = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    assert!(program.ask(&[start, "perft 1"]).contains(&"e1g1: 1".to_owned()));
    let lines = program.ask(&["setoption name UCI_Chess960 value true", start, "perft 1"]);
    assert!(lines.contains(&"e1h1: 1".to_owned()), "{lines:?}");
    assert_eq!(program.ask(&[&format!("{fen} e1g1")]).len(), 1);
    let mut usual = Program::start();
    for fen in ["4k3/8/8/8/8/8/8/5K1R w K - 0 1", "1r2k3/8/8/8/8/8/8/4K3 b b - 0 1"] {
        let replies = usual.ask(&[&format!("position fen {fen}")]);
        assert!(
            matches!(&replies[..], [reply] if reply.contains("Chess960")),
            "{fen}: {replies:?}"
        );
        usual.send("go depth 1");
        assert_eq!(usual.until("bestmove ").last().map(String::as_str), Some("bestmove 0000"));
    }
    usual.quit();
    // King and rook change places.
    let fen = "position fen 4k3/8/8/8/8/8/8/5KR1 w G - 0 1 moves f1g1";
    assert!(program.ask(&[fen, "d"]).contains(&"Fen: 4k3/8/8/8/8/8/8/5RK1 b - - 1 1".to_owned()));
    program.quit();
}

#[test]
fn the_board_and_its_counts() {
    let mut program = Program::start();
    assert_eq!(program.ask(&["perft 3"]).last().map(String::as_str), Some("Nodes searched: 8902"));
    assert_eq!(program.ask(&["go perft 2"]).len(), 20 + 2);
    let lines = program.ask(&["setoption name UCI_Variant value makruk", "perft 3"]);
    assert_eq!(lines.last().map(String::as_str), Some("Nodes searched: 12012"));
    // A FEN in the source's letters.
    let source = "position fen rmtektmr/8/bbbbbbbb/8/8/BBBBBBBB/8/RMTKETMR w 1 moves a3a4";
    let drawing = program.ask(&[source, "d"]).join("\n");
    assert_eq!(
        drawing,
        "\
r n s m k s n r
. . . . . . . .
p p p p p p p p
. . . . . . . .
P . . . . . . .
. P P P P P P P
. . . . . . . .
R N S K M S N R

Fen: rnsmksnr/8/pppppppp/8/P7/1PPPPPPP/8/RNSKMSNR b - - 0 1
Fen, makruk-js: rmtektmr/8/bbbbbbbb/8/B7/1BBBBBBB/8/RMTKETMR b 1
Value: material 0, mobility 2, advance 4, center 0, shield 0, chase 0
Game: goes on"
    );
    for (command, reply) in [
        ("setoption name UCI_Variant value shogi", "UCI_Variant: no game is called \"shogi\""),
        ("setoption name Hash value 16", "there is no option Hash"),
        ("setoption name UCI_Chess960 value perhaps", "UCI_Chess960: expected true or false"),
        ("perft many", "perft: expected a depth"),
    ] {
        assert_eq!(program.ask(&[command]), [format!("info string {reply}")]);
    }
    assert!(program.ask(&["", "hello", "debug on", "stop", "ponderhit"]).is_empty());
    program.quit();
}
