//! Pawn structures with a name: the page that draws them, and searches compared with a walk over all positions.

use crate::program::{archive_of, ok, run};
use halfmove_game::pgn::read_game;
use halfmove_game::replay::STRUCTURES;
use halfmove_rules::{Color, Role, Square};
use serde_json::Value;
use std::env;
use std::fs;
use std::path::Path;

/// The page `docs/reference/structures.md`.
fn page() -> String {
    let mut page = "# Pawn structures\n\n\
        `--structure NAME` of `search`, `explore` and other verbs with conditions on the board, and `structure:NAME` in the SQL functions\n\
        `shows` and `ply_when`, find these structures, in either color; with `white:` or `black:` before the name, those that this side\n\
        has. `P` is a pawn of White, `p` a pawn of Black, `-` a square without a\n\
        pawn of White, `=` one without a pawn of Black; a dot is any square. All other pieces may stand anywhere.\n"
        .to_owned();
    for structure in STRUCTURES {
        page += &format!(
            "\n## {}\n\n{}. {} has it here:\n\n```text\n{structure}\n```\n",
            structure.name,
            structure.meaning,
            if structure.owner == Color::White { "White" } else { "Black" }
        );
    }
    page
}

#[test]
fn the_page_draws_them() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/structures.md");
    if env::var_os("HALFMOVE_BLESS").is_some() {
        fs::write(&path, page()).expect("written");
    }
    assert_eq!(fs::read_to_string(&path).expect("the page"), page());
    assert!(STRUCTURES.is_sorted_by_key(|structure| structure.name));
}

/// Returns true if a drawing fits a board of pawns; swapped: if it does with the colors exchanged.
fn fits(drawing: &str, pawn: impl Fn(Square) -> Option<Color>, is_swapped: bool) -> bool {
    let squares: Vec<char> = drawing.chars().filter(|char| !char.is_whitespace()).collect();
    squares.iter().enumerate().all(|(at, drawn)| {
        let rank = if is_swapped { at / 8 } else { 7 - at / 8 };
        let square = Square::from_index((rank * 8 + at % 8) as u8).expect("a square");
        let color = pawn(square).map(|color| if is_swapped { !color } else { color });
        match drawn {
            'P' => color == Some(Color::White),
            'p' => color == Some(Color::Black),
            '-' => color != Some(Color::White),
            '=' => color != Some(Color::Black),
            _ => true,
        }
    })
}

#[test]
fn searches_find_what_a_walk_finds() {
    let (folder, all) = archive_of(&["games/masters.pgn.zst"]);
    let pgn = ok(&["export", &all, "--id", "1-1500"]);
    let file = folder.path().join("some.pgn");
    fs::write(&file, &pgn).expect("a file");
    let archive = folder.path().join("some").to_str().expect("text").to_owned();
    ok(&["import", &archive, file.to_str().expect("text"), "-q"]);
    let games: Vec<_> = pgn
        .split("\n\n[")
        .enumerate()
        .map(|(at, text)| if at == 0 { text.to_owned() } else { format!("[{text}") })
        .map(|text| read_game(&text).expect("a game"))
        .collect();
    assert!(games.len() > 300);
    let mut found = 0;
    let sides = [None, Some(Color::White), Some(Color::Black)];
    for (structure, side) in STRUCTURES.iter().flat_map(|it| sides.map(|side| (it, side))) {
        let drawing = structure.to_string();
        let swaps: &[bool] = match side {
            None => &[false, true],
            Some(side) => &[side != structure.owner],
        };
        let mut expected: Vec<(i64, usize)> = Vec::new();
        for (game, id) in games.iter().zip(1..) {
            let mut position = game.start.clone();
            let mut here = game.moves.iter();
            let mut ply = 0;
            loop {
                let pawn = |square: Square| {
                    let piece = position.board().piece_at(square)?;
                    (piece.role == Role::Pawn).then_some(piece.color)
                };
                if swaps.iter().any(|is_swapped| fits(&drawing, pawn, *is_swapped)) {
                    expected.push((id, ply));
                    break;
                }
                let Some(mv) = here.next() else { break };
                position.play_unchecked(*mv);
                ply += 1;
            }
        }
        let name = match side {
            None => structure.name.to_owned(),
            Some(Color::White) => format!("white:{}", structure.name),
            Some(Color::Black) => format!("Black:{}", structure.name),
        };
        let args = ["search", &archive, "--structure", &name, "--format", "json"];
        let answer: Value = serde_json::from_str(&run(&args).out).expect("JSON");
        let games = answer["games"].as_array().expect("games").iter();
        let answer: Vec<(i64, usize)> = games
            .map(|game| {
                let number = |name: &str| game[name].as_u64().expect("a number");
                (number("id") as i64, number("ply") as usize)
            })
            .collect();
        assert_eq!(answer, expected, "{name}");
        found += answer.len();
    }
    assert!(found > 100, "{found}");
    // With further conditions, in the same position; and errors that list the names.
    let few = ok(&["search", &archive, "--structure", "IQP", "--material", "A*vA*", "--count"]);
    let all = ok(&["search", &archive, "--structure", "iqp", "--count"]);
    assert_eq!(few, all);
    let wrong = run(&["search", &archive, "--structure", "red:hedgehog"]);
    assert!(wrong.code == 2 && wrong.err.contains("carlsbad, caro-kann"), "{wrong:?}");
}
