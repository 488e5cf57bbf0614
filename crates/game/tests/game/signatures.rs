//! Signatures and the search with them, compared with the rules.

use halfmove_game::codec::halfmove;
use halfmove_game::pgn::{GameReader, read_game};
use halfmove_game::replay::{self, Candidate, Query, Signature, Signatures, Target};
use halfmove_game::{Game, Input};
use halfmove_rules::{
    AnyPosition, Board, Color, File, Makruk, Move, Piece, Rank, Role, Square, Variant,
};

use crate::codec::{Line, lines, random, random_lines};
use crate::data::{collections, game_files};

fn board(position: &AnyPosition) -> &Board {
    match position {
        AnyPosition::Chess(position) => position.board(),
        AnyPosition::Makruk(position) => position.board(),
    }
}

/// The first ply with a property, as signatures store it.
fn first(positions: &[AnyPosition], is_so: impl Fn(&Board) -> bool) -> u8 {
    let ply = positions.iter().position(|position| is_so(board(position)));
    ply.map_or(255, |ply| ply.min(254) as u8)
}

/// The signature by the definition of its fields, without a line.
fn slow(line: &Line) -> Signature {
    let positions = line.positions();
    let mut slow = Signature::of(&line.encode()).expect("bytes of a game");
    let ranks = match &line.start {
        AnyPosition::Chess(_) => [Rank::Second, Rank::Seventh],
        AnyPosition::Makruk(_) => [Rank::Third, Rank::Sixth],
    };
    let mut least = 0;
    let mut bit = 0;
    for color in Color::ALL {
        for file in File::ALL {
            let square = Square::new(file, ranks[color.index()]);
            let pawn = Piece { color, role: Role::Pawn };
            slow.pawn_ply[8 * color.index() + file.index()] =
                first(&positions, |board| board.piece_at(square) != Some(pawn));
        }
        for (index, number) in [7, 6, 5, 4, 3, 2].into_iter().enumerate() {
            slow.last_ply[6 * color.index() + index] =
                first(&positions, |board| board.by_color(color).len() < number);
        }
        let kinds: [(&[Role], u32); 5] = [
            (&[Role::Pawn], 4),
            (&[Role::Knight], 2),
            (&[Role::Bishop, Role::Khon], 2),
            (&[Role::Rook], 2),
            (&[Role::Queen, Role::Met], 1),
        ];
        for (roles, bits) in kinds {
            let count = |board: &Board| {
                roles.iter().map(|role| (board.by_color(color) & board.by_role(*role)).len()).sum()
            };
            let smallest: u32 =
                positions.iter().map(|position| count(board(position))).min().unwrap_or(0);
            least |= smallest.min((1 << bits) - 1) << bit;
            bit += bits + 1;
        }
    }
    for (index, number) in [28, 24, 20, 16].into_iter().enumerate() {
        slow.fewer_ply[index] = first(&positions, |board| board.occupied().len() < number);
    }
    slow.least = least;
    slow
}

#[test]
fn signatures_match_their_definition() {
    let (mut late, mut makruk) = (0, 0);
    for (number, line) in lines().iter().chain(&random_lines()).enumerate() {
        // Every tenth game, and all unusual ones.
        let is_usual =
            matches!(&line.start, AnyPosition::Chess(start) if replay_starts_as_usual(start));
        if is_usual && number % 10 != 0 && line.moves.len() < 254 {
            continue;
        }
        let bytes = line.encode();
        let signature = Signature::of(&bytes).expect("bytes of a game");
        assert_eq!(signature, slow(line), "{}", line.name);
        let of_moves = Signature::of_moves(&line.start, &line.moves, &bytes);
        assert_eq!(of_moves, Ok(signature), "{}", line.name);
        assert_eq!(Signature::from_bytes(&signature.to_bytes()), signature);
        assert_eq!(signature.line < 65_534, is_usual, "{}", line.name);
        late += usize::from(signature.to_bytes()[..32].contains(&254));
        makruk += usize::from(matches!(line.start, AnyPosition::Makruk(_)));
    }
    assert!(late > 20 && makruk > 100, "{late} long games, {makruk} games of Makruk");
}

fn replay_starts_as_usual(start: &halfmove_rules::Chess) -> bool {
    halfmove_game::codec::halfmove::is_standard_start(start)
}

/// All games, searched in two ways.
struct Games {
    lines: Vec<Line>,
    bytes: Vec<Vec<u8>>,
    signatures: Signatures,
}

impl Games {
    fn load() -> Games {
        let lines: Vec<Line> = lines().into_iter().chain(random_lines()).collect();
        let bytes: Vec<Vec<u8>> = lines.iter().map(Line::encode).collect();
        let mut cells = Vec::new();
        for game in &bytes {
            cells.extend(Signature::of(game).expect("bytes of a game").to_bytes());
        }
        Games { lines, signatures: Signatures::new(&cells), bytes }
    }

    fn by_signatures(&self, position: &AnyPosition) -> Vec<(u32, u32)> {
        let query = Query::new(position);
        let mut candidates = Vec::new();
        query.candidates(&self.signatures, &mut candidates);
        let hit = |candidate: &Candidate| {
            let ply = query.find(candidate, &self.bytes[candidate.row as usize]).expect("a game");
            ply.map(|ply| (candidate.row, ply))
        };
        candidates.iter().filter_map(hit).collect()
    }

    /// The first ply of each game with the position, by the rules.
    fn by_rules(positions: &[Vec<AnyPosition>], target: &AnyPosition) -> Vec<(u32, u32)> {
        let first =
            positions.iter().map(|game| game.iter().position(|position| position == target));
        first.zip(0..).filter_map(|(ply, row)| Some((row, ply? as u32))).collect()
    }

    fn by_replay(&self, position: &AnyPosition) -> Vec<(u32, u32)> {
        let target = Target::new(position);
        let hits = self.bytes.iter().enumerate().filter_map(|(row, game)| {
            Some((row as u32, replay::find(game, &target).expect("a game")?))
        });
        hits.collect()
    }

    /// The moves that follow, by game.
    fn moves(&self, position: &AnyPosition) -> [Vec<(u32, u32, Option<Move>)>; 2] {
        let (query, target) = (Query::new(position), Target::new(position));
        let (mut fast, mut slow, mut candidates) = (Vec::new(), Vec::new(), Vec::new());
        query.candidates(&self.signatures, &mut candidates);
        let mut all = Vec::new();
        let game = |candidate: &Candidate| &*self.bytes[candidate.row as usize];
        let visit = |candidate: &Candidate, ply, mv| all.push((candidate.row, ply, mv));
        query.visit_all(&candidates, game, visit).expect("games");
        for candidate in &candidates {
            let game = &self.bytes[candidate.row as usize];
            let visit = |ply, mv| fast.push((candidate.row, ply, mv));
            query.visits(candidate, game, visit).expect("a game");
        }
        for (row, game) in self.bytes.iter().enumerate() {
            replay::visits(game, &target, |ply, mv| slow.push((row as u32, ply, mv)))
                .expect("a game");
        }
        all.sort_by_key(|(row, ply, _)| (*row, *ply));
        assert_eq!(all, fast, "{position}");
        [fast, slow]
    }
}

#[test]
fn the_search_agrees_with_replay() {
    let games = Games::load();
    let positions: Vec<Vec<AnyPosition>> = games.lines.iter().map(Line::positions).collect();
    let mut random = random();
    let mut hits = 0;
    for round in 0..1_000 {
        let row = random() as usize % games.lines.len();
        let line = &games.lines[row];
        // Half of them early: there the lines decide.
        let plies = if round % 2 == 0 { line.moves.len().min(16) } else { line.moves.len() };
        let ply = random() as usize % (plies + 1);
        let mut position = line.positions().swap_remove(ply);
        // Every third position is next to a game; hardly any game has it.
        if round % 3 == 0 {
            let legal = position.legal_moves();
            if !legal.is_empty() {
                position.play_unchecked(legal[random() as usize % legal.len()]);
            }
        }
        let found = games.by_signatures(&position);
        let expected = Games::by_rules(&positions, &position);
        assert_eq!(found, expected, "{}, ply {ply}: {position}", line.name);
        assert_eq!(games.by_replay(&position), expected, "{}, ply {ply}: {position}", line.name);
        hits += found.len();
        if round % 10 == 0 {
            let [fast, slow] = games.moves(&position);
            assert_eq!(fast, slow, "{position}");
        }
    }
    assert!(hits > 10_000, "only {hits} hits");
}

/// Each position of games that return to it, or to a similar one.
#[test]
fn games_that_return() {
    let texts = [
        "1. Nf3 Nf6 2. Ng1 Ng8 3. e4 e5 *",
        "1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8 4. Nf3 Nc6 *",
        "1. e4 e5 2. Nf3 Nf6 3. Rg1 Rg8 4. Rh1 Rh8 5. Nc3 Nc6 6. Nb1 Nb8 7. Nc3 *",
        "1. d4 d5 2. Nf3 Nf6 3. Ng1 Ng8 4. Nf3 Nf6 5. c4 e6 6. Nc3 Be7 *",
        "1. e4 c5 2. e5 d5 3. Nf3 Nc6 4. Ng1 Nb8 5. d4 cxd4 *",
    ];
    let mut lines: Vec<Line> = texts
        .iter()
        .map(|text| {
            let game = read_game(*text).expect("a game");
            Line { name: (*text).to_owned(), start: game.start.clone(), moves: game.moves.clone() }
        })
        .collect();
    // The number of looks at the board is limited; after that, the game is searched on a board.
    let turn = read_game("1. Nf3 Nf6 2. Ng1 Ng8 *").expect("a game").moves;
    let moves = [turn.repeat(40), lines[1].moves.clone()].concat();
    lines.push(Line { name: "long".to_owned(), start: lines[1].start.clone(), moves });
    let bytes: Vec<Vec<u8>> = lines.iter().map(Line::encode).collect();
    let sign = |game: &Vec<u8>| Signature::of(game).expect("bytes of a game").to_bytes();
    let signatures = Signatures::new(&bytes.iter().flat_map(sign).collect::<Vec<u8>>());
    let games = Games { lines, bytes, signatures };
    let all: Vec<Vec<AnyPosition>> = games.lines.iter().map(Line::positions).collect();
    for target in all.iter().flatten() {
        assert_eq!(games.by_signatures(target), Games::by_rules(&all, target), "{target}");
        let [fast, slow] = games.moves(target);
        let visits = all.iter().zip(0..).flat_map(|(positions, row)| {
            let plies = (0..positions.len()).filter(|ply| positions[*ply] == *target);
            plies.map(move |ply| (row, ply as u32)).collect::<Vec<(u32, u32)>>()
        });
        let expected: Vec<_> = visits
            .map(|(row, ply)| {
                (row, ply, games.lines[row as usize].moves.get(ply as usize).copied())
            })
            .collect();
        assert_eq!(fast, expected, "{target}");
        assert_eq!(slow, expected, "{target}");
    }
}

#[test]
fn every_position_makes_its_game_a_candidate() {
    let games = Games::load();
    for (row, line) in games.lines.iter().enumerate() {
        // All positions of some games; of Makruk, which has no lines, all games.
        let is_chess = matches!(line.start, AnyPosition::Chess(_));
        if is_chess && row % 400 != 0 && line.name.starts_with(|c: char| c != 'r') {
            continue;
        }
        let one = Signature::of(&games.bytes[row]).expect("a game").to_bytes();
        let signatures = Signatures::new(&one);
        for (ply, position) in line.positions().iter().enumerate() {
            let (query, mut candidates) = (Query::new(position), Vec::new());
            query.candidates(&signatures, &mut candidates);
            let found =
                candidates.first().map(|candidate| query.find(candidate, &games.bytes[row]));
            let found = found.unwrap_or(Ok(None)).expect("a game");
            assert!(found.is_some_and(|first| first <= ply as u32), "{}, ply {ply}", line.name);
        }
    }
}

/// A bia on its first rank may have come from behind: such a game must not be rejected.
#[test]
fn a_makruk_game_with_an_unknown_signature() {
    let start = AnyPosition::from_fen("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", Variant::Makruk)
        .expect("a position");
    let moves = [(Square::A2, Square::A3), (Square::E8, Square::E7)]
        .map(|(from, to)| Move::normal(from, to));
    let mut game = Vec::new();
    halfmove::encode_moves(&start, &moves, &mut game).expect("a game");
    let signature = Signature::of(&game).expect("a game");
    assert_eq!(signature.line, 65_534);
    let mut target = start;
    target.play_unchecked(moves[0]);
    // Among other games with known signatures, so that the test of whole vectors is run.
    let mut other = Vec::new();
    halfmove::encode_moves(&AnyPosition::Makruk(Makruk::default()), &[], &mut other)
        .expect("a game");
    let cells = [Signature::of(&other).expect("a game").to_bytes(), signature.to_bytes()].concat();
    let (query, mut candidates) = (Query::new(&target), Vec::new());
    query.candidates(&Signatures::new(&cells), &mut candidates);
    assert_eq!(candidates.len(), 1);
    assert_eq!(candidates[0].row, 1);
    assert_eq!(query.find(&candidates[0], &game), Ok(Some(1)));
}

/// Signatures cut into pages anywhere are the same.
#[test]
fn signatures_in_pages() {
    let mut random = random();
    let cells: Vec<u8> = (0..Signature::BYTES * 500).map(|_| (random() >> 33) as u8).collect();
    let whole = format!("{:?}", Signatures::new(&cells));
    for _ in 0..50 {
        let (mut rest, mut pages) = (&cells[..], Vec::new());
        while !rest.is_empty() {
            let rows = 1 + random() as usize % 200;
            let (page, after) = rest.split_at((rows * Signature::BYTES).min(rest.len()));
            pages.push(page);
            rest = after;
        }
        let lengths: Vec<usize> = pages.iter().map(|page| page.len()).collect();
        let paged = Signatures::of_pages(pages.into_iter());
        assert!(format!("{paged:?}") == whole, "pages of {lengths:?} bytes");
    }
}

/// Signatures of any bytes, and any bytes with any signature, cause no panic.
#[test]
fn nonsense_is_harmless() {
    let mut random = random();
    for _ in 0..2_000 {
        let cells: Vec<u8> =
            (0..Signature::BYTES * 5 + 7).map(|_| (random() >> 33) as u8).collect();
        let games: Vec<Vec<u8>> =
            (0..5).map(|_| (0..random() % 60).map(|_| (random() >> 33) as u8).collect()).collect();
        for game in &games {
            let _ = Signature::of(game);
        }
        let mut position = AnyPosition::start(Variant::Chess);
        for _ in 0..random() % 30 {
            let legal = position.legal_moves();
            if !legal.is_empty() {
                position.play_unchecked(legal[random() as usize % legal.len()]);
            }
        }
        let query = Query::new(&position);
        let mut candidates = Vec::new();
        let signatures = Signatures::new(&cells);
        assert_eq!(signatures.len(), 5);
        query.candidates(&signatures, &mut candidates);
        for candidate in &candidates {
            let _ = query.find(candidate, &games[candidate.row as usize]);
            let _ = query.visits(candidate, &games[candidate.row as usize], |_, _| {});
        }
    }
}

/// 600 positions of the large collections, from the opening to the endgame.
#[test]
#[ignore = "reads the collections in HALFMOVE_DATA"]
fn the_search_agrees_with_replay_in_large_collections() {
    let mut bytes: Vec<Vec<u8>> = Vec::new();
    for path in game_files(&collections().join("large")) {
        let mut reader = GameReader::new(Input::open(&path).expect("a file"));
        let (mut game, mut line) = (Game::default(), Vec::new());
        while reader.read_with_bytes(&mut game, &mut line).expect("a file").is_some() {
            bytes.push(line.clone());
        }
    }
    let mut cells = Vec::new();
    for game in &bytes {
        cells.extend(Signature::of(game).expect("bytes of a game").to_bytes());
    }
    let games = Games { lines: Vec::new(), signatures: Signatures::new(&cells), bytes };
    let mut random = random();
    let (mut positions, mut hits) = (0, 0);
    while positions < 600 {
        let game = &games.bytes[random() as usize % games.bytes.len()];
        let class = positions % 3;
        let ply = [random() % 13, 13 + random() % 48, 61 + random() % 90][class] as u32;
        let Some(position) = replay::position_at(game, ply).expect("a game") else { continue };
        positions += 1;
        let found = games.by_signatures(&position);
        assert_eq!(found, games.by_replay(&position), "{position}");
        hits += found.len();
    }
    assert!(hits > 100_000, "only {hits} hits");
}

/// The example of the reference.
#[test]
fn the_worked_example() {
    let page = include_str!("../../../../docs/reference/signature.md");
    let (_, rest) = page.split_once("After `").expect("an example");
    let (moves, rest) = rest.split_once("`:\n\n```text\n").expect("its moves");
    let (text, _) = rest.split_once("```").expect("its bytes");
    let shown: Vec<u8> =
        text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).expect("a byte")).collect();
    let mut game = Vec::new();
    halfmove::encode(&read_game(format!("{moves} *")).expect("a game"), &mut game).expect("bytes");
    assert_eq!(Signature::of(&game).expect("a game").to_bytes().as_slice(), shown);
    assert!(page.contains(&format!("version {}", Signature::VERSION)));
    assert!(page.contains("The line is 2247"));
}

/// Signatures are stored in archives, so their bytes are a promise. Another tree of beginnings or another format needs
/// a new version.
#[test]
fn signatures_are_stable() {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for line in lines() {
        for byte in Signature::of(&line.encode()).expect("bytes of a game").to_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    assert_eq!((Signature::VERSION, hash), (0, 7_512_421_381_926_351_334));
}
