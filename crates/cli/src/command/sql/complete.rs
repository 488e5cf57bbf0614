//! Completion of the word before the cursor.

use super::shell;
use crate::query::KEYWORDS;
use halfmove_archive::schema::COLUMNS;
use halfmove_functions::halfmoves::HALFMOVES;

const TABLES: [&str; 3] = ["games", "halfmoves", "history"];

/// The words to complete with, in alphabetical order.
pub(super) struct Words {
    words: Vec<String>,
    functions: Vec<String>,
}

impl Words {
    pub(super) fn new(functions: Vec<String>) -> Self {
        let columns = COLUMNS.iter().map(|column| column.name);
        let columns = columns.chain(HALFMOVES.iter().map(|column| column.name));
        let words = KEYWORDS.iter().copied().chain(columns).chain(TABLES).map(str::to_owned);
        let mut words: Vec<String> = words.collect();
        words.sort();
        words.dedup();
        Self { words, functions }
    }

    /// Returns the start of the word before the cursor, and its completions.
    pub(super) fn complete(&self, line: &str, cursor: usize) -> (usize, Vec<String>) {
        let before = line.get(..cursor).unwrap_or(line);
        let is_command = before.trim_start().starts_with('.');
        let is_part =
            |char: char| char.is_alphanumeric() || char == '_' || is_command && char == '.';
        let begin = before.rfind(|char| !is_part(char));
        let begin =
            begin.map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let typed = &before[begin..];
        if is_command {
            return (begin, of_command(&before[..begin], typed));
        }
        if typed.is_empty() || is_quoted(before) {
            return (begin, Vec::new());
        }
        let lower = typed.to_lowercase();
        let is_upper = !typed.chars().any(char::is_lowercase);
        let case = |word: &String| if is_upper { word.to_uppercase() } else { word.clone() };
        let fits = |word: &&String| word.starts_with(&lower);
        let functions = self.functions.iter().filter(|name| !self.words.contains(*name));
        let functions = functions.filter(fits).map(|name| format!("{}(", case(name)));
        let mut found: Vec<String> = self.words.iter().filter(fits).map(case).collect();
        found.extend(functions);
        (begin, found)
    }
}

fn of_command(before: &str, typed: &str) -> Vec<String> {
    let choices: Vec<&str> = match before.trim() {
        "" => shell::names().collect(),
        ".format" | ".mode" => vec!["table", "csv", "tsv", "json", "ndjson"],
        ".rows" => vec!["all"],
        ".schema" => vec!["games", "halfmoves"],
        _ => Vec::new(),
    };
    choices.into_iter().filter(|word| word.starts_with(typed)).map(str::to_owned).collect()
}

/// Returns true if a quoted text is open.
fn is_quoted(before: &str) -> bool {
    before.matches('\'').count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::Words;

    #[test]
    fn words_are_completed_as_they_are_typed() {
        let functions = ["count", "left", "plies", "reaches", "regexp_like"].map(str::to_owned);
        let words = Words::new(functions.to_vec());
        let complete = |line: &str| words.complete(line, line.len());
        for (line, begin, expected) in [
            ("sel", 0, &["select"][..]),
            ("SEL", 0, &["SELECT"]),
            ("select white_e", 7, &["white_elo"]),
            ("select pli", 7, &["plies"]),
            ("select rea", 7, &["reaches("]),
            ("select é,reg", 10, &["regexp_like("]),
            ("select count(whit", 13, &["white", "white_elo", "white_rating_diff", "white_title"]),
            ("select 'whit", 8, &[]),
            ("select 'a' whit", 11, &["white", "white_elo", "white_rating_diff", "white_title"]),
            ("select ", 7, &[]),
            ("from gam", 5, &["games"]),
            ("from halfm", 5, &["halfmoves"]),
            (".schema h", 8, &["halfmoves"]),
            ("", 0, &[]),
            (".sc", 0, &[".schema"]),
            (".format n", 8, &["ndjson"]),
            (".rows ", 6, &["all"]),
            (".format csv x", 12, &[]),
        ] {
            let (from, found) = complete(line);
            assert_eq!(
                (from, found.iter().map(String::as_str).collect::<Vec<_>>().as_slice()),
                (begin, expected),
                "{line:?}"
            );
        }
        // Only the text before the cursor counts.
        assert_eq!(words.complete("sel from games", 3), (0, vec!["select".to_owned()]));
    }
}
