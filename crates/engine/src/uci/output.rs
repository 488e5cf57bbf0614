//! The output, shared by the thread that reads and the one that searches.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Writes whole lines.
pub(super) struct Output<W>(Arc<Mutex<W>>);

impl<W> Clone for Output<W> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<W: Write> Output<W> {
    pub(super) fn new(inner: W) -> Self {
        Self(Arc::new(Mutex::new(inner)))
    }

    /// Writes one or more lines.
    pub(super) fn send(&self, text: &str) -> io::Result<()> {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        inner.write_all(text.as_bytes())?;
        inner.write_all(b"\n")?;
        inner.flush()
    }
}
