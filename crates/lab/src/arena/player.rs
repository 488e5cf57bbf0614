//! A player: an engine with its settings, its process, and the protocol it speaks.

mod cecp;
mod uci;

use super::limit::{Clock, Limit};
use super::log::{Log, Seat, Wire};
use super::process::{NoLine, Process, Program};
use cecp::Cecp;
use halfmove_rules::{AnyPosition, Color, History, Move, Variant};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use uci::Uci;

/// The protocol that an engine speaks.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Protocol {
    Uci,
    /// The Chess Engine Communication Protocol, also known as the XBoard protocol.
    Cecp,
}

/// An engine as the command line describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Engine {
    pub(super) name: String,
    pub(super) program: Program,
    pub(super) protocol: Protocol,
    pub(super) options: Vec<(String, String)>,
    pub(super) limit: Limit,
}

/// Timeouts, the same for all engines.
#[derive(Copy, Clone, Debug)]
pub(super) struct Patience {
    /// The time to start, and to get ready for a game.
    pub(super) start: Duration,
    /// The time to move, if there is no clock.
    pub(super) answer: Duration,
    /// The time that a move may take longer than allowed.
    pub(super) margin: Duration,
}

/// The failure or resignation of an engine, which ends a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// Lost on time: the move came this much too late, or only after a request, or never.
    Time(Option<Duration>),
    /// No move came, and there was no clock.
    Silent(Duration),
    /// The process ended.
    Crashed(String),
    /// It played no legal move.
    Illegal(String),
    /// It claimed a wrong result.
    Claim(String),
    /// It resigned.
    Resigned,
    /// It could not be started, or did not get ready.
    NoStart(String),
    /// No failure: the match is over.
    Stopped,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(Some(late)) => write!(f, "loses on time, {} ms late", late.as_millis()),
            Self::Time(None) => f.write_str("loses on time"),
            Self::Silent(time) => write!(f, "sends no move in {} s", time.as_secs_f64()),
            Self::Crashed(status) => write!(f, "crashes: {status}"),
            Self::Illegal(text) => write!(f, "plays an illegal move: {text:?}"),
            Self::Claim(text) => write!(f, "makes a false claim: {text:?}"),
            Self::Resigned => f.write_str("resigns"),
            Self::NoStart(reason) => write!(f, "cannot play: {reason}"),
            Self::Stopped => f.write_str("is stopped"),
        }
    }
}

/// A score for the side to move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Score {
    Centipawns(i32),
    Mate(i32),
}

impl Score {
    /// The score in centipawns, mates included, so that scores can be compared.
    pub(super) fn centipawns(self) -> i32 {
        match self {
            Self::Centipawns(number) => number,
            Self::Mate(moves @ 1..) => 100_000 - moves.min(1_000),
            Self::Mate(moves) => -100_000 - moves.max(-1_000),
        }
    }
}

/// The latest search information of an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Thought {
    pub(super) score: Option<Score>,
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    /// The principal variation, as text.
    pub(super) line: Vec<String>,
}

/// A move, with information about its search.
#[derive(Clone, Debug)]
pub(super) struct Reply {
    pub(super) mv: Move,
    pub(super) elapsed: Duration,
    pub(super) thought: Thought,
}

/// A position for an engine to move in.
#[derive(Copy, Clone, Debug)]
pub(super) struct Task<'a> {
    pub(super) history: &'a History<AnyPosition>,
    /// The clocks by color.
    pub(super) clocks: [Option<Clock>; 2],
}

impl Task<'_> {
    fn position(&self) -> &AnyPosition {
        self.history.position()
    }

    /// The clock of the side to move.
    fn clock(&self) -> Option<&Clock> {
        self.clocks[index(self.position().side_to_move())].as_ref()
    }
}

pub(super) fn index(color: Color) -> usize {
    match color {
        Color::White => 0,
        Color::Black => 1,
    }
}

/// A protocol.
trait Conversation: fmt::Debug + Send {
    /// The reason why the engine cannot start there, if there is one.
    fn refuses(&self, _: &AnyPosition) -> Option<&'static str> {
        None
    }

    /// Gets ready for a game from this start.
    fn begin(&mut self, start: &AnyPosition, ready: Wait<'_>) -> Result<(), NoLine>;

    /// Finds a move. `until` is the elapsed time at which to give up.
    fn think(&mut self, task: Task<'_>, wait: Wait<'_>) -> Result<(Said, Thought), NoLine>;

    /// Requests a move after the time is up. Returns true if one arrived.
    fn interrupt(&mut self, wait: Wait<'_>) -> Result<(), NoLine>;

    fn process(&mut self) -> &mut Process;

    /// Ends the conversation.
    fn quit(self: Box<Self>);
}

/// The reply of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Said {
    Move { text: String, elapsed: Duration },
    Resigned,
    Claim(String),
}

/// The time to wait for a reply.
#[derive(Copy, Clone, Debug)]
struct Wait<'a> {
    limit: Duration,
    stop: &'a AtomicBool,
}

impl Wait<'_> {
    fn line(self, process: &mut Process, since: Instant) -> Result<(Instant, String), NoLine> {
        process.line(since + self.limit, self.stop)
    }
}

/// An engine in a match, and its process.
#[derive(Debug)]
pub(super) struct Player<'a> {
    engine: &'a Engine,
    variant: Variant,
    patience: Patience,
    stop: &'a AtomicBool,
    wire: Option<Wire>,
    conversation: Option<Box<dyn Conversation>>,
}

impl<'a> Player<'a> {
    pub(super) fn new(
        engine: &'a Engine,
        variant: Variant,
        patience: Patience,
        stop: &'a AtomicBool,
        log: Option<&Arc<Log>>,
    ) -> Self {
        let wire = log.map(|log| Wire::new(log, &engine.name));
        Self { engine, variant, patience, stop, wire, conversation: None }
    }

    fn wait(&self, limit: Duration) -> Wait<'a> {
        Wait { limit, stop: self.stop }
    }

    /// Starts the engine, if it is not running.
    pub(super) fn start(&mut self) -> Result<(), Fault> {
        if self.conversation.is_some() {
            return Ok(());
        }
        let path = &self.engine.program.path;
        let process = Process::start(&self.engine.program, self.wire.clone())
            .map_err(|error| Fault::NoStart(format!("{}: {error}", path.display())))?;
        let wait = self.wait(self.patience.start);
        self.conversation = Some(match self.engine.protocol {
            Protocol::Uci => Box::new(Uci::start(process, self.engine, self.variant, wait)?),
            Protocol::Cecp => Box::new(Cecp::start(process, self.engine, self.variant, wait)?),
        });
        Ok(())
    }

    /// Ends the engine's process.
    pub(super) fn end(&mut self) {
        if let Some(conversation) = self.conversation.take() {
            conversation.quit();
        }
    }

    /// Gets ready for a game. An engine that was stopped starts again.
    pub(super) fn begin(&mut self, start: &AnyPosition, seat: Seat) -> Result<(), Fault> {
        if let Some(wire) = &self.wire {
            wire.sit_down(seat);
        }
        self.start()?;
        let wait = self.wait(self.patience.start);
        let Some(conversation) = &mut self.conversation else { return Err(Fault::Stopped) };
        if let Some(reason) = conversation.refuses(start) {
            return Err(Fault::NoStart(reason.to_owned()));
        }
        let begun = conversation.begin(start, wait);
        begun.map_err(|problem| match problem {
            NoLine::Late => {
                let limit = self.patience.start.as_secs_f64();
                self.conversation = None;
                Fault::NoStart(format!("it is not ready after {limit} s"))
            }
            NoLine::Ended | NoLine::Stopped => self.lost(problem),
        })
    }

    /// Finds a move within the time limit.
    pub(super) fn think(&mut self, task: Task<'_>) -> Result<Reply, Fault> {
        let Some(conversation) = &mut self.conversation else {
            return Err(Fault::NoStart("it is not running".to_owned()));
        };
        let allowed = task.clock().map(|clock| clock.left);
        let allowed = allowed.into_iter().chain(self.engine.limit.movetime).min();
        let latest = allowed.map(|allowed| allowed + self.patience.margin);
        let wait = Wait { limit: latest.unwrap_or(self.patience.answer), stop: self.stop };
        match conversation.think(task, wait) {
            Ok((Said::Move { text, elapsed }, thought)) => {
                if let Some(allowed) = allowed
                    && latest.is_some_and(|latest| elapsed > latest)
                {
                    return Err(Fault::Time(Some(elapsed - allowed)));
                }
                let position = task.position();
                let mv = position.parse_uci(&text).ok();
                let mv = mv.or_else(|| match self.engine.protocol {
                    Protocol::Uci => None,
                    Protocol::Cecp => position.parse_san(&text).ok(),
                });
                match mv {
                    Some(mv) => Ok(Reply { mv, elapsed, thought }),
                    None => Err(self.dismissed(Fault::Illegal(text.chars().take(40).collect()))),
                }
            }
            Ok((Said::Resigned, _)) => Err(Fault::Resigned),
            Ok((Said::Claim(text), _)) => Err(self.dismissed(Fault::Claim(text))),
            Err(NoLine::Late) => {
                let fault = match latest {
                    Some(_) => Fault::Time(None),
                    None => Fault::Silent(self.patience.answer),
                };
                let wait = Wait { limit: Duration::from_secs(1), stop: self.stop };
                match conversation.interrupt(wait) {
                    Ok(()) => Err(fault),
                    Err(_) => Err(self.dismissed(fault)),
                }
            }
            Err(problem) => Err(self.lost(problem)),
        }
    }

    /// Kills the engine, which is restarted for the next game.
    fn dismissed(&mut self, fault: Fault) -> Fault {
        self.conversation = None;
        fault
    }

    fn lost(&mut self, problem: NoLine) -> Fault {
        match (problem, self.conversation.take()) {
            (NoLine::Ended, Some(mut conversation)) => {
                Fault::Crashed(conversation.process().status())
            }
            _ => Fault::Stopped,
        }
    }
}
