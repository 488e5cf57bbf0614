//! Functions over the columns of an archive: those over moves, against games replayed on the 0x88 board; those over
//! clocks and evaluations, against the text.

use std::collections::BTreeMap;
use std::io::Read;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_select::concat::concat_batches;
use halfmove_archive::Archive;
use halfmove_functions::{Arguments, Body, Values, function};
use halfmove_game::{Game, Input};
use halfmove_mailbox as mailbox;
use halfmove_rules::makruk::Rules;
use halfmove_rules::{
    AnyPosition, Color, File, Move, Outcome as Ending, Role, San, Square, Variant,
};

use crate::kin::games_of;
use crate::{Outcome, archive, read, table, testdata};

/// Some columns of all games, in the order of their ids.
fn columns(archive: &Archive, names: &[&str]) -> RecordBatch {
    let batches = table::batches(archive, names).expect("rows");
    concat_batches(&batches.first().expect("games").schema(), &batches).expect("one batch")
}

/// A constant of a call.
#[derive(Debug, Clone, Copy)]
enum Constant {
    Text(&'static str),
    Number(i64),
}

use Constant::{Number, Text};

/// The results of a function for a column and constants, for each game; `null` for null.
fn call(games: &RecordBatch, name: &str, column: &str, constants: &[Constant]) -> Vec<String> {
    let function = function(name).unwrap_or_else(|| panic!("no function {name}"));
    let mut values = vec![Values::column(column, Arc::clone(&games[column]))];
    values.extend(constants.iter().map(|constant| {
        let value: ArrayRef = match constant {
            Text(text) => Arc::new(StringArray::from(vec![*text])),
            Number(number) => Arc::new(Int64Array::from(vec![*number])),
        };
        Values::literal(value)
    }));
    let Body::Rows(evaluate) = function.body else { panic!("{name}: an aggregate") };
    let arguments = Arguments::new(function, &values, games.num_rows()).expect("arguments");
    let answers = evaluate(&arguments).expect("answers");
    let null = || "null".to_owned();
    (0..games.num_rows()).map(|row| table::cell(&answers, row).unwrap_or_else(null)).collect()
}

/// Columns of results as rows.
fn rows(columns: &[Vec<String>], count: usize) -> Vec<Vec<String>> {
    (0..count).map(|row| columns.iter().map(|column| column[row].clone()).collect()).collect()
}

/// A position on the 0x88 board.
enum Slow {
    Chess(mailbox::Chess),
    Makruk(mailbox::Makruk),
}

impl Slow {
    fn start(start: &AnyPosition) -> Slow {
        let fen = start.to_string();
        let rules = match start {
            AnyPosition::Chess(_) => {
                return Slow::Chess(mailbox::Chess::from_fen(&fen).expect("a start"));
            }
            AnyPosition::Makruk(start) => match start.rules() {
                Rules::Makpong => mailbox::Rules::Makpong,
                Rules::Asean => mailbox::Rules::Asean,
                _ => mailbox::Rules::Makruk,
            },
        };
        let (dialect, policy) = (mailbox::Dialect::Fairy, mailbox::CountingPolicy::Auto);
        let start = mailbox::Makruk::from_fen(&fen, rules, dialect, policy);
        Slow::Makruk(start.expect("a start"))
    }

    fn board(&self) -> &mailbox::Board {
        match self {
            Slow::Chess(position) => position.board(),
            Slow::Makruk(position) => position.board(),
        }
    }

    fn is_check(&self) -> bool {
        match self {
            Slow::Chess(position) => position.is_check(),
            Slow::Makruk(position) => position.is_check(),
        }
    }

    fn side_to_move(&self) -> Color {
        match self {
            Slow::Chess(position) => position.side_to_move(),
            Slow::Makruk(position) => position.side_to_move(),
        }
    }

    fn has_moves(&self) -> bool {
        match self {
            Slow::Chess(position) => !position.legal_moves().is_empty(),
            Slow::Makruk(position) => !position.legal_moves().is_empty(),
        }
    }

    fn play(&self, mv: Move) -> Slow {
        match self {
            Slow::Chess(position) => Slow::Chess(position.play(mv).expect("a legal move")),
            Slow::Makruk(position) => Slow::Makruk(position.play(mv).expect("a legal move")),
        }
    }

    /// Pieces and side to move, as the first two fields of a FEN.
    fn fields(&self) -> String {
        let fen = match self {
            Slow::Chess(position) => position.to_fen(),
            Slow::Makruk(position) => position.to_fen(mailbox::Dialect::Fairy),
        };
        fen.split(' ').take(2).collect::<Vec<_>>().join(" ").replace('~', "")
    }

    fn pieces(&self, color: Color) -> usize {
        self.board().pieces().filter(|(_, piece)| piece.color == color).count()
    }
}

/// The moves of a game, counted slowly.
#[derive(Default)]
struct Counted {
    moved: BTreeMap<(u8, u8), u32>,
    captures: [u32; 2],
    checks: [u32; 2],
    promotions: [u32; 2],
    castled: [Option<&'static str>; 2],
    uci: Vec<String>,
    last: String,
    ended: Option<String>,
}

/// A move as UCI writes it.
fn uci(mv: Move, variant: Variant) -> String {
    let (from, to) = (mv.from(), mv.to());
    if mv.is_castle() && variant == Variant::Chess {
        let file = if to.file() > from.file() { File::G } else { File::C };
        return format!("{from}{}", Square::new(file, from.rank()));
    }
    let letter = mv.promotion().map(|role| match (variant, role) {
        // ASEAN chess has the letters of chess.
        (Variant::Asean, Role::Khon) => 'b',
        (Variant::Asean, Role::Met) => 'q',
        (_, role) => role.letter().to_ascii_lowercase(),
    });
    format!("{from}{to}{}", letter.map(String::from).unwrap_or_default())
}

fn count(game: &Game) -> Counted {
    let mut counted = Counted::default();
    let mut position = Slow::start(&game.start);
    for &mv in &game.moves {
        let us = position.side_to_move();
        let role = position.board().piece_at(mv.from()).expect("a piece").kind.role();
        let next = position.play(mv);
        let i = us.index();
        *counted.moved.entry((i as u8, role as u8)).or_default() += 1;
        counted.captures[i] += (position.pieces(!us) - next.pieces(!us)) as u32;
        counted.checks[i] += u32::from(next.is_check());
        counted.promotions[i] += u32::from(mv.promotion().is_some());
        if mv.is_castle() {
            let is_short = mv.to().file() > mv.from().file();
            counted.castled[i] = Some(if is_short { "O-O" } else { "O-O-O" });
        }
        counted.uci.push(uci(mv, game.start.variant()));
        position = next;
    }
    counted.last = position.fields();
    counted.ended = match (position.has_moves(), position.is_check(), &position) {
        (false, true, _) => Some("checkmate".to_owned()),
        (false, false, _) => Some("stalemate".to_owned()),
        (true, _, Slow::Chess(position)) => {
            let is_dead = position.outcome() == Some(Ending::InsufficientMaterial);
            is_dead.then(|| "insufficient_material".to_owned())
        }
        // The ends of Makruk are compared elsewhere.
        (true, _, Slow::Makruk(_)) => Some("any".to_owned()),
    };
    counted
}

/// Games of all variants: of every file of `testdata/games`, but not all of the masters.
fn some_games() -> Vec<Game> {
    let mut games = Vec::new();
    for (file, step) in [
        ("games/masters.pgn.zst", 20),
        ("games/lichess.pgn.zst", 1),
        ("games/chess960.pgn", 1),
        ("games/setup.pgn", 1),
        ("games/makruk.pgn", 1),
    ] {
        games.extend(read(&testdata(file)).into_iter().step_by(step).map(|(game, _)| game));
    }
    games.extend(games_of(testdata("makruk/kin_games.jsonl")));
    games
}

#[test]
fn counts_are_those_of_the_0x88_board() -> Outcome {
    let games = some_games();
    let with_faults: Vec<_> = games.iter().map(|game| (game.clone(), None)).collect();
    let (_folder, archive) = archive(&with_faults);
    let columns = columns(&archive, &["moves"]);
    let answers = |name: &str, constants: &[Constant]| call(&columns, name, "moves", constants);
    let mut all = Vec::new();
    for name in ["captures", "checks", "promotions"] {
        all.extend([&[Text("white")][..], &[Text("black")], &[]].map(|side| answers(name, side)));
    }
    all.extend(["white", "black"].map(|side| answers("castled", &[Text(side)])));
    all.extend(["uci", "final_fen", "ended"].map(|name| answers(name, &[])));
    for side in ["white", "black"] {
        let roles = ["P", "N", "B", "R", "Q", "K", "S", "M"];
        all.extend(roles.map(|role| answers("moved", &[Text(role), Text(side)])));
    }
    let rows = rows(&all, games.len());
    assert_eq!(rows.len(), games.len());
    let mut seen = [0_u32; 5];
    for (row, game) in rows.iter().zip(&games) {
        let slow = count(game);
        let mut expected = Vec::new();
        for [white, black] in [slow.captures, slow.checks, slow.promotions] {
            expected.extend([white, black, white + black].map(|count| count.to_string()));
        }
        expected.extend(slow.castled.map(|how| how.unwrap_or("null").to_owned()));
        expected.push(slow.uci.join(" "));
        assert_eq!(row[..12], expected, "{game:?}");
        let fields: Vec<&str> = row[12].split(' ').take(2).collect();
        assert_eq!(fields.join(" ").replace('~', ""), slow.last, "{game:?}");
        match slow.ended.as_deref() {
            Some("any") => assert!(!["checkmate", "stalemate"].contains(&row[13].as_str())),
            ended => assert_eq!(row[13], ended.unwrap_or("null"), "{game:?}"),
        }
        for color in 0..2_u8 {
            for (index, role) in Role::ALL.into_iter().enumerate() {
                let alike = match role {
                    Role::Bishop | Role::Khon => vec![Role::Bishop, Role::Khon],
                    Role::Queen | Role::Met => vec![Role::Queen, Role::Met],
                    role => vec![role],
                };
                let of = |role: &Role| slow.moved.get(&(color, *role as u8)).copied().unwrap_or(0);
                let sum: u32 = alike.iter().map(of).sum();
                assert_eq!(row[14 + 8 * usize::from(color) + index], sum.to_string(), "{game:?}");
            }
        }
        seen[0] += slow.promotions.iter().sum::<u32>();
        seen[1] += u32::from(slow.castled.contains(&Some("O-O-O")));
        seen[2] += u32::from(slow.ended.as_deref() == Some("checkmate"));
        seen[3] += u32::from(slow.ended.as_deref() == Some("any"));
        seen[4] += slow.checks[1];
    }
    assert!(seen.iter().all(|seen| *seen > 0), "{seen:?}");
    Ok(())
}

/// Each move in SAN, against the same game played move by move.
#[test]
fn moves_are_those_of_a_game_that_is_played() -> Outcome {
    let games = some_games();
    let with_faults: Vec<_> = games.iter().map(|game| (game.clone(), None)).collect();
    let (_folder, archive) = archive(&with_faults);
    let numbers = [1_i64, 2, 3, 8, 15, 20, 33, 60, 101, -1, -2, -40];
    let columns = columns(&archive, &["moves"]);
    let answers = numbers.map(|number| call(&columns, "move_at", "moves", &[Number(number)]));
    for (row, game) in rows(&answers, games.len()).iter().zip(&games) {
        let mut position = game.start.clone();
        let mut sans = Vec::new();
        for &mv in &game.moves {
            let san = position.san(mv).to_string();
            if let AnyPosition::Chess(position) = &position {
                assert_eq!(San::parse_strict(san.as_bytes(), position), Ok(mv));
            }
            sans.push(san);
            position = position.play(mv)?;
        }
        for (number, found) in numbers.iter().zip(row) {
            let index = match number {
                1.. => number - 1,
                _ => sans.len() as i64 + number,
            };
            let expected = usize::try_from(index).ok().and_then(|index| sans.get(index));
            assert_eq!(found, expected.map_or("null", String::as_str), "{number} of {sans:?}");
        }
    }
    Ok(())
}

/// The text after a word of a comment, such as `0:03:00` after `[%clk `.
fn value<'a>(comment: &'a str, word: &str) -> Option<&'a str> {
    let (_, rest) = comment.split_once(&format!("[%{word} "))?;
    rest.split(']').next()
}

/// Clocks and evaluations, against the comments of the text.
#[test]
fn values_are_those_of_the_text() -> Outcome {
    let mut text = String::new();
    Input::open(testdata("games/lichess.pgn.zst"))?.read_to_string(&mut text)?;
    let (_folder, archive, ..) = crate::kin::imported(&[], &["games/lichess.pgn.zst"]);
    let columns = columns(&archive, &["clocks", "evaluations"]);
    let plies = table::sorted(&archive, &["plies"])?.into_iter().flatten().flatten();
    let plies = plies.map(|plies| plies.parse()).collect::<Result<Vec<i64>, _>>()?;
    let mut found: Vec<Vec<[String; 3]>> = vec![Vec::new(); plies.len()];
    for ply in 1..=plies.iter().copied().max().unwrap_or(0) {
        let at = |name, column| call(&columns, name, column, &[Number(ply)]);
        let (clocks, scores) = (at("clock_at", "clocks"), at("eval_at", "evaluations"));
        let mates = at("mate_at", "evaluations");
        for (game, found) in found.iter_mut().enumerate().filter(|(game, _)| plies[*game] >= ply) {
            found.push([&clocks, &scores, &mates].map(|column| column[game].clone()));
        }
    }
    let (mut clocks, mut scores, mut mates) = (0, 0, 0);
    for (number, game) in text.split("[Event ").skip(1).enumerate() {
        let comments: Vec<&str> =
            game.split('{').skip(1).filter_map(|rest| rest.split('}').next()).collect();
        let Some(rows) = found.get(number).filter(|rows| !rows.is_empty()) else { continue };
        // Games without comments have no values.
        if comments.is_empty() {
            assert!(rows.iter().all(|row| row.iter().all(|cell| cell == "null")));
            continue;
        }
        assert_eq!(comments.len(), rows.len(), "{game}");
        for (comment, row) in comments.iter().zip(rows) {
            let seconds = value(comment, "clk").map(|clock| {
                clock
                    .split(':')
                    .fold(0.0, |sum, part| sum * 60.0 + part.parse::<f64>().expect("a number"))
            });
            assert_eq!(row[0].parse::<f64>().ok(), seconds, "{comment}");
            let score = value(comment, "eval");
            let mate = score.and_then(|score| score.strip_prefix('#'));
            let mate = mate.map(|mate| mate.parse::<i32>().expect("a number"));
            assert_eq!(row[2].parse::<i32>().ok(), mate, "{comment}");
            let expected = match mate {
                Some(_) => None,
                None => score
                    .map(|score| (score.parse::<f64>().expect("a number") * 100.0).round() as i32),
            };
            assert_eq!(row[1].parse::<i32>().ok(), expected, "{comment}");
            clocks += usize::from(seconds.is_some());
            scores += usize::from(score.is_some());
            mates += usize::from(mate.is_some());
        }
    }
    assert!(clocks > 1_000 && scores > 1_000 && mates > 10, "{clocks} {scores} {mates}");
    Ok(())
}
