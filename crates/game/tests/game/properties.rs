//! Properties of any bytes: random, damaged or from a fuzzer. The fuzz targets use this file too.

use std::sync::LazyLock;

use halfmove_game::codec::{DecodeError, halfmove};
use halfmove_game::openings;
use halfmove_game::pgn::{GameReader, Keep, Reader, Reading, Skip, SkipReason, write_game};
use halfmove_game::replay::{
    self, BoardCondition, BoardConditionError, BoardQuery, MoveSequence, PawnFeature, Query,
    Signature, Signatures, Target,
};
use halfmove_game::{Game, GameBuilder};
use halfmove_rules::{AnyPosition, Chess, Move, Variant};

use crate::portions::Portions;
use crate::recorder::{Recorder, Skips};
use crate::slow_reader::{Event, SlowReader};

/// The reader's own buffer, which no short text fills.
const USUAL: usize = 16 * 1024 * 1024;

/// The reader reports the same events as its oracle, for any sizes of the reads and any parts that the visitor skips.
pub(crate) fn tokens(text: &[u8]) {
    // The length selects the caller's options.
    let choose = |from: usize| u64::try_from(text.len() / from % 4).ok().filter(|&every| every > 0);
    let skips = Skips { games: choose(1), variations: choose(4) };
    let read = compare_as::<true>(text, usize::MAX, USUAL, Skips::NONE)
        .and_then(|_| compare_as::<true>(text, 1 + text.len() % 100, USUAL, Skips::NONE))
        .and_then(|_| compare_as::<false>(text, 7, USUAL, Skips::NONE))
        .and_then(|_| compare_as::<true>(text, usize::MAX, USUAL, skips))
        .and_then(|_| compare_as::<false>(text, usize::MAX, USUAL, skips));
    if let Err(error) = read {
        panic!("{error}");
    }
    // Here even short tokens are cut.
    assert_eq!(events(text, 3, 0), events(text, usize::MAX, 0), "{}", text.escape_ascii());
}

fn events(text: &[u8], portion: usize, buffer: usize) -> Vec<Event<'static>> {
    let mut recorder = Recorder::<true>::new(Skips::NONE);
    let mut reader = Reader::with_longest_token(Portions::new(text, portion), buffer);
    while reader.read_game(&mut recorder).expect("memory does not fail") {}
    recorder.events
}

/// Main lines are the same alone and in whole games, as moves and as bytes. Returns the number of games.
pub(crate) fn main_lines(text: &[u8]) -> u64 {
    let mut whole = GameReader::new(text);
    let mut lines = GameReader::new(text).keeping(Keep::MainLine);
    let mut coded = GameReader::new(text);
    let mut coded_lines = GameReader::new(text).keeping(Keep::MainLine);
    let (mut game, mut line, mut again) = <(Game, Game, Game)>::default();
    let (mut codes, mut line_codes) = (Vec::new(), Vec::new());
    for games in 0.. {
        let reading = whole.read(&mut game).expect("memory does not fail");
        let of_line = lines.read(&mut line).expect("memory does not fail");
        assert_eq!(of_line, reading);
        let of_coded = coded.read_with_bytes(&mut again, &mut codes);
        let of_coded = of_coded.expect("memory does not fail");
        let of_coded_line = coded_lines.read_with_bytes(&mut line, &mut line_codes);
        assert_eq!(of_coded_line.expect("memory does not fail"), of_coded);
        assert_eq!(line_codes, codes);
        let Some(reading) = reading else { return games };
        // Any game: only those are skipped whose pieces exceed the byte code.
        match &of_coded {
            Some(Reading::Skipped(Skip { reason: SkipReason::TooManyPieces { .. }, .. })) => {
                assert!(game.chess_start().is_none());
                continue;
            }
            _ => assert_eq!((of_coded.as_ref(), &again), (Some(&reading), &game)),
        }
        assert_eq!(
            (&line.tags, &line.start, &line.moves, line.result),
            (&game.tags, &game.start, &game.moves, game.result)
        );
        let mut encoded = Vec::new();
        let whole = halfmove::encode_moves(&game.start, &game.moves, &mut encoded);
        whole.expect("such a game has bytes");
        assert_eq!(codes, encoded);
        let mut decoded = Vec::new();
        let from = halfmove::decode_moves(&codes, &mut decoded).expect("bytes of a game");
        assert_eq!((from.to_string(), &decoded), (game.start.to_string(), &game.moves));
        assert_eq!(from, game.start);
    }
    unreachable!("each game takes a byte at least")
}

/// Every move of every game is legal, faults are where the moves end, and games do not depend on the sizes of the
/// reads, nor main lines on the parts that are kept.
pub(crate) fn games(text: &[u8]) {
    let mut reader = GameReader::new(text);
    let mut in_portions = GameReader::new(Portions::new(text, 1 + text.len() % 50));
    let (mut game, mut same) = (Game::default(), Game::default());
    main_lines(text);
    let mut games = 0;
    loop {
        let reading = reader.read(&mut game).expect("memory does not fail");
        assert_eq!(in_portions.read(&mut same).expect("memory does not fail"), reading);
        assert_eq!(game, same);
        let Some(reading) = reading else { break };
        games += 1;
        if let Reading::Faulty(error) = &reading {
            assert_eq!((error.game, error.ply as usize), (games, game.moves.len() + 1));
        }
        let mut position = game.start.clone();
        for &mv in &game.moves {
            position = played(&position, mv).expect("a legal move");
        }
    }
    assert_eq!(reader.counts().games, games);
    assert_eq!(reader.counts(), in_portions.counts());
}

/// The position after a move of a main line, if it is legal or a null move out of check.
pub(crate) fn played(position: &AnyPosition, mv: Move) -> Option<AnyPosition> {
    if mv.is_null() { position.null_move() } else { position.play(mv).ok() }
}

/// A game that is read, written and read again is the same game; and it can be built from its events.
pub(crate) fn written(text: &[u8]) {
    let mut reader = GameReader::new(text);
    let (mut game, mut again) = (Game::default(), Game::default());
    while reader.read(&mut game).expect("memory does not fail").is_some() {
        let mut builder = GameBuilder::new(game.start.clone());
        for event in game.events() {
            builder.push(event).expect("an event of a game");
        }
        let built = builder.finish();
        assert_eq!(built, game);
        // Without these, it does not look like a game.
        if game.tags.is_empty() && game.moves.is_empty() {
            continue;
        }
        let text = write_game(&game).expect("names that were read can be written");
        let mut second = GameReader::new(text.as_bytes());
        assert!(second.read(&mut again).expect("memory does not fail").is_some(), "{text}");
        game.result = game.result.or(again.result);
        assert_eq!(game, again, "{text}");
        assert_eq!(write_game(&again).expect("the same names"), text);
        assert!(second.read(&mut again).expect("memory does not fail").is_none(), "{text}");
    }
}

/// Reads a text with both readers. The error names the first event that differs.
pub(crate) fn compare_as<const COMMENTS: bool>(
    text: &[u8],
    portion: usize,
    buffer: usize,
    skips: Skips,
) -> Result<u64, String> {
    let mut slow = SlowReader::new(text);
    let mut recorder = Recorder::<COMMENTS>::new(skips);
    let source = Portions::new(text, portion);
    let mut reader = Reader::with_longest_token(source, buffer);
    for game in 0.. {
        let found = reader.read_game(&mut recorder).map_err(|error| error.to_string())?;
        let (mut expected, is_game) = slow.read_game();
        expected = skips.apply(expected, game);
        if !COMMENTS {
            without_comments(&mut expected);
        }
        let found_events = std::mem::take(&mut recorder.events);
        let same = found_events.iter().zip(&expected).take_while(|(a, b)| a == b).count();
        if same < found_events.len().max(expected.len()) || found != is_game {
            return Err(format!(
                "portions of {portion}, buffer of {buffer}, {skips:?}, game {game}, event {same}:\n  \
                 reader: {:?}\n  oracle: {:?}\n  before: {:?}\n  text: {}",
                found_events.get(same),
                expected.get(same),
                &expected[same.saturating_sub(3)..same],
                text[..text.len().min(2000)].escape_ascii(),
            ));
        }
        if !found {
            return Ok(game);
        }
    }
    unreachable!("each game takes a byte at least")
}

/// Drops the comments in movetext.
fn without_comments(events: &mut Vec<Event<'_>>) {
    let mut in_moves = false;
    events.retain(|event| {
        in_moves = match event {
            Event::EndTags => true,
            Event::EndGame => false,
            _ => in_moves,
        };
        !(in_moves && matches!(event, Event::Comment(..)))
    });
}

/// The starts of [`codec`]: usual, Chess960, about to promote and to capture en passant, crowded, and
/// those of Makruk and its variants.
const STARTS: [(Variant, &str); 8] = [
    (Variant::Chess, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    (Variant::Chess960, "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"),
    (Variant::Chess, "4k3/PPP1P1PP/8/3pP3/8/8/ppp1p1pp/4K3 w - d6 0 1"),
    (Variant::Chess, "7k/8/8/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/KBBBBBBB w - - 0 1"),
    (Variant::Makruk, "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1"),
    (Variant::Makpong, "rnsmksnr/8/1ppppppp/p7/4P3/PPPP1PPP/8/RNSKMSNR b - - 0 9"),
    (Variant::Asean, "4k3/PPP3PP/8/8/8/8/ppp3pp/4K3 w - - 0 1"),
    (Variant::Makruk, "8/3k4/8/8/8/5K2/2M~5/2R4R w - 16 17 6"),
];

/// Any bytes, with their own start or with one of ours, which the first byte selects: decoding gives legal moves or an
/// error with its offset, decoded moves encode to the same bytes, and replay agrees with the rules.
pub(crate) fn codec(data: &[u8]) {
    let Some((first, bytes)) = data.split_first() else { return };
    let mut with_start = Vec::new();
    if let Some((variant, fen)) = STARTS.get(usize::from(*first)) {
        let start = AnyPosition::from_fen(fen, *variant).expect("a position");
        halfmove::encode_moves(&start, &[], &mut with_start).expect("a start that has bytes");
    }
    with_start.extend(bytes);
    replay_like_the_rules(&with_start);
}

/// One of each kind, and one with everything.
fn questions() -> [BoardCondition; 4] {
    let pattern = || "8/8/8/8/8/8/5PPP/6K_".parse().expect("a pattern");
    let material = || "KRPvKR".parse().ok();
    let pawns = || "8/5ppp/8/8/8/8/5PPP/8".parse().ok();
    [
        BoardCondition { pattern: pattern(), ..BoardCondition::default() },
        BoardCondition { material: material(), at_least: 1, ..BoardCondition::default() },
        BoardCondition { pawns: pawns(), is_final: true, ..BoardCondition::default() },
        BoardCondition {
            pattern: pattern(),
            imbalance: "RvB".parse().ok(),
            opposite_bishops: true,
            features: vec![PawnFeature::Passed("a".parse().expect("a file"))],
            either_color: true,
            mirrored: true,
            ..BoardCondition::default()
        },
    ]
}

fn replay_like_the_rules(bytes: &[u8]) {
    let mut moves = Vec::new();
    let decoded = halfmove::decode_moves(bytes, &mut moves);
    // Replay ends for any bytes.
    let mut keys = 0;
    let replayed = replay::keys(bytes, |_| keys += 1);
    let end = replay::final_position(bytes);
    let _ = Signature::of(bytes);
    // An unrelated signature.
    if let Some(other) = bytes.last_chunk() {
        let _ = by_signature(other, bytes, &AnyPosition::Chess(Chess::default()));
    }
    let usual = Target::new(&Chess::default().into());
    let _ = replay::visits(bytes, &usual, |_, _| ());
    for question in questions() {
        let _ = BoardQuery::new(&question).find(bytes);
    }
    let opening = openings::of_game(bytes);
    let start = match decoded {
        Err(error) => return assert!(error.offset <= bytes.len()),
        Ok(start) => start,
    };
    assert_eq!(halfmove::plies(bytes) as usize, moves.len());
    let mut canonical = Vec::new();
    halfmove::encode_moves(&start, &moves, &mut canonical).expect("they had bytes");
    let mut again = Vec::new();
    assert_eq!(halfmove::decode_moves(&canonical, &mut again).as_ref(), Ok(&start));
    assert_eq!(again, moves);
    let slow = start.as_chess().and_then(|start| openings::of_moves(start, &moves));
    assert_eq!(opening, Ok(slow));
    let mut position = start.clone();
    moves.iter().for_each(|mv| position.play_unchecked(*mv));
    assert_eq!((replayed, keys), (Ok(()), moves.len() + 1));
    assert_eq!(end.as_ref(), Ok(&position));
    assert_eq!(end.expect("a position").to_string(), position.to_string());
    let found = replay::find(bytes, &Target::new(&position));
    assert!(matches!(found, Ok(Some(ply)) if ply as usize <= moves.len()));
    // Its signature does not reject it, and agrees with replay.
    let signature = Signature::of(bytes).expect("bytes of a game").to_bytes();
    assert_eq!(by_signature(&signature, bytes, &position), found);
}

/// The ply that the search with signatures finds in a game.
fn by_signature(
    signature: &[u8; Signature::BYTES],
    bytes: &[u8],
    position: &AnyPosition,
) -> Result<Option<u32>, DecodeError> {
    let (query, mut candidates) = (Query::new(position), Vec::new());
    query.candidates(&Signatures::new(signature), &mut candidates);
    match candidates.first() {
        Some(candidate) => query.find(candidate, bytes),
        None => Ok(None),
    }
}

/// Any text as conditions on the board: an error with an offset in the text, or conditions for which replay and
/// signatures agree in some games.
pub(crate) fn board(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let question: BoardCondition = match text.parse() {
        Err(error) => {
            let BoardConditionError { offset, .. } = error;
            return assert!(offset <= text.len(), "{error}");
        }
        Ok(question) => question,
    };
    let query = BoardQuery::new(&question);
    for bytes in sample_games() {
        let found = query.find(bytes).expect("a game");
        let signature = Signature::of(bytes).expect("a game").to_bytes();
        let (mut candidates, mut hits) = (Vec::new(), Vec::new());
        query.candidates(&Signatures::new(&signature), &mut candidates);
        query.find_all(&candidates, |_| bytes, |_, ply| hits.push(ply)).expect("a game");
        assert_eq!(hits, Vec::from_iter(found));
    }
}

/// Eventful games of all kinds.
fn sample_games() -> &'static [Vec<u8>] {
    static GAMES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
        let mut games = vec![Vec::new()];
        let mut state = 1_u64;
        for (variant, fen) in STARTS {
            let start = AnyPosition::from_fen(fen, variant).expect("a position");
            let (mut position, mut moves) = (start.clone(), Vec::new());
            while moves.len() < 120 {
                let legal = position.legal_moves();
                if legal.is_empty() {
                    break;
                }
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let mv = legal[(state >> 33) as usize % legal.len()];
                position.play_unchecked(mv);
                moves.push(mv);
            }
            let mut bytes = Vec::new();
            halfmove::encode_moves(&start, &moves, &mut bytes).expect("a game that has bytes");
            games.push(bytes);
        }
        games
    });
    &GAMES
}

/// A first line as a sequence of moves, and the rest as the bytes of a game: an error, or a match that is in the game.
pub(crate) fn sequences(bytes: &[u8]) {
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let (line, game) = (&bytes[..end], bytes.get(end + 1..).unwrap_or_default());
    let Ok(text) = std::str::from_utf8(line) else { return };
    match text.parse::<MoveSequence>() {
        Ok(sequence) => {
            if let Ok(Some(ply)) = replay::played(game, &sequence) {
                assert!(ply > 0 && ply <= halfmove::plies(game), "{text}");
            }
        }
        Err(error) => assert!(error.offset <= text.len(), "{text}: {error}"),
    }
}
