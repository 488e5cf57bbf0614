//! The progress of long calls.

use pyo3::prelude::*;

/// The function that a long call reports to: that of the caller, a bar on stderr, or none.
pub(super) struct Progress(Option<Py<PyAny>>);

impl Progress {
    /// The function that the argument `progress` asks for.
    pub(super) fn of(py: Python<'_>, given: Option<Bound<'_, PyAny>>) -> PyResult<Self> {
        let given = given.filter(|given| given.is_truthy().unwrap_or(true));
        let function = given.map(|given| {
            if given.is_callable() {
                Ok(given)
            } else {
                py.import("halfmove.progress")?.getattr("Bar")?.call0()
            }
        });
        Ok(Self(function.transpose()?.map(Bound::unbind)))
    }

    /// Checks for signals, and calls the function: `progress(done, total, games)`.
    pub(super) fn report(&self, done: u64, total: u64, games: u64) -> PyResult<()> {
        Python::attach(|py| {
            py.check_signals()?;
            match &self.0 {
                Some(function) => function.call1(py, (done, total, games)).map(drop),
                None => Ok(()),
            }
        })
    }

    /// Ends the line of a bar.
    pub(super) fn end_bar(&self, py: Python<'_>) -> PyResult<()> {
        let function = self.0.as_ref().map(|function| function.bind(py));
        match function.filter(|function| function.hasattr("close").unwrap_or(false)) {
            Some(bar) => bar.call_method0("close").map(drop),
            None => Ok(()),
        }
    }
}
