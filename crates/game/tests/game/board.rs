//! Conditions on the board, tested by replay and by plain loops over the positions of the rules.

use std::fmt::Write;

use halfmove_game::codec::halfmove;
use halfmove_game::pgn::read_game;
use halfmove_game::replay::{
    BoardCondition, BoardQuery, Imbalance, Material, Pattern, PawnFeature, PawnFile, Pawns,
    Signature, Signatures,
};
use halfmove_rules::{AnyPosition, Color, File, Piece, Rank, Role, Square};

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::codec::{lines, random, random_lines};
use crate::properties;

/// The contents of each square.
type Slow = [Option<Piece>; 64];

fn board(position: &AnyPosition) -> Slow {
    Square::ALL.map(|square| position.board().piece_at(square))
}

/// Kinds of pieces with the minimum and the maximum of each, and of all others together.
type Named = (Vec<(Role, u32, u32)>, Option<(u32, u32)>);

/// Conditions as their words, independent of those of replay.
#[derive(Default)]
struct Conditions {
    squares: Vec<(Square, Vec<Option<Piece>>)>,
    /// For each side, named kinds with ranges, and a range for all others together.
    material: Option<[Named; 2]>,
    /// The difference of each kind that is named.
    imbalance: Option<Vec<(Role, i32)>>,
    opposite_bishops: bool,
    pawns: Option<Vec<(Square, Color)>>,
    features: Vec<PawnFeature>,
    either_color: bool,
    mirrored: bool,
    at_least: u32,
    is_final: bool,
}

const NAMED: [Role; 7] =
    [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Khon, Role::Met, Role::Pawn];

fn count(board: &Slow, color: Color, role: Role) -> u32 {
    board.iter().flatten().filter(|piece| **piece == Piece { color, role }).count() as u32
}

fn pawns_on(board: &Slow, color: Color, file: i32) -> Vec<usize> {
    let pawn = Some(Piece { color, role: Role::Pawn });
    (0..8_usize)
        .filter(|rank| (0..8).contains(&file) && board[8 * rank + file as usize] == pawn)
        .collect()
}

impl Conditions {
    fn holds_as_it_is(&self, board: &Slow) -> bool {
        let fits = |(square, contents): &(Square, Vec<Option<Piece>>)| {
            contents.contains(&board[square.index()])
        };
        self.squares.iter().all(fits)
            && self.material_holds(board)
            && self.imbalance_holds(board)
            && (!self.opposite_bishops || opposite_bishops(board))
            && self.pawns.as_ref().is_none_or(|pawns| {
                Square::ALL.iter().all(|square| {
                    let expected =
                        pawns.iter().find(|(on, _)| on == square).map(|(_, color)| *color);
                    let pawn = board[square.index()].filter(|piece| piece.role == Role::Pawn);
                    pawn.map(|pawn| pawn.color) == expected
                })
            })
            && self.features.iter().all(|feature| has(board, *feature))
    }

    fn material_holds(&self, board: &Slow) -> bool {
        let Some(sides) = &self.material else { return true };
        sides.iter().zip(Color::ALL).all(|((named, others), color)| {
            let mut rest = 0;
            for role in NAMED {
                let count = count(board, color, role);
                match named.iter().find(|(of, ..)| *of == role) {
                    Some((_, least, most)) if !(*least..=*most).contains(&count) => return false,
                    Some(_) => {}
                    None => rest += count,
                }
            }
            let (least, most) = others.unwrap_or((0, 0));
            (least..=most).contains(&rest)
        })
    }

    fn imbalance_holds(&self, board: &Slow) -> bool {
        let Some(named) = &self.imbalance else { return true };
        NAMED.iter().all(|role| {
            let [white, black] = Color::ALL.map(|color| count(board, color, *role) as i32);
            match named.iter().find(|(of, _)| of == role) {
                Some((_, more)) => white - black == *more,
                None => *role == Role::Pawn || white == black,
            }
        })
    }

    fn holds(&self, board: &Slow) -> bool {
        let mut boards = vec![*board];
        if self.either_color {
            let flip = |square: usize| {
                board[square ^ 56].map(|Piece { color, role }| Piece { color: !color, role })
            };
            boards.push(std::array::from_fn(flip));
        }
        if self.mirrored {
            let mirrored: Vec<Slow> = boards
                .iter()
                .map(|board| std::array::from_fn(|square| board[square ^ 7]))
                .collect();
            boards.extend(mirrored);
        }
        boards.iter().any(|board| self.holds_as_it_is(board))
    }

    /// The first ply of a match in a game.
    fn find(&self, boards: &[Slow]) -> Option<u32> {
        let holds: Vec<bool> = boards.iter().map(|board| self.holds(board)).collect();
        let lasts = |from: usize| holds[from..].iter().take_while(|holds| **holds).count();
        (0..boards.len())
            .find(|from| {
                let lasts = lasts(*from);
                lasts > self.at_least as usize && (!self.is_final || from + lasts == boards.len())
            })
            .map(|ply| ply as u32)
    }

    /// The conditions, parsed from their text.
    fn question(&self) -> BoardCondition {
        let mut question = BoardCondition {
            opposite_bishops: self.opposite_bishops,
            features: self.features.clone(),
            either_color: self.either_color,
            mirrored: self.mirrored,
            at_least: self.at_least,
            is_final: self.is_final,
            ..BoardCondition::default()
        };
        let mut pattern = Pattern::new();
        for (square, contents) in &self.squares {
            pattern.allow(*square, contents.iter().copied());
        }
        question.pattern = pattern;
        question.material = self.material.as_ref().map(|sides| {
            let side = |(named, others): &Named| {
                let mut text = String::new();
                for (role, least, most) in named {
                    write!(text, "{}{}", role.letter(), number(*least, *most)).expect("text");
                }
                if let Some((least, most)) = others {
                    write!(text, "A{}", number(*least, *most)).expect("text");
                }
                text
            };
            let text = format!("{}v{}", side(&sides[0]), side(&sides[1]));
            text.parse::<Material>().unwrap_or_else(|error| panic!("{text}: {error}"))
        });
        question.imbalance = self.imbalance.as_ref().map(|named| {
            let mut sides = [String::new(), String::new()];
            for (role, more) in named {
                let side = &mut sides[usize::from(*more < 0)];
                write!(side, "{}{}", role.letter(), more.abs()).expect("text");
            }
            sides.join("v").parse::<Imbalance>().expect("an imbalance")
        });
        question.pawns = self.pawns.as_ref().map(|pawns| {
            let side = |color| {
                let squares = pawns.iter().filter(|(_, of)| *of == color);
                squares.map(|(square, _)| square.to_string()).collect::<String>()
            };
            let text = format!("{}v{}", side(Color::White), side(Color::Black));
            text.parse::<Pawns>().unwrap_or_else(|error| panic!("{text}: {error}"))
        });
        question
    }
}

/// A range as text.
fn number(least: u32, most: u32) -> String {
    match (least, most) {
        (1, 1) => String::new(),
        (0, 1) => "?".to_owned(),
        (0, 63) => "*".to_owned(),
        (1, 63) => "+".to_owned(),
        (least, 63) => format!("{least}+"),
        (least, most) if least == most => least.to_string(),
        (least, most) => format!("{least}-{most}"),
    }
}

fn opposite_bishops(board: &Slow) -> bool {
    let bishops = Color::ALL.map(|color| {
        let bishop = Some(Piece { color, role: Role::Bishop });
        (0..64).filter(|square| board[*square] == bishop).collect::<Vec<usize>>()
    });
    match bishops.each_ref().map(Vec::as_slice) {
        [[white], [black]] => (white / 8 + white % 8) % 2 != (black / 8 + black % 8) % 2,
        _ => false,
    }
}

fn has(board: &Slow, feature: PawnFeature) -> bool {
    match feature {
        PawnFeature::Isolated(PawnFile { color, file }) => {
            let file = file as i32;
            !pawns_on(board, color, file).is_empty()
                && pawns_on(board, color, file - 1).is_empty()
                && pawns_on(board, color, file + 1).is_empty()
        }
        PawnFeature::Doubled(PawnFile { color, file }) => {
            pawns_on(board, color, file as i32).len() > 1
        }
        PawnFeature::Passed(PawnFile { color, file }) => {
            let file = file as i32;
            pawns_on(board, color, file).iter().any(|rank| {
                (file - 1..=file + 1).all(|file| {
                    pawns_on(board, !color, file).iter().all(|other| match color {
                        Color::White => other <= rank,
                        Color::Black => other >= rank,
                    })
                })
            })
        }
        _ => panic!("a feature that the test does not know"),
    }
}

/// Conditions that most likely match a board.
fn conditions_of(model: &Slow, random: &mut impl FnMut() -> u64) -> Conditions {
    let mut conditions = Conditions {
        either_color: random().is_multiple_of(3),
        mirrored: random().is_multiple_of(3),
        ..Conditions::default()
    };
    let kinds = match random() % 8 {
        0..6 => 1 << (random() % 6),
        _ => random(),
    };
    let one_in = |random: &mut dyn FnMut() -> u64, many: u64| random().is_multiple_of(many);
    if kinds & 1 != 0 {
        for _ in 0..1 + random() % 5 {
            let square = Square::ALL[random() as usize % 64];
            if conditions.squares.iter().any(|(on, _)| *on == square) {
                continue;
            }
            let mut contents = vec![model[square.index()]];
            match random() % 4 {
                0 => contents.push(None),
                1 => contents.push(model[random() as usize % 64]),
                2 => {
                    contents.extend(Role::ALL.map(|role| Some(Piece { color: Color::White, role })))
                }
                _ => {}
            }
            conditions.squares.push((square, contents));
        }
    }
    if kinds & 2 != 0 {
        conditions.material = Some(Color::ALL.map(|color| {
            let has_others = one_in(random, 2);
            let (mut named, mut others) = (Vec::new(), 0);
            for role in NAMED {
                let count = count(model, color, role);
                match random() % 6 {
                    _ if count == 0 && !has_others && one_in(random, 2) => {}
                    0 if has_others => others += count,
                    1 => named.push((role, count.saturating_sub(1), count + 1)),
                    2 => named.push((role, count, 63)),
                    3 => named.push((role, 0, 63)),
                    _ => named.push((role, count, count)),
                }
            }
            let range = match random() % 3 {
                0 => (others, others),
                1 => (others.saturating_sub(1), others + 1),
                _ => (others, 63),
            };
            (named, has_others.then_some(range))
        }));
    }
    if kinds & 4 != 0 {
        let more = NAMED.map(|role| {
            let [white, black] = Color::ALL.map(|color| count(model, color, role) as i32);
            (role, white - black)
        });
        let is_named =
            |(role, more): &(Role, i32)| *more != 0 && (*role != Role::Pawn || one_in(random, 2));
        conditions.imbalance = Some(more.into_iter().filter(is_named).collect());
    }
    conditions.opposite_bishops = kinds & 8 != 0 && (kinds == 8 || opposite_bishops(model));
    if kinds & 16 != 0 {
        let pawns = Square::ALL.iter().filter_map(|square| {
            let pawn = model[square.index()].filter(|piece| piece.role == Role::Pawn)?;
            Some((*square, pawn.color))
        });
        conditions.pawns = Some(pawns.collect());
    }
    if kinds & 32 != 0 {
        let features = Color::ALL.into_iter().flat_map(|color| {
            File::ALL.into_iter().flat_map(move |file| {
                [PawnFeature::Isolated, PawnFeature::Doubled, PawnFeature::Passed]
                    .map(|feature| feature(PawnFile { color, file }))
            })
        });
        let mut features: Vec<_> = features.filter(|feature| has(model, *feature)).collect();
        while features.len() > 2 {
            features.swap_remove(random() as usize % features.len());
        }
        conditions.features = features;
    }
    if one_in(random, 2) {
        conditions.at_least = (random() % 12) as u32;
    }
    conditions.is_final = one_in(random, 8);
    conditions
}

struct Games {
    names: Vec<String>,
    bytes: Vec<Vec<u8>>,
    boards: Vec<Vec<Slow>>,
    signatures: Signatures,
}

impl Games {
    fn load() -> Games {
        let lines: Vec<_> = lines().into_iter().chain(random_lines()).collect();
        let bytes: Vec<Vec<u8>> = lines.iter().map(|line| line.encode()).collect();
        let mut cells = Vec::new();
        for game in &bytes {
            cells.extend(Signature::of(game).expect("bytes of a game").to_bytes());
        }
        let boards = lines.iter().map(|line| line.positions().iter().map(board).collect());
        Games {
            boards: boards.collect(),
            signatures: Signatures::new(&cells),
            bytes,
            names: lines.into_iter().map(|line| line.name).collect(),
        }
    }
}

/// Replay agrees with the rules, in a game with a match and in others; and signatures reject no game with a match.
#[test]
fn questions_about_the_board() {
    let games = Games::load();
    let mut random = random();
    let (mut yes, mut no, mut rejected, mut found_in_all) = ([0; 6], 0, 0, 0);
    for number in 0..1_500 {
        let game = random() as usize % games.bytes.len();
        let boards = &games.boards[game];
        // Endings are as frequent as openings.
        let conditions = conditions_of(&boards[random() as usize % boards.len()], &mut random);
        let query = BoardQuery::new(&conditions.question());
        for other in [game, random() as usize % games.bytes.len()] {
            let expected = conditions.find(&games.boards[other]);
            let found = query.find(&games.bytes[other]).expect("a game");
            assert_eq!(found, expected, "{}: {:?}", games.names[other], conditions.question());
            if expected.is_some() {
                let parts = [
                    !conditions.squares.is_empty(),
                    conditions.material.is_some(),
                    conditions.imbalance.is_some(),
                    conditions.opposite_bishops,
                    conditions.pawns.is_some(),
                    !conditions.features.is_empty(),
                ];
                for (yes, is_there) in yes.iter_mut().zip(parts) {
                    *yes += u32::from(is_there);
                }
            } else {
                no += 1;
            }
        }
        if number % 5 == 0 {
            let mut candidates = Vec::new();
            query.candidates(&games.signatures, &mut candidates);
            rejected += games.bytes.len() - candidates.len();
            let mut found = Vec::new();
            let game = |candidate: &halfmove_game::replay::Candidate| {
                &*games.bytes[candidate.row as usize]
            };
            let hit = |candidate: &halfmove_game::replay::Candidate, ply| {
                found.push((candidate.row as usize, ply));
            };
            query.find_all(&candidates, game, hit).expect("games");
            let one_by_one: Vec<(usize, u32)> = (0..games.bytes.len())
                .filter_map(|row| Some((row, query.find(&games.bytes[row]).expect("a game")?)))
                .collect();
            assert_eq!(found, one_by_one, "{:?}", conditions.question());
            found_in_all += found.len();
        }
    }
    assert!(yes.iter().all(|yes| *yes > 40) && no > 400, "{yes:?} yes, {no} no");
    assert!(rejected > 50_000 && found_in_all > 5_000, "{rejected} rejected, {found_in_all} found");
}

/// En passant captures, castling and promotions, each of which begins, ends or continues a match.
#[test]
fn moves_that_change_a_result() {
    let text = "1. e4 d5 2. e5 f5 3. exf6 Kd7 4. fxg7 c6 5. gxh8=N Qb6 6. Nf3 Qxb2 7. Bd3 Qxa1 8. O-O Qxa2 *";
    let questions = [
        ("imbalance:Pv", Some(5)),
        ("imbalance:PPv for:1", Some(7)),
        ("imbalance:PPv for:2", None),
        ("imbalance:NRv", Some(9)),
        ("imbalance:NRPv", Some(9)),
        ("imbalance:NRPv for:2", Some(9)),
        ("imbalance:NRPv for:3", None),
        ("imbalance:NP0v", Some(14)),
        ("imbalance:NP0v for:1", Some(14)),
        ("imbalance:NP0v for:2", None),
        ("imbalance:NvP final", Some(16)),
        ("material:N3A*vA*", Some(9)),
        ("doubled:f", Some(5)),
        ("doubled:f for:1", Some(5)),
        ("doubled:f for:2", None),
        ("isolated:d", None),
        ("isolated:a for:3", Some(12)),
        ("isolated:a for:4", None),
        ("isolated:black:a either-color", Some(12)),
        ("passed:black:a", Some(16)),
    ];
    check(text, &questions);
}

/// White has no bishop left, and then a pawn promotes to one. A capture later, it is the opposite of Black's last one.
#[test]
fn too_few_until_a_promotion() {
    let start = "1. e4 d5 2. Ba6 bxa6 3. d4 dxe4 4. Bh6 gxh6 5. d5 c6 6. dxc6 Qb6 7. c7 Be6";
    let text = format!("{start} 8. c8=B Bxa2 9. Rxa2 Qxb2 10. Nf3 Qxa2 *");
    let questions = [
        ("opposite-bishops", Some(17)),
        ("opposite-bishops for:3", Some(17)),
        ("opposite-bishops for:4", None),
        ("opposite-bishops final", Some(17)),
        ("material:BA*vBA*", Some(17)),
        ("imbalance:vB for:3", Some(4)),
        ("imbalance:vB for:4", None),
        ("imbalance:vBB for:6", Some(8)),
        ("imbalance:vBB for:7", None),
        ("imbalance:vBBP0", Some(11)),
        ("material:A*vBA*", Some(17)),
    ];
    check(&text, &questions);
    let rook = format!("{start} 8. c8=R+ Bxc8 9. f3 *");
    check(&rook, &[("opposite-bishops", None), ("imbalance:vBB", Some(8))]);
    // There are two bishops, one of which may be the opposite of Black's only one.
    let two = "1. e4 d5 2. Ba6 Bf5 3. exf5 *";
    check(two, &[("opposite-bishops", None), ("imbalance:Bv", Some(5))]);
}

/// Games that signatures reject, because a side always has two bishops.
#[test]
fn two_bishops_are_not_opposite() {
    let mut bytes = Vec::new();
    let text = "1. e4 d5 2. Ba6 bxa6 *";
    halfmove::encode(&read_game(text).expect("a game"), &mut bytes).expect("bytes");
    let signatures = Signatures::new(&Signature::of(&bytes).expect("a game").to_bytes());
    for (question, many) in
        [("opposite-bishops", 0), ("material:BA*vBA*", 0), ("material:BA*vB2A*", 1)]
    {
        let mut candidates = Vec::new();
        BoardQuery::new(&question.parse().expect("a question"))
            .candidates(&signatures, &mut candidates);
        assert_eq!(candidates.len(), many, "{question}");
    }
}

/// Checks the results for a game, with and without its signature.
fn check(text: &str, questions: &[(&str, Option<u32>)]) {
    let mut bytes = Vec::new();
    halfmove::encode(&read_game(text).expect("a game"), &mut bytes).expect("bytes");
    let signatures = Signatures::new(&Signature::of(&bytes).expect("a game").to_bytes());
    for &(question, ply) in questions {
        let query = BoardQuery::new(&question.parse().expect("a question"));
        assert_eq!(query.find(&bytes), Ok(ply), "{question}");
        let (mut candidates, mut found) = (Vec::new(), None);
        query.candidates(&signatures, &mut candidates);
        query.find_all(&candidates, |_| &bytes, |_, ply| found = Some(ply)).expect("a game");
        assert_eq!(found, ply, "{question}");
    }
}

/// All words of conditions, and some invalid ones, separated by `|`.
const PARTS: &str = "pattern:|material:|imbalance:|pawns:|isolated:|doubled:|passed:|for:|opposite-bishops|\
either-color|mirrored|final|white:|black:| | | |v|K|Q|R|B|N|P|S|M|A|p|k|a|_|?|[|]|\
8/8/8/8/8/8/8/8|8/8/8/8/8/8/|8/|/|1|2|3|-|+|*|63|64|e4|d5|h8|é|:";

fn parts() -> impl Strategy<Value = Vec<&'static str>> {
    let parts: Vec<&str> = PARTS.split('|').collect();
    prop::collection::vec(prop::sample::select(parts), 0..12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_as_a_question(parts in parts()) {
        properties::board(parts.concat().as_bytes());
    }

    #[test]
    fn a_question_with_a_damage(file in 0..8_usize, at in 0..60_usize, byte in any::<u8>()) {
        let text = format!("pattern:8/8/8/[Nn_]7/3P4/8/5PPP/5RK_ material:RP1-2A?vR3+B* passed:black:{file}");
        let mut bytes = text.into_bytes();
        let at = at % bytes.len();
        bytes[at] = byte;
        properties::board(&bytes);
    }
}

#[test]
fn pieces_as_text() {
    let material = |text: &str| text.parse::<Material>().map_err(|error| error.to_string());
    for (text, same) in [
        ("KRPvKR", "RPvR"),
        ("KvK", "v"),
        ("RRvQ", "R2vQ1"),
        ("PP+vP?", "P2+vP0-1"),
        ("P*vA*", "P0+vA0+"),
        ("RPRvN", "R2PvN"),
        ("MSvS", "SMvS"),
    ] {
        assert_eq!(material(text), material(same), "{text}");
        assert!(material(text).is_ok(), "{text}");
    }
    for (text, offset, expected) in [
        ("", 0, "a piece, or a v between White's and Black's pieces"),
        ("KR", 2, "a piece, or a v between White's and Black's pieces"),
        ("KRvkr", 3, "a piece"),
        ("KRvKRvK", 5, "only one v"),
        ("KKvK", 0, "one king on each side"),
        ("KvRK?", 3, "one king on each side"),
        ("RP3-2vR", 4, "a number that is not below the first one"),
        ("RP3-vR", 4, "a number"),
        ("P64v", 1, "a number up to 63"),
        ("P99999999999v", 1, "a number up to 63"),
        ("KR vKR", 2, "a piece, or a v between White's and Black's pieces"),
    ] {
        let error = format!("character {} of the pieces: expected {expected}", offset + 1);
        assert_eq!(material(text).map(drop), Err(error), "{text}");
    }
    let imbalance = |text: &str| text.parse::<Imbalance>().map_err(|error| error.to_string());
    assert_eq!(imbalance("QvRR"), imbalance("Q1vR2"));
    assert_eq!(imbalance("QvRRP*").map(drop), Ok(()));
    for (text, offset, expected) in [
        ("QvK", 2, "one of P, N, B, R, Q, S and M"),
        ("QvA*", 2, "one of P, N, B, R, Q, S and M"),
        ("QBvRRB", 5, "each kind on one side only, as in QvRR for QQvQRR"),
        ("Q", 1, "a piece, or a v between White's and Black's pieces"),
    ] {
        let error = format!("character {} of the pieces: expected {expected}", offset + 1);
        assert_eq!(imbalance(text).map(drop), Err(error), "{text}");
    }
}

#[test]
fn pawns_as_text() {
    let pawns = |text: &str| text.parse::<Pawns>().map_err(|error| error.to_string());
    let board = "r1bqkbnr/pp3ppp/2n1p3/8/3P4/2N2N2/PP3PPP/R1BQKB1R b KQkq - 0 6";
    assert_eq!(pawns(board), pawns("a2 b2 d4 f2 g2 h2 v a7,b7,e6,f7,g7,h7"));
    assert!(pawns(board).is_ok());
    for (text, offset, expected) in [
        ("", 0, "a v and the squares of Black's pawns"),
        ("d4", 2, "a v and the squares of Black's pawns"),
        ("d4vd4", 3, "each square once"),
        ("d4vd", 4, "a rank, 1 to 8"),
        ("d4vi5", 3, "a square, or one v between White's and Black's"),
        ("d4vd5v", 5, "a square, or one v between White's and Black's"),
        ("8/8", 3, "eight ranks of eight squares"),
        ("8/8/8/8/8/8/8/8/8", 15, "eight ranks"),
        ("8/8/8/8/8/8/8/P8", 15, "no more than eight squares in each rank"),
        ("8/7/8/8/8/8/8/8", 3, "eight squares in each rank"),
        ("8/8/8/8/8/8/8/9", 14, "a piece, a digit or a /"),
    ] {
        let error = format!("character {} of the pawns: expected {expected}", offset + 1);
        assert_eq!(pawns(text).map(drop), Err(error), "{text}");
    }
    let white = [Rank::First, Rank::Second].map(|rank| Square::new(File::A, rank));
    let both = white.iter().copied().collect();
    assert_eq!(Pawns::new(both, both), None);
}
