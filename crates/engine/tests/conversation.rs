//! A GUI for tests, connected to the engine's core through two pipes.

use halfmove_engine::{Clock, serve};
use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, Write};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

struct Wall(Instant);

impl Clock for Wall {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

pub(crate) struct Gui {
    input: Option<PipeWriter>,
    output: BufReader<PipeReader>,
    engine: Option<JoinHandle<io::Result<()>>>,
}

impl Gui {
    pub(crate) fn start() -> Self {
        let (engine_input, input) = io::pipe().expect("a pipe");
        let (output, engine_output) = io::pipe().expect("a pipe");
        let clock = Arc::new(Wall(Instant::now()));
        let engine =
            thread::spawn(move || serve(BufReader::new(engine_input), engine_output, clock));
        Self { input: Some(input), output: BufReader::new(output), engine: Some(engine) }
    }

    pub(crate) fn send(&mut self, line: &str) {
        let input = self.input.as_mut().expect("an open input");
        input.write_all(format!("{line}\n").as_bytes()).expect("the engine reads");
    }

    pub(crate) fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = self.output.read_line(&mut line).expect("UTF-8");
        (read > 0).then(|| line.trim_end().to_owned())
    }

    /// The lines up to and including the first that begins like this.
    pub(crate) fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.line().unwrap_or_else(|| panic!("no {start:?} after {lines:#?}"));
            let found = line.starts_with(start);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// Sends commands and gives the lines up to `bestmove`.
    pub(crate) fn think(&mut self, commands: &[&str]) -> Vec<String> {
        for command in commands {
            self.send(command);
        }
        self.until("bestmove")
    }

    /// The move that follows `bestmove`.
    pub(crate) fn best(&mut self, commands: &[&str]) -> String {
        let lines = self.think(commands);
        let last = lines.last().expect("a line");
        last.split(' ').nth(1).expect("a move").to_owned()
    }

    /// Waits until all commands so far have been executed. There must be no other output before the
    /// reply.
    pub(crate) fn sync(&mut self) {
        self.send("isready");
        assert_eq!(self.line().as_deref(), Some("readyok"));
    }

    /// Closes the input and returns the rest of the output.
    pub(crate) fn close(mut self) -> Vec<String> {
        self.input = None;
        let mut rest = Vec::new();
        while let Some(line) = self.line() {
            rest.push(line);
        }
        let engine = self.engine.take().expect("a running engine");
        engine.join().expect("no panic").expect("no error");
        rest
    }
}
