//! Texts designed to be hard: a few bytes repeated, generated while they are read.

use std::io::{self, Read};

/// The text before, the repeated text, and the text after.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Case {
    pub(crate) name: &'static str,
    before: &'static str,
    unit: &'static str,
    after: &'static str,
}

const fn case(
    name: &'static str,
    before: &'static str,
    unit: &'static str,
    after: &'static str,
) -> Case {
    Case { name, before, unit, after }
}

pub(crate) const CASES: &[Case] = &[
    case("open parentheses", "1. e4 ", "(", ""),
    case("open parentheses with moves", "1. e4 ", "(1. d4 ", ""),
    case("closing parentheses", "1. e4 ", ")", " *"),
    case("empty variations", "1. e4 ", "()", " *"),
    case("a variation after each move", "", "1. Nf3 (1. d4) Nf6 2. Ng1 Ng8 ", "*"),
    case("a comment", "1. e4 {", "x", "} e5 *"),
    case("an unclosed comment", "1. e4 {", "x", ""),
    case("a comment before the game", "{", "x", "}\n1. e4 *"),
    case("a comment in the tags", "[A \"a\"]\n{", "x", "}\n1. e4 *"),
    case("a comment after the result", "1. e4 * {", "x", "}\n"),
    case("a comment of lines", "1. e4 {", "x\n", "} *"),
    case("a comment of blank lines", "1. e4 {", "\r\n", "} *"),
    case("a comment of nearly tags", "1. e4 {", "\n[Even \"", "} *"),
    case("a comment of brackets on blank lines", "1. e4 {", "\n\n[", "} *"),
    case("a comment of quotes on lines", "1. e4 {", "\n[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "} *"),
    case("a comment to the end of the line", "1. e4 ;", "x", "\ne5 *"),
    case("many comments", "1. e4 ", "{}", "*"),
    case("many comments after the result", "1. e4 *", "{}", "\n\n"),
    case("many lines of comments after the result", "1. e4 *", ";\n", "\n\n"),
    case("many comments between games", "", "{a}\n\n", "1. e4 *"),
    case("a tag value", "[A \"", "x", "\"]\n\n1. e4 *"),
    case("an unclosed tag value", "[A \"", "x", "\n\n1. e4 *"),
    case("a tag value of quotes", "[A \"", "\"", "\"]\n\n1. e4 *"),
    case("a tag value of quotes and spaces", "[A \"", "\"                    ", "\n\n1. e4 *"),
    case("a tag value of backslashes", "[A \"", "\\", "\"]\n\n1. e4 *"),
    case("a tag value of escaped quotes", "[A \"", "\\\"", "\"]\n\n1. e4 *"),
    case("a tag name", "[A \"a\"]\n[", "x", " \"a\"]\n\n1. e4 *"),
    case("a tag of spaces", "[A \"a\"]\n[", " ", "B \"b\"]\n\n1. e4 *"),
    case("spaces before a value", "[A \"a\"]\n[B", " ", "\"b\"]\n\n1. e4 *"),
    case("many tags", "", "[A \"a\"]\n", "\n1. e4 *"),
    case("many tags on one line", "", "[A \"a\"] ", "\n1. e4 *"),
    case("many tags after blank lines", "", "[A \"a\"]\n\n", "\n1. e4 *"),
    case("many tags without a bracket", "[A \"a\"]\n", "A \"a\n", "\n1. e4 *"),
    case("many tags over two lines", "[A \"a\"]\n", "[A \"a\nb\"]\n", "\n1. e4 *"),
    case("open tags", "[A \"a\"]\n", "[A \"", "\n1. e4 *"),
    case("open tags on lines", "[A \"a\"]\n", "[A \"\n", "\n1. e4 *"),
    case("nearly tags", "[A \"a\"]\n", "[A ", "\n1. e4 *"),
    case("tags in movetext", "1. e4 ", "[A \"a\"] ", "*"),
    case("many games without moves", "", "[Event \"a\"]\n\n", ""),
    case("many games", "", "[Event \"a\"]\n\n1. e4 e5 *\n\n", ""),
    case("many results", "1. e4 ", "1-0 ", ""),
    case("many results in a variation", "1. e4 (", "1-0 ", ") *"),
    case("moves", "", "1. Nf3 Nf6 2. Ng1 Ng8 ", "*"),
    case("moves without spaces", "", "1.Nf3\u{a0}Nf6 2.Ng1\u{a0}Ng8 ", "*"),
    case("a word", "1. e4 ", "e", " *"),
    case("a word of promotions", "1. e4 ", "8(Q)", " *"),
    case("words of no meaning", "1. e4 ", "x ", " *"),
    case("en passant", "1. e4 ", "e.p.", " *"),
    case("digits", "1. e4 ", "1", ". e5 *"),
    case("numbers", "1. e4 ", "1.", " e5 *"),
    case("a number of castlings", "1. e4 ", "0-0-", " *"),
    case("dots", "1. e4 ", ".", " e5 *"),
    case("ellipses", "1. e4 ", "\u{2026}", " e5 *"),
    case("byte order marks", "", "\u{feff}", "1. e4 *"),
    case("glyphs", "1. e4 ", "$1 ", "*"),
    case("a glyph", "1. e4 $", "1", " *"),
    case("dollars", "1. e4 ", "$", " *"),
    case("a suffix", "1. e4", "!", " *"),
    case("symbols", "1. e4 ", "+-", " *"),
    case("null moves", "1. e4 ", "-- ", " *"),
    case("escapes", "1. e4\n", "%\n", "*"),
    case("a long escape", "1. e4\n%", "x", "\n*"),
    case("percent signs", "1. e4 ", "%", " *"),
    case("braces", "1. e4 ", "{", ""),
    case("closing braces", "1. e4 ", "}", " *"),
    case("semicolons", "1. e4 ", ";", "\n*"),
    case("lines of semicolons", "1. e4 ", ";\n", "*"),
    case("brackets", "1. e4 ", "[", " *"),
    case("brackets on lines", "1. e4 ", "\n[", " *"),
    case("brackets on spaces", "1. e4 ", "                    [", " *"),
    case("quotes", "1. e4 ", "\"", " *"),
    case("backslashes", "1. e4 ", "\\", " *"),
    case("spaces", "1. e4 ", " ", "*"),
    case("line feeds", "1. e4 ", "\n", "*"),
    case("carriage returns", "1. e4 ", "\r", "*"),
    case("nulls", "1. e4 ", "\0", "*"),
    case("prose", "", "Dear reader, this is no game of chess. ", "\n1. e4 *"),
    case("lines of prose", "", "Dear reader,\n", "\n1. e4 *"),
    case("lines that nearly are moves", "", "1. e4x\n", "\n1. e4 *"),
];

impl Case {
    pub(crate) fn named(name: &str) -> Case {
        *CASES.iter().find(|case| case.name == name).expect("the name of a case")
    }

    /// A file of about this length.
    pub(crate) fn of_length(self, bytes: u64) -> Repeated {
        let times = bytes / self.unit.len() as u64;
        Repeated::new(self.before.as_bytes(), self.unit.as_bytes(), times, self.after.as_bytes())
    }
}

/// Text that is generated while it is read. It counts the bytes that were read.
pub(crate) struct Repeated {
    /// Each part, and its number of repetitions.
    parts: [(Vec<u8>, u64); 3],
    /// The current part, its repetitions so far, and the number of bytes of it returned since.
    part: usize,
    done: u64,
    at: usize,
    pub(crate) bytes: u64,
}

impl Repeated {
    pub(crate) fn new(before: &[u8], unit: &[u8], times: u64, after: &[u8]) -> Repeated {
        let parts = [(before.to_vec(), 1), (unit.to_vec(), times), (after.to_vec(), 1)];
        Repeated { parts, part: 0, done: 0, at: 0, bytes: 0 }
    }
}

impl Read for Repeated {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len()
            && let Some((text, times)) = self.parts.get(self.part)
        {
            if self.done == *times || text.is_empty() {
                (self.part, self.done) = (self.part + 1, 0);
                continue;
            }
            let rest = &text[self.at..];
            let count = rest.len().min(buffer.len() - filled);
            buffer[filled..filled + count].copy_from_slice(&rest[..count]);
            filled += count;
            self.at += count;
            if self.at == text.len() {
                (self.at, self.done) = (0, self.done + 1);
            }
        }
        self.bytes += filled as u64;
        Ok(filled)
    }
}
