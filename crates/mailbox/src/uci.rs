//! The Universal Chess Interface: a program that a GUI or a match runner talks to, line by line.
//!
//! One thread reads commands and replies at once, another searches. A command that changes the searched position or
//! game (`position`, `go`, `setoption`, `ucinewgame`, `perft`) first stops the search, which then prints its
//! `bestmove`; so do `quit` and the end of the input. Unknown commands are skipped. The reply to an invalid command is
//! `info string` with the reason.
//!
//! # Source
//! Stefan Meyer-Kahlen and Rudolf Huber, *UCI protocol* (2006); the option `UCI_Variant` and the names of variants as
//! in Fairy-Stockfish.

mod game;
mod limits;

use game::{AnyGame, Variant};
use halfmove_mailbox::{Game, SearchResult, State, deepen, evaluate};
use halfmove_rules::CastlingStyle;
use limits::Go;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Instant;

/// Reads commands until `quit` or the end of the input.
pub(crate) fn serve(mut input: impl BufRead) -> io::Result<()> {
    let mut session = Session::default();
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 || !session.obey(&line)? {
            return session.stop();
        }
    }
}

/// Writes whole lines at once.
fn say(text: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes())?;
    output.write_all(b"\n")?;
    output.flush()
}

fn complain(reason: &str) -> io::Result<()> {
    // A reason may quote the input.
    say(&format!("info string {}", reason.replace(char::is_control, " ")))
}

#[derive(Debug)]
struct Session {
    variant: Variant,
    castling: CastlingStyle,
    /// `None` after a position that was rejected.
    game: Option<AnyGame>,
    search: Option<Running>,
}

/// A search on its own thread.
#[derive(Debug)]
struct Running {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<io::Result<()>>,
}

impl Default for Session {
    fn default() -> Self {
        Self {
            variant: Variant::Chess,
            castling: CastlingStyle::KingToTarget,
            game: Some(Variant::Chess.start()),
            search: None,
        }
    }
}

impl Session {
    /// Executes a line. Returns false if it ends the program.
    fn obey(&mut self, line: &[u8]) -> io::Result<bool> {
        let line = String::from_utf8_lossy(line);
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["uci", ..] => say(&self.introduction())?,
            ["isready", ..] => say("readyok")?,
            ["ucinewgame", ..] => {
                self.stop()?;
                self.game = Some(self.variant.start());
            }
            ["setoption", ref rest @ ..] => {
                self.stop()?;
                self.set_option(rest)?;
            }
            ["position", ref rest @ ..] => {
                self.stop()?;
                self.game = None;
                match AnyGame::read(rest, self.variant, self.castling) {
                    Ok(game) => self.game = Some(game),
                    Err(reason) => complain(&reason)?,
                }
            }
            ["go", "perft", depth, ..] | ["perft", depth, ..] => {
                self.stop()?;
                self.perft(depth)?;
            }
            ["go", ref rest @ ..] => {
                self.stop()?;
                match Go::read(rest) {
                    Ok(go) => self.go(go)?,
                    Err(reason) => complain(&reason)?,
                }
            }
            ["stop", ..] => self.stop()?,
            ["d", ..] => match &self.game {
                Some(game @ AnyGame::Chess(state)) => say(&drawing(state, &game.fens()))?,
                Some(game @ AnyGame::Makruk(state)) => say(&drawing(state, &game.fens()))?,
                None => complain("there is no position")?,
            },
            ["quit", ..] => return Ok(false),
            _ => {}
        }
        Ok(true)
    }

    fn introduction(&self) -> String {
        let variants = Variant::ALL.map(|variant| format!(" var {}", variant.name())).concat();
        format!(
            "id name Halfmove 0x88 {}\n\
             id author the Halfmove developers\n\
             option name UCI_Variant type combo default chess{variants}\n\
             option name UCI_Chess960 type check default false\n\
             uciok",
            env!("CARGO_PKG_VERSION")
        )
    }

    fn set_option(&mut self, words: &[&str]) -> io::Result<()> {
        let ["name", name, rest @ ..] = words else {
            return complain("expected setoption name …");
        };
        let value = if let ["value", value] = rest { *value } else { "" };
        if name.eq_ignore_ascii_case("UCI_Variant") {
            let Some(variant) = Variant::ALL.into_iter().find(|variant| variant.name() == value)
            else {
                return complain(&format!("UCI_Variant: no game is called \"{value}\""));
            };
            self.variant = variant;
            self.game = Some(variant.start());
            return Ok(());
        }
        if name.eq_ignore_ascii_case("UCI_Chess960") {
            self.castling = match value {
                "true" => CastlingStyle::KingTakesRook,
                "false" => CastlingStyle::KingToTarget,
                _ => return complain("UCI_Chess960: expected true or false"),
            };
            return Ok(());
        }
        complain(&format!("there is no option {name}"))
    }

    fn go(&mut self, go: Go) -> io::Result<()> {
        let stop = Arc::new(AtomicBool::new(false));
        let (flag, castling) = (Arc::clone(&stop), self.castling);
        let thread = match self.game.clone() {
            None => return say("bestmove 0000"),
            Some(AnyGame::Chess(state)) => {
                thread::spawn(move || search(&state, go, &flag, castling))
            }
            Some(AnyGame::Makruk(state)) => {
                thread::spawn(move || search(&state, go, &flag, castling))
            }
        };
        self.search = Some(Running { stop, thread });
        Ok(())
    }

    /// Stops the search, if there is one, and waits for its `bestmove`.
    fn stop(&mut self) -> io::Result<()> {
        let Some(Running { stop, thread }) = self.search.take() else { return Ok(()) };
        stop.store(true, Ordering::Relaxed);
        thread.thread().unpark();
        thread.join().unwrap_or_else(|_| Err(io::Error::other("the search has failed")))
    }

    fn perft(&self, depth: &str) -> io::Result<()> {
        match (depth.parse(), &self.game) {
            (Ok(depth), Some(AnyGame::Chess(state))) => say(&divide(state, depth, self.castling)),
            (Ok(depth), Some(AnyGame::Makruk(state))) => say(&divide(state, depth, self.castling)),
            (Ok(_), None) => complain("there is no position"),
            (Err(_), _) => complain("perft: expected a depth"),
        }
    }
}

/// Searches, reports each depth, and prints the best move.
fn search<G: Game>(
    state: &State<G>,
    go: Go,
    stop: &AtomicBool,
    castling: CastlingStyle,
) -> io::Result<()> {
    let start = Instant::now();
    let time = go.time_for(state.side_to_move());
    let is_late = || time.is_some_and(|time| start.elapsed() >= time);
    let mut must_stop = || stop.load(Ordering::Relaxed) || is_late();
    let mut written = Ok(());
    let mut report = |depth: u32, result: &SearchResult| {
        if written.is_ok() {
            written = say(&info(state, depth, result, start, castling));
        }
    };
    let result = deepen(state, go.limits(), &mut must_stop, &mut report);
    written?;
    // By the protocol an infinite search ends with `stop`.
    while go.is_infinite() && !stop.load(Ordering::Relaxed) {
        thread::park();
    }
    let best = result.as_ref().and_then(|result| result.line.first());
    let best = best.map_or("0000".to_owned(), |mv| state.uci(*mv, castling));
    say(&format!("bestmove {best}"))
}

fn info<G: Game>(
    state: &State<G>,
    depth: u32,
    result: &SearchResult,
    start: Instant,
    castling: CastlingStyle,
) -> String {
    let sign = if state.side_to_move() == halfmove_rules::Color::White { 1 } else { -1 };
    let score = match result.value.mate_plies() {
        // In whole moves, the last one counted.
        Some(plies) if sign * plies > 0 => format!("mate {}", (sign * plies + 1) / 2),
        Some(plies) => format!("mate {}", sign * plies / 2),
        None => format!("cp {}", sign * result.value.centipawns()),
    };
    let elapsed = start.elapsed();
    let nps = (result.nodes as f64 / elapsed.as_secs_f64().max(1e-6)) as u64;
    let mut line = String::new();
    let mut now = state.clone();
    for mv in &result.line {
        line += &format!(" {}", now.uci(*mv, castling));
        now = now.play_unchecked(*mv);
    }
    let (nodes, time) = (result.nodes, elapsed.as_millis());
    format!("info depth {depth} score {score} nodes {nodes} time {time} nps {nps} pv{line}")
}

/// The number of leaves below each move, and in all.
fn divide<G: Game>(state: &State<G>, depth: u32, castling: CastlingStyle) -> String {
    let mut text = String::new();
    let mut sum = if depth == 0 { 1 } else { 0 };
    if depth > 0 {
        let mut moves = state.legal_moves();
        moves.sort_unstable();
        for mv in moves {
            let leaves = state.play_unchecked(mv).perft(depth - 1);
            text += &format!("{}: {leaves}\n", state.uci(mv, castling));
            sum += leaves;
        }
    }
    format!("{text}\nNodes searched: {sum}")
}

/// The board, its FENs, the value of each term, and the state of the game.
fn drawing<G: Game>(state: &State<G>, fens: &str) -> String {
    let terms = evaluate(state).terms().map(|(name, value)| format!("{name} {value}")).join(", ");
    let ending = match (state.ending(), state.claim()) {
        (Some(ending), _) => format!("over, {}", halfmove_rules::Outcome::from(ending)),
        (None, Some(draw)) => format!("a draw by {}", halfmove_rules::Outcome::from(draw)),
        (None, None) if state.is_check() => "check".to_owned(),
        (None, None) => "goes on".to_owned(),
    };
    format!("{state}\n{fens}\nValue: {terms}\nGame: {ending}")
}
