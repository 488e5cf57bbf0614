//! Hints for errors of the command line, by the kinds of clap's errors, and for names in queries.
//!
//! clap suggests names by similarity: the verb `remove` for `tree`, the flag `--force` for `--order`. Here [one table](table) maps
//! words of other programs to ours. Beyond the table, only names within a typo or two are suggested, and never one that removes
//! or replaces something.

mod table;

use self::table::{Meant, On, UNOFFERED, WORDS};
use crate::args::{self, Cli};
use crate::command::import::files::{Files, is_pgn};
use crate::{movetext, quote};
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};
use halfmove_archive::{Filter, is_url};
use std::env;
use std::error::Error as _;
use std::num::{IntErrorKind, ParseIntError};
use std::path::Path;

/// An error of the command line with a hint, if there is one.
pub(crate) fn advised(mut error: Error) -> Error {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        _ => String::new(),
    };
    let args: Vec<String> = env::args_os().map(|arg| arg.to_string_lossy().into_owned()).collect();
    let tip = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let typed = text(ContextKind::InvalidSubcommand);
            error.remove(ContextKind::SuggestedSubcommand);
            Some(for_verb(&typed))
        }
        ErrorKind::UnknownArgument => {
            let typed = text(ContextKind::InvalidArg);
            let mut verb = verb(&args);
            error.remove(ContextKind::SuggestedArg);
            // A user who types an option does not mean a value that looks like one.
            error.remove(ContextKind::Suggested);
            // clap's usage line has the similar name, too.
            let usage = ContextValue::StyledStr(verb.render_usage());
            error.insert(ContextKind::Usage, usage);
            match typed.starts_with('-') {
                true => for_flag(&typed, &verb),
                false => for_word(&typed, &args, &verb),
            }
        }
        ErrorKind::ArgumentConflict => merging(&args).or_else(|| removing(&args)),
        ErrorKind::MissingRequiredArgument => without_files(&args),
        ErrorKind::InvalidValue => {
            let (flag, value) = (text(ContextKind::InvalidArg), text(ContextKind::InvalidValue));
            if flag.starts_with("--format") && value == "parquet" {
                return with_tip(error, args::PARQUET.to_owned());
            }
            let is_side = ["white", "black"].contains(&value.to_lowercase().as_str());
            (flag.starts_with("--color") && is_side && has(&verb(&args), "--as"))
                .then(|| format!("the color of a player: --as {}", value.to_lowercase()))
        }
        ErrorKind::ValueValidation => {
            let (flag, value) = (text(ContextKind::InvalidArg), text(ContextKind::InvalidValue));
            if let Some(why) = error.source().and_then(|why| why.downcast_ref()) {
                return number(why, &flag, &value);
            }
            flag.starts_with("--material").then(|| two_sides(&value)).flatten()
        }
        _ => None,
    };
    match tip {
        Some(tip) => with_tip(error, tip),
        None => error,
    }
}

fn with_tip(mut error: Error, tip: String) -> Error {
    let tip = ContextValue::StyledStrs(vec![StyledStr::from(tip)]);
    error.insert(ContextKind::Suggested, tip);
    error
}

/// The error for an invalid number. The text of the standard library does not say what was expected.
fn number(why: &ParseIntError, flag: &str, value: &str) -> Error {
    let expected = match why.kind() {
        IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => "a smaller number",
        _ => "a whole number",
    };
    let message = format!("invalid value '{value}' for '{flag}': expected {expected}\n");
    Error::raw(ErrorKind::ValueValidation, message)
}

/// The hint for an unknown verb.
fn for_verb(typed: &str) -> String {
    let word = typed.to_lowercase();
    if Cli::has_pgn_verb(&word) {
        return format!("PGN files have verbs of their own: halfmove pgn {word}");
    }
    if args::Topic::named(&word).is_some() {
        return format!("this is a topic: halfmove help {word}");
    }
    let command = args::command();
    let names = command.get_subcommands().map(|verb| verb.get_name().to_owned());
    match names_of(On::Verb, &word).or_else(|| Some(vec![near(&word, names)?])) {
        Some(verbs) => {
            let verbs = verbs.iter().map(|verb| format!("`halfmove {verb}`"));
            did_you_mean(&verbs.collect::<Vec<_>>())
        }
        None => "there is no verb, file or folder of this name: `halfmove -h` lists the verbs"
            .to_owned(),
    }
}

/// The hint for a flag that the verb does not have.
fn for_flag(typed: &str, verb: &Command) -> Option<String> {
    let word = typed.to_lowercase();
    for (on, words, meant) in WORDS {
        if let (On::FlagOf(name), Meant::Instead(instead)) = (on, meant)
            && *name == verb.get_name()
            && words.contains(&word.as_str())
        {
            return Some((*instead).to_owned());
        }
    }
    let mut flags = names_of(On::Flag, &word).unwrap_or_default();
    flags.retain(|flag| has(verb, flag));
    if flags.is_empty() {
        let names = verb.get_arguments().filter_map(Arg::get_long).map(|name| format!("--{name}"));
        flags.extend(near(&word, names));
    }
    if flags.is_empty() { others_with(&word) } else { Some(did_you_mean(&flags)) }
}

/// The maximum number of verbs to name in a hint.
const NAMED: usize = 3;

/// The hint that names the verbs with a flag.
fn others_with(flag: &str) -> Option<String> {
    if !flag.starts_with("--") || UNOFFERED.contains(&flag) {
        return None;
    }
    let command = args::command();
    let verbs = command.get_subcommands().filter(|verb| has(verb, flag));
    let names: Vec<&str> = verbs.map(Command::get_name).collect();
    let names = match &names[..] {
        [] => return None,
        [one] => return Some(format!("{one} has {flag}")),
        [first @ .., last] if names.len() <= NAMED => format!("{} and {last}", first.join(", ")),
        _ => format!("{} and others", names[..NAMED].join(", ")),
    };
    Some(format!("{names} have {flag}"))
}

/// The hint for an unexpected word. It may belong to the unquoted value of an option, as in `--moves e4 e5`; it may be moves, a
/// position or a name without its option; or it may be an archive that is not the first argument.
fn for_word(word: &str, args: &[String], verb: &Command) -> Option<String> {
    let at = args.iter().position(|arg| arg == word)?;
    let begin = args[..at].iter().rposition(|arg| arg.starts_with('-'));
    let of_text = ["--moves", "--fen", "--where", "--hex", "--player", "--played", "--opening"];
    if let Some(begin) =
        begin.filter(|begin| of_text.contains(&args[*begin].as_str()) && at - begin > 1)
    {
        let value = args[begin + 1..].iter().take_while(|arg| !arg.starts_with("--"));
        let value = value.map(String::as_str).collect::<Vec<_>>().join(" ");
        return Some(format!("put it in quotes: {} \"{value}\"", args[begin]));
    }
    let more = args[at..].iter().take_while(|arg| !arg.starts_with("--"));
    let more = more.map(String::as_str).collect::<Vec<_>>().join(" ");
    for text in [more.as_str(), word] {
        if let Some(option) = movetext::option_for(text) {
            return Some(format!("an option says what it is: {option} \"{text}\""));
        }
    }
    let (name, first) = (args.get(1)?, args.get(2)?);
    let is_archive =
        |text: &str| Path::new(text).join("_delta_log").is_dir() || is_url(Path::new(text));
    if at == 3 && is_archive(word) && !Path::new(first).exists() {
        return Some(format!("the archive comes first: halfmove {name} {word}"));
    }
    (at == 3 && has(verb, "--player") && more.contains(char::is_alphabetic)).then(|| named(&more))
}

/// The hint for a name without its flag.
fn named(name: &str) -> String {
    let value = if name.contains(' ') { format!("\"{name}\"") } else { name.to_owned() };
    let opening = Filter { opening: Some(name.to_owned()), ..Filter::default() };
    match opening.check() {
        Ok(()) => format!("a player: --player {value}; an opening: --opening {value}"),
        Err(_) => format!("a player: --player {value}"),
    }
}

/// `players club merge A B`: the verb comes before the archive.
fn merging(args: &[String]) -> Option<String> {
    let [_, verb, archive, merge, names @ ..] = args else { return None };
    let names: String = names.iter().map(|name| format!(" \"{name}\"")).collect();
    let is_swapped = verb == "players" && merge == "merge";
    is_swapped
        .then(|| format!("the archive comes behind merge: halfmove players merge {archive}{names}"))
}

/// `duplicates club --remove --kind near`: only exact duplicates can be removed.
fn removing(args: &[String]) -> Option<String> {
    let [_, verb, rest @ ..] = args else { return None };
    let has = |word: &str| rest.iter().any(|arg| arg == word);
    let is_near = has("near") || has("--kind=near");
    match verb == "duplicates" && has("--remove") {
        true if is_near => Some(
            "near duplicates are removed by their ids: halfmove remove ARCHIVE --id 17,23"
                .to_owned(),
        ),
        true if has("twin") || has("--kind=twin") => {
            Some("twins are removed with the exact duplicates: --remove --twins".to_owned())
        }
        true => Some("--remove removes only exact duplicates: leave out --kind".to_owned()),
        false => None,
    }
}

/// `import` with one name, which is that of the files or of the archive.
fn without_files(args: &[String]) -> Option<String> {
    let [_, verb, rest @ ..] = args else { return None };
    let mut names = rest.iter().filter(|arg| !arg.starts_with('-') || *arg == "-");
    let (Some(name), None) = (names.next(), names.next()) else { return None };
    let path = Path::new(name);
    let is_files = match path.is_dir() {
        true => !path.join("_delta_log").is_dir() && Files::find(&[path.to_owned()]).is_ok(),
        false => path.is_file() || is_pgn(path) || name == "-",
    };
    let name = quote::path(path);
    match verb == "import" {
        true if is_files => Some(format!("which archive? halfmove import ARCHIVE {name}")),
        true => Some(format!("which files? halfmove import {name} FILE…")),
        false => None,
    }
}

/// The hint for the pieces of two sides without a `v` between them. The second side begins with the second king.
fn two_sides(pieces: &str) -> Option<String> {
    let mut kings = pieces.match_indices('K');
    let (Some((0, _)), Some((at, _)), None) = (kings.next(), kings.next(), kings.next()) else {
        return None;
    };
    let (white, black) = pieces.split_at(at);
    (!pieces.contains('v')).then(|| format!("put a v between the sides: {white}v{black}"))
}

/// The verb of a command line, or the whole program if there is none.
fn verb(args: &[String]) -> Command {
    let mut command = args::command();
    command.build();
    let mut args = args.iter().skip(1).skip_while(|arg| command.find_subcommand(arg).is_none());
    let mut verb = match args.next().and_then(|name| command.find_subcommand(name)) {
        Some(verb) => verb.clone(),
        None => return command,
    };
    while let Some(next) = args.next().and_then(|name| verb.find_subcommand(name)) {
        verb = next.clone();
    }
    verb
}

/// Returns true if the verb has the flag, which may be followed by its value.
fn has(verb: &Command, flag: &str) -> bool {
    let name = flag.split(' ').next().and_then(|flag| flag.strip_prefix("--"));
    verb.get_arguments().any(|arg| arg.get_long() == name)
}

/// The verbs or flags that the table has for a word.
fn names_of(on: On, word: &str) -> Option<Vec<String>> {
    let mut meant =
        WORDS.iter().filter(|(typed_as, words, _)| *typed_as == on && words.contains(&word));
    match meant.next()? {
        (.., Meant::Names(names)) => Some(names.iter().map(|&name| name.to_owned()).collect()),
        (.., Meant::Instead(_)) => None,
    }
}

/// The hint for a name in a query.
#[cfg(feature = "sql")]
fn instead_of(on: On, name: &str) -> Option<String> {
    let name = name.to_lowercase();
    let mut meant = WORDS
        .iter()
        .filter(|(typed_as, names, _)| *typed_as == on && names.contains(&name.as_str()));
    match meant.next()? {
        (.., Meant::Instead(instead)) => Some((*instead).to_owned()),
        (.., Meant::Names(_)) => None,
    }
}

/// The hint for an unknown column.
#[cfg(feature = "sql")]
pub(crate) fn for_column(name: &str) -> Option<String> {
    instead_of(On::Column, name)
}

/// The hint for an unknown function.
#[cfg(feature = "sql")]
pub(crate) fn for_function(name: &str) -> Option<String> {
    instead_of(On::Function, name)
}

/// The name that is closest to a word, if it is within one typo (a missing, extra or wrong letter, or two letters exchanged), or
/// within two in longer words.
fn near(word: &str, names: impl Iterator<Item = String>) -> Option<String> {
    let most = if word.trim_start_matches('-').len() < 6 { 1 } else { 2 };
    let names = names.filter(|name| !UNOFFERED.contains(&name.as_str()));
    let distances = names.map(|name| (strsim::osa_distance(&name, word), name));
    let (distance, name) = distances.min()?;
    (distance <= most).then_some(name)
}

fn did_you_mean(names: &[String]) -> String {
    format!("did you mean {}?", names.join(" or "))
}

#[cfg(test)]
mod tests {
    use super::table::{Meant, On, UNOFFERED, WORDS};
    use super::{has, near, two_sides, verb};
    use crate::args::command;

    /// All suggested names exist, and none of the words of other programs do.
    #[test]
    fn the_table_names_what_exists() {
        let command = command();
        let verb_of = |text: &str| {
            let words = std::iter::once("halfmove").chain(text.split(' ')).map(Into::into);
            verb(&words.collect::<Vec<_>>())
        };
        for (on, words, meant) in WORDS {
            for word in *words {
                match on {
                    On::Verb => assert!(command.find_subcommand(word).is_none(), "{word}"),
                    On::Flag => assert!(!has(&verb_of("search"), word), "{word} is a flag"),
                    On::FlagOf(name) => assert!(!has(&verb_of(name), word), "{name} has {word}"),
                    On::Column | On::Function => assert_eq!(*word, word.to_lowercase()),
                }
            }
            let Meant::Names(names) = meant else { continue };
            for name in *names {
                match on {
                    On::Verb => {
                        let (name, flag) = name.split_once(" --").unwrap_or((name, ""));
                        let verb = verb_of(name);
                        assert_eq!(Some(verb.get_name()), name.split(' ').next_back());
                        assert!(flag.is_empty() || has(&verb, &format!("--{flag}")), "{flag}");
                        assert!(!UNOFFERED.contains(&name) || *words == ["delete"], "{name}");
                    }
                    On::Flag => {
                        let verbs = ["search", "show", "stats"].map(verb_of);
                        assert!(verbs.iter().any(|verb| has(verb, name)), "{name}");
                        assert!(!UNOFFERED.contains(name), "{name}");
                    }
                    _ => panic!("{on:?} {name}: expected a sentence"),
                }
            }
        }
    }

    #[test]
    fn only_typos_are_near() {
        let near_verb = |word: &str| {
            near(word, command().get_subcommands().map(|verb| verb.get_name().to_owned()))
        };
        for (word, expected) in [
            ("serach", Some("search")),
            ("exlpore", Some("explore")),
            ("improt", Some("import")),
            ("sq", Some("sql")),
            ("tree", None),
            ("remov", None),
            ("foo", None),
        ] {
            assert_eq!(near_verb(word).as_deref(), expected, "{word}");
        }
    }

    /// None of the columns and functions of other programs exist here.
    #[cfg(feature = "sql")]
    #[test]
    fn names_of_other_tables() {
        use super::{for_column, for_function};
        for (on, words, _) in WORDS {
            for word in *words {
                let (hint, is_here) = match on {
                    On::Column => {
                        let columns = halfmove_archive::schema::COLUMNS;
                        (for_column(word), columns.iter().any(|column| column.name == *word))
                    }
                    On::Function => {
                        let mut functions = halfmove_functions::FUNCTIONS.iter();
                        (for_function(word), functions.any(|function| function.name == *word))
                    }
                    _ => continue,
                };
                assert!(hint.is_some() && !is_here, "{on:?} {word}");
            }
        }
        assert_eq!(for_column("PLAYER"), for_column("player"));
        assert_eq!(for_column("players"), None);
        assert_eq!(for_function("player"), None);
    }

    #[test]
    fn the_second_king_begins_the_second_side() {
        for (pieces, expected) in [
            ("KRPKR", Some("KRPvKR")),
            ("KK", Some("KvK")),
            ("KRP", None),
            ("KRPvKX", None),
            ("RPR", None),
            ("KQKRK", None),
        ] {
            let tip = expected.map(|text| format!("put a v between the sides: {text}"));
            assert_eq!(two_sides(pieces), tip, "{pieces}");
        }
    }
}
