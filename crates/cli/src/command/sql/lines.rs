//! Lines from a terminal that edits them itself, for programs without the better editor.

use super::complete::Words;
use super::shell::Shell;
use std::io::{self, Write};
use std::path::PathBuf;

/// The input at the prompt.
#[derive(Debug)]
pub(super) enum Line {
    /// A complete text, perhaps of several lines.
    Text(String),
    /// The typed text is discarded.
    #[expect(dead_code, reason = "only an editor returns it")]
    Interrupted,
    End,
}

pub(super) struct Editor;

impl Editor {
    /// Ignores the words and the history file: there is no completion and no history.
    pub(super) fn new(_: Words, _: Option<PathBuf>) -> anyhow::Result<Self> {
        Ok(Self)
    }

    pub(super) fn read(&mut self) -> anyhow::Result<Line> {
        let mut text = String::new();
        loop {
            let mut out = io::stdout().lock();
            out.write_all(if text.is_empty() { b"sql> " } else { b"  -> " })?;
            out.flush()?;
            if io::stdin().read_line(&mut text)? == 0 {
                return Ok(if text.trim().is_empty() { Line::End } else { Line::Text(text) });
            }
            if Shell::is_complete(&text) {
                return Ok(Line::Text(text));
            }
        }
    }
}
