//! Progress bars on standard error, if that is a terminal: one wording for all verbs.

use crate::output::{counted, grouped};
use indicatif::{ProgressBar, ProgressStyle};

/// A progress bar with a count of games or nodes.
pub(crate) struct Progress {
    bar: ProgressBar,
    noun: &'static str,
}

impl Progress {
    /// A bar to `total` if that is known, else only a count.
    pub(crate) fn new(total: Option<u64>, noun: &'static str) -> Self {
        // The templates are constants, so an error in them would show in every run.
        let styled = |template| ProgressStyle::with_template(template).ok();
        let (bar, style) = match total {
            Some(total) => (
                ProgressBar::new(total),
                styled("{wide_bar} {percent:>3} %  {msg}  {elapsed} gone, {eta} left"),
            ),
            None => (ProgressBar::no_length(), styled("{spinner} {msg}  {elapsed} gone")),
        };
        if let Some(style) = style {
            bar.set_style(style);
        }
        Self { bar, noun }
    }

    /// A hidden bar.
    pub(crate) fn hidden() -> Self {
        Self { bar: ProgressBar::hidden(), noun: "" }
    }

    /// Sets the total.
    pub(crate) fn set_total(&self, total: u64) {
        self.bar.set_length(total);
    }

    /// The position of the bar.
    pub(crate) fn position(&self) -> u64 {
        self.bar.position()
    }

    /// Sets the position of the bar and the count.
    pub(crate) fn show(&self, position: u64, count: u64) {
        self.bar.set_position(position);
        let seconds = self.bar.elapsed().as_secs_f64().max(1e-3);
        let rate = grouped((count as f64 / seconds) as u64);
        let noun = self.noun;
        self.bar.set_message(format!("{}, {rate} {noun}s/s", counted(count, noun)));
    }

    /// Shows a text in place of the count.
    pub(crate) fn show_text(&self, text: &'static str) {
        self.bar.set_message(text);
    }

    /// Calls `print` while the bar is hidden.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
