//! Words of the commands that hints suggest, quoted for a shell.
//!
//! Names come from files, so a name must not run as a command when a hint is pasted.

use std::borrow::Cow;
use std::path::Path;

/// Quotes a text as one word of a command: with double quotes, which the shells of Windows know too, if no shell interprets its
/// characters there, and else with single quotes. Control characters are escaped, as most shells of Unix read them.
pub(crate) fn word(text: &str) -> Cow<'_, str> {
    let is_plain = |char: char| char.is_alphanumeric() || "-_./:@+,".contains(char);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.into();
    }
    if text.contains(|char: char| char.is_ascii_control()) {
        let escaped = text.chars().map(|char| match char {
            '\'' | '\\' => format!("\\{char}"),
            char if char.is_ascii_control() => format!("\\x{:02x}", u32::from(char)),
            char => char.to_string(),
        });
        return format!("$'{}'", escaped.collect::<String>()).into();
    }
    match text.contains(['"', '$', '`', '\\', '!', '%']) {
        false => format!("\"{text}\"").into(),
        true => format!("'{}'", text.replace('\'', r"'\''")).into(),
    }
}

/// Quotes a path as one word of a command that is never read as an option.
pub(crate) fn path(path: &Path) -> String {
    let text = path.display().to_string();
    match text.starts_with('-') && text != "-" {
        true => word(&format!("./{text}")).into_owned(),
        false => word(&text).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_only_where_they_are_needed() {
        assert_eq!(word("/tmp/club-1.d"), "/tmp/club-1.d");
        assert_eq!(word("Kasparov,G"), "Kasparov,G");
        assert_eq!(word("Kasparov, Garry"), "\"Kasparov, Garry\"");
        assert_eq!(word("$1 O'Neil"), r"'$1 O'\''Neil'");
        assert_eq!(path(Path::new("-rf")), "./-rf");
        assert_eq!(word("a\n\u{1b}[2J'\\é"), r"$'a\x0a\x1b[2J\'\\é'");
    }
}
