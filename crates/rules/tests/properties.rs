//! Properties that hold for any text, any bytes and any game. The property tests and the fuzz targets share them.

use halfmove_rules::makruk::{self, Counting};
use halfmove_rules::{
    CastlingMode, CastlingStyle, Chess, Color, EnPassantMode, Epd, Flaw, Flaws, Makruk, Move,
    Piece, Repair, Role, San, SanError, Setup, Square, UciMove, Zobrist, castling_key,
    en_passant_key, piece_key, turn_key,
};

/// Any text that parses prints as a text that parses to the same value; an accepted position is valid.
pub(crate) fn fen(text: &str) {
    for mode in [None, Some(CastlingMode::Standard), Some(CastlingMode::Chess960)] {
        lenient_fen(text, mode);
    }
    let Ok(setup) = text.parse::<Setup>() else { return };
    assert_eq!(setup.to_string().parse().as_ref(), Ok(&setup));
    assert_eq!(setup.shredder().to_string().parse().as_ref(), Ok(&setup));
    let forgiven = Flaws::LEFTOVERS | Flaws::UNREACHABLE;
    for mode in [None, Some(CastlingMode::Standard), Some(CastlingMode::Chess960)] {
        match Chess::from_setup_in(setup.clone(), mode, forgiven) {
            Ok(position) => {
                assert!(mode.is_none_or(|mode| position.castling_mode() == mode));
                is_position(&position);
            }
            Err(error) => {
                assert_eq!(error.flaws() & forgiven, Flaws::NONE);
                assert!(!error.to_string().is_empty());
            }
        }
    }
}

/// A lenient reader reads what a strict one reads, without a repair; what only it can read is written as a FEN that a
/// strict one reads.
fn lenient_fen(text: &str, mode: Option<CastlingMode>) {
    let whole = |position: Chess| (position.castling_mode(), position.to_setup());
    let strict = Chess::from_fen(text, mode).map(whole);
    match (Chess::from_fen_lenient(text, mode), strict) {
        (Ok((position, repairs)), Ok(strict)) => {
            assert_eq!((whole(position), &repairs[..]), (strict, &[][..]), "{text:?}");
        }
        (Ok((position, repairs)), Err(_)) => {
            assert!(repairs.iter().all(|repair| !repair.to_string().is_empty()));
            let written = position.to_string();
            let again = Chess::from_fen(&written, mode).map(whole);
            assert_eq!(again, Ok(whole(position)), "{text:?} {written}");
        }
        (Err(error), strict) => {
            assert!(!error.to_string().is_empty());
            assert!(strict.is_err(), "{text:?}: {error}");
        }
    }
}

/// A position is written and read, as text and as bytes, and stays the same.
fn is_position(position: &Chess) {
    let setup = position.to_setup();
    let mode = position.castling_mode();
    assert_eq!(setup.flaws_in(mode) - Flaws::UNREACHABLE, Flaws::NONE, "{position}");
    assert_eq!(Chess::from_fen(&position.to_string(), Some(mode)).as_ref(), Ok(position));
    // Whatever en passant square is written, the same position is read, with the same key.
    for en_passant in [EnPassantMode::Legal, EnPassantMode::PseudoLegal, EnPassantMode::Always] {
        let fen = position.to_setup_as(en_passant).to_string();
        let read = Chess::from_fen(&fen, Some(mode)).unwrap();
        assert_eq!((&read, read.key()), (position, position.key()), "{fen}");
        assert_eq!(read.to_setup_as(en_passant).to_string(), fen);
        if en_passant != EnPassantMode::Legal {
            assert_eq!(read.zobrist(), position.zobrist(), "{fen}");
        }
    }
    if let Ok(bytes) = position.pack() {
        assert_eq!(Chess::unpack(&bytes).map(|read| read.to_setup()), Ok(setup));
    }
}

/// Any text that parses prints as a text that parses to the same value, for a strict reader and a lenient one.
pub(crate) fn epd(text: &str) {
    let lenient = Epd::parse_lenient(text);
    match (&lenient, text.parse::<Epd>()) {
        (Ok((epd, repairs)), strict) => {
            let written = epd.to_string();
            assert_eq!(written.parse().as_ref(), Ok(epd), "{text:?} {written}");
            assert!(
                !repairs.is_empty() || strict.is_err() || strict.as_ref() == Ok(epd),
                "{text:?}"
            );
        }
        (Err(error), strict) => assert!(strict.is_err(), "{text:?}: {error}"),
    }
    if let Ok(epd) = text.parse::<Epd>() {
        let written = epd.to_string();
        assert_eq!(written.parse().as_ref(), Ok(&epd), "{written}");
    }
}

/// A SAN prints as one with the same meaning; the move it names is legal, and is found again by its own SAN.
pub(crate) fn san(position: &Chess, text: &[u8]) {
    let Ok(san) = San::parse(text) else { return };
    assert_eq!(San::parse(san.to_string().as_bytes()), Ok(san));
    if let Ok(mv) = san.resolve(position) {
        is_move(position, mv);
    }
}

/// The same for UCI.
pub(crate) fn uci(position: &Chess, text: &str) {
    let Ok(uci) = text.parse::<UciMove>() else { return };
    assert_eq!(uci.to_string().parse(), Ok(uci));
    if let Ok(mv) = uci.resolve(position) {
        is_move(position, mv);
    }
}

/// A legal move is found again by its text.
fn is_move(position: &Chess, mv: Move) {
    assert!(position.is_legal(mv), "{position} {mv:?}");
    let san = position.san(mv);
    assert_eq!(San::parse_strict(san.as_bytes(), position), Ok(mv), "{position} {san}");
    let read = |style| mv.uci(style).to_string().parse::<UciMove>().unwrap().resolve(position);
    assert_eq!(read(CastlingStyle::KingTakesRook), Ok(mv), "{position} {san}");
    // In Chess960 the king may be able to step where it would castle to.
    let target = mv.uci(CastlingStyle::KingToTarget);
    let step = Move::normal(target.from, target.to);
    let expected = if mv.is_castle() && position.is_legal(step) { step } else { mv };
    assert_eq!(read(CastlingStyle::KingToTarget), Ok(expected), "{position} {san}");
}

/// Any bytes are a position's only packed form, or an error.
pub(crate) fn packed(bytes: &[u8; 32]) {
    match Chess::unpack(bytes) {
        Ok(position) => {
            assert_eq!(position.pack().as_ref(), Ok(bytes), "{position}");
            is_position(&position);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Plays one legal move per byte from a position. Each must lead to a position with the right key and without new
/// flaws. One move of each position, and every move of the last, is found again by its texts; every eighth
/// position is written and read. To check every move of every position would leave a fuzzer few games.
pub(crate) fn play(start: &Chess, choices: &[u8]) {
    let mode = start.castling_mode();
    let flaws = start.to_setup().flaws_in(mode);
    let mut position = start.clone();
    for (ply, &choice) in choices.iter().enumerate() {
        let moves = position.legal_moves();
        assert_eq!(position.count_moves(), moves.len(), "{position}");
        let Some(&mv) = moves.get(usize::from(choice) % moves.len().max(1)) else { return };
        is_move(&position, moves[(ply * 7 + usize::from(choice)) % moves.len()]);
        let skipped = skipped_by(&position, mv);
        position = position.play(mv).expect("a legal move");
        if ply % 8 == 0 {
            is_position(&position);
        }
        // Whatever check the start had, this one was given by a move.
        let left = flaws - Flaw::ImpossibleCheck;
        assert_eq!(position.castling_mode(), mode);
        assert_eq!(position.to_setup().flaws_in(mode) - left, Flaws::NONE, "{position} {mv:?}");
        assert_eq!(position.zobrist(), key(&position, skipped), "{position} {mv:?}");
        let can_take = position.legal_moves().iter().any(|&mv| position.is_en_passant(mv));
        let legal = skipped.filter(|_| can_take);
        assert_eq!(position.key(), key(&position, legal), "{position} {mv:?}");
    }
    is_position(&position);
    position.legal_moves().into_iter().for_each(|mv| is_move(&position, mv));
}

/// A FEN of Makruk, in either dialect, prints as one with the same meaning.
pub(crate) fn makruk_fen(text: &str) {
    for variant in makruk::Rules::ALL {
        for dialect in [makruk::Dialect::Fairy, makruk::Dialect::MakrukJs] {
            let Ok(setup) = makruk::Setup::parse(text, variant, dialect) else { continue };
            let written = setup.fen(dialect).to_string();
            assert_eq!(makruk::Setup::parse(&written, variant, dialect), Ok(setup), "{written}");
        }
        for dialect in [None, Some(makruk::Dialect::Fairy), Some(makruk::Dialect::MakrukJs)] {
            lenient_makruk_fen(text, variant, dialect);
        }
    }
    let _ = makruk::Dialect::detect(text);
}

/// As for chess: what a strict reader reads needs no repair but fields that are missing, and what only a lenient one can read is written as a FEN
/// that a strict one reads.
fn lenient_makruk_fen(text: &str, rules: makruk::Rules, dialect: Option<makruk::Dialect>) {
    let strict = Makruk::from_fen(text, rules, dialect).map(|position| position.to_setup());
    match (Makruk::from_fen_lenient(text, rules, dialect), strict) {
        (Ok((position, repairs)), Ok(strict)) => {
            // A strict reader takes a board alone too, without a word.
            let is_missing = |repair: &Repair| matches!(repair, Repair::Missing(_));
            assert!(repairs.iter().all(is_missing), "{text:?}: {repairs:?}");
            assert_eq!(position.to_setup(), strict, "{text:?}");
        }
        (Ok((position, _)), Err(_)) => {
            let dialect = dialect.or(makruk::Dialect::detect(text).ok());
            let dialect = dialect.filter(|_| rules != makruk::Rules::Asean);
            let dialect = dialect.unwrap_or(makruk::Dialect::Fairy);
            let setup = position.to_setup();
            let written = setup.fen(dialect).to_string();
            let again = Makruk::from_fen(&written, rules, None).map(|again| again.to_setup());
            assert_eq!(again, Ok(setup), "{text:?} {written}");
        }
        (Err(error), strict) => assert!(strict.is_err(), "{text:?}: {error}"),
    }
}

/// The move that a SAN of Makruk names, in any style, is legal.
pub(crate) fn makruk_san(position: &Makruk, text: &str) {
    for style in makruk::SanStyle::ALL {
        if let Ok(mv) = position.parse_san_in(text, style) {
            assert!(position.is_legal(mv), "{position} {text}");
            is_makruk_move(position, mv);
        }
    }
    if let Ok(mv) = position.parse_uci(text) {
        assert!(position.is_legal(mv), "{position} {text}");
    }
}

/// A legal move is found again by its text, in every style.
fn is_makruk_move(position: &Makruk, mv: Move) {
    for style in makruk::SanStyle::ALL {
        let san = position.san_in(mv, style);
        // In Thai a khon and the bia of the c-file that both can take there are written alike, but for a check, which is not
        // looked at.
        let bare = |san: &str| san.trim_end_matches(['+', '#']).to_owned();
        let is_alike =
            |other: Move| other != mv && bare(&position.san_in(other, style)) == bare(&san);
        let found = position.parse_san_in(&san, style);
        match position.legal_moves().iter().any(|other| is_alike(*other)) {
            true => assert_eq!(found, Err(SanError::Ambiguous), "{position} {san}"),
            false => assert_eq!(found, Ok(mv), "{position} {san}"),
        }
    }
    let uci = position.uci(mv).to_string();
    assert_eq!(position.parse_uci(&uci), Ok(mv), "{position} {uci}");
}

/// Plays one legal move per byte from a position of Makruk, under every counting policy: each leads to a valid
/// position, all of whose moves are found by their texts. The largest bytes claim or stop a count.
pub(crate) fn makruk_play(start: &Makruk, choices: &[u8]) {
    for policy in [
        makruk::CountingPolicy::Auto,
        makruk::CountingPolicy::Thai,
        makruk::CountingPolicy::MakrukJs,
        makruk::CountingPolicy::Fairy11,
    ] {
        makruk_play_by(start.clone().with_policy(policy), choices);
    }
}

fn makruk_play_by(mut position: Makruk, choices: &[u8]) {
    for (ply, &choice) in choices.iter().enumerate() {
        let _ = match choice {
            0xf0.. => position.claim_count(),
            0xe0..0xf0 => position.stop_count(),
            _ => Ok(()),
        };
        is_makruk_position(&position);
        let moves = position.legal_moves();
        assert_eq!(position.count_moves(), moves.len(), "{position}");
        let Some(&mv) = moves.get(usize::from(choice) % moves.len().max(1)) else { return };
        is_makruk_move(&position, moves[(ply * 7 + usize::from(choice)) % moves.len()]);
        position = position.play(mv).expect("a legal move");
    }
    is_makruk_position(&position);
    position.legal_moves().iter().for_each(|mv| is_makruk_move(&position, *mv));
}

/// A position can be rebuilt from its setup, and a FEN in either dialect reads back as the same position with the
/// same count.
fn is_makruk_position(position: &Makruk) {
    let setup = position.to_setup();
    let again = Makruk::from_setup(setup.clone()).map(|again| again.with_policy(position.policy()));
    assert_eq!(again.as_ref(), Ok(position), "{position}");
    assert_eq!(again.map(|again| again.zobrist()), Ok(position.zobrist()));
    let count = position.counting();
    for dialect in [makruk::Dialect::Fairy, makruk::Dialect::MakrukJs] {
        let written = setup.fen(dialect).to_string();
        let read = makruk::Setup::parse(&written, setup.rules, dialect);
        let read = read.unwrap_or_else(|error| panic!("{written}: {error}"));
        let known = |count: Counting| (count.color(), count.limit(), count.ply());
        assert_eq!(read.counting.map(known), count.map(known), "{written}");
        // Under makruk-js's rules a king that has just become bare continues counting board's honor until it moves.
        // Fairy-Stockfish's FEN cannot express that.
        let bare = |count: Counting| position.board().by_color(count.color()).len() == 1;
        if dialect == makruk::Dialect::MakrukJs || !count.is_some_and(bare) {
            assert_eq!(read.counting.map(|c| c.honor()), count.map(|c| c.honor()), "{written}");
        }
        assert_eq!((&read.board, read.promoted), (&setup.board, setup.promoted), "{written}");
        let read = Makruk::from_setup(read).map(|read| read.with_policy(position.policy()));
        assert_eq!(read.map(|read| read.outcome()), Ok(position.outcome()), "{written}");
    }
}

/// The square that a move skips, if it is a double step to a square next to an enemy pawn.
fn skipped_by(position: &Chess, mv: Move) -> Option<Square> {
    let (board, us) = (position.board(), position.side_to_move());
    let (from, to) = (mv.from(), mv.to());
    let double = board.role_at(from) == Some(Role::Pawn)
        && (from.rank() as u8).abs_diff(to.rank() as u8) == 2;
    let hostile = Piece { color: !us, role: Role::Pawn };
    let beside = [to.offset(-1, 0), to.offset(1, 0)].into_iter().flatten();
    let between = Square::from_index(from.index().midpoint(to.index()) as u8)?;
    (double && beside.into_iter().any(|square| board.piece_at(square) == Some(hostile)))
        .then_some(between)
}

/// The key computed from its parts, as the book format defines it.
fn key(position: &Chess, ep_square: Option<Square>) -> Zobrist {
    let pieces = position.board().pieces().fold(0, |key, (at, piece)| key ^ piece_key(piece, at));
    let rights =
        position.castling().iter().fold(0, |key, (color, side, _)| key ^ castling_key(color, side));
    let en_passant = ep_square.map_or(0, |square| en_passant_key(square.file()));
    let turn = if position.side_to_move() == Color::White { turn_key() } else { 0 };
    Zobrist(pieces ^ rights ^ en_passant ^ turn)
}
