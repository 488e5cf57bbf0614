//! The description of the interface for programs, `/api/openapi.json`.

use crate::support::{Club, block_on, get, json, problem, text};
use axum::http::StatusCode;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::path::Path;

/// The description names exactly the routes that answer, and each of its parameters is one that the route takes.
#[test]
fn the_description_is_true() {
    block_on(async {
        let club = Club::new();
        let app = club.app();
        let description = json(&app, "/api/openapi.json").await;
        assert_eq!(description, serde_json::to_value(halfmove_server::openapi()).unwrap());
        let paths = description["paths"].as_object().unwrap();
        let mut seen = BTreeSet::new();
        for (path, item) in paths {
            seen.insert(path.as_str());
            let at = path.replace("{id}", "1");
            for (method, operation) in item.as_object().unwrap() {
                assert!(operation["summary"].is_string(), "{method} {path}");
                // Queries need an engine; what it answers is tested with the program.
                if method != "get" || path == "/api/engine" || path.starts_with("/api/sql") {
                    continue;
                }
                let (status, answer) = text(&app, get(&at)).await;
                assert_eq!(status, StatusCode::OK, "{path}: {answer}");
                let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
                for parameter in parameters.iter().filter(|parameter| parameter["in"] == "query") {
                    let name = parameter["name"].as_str().unwrap();
                    // An empty list of ids is an error: it is not every game.
                    let value = if name == "ids" { "1" } else { "" };
                    let (status, answer) = text(&app, get(&format!("{at}?{name}={value}"))).await;
                    assert_eq!(status, StatusCode::OK, "{path} {name}: {answer}");
                }
                if path != "/api/openapi.json" {
                    let unknown = problem(&app, &format!("{at}?nonsense=1")).await;
                    assert_eq!(unknown["parameter"], "nonsense", "{path}");
                    // And no route takes a parameter that is not described.
                    let hint = unknown["hint"].as_str().unwrap();
                    for name in hint
                        .trim_start_matches("parameters here: ")
                        .split(", ")
                        .filter(|name| !name.is_empty())
                    {
                        assert!(
                            parameters.iter().any(|known| known["name"] == name),
                            "{path}: {name}"
                        );
                    }
                }
            }
        }
        assert!(seen.len() >= 18, "{seen:?}");
    });
}

/// The committed description, from which the types of the page are made, is that of the server. `HALFMOVE_BLESS=1` rewrites it.
#[test]
fn the_committed_description_is_new() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/openapi.json");
    let text = serde_json::to_string_pretty(&halfmove_server::openapi()).unwrap() + "\n";
    if std::env::var_os("HALFMOVE_BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    let advice = "run this test with HALFMOVE_BLESS=1, and then `npm run types` in web/";
    assert!(committed == text, "web/openapi.json is old: {advice}");
}

/// The fields of an object that its schema describes, by name, and the names of those that are always there.
fn described<'a>(
    all: &'a Value,
    schema: &'a Value,
    fields: &mut Map<String, Value>,
    required: &mut BTreeSet<&'a str>,
) {
    if let Some(path) = schema["$ref"].as_str() {
        return described(all, referred(all, path), fields, required);
    }
    for part in schema["allOf"].as_array().into_iter().flatten() {
        described(all, part, fields, required);
    }
    fields.extend(schema["properties"].as_object().cloned().into_iter().flatten());
    required.extend(schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str));
}

fn referred<'a>(all: &'a Value, path: &str) -> &'a Value {
    all.pointer(path.trim_start_matches('#')).unwrap_or_else(|| panic!("there is no {path}"))
}

/// Checks a value against its schema: types, names of fields, and which of them may be absent or null.
fn check(all: &Value, schema: &Value, value: &Value, place: &str) {
    if let Some(path) = schema["$ref"].as_str() {
        return check(all, referred(all, path), value, place);
    }
    if value.is_null() {
        let is_null = |schema: &Value| {
            schema["type"] == "null"
                || schema["type"]
                    .as_array()
                    .is_some_and(|kinds| kinds.iter().any(|kind| kind == "null"))
        };
        let mut choices = schema["oneOf"].as_array().into_iter().flatten();
        return assert!(is_null(schema) || choices.any(is_null), "{place} is null: {schema}");
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let choice = choices.iter().find(|choice| choice["type"] != "null").expect("a choice");
        return check(all, choice, value, place);
    }
    let kind = match value {
        Value::Array(_) => "array",
        Value::Object(_) => "object",
        Value::String(_) => "string",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        _ => "integer",
    };
    let is_of = |known: &Value| known == kind || kind == "integer" && known == "number";
    let known = &schema["type"];
    let is_known = known.is_null()
        || is_of(known)
        || known.as_array().is_some_and(|all| all.iter().any(is_of));
    assert!(is_known, "{place}: {value} is not of {known}");
    for (number, item) in value.as_array().into_iter().flatten().enumerate() {
        check(all, &schema["items"], item, &format!("{place}[{number}]"));
    }
    let Some(object) = value.as_object() else { return };
    let (mut fields, mut required) = (Map::new(), BTreeSet::new());
    described(all, schema, &mut fields, &mut required);
    let is_open = schema["additionalProperties"].is_object() || fields.is_empty();
    for name in &required {
        assert!(object.contains_key(*name), "{place}: {name} is missing");
    }
    for (name, value) in object {
        match fields.get(name) {
            Some(schema) => check(all, schema, value, &format!("{place}.{name}")),
            None => assert!(is_open, "{place}: {name} is not described"),
        }
    }
}

/// Real answers have the fields that the description has, no others, and null only where it says so.
#[test]
fn answers_are_as_described() {
    block_on(async {
        let club = Club::new();
        let app = club.app();
        let all = serde_json::to_value(halfmove_server::openapi()).unwrap();
        for target in [
            "/api/archives",
            "/api/history",
            "/api/search",
            "/api/search?player=tal&moves=e4&sort=-date",
            "/api/count?player=tal",
            "/api/games/1",
            "/api/games/3",
            "/api/games/4",
            "/api/position",
            "/api/position?moves=e4+e5+Nf3+Nc6+Bc4+Bc5",
            "/api/position?moves=f3+e5+g4+Qh4",
            "/api/position?variant=makruk&fen=8/3k4/8/8/8/8/3r4/R1RK4+w+-+-+0+1&moves=d1d2",
            "/api/explorer",
            "/api/explorer?player=tal&games=4&reached=1&history=1",
            "/api/stats",
            "/api/stats?player=tal",
            "/api/scores?by=year",
            "/api/scores?by=opponent&player=tal",
            "/api/players?q=ta",
            "/api/players?q=tall",
            "/api/events",
            "/api/openings?q=sicilian",
            "/api/duplicates",
        ] {
            let path = target.split('?').next().unwrap();
            let path = if path.starts_with("/api/games/") { "/api/games/{id}" } else { path };
            let answers = &all["paths"][path]["get"]["responses"]["200"]["content"];
            let schema = &answers["application/json"]["schema"];
            assert!(schema.is_object(), "{path} has no schema");
            check(&all, schema, &json(&app, target).await, target);
        }
        let wrong = problem(&app, "/api/search?nonsense=1").await;
        check(&all, &all["components"]["schemas"]["Problem"], &wrong, "a problem");
    });
}
