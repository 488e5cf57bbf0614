//! Text from files, made safe for a terminal.

use std::borrow::Cow;

/// Escapes everything that would control a terminal or hide other text: a file cannot move the
/// cursor, change colors or reverse the direction of writing.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for char in text.chars() {
        match char {
            '\t' => shown.push(' '),
            _ if is_hidden(char) => shown.extend(char.escape_default()),
            _ => shown.push(char),
        }
    }
    Cow::Owned(shown)
}

fn is_hidden(char: char) -> bool {
    char.is_control()
        || matches!(
            char,
            // Directions and isolates, characters of no width, line and paragraph separators.
            '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        )
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn nothing_reaches_the_terminal_raw() {
        assert_eq!(visible("Grünfeld ½"), "Grünfeld ½");
        assert_eq!(visible("\u{1b}[2Jx\t\r\n"), "\\u{1b}[2Jx \\r\\n");
        assert_eq!(visible("a\u{202e}b\u{200b}\u{9b}"), "a\\u{202e}b\\u{200b}\\u{9b}");
    }
}
