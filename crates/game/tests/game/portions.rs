//! A source that hands out its bytes in portions.

use std::io::{self, Read};

/// Returns at most `portion` bytes per call, and sometimes an interruption.
pub(crate) struct Portions<'a> {
    bytes: &'a [u8],
    portion: usize,
    calls: usize,
}

impl<'a> Portions<'a> {
    pub(crate) fn new(bytes: &'a [u8], portion: usize) -> Portions<'a> {
        Portions { bytes, portion, calls: 0 }
    }
}

impl Read for Portions<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.calls += 1;
        if self.calls.is_multiple_of(5) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let count = self.portion.min(buffer.len()).min(self.bytes.len());
        let (now, later) = self.bytes.split_at(count);
        buffer[..count].copy_from_slice(now);
        self.bytes = later;
        Ok(count)
    }
}
