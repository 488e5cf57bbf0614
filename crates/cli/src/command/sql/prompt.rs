//! The prompt: reads lines, runs queries and prints results until the user quits.

use super::answer::{self, Manner};
use super::complete::Words;
use super::editor::{Editor, Line};
use super::shell::{Action, Shell};
use super::{manner, stdout};
use crate::Done;
use crate::args::{Sql, SqlFormat};
use crate::output;
use crate::query::{Queries, explain_any};
use crate::table::Page;
use anyhow::Context;
use futures::future::{Either, select};
use signal_hook::consts::SIGINT;
use signal_hook::flag;
use std::env;
use std::io::{self, Write};
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::time::Instant;

pub(super) fn run(queries: &Queries, args: &Sql, format: SqlFormat) -> anyhow::Result<Done> {
    let page = Page::stdout();
    let usual = manner(args, format, page);
    let functions = queries.sql().function_names();
    let mut shell = Shell::new(usual.format, usual.cap, page, functions.clone());
    let mut editor = Editor::new(Words::new(functions), history_file())?;
    let interrupt = Interrupt::begin().context("cannot listen to signals")?;
    let name = args.archive.display();
    output::line(format_args!(
        "{}: queries end with a semicolon; .help lists the commands, .quit ends",
        name
    ))?;
    loop {
        match editor.read()? {
            Line::End => break,
            Line::Interrupted => {}
            Line::Text(text) => {
                for action in shell.take(&text) {
                    let manner = Manner {
                        format: shell.format,
                        cap: shell.cap,
                        more: "all: .rows all",
                        ..usual
                    };
                    match action {
                        Action::Quit => return Ok(Done::Found),
                        Action::Print(text) => {
                            let mut out = io::stdout().lock();
                            out.write_all(text.as_bytes())?;
                            out.flush()?;
                        }
                        Action::Fail(error, hint) => {
                            let error = anyhow::Error::msg(error);
                            output::report(&output::Advised::at(error, None, hint).into());
                        }
                        Action::Query(query) => {
                            match run_query(queries, &interrupt, &query, &manner) {
                                Ok(QueryEnd::Complete) => {}
                                // The other queries of the text are dropped, too.
                                Ok(QueryEnd::Interrupted) => break,
                                Err(error) if output::is_closed_pipe(&error) => return Err(error),
                                Err(error) => {
                                    output::report(&error);
                                    break;
                                }
                            }
                        }
                    }
                }
            }
        }
    }
    Ok(Done::Found)
}

/// The end of a query.
enum QueryEnd {
    Complete,
    Interrupted,
}

/// Runs a query and prints its result. If Ctrl-C comes first, the query is dropped, which ends it.
fn run_query(
    queries: &Queries,
    interrupt: &Interrupt,
    query: &str,
    manner: &Manner,
) -> anyhow::Result<QueryEnd> {
    interrupt.forget();
    let started = Instant::now();
    let answered = queries.wait(async {
        let answer = pin!(async {
            let answer = queries.sql().query(query).await?;
            let mut out = stdout(manner.format);
            answer::print(answer, manner, started, &mut out).await
        });
        match select(pin!(interrupt.wait()), answer).await {
            Either::Left(_) => None,
            Either::Right((answer, _)) => Some(answer),
        }
    });
    interrupt.forget();
    match answered {
        None => {
            output::note("interrupted");
            Ok(QueryEnd::Interrupted)
        }
        Some(Ok(_)) => Ok(QueryEnd::Complete),
        Some(Err(error)) => Err(explain_any(error, query)),
    }
}

/// Ctrl-C while a query runs. A second one, before the first is handled, ends the program.
struct Interrupt {
    pressed: Arc<AtomicBool>,
}

/// The interval between checks for it.
const TICK: Duration = Duration::from_millis(20);

impl Interrupt {
    fn begin() -> io::Result<Self> {
        let pressed = Arc::new(AtomicBool::new(false));
        // In this order, the first signal does not end the program, but makes the second one end it.
        flag::register_conditional_shutdown(SIGINT, 128 + SIGINT, Arc::clone(&pressed))?;
        flag::register(SIGINT, Arc::clone(&pressed))?;
        Ok(Self { pressed })
    }

    fn forget(&self) {
        self.pressed.store(false, Ordering::Relaxed);
    }

    async fn wait(&self) {
        while !self.pressed.load(Ordering::Relaxed) {
            tokio::time::sleep(TICK).await;
        }
    }
}

/// The file of the history, in the user's folder for the state of programs.
fn history_file() -> Option<PathBuf> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = absolute("XDG_STATE_HOME");
    let state = state.or_else(|| Some(absolute("HOME")?.join(".local/state")))?;
    Some(state.join("halfmove").join("sql_history"))
}
