//! The dependencies between the crates: `cargo metadata` lists every edge, and only the known ones are allowed.

use serde_json::{Value, json};
use std::process::Command;

/// Each crate, and the crates of this workspace that it may depend on.
const ARROWS: [(&str, &[&str]); 16] = [
    ("halfmove-bitboard", &[]),
    ("halfmove-techniques", &["halfmove-bitboard"]),
    ("halfmove-rules", &["halfmove-bitboard"]),
    ("halfmove-mailbox", &["halfmove-rules"]),
    ("halfmove-game", &["halfmove-rules"]),
    ("halfmove-codecs", &["halfmove-rules", "halfmove-game"]),
    ("halfmove-engine", &["halfmove-rules"]),
    ("halfmove-lab", &["halfmove-rules", "halfmove-game", "halfmove-codecs", "halfmove-engine"]),
    ("halfmove-functions", &["halfmove-rules", "halfmove-game", "halfmove-codecs"]),
    ("halfmove-archive", &["halfmove-rules", "halfmove-game", "halfmove-functions"]),
    (
        "halfmove-sql",
        &["halfmove-rules", "halfmove-game", "halfmove-functions", "halfmove-archive"],
    ),
    (
        "halfmove-server",
        &["halfmove-rules", "halfmove-game", "halfmove-archive", "halfmove-engine"],
    ),
    (
        "halfmove-cli",
        &[
            "halfmove-rules",
            "halfmove-game",
            "halfmove-codecs",
            "halfmove-functions",
            "halfmove-archive",
            "halfmove-sql",
            "halfmove-server",
            "halfmove-engine",
        ],
    ),
    (
        "halfmove-python",
        &[
            "halfmove-rules",
            "halfmove-game",
            "halfmove-functions",
            "halfmove-archive",
            "halfmove-sql",
        ],
    ),
    (
        "halfmove-duckdb",
        &["halfmove-rules", "halfmove-game", "halfmove-functions", "halfmove-archive"],
    ),
    (
        "halfmove-bench",
        &[
            "halfmove-bitboard",
            "halfmove-techniques",
            "halfmove-rules",
            "halfmove-mailbox",
            "halfmove-game",
            "halfmove-codecs",
            "halfmove-engine",
        ],
    ),
];

/// Crates that another one may use in its tests only: the slow side of a comparison.
const ORACLES: [(&str, &str); 2] =
    [("halfmove-archive", "halfmove-mailbox"), ("halfmove-engine", "halfmove-mailbox")];

/// Libraries of columns, tables and queries, and the only crates that may depend on them. A name covers those that
/// continue it with `-` or `_`.
const WALLS: [(&[&str], &[&str]); 8] = [
    (&["datafusion"], &["halfmove-sql"]),
    (
        &["arrow"],
        &[
            "halfmove-functions",
            "halfmove-archive",
            "halfmove-sql",
            "halfmove-python",
            "halfmove-duckdb",
        ],
    ),
    (&["delta_kernel", "deltalake", "object_store"], &["halfmove-archive", "halfmove-sql"]),
    (&["parquet"], &["halfmove-archive", "halfmove-sql"]),
    (
        &["tokio", "futures"],
        &["halfmove-archive", "halfmove-sql", "halfmove-server", "halfmove-cli", "halfmove-python"],
    ),
    (&["pyo3"], &["halfmove-python"]),
    (&["quack-rs", "libduckdb-sys"], &["halfmove-duckdb"]),
    (&["axum", "hyper", "tower"], &["halfmove-server"]),
];

/// Asynchronous libraries, and the crates that only a feature may bring them to.
const ASYNC: [&str; 2] = ["tokio", "futures"];
const WITHOUT_ASYNC: [&str; 3] = ["halfmove-archive", "halfmove-cli", "halfmove-python"];

fn is_one_of(name: &str, families: &[&str]) -> bool {
    families.iter().any(|family| {
        name.strip_prefix(family)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '_']))
    })
}

/// The dependencies that the design does not allow, one per line.
fn violations(metadata: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for package in metadata["packages"].as_array().expect("a list of packages") {
        let name = package["name"].as_str().expect("a name");
        let Some((_, allowed)) = ARROWS.iter().find(|(known, _)| *known == name) else {
            found.push(format!("{name} has no place among the arrows"));
            continue;
        };
        for dependency in package["dependencies"].as_array().expect("a list of dependencies") {
            let to = dependency["name"].as_str().expect("a name");
            let in_workspace = dependency["path"].is_string();
            let for_tests = dependency["kind"] == "dev";
            let is_oracle = for_tests && ORACLES.contains(&(name, to));
            if in_workspace && !allowed.contains(&to) && !is_oracle {
                found.push(format!("{name} must not know {to}"));
            }
            for (behind, may) in WALLS {
                if is_one_of(to, behind) && !may.contains(&name) {
                    found.push(format!("{name} must not know {to}: only {may:?} may"));
                }
            }
            let is_needed = dependency["optional"] != true && !for_tests;
            if is_one_of(to, &ASYNC) && is_needed && WITHOUT_ASYNC.contains(&name) {
                found.push(format!("{name} must not need {to}: only a feature may bring it"));
            }
            if name == "halfmove-bitboard" && !for_tests && dependency["optional"] != true {
                found.push(format!("{name} needs no other crate, but names {to}"));
            }
        }
    }
    found
}

#[test]
fn arrows_point_down() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version=1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().map_or(0, Vec::len);
    assert_eq!(packages, ARROWS.len(), "a crate is missing, or new");
    assert_eq!(violations(&metadata), Vec::<String>::new());
}

#[test]
fn wrong_arrows_are_seen() {
    let with = |name: &str, to: &str, path: Option<&str>, kind: Option<&str>| {
        let dependency = json!({ "name": to, "path": path, "kind": kind });
        violations(&json!({ "packages": [{ "name": name, "dependencies": [dependency] }] }))
    };
    for (name, to, path, kind) in [
        ("halfmove-rules", "halfmove-game", Some("crates/game"), None),
        ("halfmove-rules", "halfmove-game", Some("crates/game"), Some("dev")),
        ("halfmove-game", "halfmove-bitboard", Some("crates/bitboard"), None),
        ("halfmove-game", "parquet", None, None),
        ("halfmove-rules", "halfmove-mailbox", Some("crates/mailbox"), Some("dev")),
        ("halfmove-techniques", "halfmove-rules", Some("crates/rules"), None),
        ("halfmove-bitboard", "halfmove-techniques", Some("crates/techniques"), Some("dev")),
        ("halfmove-rules", "halfmove-techniques", Some("crates/techniques"), None),
        ("halfmove-rules", "halfmove-techniques", Some("crates/techniques"), Some("dev")),
        ("halfmove-engine", "halfmove-techniques", Some("crates/techniques"), None),
        ("halfmove-game", "halfmove-mailbox", Some("crates/mailbox"), None),
        ("halfmove-archive", "halfmove-mailbox", Some("crates/mailbox"), None),
        ("halfmove-mailbox", "halfmove-bitboard", Some("crates/bitboard"), None),
        ("halfmove-game", "halfmove-codecs", Some("crates/codecs"), Some("dev")),
        ("halfmove-archive", "halfmove-codecs", Some("crates/codecs"), None),
        ("halfmove-codecs", "halfmove-functions", Some("crates/functions"), Some("dev")),
        ("halfmove-engine", "halfmove-game", Some("crates/game"), None),
        ("halfmove-engine", "halfmove-mailbox", Some("crates/mailbox"), None),
        ("halfmove-engine", "halfmove-archive", Some("crates/archive"), None),
        ("halfmove-rules", "halfmove-engine", Some("crates/engine"), Some("dev")),
        ("halfmove-engine", "halfmove-lab", Some("crates/lab"), Some("dev")),
        ("halfmove-lab", "halfmove-archive", Some("crates/archive"), None),
        ("halfmove-cli", "halfmove-lab", Some("crates/lab"), None),
        ("halfmove-cli", "arrow-array", None, None),
        ("halfmove-server", "arrow-array", None, None),
        ("halfmove-server", "halfmove-sql", Some("crates/sql"), None),
        ("halfmove-archive", "halfmove-server", Some("crates/server"), None),
        ("halfmove-archive", "axum", None, None),
        ("halfmove-cli", "datafusion", None, None),
        ("halfmove-archive", "datafusion", None, None),
        ("halfmove-archive", "halfmove-sql", Some("crates/sql"), None),
        ("halfmove-archive", "tokio", None, None),
        ("halfmove-game", "arrow-array", None, None),
        ("halfmove-functions", "datafusion", None, None),
        ("halfmove-functions", "parquet", None, None),
        ("halfmove-functions", "halfmove-archive", Some("crates/archive"), Some("dev")),
        ("halfmove-functions", "tokio", None, None),
        ("halfmove-cli", "delta_kernel_default_engine", None, None),
        ("halfmove-game", "tokio", None, None),
        ("halfmove-bitboard", "arrayvec", None, None),
        ("halfmove-python", "halfmove-cli", Some("crates/cli"), None),
        ("halfmove-python", "delta_kernel", None, None),
        ("halfmove-duckdb", "parquet", None, None),
        ("halfmove-python", "parquet", None, None),
        ("halfmove-sql", "halfmove-python", Some("crates/python"), None),
        ("halfmove-functions", "pyo3", None, None),
    ] {
        assert_eq!(with(name, to, path, kind).len(), 1, "{name} -> {to}");
    }
    assert_eq!(with("halfmove-web", "serde", None, None).len(), 1, "an unknown crate");
    for (name, to, path, kind) in [
        ("halfmove-techniques", "halfmove-bitboard", Some("crates/bitboard"), None),
        ("halfmove-cli", "halfmove-rules", Some("crates/rules"), None),
        ("halfmove-cli", "halfmove-engine", Some("crates/engine"), None),
        ("halfmove-cli", "halfmove-codecs", Some("crates/codecs"), None),
        ("halfmove-engine", "halfmove-mailbox", Some("crates/mailbox"), Some("dev")),
        ("halfmove-archive", "halfmove-mailbox", Some("crates/mailbox"), Some("dev")),
        ("halfmove-archive", "arrow-array", None, None),
        ("halfmove-archive", "halfmove-functions", Some("crates/functions"), None),
        ("halfmove-functions", "arrow-array", None, None),
        ("halfmove-functions", "halfmove-codecs", Some("crates/codecs"), None),
        ("halfmove-sql", "datafusion", None, None),
        ("halfmove-sql", "tokio", None, None),
        ("halfmove-server", "tokio", None, None),
        ("halfmove-server", "halfmove-engine", Some("crates/engine"), None),
        ("halfmove-cli", "halfmove-server", Some("crates/server"), None),
        ("halfmove-python", "halfmove-sql", Some("crates/sql"), None),
        ("halfmove-python", "arrow-array", None, None),
        ("halfmove-rules", "arrayvec", None, None),
        ("halfmove-bitboard", "proptest", None, Some("dev")),
    ] {
        assert_eq!(with(name, to, path, kind), Vec::<String>::new(), "{name} -> {to}");
    }
}
