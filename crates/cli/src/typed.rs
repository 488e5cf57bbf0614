//! The conditions of a command as they were typed, for the history of an archive.

use crate::quote;
use std::env;
use std::path::Path;

/// The number of characters of the command line that the history keeps.
const MAX: usize = 500;

/// The words after a verb, without the first occurrence of each of these names, and without these flags, which may have a
/// value.
pub(crate) fn words(verb: &str, names: &[&Path], flags: &[(&str, bool)]) -> String {
    let mut args = env::args_os().map(|arg| arg.to_string_lossy().into_owned());
    args.find(|arg| arg == verb);
    text(args, names, flags)
}

fn text(mut args: impl Iterator<Item = String>, names: &[&Path], flags: &[(&str, bool)]) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut names = names.to_vec();
    while let Some(arg) = args.next() {
        let name = arg.split('=').next().unwrap_or_default();
        if let Some((_, has_value)) = flags.iter().find(|(flag, _)| *flag == name) {
            if *has_value && name == arg {
                args.next();
            }
        } else if let Some(at) = names.iter().position(|name| *name == Path::new(&arg)) {
            names.remove(at);
        } else {
            words.push(quote::word(&arg).into_owned());
        }
    }
    let text = words.join(" ");
    match text.char_indices().nth(MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_conditions_stay() {
        let typed =
            ["club", "a.pgn", "--player", "tal, m", "-q", "--threads", "2", "--eco=B9", "club"];
        let flags = [("-q", false), ("--threads", true)];
        let names = [Path::new("club"), Path::new("a.pgn")];
        let text = text(typed.map(str::to_owned).into_iter(), &names, &flags);
        assert_eq!(
            text,
            format!("--player {} {} club", quote::word("tal, m"), quote::word("--eco=B9"))
        );
    }
}
