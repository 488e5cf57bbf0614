//! The reference describes the current columns.

use halfmove_archive::schema::{COLUMNS, ColumnType};

use crate::Outcome;

#[test]
fn the_reference_describes_every_column() -> Outcome {
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/archive.md");
    let text = std::fs::read_to_string(path)?;
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("| `")).collect();
    for (index, column) in COLUMNS.iter().enumerate() {
        let kind = match column.kind {
            ColumnType::Long => "long",
            ColumnType::Int => "integer",
            ColumnType::Date => "date",
            ColumnType::Double => "double",
            ColumnType::Timestamp => "timestamp",
            ColumnType::Text => "string",
            ColumnType::Binary => "binary",
            _ => "array<struct<name: string, value: string>>",
        };
        let null = if column.nullable { "yes" } else { "no" };
        let derived = column
            .derived
            .map_or(String::new(), |version| format!(" (derived, version {version})"));
        let line = format!(
            "| `{}` | {kind} | {null} | {}{derived} | `{}` |",
            column.name, column.meaning, column.example
        );
        assert_eq!(lines.get(index), Some(&line.as_str()), "column {}", column.name);
    }
    Ok(())
}
