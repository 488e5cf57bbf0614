//! Lines of at most 80 columns.

use crate::annotations::Comment;
use crate::annotations::normal::is_blank;
use crate::pgn::CommentStyle;

/// The maximum length of a line of movetext, in bytes, without its line break.
const COLUMNS: usize = 80;

/// Text that is laid out in lines.
pub(super) struct Sheet<'a> {
    text: &'a mut String,
    /// The offset in `text` at which the current line begins.
    line: usize,
    /// The last space of this line at which it can be broken.
    last_blank: Option<usize>,
    /// True if the next token follows without a space.
    glued: bool,
    scratch: String,
}

impl<'a> Sheet<'a> {
    pub(super) fn new(text: &'a mut String) -> Sheet<'a> {
        let line = text.len();
        Sheet { text, line, last_blank: None, glued: false, scratch: String::new() }
    }

    pub(super) fn text(&mut self) -> &mut String {
        self.text
    }

    /// Restarts the layout at the end of the text.
    pub(super) fn restart(&mut self) {
        self.line = self.text.len();
        self.last_blank = None;
        self.glued = false;
    }

    fn column(&self) -> usize {
        self.text.len() - self.line
    }

    /// Adds a token after a space or a line break.
    pub(super) fn token(&mut self, token: &str) {
        if std::mem::take(&mut self.glued) {
            self.attach(token);
            return;
        }
        let column = self.column();
        if column > 0 {
            if column + 1 + token.len() > COLUMNS {
                self.break_line();
            } else {
                self.last_blank = Some(self.text.len());
                self.text.push(' ');
            }
        }
        self.push(token);
    }

    /// Adds a token without a space. If the line becomes too long, both tokens move to the next line.
    pub(super) fn attach(&mut self, token: &str) {
        self.glued = false;
        if self.column() + token.len() > COLUMNS {
            match self.last_blank.take() {
                Some(blank) if self.text.len() - blank - 1 + token.len() <= COLUMNS => {
                    self.text.replace_range(blank..=blank, "\n");
                    self.line = blank + 1;
                }
                _ if self.column() > 0 => self.break_line(),
                _ => {}
            }
        }
        self.push(token);
    }

    /// Attaches the next token to the last one, without a space.
    pub(super) fn glue(&mut self) {
        self.glued = true;
    }

    fn push(&mut self, token: &str) {
        self.text.push_str(token);
        if let Some(end) = memchr::memrchr(b'\n', token.as_bytes()) {
            self.line = self.text.len() - (token.len() - end - 1);
            self.last_blank = None;
        }
    }

    fn break_line(&mut self) {
        self.text.push('\n');
        self.restart();
    }

    /// Ends the current line, if it is not empty.
    pub(super) fn end_line(&mut self) {
        if self.column() > 0 {
            self.break_line();
        }
    }

    /// Adds a line that begins with `%`.
    pub(super) fn escape(&mut self, text: &str) {
        self.end_line();
        self.text.push('%');
        self.text.push_str(text);
        self.break_line();
    }

    /// Adds a comment. A comment in braces is broken at spaces where the reader treats a line break as a space.
    pub(super) fn comment(&mut self, comment: Comment<'_>) {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        if comment.style() == CommentStyle::Line {
            scratch.push(';');
            comment.write(&mut scratch);
            self.token(&scratch);
            self.break_line();
        } else {
            scratch.push('{');
            comment.write(&mut scratch);
            scratch.push('}');
            let mut rest = scratch.as_str();
            let mut from = 0;
            let mut in_command = false;
            let bytes = scratch.as_bytes();
            // An unclosed command is not a command.
            let last_end = memchr::memrchr(b']', bytes).unwrap_or(0);
            for at in memchr::memchr3_iter(b' ', b'[', b']', bytes) {
                match bytes[at] {
                    b'[' => in_command |= bytes.get(at + 1) == Some(&b'%') && at < last_end,
                    b']' => in_command = false,
                    _ if !in_command && is_breakable(bytes, at) => {
                        let (word, others) = rest.split_at(at - from);
                        self.token(word);
                        rest = &others[1..];
                        from = at + 1;
                    }
                    _ => {}
                }
            }
            self.token(rest);
        }
        self.scratch = scratch;
    }
}

/// Returns true if a line break may replace the space at `at` of a comment: between two words, unless the next would
/// look like a tag or like a `%` line.
fn is_breakable(comment: &[u8], at: usize) -> bool {
    let (before, behind) = (comment[at - 1], &comment[at + 1..]);
    // Braces are not words.
    let inside = at > 1 && behind.len() > 1;
    let next = match behind {
        [b'%', ..] => false,
        [b'[', next, ..] => *next == b'%',
        [next, ..] => !is_blank(*next),
        [] => false,
    };
    inside && !is_blank(before) && next
}
