//! Questions about the board in searches, explorers, exports and removals, compared with the 0x88 board.

use halfmove_archive::{Archive, Filter, GameCondition};
use halfmove_game::Game;
use halfmove_mailbox as mailbox;
use halfmove_mailbox::Kind;
use halfmove_rules::{Chess, Color, File, Rank, Square};

use crate::{Outcome, archive, exported, game, read, testdata};

/// The contents of a square.
type Contents = Option<(Color, Kind)>;

/// The boards of a game, the start first.
fn boards(game: &Game) -> Vec<[Contents; 64]> {
    let start = game.chess_start().expect("chess").to_string();
    let mut position = mailbox::Chess::from_fen(&start).expect("a start");
    let contents = |position: &mailbox::Chess| {
        let mut squares = [None; 64];
        for (square, piece) in position.board().pieces() {
            squares[square.index()] = Some((piece.color, piece.kind));
        }
        squares
    };
    let mut boards = vec![contents(&position)];
    for mv in &game.moves {
        position = position.play(*mv).expect("a legal move");
        boards.push(contents(&position));
    }
    boards
}

fn on(board: &[Contents; 64], file: File, rank: Rank) -> Contents {
    board[Square::new(file, rank).index()]
}

fn count(board: &[Contents; 64], color: Color, kind: Kind) -> usize {
    board.iter().filter(|contents| **contents == Some((color, kind))).count()
}

fn pieces(board: &[Contents; 64], color: Color) -> usize {
    board.iter().flatten().filter(|(of, _)| *of == color).count()
}

fn has_isolated(board: &[Contents; 64], color: Color, file: usize) -> bool {
    let pawns = |file: usize| {
        Rank::ALL
            .iter()
            .filter(|rank| on(board, File::ALL[file], **rank) == Some((color, Kind::Pawn)))
            .count()
    };
    pawns(file) > 0 && (file == 0 || pawns(file - 1) == 0) && (file == 7 || pawns(file + 1) == 0)
}

type Check = fn(&[Contents; 64]) -> bool;

/// Questions, each with its check of a board.
const QUESTIONS: [(&str, Check, u32); 8] = [
    (
        "pattern:8/8/8/8/8/8/5PPP/5RK_",
        |board| {
            let pawns = [File::F, File::G, File::H]
                .iter()
                .all(|file| on(board, *file, Rank::Second) == Some((Color::White, Kind::Pawn)));
            pawns
                && on(board, File::F, Rank::First) == Some((Color::White, Kind::Rook))
                && on(board, File::G, Rank::First) == Some((Color::White, Kind::King))
                && on(board, File::H, Rank::First).is_none()
        },
        0,
    ),
    (
        "pattern:8/8/8/8/8/8/8/R6R mirrored either-color for:30",
        |board| {
            [(Color::White, Rank::First), (Color::Black, Rank::Eighth)].iter().any(
                |(color, rank)| {
                    [File::A, File::H]
                        .iter()
                        .all(|file| on(board, *file, *rank) == Some((*color, Kind::Rook)))
                },
            )
        },
        30,
    ),
    (
        "material:RP+vRP+ for:10",
        |board| {
            Color::ALL.iter().all(|color| {
                count(board, *color, Kind::Rook) == 1
                    && count(board, *color, Kind::Pawn) > 0
                    && pieces(board, *color) == 2 + count(board, *color, Kind::Pawn)
            })
        },
        10,
    ),
    (
        "material:QA*vA* imbalance:QvRR either-color",
        |board| {
            Color::ALL.iter().any(|color| {
                let more =
                    |kind| count(board, *color, kind) as i32 - count(board, !*color, kind) as i32;
                count(board, *color, Kind::Queen) == 1
                    && more(Kind::Queen) == 1
                    && more(Kind::Rook) == -2
                    && more(Kind::Bishop) == 0
                    && more(Kind::Knight) == 0
            })
        },
        0,
    ),
    (
        "opposite-bishops",
        |board| {
            let bishops = |color| {
                let all =
                    (0..64).filter(|square: &usize| board[*square] == Some((color, Kind::Bishop)));
                all.collect::<Vec<_>>()
            };
            match (&*bishops(Color::White), &*bishops(Color::Black)) {
                ([white], [black]) => (white / 8 + white % 8) % 2 != (black / 8 + black % 8) % 2,
                _ => false,
            }
        },
        0,
    ),
    (
        "pawns:a2b2c4d4e2f2g2h2va7b7c7d7e6f7g7h7",
        |board| {
            let pawns = Rank::ALL.iter().rev().flat_map(|rank| {
                File::ALL.iter().map(move |file| match on(board, *file, *rank) {
                    Some((Color::White, Kind::Pawn)) => 'P',
                    Some((Color::Black, Kind::Pawn)) => 'p',
                    _ => '.',
                })
            });
            pawns.collect::<String>()
                == "........pppp.ppp....p.............PP............PP..PPPP........"
        },
        0,
    ),
    ("isolated:d", |board| has_isolated(board, Color::White, 3), 0),
    (
        "isolated:d either-color mirrored for:20",
        |board| {
            Color::ALL
                .iter()
                .any(|color| has_isolated(board, *color, 3) || has_isolated(board, *color, 4))
        },
        20,
    ),
];

/// The first ply from which on the check holds for long enough.
fn first(boards: &[[Contents; 64]], is_so: Check, at_least: u32) -> Option<u32> {
    let mut since = None;
    for (ply, board) in boards.iter().enumerate() {
        since = if is_so(board) { since.or(Some(ply as u32)) } else { None };
        if since.is_some_and(|since| ply as u32 - since >= at_least) {
            return since;
        }
    }
    None
}

fn asking(condition: &str) -> Filter {
    let condition: GameCondition =
        condition.parse::<halfmove_game::replay::BoardCondition>().expect("a condition").into();
    Filter { conditions: vec![condition], ..Filter::default() }
}

fn found(archive: &Archive, filter: &Filter) -> Vec<(i64, Option<u32>)> {
    let found = archive.search(filter, usize::MAX).expect("an answer");
    assert_eq!(found.count as usize, found.games.len());
    assert_eq!(archive.count(filter).expect("a count"), found.count);
    found.games.iter().map(|game| (game.id, game.ply)).collect()
}

/// Checks that the matches of all questions are those of the 0x88 board. All games are in the archive.
pub(crate) fn check(
    archive: &Archive,
    games: &[(Game, Option<String>)],
) -> [Vec<(i64, Option<u32>)>; 8] {
    let all: Vec<_> = games.iter().map(|(game, _)| boards(game)).collect();
    QUESTIONS.map(|(question, is_so, at_least)| {
        let expected: Vec<(i64, Option<u32>)> = all
            .iter()
            .zip(1..)
            .filter_map(|(boards, id)| Some((id, Some(first(boards, is_so, at_least)?))))
            .collect();
        assert_eq!(found(archive, &asking(question)), expected, "{question}");
        expected
    })
}

#[test]
fn answers_are_those_of_the_0x88_board() -> Outcome {
    let mut games = read(&testdata("games/setup.pgn"));
    games.extend(read(&testdata("games/chess960.pgn")));
    games.extend(read(&testdata("games/masters.pgn.zst")).into_iter().step_by(16));
    let (_folder, archive) = archive(&games);
    let answers = check(&archive, &games);
    for ((question, ..), answer) in QUESTIONS.iter().zip(&answers) {
        assert!(answer.len() > 2 && answer.len() < games.len(), "{question}: {}", answer.len());
    }
    // Several questions, each at any ply; the ply is that of the first.
    let [castled, _, ending, ..] = &answers;
    let mut filter = asking(QUESTIONS[0].0);
    filter.conditions.extend(asking(QUESTIONS[2].0).conditions);
    let both: Vec<_> = castled
        .iter()
        .filter(|(id, _)| ending.iter().any(|(other, _)| other == id))
        .copied()
        .collect();
    assert!(!both.is_empty());
    assert_eq!(found(&archive, &filter), both);
    // Combined with a position, and with a tag.
    let after = game(&Chess::default(), "d4 Nf6 c4");
    let mut position = Chess::default();
    after.moves.iter().for_each(|mv| position.play_unchecked(*mv));
    filter.position = Some(position.clone().into());
    let with_position: Vec<i64> = found(&archive, &filter).iter().map(|(id, _)| *id).collect();
    let has_position: Vec<i64> =
        found(&archive, &Filter::position(position.clone())).iter().map(|(id, _)| *id).collect();
    let expected: Vec<i64> =
        both.iter().map(|(id, _)| *id).filter(|id| has_position.contains(id)).collect();
    assert!(!expected.is_empty() && expected.len() < both.len());
    assert_eq!(with_position, expected);
    // The tree is that of the position, of those games alone; exports have the same games.
    filter.position = None;
    let tree = archive.explore(&filter, position.clone())?;
    assert_eq!(tree.results.games() as usize, expected.len());
    filter.position = Some(position.into());
    let tree = archive.explore(&filter, Chess::default())?;
    assert_eq!(tree.results.games() as usize, expected.len());
    assert_eq!(exported(&archive, &filter)?, expected);
    assert_eq!(archive.remover(&filter)?.games(), expected.len() as u64);
    Ok(())
}
