//! Lines from a terminal, with editing, a history and completion.

use super::complete::Words;
use super::shell::Shell;
use crate::color::{self, HINT, paint};
use crate::output;
use anyhow::Context as _;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{CompletionType, Config, Context, Helper};
use std::borrow::Cow;
use std::fs;
use std::path::PathBuf;

/// The input at the prompt.
#[derive(Debug)]
pub(super) enum Line {
    /// A complete text, perhaps of several lines.
    Text(String),
    /// Ctrl-C: the typed text is discarded.
    Interrupted,
    /// Ctrl-D.
    End,
}

pub(super) struct Editor {
    editor: rustyline::Editor<Help, FileHistory>,
    /// The file of the history, as long as it can be written.
    history: Option<PathBuf>,
}

/// The maximum number of entries of the history.
const ENTRIES: usize = 1_000;

const PROMPT: &str = "sql> ";

impl Editor {
    pub(super) fn new(words: Words, history: Option<PathBuf>) -> anyhow::Result<Self> {
        let config = Config::builder()
            .max_history_size(ENTRIES)?
            .history_ignore_space(true)
            .completion_type(CompletionType::List)
            .build();
        let mut editor =
            rustyline::Editor::with_config(config).context("cannot use the terminal")?;
        editor.set_helper(Some(Help { words, is_colored: color::on_stdout() }));
        if let Some(path) = &history {
            // The first prompt has no history.
            let _ = editor.load_history(path);
        }
        Ok(Self { editor, history })
    }

    pub(super) fn read(&mut self) -> anyhow::Result<Line> {
        match self.editor.readline(PROMPT) {
            Ok(text) => {
                self.keep(&text);
                Ok(Line::Text(text))
            }
            Err(ReadlineError::Interrupted) => Ok(Line::Interrupted),
            Err(ReadlineError::Eof) => Ok(Line::End),
            Err(error) => Err(error).context("cannot read from the terminal"),
        }
    }

    /// Adds a text to the history at once, so that other prompts have it even if this one is killed.
    fn keep(&mut self, text: &str) {
        if text.trim().is_empty() || !self.editor.add_history_entry(text).unwrap_or(false) {
            return;
        }
        let Some(path) = &self.history else { return };
        let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
        let written = folder.map_err(ReadlineError::from);
        if let Err(error) = written.and_then(|()| self.editor.append_history(path)) {
            output::note(format_args!("the history is not kept in {}: {error}", path.display()));
            self.history = None;
        }
    }
}

/// The callbacks of the editor while a text is typed.
struct Help {
    words: Words,
    is_colored: bool,
}

impl Helper for Help {}

impl Hinter for Help {
    type Hint = String;
}

impl Completer for Help {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.words.complete(line, pos))
    }
}

impl Validator for Help {
    fn validate(&self, typed: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(match Shell::is_complete(typed.input()) {
            true => ValidationResult::Valid(None),
            false => ValidationResult::Incomplete,
        })
    }
}

impl Highlighter for Help {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        Cow::Owned(paint(prompt, HINT, self.is_colored))
    }
}
