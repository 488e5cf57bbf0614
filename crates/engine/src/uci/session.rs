//! A session: executes the commands of a GUI.

use super::bench::Bench;
use super::command::{self, Command, Go};
use super::game::{Game, on_bitboards};
use super::machine;
use super::options::{Effect, Options};
use super::output::Output;
use super::strength::{wdl, weakened};
use crate::search::mates;
use crate::{
    Budget, Clock, Evaluator, KeyedMakruk, Limits, Memory, Net, Report, Search, SearchResult,
    Settings, Signals, Table, TimeLeft, Value,
};
use halfmove_rules::{AnyPosition, CastlingStyle, Color};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

/// The maximum size of a net file, since a path may be a device without end.
const MAX_NET_BYTES: u64 = 4 << 20;

/// The error of a command that needs a position, after a rejected `position`.
const NO_POSITION: &str = "there is no position: the last one was refused";

/// The maximum depth of perft. No count this deep would end, and each ply needs stack.
const DEEPEST_PERFT: u32 = 50;

#[cfg(target_os = "linux")]
const LOWEST_PRIORITY: i32 = 19;

/// A search in progress.
struct Thinking {
    signals: Arc<Signals>,
    thread: JoinHandle<()>,
    /// True if it ends only with `stop`.
    endless: bool,
}

/// The state of a session with a GUI.
pub(super) struct Session<W> {
    output: Output<W>,
    clock: Arc<dyn Clock>,
    options: Options,
    memory: Arc<Memory>,
    /// The net of `EvalFile`.
    net: Option<Arc<Net>>,
    /// `None` after a rejected `position`.
    game: Option<Game>,
    thinking: Option<Thinking>,
    /// The thread that computes a mate table, if any.
    solving: Option<JoinHandle<()>>,
}

impl<W: Write + Send + 'static> Session<W> {
    pub(super) fn new(output: Output<W>, clock: Arc<dyn Clock>) -> Self {
        let options = Options::default();
        let memory = Arc::new(Memory::new(options.hash_mib));
        let game = Some(Game::start(options.game()));
        Self { output, clock, options, memory, net: None, game, thinking: None, solving: None }
    }

    /// Executes a line. Returns false after `quit`.
    pub(super) fn obey(&mut self, line: &str) -> io::Result<bool> {
        let Some(command) = command::parse(line) else { return Ok(true) };
        match command {
            Command::Uci => {
                let version = env!("CARGO_PKG_VERSION");
                let options = self.options.list();
                self.output.send(&format!(
                    "id name Halfmove {version}\nid author the Halfmove authors\n\n{options}uciok"
                ))?;
            }
            Command::IsReady => self.output.send("readyok")?,
            Command::NewGame => {
                self.stop();
                self.forget();
                self.start_game();
            }
            Command::SetOption { name, value } => {
                self.stop();
                self.set(&name, value.as_deref())?;
            }
            Command::Position { fen, moves } => {
                self.stop();
                // A move in the previous position would belong to another game.
                self.game = None;
                match Game::parse(self.options.game(), fen.as_deref(), &moves) {
                    Ok((game, repairs)) => {
                        for repair in repairs {
                            self.output
                                .send(&format!("info string warning: position: {repair}"))?;
                        }
                        self.game = Some(game);
                    }
                    Err(error) => self.complain(&error.to_string())?,
                }
            }
            Command::Go(go) => {
                self.stop();
                for error in &go.errors {
                    self.complain(&format!("go: {error}"))?;
                }
                match go.perft {
                    Some(_) => self.perft(go.perft)?,
                    // No search was requested, so no GUI waits for a move.
                    None if go.counts_leaves => {}
                    None => self.go(go)?,
                }
            }
            Command::Stop => self.stop(),
            Command::PonderHit => {
                if let Some(thinking) = &self.thinking {
                    thinking.signals.ponder_hit(self.clock.now());
                }
            }
            Command::Quit => {
                self.stop();
                return Ok(false);
            }
            Command::Display => match &self.game {
                Some(game) => self.output.send(&game.drawing())?,
                None => self.complain(NO_POSITION)?,
            },
            Command::Eval => match &self.game {
                Some(game) => {
                    self.output.send(&game.evaluation(evaluator(true, self.net.as_deref())))?;
                }
                None => self.complain(NO_POSITION)?,
            },
            Command::Perft(depth) => {
                self.stop();
                self.perft(depth)?;
            }
            Command::Bench(words) => {
                self.stop();
                let evaluator = evaluator(self.options.by_net, self.net.as_deref());
                match Bench::parse(&words) {
                    Ok(bench) => {
                        self.output.send(&bench.run_with(evaluator, &*self.clock).to_string())?
                    }
                    Err(error) => self.complain(&error)?,
                }
            }
        }
        Ok(true)
    }

    fn complain(&self, reason: &str) -> io::Result<()> {
        self.output.send(&format!("info string error: {reason}"))
    }

    fn set(&mut self, name: &str, value: Option<&str>) -> io::Result<()> {
        let before = self.options.clone();
        match self.options.set(name, value) {
            Ok(Effect::None) => {}
            Ok(Effect::Hash) => {
                if let Err(reason) = self.resize(self.options.hash_mib) {
                    self.options = before;
                    let mib = self.memory.table.mib();
                    self.complain(&format!("setoption: {name}: {reason}, it stays at {mib} MiB"))?;
                }
            }
            Ok(Effect::Clear) => self.forget(),
            // Results from one game are wrong in another.
            Ok(Effect::Variant) => {
                self.forget();
                self.start_game();
            }
            Ok(Effect::EvalFile) => match self.options.eval_file.as_deref().map(read).transpose() {
                Ok(net) => {
                    self.net = net.map(Arc::new);
                    self.forget();
                    if let Some(net) = &self.net {
                        let game = net.game();
                        self.output.send(&format!("info string EvalFile: a net of {game}"))?;
                    }
                }
                Err(error) => {
                    self.options = before;
                    self.complain(&format!("setoption: EvalFile: {error}"))?;
                }
            },
            Err(error) => self.complain(&format!("setoption: {error}"))?,
        }
        Ok(())
    }

    /// Resizes the table. If there is not enough memory, the old one stays.
    fn resize(&mut self, mib: usize) -> Result<(), String> {
        if self.memory.table.mib() == mib {
            return Ok(());
        }
        // Some systems overcommit memory, and kill the program once it is used.
        if let Some(most) = machine::memory_mib().filter(|most| mib > *most) {
            return Err(format!("{mib} MiB is more than this machine has ({most} MiB)"));
        }
        let table = Table::try_new(mib).ok_or(format!("no memory for {mib} MiB"))?;
        self.memory = Arc::new(Memory::with_table(table));
        Ok(())
    }

    /// Clears the table and the histories. Allocating a new table takes no time, whatever its size.
    fn forget(&mut self) {
        match Table::try_new(self.memory.table.mib()) {
            Some(table) => self.memory = Arc::new(Memory::with_table(table)),
            None => self.memory.clear(),
        }
    }

    /// Counts the leaves at a depth.
    fn perft(&self, depth: Option<i64>) -> io::Result<()> {
        let Some(game) = &self.game else { return self.complain(NO_POSITION) };
        let depth = depth.and_then(|depth| u32::try_from(depth).ok());
        match depth.filter(|depth| *depth <= DEEPEST_PERFT) {
            Some(depth) => self.output.send(&game.divide(depth)),
            None => self.complain(&format!(
                "perft: expected a depth from 0 to {DEEPEST_PERFT}, as in perft 4"
            )),
        }
    }

    /// Sets up the board, and computes the small mate tables of Makruk, before any clock runs.
    fn start_game(&mut self) {
        let game = Game::start(self.options.game());
        mates::prepare_small(game.position.variant());
        self.game = Some(game);
    }

    /// Computes the mate table for an ending in the background.
    fn solve_ending(&mut self) {
        let Some(position) = self.game.as_ref().map(|game| &game.position) else { return };
        let (board, variant) = (position.board().clone(), position.variant());
        let solves = self.solving.as_ref().is_some_and(|thread| !thread.is_finished());
        if solves || !mates::needs(&board, variant) {
            return;
        }
        let solve = move || {
            yield_to_searches();
            mates::prepare(&board, variant);
        };
        // If no thread can be started, the search does not use the table.
        self.solving = thread::Builder::new().spawn(solve).ok();
    }

    /// Starts a search. Without a position it prints `bestmove 0000`, because a GUI waits for a response.
    fn go(&mut self, go: Go) -> io::Result<()> {
        let signals = Arc::new(if go.ponder { Signals::pondering() } else { Signals::default() });
        let (heard, output) = (Arc::clone(&signals), self.output.clone());
        let Some(game) = self.game.clone() else {
            self.complain(&format!("go: {NO_POSITION}"))?;
            let answer = move || {
                heard.wait(go.infinite);
                let _ = output.send("bestmove 0000");
            };
            return self.think(signals, go.infinite || go.ponder, answer);
        };
        let (moves, errors) = game.moves(&go.moves);
        for error in errors {
            self.complain(&format!("go: searchmoves {error}"))?;
        }
        // The GUI waits for a response, so an invalid request gets a short search.
        let depth = if go.errors.is_empty() { go.depth } else { Some(1) };
        let mut limits = Limits {
            depth,
            nodes: go.nodes,
            mate: go.mate,
            time: self.budget(&go, game.position.side_to_move()),
            infinite: go.infinite,
            search_moves: moves,
        };
        let mut settings = Settings {
            threads: self.options.threads,
            multi_pv: self.options.multi_pv,
            ..Settings::default()
        };
        if self.options.limit_strength {
            let (nodes, noise) = weakened(self.options.elo);
            limits.nodes = Some(limits.nodes.map_or(nodes, |limit| limit.min(nodes)));
            settings.noise = noise;
            settings.threads = 1;
        }
        // A search limited by nodes or depth computes the table itself, before it begins.
        if !limits.is_counted() {
            self.solve_ending();
        }
        let has_limit = limits.depth.is_some()
            || limits.nodes.is_some()
            || limits.mate.is_some()
            || limits.time.is_some();
        let endless = go.infinite || go.ponder || !has_limit;

        let memory = Arc::clone(&self.memory);
        let start = self.clock.now();
        let (net, by_net) = (self.net.clone(), self.options.by_net);
        let clock = Arc::clone(&self.clock);
        let teller = Teller {
            style: game.style(),
            makruk: game.position.as_makruk().is_some(),
            show_wdl: self.options.show_wdl,
        };
        let think = move || {
            let search = Search::new(&memory)
                .with_settings(settings)
                .with_evaluator(evaluator(by_net, net.as_deref()))
                .with_signals(&heard)
                .with_clock(&*clock)
                .with_start(start);
            let mut report = |report: &Report| {
                // The GUI has exited.
                if output.send(&teller.info(report)).is_err() {
                    heard.stop();
                }
            };
            let answer = on_bitboards!(&game.position, board => {
                search.run(board, &game.earlier, &limits, &mut report)
            });
            let _ = output.send(&teller.answer(&answer));
        };
        self.think(signals, endless, think)
    }

    /// Runs a function that returns a `bestmove` on a separate thread.
    fn think(
        &mut self,
        signals: Arc<Signals>,
        endless: bool,
        think: impl FnOnce() + Send + 'static,
    ) -> io::Result<()> {
        match thread::Builder::new().spawn(think) {
            Ok(thread) => self.thinking = Some(Thinking { signals, thread, endless }),
            Err(error) => self.complain(&format!("go: no thread to search with: {error}"))?,
        }
        Ok(())
    }

    /// The time that `go` allows the side to move.
    fn budget(&self, go: &Go, side_to_move: Color) -> Option<Budget> {
        let overhead = self.options.overhead_ms;
        if let Some(time) = go.movetime_ms {
            return Some(Budget::exactly(time, overhead));
        }
        let us = match side_to_move {
            Color::White => 0,
            Color::Black => 1,
        };
        // If only the other side has a clock, ours has run out.
        let other = go.left_ms[1 - us].map(|_| 0);
        let clock = TimeLeft {
            left_ms: go.left_ms[us].or(other)?,
            increment_ms: go.increment_ms[us].unwrap_or(0),
            moves_to_go: go.moves_to_go,
        };
        Some(Budget::of(clock, overhead))
    }

    /// Stops the search, if there is one, and waits for its `bestmove`.
    pub(super) fn stop(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            thinking.signals.stop();
            let _ = thinking.thread.join();
        }
    }

    /// Waits for the search to end, unless it has no limit.
    pub(super) fn finish(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            if thinking.endless {
                thinking.signals.stop();
            }
            let _ = thinking.thread.join();
        }
    }
}

/// Lowers the priority of this thread in favor of the threads that search: with little time on the clock, a search that
/// waits for a CPU may lose the game.
fn yield_to_searches() {
    // On other systems the priority applies to all threads of the process.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), LOWEST_PRIORITY);
}

/// Reads a net. The error names the file.
fn read(path: &Path) -> Result<Net, String> {
    let mut bytes = Vec::new();
    // Opening a pipe would block until a program writes to it.
    if fs::metadata(path).is_ok_and(|data| !data.is_file()) {
        return Err(format!("{}: expected a file", path.display()));
    }
    let file = File::open(path).and_then(|file| file.take(MAX_NET_BYTES).read_to_end(&mut bytes));
    file.map_err(|error| format!("{}: {error}", path.display()))?;
    Net::from_bytes(&bytes).map_err(|error| format!("{}: {error}", path.display()))
}

/// The evaluator: the built-in nets, the net of `EvalFile` in its game, or the hand-crafted evaluation.
fn evaluator(by_net: bool, file: Option<&Net>) -> Evaluator<'_> {
    match file {
        _ if !by_net => Evaluator::HandCrafted,
        Some(net) => Evaluator::Net(net),
        None => Evaluator::BuiltIn,
    }
}

/// Formats the reports of a search as `info` lines.
struct Teller {
    style: CastlingStyle,
    makruk: bool,
    show_wdl: bool,
}

impl Teller {
    fn info(&self, report: &Report) -> String {
        let Report { depth, deepest, rank, value, nodes, elapsed, permille_full, line } = report;
        let mut text =
            format!("info depth {depth} seldepth {deepest} multipv {rank} score {value}");
        if self.show_wdl {
            let [win, draw, loss] = match *value {
                Value::Centipawns(number) => wdl(number, self.makruk),
                Value::Mate(1..) => [1000, 0, 0],
                Value::Mate(_) => [0, 0, 1000],
            };
            let _ = write!(text, " wdl {win} {draw} {loss}");
        }
        let nps = u128::from(*nodes) * 1_000_000 / elapsed.as_micros().max(1);
        let time = elapsed.as_millis();
        let _ = write!(text, " nodes {nodes} nps {nps} hashfull {permille_full} time {time} pv");
        for mv in line {
            let _ = write!(text, " {}", mv.uci(self.style));
        }
        text
    }

    fn answer(&self, answer: &SearchResult) -> String {
        match (answer.best, answer.reply) {
            (Some(best), Some(reply)) => {
                format!("bestmove {} ponder {}", best.uci(self.style), reply.uci(self.style))
            }
            (Some(best), None) => format!("bestmove {}", best.uci(self.style)),
            (None, _) => format!("info depth 0 score {}\nbestmove (none)", answer.value),
        }
    }
}
