//! Files with names to replace: plain lists, and Scid's spelling files.
//!
//! ```text
//!  # a list                                  # a spelling file
//!  Kasparov,G => Kasparov, Garry             @PLAYER
//!  Tal, Mikhail<TAB>Tal, Mihail              Kasparov, Garry      #GM RUS [2851] 1963.04.13
//!                                            =Kasparov, Garri
//!                                            =Kasparov, G
//! ```

use crate::output::Advised;
use crate::visible::visible;
use anyhow::{Context as _, anyhow};
use halfmove_archive::SimilarPlayers;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs;
use std::path::Path;

/// Names to replace, and those that replace them.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Each old name, with the new one.
    pub(super) new: HashMap<String, String>,
    /// Old names that have several new ones; they are left as they are.
    pub(super) ambiguous: Vec<String>,
}

/// Reads a file of names.
pub(super) fn read(path: &Path) -> anyhow::Result<Names> {
    let bytes = fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
    // Older spelling files are Latin-1.
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => error.as_bytes().iter().map(|byte| char::from(*byte)).collect(),
    };
    let names = parse(&text);
    let names = names.map_err(|(line, what)| anyhow!("{}, line {line}: {what}", path.display()))?;
    if names.new.is_empty() && names.ambiguous.is_empty() {
        let error = anyhow!("{}: no line replaces a name by another one", path.display());
        let hint = "expected lines such as: old name => new name; or the section @PLAYER of a spelling file";
        return Err(Advised::new(error, hint).into());
    }
    Ok(names)
}

type Fault = (usize, String);

/// Reads the lines of a list, or of a spelling file, whose first line is a section.
fn parse(text: &str) -> Result<Names, Fault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.lines().zip(1..).map(|(line, number)| (number, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let lines: Vec<(usize, &str)> = lines.collect();
    let pairs = match lines.first() {
        Some((_, first)) if first.starts_with('@') => spellings(&lines)?,
        _ => list(&lines)?,
    };
    resolve(&pairs)
}

/// An old name and the new one, with the number of the line.
type Pair<'t> = (usize, &'t str, &'t str);

fn list<'t>(lines: &[(usize, &'t str)]) -> Result<Vec<Pair<'t>>, Fault> {
    let pair = |&(number, line): &(usize, &'t str)| {
        let parts = line.split_once("=>").or_else(|| line.split_once('\t'));
        let (old, new) = parts.map(|(old, new)| (old.trim(), new.trim())).unwrap_or_default();
        let line = visible(line);
        if old.is_empty() || new.is_empty() {
            let expected = "expected: old name => new name, or a tab between them";
            return Err((number, format!("\"{line}\" does not replace a name; {expected}")));
        }
        if !new.contains(char::is_alphanumeric) || new.contains(char::is_control) {
            let name = visible(new);
            return Err((
                number,
                format!("\"{name}\" is not a name: expected a letter or a digit"),
            ));
        }
        Ok((number, old, new))
    };
    lines.iter().map(pair).collect()
}

/// The names of the section `@PLAYER`. Lines that begin with `%` are data about a player, or rules for parts of names.
fn spellings<'t>(lines: &[(usize, &'t str)]) -> Result<Vec<Pair<'t>>, Fault> {
    let (mut is_players, mut name, mut pairs) = (false, None, Vec::new());
    for (number, line) in lines {
        if let Some(section) = line.strip_prefix('@') {
            (is_players, name) = (section.starts_with("PLAYER"), None);
        } else if !is_players || line.starts_with('%') {
        } else if let Some(alias) = line.strip_prefix('=') {
            let Some(name) = name else {
                let what = "an = follows no name; expected the player's name in a line before it";
                return Err((*number, what.to_owned()));
            };
            let alias = plain(alias);
            if !alias.is_empty() {
                pairs.push((*number, alias, name));
            }
        } else {
            name = Some(plain(line)).filter(|name| name.contains(char::is_alphanumeric));
        }
    }
    Ok(pairs)
}

/// A name without the data after `#`.
fn plain(line: &str) -> &str {
    line.split('#').next().unwrap_or_default().trim()
}

/// Follows chains of replaced names.
fn resolve(pairs: &[Pair<'_>]) -> Result<Names, Fault> {
    let mut names = Names::default();
    let mut first: HashMap<&str, (usize, &str)> = HashMap::new();
    for &(number, old, new) in pairs.iter().filter(|(_, old, new)| old != new) {
        match first.entry(old) {
            Entry::Vacant(entry) => _ = entry.insert((number, new)),
            Entry::Occupied(entry) if entry.get().1 == new => {}
            Entry::Occupied(entry) => names.ambiguous.push((*entry.key()).to_owned()),
        }
    }
    names.ambiguous.sort_unstable();
    names.ambiguous.dedup();
    for name in &names.ambiguous {
        first.remove(name.as_str());
    }
    for (old, (number, new)) in &first {
        let (mut last, mut steps) = (*new, 0);
        while let Some((_, next)) = first.get(last) {
            (last, steps) = (*next, steps + 1);
            if steps > first.len() || last == *old {
                let old = visible(old);
                return Err((*number, format!("\"{old}\" is replaced by itself, through others")));
            }
        }
        names.new.insert((*old).to_owned(), last.to_owned());
    }
    Ok(names)
}

/// The lines that replace each of some similar names by that of the most games, without names that match several others or
/// that a line cannot hold.
pub(super) fn lines_of(pairs: &[SimilarPlayers]) -> Vec<String> {
    let is_plain = |name: &str| {
        let is_list = !name.contains("=>") && !name.starts_with(['#', '@']);
        is_list && name.trim() == name && visible(name) == name
    };
    let mut new: HashMap<&str, &str> = HashMap::new();
    let all = pairs.iter().flat_map(|two| [&two.name, &two.other]);
    let games: HashMap<&str, u64> =
        all.map(|player| (player.name.as_str(), player.games)).collect();
    for SimilarPlayers { name, other, .. } in pairs.iter().filter(|two| !two.is_ambiguous) {
        let names = [name.name.as_str(), other.name.as_str()];
        if !names.into_iter().all(is_plain) {
            continue;
        }
        let [one, other] = names.map(|name| last_of(&new, name));
        if one != other {
            let (old, kept) = if games[one] < games[other] { (one, other) } else { (other, one) };
            new.insert(old, kept);
        }
    }
    let mut lines: Vec<(&str, &str)> = new.keys().map(|old| (last_of(&new, old), *old)).collect();
    lines.sort_unstable();
    lines.into_iter().map(|(new, old)| format!("{old} => {new}")).collect()
}

/// The name that replaces a name in the end.
fn last_of<'n>(new: &HashMap<&'n str, &'n str>, name: &'n str) -> &'n str {
    std::iter::successors(Some(name), |name| new.get(name).copied()).last().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(text: &str) -> Vec<(String, String)> {
        let mut all: Vec<_> = parse(text).expect("names").new.into_iter().collect();
        all.sort();
        all
    }

    #[test]
    fn lists_and_spelling_files() {
        let pair = |old: &str, new: &str| (old.to_owned(), new.to_owned());
        let list =
            "# mine\n\nKasparov,G => Kasparov, Garry\nTal\tTal, Mihail\nA => B\nB => C\nC => C\n";
        assert_eq!(
            sorted(list),
            [
                pair("A", "C"),
                pair("B", "C"),
                pair("Kasparov,G", "Kasparov, Garry"),
                pair("Tal", "Tal, Mihail")
            ]
        );
        let scid = "# spellings\n@PLAYER\n%Prefix \"GM \" \"\"\nKasparov, Garry   #GM RUS [2851] 1963\n=Kasparov, G\n\
            %Bio FIDE 4100018\n=Garri Kasparov # rare\nTal, Mihail #GM\n@SITE\nLondon\n=Londres\n";
        assert_eq!(
            sorted(scid),
            [pair("Garri Kasparov", "Kasparov, Garry"), pair("Kasparov, G", "Kasparov, Garry")]
        );
    }

    #[test]
    fn faults_name_their_lines() {
        for (text, line) in [
            ("A => B\nnothing here\n", 2),
            ("A =>\n", 1),
            ("A => ?\n", 1),
            ("X => Y\n@PLAYER\n", 2),
            ("@PLAYER\n=A\n", 2),
        ] {
            assert_eq!(parse(text).expect_err(text).0, line, "{text}");
        }
        assert!(parse("A => B\nB => A\n").is_err());
        let names = parse("A => B\nA => C\nD => B\n").expect("names");
        assert_eq!((names.ambiguous, names.new.len()), (vec!["A".to_owned()], 1));
    }
}
