//! Data on standard output: unchanged for a file or a program, escaped for a terminal.

use crate::visible::visible;
use console::Term;
use std::io::{self, IsTerminal, StdoutLock, Write};

/// Returns true if standard output is a terminal.
pub(crate) fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// The width in columns of the terminal of standard output, if it is one.
pub(crate) fn width() -> Option<usize> {
    is_terminal().then(|| Term::stdout().size().1.into())
}

/// Standard output for data in a file format, such as CSV and PGN.
pub(crate) fn stdout() -> Box<dyn Write> {
    let out = io::stdout().lock();
    if out.is_terminal() { Box::new(Screen::<StdoutLock<'_>>::new(out)) } else { Box::new(out) }
}

/// Writes text line by line, with control characters escaped.
struct Screen<W> {
    out: W,
    /// A line without its end.
    line: Vec<u8>,
}

impl<W: Write> Screen<W> {
    fn new(out: W) -> Self {
        Self { out, line: Vec::new() }
    }

    fn print(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        // Tabs separate cells.
        for (number, cell) in String::from_utf8_lossy(&line).split('\t').enumerate() {
            let tab = if number > 0 { "\t" } else { "" };
            write!(self.out, "{tab}{}", visible(cell))?;
        }
        Ok(())
    }
}

impl<W: Write> Write for Screen<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            match part.strip_suffix(b"\n") {
                Some(rest) => {
                    self.line.extend_from_slice(rest);
                    self.print()?;
                    self.out.write_all(b"\n")?;
                }
                None => self.line.extend_from_slice(part),
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.print()?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::Screen;
    use std::io::Write;

    #[test]
    fn nothing_reaches_the_terminal_raw() {
        let text = "a,\u{1b}[2J\tb\nGrünfeld \u{9b}\r\n\nend";
        // The text may be cut anywhere, even within a character.
        for size in 1..text.len() {
            let mut screen = Screen::new(Vec::new());
            for part in text.as_bytes().chunks(size) {
                screen.write_all(part).unwrap();
            }
            screen.flush().unwrap();
            let shown = String::from_utf8(screen.out).unwrap();
            assert_eq!(shown, "a,\\u{1b}[2J\tb\nGrünfeld \\u{9b}\\r\n\nend");
        }
    }
}
