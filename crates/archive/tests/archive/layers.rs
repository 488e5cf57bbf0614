//! The layering of the crate: no layer imports one above it, and no modules of a layer import each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The layers, lowest first, and the imports allowed in each. Modules not listed here are plain values and errors,
/// which all may import.
const LAYERS: [(&str, &[&str]); 7] = [
    ("snapshot", &[]),
    ("columns", &["snapshot"]),
    ("filter", &[]),
    ("search", &["snapshot", "columns", "filter"]),
    ("change", &["snapshot", "columns", "filter", "search"]),
    ("archive", &["snapshot", "columns", "filter", "search", "change"]),
    ("scan", &["snapshot", "columns", "filter", "search", "archive"]),
];

/// Modules that all layers may import, and that import no layer.
const VALUES: [&str; 4] = ["error", "lichess", "options", "variants"];

/// A module by its path, `search::explore::sums`, and its text without tests and comments.
type Sources = BTreeMap<String, String>;

fn sources(root: &Path) -> Sources {
    fn walk(folder: &Path, path: &str, found: &mut Sources) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let entry = entry.expect("an entry").path();
            let name = entry.file_stem().and_then(|name| name.to_str()).expect("a name");
            let module = if path.is_empty() { name.to_owned() } else { format!("{path}::{name}") };
            if entry.is_dir() {
                walk(&entry, &module, found);
            } else {
                let text = fs::read_to_string(&entry).expect("a source");
                let code = text.split("#[cfg(test)]").next().unwrap_or_default();
                let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
                found.insert(module, lines.collect::<Vec<_>>().join("\n"));
            }
        }
    }
    let mut found = Sources::new();
    walk(root, "", &mut found);
    // The root of the crate passes names on: a module that takes them from there imports the module that has them.
    let root = found.remove("lib").expect("lib.rs");
    found.insert(String::new(), root.replace("pub use ", "pub use self::"));
    found
}

/// Every path in a text after `crate`, `self` or `super`, with lists in braces expanded.
fn paths(text: &str) -> BTreeSet<String> {
    fn expand(prefix: &str, rest: &str, found: &mut BTreeSet<String>) {
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let (name, rest) = rest.split_at(end);
        let path = match (prefix.is_empty(), name.is_empty()) {
            (true, _) => name.to_owned(),
            (false, true) => prefix.to_owned(),
            (false, false) => format!("{prefix}::{name}"),
        };
        let Some(rest) = rest.strip_prefix("::") else {
            found.insert(path);
            return;
        };
        let Some(list) = rest.strip_prefix('{') else { return expand(&path, rest, found) };
        let (mut depth, mut start) = (0, 0);
        for (at, char) in list.char_indices() {
            match char {
                '{' => depth += 1,
                '}' if depth == 0 => return expand(&path, list[start..at].trim(), found),
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    expand(&path, list[start..at].trim(), found);
                    start = at + 1;
                }
                _ => {}
            }
        }
    }
    let mut found = BTreeSet::new();
    for root in ["crate", "self", "super"] {
        for (at, _) in text.match_indices(&format!("{root}::")) {
            let before = text[..at].chars().next_back();
            if !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                expand("", &text[at..], &mut found);
            }
        }
    }
    found
}

/// The module that a path in another module leads to, through re-exports.
fn resolve(sources: &Sources, module: &str, path: &str) -> Option<String> {
    let mut at: Vec<String> =
        module.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect();
    let mut parts = path.split("::").peekable();
    match parts.next()? {
        "crate" => at.clear(),
        "super" => drop(at.pop()),
        _ => {}
    }
    while parts.next_if_eq(&"super").is_some() {
        at.pop();
    }
    for part in parts {
        let here = at.join("::");
        let child = if here.is_empty() { part.to_owned() } else { format!("{here}::{part}") };
        if sources.contains_key(&child) {
            at.push(part.to_owned());
            continue;
        }
        // A name that the module re-exports from one of its children.
        let text = sources.get(&here)?;
        let passed = paths(text)
            .into_iter()
            .find(|found| found.starts_with("self::") && found.ends_with(&format!("::{part}")));
        return match passed {
            Some(passed) => resolve(sources, &here, &passed),
            None => Some(here).filter(|here| !here.is_empty()),
        };
    }
    Some(at.join("::"))
}

/// Each module and those that it imports.
fn edges(sources: &Sources) -> BTreeSet<(String, String)> {
    let mut edges = BTreeSet::new();
    for (module, text) in sources.iter().filter(|(module, _)| !module.is_empty()) {
        for path in paths(text) {
            if let Some(to) = resolve(sources, module, &path).filter(|to| to != module) {
                edges.insert((module.clone(), to));
            }
        }
    }
    edges
}

fn top(module: &str) -> &str {
    module.split("::").next().unwrap_or_default()
}

/// Imports that the layers do not allow, one per line.
fn upward(edges: &BTreeSet<(String, String)>) -> Vec<String> {
    let mut found = Vec::new();
    for (from, to) in edges {
        let (layer, other) = (top(from), top(to));
        if layer == other || VALUES.contains(&other) {
            continue;
        }
        let allowed = LAYERS.iter().find(|(name, _)| *name == layer);
        let is_allowed = allowed.is_some_and(|(_, allowed)| allowed.contains(&other));
        if !is_allowed {
            found.push(format!("{from} imports {to}"));
        }
    }
    found
}

/// The direct child modules of a layer that import each other in a circle, including the modules below them.
fn circles(edges: &BTreeSet<(String, String)>) -> Vec<String> {
    let node = |module: &str| module.split("::").take(2).collect::<Vec<_>>().join("::");
    let mut next: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (from, to) in edges {
        let (from, to) = (node(from), node(to));
        // The file of a layer lists its modules, and has the parts that they share.
        if from != to && from.contains("::") && to.contains("::") && top(&from) == top(&to) {
            next.entry(from).or_default().insert(to);
        }
    }
    let reaches = |start: &String| {
        let mut seen: BTreeSet<&String> = BTreeSet::new();
        let mut stack: Vec<&String> = next.get(start).into_iter().flatten().collect();
        while let Some(module) = stack.pop() {
            if seen.insert(module) {
                stack.extend(next.get(module).into_iter().flatten());
            }
        }
        seen.contains(start)
    };
    next.keys().filter(|module| reaches(module)).cloned().collect()
}

#[test]
fn no_layer_imports_one_above_it() {
    let sources = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(sources.len() > 50, "{} modules", sources.len());
    let mut edges = edges(&sources);
    assert!(edges.len() > 200, "{} imports", edges.len());
    assert_eq!(upward(&edges), [""; 0]);
    // An upward import is found, even through the root of the crate.
    for (path, to) in [
        ("crate::search::Explorer", "search::explore"),
        ("crate::search::explore", "search::explore"),
        ("crate::Archive", "archive"),
        ("super::super::change", "change"),
    ] {
        let found = resolve(&sources, "snapshot::log", path);
        assert_eq!(found.as_deref(), Some(to), "{path}");
        edges.insert(("snapshot::log".to_owned(), to.to_owned()));
        assert_eq!(upward(&edges), [format!("snapshot::log imports {to}")], "{path}");
        edges.remove(&("snapshot::log".to_owned(), to.to_owned()));
    }
}

#[test]
fn no_modules_import_each_other_in_a_circle() {
    let sources = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let mut edges = edges(&sources);
    assert_eq!(circles(&edges), [""; 0]);
    // A circle is found.
    edges.insert(("snapshot::log".to_owned(), "snapshot::history".to_owned()));
    assert!(!circles(&edges).is_empty());
}

#[test]
fn paths_are_taken_apart() {
    let text = "use crate::a::{b::{C, d}, e};\nuse super::f;\nlet x = self::g::h();";
    let found: Vec<String> = paths(text).into_iter().collect();
    assert_eq!(
        found,
        ["crate::a::b::C", "crate::a::b::d", "crate::a::e", "self::g::h", "super::f"]
    );
}
